//! `with`: its context binds a name, and may swallow what its body raises.

use super::{Walker, children};
use base::list::{self, WordList};
use rustc_hash::FxHashSet;
use std::sync::LazyLock;
use syntax::facts::*;
use syntax::fields::Fields;
use tree_sitter::Node;

impl<'s> Walker<'_, 's> {
    pub(super) fn with_statement(&mut self, node: Node<'_>) -> bool {
        let mut swallows = false;
        for clause in children(node) {
            if clause.kind_name() != "with_clause" {
                continue;
            }
            for item in children(clause) {
                swallows |= self.with_item(item);
            }
        }
        let Some(body) = node.field("body") else {
            return true;
        };
        let live = if swallows {
            self.visit_swallowed(body)
        } else {
            self.visit_block(body)
        };
        // The end of the context may raise.
        self.current_frame().guarded.may_raise();
        live
    }

    /// Reads one context; returns whether it may swallow what the body raises.
    fn with_item(&mut self, item: Node<'_>) -> bool {
        let Some(value) = item.field("value") else {
            self.walk_children(item);
            return false;
        };
        let items = match value.kind_name() {
            // The grammar reads `with (a as b, c as d)` as a tuple.
            "tuple" => children(value),
            _ => vec![value],
        };
        let mut swallows = false;
        for value in items {
            if value.kind_name() != "as_pattern" {
                self.expr(value);
                swallows |= self.may_swallow(value);
                continue;
            }
            let Some(context) = value.named_child(0) else {
                continue;
            };
            swallows |= self.may_swallow(context);
            let context = self.expr(context);
            let entered = self.b.add_expr(Expr::Enter(context));
            let target = value.field("alias").and_then(|t| t.named_child(0));
            if let Some(target) = target {
                self.bind_pattern(target, entered, value.end_byte() as u32);
            }
        }
        swallows
    }

    /// Reads a body that may end wherever something raises, and behind which control goes on then.
    fn visit_swallowed(&mut self, body: Node<'_>) -> bool {
        let guard = self.current_frame().guarded.enter();
        let mark = self.branch_start();
        let live = self.visit_block(body);
        let whole = self.rollback_branch(mark, live);
        let end = body.end_byte() as u32;
        let guarded = &mut self.current_frame().guarded;
        let bound = guarded.interrupted(guard).to_vec();
        guarded.leave();
        let mark = self.branch_start();
        self.bind_interrupted(&bound, end);
        let interrupted = self.rollback_branch(mark, true);
        self.join_branches(&[whole, interrupted], end);
        true
    }

    /// Whether a context is made by something that is known to swallow errors.
    fn may_swallow(&mut self, context: Node<'_>) -> bool {
        let made = context.field("function").unwrap_or(context);
        let name = match made.kind_name() {
            "identifier" => self.b.text(made),
            "attribute" => made.field("attribute").map_or("", |name| self.b.text(name)),
            _ => return false,
        };
        if SWALLOWING.contains(&name) {
            return true;
        }
        if self.swallowing.is_none() {
            let source = self.b.source;
            let may_be = ["exit__", "contextmanager"]
                .iter()
                .any(|s| source.contains(s));
            let found = may_be.then(|| swallowing_contexts(source, super::loops::root_of(context)));
            self.swallowing = Some(found.unwrap_or_default());
        }
        let own = self.swallowing.as_ref();
        own.is_some_and(|own| own.contains(name))
    }
}

/// What makes contexts that swallow errors, apart from what the file defines.
static SWALLOWING: WordList = LazyLock::new(|| {
    let file = include_str!("../stdlib.txt");
    list::words(list::section(file, "swallow errors")).collect()
});

/// The classes of a file whose `__exit__` returns something, and the functions that handle errors around their `yield`.
fn swallowing_contexts<'s>(source: &'s str, root: Node<'_>) -> FxHashSet<&'s str> {
    let mut found = FxHashSet::default();
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        if node.kind_name() == "function_definition"
            && let Some(name) = swallowing_context(source, node)
        {
            found.insert(name);
        }
        let goes_in = cursor.goto_first_child();
        while !goes_in && !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}

/// The name of the context that a function makes one which may swallow errors.
fn swallowing_context<'s>(source: &'s str, function: Node<'_>) -> Option<&'s str> {
    let text = |node: Node<'_>| source.get(node.byte_range());
    let name = function.field("name")?;
    let around = function.parent()?;
    if matches!(text(name)?, "__exit__" | "__aexit__") {
        let class = around
            .parent()
            .filter(|c| c.kind_name() == "class_definition")?;
        return has_inside(function, &returns_something).then_some(text(class.field("name")?)?);
    }
    let is_made = |decorator: &Node<'_>| {
        decorator.kind_name() == "decorator"
            && text(*decorator).is_some_and(|text| text.ends_with("contextmanager"))
    };
    let is_context =
        around.kind_name() == "decorated_definition" && children(around).iter().any(is_made);
    (is_context && has_inside(function, &handles_around_yield)).then_some(text(name)?)
}

fn returns_something(node: Node<'_>) -> bool {
    let value = node.named_child(0);
    let is_nothing = |value: Node<'_>| matches!(value.kind_name(), "false" | "none");
    node.kind_name() == "return_statement" && value.is_some_and(|value| !is_nothing(value))
}

fn handles_around_yield(node: Node<'_>) -> bool {
    let handles = |part: &Node<'_>| part.kind_name() == "except_clause";
    node.kind_name() == "try_statement"
        && children(node).iter().any(handles)
        && node
            .field("body")
            .is_some_and(|body| has_inside(body, &|inner| inner.kind_name() == "yield"))
}

/// Whether a node has another inside it, those of inner functions left out.
fn has_inside(node: Node<'_>, is_meant: &dyn Fn(Node<'_>) -> bool) -> bool {
    let mut open = children(node);
    while let Some(node) = open.pop() {
        if is_meant(node) {
            return true;
        }
        if !matches!(node.kind_name(), "function_definition" | "lambda") {
            open.extend(children(node));
        }
    }
    false
}
