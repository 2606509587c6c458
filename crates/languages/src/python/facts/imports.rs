//! Imports of every form, and `__all__`.

use super::{Walker, children};
use base::Visibility;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// One import before it is recorded.
struct RawImport<'s> {
    module: &'s str,
    level: u32,
    what: Imported,
    local: Option<NameId>,
}

impl<'s> Walker<'_, 's> {
    pub(super) fn import_statement(&mut self, node: Node<'_>) {
        let mut cursor = node.walk();
        for name in node.fields("name", &mut cursor) {
            let alias = name.field("alias");
            let path = name.field("name").unwrap_or(name);
            let module = self.b.text(path);
            let (what, local) = match alias {
                Some(alias) => (Imported::Module, self.b.intern_node_text(alias)),
                None => match module.split_once('.') {
                    Some((root, _)) => (Imported::Root, self.b.intern_name(root.trim())),
                    None => (Imported::Module, self.b.intern_name(module)),
                },
            };
            let raw = RawImport {
                module,
                level: 0,
                what,
                local: Some(local),
            };
            self.import(node, raw);
            if what == Imported::Root {
                // The name refers to the first package; the imported module is the last.
                let raw = RawImport {
                    module,
                    level: 0,
                    what: Imported::SideEffect,
                    local: None,
                };
                self.import(node, raw);
            }
        }
    }

    pub(super) fn import_from(&mut self, node: Node<'_>) {
        let (level, module) = match node.field("module_name") {
            Some(from) => self.split_leading_dots(from),
            None => (0, ""),
        };
        let mut cursor = node.walk();
        for name in node.fields("name", &mut cursor) {
            let path = name.field("name").unwrap_or(name);
            let alias = name.field("alias").unwrap_or(path);
            let raw = RawImport {
                module,
                level,
                what: Imported::Name(self.b.intern_node_text(path)),
                local: Some(self.b.intern_node_text(alias)),
            };
            self.import(node, raw);
        }
        if children(node)
            .iter()
            .any(|c| c.kind_name() == "wildcard_import")
        {
            let raw = RawImport {
                module,
                level,
                what: Imported::Glob,
                local: None,
            };
            self.import(node, raw);
        }
    }

    /// The leading dots of a module name, and the rest.
    fn split_leading_dots(&self, node: Node<'_>) -> (u32, &'s str) {
        let text = self.b.text(node);
        let rest = text.trim_start_matches(['.', ' ', '\t', '\\', '\n', '\r']);
        let level = text[..text.len() - rest.len()].matches('.').count();
        (level as u32, rest)
    }

    fn import(&mut self, node: Node<'_>, raw: RawImport<'s>) {
        let module = if raw.module.contains([' ', '\t']) {
            self.b
                .intern_owned_name(&raw.module.replace([' ', '\t'], ""))
        } else {
            self.b.intern_name(raw.module)
        };
        let scope = self.current_frame().scope;
        let owner = self.b.current_owner();
        let import = self.b.add_import(Import {
            module,
            what: raw.what,
            local: raw.local,
            scope,
            owner,
            level: raw.level,
            type_only: self.type_checking,
            unused: false,
            condition: None,
            visibility: Visibility::Public,
            line: node.start_position().row as u32 + 1,
        });
        self.current_frame().guarded.may_raise();
        if let Some(local) = raw.local {
            self.bind_definition(local, Bound::Import(import), node.end_byte() as u32);
        }
    }

    /// `importlib.import_module("a.b")`, `__import__("a.b")`.
    pub(super) fn visit_dynamic_import(&mut self, function: Node<'_>, arguments: Node<'_>) {
        let called = self.b.text(function);
        let called = called.rsplit('.').next().unwrap_or(called);
        if called != "import_module" && called != "__import__" {
            return;
        }
        let first = children(arguments).into_iter().next();
        let Some(string) = first.filter(|a| a.kind_name() == "string") else {
            return;
        };
        let Some(text) = self.plain_string_text(string) else {
            return;
        };
        let module = text.trim_start_matches('.');
        let raw = RawImport {
            module,
            level: (text.len() - module.len()) as u32,
            what: Imported::Dynamic,
            local: None,
        };
        self.import(string, raw);
    }

    /// The text of a string literal without interpolations.
    pub(super) fn plain_string_text(&self, string: Node<'_>) -> Option<&'s str> {
        let parts = children(string);
        match parts.as_slice() {
            [start, content, end]
                if start.kind_name() == "string_start"
                    && content.kind_name() == "string_content"
                    && end.kind_name() == "string_end" =>
            {
                Some(self.b.text(*content))
            }
            _ => None,
        }
    }

    /// `__all__ = ["a", …]`, `__all__ += […]`: the literal names.
    pub(super) fn record_dunder_all(&mut self, left: Node<'_>, right: Node<'_>) {
        if self.b.text(left) == "__all__" && self.frames.len() == 1 {
            self.export_names(right);
        }
    }

    /// The strings of a list, tuple or sum of such.
    pub(super) fn export_names(&mut self, node: Node<'_>) {
        match node.kind_name() {
            "list"
            | "tuple"
            | "set"
            | "binary_operator"
            | "parenthesized_expression"
            | "argument_list"
            | "expression_list" => {
                for child in children(node) {
                    self.export_names(child);
                }
            }
            "string" => {
                if let Some(text) = self.plain_string_text(node) {
                    let name = self.b.intern_name(text);
                    self.b.add_export(Export {
                        name: Some(name),
                        what: Exported::Local(name),
                        line: node.start_position().row as u32 + 1,
                    });
                }
            }
            _ => {}
        }
    }
}
