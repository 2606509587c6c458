//! Members of types, in all parts and inherited, and which member overrides which.

use super::CSharp;
use super::hierarchy::Supertype;
use super::namespaces::is_type;
use super::tables::{nullable, system, tables};
use base::facts::*;
use base::{SymbolKind, Visibility};
use linker::eval::Eval;
use linker::repo::{FileId, GlobalDef, Repo};
use linker::ty::*;

impl CSharp {
    /// The members with a name in a type, or in the nearest ancestor that has any. These are properties, fields, types and
    /// groups of methods.
    pub(super) fn find_members(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        name: &str,
    ) -> Option<Vec<GlobalDef>> {
        let repo = ev.repo;
        let sym = repo.find_sym(name)?;
        let class = self.parts.whole(class);
        let mut hidden = None;
        for holder in self.hierarchy.self_and_ancestors(class) {
            let named = self.parts.members(repo, holder, sym);
            if !ev.spend_on_namesakes(named.len()) || !ev.spend(1) {
                return None;
            }
            let mut found: Vec<GlobalDef> = named
                .filter(|d| {
                    is_member(repo, *d) && !(is_type(repo, *d) && self.lookup(repo).is_stand_in(*d))
                })
                .collect();
            let seen =
                |d: &GlobalDef| holder == class || repo.def(*d).visibility != Visibility::Private;
            if found.iter().any(seen) {
                found.retain(seen);
                let whole = |d: GlobalDef| self.parts.whole(d);
                return Some(found.into_iter().map(whole).collect());
            }
            if hidden.is_none() && !found.is_empty() {
                hidden = Some(found);
            }
        }
        hidden
    }

    /// `object.name` on a type of the repository.
    pub(super) fn member_of(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Entity> {
        let class = match object {
            Ty::Instance(class, _) | Ty::Class(class, _) => self.parts.whole(*class),
            Ty::Super(class) => {
                match self.hierarchy.superclass(ev.repo, self.parts.whole(*class)) {
                    Some(Supertype::Inside(above)) => *above,
                    Some(Supertype::Outside(external)) => {
                        return Some(Entity::External(external.member(name)));
                    }
                    _ => return Some(Entity::Unknown),
                }
            }
            _ => return None,
        };
        if let Some(found) = self.find_members(ev, class, name) {
            return Some(Entity::defs(found));
        }
        if let Some(found) = self.inherited_property(ev, class, name) {
            return Some(Entity::Value(found));
        }
        let mut outside = self.hierarchy.external_supertypes(class);
        Some(match outside.next() {
            Some(Some(external)) => Entity::External(external.member(name)),
            _ if ev.repo.def(class).kind == SymbolKind::Enum => {
                Entity::external("System", &format!("Enum.{name}"))
            }
            _ => Entity::Unknown,
        })
    }

    /// The type of a property that a type inherits from a type of .NET.
    pub(super) fn inherited_property(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        name: &str,
    ) -> Option<Ty> {
        self.hierarchy.external_supertypes(class).next()?;
        let own = ev.identity_instance(class);
        let order = ev.member_search_order(&own);
        order
            .iter()
            .filter(|ty| matches!(ty, Ty::ExternalInstance(..)))
            .find_map(|ty| self.platform_property(ev, ty, name))
    }

    /// Whether a method overrides another one. For a method of a class, `override` must be written. A public or explicit method
    /// implements one of an interface.
    pub(super) fn can_override(&self, repo: &Repo, method: GlobalDef, above: GlobalDef) -> bool {
        let (own, other) = (repo.def(method), repo.def(above));
        if own.flags.has(DefFlags::STATIC) || other.flags.has(DefFlags::STATIC) {
            return false;
        }
        let kind = |def: &Def, file| {
            def.parent
                .map(|p| repo.def(GlobalDef { file, def: p }).kind)
        };
        let is_explicit = own.flags.has(DefFlags::EXPLICIT);
        if kind(other, above.file) != Some(SymbolKind::Interface) {
            return own.flags.has(DefFlags::OVERRIDES);
        }
        let of_interface = kind(own, method.file) == Some(SymbolKind::Interface);
        is_explicit || (!of_interface && own.visibility == Visibility::Public)
    }

    /// The methods that a part overrides in supertypes which only other parts name.
    pub(super) fn overrides_of_parts(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
    ) -> Vec<(GlobalDef, GlobalDef)> {
        let repo = ev.repo;
        let mut out = Vec::new();
        for at in 0..repo.facts(file).defs.len() as u32 {
            let part = GlobalDef {
                file,
                def: DefId(at),
            };
            let def = repo.def(part);
            let whole = self.parts.whole(part);
            if !def.kind.is_type() || self.parts.parts_of(&whole).len() < 2 {
                continue;
            }
            ev.begin_site(file);
            for method in repo.children(part) {
                if repo.def(method).kind == SymbolKind::Method {
                    self.overridden(ev, whole, method, &mut out);
                }
            }
        }
        out
    }

    fn overridden(
        &self,
        ev: &mut Eval<'_>,
        whole: GlobalDef,
        method: GlobalDef,
        out: &mut Vec<(GlobalDef, GlobalDef)>,
    ) {
        let repo = ev.repo;
        let Some(sym) = repo.find_sym(repo.def_name(method)) else {
            return;
        };
        let count = |d: GlobalDef| repo.def(d).callable.as_ref().map_or(0, |c| c.params.len());
        for above in self.hierarchy.ancestors(whole) {
            let named = self.parts.members(repo, *above, sym);
            if !ev.spend_on_namesakes(named.len()) || !ev.spend(1) {
                return;
            }
            let found: Vec<GlobalDef> = named
                .filter(|d| {
                    repo.def(*d).kind == SymbolKind::Method
                        && count(*d) == count(method)
                        && self.can_override(repo, method, *d)
                })
                .collect();
            if let [one] = found[..] {
                out.push((method, one));
            }
        }
    }

    /// Resolves written types for which the common rules do not suffice: names with a number of type arguments, nullable
    /// values, and tuples with names.
    pub(super) fn lowered(&self, ev: &mut Eval<'_>, file: FileId, ty: TypeId) -> Option<Ty> {
        let facts = ev.repo.facts(file);
        match facts.ty(ty) {
            TypeExpr::Named { args, .. } => {
                let entity = self.named(ev, file, ty)?;
                let args = ev.lower_types(file, args);
                Some(match entity {
                    Entity::Value(Ty::Class(def, own)) => Ty::Instance(def, own),
                    entity => ev.instance_of_entity(file, &entity, args),
                })
            }
            TypeExpr::Optional(inner) => {
                let inner = ev.lower_type(file, *inner);
                let holds = self.is_value(ev, &inner) && nullable(&inner).is_none();
                Some(if holds {
                    Ty::external("System", "Nullable", vec![inner])
                } else {
                    inner
                })
            }
            TypeExpr::Tuple(parts) => {
                let names: Vec<&str> = parts
                    .iter()
                    .map(|part| match facts.ty(*part) {
                        TypeExpr::Binding(name, _) => facts.name(*name),
                        _ => "",
                    })
                    .collect();
                if names.iter().all(|name| name.is_empty()) {
                    return None;
                }
                let symbol = format!("({})", names.join(","));
                let args = ev.lower_types(file, parts);
                Some(Ty::external("System", &symbol, args))
            }
            _ => None,
        }
    }

    /// Whether a type is a value type: a struct, an enum, a number.
    pub(super) fn is_value(&self, ev: &Eval<'_>, ty: &Ty) -> bool {
        match ty {
            Ty::Instance(def, _) => matches!(
                ev.repo.def(*def).kind,
                SymbolKind::Struct | SymbolKind::Enum
            ),
            Ty::ExternalInstance(external, _) => super::tables::is_value_type(external),
            _ => false,
        }
    }

    /// A value as an instance of an external type, which is its own type or one that it inherits from.
    pub(super) fn external_view(
        &self,
        ev: &mut Eval<'_>,
        actual: &Ty,
        wanted: &External,
    ) -> Option<Ty> {
        let actual = match actual {
            Ty::Param(..) => ev.resolve_type_param(actual),
            other => other.clone(),
        };
        let mut stack: Vec<Ty> = match &actual {
            Ty::ExternalInstance(..) => vec![actual.clone()],
            Ty::Instance(..) => {
                let order = ev.member_search_order(&actual);
                let outside = |ty: &Ty| matches!(ty, Ty::ExternalInstance(..));
                order.into_iter().filter(outside).rev().collect()
            }
            _ => return None,
        };
        // Generic collections have the interfaces of before, too.
        let is_interface = |e: &External| e.symbol.starts_with('I') && !e.symbol.starts_with("Im");
        let is_concrete = match &actual {
            Ty::ExternalInstance(external, _) => !is_interface(external),
            _ => true,
        };
        let is_old = &*wanted.package == "System.Collections"
            && (is_concrete || &*wanted.symbol == "IEnumerable");
        let mut steps = 0;
        while let Some(next) = stack.pop() {
            steps += 1;
            let Ty::ExternalInstance(external, args) = &next else {
                continue;
            };
            if external == wanted {
                return Some(next);
            }
            if is_old && external.symbol == wanted.symbol {
                return Some(Ty::ExternalInstance(wanted.clone(), no_args()));
            }
            if steps > 50 {
                return None;
            }
            stack.extend(tables().supers(external, args).into_iter().rev());
        }
        None
    }

    /// The element type of a loop over a value.
    pub(super) fn iterated(&self, ev: &mut Eval<'_>, of: &Ty) -> Ty {
        let opened = ev.resolve_type_param(of);
        if let Ty::Tuple(_) = &opened {
            return Ty::Unknown;
        }
        if let Some(element) = super::tables::array_element(&opened) {
            return element;
        }
        for wanted in ["IEnumerable", "IAsyncEnumerable"] {
            let wanted = External::new("System.Collections.Generic", wanted);
            if let Some(found) = self.external_view(ev, &opened, &wanted) {
                return found.arg(0);
            }
        }
        let old = External::new("System.Collections", "IEnumerable");
        if self.external_view(ev, &opened, &old).is_some() {
            return system("Object");
        }
        if let Ty::ExternalInstance(external, args) = &opened
            && matches!(&*external.symbol, "Span" | "ReadOnlySpan")
        {
            return args.first().cloned().unwrap_or_default();
        }
        if !matches!(opened, Ty::Instance(..)) {
            return Ty::Unknown;
        }
        let enumerator = self.result_of_member(ev, &opened, "GetEnumerator");
        match &enumerator {
            Ty::ExternalInstance(..) => enumerator.arg(0),
            Ty::Instance(..) => {
                let (entity, owner) = ev.resolve_member(&enumerator, "Current");
                ev.type_of_entity(&entity, owner.as_ref())
            }
            _ => Ty::Unknown,
        }
    }

    /// The result type of the only method with a name, if it takes no arguments.
    fn result_of_member(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Ty {
        let (Entity::Defs(defs), owner) = ev.resolve_member(object, name) else {
            return Ty::Unknown;
        };
        let repo = ev.repo;
        let is_plain = |d: &&GlobalDef| {
            let callable = repo.def(**d).callable.as_deref();
            callable.is_some_and(|c| c.params.is_empty())
        };
        let Some(method) = defs.iter().find(is_plain).copied() else {
            return Ty::Unknown;
        };
        let raw = ev.result_type(method);
        ev.substitute(&raw, owner.as_ref())
    }

    /// `object[index]`.
    pub(super) fn indexed(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        file: FileId,
        index: ExprId,
    ) -> Ty {
        let opened = ev.resolve_type_param(object);
        if let Some(element) = super::tables::array_element(&opened) {
            return element;
        }
        if super::tables::system_name(&opened) == Some("String") {
            return system("Char");
        }
        if let Ty::Instance(class, _) = &opened
            && let Some(found) = self.find_members(ev, *class, "this")
        {
            let mut results: Vec<Ty> = Vec::new();
            for indexer in self.fitting_indexers(ev, found, (file, index)) {
                let raw = ev.type_of_def(indexer);
                results.push(ev.substitute(&raw, Some(&opened)));
            }
            results.dedup();
            return match &results[..] {
                [one] => one.clone(),
                _ => Ty::Unknown,
            };
        }
        let order = match &opened {
            Ty::Instance(..) => ev.member_search_order(&opened),
            _ => vec![opened],
        };
        order
            .iter()
            .filter(|ty| matches!(ty, Ty::ExternalInstance(..)))
            .find_map(|ty| self.platform_property(ev, ty, "[]"))
            .unwrap_or_default()
    }

    /// The indexers that take an index of the argument's type.
    fn fitting_indexers(
        &self,
        ev: &mut Eval<'_>,
        all: Vec<GlobalDef>,
        (file, index): (FileId, ExprId),
    ) -> Vec<GlobalDef> {
        if all.len() < 2 {
            return all;
        }
        let given = ev.type_of_expr(file, index);
        let mut exact = Vec::new();
        let mut fitting = Vec::new();
        for indexer in all {
            let callable = ev.repo.def(indexer).callable.as_deref();
            let Some(ty) = callable.and_then(|c| c.params.first()).and_then(|p| p.ty) else {
                continue;
            };
            let wanted = ev.lower_type(indexer.file, ty);
            if wanted == given && !given.is_unknown() {
                exact.push(indexer);
            }
            if self.fit(ev, &given, &wanted) != super::fit::Fit::No {
                fitting.push(indexer);
            }
        }
        if exact.is_empty() { fitting } else { exact }
    }

    /// The type of the n-th part of a value that is deconstructed.
    pub(super) fn deconstructed(&self, ev: &mut Eval<'_>, of: &Ty, n: u32) -> Ty {
        match of {
            Ty::Object(..) => {
                let (entity, owner) = ev.resolve_member(of, &format!("Item{}", n + 1));
                ev.type_of_entity(&entity, owner.as_ref())
            }
            Ty::ExternalInstance(external, _)
                if external.symbol.starts_with('(') || &*external.symbol == "KeyValuePair" =>
            {
                of.arg(n as usize)
            }
            Ty::Instance(class, _) => {
                let class = self.parts.whole(*class);
                self.deconstructed_object(ev, class, of, n)
            }
            _ => Ty::Unknown,
        }
    }

    fn deconstructed_object(&self, ev: &mut Eval<'_>, class: GlobalDef, of: &Ty, n: u32) -> Ty {
        let repo = ev.repo;
        let written = self.find_members(ev, class, "Deconstruct");
        let name = repo.def_name(class).to_owned();
        let sym = repo.find_sym(&name);
        // A record is deconstructed into the parameters of its constructor.
        let primary = || {
            let sym = sym?;
            let mut named = repo.children_named(class, sym);
            named.find(|d| repo.def(*d).kind == SymbolKind::Constructor)
        };
        let method = match written {
            Some(methods) => match methods[..] {
                [one] => Some(one),
                _ => None,
            },
            None => primary(),
        };
        let callable = method.and_then(|m| repo.def(m).callable.as_deref());
        let ty = callable
            .and_then(|c| c.params.get(n as usize))
            .and_then(|p| p.ty);
        match (method, ty) {
            (Some(method), Some(ty)) => {
                let raw = ev.lower_type(method.file, ty);
                ev.substitute(&raw, Some(of))
            }
            _ => Ty::Unknown,
        }
    }
}

/// Whether a definition can be named as a member of its type.
fn is_member(repo: &Repo, def: GlobalDef) -> bool {
    let it = repo.def(def);
    it.kind != SymbolKind::Constructor
        && (it.kind.is_type() || !it.flags.has(DefFlags::EXPLICIT))
        && !it.flags.has(DefFlags::ANONYMOUS)
}
