//! Calls: methods, constructors, annotations.

use super::{Walker, child_of_kind, is_comment};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl Walker<'_, '_> {
    pub(super) fn visit_method_invocation(&mut self, node: Node<'_>) -> ExprId {
        let Some(name_node) = node.field("name") else {
            self.visit_statements(node);
            return self.b.add_expr(Expr::Unknown);
        };
        let callee = match node.field("object") {
            None => self.b.add_name_expr(name_node),
            Some(object) => {
                let object = match self.outer_super(node, object) {
                    Some(object) => object,
                    None => self.expr(object),
                };
                let name = self.b.intern_node_text(name_node);
                self.b.add_expr(Expr::Member { object, name })
            }
        };
        self.call(node, callee, name_node)
    }

    /// The call of a callee with the arguments and type arguments of `node`.
    fn call(&mut self, node: Node<'_>, callee: ExprId, name_node: Node<'_>) -> ExprId {
        let type_args = node
            .field("type_arguments")
            .map(|t| self.lower_types_in(t))
            .unwrap_or_default()
            .into();
        let args = node
            .field("arguments")
            .map(|a| self.visit_arguments(a))
            .unwrap_or_default();
        let argc = args.len();
        let callbacks = self.function_literal_args(&args);
        let call = self.b.add_expr(Expr::Call {
            callee,
            args: args.into(),
            type_args,
        });
        self.link_callbacks_to_call(callbacks, call);
        self.b.add_call(call, CallKind::Call, argc, name_node);
        call
    }

    pub(super) fn visit_arguments(&mut self, node: Node<'_>) -> Vec<ExprId> {
        let mut out = Vec::new();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if !is_comment(child) {
                out.push(self.expr(child));
            }
        }
        out
    }

    /// Function literals among arguments, with their positions.
    fn function_literal_args(&self, args: &[ExprId]) -> Vec<(DefId, u32)> {
        let facts = self.b.facts();
        let mut out = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            match facts.expr(*arg) {
                Expr::Function(def) => out.push((*def, i as u32)),
                Expr::Either(parts) => {
                    out.extend(parts.iter().filter_map(|p| match facts.expr(*p) {
                        Expr::Function(def) => Some((*def, i as u32)),
                        _ => None,
                    }))
                }
                _ => {}
            }
        }
        out
    }

    fn link_callbacks_to_call(&mut self, callbacks: Vec<(DefId, u32)>, call: ExprId) {
        for (def, position) in callbacks {
            if let Some(callable) = &mut self.b.def_mut(def).callable {
                callable.argument_of = Some((call, position));
            }
        }
    }

    /// `new class(args)`.
    pub(super) fn add_new_expr(&mut self, class: ExprId, args: Vec<ExprId>) -> ExprId {
        let callbacks = self.function_literal_args(&args);
        let new = self.b.add_expr(Expr::New {
            class,
            args: args.into(),
            type_args: Box::default(),
        });
        self.link_callbacks_to_call(callbacks, new);
        new
    }

    pub(super) fn visit_object_creation(&mut self, node: Node<'_>) -> ExprId {
        let Some(ty_node) = node.field("type") else {
            self.visit_statements(node);
            return self.b.add_expr(Expr::Unknown);
        };
        let outer = node
            .named_child(0)
            .filter(|first| node.child(0).is_some_and(|c| c == *first) && *first != ty_node);
        let outer = outer.map(|o| self.expr(o));
        if let Some(args) = node.field("type_arguments") {
            self.lower_types_in(args);
        }
        self.visit_annotations(node);
        let (ty, name_node) = self.lower_constructed_type(ty_node);
        let class = match outer {
            Some(object) => {
                let name = self.b.intern_node_text(name_node);
                self.b.add_expr(Expr::Member { object, name })
            }
            None => self.b.add_expr(Expr::Type(ty)),
        };
        let args = node
            .field("arguments")
            .map(|a| self.visit_arguments(a))
            .unwrap_or_default();
        let argc = args.len();
        let new = self.add_new_expr(class, args);
        self.b.add_call(new, CallKind::New, argc, name_node);
        if let Some(body) = child_of_kind(node, "class_body") {
            self.anonymous_class(node, body, ty);
        }
        new
    }

    /// `this(…)`, `super(…)`, `outer.super(…)`.
    pub(super) fn constructor_invocation(&mut self, node: Node<'_>) -> ExprId {
        if let Some(object) = node.field("object") {
            self.expr(object);
        }
        let Some(constructor) = node.field("constructor") else {
            return self.b.add_expr(Expr::Unknown);
        };
        let callee = self.expr(constructor);
        self.call(node, callee, constructor)
    }

    /// An annotation somewhere: its call and what its arguments hold.
    pub(super) fn annotation(&mut self, node: Node<'_>) {
        self.annotation_expr(node);
    }

    /// An annotation as an expression: the bare type, or a call of it.
    pub(super) fn annotation_expr(&mut self, node: Node<'_>) -> ExprId {
        let Some(name) = node.field("name") else {
            return self.b.add_expr(Expr::Unknown);
        };
        if !self.b.enter_level() {
            return self.b.add_expr(Expr::Unknown);
        }
        let (ty, name_node) = self.lower_constructed_type(name);
        let callee = self.b.add_expr(Expr::Type(ty));
        let (expr, argc) = match node.field("arguments") {
            None => (callee, 0),
            Some(list) => {
                let args = self.annotation_arguments(list);
                let argc = args.len();
                let type_args = Box::default();
                (
                    self.b.add_expr(Expr::Call {
                        callee,
                        args: args.into(),
                        type_args,
                    }),
                    argc,
                )
            }
        };
        self.b.add_call(expr, CallKind::Decorator, argc, name_node);
        self.b.leave_level();
        expr
    }

    fn annotation_arguments(&mut self, list: Node<'_>) -> Vec<ExprId> {
        let mut out = Vec::new();
        let mut cursor = list.walk();
        for child in list.named_children(&mut cursor) {
            if is_comment(child) {
                continue;
            }
            if child.kind_name() != "element_value_pair" {
                out.push(self.expr(child));
                continue;
            }
            let value = self.visit_expr_in_field(child, "value");
            if let Some(key) = child.field("key") {
                let key = self.b.intern_node_text(key);
                out.push(self.b.add_expr(Expr::Keyword(key, value)));
            }
        }
        out
    }

    /// `Type::name`, `value::name`, `Type::new`.
    pub(super) fn method_reference(&mut self, node: Node<'_>) -> ExprId {
        let mut cursor = node.walk();
        let mut parts = node.children(&mut cursor).filter(|c| !is_comment(*c));
        let Some(object_node) = parts.next() else {
            return self.b.add_expr(Expr::Unknown);
        };
        let Some(name_node) = parts.last() else {
            return self.b.add_expr(Expr::Unknown);
        };
        if let Some(args) = child_of_kind(node, "type_arguments").filter(|a| *a != object_node) {
            self.lower_types_in(args);
        }
        let object = match object_node.kind_name() {
            "type_identifier"
            | "generic_type"
            | "scoped_type_identifier"
            | "array_type"
            | "annotated_type"
            | "integral_type"
            | "floating_point_type"
            | "boolean_type" => {
                let ty = self.ty(object_node);
                self.b.add_expr(Expr::Type(ty))
            }
            _ => self.expr(object_node),
        };
        let name = self.b.intern_node_text(name_node);
        let expr = self.b.add_expr(Expr::Scoped { object, name });
        self.b.add_reference(RefTarget::Expr(expr), name_node);
        expr
    }
}
