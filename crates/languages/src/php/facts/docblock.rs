//! Comments that declare types: their tags, and the types in them.

/// A type as a comment writes it.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum DocType {
    /// Not understood.
    Unknown,
    /// A name with type arguments.
    Name(String, Vec<DocType>),
    /// `T[]`.
    Array(Box<DocType>),
    /// `?T`.
    Optional(Box<DocType>),
    /// `A|B`.
    Union(Vec<DocType>),
    /// `A&B`.
    All(Vec<DocType>),
    /// `array{A, B}`, `array{0: A, 1: B}`.
    Tuple(Vec<DocType>),
    /// `callable(A): B`, `Closure(A): B`.
    Function(Vec<DocType>, Option<Box<DocType>>),
}

/// A method that a comment declares.
#[derive(Debug, PartialEq)]
pub(super) struct DocMethod {
    pub(super) name: String,
    pub(super) ret: DocType,
}

/// What the tags of a comment declare.
#[derive(Debug, Default, PartialEq)]
pub(super) struct DocBlock {
    pub(super) params: Vec<(String, DocType)>,
    pub(super) ret: Option<DocType>,
    /// `@var`, with the variable if one is named.
    pub(super) vars: Vec<(Option<String>, DocType)>,
    pub(super) properties: Vec<(String, DocType)>,
    pub(super) methods: Vec<DocMethod>,
    pub(super) mixins: Vec<DocType>,
    /// Type parameters with their bounds.
    pub(super) templates: Vec<(String, Option<DocType>)>,
    /// Supertypes with type arguments.
    pub(super) supers: Vec<DocType>,
}

/// Most bytes of a comment that are read.
const MOST_BYTES: usize = 8_000;
/// Most tags of a comment that are read.
const MOST_TAGS: usize = 200;
/// Most parts of a tuple.
const MOST_PARTS: usize = 32;
/// Deepest nesting of a type.
const MAX_NESTING: u32 = 12;

impl DocBlock {
    /// Reads a documentation comment.
    pub(super) fn parse(comment: &str) -> DocBlock {
        let mut out = DocBlock::default();
        if !comment.contains('@') {
            return out;
        }
        let mut least_certain: Vec<(String, String)> = Vec::new();
        for (tag, content) in tags(comment) {
            // Tags of checkers say more than the plain ones, so they come first.
            match tag.strip_prefix("phpstan-").or(tag.strip_prefix("psalm-")) {
                Some(tag) => out.add_tag(tag, &content),
                None => least_certain.push((tag, content)),
            }
        }
        for (tag, content) in least_certain {
            out.add_tag(&tag, &content);
        }
        out
    }

    fn add_tag(&mut self, tag: &str, content: &str) {
        match tag {
            "param" => {
                if let (ty, Some(name)) = type_and_variable(content)
                    && self.params.iter().all(|(known, _)| *known != name)
                {
                    self.params.push((name, ty));
                }
            }
            "return" => {
                let found = Parser::new(content).whole();
                if self.ret.is_none() && found != DocType::Unknown {
                    self.ret = Some(found);
                }
            }
            "var" => {
                let (ty, name) = type_and_variable(content);
                self.vars.push((name, ty));
            }
            "property" | "property-read" | "property-write" => {
                if let (ty, Some(name)) = type_and_variable(content) {
                    self.properties.push((name, ty));
                }
            }
            "method" => self.methods.extend(method(content)),
            "mixin" => self.mixins.push(Parser::new(content).whole()),
            "template" | "template-covariant" | "template-contravariant" => {
                self.templates.extend(template(content));
            }
            "extends" | "implements" | "template-extends" | "template-implements" => {
                self.supers.push(Parser::new(content).whole());
            }
            _ => {}
        }
    }
}

/// The tags of a comment, each with the text up to the next one.
fn tags(comment: &str) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    let comment = syntax::builder::head(comment, MOST_BYTES);
    for line in comment.lines() {
        let line = line.trim().trim_start_matches("/**").trim_end_matches("*/");
        let line = line.trim_start().trim_start_matches('*').trim();
        if let Some(tag) = line.strip_prefix('@') {
            if out.len() == MOST_TAGS {
                break;
            }
            let cut = tag.find(|c: char| !c.is_alphanumeric() && c != '-');
            let (tag, content) = tag.split_at(cut.unwrap_or(tag.len()));
            out.push((tag.to_owned(), content.trim().to_owned()));
        } else if let Some((_, content)) = out.last_mut() {
            content.push(' ');
            content.push_str(line);
        }
    }
    out
}

/// `Type $name`.
fn type_and_variable(content: &str) -> (DocType, Option<String>) {
    let mut parser = Parser::new(content);
    if content.starts_with('$') && !content.starts_with("$this") {
        // `$name Type`.
        let name = parser.word().trim_start_matches('$').to_owned();
        return (parser.whole(), Some(name));
    }
    let ty = parser.whole();
    let rest = parser.rest().trim_start();
    let rest = rest.trim_start_matches(['&', '.']);
    let name = rest.strip_prefix('$').map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        rest[..end.unwrap_or(rest.len())].to_owned()
    });
    (ty, name)
}

/// `T of Bound`.
fn template(content: &str) -> Option<(String, Option<DocType>)> {
    let mut parser = Parser::new(content);
    let name = parser.word().to_owned();
    if name.is_empty() {
        return None;
    }
    parser.space();
    let bound = match parser.word() {
        "of" | "as" => Some(parser.whole()),
        _ => None,
    };
    Some((name, bound))
}

/// `static Type name(…)`.
fn method(content: &str) -> Option<DocMethod> {
    let (head, _) = content.split_once('(')?;
    let head = head.trim();
    let (ret, name) = head.rsplit_once(char::is_whitespace).unwrap_or(("", head));
    let ret = ret.trim();
    let ret = ret.strip_prefix("static ").unwrap_or(ret);
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then(|| DocMethod {
        name: name.to_owned(),
        ret: Parser::new(ret).whole(),
    })
}

/// Reads a type.
struct Parser<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Parser<'t> {
    fn new(text: &'t str) -> Parser<'t> {
        Parser { text, at: 0 }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    /// Whether the next sign is that one; it is then read.
    fn takes(&mut self, sign: &str) -> bool {
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    /// A name, which may have separators, or an empty text.
    fn word(&mut self) -> &'t str {
        self.space();
        let rest = self.rest();
        let is_part =
            |c: char| c.is_alphanumeric() || matches!(c, '_' | '\\' | '-' | '$' | ':' | '*');
        let mut end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        // A colon begins a result type, two of them a constant.
        if let Some(colon) = rest[..end].find(':')
            && !rest[colon..].starts_with("::")
        {
            end = colon;
        }
        self.at += end;
        &rest[..end]
    }

    /// A whole type, up to a space that does not belong to it.
    fn whole(&mut self) -> DocType {
        self.space();
        self.union(0)
    }

    fn union(&mut self, nesting: u32) -> DocType {
        if nesting > MAX_NESTING {
            return DocType::Unknown;
        }
        let first = self.suffixed(nesting);
        let (mut any, mut all) = (vec![first], Vec::new());
        loop {
            let before = self.at;
            self.space();
            if self.takes("|") {
                self.space();
                any.push(self.suffixed(nesting));
            } else if self.rest().starts_with('&') && !self.is_reference() {
                self.at += 1;
                self.space();
                all.push(self.suffixed(nesting));
            } else {
                self.at = before;
                break;
            }
        }
        if !all.is_empty() {
            all.extend(any);
            return DocType::All(all);
        }
        match any.len() {
            1 => any.pop().unwrap_or(DocType::Unknown),
            _ => DocType::Union(any),
        }
    }

    /// Whether `&` belongs to the variable that follows.
    fn is_reference(&self) -> bool {
        let rest = self.rest()[1..].trim_start();
        rest.starts_with('$') && !rest.starts_with("$this") || rest.starts_with("...")
    }

    fn suffixed(&mut self, nesting: u32) -> DocType {
        let mut found = self.atom(nesting);
        loop {
            if self.takes("[]") {
                found = DocType::Array(Box::new(found));
            } else if self.rest().starts_with('[') {
                // An access to a part of a type.
                self.skip_brackets();
                found = DocType::Unknown;
            } else {
                return found;
            }
        }
    }

    fn atom(&mut self, nesting: u32) -> DocType {
        if self.takes("?") {
            return DocType::Optional(Box::new(self.suffixed(nesting + 1)));
        }
        if self.rest().starts_with('(') {
            return self.parenthesized(nesting);
        }
        if self.rest().starts_with(['\'', '"']) {
            return self.quoted();
        }
        let name = self.word();
        if name.is_empty() || name.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
            return DocType::Unknown;
        }
        if self.rest().starts_with('{') {
            return self.shape(nesting);
        }
        if name.contains("::") || name.starts_with('$') && name != "$this" {
            return DocType::Unknown;
        }
        if self.rest().starts_with('(') && is_function(name) {
            return self.function(nesting);
        }
        let args = if self.takes("<") {
            self.list('>', nesting)
        } else {
            Vec::new()
        };
        DocType::Name(name.to_owned(), args)
    }

    /// `{0: A, 1: B}`: a tuple if all keys are the next numbers, or are left out.
    fn shape(&mut self, nesting: u32) -> DocType {
        let array = DocType::Name("array".to_owned(), Vec::new());
        let start = self.at;
        self.skip_brackets();
        let end = self.at;
        let text = self.text.get(start + 1..end.max(start + 2) - 1);
        let mut inner = Parser::new(text.unwrap_or_default());
        let mut parts = Vec::new();
        loop {
            inner.space();
            if inner.rest().is_empty() {
                break;
            }
            let before = inner.at;
            let key = inner.word();
            let is_key = inner.takes(":") || inner.takes("?:");
            if is_key && key.parse() != Ok(parts.len()) {
                return array;
            }
            if !is_key {
                inner.at = before;
            }
            inner.space();
            let part = inner.union(nesting + 1);
            inner.space();
            let ends = inner.rest().is_empty();
            if !ends && !inner.takes(",") || parts.len() == MOST_PARTS {
                return array;
            }
            parts.push(part);
        }
        if parts.is_empty() {
            return array;
        }
        DocType::Tuple(parts)
    }

    fn parenthesized(&mut self, nesting: u32) -> DocType {
        let start = self.at;
        self.at += 1;
        self.space();
        let inner = self.union(nesting + 1);
        self.space();
        if self.takes(")") {
            return inner;
        }
        // A condition on a parameter.
        self.at = start;
        self.skip_brackets();
        DocType::Unknown
    }

    fn quoted(&mut self) -> DocType {
        let rest = self.rest();
        let quote = &rest[..1];
        let end = rest[1..].find(quote).map_or(rest.len(), |end| end + 2);
        self.at += end;
        DocType::Name("string".to_owned(), Vec::new())
    }

    fn function(&mut self, nesting: u32) -> DocType {
        self.at += 1;
        let params = self.list(')', nesting);
        let before = self.at;
        self.space();
        if !self.takes(":") {
            self.at = before;
            return DocType::Function(params, None);
        }
        self.space();
        let ret = self.suffixed(nesting + 1);
        DocType::Function(params, Some(Box::new(ret)))
    }

    /// Types up to a closing sign, which is read.
    fn list(&mut self, close: char, nesting: u32) -> Vec<DocType> {
        let mut out = Vec::new();
        loop {
            self.space();
            let before = self.at;
            if self.takes(close.encode_utf8(&mut [0; 4])) || self.rest().is_empty() {
                return out;
            }
            out.push(self.union(nesting + 1));
            self.skip_to_end_of_item(close);
            if !self.takes(",") && self.at == before {
                self.at += self.rest().chars().next().map_or(0, char::len_utf8);
            }
        }
    }

    /// Skips what follows a type in a list: the name of a parameter, `=`.
    fn skip_to_end_of_item(&mut self, close: char) {
        let rest = self.rest();
        self.at += rest.find([',', close]).unwrap_or(rest.len());
    }

    /// Skips a bracket with its contents.
    fn skip_brackets(&mut self) {
        let mut depth = 0usize;
        for (at, c) in self.rest().char_indices() {
            match c {
                '{' | '(' | '[' | '<' => depth += 1,
                '}' | ')' | ']' | '>' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                self.at += at + c.len_utf8();
                return;
            }
        }
        self.at = self.text.len();
    }
}

/// Whether a type with that name has parameters in parentheses.
fn is_function(name: &str) -> bool {
    let last = name.rsplit('\\').next().unwrap_or(name);
    last.eq_ignore_ascii_case("callable")
        || last.eq_ignore_ascii_case("closure")
        || last.ends_with("-callable")
        || last.ends_with("-closure")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> DocType {
        DocType::Name(text.to_owned(), Vec::new())
    }

    #[test]
    fn types_end_where_their_text_ends() {
        let parsed = |text: &str| Parser::new(text).whole();
        assert_eq!(parsed("Foo the thing"), name("Foo"));
        assert_eq!(
            parsed("?\\A\\B[]"),
            DocType::Optional(Box::new(DocType::Array(Box::new(name("\\A\\B")))))
        );
        assert_eq!(
            parsed("A | null"),
            DocType::Union(vec![name("A"), name("null")])
        );
        assert_eq!(
            parsed("array<string, list<Foo>> x"),
            DocType::Name(
                "array".to_owned(),
                vec![
                    name("string"),
                    DocType::Name("list".to_owned(), vec![name("Foo")])
                ]
            )
        );
        assert_eq!(parsed("array{a: Foo, b?: Bar}"), name("array"));
        let pair = DocType::Tuple(vec![name("Foo"), DocType::Array(Box::new(name("Bar")))]);
        assert_eq!(parsed("array{0: Foo, 1: Bar[]}"), pair);
        assert_eq!(parsed("array{Foo, Bar[]} the pair"), pair);
        assert_eq!(
            parsed("callable(A, B $b): C"),
            DocType::Function(vec![name("A"), name("B")], Some(Box::new(name("C"))))
        );
        assert_eq!(parsed("($x is true ? A : B)"), DocType::Unknown);
        assert_eq!(
            parsed("(A|B)[]"),
            DocType::Array(Box::new(DocType::Union(vec![name("A"), name("B")])))
        );
    }

    #[test]
    fn tags_of_checkers_come_first() {
        let found = DocBlock::parse(
            "/**\n * Text.\n * @param array $a the\n *   list\n * @psalm-param Foo[] $a\n * @return $this\n \
             * @method static Foo make(int $x)\n * @property-read Bar $bar\n * @template T of Foo\n */",
        );
        assert_eq!(
            found.params,
            [("a".to_owned(), DocType::Array(Box::new(name("Foo"))))]
        );
        assert_eq!(found.ret, Some(name("$this")));
        assert_eq!(
            found.methods,
            [DocMethod {
                name: "make".to_owned(),
                ret: name("Foo")
            }]
        );
        assert_eq!(found.properties, [("bar".to_owned(), name("Bar"))]);
        assert_eq!(found.templates, [("T".to_owned(), Some(name("Foo")))]);
    }

    #[test]
    fn damaged_types_end() {
        for text in [
            "",
            "<",
            "A<",
            "A<<<<",
            "(((((",
            "A{",
            "callable(",
            "A|",
            "?",
            "A[",
            "'",
            "A<,>",
            "A{é",
            "A{}",
            "A{a{",
            "$x",
            "é<é",
        ] {
            Parser::new(text).whole();
        }
    }
}
