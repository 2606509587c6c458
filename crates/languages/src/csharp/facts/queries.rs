//! Query expressions: `from x in xs where x.A select x.B`.

use super::{Walker, expressions, first_expression};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl Walker<'_, '_> {
    /// A query is a list of the values that it selects. Each clause sees the variables of the clauses before it.
    pub(super) fn query(&mut self, node: Node<'_>) -> ExprId {
        self.b.open_scope(ScopeKind::Block, None);
        let mut selected = None;
        for clause in expressions(node) {
            match clause.kind_name() {
                "from_clause" => self.read_from_clause(clause),
                "let_clause" => self.let_clause(clause),
                "join_clause" => self.join_clause(clause),
                "select_clause" => selected = first_expression(clause).map(|v| self.expr(v)),
                "group_clause" => {
                    self.statements(clause);
                    selected = None;
                }
                // The name behind `into`.
                "identifier" => self.bind_local(clause, None, selected),
                _ => self.statements(clause),
            }
        }
        self.b.close_scope();
        self.sequence_of(selected)
    }

    /// An `IEnumerable` with a type of elements. It uses the facts' form of a dictionary literal, since C# has no such
    /// literals.
    fn sequence_of(&mut self, element: Option<ExprId>) -> ExprId {
        let pair = element.map(|element| (element, element));
        self.b.add_expr(Expr::Dict(pair))
    }

    fn read_from_clause(&mut self, node: Node<'_>) {
        let Some(source) = super::last_expression(node) else {
            return;
        };
        let source = self.expr(source);
        let ty = self.written_type(node.field("type"));
        let element = self.b.add_expr(Expr::Element(source));
        if let Some(name) = node.field("name") {
            self.bind_local(name, ty, Some(element));
        }
    }

    fn let_clause(&mut self, node: Node<'_>) {
        if let [name, value] = expressions(node)[..] {
            let value = self.expr(value);
            self.bind_local(name, None, Some(value));
        }
    }

    fn join_clause(&mut self, node: Node<'_>) {
        let written = node.field("type");
        let mut parts = expressions(node);
        parts.retain(|part| Some(*part) != written);
        let [name, source, rest @ ..] = &parts[..] else {
            return;
        };
        let source = self.expr(*source);
        let ty = self.written_type(written);
        let element = self.b.add_expr(Expr::Element(source));
        self.bind_local(*name, ty, Some(element));
        for part in rest {
            match part.kind_name() {
                "join_into_clause" => {
                    if let Some(name) = first_expression(*part) {
                        self.bind_local(name, None, Some(source));
                    }
                }
                _ => {
                    self.expr(*part);
                }
            }
        }
    }
}
