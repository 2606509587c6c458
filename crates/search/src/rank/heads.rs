//! A quick test whether a name can share a word with the query, made before its words are split and stemmed.

/// The first two letters of the query's stems. Stemming changes the ends of words; the only change to a second
/// letter is from `y` to `i` (`dying`, `die`).
#[derive(Debug, Clone, Default)]
pub(crate) struct StemPrefixes([u32; 32]);

fn bit_of(first: u8, second: u8) -> (usize, u32) {
    let fold = |b: u8| b & 31;
    let second = match fold(second) {
        // y as i
        25 => 9,
        other => other,
    };
    (usize::from(fold(first)), 1 << second)
}

impl StemPrefixes {
    pub(crate) fn from_stems<'s>(stems: impl Iterator<Item = &'s String>) -> StemPrefixes {
        let mut heads = StemPrefixes::default();
        for stem in stems {
            let (first, second) = match stem.as_bytes() {
                [first, second, ..] => bit_of(*first, *second),
                [first] => (bit_of(*first, 0).0, u32::MAX),
                [] => continue,
            };
            heads.0[first] |= second;
        }
        heads
    }

    /// The number of places in a name where a word of the query may begin. It may be too high, but never too low.
    pub(crate) fn count_possible_starts(&self, name: &str) -> usize {
        let bytes = name.as_bytes();
        if !name.is_ascii() {
            return usize::MAX;
        }
        let mut before = 0u8;
        let mut count = 0;
        for (at, b) in bytes.iter().enumerate() {
            let inside = before.is_ascii_lowercase() && b.is_ascii_lowercase();
            if !inside {
                let (first, second) = bit_of(*b, bytes.get(at + 1).copied().unwrap_or(0));
                count += usize::from(self.0[first] & second != 0);
            }
            before = *b;
        }
        count
    }
}

/// How many distinct words of the text are among the stems.
pub(crate) fn count_shared_stems(text: &str, query: &super::Query) -> usize {
    let mut found: Vec<&String> = Vec::new();
    let wanted = |identifier: &str| query.heads.count_possible_starts(identifier) > 0;
    super::rules::for_each_stem(text, wanted, |stem| found.extend(query.stems.get(stem)));
    found.sort_unstable();
    found.dedup();
    found.len()
}

#[cfg(test)]
mod tests {
    use crate::rank::Query;
    use crate::rank::rules::stems_of_name;

    #[test]
    fn no_shared_word_is_overlooked() {
        let query = Query::new("why does a dying parser use HTTP2 x keys, größe of the index 解析");
        let names = "die dies lying using Uses used parse_http getHTTPServer HTTPParser parser2 keyOf myKeys \
            indexes reIndex übergröße größe x getX xY";
        for name in names.split_whitespace() {
            let words = stems_of_name(name);
            let truly = words.iter().filter(|w| query.stems.contains(*w)).count();
            assert!(
                query.heads.count_possible_starts(name) >= truly,
                "{name}: {words:?}"
            );
        }
        assert_eq!(query.heads.count_possible_starts("totallyOther"), 0);
        assert_eq!(
            super::count_shared_stems("parse(keys) and parsing of a key", &query),
            2
        );
    }
}
