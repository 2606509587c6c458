//! CODEOWNERS: the owners of a path. The last rule that matches wins.

use base::secret::{TextKind, mask_secrets};
use text::glob::wildcard;

/// The most owners of one rule: each is counted for all files of the rule.
const MOST_OWNERS: usize = 100;

/// The rules of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Owners {
    rules: Vec<Rule>,
    /// Number of owners that are ignored, since a rule has too many.
    pub left_out: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    /// Parts between slashes.
    parts: Vec<String>,
    /// Whether the pattern begins at the root.
    anchored: bool,
    /// Whether it names only the contents of a folder.
    folder: bool,
    owners: Vec<String>,
}

impl Owners {
    /// Paths at which the file may lie, in order of preference.
    pub const PLACES: [&'static str; 3] = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"];

    /// Parses the rules. Other lines (comments, sections) are passed over.
    pub fn parse(text: &str) -> Owners {
        let mut left_out = 0;
        let rules = text
            .lines()
            .filter_map(|line| parse_rule(line, &mut left_out));
        Owners {
            rules: rules.collect(),
            left_out,
        }
    }

    /// The owners of a path with `/`, from the root; empty if no rule matches, or the last one names nobody.
    pub fn owners_of(&self, path: &str) -> &[String] {
        self.owners_within_budget(path, &mut u64::MAX.clone())
            .unwrap_or(&[])
    }

    /// Owners of a path as [`Owners::owners_of`] gives them, within a budget of steps; `None` if it runs out. All rules may be
    /// matched for every path.
    pub fn owners_within_budget(&self, path: &str, steps: &mut u64) -> Option<&[String]> {
        let rule = self.rule_within(path, steps)?;
        Some(self.owners_by(rule))
    }

    /// The number of the rule that applies to a path, within a budget of steps. If no rule applies: the number after the last
    /// rule. `None` if the budget runs out.
    pub fn rule_within(&self, path: &str, steps: &mut u64) -> Option<usize> {
        let names: Vec<&str> = path.split('/').collect();
        for (number, rule) in self.rules.iter().enumerate().rev() {
            *steps = steps.checked_sub(rule.match_cost(names.len()))?;
            if rule.matches(&names) {
                return Some(number);
            }
        }
        Some(self.rules.len())
    }

    /// Owners that a rule names.
    pub fn owners_by(&self, rule: usize) -> &[String] {
        self.rules.get(rule).map_or(&[], |rule| &rule.owners)
    }
}

fn parse_rule(line: &str, left_out: &mut usize) -> Option<Rule> {
    let line = line.trim();
    if line.is_empty() || line.starts_with(['#', '[', '^', '!']) {
        return None;
    }
    let mut words = split_words(line).into_iter();
    let pattern = words.next()?;
    let mut all = words.take_while(|word| !word.starts_with('#'));
    let owners = all.by_ref().take(MOST_OWNERS);
    let owners = owners
        .map(|word| mask_secrets(word, TextKind::Other))
        .collect();
    *left_out += all.count();
    let folder = pattern.ends_with('/');
    let inner = pattern.trim_end_matches('/');
    let anchored = inner.contains('/');
    let parts = inner.trim_start_matches('/').split('/').map(str::to_owned);
    Some(Rule {
        parts: parts.collect(),
        anchored,
        folder,
        owners,
    })
}

/// Words of a line; a backslash keeps the space after it.
fn split_words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                if let (Some(last), Some(next)) = (words.last_mut(), chars.next()) {
                    last.push(next);
                }
            }
            c if c.is_whitespace() => words.push(String::new()),
            c => words.last_mut().into_iter().for_each(|w| w.push(c)),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

impl Rule {
    /// Cost of matching a path with this many names.
    fn match_cost(&self, names: usize) -> u64 {
        let of = |part: &String| {
            if part.contains('*') {
                2 + part.len() as u64 / 8
            } else {
                1
            }
        };
        let asked =
            if self.anchored && self.parts.len() > 1 && !self.parts.iter().any(|p| p == "**") {
                1
            } else {
                names as u64
            };
        asked * self.parts.iter().map(of).sum::<u64>()
    }

    /// Whether the rule matches the path or a folder around it.
    fn matches(&self, names: &[&str]) -> bool {
        if self.anchored {
            return self.matches_from_start(names);
        }
        // It has one part, which may match at any place.
        (0..names.len()).any(|at| self.matches_from_start(&names[at..]))
    }

    /// Whether the rule matches from the first name on. All ways to match are followed at once, so that it takes no more than
    /// the product of both lengths.
    fn matches_from_start(&self, names: &[&str]) -> bool {
        // A folder that matches is owned with all its contents; `folder/*` owns only files directly in it.
        let owns_within = self.parts.len() == 1 || self.parts.last().is_none_or(|last| last != "*");
        // The parts that each way of matching has reached, ascending.
        let mut ways = self.skip_double_stars(vec![0]);
        for name in names {
            if owns_within && ways.last() == Some(&self.parts.len()) {
                return true;
            }
            let mut next = Vec::with_capacity(ways.len());
            for way in ways {
                match self.parts.get(way).map(String::as_str) {
                    Some("**") => next.push(way),
                    Some(part) if matches_segment(part, name) => next.push(way + 1),
                    _ => {}
                }
            }
            if next.is_empty() {
                return false;
            }
            ways = self.skip_double_stars(next);
        }
        !self.folder && ways.last() == Some(&self.parts.len())
    }

    /// Adds the ways in which `**` matches nothing; in order, each once.
    fn skip_double_stars(&self, ways: Vec<usize>) -> Vec<usize> {
        let mut all: Vec<usize> = Vec::with_capacity(ways.len());
        for mut way in ways {
            while all.last().is_none_or(|last| *last < way) {
                all.push(way);
                if self.parts.get(way).is_none_or(|part| part != "**") {
                    break;
                }
                way += 1;
            }
        }
        all
    }
}

/// `*` and `?` within one name.
fn matches_segment(pattern: &str, name: &str) -> bool {
    if !pattern.contains(['*', '?']) {
        return pattern == name;
    }
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    wildcard(&pattern, &name, &'*', &'?')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rules: &str, path: &str, expected: &str) {
        assert_eq!(
            Owners::parse(rules).owners_of(path).join(" "),
            expected,
            "{path} in {rules:?}"
        );
    }

    #[test]
    fn the_last_rule_that_matches_wins() {
        let rules = "* @all\n*.js @js # web\n/build/logs/ @ops\ndocs/* docs@example.org\napps/ @apps\n/src/**/gen @gen\n/src/keep\n";
        for (path, expected) in [
            ("a.txt", "@all"),
            ("x/y/a.js", "@js"),
            ("build/logs/a.log", "@ops"),
            ("x/build/logs/a.log", "@all"),
            ("docs/a.md", "docs@example.org"),
            ("docs/deep/a.md", "@all"),
            ("x/apps/a/b.js", "@apps"),
            ("apps", "@all"),
            ("src/gen/a.rs", "@gen"),
            ("src/a/b/gen/c.rs", "@gen"),
            ("src/keep/a.js", ""),
        ] {
            check(rules, path, expected);
        }
    }

    #[test]
    fn spaces_sections_and_rubbish() {
        check("my\\ file.md @a @b", "my file.md", "@a @b");
        check("[Section]\n# c\n\n!x @n\nx @a", "x", "@a");
        check("", "x", "");
        check("?.rs @q", "src/a.rs", "@q");
        check("/**/*.rs @r", "a/b/c.rs", "@r");
        check("** @every", "a/b", "@every");
        check("/**/ @folders", "a/b", "@folders");
        check("/a/**/**/b/ @b", "a/b", "");
        check("/a/**/**/b/ @b", "a/b/c", "@b");
        check("/a/**/* @files", "a/b/c", "@files");
        check("/a/* @files", "a/b/c", "");
        let token = "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8";
        check(
            &format!("* @a {token}"),
            "a",
            &format!("@a {}", "*".repeat(token.len())),
        );
    }

    #[test]
    fn stars_take_no_time() {
        let stars = format!("/{}zz @me", "**/a/".repeat(2_000));
        check(&stars, &format!("{}m.py", "a/".repeat(2_000)), "");
        check(&format!("{}z @me", "*a".repeat(500)), &"a".repeat(500), "");
    }

    #[test]
    fn many_rules_are_paid_for() {
        let owners = Owners::parse(&"*a*b*c*d @me\n".repeat(200_000));
        let path = format!("{}/{}.rs", "d/".repeat(20), "abc".repeat(80));
        let mut steps = 1_000_000;
        let answered =
            (0..10_000).filter(|_| owners.owners_within_budget(&path, &mut steps).is_some());
        assert_eq!(answered.count(), 0);
        assert_eq!(owners.rules.len(), 200_000);
    }

    #[test]
    fn a_rule_has_so_many_owners() {
        let owners: Vec<String> = (0..250_000).map(|n| format!("@o{n}")).collect();
        let rules = Owners::parse(&format!("* {}\n/a @b @c", owners.join(" ")));
        assert_eq!(rules.left_out, 250_000 - MOST_OWNERS);
        for file in 0..100_000 {
            let rule = rules.rule_within(&format!("f{file}"), &mut 1_000);
            assert_eq!(rule, Some(0));
        }
        assert_eq!(rules.owners_by(0).len(), MOST_OWNERS);
        assert_eq!(rules.owners_by(2).len(), 0);
        assert_eq!(rules.owners_of("a"), ["@b", "@c"]);
    }
}
