//! Properties and variables, their accessors and observers.

use super::headers::Header;
use super::types::is_type;
use super::{
    Expected, FunctionFrame, TypeKind, Walker, children_of_kind, children_with_fields,
    named_children,
};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// One variable of a declaration, with what is written behind it.
#[derive(Default)]
struct Declarator<'t> {
    pattern: Option<Node<'t>>,
    ty: Option<Node<'t>>,
    value: Option<Node<'t>>,
    computed: Option<Node<'t>>,
    observers: Option<Node<'t>>,
    end: usize,
}

impl<'s> Walker<'_, 's> {
    /// Properties, global and local variables.
    pub(super) fn property(&mut self, node: Node<'_>, doc: Option<&str>) {
        let mut declarators: Vec<Declarator<'_>> = Vec::new();
        for (child, field) in children_with_fields(node) {
            if field == "name" && child.kind_name() == "pattern" {
                declarators.push(Declarator {
                    pattern: Some(child),
                    end: child.end_byte(),
                    ..Declarator::default()
                });
            }
            let Some(last) = declarators.last_mut() else {
                continue;
            };
            match (child.kind_name(), field) {
                ("type_annotation", _) => last.ty = Some(child),
                (_, "value") => last.value = Some(child),
                (_, "computed_value") => last.computed = Some(child),
                ("willset_didset_block", _) => last.observers = Some(child),
                ("protocol_property_requirements", _) => {}
                _ => continue,
            }
            last.end = child.end_byte();
        }
        // A type stands for the variables before it, too: `let a, b: Int`.
        let mut ty = None;
        for declarator in declarators.iter_mut().rev() {
            if declarator.ty.is_some() {
                ty = declarator.ty;
            } else if declarator.value.is_none() {
                declarator.ty = ty;
            } else {
                ty = None;
            }
        }
        let mut header = self.header(node);
        if self.is_in_function() {
            // `async let` waits where the variable is read.
            let is_awaited = self.is_awaited;
            self.is_awaited |= header.is_async;
            declarators.iter().for_each(|one| self.local(one));
            self.is_awaited = is_awaited;
            return;
        }
        for declarator in declarators {
            self.member((node, &mut header), &declarator, doc);
        }
    }

    /// The type behind a colon.
    pub(super) fn annotation(&mut self, node: Node<'_>) -> Option<TypeId> {
        let written = named_children(node)
            .into_iter()
            .find(|c| is_type(c.kind_name()))?;
        Some(self.ty(written))
    }

    fn local(&mut self, declarator: &Declarator<'_>) {
        let ty = declarator.ty.and_then(|ty| self.annotation(ty));
        let expected = ty.map_or(Expected::Nothing, Expected::Type);
        let value = declarator.value;
        let value = value.map(|value| self.expr_expecting(value, expected));
        if let Some(computed) = declarator.computed {
            self.b.open_scope(ScopeKind::Block, None);
            self.accessors(computed, ty);
            self.b.close_scope();
        }
        if let Some(observers) = declarator.observers {
            self.observers(observers, ty);
        }
        let Some(pattern) = declarator.pattern else {
            return;
        };
        let value = match (ty, value) {
            (Some(ty), value) => {
                let inner = value.unwrap_or_else(|| self.b.add_expr(Expr::Unknown));
                self.b.add_expr(Expr::Cast(inner, ty))
            }
            (None, Some(value)) => value,
            (None, None) => self.b.add_expr(Expr::Unknown),
        };
        self.bind_pattern(pattern, value, declarator.end as u32);
    }

    fn member<'t>(
        &mut self,
        (node, header): (Node<'t>, &mut Header<'t>),
        declarator: &Declarator<'_>,
        doc: Option<&str>,
    ) {
        let Some(pattern) = declarator.pattern else {
            return;
        };
        let mut names = Vec::new();
        names_in(pattern, &mut names);
        let is_member = self.current_type().is_some();
        let kind = if is_member {
            SymbolKind::Property
        } else {
            SymbolKind::Variable
        };
        let mut ty = None;
        for (n, name_node) in names.iter().copied().enumerate() {
            let text = self.b.text(name_node).trim_matches('`');
            let name = self.b.intern_name(text);
            let def = self.b.add_def(name, kind, node, name_node);
            let line = self.line_end(name_node, node);
            let end = [declarator.computed, declarator.observers]
                .into_iter()
                .flatten()
                .map(|c| c.start_byte() as u32)
                .fold(line, u32::min);
            self.set_header(def, header, end, doc);
            header.attributes.clear();
            if self.is_in(TypeKind::Protocol) {
                self.b.def_mut(def).flags.set(DefFlags::ABSTRACT);
            }
            self.b.open_owner(def);
            if n == 0 {
                ty = declarator.ty.and_then(|ty| self.annotation(ty));
            }
            if names.len() == 1 {
                self.b.def_mut(def).ty = ty;
                self.member_value(def, declarator, ty);
            } else if n == 0
                && let Some(value) = declarator.value
            {
                self.initial_value(def, value, ty);
            }
            self.b.close_owner();
            if declarator.computed.is_some() || declarator.observers.is_some() {
                self.member_accessors(def, declarator, ty, header.is_static);
            }
        }
    }

    fn member_value(&mut self, def: DefId, declarator: &Declarator<'_>, ty: Option<TypeId>) {
        if let Some(value) = declarator.value {
            let value = self.initial_value(def, value, ty);
            self.b.def_mut(def).value = Some(value);
        }
    }

    fn initial_value(&mut self, def: DefId, value: Node<'_>, ty: Option<TypeId>) -> ExprId {
        let is_static = self.b.facts().def(def).flags.has(DefFlags::STATIC);
        let outer = std::mem::replace(&mut self.is_static, is_static);
        self.frames.push(FunctionFrame::Function(None));
        let expected = ty.map_or(Expected::Nothing, Expected::Type);
        let value = self.expr_expecting(value, expected);
        self.frames.pop();
        self.is_static = outer;
        value
    }

    fn member_accessors(
        &mut self,
        def: DefId,
        declarator: &Declarator<'_>,
        ty: Option<TypeId>,
        is_static: bool,
    ) {
        let outer = std::mem::replace(&mut self.is_static, is_static);
        self.b.open_def(def, ScopeKind::Function);
        if let Some(computed) = declarator.computed {
            self.accessors(computed, ty);
        }
        if let Some(observers) = declarator.observers {
            self.observers(observers, ty);
        }
        self.b.close_def();
        self.is_static = outer;
    }

    /// The accessors of a computed property or subscript.
    pub(super) fn accessors(&mut self, node: Node<'_>, ty: Option<TypeId>) {
        for child in named_children(node) {
            match child.kind_name() {
                "statements" => self.function_body(Some(child), ty),
                "computed_getter" => {
                    self.b.open_scope(ScopeKind::Block, None);
                    self.function_body(Some(child), ty);
                    self.b.close_scope();
                }
                "computed_setter" | "computed_modify" => self.setter(child, "newValue", ty),
                _ => {}
            }
        }
    }

    /// `set`, `willSet` or `didSet`, whose value has a name.
    fn setter(&mut self, node: Node<'_>, name: &'static str, ty: Option<TypeId>) {
        self.b.open_scope(ScopeKind::Block, None);
        let written = child_of_kind(node, "simple_identifier");
        let name = match written {
            Some(written) => self.b.intern_node_text(written),
            None => self.b.intern_owned_name(name),
        };
        let value = Bound::Local { ty, value: None };
        self.b.bind(name, Namespace::VALUE, value);
        self.function_body(Some(node), None);
        self.b.close_scope();
    }

    fn observers(&mut self, node: Node<'_>, ty: Option<TypeId>) {
        for child in children_of_kind(node, "willset_clause") {
            self.setter(child, "newValue", ty);
        }
        for child in children_of_kind(node, "didset_clause") {
            self.setter(child, "oldValue", ty);
        }
    }
}

/// The names that a pattern of a declaration binds.
fn names_in<'t>(pattern: Node<'t>, out: &mut Vec<Node<'t>>) {
    let mut open = vec![pattern];
    while let Some(node) = open.pop() {
        if let Some(name) = node.field("bound_identifier") {
            out.push(name);
            continue;
        }
        let mut inner = named_children(node);
        inner.reverse();
        for child in inner {
            match child.kind_name() {
                "simple_identifier" => out.push(child),
                "pattern" => open.push(child),
                _ => {}
            }
        }
    }
}
