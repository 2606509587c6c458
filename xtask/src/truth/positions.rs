//! Positions of calls in a file, and kinds of definitions, from the bare syntax tree. This is independent
//! of the product's own facts, so that calls that those overlook count as missing.

use base::Language;
use tree_sitter::{Node, Parser, Point, Tree};

/// A parsed file.
pub struct Positions<'s> {
    language: Language,
    source: &'s str,
    tree: Tree,
}

/// The called name at a call site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Called<'s> {
    /// Row and byte column, both from 0.
    pub at: Point,
    /// The name.
    pub name: &'s str,
}

/// The kind of definition behind a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    /// A function, a method, or a variable whose written value is a function.
    Function,
    /// A class, or a variable whose written value is one.
    Class,
    /// Anything else.
    Other,
}

/// Languages whose truth comes from SCIP.
const GRAMMARS: [(Language, fn() -> tree_sitter::Language); 5] = [
    (Language::TypeScript, || {
        tree_sitter_typescript::LANGUAGE_TYPESCRIPT.into()
    }),
    (Language::Tsx, || {
        tree_sitter_typescript::LANGUAGE_TSX.into()
    }),
    (Language::JavaScript, || {
        tree_sitter_javascript::LANGUAGE.into()
    }),
    (Language::Python, || tree_sitter_python::LANGUAGE.into()),
    (Language::Rust, || tree_sitter_rust::LANGUAGE.into()),
];

impl<'s> Positions<'s> {
    /// Parses a file. None for languages whose truth does not come from SCIP.
    pub fn new(language: Language, source: &'s str) -> Option<Self> {
        let (_, grammar) = GRAMMARS.into_iter().find(|(of, _)| *of == language)?;
        let mut parser = Parser::new();
        parser.set_language(&grammar()).ok()?;
        let tree = parser.parse(source, None)?;
        Some(Positions {
            language,
            source,
            tree,
        })
    }

    /// Every call site with a name, in order.
    pub fn calls(&self) -> Vec<Called<'s>> {
        let mut calls = Vec::new();
        let mut cursor = self.tree.walk();
        loop {
            let node = cursor.node();
            if let Some(name) = self.called_name(node) {
                calls.push(Called {
                    at: name.start_position(),
                    name: &self.source[name.byte_range()],
                });
            }
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    calls.sort_by_key(|call| call.at);
                    return calls;
                }
            }
        }
    }

    fn called_name<'t>(&self, node: Node<'t>) -> Option<Node<'t>> {
        match (self.language, node.kind()) {
            (Language::Python, "call") | (_, "call_expression") => {
                last_name(node.child_by_field_name("function")?)
            }
            (_, "new_expression") => last_name(node.child_by_field_name("constructor")?),
            (Language::Rust, "macro_invocation") => last_name(node.child_by_field_name("macro")?),
            // A macro's arguments are only tokens: a name before a parenthesis, or before `!`, is a call.
            (Language::Rust, "identifier") if node.parent()?.kind() == "token_tree" => {
                let next = node.next_sibling()?;
                let text = &self.source[next.byte_range()];
                let calls = next.kind() == "token_tree" && text.starts_with('(') || text == "!";
                calls.then_some(node)
            }
            _ => None,
        }
    }

    /// The kind of definition whose name is at a position.
    pub fn named(&self, at: Point) -> Named {
        let Some(name) = self.tree.root_node().descendant_for_point_range(at, at) else {
            return Named::Other;
        };
        let Some(parent) = name.parent() else {
            return Named::Other;
        };
        if parent.child_by_field_name("name").map(|n| n.id()) == Some(name.id()) {
            match parent.kind() {
                "function_declaration"
                | "generator_function_declaration"
                | "function_signature"
                | "function_expression"
                | "function_definition"
                | "function_item"
                | "function_signature_item"
                | "method_definition"
                | "method_signature"
                | "abstract_method_signature" => return Named::Function,
                "class_declaration"
                | "abstract_class_declaration"
                | "class"
                | "class_definition" => return Named::Class,
                _ => {}
            }
        }
        match ["value", "right"]
            .into_iter()
            .find_map(|field| parent.child_by_field_name(field))
        {
            Some(value) if value.id() != name.id() => value_kind(value),
            _ => Named::Other,
        }
    }
}

/// The last name of a callee: `c` of `a.b.c`, `a::b::c::<T>`, `a.c!`.
fn last_name(node: Node<'_>) -> Option<Node<'_>> {
    let field = match node.kind() {
        "identifier"
        | "field_identifier"
        | "property_identifier"
        | "private_property_identifier"
        | "type_identifier"
        | "super" => return Some(node),
        "member_expression" => "property",
        "attribute" => "attribute",
        "scoped_identifier" | "scoped_type_identifier" => "name",
        "field_expression" => "field",
        "generic_function" => "function",
        "non_null_expression" | "parenthesized_expression" | "instantiation_expression" => {
            return last_name(node.named_child(0)?);
        }
        _ => return None,
    };
    last_name(node.child_by_field_name(field)?)
}

fn value_kind(value: Node<'_>) -> Named {
    match value.kind() {
        "arrow_function" | "function_expression" | "generator_function" => Named::Function,
        "class" => Named::Class,
        "parenthesized_expression" | "as_expression" | "satisfies_expression" => {
            value.named_child(0).map_or(Named::Other, value_kind)
        }
        _ => Named::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(language: Language, source: &str) -> Vec<(usize, usize, &str)> {
        let positions = Positions::new(language, source).unwrap();
        let calls = positions.calls();
        calls
            .iter()
            .map(|c| (c.at.row, c.at.column, c.name))
            .collect()
    }

    #[test]
    fn typescript_calls() {
        let source = "new a.B<T>(x.y!.z());\nsuper.f(`${g()}`); (h)();";
        assert_eq!(
            names(Language::TypeScript, source),
            [
                (0, 6, "B"),
                (0, 16, "z"),
                (1, 6, "f"),
                (1, 11, "g"),
                (1, 20, "h")
            ]
        );
    }

    #[test]
    fn rust_calls_also_in_macro_arguments() {
        let source = "fn f() { a::b::<T>(c.d()); assert!(e(1), \"{}\", g!(h)); }";
        assert_eq!(
            names(Language::Rust, source)
                .iter()
                .map(|c| c.2)
                .collect::<Vec<_>>(),
            ["b", "d", "assert", "e", "g"]
        );
    }

    #[test]
    fn python_calls() {
        assert_eq!(
            names(Language::Python, "@d(1)\ndef f(x=g()): return x.y(z)()"),
            [(0, 1, "d"), (1, 8, "g"), (1, 23, "y")]
        );
    }

    #[test]
    fn what_a_name_names() {
        let source = "const f = () => 1, v = g(); class C { m() {} }";
        let positions = Positions::new(Language::TypeScript, source).unwrap();
        assert_eq!(positions.named(Point::new(0, 6)), Named::Function);
        assert_eq!(positions.named(Point::new(0, 19)), Named::Other);
        assert_eq!(positions.named(Point::new(0, 34)), Named::Class);
        assert_eq!(positions.named(Point::new(0, 38)), Named::Function);
    }
}
