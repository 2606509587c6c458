//! The function types that calls expect of lambdas: their parameters and receivers.

use super::Kotlin;
use super::platform;
use super::select::{Candidate, Targets, parameters, targets, value_of};
use base::facts::*;
use base::{Language, SymbolKind};
use linker::eval::Eval;
use linker::lang::{CallView, Called};
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;
use std::sync::Arc;

impl Kotlin {
    /// The type of a parameter of a lambda; of the first one, the receiver, `null` if it has none.
    pub(super) fn lambda_param(&self, ev: &mut Eval<'_>, lambda: GlobalDef, n: u32) -> Ty {
        let def = ev.repo.def(lambda);
        let first = def.callable.as_deref().and_then(|c| c.params.first());
        let is_lambda = first.is_some_and(|p| p.kind == ParamKind::KeywordOnly);
        if !is_lambda || !def.flags.has(DefFlags::ANONYMOUS) {
            return Ty::Unknown;
        }
        let Some((params, _)) = self.expected_shape(ev, lambda) else {
            return Ty::Unknown;
        };
        let receiver = params.first().and_then(platform::receiver);
        match (n, receiver) {
            (0, Some(receiver)) => receiver,
            (0, None) => Ty::Null,
            (n, receiver) => {
                let at = n as usize - 1 + usize::from(receiver.is_some());
                params.get(at).cloned().unwrap_or_default()
            }
        }
    }

    /// Whether a lambda has a receiver whose type is not known.
    pub(super) fn has_unknown_receiver(&self, ev: &mut Eval<'_>, lambda: GlobalDef) -> bool {
        let shape = self.expected_shape(ev, lambda);
        shape.is_some_and(|(params, _)| {
            let receiver = params.first().and_then(platform::receiver);
            receiver.is_some_and(|receiver| receiver.is_unknown())
        })
    }

    /// Whether a parameter is the `it` of a lambda that takes no argument.
    pub(super) fn is_missing_it(&self, ev: &mut Eval<'_>, lambda: GlobalDef, n: u32) -> bool {
        let def = ev.repo.def(lambda);
        let param = def
            .callable
            .as_deref()
            .and_then(|c| c.params.get(n as usize));
        let is_implicit = def.flags.has(DefFlags::ANONYMOUS)
            && param.is_some_and(|p| p.kind == ParamKind::Optional && p.ty.is_none());
        if !is_implicit || !ev.type_of_param(lambda, n).is_unknown() {
            return false;
        }
        let shape = self.expected_shape(ev, lambda);
        shape.is_some_and(|(params, _)| {
            params
                .iter()
                .all(|param| platform::receiver(param).is_some())
        })
    }

    /// Parameters and result of the function that the context of a lambda expects.
    fn expected_shape(&self, ev: &mut Eval<'_>, lambda: GlobalDef) -> Option<(Vec<Ty>, Ty)> {
        let value = ev.repo.def(lambda).value?;
        let facts = ev.repo.facts(lambda.file);
        let expected = match facts.expr(value) {
            Expr::Expected(call, arg) => self.expected_argument(ev, lambda.file, *call, *arg),
            _ => ev.type_of_expr(lambda.file, value),
        };
        self.function_shape(ev, &expected)
    }

    /// The type that a call expects of an argument.
    fn expected_argument(&self, ev: &mut Eval<'_>, file: FileId, call: ExprId, arg: u32) -> Ty {
        let view = ev.call_view(file, call);
        let found = match ev.repo.facts(file).expr(call) {
            Expr::Call { .. } => ev.resolve_callee_by_lang(file, call),
            Expr::New { class, .. } => {
                let class = ev.resolve_expr(file, *class, Namespace::VALUE).0;
                Some(Called::Found(class, None))
            }
            _ => None,
        };
        match found {
            Some(Called::Found(Entity::External(external), receiver)) => {
                let receiver = receiver.map(|ty| platform::kotlin_type(&ty));
                self.platform_lambda(ev, &external, receiver.as_ref(), view, arg)
            }
            Some(Called::Found(Entity::Value(Ty::Callable(params, _)), _)) => {
                let last = params.len().checked_sub(1);
                let at = if (arg as usize) + 1 == view.args.len() {
                    last
                } else {
                    Some(arg as usize)
                };
                at.and_then(|at| params.get(at).cloned())
                    .unwrap_or_default()
            }
            Some(Called::Found(Entity::Value(Ty::Class(class, _)), _)) => {
                self.expected_by_class(ev, class, view, arg)
            }
            Some(Called::Found(Entity::Defs(defs), receiver)) => {
                let [def] = defs[..] else {
                    return Ty::Unknown;
                };
                if ev.repo.def(def).kind.is_type() {
                    return self.expected_by_class(ev, def, view, arg);
                }
                self.expected_by(ev, def, receiver, view, arg)
            }
            Some(Called::Ambiguous(defs, receiver)) => {
                let mut common = None;
                for def in defs {
                    let ty = self.expected_by(ev, def, receiver.clone(), view, arg);
                    match &common {
                        None => common = Some(ty),
                        Some(first) if *first == ty => {}
                        Some(_) => return Ty::Unknown,
                    }
                }
                common.unwrap_or_default()
            }
            _ => Ty::Unknown,
        }
    }

    fn expected_by_class(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        view: CallView<'_>,
        arg: u32,
    ) -> Ty {
        // A lambda becomes an object of an interface.
        if ev.repo.def(class).kind == SymbolKind::Interface {
            return Ty::instance(class);
        }
        let candidates = self.constructor_candidates(ev, class, view);
        let chosen = self.select(ev, &candidates, view);
        match &chosen[..] {
            [one] => self.expected_by(ev, one.def, None, view, arg),
            _ => Ty::Unknown,
        }
    }

    /// The type of the parameter of a function to which an argument goes.
    fn expected_by(
        &self,
        ev: &mut Eval<'_>,
        def: GlobalDef,
        receiver: Option<Ty>,
        view: CallView<'_>,
        arg: u32,
    ) -> Ty {
        let repo = ev.repo;
        let Some(targets) = targets(ev, def, view) else {
            return Ty::Unknown;
        };
        let Some(callable) = repo.def(def).callable.as_deref() else {
            return Ty::Unknown;
        };
        let param = targets.of_args.get(arg as usize);
        let param = param.and_then(|n| parameters(callable).get(*n).copied());
        let Some(ty) = param.and_then(|param| param.ty) else {
            return Ty::Unknown;
        };
        let pattern = ev.lower_type(def.file, ty);
        let candidate = Candidate {
            def,
            owner: receiver,
            level: 0,
        };
        let env = self.infer(ev, &candidate, view, &targets);
        let filled = ev.substitute_env(&pattern, &env);
        ev.substitute(&filled, candidate.owner.as_ref())
    }

    /// The type arguments of a class that the arguments of its constructor say.
    pub(super) fn infer_class(
        &self,
        ev: &mut Eval<'_>,
        constructor: &Candidate,
        view: CallView<'_>,
        targets: &Targets,
        env: &mut Vec<((GlobalDef, u32), Ty)>,
    ) {
        let repo = ev.repo;
        let def = constructor.def;
        let params = repo.def(def).callable.as_deref().map(parameters);
        let params = params.unwrap_or_default();
        for (arg, n) in view.args.iter().zip(&targets.of_args) {
            let Some(wanted) = params.get(*n).and_then(|p| p.ty) else {
                continue;
            };
            let value = value_of(ev, view.file, *arg);
            let wanted = ev.lower_type(def.file, wanted);
            let actual = ev.type_of_expr(view.file, value);
            let actual = platform::kotlin_type(&actual);
            ev.unify(&wanted, &actual, env);
        }
    }

    /// Binds type parameters of a function from its receiver and the arguments of a call.
    pub(super) fn bind_call(
        &self,
        ev: &mut Eval<'_>,
        function: GlobalDef,
        receiver: Option<&Ty>,
        env: &mut Vec<((GlobalDef, u32), Ty)>,
    ) {
        if !ev.repo.def(function).flags.has(DefFlags::EXTENSION) {
            return;
        }
        let Some(receiver) = receiver else { return };
        if let Some(wanted) = self.receiver_type(ev, function) {
            let seen = match &wanted {
                Ty::ExternalInstance(external, _) => self.external_view(ev, receiver, external),
                _ => None,
            };
            let seen = seen.unwrap_or_else(|| receiver.clone());
            ev.unify(&wanted, &seen, env);
        }
    }

    /// Parameters and result of a value that can be called: of a function type, or of an interface with one method.
    pub(super) fn function_shape(&self, ev: &mut Eval<'_>, of: &Ty) -> Option<(Vec<Ty>, Ty)> {
        match of {
            Ty::Callable(params, ret) => Some((params.to_vec(), (**ret).clone())),
            Ty::Param(..) => {
                let bound = ev.resolve_type_param(of);
                match bound {
                    Ty::Param(..) => None,
                    bound => self.function_shape(ev, &bound),
                }
            }
            Ty::Instance(class, _) => self.interface_shape(ev, *class, of),
            _ => None,
        }
    }

    /// The only abstract method of an interface.
    fn interface_shape(
        &self,
        ev: &mut Eval<'_>,
        class: GlobalDef,
        of: &Ty,
    ) -> Option<(Vec<Ty>, Ty)> {
        let repo = ev.repo;
        if repo.def(class).kind != SymbolKind::Interface {
            return None;
        }
        if !ev.spend(repo.child_count(class)) {
            return None;
        }
        let is_java = repo.language(class.file) == Language::Java;
        let mut methods = repo.children(class).filter(|def| {
            let it = repo.def(*def);
            it.kind == SymbolKind::Method && it.flags.has(DefFlags::ABSTRACT)
        });
        let (method, others) = (methods.next()?, methods.next());
        if others.is_some() && !is_java {
            return None;
        }
        let callable = repo.def(method).callable.as_deref()?;
        let mut params = Vec::new();
        for param in &callable.params {
            let ty = param.ty.map(|ty| ev.lower_type(method.file, ty));
            let ty = ev.substitute(&ty.unwrap_or_default(), Some(of));
            params.push(if param.kind == ParamKind::Receiver {
                platform::receiver_of(ty)
            } else {
                ty
            });
        }
        let result = ev.result_type(method);
        let result = ev.substitute(&result, Some(of));
        Some((params, result))
    }

    /// A written function type with its receiver.
    pub(super) fn lowered(&self, ev: &mut Eval<'_>, file: FileId, ty: TypeId) -> Option<Ty> {
        let TypeExpr::Function { params, ret } = ev.repo.facts(file).ty(ty) else {
            return None;
        };
        let mut lowered = Vec::with_capacity(params.len());
        for param in params {
            let is_receiver = matches!(ev.repo.facts(file).ty(*param), TypeExpr::Reference(_));
            let ty = ev.lower_type(file, *param);
            lowered.push(if is_receiver {
                platform::receiver_of(ty)
            } else {
                ty
            });
        }
        let ret = ret.map(|ret| ev.lower_type(file, ret)).unwrap_or_default();
        Some(Ty::Callable(lowered.into(), Arc::new(ret)))
    }

    /// The n-th component of a value that is taken apart.
    pub(super) fn component(&self, ev: &mut Eval<'_>, of: &Ty, n: usize) -> Option<Ty> {
        let Ty::Instance(class, _) = of else {
            return None;
        };
        let it = ev.repo.def(*class);
        let callable = it.callable.as_deref()?;
        let param = callable.params.get(n.checked_sub(1)?)?;
        let ty = ev.lower_type(class.file, param.ty?);
        Some(ev.substitute(&ty, Some(of)))
    }
}
