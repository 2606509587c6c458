//! `use` trees, `extern crate` and visibility.

use super::{Walker, child_of_kind};
use base::Visibility;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// Longer paths are not read: nested lists would repeat their prefix for each leaf.
const MOST_SEGMENTS: usize = 64;

impl<'s> Walker<'_, 's> {
    /// The written visibility of an item; `None` if there is none.
    pub(super) fn written_visibility(&self, item: Node<'_>) -> Option<Visibility> {
        let modifier = child_of_kind(item, "visibility_modifier")?;
        Some(match self.b.text(modifier) {
            "pub" => Visibility::Public,
            "pub(self)" => Visibility::Private,
            _ => Visibility::Package,
        })
    }

    /// Flattens `use a::{b, c::*, d as e};` into one import for each leaf.
    pub(super) fn use_declaration(&mut self, node: Node<'_>) {
        let visibility = self.written_visibility(node).unwrap_or(Visibility::Private);
        if let Some(argument) = node.field("argument") {
            self.visit_use_tree(argument, &mut Vec::new(), visibility);
        }
    }

    fn visit_use_tree(
        &mut self,
        node: Node<'_>,
        prefix: &mut Vec<&'s str>,
        visibility: Visibility,
    ) {
        if !self.b.enter_level() {
            return;
        }
        let depth = prefix.len();
        match node.kind_name() {
            "use_as_clause" => {
                let alias = node.field("alias");
                if let Some(path) = node.field("path") {
                    self.collect_path_segments(path, prefix);
                    self.add_use_leaf(path, alias, prefix, visibility);
                }
            }
            "use_wildcard" => {
                self.collect_path_segments(node, prefix);
                self.add_use_glob(node, prefix, visibility);
            }
            "scoped_use_list" => {
                self.collect_path_segments(node, prefix);
                if let Some(list) = node.field("list") {
                    self.visit_use_tree(list, prefix, visibility);
                }
            }
            "use_list" => {
                let mut cursor = node.walk();
                for child in node.named_children(&mut cursor) {
                    self.visit_use_tree(child, prefix, visibility);
                }
            }
            "line_comment" | "block_comment" => {}
            _ => {
                self.collect_path_segments(node, prefix);
                self.add_use_leaf(node, None, prefix, visibility);
            }
        }
        prefix.truncate(depth);
        self.b.leave_level();
    }

    /// Appends the segments of a path; a leading `::` is a segment of its own. For a wildcard or list, those of its
    /// path.
    fn collect_path_segments(&mut self, node: Node<'_>, out: &mut Vec<&'s str>) {
        let text = match node.kind_name() {
            "use_wildcard" => self.b.text(node).trim_end_matches('*').trim_end(),
            "scoped_use_list" => match node.field("list") {
                Some(list) => self
                    .b
                    .source
                    .get(node.start_byte()..list.start_byte())
                    .unwrap_or(""),
                None => "",
            },
            _ => self.b.text(node),
        };
        if text.starts_with("::") && out.is_empty() {
            out.push("::");
        }
        let segments = text.split("::").map(str::trim).filter(|s| !s.is_empty());
        out.extend(segments.map(|s| s.strip_prefix("r#").unwrap_or(s)));
    }

    fn add_use_leaf(
        &mut self,
        node: Node<'_>,
        alias: Option<Node<'_>>,
        path: &[&'s str],
        visibility: Visibility,
    ) {
        if self.reject_long_path(path) {
            return;
        }
        // `a::{self}` imports the module `a`, not values of that name.
        let (path, namespace) = match path {
            [before @ .., "self"] if !before.is_empty() => (before, Namespace::TYPE),
            _ => (path, Namespace::ALL),
        };
        let Some((last, before)) = path.split_last() else {
            return;
        };
        let name = self.b.intern_name(last);
        let local = match alias.map(|a| self.b.text(a)) {
            Some("_") => None,
            Some(alias) => Some(self.b.intern_name(alias)),
            None if matches!(*last, "crate" | "super" | "self") => None,
            None => Some(name),
        };
        let import = self.import(node, before, Imported::Name(name), local, visibility);
        if let Some(local) = local {
            self.b.bind(local, namespace, Bound::Import(import));
        }
    }

    /// Whether a path is too long to read; if so, it is counted.
    fn reject_long_path(&mut self, path: &[&'s str]) -> bool {
        let is_long = path.len() > MOST_SEGMENTS;
        self.b.facts_mut().too_deep += u32::from(is_long);
        is_long
    }

    fn add_use_glob(&mut self, node: Node<'_>, path: &[&'s str], visibility: Visibility) {
        if self.reject_long_path(path) {
            return;
        }
        self.import(node, path, Imported::Glob, None, visibility);
    }

    fn import(
        &mut self,
        node: Node<'_>,
        path: &[&'s str],
        what: Imported,
        local: Option<NameId>,
        visibility: Visibility,
    ) -> ImportId {
        let module = match path {
            ["::", rest @ ..] => self.b.intern_owned_name(&format!("::{}", rest.join("::"))),
            [one] => self.b.intern_name(one),
            _ => self.b.intern_owned_name(&path.join("::")),
        };
        let (scope, owner) = (self.b.current_scope(), self.b.current_owner());
        let line = node.start_position().row as u32 + 1;
        self.b.add_import(Import {
            local,
            scope,
            owner,
            visibility,
            ..Import::new(module, what, line)
        })
    }

    /// `extern crate a as b;`
    pub(super) fn extern_crate(&mut self, node: Node<'_>) {
        let Some(name) = node.field("name") else {
            return;
        };
        let visibility = self.written_visibility(node).unwrap_or(Visibility::Private);
        let module = self.b.text(name);
        let local = match node.field("alias").map(|a| self.b.text(a)) {
            Some("_") => None,
            Some(alias) => Some(self.b.intern_name(alias)),
            None => Some(self.b.intern_name(module)),
        };
        let import = self.import(node, &[module], Imported::Module, local, visibility);
        if let Some(local) = local {
            self.b.bind(local, Namespace::BOTH, Bound::Import(import));
        }
    }

    /// `#[path = "p"] mod m;` as an import of the literal path, owned by the module.
    pub(super) fn add_path_attribute(&mut self, module: DefId, path: &'s str, line: u32) {
        let name = self.b.intern_name(path);
        let scope = self.b.current_scope();
        self.b.add_import(Import {
            scope,
            owner: Some(module),
            ..Import::new(name, Imported::Module, line)
        });
    }
}
