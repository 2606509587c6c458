//! The functions that operators call: a method of the first operand's class, or a function in the namespaces of the operands'
//! classes.

use super::fit::Fit;
use super::lookup::Wanted;
use super::overloads::Selected;
use super::{Family, shapes, standard};
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::{CallView, Called};
use linker::repo::GlobalDef;
use linker::ty::*;

/// The name of the conversion that a condition uses.
const TRUTH: &str = "operator bool";
/// The name that `delete` uses for any destructor.
const DESTRUCTOR: &str = "~";

/// An operator by its sign.
#[derive(Debug, Clone, Copy)]
pub(super) struct Operator<'r> {
    /// The name of the function: `operator+`.
    name: &'r str,
}

/// The operator of a call. The object of its callee is its first argument.
pub(super) fn of_call<'r>(
    facts: &'r FileFacts,
    call: CallView<'_>,
    callee: ExprId,
) -> Option<Operator<'r>> {
    match facts.expr(callee) {
        Expr::Member { object, name } if call.args.first() == Some(object) => {
            let name = facts.name(*name);
            let is_operator = name.starts_with("operator") || name == DESTRUCTOR;
            is_operator.then_some(Operator { name })
        }
        _ => None,
    }
}

/// The operator by which C++20 expresses another one: `==` for `!=`, `<=>` for `<`.
fn rewritten(name: &str) -> Option<&'static str> {
    match name {
        "operator!=" => Some("operator=="),
        "operator<" | "operator>" | "operator<=" | "operator>=" => Some("operator<=>"),
        _ => None,
    }
}

/// Whether a type may have operators of its own.
fn is_class(ty: &Ty) -> bool {
    matches!(ty, Ty::Instance(..))
}

impl Family {
    /// The function that an operator calls, or the type of its result if it calls nothing of the repository.
    pub(super) fn by_sign(
        &self,
        ev: &mut Eval<'_>,
        call: CallView<'_>,
        operator: Operator<'_>,
    ) -> Called {
        let operands: Vec<Ty> = call
            .args
            .iter()
            .map(|operand| {
                let ty = ev.type_of_expr(call.file, *operand);
                ev.resolve_type_param(&ty)
            })
            .collect();
        if operands.iter().any(is_class) {
            let names = std::iter::once(operator.name).chain(rewritten(operator.name));
            for name in names {
                if let Some(found) = self.operator_of(ev, call, name, &operands) {
                    let receiver = operands.first().cloned();
                    return Called::Found(Entity::def(found), receiver);
                }
            }
        }
        let given = self.built_in_result(ev, operator.name, &operands);
        Called::Found(Entity::Value(Ty::Callable(no_args(), given.into())), None)
    }

    /// The function with a name that fits the operands.
    fn operator_of(
        &self,
        ev: &mut Eval<'_>,
        call: CallView<'_>,
        name: &str,
        operands: &[Ty],
    ) -> Option<GlobalDef> {
        let object = operands.first()?;
        if name == DESTRUCTOR {
            return destructor(ev, object);
        }
        let method = self.operator_method(ev, call, name, object);
        if call.args.len() > 2 || name == TRUTH || name == "operator->" || name == "operator[]" {
            return method;
        }
        let function = self.operator_function(ev, call, name, operands);
        match (method, function) {
            (Some(method), Some(function)) => {
                let given = operands.get(1);
                let param = self.param_type(ev, method, 0);
                let param = ev.substitute(&param, Some(object));
                let is_exact = given.is_none_or(|given| self.fit(ev, given, &param) == Fit::Exact);
                Some(if is_exact { method } else { function })
            }
            (method, function) => method.or(function),
        }
    }

    fn operator_method(
        &self,
        ev: &mut Eval<'_>,
        call: CallView<'_>,
        name: &str,
        object: &Ty,
    ) -> Option<GlobalDef> {
        let Ty::Instance(class, _) = object else {
            return None;
        };
        if ev.repo.def(*class).kind == SymbolKind::Enum {
            return None;
        }
        let (Entity::Defs(defs), receiver) = ev.resolve_member(object, name) else {
            return None;
        };
        let given = CallView {
            args: &call.args[1..],
            ..call
        };
        let object = super::constant::Object {
            file: call.file,
            callee: callee_of(ev, call)?,
        };
        let found = match self.select(ev, &defs, receiver.as_ref(), given, Some(object)) {
            Selected::One(def) => def,
            _ => return None,
        };
        self.suits(ev, found, receiver.as_ref(), given)
            .then_some(found)
    }

    fn operator_function(
        &self,
        ev: &mut Eval<'_>,
        call: CallView<'_>,
        name: &str,
        operands: &[Ty],
    ) -> Option<GlobalDef> {
        let name = ev.repo.find_sym(name)?;
        let wanted = Wanted {
            file: call.file,
            name,
            namespace: Namespace::VALUE,
        };
        let repo = ev.repo;
        let global = match self.in_global(ev, wanted) {
            found @ Entity::Defs(_) => found,
            _ => Entity::Unknown,
        };
        let found = self.with_namespaces_of_arguments(ev, call, name, global);
        let Entity::Defs(defs) = found else {
            return None;
        };
        let mut all = Vec::new();
        if !ev.spend_on_namesakes(defs.len()) {
            return None;
        }
        for def in defs.iter().copied() {
            let is_free = repo.def(def).kind == SymbolKind::Function;
            if is_free && self.takes_a_class(ev, def, operands) && self.suits(ev, def, None, call) {
                all.push(def);
            }
        }
        match self.select(ev, &all, None, call, None) {
            Selected::One(def) => Some(def),
            _ => None,
        }
    }

    /// Whether all arguments may fit a function.
    fn suits(
        &self,
        ev: &mut Eval<'_>,
        function: GlobalDef,
        receiver: Option<&Ty>,
        call: CallView<'_>,
    ) -> bool {
        let (least, most) = shapes::arity(ev.repo, function);
        let count = call.args.len();
        if count < least || count > most {
            return false;
        }
        call.args.iter().enumerate().all(|(n, given)| {
            let given = ev.type_of_expr(call.file, *given);
            let param = self.param_type(ev, function, n);
            let param = ev.substitute(&param, receiver);
            self.fit(ev, &given, &param) != Fit::No
        })
    }

    /// Whether an operand that is an object certainly fits its parameter.
    fn takes_a_class(&self, ev: &mut Eval<'_>, function: GlobalDef, operands: &[Ty]) -> bool {
        operands.iter().enumerate().any(|(n, given)| {
            is_class(given) && {
                let param = self.param_type(ev, function, n);
                let fit = self.fit(ev, given, &param);
                matches!(fit, Fit::Exact | Fit::Near | Fit::Converted)
            }
        })
    }

    /// The result of an operator that no class defines.
    fn built_in_result(&self, ev: &mut Eval<'_>, name: &str, operands: &[Ty]) -> Ty {
        let left = operands.first().cloned().unwrap_or_default();
        match name.trim_start_matches("operator") {
            "==" | "!=" | "<" | ">" | "<=" | ">=" | "!" | " bool" => standard::built_in("bool"),
            // `<<` on a stream gives the stream itself.
            "<<" | ">>" => standard::promoted(left),
            "+" | "-" | "*" | "/" | "%" | "|" | "&" | "^" | "~" => match operands {
                [left, right] => {
                    linker::lang::Platform::operation(self, ev, left.clone(), right.clone())
                }
                _ if is_class(&left) => Ty::Unknown,
                _ => standard::promoted(left),
            },
            _ => Ty::Unknown,
        }
    }
}

fn callee_of(ev: &Eval<'_>, call: CallView<'_>) -> Option<ExprId> {
    match ev.repo.facts(call.file).expr(call.expr) {
        Expr::Call { callee, .. } => Some(*callee),
        _ => None,
    }
}

/// The destructor that the class of an object declares.
fn destructor(ev: &mut Eval<'_>, object: &Ty) -> Option<GlobalDef> {
    let Ty::Instance(class, _) = object else {
        return None;
    };
    let name = format!("~{}", ev.repo.def_name(*class));
    let (Entity::Defs(defs), _) = ev.resolve_member(object, &name) else {
        return None;
    };
    defs.first().copied()
}
