//! Splitting names into the words they are made of.

/// The words of a name, in lower case: `getUserById` → get, user, by, id; `HTTPServer2` → http,
/// server, 2; `snake_case-and.dots` → snake, case, and, dots.
pub(crate) fn split(name: &str, into: &mut Vec<String>) {
    into.clear();
    let chars: Vec<char> = name.chars().collect();
    let mut word = String::new();
    for (at, &c) in chars.iter().enumerate() {
        if !c.is_alphanumeric() {
            flush(&mut word, into);
            continue;
        }
        let before = at.checked_sub(1).map(|i| chars[i]);
        if before.is_some_and(|b| is_border(b, c, chars.get(at + 1).copied())) {
            flush(&mut word, into);
        }
        word.extend(c.to_lowercase());
    }
    flush(&mut word, into);
}

/// Whether a word begins at `c`: lower to upper, letter to digit or back, and before the last
/// capital of a run (`HTTPServer`).
fn is_border(before: char, c: char, after: Option<char>) -> bool {
    if !before.is_alphanumeric() {
        return false;
    }
    if c.is_uppercase() {
        return !before.is_uppercase() || after.is_some_and(char::is_lowercase);
    }
    c.is_numeric() != before.is_numeric()
}

fn flush(word: &mut String, into: &mut Vec<String>) {
    if !word.is_empty() {
        into.push(std::mem::take(word));
    }
}

#[cfg(test)]
mod tests {
    fn split(name: &str) -> String {
        let mut words = Vec::new();
        super::split(name, &mut words);
        words.join(" ")
    }

    #[test]
    fn names_fall_into_words() {
        assert_eq!(split("getUserById"), "get user by id");
        assert_eq!(split("HTTPServer2"), "http server 2");
        assert_eq!(split("parse_SCIP-index.rs"), "parse scip index rs");
        assert_eq!(split("__init__"), "init");
        assert_eq!(split(""), "");
    }
}
