//! Classes of Ruby itself: their names, their order, and the types that pass through their methods.

use crate::names::{NameLists, lines};
use crate::type_text::name_and_args;
use linker::ty::{External, Ty};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The package of what Ruby has itself.
pub(super) const RUBY: &str = "ruby";

static NAMES: LazyLock<NameLists> =
    LazyLock::new(|| NameLists::parse(include_str!("../stdlib.txt")));

static MEMBERS: LazyLock<Members> = LazyLock::new(Members::parse);

/// Whether Ruby has a constant of that name.
pub(super) fn is_constant(name: &str) -> bool {
    NAMES.has("constants", name)
}

/// Whether every object has a method of that name.
pub(super) fn is_method_of_objects(name: &str) -> bool {
    NAMES.has("object", name)
}

/// Whether every class and module has a method of that name.
pub(super) fn is_method_of_classes(name: &str) -> bool {
    NAMES.has("module", name)
}

/// A type in the tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Template {
    /// The object's n-th type argument.
    Arg(usize),
    /// The element of the object: the value of a map.
    Element,
    /// The type of an argument.
    Of(usize),
    /// The result of the block.
    Result,
    /// The element of that result.
    Flat,
    /// The object's type.
    This,
    /// A class of Ruby with type arguments.
    Named(External, Vec<Template>),
    /// Several values.
    Tuple(Vec<Template>),
    Unknown,
}

/// A method of Ruby.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) result: Template,
    /// What it gives to its block.
    pub(super) block: Vec<Template>,
}

struct Members {
    above: FxHashMap<&'static str, Vec<&'static str>>,
    members: FxHashMap<&'static str, FxHashMap<&'static str, Member>>,
}

impl Members {
    fn parse() -> Members {
        let mut above = FxHashMap::default();
        let names = include_str!("../stdlib.txt");
        let lists = names.split_once("[ancestors]").map_or("", |(_, rest)| rest);
        for line in lines(lists) {
            if let Some((name, rest)) = line.split_once(':') {
                above.insert(name, rest.split(',').collect());
            }
        }
        let mut members: FxHashMap<&str, FxHashMap<&str, Member>> = FxHashMap::default();
        for line in lines(include_str!("../members.txt")) {
            let mut words = line.split(' ');
            let (Some(key), Some(result)) = (words.next(), words.next()) else {
                continue;
            };
            let Some((class, names)) = key.split_once('.') else {
                continue;
            };
            for name in names.split('|') {
                let block = words.clone().next().map_or_else(Vec::new, template_list);
                let result = template(result);
                let of_class = members.entry(class).or_default();
                of_class.insert(name, Member { result, block });
            }
        }
        Members { above, members }
    }
}

fn template_list(text: &str) -> Vec<Template> {
    let (_, parts) = name_and_args_of_list(text);
    parts.into_iter().map(template).collect()
}

/// The parts of `A,B<C,D>`.
fn name_and_args_of_list(text: &str) -> (&str, Vec<&str>) {
    let (mut depth, mut from, mut out) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            ',' if depth == 0 => {
                out.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    out.push(&text[from..]);
    ("", out)
}

fn template(text: &str) -> Template {
    let (name, args) = name_and_args(text);
    let args: Vec<Template> = args.into_iter().map(template).collect();
    match name {
        "0" => Template::Arg(0),
        "1" => Template::Arg(1),
        "E" => Template::Element,
        "R" => Template::Result,
        "F" => Template::Flat,
        "A0" => Template::Of(0),
        "A1" => Template::Of(1),
        "self" => Template::This,
        "?" => Template::Unknown,
        "Tuple" => Template::Tuple(args),
        _ => Template::Named(External::new(RUBY, name), args),
    }
}

/// The classes and modules above a class of Ruby, without those of every object.
pub(super) fn ancestors(class: &str) -> &'static [&'static str] {
    MEMBERS.above.get(class).map_or(&[], |above| above)
}

/// What is known of a method of a class of Ruby, or of those above it.
pub(super) fn member(class: &str, name: &str) -> Option<&'static Member> {
    let all = std::iter::once(class).chain(ancestors(class).iter().copied());
    let mut all = all.chain(["Object"]);
    all.find_map(|class| MEMBERS.members.get(class)?.get(name))
}

/// An array of these elements.
pub(super) fn array(of: Ty) -> Ty {
    Ty::external(RUBY, "Array", vec![of])
}

/// A map.
pub(super) fn hash(args: Vec<Ty>) -> Ty {
    Ty::external(RUBY, "Hash", args)
}

/// The name of a class of Ruby of which a type is an instance.
pub(super) fn class_name(ty: &Ty) -> Option<&str> {
    match ty {
        Ty::ExternalInstance(of, _) if &*of.package == RUBY => Some(&of.symbol),
        Ty::Tuple(_) => Some("Array"),
        Ty::Function(..) | Ty::Callable(..) => Some("Proc"),
        Ty::Null => Some("NilClass"),
        _ => None,
    }
}

/// The type of the elements of a collection of Ruby.
pub(super) fn element(of: &Ty) -> Ty {
    match of {
        Ty::Tuple(parts) => Ty::union(parts.iter().cloned()),
        Ty::ExternalInstance(class, args) if &*class.package == RUBY => match &*class.symbol {
            "Hash" => Ty::Tuple(args.clone()),
            _ => of.arg(0),
        },
        _ => Ty::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_known() {
        assert!(is_constant("String") && !is_constant("Cart"));
        assert!(is_method_of_objects("puts") && is_method_of_classes("attr_reader"));
        assert!(!is_method_of_objects("attr_reader"));
        assert!(ancestors("Array").contains(&"Enumerable"));
    }

    #[test]
    fn tables_name_what_is_there() {
        for class in MEMBERS.members.keys() {
            assert!(is_constant(class), "{class}");
        }
        assert_eq!(
            member("Array", "each").map(|m| &m.result),
            Some(&Template::This)
        );
        assert_eq!(member("Hash", "each").map(|m| m.block.len()), Some(2));
        assert!(member("String", "tap").is_some());
    }
}
