//! Observations. A repository may have millions, so a text that several share is kept once, and each is a row of numbers.

use super::PatternKind;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::sync::Arc;

/// Most observations of one source: statements, names, structure, imports, order of calls.
const MOST_OF_SOURCE: usize = 1_500_000;

/// A choice that was made at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Observation<'a> {
    /// Subject of the choice.
    pub kind: PatternKind,
    /// Key of the choice, equal for all places with the same choice.
    pub key: &'a str,
    /// Value that was chosen.
    pub value: &'a str,
    /// The file.
    pub file: &'a str,
    /// The line, from 1.
    pub line: u32,
    /// Symbol at the place.
    pub symbol: &'a str,
}

/// Observations in the order in which they were made.
#[derive(Debug, Default)]
pub struct Observations {
    texts: Texts,
    rows: Vec<Row>,
    /// Number of rows at which the present source ends.
    end: usize,
    left_out: usize,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    kind: PatternKind,
    key: u32,
    value: u32,
    file: u32,
    line: u32,
    symbol: u32,
}

/// Texts by number.
#[derive(Debug, Default)]
struct Texts {
    numbers: FxHashMap<Arc<str>, u32>,
    texts: Vec<Arc<str>>,
}

impl Texts {
    fn intern(&mut self, text: &str) -> u32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = self.texts.len() as u32;
        let text: Arc<str> = text.into();
        self.texts.push(Arc::clone(&text));
        self.numbers.insert(text, number);
        number
    }

    fn get(&self, number: u32) -> &str {
        self.texts.get(number as usize).map_or("", |text| text)
    }
}

impl Observations {
    /// Begins a source of observations, which has a limit of its own.
    pub(super) fn begin_source(&mut self) {
        self.end = self.rows.len() + MOST_OF_SOURCE;
    }

    /// Number of observations that the present source may still add.
    pub(super) fn room(&self) -> usize {
        self.end.saturating_sub(self.rows.len())
    }

    /// Adds an observation. One beyond the limit is only counted.
    pub(super) fn push(&mut self, one: Observation<'_>) {
        if self.room() == 0 {
            self.left_out += 1;
            return;
        }
        let row = Row {
            kind: one.kind,
            key: self.texts.intern(one.key),
            value: self.texts.intern(one.value),
            file: self.texts.intern(one.file),
            line: one.line,
            symbol: self.texts.intern(one.symbol),
        };
        self.rows.push(row);
    }

    /// Counts observations that are not made because there are too many.
    pub(super) fn leave_out(&mut self, observations: usize) {
        self.left_out = self.left_out.saturating_add(observations);
    }

    /// Number of observations that were left out, because there are too many.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// Number of observations.
    pub(super) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The observation of that number.
    pub(super) fn get(&self, at: u32) -> Observation<'_> {
        let row = &self.rows[at as usize];
        Observation {
            kind: row.kind,
            key: self.texts.get(row.key),
            value: self.texts.get(row.value),
            file: self.texts.get(row.file),
            line: row.line,
            symbol: self.texts.get(row.symbol),
        }
    }

    /// The numbers of all observations, those of one choice together, in order of kind and key.
    pub(super) fn by_choice(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        order.sort_by(|a, b| {
            let (a, b) = (&self.rows[*a as usize], &self.rows[*b as usize]);
            let key = |row: &Row| self.texts.get(row.key);
            let keys = || {
                if a.key == b.key {
                    Ordering::Equal
                } else {
                    key(a).cmp(key(b))
                }
            };
            a.kind.cmp(&b.kind).then_with(keys)
        });
        order
    }

    /// Whether two observations are of one choice.
    pub(super) fn is_one_choice(&self, a: u32, b: u32) -> bool {
        let (a, b) = (&self.rows[a as usize], &self.rows[b as usize]);
        (a.kind, a.key) == (b.kind, b.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_beyond_the_limit_of_a_source_is_counted() {
        let mut all = Observations::default();
        let one = Observation {
            kind: PatternKind::Import,
            key: "k",
            value: "v",
            file: "f",
            line: 1,
            symbol: "",
        };
        all.begin_source();
        for _ in 0..MOST_OF_SOURCE + 3 {
            all.push(one);
        }
        assert_eq!((all.len(), all.left_out()), (MOST_OF_SOURCE, 3));
        assert_eq!(all.texts.texts.len(), 4, "each text once");
        all.begin_source();
        all.push(Observation { key: "l", ..one });
        assert_eq!(all.get(MOST_OF_SOURCE as u32).key, "l");
    }
}
