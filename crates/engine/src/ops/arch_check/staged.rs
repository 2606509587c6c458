//! What concerns the files of the next commit.

use super::ArchCheckAnswer;
use crate::{Engine, EngineError};
use analysis::FileUses;
use ingest::diff::{Against, diff};
use ingest::history::HistoryError;
use std::collections::BTreeSet;

/// Keeps findings about staged files; with their dependencies about files, too, that they need or that need them.
pub(super) fn keep(
    answer: &mut ArchCheckAnswer,
    engine: &Engine,
    uses: &FileUses,
    with_deps: bool,
) -> Result<(), EngineError> {
    let found = diff(engine.root(), &Against::Staged).map_err(|error| match error {
        HistoryError::NoRepository(_) | HistoryError::Empty(_) => {
            EngineError::bad(format!("{error}: nothing is staged"))
        }
        other => EngineError::failure(other.to_string()),
    })?;
    let staged: BTreeSet<String> = found.files.into_iter().map(|f| f.path).collect();
    let mut files = staged.clone();
    if with_deps {
        for one in &uses.uses {
            let (from, to) = (&uses.paths[one.from as usize], &uses.paths[one.to as usize]);
            if staged.contains(from) {
                files.insert(to.clone());
            }
            if staged.contains(to) {
                files.insert(from.clone());
            }
        }
    }
    // Members of a cycle are files, or folders that hold some.
    let holds = |member: &String| {
        files.contains(member)
            || files.iter().any(|f| {
                f.rsplit_once('/')
                    .is_some_and(|(folder, _)| folder == member)
            })
    };
    answer
        .cycles
        .retain(|cycle| cycle.members.iter().any(holds));
    answer.violations.retain(|v| files.contains(&v.file));
    answer.orphans.retain(|o| files.contains(&o.file_path));
    answer.summary.orphan_count = answer.orphans.iter().filter(|o| o.doubt.is_none()).count();
    let known = |path: &&String| uses.paths.binary_search(path).is_ok();
    answer.files_checked = files.iter().filter(known).count();
    Ok(())
}
