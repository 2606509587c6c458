//! Calls, members and struct literals.

use super::{Walker, is_comment_or_attribute};
use base::MarkKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    /// `f(…)`, `a.m(…)`, `T::f::<X>(…)`.
    pub(super) fn call(&mut self, node: Node<'_>) -> ExprId {
        let Some(function) = node.field("function") else {
            return self.visit_children(node);
        };
        let (callee, name, type_args) = self.callee(function);
        // Closures among the arguments refer to the call before it is complete.
        let call = self.b.add_expr(Expr::Unknown);
        let args = match node.field("arguments") {
            Some(arguments) => self.arguments(arguments, Some(call)),
            None => Vec::new(),
        };
        let argc = args.len();
        self.b.facts_mut().exprs[call.index()] = Expr::Call {
            callee,
            args: args.into(),
            type_args,
        };
        self.b.add_call(call, CallKind::Call, argc, name);
        self.mark_error_call(node, function, argc, name);
        call
    }

    /// `.unwrap()`, `.expect(…)`, `.with_context(…)`, `.context(format!(…))`, outside of tests.
    fn mark_error_call(&mut self, call: Node<'_>, function: Node<'_>, argc: usize, name: Node<'_>) {
        if self.in_test || function.kind_name() != "field_expression" {
            return;
        }
        let kind = match (self.b.text(name), argc) {
            ("unwrap", 0) => MarkKind::Unwrap,
            ("expect", 1) => MarkKind::Expect,
            ("with_context", 1) => MarkKind::ContextLazy,
            ("context", 1) if self.has_format(call) => MarkKind::ContextFormat,
            _ => return,
        };
        self.b.add_file_mark(kind, None, name);
    }

    /// Whether the first argument of a call is `format!(…)`.
    fn has_format(&self, call: Node<'_>) -> bool {
        let first = call.field("arguments").and_then(super::first_child);
        first.is_some_and(|first| {
            first.kind_name() == "macro_invocation" && self.b.text(first).starts_with("format!")
        })
    }

    /// The callee: the expression, the node of its name, explicit type arguments.
    fn callee<'t>(&mut self, node: Node<'t>) -> (ExprId, Node<'t>, Box<[TypeId]>) {
        match node.kind_name() {
            "generic_function" => {
                let type_args = self.type_args(node.field("type_arguments"));
                match node.field("function") {
                    Some(function) => {
                        let (callee, name, _) = self.callee(function);
                        (callee, name, type_args)
                    }
                    None => (self.unknown, node, type_args),
                }
            }
            "identifier" | "scoped_identifier" => {
                let name = node.field("name").unwrap_or(node);
                (self.add_path_expr(node), name, Box::default())
            }
            "field_expression" => {
                let (member, name) = self.visit_member(node);
                (member, name.unwrap_or(node), Box::default())
            }
            _ => (self.expr(node), node, Box::default()),
        }
    }

    /// Reads the arguments of a call, or the elements among the tokens of a macro call.
    pub(super) fn arguments(&mut self, node: Node<'_>, call: Option<ExprId>) -> Vec<ExprId> {
        let mut args = Vec::new();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if is_comment_or_attribute(child.kind_name()) {
                continue;
            }
            let index = args.len() as u32;
            let arg = match (child.kind_name(), call) {
                ("closure_expression", Some(call)) => self.with_depth_check(self.unknown, |w| {
                    w.visit_closure(child, Some((call, index)))
                }),
                // `name = value` among the arguments of a macro is a named argument.
                ("assignment_expression", None) => match child.field("right") {
                    Some(right) => self.expr(right),
                    None => self.unknown,
                },
                _ => self.expr(child),
            };
            args.push(arg);
        }
        args
    }

    /// `f::<T>` that is not called.
    pub(super) fn generic_function(&mut self, node: Node<'_>) -> ExprId {
        self.type_args(node.field("type_arguments"));
        match node.field("function") {
            Some(function) => self.expr(function),
            None => self.unknown,
        }
    }

    /// `a.b` that is not called.
    pub(super) fn field_expression(&mut self, node: Node<'_>) -> ExprId {
        let (member, name) = self.visit_member(node);
        if let Some(name) = name {
            self.b.add_reference(RefTarget::Expr(member), name);
        }
        member
    }

    /// `a.b`, with the node of `b`.
    pub(super) fn visit_member<'t>(&mut self, node: Node<'t>) -> (ExprId, Option<Node<'t>>) {
        let object = match node.field("value") {
            Some(value) => self.expr(value),
            None => self.unknown,
        };
        let Some(field) = node.field("field") else {
            return (self.unknown, None);
        };
        let name = self.intern_identifier(field);
        let member = self.b.add_expr(Expr::Member { object, name });
        (member, Some(field))
    }

    /// `T { field: value, ..base }`.
    pub(super) fn struct_expression(&mut self, node: Node<'_>) -> ExprId {
        let Some(path) = node.field("name") else {
            return self.visit_children(node);
        };
        let class = self.add_path_expr(path);
        let new = self.b.add_expr(Expr::New {
            class,
            args: Box::default(),
            type_args: Box::default(),
        });
        let name = last_path_name(path);
        let mut count = 0;
        if let Some(body) = node.field("body") {
            let mut cursor = body.walk();
            for child in body.named_children(&mut cursor) {
                if !is_comment_or_attribute(child.kind_name()) {
                    self.visit_field_initializer(child, new);
                    count += 1;
                }
            }
        }
        self.b.add_call(new, CallKind::Literal, count, name);
        new
    }

    fn visit_field_initializer(&mut self, node: Node<'_>, object: ExprId) {
        let field = match node.kind_name() {
            "shorthand_field_initializer" => super::first_child(node),
            _ => node.field("field"),
        };
        if let Some(field) = field.filter(|_| node.kind_name() != "base_field_initializer") {
            let name = self.intern_identifier(field);
            let member = self.b.add_expr(Expr::Member { object, name });
            self.b.add_reference(RefTarget::Expr(member), field);
        }
        let value = match node.kind_name() {
            "field_initializer" => node.field("value"),
            _ => super::first_child(node),
        };
        if let Some(value) = value {
            self.expr(value);
        }
    }
}

/// The node of the last name of a path, without type arguments.
fn last_path_name(path: Node<'_>) -> Node<'_> {
    let mut node = path;
    loop {
        let next = match node.kind_name() {
            "generic_type_with_turbofish" | "generic_type" => node.field("type"),
            "scoped_type_identifier" | "scoped_identifier" => node.field("name"),
            _ => None,
        };
        match next {
            Some(next) => node = next,
            None => return node,
        }
    }
}
