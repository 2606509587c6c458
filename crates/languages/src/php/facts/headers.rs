//! What stands before a declaration: modifiers, attributes, the comment above.

use super::{LeadingComments, Walker};
use base::Visibility;
use syntax::builder::{MAX_HEAD_BYTES, head};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// The modifiers of a declaration.
#[derive(Default, Clone, Copy)]
pub(super) struct Modifiers {
    pub(super) visibility: Visibility,
    pub(super) is_static: bool,
    pub(super) is_abstract: bool,
}

/// The parts of a declaration that bound its signature.
#[derive(Default, Clone, Copy)]
pub(super) struct Parts<'t> {
    pub(super) name: Option<Node<'t>>,
    pub(super) body: Option<Node<'t>>,
    pub(super) parameters: Option<Node<'t>>,
}

impl<'s> Walker<'_, 's> {
    pub(super) fn modifiers(&self, node: Node<'_>) -> Modifiers {
        let mut out = Modifiers::default();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind_name() {
                "visibility_modifier" => out.visibility = self.visibility(child),
                "static_modifier" => out.is_static = true,
                "abstract_modifier" => out.is_abstract = true,
                _ => {}
            }
        }
        out
    }

    pub(super) fn visibility(&self, node: Node<'_>) -> Visibility {
        match &*self.b.text(node).to_ascii_lowercase() {
            "private" => Visibility::Private,
            "protected" => Visibility::Protected,
            _ => Visibility::Public,
        }
    }

    /// Sets what a declaration says before its body.
    pub(super) fn set_header(
        &mut self,
        def: DefId,
        node: Node<'_>,
        modifiers: Modifiers,
        parts: Parts<'_>,
        above: LeadingComments<'_, 's>,
    ) {
        self.b.set_doc(def, &above.text());
        let end = self.signature_end(node, parts);
        let made = self.b.def_mut(def);
        made.signature.1 = end.max(made.signature.0);
        made.visibility = modifiers.visibility;
        let flags = [
            (modifiers.is_static, DefFlags::STATIC),
            (modifiers.is_abstract, DefFlags::ABSTRACT),
            (
                modifiers.visibility != Visibility::Private,
                DefFlags::EXPORTED,
            ),
        ];
        for (_, flag) in flags.into_iter().filter(|(is_set, _)| *is_set) {
            made.flags.set(flag);
        }
        if let Some(list) = node.field("attributes") {
            self.attributes(list, Some(def));
        }
    }

    /// The end of the signature: its body, or the end of the line of the name.
    fn signature_end(&self, node: Node<'_>, parts: Parts<'_>) -> u32 {
        let last = parts.parameters.map(|list| list.end_byte());
        let body = parts.body.map(|body| body.start_byte());
        let name = parts
            .name
            .or(node.field("name"))
            .unwrap_or(node)
            .start_byte();
        let end = match (body, last) {
            (Some(body), last) => last.map_or(body, |last| body.max(last)),
            (None, Some(_)) => node.end_byte(),
            (None, None) => {
                let text = self.b.source.get(name..node.end_byte()).unwrap_or_default();
                let text = head(text, MAX_HEAD_BYTES);
                name + text.find('\n').unwrap_or(text.len())
            }
        };
        let start = node.start_byte();
        let text = self.b.source.get(start..end).unwrap_or_default();
        let text = text.trim_end_matches([' ', '\t', '\r', '\n', '{', '=', ';', ',']);
        (start + text.len()) as u32
    }
}
