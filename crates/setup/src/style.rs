//! Notation that the formats share.

/// The line end of a text.
pub(crate) fn newline_of(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// A text in double quotes, as JSON, TOML and YAML read it.
pub(crate) fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
