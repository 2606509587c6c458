//! Ranking rules: small pure functions from a query and a file or definition to a number.

use super::Tuning;
use super::query::{Query, QueryClass};
use crate::doc::FileRole;
use crate::prepare::with_stems;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::sync::LazyLock;
use text::list::{self, WordList};
use text::tokens::{Token, tokens};

const PATH_WORDS: &str = include_str!("path_words.txt");

/// Names of files that only mark their folder: the folder names them.
static BARE_STEMS: WordList =
    LazyLock::new(|| list::words(list::section(PATH_WORDS, "bare stems")).collect());

/// Stems of the words of a name.
pub(crate) fn stems_of_name(name: &str) -> Vec<String> {
    let mut all = Vec::new();
    for_each_stem(name, |_| true, |stem| all.push(stem.to_owned()));
    all
}

/// Hands `f` the stems of the words of those names in a text that are `wanted`.
pub(crate) fn for_each_stem(text: &str, wanted: impl Fn(&str) -> bool, mut f: impl FnMut(&str)) {
    let mut lower = String::new();
    with_stems(|stems| {
        tokens(text, |token| {
            if let Token::Identifier(identifier) = token
                && wanted(identifier)
            {
                text::terms::stems_of(identifier, stems, &mut lower, &mut f);
            }
        });
    });
}

/// Names of files with mixed content: their folder tells the subject too.
static GENERIC_STEMS: WordList =
    LazyLock::new(|| list::words(list::section(PATH_WORDS, "generic stems")).collect());

/// The words that name a file, and those of the folder above it.
pub(crate) fn path_words(path: &str) -> (Vec<String>, Vec<String>) {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let (above, folder) = folders.rsplit_once('/').unwrap_or(("", folders));
    if BARE_STEMS.contains(&stem) && !folder.is_empty() {
        return (
            stems_of_name(folder),
            stems_of_name(above.rsplit('/').next().unwrap_or("")),
        );
    }
    let mut words = stems_of_name(stem);
    if GENERIC_STEMS.contains(&stem) {
        words.extend(stems_of_name(folder));
    }
    (words, stems_of_name(folder))
}

/// The index's knowledge of the words in paths.
pub(crate) struct PathVocabulary<'v> {
    /// The rarity of a word.
    pub(crate) rarity: &'v dyn Fn(&str) -> f32,
    /// Whether a word occurs anywhere in the index.
    pub(crate) is_word: &'v dyn Fn(&str) -> bool,
}

/// The share of the words that the query has, weighted by rarity.
pub(crate) fn query_overlap(
    words: &[String],
    query: &Query,
    known: &PathVocabulary<'_>,
    tuning: &Tuning,
) -> f32 {
    let rarity = known.rarity;
    let distinct: FxHashSet<&String> = words.iter().collect();
    let mut words: Vec<&String> = distinct.into_iter().collect();
    words.sort_unstable();
    let all: f32 = words.iter().map(|w| rarity(w)).sum();
    let shared: f32 = words
        .iter()
        .map(|w| path_word_match(w, query, known.is_word, tuning) * rarity(w))
        .sum();
    if all > 0.0 { shared / all } else { 0.0 }
}

/// All words that [`PathVocabulary::is_word`] may be asked about for these paths.
pub(crate) fn words_asked_for<'p>(
    paths: impl Iterator<Item = &'p str>,
    query: &Query,
    tuning: &Tuning,
) -> FxHashSet<String> {
    let asked = RefCell::new(FxHashSet::default());
    let is_word = |word: &str| {
        asked.borrow_mut().insert(word.to_owned());
        false
    };
    let known = PathVocabulary {
        rarity: &|_| 1.0,
        is_word: &is_word,
    };
    for path in paths {
        let (stem, folder) = path_words(path);
        query_overlap(&stem, query, &known, tuning);
        query_overlap(&folder, query, &known, tuning);
    }
    asked.into_inner()
}

/// How well a word of a path stands for words of the query, 0–1: as the word itself, as the beginning of one (`attr`
/// for attributes), or as the initials of several (`fs` for file system).
fn path_word_match(
    word: &str,
    query: &Query,
    is_word: &dyn Fn(&str) -> bool,
    tuning: &Tuning,
) -> f32 {
    if query.stems.contains(word) {
        return 1.0;
    }
    let begins = |long: &String| long.len() > word.len() + 1 && long.starts_with(word);
    if word.len() >= tuning.path_beginning_letters && query.words.iter().any(begins) {
        return tuning.path_beginning;
    }
    if word.len() >= tuning.path_initials_letters && query.initials.contains(word) {
        return tuning.path_initials;
    }
    if tuning.path_joined > 0.0 && !query.is_report && word.len() >= tuning.path_joined_letters {
        return tuning.path_joined * joined_share(word, query, is_word, tuning);
    }
    0.0
}

/// The share of the letters in joined words that words of the query make up, 0–1: `livereloadinject` for `live
/// reload`. The rest must be a word as well.
fn joined_share(word: &str, query: &Query, is_word: &dyn Fn(&str) -> bool, tuning: &Tuning) -> f32 {
    let (piece, beside) = (tuning.path_joined_piece, tuning.path_joined_beside);
    let asked = || query.words.iter().chain(&query.stems).map(String::as_str);
    let is_asked =
        |piece: &str| query.words.iter().any(|w| w == piece) || query.stems.contains(piece);
    let mut best = 0;
    for first in asked().filter(|w| w.len() >= piece) {
        let Some(rest) = word.strip_prefix(first) else {
            continue;
        };
        if is_asked(rest) {
            return 1.0;
        }
        let second = asked().filter(|w| w.len() >= piece && rest.starts_with(w));
        let second = second.map(str::len).max().unwrap_or(0);
        let remains = &rest[second..];
        if first.len() + second >= beside && remains.len() >= piece && is_word(remains) {
            best = best.max(first.len() + second);
        }
    }
    for last in asked().filter(|w| w.len() >= beside) {
        let Some(rest) = word.strip_suffix(last) else {
            continue;
        };
        if rest.len() >= piece && is_word(rest) {
            best = best.max(last.len());
        }
    }
    best as f32 / word.len() as f32
}

/// How well a name matches one in the query, 0–1. `part` gives the share of the query's words that some of them make
/// up, weighted by rarity.
pub(crate) fn name_match(
    query: &Query,
    defined: &str,
    part: &dyn Fn(&[&String]) -> f32,
    tuning: &Tuning,
) -> f32 {
    let mut best = 0f32;
    for name in &query.names {
        let whole = match (name.is_code, query.names.len()) {
            (true, _) => 1.0,
            // In a query of several words, a plain word may be meant as a word.
            (false, 1) => 1.0,
            (false, 2) => tuning.name_of_two,
            (false, _) => tuning.name_of_many,
        };
        if name.text == defined {
            best = best.max(whole);
        } else if name.lower.len() == defined.len() && name.lower == defined.to_lowercase() {
            best = best.max(whole * tuning.name_case);
        }
    }
    // Only names with at least two of the words count.
    if best == 0.0 && query.stems.len() > 1 && query.heads.count_possible_starts(defined) > 1 {
        let words = SharedWords::new(query, defined, tuning);
        if words.shared_count > 1 {
            let by_part = tuning.name_part;
            // At a share of one half the value does not change.
            let worth = words.whole * (1.0 - by_part + 2.0 * by_part * part(&words.stems));
            best = if words.all == words.shared_count {
                tuning.name_words * worth
            } else {
                tuning.name_words_some * worth * words.shared_fraction()
            };
        }
    }
    best
}

/// The score of a name that has one word of the query, 0–1: `retry` and `onRetry` for a question about retries.
pub(crate) fn one_word_match(
    query: &Query,
    defined: &str,
    part: &dyn Fn(&[&String]) -> f32,
    tuning: &Tuning,
) -> f32 {
    if query.stems.len() < 2 || query.heads.count_possible_starts(defined) == 0 {
        return 0.0;
    }
    let words = SharedWords::new(query, defined, tuning);
    match words.shared_count {
        1 => words.whole * words.shared_fraction() * part(&words.stems),
        _ => 0.0,
    }
}

/// Words that a name shares with the query.
struct SharedWords<'q> {
    /// The shared stems of the query, each once, sorted.
    stems: Vec<&'q String>,
    /// The number of the name's words without stop words, and the number of shared ones.
    all: usize,
    shared_count: usize,
    /// The mean weight of a shared word: below 1 if some are abbreviated.
    whole: f32,
}

impl SharedWords<'_> {
    fn new<'q>(query: &'q Query, defined: &str, tuning: &Tuning) -> SharedWords<'q> {
        let (mut stems, mut others, mut whole) = (Vec::new(), 0, 0.0);
        for_each_stem(
            defined,
            |_| true,
            |word| {
                let same = query.stems.get(word).map(|stem| (stem, 1.0));
                let shortened = || {
                    query
                        .find_abbreviated(word, tuning)
                        .map(|stem| (stem, tuning.name_short))
                };
                match same.or_else(shortened).filter(|(_, worth)| *worth > 0.0) {
                    Some((stem, worth)) => {
                        stems.push(stem);
                        whole += worth;
                    }
                    // `RestoreForState` is `restore` and `state`.
                    None => others += usize::from(!text::terms::is_stop(word)),
                }
            },
        );
        let some = stems.len();
        stems.sort_unstable();
        stems.dedup();
        SharedWords {
            stems,
            all: some + others,
            shared_count: some,
            whole: whole / some.max(1) as f32,
        }
    }

    fn shared_fraction(&self) -> f32 {
        self.shared_count as f32 / self.all.max(1) as f32
    }
}

/// The weight of a definition by its kind.
pub(crate) fn definition_weight(kind: &str, exported: bool, tuning: &Tuning) -> f32 {
    let private = if exported { 1.0 } else { tuning.kind_private };
    kind_weight(kind, tuning) * private
}

/// The weight of a kind: a name usually asks for a type, then a function, then a value.
fn kind_weight(kind: &str, tuning: &Tuning) -> f32 {
    match kind {
        "class" | "interface" | "trait" | "struct" | "enum" | "union" | "type_alias" => 1.0,
        "function" | "module" | "namespace" | "macro" => tuning.kind_function,
        "constructor" | "method" => tuning.kind_method,
        "constant" | "variable" | "section" => tuning.kind_value,
        "impl" => tuning.kind_impl,
        _ => tuning.kind_other,
    }
}

/// The relevance of a chunk, 0–1. It is made of the share of the query's words in its file, the cosine of its vector,
/// the share of the query's words that occur anywhere, and the score of the definition that the query names.
///
/// Some vector is near to any query. So words that occur nowhere make the answer doubtful.
pub(crate) fn chunk_relevance(
    words: Option<f32>,
    near: Option<f32>,
    known: f32,
    named: f32,
    tuning: &Tuning,
) -> f32 {
    let (least, most) = (tuning.relevance_near_least, tuning.relevance_near_most);
    let near = near.map(|n| ((n - least) / (most - least)).clamp(0.0, 1.0));
    let (by_words, by_vector) = (tuning.relevance_words, tuning.relevance_vector);
    let sum = match (words, near) {
        (Some(words), Some(near)) => by_words * words * words + by_vector * near,
        (Some(words), None) => words * words,
        (None, Some(near)) => near,
        (None, None) => 0.0,
    };
    let doubt = (known / tuning.relevance_known).min(1.0);
    let exact = if named >= tuning.relevance_named {
        tuning.relevance_exact + tuning.relevance_exact_more * named
    } else {
        0.0
    };
    (sum * doubt * doubt).max(exact).clamp(0.0, 1.0)
}

/// The weight of a word that the index lacks, 0–1.
///
/// An index of few chunks has few words, so a missing word says little. The weight grows in proportion to the chunks.
pub(crate) fn unknown_word_weight(chunks: usize, tuning: &Tuning) -> f32 {
    (chunks as f32 / tuning.relevance_known_chunks.max(1.0)).min(1.0)
}

/// How far a file ranks below sources, 0–1. 0 if the query asks for its role.
pub(crate) fn role_penalty(role: FileRole, query: &Query, tuning: &Tuning) -> f32 {
    if role == FileRole::Source || query.requested_roles.contains(&role) {
        return 0.0;
    }
    if query.class == QueryClass::Path {
        return tuning.role_path;
    }
    let far = match role {
        FileRole::Source => 0.0,
        FileRole::Generated | FileRole::Document | FileRole::Example => tuning.role_near,
        FileRole::Test | FileRole::Vendor | FileRole::Config => 1.0,
    };
    if query.mentioned_roles.contains(&role) {
        tuning.role_mentioned * far
    } else {
        far
    }
}

/// Parts of paths of files that serve old callers or replace something for tests.
static COMPATIBILITY: WordList =
    LazyLock::new(|| list::words(list::section(PATH_WORDS, "compatibility")).collect());

/// Whether a path tells that the file serves old callers or replaces something for tests.
pub(crate) fn is_compat(path: &str, query: &Query) -> bool {
    let lower = path.to_lowercase();
    COMPATIBILITY
        .iter()
        .any(|mark| lower.contains(mark) && !query.lower.contains(mark))
}

/// Names of less common platforms, in names of folders and files.
static OTHER_PLATFORMS: WordList =
    LazyLock::new(|| list::words(list::section(PATH_WORDS, "other platforms")).collect());

/// Whether a file is a variant for a platform other than POSIX and Linux, the most common ones of servers, and the
/// query does not name that platform.
pub(crate) fn is_other_platform(path: &str, query: &Query) -> bool {
    path.split(['/', '.', '-', '_'])
        .map(str::to_ascii_lowercase)
        .any(|part| OTHER_PLATFORMS.contains(&part.as_str()) && !query.lower.contains(&part))
}

/// Whether a file only declares definitions of other files: headers and type stubs.
pub(crate) fn is_declaration(path: &str) -> bool {
    [
        ".h", ".hh", ".hpp", ".hxx", ".d.ts", ".d.mts", ".d.cts", ".pyi", ".mli",
    ]
    .iter()
    .any(|ending| path.ends_with(ending))
}

/// Folders such as `v3` beside `v4`: the highest number, by the path before it.
#[derive(Debug, Default)]
pub(crate) struct VersionFolders {
    highest: FxHashMap<String, u32>,
}

impl VersionFolders {
    pub(crate) fn add(&mut self, path: &str) {
        for (before, number) in versions_in(path) {
            let highest = self.highest.entry(before.to_owned()).or_default();
            *highest = number.max(*highest);
        }
    }

    /// Whether there is a newer version beside a path, and the query does not ask for this one.
    pub(crate) fn is_older_version(&self, path: &str, query: &Query) -> bool {
        versions_in(path).any(|(before, number)| {
            let newer = self.highest.get(before).is_some_and(|h| *h > number);
            newer && !query.lower.contains(&format!("v{number}"))
        })
    }
}

fn versions_in(path: &str) -> impl Iterator<Item = (&str, u32)> {
    let folders = path.rfind('/').map_or("", |end| &path[..end]);
    let mut at = 0;
    folders.split('/').filter_map(move |folder| {
        let before = &path[..at];
        at += folder.len() + 1;
        let number = folder.strip_prefix('v')?.parse().ok()?;
        Some((before, number))
    })
}

/// How well a path is the one that the query asks for, 0–1.
pub(crate) fn path_match(path: &str, query: &Query, tuning: &Tuning) -> f32 {
    if query.class != QueryClass::Path {
        return 0.0;
    }
    let path = path.to_lowercase();
    let wanted = query.lower.trim_matches(['"', '\'', '`', ' ']);
    let wanted = wanted.strip_prefix("./").unwrap_or(wanted);
    if path == wanted {
        return 1.0;
    }
    if path
        .strip_suffix(wanted)
        .is_some_and(|rest| rest.ends_with('/'))
    {
        return tuning.path_end;
    }
    if path.contains(wanted) {
        return tuning.path_within;
    }
    0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_run_together_are_told_apart() {
        let query = Query::new("insert the live reload script after files are cached");
        let is_word = |word: &str| ["inject", "watch", "smart"].contains(&word);
        let share = |word: &str| joined_share(word, &query, &is_word, &Tuning::default());
        assert_eq!(share("livereload"), 1.0);
        assert_eq!(share("filescach"), 1.0);
        assert_eq!(share("livereloadinject"), 10.0 / 16.0);
        assert_eq!(share("smartreload"), 6.0 / 11.0);
        assert_eq!(share("reloadxyz"), 0.0);
        assert_eq!(share("watch"), 0.0);
        assert_eq!(share("relive"), 0.0);
    }

    fn value(query: &Query, name: &str, kind: &str) -> f32 {
        let part = |words: &[&String]| words.len() as f32 / query.stems.len() as f32;
        name_match(query, name, &part, &Tuning::default())
            * definition_weight(kind, true, &Tuning::default())
    }

    #[test]
    fn the_named_definition_before_the_similar() {
        let query = Query::new("HTTPException");
        let exact = value(&query, "HTTPException", "class");
        let lower = value(&query, "httpException", "class");
        let method = value(&query, "HTTPException", "method");
        let other = value(&query, "Exception", "class");
        assert!(exact > lower && lower > 0.5 && exact > method && other == 0.0);
    }

    #[test]
    fn words_of_a_sentence_name_what_they_make_up() {
        let query = Query::new("how to strip slashes from paths");
        let both = value(&query, "StripSlashes", "function");
        assert!(both > 0.3 && value(&query, "StripSlashesFromPaths", "function") > both);
        assert!(both > value(&query, "StripSlashesTwice", "function"));
        assert!(value(&query, "unrelated", "function") == 0.0);
    }

    #[test]
    fn words_of_names_may_be_shortened() {
        let query = Query::new("where are certificates renewed in the background");
        let both = value(&query, "renewCerts", "function");
        assert!(both > 0.2 && both < value(&query, "renewCertificates", "function"));
        // `add` is no abbreviation of address.
        let other = Query::new("renew the address of a peer");
        assert_eq!(value(&other, "renewAdd", "function"), 0.0);
    }

    #[test]
    fn one_word_of_the_query_makes_a_name_likelier() {
        let query = Query::new("compute the delay before the next retry");
        let part = |words: &[&String]| words.len() as f32 / query.stems.len() as f32;
        let one = |name| one_word_match(&query, name, &part, &Tuning::default());
        assert!(one("retry") > one("retryAll") && one("retryAll") > 0.0);
        assert_eq!((one("retryDelay"), one("run")), (0.0, 0.0));
    }

    #[test]
    fn unknown_words_make_an_answer_doubtful() {
        let tuning = &Tuning::default();
        let relevance =
            |words, near, known, named| chunk_relevance(words, near, known, named, tuning);
        let sure = relevance(Some(1.0), Some(0.6), 1.0, 0.0);
        let nonsense = relevance(Some(0.0), Some(0.4), 0.0, 0.0);
        let half = relevance(Some(0.5), Some(0.4), 0.5, 0.0);
        assert!(sure > 0.95 && nonsense == 0.0 && half < 0.4 && half > 0.0);
        assert!(relevance(Some(0.2), None, 0.2, 1.0) > 0.95);
    }

    #[test]
    fn bare_files_are_named_by_their_folder() {
        assert_eq!(path_words("src/ser/mod.rs").0, stems_of_name("ser"));
        assert_eq!(path_words("src/parser.rs").0, stems_of_name("parser"));
        assert_eq!(path_words("src/http/client.ts").1, stems_of_name("http"));
    }

    #[test]
    fn abbreviations_in_paths_are_understood() {
        let query = Query::new("parse file system attributes with server-sent events");
        for (word, value) in [
            ("attr", 0.75),
            ("fs", 0.75),
            ("sse", 0.75),
            ("at", 0.0),
            ("db", 0.0),
        ] {
            assert_eq!(
                path_word_match(word, &query, &|_| false, &Tuning::default()),
                value,
                "{word}"
            );
        }
        let parser = &stems_of_name("parser")[0];
        assert_eq!(
            path_word_match(parser, &query, &|_| false, &Tuning::default()),
            1.0
        );
    }

    #[test]
    fn rare_words_of_a_path_count_more() {
        let query = Query::new("timeout middleware");
        let rarity = |w: &str| if w.starts_with("timeout") { 4.0 } else { 1.0 };
        let tuning = Tuning::default();
        let known = PathVocabulary {
            rarity: &rarity,
            is_word: &|_| false,
        };
        let overlap = |name| query_overlap(&stems_of_name(name), &query, &known, &tuning);
        let both = overlap("timeout_middleware");
        let rare = overlap("timeout_other");
        let common = overlap("middleware_other");
        assert!(both > rare && rare > common);
    }

    #[test]
    fn tests_stand_behind_unless_asked_for() {
        let plain = Query::new("parse headers");
        let asked = Query::new("tests for parse headers");
        let behind = |role, query| role_penalty(role, query, &Tuning::default());
        assert_eq!(behind(FileRole::Source, &plain), 0.0);
        assert!(behind(FileRole::Test, &plain) > behind(FileRole::Document, &plain));
        assert_eq!(behind(FileRole::Test, &asked), 0.0);
    }

    #[test]
    fn old_code_is_known_by_its_path() {
        assert!(is_compat("src/legacy/a.ts", &Query::new("parse")));
        assert!(!is_compat("src/legacy/a.ts", &Query::new("legacy parser")));
    }

    #[test]
    fn other_platforms_are_known_by_their_names() {
        let query = Query::new("open a socket");
        assert!(is_other_platform("src/win/tcp.c", &query));
        assert!(is_other_platform("net/poll_darwin.go", &query));
        assert!(!is_other_platform("src/unix/tcp.c", &query));
        assert!(!is_other_platform("src/window.c", &query));
        assert!(!is_other_platform(
            "src/win/tcp.c",
            &Query::new("windows socket")
        ));
    }

    #[test]
    fn older_versions_stand_behind_newer_ones() {
        let mut versions = VersionFolders::default();
        ["src/v3/a.ts", "src/v4/core/a.ts", "lib/v1/a.ts"]
            .iter()
            .for_each(|p| versions.add(p));
        let query = Query::new("parse an object");
        assert!(versions.is_older_version("src/v3/a.ts", &query));
        assert!(!versions.is_older_version("src/v4/core/a.ts", &query));
        assert!(!versions.is_older_version("lib/v1/a.ts", &query));
        assert!(!versions.is_older_version("src/v3/a.ts", &Query::new("v3 objects")));
    }

    #[test]
    fn declarations_are_known_by_their_ending() {
        assert!(is_declaration("include/uv.h") && is_declaration("types/a.d.ts"));
        assert!(!is_declaration("src/uv.c") && !is_declaration("src/a.ts"));
    }

    #[test]
    fn paths_match_by_their_end() {
        let query = Query::new("router/mux.go");
        let tuning = Tuning::default();
        assert_eq!(path_match("src/router/mux.go", &query, &tuning), 0.9);
        assert_eq!(path_match("src/router/tree.go", &query, &tuning), 0.0);
    }
}
