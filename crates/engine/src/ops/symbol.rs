//! `symbol`: one symbol or file with its source, complexity, members, history and owners.

use super::complexity::functions_of;
use super::impact::reach::read_codeowners;
use crate::operation::{Access, operation};
use crate::session::Session;
use crate::snippet::FileSnapshot;
use crate::symbols::{self, Definitions};
use crate::workspace::Workspace;
use crate::{EngineError, IndexInfo, heat, unread};
use analysis::FunctionMeasure;
use ingest::history::{History, HistoryError};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use store::{FileRecord, Name, NodeFlags, NodeRecord};

/// The most lines of source that are given.
const MOST_LINES: u32 = 2_000;
/// The most members that are listed.
const MOST_MEMBERS: usize = 1_000;
/// The most commits that are listed.
const COMMITS: usize = 12;
/// The most authors that are listed.
const AUTHORS: usize = 6;
/// The most steps for matching CODEOWNERS against one path.
const OWNER_STEPS: u64 = 20_000_000;

/// One symbol or file.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SymbolRequest {
    /// name, Class.method, path:line, path::name, id, or the path of a file
    pub symbol: String,
    /// Give the source
    #[serde(default = "default_true")]
    pub source: bool,
    /// Give history and owners of the file
    #[serde(default = "default_true")]
    pub history: bool,
}

fn default_true() -> bool {
    true
}

impl SymbolRequest {
    /// A request for everything about a symbol.
    pub fn new(symbol: impl Into<String>) -> SymbolRequest {
        SymbolRequest {
            symbol: symbol.into(),
            source: true,
            history: true,
        }
    }
}

/// Source text. Likely secrets are masked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SourceText {
    /// The number of its first line.
    pub first_line: u32,
    /// The lines.
    pub text: String,
    /// The number of lines that are not given.
    #[serde(skip_serializing_if = "is_zero")]
    pub lines_left_out: u32,
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// A definition inside the symbol or file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SymbolMember {
    /// Its id.
    pub id: String,
    /// Its name, dotted within its file.
    pub symbol: String,
    /// Kind of symbol.
    pub kind: String,
    /// First line.
    pub line: u32,
    /// Last line.
    pub line_end: u32,
}

/// A commit that changed the file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CommitNote {
    /// The first digits of its id.
    pub id: String,
    /// The day, in UTC.
    pub date: String,
    /// Its author.
    pub author: String,
    /// The first line of its message.
    pub subject: String,
}

/// The changes of a file, as far back as its history is read.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct FileHistory {
    /// Commits that changed the file.
    pub commits: usize,
    /// The authors with the most commits, and the number of these.
    pub authors: Vec<(String, usize)>,
    /// The number of authors.
    pub author_count: usize,
    /// Its heat, 0–1: how often and lately it changed, times its complexity. 1 for the hottest file of
    /// the repository.
    pub heat: f64,
    /// The newest commits.
    pub recent: Vec<CommitNote>,
    /// Whether the history reaches the first commit.
    pub complete: bool,
}

/// A symbol or file with everything but its calls.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SymbolAnswer {
    /// The version of this shape.
    pub schema_version: &'static str,
    /// The id.
    pub id: String,
    /// Name, dotted within its file; the path of a file.
    pub symbol: String,
    /// Kind of symbol.
    pub kind: String,
    /// The file.
    pub file_path: String,
    /// First line.
    pub line: u32,
    /// Last line.
    pub line_end: u32,
    /// The signature on one line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// First paragraph of the documentation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doc: Option<String>,
    /// Whether it is visible outside its file.
    pub exported: bool,
    /// Whether it is a test.
    pub test: bool,
    /// The role of the file: user, library, vendor, generated, test, example, docs or config.
    pub role: String,
    /// The language of the file.
    pub language: String,
    /// The source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<SourceText>,
    /// The measures of a function.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity: Option<FunctionMeasure>,
    /// Definitions inside, in order of line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub members: Vec<SymbolMember>,
    /// The number of definitions inside that are not listed.
    #[serde(skip_serializing_if = "is_zero")]
    pub members_left_out: u32,
    /// The changes of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<FileHistory>,
    /// The reason why there is no history.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_history: Option<String>,
    /// Owners of the file, by CODEOWNERS.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub owners: Vec<String>,
    /// The reason why owners are unknown, where a CODEOWNERS file cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owners_unread: Option<String>,
    /// The symbols to choose from, where several have the name; the answer is about the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definitions: Option<Definitions>,
    /// The state of the index.
    pub index: IndexInfo,
}

operation! {
    /// One symbol or file.
    SymbolOperation {
        name: "symbol",
        request: SymbolRequest => SymbolAnswer,
        access: |_| Access::Read,
        // No tool: an agent reads the file, or asks for the context of a question.
        tool: None,
        answer: describe_symbol,
    }
}

pub(crate) fn describe_symbol(
    workspace: &Workspace,
    request: &SymbolRequest,
) -> Result<SymbolAnswer, EngineError> {
    let (answer, index) = workspace.ask(|session| describe_once(session, request))?;
    Ok(SymbolAnswer { index, ..answer })
}

/// The answer besides the state of the index.
fn describe_once(
    session: &Session<'_>,
    request: &SymbolRequest,
) -> Result<SymbolAnswer, EngineError> {
    let (node, definitions) = find_node(session, &request.symbol)?;
    let path = node.file_path.clone();
    session.check_files(&BTreeSet::from([path.as_str()]))?;
    let record = session.store().indexed_file(&path)?;
    let record = record.as_ref();
    let note = |note| session.workspace().record_repair(note);
    let rules = &session.workspace().shared().file_role_rules;
    let roles = rules.rules(session.project(), session.store().file_count()?, &note);
    if let Some(record) = record.filter(|record| record.syntax_errors > 0) {
        session.note(format!(
            "{} has syntax errors: parts may be unread",
            record.path
        ));
    }
    let mut answer = SymbolAnswer {
        schema_version: "1.0",
        symbol: shown_name(&node).to_owned(),
        line: node.line_start.unwrap_or(0),
        line_end: node.line_end.unwrap_or(0),
        exported: node.flags.contains(NodeFlags::EXPORTED),
        test: node.flags.contains(NodeFlags::TEST) || base::is_test_path(&path),
        role: record
            .map_or("user", |record| roles.of_record(record))
            .to_owned(),
        language: record.map_or_else(String::new, |record| record.language.clone()),
        source: None,
        complexity: record.and_then(|record| measure_of(session, &node, record)),
        members: Vec::new(),
        members_left_out: 0,
        history: None,
        no_history: None,
        owners: Vec::new(),
        owners_unread: None,
        definitions,
        index: IndexInfo::default(),
        id: node.id.clone(),
        kind: node.kind.clone(),
        signature: node.signature.clone(),
        doc: node.doc.clone(),
        file_path: path,
    };
    add_members(session, &node, &mut answer)?;
    if request.source && !session.is_shared() {
        answer.source = source_of(session, &answer);
    }
    if request.history && !session.is_shared() {
        add_history(session, &mut answer)?;
        add_owners(session, &mut answer);
    }
    Ok(answer)
}

/// The node that is meant: a symbol, or a file by its path.
fn find_node(
    session: &Session<'_>,
    argument: &str,
) -> Result<(NodeRecord, Option<Definitions>), EngineError> {
    let names = session.names();
    let is_id = names.by_id(argument)?.is_some();
    let file = if is_id {
        None
    } else {
        symbols::indexed_file(names, session.project(), argument)?
    };
    let (id, definitions) = match file {
        Some(path) => {
            let nodes = names.by_file(&path)?;
            let whole = nodes.into_iter().find(|node| node.kind == "file");
            (whole.map(|node| node.id), None)
        }
        None => {
            let (ids, definitions) = symbols::resolve_all(session, argument)?;
            (ids.into_iter().next(), definitions)
        }
    };
    let node = match id {
        Some(id) => session.store().node(&id)?,
        None => None,
    };
    match node {
        Some(node) => Ok((node, definitions)),
        None => Err(match unread::skipped_reason(session, argument)? {
            Some(reason) => {
                EngineError::bad_arguments(format!("{argument} is not in the graph: {reason}"))
            }
            None => EngineError::bad_arguments(format!("symbol not found: {argument}")),
        }),
    }
}

fn shown_name(node: &NodeRecord) -> &str {
    match node.kind.as_str() {
        "file" => &node.file_path,
        _ => node.qualified_name.as_deref().unwrap_or(&node.symbol),
    }
}

/// The measures of a function with a body.
fn measure_of(
    session: &Session<'_>,
    node: &NodeRecord,
    record: &FileRecord,
) -> Option<FunctionMeasure> {
    let is_callable =
        base::SymbolKind::parse(&node.kind).is_some_and(base::SymbolKind::is_callable);
    if !is_callable || session.is_shared() {
        return None;
    }
    let functions = functions_of(session.workspace(), record)?;
    let name = shown_name(node);
    let at = node.line_start.unwrap_or(0);
    let same = functions.iter().filter(|f| f.symbol == name);
    let found = same.min_by_key(|f| f.line.abs_diff(at))?;
    Some(FunctionMeasure {
        file_path: record.path.clone(),
        ..found.clone()
    })
}

/// Definitions of the file inside the symbol, without local ones.
fn add_members(
    session: &Session<'_>,
    node: &NodeRecord,
    answer: &mut SymbolAnswer,
) -> Result<(), EngineError> {
    let name = shown_name(node);
    let is_file = node.kind == "file";
    let is_inside = |other: &Name| {
        let full = other.qualified_or_symbol();
        let rest = full.strip_prefix(name);
        is_file || rest.is_some_and(|rest| rest.starts_with('.'))
    };
    let mut found = session.names().by_file(&node.file_path)?;
    found.retain(|other| {
        other.id != node.id
            && other.kind != "file"
            && other.kind != "parameter"
            && !other.flags.contains(NodeFlags::LOCAL)
            && is_inside(other)
    });
    found.sort_by_key(|other| (other.line_start, other.line_end, other.id.clone()));
    answer.members_left_out = found.len().saturating_sub(MOST_MEMBERS) as u32;
    let members = found
        .into_iter()
        .take(MOST_MEMBERS)
        .map(|other| SymbolMember {
            symbol: other.qualified_or_symbol().to_owned(),
            line: other.line_start.unwrap_or(0),
            line_end: other.line_end.unwrap_or(0),
            id: other.id,
            kind: other.kind,
        });
    answer.members = members.collect();
    Ok(())
}

fn source_of(session: &Session<'_>, answer: &SymbolAnswer) -> Option<SourceText> {
    let first = answer.line.max(1);
    let last = answer.line_end.max(first);
    let shown = last.min(first.saturating_add(MOST_LINES - 1));
    let file = FileSnapshot::read(session.project(), &answer.file_path)?;
    let text = file.masked_lines(first, shown);
    Some(SourceText {
        first_line: first,
        text,
        lines_left_out: last - shown,
    })
}

fn add_history(session: &Session<'_>, answer: &mut SymbolAnswer) -> Result<(), EngineError> {
    match heat::history_with_messages(session.workspace()) {
        Ok(history) => {
            let heat = session.heat()?.score(&answer.file_path);
            answer.history = Some(history_of(&history, &answer.file_path, heat));
        }
        Err(
            error @ (HistoryError::NoRepository(_)
            | HistoryError::Elsewhere(_)
            | HistoryError::Empty(_)),
        ) => answer.no_history = Some(error.to_string()),
        Err(error) => return Err(EngineError::runtime_failure(error.to_string())),
    }
    Ok(())
}

fn history_of(history: &History, path: &str, heat: f64) -> FileHistory {
    let number = history.files.iter().position(|file| file == path);
    let Some(number) = number else {
        return FileHistory {
            complete: history.complete,
            ..FileHistory::default()
        };
    };
    let number = number as u32;
    let author = |of: u32| {
        history
            .authors
            .get(of as usize)
            .cloned()
            .unwrap_or_default()
    };
    let mut found = FileHistory {
        heat: (heat * 1000.0).round() / 1000.0,
        complete: history.complete,
        ..FileHistory::default()
    };
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    let changed = history.commits.iter();
    for commit in changed.filter(|commit| commit.files.binary_search(&number).is_ok()) {
        found.commits += 1;
        *counts.entry(commit.author).or_default() += 1;
        if found.recent.len() < COMMITS {
            found.recent.push(CommitNote {
                id: commit.id.clone(),
                date: text::date::utc(commit.time).chars().take(10).collect(),
                author: author(commit.author),
                subject: commit.subject.clone(),
            });
        }
    }
    let mut authors: Vec<(String, usize)> = counts
        .into_iter()
        .map(|(of, commits)| (author(of), commits))
        .collect();
    authors.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    found.author_count = authors.len();
    authors.truncate(AUTHORS);
    found.authors = authors;
    found
}

fn add_owners(session: &Session<'_>, answer: &mut SymbolAnswer) {
    let (rules, unread) = read_codeowners(session.workspace());
    let mut steps = OWNER_STEPS;
    let owners = rules.owners_within_budget(&answer.file_path, &mut steps);
    answer.owners_unread = unread.or_else(|| {
        let line = "CODEOWNERS has too many rules";
        owners.is_none().then(|| line.to_owned())
    });
    answer.owners = owners.unwrap_or_default().to_vec();
}
