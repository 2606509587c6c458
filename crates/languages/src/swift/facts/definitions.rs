//! Imports and types: classes, structs, enums, protocols, extensions, aliases.

use super::types::type_child;
use super::{TypeFrame, TypeKind, Walker, children, children_with_fields, named_children};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    /// `import A`, `import struct A.B`, `@testable import A`.
    pub(super) fn import(&mut self, node: Node<'_>) {
        let Some(path) = child_of_kind(node, "identifier") else {
            return;
        };
        let Some(first) = named_children(path).into_iter().next() else {
            return;
        };
        let module = self.b.intern_node_text(first);
        self.is_manifest |= self.b.facts().name(module) == "PackageDescription";
        let header = self.header(node);
        let line = node.start_position().row as u32 + 1;
        let is_testable = self.has_attribute(&header, "testable");
        let is_passed_on = self.has_attribute(&header, "_exported")
            || header.visibility == Some(base::Visibility::Public);
        let visibility = if is_passed_on {
            base::Visibility::Public
        } else {
            base::Visibility::Private
        };
        self.b.add_import(Import {
            // The level tells that internal definitions are seen, too.
            level: u32::from(is_testable),
            visibility,
            ..Import::new(module, Imported::Glob, line)
        });
    }

    pub(super) fn type_declaration(&mut self, node: Node<'_>, doc: Option<&str>) {
        let Some(name_node) = node.field("name") else {
            return;
        };
        let word = node.field("declaration_kind").map(|w| self.b.text(w));
        let (kind, type_kind) = match word.unwrap_or("class") {
            "struct" => (SymbolKind::Struct, TypeKind::Struct),
            "enum" => (SymbolKind::Enum, TypeKind::Enum),
            "extension" => (SymbolKind::Impl, TypeKind::Extension),
            "protocol" => (SymbolKind::Interface, TypeKind::Protocol),
            _ => (SymbolKind::Class, TypeKind::Class),
        };
        let name = self.b.intern_node_text(name_node);
        let def = self.b.add_def(name, kind, node, name_node);
        if self.is_in_function() && type_kind != TypeKind::Extension {
            self.b.bind(name, Namespace::BOTH, Bound::Def(def));
        }
        let header = self.header(node);
        let body = node.field("body");
        let end = body.map_or(node.end_byte(), |b| b.start_byte());
        self.set_header(def, &header, end as u32, doc);
        self.b.open_scope(ScopeKind::Block, None);
        self.b.open_owner(def);
        self.types.push(TypeFrame {
            def,
            kind: type_kind,
            members: header
                .visibility
                .filter(|_| type_kind == TypeKind::Extension),
            has_tests: self.may_have_tests(node, name_node),
        });
        let associated = body.filter(|_| type_kind == TypeKind::Protocol);
        let associated = associated.map(|body| self.associated_types(body));
        self.type_parameters(def, node, associated.unwrap_or_default());
        if type_kind == TypeKind::Extension {
            self.extended_type(def, node, name_node);
        }
        self.supertypes(def, node, type_kind);
        self.b.close_owner();
        self.type_body(def, body);
        self.types.pop();
        self.b.close_scope();
    }

    fn type_body(&mut self, def: DefId, body: Option<Node<'_>>) {
        let frames = std::mem::take(&mut self.frames);
        let is_static = std::mem::replace(&mut self.is_static, false);
        self.b.open_def(def, ScopeKind::Class);
        if let Some(body) = body {
            self.body(body);
        }
        self.b.close_def();
        self.frames = frames;
        self.is_static = is_static;
    }

    /// By convention, test cases inherit from a class whose name ends in `TestCase`, and have names that end in `Tests`.
    fn may_have_tests(&self, node: Node<'_>, name: Node<'_>) -> bool {
        let name = self.b.text(name);
        let mut cursor = node.walk();
        let mut supers = node
            .named_children(&mut cursor)
            .filter(|c| c.kind_name() == "inheritance_specifier");
        let is_case = supers.any(|s| {
            let text = self.b.text(s);
            text.ends_with("TestCase") || text.ends_with("Tests")
        });
        let is_extension = node
            .field("declaration_kind")
            .is_some_and(|w| self.b.text(w) == "extension");
        is_case || is_extension && (name.ends_with("Tests") || name.ends_with("TestCase"))
    }

    fn associated_types(&mut self, body: Node<'_>) -> Vec<TypeParam> {
        let mut out = Vec::new();
        for child in named_children(body) {
            if child.kind_name() != "associatedtype_declaration" {
                continue;
            }
            let Some(name) = child.field("name") else {
                continue;
            };
            let name = self.b.intern_node_text(name);
            let bound = type_child(child).filter(|_| super::types_before_default(child));
            let bounds: Vec<TypeId> = bound.into_iter().map(|bound| self.ty(bound)).collect();
            out.push(TypeParam {
                name,
                bounds: bounds.into(),
                default: None,
            });
        }
        out
    }

    /// The type of an extension. `where Element == A` gives it an argument.
    fn extended_type(&mut self, def: DefId, node: Node<'_>, name_node: Node<'_>) {
        let mut ty = self.ty(name_node);
        let constraints = self.written_constraints(node);
        for (path, to) in constraints {
            if let [name] = path[..] {
                let binding = self.b.add_type(TypeExpr::Binding(name, to));
                ty = self.with_argument(ty, binding);
                let local = Bound::Local {
                    ty: Some(to),
                    value: None,
                };
                self.b.bind(name, Namespace::TYPE, local);
            }
        }
        self.b.def_mut(def).ty = Some(ty);
    }

    fn supertypes(&mut self, def: DefId, node: Node<'_>, kind: TypeKind) {
        let mut supers = Vec::new();
        let mut cursor = node.walk();
        let specifiers: Vec<Node<'_>> = node
            .named_children(&mut cursor)
            .filter(|c| c.kind_name() == "inheritance_specifier")
            .collect();
        for specifier in specifiers {
            let Some(written) = specifier
                .field("inherits_from")
                .or_else(|| type_child(specifier))
            else {
                continue;
            };
            let relation = match kind {
                TypeKind::Protocol => SuperKind::Extends,
                TypeKind::Class if supers.is_empty() => SuperKind::Extends,
                _ => SuperKind::Implements,
            };
            let ty = self.ty(written);
            match self.b.facts().ty(ty).clone() {
                TypeExpr::All(parts) => {
                    supers.extend(parts.iter().map(|part| (*part, SuperKind::Implements)));
                }
                _ => supers.push((ty, relation)),
            }
        }
        if kind == TypeKind::Protocol {
            for (path, ty) in self.written_constraints(node) {
                if let [name] = path[..]
                    && self.b.facts().name(name) == "Self"
                {
                    supers.push((ty, SuperKind::Extends));
                }
            }
        }
        self.b.def_mut(def).supers = supers.into();
    }

    /// `case a, b(Int, name: String)`.
    pub(super) fn enum_entry(&mut self, node: Node<'_>, doc: Option<&str>) {
        let mut header = self.header(node);
        let mut last = None;
        for (child, field) in children_with_fields(node) {
            match field {
                "name" => {
                    let name = self.b.intern_node_text(child);
                    let def = self.b.add_def(name, SymbolKind::EnumMember, node, child);
                    let end = self.line_end(child, node);
                    self.set_header(def, &header, end, doc);
                    header.attributes.clear();
                    let it = self.b.def_mut(def);
                    it.visibility = base::Visibility::Public;
                    it.flags.set(DefFlags::EXPORTED);
                    it.flags.set(DefFlags::STATIC);
                    last = Some(def);
                }
                "data_contents" => {
                    if let Some(def) = last {
                        self.payload(def, child);
                    }
                }
                "raw_value" => {
                    self.expr(child);
                }
                _ => {}
            }
        }
    }

    fn payload(&mut self, def: DefId, list: Node<'_>) {
        self.b.open_owner(def);
        let mut params: Vec<Param> = Vec::new();
        let mut label = None;
        let mut is_default = false;
        for child in children(list) {
            match child.kind_name() {
                "," => {
                    label = None;
                    is_default = false;
                }
                "=" => is_default = true,
                _ if is_default && child.is_named() => {
                    if let Some(last) = params.last_mut() {
                        last.kind = ParamKind::Optional;
                    }
                    self.expr(child);
                }
                "simple_identifier" | "wildcard_pattern" => label = Some(child),
                kind if super::types::is_type(kind) => {
                    let ty = self.ty(child);
                    let name = match label {
                        Some(label) => self.b.intern_node_text(label),
                        None => self.b.intern_name("_"),
                    };
                    params.push(Param {
                        name,
                        ty: Some(ty),
                        default: None,
                        kind: ParamKind::Plain,
                    });
                }
                _ => {}
            }
        }
        self.b.close_owner();
        self.b.def_mut(def).callable = Some(Box::new(Callable {
            params,
            ..Callable::default()
        }));
    }

    /// The end of the line of a name within its declaration.
    pub(super) fn line_end(&self, name: Node<'_>, node: Node<'_>) -> u32 {
        let start = name.start_byte();
        let text = self.b.source.get(start..node.end_byte()).unwrap_or("");
        let text = syntax::builder::head(text, syntax::builder::MAX_HEAD_BYTES);
        (start + text.find('\n').unwrap_or(text.len())) as u32
    }

    /// `typealias A = B`, `associatedtype A: B`.
    pub(super) fn alias(&mut self, node: Node<'_>, doc: Option<&str>) {
        let Some(name_node) = node.field("name") else {
            return;
        };
        let name = self.b.intern_node_text(name_node);
        let def = self.b.add_def(name, SymbolKind::TypeAlias, node, name_node);
        if self.is_in_function() {
            self.b.bind(name, Namespace::BOTH, Bound::Def(def));
        }
        let header = self.header(node);
        let end = self.line_end(name_node, node);
        self.set_header(def, &header, end, doc);
        if node.kind_name() != "typealias_declaration" {
            return;
        }
        self.b.def_mut(def).flags.set(DefFlags::ALIAS);
        self.b.open_scope(ScopeKind::Block, None);
        self.b.open_owner(def);
        self.type_parameters(def, node, Vec::new());
        let aliased = type_child(node);
        let aliased = aliased.map(|aliased| self.ty(aliased));
        self.b.def_mut(def).ty = aliased;
        self.b.close_owner();
        self.b.close_scope();
    }
}
