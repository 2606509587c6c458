//! Types that follow from conditions and `case` patterns, and names that patterns bind.

use super::{Walker, children};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Names whose type a condition determines.
#[derive(Default)]
pub(super) struct TypeChecks {
    /// Types if the condition is true.
    pub(super) when_true: Vec<(NameId, TypeId)>,
    /// Types if it is false.
    pub(super) when_false: Vec<(NameId, TypeId)>,
}

impl Walker<'_, '_> {
    /// The types that follow from a condition, which must be read already.
    pub(super) fn type_checks(&mut self, condition: Node<'_>) -> TypeChecks {
        let mut checks = TypeChecks::default();
        if !self.b.enter_level() {
            return checks;
        }
        match condition.kind_name() {
            "parenthesized_expression" => {
                if let Some(inner) = condition.named_child(0) {
                    checks = self.type_checks(inner);
                }
            }
            "not_operator" => {
                if let Some(inner) = condition.field("argument") {
                    let inner = self.type_checks(inner);
                    checks.when_true = inner.when_false;
                    checks.when_false = inner.when_true;
                }
            }
            "boolean_operator" => self.logical_type_checks(condition, &mut checks),
            "call" => {
                if let Some(check) = self.isinstance_check(condition) {
                    checks.when_true.push(check);
                }
            }
            _ => {}
        }
        self.b.leave_level();
        checks
    }

    fn logical_type_checks(&mut self, condition: Node<'_>, checks: &mut TypeChecks) {
        let (Some(left), Some(right)) = (condition.field("left"), condition.field("right")) else {
            return;
        };
        let and = condition
            .field("operator")
            .is_some_and(|o| o.kind_name() == "and");
        for side in [left, right] {
            let side = self.type_checks(side);
            if and {
                checks.when_true.extend(side.when_true);
            } else {
                checks.when_false.extend(side.when_false);
            }
        }
    }

    fn isinstance_check(&mut self, call: Node<'_>) -> Option<(NameId, TypeId)> {
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
        Some((self.b.intern_node_text(*subject), ty))
    }

    /// Binds what the patterns of a clause capture and narrows the subject.
    pub(super) fn bind_case_patterns(
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
                _ => self.b.add_expr(Expr::Part(subject, i as u32)),
            };
            self.bind_case_pattern(*pattern, part);
        }
        let [only] = patterns.as_slice() else { return };
        if let (Some(name), Some(ty)) = (name, self.type_required_by_pattern(*only)) {
            self.narrow_name(name, ty, at);
        }
    }

    /// The class that a pattern requires.
    fn type_required_by_pattern(&mut self, pattern: Node<'_>) -> Option<TypeId> {
        let inner = match pattern.kind_name() {
            "case_pattern" | "as_pattern" => {
                return self.type_required_by_pattern(pattern.named_child(0)?);
            }
            "class_pattern" => pattern.named_child(0)?,
            "union_pattern" => {
                let types: Option<Vec<TypeId>> = children(pattern)
                    .into_iter()
                    .map(|p| self.type_required_by_pattern(p))
                    .collect();
                return Some(self.b.add_type(TypeExpr::Union(types?.into())));
            }
            _ => return None,
        };
        self.type_of_class_expr(inner)
    }

    fn bind_case_pattern(&mut self, node: Node<'_>, value: ExprId) {
        if !self.b.enter_level() {
            return;
        }
        let end = node.end_byte() as u32;
        match node.kind_name() {
            "case_pattern" | "union_pattern" => {
                for child in children(node) {
                    self.bind_case_pattern(child, value);
                }
            }
            "as_pattern" => {
                let parts = children(node);
                if let [pattern, .., name] = parts.as_slice() {
                    self.bind_case_pattern(*pattern, value);
                    let ty = self.type_required_by_pattern(*pattern);
                    let name = self.b.intern_node_text(*name);
                    self.bind_local(name, ty, Some(value), end);
                }
            }
            "dotted_name" => match children(node).as_slice() {
                [name] if self.b.text(*name) != "_" => {
                    let name = self.b.intern_node_text(*name);
                    self.bind_local(name, None, Some(value), end);
                }
                _ => self.add_dotted_reference(node),
            },
            "class_pattern" => self.bind_class_pattern(node, value),
            "list_pattern" | "tuple_pattern" => {
                for (i, child) in children(node).into_iter().enumerate() {
                    let part = self.b.add_expr(Expr::Part(value, i as u32));
                    self.bind_case_pattern(child, part);
                }
            }
            "splat_pattern" => {
                if let Some(name) = node.named_child(0) {
                    let name = self.b.intern_node_text(name);
                    self.bind_local(name, None, None, end);
                }
            }
            "dict_pattern" => {
                let unknown = self.unknown_expr();
                let item = self.b.add_expr(Expr::Index {
                    object: value,
                    index: unknown,
                });
                let mut cursor = node.walk();
                for child in node.fields("value", &mut cursor) {
                    self.bind_case_pattern(child, item);
                }
            }
            _ => {}
        }
        self.b.leave_level();
    }

    fn bind_class_pattern(&mut self, node: Node<'_>, value: ExprId) {
        let parts = children(node);
        let Some((class, patterns)) = parts.split_first() else {
            return;
        };
        self.add_dotted_reference(*class);
        let variant = self.add_dotted_expr(*class);
        let cast = match self.type_of_class_expr(*class) {
            Some(ty) => self.b.add_expr(Expr::Cast(value, ty)),
            None => value,
        };
        for (i, pattern) in patterns.iter().enumerate() {
            let inner = match pattern.kind_name() {
                "case_pattern" => pattern.named_child(0).unwrap_or(*pattern),
                _ => *pattern,
            };
            if inner.kind_name() == "keyword_pattern" {
                if let [name, inner] = children(inner).as_slice() {
                    let name = self.b.intern_node_text(*name);
                    let member = self.b.add_expr(Expr::Member { object: cast, name });
                    self.bind_case_pattern(*inner, member);
                }
                continue;
            }
            let payload = self.b.add_expr(Expr::Payload {
                value,
                variant,
                index: i as u32,
            });
            self.bind_case_pattern(inner, payload);
        }
    }
}
