//! YAML as lock files use it.

use super::ParseError;
use text::yaml::{ErrorKind, Options, Value};

/// Limits that are deeper and longer than any lock file.
const LOCK_FILE: Options = Options {
    events: 2_000_000,
    depth: 25,
    odd_key: Some(""),
    refuse_aliases: false,
};

/// The first document's value; an empty text if there is none.
pub(super) fn parse(text: &str) -> Result<Value, ParseError> {
    let read = text::yaml::read(text, LOCK_FILE).map_err(|error| {
        let reason = match error.kind {
            ErrorKind::Syntax(reason) => format!("no YAML: {reason}"),
            ErrorKind::Limits => "nests too deeply, or has too many values".to_owned(),
            ErrorKind::Key => "a key is no text".to_owned(),
            ErrorKind::Alias => "refers to another place".to_owned(),
        };
        ParseError::at_line(error.line, reason)
    })?;
    Ok(read.map_or(Value::Text(String::new()), |(_, value)| value))
}
