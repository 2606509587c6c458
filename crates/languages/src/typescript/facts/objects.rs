//! Object and array literals, and assignments that define members.

use super::defs::{is_function_literal, strip_parens_and_casts};
use super::{DefName, ThisRef, Walker};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Most members or elements that are kept as values; further ones are only read.
const MOST_MEMBERS: usize = 512;
const MOST_ELEMENTS: usize = 16;

impl<'t> Walker<'_, '_, 't> {
    pub(super) fn visit_array(&mut self, node: Node<'t>) -> ExprId {
        let mut elements = Vec::new();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if child.kind_name() == "comment" {
                continue;
            }
            let mut element = self.expr(child);
            if let Expr::Spread(inner) = *self.b.facts().expr(element) {
                element = self.b.add_expr(Expr::Element(inner));
            }
            if elements.len() < MOST_ELEMENTS {
                elements.push(element);
            }
        }
        self.b.add_expr(Expr::List(elements.into_boxed_slice()))
    }

    /// An object literal. `owner` is the constant whose value it is, and then the `this` of its methods.
    pub(super) fn visit_object(&mut self, node: Node<'t>, owner: Option<DefId>) -> ExprId {
        let expected = self.expected.take();
        let mut members = Vec::new();
        let mut cursor = node.walk();
        self.doc = None;
        for child in node.named_children(&mut cursor) {
            if child.kind_name() == "comment" {
                self.collect_comment(child);
                continue;
            }
            let before = self.b.facts().exprs.len();
            let member = self.object_member(child, owner);
            self.doc = None;
            if let (Some(expected), Some((name, value))) = (expected, member)
                && value.index() >= before
            {
                let ty = self.b.add_type(TypeExpr::Projection(expected, name));
                self.set_expected_type(value, ty);
            }
            let member = member.map(|(name, value)| match expected {
                Some(of) => (name, self.add_promise(of, name, value)),
                None => (name, value),
            });
            if members.len() < MOST_MEMBERS {
                members.extend(member);
            }
        }
        self.b.add_expr(Expr::Object(members.into_boxed_slice()))
    }

    /// Sets the type that is expected of a function literal.
    pub(super) fn set_expected_type(&mut self, value: ExprId, ty: TypeId) {
        if let Expr::Function(def) = *self.b.facts().expr(value) {
            let def = self.b.def_mut(def);
            if def.kind.is_callable() {
                def.ty = def.ty.or(Some(ty));
            }
        }
    }

    /// Records that a name in place of an expected member refers to an implementation of that member.
    fn add_promise(&mut self, of: TypeId, name: NameId, value: ExprId) -> ExprId {
        if !matches!(self.b.facts().expr(value), Expr::Name { .. }) {
            return value;
        }
        let ty = self.b.add_type(TypeExpr::Projection(of, name));
        self.b.add_expr(Expr::Cast(value, ty))
    }

    /// The functions and objects among the members of an object literal.
    fn literal_members(&self, object: ExprId) -> Vec<(NameId, ExprId)> {
        let Expr::Object(members) = self.b.facts().expr(object) else {
            return Vec::new();
        };
        let is_literal = |member: &&(NameId, ExprId)| {
            let value = self.b.facts().expr(member.1);
            matches!(value, Expr::Function(_) | Expr::Object(_))
        };
        members.iter().filter(is_literal).copied().collect()
    }

    /// Whether an object literal contains functions, directly or in nested literals.
    pub(super) fn has_untyped_members(&self, object: ExprId) -> bool {
        !self.literal_members(object).is_empty()
    }

    /// Sets the expected types of the functions in an object literal and its nested literals.
    pub(super) fn set_expected_of_members(&mut self, object: ExprId, ty: TypeId) {
        if !self.b.enter_level() {
            return;
        }
        for (name, value) in self.literal_members(object) {
            let ty = self.b.add_type(TypeExpr::Projection(ty, name));
            self.set_expected_type(value, ty);
            self.set_expected_of_members(value, ty);
        }
        self.b.leave_level();
    }

    fn object_member(&mut self, node: Node<'t>, owner: Option<DefId>) -> Option<(NameId, ExprId)> {
        match node.kind_name() {
            "pair" => {
                let key = node.field("key")?;
                let value = node.field("value")?;
                self.visit_pair(node, key, value, owner)
            }
            "method_definition" => {
                let key = node.field("name")?;
                let name = self.intern_member_name(key);
                let flags = accessor_flags(node);
                let id = self.object_method(node, node, name, key, flags, owner);
                Some((name, self.b.add_expr(Expr::Function(id))))
            }
            "shorthand_property_identifier" => {
                let name = self.b.intern_node_text(node);
                Some((name, self.expr(node)))
            }
            "spread_element" => {
                let value = match node.named_child(0) {
                    Some(inner) => self.expr(inner),
                    None => self.unknown,
                };
                Some((self.b.intern_name("..."), value))
            }
            _ => {
                self.statement(node);
                None
            }
        }
    }

    fn visit_pair(
        &mut self,
        node: Node<'t>,
        key: Node<'t>,
        value: Node<'t>,
        owner: Option<DefId>,
    ) -> Option<(NameId, ExprId)> {
        let name = self.intern_member_name(key);
        let literal = strip_parens_and_casts(value);
        if is_function_literal(literal) && literal.kind_name() != "class" {
            let flags = DefFlags::default();
            let id = self.object_method(literal, node, name, key, flags, owner);
            return Some((name, self.b.add_expr(Expr::Function(id))));
        }
        let constant = owner.filter(|_| may_be_callable_or_object(literal));
        let Some(owner) = constant.filter(|_| !self.in_function()) else {
            return Some((name, self.expr(value)));
        };
        let id = self.add_def(&DefName {
            name: Some(name),
            at: key,
            outer: node,
            kind: SymbolKind::Property,
            flags: DefFlags::default(),
        });
        self.set_signature(id, node, None);
        self.b.open_owner(id);
        let value = self.visit_owned_value(value, id);
        self.b.close_owner();
        let def = self.b.def_mut(id);
        def.parent = Some(owner);
        def.value = Some(value);
        Some((name, value))
    }

    fn object_method(
        &mut self,
        function: Node<'t>,
        outer: Node<'t>,
        name: NameId,
        at: Node<'t>,
        flags: DefFlags,
        owner: Option<DefId>,
    ) -> DefId {
        let this = owner.map_or(ThisRef::None, ThisRef::Instance);
        let named = DefName {
            name: Some(name),
            at,
            outer,
            kind: SymbolKind::Method,
            flags,
        };
        self.function(function, named, Some(this))
    }

    /// The name of a member. A computed name in brackets is read, too; its text is the name.
    pub(super) fn intern_member_name(&mut self, key: Node<'t>) -> NameId {
        if key.kind_name() == "computed_property_name" {
            self.expressions(key);
            let inner = key.named_child(0);
            if let Some(literal) = inner.filter(|i| i.kind_name() == "string") {
                let text = super::unquote(self.b.text(literal));
                return self.b.intern_name(text);
            }
        }
        let text = match key.kind_name() {
            "string" => super::unquote(self.b.text(key)),
            _ => self.b.text(key),
        };
        self.b.intern_name(text)
    }

    /// `left = right`, including the definitions it makes: prototype methods, exports, fields of `this`.
    pub(super) fn visit_assignment(&mut self, node: Node<'t>) -> ExprId {
        let (Some(left), Some(right)) = (node.field("left"), node.field("right")) else {
            return self.visit_malformed(node);
        };
        if let Some(id) = self.visit_export_assignment(node, left, right) {
            return id;
        }
        if let Some(id) = self.try_define_prototype_member(node, left, right) {
            return id;
        }
        let value = self.expr(right);
        self.assign_pattern(left, value);
        self.record_field_assignment(node, left, value);
        self.record_member_assignment(left, value);
        self.define_static_field(node, left, right, value);
        value
    }

    fn visit_malformed(&mut self, node: Node<'t>) -> ExprId {
        self.expressions(node);
        self.unknown
    }

    /// `Foo.prototype.bar = function …`, `Foo.bar = function …`, `Foo.prototype = { … }` for a
    /// function or class of this file.
    fn try_define_prototype_member(
        &mut self,
        node: Node<'t>,
        left: Node<'t>,
        right: Node<'t>,
    ) -> Option<ExprId> {
        if left.kind_name() != "member_expression" || self.top.is_empty() {
            return None;
        }
        let object = left.field("object")?;
        let property = left.field("property")?;
        let literal = strip_parens_and_casts(right);
        if self.b.text(property) == "prototype" && literal.kind_name() == "object" {
            let class = self.find_top_level(object)?;
            let id = self.with_owner(class, |walker| walker.visit_object(literal, Some(class)));
            self.expr(object);
            return Some(id);
        }
        if literal.kind_name() == "class" {
            return self.try_define_static_class(node, object, property, literal);
        }
        if !is_function_literal(literal) {
            return None;
        }
        let (class, flags) = match self.owner_of_prototype(object) {
            Some(class) => (class, DefFlags::default()),
            None => (self.find_top_level(object)?, DefFlags::STATIC),
        };
        let name = self.b.intern_node_text(property);
        let outer = node
            .parent()
            .filter(|p| p.kind_name() == "expression_statement");
        let named = DefName {
            name: Some(name),
            at: property,
            outer: outer.unwrap_or(node),
            kind: SymbolKind::Method,
            flags,
        };
        let this = ThisRef::Instance(class);
        let id = self.with_owner(class, |walker| walker.function(literal, named, Some(this)));
        self.expr(object);
        Some(self.b.add_expr(Expr::Function(id)))
    }

    /// JavaScript: `Foo.Bar = class …` for a class or function of this file.
    fn try_define_static_class(
        &mut self,
        node: Node<'t>,
        object: Node<'t>,
        property: Node<'t>,
        literal: Node<'t>,
    ) -> Option<ExprId> {
        if !self.is_javascript() || self.in_function() {
            return None;
        }
        let class = self.find_top_level(object)?;
        let outer = node
            .parent()
            .filter(|p| p.kind_name() == "expression_statement");
        let named = DefName {
            name: Some(self.b.intern_node_text(property)),
            at: property,
            outer: outer.unwrap_or(node),
            kind: SymbolKind::Class,
            flags: DefFlags::STATIC,
        };
        let id = self.with_owner(class, |walker| walker.visit_class(literal, named));
        self.expr(object);
        Some(self.b.add_expr(Expr::Function(id)))
    }

    /// JavaScript: `Foo.bar = value` outside of functions is a static field of a class or function of this file.
    fn define_static_field(
        &mut self,
        node: Node<'t>,
        left: Node<'t>,
        right: Node<'t>,
        value: ExprId,
    ) {
        let is_candidate = self.is_javascript()
            && !self.in_function()
            && left.kind_name() == "member_expression"
            && may_be_callable_or_object(strip_parens_and_casts(right));
        let (Some(object), Some(at), true) =
            (left.field("object"), left.field("property"), is_candidate)
        else {
            return;
        };
        let name = self.b.intern_node_text(at);
        let class = self
            .find_top_level(object)
            .filter(|_| self.b.text(at) != "prototype");
        let Some(class) = class else { return };
        let defs = &self.b.facts().defs[class.index()..];
        if defs
            .iter()
            .any(|d| d.parent == Some(class) && d.name == name)
        {
            return;
        }
        let scope = self.b.facts().def(class).body.unwrap_or(FILE_SCOPE);
        let outer = node
            .parent()
            .filter(|p| p.kind_name() == "expression_statement");
        let outer = outer.unwrap_or(node);
        let ty = self.type_from_doc_before(outer);
        let id = self.b.add_def(name, SymbolKind::Field, outer, at);
        let def = self.b.def_mut(id);
        def.parent = Some(class);
        def.scope = scope;
        def.value = Some(value);
        def.ty = ty;
        def.flags.set(DefFlags::STATIC);
    }

    fn with_owner<R>(&mut self, class: DefId, read: impl FnOnce(&mut Self) -> R) -> R {
        self.b.open_owner(class);
        let result = read(self);
        self.b.close_owner();
        result
    }

    fn owner_of_prototype(&mut self, object: Node<'t>) -> Option<DefId> {
        if object.kind_name() != "member_expression" {
            return None;
        }
        let property = object.field("property")?;
        if self.b.text(property) != "prototype" {
            return None;
        }
        self.find_top_level(object.field("object")?)
    }

    fn find_top_level(&mut self, node: Node<'t>) -> Option<DefId> {
        if node.kind_name() != "identifier" {
            return None;
        }
        let name = self.b.intern_node_text(node);
        self.top.get(&name).copied()
    }
}

/// Whether a member's value can be called or has members of its own.
fn may_be_callable_or_object(value: Node<'_>) -> bool {
    matches!(
        value.kind_name(),
        "identifier" | "member_expression" | "call_expression" | "new_expression" | "object"
    )
}

/// GETTER or SETTER for `get x()` and `set x(v)`.
pub(super) fn accessor_flags(node: Node<'_>) -> DefFlags {
    let mut flags = DefFlags::default();
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        match child.kind_name() {
            "get" => flags.set(DefFlags::GETTER),
            "set" => flags.set(DefFlags::SETTER),
            "static" => flags.set(DefFlags::STATIC),
            "abstract" => flags.set(DefFlags::ABSTRACT),
            "formal_parameters" => break,
            _ => {}
        }
    }
    flags
}
