//! Layer rules: which files must not, or may only, need which others.

use crate::depend::{FileUses, Use};
use crate::glob::{Glob, GlobBudget};
use serde::{Deserialize, Serialize};

/// Severity of a violation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It fails a strict check.
    #[default]
    Error,
    /// It does not fail a strict check.
    Warning,
    /// It is only reported.
    Info,
}

/// A rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerRule {
    /// Its name.
    pub name: String,
    /// The files that the rule applies to.
    pub from: Vec<Glob>,
    /// Exceptions from `from`.
    pub except: Vec<Glob>,
    /// Whether the rule applies to tests as well.
    pub tests: bool,
    /// Files that those in `from` must not need. If `only` is set: the only files that they may need
    /// besides each other.
    pub to: Vec<Glob>,
    /// Whether `to` lists the allowed files instead of the forbidden ones.
    pub only: bool,
    /// Severity of a violation.
    pub severity: Severity,
    /// Reason for the rule.
    pub reason: String,
}

/// A place that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The rule's name.
    pub rule: String,
    /// Severity.
    pub severity: Severity,
    /// The file that breaks the rule.
    pub file: String,
    /// Line; 0 if it is not known.
    pub line: u32,
    /// File or package that is needed.
    pub target: String,
    /// Reason for the rule.
    pub reason: String,
}

impl Default for LayerRule {
    fn default() -> LayerRule {
        LayerRule {
            name: String::new(),
            from: Vec::new(),
            except: Vec::new(),
            tests: true,
            to: Vec::new(),
            only: false,
            severity: Severity::default(),
            reason: String::new(),
        }
    }
}

fn matches_any(globs: &[Glob], path: &str) -> bool {
    globs.iter().any(|glob| glob.matches(path))
}

/// Most violations that are kept; the rest is only counted.
const MOST_KEPT: usize = 10_000;
/// Most bytes of names, paths and reasons that are kept with them.
const MOST_BYTES: usize = 16 << 20;

/// A pattern of a rule that matches no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnmatchedPattern {
    /// The rule's name.
    pub rule: String,
    /// The key of the pattern in the rule: `from` or `to`.
    pub key: &'static str,
    /// The pattern.
    pub glob: String,
}

/// Violations of layer rules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Violations {
    /// In order of file, line, rule and target.
    pub found: Vec<Violation>,
    /// Number of violations that are only counted.
    pub left_out_count: usize,
    /// Whether a violation is an error, reported or not.
    pub errors: bool,
    /// Rules that were not checked: there are too many patterns for so many files.
    pub unchecked: usize,
    /// Patterns that match no file.
    pub unmatched_patterns: Vec<UnmatchedPattern>,
}

/// Files that a rule applies to, and files that it names as targets, by file number.
struct RuleFileSets {
    from: Vec<bool>,
    to: Vec<bool>,
    /// For a rule with `only`: the files that `from` names, including excepted ones.
    allowed_own: Vec<bool>,
}

impl RuleFileSets {
    fn new(uses: &FileUses, rule: &LayerRule) -> RuleFileSets {
        let fits = |globs: &[Glob]| -> Vec<bool> {
            uses.paths
                .iter()
                .map(|path| matches_any(globs, path))
                .collect()
        };
        let own = fits(&rule.from);
        let with_tests = uses.paths.iter().zip(&uses.tests).zip(&own);
        let from = with_tests
            .map(|((path, test), own)| {
                *own && (rule.tests || !test) && !matches_any(&rule.except, path)
            })
            .collect();
        RuleFileSets {
            from,
            to: fits(&rule.to),
            allowed_own: own,
        }
    }

    fn is_broken_by(&self, rule: &LayerRule, one: &Use) -> bool {
        let (source, target) = (one.from as usize, one.to as usize);
        let wrong = if rule.only {
            !self.to[target] && !self.allowed_own[target]
        } else {
            self.to[target]
        };
        self.from[source] && wrong
    }
}

/// Violations in files that `is_reported` accepts. If many rules match many files, only a part is kept.
pub fn find_violations(
    uses: &FileUses,
    rules: &[LayerRule],
    is_reported: &dyn Fn(&str) -> bool,
) -> Violations {
    let mut budget = GlobBudget::for_paths(uses.paths.len());
    let mut found = Violations::default();
    let reported: Vec<bool> = uses.paths.iter().map(|path| is_reported(path)).collect();
    let mut bytes = 0;
    for rule in rules {
        let globs = [&rule.from, &rule.to, &rule.except];
        // The cost of matching the rule is paid, and once more for finding patterns that match no file.
        if !globs
            .iter()
            .all(|g| budget.try_spend(g, 2 * uses.paths.len()))
        {
            found.unchecked += 1;
            continue;
        }
        collect_unmatched_patterns(uses, rule, &mut found.unmatched_patterns);
        let sides = RuleFileSets::new(uses, rule);
        let mut last = None;
        for one in &uses.uses {
            // A line that needs several definitions of one file breaks the rule once.
            let place = (one.from, one.to, one.line);
            if last == Some(place) || !reported[one.from as usize] || !sides.is_broken_by(rule, one)
            {
                continue;
            }
            last = Some(place);
            found.errors |= rule.severity == Severity::Error;
            let (file, target) = (&uses.paths[one.from as usize], &uses.paths[one.to as usize]);
            let size = file.len() + target.len() + rule.name.len() + rule.reason.len();
            if found.found.len() >= MOST_KEPT || bytes + size > MOST_BYTES {
                found.left_out_count += 1;
                continue;
            }
            bytes += size;
            found.found.push(Violation {
                rule: rule.name.clone(),
                severity: rule.severity,
                file: file.clone(),
                line: one.line,
                target: target.clone(),
                reason: rule.reason.clone(),
            });
        }
    }
    let key = |v: &Violation| (v.file.clone(), v.line, v.rule.clone(), v.target.clone());
    found.found.sort_by_cached_key(key);
    found
}

/// Most patterns that are reported as matching no file.
const MOST_IDLE: usize = 10;

/// Adds patterns of a rule that match no file: nothing can break it.
fn collect_unmatched_patterns(uses: &FileUses, rule: &LayerRule, out: &mut Vec<UnmatchedPattern>) {
    let fits = |glob: &Glob| uses.paths.iter().any(|path| glob.matches(path));
    for (key, globs) in [("from", &rule.from), ("to", &rule.to)] {
        for glob in globs {
            if out.len() < MOST_IDLE && !fits(glob) {
                out.push(UnmatchedPattern {
                    rule: rule.name.clone(),
                    key,
                    glob: glob.as_str().to_owned(),
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cycle::tests::uses;
    use crate::depend::Loading;

    fn rule(name: &str, from: &str, to: &str, only: bool) -> LayerRule {
        LayerRule {
            name: name.to_owned(),
            from: vec![Glob::new(from)],
            to: vec![Glob::new(to)],
            only,
            reason: "because".to_owned(),
            ..LayerRule::default()
        }
    }

    const APP: &str = "src/ui/a.ts:3 src/core/x.ts\nsrc/core/x.ts:9 src/db/y.ts\nsrc/db/y.ts:1 src/ui/b.ts\nsrc/ui/a.ts:4 src/ui/b.ts\nsrc/ui/c.ts:2 src/db/y.ts\nsrc/ui/c.ts:2 src/core/x.ts";

    #[test]
    fn forbidden_and_allowed() {
        let uses = uses(APP);
        let shown = |rule: LayerRule| -> Vec<String> {
            let found = find_violations(&uses, &[rule], &|_| true);
            found
                .found
                .iter()
                .map(|v| format!("{}:{} {}", v.file, v.line, v.target))
                .collect()
        };
        assert_eq!(
            shown(rule("no", "src/db/**", "src/ui/**", false)),
            ["src/db/y.ts:1 src/ui/b.ts"]
        );
        assert_eq!(
            shown(rule("only", "src/ui/**", "src/core/**", true)),
            ["src/ui/c.ts:2 src/db/y.ts"]
        );
        let mut spared = rule("no", "src/db/**", "src/ui/**", false);
        spared.except = vec![Glob::new("y.ts")];
        assert!(shown(spared).is_empty());
    }

    #[test]
    fn many_rules_and_many_uses_are_counted_not_kept() {
        let graph = many(3_000, 40);
        let rules: Vec<LayerRule> = (0..1_000)
            .map(|n| LayerRule {
                reason: "r".repeat(1_000),
                ..rule(&format!("r{n}"), "**", "**", false)
            })
            .collect();
        let found = find_violations(&graph, &rules, &|_| true);
        let bytes: usize = found.found.iter().map(|v| v.reason.len()).sum();
        assert!(found.found.len() <= MOST_KEPT && bytes <= MOST_BYTES);
        assert!(found.errors && found.unchecked == 0);
        let all = found.found.len() + found.left_out_count;
        assert_eq!(all, 1_000 * graph.uses.len());
    }

    #[test]
    fn patterns_that_cost_much_are_not_asked() {
        let graph = many(3_000, 1);
        let slow = format!("*{}b", "a".repeat(900));
        let from: Vec<Glob> = (0..10_000).map(|_| Glob::new(&slow)).collect();
        let slow = LayerRule {
            from,
            ..rule("slow", "x", "**", false)
        };
        let found = find_violations(&graph, &[slow, rule("no", "**", "**", false)], &|_| true);
        assert_eq!((found.unchecked, found.found.len()), (1, graph.uses.len()));
    }

    /// Files with long names, each of which needs several after it.
    fn many(files: u32, each: u32) -> FileUses {
        let name = |n: u32| format!("{}/{}{n:05}.ts", "d".repeat(20), "a".repeat(200));
        let needs = (0..files).flat_map(|from| {
            let last = (from + 1 + each).min(files);
            (from + 1..last).map(move |to| Use {
                from,
                to,
                line: to,
                import: true,
                loading: Loading::AtOnce,
                type_only: false,
                names: 1,
            })
        });
        FileUses {
            paths: (0..files).map(name).collect(),
            tests: vec![false; files as usize],
            languages: vec![None; files as usize],
            uses: needs.collect(),
        }
    }
}
