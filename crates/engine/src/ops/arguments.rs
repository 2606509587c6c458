//! Checks of arguments that several operations share.

use crate::EngineError;

/// A number within bounds, or the message that names them.
pub(crate) fn in_range(what: &str, value: i64, from: u32, to: u32) -> Result<u32, EngineError> {
    match u32::try_from(value) {
        Ok(value) if (from..=to).contains(&value) => Ok(value),
        _ => Err(EngineError::bad_arguments(format!(
            "invalid {what}: {value}. Must be between {from} and {to}"
        ))),
    }
}

/// Whether virtual edges were asked for or switched off; `None` for neither.
pub(super) fn asked_virtual_edges(asked: Option<bool>, is_off: bool) -> Option<bool> {
    if is_off { Some(false) } else { asked }
}

/// Whether `path` is `folder` itself or inside it.
pub(super) fn is_in(folder: &str, path: &str) -> bool {
    let rest = path.strip_prefix(folder);
    folder.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
