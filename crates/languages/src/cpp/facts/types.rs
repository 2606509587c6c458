//! Written types: the type before a declarator, and how the declarator changes it.

use super::{constraints, exprs, path_parts};
use crate::c::walk::{self, children, declared, nested_declarators};
use crate::outline::{Walker, child_of_kind};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Maximum number of template arguments that are kept.
const MOST_ARGUMENTS: usize = 64;
/// What stands before a value that is an argument of a template. As all names with a space, it names a built-in type.
const VALUE: &str = "value ";

/// The type before the declarators of a declaration; `None` if it is inferred or missing.
pub(super) fn base(walker: &mut Walker<'_, '_>, declaration: Node<'_>) -> Option<TypeId> {
    let node = declaration.field("type")?;
    let ty = specifier(walker, node)?;
    let is_const = ["const", "constexpr"]
        .iter()
        .any(|word| walk::has_word(walker, declaration, "type_qualifier", word));
    Some(qualified(walker, ty, is_const))
}

/// What a declaration says of a type that is inferred: `const auto& x`. None of `auto x`.
pub(super) fn of_inferred(
    walker: &mut Walker<'_, '_>,
    declaration: Node<'_>,
    declarator: Node<'_>,
) -> Option<TypeId> {
    let is_inferred = |ty: Node<'_>| ty.kind_name() == "placeholder_type_specifier";
    if !declaration.field("type").is_some_and(is_inferred) {
        return None;
    }
    let is_const = walk::has_word(walker, declaration, "type_qualifier", "const");
    let mut all = nested_declarators(declarator);
    let is_reference = all.any(|node| node.kind_name() == "reference_declarator");
    if !is_const && !is_reference {
        return None;
    }
    let unknown = walker.b.add_type(TypeExpr::Unknown);
    let ty = qualified(walker, unknown, is_const);
    Some(if is_reference {
        walker.b.add_type(TypeExpr::Reference(ty))
    } else {
        ty
    })
}

fn qualified(walker: &mut Walker<'_, '_>, ty: TypeId, is_const: bool) -> TypeId {
    if is_const {
        walker.b.add_type(TypeExpr::Optional(ty))
    } else {
        ty
    }
}

/// The type that a declarator makes from the type before it. The declarator of a function gives the type of its result.
pub(super) fn of_declarator(
    walker: &mut Walker<'_, '_>,
    base: TypeId,
    declarator: Option<Node<'_>>,
) -> TypeId {
    let Some(declarator) = declarator else {
        return base;
    };
    let is_function = declared(declarator).is_some_and(|found| found.parameters.is_some());
    let mut ty = base;
    for node in nested_declarators(declarator) {
        match node.kind_name() {
            "pointer_declarator" | "abstract_pointer_declarator" | "pointer_type_declarator" => {
                ty = walker.b.add_type(TypeExpr::Array(ty));
                let is_const = walk::has_word(walker, node, "type_qualifier", "const");
                ty = qualified(walker, ty, is_const);
            }
            "array_declarator" | "abstract_array_declarator" => {
                ty = walker.b.add_type(TypeExpr::Array(ty));
            }
            "reference_declarator" | "abstract_reference_declarator" => {
                ty = walker.b.add_type(TypeExpr::Reference(ty));
                // An rvalue reference is recorded as a reference to a reference.
                if node.child(0).is_some_and(|sign| sign.kind() == "&&") {
                    ty = walker.b.add_type(TypeExpr::Reference(ty));
                }
            }
            "function_declarator" | "abstract_function_declarator" => {
                if is_function {
                    return trailing(walker, node).unwrap_or(ty);
                }
                return walk::function_type(walker, ty);
            }
            _ => {}
        }
    }
    ty
}

/// `-> T` behind the parameters.
fn trailing(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<TypeId> {
    let result = child_of_kind(node, &["trailing_return_type"])?;
    descriptor(walker, result.named_child(0)?)
}

/// The result type that a function writes behind its parameters.
pub(super) fn trailing_result(
    walker: &mut Walker<'_, '_>,
    declarator: Option<Node<'_>>,
) -> Option<TypeId> {
    let mut all = nested_declarators(declarator?);
    let function = all.find(|node| node.kind_name().ends_with("function_declarator"));
    trailing(walker, function?)
}

/// `(T *)`, `<T>`, `-> T`; `None` if the type is inferred.
pub(super) fn descriptor(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<TypeId> {
    let base = base(walker, node)?;
    Some(of_declarator(walker, base, node.field("declarator")))
}

/// A type that is unknown if it was inferred.
pub(super) fn known(walker: &mut Walker<'_, '_>, ty: Option<TypeId>) -> TypeId {
    match ty {
        Some(ty) => ty,
        None => walker.b.add_type(TypeExpr::Unknown),
    }
}

/// `A`, `a::B<C>`, `int`, `struct a`; `None` if the type is inferred.
pub(super) fn specifier(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<TypeId> {
    if !walker.b.enter_level() {
        return None;
    }
    let ty = read(walker, node);
    walker.b.leave_level();
    ty
}

fn read(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<TypeId> {
    match node.kind_name() {
        "type_identifier"
        | "qualified_identifier"
        | "template_type"
        | "namespace_identifier"
        | "identifier"
        | "template_function"
        | "template_method" => path(walker, node),
        "primitive_type" | "sized_type_specifier" => Some(built_in(walker, node)),
        "struct_specifier" | "class_specifier" | "union_specifier" | "enum_specifier" => {
            path(walker, node.field("name")?)
        }
        "dependent_type" => specifier(walker, node.named_child(0)?),
        "type_descriptor" => descriptor(walker, node),
        "decltype" => {
            let inner = node.named_child(0)?;
            let expr = exprs::expr(walker, inner);
            Some(walker.b.add_type(TypeExpr::TypeOf(expr)))
        }
        _ => None,
    }
}

/// A built-in type. Its words are its name.
fn built_in(walker: &mut Walker<'_, '_>, node: Node<'_>) -> TypeId {
    let words: Vec<&str> = walker.b.text(node).split_whitespace().take(4).collect();
    built_in_of_words(walker, node, words)
}

/// The built-in type that words name together.
pub(super) fn built_in_of_words(
    walker: &mut Walker<'_, '_>,
    node: Node<'_>,
    mut words: Vec<&str>,
) -> TypeId {
    if words.len() > 1 {
        let is_char = words.contains(&"char");
        words.retain(|word| *word != "int" && (is_char || *word != "signed"));
        words.sort_unstable();
    }
    let words = words.join(" ");
    named_built_in(walker, node, if words.is_empty() { "int" } else { &words })
}

/// The built-in type with a name.
pub(super) fn named_built_in(walker: &mut Walker<'_, '_>, node: Node<'_>, word: &str) -> TypeId {
    let name = walker.b.intern_owned_name(word);
    walker.b.add_type(TypeExpr::Named {
        path: [name].into(),
        args: Box::default(),
        scope: FILE_SCOPE,
        at: node.start_byte() as u32,
    })
}

/// A type by its name and arguments, without a mention.
pub(super) fn named(walker: &mut Walker<'_, '_>, name: Node<'_>, args: Vec<TypeId>) -> TypeId {
    let path = [walker.b.intern_node_text(name)].into();
    let scope = walker.b.current_scope();
    walker.b.add_type(TypeExpr::Named {
        path,
        args: args.into(),
        scope,
        at: name.start_byte() as u32,
    })
}

/// A type by its path. Arguments of templates that stand before the last name make members of what stands before.
fn path(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<TypeId> {
    let (parts, is_global) = path_parts(node);
    let last = *parts.last()?;
    let ty = of_parts(walker, &parts, is_global)?;
    let name = last.field("name").unwrap_or(last);
    walker.b.add_reference(RefTarget::Type(ty), name);
    Some(ty)
}

/// The type that the parts of a path name.
pub(super) fn of_parts(
    walker: &mut Walker<'_, '_>,
    parts: &[Node<'_>],
    is_global: bool,
) -> Option<TypeId> {
    let scope = walker.b.current_scope();
    let at = parts.first()?.start_byte() as u32;
    let mut names: Vec<NameId> = Vec::new();
    if is_global {
        names.push(walker.b.intern_name("::"));
    }
    let mut before: Option<TypeId> = None;
    // Types inside the templates of the standard library are known by the arguments of the template.
    let is_standard = parts
        .first()
        .is_some_and(|part| walker.b.text(*part) == "std");
    let mut of_standard = Vec::new();
    for part in parts {
        if part.kind_name() == "decltype" {
            before = specifier(walker, *part);
            continue;
        }
        let name = part.field("name").unwrap_or(*part);
        let name = walker.b.intern_node_text(name);
        let arguments = part.field("arguments").map(|list| {
            let is_truth = walker.b.text(part.field("name").unwrap_or(*part)) == "bool_constant";
            if is_truth {
                let text = walker.b.text(list).to_owned();
                let text = text.trim_start_matches('<').trim_end();
                let text = text.strip_suffix('>').unwrap_or(text);
                return vec![constraints::of_text(walker, text, list)];
            }
            arguments(walker, list)
        });
        if let Some(of) = before {
            before = Some(walker.b.add_type(TypeExpr::Projection(of, name)));
            continue;
        }
        names.push(name);
        if let Some(args) = arguments {
            if is_standard {
                of_standard = args;
                continue;
            }
            before = Some(walker.b.add_type(TypeExpr::Named {
                path: std::mem::take(&mut names).into(),
                args: args.into(),
                scope,
                at,
            }));
        }
    }
    match before {
        Some(ty) => Some(ty),
        None => Some(walker.b.add_type(TypeExpr::Named {
            path: names.into(),
            args: of_standard.into(),
            scope,
            at,
        })),
    }
}

/// A small whole number or truth value, as a built-in type of its own: it tells instances of a template apart.
fn value(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<TypeId> {
    let text = walker.b.text(node);
    let digits = match node.kind_name() {
        "true" => "1",
        "false" => "0",
        "number_literal" => text,
        _ => return None,
    };
    let is_small = digits.len() < 10 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_decimal = digits == "0" || !digits.starts_with('0');
    (is_small && is_decimal).then(|| named_built_in(walker, node, &format!("{VALUE}{digits}")))
}

/// The arguments of a template; other values among them are unknown types.
pub(super) fn arguments(walker: &mut Walker<'_, '_>, list: Node<'_>) -> Vec<TypeId> {
    let mut out = Vec::new();
    for argument in children(list) {
        let ty = match argument.kind_name() {
            "type_descriptor" => descriptor(walker, argument),
            "identifier" | "qualified_identifier" => None,
            "number_literal" | "true" | "false" => value(walker, argument),
            _ => {
                exprs::expr(walker, argument);
                None
            }
        };
        if out.len() < MOST_ARGUMENTS {
            let ty = known(walker, ty);
            out.push(ty);
        }
    }
    out
}
