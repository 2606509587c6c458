//! What conditions and patterns say of variables.

use super::flow::Branch;
use super::{Walker, children};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// A variable is an instance of a class.
#[derive(Debug, Clone, Copy)]
pub(super) struct Check {
    variable: NameId,
    /// The variable, seen as that class.
    narrowed: ExprId,
}

/// What holds if a condition is true, and if it is false.
#[derive(Default)]
pub(super) struct Checks {
    pub(super) when_true: Vec<Check>,
    pub(super) when_false: Vec<Check>,
}

/// Deepest nesting of conditions and patterns that are looked at.
const MAX_NESTING: u32 = 32;

impl Walker<'_, '_> {
    /// What a condition says of local variables.
    pub(super) fn checks(&mut self, condition: Node<'_>) -> Checks {
        self.checks_inside(condition, 0)
    }

    fn checks_inside(&mut self, node: Node<'_>, nesting: u32) -> Checks {
        let mut out = Checks::default();
        if nesting > MAX_NESTING {
            return out;
        }
        match node.kind_name() {
            "parenthesized_statements" => {
                if let [only] = children(node)[..] {
                    return self.checks_inside(only, nesting + 1);
                }
            }
            "unary" => {
                let operator = node.field("operator").map_or("", |o| self.b.text(o));
                if let (true, Some(inner)) =
                    (matches!(operator, "!" | "not"), node.field("operand"))
                {
                    let found = self.checks_inside(inner, nesting + 1);
                    out.when_true = found.when_false;
                    out.when_false = found.when_true;
                }
            }
            "binary" => {
                let operator = node.field("operator").map_or("", |o| self.b.text(o));
                let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
                    return out;
                };
                match operator {
                    "&&" | "and" => {
                        out.when_true = self.checks_inside(left, nesting + 1).when_true;
                        let more = self.checks_inside(right, nesting + 1).when_true;
                        out.when_true.extend(more);
                    }
                    "||" | "or" => {
                        out.when_false = self.checks_inside(left, nesting + 1).when_false;
                        let more = self.checks_inside(right, nesting + 1).when_false;
                        out.when_false.extend(more);
                    }
                    "===" => out.when_true = self.class_checks(right, &[left]),
                    _ => {}
                }
            }
            "call" => {
                let name = node.field("method").map_or("", |m| self.b.text(m));
                let is_test = matches!(name, "is_a?" | "kind_of?" | "instance_of?");
                let arguments = node.field("arguments").map(children).unwrap_or_default();
                if let (true, Some(variable), [class]) =
                    (is_test, node.field("receiver"), &arguments[..])
                {
                    out.when_true = self.class_checks(variable, &[*class]);
                }
            }
            _ => {}
        }
        out
    }

    /// A variable is an instance of one of these constants.
    pub(super) fn class_checks(&mut self, variable: Node<'_>, classes: &[Node<'_>]) -> Vec<Check> {
        let is_class = |c: &Node<'_>| matches!(c.kind_name(), "constant" | "scope_resolution");
        if variable.kind_name() != "identifier"
            || classes.is_empty()
            || !classes.iter().all(is_class)
        {
            return Vec::new();
        }
        let known = self.b.find_name(self.b.text(variable));
        let Some(name) = known.filter(|name| self.variable(*name).is_some()) else {
            return Vec::new();
        };
        let narrowed = self.instance_of_any(classes);
        vec![Check {
            variable: name,
            narrowed,
        }]
    }

    /// An instance of one of several written classes.
    pub(super) fn instance_of_any(&mut self, classes: &[Node<'_>]) -> ExprId {
        let is_class = |c: &&Node<'_>| matches!(c.kind_name(), "constant" | "scope_resolution");
        let types: Vec<TypeId> = classes
            .iter()
            .filter(is_class)
            .map(|class| self.class_type(*class))
            .collect();
        if types.len() < classes.len() {
            return self.unknown;
        }
        let ty = match types[..] {
            [one] => one,
            _ => self.b.add_type(TypeExpr::Union(types.into())),
        };
        self.b.add_expr(Expr::Cast(self.unknown, ty))
    }

    /// Lets checks hold from here on.
    pub(super) fn narrow(&mut self, checks: &[Check]) {
        for check in checks {
            self.set_variable(check.variable, check.narrowed);
        }
    }

    /// Checks end with their branch.
    pub(super) fn drop_checks(&mut self, branch: &mut Branch, checks: &[Check]) {
        branch.drop_values(|name, value| {
            let same = |c: &Check| c.variable == name && c.narrowed == value;
            checks.iter().any(same)
        });
    }

    /// Binds the variables of a pattern.
    pub(super) fn bind_pattern(&mut self, pattern: Node<'_>, value: ExprId) {
        self.bind_pattern_inside(pattern, value, 0);
    }

    fn bind_pattern_inside(&mut self, pattern: Node<'_>, value: ExprId, nesting: u32) {
        if nesting > MAX_NESTING {
            return;
        }
        match pattern.kind_name() {
            "identifier" => {
                let name = self.b.intern_node_text(pattern);
                self.set_variable(name, value);
            }
            "as_pattern" => {
                let inner = pattern.field("value");
                let mut value = value;
                if let Some(inner) = inner {
                    if matches!(inner.kind_name(), "constant" | "scope_resolution") {
                        value = self.instance_of_any(&[inner]);
                    }
                    self.bind_pattern_inside(inner, value, nesting + 1);
                }
                if let Some(name) = pattern.field("name") {
                    self.bind_pattern_inside(name, value, nesting + 1);
                }
            }
            "keyword_pattern" => {
                let unknown = self.unknown;
                match (pattern.field("value"), pattern.field("key")) {
                    (Some(value), _) => self.bind_pattern_inside(value, unknown, nesting + 1),
                    (None, Some(key)) => {
                        let name = self.b.intern_node_text(key);
                        self.set_variable(name, unknown);
                    }
                    _ => {}
                }
            }
            "constant" | "scope_resolution" => {
                self.constant(pattern);
            }
            "splat_parameter" | "hash_splat_parameter" => {
                if let Some(name) = pattern.field("name") {
                    let name = self.b.intern_node_text(name);
                    self.set_variable(name, self.unknown);
                }
            }
            "array_pattern"
            | "find_pattern"
            | "hash_pattern"
            | "parenthesized_pattern"
            | "alternative_pattern" => self.bind_parts(pattern, value, nesting),
            _ => self.children_of(pattern),
        }
    }

    fn bind_parts(&mut self, pattern: Node<'_>, value: ExprId, nesting: u32) {
        if let Some(class) = pattern.field("class") {
            self.constant(class);
        }
        let is_same = matches!(
            pattern.kind_name(),
            "parenthesized_pattern" | "alternative_pattern"
        );
        let class = pattern.field("class");
        let mut parts = children(pattern);
        parts.retain(|part| Some(*part) != class);
        for part in parts {
            let value = if is_same { value } else { self.unknown };
            self.bind_pattern_inside(part, value, nesting + 1);
        }
    }
}
