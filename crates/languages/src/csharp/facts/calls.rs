//! Calls of methods, delegates and constructors.

use super::types::identifier_of;
use super::{OutVariable, Walker, children_of_kind, has_word, last_expression};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl Walker<'_, '_> {
    pub(super) fn invocation(&mut self, node: Node<'_>) -> ExprId {
        let (Some(function), Some(arguments)) = (node.field("function"), node.field("arguments"))
        else {
            return self.unknown(node);
        };
        if function.kind_name() == "identifier" && self.b.text(function) == "nameof" {
            return self.name_of(arguments);
        }
        let (callee, name) = self.callee(function);
        let type_args = name.map(|name| self.type_arguments_of(name));
        let name_node = name.map_or(function, identifier_of);
        let type_args = type_args.unwrap_or_default().into();
        self.call_with(callee, arguments, type_args, name_node)
    }

    /// The callee of a call, and the node of its name, which may have type arguments.
    fn callee<'t>(&mut self, function: Node<'t>) -> (ExprId, Option<Node<'t>>) {
        match function.kind_name() {
            "identifier" | "generic_name" => {
                let expr = self.b.add_name_expr(identifier_of(function));
                (expr, Some(function))
            }
            "member_access_expression" | "qualified_name" => {
                let object = function
                    .field("expression")
                    .or_else(|| function.field("qualifier"));
                let object = object.map(|object| self.object(object));
                self.member_callee(object, function.field("name"))
            }
            "conditional_access_expression" => {
                let binding = child_of_kind(function, "member_binding_expression");
                let Some(binding) = binding else {
                    return (self.expr(function), None);
                };
                let object = self.expr_in_field(function, "condition");
                let object = self.b.add_expr(Expr::Try(object));
                self.member_callee(Some(object), binding.field("name"))
            }
            "parenthesized_expression" => (self.expr(function), None),
            _ => (self.expr(function), None),
        }
    }

    fn member_callee<'t>(
        &mut self,
        object: Option<ExprId>,
        name_node: Option<Node<'t>>,
    ) -> (ExprId, Option<Node<'t>>) {
        let (Some(object), Some(name_node)) = (object, name_node) else {
            return (self.b.add_expr(Expr::Unknown), None);
        };
        let name = self.b.intern_node_text(identifier_of(name_node));
        let expr = self.b.add_expr(Expr::Member { object, name });
        (expr, Some(name_node))
    }

    pub(super) fn call_with(
        &mut self,
        callee: ExprId,
        arguments: Node<'_>,
        type_args: Box<[TypeId]>,
        name_node: Node<'_>,
    ) -> ExprId {
        let open = self.outs.len();
        let args = self.arguments(arguments);
        let argc = args.len();
        let literals = self.function_literals(&args);
        let call = self.b.add_expr(Expr::Call {
            callee,
            args: args.into(),
            type_args,
        });
        self.link_literals(literals, call);
        self.bind_outs(open, call);
        self.b.add_call(call, CallKind::Call, argc, name_node);
        call
    }

    /// `nameof(a.b)` is a string. The name in it is a mention.
    fn name_of(&mut self, arguments: Node<'_>) -> ExprId {
        for argument in children_of_kind(arguments, "argument") {
            if let Some(value) = last_expression(argument) {
                self.expr(value);
            }
        }
        self.b.add_expr(Expr::Literal(Primitive::String))
    }

    pub(super) fn arguments(&mut self, list: Node<'_>) -> Vec<ExprId> {
        let mut out = Vec::new();
        for (argument, n) in children_of_kind(list, "argument").into_iter().zip(0..) {
            let Some(value) = last_expression(argument) else {
                continue;
            };
            let expr = if value.kind_name() == "declaration_expression" {
                self.out_variable(value, n)
            } else {
                self.expr(value)
            };
            let expr = self.by_reference(argument, expr);
            out.push(match argument.field("name") {
                Some(name) => {
                    let name = self.b.intern_node_text(name);
                    self.b.add_expr(Expr::Keyword(name, expr))
                }
                None => expr,
            });
        }
        out
    }

    /// `ref x` is borrowed once, `in x` twice, `out x` three times.
    fn by_reference(&mut self, argument: Node<'_>, mut expr: ExprId) -> ExprId {
        let words = ["ref", "in", "out"];
        let word = words.iter().position(|word| has_word(argument, word));
        for _ in 0..word.map_or(0, |at| at + 1) {
            expr = self.b.add_expr(Expr::Borrowed(expr));
        }
        expr
    }

    /// `out var x`, `out T x`.
    fn out_variable(&mut self, node: Node<'_>, argument: u32) -> ExprId {
        let ty = self.written_type(node.field("type"));
        let unknown = self.b.add_expr(Expr::Unknown);
        let Some(name_node) = node.field("name") else {
            return unknown;
        };
        if let Some(ty) = ty {
            self.bind_local(name_node, Some(ty), None);
            return self.b.add_expr(Expr::Cast(unknown, ty));
        }
        let variable = OutVariable {
            name: self.b.intern_node_text(name_node),
            scope: self.b.current_scope(),
            from: name_node.start_byte() as u32,
            argument,
        };
        self.outs.push(variable);
        unknown
    }

    /// Binds the variables that a call's arguments declare.
    pub(super) fn bind_outs(&mut self, open: usize, call: ExprId) {
        for out in self.outs.split_off(open) {
            let value = self.b.add_expr(Expr::Expected(call, out.argument));
            let to = Bound::Local {
                ty: None,
                value: Some(value),
            };
            self.b
                .bind_in(out.scope, out.name, Namespace::VALUE, out.from, to);
        }
    }

    /// Function literals among the arguments, with their positions.
    pub(super) fn function_literals(&self, args: &[ExprId]) -> Vec<(DefId, u32)> {
        let facts = self.b.facts();
        let mut out = Vec::new();
        for (arg, i) in args.iter().zip(0..) {
            let value = match facts.expr(*arg) {
                Expr::Keyword(_, value) => *value,
                _ => *arg,
            };
            match facts.expr(value) {
                Expr::Function(def) => out.push((*def, i)),
                Expr::Either(parts) => {
                    out.extend(parts.iter().filter_map(|p| match facts.expr(*p) {
                        Expr::Function(def) => Some((*def, i)),
                        _ => None,
                    }))
                }
                _ => {}
            }
        }
        out
    }

    pub(super) fn link_literals(&mut self, literals: Vec<(DefId, u32)>, call: ExprId) {
        for (def, position) in literals {
            if let Some(callable) = &mut self.b.def_mut(def).callable {
                callable.argument_of = Some((call, position));
            }
        }
    }

    /// `: this(…)`, `: base(…)`.
    pub(super) fn constructor_initializer(&mut self, node: Node<'_>) {
        let (Some(class), Some(list)) = (self.current_type(), child_of_kind(node, "argument_list"))
        else {
            return;
        };
        let word = super::word_child(node, "base");
        let callee = match word {
            Some(_) => Expr::Super(class),
            None => Expr::This(class),
        };
        let callee = self.b.add_expr(callee);
        let at = word.or_else(|| super::word_child(node, "this"));
        self.call_with(callee, list, Box::default(), at.unwrap_or(node));
    }
}
