//! Functions: those with a body, those that are only declared, and friends of a class.

use super::{calls, statements, templates, types};
use crate::c::walk::{self, Declared, children, declared};
use crate::c::{call_of_macro, is_entry};
use crate::outline::{FoundDefinition, Walker, child_of_kind};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// A function with a body, or one that says `= default`.
pub(super) fn function(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    define(walker, node, false)
}

/// `friend void f(A& a) { … }`. The function belongs to the namespace around the class, not to the class.
pub(super) fn friend(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    for inner in children(node) {
        match inner.kind_name() {
            "function_definition" => {
                define(walker, inner, true);
            }
            "declaration" => {
                let declarator = inner.field("declarator");
                let found = declarator.and_then(declared);
                if let Some((found, parameters)) =
                    found.and_then(|found| found.parameters.map(|list| (found, list)))
                {
                    prototype(walker, inner, &found, parameters, true);
                }
            }
            _ => {
                types::specifier(walker, inner);
            }
        }
    }
    true
}

fn define(walker: &mut Walker<'_, '_>, node: Node<'_>, is_friend: bool) -> bool {
    let Some(found) = node.field("declarator").and_then(declared) else {
        return false;
    };
    let word = walker.b.text(found.name);
    if walk::is_keyword(word) {
        return false;
    }
    if walker.is_local() {
        // Code behind something that the grammar cannot read.
        if let Some(body) = node.field("body") {
            statements::visit(walker, body);
        }
        return true;
    }
    let Some(parameters) = found.parameters else {
        return function_of_macro(walker, node, &found)
            || walk::type_behind_macro(walker, node, &found);
    };
    match walk::made_by_macro(walker, node, word, parameters) {
        Some((owner, name)) => {
            call_of_macro(walker, found.name, word);
            let mut made = FoundDefinition::new(node, name, SymbolKind::Function);
            made.receiver = Some(owner).filter(|owner| !owner.is_empty());
            made.flags.set(DefFlags::TEST);
            made.body = node.field("body");
            add(walker, made, None, false);
        }
        None => define_found(walker, node, &found, parameters, is_friend),
    }
    true
}

fn define_found(
    walker: &mut Walker<'_, '_>,
    node: Node<'_>,
    found: &Declared<'_>,
    parameters: Node<'_>,
    is_friend: bool,
) {
    let word = walker.b.text(found.name);
    let scopes = walk::scope_texts(walker, found);
    let receiver = scopes.join(".");
    let kind = if is_friend {
        SymbolKind::Function
    } else {
        walk::callable_kind(walker, word, &scopes)
    };
    let name = walk::shown_name(walker, found.name);
    let mut made = FoundDefinition::new(node, found.name, kind);
    made.name = name.as_deref();
    made.receiver = Some(&*receiver).filter(|text| !text.is_empty());
    made.parameters = vec![parameters];
    made.body = node.field("body");
    made.flags = flags(walker, node);
    if templates::is_specialised(walker, found) {
        made.flags.set(DefFlags::SPECIAL);
    }
    if scopes.is_empty() && is_entry(word) {
        made.flags.set(DefFlags::ENTRY);
    }
    if !scopes.is_empty() {
        // The header may say otherwise, but the facts of this file do not depend on it.
        made.visibility = Some(Visibility::Public);
    } else if is_static_function(walker, node) {
        made.visibility = Some(Visibility::Private);
    }
    add(walker, made, Some(parameters), is_friend);
}

/// Defines the function that a macro with a body stands for: `START_TEST(name) {`.
fn function_of_macro(walker: &mut Walker<'_, '_>, node: Node<'_>, found: &Declared<'_>) -> bool {
    let Some(made) = walk::found_of_macro(walker, node, found) else {
        return false;
    };
    if let Some(called) = node.field("type") {
        let text = walker.b.text(called);
        call_of_macro(walker, called, text);
    }
    add(walker, made, None, false);
    true
}

/// A function without a body. Its definition is elsewhere.
pub(super) fn prototype(
    walker: &mut Walker<'_, '_>,
    node: Node<'_>,
    found: &Declared<'_>,
    parameters: Node<'_>,
    is_friend: bool,
) {
    if !found.scopes.is_empty() {
        templates::take(walker);
        return;
    }
    let word = walker.b.text(found.name);
    let kind = if is_friend {
        SymbolKind::Function
    } else {
        walk::callable_kind(walker, word, &[])
    };
    let names_itself = kind == SymbolKind::Constructor
        || !matches!(found.name.kind_name(), "identifier" | "field_identifier");
    if node.field("type").is_none() && !names_itself {
        // `MACRO(a, b);` is a call of a macro, not a declaration.
        call_of_macro(walker, found.name, word);
        return;
    }
    let name = walk::shown_name(walker, found.name);
    let mut made = FoundDefinition::new(node, found.name, kind);
    made.name = name.as_deref();
    made.flags = flags(walker, node);
    if templates::is_specialised(walker, found) {
        made.flags.set(DefFlags::SPECIAL);
    }
    made.flags.set(if is_pure(walker, node) {
        DefFlags::ABSTRACT
    } else {
        DefFlags::DECLARATION_ONLY
    });
    made.parameters = vec![parameters];
    if is_static_function(walker, node) {
        made.visibility = Some(Visibility::Private);
    }
    add(walker, made, Some(parameters), is_friend);
}

/// Whether a function is `static` outside of a class, so that no other file sees it.
fn is_static_function(walker: &Walker<'_, '_>, node: Node<'_>) -> bool {
    !walker.is_member() && walk::has_word(walker, node, "storage_class_specifier", "static")
}

/// Whether a declaration ends with `= 0`.
fn is_pure(walker: &Walker<'_, '_>, node: Node<'_>) -> bool {
    let given = node.field("default_value");
    given.is_some_and(|given| walker.b.text(given) == "0")
        || child_of_kind(node, &["pure_virtual_clause"]).is_some()
}

/// The flags that the words before and after a function's declarator give.
fn flags(walker: &Walker<'_, '_>, node: Node<'_>) -> DefFlags {
    let mut flags = DefFlags::default();
    if child_of_kind(node, &["virtual"]).is_some() {
        flags.set(DefFlags::VIRTUAL);
    }
    let Some(declarator) = function_declarator(node) else {
        return flags;
    };
    for child in children(declarator) {
        match (child.kind_name(), walker.b.text(child)) {
            ("type_qualifier", "const") => flags.set(DefFlags::BY_REFERENCE),
            ("ref_qualifier", "&") => flags.set(DefFlags::ON_PLACE),
            ("ref_qualifier", "&&") => flags.set(DefFlags::ON_GIVEN),
            ("virtual_specifier", "override") => {
                flags.set(DefFlags::OVERRIDES);
                flags.set(DefFlags::VIRTUAL);
            }
            _ => {}
        }
    }
    flags
}

fn function_declarator(node: Node<'_>) -> Option<Node<'_>> {
    let mut all = walk::nested_declarators(node.field("declarator")?);
    all.find(|node| node.kind_name().ends_with("function_declarator"))
}

/// Adds a function, and reads its signature and body.
fn add(
    walker: &mut Walker<'_, '_>,
    made: FoundDefinition<'_, '_>,
    parameters: Option<Node<'_>>,
    is_friend: bool,
) {
    let (node, body) = (made.node, made.body);
    let declarator = function_declarator(node);
    if let Some(clause) = declarator.and_then(|d| child_of_kind(d, &["requires_clause"])) {
        templates::constrain(walker, clause);
    }
    let params = templates::take(walker);
    let def = walker.declare(&made);
    if is_friend {
        let around = namespace_around(walker);
        walker.b.def_mut(def).parent = around;
    }
    let (wrapper, section) = (walker.wrapper.take(), walker.section.take());
    walker.b.open_def(def, ScopeKind::Function);
    templates::bind(walker, def, params);
    read_signature(walker, def, node, parameters);
    if let Some(list) = child_of_kind(node, &["field_initializer_list"]) {
        calls::member_initializers(walker, list);
    }
    if let Some(body) = body {
        statements::visit(walker, body);
    }
    walker.b.close_def();
    (walker.wrapper, walker.section) = (wrapper, section);
}

/// The innermost namespace around the current position.
fn namespace_around(walker: &Walker<'_, '_>) -> Option<DefId> {
    let mut next = walker.b.current_owner();
    while let Some(id) = next {
        let def = walker.b.facts().def(id);
        if def.kind == SymbolKind::Namespace {
            return Some(id);
        }
        next = def.parent;
    }
    None
}

/// Records the types of a function's parameters and result, and binds the parameters.
fn read_signature(
    walker: &mut Walker<'_, '_>,
    def: DefId,
    node: Node<'_>,
    parameters: Option<Node<'_>>,
) {
    let ret = result(walker, node).filter(|_| parameters.is_some());
    let mut params = Vec::new();
    for node in parameters.map(children).unwrap_or_default() {
        params.extend(parameter(walker, node));
    }
    if parameters.is_some_and(|list| child_of_kind(list, &["..."]).is_some()) {
        let name = walker.b.intern_name("_");
        params.push(Param {
            name,
            ty: None,
            default: None,
            kind: ParamKind::Variadic,
        });
    }
    for (at, param) in params.iter().enumerate() {
        if walker.b.facts().name(param.name) != "_" {
            // A parameter pack holds values of several types.
            let to = match param.kind {
                ParamKind::Variadic => Bound::Local {
                    ty: None,
                    value: None,
                },
                _ => Bound::Param(def, at as u32),
            };
            walker.b.bind(param.name, Namespace::VALUE, to);
        }
    }
    let made = walker.b.def_mut(def);
    let receiver = made.callable.take().and_then(|callable| callable.receiver);
    made.callable = Some(Box::new(Callable {
        params,
        ret,
        receiver,
        ..Callable::default()
    }));
}

fn result(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<TypeId> {
    let declarator = node.field("declarator");
    if let Some(base) = types::base(walker, node) {
        return Some(types::of_declarator(walker, base, declarator));
    }
    if let Some(cast) = declarator.filter(|d| d.kind_name() == "operator_cast") {
        return types::base(walker, cast);
    }
    types::trailing_result(walker, declarator)
}

/// A parameter with its type; `None` for `(void)`.
pub(super) fn parameter(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<Param> {
    let kind = match node.kind_name() {
        "parameter_declaration" => ParamKind::Plain,
        "optional_parameter_declaration" => ParamKind::Optional,
        "variadic_parameter_declaration" => ParamKind::Variadic,
        _ => return None,
    };
    let declarator = node.field("declarator");
    let base = types::base(walker, node);
    let is_void = |ty: Node<'_>| walker.b.text(ty) == "void";
    if declarator.is_none() && node.field("type").is_some_and(is_void) {
        return None;
    }
    let ty = base.map(|base| types::of_declarator(walker, base, declarator));
    let name = declarator
        .and_then(declared)
        .map(|found| walker.b.text(found.name))
        .filter(|text| text.contains(char::is_alphanumeric));
    let name = walker.b.intern_name(name.unwrap_or("_"));
    if let Some(value) = node.field("default_value") {
        statements::visit(walker, value);
    }
    Some(Param {
        name,
        ty,
        default: None,
        kind,
    })
}
