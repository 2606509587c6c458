//! Types outside of the repository: what the language has built in, and what the standard library's containers and pointers hold.

use crate::names::NameLists;
use linker::ty::*;
use std::sync::LazyLock;

/// The package and namespace of the standard library.
pub(super) const STD: &str = "std";
/// The package of what the language has built in.
const BUILT_IN: &str = "c++";
/// The symbol of the type of the arguments behind `...`.
const ARGUMENT_LIST: &str = "va_list";
/// The symbol of a pointer or array.
const POINTER: &str = "*";

/// Names of the standard library, by what is known of them.
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

/// One name of those that a type has.
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

/// What a pointer leads to.
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

/// What a number becomes where it is calculated with; any other value stays.
pub(super) fn promoted(ty: Ty) -> Ty {
    match number(&ty) {
        Some(
            "bool" | "char" | "char signed" | "char unsigned" | "short" | "short unsigned"
            | "char8_t" | "char16_t",
        ) => built_in("int"),
        _ => ty,
    }
}

/// Numbers by what wins where two are calculated with, the last first.
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

/// What a calculation with two values gives, where neither is of a class of the repository.
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
        // What a number makes of another value is not known, and neither is what is made of a value that is not known.
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

/// Whether a package has a name that is known.
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

/// What a type of the standard library is called.
fn class(ty: &Ty) -> Option<&str> {
    match ty {
        Ty::ExternalInstance(external, _) if &*external.package == STD => Some(&external.symbol),
        _ => None,
    }
}

/// Whether a type is a text of the standard library.
pub(super) fn is_text(ty: &Ty) -> bool {
    class(ty).is_some_and(|class| NAMES.has("texts", class))
}

/// Whether values of this type are of no other known type.
pub(super) fn is_known_class(ty: &Ty) -> bool {
    class(ty).is_some_and(|class| {
        ["sequences", "maps", "pointers", "texts"]
            .iter()
            .any(|list| NAMES.has(list, class))
    })
}

/// What a smart pointer, an optional value or a pointer leads to.
pub(super) fn led_to(ty: &Ty) -> Option<Ty> {
    let is_pointer = class(ty).is_some_and(|class| NAMES.has("pointers", class));
    if is_pointer {
        return Some(ty.arg(0));
    }
    pointee(ty)
}

/// What an iteration over a value of the standard library gives.
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

/// What `object[index]` gives.
pub(super) fn indexed(ty: &Ty) -> Ty {
    match class(ty) {
        Some(name) if NAMES.has("maps", name) => ty.arg(1),
        Some("unique_ptr" | "shared_ptr") => ty.arg(0),
        _ => element(ty),
    }
}

/// A part of a pair or tuple.
pub(super) fn part(ty: &Ty, n: u32) -> Ty {
    match class(ty) {
        Some("pair" | "tuple") => ty.arg(n as usize),
        Some("array") => ty.arg(0),
        _ => Ty::Unknown,
    }
}

/// A field of a value of the standard library.
pub(super) fn field(ty: &Ty, name: &str) -> Option<Ty> {
    match (class(ty)?, name) {
        ("pair", "first") => Some(ty.arg(0)),
        ("pair", "second") => Some(ty.arg(1)),
        _ => None,
    }
}

/// What a method of a value of the standard library gives.
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

/// What a function of the standard library gives, from its arguments of templates and its first arguments.
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

/// A class of the standard library that is called constructs a value.
pub(super) fn constructed(name: &str, explicit: &[Ty]) -> Option<Ty> {
    let is_class = ["sequences", "maps", "pointers", "texts", "others"]
        .iter()
        .any(|list| NAMES.has(list, name));
    is_class.then(|| Ty::external(STD, name, explicit.to_vec()))
}

/// A type inside a type of the standard library, by its name.
pub(super) fn inner_of(of: &Ty, name: &str) -> Option<Ty> {
    let Ty::ExternalInstance(external, args) = of else {
        return None;
    };
    if &*external.package != STD {
        return None;
    }
    inner_type(&format!("{}.{name}", external.symbol), args)
}

/// A type inside a template of the standard library: an iterator is a pointer to what it leads to.
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
