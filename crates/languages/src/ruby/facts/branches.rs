//! Branches and loops: which values variables have behind them.

use super::flow::Branch;
use super::patterns::Check;
use super::{Walker, children, first_child};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    /// A statement with branches; `None` if the node is none.
    pub(super) fn branching(&mut self, node: Node<'_>, kind: &str) -> Option<ExprId> {
        Some(match kind {
            "if" | "elsif" | "if_modifier" | "conditional" => self.conditional(node, true),
            "unless" | "unless_modifier" => self.conditional(node, false),
            "while" | "until" | "while_modifier" | "until_modifier" => self.while_loop(node),
            "for" => self.for_loop(node),
            "case" => self.case(node),
            "case_match" => self.case_match(node),
            "rescue_modifier" => self.rescue_modifier(node),
            "match_pattern" | "test_pattern" => self.pattern_test(node),
            "else" | "ensure" | "do" => self.statements(node),
            _ => return None,
        })
    }

    /// Reads a part as a branch of its own, in which some checks hold.
    fn branch(&mut self, body: Option<Node<'_>>, checks: &[Check]) -> (Branch, ExprId) {
        let mark = self.mark();
        self.narrow(checks);
        let value = match body {
            Some(body) => self.expr(body),
            None => self.b.add_expr(Expr::Literal(Primitive::Null)),
        };
        let mut branch = self.end_branch(mark);
        self.drop_checks(&mut branch, checks);
        (branch, value)
    }

    fn conditional(&mut self, node: Node<'_>, when: bool) -> ExprId {
        let Some(condition) = node.field("condition") else {
            return self.statements(node);
        };
        self.expr(condition);
        let found = self.checks(condition);
        let (holds, fails) = if when {
            (found.when_true, found.when_false)
        } else {
            (found.when_false, found.when_true)
        };
        let body = node.field("consequence").or(node.field("body"));
        let (first, one) = self.branch(body, &holds);
        let (second, other) = self.branch(node.field("alternative"), &fails);
        let mut values = Vec::new();
        if first.goes_on {
            values.push(one);
        }
        if second.goes_on {
            values.push(other);
        }
        let leaves = !first.goes_on && node.field("alternative").is_none();
        self.join(&[first, second]);
        if leaves {
            // What the condition says holds for the rest of the method.
            self.narrow(&fails);
        }
        self.one_of(values)
    }

    fn while_loop(&mut self, node: Node<'_>) -> ExprId {
        let (Some(condition), Some(body)) = (node.field("condition"), node.field("body")) else {
            return self.statements(node);
        };
        let is_while = node.kind_name().starts_with("while");
        let mark = self.open_loop(node.start_byte() as u32);
        self.expr(condition);
        let found = self.checks(condition);
        let checks = if is_while {
            found.when_true
        } else {
            found.when_false
        };
        self.narrow(&checks);
        self.expr(body);
        self.close_loop(mark, false);
        self.unknown
    }

    fn for_loop(&mut self, node: Node<'_>) -> ExprId {
        let (Some(pattern), Some(value), Some(body)) = (
            node.field("pattern"),
            node.field("value"),
            node.field("body"),
        ) else {
            return self.statements(node);
        };
        let sequence = self.expr_or_unknown(first_child(value));
        let mark = self.open_loop(node.start_byte() as u32);
        let element = self.b.add_expr(Expr::Element(sequence));
        self.assign(pattern, element);
        self.expr(body);
        self.close_loop(mark, false);
        sequence
    }

    fn case(&mut self, node: Node<'_>) -> ExprId {
        let value_node = node.field("value");
        let subject = value_node.map(|value| self.expr(value));
        let mut branches = Vec::new();
        let mut values = Vec::new();
        let mut has_else = false;
        for clause in children(node) {
            let (branch, value) = match clause.kind_name() {
                "when" => self.when(clause, value_node, subject),
                "else" => {
                    has_else = true;
                    self.branch(Some(clause), &[])
                }
                _ => continue,
            };
            if branch.goes_on {
                values.push(value);
            }
            branches.push(branch);
        }
        if !has_else {
            branches.push(Branch::empty());
        }
        self.join(&branches);
        self.one_of(values)
    }

    fn when(
        &mut self,
        clause: Node<'_>,
        value: Option<Node<'_>>,
        subject: Option<ExprId>,
    ) -> (Branch, ExprId) {
        let mut cursor = clause.walk();
        let patterns: Vec<Node<'_>> = clause.fields("pattern", &mut cursor).collect();
        let mut classes = Vec::new();
        for pattern in &patterns {
            let inner = first_child(*pattern).unwrap_or(*pattern);
            let tested = self.argument_value(inner);
            if let Some(subject) = subject {
                self.case_equality(inner, tested, subject);
            }
            classes.push(inner);
        }
        let checks = match (value, subject) {
            (Some(value), Some(_)) => self.class_checks(value, &classes),
            _ => match classes[..] {
                [one] => self.checks(one).when_true,
                _ => Vec::new(),
            },
        };
        self.branch(clause.field("body"), &checks)
    }

    /// `when X` calls `X === subject`, which counts where a class of the repository defines it.
    fn case_equality(&mut self, place: Node<'_>, tested: ExprId, subject: ExprId) {
        if matches!(self.b.facts().expr(tested), Expr::Literal(_)) {
            return;
        }
        let name = self.b.intern_owned_name("===");
        let callee = self.b.add_expr(Expr::Member {
            object: tested,
            name,
        });
        let call = self.b.add_expr(Expr::Call {
            callee,
            args: Box::from([subject]),
            type_args: Box::default(),
        });
        self.b.add_call(call, CallKind::Operator, 1, place);
    }

    fn case_match(&mut self, node: Node<'_>) -> ExprId {
        let value_node = node.field("value");
        let subject = self.expr_or_unknown(value_node);
        let mut branches = Vec::new();
        let mut values = Vec::new();
        let mut cursor = node.walk();
        let clauses: Vec<Node<'_>> = node.fields("clauses", &mut cursor).collect();
        for clause in clauses {
            let mark = self.mark();
            if let Some(pattern) = clause.field("pattern") {
                self.bind_pattern(pattern, subject);
            }
            if let Some(guard) = clause.field("guard") {
                self.children_of(guard);
            }
            let value = self.expr_or_unknown(clause.field("body"));
            let branch = self.end_branch(mark);
            if branch.goes_on {
                values.push(value);
            }
            branches.push(branch);
        }
        if let Some(other) = node.field("else") {
            let (branch, value) = self.branch(Some(other), &[]);
            if branch.goes_on {
                values.push(value);
            }
            branches.push(branch);
        }
        self.join(&branches);
        self.one_of(values)
    }

    fn pattern_test(&mut self, node: Node<'_>) -> ExprId {
        let value = self.expr_or_unknown(node.field("value"));
        if let Some(pattern) = node.field("pattern") {
            self.bind_pattern(pattern, value);
        }
        self.b.add_expr(Expr::Literal(Primitive::Bool))
    }

    fn rescue_modifier(&mut self, node: Node<'_>) -> ExprId {
        let value = self.expr_or_unknown(node.field("body"));
        let mark = self.mark();
        let other = self.expr_or_unknown(node.field("handler"));
        let run = self.end_branch(mark);
        let goes_on = run.goes_on;
        self.join(&[run, Branch::empty()]);
        if goes_on {
            self.one_of(vec![value, other])
        } else {
            value
        }
    }

    /// A body with handlers.
    pub(super) fn body(&mut self, node: Node<'_>) -> ExprId {
        let mut cursor = node.walk();
        let all: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
        let is_clause = |c: &Node<'_>| matches!(c.kind_name(), "rescue" | "else" | "ensure");
        let Some(first) = all.iter().position(is_clause) else {
            return self.statement_list(&all);
        };
        let mark = self.mark();
        let mut value = self.statement_list(&all[..first]);
        let clauses = &all[first..];
        for clause in clauses.iter().filter(|c| c.kind_name() == "else") {
            value = self.statements(*clause);
        }
        let tried = self.end_branch(mark);
        let mut values = Vec::new();
        if tried.goes_on {
            values.push(value);
        }
        let mut branches = vec![tried];
        for clause in clauses.iter().filter(|c| c.kind_name() == "rescue") {
            let mark = self.mark();
            let value = self.rescue(*clause);
            let branch = self.end_branch(mark);
            if branch.goes_on {
                values.push(value);
            }
            branches.push(branch);
        }
        self.join(&branches);
        for clause in clauses.iter().filter(|c| c.kind_name() == "ensure") {
            self.statements(*clause);
        }
        self.one_of(values)
    }

    fn rescue(&mut self, clause: Node<'_>) -> ExprId {
        let classes = clause.field("exceptions").map(children).unwrap_or_default();
        for class in &classes {
            self.argument_value(*class);
        }
        if let Some(variable) = clause.field("variable").and_then(first_child) {
            let value = match classes[..] {
                [] => self.type_by_name("StandardError"),
                _ => self.instance_of_any(&classes),
            };
            self.assign(variable, value);
        }
        let body = clause.field("body").or(child_of_kind(clause, "then"));
        match body {
            Some(body) => self.expr(body),
            None => self.b.add_expr(Expr::Literal(Primitive::Null)),
        }
    }

    /// `return`, `next`, `break`, `yield`.
    pub(super) fn jump(&mut self, node: Node<'_>) -> ExprId {
        let kind = node.kind_name();
        let list = child_of_kind(node, "argument_list");
        let mut values = Vec::new();
        for item in list.map(children).unwrap_or_default() {
            values.push(self.argument_value(item));
        }
        if kind == "yield" {
            self.yielded(values);
            return self.unknown;
        }
        let value = match values[..] {
            [] => self.b.add_expr(Expr::Literal(Primitive::Null)),
            [one] => one,
            _ => self.b.add_expr(Expr::Tuple(values.into())),
        };
        let frame = self.frame();
        match kind {
            "return" => frame.returns.push(value),
            "next" => {
                if let Some(results) = frame.results.last_mut() {
                    results.push(value);
                }
            }
            _ => {}
        }
        frame.is_dead = true;
        self.unknown
    }

    /// Values that the method gives to its block.
    pub(super) fn yielded(&mut self, values: Vec<ExprId>) {
        let given = self.b.add_expr(Expr::Tuple(values.into()));
        let yields = &mut self.frame().yields;
        if yields.len() < 4 {
            yields.push(given);
        }
    }
}
