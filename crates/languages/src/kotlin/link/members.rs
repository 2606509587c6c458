//! Properties of values and classes.

use super::Kotlin;
use super::names::Level;
use super::packages::is_type;
use super::platform::{self, standard};
use super::select::Fit;
use base::facts::*;
use base::{Language, SymbolKind};
use linker::eval::Eval;
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;

/// What a name denotes, and the object that it was taken from.
pub(super) type Denoted = (Entity, Option<Ty>);

impl Kotlin {
    /// A property that a value's type has itself.
    pub(super) fn own_property(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
        file: FileId,
    ) -> Option<Denoted> {
        ev.guard_recursion(|ev| self.own_property_inner(ev, object, name, file))
    }

    fn own_property_inner(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
        file: FileId,
    ) -> Option<Denoted> {
        let opened = platform::kotlin_type(&ev.resolve_type_param(object));
        match &opened {
            Ty::Union(parts) => {
                let joined = self.join(ev, parts);
                if matches!(joined, Ty::Union(_)) {
                    return None;
                }
                self.own_property(ev, &joined, name, file)
            }
            Ty::Instance(..) | Ty::Super(_) => self.property_of_class(ev, &opened, name, file),
            Ty::Class(class, _) => self.static_value(ev, *class, name, file),
            Ty::ExternalInstance(..) => {
                let found = standard().property(&opened, name)?;
                Some((Entity::Value(found), None))
            }
            _ => None,
        }
    }

    fn property_of_class(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
        file: FileId,
    ) -> Option<Denoted> {
        let repo = ev.repo;
        let sym = repo.find_sym(name);
        for holder in ev.member_search_order(object) {
            if !ev.spend(1) {
                return None;
            }
            match &holder {
                Ty::Instance(class, _) => {
                    let Some(sym) = sym else { continue };
                    let named = repo.children_named(*class, sym);
                    if !ev.spend_on_namesakes(named.len()) {
                        return None;
                    }
                    let is_java = repo.language(class.file) == Language::Java;
                    let mut named = named.filter(|def| {
                        let it = repo.def(*def);
                        let is_hidden =
                            it.visibility == base::Visibility::Private && def.file != file;
                        let is_other = it.kind.is_callable()
                            || is_type(repo, *def)
                            || it.flags.has(DefFlags::EXTENSION)
                            || it.kind == SymbolKind::EnumMember;
                        let is_static_of_java = is_java && it.flags.has(DefFlags::STATIC);
                        !(is_other || is_static_of_java || is_hidden)
                    });
                    if let Some(found) = named.next() {
                        let owner = match object {
                            Ty::Super(class) => ev.identity_instance(*class),
                            other => other.clone(),
                        };
                        return Some((Entity::def(found), Some(owner)));
                    }
                }
                Ty::ExternalInstance(..) => {
                    let of = platform::kotlin_type(&holder);
                    if let Some(found) = standard().property(&of, name) {
                        return Some((Entity::Value(found), None));
                    }
                }
                _ => {}
            }
        }
        let of_enum = match (object, name) {
            (Ty::Instance(class, _), _) if repo.def(*class).kind == SymbolKind::Enum => {
                match name {
                    "name" => Some(platform::kotlin("String")),
                    "ordinal" => Some(platform::kotlin("Int")),
                    _ => None,
                }
            }
            _ => None,
        };
        of_enum.map(|ty| (Entity::Value(ty), None))
    }

    /// What a class itself has under a name, as a value: constants of an enum, objects, what its companion has.
    pub(super) fn static_value(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        name: &str,
        file: FileId,
    ) -> Option<Denoted> {
        let repo = ev.repo;
        if repo.def(class).flags.has(DefFlags::OBJECT) {
            let object = Ty::instance(class);
            if let Some(found) = self.property_of_class(ev, &object, name, file) {
                return Some(found);
            }
        }
        let sym = repo.find_sym(name);
        for holder in ev.member_search_order(&Ty::instance(class)) {
            let Ty::Instance(holder, _) = holder else {
                continue;
            };
            if !ev.spend(1) {
                return None;
            }
            if let Some(sym) = sym {
                let named = repo.children_named(holder, sym);
                if !ev.spend_on_namesakes(named.len()) {
                    return None;
                }
                let mut named = named.filter(|def| {
                    let it = repo.def(*def);
                    let is_java = repo.language(def.file) == Language::Java;
                    it.kind == SymbolKind::EnumMember
                        || is_type(repo, *def)
                        || (is_java && !it.kind.is_callable() && it.flags.has(DefFlags::STATIC))
                });
                if let Some(found) = named.next() {
                    return Some((Entity::def(found), None));
                }
            }
            if let Some(companion) = super::companion(repo, holder) {
                let object = Ty::instance(companion);
                if let Some(found) = self.property_of_class(ev, &object, name, file) {
                    return Some(found);
                }
            }
        }
        if repo.def(class).kind == SymbolKind::Enum && name == "entries" {
            let list = Ty::external("kotlin", "List", vec![Ty::instance(class)]);
            return Some((Entity::Value(list), None));
        }
        None
    }

    /// An extension property for a value, among the definitions that a file sees.
    pub(super) fn extension_property(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        levels: &[Level],
    ) -> Option<Denoted> {
        let repo = ev.repo;
        for level in levels {
            let Level::Defs(defs) = level else { continue };
            for def in defs {
                let it = repo.def(*def);
                if it.kind.is_callable() || !it.flags.has(DefFlags::EXTENSION) || !ev.spend(1) {
                    continue;
                }
                let Some(wanted) = self.receiver_type(ev, *def) else {
                    continue;
                };
                if self.receiver_fit(ev, *def, &wanted, object) == Fit::Strict {
                    return Some((Entity::def(*def), Some(object.clone())));
                }
            }
        }
        None
    }

    /// The written type of the receiver of an extension.
    pub(super) fn receiver_type(&self, ev: &mut Eval<'_>, def: GlobalDef) -> Option<Ty> {
        let callable = ev.repo.def(def).callable.as_deref()?;
        let first = callable.params.first()?;
        let ty = first.ty.filter(|_| first.kind == ParamKind::Receiver)?;
        Some(ev.lower_type(def.file, ty))
    }

    /// A property of a value: its own, an extension.
    pub(super) fn property(
        &self,
        ev: &mut Eval<'_>,
        object: &Ty,
        name: &str,
        file: FileId,
    ) -> Option<Denoted> {
        if object.is_unknown() || *object == Ty::Null {
            return None;
        }
        if let Some(found) = self.own_property(ev, object, name, file) {
            return Some(found);
        }
        let levels = self.levels_of_text(ev, file, name);
        let has_any = levels.iter().any(|level| match level {
            Level::Defs(defs) => defs.iter().any(|def| {
                let it = ev.repo.def(*def);
                it.flags.has(DefFlags::EXTENSION) && !it.kind.is_callable()
            }),
            _ => false,
        });
        if !has_any {
            return None;
        }
        let object = self.as_object(ev, object);
        self.extension_property(ev, &object, &levels)
    }

    /// A class that is used as a value: its companion or itself as an object.
    pub(super) fn as_object(&self, ev: &mut Eval<'_>, ty: &Ty) -> Ty {
        let Ty::Class(class, _) = ty else {
            return ty.clone();
        };
        let repo = ev.repo;
        if repo.def(*class).flags.has(DefFlags::OBJECT) {
            return Ty::instance(*class);
        }
        match super::companion(repo, *class) {
            Some(companion) => Ty::instance(companion),
            None => ty.clone(),
        }
    }

    /// The nearest type that all types have in common: one of them, or a common supertype.
    pub(super) fn join(&self, ev: &mut Eval<'_>, parts: &[Ty]) -> Ty {
        let [first, rest @ ..] = parts else {
            return Ty::Unknown;
        };
        if !ev.spend(parts.len()) {
            return Ty::Unknown;
        }
        let candidates = match first {
            Ty::Instance(..) => ev.member_search_order(first),
            other => vec![other.clone()],
        };
        for candidate in candidates {
            let fits = rest
                .iter()
                .all(|part| self.fit(ev, part, &candidate) == Fit::Strict);
            if fits && !platform::is_any(&candidate) {
                return candidate;
            }
        }
        Ty::Union(parts.to_vec().into())
    }
}
