//! Patterns over trees, in the part of tree-sitter's query language that the queries of the languages use.
//!
//! The library has a compiler for the whole language. It analyses the tables of the grammar, which takes up to a second
//! for large ones, in every process that reads such a file. These patterns take less than a millisecond.

use std::num::NonZeroU16;
use tree_sitter::Language;

/// A query.
pub(super) struct Query {
    pub(super) patterns: Vec<Pattern>,
    /// Names of captures.
    pub(super) captures: Vec<String>,
}

/// One pattern of a query.
pub(super) struct Pattern {
    pub(super) root: Item,
    pub(super) predicates: Vec<Predicate>,
    /// `(#set! key value)`.
    pub(super) settings: Vec<(String, String)>,
}

/// A node of a pattern.
pub(super) struct Item {
    /// Whether nothing stands between it and the item before, or the beginning.
    pub(super) is_anchored: bool,
    pub(super) field: Option<NonZeroU16>,
    pub(super) shape: Shape,
    pub(super) repeat: Repeat,
    pub(super) captures: Vec<usize>,
}

/// The number of nodes that an item stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Repeat {
    Once,
    /// `?`
    AtMostOnce,
    /// `+`
    Many,
}

/// The nodes that an item stands for.
pub(super) enum Shape {
    /// Those of a kind, with children. `_` are all nodes, `(_)` all with a name.
    Node {
        kind: Option<u16>,
        is_named: bool,
        children: Vec<Item>,
        /// Whether no child follows the last item.
        is_closed: bool,
    },
    /// Those of one of these items.
    OneOf(Vec<Item>),
}

/// A condition on the text of a capture.
pub(super) struct Predicate {
    pub(super) capture: usize,
    pub(super) test: Test,
    pub(super) texts: Vec<String>,
}

/// The forms of conditions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Test {
    /// `eq?`, `any-of?`.
    IsOneOf,
    /// `not-any-of?`.
    IsNoneOf,
    /// `starts-with?`.
    StartsWith,
    /// `contains?`.
    Contains,
}

/// Parses a query for a grammar; an error names what is wrong.
pub(super) fn parse(text: &str, grammar: &Language) -> Result<Query, String> {
    let mut parser = Parser {
        tokens: tokens(text),
        at: 0,
        grammar,
        captures: Vec::new(),
        predicates: Vec::new(),
        settings: Vec::new(),
    };
    let mut patterns = Vec::new();
    while parser.peek().is_some() {
        let root = parser.item(false)?;
        patterns.push(Pattern {
            root,
            predicates: std::mem::take(&mut parser.predicates),
            settings: std::mem::take(&mut parser.settings),
        });
    }
    Ok(Query {
        patterns,
        captures: parser.captures,
    })
}

/// A token of a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Token<'q> {
    /// One of `()[].?+*`.
    Sign(char),
    /// A text in quotes, as it is written between them.
    Text(&'q str),
    /// Anything else: names of kinds, `field:`, `@capture`, `#predicate`.
    Word(&'q str),
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let Some(first) = rest.chars().next() else {
            return tokens;
        };
        let length = match first {
            ';' => rest.find('\n').unwrap_or(rest.len()),
            '(' | ')' | '[' | ']' | '.' => {
                tokens.push(Token::Sign(first));
                1
            }
            '?' | '+' | '*' => {
                tokens.push(Token::Sign(first));
                1
            }
            '"' => {
                let length = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
                tokens.push(Token::Text(rest[1..length].trim_end_matches('"')));
                length
            }
            _ => {
                let ends = |c: char| c.is_whitespace() || "()[]\"".contains(c);
                let mut length = rest.find(ends).unwrap_or(rest.len());
                // A quantifier follows a word directly only where that is no predicate.
                if !rest.starts_with(['#', '@']) {
                    length = rest[..length].trim_end_matches(['?', '+', '*']).len();
                }
                tokens.push(Token::Word(&rest[..length]));
                length
            }
        };
        rest = &rest[length..];
    }
}

/// A node without a name, or any node.
fn token(kind: Option<u16>) -> Shape {
    Shape::Node {
        kind,
        is_named: false,
        children: Vec::new(),
        is_closed: false,
    }
}

struct Parser<'q> {
    tokens: Vec<Token<'q>>,
    at: usize,
    grammar: &'q Language,
    captures: Vec<String>,
    predicates: Vec<Predicate>,
    settings: Vec<(String, String)>,
}

impl<'q> Parser<'q> {
    fn peek(&self) -> Option<Token<'q>> {
        self.tokens.get(self.at).copied()
    }

    fn next(&mut self) -> Option<Token<'q>> {
        let token = self.peek();
        self.at += 1;
        token
    }

    /// Whether that sign follows, which is then passed over.
    fn has_sign(&mut self, sign: char) -> bool {
        let follows = self.peek() == Some(Token::Sign(sign));
        self.at += usize::from(follows);
        follows
    }

    /// An item: a field, a node, a quantifier and captures.
    fn item(&mut self, is_anchored: bool) -> Result<Item, String> {
        let field = match self.peek() {
            Some(Token::Word(word)) if word.ends_with(':') => {
                self.at += 1;
                Some(self.field(word.trim_end_matches(':'))?)
            }
            _ => None,
        };
        let shape = self.shape()?;
        let repeat = match self.peek() {
            Some(Token::Sign('?')) => Repeat::AtMostOnce,
            Some(Token::Sign('+')) => Repeat::Many,
            _ => Repeat::Once,
        };
        self.at += usize::from(repeat != Repeat::Once);
        let mut captures = Vec::new();
        while let Some(Token::Word(word)) = self.peek()
            && let Some(name) = word.strip_prefix('@')
        {
            self.at += 1;
            captures.push(self.capture(name));
        }
        Ok(Item {
            is_anchored,
            field,
            shape,
            repeat,
            captures,
        })
    }

    fn field(&self, name: &str) -> Result<NonZeroU16, String> {
        let field = self.grammar.field_id_for_name(name);
        field.ok_or_else(|| format!("no field {name}"))
    }

    fn capture(&mut self, name: &str) -> usize {
        if let Some(at) = self.captures.iter().position(|known| known == name) {
            return at;
        }
        self.captures.push(name.to_owned());
        self.captures.len() - 1
    }

    fn shape(&mut self) -> Result<Shape, String> {
        match self.next() {
            Some(Token::Sign('[')) => {
                let mut items = Vec::new();
                while !self.has_sign(']') {
                    items.push(self.item(false)?);
                }
                Ok(Shape::OneOf(items))
            }
            Some(Token::Sign('(')) => self.node(),
            Some(Token::Text(text)) => Ok(token(self.kind(text, false)?)),
            Some(Token::Word("_")) => Ok(token(None)),
            other => Err(format!("{other:?} is no node")),
        }
    }

    fn kind(&self, name: &str, is_named: bool) -> Result<Option<u16>, String> {
        match self.grammar.id_for_node_kind(name, is_named) {
            _ if name == "_" => Ok(None),
            0 => Err(format!("no kind {name}")),
            kind => Ok(Some(kind)),
        }
    }

    /// A node with a name, after its parenthesis.
    fn node(&mut self) -> Result<Shape, String> {
        let Some(Token::Word(name)) = self.next() else {
            return Err("a node without a kind".to_owned());
        };
        let mut children = Vec::new();
        let mut is_anchored = false;
        loop {
            match self.peek() {
                Some(Token::Sign(')')) => break,
                Some(Token::Sign('.')) => {
                    self.at += 1;
                    is_anchored = true;
                    continue;
                }
                Some(Token::Sign('(')) if self.is_predicate() => self.predicate()?,
                Some(_) => children.push(self.item(is_anchored)?),
                None => return Err(format!("{name} does not end")),
            }
            is_anchored = false;
        }
        self.at += 1;
        Ok(Shape::Node {
            kind: self.kind(name, true)?,
            is_named: true,
            children,
            is_closed: is_anchored,
        })
    }

    fn is_predicate(&self) -> bool {
        let next = self.tokens.get(self.at + 1);
        matches!(next, Some(Token::Word(word)) if word.starts_with('#'))
    }

    /// `(#eq? @capture "text")`, `(#set! key value)`.
    fn predicate(&mut self) -> Result<(), String> {
        self.at += 1;
        let mut words = Vec::new();
        loop {
            match self.next() {
                Some(Token::Sign(')')) => break,
                Some(Token::Word(word) | Token::Text(word)) => words.push(word),
                Some(Token::Sign('.')) => words.push("."),
                other => return Err(format!("{other:?} in a predicate")),
            }
        }
        let test = match words[0] {
            "#set!" => {
                let word = |at: usize| words.get(at).copied().unwrap_or_default().to_owned();
                self.settings.push((word(1), word(2)));
                return Ok(());
            }
            "#eq?" | "#any-of?" => Test::IsOneOf,
            "#not-any-of?" => Test::IsNoneOf,
            "#starts-with?" => Test::StartsWith,
            "#contains?" => Test::Contains,
            other => return Err(format!("no predicate {other}")),
        };
        let capture = words.get(1).and_then(|word| word.strip_prefix('@'));
        let capture = capture.ok_or("a predicate without a capture")?;
        let capture = self.capture(capture);
        let texts = words[2..].iter().map(|text| (*text).to_owned()).collect();
        self.predicates.push(Predicate {
            capture,
            test,
            texts,
        });
        Ok(())
    }
}
