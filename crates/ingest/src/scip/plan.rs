//! Whether an index needs reading, and with what commands one is made.

use base::Language;
use std::time::SystemTime;

/// Said when a newer index is read into an existing database.
pub const INCREMENTAL: &str = "Incremental update: index newer than database";
/// Said when the index is not newer than the database.
pub const UP_TO_DATE: &str = "Database up-to-date, skipping parse";
/// Said when everything is read anew.
pub const FORCED: &str = "Force rebuild: cleared existing data";
/// Said when the index is damaged and the graph comes from syntax trees.
pub const FELL_BACK: &str = "SCIP parsing failed, falling back to regex matching";

/// What to do with an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// Read it.
    Parse,
    /// Read it and say [`INCREMENTAL`].
    Update,
    /// Leave it and say [`UP_TO_DATE`].
    Skip,
    /// Drop what is there, read it and say [`FORCED`].
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

/// Commands that write an index for the given languages, each once.
pub fn index_commands(languages: &[Language]) -> Vec<&'static str> {
    by_language(languages, |language| match language {
        Language::TypeScript | Language::Tsx => "npx scip-typescript index",
        Language::JavaScript => "npx scip-typescript index --infer-tsconfig",
        Language::Python => "scip-python index .",
        Language::Go => "scip-go",
        Language::Rust => "rust-analyzer scip .",
        Language::Java => "scip-java index",
    })
}

/// Commands that install those indexers, each once.
pub fn install_commands(languages: &[Language]) -> Vec<&'static str> {
    by_language(languages, |language| match language.family() {
        Language::Python => "npm install -g @sourcegraph/scip-python",
        Language::Go => "go install github.com/sourcegraph/scip-go/cmd/scip-go@latest",
        Language::Rust => "rustup component add rust-analyzer",
        Language::Java => "cs install scip-java",
        _ => "npm install -g @sourcegraph/scip-typescript",
    })
}

fn by_language(languages: &[Language], command: fn(Language) -> &'static str) -> Vec<&'static str> {
    let mut commands: Vec<&'static str> = Vec::new();
    for language in languages {
        let one = command(*language);
        if !commands.contains(&one) {
            commands.push(one);
        }
    }
    commands
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

    #[test]
    fn commands_are_named_once_for_each_indexer() {
        let commands = index_commands(&[Language::TypeScript, Language::Tsx, Language::Python]);
        assert_eq!(commands, ["npx scip-typescript index", "scip-python index ."]);
    }
}
