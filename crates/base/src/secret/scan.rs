//! The pass over a text, which tries the check of each keyword. A search that looks ahead either consumes what it read,
//! so that it is not read again, or gives up after a bounded number of bytes.

use super::Finding;
use super::blocks;
use super::forms::{Body, FORMS};
use super::keywords::{self, Attempt};
use super::likely::VALUES;
use super::likely::{has_few_distinct_bytes, has_random_letters};
use super::rules;
use crate::list::{self, WordList};
use memchr::memmem;
use std::ops::Range;
use std::sync::LazyLock;

/// Most bytes of a value or address that are read.
pub(super) const LOOK: usize = 512;
/// The longest private key, with its end line.
const LONGEST_KEY: usize = 32 << 10;

pub(super) struct Scan<'a> {
    pub(super) text: &'a str,
    pub(super) bytes: &'a [u8],
    /// Whether a value without quotes is code.
    pub(super) code: bool,
    pub(super) found: Vec<SecretMatch>,
    /// The last runs of word bytes in which the heads and the bodies of web tokens were searched: start and end.
    heads: (usize, usize),
    bodies: (usize, usize),
    /// End of the last name.
    pub(super) named: usize,
    /// Ends of the last form, private key and manifest.
    form: usize,
    key: usize,
    pub(super) manifest: usize,
    /// Position up to which lines with a name were searched.
    pub(super) near: usize,
    /// Position from which each rule goes on.
    rules: Vec<usize>,
    /// Texts of several lines within a program, once a name has asked for them.
    blocks: Option<Vec<Range<usize>>>,
}

/// A finding and its rank: if two overlap, the kind of the one with the lower rank is reported.
pub(super) struct SecretMatch {
    range: Range<usize>,
    rank: u8,
    kind: &'static str,
}

impl<'a> Scan<'a> {
    pub(super) fn new(text: &'a str, code: bool) -> Scan<'a> {
        Scan {
            text,
            bytes: text.as_bytes(),
            code,
            found: Vec::new(),
            heads: (0, 0),
            bodies: (0, 0),
            named: 0,
            form: 0,
            key: 0,
            manifest: 0,
            near: 0,
            rules: Vec::new(),
            blocks: None,
        }
    }

    /// Whether a place of a program is in a literal or comment of several lines.
    pub(super) fn is_in_block(&mut self, at: usize) -> bool {
        let text = self.text;
        let blocks = self.blocks.get_or_insert_with(|| blocks::find_blocks(text));
        let next = blocks.partition_point(|block| block.end <= at);
        blocks.get(next).is_some_and(|block| block.start <= at)
    }

    pub(super) fn into_findings(mut self) -> Vec<Finding> {
        keywords::keyword_table().for_each_match(self.bytes, |attempt, hit| {
            self.dispatch_attempt(attempt, hit)
        });
        self.scan_csv_columns();
        self.scan_sole_name_value();
        self.merge_findings()
    }

    fn dispatch_attempt(&mut self, attempt: Attempt, hit: Range<usize>) {
        match attempt {
            Attempt::Name => self.scan_named_value(hit),
            Attempt::Form(number) => self.scan_known_token(number, hit.start),
            Attempt::Rule(number) => self.apply_rule(number, hit),
            Attempt::WebToken => self.scan_jwt(hit.start),
            Attempt::BotToken => self.scan_telegram_bot_token(hit.start),
            Attempt::Header => self.scan_authorization_header(hit),
            Attempt::Call => self.scan_call_arguments(hit.end),
            Attempt::Default => self.scan_default_before_name(hit.end),
            Attempt::Address => self.scan_url_credentials(hit.start),
            Attempt::PrivateKey => self.scan_pem_private_key(hit.start),
            Attempt::Program => self.scan_command_flags(hit),
            Attempt::PassWord => self.scan_openssl_pass(hit.end),
            Attempt::Stdin => self.scan_piped_password(hit.start),
            Attempt::Manifest => self.scan_kubernetes_secret(hit.start),
            Attempt::Identified => self.scan_sql_identified_by(hit.end),
            Attempt::PassFile => self.scan_pgpass_line(hit.start),
            Attempt::Login => self.scan_login_call(hit),
            Attempt::Cookies => self.scan_cookie_values(hit.end),
            Attempt::Putty => self.scan_putty_private_lines(hit.end),
        }
    }

    /// The findings in order; overlapping ones are merged.
    fn merge_findings(mut self) -> Vec<Finding> {
        let bytes = self.bytes;
        self.found.retain(|f| {
            bytes[f.range.clone()]
                .iter()
                .any(|b| !matches!(b, b'*' | b'\n' | b'\r'))
        });
        self.found.sort_by_key(|f| (f.range.start, f.rank));
        let mut all: Vec<SecretMatch> = Vec::with_capacity(self.found.len());
        for next in self.found {
            match all.last_mut() {
                Some(last) if next.range.start < last.range.end => {
                    last.range.end = last.range.end.max(next.range.end);
                    if next.rank < last.rank {
                        (last.rank, last.kind) = (next.rank, next.kind);
                    }
                }
                _ => all.push(next),
            }
        }
        let finding = |SecretMatch { range, kind, .. }| Finding { range, kind };
        all.into_iter().map(finding).collect()
    }

    pub(super) fn begins_word(&self, at: usize) -> bool {
        at == 0 || !(self.bytes[at - 1].is_ascii_alphanumeric() || self.bytes[at - 1] == b'_')
    }

    pub(super) fn push_finding(&mut self, range: Range<usize>, rank: u8, kind: &'static str) {
        self.found.push(SecretMatch { range, rank, kind });
    }

    /// End of the body that begins at `from`; reads at most `limit` bytes.
    pub(super) fn find_body_end(&self, from: usize, body: Body, limit: usize) -> usize {
        let stop = self.bytes.len().min(from.saturating_add(limit));
        let rest = &self.bytes[from..stop];
        from + rest.iter().take_while(|b| body.contains(**b)).count()
    }

    fn scan_known_token(&mut self, number: usize, at: usize) {
        let form = &FORMS[number];
        if at < self.form
            || !self.begins_word(at)
            || !self.bytes[at..].starts_with(form.prefix.as_bytes())
        {
            return;
        }
        let from = at + form.prefix.len();
        let short = self.find_body_end(from, form.body, form.least + 1);
        let length = short - from;
        if length < form.least || form.exact && length != form.least {
            return;
        }
        if form.exact
            && self
                .bytes
                .get(short)
                .is_some_and(|b| Body::Word.contains(*b))
        {
            return;
        }
        let body = &self.bytes[from..short];
        if has_few_distinct_bytes(body) || is_lowercase_words(body) || body.ends_with(b"EXAMPLE") {
            return;
        }
        let mut end = self.find_body_end(short, form.body, usize::MAX);
        // A sentence may end after a key.
        while self.bytes[end - 1] == b'.' {
            end -= 1;
        }
        self.form = end;
        self.push_finding(at..end, 0, form.kind);
    }

    fn apply_rule(&mut self, number: usize, hit: Range<usize>) {
        if self.rules.is_empty() {
            self.rules = vec![0; rules::all_rules().len()];
        }
        if hit.start < self.rules[number] {
            return;
        }
        let rule = &rules::all_rules()[number];
        self.rules[number] = hit.end;
        if let Some(found) = rule.find_near(self.text, hit) {
            self.rules[number] = found.end;
            self.push_finding(found, 1, rule.id);
        }
    }

    /// The run of word bytes around `at`, read once for all places in it. If it was read last, it is `known`.
    fn word_run_at(&self, at: usize, known: (usize, usize)) -> (usize, usize) {
        if known.0 <= at && at < known.1 {
            known
        } else {
            (at, self.find_body_end(at, Body::Word, usize::MAX))
        }
    }

    /// Three parts of base64url, the first two being JSON objects.
    fn scan_jwt(&mut self, at: usize) {
        if at < self.form || !self.begins_word(at) || !self.bytes[at..].starts_with(b"eyJ") {
            return;
        }
        self.heads = self.word_run_at(at, self.heads);
        let head = self.heads.1;
        if head - at < 10 || !self.bytes[head..].starts_with(b".eyJ") {
            return;
        }
        // Every beginning within a head has the same body after it.
        self.bodies = self.word_run_at(head + 1, self.bodies);
        let body = self.bodies.1;
        if body - head < 10 || self.bytes.get(body) != Some(&b'.') {
            return;
        }
        let end = self.find_body_end(body + 1, Body::Word, usize::MAX);
        self.form = end;
        self.push_finding(at..end, 0, "JSON web token");
    }

    /// `123456789:AA…`, a bot of Telegram; `colon` is the sign.
    fn scan_telegram_bot_token(&mut self, colon: usize) {
        if !self.bytes[colon..].starts_with(b":AA") {
            return;
        }
        let digits = self.bytes[..colon].iter().rev().take(12);
        let digits = digits.take_while(|b| b.is_ascii_digit()).count();
        let at = colon - digits;
        if !(8..=11).contains(&digits) || !self.begins_word(at) {
            return;
        }
        let end = self.find_body_end(colon + 1, Body::Word, 36);
        if end - colon - 1 == 35 {
            self.push_finding(at..end, 0, "Telegram token");
        }
    }

    /// `Bearer …` and `Basic …` in a header.
    fn scan_authorization_header(&mut self, hit: Range<usize>) {
        if !self.begins_word(hit.start) {
            return;
        }
        let basic = hit.len() == "basic ".len();
        let from = hit.end;
        let body = if basic { Body::Base64 } else { Body::Dotted };
        let end = self.find_body_end(from, body, LOOK);
        let value = &self.text[from..end];
        // A single word after it is prose: `basic authentication`.
        let likely = if basic {
            is_base64_user_password(value.as_bytes())
        } else {
            let digits = value.bytes().filter(u8::is_ascii_digit).count();
            let upper = value.bytes().filter(u8::is_ascii_uppercase).count();
            value.len() >= 16 && (digits >= 1 && digits + upper >= 3 || has_random_letters(value))
        };
        if !likely || has_few_distinct_bytes(value.as_bytes()) {
            return;
        }
        let end = self.find_body_end(end, Body::Base64, usize::MAX);
        self.push_finding(from..end, 2, "authorization header");
    }

    /// `scheme://user:password@host` and `scheme://token@host`; `at` is the colon of `://`.
    fn scan_url_credentials(&mut self, at: usize) {
        let from = at + 3;
        let stop = self.bytes.len().min(from + LOOK);
        let ends = |b: &u8| {
            b.is_ascii_whitespace()
                || matches!(b, b'/' | b'?' | b'#' | b'"' | b'\'' | b'<' | b'>' | b'`')
        };
        let authority = &self.bytes[from..stop];
        let authority = &authority[..authority.iter().position(ends).unwrap_or(authority.len())];
        let Some(sign) = authority.iter().rposition(|b| *b == b'@') else {
            return;
        };
        let (start, kind) = match authority[..sign].iter().position(|b| *b == b':') {
            Some(colon) => (colon + 1, "password in an address"),
            None => (0, "token in an address"),
        };
        let user = &authority[..start.saturating_sub(1)];
        let password = &authority[start..sign];
        let Ok(value) = std::str::from_utf8(password) else {
            return;
        };
        let likely = match start {
            0 => {
                value.len() >= 16
                    && value.bytes().any(|b| b.is_ascii_digit())
                    && !value.contains(['.', '$', '{'])
            }
            _ => !is_example_password(user, value),
        };
        if likely && self.text.is_char_boundary(from + start) {
            self.push_finding(from + start..from + sign, 2, kind);
        }
    }

    /// The lines between `-----BEGIN … PRIVATE KEY-----` and its end. Without a key between them, the two lines are no
    /// secret.
    fn scan_pem_private_key(&mut self, at: usize) {
        let begins = [&b"-----BEGIN "[..], b"---- BEGIN "];
        if at < self.key || !begins.iter().any(|b| self.bytes[at..].starts_with(b)) {
            return;
        }
        let from = at + b"-----BEGIN ".len();
        let stop = self.bytes.len().min(from + 64);
        let label = self.bytes[from..stop]
            .split(|b| *b == b'-')
            .next()
            .unwrap_or_default();
        let begins = from + label.len();
        let is_key = ["PRIVATE KEY", "SECRET KEY", "Static key"]
            .iter()
            .any(|word| memmem::find(label, word.as_bytes()).is_some());
        if !is_key || !self.bytes[begins..].starts_with(b"----") {
            return;
        }
        let dashes = self.bytes[begins..].iter().take(5);
        let body = begins + dashes.take_while(|b| **b == b'-').count();
        let end = self
            .find_key_end(body)
            .unwrap_or_else(|| self.skip_key_lines(body));
        if end - body >= 40 {
            self.key = end;
            for piece in self.private_key_ranges(at, body..end) {
                self.push_finding(piece, 0, "private key");
            }
        }
    }

    /// The parts of a key's block that belong to the key. Quotes, symbols between literals and comment signs stay, so
    /// that the program can still be parsed. `at` is the start of the line of dashes.
    fn private_key_ranges(&self, at: usize, block: Range<usize>) -> Vec<Range<usize>> {
        // Without a limit, keys on one line would be read once for each key after them.
        let from = at.saturating_sub(LOOK);
        let line = memchr::memrchr(b'\n', &self.bytes[from..at]).map_or(from, |end| from + end + 1);
        let before = &self.bytes[line..at];
        let quote = before
            .iter()
            .rfind(|b| matches!(b, b'"' | b'\'' | b'`'))
            .copied();
        match quote.and_then(|quote| self.quoted_key_ranges(quote, block.clone())) {
            Some(pieces) => pieces,
            None => self.commented_key_ranges(before, block),
        }
    }

    /// Ranges within quotes, the first of which was opened earlier. `None` if parts of a key lie outside them.
    fn quoted_key_ranges(&self, quote: u8, block: Range<usize>) -> Option<Vec<Range<usize>>> {
        let (mut pieces, mut from, mut inside, mut escaped) =
            (Vec::new(), block.start, true, false);
        let outside = |part: &[u8]| {
            let mut runs = part.split(|b| !Body::Base64.contains(*b));
            !runs.any(|run| run.len() >= 20 && run.iter().any(u8::is_ascii_digit))
        };
        for at in block.clone() {
            let byte = self.bytes[at];
            if byte != quote || escaped {
                escaped = byte == b'\\' && !escaped;
                continue;
            }
            if inside {
                if at > from {
                    pieces.push(from..at);
                }
            } else if !outside(&self.bytes[from..at]) {
                return None;
            }
            (inside, from) = (!inside, at + 1);
        }
        if inside {
            if block.end > from {
                pieces.push(from..block.end);
            }
        } else if !outside(&self.bytes[from..block.end]) {
            return None;
        }
        Some(pieces)
    }

    /// The lines without the comment sign, if the same sign is before the dashes; else the block as it is.
    fn commented_key_ranges(&self, before: &[u8], block: Range<usize>) -> Vec<Range<usize>> {
        let sign = before.trim_ascii();
        let mut pieces = Vec::new();
        let mut from = block.start;
        for line in self.bytes[block.clone()].split_inclusive(|b| *b == b'\n') {
            let to = from + line.len();
            let rest = line.trim_ascii_start();
            let rest = if from == block.start {
                Some(rest)
            } else {
                rest.strip_prefix(sign)
            };
            let Some(rest) = rest else {
                return vec![block];
            };
            let start = to - rest.trim_ascii_start().len();
            pieces.extend((start < to).then_some(start..to));
            from = to;
        }
        if sign.is_empty() || pieces.is_empty() {
            vec![block]
        } else {
            pieces
        }
    }

    /// End of the block that begins at `from`: at the next dashes, if the text before them is a key, whatever
    /// characters a program or a document puts around its lines.
    fn find_key_end(&self, from: usize) -> Option<usize> {
        let stop = self.bytes.len().min(from + LONGEST_KEY);
        let length = memmem::find(&self.bytes[from..stop], b"----")?;
        let ends = self.bytes[from + length..].iter().take(16);
        let ends = ends.skip_while(|b| matches!(b, b'-' | b' '));
        let block = &self.bytes[from..from + length];
        let signs = block.iter().filter(|b| Body::Base64.contains(**b)).count();
        let long = |run: &[u8]| run.len() >= 24 && run.iter().any(u8::is_ascii_digit);
        let runs = block.split(|b| !Body::Base64.contains(*b)).any(long);
        let whole = ends.take(3).eq(b"END") && signs * 20 >= length * 13 && runs;
        // The quote, or the sign of a comment, before the end stays.
        let last = block.iter().rposition(|b| Body::Base64.contains(*b))?;
        whole.then_some(from + last + 1)
    }

    /// End of the lines of a key that begin at `from`. Line ends may be written as `\n`.
    fn skip_key_lines(&self, from: usize) -> usize {
        let (mut end, mut at) = (from, from);
        loop {
            // Comments and quotes may begin each line.
            while self.bytes.get(at).is_some_and(|b| {
                b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b',' | b'+' | b'#' | b'*')
            }) {
                at += 1;
            }
            if matches!(self.bytes.get(at..at + 2), Some(br"\n" | br"\r")) {
                at += 2;
                continue;
            }
            let line = self.find_body_end(at, Body::Base64, usize::MAX);
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
            // The last line may be short, and only the end line follows it.
            let long = line - at >= 16;
            let last = line > at && end > from && self.is_at_end_dashes(line);
            if !(long || last) {
                return end;
            }
            (end, at) = (line, line);
        }
    }

    fn is_at_end_dashes(&self, at: usize) -> bool {
        let stop = self.bytes.len().min(at + 12);
        self.bytes[at..stop].contains(&b'-')
    }
}

/// Passwords in addresses of examples.
static EXAMPLE_PASSWORDS: WordList =
    LazyLock::new(|| list::words(list::section(VALUES, "example passwords")).collect());

/// Whether a password in an address is only an example.
fn is_example_password(user: &[u8], password: &str) -> bool {
    let lower = password.to_lowercase();
    let bare = lower.trim_end_matches(|c: char| c.is_ascii_digit() || c == ']');
    let bare = if lower.len() - bare.len() > 2 {
        &lower
    } else {
        bare
    };
    let named = password.starts_with(['$', '{', '<', '*', '%', '[', '@', ':'])
        && !password[1..].starts_with(|c: char| c.is_ascii_hexdigit());
    let formatted =
        password.contains(['(', '{', '[']) || password.contains("%s") || password.contains("...");
    password.len() < 3
        || named
        || formatted
        || EXAMPLE_PASSWORDS.contains(&bare)
        || user.eq_ignore_ascii_case(password.as_bytes())
}

/// Whether it is base64 of a user and a password.
pub(super) fn is_base64_user_password(text: &[u8]) -> bool {
    let Some(plain) = decode_base64(text) else {
        return false;
    };
    plain.len() >= 6 && plain.contains(&b':') && plain.iter().all(|b| (b' '..0x7f).contains(b))
}

/// Decodes base64; `None` if it is no base64 or too long.
pub(super) fn decode_base64(text: &[u8]) -> Option<Vec<u8>> {
    let text = text
        .strip_suffix(b"==")
        .or(text.strip_suffix(b"="))
        .unwrap_or(text);
    if text.len() < 8 || text.len() > 4_096 || text.len() % 4 == 1 {
        return None;
    }
    let (mut bits, mut bit_count, mut out) = (0u32, 0, Vec::with_capacity(text.len()));
    for byte in text {
        let six = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(six);
        bit_count += 6;
        if bit_count >= 8 {
            bit_count -= 8;
            out.push((bits >> bit_count) as u8);
            bits &= (1 << bit_count) - 1;
        }
    }
    Some(out)
}

/// `sk-learn-compatible-estimators` begins like a key and is words.
fn is_lowercase_words(body: &[u8]) -> bool {
    !body.iter().any(u8::is_ascii_digit) && !body.iter().any(u8::is_ascii_uppercase)
}
