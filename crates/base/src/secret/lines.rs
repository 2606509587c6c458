//! Values on other lines than their names: literals of several lines, heredocs, texts joined from parts, pairs whose
//! value comes first, cells of Markdown tables.

use super::forms::Body;
use super::likely::{self, ValueContext, is_likely_secret};
use super::named::{
    LineContext, StepOutcome, VALUE_WORDS, ValuePath, WAY, ends_with_ignore_case,
    floor_char_boundary,
};
use super::names::{self, SecretNameKind};
use super::scan::{LOOK, Scan};
use memchr::memmem;
use std::ops::Range;

/// Most bytes of a literal, a heredoc or a table that are read.
const BLOCK: usize = 4 * LOOK;
/// Most lines of a literal that may be a value; a longer one is a text.
const MOST_LINES: usize = 6;
/// Most parts that one value is joined from.
const MOST_PARTS: usize = 64;
const QUOTED: ValueContext = ValueContext {
    quoted: true,
    loose: false,
};

impl Scan<'_> {
    /// The lines of a literal that begins at `from` and does not end on its line.
    pub(super) fn scan_multiline_literal(
        &mut self,
        from: usize,
        quote: &[u8],
        promise: SecretNameKind,
        stand: ValueContext,
    ) {
        let rest = &self.bytes[from..];
        let opens_line = rest.starts_with(b"\n")
            || rest.starts_with(b"\r\n")
            || rest.starts_with(b"\\\n")
            || rest.starts_with(b"\\\r\n");
        if quote.len() < 3 && quote != b"`" && quote != b"]]" && !opens_line {
            return;
        }
        let stop = floor_char_boundary(self.text, from + BLOCK);
        if let Some(length) = memmem::find(&self.bytes[from..stop], quote) {
            self.scan_block_lines(from..from + length, promise, stand);
        }
    }

    /// Scans each line of a block, if there are few.
    fn scan_block_lines(
        &mut self,
        block: Range<usize>,
        promise: SecretNameKind,
        stand: ValueContext,
    ) {
        let text = &self.text[block.clone()];
        if text.lines().filter(|line| !line.trim().is_empty()).count() > MOST_LINES {
            return;
        }
        let mut at = block.start;
        for line in text.split_inclusive('\n') {
            let value = line.trim().trim_end_matches('\\').trim_end();
            let start = at + (line.len() - line.trim_start().len());
            at += line.len();
            if !value.is_empty() && start + value.len() <= block.end {
                self.report_if_likely(start..start + value.len(), promise, stand);
            }
        }
    }

    /// `<<EOF`, `<<~'EOF'`, `<<<EOT`: the lines up to the one that repeats the word. False if there is none.
    pub(super) fn scan_heredoc(&mut self, at: usize, promise: SecretNameKind) -> bool {
        let stop = floor_char_boundary(self.text, at + BLOCK);
        let rest = &self.text[at..stop];
        let opened = rest
            .trim_start_matches('<')
            .trim_start_matches(['-', '~', ' ', '\\', '"', '\'']);
        let length = opened
            .bytes()
            .take_while(|b| Body::Word.contains(*b))
            .count();
        let (tag, behind) = opened.split_at(length);
        let Some(end) = behind.find('\n').filter(|end| *end < 48 && !tag.is_empty()) else {
            return false;
        };
        let from = stop - behind.len() + end + 1;
        let mut line_at = from;
        for line in self.text[from..stop].split_inclusive('\n') {
            if line.trim().trim_end_matches([';', ')', ',']) == tag {
                self.scan_block_lines(from..line_at, promise, QUOTED);
                return true;
            }
            line_at += line.len();
        }
        false
    }

    /// Parts that a program joins to the value that ends before `at`: `"…" + "…"`, `"…" "…"`, `concat!("…", "…")`.
    pub(super) fn scan_concatenated_parts(&mut self, mut at: usize) {
        for _ in 0..MOST_PARTS {
            let stop = self.bytes.len().min(at + 96);
            let between = &self.bytes[at.min(stop)..stop];
            let sign = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'+' | b'\\' | b'.' | b',');
            let length = between.iter().take_while(|b| sign(b)).count();
            let listed = between[..length].contains(&b',');
            let mut open = at + length;
            let prefix = matches!(self.bytes.get(open), Some(b'b' | b'r' | b'f' | b'u' | b'@'));
            open += usize::from(prefix);
            let Some(quote @ (b'"' | b'\'' | b'`')) = self.bytes.get(open).copied() else {
                return;
            };
            let Some(end) = self
                .find_closing_quote(open + 1, &[quote])
                .filter(|_| length > 0)
            else {
                return;
            };
            let part = &self.text[open + 1..end];
            let behind = self.bytes[end + 1..].iter().take(4).find(|b| **b != b' ');
            let names = matches!(behind, Some(b':' | b'='));
            let joins = if listed {
                part.len() >= 16 && is_likely_secret(part, SecretNameKind::Key, QUOTED)
            } else {
                is_likely_value_part(part)
            };
            if names || !joins {
                return;
            }
            self.push_finding(open + 1..end, 3, "key");
            at = end + 1;
        }
    }

    /// Whether the line that begins after `at` continues an expression: `? …`, `: …`, `|| …`, `+ …`.
    pub(super) fn continues_expression(&self, at: usize) -> bool {
        let rest = &self.bytes[at..self.bytes.len().min(at + 64)];
        let rest = rest.trim_ascii_start();
        [&b"? "[..], b": ", b"||", b"??", b"?:", b"+ ", b"or "]
            .iter()
            .any(|sign| rest.starts_with(sign))
    }

    /// `value: …` before `name: NAME`, `set("…", forKey: "name")`.
    pub(super) fn scan_value_before_name(&mut self, name: &Range<usize>, promise: SecretNameKind) {
        let from = floor_char_boundary(self.text, name.start.saturating_sub(LOOK / 2));
        let before = &self.text[from..name.start];
        let opens = before
            .rfind(['{', '}', '[', ']', '('])
            .map_or(0, |at| at + 1);
        let mut ends = before.rmatch_indices('\n');
        let opens = opens.max(ends.nth(1).map_or(0, |(at, _)| at + 1));
        let (before, from) = (&before[opens..], from + opens);
        let lower = before.to_ascii_lowercase();
        let value = match lower.rfind("value") {
            Some(at) => before[at + "value".len()..]
                .trim_start_matches(['"', '\''])
                .trim_start()
                .strip_prefix([':', '=']),
            None if lower.contains("forkey:") || lower.contains("foraccount:") => Some(before),
            None => None,
        };
        let Some(value) = value else {
            return;
        };
        let at = from + before.len() - value.len();
        let start = at + (value.len() - value.trim_start().len());
        let range = match self.bytes.get(start) {
            Some(quote @ (b'"' | b'\'')) => match self.find_closing_quote(start + 1, &[*quote]) {
                Some(end) => start + 1..end,
                None => return,
            },
            _ => {
                let line = value.trim_start().lines().next().unwrap_or_default();
                start..start + line.trim_end().len()
            }
        };
        if range.end < name.start {
            self.report_if_likely(range, promise, QUOTED);
        }
    }

    /// Scans the cells below a name in the head of a table in Markdown. `line` is the start of the head.
    pub(super) fn scan_markdown_column(
        &mut self,
        name: &Range<usize>,
        line: usize,
        promise: SecretNameKind,
    ) {
        if self.bytes.get(line) != Some(&b'|') {
            return;
        }
        let column = self.text[line..name.start].matches('|').count();
        let stop = floor_char_boundary(self.text, name.end + BLOCK);
        let mut rows = self.text[name.end..stop].split_inclusive('\n');
        let mut at = name.end + rows.next().map_or(0, str::len);
        let Some(rule) = rows.next() else {
            return;
        };
        let ruled = |c: char| matches!(c, '|' | '-' | ':' | ' ' | '\r' | '\n');
        if !rule.contains("--") || !rule.chars().all(ruled) {
            return;
        }
        at += rule.len();
        for row in rows.take_while(|row| row.starts_with('|')) {
            let mut start = at;
            at += row.len();
            for (number, cell) in row.split('|').enumerate() {
                let value = cell.trim().trim_matches('`');
                if number == column && !value.is_empty() {
                    let from = start + cell.find(value).unwrap_or(0);
                    self.report_if_likely(from..from + value.len(), promise, QUOTED);
                }
                start += cell.len() + 1;
            }
        }
    }

    /// `INSERT INTO users (name, password) VALUES ('app', '…')`: the value in a column of that name.
    pub(super) fn scan_sql_insert(&mut self, name: &Range<usize>, promise: SecretNameKind) {
        let mark = |b: &&u8| matches!(**b, b'"' | b'`' | b']' | b' ');
        let next = self.bytes[name.end..].iter().take(3).find(|b| !mark(b));
        if !matches!(next, Some(b',' | b')')) {
            return;
        }
        let from = floor_char_boundary(self.text, name.start.saturating_sub(LOOK / 2));
        let before = &self.text[from..name.start];
        let Some(open) = before.rfind('(') else {
            return;
        };
        let head = &before[..open];
        let lower =
            head[floor_char_boundary(head, head.len().saturating_sub(80))..].to_ascii_lowercase();
        if !lower.contains("insert into ") && !lower.contains("replace into ") {
            return;
        }
        let column = before[open..].matches(',').count();
        let stop = floor_char_boundary(self.text, name.end + BLOCK);
        let rest = &self.text[name.end..stop];
        let Some((columns, values)) = rest.split_once(')') else {
            return;
        };
        let trimmed = values.trim_start();
        if columns.contains('(')
            || !trimmed
                .as_bytes()
                .iter()
                .take(6)
                .map(u8::to_ascii_lowercase)
                .eq(*b"values")
        {
            return;
        }
        let (mut at, mut number, mut depth) = (stop - trimmed.len() + 6, 0, 0);
        while at < stop {
            match self.bytes[at] {
                b'(' => (depth, number) = (depth + 1, 0),
                b')' => depth -= 1,
                b',' if depth == 1 => number += 1,
                b';' => return,
                quote @ (b'"' | b'\'') => {
                    let Some(end) = self.find_closing_quote(at + 1, &[quote]) else {
                        return;
                    };
                    if depth == 1 && number == column {
                        self.report_if_likely(at + 1..end, promise, QUOTED);
                    }
                    at = end;
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// `NAME=value` on a line of its own within a program: the text of a file that it writes. Code would have blanks or
    /// quotes there.
    pub(super) fn scan_embedded_assignment(
        &mut self,
        name: &Range<usize>,
        promise: SecretNameKind,
    ) -> bool {
        let Some(b'=') = self.bytes.get(name.end) else {
            return false;
        };
        let from = name.end + 1;
        let stop = floor_char_boundary(self.text, from + LOOK);
        let line = self.text[from..stop].lines().next().unwrap_or_default();
        let value = line.trim_end();
        let upper =
            |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || matches!(b, b'_' | b'.');
        let constant = self.bytes[name.clone()].iter().all(|b| upper(*b));
        let code = value.contains([' ', '"', '\'', '`', '(', ')', '{', '}', ';', ',', '[']);
        let stand = ValueContext {
            quoted: false,
            loose: !constant,
        };
        !code && self.report_if_likely(from..from + value.len(), promise, stand)
    }

    /// The texts of a call that takes a user, or an address, and a password; on further lines too.
    pub(super) fn scan_login_call(&mut self, hit: Range<usize>) {
        let stop = floor_char_boundary(self.text, hit.end + LOOK);
        let (mut at, mut texts, mut depth) = (hit.end, Vec::new(), 1);
        while at < stop && depth > 0 && texts.len() < 6 {
            match self.bytes[at] {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b';' => break,
                quote @ (b'"' | b'\'' | b'`') => {
                    let Some(end) = self.find_closing_quote(at + 1, &[quote]) else {
                        return;
                    };
                    // An argument with a name is judged by its name.
                    let named = matches!(self.bytes[at - 1], b'=' | b':')
                        || self.bytes[..at].ends_with(b": ")
                        || self.bytes[..at].ends_with(b"= ");
                    texts.push((at + 1..end, named));
                    at = end;
                }
                _ => {}
            }
            at += 1;
        }
        let alone = self.text[hit].to_ascii_lowercase().ends_with("auth(") && texts.len() == 1;
        let stand = ValueContext {
            quoted: true,
            loose: true,
        };
        for (range, named) in texts.into_iter().skip(usize::from(!alone)) {
            if !named && self.report_if_likely(range, SecretNameKind::Password, stand) {
                return;
            }
        }
    }

    /// The values of a cookie that a program made; `from` is after the keyword.
    pub(super) fn scan_cookie_values(&mut self, from: usize) {
        let stop = floor_char_boundary(self.text, from + LOOK);
        let line = self.text[from..stop].lines().next().unwrap_or_default();
        let part = |c: char| c.is_whitespace() || matches!(c, ';' | '"' | '\'' | ',' | '{' | '}');
        let mut at = from;
        let mut found = Vec::new();
        for word in line.split(part) {
            let start = at;
            at += word.len();
            at += self.text[at..].chars().next().map_or(0, char::len_utf8);
            let Some((name, value)) = word.split_once('=') else {
                continue;
            };
            let likely = value.len() >= 16 && names::classify_name(name, "").is_none();
            if likely
                && (likely::is_surely_generated(value)
                    || is_likely_secret(value, SecretNameKind::Perhaps, QUOTED))
            {
                found.push(start + name.len() + 1..start + word.len());
            }
        }
        for range in found {
            self.push_finding(range, 3, "cookie");
        }
    }

    /// Scans a text that consists only of `name:value`, as tags do. The whole rest is the value, with any characters.
    pub(super) fn scan_sole_name_value(&mut self) {
        if self.code || self.text.len() > LOOK {
            return;
        }
        let text = self.text.trim();
        let start = self.text.len() - self.text.trim_start().len();
        if let Some((name, value)) = text.split_once([':', '='])
            && !text.contains(char::is_whitespace)
            && !value.starts_with(['"', '\''])
            && let Some(promise) = names::classify_name(name, "")
        {
            let from = start + name.len() + 1;
            self.report_if_likely(from..from + value.len(), promise, QUOTED);
        }
    }

    /// The lines of a private key of PuTTY, after `Private-Lines:`.
    pub(super) fn scan_putty_private_lines(&mut self, from: usize) {
        let mut lines = self.text[from..].split_inclusive('\n');
        let mut at = from + lines.next().map_or(0, str::len);
        let start = at;
        for line in lines.take(256) {
            let body = line.trim_end();
            if body.is_empty()
                || !body.bytes().all(|b| Body::Base64.contains(b))
                || body.len() > 128
            {
                break;
            }
            at += line.len();
        }
        if at - start >= 40 {
            self.push_finding(start..at, 0, "private key");
        }
    }

    /// A value between other delimiters than quotes: `[[…]]`, `q{…}`.
    pub(super) fn scan_delimited_value(
        &mut self,
        from: usize,
        close: &[u8],
        promise: SecretNameKind,
        way: &ValuePath,
    ) -> StepOutcome {
        if let Some(to) = self.find_closing_quote(from, close) {
            let text = &self.text[from..to];
            let start = from + (text.len() - text.trim_start().len());
            self.report_if_likely(
                start..start + text.trim().len(),
                promise,
                way.value_context(),
            );
        } else {
            self.scan_multiline_literal(from, close, promise, way.value_context());
        }
        StepOutcome::Done
    }

    /// `%q(`, `%Q{`, `q{`, `qq(`: the beginning of the text, and its closing sign.
    pub(super) fn percent_literal_start(&self, at: usize) -> Option<(usize, &'static [u8])> {
        let signs = self.bytes[at..].iter().take(3);
        let length = signs
            .take_while(|b| matches!(b, b'%' | b'q' | b'Q'))
            .count();
        let apart = at > 0 && matches!(self.bytes[at - 1], b' ' | b'=' | b'(' | b',');
        let close: &[u8] = match self.bytes.get(at + length)? {
            b'(' => b")",
            b'{' => b"}",
            b'[' => b"]",
            _ => return None,
        };
        (apart && !self.code).then_some((at + length + 1, close))
    }

    /// Whether a name is the first argument of a call that compares or copies texts: `strcmp(password, "…")`.
    pub(super) fn is_compare_or_copy_argument(
        &self,
        name: &Range<usize>,
        frame: &LineContext,
    ) -> bool {
        const CALLS: [&str; 8] = [
            "cmp", "cpy", "compare", "equals", "equal", "digest", "setenv", "strcat",
        ];
        let before = &self.text[frame.line.min(name.start)..name.start];
        let call = before
            .trim_end_matches(['&', '*', '.', '-', '>', '_'])
            .strip_suffix('(');
        call.is_some_and(|call| {
            CALLS
                .iter()
                .any(|word| ends_with_ignore_case(call.as_bytes(), word))
        })
    }

    /// `name: NAME` and, on the next line, `value: …`.
    pub(super) fn scan_value_on_next_line(
        &mut self,
        name: &Range<usize>,
        at: usize,
        promise: SecretNameKind,
        frame: &LineContext,
    ) -> bool {
        if !self.is_value_of_name_key(name, frame) {
            return false;
        }
        let rest = &self.text[at..floor_char_boundary(self.text, at + LOOK)];
        let Some((end, next)) = rest.split_once('\n') else {
            return false;
        };
        if !end.trim_matches([' ', ',', '\r', '"', '\'']).is_empty() {
            return false;
        }
        let line = next.lines().next().unwrap_or_default();
        let Some(sign) = line.find([':', '=']) else {
            return false;
        };
        let word = line[..sign]
            .trim_matches([' ', '\t', '"', '\'', '-'])
            .to_ascii_lowercase();
        if !VALUE_WORDS.contains(&word.as_str()) {
            return false;
        }
        let value = line[sign + 1..]
            .trim()
            .trim_end_matches(',')
            .trim_matches(['"', '\'']);
        let Some(offset) = line[sign..].find(value).filter(|_| !value.is_empty()) else {
            return false;
        };
        let from = at + end.len() + 1 + sign + offset;
        let stand = ValueContext {
            quoted: true,
            loose: false,
        };
        // `value: >-`: the value is on the next line.
        if value.starts_with(['|', '>']) && value.len() <= 2 {
            let below = next.split_once('\n').map_or("", |(_, below)| below);
            let line = below.lines().next().unwrap_or_default();
            let start = at + rest.len() - below.len() + (line.len() - line.trim_start().len());
            return self.report_if_likely(start..start + line.trim().len(), promise, stand);
        }
        self.report_if_likely(from..from + value.len(), promise, stand)
    }

    /// `default_value = "value")] name: …`: the name follows. `from` is the end of the word.
    pub(super) fn scan_default_before_name(&mut self, from: usize) {
        let rest = &self.text[from..floor_char_boundary(self.text, from + LOOK)];
        let Some(quote) = rest
            .find(['"', '\n'])
            .filter(|at| rest[*at..].starts_with('"'))
        else {
            return;
        };
        let Some(end) = self.find_closing_quote(from + quote + 1, b"\"") else {
            return;
        };
        let behind = &self.text[end..floor_char_boundary(self.text, end + WAY)];
        let Some((_, line)) = behind.split_once('\n') else {
            return;
        };
        let line = line.trim_start().trim_start_matches("pub ");
        let length = line.bytes().take_while(|b| Body::Word.contains(*b)).count();
        if let Some(promise) = names::classify_name(&line[..length], "") {
            let stand = ValueContext {
                quoted: true,
                loose: false,
            };
            self.report_if_likely(from + quote + 1..end, promise, stand);
        }
    }

    /// A block of YAML, `|` or `>`: the lines that are indented deeper.
    pub(super) fn scan_yaml_block_scalar(
        &mut self,
        at: usize,
        frame: &LineContext,
        promise: SecretNameKind,
    ) -> bool {
        let rest = &self.bytes[at + 1..];
        let signs = rest
            .iter()
            .take(3)
            .take_while(|b| matches!(b, b'-' | b'+' | b'0'..=b'9'))
            .count();
        let blanks = rest[signs..]
            .iter()
            .take(8)
            .take_while(|b| matches!(b, b' ' | b'\r'))
            .count();
        let mut from = at + 1 + signs + blanks;
        if self.bytes.get(from) != Some(&b'\n') {
            return false;
        }
        let indent_of = |line: usize| {
            self.bytes[line..]
                .iter()
                .take(200)
                .take_while(|b| **b == b' ')
                .count()
        };
        let indent = indent_of(frame.line);
        let stop = self.bytes.len().min(at + 4 * LOOK);
        let mut any = false;
        from += 1;
        while from < stop && indent_of(from) > indent {
            let end = self.bytes[from..stop]
                .iter()
                .position(|b| *b == b'\n')
                .map_or(stop, |length| from + length);
            let start = from + indent_of(from);
            let trimmed = self.bytes[start.min(end)..end].trim_ascii_end().len();
            let stand = ValueContext {
                quoted: false,
                loose: false,
            };
            any |= self.report_if_likely(start..start + trimmed, promise, stand);
            from = end + 1;
        }
        any
    }
}

/// Whether a text may be a part of a value whose beginning was found.
fn is_likely_value_part(part: &str) -> bool {
    let signs = part
        .bytes()
        .all(|b| Body::Base64.contains(b) || matches!(b, b'-' | b'_' | b'.' | b'~'));
    let digits = part.bytes().any(|b| b.is_ascii_digit());
    let both = part.bytes().any(|b| b.is_ascii_lowercase())
        && part.bytes().skip(1).any(|b| b.is_ascii_uppercase());
    part.len() >= 4 && signs && (digits || both)
}
