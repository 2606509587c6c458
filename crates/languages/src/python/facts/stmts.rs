//! Statements and the branches they make.

use super::flow::{Branch, FrameKind};
use super::loops::Jump;
use super::{Walker, children};
use base::MarkKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    /// Reads statements; returns whether control continues after them.
    pub(super) fn visit_block(&mut self, node: Node<'_>) -> bool {
        if !self.b.enter_level() {
            return true;
        }
        let mut live = true;
        let mut cursor = node.walk();
        for statement in node.named_children(&mut cursor) {
            live &= self.visit_statement(statement);
        }
        self.b.leave_level();
        live
    }

    /// Reads one statement; `false` if control does not continue after it.
    pub(super) fn visit_statement(&mut self, node: Node<'_>) -> bool {
        match node.kind_name() {
            "expression_statement" => self.expression_statement(node),
            "return_statement" => {
                let value = self.visit_expressions(node);
                self.current_frame().returns.extend(value);
                return false;
            }
            "raise_statement" => {
                self.mark_raise(node);
                self.walk_children(node);
                self.current_frame().guarded.may_raise();
                return false;
            }
            "break_statement" => {
                self.jump(Jump::Break);
                return false;
            }
            "continue_statement" => {
                self.jump(Jump::Continue);
                return false;
            }
            "if_statement" => return self.if_statement(node),
            "for_statement" => return self.for_statement(node),
            "while_statement" => return self.while_statement(node),
            "try_statement" => return self.try_statement(node),
            "with_statement" => return self.with_statement(node),
            "match_statement" => return self.match_statement(node),
            "function_definition" => self.function(node, node, &[]),
            "class_definition" => self.visit_class(node, node, &[]),
            "decorated_definition" => self.visit_decorated_definition(node),
            "import_statement" => self.import_statement(node),
            "import_from_statement" => self.import_from(node),
            "global_statement" => {
                for name in children(node) {
                    let name = self.b.intern_node_text(name);
                    self.current_frame().globals.insert(name);
                }
            }
            "nonlocal_statement" => {
                for name in children(node) {
                    let name = self.b.intern_node_text(name);
                    self.current_frame().nonlocals.insert(name);
                }
            }
            "delete_statement" => self.delete(node),
            "type_alias_statement" => self.type_alias(node),
            "assert_statement" => self.assert(node),
            "future_import_statement" => {
                let names = children(node).into_iter().map(|name| self.b.text(name));
                if names.into_iter().any(|name| name == "annotations") {
                    self.b
                        .add_file_mark(MarkKind::PostponedAnnotations, None, node);
                }
            }
            "comment" | "pass_statement" => {}
            "ERROR" | "block" | "module" => return self.visit_block(node),
            // An ERROR node can contain a part of any statement.
            "elif_clause" | "else_clause" | "except_clause" | "finally_clause" | "case_clause" => {
                self.visit_clause(node);
            }
            "assignment" | "augmented_assignment" => {
                self.visit_assignment(node);
            }
            "decorator" | "parameters" | "identifier" | "with_clause" | "type" => {
                self.walk_children(node);
            }
            _ => {
                self.expr(node);
            }
        }
        true
    }

    fn expression_statement(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind_name() {
                "assignment" | "augmented_assignment" => {
                    self.visit_assignment(child);
                }
                "comment" => {}
                _ => {
                    self.expr(child);
                }
            }
        }
    }

    /// Reads every child as an expression.
    pub(super) fn walk_children(&mut self, node: Node<'_>) {
        for child in children(node) {
            self.expr(child);
        }
    }

    /// The value of `return a, b` and the like.
    fn visit_expressions(&mut self, node: Node<'_>) -> Option<ExprId> {
        let mut last = None;
        for child in children(node) {
            last = Some(self.expr(child));
        }
        last
    }

    pub(super) fn visit_clause(&mut self, node: Node<'_>) -> bool {
        let mut live = true;
        for child in children(node) {
            match child.kind_name() {
                "block" => live = self.visit_block(child),
                "case_pattern" => {}
                _ => {
                    self.expr(child);
                }
            }
        }
        live
    }

    fn delete(&mut self, node: Node<'_>) {
        self.current_frame().guarded.may_raise();
        for child in children(node) {
            let targets = match child.kind_name() {
                "expression_list" | "tuple" => children(child),
                _ => vec![child],
            };
            for target in targets {
                match target.kind_name() {
                    "identifier" => self.write_name(target),
                    "attribute" => {
                        self.write_member(target);
                    }
                    _ => {
                        self.expr(target);
                    }
                }
            }
        }
    }

    fn assert(&mut self, node: Node<'_>) {
        let parts = children(node);
        self.walk_children(node);
        if let Some(condition) = parts.first() {
            let checks = self.type_checks(*condition);
            self.narrow_names(&checks.when_true, node.end_byte() as u32);
        }
    }

    fn if_statement(&mut self, node: Node<'_>) -> bool {
        let (Some(condition), Some(body)) = (node.field("condition"), node.field("consequence"))
        else {
            return self.visit_clause(node);
        };
        let text = self.b.text(condition);
        if text.starts_with("__name__") && self.frames.len() == 1 {
            self.b.facts_mut().is_program = true;
        }
        let plain = text == "TYPE_CHECKING"
            || text.ends_with(".TYPE_CHECKING")
            || text.starts_with("__name__");
        self.expr(condition);
        let checks = self.type_checks(condition);
        let outer = self.type_checking;
        self.type_checking |= text.ends_with("TYPE_CHECKING") && !text.starts_with("not");
        self.current_frame().conditions += u32::from(!plain);
        let whole = self.branch_start();
        let outer_dead = self.dead;
        self.dead |= is_always_false(text);
        let mut branches = vec![self.visit_branch(body, Some(condition), &checks.when_true)];
        self.type_checking = outer;
        self.dead = outer_dead || is_always_true(text);
        let mut exhaustive = false;
        // Each further branch starts with all earlier conditions false.
        let mut cursor = node.walk();
        self.narrow_names(&checks.when_false, body.end_byte() as u32);
        for clause in node.fields("alternative", &mut cursor) {
            self.rebind_previous(branches.last(), clause.start_byte() as u32);
            let next = match clause.kind_name() {
                "else_clause" => {
                    exhaustive = true;
                    clause.field("body")
                }
                _ => clause.field("consequence"),
            };
            let mut holds = Vec::new();
            let before = self.dead;
            let mut after = before;
            let condition = clause.field("condition");
            if let Some(condition) = condition {
                self.visit_later_condition(condition, &mut branches);
                holds = self.type_checks(condition).when_true;
                let text = self.b.text(condition);
                self.dead |= is_always_false(text);
                after |= is_always_true(text);
            }
            if let Some(next) = next {
                branches.push(self.visit_branch(next, condition, &holds));
            }
            self.dead = after;
        }
        let is_rest_dead = std::mem::replace(&mut self.dead, outer_dead);
        self.current_frame().conditions -= u32::from(!plain);
        if !exhaustive {
            branches.push(Branch::empty().unless_dead(is_rest_dead));
        }
        let live = branches.iter().filter(|b| b.is_live()).count();
        let end = node.end_byte() as u32;
        self.join_branches(&branches, end);
        if live > 1 {
            self.undo_narrowing_since(whole, end);
        } else if branches[0].is_live() {
            let wrong = checks.when_false.iter().map(|(name, _)| *name);
            let wrong: Vec<NameId> = wrong
                .filter(|n| !checks.when_true.iter().any(|(held, _)| held == n))
                .collect();
            self.undo_narrowing_of(&wrong, end);
        }
        live > 0
    }

    /// Reads a block as a branch in which a condition holds and some names are narrowed.
    fn visit_branch(
        &mut self,
        body: Node<'_>,
        condition: Option<Node<'_>>,
        holds: &[(NameId, TypeId)],
    ) -> Branch {
        let mark = self.branch_start();
        self.bind_walruses_of(condition, body.start_byte() as u32);
        self.narrow_names(holds, body.start_byte() as u32);
        let live = self.visit_block(body);
        self.rollback_branch(mark, live)
    }

    pub(super) fn visit_except(&mut self, clause: Node<'_>) -> bool {
        let mut value = clause.field("value");
        let mut alias = clause.field("alias");
        if let Some(pattern) = value.filter(|v| v.kind_name() == "as_pattern") {
            alias = pattern.field("alias");
            value = pattern.named_child(0);
        }
        if let Some(value) = value {
            self.expr(value);
        }
        let alias_name = alias.map(|alias| {
            let inner = alias.named_child(0);
            inner
                .filter(|n| n.kind_name() == "identifier")
                .unwrap_or(alias)
        });
        let kind = match value {
            Some(_) => MarkKind::Catch,
            None => MarkKind::CatchAll,
        };
        self.b.add_file_mark(kind, alias_name, clause);
        if let (Some(value), Some(alias), Some(name)) = (value, alias, alias_name) {
            let ty = self.type_of_class_expr(value);
            let name = self.b.intern_node_text(name);
            self.bind_local(name, ty, None, alias.end_byte() as u32);
        }
        let mut live = true;
        let outer = std::mem::replace(&mut self.in_handler, true);
        for child in children(clause) {
            if child.kind_name() == "block" {
                live = self.visit_block(child);
            }
        }
        self.in_handler = outer;
        live
    }

    /// An error that is created where it is raised. Raising an error by its name alone shows no choice.
    fn mark_raise(&mut self, node: Node<'_>) {
        let cause = node.field("cause");
        let raised = children(node).into_iter().find(|c| Some(*c) != cause);
        let Some(made) = raised.filter(|r| r.kind_name() == "call") else {
            return;
        };
        let kind = match (self.in_handler, cause) {
            (false, _) => MarkKind::Throw,
            (true, Some(_)) => MarkKind::Rethrow,
            (true, None) => MarkKind::RethrowWithoutCause,
        };
        self.b.add_file_mark(kind, made.field("function"), node);
    }

    fn match_statement(&mut self, node: Node<'_>) -> bool {
        let mut cursor = node.walk();
        let subjects: Vec<Node<'_>> = node.fields("subject", &mut cursor).collect();
        let values: Vec<ExprId> = subjects.iter().map(|s| self.expr(*s)).collect();
        let subject = match values.as_slice() {
            [one] => *one,
            _ => self.b.add_expr(Expr::Tuple(values.into())),
        };
        let name = match subjects.as_slice() {
            [one] if one.kind_name() == "identifier" => Some(self.b.intern_node_text(*one)),
            _ => None,
        };
        let Some(body) = node.field("body") else {
            return true;
        };
        let mut branches: Vec<Branch> = Vec::new();
        let mut is_exhaustive = false;
        for clause in children(body) {
            if clause.kind_name() != "case_clause" {
                self.visit_statement(clause);
                continue;
            }
            self.rebind_previous(branches.last(), clause.start_byte() as u32);
            let mark = self.branch_start();
            self.bind_case_patterns(clause, subject, name);
            let guard = clause.field("guard");
            let refused = guard.map(|guard| {
                self.walk_children(guard);
                self.branch_since(mark)
            });
            let live = clause
                .field("consequence")
                .is_none_or(|b| self.visit_block(b));
            branches.push(self.rollback_branch(mark, live));
            if let Some(refused) = refused {
                // What a pattern captured stays if its guard fails.
                self.keep_unchanged(&mut branches, &refused);
                self.join_branches(&[Branch::empty(), refused], clause.end_byte() as u32);
            }
            is_exhaustive |= self.matches_all(clause);
        }
        if !is_exhaustive {
            branches.push(Branch::empty());
        }
        self.join_branches(&branches, node.end_byte() as u32);
        branches.iter().any(|b| b.is_live())
    }

    /// `case _:` and `case name:` match everything that earlier clauses left.
    fn matches_all(&self, clause: Node<'_>) -> bool {
        if clause.field("guard").is_some() {
            return false;
        }
        let parts = children(clause);
        let mut patterns = parts.iter().filter(|n| n.kind_name() == "case_pattern");
        let (Some(only), None) = (patterns.next(), patterns.next()) else {
            return false;
        };
        let text = self.b.text(*only);
        let is_name = text.chars().all(|c| c.is_alphanumeric() || c == '_');
        let is_value = matches!(text, "None" | "True" | "False");
        is_name && !is_value && !text.starts_with(|c: char| c.is_numeric())
    }

    /// Whether the current statement is under a condition of its module or class.
    pub(super) fn is_conditional(&mut self) -> bool {
        let frame = self.current_frame();
        frame.kind != FrameKind::Function && frame.conditions > 0
    }
}

/// Whether a condition holds for type checkers and every current Python version.
fn is_always_true(condition: &str) -> bool {
    let holds = |part: &str| {
        let part = part.trim();
        part == "TYPE_CHECKING"
            || part.ends_with(".TYPE_CHECKING") && !part.starts_with("not ")
            || is_todays_version(part) == Some(true)
    };
    !condition.contains(" and ") && condition.split(" or ").any(holds)
}

/// Whether a condition fails in every Python of today.
fn is_always_false(condition: &str) -> bool {
    let fails = |part: &str| is_todays_version(part.trim()) == Some(false);
    !condition.contains(" or ") && condition.split(" and ").any(fails)
}

/// Whether a condition on the version of Python holds in every one of today; nothing of other conditions.
fn is_todays_version(condition: &str) -> Option<bool> {
    if let Some(inner) = condition.strip_prefix("not ") {
        return is_todays_version(inner.trim()).map(|holds| !holds);
    }
    match condition.rsplit('.').next() {
        Some("PY2") => return Some(false),
        Some("PY3") => return Some(true),
        _ => {}
    }
    let rest = condition.strip_prefix("sys.version_info")?;
    let major = rest
        .strip_prefix("[0]")
        .or_else(|| rest.strip_prefix(".major"));
    let operator = major.unwrap_or(rest).trim_start();
    match (major, operator.as_bytes()) {
        (_, [b'>', ..]) | (Some(_), [b'=', b'=', b' ', b'3', ..]) => Some(true),
        (_, [b'<', ..]) | (Some(_), [b'=', b'=', b' ', b'2', ..]) => Some(false),
        _ => None,
    }
}
