//! Reading of a prompt: names and paths of code, content words, or neither.

use super::tuning::HookTuning;
use super::words;
use ::search::rank;
use text::cjk::is_han_or_kana;
use text::truncate_bytes;

/// The most bytes of a prompt that are read: later text is mostly pasted output.
const MOST_BYTES: usize = 4_000;

/// The most names and paths that are looked up.
const MOST_NAMES: usize = 12;

/// The most bytes of a prompt that asks about the whole project.
const LONGEST_OVERVIEW: usize = 200;

/// The most letters of a word in capitals that counts as an error code; longer ones are data.
const MOST_SHOUTED: usize = 30;

/// The most bytes of a name; longer ones are data.
const MOST_NAME: usize = 120;

/// A prompt, read once.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Prompt {
    /// The query: the content words in their order; empty where there are none.
    pub query: String,
    /// Words that look like names in code, as written, without brackets.
    pub names: Vec<String>,
    /// Words that look like paths.
    pub paths: Vec<String>,
    /// Words that look like the code of an error or a rule: `E501`, `WRONGTYPE`.
    pub codes: Vec<String>,
    /// Names of people, places and products, in lower case: `France` within a sentence.
    pub proper_nouns: Vec<String>,
    /// The number of different content words.
    pub words: usize,
    /// Whether the prompt asks about the project as a whole.
    pub is_overview: bool,
    /// Whether the prompt is about the user's own machine, and so seldom about this code.
    pub is_own_machine: bool,
}

/// Whether a prompt has words or names that could be about code, so that the hook looks something up for it.
pub fn may_be_about_code(text: &str) -> bool {
    !Prompt::parse(text, &HookTuning::default()).is_empty()
}

impl Prompt {
    /// Reads a prompt.
    pub(crate) fn parse(text: &str, tuning: &HookTuning) -> Prompt {
        let text = text.trim();
        if is_machine_text(text) {
            return Prompt::default();
        }
        let original = truncate_bytes(text, MOST_BYTES);
        if is_overview(original) {
            return Prompt {
                query: original.to_owned(),
                is_overview: true,
                ..Prompt::default()
            };
        }
        let mut prompt = Prompt::parse_words(original, tuning);
        prompt.is_own_machine = words::is_about_own_machine(original);
        prompt
    }

    /// Reads a prompt that people wrote about some part of the code. A prompt in another language is translated to English.
    fn parse_words(original: &str, tuning: &HookTuning) -> Prompt {
        let english = rank::translate_to_english(original);
        let has_own_words = original.contains(is_han_or_kana);
        let mut text = match &english {
            // Text in Chinese or Japanese is searched in that language as well.
            Some(english) if has_own_words => format!("{original} {english}"),
            Some(english) => english.clone(),
            None => original.to_owned(),
        };
        for phrase in words::PHRASES.iter() {
            text = remove_phrase(&text, phrase);
        }
        let mut prompt = Prompt::default();
        let mut content_words: Vec<String> = Vec::new();
        let mut kept: Vec<&str> = Vec::new();
        let mut tokens = 0;
        for token in tokens_of(&text) {
            tokens += 1;
            if prompt.read_token(token, tuning, &mut content_words) {
                kept.push(token.trim_matches(|c: char| {
                    matches!(c, '?' | '!' | '.' | ':' | '`' | '\'' | '(' | ')')
                }));
            }
        }
        content_words.sort_unstable();
        content_words.dedup();
        prompt.words = content_words.len();
        let named =
            !(prompt.names.is_empty() && prompt.paths.is_empty() && prompt.codes.is_empty());
        // Quoted text is the content of a chore, such as a commit message, and no place in the code.
        let telling = count_content_words(&without_quoted(&text), tuning);
        let errand = words::is_chore_request(&text, tokens, telling, tuning);
        if prompt.names.is_empty() && errand
            || !named && words::is_manner_request(&text, &content_words)
        {
            return Prompt::default();
        }
        prompt.query = kept.join(" ");
        // German has capitals at every noun.
        if english.is_none() {
            prompt.proper_nouns = proper_nouns(&text, tuning);
        }
        prompt
    }

    /// Whether there is nothing to search for.
    pub(crate) fn is_empty(&self) -> bool {
        self.query.is_empty()
    }

    /// Reads a word. Returns whether it is a content word.
    fn read_token(
        &mut self,
        token: &str,
        tuning: &HookTuning,
        content_words: &mut Vec<String>,
    ) -> bool {
        let quoted = token.starts_with('`') && token.len() > 2;
        let bare = token.trim_matches(is_border);
        if bare.is_empty() || bare.contains("://") {
            return false;
        }
        if is_path(bare) {
            push_unique(&mut self.paths, strip_line_number(bare));
            return true;
        }
        if looks_like_error_code(bare, tuning) {
            push_unique(&mut self.codes, bare);
            content_words.push(bare.to_lowercase());
            return true;
        }
        if let Some(name) = code_name(bare, quoted || token.contains("()")) {
            push_unique(&mut self.names, name);
            return true;
        }
        // `back-off` tells more than its parts.
        if bare.len() >= tuning.hyphenated_letters
            && bare.contains('-')
            && bare.chars().all(|c| c.is_alphabetic() || c == '-')
        {
            content_words.push(bare.to_lowercase());
            return true;
        }
        let before = content_words.len();
        for word in bare.split(|c: char| !c.is_alphanumeric() && c != '\'') {
            let lower = word.to_lowercase();
            if words::is_content_word(&lower, tuning) {
                content_words.push(lower);
            }
        }
        content_words.len() > before
    }
}

/// Words in capitals within a sentence, in lower case; none where a text has capitals throughout, as titles do.
fn proper_nouns(text: &str, tuning: &HookTuning) -> Vec<String> {
    let is_capital = |word: &str| {
        let mut letters = word.chars();
        letters.next().is_some_and(char::is_uppercase) && letters.all(char::is_lowercase)
    };
    let (mut found, mut begins, mut lower, mut all) = (Vec::new(), true, 0, 0);
    for token in text.split_whitespace() {
        let word = token.trim_matches(|c: char| !c.is_alphanumeric());
        let is_proper = is_capital(word) && word.len() >= tuning.proper_noun_letters;
        if is_proper && !begins && !token.starts_with('`') {
            push_unique(&mut found, &word.to_lowercase());
        }
        lower += usize::from(word.starts_with(char::is_lowercase));
        all += 1;
        begins = token.ends_with(['.', '!', '?', ':']);
    }
    // A title, or a language that writes its nouns so.
    if 3 * lower < tuning.proper_noun_thirds * all {
        found.clear();
    }
    found
}

/// The number of different content words.
fn count_content_words(text: &str, tuning: &HookTuning) -> usize {
    let (mut prompt, mut words) = (Prompt::default(), Vec::new());
    for token in tokens_of(text) {
        prompt.read_token(token, tuning, &mut words);
    }
    words.sort_unstable();
    words.dedup();
    words.len()
}

/// The text without parts in double quotes.
fn without_quoted(text: &str) -> String {
    let parts: Vec<&str> = text.split('"').collect();
    // A quote that is never closed is no quote.
    let closed = parts.len() - usize::from(parts.len().is_multiple_of(2));
    let outside = parts[..closed].iter().step_by(2).chain(&parts[closed..]);
    outside.copied().collect::<Vec<_>>().join(" ")
}

/// The text without a phrase, ignoring case.
fn remove_phrase(text: &str, phrase: &str) -> String {
    let lower = text.to_ascii_lowercase();
    match lower.find(phrase) {
        Some(at) => format!("{} {}", &text[..at], &text[at + phrase.len()..]),
        None => text.to_owned(),
    }
}

fn push_unique(all: &mut Vec<String>, one: &str) {
    if all.len() < MOST_NAMES && !all.iter().any(|known| known == one) {
        all.push(one.to_owned());
    }
}

fn tokens_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '，' | '。' | '、' | '"'))
        .filter(|token| !token.is_empty())
}

/// Whether a character is around a word and not part of it.
fn is_border(c: char) -> bool {
    !(c.is_alphanumeric() || matches!(c, '_' | '$'))
}

/// Whether the text is a command, or was sent by a program in the place of a person. Nothing is asked there.
fn is_machine_text(text: &str) -> bool {
    if let Some(command) = text.strip_prefix('/') {
        let first = command.split_whitespace().next().unwrap_or_default();
        return !first.contains(['/', '.']);
    }
    let tag = text
        .strip_prefix('<')
        .and_then(|rest| rest.split(['>', ' ']).next());
    tag.is_some_and(|tag| {
        tag.contains('-') && tag.chars().all(|c| c.is_ascii_lowercase() || c == '-')
    })
}

/// Whether a word is a path: it has a folder and an ending, or an ending of source code.
fn is_path(token: &str) -> bool {
    let path = strip_line_number(token);
    let name = path.rsplit('/').next().unwrap_or(path);
    let Some((stem, ending)) = name.rsplit_once('.') else {
        return path.matches('/').count() >= 2
            && path
                .chars()
                .all(|c| c.is_alphanumeric() || "/_-.".contains(c));
    };
    if stem.is_empty() && !path.contains('/') {
        return false;
    }
    let short =
        (1..=5).contains(&ending.len()) && ending.bytes().all(|b| b.is_ascii_alphanumeric());
    short && (path.contains('/') || words::ENDINGS.contains(&ending))
}

/// The path without a line number after it.
fn strip_line_number(token: &str) -> &str {
    let path = token.split([':', '#']).next().unwrap_or(token);
    path.trim_start_matches("./").trim_start_matches('@')
}

/// The name in a token, if it is written as code.
fn code_name(token: &str, marked: bool) -> Option<&str> {
    let name = token
        .split('(')
        .next()
        .unwrap_or(token)
        .trim_matches(is_border);
    let fits =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.' | ':' | '-' | '#' | '\\');
    if name.len() < 2
        || name.len() > MOST_NAME
        || !name.chars().all(fits)
        || name.bytes().all(|b| b.is_ascii_digit())
    {
        return None;
    }
    (marked || looks_like_code(name)).then_some(name)
}

/// Whether the text asks about the project as a whole. A long text asks about something else as well.
fn is_overview(text: &str) -> bool {
    text.len() <= LONGEST_OVERVIEW && rank::Query::new(text).is_overview()
}

/// Whether a word is the code of an error or a rule (`E501`), or a long and uncommon word in capitals (`WRONGTYPE`).
fn looks_like_error_code(token: &str, tuning: &HookTuning) -> bool {
    let is_shouted = (tuning.shouted_letters..=MOST_SHOUTED).contains(&token.len())
        && token.bytes().all(|b| b.is_ascii_uppercase())
        && words::is_content_word(&token.to_lowercase(), tuning);
    is_shouted || rank::is_error_code(token)
}

/// Whether a word is written as code and not as in any language: `a_b`, `aB`, `ABc`, `a::b`, `a.b` of two names.
fn looks_like_code(name: &str) -> bool {
    let chars: Vec<char> = name.chars().collect();
    let hump = chars
        .windows(2)
        .any(|w| w[0].is_lowercase() && w[1].is_uppercase());
    let two = |sign: &str| {
        let mut parts = name.split(sign);
        name.contains(sign)
            && parts.all(|p| p.len() > 1 && p.starts_with(|c: char| c.is_alphabetic() || c == '_'))
    };
    let inner = name.trim_matches('_').contains('_');
    // `HTTPServer`; not `APIs`, which is a plural.
    let acronym = chars
        .windows(3)
        .any(|w| w[0].is_uppercase() && w[1].is_uppercase() && w[2].is_lowercase())
        && !(name.ends_with('s') && chars[..chars.len() - 1].iter().all(|c| c.is_uppercase()));
    hump || inner || acronym || two("::") || two(".")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Prompt {
        Prompt::parse(text, &HookTuning::default())
    }

    fn is_silent(text: &str) -> bool {
        read(text).query.is_empty()
    }

    #[test]
    fn what_is_said_in_passing_asks_nothing() {
        for text in [
            "",
            "   \n\t ",
            "thanks",
            "Thanks! That looks great :)",
            "yes go on",
            "ok, please continue",
            "no, do it the other way",
            "commit this",
            "commit this with a good message and push",
            "Commit these changes with the message 'add parser'",
            "run the tests again",
            "commit only src/parser.rs",
            "/commit",
            "/deploy staging now",
            "<task-notification>Agent finished: parser of configuration</task-notification>",
            "please create a pull request",
            "translate \"good evening, dear guests\" into Portuguese",
            "好的，谢谢",
            "Refactor this function to be more readable",
            "can you simplify that method a little?",
            "继续",
            "👍",
            "1",
            "https://example.org/search/engine",
        ] {
            assert!(is_silent(text), "{text}: {:?}", read(text));
        }
    }

    #[test]
    fn questions_about_code_are_searched_for() {
        for text in [
            "where is the retry back-off computed?",
            "fix the bug in parse_config",
            "revert what parse_config does with tabs",
            "why does HTTPServer drop connections",
            "配置文件在哪里解析",
            "add tests for the tokenizer",
            "explain this codebase to me",
            "E501",
            "Wo werden die Vorlagen geladen?",
            "¿dónde se guarda la caché?",
        ] {
            assert!(!is_silent(text), "{text}");
        }
    }

    #[test]
    fn proper_nouns_stand_within_sentences() {
        assert_eq!(
            read("what is the capital of France").proper_nouns,
            ["france"]
        );
        assert_eq!(
            read("Where is the parser. Does it read Postgres dumps?").proper_nouns,
            ["postgres"]
        );
        for text in [
            "Where Is The Parser Of Templates",
            "Parser of JSON and HTTPServer",
            "Wo werden die Vorlagen geladen?",
        ] {
            assert!(read(text).proper_nouns.is_empty(), "{text}");
        }
    }

    #[test]
    fn quotes_hold_what_an_errand_is_about() {
        assert_eq!(
            without_quoted("say \"a b\" and \"c\" now"),
            "say   and   now"
        );
        assert_eq!(without_quoted("a 3\" disk"), "a 3  disk");
        assert_eq!(without_quoted("a \"b\" c\" d"), "a   c  d");
        assert!(!is_silent(
            "translate the keys of the route table into paths"
        ));
    }

    #[test]
    fn words_of_conversation_are_not_searched_for() {
        let prompt = read(
            "Can you look into the retry back-off for me? I think something in `parse()` is off.",
        );
        assert_eq!(prompt.query, "retry back-off parse");
        assert_eq!(prompt.words, 2);
    }

    #[test]
    fn codes_of_errors_are_told_from_words_in_capitals() {
        let prompt =
            read("why do we get E501, TS2345 or WRONGTYPE from JSON and HTTP here, PLEASE");
        assert_eq!(prompt.codes, ["E501", "TS2345", "WRONGTYPE"]);
        assert!(read("README of 2024").codes.len() <= 1);
    }

    #[test]
    fn other_languages_are_read_in_english() {
        let prompt = read("Wo werden abgelaufene Schlüssel gelöscht?");
        assert_eq!(prompt.query, "expired key delete");
        assert_eq!(prompt.words, 3);
        let prompt = read("过期的键是在哪里删除的？");
        assert!(prompt.words > 1, "{prompt:?}");
    }

    #[test]
    fn names_and_paths_are_told_from_words() {
        let prompt = read(
            "In `src/index/mod.rs:42`, why does Index::open (see open_index() and HTTPServer) and `run` differ from \
             self.config? e.g. APIs and and/or vs. Cargo.toml, i.e. version 2.10",
        );
        assert_eq!(prompt.paths, ["src/index/mod.rs", "Cargo.toml"]);
        assert_eq!(
            prompt.names,
            [
                "Index::open",
                "open_index",
                "HTTPServer",
                "run",
                "self.config"
            ]
        );
    }

    #[test]
    fn long_and_hostile_prompts_are_read_in_part() {
        let prompt = read(&"解析 parse_it ".repeat(20_000));
        // The translation is added to the original.
        assert!(prompt.query.len() <= 2 * MOST_BYTES);
        assert_eq!(prompt.names, ["parse_it"]);
        for text in [
            "\u{0}\u{1}\u{feff}",
            "((((((((",
            "`````",
            "' OR 1=1; --",
            "NEAR(\"a\" *",
            "a*".repeat(9_000).as_str(),
        ] {
            let _ = read(text);
        }
    }
}
