//! The types that a call expects of its arguments: for parameters of function literals and members of object literals.

use crate::eval::Eval;
use crate::lang::{CallView, Called};
use crate::repo::{FileId, GlobalDef};
use crate::ty::*;
use base::facts::*;
use std::sync::Arc;

impl Eval<'_> {
    /// The type of a parameter of a function literal, from the call whose argument it is.
    pub fn infer_callback_param(&mut self, file: FileId, call: ExprId, arg: u32, param: u32) -> Ty {
        let view = self.call_view(file, call);
        let Some((entity, receiver)) = self.called_entity(file, call) else {
            return Ty::Unknown;
        };
        if let Entity::External(external) = &entity {
            let lang = self.lang_of_file(file);
            let receiver = receiver.map(|r| self.resolve_type_param(&r));
            return lang.callback_param(self, external, receiver.as_ref(), view, arg, param);
        }
        let expected = self.expected_by_entity(&entity, receiver.as_ref(), view, arg);
        self.callable_param_type(file, &expected, param)
    }

    /// The type that the callee of a call expects of an argument.
    pub fn expected_argument_type(&mut self, file: FileId, call: ExprId, arg: u32) -> Ty {
        let view = self.call_view(file, call);
        match self.called_entity(file, call) {
            Some((Entity::External(external), receiver)) => {
                let receiver = receiver.map(|r| self.resolve_type_param(&r));
                let lang = self.lang_of_file(file);
                lang.external_param(self, &external, receiver.as_ref(), view, arg)
            }
            Some((entity, receiver)) => {
                self.expected_by_entity(&entity, receiver.as_ref(), view, arg)
            }
            None => Ty::Unknown,
        }
    }

    /// The callee of a call, with the object that it was taken from; `None` if overloads are ambiguous.
    fn called_entity(&mut self, file: FileId, call: ExprId) -> Option<(Entity, Option<Ty>)> {
        let view = self.call_view(file, call);
        let (entity, receiver) = match self.repo.facts(file).expr(call) {
            Expr::Call { callee, .. } => match self.resolve_callee_by_lang(file, call) {
                Some(Called::Found(entity, receiver)) => (entity, receiver),
                Some(Called::Ambiguous(..) | Called::Value(_)) => return None,
                None => self.resolve_expr(file, *callee, Namespace::VALUE),
            },
            Expr::New { class, .. } => self.resolve_expr(file, *class, Namespace::VALUE),
            _ => return None,
        };
        let lang = self.lang_of_file(file);
        Some((lang.called_from_candidates(self, entity, view), receiver))
    }

    fn expected_by_entity(
        &mut self,
        entity: &Entity,
        receiver: Option<&Ty>,
        view: CallView<'_>,
        arg: u32,
    ) -> Ty {
        let callee = self.type_of_entity(entity, receiver);
        self.map_alternatives(&callee, |ev, callee| {
            ev.expected_by_callee(callee, view, arg)
        })
    }

    /// The method that a call of `value` runs, or the signature that `new` on it uses.
    fn called_on_value(&mut self, view: CallView<'_>, value: &Ty) -> Entity {
        let lang = self.lang_of_file(view.file);
        match self.repo.facts(view.file).expr(view.expr) {
            Expr::New { .. } => lang.construct_signature(self, value),
            _ => lang.call_instance(self, value),
        }
    }

    fn expected_by_callee(&mut self, callee: &Ty, view: CallView<'_>, arg: u32) -> Ty {
        let lang = self.lang_of_file(view.file);
        let (functions, receiver) = match callee {
            Ty::Function(defs, receiver) => {
                (self.signatures(defs, view), receiver.as_deref().cloned())
            }
            Ty::Class(class, _) => {
                let constructors = lang.constructor(self, *class, view);
                (constructors.into_iter().take(1).collect(), None)
            }
            Ty::Callable(params, _) => {
                return params.get(arg as usize).cloned().unwrap_or_default();
            }
            Ty::Instance(..) | Ty::Param(..) => match self.called_on_value(view, callee) {
                Entity::Defs(defs) => (self.signatures(&defs, view), Some(callee.clone())),
                _ => return Ty::Unknown,
            },
            _ => return Ty::Unknown,
        };
        let each = functions.into_iter();
        let expected: Vec<Ty> = each
            .map(|function| self.expected_by_function(function, receiver.as_ref(), view, arg))
            .collect();
        match expected.as_slice() {
            [] => Ty::Unknown,
            _ => Ty::union(expected),
        }
    }

    /// The overloads whose parameter types a call may expect.
    fn signatures(&mut self, overloads: &[GlobalDef], view: CallView<'_>) -> Vec<GlobalDef> {
        match overloads {
            [] => Vec::new(),
            [one] => vec![*one],
            [first, ..] => {
                let lang = self.lang_of_file(first.file);
                lang.expecting(self, overloads, view)
            }
        }
    }

    fn expected_by_function(
        &mut self,
        function: GlobalDef,
        receiver: Option<&Ty>,
        view: CallView<'_>,
        arg: u32,
    ) -> Ty {
        let lang = self.lang_of_file(view.file);
        let pattern = match self.param_type_for_argument(function, view, arg) {
            // A type parameter with a function type as bound: the parameters of that function count.
            ty @ Ty::Param(..) => match lang.callable_shape(self, &ty) {
                Some((params, ret)) => Ty::Callable(params.into(), Arc::new(ret)),
                None => match self.type_param_bound(&ty) {
                    bound @ (Ty::Callable(..) | Ty::Union(..)) => bound,
                    _ => ty,
                },
            },
            ty => ty,
        };
        if pattern.is_unknown() {
            return pattern;
        }
        let explicit = match self.repo.facts(view.file).expr(view.expr) {
            Expr::Call { .. } => self.lower_types(view.file, view.type_args),
            _ => Vec::new(),
        };
        let numbered = explicit.into_iter().enumerate();
        let mut env: Vec<((GlobalDef, u32), Ty)> =
            numbered.map(|(n, ty)| ((function, n as u32), ty)).collect();
        // Only earlier arguments are used: the type of the literal itself depends on this answer.
        let before = CallView {
            args: &view.args[..(arg as usize).min(view.args.len())],
            ..view
        };
        if env.is_empty() {
            lang.params_by_receiver(self, function, receiver, &mut env);
        }
        self.infer_type_args(function, before, &mut env);
        let expected = lang.expected(self, view.file, view.expr);
        if !expected.is_unknown() {
            let result = self.result_type(function);
            self.unify(&result, &expected, &mut env);
        }
        let filled = self.substitute_env(&pattern, &env);
        self.substitute(&filled, receiver)
    }

    /// The n-th parameter of a function type.
    pub fn callable_param_type(&mut self, file: FileId, shape: &Ty, n: u32) -> Ty {
        match shape {
            Ty::Callable(params, _) => params.get(n as usize).cloned().unwrap_or_default(),
            Ty::Union(parts) => {
                let found: Vec<Ty> = parts
                    .iter()
                    .map(|p| self.callable_param_type(file, p, n))
                    .collect();
                Ty::union(found)
            }
            // A method of a type, in whose place the literal is written.
            Ty::Function(defs, receiver) => self.written_param_type(defs, receiver.as_deref(), n),
            other => {
                let lang = self.lang_of_file(file);
                let shape = lang.callable_shape(self, other);
                shape
                    .and_then(|(params, _)| params.get(n as usize).cloned())
                    .unwrap_or_default()
            }
        }
    }

    /// The written type of the n-th parameter, if there is only one function.
    fn written_param_type(&mut self, defs: &[GlobalDef], receiver: Option<&Ty>, n: u32) -> Ty {
        let [function] = defs else {
            return Ty::Unknown;
        };
        let callable = self.repo.def(*function).callable.as_deref();
        let param = callable.and_then(|c| {
            let mut params = c.params.iter().filter(|p| p.kind != ParamKind::Receiver);
            params.nth(n as usize)
        });
        match param.and_then(|p| p.ty) {
            Some(ty) => {
                let written = self.lower_type(function.file, ty);
                self.substitute(&written, receiver)
            }
            None => Ty::Unknown,
        }
    }

    /// The written type of the parameter at an argument position.
    pub fn param_type_for_argument(
        &mut self,
        function: GlobalDef,
        view: CallView<'_>,
        arg: u32,
    ) -> Ty {
        self.param_for_argument(function, view, arg as usize)
            .and_then(|p| p.ty)
            .map(|ty| self.lower_type(function.file, ty))
            .unwrap_or_default()
    }
}
