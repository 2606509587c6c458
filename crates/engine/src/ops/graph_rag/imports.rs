//! Where the names in a fragment come from: the imports that it uses, said once for each file.

use super::answer::ContextCandidate;
use super::render;
use super::render::Shape;
use base::EdgeType;
use std::collections::BTreeSet;
use store::{GraphStore, SqliteStore, StoreError};

/// Imports looked at in one file.
const MOST_EDGES: usize = 60;
/// Imports named of one file.
const MOST_NAMED: usize = 6;

/// Names imports at the first candidate of each file, as far as so many tokens reach; gives how many it took.
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
        // What cannot be read is left out: the fragment stands without it.
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

/// The imports of a candidate's file whose names stand in it, in order of line.
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
