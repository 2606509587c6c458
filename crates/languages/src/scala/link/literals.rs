//! The types of parameters of function literals, and what functions look like.

use super::calls::{Applied, list_count};
use super::{Scala, stdlib};
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::{CallView, Called};
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;

impl Scala {
    /// The type of a parameter of a function literal that is an argument.
    pub(super) fn literal_param(&self, ev: &mut Eval<'_>, function: GlobalDef, n: u32) -> Ty {
        let def = ev.repo.def(function);
        let Some(callable) = def.callable.as_deref() else {
            return Ty::Unknown;
        };
        let Some((call, arg)) = callable.argument_of else {
            return Ty::Unknown;
        };
        let facts = ev.repo.facts(function.file);
        let is_case = callable
            .params
            .first()
            .is_some_and(|p| facts.name(p.name) == "_0");
        let own = callable.params.len();
        let params = self.expected_params(ev, function.file, call, arg as usize);
        match &params[..] {
            // `{ case (a, b) => … }` for a function of two parameters.
            [_, _, ..] if is_case => Ty::Tuple(params.into()),
            // `(a, b) => …` for a function of a pair.
            [Ty::Tuple(parts)] if own > 1 => parts.get(n as usize).cloned().unwrap_or_default(),
            _ => params.get(n as usize).cloned().unwrap_or_default(),
        }
    }

    /// The types of the parameters of the function that a call expects as an argument.
    fn expected_params(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        call: ExprId,
        arg: usize,
    ) -> Vec<Ty> {
        let view = ev.call_view(file, call);
        match ev.repo.facts(file).expr(call) {
            Expr::New { class, .. } => {
                let class = ev.type_of_expr(file, *class);
                let Ty::Class(class, _) = class else {
                    return Vec::new();
                };
                let chosen = self.constructors(ev, class, view);
                let [method] = chosen[..] else {
                    return Vec::new();
                };
                let applied = Applied {
                    method,
                    receiver: None,
                    calls: vec![call],
                };
                self.params_of_argument(ev, file, &applied, arg)
            }
            Expr::Call { callee, .. } => {
                // The result of a later parameter list is not asked for: it may need the literal.
                if matches!(ev.repo.facts(file).expr(*callee), Expr::Call { .. }) {
                    if let Some(found) = self.continued_callback(ev, view, arg as u32) {
                        return found;
                    }
                    if let Some(applied) = self.applied_again(ev, file, *callee, call) {
                        return self.params_of_argument(ev, file, &applied, arg);
                    }
                }
                self.expected_by_callee(ev, view, arg)
            }
            _ => Vec::new(),
        }
    }

    /// The method of which a call gives a further parameter list.
    fn applied_again(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        inner: ExprId,
        call: ExprId,
    ) -> Option<Applied> {
        let mut applied = self.applied(ev, file, inner)?;
        if applied.calls.len() >= list_count(ev, applied.method) {
            return None;
        }
        applied.calls.push(call);
        Some(applied)
    }

    /// The same for the first arguments of a callee.
    fn expected_by_callee(&self, ev: &mut Eval<'_>, call: CallView<'_>, arg: usize) -> Vec<Ty> {
        match ev.resolve_callee_by_lang(call.file, call.expr) {
            Some(Called::Found(Entity::External(external), receiver)) => {
                let receiver = receiver.map(|r| ev.resolve_type_param(&r));
                self.platform_callback(ev, &external, receiver.as_ref(), call, arg as u32)
            }
            Some(Called::Found(Entity::Value(Ty::Callable(params, _)), _)) => {
                let expected = params.get(arg).cloned().unwrap_or_default();
                self.params_of_shape(ev, &expected)
            }
            Some(Called::Found(Entity::Defs(defs), receiver)) => match defs.first() {
                Some(method) => {
                    let applied = Applied {
                        method: *method,
                        receiver,
                        calls: vec![call.expr],
                    };
                    self.params_of_argument(ev, call.file, &applied, arg)
                }
                None => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    fn params_of_argument(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        applied: &Applied,
        arg: usize,
    ) -> Vec<Ty> {
        let Some(last) = applied.calls.last() else {
            return Vec::new();
        };
        let list = applied.calls.len() - 1;
        let view = ev.call_view(file, *last);
        let Some(value) = view.args.get(arg) else {
            return Vec::new();
        };
        let method = applied.method;
        let Some((ty, _)) = self.param_of_argument(ev, file, (method, list), (arg, *value)) else {
            return Vec::new();
        };
        let pattern = ev.lower_type(method.file, ty);
        let env = self.env_of_lists(ev, file, applied, Some((list, arg)));
        let filled = ev.substitute_env(&pattern, &env);
        let filled = ev.substitute(&filled, applied.receiver.as_ref());
        self.params_of_shape(ev, &filled)
    }

    /// The types of the parameters of a function type.
    fn params_of_shape(&self, ev: &mut Eval<'_>, shape: &Ty) -> Vec<Ty> {
        match shape {
            Ty::Callable(params, _) => params.to_vec(),
            other => self
                .function_shape(ev, other)
                .map(|(params, _)| params)
                .unwrap_or_default(),
        }
    }

    /// Parameters and result of a type that a function literal may have: a partial function, or a type with one abstract
    /// method. An enum stands for what its cases make.
    pub(super) fn function_shape(&self, ev: &mut Eval<'_>, of: &Ty) -> Option<(Vec<Ty>, Ty)> {
        let of = &ev.resolve_type_param(of);
        match of {
            Ty::ExternalInstance(external, args) => stdlib::function_type(external, args),
            Ty::Instance(def, _) if ev.repo.def(*def).kind == SymbolKind::Enum => {
                Some((Vec::new(), of.clone()))
            }
            Ty::Instance(..) => self.only_abstract_method(ev, of),
            _ => None,
        }
    }

    fn only_abstract_method(&self, ev: &mut Eval<'_>, of: &Ty) -> Option<(Vec<Ty>, Ty)> {
        let repo = ev.repo;
        let mut found: Option<GlobalDef> = None;
        for ty in ev.member_search_order(of) {
            let Ty::Instance(def, _) = &ty else {
                return None;
            };
            if !ev.spend(repo.child_count(*def)) {
                return None;
            }
            for child in repo.children(*def) {
                let it = repo.def(child);
                if !it.kind.is_callable() || !it.flags.has(DefFlags::ABSTRACT) {
                    continue;
                }
                if found.is_some() {
                    return None;
                }
                found = Some(child);
            }
        }
        let method = found?;
        let params = repo.def(method).callable.as_deref()?.params.iter();
        let params = params.map(|param| {
            let ty = param.ty.map(|ty| ev.lower_type(method.file, ty));
            ev.substitute(&ty.unwrap_or_default(), Some(of))
        });
        let params: Vec<Ty> = params.collect();
        let result = ev.result_type(method);
        let result = ev.substitute(&result, Some(of));
        Some((params, result))
    }

    /// The type of an expression that is one of several: one that all of them have.
    pub(super) fn common_type(
        &self,
        ev: &mut Eval<'_>,
        file: FileId,
        parts: &[ExprId],
        types: Vec<Ty>,
    ) -> Ty {
        let facts = ev.repo.facts(file);
        let is_nothing =
            |part: &ExprId| matches!(facts.expr(*part), Expr::Literal(Primitive::Null));
        let counted = parts
            .iter()
            .zip(types)
            .filter(|(part, _)| !is_nothing(part));
        let types: Vec<Ty> = counted.map(|(_, ty)| ty).collect();
        self.common_of(ev, types)
    }

    /// A type that all of several have; unknown if there is none that is known.
    pub(super) fn common_of(&self, ev: &mut Eval<'_>, types: Vec<Ty>) -> Ty {
        let mut types = types.into_iter();
        let Some(mut common) = types.next() else {
            return Ty::Unknown;
        };
        for next in types {
            if !ev.spend(1) {
                return Ty::Unknown;
            }
            common = self.common_of_two(ev, common, next);
            if common.is_unknown() {
                break;
            }
        }
        common
    }

    fn common_of_two(&self, ev: &mut Eval<'_>, a: Ty, b: Ty) -> Ty {
        match (&a, &b) {
            _ if a == b => a,
            (Ty::Null, _) => b,
            (_, Ty::Null) => a,
            (Ty::Instance(..), Ty::Instance(..)) => {
                let above = ev.member_search_order(&b);
                let own = ev.member_search_order(&a);
                let shared = own.into_iter().find(|one| {
                    matches!(one, Ty::Instance(def, _)
                        if above.iter().any(|t| matches!(t, Ty::Instance(d, _) if d == def)))
                });
                shared.unwrap_or_default()
            }
            (Ty::ExternalInstance(..), Ty::ExternalInstance(..)) => stdlib::common(&a, &b),
            (Ty::Tuple(xs), Ty::Tuple(ys)) if xs.len() == ys.len() => {
                let pairs: Vec<(Ty, Ty)> = xs.iter().cloned().zip(ys.iter().cloned()).collect();
                let each = pairs.into_iter().map(|(x, y)| self.common_of_two(ev, x, y));
                Ty::Tuple(each.collect())
            }
            _ => Ty::Unknown,
        }
    }
}
