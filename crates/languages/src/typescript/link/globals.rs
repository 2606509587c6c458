//! Declarations in `declare global`: names visible in every file, which several files may declare.

use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::DefinitionChanges;
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::surface::IndexRemap;
use linker::ty::*;
use rustc_hash::FxHashMap;

/// Declarations for all files.
#[derive(Default)]
pub(super) struct Globals {
    by_name: FxHashMap<Sym, Vec<GlobalDef>>,
    /// For each further declaration of a type: the first one of its name, which represents all.
    first: FxHashMap<GlobalDef, GlobalDef>,
}

impl Globals {
    pub(super) fn new(repo: &Repo) -> Globals {
        let mut all = Globals::default();
        for (file, source) in repo.files() {
            if source.facts.language.family() != base::Language::TypeScript {
                continue;
            }
            for (def, at) in source.facts.defs.iter().zip(0..) {
                if is_global(def) {
                    let name = repo.sym_of_name(file, def.name);
                    let def = DefId(at);
                    let named = all.by_name.entry(name).or_default();
                    named.push(GlobalDef { file, def });
                }
            }
        }
        all.find_first(repo);
        all
    }

    fn find_first(&mut self, repo: &Repo) {
        self.first.clear();
        for named in self.by_name.values() {
            // A removed definition stays in the table until its name is updated.
            let present = named.iter().filter(|d| {
                let defs = &repo.facts(d.file).defs;
                defs.get(d.def.index()).is_some()
            });
            let mut types = present.filter(|d| is_type(repo, **d));
            if let Some(first) = types.next() {
                self.first.extend(types.map(|d| (*d, *first)));
            }
        }
    }

    /// Updates a file whose definitions may have moved.
    pub(super) fn follow(&mut self, repo: &Repo, file: FileId, moved: &IndexRemap) {
        if !moved.is_identity() {
            moved.remap_all(file, self.by_name.values_mut().flatten());
            self.find_first(repo);
        }
    }

    /// Reads declarations anew for names of added and removed definitions.
    pub(super) fn renew(&mut self, repo: &Repo, news: &DefinitionChanges<'_>) {
        for name in news.names {
            self.by_name.remove(name);
        }
        for (name, def) in news.named(repo) {
            if is_global(repo.def(def)) {
                self.by_name.entry(name).or_default().push(def);
            }
        }
        for name in news.names {
            if let Some(named) = self.by_name.get_mut(name) {
                named.sort_unstable();
            }
        }
        self.find_first(repo);
    }

    /// The meaning of a name that no file binds.
    pub(super) fn resolve(&self, ev: &mut Eval<'_>, name: &str, namespace: Namespace) -> Entity {
        let repo = ev.repo;
        let named = repo.find_sym(name).and_then(|name| self.by_name.get(&name));
        let Some(named) = named.filter(|all| ev.spend_on_namesakes(all.len())) else {
            return Entity::Unknown;
        };
        let values: Vec<GlobalDef> = if namespace.intersects(Namespace::VALUE) {
            let values = named.iter().copied();
            values.filter(|d| !is_only_type(repo, *d)).collect()
        } else {
            Vec::new()
        };
        match values[..] {
            [] => {}
            [one] => return Entity::def(one),
            // Overloads are in one file. If several files declare the name, it is unknown which is meant.
            [first, ..] if values.iter().all(|d| d.file == first.file) => {
                return Entity::defs(values);
            }
            _ => return Entity::Unknown,
        }
        if !namespace.intersects(Namespace::TYPE) {
            return Entity::Unknown;
        }
        let first = named.iter().find(|d| is_type(repo, **d));
        first.map_or(Entity::Unknown, |first| Entity::def(*first))
    }

    /// The declaration that represents all of a global type.
    pub(super) fn first_of(&self, def: GlobalDef) -> GlobalDef {
        self.first.get(&def).copied().unwrap_or(def)
    }

    /// All declarations of a name.
    pub(super) fn named(&self, name: Sym) -> &[GlobalDef] {
        self.by_name.get(&name).map_or(&[], |all| all)
    }
}

/// Whether a definition is declared for all files.
pub(super) fn is_global(def: &Def) -> bool {
    def.parent.is_none() && def.flags.has(DefFlags::GLOBAL)
}

fn is_type(repo: &Repo, def: GlobalDef) -> bool {
    let kind = repo.def(def).kind;
    kind.is_type() || matches!(kind, SymbolKind::TypeAlias | SymbolKind::Namespace)
}

fn is_only_type(repo: &Repo, def: GlobalDef) -> bool {
    matches!(
        repo.def(def).kind,
        SymbolKind::Interface | SymbolKind::TypeAlias
    )
}
