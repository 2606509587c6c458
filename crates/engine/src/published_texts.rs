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
use search::publish::{Unpublished, published_version, to_published, totals_of};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
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
    /// The number of indexed files that changed since; they are not published.
    pub(crate) left_out: usize,
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
        let files = self.index.read_back_files(keep);
        let files = files.ok_or_else(|| unusable("the search index cannot be read back"))?;
        let read = files.into_par_iter().map(|file| {
            let path = file.path();
            let stamp = self.stamps.get(path).copied();
            let source = self.read_current(path);
            let (Some(stamp), Some(source)) = (stamp, source) else {
                return Err(changed(path));
            };
            if self.hash(path, &source) != stamp.hash {
                return Err(changed(path));
            }
            let role = self.index.role(path).unwrap_or_default();
            Ok(Unpublished {
                role: self.rules.role_of(path, role),
                // A huge file is searched without being shown.
                text: source.masked_text().unwrap_or_default(),
                stamp,
                file,
            })
        });
        let read = read.collect::<Result<Vec<Unpublished>, StoreError>>()?;
        let published = to_published(&self.totals, read);
        let published = published.map_err(|error| unusable(&error.to_string()))?;
        published.into_iter().try_for_each(visit)
    }
}

fn changed(path: &str) -> StoreError {
    unusable(&format!(
        "{path} changed while it was published: index again"
    ))
}

fn unusable(reason: &str) -> StoreError {
    StoreError::Backend {
        context: "publishing texts".to_owned(),
        reason: reason.to_owned(),
    }
}
