//! Finds the value of a name that suggests a secret: declarations with types, calls, defaults, pairs of name and value,
//! elements and attributes, flags. The distance between name and value is short, and the text between them is read
//! token by token.

use super::forms::Body;
use super::likely::VALUES;
use super::likely::{self, ValueContext, is_likely_secret};
use super::names::{self, SecretNameKind};
use super::scan::{LOOK, Scan, is_base64_user_password};
use crate::list::{self, WordList};
use std::ops::Range;
use std::sync::LazyLock;

/// Most bytes between a name and its value.
pub(super) const WAY: usize = 256;
/// Texts that stand before checksums.
const SUMS: [&str; 7] = [
    " h1:",
    "sha256",
    "sha512-",
    "sha1",
    "integrity",
    "checksum",
    "md5",
];
const CDATA: &[u8] = b"<![CDATA[";
/// Arguments and fields that hold a value, whatever the name before them.
pub(super) static VALUE_WORDS: WordList =
    LazyLock::new(|| list::words(list::section(VALUES, "value words")).collect());
/// Words that stand before names at the beginning of a line.
const LEADS: [&str; 14] = [
    "",
    "export",
    "set",
    "env",
    "arg",
    "-",
    "setx",
    "const",
    "declare -x",
    "set -x",
    "set -gx",
    "echo",
    "+",
    "@",
];

/// Surroundings of a name.
pub(super) struct LineContext {
    /// Start of its line, in bytes.
    pub(super) line: usize,
    /// The quote around it.
    string: Option<u8>,
    /// Values without quotes are values, not code.
    bare: bool,
    /// Whether a `;` stands before it, as in a list of settings.
    semicolon: bool,
    /// Whether it begins its line, so that its value may reach to the end.
    leads: bool,
}

/// State of the scan from a name to its value.
#[derive(Default)]
pub(super) struct ValuePath {
    connected: bool,
    open: bool,
    /// Something other than `:` connects them.
    assigned: bool,
    loose: bool,
    tried: bool,
    /// A question mark was passed: the text before a colon is no name.
    asked: bool,
    /// Whether a comma leads to the value: the name is a text itself, or in brackets.
    listed: bool,
    /// A sentence leads to the value.
    prose: bool,
    blank: bool,
    depth: usize,
    lines: usize,
    words: usize,
    literals: usize,
}

impl ValuePath {
    fn has_passed_tokens(&self) -> bool {
        self.words + self.literals > 0
    }

    pub(super) fn value_context(&self) -> ValueContext {
        ValueContext {
            quoted: true,
            loose: self.loose,
        }
    }
}

/// Result of a step.
pub(super) enum StepOutcome {
    On(usize),
    Done,
}

impl Scan<'_> {
    /// Looks for the value of the name that contains the keyword.
    pub(super) fn scan_named_value(&mut self, hit: Range<usize>) {
        if hit.end <= self.named {
            return;
        }
        let (start, end) = self.expand_to_identifier(&hit);
        self.named = end;
        let Some(promise) = names::classify_name(&self.text[start..end], self.word_before(start))
        else {
            return;
        };
        if self.is_pass_verb(start, end) || self.is_inside_base64(start) {
            return;
        }
        let mut frame = self.line_context(start, end);
        frame.bare = frame.bare || self.is_in_block(start);
        let before = self.found.len();
        self.search_value_after(start..end, promise, &frame);
        if self.found.len() == before && self.is_value_of_name_key(&(start..end), &frame) {
            self.scan_value_before_name(&(start..end), promise);
        }
        if self.found.len() == before {
            self.scan_markdown_column(&(start..end), frame.line, promise);
            self.scan_sql_insert(&(start..end), promise);
        }
        if self.found.len() == before && promise != SecretNameKind::Perhaps {
            self.scan_generated_words_nearby(frame.line, end);
        }
    }

    /// Whether it is `pass` or `one-pass` without a value.
    fn is_pass_verb(&self, start: usize, end: usize) -> bool {
        let name = &self.text[start..end];
        let flag = start > 0 && self.bytes[start - 1] == b'-';
        let verb =
            !flag && name == "pass" || name.ends_with(".pass") || !flag && name.ends_with("-pass");
        let next = self.bytes[end..].iter().take(3).find(|b| **b != b' ');
        let noun = matches!(
            self.word_before(start).to_ascii_lowercase().as_str(),
            "db" | "database"
                | "smtp"
                | "ftp"
                | "mail"
                | "ldap"
                | "keystore"
                | "user"
                | "admin"
                | "root"
        );
        verb && !noun && !matches!(next, Some(b'=' | b':' | b'"' | b'\''))
    }

    /// Whether it is a piece of base64, which contains every short word somewhere.
    fn is_inside_base64(&self, start: usize) -> bool {
        start > 0 && matches!(self.bytes[start - 1], b'+' | b'/') && {
            let before = self.bytes[..start - 1].iter().rev().take(24);
            before.take_while(|b| Body::Base64.contains(**b)).count() == 24
        }
    }

    fn expand_to_identifier(&self, hit: &Range<usize>) -> (usize, usize) {
        let named = |b: u8| Body::Dotted.contains(b) || b >= 0x80;
        let (mut start, mut end) = (hit.start, hit.end);
        while start > 0 && hit.start - start < 48 && named(self.bytes[start - 1]) {
            start -= 1;
        }
        while end < self.bytes.len() && end - hit.end < 32 && named(self.bytes[end]) {
            end += 1;
        }
        while !self.text.is_char_boundary(start) {
            start += 1;
        }
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        // A keyword may end in a symbol: `auth=`.
        let kept = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b >= 0x80;
        let name = &self.text[start..end];
        if let Some(colon) = name.find('：') {
            end = start + colon;
        }
        while end > start && !kept(self.bytes[end - 1]) {
            end -= 1;
        }
        while start < end && !kept(self.bytes[start]) {
            start += 1;
        }
        if let Some(sign) = self.bytes[start..end].iter().position(|b| !named(*b)) {
            end = start + sign;
        }
        (start, end.max(start))
    }

    /// The word before a name, one blank between them.
    fn word_before(&self, start: usize) -> &str {
        if start < 2 || self.bytes[start - 1] != b' ' {
            return "";
        }
        let word = self.bytes[..start - 1].iter().rev().take(16);
        let length = word.take_while(|b| b.is_ascii_alphabetic()).count();
        &self.text[start - 1 - length..start - 1]
    }

    fn line_context(&self, start: usize, end: usize) -> LineContext {
        let from = floor_char_boundary(self.text, start.saturating_sub(LOOK));
        let end_before = self.bytes[from..start].iter().rposition(|b| *b == b'\n');
        // If the line began too far before, its beginning is unknown.
        let cut = from > 0 && end_before.is_none();
        let line = end_before.map_or(from, |at| from + at + 1);
        let to = start - self.quotes_around(start, end).0;
        let before = &self.bytes[line.min(to)..to];
        let indent = before.len() - before.trim_ascii_start().len();
        let (mut string, mut comment, mut at) = (None, false, 0);
        while at < before.len() {
            let byte = before[at];
            match (string, byte) {
                (_, b'\\') => at += 1,
                (None, b'"' | b'\'' | b'`') => string = Some(byte),
                (Some(quote), _) if quote == byte => string = None,
                (None, b'#') => comment = true,
                (None, b'/' | b'-') if before.get(at + 1) == Some(&byte) => comment = true,
                (None, b'*') if at == indent => comment = true,
                _ => {}
            }
            at += 1;
        }
        let comment = comment || before.windows(2).any(|two| two == b"/*");
        let lead = before.trim_ascii();
        let known = |word: &&str| lead.eq_ignore_ascii_case(word.as_bytes());
        let leads = LEADS.iter().any(known) && string.is_none();
        LineContext {
            line,
            string,
            bare: !self.code || !cut && (comment || string.is_some()),
            semicolon: start > 0 && self.bytes[start - 1] == b';',
            leads: leads && !cut,
        }
    }

    /// Number of bytes of quotes, and of symbols within them, before a name, and number of bytes of quotes after it.
    fn quotes_around(&self, start: usize, end: usize) -> (usize, usize) {
        let quote = |b: u8| matches!(b, b'"' | b'\'' | b'`');
        if start >= 2 && self.bytes[start - 2] == b'\\' && quote(self.bytes[start - 1]) {
            let closes = self.bytes[end..].starts_with(&self.bytes[start - 2..start]);
            return if closes { (2, 2) } else { (0, 0) };
        }
        // A symbol of Ruby, Clojure or a variable may stand in between, or the dashes of a flag.
        let signs = self.bytes[..start].iter().rev().take(2);
        let sign = signs
            .take_while(|b| matches!(b, b':' | b'$' | b'-'))
            .count();
        let at = start - sign;
        let closes = at >= 1
            && quote(self.bytes[at - 1])
            && self.bytes.get(end) == Some(&self.bytes[at - 1]);
        if closes {
            return (sign + 1, 1);
        }
        if !self.bytes.get(end).is_some_and(|b| quote(*b)) {
            return (0, 0);
        }
        // `"Auth:ApiKey"`, `"db/password"`.
        let path = |b: &u8| Body::Dotted.contains(*b) || matches!(b, b':' | b'/');
        let length = self.bytes[..start].iter().rev().take(40);
        let length = length.take_while(|b| path(b)).count();
        let opens = length < start && length > 0 && quote(self.bytes[start - length - 1]);
        if opens && self.bytes.get(end) == Some(&self.bytes[start - length - 1]) {
            (length + 1, 1)
        } else {
            (0, 0)
        }
    }

    fn search_value_after(
        &mut self,
        name: Range<usize>,
        promise: SecretNameKind,
        frame: &LineContext,
    ) {
        let quotes = self.quotes_around(name.start, name.end).1;
        let mut at = name.end + quotes;
        if self.scan_xml_element(&name, at, quotes > 0, promise)
            || self.scan_value_on_next_line(&name, at, promise, frame)
        {
            return;
        }
        if quotes > 0 && self.scan_default_in_block(at, promise) {
            return;
        }
        if quotes == 0 && self.scan_space_separated_value(&name, promise, frame) {
            return;
        }
        if self.code && !frame.bare && frame.leads && self.scan_embedded_assignment(&name, promise)
        {
            return;
        }
        let mut way = ValuePath {
            listed: quotes > 0
                || self.is_value_of_name_key(&name, frame)
                || self.is_compare_or_copy_argument(&name, frame)
                || !self.code && name.start > 0 && self.bytes[name.start - 1] == b'{',
            open: quotes == 0 && matches!(self.word_before(name.start), "def" | "fun"),
            connected: quotes == 0 && matches!(self.word_before(name.start), "def" | "fun"),
            ..ValuePath::default()
        };
        while at < self.bytes.len() && at < name.end + WAY {
            match self.advance_to_value(at, promise, frame, &mut way) {
                StepOutcome::On(next) => at = next.max(at + 1),
                StepOutcome::Done => return,
            }
        }
    }

    fn advance_to_value(
        &mut self,
        at: usize,
        promise: SecretNameKind,
        frame: &LineContext,
        way: &mut ValuePath,
    ) -> StepOutcome {
        let byte = self.bytes[at];
        let first = way.connected && !way.tried && !way.has_passed_tokens() && frame.bare;
        // `&anchor` and `!tag` of YAML.
        if first && !self.code && matches!(byte, b'&' | b'!') {
            let mark = self.bytes[at + 1..]
                .iter()
                .take(24)
                .take_while(|b| b.is_ascii_alphabetic())
                .count();
            if mark > 0 && self.bytes.get(at + 1 + mark) == Some(&b' ') {
                return StepOutcome::On(at + mark + 1);
            }
        }
        // The masked text was the value; the words after it are not.
        if first && self.bytes[at..].starts_with(b"***") {
            return StepOutcome::Done;
        }
        if first
            && !matches!(
                byte,
                b' ' | b'\t' | b'\r' | b'\n' | b'=' | b':' | b'>' | b'"' | b'\'' | b'`' | b'\\'
            )
            && !(byte == b'*' && matches!(self.bytes.get(at + 1), Some(b'*' | b' ')))
        {
            way.tried = true;
            if self.scan_bare_value(at, promise, frame, way.prose) {
                return StepOutcome::Done;
            }
        }
        match byte {
            b' ' | b'\t' | b'\r' => {
                way.blank = true;
                StepOutcome::On(at + 1)
            }
            b'\n'
                if way.lines < self.max_line_breaks(promise, way)
                    && (way.open || self.continues_expression(at + 1)) =>
            {
                way.lines += 1;
                way.tried = true;
                StepOutcome::On(at + 1)
            }
            b'\'' if at > 0 && matches!(self.bytes[at - 1], b'&' | b'<') => StepOutcome::On(at + 1),
            b'"' | b'\'' | b'`' if frame.string == Some(byte) => StepOutcome::Done,
            b'<' if self.bytes.get(at + 1) == Some(&b'<') && self.scan_heredoc(at, promise) => {
                StepOutcome::Done
            }
            b'[' if way.connected && self.bytes.get(at + 1) == Some(&b'[') => {
                self.scan_delimited_value(at + 2, b"]]", promise, way)
            }
            b'%' | b'q' if way.connected && self.percent_literal_start(at).is_some() => {
                let (from, close) = self.percent_literal_start(at).unwrap_or((at + 1, b")"));
                self.scan_delimited_value(from, close, promise, way)
            }
            b'"' | b'\'' | b'`' => self.scan_quoted_literal(at, 1, promise, way),
            b'\\' if matches!(self.bytes.get(at + 1), Some(b'"' | b'\'')) => {
                self.scan_quoted_literal(at, 2, promise, way)
            }
            b'{' if self.bytes[at..].starts_with(b"{ get") => {
                match self.bytes[at..].iter().take(40).position(|b| *b == b'}') {
                    Some(end) => StepOutcome::On(at + end + 1),
                    None => StepOutcome::Done,
                }
            }
            b',' if !way.listed
                || way.has_passed_tokens()
                    && !(promise == SecretNameKind::Pair || way.depth > 0 && way.literals == 1) =>
            {
                StepOutcome::Done
            }
            b'(' | b'[' | b'{' => {
                way.depth += 1;
                way.listed = true;
                (way.connected, way.open) = (true, true);
                way.loose |= way.assigned && byte != b'(' && way.words > 0;
                StepOutcome::On(at + 1)
            }
            b')' | b']' => {
                way.depth = way.depth.saturating_sub(1);
                way.open = false;
                StepOutcome::On(at + 1)
            }
            b'=' | b':' | b',' | b'|' | b'?' | b'>' | b'<' | b'&' | b'!' | b'+' | b'@' | b'-'
            | b'.' | b'*' => {
                let block =
                    matches!(byte, b'|' | b'>') && way.connected && !way.has_passed_tokens();
                if block && frame.bare && self.scan_yaml_block_scalar(at, frame, promise) {
                    return StepOutcome::Done;
                }
                if byte == b'|' && !self.is_separator_bar(at) {
                    return StepOutcome::Done;
                }
                let twice = self.bytes.get(at + 1) == Some(&byte);
                way.asked |= byte == b'?' && way.has_passed_tokens();
                way.assigned |= matches!(byte, b'=' | b',' | b'!' | b'+' | b'@' | b'-')
                    || byte == b'|' && twice;
                way.connected |= matches!(byte, b'=' | b':' | b',' | b'|' | b'?' | b'>');
                way.open = !(matches!(byte, b'.' | b'*' | b'&') || byte == b'=' && twice);
                way.loose |= byte == b',';
                StepOutcome::On(at + if byte == b'=' && twice { 2 } else { 1 })
            }
            b'%' if self.bytes[at - 1] == b'<' || self.bytes.get(at + 1) == Some(&b'>') => {
                StepOutcome::On(at + 1)
            }
            0xEF if self.text[at..].starts_with('：') => {
                (way.connected, way.open) = (true, true);
                StepOutcome::On(at + '：'.len_utf8())
            }
            b'$' if matches!(self.bytes.get(at + 1), Some(b'"' | b'\'' | b'(')) => {
                StepOutcome::On(at + 1)
            }
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => self.skip_word(at, frame, way),
            _ => StepOutcome::Done,
        }
    }

    /// Most line ends between a name and its value.
    fn max_line_breaks(&self, promise: SecretNameKind, way: &ValuePath) -> usize {
        match promise {
            SecretNameKind::Pair if way.depth > 0 => 4,
            _ => 2,
        }
    }

    /// Searches the name's line and the next one for words that only a program generates, whatever stands between the
    /// name and them.
    fn scan_generated_words_nearby(&mut self, line: usize, end: usize) {
        let from = floor_char_boundary(self.text, line.max(self.near));
        let stop = floor_char_boundary(self.text, end + WAY);
        let mut ends = memchr::memchr_iter(b'\n', &self.bytes[end..stop]);
        let stop = ends.nth(1).map_or(stop, |next| end + next);
        if stop <= from {
            return;
        }
        self.near = stop;
        let text = self.text;
        // Checksums are random as well, and not secret.
        if SUMS.iter().any(|sum| text[from..stop].contains(sum)) {
            return;
        }
        let head = text[from..stop].trim_start();
        let comment = ["//", "#", "*", "/*", "--"]
            .iter()
            .any(|sign| head.starts_with(sign));
        let quote = |at: usize| matches!(self.bytes.get(at), Some(b'"' | b'\'' | b'`'));
        let part = |c: char| {
            c.is_whitespace()
                || matches!(
                    c,
                    '"' | '\''
                        | '`'
                        | '<'
                        | '>'
                        | '('
                        | ')'
                        | '['
                        | ']'
                        | '{'
                        | '}'
                        | ','
                        | ';'
                        | '='
                        | '|'
                        | '\\'
                )
        };
        let (mut at, mut wild) = (from, Vec::new());
        for word in text[from..stop].split(part) {
            let start = at;
            at += word.len();
            at += text[at..].chars().next().map_or(0, char::len_utf8);
            let end = start + word.len();
            let value = !self.code || comment || start > 0 && quote(start - 1) || quote(end);
            if value && word.len() >= 12 && word.len() < 200 && likely::is_surely_generated(word) {
                wild.push(start..end);
            }
        }
        wild.into_iter()
            .for_each(|range| self.push_finding(range, 4, "key"));
    }

    /// Whether a `|` continues the search: `||`, a table cell, one of several types.
    fn is_separator_bar(&self, at: usize) -> bool {
        let before = at > 0 && matches!(self.bytes[at - 1], b' ' | b'|' | b'(');
        before || matches!(self.bytes.get(at + 1), Some(b'|' | b' '))
    }

    /// A word between the name and its value: a type, a call, an argument's name.
    fn skip_word(&mut self, at: usize, frame: &LineContext, way: &mut ValuePath) -> StepOutcome {
        let length = self.bytes[at..]
            .iter()
            .take(64)
            .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
            .count();
        let end = at + length;
        let word = &self.text[at..end];
        let next = self.bytes.get(end).copied().unwrap_or(b' ');
        if length <= 2 && matches!(next, b'"' | b'\'' | b'`') {
            return StepOutcome::On(end);
        }
        if word.starts_with(['r', 'b']) && length <= 2 && next == b'#' {
            let hashes = self.bytes[end..]
                .iter()
                .take(8)
                .take_while(|b| **b == b'#')
                .count();
            return StepOutcome::On(end + hashes);
        }
        let blanks = self.bytes[end..]
            .iter()
            .take(24)
            .take_while(|b| **b == b' ')
            .count();
        let sign = self.bytes.get(end + blanks).copied().unwrap_or(b' ');
        let beyond = self.bytes.get(end + blanks + 1).copied().unwrap_or(b' ');
        let asked = way.asked && sign == b':';
        let names = sign == b'=' && !matches!(beyond, b'=' | b'>')
            || sign == b':' && beyond != b':' && !asked;
        let value_word = VALUE_WORDS.contains(&word.to_ascii_lowercase().as_str());
        let typed = sign == b'=' && !way.assigned && (way.connected || way.blank) && way.lines == 0;
        // `the password for bob: …`
        let is_prose = sign == b':' && frame.bare && !way.connected && way.words < 2;
        if names && !value_word && !typed && !is_prose {
            return StepOutcome::Done;
        }
        if matches!(word, "is" | "was" | "be" | "lautet" | "ist") && !way.connected && frame.bare {
            (way.connected, way.open, way.prose, way.words) = (true, false, true, 0);
            return StepOutcome::On(end);
        }
        way.loose = !(names && value_word) && (way.loose || way.assigned && !value_word);
        way.words += usize::from(!(names && (value_word || is_prose)));
        way.open = false;
        if way.words > 8 {
            return StepOutcome::Done;
        }
        StepOutcome::On(end)
    }

    /// Scans a value in quotes of `width` bytes; `at` is the position of the quotes.
    fn scan_quoted_literal(
        &mut self,
        at: usize,
        width: usize,
        promise: SecretNameKind,
        way: &mut ValuePath,
    ) -> StepOutcome {
        if !way.connected && !way.blank {
            return StepOutcome::Done;
        }
        let quote = &self.bytes[at..at + width];
        // Three quotes count as one.
        let triple = width == 1 && self.bytes[at..].starts_with(&[quote[0]; 3]);
        let from = if triple { at + 3 } else { at + width };
        let Some(to) = self.find_closing_quote(from, quote) else {
            if way.connected {
                let quote = if triple {
                    &self.bytes[at..at + 3]
                } else {
                    quote
                };
                self.scan_multiline_literal(from, quote, promise, way.value_context());
            }
            return StepOutcome::Done;
        };
        let value = &self.text[from..to];
        if value.contains("***") {
            return StepOutcome::Done;
        }
        let stand = way.value_context();
        let behind = if triple { to + 3 } else { to + width };
        if promise == SecretNameKind::Pair && is_base64_user_password(value.as_bytes()) {
            self.push_finding(from..to, 3, "password");
            return StepOutcome::Done;
        }
        let range = match promise {
            SecretNameKind::Pair => match value.split_once(':') {
                Some((_, last)) if way.literals == 0 && !value.contains("://") => {
                    Some(to - last.len()..to)
                }
                _ => (way.literals > 0).then_some(from..to),
            },
            _ => Some(from..to),
        };
        if let Some(range) = range {
            let promised = match promise {
                SecretNameKind::Pair => SecretNameKind::Password,
                other => other,
            };
            if is_likely_secret(&self.text[range.clone()], promised, stand) {
                self.push_finding(range, 3, secret_kind_word(promised));
                if width == 1 && promise != SecretNameKind::Pair {
                    self.scan_concatenated_parts(behind);
                }
                return StepOutcome::Done;
            }
        }
        // `"Bearer …"`, `"Token …"`.
        if let Some((scheme, last)) = value.split_once(' ')
            && scheme.len() <= 8
            && is_likely_secret(last, SecretNameKind::Key, stand)
            && last.len() >= 16
        {
            self.push_finding(to - last.len()..to, 3, "key");
            return StepOutcome::Done;
        }
        // A text that is a name itself: `"token": {"expires": …`.
        let end = self.bytes.len().min(behind);
        let behind = self.bytes[end..].iter().take(8).find(|b| **b != b' ');
        let value_word = VALUE_WORDS.contains(&value.to_ascii_lowercase().as_str());
        let names = !way.asked && matches!(behind, Some(b':' | b'='));
        way.literals += 1;
        way.loose = true;
        way.open = false;
        if way.literals > 3 || names && !value_word {
            return StepOutcome::Done;
        }
        if value_word {
            (way.connected, way.loose) = (true, false);
        }
        StepOutcome::On(end)
    }

    /// End of a quoted value: its closing quote, on the same line.
    pub(super) fn find_closing_quote(&self, from: usize, quote: &[u8]) -> Option<usize> {
        let stop = self.bytes.len().min(from + LOOK);
        let mut at = from;
        while at < stop {
            let byte = self.bytes[at];
            if self.bytes[at..].starts_with(quote) {
                return self.text.is_char_boundary(at).then_some(at);
            }
            match byte {
                b'\n' => return None,
                b'\\' if quote.len() == 1 => at += 2,
                _ => at += 1,
            }
        }
        None
    }

    /// End of a value without quotes.
    fn find_bare_value_end(&self, from: usize, frame: &LineContext) -> usize {
        let stop = self.bytes.len().min(from + LOOK);
        // `${NAME:-value}`
        let braced = self.bytes[frame.line.min(from)..from]
            .windows(2)
            .any(|two| two == b"${");
        // `{name: bob, password: value}`
        let before = &self.bytes[frame.line.min(from)..from];
        let count = |sign: u8| before.iter().filter(|b| **b == sign).count();
        let flow = !self.code && count(b'{') > count(b'}');
        // `Server=db;Password=…;`: nothing but the next `;` ends it.
        let listed = frame.string.is_some() && frame.semicolon;
        let ends = |b: &u8| {
            if listed {
                return matches!(b, b';' | b'"' | b'\'' | b'\n');
            }
            b.is_ascii_whitespace()
                || (braced || flow) && *b == b'}'
                || !frame.leads && matches!(b, b',' | b'"' | b'\'' | b'`' | b'&' | b';' | b')')
                || frame.string == Some(*b)
        };
        let length = self.bytes[from..stop]
            .iter()
            .position(ends)
            .unwrap_or(stop - from);
        let mut to = from + length;
        while to > from
            && matches!(
                self.bytes[to - 1],
                b'\\' | b'"' | b'\'' | b',' | b'|' | b'`'
            )
        {
            to -= 1;
        }
        to
    }

    /// Takes the value without quotes that begins at `from`, if it is likely. True also if one was taken before.
    fn scan_bare_value(
        &mut self,
        mut from: usize,
        promise: SecretNameKind,
        frame: &LineContext,
        loose: bool,
    ) -> bool {
        let braced = from >= 1
            && self.bytes[from - 1] == b':'
            && matches!(self.bytes[from], b'-' | b'=' | b'?' | b'+');
        from += usize::from(braced);
        let to = self.find_bare_value_end(from, frame);
        let stand = ValueContext {
            quoted: false,
            loose,
        };
        self.report_if_likely(from..to, promise, stand)
    }

    /// Takes a value, if it is likely. True also if one was taken before.
    pub(super) fn report_if_likely(
        &mut self,
        range: Range<usize>,
        promise: SecretNameKind,
        stand: ValueContext,
    ) -> bool {
        let Some(value) = self.text.get(range.clone()) else {
            return false;
        };
        if value.contains("***") {
            return true;
        }
        let likely = range.len() < LOOK && is_likely_secret(value, promise, stand);
        if likely {
            self.push_finding(range, 3, secret_kind_word(promise));
        }
        likely
    }

    /// `--name value`, `ENV NAME value`, `login user password value`.
    fn scan_space_separated_value(
        &mut self,
        name: &Range<usize>,
        promise: SecretNameKind,
        frame: &LineContext,
    ) -> bool {
        if self.bytes.get(name.end) != Some(&b' ') || !frame.bare {
            return false;
        }
        let before = &self.text[frame.line..name.start];
        let lower = before.to_ascii_lowercase();
        let flag = before.ends_with("--") || before.ends_with(" -");
        if frame.leads && before.trim().is_empty() && !self.code {
            let line = &self.bytes[name.end + 1..self.bytes.len().min(name.end + LOOK)];
            let line = line
                .split(|b| *b == b'\n')
                .next()
                .unwrap_or_default()
                .trim_ascii_end();
            if !line.is_empty() && !line.contains(&b' ') && line[0] != b'=' {
                return self.scan_bare_value(name.end + 1, promise, frame, true);
            }
        }
        let set = ["env ", "arg ", "setx ", "set -x ", "set -gx ", "setenv "];
        let login = lower.trim_end().rsplit(' ').nth(1) == Some("login")
            && promise == SecretNameKind::Password;
        let is_secret_word = set.iter().any(|word| lower.ends_with(word)) || login;
        if !(flag || is_secret_word) {
            return false;
        }
        let from = name.end + 1;
        if matches!(
            self.bytes.get(from),
            None | Some(b'"' | b'\'' | b'-' | b'=' | b':')
        ) {
            return false;
        }
        self.scan_bare_value(from, promise, frame, false)
    }

    /// `<name>value</name>`, `<x name="name">value`, `<name>name</name><value>value</value>`.
    fn scan_xml_element(
        &mut self,
        name: &Range<usize>,
        at: usize,
        quoted: bool,
        promise: SecretNameKind,
    ) -> bool {
        let before = name.start.checked_sub(1).map(|at| self.bytes[at]);
        let tag = matches!(before, Some(b'<' | b':')) || quoted;
        let rest = &self.bytes[at..self.bytes.len().min(at + 200)];
        let inside = match rest.first() {
            Some(b'>') if tag => Some(at + 1),
            Some(b' ' | b'"' | b'\'') if self.is_inside_tag(name.start) => {
                let end = rest.iter().position(|b| matches!(b, b'>' | b'\n' | b'<'));
                let end =
                    end.filter(|end| rest[*end] == b'>' && *end > 0 && rest[*end - 1] != b'/');
                let valued = |end: usize| {
                    let rest = String::from_utf8_lossy(&rest[..end]);
                    VALUE_WORDS
                        .iter()
                        .any(|word| rest.contains(&format!("{word}=")))
                };
                end.filter(|end| !valued(*end)).map(|end| at + end + 1)
            }
            Some(b'<') if rest.starts_with(b"</") => self.next_element_content(at),
            _ => None,
        };
        let Some(mut from) = inside else {
            return false;
        };
        while self.bytes.get(from).is_some_and(u8::is_ascii_whitespace) && from < at + 200 {
            from += 1;
        }
        let stand = ValueContext {
            quoted: true,
            loose: false,
        };
        if self.bytes[from.min(self.bytes.len())..].starts_with(CDATA) {
            let from = from + CDATA.len();
            let stop = self.bytes.len().min(from + LOOK);
            let end = self.bytes[from..stop]
                .windows(3)
                .position(|three| three == b"]]>");
            return end
                .is_some_and(|length| self.report_if_likely(from..from + length, promise, stand));
        }
        // `<setting name="…"><value>…`
        if self.bytes.get(from) == Some(&b'<') && self.bytes.get(from + 1) != Some(&b'/') {
            let rest = &self.bytes[from..self.bytes.len().min(from + 60)];
            match rest.iter().position(|b| *b == b'>') {
                Some(end) if rest[..end].iter().all(|b| !b.is_ascii_whitespace()) => {
                    from += end + 1
                }
                _ => return false,
            }
        }
        let stop = self.bytes.len().min(from + LOOK);
        let Some(length) = self.bytes[from..stop].iter().position(|b| *b == b'<') else {
            return true;
        };
        let trimmed = self.bytes[from..from + length].trim_ascii_end().len();
        if self.bytes[from + length] == b'<' {
            let closed = self.bytes.get(from + length + 1) == Some(&b'/');
            if closed {
                self.report_if_likely(from..from + trimmed, promise, stand);
            }
        }
        true
    }

    /// Whether a place lies within the tag of an element.
    fn is_inside_tag(&self, at: usize) -> bool {
        let before = self.bytes[..at].iter().rev().take(120);
        before.clone().find(|b| matches!(b, b'<' | b'>' | b'\n')) == Some(&b'<')
    }

    /// Start of the content of the element after the one that ends at `at`.
    fn next_element_content(&self, at: usize) -> Option<usize> {
        let rest = &self.bytes[at..self.bytes.len().min(at + 200)];
        let closed = rest.iter().position(|b| *b == b'>')?;
        let blank = rest[closed + 1..]
            .iter()
            .position(|b| !b.is_ascii_whitespace())?
            + closed
            + 1;
        if rest[blank] != b'<' || rest.get(blank + 1) == Some(&b'/') {
            return None;
        }
        let opened = rest[blank..].iter().position(|b| *b == b'>')?;
        Some(at + blank + opened + 1)
    }

    /// Whether a name is itself the value of `name` or `key`.
    pub(super) fn is_value_of_name_key(&self, name: &Range<usize>, frame: &LineContext) -> bool {
        let mut before = &self.bytes[frame.line..name.start];
        while let [rest @ .., b'"' | b'\'' | b' '] = before {
            before = rest;
        }
        let names = [
            "name:", "key:", "name =", "name=", "key=", "name\":", "key\":",
        ];
        names.iter().any(|word| ends_with_ignore_case(before, word))
    }

    /// `variable "name" { … default = "value" }`, `option('name', { default: 'value' })`.
    fn scan_default_in_block(&mut self, at: usize, promise: SecretNameKind) -> bool {
        let rest = &self.text[at..floor_char_boundary(self.text, at + LOOK)];
        let Some(block) = rest
            .trim_start_matches([' ', ',', ':', '(', '=', '>'])
            .strip_prefix('{')
        else {
            return false;
        };
        let from = at + rest.len() - block.len();
        let block = block.split('}').next().unwrap_or_default();
        let Some((word, offset)) = ["default", "value"]
            .iter()
            .find_map(|word| Some((word, block.find(word)?)))
        else {
            return false;
        };
        let behind = &block[offset + word.len()..];
        let Some(value) = behind
            .trim_start_matches(['"', '\''])
            .trim_start()
            .strip_prefix([':', '='])
        else {
            return false;
        };
        let quote = value.trim_start();
        let at = from + offset + word.len() + behind.len() - quote.len();
        if !quote.starts_with(['"', '\'', '`']) {
            return false;
        }
        let stand = ValueContext {
            quoted: true,
            loose: false,
        };
        let end = self.find_closing_quote(at + 1, &self.bytes[at..at + 1]);
        end.is_some_and(|end| self.report_if_likely(at + 1..end, promise, stand))
    }
}

pub(super) fn floor_char_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Whether a text ends with a word, in any case.
pub(super) fn ends_with_ignore_case(text: &[u8], word: &str) -> bool {
    let from = text.len().checked_sub(word.len());
    from.is_some_and(|from| text[from..].eq_ignore_ascii_case(word.as_bytes()))
}

pub(super) fn secret_kind_word(promise: SecretNameKind) -> &'static str {
    match promise {
        SecretNameKind::Password | SecretNameKind::Pair => "password",
        SecretNameKind::Key | SecretNameKind::Perhaps => "key",
    }
}

/// Whether a value is only a stand-in that marks the place of a value.
pub(super) fn is_stand_in(value: &str) -> bool {
    value.len() < 4 || likely::is_placeholder(value)
}
