//! Code in functions: statements, local declarations, and their expressions.

use super::{calls, classes, definitions, exprs, lambdas, operators, read_inside, types};
use crate::c::walk::{self, Declared, children, declarators, declared};
use crate::c::{conditions, include};
use crate::outline::Walker;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Maximum number of results that are kept for a function without a written result type.
const MOST_RESULTS: usize = 8;

/// Reads a node and everything inside. Returns its value if it is an expression about which something is known.
pub(super) fn visit(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    if !walker.b.enter_level() {
        return None;
    }
    let value = read(walker, node);
    walker.b.leave_level();
    value
}

fn read(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    match node.kind_name() {
        "identifier" | "this" => Some(walk::name_reference(walker, node)),
        "qualified_identifier" | "template_function" => exprs::qualified(walker, node),
        "field_expression" => exprs::member(walker, node),
        "call_expression" => calls::call(walker, node),
        "new_expression" => calls::new(walker, node),
        "compound_literal_expression" => calls::compound_literal(walker, node),
        "assignment_expression" => exprs::assignment(walker, node),
        "update_expression" => exprs::update(walker, node),
        "subscript_expression" => exprs::subscript(walker, node),
        "pointer_expression" => exprs::pointer(walker, node),
        "parenthesized_expression" => walk::visit_children(walker, node, visit),
        "comma_expression" => {
            walk::visit_field(walker, node, "left", visit);
            walk::visit_field(walker, node, "right", visit)
        }
        "cast_expression" => exprs::cast(walker, node),
        "conditional_expression" => conditional(walker, node),
        "binary_expression" => exprs::binary(walker, node),
        "unary_expression" => exprs::unary(walker, node),
        "co_await_expression" => {
            walk::visit_field(walker, node, "argument", visit);
            None
        }
        "type_descriptor" => {
            types::descriptor(walker, node);
            None
        }
        other => {
            statement(walker, node, other);
            None
        }
    }
}

/// `a ? b : c`.
fn conditional(walker: &mut Walker<'_, '_>, node: Node<'_>) -> Option<ExprId> {
    ask(walker, node.field("condition"));
    walk::alternatives(walker, node, visit)
}

/// Reads the parentheses of `if` and `while`.
fn condition(walker: &mut Walker<'_, '_>, node: Node<'_>) {
    let value = node.field("value");
    for child in children(node) {
        if Some(child) == value {
            ask(walker, value);
        } else {
            visit(walker, child);
        }
    }
}

/// Reads an expression that a condition tests.
fn ask(walker: &mut Walker<'_, '_>, node: Option<Node<'_>>) {
    if let Some(node) = node {
        let value = exprs::expr(walker, node);
        operators::asked(walker, node, value);
    }
}

fn statement(walker: &mut Walker<'_, '_>, node: Node<'_>, kind: &str) {
    match kind {
        "compound_statement" | "for_statement" | "if_statement" | "while_statement"
        | "switch_statement" | "catch_clause" => {
            walker.b.open_scope(ScopeKind::Block, None);
            walk::visit_children(walker, node, visit);
            walker.b.close_scope();
        }
        "for_range_loop" => range_loop(walker, node),
        "condition_clause" => condition(walker, node),
        "delete_expression" => operators::delete(walker, node),
        "lambda_expression" => lambdas::lambda(walker, node),
        "return_statement" => result(walker, node),
        "declaration" => declaration(walker, node),
        "parameter_list" => caught(walker, node),
        "type_definition" => {
            definitions::type_definition(walker, node);
        }
        "alias_declaration" => {
            definitions::alias(walker, node);
        }
        "using_declaration" => {
            definitions::using(walker, node);
        }
        "namespace_alias_definition" => {
            definitions::namespace_alias(walker, node);
        }
        "struct_specifier" | "class_specifier" | "union_specifier" | "enum_specifier" => {
            classes::type_specifier(walker, node);
        }
        "preproc_def" | "preproc_function_def" => {
            definitions::macro_of_file(walker, node);
        }
        "preproc_include" => {
            include(walker, node);
        }
        "preproc_if" | "preproc_ifdef" => {
            conditions::branches(walker, node, read_inside);
        }
        "field_initializer_list" => calls::member_initializers(walker, node),
        "concatenated_string" => walk::visit_concatenated(walker, node),
        "type_identifier" | "template_type" | "dependent_type" => {
            types::specifier(walker, node);
        }
        "comment"
        | "statement_identifier"
        | "attribute_specifier"
        | "attribute_declaration"
        | "preproc_call"
        | "primitive_type"
        | "sized_type_specifier"
        | "field_identifier"
        | "goto_statement"
        | "break_statement"
        | "continue_statement"
        | "number_literal"
        | "char_literal"
        | "string_literal"
        | "raw_string_literal"
        | "requires_clause"
        | "template_parameter_list" => {}
        _ => {
            walk::visit_children(walker, node, visit);
        }
    }
}

/// `return x;` gives the result type of a function that does not write it.
fn result(walker: &mut Walker<'_, '_>, node: Node<'_>) {
    let Some(given) = children(node).into_iter().next() else {
        return;
    };
    let value = exprs::expr(walker, given);
    let facts = walker.b.facts();
    let scopes = walker.b.open_scopes().iter().rev();
    let mut scopes = scopes.map(|id| facts.scope(*id));
    let function = scopes.find(|scope| scope.kind == ScopeKind::Function);
    let Some(owner) = function.and_then(|scope| scope.owner) else {
        return;
    };
    let made = walker.b.def_mut(owner).callable.as_mut();
    if let Some(callable) = made
        && callable.ret.is_none()
        && callable.returns.len() < MOST_RESULTS
    {
        callable.returns.push(value);
    }
}

/// Binds the exception that a `catch` names.
fn caught(walker: &mut Walker<'_, '_>, list: Node<'_>) {
    for node in children(list) {
        if let Some(param) = super::functions::parameter(walker, node) {
            let to = Bound::Local {
                ty: param.ty,
                value: None,
            };
            walker.b.bind(param.name, Namespace::VALUE, to);
        }
    }
}

/// `for (T x : xs)`.
fn range_loop(walker: &mut Walker<'_, '_>, node: Node<'_>) {
    walker.b.open_scope(ScopeKind::Block, None);
    if let Some(before) = node.field("initializer") {
        visit(walker, before);
    }
    if let Some(right) = node.field("right") {
        let all = exprs::expr(walker, right);
        let element = walker.b.add_expr(Expr::Element(all));
        let base = types::base(walker, node);
        if let Some(declarator) = node.field("declarator") {
            bind_declarator(walker, node, (declarator, base), element);
        }
    }
    if let Some(body) = node.field("body") {
        visit(walker, body);
    }
    walker.b.close_scope();
}

/// Binds the names of a declarator to a value.
fn bind_declarator(
    walker: &mut Walker<'_, '_>,
    declaration: Node<'_>,
    (declarator, base): (Node<'_>, Option<TypeId>),
    value: ExprId,
) {
    if let Some(parts) = structured(declarator) {
        bind_parts(walker, parts, Some(value));
        return;
    }
    let Some(found) = declared(declarator) else {
        return;
    };
    let ty = base.map(|base| types::of_declarator(walker, base, Some(declarator)));
    let ty = ty.or_else(|| types::of_inferred(walker, declaration, declarator));
    bind_local(walker, found.name, ty, Some(value));
}

fn bind_local(
    walker: &mut Walker<'_, '_>,
    name: Node<'_>,
    ty: Option<TypeId>,
    value: Option<ExprId>,
) {
    let id = walker.b.intern_node_text(name);
    let scope = walker.b.current_scope();
    let from = name.end_byte() as u32;
    let to = Bound::Local { ty, value };
    walker.b.bind_in(scope, id, Namespace::VALUE, from, to);
}

/// The list `[a, b]` in `auto& [a, b]`.
fn structured(declarator: Node<'_>) -> Option<Node<'_>> {
    let mut node = declarator;
    for _ in 0..4 {
        match node.kind_name() {
            "structured_binding_declarator" => return Some(node),
            "reference_declarator" | "init_declarator" => {
                node = node.field("declarator").or_else(|| node.named_child(0))?;
            }
            _ => return None,
        }
    }
    None
}

fn bind_parts(walker: &mut Walker<'_, '_>, parts: Node<'_>, value: Option<ExprId>) {
    for (at, name) in children(parts).into_iter().enumerate() {
        let part = value.map(|value| walker.b.add_expr(Expr::Part(value, at as u32)));
        bind_local(walker, name, None, part);
    }
}

/// Local variables of a function, and functions that it declares.
fn declaration(walker: &mut Walker<'_, '_>, node: Node<'_>) {
    let body = walk::type_with_body(node);
    let defined = body.and_then(|ty| classes::local_type(walker, ty));
    let base = match defined {
        Some(def) => Some(walker.b.add_type(TypeExpr::Anonymous(def))),
        None => types::base(walker, node),
    };
    let is_extern = walk::is_extern(walker, node);
    for declarator in declarators(node) {
        if let Some(parts) = structured(declarator) {
            let given = declarator.field("value").or_else(|| node.field("value"));
            let value = given.map(|given| exprs::expr(walker, given));
            bind_parts(walker, parts, value);
            continue;
        }
        match declared(declarator) {
            Some(found) if !is_extern => local(walker, node, (declarator, &found), base),
            Some(_) => {}
            None => {
                visit(walker, declarator);
            }
        }
    }
}

fn local(
    walker: &mut Walker<'_, '_>,
    node: Node<'_>,
    (declarator, found): (Node<'_>, &Declared<'_>),
    base: Option<TypeId>,
) {
    if let Some(parameters) = found.parameters {
        // `T x(a);` declares a function where `a` is a type.
        if is_arguments(walker, parameters) {
            calls::from_parameters(walker, node, parameters, base);
            bind_local(walker, found.name, base, None);
        }
        return;
    }
    let ty = base.map(|base| types::of_declarator(walker, base, Some(declarator)));
    walk::visit_array_sizes(walker, declarator, visit);
    let given = declarator.field("value").or_else(|| node.field("value"));
    let value = given.and_then(|given| calls::initial_value(walker, node, given, ty));
    match ty {
        Some(_) => bind_local(walker, found.name, ty, None),
        None => {
            let ty = types::of_inferred(walker, node, declarator);
            bind_local(walker, found.name, ty, value);
        }
    }
}

/// Whether the text between parentheses can be arguments: names without declarators. Code in a function seldom declares another
/// function without naming its parameters, so such text is taken for arguments.
fn is_arguments(walker: &Walker<'_, '_>, parameters: Node<'_>) -> bool {
    let all = children(parameters);
    let is_name = |node: &Node<'_>| {
        let ty = node
            .field("type")
            .filter(|_| node.field("declarator").is_none());
        ty.is_some_and(|ty| {
            matches!(ty.kind_name(), "type_identifier" | "qualified_identifier")
                && !walk::has_word(walker, *node, "type_qualifier", "const")
        })
    };
    !all.is_empty() && all.iter().all(is_name)
}
