//! Questions about a project as a whole: what introduces the project answers them, not what has their words.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// What a word says in a question about the whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OverviewWord {
    /// It names the whole.
    Whole,
    /// The same, as a place where somebody may begin: `here`.
    Place,
    /// It only goes with one of these.
    Asking,
    /// It asks where to begin, and means something else without a place: `start`.
    Begin,
}

static WORDS: LazyLock<FxHashMap<&str, OverviewWord>> = LazyLock::new(|| {
    let rows = text::list::pairs(include_str!("overview.tsv"));
    rows.map(|(word, what)| {
        let what = match what {
            "whole" => OverviewWord::Whole,
            "place" => OverviewWord::Place,
            "begin" => OverviewWord::Begin,
            _ => OverviewWord::Asking,
        };
        (word, what)
    })
    .collect()
});

/// Names of files, without their ending, that describe a project wherever they stand.
const DESCRIPTIONS: [&str; 4] = ["architecture", "overview", "design", "introduction"];
/// The same in folders of documentation.
const DOCUMENTATION: [&str; 6] = [
    "index",
    "readme",
    "intro",
    "getting-started",
    "getting_started",
    "quickstart",
];

/// Whether a query asks about the project as a whole.
pub(crate) fn is_overview_question(words: &[String]) -> bool {
    let said: Option<Vec<OverviewWord>> = words
        .iter()
        .map(|word| WORDS.get(word.as_str()).copied())
        .collect();
    let Some(said) = said else {
        return false;
    };
    let names = |what| said.contains(&what);
    // One such word may as well be what the code does: `where is the repository read`.
    let begins = said.iter().filter(|w| **w == OverviewWord::Begin).count();
    names(OverviewWord::Place) || names(OverviewWord::Whole) && begins != 1
}

/// How well a file introduces the project, 0–1: a README at the top, then what describes the architecture, then the
/// beginning of the documentation, then the READMEs of folders.
pub(crate) fn introduction_score(path: &str, words: &[String]) -> f32 {
    let lower = path.to_lowercase();
    let (folder, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let depth = path.bytes().filter(|byte| *byte == b'/').count();
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, "txt"));
    if !matches!(ending, "md" | "mdx" | "markdown" | "rst" | "txt" | "adoc") {
        return 0.0;
    }
    let asked = words.iter().any(|word| word == stem);
    let in_docs = folder
        .split('/')
        .next()
        .is_some_and(|top| matches!(top, "doc" | "docs" | "documentation" | "site" | "website"));
    match stem {
        _ if asked && depth <= 2 => 1.0,
        "readme" if depth == 0 => 0.95,
        _ if DESCRIPTIONS.contains(&stem) && depth <= 2 => 0.85,
        _ if in_docs && depth <= 2 && DOCUMENTATION.contains(&stem) => 0.7,
        "contributing" if depth == 0 => 0.6,
        "readme" if depth <= 3 => 0.5 - 0.1 * depth as f32,
        _ => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_introduces_a_project_comes_in_order() {
        let score = |path: &str| introduction_score(path, &["project".to_owned()]);
        let order = [
            "README.md",
            "docs/architecture.rst",
            "docs/index.md",
            "CONTRIBUTING.md",
            "crates/a/README.md",
            "src/readme.rs",
        ];
        let scores: Vec<f32> = order.iter().map(|path| score(path)).collect();
        assert!(scores.is_sorted_by(|a, b| a > b), "{scores:?}");
        let asked = ["explain".to_owned(), "architecture".to_owned()];
        let first = introduction_score("docs/architecture.rst", &asked);
        assert!(first > introduction_score("README.md", &asked));
    }
}
