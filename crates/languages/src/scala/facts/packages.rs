//! Package clauses and package objects.

use super::Walker;
use base::SymbolKind;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl Walker<'_, '_> {
    /// `package a.b`, with or without a body.
    pub(super) fn package_clause(&mut self, node: Node<'_>, doc: Option<&str>) {
        let Some(name_node) = node.field("name") else {
            return;
        };
        let Some(body) = node.field("body") else {
            let text = self.b.text(name_node);
            self.clauses.push(text);
            return;
        };
        let text = plain_path(self.b.text(name_node));
        let name = self.b.intern_owned_name(&text);
        let def = self.b.add_def(name, SymbolKind::Namespace, node, name_node);
        self.b.def_mut(def).signature.1 = name_node.end_byte() as u32;
        self.b.def_mut(def).flags.set(DefFlags::EXPORTED);
        if let Some(doc) = doc {
            self.b.set_doc(def, doc);
        }
        self.b.open_scope(ScopeKind::Module, Some(def));
        self.body(body);
        self.b.close_scope();
    }

    pub(super) fn package_object(&mut self, node: Node<'_>, doc: Option<&str>) {
        let Some(name_node) = node.field("name") else {
            return;
        };
        let name = self.b.intern_node_text(name_node);
        let def = self.b.add_def(name, SymbolKind::Module, node, name_node);
        self.b.def_mut(def).flags.set(DefFlags::OBJECT);
        self.template(def, node, doc);
    }

    /// Sets the package of the file from its clauses without a body.
    pub(super) fn set_package(&mut self) {
        let clauses = std::mem::take(&mut self.clauses);
        if clauses.is_empty() {
            return;
        }
        let clauses: Vec<String> = clauses.into_iter().map(plain_path).collect();
        let whole = self.b.intern_owned_name(&clauses.join("."));
        let each = (clauses.len() > 1).then(|| self.b.intern_owned_name(&clauses.join(",")));
        let facts = self.b.facts_mut();
        facts.package = Some(whole);
        facts.constraint = each;
    }
}

/// A path without white space and comments.
pub(super) fn plain_path(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_whitespace() && *c != '`')
        .collect()
}
