//! CODEOWNERS: who owns a path. The last rule that matches wins.

/// The rules of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Owners {
    rules: Vec<Rule>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    /// Parts between slashes.
    parts: Vec<String>,
    /// Whether it holds from the root.
    anchored: bool,
    /// Whether it names what is in a folder alone.
    folder: bool,
    owners: Vec<String>,
}

impl Owners {
    /// Where the file may lie, in the order in which it is looked for.
    pub const PLACES: [&'static str; 3] = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"];

    /// Reads the rules. Lines that are none (comments, sections) are passed over.
    pub fn parse(text: &str) -> Owners {
        Owners {
            rules: text.lines().filter_map(rule).collect(),
        }
    }

    /// The owners of a path with `/`, from the root; none where no rule matches, or the last one names nobody.
    pub fn of(&self, path: &str) -> &[String] {
        let rule = self.rules.iter().rev().find(|rule| rule.matches(path));
        rule.map_or(&[], |rule| &rule.owners)
    }
}

fn rule(line: &str) -> Option<Rule> {
    let line = line.trim();
    if line.is_empty() || line.starts_with(['#', '[', '^', '!']) {
        return None;
    }
    let mut words = words(line).into_iter();
    let pattern = words.next()?;
    let owners = words.take_while(|word| !word.starts_with('#')).collect();
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

/// Words of a line; a backslash keeps the space behind it.
fn words(line: &str) -> Vec<String> {
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
    fn matches(&self, path: &str) -> bool {
        let path: Vec<&str> = path.split('/').collect();
        let from = |at: usize| self.from(&self.parts, &path[at..]);
        match self.anchored {
            true => from(0),
            false => (0..path.len()).any(from),
        }
    }

    /// Whether the parts lead to the path or to a folder around it.
    fn from(&self, parts: &[String], path: &[&str]) -> bool {
        match (parts.first().map(String::as_str), path.first()) {
            // What is in a folder that matched is owned with it; `folder/*` owns files in it alone.
            (None, Some(_)) => {
                self.parts.last().is_none_or(|last| last != "*") || self.parts.len() == 1
            }
            (None, None) => !self.folder,
            (Some("**"), _) => {
                (0..=path.len()).any(|skipped| self.from(&parts[1..], &path[skipped..]))
            }
            (Some(part), Some(name)) => fits(part, name) && self.from(&parts[1..], &path[1..]),
            (Some(_), None) => false,
        }
    }
}

/// `*` and `?` within one name.
fn fits(pattern: &str, name: &str) -> bool {
    let (pattern, name): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), name.chars().collect());
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, n));
                p += 1;
            }
            Some(c) if *c == '?' || *c == name[n] => (p, n) = (p + 1, n + 1),
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    (p, n) = (at + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rules: &str, path: &str, expected: &str) {
        assert_eq!(
            Owners::parse(rules).of(path).join(" "),
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
    }
}
