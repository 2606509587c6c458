//! Marks of a file: decorators with their literal arguments, and how errors are handled.

use crate::builder::{Builder, head};
use crate::facts::*;
use crate::fields::Fields;
use base::MarkKind;
use tree_sitter::Node;

/// Most arguments of a decorator that are read, and most elements of a list among them.
const MOST_ARGUMENTS: usize = 8;
/// Most bytes of its literal arguments that are kept.
const LONGEST_DETAIL: usize = 120;
/// Most bytes of a name that are kept; a decorator's name may be any expression.
const LONGEST_NAME: usize = 80;

impl<'s> Builder<'s> {
    /// Reads the mark of a decorator: the text before its arguments, and the literal arguments. Its definition is not
    /// set yet.
    pub fn read_decorator(&mut self, name: Node<'_>, arguments: Option<Node<'_>>) -> Mark {
        let line = name.start_position().row as u32 + 1;
        let name = self.short_name(name);
        let detail = arguments.map_or_else(String::new, |list| self.literal_arguments(list));
        let detail = (!detail.is_empty()).then(|| self.intern_owned_name(&detail));
        Mark {
            kind: MarkKind::Decorator,
            owner: None,
            name,
            detail,
            line,
        }
    }

    /// Adds a decorator to a definition.
    pub fn add_decorator(&mut self, owner: DefId, decorator: Mark) {
        let owner = Some(owner);
        self.facts_mut().marks.push(Mark { owner, ..decorator });
    }

    /// Adds a mark of the file, such as the handling of an error.
    pub fn add_file_mark(&mut self, kind: MarkKind, name: Option<Node<'_>>, at: Node<'_>) {
        let name = name.and_then(|name| self.short_name(name));
        let mark = Mark {
            kind,
            owner: None,
            name,
            detail: None,
            line: at.start_position().row as u32 + 1,
        };
        self.facts_mut().marks.push(mark);
    }

    /// The text of a node before its arguments and type arguments; `None` if it has no name.
    fn short_name(&mut self, node: Node<'_>) -> Option<NameId> {
        let text = self.text(node);
        let text = text.split(['(', '<', '\n']).next().unwrap_or(text).trim();
        (!text.is_empty()).then(|| self.intern_owned_name(head(text, LONGEST_NAME)))
    }

    /// The literal arguments of a list, as written.
    fn literal_arguments(&self, list: Node<'_>) -> String {
        let mut out = String::new();
        let mut cursor = list.walk();
        for argument in list.named_children(&mut cursor).take(MOST_ARGUMENTS) {
            let text = self.text(argument);
            let is_kept = is_literal_argument(argument) || self.names_methods(argument);
            if !is_kept || out.len() + text.len() + 2 > LONGEST_DETAIL {
                continue;
            }
            if !out.is_empty() {
                out.push_str(", ");
            }
            out.extend(text.split_whitespace().flat_map(|word| [" ", word]).skip(1));
        }
        out
    }

    /// Spring: `method = RequestMethod.GET`, the method of a route.
    fn names_methods(&self, node: Node<'_>) -> bool {
        let is_pair = node.kind_name() == "element_value_pair";
        let key = node.field("key").filter(|_| is_pair);
        let is_method = key.is_some_and(|key| self.text(key) == "method");
        let kind = node.field("value").map(|value| value.kind_name());
        let kinds = [
            "field_access",
            "identifier",
            "element_value_array_initializer",
        ];
        is_method && kind.is_some_and(|kind| kinds.contains(&kind))
    }
}

/// A literal, `name = literal`, or a list of literals.
fn is_literal_argument(node: Node<'_>) -> bool {
    match node.kind_name() {
        // Python, Java.
        "keyword_argument" | "element_value_pair" => {
            node.field("value").is_some_and(is_list_or_literal)
        }
        _ => is_list_or_literal(node),
    }
}

fn is_list_or_literal(node: Node<'_>) -> bool {
    let is_list = matches!(
        node.kind_name(),
        "list" | "tuple" | "array" | "element_value_array_initializer"
    );
    if !is_list {
        return is_literal(node);
    }
    let mut cursor = node.walk();
    node.named_child_count() <= MOST_ARGUMENTS && node.named_children(&mut cursor).all(is_literal)
}

fn is_literal(node: Node<'_>) -> bool {
    let kind = node.kind_name();
    kind.ends_with("_literal")
        || matches!(
            kind,
            "string" | "integer" | "float" | "number" | "true" | "false" | "none" | "null"
        )
}
