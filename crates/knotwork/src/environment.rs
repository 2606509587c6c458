//! Settings from flags and environment variables: the only place that reads them.

use crate::progress::Bar;
use engine::{Engine, EngineError, Settings};
use std::path::PathBuf;

/// Limits of an index, from the flags of `index`.
#[derive(Debug, Clone, Default)]
pub(crate) struct Limits {
    pub max_file_size: Option<u64>,
    pub threads: Option<usize>,
    pub memory: Option<u64>,
}

/// Opens the project around `project`, or around the current folder.
pub(crate) fn engine(project: Option<&PathBuf>, limits: &Limits) -> Result<Engine, EngineError> {
    Engine::open(settings(project, limits)?, Box::new(Bar::default()))
}

/// Settings for the project around `project`, or around the current folder.
pub(crate) fn settings(
    project: Option<&PathBuf>,
    limits: &Limits,
) -> Result<Settings, EngineError> {
    let start = match project {
        Some(folder) => folder.clone(),
        None => std::env::current_dir()
            .map_err(|e| EngineError::bad(format!("the current folder is gone: {e}")))?,
    };
    if let Some(backend) = variable("GRAPH_BACKEND").filter(|b| b != "sqlite") {
        let message = format!("GRAPH_BACKEND={} is not in this build", backend.display());
        return Err(EngineError::missing(message).hint("unset it, or set it to sqlite"));
    }
    let defaults = Settings::at(start);
    Ok(Settings {
        state_dir: variable("DEVBOOKS_DIR"),
        db_path: variable("GRAPH_DB_PATH"),
        scip_path: variable("SCIP_INDEX_PATH"),
        max_file_size: limits.max_file_size,
        threads: limits.threads.unwrap_or(defaults.threads),
        memory_limit: limits.memory,
        ..defaults
    })
}

fn variable(name: &str) -> Option<PathBuf> {
    std::env::var_os(name)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}

/// Bytes, with `k`, `m`, `g` or `KiB`, `MiB`, `GiB` after the number.
pub(crate) fn bytes(text: &str) -> Result<u64, String> {
    let lower = text.trim().to_lowercase();
    let digits = lower.trim_end_matches(|c: char| c.is_alphabetic());
    let unit: u64 = match lower[digits.len()..]
        .trim_end_matches('b')
        .trim_end_matches('i')
    {
        "" => 1,
        "k" => 1 << 10,
        "m" => 1 << 20,
        "g" => 1 << 30,
        other => return Err(format!("unknown unit {other}; use KiB, MiB or GiB")),
    };
    let number: u64 = digits
        .trim()
        .parse()
        .map_err(|_| format!("{text} is no number of bytes, e.g. 1MiB"))?;
    number
        .checked_mul(unit)
        .ok_or_else(|| format!("{text} is too large"))
}

#[cfg(test)]
mod tests {
    use super::bytes;

    #[test]
    fn sizes_are_read_with_their_units() {
        assert_eq!(bytes("4096"), Ok(4096));
        assert_eq!(bytes("2k"), Ok(2048));
        assert_eq!(bytes("1MiB"), Ok(1 << 20));
        assert_eq!(bytes("3gb"), Ok(3 << 30));
        assert!(bytes("1x").is_err());
        assert!(bytes("").is_err());
        assert!(bytes("99999999999g").is_err());
    }
}
