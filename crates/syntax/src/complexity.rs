//! Cyclomatic and cognitive complexity of a function, from tables of node kinds.

use crate::facts::Complexity;
use crate::fields::Fields;
use base::Language;
use std::cell::RefCell;
use std::rc::Rc;
use tree_sitter::Node;

/// The node kinds of a grammar that count for complexity, and how.
pub struct Rules {
    /// Decisions that nest (`if`, loops, `catch`, `match`, `switch`, conditional expressions): +1
    /// cyclomatic (except those in `no_path`), +1 and their nesting cognitive.
    pub nesting: &'static [&'static str],
    /// Node kinds of `nesting` that open no path of their own because their arms do (`switch`, `match`, `try`).
    pub no_path: &'static [&'static str],
    /// Arms: +1 cyclomatic each, nothing cognitive (`case`, match arms).
    pub arms: &'static [&'static str],
    /// `else if`, `elif`, `else`: +1 cognitive without nesting. Those in `else_paths` also +1 cyclomatic.
    pub elses: &'static [&'static str],
    /// Node kinds of `elses` with a condition of their own (`elif`).
    pub else_paths: &'static [&'static str],
    /// Binary expressions whose operator may be logical, with the logical operators' text.
    pub logical: (&'static [&'static str], &'static [&'static str]),
    /// Jumps to labels and the like: +1 cognitive.
    pub jumps: &'static [&'static str],
    /// Nested functions: count inside, one level deeper.
    pub functions: &'static [&'static str],
    /// Keywords: each node that counts contains one of them, except those of `functions`.
    pub words: &'static [&'static str],
    /// Other symbols: a node may contain one of them instead of a keyword.
    pub signs: &'static [&'static str],
}

/// A byte of a word.
const WORD: u8 = 1;
/// The first byte of one of the keywords or symbols.
const FIRST: u8 = 2;

/// Positions of the rules' keywords and symbols in a source, in order. Code without any of them need not be walked;
/// that is most of a body.
pub fn find_marks(source: &str, rules: &Rules) -> Vec<u32> {
    let bytes = source.as_bytes();
    let longest = rules.words.iter().map(|w| w.len()).max().unwrap_or(0);
    let mut table = [0u8; 256];
    for byte in (0..=255u8).filter(|b| b.is_ascii_alphanumeric() || *b == b'_') {
        table[usize::from(byte)] = WORD;
    }
    for text in rules.words.iter().chain(rules.signs) {
        table[usize::from(text.as_bytes()[0])] |= FIRST;
    }
    let class = |at: usize| table[usize::from(bytes[at])];
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let (start, first) = (at, class(at));
        at += 1;
        let is_mark = if first & WORD == 0 {
            let is_sign = |s: &&str| bytes[start..].starts_with(s.as_bytes());
            first != 0 && rules.signs.iter().any(is_sign)
        } else {
            while at < bytes.len() && class(at) & WORD != 0 {
                at += 1;
            }
            let word = &bytes[start..at];
            if word[0].is_ascii_digit() {
                // A number may be followed by a keyword without a blank (`0if`).
                word.iter().any(u8::is_ascii_alphabetic)
            } else {
                let is_short = first & FIRST != 0 && word.len() <= longest;
                is_short && rules.words.iter().any(|w| w.as_bytes() == word)
            }
        };
        if is_mark {
            found.push(start as u32);
        }
    }
    found
}

const NESTING: u8 = 1;
const NO_PATH: u8 = 2;
const ARM: u8 = 4;
const ELSE: u8 = 8;
const ELSE_PATH: u8 = 16;
const LOGICAL: u8 = 32;
const JUMP: u8 = 64;
const FUNCTION: u8 = 128;

/// The rules as a table over the numbers of a grammar's node kinds, because every node of every function is looked up.
pub struct Table {
    rules: &'static Rules,
    classes: Vec<u8>,
}

impl Table {
    /// The table of a grammar.
    pub fn new(rules: &'static Rules, grammar: &tree_sitter::Language) -> Table {
        let sets = [
            (rules.nesting, NESTING),
            (rules.no_path, NO_PATH),
            (rules.arms, ARM),
            (rules.elses, ELSE),
            (rules.else_paths, ELSE_PATH),
            (rules.logical.0, LOGICAL),
            (rules.jumps, JUMP),
            (rules.functions, FUNCTION),
        ];
        let class = |id: u16| {
            let kind = grammar.node_kind_for_id(id).unwrap_or_default();
            let of = |(kinds, bit): &(&[&str], u8)| if kinds.contains(&kind) { *bit } else { 0 };
            if grammar.node_kind_is_named(id) {
                sets.iter().map(of).fold(0, |all, bit| all | bit)
            } else {
                0
            }
        };
        let count = u16::try_from(grammar.node_kind_count()).unwrap_or(u16::MAX);
        Table {
            rules,
            classes: (0..count).map(class).collect(),
        }
    }

    fn class_of(&self, node: Node<'_>) -> u8 {
        let id = usize::from(node.kind_id());
        self.classes.get(id).copied().unwrap_or_default()
    }
}

thread_local! {
    static TABLES: RefCell<Vec<(Language, Rc<Table>)>> = const { RefCell::new(Vec::new()) };
}

/// This thread's table of a language.
pub fn table_for(
    language: Language,
    rules: &'static Rules,
    grammar: &tree_sitter::Language,
) -> Rc<Table> {
    TABLES.with_borrow_mut(|tables| {
        if let Some((_, table)) = tables.iter().find(|(l, _)| *l == language) {
            return table.clone();
        }
        let table = Rc::new(Table::new(rules, grammar));
        tables.push((language, table.clone()));
        table
    })
}

/// Functions nested deeper than this are left out. Each function is measured on its own, and measuring all functions
/// nested in each would cost the square of the depth.
const MAX_NESTED_FUNCTIONS: usize = 8;

/// An ancestor of the current node.
struct OpenAncestor<'t> {
    node: Node<'t>,
    /// Levels that it adds to the nesting of its contents.
    added: u32,
    is_function: bool,
}

/// Measures a body; also returns the number of nodes visited. It walks with a cursor, so depth costs no stack, and
/// keeps the ancestors, because asking the tree for a parent costs the depth. `marks` are those of the source, see
/// [`find_marks`].
pub fn measure(body: Node<'_>, table: &Table, source: &str, marks: &[u32]) -> (Complexity, u64) {
    let mut visited = 0;
    let mut counter = Counter {
        table,
        source,
        cyclomatic: 1,
        cognitive: 0,
        deepest: 0,
    };
    let mut marks = Marks::from(marks, body.start_byte());
    let mut cursor = body.walk();
    let mut open: Vec<OpenAncestor<'_>> = Vec::new();
    let mut nesting = 0u32;
    let mut functions = 0;
    loop {
        visited += 1;
        let node = cursor.node();
        if marks.has_mark_in(&node) {
            let parent = open.last().map(|o| o.node);
            let class = table.class_of(node);
            let added = match class {
                0 => 0,
                class => counter.count_node(node, class, parent, nesting),
            };
            let is_function = class & FUNCTION != 0;
            let descend = !is_function || functions < MAX_NESTED_FUNCTIONS;
            if descend && cursor.goto_first_child() {
                nesting += added;
                functions += usize::from(is_function);
                open.push(OpenAncestor {
                    node,
                    added,
                    is_function,
                });
                continue;
            }
        }
        marks.skip_node(&node);
        loop {
            let Some(parent) = open.last() else {
                return (counter.finish(), visited);
            };
            if marks.has_mark_in(&parent.node) && cursor.goto_next_sibling() {
                break;
            }
            cursor.goto_parent();
            if let Some(closed) = open.pop() {
                marks.skip_node(&closed.node);
                nesting -= closed.added;
                functions -= usize::from(closed.is_function);
            }
        }
    }
}

/// The marks ahead of the current position.
struct Marks<'m>(&'m [u32]);

impl<'m> Marks<'m> {
    fn from(all: &'m [u32], start: usize) -> Marks<'m> {
        Marks(&all[all.partition_point(|mark| (*mark as usize) < start)..])
    }

    /// Whether the rest of a node has a mark; the walk is at its start or inside. A damaged node always counts as
    /// having one.
    fn has_mark_in(&mut self, node: &Node<'_>) -> bool {
        self.skip_to(node.start_byte());
        let next = self.0.first().map(|mark| *mark as usize);
        next.is_some_and(|mark| mark < node.end_byte()) || node.has_error()
    }

    /// Skips all marks in a node.
    fn skip_node(&mut self, node: &Node<'_>) {
        self.skip_to(node.end_byte());
    }

    fn skip_to(&mut self, to: usize) {
        while self.0.first().is_some_and(|mark| (*mark as usize) < to) {
            self.0 = &self.0[1..];
        }
    }
}

struct Counter<'a> {
    table: &'a Table,
    source: &'a str,
    cyclomatic: u32,
    cognitive: u32,
    deepest: u32,
}

impl Counter<'_> {
    /// Counts one node of a class; returns the levels that it adds to the nesting of its children.
    fn count_node(
        &mut self,
        node: Node<'_>,
        class: u8,
        parent: Option<Node<'_>>,
        nesting: u32,
    ) -> u32 {
        let table = self.table;
        if class & NESTING != 0 {
            // `else if` written as an `if` inside the else branch does not nest further.
            let chained = parent.is_some_and(|p| {
                table.class_of(p) & ELSE != 0
                    || (p.kind_id() == node.kind_id() && p.field("alternative") == Some(node))
            });
            if class & NO_PATH == 0 {
                self.cyclomatic += 1;
            }
            self.cognitive += if chained { 0 } else { 1 + nesting };
            // An `else` without a node of its own in the grammar (Go, Java).
            let bare_else = node.kind_name() == "if_statement"
                && node
                    .field("alternative")
                    .is_some_and(|a| table.class_of(a) & ELSE == 0);
            self.cognitive += u32::from(bare_else);
            let added = u32::from(!chained);
            self.deepest = self.deepest.max(nesting + added);
            return added;
        }
        if class & ARM != 0 {
            let is_default = node.child(0).is_some_and(|c| c.kind_name() == "default");
            self.cyclomatic += u32::from(!is_default);
        } else if class & ELSE != 0 {
            self.cognitive += 1;
            self.cyclomatic += u32::from(class & ELSE_PATH != 0);
        } else if class & LOGICAL != 0 {
            self.count_logical_operator(node, parent);
        } else if class & JUMP != 0 {
            self.cognitive += 1;
        } else if class & FUNCTION != 0 {
            return 1;
        }
        0
    }

    fn count_logical_operator(&mut self, node: Node<'_>, parent: Option<Node<'_>>) {
        let Some(operator) = self.logical_operator(node) else {
            return;
        };
        self.cyclomatic += 1;
        // A run of one operator counts once.
        let continued = parent.is_some_and(|p| {
            self.table.class_of(p) & LOGICAL != 0 && self.logical_operator(p) == Some(operator)
        });
        self.cognitive += u32::from(!continued);
    }

    fn logical_operator(&self, node: Node<'_>) -> Option<&'static str> {
        let operator = node.field("operator")?;
        let text = self.source.get(operator.byte_range())?;
        self.table
            .rules
            .logical
            .1
            .iter()
            .copied()
            .find(|o| *o == text)
    }

    fn finish(self) -> Complexity {
        let cut = |n: u32| n.min(u32::from(u16::MAX)) as u16;
        Complexity {
            cyclomatic: cut(self.cyclomatic),
            cognitive: cut(self.cognitive),
            nesting: cut(self.deepest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Rules = Rules {
        nesting: &[],
        no_path: &[],
        arms: &[],
        elses: &[],
        else_paths: &[],
        logical: (&[], &[]),
        jumps: &[],
        functions: &[],
        words: &["if", "else", "or"],
        signs: &["&&", "?"],
    };

    #[test]
    fn marks_are_whole_words_and_signs() {
        let found = |source: &str| -> Vec<String> {
            let at = find_marks(source, &RULES);
            at.iter()
                .map(|at| source[*at as usize..].chars().take(2).collect())
                .collect()
        };
        assert_eq!(found("if(a) b else c"), ["if", "el"]);
        assert_eq!(found("iffy _if elsewhere a & b 12 x1"), [""; 0]);
        assert_eq!(found("a&&b ? c : d or e"), ["&&", "? ", "or"]);
        assert_eq!(found("1 if x else 0if y"), ["if", "el", "0i"]);
        assert_eq!(found("äif x"), ["if"]);
    }
}
