//! Types of functions and variables that another place declares: a stub, or a decorator that replaces the decorated
//! function by another one.

use super::{Python, flows};
use base::facts::*;
use linker::eval::Eval;
use linker::repo::{FileId, GlobalDef, Repo};
use linker::ty::*;
use std::sync::Arc;

/// Deepest nesting of types and definitions that is followed.
const MOST_LEVELS: u32 = 8;

/// Longest chain of variables that leads to a call.
const MOST_STEPS: usize = 4;

impl Python {
    /// The definition in a stub that declares a definition of the source.
    fn declaration_of(&self, repo: &Repo, def: GlobalDef) -> Option<GlobalDef> {
        namesake_in(repo, def, self.modules.stub_of(def.file)?, 0)
    }

    /// The result type that a stub declares for a function of the source.
    pub(super) fn result_in_stub(&self, ev: &mut Eval<'_>, function: GlobalDef) -> Ty {
        let Some(declared) = self.declaration_of(ev.repo, function) else {
            return Ty::Unknown;
        };
        let callable = ev.repo.def(declared).callable.as_deref();
        if callable.is_none_or(|c| c.ret.is_none()) {
            return Ty::Unknown;
        }
        let ty = ev.result_type(declared);
        self.in_source(ev.repo, &ty, 0)
    }

    /// The type that a stub declares for a parameter of the same name.
    pub(super) fn param_in_stub(&self, ev: &mut Eval<'_>, function: GlobalDef, n: u32) -> Ty {
        let Some(declared) = self.declaration_of(ev.repo, function) else {
            return Ty::Unknown;
        };
        let repo = ev.repo;
        let params = |def: GlobalDef| repo.def(def).callable.as_deref().map(|c| &c.params);
        let (Some(own), Some(others)) = (params(function), params(declared)) else {
            return Ty::Unknown;
        };
        let Some(name) = own
            .get(n as usize)
            .map(|p| repo.facts(function.file).name(p.name))
        else {
            return Ty::Unknown;
        };
        let theirs = repo.facts(declared.file);
        match others.iter().position(|p| theirs.name(p.name) == name) {
            Some(at) if others[at].ty.is_some() => {
                let ty = ev.type_of_param(declared, at as u32);
                self.in_source(repo, &ty, 0)
            }
            _ => Ty::Unknown,
        }
    }

    /// The type that a stub declares for a variable or field.
    pub(super) fn variable_in_stub(&self, ev: &mut Eval<'_>, variable: GlobalDef) -> Ty {
        match self.declaration_of(ev.repo, variable) {
            Some(declared) if ev.repo.def(declared).ty.is_some() => {
                let ty = ev.type_of_def(declared);
                self.in_source(ev.repo, &ty, 0)
            }
            _ => Ty::Unknown,
        }
    }

    /// A type, with classes of the source in place of those that stubs declare.
    fn in_source(&self, repo: &Repo, ty: &Ty, level: u32) -> Ty {
        if level > MOST_LEVELS {
            return ty.clone();
        }
        let def = |def: &GlobalDef| {
            let source = self.modules.source_of(def.file);
            source
                .and_then(|file| namesake_in(repo, *def, file, 0))
                .unwrap_or(*def)
        };
        let inner = |ty: &Ty| self.in_source(repo, ty, level + 1);
        let all = |args: &Args| -> Args { args.iter().map(inner).collect() };
        match ty {
            Ty::Instance(of, args) => Ty::Instance(def(of), all(args)),
            Ty::Class(of, args) => Ty::Class(def(of), all(args)),
            Ty::Param(of, n) => Ty::Param(def(of), *n),
            Ty::ExternalInstance(of, args) => Ty::ExternalInstance(of.clone(), all(args)),
            Ty::Tuple(parts) => Ty::Tuple(all(parts)),
            Ty::Union(parts) => Ty::union(parts.iter().map(inner)),
            Ty::ClassOf(of) => Ty::ClassOf(Arc::new(inner(of))),
            Ty::Callable(params, ret) => Ty::Callable(all(params), Arc::new(inner(ret))),
            other => other.clone(),
        }
    }

    /// The result type of a decorated function, if a decorator replaces it by a function of its own. Unknown if that
    /// one returns the result of the decorated function.
    pub(super) fn result_of_wrapper(&self, ev: &mut Eval<'_>, function: GlobalDef) -> Ty {
        let repo = ev.repo;
        let def = repo.def(function);
        for decorator in &def.decorators {
            let Some(wrapper) = wrapper_of(ev, function.file, *decorator) else {
                continue;
            };
            if hands_on(repo, wrapper) {
                continue;
            }
            let takes_self = def.callable.as_deref().is_some_and(|c| {
                c.params
                    .first()
                    .is_some_and(|p| p.kind == ParamKind::Receiver)
            });
            let owner = def.parent.filter(|_| takes_self);
            let receiver = owner.map(|def| Ty::Param(GlobalDef { def, ..function }, SELF));
            let given: Vec<Ty> = receiver.into_iter().collect();
            let result = ev.result_with_params(wrapper, &given);
            if !matches!(result, Ty::Unknown | Ty::Null) {
                return result;
            }
        }
        Ty::Unknown
    }
}

/// The function that a decorator of the repository returns: one defined inside it.
fn wrapper_of(ev: &mut Eval<'_>, file: FileId, decorator: ExprId) -> Option<GlobalDef> {
    let Ty::Function(decorators, _) = ev.type_of_expr(file, decorator) else {
        return None;
    };
    let [decorator] = decorators[..] else {
        return None;
    };
    let Ty::Function(inner, _) = ev.result_type(decorator) else {
        return None;
    };
    let [inner] = inner[..] else { return None };
    let is_inside =
        inner.file == decorator.file && ev.repo.def(inner).parent == Some(decorator.def);
    is_inside.then_some(inner)
}

/// Whether a function returns the result of the decorated function, which is a parameter of the enclosing function.
fn hands_on(repo: &Repo, wrapper: GlobalDef) -> bool {
    let facts = repo.facts(wrapper.file);
    let Some(callable) = facts.def(wrapper.def).callable.as_deref() else {
        return true;
    };
    let mut results = callable.returns.iter().chain(&callable.yields);
    results.any(|result| is_call_of_parameter(repo, wrapper.file, *result, 0))
}

fn is_call_of_parameter(repo: &Repo, file: FileId, expr: ExprId, level: usize) -> bool {
    let facts = repo.facts(file);
    if level > MOST_STEPS {
        return true;
    }
    let inner = |expr: ExprId| is_call_of_parameter(repo, file, expr, level + 1);
    match facts.expr(expr) {
        Expr::Call { callee, .. } => flows::resolve_parameter(repo, file, *callee).is_some(),
        Expr::Await(of) | Expr::Enter(of) | Expr::Element(of) | Expr::Cast(of, _) => inner(*of),
        Expr::Either(parts) => parts.iter().copied().any(inner),
        Expr::Name { name, scope, at } => {
            let found = repo.lookup(file, *name, *scope, *at, Namespace::VALUE, false);
            match found.map(|binding| binding.to) {
                Some(Bound::Local {
                    value: Some(value), ..
                }) => inner(value),
                _ => false,
            }
        }
        _ => false,
    }
}

/// The definition with the same name and enclosing names in another file; of several, the last.
fn namesake_in(repo: &Repo, def: GlobalDef, file: FileId, level: u32) -> Option<GlobalDef> {
    if level > MOST_LEVELS {
        return None;
    }
    let own = repo.def(def);
    let name = repo.sym_of_name(def.file, own.name);
    let Some(parent) = own.parent else {
        return repo.top_level_named(file, name).last();
    };
    let parent = GlobalDef { def: parent, ..def };
    let holder = namesake_in(repo, parent, file, level + 1)?;
    repo.children_named(holder, name).last()
}
