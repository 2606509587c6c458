//! Seals within a JSON object. The seal comes first and covers the text after it, so that it is checked before anything
//! is decoded: a short foreign text may take many times its length in memory.

use super::{is_enabled, keyed_checksum, trusts_everything};

/// Digits of a seal.
const DIGITS: usize = 64;

/// A JSON object with a seal as its first field. `context` is its purpose, such as the folder of a project. The object
/// must have a field; `None` if the text does not begin with `{`.
pub fn seal_object((field, kind): (&str, &str), context: &[u8], object: &[u8]) -> Option<Vec<u8>> {
    let rest = object.strip_prefix(b"{")?;
    let digits = seal_of(kind, context, rest);
    let head = format!("{{\"{field}\":\"{digits}\",");
    Some([head.as_bytes(), rest].concat())
}

/// Whether this user's [`seal_object`] made the text. True for any text if seals are off, or the user vouches for
/// everything.
pub fn is_own_object((field, kind): (&str, &str), context: &[u8], text: &[u8]) -> bool {
    if !is_enabled() || trusts_everything() {
        return true;
    }
    let head = format!("{{\"{field}\":\"");
    let found = text.strip_prefix(head.as_bytes());
    let Some((found, rest)) = found.and_then(|rest| rest.split_at_checked(DIGITS)) else {
        return false;
    };
    let Some(rest) = rest.strip_prefix(b"\",") else {
        return false;
    };
    seal_of(kind, context, rest).as_bytes() == found
}

fn seal_of(kind: &str, context: &[u8], rest: &[u8]) -> String {
    let length = (context.len() as u64).to_le_bytes();
    let bytes = [&length, context, blake3::hash(rest).as_bytes()].concat();
    let sum = keyed_checksum(kind, &bytes);
    blake3::Hash::from_bytes(sum).to_hex().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: (&str, &str) = ("seal", "test");

    /// Without a key every text counts as this user's, so the test compares the seals themselves.
    #[test]
    fn a_seal_is_of_the_text_and_of_what_it_is_for() {
        let sealed = |context: &str, text: &str| {
            let sealed = seal_object(KIND, context.as_bytes(), text.as_bytes());
            String::from_utf8(sealed.unwrap()).unwrap()
        };
        let one = sealed("a", r#"{"x":1}"#);
        assert!(one.starts_with(r#"{"seal":""#) && one.ends_with(r#"","x":1}"#));
        let head = |text: &str| text[..80].to_owned();
        assert_eq!(head(&one), head(&sealed("a", r#"{"x":1}"#)));
        assert_ne!(head(&one), head(&sealed("b", r#"{"x":1}"#)));
        assert_ne!(head(&one), head(&sealed("a", r#"{"x":2}"#)));
        assert_eq!(seal_object(KIND, b"", b"[]"), None);
    }
}
