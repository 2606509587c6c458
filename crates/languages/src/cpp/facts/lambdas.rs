//! Function literals. Their calls belong to the function around them.

use super::exprs;
use super::functions::parameter;
use super::statements::visit;
use crate::c::walk::children;
use crate::outline::Walker;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// `[a, &b](T c) { … }`.
pub(super) fn lambda(walker: &mut Walker<'_, '_>, node: Node<'_>) {
    walker.b.open_scope(ScopeKind::Function, None);
    let declarator = node.field("declarator");
    let is_mutable = declarator.is_some_and(|d| walker.b.text(d).contains("mutable"));
    for capture in node.field("captures").map(children).unwrap_or_default() {
        self::capture(walker, capture, is_mutable);
    }
    let list = declarator.and_then(|d| d.field("parameters"));
    for node in list.map(children).unwrap_or_default() {
        if let Some(param) = parameter(walker, node) {
            let to = Bound::Local {
                ty: param.ty,
                value: None,
            };
            walker.b.bind(param.name, Namespace::VALUE, to);
        }
    }
    if let Some(body) = node.field("body") {
        visit(walker, body);
    }
    walker.b.close_scope();
}

/// `a = b` binds a name, any other capture mentions one. A copy is constant, unless the lambda says that it changes.
fn capture(walker: &mut Walker<'_, '_>, node: Node<'_>, is_mutable: bool) {
    if node.kind_name() != "lambda_capture_initializer" {
        visit(walker, node);
        return;
    }
    let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
        return;
    };
    let value = exprs::expr(walker, right);
    let name = walker.b.intern_node_text(left);
    let is_copy = !walker.b.text(node).starts_with('&');
    let unknown = walker.b.add_type(TypeExpr::Unknown);
    let ty = walker.b.add_type(match (is_copy, is_mutable) {
        (true, false) => TypeExpr::Optional(unknown),
        (true, true) => TypeExpr::Unknown,
        (false, _) => TypeExpr::Reference(unknown),
    });
    let to = Bound::Local {
        ty: Some(ty),
        value: Some(value),
    };
    walker.b.bind(name, Namespace::VALUE, to);
}
