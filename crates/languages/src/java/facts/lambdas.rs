//! Lambdas.

use super::{FunctionFrame, Walker, is_comment};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Most returned expressions that are kept.
const MAX_RETURNS: usize = 8;

impl Walker<'_, '_> {
    pub(super) fn lambda(&mut self, node: Node<'_>) -> ExprId {
        let name = self.b.intern_owned_name("<anonymous>");
        let def = self.b.add_def(name, SymbolKind::Function, node, node);
        let it = self.b.def_mut(def);
        it.flags.set(DefFlags::ANONYMOUS);
        it.flags.set(DefFlags::LOCAL);
        it.visibility = Visibility::Private;
        self.b.open_def(def, ScopeKind::Function);
        let params = match node.field("parameters") {
            Some(list) => self.lambda_params(list),
            None => Vec::new(),
        };
        self.bind_params(def, &params);
        self.b.def_mut(def).callable = Some(Box::new(Callable {
            params,
            ..Callable::default()
        }));
        let body = node.field("body");
        let returns = self.lambda_body(body);
        if let Some(callable) = &mut self.b.def_mut(def).callable {
            callable.returns = returns;
        }
        self.b.close_def();
        self.set_complexity(def, body);
        self.b.add_expr(Expr::Function(def))
    }

    fn lambda_params(&mut self, list: Node<'_>) -> Vec<Param> {
        if list.kind_name() == "formal_parameters" {
            return self.param_list(list);
        }
        let names: Vec<Node<'_>> = if list.kind_name() == "inferred_parameters" {
            let mut cursor = list.walk();
            list.named_children(&mut cursor)
                .filter(|c| !is_comment(*c))
                .collect()
        } else {
            vec![list]
        };
        names
            .into_iter()
            .map(|n| Param {
                name: self.b.intern_node_text(n),
                ty: None,
                default: None,
                kind: ParamKind::Plain,
            })
            .collect()
    }

    /// Whether control neither reaches the end of a block nor returns from it, as far as its last statement shows.
    fn never_ends(&self, block: Node<'_>) -> bool {
        let mut cursor = block.walk();
        let statements = block.named_children(&mut cursor);
        let last = statements.filter(|c| !is_comment(*c)).last();
        let is_throw = last.is_some_and(|last| last.kind_name() == "throw_statement");
        is_throw && !self.b.text(block).contains("return")
    }

    /// Reads the body; returns its returned expressions.
    fn lambda_body(&mut self, body: Option<Node<'_>>) -> Vec<ExprId> {
        let Some(body) = body else {
            return Vec::new();
        };
        self.frames.push(FunctionFrame::Lambda(Vec::new()));
        let value = if body.kind_name() == "block" {
            self.visit_statements(body);
            None
        } else {
            Some(self.expr(body))
        };
        let mut returns = match self.frames.pop() {
            Some(FunctionFrame::Lambda(returns)) => returns,
            _ => Vec::new(),
        };
        if returns.is_empty() && value.is_none() && self.never_ends(body) {
            // It gives no value, and may stand for a function that gives one.
            returns.push(self.b.add_expr(Expr::Unknown));
        }
        returns.extend(value);
        returns.truncate(MAX_RETURNS);
        returns
    }
}
