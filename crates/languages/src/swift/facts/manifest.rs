//! Targets in the manifest of a package, `Package.swift`.

use super::{Walker, named_children};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// Most bytes of a target's name or folder.
const LONGEST: usize = 300;

impl<'s> Walker<'_, 's> {
    /// Reads `.target(name: "A", path: "B")`. A target without a path lies in the folder of its name.
    pub(super) fn target(&mut self, name_node: Node<'_>, suffixes: &[Node<'_>]) {
        let parent = match self.b.text(name_node) {
            "target" | "executableTarget" | "macro" | "systemLibrary" => "Sources",
            "testTarget" => "Tests",
            "plugin" => "Plugins",
            _ => return,
        };
        let (mut name, mut path) = (None, None);
        for suffix in suffixes {
            let list = child_of_kind(*suffix, "value_arguments");
            for argument in list.map(named_children).unwrap_or_default() {
                let label = argument
                    .field("name")
                    .map_or("", |label| self.b.text(label));
                let Some(value) = argument.field("value") else {
                    continue;
                };
                match label.trim_end_matches(':').trim() {
                    "name" => name = self.literal_text(value),
                    "path" => path = self.literal_text(value),
                    // A dependency on a target, not the target.
                    "condition" => return,
                    _ => {}
                }
            }
        }
        let Some(name) = name else {
            return;
        };
        let path = path.map_or_else(|| format!("{parent}/{name}"), str::to_owned);
        let name = self.b.intern_owned_name(name);
        let path = self.b.intern_owned_name(&path);
        self.b.add_export(Export {
            name: Some(name),
            what: Exported::Local(path),
            line: name_node.start_position().row as u32 + 1,
        });
    }

    /// The text of a string without anything computed in it.
    fn literal_text(&self, node: Node<'_>) -> Option<&'s str> {
        if node.kind_name() != "line_string_literal" {
            return None;
        }
        let parts = named_children(node);
        let text = match parts[..] {
            [text] if text.kind_name() == "line_str_text" => self.b.text(text),
            _ => return None,
        };
        (text.len() <= LONGEST).then_some(text)
    }
}
