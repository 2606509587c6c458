//! What a language says of what lies outside the repository: its platform's types, and the values its own syntax makes.

use crate::eval::Eval;
use crate::lang::{CallView, Container};
use crate::repo::FileId;
use crate::ty::*;
use base::facts::*;

/// What a language says of what lies outside the repository: its platform's types, and the values its own syntax makes. Every hook that most languages do not need has a neutral default.
pub trait Platform {
    /// The value of a member of something outside the repository, where the language knows it;
    /// the default names the member and knows no more. `instance` tells `x.name` from `X.name`.
    fn external_member(&self, _ev: &mut Eval<'_>, object: &Ty, name: &str) -> Ty {
        match object {
            Ty::External(e) | Ty::ExternalInstance(e, _) => Ty::External(e.member(name)),
            _ => Ty::Unknown,
        }
    }

    /// What calling something outside the repository gives. `receiver` is the object for methods
    /// (`xs.map` on `xs`). Default: unknown.
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

    /// What an iteration over a value gives.
    fn element(&self, _ev: &mut Eval<'_>, _of: &Ty) -> Ty {
        Ty::Unknown
    }

    /// The key in an iteration over (key, value).
    fn key(&self, _ev: &mut Eval<'_>, _of: &Ty) -> Ty {
        Ty::Unknown
    }

    /// What `object[index]` gives.
    fn index(&self, ev: &mut Eval<'_>, object: &Ty, _file: FileId, _index: ExprId) -> Ty {
        self.element(ev, object)
    }

    /// The n-th part of a value that is no tuple.
    fn part(&self, ev: &mut Eval<'_>, of: &Ty, _n: u32) -> Ty {
        self.element(ev, of)
    }

    /// What awaiting a value gives. Default: the value.
    fn awaited(&self, _ev: &mut Eval<'_>, of: &Ty) -> Ty {
        of.clone()
    }

    /// What calling an `async` function of that (written or inferred) result gives. Default: the same.
    fn promised(&self, of: Ty) -> Ty {
        of
    }

    /// What calling a generator of these elements gives.
    fn generated(&self, _of: Ty) -> Ty {
        Ty::Unknown
    }

    /// What `e?` gives.
    fn tried(&self, _ev: &mut Eval<'_>, _of: &Ty) -> Ty {
        Ty::Unknown
    }

    /// What `with e as x` binds. Default: the value.
    fn entered(&self, _ev: &mut Eval<'_>, of: &Ty) -> Ty {
        of.clone()
    }

    /// What `left op right` gives. Default: the left operand's type.
    fn operation(&self, _ev: &mut Eval<'_>, left: Ty, _right: Ty) -> Ty {
        left
    }
}
