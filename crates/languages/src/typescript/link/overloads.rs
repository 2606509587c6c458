//! Chooses the overload of a call: by the number of arguments, and by literal arguments.

use super::builtins;
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::CallView;
use linker::repo::{FileId, GlobalDef};
use linker::ty::*;

/// With more overloads, the arguments are not compared.
const MOST_COMPARED: usize = 64;

/// Overloads in written order. An implementation comes last, since its type is not visible from outside.
pub(super) fn choose(
    ev: &mut Eval<'_>,
    overloads: &[GlobalDef],
    call: CallView<'_>,
) -> Vec<GlobalDef> {
    let (mut declared, body) = fitting(ev, overloads, call);
    declared.truncate(1);
    declared.extend(body);
    declared
}

/// The overloads whose result and parameter types a call may have.
pub(super) fn signatures(
    ev: &mut Eval<'_>,
    overloads: &[GlobalDef],
    call: CallView<'_>,
) -> Vec<GlobalDef> {
    let (declared, body) = fitting(ev, overloads, call);
    if declared.is_empty() {
        body.into_iter().collect()
    } else {
        declared
    }
}

/// The overloads that a call can mean, and the implementation.
fn fitting(
    ev: &mut Eval<'_>,
    overloads: &[GlobalDef],
    call: CallView<'_>,
) -> (Vec<GlobalDef>, Option<GlobalDef>) {
    let has_body = |d: &GlobalDef| {
        let flags = ev.repo.def(*d).flags;
        !flags.has(DefFlags::DECLARATION_ONLY) && !flags.has(DefFlags::ABSTRACT)
    };
    let mut declared = overloads.to_vec();
    declared.sort_unstable();
    let (bodies, declared): (Vec<GlobalDef>, Vec<GlobalDef>) =
        declared.into_iter().partition(|d| has_body(d));
    let body = bodies.last().copied();
    if declared.is_empty() {
        return (declared, body);
    }
    let mut declared = ev.overloads_with_arg_count(&declared, call);
    let taking = those_that_take_literals(ev, &declared, call);
    if taking.is_empty() {
        declared.truncate(1);
        return (declared, body);
    }
    (taking, body)
}

/// The overloads that no literal argument excludes, up to the first that certainly accepts all.
fn those_that_take_literals(
    ev: &mut Eval<'_>,
    declared: &[GlobalDef],
    call: CallView<'_>,
) -> Vec<GlobalDef> {
    let mut taking = Vec::new();
    if declared.len() < 2 || declared.len() > MOST_COMPARED {
        return taking;
    }
    let facts = ev.repo.facts(call.file);
    let numbered = call.args.iter().zip(0..);
    let mut literals: Vec<(u32, Literal)> = Vec::new();
    for (arg, at) in numbered {
        let literal = match Literal::from_expr(facts, *arg) {
            None => Literal::from_type(&ev.type_of_expr(call.file, *arg)),
            known => known,
        };
        literals.extend(literal.map(|literal| (at, literal)));
    }
    for (number, overload) in declared.iter().enumerate() {
        let takes_all = literals.iter().all(|(at, literal)| {
            let expected = ev.param_type_for_argument(*overload, call, *at);
            takes(ev, &expected, literal)
        });
        if !takes_all {
            continue;
        }
        let mut is_sure = true;
        let mut fits = true;
        for at in 0..call.args.len() {
            match fits_literal_types(ev, *overload, call, at) {
                Some(fit) => fits &= fit,
                None => is_sure = false,
            }
        }
        if fits {
            taking.push(*overload);
            let later = &declared[number + 1..];
            if is_sure && accepts_for_certain(ev, *overload, later, call) {
                break;
            }
        }
    }
    taking
}

/// Whether an overload certainly accepts each argument for which later overloads have another type. An argument that
/// cannot be compared leaves the choice open.
fn accepts_for_certain(
    ev: &mut Eval<'_>,
    overload: GlobalDef,
    later: &[GlobalDef],
    call: CallView<'_>,
) -> bool {
    let facts = ev.repo.facts(call.file);
    for (at, arg) in call.args.iter().enumerate() {
        // A function that takes its types from the parameter fits the first that it fits.
        if let Expr::Function(def) = facts.expr(*arg)
            && let Some(callable) = facts.def(*def).callable.as_deref()
            && !callable.params.is_empty()
        {
            continue;
        }
        let number = at as u32;
        let expected = ev.param_type_for_argument(overload, call, number);
        let differs = later.iter().any(|other| {
            let other = ev.param_type_for_argument(*other, call, number);
            !other.is_unknown() && other != expected
        });
        if differs && !expected.is_unknown() {
            let given = ev.type_of_expr(call.file, *arg);
            if !is_certainly(ev, &given, &expected) {
                return false;
            }
        }
    }
    true
}

/// Whether a value of one type certainly belongs to another.
fn is_certainly(ev: &mut Eval<'_>, given: &Ty, expected: &Ty) -> bool {
    if matches!(expected, Ty::Param(..)) && matches!(ev.resolve_type_param(expected), Ty::Unknown) {
        return true;
    }
    let given = ev.resolve_type_param(given);
    let expected = ev.resolve_type_param(expected);
    given.alternatives().iter().all(|part| {
        let holds = |ev: &mut Eval<'_>, whole: &Ty| match (part, whole) {
            (Ty::Unknown | Ty::Null, _) => false,
            (part, whole) if part == whole => true,
            (Ty::Instance(..), Ty::Instance(class, args)) if args.is_empty() => {
                let order = ev.member_search_order(part);
                order
                    .iter()
                    .any(|ty| matches!(ty, Ty::Instance(of, _) if of == class))
            }
            (Ty::ExternalInstance(..), Ty::ExternalInstance(_, args)) => {
                args.is_empty() && builtins::is_same_class(part, whole)
            }
            _ => false,
        };
        expected.alternatives().iter().any(|whole| holds(ev, whole))
    })
}

/// Whether an argument is one of the literals in its parameter's type; `None` if unknown.
fn fits_literal_types(
    ev: &mut Eval<'_>,
    overload: GlobalDef,
    call: CallView<'_>,
    at: usize,
) -> Option<bool> {
    let param = ev.param_for_argument(overload, call, at);
    let Some(ty) = param.and_then(|p| p.ty) else {
        return Some(true);
    };
    let mut expected = Vec::new();
    if !collect_literals(ev, overload.file, ty, &mut expected, MOST_NESTED) {
        // What cannot be compared leaves the choice open.
        let mut left = MOST_LITERALS;
        return (!holds_single_values(ev, overload.file, ty, &mut left)).then_some(true);
    }
    let facts = ev.repo.facts(call.file);
    match facts.expr(call.args[at]) {
        Expr::Cast(_, ty) => literal_of(facts, *ty).map(|literal| expected.contains(&literal)),
        Expr::Name {
            name,
            scope,
            at: byte,
        } => {
            let binding =
                ev.repo
                    .lookup(call.file, *name, *scope, *byte, Namespace::VALUE, false)?;
            let Bound::Param(def, n) = binding.to else {
                return None;
            };
            let callable = facts.def(def).callable.as_deref()?;
            let written = callable.params.get(n as usize)?.ty?;
            // A parameter of the whole primitive type accepts any value.
            let is_wide = matches!(facts.ty(written), TypeExpr::Primitive(_));
            is_wide.then_some(false)
        }
        _ => None,
    }
}

/// Most nested types and aliases that are followed.
const MOST_NESTED: u32 = 8;

/// The literals that a type consists of; false if it has other values.
fn collect_literals<'r>(
    ev: &mut Eval<'r>,
    file: FileId,
    ty: TypeId,
    out: &mut Vec<(Primitive, &'r str)>,
    nested: u32,
) -> bool {
    let facts = ev.repo.facts(file);
    if let Some(literal) = literal_of(facts, ty) {
        out.push(literal);
        return true;
    }
    let Some(nested) = nested.checked_sub(1).filter(|_| out.len() < MOST_LITERALS) else {
        return false;
    };
    match facts.ty(ty) {
        TypeExpr::Optional(inner) => collect_literals(ev, file, *inner, out, nested),
        TypeExpr::Union(parts) => parts
            .iter()
            .all(|part| collect_literals(ev, file, *part, out, nested)),
        TypeExpr::Named {
            path, scope, at, ..
        } => {
            let Entity::Defs(defs) = ev.resolve_type_path(file, path, *scope, *at) else {
                return false;
            };
            let [alias] = *defs else { return false };
            let def = ev.repo.def(alias);
            let written = def.ty.filter(|_| def.kind == SymbolKind::TypeAlias);
            written.is_some_and(|ty| collect_literals(ev, alias.file, ty, out, nested))
        }
        _ => false,
    }
}

/// Whether a type consists of single values, or has properties that do: members of enumerations, or literals within objects. Which
/// of such types an argument has is not compared. `left` is the number of types that are still looked at.
fn holds_single_values(ev: &mut Eval<'_>, file: FileId, ty: TypeId, left: &mut usize) -> bool {
    let Some(less) = left.checked_sub(1) else {
        return true;
    };
    *left = less;
    let facts = ev.repo.facts(file);
    match facts.ty(ty) {
        TypeExpr::Binding(..) => literal_of(facts, ty).is_some(),
        TypeExpr::Optional(inner) => holds_single_values(ev, file, *inner, left),
        TypeExpr::Union(parts) | TypeExpr::All(parts) => parts
            .iter()
            .any(|part| holds_single_values(ev, file, *part, left)),
        TypeExpr::Anonymous(def) => {
            let shape = GlobalDef { file, def: *def };
            has_single_valued_property(ev, shape, left)
        }
        TypeExpr::Named {
            path, scope, at, ..
        } => {
            if let Some((_, of)) = path.split_last()
                && let Entity::Defs(defs) = ev.resolve_type_path(file, of, *scope, *at)
                && defs
                    .iter()
                    .any(|d| ev.repo.def(*d).kind == SymbolKind::Enum)
            {
                return true;
            }
            let Entity::Defs(defs) = ev.resolve_type_path(file, path, *scope, *at) else {
                return false;
            };
            let [named] = *defs else { return false };
            let def = ev.repo.def(named);
            match (def.kind, def.ty) {
                (SymbolKind::TypeAlias, Some(ty)) => holds_single_values(ev, named.file, ty, left),
                (SymbolKind::Interface, _) => has_single_valued_property(ev, named, left),
                (kind, _) => kind == SymbolKind::EnumMember,
            }
        }
        _ => false,
    }
}

fn has_single_valued_property(ev: &mut Eval<'_>, shape: GlobalDef, left: &mut usize) -> bool {
    let repo = ev.repo;
    let types: Vec<TypeId> = repo
        .children(shape)
        .filter_map(|child| repo.def(child).ty)
        .take(MOST_COMPARED)
        .collect();
    types
        .into_iter()
        .any(|ty| holds_single_values(ev, shape.file, ty, left))
}

/// Most literals of one type that are compared.
const MOST_LITERALS: usize = 256;

/// The literal that is a type's only value.
fn literal_of(facts: &FileFacts, ty: TypeId) -> Option<(Primitive, &str)> {
    let TypeExpr::Binding(text, ty) = facts.ty(ty) else {
        return None;
    };
    match facts.ty(*ty) {
        TypeExpr::Primitive(primitive) => Some((*primitive, facts.name(*text))),
        _ => None,
    }
}

/// The kind of a literal argument, or of an argument whose type determines the kind.
#[derive(Clone, PartialEq)]
enum Literal {
    Function,
    Object,
    List,
    Primitive(Primitive),
    /// An object of a library class that is unrelated to the others.
    Builtin(Ty),
}

/// Library classes of which no object belongs to another one.
const APART: [&str; 9] = [
    "Array", "Map", "Set", "WeakMap", "WeakSet", "Promise", "Date", "RegExp", "Function",
];

impl Literal {
    fn from_expr(facts: &FileFacts, expr: ExprId) -> Option<Literal> {
        match facts.expr(expr) {
            Expr::Cast(_, ty) => {
                literal_of(facts, *ty).map(|(primitive, _)| Literal::Primitive(primitive))
            }
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

/// Whether a parameter of that type accepts a literal; false only if that is certain.
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

/// Whether an interface or class accepts a function: it has a signature, or only members of functions.
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
