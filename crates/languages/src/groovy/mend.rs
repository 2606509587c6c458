//! Sources of Groovy as the grammar can read them. It is close to Java and stumbles over most bodies, over arguments of
//! annotations, names in quotes, and members without a value. So these are blanked, and what is left are the
//! definitions. Functions of such a file have no measured complexity.

use crate::conditions::blank;

/// The source with definitions alone, and of the same length.
pub(super) fn mend(source: &str) -> Option<String> {
    let mut reader = Reader {
        source: source.as_bytes(),
        out: source.as_bytes().to_vec(),
        at: 0,
        blocks: Vec::new(),
        parens: 0,
        statement: 0,
        body: None,
        value: None,
    };
    reader.read();
    String::from_utf8(reader.out).ok()
}

struct Reader<'s> {
    source: &'s [u8],
    out: Vec<u8>,
    at: usize,
    /// The open blocks, and whether each is the body of a type.
    blocks: Vec<bool>,
    /// Open parentheses and brackets.
    parens: usize,
    /// The start of the statement.
    statement: usize,
    /// The start of the outermost block that is no body of a type, and the number of blocks there.
    body: Option<(usize, usize)>,
    /// The sign before the value of a member.
    value: Option<usize>,
}

impl Reader<'_> {
    fn read(&mut self) {
        while let Some(byte) = self.source.get(self.at).copied() {
            match byte {
                b'/' if self.rest().starts_with(b"//") => self.at = self.line_end(),
                b'/' if self.rest().starts_with(b"/*") => self.at = self.after(2, b"*/"),
                b'/' if self.may_be_pattern() => self.pattern(),
                b'"' | b'\'' => self.text(),
                b'@' if self.is_definition() => self.annotation(),
                b'{' => self.open_block(),
                b'}' => self.close_block(),
                b'(' | b'[' => {
                    self.parens += 1;
                    self.at += 1;
                }
                b')' | b']' => {
                    self.parens = self.parens.saturating_sub(1);
                    self.at += 1;
                }
                b'=' if self.is_definition() && self.parens == 0 => self.equals(),
                b'\n' | b';' => self.end_statement(byte),
                _ => self.at += 1,
            }
        }
    }

    fn rest(&self) -> &[u8] {
        &self.source[self.at..]
    }

    fn byte(&self, at: usize) -> Option<u8> {
        self.source.get(at).copied()
    }

    /// Whether the current place is neither in a body nor in a value.
    fn is_definition(&self) -> bool {
        self.body.is_none() && self.value.is_none()
    }

    fn line_end(&self) -> usize {
        let end = self.rest().iter().position(|byte| *byte == b'\n');
        end.map_or(self.source.len(), |end| self.at + end)
    }

    /// The byte after the next such mark, which begins no earlier than some bytes from here.
    fn after(&self, from: usize, mark: &[u8]) -> usize {
        let rest = self.rest().get(from..).unwrap_or_default();
        let found = rest.windows(mark.len()).position(|window| window == mark);
        found.map_or(self.source.len(), |found| {
            self.at + from + found + mark.len()
        })
    }

    /// The byte after a text that begins at a place. One with a single quote ends with its line.
    fn text_end(&self, at: usize) -> usize {
        let quote = &self.source[at..at + 1];
        let triple = quote.repeat(3);
        if self.source[at..].starts_with(&triple) {
            let rest = &self.source[at + 3..];
            let end = rest.windows(3).position(|window| window == triple);
            return end.map_or(self.source.len(), |end| at + 3 + end + 3);
        }
        let mut end = at + 1;
        while let Some(byte) = self.byte(end).filter(|byte| *byte != b'\n') {
            end += 1;
            match byte {
                b'\\' => end += 1,
                _ if byte == quote[0] => break,
                _ => {}
            }
        }
        end.min(self.source.len())
    }

    /// A text in quotes: the name of a method, which becomes a plain name, or a value, which becomes a number.
    fn text(&mut self) {
        let end = self.text_end(self.at);
        if self.is_definition() {
            let follows = self.source[end..].trim_ascii_start().first();
            let before = &self.source[self.statement..self.at];
            let is_name =
                follows == Some(&b'(') && before.last().is_some_and(u8::is_ascii_whitespace);
            let fill = if is_name { b'n' } else { b'1' };
            for byte in self.out[self.at..end]
                .iter_mut()
                .filter(|byte| **byte != b'\n')
            {
                *byte = fill;
            }
        }
        self.at = end;
    }

    fn may_be_pattern(&self) -> bool {
        let before = self.source[..self.at].trim_ascii_end();
        let is_after_sign = before.last().is_some_and(|byte| b"=(,:~[".contains(byte));
        is_after_sign || before.ends_with(b"return")
    }

    /// A pattern between slashes, on one line.
    fn pattern(&mut self) {
        let mut end = self.at + 1;
        while let Some(byte) = self.byte(end).filter(|byte| *byte != b'\n') {
            end += 1;
            match byte {
                b'\\' => end += 1,
                b'/' => {
                    self.at = end.min(self.source.len());
                    return;
                }
                _ => {}
            }
        }
        self.at += 1;
    }

    /// The arguments of an annotation are blanked.
    fn annotation(&mut self) {
        let rest = &self.rest()[1..];
        let is_name = |byte: &&u8| is_word(**byte) || **byte == b'.';
        let length = rest.iter().take_while(is_name).count();
        if rest.starts_with(b"interface") || length == 0 {
            self.at += 1;
            return;
        }
        self.at += 1 + length;
        if self.byte(self.at) == Some(b'(') {
            let end = self.close_parens(self.at);
            blank(&mut self.out, &[(self.at, end)]);
            self.at = end;
        }
    }

    /// The byte after the parenthesis that closes the one at a place.
    fn close_parens(&self, at: usize) -> usize {
        let (mut depth, mut at) = (0, at);
        while let Some(byte) = self.byte(at) {
            match byte {
                b'"' | b'\'' => {
                    at = self.text_end(at);
                    continue;
                }
                b'(' => depth += 1,
                b')' if depth == 1 => return at + 1,
                b')' => depth -= 1,
                _ => {}
            }
            at += 1;
        }
        self.source.len()
    }

    fn open_block(&mut self) {
        let is_definition = self.is_definition();
        let keyword = is_definition.then(|| self.type_keyword()).flatten();
        if let Some((at, b"trait")) = keyword {
            self.out[at..at + 5].copy_from_slice(b"class");
        }
        self.blocks.push(keyword.is_some());
        self.at += 1;
        self.statement = self.at;
        if keyword.is_none() && self.body.is_none() && self.value.is_none() {
            self.body = Some((self.at, self.blocks.len()));
        }
    }

    fn close_block(&mut self) {
        if let Some((start, level)) = self.body
            && level == self.blocks.len()
        {
            blank(&mut self.out, &[(start, self.at)]);
            self.body = None;
        }
        self.blocks.pop();
        self.at += 1;
        self.statement = self.at;
    }

    /// The keyword of a type in the statement before a block, with its place.
    fn type_keyword(&self) -> Option<(usize, &'static [u8])> {
        const WORDS: [&[u8]; 4] = [b"class", b"interface", b"enum", b"trait"];
        let from = self.statement.max(self.at.saturating_sub(MOST_HEAD));
        let head = self.out.get(from..self.at)?;
        WORDS.into_iter().find_map(|word| {
            let mut found = head.windows(word.len()).enumerate();
            let at =
                found.find(|(at, window)| *window == word && is_whole_word(head, *at, word.len()));
            at.map(|(at, _)| (from + at, word))
        })
    }

    fn equals(&mut self) {
        let is_comparison = matches!(self.byte(self.at + 1), Some(b'=' | b'~'));
        if is_comparison {
            self.at += 2;
        } else {
            self.value = Some(self.at);
            self.at += 1;
        }
    }

    fn end_statement(&mut self, byte: u8) {
        let goes_on = byte == b'\n' && self.goes_on();
        if self.parens == 0 && self.body.is_none() && !goes_on {
            match self.value.take() {
                Some(start) => self.blank_value(start),
                None if byte == b'\n' => self.end_member(),
                None => {}
            }
            self.statement = self.at + 1;
        }
        self.at += 1;
    }

    /// Whether a statement goes on in the next line.
    fn goes_on(&self) -> bool {
        let rest = self.rest();
        let rest = &rest[..rest.len().min(MOST_BLANK)];
        let next = rest.trim_ascii_start().first();
        let is_continued = next.is_some_and(|byte| b".?:+-*&|".contains(byte));
        let before = self
            .value
            .map(|value| self.source[value..self.at].trim_ascii_end());
        let is_open = before
            .and_then(<[u8]>::last)
            .is_some_and(|b| b"=+-*,&|?:([".contains(b));
        is_continued || is_open
    }

    /// Blanks a value; a semicolon follows the name.
    fn blank_value(&mut self, start: usize) {
        blank(&mut self.out, &[(start, self.at)]);
        let name_end = self.out[..start].trim_ascii_end().len();
        if self.out.get(name_end) == Some(&b' ') {
            self.out[name_end] = b';';
        }
    }

    /// A member without a value gets a semicolon. If nothing is blank behind it, the line's end moves into the space at the
    /// beginning of the next line.
    fn end_member(&mut self) {
        let is_in_type = self.blocks.last() == Some(&true);
        if !(is_in_type && is_member(&self.out[self.statement..self.at])) {
            return;
        }
        let name_end = self.out[..self.at].trim_ascii_end().len();
        if name_end < self.at {
            self.out[name_end] = b';';
            return;
        }
        let breaks = self
            .rest()
            .iter()
            .take_while(|byte| **byte == b'\n')
            .count();
        let next = self.at + breaks;
        if matches!(self.byte(next), Some(b' ' | b'\t')) {
            self.out[self.at] = b';';
            self.out[next] = b'\n';
        }
    }
}

/// Most bytes between a line and the one that may continue it.
const MOST_BLANK: usize = 200;
/// Most bytes of a statement that are searched for the keyword of a type.
const MOST_HEAD: usize = 2_000;

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

fn is_whole_word(text: &[u8], at: usize, length: usize) -> bool {
    let before = at.checked_sub(1).and_then(|before| text.get(before));
    let after = text.get(at + length);
    let is_part = |byte: Option<&u8>| byte.is_some_and(|byte| is_word(*byte) || *byte == b'.');
    !is_part(before) && !is_part(after)
}

/// Whether a statement is a type and a name, with modifiers before it.
fn is_member(statement: &[u8]) -> bool {
    const OTHERS: [&str; 10] = [
        "class",
        "interface",
        "enum",
        "trait",
        "extends",
        "implements",
        "package",
        "import",
        "throws",
        "return",
    ];
    let Ok(text) = std::str::from_utf8(statement) else {
        return false;
    };
    let Some(line) = text.lines().next_back() else {
        return false;
    };
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_type = |word: &&str| {
        let is_part = |c: char| c.is_alphanumeric() || "_$.<>[]?,".contains(c);
        word.chars().all(is_part) && !OTHERS.contains(word)
    };
    let is_name = |word: &&str| word.bytes().all(is_word);
    words.len() > 1 && words.iter().all(is_type) && words.last().is_some_and(is_name)
}

#[cfg(test)]
mod tests {
    use super::mend;
    use crate::fixture::names::names;
    use base::Language;

    #[test]
    fn members_are_found_around_what_the_grammar_cannot_read() {
        let source = "@Foo(a = [b: { 1 }])\nclass A extends B {\n    String name\n    private int size = [1,\n      2].size()\n    @Bar Path dir\n\n    def 'does it well' () {\n        x == y\n        where: 'a' << { it }\n    }\n    A(String name) { this.name = name }\n}\ntrait C {\n    int count() { ~/a{/ }\n}\n";
        let expected = [
            "class A",
            "field A.name",
            "field A.size",
            "field A.dir",
            "method A.does it well",
            "constructor A.A",
            "class C",
            "method C.count",
        ];
        assert_eq!(names(Language::Groovy, source), expected);
    }

    #[test]
    fn what_is_mended_has_the_same_length() {
        for source in [
            "'",
            "'''",
            "/*",
            "@",
            "@a(",
            "x = /",
            "class A {\n  int a\n",
            "}}",
            "é = 'é",
            "\"\\",
        ] {
            let text = mend(source).unwrap();
            assert_eq!(text.len(), source.len(), "{source}");
        }
    }
}
