//! Smart casts: the types that checks give to names.

use super::statements::{branches, unwrapped};
use super::{Check, Walker, word_child};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Deepest nesting of a condition that is searched for checks.
const MAX_NESTING: u32 = 24;

impl Walker<'_, '_> {
    /// The name of a value that a check can be about.
    pub(super) fn checked_name(&mut self, node: Node<'_>) -> Option<NameId> {
        let node = unwrapped(node);
        match node.kind_name() {
            "identifier" => Some(self.name(node)),
            "this_expression" if self.b.text(node) == "this" => Some(self.b.intern_name("this")),
            _ => None,
        }
    }

    /// Notes that a node checks (`is`) or casts (`as`) a named value.
    pub(super) fn note_check(&mut self, node: Node<'_>, ty: TypeId, value: ExprId) {
        if let Some(name) = node.field("left").and_then(|left| self.checked_name(left)) {
            self.checks.insert(node.id(), Check { name, ty, value });
        }
    }

    /// Binds the types that names have from a byte on, where a condition holds or does not hold.
    pub(super) fn narrow(&mut self, condition: Node<'_>, holds: bool, from: u32) {
        let mut found = Vec::new();
        self.find_checks(condition, holds, 0, &mut found);
        for check in found {
            self.bind_check(check.name, check.ty, check.value, from);
        }
    }

    pub(super) fn bind_check(&mut self, name: NameId, ty: TypeId, value: ExprId, from: u32) {
        let scope = self.b.current_scope();
        let to = Bound::Local {
            ty: Some(ty),
            value: Some(value),
        };
        self.b.bind_in(scope, name, Namespace::VALUE, from, to);
    }

    fn find_checks(&self, node: Node<'_>, holds: bool, depth: u32, out: &mut Vec<Check>) {
        if depth > MAX_NESTING {
            return;
        }
        let node = unwrapped(node);
        match node.kind_name() {
            "is_expression" => {
                let is_positive = word_child(node, "is").is_some();
                if is_positive == holds {
                    out.extend(self.checks.get(&node.id()).copied());
                }
            }
            "binary_expression" => {
                let sign = node.field("operator").map_or("", |sign| sign.kind_name());
                let wanted = if holds { "&&" } else { "||" };
                if sign == wanted {
                    for side in ["left", "right"]
                        .map(|side| node.field(side))
                        .into_iter()
                        .flatten()
                    {
                        self.find_checks(side, holds, depth + 1, out);
                    }
                }
            }
            "unary_expression" => {
                let is_not = node.field("operator").is_some_and(|s| s.kind_name() == "!");
                if let Some(inner) = node.field("argument").filter(|_| is_not) {
                    self.find_checks(inner, !holds, depth + 1, out);
                }
            }
            _ => {}
        }
    }

    /// Binds the types that names have behind a statement: `if (x !is A) return`, `require(x is A)`, `x as A`.
    pub(super) fn narrow_after(&mut self, statement: Node<'_>) {
        let from = statement.end_byte() as u32;
        match statement.kind_name() {
            "if_expression" => {
                let Some(condition) = statement.field("condition") else {
                    return;
                };
                let (then, otherwise) = branches(statement, condition);
                if otherwise.is_none() && then.is_some_and(|then| self.leaves(then)) {
                    self.narrow(condition, false, from);
                }
            }
            "as_expression" => {
                if let Some(check) = self.checks.get(&statement.id()).copied() {
                    self.bind_check(check.name, check.ty, check.value, from);
                }
            }
            "call_expression" => {
                let name = super::first_code_child(statement).map(|n| self.b.text(n));
                if !matches!(name, Some("require" | "check" | "assertTrue")) {
                    return;
                }
                let list = child_of_kind(statement, "value_arguments");
                let first = list.and_then(|list| child_of_kind(list, "value_argument"));
                if let Some(condition) = first.and_then(super::first_code_child) {
                    self.narrow(condition, true, from);
                }
            }
            _ => {}
        }
    }

    /// Whether code always leaves its block, as far as its last statement shows.
    fn leaves(&self, node: Node<'_>) -> bool {
        let mut node = node;
        if node.kind_name() == "block" {
            match super::code_children(node).pop() {
                Some(last) => node = last,
                None => return false,
            }
        }
        match node.kind_name() {
            "return_expression" | "throw_expression" => true,
            "identifier" => matches!(self.b.text(node), "break" | "continue"),
            _ => false,
        }
    }
}
