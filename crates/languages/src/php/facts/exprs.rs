//! Expressions.

use super::{Walker, children, end, first_child, start};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Most elements of an array that are kept.
const MOST_ELEMENTS: usize = 64;

impl Walker<'_, '_> {
    /// Reads an expression.
    pub(super) fn expr(&mut self, node: Node<'_>) -> ExprId {
        if !self.b.enter_level() {
            return self.b.add_expr(Expr::Unknown);
        }
        let found = self.expr_inside(node);
        self.b.leave_level();
        found
    }

    fn expr_inside(&mut self, node: Node<'_>) -> ExprId {
        match node.kind_name() {
            "variable_name" => self.variable(node),
            "name" | "qualified_name" | "relative_name" => self.constant(node),
            "member_access_expression" | "nullsafe_member_access_expression" => self.member(node),
            "scoped_property_access_expression" => self.static_property(node),
            "class_constant_access_expression" => self.class_member(node),
            "function_call_expression" => self.function_call(node),
            "member_call_expression" | "nullsafe_member_call_expression" => self.method_call(node),
            "scoped_call_expression" => self.static_call(node),
            "object_creation_expression" => self.creation(node),
            "assignment_expression" | "reference_assignment_expression" => self.assignment(node),
            "augmented_assignment_expression" => self.augmented(node),
            "anonymous_function" => self.closure(node),
            "arrow_function" => self.arrow_function(node),
            "conditional_expression" => self.conditional(node),
            "match_expression" => self.match_expression(node),
            "binary_expression" => self.binary(node),
            "unary_op_expression" => self.unary(node),
            "array_creation_expression" => self.array(node),
            "subscript_expression" => self.subscript(node),
            "parenthesized_expression" | "error_suppression_expression" | "by_ref" => {
                self.inner(node)
            }
            "clone_expression" => self.inner(node),
            "cast_expression" => self.cast(node),
            "include_expression"
            | "include_once_expression"
            | "require_expression"
            | "require_once_expression" => self.include(node),
            "yield_expression" => self.yielded(node),
            "throw_expression" => {
                self.read_children(node);
                self.b.add_expr(Expr::Unknown)
            }
            "attribute_list" => {
                self.attributes(node, None);
                self.b.add_expr(Expr::Unknown)
            }
            kind => self.literal(node, kind),
        }
    }

    fn literal(&mut self, node: Node<'_>, kind: &str) -> ExprId {
        let primitive = match kind {
            "string" | "nowdoc" => Primitive::String,
            "encapsed_string" | "heredoc" | "heredoc_body" | "shell_command_expression" => {
                self.read_children(node);
                Primitive::String
            }
            "integer" => Primitive::Int,
            "float" => Primitive::Float,
            "boolean" => Primitive::Bool,
            "null" => Primitive::Null,
            "update_expression" => {
                self.read_children(node);
                Primitive::Int
            }
            _ => {
                // A part of a damaged source may be any statement.
                if kind == "ERROR" || kind.ends_with("_statement") {
                    self.block(node);
                } else {
                    self.read_children(node);
                }
                return self.b.add_expr(Expr::Unknown);
            }
        };
        self.b.add_expr(Expr::Literal(primitive))
    }

    /// The value of the only child.
    fn inner(&mut self, node: Node<'_>) -> ExprId {
        match first_child(node) {
            Some(inner) => self.expr(inner),
            None => self.b.add_expr(Expr::Unknown),
        }
    }

    fn variable(&mut self, node: Node<'_>) -> ExprId {
        if self.b.text(node) == "$this" {
            return match self.current_type() {
                Some(class) => self.b.add_expr(Expr::This(class)),
                None => self.b.add_expr(Expr::Unknown),
            };
        }
        self.b.add_name_expr(node)
    }

    fn cast(&mut self, node: Node<'_>) -> ExprId {
        let value = match node.field("value") {
            Some(value) => self.expr(value),
            None => self.b.add_expr(Expr::Unknown),
        };
        let kind = node.field("type").map_or("", |ty| self.b.text(ty));
        let made = match &*kind.to_ascii_lowercase() {
            "int" | "integer" => Expr::Literal(Primitive::Int),
            "float" | "double" | "real" => Expr::Literal(Primitive::Float),
            "string" | "binary" => Expr::Literal(Primitive::String),
            "bool" | "boolean" => Expr::Literal(Primitive::Bool),
            "array" => return value,
            _ => Expr::Unknown,
        };
        self.b.add_expr(made)
    }

    fn conditional(&mut self, node: Node<'_>) -> ExprId {
        let Some(condition) = node.field("condition") else {
            self.read_children(node);
            return self.b.add_expr(Expr::Unknown);
        };
        let tested = self.expr(condition);
        let found = self.checks(condition);
        let mut parts = Vec::new();
        match node.field("body") {
            Some(body) => {
                let before = self.narrow(&found.when_true, start(body));
                parts.push(self.expr(body));
                self.widen(&before, end(body));
            }
            None => parts.push(tested),
        }
        if let Some(other) = node.field("alternative") {
            let before = self.narrow(&found.when_false, start(other));
            parts.push(self.expr(other));
            self.widen(&before, end(node));
        }
        self.b.add_expr(Expr::Either(parts.into()))
    }

    fn match_expression(&mut self, node: Node<'_>) -> ExprId {
        let condition = node.field("condition");
        if let Some(condition) = condition {
            self.expr(condition);
        }
        let by_condition = condition.is_some_and(|c| self.b.text(c).eq_ignore_ascii_case("(true)"));
        let mut parts = Vec::new();
        for arm in node.field("body").map(children).unwrap_or_default() {
            let mut before = Vec::new();
            if let Some(tests) = arm.field("conditional_expressions") {
                self.read_children(tests);
                if let (true, [only]) = (by_condition, &children(tests)[..]) {
                    let found = self.checks(*only);
                    before = self.narrow(&found.when_true, end(tests));
                }
            }
            if let Some(value) = arm.field("return_expression") {
                let result = self.expr(value);
                if parts.len() < MOST_ELEMENTS {
                    parts.push(result);
                }
            }
            self.widen(&before, end(arm));
        }
        self.b.add_expr(Expr::Either(parts.into()))
    }

    fn binary(&mut self, node: Node<'_>) -> ExprId {
        let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
            self.read_children(node);
            return self.b.add_expr(Expr::Unknown);
        };
        let operator = node.field("operator").map_or("", |o| self.b.text(o));
        let first = self.expr(left);
        match &*operator.to_ascii_lowercase() {
            "instanceof" => {
                if super::is_name(right) {
                    let ty = self.class_type(right);
                    let place = self.last_segment(right);
                    self.mention_type(ty, place);
                } else {
                    self.expr(right);
                }
                self.b.add_expr(Expr::Literal(Primitive::Bool))
            }
            word @ ("&&" | "and" | "||" | "or") => {
                let found = self.checks(left);
                let holds = if matches!(word, "&&" | "and") {
                    found.when_true
                } else {
                    found.when_false
                };
                let before = self.narrow(&holds, start(right));
                self.expr(right);
                self.widen(&before, end(node));
                self.b.add_expr(Expr::Literal(Primitive::Bool))
            }
            "??" => {
                let second = self.expr(right);
                self.b.add_expr(Expr::Either(Box::from([first, second])))
            }
            "." => {
                self.expr(right);
                self.b.add_expr(Expr::Literal(Primitive::String))
            }
            "==" | "===" | "!=" | "!==" | "<>" | "<" | ">" | "<=" | ">=" | "xor" => {
                self.expr(right);
                self.b.add_expr(Expr::Literal(Primitive::Bool))
            }
            _ => {
                let second = self.expr(right);
                self.b.add_expr(Expr::Operation(first, second))
            }
        }
    }

    fn unary(&mut self, node: Node<'_>) -> ExprId {
        let value = match node.field("argument") {
            Some(argument) => self.expr(argument),
            None => self.inner(node),
        };
        if node.field("operator").map(|o| self.b.text(o)) == Some("!") {
            return self.b.add_expr(Expr::Literal(Primitive::Bool));
        }
        value
    }

    fn array(&mut self, node: Node<'_>) -> ExprId {
        if let Some(callable) = self.callable_array(node) {
            return callable;
        }
        let mut values = Vec::new();
        for item in children(node) {
            if item.kind_name() != "array_element_initializer" {
                self.expr(item);
                continue;
            }
            let parts = children(item);
            let Some((value, keys)) = parts.split_last() else {
                continue;
            };
            for key in keys {
                self.expr(*key);
            }
            let value = match value.kind_name() {
                "variadic_unpacking" => {
                    let inner = self.inner(*value);
                    self.b.add_expr(Expr::Element(inner))
                }
                _ => self.expr(*value),
            };
            if values.len() < MOST_ELEMENTS {
                values.push(value);
            }
        }
        self.b.add_expr(Expr::List(values.into()))
    }

    fn subscript(&mut self, node: Node<'_>) -> ExprId {
        let parts = children(node);
        let Some((object, index)) = parts.split_first() else {
            return self.b.add_expr(Expr::Unknown);
        };
        let object = self.expr(*object);
        let Some(index) = index.first() else {
            let index = self.b.add_expr(Expr::Unknown);
            return self.b.add_expr(Expr::Index { object, index });
        };
        if index.kind_name() == "integer"
            && let Ok(position) = self.b.text(*index).parse()
        {
            return self.b.add_expr(Expr::Part(object, position));
        }
        let index = self.expr(*index);
        self.b.add_expr(Expr::Index { object, index })
    }

    fn yielded(&mut self, node: Node<'_>) -> ExprId {
        self.frame().is_generator = true;
        let is_from = super::has_word(node, "from");
        for child in children(node) {
            let value = match child.kind_name() {
                "array_element_initializer" => {
                    let parts = children(child);
                    let mut last = None;
                    for part in parts {
                        last = Some(self.expr(part));
                    }
                    last
                }
                _ => Some(self.expr(child)),
            };
            let Some(value) = value else { continue };
            let value = if is_from {
                self.b.add_expr(Expr::Element(value))
            } else {
                value
            };
            let yields = &mut self.frame().yields;
            if yields.len() < 4 {
                yields.push(value);
            }
        }
        self.b.add_expr(Expr::Unknown)
    }
}
