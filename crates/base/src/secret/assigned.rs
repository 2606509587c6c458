//! Values given to names that speak of secrets: `password = "…"`, `api_key: …`, `--token …`.

/// How much a name promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Promise {
    /// Its value is chosen by people: short, readable.
    Password,
    /// Its value is made by machines: long, without pattern.
    Key,
}

/// Endings of names, letters alone: `DB_PASSWORD` is `dbpassword`.
const PASSWORDS: [&str; 6] = [
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "passcode",
    "密码",
];
const KEYS: [&str; 21] = [
    "secret",
    "token",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "authkey",
    "clientsecret",
    "accesskeyid",
    "secretaccesskey",
    "accountkey",
    "sharedaccesskey",
    "encryptionkey",
    "signingkey",
    "masterkey",
    "credential",
    "credentials",
    "apitoken",
    "authtoken",
    "sessionkey",
    "licensekey",
];

/// What a name promises; none for most. `name` may have any case, `_`, `-` and `.`.
pub(super) fn promise(name: &str) -> Option<Promise> {
    // Names are short; of a long one the end decides.
    let mut bare: Vec<char> = name
        .chars()
        .rev()
        .filter(|c| !matches!(c, '_' | '-' | '.'))
        .take(24)
        .flat_map(char::to_lowercase)
        .collect();
    bare.reverse();
    let bare: String = bare.into_iter().collect();
    let ends = |words: &[&str]| words.iter().any(|word| bare.ends_with(word));
    if ends(&PASSWORDS) {
        return Some(Promise::Password);
    }
    ends(&KEYS).then_some(Promise::Key)
}

/// Parts of values that stand for a secret and are none.
const PLACEHOLDERS: [&str; 22] = [
    "example",
    "placeholder",
    "your",
    "xxxx",
    "****",
    "changeme",
    "change_me",
    "change-me",
    "dummy",
    "redacted",
    "sample",
    "insert",
    "replace",
    "secret_name",
    "process.env",
    "os.environ",
    "getenv",
    "env.",
    "undefined",
    "....",
    "todo:",
    "1234567890",
];

/// Whether a value is likely to be what its name promises.
pub(super) fn is_likely(value: &str, promise: Promise, quoted: bool) -> bool {
    if is_placeholder(value) {
        return false;
    }
    let classes = Classes::of(value);
    match promise {
        Promise::Password => {
            // `password: optional`, `password=user.password` are code and prose.
            let long = value.len() >= 6 && value.len() <= 256;
            let mixed = classes.digits > 0 || classes.symbols > 0;
            long && mixed && (quoted || !is_code(value)) && !is_path(value)
        }
        Promise::Key => {
            let random = classes.digits >= 2 && classes.letters() >= 4 && entropy(value) >= 3.0;
            value.len() >= 16
                && random
                && classes.symbols * 4 <= value.len()
                && !is_path(value)
                && !is_code(value)
        }
    }
}

/// `user.password`, `get_token()`, `$TOKEN`, `settings["x"]`: names and calls.
fn is_code(value: &str) -> bool {
    let called = value.contains(['(', ')', '[', ']', '{', '}', ';']);
    let mut parts = value.split(['.', ':']);
    let word = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part
                .chars()
                .all(|c| c.is_ascii_alphabetic() || c == '_' || c == '-')
    };
    called || parts.all(word)
}

fn is_path(value: &str) -> bool {
    value.starts_with(['/', '~']) && value.matches('/').count() >= 2
        || value.contains("://")
        || value.starts_with("./")
        || value.starts_with("../")
}

fn is_placeholder(value: &str) -> bool {
    if value.starts_with(['$', '<', '%', '@', '{', '&', '#']) || value.starts_with("[redacted") {
        return true;
    }
    let lower = value.to_ascii_lowercase();
    PLACEHOLDERS.iter().any(|p| lower.contains(p)) || is_monotone(value.as_bytes())
}

/// Whether a few letters make up the whole, as in `xxxxxxxx` and `00000000`.
pub(super) fn is_monotone(value: &[u8]) -> bool {
    let mut seen = [false; 256];
    let mut distinct = 0;
    for byte in value {
        if !std::mem::replace(&mut seen[usize::from(*byte)], true) {
            distinct += 1;
        }
    }
    distinct < (value.len() / 4).clamp(3, 7)
}

#[derive(Default)]
struct Classes {
    lower: usize,
    upper: usize,
    digits: usize,
    symbols: usize,
}

impl Classes {
    fn of(value: &str) -> Classes {
        let mut classes = Classes::default();
        for c in value.chars() {
            match c {
                'a'..='z' => classes.lower += 1,
                'A'..='Z' => classes.upper += 1,
                '0'..='9' => classes.digits += 1,
                _ => classes.symbols += 1,
            }
        }
        classes
    }

    fn letters(&self) -> usize {
        self.lower + self.upper
    }
}

/// Bits a byte, by Shannon.
fn entropy(value: &str) -> f64 {
    let mut counts = [0u32; 256];
    for byte in value.bytes() {
        counts[usize::from(byte)] += 1;
    }
    let length = value.len().max(1) as f64;
    let share = |count: &u32| f64::from(*count) / length;
    let seen = counts.iter().filter(|c| **c > 0).map(share);
    seen.map(|p| -p * p.log2()).sum()
}
