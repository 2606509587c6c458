//! Conditions that say which class a variable's value has.

use super::flow::Check;
use super::{Walker, children, first_child, is_name};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Most operands of one condition that are looked at.
const MAX_NESTING: u32 = 24;

/// What a condition says of variables.
#[derive(Default)]
pub(super) struct Checks {
    pub(super) when_true: Vec<(NameId, Check)>,
    pub(super) when_false: Vec<(NameId, Check)>,
}

impl Walker<'_, '_> {
    /// The checks of a condition that was already read.
    pub(super) fn checks(&mut self, condition: Node<'_>) -> Checks {
        self.checks_at(condition, 0)
    }

    fn checks_at(&mut self, node: Node<'_>, nesting: u32) -> Checks {
        if nesting > MAX_NESTING {
            return Checks::default();
        }
        match node.kind_name() {
            "parenthesized_expression" | "expression_statement" => first_child(node)
                .map(|inner| self.checks_at(inner, nesting + 1))
                .unwrap_or_default(),
            "unary_op_expression" => {
                let operator = node.field("operator").map(|o| self.b.text(o));
                let (Some("!"), Some(inner)) = (operator, node.field("argument")) else {
                    return Checks::default();
                };
                let found = self.checks_at(inner, nesting + 1);
                Checks {
                    when_true: found.when_false,
                    when_false: found.when_true,
                }
            }
            "binary_expression" => self.binary_checks(node, nesting),
            "function_call_expression" => self.is_a(node),
            _ => Checks::default(),
        }
    }

    fn binary_checks(&mut self, node: Node<'_>, nesting: u32) -> Checks {
        let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
            return Checks::default();
        };
        let operator = node.field("operator").map_or("", |o| self.b.text(o));
        match &*operator.to_ascii_lowercase() {
            "instanceof" => {
                let (Some(name), true) = (self.checked_variable(left), is_name(right)) else {
                    return Checks::default();
                };
                let ty = self.class_type(right);
                Checks {
                    when_true: vec![(name, Check::Is(ty))],
                    when_false: vec![(name, Check::IsNot(ty))],
                }
            }
            "&&" | "and" => {
                let mut found = self.checks_at(left, nesting + 1);
                found
                    .when_true
                    .extend(self.checks_at(right, nesting + 1).when_true);
                // It may be any of them that does not hold.
                found.when_false = Vec::new();
                found
            }
            "||" | "or" => self.either_check(left, right, nesting),
            _ => Checks::default(),
        }
    }

    /// `$x instanceof A || $x instanceof B`.
    fn either_check(&mut self, left: Node<'_>, right: Node<'_>, nesting: u32) -> Checks {
        let left = self.checks_at(left, nesting + 1);
        let right = self.checks_at(right, nesting + 1);
        let mut out = Checks {
            when_true: Vec::new(),
            when_false: left.when_false,
        };
        out.when_false.extend(right.when_false);
        if let ([(one, Check::Is(a))], [(other, Check::Is(b))]) =
            (&left.when_true[..], &right.when_true[..])
            && one == other
        {
            let ty = self.b.add_type(TypeExpr::Union(Box::from([*a, *b])));
            out.when_true.push((*one, Check::Is(ty)));
        }
        out
    }

    /// `is_a($x, A::class)`.
    fn is_a(&mut self, node: Node<'_>) -> Checks {
        let mut out = Checks::default();
        let called = node.field("function").map(|f| self.b.text(f));
        if called.map(|name| name.trim_start_matches('\\')) != Some("is_a") {
            return out;
        }
        let arguments = node.field("arguments").map(children).unwrap_or_default();
        let values: Vec<Node<'_>> = arguments.into_iter().filter_map(first_child).collect();
        let [value, class] = values[..] else {
            return out;
        };
        let Some(name) = self.checked_variable(value) else {
            return out;
        };
        if let Some(class) = self.class_constant(class) {
            let ty = self.class_type(class);
            out.when_true.push((name, Check::Is(ty)));
            out.when_false.push((name, Check::IsNot(ty)));
        }
        out
    }

    /// The class in `A::class`.
    pub(super) fn class_constant<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        if node.kind_name() != "class_constant_access_expression" {
            return None;
        }
        let parts = children(node);
        let [class, word] = parts[..] else {
            return None;
        };
        let is_class = self.b.text(word).eq_ignore_ascii_case("class");
        let is_fixed = is_name(class) || class.kind_name() == "relative_scope";
        (is_class && is_fixed).then_some(class)
    }

    /// The variable that a check is about: one by its name, or one that is assigned in the check.
    pub(super) fn checked_variable(&mut self, node: Node<'_>) -> Option<NameId> {
        match node.kind_name() {
            "variable_name" if self.b.text(node) != "$this" => Some(self.b.intern_node_text(node)),
            "member_access_expression" => self.own_property(node),
            "parenthesized_expression" => self.checked_variable(first_child(node)?),
            "assignment_expression" => {
                let left = node.field("left")?;
                (left.kind_name() == "variable_name").then(|| self.b.intern_node_text(left))
            }
            _ => None,
        }
    }

    /// The name under which the value of `$this->name` is known while a check holds.
    pub(super) fn own_property(&mut self, node: Node<'_>) -> Option<NameId> {
        let object = node.field("object")?;
        let name = node.field("name").filter(|n| n.kind_name() == "name")?;
        let is_own = object.kind_name() == "variable_name" && self.b.text(object) == "$this";
        is_own.then(|| {
            let name = self.b.text(name);
            self.b.intern_owned_name(&format!("$this->{name}"))
        })
    }
}
