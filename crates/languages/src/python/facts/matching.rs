//! What conditions and `case` patterns say about types, and the names that patterns bind.

use super::{Walker, children};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Names whose type a condition tells.
#[derive(Default)]
pub(super) struct Checks {
    /// Where it holds.
    pub(super) holds: Vec<(NameId, TypeId)>,
    /// Where it does not.
    pub(super) fails: Vec<(NameId, TypeId)>,
}

impl Walker<'_, '_> {
    /// What an (already walked) condition says.
    pub(super) fn checks(&mut self, condition: Node<'_>) -> Checks {
        let mut checks = Checks::default();
        if !self.b.enter() {
            return checks;
        }
        match condition.kind_name() {
            "parenthesized_expression" => {
                if let Some(inner) = condition.named_child(0) {
                    checks = self.checks(inner);
                }
            }
            "not_operator" => {
                if let Some(inner) = condition.field("argument") {
                    let inner = self.checks(inner);
                    checks.holds = inner.fails;
                    checks.fails = inner.holds;
                }
            }
            "boolean_operator" => self.logical_checks(condition, &mut checks),
            "call" => {
                if let Some(check) = self.isinstance(condition) {
                    checks.holds.push(check);
                }
            }
            _ => {}
        }
        self.b.leave();
        checks
    }

    fn logical_checks(&mut self, condition: Node<'_>, checks: &mut Checks) {
        let (Some(left), Some(right)) = (condition.field("left"), condition.field("right")) else {
            return;
        };
        let and = condition
            .field("operator")
            .is_some_and(|o| o.kind_name() == "and");
        for side in [left, right] {
            let side = self.checks(side);
            if and {
                checks.holds.extend(side.holds);
            } else {
                checks.fails.extend(side.fails);
            }
        }
    }

    fn isinstance(&mut self, call: Node<'_>) -> Option<(NameId, TypeId)> {
        let function = call.field("function")?;
        if function.kind_name() != "identifier" || self.b.text(function) != "isinstance" {
            return None;
        }
        let args = children(call.field("arguments")?);
        let [subject, class] = args.as_slice() else {
            return None;
        };
        if subject.kind_name() != "identifier" {
            return None;
        }
        let ty = self.type_of_class_expr(*class)?;
        Some((self.b.node_name(*subject), ty))
    }

    /// Binds what the patterns of a clause capture and narrows the subject.
    pub(super) fn case_patterns(
        &mut self,
        clause: Node<'_>,
        subject: ExprId,
        name: Option<NameId>,
    ) {
        let patterns: Vec<Node<'_>> = children(clause)
            .into_iter()
            .filter(|n| n.kind_name() == "case_pattern")
            .collect();
        let at = clause.start_byte() as u32;
        for (i, pattern) in patterns.iter().enumerate() {
            let part = match patterns.len() {
                1 => subject,
                _ => self.b.expr(Expr::Part(subject, i as u32)),
            };
            self.case_pattern(*pattern, part);
        }
        let [only] = patterns.as_slice() else { return };
        if let (Some(name), Some(ty)) = (name, self.pattern_type(*only)) {
            self.narrow(name, ty, at);
        }
    }

    /// The class that a pattern asks for.
    fn pattern_type(&mut self, pattern: Node<'_>) -> Option<TypeId> {
        let inner = match pattern.kind_name() {
            "case_pattern" | "as_pattern" => return self.pattern_type(pattern.named_child(0)?),
            "class_pattern" => pattern.named_child(0)?,
            "union_pattern" => {
                let types: Option<Vec<TypeId>> = children(pattern)
                    .into_iter()
                    .map(|p| self.pattern_type(p))
                    .collect();
                return Some(self.b.ty(TypeExpr::Union(types?.into())));
            }
            _ => return None,
        };
        self.type_of_class_expr(inner)
    }

    fn case_pattern(&mut self, node: Node<'_>, value: ExprId) {
        if !self.b.enter() {
            return;
        }
        let end = node.end_byte() as u32;
        match node.kind_name() {
            "case_pattern" | "union_pattern" => {
                for child in children(node) {
                    self.case_pattern(child, value);
                }
            }
            "as_pattern" => {
                let parts = children(node);
                if let [pattern, .., name] = parts.as_slice() {
                    self.case_pattern(*pattern, value);
                    let ty = self.pattern_type(*pattern);
                    let name = self.b.node_name(*name);
                    self.bind_local(name, ty, Some(value), end);
                }
            }
            "dotted_name" => match children(node).as_slice() {
                [name] if self.b.text(*name) != "_" => {
                    let name = self.b.node_name(*name);
                    self.bind_local(name, None, Some(value), end);
                }
                _ => self.mention_dotted(node),
            },
            "class_pattern" => self.class_pattern(node, value),
            "list_pattern" | "tuple_pattern" => {
                for (i, child) in children(node).into_iter().enumerate() {
                    let part = self.b.expr(Expr::Part(value, i as u32));
                    self.case_pattern(child, part);
                }
            }
            "splat_pattern" => {
                if let Some(name) = node.named_child(0) {
                    let name = self.b.node_name(name);
                    self.bind_local(name, None, None, end);
                }
            }
            "dict_pattern" => {
                let unknown = self.unknown();
                let item = self.b.expr(Expr::Index {
                    object: value,
                    index: unknown,
                });
                let mut cursor = node.walk();
                for child in node.fields("value", &mut cursor) {
                    self.case_pattern(child, item);
                }
            }
            _ => {}
        }
        self.b.leave();
    }

    fn class_pattern(&mut self, node: Node<'_>, value: ExprId) {
        let parts = children(node);
        let Some((class, patterns)) = parts.split_first() else {
            return;
        };
        self.mention_dotted(*class);
        let variant = self.dotted_expr(*class);
        let cast = match self.type_of_class_expr(*class) {
            Some(ty) => self.b.expr(Expr::Cast(value, ty)),
            None => value,
        };
        for (i, pattern) in patterns.iter().enumerate() {
            let inner = match pattern.kind_name() {
                "case_pattern" => pattern.named_child(0).unwrap_or(*pattern),
                _ => *pattern,
            };
            if inner.kind_name() == "keyword_pattern" {
                if let [name, inner] = children(inner).as_slice() {
                    let name = self.b.node_name(*name);
                    let member = self.b.expr(Expr::Member { object: cast, name });
                    self.case_pattern(*inner, member);
                }
                continue;
            }
            let payload = self.b.expr(Expr::Payload {
                value,
                variant,
                index: i as u32,
            });
            self.case_pattern(inner, payload);
        }
    }
}
