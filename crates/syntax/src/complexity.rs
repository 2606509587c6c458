//! Cyclomatic and cognitive complexity of a function, from tables of node kinds.

use crate::facts::Complexity;
use tree_sitter::Node;

/// Which node kinds of a grammar count, and how.
pub struct Rules {
    /// Decisions that nest (`if`, loops, `catch`, `match`, `switch`, conditional expressions): +1
    /// cyclomatic (except those in `no_path`), +1 and their nesting cognitive.
    pub nesting: &'static [&'static str],
    /// Of `nesting`, those that open no path of their own because their arms do (`switch`, `match`, `try`).
    pub no_path: &'static [&'static str],
    /// Arms: +1 cyclomatic each, nothing cognitive (`case`, match arms).
    pub arms: &'static [&'static str],
    /// `else if`, `elif`, `else`: +1 cognitive without nesting. Those in `else_paths` +1 cyclomatic too.
    pub elses: &'static [&'static str],
    /// Of `elses`, those with a condition of their own (`elif`).
    pub else_paths: &'static [&'static str],
    /// Binary expressions whose operator may be logical, with the logical operators' text.
    pub logical: (&'static [&'static str], &'static [&'static str]),
    /// Jumps to labels and the like: +1 cognitive.
    pub jumps: &'static [&'static str],
    /// Nested functions: count inside, one level deeper.
    pub functions: &'static [&'static str],
}

/// Functions nested deeper than this are left out: each function is measured on its own, and
/// measuring all that nests in each would cost the square of the depth.
const MAX_NESTED_FUNCTIONS: usize = 8;

/// An ancestor of the node at hand.
struct Open<'t> {
    node: Node<'t>,
    /// What it adds to the nesting of what it contains.
    added: u32,
    is_function: bool,
}

/// Measures a body. Walks with a cursor, so that depth costs no stack, and keeps the ancestors,
/// because asking the tree for a parent costs the depth.
pub fn measure(body: Node<'_>, rules: &Rules, source: &str) -> Complexity {
    let mut counter = Counter {
        rules,
        source,
        cyclomatic: 1,
        cognitive: 0,
        deepest: 0,
    };
    let mut cursor = body.walk();
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut nesting = 0u32;
    let mut functions = 0;
    loop {
        let node = cursor.node();
        let parent = open.last().map(|o| o.node);
        let added = counter.visit(node, parent, nesting);
        let is_function = node.is_named() && rules.functions.contains(&node.kind());
        let descend = !is_function || functions < MAX_NESTED_FUNCTIONS;
        if descend && cursor.goto_first_child() {
            nesting += added;
            functions += usize::from(is_function);
            open.push(Open {
                node,
                added,
                is_function,
            });
            continue;
        }
        loop {
            if open.is_empty() {
                return counter.done();
            }
            if cursor.goto_next_sibling() {
                break;
            }
            cursor.goto_parent();
            if let Some(closed) = open.pop() {
                nesting -= closed.added;
                functions -= usize::from(closed.is_function);
            }
        }
    }
}

struct Counter<'a> {
    rules: &'a Rules,
    source: &'a str,
    cyclomatic: u32,
    cognitive: u32,
    deepest: u32,
}

impl Counter<'_> {
    /// Counts one node; gives what it adds to the nesting of its children.
    fn visit(&mut self, node: Node<'_>, parent: Option<Node<'_>>, nesting: u32) -> u32 {
        let kind = node.kind();
        let rules = self.rules;
        if !node.is_named() {
            return 0;
        }
        if rules.nesting.contains(&kind) {
            // `else if` written as an `if` inside the else branch does not nest further.
            let chained = parent.is_some_and(|p| {
                rules.elses.contains(&p.kind())
                    || (p.kind() == kind && p.child_by_field_name("alternative") == Some(node))
            });
            if !rules.no_path.contains(&kind) {
                self.cyclomatic += 1;
            }
            self.cognitive += if chained { 0 } else { 1 + nesting };
            // An `else` without a node of its own in the grammar (Go, Java).
            let bare_else = kind == "if_statement"
                && node
                    .child_by_field_name("alternative")
                    .is_some_and(|a| !rules.elses.contains(&a.kind()));
            self.cognitive += u32::from(bare_else);
            let added = u32::from(!chained);
            self.deepest = self.deepest.max(nesting + added);
            return added;
        }
        if rules.arms.contains(&kind) {
            let is_default = node.child(0).is_some_and(|c| c.kind() == "default");
            self.cyclomatic += u32::from(!is_default);
        } else if rules.elses.contains(&kind) {
            self.cognitive += 1;
            self.cyclomatic += u32::from(rules.else_paths.contains(&kind));
        } else if rules.logical.0.contains(&kind) {
            self.logical(node, parent);
        } else if rules.jumps.contains(&kind) {
            self.cognitive += 1;
        } else if rules.functions.contains(&kind) {
            return 1;
        }
        0
    }

    fn logical(&mut self, node: Node<'_>, parent: Option<Node<'_>>) {
        let Some(operator) = self.operator(node) else {
            return;
        };
        self.cyclomatic += 1;
        // A run of one operator counts once.
        let continued = parent.is_some_and(|p| {
            self.rules.logical.0.contains(&p.kind()) && self.operator(p) == Some(operator)
        });
        self.cognitive += u32::from(!continued);
    }

    fn operator(&self, node: Node<'_>) -> Option<&'static str> {
        let operator = node.child_by_field_name("operator")?;
        let text = self.source.get(operator.byte_range())?;
        self.rules.logical.1.iter().copied().find(|o| *o == text)
    }

    fn done(self) -> Complexity {
        let cut = |n: u32| n.min(u32::from(u16::MAX)) as u16;
        Complexity {
            cyclomatic: cut(self.cyclomatic),
            cognitive: cut(self.cognitive),
            nesting: cut(self.deepest),
        }
    }
}
