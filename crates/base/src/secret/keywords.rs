//! The keywords that one pass over a text searches for, all at once. Nothing is tried at other places.
//!
//! The three characters of each keyword that are rarest in code are looked up in a table that fits into a processor's
//! nearest cache. The whole keyword is compared only where they occur. That takes a tenth of the time of an automaton
//! of all keywords. The table is built in microseconds, which matters to a command that masks a few lines.

use super::forms::FORMS;
use super::rules;
use std::ops::Range;
use std::sync::OnceLock;

/// The check that is tried at a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attempt {
    /// A part of a name that may be the name of a secret.
    Name,
    /// A known form, by its number.
    Form(usize),
    /// A rule, by its number.
    Rule(usize),
    /// `eyJ`, the beginning of web tokens.
    WebToken,
    /// `:AA`, which follows the number of a bot.
    BotToken,
    /// `Bearer` and `Basic`.
    Header,
    /// `://`.
    Address,
    /// A call that takes a key.
    Call,
    /// `default_value`, followed by the name.
    Default,
    /// `-----BEGIN`.
    PrivateKey,
    /// A program that takes a password after a flag of one letter.
    Program,
    /// `pass:`, of openssl.
    PassWord,
    /// `--password-stdin`: the secret is printed before it.
    Stdin,
    /// `kind: Secret`, of Kubernetes.
    Manifest,
    /// `IDENTIFIED BY`.
    Identified,
    /// A line of a `.pgpass`.
    PassFile,
    /// A call that takes a user and a password.
    Login,
    /// `Cookie: …`
    Cookies,
    /// `Private-Lines:`, of PuTTY.
    Putty,
}

/// Parts of names of secrets.
const NAMES: &[&str] = &[
    "pass",
    "pwd",
    "wachtwoord",
    "kennwort",
    "contrase",
    "senha",
    "heslo",
    "_pw",
    " pw",
    "-pw",
    ".pw",
    "pw=",
    "pw:",
    "mailpw",
    "loginpw",
    "psk",
    "phrase",
    "密码",
    "口令",
    "пароль",
    "パスワード",
    "비밀번호",
    "secret",
    "token",
    "key",
    "cred",
    "salt",
    "pepper",
    "bearer",
    "kek",
    "authorization",
    "_auth",
    "-auth",
    ".auth",
    "auth=",
    "auth\"",
    "auth'",
    "auth:",
    "auth(",
    "auth.",
    "auth ",
    "recovery",
    "unlock",
    "otp",
    "mfa",
    "grant",
    "_sk",
    "-sk",
    ".sk",
    "esk",
    "hmac",
    "getconnection",
    "masterauth",
    "bindpw",
    "rootpw",
    "sessid",
    "sessionid",
    "session_id",
    "session-id",
];
const PROGRAMS: &[&str] = &[
    "curl ",
    "wget ",
    "mysql",
    "mariadb",
    "sshpass ",
    "redis-cli ",
    "htpasswd ",
    "ldapsearch ",
    "ldapadd ",
    "ldapmodify ",
    " login ",
    "smbclient ",
    "mongo ",
    "mongosh ",
    "mongodump ",
    "rabbitmqadmin ",
    "lftp ",
    "mosquitto_",
    "sqlcmd ",
    "7z ",
    "7za ",
    "zip ",
    "unzip ",
];
const OTHERS: &[(&str, Attempt)] = &[
    ("eyJ", Attempt::WebToken),
    (":AA", Attempt::BotToken),
    ("bearer ", Attempt::Header),
    ("basic ", Attempt::Header),
    ("default_value", Attempt::Default),
    ("jwt.sign(", Attempt::Call),
    ("jwt.encode(", Attempt::Call),
    ("jwt.verify(", Attempt::Call),
    ("jwt.decode(", Attempt::Call),
    ("createhmac(", Attempt::Call),
    ("hmac.new(", Attempt::Call),
    ("fernet(", Attempt::Call),
    ("://", Attempt::Address),
    ("-----BEGIN ", Attempt::PrivateKey),
    ("---- BEGIN ", Attempt::PrivateKey),
    ("private-lines:", Attempt::Putty),
    ("cookie", Attempt::Cookies),
    ("login(", Attempt::Login),
    ("bind_s(", Attempt::Login),
    ("simple_bind(", Attempt::Login),
    ("dbi->connect(", Attempt::Login),
    ("mysqli(", Attempt::Login),
    ("mysqli_connect(", Attempt::Login),
    ("mysql_connect(", Attempt::Login),
    ("new pdo(", Attempt::Login),
    ("auth_password(", Attempt::Login),
    ("getconnection(", Attempt::Login),
    (":auth(", Attempt::Login),
    (".auth(", Attempt::Login),
    ("pass:", Attempt::PassWord),
    ("--password-stdin", Attempt::Stdin),
    ("=/dev/stdin", Attempt::Stdin),
    ("| sudo -s", Attempt::Stdin),
    ("| chpasswd", Attempt::Stdin),
    ("passwd --stdin", Attempt::Stdin),
    ("kind: Secret", Attempt::Manifest),
    ("kind: \"Secret", Attempt::Manifest),
    ("\"kind\": \"Secret", Attempt::Manifest),
    ("identified by ", Attempt::Identified),
    ("identified with ", Attempt::Identified),
    (":5432:", Attempt::PassFile),
    (":*:", Attempt::PassFile),
];
/// Letters in source code, the most frequent first.
const FREQUENT: &[u8] = b"etaoinsrlcdupmfghbyvkwxqjz";
/// Triples of characters, six bits each.
const TRIPLES: usize = 1 << 18;
const BUCKETS: usize = 1 << 10;

struct Keyword {
    word: &'static [u8],
    attempt: Attempt,
    /// Offset of the end of its rarest triple.
    offset: usize,
}

/// A table of the keywords, by their rarest triples.
pub(super) struct Keywords {
    classes: [u8; 256],
    /// A bit for each triple that some keyword has.
    triples: Vec<u64>,
    buckets: Vec<Vec<Keyword>>,
}

/// All keywords.
pub(super) fn keyword_table() -> &'static Keywords {
    static ALL: OnceLock<Keywords> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut all = Keywords {
            classes: std::array::from_fn(|byte| byte_class(byte as u8)),
            triples: vec![0; TRIPLES / 64],
            buckets: (0..BUCKETS).map(|_| Vec::new()).collect(),
        };
        NAMES.iter().for_each(|word| all.add(word, Attempt::Name));
        PROGRAMS
            .iter()
            .for_each(|word| all.add(word, Attempt::Program));
        OTHERS
            .iter()
            .for_each(|(word, attempt)| all.add(word, *attempt));
        for (at, form) in FORMS.iter().enumerate() {
            all.add(form.prefix, Attempt::Form(at));
        }
        for (at, rule) in rules::all_rules().iter().enumerate() {
            rule.keywords
                .iter()
                .for_each(|word| all.add(word, Attempt::Rule(at)));
        }
        all
    })
}

impl Keywords {
    fn add(&mut self, word: &'static str, attempt: Attempt) {
        let word = word.as_bytes();
        let rarest = (2..word.len()).max_by_key(|end| {
            let rare = |byte: &u8| match FREQUENT
                .iter()
                .position(|letter| *letter == byte.to_ascii_lowercase())
            {
                Some(rank) => rank,
                None if matches!(byte, b' ' | b'"' | b'=' | b'.') => 8,
                None => 16,
            };
            word[end - 2..=*end].iter().map(rare).sum::<usize>()
        });
        let Some(offset) = rarest else {
            return;
        };
        let triple = word[offset - 2..=offset]
            .iter()
            .fold(0, |all, byte| self.push_byte(all, *byte));
        self.triples[triple / 64] |= 1 << (triple % 64);
        self.buckets[bucket_of(triple)].push(Keyword {
            word,
            attempt,
            offset,
        });
    }

    fn push_byte(&self, triple: usize, byte: u8) -> usize {
        (triple << 6 | usize::from(self.classes[usize::from(byte)])) & (TRIPLES - 1)
    }

    /// Visits each keyword in the text, in any case, in order of position.
    pub(super) fn for_each_match(&self, text: &[u8], mut found: impl FnMut(Attempt, Range<usize>)) {
        let mut triple = 0;
        for (at, byte) in text.iter().enumerate() {
            triple = self.push_byte(triple, *byte);
            if self.triples[triple / 64] >> (triple % 64) & 1 == 0 {
                continue;
            }
            for keyword in &self.buckets[bucket_of(triple)] {
                let Some(start) = at.checked_sub(keyword.offset) else {
                    continue;
                };
                let end = start + keyword.word.len();
                let here = text.get(start..end);
                if here.is_some_and(|here| here.eq_ignore_ascii_case(keyword.word)) {
                    found(keyword.attempt, start..end);
                }
            }
        }
    }
}

fn bucket_of(triple: usize) -> usize {
    (triple.wrapping_mul(0x9E37_79B1) >> 12) % BUCKETS
}

/// The class of a byte: both cases of a letter share one, and several other characters share one.
fn byte_class(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' => byte - b'a',
        b'A'..=b'Z' => byte - b'A',
        b'0'..=b'9' => byte - b'0' + 26,
        b'_' => 36,
        b'-' => 37,
        b'.' => 38,
        b':' => 39,
        b'=' => 40,
        b'/' => 41,
        b' ' => 42,
        b'"' => 43,
        b'\'' => 44,
        0..=0x7F => 45,
        _ => 46 + byte % 18,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_is_found_in_any_case() {
        let words = NAMES
            .iter()
            .chain(PROGRAMS)
            .copied()
            .chain(OTHERS.iter().map(|(word, _)| *word));
        for word in words {
            for text in [word.to_owned(), format!("é{}x", word.to_ascii_uppercase())] {
                let mut found = Vec::new();
                keyword_table().for_each_match(text.as_bytes(), |_, range| found.push(range));
                let whole = text.len() - if text.starts_with('é') { 1 } else { 0 };
                let start = whole - word.len();
                assert!(found.contains(&(start..whole)), "{text}");
            }
        }
    }

    #[test]
    fn every_keyword_has_three_signs() {
        let rules = rules::all_rules()
            .iter()
            .flat_map(|rule| rule.keywords.iter().copied());
        for word in rules
            .chain(FORMS.iter().map(|form| form.prefix))
            .chain(NAMES.iter().copied())
        {
            assert!(word.len() >= 3, "{word}");
        }
    }
}
