//! The grammar of types in JSDoc comments.
//!
//! What `(` begins shows only behind the `)`, so that the types inside are asked for twice: each is read once for each
//! place and depth.

use rustc_hash::FxHashMap;
use syntax::facts::Primitive;

/// Types nested deeper than this say nothing.
const MOST_DEPTH: u32 = 24;

/// A type as a comment writes it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Shape {
    /// Says nothing: `*`, `any`, `Object`, a form that is not read.
    Unknown,
    Primitive(Primitive),
    /// `a.B<C>`, `import("m").B`.
    Named {
        module: Option<String>,
        path: Vec<String>,
        args: Vec<Shape>,
    },
    /// `typeof a.b`.
    TypeOf {
        module: Option<String>,
        path: Vec<String>,
    },
    Array(Box<Shape>),
    /// With `null` or `undefined`.
    Optional(Box<Shape>),
    /// `...T`.
    Rest(Box<Shape>),
    Union(Vec<Shape>),
    All(Vec<Shape>),
    Tuple(Vec<Shape>),
    Function(Vec<Shape>, Option<Box<Shape>>),
    Object(Vec<(String, Shape)>),
    /// `x is T`.
    Is(Box<Shape>),
    /// `T["name"]`.
    Member(Box<Shape>, String),
}

/// Reads a type; what does not follow the grammar says nothing.
pub(super) fn parse(text: &str) -> Shape {
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
        known: FxHashMap::default(),
    };
    let shape = parser.ty();
    parser.space();
    match shape {
        Some(shape) if parser.at == text.len() => shape,
        _ => Shape::Unknown,
    }
}

struct Parser<'s> {
    text: &'s str,
    at: usize,
    depth: u32,
    /// The type at a place, asked for at a depth, and where it ends.
    known: FxHashMap<(usize, u32), (Option<Shape>, usize)>,
}

impl<'s> Parser<'s> {
    fn rest(&self) -> &'s str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Takes a sign after spaces.
    fn eat(&mut self, sign: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn peek(&mut self, sign: &str) -> bool {
        self.space();
        self.rest().starts_with(sign)
    }

    fn word(&mut self) -> Option<&'s str> {
        self.space();
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
    fn keyword(&mut self, word: &str) -> bool {
        let before = self.at;
        let found = self.word() == Some(word);
        if !found {
            self.at = before;
        }
        found
    }

    fn ty(&mut self) -> Option<Shape> {
        if self.depth >= MOST_DEPTH {
            return None;
        }
        let asked = (self.at, self.depth);
        if let Some((found, end)) = self.known.get(&asked) {
            self.at = *end;
            return found.clone();
        }
        self.depth += 1;
        let found = self.whole();
        self.depth -= 1;
        self.known.insert(asked, (found.clone(), self.at));
        found
    }

    fn whole(&mut self) -> Option<Shape> {
        if self.eat("...") {
            return Some(Shape::Rest(Box::new(self.union()?)));
        }
        let found = self.union()?;
        self.eat("=");
        if self.keyword("extends") {
            // Which branch holds, the comment does not say.
            self.union()?;
            self.eat("?").then_some(())?;
            self.ty()?;
            self.eat(":").then_some(())?;
            self.ty()?;
            return Some(Shape::Unknown);
        }
        Some(found)
    }

    fn union(&mut self) -> Option<Shape> {
        self.eat("|");
        let mut parts = vec![self.all()?];
        while self.eat("|") {
            parts.push(self.all()?);
        }
        let before = parts.len();
        parts.retain(|p| *p != Shape::Primitive(Primitive::Null));
        let optional = parts.len() < before;
        let one = match parts.len() {
            0 => return Some(Shape::Primitive(Primitive::Null)),
            1 => parts.remove(0),
            // One part that says nothing leaves the whole open.
            _ if parts.contains(&Shape::Unknown) => Shape::Unknown,
            _ => Shape::Union(parts),
        };
        Some(if optional { optional_of(one) } else { one })
    }

    fn all(&mut self) -> Option<Shape> {
        self.eat("&");
        let mut parts = vec![self.postfix()?];
        while self.eat("&") {
            parts.push(self.postfix()?);
        }
        parts.retain(|p| *p != Shape::Unknown);
        Some(match parts.len() {
            0 => Shape::Unknown,
            1 => parts.remove(0),
            _ => Shape::All(parts),
        })
    }

    fn postfix(&mut self) -> Option<Shape> {
        if self.eat("?") {
            return Some(if self.starts_type() {
                optional_of(self.postfix()?)
            } else {
                Shape::Unknown
            });
        }
        if self.eat("!") {
            return self.postfix();
        }
        let mut shape = self.primary()?;
        loop {
            if self.eat("[]") {
                shape = Shape::Array(Box::new(shape));
            } else if self.eat("[") {
                let name = self.string();
                if name.is_none() {
                    self.ty()?;
                }
                self.eat("]").then_some(())?;
                shape = match name {
                    Some(name) => Shape::Member(Box::new(shape), name),
                    None => Shape::Unknown,
                };
            } else if self.peek("!") || (self.peek("?") && !self.conditional()) {
                self.at += 1;
            } else {
                return Some(shape);
            }
        }
    }

    /// Whether the `?` ahead begins the branches of a conditional type.
    fn conditional(&self) -> bool {
        self.rest()[1..]
            .trim_start()
            .starts_with(|c: char| !matches!(c, '|' | ',' | ')' | '>' | '}' | ']' | ';' | '='))
            && self.rest().len() > 1
    }

    fn starts_type(&mut self) -> bool {
        self.space();
        self.rest().starts_with(|c: char| {
            c.is_alphanumeric() || matches!(c, '_' | '$' | '(' | '{' | '[' | '"' | '\'' | '!')
        })
    }

    fn primary(&mut self) -> Option<Shape> {
        self.space();
        let first = self.rest().chars().next()?;
        match first {
            '*' => {
                self.at += 1;
                Some(Shape::Unknown)
            }
            '(' => self.parenthesized(),
            '{' => self.object(),
            '[' => self.tuple(),
            '"' | '\'' | '`' => {
                self.string()?;
                Some(Shape::Primitive(Primitive::String))
            }
            '-' | '0'..='9' => {
                let rest = self.rest();
                let end =
                    rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '.' | '_')));
                self.at += end.unwrap_or(rest.len());
                Some(Shape::Primitive(Primitive::Int))
            }
            _ => self.worded(),
        }
    }

    fn string(&mut self) -> Option<String> {
        self.space();
        let rest = self.rest();
        let quote = rest
            .chars()
            .next()
            .filter(|c| matches!(c, '"' | '\'' | '`'))?;
        let end = rest[1..].find(quote)?;
        self.at += end + 2;
        Some(rest[1..=end].to_owned())
    }

    fn worded(&mut self) -> Option<Shape> {
        let word = self.word()?;
        match word {
            "typeof" => {
                let (module, path) = self.path(None)?;
                return Some(Shape::TypeOf { module, path });
            }
            "keyof" | "unique" | "infer" => {
                self.postfix()?;
                return Some(Shape::Unknown);
            }
            "readonly" => return self.postfix(),
            "asserts" => {
                self.word()?;
                return self.is_type();
            }
            "new" => {
                self.postfix()?;
                return Some(Shape::Unknown);
            }
            "function" | "Function" if self.peek("(") => return self.closure_function(),
            _ => {}
        }
        if self.keyword("is") {
            let inner = self.union()?;
            return Some(Shape::Is(Box::new(inner)));
        }
        let (module, path) = self.path(Some(word))?;
        let args = if self.eat("<") {
            self.list(">")?
        } else {
            Vec::new()
        };
        Some(named(module, path, args))
    }

    fn is_type(&mut self) -> Option<Shape> {
        if self.keyword("is") {
            Some(Shape::Is(Box::new(self.union()?)))
        } else {
            Some(Shape::Primitive(Primitive::Null))
        }
    }

    /// `a.b.c` or `import("m").c`, its first word perhaps read already; `.<` ends it.
    fn path(&mut self, first: Option<&str>) -> Option<(Option<String>, Vec<String>)> {
        let first = match first {
            Some(first) => first,
            None => self.word()?,
        };
        let mut module = None;
        let mut path = Vec::new();
        if first == "import" && self.eat("(") {
            module = Some(self.string()?);
            self.eat(")").then_some(())?;
        } else {
            path.push(first.to_owned());
        }
        while self.peek(".") && !self.peek("...") {
            self.at += 1;
            if self.peek("<") {
                break;
            }
            path.push(self.word()?.to_owned());
        }
        Some((module, path))
    }

    /// Types between commas up to a sign.
    fn list(&mut self, end: &str) -> Option<Vec<Shape>> {
        let mut list = Vec::new();
        while !self.eat(end) {
            list.push(self.ty()?);
            if !self.eat(",") && !self.peek(end) {
                return None;
            }
        }
        Some(list)
    }

    /// `(T)` or `(a: A, b?: B) => R`.
    fn parenthesized(&mut self) -> Option<Shape> {
        let before = self.at;
        self.at += 1;
        if let Some(inner) = self.ty()
            && self.eat(")")
            && !self.peek("=>")
        {
            return Some(inner);
        }
        self.at = before;
        let params = self.params()?;
        self.eat("=>").then_some(())?;
        let ret = self.ty()?;
        Some(Shape::Function(params, Some(Box::new(ret))))
    }

    fn params(&mut self) -> Option<Vec<Shape>> {
        self.eat("(").then_some(())?;
        let mut params = Vec::new();
        while !self.eat(")") {
            self.eat("...");
            let before = self.at;
            let named = self.word().is_some() && {
                self.eat("?");
                self.eat(":")
            };
            if !named {
                self.at = before;
            }
            params.push(self.ty()?);
            if !self.eat(",") && !self.peek(")") {
                return None;
            }
        }
        Some(params)
    }

    /// `function(A, B): R`.
    fn closure_function(&mut self) -> Option<Shape> {
        let params = self.params()?;
        let ret = if self.eat(":") {
            Some(Box::new(self.postfix()?))
        } else {
            None
        };
        Some(Shape::Function(params, ret))
    }

    fn tuple(&mut self) -> Option<Shape> {
        self.at += 1;
        let mut parts = Vec::new();
        while !self.eat("]") {
            let rest = self.eat("...");
            let before = self.at;
            let labelled = self.word().is_some() && {
                self.eat("?");
                self.eat(":")
            };
            if !labelled {
                self.at = before;
            }
            let part = self.ty()?;
            parts.push(if rest { Shape::Unknown } else { part });
            if !self.eat(",") && !self.peek("]") {
                return None;
            }
        }
        Some(Shape::Tuple(parts))
    }

    fn object(&mut self) -> Option<Shape> {
        self.at += 1;
        let mut members = Vec::new();
        let mut open = false;
        while !self.eat("}") {
            if self.eat("[") {
                // An index signature: other names than those written may be there.
                let end = self.rest().find(']')?;
                self.at += end + 1;
                open = true;
                self.eat("?");
                self.eat(":").then_some(())?;
                self.ty()?;
            } else {
                self.keyword("readonly");
                let name = match self.string() {
                    Some(name) => name,
                    None => self.word()?.to_owned(),
                };
                self.eat("?");
                let shape = if self.eat(":") {
                    self.ty()?
                } else if self.peek("(") {
                    let params = self.params()?;
                    let ret = if self.eat(":") {
                        Some(Box::new(self.ty()?))
                    } else {
                        None
                    };
                    Shape::Function(params, ret)
                } else {
                    Shape::Unknown
                };
                members.push((name, shape));
            }
            if !self.eat(",") && !self.eat(";") && !self.peek("}") {
                return None;
            }
        }
        Some(if members.is_empty() || open {
            Shape::Unknown
        } else {
            Shape::Object(members)
        })
    }
}

fn optional_of(shape: Shape) -> Shape {
    match shape {
        Shape::Unknown => Shape::Unknown,
        other => Shape::Optional(Box::new(other)),
    }
}

fn named(module: Option<String>, path: Vec<String>, mut args: Vec<Shape>) -> Shape {
    if module.is_some() || path.len() != 1 {
        return Shape::Named { module, path, args };
    }
    match path[0].as_str() {
        "string" => Shape::Primitive(Primitive::String),
        "number" | "bigint" => Shape::Primitive(Primitive::Int),
        "boolean" | "bool" | "true" | "false" => Shape::Primitive(Primitive::Bool),
        "void" | "undefined" | "null" | "never" => Shape::Primitive(Primitive::Null),
        "array" | "Array" if args.len() == 1 => Shape::Array(Box::new(args.remove(0))),
        "Object" | "object" if args.len() == 2 => Shape::Named {
            module: None,
            path: vec![String::from("Record")],
            args,
        },
        "any" | "unknown" | "mixed" | "object" | "Object" | "function" | "Function" | "symbol"
        | "array" | "this" => Shape::Unknown,
        _ => Shape::Named { module, path, args },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(path: &str) -> Shape {
        Shape::Named {
            module: None,
            path: path.split('.').map(str::to_owned).collect(),
            args: Vec::new(),
        }
    }

    fn named(module: &str, path: &[&str]) -> Shape {
        Shape::Named {
            module: Some(module.to_owned()),
            path: path.iter().map(|p| (*p).to_owned()).collect(),
            args: Vec::new(),
        }
    }

    #[test]
    fn types_are_read() {
        let array = |inner| Shape::Array(Box::new(inner));
        let optional = |inner| Shape::Optional(Box::new(inner));
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
                optional(Shape::Union(vec![name("Foo"), name("Bar")])),
            ),
            ("Foo[]", array(name("Foo"))),
            ("readonly (Foo | undefined)[]", array(optional(name("Foo")))),
            ("Array<Foo>", array(name("Foo"))),
            ("Array.<Foo>", array(name("Foo"))),
            ("...Foo", Shape::Rest(Box::new(name("Foo")))),
            ("import('./x').Foo.Bar", named("./x", &["Foo", "Bar"])),
            ("import(\"./x\")", named("./x", &[])),
            ("x is Foo", Shape::Is(Box::new(name("Foo")))),
            (
                "Foo[\"bar\"]",
                Shape::Member(Box::new(name("Foo")), String::from("bar")),
            ),
            (
                "[a: Foo, Bar]",
                Shape::Tuple(vec![name("Foo"), name("Bar")]),
            ),
            (
                "(a: Foo, b?: Bar) => Baz",
                Shape::Function(vec![name("Foo"), name("Bar")], Some(Box::new(name("Baz")))),
            ),
            (
                "function(Foo, Bar): Baz",
                Shape::Function(vec![name("Foo"), name("Bar")], Some(Box::new(name("Baz")))),
            ),
            (
                "{ a: Foo, \"b\"?: Bar; c(x: Foo): Bar }",
                Shape::Object(vec![
                    (String::from("a"), name("Foo")),
                    (String::from("b"), name("Bar")),
                    (
                        String::from("c"),
                        Shape::Function(vec![name("Foo")], Some(Box::new(name("Bar")))),
                    ),
                ]),
            ),
            (
                "typeof import('./x')",
                Shape::TypeOf {
                    module: Some(String::from("./x")),
                    path: Vec::new(),
                },
            ),
            (
                "Map<string, Foo[]>",
                Shape::Named {
                    module: None,
                    path: vec![String::from("Map")],
                    args: vec![Shape::Primitive(Primitive::String), array(name("Foo"))],
                },
            ),
            ("'a' | \"b\"", {
                let string = Shape::Primitive(Primitive::String);
                Shape::Union(vec![string.clone(), string])
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
                Shape::Rest(inner) => *inner,
                other => other,
            };
            assert_eq!(found, Shape::Unknown, "{}", &text[..text.len().min(20)]);
        }
    }
}
