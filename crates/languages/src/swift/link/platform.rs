//! What is known of the standard library: types with their supertypes and members, functions, modules.

use linker::ty::{External, Ty};
use rustc_hash::FxHashMap;
use std::sync::{Arc, LazyLock};

/// The data of the standard library.
const STANDARD: &str = include_str!("../stdlib.txt");

/// Supertypes that are looked through for one member.
const MOST_SUPERS: usize = 40;

/// A type written in the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Template {
    /// A type parameter of the type.
    Param(usize),
    /// The type of the object.
    This,
    /// The result of the closure that is passed.
    Result,
    /// The type of the first argument.
    Argument,
    /// A type without its optional.
    Unwrap(Box<Template>),
    /// The element of a sequence.
    Element(Box<Template>),
    /// A named type with arguments.
    Named(&'static str, Vec<Template>),
    /// A tuple with its labels.
    Tuple(Vec<(&'static str, Template)>),
}

/// A member or function.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) ty: Template,
    /// The types of the parameters of a closure that is passed.
    pub(super) closure: Vec<Template>,
}

/// A type.
#[derive(Debug, Default)]
struct Type {
    params: Vec<&'static str>,
    supers: Vec<Template>,
}

/// The standard library.
#[derive(Default)]
pub(super) struct Standard {
    types: FxHashMap<&'static str, Type>,
    members: FxHashMap<&'static str, Member>,
    functions: FxHashMap<&'static str, Member>,
    /// The module of each type that only has a name.
    packages: FxHashMap<&'static str, &'static str>,
    modules: Vec<&'static str>,
}

static TABLES: LazyLock<Standard> = LazyLock::new(|| Standard::parse(STANDARD));

/// The standard library.
pub(super) fn standard() -> &'static Standard {
    &TABLES
}

impl Standard {
    fn parse(text: &'static str) -> Standard {
        let mut out = Standard::default();
        let mut list = "";
        for line in crate::names::lines(text) {
            if let Some(name) = line.strip_prefix('[').and_then(|l| l.strip_suffix(']')) {
                list = name;
                continue;
            }
            match list {
                "types" => out.add_type(line),
                "members" => out.add_member(line, false),
                "functions" => out.add_member(line, true),
                "foundation" => {
                    let names = line.split_whitespace();
                    out.packages.extend(names.map(|name| (name, "Foundation")));
                }
                "xctest" => {
                    let names = line.split_whitespace();
                    out.packages.extend(names.map(|name| (name, "XCTest")));
                }
                _ => out.modules.extend(line.split_whitespace()),
            }
        }
        out
    }

    fn add_type(&mut self, line: &'static str) {
        let (head, supers) = line.split_once(": ").unwrap_or((line, ""));
        let (name, params) = head.split_once('<').unwrap_or((head, ""));
        let params = params.trim_end_matches('>').split(',');
        let params = params.filter(|p| !p.is_empty()).collect();
        let supers = supers.split(' ').filter(|s| !s.is_empty());
        let supers = supers.map(|s| Reader { rest: s }.template()).collect();
        self.types.insert(name, Type { params, supers });
    }

    fn add_member(&mut self, line: &'static str, is_function: bool) {
        let Some((name, rest)) = line.split_once(' ') else {
            return;
        };
        let (ty, closure) = rest.split_once(" | ").unwrap_or((rest, ""));
        let closure = closure.split(' ').filter(|t| !t.is_empty());
        let member = Member {
            ty: Reader { rest: ty }.template(),
            closure: closure.map(|t| Reader { rest: t }.template()).collect(),
        };
        if is_function {
            self.functions.insert(name.trim_end_matches("()"), member);
        } else {
            self.members.insert(name, member);
        }
    }

    /// Whether a type is known with its supertypes.
    pub(super) fn knows(&self, symbol: &str) -> bool {
        self.types.contains_key(symbol)
    }

    /// The number of type parameters of a type.
    pub(super) fn param_count(&self, symbol: &str) -> usize {
        self.types.get(symbol).map_or(0, |ty| ty.params.len())
    }

    /// A function that needs no import.
    pub(super) fn function(&self, name: &str) -> Option<&Member> {
        self.functions.get(name)
    }

    /// The direct supertypes of a type, with its arguments filled in.
    pub(super) fn supers(&self, symbol: &str, args: &[Ty]) -> Vec<Ty> {
        let Some(ty) = self.types.get(symbol) else {
            return Vec::new();
        };
        let fill = |template: &Template| filled(template, args);
        ty.supers.iter().map(fill).collect()
    }

    /// A type and its supertypes, nearest first, with arguments filled in.
    pub(super) fn with_supers(&self, of: &Ty) -> Vec<Ty> {
        let mut out = vec![of.clone()];
        let mut at = 0;
        while at < out.len() && out.len() < MOST_SUPERS {
            if let Ty::ExternalInstance(external, args) = &out[at] {
                let supers = self.supers(&external.symbol, args);
                for above in supers {
                    if !out.iter().any(|known| same_symbol(known, &above)) {
                        out.push(above);
                    }
                }
            }
            at += 1;
        }
        out
    }

    /// A member of a type or of its supertypes, and the type that has it. `()` is part of a method's name.
    pub(super) fn member(&self, of: &Ty, name: &str) -> Option<(&Member, Ty)> {
        for ty in self.with_supers(of) {
            let Ty::ExternalInstance(external, _) = &ty else {
                continue;
            };
            let key = format!("{}.{name}", external.symbol);
            if let Some(member) = self.members.get(key.as_str()) {
                return Some((member, ty));
            }
        }
        None
    }
}

fn same_symbol(a: &Ty, b: &Ty) -> bool {
    match (a, b) {
        (Ty::ExternalInstance(a, _), Ty::ExternalInstance(b, _)) => a.symbol == b.symbol,
        _ => a == b,
    }
}

/// A template that depends on the arguments of its type alone.
fn filled(template: &Template, args: &[Ty]) -> Ty {
    match template {
        Template::Param(n) => args.get(*n).cloned().unwrap_or_default(),
        Template::Named(name, inner) => {
            let inner = inner.iter().map(|t| filled(t, args)).collect();
            named(name, inner)
        }
        Template::Tuple(parts) => {
            let types = parts.iter().map(|(_, t)| filled(t, args)).collect();
            tuple(&labels(parts), types)
        }
        _ => Ty::Unknown,
    }
}

fn labels(parts: &[(&'static str, Template)]) -> Vec<&'static str> {
    parts.iter().map(|(label, _)| *label).collect()
}

/// A tuple. One with labels is kept as a type outside the repository, whose name has the labels.
pub(super) fn tuple(labels: &[&str], types: Vec<Ty>) -> Ty {
    if labels.iter().all(|label| label.is_empty()) {
        return Ty::Tuple(types.into());
    }
    Ty::external("Swift", &format!("({})", labels.join(",")), types)
}

/// The labels of a tuple; `None` if a type is no labelled tuple.
pub(super) fn tuple_labels(external: &External) -> Option<Vec<&str>> {
    let inner = external.symbol.strip_prefix('(')?.strip_suffix(')')?;
    Some(inner.split(',').collect())
}

/// A type of the standard library or Foundation.
pub(super) fn named(name: &str, args: Vec<Ty>) -> Ty {
    match name {
        "Any" => Ty::Unknown,
        _ => Ty::external(package_of(name).unwrap_or("Swift"), name, args),
    }
}

/// The optional of a type.
pub(super) fn optional(of: Ty) -> Ty {
    if is_optional(&of) {
        return of;
    }
    named("Optional", vec![of])
}

/// Whether a type is an optional.
pub(super) fn is_optional(ty: &Ty) -> bool {
    matches!(ty, Ty::ExternalInstance(e, _) if &*e.symbol == "Optional")
}

/// A type without its optional.
pub(super) fn unwrapped(ty: &Ty) -> Ty {
    if is_optional(ty) {
        ty.arg(0)
    } else {
        ty.clone()
    }
}

/// The name of a type outside the repository.
pub(super) fn symbol(ty: &Ty) -> Option<&str> {
    match ty {
        Ty::ExternalInstance(external, _) => Some(&external.symbol),
        _ => None,
    }
}

/// The number of a type parameter of a type outside the repository.
pub(super) fn type_param(symbol: &str, name: &str) -> Option<u32> {
    let params = &TABLES.types.get(symbol)?.params;
    let at = params.iter().position(|p| *p == name);
    at.map(|at| at as u32)
}

/// The module of a type or function outside the repository that is known by its name.
pub(super) fn package_of(name: &str) -> Option<&'static str> {
    if TABLES.types.contains_key(name) || TABLES.functions.contains_key(name) {
        return Some("Swift");
    }
    TABLES.packages.get(name).copied()
}

/// Whether a type outside the repository is known by its name.
pub(super) fn is_known(symbol: &str) -> bool {
    TABLES.types.contains_key(symbol) || TABLES.packages.contains_key(symbol)
}

/// Whether a module belongs to Swift itself.
pub(super) fn is_standard_module(name: &str) -> bool {
    TABLES.modules.contains(&name)
}

/// Types that nothing converts to, apart from literals.
pub(super) fn is_concrete(symbol: &str) -> bool {
    let is_open = |suffix: &str| symbol.ends_with(suffix);
    TABLES.types.contains_key(symbol)
        && !is_open("Protocol")
        && !is_open("able")
        && !matches!(
            symbol,
            "Any"
                | "AnyObject"
                | "AnyHashable"
                | "Error"
                | "Sequence"
                | "Collection"
                | "Numeric"
                | "BinaryInteger"
                | "FixedWidthInteger"
                | "SignedInteger"
                | "UnsignedInteger"
                | "FloatingPoint"
                | "BinaryFloatingPoint"
                | "BidirectionalCollection"
                | "RandomAccessCollection"
                | "MutableCollection"
                | "RangeReplaceableCollection"
                | "SetAlgebra"
                | "OptionSet"
                | "AsyncSequence"
                | "AnyClass"
                | "Encoder"
                | "Decoder"
                | "Clock"
                | "CodingKey"
                | "CVarArg"
                | "Actor"
                | "TextOutputStream"
        )
        && !symbol.starts_with("Expressible")
        && !symbol.contains("Pointer")
}

/// Reads a template.
struct Reader {
    rest: &'static str,
}

impl Reader {
    fn template(&mut self) -> Template {
        if let Some(rest) = self.rest.strip_prefix('(') {
            self.rest = rest;
            return Template::Tuple(self.parts());
        }
        let end = self
            .rest
            .find(['<', '>', ',', ')', ':'])
            .unwrap_or(self.rest.len());
        let name = &self.rest[..end];
        self.rest = &self.rest[end..];
        let args = self.arguments();
        let mut first = args.into_iter();
        match name {
            "this" => Template::This,
            "R" => Template::Result,
            "A" => Template::Argument,
            "Unwrap" => Template::Unwrap(Box::new(first.next().unwrap_or(Template::This))),
            "Element" => Template::Element(Box::new(first.next().unwrap_or(Template::This))),
            _ => match name.parse() {
                Ok(n) => Template::Param(n),
                Err(_) => Template::Named(name, first.collect()),
            },
        }
    }

    fn arguments(&mut self) -> Vec<Template> {
        let mut args = Vec::new();
        let Some(rest) = self.rest.strip_prefix('<') else {
            return args;
        };
        self.rest = rest;
        loop {
            args.push(self.template());
            match self.rest.strip_prefix(',') {
                Some(rest) => self.rest = rest,
                None => {
                    self.rest = self.rest.strip_prefix('>').unwrap_or(self.rest);
                    return args;
                }
            }
        }
    }

    fn parts(&mut self) -> Vec<(&'static str, Template)> {
        let mut parts = Vec::new();
        while !self.rest.is_empty() && !self.rest.starts_with(')') {
            let label = match self.rest.find([':', ',', '<', ')']) {
                Some(at) if self.rest[at..].starts_with(':') => {
                    let label = &self.rest[..at];
                    self.rest = &self.rest[at + 1..];
                    label
                }
                _ => "",
            };
            parts.push((label, self.template()));
            self.rest = self.rest.strip_prefix(',').unwrap_or(self.rest);
        }
        self.rest = self.rest.strip_prefix(')').unwrap_or(self.rest);
        parts
    }
}

/// The type of a function that is only known by its parameters and result.
pub(super) fn callable(params: Vec<Ty>, result: Ty) -> Ty {
    Ty::Callable(params.into(), Arc::new(result))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_of_supertypes_are_found_with_their_arguments() {
        let array = named("Array", vec![named("Int", Vec::new())]);
        let (member, holder) = standard().member(&array, "map()").expect("a method");
        assert_eq!(member.closure, [Template::Param(0)]);
        assert_eq!(holder, named("Sequence", vec![named("Int", Vec::new())]));
        let map = named("Dictionary", vec![named("Int", Vec::new()), Ty::Null]);
        let (_, holder) = standard().member(&map, "count").expect("a property");
        assert_eq!(symbol(&holder.arg(0)), Some("(key,value)"));
        assert!(standard().member(&array, "nothing").is_none());
    }

    #[test]
    fn every_type_of_the_data_is_known() {
        let names = |template: &Template| match template {
            Template::Named(name, _) => Some(*name),
            _ => None,
        };
        let tables = standard();
        let supers = tables.types.values().flat_map(|ty| &ty.supers);
        for name in supers.filter_map(names) {
            assert!(tables.types.contains_key(name), "{name}");
        }
        for key in tables.members.keys() {
            let (name, _) = key.split_once('.').expect("a member has a type");
            assert!(tables.types.contains_key(name), "{key}");
        }
    }
}
