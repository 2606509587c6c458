//! Categories of tags, and tags suggested by a text.

use crate::record::Category;
use crate::words;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;
use std::sync::OnceLock;
use text::list::{self, WordList};

/// Names of languages, frameworks and tools: the tag, then other names used in texts.
const WORDS: &str = include_str!("words/tags.txt");

/// Parts of codes that are about a failure.
static FAILURES: WordList =
    LazyLock::new(|| list::words(list::section(WORDS, "failures")).collect());

/// Names of tools that are also everyday words.
static EVERYDAY: WordList =
    LazyLock::new(|| list::words(list::section(WORDS, "everyday")).collect());

/// Phrases that mean such tools, with their tags.
static WRITTEN: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| list::pairs(list::section(WORDS, "written")).collect());

const TECH: &str = include_str!("tech.txt");
/// Kinds of problems: the tag, then phrases that indicate it.
const PROBLEMS: &str = include_str!("problems.txt");
/// The most tags of one kind that are suggested for a text.
const MOST: usize = 5;

struct TagVocabulary {
    /// Tags by other names.
    tech: HashMap<&'static str, &'static str>,
    problems: Vec<(&'static str, Vec<&'static str>)>,
}

fn tag_vocabulary() -> &'static TagVocabulary {
    static KNOWN: OnceLock<TagVocabulary> = OnceLock::new();
    KNOWN.get_or_init(|| {
        let mut tech = HashMap::new();
        for line in list::entries(TECH) {
            let mut names = line.split(',').map(str::trim).filter(|n| !n.is_empty());
            if let Some(tag) = names.next() {
                tech.insert(tag, tag);
                names.for_each(|name| {
                    tech.insert(name, tag);
                });
            }
        }
        let problem = |line: &'static str| {
            let (tag, phrases) = line.split_once(':')?;
            let phrases = phrases.split(',').map(str::trim).filter(|p| !p.is_empty());
            Some((tag.trim(), phrases.collect()))
        };
        TagVocabulary {
            tech,
            problems: list::entries(PROBLEMS).filter_map(problem).collect(),
        }
    })
}

/// The category of a tag, by its name alone. An unknown name is most often that of a tool.
pub(crate) fn categorize_tag(tag: &str) -> Category {
    let lower = tag.trim().to_lowercase();
    let known = tag_vocabulary();
    if known.tech.contains_key(lower.as_str()) {
        return Category::TechStack;
    }
    let codes = words::find_error_codes(tag);
    if codes.iter().any(|code| code.len() * 2 > tag.trim().len()) {
        return Category::ErrorCode;
    }
    let spaced = lower.replace(['-', '_'], " ");
    let is_problem = |(name, phrases): &(&str, Vec<&str>)| {
        *name == lower
            || phrases.iter().any(|phrase| {
                let phrase = phrase.trim_matches('*');
                spaced.contains(phrase) && phrase.chars().count() * 2 >= spaced.chars().count()
            })
    };
    if known.problems.iter().any(is_problem) {
        return Category::ProblemType;
    }
    let number = lower.len() >= 3 && lower.bytes().all(|b| b.is_ascii_digit());
    if number {
        return Category::ErrorCode;
    }
    Category::TechStack
}

/// Suggested tags for a text without tags, the most significant first within each kind.
pub(crate) fn suggest_tags(
    title: &str,
    problem: &str,
    errors: &[String],
) -> Vec<(String, Category)> {
    let errors = errors.join("\n");
    let text = format!("{title}\n{problem}\n{errors}");
    let mut found: Vec<(String, Category)> = Vec::new();
    let tech = find_technologies(&text).into_iter().take(MOST);
    found.extend(tech.map(|t| (t.to_owned(), Category::TechStack)));
    let problems = find_problem_types(&text).into_iter().take(3);
    found.extend(problems.map(|t| (t.to_owned(), Category::ProblemType)));
    let codes = words::find_error_codes(&text)
        .into_iter()
        .filter(|c| is_failure_code(c));
    found.extend(codes.take(MOST).map(|c| (c, Category::ErrorCode)));
    let mut seen = HashSet::new();
    found.retain(|(name, _)| seen.insert(name.to_lowercase()));
    found
}

/// Whether a code is about a failure: it has no underscore, or contains a word for failure. Names of settings look like
/// codes, too.
fn is_failure_code(code: &str) -> bool {
    if !code.contains('_') {
        return true;
    }
    FAILURES.iter().any(|word| code.contains(word))
}

fn find_technologies(text: &str) -> Vec<&'static str> {
    let known = tag_vocabulary();
    let lower = text.to_lowercase();
    let splits = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '#' | '-'));
    let mut words: Vec<&str> = lower
        .split(splits)
        .map(|w| w.trim_matches(['.', '-']))
        .collect();
    words.retain(|w| !w.is_empty());
    let pairs: Vec<String> = words.windows(2).map(|w| w.join(" ")).collect();
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let all = words
        .iter()
        .copied()
        .chain(pairs.iter().map(String::as_str));
    for word in all {
        // An everyday word counts as a tool's name only if the text also names the tool in another way.
        if let Some(tag) = known.tech.get(word).copied()
            && !EVERYDAY.contains(&word)
            && seen.insert(tag)
        {
            found.push(tag);
        }
    }
    for (word, tag) in WRITTEN.iter().copied() {
        if text.contains(word) && seen.insert(tag) {
            found.push(tag);
        }
    }
    found
}

fn find_problem_types(text: &str) -> Vec<&'static str> {
    let lower = text.to_lowercase();
    let hits = |phrases: &[&str]| phrases.iter().filter(|p| lower.contains(**p)).count();
    let mut found: Vec<(usize, &str)> = tag_vocabulary()
        .problems
        .iter()
        .map(|(tag, phrases)| (hits(phrases), *tag))
        .filter(|(hits, _)| *hits > 0)
        .collect();
    found.sort_by_key(|(hits, _)| std::cmp::Reverse(*hits));
    found.into_iter().map(|(_, tag)| tag).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_they_speak_of() {
        for (tag, want) in [
            ("python", Category::TechStack),
            ("PostgreSQL", Category::TechStack),
            ("my-own-library", Category::TechStack),
            ("timeout", Category::ProblemType),
            ("memory-leak", Category::ProblemType),
            ("内存泄漏", Category::ProblemType),
            ("ECONNREFUSED", Category::ErrorCode),
            ("E0382", Category::ErrorCode),
            ("NullPointerException", Category::ErrorCode),
            ("404", Category::ErrorCode),
        ] {
            assert_eq!(categorize_tag(tag), want, "{tag}");
        }
    }

    #[test]
    fn texts_give_their_tags() {
        let errors = ["connect ECONNREFUSED 127.0.0.1:6379".to_owned()];
        let found = suggest_tags(
            "Redis 连接被拒绝",
            "Node.js app in Docker cannot connect, timeout after 5 s",
            &errors,
        );
        let names = |category: Category| -> Vec<&str> {
            found
                .iter()
                .filter(|(_, c)| *c == category)
                .map(|(n, _)| n.as_str())
                .collect()
        };
        assert_eq!(names(Category::TechStack), ["redis", "node.js", "docker"]);
        assert!(names(Category::ProblemType).contains(&"network"));
        assert!(names(Category::ProblemType).contains(&"timeout"));
        assert_eq!(names(Category::ErrorCode), ["ECONNREFUSED"]);
        assert!(suggest_tags("it does not work", "nothing happens", &[]).is_empty());
    }
}
