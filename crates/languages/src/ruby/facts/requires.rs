//! Files that a file loads.

use super::calls::{Parts, is_literal_name, literal_name};
use super::{Walker, children, line};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// [`Import::level`] of a path that begins at the folder of its file.
const RELATIVE: u32 = 1;

impl Walker<'_, '_> {
    /// `require 'a/b'`, `require_relative 'c'`, `autoload :C, 'c'`.
    pub(super) fn require(&mut self, parts: Parts<'_>, called: &str) -> Option<ExprId> {
        let list = parts.list();
        let path = match called {
            "autoload" => list.get(1)?,
            _ => list.first()?,
        };
        let (text, is_relative) = self.path_text(*path)?;
        let module = self.b.intern_owned_name(&text);
        let what = match called {
            "autoload" => Imported::Dynamic,
            _ => Imported::SideEffect,
        };
        let mut import = Import::new(module, what, line(parts.node));
        import.scope = self.b.current_scope();
        import.owner = self.b.facts().enclosing_node_def(self.b.current_owner());
        if is_relative || called == "require_relative" {
            import.level = RELATIVE;
        }
        self.b.add_import(import);
        Some(self.unknown)
    }

    /// The text of a path; `File.expand_path('x', __dir__)`, `File.join(__dir__, 'x')` and `"#{__dir__}/x"` are relative.
    fn path_text(&self, node: Node<'_>) -> Option<(String, bool)> {
        if is_literal_name(node) {
            return Some((literal_name(self.b.text(node)).to_owned(), false));
        }
        let text = self.b.text(node);
        let is_here = text.contains("__dir__") || text.contains("__FILE__");
        match node.kind_name() {
            "string" if is_here => {
                let (_, rest) = text.split_once('}')?;
                let rest = rest.trim_matches(['"', '/']);
                (!rest.contains("#{")).then(|| (rest.to_owned(), true))
            }
            "binary" if is_here => {
                let right = node.field("right").filter(|r| is_literal_name(*r))?;
                let path = literal_name(self.b.text(right)).trim_start_matches('/');
                Some((path.to_owned(), true))
            }
            "call" if is_here => {
                let method = self.b.text(node.field("method")?);
                let list = node.field("arguments").map(children)?;
                let mut texts = list.iter().filter(|n| is_literal_name(**n));
                let path = literal_name(self.b.text(*texts.next()?));
                // `File.expand_path('../x', __FILE__)` begins at the file, not at its folder.
                let from_file = method == "expand_path" && text.contains("__FILE__");
                let above = path.strip_prefix("../").filter(|_| from_file);
                let path = above.unwrap_or(path);
                Some((path.to_owned(), true))
            }
            _ => None,
        }
    }
}
