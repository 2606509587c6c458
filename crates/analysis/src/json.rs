//! Foreign JSON and TOML: their memory is estimated before they are read. An object of one field takes a hundred times the bytes of its text.

use serde_json::Value;

/// Bytes of memory that a text may take once it is decoded.
const MOST_DECODED: usize = 448 << 20;

/// Whether a text takes a reasonable amount of memory once it is decoded as TOML.
pub(crate) fn is_bounded_toml(text: &str) -> bool {
    base::toml::decoded_size(text) <= MOST_DECODED
}

/// The reason why a text is not decoded.
pub(crate) const TOO_MANY: &str = "too many objects and values";

/// Whether a text takes a reasonable amount of memory once it is decoded as JSON.
pub(crate) fn is_bounded(text: &[u8]) -> bool {
    base::json::decoded_size(text) <= MOST_DECODED
}

/// The reason why a text is not read as JSON.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JsonError {
    /// It would take too much memory.
    #[error("{TOO_MANY}")]
    TooMany,
    /// It is no JSON.
    #[error(transparent)]
    Syntax(#[from] serde_json::Error),
}

/// Reads a text as JSON.
pub fn bounded_json(text: &[u8]) -> Result<Value, JsonError> {
    if !is_bounded(text) {
        return Err(JsonError::TooMany);
    }
    Ok(serde_json::from_slice(text)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_texts_do_not_become_large() {
        let objects = format!("[{}0]", "{\"\":0},".repeat(700_000));
        let lists = format!("[{}0]", "[],".repeat(5_000_000));
        let quoted = format!("[{{\"a\\\"\": {:?}}}]", "{,[:\"\\".repeat(1_000_000));
        assert!(matches!(
            bounded_json(objects.as_bytes()),
            Err(JsonError::TooMany)
        ));
        assert!(matches!(
            bounded_json(lists.as_bytes()),
            Err(JsonError::TooMany)
        ));
        assert!(bounded_json(quoted.as_bytes()).is_ok());
        assert!(bounded_json(b"{").is_err());
    }
}
