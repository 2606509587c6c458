//! Parses types in JSDoc comments.
//!
//! The meaning of `(` shows only after its `)`, so the types inside are parsed twice. Results are cached by place and
//! depth, so that each is computed once.

use rustc_hash::FxHashMap;
use syntax::facts::Primitive;

/// Types nested deeper than this are unknown.
const MOST_DEPTH: u32 = 24;

/// A type as a comment writes it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum DocType {
    /// Unknown: `*`, `any`, `Object`, or a form that is not parsed.
    Unknown,
    Primitive(Primitive),
    /// `a.B<C>`, `import("m").B`.
    Named {
        module: Option<String>,
        path: Vec<String>,
        args: Vec<DocType>,
    },
    /// `typeof a.b`.
    TypeOf {
        module: Option<String>,
        path: Vec<String>,
    },
    Array(Box<DocType>),
    /// With `null` or `undefined`.
    Optional(Box<DocType>),
    /// `...T`.
    Rest(Box<DocType>),
    Union(Vec<DocType>),
    All(Vec<DocType>),
    Tuple(Vec<DocType>),
    Function(Vec<DocType>, Option<Box<DocType>>),
    Object(Vec<(String, DocType)>),
    /// `x is T`.
    Is(Box<DocType>),
    /// `T["name"]`.
    Member(Box<DocType>, String),
}

/// Parses a type; text outside of the grammar is unknown.
pub(super) fn parse(text: &str) -> DocType {
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
        known: FxHashMap::default(),
    };
    let shape = parser.parse_type();
    parser.skip_space();
    match shape {
        Some(shape) if parser.at == text.len() => shape,
        _ => DocType::Unknown,
    }
}

struct Parser<'s> {
    text: &'s str,
    at: usize,
    depth: u32,
    /// Parsed types and their ends, by place and depth.
    known: FxHashMap<(usize, u32), (Option<DocType>, usize)>,
}

impl<'s> Parser<'s> {
    fn rest(&self) -> &'s str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Takes a symbol after spaces.
    fn eat(&mut self, sign: &str) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn peek(&mut self, sign: &str) -> bool {
        self.skip_space();
        self.rest().starts_with(sign)
    }

    fn eat_word(&mut self) -> Option<&'s str> {
        self.skip_space();
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'))
            .unwrap_or(rest.len());
        let starts = rest.starts_with(|c: char| !c.is_ascii_digit());
        (end > 0 && starts).then(|| {
            self.at += end;
            &rest[..end]
        })
    }

    /// Takes a word if it is this one.
    fn eat_keyword(&mut self, word: &str) -> bool {
        let before = self.at;
        let found = self.eat_word() == Some(word);
        if !found {
            self.at = before;
        }
        found
    }

    fn parse_type(&mut self) -> Option<DocType> {
        if self.depth >= MOST_DEPTH {
            return None;
        }
        let asked = (self.at, self.depth);
        if let Some((found, end)) = self.known.get(&asked) {
            self.at = *end;
            return found.clone();
        }
        self.depth += 1;
        let found = self.parse_full_type();
        self.depth -= 1;
        self.known.insert(asked, (found.clone(), self.at));
        found
    }

    fn parse_full_type(&mut self) -> Option<DocType> {
        if self.eat("...") {
            return Some(DocType::Rest(Box::new(self.parse_union()?)));
        }
        let found = self.parse_union()?;
        self.eat("=");
        if self.eat_keyword("extends") {
            // The comment does not show which branch applies.
            self.parse_union()?;
            self.eat("?").then_some(())?;
            self.parse_type()?;
            self.eat(":").then_some(())?;
            self.parse_type()?;
            return Some(DocType::Unknown);
        }
        Some(found)
    }

    fn parse_union(&mut self) -> Option<DocType> {
        self.eat("|");
        let mut parts = vec![self.parse_intersection()?];
        while self.eat("|") {
            parts.push(self.parse_intersection()?);
        }
        let before = parts.len();
        parts.retain(|p| *p != DocType::Primitive(Primitive::Null));
        let optional = parts.len() < before;
        let one = match parts.len() {
            0 => return Some(DocType::Primitive(Primitive::Null)),
            1 => parts.remove(0),
            // A part of unknown type makes the whole unknown.
            _ if parts.contains(&DocType::Unknown) => DocType::Unknown,
            _ => DocType::Union(parts),
        };
        Some(if optional { optional_shape(one) } else { one })
    }

    fn parse_intersection(&mut self) -> Option<DocType> {
        self.eat("&");
        let mut parts = vec![self.parse_postfix()?];
        while self.eat("&") {
            parts.push(self.parse_postfix()?);
        }
        parts.retain(|p| *p != DocType::Unknown);
        Some(match parts.len() {
            0 => DocType::Unknown,
            1 => parts.remove(0),
            _ => DocType::All(parts),
        })
    }

    fn parse_postfix(&mut self) -> Option<DocType> {
        if self.eat("?") {
            return Some(if self.at_type_start() {
                optional_shape(self.parse_postfix()?)
            } else {
                DocType::Unknown
            });
        }
        if self.eat("!") {
            return self.parse_postfix();
        }
        let mut shape = self.parse_primary()?;
        loop {
            if self.eat("[]") {
                shape = DocType::Array(Box::new(shape));
            } else if self.eat("[") {
                let name = self.eat_string();
                if name.is_none() {
                    self.parse_type()?;
                }
                self.eat("]").then_some(())?;
                shape = match name {
                    Some(name) => DocType::Member(Box::new(shape), name),
                    None => DocType::Unknown,
                };
            } else if self.peek("!") || (self.peek("?") && !self.at_conditional_branches()) {
                self.at += 1;
            } else {
                return Some(shape);
            }
        }
    }

    /// Whether the next `?` begins the branches of a conditional type.
    fn at_conditional_branches(&self) -> bool {
        self.rest()[1..]
            .trim_start()
            .starts_with(|c: char| !matches!(c, '|' | ',' | ')' | '>' | '}' | ']' | ';' | '='))
            && self.rest().len() > 1
    }

    fn at_type_start(&mut self) -> bool {
        self.skip_space();
        self.rest().starts_with(|c: char| {
            c.is_alphanumeric() || matches!(c, '_' | '$' | '(' | '{' | '[' | '"' | '\'' | '!')
        })
    }

    fn parse_primary(&mut self) -> Option<DocType> {
        self.skip_space();
        let first = self.rest().chars().next()?;
        match first {
            '*' => {
                self.at += 1;
                Some(DocType::Unknown)
            }
            '(' => self.parse_parenthesized(),
            '{' => self.parse_object(),
            '[' => self.parse_tuple(),
            '"' | '\'' | '`' => {
                self.eat_string()?;
                Some(DocType::Primitive(Primitive::String))
            }
            '-' | '0'..='9' => {
                let rest = self.rest();
                let end =
                    rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '.' | '_')));
                self.at += end.unwrap_or(rest.len());
                Some(DocType::Primitive(Primitive::Int))
            }
            _ => self.parse_word_type(),
        }
    }

    fn eat_string(&mut self) -> Option<String> {
        self.skip_space();
        let rest = self.rest();
        let quote = rest
            .chars()
            .next()
            .filter(|c| matches!(c, '"' | '\'' | '`'))?;
        let end = rest[1..].find(quote)?;
        self.at += end + 2;
        Some(rest[1..=end].to_owned())
    }

    fn parse_word_type(&mut self) -> Option<DocType> {
        let word = self.eat_word()?;
        match word {
            "typeof" => {
                let (module, path) = self.parse_path(None)?;
                return Some(DocType::TypeOf { module, path });
            }
            "keyof" | "unique" | "infer" => {
                self.parse_postfix()?;
                return Some(DocType::Unknown);
            }
            "readonly" => return self.parse_postfix(),
            "asserts" => {
                self.eat_word()?;
                return self.parse_predicate_rest();
            }
            "new" => {
                self.parse_postfix()?;
                return Some(DocType::Unknown);
            }
            "function" | "Function" if self.peek("(") => return self.parse_closure_function(),
            _ => {}
        }
        if self.eat_keyword("is") {
            let inner = self.parse_union()?;
            return Some(DocType::Is(Box::new(inner)));
        }
        let (module, path) = self.parse_path(Some(word))?;
        let args = if self.eat("<") {
            self.parse_list(">")?
        } else {
            Vec::new()
        };
        Some(named_shape(module, path, args))
    }

    fn parse_predicate_rest(&mut self) -> Option<DocType> {
        if self.eat_keyword("is") {
            Some(DocType::Is(Box::new(self.parse_union()?)))
        } else {
            Some(DocType::Primitive(Primitive::Null))
        }
    }

    /// `a.b.c` or `import("m").c`, whose first word may have been read already; `.<` ends it.
    fn parse_path(&mut self, first: Option<&str>) -> Option<(Option<String>, Vec<String>)> {
        let first = match first {
            Some(first) => first,
            None => self.eat_word()?,
        };
        let mut module = None;
        let mut path = Vec::new();
        if first == "import" && self.eat("(") {
            module = Some(self.eat_string()?);
            self.eat(")").then_some(())?;
        } else {
            path.push(first.to_owned());
        }
        while self.peek(".") && !self.peek("...") {
            self.at += 1;
            if self.peek("<") {
                break;
            }
            path.push(self.eat_word()?.to_owned());
        }
        Some((module, path))
    }

    /// Types separated by commas, up to a symbol.
    fn parse_list(&mut self, end: &str) -> Option<Vec<DocType>> {
        let mut list = Vec::new();
        while !self.eat(end) {
            list.push(self.parse_type()?);
            if !self.eat(",") && !self.peek(end) {
                return None;
            }
        }
        Some(list)
    }

    /// `(T)` or `(a: A, b?: B) => R`.
    fn parse_parenthesized(&mut self) -> Option<DocType> {
        let before = self.at;
        self.at += 1;
        if let Some(inner) = self.parse_type()
            && self.eat(")")
            && !self.peek("=>")
        {
            return Some(inner);
        }
        self.at = before;
        let params = self.parse_params()?;
        self.eat("=>").then_some(())?;
        let ret = self.parse_type()?;
        Some(DocType::Function(params, Some(Box::new(ret))))
    }

    fn parse_params(&mut self) -> Option<Vec<DocType>> {
        self.eat("(").then_some(())?;
        let mut params = Vec::new();
        while !self.eat(")") {
            self.eat("...");
            let before = self.at;
            let named = self.eat_word().is_some() && {
                self.eat("?");
                self.eat(":")
            };
            if !named {
                self.at = before;
            }
            params.push(self.parse_type()?);
            if !self.eat(",") && !self.peek(")") {
                return None;
            }
        }
        Some(params)
    }

    /// `function(A, B): R`.
    fn parse_closure_function(&mut self) -> Option<DocType> {
        let params = self.parse_params()?;
        let ret = if self.eat(":") {
            Some(Box::new(self.parse_postfix()?))
        } else {
            None
        };
        Some(DocType::Function(params, ret))
    }

    fn parse_tuple(&mut self) -> Option<DocType> {
        self.at += 1;
        let mut parts = Vec::new();
        while !self.eat("]") {
            let rest = self.eat("...");
            let before = self.at;
            let labelled = self.eat_word().is_some() && {
                self.eat("?");
                self.eat(":")
            };
            if !labelled {
                self.at = before;
            }
            let part = self.parse_type()?;
            parts.push(if rest { DocType::Unknown } else { part });
            if !self.eat(",") && !self.peek("]") {
                return None;
            }
        }
        Some(DocType::Tuple(parts))
    }

    fn parse_object(&mut self) -> Option<DocType> {
        self.at += 1;
        let mut members = Vec::new();
        let mut open = false;
        while !self.eat("}") {
            if self.eat("[") {
                // An index signature: there may be members other than the written ones.
                let end = self.rest().find(']')?;
                self.at += end + 1;
                open = true;
                self.eat("?");
                self.eat(":").then_some(())?;
                self.parse_type()?;
            } else {
                self.eat_keyword("readonly");
                let name = match self.eat_string() {
                    Some(name) => name,
                    None => self.eat_word()?.to_owned(),
                };
                self.eat("?");
                let shape = if self.eat(":") {
                    self.parse_type()?
                } else if self.peek("(") {
                    let params = self.parse_params()?;
                    let ret = if self.eat(":") {
                        Some(Box::new(self.parse_type()?))
                    } else {
                        None
                    };
                    DocType::Function(params, ret)
                } else {
                    DocType::Unknown
                };
                members.push((name, shape));
            }
            if !self.eat(",") && !self.eat(";") && !self.peek("}") {
                return None;
            }
        }
        Some(if members.is_empty() || open {
            DocType::Unknown
        } else {
            DocType::Object(members)
        })
    }
}

fn optional_shape(shape: DocType) -> DocType {
    match shape {
        DocType::Unknown => DocType::Unknown,
        other => DocType::Optional(Box::new(other)),
    }
}

fn named_shape(module: Option<String>, path: Vec<String>, mut args: Vec<DocType>) -> DocType {
    if module.is_some() || path.len() != 1 {
        return DocType::Named { module, path, args };
    }
    match path[0].as_str() {
        "string" => DocType::Primitive(Primitive::String),
        "number" | "bigint" => DocType::Primitive(Primitive::Int),
        "boolean" | "bool" | "true" | "false" => DocType::Primitive(Primitive::Bool),
        "void" | "undefined" | "null" | "never" => DocType::Primitive(Primitive::Null),
        "array" | "Array" if args.len() == 1 => DocType::Array(Box::new(args.remove(0))),
        "Object" | "object" if args.len() == 2 => DocType::Named {
            module: None,
            path: vec![String::from("Record")],
            args,
        },
        "any" | "unknown" | "mixed" | "object" | "Object" | "function" | "Function" | "symbol"
        | "array" | "this" => DocType::Unknown,
        _ => DocType::Named { module, path, args },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(path: &str) -> DocType {
        DocType::Named {
            module: None,
            path: path.split('.').map(str::to_owned).collect(),
            args: Vec::new(),
        }
    }

    fn named_shape(module: &str, path: &[&str]) -> DocType {
        DocType::Named {
            module: Some(module.to_owned()),
            path: path.iter().map(|p| (*p).to_owned()).collect(),
            args: Vec::new(),
        }
    }

    #[test]
    fn types_are_read() {
        let array = |inner| DocType::Array(Box::new(inner));
        let optional = |inner| DocType::Optional(Box::new(inner));
        let cases = [
            ("Foo", name("Foo")),
            (" a.b.C ", name("a.b.C")),
            ("?Foo", optional(name("Foo"))),
            ("!Foo", name("Foo")),
            ("Foo=", name("Foo")),
            ("Foo?", name("Foo")),
            ("(Foo)", name("Foo")),
            ("Foo | null", optional(name("Foo"))),
            (
                "undefined|Foo|Bar",
                optional(DocType::Union(vec![name("Foo"), name("Bar")])),
            ),
            ("Foo[]", array(name("Foo"))),
            ("readonly (Foo | undefined)[]", array(optional(name("Foo")))),
            ("Array<Foo>", array(name("Foo"))),
            ("Array.<Foo>", array(name("Foo"))),
            ("...Foo", DocType::Rest(Box::new(name("Foo")))),
            ("import('./x').Foo.Bar", named_shape("./x", &["Foo", "Bar"])),
            ("import(\"./x\")", named_shape("./x", &[])),
            ("x is Foo", DocType::Is(Box::new(name("Foo")))),
            (
                "Foo[\"bar\"]",
                DocType::Member(Box::new(name("Foo")), String::from("bar")),
            ),
            (
                "[a: Foo, Bar]",
                DocType::Tuple(vec![name("Foo"), name("Bar")]),
            ),
            (
                "(a: Foo, b?: Bar) => Baz",
                DocType::Function(vec![name("Foo"), name("Bar")], Some(Box::new(name("Baz")))),
            ),
            (
                "function(Foo, Bar): Baz",
                DocType::Function(vec![name("Foo"), name("Bar")], Some(Box::new(name("Baz")))),
            ),
            (
                "{ a: Foo, \"b\"?: Bar; c(x: Foo): Bar }",
                DocType::Object(vec![
                    (String::from("a"), name("Foo")),
                    (String::from("b"), name("Bar")),
                    (
                        String::from("c"),
                        DocType::Function(vec![name("Foo")], Some(Box::new(name("Bar")))),
                    ),
                ]),
            ),
            (
                "typeof import('./x')",
                DocType::TypeOf {
                    module: Some(String::from("./x")),
                    path: Vec::new(),
                },
            ),
            (
                "Map<string, Foo[]>",
                DocType::Named {
                    module: None,
                    path: vec![String::from("Map")],
                    args: vec![DocType::Primitive(Primitive::String), array(name("Foo"))],
                },
            ),
            ("'a' | \"b\"", {
                let string = DocType::Primitive(Primitive::String);
                DocType::Union(vec![string.clone(), string])
            }),
        ];
        for (text, shape) in cases {
            assert_eq!(parse(text), shape, "{text}");
        }
    }

    #[test]
    fn what_is_vague_or_broken_says_nothing() {
        let deep = "(".repeat(100_000);
        let vague = [
            "*",
            "?",
            "any",
            "Object",
            "object",
            "Function",
            "Foo | any",
            "{}",
            "",
            "  ",
            "Foo<",
            "Foo>",
            "(Foo",
            "{ a: }",
            "Foo Bar",
            "Foo |",
            "import(",
            "import('x",
            "T extends Foo ? Bar : Baz",
            "keyof Foo",
            "{ [key: string]: Foo }",
            "\u{e9}\u{4e2d} \u{1f600}",
            "\"open",
            "[",
            "=>",
            ".",
            "...",
            &deep,
        ];
        for text in vague {
            let found = match parse(text) {
                DocType::Rest(inner) => *inner,
                other => other,
            };
            assert_eq!(found, DocType::Unknown, "{}", &text[..text.len().min(20)]);
        }
    }
}
