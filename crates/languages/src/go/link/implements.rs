//! Finds the interfaces of the repository that a type implements. Go does not declare this: the methods decide.

use super::packages::Packages;
use super::types;
use base::facts::*;
use base::list;
use base::{Language, SymbolKind};
use linker::eval::{Eval, MANY};
use linker::lang::{DefinitionChanges, Implementation};
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::surface::IndexRemap;
use linker::ty::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use std::sync::LazyLock;

/// External interfaces that are often embedded, with their methods.
static KNOWN: LazyLock<Vec<KnownInterface>> = LazyLock::new(|| {
    let rows = list::pairs(include_str!("../interfaces.tsv"));
    let row = |(package, rest): (&'static str, &'static str)| {
        let (name, methods) = rest.split_once('\t')?;
        Some((package, name, methods.split(' ').collect()))
    };
    rows.filter_map(row).collect()
});

/// Package, name and methods of an interface.
type KnownInterface = (&'static str, &'static str, Vec<&'static str>);

/// Most interfaces that one type may implement: clients of large services implement some two hundred.
const MOST: usize = 256;

/// Most interfaces for a type by its number of methods: a base, and a number for each method. Otherwise ten thousand
/// one-line files, each with a type of one method, would have 256 rows each.
const MOST_FOR_METHODS: (usize, usize) = (32, 4);

/// Steps for comparing an interface with a type, and for one that the type implements. Without this limit, a repository
/// with as many types as interfaces, all with one method, would make a number of rows quadratic in its size.
const STEPS: (usize, usize) = (8, 64);

/// A method, and the type on which it was found.
type Method = (Sym, GlobalDef, Ty);

/// The methods of a type.
#[derive(Default)]
struct Methods {
    all: Vec<Method>,
    by_name: FxHashMap<Sym, usize>,
}

impl Methods {
    fn find(&self, name: Sym) -> Option<&Method> {
        self.by_name.get(&name).map(|at| &self.all[*at])
    }
}

/// The interfaces of a repository, each stored under its rarest method.
#[derive(Debug)]
pub(super) struct Interfaces {
    by_rarest_method: FxHashMap<Sym, Vec<GlobalDef>>,
}

impl Interfaces {
    /// Collects the interfaces.
    pub(super) fn new(repo: &Repo, packages: &Packages) -> Interfaces {
        let mut under: FxHashMap<Sym, Vec<GlobalDef>> = FxHashMap::default();
        for (id, file) in repo.files() {
            if file.facts.language != Language::Go {
                continue;
            }
            for i in 0..file.facts.defs.len() {
                let interface = GlobalDef {
                    file: id,
                    def: DefId(i as u32),
                };
                if let Some(name) = rarest_method(repo, packages, interface) {
                    under.entry(name).or_default().push(interface);
                }
            }
        }
        Interfaces {
            by_rarest_method: under,
        }
    }

    /// Updates the table after definitions were added and removed.
    pub(super) fn renew(&mut self, repo: &Repo, packages: &Packages, news: &DefinitionChanges<'_>) {
        let all = self.by_rarest_method.values_mut();
        all.for_each(|defs| defs.retain(IndexRemap::is_live));
        for interface in news.fresh {
            if let Some(name) = rarest_method(repo, packages, *interface) {
                self.by_rarest_method
                    .entry(name)
                    .or_default()
                    .push(*interface);
            }
        }
    }

    /// Updates definitions of a file whose indexes moved.
    pub(super) fn follow(&mut self, file: FileId, moved: &IndexRemap) {
        moved.remap_all(file, self.by_rarest_method.values_mut().flatten());
    }

    /// The interfaces that a type implements, with pairs of methods.
    pub(super) fn implemented_by(
        &self,
        packages: &Packages,
        ev: &mut Eval<'_>,
        ty: GlobalDef,
    ) -> Vec<Implementation> {
        let kind = ev.repo.def(ty).kind;
        let own = ev.identity_instance(ty);
        if kind == SymbolKind::Interface || is_interface(ev, &own) {
            return Vec::new();
        }
        let methods = concrete_methods(packages, ev, &own);
        let mut candidates: Vec<GlobalDef> = methods
            .all
            .iter()
            .filter_map(|(name, ..)| self.by_rarest_method.get(name))
            .flatten()
            .copied()
            .collect();
        candidates.sort_unstable();
        candidates.dedup();
        let repo = ev.repo;
        // A method that an embedded type brings counts too. One of an embedded interface has no body.
        let has_body = |(method, _): &(GlobalDef, GlobalDef)| {
            let parent = repo.def(*method).parent;
            parent.is_none_or(|def| {
                repo.def(GlobalDef { def, ..*method }).kind != SymbolKind::Interface
            })
        };
        let (least, more) = MOST_FOR_METHODS;
        let most = MOST.min(least + more * methods.all.len());
        let mut out = Vec::new();
        for interface in candidates {
            if out.len() >= most || !ev.spend(STEPS.0) {
                break;
            }
            let same_package = packages.package_of(interface.file) == packages.package_of(ty.file);
            if let Some(pairs) = match_interface(ev, &methods, interface, same_package) {
                // Unknown types agree with all, and without fuel every type is unknown.
                if !ev.spend(STEPS.1) {
                    break;
                }
                out.push(Implementation {
                    interface,
                    methods: pairs.into_iter().filter(has_body).collect(),
                });
            }
        }
        out
    }
}

/// The rarest method of an interface, under which it is stored.
fn rarest_method(repo: &Repo, packages: &Packages, interface: GlobalDef) -> Option<Sym> {
    let def = repo.def(interface);
    let hidden = def.flags.has(DefFlags::ANONYMOUS) || def.flags.has(DefFlags::LOCAL);
    if def.kind != SymbolKind::Interface || hidden {
        return None;
    }
    let all = declared_methods(repo, interface);
    let rarest = all.min_by_key(|(name, _)| packages.count_methods_named(*name));
    rarest.map(|(name, _)| name)
}

fn declared_methods(
    repo: &Repo,
    interface: GlobalDef,
) -> impl Iterator<Item = (Sym, GlobalDef)> + '_ {
    repo.children(interface).filter_map(move |id| {
        let def = repo.def(id);
        let name = repo.sym_of_name(id.file, def.name);
        (def.kind == SymbolKind::Method).then_some((name, id))
    })
}

fn is_interface(ev: &mut Eval<'_>, ty: &Ty) -> bool {
    match types::underlying(ev, ty) {
        Ty::Instance(def, _) => ev.repo.def(def).kind == SymbolKind::Interface,
        _ => false,
    }
}

/// The methods of a type, including promoted ones. A name that several types have at one depth hides those below, and
/// belongs to none of them.
fn concrete_methods(packages: &Packages, ev: &mut Eval<'_>, own: &Ty) -> Methods {
    let mut out = Methods::default();
    let mut hidden: FxHashSet<Sym> = FxHashSet::default();
    for depth in types::embedding_depths(ev, own) {
        let mut here: FxHashMap<Sym, Option<Method>> = FxHashMap::default();
        let mut names: Vec<Sym> = Vec::new();
        for one in &depth {
            let found = members_at_depth(packages, ev, &one.ty);
            if !ev.spend(found.len() / MANY) {
                return out;
            }
            for (name, method) in found {
                let entry = here.entry(name);
                if let Entry::Vacant(_) = entry {
                    names.push(name);
                }
                let is_first = matches!(entry, Entry::Vacant(_)) && !one.is_repeated;
                *entry.or_default() = method.filter(|_| is_first);
            }
        }
        for name in names {
            let method = here.remove(&name).flatten();
            if hidden.insert(name)
                && let Some(method) = method
            {
                out.by_name.insert(name, out.all.len());
                out.all.push(method);
            }
        }
    }
    out
}

/// The names that a type has at its own depth, each once, with the method; none for a field.
fn members_at_depth(packages: &Packages, ev: &mut Eval<'_>, ty: &Ty) -> Vec<(Sym, Option<Method>)> {
    let whole = if types::is_interface_type(ev, ty) {
        types::embedding_order(ev, ty)
    } else {
        vec![ty.clone()]
    };
    let repo = ev.repo;
    let mut seen = FxHashSet::default();
    let mut out = Vec::new();
    for ty in whole {
        let Ty::Instance(def, _) = &ty else { continue };
        let mut found = packages.methods_of(repo, *def);
        found.extend(declared_methods(repo, *def));
        for (name, method) in found {
            if seen.insert(name) {
                out.push((name, Some((name, method, ty.clone()))));
            }
        }
        for field in repo.children(*def) {
            let it = repo.def(field);
            let name = repo.sym_of_name(field.file, it.name);
            if it.kind == SymbolKind::Field && seen.insert(name) {
                out.push((name, None));
            }
        }
    }
    out
}

/// The pairs of methods, if the type has every method of the interface with the same signature.
fn match_interface(
    ev: &mut Eval<'_>,
    methods: &Methods,
    interface: GlobalDef,
    same_package: bool,
) -> Option<Vec<(GlobalDef, GlobalDef)>> {
    let own = ev.identity_instance(interface);
    let mut pairs = Vec::new();
    for ty in types::embedding_order(ev, &own) {
        match &ty {
            Ty::Instance(def, _) => {
                let wanted: Vec<(Sym, GlobalDef)> = declared_methods(ev.repo, *def).collect();
                if !ev.spend(wanted.len() / MANY) {
                    return None;
                }
                for (name, want) in wanted {
                    let (_, have, owner) = methods.find(name)?;
                    let exported = ev.repo.def(want).flags.has(DefFlags::EXPORTED);
                    if !(exported || same_package) || !same_signature(ev, *have, owner, want, &ty) {
                        return None;
                    }
                    pairs.push((*have, want));
                }
            }
            Ty::ExternalInstance(external, _) => {
                let known = KNOWN.iter().find(|(package, symbol, _)| {
                    *external.package == **package && *external.symbol == **symbol
                })?;
                let has = |name: &&str| {
                    let sym = ev.repo.find_sym(name);
                    sym.is_some_and(|sym| methods.find(sym).is_some())
                };
                if !known.2.iter().all(has) {
                    return None;
                }
            }
            _ => return None,
        }
    }
    Some(pairs)
}

fn same_signature(ev: &mut Eval<'_>, have: GlobalDef, on: &Ty, want: GlobalDef, of: &Ty) -> bool {
    let (first, second) = (
        method_signature(ev, have, on),
        method_signature(ev, want, of),
    );
    first.0.len() == second.0.len()
        && first
            .0
            .iter()
            .zip(&second.0)
            .all(|(a, b)| a.0 == b.0 && are_compatible(&a.1, &b.1))
        && first.1.is_some() == second.1.is_some()
        && are_compatible(&first.1.unwrap_or_default(), &second.1.unwrap_or_default())
}

/// The parameters and the result of a method of a type.
fn method_signature(
    ev: &mut Eval<'_>,
    method: GlobalDef,
    on: &Ty,
) -> (Vec<(ParamKind, Ty)>, Option<Ty>) {
    let repo = ev.repo;
    let Some(callable) = repo.def(method).callable.as_deref() else {
        return (Vec::new(), None);
    };
    let mut params = Vec::new();
    for param in &callable.params {
        if param.kind != ParamKind::Receiver {
            let written = param.ty.map(|ty| ev.lower_type(method.file, ty));
            let ty = ev.substitute(&written.unwrap_or_default(), Some(on));
            params.push((param.kind, ty));
        }
    }
    let ret = callable.ret.map(|ret| {
        let written = ev.lower_type(method.file, ret);
        ev.substitute(&written, Some(on))
    });
    (params, ret)
}

/// Whether two types can be the same. Unknown types and type parameters agree with all.
fn are_compatible(a: &Ty, b: &Ty) -> bool {
    let all = |xs: &Args, ys: &Args| {
        xs.len() == ys.len() && xs.iter().zip(ys.iter()).all(|(x, y)| are_compatible(x, y))
    };
    match (a, b) {
        (Ty::Unknown | Ty::Param(..), _) | (_, Ty::Unknown | Ty::Param(..)) => true,
        (Ty::Instance(a, xs), Ty::Instance(b, ys)) => a == b && all(xs, ys),
        (Ty::ExternalInstance(a, xs), Ty::ExternalInstance(b, ys)) => a == b && all(xs, ys),
        (Ty::Tuple(xs), Ty::Tuple(ys)) => all(xs, ys),
        (Ty::Callable(xs, a), Ty::Callable(ys, b)) => all(xs, ys) && are_compatible(a, b),
        _ => a == b,
    }
}
