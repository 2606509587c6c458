//! Matches of patterns in a tree.

use super::pattern::{Item, Pattern, Predicate, Query, Repeat, Shape, Test};
use std::cell::Cell;
use std::num::NonZeroU16;
use tree_sitter::{Node, TreeCursor};

/// Most steps for one pattern at one node: a pattern of several children may match in many ways.
const MOST_STEPS: u64 = 100_000;
/// Most steps for a tree: a base, and a number for every byte of the source. Real files take up to 20.
const STEPS: (u64, u64) = (1_000_000, 200);
/// The check whether the matches are still wanted is asked after this many nodes.
const CHECKED: u64 = 4_096;

/// A child of a node, with its field.
#[derive(Clone, Copy)]
struct Child<'t> {
    node: Node<'t>,
    field: Option<NonZeroU16>,
}

/// Captures of a match: each by its number, with its node.
pub(super) type Captures<'t> = Vec<(usize, Node<'t>)>;

/// Calls `found` with each match of each pattern: its number, and its captures. Returns the number of steps.
pub(super) fn find<'t>(
    query: &Query,
    (root, source): (Node<'t>, &str),
    stop: &dyn Fn() -> bool,
    found: &mut dyn FnMut(usize, &Captures<'t>),
) -> u64 {
    let by_kind = patterns_by_kind(query);
    let matcher = Matcher {
        source,
        left: Cell::new(0),
    };
    let most = STEPS.0 + STEPS.1 * source.len() as u64;
    let mut steps = 0;
    let mut nodes = 0u64;
    let mut cursor = root.walk();
    loop {
        let node = cursor.node();
        nodes += 1;
        for (pattern, number) in by_kind.patterns_for(node) {
            steps += matcher.match_at(pattern, node, &mut |captures| found(number, captures));
        }
        let is_over = steps + nodes > most || nodes.is_multiple_of(CHECKED) && stop();
        if is_over || !advance(&mut cursor) {
            return steps + nodes;
        }
    }
}

/// Goes to the next node of a tree, with all of its contents; false after the last.
fn advance(cursor: &mut TreeCursor<'_>) -> bool {
    if cursor.goto_first_child() {
        return true;
    }
    while !cursor.goto_next_sibling() {
        if !cursor.goto_parent() {
            return false;
        }
    }
    true
}

/// Patterns by the kinds of the nodes that they begin with.
struct ByKind<'q> {
    query: &'q Query,
    numbers: Vec<Vec<usize>>,
}

fn patterns_by_kind(query: &Query) -> ByKind<'_> {
    let mut numbers: Vec<Vec<usize>> = Vec::new();
    for (number, pattern) in query.patterns.iter().enumerate() {
        for kind in kinds(&pattern.root) {
            let kind = usize::from(kind);
            if numbers.len() <= kind {
                numbers.resize_with(kind + 1, Vec::new);
            }
            numbers[kind].push(number);
        }
    }
    ByKind { query, numbers }
}

fn kinds(item: &Item) -> Vec<u16> {
    match &item.shape {
        Shape::Node { kind, .. } => kind.iter().copied().collect(),
        Shape::OneOf(items) => items.iter().flat_map(kinds).collect(),
    }
}

impl<'q> ByKind<'q> {
    fn patterns_for(&self, node: Node<'_>) -> impl Iterator<Item = (&'q Pattern, usize)> {
        let numbers = self.numbers.get(usize::from(node.kind_id()));
        let query = self.query;
        let numbers = numbers.into_iter().flatten();
        numbers.map(move |number| (&query.patterns[*number], *number))
    }
}

struct Matcher<'s> {
    source: &'s str,
    /// Steps that are left for the pattern.
    left: Cell<u64>,
}

/// What happens after a part matched: it tries the rest, and returns whether all matched.
type Rest<'r, 't> = &'r mut dyn FnMut(&mut Captures<'t>) -> bool;

impl Matcher<'_> {
    /// All matches of a pattern that begin at a node; returns the number of steps.
    fn match_at<'t>(
        &self,
        pattern: &Pattern,
        node: Node<'t>,
        found: &mut dyn FnMut(&Captures<'t>),
    ) -> u64 {
        self.left.set(MOST_STEPS);
        let child = Child { node, field: None };
        self.item(&pattern.root, child, &mut Vec::new(), &mut |captures| {
            let holds = |predicate: &Predicate| self.holds(predicate, captures);
            let is_match = pattern.predicates.iter().all(holds);
            if is_match {
                found(captures);
            }
            is_match
        });
        MOST_STEPS - self.left.get()
    }

    /// Whether a step is left.
    fn step(&self) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        left > 0
    }

    /// Matches an item with a node, and then the rest. Returns whether all matched in any way.
    fn item<'t>(
        &self,
        item: &Item,
        child: Child<'t>,
        captures: &mut Captures<'t>,
        rest: Rest<'_, 't>,
    ) -> bool {
        if !self.step() || item.field.is_some() && item.field != child.field {
            return false;
        }
        let node = child.node;
        if let Shape::OneOf(items) = &item.shape {
            // The outer item's captures come with those of the inner one.
            let mark = captures.len();
            captures.extend(item.captures.iter().map(|capture| (*capture, node)));
            let mut is_match = false;
            for inner in items {
                is_match |= self.item(inner, child, captures, rest);
            }
            captures.truncate(mark);
            return is_match;
        }
        if !is_of_shape(&item.shape, node) {
            return false;
        }
        let mark = captures.len();
        captures.extend(item.captures.iter().map(|capture| (*capture, node)));
        let is_match = match &item.shape {
            Shape::Node {
                children: items,
                is_closed,
                ..
            } if !items.is_empty() => {
                let children = children(node);
                let sequence = Sequence {
                    items,
                    children: &children,
                    is_closed: *is_closed,
                };
                self.sequence(&sequence, (0, 0), captures, rest)
            }
            _ => rest(captures),
        };
        captures.truncate(mark);
        is_match
    }

    /// Matches the items of a sequence from a place on with the children from a place on.
    fn sequence<'t>(
        &self,
        sequence: &Sequence<'_, 't>,
        (item, from): (usize, usize),
        captures: &mut Captures<'t>,
        rest: Rest<'_, 't>,
    ) -> bool {
        let Some(wanted) = sequence.items.get(item) else {
            let is_whole = !sequence.is_closed || sequence.is_end(from);
            return is_whole && rest(captures);
        };
        let mut is_match = false;
        for at in from..sequence.children.len() {
            if !self.step() || wanted.is_anchored && !sequence.follows(wanted, from, at) {
                break;
            }
            if sequence.is_passed(wanted, at) {
                continue;
            }
            is_match |= match wanted.repeat {
                Repeat::Many => self.match_repeated(sequence, (item, at), captures, rest),
                _ => {
                    let child = sequence.children[at];
                    self.item(wanted, child, captures, &mut |captures| {
                        self.sequence(sequence, (item + 1, at + 1), captures, rest)
                    })
                }
            };
            if is_match && wanted.repeat == Repeat::Many {
                break;
            }
        }
        if !is_match && wanted.repeat == Repeat::AtMostOnce {
            return self.sequence(sequence, (item + 1, from), captures, rest);
        }
        is_match
    }

    /// Matches an item with all children that follow each other from a place on.
    fn match_repeated<'t>(
        &self,
        sequence: &Sequence<'_, 't>,
        (item, from): (usize, usize),
        captures: &mut Captures<'t>,
        rest: Rest<'_, 't>,
    ) -> bool {
        let wanted = &sequence.items[item];
        let mark = captures.len();
        let mut at = from;
        while let Some(child) = sequence.children.get(at) {
            let mut is_match = false;
            if !sequence.is_passed(wanted, at) {
                let mut inner = Captures::new();
                is_match = self.item(wanted, *child, &mut Vec::new(), &mut |captures| {
                    inner.clone_from(captures);
                    true
                });
                captures.extend(inner);
            }
            if !is_match && child.node.is_named() && !child.node.is_extra() {
                break;
            }
            at += 1;
        }
        let is_match =
            captures.len() > mark && self.sequence(sequence, (item + 1, at), captures, rest);
        captures.truncate(mark);
        is_match
    }

    fn holds(&self, predicate: &Predicate, captures: &Captures<'_>) -> bool {
        let nodes = captures
            .iter()
            .filter(|(capture, _)| *capture == predicate.capture);
        let mut texts = nodes.map(|(_, node)| self.source.get(node.byte_range()).unwrap_or(""));
        let has = |text: &str, test: fn(&str, &str) -> bool| {
            predicate.texts.iter().any(|wanted| test(text, wanted))
        };
        texts.all(|text| match predicate.test {
            Test::IsOneOf => has(text, |text, wanted| text == wanted),
            Test::IsNoneOf => !has(text, |text, wanted| text == wanted),
            Test::StartsWith => has(text, |text, wanted| text.starts_with(wanted)),
            Test::Contains => has(text, |text, wanted| text.contains(wanted)),
        })
    }
}

fn is_of_shape(shape: &Shape, node: Node<'_>) -> bool {
    match shape {
        Shape::Node {
            kind: Some(kind), ..
        } => node.kind_id() == *kind,
        Shape::Node { is_named, .. } => !*is_named || node.is_named(),
        Shape::OneOf(items) => items.iter().any(|item| is_of_shape(&item.shape, node)),
    }
}

fn children(node: Node<'_>) -> Vec<Child<'_>> {
    let mut cursor = node.walk();
    let mut children = Vec::with_capacity(node.child_count() as usize);
    if cursor.goto_first_child() {
        loop {
            children.push(Child {
                node: cursor.node(),
                field: cursor.field_id(),
            });
            if !cursor.goto_next_sibling() {
                break;
            }
        }
    }
    children
}

/// The items for the children of a node, and the children.
struct Sequence<'q, 't> {
    items: &'q [Item],
    children: &'q [Child<'t>],
    is_closed: bool,
}

impl Sequence<'_, '_> {
    /// Whether a child counts between two items: it has a name, and is no comment.
    fn counts(child: &Child<'_>) -> bool {
        child.node.is_named() && !child.node.is_extra()
    }

    /// Whether nothing that counts stands from a place on.
    fn is_end(&self, from: usize) -> bool {
        !self.children[from..].iter().any(Self::counts)
    }

    /// Whether a child directly follows a place. If a token is wanted, other tokens count as well.
    fn follows(&self, wanted: &Item, from: usize, at: usize) -> bool {
        let between = &self.children[from..at];
        if is_token(&wanted.shape) {
            return between.is_empty();
        }
        !between.iter().any(Self::counts)
    }

    /// Whether a child cannot be meant, so that an anchored item may still follow.
    fn is_passed(&self, wanted: &Item, at: usize) -> bool {
        !is_of_shape(&wanted.shape, self.children[at].node)
    }
}

fn is_token(shape: &Shape) -> bool {
    match shape {
        Shape::Node { is_named, .. } => !is_named,
        Shape::OneOf(items) => items.iter().all(|item| is_token(&item.shape)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::pattern::parse;
    use super::find;

    /// The matches of a query in a source of Lua, each as the texts of its captures.
    fn found(query: &str, source: &str) -> Vec<String> {
        let grammar = grammars::LUA.language();
        let query = parse(query, &grammar).unwrap();
        let (tree, _) = syntax::parse_text(&grammar, source, &|| false).unwrap();
        let mut all = Vec::new();
        find(
            &query,
            (tree.root_node(), source),
            &|| false,
            &mut |pattern, captures| {
                let texts = captures.iter().map(|(_, node)| &source[node.byte_range()]);
                all.push(format!("{pattern} {}", texts.collect::<Vec<_>>().join(" ")));
            },
        );
        all
    }

    #[test]
    fn children_are_found_in_order_by_field_and_beside_each_other() {
        let source = "f(a, b, c)";
        let arguments = |inner: &str| format!("(arguments {inner})");
        let any = arguments("(identifier) @x");
        assert_eq!(found(&any, source), ["0 a", "0 b", "0 c"]);
        assert_eq!(found(&arguments(". (identifier) @x"), source), ["0 a"]);
        assert_eq!(found(&arguments("(identifier) @x ."), source), ["0 c"]);
        let beside = arguments("(identifier) @x . (identifier) @y");
        assert_eq!(found(&beside, source), ["0 a b", "0 b c"]);
        assert_eq!(found(&arguments("(identifier)+ @x"), source), ["0 a b c"]);
        let optional = arguments(". (number)? @x . (identifier) @y");
        assert_eq!(found(&optional, source), ["0 a"]);
        assert_eq!(found(&optional, "f(1, a)"), ["0 1 a"]);
        assert_eq!(found(&arguments("\"(\" . (_) @x"), source), ["0 a"]);
        let field = "(function_call name: (_) @x arguments: (_) @y)";
        assert_eq!(found(field, source), ["0 f (a, b, c)"]);
    }

    #[test]
    fn alternatives_and_conditions_choose() {
        let query = "[(number) (identifier)] @x (identifier) @y";
        assert_eq!(found(query, "f(1)"), ["0 f", "1 f", "0 1"]);
        for (condition, expected) in [
            ("#eq? @x \"ab\"", vec!["0 ab"]),
            ("#any-of? @x \"ab\" \"cd\"", vec!["0 ab", "0 cd"]),
            ("#not-any-of? @x \"ab\" \"f\"", vec!["0 cd"]),
            ("#starts-with? @x \"a\"", vec!["0 ab"]),
            ("#contains? @x \"d\"", vec!["0 cd"]),
        ] {
            let query = format!("(arguments (identifier) @x ({condition}))");
            assert_eq!(found(&query, "f(ab, cd)"), expected, "{condition}");
        }
    }

    #[test]
    fn what_is_no_query_of_a_grammar_is_refused() {
        let grammar = grammars::LUA.language();
        for query in [
            "(nothing)",
            "(arguments",
            "(identifier) (#eq? x)",
            "(arguments no: (_))",
            "(arguments (#is? @x))",
        ] {
            assert!(parse(query, &grammar).is_err(), "{query}");
        }
    }
}
