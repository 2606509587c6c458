//! Knowledge of the standard library: result types of its methods in terms of type arguments. Types of other crates
//! with the same last name (`IndexMap`, `SmallVec`, `anyhow::Result`) are treated alike.

use super::prelude::is_pointer_name;
use base::facts::*;
use linker::eval::Eval;
use linker::lang::CallView;
use linker::repo::FileId;
use linker::ty::*;
use std::sync::Arc;

/// The last segment of an external's symbol.
pub(super) fn last_segment(external: &External) -> &str {
    external.symbol.rsplit('.').next().unwrap_or("")
}

/// Key of an external type: `package:name`, or the name alone for well-known types.
pub(super) fn external_type_key(external: &External) -> String {
    let key = last_segment(external);
    match &*external.package {
        "std" => key.to_owned(),
        _ if builtin_shape(key) != Shape::Other => key.to_owned(),
        package => format!("{package}:{key}"),
    }
}

/// Whether an external name looks like that of a type.
pub(super) fn looks_like_type(external: &External) -> bool {
    let key = last_segment(external);
    let primitive = matches!(key, "str" | "int" | "float" | "bool" | "char" | "unit");
    let sized = key.trim_start_matches(['u', 'i', 'f']);
    key.starts_with(char::is_uppercase)
        || primitive
        || key.len() == sized.len() + 1
            && matches!(sized, "8" | "16" | "32" | "64" | "128" | "size")
}

/// Traits that nearly every type has.
pub(super) fn is_common_trait(key: &str) -> bool {
    matches!(
        key,
        "Sized"
            | "Send"
            | "Sync"
            | "Unpin"
            | "UnwindSafe"
            | "RefUnwindSafe"
            | "Any"
            | "Clone"
            | "Copy"
            | "Debug"
    )
}

/// Whether an external type implements a trait of the standard library, or stands for it.
pub(super) fn implements_std_trait(key: &str, wanted: &str) -> bool {
    if key == wanted {
        return true;
    }
    let shape = builtin_shape(key);
    match wanted {
        "Iterator" | "IntoIterator" if shape == Shape::Iterator => true,
        "IntoIterator" => matches!(shape, Shape::List | Shape::Map | Shape::Option),
        "AsRef" | "Into" | "Borrow" | "ToOwned" => {
            shape == Shape::Text || matches!(key, "Path" | "PathBuf" | "OsStr" | "OsString")
        }
        "Display" | "ToString" | "Hash" | "Eq" | "Ord" | "PartialEq" | "PartialOrd" => {
            shape == Shape::Text || matches!(key, "int" | "char" | "bool")
        }
        _ => false,
    }
}

/// The key of a primitive's type.
pub(super) fn primitive_key(primitive: Primitive) -> &'static str {
    match primitive {
        Primitive::String => "str",
        Primitive::Int => "int",
        Primitive::Float => "float",
        Primitive::Bool => "bool",
        Primitive::Char => "char",
        Primitive::Bytes => "Vec",
        Primitive::Null | Primitive::Regex => "unit",
    }
}

/// Whether a type is a pointer or guard that gives access to the members of its contents.
pub(super) fn is_transparent_pointer(external: &External) -> bool {
    is_pointer_name(last_segment(external))
}

/// The shape of a type.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    Option,
    Result,
    Iterator,
    List,
    Map,
    Entry,
    Cell,
    Lock,
    Once,
    Weak,
    Text,
    Convert,
    Thread,
    Other,
}

fn builtin_shape(key: &str) -> Shape {
    match key {
        "Option" => Shape::Option,
        "Result" | "LockResult" => Shape::Result,
        "Vec" | "VecDeque" | "HashSet" | "BTreeSet" | "BinaryHeap" | "LinkedList" | "IndexSet"
        | "SmallVec" | "ArrayVec" | "FxHashSet" | "AHashSet" | "Range" | "RangeInclusive" => {
            Shape::List
        }
        "HashMap" | "BTreeMap" | "IndexMap" | "FxHashMap" | "AHashMap" | "DashMap" => Shape::Map,
        "Entry" | "OccupiedEntry" | "VacantEntry" => Shape::Entry,
        "RefCell" | "Cell" | "UnsafeCell" => Shape::Cell,
        "Mutex" | "RwLock" => Shape::Lock,
        "OnceCell" | "OnceLock" | "LazyCell" | "LocalKey" => Shape::Once,
        "Weak" => Shape::Weak,
        "str" | "String" => Shape::Text,
        "AsRef" | "AsMut" | "Borrow" | "Into" | "Deref" | "DerefMut" | "TryInto" => Shape::Convert,
        "JoinHandle" | "ScopedJoinHandle" => Shape::Thread,
        "Peekable" | "Enumerate" | "Rev" | "Skip" | "Take" | "Chain" | "Drain" => Shape::Iterator,
        _ if key.ends_with("Iterator") || key.ends_with("Iter") => Shape::Iterator,
        _ => Shape::Other,
    }
}

/// Whether values of the type are iterators.
pub(super) fn is_iterator(external: &External) -> bool {
    builtin_shape(last_segment(external)) == Shape::Iterator
}

fn std_type(name: &str, args: Vec<Ty>) -> Ty {
    Ty::external("std", name, args)
}

fn option_type(of: Ty) -> Ty {
    std_type("Option", vec![of])
}

fn iterator(of: Ty) -> Ty {
    std_type("Iterator", vec![of])
}

fn pair_type(a: Ty, b: Ty) -> Ty {
    Ty::Tuple(Arc::from([a, b]))
}

fn type_arg(args: &[Ty], n: usize) -> Ty {
    args.get(n).cloned().unwrap_or_default()
}

/// The element type of an iteration over a value of an external type.
pub(super) fn element(external: &External, args: &[Ty]) -> Ty {
    match builtin_shape(last_segment(external)) {
        Shape::Map => pair_type(type_arg(args, 0), type_arg(args, 1)),
        Shape::List | Shape::Iterator | Shape::Option | Shape::Result => type_arg(args, 0),
        _ => Ty::Unknown,
    }
}

/// The type of indexing a value of an external type.
pub(super) fn indexed(external: &External, args: &[Ty]) -> Ty {
    match builtin_shape(last_segment(external)) {
        Shape::Map => type_arg(args, 1),
        Shape::List => type_arg(args, 0),
        _ => Ty::Unknown,
    }
}

/// The external symbol of a method that any type can have by deriving a standard trait.
pub(super) fn derivable_method(name: &str) -> Entity {
    let of = match name {
        "clone" | "clone_from" => "Clone",
        "to_owned" => "ToOwned",
        "to_string" => "ToString",
        "eq" | "ne" => "PartialEq",
        "cmp" | "max" | "min" | "clamp" => "Ord",
        "partial_cmp" | "lt" | "le" | "gt" | "ge" => "PartialOrd",
        "hash" => "Hash",
        "into" => "Into",
        "try_into" => "TryInto",
        "from" => "From",
        "default" => "Default",
        "borrow" | "borrow_mut" => "Borrow",
        "type_id" => "Any",
        "fmt" => "Debug",
        "as_mut" | "as_ref" | "get_mut" | "get_ref" | "get_unchecked_mut" | "into_ref" => "Pin",
        // Generated by `pin_project`: a struct with fields of the same names.
        "project" | "project_ref" => "Pin",
        _ => return Entity::Unknown,
    };
    Entity::external("std", &format!("{of}.{name}"))
}

/// The type arguments and shape of a receiver; for any other type, those of its iteration.
fn receiver_shape(ev: &mut Eval<'_>, file: FileId, receiver: &Ty) -> (Shape, Vec<Ty>) {
    match receiver {
        Ty::ExternalInstance(external, args) => {
            (builtin_shape(last_segment(external)), args.to_vec())
        }
        Ty::Instance(..) => {
            let item = ev.lang_of_file(file).element(ev, receiver);
            match item {
                Ty::Unknown => (Shape::Other, Vec::new()),
                item => (Shape::Iterator, vec![item]),
            }
        }
        _ => (Shape::Other, Vec::new()),
    }
}

/// The result type of calling something external.
pub(super) fn external_call_result(
    ev: &mut Eval<'_>,
    callee: &External,
    receiver: Option<&Ty>,
    call: CallView<'_>,
) -> Ty {
    let name = last_segment(callee);
    match receiver {
        None | Some(Ty::Unknown | Ty::Module(_)) => free_function_result(ev, callee, name, call),
        Some(Ty::External(of)) => {
            let of = of.clone();
            associated_function_result(ev, &of, name, call)
        }
        Some(Ty::Class(def, args)) => match name {
            "default" | "from" | "clone" => Ty::Instance(*def, args.clone()),
            _ => Ty::Unknown,
        },
        Some(object) => method(ev, object, name, call),
    }
}

fn argument_type(ev: &mut Eval<'_>, call: CallView<'_>, n: usize) -> Ty {
    match call.args.get(n) {
        Some(arg) => ev.type_of_expr(call.file, *arg),
        None => Ty::Unknown,
    }
}

/// The result type of the function passed as an argument.
fn closure_result(ev: &mut Eval<'_>, call: CallView<'_>, n: usize) -> Ty {
    match argument_type(ev, call, n) {
        Ty::Function(defs, receiver) => match defs.first() {
            Some(def) => {
                let result = ev.result_type(*def);
                ev.substitute(&result, receiver.as_deref())
            }
            None => Ty::Unknown,
        },
        Ty::Callable(_, ret) => (*ret).clone(),
        Ty::Class(def, args) => Ty::Instance(def, args),
        Ty::External(external) => {
            let of: Vec<&str> = external.symbol.rsplit('.').collect();
            match of[..] {
                ["from" | "new" | "default", of, ..] => std_type(of, Vec::new()),
                ["to_string" | "to_owned", ..] => std_type("String", Vec::new()),
                _ => Ty::Unknown,
            }
        }
        _ => Ty::Unknown,
    }
}

/// The explicit type argument of a call, its holes filled with `item`.
fn turbofish_type(ev: &mut Eval<'_>, call: CallView<'_>, item: &Ty) -> Ty {
    let Some(written) = call.type_args.first() else {
        return Ty::Unknown;
    };
    let ty = ev.lower_type(call.file, *written);
    fill_type_holes(&ty, item)
}

/// Whether a well-known container is written without its element type.
pub(super) fn has_hole(ty: &Ty) -> bool {
    let Ty::ExternalInstance(external, args) = ty else {
        return false;
    };
    let holds = matches!(
        builtin_shape(last_segment(external)),
        Shape::List | Shape::Map | Shape::Option | Shape::Result
    );
    let open = |ty: &Ty| ty.is_unknown() || has_hole(ty);
    holds && (args.is_empty() || args.iter().any(open))
}

/// `Vec<_>` collected from elements of type `item` is a `Vec<item>`.
pub(super) fn fill_type_holes(ty: &Ty, item: &Ty) -> Ty {
    let Ty::ExternalInstance(external, args) = ty else {
        return ty.clone();
    };
    let hole = |n: usize, fill: &Ty| match args.get(n) {
        Some(known) if !known.is_unknown() => known.clone(),
        _ => fill.clone(),
    };
    let args: Vec<Ty> = match builtin_shape(last_segment(external)) {
        Shape::List => vec![hole(0, item)],
        Shape::Map => match item {
            Ty::Tuple(parts) => vec![hole(0, &type_arg(parts, 0)), hole(1, &type_arg(parts, 1))],
            _ => return ty.clone(),
        },
        Shape::Option | Shape::Result => {
            let inner = match item {
                Ty::ExternalInstance(_, inner) => type_arg(inner, 0),
                _ => Ty::Unknown,
            };
            vec![
                fill_type_holes(&type_arg(args, 0), &inner),
                type_arg(args, 1),
            ]
        }
        _ => return ty.clone(),
    };
    Ty::ExternalInstance(external.clone(), args.into())
}

fn free_function_result(
    ev: &mut Eval<'_>,
    callee: &External,
    name: &str,
    call: CallView<'_>,
) -> Ty {
    match name {
        "Some" => option_type(argument_type(ev, call, 0)),
        "Ok" => {
            let ok = argument_type(ev, call, 0);
            std_type("Result", vec![ok, Ty::Unknown])
        }
        "Err" => {
            let err = argument_type(ev, call, 0);
            std_type("Result", vec![Ty::Unknown, err])
        }
        "take" | "replace" | "identity" | "black_box" | "max" | "min" => argument_type(ev, call, 0),
        "once" | "repeat" => iterator(argument_type(ev, call, 0)),
        "from_fn" => match closure_result(ev, call, 0) {
            Ty::ExternalInstance(_, args) => iterator(type_arg(&args, 0)),
            _ => Ty::Unknown,
        },
        "spawn" => {
            let result = closure_result(ev, call, 0);
            std_type("JoinHandle", vec![result])
        }
        // `bar::Baz::new()`, by a path.
        _ => {
            let mut path = callee.symbol.rsplit('.').skip(1);
            match path.next() {
                Some(of) if of.starts_with(char::is_uppercase) => {
                    let of = External::new(&callee.package, of);
                    associated_function_result(ev, &of, name, call)
                }
                // A tuple struct is constructed by its own name.
                _ if name.starts_with(char::is_uppercase) => {
                    Ty::ExternalInstance(callee.clone(), no_args())
                }
                _ => Ty::Unknown,
            }
        }
    }
}

/// `Type::name(…)` of an external type.
fn associated_function_result(
    ev: &mut Eval<'_>,
    of: &External,
    name: &str,
    call: CallView<'_>,
) -> Ty {
    let key = last_segment(of);
    if is_transparent_pointer(of) {
        return match name {
            "new" | "clone" | "from" | "pin" | "Owned" | "Borrowed" | "make_mut" | "leak"
            | "unwrap_or_clone" | "as_ref" | "new_unchecked" | "into_inner" | "get_ref"
            | "as_mut" => argument_type(ev, call, 0),
            "get_mut" if key != "Pin" => option_type(argument_type(ev, call, 0)),
            "try_unwrap" => {
                let inner = argument_type(ev, call, 0);
                std_type("Result", vec![inner.clone(), inner])
            }
            "new_cyclic" => closure_result(ev, call, 0),
            "downgrade" => {
                let inner = argument_type(ev, call, 0);
                std_type("Weak", vec![inner])
            }
            _ => Ty::Unknown,
        };
    }
    match (builtin_shape(key), name) {
        (Shape::Cell | Shape::Lock, "new") => {
            let inner = argument_type(ev, call, 0);
            std_type(key, vec![inner])
        }
        (Shape::Option, "Some") => option_type(argument_type(ev, call, 0)),
        (Shape::List, "from" | "from_iter") => {
            let of = argument_type(ev, call, 0);
            let item = ev.lang_of_file(call.file).element(ev, &of);
            std_type(key, vec![item])
        }
        (_, "new" | "with_capacity" | "default" | "from" | "with_hasher") => {
            let args: Vec<Ty> = Vec::new();
            Ty::ExternalInstance(of.clone(), args.into())
        }
        // A variant of an enum, or another constructor.
        (Shape::Other, _) if name.starts_with(char::is_uppercase) || name.starts_with("new_") => {
            Ty::ExternalInstance(of.clone(), no_args())
        }
        // `Option::map(x, f)`: a method called by its path.
        (Shape::Option | Shape::Result | Shape::Iterator, _) => {
            let object = argument_type(ev, call, 0);
            let rest = CallView {
                args: call.args.get(1..).unwrap_or(&[]),
                ..call
            };
            method(ev, &object, name, rest)
        }
        _ => Ty::Unknown,
    }
}

fn method(ev: &mut Eval<'_>, object: &Ty, name: &str, call: CallView<'_>) -> Ty {
    let (shape, args) = receiver_shape(ev, call.file, object);
    let known = match shape {
        Shape::Option => option_method_result(ev, object, &args, name, call),
        Shape::Result => result_method_result(ev, object, &args, name, call),
        Shape::Iterator => iterator_method(ev, object, &args, name, call),
        Shape::List => list_method_result(ev, object, &args, name, call),
        Shape::Map => map_method(ev, &args, name, call),
        Shape::Entry => match name {
            "or_default" | "or_insert" | "or_insert_with" | "get" | "get_mut" | "into_mut"
            | "insert" | "remove" => type_arg(&args, 1),
            "and_modify" => object.clone(),
            _ => Ty::Unknown,
        },
        Shape::Cell => match name {
            "borrow" | "borrow_mut" | "get" | "get_mut" | "take" | "replace" | "into_inner" => {
                type_arg(&args, 0)
            }
            _ => Ty::Unknown,
        },
        Shape::Lock => match name {
            "lock" | "read" | "write" | "try_lock" | "get_mut" | "into_inner" => {
                std_type("Result", vec![type_arg(&args, 0)])
            }
            _ => Ty::Unknown,
        },
        Shape::Once => match name {
            "get" | "get_mut" | "take" | "into_inner" => option_type(type_arg(&args, 0)),
            "get_or_init" => type_arg(&args, 0),
            "get_or_try_init" => std_type("Result", vec![type_arg(&args, 0)]),
            "with" => closure_result(ev, call, 0),
            _ => Ty::Unknown,
        },
        Shape::Weak if name == "upgrade" => option_type(type_arg(&args, 0)),
        Shape::Text => text_method(ev, name, call),
        Shape::Convert => match name {
            "as_ref" | "as_mut" | "borrow" | "into" | "deref" | "deref_mut" => type_arg(&args, 0),
            "try_into" => std_type("Result", vec![type_arg(&args, 0)]),
            _ => Ty::Unknown,
        },
        Shape::Thread if name == "join" => std_type("Result", vec![type_arg(&args, 0)]),
        _ => Ty::Unknown,
    };
    known.or_else(|| match name {
        "clone" | "to_owned" | "as_ref" | "as_mut" | "borrow" | "borrow_mut" | "by_ref"
        | "deref" | "deref_mut" | "as_deref" | "unwrap_or_default" | "max" | "min" | "clamp"
        | "get_mut" | "get_ref" | "get_unchecked_mut" | "into_ref" | "project" | "project_ref" => {
            object.clone()
        }
        "to_string" => std_type("String", Vec::new()),
        "parse" => std_type("Result", vec![turbofish_type(ev, call, &Ty::Unknown)]),
        "len" | "count" | "capacity" => std_type("int", Vec::new()),
        "debug_struct" | "debug_tuple" | "debug_list" | "debug_set" | "debug_map" => {
            std_type("DebugStruct", Vec::new())
        }
        "field" | "entry" | "entries" | "key" | "value" if is_debug_builder(object) => {
            object.clone()
        }
        _ => Ty::Unknown,
    })
}

/// The builders of `fmt::Formatter`.
fn is_debug_builder(object: &Ty) -> bool {
    matches!(object, Ty::ExternalInstance(external, _) if last_segment(external) == "DebugStruct")
}

fn option_method_result(
    ev: &mut Eval<'_>,
    object: &Ty,
    args: &[Ty],
    name: &str,
    call: CallView<'_>,
) -> Ty {
    let inner = type_arg(args, 0);
    match name {
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else"
        | "unwrap_unchecked" | "get_or_insert_with" | "get_or_insert" | "insert" => {
            match (inner, name) {
                (Ty::Unknown, "unwrap_or" | "get_or_insert" | "insert") => {
                    argument_type(ev, call, 0)
                }
                (Ty::Unknown, "unwrap_or_else" | "get_or_insert_with") => {
                    closure_result(ev, call, 0)
                }
                (inner, _) => inner,
            }
        }
        "as_ref" | "as_mut" | "as_deref" | "as_deref_mut" | "cloned" | "copied" | "filter"
        | "or" | "or_else" | "take" | "replace" | "xor" | "inspect" | "clone" => object.clone(),
        "map" => option_type(closure_result(ev, call, 0)),
        "and_then" => closure_result(ev, call, 0),
        "and" => argument_type(ev, call, 0),
        "ok_or" => {
            let error = argument_type(ev, call, 0);
            std_type("Result", vec![inner, error])
        }
        "ok_or_else" => {
            let error = closure_result(ev, call, 0);
            std_type("Result", vec![inner, error])
        }
        // An extension of anyhow.
        "context" | "with_context" => std_type("Result", vec![inner]),
        "map_or" | "map_or_else" => closure_result(ev, call, 1),
        "iter" | "iter_mut" | "into_iter" => iterator(inner),
        "zip" => match argument_type(ev, call, 0) {
            Ty::ExternalInstance(_, other) => option_type(pair_type(inner, type_arg(&other, 0))),
            _ => Ty::Unknown,
        },
        "flatten" => inner,
        "transpose" => match inner {
            Ty::ExternalInstance(external, inner) => {
                let mut args = inner.to_vec();
                if let Some(first) = args.first_mut() {
                    *first = option_type(first.clone());
                }
                Ty::ExternalInstance(external, args.into())
            }
            _ => Ty::Unknown,
        },
        _ => Ty::Unknown,
    }
}

fn result_method_result(
    ev: &mut Eval<'_>,
    object: &Ty,
    args: &[Ty],
    name: &str,
    call: CallView<'_>,
) -> Ty {
    let (ok, err) = (type_arg(args, 0), type_arg(args, 1));
    match name {
        "unwrap" | "expect" | "unwrap_or" | "unwrap_or_default" | "unwrap_or_else"
        | "into_inner" => ok,
        "unwrap_err" | "expect_err" => err,
        "ok" => option_type(ok),
        "err" => option_type(err),
        "map" => {
            let ok = closure_result(ev, call, 0);
            std_type("Result", vec![ok, err])
        }
        "map_err" => {
            let err = closure_result(ev, call, 0);
            std_type("Result", vec![ok, err])
        }
        "and_then" => closure_result(ev, call, 0),
        "map_or" | "map_or_else" => closure_result(ev, call, 1),
        "as_ref" | "as_mut" | "as_deref" | "inspect" | "inspect_err" | "copied" | "cloned"
        | "clone" | "or_else" | "or" | "context" | "with_context" => object.clone(),
        "iter" | "into_iter" => iterator(ok),
        _ => Ty::Unknown,
    }
}

fn iterator_method(
    ev: &mut Eval<'_>,
    _object: &Ty,
    args: &[Ty],
    name: &str,
    call: CallView<'_>,
) -> Ty {
    let item = type_arg(args, 0);
    match name {
        "next" | "last" | "nth" | "next_back" | "nth_back" | "min" | "max" | "min_by"
        | "max_by" | "min_by_key" | "max_by_key" | "find" | "rfind" | "peek" | "peek_mut"
        | "reduce" | "next_if" | "find_or_first" => option_type(item),
        "filter" | "rev" | "skip" | "take" | "skip_while" | "take_while" | "step_by" | "chain"
        | "peekable" | "cloned" | "copied" | "inspect" | "fuse" | "cycle" | "by_ref"
        | "into_iter" | "iter" | "iter_mut" | "sorted" | "sorted_by" | "sorted_by_key"
        | "unique" | "dedup" | "par_iter" | "into_par_iter" | "clone" => iterator(item),
        "map" => iterator(closure_result(ev, call, 0)),
        "filter_map" | "map_while" => match closure_result(ev, call, 0) {
            Ty::ExternalInstance(_, args) => iterator(type_arg(&args, 0)),
            _ => Ty::Unknown,
        },
        "flat_map" => {
            let inner = closure_result(ev, call, 0);
            iterator(ev.lang_of_file(call.file).element(ev, &inner))
        }
        "flatten" => iterator(ev.lang_of_file(call.file).element(ev, &item)),
        "enumerate" => iterator(pair_type(std_type("int", Vec::new()), item)),
        "zip" => {
            let other = argument_type(ev, call, 0);
            let other = ev.lang_of_file(call.file).element(ev, &other);
            iterator(pair_type(item, other))
        }
        "scan" => match closure_result(ev, call, 1) {
            Ty::ExternalInstance(_, args) => iterator(type_arg(&args, 0)),
            _ => Ty::Unknown,
        },
        "find_map" => closure_result(ev, call, 0),
        "fold" => argument_type(ev, call, 0),
        "collect" => match turbofish_type(ev, call, &item) {
            // If the collection is unknown, at least the items are known.
            Ty::Unknown if call.type_args.is_empty() => Ty::Unknown,
            other => other,
        },
        "sum" | "product" => turbofish_type(ev, call, &item).or_else(|| item),
        _ => Ty::Unknown,
    }
}

fn list_method_result(
    ev: &mut Eval<'_>,
    object: &Ty,
    args: &[Ty],
    name: &str,
    call: CallView<'_>,
) -> Ty {
    let item = type_arg(args, 0);
    match name {
        "iter" | "iter_mut" | "into_iter" | "drain" | "union" | "intersection" | "difference"
        | "par_iter" | "splice" | "extract_if" => iterator(item),
        "get" if matches!(call.args, [one] if is_range(ev, call.file, *one)) => {
            option_type(object.clone())
        }
        "get" | "get_mut" | "first" | "last" | "first_mut" | "last_mut" | "pop" | "pop_front"
        | "pop_back" | "front" | "back" | "front_mut" | "back_mut" | "peek" | "pop_first"
        | "pop_last" => option_type(item),
        "remove" | "swap_remove" => item,
        "windows" | "chunks" | "chunks_exact" | "split" => iterator(object.clone()),
        "as_slice" | "to_vec" | "into_boxed_slice" | "clone" | "as_mut_slice" | "to_owned"
        | "as_ref" | "as_mut" | "into_vec" | "split_off" | "concat" => object.clone(),
        "split_at" | "split_at_mut" => pair_type(object.clone(), object.clone()),
        "split_first" | "split_last" => option_type(pair_type(item, object.clone())),
        _ => iterator_method(ev, object, args, name, call),
    }
}

fn is_range(ev: &Eval<'_>, file: FileId, expr: ExprId) -> bool {
    matches!(ev.repo.facts(file).expr(expr), Expr::List(_))
}

fn map_method(ev: &mut Eval<'_>, args: &[Ty], name: &str, call: CallView<'_>) -> Ty {
    let (k, v) = (type_arg(args, 0), type_arg(args, 1));
    match name {
        "get" | "get_mut" | "remove" | "insert" => option_type(v),
        "iter" | "iter_mut" | "into_iter" | "drain" | "range" | "range_mut" => {
            iterator(pair_type(k, v))
        }
        "keys" | "into_keys" => iterator(k),
        "values" | "values_mut" | "into_values" => iterator(v),
        "entry" => std_type("Entry", vec![k, v]),
        "get_key_value" | "remove_entry" | "first_key_value" | "last_key_value" | "pop_first"
        | "pop_last" => option_type(pair_type(k, v)),
        "clone" => Ty::Unknown,
        _ => {
            let item = pair_type(k, v);
            iterator_method(ev, &Ty::Unknown, &[item], name, call)
        }
    }
}

fn text_method(ev: &mut Eval<'_>, name: &str, call: CallView<'_>) -> Ty {
    let text = || std_type("str", Vec::new());
    match name {
        "to_lowercase" | "to_uppercase" | "to_string" | "to_owned" | "replace" | "repeat"
        | "to_ascii_lowercase" | "to_ascii_uppercase" => std_type("String", Vec::new()),
        "trim" | "trim_start" | "trim_end" | "as_str" | "clone" | "trim_matches"
        | "trim_start_matches" | "trim_end_matches" | "as_ref" => text(),
        "chars" => iterator(std_type("char", Vec::new())),
        "char_indices" => iterator(pair_type(
            std_type("int", Vec::new()),
            std_type("char", Vec::new()),
        )),
        "lines" | "split" | "split_whitespace" | "rsplit" | "splitn" | "rsplitn"
        | "split_terminator" | "split_inclusive" | "matches" => iterator(text()),
        "bytes" => iterator(std_type("int", Vec::new())),
        "as_bytes" | "into_bytes" => std_type("Vec", vec![std_type("int", Vec::new())]),
        "strip_prefix" | "strip_suffix" | "get" => option_type(text()),
        "split_once" | "rsplit_once" => option_type(pair_type(text(), text())),
        "parse" => std_type("Result", vec![turbofish_type(ev, call, &Ty::Unknown)]),
        _ => Ty::Unknown,
    }
}

/// The type of a parameter of a closure that is passed to something external.
pub(super) fn closure_param_type(
    ev: &mut Eval<'_>,
    callee: &External,
    receiver: Option<&Ty>,
    call: CallView<'_>,
    (argument, param): (u32, u32),
) -> Ty {
    let Some(receiver) = receiver else {
        return Ty::Unknown;
    };
    let name = last_segment(callee);
    let (shape, args) = receiver_shape(ev, call.file, receiver);
    match shape {
        Shape::Option => type_arg(&args, 0),
        Shape::Result => match name {
            "map_err" | "or_else" | "unwrap_or_else" | "inspect_err" => type_arg(&args, 1),
            "map_or_else" if argument == 0 => type_arg(&args, 1),
            _ => type_arg(&args, 0),
        },
        Shape::Iterator | Shape::List => match (name, param) {
            ("fold" | "try_fold" | "scan", 0) => argument_type(ev, call, 0),
            ("resize_with" | "get_or_insert_with", _) => Ty::Unknown,
            _ => type_arg(&args, 0),
        },
        Shape::Map => match (name, param) {
            ("retain", 0) => type_arg(&args, 0),
            ("retain", 1) => type_arg(&args, 1),
            _ => pair_type(type_arg(&args, 0), type_arg(&args, 1)),
        },
        Shape::Entry if name == "and_modify" => type_arg(&args, 1),
        Shape::Once if name == "with" => type_arg(&args, 0),
        Shape::Text => match name {
            "map" | "retain" | "split" | "find" | "trim_matches" | "trim_start_matches"
            | "trim_end_matches" | "contains" => std_type("char", Vec::new()),
            _ => Ty::Unknown,
        },
        _ => Ty::Unknown,
    }
}

/// Whether a type itself has a method of that name, which precedes any extension trait.
pub(super) fn is_known_method(key: &str, name: &str) -> bool {
    builtin_shape(key) != Shape::Other && super::prelude::is_common_method_name(name)
}
