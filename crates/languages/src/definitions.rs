//! Definitions by name, for languages whose files see names of other files.

use linker::lang::DefinitionChanges;
use linker::repo::{FileId, GlobalDef, Sym};
use linker::surface::IndexRemap;
use rustc_hash::FxHashMap;

/// The definitions of each name, in order. They follow changes of files.
#[derive(Debug, Default)]
pub(crate) struct DefinitionsByName {
    all: FxHashMap<Sym, Vec<GlobalDef>>,
}

impl DefinitionsByName {
    pub(crate) fn add(&mut self, name: Sym, id: GlobalDef) {
        self.all.entry(name).or_default().push(id);
    }

    /// The definitions of a name.
    pub(crate) fn get(&self, name: Sym) -> &[GlobalDef] {
        self.all.get(&name).map_or(&[], |found| found)
    }

    /// Follows definitions of a file to their new indexes.
    pub(crate) fn follow(&mut self, file: FileId, moved: &IndexRemap) {
        moved.remap_all(file, self.all.values_mut().flatten());
    }

    /// Adds and removes definitions. `name_of` is the name of one that other files may mean.
    pub(crate) fn renew(
        &mut self,
        news: &DefinitionChanges<'_>,
        name_of: impl Fn(GlobalDef) -> Option<Sym>,
    ) {
        for found in self.all.values_mut() {
            found.retain(IndexRemap::is_live);
        }
        for id in news.fresh {
            if let Some(name) = name_of(*id) {
                self.add(name, *id);
            }
        }
        for name in news.names {
            if let Some(found) = self.all.get_mut(name) {
                found.sort_unstable();
                found.dedup();
            }
        }
    }
}
