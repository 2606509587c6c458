//! `pattern`: patterns that a code base follows nearly always, learned from itself, and the places that deviate.

mod file;

use super::arguments::in_range;
use crate::memory::WorkingSet;
use crate::operation::{Access, Operation, Tool, operation};
use crate::ops::boundary::FileRoleRules;
use crate::ops::clock;
use crate::project::no_match_error;
use crate::session::Session;
use crate::workspace::Workspace;
use crate::{EngineError, IndexInfo, unread};
use analysis::pattern::{
    Code, Deviation, ExternalCalls, LEAST_NODES, Observations, Pattern, PatternKind, PatternTuning,
    find_deviations, learn_patterns, observe_all, observe_statements,
};
use file::PatternFile;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeSet;
use std::time::SystemTime;
use store::Snapshot;

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline, description = "")]
pub enum PatternAction {
    /// Find patterns and keep them
    #[default]
    Learn,
    /// List places that break a learned pattern
    Check,
    /// List the learned patterns
    List,
    /// Lower the confidence of patterns that were not confirmed for days
    Decay,
}

/// Kinds of pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
pub enum PatternKindArg {
    /// Names
    Naming,
    /// Calls that follow each other
    #[cfg_attr(feature = "cli", value(alias = "call_sequence"))]
    CallSequence,
    /// What types contain and extend
    Structure,
    /// Imports
    Import,
    /// Error handling
    #[cfg_attr(feature = "cli", value(alias = "error_handling"))]
    ErrorHandling,
}

impl From<PatternKindArg> for PatternKind {
    fn from(kind: PatternKindArg) -> PatternKind {
        match kind {
            PatternKindArg::Naming => PatternKind::Naming,
            PatternKindArg::CallSequence => PatternKind::CallSequence,
            PatternKindArg::Structure => PatternKind::Structure,
            PatternKindArg::Import => PatternKind::Import,
            PatternKindArg::ErrorHandling => PatternKind::ErrorHandling,
        }
    }
}

/// What a code base does nearly always.
#[derive(Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct PatternRequest {
    /// The action
    #[schemars(description = "")]
    #[cfg_attr(feature = "cli", arg(skip))]
    pub action: PatternAction,
    /// Has no effect: patterns are always discovered
    #[schemars(skip)]
    #[cfg_attr(feature = "cli", arg(long, hide = true))]
    pub auto_discover: bool,
    /// Minimum occurrences of a pattern, 1-100 [default: 3]
    #[schemars(description = "Minimum occurrences of a pattern, 1-100")]
    #[cfg_attr(feature = "cli", arg(long, allow_negative_numbers = true))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_frequency: Option<i64>,
    /// Only patterns of this kind
    #[schemars(description = "")]
    #[cfg_attr(
        feature = "cli",
        arg(long = "type", visible_alias = "kind", value_enum)
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<PatternKindArg>,
    /// Check only files that match this glob (*, **)
    #[cfg_attr(feature = "cli", arg(long, value_name = "GLOB"))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The file with the learned patterns [default: .devbooks/learned-patterns.json]
    #[cfg_attr(
        feature = "cli",
        arg(
            long,
            visible_alias = "patterns-file",
            visible_alias = "output",
            value_name = "FILE"
        )
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub patterns: Option<String>,
    /// Minimum confidence of a pattern, 0-1
    #[cfg_attr(
        feature = "cli",
        arg(long, visible_alias = "eliminate-threshold", value_name = "N")
    )]
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(skip)]
    pub confidence_threshold: Option<f64>,
}

/// Patterns, or the places that break them.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct PatternAnswer {
    /// The version of this shape.
    pub schema_version: &'static str,
    /// The patterns, by kind, the surest and most frequent first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patterns: Option<Vec<Pattern>>,
    /// The places that break a pattern, in order of file and line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deviations: Option<Vec<Deviation>>,
    /// The number of patterns or deviations.
    pub total: usize,
    /// The path of the file of patterns.
    pub file: String,
    /// Notes on the answer.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The state of the index.
    pub index: IndexInfo,
}

operation! {
    /// Patterns that code follows nearly always.
    PatternOperation {
        name: "pattern",
        request: PatternRequest => PatternAnswer,
        access: |request| match request.action {
            PatternAction::Check | PatternAction::List => Access::Read,
            PatternAction::Learn | PatternAction::Decay => Access::Write,
        },
        tool: Some(Tool {
            title: "Conventions",
            about: "Learn conventions of the code and find places that break them",
            pages: true,
            core: false,
            writes: true,
        }),
        answer: answer_client,
    }
}

/// A client may learn and forget patterns, but only in the project's usual file: any other path would be overwritten.
fn answer_client(
    workspace: &Workspace,
    request: &PatternRequest,
) -> Result<PatternAnswer, EngineError> {
    let writes = PatternOperation::access(request) == Access::Write;
    if writes && request.patterns.is_some() {
        return Err(
            EngineError::bad_arguments("a client may not name the file that is written")
                .with_hint("`knotwork pattern learn --patterns FILE` may"),
        );
    }
    answer_patterns(workspace, request)
}

pub(crate) fn answer_patterns(
    workspace: &Workspace,
    request: &PatternRequest,
) -> Result<PatternAnswer, EngineError> {
    let mut answer = PatternAnswer {
        schema_version: "1.0",
        ..PatternAnswer::default()
    };
    if !workspace.config().features().pattern_discovery {
        answer
            .warnings
            .push("Pattern discovery is disabled".to_owned());
        return Ok(answer);
    }
    let least = match request.min_frequency {
        Some(least) => in_range("min-frequency", least, 1, 100)? as usize,
        None => workspace.config().min_pattern_frequency(),
    };
    let threshold = request.confidence_threshold;
    if threshold.is_some_and(|t| !(0.0..=1.0).contains(&t)) {
        return Err(EngineError::bad_arguments(
            "invalid confidence threshold. Must be between 0 and 1",
        ));
    }
    let file = pattern_file_path(workspace, request)?;
    answer.file = file.display_path();
    match request.action {
        PatternAction::Learn => {
            let learn = |session: &Session<'_>| {
                unread::note_gaps(session)?;
                unread::note_languages_without_calls(session)?;
                learn_and_save(session, request, &file, least)
            };
            let (learned, index) = workspace.ask(learn)?;
            answer.patterns = Some(learned.patterns);
            answer.total = learned.total;
            answer.warnings.extend(learned.warnings);
            answer.index = index;
        }
        PatternAction::Check => {
            let mut patterns = stored_patterns(request, &file, &mut answer)?;
            patterns.retain(|p| p.confidence >= threshold.unwrap_or(0.0));
            if patterns.is_empty() {
                return Err(
                    EngineError::bad_arguments("no patterns have been learned here")
                        .with_hint("`knotwork pattern learn` finds and keeps them"),
                );
            }
            let check = |session: &Session<'_>| {
                unread::note_gaps(session)?;
                unread::note_languages_without_calls(session)?;
                check_patterns(session, request, &patterns, least)
            };
            let (checked, index) = workspace.ask(check)?;
            let (found, total) = (checked.found, checked.total);
            answer.warnings.extend(checked.left_out);
            answer.total = total;
            if found.len() < total {
                let left = total - found.len();
                let message =
                    format!("{left} deviations more are not listed; name a kind or files");
                answer.warnings.push(message);
            }
            answer.deviations = Some(found);
            answer.index = index;
        }
        PatternAction::List => list_patterns(request, &file, &mut answer)?,
        PatternAction::Decay => {
            let (left, dropped) =
                file.decay(clock::seconds(SystemTime::now()), threshold.unwrap_or(0.3))?;
            answer.total = left;
            answer
                .warnings
                .push(format!("{dropped} dropped, {left} left"));
        }
    }
    Ok(answer)
}

fn pattern_file_path(
    workspace: &Workspace,
    request: &PatternRequest,
) -> Result<PatternFile, EngineError> {
    let project = workspace.project();
    match &request.patterns {
        // The state folder may lie elsewhere.
        Some(path) if PatternFile::is_usual(project, &project.start.join(path)) => {
            Ok(PatternFile::usual(project))
        }
        Some(path) => PatternFile::from_path(project, &project.relative_path(path)?),
        None => Ok(PatternFile::usual(project)),
    }
}

/// The patterns learned now, merged with those known before.
struct Learned {
    patterns: Vec<Pattern>,
    total: usize,
    warnings: Vec<String>,
}

/// Observations of nodes and edges, which are rows of numbers, and the tables beside the graph.
const WORK: WorkingSet = WorkingSet {
    node: 100,
    edge: 48,
};

/// Patterns learned with other parameters than the product's, and not stored: for an evaluation.
pub(crate) fn learn_with(
    workspace: &Workspace,
    tuning: &PatternTuning,
) -> Result<Vec<Pattern>, EngineError> {
    let least = workspace.config().min_pattern_frequency();
    let (found, _) = workspace.ask(|session| {
        let graph = session.graph_for(WORK)?;
        let mut sources = Sources::load(session, &graph, tuning)?;
        let observed = sources.observe(&graph, tuning, &BTreeSet::new(), least);
        let now = clock::seconds(session.now());
        Ok(learn_patterns(&observed, least, tuning, now))
    })?;
    Ok(found)
}

fn learn_and_save(
    session: &Session<'_>,
    request: &PatternRequest,
    file: &PatternFile,
    least: usize,
) -> Result<Learned, EngineError> {
    let graph = session.graph_for(WORK)?;
    if graph.node_count() < LEAST_NODES {
        return Ok(Learned {
            patterns: Vec::new(),
            total: 0,
            warnings: vec![format!(
                "Insufficient data for pattern discovery (need >= {LEAST_NODES} nodes)"
            )],
        });
    }
    let tuning = PatternTuning::default();
    let mut sources = Sources::load(session, &graph, &tuning)?;
    session.check_cancelled()?;
    let now = clock::seconds(session.now());
    let observed = sources.observe(&graph, &tuning, &BTreeSet::new(), least);
    let found = learn_patterns(&observed, least, &tuning, now);
    let metadata = json!({
        "learned_at": now,
        "min_frequency": least,
        "total_nodes": graph.node_count(),
    });
    session.check_cancelled()?;
    session.project().prepare_state()?;
    let (merged, warning) = file.learn(found, metadata)?;
    let patterns = filter_by_kind(merged, request);
    Ok(Learned {
        total: patterns.len(),
        patterns,
        warnings: warning
            .into_iter()
            .chain(left_out_line(&observed))
            .collect(),
    })
}

fn filter_by_kind(mut patterns: Vec<Pattern>, request: &PatternRequest) -> Vec<Pattern> {
    if let Some(kind) = request.kind {
        patterns.retain(|p| p.kind == PatternKind::from(kind));
    }
    patterns
}

/// The stored patterns of the requested kind.
fn stored_patterns(
    request: &PatternRequest,
    file: &PatternFile,
    answer: &mut PatternAnswer,
) -> Result<Vec<Pattern>, EngineError> {
    let contents = file.read().map_err(|reason| {
        EngineError::runtime_failure(format!("{} {reason}", file.display_path()))
            .with_hint("`knotwork pattern learn` keeps it aside and writes a new one")
    })?;
    answer.warnings.extend(contents.note());
    Ok(filter_by_kind(contents.learned, request))
}

fn list_patterns(
    request: &PatternRequest,
    file: &PatternFile,
    answer: &mut PatternAnswer,
) -> Result<(), EngineError> {
    let patterns = stored_patterns(request, file, answer)?;
    answer.total = patterns.len();
    answer.patterns = Some(patterns);
    Ok(())
}

/// Deviations from patterns.
struct Checked {
    found: Vec<Deviation>,
    total: usize,
    /// A line on places that were not looked at.
    left_out: Option<String>,
}

fn left_out_line(observed: &Observations) -> Option<String> {
    let left_out = observed.left_out();
    (left_out > 0)
        .then(|| format!("{left_out} places of choices were not looked at: there are too many"))
}

fn check_patterns(
    session: &Session<'_>,
    request: &PatternRequest,
    patterns: &[Pattern],
    least: usize,
) -> Result<Checked, EngineError> {
    let graph = session.graph_for(WORK)?;
    let tuning = PatternTuning::default();
    let mut sources = Sources::load(session, &graph, &tuning)?;
    let known: BTreeSet<String> = patterns.iter().map(|p| p.key.clone()).collect();
    let observed = sources.observe(&graph, &tuning, &known, least);
    let glob = session.project().filter_glob(request.path.as_deref())?;
    if let Some(glob) = &glob
        && !(0..graph.file_count()).any(|file| glob.matches(graph.file_path(file as u32)))
    {
        return Err(no_match_error(request.path.as_deref()));
    }
    let is_asked = |file: &str| glob.as_ref().is_none_or(|glob| glob.matches(file));
    let (found, total) = find_deviations(patterns, &observed, &is_asked);
    Ok(Checked {
        found,
        total,
        left_out: left_out_line(&observed),
    })
}

/// Whether a file is documentation or an example, with conventions of its own.
fn is_sample_file(path: &str) -> bool {
    let words = [
        "doc",
        "docs",
        "example",
        "examples",
        "sample",
        "samples",
        "demo",
        "fixtures",
        "testdata",
        "benchmarks",
    ];
    let mut folders = path.split('/').rev().skip(1);
    folders.any(|folder| words.contains(&folder.trim_start_matches('_')))
}

/// The sources of patterns besides the graph.
struct Sources {
    uses: ExternalCalls,
    statements: Observations,
    files: Vec<String>,
    tests: Vec<String>,
}

impl Sources {
    fn load(
        session: &Session<'_>,
        graph: &Snapshot,
        tuning: &PatternTuning,
    ) -> Result<Sources, EngineError> {
        let mut uses = ExternalCalls::default();
        // Uses of one node follow each other.
        let mut last = (String::new(), None);
        session.store().for_each_use(&mut |one| {
            if one.symbol.is_empty() || one.count == 0 {
                return;
            }
            if last.0 != one.source_id {
                last = (one.source_id.to_owned(), graph.node_index(one.source_id));
            }
            if let Some(node) = last.1 {
                uses.add(node, one.line, one.package, one.symbol);
            }
        })?;
        let files = session.store().indexed_files()?;
        let rules = FileRoleRules::for_project(session.workspace(), files.len());
        let of = |kind: &str| {
            let files = files
                .values()
                .filter(|f| !f.source.starts_with("skipped") && rules.of_record(f) == kind);
            files.map(|f| f.path.clone()).collect::<Vec<String>>()
        };
        let mut own = of("user");
        own.retain(|path| !is_sample_file(path));
        let statements = observe_statements(session.store(), graph, &own, tuning)?;
        Ok(Sources {
            uses,
            statements,
            files: own,
            tests: of("test")
                .into_iter()
                .filter(|path| !is_sample_file(path))
                .collect(),
        })
    }

    /// The observations of these sources. Those of statements are given away.
    fn observe(
        &mut self,
        graph: &Snapshot,
        tuning: &PatternTuning,
        known: &BTreeSet<String>,
        least: usize,
    ) -> Observations {
        let statements = std::mem::take(&mut self.statements);
        let code = Code {
            graph,
            uses: &self.uses,
            files: &self.files,
            tests: &self.tests,
            tuning,
        };
        observe_all(&code, statements, known, least)
    }
}
