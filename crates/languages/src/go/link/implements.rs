//! Which types implement which interfaces of the repository. Go says it nowhere: methods decide.

use super::packages::Packages;
use super::types;
use base::facts::*;
use base::{Language, SymbolKind};
use linker::eval::{Eval, MANY};
use linker::lang::{DefinitionChanges, Implementation};
use linker::repo::{FileId, GDef, Repo, Sym};
use linker::surface::Moved;
use linker::ty::*;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;

/// Interfaces outside the repository that are often embedded, with their methods.
const KNOWN: [(&str, &str, &[&str]); 13] = [
    ("builtin", "error", &["Error"]),
    ("io", "Reader", &["Read"]),
    ("io", "Writer", &["Write"]),
    ("io", "Closer", &["Close"]),
    ("io", "Seeker", &["Seek"]),
    ("io", "ReaderAt", &["ReadAt"]),
    ("io", "ReadCloser", &["Read", "Close"]),
    ("io", "WriteCloser", &["Write", "Close"]),
    ("io", "ReadWriter", &["Read", "Write"]),
    ("io", "ReadSeeker", &["Read", "Seek"]),
    ("fmt", "Stringer", &["String"]),
    ("sort", "Interface", &["Len", "Less", "Swap"]),
    ("net/http", "Handler", &["ServeHTTP"]),
];

/// Interfaces that one type may implement: clients of large services implement some two hundred.
const MOST: usize = 256;

/// Steps for an interface that is compared with a type, and for one that the type implements. A repository with as many
/// types as interfaces, all with one method, would make rows with the square of its size.
const STEPS: (usize, usize) = (8, 64);

/// A method, and the type that it was found on.
type Method = (Sym, GDef, Ty);

/// The methods of a type.
#[derive(Default)]
struct Methods {
    all: Vec<Method>,
    by_name: FxHashMap<Sym, usize>,
}

impl Methods {
    fn named(&self, name: Sym) -> Option<&Method> {
        self.by_name.get(&name).map(|at| &self.all[*at])
    }
}

/// The interfaces of a repository, each under its rarest method.
#[derive(Debug)]
pub(super) struct Interfaces {
    under: FxHashMap<Sym, Vec<GDef>>,
}

impl Interfaces {
    /// Gathers the interfaces.
    pub(super) fn new(repo: &Repo, packages: &Packages) -> Interfaces {
        let mut under: FxHashMap<Sym, Vec<GDef>> = FxHashMap::default();
        for (id, file) in repo.files() {
            if file.facts.language != Language::Go {
                continue;
            }
            for i in 0..file.facts.defs.len() {
                let interface = GDef {
                    file: id,
                    def: DefId(i as u32),
                };
                if let Some(name) = place(repo, packages, interface) {
                    under.entry(name).or_default().push(interface);
                }
            }
        }
        Interfaces { under }
    }

    /// Follows definitions that came and went.
    pub(super) fn renew(&mut self, repo: &Repo, packages: &Packages, news: &DefinitionChanges<'_>) {
        let all = self.under.values_mut();
        all.for_each(|defs| defs.retain(Moved::is_there));
        for interface in news.fresh {
            if let Some(name) = place(repo, packages, *interface) {
                self.under.entry(name).or_default().push(*interface);
            }
        }
    }

    /// Follows definitions of a file whose indexes moved.
    pub(super) fn follow(&mut self, file: FileId, moved: &Moved) {
        moved.each(file, self.under.values_mut().flatten());
    }

    /// The interfaces that a type implements, with the pairs of methods.
    pub(super) fn implemented_by(
        &self,
        packages: &Packages,
        ev: &mut Eval<'_>,
        ty: GDef,
    ) -> Vec<Implementation> {
        let kind = ev.repo.def(ty).kind;
        let own = ev.own_instance(ty);
        if kind == SymbolKind::Interface || is_interface(ev, &own) {
            return Vec::new();
        }
        let methods = concrete_methods(packages, ev, &own);
        let mut candidates: Vec<GDef> = methods
            .all
            .iter()
            .filter_map(|(name, ..)| self.under.get(name))
            .flatten()
            .copied()
            .collect();
        candidates.sort_unstable();
        candidates.dedup();
        let own_methods = methods.all.iter().filter(|(.., owner)| *owner == own);
        let own_methods: FxHashSet<GDef> = own_methods.map(|(_, method, _)| *method).collect();
        let mut out = Vec::new();
        for interface in candidates {
            if out.len() >= MOST || !ev.spend(STEPS.0) {
                break;
            }
            let same_package = packages.package_of(interface.file) == packages.package_of(ty.file);
            if let Some(pairs) = fits(ev, &methods, interface, same_package) {
                // What is not known agrees with all, and without fuel nothing is known.
                if !ev.spend(STEPS.1) {
                    break;
                }
                let own_pairs = |(method, _): &(GDef, GDef)| own_methods.contains(method);
                out.push(Implementation {
                    interface,
                    methods: pairs.into_iter().filter(own_pairs).collect(),
                });
            }
        }
        out
    }
}

/// The method under which an interface is looked for: its rarest.
fn place(repo: &Repo, packages: &Packages, interface: GDef) -> Option<Sym> {
    let def = repo.def(interface);
    let hidden = def.flags.has(DefFlags::ANONYMOUS) || def.flags.has(DefFlags::LOCAL);
    if def.kind != SymbolKind::Interface || hidden {
        return None;
    }
    let all = own_methods(repo, interface);
    let rarest = all.min_by_key(|(name, _)| packages.methods_named(*name));
    rarest.map(|(name, _)| name)
}

fn own_methods(repo: &Repo, interface: GDef) -> impl Iterator<Item = (Sym, GDef)> + '_ {
    repo.children(interface).filter_map(move |id| {
        let def = repo.def(id);
        let name = repo.global(id.file, def.name);
        (def.kind == SymbolKind::Method).then_some((name, id))
    })
}

fn is_interface(ev: &mut Eval<'_>, ty: &Ty) -> bool {
    match types::underlying(ev, ty) {
        Ty::Instance(def, _) => ev.repo.def(def).kind == SymbolKind::Interface,
        _ => false,
    }
}

/// The methods of a type, promoted ones included.
fn concrete_methods(packages: &Packages, ev: &mut Eval<'_>, own: &Ty) -> Methods {
    let mut out = Methods::default();
    for ty in types::by_depth(ev, own) {
        let Ty::Instance(def, _) = &ty else { continue };
        let mut found = packages.methods_of(ev.repo, *def);
        found.extend(own_methods(ev.repo, *def));
        if !ev.spend(found.len() / MANY) {
            break;
        }
        for (name, method) in found {
            if let Entry::Vacant(free) = out.by_name.entry(name) {
                free.insert(out.all.len());
                out.all.push((name, method, ty.clone()));
            }
        }
    }
    out
}

/// The pairs of methods, if every method of the interface is there with the same signature.
fn fits(
    ev: &mut Eval<'_>,
    methods: &Methods,
    interface: GDef,
    same_package: bool,
) -> Option<Vec<(GDef, GDef)>> {
    let own = ev.own_instance(interface);
    let mut pairs = Vec::new();
    for ty in types::by_depth(ev, &own) {
        match &ty {
            Ty::Instance(def, _) => {
                let wanted: Vec<(Sym, GDef)> = own_methods(ev.repo, *def).collect();
                if !ev.spend(wanted.len() / MANY) {
                    return None;
                }
                for (name, want) in wanted {
                    let (_, have, owner) = methods.named(name)?;
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
                    let sym = ev.repo.sym(name);
                    sym.is_some_and(|sym| methods.named(sym).is_some())
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

fn same_signature(ev: &mut Eval<'_>, have: GDef, on: &Ty, want: GDef, of: &Ty) -> bool {
    let (first, second) = (signature(ev, have, on), signature(ev, want, of));
    first.0.len() == second.0.len()
        && first
            .0
            .iter()
            .zip(&second.0)
            .all(|(a, b)| a.0 == b.0 && agree(&a.1, &b.1))
        && first.1.is_some() == second.1.is_some()
        && agree(&first.1.unwrap_or_default(), &second.1.unwrap_or_default())
}

/// The parameters and the result of a method of a type.
fn signature(ev: &mut Eval<'_>, method: GDef, on: &Ty) -> (Vec<(ParamKind, Ty)>, Option<Ty>) {
    let repo = ev.repo;
    let Some(callable) = repo.def(method).callable.as_deref() else {
        return (Vec::new(), None);
    };
    let mut params = Vec::new();
    for param in &callable.params {
        if param.kind != ParamKind::Receiver {
            let written = param.ty.map(|ty| ev.written(method.file, ty));
            let ty = ev.substitute(&written.unwrap_or_default(), Some(on));
            params.push((param.kind, ty));
        }
    }
    let ret = callable.ret.map(|ret| {
        let written = ev.written(method.file, ret);
        ev.substitute(&written, Some(on))
    });
    (params, ret)
}

/// Whether two types can be the same. What is not known, and type parameters, agree with all.
fn agree(a: &Ty, b: &Ty) -> bool {
    let all = |xs: &Args, ys: &Args| {
        xs.len() == ys.len() && xs.iter().zip(ys.iter()).all(|(x, y)| agree(x, y))
    };
    match (a, b) {
        (Ty::Unknown | Ty::Param(..), _) | (_, Ty::Unknown | Ty::Param(..)) => true,
        (Ty::Instance(a, xs), Ty::Instance(b, ys)) => a == b && all(xs, ys),
        (Ty::ExternalInstance(a, xs), Ty::ExternalInstance(b, ys)) => a == b && all(xs, ys),
        (Ty::Tuple(xs), Ty::Tuple(ys)) => all(xs, ys),
        (Ty::Callable(xs, a), Ty::Callable(ys, b)) => all(xs, ys) && agree(a, b),
        _ => a == b,
    }
}
