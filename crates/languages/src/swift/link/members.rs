//! Members of types: in their bodies, in extensions, inherited, and given by protocols.

use super::Swift;
use super::fit::Fit;
use super::platform::{self, standard};
use super::tables::{Extended, drop_left_out, is_type};
use crate::ancestry::Supertype;
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::repo::{FileId, GlobalDef, Repo, Sym};
use linker::ty::*;

/// The level of members that extensions of protocols give to a type.
const EXTENSIONS: u32 = 1_000;
/// The level of what protocols require, where a type has it by an extension.
const REQUIREMENTS: u32 = 2_000;
/// Most bodies and extensions in which a member is looked up.
const MOST_PARTS: usize = 2_000;

/// A body or extension that may have a member. The nearest level counts first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Holder {
    pub(super) part: GlobalDef,
    pub(super) level: u32,
}

impl Swift {
    /// The bodies and extensions that have the members of a value or type, nearest first.
    pub(super) fn holders(&self, repo: &Repo, object: &Ty) -> Vec<Holder> {
        let mut out = Vec::new();
        match object {
            Ty::Instance(def, _) | Ty::Class(def, _) => {
                self.holders_inside(repo, self.tables.whole(*def), &mut out);
            }
            Ty::Super(def) => match self.superclass(repo, self.tables.whole(*def)) {
                Some(Supertype::Inside(above)) => self.holders_inside(repo, *above, &mut out),
                Some(Supertype::Outside(external)) => {
                    let above = Ty::ExternalInstance(external.clone(), no_args());
                    self.holders_outside(&above, 0, &mut out);
                }
                _ => {}
            },
            Ty::ExternalInstance(..) => self.holders_outside(object, 0, &mut out),
            Ty::External(external) => {
                let value = Ty::ExternalInstance(external.clone(), no_args());
                self.holders_outside(&value, 0, &mut out);
            }
            _ => {}
        }
        out.sort_by_key(|holder| holder.level);
        out.truncate(MOST_PARTS);
        out
    }

    fn holders_inside(&self, repo: &Repo, def: GlobalDef, out: &mut Vec<Holder>) {
        let is_protocol = repo.def(def).kind == SymbolKind::Interface;
        for (holder, at) in self.tables.ancestry.self_and_ancestors(def).zip(0..) {
            let (body, extensions) = match repo.def(holder).kind {
                SymbolKind::Interface if is_protocol => (at, EXTENSIONS + at),
                SymbolKind::Interface => (REQUIREMENTS + at, EXTENSIONS + at),
                _ => (at, at),
            };
            out.push(Holder {
                part: holder,
                level: body,
            });
            let parts = self.tables.extensions(holder).iter();
            out.extend(parts.map(|part| Holder {
                part: *part,
                level: extensions,
            }));
        }
        for external in self.tables.ancestry.external_supertypes(def).flatten() {
            let above = Ty::ExternalInstance(external.clone(), no_args());
            self.holders_outside(&above, EXTENSIONS + 500, out);
        }
    }

    fn holders_outside(&self, of: &Ty, from: u32, out: &mut Vec<Holder>) {
        for (ty, at) in standard().with_supers(of).iter().zip(from..) {
            let Some(symbol) = platform::symbol(ty) else {
                continue;
            };
            let extensions = self.tables.outside_extensions(symbol).iter();
            out.extend(extensions.map(|part| Holder {
                part: *part,
                level: at,
            }));
            for protocol in self.tables.outside_protocols(symbol) {
                for holder in self.tables.ancestry.self_and_ancestors(*protocol) {
                    out.push(Holder {
                        part: holder,
                        level: REQUIREMENTS + at,
                    });
                    let parts = self.tables.extensions(holder).iter();
                    out.extend(parts.map(|part| Holder {
                        part: *part,
                        level: EXTENSIONS + at,
                    }));
                }
            }
        }
    }

    /// The class that a class inherits from.
    pub(super) fn superclass(&self, repo: &Repo, class: GlobalDef) -> Option<&Supertype> {
        let direct = self.tables.ancestry.direct_supertypes(class);
        if repo.def(class).kind != SymbolKind::Class {
            return None;
        }
        direct.iter().find(|above| match above {
            Supertype::Inside(def) => repo.def(*def).kind == SymbolKind::Class,
            Supertype::Outside(external) => !standard().knows(&external.symbol),
            Supertype::Unknown => true,
        })
    }

    /// Members of a name in one body or extension.
    pub(super) fn named_in(
        &self,
        ev: &mut Eval<'_>,
        part: GlobalDef,
        name: Sym,
        from: FileId,
    ) -> Vec<GlobalDef> {
        let repo = ev.repo;
        let named = repo.children_named(part, name);
        if named.len() == 0 || !ev.spend_on_namesakes(named.len()) {
            return Vec::new();
        }
        named
            .filter(|d| self.tables.modules.sees(repo, from, *d, true))
            .collect()
    }

    /// The members of a name in the nearest body or extension that has one.
    pub(super) fn find_members(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
    ) -> Option<Vec<GlobalDef>> {
        let repo = ev.repo;
        let sym = repo.find_sym(name)?;
        let from = ev.current_file()?;
        if ev.is_out_of_fuel() {
            return None;
        }
        let wants_static = matches!(object, Ty::Class(..) | Ty::External(_));
        let mut other: Option<Vec<GlobalDef>> = None;
        let mut found: Vec<GlobalDef> = Vec::new();
        let mut level = 0;
        for holder in self.holders(repo, object) {
            if holder.level != level && !found.is_empty() {
                break;
            }
            level = holder.level;
            if !ev.spend(1) {
                return None;
            }
            let named = self.named_in(ev, holder.part, sym, from);
            if named.is_empty() || !self.applies(ev, holder.part, object) {
                continue;
            }
            let (fitting, rest): (Vec<GlobalDef>, Vec<GlobalDef>) = named
                .into_iter()
                .partition(|d| is_static(repo, *d) == wants_static);
            found.extend(fitting);
            if other.is_none() && !rest.is_empty() {
                other = Some(rest);
            }
        }
        if found.is_empty() {
            return other;
        }
        drop_left_out(repo, &mut found);
        Some(found)
    }

    /// Whether the constraints of an extension allow it for an object.
    pub(super) fn applies(&self, ev: &mut Eval<'_>, part: GlobalDef, object: &Ty) -> bool {
        let def = ev.repo.def(part);
        let (SymbolKind::Impl, Some(ty)) = (def.kind, def.ty) else {
            return true;
        };
        let has_args = matches!(ev.repo.facts(part.file).ty(ty), TypeExpr::Named { args, .. } if !args.is_empty());
        if !has_args && !matches!(ev.repo.facts(part.file).ty(ty), TypeExpr::Array(_)) {
            return true;
        }
        let wanted = ev.lower_type(part.file, ty);
        let view = self.seen_as_type(ev, object, &wanted);
        let (Some(view), Ty::Instance(_, wanted) | Ty::ExternalInstance(_, wanted)) =
            (view, &wanted)
        else {
            return true;
        };
        let given = match &view {
            Ty::Instance(_, args) | Ty::ExternalInstance(_, args) => args.clone(),
            _ => return true,
        };
        let mut pairs = given.iter().zip(wanted.iter());
        !pairs.any(|(given, wanted)| self.fit(ev, given, wanted) == Fit::No)
    }

    /// A value as an instance of the class of another type.
    pub(super) fn seen_as_type(&self, ev: &mut Eval<'_>, actual: &Ty, wanted: &Ty) -> Option<Ty> {
        let actual = ev.resolve_type_param(actual);
        match (&actual, wanted) {
            (Ty::Instance(..), Ty::Instance(def, _)) => {
                let order = ev.member_search_order(&actual);
                order
                    .into_iter()
                    .find(|ty| matches!(ty, Ty::Instance(d, _) if d == def))
            }
            (Ty::ExternalInstance(..), Ty::ExternalInstance(external, _)) => standard()
                .with_supers(&actual)
                .into_iter()
                .find(|ty| platform::symbol(ty) == Some(&external.symbol)),
            (Ty::Instance(..), Ty::ExternalInstance(external, _)) => {
                let order = ev.member_search_order(&actual);
                let mut outside = order
                    .iter()
                    .filter(|ty| matches!(ty, Ty::ExternalInstance(..)))
                    .flat_map(|ty| standard().with_supers(ty));
                outside.find(|ty| platform::symbol(ty) == Some(&external.symbol))
            }
            _ => None,
        }
    }

    /// `object.name` on a type of the repository.
    pub(super) fn member_of(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Entity> {
        if !matches!(object, Ty::Instance(..) | Ty::Class(..) | Ty::Super(_)) {
            return None;
        }
        if let Some(found) = self.find_members(ev, object, name) {
            return Some(Entity::defs(found));
        }
        if let Some(found) = self.wrapped_property(ev, object, name) {
            return Some(Entity::Value(found));
        }
        if let Some(found) = self.inherited_property(ev, object, name) {
            return Some(Entity::Value(found));
        }
        Some(self.outside_member_of(object, name))
    }

    /// A member that a type of the repository may have from a type outside of it.
    pub(super) fn outside_member_of(&self, object: &Ty, name: &str) -> Entity {
        let (Ty::Instance(def, _) | Ty::Class(def, _) | Ty::Super(def)) = object else {
            return Entity::Unknown;
        };
        let class = self.tables.whole(*def);
        let mut outside = self.tables.ancestry.external_supertypes(class);
        match outside.next() {
            Some(Some(external)) => Entity::External(external.member(name)),
            Some(None) => Entity::Unknown,
            None if matches!(name, "rawValue" | "hashValue" | "allCases" | "hash") => {
                Entity::External(External::new("Swift", name))
            }
            None => Entity::Unknown,
        }
    }

    /// `_name` and `$name` of a property with a wrapper.
    fn wrapped_property(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Ty> {
        let (is_projected, plain) = match name.strip_prefix('$') {
            Some(plain) => (true, plain),
            None => (false, name.strip_prefix('_')?),
        };
        let found = self.find_members(ev, object, plain)?;
        let property = found.first().copied()?;
        let decorator = ev.repo.def(property).decorators.first().copied()?;
        let wrapper = match ev.repo.facts(property.file).expr(decorator) {
            Expr::Type(ty) => ev.lower_type(property.file, *ty),
            _ => return None,
        };
        if !is_projected {
            return Some(wrapper);
        }
        if !matches!(wrapper, Ty::Instance(..)) {
            return Some(Ty::Unknown);
        }
        let (entity, owner) = ev.resolve_member(&wrapper, "projectedValue");
        Some(ev.type_of_entity(&entity, owner.as_ref()))
    }

    /// The type of a property that a type of the repository has from the standard library.
    fn inherited_property(&self, ev: &mut Eval<'_>, object: &Ty, name: &str) -> Option<Ty> {
        let (Ty::Instance(def, _) | Ty::Class(def, _)) = object else {
            return None;
        };
        self.tables
            .ancestry
            .external_supertypes(self.tables.whole(*def))
            .next()?;
        let order = match object {
            Ty::Class(def, args) => ev.member_search_order(&Ty::Instance(*def, args.clone())),
            other => ev.member_search_order(other),
        };
        let outside = order
            .iter()
            .filter(|ty| matches!(ty, Ty::ExternalInstance(..)));
        let found = outside.filter_map(|ty| standard().member(ty, name));
        let (member, holder) = found.into_iter().next()?;
        Some(self.instantiate(ev, &member.ty, &holder, object, None))
    }

    /// A property of a value outside the repository, or of a tuple.
    pub(super) fn outside_property(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
    ) -> Option<Entity> {
        match object {
            Ty::ExternalInstance(external, args) => {
                if let Some(labels) = platform::tuple_labels(external) {
                    let at = labels.iter().position(|label| *label == name);
                    let at = at.or_else(|| name.parse().ok())?;
                    return args.get(at).cloned().map(Entity::Value);
                }
                if let Some(found) = self.find_members(ev, object, name) {
                    return Some(Entity::defs(found));
                }
                if let Some((member, holder)) = standard().member(object, name) {
                    let ty = self.instantiate(ev, &member.ty, &holder, object, None);
                    return Some(Entity::Value(ty));
                }
                if platform::is_optional(object) {
                    let inner = object.arg(0);
                    let from = ev.current_file()?;
                    let (found, _) = ev.resolve_entity_member(
                        from,
                        Entity::Value(inner),
                        None,
                        name,
                        Namespace::VALUE,
                    );
                    return Some(found);
                }
                None
            }
            Ty::External(external) => {
                if let Some(found) = self.find_members(ev, object, name) {
                    return Some(Entity::defs(found));
                }
                let value = Ty::ExternalInstance(external.clone(), no_args());
                if let Some((member, holder)) = standard().member(&value, name) {
                    let ty = self.instantiate(ev, &member.ty, &holder, &value, None);
                    return Some(Entity::Value(ty));
                }
                None
            }
            _ => None,
        }
    }

    /// The direct supertypes of a type, with the associated types that it gives to protocols.
    pub(super) fn supertypes(&self, ev: &mut Eval<'_>, ty: GlobalDef) -> Vec<Ty> {
        let whole = self.tables.whole(ty);
        // Protocols that others require are seen with the associated types of the type itself.
        let mut out = self.protocols_above(ev, whole);
        let parts: Vec<GlobalDef> = std::iter::once(whole)
            .chain(self.tables.extensions(whole).iter().copied())
            .collect();
        for part in parts {
            for written in ev.lower_supertypes(part) {
                for above in written.alternatives() {
                    out.push(self.with_associated(ev, whole, above));
                }
            }
        }
        out
    }

    /// The protocols with associated types that a type has, with what it gives to them.
    fn protocols_above(&self, ev: &mut Eval<'_>, whole: GlobalDef) -> Vec<Ty> {
        let repo = ev.repo;
        let mut out = Vec::new();
        if repo.def(whole).kind == SymbolKind::Interface {
            return out;
        }
        for above in self.tables.ancestry.ancestors(whole) {
            let it = repo.def(*above);
            if it.kind == SymbolKind::Interface && !it.type_params.is_empty() {
                out.push(self.with_associated(ev, whole, &Ty::instance(*above)));
            }
        }
        out
    }

    /// A protocol with the types that a type gives to its associated types.
    fn with_associated(&self, ev: &mut Eval<'_>, of: GlobalDef, protocol: &Ty) -> Ty {
        let repo = ev.repo;
        let Ty::Instance(def, args) = protocol else {
            return protocol.clone();
        };
        let it = repo.def(*def);
        if it.kind != SymbolKind::Interface
            || it.type_params.is_empty()
            || repo.def(of).kind == SymbolKind::Interface
        {
            return protocol.clone();
        }
        let facts = repo.facts(def.file);
        let mut filled = Vec::new();
        for (n, param) in it.type_params.iter().enumerate() {
            let given = args.get(n).cloned().unwrap_or_default();
            let name = facts.name(param.name);
            filled.push(given.or_else(|| self.associated(ev, of, name)));
        }
        Ty::Instance(*def, filled.into())
    }

    /// The type that a type gives to an associated type: a type or alias of that name in it, or a type parameter.
    pub(super) fn associated(&self, ev: &mut Eval<'_>, of: GlobalDef, name: &str) -> Ty {
        let repo = ev.repo;
        let params = &repo.def(of).type_params;
        let facts = repo.facts(of.file);
        if let Some(at) = params.iter().position(|p| facts.name(p.name) == name) {
            return Ty::Param(of, at as u32);
        }
        let Some(sym) = repo.find_sym(name) else {
            return Ty::Unknown;
        };
        let parts = std::iter::once(&of).chain(self.tables.extensions(of));
        for part in parts {
            let found = repo.children_named(*part, sym).find(|d| is_type(repo, *d));
            let Some(found) = found else { continue };
            return match repo.def(found).ty {
                Some(ty) if repo.def(found).kind == SymbolKind::TypeAlias => {
                    ev.lower_type(found.file, ty)
                }
                _ => Ty::instance(found),
            };
        }
        Ty::Unknown
    }

    /// The type of `self` in a body or extension.
    pub(super) fn self_of(&self, ev: &mut Eval<'_>, owner: GlobalDef) -> Ty {
        if ev.repo.def(owner).kind != SymbolKind::Impl {
            return ev.identity_instance(owner);
        }
        if let Some(stated) = self.stated_self(ev, owner) {
            return stated;
        }
        match self.tables.extended(owner) {
            Some(Extended::Inside(def)) => {
                let own = ev.identity_instance(*def);
                let written = ev.repo.def(owner).ty;
                let given = written.map(|ty| ev.lower_type(owner.file, ty));
                match (own, given) {
                    (Ty::Instance(def, own), Some(Ty::Instance(same, given)))
                        if same == def && !given.is_empty() =>
                    {
                        let filled = own.iter().enumerate().map(|(n, param)| {
                            let given = given.get(n).cloned().unwrap_or_default();
                            given.or_else(|| param.clone())
                        });
                        Ty::Instance(def, filled.collect())
                    }
                    (own, _) => own,
                }
            }
            _ => match ev.repo.def(owner).ty {
                Some(ty) => {
                    let ty = ev.lower_type(owner.file, ty);
                    self.with_own_params(owner, ty)
                }
                None => Ty::Unknown,
            },
        }
    }

    /// A type outside the repository with the parameters by which its extension knows its arguments.
    fn with_own_params(&self, extension: GlobalDef, ty: Ty) -> Ty {
        let Ty::ExternalInstance(external, args) = &ty else {
            return ty;
        };
        let count = standard().param_count(&external.symbol);
        let filled: Vec<Ty> = (0..count)
            .map(|n| {
                let given = args.get(n).cloned().unwrap_or_default();
                given.or_else(|| Ty::Param(extension, n as u32))
            })
            .collect();
        Ty::ExternalInstance(external.clone(), filled.into())
    }
}

/// Whether a member belongs to its type, not to an instance.
pub(super) fn is_static(repo: &Repo, def: GlobalDef) -> bool {
    let it = repo.def(def);
    it.flags.has(DefFlags::STATIC)
        || it.kind == SymbolKind::Constructor
        || it.kind == SymbolKind::EnumMember
        || is_type(repo, def)
}

impl Swift {
    /// `T.name`, `.name` of an expected type.
    pub(super) fn member_of_type(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        ty: &Ty,
        name: &str,
    ) -> (Entity, Option<Ty>) {
        let mut class = self.meta(ev, ty);
        if platform::is_optional(&class) {
            if let "some" | "none" = name {
                return (
                    Entity::External(External::new("Swift", "Optional").member(name)),
                    Some(class),
                );
            }
            let inner = class.arg(0);
            class = self.meta(ev, &inner);
        }
        if class.is_unknown() {
            return (Entity::Unknown, Some(Ty::Unknown));
        }
        ev.resolve_entity_member(file, Entity::Value(class), None, name, Namespace::VALUE)
    }

    /// Whether a member takes the place of another: with the same labels, and `override` where a class has it.
    pub(super) fn can_override(&self, repo: &Repo, method: GlobalDef, above: GlobalDef) -> bool {
        let (own, other) = (repo.def(method), repo.def(above));
        if own.flags.has(DefFlags::STATIC) != other.flags.has(DefFlags::STATIC)
            || own.kind != other.kind
        {
            return false;
        }
        let labels = |d: GlobalDef| -> Vec<&str> {
            let callable = repo.def(d).callable.as_deref();
            let params = callable.map_or(&[][..], |c| &c.params);
            params
                .iter()
                .map(|p| super::overloads::label_of(repo, d.file, p))
                .collect()
        };
        if labels(method) != labels(above) {
            return false;
        }
        let parent = |d: GlobalDef| {
            let parent = repo.def(d).parent?;
            Some(
                repo.def(GlobalDef {
                    file: d.file,
                    def: parent,
                })
                .kind,
            )
        };
        match parent(above) {
            Some(SymbolKind::Interface) => true,
            // What an extension of a protocol gives is not overridden.
            Some(SymbolKind::Impl) => own.flags.has(DefFlags::OVERRIDES),
            _ => own.flags.has(DefFlags::OVERRIDES),
        }
    }

    /// Members of a file's types and extensions that implement what protocols require, or override inherited ones.
    pub(super) fn overridden_members(
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
            let kind = repo.def(part).kind;
            if !kind.is_type() && kind != SymbolKind::Impl {
                continue;
            }
            ev.begin_site(file);
            let above = self.all_above(repo, part);
            if above.is_empty() {
                continue;
            }
            for member in repo.children(part) {
                let counts = matches!(
                    repo.def(member).kind,
                    SymbolKind::Method | SymbolKind::Property
                );
                if counts {
                    self.overridden(ev, member, &above, &mut out);
                }
            }
        }
        out
    }

    /// The types whose members those of a body or extension may implement or override.
    fn all_above(&self, repo: &Repo, part: GlobalDef) -> Vec<GlobalDef> {
        match self.tables.extended(part) {
            Some(Extended::Outside(external)) => {
                let of = Ty::ExternalInstance(external.clone(), no_args());
                let mut out = Vec::new();
                for symbol in standard()
                    .with_supers(&of)
                    .iter()
                    .filter_map(platform::symbol)
                {
                    for protocol in self.tables.outside_protocols(symbol) {
                        out.extend(self.tables.ancestry.self_and_ancestors(*protocol));
                    }
                }
                out
            }
            _ => {
                let whole = self.tables.whole(part);
                let mut out = self.tables.ancestry.ancestors(whole).to_vec();
                // An extension of a protocol gives what the protocol requires.
                if repo.def(part).kind == SymbolKind::Impl
                    && repo.def(whole).kind == SymbolKind::Interface
                {
                    out.insert(0, whole);
                }
                out
            }
        }
    }

    fn overridden(
        &self,
        ev: &mut Eval<'_>,
        member: GlobalDef,
        above: &[GlobalDef],
        out: &mut Vec<(GlobalDef, GlobalDef)>,
    ) {
        let repo = ev.repo;
        let sym = repo.sym_of_name(member.file, repo.def(member).name);
        for class in above {
            if !ev.spend(1) {
                return;
            }
            let is_protocol = repo.def(*class).kind == SymbolKind::Interface;
            let extensions = if is_protocol {
                &[][..]
            } else {
                self.tables.extensions(*class)
            };
            for part in std::iter::once(class).chain(extensions) {
                let named = repo.children_named(*part, sym);
                if !ev.spend_on_namesakes(named.len()) {
                    return;
                }
                let found: Vec<GlobalDef> = named
                    .filter(|d| *d != member && self.can_override(repo, member, *d))
                    .collect();
                if let [one] = found[..] {
                    out.push((member, one));
                } else if let Some(one) = self.with_same_types(ev, member, &found) {
                    out.push((member, one));
                }
            }
        }
    }

    /// Of several members with the labels of another, the one whose parameter types equal those of it.
    fn with_same_types(
        &self,
        ev: &mut Eval<'_>,
        member: GlobalDef,
        several: &[GlobalDef],
    ) -> Option<GlobalDef> {
        if several.is_empty() || !ev.spend(several.len()) {
            return None;
        }
        let types = |ev: &mut Eval<'_>, d: GlobalDef| -> Vec<Ty> {
            let callable = ev.repo.def(d).callable.as_deref();
            let params = callable.map_or(&[][..], |c| &c.params);
            params
                .iter()
                .map(|p| p.ty.map(|ty| ev.lower_type(d.file, ty)).unwrap_or_default())
                .collect()
        };
        let own = types(ev, member);
        let mut found = several.iter().filter(|d| types(ev, **d) == own);
        let first = found.next().copied();
        first.filter(|_| found.next().is_none())
    }
}
