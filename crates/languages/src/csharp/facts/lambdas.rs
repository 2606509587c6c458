//! Lambdas and anonymous methods.

use super::ends::End;
use super::{FunctionFrame, Walker, has_word};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Maximum number of returned expressions that are kept.
const MAX_RETURNS: usize = 8;

impl Walker<'_, '_> {
    pub(super) fn lambda(&mut self, node: Node<'_>) -> ExprId {
        let name = self.b.intern_owned_name("<anonymous>");
        let def = self.b.add_def(name, SymbolKind::Function, node, node);
        let is_async = self.header(node).is_async;
        let it = self.b.def_mut(def);
        it.flags.set(DefFlags::ANONYMOUS);
        it.flags.set(DefFlags::LOCAL);
        it.visibility = Visibility::Private;
        if is_async {
            it.flags.set(DefFlags::ASYNC);
        }
        self.b.open_def(def, ScopeKind::Function);
        let params = match node.field("parameters") {
            Some(list) if list.kind_name() == "parameter_list" => self.parameters(list),
            Some(name) => vec![Param {
                name: self.b.intern_node_text(name),
                ty: None,
                default: None,
                kind: ParamKind::Plain,
            }],
            None => Vec::new(),
        };
        self.bind_parameters(def, &params);
        self.b.def_mut(def).callable = Some(Box::new(Callable {
            params,
            ..Callable::default()
        }));
        let body = node.field("body").or_else(|| child_of_kind(node, "block"));
        let returns = self.lambda_body(body);
        if let Some(callable) = &mut self.b.def_mut(def).callable {
            callable.returns = returns;
        }
        self.b.close_def();
        self.set_complexity(def, body);
        if node.kind_name() == "anonymous_method_expression" && !has_word(node, "(") {
            // An anonymous method without a list of parameters fits any delegate.
            self.b.def_mut(def).flags.set(DefFlags::CONDITIONAL);
        }
        self.b.add_expr(Expr::Function(def))
    }

    /// Reads the body of a lambda. Returns the expressions that it returns.
    fn lambda_body(&mut self, body: Option<Node<'_>>) -> Vec<ExprId> {
        let Some(body) = body else {
            return Vec::new();
        };
        self.frames.push(FunctionFrame::Lambda(Vec::new()));
        let value = if body.kind_name() == "block" {
            self.statements(body);
            None
        } else {
            Some(self.expr(body))
        };
        let mut returns = match self.frames.pop() {
            Some(FunctionFrame::Lambda(returns)) => returns,
            _ => Vec::new(),
        };
        let end = match value {
            None if returns.is_empty() => super::ends::of_block(body),
            _ => End::Reached,
        };
        let ended = match end {
            End::Reached => None,
            // It may give a value of any type, or none.
            End::Never => Some(Expr::Either(Box::default())),
            End::Unknown => Some(Expr::Unknown),
        };
        returns.extend(ended.map(|value| self.b.add_expr(value)));
        returns.extend(value);
        returns.truncate(MAX_RETURNS);
        returns
    }
}
