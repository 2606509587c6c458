//! `scip parse`: what a compiler-grade index says, into the graph.

use super::precise;
use crate::{Engine, EngineError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Import a SCIP index.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct ScipRequest {
    /// Only where the index is newer than the database
    #[cfg_attr(feature = "cli", arg(long))]
    #[serde(default)]
    pub incremental: bool,
    /// Clear what is there and read everything anew
    #[cfg_attr(feature = "cli", arg(long, conflicts_with = "incremental"))]
    #[serde(default)]
    pub force: bool,
}

/// What an import did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScipAnswer {
    /// Documents in the index.
    pub documents: u64,
    /// Symbols it defines.
    pub symbols: u64,
    /// Occurrences it holds.
    pub occurrences: u64,
    /// Edges in the graph by type.
    pub edges: BTreeMap<String, u64>,
    /// `high` from an index, `low` from syntax trees alone.
    pub confidence: String,
    /// `scip`, or `syntax` where the index could not be read.
    pub source: String,
    /// What was said on the way.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub messages: Vec<String>,
}

/// The error for an index that is not there.
pub(crate) fn not_found(engine: &Engine, path: &str) -> EngineError {
    let languages = present_languages(engine.root());
    let commands: Vec<String> = precise::for_languages(engine.root(), &languages)
        .iter()
        .map(|indexer| match indexer.program {
            "scip-typescript" => {
                "npx @sourcegraph/scip-typescript index (npx scip-typescript)".to_owned()
            }
            program => format!("{program} (install: {})", indexer.install),
        })
        .collect();
    let hint = if commands.is_empty() {
        "write one with `npx scip-typescript index`, scip-python, rust-analyzer scip, scip-go or scip-java".to_owned()
    } else {
        format!(
            "write one with {}, or run `knotwork index --precise`",
            commands.join(" or ")
        )
    };
    EngineError::bad(format!("SCIP index not found: {path}")).hint(hint)
}

pub(crate) fn run(engine: &Engine, request: &ScipRequest) -> Result<ScipAnswer, EngineError> {
    let Some(path) = engine.scip_path().filter(|path| path.is_file()) else {
        return Err(not_found(engine, "index.scip"));
    };
    let _ = request;
    Err(EngineError::missing(format!(
        "SCIP import is not in this build: {}",
        path.display()
    )))
}

/// Languages by the endings of the files that a short look finds.
fn present_languages(root: &std::path::Path) -> BTreeMap<String, u32> {
    const LOOKED_AT: usize = 4000;
    let mut found = BTreeMap::new();
    let mut folders = std::collections::VecDeque::from([root.to_path_buf()]);
    let mut left = LOOKED_AT;
    while let Some(folder) = folders.pop_front() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.flatten() {
            left = left.saturating_sub(1);
            let name = entry.file_name().to_string_lossy().into_owned();
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            let passed_over = name.starts_with('.')
                || matches!(name.as_str(), "node_modules" | "target" | "vendor");
            if kind.is_dir() && !passed_over {
                folders.push_back(entry.path());
            } else if let Some(language) = base::Language::of_path(&name) {
                *found.entry(language.as_str().to_owned()).or_default() += 1;
            }
        }
        if left == 0 {
            break;
        }
    }
    found
}
