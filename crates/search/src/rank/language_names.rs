//! Names of languages that are written with signs, as paths and names of code spell them.

/// Names with signs, in lower case, and their spelling in letters. The signs are no part of a word, so that `C++` is only a `C`.
const SPELLED: [(&str, &str); 3] = [("c++", "cpp"), ("c#", "csharp"), ("f#", "fsharp")];

/// The text with the spelling of each such name added at its end; `None` if there is none in it.
pub(super) fn with_spelled_names(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let is_sign = |c: char| {
        matches!(
            c,
            '.' | ',' | ';' | ':' | '?' | '!' | '(' | ')' | '"' | '\''
        )
    };
    let mut out = String::new();
    for (signs, letters) in SPELLED {
        let mut words = lower
            .split_whitespace()
            .map(|word| word.trim_matches(is_sign));
        if words.any(|word| word == signs) {
            out.push(' ');
            out.push_str(letters);
        }
    }
    (!out.is_empty()).then(|| format!("{text}{out}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_signs_are_spelled_in_letters() {
        let of = |text| with_spelled_names(text);
        assert_eq!(
            of("where does the C++ generator write?").as_deref(),
            Some("where does the C++ generator write? cpp")
        );
        assert_eq!(
            of("from C# to F#.").as_deref(),
            Some("from C# to F#. csharp fsharp")
        );
        assert_eq!(of("i++ in c"), None);
        assert_eq!(of("color #c#d"), None);
    }
}
