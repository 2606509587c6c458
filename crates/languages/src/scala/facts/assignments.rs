//! Assignments.

use super::Walker;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl Walker<'_, '_> {
    /// `a = e`, `a.b = e`, `a(i) = e`.
    pub(super) fn assignment(&mut self, node: Node<'_>) -> ExprId {
        let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
            self.each(node);
            return self.unknown();
        };
        match left.kind_name() {
            "identifier" => {
                let path = self.name_path(left);
                self.full(right);
                self.b.add_write(path, left);
            }
            "field_expression" => self.assigned_member(left, right),
            "call_expression" => self.update(left, right),
            _ => {
                self.expr(left);
                self.full(right);
            }
        }
        self.b.add_expr(Expr::Tuple(Box::default()))
    }

    /// `a.b = e` writes a variable, or calls `b_=`.
    fn assigned_member(&mut self, left: Node<'_>, right: Node<'_>) {
        let path = self.field_path(left);
        let value = self.full(right);
        let name_node = left.field("field").unwrap_or(left);
        let Expr::Member { object, .. } = *self.b.facts().expr(path) else {
            return;
        };
        self.b.add_write(path, name_node);
        let setter = format!("{}_=", self.b.text(name_node));
        let name = self.b.intern_owned_name(&setter);
        let callee = self.b.add_expr(Expr::Member { object, name });
        let kind = CallKind::Operator;
        self.add_call(callee, vec![value], Vec::new(), kind, name_node);
    }

    /// `a(i) = e` is `a.update(i, e)`.
    fn update(&mut self, left: Node<'_>, right: Node<'_>) {
        let Some(function) = left.field("function") else {
            return;
        };
        let object = self.expr(function);
        let mut args = match left.field("arguments") {
            Some(list) => self.arguments(list),
            None => Vec::new(),
        };
        args.push(self.full(right));
        let name = self.b.intern_owned_name("update");
        let callee = self.b.add_expr(Expr::Member { object, name });
        self.add_call(callee, args, Vec::new(), CallKind::Operator, left);
    }

    /// The write of `a += e`, if the file declares a variable of that name. Otherwise it may be a method.
    pub(super) fn write_of_operator(&mut self, left: Node<'_>, object: ExprId) {
        let name_node = match left.kind_name() {
            "identifier" => left,
            "field_expression" => left.field("field").unwrap_or(left),
            _ => return,
        };
        if !self.variables.contains(self.b.text(name_node)) {
            return;
        }
        if let Expr::Bare(path) = *self.b.facts().expr(object) {
            self.b.add_write(path, name_node);
        }
    }
}
