//! Calls and their arguments.

use super::{Expected, TRAILING, Walker, children, children_with_fields, named_children};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    /// A call with its argument lists and trailing closures.
    pub(super) fn call(
        &mut self,
        callee: ExprId,
        name_node: Node<'_>,
        suffixes: &[Node<'_>],
    ) -> ExprId {
        self.call_of_kind(callee, name_node, suffixes, CallKind::Call)
    }

    pub(super) fn call_of_kind(
        &mut self,
        callee: ExprId,
        name_node: Node<'_>,
        suffixes: &[Node<'_>],
        kind: CallKind,
    ) -> ExprId {
        // The arguments refer to the call, whose parameters tell their types.
        let call = self.b.add_expr(Expr::Unknown);
        let mut args: Vec<ExprId> = Vec::new();
        if self.is_manifest {
            self.target(name_node, suffixes);
        }
        for suffix in suffixes {
            if let Some(list) = child_of_kind(*suffix, "value_arguments") {
                self.arguments(list, call, &mut args);
            }
        }
        for suffix in suffixes {
            self.trailing_closures(*suffix, call, &mut args);
        }
        let argc = args.len();
        self.link_literals(&args, call);
        self.b.set_expr(
            call,
            Expr::Call {
                callee,
                args: args.into(),
                type_args: Box::default(),
            },
        );
        self.b.add_call(call, kind, argc, name_node);
        call
    }

    fn arguments(&mut self, list: Node<'_>, call: ExprId, out: &mut Vec<ExprId>) {
        for argument in named_children(list) {
            if argument.kind_name() != "value_argument" {
                continue;
            }
            let n = out.len() as u32;
            let value = argument.field("value");
            let value = value.or_else(|| {
                let mut all = named_children(argument);
                all.retain(|c| c.kind_name() != "value_argument_label");
                all.pop()
            });
            let expr = match value {
                Some(value) => self.expr_expecting(value, Expected::Argument(call, n)),
                None => self.b.add_expr(Expr::Unknown),
            };
            let label = argument.field("name").map(|label| self.label(label));
            out.push(match label {
                Some(label) => self.b.add_expr(Expr::Keyword(label, expr)),
                None => expr,
            });
        }
    }

    /// A call whose arguments the grammar takes for a tuple or a closure.
    pub(super) fn call_with(
        &mut self,
        callee: ExprId,
        arguments: Node<'_>,
        name_node: Node<'_>,
    ) -> ExprId {
        let call = self.b.add_expr(Expr::Unknown);
        let mut args: Vec<ExprId> = Vec::new();
        let mut label = None;
        if arguments.kind_name() == "lambda_literal" {
            let closure = self.expr_expecting(arguments, Expected::Argument(call, 0));
            let label = self.b.intern_name(TRAILING);
            args.push(self.b.add_expr(Expr::Keyword(label, closure)));
        } else {
            for (child, field) in children_with_fields(arguments) {
                match field {
                    "name" => label = Some(self.label(child)),
                    "value" => {
                        let n = args.len() as u32;
                        let value = self.expr_expecting(child, Expected::Argument(call, n));
                        args.push(match label.take() {
                            Some(label) => self.b.add_expr(Expr::Keyword(label, value)),
                            None => value,
                        });
                    }
                    _ => {}
                }
            }
        }
        let argc = args.len();
        self.link_literals(&args, call);
        self.b.set_expr(
            call,
            Expr::Call {
                callee,
                args: args.into(),
                type_args: Box::default(),
            },
        );
        self.b.add_call(call, CallKind::Call, argc, name_node);
        call
    }

    fn label(&mut self, node: Node<'_>) -> NameId {
        let text = self.b.text(node).trim().trim_end_matches(':').trim();
        self.b.intern_name(text.trim_matches('`'))
    }

    /// `f { … } name: { … }`
    fn trailing_closures(&mut self, suffix: Node<'_>, call: ExprId, out: &mut Vec<ExprId>) {
        let mut label = None;
        for child in children(suffix) {
            match child.kind_name() {
                "simple_identifier" => label = Some(self.label(child)),
                "lambda_literal" => {
                    let n = out.len() as u32;
                    let closure = self.expr_expecting(child, Expected::Argument(call, n));
                    let label = match label.take() {
                        Some(label) => label,
                        None => self.b.intern_name(TRAILING),
                    };
                    out.push(self.b.add_expr(Expr::Keyword(label, closure)));
                }
                _ => {}
            }
        }
    }

    /// Tells the function literals among arguments which argument of the call they are.
    fn link_literals(&mut self, args: &[ExprId], call: ExprId) {
        for (arg, n) in args.iter().zip(0..) {
            let value = match self.b.facts().expr(*arg) {
                Expr::Keyword(_, value) => *value,
                _ => *arg,
            };
            if let Expr::Function(def) = self.b.facts().expr(value) {
                let def = *def;
                let it = self.b.def_mut(def);
                if let Some(callable) = &mut it.callable {
                    callable.argument_of = Some((call, n));
                }
                it.ty = None;
            }
        }
    }

    /// Records that code writes to an expression.
    pub(super) fn write_to(&mut self, target: ExprId, node: Node<'_>) {
        let at = match node.kind_name() {
            "navigation_expression" => {
                let name = node.field("suffix").and_then(|s| s.field("suffix"));
                name.unwrap_or(node)
            }
            _ => node,
        };
        if matches!(
            self.b.facts().expr(target),
            Expr::Name { .. } | Expr::Member { .. }
        ) {
            self.b.add_write(target, at);
        }
    }
}
