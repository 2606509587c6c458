//! What names mean at a place: variables around it, members of the types around it, definitions of its module.

use super::Swift;
use super::members::is_static;
use super::platform;
use super::tables::{Extended, NamePosition, TypeName, is_type};
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::repo::{FileId, GlobalDef, Repo};
use linker::ty::*;

/// A scope around a place.
pub(super) struct Around {
    pub(super) scope: ScopeId,
    /// The type or extension whose body the scope is.
    pub(super) object: Option<GlobalDef>,
    /// Whether the place belongs to the type, not to an instance.
    pub(super) is_static: bool,
}

impl Swift {
    /// The scopes around a place, innermost first, without that of the file.
    pub(super) fn scopes(&self, repo: &Repo, file: FileId, scope: ScopeId) -> Vec<Around> {
        let facts = repo.facts(file);
        let mut out = Vec::new();
        let mut next = Some(scope);
        // Code of a nested type is outside of all instances of the types around it.
        let mut is_outer = false;
        let mut member: Option<DefId> = None;
        while let Some(id) = next {
            let here = facts.scope(id);
            next = here.parent;
            match (here.kind, here.owner) {
                (ScopeKind::Class, Some(owner)) => {
                    let of_type = member.is_none_or(|m| facts.def(m).flags.has(DefFlags::STATIC));
                    out.push(Around {
                        scope: id,
                        object: Some(GlobalDef { file, def: owner }),
                        is_static: is_outer || of_type,
                    });
                    is_outer = true;
                    member = None;
                }
                (ScopeKind::File | ScopeKind::Module, _) => {}
                (_, owner) => {
                    if let Some(owner) = owner
                        && here.kind == ScopeKind::Function
                        && !facts.def(owner).flags.has(DefFlags::ANONYMOUS)
                    {
                        member = Some(owner);
                    }
                    out.push(Around {
                        scope: id,
                        object: None,
                        is_static: false,
                    });
                }
            }
        }
        out
    }

    /// The object whose members the code in a type sees: an instance, or the type.
    pub(super) fn own_object(&self, ev: &mut Eval<'_>, owner: &GlobalDef, is_static: bool) -> Ty {
        let own = self.self_of(ev, *owner);
        match own {
            Ty::Instance(def, args) if is_static => Ty::Class(def, args),
            Ty::ExternalInstance(external, _) if is_static => Ty::External(external),
            other => other,
        }
    }

    /// The type of `Self`, as a value.
    pub(super) fn self_class(&self, ev: &mut Eval<'_>, file: FileId, scope: ScopeId) -> Ty {
        let around = self.scopes(ev.repo, file, scope);
        let owner = around.iter().find_map(|around| around.object);
        match owner {
            Some(owner) => self.own_object(ev, &owner, true),
            None => Ty::Unknown,
        }
    }

    /// What a name means as a value. For members of the types around the place, also the object.
    pub(super) fn value_name(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        name: NameId,
        scope: ScopeId,
        at: u32,
    ) -> (Entity, Option<Ty>) {
        let repo = ev.repo;
        let text = repo.facts(file).name(name);
        if text == "Self" {
            return (Entity::Value(self.self_class(ev, file, scope)), None);
        }
        let mut outside: Option<(Entity, Option<Ty>)> = None;
        for here in self.scopes(repo, file, scope) {
            let Some(owner) = here.object else {
                let binding = repo.binding_at(file, here.scope, name, at, Namespace::VALUE);
                if let Some(binding) = binding {
                    let to = binding.to;
                    let found = ev.resolve_binding(file, name, here.scope, to, Namespace::VALUE);
                    return (found, None);
                }
                continue;
            };
            let object = self.own_object(ev, &owner, here.is_static);
            if let Some(found) = self.find_members(ev, &object, text) {
                let counts = |d: &GlobalDef| {
                    // Code of a nested type does not see members of instances around it.
                    !here.is_static || is_static(repo, *d) || self.is_initial(repo, file, scope)
                };
                let found: Vec<GlobalDef> = found.into_iter().filter(counts).collect();
                if !found.is_empty() {
                    return (Entity::defs(found), Some(object));
                }
            }
            if outside.is_none() {
                outside = self.outside_value(ev, &object, text);
            }
        }
        self.value_outside_of_types(ev, NamePosition { file, scope, at }, name, outside)
    }

    /// Whether a place is in the initial value of a property.
    fn is_initial(&self, repo: &Repo, file: FileId, scope: ScopeId) -> bool {
        repo.facts(file).scope(scope).kind == ScopeKind::Class
    }

    /// A member that the type around a place may have from outside the repository.
    fn outside_value(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
    ) -> Option<(Entity, Option<Ty>)> {
        match object {
            Ty::ExternalInstance(..) => {
                let found = self.outside_property(ev, object, name)?;
                (!found.is_unknown()).then(|| (found, Some(object.clone())))
            }
            Ty::External(_) => None,
            _ => {
                let found = self.member_of(ev, object, name)?;
                (!found.is_unknown()).then(|| (found, Some(object.clone())))
            }
        }
    }

    fn value_outside_of_types(
        &self,
        ev: &mut Eval<'_>,
        place: NamePosition,
        name: NameId,
        inherited: Option<(Entity, Option<Ty>)>,
    ) -> (Entity, Option<Ty>) {
        let repo = ev.repo;
        let text = repo.facts(place.file).name(name);
        let is_value = |d: GlobalDef| !is_type(repo, d) && repo.def(d).kind != SymbolKind::Macro;
        let levels = self.tables.visible_tops(repo, text, place.file, is_value);
        if let Some(level) = levels.into_iter().next() {
            return (Entity::defs(level), None);
        }
        match self.tables.simple(repo, name, place, 0) {
            TypeName::External(external) => {
                let is_known = platform::is_known(text) || platform::package_of(text).is_some();
                if let (Some(found), false) = (inherited, is_known) {
                    return found;
                }
                let is_outside = self.tables.modules.imports_outside(repo, place.file);
                if is_known || is_outside {
                    return (Entity::External(external), None);
                }
                (Entity::Unknown, None)
            }
            found => {
                let entity = self.type_entity(ev, found);
                (self.as_value(ev, entity), None)
            }
        }
    }

    /// A type as a value: of a type parameter, that of its bound.
    fn as_value(&self, ev: &mut Eval<'_>, entity: Entity) -> Entity {
        match &entity {
            Entity::Value(ty @ (Ty::Param(..) | Ty::Instance(..) | Ty::ExternalInstance(..))) => {
                let class = self.meta(ev, ty);
                Entity::Value(class)
            }
            _ => entity,
        }
    }

    /// What a resolved type name denotes.
    pub(super) fn type_entity(&self, ev: &mut Eval<'_>, found: TypeName) -> Entity {
        match found {
            TypeName::Type(def) => Entity::def(def),
            TypeName::Param(def, n) => Entity::Value(Ty::Param(def, n)),
            TypeName::Written(file, ty) => Entity::Value(ev.lower_type(file, ty)),
            TypeName::Module(index) => Entity::Module(super::module(index)),
            TypeName::External(external) => Entity::External(external),
            TypeName::Unknown => Entity::Unknown,
        }
    }

    /// Written types for which the common rules do not suffice.
    pub(super) fn lowered(&self, ev: &mut Eval<'_>, file: FileId, ty: TypeId) -> Option<Ty> {
        let repo = ev.repo;
        let facts = repo.facts(file);
        match facts.ty(ty) {
            TypeExpr::Named {
                path,
                args,
                scope,
                at,
            } => {
                let place = NamePosition {
                    file,
                    scope: *scope,
                    at: *at,
                };
                if !ev.spend(path.len()) {
                    return Some(Ty::Unknown);
                }
                let found = self.tables.path(repo, path, place, 0);
                Some(self.instance(ev, file, found, args))
            }
            TypeExpr::Optional(inner) => {
                let inner = ev.lower_type(file, *inner);
                Some(platform::named("Optional", vec![inner]))
            }
            TypeExpr::SelfType(def) => {
                let owner = GlobalDef { file, def: *def };
                if let Some(own) = self.stated_self(ev, owner) {
                    return Some(own);
                }
                Some(match self.tables.extended(owner) {
                    Some(Extended::Inside(def)) => Ty::Param(*def, SELF),
                    Some(Extended::Outside(_)) => self.self_of(ev, owner),
                    None => return None,
                })
            }
            TypeExpr::Tuple(parts) => {
                let labels: Vec<&str> = parts
                    .iter()
                    .map(|part| match facts.ty(*part) {
                        TypeExpr::Binding(label, _) => facts.name(*label),
                        _ => "",
                    })
                    .collect();
                if labels.iter().all(|label| label.is_empty()) {
                    return None;
                }
                let types = ev.lower_types(file, parts);
                Some(platform::tuple(&labels, types))
            }
            _ => None,
        }
    }

    /// The type that `where Self == T` of an extension states.
    pub(super) fn stated_self(&self, ev: &mut Eval<'_>, owner: GlobalDef) -> Option<Ty> {
        let repo = ev.repo;
        let def = repo.def(owner);
        let facts = repo.facts(owner.file);
        let ty = def.ty.filter(|_| def.kind == SymbolKind::Impl)?;
        let TypeExpr::Named { args, .. } = facts.ty(ty) else {
            return None;
        };
        let stated = args.iter().find_map(|arg| match facts.ty(*arg) {
            TypeExpr::Binding(name, ty) if facts.name(*name) == "Self" => Some(*ty),
            _ => None,
        });
        let ty = ev.lower_type(owner.file, stated?);
        match &ty {
            Ty::Instance(def, _) if repo.def(*def).kind != SymbolKind::Interface => Some(ty),
            _ => None,
        }
    }

    /// The type of a value of a named type with arguments.
    fn instance(&self, ev: &mut Eval<'_>, file: FileId, found: TypeName, args: &[TypeId]) -> Ty {
        let repo = ev.repo;
        match found {
            TypeName::Type(def) => {
                let args = self.arguments(ev, file, args, |name| {
                    let facts = repo.facts(def.file);
                    let params = &repo.def(def).type_params;
                    params.iter().position(|p| facts.name(p.name) == name)
                });
                if repo.def(def).kind == SymbolKind::TypeAlias && repo.def(def).ty.is_none() {
                    return Ty::instance(def);
                }
                ev.instance_of_entity(file, &Entity::def(def), args)
            }
            TypeName::External(external) => {
                let symbol = external.symbol.clone();
                let args = self.arguments(ev, file, args, |name| {
                    platform::type_param(&symbol, name).map(|n| n as usize)
                });
                if &*symbol == "Any" {
                    return Ty::Unknown;
                }
                Ty::ExternalInstance(external, args.into())
            }
            found => match self.type_entity(ev, found) {
                Entity::Value(ty) => ty,
                _ => Ty::Unknown,
            },
        }
    }

    /// Type arguments, some of which are given by the name of the parameter.
    fn arguments(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        args: &[TypeId],
        position: impl Fn(&str) -> Option<usize>,
    ) -> Vec<Ty> {
        let facts = ev.repo.facts(file);
        let mut out: Vec<Ty> = Vec::new();
        for (n, arg) in args.iter().enumerate() {
            let at = match facts.ty(*arg) {
                TypeExpr::Binding(name, _) => position(facts.name(*name)),
                _ => Some(n),
            };
            let Some(at) = at else { continue };
            let ty = ev.lower_type(file, *arg);
            if out.len() <= at {
                out.resize(at + 1, Ty::Unknown);
            }
            out[at] = ty;
        }
        out
    }
}
