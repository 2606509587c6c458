//! Statements: blocks, loops, branches, handlers, assignments.

use super::{Walker, code_children, is_comment, is_type, word_child};
use base::MarkKind;
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Most arms of a `when` that contribute to its type.
const MAX_ARMS: usize = 8;
/// Maximum number of bytes of a thrown expression that are searched for the caught error.
const LONGEST_ARGUMENTS: usize = 4_000;

impl<'s> Walker<'_, 's> {
    /// Reads the declarations and statements inside a node, in the current scope.
    pub(super) fn statements(&mut self, node: Node<'_>) {
        self.block_contents(node);
    }

    /// Reads the statements inside a node; the value of the last one.
    pub(super) fn block_contents(&mut self, node: Node<'_>) -> ExprId {
        let mut last = None;
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if is_comment(child) {
                self.comment(child);
            } else {
                last = self.statement(child);
                self.narrow_after(child);
            }
        }
        match last {
            Some(value) => value,
            None => self.b.add_expr(Expr::Unknown),
        }
    }

    pub(super) fn block(&mut self, node: Node<'_>) -> ExprId {
        self.b.open_scope(ScopeKind::Block, None);
        let value = self.block_contents(node);
        self.b.close_scope();
        value
    }

    /// Reads a declaration, statement or expression; the value of an expression.
    pub(super) fn statement(&mut self, node: Node<'_>) -> Option<ExprId> {
        if !self.b.enter_level() {
            return None;
        }
        let value = self.statement_inner(node);
        self.b.leave_level();
        value
    }

    fn statement_inner(&mut self, node: Node<'_>) -> Option<ExprId> {
        match node.kind_name() {
            "package_header" => self.package_header(node),
            "import" => self.import(node),
            "file_annotation" => self.file_annotation(node),
            "class_declaration" => self.class_declaration(node),
            "object_declaration" => self.object_declaration(node),
            "companion_object" => self.companion_object(node),
            "function_declaration" => self.function_declaration(node),
            "property_declaration" => self.property_declaration(node),
            "type_alias" => self.type_alias(node),
            "enum_entry" => self.enum_entry(node),
            "secondary_constructor" => self.secondary_constructor(node),
            "anonymous_initializer" => self.initializer(node),
            "assignment" => self.assignment(node),
            "for_statement" => self.for_statement(node),
            "while_statement" | "do_while_statement" => self.while_statement(node),
            "block" => return Some(self.block(node)),
            "shebang" | "label" | "modifiers" => {}
            "ERROR" => self.statements(node),
            _ if is_type(node) => {}
            _ => return Some(self.expr(node)),
        }
        None
    }

    fn for_statement(&mut self, node: Node<'_>) {
        self.b.open_scope(ScopeKind::Block, None);
        self.annotations_in(node);
        let children = code_children(node);
        let word = word_child(node, "in").map_or(node.end_byte(), |word| word.end_byte());
        let mut behind = children.iter().filter(|c| c.start_byte() >= word);
        let value = behind.next().map(|value| self.expr(*value));
        let body = behind.next().copied();
        let from = body.map_or(node.end_byte(), |body| body.start_byte()) as u32;
        let element = value.map(|value| self.b.add_expr(Expr::Element(value)));
        if let Some(list) = child_of_kind(node, "multi_variable_declaration") {
            if let Some(element) = element {
                self.destructure(list, element, from);
            }
        } else if let Some(variable) = child_of_kind(node, "variable_declaration") {
            let ty = code_children(variable).into_iter().find(|c| is_type(*c));
            let ty = ty.map(|ty| self.ty(ty));
            if let Some(name) = child_of_kind(variable, "identifier") {
                self.bind_local(name, from, ty, element);
            }
        }
        if let Some(body) = body {
            self.statement(body);
        }
        self.b.close_scope();
    }

    fn while_statement(&mut self, node: Node<'_>) {
        self.b.open_scope(ScopeKind::Block, None);
        let condition = node.field("condition");
        for child in code_children(node) {
            self.statement(child);
            if Some(child) == condition {
                self.narrow(child, true, child.end_byte() as u32);
            }
        }
        self.b.close_scope();
    }

    fn assignment(&mut self, node: Node<'_>) {
        let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
            return;
        };
        let sign = node.field("operator").map_or("=", |sign| self.b.text(sign));
        let left = unwrapped(left);
        if left.kind_name() == "index_expression" {
            return self.indexed_assignment(left, right, sign);
        }
        let target = self.write_target(left);
        let value = self.expr(right);
        self.expect_assigned(value, target);
        if sign != "=" {
            self.compound_assignment(target, value, sign, node);
        }
    }

    /// A lambda that is assigned has the type of the target.
    fn expect_assigned(&mut self, value: ExprId, target: ExprId) {
        if let Expr::Function(def) = self.b.facts().expr(value) {
            let def = *def;
            self.b.def_mut(def).value = Some(target);
        }
    }

    /// The target of a write.
    pub(super) fn write_target(&mut self, node: Node<'_>) -> ExprId {
        match node.kind_name() {
            "identifier" => {
                let expr = self.name_expr(node);
                self.b.add_write(expr, node);
                expr
            }
            "navigation_expression" => {
                let (expr, name) = self.navigation(node);
                if let Some(name) = name {
                    self.b.add_write(expr, name);
                }
                expr
            }
            _ => self.expr(node),
        }
    }

    /// Reads a chain of `else if` in a loop, since it can be long.
    pub(super) fn if_expression(&mut self, node: Node<'_>) -> ExprId {
        let mut node = node;
        let mut values = Vec::new();
        let mut opened = 0;
        while let Some(condition) = node.field("condition") {
            self.expr(condition);
            let (then, otherwise) = branches(node, condition);
            let is_statement = otherwise.is_none();
            if let Some(then) = then {
                values.push(self.branch(then, condition, true));
            }
            match otherwise {
                Some(next) if next.kind_name() == "if_expression" => {
                    self.b.open_scope(ScopeKind::Block, None);
                    opened += 1;
                    self.narrow(condition, false, next.start_byte() as u32);
                    node = next;
                }
                Some(other) => {
                    values.push(self.branch(other, condition, false));
                    break;
                }
                None => {
                    if is_statement {
                        values.push(self.b.add_expr(Expr::Unknown));
                    }
                    break;
                }
            }
        }
        for _ in 0..opened {
            self.b.close_scope();
        }
        self.one_of(values)
    }

    fn branch(&mut self, node: Node<'_>, condition: Node<'_>, holds: bool) -> ExprId {
        self.b.open_scope(ScopeKind::Block, None);
        self.narrow(condition, holds, node.start_byte() as u32);
        let value = self.statement(node);
        self.b.close_scope();
        match value {
            Some(value) => value,
            None => self.b.add_expr(Expr::Unknown),
        }
    }

    /// One of several values.
    pub(super) fn one_of(&mut self, mut values: Vec<ExprId>) -> ExprId {
        values.truncate(MAX_ARMS);
        match values[..] {
            [] => self.b.add_expr(Expr::Unknown),
            [one] => one,
            _ => self.b.add_expr(Expr::Either(values.into())),
        }
    }

    pub(super) fn when_expression(&mut self, node: Node<'_>) -> ExprId {
        self.b.open_scope(ScopeKind::Block, None);
        let subject = child_of_kind(node, "when_subject");
        let subject = subject.and_then(|subject| self.when_subject(subject));
        let mut values = Vec::new();
        for entry in super::children_of_kind(node, "when_entry") {
            if self.b.enter_level() {
                values.push(self.when_entry(entry, subject));
                self.b.leave_level();
            }
        }
        self.b.close_scope();
        self.one_of(values)
    }

    /// Reads the subject of a `when`; the name of the value, if it has one, and the value.
    fn when_subject(&mut self, node: Node<'_>) -> Option<(NameId, ExprId)> {
        let value_node = code_children(node).pop()?;
        let value = self.expr(value_node);
        if let Some(variable) = child_of_kind(node, "variable_declaration") {
            let ty = code_children(variable).into_iter().find(|c| is_type(*c));
            let ty = ty.map(|ty| self.ty(ty));
            let name = child_of_kind(variable, "identifier")?;
            self.bind_local(name, node.end_byte() as u32, ty, Some(value));
            let at = node.end_byte() as u32;
            let scope = self.b.current_scope();
            let name = self.name(name);
            let value = self.b.add_expr(Expr::Name { name, scope, at });
            return Some((name, value));
        }
        self.checked_name(value_node).map(|name| (name, value))
    }

    fn when_entry(&mut self, node: Node<'_>, subject: Option<(NameId, ExprId)>) -> ExprId {
        self.b.open_scope(ScopeKind::Block, None);
        let mut cursor = node.walk();
        let conditions: Vec<Node<'_>> = node.fields("condition", &mut cursor).collect();
        let mut types = Vec::new();
        let mut first = None;
        for condition in conditions.iter().copied().filter(|c| c.is_named()) {
            first = first.or(Some(condition));
            match condition.kind_name() {
                "type_test" => {
                    let is_positive = word_child(condition, "is").is_some();
                    let written = code_children(condition).into_iter().find(|c| is_type(*c));
                    if let Some(ty) = written.map(|written| self.ty(written))
                        && is_positive
                    {
                        types.push(ty);
                    }
                }
                "range_test" => {
                    for child in code_children(condition) {
                        self.expr(child);
                    }
                }
                _ => {
                    self.expr(condition);
                }
            }
        }
        let body = code_children(node)
            .into_iter()
            .rfind(|c| !conditions.contains(c));
        let from = body.map_or(node.end_byte(), |body| body.start_byte()) as u32;
        match (subject, &types[..]) {
            (Some((name, value)), [ty]) => self.bind_check(name, *ty, value, from),
            (Some((name, value)), [_, ..]) => {
                let ty = self.b.add_type(TypeExpr::Union(types.into()));
                self.bind_check(name, ty, value, from);
            }
            (None, _) if conditions.len() == 1 => {
                if let Some(condition) = first {
                    self.narrow(condition, true, from);
                }
            }
            _ => {}
        }
        let value = body.and_then(|body| self.statement(body));
        self.b.close_scope();
        match value {
            Some(value) => value,
            None => self.b.add_expr(Expr::Unknown),
        }
    }

    pub(super) fn try_expression(&mut self, node: Node<'_>) -> ExprId {
        let mut values = Vec::new();
        for child in code_children(node) {
            match child.kind_name() {
                "block" => values.push(self.block(child)),
                "catch_block" => values.push(self.catch(child)),
                _ => {
                    if let Some(block) = child_of_kind(child, "block") {
                        self.block(block);
                    }
                }
            }
        }
        self.one_of(values)
    }

    fn catch(&mut self, node: Node<'_>) -> ExprId {
        self.b.open_scope(ScopeKind::Block, None);
        self.annotations_in(node);
        let name = child_of_kind(node, "identifier");
        let ty = code_children(node).into_iter().find(|c| is_type(*c));
        let ty = ty.map(|ty| self.ty(ty));
        if let Some(name) = name {
            self.bind_local(name, name.start_byte() as u32, ty, None);
        }
        self.b.add_file_mark(MarkKind::Catch, name, node);
        self.handlers
            .push(name.map_or("", |name| self.b.text(name)));
        let block = child_of_kind(node, "block");
        let value = match block {
            Some(block) => self.block(block),
            None => self.b.add_expr(Expr::Unknown),
        };
        self.handlers.pop();
        self.b.close_scope();
        value
    }

    /// `throw value`.
    pub(super) fn throw(&mut self, node: Node<'_>) -> ExprId {
        self.mark_throw(node);
        if let Some(value) = super::first_code_child(node) {
            self.expr(value);
        }
        self.b.add_expr(Expr::Literal(Primitive::Null))
    }

    /// Marks an error that is created where it is thrown. The handled error may be its cause.
    fn mark_throw(&mut self, node: Node<'_>) {
        let made = super::first_code_child(node);
        let Some(made) = made.filter(|c| c.kind_name() == "call_expression") else {
            return;
        };
        let kind = match self.handlers.last() {
            None => MarkKind::Throw,
            Some(caught) if !caught.is_empty() && self.mentions(made, caught) => MarkKind::Rethrow,
            Some(_) => MarkKind::RethrowWithoutCause,
        };
        let name = super::first_code_child(made);
        self.b.add_file_mark(kind, name, node);
    }

    /// Whether a word occurs in the arguments that create an error.
    fn mentions(&self, made: Node<'_>, word: &str) -> bool {
        let arguments = child_of_kind(made, "value_arguments").map_or("", |l| self.b.text(l));
        let arguments = syntax::builder::head(arguments, LONGEST_ARGUMENTS);
        let mut words = arguments.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|part| part == word)
    }

    /// `return value`, `return@name value`.
    pub(super) fn return_expression(&mut self, node: Node<'_>) -> ExprId {
        let label = node.field("label");
        let value = code_children(node)
            .into_iter()
            .rfind(|child| Some(*child) != label);
        let text = label.map(|label| self.b.text(label));
        let wanted = self.frames.iter().rposition(|frame| match text {
            Some(text) => frame.label == text,
            None => !frame.is_lambda,
        });
        if let Some(value) = value {
            let ret = wanted.and_then(|at| self.frames[at].ret);
            let value = self.expr_expecting(value, ret);
            if let Some(frame) = wanted.and_then(|at| self.frames.get_mut(at)) {
                frame.returns.push(value);
            }
        }
        self.b.add_expr(Expr::Literal(Primitive::Null))
    }
}

/// What a node stands for behind parentheses and labels.
pub(super) fn unwrapped(node: Node<'_>) -> Node<'_> {
    let mut node = node;
    while node.kind_name() == "parenthesized_expression" {
        match super::first_code_child(node) {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}

/// The branches of an `if`.
pub(super) fn branches<'t>(
    node: Node<'t>,
    condition: Node<'_>,
) -> (Option<Node<'t>>, Option<Node<'t>>) {
    let word = word_child(node, "else").map(|word| word.start_byte());
    let behind = code_children(node)
        .into_iter()
        .filter(|child| child.start_byte() >= condition.end_byte());
    let (mut then, mut otherwise) = (None, None);
    for child in behind {
        if word.is_some_and(|word| child.start_byte() > word) {
            otherwise = otherwise.or(Some(child));
        } else {
            then = then.or(Some(child));
        }
    }
    (then, otherwise)
}
