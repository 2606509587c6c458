//! Values that stand on other lines than their names: literals of several lines, heredocs, texts put together from parts,
//! pairs whose value comes first, cells of tables in Markdown.

use super::forms::Body;
use super::likely::{self, Stand, is_likely};
use super::named::{Frame, Step, VALUE_WORDS, WAY, Way, ends_with, floor};
use super::names::{self, Promise};
use super::scan::{LOOK, Scan};
use memchr::memmem;
use std::ops::Range;

/// Bytes of a literal, a heredoc or a table that are looked at.
const BLOCK: usize = 4 * LOOK;
/// Lines of a literal that may be a value: with more it is a text.
const MOST_LINES: usize = 6;
/// Parts that one value is put together from.
const MOST_PARTS: usize = 64;
const QUOTED: Stand = Stand {
    quoted: true,
    loose: false,
};

impl Scan<'_> {
    /// The lines of a literal that begins at `from` and does not end on its line.
    pub(super) fn literal_lines(
        &mut self,
        from: usize,
        quote: &[u8],
        promise: Promise,
        stand: Stand,
    ) {
        let rest = &self.bytes[from..];
        let opens_line = rest.starts_with(b"\n")
            || rest.starts_with(b"\r\n")
            || rest.starts_with(b"\\\n")
            || rest.starts_with(b"\\\r\n");
        if quote.len() < 3 && quote != b"`" && quote != b"]]" && !opens_line {
            return;
        }
        let stop = floor(self.text, from + BLOCK);
        if let Some(length) = memmem::find(&self.bytes[from..stop], quote) {
            self.whole_lines(from..from + length, promise, stand);
        }
    }

    /// Each line of a block, if these are few.
    fn whole_lines(&mut self, block: Range<usize>, promise: Promise, stand: Stand) {
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
                self.candidate(start..start + value.len(), promise, stand);
            }
        }
    }

    /// `<<EOF`, `<<~'EOF'`, `<<<EOT`: the lines up to the one that repeats the word. False where there is none.
    pub(super) fn heredoc(&mut self, at: usize, promise: Promise) -> bool {
        let stop = floor(self.text, at + BLOCK);
        let rest = &self.text[at..stop];
        let opened = rest
            .trim_start_matches('<')
            .trim_start_matches(['-', '~', ' ', '\\', '"', '\'']);
        let length = opened.bytes().take_while(|b| Body::Word.has(*b)).count();
        let (tag, behind) = opened.split_at(length);
        let Some(end) = behind.find('\n').filter(|end| *end < 48 && !tag.is_empty()) else {
            return false;
        };
        let from = stop - behind.len() + end + 1;
        let mut line_at = from;
        for line in self.text[from..stop].split_inclusive('\n') {
            if line.trim().trim_end_matches([';', ')', ',']) == tag {
                self.whole_lines(from..line_at, promise, QUOTED);
                return true;
            }
            line_at += line.len();
        }
        false
    }

    /// Parts that a program joins to the value that ends before `at`: `"…" + "…"`, `"…" "…"`, `concat!("…", "…")`.
    pub(super) fn parts(&mut self, mut at: usize) {
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
            let Some(end) = self.closing(open + 1, &[quote]).filter(|_| length > 0) else {
                return;
            };
            let part = &self.text[open + 1..end];
            let behind = self.bytes[end + 1..].iter().take(4).find(|b| **b != b' ');
            let names = matches!(behind, Some(b':' | b'='));
            let joins = if listed {
                part.len() >= 16 && is_likely(part, Promise::Key, QUOTED)
            } else {
                is_part(part)
            };
            if names || !joins {
                return;
            }
            self.take(open + 1..end, 3, "key");
            at = end + 1;
        }
    }

    /// Whether the line that begins behind `at` goes on with what stood before: `? …`, `: …`, `|| …`, `+ …`.
    pub(super) fn leads_on(&self, at: usize) -> bool {
        let rest = &self.bytes[at..self.bytes.len().min(at + 64)];
        let rest = rest.trim_ascii_start();
        [&b"? "[..], b": ", b"||", b"??", b"?:", b"+ ", b"or "]
            .iter()
            .any(|sign| rest.starts_with(sign))
    }

    /// `value: …` before `name: NAME`, `set("…", forKey: "name")`.
    pub(super) fn value_before(&mut self, name: &Range<usize>, promise: Promise) {
        let from = floor(self.text, name.start.saturating_sub(LOOK / 2));
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
            Some(quote @ (b'"' | b'\'')) => match self.closing(start + 1, &[*quote]) {
                Some(end) => start + 1..end,
                None => return,
            },
            _ => {
                let line = value.trim_start().lines().next().unwrap_or_default();
                start..start + line.trim_end().len()
            }
        };
        if range.end < name.start {
            self.candidate(range, promise, QUOTED);
        }
    }

    /// The cells below a name in the head of a table in Markdown. `line` is where the head begins.
    pub(super) fn table(&mut self, name: &Range<usize>, line: usize, promise: Promise) {
        if self.bytes.get(line) != Some(&b'|') {
            return;
        }
        let column = self.text[line..name.start].matches('|').count();
        let stop = floor(self.text, name.end + BLOCK);
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
                    self.candidate(from..from + value.len(), promise, QUOTED);
                }
                start += cell.len() + 1;
            }
        }
    }

    /// `INSERT INTO users (name, password) VALUES ('app', '…')`: what stands in a column of that name.
    pub(super) fn inserted(&mut self, name: &Range<usize>, promise: Promise) {
        let mark = |b: &&u8| matches!(**b, b'"' | b'`' | b']' | b' ');
        let next = self.bytes[name.end..].iter().take(3).find(|b| !mark(b));
        if !matches!(next, Some(b',' | b')')) {
            return;
        }
        let from = floor(self.text, name.start.saturating_sub(LOOK / 2));
        let before = &self.text[from..name.start];
        let Some(open) = before.rfind('(') else {
            return;
        };
        let head = &before[..open];
        let lower = head[floor(head, head.len().saturating_sub(80))..].to_ascii_lowercase();
        if !lower.contains("insert into ") && !lower.contains("replace into ") {
            return;
        }
        let column = before[open..].matches(',').count();
        let stop = floor(self.text, name.end + BLOCK);
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
                    let Some(end) = self.closing(at + 1, &[quote]) else {
                        return;
                    };
                    if depth == 1 && number == column {
                        self.candidate(at + 1..end, promise, QUOTED);
                    }
                    at = end;
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// `NAME=value` on a line of its own within a program: the text of a file that it writes. Code has blanks or quotes there.
    pub(super) fn setting_line(&mut self, name: &Range<usize>, promise: Promise) -> bool {
        let Some(b'=') = self.bytes.get(name.end) else {
            return false;
        };
        let from = name.end + 1;
        let stop = floor(self.text, from + LOOK);
        let line = self.text[from..stop].lines().next().unwrap_or_default();
        let value = line.trim_end();
        let upper =
            |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || matches!(b, b'_' | b'.');
        let constant = self.bytes[name.clone()].iter().all(|b| upper(*b));
        let code = value.contains([' ', '"', '\'', '`', '(', ')', '{', '}', ';', ',', '[']);
        let stand = Stand {
            quoted: false,
            loose: !constant,
        };
        !code && self.candidate(from..from + value.len(), promise, stand)
    }

    /// The texts of a call that takes a user, or an address, and a password; on further lines too.
    pub(super) fn login(&mut self, hit: Range<usize>) {
        let stop = floor(self.text, hit.end + LOOK);
        let (mut at, mut texts, mut depth) = (hit.end, Vec::new(), 1);
        while at < stop && depth > 0 && texts.len() < 6 {
            match self.bytes[at] {
                b'(' => depth += 1,
                b')' => depth -= 1,
                b';' => break,
                quote @ (b'"' | b'\'' | b'`') => {
                    let Some(end) = self.closing(at + 1, &[quote]) else {
                        return;
                    };
                    // An argument with a name is tried by its name.
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
        let stand = Stand {
            quoted: true,
            loose: true,
        };
        for (range, named) in texts.into_iter().skip(usize::from(!alone)) {
            if !named && self.candidate(range, Promise::Password, stand) {
                return;
            }
        }
    }

    /// The values of a cookie that nobody writes; `from` is behind the word.
    pub(super) fn cookies(&mut self, from: usize) {
        let stop = floor(self.text, from + LOOK);
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
            let likely = value.len() >= 16 && names::promise(name, "").is_none();
            if likely && (likely::is_wild(value) || is_likely(value, Promise::Perhaps, QUOTED)) {
                found.push(start + name.len() + 1..start + word.len());
            }
        }
        for range in found {
            self.take(range, 3, "cookie");
        }
    }

    /// A text that is nothing but `name:value`, as tags are: whatever signs it has, the value is the rest.
    pub(super) fn lone_pair(&mut self) {
        if self.code || self.text.len() > LOOK {
            return;
        }
        let text = self.text.trim();
        let start = self.text.len() - self.text.trim_start().len();
        if let Some((name, value)) = text.split_once([':', '='])
            && !text.contains(char::is_whitespace)
            && !value.starts_with(['"', '\''])
            && let Some(promise) = names::promise(name, "")
        {
            let from = start + name.len() + 1;
            self.candidate(from..from + value.len(), promise, QUOTED);
        }
    }

    /// The lines of a private key of PuTTY, behind `Private-Lines:`.
    pub(super) fn putty(&mut self, from: usize) {
        let mut lines = self.text[from..].split_inclusive('\n');
        let mut at = from + lines.next().map_or(0, str::len);
        let start = at;
        for line in lines.take(256) {
            let body = line.trim_end();
            if body.is_empty() || !body.bytes().all(|b| Body::Base64.has(b)) || body.len() > 128 {
                break;
            }
            at += line.len();
        }
        if at - start >= 40 {
            self.take(start..at, 0, "private key");
        }
    }

    /// A value between other signs than quotes, `[[…]]` and `q{…}`.
    pub(super) fn enclosed(
        &mut self,
        from: usize,
        close: &[u8],
        promise: Promise,
        way: &Way,
    ) -> Step {
        if let Some(to) = self.closing(from, close) {
            let text = &self.text[from..to];
            let start = from + (text.len() - text.trim_start().len());
            self.candidate(start..start + text.trim().len(), promise, way.stand());
        } else {
            self.literal_lines(from, close, promise, way.stand());
        }
        Step::Done
    }

    /// `%q(`, `%Q{`, `q{`, `qq(`: where the text begins and what ends it.
    pub(super) fn opens_word(&self, at: usize) -> Option<(usize, &'static [u8])> {
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
    pub(super) fn is_compared(&self, name: &Range<usize>, frame: &Frame) -> bool {
        const CALLS: [&str; 8] = [
            "cmp", "cpy", "compare", "equals", "equal", "digest", "setenv", "strcat",
        ];
        let before = &self.text[frame.line.min(name.start)..name.start];
        let call = before
            .trim_end_matches(['&', '*', '.', '-', '>', '_'])
            .strip_suffix('(');
        call.is_some_and(|call| CALLS.iter().any(|word| ends_with(call.as_bytes(), word)))
    }

    /// `name: NAME` and, on the next line, `value: …`.
    pub(super) fn on_next_line(
        &mut self,
        name: &Range<usize>,
        at: usize,
        promise: Promise,
        frame: &Frame,
    ) -> bool {
        if !self.is_value(name, frame) {
            return false;
        }
        let rest = &self.text[at..floor(self.text, at + LOOK)];
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
        let stand = Stand {
            quoted: true,
            loose: false,
        };
        // `value: >-`: it stands on the line behind.
        if value.starts_with(['|', '>']) && value.len() <= 2 {
            let below = next.split_once('\n').map_or("", |(_, below)| below);
            let line = below.lines().next().unwrap_or_default();
            let start = at + rest.len() - below.len() + (line.len() - line.trim_start().len());
            return self.candidate(start..start + line.trim().len(), promise, stand);
        }
        self.candidate(from..from + value.len(), promise, stand)
    }

    /// `default_value = "value")] name: …`: the name follows. `from` is where the word ends.
    pub(super) fn default_value(&mut self, from: usize) {
        let rest = &self.text[from..floor(self.text, from + LOOK)];
        let Some(quote) = rest
            .find(['"', '\n'])
            .filter(|at| rest[*at..].starts_with('"'))
        else {
            return;
        };
        let Some(end) = self.closing(from + quote + 1, b"\"") else {
            return;
        };
        let behind = &self.text[end..floor(self.text, end + WAY)];
        let Some((_, line)) = behind.split_once('\n') else {
            return;
        };
        let line = line.trim_start().trim_start_matches("pub ");
        let length = line.bytes().take_while(|b| Body::Word.has(*b)).count();
        if let Some(promise) = names::promise(&line[..length], "") {
            let stand = Stand {
                quoted: true,
                loose: false,
            };
            self.candidate(from + quote + 1..end, promise, stand);
        }
    }

    /// A block of YAML, `|` or `>`: the lines that are indented deeper.
    pub(super) fn block(&mut self, at: usize, frame: &Frame, promise: Promise) -> bool {
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
            let stand = Stand {
                quoted: false,
                loose: false,
            };
            any |= self.candidate(start..start + trimmed, promise, stand);
            from = end + 1;
        }
        any
    }
}

/// Whether a text may be a part of a value whose beginning was taken.
fn is_part(part: &str) -> bool {
    let signs = part
        .bytes()
        .all(|b| Body::Base64.has(b) || matches!(b, b'-' | b'_' | b'.' | b'~'));
    let digits = part.bytes().any(|b| b.is_ascii_digit());
    let both = part.bytes().any(|b| b.is_ascii_lowercase())
        && part.bytes().skip(1).any(|b| b.is_ascii_uppercase());
    part.len() >= 4 && signs && (digits || both)
}
