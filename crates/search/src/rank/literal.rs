//! Phrases that are searched for to the letter: quoted text, headings of documents, error messages.
//!
//! The words of a phrase find candidate chunks, and the phrase is compared with their text. So no index of positions is
//! needed.

use super::Tuning;
use super::query::{QUERY_WORDS, QueryClass};
use std::sync::LazyLock;
use text::list::{self, WordList};

/// The most chunks whose text is compared: a bound on work. A chunk with the phrase has all of its words, and so a high
/// score.
pub(super) const MOST_CHUNKS: usize = 24;
/// The most chunks if the phrase may be a plain question.
pub(super) const UNSURE_CHUNKS: usize = 12;

/// The most capitals of an error code.
const MOST_CODE_LETTERS: usize = 8;
const CODE_DIGITS: std::ops::RangeInclusive<usize> = 2..=6;
/// The most phrases of one query.
const MOST_PHRASES: usize = 8;

/// Words that begin a question: such a text is not copied from a program.
static ASKING: WordList =
    LazyLock::new(|| list::words(list::section(QUERY_WORDS, "asking")).collect());

/// The phrases of a query to search for to the letter.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Phrases {
    /// The query as a heading; empty if it cannot be one.
    heading: String,
    /// Texts to find within lines, each with its weight.
    texts: Vec<(String, f32)>,
    /// Whether the query clearly wants these texts: they are quoted, or it looks like an error.
    is_sure: bool,
}

impl Phrases {
    /// The phrases of a query as it was written.
    pub(super) fn parse(query: &str, class: QueryClass, tuning: &Tuning) -> Phrases {
        let mut phrases = Phrases::default();
        for quoted in wanted_quotes(query.trim()) {
            phrases.add(quoted, 1.0, tuning);
        }
        if class == QueryClass::Error {
            phrases.add_message(query, tuning);
        }
        if class == QueryClass::Symbol && is_error_code(query.trim()) {
            phrases.add(query, 1.0, tuning);
        }
        phrases.is_sure = !phrases.texts.is_empty();
        if matches!(class, QueryClass::Symbol | QueryClass::Path) {
            return phrases;
        }
        if query.trim().contains('\n') {
            return phrases;
        }
        let whole = join_spaces(query.trim_matches(is_margin));
        let words = whole.split(' ').count();
        if words >= tuning.literal_heading_words {
            phrases.heading.clone_from(&whole);
        }
        let asks = |first: &str| ASKING.contains(&first);
        if words >= tuning.literal_copied_words && !whole.split(' ').next().is_some_and(asks) {
            phrases.add(&whole, 1.0, tuning);
        }
        phrases
    }

    pub(super) fn is_sure(&self) -> bool {
        self.is_sure
    }

    /// The heading that the query may be; none if it cannot be one.
    pub(super) fn heading(&self) -> Option<&str> {
        Some(self.heading.as_str()).filter(|heading| !heading.is_empty())
    }

    /// The texts that a line may contain.
    pub(super) fn texts(&self) -> impl Iterator<Item = &str> {
        self.texts.iter().map(|(text, _)| text.as_str())
    }

    /// Whether there is nothing to compare.
    pub(super) fn is_empty(&self) -> bool {
        self.heading.is_empty() && self.texts.is_empty()
    }

    /// Whether a definition has the name that the query gives as a heading.
    pub(super) fn is_heading(&self, name: &str) -> bool {
        // A quick test first: a name twice as long is another one.
        !self.heading.is_empty()
            && name.len() <= 2 * self.heading.len()
            && join_spaces(name.trim_matches(is_margin)) == self.heading
    }

    /// The best match of a phrase in a text: its score, 0–1, and its line, from 0. None if no phrase is in the text.
    pub(super) fn find_in(&self, text: &str, tuning: &Tuning) -> Option<(f32, u32)> {
        let mut best: Option<(f32, u32)> = None;
        for (at, line) in (0..).zip(text.lines()) {
            let score = self.score_line(line, tuning);
            if score > best.map_or(0.0, |(most, _)| most) {
                best = Some((score, at));
            }
        }
        best
    }

    fn score_line(&self, line: &str, tuning: &Tuning) -> f32 {
        let line = join_spaces(line);
        let bare = line.trim_matches(is_margin);
        let score = |(phrase, worth): &(String, f32)| {
            if bare == phrase {
                *worth
            } else if line.contains(phrase.as_str()) {
                worth * tuning.literal_within
            } else {
                0.0
            }
        };
        self.texts.iter().map(score).fold(0.0, f32::max)
    }

    /// Adds a message as a whole, and its pieces between numbers and quotes, which differ from case to case.
    fn add_message(&mut self, query: &str, tuning: &Tuning) {
        let message = query.lines().map(str::trim).find(|line| !line.is_empty());
        let Some(message) = message else { return };
        // `TypeError: cannot read`: the text before the colon is the kind.
        let quote = match message.split_once(": ") {
            Some((kind, quote)) if !kind.contains(' ') => quote,
            _ => message,
        };
        self.add(quote, 1.0, tuning);
        let variable = |c: char| c.is_ascii_digit() || "\"'`<>{}[]%“”:".contains(c);
        for piece in quote.split(variable) {
            let piece = piece.trim_matches(is_margin);
            if piece.len() >= tuning.literal_piece_letters
                && piece.split_whitespace().count() >= tuning.literal_piece_words
            {
                self.add(piece, tuning.literal_piece, tuning);
            }
        }
    }

    fn add(&mut self, text: &str, worth: f32, tuning: &Tuning) {
        let text = join_spaces(text.trim_matches(is_margin));
        let known = self.texts.iter().any(|(known, _)| *known == text);
        if text.chars().count() >= tuning.literal_quoted_letters
            && !known
            && self.texts.len() < MOST_PHRASES
        {
            self.texts.push((text, worth));
        }
    }
}

/// Whether a word is the code of an error or a rule: some capitals and a number (`E501`, `TS2345`, `ORA-01555`).
pub fn is_error_code(word: &str) -> bool {
    let letters = word.bytes().take_while(u8::is_ascii_uppercase).count();
    let rest = &word[letters..];
    let number = rest.strip_prefix('-').unwrap_or(rest);
    (1..=MOST_CODE_LETTERS).contains(&letters)
        && CODE_DIGITS.contains(&number.len())
        && number.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a character around a text does not belong to it: marks of headings and lists, quotes, punctuation.
fn is_margin(c: char) -> bool {
    c.is_whitespace() || "#=*-_`\"'“”/<>.,:;?!()[]{}+|\\".contains(c)
}

/// The quoted texts that a query wants. Quotes in a report of several lines do not count. A name between backticks does
/// not count either: that is code, which its words find.
fn wanted_quotes(query: &str) -> impl Iterator<Item = &str> {
    let is_name = |text: &str| {
        text.chars()
            .all(|c| c.is_alphanumeric() || "_.:".contains(c))
    };
    let is_line = !query.contains('\n');
    let quoted = quoted_parts(query).filter(move |_| is_line);
    quoted.filter(move |text| {
        let is_ticked = query.contains(&format!("`{text}`"));
        !is_ticked || !is_name(text)
    })
}

/// The texts within double quotes or backticks.
fn quoted_parts(query: &str) -> impl Iterator<Item = &str> {
    let straight = query.split('"').skip(1).step_by(2);
    let ticked = query.split('`').skip(1).step_by(2);
    let curled = query
        .split('“')
        .skip(1)
        .filter_map(|rest| Some(rest.split_once('”')?.0));
    straight.chain(ticked).chain(curled)
}

/// The text in lower case, with runs of white space as one space.
fn join_spaces(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.extend(word.chars().flat_map(char::to_lowercase));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::Query;

    fn phrases(query: &str) -> Phrases {
        Phrases::parse(query, Query::new(query).class(), &Tuning::default())
    }

    fn score(phrases: &Phrases, text: &str) -> f32 {
        phrases
            .find_in(text, &Tuning::default())
            .map_or(0.0, |(score, _)| score)
    }

    #[test]
    fn headings_are_compared_whole() {
        let asked = phrases("adding a new lint rule");
        assert!(asked.is_heading("Adding a new  lint rule"));
        assert!(!asked.is_heading("Adding a new lint rule to a project"));
        assert!(
            !phrases("error handling").is_heading("Error handling"),
            "a topic"
        );
    }

    #[test]
    fn messages_are_found_in_source() {
        let asked = phrases("Error: OOM command not allowed when used memory > 'maxmemory'.");
        let source = "    shared.oomerr = createObject(\"-OOM command not allowed when used memory > 'maxmemory'.\\r\\n\");";
        assert!(score(&asked, source) > 0.8, "{asked:?}");
        assert_eq!(
            asked
                .find_in(&format!("one\n\n{source}\n"), &Tuning::default())
                .map(|f| f.1),
            Some(2)
        );
        let asked = phrases("TypeError: cannot find module 'left-pad' of user 42");
        assert!(
            score(&asked, "throw new Error(`Cannot find module ${name}`)") > 0.6,
            "{asked:?}"
        );
        assert_eq!(score(&asked, "cannot find the module"), 0.0);
    }

    #[test]
    fn quotes_say_that_the_letter_counts() {
        let asked = phrases("where does \"no such thing\" come from");
        assert!(asked.is_sure() && score(&asked, "// No such  thing") > 0.8);
        for text in ["where is the retry computed for users", "retry"] {
            assert_eq!(phrases(text).texts().count(), 0, "{text}");
        }
        assert!(!phrases("connection pool has been shut down").is_sure());
    }

    #[test]
    fn what_a_report_quotes_is_no_wish() {
        let names = phrases("why is `last` used in `trailing_var_arg`");
        assert_eq!(names.texts().count(), 0);
        assert!(phrases("where is `one two` parsed").is_sure());
        let report = "Distinguish arguments\n\nWhen \"last one\" and `x y` are used together";
        assert!(phrases(report).is_empty());
    }

    #[test]
    fn codes_of_errors_are_wanted_to_the_letter() {
        let asked = phrases("E501");
        assert!(asked.is_sure() && score(&asked, "extend-ignore = E203,E501") > 0.8);
        for text in ["parse2", "v2024", "E5", "HTTP", "ÄB12"] {
            assert!(!is_error_code(text), "{text}");
        }
        assert!(is_error_code("ORA-01555") && is_error_code("TS2345"));
    }

    #[test]
    fn hostile_queries_stay_small() {
        let many = phrases(&"\"abcd\" `efgh` “ijkl” error: cannot a b c 'x' ".repeat(500));
        assert!(many.texts.len() <= MOST_PHRASES);
        for text in ["\"", "`", "“", "error: cannot \"", ""] {
            phrases(text);
        }
    }
}
