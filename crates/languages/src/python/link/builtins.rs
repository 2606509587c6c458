//! Types of values of the standard library and of the results of their methods, as far as types of the repository pass
//! through them: containers and their elements.

use base::facts::{Expr, ExprId};
use linker::eval::Eval;
use linker::lang::CallView;
use linker::ty::*;

/// A value of a built-in class.
pub(super) fn builtin_type(name: &str, args: Vec<Ty>) -> Ty {
    Ty::external("builtins", name, args)
}

pub(super) fn str_type() -> Ty {
    builtin_type("str", Vec::new())
}

fn iterator_type(of: Ty) -> Ty {
    Ty::external("typing", "Iterator", vec![of])
}

/// The canonical name of a class that has several (`typing.List`, `collections.abc.Sequence`).
pub(super) fn canonical_class(external: &External) -> External {
    let (package, symbol) = (&*external.package, &*external.symbol);
    let symbol = match (package, symbol) {
        ("collections", other) => match other.strip_prefix("abc.") {
            Some(abstract_class) => abstract_class,
            None => return external.clone(),
        },
        ("typing" | "typing_extensions", other) => other,
        ("contextlib", "AbstractContextManager") => "ContextManager",
        ("contextlib", "AbstractAsyncContextManager") => "AsyncContextManager",
        _ => return external.clone(),
    };
    let lower = match symbol {
        "List" => "list",
        "Dict" => "dict",
        "Set" => "set",
        "FrozenSet" => "frozenset",
        "Tuple" => "tuple",
        "Type" => "type",
        "DefaultDict" => return External::new("collections", "defaultdict"),
        "OrderedDict" => return External::new("collections", "OrderedDict"),
        "Counter" => return External::new("collections", "Counter"),
        "Deque" => return External::new("collections", "deque"),
        "ChainMap" => return External::new("collections", "ChainMap"),
        other => return External::new("typing", other),
    };
    External::new("builtins", lower)
}

/// The kind of container of an external class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContainerShape {
    /// The first type argument is the element type.
    Sequence,
    /// Keys and values.
    Mapping,
    /// A string.
    Text,
    /// No known container.
    Other,
}

pub(super) fn shape(external: &External) -> ContainerShape {
    match (&*external.package, &*external.symbol) {
        ("builtins", "list" | "set" | "frozenset" | "tuple" | "reversed")
        | ("collections", "deque")
        | (
            "typing",
            "Sequence" | "MutableSequence" | "Iterable" | "Iterator" | "Generator" | "Collection"
            | "Container" | "AbstractSet" | "Set" | "MutableSet" | "Reversible" | "KeysView"
            | "AsyncIterator" | "AsyncIterable" | "AsyncGenerator",
        ) => ContainerShape::Sequence,
        ("builtins", "dict")
        | ("collections", "defaultdict" | "OrderedDict" | "Counter" | "ChainMap")
        | ("typing", "Mapping" | "MutableMapping" | "ItemsView" | "ValuesView")
        | ("weakref", "WeakValueDictionary" | "WeakKeyDictionary") => ContainerShape::Mapping,
        ("builtins", "str" | "bytes") => ContainerShape::Text,
        _ => ContainerShape::Other,
    }
}

/// The type of a method of a built-in value.
fn method(of: &Ty, name: &str) -> Ty {
    let Ty::ExternalInstance(class, _) = of else {
        return Ty::Unknown;
    };
    let (first, second) = (of.arg(0), of.arg(1));
    match shape(class) {
        ContainerShape::Sequence => match name {
            "pop" | "popleft" | "__next__" | "__getitem__" => first,
            "copy" | "union" | "intersection" | "difference" | "symmetric_difference" => of.clone(),
            "__iter__" => iterator_type(first),
            _ => Ty::Unknown,
        },
        ContainerShape::Mapping => match name {
            "get" | "pop" | "setdefault" | "__getitem__" => second,
            "values" => iterator_type(second),
            "keys" => iterator_type(first),
            "items" => iterator_type(Ty::Tuple([first, second].into())),
            "popitem" => Ty::Tuple([first, second].into()),
            "copy" => of.clone(),
            "most_common" => builtin_type(
                "list",
                vec![Ty::Tuple([first, builtin_type("int", Vec::new())].into())],
            ),
            _ => Ty::Unknown,
        },
        ContainerShape::Text => str_method_result(of, name),
        ContainerShape::Other => library_method_result(class, of, name),
    }
}

fn str_method_result(of: &Ty, name: &str) -> Ty {
    match name {
        "split" | "rsplit" | "splitlines" => builtin_type("list", vec![of.clone()]),
        "partition" | "rpartition" => Ty::Tuple([of.clone(), of.clone(), of.clone()].into()),
        "encode" => builtin_type("bytes", Vec::new()),
        "decode" | "hex" => str_type(),
        "find" | "rfind" | "index" | "rindex" | "count" => builtin_type("int", Vec::new()),
        name if name.starts_with("is") || name.ends_with("with") => {
            builtin_type("bool", Vec::new())
        }
        _ => of.clone(),
    }
}

fn library_method_result(class: &External, of: &Ty, name: &str) -> Ty {
    match (&*class.package, &*class.symbol, name) {
        ("asyncio", "Task" | "Future", "result") | ("concurrent", _, "result") => of.arg(0),
        ("re", "Pattern", "match" | "search" | "fullmatch") => Ty::external("re", "Match", vec![]),
        ("re", "Match", "group") => str_type(),
        ("pathlib", "Path", "read_text" | "as_posix") => str_type(),
        (
            "pathlib",
            "Path",
            "joinpath" | "resolve" | "absolute" | "with_suffix" | "with_name" | "expanduser"
            | "relative_to" | "rename",
        ) => of.clone(),
        ("pathlib", "Path", "glob" | "rglob" | "iterdir") => iterator_type(of.clone()),
        ("weakref", "ref" | "ReferenceType", "__call__") => of.arg(0),
        _ => Ty::Unknown,
    }
}

/// The result type of calling something of the standard library.
pub(super) fn external_call_result(
    ev: &mut Eval<'_>,
    callee: &External,
    receiver: Option<&Ty>,
    view: CallView<'_>,
) -> Ty {
    let name = callee.symbol.rsplit('.').next().unwrap_or("");
    if name == "__new__" {
        let class = argument_type(ev, view, 0);
        return ev.map_alternatives(&class, |_, class| match class {
            Ty::Class(def, args) => Ty::Instance(*def, args.clone()),
            _ => Ty::Unknown,
        });
    }
    if let Some(receiver @ Ty::ExternalInstance(..)) = receiver {
        return method(receiver, name);
    }
    let callee = canonical_class(callee);
    match &*callee.package {
        "builtins" => builtin_call_result(ev, &callee.symbol, view),
        _ => library_call_result(ev, &callee, view),
    }
}

fn argument_type(ev: &mut Eval<'_>, view: CallView<'_>, n: usize) -> Ty {
    match view.args.get(n) {
        Some(arg) => match ev.repo.facts(view.file).expr(*arg) {
            Expr::Keyword(..) | Expr::Spread(_) => Ty::Unknown,
            _ => ev.type_of_expr(view.file, *arg),
        },
        None => Ty::Unknown,
    }
}

fn keyword_argument(ev: &Eval<'_>, view: CallView<'_>, name: &str) -> Option<ExprId> {
    let facts = ev.repo.facts(view.file);
    view.args.iter().find_map(|arg| match facts.expr(*arg) {
        Expr::Keyword(key, value) if facts.name(*key) == name => Some(*value),
        _ => None,
    })
}

/// The element type of an iteration over a value.
pub(super) fn iterated_type(ev: &mut Eval<'_>, view: CallView<'_>, of: &Ty) -> Ty {
    let lang = ev.lang_of_file(view.file);
    ev.map_alternatives(of, |ev, part| match part {
        Ty::Tuple(parts) => Ty::union(parts.iter().cloned()),
        other => lang.element(ev, other),
    })
}

fn iterated_argument_type(ev: &mut Eval<'_>, view: CallView<'_>, n: usize) -> Ty {
    let of = argument_type(ev, view, n);
    iterated_type(ev, view, &of)
}

fn builtin_call_result(ev: &mut Eval<'_>, name: &str, view: CallView<'_>) -> Ty {
    match name {
        "list" | "set" | "frozenset" | "tuple" | "sorted" => {
            let element = iterated_argument_type(ev, view, 0);
            let class = if name == "sorted" { "list" } else { name };
            builtin_type(class, vec![element])
        }
        "dict" => match argument_type(ev, view, 0) {
            of @ Ty::ExternalInstance(..) => of,
            _ => builtin_type("dict", vec![Ty::Unknown, Ty::Unknown]),
        },
        "iter" | "reversed" | "filter" => {
            let n = usize::from(name == "filter");
            iterator_type(iterated_argument_type(ev, view, n))
        }
        "enumerate" => {
            let element = iterated_argument_type(ev, view, 0);
            iterator_type(Ty::Tuple([builtin_type("int", Vec::new()), element].into()))
        }
        "zip" => {
            let parts: Vec<Ty> = (0..view.args.len().min(8))
                .map(|n| iterated_argument_type(ev, view, n))
                .collect();
            iterator_type(Ty::Tuple(parts.into()))
        }
        "map" => iterator_type(map_function_result(ev, view)),
        "next" | "anext" | "sum" => iterated_argument_type(ev, view, 0),
        "min" | "max" if view.args.len() > 1 && keyword_argument(ev, view, "key").is_none() => {
            argument_type(ev, view, 0)
        }
        "min" | "max" => iterated_argument_type(ev, view, 0),
        "abs" | "pow" | "round" | "staticmethod" | "classmethod" => argument_type(ev, view, 0),
        "property" => {
            let getter = argument_type(ev, view, 0);
            let none = CallView { args: &[], ..view };
            ev.result_of_calling(view.file, &getter, none, &[])
        }
        "type" if view.args.len() == 1 => {
            let of = argument_type(ev, view, 0);
            ev.map_alternatives(&of, |ev, ty| class_of_value(ev, ty))
        }
        "getattr" => getattr_default_type(ev, view),
        "open" => Ty::external("io", "TextIOWrapper", Vec::new()),
        "str" | "repr" | "ascii" | "chr" | "format" | "hex" | "bin" | "oct" | "input" => str_type(),
        "len" | "int" | "hash" | "id" | "ord" => builtin_type("int", Vec::new()),
        "range" => builtin_type("list", vec![builtin_type("int", Vec::new())]),
        "bool" | "isinstance" | "issubclass" | "callable" | "hasattr" | "any" | "all" => {
            builtin_type("bool", Vec::new())
        }
        "bytes" | "float" | "complex" | "bytearray" | "memoryview" | "object" | "slice" => {
            builtin_type(name, Vec::new())
        }
        name if name.ends_with("Error") || name.ends_with("Exception") => {
            builtin_type(name, Vec::new())
        }
        _ => Ty::Unknown,
    }
}

/// The class of a value.
pub(super) fn class_of_value(ev: &mut Eval<'_>, of: &Ty) -> Ty {
    match ev.resolve_type_param(of) {
        Ty::Instance(def, args) => Ty::Class(def, args),
        Ty::ExternalInstance(external, _) => Ty::External(external),
        _ => Ty::Unknown,
    }
}

/// The result type of `f` in `map(f, …)`.
fn map_function_result(ev: &mut Eval<'_>, view: CallView<'_>) -> Ty {
    let function = argument_type(ev, view, 0);
    let none = CallView { args: &[], ..view };
    ev.map_alternatives(&function, |ev, f| {
        ev.result_of_calling(view.file, f, none, &[])
    })
}

/// `getattr(x, "name")`.
fn getattr_default_type(ev: &mut Eval<'_>, view: CallView<'_>) -> Ty {
    // Literal names are not stored; the default shows the expected type.
    argument_type(ev, view, 2)
}

fn library_call_result(ev: &mut Eval<'_>, callee: &External, view: CallView<'_>) -> Ty {
    match (&*callee.package, &*callee.symbol) {
        ("functools", "partial") | ("copy", "copy" | "deepcopy") | ("dataclasses", "replace") => {
            argument_type(ev, view, 0)
        }
        ("functools", "wraps" | "update_wrapper") => argument_type(ev, view, 0),
        ("functools", "reduce") => iterated_argument_type(ev, view, 1),
        ("dataclasses", "field") | ("attr", "ib" | "attrib" | "field") | ("attrs", "field") => {
            dataclass_field_type(ev, view)
        }
        ("collections", "defaultdict") => {
            let made = factory_result(ev, view, 0);
            Ty::external("collections", "defaultdict", vec![Ty::Unknown, made])
        }
        ("collections", "deque") => {
            let element = iterated_argument_type(ev, view, 0);
            Ty::external("collections", "deque", vec![element])
        }
        ("collections", "OrderedDict" | "ChainMap") => match argument_type(ev, view, 0) {
            of @ Ty::ExternalInstance(..) => of,
            _ => Ty::external("collections", &callee.symbol, vec![]),
        },
        ("itertools", "chain" | "islice" | "takewhile" | "dropwhile" | "cycle" | "filterfalse") => {
            let n =
                usize::from(callee.symbol.ends_with("while") || &*callee.symbol == "filterfalse");
            iterator_type(iterated_argument_type(ev, view, n))
        }
        ("itertools", "chain.from_iterable") => {
            let inner = iterated_argument_type(ev, view, 0);
            iterator_type(iterated_type(ev, view, &inner))
        }
        ("contextlib", "closing" | "nullcontext" | "aclosing") => {
            let inner = argument_type(ev, view, 0);
            Ty::external("typing", "ContextManager", vec![inner])
        }
        ("asyncio", "create_task" | "ensure_future") => {
            let of = argument_type(ev, view, 0);
            let lang = ev.lang_of_file(view.file);
            let inner = lang.awaited(ev, &of);
            Ty::external("asyncio", "Task", vec![inner])
        }
        ("asyncio", "run" | "run_until_complete" | "wait_for") => {
            let of = argument_type(ev, view, 0);
            let lang = ev.lang_of_file(view.file);
            lang.awaited(ev, &of)
        }
        ("weakref", "proxy") => argument_type(ev, view, 0),
        ("weakref", "ref") => {
            let of = argument_type(ev, view, 0);
            Ty::external("weakref", "ref", vec![of])
        }
        ("re", "compile") => Ty::external("re", "Pattern", Vec::new()),
        ("re", "match" | "search" | "fullmatch") => Ty::external("re", "Match", Vec::new()),
        ("os", symbol) if symbol.starts_with("path.") || symbol == "getcwd" => str_type(),
        ("typing", "NamedTuple" | "TypeVar" | "NewType" | "ParamSpec") => Ty::Unknown,
        (_, symbol) => {
            let class = symbol.rsplit('.').next().unwrap_or(symbol);
            let named = class.chars().next().is_some_and(char::is_uppercase)
                && class.chars().any(char::is_lowercase);
            if named {
                Ty::ExternalInstance(callee.clone(), no_args())
            } else {
                Ty::Unknown
            }
        }
    }
}

/// The result type of calling an argument without arguments.
fn factory_result(ev: &mut Eval<'_>, view: CallView<'_>, n: usize) -> Ty {
    let factory = argument_type(ev, view, n);
    let none = CallView { args: &[], ..view };
    ev.result_of_calling(view.file, &factory, none, &[])
}

/// `field(default=v)`, `field(default_factory=f)`.
fn dataclass_field_type(ev: &mut Eval<'_>, view: CallView<'_>) -> Ty {
    let factory = keyword_argument(ev, view, "default_factory")
        .or_else(|| keyword_argument(ev, view, "factory"));
    if let Some(factory) = factory {
        let factory = ev.type_of_expr(view.file, factory);
        let none = CallView { args: &[], ..view };
        return ev.result_of_calling(view.file, &factory, none, &[]);
    }
    match keyword_argument(ev, view, "default") {
        Some(default) => ev.type_of_expr(view.file, default),
        None => Ty::Unknown,
    }
}

/// The type of a parameter of a function literal that is passed to a function of the standard library: usually that of
/// an element of the other argument.
pub(super) fn callback_param_type(
    ev: &mut Eval<'_>,
    callee: &External,
    receiver: Option<&Ty>,
    view: CallView<'_>,
    param: u32,
) -> Ty {
    let name = callee.symbol.rsplit('.').next().unwrap_or("");
    match (name, receiver) {
        ("sort", Some(of)) => of.arg(0),
        ("map" | "filter" | "takewhile" | "dropwhile" | "filterfalse", _) => {
            iterated_argument_type(ev, view, 1 + param as usize)
        }
        ("sorted" | "min" | "max" | "groupby", _) if param == 0 => {
            iterated_argument_type(ev, view, 0)
        }
        _ => Ty::Unknown,
    }
}
