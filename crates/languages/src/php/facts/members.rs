//! Properties, constants, enum cases, and what comments declare.

use super::docblock::DocBlock;
use super::headers::{Modifiers, Parts};
use super::{LeadingComments, Walker, children, children_of_kind, first_child};
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Most members that one comment declares.
const MOST_MEMBERS: usize = 200;
/// The name under which a class keeps a type whose members it passes on.
pub(in crate::php) const MIXIN: &str = "@mixin";

impl<'s> Walker<'_, 's> {
    pub(super) fn constants(&mut self, node: Node<'_>, above: LeadingComments<'_, 's>) {
        let modifiers = self.modifiers(node);
        for element in children_of_kind(node, "const_element") {
            let mut parts = children(element).into_iter();
            let Some(name) = parts.next() else { continue };
            let parts_of = Parts {
                name: Some(name),
                ..Parts::default()
            };
            let def = self.member_definition(node, name, SymbolKind::Constant);
            self.set_header(def, node, modifiers, parts_of, above);
            self.b.open_owner(def);
            let value = parts.next().map(|value| self.expr(value));
            self.b.close_owner();
            self.b.def_mut(def).value = value;
            self.b.def_mut(def).flags.set(DefFlags::STATIC);
        }
    }

    fn member_definition(&mut self, node: Node<'_>, name: Node<'_>, kind: SymbolKind) -> DefId {
        let id = self.b.intern_node_text(name);
        self.b.add_def(id, kind, node, name)
    }

    /// `define('NAME', …)`.
    pub(super) fn constant_definition(&mut self, call: Node<'_>, name: Node<'_>) {
        let def = self.member_definition(call, name, SymbolKind::Constant);
        let parts = Parts {
            name: Some(name),
            ..Parts::default()
        };
        self.set_header(
            def,
            call,
            Modifiers::default(),
            parts,
            LeadingComments::default(),
        );
        // It is one of the file, wherever it is defined.
        self.b.def_mut(def).parent = None;
    }

    pub(super) fn properties(&mut self, node: Node<'_>, above: LeadingComments<'_, 's>) {
        let modifiers = self.modifiers(node);
        let native = node.field("type").map(|ty| self.native_type(ty));
        let doc = above.block().map(DocBlock::parse).unwrap_or_default();
        let written = doc.vars.first().map(|(_, ty)| self.doc_type(ty));
        let ty = self.better_type(native, written);
        for element in children_of_kind(node, "property_element") {
            let Some(name) = element.field("name").and_then(first_child) else {
                continue;
            };
            let def = self.member_definition(node, name, SymbolKind::Property);
            let parts = Parts {
                name: Some(name),
                ..Parts::default()
            };
            self.set_header(def, node, modifiers, parts, above);
            self.b.open_owner(def);
            let value = element.field("default_value").map(|value| self.expr(value));
            self.b.close_owner();
            let made = self.b.def_mut(def);
            made.ty = ty;
            made.value = value;
        }
        if let Some(hooks) = child_of_kind(node, "property_hook_list") {
            self.property_hooks(hooks);
        }
    }

    /// `{ get => …; set { … } }`.
    pub(super) fn property_hooks(&mut self, list: Node<'_>) {
        for hook in children_of_kind(list, "property_hook") {
            let Some(body) = hook.field("body") else {
                continue;
            };
            let scope = self.b.open_scope(ScopeKind::Function, None);
            self.frames.push(super::Frame::new(scope));
            self.statement(body);
            self.frames.pop();
            self.b.close_scope();
        }
    }

    pub(super) fn enum_case(&mut self, node: Node<'_>, above: LeadingComments<'_, 's>) {
        let Some(name) = node.field("name") else {
            return;
        };
        let def = self.member_definition(node, name, SymbolKind::EnumMember);
        let modifiers = Modifiers {
            is_static: true,
            ..Modifiers::default()
        };
        self.set_header(def, node, modifiers, Parts::default(), above);
        if let Some(value) = node.field("value") {
            self.b.open_owner(def);
            self.expr(value);
            self.b.close_owner();
        }
    }

    /// The members that the comment of a class declares.
    pub(super) fn declared_members(&mut self, doc: &DocBlock, place: Node<'_>) {
        for (name, ty) in doc.properties.iter().take(MOST_MEMBERS) {
            let ty = self.doc_type(ty);
            self.declared_member(name, ty, place);
        }
        for method in doc.methods.iter().take(MOST_MEMBERS) {
            let ret = Some(self.doc_type(&method.ret));
            let ty = self.b.add_type(TypeExpr::Function {
                params: Box::default(),
                ret,
            });
            self.declared_member(&method.name, ty, place);
        }
        for mixin in doc.mixins.iter().take(MOST_MEMBERS) {
            let ty = self.doc_type(mixin);
            self.declared_member(MIXIN, ty, place);
        }
    }

    /// A member without a node.
    fn declared_member(&mut self, name: &str, ty: TypeId, place: Node<'_>) {
        let name = self.b.intern_owned_name(name);
        let def = self.b.add_def(name, SymbolKind::Property, place, place);
        let made = self.b.def_mut(def);
        made.flags.set(DefFlags::ANONYMOUS);
        made.ty = Some(ty);
    }
}
