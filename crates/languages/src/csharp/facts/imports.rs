//! Namespaces and `using` directives.

use super::{Walker, has_word};
use base::{SymbolKind, Visibility};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

impl Walker<'_, '_> {
    pub(super) fn namespace(&mut self, node: Node<'_>, doc: Option<&str>) {
        let Some(def) = self.namespace_definition(node, doc) else {
            return;
        };
        let body = node.field("body");
        if let Some(body) = body {
            let end = body.start_byte() as u32;
            self.end_signature(def, end);
        }
        self.b.open_scope(ScopeKind::Module, Some(def));
        if let Some(body) = body {
            self.body(body);
        }
        self.b.close_scope();
    }

    /// `namespace A.B;`. The rest of the file is in that namespace.
    pub(super) fn file_namespace(&mut self, node: Node<'_>, doc: Option<&str>) {
        let Some(def) = self.namespace_definition(node, doc) else {
            return;
        };
        self.end_signature(def, node.end_byte() as u32);
        if !self.has_file_namespace {
            self.b.open_scope(ScopeKind::Module, Some(def));
            self.has_file_namespace = true;
        }
    }

    fn namespace_definition(&mut self, node: Node<'_>, doc: Option<&str>) -> Option<DefId> {
        let name_node = node.field("name")?;
        let name = self.dotted_name(name_node);
        let def = self.b.add_def(name, SymbolKind::Namespace, node, name_node);
        self.b.def_mut(def).visibility = Visibility::Package;
        if let Some(doc) = doc {
            self.b.set_doc(def, doc);
        }
        Some(def)
    }

    /// Ends the signature of a definition at a byte, without the white space before it.
    pub(super) fn end_signature(&mut self, def: DefId, end: u32) {
        let start = self.b.facts().def(def).signature.0;
        let text = self.b.source.get(start as usize..end.max(start) as usize);
        let text = text.unwrap_or("").trim_end().trim_end_matches(';');
        self.b.def_mut(def).signature = (start, start + text.trim_end().len() as u32);
    }

    pub(super) fn using_directive(&mut self, node: Node<'_>) {
        let is_global = has_word(node, "global");
        if let Some(alias) = node.field("name") {
            return self.using_alias(node, alias, is_global);
        }
        let mut cursor = node.walk();
        let Some(path) = node
            .named_children(&mut cursor)
            .find(|c| is_name(c.kind_name()))
        else {
            return;
        };
        let module = self.dotted_name(path);
        let what = if has_word(node, "static") {
            Imported::StaticGlob
        } else {
            Imported::Glob
        };
        self.import(node, module, what, None, is_global);
    }

    fn using_alias(&mut self, node: Node<'_>, alias: Node<'_>, is_global: bool) {
        let mut cursor = node.walk();
        let Some(target) = node
            .named_children(&mut cursor)
            .find(|c| *c != alias && !c.is_extra())
        else {
            return;
        };
        let local = self.b.intern_node_text(alias);
        let is_path = is_name(target.kind_name()) && !self.b.text(target).contains('<');
        if !is_path {
            // An alias of anything but a plain name is known in this file only.
            let ty = self.ty(target);
            let scope = self.b.current_scope();
            let to = Bound::Local {
                ty: Some(ty),
                value: None,
            };
            self.b.bind_in(scope, local, Namespace::TYPE, 0, to);
            return;
        }
        let whole = self.dotted_name(target);
        let whole = self.b.facts().name(whole).to_owned();
        let (module, name) = whole.rsplit_once('.').unwrap_or(("", &whole));
        let module = self.b.intern_owned_name(module);
        let name = self.b.intern_owned_name(name);
        let import = self.import(node, module, Imported::Name(name), Some(local), is_global);
        let scope = self.b.current_scope();
        self.b
            .bind_in(scope, local, Namespace::BOTH, 0, Bound::Import(import));
    }

    fn import(
        &mut self,
        node: Node<'_>,
        module: NameId,
        what: Imported,
        local: Option<NameId>,
        is_global: bool,
    ) -> ImportId {
        let visibility = if is_global {
            Visibility::Public
        } else {
            Visibility::Private
        };
        let line = node.start_position().row as u32 + 1;
        self.b.add_import(Import {
            local,
            scope: self.b.current_scope(),
            visibility,
            ..Import::new(module, what, line)
        })
    }

    /// A dotted name without white space, comments, type arguments and `global::`.
    pub(super) fn dotted_name(&mut self, node: Node<'_>) -> NameId {
        let text = self.b.text(node);
        let is_plain = |c: u8| c == b'.' || c == b'_' || c.is_ascii_alphanumeric();
        if text.bytes().all(is_plain) {
            return self.b.intern_name(text);
        }
        let mut parts = Vec::new();
        let mut next = Some(node);
        while let Some(part) = next {
            let last = part.field("name").unwrap_or(part);
            let last = match last.kind_name() {
                "generic_name" => child_of_kind(last, "identifier").unwrap_or(last),
                _ => last,
            };
            parts.push(self.b.text(last).trim_start_matches('@'));
            next = part.field("qualifier");
        }
        parts.reverse();
        self.b.intern_owned_name(&parts.join("."))
    }
}

/// Whether a kind of node is a name of a type or namespace.
pub(super) fn is_name(kind: &str) -> bool {
    matches!(
        kind,
        "identifier" | "qualified_name" | "generic_name" | "alias_qualified_name"
    )
}
