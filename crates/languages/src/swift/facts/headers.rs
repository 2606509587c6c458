//! Modifiers and attributes before a declaration.

use super::{TypeKind, Walker, named_children};
use base::Visibility;
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// The modifiers of a declaration.
#[derive(Default)]
pub(super) struct Header<'t> {
    pub(super) visibility: Option<Visibility>,
    pub(super) is_static: bool,
    pub(super) is_override: bool,
    pub(super) is_async: bool,
    pub(super) attributes: Vec<Node<'t>>,
}

impl<'s> Walker<'_, 's> {
    pub(super) fn header<'t>(&self, node: Node<'t>) -> Header<'t> {
        let mut out = Header::default();
        let mut cursor = node.walk();
        out.is_async = node
            .children(&mut cursor)
            .any(|c| !c.is_named() && c.kind_name() == "async");
        let Some(modifiers) = child_of_kind(node, "modifiers") else {
            return out;
        };
        for child in named_children(modifiers) {
            match child.kind_name() {
                "attribute" => out.attributes.push(child),
                "visibility_modifier" => self.visibility_modifier(child, &mut out),
                "property_modifier" => {
                    out.is_static |= matches!(self.b.text(child), "static" | "class");
                }
                "member_modifier" => out.is_override |= self.b.text(child) == "override",
                _ => {}
            }
        }
        out
    }

    /// An access modifier. `private(set)` says nothing of reading.
    fn visibility_modifier(&self, node: Node<'_>, out: &mut Header<'_>) {
        let visibility = match self.b.text(node) {
            "public" | "open" => Visibility::Public,
            "internal" | "package" => Visibility::Package,
            "private" | "fileprivate" => Visibility::Private,
            _ => return,
        };
        out.visibility = Some(visibility);
    }

    /// The visibility of a declaration without an access modifier.
    fn default_visibility(&self) -> Visibility {
        let Some(around) = self.types.last().filter(|_| !self.is_in_function()) else {
            return Visibility::Package;
        };
        match (around.members, around.kind) {
            (Some(members), _) => members,
            (None, TypeKind::Protocol) => self.b.facts().def(around.def).visibility,
            (None, _) => Visibility::Package,
        }
    }

    /// Sets visibility, flags, signature, documentation and attributes of a definition. Its signature ends at a byte.
    pub(super) fn set_header(
        &mut self,
        def: DefId,
        header: &Header<'_>,
        end: u32,
        doc: Option<&str>,
    ) {
        let visibility = header
            .visibility
            .unwrap_or_else(|| self.default_visibility());
        let local = self.is_in_function();
        let flags = [
            (local, DefFlags::LOCAL),
            (
                !local && visibility != Visibility::Private,
                DefFlags::EXPORTED,
            ),
            (header.is_static, DefFlags::STATIC),
            (header.is_override, DefFlags::OVERRIDES),
            (header.is_async, DefFlags::ASYNC),
            (self.branches.is_left_out(), DefFlags::CONDITIONAL),
        ];
        let it = self.b.def_mut(def);
        it.visibility = visibility;
        for (_, flag) in flags.into_iter().filter(|(is_set, _)| *is_set) {
            it.flags.set(flag);
        }
        self.end_signature(def, end);
        if let Some(doc) = doc {
            self.b.set_doc(def, doc);
        }
        self.set_attributes(def, &header.attributes);
    }

    /// Ends the signature of a definition at a byte, without what separates it from the rest.
    fn end_signature(&mut self, def: DefId, end: u32) {
        let start = self.b.facts().def(def).signature.0;
        let text = self.b.source.get(start as usize..end.max(start) as usize);
        let text = text.unwrap_or("");
        let text = text.trim_end_matches([' ', '\t', '\r', '\n', '{', '=', ';', ',']);
        self.b.def_mut(def).signature = (start, start + text.len() as u32);
    }

    /// Reads attributes. The types that they name are kept as decorators, since they may be property wrappers.
    fn set_attributes(&mut self, def: DefId, attributes: &[Node<'_>]) {
        let mut decorators = Vec::new();
        for attribute in attributes {
            let Some(name) = child_of_kind(*attribute, "user_type") else {
                continue;
            };
            if !self.b.enter_level() {
                continue;
            }
            self.b.open_owner(def);
            let text = self.b.text(name);
            if text.starts_with(char::is_uppercase) {
                let ty = self.ty(name);
                decorators.push(self.b.add_expr(Expr::Type(ty)));
            }
            for part in named_children(*attribute) {
                let is_argument = part != name && part.kind_name() != "simple_identifier";
                if is_argument && text.starts_with(char::is_uppercase) {
                    self.expr(part);
                }
            }
            self.b.close_owner();
            self.b.leave_level();
            let mark = self.b.read_decorator(name, Some(*attribute));
            self.b.add_decorator(def, mark);
        }
        self.b.def_mut(def).decorators = decorators.into();
    }

    /// Whether an attribute of that name is written.
    pub(super) fn has_attribute(&self, header: &Header<'_>, wanted: &str) -> bool {
        header.attributes.iter().any(|attribute| {
            child_of_kind(*attribute, "user_type").is_some_and(|name| self.b.text(name) == wanted)
        })
    }
}
