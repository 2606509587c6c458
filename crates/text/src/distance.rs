//! Edit distance within a bound.

/// The number of insertions, deletions, replacements and swaps of neighbours (Damerau 1964, restricted) from `a` to `b`, if it
/// is at most `max`. It takes time of at most `max` times the length.
pub fn distance(a: &[char], b: &[char], max: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > max {
        return None;
    }
    let width = b.len() + 1;
    let mut before: Vec<usize> = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    let mut row: Vec<usize> = vec![0; width];
    for (i, &ca) in a.iter().enumerate() {
        row[0] = i + 1;
        // Farther from the diagonal there are more than `max` errors.
        let (from, to) = (i.saturating_sub(max), b.len().min(i + max + 1));
        if from > 0 {
            row[from] = max + 1;
        }
        for j in from..to {
            let cb = b[j];
            let replace = last[j] + usize::from(ca != cb);
            let mut least = replace.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && ca == b[j - 1] && a[i - 1] == cb {
                least = least.min(before[j - 1] + 1);
            }
            row[j + 1] = least;
        }
        if let Some(beyond) = row.get_mut(to + 1) {
            *beyond = max + 1;
        }
        if row[from..=to]
            .iter()
            .min()
            .is_some_and(|least| *least > max)
        {
            return None;
        }
        std::mem::swap(&mut before, &mut last);
        std::mem::swap(&mut last, &mut row);
    }
    Some(last[b.len()]).filter(|d| *d <= max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chars(text: &str) -> Vec<char> {
        text.chars().collect()
    }

    #[test]
    fn distances() {
        for (a, b, expected) in [
            ("parse", "parse", Some(0)),
            ("prase", "parse", Some(1)),
            ("pars", "parse", Some(1)),
            ("parsee", "parse", Some(1)),
            ("kitten", "sitting", None),
            ("connect", "conect", Some(1)),
        ] {
            assert_eq!(distance(&chars(a), &chars(b), 2), expected, "{a} {b}");
        }
    }

    #[test]
    fn long_names_take_no_time() {
        let long = chars(&"ab".repeat(100_000));
        let other = chars(&("ab".repeat(100_000) + "c"));
        assert_eq!(distance(&long, &other, 2), Some(1));
    }
}
