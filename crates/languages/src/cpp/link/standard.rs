//! Types outside of the repository: built-in types, and the elements of the standard library's containers and pointers.

use crate::names::NameLists;
use linker::ty::*;
use std::sync::LazyLock;

/// The package of the standard library, and its namespace.
pub(super) const STD: &str = "std";
/// The package of the built-in types.
const BUILT_IN: &str = "c++";
/// The symbol of the type of the arguments behind `...`.
const ARGUMENT_LIST: &str = "va_list";
/// The symbol of a pointer or array.
const POINTER: &str = "*";

/// Names of the standard library, in lists by what they give.
static NAMES: LazyLock<NameLists> =
    LazyLock::new(|| NameLists::parse(include_str!("../stdlib.txt")));

/// Whether a word names a type of the language.
pub(super) fn is_built_in(word: &str) -> bool {
    word.contains(' ') || NAMES.has("words", word)
}

/// The entity of a built-in type.
pub(super) fn built_in_entity(word: &str) -> Entity {
    Entity::external(BUILT_IN, canonical(word))
}

/// The type of a value of a built-in type.
pub(super) fn built_in(word: &str) -> Ty {
    Ty::external(BUILT_IN, canonical(word), Vec::new())
}

/// A type may be written in several ways. This gives one name for all of them.
fn canonical(word: &str) -> &str {
    match word {
        "unsigned int" | "uint32_t" | "int unsigned" => "unsigned",
        "int32_t" | "signed" => "int",
        "size_t" | "uint64_t" | "uintptr_t" => "long unsigned",
        "int64_t" | "ssize_t" | "ptrdiff_t" | "intptr_t" => "long",
        "uint16_t" => "short unsigned",
        "int16_t" => "short",
        "int8_t" => "char signed",
        "uint8_t" => "char unsigned",
        other => other,
    }
}

/// A pointer to a type.
pub(super) fn pointer(of: Ty) -> Ty {
    Ty::external(BUILT_IN, POINTER, vec![of])
}

/// The type that a pointer points to.
pub(super) fn pointee(ty: &Ty) -> Option<Ty> {
    ty.is_external(BUILT_IN, POINTER).then(|| ty.arg(0))
}

/// The name of a number's type.
pub(super) fn number(ty: &Ty) -> Option<&str> {
    match ty {
        Ty::ExternalInstance(external, _) => {
            let is_number = match &*external.package {
                BUILT_IN => !matches!(&*external.symbol, POINTER | "void" | ARGUMENT_LIST),
                STD => NAMES.has("numbers", &external.symbol),
                _ => false,
            };
            is_number.then(|| canonical(&external.symbol))
        }
        _ => None,
    }
}

/// The type to which a number is promoted in a calculation. Any other type stays as it is.
pub(super) fn promoted(ty: Ty) -> Ty {
    match number(&ty) {
        Some(
            "bool" | "char" | "char signed" | "char unsigned" | "short" | "short unsigned"
            | "char8_t" | "char16_t",
        ) => built_in("int"),
        _ => ty,
    }
}

/// Types of numbers. In a calculation with two of them, the later one in this list is the result.
const RANKS: [&str; 9] = [
    "int",
    "unsigned",
    "long",
    "long unsigned",
    "long long",
    "long long unsigned",
    "float",
    "double",
    "double long",
];

/// The result of a calculation with two values, if neither is of a class of the repository.
pub(super) fn calculated(left: Ty, right: Ty) -> Ty {
    if pointee(&left).is_some() && pointee(&right).is_some() {
        return built_in("long");
    }
    if pointee(&left).is_some() || is_text(&left) {
        return if is_text(&right) { right } else { left };
    }
    if pointee(&right).is_some() || is_text(&right) {
        return right;
    }
    let (left, right) = (promoted(left), promoted(right));
    let rank = |ty: &Ty| {
        let name = number(ty)?;
        RANKS.iter().position(|known| *known == name)
    };
    match (number(&left).is_some(), number(&right).is_some()) {
        (true, true) => match (rank(&left), rank(&right)) {
            (Some(a), Some(b)) if a >= b => left,
            (Some(_), Some(_)) => right,
            _ if left == right => left,
            _ => Ty::Unknown,
        },
        // An operator between a number and another type may be overloaded, so its result is not known. Neither is that of an
        // unknown value.
        (true, false) | (false, true) => Ty::Unknown,
        (false, false) if left == right => left,
        (false, false) => Ty::Unknown,
    }
}

/// The type of the values in a list of initial values.
pub(super) fn listed(ty: &Ty) -> Option<Ty> {
    (class(ty) == Some("initializer_list")).then(|| ty.arg(0))
}

/// Whether a type is that of the arguments behind `...`.
pub(super) fn is_argument_list(ty: &Ty) -> bool {
    matches!(ty, Ty::ExternalInstance(external, _) if &*external.symbol == ARGUMENT_LIST)
}

/// Whether a type is `void`.
pub(super) fn is_void(ty: &Ty) -> bool {
    ty.is_external(BUILT_IN, "void")
}

/// Whether a name is one of the known names of a package.
pub(super) fn is_known(package: &str, name: &str) -> bool {
    package == STD
        && [
            "sequences",
            "maps",
            "pointers",
            "texts",
            "others",
            "functions",
        ]
        .iter()
        .any(|list| NAMES.has(list, name))
}

/// The name of a type of the standard library.
fn class(ty: &Ty) -> Option<&str> {
    match ty {
        Ty::ExternalInstance(external, _) if &*external.package == STD => Some(&external.symbol),
        _ => None,
    }
}

/// Whether a type is a string of the standard library.
pub(super) fn is_text(ty: &Ty) -> bool {
    class(ty).is_some_and(|class| NAMES.has("texts", class))
}

/// Whether a type is a class whose conversions are known, so that it fits no other known type.
pub(super) fn is_known_class(ty: &Ty) -> bool {
    class(ty).is_some_and(|class| {
        ["sequences", "maps", "pointers", "texts"]
            .iter()
            .any(|list| NAMES.has(list, class))
    })
}

/// The type to which a smart pointer, an optional value or a pointer leads.
pub(super) fn led_to(ty: &Ty) -> Option<Ty> {
    let is_pointer = class(ty).is_some_and(|class| NAMES.has("pointers", class));
    if is_pointer {
        return Some(ty.arg(0));
    }
    pointee(ty)
}

/// The type of the elements in a loop over a value of the standard library.
pub(super) fn element(ty: &Ty) -> Ty {
    let Some(name) = class(ty) else {
        return pointee(ty).unwrap_or_default();
    };
    if NAMES.has("sequences", name) {
        ty.arg(0)
    } else if NAMES.has("maps", name) {
        Ty::external(STD, "pair", vec![ty.arg(0), ty.arg(1)])
    } else if NAMES.has("texts", name) {
        built_in("char")
    } else {
        Ty::Unknown
    }
}

/// The type of `object[index]`.
pub(super) fn indexed(ty: &Ty) -> Ty {
    match class(ty) {
        Some(name) if NAMES.has("maps", name) => ty.arg(1),
        Some("unique_ptr" | "shared_ptr") => ty.arg(0),
        _ => element(ty),
    }
}

/// The type of one part of a pair or tuple.
pub(super) fn part(ty: &Ty, n: u32) -> Ty {
    match class(ty) {
        Some("pair" | "tuple") => ty.arg(n as usize),
        Some("array") => ty.arg(0),
        _ => Ty::Unknown,
    }
}

/// The type of a field of a standard library value.
pub(super) fn field(ty: &Ty, name: &str) -> Option<Ty> {
    match (class(ty)?, name) {
        ("pair", "first") => Some(ty.arg(0)),
        ("pair", "second") => Some(ty.arg(1)),
        _ => None,
    }
}

/// The result type of a method of a standard library value.
pub(super) fn method(ty: &Ty, name: &str) -> Ty {
    let Some(of) = class(ty) else {
        return Ty::Unknown;
    };
    if NAMES.has("count methods", name) {
        return built_in("long unsigned");
    }
    if NAMES.has("test methods", name) {
        return built_in("bool");
    }
    if NAMES.has("texts", of) {
        return match name {
            "c_str" | "data" | "begin" | "end" => pointer(built_in("char")),
            "at" | "front" | "back" => built_in("char"),
            "substr" | "append" | "assign" | "insert" | "replace" => ty.clone(),
            "find" | "rfind" | "find_first_of" | "find_last_of" | "find_first_not_of"
            | "find_last_not_of" => built_in("long unsigned"),
            "compare" => built_in("int"),
            "str" => Ty::external(STD, "string", Vec::new()),
            _ => Ty::Unknown,
        };
    }
    match (of, name) {
        ("unique_ptr" | "shared_ptr" | "auto_ptr", "get" | "release") => pointer(ty.arg(0)),
        ("weak_ptr", "lock") => Ty::external(STD, "shared_ptr", vec![ty.arg(0)]),
        ("optional", "value" | "value_or") | ("atomic", "load" | "exchange") => ty.arg(0),
        ("reference_wrapper", "get") | ("future" | "shared_future", "get") => ty.arg(0),
        ("thread", "get_id") => Ty::Unknown,
        (_, "at") => indexed(ty),
        (_, "front" | "back" | "top" | "emplace_back") => element(ty),
        (_, "data") => pointer(element(ty)),
        (_, name) if NAMES.has("iterator methods", name) => pointer(element(ty)),
        (_, "insert" | "emplace") if NAMES.has("unique", of) => {
            Ty::external(STD, "pair", vec![pointer(element(ty)), built_in("bool")])
        }
        _ => Ty::Unknown,
    }
}

/// The result type of a function of the standard library, from its template arguments and its first arguments.
pub(super) fn function(name: &str, explicit: &[Ty], first: &dyn Fn(usize) -> Ty) -> Ty {
    let given = || explicit.first().cloned().unwrap_or_default();
    match name {
        "make_unique" => Ty::external(STD, "unique_ptr", vec![given()]),
        "make_shared" | "allocate_shared" | "static_pointer_cast" | "dynamic_pointer_cast" => {
            Ty::external(STD, "shared_ptr", vec![given()])
        }
        "min" | "max" | "clamp" if !explicit.is_empty() => given(),
        "move" | "forward" | "min" | "max" | "as_const" | "exchange" | "clamp" => first(0),
        "ref" | "cref" => first(0),
        "make_pair" => Ty::external(STD, "pair", vec![first(0), first(1)]),
        "make_tuple" | "tie" => Ty::Unknown,
        "to_string" => Ty::external(STD, "string", Vec::new()),
        "begin" | "end" | "cbegin" | "cend" | "data" => pointer(element(&first(0))),
        "next" | "prev" | "find" | "find_if" | "lower_bound" | "upper_bound" | "max_element"
        | "min_element" => first(0),
        "addressof" => pointer(first(0)),
        "size" => built_in("long unsigned"),
        "distance" => built_in("long"),
        "strlen" => built_in("long unsigned"),
        "declval" => given(),
        _ => Ty::Unknown,
    }
}

/// The type that a call of a standard library class constructs.
pub(super) fn constructed(name: &str, explicit: &[Ty]) -> Option<Ty> {
    let is_class = ["sequences", "maps", "pointers", "texts", "others"]
        .iter()
        .any(|list| NAMES.has(list, name));
    is_class.then(|| Ty::external(STD, name, explicit.to_vec()))
}

/// A type inside a type of the standard library, by name.
pub(super) fn inner_of(of: &Ty, name: &str) -> Option<Ty> {
    let Ty::ExternalInstance(external, args) = of else {
        return None;
    };
    if &*external.package != STD {
        return None;
    }
    inner_type(&format!("{}.{name}", external.symbol), args)
}

/// A type inside a template of the standard library. An iterator is a pointer to the element.
pub(super) fn inner_type(symbol: &str, args: &[Ty]) -> Option<Ty> {
    let (class, inner) = symbol.split_once('.')?;
    let of = Ty::external(STD, class, args.to_vec());
    match inner {
        "iterator" | "const_iterator" | "reverse_iterator" | "const_reverse_iterator" => {
            Some(pointer(element(&of)))
        }
        "pointer" | "const_pointer" => Some(pointer(element(&of))),
        "value_type" | "reference" | "const_reference" | "element_type" => Some(element(&of)),
        "mapped_type" => Some(of.arg(1)),
        "key_type" => Some(of.arg(0)),
        "size_type" => Some(built_in("long unsigned")),
        "difference_type" => Some(built_in("long")),
        _ => None,
    }
}
