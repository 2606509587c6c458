//! Which files have to be linked again after definitions came to some files or went from them.

use super::exposed::{Exposed, on_path};
use super::surface::Surface;
use crate::emit::FileNodes;
use crate::link::repo::Sym;
use crate::link::{FileId, GDef, Repo};
use base::Language;
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use store::sqlite::SqliteStore;
use store::{GraphStore, StoreError};

/// What came and went, over all files that changed.
#[derive(Debug, Default)]
pub(crate) struct News {
    /// Definitions that came.
    pub(crate) fresh: Vec<GDef>,
    /// Their names, and those of the ones that went.
    pub(crate) names: Vec<Sym>,
    /// Every file that has or had one of the names, in order.
    pub(crate) files: Vec<FileId>,
}

/// A file that changed.
pub(crate) struct Novelty<'a> {
    /// Which it is.
    pub(crate) file: FileId,
    /// What came and went; none where others see no change at all.
    pub(crate) exposed: Option<&'a Exposed>,
}

/// Gathers what came and went; the new facts stand in `repo`. None where other files may see it by other ways than
/// their own names.
pub(crate) fn gather(repo: &Repo, changed: &[Novelty<'_>]) -> Option<News> {
    let (mut names, mut shared) = (FxHashSet::default(), FxHashSet::default());
    let mut news = News::default();
    let mut families: Vec<Language> = Vec::new();
    for one in changed {
        let Some(exposed) = one.exposed else { continue };
        names.extend(exposed.names.iter().cloned());
        shared.extend(exposed.shared.iter().cloned());
        families.push(repo.language(one.file).family());
        let file = one.file;
        news.fresh
            .extend(exposed.fresh.iter().map(|def| GDef { file, def: *def }));
    }
    if families.is_empty() {
        return Some(news);
    }
    news.fresh.sort_unstable();
    news.names = names.iter().filter_map(|name| repo.sym(name)).collect();
    news.names.sort_unstable();
    let mut wanted = news.names.clone();
    if families
        .iter()
        .any(|f| matches!(f, Language::Rust | Language::Java))
    {
        let found = repo.paths().filter(|(_, path)| on_path(path, &names));
        wanted.extend(found.map(|(sym, _)| sym));
    }
    news.files = repo.files_with(&wanted);
    // A name that went may stand nowhere in its file now.
    let own = changed.iter().filter(|one| one.exposed.is_some());
    news.files.extend(own.map(|one| one.file));
    news.files.sort_unstable();
    news.files.dedup();
    let of_family = |file: &FileId| families.contains(&repo.language(*file).family());
    news.files.retain(of_family);
    if news.files.len() > most(repo) {
        return None;
    }
    let unseen = |file: &FileId| {
        let facts = repo.facts(*file);
        let seen = |surface: &Surface| surface.speaks(facts, &names) || surface.has(facts, &shared);
        let own = changed.iter().find(|one| one.file == *file);
        match own.and_then(|one| one.exposed) {
            // What came and went itself may well speak of itself.
            Some(exposed) => !seen(exposed.rest()),
            None => !seen(&Surface::of(facts)),
        }
    };
    news.files.par_iter().all(unseen).then_some(news)
}

/// So many files are linked again one by one.
fn most(repo: &Repo) -> usize {
    (repo.len() / 4).max(16)
}

/// Whether only `files` have edges to nodes that were there before and are there no more.
pub(crate) fn are_left(
    store: &SqliteStore,
    before: &FileNodes,
    after: &FileNodes,
    files: &BTreeSet<&str>,
) -> Result<bool, StoreError> {
    let nodes = |nodes: &FileNodes| -> BTreeSet<String> {
        let own = nodes.of_def.iter().zip(&nodes.own).filter(|(_, own)| **own);
        own.filter_map(|(id, _)| id.map(|id| id.to_string()))
            .collect()
    };
    for id in nodes(before).difference(&nodes(after)) {
        for edge in store.edges_to(id, None)? {
            if !edge
                .file_path
                .is_some_and(|path| files.contains(path.as_str()))
            {
                return Ok(false);
            }
        }
    }
    Ok(true)
}
