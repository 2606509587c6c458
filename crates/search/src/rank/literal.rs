//! What stands somewhere to the letter: quoted text, headings of documents, messages of errors.
//!
//! The words of a phrase find the chunks, and the phrase is compared with their text. So no index of positions is needed.

use super::query::QueryClass;

/// Chunks whose text is compared. A cap on work: a chunk that has the phrase has all of its words, and so a high score.
pub(super) const MOST_CHUNKS: usize = 24;
/// The same where the phrase may as well be a question.
pub(super) const FEW_CHUNKS: usize = 6;

/// Words of a heading that is asked for by all of it: shorter ones are topics.
const LEAST_HEADING: usize = 3;
/// Words of a text without quotes that may be copied from somewhere.
const LEAST_COPIED: usize = 4;
/// Words and letters of a piece of a message, between what changes from case to case.
const LEAST_PIECE: (usize, usize) = (3, 12);
/// Letters of a quoted text.
const LEAST_QUOTED: usize = 4;
/// Phrases of one query.
const MOST_PHRASES: usize = 8;

/// What a piece of a message is worth beside the whole of it.
const PIECE: f32 = 0.8;
/// What a phrase within a line is worth beside one that takes all of it.
const WITHIN: f32 = 0.9;

/// Words that begin a question: such a text is not copied from a program.
const ASKING: [&str; 14] = [
    "how", "where", "what", "which", "who", "why", "when", "does", "is", "are", "can", "find",
    "show", "explain",
];

/// What a query may want to the letter.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Phrases {
    /// Of headings; empty for none.
    heading: String,
    /// Of lines, each with what it is worth.
    texts: Vec<(String, f32)>,
    /// Whether the query says that it wants these: by quotes, or by looking like an error.
    is_sure: bool,
}

impl Phrases {
    /// The phrases of a query as it was written.
    pub(super) fn parse(query: &str, class: QueryClass) -> Phrases {
        let mut phrases = Phrases::default();
        for quoted in quoted_parts(query) {
            phrases.add(quoted, 1.0);
        }
        if class == QueryClass::Error {
            phrases.add_message(query);
        }
        phrases.is_sure = !phrases.texts.is_empty();
        if matches!(class, QueryClass::Symbol | QueryClass::Path) {
            return phrases;
        }
        let whole = squeeze(query.trim_matches(is_margin));
        let words = whole.split(' ').count();
        if words >= LEAST_HEADING && !query.contains('\n') {
            phrases.heading.clone_from(&whole);
        }
        let asks = |first: &str| ASKING.contains(&first);
        if words >= LEAST_COPIED && !whole.split(' ').next().is_some_and(asks) {
            phrases.add(&whole, 1.0);
        }
        phrases
    }

    /// Chunks whose text is worth reading.
    pub(super) fn chunks_to_read(&self) -> usize {
        match (self.texts.is_empty(), self.is_sure) {
            (true, _) => 0,
            (false, true) => MOST_CHUNKS,
            (false, false) => FEW_CHUNKS,
        }
    }

    pub(super) fn is_sure(&self) -> bool {
        self.is_sure
    }

    /// Whether there is nothing to compare.
    pub(super) fn is_empty(&self) -> bool {
        self.heading.is_empty() && self.texts.is_empty()
    }

    /// Whether a definition is called as the query says.
    pub(super) fn is_heading(&self, name: &str) -> bool {
        !self.heading.is_empty()
            && name.len() <= 2 * self.heading.len()
            && squeeze(name.trim_matches(is_margin)) == self.heading
    }

    /// How well a text has one of the phrases, 0–1.
    pub(super) fn score_text(&self, text: &str) -> f32 {
        let mut best = 0f32;
        for line in text.lines() {
            let line = squeeze(line);
            let bare = line.trim_matches(is_margin);
            for (phrase, worth) in &self.texts {
                if bare == phrase {
                    best = best.max(*worth);
                } else if line.contains(phrase.as_str()) {
                    best = best.max(worth * WITHIN);
                }
            }
        }
        best
    }

    /// A message as a whole, and its pieces between numbers and quotes, which change from case to case.
    fn add_message(&mut self, query: &str) {
        let message = query.lines().map(str::trim).find(|line| !line.is_empty());
        let Some(message) = message else { return };
        // `TypeError: cannot read`: what stands before is the kind.
        let said = match message.split_once(": ") {
            Some((kind, said)) if !kind.contains(' ') => said,
            _ => message,
        };
        self.add(said, 1.0);
        let variable = |c: char| c.is_ascii_digit() || "\"'`<>{}[]%“”:".contains(c);
        for piece in said.split(variable) {
            let (words, letters) = LEAST_PIECE;
            let piece = piece.trim_matches(is_margin);
            if piece.len() >= letters && piece.split_whitespace().count() >= words {
                self.add(piece, PIECE);
            }
        }
    }

    fn add(&mut self, text: &str, worth: f32) {
        let text = squeeze(text.trim_matches(is_margin));
        let known = self.texts.iter().any(|(known, _)| *known == text);
        if text.chars().count() >= LEAST_QUOTED && !known && self.texts.len() < MOST_PHRASES {
            self.texts.push((text, worth));
        }
    }
}

/// What stands around a text and does not belong to it: marks of headings and lists, quotes, signs at the end.
fn is_margin(c: char) -> bool {
    c.is_whitespace() || "#=*-_`\"'“”/<>.,:;?!()[]{}+|\\".contains(c)
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

/// In lower case, with one space for any number of them.
fn squeeze(text: &str) -> String {
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
        Phrases::parse(query, Query::new(query).class())
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
        assert!(asked.score_text(source) > 0.8, "{asked:?}");
        let asked = phrases("TypeError: cannot find module 'left-pad' of user 42");
        assert!(
            asked.score_text("throw new Error(`Cannot find module ${name}`)") > 0.6,
            "{asked:?}"
        );
        assert_eq!(asked.score_text("cannot find the module"), 0.0);
    }

    #[test]
    fn quotes_say_that_the_letter_counts() {
        let asked = phrases("where does \"no such thing\" come from");
        assert!(asked.is_sure() && asked.score_text("// No such  thing") > 0.8);
        assert_eq!(
            phrases("where is the retry computed for users").chunks_to_read(),
            0
        );
        assert_eq!(phrases("retry").chunks_to_read(), 0);
        assert!(!phrases("connection pool has been shut down").is_sure());
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
