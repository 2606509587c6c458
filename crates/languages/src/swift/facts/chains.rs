//! Chains of members, calls and subscripts: `a.b(c)?.d[e]`.
//!
//! The grammar hangs what follows an operand on the whole operation: `a + b.c()` is a call of `a + b.c`. So a chain is
//! taken apart first, and its links are put on the last operand.

use super::operators::is_binary;
use super::types::is_type;
use super::{Expected, SUBSCRIPT, Walker, named_children};
use syntax::facts::*;
use syntax::fields::{Fields, child_of_kind};
use tree_sitter::Node;

/// A link of a chain.
#[derive(Clone, Copy)]
pub(super) enum Link<'t> {
    /// `.name`
    Member(Node<'t>),
    /// `(…)`, `[…]` or a trailing closure.
    Suffix(Node<'t>),
    /// `?`
    Optional,
    /// `!`
    Forced,
}

/// The expression at the beginning of a chain.
#[derive(Clone, Copy)]
pub(super) struct Start<'t> {
    pub(super) expr: ExprId,
    /// The node of its name, for calls of it.
    pub(super) name: Node<'t>,
    /// Whether it is a plain name, whose mention is not recorded yet.
    pub(super) is_open: bool,
}

/// Whether a node continues a chain.
fn is_link(kind: &str) -> bool {
    matches!(
        kind,
        "call_expression" | "navigation_expression" | "postfix_expression"
    )
}

/// Takes a chain apart: its first operand, and the links in order.
pub(super) fn take_apart<'t>(node: Node<'t>) -> (Node<'t>, Vec<Link<'t>>) {
    let mut links = Vec::new();
    let mut at = node;
    while is_link(at.kind_name()) {
        let mut cursor = at.walk();
        let has_mark = at.children(&mut cursor).any(|c| c.kind_name() == "?");
        let inner = match at.kind_name() {
            "navigation_expression" => {
                let name = at.field("suffix").and_then(|s| s.field("suffix"));
                let Some(name) = name else { break };
                links.push(Link::Member(name));
                at.field("target")
            }
            "call_expression" => {
                let Some(suffix) = child_of_kind(at, "call_suffix") else {
                    break;
                };
                links.push(Link::Suffix(suffix));
                named_children(at).into_iter().find(|c| *c != suffix)
            }
            _ => {
                let is_forced = child_of_kind(at, "bang").is_some();
                if !is_forced && !has_mark {
                    break;
                }
                if is_forced {
                    links.push(Link::Forced);
                }
                at.field("target")
            }
        };
        if has_mark {
            links.push(Link::Optional);
        }
        match inner {
            Some(inner) => at = inner,
            None => break,
        }
    }
    links.reverse();
    (at, links)
}

impl<'s> Walker<'_, 's> {
    /// A chain, or any operand of one.
    pub(super) fn chain(&mut self, node: Node<'_>, expected: Expected) -> ExprId {
        let (base, links) = take_apart(node);
        self.chain_on(base, &links, expected, None)
    }

    /// Reads the first operand of a chain and applies its links. `implied` is the object of a first `.name`.
    pub(super) fn chain_on(
        &mut self,
        base: Node<'_>,
        links: &[Link<'_>],
        expected: Expected,
        implied: Option<ExprId>,
    ) -> ExprId {
        if !self.b.enter_level() {
            return self.b.add_expr(Expr::Unknown);
        }
        let expr = self.chain_on_inner(base, links, expected, implied);
        self.b.leave_level();
        expr
    }

    fn chain_on_inner(
        &mut self,
        base: Node<'_>,
        links: &[Link<'_>],
        expected: Expected,
        implied: Option<ExprId>,
    ) -> ExprId {
        if is_link(base.kind_name()) {
            let (inner, mut before) = take_apart(base);
            if is_link(inner.kind_name()) {
                // A postfix operator.
                for child in named_children(inner) {
                    self.expr(child);
                }
                return self.b.add_expr(Expr::Unknown);
            }
            before.extend_from_slice(links);
            return self.chain_on(inner, &before, expected, implied);
        }
        if is_binary(base.kind_name()) {
            return self.operation(base, links, expected);
        }
        match base.kind_name() {
            "prefix_expression" => self.prefix(base, links, expected, implied),
            "try_expression" | "await_expression" | "unsafe_expression" | "consume_expression" => {
                let inner = base.field("expr").or_else(|| named_children(base).pop());
                let Some(inner) = inner else {
                    return self.b.add_expr(Expr::Unknown);
                };
                let mark = child_of_kind(base, "try_operator");
                let is_optional = mark.is_some_and(|mark| self.b.text(mark) == "try?");
                let is_awaited = self.is_awaited;
                self.is_awaited |= base.kind_name() == "await_expression";
                let value = self.chain_on(inner, links, expected, implied);
                self.is_awaited = is_awaited;
                if is_optional {
                    return self.b.add_expr(Expr::Enter(value));
                }
                value
            }
            "ternary_expression" => self.ternary(base, links, expected),
            "as_expression" if links.is_empty() => self.cast(base, expected),
            "check_expression" if links.is_empty() => self.check(base),
            "key_path_expression" => self.key_path(base, links),
            _ => {
                let start = self.start(base, links, expected);
                self.apply(start, links)
            }
        }
    }

    /// The first operand of a chain.
    fn start<'t>(&mut self, node: Node<'t>, links: &[Link<'_>], expected: Expected) -> Start<'t> {
        let is_made = matches!(links.first(), Some(Link::Suffix(_)));
        let expected = if links.is_empty() {
            expected
        } else {
            Expected::Nothing
        };
        let closed = |expr| Start {
            expr,
            name: node,
            is_open: false,
        };
        match node.kind_name() {
            "simple_identifier" => Start {
                expr: self.name(node),
                name: node,
                is_open: true,
            },
            "array_literal" | "dictionary_literal" if is_made || is_meta(links, self.b.source) => {
                match self.type_from_expr(node) {
                    Some(ty) => closed(self.b.add_expr(Expr::Type(ty))),
                    None => closed(self.operand(node, expected)),
                }
            }
            kind if is_type(kind) => {
                let ty = self.ty(node);
                closed(self.b.add_expr(Expr::Type(ty)))
            }
            "constructor_expression" => {
                let Some(written) = node.field("constructed_type") else {
                    return closed(self.operand(node, expected));
                };
                let ty = self.ty(written);
                let callee = self.b.add_expr(Expr::Type(ty));
                let at = last_name(written);
                match child_of_kind(node, "constructor_suffix") {
                    Some(suffix) => closed(self.call(callee, at, &[suffix])),
                    None => closed(callee),
                }
            }
            _ => closed(self.operand(node, expected)),
        }
    }

    /// A name as a value. The parameters of a closure may be numbers.
    pub(super) fn name(&mut self, node: Node<'_>) -> ExprId {
        let text = self.b.text(node).trim_matches('`');
        if let Some(number) = text.strip_prefix('$').and_then(|n| n.parse::<u32>().ok()) {
            self.count_numbered(number);
        }
        let name = self.b.intern_name(text);
        let scope = self.b.current_scope();
        self.b.add_expr(Expr::Name {
            name,
            scope,
            at: node.start_byte() as u32,
        })
    }

    /// Applies the links of a chain.
    pub(super) fn apply(&mut self, start: Start<'_>, links: &[Link<'_>]) -> ExprId {
        let mut expr = start.expr;
        let mut name = start.name;
        let mut is_open = start.is_open;
        let mut is_optional = false;
        let mut at = 0;
        while let Some(link) = links.get(at) {
            at += 1;
            match link {
                Link::Member(node) => {
                    if is_open {
                        self.b.add_reference(RefTarget::Expr(expr), name);
                    }
                    let text = self.b.text(*node).trim_matches('`');
                    if text == "self" {
                        is_open = false;
                        continue;
                    }
                    let member = self.b.intern_name(text);
                    expr = self.b.add_expr(Expr::Member {
                        object: expr,
                        name: member,
                    });
                    (name, is_open) = (*node, true);
                }
                Link::Suffix(suffix) => {
                    let mut suffixes = vec![*suffix];
                    // The grammar reads `f(a) { … }` as a call of `f(a)`.
                    while let Some(Link::Suffix(next)) = links.get(at)
                        && child_of_kind(*next, "value_arguments").is_none()
                    {
                        suffixes.push(*next);
                        at += 1;
                    }
                    if self.is_subscript(*suffix) {
                        if is_open {
                            self.b.add_reference(RefTarget::Expr(expr), name);
                        }
                        expr = self.subscript(expr, *suffix);
                    } else if self.is_reference(*suffix) {
                        self.b.add_reference(RefTarget::Expr(expr), name);
                    } else {
                        let mut rest = links[at..].iter();
                        let is_last =
                            rest.all(|link| matches!(link, Link::Optional | Link::Forced));
                        let callee = self.awaited_callee(expr, is_last);
                        expr = self.call(callee, name, &suffixes);
                    }
                    is_open = false;
                }
                Link::Optional | Link::Forced => {
                    if is_open {
                        self.b.add_reference(RefTarget::Expr(expr), name);
                    }
                    is_open = false;
                    is_optional |= matches!(link, Link::Optional);
                    expr = self.b.add_expr(Expr::Try(expr));
                }
            }
        }
        if is_open {
            self.b.add_reference(RefTarget::Expr(expr), name);
        }
        if is_optional {
            expr = self.b.add_expr(Expr::Enter(expr));
        }
        expr
    }

    /// The callee of a call, marked if it is awaited.
    fn awaited_callee(&mut self, callee: ExprId, is_last: bool) -> ExprId {
        if !self.is_awaited {
            return callee;
        }
        let callee = self.b.add_expr(Expr::Borrowed(callee));
        if is_last {
            return self.b.add_expr(Expr::Borrowed(callee));
        }
        callee
    }

    fn is_subscript(&self, suffix: Node<'_>) -> bool {
        let list = child_of_kind(suffix, "value_arguments");
        list.is_some_and(|list| self.b.text(list).starts_with('['))
    }

    /// Whether an argument list only names the labels of a function: `f(_:to:)`.
    fn is_reference(&self, suffix: Node<'_>) -> bool {
        let Some(list) = child_of_kind(suffix, "value_arguments") else {
            return false;
        };
        let arguments = named_children(list);
        let is_label = |argument: &Node<'_>| argument.field("reference_specifier").is_some();
        !arguments.is_empty() && arguments.iter().all(is_label)
    }

    /// `object[…]`. It is a call where a type of the repository has the subscript.
    fn subscript(&mut self, object: ExprId, suffix: Node<'_>) -> ExprId {
        let name = self.b.intern_name(SUBSCRIPT);
        let callee = self.b.add_expr(Expr::Member { object, name });
        self.call_of_kind(callee, suffix, &[suffix], CallKind::Operator)
    }

    /// `-a`, `&a`, `.a`.
    fn prefix(
        &mut self,
        node: Node<'_>,
        links: &[Link<'_>],
        expected: Expected,
        implied: Option<ExprId>,
    ) -> ExprId {
        let (Some(operation), Some(target)) = (node.field("operation"), node.field("target"))
        else {
            return self.unknown(node);
        };
        match self.b.text(operation) {
            "." => {
                let object = match implied {
                    Some(object) => object,
                    None => self.implied_object(expected),
                };
                // The target may be a chain of its own.
                let (first, mut all) = take_apart(target);
                all.extend_from_slice(links);
                if first.kind_name() != "simple_identifier" {
                    return self.chain_on(first, &all, Expected::Nothing, None);
                }
                let text = self.b.text(first).trim_matches('`');
                let name = self.b.intern_name(text);
                let member = self.b.add_expr(Expr::Member { object, name });
                let start = Start {
                    expr: member,
                    name: first,
                    is_open: true,
                };
                self.apply(start, &all)
            }
            "&" => {
                let value = self.chain_on(target, links, expected, None);
                self.write_to(value, target);
                value
            }
            text @ ("!" | "-" | "+" | "~" | "..<" | "...") => {
                let inner = self.chain_on(target, links, Expected::Nothing, None);
                let value = self.prefix_call(text, inner, operation);
                match text {
                    "!" => self.b.add_expr(Expr::Literal(Primitive::Bool)),
                    _ => value,
                }
            }
            text => {
                let inner = self.chain_on(target, links, Expected::Nothing, None);
                self.prefix_call(text, inner, operation)
            }
        }
    }

    fn prefix_call(&mut self, text: &str, inner: ExprId, at: Node<'_>) -> ExprId {
        let name = self.b.intern_owned_name(text);
        let scope = self.b.current_scope();
        let callee = self.b.add_expr(Expr::Name {
            name,
            scope,
            at: at.start_byte() as u32,
        });
        let call = self.b.add_expr(Expr::Call {
            callee,
            args: [inner].into(),
            type_args: Box::default(),
        });
        self.b.add_call(call, CallKind::Operator, 1, at);
        call
    }

    /// The type before the dot of `.name`.
    pub(super) fn implied_object(&mut self, expected: Expected) -> ExprId {
        match self.expected_type(expected) {
            Some(ty) => self.b.add_expr(Expr::Type(ty)),
            None => self.b.add_expr(Expr::Unknown),
        }
    }
}

/// Whether a chain begins with `.self`, so that what precedes it is a type.
fn is_meta(links: &[Link<'_>], source: &str) -> bool {
    matches!(links.first(), Some(Link::Member(name)) if source.get(name.byte_range()) == Some("self"))
}

/// The last name of a written type.
pub(super) fn last_name(node: Node<'_>) -> Node<'_> {
    let mut names = named_children(node);
    names.retain(|c| c.kind_name() == "type_identifier");
    names.pop().unwrap_or(node)
}
