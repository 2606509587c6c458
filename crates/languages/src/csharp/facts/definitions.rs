//! Types: classes, structs, records, interfaces, enums, delegates.

use super::headers::Header;
use super::{RULES, TypeFrame, TypeKind, Walker, children_of_kind, has_word};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl Walker<'_, '_> {
    pub(super) fn type_declaration(&mut self, node: Node<'_>, doc: Option<&str>) {
        let Some(name_node) = node.field("name") else {
            return;
        };
        let (kind, type_kind) = match node.kind_name() {
            "interface_declaration" => (SymbolKind::Interface, TypeKind::Interface),
            "enum_declaration" => (SymbolKind::Enum, TypeKind::Enum),
            "struct_declaration" => (SymbolKind::Struct, TypeKind::Class),
            "record_declaration" if has_word(node, "struct") => {
                (SymbolKind::Struct, TypeKind::Class)
            }
            _ => (SymbolKind::Class, TypeKind::Class),
        };
        let name = self.b.intern_node_text(name_node);
        let def = self.b.add_def(name, kind, node, name_node);
        let scope = self.b.current_scope();
        self.b
            .bind_in(scope, name, Namespace::BOTH, 0, Bound::Def(def));
        let header = self.header(node);
        let body = node.field("body");
        self.set_header(def, &header, body.map(|b| b.start_byte() as u32), doc);
        if header.is_partial {
            self.b.def_mut(def).flags.set(DefFlags::PARTIAL);
        }
        self.b.open_scope(ScopeKind::Block, None);
        self.b.open_owner(def);
        self.type_parameters(def, node);
        self.base_types(def, node);
        self.b.close_owner();
        self.type_body(def, type_kind, node);
        self.b.close_scope();
    }

    /// Reads the supertypes. Linking finds out which of them are interfaces.
    fn base_types(&mut self, def: DefId, node: Node<'_>) {
        let mut supers = Vec::new();
        for list in children_of_kind(node, "base_list") {
            let mut cursor = list.walk();
            let children: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
            for child in children {
                let written = match child.kind_name() {
                    "argument_list" => continue,
                    "primary_constructor_base_type" => child.field("type"),
                    _ if child.is_extra() => continue,
                    _ => Some(child),
                };
                if let Some(written) = written {
                    let kind = self.super_kind(node, written);
                    supers.push((self.ty(written), kind));
                }
            }
        }
        if node.kind_name() != "enum_declaration" {
            self.b.def_mut(def).supers = supers.into();
        }
    }

    /// By convention, the names of interfaces begin with `I` and a second capital.
    fn super_kind(&self, class: Node<'_>, written: Node<'_>) -> SuperKind {
        let name = self.b.text(written);
        let name = name.split('<').next().unwrap_or(name);
        let name = name.rsplit('.').next().unwrap_or(name);
        let mut chars = name.chars();
        let is_interface =
            chars.next() == Some('I') && chars.next().is_some_and(char::is_uppercase);
        match class.kind_name() {
            "interface_declaration" => SuperKind::Extends,
            "struct_declaration" => SuperKind::Implements,
            _ if is_interface => SuperKind::Implements,
            _ => SuperKind::Extends,
        }
    }

    fn type_body(&mut self, def: DefId, kind: TypeKind, node: Node<'_>) {
        let frames = std::mem::take(&mut self.frames);
        self.types.push(TypeFrame { def, kind });
        self.b.open_owner(def);
        let parameters = child_of_kind(node, "parameter_list");
        let primary = parameters.map(|list| self.primary_constructor(def, node, list));
        self.b.close_owner();
        self.b.open_def(def, ScopeKind::Class);
        if let (Some(params), "record_declaration") = (&primary, node.kind_name()) {
            self.record_properties(node, params);
        }
        if let Some(body) = node.field("body") {
            self.body(body);
        }
        self.b.close_def();
        self.types.pop();
        self.frames = frames;
    }

    /// `class A(int x) : B(x)`. The whole class sees the parameters.
    fn primary_constructor(&mut self, class: DefId, node: Node<'_>, list: Node<'_>) -> Vec<Param> {
        let name = self.b.facts().def(class).name;
        let name_node = node.field("name").unwrap_or(node);
        let def = self
            .b
            .add_def(name, SymbolKind::Constructor, list, name_node);
        let signature = (name_node.start_byte() as u32, list.end_byte() as u32);
        let visibility = self.b.facts().def(class).visibility;
        let it = self.b.def_mut(def);
        it.signature = signature;
        it.visibility = visibility;
        it.complexity.cyclomatic = 1;
        it.flags.set(DefFlags::EXPORTED);
        let params = self.parameters(list);
        self.bind_parameters(def, &params);
        self.b.def_mut(def).callable = Some(Box::new(Callable {
            params: params.clone(),
            ..Callable::default()
        }));
        self.b.open_owner(def);
        self.frames.push(super::FunctionFrame::Method(None));
        self.base_arguments(class, node);
        self.frames.pop();
        self.b.close_owner();
        params
    }

    /// The call of the base class's constructor in a list of supertypes.
    fn base_arguments(&mut self, class: DefId, node: Node<'_>) {
        for list in children_of_kind(node, "base_list") {
            let inner = child_of_kind(list, "primary_constructor_base_type");
            let holder = inner.unwrap_or(list);
            let Some(arguments) = child_of_kind(holder, "argument_list") else {
                continue;
            };
            let named = holder
                .field("type")
                .or_else(|| super::first_expression(holder));
            let callee = self.b.add_expr(Expr::Super(class));
            self.call_with(callee, arguments, Box::default(), named.unwrap_or(list));
        }
    }

    /// Defines a property for each parameter of a record, unless the record writes the property itself.
    fn record_properties(&mut self, node: Node<'_>, params: &[Param]) {
        let written: Vec<&str> = node
            .field("body")
            .map(|body| children_of_kind(body, "property_declaration"))
            .unwrap_or_default()
            .into_iter()
            .filter_map(|property| property.field("name"))
            .map(|name| self.b.text(name))
            .collect();
        let Some(list) = child_of_kind(node, "parameter_list") else {
            return;
        };
        for param_node in children_of_kind(list, "parameter") {
            let Some(name_node) = param_node.field("name") else {
                continue;
            };
            let name = self.b.intern_node_text(name_node);
            let Some(param) = params.iter().find(|p| p.name == name) else {
                continue;
            };
            if written.contains(&self.b.text(name_node)) {
                continue;
            }
            let def = self
                .b
                .add_def(name, SymbolKind::Property, param_node, name_node);
            let it = self.b.def_mut(def);
            it.ty = param.ty;
            it.flags.set(DefFlags::EXPORTED);
            self.b.bind(name, Namespace::VALUE, Bound::Def(def));
        }
    }

    pub(super) fn enum_member(&mut self, node: Node<'_>, doc: Option<&str>) {
        let (Some(name_node), Some(of)) = (node.field("name"), self.current_type()) else {
            return;
        };
        let name = self.b.intern_node_text(name_node);
        let def = self
            .b
            .add_def(name, SymbolKind::EnumMember, node, name_node);
        self.b.bind(name, Namespace::VALUE, Bound::Def(def));
        let header = Header {
            is_static: true,
            ..self.header(node)
        };
        self.set_header(def, &header, None, doc);
        let ty = self.b.add_type(TypeExpr::SelfType(of));
        self.b.def_mut(def).ty = Some(ty);
        if let Some(value) = node.field("value") {
            self.b.open_owner(def);
            self.expr(value);
            self.b.close_owner();
        }
    }

    /// `delegate int F(string x);`: a type whose values are functions.
    pub(super) fn delegate(&mut self, node: Node<'_>, doc: Option<&str>) {
        let Some(name_node) = node.field("name") else {
            return;
        };
        let name = self.b.intern_node_text(name_node);
        let def = self.b.add_def(name, SymbolKind::TypeAlias, node, name_node);
        self.b.bind(name, Namespace::BOTH, Bound::Def(def));
        let header = self.header(node);
        self.set_header(def, &header, None, doc);
        self.b.open_def(def, ScopeKind::Function);
        self.type_parameters(def, node);
        let params = node
            .field("parameters")
            .map(|list| self.parameters(list))
            .unwrap_or_default();
        let ret = node.field("type").map(|t| self.ty(t));
        self.b.def_mut(def).callable = Some(Box::new(Callable {
            params,
            ret,
            ..Callable::default()
        }));
        self.b.close_def();
    }

    pub(super) fn set_complexity(&mut self, def: DefId, body: Option<Node<'_>>) {
        match body {
            Some(body) => self.b.set_complexity(def, body, &RULES),
            None => self.b.def_mut(def).complexity.cyclomatic = 1,
        }
    }
}
