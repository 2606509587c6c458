//! Types of the standard library, read from tables.

use crate::names::{NameLists, lines};
use crate::type_text::name_and_args;
use base::facts::*;
use linker::ty::*;
use rustc_hash::FxHashMap;
use std::sync::{Arc, LazyLock};

/// Longest chain of supertypes.
const MAX_SUPERS: usize = 32;

/// A type in the tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Template {
    /// A type argument of the object's type.
    Arg(usize),
    /// A part of the call: its kind and number.
    Part(char, usize),
    /// One type that all arguments have.
    All,
    /// The element of the object's element.
    Inner,
    /// The element of the elements of the first argument.
    InnerOfArgument,
    /// The object's type.
    This,
    /// The object's kind of collection with another element.
    Same(Box<Template>),
    /// A map of pairs.
    MapOf(Box<Template>),
    /// A map of pairs, or a collection of something else.
    MapOrSame(Box<Template>),
    /// A tuple.
    Tuple(Vec<Template>),
    /// A type with type arguments.
    Named(&'static str, Vec<Template>),
    /// Not known.
    Unknown,
}

/// A member of a type.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) result: Template,
    /// For each function argument, its list, its position and the types of its parameters.
    pub(super) callbacks: Vec<(usize, u32, Vec<Template>)>,
    /// Whether arguments come in two lists.
    pub(super) has_two_lists: bool,
}

struct Tables {
    names: NameLists,
    parents: FxHashMap<&'static str, Vec<Template>>,
    members: FxHashMap<&'static str, FxHashMap<&'static str, Member>>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut out = Tables {
        names: NameLists::parse(include_str!("../platform/names.txt")),
        parents: FxHashMap::default(),
        members: FxHashMap::default(),
    };
    for line in lines(include_str!("../platform/parents.txt")) {
        if let Some((name, parents)) = line.split_once(": ") {
            let parents = parents.split_whitespace().map(template).collect();
            out.parents.insert(name, parents);
        }
    }
    for line in lines(include_str!("../platform/members.txt")) {
        let mut words = line.split(' ');
        if let (Some(class), Some(name), Some(result)) = (words.next(), words.next(), words.next())
        {
            let member = member(result, words);
            let all = out.members.entry(class).or_default();
            all.entry(name).or_insert(member);
        }
    }
    out
});

fn member(result: &'static str, words: std::str::Split<'static, char>) -> Member {
    let mut callbacks = Vec::new();
    for word in words {
        let Some((at, params)) = word.split_once(':') else {
            continue;
        };
        let list = usize::from(at.starts_with('+'));
        let (_, params) = name_and_args_of(params);
        if let Ok(at) = at.trim_start_matches('+').parse() {
            let params = params.into_iter().map(template).collect();
            callbacks.push((list, at, params));
        }
    }
    let is_second = |t: &str| ["B0", "L0", "M0"].iter().any(|part| t.contains(part));
    let has_two_lists = callbacks.iter().any(|c| c.0 == 1) || is_second(result);
    Member {
        result: template(result),
        callbacks,
        has_two_lists,
    }
}

/// Types separated by commas.
fn name_and_args_of(text: &'static str) -> (&'static str, Vec<&'static str>) {
    let (mut depth, mut from, mut out) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            ',' if depth == 0 => {
                out.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    out.push(&text[from..]);
    (text, out)
}

fn template(text: &'static str) -> Template {
    if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        let (_, parts) = name_and_args_of(inner);
        return Template::Tuple(parts.into_iter().map(template).collect());
    }
    if let Ok(n) = text.parse() {
        return Template::Arg(n);
    }
    let mut chars = text.chars();
    if let (Some(kind @ ('A' | 'B' | 'E' | 'F' | 'G' | 'L' | 'M' | 'R' | 'S')), Ok(n)) =
        (chars.next(), chars.as_str().parse())
    {
        return Template::Part(kind, n);
    }
    match text {
        "AA" => return Template::All,
        "E" => return Template::Inner,
        "EE" => return Template::InnerOfArgument,
        "this" => return Template::This,
        "Any" | "Nothing" | "Fold" | "Merge" | "Apply" | "Unzip" => return Template::Unknown,
        _ => {}
    }
    let (name, _) = name_and_args(text);
    let inner = text.strip_prefix(name).and_then(|t| t.strip_prefix('<'));
    let inner = inner.and_then(|t| t.strip_suffix('>'));
    let args = inner.map(|inner| name_and_args_of(inner).1);
    let mut args: Vec<Template> = args.into_iter().flatten().map(template).collect();
    let first = |args: &mut Vec<Template>| Box::new(args.pop().unwrap_or(Template::Unknown));
    match name {
        "CC" => Template::Same(first(&mut args)),
        "MapOf" => Template::MapOf(first(&mut args)),
        "MapCC" => Template::MapOrSame(first(&mut args)),
        _ => Template::Named(name, args),
    }
}

/// A name of the standard library.
pub(super) fn name(symbol: &str) -> External {
    External::new("scala", symbol)
}

/// A value of a type of the standard library.
pub(super) fn instance(symbol: &str, args: Vec<Ty>) -> Ty {
    value_of_type(&name(symbol), &args)
}

/// The same type by one name, wherever it was imported from.
pub(super) fn canonical(external: &External) -> External {
    if !TABLES.names.has("packages", &external.package) || external.symbol.is_empty() {
        return external.clone();
    }
    let known = |name: &str| TABLES.parents.contains_key(name) || TABLES.members.contains_key(name);
    let mut from = 0;
    for (at, segment) in external.symbol.split('.').enumerate() {
        let is_type = segment.starts_with(|c: char| !c.is_lowercase());
        // Types of the standard library of Java may have the names of those of Scala.
        let is_java = &*external.package != "scala";
        let is_own = !is_java || external.symbol.starts_with("lang.");
        if is_type && at > 0 && is_own && (known(segment) || TABLES.names.has("types", segment)) {
            return name(&external.symbol[from..]);
        }
        from += segment.len() + 1;
    }
    external.clone()
}

/// The name without an import.
pub(super) fn known_name(text: &str, namespace: Namespace) -> Option<External> {
    let list = match namespace {
        Namespace::TYPE => "types",
        _ => "values",
    };
    if TABLES.names.has(list, text) || is_numbered(text) {
        return Some(name(text));
    }
    let is_function = namespace != Namespace::TYPE && TABLES.names.has("functions", text);
    is_function.then(|| name(&format!("Predef.{text}")))
}

/// `Function2`, `Tuple3`.
fn is_numbered(text: &str) -> bool {
    let number = text
        .strip_prefix("Function")
        .or_else(|| text.strip_prefix("Tuple"));
    number.is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()))
}

/// Whether a package is one of the standard library, so that what it lacks here is outside.
pub(super) fn is_outside(package: &str) -> bool {
    let first = package.split('.').next().unwrap_or_default();
    TABLES.names.has("packages", first)
}

/// Whether every object has that member.
pub(super) fn is_universal(name: &str) -> bool {
    TABLES.names.has("universal", name)
}

/// Whether every object is of that type.
pub(super) fn is_top(ty: &Ty) -> bool {
    matches!(ty, Ty::ExternalInstance(e, _) if TABLES.names.has("top", &e.symbol))
}

/// Whether the tables know a type, and so its supertypes.
pub(super) fn is_known(ty: &Ty) -> bool {
    let Ty::ExternalInstance(external, _) = ty else {
        return matches!(ty, Ty::Tuple(_));
    };
    &*external.package == "scala"
        && (TABLES.names.has("types", &external.symbol)
            || TABLES.parents.contains_key(&*external.symbol))
}

/// A type outside as the type of a value: function types and tuples by their shape.
pub(super) fn value_of_type(external: &External, args: &[Ty]) -> Ty {
    let external = canonical(external);
    if &*external.package == "scala" {
        let symbol = &*external.symbol;
        if symbol == "Unit" {
            return Ty::Tuple(no_args());
        }
        if matches!(symbol, "Any" | "AnyRef" | "Object") && args.is_empty() {
            return Ty::ExternalInstance(name("Any"), no_args());
        }
        if is_numbered(symbol) {
            let is_function = symbol.starts_with("Function");
            return match args.split_last() {
                Some((result, params)) if is_function => {
                    Ty::Callable(params.into(), Arc::new(result.clone()))
                }
                Some(_) => Ty::Tuple(args.into()),
                None => Ty::Unknown,
            };
        }
    }
    Ty::ExternalInstance(external, args.into())
}

pub(super) fn primitive(primitive: Primitive) -> Ty {
    let symbol = match primitive {
        Primitive::String => "String",
        Primitive::Int => "Int",
        Primitive::Float => "Double",
        Primitive::Bool => "Boolean",
        Primitive::Char => "Char",
        _ => return Ty::Unknown,
    };
    instance(symbol, Vec::new())
}

/// The supertypes of a type, with its arguments filled in.
fn parents(ty: &Ty) -> Vec<Ty> {
    let Ty::ExternalInstance(external, args) = ty else {
        return Vec::new();
    };
    if &*external.package != "scala" {
        return Vec::new();
    }
    let parents = TABLES.parents.get(&*external.symbol);
    let each = parents.into_iter().flatten();
    each.map(|parent| filled(parent, args)).collect()
}

/// A template with nothing but type arguments.
fn filled(of: &Template, args: &Args) -> Ty {
    match of {
        Template::Arg(n) => args.get(*n).cloned().unwrap_or_default(),
        Template::Tuple(parts) => Ty::Tuple(parts.iter().map(|p| filled(p, args)).collect()),
        Template::Named(symbol, inner) => {
            let inner: Vec<Ty> = inner.iter().map(|i| filled(i, args)).collect();
            instance(symbol, inner)
        }
        _ => Ty::Unknown,
    }
}

/// A type and all its supertypes, nearest first.
fn with_supertypes(ty: &Ty) -> Vec<Ty> {
    let mut all = vec![ty.clone()];
    let mut next = 0;
    while next < all.len() && all.len() < MAX_SUPERS {
        let above = parents(&all[next]);
        all.extend(above);
        next += 1;
    }
    all
}

/// A type as a supertype of the class of another.
pub(super) fn seen_as(actual: &Ty, wanted: &Ty) -> Option<Ty> {
    let Ty::ExternalInstance(wanted, _) = wanted else {
        return None;
    };
    if let Ty::ExternalInstance(actual, _) = actual
        && is_widened(&actual.symbol, &wanted.symbol)
    {
        return Some(Ty::ExternalInstance(wanted.clone(), no_args()));
    }
    let mut all = with_supertypes(actual).into_iter();
    all.find(|ty| matches!(ty, Ty::ExternalInstance(e, _) if e == wanted))
}

/// Whether a number may become another.
fn is_widened(from: &str, to: &str) -> bool {
    const ORDER: [&str; 6] = ["Byte", "Short", "Int", "Long", "Float", "Double"];
    let at = |name: &str| ORDER.iter().position(|n| *n == name);
    let from = match from {
        "Char" => Some(1),
        other => at(other),
    };
    matches!((from, at(to)), (Some(from), Some(to)) if from < to && to > 1)
}

/// A type that two have.
pub(super) fn common(a: &Ty, b: &Ty) -> Ty {
    let above = with_supertypes(b);
    let shared = with_supertypes(a).into_iter().find(|one| {
        above.iter().any(|other| match (one, other) {
            (Ty::ExternalInstance(x, xs), Ty::ExternalInstance(y, ys)) => {
                // Arguments that one of them lacks may be anything.
                x == y
                    && xs
                        .iter()
                        .zip(ys.iter())
                        .all(|(x, y)| x == y || y.is_unknown())
            }
            _ => false,
        })
    });
    shared.unwrap_or_default()
}

/// The type of the elements of a collection, an option and the like.
pub(super) fn element(of: &Ty) -> Ty {
    let all = with_supertypes(of);
    let found = all.iter().find_map(|ty| match ty {
        Ty::ExternalInstance(external, args) => match &*external.symbol {
            "IterableOnce" | "Future" | "Try" | "Promise" | "Builder" => args.first().cloned(),
            "String" => Some(instance("Char", Vec::new())),
            _ => None,
        },
        _ => None,
    });
    found.unwrap_or_default()
}

/// The number of parameters of a collection that is a function.
pub(super) fn as_function(ty: &Ty) -> Option<usize> {
    let one = with_supertypes(ty).into_iter().any(|ty| {
        matches!(&ty, Ty::ExternalInstance(e, _)
            if matches!(&*e.symbol, "Seq" | "Set" | "Map" | "PartialFunction"))
    });
    one.then_some(1)
}

/// Parameters and result of a type outside that is a function.
pub(super) fn function_type(external: &External, args: &Args) -> Option<(Vec<Ty>, Ty)> {
    match (&*external.symbol, &args[..]) {
        ("PartialFunction", [from, to]) => Some((vec![from.clone()], to.clone())),
        ("Runnable", _) => Some((Vec::new(), Ty::Tuple(no_args()))),
        ("Ordering", [of]) => Some((vec![of.clone(), of.clone()], instance("Int", Vec::new()))),
        _ => None,
    }
}

/// A part of a value that a class of the standard library takes apart.
pub(super) fn part(by: &External, value: &Ty, index: u32) -> Ty {
    let by = by.symbol.rsplit('.').next().unwrap_or_default();
    if index == WHOLE_VARIANT {
        return value.clone();
    }
    let arg = |n| match value {
        Ty::ExternalInstance(..) => value.arg(n),
        _ => Ty::Unknown,
    };
    match (by, index) {
        ("Some" | "Success" | "Left", 0) => arg(0),
        ("Right", 0) => arg(1),
        ("Failure", 0) | ("NonFatal", 0) => instance("Throwable", Vec::new()),
        ("::" | "+:" | "#::", 0) | (":+", 1) => element(value),
        ("::", 1) => instance("List", vec![element(value)]),
        ("+:" | "#::", 1) | (":+", 0) => value.clone(),
        ("List" | "Seq" | "Vector" | "Array" | "IndexedSeq" | "Set", _) => element(value),
        ("->", n) => match value {
            Ty::Tuple(parts) => parts.get(n as usize).cloned().unwrap_or_default(),
            _ => Ty::Unknown,
        },
        _ => Ty::Unknown,
    }
}

/// A member of a value, and the object as the supertype that has it.
pub(super) fn member_of(object: &Ty, name: &str) -> Option<(&'static Member, Ty)> {
    with_supertypes(object).into_iter().find_map(|ty| {
        let Ty::ExternalInstance(external, _) = &ty else {
            return None;
        };
        if &*external.package != "scala" {
            return None;
        }
        let member = TABLES.members.get(&*external.symbol)?.get(name)?;
        Some((member, ty))
    })
}

/// A member of an object.
pub(super) fn member_of_object(object: &str, name: &str) -> Option<&'static Member> {
    let object = object.rsplit('.').next().unwrap_or(object);
    TABLES.members.get(&*format!("{object}$"))?.get(name)
}

/// Whether a type has a member, as far as the tables show.
pub(super) fn has_member(of: &External, name: &str) -> bool {
    let ty = Ty::ExternalInstance(of.clone(), no_args());
    is_universal(name) || is_number(of) && is_arithmetic(name) || member_of(&ty, name).is_some()
}

pub(super) fn is_number(of: &External) -> bool {
    TABLES.names.has("numbers", &of.symbol)
}

/// Whether a name is an operator of numbers.
pub(super) fn is_arithmetic(name: &str) -> bool {
    matches!(
        name,
        "+" | "-"
            | "*"
            | "/"
            | "%"
            | "<"
            | ">"
            | "<="
            | ">="
            | "&"
            | "|"
            | "^"
            | "<<"
            | ">>"
            | ">>>"
            | "unary_-"
            | "unary_+"
            | "unary_~"
    )
}

/// The wider of two numbers.
pub(super) fn wider(a: &Ty, b: &Ty) -> Ty {
    let (Ty::ExternalInstance(x, _), Ty::ExternalInstance(y, _)) = (a, b) else {
        return Ty::Unknown;
    };
    if !is_number(y) {
        return match &*y.symbol {
            "String" => b.clone(),
            _ => Ty::Unknown,
        };
    }
    let is_small = |n: &str| matches!(n, "Byte" | "Short" | "Char");
    if is_small(&x.symbol) && is_small(&y.symbol) {
        return instance("Int", Vec::new());
    }
    if is_widened(&x.symbol, &y.symbol) {
        b.clone()
    } else {
        a.clone()
    }
}

/// Whether a type is a map.
pub(super) fn is_map(symbol: &str) -> bool {
    TABLES.names.has("maps", symbol)
}
