//! Compares the index with the disk, without writing anything.

use crate::pipeline::{
    Budget, LEFT_OUT, LeftOut, MANIFEST_LIMITS, NO_SOURCES, PASSED_OVER, PassedOver,
    manifest_limits_notice, parse_skipped_files, read_manifests, version_stamp,
};
use crate::walk::{FoundFile, FoundText, Walked};
use crate::{IndexOptions, IngestError, chunks, git, walk};
use serde::Serialize;
use store::{GraphStore, SqliteStore, StoreError};

/// Freshness: the index compared with the disk.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Freshness {
    /// Whether there is an index.
    pub exists: bool,
    /// When it was last written, seconds since 1970.
    pub indexed_at: Option<u64>,
    /// The commit that is checked out, if the index is up to date; else the commit of the index.
    pub commit: Option<String>,
    /// Files that are new or changed since then.
    pub changed: Vec<String>,
    /// Files that were removed since.
    pub removed: Vec<String>,
    /// Whether it was built by this version, with these options, manifests and SCIP index.
    pub same_inputs: bool,
    /// Files that could not be checked, as messages.
    pub warnings: Vec<String>,
    /// Texts for [`crate::update_chunks_for`].
    #[serde(skip)]
    pub texts: Vec<FoundText>,
    /// Files for [`crate::watch::Watch::add_linked`].
    #[serde(skip)]
    pub linked: Vec<FoundText>,
}

impl Freshness {
    /// Whether an update would find nothing to do.
    pub fn is_fresh(&self) -> bool {
        self.exists && self.same_inputs && self.changed.is_empty() && self.removed.is_empty()
    }
}

/// Compares the disk with the index by size and time of change. Writes nothing.
pub fn check_freshness(options: &IndexOptions) -> Result<Freshness, IngestError> {
    match SqliteStore::open_read_only(&options.db_path) {
        Ok(store) => check_store_freshness(&store, options),
        Err(StoreError::Missing(_) | StoreError::Schema { .. }) => Ok(Freshness::default()),
        Err(error @ StoreError::Unvouched(_)) => Ok(Freshness {
            warnings: vec![format!("{error}; the next question builds it anew")],
            ..Freshness::default()
        }),
        Err(error) => Err(error.into()),
    }
}

/// As [`check_freshness`], with an open store.
pub fn check_store_freshness(
    store: &SqliteStore,
    options: &IndexOptions,
) -> Result<Freshness, IngestError> {
    let indexed_at = store.metadata("indexed_at")?.and_then(|t| t.parse().ok());
    if indexed_at.is_none() {
        return Ok(Freshness::default());
    }
    let keep = &chunks::is_chunked;
    let (mut walked, mut texts) = walk::walk_with_texts(&options.root, options.limits(), keep)?;
    let texts_gone =
        Budget::new(options.memory_limit).drop_what_cannot_fit(&mut walked, &mut texts);
    let mut known = Vec::new();
    store.for_each_file_stamp(&mut |path, size, stat| {
        known.push(IndexedFile {
            path: path.to_owned(),
            size,
            stat,
        });
    })?;
    let (changed, removed) = changed_and_removed(
        &walked,
        &known,
        &parse_skipped_files(store.metadata(PASSED_OVER)?),
    );
    let mut warnings = walked.problems.clone();
    if walked.files.is_empty() && walked.left_out.is_empty() && walked.unnamed.is_empty() {
        warnings.push(NO_SOURCES.to_owned());
    }
    let manifests = read_manifests(&options.root, &walked, &mut warnings);
    let wanted = version_stamp(options, &manifests);
    let left_out = LeftOut::from_metadata(store.metadata(LEFT_OUT)?);
    let ceiling = options.memory_limit;
    let same_ceiling = LeftOut::is_unchanged_for(left_out.as_ref(), ceiling, &walked, texts_gone);
    warnings.extend(left_out.map(|left_out| left_out.notice()));
    warnings.extend(manifest_limits_notice(store.metadata(MANIFEST_LIMITS)?));
    let mut freshness = Freshness {
        exists: true,
        indexed_at,
        commit: store.metadata("commit")?,
        changed,
        removed,
        same_inputs: same_ceiling
            && store.metadata("version_stamp")?.as_deref() == Some(wanted.as_str()),
        warnings,
        texts,
        linked: std::mem::take(&mut walked.linked),
    };
    if freshness.is_fresh() {
        freshness.commit = git::head_commit(&options.root);
    }
    Ok(freshness)
}

/// A file of the index.
struct IndexedFile {
    path: String,
    size: u64,
    stat: i64,
}

/// Paths that are new or changed, and paths that were removed.
fn changed_and_removed(
    walked: &Walked,
    known: &[IndexedFile],
    passed: &PassedOver,
) -> (Vec<String>, Vec<String>) {
    let same = |file: &FoundFile| {
        let at = known.binary_search_by(|k| k.path.as_str().cmp(&file.path));
        let indexed = at.ok().map(|at| (known[at].size, known[at].stat));
        let seen = indexed.or_else(|| passed.get(&file.path).copied());
        seen == Some((file.size, file.stat))
    };
    let changed = walked.files.iter().filter(|f| !same(f));
    let there = |path: &str| {
        let found = walked.files.binary_search_by(|f| f.path.as_str().cmp(path));
        found.is_ok()
    };
    let gone = known.iter().filter(|k| !there(&k.path));
    (
        changed.map(|f| f.path.clone()).collect(),
        gone.map(|k| k.path.clone()).collect(),
    )
}
