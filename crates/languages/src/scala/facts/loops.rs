//! `for`, as the calls of `map`, `flatMap`, `foreach` and `withFilter` that it stands for.

use super::{Walker, field_nodes, has_word, parts};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// A part of a `for`.
enum Step<'t> {
    Generator(Node<'t>, Node<'t>),
    Value(Node<'t>, Node<'t>),
    Guard(Node<'t>),
}

impl Walker<'_, '_> {
    pub(super) fn for_expression(&mut self, node: Node<'_>) -> ExprId {
        let mut steps = Vec::new();
        for list in field_nodes(node, "enumerators") {
            for enumerator in super::children_of_kind(list, "enumerator") {
                add_steps(enumerator, &mut steps);
            }
        }
        let yields = has_word(node, "yield");
        self.b.open_scope(ScopeKind::Block, None);
        let value = self.steps(node, &steps, yields);
        self.b.close_scope();
        value
    }

    /// Reads the rest of a `for`; its value.
    fn steps(&mut self, node: Node<'_>, steps: &[Step<'_>], yields: bool) -> ExprId {
        let Some((step, rest)) = steps.split_first() else {
            return match node.field("body") {
                Some(body) => self.full(body),
                None => self.unknown(),
            };
        };
        if !self.b.enter_level() {
            return self.unknown();
        }
        let value = match step {
            Step::Guard(condition) => {
                self.full(*condition);
                self.steps(node, rest, yields)
            }
            Step::Value(pattern, value) => {
                let value = self.full(*value);
                let bound = self.pattern(*pattern, value);
                self.bind_all(bound, pattern.end_byte() as u32);
                self.steps(node, rest, yields)
            }
            Step::Generator(pattern, from) => self.generator(node, (*pattern, *from), rest, yields),
        };
        self.b.leave_level();
        value
    }

    /// `pattern <- from` and what follows.
    fn generator(
        &mut self,
        node: Node<'_>,
        (pattern, from): (Node<'_>, Node<'_>),
        rest: &[Step<'_>],
        yields: bool,
    ) -> ExprId {
        let mut object = self.full(from);
        let next = rest
            .iter()
            .take_while(|s| !matches!(s, Step::Generator(..)));
        let is_filtered = next.clone().any(|s| matches!(s, Step::Guard(_)));
        let is_last = next.count() == rest.len();
        if is_filtered {
            let name = self.b.intern_owned_name("withFilter");
            let callee = self.b.add_expr(Expr::Member { object, name });
            let test = self.unknown();
            let kind = CallKind::Operator;
            object = self.add_call(callee, vec![test], Vec::new(), kind, from);
        }
        let name = match (yields, is_last) {
            (true, true) => "map",
            (true, false) => "flatMap",
            _ => "foreach",
        };
        let name = self.b.intern_owned_name(name);
        let callee = self.b.add_expr(Expr::Member { object, name });
        let hidden = self.hidden_name("_0");
        let params = vec![self.parameter(hidden, None)];
        let function = self.literal_function(pattern, params, |walker, _| {
            let element = walker.hidden_use(hidden);
            let bound = walker.pattern(pattern, element);
            walker.bind_all(bound, 0);
            vec![walker.steps(node, rest, yields)]
        });
        let kind = CallKind::Operator;
        self.add_call(callee, vec![function], Vec::new(), kind, pattern)
    }
}

fn add_steps<'t>(enumerator: Node<'t>, steps: &mut Vec<Step<'t>>) {
    let mut inside = parts(enumerator);
    let guards = inside.iter().filter(|n| n.kind_name() == "guard");
    let guards: Vec<Node<'t>> = guards.copied().collect();
    inside.retain(|n| n.kind_name() != "guard");
    if let [pattern, value] = inside[..] {
        steps.push(if has_word(enumerator, "=") {
            Step::Value(pattern, value)
        } else {
            Step::Generator(pattern, value)
        });
    }
    let conditions = guards.iter().filter_map(|guard| guard.field("condition"));
    steps.extend(conditions.map(Step::Guard));
}
