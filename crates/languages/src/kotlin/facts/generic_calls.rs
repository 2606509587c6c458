//! Calls with one type argument and one argument, `f<T>(x)` and `f<T> { … }`, which the grammar reads as two comparisons.

use super::{Walker, first_code_child};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Longest chain of members behind such a call.
const MAX_CHAIN: usize = 256;

/// The beginning of such a call.
#[derive(Debug, Clone, Copy)]
pub(super) struct GenericCall<'s> {
    callee: ExprId,
    type_argument: TypeId,
    /// The called name.
    name: &'s str,
    line: u32,
    column: u32,
}

/// Such a call as the grammar reads it: `function < type_argument > rest`.
pub(super) struct Comparisons<'t> {
    left: Node<'t>,
    function: Node<'t>,
    type_argument: Node<'t>,
    rest: Node<'t>,
    /// The argument in `rest`.
    argument: Node<'t>,
}

/// The parts of a comparison that is such a call.
pub(super) fn comparisons(node: Node<'_>) -> Option<Comparisons<'_>> {
    let sign = |node: Node<'_>, wanted: &str| {
        node.kind_name() == "binary_expression"
            && node
                .field("operator")
                .is_some_and(|o| o.kind_name() == wanted)
    };
    let inner = node.field("left").filter(|_| sign(node, ">"))?;
    let left = inner.field("left").filter(|_| sign(inner, "<"))?;
    let type_argument = inner.field("right")?;
    if !matches!(
        type_argument.kind_name(),
        "identifier" | "navigation_expression"
    ) {
        return None;
    }
    let rest = node.field("right")?;
    let argument = head(rest)?;
    let function = tail(left);
    let is_name = matches!(function.kind_name(), "identifier" | "navigation_expression");
    is_name.then_some(Comparisons {
        left,
        function,
        type_argument,
        rest,
        argument,
    })
}

/// The last operand of operators that bind more than comparisons.
fn tail(node: Node<'_>) -> Node<'_> {
    let mut node = node;
    for _ in 0..MAX_CHAIN {
        let last = match node.kind_name() {
            "binary_expression" | "in_expression" => node.field("right"),
            "infix_expression" | "range_expression" => super::code_children(node).pop(),
            "unary_expression" => node
                .field("argument")
                .filter(|argument| argument.end_byte() == node.end_byte()),
            _ => None,
        };
        match last {
            Some(last) => node = last,
            None => break,
        }
    }
    node
}

/// The parentheses or the lambda with which an expression begins.
fn head(node: Node<'_>) -> Option<Node<'_>> {
    let mut node = node;
    for _ in 0..MAX_CHAIN {
        node = match node.kind_name() {
            "parenthesized_expression" | "lambda_literal" => return Some(node),
            "binary_expression" | "as_expression" => node.field("left")?,
            "unary_expression" => {
                let argument = node.field("argument")?;
                if argument.start_byte() != node.start_byte() {
                    return None;
                }
                argument
            }
            "navigation_expression"
            | "call_expression"
            | "index_expression"
            | "infix_expression"
            | "range_expression" => first_code_child(node)?,
            _ => return None,
        };
    }
    None
}

impl Walker<'_, '_> {
    /// Reads such a call with what stands before and behind it.
    pub(super) fn generic_call(&mut self, found: &Comparisons<'_>) -> ExprId {
        let (callee, name) = self.callee(found.function);
        let at = name.unwrap_or(found.function);
        let position = at.start_position();
        let call = GenericCall {
            callee,
            type_argument: self.type_of_operand(found.type_argument),
            name: self.b.text(at),
            line: position.row as u32 + 1,
            column: position.column as u32,
        };
        self.generic_calls.insert(found.argument.id(), call);
        let value = self.expr(found.rest);
        if found.left == found.function {
            return value;
        }
        // The operators before it take the call instead of its name.
        self.values.insert(found.function.id(), value);
        self.expr(found.left)
    }

    /// Such a call, at the node of its argument. `lambda` is a lambda behind the parentheses.
    pub(super) fn generic_call_at(
        &mut self,
        node: Node<'_>,
        lambda: Option<Node<'_>>,
    ) -> Option<ExprId> {
        let found = self.generic_calls.remove(&node.id())?;
        let mut args = Vec::new();
        if node.kind_name() == "lambda_literal" {
            let value = self.lambda(node, found.name);
            args.push(self.b.add_expr(Expr::Borrowed(value)));
        } else if let Some(inner) = first_code_child(node) {
            args.push(self.expr(inner));
        }
        if let Some(lambda) = lambda {
            let value = self.trailing_lambda(lambda, found.name);
            args.push(self.b.add_expr(Expr::Borrowed(value)));
        }
        let argc = args.len();
        let literals = self.function_literals(&args);
        let call = self.b.add_expr(Expr::Call {
            callee: found.callee,
            args: args.into(),
            type_args: Box::from([found.type_argument]),
        });
        self.expect_literals(literals, call);
        self.b.add_call(call, CallKind::Call, argc, node);
        if let Some(site) = self.b.facts_mut().calls.last_mut() {
            (site.line, site.column) = (found.line, found.column);
        }
        Some(call)
    }

    /// A type that the grammar reads as an operand.
    fn type_of_operand(&mut self, node: Node<'_>) -> TypeId {
        let mut path = Vec::new();
        let mut next = Some(node);
        let mut last = node;
        while let Some(part) = next {
            let name = match part.kind_name() {
                "navigation_expression" => super::code_children(part).pop(),
                _ => Some(part),
            };
            if let Some(name) = name {
                if path.is_empty() {
                    last = name;
                }
                path.push(self.name(name));
            }
            next = first_code_child(part).filter(|_| part.kind_name() != "identifier");
        }
        path.reverse();
        let scope = self.b.current_scope();
        let ty = self.b.add_type(TypeExpr::Named {
            path: path.into(),
            args: Box::default(),
            scope,
            at: node.start_byte() as u32,
        });
        self.b.add_reference(RefTarget::Type(ty), last);
        ty
    }
}

/// The parentheses of `f<T>(x)` in `f<T>(x) { … }`, and the lambda.
pub(super) fn split_lambda(node: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    let function = first_code_child(node)?;
    let lambda = child_of_kind(node, "annotated_lambda")?;
    let is_plain = function.kind_name() == "parenthesized_expression"
        && child_of_kind(node, "value_arguments").is_none();
    is_plain.then_some((function, lambda))
}
