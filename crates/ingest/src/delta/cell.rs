//! Updates as callers see them: of single files if possible, else of everything.

use super::count::DeltaCounts;
use super::resident::{Resident, UpdateOutcome};
use crate::pipeline::{self, IndexOptions, IndexReport, Progress, Strategy};
use crate::{IngestError, chunks};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use store::sqlite::SqliteStore;

/// Bytes of a database log that is reported as a problem: only another program can keep it from being taken over.
const LONGEST_LOG: u64 = 128 << 20;

/// Keeps the state that linking needs between updates. Empty until it is needed.
#[derive(Default)]
pub struct ResidentCell {
    slot: Mutex<Option<Resident>>,
}

/// What an update may assume.
#[derive(Debug, Clone, Copy, Default)]
pub struct DeltaRequest<'a> {
    /// Files that may have changed: path in the project, with `/`.
    pub paths: &'a [String],
    /// Whether the watcher reports that no other file can have changed: then nothing is walked.
    pub no_other_changes: bool,
    /// The chunks to update as well.
    pub chunks: ChunkUpdateScope,
}

/// The chunks that are updated together with the graph.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ChunkUpdateScope {
    /// None: the next search updates them.
    #[default]
    Nothing,
    /// Chunks of the named files, if no other can have changed; else all.
    Named,
    /// Chunks of every file that changed, whether it is named or not.
    All,
}

/// Method of an update, with the names of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpdateMethod {
    /// Only changed files were linked, and files that mention added or removed definitions.
    Files,
    /// All files were linked; only changes were read and written.
    All,
    /// As `All`, because the facts cache of unchanged files was missing.
    Lost,
    /// Everything was rebuilt.
    Rebuilt,
}

/// Report of an update.
#[derive(Debug, Clone)]
pub struct DeltaReport {
    /// Method.
    pub way: UpdateMethod,
    /// Files read again because their content had changed, including new ones, and files removed.
    pub files_updated: u32,
    /// Files that were linked.
    pub linked: u32,
    /// Counts of changed definitions.
    pub counts: DeltaCounts,
    /// The commit that is checked out.
    pub commit: Option<String>,
    /// The report of the full update, if there was one.
    pub index: Option<IndexReport>,
    /// Failures that did not stop the update, as messages.
    pub warnings: Vec<String>,
    /// Whether maintenance is left for idle time: [`crate::run_deferred_maintenance`].
    pub is_untidy: bool,
    /// Duration.
    pub duration_ms: f64,
}

impl ResidentCell {
    fn lock(&self) -> MutexGuard<'_, Option<Resident>> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops the kept state; the next update loads it again.
    pub fn clear(&self) {
        self.lock().take();
    }

    /// As [`ResidentCell::clear`], but does nothing while an update is running.
    pub fn try_clear(&self) {
        if let Ok(mut slot) = self.slot.try_lock() {
            slot.take();
        }
    }

    /// Loads the state for the next update, if none is kept and the files have not changed since they were indexed.
    pub fn preload(&self, options: &IndexOptions) -> Result<(), IngestError> {
        let mut slot = self.lock();
        if slot.is_none()
            && let Some((resident, suspects)) = Resident::load(options)?
            && suspects.is_empty()
        {
            *slot = Some(resident);
        }
        Ok(())
    }

    /// Releases memory that can be loaded again soon, or everything if it cannot.
    pub fn release_memory(&self) {
        let mut slot = self.lock();
        if slot
            .as_mut()
            .is_some_and(|resident| !resident.release_facts())
        {
            slot.take();
        }
    }

    /// Whether no state is kept.
    pub fn is_empty(&self) -> bool {
        self.lock().is_none()
    }
}

/// Updates the index. Afterwards it equals, row for row, the result of a full build.
///
/// Errors: as [`crate::update_all`].
pub fn update_incremental(
    options: &IndexOptions,
    residence: &ResidentCell,
    ask: DeltaRequest<'_>,
    progress: &dyn Progress,
) -> Result<DeltaReport, IngestError> {
    let since = Instant::now();
    let done = if options.force {
        None
    } else {
        try_update_files(options, residence, ask, progress)?
    };
    let mut report = match done {
        Some(done) => DeltaReport {
            way: UpdateMethod::Files,
            files_updated: done.updated.len() as u32,
            linked: done.linked,
            counts: done.counts,
            commit: done.commit,
            index: None,
            warnings: done.warnings,
            is_untidy: done.needs_maintenance,
            duration_ms: 0.0,
        },
        None => update_everything(options, residence, ask, progress)?,
    };
    let log = store::sqlite::log_size(&options.db_path);
    if log > LONGEST_LOG {
        report.warnings.push(format!(
            "the database's log has {} MB: another program has been reading the database all the while, and it shrinks \
             when that one ends",
            log >> 20
        ));
    }
    report.duration_ms = since.elapsed().as_secs_f64() * 1_000.0;
    Ok(report)
}

/// Does the maintenance that updates left: takes over the database's log, and merges chunks if there are many segments.
pub fn run_deferred_maintenance(options: &IndexOptions) -> Result<(), IngestError> {
    if options.db_path.exists() {
        SqliteStore::open(&options.db_path)?.checkpoint()?;
    }
    chunks::merge_chunks(options)
}

fn try_update_files(
    options: &IndexOptions,
    residence: &ResidentCell,
    ask: DeltaRequest<'_>,
    progress: &dyn Progress,
) -> Result<Option<UpdateOutcome>, IngestError> {
    let mut slot = residence.lock();
    let mut paths = ask.paths.to_vec();
    let mut walked = true;
    let mut resident = match slot.take() {
        Some(resident) if ask.no_other_changes => {
            walked = false;
            resident
        }
        // Other files may have changed as well, so the kept state is compared with the disk.
        Some(resident) => match resident.find_changed_files(options)? {
            Some(suspects) => {
                paths.extend(suspects);
                resident
            }
            None => return Ok(None),
        },
        None => {
            progress.stage("reading what is known", 0);
            match Resident::load(options)? {
                Some((resident, suspects)) => {
                    paths.extend(suspects);
                    resident
                }
                None => return Ok(None),
            }
        }
    };
    paths.sort();
    paths.dedup();
    let chunks = match ask.chunks {
        ChunkUpdateScope::Named if walked => ChunkUpdateScope::All,
        other => other,
    };
    let done = resident.update(options, &paths, chunks)?;
    if done.is_some() {
        *slot = Some(resident);
    }
    Ok(done)
}

fn update_everything(
    options: &IndexOptions,
    residence: &ResidentCell,
    ask: DeltaRequest<'_>,
    progress: &dyn Progress,
) -> Result<DeltaReport, IngestError> {
    residence.clear();
    let mut options = options.clone();
    options.doubted = ask.paths.to_vec();
    let report = match ask.chunks {
        ChunkUpdateScope::Nothing => pipeline::update(&options, progress)?,
        ChunkUpdateScope::Named | ChunkUpdateScope::All => {
            pipeline::update_all(&options, progress)?
        }
    };
    let way = match report.strategy {
        Strategy::FullRebuild => UpdateMethod::Rebuilt,
        _ if report.reparsed > 0 => UpdateMethod::Lost,
        _ => UpdateMethod::All,
    };
    Ok(DeltaReport {
        way,
        files_updated: report.files_updated + report.files_removed,
        linked: report.files,
        counts: report.delta,
        commit: report.commit.clone(),
        warnings: report.warnings.clone(),
        index: Some(report),
        is_untidy: false,
        duration_ms: 0.0,
    })
}

/// Updates the chunks of files, and returns whether they should be merged afterwards. If it fails, the next search
/// updates them.
pub(super) fn update_chunks_after(
    options: &IndexOptions,
    paths: &[String],
    fresh: &[chunks::ReadFile],
    follow: ChunkUpdateScope,
) -> Result<bool, IngestError> {
    match follow {
        ChunkUpdateScope::Nothing => Ok(false),
        ChunkUpdateScope::Named => chunks::update_chunks_of_files(options, paths, fresh),
        ChunkUpdateScope::All => chunks::update_chunks(options, &()).map(|_| false),
    }
}
