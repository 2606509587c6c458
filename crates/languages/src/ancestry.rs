//! Supertypes that are resolved from written names before types are known, for languages with classes in name spaces.

use linker::repo::{FileId, GlobalDef};
use linker::surface::IndexRemap;
use linker::ty::External;
use rustc_hash::FxHashMap;

/// Longest list of ancestors.
pub(crate) const MAX_ANCESTORS: usize = 200;

/// A direct supertype.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Supertype {
    /// In the repository.
    Inside(GlobalDef),
    /// Outside it.
    Outside(External),
    /// Not found.
    Unknown,
}

impl Supertype {
    fn inside_mut(&mut self) -> Option<&mut GlobalDef> {
        match self {
            Supertype::Inside(def) => Some(def),
            _ => None,
        }
    }
}

/// The supertypes of every type.
#[derive(Debug, Default)]
pub(crate) struct Ancestry {
    direct: FxHashMap<GlobalDef, Vec<Supertype>>,
    /// Ancestors in the repository, nearest first, without the type itself.
    above: FxHashMap<GlobalDef, Vec<GlobalDef>>,
}

impl Ancestry {
    /// Sets the supertypes of a type as written. Its ancestors follow by [`Ancestry::find_ancestors`].
    pub(crate) fn set_direct(&mut self, class: GlobalDef, supers: Vec<Supertype>) {
        self.direct.insert(class, supers);
    }

    /// Finds the ancestors of a type, depth first. `arrange` puts the supertypes of one type into their order.
    pub(crate) fn find_ancestors(
        &mut self,
        class: GlobalDef,
        arrange: impl Fn(&mut Vec<GlobalDef>),
    ) {
        let mut order: Vec<GlobalDef> = Vec::new();
        let mut stack = vec![class];
        while let Some(next) = stack.pop() {
            if order.len() >= MAX_ANCESTORS {
                break;
            }
            if next != class {
                if order.contains(&next) {
                    continue;
                }
                order.push(next);
            }
            let direct = self.direct_supertypes(next).iter().take(MAX_ANCESTORS);
            let inside = direct.filter_map(|s| match s {
                Supertype::Inside(def) if *def != class => Some(*def),
                _ => None,
            });
            let mut inside: Vec<GlobalDef> = inside.collect();
            arrange(&mut inside);
            stack.extend(inside.into_iter().rev());
        }
        self.above.insert(class, order);
    }

    /// Updates definitions of a file whose indexes moved.
    pub(crate) fn follow(&mut self, file: FileId, moved: &IndexRemap) {
        moved.remap_keys(file, &mut self.direct);
        moved.remap_keys(file, &mut self.above);
        let direct = self.direct.values_mut().flatten();
        moved.remap_all(file, direct.filter_map(Supertype::inside_mut));
        moved.remap_all(file, self.above.values_mut().flatten());
    }

    /// Drops types that were removed.
    pub(crate) fn drop_removed(&mut self) {
        self.direct.retain(|class, _| IndexRemap::is_live(class));
        self.above.retain(|class, _| IndexRemap::is_live(class));
    }

    /// Direct supertypes as written.
    pub(crate) fn direct_supertypes(&self, class: GlobalDef) -> &[Supertype] {
        self.direct.get(&class).map_or(&[], |s| s)
    }

    /// Ancestors in the repository.
    pub(crate) fn ancestors(&self, class: GlobalDef) -> &[GlobalDef] {
        self.above.get(&class).map_or(&[], |s| s)
    }

    /// The type, then its ancestors.
    pub(crate) fn self_and_ancestors(
        &self,
        class: GlobalDef,
    ) -> impl Iterator<Item = GlobalDef> + '_ {
        std::iter::once(class).chain(self.ancestors(class).iter().copied())
    }

    /// Whether a type is `from` or inherits from it.
    pub(crate) fn is_subclass_of(&self, class: GlobalDef, from: GlobalDef) -> bool {
        class == from || self.ancestors(class).contains(&from)
    }

    /// External supertypes of a type or its ancestors, with `None` for each one that was not found.
    pub(crate) fn external_supertypes(
        &self,
        class: GlobalDef,
    ) -> impl Iterator<Item = Option<&External>> + '_ {
        self.self_and_ancestors(class)
            .flat_map(|c| self.direct_supertypes(c))
            .filter_map(|s| match s {
                Supertype::Inside(_) => None,
                Supertype::Outside(external) => Some(Some(external)),
                Supertype::Unknown => Some(None),
            })
    }
}
