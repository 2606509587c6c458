//! Rules about the roles of files, and the conventions that apply without a rule.

use super::BoundaryFile;
use crate::EngineError;
use crate::ops::arch_check::rules::{LONGEST_TEXT, Wrong, document, short, wrong};
use crate::project::Project;
use analysis::{Glob, GlobBudget, LONGEST_PATTERN};
use search::doc::FileRole;
use search::plain::{self, RoleReason};
use std::sync::LazyLock;
use store::FileRecord;
use text::list::{self, WordList};
use text::yaml::{Field, Value};

const NAMES: &str = include_str!("names.txt");

/// The usual file of rules.
pub(super) const RULES: &str = "config/boundaries.yaml";

/// Words for the roles of files.
const KINDS: [&str; 8] = [
    "user",
    "library",
    "vendor",
    "generated",
    "test",
    "example",
    "docs",
    "config",
];

/// Folders into which package managers and builds write, with the role and the confidence.
static WRITTEN: LazyLock<Vec<(&str, &str, f64)>> = LazyLock::new(|| {
    let rows = list::pairs(list::section(NAMES, "written"));
    let row = |(folder, rest): (&'static str, &'static str)| {
        let (role, confidence) = rest.split_once('\t')?;
        Some((folder, role, confidence.parse().ok()?))
    };
    rows.filter_map(row).collect()
});

/// Names of configuration files, which tools read and people write.
static CONFIGURATION: WordList =
    LazyLock::new(|| list::words(list::section(NAMES, "configuration")).collect());

/// Names of files for people to read, without their ending.
static PROSE: WordList = LazyLock::new(|| list::words(list::section(NAMES, "prose")).collect());

/// Endings of image files.
static PICTURES: WordList =
    LazyLock::new(|| list::words(list::section(NAMES, "pictures")).collect());

/// The most bytes of a file of rules.
const MOST_RULES: u64 = 4 << 20;

/// A rule of the project's own.
pub(super) struct Rule {
    pub glob: Glob,
    pub pattern: String,
    pub kind: RuleKind,
    pub place: String,
    pub reason: Option<String>,
}

/// The statement of a rule about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RuleKind {
    /// The file is of this kind.
    Is(&'static str),
    /// The file is not of this kind, whatever its path looks like.
    IsNot(&'static str),
}

/// The roles of files; the project's own rules come first.
#[derive(Default)]
pub(crate) struct FileRoleRules {
    pub(super) rules: Vec<Rule>,
}

impl FileRoleRules {
    /// Reads the rules of `boundaries.yaml`, or of the file that is named.
    pub(super) fn read(
        project: &Project,
        named: Option<&str>,
    ) -> Result<FileRoleRules, EngineError> {
        let path = match named {
            Some(path) => project.relative_path(path)?,
            None => RULES.to_owned(),
        };
        let text = match project.read_text(&path, MOST_RULES) {
            Ok(text) => text,
            Err(e) if named.is_none() && e.is_missing() => return Ok(FileRoleRules::default()),
            Err(e) => {
                return Err(EngineError::bad_arguments(format!(
                    "cannot read {path}: {}",
                    e.reason()
                )));
            }
        };
        FileRoleRules::parse(&text, &path).map_err(|w| {
            EngineError::bad_arguments(format!(
                "invalid boundaries: {path}:{}: {}",
                w.line, w.reason
            ))
            .with_hint(format!(
                "a list of paths under each of {}",
                KINDS.join(", ")
            ))
        })
    }

    /// Reads lists of patterns by kind (`vendor: [legacy/**]`), also below `boundaries`, and `rules` of `path`, `type` and
    /// `reason`.
    pub(super) fn parse(text: &str, path: &str) -> Result<FileRoleRules, Wrong> {
        let (line, value) = document(text)?;
        let mut file_roles = FileRoleRules::default();
        // The project's overrides come before its other rules.
        if let Value::Map(fields) = &value {
            for field in fields.iter().filter(|field| field.key == "overrides") {
                file_roles.add_rule_list(field.line, &field.value, path)?;
            }
        }
        file_roles.add_mapping(line, &value, path)?;
        Ok(file_roles)
    }

    fn add_mapping(&mut self, line: usize, value: &Value, path: &str) -> Result<(), Wrong> {
        let Value::Map(fields) = value else {
            return Err(wrong(line, "not a mapping of kinds to paths"));
        };
        for Field { key, line, value } in fields {
            match (key.as_str(), value) {
                ("boundaries", value) => self.add_mapping(*line, value, path)?,
                ("schema_version" | "version" | "overrides", _) => {}
                ("rules", list) => self.add_rule_list(*line, list, path)?,
                (kind, Value::List(list)) if KINDS.contains(&kind) => {
                    for (line, pattern) in list {
                        match pattern {
                            Value::Text(pattern) => {
                                self.add_rule(kind, pattern, None, path, *line)?
                            }
                            _ => return Err(wrong(*line, "a pattern must be a text")),
                        }
                    }
                }
                (kind, Value::Text(pattern)) if KINDS.contains(&kind) => {
                    if !pattern.is_empty() {
                        self.add_rule(kind, pattern, None, path, *line)?;
                    }
                }
                (kind, _) if KINDS.contains(&kind) => {
                    return Err(wrong(*line, format!("{kind} must be a list of paths")));
                }
                (other, _) => {
                    let reason =
                        format!("unknown kind {other}; must be one of {}", KINDS.join(", "));
                    return Err(wrong(*line, reason));
                }
            }
        }
        Ok(())
    }

    fn add_rule_list(&mut self, line: usize, list: &Value, path: &str) -> Result<(), Wrong> {
        match list {
            Value::List(list) => list
                .iter()
                .try_for_each(|(line, rule)| self.add_rule_entry(*line, rule, path)),
            Value::Text(text) if text.is_empty() => Ok(()),
            _ => Err(wrong(line, "rules are a list of path and type")),
        }
    }

    fn add_rule_entry(&mut self, line: usize, rule: &Value, path: &str) -> Result<(), Wrong> {
        let Value::Map(fields) = rule else {
            return Err(wrong(line, "a rule has path and type"));
        };
        let word = |names: &[&str]| {
            let mut found = fields
                .iter()
                .filter(|field| names.contains(&field.key.as_str()));
            found.find_map(|field| match &field.value {
                Value::Text(text) => Some(text.clone()),
                _ => None,
            })
        };
        let pattern = word(&["path", "pattern", "glob"]);
        let (Some(pattern), Some(kind)) = (pattern, word(&["type", "kind"])) else {
            return Err(wrong(line, "a rule has path and type"));
        };
        if !KINDS.contains(&kind.as_str()) {
            let reason = format!("unknown kind {kind}; must be one of {}", KINDS.join(", "));
            return Err(wrong(line, reason));
        }
        self.add_rule(&kind, &pattern, word(&["reason"]), path, line)
    }

    /// Adds a rule. Pattern and reason are limited in length, because they are shown with each file.
    fn add_rule(
        &mut self,
        kind: &str,
        pattern: &str,
        reason: Option<String>,
        path: &str,
        line: usize,
    ) -> Result<(), Wrong> {
        short(line, "a pattern", pattern, LONGEST_PATTERN)?;
        short(
            line,
            "reason",
            reason.as_deref().unwrap_or_default(),
            LONGEST_TEXT,
        )?;
        // A folder stands for everything in it.
        let inside = match pattern.strip_suffix('/') {
            Some(folder) => format!("{folder}/**"),
            None => pattern.to_owned(),
        };
        self.rules.push(Rule {
            glob: Glob::new(&inside),
            pattern: pattern.to_owned(),
            kind: RuleKind::Is(word_of_kind(kind)),
            place: format!("{path}:{line}"),
            reason,
        });
        Ok(())
    }

    /// Whether the cost of matching so many files against every pattern is within the limit.
    pub(super) fn can_match_all(&self, files: usize) -> bool {
        let mut budget = GlobBudget::for_paths(files);
        let mut rules = self.rules.iter();
        rules.all(|rule| budget.try_spend(std::slice::from_ref(&rule.glob), files))
    }

    /// The role of a file of the index.
    pub(in crate::ops) fn of_record(&self, record: &FileRecord) -> &'static str {
        let rule = self.rule_for(&record.path);
        if let Some(RuleKind::Is(kind)) = rule.map(|rule| rule.kind) {
            return kind;
        }
        let generated = matches!(record.role.as_str(), "generated" | "minified");
        let found = plain::role_of(&record.path, &record.language, generated);
        match rule.map(|rule| rule.kind) {
            Some(RuleKind::IsNot(kind)) if kind == role_word(found) => "user",
            _ => role_word(found),
        }
    }

    /// The role of a file whose role in the index is `indexed`.
    pub(crate) fn role_of(&self, path: &str, indexed: FileRole) -> FileRole {
        match self.rule_for(path).map(|rule| rule.kind) {
            Some(RuleKind::Is(kind)) => role_of_word(kind),
            Some(RuleKind::IsNot(kind)) if kind == role_word(indexed) => FileRole::Source,
            _ => indexed,
        }
    }

    /// The first rule that matches a file.
    fn rule_for(&self, path: &str) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.glob.matches(path))
    }

    /// The role of a folder: that of a file in it.
    pub(super) fn classify_folder(&self, path: &str) -> BoundaryFile {
        let inside = match path {
            "." => "file".to_owned(),
            path => format!("{path}/file"),
        };
        BoundaryFile {
            path: path.to_owned(),
            ..self.classify_file(&inside, None)
        }
    }

    pub(super) fn classify_file(&self, path: &str, record: Option<&FileRecord>) -> BoundaryFile {
        let RoleVerdict {
            kind,
            confidence,
            reason,
        } = self.classify(path, record);
        BoundaryFile {
            path: path.to_owned(),
            kind: kind.to_owned(),
            confidence,
            reason,
        }
    }

    fn classify(&self, path: &str, record: Option<&FileRecord>) -> RoleVerdict {
        let Some(rule) = self.rule_for(path) else {
            return classify_by_habit(path, record);
        };
        let reason = rule.reason.as_ref();
        let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
        let reason = format!("rule {} at {}{reason}", rule.pattern, rule.place);
        match rule.kind {
            RuleKind::Is(kind) => RoleVerdict::new(kind, 1.0, reason),
            RuleKind::IsNot(kind) => match classify_by_habit(path, record) {
                by_habit if by_habit.kind == kind => RoleVerdict::new("user", 1.0, reason),
                by_habit => by_habit,
            },
        }
    }
}

/// The role of a file, and why.
struct RoleVerdict {
    /// A word of [`KINDS`].
    kind: &'static str,
    /// 0–1.
    confidence: f64,
    reason: String,
}

impl RoleVerdict {
    fn new(kind: &'static str, confidence: f64, reason: impl Into<String>) -> RoleVerdict {
        RoleVerdict {
            kind,
            confidence,
            reason: reason.into(),
        }
    }
}

/// The role of a file that no rule matches.
fn classify_by_habit(path: &str, record: Option<&FileRecord>) -> RoleVerdict {
    let indexed = record.is_some_and(|r| !r.source.starts_with("skipped"));
    let mut folders: Vec<&str> = path.split('/').collect();
    let name = folders.pop().unwrap_or_default();
    let written = WRITTEN.iter().find(|(folder, ..)| folders.contains(folder));
    // Generated files are seldom under version control, so the folder's name alone says little about an indexed file.
    if let Some((folder, kind, confidence)) = written.filter(|w| !indexed || w.2 >= 0.9) {
        return RoleVerdict::new(kind, *confidence, format!("in a folder {folder}"));
    }
    if analysis::lockfiles::is_lock_file(path) && name.to_lowercase().contains("lock") {
        return RoleVerdict::new("generated", 0.95, "a lock file");
    }
    let generated = record.is_some_and(|r| matches!(r.role.as_str(), "generated" | "minified"));
    let language = plain::known_language_of(path).unwrap_or_default();
    let (role, why) = plain::role_with_reason(path, language, generated);
    if let Some(verdict) = classify_by_name(name, role, indexed) {
        return verdict;
    }
    let (confidence, reason) = match (&why, role) {
        // Short words that mean other things too.
        (RoleReason::Folder(folder), _) if matches!(folder.as_str(), "external" | "deps") => {
            (0.6, format!("in a folder {folder}"))
        }
        (RoleReason::Folder(folder), _) => (0.9, format!("in a folder {folder}")),
        (RoleReason::Name(part), _) => (0.95, format!("its name has {part}")),
        (RoleReason::Header, _) => (
            0.99,
            "its first lines say that a program wrote it".to_owned(),
        ),
        (RoleReason::Language, _) => (0.9, format!("written in {language}")),
        (RoleReason::Nothing, _) if indexed => (
            0.9,
            "source of the project; nothing says otherwise".to_owned(),
        ),
        (RoleReason::Nothing, _) => (0.6, "nothing says otherwise".to_owned()),
    };
    RoleVerdict::new(role_word(role), confidence, reason)
}

/// The role of a file by its name, where its folder says nothing.
fn classify_by_name(name: &str, role: FileRole, indexed: bool) -> Option<RoleVerdict> {
    // `LICENSE-MIT` would match the name pattern of Java tests.
    let stem = name.split(['.', '-']).next().unwrap_or_default();
    let prose = PROSE.contains(&stem.to_ascii_uppercase().as_str());
    if prose && !matches!(role, FileRole::Vendor | FileRole::Generated) {
        let reason = format!("{name} is for readers");
        return Some(RoleVerdict::new("docs", 0.9, reason));
    }
    let own = matches!(
        role,
        FileRole::Source | FileRole::Document | FileRole::Config
    );
    if !own {
        return None;
    }
    if CONFIGURATION.contains(&name) || name.starts_with("tsconfig") {
        let reason = format!("{name} configures tools");
        return Some(RoleVerdict::new("config", 0.95, reason));
    }
    if role != FileRole::Source {
        return None;
    }
    if name.starts_with('.') && !indexed {
        let reason = "a hidden file configures tools";
        return Some(RoleVerdict::new("config", 0.8, reason));
    }
    let ending = name.rsplit_once('.')?.1.to_ascii_lowercase();
    let picture = PICTURES.contains(&ending.as_str());
    picture.then(|| RoleVerdict::new("docs", 0.7, "a picture"))
}

/// The word in [`KINDS`]; `user` for any other.
fn word_of_kind(kind: &str) -> &'static str {
    let known = KINDS.iter().find(|known| **known == kind);
    known.copied().unwrap_or("user")
}

/// The role of files of a kind of [`KINDS`].
fn role_of_word(kind: &str) -> FileRole {
    match kind {
        "library" | "vendor" => FileRole::Vendor,
        "generated" => FileRole::Generated,
        "test" => FileRole::Test,
        "example" => FileRole::Example,
        "docs" => FileRole::Document,
        "config" => FileRole::Config,
        _ => FileRole::Source,
    }
}

fn role_word(role: FileRole) -> &'static str {
    match role {
        FileRole::Source => "user",
        FileRole::Test => "test",
        FileRole::Vendor => "vendor",
        FileRole::Generated => "generated",
        FileRole::Example => "example",
        FileRole::Document => "docs",
        FileRole::Config => "config",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_sorted_with_a_reason() {
        let file_roles = FileRoleRules::default();
        for (path, kind, reason) in [
            ("src/app.ts", "user", "nothing says otherwise"),
            ("node_modules/lodash/index.js", "library", "node_modules"),
            ("vendor/github.com/x/y.go", "vendor", "vendor"),
            ("dist/bundle.js", "generated", "dist"),
            ("src/api.generated.ts", "generated", ".generated."),
            ("web/app.min.js", "generated", ".min."),
            ("src/app.test.ts", "test", ".test."),
            ("tests/conftest.py", "test", "tests"),
            ("package.json", "config", "configures"),
            ("tsconfig.build.json", "config", "json"),
            ("package-lock.json", "generated", "lock file"),
            ("docs/guide.md", "docs", "markdown"),
            ("examples/a.py", "example", "examples"),
            ("LICENSE-MIT", "docs", "readers"),
            ("LICENSE.txt", "docs", "readers"),
            (".envrc", "config", "hidden"),
            ("web/logo.svg", "docs", "picture"),
            ("src/名前.py", "user", "nothing"),
        ] {
            let found = file_roles.classify_file(path, None);
            assert_eq!(found.kind, kind, "{path}: {found:?}");
            assert!(found.reason.contains(reason), "{path}: {found:?}");
            assert!(found.confidence > 0.5 && found.confidence <= 1.0);
        }
        assert_eq!(file_roles.classify_folder("node_modules").kind, "library");
        assert_eq!(file_roles.classify_folder(".").kind, "user");
    }

    #[test]
    fn own_rules_come_first_and_mistakes_have_a_line() {
        let text = "vendor:\n  - legacy/\nboundaries:\n  library: [lib/*.js]\nrules:\n  - path: src/old/**\n    type: generated\n    reason: from the wizard\n";
        let file_roles = FileRoleRules::parse(text, "b.yaml").unwrap();
        let of = |path: &str| file_roles.classify_file(path, None);
        assert_eq!(of("legacy/deep/a.py").kind, "vendor");
        assert_eq!(of("lib/a.js").kind, "library");
        let old = of("src/old/a.py");
        assert_eq!((old.kind.as_str(), old.confidence), ("generated", 1.0));
        assert_eq!(old.reason, "rule src/old/** at b.yaml:6: from the wizard");
        for (text, line, reason) in [
            ("vendr:\n  - x\n", 1, "unknown kind vendr"),
            ("user:\n  - a\nvendor:\n  a: b\n", 3, "list of paths"),
            (
                "rules:\n  - path: a\n    type: ours\n",
                2,
                "unknown kind ours",
            ),
            ("rules:\n  - path: a\n", 2, "path and type"),
            ("- a\n", 1, "not a mapping"),
            ("a: [\n", 2, ""),
            (
                &format!("user:\n  - {}\n", "x".repeat(1_001)),
                2,
                "more than 1000 bytes",
            ),
        ] {
            let Err(wrong) = FileRoleRules::parse(text, "b.yaml") else {
                panic!("{text}");
            };
            assert!(wrong.reason.contains(reason), "{text}: {wrong:?}");
            assert!(wrong.line == line || reason.is_empty(), "{text}: {wrong:?}");
        }
    }

    #[test]
    fn secrets_in_reasons_are_blanked() {
        let token = format!("ghp_{}", "a1B2c3D4e".repeat(4));
        let text =
            format!("rules:\n  - path: a/**\n    type: vendor\n    reason: \"from {token}\"\n");
        let rules = FileRoleRules::parse(&text, "b.yaml").unwrap();
        let found = rules.classify_file("a/b.py", None);
        assert!(found.reason.contains(": from ") && !found.reason.contains(&token[8..]));
    }

    #[test]
    fn patterns_are_too_many_for_many_files() {
        let lines = |pattern: &str, count: usize| -> FileRoleRules {
            let lines: String = (0..count)
                .map(|n| format!("  - \"{pattern}{n}\"\n"))
                .collect();
            FileRoleRules::parse(&format!("user:\n{lines}"), "b.yaml").unwrap()
        };
        assert!(lines("src/*/old", 100).can_match_all(1_000_000));
        assert!(lines("src/*/old", 2_000).can_match_all(1_000));
        assert!(!lines("*a*b*c", 40_000).can_match_all(5_000));
    }
}
