//! What a language says of calls: what a callee denotes, which overload is meant, what calling gives.

use crate::eval::Eval;
use crate::lang::{CallView, Called};
use crate::repo::{FileId, GlobalDef};
use crate::ty::*;
use base::facts::*;

/// What a language says of calls: what a callee denotes, which overload is meant, what calling gives. Every hook that most languages do not need has a neutral default.
pub trait Calls {
    /// What callers are known to pass for the parameter that a call's callee names. Default: unknown.
    fn passed(&self, _ev: &Eval<'_>, _file: FileId, _callee: ExprId) -> Ty {
        Ty::Unknown
    }

    /// What the callee of a call denotes, in languages where functions are looked up apart from
    /// variables. `None`: as any other expression.
    fn visit_callee(&self, _ev: &mut Eval<'_>, _call: CallView<'_>) -> Option<Called> {
        None
    }

    /// Whether a call of a variable or field leads to the function that it is known to hold, not to
    /// the variable (Python, where `g = f` is an alias).
    fn through_variables(&self) -> bool {
        false
    }

    /// What a call means of what its callee denotes, where a field and a method may share a name.
    fn called_from_candidates(
        &self,
        _ev: &mut Eval<'_>,
        entity: Entity,
        _call: CallView<'_>,
    ) -> Entity {
        entity
    }

    /// A written type with holes (`Vec<_>`), filled in from the value that is of it. Default: the type.
    fn completed(&self, _ev: &mut Eval<'_>, written: Ty, _value: (FileId, ExprId)) -> Ty {
        written
    }

    /// What a call of a macro gives.
    fn expanded(&self, _ev: &mut Eval<'_>, _macro: &Entity, _call: CallView<'_>) -> Ty {
        Ty::Unknown
    }

    /// The parameters and result of a value that can be called through its type: a functional
    /// interface, a Go func type, an `Fn` bound.
    fn callable_shape(&self, _ev: &mut Eval<'_>, _of: &Ty) -> Option<(Vec<Ty>, Ty)> {
        None
    }

    /// The method that calling an instance calls (`__call__`).
    fn call_instance(&self, _ev: &mut Eval<'_>, _of: &Ty) -> Entity {
        Entity::Unknown
    }

    /// What `new` on a value calls: a constructor signature of its type (TypeScript).
    fn construct_signature(&self, _ev: &mut Eval<'_>, _of: &Ty) -> Entity {
        Entity::Unknown
    }

    /// Which of several overloads a call means: the ones that cannot be told apart. Default: those
    /// that can take the number of arguments; where none can, all.
    fn choose(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        ev.overloads_with_arg_count(overloads, call)
    }

    /// Whether several definitions of one name in one place are alternatives, of which each build has one (C): a call may mean
    /// any of them.
    fn has_build_alternatives(&self) -> bool {
        false
    }

    /// Which overloads may say what a call gives, where its arguments do not tell. Default: those of [`Self::expecting`].
    fn signatures(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        self.expecting(ev, overloads, call)
    }

    /// Which overloads say what a call expects of its arguments. Default: the first that the call can mean.
    fn expecting(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        let chosen = ev.resolve_overload(overloads, call);
        chosen.into_iter().take(1).collect()
    }

    /// What constructing a class calls: its constructor, an inherited one, or the class itself.
    fn constructor(
        &self,
        _ev: &mut Eval<'_>,
        class: GlobalDef,
        _call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        vec![class]
    }

    /// What calling a class gives where that is not simply an instance of it (Python, `__new__`). Default: unknown.
    fn instantiated(&self, _ev: &mut Eval<'_>, _class: GlobalDef) -> Ty {
        Ty::Unknown
    }

    /// What `new value(…)` gives where the value is no class of the repository (a constructor
    /// signature) or its arguments tell more. Unknown leaves it to the common rule.
    fn constructed(
        &self,
        _ev: &mut Eval<'_>,
        _value: &Ty,
        _call: CallView<'_>,
        _args: &[Ty],
    ) -> Ty {
        Ty::Unknown
    }

    /// The type that its place expects of an expression, from which type parameters of a call are
    /// inferred (`const x: Box<Foo> = make((foo) => …)`).
    fn expected(&self, _ev: &mut Eval<'_>, _file: FileId, _expr: ExprId) -> Ty {
        Ty::Unknown
    }

    /// The function type that its place gives a function that is no argument of a call
    /// (`const f: Handler = (event) => …`).
    fn context(&self, _ev: &mut Eval<'_>, _function: GlobalDef) -> Ty {
        Ty::Unknown
    }
}
