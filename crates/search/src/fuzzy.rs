//! Names that are nearly the query: typing errors and abbreviations.

/// The number of insertions, deletions, replacements and swaps of neighbours (Damerau 1964,
/// restricted) from `a` to `b`, if it is at most `max`.
pub(crate) fn distance(a: &[char], b: &[char], max: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > max {
        return None;
    }
    let width = b.len() + 1;
    let mut before: Vec<usize> = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    let mut row: Vec<usize> = vec![0; width];
    for (i, &ca) in a.iter().enumerate() {
        row[0] = i + 1;
        // Farther from the diagonal there are more errors than may be.
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

/// Typing errors that a query of that length may hold.
pub(crate) fn allowed_errors(length: usize) -> usize {
    match length {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    }
}

/// Whether the query abbreviates the words: it runs through prefixes of words from the first,
/// `gubi` for get user by id, `gubid` too.
pub(crate) fn abbreviates(query: &[char], words: &[String]) -> bool {
    let Some((first, _)) = words.split_first() else {
        return false;
    };
    query.len() >= 2
        && words.len() <= MOST_WORDS
        && first.chars().next() == query.first().copied()
        && runs_through(query, words)
}

/// Words of a name that is abbreviated.
const MOST_WORDS: usize = 12;

/// Every place of the query is left at most once by each word, however many ways lead there: names of one letter have
/// more ways than can be counted.
fn runs_through(query: &[char], words: &[String]) -> bool {
    let mut reached = vec![false; query.len() + 1];
    reached[0] = true;
    for word in words {
        // From the end, so that a word is taken once. Words may be left out.
        for place in (0..query.len())
            .rev()
            .filter(|place| reached[*place])
            .collect::<Vec<_>>()
        {
            let rest = &query[place..];
            let common = word.chars().zip(rest).take_while(|(c, q)| c == *q).count();
            reached[place + 1..=place + common].fill(true);
        }
        if reached[query.len()] {
            return true;
        }
    }
    false
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
    fn abbreviations_follow_words() {
        let words: Vec<String> = ["get", "user", "by", "id"].map(str::to_owned).to_vec();
        for (query, expected) in [
            ("gubi", true),
            ("getuid", true),
            ("gid", true),
            ("gxbi", false),
            ("ubi", false),
            ("gg", false),
            ("gebid", true),
            ("geri", false),
        ] {
            assert_eq!(abbreviates(&chars(query), &words), expected, "{query}");
        }
    }

    #[test]
    fn names_of_one_letter_take_no_time() {
        let words = vec!["a".repeat(30); MOST_WORDS];
        let query = "a".repeat(200) + "b";
        assert!(!abbreviates(&chars(&query), &words));
        assert!(abbreviates(&chars(&query[..200]), &words));
        let long = chars(&"ab".repeat(100_000));
        let other = chars(&("ab".repeat(100_000) + "c"));
        assert_eq!(distance(&long, &other, 2), Some(1));
    }
}
