//! Patterns: the names that they bind, and the parts of the matched value.

use super::{Walker, first_child, is_comment_or_attribute};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    /// The identifier of a pattern that is a plain name (`x`, `mut x`, `ref x`).
    pub(super) fn plain_identifier<'t>(&self, pattern: Node<'t>) -> Option<Node<'t>> {
        let mut node = pattern;
        while matches!(node.kind_name(), "mut_pattern" | "ref_pattern") {
            node = first_child(node)?;
        }
        let binds = node.kind_name() == "identifier" && !looks_like_constant(self.b.text(node));
        binds.then_some(node)
    }

    /// Binds the names of a pattern that matches `value`, visible from byte `from` on.
    pub(super) fn pattern(&mut self, node: Node<'_>, value: ExprId, from: u32) {
        self.with_depth_check((), |w| w.bind_pattern_inner(node, value, from));
    }

    fn bind_pattern_inner(&mut self, node: Node<'_>, value: ExprId, from: u32) {
        match node.kind_name() {
            "identifier" if !looks_like_constant(self.b.text(node)) => {
                self.bind_local(node, None, value, from);
            }
            "identifier" | "scoped_identifier" => {
                self.visit_path_mention(node);
            }
            "mut_pattern" | "ref_pattern" | "reference_pattern" => {
                if let Some(inner) = first_child(node) {
                    self.pattern(inner, value, from);
                }
            }
            "or_pattern" => self.bind_each_child(node, |_, _| value, from),
            "slice_pattern" => self.bind_slice_pattern(node, value, from),
            "tuple_pattern" => {
                let of = |w: &mut Self, index: Option<u32>| match index {
                    Some(index) => w.b.add_expr(Expr::Part(value, index)),
                    None => w.unknown,
                };
                self.bind_each_child(node, of, from);
            }
            "tuple_struct_pattern" => self.bind_tuple_struct_pattern(node, value, from),
            "struct_pattern" => self.bind_struct_pattern(node, value, from),
            "captured_pattern" => self.bind_captured_pattern(node, value, from),
            "generic_pattern" => {
                if let Some(inner) = first_child(node) {
                    self.visit_path_mention(inner);
                }
            }
            "range_pattern" => {
                let mut cursor = node.walk();
                for child in node.named_children(&mut cursor) {
                    self.expr(child);
                }
            }
            "const_block" | "macro_invocation" => {
                self.expr(node);
            }
            _ => {}
        }
    }

    /// Binds a plain name.
    pub(super) fn bind_local(
        &mut self,
        identifier: Node<'_>,
        ty: Option<TypeId>,
        value: ExprId,
        from: u32,
    ) {
        let name = self.intern_identifier(identifier);
        let scope = self.b.current_scope();
        let value = Some(value);
        self.b.bind_in(
            scope,
            name,
            Namespace::VALUE,
            from,
            Bound::Local { ty, value },
        );
    }

    /// Matches each child of `node` with the value that `of` returns for its position. Positions after `..` are
    /// unknown.
    fn bind_each_child(
        &mut self,
        node: Node<'_>,
        mut of: impl FnMut(&mut Self, Option<u32>) -> ExprId,
        from: u32,
    ) {
        let skip = node.field("type").map(|t| t.id());
        let mut index = Some(0);
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            // `_` counts as a position, though its node has no name.
            let counts = child.is_named() || child.kind_name() == "_";
            if !counts || is_comment_or_attribute(child.kind_name()) || Some(child.id()) == skip {
                continue;
            }
            if child.kind_name() == "remaining_field_pattern" {
                index = None;
                continue;
            }
            let value = of(self, index);
            self.pattern(child, value, from);
            index = index.map(|i| i + 1);
        }
    }

    fn bind_slice_pattern(&mut self, node: Node<'_>, value: ExprId, from: u32) {
        let element = self.b.add_expr(Expr::Element(value));
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            // `rest @ ..` is a slice itself.
            let rest = child.kind_name() == "captured_pattern"
                && child
                    .named_child(1)
                    .is_some_and(|c| c.kind_name() == "remaining_field_pattern");
            self.pattern(child, if rest { value } else { element }, from);
        }
    }

    fn bind_tuple_struct_pattern(&mut self, node: Node<'_>, value: ExprId, from: u32) {
        let Some(path) = node.field("type") else {
            return;
        };
        let variant = self.visit_path_mention(path);
        let of = |w: &mut Self, index: Option<u32>| match index {
            Some(index) => w.b.add_expr(Expr::Payload {
                value,
                variant,
                index,
            }),
            None => w.unknown,
        };
        self.bind_each_child(node, of, from);
    }

    fn bind_struct_pattern(&mut self, node: Node<'_>, value: ExprId, from: u32) {
        let Some(path) = node.field("type") else {
            return;
        };
        let variant = self.visit_path_mention(path);
        let object = self.b.add_expr(Expr::Payload {
            value,
            variant,
            index: WHOLE_VARIANT,
        });
        let mut cursor = node.walk();
        for field in node.named_children(&mut cursor) {
            if field.kind_name() != "field_pattern" {
                continue;
            }
            let Some(name_node) = field.field("name") else {
                continue;
            };
            let name = self.intern_identifier(name_node);
            let member = self.b.add_expr(Expr::Member { object, name });
            self.b.add_reference(RefTarget::Expr(member), name_node);
            match field.field("pattern") {
                Some(inner) => self.pattern(inner, member, from),
                None => self.bind_local(name_node, None, member, from),
            }
        }
    }

    fn bind_captured_pattern(&mut self, node: Node<'_>, value: ExprId, from: u32) {
        let mut cursor = node.walk();
        let mut parts = node
            .named_children(&mut cursor)
            .filter(|c| !is_comment_or_attribute(c.kind_name()));
        if let Some(identifier) = parts.next() {
            self.bind_local(identifier, None, value, from);
        }
        if let Some(inner) = parts.next() {
            self.pattern(inner, value, from);
        }
    }
}

/// A name in a pattern binds, unless it looks like a constant, variant or unit struct.
fn looks_like_constant(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}
