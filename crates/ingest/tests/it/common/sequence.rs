//! One sequence of edits, with a clean build beside every update.

use super::state;
use ingest::{
    ChunkUpdateScope, DeltaRequest, IndexOptions, ResidentCell, UpdateMethod, update_all,
    update_incremental,
};
use testkit::edits::{Edits, write_all};

/// Edits of one sequence.
pub(crate) const STEPS: usize = 6;

/// Counts of how the updates of a sequence were done.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct UpdateStats {
    /// Number of updates that did not link all files.
    pub short: usize,
    /// Number of these that linked unchanged files.
    pub beside: usize,
}

/// Makes a sequence of edits and compares the index after each. Sequences alternate how updates are made: by a new
/// process, by one that stays (and rests between them), and by one that is told which files changed. Returns how
/// updates were done, or the first difference.
pub(crate) fn sequence(seed: u64) -> Result<UpdateStats, String> {
    let folder = || tempfile::tempdir().map_err(|e| e.to_string());
    let project = folder()?;
    let root = project.path();
    let residence = ResidentCell::default();
    let mut edits = Edits::new(seed);
    write_all(root, edits.tree());
    let ours = options(root, &root.join(".devbooks"));
    update_all(&ours, &()).map_err(|e| e.to_string())?;
    let (mut said, mut all) = (Vec::new(), UpdateStats::default());
    for _ in 0..STEPS {
        let edit = edits.next_edit();
        said.push(edit.description.clone());
        edit.apply_to_disk(root);
        let paths: Vec<String> = edit.changes.iter().map(|(path, _)| path.clone()).collect();
        let ask = DeltaRequest {
            paths: &paths,
            no_other_changes: seed % 4 > 1,
            chunks: ChunkUpdateScope::Named,
        };
        if seed.is_multiple_of(4) {
            residence.clear();
        }
        let fail = |found: String| format!("seed {seed}, after {said:#?}:\n{found}");
        let done =
            update_incremental(&ours, &residence, ask, &()).map_err(|e| fail(e.to_string()))?;
        if done.way == UpdateMethod::Files {
            all.short += 1;
            all.beside += usize::from(done.linked > done.files_updated);
        }
        if seed.is_multiple_of(3) {
            residence.preload(&ours).map_err(|e| fail(e.to_string()))?;
        }
        if seed % 4 != 1 {
            residence.release_memory();
        }
        let clean = folder()?;
        let theirs = options(root, clean.path());
        update_all(&theirs, &()).map_err(|e| e.to_string())?;
        if let Some(found) = compare(&ours, &theirs) {
            return Err(fail(found));
        }
    }
    Ok(all)
}

fn options(root: &std::path::Path, state: &std::path::Path) -> IndexOptions {
    IndexOptions {
        threads: 2,
        ..IndexOptions::new(root, state)
    }
}

/// The first difference between two indexes, if there is one.
pub(crate) fn compare(ours: &IndexOptions, clean: &IndexOptions) -> Option<String> {
    let graphs = (state::graph(&ours.db_path), state::graph(&clean.db_path));
    let found = state::difference(&graphs.0, &graphs.1);
    found.or_else(|| state::difference(&state::chunks(ours), &state::chunks(clean)))
}
