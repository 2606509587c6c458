//! Classes and modules.

use super::context::{Context, Own};
use super::flow::Frame;
use super::{Walker, first_child};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl Walker<'_, '_> {
    /// `class A::B < C … end`, `module A … end`.
    pub(super) fn class(&mut self, node: Node<'_>) -> ExprId {
        let comments = std::mem::take(&mut self.tag_lines);
        let Some(path) = node.field("name") else {
            self.children_of(node);
            return self.unknown;
        };
        let name_node = match path.kind_name() {
            "scope_resolution" => {
                if let Some(outer) = path.field("scope") {
                    self.expr(outer);
                }
                path.field("name").unwrap_or(path)
            }
            _ => path,
        };
        let kind = match node.kind_name() {
            "module" => SymbolKind::Module,
            _ => SymbolKind::Class,
        };
        let name = self.b.intern_node_text(name_node);
        let def = self.add_member(name, kind, node, name_node);
        if path.kind_name() == "scope_resolution" {
            let ty = self.class_type(path);
            self.b.def_mut(def).ty = Some(ty);
        }
        self.end_signature(def, node);
        self.document(def, &comments);
        let superclass = node.field("superclass").and_then(first_child);
        let mut structure = None;
        if let Some(parent) = superclass {
            structure = self.structure(parent);
            match structure {
                Some(ty) => self.push_super(def, ty, SuperKind::Extends),
                None => {
                    self.expr(parent);
                    self.add_super(def, parent, SuperKind::Extends);
                }
            }
        }
        let scope = self.b.open_def(def, ScopeKind::Class);
        self.contexts.push(Context::new(Some(def), scope));
        self.frames.push(Frame::new(scope, Own::Class(def)));
        if let (Some(parent), Some(_)) = (superclass, structure) {
            let list = parent.field("arguments").map(super::children);
            self.structure_fields(parent, &list.unwrap_or_default());
            if let Some(block) = parent.field("block") {
                self.block_with_self(block, Own::Class(def), None);
            }
        }
        if let Some(body) = node.field("body") {
            self.body_with_comments(node, body);
        }
        self.frames.pop();
        self.close_context();
        self.b.close_def();
        self.unknown
    }

    /// `class << self … end`.
    pub(super) fn singleton_class(&mut self, node: Node<'_>) -> ExprId {
        let is_self = node
            .field("value")
            .is_some_and(|v| self.b.text(v) == "self");
        let Some(body) = node.field("body") else {
            return self.unknown;
        };
        let class = self.class_around();
        let own = match class {
            Some(class) if is_self => Own::Class(class),
            _ => Own::Unknown,
        };
        let scope = self.b.current_scope();
        self.frames.push(Frame::new(scope, own));
        let context = self.context();
        let outer = (
            std::mem::replace(&mut context.is_singleton, true),
            context.visibility,
        );
        context.visibility = base::Visibility::Public;
        self.body_with_comments(node, body);
        let context = self.context();
        (context.is_singleton, context.visibility) = outer;
        self.frames.pop();
        self.unknown
    }

    /// Adds the written supertype of a class, if it is a constant.
    pub(super) fn add_super(&mut self, def: DefId, written: Node<'_>, kind: SuperKind) {
        let ty = match written.kind_name() {
            "constant" | "scope_resolution" => self.class_type(written),
            _ => self.b.add_type(TypeExpr::Unknown),
        };
        self.push_super(def, ty, kind);
    }

    pub(super) fn push_super(&mut self, def: DefId, ty: TypeId, kind: SuperKind) {
        let context = self.context();
        if context.def == Some(def) {
            context.supers.push((ty, kind));
            return;
        }
        self.extend_supers(def, vec![(ty, kind)]);
    }

    /// Adds supertypes to a class.
    pub(super) fn extend_supers(&mut self, def: DefId, more: Vec<(TypeId, SuperKind)>) {
        let made = self.b.def_mut(def);
        let mut all = std::mem::take(&mut made.supers).into_vec();
        all.extend(more);
        made.supers = all.into();
    }
}
