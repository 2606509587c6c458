//! Questions about a project as a whole. Documents that introduce the project answer them, not chunks with their words.

use super::Tuning;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The role of a word in a question about the whole project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OverviewWord {
    /// The word names the whole.
    Whole,
    /// The word names the whole as a place where somebody may begin: `here`.
    Place,
    /// The word only accompanies one of these.
    Asking,
    /// The word asks where to begin. Without a place it means something else: `start`.
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
/// Names of files, without their ending, that describe a project if they are in a folder of documentation.
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
    let kinds: Option<Vec<OverviewWord>> = words
        .iter()
        .map(|word| WORDS.get(word.as_str()).copied())
        .collect();
    let Some(kinds) = kinds else {
        return false;
    };
    let names = |what| kinds.contains(&what);
    // A single such word may also be what the code does: `where is the repository read`.
    let begins = kinds.iter().filter(|w| **w == OverviewWord::Begin).count();
    names(OverviewWord::Place) || names(OverviewWord::Whole) && begins != 1
}

/// How well a file introduces the project, 0–1. The order: a document that the query names, a README at the top, a description of
/// the architecture, the beginning of the documentation, READMEs of folders.
pub(crate) fn introduction_score(path: &str, words: &[String], tuning: &Tuning) -> f32 {
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
    let is_near = depth <= tuning.overview_deepest;
    match stem {
        _ if asked && is_near => tuning.overview_named,
        "readme" if depth == 0 => tuning.overview_readme,
        _ if DESCRIPTIONS.contains(&stem) && is_near => tuning.overview_description,
        _ if in_docs && is_near && DOCUMENTATION.contains(&stem) => tuning.overview_documentation,
        "contributing" if depth == 0 => tuning.overview_contributing,
        "readme" if depth <= tuning.overview_folder_deepest => {
            tuning.overview_folder - tuning.overview_folder_depth * depth as f32
        }
        _ => 0.0,
    }
}

/// Whether a question about the whole asks for the section with this heading: `Architecture`, `Project layout`.
pub(crate) fn is_asked_heading(heading: &str, words: &[String], tuning: &Tuning) -> bool {
    let lower = heading.to_lowercase();
    let heading_words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let asked = |word: &&str| {
        WORDS.get(word) == Some(&OverviewWord::Whole) && words.iter().any(|w| w == *word)
    };
    heading_words.len() <= tuning.overview_heading_words && heading_words.iter().any(asked)
}

/// The line, from 0, where the first descriptive paragraph of a document begins. A logo, badge, list of links, table or code
/// describes nothing.
pub(crate) fn first_prose_line(text: &str, tuning: &Tuning) -> Option<usize> {
    let mut paragraph: Option<(usize, usize)> = None;
    let mut in_code = false;
    let mut tag_is_open = false;
    for (at, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.starts_with("```") || line.starts_with("~~~") {
            in_code = !in_code;
        }
        let words = if in_code || tag_is_open || is_markup(line) {
            0
        } else {
            prose_words(line)
        };
        tag_is_open = is_tag_open(line, tag_is_open);
        paragraph = match (words, paragraph) {
            (0, _) => None,
            (words, Some((from, before))) => Some((from, before + words)),
            (words, None) => Some((at, words)),
        };
        if let Some((from, words)) = paragraph
            && words >= tuning.overview_prose_words
        {
            return Some(from);
        }
    }
    None
}

/// Whether an HTML tag that began in this line or before continues in the next.
fn is_tag_open(line: &str, before: bool) -> bool {
    match (line.rfind('<'), line.rfind('>')) {
        (Some(open), Some(close)) => open > close && line[open + 1..].starts_with(is_tag_sign),
        (Some(open), None) => line[open + 1..].starts_with(is_tag_sign),
        (None, Some(_)) => false,
        (None, None) => before,
    }
}

fn is_tag_sign(c: char) -> bool {
    c.is_ascii_alphabetic() || matches!(c, '/' | '!')
}

/// Whether a line is a heading, a picture, an entry of a list or a table, or a directive.
fn is_markup(line: &str) -> bool {
    line.starts_with([
        '#', '|', '<', '!', '-', '*', '+', '=', '~', ':', '.', '`', '>',
    ]) && !line.starts_with("**")
        || line.starts_with("[!")
}

/// The number of words of a line outside of tags, link targets and pictures.
fn prose_words(line: &str) -> usize {
    let (mut depth, mut outside) = (0usize, String::new());
    for c in line.chars() {
        match c {
            '<' | '(' => depth += 1,
            '>' | ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => outside.push(c),
            _ => {}
        }
    }
    let is_word = |word: &&str| word.len() < 24 && word.chars().any(char::is_alphabetic);
    outside.split_whitespace().filter(is_word).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_asked_for_by_the_word_of_the_whole() {
        let asked = |heading: &str, words: &[&str]| {
            let words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
            is_asked_heading(heading, &words, &Tuning::default())
        };
        assert!(asked("Architecture", &["explain", "architecture"]));
        assert!(asked("Project Layout", &["project", "do"]));
        assert!(!asked("Who uses this project in the wild", &["project"]));
        assert!(!asked("Explain", &["explain", "architecture"]));
    }

    #[test]
    fn banners_are_not_what_describes() {
        let text = "# Thing\n\n<p align=\"center\">\n<img src=\"a.png\"\n  alt=\"a logo of the thing that is shown \
            at the top of every page\">\n</p>\n\n[![Build](x)](y) [![Crate](x)](y)\n\n**Fast and small.**\n\n- [Install](#a)\n- [Use](#b)\n\n\
            Thing reads whole repositories\nand answers questions about them, in any language that it knows.\n";
        let line = first_prose_line(text, &Tuning::default()).unwrap();
        assert!(text.lines().nth(line).unwrap().starts_with("Thing reads"));
        let links = "# Thing\n\n[a](b) | [c](d)\n";
        assert_eq!(first_prose_line(links, &Tuning::default()), None);
        let code = "```\none two three four five six seven eight nine ten eleven twelve\n```\n";
        assert_eq!(first_prose_line(code, &Tuning::default()), None);
    }

    #[test]
    fn what_introduces_a_project_comes_in_order() {
        let tuning = Tuning::default();
        let score = |path: &str| introduction_score(path, &["project".to_owned()], &tuning);
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
        let first = introduction_score("docs/architecture.rst", &asked, &tuning);
        assert!(first > introduction_score("README.md", &asked, &tuning));
    }
}
