//! Extension methods, implicit classes and implicit conversions.

use super::Scala;
use super::fit::Fit;
use super::lookup::Denoted;
use base::facts::*;
use base::{Language, SymbolKind};
use linker::eval::Eval;
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::surface::IndexRemap;
use linker::ty::*;
use rustc_hash::FxHashMap;

/// Most types whose members a conversion may give.
const MAX_TYPES: usize = 32;
/// Most members of them.
const MAX_NAMES: usize = 2_000;
/// Most conversions that may give a member of one name.
const MAX_CANDIDATES: usize = 64;

/// The definitions that give members to other types.
#[derive(Default)]
pub(super) struct Conversions {
    /// By the name of a member that they may give.
    by_member: FxHashMap<Sym, Vec<GlobalDef>>,
}

impl Conversions {
    /// Finds conversions, and the members of what they make as far as names show them.
    pub(super) fn new(repo: &Repo) -> Conversions {
        let mut types: FxHashMap<Sym, Vec<GlobalDef>> = FxHashMap::default();
        let mut found: Vec<GlobalDef> = Vec::new();
        for (file, source) in repo.files() {
            if source.facts.language != Language::Scala {
                continue;
            }
            for (def, at) in source.facts.defs.iter().zip(0..) {
                let id = GlobalDef {
                    file,
                    def: DefId(at),
                };
                if def.kind.is_type() {
                    let sym = repo.sym_of_name(file, def.name);
                    types.entry(sym).or_default().push(id);
                }
                let gives = def.kind.is_callable() || def.kind == SymbolKind::Class;
                let is_marked =
                    def.flags.has(DefFlags::IMPLICIT) && !def.flags.has(DefFlags::OBJECT);
                let is_extension = def.kind.is_callable() && def.flags.has(DefFlags::EXTENSION);
                if gives && (is_marked || is_extension) && converted_param(def).is_some() {
                    found.push(id);
                }
            }
        }
        let mut out = Conversions::default();
        for id in found {
            out.add(repo, &types, id);
        }
        out
    }

    fn add(&mut self, repo: &Repo, types: &FxHashMap<Sym, Vec<GlobalDef>>, id: GlobalDef) {
        let def = repo.def(id);
        if def.flags.has(DefFlags::EXTENSION) && def.kind.is_callable() {
            let sym = repo.sym_of_name(id.file, def.name);
            self.by_member.entry(sym).or_default().push(id);
            return;
        }
        let mut open = Vec::new();
        if def.kind.is_type() {
            open.push(id);
        } else {
            named_types(repo, types, id, &mut open);
        }
        let mut seen: Vec<GlobalDef> = Vec::new();
        let mut names = 0;
        while let Some(class) = open.pop() {
            if seen.contains(&class) || seen.len() >= MAX_TYPES {
                continue;
            }
            seen.push(class);
            for member in repo.children(class) {
                names += 1;
                if names > MAX_NAMES {
                    return;
                }
                let sym = repo.sym_of_name(member.file, repo.def(member).name);
                let all = self.by_member.entry(sym).or_default();
                if all.last() != Some(&id) {
                    all.push(id);
                }
            }
            for (ty, _) in &repo.def(class).supers {
                types_of_written(repo, types, class.file, *ty, &mut open);
            }
        }
    }

    /// Updates definitions of a file whose indexes moved.
    pub(super) fn follow(&mut self, file: FileId, moved: &IndexRemap) {
        moved.remap_all(file, self.by_member.values_mut().flatten());
    }
}

/// The types of the name that the result of a conversion has.
fn named_types(
    repo: &Repo,
    types: &FxHashMap<Sym, Vec<GlobalDef>>,
    id: GlobalDef,
    out: &mut Vec<GlobalDef>,
) {
    let facts = repo.facts(id.file);
    let Some(callable) = facts.def(id.def).callable.as_deref() else {
        return;
    };
    let made = callable.returns.first().and_then(|e| match facts.expr(*e) {
        Expr::New { class, .. } => match facts.expr(*class) {
            Expr::Type(ty) => Some(*ty),
            _ => None,
        },
        _ => None,
    });
    if let Some(ty) = callable.ret.or(made) {
        types_of_written(repo, types, id.file, ty, out);
    }
}

fn types_of_written(
    repo: &Repo,
    types: &FxHashMap<Sym, Vec<GlobalDef>>,
    file: FileId,
    ty: TypeId,
    out: &mut Vec<GlobalDef>,
) {
    match repo.facts(file).ty(ty) {
        TypeExpr::Named { path, .. } => {
            if let Some(last) = path.last() {
                let named = types.get(&repo.sym_of_name(file, *last));
                out.extend(named.into_iter().flatten().take(MAX_TYPES));
            }
        }
        TypeExpr::All(parts) => {
            for part in parts.iter().take(MAX_TYPES) {
                if let TypeExpr::Named { path, .. } = repo.facts(file).ty(*part)
                    && let Some(last) = path.last()
                {
                    let named = types.get(&repo.sym_of_name(file, *last));
                    out.extend(named.into_iter().flatten().take(MAX_TYPES));
                }
            }
        }
        _ => {}
    }
}

/// The parameter whose type a conversion takes: the only one that a call gives, or the object of an extension.
fn converted_param(def: &Def) -> Option<&Param> {
    let callable = def.callable.as_deref()?;
    if def.flags.has(DefFlags::EXTENSION) && def.kind.is_callable() {
        let mut params = callable.params.iter();
        return params.find(|p| p.kind == ParamKind::Receiver);
    }
    let mut given = callable
        .params
        .iter()
        .filter(|p| p.kind != ParamKind::KeywordOnly);
    let first = given.next()?;
    given.next().is_none().then_some(first)
}

impl Scala {
    /// A member that a conversion in scope gives to an object.
    pub(super) fn extended(
        &self,
        ev: &mut Eval<'_>,
        (file, path): (FileId, ExprId),
        object: &Ty,
        name: &str,
    ) -> Option<Denoted> {
        let sym = ev.repo.find_sym(name)?;
        let candidates = self.conversions.by_member.get(&sym)?;
        if candidates.len() > MAX_CANDIDATES || !ev.spend(candidates.len()) {
            return None;
        }
        let (scope, _) = self.scope_of(ev, file, path);
        let mut found: Vec<(Fit, Denoted)> = Vec::new();
        for by_companion in [false, true] {
            for conversion in candidates {
                let is_seen = if by_companion {
                    self.is_in_companion(ev, *conversion, object)
                } else {
                    self.sees(ev, (file, scope), *conversion)
                };
                if !is_seen {
                    continue;
                }
                if let Some(one) = self.converted(ev, *conversion, object, name) {
                    found.push(one);
                }
            }
            if !found.is_empty() {
                break;
            }
        }
        if found.iter().any(|(fit, _)| *fit == Fit::Yes) {
            found.retain(|(fit, _)| *fit == Fit::Yes);
        }
        let (_, first) = found.first()?;
        let first = first.clone();
        let same = found.iter().all(|(_, (entity, _))| *entity == first.0);
        let overloads = || all_are_extensions(ev, &found);
        if same {
            return Some(first);
        }
        let all = overloads()?;
        Some((Entity::defs(all), first.1))
    }

    /// The member that one conversion gives, if it takes the object.
    fn converted(
        &self,
        ev: &mut Eval<'_>,
        conversion: GlobalDef,
        object: &Ty,
        name: &str,
    ) -> Option<(Fit, Denoted)> {
        let repo = ev.repo;
        let def = repo.def(conversion);
        let param = converted_param(def)?;
        let wanted = ev.lower_type(conversion.file, param.ty?);
        let fit = self.fit(ev, &wanted, object);
        if fit != Fit::Yes {
            return None;
        }
        // A type parameter takes everything, so that others go before it.
        let fit = match wanted {
            Ty::Param(..) => Fit::Maybe,
            _ => Fit::Yes,
        };
        if def.kind.is_callable() && def.flags.has(DefFlags::EXTENSION) {
            return Some((fit, (Entity::def(conversion), Some(object.clone()))));
        }
        let mut env = Vec::new();
        ev.unify(&wanted, object, &mut env);
        let made = if def.kind.is_type() {
            let own = ev.identity_instance(conversion);
            ev.substitute_env(&own, &env)
        } else {
            let result = ev.result_type(conversion);
            ev.substitute_env(&result, &env)
        };
        let member = self.member_of_type(ev, &made, name, Namespace::VALUE);
        matches!(member.0, Entity::Defs(_)).then_some((fit, member))
    }

    /// Whether a definition can be used in a scope by its name alone.
    fn sees(&self, ev: &mut Eval<'_>, (file, scope): (FileId, ScopeId), id: GlobalDef) -> bool {
        ev.memoize_visibility(file, scope.0, id, |ev| self.finds(ev, (file, scope), id))
    }

    fn finds(&self, ev: &mut Eval<'_>, (file, scope): (FileId, ScopeId), id: GlobalDef) -> bool {
        let repo = ev.repo;
        let facts = repo.facts(file);
        let def = repo.def(id);
        let name = repo.def_name(id);
        let holder = def.parent.map(|def| GlobalDef { def, ..id });
        let mut next = Some(scope);
        while let Some(at) = next {
            if !ev.spend(1) {
                return false;
            }
            let here = facts.scope(at);
            if id.file == file && def.scope == at {
                return true;
            }
            if let (ScopeKind::Class, Some(owner), Some(holder)) = (here.kind, here.owner, holder) {
                let this = ev.identity_instance(GlobalDef { file, def: owner });
                if ev.is_subtype_of(&this, holder) {
                    return true;
                }
            }
            if self.imports_here(ev, (file, at), id, name, holder) {
                return true;
            }
            if here.kind == ScopeKind::Module
                && let Some(package) = self.packages.of_scope(facts, at)
                && self.package_has(ev, package, id, holder)
            {
                return true;
            }
            next = here.parent;
        }
        let packages = self.packages.of_file(file).map(|t| t.packages.clone());
        packages
            .unwrap_or_default()
            .into_iter()
            .any(|package| self.package_has(ev, package, id, holder))
    }

    /// Whether an import of a scope brings a definition.
    fn imports_here(
        &self,
        ev: &mut Eval<'_>,
        (file, scope): (FileId, ScopeId),
        id: GlobalDef,
        name: &str,
        holder: Option<GlobalDef>,
    ) -> bool {
        let facts = ev.repo.facts(file);
        for (import, at) in facts.imports.iter().zip(0..) {
            if import.scope != scope {
                continue;
            }
            let brings = match import.what {
                Imported::Name(imported) if facts.name(imported) == name => {
                    let found = ev.resolve_import(file, ImportId(at), Namespace::VALUE);
                    let found =
                        found.or_else(|| ev.resolve_import(file, ImportId(at), Namespace::TYPE));
                    matches!(found, Entity::Defs(defs) if defs.contains(&id))
                }
                Imported::Glob => {
                    let path = ev.resolve_import(file, ImportId(at), Namespace::VALUE);
                    match (&path, holder) {
                        (Entity::Module(module), _) => {
                            self.package_has(ev, module.index, id, holder)
                        }
                        (Entity::Defs(_) | Entity::Value(_), Some(holder)) => {
                            let object = ev.type_of_entity(&path, None);
                            ev.is_subtype_of(&object, holder)
                        }
                        _ => false,
                    }
                }
                _ => false,
            };
            if brings {
                return true;
            }
        }
        false
    }

    /// Whether a package has a definition, in itself or in a package object.
    fn package_has(
        &self,
        ev: &mut Eval<'_>,
        package: u32,
        id: GlobalDef,
        holder: Option<GlobalDef>,
    ) -> bool {
        let Some(holder) = holder else {
            return self.packages.has(ev.repo, package, id);
        };
        let objects = self.packages.get(package).map(|p| p.objects.clone());
        objects
            .unwrap_or_default()
            .into_iter()
            .any(|object| ev.is_subtype_of(&Ty::instance(object), holder))
    }

    /// Whether a definition is a member of the companion of an object's class or of a supertype of it.
    fn is_in_companion(&self, ev: &mut Eval<'_>, id: GlobalDef, object: &Ty) -> bool {
        let Some(holder) = ev.repo.def(id).parent.map(|def| GlobalDef { def, ..id }) else {
            return false;
        };
        let object = ev.resolve_type_param(object);
        if !matches!(object, Ty::Instance(..)) {
            return false;
        }
        let Some(class) = self.companion(ev, holder) else {
            return false;
        };
        ev.is_subtype_of(&object, class)
    }

    /// The type parameters of an extension that its object determines.
    pub(super) fn extended_params(
        &self,
        ev: &mut Eval<'_>,
        function: GlobalDef,
        receiver: Option<&Ty>,
        env: &mut Vec<((GlobalDef, u32), Ty)>,
    ) {
        let def = ev.repo.def(function);
        let is_extension = def.kind.is_callable() && def.flags.has(DefFlags::EXTENSION);
        let (true, Some(receiver)) = (is_extension, receiver) else {
            return;
        };
        let Some(ty) = converted_param(def).and_then(|p| p.ty) else {
            return;
        };
        let pattern = ev.lower_type(function.file, ty);
        ev.unify(&pattern, receiver, env);
    }
}

/// The methods of several extensions that are overloads of one another; `None` if others are among them.
fn all_are_extensions(ev: &Eval<'_>, found: &[(Fit, Denoted)]) -> Option<Vec<GlobalDef>> {
    let mut all: Vec<GlobalDef> = Vec::new();
    for (_, (entity, _)) in found {
        let Entity::Defs(defs) = entity else {
            return None;
        };
        for def in defs.iter() {
            if !ev.repo.def(*def).flags.has(DefFlags::EXTENSION) {
                return None;
            }
            if !all.contains(def) {
                all.push(*def);
            }
        }
    }
    Some(all)
}
