//! Hooks for types: their members, supertypes and parameters.

use crate::eval::Eval;
use crate::lang::Implementation;
use crate::repo::{FileId, GlobalDef, Repo, Sym};
use crate::ty::*;
use base::SymbolKind;
use base::facts::TypeId;

/// What tells methods of one name in one type apart. A method overrides only one that it could not be told apart from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overloading {
    /// Nothing: there is one method of a name.
    None,
    /// The number of parameters, as far as it is compared here: types may be written in several ways.
    ByCount,
    /// The number and the types of parameters.
    ByTypes,
}

/// Hooks for types: their members, supertypes and parameters. A hook that most languages do not need has a neutral
/// default.
pub trait Members {
    /// Of several members of one name in one definition, those that one build has. Default: all.
    fn stands_for(&self, _repo: &Repo, members: Vec<GlobalDef>) -> Vec<GlobalDef> {
        members
    }

    /// The definition that stands for all parts of a type that is written in several (C# `partial`). Default: itself.
    fn whole(&self, part: GlobalDef) -> GlobalDef {
        part
    }

    /// The definition that a written type names, where more than its name decides: in C#, the number of its type
    /// arguments. `None`: its path is resolved name by name.
    fn named_type(&self, _ev: &mut Eval<'_>, _written: (FileId, TypeId)) -> Option<Entity> {
        None
    }

    /// A value's type as the supertype of the same class as `wanted`, where both may lie outside the repository (C#: a
    /// `List<T>` as an `IEnumerable<T>`). `None` if it has none.
    fn seen_as(&self, _ev: &mut Eval<'_>, _actual: &Ty, _wanted: &Ty) -> Option<Ty> {
        None
    }

    /// Members of a type that are outside its definition: Go methods, Rust `impl` blocks.
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

    /// Direct supertypes as instances, nearest first. Type arguments are in terms of the definition's own parameters.
    /// Default: as written in `Def::supers`.
    fn supers(&self, ev: &mut Eval<'_>, ty: GlobalDef) -> Vec<Ty> {
        ev.lower_supertypes(ty)
    }

    /// Whether a method can override `above`, a method of the same name in a supertype. Java: not if `above` is
    /// private, static, or visible only in another package. Default: true.
    fn may_override(&self, _repo: &Repo, _method: GlobalDef, _above: GlobalDef) -> bool {
        true
    }

    /// What tells methods of one name in one type apart.
    fn overloading(&self) -> Overloading {
        Overloading::None
    }

    /// The definitions with the body of a method that its type only declares. C++: they stand outside of the class, often
    /// in another file. Default: the method itself.
    fn definitions_of(&self, _ev: &mut Eval<'_>, method: GlobalDef) -> Vec<GlobalDef> {
        vec![method]
    }

    /// The interfaces that a type implements without declaring them (Go).
    fn implemented(&self, _ev: &mut Eval<'_>, _ty: GlobalDef) -> Vec<Implementation> {
        Vec::new()
    }

    /// The order in which a type and its supertypes are searched, the type first. Default: depth first, each type once.
    /// Python: C3.
    fn linearization(&self, ev: &mut Eval<'_>, ty: &Ty) -> Vec<Ty> {
        ev.depth_first_supertypes(ty)
    }

    /// A member of a type, looked up before the common search; `None`: the common search applies.
    fn member(&self, _ev: &mut Eval<'_>, _object: &Ty, _name: &str) -> Option<Entity> {
        None
    }

    /// A member of a type parameter that its bounds state by name: Rust `T: Trait<Item = A>`.
    fn param_member(
        &self,
        _ev: &mut Eval<'_>,
        _def: GlobalDef,
        _n: u32,
        _name: &str,
    ) -> Option<Entity> {
        None
    }

    /// The type of a value of a written type, before the common rules; `None` if they apply: C++ types inside of types from
    /// outside.
    fn written_type(&self, _ev: &mut Eval<'_>, _written: (FileId, TypeId)) -> Option<Ty> {
        None
    }

    /// A member of a written type and the type it was taken from, looked up before the common search: Rust
    /// `<A as Trait>::m`. `None`: the common search applies.
    fn qualified_member(
        &self,
        _ev: &mut Eval<'_>,
        _written: (FileId, TypeId),
        _name: &str,
    ) -> Option<(Entity, Option<Ty>)> {
        None
    }

    /// A member of a type of the repository that neither the type, nor a supertype, nor what it dereferences to has:
    /// Rust blanket impls and derived methods.
    fn missing_member(&self, _ev: &mut Eval<'_>, _object: &Ty, _name: &str) -> Entity {
        Entity::Unknown
    }

    /// A member that the repository adds to an external type, as seen from `file`: Rust extension traits.
    fn outside_member(
        &self,
        _ev: &mut Eval<'_>,
        _file: FileId,
        _object: &Ty,
        _name: &str,
    ) -> Option<Entity> {
        None
    }

    /// A type parameter of a definition that extends a type from outside (a Rust impl), as a parameter of that type.
    fn own_param(&self, def: GlobalDef, n: u32) -> (GlobalDef, u32) {
        (def, n)
    }

    /// The value of a type parameter of a trait, or of a blanket impl, for a receiver that has the trait by that impl
    /// (Rust). Default: unknown.
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

    /// The inner type through which members are reached: `T` for `Box<T>`, `Rc<T>`, `Optional`. `None`: members are
    /// reached directly. Called when the type itself has no such member.
    fn dereferenced(&self, _ev: &mut Eval<'_>, _of: &Ty) -> Option<Ty> {
        None
    }

    /// The result type of a function that has none written, where another place declares it: a declaration in another
    /// file, or a decorator that replaces the function by another one (Python).
    fn declared_result(&self, _ev: &mut Eval<'_>, _function: GlobalDef) -> Ty {
        Ty::Unknown
    }

    /// The type of the n-th parameter, where only another file declares it.
    fn declared_param(&self, _ev: &mut Eval<'_>, _function: GlobalDef, _n: u32) -> Ty {
        Ty::Unknown
    }

    /// The type of a definition after its decorators; `None` if they leave it as it is.
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

    /// Functions that a file assigns to members of types, each with the member: C, where fields hold functions.
    /// Default: none.
    fn held_by_members(&self, _ev: &mut Eval<'_>, _file: FileId) -> Vec<(GlobalDef, GlobalDef)> {
        Vec::new()
    }
}
