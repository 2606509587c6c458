//! Types of .NET, read from tables.

use crate::names::lines;
use linker::ty::{External, Ty};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// A type in the tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Template {
    /// A type argument of the object's type.
    Arg(usize),
    /// An explicit type argument of the call.
    Given(usize),
    /// The type of an argument.
    Of(usize),
    /// The element of an argument.
    Element(usize),
    /// The result of a function argument.
    Result(usize),
    /// The element of that result.
    Flat(usize),
    /// The type of that result after `await`.
    Awaited(usize),
    /// The object's type.
    This,
    /// A type with type arguments.
    Named(External, Vec<Template>),
    /// `T[]`.
    Array(Box<Template>),
}

/// A property or method of .NET.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) result: Template,
    /// For each function argument, the types of its parameters.
    pub(super) callbacks: Vec<(u32, Vec<Template>)>,
    /// For each argument that sets a variable, its type.
    pub(super) outs: Vec<(u32, Template)>,
}

/// The name under which the tables list the extension methods of sequences.
pub(super) const LINQ: &str = "Linq";

/// The tables, parsed once.
pub(super) struct Tables {
    /// The namespaces that have a type with this name.
    namespaces_of: FxHashMap<&'static str, Vec<&'static str>>,
    namespaces: FxHashSet<&'static str>,
    parents: FxHashMap<&'static str, Vec<Template>>,
    members: FxHashMap<&'static str, FxHashMap<&'static str, Member>>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(Tables::parse);

/// The tables.
pub(super) fn tables() -> &'static Tables {
    &TABLES
}

impl Tables {
    fn parse() -> Tables {
        let mut out = Tables {
            namespaces_of: FxHashMap::default(),
            namespaces: FxHashSet::default(),
            parents: FxHashMap::default(),
            members: FxHashMap::default(),
        };
        let types = include_str!("../platform/types.txt");
        for (namespace, names) in lines(types).filter_map(|line| line.split_once(": ")) {
            out.namespaces.insert(namespace);
            for name in names.split_whitespace() {
                let known = out.namespaces_of.entry(name).or_default();
                if !known.contains(&namespace) {
                    known.push(namespace);
                }
            }
        }
        for line in lines(include_str!("../platform/parents.txt")) {
            if let Some((name, parents)) = line.split_once(':') {
                let parents = parents.split_whitespace();
                let parents = parents.map(|p| out.template(p)).collect();
                out.parents.insert(name, parents);
            }
        }
        for line in lines(include_str!("../platform/members.txt")) {
            out.parse_member(line);
        }
        out
    }

    fn parse_member(&mut self, line: &'static str) {
        let mut words = line.split(' ');
        let (Some(key), Some(result)) = (words.next(), words.next()) else {
            return;
        };
        let Some((class, name)) = key.split_once('.') else {
            return;
        };
        let mut member = Member {
            result: self.template(result),
            callbacks: Vec::new(),
            outs: Vec::new(),
        };
        for word in words {
            if let Some((at, params)) = word.split_once(':') {
                let params = params.split(',').map(|p| self.template(p)).collect();
                member
                    .callbacks
                    .extend(at.parse().ok().map(|at| (at, params)));
            } else if let Some((at, ty)) = word.split_once('=') {
                let ty = self.template(ty);
                member.outs.extend(at.parse().ok().map(|at| (at, ty)));
            }
        }
        self.members.entry(class).or_default().insert(name, member);
    }

    fn template(&self, text: &str) -> Template {
        if let Some(element) = text.strip_suffix("[]")
            && !element.is_empty()
        {
            return Template::Array(Box::new(self.template(element)));
        }
        let number = |t: &str| t.parse::<usize>().ok();
        if let Some(n) = number(text) {
            return Template::Arg(n);
        }
        let (head, tail) = text.split_at(text.len().min(1));
        match (head, number(tail)) {
            ("G", Some(n)) => return Template::Given(n),
            ("A", Some(n)) => return Template::Of(n),
            ("E", Some(n)) => return Template::Element(n),
            ("R", Some(n)) => return Template::Result(n),
            ("F", Some(n)) => return Template::Flat(n),
            ("W", Some(n)) => return Template::Awaited(n),
            _ => {}
        }
        if text == "this" {
            return Template::This;
        }
        let (name, args) = crate::type_text::name_and_args(text);
        let args = args.into_iter().map(|a| self.template(a)).collect();
        Template::Named(self.external(name), args)
    }

    /// The type with a short name.
    pub(super) fn external(&self, name: &str) -> External {
        let namespaces = self.namespaces_of.get(name);
        // The generic collections are meant, not the older ones.
        let namespace = namespaces.map_or("System", |all| match all[..] {
            ["System.Collections", generic, ..] => generic,
            [first, ..] => first,
            [] => "System",
        });
        External::new(namespace, name)
    }

    /// Whether a namespace has a type.
    pub(super) fn has(&self, namespace: &str, name: &str) -> bool {
        self.namespaces_of
            .get(name)
            .is_some_and(|all| all.contains(&namespace))
    }

    /// Whether the tables have a namespace.
    pub(super) fn is_namespace(&self, name: &str) -> bool {
        self.namespaces.contains(name)
    }

    /// The namespace that has a type with this name, if there is only one.
    pub(super) fn only_namespace_of(&self, name: &str, is_generic: bool) -> Option<&'static str> {
        match self.namespaces_of.get(name)?[..] {
            [one] => Some(one),
            ["System.Collections", "System.Collections.Generic", ..] if is_generic => {
                Some("System.Collections.Generic")
            }
            ["System.Collections", "System.Collections.Generic", ..] => Some("System.Collections"),
            _ => None,
        }
    }

    /// Whether any namespace has a type with this name.
    pub(super) fn has_any(&self, name: &str) -> bool {
        self.namespaces_of.contains_key(name)
    }

    /// The name of a type in the tables.
    fn short_name(&self, external: &External) -> Option<&'static str> {
        let (name, namespaces) = self.namespaces_of.get_key_value(&*external.symbol)?;
        namespaces.contains(&&*external.package).then_some(*name)
    }

    /// Whether a type is in the tables.
    pub(super) fn knows(&self, external: &External) -> bool {
        self.short_name(external).is_some() || is_array(external)
    }

    /// The supertypes of a type, in terms of its type arguments.
    fn parents(&self, external: &External) -> &[Template] {
        let name = if is_array(external) {
            let has_one_dimension = &*external.symbol == "[]";
            Some(if has_one_dimension { "[]" } else { "[,]" })
        } else {
            self.short_name(external)
        };
        name.and_then(|name| self.parents.get(name))
            .map_or(&[], |p| p)
    }

    /// The direct supertypes of an instance.
    pub(super) fn supers(&self, external: &External, args: &[Ty]) -> Vec<Ty> {
        self.parents(external)
            .iter()
            .map(|parent| fill(parent, args))
            .collect()
    }

    /// A member that a type itself declares.
    pub(super) fn own_member(&self, external: &External, name: &str) -> Option<&Member> {
        self.members.get(self.short_name(external)?)?.get(name)
    }

    /// An extension method of sequences.
    pub(super) fn sequence_method(&self, name: &str) -> Option<&Member> {
        self.members.get(LINQ)?.get(&*format!("{name}()"))
    }
}

/// Fills in a template with type arguments only.
pub(super) fn fill(template: &Template, args: &[Ty]) -> Ty {
    match template {
        Template::Arg(n) => args.get(*n).cloned().unwrap_or_default(),
        Template::Named(external, inner) => {
            let inner: Vec<Ty> = inner.iter().map(|t| fill(t, args)).collect();
            Ty::ExternalInstance(external.clone(), inner.into())
        }
        Template::Array(inner) => array(fill(inner, args)),
        _ => Ty::Unknown,
    }
}

/// The type of `System` for which a keyword stands.
pub(super) fn predefined(name: &str) -> Option<&'static str> {
    Some(match name {
        "bool" => "Boolean",
        "byte" => "Byte",
        "sbyte" => "SByte",
        "short" => "Int16",
        "ushort" => "UInt16",
        "int" => "Int32",
        "uint" => "UInt32",
        "long" => "Int64",
        "ulong" => "UInt64",
        "nint" => "IntPtr",
        "nuint" => "UIntPtr",
        "char" => "Char",
        "float" => "Single",
        "double" => "Double",
        "decimal" => "Decimal",
        "string" => "String",
        "object" => "Object",
        "void" => "Void",
        _ => return None,
    })
}

/// Whether a name begins the names of external namespaces, which can be used without a `using`.
pub(super) fn is_root(name: &str) -> bool {
    matches!(name, "System" | "Microsoft" | "Windows")
}

/// Splits an external dotted name into its namespace and the rest. The namespace is the longest known one, or all names but the
/// last.
pub(super) fn split_external(name: &str) -> External {
    let mut cut = name.len();
    loop {
        let head = &name[..cut];
        if TABLES.is_namespace(head) {
            let rest = name.get(cut + 1..).unwrap_or("");
            return External::new(head, rest);
        }
        match head.rfind('.') {
            Some(dot) => cut = dot,
            None => break,
        }
    }
    match name.rsplit_once('.') {
        Some((package, symbol)) => External::new(package, symbol),
        None => External::new(name, ""),
    }
}

/// A name that was resolved name by name (`System` and `IO.Path`), split like [`split_external`].
pub(super) fn normalize(external: &External) -> External {
    if TABLES.knows(external) || !external.symbol.contains('.') || external.package.is_empty() {
        let whole = format!("{}.{}", external.package, external.symbol);
        if !external.symbol.is_empty() && TABLES.is_namespace(&whole) {
            return External::new(&whole, "");
        }
        return external.clone();
    }
    let whole = format!("{}.{}", external.package, external.symbol);
    let split = split_external(&whole);
    if TABLES.is_namespace(&split.package) && split.package.len() > external.package.len() {
        split
    } else {
        external.clone()
    }
}

/// An instance of a type of `System`.
pub(super) fn system(name: &str) -> Ty {
    Ty::external("System", name, Vec::new())
}

/// `T[]`.
pub(super) fn array(element: Ty) -> Ty {
    Ty::external("System", "[]", vec![element])
}

/// Whether a type is an array, of one or several dimensions.
fn is_array(external: &External) -> bool {
    &*external.package == "System" && external.symbol.starts_with('[')
}

/// The element type of an array.
pub(super) fn array_element(ty: &Ty) -> Option<Ty> {
    match ty {
        Ty::ExternalInstance(e, args) if is_array(e) => {
            Some(args.first().cloned().unwrap_or_default())
        }
        _ => None,
    }
}

/// The name of the type of `System` to which a value belongs.
pub(super) fn system_name(ty: &Ty) -> Option<&str> {
    match ty {
        Ty::ExternalInstance(e, _) if &*e.package == "System" => Some(&e.symbol),
        _ => None,
    }
}

/// The type inside a nullable type.
pub(super) fn nullable(ty: &Ty) -> Option<Ty> {
    match ty {
        Ty::ExternalInstance(_, args) if system_name(ty) == Some("Nullable") => {
            Some(args.first().cloned().unwrap_or_default())
        }
        _ => None,
    }
}

/// Whether an external type is a value type.
pub(super) fn is_value_type(external: &External) -> bool {
    let value = Template::Named(External::new("System", "ValueType"), Vec::new());
    TABLES.parents(external).contains(&value)
}

/// Whether no type can inherit from an external type.
pub(super) fn is_sealed(external: &External) -> bool {
    is_value_type(external)
        || is_array(external)
        || matches!(
            (&*external.package, &*external.symbol),
            ("System", "String" | "Uri" | "Version" | "Nullable")
                | ("System.Text", "StringBuilder")
        )
}

/// Parameters and result of a delegate of .NET.
pub(super) fn delegate_shape(external: &External, args: &[Ty]) -> Option<(Vec<Ty>, Ty)> {
    let first = || args.first().cloned().unwrap_or_default();
    if &*external.package == "System.Linq.Expressions" && &*external.symbol == "Expression" {
        return match args.first()? {
            Ty::ExternalInstance(inner, args) => delegate_shape(inner, args),
            _ => None,
        };
    }
    if &*external.package == "System.Threading" {
        return match &*external.symbol {
            "ThreadStart" => Some((Vec::new(), system("Void"))),
            "ParameterizedThreadStart" | "WaitCallback" | "TimerCallback" => {
                Some((vec![system("Object")], system("Void")))
            }
            _ => None,
        };
    }
    if &*external.package != "System" {
        return None;
    }
    Some(match &*external.symbol {
        "Func" => {
            let (result, params) = args.split_last()?;
            (params.to_vec(), result.clone())
        }
        "Action" => (args.to_vec(), system("Void")),
        "Predicate" => (vec![first()], system("Boolean")),
        "Comparison" => (vec![first(), first()], system("Int32")),
        "Converter" => (vec![first()], args.get(1).cloned().unwrap_or_default()),
        "EventHandler" => {
            let event = args.first().cloned();
            let event = event.unwrap_or_else(|| system("EventArgs"));
            (vec![system("Object"), event], system("Void"))
        }
        "AsyncCallback" => (vec![system("IAsyncResult")], system("Void")),
        _ => return None,
    })
}

/// Whether a value of one numeric type is accepted where another is expected; `None` if one of them is not a number.
pub(super) fn is_widening(from: &str, to: &str) -> Option<bool> {
    const NUMBERS: [&str; 12] = [
        "SByte", "Byte", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Char", "Single",
        "Double", "Decimal",
    ];
    if !NUMBERS.contains(&from) || !NUMBERS.contains(&to) {
        return None;
    }
    let wider: &[&str] = match from {
        "SByte" => &["Int16", "Int32", "Int64", "Single", "Double", "Decimal"],
        "Byte" => &[
            "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Single", "Double", "Decimal",
        ],
        "Int16" => &["Int32", "Int64", "Single", "Double", "Decimal"],
        "UInt16" | "Char" => &[
            "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Single", "Double", "Decimal",
        ],
        "Int32" => &["Int64", "Single", "Double", "Decimal"],
        "UInt32" => &["Int64", "UInt64", "Single", "Double", "Decimal"],
        "Int64" | "UInt64" => &["Single", "Double", "Decimal"],
        "Single" => &["Double"],
        _ => &[],
    };
    Some(from == to || wider.contains(&to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_tables_is_read() {
        let count = |text| lines(text).count();
        let members: usize = tables().members.values().map(|m| m.len()).sum();
        assert_eq!(members, count(include_str!("../platform/members.txt")));
        assert_eq!(
            tables().parents.len(),
            count(include_str!("../platform/parents.txt"))
        );
    }

    #[test]
    fn every_type_of_a_member_is_in_the_list() {
        let unknown: Vec<&str> = tables()
            .members
            .keys()
            .filter(|name| **name != LINQ && !tables().namespaces_of.contains_key(**name))
            .copied()
            .collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }

    #[test]
    fn external_names_are_split_at_known_namespaces() {
        assert_eq!(
            split_external("System.IO.Path"),
            External::new("System.IO", "Path")
        );
        assert_eq!(
            normalize(&External::new("System", "IO.Path")),
            External::new("System.IO", "Path")
        );
        assert_eq!(split_external("Moq.Mock"), External::new("Moq", "Mock"));
    }

    #[test]
    fn numbers_widen() {
        assert_eq!(is_widening("Byte", "Int32"), Some(true));
        assert_eq!(is_widening("Int64", "Int32"), Some(false));
        assert_eq!(is_widening("Int32", "String"), None);
    }
}
