//! Types and functions of the standard library, read from tables.

use super::platform::kotlin_type;
use crate::names::lines;
use linker::ty::{External, Ty, no_args};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::LazyLock;

/// Maximum number of supertypes that are searched.
const MAX_SUPERS: usize = 40;

/// A type in the tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Template {
    /// A type argument of the object's type.
    Arg(usize),
    /// An explicit type argument of the call.
    Given(usize),
    /// The type of all arguments.
    All,
    /// The type of an argument.
    Of(usize),
    /// The element of an argument.
    Element(usize),
    /// A part of a pair that is an argument.
    Part(usize),
    /// The element of the object's element.
    Inner,
    /// A part of a pair that is the object's element.
    InnerPart(usize),
    /// The result of the function argument.
    Result,
    /// The element of that result.
    Flat,
    /// A part of a pair that is that result.
    ResultPart(usize),
    /// The object's type.
    This,
    /// A type with type arguments.
    Named(&'static str, Vec<Template>),
}

/// The parameters of a function argument.
#[derive(Debug, Default)]
pub(super) struct Shape {
    pub(super) receiver: Option<Template>,
    pub(super) params: Vec<Template>,
}

/// A property or function.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) result: Template,
    pub(super) lambda: Option<Shape>,
    is_extension: bool,
    is_function: bool,
}

/// The tables, parsed once.
pub(super) struct Tables {
    parents: FxHashMap<&'static str, Vec<Template>>,
    /// Types that need no import.
    default_types: FxHashSet<&'static str>,
    members: FxHashMap<&'static str, FxHashMap<&'static str, Member>>,
    /// Names of functions of some type.
    methods: FxHashSet<&'static str>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(Tables::parse);

/// The tables.
pub(super) fn standard() -> &'static Tables {
    &TABLES
}

impl Tables {
    fn parse() -> Tables {
        let mut out = Tables {
            parents: FxHashMap::default(),
            default_types: FxHashSet::default(),
            members: FxHashMap::default(),
            methods: FxHashSet::default(),
        };
        for line in lines(include_str!("../platform/types.txt")) {
            let Some((name, parents)) = line.split_once(':') else {
                continue;
            };
            let plain = name.trim_start_matches('%');
            if plain == name {
                out.default_types.insert(plain);
            }
            let parents = parents.split_whitespace().filter_map(template);
            out.parents.insert(plain, parents.collect());
        }
        for line in lines(include_str!("../platform/members.txt")) {
            let is_extension = line.starts_with('+');
            let line = line.trim_start_matches('+');
            if let Some((holder, rest)) = line.split_once('.') {
                out.add(holder, rest, None, is_extension);
            }
        }
        for line in lines(include_str!("../platform/elements.txt")) {
            for (holder, made) in [
                ("Iterable", "List"),
                ("Array", "List"),
                ("Sequence", "Sequence"),
            ] {
                out.add(holder, line, Some(made), true);
            }
        }
        out
    }

    fn add(
        &mut self,
        holder: &'static str,
        text: &'static str,
        made: Option<&'static str>,
        is_extension: bool,
    ) {
        let mut parts = text.split_whitespace();
        let (Some(name), Some(result)) = (parts.next(), parts.next()) else {
            return;
        };
        let Some(mut result) = template(result) else {
            return;
        };
        if let (Some(made), Template::Named("this", args)) = (made, &result) {
            result = Template::Named(made, args.clone());
        }
        let plain = name.trim_end_matches("()");
        let is_function = plain != name;
        if is_function && !holder.is_empty() {
            self.methods.insert(plain);
        }
        let member = Member {
            result,
            lambda: parts.next().map(shape),
            is_extension,
            is_function,
        };
        let members = self.members.entry(holder).or_default();
        members.entry(plain).or_insert(member);
    }

    /// Whether a type is in the tables.
    pub(super) fn knows(&self, external: &External) -> bool {
        &*external.package == "kotlin" && self.parents.contains_key(&*external.symbol)
    }

    /// Whether a name is that of a type that is in the tables.
    pub(super) fn type_named(&self, name: &str) -> bool {
        self.parents.contains_key(name)
    }

    /// Whether a type needs no import.
    pub(super) fn is_default_type(&self, name: &str) -> bool {
        self.default_types.contains(name)
    }

    /// Whether a function of this name is called on objects.
    pub(super) fn has_method_named(&self, name: &str) -> bool {
        self.methods.contains(name)
    }

    /// A function that needs no object.
    pub(super) fn function(&self, name: &str) -> Option<&Member> {
        self.members.get("")?.get(name)
    }

    /// A member of a type itself.
    fn own(&self, name: &str, member: &str) -> Option<&Member> {
        self.members.get(name)?.get(member)
    }

    /// Direct supertypes of a type.
    fn supers(&self, ty: &Ty) -> Vec<Ty> {
        let Ty::ExternalInstance(external, _) = ty else {
            return Vec::new();
        };
        let parents = self.parents.get(&*external.symbol);
        let parents = parents.filter(|_| &*external.package == "kotlin");
        let parents = parents.into_iter().flatten();
        parents.map(|parent| filled(parent, ty)).collect()
    }

    /// Finds something in a type or its supertypes, nearest first.
    fn search<'a, T: 'a>(
        &'a self,
        ty: &Ty,
        find: &mut dyn FnMut(&'a Tables, &Ty) -> Option<T>,
    ) -> Option<T> {
        let mut queue = vec![ty.clone()];
        let mut at = 0;
        while at < queue.len() && at < MAX_SUPERS {
            let next = queue[at].clone();
            at += 1;
            if let Some(found) = find(self, &next) {
                return Some(found);
            }
            queue.extend(self.supers(&next));
        }
        None
    }

    /// A type as an instance of a type from which it inherits.
    pub(super) fn as_super(&self, ty: &Ty, wanted: &External) -> Option<Ty> {
        self.search(ty, &mut |_, ty| match ty {
            Ty::ExternalInstance(external, _) if external == wanted => Some(ty.clone()),
            _ => None,
        })
    }

    /// A member of a value of a type, and the supertype that has it.
    fn member(&self, ty: &Ty, name: &str, is_function: bool) -> Option<(&Member, Ty)> {
        let found = self.search(ty, &mut |tables, ty| {
            let Ty::ExternalInstance(external, _) = ty else {
                return None;
            };
            if &*external.package != "kotlin" {
                return None;
            }
            let member = tables.own(&external.symbol, name)?;
            (member.is_function == is_function).then(|| (member, ty.clone()))
        });
        let any = || {
            let member = self.own("Any", name)?;
            (member.is_function == is_function).then(|| (member, ty.clone()))
        };
        found.or_else(any)
    }

    /// A function of a value of a type, and the supertype that has it.
    pub(super) fn method(&self, ty: &Ty, name: &str) -> Option<(&Member, Ty)> {
        self.member(ty, name, true)
    }

    /// The type of a property.
    pub(super) fn property(&self, ty: &Ty, name: &str) -> Option<Ty> {
        let (member, holder) = self.member(&kotlin_type(ty), name, false)?;
        let found = filled(&member.result, &holder);
        (!found.is_unknown()).then_some(found)
    }

    /// Whether a type has a member function of that name that is no extension.
    pub(super) fn is_member(&self, external: &External, name: &str) -> bool {
        let ty = Ty::ExternalInstance(external.clone(), no_args());
        self.method(&ty, name)
            .is_some_and(|(member, _)| !member.is_extension)
    }
}

/// A template that depends on the object's type alone, filled in.
fn filled(template: &Template, object: &Ty) -> Ty {
    match template {
        Template::Arg(n) => object.arg(*n),
        Template::This => object.clone(),
        Template::Named(name, args) => {
            let args = args.iter().map(|arg| filled(arg, object)).collect();
            Ty::external("kotlin", name, args)
        }
        _ => Ty::Unknown,
    }
}

/// Reads a type.
fn template(text: &'static str) -> Option<Template> {
    let (name, args) = match text.split_once('<') {
        Some((name, args)) => (name, args.strip_suffix('>')?),
        None => (text, ""),
    };
    if let Ok(n) = name.parse() {
        return Some(Template::Arg(n));
    }
    let number = |prefix: char| name.strip_prefix(prefix).and_then(|n| n.parse().ok());
    Some(match name {
        "A" => Template::All,
        "R" => Template::Result,
        "F" => Template::Flat,
        "L" => Template::ResultPart(0),
        "M" => Template::ResultPart(1),
        "E" => Template::Inner,
        "K" => Template::InnerPart(0),
        "V" => Template::InnerPart(1),
        "K0" => Template::Part(0),
        "V0" => Template::Part(1),
        "this" if args.is_empty() => Template::This,
        _ => {
            if let Some(n) = number('A') {
                return Some(Template::Of(n));
            }
            if let Some(n) = number('E') {
                return Some(Template::Element(n));
            }
            if let Some(n) = number('G') {
                return Some(Template::Given(n));
            }
            let args = split_list(args).into_iter().filter_map(template);
            Template::Named(name, args.collect())
        }
    })
}

/// Reads the parameters of a function argument.
fn shape(text: &'static str) -> Shape {
    let (receiver, params) = text.split_once('(').unwrap_or((text, ""));
    let params = params.strip_suffix(')').unwrap_or(params);
    let receiver = receiver.strip_prefix('.').and_then(template);
    let params = split_list(params).into_iter().filter_map(template);
    Shape {
        receiver,
        params: params.collect(),
    }
}

/// The parts between the commas that are in no angle brackets.
fn split_list(text: &'static str) -> Vec<&'static str> {
    let mut out = Vec::new();
    let (mut depth, mut from) = (0, 0);
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
    if from < text.len() {
        out.push(&text[from..]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_type_of_a_member_is_in_the_list() {
        let unknown: Vec<&str> = standard()
            .members
            .keys()
            .filter(|name| !name.is_empty() && !standard().type_named(name))
            .copied()
            .collect();
        assert!(unknown.is_empty(), "{unknown:?}");
    }

    #[test]
    fn every_line_of_the_tables_is_read() {
        let count = |text| lines(text).count();
        let members: usize = standard().members.values().map(|m| m.len()).sum();
        let shared = count(include_str!("../platform/elements.txt"));
        let own = count(include_str!("../platform/members.txt"));
        assert!(members + 20 > own + 3 * shared, "{members} {own} {shared}");
        let types = count(include_str!("../platform/types.txt"));
        assert_eq!(standard().parents.len(), types);
    }

    #[test]
    fn elements_pass_through_supertypes() {
        let list = Ty::external("kotlin", "ArrayList", vec![Ty::external("a", "B", vec![])]);
        let (member, holder) = standard().method(&list, "map").expect("a method");
        assert_eq!(
            member.result,
            Template::Named("List", vec![Template::Result])
        );
        assert_eq!(holder.arg(0), Ty::external("a", "B", vec![]));
    }
}
