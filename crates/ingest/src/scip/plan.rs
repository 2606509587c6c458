//! Decides whether an index needs reading, and the message about it.

use std::time::SystemTime;

/// Message when a newer index is read into an existing database.
pub const INCREMENTAL: &str = "Incremental update: index newer than database";
/// Message when the index is not newer than the database.
pub const UP_TO_DATE: &str = "Database up-to-date, skipping parse";
/// Message when everything is read again.
pub const FORCED: &str = "Force rebuild: cleared existing data";
/// Message when the index is damaged and the graph comes from syntax trees.
pub const FELL_BACK: &str = "SCIP parsing failed, falling back to regex matching";

/// Decision about an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// Read it.
    Parse,
    /// Read it and say [`INCREMENTAL`].
    Update,
    /// Leave it and say [`UP_TO_DATE`].
    Skip,
    /// Drop the existing data, read it and say [`FORCED`].
    Rebuild,
}

/// Decides by the times at which index and database were written.
pub fn plan(
    index: SystemTime,
    database: Option<SystemTime>,
    incremental: bool,
    force: bool,
) -> Plan {
    match database {
        _ if force => Plan::Rebuild,
        Some(database) if incremental && index <= database => Plan::Skip,
        Some(_) if incremental => Plan::Update,
        _ => Plan::Parse,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn times_and_flags_decide() {
        let old = SystemTime::UNIX_EPOCH;
        let new = old + Duration::from_secs(9);
        assert_eq!(plan(new, Some(old), true, false), Plan::Update);
        assert_eq!(plan(old, Some(new), true, false), Plan::Skip);
        assert_eq!(plan(old, None, true, false), Plan::Parse);
        assert_eq!(plan(old, Some(new), false, false), Plan::Parse);
        assert_eq!(plan(old, Some(new), true, true), Plan::Rebuild);
    }
}
