//! Secrets that are recognized by their place: flags of known programs, Kubernetes manifests, password files, table
//! columns.

use super::likely::{ValueContext, is_likely_secret};
use super::named::{floor_char_boundary, is_stand_in};
use super::names::{self, SecretNameKind};
use super::scan::{LOOK, Scan, decode_base64};
use std::ops::Range;

/// Most bytes of a command that are read.
const COMMAND: usize = 1_024;
/// Most bytes of a manifest that are read.
const MANIFEST: usize = 64 << 10;
/// Most bytes of a table's head that are read.
const HEAD: usize = 512;

const FRAMED: ValueContext = ValueContext {
    quoted: true,
    loose: false,
};
const BARE: ValueContext = ValueContext {
    quoted: false,
    loose: false,
};

/// A program's way of taking a password.
enum PasswordFlag {
    /// `-u user:password`
    Pair(&'static [&'static str]),
    /// `-p password`
    Flag(&'static str),
    /// `-ppassword`
    Joined(&'static str),
    /// The last word, if a flag contains that letter.
    Last(char),
}

fn password_flags_of(program: &str) -> &'static [PasswordFlag] {
    use PasswordFlag::{Flag, Joined, Last, Pair};
    match program {
        "curl " | "wget " | "lftp " => &[Pair(&["-u", "--user", "-U", "--proxy-user"])],
        "mysql" | "mariadb" => &[Joined("-p")],
        "sshpass " => &[Flag("-p"), Joined("-p")],
        "redis-cli " => &[Flag("-a")],
        "htpasswd " => &[Last('b')],
        "ldapsearch " | "ldapadd " | "ldapmodify " => &[Flag("-w")],
        "mosquitto_" => &[Flag("-P")],
        "smbclient " => &[Pair(&["-U"])],
        "sqlcmd " | "zip " | "unzip " => &[Flag("-P")],
        "7z " | "7za " => &[Joined("-p")],
        _ => &[Flag("-p"), Flag("-P")],
    }
}

impl Scan<'_> {
    /// The flags after a program's name.
    pub(super) fn scan_command_flags(&mut self, hit: Range<usize>) {
        let rest = &self.bytes[hit.end..];
        let name = rest
            .iter()
            .take(16)
            .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
            .count();
        let ends = self.bytes[hit.end - 1] == b' ' || rest.get(name) == Some(&b' ');
        let begins = self.bytes[hit.start] == b' ' || self.begins_word(hit.start);
        if !begins || !ends {
            return;
        }
        let program = self.text[hit.clone()].to_ascii_lowercase();
        let words = self.split_command_words(hit.end);
        for take in password_flags_of(&program) {
            match take {
                PasswordFlag::Pair(flags) => {
                    for (at, word) in words.iter().enumerate() {
                        self.scan_user_password_flag(word, words.get(at + 1), flags);
                    }
                }
                PasswordFlag::Flag(flag) => {
                    let flagged = words
                        .windows(2)
                        .filter(|two| &self.text[two[0].clone()] == *flag);
                    let values: Vec<_> = flagged.map(|two| two[1].clone()).collect();
                    for value in values {
                        self.report_if_likely(value, SecretNameKind::Password, FRAMED);
                    }
                }
                PasswordFlag::Joined(flag) => {
                    for word in &words {
                        if self.text[word.clone()].starts_with(flag) {
                            let value = self.strip_quotes(word.start + flag.len()..word.end);
                            self.report_if_likely(value, SecretNameKind::Password, FRAMED);
                        }
                    }
                }
                PasswordFlag::Last(letter) => {
                    let flagged = |word: &Range<usize>| {
                        let word = &self.text[word.clone()];
                        word.starts_with('-') && !word.starts_with("--") && word.contains(*letter)
                    };
                    if let Some(last) = words.last().filter(|_| words.iter().any(flagged)) {
                        self.report_if_likely(last.clone(), SecretNameKind::Password, FRAMED);
                    }
                }
            }
        }
    }

    /// `-u user:password`, `--user=user:password`.
    fn scan_user_password_flag(
        &mut self,
        word: &Range<usize>,
        next: Option<&Range<usize>>,
        flags: &[&str],
    ) {
        let text = &self.text[word.clone()];
        let Some(flag) = flags.iter().find(|flag| text.starts_with(**flag)) else {
            return;
        };
        let value = match &text[flag.len()..] {
            "" => next.cloned(),
            rest if rest.starts_with('=') => {
                Some(self.strip_quotes(word.start + flag.len() + 1..word.end))
            }
            _ if flag.len() == 2 => Some(word.start + 2..word.end),
            _ => None,
        };
        let Some(value) = value else {
            return;
        };
        let Some(colon) = self.text[value.clone()].find([':', '%']) else {
            return;
        };
        let password = value.start + colon + 1..value.end;
        if is_likely_secret(
            &self.text[password.clone()],
            SecretNameKind::Password,
            FRAMED,
        ) {
            self.push_finding(password, 3, "password");
        }
    }

    fn strip_quotes(&self, range: Range<usize>) -> Range<usize> {
        let text = self.text[range.clone()].as_bytes();
        match text {
            [b'"', .., b'"'] | [b'\'', .., b'\''] => range.start + 1..range.end - 1,
            _ => range,
        }
    }

    /// The words of a command, to the end of its line; a `\` at the end continues it on the next line.
    fn split_command_words(&self, from: usize) -> Vec<Range<usize>> {
        let stop = floor_char_boundary(self.text, from + COMMAND);
        let (mut words, mut at) = (Vec::new(), from);
        while at < stop {
            match self.bytes[at] {
                b' ' | b'\t' => at += 1,
                b'\\' if matches!(self.bytes.get(at + 1), Some(b'\n' | b'\r')) => at += 2,
                b'\n' | b';' | b'|' => break,
                quote @ (b'"' | b'\'') => {
                    let Some(end) = self.find_closing_quote(at + 1, &[quote]) else {
                        break;
                    };
                    words.push(at + 1..end);
                    at = end + 1;
                }
                _ => {
                    let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'`' | b';' | b'|');
                    let (mut end, mut quote) = (at, None);
                    while end < stop {
                        let byte = self.bytes[end];
                        match quote {
                            None if ends(&byte) => break,
                            None if matches!(byte, b'"' | b'\'')
                                && end > at
                                && (self.bytes[end - 1] == b'=' || end == at + 2) =>
                            {
                                quote = Some(byte)
                            }
                            None if matches!(byte, b'"' | b'\'') => break,
                            Some(open) if open == byte => quote = None,
                            _ => {}
                        }
                        end += 1;
                    }
                    words.push(at..end);
                    at = end.max(at + 1);
                    // The quote around the whole command.
                    if matches!(self.bytes.get(end), Some(b'"' | b'\'' | b'`')) {
                        break;
                    }
                }
            }
        }
        words
    }

    /// The texts among the arguments of a call.
    pub(super) fn scan_call_arguments(&mut self, from: usize) {
        let stop = floor_char_boundary(self.text, from + LOOK);
        let mut at = from;
        while at < stop && self.bytes[at] != b'\n' {
            let quote = self.bytes[at];
            let closed = matches!(quote, b'"' | b'\'' | b'`')
                .then(|| self.find_closing_quote(at + 1, &[quote]))
                .flatten();
            if let Some(end) = closed {
                if self.report_if_likely(at + 1..end, SecretNameKind::Key, FRAMED) {
                    return;
                }
                at = end;
            }
            at += 1;
        }
    }

    /// `pass:password`, of openssl.
    pub(super) fn scan_openssl_pass(&mut self, from: usize) {
        let before = &self.bytes[..from - "pass:".len()];
        if !matches!(before.last(), Some(b' ' | b'\'' | b'"' | b'=')) {
            return;
        }
        let stop = self.bytes.len().min(from + LOOK);
        let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'`');
        let length = self.bytes[from..stop]
            .iter()
            .position(ends)
            .unwrap_or(stop - from);
        self.report_if_likely(from..from + length, SecretNameKind::Password, BARE);
    }

    /// `echo password | program --password-stdin`.
    pub(super) fn scan_piped_password(&mut self, at: usize) {
        let from = floor_char_boundary(self.text, at.saturating_sub(LOOK));
        let line = self.text[from..at]
            .rfind('\n')
            .map_or(from, |end| from + end + 1);
        let commands = ["echo ", "printf ", "<<< "];
        let Some(start) = commands
            .iter()
            .find_map(|word| Some(line + self.text[line..at].find(word)? + word.len()))
        else {
            return;
        };
        if let Some(word) = self
            .split_command_words(start)
            .into_iter()
            .find(|word| !self.text[word.clone()].starts_with(['-', '%']))
        {
            // `user:password`, for chpasswd.
            let text = &self.text[word.clone()];
            let user = text
                .find(':')
                .filter(|colon| *colon < 32)
                .map_or(0, |colon| colon + 1);
            self.report_if_likely(
                word.start + user..word.end,
                SecretNameKind::Password,
                FRAMED,
            );
        }
    }

    /// `IDENTIFIED BY 'password'`.
    pub(super) fn scan_sql_identified_by(&mut self, from: usize) {
        let stop = floor_char_boundary(self.text, from + 64);
        let Some(quote) = self.text[from..stop].find(['\'', '"']).map(|at| from + at) else {
            return;
        };
        if let Some(end) = self.find_closing_quote(quote + 1, &self.bytes[quote..quote + 1]) {
            self.report_if_likely(quote + 1..end, SecretNameKind::Password, FRAMED);
        }
    }

    /// `host:port:database:user:password`.
    pub(super) fn scan_pgpass_line(&mut self, at: usize) {
        let from = floor_char_boundary(self.text, at.saturating_sub(LOOK));
        let line = self.text[from..at]
            .rfind('\n')
            .map_or(from, |end| from + end + 1);
        let stop = floor_char_boundary(self.text, at + LOOK);
        let end = self.text[at..stop]
            .find(['\n', '\r'])
            .map_or(stop, |length| at + length);
        let mut fields = self.text[line..end].splitn(5, ':');
        let Some(password) = fields
            .nth(4)
            .filter(|_| !self.text[line..end].contains([' ', '"', '\'']))
        else {
            return;
        };
        self.report_if_likely(end - password.len()..end, SecretNameKind::Password, FRAMED);
    }

    /// Everything below `data:` and `stringData:` of a secret of Kubernetes.
    pub(super) fn scan_kubernetes_secret(&mut self, at: usize) {
        if at < self.manifest {
            return;
        }
        let from = floor_char_boundary(self.text, at.saturating_sub(MANIFEST)).max(self.manifest);
        let from = self.text[from..at]
            .rfind("\n---")
            .map_or(from, |start| from + start + 1);
        let stop = floor_char_boundary(self.text, at + MANIFEST);
        let end = self.text[at..stop]
            .find("\n---")
            .map_or(stop, |length| at + length);
        self.manifest = end;
        let (mut start, mut section) = (from, None);
        while start < end {
            let length = self.text[start..end].find('\n').unwrap_or(end - start);
            let line = &self.text[start..start + length];
            let indent = line.len() - line.trim_start_matches([' ', '-']).len();
            match (
                line.trim()
                    .trim_end_matches('{')
                    .trim()
                    .trim_matches(['"', ':']),
                section,
            ) {
                ("", _) => {}
                ("data", _) => section = Some((indent, true)),
                ("stringData", _) => section = Some((indent, false)),
                (_, Some((outer, _))) if indent <= outer => section = None,
                (_, Some((_, encoded))) => self.scan_manifest_value(start, line, encoded),
                _ => {}
            }
            start += length + 1;
        }
    }

    /// A line of a secret's data.
    fn scan_manifest_value(&mut self, start: usize, line: &str, encoded: bool) {
        let value = match line.split_once(": ") {
            Some((_, value)) => value,
            None if line.trim_end().ends_with(':') => return,
            None => line,
        };
        let value = value.trim().trim_end_matches(',').trim_matches(['"', '\'']);
        let shown = matches!(value, "|" | ">" | "|-" | ">-" | "true" | "false" | "null");
        let plain = !encoded || decode_base64(value.as_bytes()).is_some();
        if shown || !plain || value.contains("{{") || is_stand_in(value) {
            return;
        }
        let Some(offset) = line.rfind(value) else {
            return;
        };
        self.push_finding(
            start + offset..start + offset + value.len(),
            3,
            "Kubernetes secret",
        );
    }

    /// Searches the columns whose names promise a secret, if the text is a table.
    pub(super) fn scan_csv_columns(&mut self) {
        let head = &self.text[..floor_char_boundary(self.text, HEAD)];
        let Some((head, _)) = head.split_once('\n') else {
            return;
        };
        let head = head.trim_end();
        let Some(comma) = [',', ';', '\t']
            .into_iter()
            .find(|comma| head.contains(*comma))
        else {
            return;
        };
        let word = |cell: &str| {
            let cell = cell.trim().trim_matches('"');
            !cell.is_empty()
                && cell.len() <= 32
                && cell
                    .chars()
                    .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' ' | '.'))
        };
        if !head.split(comma).all(word) {
            return;
        }
        let promises: Vec<Option<SecretNameKind>> = head
            .split(comma)
            .map(|cell| names::classify_name(cell.trim().trim_matches('"'), ""))
            .collect();
        if promises.iter().all(Option::is_none) {
            return;
        }
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            self.scan_csv_row(start, line, comma, &promises);
            start += line.len();
        }
    }

    fn scan_csv_row(
        &mut self,
        start: usize,
        line: &str,
        comma: char,
        promises: &[Option<SecretNameKind>],
    ) {
        if line.matches(comma).count() + 1 < promises.len() {
            return;
        }
        let mut at = start;
        let last = promises.len() - 1;
        for (number, cell) in line.trim_end().splitn(promises.len(), comma).enumerate() {
            let value = cell.trim().trim_matches('"');
            let offset = cell.find(value).unwrap_or(0);
            if let Some(promise) = promises[number].filter(|_| number <= last) {
                self.report_if_likely(at + offset..at + offset + value.len(), promise, FRAMED);
            }
            at += cell.len() + comma.len_utf8();
        }
    }
}
