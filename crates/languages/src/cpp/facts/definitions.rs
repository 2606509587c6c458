//! Definitions outside of functions, except functions and types: variables, fields, aliases, namespaces, `using`.

use super::{bring, calls, classes, exprs, functions, path_parts, statements, templates, types};
use crate::c::macro_definition;
use crate::c::walk::{self, Declared, children, declarators, declared};
use crate::outline::{FoundDefinition, Walker, child_of_kind};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Maximum number of bytes of a macro's body in which namespaces are searched for.
const MOST_OF_MACRO: usize = 512;

/// Variables, fields, prototypes.
pub(super) fn declaration(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    if walker.is_local() {
        statements::visit(walker, node);
        return true;
    }
    let declarators = declarators(node);
    let is_named = declarators.first().copied().and_then(declared).is_some();
    // Inner definitions have their own documentation, or that of the whole declaration.
    let mut inside = walk::anonymous_type(node).filter(|_| is_named);
    let is_whole = inside.is_some();
    let is_extern = walk::is_extern(walker, node);
    let mut base = None;
    for declarator in declarators {
        let Some(found) = declared(declarator) else {
            continue;
        };
        let word = walker.b.text(found.name);
        if word.is_empty() || walk::is_keyword(word) {
            continue;
        }
        if let Some(parameters) = found.parameters {
            functions::prototype(walker, node, &found, parameters, false);
            continue;
        }
        let is_elsewhere = is_extern && declarator.kind_name() != "init_declarator";
        if is_elsewhere && walker.owner_kind().is_none() {
            walk::declared_elsewhere(walker, found.name);
            continue;
        }
        let def = found
            .scopes
            .is_empty()
            .then(|| variable(walker, node, &found));
        if let Some(def) = def.filter(|_| is_elsewhere) {
            walker.b.def_mut(def).flags.set(DefFlags::DECLARATION_ONLY);
        }
        if let (Some(def), Some(body)) = (def, inside.take()) {
            base = Some(walker.b.add_type(TypeExpr::Anonymous(def)));
            if let Some(body) = body.field("body") {
                classes::read_members(walker, def, body);
            }
        }
        if base.is_none() {
            base = types::base(walker, node);
        }
        let ty = base.map(|base| types::of_declarator(walker, base, Some(declarator)));
        initializer(walker, node, declarator, def, ty);
    }
    templates::take(walker);
    if !is_whole && let Some(ty) = walk::type_with_body(node) {
        walker.visit(ty);
    }
    true
}

fn variable(walker: &mut Walker<'_, '_>, node: Node<'_>, found: &Declared<'_>) -> DefId {
    let has = |kind, word| walk::has_word(walker, node, kind, word);
    let is_const = has("type_qualifier", "const") || has("type_qualifier", "constexpr");
    let kind = match (walker.is_member(), is_const) {
        (true, _) => SymbolKind::Field,
        (false, true) => SymbolKind::Constant,
        (false, false) => SymbolKind::Variable,
    };
    let mut made = FoundDefinition::new(node, found.name, kind);
    if kind != SymbolKind::Field && has("storage_class_specifier", "static") {
        made.visibility = Some(Visibility::Private);
    }
    walker.declare(&made)
}

/// Reads the initialiser of a variable or field.
fn initializer(
    walker: &mut Walker<'_, '_>,
    node: Node<'_>,
    declarator: Node<'_>,
    def: Option<DefId>,
    ty: Option<TypeId>,
) {
    if let Some(def) = def {
        walker.b.def_mut(def).ty = ty;
        walker.b.open_owner(def);
    }
    let given = declarator
        .field("value")
        .or_else(|| node.field("default_value"));
    let value = given.and_then(|given| calls::initial_value(walker, node, given, ty));
    if let Some(def) = def {
        walker.b.close_owner();
        if ty.is_none() {
            walker.b.def_mut(def).value = value;
        }
    }
}

/// `typedef struct { … } a;` defines the struct `a`. Any other defines names for types.
pub(super) fn type_definition(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    let mut first = walk::anonymous_type(node);
    let is_anonymous = first.is_some();
    let mut base = None;
    for (at, declarator) in declarators(node).into_iter().enumerate() {
        let Some(found) = declared(declarator) else {
            continue;
        };
        if walker.b.text(found.name).is_empty() {
            continue;
        }
        let kind = first.map_or(SymbolKind::TypeAlias, walk::kind_of_type);
        let whole = if at == 0 { node } else { found.name };
        let def = walker.declare(&FoundDefinition::new(whole, found.name, kind));
        walk::bind_local_type(walker, def, Namespace::BOTH);
        if let Some(body) = first.take().and_then(|ty| ty.field("body")) {
            base = Some(walker.b.add_type(TypeExpr::Anonymous(def)));
            classes::read_members(walker, def, body);
            continue;
        }
        if base.is_none() {
            base = types::base(walker, node);
        }
        if let Some(base) = base {
            let ty = if found.parameters.is_some() {
                walk::function_type(walker, base)
            } else {
                types::of_declarator(walker, base, Some(declarator))
            };
            walker.b.def_mut(def).ty = Some(ty);
        }
    }
    if !is_anonymous && let Some(ty) = walk::type_with_body(node) {
        walker.visit(ty);
    }
    true
}

/// `using A = B;`
pub(super) fn alias(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    let params = templates::take(walker);
    let Some(name) = node.field("name") else {
        return true;
    };
    if walker.b.text(name).is_empty() {
        return true;
    }
    let def = walker.declare(&FoundDefinition::new(node, name, SymbolKind::TypeAlias));
    walk::bind_local_type(walker, def, Namespace::BOTH);
    walker.b.open_scope(ScopeKind::Block, None);
    templates::bind(walker, def, params);
    if let Some(ty) = node.field("type") {
        let ty = types::descriptor(walker, ty);
        let ty = types::known(walker, ty);
        walker.b.def_mut(def).ty = Some(ty);
    }
    walker.b.close_scope();
    true
}

/// `namespace a::b {` defines two namespaces, one within the other. The members of an unnamed namespace belong to the namespace
/// around it, and no other file sees them.
pub(super) fn namespace(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    let Some(body) = node.field("body") else {
        return false;
    };
    let Some(name) = node.field("name") else {
        unnamed(walker, node, body);
        return true;
    };
    let mut names = Vec::new();
    let mut rest = Some(name);
    for _ in 0..walk::MOST_STEPS {
        let Some(part) = rest else { break };
        if part.kind_name() != "nested_namespace_specifier" {
            names.push(part);
            break;
        }
        names.extend(part.named_child(0));
        rest = part.named_child(1);
    }
    names.retain(|name| !walker.b.text(*name).is_empty());
    let is_inline = child_of_kind(node, &["inline"]).is_some();
    let section = walker.section.take();
    for (at, name) in names.iter().enumerate() {
        let mut found = FoundDefinition::new(node, *name, SymbolKind::Namespace);
        if is_inline && at + 1 == names.len() {
            found.flags.set(DefFlags::SPECIAL);
        }
        let def = walker.declare(&found);
        walker.b.open_def(def, ScopeKind::Module);
    }
    walker.section = section;
    walker.children(body);
    for _ in &names {
        walker.b.close_def();
    }
    true
}

/// A namespace without a name, or one that a macro opens. In the second case the macro decides which namespace it is.
fn unnamed(walker: &mut Walker<'_, '_>, node: Node<'_>, body: Node<'_>) {
    let rest = walker.b.source.get(node.start_byte()..).unwrap_or("");
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let word = &rest[..end.unwrap_or(rest.len())];
    if !word.contains("NAMESPACE") {
        let section = walker.section.replace(Visibility::Private);
        walker.children(body);
        walker.section = section;
        return;
    }
    let name = walker.b.intern_name(word);
    let def = walker.b.add_def(name, SymbolKind::Namespace, node, node);
    walker.b.def_mut(def).flags.set(DefFlags::ANONYMOUS);
    walker.b.open_def(def, ScopeKind::Module);
    walker.children(body);
    walker.b.close_def();
}

/// Reads a macro and the namespaces that it opens. Inline namespaces are left out, since their members belong to the namespace
/// around them.
pub(super) fn macro_of_file(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    let count = walker.b.facts().defs.len();
    macro_definition(walker, node);
    let Some(value) = node.field("value").map(|value| walker.b.text(value)) else {
        return true;
    };
    if walker.b.facts().defs.len() == count || !value.trim_start().contains("namespace") {
        return true;
    }
    let value = syntax::builder::head(value, MOST_OF_MACRO);
    let mut words = value.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    let mut path = None;
    let mut before = "";
    while let Some(word) = words.next() {
        if word.is_empty() {
            continue;
        }
        if word == "namespace" && before != "inline" {
            let named = words.find(|word| !word.is_empty()).unwrap_or_default();
            let name = walker.b.intern_name(named);
            path = Some(match path {
                None => walker.b.add_expr(Expr::Name {
                    name,
                    scope: FILE_SCOPE,
                    at: 0,
                }),
                Some(object) => walker.b.add_expr(Expr::Scoped { object, name }),
            });
        }
        before = word;
    }
    let made = walker.b.def_mut(DefId(count as u32));
    made.value = path;
    made.flags.set(DefFlags::ALIAS);
    true
}

/// `namespace a = b::c;`
pub(super) fn namespace_alias(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    let Some(name) = node.field("name") else {
        return true;
    };
    let mut path = None;
    let mut rest: Vec<Node<'_>> = children(node).into_iter().filter(|n| *n != name).collect();
    for _ in 0..walk::MOST_STEPS {
        let Some(part) = rest.pop() else { break };
        if part.kind_name() == "nested_namespace_specifier" {
            rest.extend(children(part).into_iter().rev());
            continue;
        }
        path = Some(match path {
            None => walker.b.add_name_expr(part),
            Some(object) => {
                let name = walker.b.intern_node_text(part);
                walker.b.add_expr(Expr::Scoped { object, name })
            }
        });
    }
    let name_id = walker.b.intern_node_text(name);
    if let Some(path) = path {
        bring_name(walker, name_id, path, name);
    }
    true
}

/// `using a::b;`, `using namespace a;`
pub(super) fn using(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    let is_namespace = child_of_kind(node, &["namespace"]).is_some();
    for named in children(node) {
        let (parts, is_global) = path_parts(named);
        let Some(last) = parts.last().copied() else {
            continue;
        };
        let Some((what, at)) = exprs::path(walker, &parts, is_global) else {
            continue;
        };
        if is_namespace {
            bring(walker, None, what, at);
            continue;
        }
        let name = walk::shown_name(walker, last);
        let name = match name {
            Some(name) => walker.b.intern_owned_name(&name),
            None => walker
                .b
                .intern_node_text(last.field("name").unwrap_or(last)),
        };
        bring_name(walker, name, what, at);
    }
    true
}

/// Binds a name that stands for another one, in this scope or for a whole namespace or class.
fn bring_name(walker: &mut Walker<'_, '_>, name: NameId, what: ExprId, at: Node<'_>) {
    if walker.is_local() {
        let to = Bound::Local {
            ty: None,
            value: Some(what),
        };
        walker.b.bind(name, Namespace::BOTH, to);
    } else {
        bring(walker, Some(name), what, at);
    }
}
