//! Type declarations, struct fields, interfaces.

use super::docs::{Docs, trailing_comment};
use super::{NameKind, Walker, named_children_in_field, strip_parentheses};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    /// `type …`, single or in a group, at package level or in a function.
    pub(super) fn type_declaration(&mut self, node: Node<'_>, doc: Option<String>) {
        let specs = super::named_parts(node);
        // A single declaration starts at its keyword and has the comment above it.
        let grouped = node.child(1).is_some_and(|c| c.kind_name() == "(");
        if !grouped {
            for spec in specs {
                self.type_spec(spec, node, doc.as_deref());
            }
            return;
        }
        let mut docs = Docs::default();
        let mut cursor = node.walk();
        for spec in node.named_children(&mut cursor) {
            if spec.kind_name() == "comment" {
                docs.comment(self.b, spec);
                continue;
            }
            let doc = docs.take(spec);
            self.type_spec(spec, spec, doc.as_deref());
            docs.note_declaration_end(spec);
        }
    }

    fn type_spec(&mut self, spec: Node<'_>, whole: Node<'_>, doc: Option<&str>) {
        let (Some(name_node), Some(written)) = (spec.field("name"), spec.field("type")) else {
            return self.visit_children(spec);
        };
        let underlying = strip_parentheses(written);
        let kind = match underlying.kind_name() {
            "struct_type" => SymbolKind::Struct,
            "interface_type" => SymbolKind::Interface,
            _ => SymbolKind::TypeAlias,
        };
        let text = self.b.text(name_node);
        let name = self.b.intern_name(text);
        let def = self.b.add_def(name, kind, whole, name_node);
        self.set_visibility(def, text);
        self.set_doc(def, doc);
        if spec.kind_name() == "type_alias" {
            self.b.def_mut(def).flags.set(DefFlags::ALIAS);
        }
        if self.functions > 0 {
            let from = name_node.start_byte() as u32;
            self.bind_local(name, from, Bound::Def(def), NameKind::Type);
        } else if text != "_" {
            let to = Bound::Def(def);
            self.b.bind_in(FILE_SCOPE, name, Namespace::BOTH, 0, to);
        }
        let start = whole.start_byte() as u32;
        self.open_def(def, ScopeKind::Class);
        self.type_parameters(spec, def);
        match kind {
            SymbolKind::Struct => self.visit_struct_fields(underlying, def),
            SymbolKind::Interface => self.visit_interface_elements(underlying, def),
            _ => {
                let ty = self.lower_type(written);
                self.b.def_mut(def).ty = Some(ty);
            }
        }
        self.close_def();
        let end = match kind {
            SymbolKind::TypeAlias => spec.end_byte(),
            // `struct` and `interface` are the first tokens of such types.
            _ => underlying
                .child(0)
                .map_or(spec.end_byte(), |word| word.end_byte()),
        };
        self.b.def_mut(def).signature = (start, end as u32);
    }

    /// A struct type without a name.
    pub(super) fn anonymous_struct(&mut self, node: Node<'_>) -> DefId {
        let def = self.open_anonymous_type(node, SymbolKind::Struct);
        self.visit_struct_fields(node, def);
        self.close_def();
        def
    }

    /// An interface type without a name.
    pub(super) fn anonymous_interface(&mut self, node: Node<'_>) -> DefId {
        let def = self.open_anonymous_type(node, SymbolKind::Interface);
        self.visit_interface_elements(node, def);
        self.close_def();
        def
    }

    fn open_anonymous_type(&mut self, node: Node<'_>, kind: SymbolKind) -> DefId {
        let name = self.b.intern_owned_name("<anonymous>");
        let def = self.b.add_def(name, kind, node, node);
        let local = self.functions > 0;
        let flags = &mut self.b.def_mut(def).flags;
        flags.set(DefFlags::ANONYMOUS);
        if local {
            flags.set(DefFlags::LOCAL);
        }
        self.open_def(def, ScopeKind::Class);
        def
    }

    fn visit_struct_fields(&mut self, node: Node<'_>, def: DefId) {
        let Some(list) = node.named_child(0) else {
            return;
        };
        let mut supers = Vec::new();
        let mut docs = Docs::default();
        let mut cursor = list.walk();
        for field in list.named_children(&mut cursor) {
            match field.kind_name() {
                "comment" => docs.comment(self.b, field),
                "field_declaration" => {
                    let doc = docs.take(field).or_else(|| trailing_comment(self.b, field));
                    let names = named_children_in_field(field, "name");
                    if names.is_empty() {
                        supers.extend(self.visit_embedded_type(field, doc.as_deref()));
                    } else {
                        self.visit_field_names(field, &names, doc.as_deref());
                    }
                    docs.note_declaration_end(field);
                }
                _ => self.visit_children(field),
            }
        }
        self.b.def_mut(def).supers = supers.into();
    }

    fn visit_field_names(&mut self, field: Node<'_>, names: &[Node<'_>], doc: Option<&str>) {
        let mut ty = None;
        for name in names {
            let def = self.add_field(field, *name, doc);
            if ty.is_none()
                && let Some(written) = field.field("type")
            {
                // The fields of an unnamed struct type belong to this field.
                self.b.open_owner(def);
                ty = Some(self.lower_type(written));
                self.b.close_owner();
            }
            self.b.def_mut(def).ty = ty;
        }
    }

    fn add_field(&mut self, node: Node<'_>, name_node: Node<'_>, doc: Option<&str>) -> DefId {
        let text = self.b.text(name_node);
        let name = self.b.intern_name(text);
        let def = self.b.add_def(name, SymbolKind::Field, node, name_node);
        self.set_visibility(def, text);
        self.set_doc(def, doc);
        let written = node.field("type");
        let long = written.is_some_and(|t| t.end_position().row > t.start_position().row);
        let end = match written {
            Some(written) if long => written.start_byte(),
            Some(written) => written.end_byte(),
            None => node.end_byte(),
        };
        self.b.def_mut(def).signature = (node.start_byte() as u32, end as u32);
        if text != "_" {
            self.b.bind(name, Namespace::VALUE, Bound::Def(def));
        }
        def
    }

    /// An embedded type: a supertype, and a field with the name of the type.
    fn visit_embedded_type(
        &mut self,
        node: Node<'_>,
        doc: Option<&str>,
    ) -> Option<(TypeId, SuperKind)> {
        let written = node.field("type")?;
        let mut ty = self.lower_type(written);
        if node.child(0).is_some_and(|c| c.kind_name() == "*") {
            ty = self.b.add_type(TypeExpr::Reference(ty));
        }
        let mut name = written;
        while let Some(inner) = name.field("name").or_else(|| name.field("type")) {
            name = inner;
        }
        let def = self.add_field(node, name, doc);
        self.b.def_mut(def).ty = Some(ty);
        Some((ty, SuperKind::Embeds))
    }

    fn visit_interface_elements(&mut self, node: Node<'_>, def: DefId) {
        let mut supers = Vec::new();
        let mut docs = Docs::default();
        let mut cursor = node.walk();
        for element in node.named_children(&mut cursor) {
            match element.kind_name() {
                "comment" => docs.comment(self.b, element),
                "method_elem" => {
                    let doc = docs
                        .take(element)
                        .or_else(|| trailing_comment(self.b, element));
                    self.interface_method(element, doc.as_deref());
                    docs.note_declaration_end(element);
                }
                "type_elem" => {
                    let ty = self.lower_type(element);
                    // A union or an approximation is only a constraint, and adds no methods.
                    if matches!(self.b.facts().ty(ty), TypeExpr::Named { .. }) {
                        supers.push((ty, SuperKind::Embeds));
                    }
                }
                _ => self.visit_children(element),
            }
        }
        self.b.def_mut(def).supers = supers.into();
    }
}
