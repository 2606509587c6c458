//! Files that the user names, for reading (`-` is standard input) and for writing.

use engine::{Engine, EngineError};
use std::io::Read;
use std::path::Path;

/// Reads a file of at most `most` bytes as text.
pub(crate) fn read_text(path: &Path, most: u64) -> Result<String, EngineError> {
    let shown = path.display();
    let bytes = if path.as_os_str() == "-" {
        read_stdin(most)?
    } else {
        guard::read_user_file(path, most).map_err(|e| {
            EngineError::bad_arguments(format!("cannot read {shown}: {}", e.reason()))
        })?
    };
    String::from_utf8(bytes)
        .map_err(|_| EngineError::bad_arguments(format!("{shown} is not UTF-8 text")))
}

fn read_stdin(most: u64) -> Result<Vec<u8>, EngineError> {
    let mut bytes = Vec::new();
    let read = std::io::stdin()
        .lock()
        .take(most + 1)
        .read_to_end(&mut bytes);
    read.map_err(|e| EngineError::bad_arguments(format!("cannot read standard input: {e}")))?;
    if bytes.len() as u64 > most {
        Err(EngineError::bad_arguments(format!(
            "standard input is larger than the limit of {most} bytes"
        )))
    } else {
        Ok(bytes)
    }
}

/// Writes a file as a whole, or not at all; does not follow links.
pub(crate) fn write_text(engine: &Engine, path: &Path, text: &str) -> Result<(), EngineError> {
    guard::output::write_user_file(path, text.as_bytes(), engine.root()).map_err(|e| {
        EngineError::runtime_failure(format!("cannot write {}: {}", path.display(), e.reason()))
    })
}
