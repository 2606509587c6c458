//! The reading of a query: its class, its terms, the names in it, and the roles of files that it asks for.

use super::also::synonym_stems;
use super::european;
use super::glossary;
use super::heads::StemPrefixes;
use super::language_names::with_spelled_names;
use super::overview::is_overview_question;
use super::sentence::is_sentence;
use super::tuning::Tuning;
use crate::doc::FileRole;
use crate::prepare::with_stems;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;
use text::cjk::is_han_or_kana;
use text::identifier::{self, Digits};
use text::list::{self, WordList};
use text::tokens::{Token, tokens};
use text::truncate_bytes;

/// Lists of words that tell what a query asks for.
pub(super) const QUERY_WORDS: &str = include_str!("query_words.txt");

/// The most bytes of a query that are read; the rest is ignored.
pub const MAX_QUERY_BYTES: usize = 8 * 1024;
/// The most synonyms that are looked up too.
const MAX_ALSO: usize = 4;
/// The most distinct terms that are looked up.
const MAX_TERMS: usize = 192;

/// The classes of queries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum QueryClass {
    /// One name, or a dotted one.
    Symbol,
    /// A path or a file's name.
    Path,
    /// An error message or a stack trace.
    Error,
    /// Words of a language.
    Natural,
    /// Words with names of code among them.
    Mixed,
}

/// A term to look up.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Term {
    pub(crate) text: String,
    pub(crate) weight: f32,
    /// Whether it is a whole name of several parts, or several words of the query joined.
    pub(crate) is_whole_name: bool,
}

/// A query, read once.
#[derive(Debug, Clone)]
pub struct Query {
    pub(crate) class: QueryClass,
    pub(crate) terms: Vec<Term>,
    /// Names as written, in order, without stop words.
    pub(crate) names: Vec<Name>,
    /// Stems of all words, for comparison with names and paths.
    pub(crate) stems: FxHashSet<String>,
    /// Synonyms of these stems, each with the stem that it stands for.
    pub(crate) also: Vec<(String, String)>,
    /// The first letters of stems and synonyms, for a quick test.
    pub(crate) heads: StemPrefixes,
    /// Words in lower case, in order, without stop words.
    pub(crate) words: Vec<String>,
    /// First letters of the words.
    pub(crate) initials: String,
    /// The text in lower case, for paths.
    pub(crate) lower: String,
    /// Roles of files that the query asks for by name.
    pub(crate) requested_roles: Vec<FileRole>,
    /// Roles of files that the query may ask for. The sources may be about the same subject.
    pub(crate) mentioned_roles: Vec<FileRole>,
    /// Whether it asks about the project as a whole.
    pub(crate) is_overview: bool,
    /// Whether it is a sentence about what something does, rather than the name of a subject.
    pub(crate) is_sentence: bool,
    /// Whether it is a report of several lines. A report describes what happens, as documentation does, and asks for no place.
    pub(crate) is_report: bool,
    pub(crate) text: String,
}

/// A name of the query.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) lower: String,
    /// Whether it is a name of code, not a word: it looks like `getUser`, `HTTPError`, `a_b`, `a()`, or it is the whole query.
    pub(crate) is_code: bool,
}

impl Query {
    /// Reads a query.
    pub fn new(text: &str) -> Query {
        Query::read(text, &Tuning::default())
    }

    /// Reads a query, with the weights of `tuning` for its terms.
    pub(crate) fn read(text: &str, tuning: &Tuning) -> Query {
        let text = truncate_bytes(text.trim(), MAX_QUERY_BYTES);
        let european = european::translate_to_english(text);
        let text = european.as_deref().unwrap_or(text);
        let english = glossary::translate_to_english(text);
        let class = match &english {
            Some(english) => classify(&replace_cjk(text, english)),
            None => classify(text),
        };
        let is_translated = english.is_some();
        let text = &english.map_or_else(|| text.to_owned(), |english| format!("{text} {english}"));
        let spelled = with_spelled_names(text);
        let text = spelled.as_ref().unwrap_or(text);
        let (wants, mentions) = requested_roles(text, tuning);
        let mut query = Query {
            class,
            terms: Vec::new(),
            names: Vec::new(),
            stems: FxHashSet::default(),
            also: Vec::new(),
            heads: StemPrefixes::default(),
            words: Vec::new(),
            initials: String::new(),
            lower: text.to_lowercase(),
            requested_roles: wants,
            mentioned_roles: mentions,
            is_overview: false,
            is_sentence: false,
            is_report: text.trim().contains('\n'),
            text: text.to_owned(),
        };
        query.read_names();
        query.read_words();
        query.read_overview();
        // A translation has lost the small words that make a sentence.
        query.is_sentence = query.class == QueryClass::Natural
            && !query.is_report
            && (is_translated || is_sentence(text, tuning));
        query.read_terms(is_translated, tuning.compound);
        query.read_synonyms();
        let also = query.also.iter().map(|(stem, _)| stem);
        query.heads = StemPrefixes::from_stems(query.stems.iter().chain(also));
        query
    }

    /// Marks a question about the whole project, which documents answer.
    fn read_overview(&mut self) {
        let in_words = self.class == QueryClass::Natural;
        self.is_overview = in_words && is_overview_question(&self.words);
        if self.is_overview && !self.requested_roles.contains(&FileRole::Document) {
            self.requested_roles.push(FileRole::Document);
        }
    }

    fn read_synonyms(&mut self) {
        if !matches!(self.class, QueryClass::Natural | QueryClass::Mixed) {
            return;
        }
        let mut stems: Vec<&String> = self.stems.iter().collect();
        stems.sort_unstable();
        for stem in stems {
            let new = synonym_stems(stem)
                .iter()
                .filter(|other| !self.stems.contains(*other));
            self.also
                .extend(new.map(|other| (other.clone(), stem.clone())));
        }
        self.also.truncate(MAX_ALSO);
    }

    /// Adds the synonyms to the terms, with that weight relative to the query's own words.
    pub(crate) fn add_synonym_terms(&mut self, weight: f32) {
        for (stem, _) in self.also.iter().filter(|_| weight > 0.0) {
            if self.terms.len() < MAX_TERMS && self.terms.iter().all(|t| t.text != *stem) {
                self.terms.push(Term {
                    text: stem.clone(),
                    weight,
                    // A synonym that is not found is no missing word.
                    is_whole_name: true,
                });
            }
        }
    }

    /// Whether it asks about the project as a whole.
    pub fn is_overview(&self) -> bool {
        self.is_overview
    }

    /// The class of the query.
    pub fn class(&self) -> QueryClass {
        self.class
    }

    /// Whether there is nothing to search for.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Whether it asks how something is made.
    pub(crate) fn is_construction_question(&self) -> bool {
        MAKING.iter().any(|stem| self.stems.contains(*stem))
    }

    /// The word of the query that a word of a name abbreviates, extends or is a synonym of: `conn` for connections.
    pub(crate) fn find_abbreviated(&self, word: &str, tuning: &Tuning) -> Option<&String> {
        let shortens = |short: &str, long: &str| {
            let enough = short.len() >= tuning.name_short_letters || SHORT.contains(&short);
            enough && long.len() > short.len() + 1 && long.starts_with(short)
        };
        if let Some((_, stem)) = self.also.iter().find(|(also, _)| also == word) {
            return self.stems.get(stem);
        }
        let all = self.stems.iter();
        all.filter(|stem| shortens(word, stem) || shortens(stem, word))
            .min()
    }

    fn read_names(&mut self) {
        let whole = self.class == QueryClass::Symbol;
        let text = std::mem::take(&mut self.text);
        tokens(&text, |token| {
            if let Token::Identifier(name) = token
                && self.names.len() < MAX_TERMS
            {
                let lower = name.to_lowercase();
                if name.len() > 1 && (whole || !text::terms::is_stop(&lower)) {
                    let code = whole || looks_like_code(name);
                    let text = name.to_owned();
                    self.names.push(Name {
                        text,
                        lower,
                        is_code: code,
                    });
                }
            }
        });
        self.text = text;
    }

    fn read_words(&mut self) {
        for name in &self.names {
            identifier::parts(&name.text, Digits::Apart, |part| {
                let lower = part.to_lowercase();
                if !text::terms::is_stop(&lower) {
                    self.initials.extend(lower.chars().next());
                    self.words.push(lower);
                }
            });
        }
    }

    /// Reads the terms. The original characters of a translated query may be found, but need not be.
    fn read_terms(&mut self, is_translated: bool, compound: f32) {
        let mut seen: FxHashSet<String> = FxHashSet::default();
        let mut before: Option<String> = None;
        let text = std::mem::take(&mut self.text);
        with_stems(|stems| {
            tokens(&text, |token| match token {
                Token::Identifier(name) => {
                    let lower = name.to_lowercase();
                    let mut parts = Vec::new();
                    text::terms::terms_of(name, stems, |t| parts.push(t.to_owned()));
                    let many = parts.len() > 1;
                    for (at, part) in parts.into_iter().enumerate() {
                        let whole = many && at == 0;
                        if !whole {
                            self.stems.insert(part.clone());
                        }
                        self.add_term(&mut seen, part, whole, 1.0);
                    }
                    let is_number = lower.bytes().all(|b| b.is_ascii_digit());
                    if !text::terms::is_stop(&lower) && (lower.len() > 1 || is_number) {
                        let joined = before.take().map(|before| format!("{before}{lower}"));
                        if let Some(joined) = &joined {
                            self.add_term(&mut seen, joined.clone(), true, compound);
                        }
                        // A version belongs to the name before it.
                        before = Some(joined.filter(|_| is_number).unwrap_or(lower));
                    }
                }
                Token::Bigram(gram) => {
                    self.add_term(&mut seen, gram.to_owned(), is_translated, 1.0)
                }
            });
        });
        self.text = text;
    }

    fn add_term(&mut self, seen: &mut FxHashSet<String>, text: String, whole: bool, weight: f32) {
        if self.terms.len() < MAX_TERMS && seen.insert(text.clone()) {
            self.terms.push(Term {
                text,
                weight,
                is_whole_name: whole,
            });
        }
    }
}

/// The English of a question in Chinese, Japanese, German or Spanish, as far as its words are known. None for other texts.
pub fn translate_to_english(text: &str) -> Option<String> {
    let text = truncate_bytes(text.trim(), MAX_QUERY_BYTES);
    european::translate_to_english(text).or_else(|| glossary::translate_to_english(text))
}

/// Stems of words about how something is made.
static MAKING: WordList =
    LazyLock::new(|| list::words(list::section(QUERY_WORDS, "making")).collect());

/// Words of three letters that abbreviate others in code.
static SHORT: WordList =
    LazyLock::new(|| list::words(list::section(QUERY_WORDS, "short")).collect());

/// The query with its Chinese and Japanese replaced by English words.
fn replace_cjk(text: &str, english: &str) -> String {
    let rest = text.replace(is_han_or_kana, " ");
    format!("{} {english}", rest.trim())
}

/// Names of code: inner capitals, underscores, digits after letters, or all capitals of some length.
fn looks_like_code(name: &str) -> bool {
    let mut parts = 0;
    identifier::parts(name, Digits::Apart, |_| parts += 1);
    parts > 1
}

/// Whether a word of a query is a name of code. `I'm` and `don't` are none.
fn is_code_word(word: &str) -> bool {
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_');
    let before = bare.split(['\'', '’']).next().unwrap_or(bare);
    looks_like_code(before)
}

fn classify(text: &str) -> QueryClass {
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.len() <= 2 && words.iter().any(|w| looks_like_path(w)) {
        return QueryClass::Path;
    }
    if words.len() == 1 {
        return QueryClass::Symbol;
    }
    if looks_like_error(text, words.len()) {
        return QueryClass::Error;
    }
    let code = words.iter().filter(|w| is_code_word(w)).count();
    match code {
        0 => QueryClass::Natural,
        n if n == words.len() && n <= 2 => QueryClass::Symbol,
        _ => QueryClass::Mixed,
    }
}

fn looks_like_path(word: &str) -> bool {
    let word = word.trim_matches(['"', '\'', '`']);
    if word.contains("://") || word.ends_with("()") {
        return false;
    }
    let name = word.rsplit('/').next().unwrap_or(word);
    let ending = name
        .rsplit_once('.')
        .map(|(stem, ending)| (!stem.is_empty(), ending));
    let known = matches!(ending, Some((true, e)) if crate::plain::language_of_ending(e).is_some());
    known || (word.matches('/').count() >= 1 && word.len() > 3 && !word.ends_with('/'))
}

fn looks_like_error(text: &str, words: usize) -> bool {
    const MARKS: [&str; 12] = [
        "error:",
        "exception:",
        "panicked at",
        "traceback",
        "caused by",
        "cannot ",
        "could not ",
        "failed to ",
        "undefined is not",
        "segmentation fault",
        "unexpected ",
        "errno",
    ];
    let lower = text.to_lowercase();
    let stack = lower
        .lines()
        .filter(|l| l.trim_start().starts_with("at "))
        .count()
        >= 2;
    words >= 3 && (stack || MARKS.iter().any(|m| lower.contains(m)))
}

/// Words for one role of files. Without them these files rank below sources.
struct RoleWords {
    role: FileRole,
    /// Words that ask for such files.
    files: Vec<&'static str>,
    /// Words that ask for such files if they begin the query, end a short one, or stand beside a word that says so.
    things: Vec<&'static str>,
    /// Words that may also be a subject of the sources.
    subjects: Vec<&'static str>,
}

static ASKING: LazyLock<Vec<RoleWords>> = LazyLock::new(|| {
    let roles = [
        ("test", FileRole::Test),
        ("example", FileRole::Example),
        ("vendor", FileRole::Vendor),
        ("generated", FileRole::Generated),
        ("document", FileRole::Document),
        ("config", FileRole::Config),
    ];
    let words = |role: &str, what: &str| {
        list::words(list::section(QUERY_WORDS, &format!("{role} {what}"))).collect()
    };
    let of = |(name, role): (&str, FileRole)| RoleWords {
        role,
        files: words(name, "files"),
        things: words(name, "things"),
        subjects: words(name, "subjects"),
    };
    roles.map(of).into()
});

/// Words before and after a thing that make it a thing of its own: `unit test`, `tests for`.
static BEFORE: WordList =
    LazyLock::new(|| list::words(list::section(QUERY_WORDS, "before")).collect());
static BEHIND: WordList =
    LazyLock::new(|| list::words(list::section(QUERY_WORDS, "behind")).collect());

/// The roles that a query asks for, and those whose words it only contains.
fn requested_roles(text: &str, tuning: &Tuning) -> (Vec<FileRole>, Vec<FileRole>) {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
        .collect();
    let (mut asked, mut mentioned) = (Vec::new(), Vec::new());
    for RoleWords {
        role,
        files,
        things,
        subjects,
    } in ASKING.iter()
    {
        let is_asked = |(at, word): (usize, &&str)| {
            let near = |at: Option<usize>, of: &[&str]| {
                at.and_then(|at| words.get(at))
                    .is_some_and(|w| of.contains(w))
            };
            let short = words.len() <= tuning.role_last_of && at + 1 == words.len();
            let is_thing =
                at == 0 || short || near(at.checked_sub(1), &BEFORE) || near(Some(at + 1), &BEHIND);
            files.contains(word) || things.contains(word) && is_thing
        };
        if words.iter().enumerate().any(is_asked) {
            asked.push(*role);
        } else if words
            .iter()
            .any(|w| things.contains(w) || subjects.contains(w))
        {
            mentioned.push(*role);
        }
    }
    let is_name = lower.contains("test_") || lower.contains("_test");
    if is_name && !asked.contains(&FileRole::Test) {
        asked.push(FileRole::Test);
    }
    (asked, mentioned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_about_the_whole_are_told_from_others() {
        for text in [
            "explain the architecture",
            "explain this codebase to me",
            "what does this project do",
            "how is the code organized in this repo",
            "give me a high level overview",
            "I am new here, where should I start reading?",
            "I'm new here, where should I start reading?",
            "new to this repository: where do I start",
            "how does everything fit together here?",
        ] {
            assert!(Query::new(text).is_overview, "{text}");
        }
        for text in [
            "explain the retry logic",
            "where is the project name read",
            "how does it work",
            "structure of the WAL",
            "start project",
            "where is the repository read",
            "what happens here",
            "",
        ] {
            assert!(!Query::new(text).is_overview, "{text}");
        }
    }

    #[test]
    fn classes() {
        use QueryClass::*;
        for (text, class) in [
            ("Mux", Symbol),
            ("Session.send", Symbol),
            ("get_user_by_id", Symbol),
            ("src/router/mux.go", Path),
            ("mux.go", Path),
            ("TypeError: cannot read properties of undefined", Error),
            ("how are routes registered", Natural),
            ("where's the user's session", Natural),
            ("how ZodType validates input", Mixed),
            ("解析配置", Natural),
            ("解析HTTPException的错误", Mixed),
            ("龙凤", Symbol),
        ] {
            assert_eq!(Query::new(text).class(), class, "{text}");
        }
    }

    #[test]
    fn words_that_say_the_same_are_looked_up_without_being_missed() {
        let mut query = Query::new("skip fields marked transient");
        let own = query.terms.len();
        query.add_synonym_terms(0.0);
        assert_eq!(query.terms.len(), own);
        query.add_synonym_terms(0.4);
        let more = &query.terms[own..];
        assert_eq!(more.len(), 3, "{more:?}");
        assert!(more.iter().all(|t| t.is_whole_name && t.weight == 0.4));
        assert_eq!(
            query
                .find_abbreviated("exclud", &Tuning::default())
                .map(String::as_str),
            Some("skip")
        );
        assert_eq!(query.find_abbreviated("banana", &Tuning::default()), None);
        // A name is meant as it is written, so it has no synonyms.
        assert!(Query::new("skip").also.is_empty());
    }

    #[test]
    fn neighbouring_words_may_be_one_name() {
        let query = Query::new("real IP extraction");
        let terms: Vec<&str> = query.terms.iter().map(|t| t.text.as_str()).collect();
        assert!(terms.contains(&"realip"), "{terms:?}");
        let query = Query::new("where are HTTP/2 frames decoded");
        let terms: Vec<&str> = query.terms.iter().map(|t| t.text.as_str()).collect();
        assert!(terms.contains(&"http2"), "{terms:?}");
        assert!(!terms.contains(&"2frames"), "{terms:?}");
    }

    #[test]
    fn chinese_and_japanese_are_read_in_english_as_well() {
        let query = Query::new("在哪里计算重试的退避");
        let term = |text: &str| {
            query
                .terms
                .iter()
                .find(|t| t.text == text)
                .map(|t| t.is_whole_name)
        };
        assert_eq!(term("retri").or(term("retry")), Some(false), "{query:?}");
        assert_eq!(term("重试"), Some(true), "{query:?}");
        assert!(query.words.contains(&"backoff".to_owned()));
        assert_eq!(Query::new("単体テスト").requested_roles, [FileRole::Test]);
    }

    #[test]
    fn what_is_asked_for_is_wanted() {
        assert_eq!(
            Query::new("tests of the parser").requested_roles,
            [FileRole::Test]
        );
        assert!(Query::new("attest the contest").requested_roles.is_empty());
        let test = [FileRole::Test];
        for text in [
            "unit tests",
            "parser test",
            "where is retry tested",
            "test_parse",
            "test case of x",
        ] {
            assert_eq!(Query::new(text).requested_roles, test, "{text}");
        }
        for text in [
            "collect the tests from a directory",
            "capture stdout of a test",
        ] {
            let query = Query::new(text);
            assert!(
                query.requested_roles.is_empty() && query.mentioned_roles == test,
                "{text}"
            );
        }
        let query = Query::new("append a float sample to the config");
        assert_eq!(query.mentioned_roles, [FileRole::Example, FileRole::Config]);
    }

    #[test]
    fn hostile_queries_stay_small() {
        let long = "a1b2 ".repeat(20_000);
        assert!(Query::new(&long).text.len() <= MAX_QUERY_BYTES);
        let many: String = (0..3_000).map(|i| format!("w{i}x ")).collect();
        assert!(Query::new(&many).terms.len() <= MAX_TERMS);
        for text in ["", " ", "\0\u{1}\u{2}", "\" OR 1=1; --", "((((", "*", "解"] {
            Query::new(text);
        }
        assert!(Query::new("!!! ?").is_empty());
    }
}
