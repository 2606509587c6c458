//! Imports that fragments use, listed once for each file.

use super::answer::ContextCandidate;
use super::render;
use super::render::Shape;
use base::EdgeType;
use std::collections::BTreeSet;
use store::{GraphStore, SqliteStore, StoreError};

/// The most imports looked at in one file.
const MOST_EDGES: usize = 60;
/// The most imports named for one file.
const MOST_NAMED: usize = 6;

/// Adds imports to the first candidate of each file, within a limit of tokens. Returns the tokens used.
pub(super) fn add_imports(
    candidates: &mut [ContextCandidate],
    store: &SqliteStore,
    shape: Shape,
    tokens: usize,
) -> usize {
    let mut left = tokens;
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for candidate in candidates.iter_mut().filter(|c| !c.skeleton) {
        if !seen.insert(candidate.file_path.clone()) {
            continue;
        }
        // Imports that cannot be read are left out.
        let imports = used_imports(store, candidate).unwrap_or_default();
        if imports.is_empty() {
            continue;
        }
        let before = candidate.tokens;
        candidate.imports = imports;
        let after = render::candidate_tokens(candidate, shape).max(before);
        if after - before <= left {
            left -= after - before;
            candidate.tokens = after;
        } else {
            candidate.imports.clear();
        }
    }
    tokens - left
}

/// The imports of a candidate's file whose names occur in the candidate, in order of line.
fn used_imports(
    store: &SqliteStore,
    candidate: &ContextCandidate,
) -> Result<Vec<String>, StoreError> {
    let path = &candidate.file_path;
    let nodes = store.find_file(path)?;
    let Some(file) = nodes.iter().find(|node| node.kind == "file") else {
        return Ok(Vec::new());
    };
    let words: BTreeSet<&str> = candidate
        .snippet
        .split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$')
        .collect();
    let mut named: Vec<String> = Vec::new();
    let edges = store.edges_from(&file.id, Some(EdgeType::Imports))?;
    for edge in edges.iter().take(MOST_EDGES) {
        let Some(target) = store.node(&edge.target_id)? else {
            continue;
        };
        if target.kind == "file" || target.file_path == *path {
            continue;
        }
        let text = format!("{} from {}", target.symbol, target.file_path);
        if words.contains(target.symbol.as_str()) && !named.contains(&text) {
            named.push(text);
        }
    }
    named.truncate(MOST_NAMED);
    Ok(named)
}
