//! Imports.

use super::packages::plain_path;
use super::{Walker, parts};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    /// `import a.b.C, d.{E => F, _}`.
    pub(super) fn import_declaration(&mut self, node: Node<'_>) {
        let mut path: Vec<Node<'_>> = Vec::new();
        let mut cursor = node.walk();
        let children: Vec<Node<'_>> = node.children(&mut cursor).collect();
        for child in children {
            match child.kind_name() {
                "identifier" | "operator_identifier" => path.push(child),
                "namespace_wildcard" => self.import_all(&std::mem::take(&mut path), child),
                "namespace_selectors" => self.selectors(&std::mem::take(&mut path), child),
                "as_renamed_identifier" => self.renamed(&std::mem::take(&mut path), child),
                "," => self.import_last(&std::mem::take(&mut path)),
                _ => {}
            }
        }
        self.import_last(&path);
    }

    /// The last name of a path.
    fn import_last(&mut self, path: &[Node<'_>]) {
        if let Some((last, before)) = path.split_last()
            && !before.is_empty()
        {
            self.import_name(before, *last, *last);
        }
    }

    fn selectors(&mut self, path: &[Node<'_>], list: Node<'_>) {
        for selector in parts(list) {
            match selector.kind_name() {
                "identifier" | "operator_identifier" => self.import_name(path, selector, selector),
                "namespace_wildcard" => self.import_all(path, selector),
                "arrow_renamed_identifier" | "as_renamed_identifier" => {
                    self.renamed(path, selector);
                }
                _ => {}
            }
        }
    }

    /// `A => B`, `A as B`. `A => _` hides the name.
    fn renamed(&mut self, path: &[Node<'_>], selector: Node<'_>) {
        if let (Some(name), Some(alias)) = (selector.field("name"), selector.field("alias"))
            && alias.kind_name() != "wildcard"
            && !path.is_empty()
        {
            self.import_name(path, name, alias);
        }
    }

    fn import_name(&mut self, path: &[Node<'_>], name: Node<'_>, local: Node<'_>) {
        let imported = Imported::Name(self.plain_name(name));
        let local = self.plain_name(local);
        let Some(import) = self.add_import(path, imported, name) else {
            return;
        };
        self.b.facts_mut().imports[import.index()].local = Some(local);
        let from = name.end_byte() as u32;
        let scope = self.b.current_scope();
        self.b
            .bind_in(scope, local, Namespace::BOTH, from, Bound::Import(import));
    }

    /// `_`, `*`, `given`.
    fn import_all(&mut self, path: &[Node<'_>], at: Node<'_>) {
        self.add_import(path, Imported::Glob, at);
    }

    fn add_import(&mut self, path: &[Node<'_>], what: Imported, at: Node<'_>) -> Option<ImportId> {
        let (first, last) = (path.first()?, path.last()?);
        let text = self.b.source.get(first.start_byte()..last.end_byte());
        let module = self.b.intern_owned_name(&plain_path(text?));
        let head = self.plain_name(*first);
        let line = at.start_position().row as u32 + 1;
        let mut import = Import::new(module, what, line);
        import.scope = self.b.current_scope();
        let owner = self.b.current_owner();
        import.owner = self.b.facts().enclosing_node_def(owner);
        let id = self.b.add_import(import);
        self.b.facts_mut().imports[id.index()].condition = Some(head);
        Some(id)
    }

    /// A name without the backquotes around it.
    pub(super) fn plain_name(&mut self, node: Node<'_>) -> NameId {
        let text: &'s str = self.b.text(node);
        let inner = text.strip_prefix('`').and_then(|t| t.strip_suffix('`'));
        self.b.intern_name(inner.unwrap_or(text))
    }
}
