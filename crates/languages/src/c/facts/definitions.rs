//! Definitions of a file: functions and prototypes, types with their members, variables.

use super::super::walk::{self, Declared, children, declarators, declared};
use super::{initializers, macros, statements, types};
use crate::outline::{FoundDefinition, Walker};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Functions that a system or a test driver calls by name.
const ENTRIES: [&str; 6] = [
    "main",
    "wmain",
    "WinMain",
    "DllMain",
    "LLVMFuzzerTestOneInput",
    "LLVMFuzzerInitialize",
];

/// Whether a system or a test driver calls a function of that name.
pub(crate) fn is_entry(name: &str) -> bool {
    ENTRIES.contains(&name)
}

/// A function with a body.
pub(super) fn function(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    let declarator = node.field("declarator");
    let Some(found) = declarator.and_then(declared) else {
        return false;
    };
    let word = walker.b.text(found.name);
    if walk::is_keyword(word) {
        return false;
    }
    if walker.is_local() {
        // Code that the grammar cannot read precedes it, or it is a function inside a function.
        if let Some(body) = node.field("body") {
            statements::visit(walker, body);
        }
        return true;
    }
    let Some(parameters) = found.parameters else {
        return function_of_macro(walker, node, &found)
            || walk::type_behind_macro(walker, node, &found);
    };
    let mut made = FoundDefinition::new(node, found.name, SymbolKind::Function);
    made.body = node.field("body");
    match walk::made_by_macro(walker, node, word, parameters) {
        Some((owner, name)) => {
            macros::call_of(walker, found.name, word);
            made.at = name;
            made.receiver = Some(owner).filter(|owner| !owner.is_empty());
            made.flags.set(DefFlags::TEST);
            define_function(walker, made, None);
        }
        None => {
            if is_entry(word) || runs_at_start(walker, node) {
                made.flags.set(DefFlags::ENTRY);
            }
            made.parameters = vec![parameters];
            define_function(walker, made, Some(parameters));
        }
    }
    true
}

/// A definition by a macro with a body: `START_TEST(name) {`.
fn function_of_macro(walker: &mut Walker<'_, '_>, node: Node<'_>, found: &Declared<'_>) -> bool {
    match walk::found_of_macro(walker, node, found) {
        Some(mut made) => {
            if let Some(called) = node.field("type") {
                let text = walker.b.text(called);
                macros::call_of(walker, called, text);
                // `DEFINE_HANDLER(name) {`
                if !text.contains(|c: char| c.is_ascii_lowercase()) {
                    made.at = found.name;
                }
            }
            define_function(walker, made, None);
            true
        }
        None => false,
    }
}

/// `__attribute__((constructor))`.
fn runs_at_start(walker: &Walker<'_, '_>, node: Node<'_>) -> bool {
    children(node).into_iter().any(|child| {
        let text = walker.b.text(child);
        child.kind_name() == "attribute_specifier"
            && (text.contains("constructor") || text.contains("destructor"))
    })
}

/// Adds a function, and reads its body.
fn define_function(
    walker: &mut Walker<'_, '_>,
    made: FoundDefinition<'_, '_>,
    parameters: Option<Node<'_>>,
) {
    let (node, body) = (made.node, made.body);
    let def = walker.declare(&made);
    let names = read_signature(walker, def, node, parameters);
    walker.b.open_def(def, ScopeKind::Function);
    for (at, name) in names.iter().enumerate() {
        walker
            .b
            .bind(*name, Namespace::VALUE, Bound::Param(def, at as u32));
    }
    for child in children(node) {
        if child.kind_name() == "declaration" {
            old_parameters(walker, def, &names, child);
        }
    }
    if let Some(body) = body {
        statements::visit(walker, body);
    }
    walker.b.close_def();
}

/// Records the types of a function's parameters and result; returns the names of the parameters.
fn read_signature(
    walker: &mut Walker<'_, '_>,
    def: DefId,
    node: Node<'_>,
    parameters: Option<Node<'_>>,
) -> Vec<NameId> {
    walker.b.open_owner(def);
    let ret = types::written_type(walker, node, None);
    let mut params = Vec::new();
    for parameter in parameters.map(children).unwrap_or_default() {
        params.extend(self::parameter(walker, parameter));
    }
    walker.b.close_owner();
    let names = params.iter().map(|param| param.name).collect();
    let made = walker.b.def_mut(def);
    made.callable = Some(Box::new(Callable {
        params,
        ret,
        receiver: made.callable.take().and_then(|callable| callable.receiver),
        ..Callable::default()
    }));
    names
}

/// A parameter with its type; `None` if it has no name.
fn parameter(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<Param> {
    let (name, ty) = match node.kind_name() {
        "identifier" => (node, None),
        "parameter_declaration" => {
            let declarator = node.field("declarator");
            let ty = types::written_type(walker, node, declarator);
            (declared(declarator?)?.name, ty)
        }
        _ => return None,
    };
    let text = walker.b.text(name);
    text.contains(char::is_alphanumeric).then(|| Param {
        name: walker.b.intern_name(text),
        ty,
        default: None,
        kind: ParamKind::Optional,
    })
}

/// `int f(a, b) int a; char *b; { … }`.
fn old_parameters(walker: &mut Walker<'_, '_>, def: DefId, names: &[NameId], node: Node<'_>) {
    for declarator in declarators(node) {
        let ty = types::written_type(walker, node, Some(declarator));
        let Some(found) = declared(declarator) else {
            continue;
        };
        let name = walker.b.intern_node_text(found.name);
        let at = names.iter().position(|known| *known == name);
        let callable = walker.b.def_mut(def).callable.as_mut();
        if let (Some(at), Some(callable)) = (at, callable) {
            callable.params[at].ty = ty;
        }
    }
}

/// Variables, fields, prototypes.
pub(super) fn declaration(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    if walker.is_local() {
        statements::visit(walker, node);
        return true;
    }
    let declarators = declarators(node);
    let is_const = walk::has_word(walker, node, "type_qualifier", "const");
    let is_elsewhere = walk::is_extern(walker, node);
    let is_named = declarators.first().copied().and_then(declared).is_some();
    // An inner definition has its own documentation, or that of the whole.
    let mut inside = walk::anonymous_type(node).filter(|_| is_named);
    let is_whole = inside.is_some();
    let mut base = None;
    for declarator in declarators {
        let Some(found) = declared(declarator) else {
            walker.visit(declarator);
            continue;
        };
        let word = walker.b.text(found.name);
        if word.is_empty() || walk::is_keyword(word) {
            continue;
        }
        if let Some(parameters) = found.parameters {
            prototype(walker, node, &found, parameters);
            continue;
        }
        if is_elsewhere && declarator.kind_name() != "init_declarator" {
            walk::declared_elsewhere(walker, found.name);
            continue;
        }
        let kind = match (walker.is_member(), is_const) {
            (true, _) => SymbolKind::Field,
            (false, true) => SymbolKind::Constant,
            (false, false) => SymbolKind::Variable,
        };
        let def = walker.declare(&FoundDefinition::new(node, found.name, kind));
        if let Some(body) = inside.take() {
            base = Some(walker.b.add_type(TypeExpr::Anonymous(def)));
            let from = walker.b.facts().defs.len();
            read_members(walker, def, body);
            if body.kind_name() == "union_specifier" {
                mark_members(walker, from, Some(def), DefFlags::SHARES_PLACE, 1);
            }
        }
        if base.is_none() {
            base = node.field("type").map(|ty| types::specifier(walker, ty));
        }
        let ty = base.map(|base| match kind {
            SymbolKind::Field => types::of_whole_declarator(walker, base, declarator),
            _ => types::of_declarator(walker, base, Some(declarator)),
        });
        walker.b.def_mut(def).ty = ty;
        walker.b.open_owner(def);
        initializers::of_declarator(walker, declarator, ty);
        walker.b.close_owner();
    }
    if !is_whole && let Some(ty) = node.field("type") {
        let from = walker.b.facts().defs.len();
        walker.visit(ty);
        if !is_named && walker.is_member() && walk::anonymous_type(node).is_some() {
            let owner = walker.b.current_owner();
            mark_members(walker, from, owner, DefFlags::IN_ANONYMOUS, 0);
            if ty.kind_name() == "union_specifier" {
                mark_members(walker, from, owner, DefFlags::SHARES_PLACE, 1);
            }
        }
    }
    true
}

/// Sets a flag of the fields of a type that were made since then, but for the first few.
fn mark_members(
    walker: &mut Walker<'_, '_>,
    since: usize,
    owner: Option<DefId>,
    flag: DefFlags,
    skipped: usize,
) {
    let made = walker.b.facts().defs[since..].iter().zip(since as u32..);
    let is_member = |def: &Def| def.parent == owner && def.kind == SymbolKind::Field;
    let members = made.filter(|(def, _)| is_member(def)).skip(skipped);
    let members: Vec<DefId> = members.map(|(_, at)| DefId(at)).collect();
    for member in members {
        walker.b.def_mut(member).flags.set(flag);
    }
}

/// A function without a body, which is elsewhere. In a struct, as some compilers allow, it is a member.
fn prototype(
    walker: &mut Walker<'_, '_>,
    node: Node<'_>,
    found: &Declared<'_>,
    parameters: Node<'_>,
) {
    // `MACRO(a, b);` is a call of a macro.
    if node.field("type").is_none() {
        return;
    }
    let mut made = FoundDefinition::new(node, found.name, SymbolKind::Function);
    made.flags.set(if walker.is_member() {
        made.kind = SymbolKind::Method;
        DefFlags::ABSTRACT
    } else {
        DefFlags::DECLARATION_ONLY
    });
    made.parameters = vec![parameters];
    let def = walker.declare(&made);
    read_signature(walker, def, node, Some(parameters));
}

/// `typedef struct { … } a;` defines the struct `a`. Any other defines names for types.
pub(super) fn type_definition(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    let declarators = declarators(node);
    let anonymous = walk::anonymous_type(node);
    let mut base = None;
    if anonymous.is_none()
        && let Some(ty) = node.field("type")
    {
        // If the type has a body of its own, the whole declaration has the documentation.
        base = named_type(walker, node, ty, declarators.first().copied());
    }
    let mut first = anonymous;
    for (at, declarator) in declarators.into_iter().enumerate() {
        let Some(found) = declared(declarator) else {
            continue;
        };
        if walker.b.text(found.name).is_empty() {
            continue;
        }
        let kind = first.map_or(SymbolKind::TypeAlias, walk::kind_of_type);
        let whole = if at == 0 { node } else { found.name };
        if at == 0 && anonymous.is_none() && base.is_some() {
            // It was defined before the members of the type.
            continue;
        }
        let def = walker.declare(&FoundDefinition::new(whole, found.name, kind));
        walk::bind_local_type(walker, def, Namespace::TYPE);
        if let Some(body) = first.take() {
            base = Some(walker.b.add_type(TypeExpr::Anonymous(def)));
            read_members(walker, def, body);
        } else if let Some(base) = base {
            let ty = aliased_type(walker, base, declarator);
            walker.b.def_mut(def).ty = Some(ty);
        }
    }
    true
}

/// The first alias of a named type, and then the type itself; returns the written type.
fn named_type(
    walker: &mut Walker<'_, '_>,
    node: Node<'_>,
    ty: Node<'_>,
    declarator: Option<Node<'_>>,
) -> Option<TypeId> {
    let found = declarator.and_then(declared);
    let found = found.filter(|found| !walker.b.text(found.name).is_empty());
    let (Some(found), Some(declarator)) = (found, declarator) else {
        walker.visit(ty);
        return None;
    };
    let def = walker.declare(&FoundDefinition::new(
        node,
        found.name,
        SymbolKind::TypeAlias,
    ));
    walk::bind_local_type(walker, def, Namespace::TYPE);
    walker.visit(ty);
    let base = types::specifier(walker, ty);
    let ty = aliased_type(walker, base, declarator);
    walker.b.def_mut(def).ty = Some(ty);
    Some(base)
}

/// The type that an alias stands for: `typedef int f(int)` names a function type.
fn aliased_type(walker: &mut Walker<'_, '_>, base: TypeId, declarator: Node<'_>) -> TypeId {
    let is_function = declared(declarator).is_some_and(|found| found.parameters.is_some());
    if is_function {
        walk::function_type(walker, base)
    } else {
        types::of_whole_declarator(walker, base, declarator)
    }
}

/// A struct, union or enum with its members.
pub(super) fn type_specifier(walker: &mut Walker<'_, '_>, node: Node<'_>) -> bool {
    define_type(walker, node).is_some()
}

/// The same; returns the definition, or `None` if it has no name or no body.
fn define_type(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<DefId> {
    let (name, body) = (node.field("name")?, node.field("body")?);
    let mut found = FoundDefinition::new(node, name, walk::kind_of_type(node));
    found.body = Some(body);
    if walker.is_local() {
        found.flags.set(DefFlags::LOCAL);
    }
    let def = walker.declare(&found);
    walk::bind_local_type(walker, def, Namespace::TYPE);
    read_members(walker, def, body);
    Some(def)
}

/// Reads the members of a type.
fn read_members(walker: &mut Walker<'_, '_>, def: DefId, body: Node<'_>) {
    walker.b.open_def(def, ScopeKind::Class);
    walker.children(body);
    walker.b.close_def();
}

/// The type with a body that a declaration in a function has.
pub(super) fn local_type(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<DefId> {
    if node.field("name").is_some() {
        return define_type(walker, node);
    }
    let def = walk::define_anonymous(walker, node);
    read_members(walker, def, node.field("body")?);
    Some(def)
}
