//! What a language says of types: their members, supertypes and parameters.

use crate::eval::Eval;
use crate::lang::Implementation;
use crate::repo::{FileId, GlobalDef, Repo, Sym};
use crate::ty::*;
use base::SymbolKind;
use base::facts::TypeId;

/// What a language says of types: their members, supertypes and parameters. Every hook that most languages do not need has a neutral default.
pub trait Members {
    /// Of several members of one name in one definition, those that a build has. Default: all.
    fn stands_for(&self, _repo: &Repo, members: Vec<GlobalDef>) -> Vec<GlobalDef> {
        members
    }

    /// Members of a type that stand outside its definition: Go methods, Rust `impl` blocks.
    fn extra_members(&self, _ev: &mut Eval<'_>, _ty: GlobalDef, _name: Sym) -> Vec<GlobalDef> {
        Vec::new()
    }

    /// Whether a type alias makes a type of its own, with members of its own (Go `type A B`).
    fn defines_type(&self, _ev: &mut Eval<'_>, _alias: GlobalDef) -> bool {
        false
    }

    /// A type parameter as the type of a value. Go: a method's receiver renames those of its type.
    fn type_param(&self, _ev: &mut Eval<'_>, def: GlobalDef, n: u32) -> Ty {
        Ty::Param(def, n)
    }

    /// Direct supertypes, nearest first, as instances; type arguments in terms of the
    /// definition's own parameters. Default: as written in `Def::supers`.
    fn supers(&self, ev: &mut Eval<'_>, ty: GlobalDef) -> Vec<Ty> {
        ev.lower_supertypes(ty)
    }

    /// Whether a method can override another of its name in a supertype. In Java, private methods are not overridden,
    /// nor static ones, nor those that only another package sees. Default: it can.
    fn may_override(&self, _repo: &Repo, _method: GlobalDef, _above: GlobalDef) -> bool {
        true
    }

    /// The interfaces that a type implements without saying so (Go).
    fn implemented(&self, _ev: &mut Eval<'_>, _ty: GlobalDef) -> Vec<Implementation> {
        Vec::new()
    }

    /// The order in which a type and its supertypes are searched, itself first. Default: depth
    /// first, each once. Python: C3.
    fn linearization(&self, ev: &mut Eval<'_>, ty: &Ty) -> Vec<Ty> {
        ev.depth_first_supertypes(ty)
    }

    /// A member of a type before the common search; `None` leaves it to that.
    fn member(&self, _ev: &mut Eval<'_>, _object: &Ty, _name: &str) -> Option<Entity> {
        None
    }

    /// A member of a type parameter that its bounds give by name: Rust `T: Trait<Item = A>`.
    fn param_member(
        &self,
        _ev: &mut Eval<'_>,
        _def: GlobalDef,
        _n: u32,
        _name: &str,
    ) -> Option<Entity> {
        None
    }

    /// What a member of a written type denotes, before the common search, and the type it was taken from; `None` leaves it to
    /// that: Rust `<A as Trait>::m`.
    fn qualified_member(
        &self,
        _ev: &mut Eval<'_>,
        _written: (FileId, TypeId),
        _name: &str,
    ) -> Option<(Entity, Option<Ty>)> {
        None
    }

    /// A member of a type of the repository that neither the type nor what it inherits from or
    /// dereferences to has: Rust blanket impls, derived methods.
    fn missing_member(&self, _ev: &mut Eval<'_>, _object: &Ty, _name: &str) -> Entity {
        Entity::Unknown
    }

    /// A member that the repository gives to a type outside it, seen from `file`: Rust extension
    /// traits.
    fn outside_member(
        &self,
        _ev: &mut Eval<'_>,
        _file: FileId,
        _object: &Ty,
        _name: &str,
    ) -> Option<Entity> {
        None
    }

    /// A type parameter of what extends a type from outside (a Rust impl) as that of the type.
    fn own_param(&self, def: GlobalDef, n: u32) -> (GlobalDef, u32) {
        (def, n)
    }

    /// What a type parameter of a trait, or of an impl for any type, stands for in a receiver that has the trait by such an impl
    /// (Rust). Default: not known.
    fn param_by_receiver(
        &self,
        _ev: &mut Eval<'_>,
        _holder: GlobalDef,
        _n: u32,
        _receiver: &Ty,
    ) -> Option<Ty> {
        None
    }

    /// What reading a field that holds a value gives on an object. Default: that value.
    fn attribute(&self, _ev: &mut Eval<'_>, _field: GlobalDef, value: Ty, _object: &Ty) -> Ty {
        value
    }

    /// The same for a mention that is no call.
    fn mentioned(&self, _ev: &mut Eval<'_>, entity: Entity) -> Entity {
        entity
    }

    /// The payload of an enum variant matched by a pattern. `variant` is what the path denotes.
    fn payload(&self, _ev: &mut Eval<'_>, _value: &Ty, _variant: &Entity, _index: u32) -> Ty {
        Ty::Unknown
    }

    /// The operand through which members are reached: `Box<T>`, `Rc<T>`, `Optional`: the inner
    /// type. `None`: it is reached directly. Called when the type itself has no such member.
    fn dereferenced(&self, _ev: &mut Eval<'_>, _of: &Ty) -> Option<Ty> {
        None
    }

    /// What a function without a written result gives, where another place says so: a declaration in another file, or a
    /// decorator that puts another function in its place (Python).
    fn declared_result(&self, _ev: &mut Eval<'_>, _function: GlobalDef) -> Ty {
        Ty::Unknown
    }

    /// The type of the n-th parameter, where it is written in another file alone.
    fn declared_param(&self, _ev: &mut Eval<'_>, _function: GlobalDef, _n: u32) -> Ty {
        Ty::Unknown
    }

    /// A value decorated by these is still itself (`None`), or becomes this.
    fn decorated(&self, _ev: &mut Eval<'_>, _def: GlobalDef) -> Option<Ty> {
        None
    }

    /// The type of an enum member, or of a variable that has neither a written type nor a value.
    /// Default: enum members are instances of their enum.
    fn untyped(&self, ev: &mut Eval<'_>, def: GlobalDef) -> Ty {
        let it = ev.repo.def(def);
        match (it.kind, it.parent) {
            (SymbolKind::EnumMember, Some(parent)) => Ty::instance(GlobalDef {
                file: def.file,
                def: parent,
            }),
            _ => Ty::Unknown,
        }
    }

    /// Functions that a file gives to members of types, each with the member: C, where fields hold functions. Default: none.
    fn held_by_members(&self, _ev: &mut Eval<'_>, _file: FileId) -> Vec<(GlobalDef, GlobalDef)> {
        Vec::new()
    }
}
