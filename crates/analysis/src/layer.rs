//! Layer rules: which files must not, or may only, need which others.

use crate::Glob;
use crate::depend::FileUses;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How bad a violation is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Fails a strict check.
    #[default]
    Error,
    /// Does not.
    Warning,
    /// Is only told.
    Info,
}

/// A rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LayerRule {
    /// Its name.
    pub name: String,
    /// The files it is about.
    pub from: Vec<Glob>,
    /// Files that it is not about all the same.
    pub except: Vec<Glob>,
    /// Whether it is about tests as well.
    pub tests: bool,
    /// What they must not need; where `only` is set, all that they may need beside themselves.
    pub to: Vec<Glob>,
    /// See `to`.
    pub only: bool,
    /// How bad a violation is.
    pub severity: Severity,
    /// Why there is the rule.
    pub reason: String,
}

/// A place that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The rule's name.
    pub rule: String,
    /// How bad it is.
    pub severity: Severity,
    /// The file that needs what it must not.
    pub file: String,
    /// The line, 0 where it is not known.
    pub line: u32,
    /// What it needs.
    pub target: String,
    /// Why there is the rule.
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

fn any(globs: &[Glob], path: &str) -> bool {
    globs.iter().any(|glob| glob.matches(path))
}

/// Every place that breaks a rule, in order of file, line, rule and target.
pub fn violations(uses: &FileUses, rules: &[LayerRule]) -> Vec<Violation> {
    let mut found = BTreeMap::new();
    for rule in rules {
        let about = |path: &String| any(&rule.from, path) && !any(&rule.except, path);
        let with_tests = uses.paths.iter().zip(&uses.tests);
        let from: Vec<bool> = with_tests
            .map(|(path, test)| about(path) && (rule.tests || !test))
            .collect();
        let to: Vec<bool> = uses.paths.iter().map(|path| any(&rule.to, path)).collect();
        for one in &uses.uses {
            let (source, target) = (one.from as usize, one.to as usize);
            let wrong = match rule.only {
                true => !to[target] && !any(&rule.from, &uses.paths[target]),
                false => to[target],
            };
            if !from[source] || !wrong {
                continue;
            }
            let key = (
                &uses.paths[source],
                one.line,
                &rule.name,
                &uses.paths[target],
            );
            found.entry(key).or_insert_with(|| Violation {
                rule: rule.name.clone(),
                severity: rule.severity,
                file: uses.paths[source].clone(),
                line: one.line,
                target: uses.paths[target].clone(),
                reason: rule.reason.clone(),
            });
        }
    }
    found.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cycle::tests::uses;

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
            let found = violations(&uses, &[rule]);
            found
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
}
