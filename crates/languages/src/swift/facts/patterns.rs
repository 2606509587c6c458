//! Patterns and conditions: what they name, and the variables that they bind.

use super::types::{is_type, type_child};
use super::{Expected, Walker, children_with_fields};
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

/// A part of a pattern or condition, with its field.
pub(super) type Token<'t> = (Node<'t>, &'t str);

/// What a pattern is matched with.
#[derive(Clone, Copy)]
struct Matched {
    value: ExprId,
    /// Whether names are bound, because `let` stands before them.
    binds: bool,
    /// The byte from which variables are seen.
    from: u32,
}

impl<'s> Walker<'_, 's> {
    /// Binds the variables of a declaration's pattern.
    pub(super) fn bind_pattern(&mut self, node: Node<'_>, value: ExprId, from: u32) {
        let matched = Matched {
            value,
            binds: true,
            from,
        };
        self.pattern_node(node, matched);
    }

    /// Reads a pattern in which only names behind `let` are bound.
    pub(super) fn pattern(&mut self, node: Node<'_>, value: ExprId) {
        let matched = Matched {
            value,
            binds: false,
            from: node.start_byte() as u32,
        };
        self.pattern_node(node, matched);
    }

    fn pattern_node(&mut self, node: Node<'_>, matched: Matched) {
        if !self.b.enter_level() {
            return;
        }
        let tokens = children_with_fields(node);
        if node.kind_name() == "pattern" {
            self.pattern_tokens(&tokens, matched);
        } else {
            self.pattern_tokens(&[(node, "")], matched);
        }
        self.b.leave_level();
    }

    fn pattern_tokens(&mut self, tokens: &[Token<'_>], mut matched: Matched) {
        let mut tokens = tokens;
        while let [first, rest @ ..] = tokens {
            match first.0.kind_name() {
                "value_binding_pattern" => matched.binds = true,
                "case" => {}
                _ => break,
            }
            tokens = rest;
        }
        while let [rest @ .., last] = tokens
            && last.0.kind_name() == "?"
        {
            matched.value = self.b.add_expr(Expr::Try(matched.value));
            tokens = rest;
        }
        let kind = |n: usize| tokens.get(n).map_or("", |t| t.0.kind_name());
        if let Some(at) = tokens.iter().position(|t| t.0.kind_name() == "as") {
            return self.cast_pattern(&tokens[..at], &tokens[at + 1..], matched);
        }
        if kind(0) == "is" {
            if let Some((written, _)) = tokens.get(1) {
                self.ty(*written);
            }
            return;
        }
        if tokens.len() == 1 {
            return self.single_pattern(tokens[0], matched);
        }
        if kind(0) == "(" {
            return self.tuple_pattern(tokens, matched);
        }
        if let Some(dot) = tokens.iter().position(|t| t.0.kind_name() == ".") {
            return self.case_pattern(&tokens[..dot], &tokens[dot + 1..], matched);
        }
        // A case without a dot: the grammar gives some so, `some(x)`.
        if kind(0) == "simple_identifier" && kind(1) == "(" {
            return self.case_pattern(&[], tokens, matched);
        }
        for (node, _) in tokens.iter().filter(|t| t.0.is_named()) {
            self.expr(*node);
        }
    }

    fn single_pattern(&mut self, (node, field): Token<'_>, matched: Matched) {
        match node.kind_name() {
            "pattern" => self.pattern_node(node, matched),
            "wildcard_pattern" => {}
            "simple_identifier" if matched.binds || field == "bound_identifier" => {
                let text = self.b.text(node).trim_matches('`');
                let name = self.b.intern_name(text);
                let scope = self.b.current_scope();
                let to = Bound::Local {
                    ty: None,
                    value: Some(matched.value),
                };
                self.b
                    .bind_in(scope, name, Namespace::VALUE, matched.from, to);
            }
            "tuple_expression" => {
                let mut n = 0;
                for (child, field) in children_with_fields(node) {
                    if field == "value" {
                        let value = self.b.add_expr(Expr::Part(matched.value, n));
                        self.pattern_node(child, Matched { value, ..matched });
                        n += 1;
                    }
                }
            }
            _ => {
                self.expr_expecting(node, Expected::Like(matched.value));
            }
        }
    }

    /// `let x as T`
    fn cast_pattern(&mut self, left: &[Token<'_>], right: &[Token<'_>], matched: Matched) {
        let written = right.iter().find(|t| is_type(t.0.kind_name()));
        let value = match written {
            Some((written, _)) => {
                let ty = self.ty(*written);
                self.b.add_expr(Expr::Cast(matched.value, ty))
            }
            None => matched.value,
        };
        self.pattern_tokens(left, Matched { value, ..matched });
    }

    /// `(a, let b)`
    fn tuple_pattern(&mut self, tokens: &[Token<'_>], matched: Matched) {
        let inner: Vec<Token<'_>> = tokens
            .iter()
            .filter(|t| t.0.kind_name() == "pattern")
            .copied()
            .collect();
        let is_alone = inner.len() == 1;
        for ((node, _), n) in inner.into_iter().zip(0..) {
            let value = if is_alone {
                matched.value
            } else {
                self.b.add_expr(Expr::Part(matched.value, n))
            };
            self.pattern_node(node, Matched { value, ..matched });
        }
    }

    /// `.name(…)`, `T.name(…)`
    fn case_pattern(&mut self, of: &[Token<'_>], case: &[Token<'_>], matched: Matched) {
        let object = match of {
            [] => self.implied_object(Expected::Like(matched.value)),
            [(written, _)] if is_type(written.kind_name()) => {
                let ty = self.ty(*written);
                self.b.add_expr(Expr::Type(ty))
            }
            [(node, _), ..] => self.expr(*node),
        };
        let Some((name_node, _)) = case.first() else {
            return;
        };
        let text = self.b.text(*name_node).trim_matches('`');
        let name = self.b.intern_name(text);
        let variant = self.b.add_expr(Expr::Member { object, name });
        self.b.add_reference(RefTarget::Expr(variant), *name_node);
        let payload = case.iter().filter(|t| t.0.kind_name() == "pattern");
        for ((node, _), index) in payload.zip(0..) {
            let value = self.b.add_expr(Expr::Payload {
                value: matched.value,
                variant,
                index,
            });
            self.pattern_node(*node, Matched { value, ..matched });
        }
    }

    /// The conditions of `if`, `guard` and `while`, which see the variables of those before them.
    pub(super) fn conditions(&mut self, node: Node<'_>) {
        let mut clause: Vec<Token<'_>> = Vec::new();
        let mut depth = 0;
        for token in children_with_fields(node) {
            match token.0.kind_name() {
                "if" | "guard" | "while" => continue,
                "{" | "else" | "statements" => break,
                "(" => depth += 1,
                ")" => depth -= 1,
                "," if depth == 0 => {
                    self.condition(&clause);
                    clause.clear();
                    continue;
                }
                _ => {}
            }
            clause.push(token);
        }
        self.condition(&clause);
    }

    fn condition(&mut self, clause: &[Token<'_>]) {
        let Some((first, _)) = clause.first() else {
            return;
        };
        let from = clause.last().map_or(0, |t| t.0.end_byte() as u32);
        match first.kind_name() {
            "availability_condition" => {}
            "case" => self.case_condition(&clause[1..], from),
            "value_binding_pattern" => self.optional_binding(&clause[1..], from),
            _ => {
                for (node, _) in clause.iter().filter(|t| t.0.is_named()) {
                    self.expr(*node);
                }
            }
        }
    }

    /// `case pattern = value`
    fn case_condition(&mut self, tokens: &[Token<'_>], from: u32) {
        let Some(at) = tokens.iter().position(|t| t.0.kind_name() == "=") else {
            return;
        };
        let value = match tokens.get(at + 1) {
            Some((value, _)) => self.expr(*value),
            None => self.b.add_expr(Expr::Unknown),
        };
        let matched = Matched {
            value,
            binds: false,
            from,
        };
        self.pattern_tokens(&tokens[..at], matched);
    }

    /// `let name = value`, `let name`
    fn optional_binding(&mut self, tokens: &[Token<'_>], from: u32) {
        let Some((name_node, _)) = tokens.first() else {
            return;
        };
        let end = tokens
            .iter()
            .position(|t| matches!(t.0.kind_name(), "type_annotation" | "="));
        let pattern = &tokens[..end.unwrap_or(tokens.len())];
        let written = tokens.iter().find(|t| t.0.kind_name() == "type_annotation");
        let ty = written.and_then(|(node, _)| type_child(*node));
        let ty = ty.map(|ty| self.ty(ty));
        let at = tokens.iter().position(|t| t.0.kind_name() == "=");
        let value = at.and_then(|at| tokens.get(at + 1));
        let expected = ty.map_or(Expected::Nothing, Expected::Type);
        let value = match value {
            Some((value, _)) => self.expr_expecting(*value, expected),
            None if name_node.kind_name() == "simple_identifier" => {
                let value = self.name(*name_node);
                self.b.add_reference(RefTarget::Expr(value), *name_node);
                value
            }
            None => return,
        };
        let value = match ty {
            Some(ty) => self.b.add_expr(Expr::Cast(value, ty)),
            None => self.b.add_expr(Expr::Try(value)),
        };
        let matched = Matched {
            value,
            binds: true,
            from,
        };
        self.pattern_tokens(pattern, matched);
    }
}
