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
        for (j, &cb) in b.iter().enumerate() {
            let replace = last[j] + usize::from(ca != cb);
            let mut least = replace.min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && ca == b[j - 1] && a[i - 1] == cb {
                least = least.min(before[j - 1] + 1);
            }
            row[j + 1] = least;
        }
        if row.iter().min().is_some_and(|least| *least > max) {
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
    fn from(query: &[char], words: &[String]) -> bool {
        if query.is_empty() {
            return true;
        }
        let Some((word, rest)) = words.split_first() else {
            return false;
        };
        let common = word.chars().zip(query).take_while(|(c, q)| c == *q).count();
        (1..=common).rev().any(|taken| from(&query[taken..], rest))
            || (words.len() > 1 && from_later(query, rest))
    }
    // Words in the middle may be left out.
    fn from_later(query: &[char], words: &[String]) -> bool {
        words.iter().enumerate().any(|(at, word)| {
            word.chars().next() == query.first().copied() && from(query, &words[at..])
        })
    }
    let Some((first, _)) = words.split_first() else {
        return false;
    };
    query.len() >= 2
        && words.len() <= 12
        && first.chars().next() == query.first().copied()
        && from(query, words)
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
        ] {
            assert_eq!(abbreviates(&chars(query), &words), expected, "{query}");
        }
    }
}
