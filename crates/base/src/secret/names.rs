//! Classifies names by the value that they promise: `DB_PASSWORD`, `apiKey`, `x-auth-token`, `signing_salt_v2`.

use crate::list::{self, WordList};
use std::sync::LazyLock;

const NAMES: &str = include_str!("names.txt");

/// Kind of value that a name promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SecretNameKind {
    /// A value chosen by people: short, readable.
    Password,
    /// A value made by machines: long, without pattern.
    Key,
    /// A value that may be a key, or any other identifier.
    Perhaps,
    /// Two values, a user's name and a password.
    Pair,
}

/// Endings of words that count whatever is before them: `pgpassword`.
static PASSWORD_ENDS: WordList =
    LazyLock::new(|| list::words(list::section(NAMES, "password ends")).collect());
/// Whole words of the same kind.
static PASSWORD_WORDS: WordList =
    LazyLock::new(|| list::words(list::section(NAMES, "password words")).collect());
/// Endings of words that promise a value made by machines.
static KEY_ENDS: WordList =
    LazyLock::new(|| list::words(list::section(NAMES, "key ends")).collect());
/// Whole words of the same kind.
static KEY_WORDS: WordList =
    LazyLock::new(|| list::words(list::section(NAMES, "key words")).collect());
/// Words before `key` that make the key secret.
static SECRET_KEYS: WordList =
    LazyLock::new(|| list::words(list::section(NAMES, "secret keys")).collect());
/// Words before `key` that make the key harmless.
static OPEN_KEYS: WordList =
    LazyLock::new(|| list::words(list::section(NAMES, "open keys")).collect());
/// Words behind a name that do not change its kind.
static TAILS: WordList = LazyLock::new(|| list::words(list::section(NAMES, "tails")).collect());

/// The words of a name, the last first, in small letters; four at most.
struct Words {
    words: [String; 4],
}

impl Words {
    fn split(name: &str) -> Words {
        let mut words: [String; 4] = Default::default();
        let (mut at, mut word) = (0, Vec::new());
        let mut close = |word: &mut Vec<char>, at: &mut usize| {
            if !word.is_empty() && *at < 4 {
                words[*at] = word.iter().rev().flat_map(|c| c.to_lowercase()).collect();
                *at += 1;
            }
            word.clear();
        };
        let mut later: Option<char> = None;
        for c in name.chars().rev().take(64) {
            if c == '_' || c == '-' || c == '.' || c.is_ascii_digit() || c == '$' {
                close(&mut word, &mut at);
                later = None;
                continue;
            }
            // `API|Key`: a capital with small letters behind it begins a word; read backwards.
            if c.is_lowercase() && later.is_some_and(char::is_uppercase) {
                close(&mut word, &mut at);
            }
            word.push(c);
            let begins = c.is_uppercase() && later.is_some_and(char::is_lowercase);
            if begins {
                close(&mut word, &mut at);
                later = None;
            } else {
                later = Some(c);
            }
            if at == 4 {
                break;
            }
        }
        close(&mut word, &mut at);
        Words { words }
    }

    fn get(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }
}

/// Kind of value that a name promises; `None` for most names. It may have any case, `_`, `-` and `.`. `before` is the word
/// before it, if a blank stands between them.
pub(super) fn classify_name(name: &str, before: &str) -> Option<SecretNameKind> {
    let words = Words::split(name);
    let mut at = 0;
    while at < 2 && TAILS.contains(&words.get(at)) && !words.get(at + 1).is_empty() {
        at += 1;
    }
    // `primaryKey` and `test_pass` end in words of both kinds.
    classify_words(&words, at, before)
        .or_else(|| (at > 0).then(|| classify_words(&words, 0, before))?)
}

fn classify_words(words: &Words, at: usize, before: &str) -> Option<SecretNameKind> {
    let plural = words.get(at);
    let last = match plural.strip_suffix('s') {
        Some(one) if !one.ends_with('s') => one,
        _ => plural,
    };
    let lower;
    let second = match words.get(at + 1) {
        "" => {
            lower = before.to_ascii_lowercase();
            lower.as_str()
        }
        word => word,
    };
    let ends = |all: &[&str]| all.iter().any(|end| last.ends_with(end));
    if ends(&PASSWORD_ENDS) || PASSWORD_WORDS.contains(&last) || ends_in_pass_word(last) {
        return Some(SecretNameKind::Password);
    }
    let phrased = matches!(
        second,
        "pass" | "unlock" | "secret" | "seed" | "recovery" | "backup" | "encryption" | "mnemonic"
    );
    if last == "phrase" && phrased {
        return Some(SecretNameKind::Password);
    }
    if takes_user_and_password(last, second) {
        return Some(SecretNameKind::Pair);
    }
    if last == "token"
        && matches!(
            second,
            "csrf" | "next" | "page" | "continuation" | "cancel" | "cancellation"
        )
    {
        return None;
    }
    if ends(&KEY_ENDS) || KEY_WORDS.contains(&plural) {
        return Some(SecretNameKind::Key);
    }
    match last {
        "key" if SECRET_KEYS.contains(&second) => Some(SecretNameKind::Key),
        "key" if OPEN_KEYS.contains(&second) => None,
        "key" => Some(SecretNameKind::Perhaps),
        "code" if matches!(second, "recovery" | "backup" | "access" | "unlock") => {
            Some(SecretNameKind::Key)
        }
        "seed" if matches!(second, "otp" | "totp" | "mfa" | "hotp" | "wallet") => {
            Some(SecretNameKind::Key)
        }
        "grant" if second == "access" => Some(SecretNameKind::Key),
        "sk" if !second.is_empty() => Some(SecretNameKind::Key),
        "hmac" | "mnemonic" | "dsn" => Some(SecretNameKind::Perhaps),
        "id" if second == "session" => Some(SecretNameKind::Perhaps),
        _ if last.ends_with("sessid") || last.ends_with("sessionid") => {
            Some(SecretNameKind::Perhaps)
        }
        _ => None,
    }
}

/// Beginnings of words in `pass` that promise no password.
static NO_PASSWORD: WordList =
    LazyLock::new(|| list::words(list::section(NAMES, "no password")).collect());

/// `storepass`, `dbpass`, and no `bypass`.
fn ends_in_pass_word(word: &str) -> bool {
    word.strip_suffix("pass")
        .is_some_and(|head| !NO_PASSWORD.contains(&head))
}

/// Calls and settings that take a user and a password.
fn takes_user_and_password(last: &str, second: &str) -> bool {
    match last {
        "auth" => matches!(second, "" | "basic" | "proxy" | "http" | "smtp" | "set"),
        "credential" => matches!(second, "network" | "password" | "basic"),
        "connection" => second == "get",
        "login" => second == "smtp",
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_promise_by_their_last_words() {
        use SecretNameKind::{Key, Pair, Password, Perhaps};
        for (name, promised) in [
            ("password", Some(Password)),
            ("DB_PASSWORD", Some(Password)),
            ("dbPassword2", Some(Password)),
            ("PGPASSWORD", Some(Password)),
            ("smtp_pass", Some(Password)),
            ("mail-pw", Some(Password)),
            ("old_password_value", Some(Password)),
            ("passwords", Some(Password)),
            ("mot_de_passe", Some(Password)),
            ("unlockPhrase", Some(Password)),
            ("apiKey", Some(Key)),
            ("APIKey", Some(Key)),
            ("x-api-key", Some(Key)),
            ("AWS_SECRET_ACCESS_KEY", Some(Key)),
            ("backup_encryption_key_v2", Some(Key)),
            ("process.env.GITHUB_TOKEN", Some(Key)),
            ("bot_credentials", Some(Key)),
            ("stripe_sk", Some(Key)),
            ("maps_key", Some(Key)),
            ("photo_key", Some(Perhaps)),
            ("PHPSESSID", Some(Perhaps)),
            ("setBasicAuth", Some(Pair)),
            ("NetworkCredential", Some(Pair)),
            ("primary_key", None),
            ("publicKey", None),
            ("csrf_token", None),
            ("tokenizer", None),
            ("password_field", None),
            ("tokenUrl", None),
            ("author", None),
            ("bypass", None),
            ("monkey", None),
            ("compass", None),
            ("", None),
        ] {
            assert_eq!(classify_name(name, ""), promised, "{name}");
        }
        assert_eq!(classify_name("key", "api"), Some(Key));
        assert_eq!(classify_name("key", "primary"), None);
    }
}
