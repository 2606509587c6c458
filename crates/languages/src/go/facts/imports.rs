//! Imports.

use super::Walker;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    /// An import declaration, single or in a group.
    pub(super) fn visit_import_declaration(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            match child.kind_name() {
                "import_spec" => self.visit_import_spec(child),
                "import_spec_list" => self.visit_import_declaration(child),
                _ => {}
            }
        }
    }

    fn visit_import_spec(&mut self, node: Node<'_>) {
        let Some(path) = node.field("path") else {
            return;
        };
        let path = self.b.text(path).trim_matches(['"', '`']);
        let name = node.field("name");
        let (what, local) = match name.map(|n| n.kind_name()) {
            Some("dot") => (Imported::Glob, None),
            Some("blank_identifier") => (Imported::SideEffect, None),
            Some(_) => (Imported::Module, name.map(|n| self.b.intern_node_text(n))),
            None => (
                Imported::Module,
                Some(self.b.intern_name(guess_package_name(path))),
            ),
        };
        let module = self.b.intern_name(path);
        let line = node.start_position().row as u32 + 1;
        let import = self.b.add_import(Import {
            local,
            ..Import::new(module, what, line)
        });
        if let Some(local) = local {
            let to = Bound::Import(import);
            self.b.bind_in(FILE_SCOPE, local, Namespace::BOTH, 0, to);
            self.packages.insert(local);
        }
    }
}

/// The likely name of the package at an import path; only its package clause is certain. By convention, major version
/// suffixes (`/v2`, `.v3`) and a `go-` prefix or `-go` suffix are left out.
fn guess_package_name(path: &str) -> &str {
    let mut segments = path.rsplit('/');
    let mut last = segments.next().unwrap_or(path);
    if is_major_version(last) {
        last = segments.next().unwrap_or(last);
    }
    if let Some((name, version)) = last.rsplit_once('.')
        && (is_major_version(version) || version == "go")
    {
        last = name;
    }
    let last = last.strip_prefix("go-").unwrap_or(last);
    let last = last.strip_suffix("-go").unwrap_or(last);
    match last.rsplit_once('-') {
        Some((_, tail)) if !tail.is_empty() => tail,
        _ => last,
    }
}

fn is_major_version(segment: &str) -> bool {
    segment
        .strip_prefix('v')
        .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}
