//! Files that an impact reaches, and the tests among them.

use crate::graph::display_name;
use crate::impact::Walk;
use crate::{AnalysisError, Graph};
use rustc_hash::FxHashMap;

/// Most tests of a file that are named.
const NAMED: usize = 5;

/// A file with affected symbols.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AffectedFile {
    /// Its path.
    pub file_path: String,
    /// Whether the affected symbols there are tests.
    pub test: bool,
    /// Hops to the nearest.
    pub depth: u32,
    /// Number of affected symbols.
    pub symbols: usize,
    /// Names of affected tests, the first few.
    pub tests: Vec<String>,
}

/// Every file reached, nearest first, then by path; tests and sources of one file are separate.
pub(crate) fn affected_files(walk: &Walk<'_>) -> Result<Vec<AffectedFile>, AnalysisError> {
    let graph: &dyn Graph = walk.graph;
    let mut places: FxHashMap<(u32, bool), usize> = FxHashMap::default();
    let mut files: Vec<AffectedFile> = Vec::new();
    for reached in walk.reached.iter().filter(|r| r.via.is_some()) {
        let spot = graph.location(reached.key)?;
        let at = *places.entry((spot.file, spot.test)).or_insert_with(|| {
            files.push(AffectedFile {
                file_path: graph.file_path(spot.file).into_owned(),
                test: spot.test,
                depth: reached.depth,
                symbols: 0,
                tests: Vec::new(),
            });
            files.len() - 1
        });
        let file = &mut files[at];
        file.symbols += 1;
        if spot.test && file.tests.len() < NAMED {
            graph.visit_node(reached.key, &mut |row| {
                if row.kind != "file" {
                    file.tests.push(display_name(&row).to_owned());
                }
            })?;
        }
    }
    files.sort_by(|a, b| (a.depth, &a.file_path, a.test).cmp(&(b.depth, &b.file_path, b.test)));
    Ok(files)
}
