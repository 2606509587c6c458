//! The built-in library: arrays, promises, maps and the utility types.

use super::callable_type;
use crate::names::NameLists;
use base::SymbolKind;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::CallView;
use linker::ty::*;
use std::sync::LazyLock;

/// The package name of the language's own library.
pub(super) const LIB: &str = "ecmascript";

static NAMES: LazyLock<NameLists> =
    LazyLock::new(|| NameLists::parse(include_str!("../globals.txt")));

/// Whether a module is one of Node.js that may be named without `node:`.
pub(super) fn is_node_module(name: &str) -> bool {
    NAMES.has("node modules", name)
}

/// The package of a name that is available without an import.
pub(super) fn global_package(name: &str) -> Option<&'static str> {
    let lists = [
        ("ecmascript", LIB),
        ("dom", "dom"),
        ("node", "node:globals"),
        ("tests", "test-globals"),
    ];
    lists
        .into_iter()
        .find(|(list, _)| NAMES.has(list, name))
        .map(|(_, package)| package)
}

/// An instance of a built-in class.
pub(super) fn builtin_instance(class: &str, args: Vec<Ty>) -> Ty {
    Ty::external(LIB, class, args)
}

/// The name of the built-in class that a type is an instance of.
fn class_of(ty: &Ty) -> Option<&str> {
    match ty {
        Ty::ExternalInstance(external, _) if &*external.package == LIB => Some(&external.symbol),
        _ => None,
    }
}

/// Whether a type is `string`, `number` or `boolean`.
pub(super) fn is_primitive(ty: &Ty) -> bool {
    matches!(class_of(ty), Some("String" | "Number" | "Boolean"))
}

/// The type of a literal.
pub(super) fn primitive_instance(primitive: Primitive) -> Ty {
    match primitive {
        Primitive::String => builtin_instance("String", Vec::new()),
        Primitive::Int | Primitive::Float => builtin_instance("Number", Vec::new()),
        Primitive::Bool => builtin_instance("Boolean", Vec::new()),
        Primitive::Regex => builtin_instance("RegExp", Vec::new()),
        Primitive::Null => Ty::Null,
        Primitive::Bytes | Primitive::Char => Ty::Unknown,
    }
}

pub(super) fn is_promise(ty: &Ty) -> bool {
    matches!(class_of(ty), Some("Promise" | "PromiseLike"))
}

/// The type of awaiting a value.
pub(super) fn awaited_type(ty: &Ty) -> Ty {
    if is_promise(ty) {
        Ty::union(ty.arg(0).alternatives().iter().map(awaited_type))
    } else {
        ty.clone()
    }
}

/// The element type of an iteration; `None` if unknown.
pub(super) fn element_type(of: &Ty) -> Option<Ty> {
    Some(match class_of(of)? {
        "Array"
        | "ReadonlyArray"
        | "Set"
        | "ReadonlySet"
        | "Iterable"
        | "Iterator"
        | "IterableIterator"
        | "Generator"
        | "AsyncIterable"
        | "AsyncIterator"
        | "AsyncIterableIterator"
        | "AsyncGenerator"
        | "ArrayLike"
        | "ArrayIterator"
        | "MapIterator"
        | "SetIterator"
        | "IteratorObject" => of.arg(0),
        "Map" | "ReadonlyMap" => Ty::Tuple([of.arg(0), of.arg(1)].into()),
        "String" => builtin_instance("String", Vec::new()),
        _ => return None,
    })
}

/// Whether a type is one of these classes of the library.
pub(super) fn is_class_of(of: &Ty, classes: &[&str]) -> bool {
    class_of(of).is_some_and(|class| classes.contains(&class))
}

/// Whether two types are of one class of the library.
pub(super) fn is_same_class(a: &Ty, b: &Ty) -> bool {
    class_of(a) == class_of(b)
}

/// The type of indexing with a computed key.
pub(super) fn indexed_type(of: &Ty) -> Ty {
    match class_of(of) {
        Some("Array" | "ReadonlyArray" | "ArrayLike") => of.arg(0),
        Some("Record") => of.arg(1),
        Some("String") => builtin_instance("String", Vec::new()),
        _ => Ty::Unknown,
    }
}

/// Evaluates `Partial<T>`, `Awaited<T>` and the like.
pub(super) fn expand_utility_type(ev: &mut Eval<'_>, name: &External, args: &[Ty]) -> Option<Ty> {
    if &*name.package != LIB {
        return None;
    }
    let first = args.first().cloned().unwrap_or_default();
    match &*name.symbol {
        "Partial" | "Required" | "Readonly" | "NonNullable" | "Pick" | "Omit" | "NoInfer"
        | "Exclude" | "Extract" | "ThisType" => Some(first),
        "Awaited" => Some(awaited_type(&first)),
        "ReturnType" => Some(match first {
            Ty::Function(defs, _) => match defs.last() {
                Some(def) => ev.result_type(*def),
                None => Ty::Unknown,
            },
            Ty::Callable(_, ret) => (*ret).clone(),
            of @ Ty::Instance(..) => result_of_callable(ev, &of),
            _ => Ty::Unknown,
        }),
        "InstanceType" => Some(match first {
            Ty::Class(def, args) => Ty::Instance(def, args),
            Ty::External(external) => Ty::ExternalInstance(external, no_args()),
            _ => Ty::Unknown,
        }),
        "Function" => Some(Ty::Unknown),
        _ => None,
    }
}

/// `new Set(xs)`, `new Map(pairs)` without type arguments.
pub(super) fn type_of_new_builtin(ev: &mut Eval<'_>, class: &External, call: CallView<'_>) -> Ty {
    if &*class.package != LIB {
        return Ty::Unknown;
    }
    let over = argument(ev, call, 0);
    let inner = element_type(&over).unwrap_or_default();
    match &*class.symbol {
        "Set" => builtin_instance("Set", vec![inner]),
        "Map" => match inner {
            Ty::Tuple(parts) if parts.len() == 2 => builtin_instance("Map", parts.to_vec()),
            _ => builtin_instance("Map", Vec::new()),
        },
        _ => Ty::Unknown,
    }
}

fn argument(ev: &mut Eval<'_>, call: CallView<'_>, n: usize) -> Ty {
    match call.args.get(n) {
        Some(arg) => ev.type_of_expr(call.file, *arg),
        None => Ty::Unknown,
    }
}

/// The result type of calling a value whose interface has a call signature.
fn result_of_callable(ev: &mut Eval<'_>, of: &Ty) -> Ty {
    let Ty::Instance(def, _) = of else {
        return Ty::Unknown;
    };
    let shape = ev.lang_of_file(def.file).callable_shape(ev, of);
    shape.map_or(Ty::Unknown, |(_, ret)| ret)
}

/// The result type of a callback argument.
fn callback_result(ev: &mut Eval<'_>, call: CallView<'_>, n: usize) -> Ty {
    let callback = argument(ev, call, n);
    match &callback {
        Ty::Function(defs, receiver) => match defs.last() {
            Some(def) => {
                let result = ev.result_type(*def);
                ev.substitute(&result, receiver.as_deref())
            }
            None => Ty::Unknown,
        },
        Ty::Callable(_, ret) => (**ret).clone(),
        Ty::Instance(..) => result_of_callable(ev, &callback),
        Ty::Class(def, _) => Ty::instance(*def),
        Ty::External(external) if &*external.package == LIB => match &*external.symbol {
            "String" | "Number" | "Boolean" => builtin_instance(&external.symbol, Vec::new()),
            _ => Ty::Unknown,
        },
        _ => Ty::Unknown,
    }
}

/// The result type of calling something of the library.
pub(super) fn external_call_result(
    ev: &mut Eval<'_>,
    callee: &External,
    receiver: Option<&Ty>,
    call: CallView<'_>,
) -> Ty {
    if &*callee.package != LIB {
        return test_framework_result(callee);
    }
    let method = callee.symbol.rsplit('.').next().unwrap_or("");
    let receiver = receiver.cloned().unwrap_or_default();
    match class_of(&receiver) {
        Some("Array" | "ReadonlyArray") => array_method_result(ev, method, &receiver, call),
        Some("Promise" | "PromiseLike") => promise_method_result(ev, method, &receiver, call),
        Some("Map" | "ReadonlyMap" | "WeakMap") => map_method_result(method, &receiver),
        Some("Set" | "ReadonlySet" | "WeakSet") => set_method_result(method, &receiver),
        Some("String") => string_method_result(method),
        Some(
            "Iterator" | "IterableIterator" | "Generator" | "Iterable" | "MapIterator"
            | "SetIterator" | "ArrayIterator",
        ) => iterator_method_result(ev, method, &receiver, call),
        Some(_) => Ty::Unknown,
        None => static_method_result(ev, &callee.symbol, call),
    }
}

/// The functions of test frameworks return values of the framework: `expect(x).not.toBe(y)`.
fn test_framework_result(callee: &External) -> Ty {
    let symbol = callee
        .symbol
        .strip_prefix("default.")
        .unwrap_or(&callee.symbol);
    let theirs = match symbol {
        "expect" | "expect.soft" | "expect.poll" | "expectTypeOf" | "assertType" => true,
        "vi.fn" | "jest.fn" | "vi.spyOn" | "jest.spyOn" | "jasmine.createSpy" | "spyOn" => true,
        // Calls chained to these.
        chained => chained.contains("()"),
    };
    if theirs && NAMES.has("test packages", &callee.package) {
        Ty::external(&callee.package, &format!("{symbol}()"), Vec::new())
    } else {
        Ty::Unknown
    }
}

fn array_method_result(ev: &mut Eval<'_>, method: &str, array: &Ty, call: CallView<'_>) -> Ty {
    let item = array.arg(0);
    match method {
        "concat" => {
            let mut items = vec![item];
            for at in 0..call.args.len() {
                let given = argument(ev, call, at);
                items.push(element_or_self(&given));
            }
            builtin_instance("Array", vec![Ty::union(items)])
        }
        "filter" => match predicate(ev, call) {
            Some(is) => builtin_instance("Array", vec![narrowed(ev, &item, is)]),
            None => array.clone(),
        },
        "slice" | "reverse" | "sort" | "splice" | "fill" | "toSorted" | "toReversed" | "with"
        | "toSpliced" | "copyWithin" => array.clone(),
        "find" | "findLast" => match predicate(ev, call) {
            Some(is) => narrowed(ev, &item, is),
            None => item,
        },
        "pop" | "shift" | "at" => item,
        "map" => builtin_instance("Array", vec![callback_result(ev, call, 0)]),
        "flatMap" => {
            let given = callback_result(ev, call, 0);
            let flat = element_or_self(&given);
            builtin_instance("Array", vec![flat])
        }
        "flat" => builtin_instance("Array", vec![element_or_self(&item)]),
        "reduce" | "reduceRight" => match call.args.len() {
            0 | 1 => item,
            _ => argument(ev, call, 1),
        },
        "join" | "toString" => builtin_instance("String", Vec::new()),
        "values" => builtin_instance("IterableIterator", vec![item]),
        "entries" => {
            let pair = Ty::Tuple([builtin_instance("Number", Vec::new()), item].into());
            builtin_instance("IterableIterator", vec![pair])
        }
        "some" | "every" | "includes" => builtin_instance("Boolean", Vec::new()),
        _ => Ty::Unknown,
    }
}

/// The type that the first argument of a call says an element has: `(x): x is T`.
fn predicate(ev: &mut Eval<'_>, call: CallView<'_>) -> Option<Ty> {
    let Ty::Function(defs, receiver) = argument(ev, call, 0) else {
        return None;
    };
    let is = super::type_predicate(ev, *defs.last()?)?;
    let is = ev.substitute(&is, receiver.as_deref());
    (!matches!(is, Ty::Unknown | Ty::Param(..))).then_some(is)
}

/// The parts of a type that a predicate lets through. Where it names none of them, what it says.
fn narrowed(ev: &mut Eval<'_>, item: &Ty, is: Ty) -> Ty {
    let mut kept: Vec<Ty> = Vec::new();
    for part in item.alternatives() {
        let is_inside = is.alternatives().iter().any(|is| match (is, part) {
            (Ty::Instance(class, _), Ty::Instance(..)) => ev.is_subtype_of(part, *class),
            _ => is == part,
        });
        if is_inside {
            kept.push(part.clone());
        }
    }
    // A class may have all that an interface asks for without saying so.
    let is_interface =
        matches!(&is, Ty::Instance(class, _) if ev.repo.def(*class).kind != SymbolKind::Class);
    if kept.is_empty() || is_interface {
        kept.push(is);
    }
    Ty::union(kept)
}

fn element_or_self(ty: &Ty) -> Ty {
    match class_of(ty) {
        Some("Array" | "ReadonlyArray") => ty.arg(0),
        _ => ty.clone(),
    }
}

fn promise_method_result(ev: &mut Eval<'_>, method: &str, promise: &Ty, call: CallView<'_>) -> Ty {
    match method {
        "then" => {
            let given = callback_result(ev, call, 0);
            builtin_instance("Promise", vec![awaited_type(&given)])
        }
        "catch" | "finally" => promise.clone(),
        _ => Ty::Unknown,
    }
}

fn map_method_result(method: &str, map: &Ty) -> Ty {
    let pair = || Ty::Tuple([map.arg(0), map.arg(1)].into());
    match method {
        "get" => map.arg(1),
        "set" => map.clone(),
        "keys" => builtin_instance("IterableIterator", vec![map.arg(0)]),
        "values" => builtin_instance("IterableIterator", vec![map.arg(1)]),
        "entries" => builtin_instance("IterableIterator", vec![pair()]),
        "has" | "delete" => builtin_instance("Boolean", Vec::new()),
        _ => Ty::Unknown,
    }
}

fn set_method_result(method: &str, set: &Ty) -> Ty {
    match method {
        "add" => set.clone(),
        "values" | "keys" => builtin_instance("IterableIterator", vec![set.arg(0)]),
        "has" | "delete" => builtin_instance("Boolean", Vec::new()),
        _ => Ty::Unknown,
    }
}

fn string_method_result(method: &str) -> Ty {
    let string = || builtin_instance("String", Vec::new());
    match method {
        "split" | "match" => builtin_instance("Array", vec![string()]),
        "startsWith" | "endsWith" | "includes" => builtin_instance("Boolean", Vec::new()),
        "indexOf" | "lastIndexOf" | "charCodeAt" | "codePointAt" | "search" | "localeCompare" => {
            builtin_instance("Number", Vec::new())
        }
        "matchAll" => Ty::Unknown,
        _ => string(),
    }
}

fn iterator_method_result(ev: &mut Eval<'_>, method: &str, of: &Ty, call: CallView<'_>) -> Ty {
    match method {
        "filter" => match predicate(ev, call) {
            Some(is) => builtin_instance("IterableIterator", vec![narrowed(ev, &of.arg(0), is)]),
            None => of.clone(),
        },
        "take" | "drop" => of.clone(),
        "map" => builtin_instance("IterableIterator", vec![callback_result(ev, call, 0)]),
        "find" => match predicate(ev, call) {
            Some(is) => narrowed(ev, &of.arg(0), is),
            None => of.arg(0),
        },
        "toArray" => builtin_instance("Array", vec![of.arg(0)]),
        _ => Ty::Unknown,
    }
}

/// `Object.values(x)`, `Promise.all(xs)`, `Array.from(xs)`, …
fn static_method_result(ev: &mut Eval<'_>, symbol: &str, call: CallView<'_>) -> Ty {
    let string = || builtin_instance("String", Vec::new());
    match symbol {
        "Object.keys" | "Object.getOwnPropertyNames" => builtin_instance("Array", vec![string()]),
        "Object.values" => {
            let of = argument(ev, call, 0);
            builtin_instance("Array", vec![record_value_type(ev, &of)])
        }
        "Object.entries" => {
            let of = argument(ev, call, 0);
            let pair = Ty::Tuple([string(), record_value_type(ev, &of)].into());
            builtin_instance("Array", vec![pair])
        }
        "Object.freeze" | "Object.assign" | "Object.seal" => argument(ev, call, 0),
        "Array.from" => {
            let of = argument(ev, call, 0);
            let item = match call.args.len() {
                0 | 1 => element_type(&of).unwrap_or_default(),
                _ => callback_result(ev, call, 1),
            };
            builtin_instance("Array", vec![item])
        }
        "Array.of" => builtin_instance("Array", vec![argument(ev, call, 0)]),
        "Promise.resolve" => {
            let of = argument(ev, call, 0);
            builtin_instance("Promise", vec![awaited_type(&of)])
        }
        "Promise.all" => promise_all(ev, call),
        "Promise.race" | "Promise.any" => {
            let of = argument(ev, call, 0);
            let item = element_type(&of).unwrap_or_default();
            builtin_instance("Promise", vec![awaited_type(&item)])
        }
        "String" | "String.raw" | "JSON.stringify" => string(),
        "Number" | "parseInt" | "parseFloat" => builtin_instance("Number", Vec::new()),
        "Boolean" | "Array.isArray" => builtin_instance("Boolean", Vec::new()),
        "Error" | "TypeError" | "RangeError" | "Date" | "RegExp" | "Symbol" => {
            builtin_instance(symbol, Vec::new())
        }
        _ => Ty::Unknown,
    }
}

/// The values of a record.
fn record_value_type(ev: &mut Eval<'_>, of: &Ty) -> Ty {
    match class_of(of) {
        Some("Record") => of.arg(1),
        Some("Array") => of.arg(0),
        _ => {
            let lang = ev.lang_of_family(base::Language::TypeScript);
            match of {
                // Only an index signature applies to all members.
                Ty::Instance(def, _) => lang.index(ev, of, def.file, ExprId(0)),
                _ => Ty::Unknown,
            }
        }
    }
}

fn promise_all(ev: &mut Eval<'_>, call: CallView<'_>) -> Ty {
    let literal = call.args.first().map(|a| ev.repo.facts(call.file).expr(*a));
    let inner = match literal {
        Some(Expr::List(items)) => {
            let items: Vec<Ty> = items
                .iter()
                .map(|item| {
                    let ty = ev.type_of_expr(call.file, *item);
                    awaited_type(&ty)
                })
                .collect();
            Ty::Tuple(items.into())
        }
        _ => {
            let of = argument(ev, call, 0);
            let item = element_type(&of).unwrap_or_default();
            builtin_instance("Array", vec![awaited_type(&item)])
        }
    };
    builtin_instance("Promise", vec![inner])
}

/// Parameters of callbacks passed to the library.
pub(super) fn callback_param_type(
    ev: &mut Eval<'_>,
    callee: &External,
    receiver: Option<&Ty>,
    call: CallView<'_>,
    param: u32,
) -> Ty {
    if &*callee.package != LIB {
        return Ty::Unknown;
    }
    let method = callee.symbol.rsplit('.').next().unwrap_or("");
    let receiver = receiver.cloned().unwrap_or_default();
    let parts: Vec<Ty> = receiver
        .alternatives()
        .iter()
        .map(|part| callback_param_of_part(ev, &callee.symbol, method, part, call, param))
        .collect();
    Ty::union(parts)
}

fn callback_param_of_part(
    ev: &mut Eval<'_>,
    symbol: &str,
    method: &str,
    of: &Ty,
    call: CallView<'_>,
    param: u32,
) -> Ty {
    match (class_of(of), method, param) {
        (Some("Array" | "ReadonlyArray"), "reduce" | "reduceRight", 0) => match call.args.len() {
            0 | 1 => of.arg(0),
            _ => argument(ev, call, 1),
        },
        (Some("Array" | "ReadonlyArray"), "reduce" | "reduceRight", 1) => of.arg(0),
        (Some("Array" | "ReadonlyArray"), "sort" | "toSorted", _) => of.arg(0),
        (Some("Array" | "ReadonlyArray"), _, 2) => of.clone(),
        (Some("Map" | "ReadonlyMap"), "forEach", 0) => of.arg(1),
        (Some("Map" | "ReadonlyMap"), "forEach", 1) => of.arg(0),
        (Some("Promise" | "PromiseLike"), "then", 0) => awaited_type(&of.arg(0)),
        (Some("Promise" | "PromiseLike"), _, _) => Ty::Unknown,
        (Some("String"), "replace" | "replaceAll", _) => of.clone(),
        (Some(_), _, 0) => element_type(of).unwrap_or_default(),
        (None, _, 0) if symbol == "Array.from" => {
            let over = argument(ev, call, 0);
            element_type(&over).unwrap_or_default()
        }
        (None, _, 0) if symbol == "Promise" => callable_type(vec![Ty::Unknown], Ty::Null),
        _ => Ty::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globals_have_a_package() {
        assert_eq!(global_package("Array"), Some(LIB));
        assert_eq!(global_package("describe"), Some("test-globals"));
        assert_eq!(global_package("myThing"), None);
    }

    #[test]
    fn promises_nest() {
        let inner = builtin_instance("Promise", vec![builtin_instance("String", Vec::new())]);
        let outer = builtin_instance("Promise", vec![inner]);
        assert_eq!(awaited_type(&outer), builtin_instance("String", Vec::new()));
    }
}
