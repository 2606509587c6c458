//! Which overload a call means: by the number of arguments, and by what literals can be.

use super::builtins;
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::CallView;
use linker::repo::GlobalDef;
use linker::ty::*;

/// More overloads than this are not compared with the arguments.
const MOST_COMPARED: usize = 64;

/// Overloads in the order written; an implementation comes last, for its type is not seen from outside.
pub(super) fn choose(
    ev: &mut Eval<'_>,
    overloads: &[GlobalDef],
    call: CallView<'_>,
) -> Vec<GlobalDef> {
    let has_body = |d: &GlobalDef| {
        let flags = ev.repo.def(*d).flags;
        !flags.has(DefFlags::DECLARATION_ONLY) && !flags.has(DefFlags::ABSTRACT)
    };
    let mut declared = overloads.to_vec();
    declared.sort_unstable();
    let (bodies, mut declared): (Vec<GlobalDef>, Vec<GlobalDef>) =
        declared.into_iter().partition(|d| has_body(d));
    let body = bodies.last().copied();
    if declared.is_empty() {
        return body.into_iter().collect();
    }
    declared = ev.overloads_with_arg_count(&declared, call);
    let first = first_that_takes_literals(ev, &declared, call);
    declared = vec![first.unwrap_or(declared[0])];
    declared.extend(body);
    declared
}

/// The first overload that does not rule out one of the literals among the arguments.
fn first_that_takes_literals(
    ev: &mut Eval<'_>,
    declared: &[GlobalDef],
    call: CallView<'_>,
) -> Option<GlobalDef> {
    if declared.len() < 2 || declared.len() > MOST_COMPARED {
        return None;
    }
    let facts = ev.repo.facts(call.file);
    let numbered = call.args.iter().zip(0..);
    let mut literals: Vec<(u32, Literal)> = Vec::new();
    for (arg, at) in numbered {
        let literal = match Literal::from_expr(facts.expr(*arg)) {
            None => Literal::from_type(&ev.type_of_expr(call.file, *arg)),
            known => known,
        };
        literals.extend(literal.map(|literal| (at, literal)));
    }
    let takes_all = |overload: &&GlobalDef| {
        literals.iter().all(|(at, literal)| {
            let expected = ev.param_type_for_argument(**overload, call, *at);
            takes(ev, &expected, literal)
        })
    };
    declared.iter().find(takes_all).copied()
}

/// What kind of literal an argument is, or what its type tells as much of.
#[derive(Clone, PartialEq)]
enum Literal {
    Function,
    Object,
    List,
    Primitive(Primitive),
    /// An object of a class of the library that stands apart from others.
    Builtin(Ty),
}

/// Classes of the library of which no object is one of another.
const APART: [&str; 9] = [
    "Array", "Map", "Set", "WeakMap", "WeakSet", "Promise", "Date", "RegExp", "Function",
];

impl Literal {
    fn from_expr(expr: &Expr) -> Option<Literal> {
        match expr {
            Expr::Function(_) => Some(Literal::Function),
            Expr::Object(_) => Some(Literal::Object),
            Expr::List(_) => Some(Literal::List),
            Expr::Literal(Primitive::Null) => None,
            Expr::Literal(primitive) => Some(Literal::Primitive(*primitive)),
            _ => None,
        }
    }

    fn from_type(ty: &Ty) -> Option<Literal> {
        match ty {
            Ty::Function(..) | Ty::Callable(..) => Some(Literal::Function),
            Ty::ExternalInstance(..) if builtins::is_class_of(ty, &APART) => {
                Some(Literal::Builtin(ty.clone()))
            }
            _ => None,
        }
    }
}

/// Whether a parameter of that type may be given a literal; false only where that is sure.
fn takes(ev: &mut Eval<'_>, expected: &Ty, literal: &Literal) -> bool {
    let expected = ev.resolve_type_param(expected);
    expected
        .alternatives()
        .iter()
        .any(|part| part_takes(ev, part, literal))
}

fn part_takes(ev: &mut Eval<'_>, expected: &Ty, literal: &Literal) -> bool {
    match expected {
        Ty::Param(..) => {
            let bound = ev.resolve_type_param(expected);
            !matches!(bound, Ty::Callable(..)) || *literal == Literal::Function
        }
        Ty::Callable(..) => *literal == Literal::Function,
        Ty::Tuple(_) => match literal {
            Literal::List => true,
            Literal::Builtin(of) => builtins::is_class_of(of, &["Array"]),
            _ => false,
        },
        Ty::ExternalInstance(..) if builtins::is_primitive(expected) => match literal {
            Literal::Primitive(primitive) => builtins::primitive_instance(*primitive) == *expected,
            _ => false,
        },
        Ty::ExternalInstance(..) => match literal {
            Literal::Builtin(of) if builtins::is_class_of(expected, &APART) => {
                builtins::is_same_class(of, expected)
            }
            Literal::Function => builtins::element_type(expected).is_none(),
            _ => true,
        },
        Ty::Instance(..) if *literal == Literal::Function => instance_takes_function(ev, expected),
        _ => true,
    }
}

/// Members that every function has.
const OF_FUNCTIONS: [&str; 8] = [
    "name",
    "length",
    "call",
    "apply",
    "bind",
    "prototype",
    "toString",
    "caller",
];

/// Whether an interface or class may be given a function: one that has a signature, or none but members of functions.
fn instance_takes_function(ev: &mut Eval<'_>, expected: &Ty) -> bool {
    let Ty::Instance(def, _) = expected else {
        return true;
    };
    let repo = ev.repo;
    if !matches!(
        repo.def(*def).kind,
        SymbolKind::Interface | SymbolKind::Class
    ) || !repo.def(*def).supers.is_empty()
    {
        return true;
    }
    let names = repo
        .children(*def)
        .map(|d| repo.facts(d.file).name(repo.def(d).name));
    let mut others = false;
    for name in names.take(MOST_COMPARED) {
        if name.starts_with("__") {
            return true;
        }
        others |= !OF_FUNCTIONS.contains(&name);
    }
    !others
}
