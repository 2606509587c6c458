//! Properties and variables.

use super::functions::receiver_type;
use super::headers::{Header, Parts};
use super::{Walker, children_of_kind, code_children, is_type};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl Walker<'_, '_> {
    pub(super) fn property_declaration(&mut self, node: Node<'_>) {
        if self.is_in_function() {
            return self.local_variable(node);
        }
        let header = self.header(node);
        if let Some(list) = child_of_kind(node, "multi_variable_declaration") {
            return self.destructured_properties(node, list, &header);
        }
        let Some(variable) = child_of_kind(node, "variable_declaration") else {
            return;
        };
        let Some(name_node) = child_of_kind(variable, "identifier") else {
            return;
        };
        let def = self.property(node, name_node, &header);
        self.b.open_def(def, ScopeKind::Function);
        self.type_parameters(def, node);
        if let Some(receiver) = receiver_type(node, variable) {
            let receiver = self.receiver(receiver);
            let it = self.b.def_mut(def);
            it.flags.set(DefFlags::EXTENSION);
            it.callable = Some(Box::new(Callable {
                params: vec![receiver],
                ..Callable::default()
            }));
        }
        let ty = code_children(variable).into_iter().find(|c| is_type(*c));
        let ty = ty.map(|ty| self.ty(ty));
        self.b.def_mut(def).ty = ty;
        let value = self.in_constructor(|walker| walker.initial_value(node, ty));
        let read = self.accessors(node, ty);
        self.b.def_mut(def).value = value.or(read);
        self.b.close_def();
    }

    fn property(&mut self, node: Node<'_>, name_node: Node<'_>, header: &Header<'_>) -> DefId {
        let kind = if header.is_const {
            SymbolKind::Constant
        } else if self.classes.is_empty() {
            SymbolKind::Variable
        } else {
            SymbolKind::Property
        };
        let name = self.name(name_node);
        let def = self.b.add_def(name, kind, node, name_node);
        self.b.bind(name, Namespace::VALUE, Bound::Def(def));
        let parts = Parts {
            name: Some(name_node),
            ..Parts::default()
        };
        self.set_header(def, node, header, parts);
        def
    }

    fn destructured_properties(&mut self, node: Node<'_>, list: Node<'_>, header: &Header<'_>) {
        let value = self.in_constructor(|walker| walker.initial_value(node, None));
        for (variable, n) in children_of_kind(list, "variable_declaration")
            .into_iter()
            .zip(0..)
        {
            let Some(name_node) = child_of_kind(variable, "identifier") else {
                continue;
            };
            let def = self.property(node, name_node, header);
            let part = value.map(|value| self.b.add_expr(Expr::Part(value, n)));
            self.b.def_mut(def).value = part;
        }
    }

    /// The value behind `=`, or what a delegate gives.
    fn initial_value(&mut self, node: Node<'_>, ty: Option<TypeId>) -> Option<ExprId> {
        let handlers = self.push_frame("", false);
        let mut found = None;
        if let Some(delegate) = child_of_kind(node, "property_delegate") {
            if let Some(inner) = super::first_code_child(delegate) {
                let value = self.expr(inner);
                found = Some(self.b.add_expr(Expr::Try(value)));
            }
        } else if let Some(value) = value_node(node) {
            found = Some(self.expr_expecting(value, ty));
        }
        self.pop_frame(handlers);
        found
    }

    /// The bodies of `get` and `set`; returns what the getter gives.
    fn accessors(&mut self, node: Node<'_>, ty: Option<TypeId>) -> Option<ExprId> {
        let mut read = None;
        for accessor in code_children(node) {
            let is_getter = match accessor.kind_name() {
                "getter" => true,
                "setter" => false,
                _ => continue,
            };
            if let Some(modifiers) = child_of_kind(accessor, "modifiers") {
                self.annotations_in(modifiers);
            }
            let Some(body) = child_of_kind(accessor, "function_body") else {
                continue;
            };
            self.b.open_scope(ScopeKind::Block, None);
            let field = self.b.intern_name("field");
            let value = Bound::Local { ty, value: None };
            self.b.bind(field, Namespace::VALUE, value);
            if !is_getter && let Some(name) = child_of_kind(accessor, "identifier") {
                let name = self.name(name);
                self.b.bind(name, Namespace::VALUE, value);
            }
            let handlers = self.push_frame("get", false);
            if let Some(frame) = self.frames.last_mut() {
                frame.ret = ty;
            }
            self.function_body(body, ty.filter(|_| is_getter));
            let returns = self.pop_frame(handlers);
            self.b.close_scope();
            if is_getter {
                read = match returns[..] {
                    [] => None,
                    [one] => Some(one),
                    _ => Some(self.b.add_expr(Expr::Either(returns.into()))),
                };
            }
        }
        read
    }

    fn local_variable(&mut self, node: Node<'_>) {
        if let Some(modifiers) = child_of_kind(node, "modifiers") {
            self.annotations_in(modifiers);
        }
        if let Some(list) = child_of_kind(node, "multi_variable_declaration") {
            if let Some(value) = value_node(node) {
                let value = self.expr(value);
                self.destructure(list, value, node.end_byte() as u32);
            }
            return;
        }
        let Some(variable) = child_of_kind(node, "variable_declaration") else {
            return;
        };
        let ty = code_children(variable).into_iter().find(|c| is_type(*c));
        let ty = ty.map(|ty| self.ty(ty));
        let value = match child_of_kind(node, "property_delegate") {
            Some(delegate) => super::first_code_child(delegate).map(|inner| {
                let value = self.expr(inner);
                self.b.add_expr(Expr::Try(value))
            }),
            None => value_node(node).map(|value| self.expr_expecting(value, ty)),
        };
        if let Some(name) = child_of_kind(variable, "identifier") {
            self.bind_local(name, node.end_byte() as u32, ty, value);
        }
        // Nothing but a delegate makes accessors of a local variable, but sources may have them.
        self.accessors(node, ty);
    }

    /// Binds a local variable from a byte on.
    pub(super) fn bind_local(
        &mut self,
        name_node: Node<'_>,
        from: u32,
        ty: Option<TypeId>,
        value: Option<ExprId>,
    ) {
        let name = self.name(name_node);
        let scope = self.b.current_scope();
        let to = Bound::Local { ty, value };
        self.b.bind_in(scope, name, Namespace::VALUE, from, to);
    }

    /// `(a, b)` on the left side of a value.
    pub(super) fn destructure(&mut self, list: Node<'_>, value: ExprId, from: u32) {
        for (variable, n) in children_of_kind(list, "variable_declaration")
            .into_iter()
            .zip(0..)
        {
            let ty = code_children(variable).into_iter().find(|c| is_type(*c));
            let ty = ty.map(|ty| self.ty(ty));
            let part = self.b.add_expr(Expr::Part(value, n));
            if let Some(name) = child_of_kind(variable, "identifier") {
                self.bind_local(name, from, ty, Some(part));
            }
        }
    }
}

/// The expression behind `=`.
fn value_node(node: Node<'_>) -> Option<Node<'_>> {
    let sign = super::word_child(node, "=")?;
    code_children(node)
        .into_iter()
        .find(|child| child.start_byte() >= sign.end_byte())
}
