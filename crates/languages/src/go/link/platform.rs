//! Build constraints: which of several files that define the same name a build includes.

use base::list::{self, WordList};
use linker::paths::file_name;
use std::collections::BTreeSet;
use std::sync::LazyLock;

const BUILDS: &str = include_str!("../builds.txt");

static SYSTEMS: WordList =
    LazyLock::new(|| list::words(list::section(BUILDS, "systems")).collect());
static ARCHITECTURES: WordList =
    LazyLock::new(|| list::words(list::section(BUILDS, "architectures")).collect());
static UNIX: WordList = LazyLock::new(|| list::words(list::section(BUILDS, "unix")).collect());

/// The conditions of a file on the build.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Constraint {
    system: Option<&'static str>,
    architecture: Option<&'static str>,
    expression: Option<Box<str>>,
}

/// A build: system, architecture, other tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Build {
    system: &'static str,
    architecture: &'static str,
    tags: BTreeSet<Box<str>>,
}

impl Build {
    /// The usual build, which is assumed by default.
    pub(super) fn default_build() -> Build {
        Build {
            system: "linux",
            architecture: "amd64",
            tags: BTreeSet::new(),
        }
    }
}

impl Constraint {
    /// The constraint of a file, by its name and its `//go:build` line.
    pub(super) fn new(path: &str, expression: Option<&str>) -> Constraint {
        let stem = file_name(path).trim_end_matches(".go");
        let stem = stem.strip_suffix("_test").unwrap_or(stem);
        let mut words = stem.rsplit('_');
        let known = |all: &'static [&'static str], word: Option<&str>| {
            all.iter().copied().find(|known| Some(*known) == word)
        };
        // The first word is a name, not a constraint.
        let count = stem.split('_').count();
        let last = words.next().filter(|_| count > 1);
        let architecture = known(&ARCHITECTURES, last);
        let before = match architecture {
            Some(_) => words.next().filter(|_| count > 2),
            None => last,
        };
        Constraint {
            system: known(&SYSTEMS, before),
            architecture,
            expression: expression.map(Into::into),
        }
    }

    /// Whether the file has no conditions.
    pub(super) fn is_unconstrained(&self) -> bool {
        self.system.is_none() && self.architecture.is_none() && self.expression.is_none()
    }

    /// Whether a build includes the file.
    pub(super) fn is_satisfied_by(&self, build: &Build) -> bool {
        self.system.is_none_or(|s| build_has_tag(build, s))
            && self.architecture.is_none_or(|a| build_has_tag(build, a))
            && self
                .expression
                .as_deref()
                .is_none_or(|e| ConstraintParser::new(e).eval_or(build))
    }

    /// The build in which the file is read: the usual one if it includes the file, else one that does.
    pub(super) fn satisfying_build(&self) -> Build {
        let usual = Build::default_build();
        if self.is_satisfied_by(&usual) {
            return usual;
        }
        let words: Vec<&str> = self
            .expression
            .as_deref()
            .map(|e| {
                e.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'))
                    .collect()
            })
            .unwrap_or_default();
        let tags: BTreeSet<Box<str>> = words
            .into_iter()
            .filter(|w| !w.is_empty())
            .map(Into::into)
            .collect();
        for tags in [BTreeSet::new(), tags] {
            for system in self.system.as_slice().iter().chain(SYSTEMS.iter()) {
                for architecture in self
                    .architecture
                    .as_slice()
                    .iter()
                    .chain(ARCHITECTURES.iter())
                {
                    let build = Build {
                        system,
                        architecture,
                        tags: tags.clone(),
                    };
                    if self.is_satisfied_by(&build) {
                        return build;
                    }
                }
            }
        }
        usual
    }
}

fn build_has_tag(build: &Build, tag: &str) -> bool {
    let unix = UNIX.contains(&build.system);
    match tag {
        "unix" => unix,
        "cgo" | "gc" => true,
        "linux" if build.system == "android" => true,
        "darwin" if build.system == "ios" => true,
        _ if SYSTEMS.contains(&tag) => build.system == tag,
        _ if ARCHITECTURES.contains(&tag) => build.architecture == tag,
        _ => tag.starts_with("go1.") || build.tags.contains(tag),
    }
}

/// Parses `a && (b || !c)`.
struct ConstraintParser<'e> {
    rest: &'e str,
    depth: u32,
}

impl<'e> ConstraintParser<'e> {
    fn new(expression: &'e str) -> ConstraintParser<'e> {
        ConstraintParser {
            rest: expression,
            depth: 0,
        }
    }

    fn eat(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn eval_or(&mut self, build: &Build) -> bool {
        let mut value = self.eval_and(build);
        while self.eat("||") {
            let next = self.eval_and(build);
            value = value || next;
        }
        value
    }

    fn eval_and(&mut self, build: &Build) -> bool {
        let mut value = self.eval_term(build);
        while self.eat("&&") {
            let next = self.eval_term(build);
            value = value && next;
        }
        value
    }

    fn eval_term(&mut self, build: &Build) -> bool {
        let mut negated = false;
        while self.eat("!") {
            negated = !negated;
        }
        // Real constraints are not nested this deeply.
        let value = if self.depth < 32 && self.eat("(") {
            self.depth += 1;
            let inner = self.eval_or(build);
            self.eat(")");
            self.depth -= 1;
            inner
        } else {
            let end = self
                .rest
                .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.'))
                .unwrap_or(self.rest.len());
            let (tag, rest) = self.rest.split_at(end);
            self.rest = rest;
            build_has_tag(build, tag)
        };
        value != negated
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_lines_say_which_builds_take_a_file() {
        for (path, line, expected) in [
            ("a/b.go", None, true),
            ("a/b_windows.go", None, false),
            ("a/b_linux_amd64_test.go", None, true),
            ("a/b_linux_arm64.go", None, false),
            ("a/linux.go", None, true),
            ("a/b.go", Some("unix && !windows"), true),
            ("a/b.go", Some("windows || (linux && !cgo)"), false),
            ("a/b.go", Some("!stringlabels && go1.21"), true),
            ("a/b.go", Some("integration"), false),
        ] {
            let constraint = Constraint::new(path, line);
            assert_eq!(
                constraint.is_satisfied_by(&Build::default_build()),
                expected,
                "{path} {line:?}"
            );
            assert!(
                constraint.is_satisfied_by(&constraint.satisfying_build()),
                "{path} {line:?}"
            );
        }
    }
}
