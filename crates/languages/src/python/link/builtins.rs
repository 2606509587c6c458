//! What values of the standard library and their methods give, as far as it bears on types of the
//! repository: containers and what comes out of them.

use base::facts::{Expr, ExprId};
use linker::eval::Eval;
use linker::lang::CallView;
use linker::ty::*;

/// A value of a built-in class.
pub(super) fn builtin(name: &str, args: Vec<Ty>) -> Ty {
    Ty::external("builtins", name, args)
}

pub(super) fn string() -> Ty {
    builtin("str", Vec::new())
}

fn iterator(of: Ty) -> Ty {
    Ty::external("typing", "Iterator", vec![of])
}

/// The one name of a class that has several (`typing.List`, `collections.abc.Sequence`).
pub(super) fn canonical(external: &External) -> External {
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

/// What kind of container an external class is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// The first type argument is what it holds.
    Sequence,
    /// Keys and values.
    Mapping,
    /// A string.
    Text,
    /// None that is known.
    Other,
}

pub(super) fn shape(external: &External) -> Shape {
    match (&*external.package, &*external.symbol) {
        ("builtins", "list" | "set" | "frozenset" | "tuple" | "reversed")
        | ("collections", "deque")
        | (
            "typing",
            "Sequence" | "MutableSequence" | "Iterable" | "Iterator" | "Generator" | "Collection"
            | "Container" | "AbstractSet" | "Set" | "MutableSet" | "Reversible" | "KeysView"
            | "AsyncIterator" | "AsyncIterable" | "AsyncGenerator",
        ) => Shape::Sequence,
        ("builtins", "dict")
        | ("collections", "defaultdict" | "OrderedDict" | "Counter" | "ChainMap")
        | ("typing", "Mapping" | "MutableMapping" | "ItemsView" | "ValuesView")
        | ("weakref", "WeakValueDictionary" | "WeakKeyDictionary") => Shape::Mapping,
        ("builtins", "str" | "bytes") => Shape::Text,
        _ => Shape::Other,
    }
}

/// What a method of a built-in value gives.
fn method(of: &Ty, name: &str) -> Ty {
    let Ty::ExternalInstance(class, _) = of else {
        return Ty::Unknown;
    };
    let (first, second) = (of.arg(0), of.arg(1));
    match shape(class) {
        Shape::Sequence => match name {
            "pop" | "popleft" | "__next__" | "__getitem__" => first,
            "copy" | "union" | "intersection" | "difference" | "symmetric_difference" => of.clone(),
            "__iter__" => iterator(first),
            _ => Ty::Unknown,
        },
        Shape::Mapping => match name {
            "get" | "pop" | "setdefault" | "__getitem__" => second,
            "values" => iterator(second),
            "keys" => iterator(first),
            "items" => iterator(Ty::Tuple([first, second].into())),
            "popitem" => Ty::Tuple([first, second].into()),
            "copy" => of.clone(),
            "most_common" => builtin(
                "list",
                vec![Ty::Tuple([first, builtin("int", Vec::new())].into())],
            ),
            _ => Ty::Unknown,
        },
        Shape::Text => text_method(of, name),
        Shape::Other => other_method(class, of, name),
    }
}

fn text_method(of: &Ty, name: &str) -> Ty {
    match name {
        "split" | "rsplit" | "splitlines" => builtin("list", vec![of.clone()]),
        "partition" | "rpartition" => Ty::Tuple([of.clone(), of.clone(), of.clone()].into()),
        "encode" => builtin("bytes", Vec::new()),
        "decode" | "hex" => string(),
        "find" | "rfind" | "index" | "rindex" | "count" => builtin("int", Vec::new()),
        name if name.starts_with("is") || name.ends_with("with") => builtin("bool", Vec::new()),
        _ => of.clone(),
    }
}

fn other_method(class: &External, of: &Ty, name: &str) -> Ty {
    match (&*class.package, &*class.symbol, name) {
        ("asyncio", "Task" | "Future", "result") | ("concurrent", _, "result") => of.arg(0),
        ("re", "Pattern", "match" | "search" | "fullmatch") => Ty::external("re", "Match", vec![]),
        ("re", "Match", "group") => string(),
        ("pathlib", "Path", "read_text" | "as_posix") => string(),
        (
            "pathlib",
            "Path",
            "joinpath" | "resolve" | "absolute" | "with_suffix" | "with_name" | "expanduser"
            | "relative_to" | "rename",
        ) => of.clone(),
        ("pathlib", "Path", "glob" | "rglob" | "iterdir") => iterator(of.clone()),
        ("weakref", "ref" | "ReferenceType", "__call__") => of.arg(0),
        _ => Ty::Unknown,
    }
}

/// What calling something of the standard library gives.
pub(super) fn call(
    ev: &mut Eval<'_>,
    callee: &External,
    receiver: Option<&Ty>,
    view: CallView<'_>,
) -> Ty {
    let name = callee.symbol.rsplit('.').next().unwrap_or("");
    if name == "__new__" {
        let class = argument(ev, view, 0);
        return ev.over(&class, |_, class| match class {
            Ty::Class(def, args) => Ty::Instance(*def, args.clone()),
            _ => Ty::Unknown,
        });
    }
    if let Some(receiver @ Ty::ExternalInstance(..)) = receiver {
        return method(receiver, name);
    }
    let callee = canonical(callee);
    match &*callee.package {
        "builtins" => builtin_call(ev, &callee.symbol, view),
        _ => library_call(ev, &callee, view),
    }
}

fn argument(ev: &mut Eval<'_>, view: CallView<'_>, n: usize) -> Ty {
    match view.args.get(n) {
        Some(arg) => match ev.repo.facts(view.file).expr(*arg) {
            Expr::Keyword(..) | Expr::Spread(_) => Ty::Unknown,
            _ => ev.expr(view.file, *arg),
        },
        None => Ty::Unknown,
    }
}

fn keyword(ev: &Eval<'_>, view: CallView<'_>, name: &str) -> Option<ExprId> {
    let facts = ev.repo.facts(view.file);
    view.args.iter().find_map(|arg| match facts.expr(*arg) {
        Expr::Keyword(key, value) if facts.name(*key) == name => Some(*value),
        _ => None,
    })
}

/// What an iteration over a value gives.
pub(super) fn element(ev: &mut Eval<'_>, view: CallView<'_>, of: &Ty) -> Ty {
    let lang = ev.lang(view.file);
    ev.over(of, |ev, part| match part {
        Ty::Tuple(parts) => Ty::union(parts.iter().cloned()),
        other => lang.element(ev, other),
    })
}

fn argument_element(ev: &mut Eval<'_>, view: CallView<'_>, n: usize) -> Ty {
    let of = argument(ev, view, n);
    element(ev, view, &of)
}

fn builtin_call(ev: &mut Eval<'_>, name: &str, view: CallView<'_>) -> Ty {
    match name {
        "list" | "set" | "frozenset" | "tuple" | "sorted" => {
            let element = argument_element(ev, view, 0);
            let class = if name == "sorted" { "list" } else { name };
            builtin(class, vec![element])
        }
        "dict" => match argument(ev, view, 0) {
            of @ Ty::ExternalInstance(..) => of,
            _ => builtin("dict", vec![Ty::Unknown, Ty::Unknown]),
        },
        "iter" | "reversed" | "filter" => {
            let n = usize::from(name == "filter");
            iterator(argument_element(ev, view, n))
        }
        "enumerate" => {
            let element = argument_element(ev, view, 0);
            iterator(Ty::Tuple([builtin("int", Vec::new()), element].into()))
        }
        "zip" => {
            let parts: Vec<Ty> = (0..view.args.len().min(8))
                .map(|n| argument_element(ev, view, n))
                .collect();
            iterator(Ty::Tuple(parts.into()))
        }
        "map" => iterator(applied(ev, view)),
        "next" | "anext" | "sum" => argument_element(ev, view, 0),
        "min" | "max" if view.args.len() > 1 && keyword(ev, view, "key").is_none() => {
            argument(ev, view, 0)
        }
        "min" | "max" => argument_element(ev, view, 0),
        "abs" | "pow" | "round" | "staticmethod" | "classmethod" => argument(ev, view, 0),
        "property" => {
            let getter = argument(ev, view, 0);
            let none = CallView { args: &[], ..view };
            ev.called(view.file, &getter, none, &[])
        }
        "type" if view.args.len() == 1 => {
            let of = argument(ev, view, 0);
            ev.over(&of, |ev, ty| class_of(ev, ty))
        }
        "getattr" => attribute(ev, view),
        "open" => Ty::external("io", "TextIOWrapper", Vec::new()),
        "str" | "repr" | "ascii" | "chr" | "format" | "hex" | "bin" | "oct" | "input" => string(),
        "len" | "int" | "hash" | "id" | "ord" => builtin("int", Vec::new()),
        "range" => builtin("list", vec![builtin("int", Vec::new())]),
        "bool" | "isinstance" | "issubclass" | "callable" | "hasattr" | "any" | "all" => {
            builtin("bool", Vec::new())
        }
        "bytes" | "float" | "complex" | "bytearray" | "memoryview" | "object" | "slice" => {
            builtin(name, Vec::new())
        }
        name if name.ends_with("Error") || name.ends_with("Exception") => builtin(name, Vec::new()),
        _ => Ty::Unknown,
    }
}

/// The class of a value.
pub(super) fn class_of(ev: &mut Eval<'_>, of: &Ty) -> Ty {
    match ev.opened(of) {
        Ty::Instance(def, args) => Ty::Class(def, args),
        Ty::ExternalInstance(external, _) => Ty::External(external),
        _ => Ty::Unknown,
    }
}

/// `map(f, …)`: what `f` gives.
fn applied(ev: &mut Eval<'_>, view: CallView<'_>) -> Ty {
    let function = argument(ev, view, 0);
    let none = CallView { args: &[], ..view };
    ev.over(&function, |ev, f| ev.called(view.file, f, none, &[]))
}

/// `getattr(x, "name")`.
fn attribute(ev: &mut Eval<'_>, view: CallView<'_>) -> Ty {
    // Literal names are not kept; the default says what is expected.
    argument(ev, view, 2)
}

fn library_call(ev: &mut Eval<'_>, callee: &External, view: CallView<'_>) -> Ty {
    match (&*callee.package, &*callee.symbol) {
        ("functools", "partial") | ("copy", "copy" | "deepcopy") | ("dataclasses", "replace") => {
            argument(ev, view, 0)
        }
        ("functools", "wraps" | "update_wrapper") => argument(ev, view, 0),
        ("functools", "reduce") => argument_element(ev, view, 1),
        ("dataclasses", "field") | ("attr", "ib" | "attrib" | "field") | ("attrs", "field") => {
            field(ev, view)
        }
        ("collections", "defaultdict") => {
            let made = made_by(ev, view, 0);
            Ty::external("collections", "defaultdict", vec![Ty::Unknown, made])
        }
        ("collections", "deque") => {
            let element = argument_element(ev, view, 0);
            Ty::external("collections", "deque", vec![element])
        }
        ("collections", "OrderedDict" | "ChainMap") => match argument(ev, view, 0) {
            of @ Ty::ExternalInstance(..) => of,
            _ => Ty::external("collections", &callee.symbol, vec![]),
        },
        ("itertools", "chain" | "islice" | "takewhile" | "dropwhile" | "cycle" | "filterfalse") => {
            let n =
                usize::from(callee.symbol.ends_with("while") || &*callee.symbol == "filterfalse");
            iterator(argument_element(ev, view, n))
        }
        ("itertools", "chain.from_iterable") => {
            let inner = argument_element(ev, view, 0);
            iterator(element(ev, view, &inner))
        }
        ("contextlib", "closing" | "nullcontext" | "aclosing") => {
            let inner = argument(ev, view, 0);
            Ty::external("typing", "ContextManager", vec![inner])
        }
        ("asyncio", "create_task" | "ensure_future") => {
            let of = argument(ev, view, 0);
            let lang = ev.lang(view.file);
            let inner = lang.awaited(ev, &of);
            Ty::external("asyncio", "Task", vec![inner])
        }
        ("asyncio", "run" | "run_until_complete" | "wait_for") => {
            let of = argument(ev, view, 0);
            let lang = ev.lang(view.file);
            lang.awaited(ev, &of)
        }
        ("weakref", "proxy") => argument(ev, view, 0),
        ("weakref", "ref") => {
            let of = argument(ev, view, 0);
            Ty::external("weakref", "ref", vec![of])
        }
        ("re", "compile") => Ty::external("re", "Pattern", Vec::new()),
        ("re", "match" | "search" | "fullmatch") => Ty::external("re", "Match", Vec::new()),
        ("os", symbol) if symbol.starts_with("path.") || symbol == "getcwd" => string(),
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

/// What calling an argument without arguments makes.
fn made_by(ev: &mut Eval<'_>, view: CallView<'_>, n: usize) -> Ty {
    let factory = argument(ev, view, n);
    let none = CallView { args: &[], ..view };
    ev.called(view.file, &factory, none, &[])
}

/// `field(default=v)`, `field(default_factory=f)`.
fn field(ev: &mut Eval<'_>, view: CallView<'_>) -> Ty {
    let factory = keyword(ev, view, "default_factory").or_else(|| keyword(ev, view, "factory"));
    if let Some(factory) = factory {
        let factory = ev.expr(view.file, factory);
        let none = CallView { args: &[], ..view };
        return ev.called(view.file, &factory, none, &[]);
    }
    match keyword(ev, view, "default") {
        Some(default) => ev.expr(view.file, default),
        None => Ty::Unknown,
    }
}

/// The parameter of a function literal given to a function of the standard library: mostly an element of
/// what it works on.
pub(super) fn callback(
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
            argument_element(ev, view, 1 + param as usize)
        }
        ("sorted" | "min" | "max" | "groupby", _) if param == 0 => argument_element(ev, view, 0),
        _ => Ty::Unknown,
    }
}
