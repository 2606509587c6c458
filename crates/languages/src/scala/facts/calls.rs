//! Calls: methods, constructors, operators.

use super::{Walker, children_of_kind, first_part, parts};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl Walker<'_, '_> {
    /// `f(…)`, `a.f[T](…)`, `f { … }`, `f: …`.
    pub(super) fn call(&mut self, node: Node<'_>) -> ExprId {
        let Some(function) = node.field("function") else {
            self.each(node);
            return self.unknown();
        };
        let (callee, type_args, name_node) = self.callee(function);
        let args = match node.field("arguments") {
            Some(list) => self.arguments(list),
            None => Vec::new(),
        };
        self.add_call(callee, args, type_args, CallKind::Call, name_node)
    }

    /// The callee of a call, its type arguments and the node of its name.
    fn callee<'t>(&mut self, node: Node<'t>) -> (ExprId, Vec<TypeId>, Node<'t>) {
        if node.kind_name() == "generic_function" {
            let list = node.field("type_arguments");
            let types = list.map(|list| self.type_arguments(list));
            let types = types.unwrap_or_default();
            if let Some(function) = node.field("function") {
                let (path, name_node) = self.callee_path(function);
                return (path, types, name_node);
            }
        }
        let (path, name_node) = self.callee_path(node);
        (path, Vec::new(), name_node)
    }

    /// What is called, as a path where it is one, and the node of its name.
    pub(super) fn callee_path<'t>(&mut self, node: Node<'t>) -> (ExprId, Node<'t>) {
        match node.kind_name() {
            "identifier" | "operator_identifier" => (self.name_path(node), node),
            "field_expression" => {
                let name_node = node.field("field").unwrap_or(node);
                (self.field_path(node), name_node)
            }
            "postfix_expression" => match parts(node)[..] {
                [value, name_node] => {
                    let object = self.expr(value);
                    let name = self.plain_name(name_node);
                    let path = self.b.add_expr(Expr::Member { object, name });
                    (path, name_node)
                }
                _ => (self.expr(node), node),
            },
            _ => (self.expr(node), called_name(node)),
        }
    }

    /// Adds a call with its site. Function literals among the arguments learn where they are passed.
    pub(super) fn add_call(
        &mut self,
        callee: ExprId,
        args: Vec<ExprId>,
        type_args: Vec<TypeId>,
        kind: CallKind,
        name_node: Node<'_>,
    ) -> ExprId {
        let argc = args.len();
        let literals = self.function_literals(&args);
        let call = self.b.add_expr(Expr::Call {
            callee,
            args: args.into(),
            type_args: type_args.into(),
        });
        self.link_literals(literals, call);
        self.b.add_call(call, kind, argc, name_node);
        call
    }

    pub(super) fn add_new(&mut self, class: ExprId, args: Vec<ExprId>) -> ExprId {
        let literals = self.function_literals(&args);
        let new = self.b.add_expr(Expr::New {
            class,
            args: args.into(),
            type_args: Box::default(),
        });
        self.link_literals(literals, new);
        new
    }

    fn function_literals(&self, args: &[ExprId]) -> Vec<(DefId, u32)> {
        let facts = self.b.facts();
        let literals = args.iter().zip(0..).filter_map(|(arg, at)| {
            let value = match facts.expr(*arg) {
                Expr::Keyword(_, value) => *value,
                _ => *arg,
            };
            match facts.expr(value) {
                Expr::Function(def) => Some((*def, at)),
                _ => None,
            }
        });
        literals.collect()
    }

    fn link_literals(&mut self, literals: Vec<(DefId, u32)>, call: ExprId) {
        for (def, at) in literals {
            if let Some(callable) = &mut self.b.def_mut(def).callable {
                callable.argument_of = Some((call, at));
            }
        }
    }

    /// The arguments of a call: a list in parentheses, or a block.
    pub(super) fn arguments(&mut self, list: Node<'_>) -> Vec<ExprId> {
        match list.kind_name() {
            "arguments" => {
                let all = parts(list).into_iter();
                all.map(|arg| self.argument(arg)).collect()
            }
            "colon_argument" => vec![self.colon_argument(list)],
            _ => vec![self.full(list)],
        }
    }

    /// An argument. `name = value` is one by name.
    fn argument(&mut self, node: Node<'_>) -> ExprId {
        if node.kind_name() == "assignment_expression"
            && let (Some(name), Some(value)) = (node.field("left"), node.field("right"))
            && name.kind_name() == "identifier"
        {
            let value = self.full(value);
            let name = self.plain_name(name);
            return self.b.add_expr(Expr::Keyword(name, value));
        }
        self.full(node)
    }

    /// All arguments in the lists of a node behind a type.
    pub(super) fn arguments_of(&mut self, node: Node<'_>, ty: Node<'_>) -> Vec<ExprId> {
        let inner = match ty.kind_name() {
            "applied_constructor_type" => children_of_kind(ty, "arguments"),
            _ => Vec::new(),
        };
        let own = children_of_kind(node, "arguments");
        let lists = inner.into_iter().chain(own);
        let lists: Vec<Node<'_>> = lists.collect();
        lists
            .into_iter()
            .flat_map(|list| self.arguments(list))
            .collect()
    }

    /// `f[T]` without arguments.
    pub(super) fn generic_call(&mut self, node: Node<'_>) -> ExprId {
        let (callee, type_args, name_node) = self.callee(node);
        self.add_call(callee, Vec::new(), type_args, CallKind::Call, name_node)
    }

    /// `a op b`. Operators that end in a colon are methods of the right operand.
    pub(super) fn infix(&mut self, node: Node<'_>) -> ExprId {
        let (Some(left), Some(operator), Some(right)) = (
            node.field("left"),
            node.field("operator"),
            node.field("right"),
        ) else {
            self.each(node);
            return self.unknown();
        };
        let text = self.b.text(operator);
        let is_sign = operator.kind_name() == "operator_identifier";
        let (object, args) = if is_sign && text.ends_with(':') {
            let left = self.expr(left);
            (self.receiver(right), vec![left])
        } else {
            let object = self.receiver(left);
            (object, self.operands(right))
        };
        let name = self.plain_name(operator);
        let callee = self.b.add_expr(Expr::Member { object, name });
        let kind = if is_sign {
            CallKind::Operator
        } else {
            CallKind::Call
        };
        let call = self.add_call(callee, args, Vec::new(), kind, operator);
        if is_sign && is_assignment(text) {
            self.write_of_operator(left, object);
        }
        call
    }

    /// The arguments that the right operand stands for.
    fn operands(&mut self, right: Node<'_>) -> Vec<ExprId> {
        match right.kind_name() {
            "tuple_expression" => {
                let all = parts(right).into_iter();
                all.map(|arg| self.full(arg)).collect()
            }
            "unit" => Vec::new(),
            _ => vec![self.expr(right)],
        }
    }

    /// `!a`.
    pub(super) fn prefix(&mut self, node: Node<'_>) -> ExprId {
        let Some(value) = first_part(node) else {
            return self.unknown();
        };
        let object = self.expr(value);
        let sign = node.child(0).map_or("", |sign| self.b.text(sign));
        let name = self.b.intern_owned_name(&format!("unary_{sign}"));
        let path = self.b.add_expr(Expr::Member { object, name });
        let call = self.b.add_expr(Expr::Bare(path));
        self.b.add_call(call, CallKind::Operator, 0, node);
        call
    }

    /// `new T(…) { … }`.
    pub(super) fn instance(&mut self, node: Node<'_>) -> ExprId {
        let inside = parts(node);
        let body = inside.iter().find(|n| n.kind_name() == "template_body");
        let written = inside.iter().find(|n| {
            !matches!(
                n.kind_name(),
                "template_body" | "arguments" | "early_defs" | "end_marker" | "refinement"
            )
        });
        let Some(written) = written.copied() else {
            if let Some(body) = body {
                self.anonymous_class(node, *body, None);
            }
            return self.unknown();
        };
        if written.kind_name() == "structural_type" {
            self.anonymous_class(node, written, None);
            return self.unknown();
        }
        let (ty, name_node) = match written.kind_name() {
            "compound_type" => self.constructed_compound(written),
            _ => self.constructed_type(written),
        };
        let class = self.b.add_expr(Expr::Type(ty));
        let args = self.arguments_of(node, written);
        let argc = args.len();
        let new = self.add_new(class, args);
        self.b.add_call(new, CallKind::New, argc, name_node);
        let refinement = child_of_kind(written, "refinement");
        if let Some(body) = body.copied().or(refinement) {
            self.anonymous_class(node, body, Some(ty));
        }
        new
    }

    /// The first class of `new A with B`.
    fn constructed_compound<'t>(&mut self, node: Node<'t>) -> (TypeId, Node<'t>) {
        for extra in super::field_nodes(node, "extra") {
            self.ty(extra);
        }
        match node.field("base") {
            Some(base) => self.constructed_type(base),
            None => (self.ty(node), node),
        }
    }

    fn anonymous_class(&mut self, node: Node<'_>, body: Node<'_>, ty: Option<TypeId>) {
        let name = self.b.intern_owned_name("<anonymous>");
        let def = self.b.add_def(name, SymbolKind::Class, node, node);
        let it = self.b.def_mut(def);
        it.flags.set(DefFlags::ANONYMOUS);
        it.flags.set(DefFlags::LOCAL);
        it.supers = ty.map(|ty| (ty, SuperKind::Extends)).into_iter().collect();
        let was_local = std::mem::replace(&mut self.is_local, false);
        self.types.push(def);
        self.b.open_def(def, ScopeKind::Class);
        self.template_body(def, body);
        self.b.close_def();
        self.types.pop();
        self.is_local = was_local;
    }
}

/// Whether an operator assigns: it ends in `=` and compares nothing.
fn is_assignment(operator: &str) -> bool {
    operator.ends_with('=') && !operator.starts_with('=') && !matches!(operator, "<=" | ">=" | "!=")
}

/// The node of the name that an expression calls last.
fn called_name(node: Node<'_>) -> Node<'_> {
    let mut node = node;
    // Real code has no longer chains of parameter lists.
    for _ in 0..16 {
        let inner = match node.kind_name() {
            "call_expression" | "generic_function" => node.field("function"),
            "field_expression" => node.field("field"),
            _ => None,
        };
        match inner {
            Some(inner) => node = inner,
            None => break,
        }
    }
    node
}
