//! Macro calls. The tokens of a macro call are parsed a second time, as the expression, items or fragments that they
//! look like, so that calls in them are found at their places.

use super::Walker;
use std::cell::{Cell, RefCell};
use std::ops::Deref;
use std::rc::Rc;
use std::time::Duration;
use syntax::facts::*;
use syntax::fields::Fields;
use syntax::parse::{self, parse_range};
use tree_sitter::{Node, Parser, Point, Range, Tree};

thread_local! {
    static PARSER: RefCell<Option<Parser>> = const { RefCell::new(None) };
}

/// Text that replaces the `PREFIX.len()` bytes before a pattern.
const PREFIX: &str = "match(){";

/// A longer token tree is data, not code.
const MAX_TOKENS: usize = 200_000;

/// Bytes that may be parsed again in a file: a base, and a number for each byte of the file. Macros inside macros are
/// parsed once for each enclosing one.
const AGAIN: (usize, usize) = (400_000, 32);

/// Most bytes of re-parsed trees that are held at one time, in addition to those of the file: trees take a hundred
/// times as much memory.
const HELD: usize = 300_000;

/// The remaining budget for parsing macro arguments of a file again.
pub(super) struct ReparseBudget {
    bytes: usize,
    /// Bytes of trees that may still be held.
    held: Rc<Cell<usize>>,
    time: Duration,
}

impl ReparseBudget {
    pub(super) fn for_source(source: &str) -> ReparseBudget {
        ReparseBudget {
            bytes: AGAIN.0 + AGAIN.1 * source.len(),
            held: Rc::new(Cell::new(HELD + source.len())),
            time: parse::parse_time_limit(source.len() + AGAIN.0 / 16),
        }
    }

    /// Takes some of the bytes that may be parsed; false if fewer are left.
    pub(super) fn spend(&mut self, bytes: usize) -> bool {
        let left = self.bytes.checked_sub(bytes);
        self.bytes = left.unwrap_or(0);
        left.is_some()
    }
}

/// The tree of a range that was parsed again.
pub(super) struct Reparsed {
    tree: Tree,
    bytes: usize,
    held: Rc<Cell<usize>>,
}

impl Deref for Reparsed {
    type Target = Tree;

    fn deref(&self) -> &Tree {
        &self.tree
    }
}

impl Drop for Reparsed {
    fn drop(&mut self) {
        self.held.set(self.held.get() + self.bytes);
    }
}

/// The result of a macro call, for macros of the standard library.
enum MacroResult {
    List,
    String,
    Bool,
    First,
    /// The contents of the first argument, if the macro does not return from the function.
    Tried,
    Unknown,
}

impl<'s> Walker<'_, 's> {
    /// A macro call among expressions.
    pub(super) fn visit_macro_call(&mut self, node: Node<'_>) -> ExprId {
        self.with_depth_check(self.unknown, |w| w.visit_macro_call_inner(node))
    }

    fn visit_macro_call_inner(&mut self, node: Node<'_>) -> ExprId {
        let Some((call, name)) = self.add_macro_call_site(node) else {
            return self.unknown;
        };
        let name_text = self.b.text(name);
        let Some(tokens) = super::child_of_kind(node, "token_tree") else {
            return self.unknown;
        };
        let args = match name_text {
            "matches" | "assert_matches" => self.visit_matches_arguments(tokens),
            _ => self.visit_macro_arguments(tokens),
        };
        self.b.add_call(call, CallKind::Macro, args.len(), name);
        let value = match macro_result_kind(name_text) {
            MacroResult::List => self.b.add_expr(Expr::List(args.clone().into())),
            MacroResult::String => self.literal(Primitive::String),
            MacroResult::Bool => self.literal(Primitive::Bool),
            MacroResult::Tried => match args.first() {
                Some(first) => self.b.add_expr(Expr::Try(*first)),
                None => self.unknown,
            },
            MacroResult::First => args.first().copied().unwrap_or(self.unknown),
            MacroResult::Unknown => self.b.add_expr(Expr::Expanded(call)),
        };
        if let Expr::Call { args: slot, .. } = &mut self.b.facts_mut().exprs[call.index()] {
            *slot = args.into();
        }
        value
    }

    /// Whether a macro returns the contents of its first argument: `match $e { Ok(v) => v, … }`.
    pub(super) fn unwraps_first_argument(&self, rule: Node<'_>) -> bool {
        let text = |field: &'static str| rule.field(field).map_or("", |n| self.b.text(n));
        let first = text("left")
            .trim_start_matches(['(', '[', '{'])
            .trim_start();
        let Some((first, _)) = first.split_once(':').filter(|(f, _)| f.starts_with('$')) else {
            return false;
        };
        let arm = text("right").split("match ").nth(1).and_then(|m| {
            let of = m.trim_start().strip_prefix(first.trim())?;
            of.trim_start().strip_prefix('{')?.split_once("=>")
        });
        let Some((pattern, value)) = arm else {
            return false;
        };
        let Some((variant, name)) = pattern.trim().trim_end_matches(')').split_once('(') else {
            return false;
        };
        let variant = variant.rsplit("::").next().unwrap_or("").trim();
        let value = value.trim_start().strip_prefix(name.trim());
        matches!(variant, "Ok" | "Some" | "Ready")
            && value.is_some_and(|rest| rest.starts_with(|c: char| c == ',' || c.is_whitespace()))
    }

    /// The call expression of a macro call, and the node of the macro's name.
    pub(super) fn add_macro_call_site<'t>(&mut self, node: Node<'t>) -> Option<(ExprId, Node<'t>)> {
        let path = node.field("macro")?;
        let callee = self.add_path_expr(path);
        let call = self.b.add_expr(Expr::Call {
            callee,
            args: Box::default(),
            type_args: Box::default(),
        });
        Some((call, path.field("name").unwrap_or(path)))
    }

    fn visit_macro_arguments(&mut self, tokens: Node<'_>) -> Vec<ExprId> {
        if tokens.named_child_count() == 0 && tokens.child_count() <= 2 {
            return Vec::new();
        }
        let Some(tree) = self.parse_fragment(tokens.range(), "", ";") else {
            return Vec::new();
        };
        if tree.root_node().has_error() {
            // It is not held while nested contents are parsed.
            drop(tree);
            return self.visit_fragments(tokens);
        }
        let root = tree.root_node();
        let statement = root.named_child(0).and_then(super::first_child);
        match (root.named_child(0), statement) {
            // `{ … }` needs no `;`, and may be parsed without a surrounding statement.
            (Some(block), _) if block.kind_name() == "block" => vec![self.visit_block(block)],
            (_, Some(inner)) if inner.kind_name() == "block" => vec![self.visit_block(inner)],
            (_, Some(inner)) => match inner.kind_name() {
                "tuple_expression"
                | "array_expression"
                | "parenthesized_expression"
                | "unit_expression" => self.arguments(inner, None),
                _ => vec![self.expr(inner)],
            },
            _ => Vec::new(),
        }
    }

    /// `(value, value; "name")` in an attribute: the values for a test.
    pub(super) fn visit_case_values(&mut self, values: Range) {
        let text = self.b.source.get(values.start_byte..values.end_byte);
        // `; "name"` at the end. In `[x; 3]`, the `;` means something else.
        let is_name = |text: &str, at: usize| text[at + 1..].trim_start().starts_with('"');
        let name = text.and_then(|text| {
            let mut signs = text.match_indices(';').map(|(at, _)| at);
            signs.find(|at| is_name(text, *at))
        });
        let tree = match name {
            Some(at) => {
                let end = values.end_byte - values.start_byte - 1;
                let name = values.start_byte + at..values.start_byte + end.max(at);
                self.parse_fragment_blanked(values, name, "", ";")
            }
            None => self.parse_fragment(values, "", ";"),
        };
        let Some(tree) = tree.filter(|tree| !tree.root_node().has_error()) else {
            return;
        };
        let statement = tree.root_node().named_child(0);
        if let Some(inner) = statement.and_then(super::first_child) {
            match inner.kind_name() {
                "tuple_expression" | "parenthesized_expression" => {
                    self.arguments(inner, None);
                }
                _ => {}
            }
        }
    }

    /// `matches!(value, pattern if guard)`.
    fn visit_matches_arguments(&mut self, tokens: Node<'_>) -> Vec<ExprId> {
        let mut cursor = tokens.walk();
        let Some(comma) = tokens
            .children(&mut cursor)
            .find(|c| c.kind_name() == "," && !c.is_named())
        else {
            return self.visit_macro_arguments(tokens);
        };
        let inside = range_inside_delimiters(tokens);
        let first = Range {
            end_byte: comma.start_byte(),
            end_point: comma.start_position(),
            ..inside
        };
        let value = self.visit_fragment(first).unwrap_or(self.unknown);
        let pattern = Range {
            start_byte: comma.end_byte(),
            start_point: comma.end_position(),
            ..inside
        };
        if let Some(tree) = self.parse_fragment(pattern, PREFIX, "=>{}}") {
            self.bind_matches_pattern(tree.root_node(), value);
        }
        vec![value]
    }

    fn bind_matches_pattern(&mut self, root: Node<'_>, value: ExprId) {
        let found = root
            .named_child(0)
            .and_then(super::first_child)
            .filter(|n| n.kind_name() == "match_expression" && !n.has_error())
            .and_then(|n| n.field("body"))
            .and_then(|body| super::child_of_kind(body, "match_arm"));
        if let Some(arm) = found {
            self.match_arm(arm, value);
        }
    }

    /// Reads the expressions among tokens that are not an expression as a whole: the ranges between `,`, `;`, `:` and
    /// `=>`, and inside brackets likewise.
    fn visit_fragments(&mut self, tokens: Node<'_>) -> Vec<ExprId> {
        if !self.b.enter_level() {
            return Vec::new();
        }
        let mut cursor = tokens.walk();
        let children: Vec<Node<'_>> = tokens.children(&mut cursor).collect();
        let out = self.visit_fragments_between(&children, range_inside_delimiters(tokens));
        self.b.leave_level();
        out
    }

    /// The same for some tokens and the range that contains them.
    pub(super) fn visit_fragments_between(
        &mut self,
        tokens: &[Node<'_>],
        inside: Range,
    ) -> Vec<ExprId> {
        let mut out = Vec::new();
        let mut start = (inside.start_byte, inside.start_point);
        let mut nested = Vec::new();
        for child in tokens {
            match child.kind_name() {
                "token_tree" => nested.push(*child),
                "," | ";" | ":" | "=>" => {
                    let end = (child.start_byte(), child.start_position());
                    out.extend(self.visit_fragment_or_nested(make_range(start, end), &nested));
                    start = (child.end_byte(), child.end_position());
                    nested.clear();
                }
                _ => {}
            }
        }
        let end = (inside.end_byte, inside.end_point);
        out.extend(self.visit_fragment_or_nested(make_range(start, end), &nested));
        out
    }

    fn visit_fragment_or_nested(&mut self, piece: Range, nested: &[Node<'_>]) -> Option<ExprId> {
        let value = self.visit_fragment(piece);
        if value.is_none() {
            for tokens in nested {
                self.visit_fragments(*tokens);
            }
        }
        value
    }

    /// Reads a range as one expression, if it is one.
    pub(super) fn visit_fragment(&mut self, piece: Range) -> Option<ExprId> {
        let text = self.b.source.get(piece.start_byte..piece.end_byte)?;
        if text.trim().is_empty() {
            return None;
        }
        let tree = self.parse_fragment(piece, "", ";")?;
        let root = tree.root_node();
        if root.has_error() {
            return None;
        }
        let first = root.named_child(0)?;
        match first.kind_name() {
            "expression_statement" => Some(self.expr(super::first_child(first)?)),
            _ => None,
        }
    }

    /// Parses a range of the file, with `prefix` replacing the bytes before it and `suffix` those after it. Nodes keep
    /// their places in the file.
    pub(super) fn parse_fragment(
        &mut self,
        stretch: Range,
        prefix: &str,
        suffix: &str,
    ) -> Option<Reparsed> {
        self.parse_fragment_with(stretch, (0..0, ""), prefix, suffix)
    }

    /// The same, with some bytes of the range blanked.
    pub(super) fn parse_fragment_blanked(
        &mut self,
        stretch: Range,
        blank: std::ops::Range<usize>,
        prefix: &str,
        suffix: &str,
    ) -> Option<Reparsed> {
        let blanks = " ".repeat(blank.len());
        self.parse_fragment_with(stretch, (blank, &blanks), prefix, suffix)
    }

    /// The same, with some bytes of the range replaced by others of the same length.
    pub(super) fn parse_fragment_replaced(
        &mut self,
        stretch: Range,
        replaced: std::ops::Range<usize>,
        by: &str,
    ) -> Option<Reparsed> {
        self.parse_fragment_with(stretch, (replaced, by), "", "")
    }

    fn parse_fragment_with(
        &mut self,
        stretch: Range,
        replaced: (std::ops::Range<usize>, &str),
        prefix: &str,
        suffix: &str,
    ) -> Option<Reparsed> {
        let before = prefix.len();
        let length = stretch.end_byte - stretch.start_byte;
        if stretch.start_point.column < before || length > MAX_TOKENS || !self.b.enter_level() {
            return None;
        }
        self.b.leave_level();
        let allowed = self.again.held.get().checked_sub(length);
        let Some(allowed) = allowed.filter(|_| self.again.spend(length)) else {
            self.b.facts_mut().too_deep += 1;
            return None;
        };
        let (start, end) = (stretch.start_byte - before, stretch.end_byte);
        let included = Range {
            start_byte: start,
            end_byte: end + suffix.len(),
            start_point: Point {
                column: stretch.start_point.column - before,
                ..stretch.start_point
            },
            end_point: Point {
                column: stretch.end_point.column + suffix.len(),
                ..stretch.end_point
            },
        };
        let source = self.b.source.as_bytes();
        let in_rule = self.in_macro_rule;
        let mut input = |at: usize, _: Point| -> &[u8] {
            if at < start {
                &[]
            } else if at < start + before {
                &prefix.as_bytes()[at - start..]
            } else if replaced.0.contains(&at) {
                &replaced.1.as_bytes()[at - replaced.0.start..]
            } else if at < end {
                let upto = if at < replaced.0.start {
                    replaced.0.start
                } else {
                    end
                };
                match source[at..upto].iter().position(|b| in_rule && *b == b'$') {
                    Some(0) => b"_",
                    Some(next) => &source[at..at + next],
                    None => &source[at..upto],
                }
            } else {
                suffix.as_bytes().get(at - end..).unwrap_or(&[])
            }
        };
        let limits = (&mut self.again.time, self.b.stop_check());
        let tree = PARSER.with_borrow_mut(|slot| {
            if slot.is_none() {
                let mut parser = Parser::new();
                parser.set_language(&super::grammar()).ok()?;
                *slot = Some(parser);
            }
            let parser = slot.as_mut()?;
            parse_range(parser, included, limits, &mut input)
        })?;
        self.again.held.set(allowed);
        Some(Reparsed {
            tree,
            bytes: length,
            held: self.again.held.clone(),
        })
    }
}

fn macro_result_kind(name: &str) -> MacroResult {
    match name {
        "vec" => MacroResult::List,
        "format" | "concat" | "stringify" | "env" | "include_str" | "file" => MacroResult::String,
        "matches" | "cfg" => MacroResult::Bool,
        "dbg" | "pin" => MacroResult::First,
        "ready" | "try" => MacroResult::Tried,
        _ => MacroResult::Unknown,
    }
}

pub(super) fn make_range(start: (usize, Point), end: (usize, Point)) -> Range {
    Range {
        start_byte: start.0,
        end_byte: end.0,
        start_point: start.1,
        end_point: end.1,
    }
}

/// The range inside the delimiters of a token tree.
pub(super) fn range_inside_delimiters(tokens: Node<'_>) -> Range {
    let outer = tokens.range();
    let mut cursor = tokens.walk();
    let mut children = tokens.children(&mut cursor);
    let start = children
        .next()
        .map_or((outer.start_byte, outer.start_point), |c| {
            (c.end_byte(), c.end_position())
        });
    let end = children
        .last()
        .map_or(start, |c| (c.start_byte(), c.start_position()));
    make_range(start, end)
}
