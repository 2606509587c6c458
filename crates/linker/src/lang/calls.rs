//! Hooks for calls: what a callee denotes, which overload is meant, which type the call returns.

use crate::eval::Eval;
use crate::lang::{CallView, Called};
use crate::repo::{FileId, GlobalDef, Repo};
use crate::ty::*;
use base::facts::*;

/// Hooks for calls: what a callee denotes, which overload is meant, which type the call returns. A hook that most
/// languages do not need has a neutral default.
pub trait Calls {
    /// The type that callers are known to pass for the parameter that a call's callee names. Default: unknown.
    fn passed(&self, _ev: &Eval<'_>, _file: FileId, _callee: ExprId) -> Ty {
        Ty::Unknown
    }

    /// Adds the type parameters of a function that the object of its call determines (C# extension methods, whose first
    /// parameter is the object). Default: none.
    fn params_by_receiver(
        &self,
        _ev: &mut Eval<'_>,
        _function: GlobalDef,
        _receiver: Option<&Ty>,
        _env: &mut Vec<((GlobalDef, u32), Ty)>,
    ) {
    }

    /// The position of the parameter that an argument goes to, where neither its order nor its name decides: in Kotlin, a
    /// lambda behind the parentheses is the last argument. Receivers do not count. Default: none.
    fn parameter_of(
        &self,
        _repo: &Repo,
        _function: GlobalDef,
        _call: CallView<'_>,
        _arg: usize,
    ) -> Option<usize> {
        None
    }

    /// The entity that the callee of a call denotes, in languages that look up functions apart from variables. `None`:
    /// the callee is resolved like any other expression.
    fn visit_callee(&self, _ev: &mut Eval<'_>, _call: CallView<'_>) -> Option<Called> {
        None
    }

    /// The number of the parameter that an argument goes to, in a language where labels that are no names of parameters
    /// tell it (Swift). `None`: the common rule, by name or position.
    fn target_param(
        &self,
        _ev: &mut Eval<'_>,
        _function: GlobalDef,
        _call: CallView<'_>,
        _arg: usize,
    ) -> Option<Option<usize>> {
        None
    }

    /// Whether a call of a variable or field leads to the function that it is known to hold instead of to the variable.
    /// Python: yes, because `g = f` is an alias.
    fn through_variables(&self) -> bool {
        false
    }

    /// The callee of a call among what its name denotes, where a field and a method may share a name.
    fn called_from_candidates(
        &self,
        _ev: &mut Eval<'_>,
        entity: Entity,
        _call: CallView<'_>,
    ) -> Entity {
        entity
    }

    /// A written type with its holes (`Vec<_>`) filled in from a value of that type. Default: the type.
    fn completed(&self, _ev: &mut Eval<'_>, written: Ty, _value: (FileId, ExprId)) -> Ty {
        written
    }

    /// The type of a macro call.
    fn expanded(&self, _ev: &mut Eval<'_>, _macro: &Entity, _call: CallView<'_>) -> Ty {
        Ty::Unknown
    }

    /// The parameter types and the result type of a value that its type allows to call: a functional interface, a Go
    /// func type, an `Fn` bound.
    fn callable_shape(&self, _ev: &mut Eval<'_>, _of: &Ty) -> Option<(Vec<Ty>, Ty)> {
        None
    }

    /// The method that runs when an instance is called (`__call__`).
    fn call_instance(&self, _ev: &mut Eval<'_>, _of: &Ty) -> Entity {
        Entity::Unknown
    }

    /// The constructor signature in a value's type that `new` on the value calls (TypeScript).
    fn construct_signature(&self, _ev: &mut Eval<'_>, _of: &Ty) -> Entity {
        Entity::Unknown
    }

    /// The overloads that a call may mean; several if they are ambiguous. Default: those that accept the number of
    /// arguments; all if none does.
    fn choose(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        ev.overloads_with_arg_count(overloads, call)
    }

    /// Whether several definitions of one name in one place are build alternatives (C): each build has one of them, so
    /// a call may mean any.
    fn has_build_alternatives(&self) -> bool {
        false
    }

    /// Whether a class or variable that is visible where a name is used replaces all others of that name. Default: functions
    /// are called, also where a type of their name is visible.
    fn replaces(&self, _repo: &Repo, _visible: GlobalDef) -> bool {
        false
    }

    /// The overloads whose result a call may have when its arguments do not decide. Default: those of
    /// [`Self::expecting`].
    fn signatures(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        self.expecting(ev, overloads, call)
    }

    /// The overloads whose parameter types a call expects of its arguments. Default: the first that the call can mean.
    fn expecting(
        &self,
        ev: &mut Eval<'_>,
        overloads: &[GlobalDef],
        call: CallView<'_>,
    ) -> Vec<GlobalDef> {
        let chosen = ev.resolve_overload(overloads, call);
        chosen.into_iter().take(1).collect()
    }

    /// The definition that constructing a class calls: its constructor, an inherited one, or the class itself.
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

    /// The type that the context of an expression expects. Type parameters of a call are inferred from it
    /// (`const x: Box<Foo> = make((foo) => …)`).
    fn expected(&self, _ev: &mut Eval<'_>, _file: FileId, _expr: ExprId) -> Ty {
        Ty::Unknown
    }

    /// The function type that the context of a function gives it, where the function is not an argument of a call
    /// (`const f: Handler = (event) => …`).
    fn context(&self, _ev: &mut Eval<'_>, _function: GlobalDef) -> Ty {
        Ty::Unknown
    }

    /// The definitions with a body that a call of a declaration leads to, where they stand elsewhere (C++). Default: itself.
    fn bodies(&self, _ev: &mut Eval<'_>, declared: GlobalDef) -> Vec<GlobalDef> {
        vec![declared]
    }
}
