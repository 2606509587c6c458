//! The freshness of the index behind an answer.

use ingest::{DeltaReport, Freshness, IndexReport, Strategy};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;

/// The most files that a note names.
const NAMED: usize = 5;

/// The state of the index behind an answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
pub struct IndexInfo {
    /// The commit that was checked out when it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// When it was last written, seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub indexed_at: Option<u64>,
    /// Whether every file was as indexed when the question was answered.
    pub fresh: bool,
    /// Whether that is known from a watch over the files instead of a walk.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub watched: bool,
    /// Files read again for this answer.
    pub reindexed_files: u32,
    /// Notes for the reader.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl IndexInfo {
    /// Notes files that changed after the index was brought up to date for this answer.
    pub(crate) fn note_changed_files(&mut self, what: &str, paths: &BTreeSet<String>) {
        if paths.is_empty() {
            return;
        }
        let some: Vec<&str> = paths.iter().take(NAMED).map(String::as_str).collect();
        let more = paths.len() - some.len();
        let more = (more > 0).then(|| format!(" and {more} more"));
        let note = format!("{what}: {}{}", some.join(", "), more.unwrap_or_default());
        self.fresh = false;
        self.notes.push(note);
    }

    /// The state after an update.
    pub(crate) fn from_report(report: DeltaReport, indexed_at: Option<u64>) -> IndexInfo {
        IndexInfo {
            commit: report.commit,
            indexed_at,
            fresh: true,
            watched: false,
            reindexed_files: report.files_updated,
            notes: report.warnings,
        }
    }

    /// The state after a pass over the whole index.
    pub(crate) fn from_full_report(report: &IndexReport, indexed_at: Option<u64>) -> IndexInfo {
        IndexInfo {
            commit: report.commit.clone(),
            indexed_at,
            fresh: true,
            watched: false,
            reindexed_files: match report.strategy {
                Strategy::UpToDate => 0,
                _ => report.files_updated + report.files_removed,
            },
            notes: report.warnings.clone(),
        }
    }

    /// The state where every file was found to be as indexed.
    pub(crate) fn from_freshness(freshness: Freshness) -> IndexInfo {
        IndexInfo {
            commit: freshness.commit,
            indexed_at: freshness.indexed_at,
            fresh: true,
            watched: false,
            reindexed_files: 0,
            notes: freshness.warnings,
        }
    }

    /// The state of an index that is not up to date, with the reason.
    pub(crate) fn stale(commit: Option<String>, indexed_at: Option<u64>, why: &str) -> IndexInfo {
        IndexInfo {
            commit,
            indexed_at,
            fresh: false,
            watched: false,
            reindexed_files: 0,
            notes: vec![why.to_owned()],
        }
    }
}
