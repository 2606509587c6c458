//! Conditions, matches, `try`.

use super::{Walker, field_nodes, first_part, parts};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Most alternatives that contribute to the type of an expression.
const MAX_PARTS: usize = 8;

impl Walker<'_, '_> {
    pub(super) fn if_expression(&mut self, node: Node<'_>) -> ExprId {
        for condition in field_nodes(node, "condition") {
            self.full(condition);
        }
        let mut all = Vec::new();
        // `else if` chains may be long.
        let mut next = Some(node);
        while let Some(node) = next.take() {
            all.extend(node.field("consequence").map(|then| self.full(then)));
            match node.field("alternative") {
                Some(other) if other.kind_name() == "if_expression" => {
                    for condition in field_nodes(other, "condition") {
                        self.full(condition);
                    }
                    next = Some(other);
                }
                Some(other) => all.push(self.full(other)),
                None => all.push(self.b.add_expr(Expr::Tuple(Box::default()))),
            }
        }
        self.either(all)
    }

    /// One of several values; unknown if there are many.
    pub(super) fn either(&mut self, all: Vec<ExprId>) -> ExprId {
        match all[..] {
            [] => self.unknown(),
            [one] => one,
            _ if all.len() > MAX_PARTS => self.unknown(),
            _ => self.b.add_expr(Expr::Either(all.into())),
        }
    }

    pub(super) fn match_expression(&mut self, node: Node<'_>) -> ExprId {
        let value = match node.field("value") {
            Some(value) => self.expr(value),
            None => self.unknown(),
        };
        match node.field("body") {
            Some(body) => {
                let arms = self.cases(body, value);
                self.either(arms)
            }
            None => self.unknown(),
        }
    }

    /// The clauses that a value is matched with; returns their values.
    pub(super) fn cases(&mut self, body: Node<'_>, value: ExprId) -> Vec<ExprId> {
        let clauses = super::children_of_kind(body, "case_clause");
        clauses
            .into_iter()
            .map(|clause| self.case(clause, value))
            .collect()
    }

    fn case(&mut self, clause: Node<'_>, value: ExprId) -> ExprId {
        let was_local = std::mem::replace(&mut self.is_local, true);
        self.b.open_scope(ScopeKind::Block, None);
        if let Some(pattern) = clause.field("pattern") {
            let bound = self.pattern(pattern, value);
            self.bind_all(bound, 0);
        }
        if let Some(guard) = child_of_kind(clause, "guard")
            && let Some(condition) = guard.field("condition")
        {
            self.full(condition);
        }
        let mut last = None;
        for statement in field_nodes(clause, "body") {
            if !super::is_comment(statement) {
                last = self.statement(statement, None);
            }
        }
        self.b.close_scope();
        self.is_local = was_local;
        last.unwrap_or_else(|| self.b.add_expr(Expr::Tuple(Box::default())))
    }

    pub(super) fn try_expression(&mut self, node: Node<'_>) -> ExprId {
        let mut all = Vec::new();
        all.extend(node.field("body").map(|body| self.full(body)));
        for clause in parts(node) {
            match clause.kind_name() {
                "catch_clause" => self.catch(clause, &mut all),
                "finally_clause" => self.each(clause),
                _ => {}
            }
        }
        self.either(all)
    }

    fn catch(&mut self, clause: Node<'_>, all: &mut Vec<ExprId>) {
        let ty = self.type_of_name("Throwable");
        let error = self.unknown();
        let error = self.b.add_expr(Expr::Cast(error, ty));
        if clause.field("pattern").is_some() {
            all.push(self.case(clause, error));
            return;
        }
        let Some(body) = first_part(clause) else {
            return;
        };
        match body.kind_name() {
            "case_block" | "indented_cases" => all.extend(self.cases(body, error)),
            _ => {
                self.full(body);
                all.push(self.unknown());
            }
        }
    }
}
