//! Hooks for what lies outside the repository: the platform's types, and the values of the language's own syntax.

use crate::eval::Eval;
use crate::lang::{CallView, Container};
use crate::repo::FileId;
use crate::ty::*;
use base::facts::*;

/// Hooks for what lies outside the repository: the platform's types, and the values of the language's own syntax. A
/// hook that most languages do not need has a neutral default.
pub trait Platform {
    /// The value of a member of something external, if the language knows it. Default: an external symbol of that name.
    /// `instance` distinguishes `x.name` from `X.name`.
    fn external_member(&self, _ev: &mut Eval<'_>, object: &Ty, name: &str) -> Ty {
        match object {
            Ty::External(e) | Ty::ExternalInstance(e, _) => Ty::External(e.member(name)),
            _ => Ty::Unknown,
        }
    }

    /// The result type of calling something external. `receiver` is the object for methods (`xs` in `xs.map`). Default:
    /// unknown.
    fn external_call(
        &self,
        _ev: &mut Eval<'_>,
        _callee: &External,
        _receiver: Option<&Ty>,
        _call: CallView<'_>,
    ) -> Ty {
        Ty::Unknown
    }

    /// The type of parameter `param` of a function literal that is argument `arg` of a call to
    /// something outside the repository (`xs.map(x => …)`).
    fn callback_param(
        &self,
        _ev: &mut Eval<'_>,
        _callee: &External,
        _receiver: Option<&Ty>,
        _call: CallView<'_>,
        _arg: u32,
        _param: u32,
    ) -> Ty {
        Ty::Unknown
    }

    /// The type of the variable that argument `arg` of a call to something outside the repository sets (C#
    /// `map.TryGetValue(key, out var value)`).
    fn external_param(
        &self,
        _ev: &mut Eval<'_>,
        _callee: &External,
        _receiver: Option<&Ty>,
        _call: CallView<'_>,
        _arg: u32,
    ) -> Ty {
        Ty::Unknown
    }

    /// A named type outside the repository as the type of a value; `None`: an
    /// [`Ty::ExternalInstance`] of it.
    fn external_type(&self, _ev: &mut Eval<'_>, _name: &External, _args: &[Ty]) -> Option<Ty> {
        None
    }

    /// The type of a primitive.
    fn primitive(&self, _primitive: Primitive) -> Ty {
        Ty::Unknown
    }

    /// The type of a list literal, a dictionary literal, `T[]`, `map[K]V`, `chan T`.
    fn container(&self, _kind: Container, _args: Vec<Ty>) -> Ty {
        Ty::Unknown
    }

    /// The type of the elements of an iteration over a value.
    fn element(&self, _ev: &mut Eval<'_>, _of: &Ty) -> Ty {
        Ty::Unknown
    }

    /// The key in an iteration over (key, value).
    fn key(&self, _ev: &mut Eval<'_>, _of: &Ty) -> Ty {
        Ty::Unknown
    }

    /// The type of `object[index]`.
    fn index(&self, ev: &mut Eval<'_>, object: &Ty, _file: FileId, _index: ExprId) -> Ty {
        self.element(ev, object)
    }

    /// The type of the n-th part of a value that is not a tuple.
    fn part(&self, ev: &mut Eval<'_>, of: &Ty, _n: u32) -> Ty {
        self.element(ev, of)
    }

    /// The type of awaiting a value. Default: the value.
    fn awaited(&self, _ev: &mut Eval<'_>, of: &Ty) -> Ty {
        of.clone()
    }

    /// The type of calling an `async` function with that (written or inferred) result. Default: the same.
    fn promised(&self, of: Ty) -> Ty {
        of
    }

    /// The type of calling a generator of these elements.
    fn generated(&self, _of: Ty) -> Ty {
        Ty::Unknown
    }

    /// The type of `e?`.
    fn tried(&self, _ev: &mut Eval<'_>, _of: &Ty) -> Ty {
        Ty::Unknown
    }

    /// The type that `with e as x` binds. Default: that of the value.
    fn entered(&self, _ev: &mut Eval<'_>, of: &Ty) -> Ty {
        of.clone()
    }

    /// The type of `left op right`. Default: that of the left operand.
    fn operation(&self, _ev: &mut Eval<'_>, left: Ty, _right: Ty) -> Ty {
        left
    }

    /// The type of an expression that is one of several, given their types. Default: any of them.
    fn either(&self, _ev: &mut Eval<'_>, _file: FileId, _parts: &[ExprId], types: Vec<Ty>) -> Ty {
        Ty::union(types)
    }
}
