//! Knowledge of the Java platform, read from tables; primitive types and arrays.

use crate::names::lines;
use base::list::{self, WordList};
use linker::ty::{External, Ty};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::LazyLock;

/// A type in the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Template {
    /// The receiver's type argument.
    Arg(usize),
    /// The result type of the function at that argument.
    Result(usize),
    /// The type of an argument.
    Of(usize),
    /// The type of any argument from the first of these on, in steps.
    Each { from: usize, step: usize },
    /// A number whose type depends on those of the arguments.
    Number(Number),
    /// The type of iterating over an argument.
    Element(usize),
    /// The class that an argument of type `Class<T>` denotes.
    ClassOf(usize),
    /// The result of a collector over the receiver's elements.
    Collected(usize),
    /// The receiver's type.
    This,
    /// A class with type arguments.
    Named(External, Vec<Template>),
    /// `T[]`.
    Array(Box<Template>),
}

/// How the type of a number depends on the arguments of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Number {
    /// That of arithmetic on all arguments.
    Promoted,
    /// That of arithmetic on the last argument.
    Last,
    /// `int` for a `float`, `long` for a `double`.
    Rounded,
    /// `double` if there is one among the arguments, else `float`.
    Floating,
    /// `char` for a `char`, else `int`.
    Character,
}

/// A method of the platform.
#[derive(Debug, Default)]
pub(super) struct Method {
    pub(super) result: Option<Template>,
    /// For each function argument, the types of its parameters.
    pub(super) callbacks: Vec<(u32, Vec<Template>)>,
}

/// The tables, parsed once.
pub(super) struct PlatformTables {
    full: FxHashMap<&'static str, &'static str>,
    parents: FxHashMap<&'static str, Vec<&'static str>>,
    methods: FxHashMap<&'static str, FxHashMap<&'static str, Method>>,
    shapes: FxHashMap<&'static str, (Vec<Template>, Template)>,
}

static TABLES: LazyLock<PlatformTables> = LazyLock::new(PlatformTables::parse);

impl PlatformTables {
    fn parse() -> PlatformTables {
        let mut out = PlatformTables {
            full: FxHashMap::default(),
            parents: FxHashMap::default(),
            methods: FxHashMap::default(),
            shapes: FxHashMap::default(),
        };
        let classes = include_str!("../platform/classes.txt");
        for (package, names) in lines(classes).filter_map(|line| line.split_once(": ")) {
            let names = names.split_whitespace();
            out.full.extend(names.map(|name| (name, package)));
        }
        out.full.insert("Map.Entry", "java.util");
        let parents = include_str!("../platform/parents.txt");
        for (child, parents) in lines(parents).filter_map(|line| line.split_once(": ")) {
            out.parents
                .insert(child, parents.split_whitespace().collect());
        }
        for line in lines(include_str!("../platform/methods.txt")) {
            out.parse_method_line(line);
        }
        for line in lines(include_str!("../platform/shapes.txt")) {
            out.parse_shape_line(line);
        }
        out
    }

    fn parse_method_line(&mut self, line: &'static str) {
        let mut words = line.split(' ');
        let key = words.next().and_then(|w| w.rsplit_once('.'));
        let (Some(key), Some(result)) = (key, words.next()) else {
            return;
        };
        let result = Some(self.parse_template(result));
        let callbacks = words
            .filter_map(|w| w.split_once(':'))
            .filter_map(|(at, params)| {
                let params = params.split(',').map(|p| self.parse_template(p)).collect();
                Some((at.parse().ok()?, params))
            })
            .collect();
        let (class, name) = key;
        let method = Method { result, callbacks };
        self.methods.entry(class).or_default().insert(name, method);
    }

    fn parse_shape_line(&mut self, line: &'static str) {
        let mut words = line.split(' ');
        let (Some(name), Some(params), Some(result)) = (words.next(), words.next(), words.next())
        else {
            return;
        };
        let params = match params {
            "-" => Vec::new(),
            _ => params.split(',').map(|p| self.parse_template(p)).collect(),
        };
        let result = self.parse_template(result);
        self.shapes.insert(name, (params, result));
    }

    fn parse_template(&self, text: &str) -> Template {
        if let Some(element) = text.strip_suffix("[]") {
            return Template::Array(Box::new(self.parse_template(element)));
        }
        let number = |t: &str| t.parse::<usize>().ok();
        if let Some(n) = number(text) {
            return Template::Arg(n);
        }
        let (head, tail) = text.split_at(1);
        match (head, number(tail)) {
            ("R", Some(n)) => return Template::Result(n),
            ("A", Some(n)) => return Template::Of(n),
            ("E", Some(n)) => return Template::Element(n),
            ("T", Some(n)) => return Template::ClassOf(n),
            ("C", Some(n)) => return Template::Collected(n),
            ("V", Some(from)) => return Template::Each { from, step: 1 },
            ("W", Some(from)) => return Template::Each { from, step: 2 },
            _ => {}
        }
        match text {
            "promoted" => return Template::Number(Number::Promoted),
            "last" => return Template::Number(Number::Last),
            "rounded" => return Template::Number(Number::Rounded),
            "floating" => return Template::Number(Number::Floating),
            "character" => return Template::Number(Number::Character),
            _ => {}
        }
        if text == "this" {
            return Template::This;
        }
        let (name, args) = crate::type_text::name_and_args(text);
        let args = args.into_iter().map(|a| self.parse_template(a)).collect();
        Template::Named(self.external_by_name(name), args)
    }

    fn external_by_name(&self, name: &str) -> External {
        if is_primitive(name) {
            return External::new("java", name);
        }
        let package = self.full.get(name).copied().unwrap_or("java.lang");
        External::new(package, name)
    }

    /// The short name of a class in the tables.
    fn short_name(&self, external: &External) -> Option<&'static str> {
        let (name, package) = self.full.get_key_value(&*external.symbol)?;
        (*package == &*external.package).then_some(name)
    }

    /// The method of a class or one of its supertypes.
    pub(super) fn find_method(&self, class: &External, name: &str) -> Option<&Method> {
        // An unknown class is at least an object.
        let class = self.short_name(class).unwrap_or("Object");
        let mut stack = vec![class];
        while let Some(next) = stack.pop() {
            if let Some(found) = self.methods.get(next).and_then(|m| m.get(name)) {
                return Some(found);
            }
            if let Some(parents) = self.parents.get(next) {
                stack.extend(parents.iter().rev());
            }
        }
        self.methods.get("Object")?.get(name)
    }

    /// The parameters and result of a functional interface.
    pub(super) fn functional_shape(&self, class: &External) -> Option<&(Vec<Template>, Template)> {
        self.shapes.get(self.short_name(class)?)
    }
}

/// The tables.
pub(super) fn tables() -> &'static PlatformTables {
    &TABLES
}

/// Whether the name is that of a primitive type or `void`.
pub(super) fn is_primitive(name: &str) -> bool {
    matches!(
        name,
        "int" | "long" | "short" | "byte" | "char" | "float" | "double" | "boolean" | "void"
    )
}

/// Whether `java.lang` has a class of that name.
pub(super) fn is_java_lang(name: &str) -> bool {
    TABLES.full.get(name) == Some(&"java.lang")
}

/// Whether a class of that full name is in the tables.
pub(super) fn is_known_class(full: &str) -> bool {
    full.rsplit_once('.')
        .is_some_and(|(package, name)| TABLES.full.get(name) == Some(&package))
}

/// Whether `a` is `b` or inherits from it; `None` if `a` is not in the tables.
pub(super) fn external_inherits(a: &External, b: &External) -> Option<bool> {
    if a == b || is_object(b) {
        return Some(true);
    }
    let class = TABLES.short_name(a)?;
    let mut stack = vec![class];
    while let Some(next) = stack.pop() {
        if TABLES.external_by_name(next) == *b {
            return Some(true);
        }
        if let Some(parents) = TABLES.parents.get(next) {
            stack.extend(parents.iter());
        }
    }
    Some(false)
}

/// Whether it is `java.lang.Object`.
pub(super) fn is_object(external: &External) -> bool {
    &*external.package == "java.lang" && &*external.symbol == "Object"
}

/// Classes of `java.lang` that are final.
static FINAL: WordList =
    LazyLock::new(|| list::words(include_str!("../platform/final.txt")).collect());

/// Whether the class is final.
pub(super) fn is_final(external: &External) -> bool {
    &*external.package == "java.lang" && FINAL.contains(&&*external.symbol)
}

/// The type of a constant of the platform, or of an array's length; unknown for others.
pub(super) fn constant_type(external: &External) -> Ty {
    let (class, name) = external.symbol.rsplit_once('.').unwrap_or(("", ""));
    match (&*external.package, class, name) {
        ("java", "[]", "length") | ("java.sql", "Types", _) => primitive("int"),
        ("java.lang", "Boolean", "TRUE" | "FALSE") => java_lang_type("Boolean"),
        ("java.lang", class, "MAX_VALUE" | "MIN_VALUE" | "SIZE" | "BYTES") => {
            box_or_unbox(class).map(primitive).unwrap_or_default()
        }
        ("java.lang", class, "NaN" | "POSITIVE_INFINITY" | "NEGATIVE_INFINITY") => {
            box_or_unbox(class).map(primitive).unwrap_or_default()
        }
        ("java.lang", "Math", _) => primitive("double"),
        ("java.lang", "System", "out" | "err") => {
            Ty::external("java.io", "PrintStream", Vec::new())
        }
        ("java.lang", _, "TYPE") => java_lang_type("Class"),
        ("java.math", "BigInteger" | "BigDecimal", "ZERO" | "ONE" | "TEN" | "TWO") => {
            Ty::external("java.math", class, Vec::new())
        }
        ("java.nio.charset", "StandardCharsets", _) => {
            Ty::external("java.nio.charset", "Charset", Vec::new())
        }
        ("java.util", "Locale", name) if name.chars().all(|c| c.is_uppercase() || c == '_') => {
            Ty::external("java.util", "Locale", Vec::new())
        }
        ("java.util.concurrent", "TimeUnit", name) if name.chars().all(char::is_uppercase) => {
            Ty::external("java.util.concurrent", "TimeUnit", Vec::new())
        }
        ("java.time", "ZoneOffset", "UTC") => Ty::external("java.time", "ZoneOffset", Vec::new()),
        ("java.time", "Duration", "ZERO") => Ty::external("java.time", "Duration", Vec::new()),
        _ => Ty::Unknown,
    }
}

/// Methods that every object has.
pub(super) fn is_object_method(name: &str) -> bool {
    matches!(
        name,
        "getClass"
            | "hashCode"
            | "equals"
            | "toString"
            | "clone"
            | "notify"
            | "notifyAll"
            | "wait"
            | "finalize"
    )
}

/// An instance of a class of `java.lang`.
pub(super) fn java_lang_type(name: &str) -> Ty {
    Ty::external("java.lang", name, Vec::new())
}

/// A primitive type.
pub(super) fn primitive(name: &str) -> Ty {
    Ty::external("java", name, Vec::new())
}

/// The name of a primitive type.
pub(super) fn as_primitive(ty: &Ty) -> Option<&str> {
    match ty {
        Ty::ExternalInstance(e, _) if &*e.package == "java" && is_primitive(&e.symbol) => {
            Some(&e.symbol)
        }
        _ => None,
    }
}

/// `T[]`.
pub(super) fn array_type(element: Ty) -> Ty {
    Ty::external("java", "[]", vec![element])
}

/// The element type of an array.
pub(super) fn array_element(ty: &Ty) -> Option<Ty> {
    match ty {
        Ty::ExternalInstance(e, args) if &*e.package == "java" && &*e.symbol == "[]" => {
            Some(args.first().cloned().unwrap_or_default())
        }
        _ => None,
    }
}

/// The primitive that a wrapper class holds, or the wrapper of a primitive.
pub(super) fn box_or_unbox(name: &str) -> Option<&'static str> {
    Some(match name {
        "int" => "Integer",
        "long" => "Long",
        "short" => "Short",
        "byte" => "Byte",
        "char" => "Character",
        "float" => "Float",
        "double" => "Double",
        "boolean" => "Boolean",
        "Integer" => "int",
        "Long" => "long",
        "Short" => "short",
        "Byte" => "byte",
        "Character" => "char",
        "Float" => "float",
        "Double" => "double",
        "Boolean" => "boolean",
        _ => return None,
    })
}

/// Whether a value of one primitive type is accepted in place of another.
pub(super) fn is_widening(from: &str, to: &str) -> bool {
    let rank = |name: &str| match name {
        "byte" => 1,
        "short" => 2,
        "int" => 3,
        "long" => 4,
        "float" => 5,
        "double" => 6,
        _ => 0,
    };
    if from == to {
        return true;
    }
    match (from, to) {
        ("char", to) => rank(to) >= 3,
        (from, to) => rank(from) > 0 && rank(to) > rank(from),
    }
}

/// `java.lang.Object`, the class of values without a known class.
pub(super) fn object_member(name: &str) -> External {
    External {
        package: "java.lang".into(),
        symbol: Arc::from(format!("Object.{name}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_inherited_in_the_tables() {
        let list = External::new("java.util", "ArrayList");
        let stream = tables()
            .find_method(&list, "stream")
            .and_then(|m| m.result.clone());
        let expected = External::new("java.util.stream", "Stream");
        assert_eq!(
            stream,
            Some(Template::Named(expected, vec![Template::Arg(0)]))
        );
        let entries = tables().find_method(&External::new("java.util", "HashMap"), "entrySet");
        let Some(Template::Named(set, args)) = entries.and_then(|m| m.result.clone()) else {
            panic!("no result");
        };
        assert_eq!(set, External::new("java.util", "Set"));
        let entry = External::new("java.util", "Map.Entry");
        assert_eq!(
            args,
            [Template::Named(
                entry,
                vec![Template::Arg(0), Template::Arg(1)]
            )]
        );
    }

    #[test]
    fn every_line_of_the_tables_is_read() {
        let methods: usize = tables().methods.values().map(|m| m.len()).sum();
        let count = |text| lines(text).count();
        assert_eq!(methods, count(include_str!("../platform/methods.txt")));
        assert_eq!(
            tables().shapes.len(),
            count(include_str!("../platform/shapes.txt"))
        );
        assert_eq!(
            tables().parents.len(),
            count(include_str!("../platform/parents.txt"))
        );
    }

    #[test]
    fn primitives_widen() {
        assert!(
            is_widening("char", "int")
                && is_widening("byte", "double")
                && is_widening("int", "long")
        );
        assert!(
            !is_widening("long", "int")
                && !is_widening("boolean", "int")
                && !is_widening("byte", "char")
        );
    }
}
