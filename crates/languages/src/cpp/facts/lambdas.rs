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
    for capture in node.field("captures").map(children).unwrap_or_default() {
        self::capture(walker, capture);
    }
    let declarator = node.field("declarator");
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

/// `a = b` binds a name. Any other capture is a mention of a name.
fn capture(walker: &mut Walker<'_, '_>, node: Node<'_>) {
    if node.kind_name() != "lambda_capture_initializer" {
        visit(walker, node);
        return;
    }
    let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
        return;
    };
    let value = exprs::expr(walker, right);
    let name = walker.b.intern_node_text(left);
    let to = Bound::Local {
        ty: None,
        value: Some(value),
    };
    walker.b.bind(name, Namespace::VALUE, to);
}
