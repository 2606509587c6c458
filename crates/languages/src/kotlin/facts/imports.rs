//! The package clause and imports.

use super::{Walker, child_text_parts};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl Walker<'_, '_> {
    pub(super) fn package_header(&mut self, node: Node<'_>) {
        if let Some(path) = child_of_kind(node, "qualified_identifier") {
            let name = self.dotted(&child_text_parts(self.b.source, path));
            self.b.facts_mut().package = Some(name);
        }
    }

    fn dotted(&mut self, parts: &[&str]) -> NameId {
        self.b.intern_owned_name(&parts.join("."))
    }

    pub(super) fn import(&mut self, node: Node<'_>) {
        let Some(path) = child_of_kind(node, "qualified_identifier") else {
            return;
        };
        let parts = child_text_parts(self.b.source, path);
        let line = node.start_position().row as u32 + 1;
        let is_glob = super::word_child(node, "*").is_some();
        if is_glob {
            let module = self.dotted(&parts);
            self.b.add_import(Import::new(module, Imported::Glob, line));
            return;
        }
        let Some((last, scope)) = parts.split_last() else {
            return;
        };
        let module = self.dotted(scope);
        let name = self.b.intern_owned_name(last);
        let local = child_of_kind(node, "identifier").map(|alias| self.name(alias));
        let local = local.unwrap_or(name);
        let import = self.b.add_import(Import {
            local: Some(local),
            ..Import::new(module, Imported::Name(name), line)
        });
        let namespace = Namespace::BOTH;
        self.b
            .bind_in(FILE_SCOPE, local, namespace, 0, Bound::Import(import));
    }

    pub(super) fn file_annotation(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if matches!(child.kind_name(), "constructor_invocation" | "user_type") {
                self.annotation_use(child);
            }
        }
        self.jvm_name(node);
    }

    /// `@file:JvmName("Name")`: the name of the class with the functions of this file, as Java sees it.
    fn jvm_name(&mut self, node: Node<'_>) {
        let text = self.b.text(node);
        let Some(at) = text.find("JvmName") else {
            return;
        };
        let name = text[at..].split('"').nth(1);
        if let Some(name) = name.filter(|n| !n.is_empty()) {
            let name = self.b.intern_owned_name(name);
            self.b.facts_mut().constraint = Some(name);
        }
    }
}
