//! How well a name answers a query, 0–1.

use crate::{Mode, fuzzy};
use memchr::memmem::Finder;
use store::{NameRow, NodeFlags};
use text::distance::distance;
use text::identifier;
use text::stem::without_ending;

base::tuning! {
    /// Scores of a name for a query, 0–1, by the kind of match. A query equal to the name has 1. The numbers express an
    /// order. No evaluation chose them; `eval names` measures what each is worth.
    pub struct NameTuning {
        /// The query is the name except for upper and lower case.
        case: f64 = 0.96, neutral 1.0;
        /// The name begins with the query.
        prefix: f64 = 0.80, neutral 0.0;
        /// Bonus for the part of the name that the query covers. Times that share.
        prefix_share: f64 = 0.12, neutral 0.0;
        /// Words of the name begin with the words of the query, in order.
        in_order: f64 = 0.66, neutral 0.0;
        /// The same bonus.
        in_order_share: f64 = 0.12, neutral 0.0;
        /// The query stands within the name.
        inside: f64 = 0.58, neutral 0.0;
        /// The same bonus.
        inside_share: f64 = 0.08, neutral 0.0;
        /// Words of the name begin with the words of the query, in any order.
        any_order: f64 = 0.55, neutral 0.0;
        /// The query abbreviates the name.
        abbreviated: f64 = 0.40, neutral 0.0;
        /// The same bonus.
        abbreviated_share: f64 = 0.10, neutral 0.0;
        /// The query is the name with typing errors.
        typed: f64 = 0.54, neutral 0.0;
        /// Loss for typing errors. Times their share of the query.
        typed_errors: f64 = 0.5, neutral 0.0;
        /// A word of the query is not in the name but in its owner or path. Share of a word in the name.
        context: f64 = 0.5, neutral 1.0;
        /// A word with another ending. Share of the same word.
        word_stem: f64 = 0.9, neutral 1.0;
        /// A word that begins with a word of the query. Share of the same word.
        word_prefix: f64 = 0.8, neutral 1.0;
        /// Minimum number of letters of such a beginning: shorter ones begin too many words.
        word_prefix_letters: usize = 3, neutral 0;
        /// Share of the query's words that are found. Score if all are.
        coverage: f64 = 0.8, neutral 1.0;
        /// Share of the name's words that the query has. Score if all are, and all of the query is found.
        density: f64 = 0.2, neutral 0.0;
        /// Fields, variables, members and properties. Factor.
        kind_value: f64 = 0.96, neutral 1.0;
        /// Files, modules, packages and namespaces. Factor.
        kind_module: f64 = 0.95, neutral 1.0;
        /// Constants and aliases of types. Factor.
        kind_constant: f64 = 0.98, neutral 1.0;
        /// Type parameters, and every other kind. Factor.
        kind_other: f64 = 0.90, neutral 1.0;
        /// Symbols in a test. Factor.
        test: f64 = 0.90, neutral 1.0;
        /// Symbols that are not exported. Factor.
        private: f64 = 0.98, neutral 1.0;
    }
}

/// The [`char_mask`] of a name in lower case.
fn letter_mask(symbol: &str) -> u64 {
    if symbol.is_ascii() {
        ascii_char_mask(symbol)
    } else {
        char_mask(&symbol.to_lowercase())
    }
}

/// A query prepared once, with buffers reused from name to name.
pub(crate) struct Scorer {
    tuning: NameTuning,
    mode: Mode,
    /// The last part of a dotted query.
    name: String,
    name_lower: String,
    name_chars: Vec<char>,
    name_words: Vec<String>,
    /// The part before the last dot, in lower case.
    container: Option<String>,
    /// Letters and digits of the query, as a bit set.
    mask: u64,
    /// Searches for the first word of the name, which any name that contains the query as a part contains too.
    part: Option<Finder<'static>>,
    /// The name that was scored last, with its score, for further symbols of that name.
    last: (String, Option<f64>),
    lower: String,
    words: Vec<String>,
    context: Vec<String>,
}

impl Scorer {
    pub(crate) fn new(query: &str, mode: Mode, tuning: NameTuning) -> Scorer {
        let query = query.trim();
        let (container, name) = match mode {
            Mode::Symbol => split_container(query),
            Mode::Keyword => (None, query),
        };
        let name_lower = name.to_lowercase();
        let mut name_words = Vec::new();
        identifier::words(name, &mut name_words);
        Scorer {
            tuning,
            mode,
            name: name.to_owned(),
            mask: char_mask(&name_lower),
            part: match name_words.first() {
                Some(word) if name.is_ascii() => Some(Finder::new(word).into_owned()),
                _ => None,
            },
            last: (String::new(), None),
            name_chars: name_lower.chars().filter(|c| c.is_alphanumeric()).collect(),
            name_lower,
            name_words,
            container: container.map(str::to_lowercase),
            lower: String::new(),
            words: Vec::new(),
            context: Vec::new(),
        }
    }

    /// Whether a symbol of that name may have a score.
    pub(crate) fn may_match(&mut self, symbol: &str) -> bool {
        if self.name.is_empty() {
            return false;
        }
        match self.mode {
            // In this mode words outside the name count too.
            Mode::Keyword => true,
            Mode::Symbol => {
                self.last.1 = self.score_by_name(symbol);
                self.last.0.clear();
                self.last.0.push_str(symbol);
                self.last.1.is_some()
            }
        }
    }

    /// The score of a name, none where it does not match.
    pub(crate) fn score(&mut self, row: &NameRow<'_>) -> Option<f64> {
        if self.name.is_empty() {
            return None;
        }
        let base = match self.mode {
            Mode::Symbol => {
                if self.last.0 != row.symbol {
                    self.may_match(row.symbol);
                }
                let base = self.last.1;
                base.filter(|_| self.container.as_deref().is_none_or(|c| is_within(row, c)))
            }
            Mode::Keyword => self.score_by_words(row),
        }?;
        Some((base * symbol_weight(row, &self.tuning)).clamp(0.0, 1.0))
    }

    fn score_by_name(&mut self, symbol: &str) -> Option<f64> {
        // Each letter of the query that the name lacks is a typing error.
        let letters = letter_mask(symbol);
        let lacking = (self.mask & !letters).count_ones() as usize;
        let errors = fuzzy::allowed_errors(self.name_chars.len());
        let is_same = symbol == self.name;
        if lacking > errors && !is_same {
            return None;
        }
        if is_same {
            return Some(1.0);
        }
        self.set_lowercase(symbol);
        let tuning = &self.tuning;
        let share = self.name_lower.len() as f64 / self.lower.len().max(1) as f64;
        if self.lower == self.name_lower {
            return Some(self.tuning.case);
        }
        if self.lower.starts_with(&self.name_lower) {
            return Some(tuning.prefix + tuning.prefix_share * share);
        }
        if lacking == 0 && self.may_be_part() {
            identifier::words(symbol, &mut self.words);
            if matches_in_order(&self.name_words, &self.words) {
                return Some(tuning.in_order + tuning.in_order_share * share.min(1.0));
            }
            if self.name_lower.len() >= 2 && self.lower.contains(&self.name_lower) {
                return Some(tuning.inside + tuning.inside_share * share);
            }
            if self.name_words.len() > 1 && all_words_match(&self.name_words, &self.words) {
                return Some(tuning.any_order);
            }
            if fuzzy::is_abbreviation_of(&self.name_chars, &self.words) {
                return Some(tuning.abbreviated + tuning.abbreviated_share * share.min(1.0));
            }
        }
        // Each letter of the name that the query lacks is an error as well.
        if (letters & !self.mask).count_ones() as usize > errors {
            return None;
        }
        let typed = self.lower.chars().filter(|c| c.is_alphanumeric());
        if typed.clone().count().abs_diff(self.name_chars.len()) > errors {
            return None;
        }
        let typed: Vec<char> = typed.collect();
        let distance = distance(&self.name_chars, &typed, errors)?;
        // In a long name one error is likelier than an abbreviation; in a short name it is not.
        let part = distance as f64 / self.name_chars.len().max(1) as f64;
        Some(tuning.typed - tuning.typed_errors * part)
    }

    /// Whether the query may be a part of the present name, or abbreviate it.
    fn may_be_part(&self) -> bool {
        let Some(part) = &self.part else { return true };
        let first = self.lower.chars().find(|c| c.is_alphanumeric());
        first == self.name_chars.first().copied() || part.find(self.lower.as_bytes()).is_some()
    }

    fn set_lowercase(&mut self, symbol: &str) {
        self.lower.clear();
        if symbol.is_ascii() {
            self.lower.push_str(symbol);
            self.lower.make_ascii_lowercase();
            return;
        }
        self.lower
            .extend(symbol.chars().flat_map(char::to_lowercase));
    }

    /// The score by words. Each word of the query counts by its place: in the name, in the name around it, or in the
    /// path. At least half of the words must be somewhere, and one in the name.
    fn score_by_words(&mut self, row: &NameRow<'_>) -> Option<f64> {
        identifier::words(row.symbol, &mut self.words);
        let mut sum = 0.0;
        let (mut found, mut in_name) = (0, 0);
        let mut have_context = false;
        for word in &self.name_words {
            let mut weight = best_word_score(word, &self.words, &self.tuning);
            if weight > 0.0 {
                in_name += 1;
            } else {
                if !have_context {
                    push_context_words(row, &mut self.context);
                    have_context = true;
                }
                weight = self.tuning.context * best_word_score(word, &self.context, &self.tuning);
            }
            found += usize::from(weight > 0.0);
            sum += weight;
        }
        if in_name == 0 || found * 2 < self.name_words.len() {
            return None;
        }
        let coverage = sum / self.name_words.len() as f64;
        let density = in_name as f64 / self.words.len().max(in_name) as f64;
        Some(self.tuning.coverage * coverage + self.tuning.density * coverage * density)
    }
}

/// Splits `a.b.c`, `a::b::c` and `a#c` into container and name.
fn split_container(query: &str) -> (Option<&str>, &str) {
    let cut = query.rfind(['.', '#', ':', '/']);
    match cut {
        Some(at) if at > 0 && at + 1 < query.len() => {
            let container = query[..at].trim_end_matches(':');
            (Some(container).filter(|c| !c.is_empty()), &query[at + 1..])
        }
        _ => (None, query),
    }
}

/// Whether the container is the end of the name around a symbol, or of its file.
fn is_within(row: &NameRow<'_>, container: &str) -> bool {
    let container = container.replace("::", ".").replace('#', ".");
    let enclosing = row
        .qualified_name
        .and_then(|q| q.rsplit_once('.'))
        .map(|(before, _)| before.to_lowercase());
    if enclosing.is_some_and(|e| ends_with_part(&e, &container)) {
        return true;
    }
    let path = row.file_path.to_lowercase();
    let stem = path
        .rsplit_once('.')
        .map_or(path.as_str(), |(stem, _)| stem);
    ends_with_part(&stem.replace('/', "."), &container.replace('/', "."))
        || ends_with_part(&path, &container)
}

fn ends_with_part(text: &str, end: &str) -> bool {
    text.strip_suffix(end)
        .is_some_and(|rest| rest.is_empty() || rest.ends_with(['.', '/']))
}

/// Whether every word of the query begins a word of the name, in the same order.
fn matches_in_order(query: &[String], words: &[String]) -> bool {
    let mut rest = words.iter();
    !query.is_empty()
        && query
            .iter()
            .all(|q| rest.any(|w| w.starts_with(q.as_str())))
}

fn all_words_match(query: &[String], words: &[String]) -> bool {
    query
        .iter()
        .all(|q| words.iter().any(|w| w.starts_with(q.as_str())))
}

fn best_word_score(word: &str, words: &[String], tuning: &NameTuning) -> f64 {
    let weigh = |candidate: &String| {
        if candidate == word {
            1.0
        } else if without_ending(candidate) == without_ending(word) {
            tuning.word_stem
        } else if word.len() >= tuning.word_prefix_letters && candidate.starts_with(word) {
            tuning.word_prefix
        } else {
            0.0
        }
    };
    words.iter().map(weigh).fold(0.0, f64::max)
}

fn push_context_words(row: &NameRow<'_>, into: &mut Vec<String>) {
    let enclosing = row.qualified_name.unwrap_or_default();
    identifier::words(&format!("{enclosing}/{}", row.file_path), into);
}

/// The weight of a symbol: definitions before fields, code before tests, exported before private.
fn symbol_weight(row: &NameRow<'_>, tuning: &NameTuning) -> f64 {
    let kind = match row.kind {
        "field" | "variable" | "enum_member" | "property" => tuning.kind_value,
        "file" | "module" | "package" | "namespace" => tuning.kind_module,
        "constant" | "type_alias" => tuning.kind_constant,
        "type_parameter" | "other" => tuning.kind_other,
        _ => 1.0,
    };
    let test = if row.flags.contains(NodeFlags::TEST) || base::is_test_path(row.file_path) {
        tuning.test
    } else {
        1.0
    };
    let exported = if row.flags.contains(NodeFlags::EXPORTED) {
        1.0
    } else {
        tuning.private
    };
    kind * test * exported
}

/// Letters and digits as bits; all characters outside ASCII share one.
fn char_mask(text: &str) -> u64 {
    text.chars().fold(0, |bits, c| {
        bits | match c {
            'a'..='z' => 1 << (c as u32 - 'a' as u32),
            '0'..='9' => 1 << (26 + c as u32 - '0' as u32),
            c if c.is_alphanumeric() => 1 << 40,
            _ => 0,
        }
    })
}

/// The bits of each byte of a text in ASCII, whatever its case.
const ASCII: [u64; 128] = {
    let mut table = [0; 128];
    let mut at = 0;
    while at < 128 {
        let b = (at as u8).to_ascii_lowercase();
        if b.is_ascii_lowercase() {
            table[at] = 1 << (b - b'a');
        } else if b.is_ascii_digit() {
            table[at] = 1 << (26 + b - b'0');
        }
        at += 1;
    }
    table
};

/// The [`char_mask`] of an ASCII text in lower case.
fn ascii_char_mask(text: &str) -> u64 {
    let bits = |b: u8| ASCII[usize::from(b & 127)];
    text.bytes().fold(0, |all, b| all | bits(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn scorer_of(query: &str, mode: Mode) -> Scorer {
        Scorer::new(query, mode, NameTuning::default())
    }

    fn row<'a>(
        symbol: &'a str,
        qualified_name: Option<&'a str>,
        file_path: &'a str,
    ) -> NameRow<'a> {
        NameRow {
            id: symbol,
            symbol,
            qualified_name,
            kind: "function",
            file_path,
            line_start: Some(1),
            line_end: Some(1),
            flags: NodeFlags(NodeFlags::EXPORTED),
        }
    }

    /// The names by score, best first, without those that have none.
    fn ranked<'a>(query: &str, mode: Mode, names: &[&'a str]) -> Vec<&'a str> {
        let mut scorer = scorer_of(query, mode);
        let mut found: Vec<(f64, &str)> = names
            .iter()
            .filter_map(|n| Some((scorer.score(&row(n, None, "src/a.ts"))?, *n)))
            .collect();
        found.sort_by(|a, b| b.0.total_cmp(&a.0));
        found.into_iter().map(|(_, n)| n).collect()
    }

    #[test]
    fn both_masks_agree() {
        for text in ["getUser_2Id", "", "__A9z$", "HTTPServer"] {
            assert_eq!(
                ascii_char_mask(text),
                char_mask(&text.to_lowercase()),
                "{text}"
            );
        }
    }

    #[test]
    fn exact_before_prefix_before_subword_before_fuzzy() {
        let names = [
            "getUsr",
            "fetchUserData",
            "user",
            "userName",
            "User",
            "abUSERcd",
            "order",
        ];
        assert_eq!(
            ranked("user", Mode::Symbol, &names),
            ["user", "User", "userName", "fetchUserData", "abUSERcd"]
        );
    }

    #[test]
    fn typing_errors_and_abbreviations_are_found() {
        assert_eq!(
            ranked("getUserByld", Mode::Symbol, &["getUserById"]),
            ["getUserById"]
        );
        assert_eq!(
            ranked("gUBI", Mode::Symbol, &["getUserById", "bug"]),
            ["getUserById"]
        );
        assert_eq!(
            ranked("user_by", Mode::Symbol, &["getUserById"]),
            ["getUserById"]
        );
        assert!(ranked("xyz", Mode::Symbol, &["getUserById", "yxz"]).is_empty());
        let names = ["configureGroups", "config"];
        assert_eq!(
            ranked("confg", Mode::Symbol, &names),
            ["config", "configureGroups"]
        );
        let names = ["gibi", "getUserById"];
        assert_eq!(
            ranked("gubi", Mode::Symbol, &names),
            ["getUserById", "gibi"]
        );
    }

    #[test]
    fn a_dotted_query_wants_its_container() {
        let mut scorer = scorer_of("Session.send", Mode::Symbol);
        let session = row("send", Some("Session.send"), "src/s.py");
        let other = row("send", Some("Adapter.send"), "src/s.py");
        assert_eq!(scorer.score(&session), Some(1.0));
        assert_eq!(scorer.score(&other), None);
        let mut by_file = scorer_of("sessions::send", Mode::Symbol);
        assert!(
            by_file
                .score(&row("send", None, "src/sessions.py"))
                .is_some()
        );
    }

    #[test]
    fn keywords_count_in_name_container_and_path() {
        let mut scorer = scorer_of("parse config file", Mode::Keyword);
        let all = scorer
            .score(&row("parseConfigFile", None, "src/a.ts"))
            .unwrap();
        let two = scorer.score(&row("parse", None, "src/config.ts")).unwrap();
        assert!(all > two && two > 0.0);
        assert_eq!(
            scorer.score(&row("render", None, "src/parse/config.ts")),
            None
        );
        assert!(all <= 1.0);
    }

    #[test]
    fn tests_stand_behind_code() {
        let mut scorer = scorer_of("login", Mode::Symbol);
        let code = scorer.score(&row("login", None, "src/auth.ts"));
        let test = scorer.score(&row("login", None, "src/auth.test.ts"));
        assert!(code > test);
    }

    proptest! {
        /// Searching for the part first saves work and changes no score.
        #[test]
        fn what_is_no_part_is_none_in_any_way(query in "[a-cA-C1_]{1,8}", name in "[a-cA-C1_é]{1,12}") {
            let mut quick = scorer_of(&query, Mode::Symbol);
            let mut thorough = scorer_of(&query, Mode::Symbol);
            thorough.part = None;
            let row = row(&name, None, "a.rs");
            let score = thorough.score(&row);
            prop_assert_eq!(quick.score(&row), score);
            prop_assert_eq!(quick.score(&row), score);
            prop_assert_eq!(quick.may_match(&name), score.is_some());
        }
    }
}
