//! The consequences of an impact for the author of a change: tests to run, owners, public API.

use crate::EngineError;
use crate::graph_state::GraphState;
use crate::session::Session;
use crate::workspace::Workspace;
use analysis::{AffectedFile, Owners};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;
use store::NodeFlags;

/// The most entries of a list besides that of affected symbols. Recommendations do not depend on how much of that list is shown.
pub(super) const MOST_LISTED: usize = 2_000;

/// Consequences of a change: tests, owners, and public API.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct ImpactReach {
    /// Number of source files with something affected.
    pub source_files: usize,
    /// The nearest of these.
    pub affected_files: Vec<String>,
    /// Number of files with tests to run.
    pub test_files: usize,
    /// The nearest of these.
    pub tests_to_run: Vec<TestFile>,
    /// Owners of the changed and of the affected files, by CODEOWNERS.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub owners: Vec<Owned>,
    /// The reason why owners are not known, if there is a CODEOWNERS file that cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owners_unread: Option<String>,
    /// Changed symbols that are visible outside their file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub public_api: Vec<String>,
}

/// A file with tests to run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TestFile {
    /// Its path.
    pub file_path: String,
    /// The first tests.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<String>,
}

/// An owner with the number of their files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Owned {
    /// The name in CODEOWNERS.
    pub owner: String,
    /// The number of their files that change.
    pub changed: usize,
    /// The number of their files with an affected symbol.
    pub affected: usize,
}

/// Sums up the consequences. `changed` are the changed files, `roots` the ids of the changed symbols.
pub(crate) fn summarize_reach(
    session: &Session<'_>,
    (changed, roots): (&[String], &[String]),
    files: &[AffectedFile],
) -> Result<ImpactReach, EngineError> {
    let shown = MOST_LISTED;
    let (rules, owners_unread) = if session.is_shared() {
        (Owners::default(), None)
    } else {
        read_codeowners(session.workspace())
    };
    let is_test = |f: &&AffectedFile| f.test;
    let sources = files.iter().filter(|f| !f.test);
    let mut tests: BTreeMap<&str, TestFile> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    // A changed test is to be run itself.
    let is_code = |p: &&String| base::Language::from_path(p).is_some() && base::is_test_path(p);
    for path in changed.iter().filter(is_code) {
        order.push(path);
        let file_path = path.clone();
        tests.insert(
            path,
            TestFile {
                file_path,
                tests: Vec::new(),
            },
        );
    }
    for file in files.iter().filter(is_test) {
        let known = tests.entry(&file.file_path).or_insert_with(|| {
            order.push(&file.file_path);
            TestFile {
                file_path: file.file_path.clone(),
                tests: Vec::new(),
            }
        });
        known.tests.extend(file.tests.iter().cloned());
    }
    let (owners, unasked) = count_owners(&rules, changed, files, shown);
    let too_many = (unasked > 0).then(|| {
        format!("CODEOWNERS has too many rules: owners of {unasked} files are not counted")
    });
    let not_read = (rules.left_out > 0).then(|| {
        let left = rules.left_out;
        format!("CODEOWNERS has rules with too many owners: {left} are not counted")
    });
    Ok(ImpactReach {
        source_files: sources.clone().count(),
        affected_files: sources.map(|f| f.file_path.clone()).take(shown).collect(),
        test_files: order.len(),
        tests_to_run: order
            .iter()
            .take(shown)
            .filter_map(|p| tests.remove(p))
            .collect(),
        owners,
        owners_unread: owners_unread.or(too_many).or(not_read),
        public_api: public_api(&session.state, roots, shown)?,
    })
}

/// The most steps for matching CODEOWNERS, and the additional steps for each file.
const STEPS: u64 = 20_000_000;
const STEPS_OF_FILE: u64 = 10_000;

/// Counts files by owner. Also returns the number of files that were not matched, because there are too many rules for so many
/// files.
fn count_owners(
    rules: &Owners,
    changed: &[String],
    files: &[AffectedFile],
    shown: usize,
) -> (Vec<Owned>, usize) {
    let mut by_rule: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    let mut steps = STEPS + STEPS_OF_FILE * (changed.len() + files.len()) as u64;
    let mut unasked = 0;
    let changed = changed.iter().map(|path| (path.as_str(), (1, 0)));
    let affected = files.iter().map(|file| (file.file_path.as_str(), (0, 1)));
    for (path, (changes, is_affected)) in changed.chain(affected) {
        let Some(rule) = rules.rule_within(path, &mut steps) else {
            unasked += 1;
            continue;
        };
        let known = by_rule.entry(rule).or_default();
        *known = (known.0 + changes, known.1 + is_affected);
    }
    let mut all: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (rule, (changes, affected)) in by_rule {
        for owner in rules.owners_by(rule) {
            let known = all.entry(owner).or_default();
            *known = (known.0 + changes, known.1 + affected);
        }
    }
    let mut list: Vec<Owned> = all
        .into_iter()
        .map(|(owner, (changed, affected))| Owned {
            owner: owner.to_owned(),
            changed,
            affected,
        })
        .collect();
    list.sort_by(|a, b| {
        let key = |o: &Owned| (o.changed, o.affected);
        key(b).cmp(&key(a)).then_with(|| a.owner.cmp(&b.owner))
    });
    list.truncate(shown);
    (list, unasked)
}

/// The most bytes of a CODEOWNERS file: hosting services accept no larger one.
const MOST_OWNERS: u64 = 3 << 20;

/// The first CODEOWNERS file of the three usual places; with the reason, where it cannot be read.
pub(in crate::ops) fn read_codeowners(workspace: &Workspace) -> (Owners, Option<String>) {
    for place in Owners::PLACES {
        match workspace.project().read_text(place, MOST_OWNERS) {
            Ok(text) => return (Owners::parse(&text), None),
            Err(error) if error.is_missing() => {}
            Err(error) => {
                let why = format!("{place} is not read: {}", error.reason());
                return (Owners::default(), Some(why));
            }
        }
    }
    (Owners::default(), None)
}

fn public_api(
    state: &GraphState,
    roots: &[String],
    shown: usize,
) -> Result<Vec<String>, EngineError> {
    let mut names = Vec::new();
    for id in roots {
        let Some(node) = state.names().by_id(id)? else {
            continue;
        };
        let public = node.flags.contains(NodeFlags::EXPORTED)
            && !node.flags.contains(NodeFlags::TEST)
            && !base::is_test_path(&node.file_path)
            && node.kind != "file";
        if public && names.len() < shown {
            names.push(format!(
                "{} ({})",
                node.qualified_or_symbol(),
                node.file_path
            ));
        }
    }
    names.sort();
    names.dedup();
    Ok(names)
}
