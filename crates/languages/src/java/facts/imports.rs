//! The package clause and imports.

use super::{Walker, child_of_kind, is_annotation, is_comment};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl Walker<'_, '_> {
    pub(super) fn visit_package_clause(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if is_annotation(child) {
                self.annotation(child);
            } else if !is_comment(child) {
                let name = self.intern_dotted_name(child);
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
            let module = self.intern_dotted_name(path);
            let what = if is_static {
                Imported::StaticGlob
            } else {
                Imported::Glob
            };
            self.add_import(node, module, what, None);
            return;
        }
        let (Some(scope), Some(last)) = (path.field("scope"), path.field("name")) else {
            return;
        };
        let module = self.intern_dotted_name(scope);
        let name = self.b.intern_node_text(last);
        let what = if is_static {
            Imported::Static(name)
        } else {
            Imported::Name(name)
        };
        let import = self.add_import(node, module, what, Some(name));
        let namespace = if is_static {
            Namespace::ALL
        } else {
            Namespace::BOTH
        };
        self.b
            .bind_in(FILE_SCOPE, name, namespace, 0, Bound::Import(import));
    }

    fn add_import(
        &mut self,
        node: Node<'_>,
        module: NameId,
        what: Imported,
        local: Option<NameId>,
    ) -> ImportId {
        let line = node.start_position().row as u32 + 1;
        self.b.add_import(Import {
            local,
            ..Import::new(module, what, line)
        })
    }

    /// Marks the imports whose names only comments use: they serve `{@link}` alone.
    pub(super) fn mark_unused(&mut self, root: Node<'_>) {
        let facts = self.b.facts();
        let mut rest: FxHashSet<NameId> = facts.imports.iter().filter_map(|i| i.local).collect();
        for expr in &facts.exprs {
            if let Expr::Name { name, .. } = expr {
                rest.remove(name);
            }
        }
        for ty in &facts.types {
            if let TypeExpr::Named { path, .. } = ty {
                for name in path {
                    rest.remove(name);
                }
            }
        }
        if rest.is_empty() {
            return;
        }
        // Facts omit some uses (`throws`, labels of `switch`), but the tree has all.
        let mut rest: FxHashMap<&str, NameId> =
            rest.iter().map(|name| (facts.name(*name), *name)).collect();
        for_each_word(root, &mut |word| {
            rest.remove(self.b.text(word));
        });
        let rest: FxHashSet<NameId> = rest.into_values().collect();
        for import in &mut self.b.facts_mut().imports {
            import.unused = import.local.is_some_and(|local| rest.contains(&local));
        }
    }

    /// A dotted name; white space and comments inside it are left out.
    fn intern_dotted_name(&mut self, node: Node<'_>) -> NameId {
        let text = self.b.text(node);
        if text
            .bytes()
            .all(|b| b == b'.' || b == b'_' || b == b'$' || b.is_ascii_alphanumeric())
        {
            return self.b.intern_name(text);
        }
        let mut parts = Vec::new();
        let mut next = Some(node);
        while let Some(part) = next {
            let name = part.field("name").unwrap_or(part);
            parts.push(self.b.text(name));
            next = part.field("scope");
        }
        parts.reverse();
        self.b.intern_owned_name(&parts.join("."))
    }
}

/// Visits every identifier outside of imports and the package clause.
fn for_each_word<'t>(root: Node<'t>, visit: &mut dyn FnMut(Node<'t>)) {
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        let is_word = matches!(node.kind_name(), "identifier" | "type_identifier");
        if is_word {
            visit(node);
        }
        let is_import = matches!(
            node.kind_name(),
            "import_declaration" | "package_declaration"
        );
        if !is_word && !is_import && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
        }
    }
}
