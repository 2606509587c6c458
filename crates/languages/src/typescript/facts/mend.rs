//! What the grammar does not know, put otherwise in as many bytes, so that the definitions behind it are not lost.

/// Words that the grammar takes for a declaration's beginning wherever they stand.
const WORD: &str = "using";
/// The same length, and no word of the language.
const INSTEAD: &str = "_sing";

/// The source with names `using` put otherwise where they begin no declaration; none where there is no such name.
pub(crate) fn mend(source: &str) -> Option<String> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let mut mended = String::new();
    let mut from = 0;
    for (at, _) in source.match_indices(WORD) {
        let (before, after) = (&source[..at], &source[at + WORD.len()..]);
        if before.ends_with(is_word) || after.starts_with(is_word) {
            continue;
        }
        // `using file = open()`.
        let declares = after.starts_with([' ', '\t']) && after.trim_start().starts_with(is_word);
        if !declares {
            mended.push_str(&source[from..at]);
            mended.push_str(INSTEAD);
            from = at + WORD.len();
        }
    }
    if from == 0 {
        return None;
    }
    mended.push_str(&source[from..]);
    Some(mended)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_put_otherwise_and_a_declaration_stays() {
        let mended = mend("if (using) { using file = open(using) } xusing(using_it)").unwrap();
        assert_eq!(
            mended,
            "if (_sing) { using file = open(_sing) } xusing(using_it)"
        );
        assert_eq!(mend("using file = open()"), None);
        assert_eq!(mend("const a = 1"), None);
    }
}
