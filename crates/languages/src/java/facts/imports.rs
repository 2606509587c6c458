//! The package clause and imports.

use super::{Walker, child_of_kind, is_annotation, is_comment};
use base::Visibility;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl Walker<'_, '_> {
    pub(super) fn package(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if is_annotation(child) {
                self.annotation(child);
            } else if !is_comment(child) {
                let name = self.path_name(child);
                self.b.facts_mut().package = Some(name);
            }
        }
    }

    pub(super) fn import(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        let is_static = node
            .children(&mut cursor)
            .any(|c| c.kind_name() == "static");
        let glob = child_of_kind(node, "asterisk").is_some();
        let Some(path) =
            child_of_kind(node, "scoped_identifier").or_else(|| child_of_kind(node, "identifier"))
        else {
            return;
        };
        if glob {
            let module = self.path_name(path);
            let what = if is_static {
                Imported::StaticGlob
            } else {
                Imported::Glob
            };
            self.add(node, module, what, None);
            return;
        }
        let (Some(scope), Some(last)) = (path.field("scope"), path.field("name")) else {
            return;
        };
        let module = self.path_name(scope);
        let name = self.b.node_name(last);
        let what = if is_static {
            Imported::Static(name)
        } else {
            Imported::Name(name)
        };
        let import = self.add(node, module, what, Some(name));
        let namespace = if is_static {
            Namespace::ALL
        } else {
            Namespace::BOTH
        };
        self.b
            .bind_in(FILE_SCOPE, name, namespace, 0, Bound::Import(import));
    }

    fn add(
        &mut self,
        node: Node<'_>,
        module: NameId,
        what: Imported,
        local: Option<NameId>,
    ) -> ImportId {
        self.b.add_import(Import {
            module,
            what,
            local,
            scope: FILE_SCOPE,
            owner: None,
            level: 0,
            type_only: false,
            condition: None,
            visibility: Visibility::Private,
            line: node.start_position().row as u32 + 1,
        })
    }

    /// A dotted name; white space and comments inside it are left out.
    fn path_name(&mut self, node: Node<'_>) -> NameId {
        let text = self.b.text(node);
        if text
            .bytes()
            .all(|b| b == b'.' || b == b'_' || b == b'$' || b.is_ascii_alphanumeric())
        {
            return self.b.name(text);
        }
        let mut parts = Vec::new();
        let mut next = Some(node);
        while let Some(part) = next {
            let name = part.field("name").unwrap_or(part);
            parts.push(self.b.text(name));
            next = part.field("scope");
        }
        parts.reverse();
        self.b.name_owned(&parts.join("."))
    }
}
