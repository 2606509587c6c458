//! Names that are nearly equal to the query: typing errors and abbreviations.

/// The most typing errors allowed in a query of that length.
pub(crate) fn allowed_errors(length: usize) -> usize {
    match length {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    }
}

/// Whether the query abbreviates the words: it is made of prefixes of words, the first word included: `gubi` and
/// `gubid` for get user by id.
pub(crate) fn is_abbreviation_of(query: &[char], words: &[String]) -> bool {
    let Some((first, _)) = words.split_first() else {
        return false;
    };
    query.len() >= 2
        && words.len() <= MOST_WORDS
        && first.chars().next() == query.first().copied()
        && runs_through_prefixes(query, words)
}

/// The most words of a name that may be abbreviated.
const MOST_WORDS: usize = 12;

/// Whether prefixes of the words, in order, make up the query. For each word, each position of the query is tried at
/// most once: trying every combination would take exponential time.
fn runs_through_prefixes(query: &[char], words: &[String]) -> bool {
    let mut reached = vec![false; query.len() + 1];
    reached[0] = true;
    for word in words {
        // From the end, so that a word is used once. Words may be skipped.
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
            assert_eq!(
                is_abbreviation_of(&chars(query), &words),
                expected,
                "{query}"
            );
        }
    }

    #[test]
    fn names_of_one_letter_take_no_time() {
        let words = vec!["a".repeat(30); MOST_WORDS];
        let query = "a".repeat(200) + "b";
        assert!(!is_abbreviation_of(&chars(&query), &words));
        assert!(is_abbreviation_of(&chars(&query[..200]), &words));
    }
}
