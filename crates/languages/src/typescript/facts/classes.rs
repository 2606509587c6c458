//! Classes, interfaces, enums, namespaces, type aliases and their members.

use super::defs::{is_function_literal, strip_parens_and_casts};
use super::objects::accessor_flags;
use super::{DefName, ThisRef, Walker, has_token};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'t> Walker<'_, '_, 't> {
    pub(super) fn class_declaration(&mut self, node: Node<'t>, outer: Node<'t>, flags: DefFlags) {
        let Some(at) = node.field("name") else {
            return;
        };
        let name = self.b.intern_node_text(at);
        let scope = self.b.current_scope();
        let id = self.visit_class(
            node,
            DefName {
                name: Some(name),
                at,
                outer,
                kind: SymbolKind::Class,
                flags,
            },
        );
        self.b
            .bind_in(scope, name, Namespace::BOTH, 0, Bound::Def(id));
        self.record_top_level(scope, name, id);
    }

    /// Reads a class declaration or expression.
    pub(super) fn visit_class(&mut self, node: Node<'t>, mut named: DefName<'t>) -> DefId {
        if node.kind_name() == "abstract_class_declaration" {
            named.flags.set(DefFlags::ABSTRACT);
        }
        let doc = self.doc.take();
        let mut decorators = self.visit_decorators(named.outer);
        if named.outer != node {
            decorators.extend(self.visit_decorators(node));
        }
        self.doc = doc;
        let id = self.add_def(&named);
        self.mark_decorators(id, named.outer);
        if named.outer != node {
            self.mark_decorators(id, node);
        }
        let body = node.field("body");
        self.set_signature(id, named.outer, body);
        self.b.def_mut(id).decorators = decorators.into_boxed_slice();
        self.b.open_def(id, ScopeKind::Class);
        if let Some(own) = node.field("name").filter(|_| node.kind_name() == "class") {
            let name = self.b.intern_node_text(own);
            self.b.bind(name, Namespace::BOTH, Bound::Def(id));
        }
        self.classes.push(id);
        self.this.push(ThisRef::Instance(id));
        match node.field("type_parameters") {
            Some(list) => self.type_params(id, list),
            None => self.bind_doc_templates(id, named.outer),
        }
        let supers = self.visit_heritage(node, named.outer);
        self.b.def_mut(id).supers = supers.into_boxed_slice();
        if let Some(body) = body {
            self.class_members(body);
        }
        self.this.pop();
        self.classes.pop();
        self.b.close_def();
        self.declare_assigned_fields(id);
        id
    }

    fn visit_heritage(&mut self, node: Node<'t>, outer: Node<'t>) -> Vec<(TypeId, SuperKind)> {
        let mut supers = Vec::new();
        let mut cursor = node.walk();
        for heritage in node.named_children(&mut cursor) {
            if heritage.kind_name() != "class_heritage" {
                continue;
            }
            let mut inner = heritage.walk();
            for clause in heritage.named_children(&mut inner) {
                match clause.kind_name() {
                    "extends_clause" => self.extends_clause(clause, &mut supers),
                    "implements_clause" => {
                        let types = self.lower_type_args(clause);
                        supers.extend(types.iter().map(|t| (*t, SuperKind::Implements)));
                    }
                    "comment" => {}
                    _ => {
                        let ty = self.lower_superclass(clause, Box::default());
                        let base = self.b.text(clause);
                        let documented = self.superclass_from_doc(outer, base, clause);
                        let ty = documented.unwrap_or(ty);
                        supers.push((ty, SuperKind::Extends));
                    }
                }
            }
        }
        supers
    }

    fn extends_clause(&mut self, clause: Node<'t>, supers: &mut Vec<(TypeId, SuperKind)>) {
        let args = match clause.field("type_arguments") {
            Some(list) => self.lower_type_args(list),
            None => Box::default(),
        };
        if let Some(value) = clause.field("value") {
            let ty = self.lower_superclass(value, args);
            supers.push((ty, SuperKind::Extends));
        }
    }

    /// The class after `extends`: a name or any other expression.
    fn lower_superclass(&mut self, value: Node<'t>, args: Box<[TypeId]>) -> TypeId {
        let expr = self.expr(value);
        let path = match value.kind_name() {
            "identifier" | "member_expression" => self.collect_type_path(value),
            _ => None,
        };
        let Some(path) = path else {
            return self.b.add_type(TypeExpr::TypeOf(expr));
        };
        let scope = self.b.current_scope();
        self.b.add_type(TypeExpr::Named {
            path,
            args,
            scope,
            at: value.start_byte() as u32,
        })
    }

    fn visit_decorators(&mut self, node: Node<'t>) -> Vec<ExprId> {
        let mut found = Vec::new();
        let mut cursor = node.walk();
        for child in node.fields("decorator", &mut cursor) {
            found.push(self.visit_decorator(child));
        }
        found
    }

    /// Sets the properties that the decorators of a node give to its definition.
    fn mark_decorators(&mut self, id: DefId, node: Node<'t>) {
        let mut cursor = node.walk();
        let all: Vec<Node<'t>> = node.fields("decorator", &mut cursor).collect();
        for decorator in all {
            self.mark_decorator(id, decorator);
        }
    }

    fn mark_decorator(&mut self, id: DefId, node: Node<'t>) {
        let Some(inner) = node.named_child(0) else {
            return;
        };
        let (name, arguments) = match inner.kind_name() {
            "call_expression" => (
                inner.field("function").unwrap_or(inner),
                inner.field("arguments"),
            ),
            _ => (inner, None),
        };
        let mark = self.b.read_decorator(name, arguments);
        self.b.add_decorator(id, mark);
    }

    /// `@name`, `@name(args)`: a call of kind decorator.
    pub(super) fn visit_decorator(&mut self, node: Node<'t>) -> ExprId {
        let Some(inner) = node.named_child(0) else {
            return self.unknown;
        };
        if inner.kind_name() == "call_expression" {
            let before = self.b.facts().calls.len();
            let id = self.expr(inner);
            if let Some(call) = self.b.facts_mut().calls[before..].iter_mut().last() {
                call.kind = CallKind::Decorator;
            }
            return id;
        }
        let id = self.visit_expr_unmentioned(inner);
        if let Some(name) = self.called_name(inner) {
            self.b.add_call(id, CallKind::Decorator, 1, name);
        }
        id
    }

    fn class_members(&mut self, body: Node<'t>) {
        let mut decorators: Vec<Node<'t>> = Vec::new();
        let mut cursor = body.walk();
        self.doc = None;
        for child in body.named_children(&mut cursor) {
            match child.kind_name() {
                "comment" => {
                    self.collect_comment(child);
                    continue;
                }
                "decorator" => {
                    decorators.push(child);
                    continue;
                }
                _ => {}
            }
            let doc = self.doc.take();
            let mut exprs: Vec<ExprId> = decorators
                .iter()
                .map(|d| self.visit_decorator(*d))
                .collect();
            exprs.extend(self.visit_decorators(child));
            self.doc = doc;
            let id = self.class_member(child);
            if let Some(id) = id {
                for decorator in &decorators {
                    self.mark_decorator(id, *decorator);
                }
                self.mark_decorators(id, child);
                let first = decorators
                    .first()
                    .map(|d| (d.start_byte(), d.start_position().row));
                let def = self.b.def_mut(id);
                def.decorators = exprs.into_boxed_slice();
                if let Some((byte, row)) = first {
                    def.span.start_byte = byte as u32;
                    def.span.start_line = row as u32 + 1;
                }
            }
            decorators.clear();
            self.doc = None;
        }
    }

    fn class_member(&mut self, node: Node<'t>) -> Option<DefId> {
        match node.kind_name() {
            "method_definition" | "method_signature" | "abstract_method_signature" => {
                self.visit_method(node)
            }
            "public_field_definition" | "field_definition" => self.visit_field(node),
            "index_signature" => self.index_signature(node),
            "class_static_block" => {
                let class = self.classes.last().copied();
                self.this.push(class.map_or(ThisRef::None, ThisRef::Class));
                if let Some(body) = node.field("body") {
                    self.block(body, &[]);
                }
                self.this.pop();
                None
            }
            _ => {
                self.statement(node);
                None
            }
        }
    }

    /// A method, constructor or accessor of a class, with or without a body.
    fn visit_method(&mut self, node: Node<'t>) -> Option<DefId> {
        let key = node.field("name")?;
        let name = self.intern_member_name(key);
        let mut flags = accessor_flags(node);
        match node.kind_name() {
            "method_signature" => flags.set(DefFlags::DECLARATION_ONLY),
            "abstract_method_signature" => flags.set(DefFlags::ABSTRACT),
            _ => {}
        }
        if has_token(node, "override_modifier") {
            flags.set(DefFlags::OVERRIDES);
        }
        let is_static = flags.has(DefFlags::STATIC);
        let kind = match self.b.text(key) {
            "constructor" if !is_static => SymbolKind::Constructor,
            _ => SymbolKind::Method,
        };
        let named = DefName {
            name: Some(name),
            at: key,
            outer: node,
            kind,
            flags,
        };
        let this = self.this_in_member(is_static);
        let id = self.function(node, named, Some(this));
        self.b.def_mut(id).visibility = self.member_visibility(node, key);
        Some(id)
    }

    fn this_in_member(&self, is_static: bool) -> ThisRef {
        match self.classes.last().copied() {
            Some(class) if is_static => ThisRef::Class(class),
            Some(class) => ThisRef::Instance(class),
            None => ThisRef::None,
        }
    }

    fn member_visibility(&self, node: Node<'t>, key: Node<'t>) -> Visibility {
        match key.kind_name() {
            "private_property_identifier" => Visibility::Private,
            _ => self.visibility(node),
        }
    }

    fn visit_field(&mut self, node: Node<'t>) -> Option<DefId> {
        let key = node.field("name").or_else(|| node.field("property"))?;
        let name = self.intern_member_name(key);
        let mut flags = accessor_flags(node);
        if has_token(node, "declare") {
            flags.set(DefFlags::DECLARATION_ONLY);
        }
        let is_static = flags.has(DefFlags::STATIC);
        let value = node.field("value");
        let written = node.field("type");
        let mut named = DefName {
            name: Some(name),
            at: key,
            outer: node,
            kind: SymbolKind::Field,
            flags,
        };
        self.this.push(self.this_in_member(is_static));
        let literal = value
            .map(strip_parens_and_casts)
            .filter(|v| is_function_literal(*v));
        let id = match literal {
            Some(literal) => {
                let ty = written.map(|t| self.ty(t));
                let (id, _) = self.visit_bound_literal(literal, &mut named);
                self.b.def_mut(id).ty = ty;
                id
            }
            None => self.add_field(node, &named, written, value),
        };
        self.this.pop();
        self.b.def_mut(id).visibility = self.member_visibility(node, key);
        Some(id)
    }

    fn add_field(
        &mut self,
        node: Node<'t>,
        named: &DefName<'t>,
        written: Option<Node<'t>>,
        value: Option<Node<'t>>,
    ) -> DefId {
        let id = self.add_def(named);
        self.set_signature(id, node, None);
        self.b.open_owner(id);
        let ty = written.map(|t| self.ty(t));
        let ty = ty.or_else(|| self.type_from_doc_before(node));
        let value = value.map(|v| self.expr(v));
        self.b.close_owner();
        let def = self.b.def_mut(id);
        def.ty = ty;
        def.value = value;
        id
    }

    fn index_signature(&mut self, node: Node<'t>) -> Option<DefId> {
        let mut cursor = node.walk();
        let mapped = node
            .named_children(&mut cursor)
            .find(|c| c.kind_name() == "mapped_type_clause");
        if let Some(clause) = mapped {
            for field in ["type", "alias"] {
                if let Some(ty) = clause.field(field) {
                    self.ty(ty);
                }
            }
            node.field("type").map(|t| self.ty(t));
            return None;
        }
        let key = node.field("index_type").map(|t| self.ty(t));
        let value = node.field("type").map(|t| self.ty(t));
        let name = self.b.intern_name("__index");
        let id = self.add_def(&DefName {
            name: Some(name),
            at: node,
            outer: node,
            kind: SymbolKind::Field,
            flags: DefFlags::ANONYMOUS,
        });
        let (key, value) = (
            key.unwrap_or(self.unknown_type),
            value.unwrap_or(self.unknown_type),
        );
        let ty = self.b.add_type(TypeExpr::Map(key, value));
        self.b.def_mut(id).ty = Some(ty);
        Some(id)
    }

    pub(super) fn visit_interface(&mut self, node: Node<'t>, outer: Node<'t>, flags: DefFlags) {
        let Some(at) = node.field("name") else {
            return;
        };
        let name = self.b.intern_node_text(at);
        let id = self.add_def(&DefName {
            name: Some(name),
            at,
            outer,
            kind: SymbolKind::Interface,
            flags,
        });
        let body = node.field("body");
        self.set_signature(id, outer, body);
        self.b.bind(name, Namespace::TYPE, Bound::Def(id));
        self.b.open_def(id, ScopeKind::Class);
        self.classes.push(id);
        if let Some(list) = node.field("type_parameters") {
            self.type_params(id, list);
        }
        let mut supers = Vec::new();
        let mut cursor = node.walk();
        for clause in node.named_children(&mut cursor) {
            if clause.kind_name() == "extends_type_clause" {
                let types = self.lower_type_args(clause);
                supers.extend(types.iter().map(|t| (*t, SuperKind::Extends)));
            }
        }
        self.b.def_mut(id).supers = supers.into_boxed_slice();
        if let Some(body) = body {
            self.type_members(body);
        }
        self.classes.pop();
        self.b.close_def();
    }

    /// Members of an interface or object type; its scope is open.
    pub(super) fn type_members(&mut self, body: Node<'t>) {
        let mut cursor = body.walk();
        self.doc = None;
        for child in body.named_children(&mut cursor) {
            match child.kind_name() {
                "comment" => {
                    self.collect_comment(child);
                    continue;
                }
                "property_signature" => self.property_signature(child),
                "method_signature" => {
                    if let Some(id) = self.visit_method(child) {
                        let flags = &mut self.b.def_mut(id).flags;
                        flags.0 &= !DefFlags::DECLARATION_ONLY.0;
                        flags.set(DefFlags::ABSTRACT);
                    }
                }
                "call_signature" => self.add_call_signature(child, "__call", DefFlags::ABSTRACT),
                "construct_signature" => {
                    self.add_call_signature(child, "__new", DefFlags::ABSTRACT)
                }
                "index_signature" => {
                    self.index_signature(child);
                }
                _ => self.statement(child),
            }
            self.doc = None;
        }
    }

    fn property_signature(&mut self, node: Node<'t>) {
        let Some(key) = node.field("name") else {
            return;
        };
        let name = self.intern_member_name(key);
        let named = DefName {
            name: Some(name),
            at: key,
            outer: node,
            kind: SymbolKind::Field,
            flags: DefFlags::ABSTRACT,
        };
        let written = node.field("type");
        self.add_field(node, &named, written, None);
    }

    /// A call or construct signature: a method without a name, which makes no node.
    pub(super) fn add_call_signature(
        &mut self,
        node: Node<'t>,
        name: &'static str,
        mut flags: DefFlags,
    ) {
        flags.set(DefFlags::ANONYMOUS);
        let name = self.b.intern_owned_name(name);
        let named = DefName {
            name: Some(name),
            at: node,
            outer: node,
            kind: SymbolKind::Method,
            flags,
        };
        let this = self.this.last().copied().unwrap_or(ThisRef::None);
        self.function(node, named, Some(this));
    }

    pub(super) fn type_alias(&mut self, node: Node<'t>, outer: Node<'t>, flags: DefFlags) {
        let Some(at) = node.field("name") else {
            return;
        };
        let name = self.b.intern_node_text(at);
        let id = self.add_def(&DefName {
            name: Some(name),
            at,
            outer,
            kind: SymbolKind::TypeAlias,
            flags,
        });
        self.set_signature(id, outer, None);
        self.b.bind(name, Namespace::TYPE, Bound::Def(id));
        self.b.open_def(id, ScopeKind::Block);
        if let Some(list) = node.field("type_parameters") {
            self.type_params(id, list);
        }
        let ty = node.field("value").map(|v| self.ty(v));
        self.b.close_def();
        self.b.def_mut(id).ty = ty;
    }

    pub(super) fn visit_enum(&mut self, node: Node<'t>, outer: Node<'t>, flags: DefFlags) {
        let Some(at) = node.field("name") else {
            return;
        };
        let name = self.b.intern_node_text(at);
        let id = self.add_def(&DefName {
            name: Some(name),
            at,
            outer,
            kind: SymbolKind::Enum,
            flags,
        });
        let body = node.field("body");
        self.set_signature(id, outer, body);
        self.b.bind(name, Namespace::BOTH, Bound::Def(id));
        self.b.open_def(id, ScopeKind::Class);
        let mut cursor = node.walk();
        let members = body.map(|b| b.named_children(&mut cursor).collect::<Vec<_>>());
        for member in members.unwrap_or_default() {
            if member.kind_name() == "comment" {
                self.collect_comment(member);
                continue;
            }
            self.enum_member(member);
            self.doc = None;
        }
        self.b.close_def();
    }

    fn enum_member(&mut self, node: Node<'t>) {
        let assigned = node.kind_name() == "enum_assignment";
        let key = if assigned {
            node.field("name")
        } else {
            Some(node)
        };
        let Some(key) = key else { return };
        let name = self.intern_member_name(key);
        let id = self.add_def(&DefName {
            name: Some(name),
            at: key,
            outer: node,
            kind: SymbolKind::EnumMember,
            flags: DefFlags::STATIC,
        });
        self.b.bind(name, Namespace::VALUE, Bound::Def(id));
        if let Some(value) = node.field("value").filter(|_| assigned) {
            let value = self.expr(value);
            self.b.def_mut(id).value = Some(value);
        }
    }
}
