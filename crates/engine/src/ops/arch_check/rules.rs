//! Layer rules as a YAML file, with the line of each error.

use crate::EngineError;
use analysis::{Glob, LONGEST_PATTERN, LayerRule, Severity};
use base::secret::{TextKind, mask_secrets};
use serde::Serialize;
use text::yaml::{ErrorKind, Field, Options, Value};

/// The most rules of a file.
const MOST_RULES: usize = 1_000;
/// The most notes on rules that are not checked.
const MOST_NOTES: usize = 20;
/// The most patterns of all rules of cycles: each is compared with every file of every cycle.
const MOST_CYCLE_PATTERNS: usize = 32;
/// The most patterns of files that no rule looks at.
const MOST_IGNORED: usize = 1_000;
/// The most values of a file, and the deepest nesting.
const YAML: Options = Options {
    events: 50_000,
    depth: 12,
    odd_key: None,
    refuse_aliases: true,
};

/// The most bytes of a name or a reason, since they are shown with each violation.
pub(in crate::ops) const LONGEST_TEXT: usize = 1_000;

/// An error in a file of rules.
#[derive(Debug, PartialEq)]
pub(in crate::ops) struct Wrong {
    pub(in crate::ops) line: usize,
    pub(in crate::ops) reason: String,
}

pub(in crate::ops) fn wrong(line: usize, reason: impl Into<String>) -> Wrong {
    Wrong {
        line,
        reason: reason.into(),
    }
}

/// The rules of a file.
#[derive(Debug, Default)]
pub(super) struct ArchRules {
    /// The rules about which files may import which.
    pub layers: Vec<LayerRule>,
    /// Files that no rule looks at.
    pub ignored: Vec<Glob>,
    /// The rules against cycles of imports, each of type `cycle-detection`.
    pub cycles: Vec<CycleRule>,
    /// Notes on rules that are not checked.
    pub notes: Vec<String>,
    /// `config.on_violation`: whether findings block a strict check.
    pub on_violation: Option<OnViolation>,
}

/// What a file of rules asks for where findings would block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OnViolation {
    /// They are reported, and nothing is blocked.
    Warn,
    /// They block.
    Block,
}

/// A rule that forbids cycles of imports.
#[derive(Debug, Default)]
pub(super) struct CycleRule {
    /// The files that the rule applies to; empty for all.
    scope: Vec<Glob>,
    /// The files whose cycles are allowed.
    except: Vec<Glob>,
}

impl CycleRule {
    /// Whether the rule forbids a cycle of these files or folders.
    pub(super) fn forbids(&self, members: &[String]) -> bool {
        let matches = |globs: &[Glob]| {
            let one = |member: &String| globs.iter().any(|glob| glob.matches(member));
            members.iter().any(one)
        };
        (self.scope.is_empty() || matches(&self.scope)) && !matches(&self.except)
    }
}

/// Reads rules. An error names the file, the line and the reason.
pub(super) fn parse_rules(text: &str, path: &str) -> Result<ArchRules, EngineError> {
    let to_error = |w: Wrong| {
        EngineError::bad_arguments(format!("invalid rules: {path}:{}: {}", w.line, w.reason))
            .with_hint("`knotwork arch-check init` writes rules to start from")
    };
    let (line, document) = document(text).map_err(to_error)?;
    rules_from_document(line, &document).map_err(to_error)
}

/// The first document of a text, with likely secrets masked; an empty text is an empty mapping.
pub(in crate::ops) fn document(text: &str) -> Result<(usize, Value), Wrong> {
    let text = blank_secrets(text);
    let read = text::yaml::read(&text, YAML).map_err(|error| match error.kind {
        ErrorKind::Syntax(reason) => wrong(error.line, reason),
        ErrorKind::Limits => wrong(error.line, "too deep or too long for rules"),
        ErrorKind::Key => wrong(error.line, "a key must be a word"),
        ErrorKind::Alias => wrong(error.line, "references are not read here"),
    })?;
    Ok(read.unwrap_or((1, Value::Map(Vec::new()))))
}

/// The text with `_` in place of every byte of a likely secret: `*` would begin an alias.
pub(in crate::ops) fn blank_secrets(text: &str) -> String {
    let masked = mask_secrets(text.to_owned(), TextKind::Other);
    let mut bytes = masked.into_bytes();
    for (byte, own) in bytes.iter_mut().zip(text.bytes()) {
        if *byte != own {
            *byte = b'_';
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn rules_from_document(line: usize, document: &Value) -> Result<ArchRules, Wrong> {
    let list = match document {
        Value::List(list) => list,
        Value::Map(fields) => {
            let found = fields.iter().find(|field| field.key == "rules");
            match found.map(|field| (field.line, &field.value)) {
                Some((_, Value::List(list))) => list,
                Some((_, Value::Text(text))) if text.is_empty() => {
                    return Ok(ArchRules::default());
                }
                Some((line, _)) => return Err(wrong(line, "rules must be a list")),
                None if fields.is_empty() => return Ok(ArchRules::default()),
                None => return Err(wrong(line, "no list of rules under the key rules")),
            }
        }
        _ => return Err(wrong(line, "no list of rules under the key rules")),
    };
    if list.len() > MOST_RULES {
        return Err(wrong(line, format!("more than {MOST_RULES} rules")));
    }
    let mut rules = ArchRules::default();
    for (line, value) in list {
        if let Some(kind) = foreign_type(value) {
            // An earlier program had more types. One of them must not keep the other rules from being checked.
            let note = format!("the rule at line {line} is not checked: its type is {kind}");
            if rules.notes.len() < MOST_NOTES {
                rules.notes.push(note);
            }
            continue;
        }
        if is_cycle_rule(value) {
            rules.cycles.push(cycle_rule_from_value(value)?);
            let patterns = rules.cycles.iter().map(|r| r.scope.len() + r.except.len());
            if patterns.sum::<usize>() > MOST_CYCLE_PATTERNS {
                let reason =
                    format!("rules of cycles have more than {MOST_CYCLE_PATTERNS} patterns");
                return Err(wrong(*line, reason));
            }
            continue;
        }
        let all = &mut rules.layers;
        let rule = rule_from_value(*line, value, all.len() + 1)?;
        if all.iter().any(|r| r.name == rule.name) {
            return Err(wrong(*line, format!("a second rule called {}", rule.name)));
        }
        all.push(rule);
    }
    ignore_paths(document, &mut rules)?;
    rules.on_violation = on_violation(document)?;
    Ok(rules)
}

/// Applies `config.ignore`: paths that no rule looks at.
fn ignore_paths(document: &Value, rules: &mut ArchRules) -> Result<(), Wrong> {
    let Some((line, ignored)) = field(document, "config").and_then(|(_, c)| field(c, "ignore"))
    else {
        return Ok(());
    };
    let ignored = parse_globs(line, "ignore", ignored)?;
    if ignored.len() > MOST_IGNORED {
        let reason = format!("ignore has more than {MOST_IGNORED} patterns");
        return Err(wrong(line, reason));
    }
    // Counted before the patterns are copied.
    let patterns = rules.cycles.iter().map(|r| r.scope.len() + r.except.len());
    let added = ignored.len() * rules.cycles.len();
    if added > 0 && patterns.sum::<usize>() + added > MOST_CYCLE_PATTERNS {
        let reason = format!("rules of cycles have more than {MOST_CYCLE_PATTERNS} patterns");
        return Err(wrong(line, reason));
    }
    for rule in &mut rules.cycles {
        rule.except.extend(ignored.iter().cloned());
    }
    rules.ignored = ignored;
    Ok(())
}

/// `config.on_violation`.
fn on_violation(document: &Value) -> Result<Option<OnViolation>, Wrong> {
    let found = field(document, "config").and_then(|(_, c)| field(c, "on_violation"));
    match found {
        None => Ok(None),
        Some((_, Value::Text(word))) if word == "warn" => Ok(Some(OnViolation::Warn)),
        Some((_, Value::Text(word))) if word == "block" => Ok(Some(OnViolation::Block)),
        Some((line, _)) => Err(wrong(line, "on_violation must be warn or block")),
    }
}

/// A field of a mapping with its line.
fn field<'v>(value: &'v Value, name: &str) -> Option<(usize, &'v Value)> {
    let Value::Map(fields) = value else {
        return None;
    };
    let found = fields.iter().find(|field| field.key == name);
    found.map(|field| (field.line, &field.value))
}

/// The type of a rule, if it is one that is not checked here: a word ending like those of the earlier program.
fn foreign_type(value: &Value) -> Option<&str> {
    let (_, Value::Text(kind)) = field(value, "type")? else {
        return None;
    };
    let endings = ["-detection", "-violation", "-check", "-analysis"];
    let is_foreign = kind != "cycle-detection" && endings.iter().any(|end| kind.ends_with(end));
    is_foreign.then_some(kind.as_str())
}

fn is_cycle_rule(value: &Value) -> bool {
    let Value::Map(fields) = value else {
        return false;
    };
    let is_type = |key: &str| key == "type" || key == "mode";
    let is_cycle = |value: &Value| matches!(value, Value::Text(text) if text == "cycle-detection");
    fields
        .iter()
        .any(|field| is_type(&field.key) && is_cycle(&field.value))
}

fn cycle_rule_from_value(value: &Value) -> Result<CycleRule, Wrong> {
    let mut rule = CycleRule::default();
    let Value::Map(fields) = value else {
        return Ok(rule);
    };
    for Field {
        key,
        line: at,
        value,
    } in fields
    {
        match key.as_str() {
            "scope" | "from" => rule.scope = parse_globs(*at, key, value)?,
            "except" | "exclude" | "whitelist" => rule.except = parse_globs(*at, key, value)?,
            "severity" => drop(parse_severity(*at, &expect_text(*at, key, value)?)?),
            "name" | "id" | "type" | "mode" | "reason" | "message" | "description" => {
                expect_text(*at, key, value)?;
            }
            other => {
                let keys = "name, type, scope, except, severity, reason";
                return Err(wrong(
                    *at,
                    format!("unknown key {other}; a rule of cycles has {keys}"),
                ));
            }
        }
    }
    Ok(rule)
}

const KEYS: &str = "name, from, to, except, tests, mode (forbidden, allowed or cycle-detection), severity (error, warning or info), reason";

fn rule_from_value(line: usize, value: &Value, number: usize) -> Result<LayerRule, Wrong> {
    let Value::Map(fields) = value else {
        return Err(wrong(line, "a rule is a mapping with from and to"));
    };
    let mut rule = LayerRule::default();
    for Field {
        key,
        line: at,
        value,
    } in fields
    {
        match key.as_str() {
            "name" | "id" => rule.name = expect_text(*at, key, value)?,
            "from" => rule.from = parse_globs(*at, key, value)?,
            "to" | "cannot_import" | "forbidden" => rule.to.extend(parse_globs(*at, key, value)?),
            "allowed" | "may_only_import" => {
                rule.to.extend(parse_globs(*at, key, value)?);
                rule.only = true;
            }
            "except" | "exclude" | "whitelist" => rule.except = parse_globs(*at, key, value)?,
            "reason" | "message" | "description" => rule.reason = expect_text(*at, key, value)?,
            "tests" => {
                rule.tests = match expect_text(*at, key, value)?.as_str() {
                    "true" | "yes" => true,
                    "false" | "no" => false,
                    other => {
                        return Err(wrong(
                            *at,
                            format!("tests must be true or false, not {other}"),
                        ));
                    }
                }
            }
            "severity" => rule.severity = parse_severity(*at, &expect_text(*at, key, value)?)?,
            "mode" | "type" => {
                rule.only = match expect_text(*at, key, value)?.as_str() {
                    "forbidden" => false,
                    "allowed" => true,
                    other => {
                        let reason = format!(
                            "{key} must be forbidden, allowed or cycle-detection, not {other}"
                        );
                        return Err(wrong(*at, reason));
                    }
                }
            }
            other => {
                return Err(wrong(*at, format!("unknown key {other}; there are {KEYS}")));
            }
        }
    }
    if rule.name.is_empty() {
        rule.name = format!("rule-{number}");
    }
    for (globs, key) in [(&rule.from, "from"), (&rule.to, "to")] {
        if globs.is_empty() {
            return Err(wrong(line, format!("rule {} has no {key}", rule.name)));
        }
    }
    Ok(rule)
}

fn parse_severity(line: usize, word: &str) -> Result<Severity, Wrong> {
    match word.to_lowercase().as_str() {
        "error" => Ok(Severity::Error),
        "warning" | "warn" => Ok(Severity::Warning),
        "info" => Ok(Severity::Info),
        other => Err(wrong(
            line,
            format!("severity must be error, warning or info, not {other}"),
        )),
    }
}

fn expect_text(line: usize, key: &str, value: &Value) -> Result<String, Wrong> {
    match value {
        Value::Text(text) => short(line, key, text, LONGEST_TEXT).map(str::to_owned),
        _ => Err(wrong(line, format!("{key} must be a text"))),
    }
}

/// A text within the limit of length, or an error.
pub(in crate::ops) fn short<'t>(
    line: usize,
    key: &str,
    text: &'t str,
    longest: usize,
) -> Result<&'t str, Wrong> {
    if text.len() <= longest {
        Ok(text)
    } else {
        Err(wrong(line, format!("{key} has more than {longest} bytes")))
    }
}

/// The globs of one pattern, or of a list of patterns.
fn parse_globs(line: usize, key: &str, value: &Value) -> Result<Vec<Glob>, Wrong> {
    let one = |line: usize, value: &Value| match value {
        Value::Text(text) if !text.trim().is_empty() => {
            short(line, key, text, LONGEST_PATTERN).map(Glob::new)
        }
        Value::Text(_) => Err(wrong(line, format!("{key} has an empty pattern"))),
        _ => Err(wrong(
            line,
            format!("{key} must be a pattern or a list of them"),
        )),
    };
    match value {
        Value::List(list) => list.iter().map(|(line, value)| one(*line, value)).collect(),
        other => Ok(vec![one(line, other)?]),
    }
}

#[cfg(test)]
mod tests {
    use super::parse_rules;
    use analysis::Severity;

    #[test]
    fn rules_in_their_several_forms() {
        let text = "schema_version: \"1.0\"\nrules:\n  - name: ui-no-db\n    from: src/ui/**\n    to: [src/db/**, \"src/sql\"]\n    severity: warning\n    reason: goes through core\n  - from: src/core/**\n    allowed: [src/base/**]\n  - {name: old, from: a, cannot_import: [b], message: m}\n";
        let rules = parse_rules(text, "r.yaml").unwrap().layers;
        assert_eq!(rules.len(), 3);
        assert_eq!((rules[0].to.len(), rules[0].only), (2, false));
        assert_eq!(rules[0].severity, Severity::Warning);
        assert_eq!((rules[1].name.as_str(), rules[1].only), ("rule-2", true));
        assert_eq!(
            (rules[2].reason.as_str(), rules[2].severity),
            ("m", Severity::Error)
        );
        assert!(parse_rules("", "r").unwrap().layers.is_empty());
        assert!(
            parse_rules("# nothing yet\nrules: []\n", "r")
                .unwrap()
                .layers
                .is_empty()
        );
    }

    #[test]
    fn a_rule_of_cycles_has_a_scope_and_exceptions() {
        let text = "rules:\n  - name: no-cycles\n    type: cycle-detection\n    severity: error\n    scope: src/**\n    whitelist: [src/old/**]\n  - {from: a, to: b}\n  - {name: all, type: cycle-detection, whitelist: []}\n";
        let rules = parse_rules(text, "r.yaml").unwrap();
        assert_eq!((rules.layers.len(), rules.cycles.len()), (1, 2));
        let forbids = |at: usize, members: &[&str]| {
            let members: Vec<String> = members.iter().map(|m| (*m).to_owned()).collect();
            rules.cycles[at].forbids(&members)
        };
        assert!(forbids(0, &["src/a.ts", "src/b.ts"]));
        assert!(!forbids(0, &["src/a.ts", "src/old/b.ts"]));
        assert!(!forbids(0, &["lib/a.ts", "lib/b.ts"]));
        assert!(forbids(1, &["lib/a.ts", "lib/b.ts"]));
        let error = parse_rules("rules:\n  - {type: cycle-detection, to: b}\n", "r.yaml");
        let said = error.unwrap_err().message;
        assert!(
            said.contains("r.yaml:2: unknown key to; a rule of cycles has"),
            "{said}"
        );
    }

    #[test]
    fn what_is_wrong_has_file_line_and_reason() {
        for (text, said) in [
            ("rules:\n  - from: a\n", "r.yaml:2: rule rule-1 has no to"),
            (
                "rules:\n  - from: a\n    to: b\n    severity: bad\n",
                "r.yaml:4: severity must be error, warning or info, not bad",
            ),
            (
                "rules:\n  - from: a\n    two: b\n",
                "r.yaml:3: unknown key two",
            ),
            ("rules: 3\n", "r.yaml:1: rules must be a list"),
            ("layers:\n  - a\n", "no list of rules"),
            ("rules:\n  - name: x\n    from: [a\n", "r.yaml:"),
            (
                "rules:\n  - {name: x, from: a, to: b}\n  - {name: x, from: a, to: c}\n",
                "r.yaml:3: a second rule called x",
            ),
            (
                "rules:\n  - from: [\"\"]\n    to: b\n",
                "r.yaml:2: from has an empty pattern",
            ),
            (
                &format!(
                    "rules:\n  - from: a\n    to: b\n    reason: {}\n",
                    "x".repeat(1_001)
                ),
                "r.yaml:4: reason has more than 1000 bytes",
            ),
            (
                &format!(
                    "rules:\n  - from: \"{{a,b}}{}\"\n    to: b\n",
                    "/a".repeat(500_000)
                ),
                "r.yaml:2: from has more than 1000 bytes",
            ),
        ] {
            let error = parse_rules(text, "r.yaml").unwrap_err();
            assert!(error.message.contains(said), "{text}: {}", error.message);
            assert!(error.message.starts_with("invalid rules: "));
        }
    }

    #[test]
    fn secrets_in_rules_are_blanked() {
        let token = format!("ghp_{}", "a1B2c3D4e".repeat(4));
        let text = format!(
            "rules:\n  - name: {token}\n    from: a\n    to: b\n    reason: \"see {token}\"\n"
        );
        let rules = parse_rules(&text, "r.yaml").unwrap();
        assert_eq!(rules.layers.len(), 1);
        assert!(
            !format!("{:?}{:?}", rules.layers[0].name, rules.layers[0].reason)
                .contains(&token[8..])
        );
        assert!(rules.layers[0].reason.starts_with("see "));
        let wrong = format!("rules:\n  - from: a\n    {token}: b\n");
        let wrong = parse_rules(&wrong, "r.yaml").unwrap_err();
        assert!(!format!("{wrong:?}").contains(&token[8..]));
    }

    #[test]
    fn hostile_rules_end_soon() {
        for text in [
            "[".repeat(200_000),
            "a: &x [*x]\n".repeat(10_000),
            "- ".repeat(50_000),
        ] {
            let _ = parse_rules(&text, "r.yaml");
        }
    }
}
