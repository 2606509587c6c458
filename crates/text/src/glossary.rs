//! Technical terms in Chinese, Japanese and Korean with their English translation. Code search and solved problems read
//! the same file, each its own column; the header of the file says why there are two.

use crate::list;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Rows of a term and its English, for code search and for solved problems.
const ROWS: &str = include_str!("../data/glossary.tsv");

static CODE: LazyLock<Glossary> = LazyLock::new(|| Glossary::new(rows().map(|row| (row.0, row.1))));

static PROBLEMS: LazyLock<Glossary> =
    LazyLock::new(|| Glossary::new(rows().map(|row| (row.0, row.2))));

/// Terms with their English.
#[derive(Debug)]
pub struct Glossary {
    english: FxHashMap<&'static str, &'static str>,
    /// Characters of the longest term.
    longest: usize,
}

impl Glossary {
    /// English as used in names in code: all synonyms, separated by spaces.
    pub fn of_code() -> &'static Glossary {
        &CODE
    }

    /// English as used in sentences about a problem; empty for a term that is dropped.
    pub fn of_problems() -> &'static Glossary {
        &PROBLEMS
    }

    fn new(rows: impl Iterator<Item = (&'static str, Option<&'static str>)>) -> Glossary {
        let english: FxHashMap<&str, &str> = rows
            .filter_map(|(term, english)| Some((term, english?)))
            .collect();
        let longest = english.keys().map(|term| term.chars().count()).max();
        Glossary {
            english,
            longest: longest.unwrap_or(0),
        }
    }

    /// The longest term with which the text begins: its bytes and its English.
    pub fn longest_term(&self, text: &str) -> Option<(usize, &'static str)> {
        let ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
        let ends: Vec<usize> = ends.take(self.longest).collect();
        let english = |end: &usize| Some((*end, *self.english.get(&text[..*end])?));
        ends.iter().rev().find_map(english)
    }
}

type Row = (&'static str, Option<&'static str>, Option<&'static str>);

fn rows() -> impl Iterator<Item = Row> {
    list::entries(ROWS).filter_map(|line| {
        let mut columns = line.split('\t');
        let (term, code, problems) = (columns.next()?, columns.next()?, columns.next()?);
        let code = (code != "-").then_some(code);
        let problems = match problems {
            "-" => None,
            "=" => code,
            "_" => Some(""),
            english => Some(english),
        };
        Some((term, code, problems))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cjk::{is_cjk_or_mark, is_han_or_kana};

    #[test]
    fn each_reader_has_its_column() {
        let code = Glossary::of_code();
        let problems = Glossary::of_problems();
        assert_eq!(code.longest_term("重试"), Some((6, "retry")));
        assert_eq!(problems.longest_term("重试"), Some((6, "retry")));
        assert_eq!(
            code.longest_term("限流在哪"),
            Some((6, "rate limit throttle"))
        );
        assert_eq!(problems.longest_term("限流在哪"), Some((6, "rate limit")));
        assert_eq!(problems.longest_term("的"), Some((3, "")));
        assert_eq!(code.longest_term("的"), None);
        assert_eq!(code.longest_term(""), None);
    }

    #[test]
    fn every_row_has_three_columns_and_a_term_of_its_own() {
        let mut seen = std::collections::HashSet::new();
        for line in list::entries(ROWS) {
            let columns: Vec<&str> = line.split('\t').collect();
            let [term, code, problems] = columns[..] else {
                panic!("{line}")
            };
            assert!(term.chars().all(is_cjk_or_mark), "{line}");
            assert!(code == "-" || term.contains(is_han_or_kana), "{line}");
            let all = [code, problems].into_iter().flat_map(|c| c.split(' '));
            assert!(all.clone().all(|w| !w.is_empty() && w.is_ascii()), "{line}");
            assert!(code != "-" || !["-", "="].contains(&problems), "{line}");
            assert!(code != problems, "{line}: write `=`");
            assert!(seen.insert(term), "{term} stands twice");
        }
        assert_eq!(rows().count(), seen.len());
        assert!(rows().filter(|row| row.1.is_some()).count() > 1_200);
        assert!(rows().filter(|row| row.2.is_some()).count() > 1_600);
    }
}
