//! The definitions of a chunk, and the bonus that they give it over other chunks of its file: a question in words
//! looks for code that does something.

use super::Tuning;
use super::focus::{is_type_kind, is_value_kind};

/// Definitions of a chunk by their kinds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct DefinitionCounts {
    values: usize,
    types: usize,
    constructors: usize,
    others: usize,
    /// The number of lines of the chunk.
    pub(crate) lines: u32,
    /// The number of lines of the longest definition that does something.
    longest: u32,
    /// Whether the chunk is in a module of tests.
    pub(crate) tests: bool,
    /// Whether the chunk is inside a definition that began before it.
    pub(crate) inside: bool,
    /// The best score of a name that has one word of the query, 0–1.
    pub(crate) one_word_score: f32,
}

impl DefinitionCounts {
    /// Counts a definition.
    pub(crate) fn add(&mut self, kind: &str, name: &str, lines: u32) {
        let count = match kind {
            _ if is_value_kind(kind) => &mut self.values,
            _ if is_type_kind(kind) => &mut self.types,
            "constructor" => &mut self.constructors,
            _ if ["new", "__init__", "constructor"].contains(&name) => &mut self.constructors,
            _ => {
                self.longest = self.longest.max(lines);
                &mut self.others
            }
        };
        *count += 1;
    }

    /// The chunk's bonus over other chunks of its file. `making` if the query asks how something is made.
    pub(crate) fn order_bonus(&self, tuning: &Tuning, making: bool) -> f32 {
        // The longest definition counts: five short accessors in a row are no longer than one.
        let lines = if self.longest > 0 {
            self.longest
        } else {
            self.lines
        };
        let most = tuning.order_most_lines;
        let length = ((lines as f32).clamp(1.0, most) / tuning.order_usual_lines).ln();
        let mut worth = tuning.order_length * length + tuning.order_word * self.one_word_score;
        if self.tests {
            worth -= tuning.order_test;
        }
        worth - self.kind_penalty(tuning, making)
    }

    fn kind_penalty(&self, tuning: &Tuning, making: bool) -> f32 {
        match (self.values, self.types, self.constructors, self.others) {
            // The middle of a long function has no definitions, and loses nothing for that.
            (0, 0, 0, 0) if self.inside => 0.0,
            (_, 0, 0, 0) => tuning.order_bare,
            (_, _, 0, 0) => tuning.order_type,
            (_, _, _, 0) if !making => tuning.order_constructor,
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worth(definitions: &[(&str, &str)], change: impl Fn(&mut DefinitionCounts)) -> f32 {
        let mut contents = DefinitionCounts {
            lines: 30,
            ..DefinitionCounts::default()
        };
        definitions.iter().for_each(|(k, n)| contents.add(k, n, 30));
        change(&mut contents);
        contents.order_bonus(&Tuning::default(), false)
    }

    #[test]
    fn what_does_something_stands_before_what_declares() {
        let function = worth(&[("function", "run"), ("constant", "MOST")], |_| ());
        for declared in [
            &[("struct", "Config"), ("field", "port")][..],
            &[("constant", "PORT")],
            &[("constructor", "Config"), ("field", "port")],
            &[("method", "__init__")],
            &[],
        ] {
            assert!(function > worth(declared, |_| ()), "{declared:?}");
        }
        assert_eq!(function, worth(&[], |c| c.inside = true));
    }

    #[test]
    fn constructors_stay_where_making_is_asked_for() {
        let mut contents = DefinitionCounts::default();
        contents.add("constructor", "Config", 10);
        let tuning = Tuning::default();
        assert!(contents.order_bonus(&tuning, true) > contents.order_bonus(&tuning, false));
    }

    #[test]
    fn short_ones_tests_and_names_without_the_words_stand_behind() {
        let method = [("method", "port")];
        let usual = worth(&method, |_| ());
        assert!(usual > worth(&method, |c| c.longest = 3));
        assert_eq!(
            worth(&method, |c| c.longest = 60),
            worth(&method, |c| c.longest = 80)
        );
        assert!(usual > worth(&method, |c| c.tests = true));
        assert!(usual < worth(&method, |c| c.one_word_score = 0.5));
        assert_eq!(usual, worth(&[method[0]; 4], |_| ()));
        assert!(worth(&[], |_| ()) > worth(&[], |c| c.lines = 3));
    }
}
