//! The parts of a generated parser: definitions, enumerations, arrays, functions. Each begins at the start of a line and
//! ends with a closing brace at the start of a line.

use crate::ReadError;
use crate::tokens::Tokens;
use std::collections::BTreeMap;

/// Bytes of the text, from and to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Part {
    pub(crate) start: usize,
    pub(crate) end: usize,
}

/// The parts of a generated parser.
pub(crate) struct Source<'a> {
    pub(crate) text: &'a [u8],
    /// Lines `#define NAME VALUE`.
    pub(crate) definitions: Vec<Part>,
    pub(crate) enumerations: Vec<Part>,
    /// Arrays by name, from their declaration on.
    pub(crate) arrays: BTreeMap<&'a [u8], Part>,
    /// The function `ts_lex`, and `ts_lex_keywords` if there is one.
    pub(crate) lexers: Vec<Part>,
}

impl<'a> Source<'a> {
    /// Finds the parts of the text.
    pub(crate) fn new(text: &'a [u8]) -> Result<Source<'a>, ReadError> {
        let mut source = Source {
            text,
            definitions: Vec::new(),
            enumerations: Vec::new(),
            arrays: BTreeMap::new(),
            lexers: Vec::new(),
        };
        let mut at = 0;
        while at < text.len() {
            at = source.take_part(at)?;
        }
        Ok(source)
    }

    /// Tokens of a part.
    pub(crate) fn tokens(&self, part: Part) -> Tokens<'a> {
        Tokens::new(self.text, part.start, part.end)
    }

    /// Takes the part that begins in the line at `start`. Returns where the next line or part begins.
    fn take_part(&mut self, start: usize) -> Result<usize, ReadError> {
        let line_end = find(self.text, start, b"\n").unwrap_or(self.text.len());
        let line = &self.text[start..line_end];
        let line_part = Part {
            start,
            end: line_end,
        };
        if line.starts_with(b"#define ") {
            self.definitions.push(line_part);
            return Ok(line_end + 1);
        }
        let is_array = line.starts_with(b"static ") && ends_with(line, b"= {");
        let is_enumeration = line.starts_with(b"enum ") && ends_with(line, b"{");
        let is_lexer = line.starts_with(b"static bool ts_lex");
        if !(is_array || is_enumeration || is_lexer) {
            return Ok(line_end + 1);
        }
        let end = find(self.text, start, b"\n}").map(|end| end + 2);
        let end = end.ok_or_else(|| self.tokens(line_part).error("the part does not end"))?;
        let part = Part { start, end };
        if is_array {
            let head = line.split(|byte| *byte == b'[').next().unwrap_or_default();
            let name = head.rsplit(|byte| matches!(byte, b' ' | b'*')).next();
            self.arrays.insert(name.unwrap_or_default(), part);
        } else if is_enumeration {
            self.enumerations.push(part);
        } else {
            self.lexers.push(part);
        }
        Ok(end)
    }

    /// The C code of the lexer functions: what comes before their end, without arrays that they do not use. The functions
    /// can be called from other files, by the names that are given.
    pub(crate) fn lexer_code(&self, lexer: &str, keyword_lexer: &str) -> Vec<u8> {
        let mut code = Vec::new();
        let mut at = 0;
        let end = self.lexers.iter().map(|part| part.end).max().unwrap_or(0);
        let unused = |name: &[u8]| name.starts_with(b"ts_");
        let mut cut: Vec<Part> = self
            .arrays
            .iter()
            .filter(|(name, part)| unused(name) && part.start < end)
            .map(|(_, part)| *part)
            .collect();
        cut.sort_by_key(|part| part.start);
        for part in cut {
            code.extend_from_slice(&self.text[at..part.start]);
            // What follows is the semicolon.
            at = part.end + 1;
        }
        code.extend_from_slice(&self.text[at..end]);
        let code = String::from_utf8_lossy(&code).into_owned();
        let code = code.replace("static bool ts_lex(", &format!("bool {lexer}("));
        let keywords = format!("bool {keyword_lexer}(");
        code.replace("static bool ts_lex_keywords(", &keywords)
            .into_bytes()
    }
}

/// Where the bytes are found from `start` on.
pub(crate) fn find(text: &[u8], start: usize, bytes: &[u8]) -> Option<usize> {
    let first = *bytes.first()?;
    let mut at = start;
    while let Some(next) = text.get(at..)?.iter().position(|byte| *byte == first) {
        at += next;
        if text[at..].starts_with(bytes) {
            return Some(at);
        }
        at += 1;
    }
    None
}

fn ends_with(line: &[u8], end: &[u8]) -> bool {
    line.trim_ascii_end().ends_with(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "#include \"tree_sitter/parser.h\"\n#define STATE_COUNT 2\nenum ts_symbol_identifiers {\n  sym_a = 1,\n};\n\nstatic const TSSymbol ts_symbol_map[] = {\n  [0] = 0,\n};\nstatic const TSCharacterRange sym_a_character_set_1[] = {\n  {'a', 'b'},\n};\nstatic bool ts_lex(TSLexer *lexer, TSStateId state) {\n  START_LEXER();\n}\n\nstatic const uint32_t ts_small_parse_table_map[] = {\n};\n";

    #[test]
    fn parts_have_their_names() {
        let source = Source::new(TEXT.as_bytes()).unwrap();
        let names: Vec<&[u8]> = source.arrays.keys().copied().collect();
        let expected: [&[u8]; 3] = [
            b"sym_a_character_set_1",
            b"ts_small_parse_table_map",
            b"ts_symbol_map",
        ];
        assert_eq!(names, expected);
        let counts = [
            source.definitions.len(),
            source.enumerations.len(),
            source.lexers.len(),
        ];
        assert_eq!(counts, [1, 1, 1]);
        assert!(Source::new(b"enum a {\n  b,\n").is_err());
    }

    #[test]
    fn the_code_of_the_lexer_has_no_tables() {
        let source = Source::new(TEXT.as_bytes()).unwrap();
        let code = String::from_utf8(source.lexer_code("a_lex", "a_words")).unwrap();
        assert!(
            code.ends_with("\nbool a_lex(TSLexer *lexer, TSStateId state) {\n  START_LEXER();\n}")
        );
        assert!(code.contains("sym_a = 1") && code.contains("sym_a_character_set_1[] = {"));
        assert!(!code.contains("ts_symbol_map") && !code.contains("ts_small"));
    }
}
