//! Rules from git: `.gitattributes` with the attributes of GitHub Linguist, and submodules.
//!
//! Only the files at the root are read, which is where they usually are.

use super::rules::{FileRoleRules, Rule, RuleKind};
use crate::project::Project;
use analysis::{Glob, LONGEST_PATTERN};

/// The most bytes of such a file.
const LARGEST: u64 = 1 << 20;

/// Attributes of GitHub Linguist, with the role of a file that has one.
const ATTRIBUTES: [(&str, &str); 3] = [
    ("linguist-vendored", "vendor"),
    ("linguist-generated", "generated"),
    ("linguist-documentation", "docs"),
];

/// Adds the rules of `.gitattributes` and `.gitmodules`. A file that cannot be read is ignored.
pub(super) fn add_git_rules(rules: &mut FileRoleRules, project: &Project) {
    if let Ok(text) = project.read_text(".gitattributes", LARGEST) {
        // In git the last line that matches a file counts, here the first rule.
        let mut found: Vec<Rule> = attribute_rules(&text);
        found.reverse();
        rules.rules.append(&mut found);
    }
    if let Ok(text) = project.read_text(".gitmodules", LARGEST) {
        rules.rules.extend(submodule_rules(&text));
    }
}

fn attribute_rules(text: &str) -> Vec<Rule> {
    let mut rules = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let mut words = line.split_whitespace();
        let Some(pattern) = words.next().filter(|first| !first.starts_with('#')) else {
            continue;
        };
        if pattern.len() > LONGEST_PATTERN || pattern.starts_with('"') {
            continue;
        }
        for kind in words.filter_map(kind_of_attribute) {
            rules.push(Rule {
                glob: Glob::new(&to_glob(pattern)),
                pattern: pattern.to_owned(),
                kind,
                place: format!(".gitattributes:{number}"),
                reason: None,
            });
        }
    }
    rules
}

/// The effect of an attribute: `linguist-vendored`, `linguist-vendored=true`, `-linguist-vendored`, `linguist-vendored=false`.
fn kind_of_attribute(word: &str) -> Option<RuleKind> {
    let (name, is_set) = match (word.strip_prefix('-'), word.split_once('=')) {
        (Some(name), _) => (name, false),
        (None, Some((name, value))) => (name, value != "false"),
        (None, None) => (word, true),
    };
    let (_, kind) = ATTRIBUTES.iter().find(|(known, _)| *known == name)?;
    Some(if is_set {
        RuleKind::Is(kind)
    } else {
        RuleKind::IsNot(kind)
    })
}

/// A pattern without a slash matches files of that name anywhere; one with a slash begins at the root.
fn to_glob(pattern: &str) -> String {
    match pattern.strip_prefix('/') {
        Some(rest) => rest.to_owned(),
        None if pattern.contains('/') => pattern.to_owned(),
        None => format!("**/{pattern}"),
    }
}

/// Files in a submodule belong to another project.
fn submodule_rules(text: &str) -> Vec<Rule> {
    let mut rules = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let Some(("path", path)) = line
            .split_once('=')
            .map(|(key, value)| (key.trim(), value.trim().trim_matches('"')))
        else {
            continue;
        };
        let path = path.trim_end_matches('/');
        let inside = path.trim_start_matches("./");
        // A submodule cannot be the project itself.
        if matches!(inside, "" | ".") || path.len() > LONGEST_PATTERN {
            continue;
        }
        rules.push(Rule {
            glob: Glob::new(&format!("{inside}/**")),
            pattern: path.to_owned(),
            kind: RuleKind::Is("vendor"),
            place: format!(".gitmodules:{number}"),
            reason: Some("a submodule".to_owned()),
        });
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(text: &str) -> FileRoleRules {
        let mut rules = attribute_rules(text);
        rules.reverse();
        FileRoleRules { rules }
    }

    #[test]
    fn the_last_line_about_a_file_counts() {
        let rules = rules(
            "# linguist-vendored\n*.pb.ts linguist-generated\nlib/** linguist-vendored -text\n\
             lib/ours.ts -linguist-vendored\n/gen/*.go linguist-generated=true\ndocs/** linguist-documentation=false\n",
        );
        let of = |path: &str| rules.classify_file(path, None).kind;
        assert_eq!(of("deep/a.pb.ts"), "generated");
        assert_eq!(of("lib/a.ts"), "vendor");
        assert_eq!(of("lib/deep/a.ts"), "vendor");
        assert_eq!(of("lib/ours.ts"), "user");
        assert_eq!(of("gen/a.go"), "generated");
        assert_eq!(of("deep/gen/a.go"), "user");
        assert_eq!(of("src/a.ts"), "user");
        let why = rules.classify_file("lib/a.ts", None).reason;
        assert_eq!(why, "rule lib/** at .gitattributes:3");
    }

    #[test]
    fn what_a_habit_takes_for_vendored_may_be_said_to_be_own() {
        let rules = rules("third_party/ours/** -linguist-vendored\ntests/** -linguist-vendored\n");
        let of = |path: &str| rules.classify_file(path, None).kind;
        assert_eq!(of("third_party/ours/a.py"), "user");
        assert_eq!(of("third_party/theirs/a.py"), "vendor");
        assert_eq!(of("tests/test_a.py"), "test", "it says nothing of tests");
    }

    #[test]
    fn submodules_are_others() {
        let text = "[submodule \"x\"]\n\tpath = deps/x\n\turl = ../x\n";
        let rules = FileRoleRules {
            rules: submodule_rules(text),
        };
        let found = rules.classify_file("deps/x/src/a.rs", None);
        assert_eq!(found.kind, "vendor");
        assert_eq!(found.reason, "rule deps/x at .gitmodules:2: a submodule");
        for itself in [".", "./", "/", "././"] {
            let text = format!("[submodule \"x\"]\n\tpath = {itself}\n");
            assert!(submodule_rules(&text).is_empty(), "{itself}");
        }
    }
}
