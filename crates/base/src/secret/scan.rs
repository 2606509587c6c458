//! The pass over a text. Where a search looks ahead, it either takes what it saw, so that nobody reads it again,
//! or gives up after a bounded number of bytes.

use super::Finding;
use super::assigned::{self, is_likely, is_monotone};
use super::forms::{Body, FORMS, Form};
use std::sync::OnceLock;

/// The longest value and address that is looked at.
const LOOK: usize = 512;

pub(super) struct Scan<'a> {
    text: &'a str,
    bytes: &'a [u8],
    /// Whether a value without quotes is code.
    code: bool,
    found: Vec<Finding>,
    /// The stretch of word bytes around the last place that asked: start and end.
    run: (usize, usize),
}

/// Forms by their first byte.
fn forms(first: u8) -> &'static [&'static Form] {
    static BY_FIRST: OnceLock<Vec<Vec<&'static Form>>> = OnceLock::new();
    let table = BY_FIRST.get_or_init(|| {
        let mut table = vec![Vec::new(); 256];
        for form in FORMS {
            table[usize::from(form.prefix.as_bytes()[0])].push(form);
        }
        table
    });
    &table[usize::from(first)]
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str, code: bool) -> Scan<'a> {
        Scan {
            text,
            bytes: text.as_bytes(),
            code,
            found: Vec::new(),
            run: (0, 0),
        }
    }

    pub(super) fn run(mut self) -> Vec<Finding> {
        let mut at = 0;
        while at < self.bytes.len() {
            at = self.step(at).max(at + 1);
        }
        self.found
    }

    /// Looks for what begins at `at`; gives where to go on.
    fn step(&mut self, at: usize) -> usize {
        match self.bytes[at] {
            b'-' if self.bytes[at..].starts_with(b"-----BEGIN ") => self.private_key(at),
            b':' if self.bytes[at..].starts_with(b"://") => self.address(at),
            b'=' | b':' => self.assignment(at),
            byte if byte.is_ascii_alphanumeric() && self.begins_word(at) => self
                .token(at)
                .or_else(|| self.web_token(at))
                .or_else(|| self.bot_token(at))
                .or_else(|| self.header(at))
                .or_else(|| self.flag(at))
                .unwrap_or(at + 1),
            _ => at + 1,
        }
    }

    fn begins_word(&self, at: usize) -> bool {
        at == 0 || !(self.bytes[at - 1].is_ascii_alphanumeric() || self.bytes[at - 1] == b'_')
    }

    fn take(&mut self, from: usize, to: usize, kind: &'static str) -> usize {
        self.found.push(Finding {
            range: from..to,
            kind,
        });
        to
    }

    /// Where the body that begins at `from` ends, reading at most `limit` bytes.
    fn body_end(&self, from: usize, body: Body, limit: usize) -> usize {
        let stop = self.bytes.len().min(from.saturating_add(limit));
        let rest = &self.bytes[from..stop];
        from + rest.iter().take_while(|b| body.has(**b)).count()
    }

    fn token(&mut self, at: usize) -> Option<usize> {
        for form in forms(self.bytes[at]) {
            if !self.bytes[at..].starts_with(form.prefix.as_bytes()) {
                continue;
            }
            let from = at + form.prefix.len();
            let short = self.body_end(from, form.body, form.least + 1);
            if short - from < form.least || form.exact && short - from != form.least {
                continue;
            }
            if form.exact && self.bytes.get(short).is_some_and(|b| Body::Word.has(*b)) {
                continue;
            }
            if is_monotone(&self.bytes[from..short]) || is_prose(&self.bytes[from..short]) {
                continue;
            }
            let mut end = self.body_end(short, form.body, usize::MAX);
            // A sentence may end behind a key.
            while self.bytes[end - 1] == b'.' {
                end -= 1;
            }
            return Some(self.take(at, end, form.kind));
        }
        None
    }

    /// The end of the stretch of word bytes that `at` lies in, read once for all its places.
    fn run_end(&mut self, at: usize) -> usize {
        if !(self.run.0 <= at && at < self.run.1) {
            self.run = (at, self.body_end(at, Body::Word, usize::MAX));
        }
        self.run.1
    }

    /// Three parts of base64url, the first two being JSON objects.
    fn web_token(&mut self, at: usize) -> Option<usize> {
        if !self.bytes[at..].starts_with(b"eyJ") {
            return None;
        }
        let head = self.run_end(at);
        if head - at < 10 || !self.bytes[head..].starts_with(b".eyJ") {
            return None;
        }
        let body = self.run_end(head + 1);
        if body - head < 10 || self.bytes.get(body) != Some(&b'.') {
            return None;
        }
        let end = self.body_end(body + 1, Body::Word, usize::MAX);
        Some(self.take(at, end, "JSON web token"))
    }

    /// `123456789:AA…`, a bot of Telegram.
    fn bot_token(&mut self, at: usize) -> Option<usize> {
        let digits = self.bytes[at..].iter().take(12);
        let digits = digits.take_while(|b| b.is_ascii_digit()).count();
        let colon = at + digits;
        if !(8..=11).contains(&digits) || !self.bytes[colon..].starts_with(b":AA") {
            return None;
        }
        let end = self.body_end(colon + 1, Body::Word, 36);
        (end - colon - 1 == 35).then(|| self.take(at, end, "Telegram token"))
    }

    /// `Bearer …` and `Basic …` where they stand in a header.
    fn header(&mut self, at: usize) -> Option<usize> {
        let rest = &self.bytes[at..];
        let word = ["bearer ", "basic "]
            .into_iter()
            .find(|w| rest.len() > w.len() && rest[..w.len()].eq_ignore_ascii_case(w.as_bytes()))?;
        let from = at + word.len();
        let body = match word {
            "basic " => Body::Base64,
            _ => Body::Dotted,
        };
        let end = self.body_end(from, body, LOOK);
        let value = &self.text[from..end];
        let digits = value.bytes().filter(u8::is_ascii_digit).count();
        let upper = value.bytes().filter(u8::is_ascii_uppercase).count();
        let least = if word == "basic " { 8 } else { 16 };
        // A lone word behind it is prose: `basic authentication`.
        if value.len() < least || digits + upper < 2 || is_monotone(value.as_bytes()) {
            return None;
        }
        // The web token begins with a form of its own and may be longer.
        let end = self.body_end(end, body, usize::MAX);
        Some(self.take(from, end, "authorization header"))
    }

    /// `--password value`: a name behind two dashes, a blank, a value.
    fn flag(&mut self, at: usize) -> Option<usize> {
        if at < 2 || &self.bytes[at - 2..at] != b"--" {
            return None;
        }
        let end = self.body_end(at, Body::Word, 40);
        let promise = assigned::promise(&self.text[at..end])?;
        if self.bytes.get(end) != Some(&b' ') {
            return None;
        }
        let (from, to, quoted) = self.value(end + 1)?;
        let value = &self.text[from..to];
        let likely = !value.starts_with('-') && is_likely(value, promise, quoted);
        likely.then(|| self.take(from, to, kind_of(promise)))
    }

    /// `name = value`, `"name": "value"`, `NAME=value`; `at` is the sign.
    fn assignment(&mut self, at: usize) -> usize {
        let Some(promise) = self.name_before(at).and_then(assigned::promise) else {
            return at + 1;
        };
        let mut from = at + 1;
        while matches!(
            self.bytes.get(from),
            Some(b' ' | b'=' | b':' | b'>' | b'\t')
        ) && from < at + 6
        {
            from += 1;
        }
        match self.value(from) {
            Some((from, to, quoted)) if is_likely(&self.text[from..to], promise, quoted) => {
                self.take(from, to, kind_of(promise))
            }
            _ => at + 1,
        }
    }

    /// The name that ends before `at`, blanks and a quote between them passed over.
    fn name_before(&self, at: usize) -> Option<&'a str> {
        let mut end = at;
        let blank = |b: u8| matches!(b, b' ' | b'\t' | b'"' | b'\'' | b'`' | b'\\' | b']');
        while end > 0 && at - end < 4 && blank(self.bytes[end - 1]) {
            end -= 1;
        }
        let named = |b: u8| Body::Dotted.has(b) || b >= 0x80;
        let mut start = end;
        while start > 0 && end - start < 48 && named(self.bytes[start - 1]) {
            start -= 1;
        }
        while !self.text.is_char_boundary(start) {
            start += 1;
        }
        self.text.get(start..end).filter(|name| !name.is_empty())
    }

    /// The value that begins at `from`: to the closing quote, or to the next blank. None where it is not ended
    /// within bounds.
    fn value(&self, from: usize) -> Option<(usize, usize, bool)> {
        let first = *self.bytes.get(from)?;
        let (from, quote) = match first {
            b'"' | b'\'' | b'`' => (from + 1, Some(first)),
            b'\\' if self.bytes.get(from + 1) == Some(&b'"') => (from + 2, Some(b'\\')),
            _ => (from, None),
        };
        let ends = |byte: u8| match quote {
            Some(quote) => byte == quote || byte == b'\n',
            None => {
                byte.is_ascii_whitespace()
                    || matches!(byte, b',' | b'"' | b'\'' | b'`' | b'&' | b';' | b')')
            }
        };
        let stop = self.bytes.len().min(from + LOOK);
        let rest = self.bytes.get(from..stop)?;
        let length = match rest.iter().position(|b| ends(*b)) {
            Some(length) => length,
            // The text ends with its value.
            None if quote.is_none() && stop == self.bytes.len() => rest.len(),
            None => return None,
        };
        let to = from + length;
        let whole = self.text.get(from..to)?;
        if self.code && quote.is_none() {
            return None;
        }
        // Words between blanks are a sentence.
        (!whole.is_empty() && !whole.contains(' ')).then_some((from, to, quote.is_some()))
    }

    /// `scheme://user:password@host`; `at` is the colon of `://`.
    fn address(&mut self, at: usize) -> usize {
        let from = at + 3;
        let stop = self.bytes.len().min(from + LOOK);
        let ends = |b: &u8| {
            b.is_ascii_whitespace()
                || matches!(b, b'/' | b'?' | b'#' | b'"' | b'\'' | b'<' | b'>' | b'`')
        };
        let authority = &self.bytes[from..stop];
        let authority = &authority[..authority.iter().position(ends).unwrap_or(authority.len())];
        let Some(sign) = authority.iter().rposition(|b| *b == b'@') else {
            return from;
        };
        let Some(colon) = authority[..sign].iter().position(|b| *b == b':') else {
            return from;
        };
        let password = &authority[colon + 1..sign];
        let named = password
            .first()
            .is_some_and(|b| matches!(b, b'$' | b'{' | b'<' | b'*' | b'%' | b'['));
        let stands_for = [
            &b"password"[..],
            b"pass",
            b"pwd",
            b"secret",
            b"xxx",
            b"xxxx",
            b"xxxxx",
        ];
        if password.is_empty() || named || stands_for.contains(&password) {
            return from;
        }
        self.take(from + colon + 1, from + sign, "password in an address")
    }

    /// The lines between `-----BEGIN … PRIVATE KEY-----` and its end. The words alone, without a key, are no secret.
    fn private_key(&mut self, at: usize) -> usize {
        let from = at + b"-----BEGIN ".len();
        let stop = self.bytes.len().min(from + 48);
        let label = self.bytes[from..stop]
            .split(|b| *b == b'-')
            .next()
            .unwrap_or_default();
        let begins = from + label.len();
        let is_key = label.ends_with(b"PRIVATE KEY") || label.ends_with(b"PRIVATE KEY BLOCK");
        if !is_key || !self.bytes[begins..].starts_with(b"-----") {
            return from;
        }
        let body = begins + 5;
        let end = self.key_lines(body);
        match end - body >= 40 {
            true => self.take(body, end, "private key"),
            false => body,
        }
    }

    /// Where the lines of a key end that begin at `from`; line ends may be written `\n`.
    fn key_lines(&self, from: usize) -> usize {
        let (mut end, mut at) = (from, from);
        loop {
            while self
                .bytes
                .get(at)
                .is_some_and(|b| b.is_ascii_whitespace() || matches!(b, b'"' | b',' | b'+'))
            {
                at += 1;
            }
            if matches!(self.bytes.get(at..at + 2), Some(br"\n" | br"\r")) {
                at += 2;
                continue;
            }
            let line = self.body_end(at, Body::Base64, usize::MAX);
            let header = [&b"Proc-Type:"[..], b"DEK-Info:", b"Version:", b"Comment:"];
            if header.iter().any(|h| self.bytes[at..].starts_with(h)) {
                at += self.bytes[at..]
                    .iter()
                    .take(120)
                    .take_while(|b| **b != b'\n')
                    .count();
                end = at;
                continue;
            }
            // The last line may be short, and nothing but the end stands behind it.
            let long = line - at >= 16;
            let last = line > at && end > from && self.ends_key(line);
            if !(long || last) {
                return end;
            }
            (end, at) = (line, line);
        }
    }

    fn ends_key(&self, at: usize) -> bool {
        let stop = self.bytes.len().min(at + 12);
        self.bytes[at..stop].contains(&b'-')
    }
}

fn kind_of(promise: assigned::Promise) -> &'static str {
    match promise {
        assigned::Promise::Password => "password",
        assigned::Promise::Key => "key",
    }
}

/// `sk-learn-compatible-estimators` begins like a key and is words.
fn is_prose(body: &[u8]) -> bool {
    !body.iter().any(u8::is_ascii_digit) && !body.iter().any(u8::is_ascii_uppercase)
}
