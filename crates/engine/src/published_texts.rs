//! The texts of the search index, as they are published to a shared store.

use crate::EngineError;
use crate::ops::boundary::rules::FileRoleRules;
use crate::prior::Prior;
use crate::project::Project;
use crate::snippet::FileSnapshot;
use crate::update;
use crate::workspace::Workspace;
use rayon::prelude::*;
use search::index::Index;
use search::prepare::Prepared;
use search::publish::{Unpublished, published_version, to_published, totals_of};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use store::texts::{TextFile, TextSource, TextStamp, TextTotals};
use store::{SqliteStore, StoreError};

/// The most files that are checked against the project's rules, see [`FileRoleRules`].
const MOST_FILES: usize = 200_000;

/// The search index of a project, to be published with its files' texts.
pub(crate) struct LocalTexts<'w> {
    project: &'w Project,
    index: Arc<Index>,
    rules: Arc<FileRoleRules>,
    totals: TextTotals,
    stamps: BTreeMap<String, TextStamp>,
    /// The number of indexed files that had changed before; they are not published.
    left_out: usize,
    /// The number of those that changed while texts were published.
    changed: AtomicUsize,
    /// Bytes of prepared files that are in memory at once.
    piece: u64,
}

impl<'w> LocalTexts<'w> {
    /// The texts as they are indexed. None where there is no search index and it is not built automatically.
    pub(crate) fn open(
        workspace: &'w Workspace,
        store: &SqliteStore,
    ) -> Result<Option<LocalTexts<'w>>, EngineError> {
        if !workspace.config().embedding().auto_build
            && !ingest::chunks_folder(&workspace.options()).exists()
        {
            return Ok(None);
        }
        let (index, _) = update::chunks(workspace, false)?;
        let prior = Prior::load(store)?;
        let note = |note| workspace.record_repair(note);
        let cache = &workspace.shared().file_role_rules;
        let project = workspace.project();
        let mut texts = LocalTexts {
            project,
            rules: cache.rules(project, MOST_FILES, &note),
            totals: totals_of(&index, prior.most()),
            index,
            stamps: BTreeMap::new(),
            left_out: 0,
            changed: AtomicUsize::new(0),
            piece: ingest::piece_bytes(workspace.options().memory_limit),
        };
        let paths = texts.index.content_hashes();
        let stamped = paths.par_iter().map(|(path, _)| {
            let hash = texts
                .read_current(path)
                .map(|source| texts.hash(path, &source));
            (path, hash)
        });
        let stamped: Vec<(&String, Option<u64>)> = stamped.collect();
        for (path, hash) in stamped {
            match hash {
                Some(hash) => {
                    let users = prior.users_of(path);
                    texts.stamps.insert(path.clone(), TextStamp { hash, users });
                }
                None => texts.left_out += 1,
            }
        }
        workspace.check_cancelled()?;
        Ok(Some(texts))
    }

    /// The number of files that are published.
    pub(crate) fn published(&self) -> usize {
        let changed = self.changed.load(Ordering::Relaxed);
        self.stamps.len().saturating_sub(changed)
    }

    /// The number of indexed files that changed since and are not published.
    pub(crate) fn left_out(&self) -> usize {
        self.left_out + self.changed.load(Ordering::Relaxed)
    }

    /// A file, if it is unchanged since it was indexed.
    fn read_current(&self, path: &str) -> Option<FileSnapshot> {
        let source = FileSnapshot::read(self.project, path)?;
        let is_current = |stamp| ingest::are_chunks_current(&self.index, path, stamp);
        source.stamp().is_some_and(is_current).then_some(source)
    }

    /// A hash of everything published about a file. The indexed form depends only on its path, its content and the versions. The
    /// program's version counts: a later one may mask secrets that this one misses.
    fn hash(&self, path: &str, source: &FileSnapshot) -> u64 {
        let role = self.index.role(path).unwrap_or_default();
        let role = self.rules.role_of(path, role) as u8;
        base::fingerprint(&[
            source.bytes(),
            &[role],
            &published_version().to_le_bytes(),
            self.totals.model.as_bytes(),
            env!("CARGO_PKG_VERSION").as_bytes(),
        ])
    }
}

impl TextSource for LocalTexts<'_> {
    fn totals(&self) -> &TextTotals {
        &self.totals
    }

    fn stamps(&self) -> &BTreeMap<String, TextStamp> {
        &self.stamps
    }

    fn read(
        &self,
        paths: &[&str],
        visit: &mut dyn FnMut(TextFile) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let wanted: BTreeSet<&str> = paths.iter().copied().collect();
        let keep = |path: &str| wanted.contains(path).then_some(0);
        let is_whole = self
            .index
            .read_back_files(keep, self.piece, &mut |files| self.publish(files, visit))?;
        if is_whole {
            Ok(())
        } else {
            Err(unusable("the search index cannot be read back"))
        }
    }
}

/// Bytes of prepared files and of their texts that are published together. The published form takes several times as much.
const TOGETHER: u64 = 4 << 20;

impl LocalTexts<'_> {
    /// Publishes files, a few at a time. A file that changed since it was indexed is left out.
    fn publish(
        &self,
        files: Vec<Prepared>,
        visit: &mut dyn FnMut(TextFile) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let size = |file: &Prepared| {
            let about = self.project.root.join(file.path()).symlink_metadata();
            file.memory_size() + about.map_or(0, |about| about.len())
        };
        let mut files = files.into_iter().peekable();
        while files.peek().is_some() {
            let mut sum = 0;
            let some = std::iter::from_fn(|| {
                files.next_if(|file| {
                    let is_first = sum == 0;
                    sum += size(file);
                    is_first || sum <= TOGETHER
                })
            });
            let some: Vec<Prepared> = some.collect();
            let read = some
                .into_par_iter()
                .filter_map(|file| self.unpublished(file));
            let published = to_published(&self.totals, read.collect());
            let published = published.map_err(|error| unusable(&error.to_string()))?;
            published.into_iter().try_for_each(&mut *visit)?;
        }
        Ok(())
    }

    fn unpublished(&self, file: Prepared) -> Option<Unpublished> {
        let path = file.path();
        let stamp = self.stamps.get(path).copied();
        let source = self.read_current(path);
        let unchanged = stamp
            .zip(source)
            .filter(|(stamp, source)| self.hash(path, source) == stamp.hash);
        let Some((stamp, source)) = unchanged else {
            self.changed.fetch_add(1, Ordering::Relaxed);
            return None;
        };
        let role = self.index.role(path).unwrap_or_default();
        Some(Unpublished {
            role: self.rules.role_of(path, role),
            // A huge file is searched without being shown.
            text: source.masked_text().unwrap_or_default(),
            stamp,
            file,
        })
    }
}

fn unusable(reason: &str) -> StoreError {
    StoreError::Backend {
        context: "publishing texts".to_owned(),
        reason: reason.to_owned(),
    }
}
