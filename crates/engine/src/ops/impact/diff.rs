//! The definitions that a diff changes.

use super::reach::MOST_LISTED;
use super::touched::{ChangedLines, touched};
use crate::graph_state::GraphState;
use crate::session::Session;
use crate::unresolved_calls::{UnresolvedCalls, find_unresolved_calls};
use crate::workspace::Workspace;
use crate::{EngineError, unread};
use base::stack::on_deep_stack;
use base::{Language, SymbolKind};
use ingest::diff::{self, DiffBase, FileChange, diff_lines};
use ingest::history::HistoryError;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use store::{Name, NodeFlags};
use syntax::facts::DefFlags;

/// The most removed names whose callers are searched.
const REMOVED: usize = 200;
/// The most definitions that are compared, of all files together; further files are not looked at.
const MOST_DEFINITIONS: usize = 100_000;
/// The most bytes of text that are parsed: 2,000 files of 12 KB, before and after.
const MOST_TEXT: usize = 48 << 20;
/// The most files that are parsed in memory at once.
const AT_ONCE: usize = 32;
/// The most bytes of their texts, if they are more than one.
const BYTES_AT_ONCE: usize = 8 << 20;

/// A diff with the definitions that it changes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct DiffImpact {
    /// The two states that are compared, in words.
    pub against: String,
    /// The number of files that differ.
    pub total_files: usize,
    /// The first of these.
    pub changed_files: Vec<ChangedFile>,
    /// The number of definitions that differ.
    pub total_changed: usize,
    /// The first of these.
    pub changed: Vec<ChangedSymbol>,
    /// Calls of removed names that no longer resolve.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub still_called: Vec<UnresolvedCalls>,
    /// Removed names whose calls were not searched, because there are too many names.
    #[serde(skip_serializing_if = "is_zero")]
    pub removed_unsearched: usize,
    /// Files that differ and could not be compared: too large, no text, or too many with too many definitions.
    #[serde(skip_serializing_if = "is_zero")]
    pub passed_over: usize,
    /// Files of code among those that differ that are not in the graph, each with the reason: what they affect is not known.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub not_in_graph: BTreeMap<String, String>,
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// A file that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChangedFile {
    /// Its path.
    pub file_path: String,
    /// `added`, `removed`, `renamed` or `modified`.
    pub change: &'static str,
    /// Lines that were added or changed.
    pub lines_added: u32,
    /// Lines that were removed or changed.
    pub lines_removed: u32,
}

/// A definition that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChangedSymbol {
    /// Its name, dotted within its file.
    pub symbol: String,
    /// Its kind.
    pub kind: String,
    /// Its file.
    pub file_path: String,
    /// Its first line. For a removed definition: the last line that it had.
    pub line: u32,
    /// `added`, `modified` or `removed`.
    pub change: &'static str,
}

/// The changed definitions of a diff, by id, with their files.
pub(crate) struct ChangedDefinitions {
    pub ids: Vec<String>,
    pub paths: Vec<String>,
    pub diff: DiffImpact,
}

pub(crate) fn changed_definitions(
    session: &Session<'_>,
    against: &DiffBase,
) -> Result<ChangedDefinitions, EngineError> {
    let (root, cancel) = (&session.project().root, session.workspace().cancel());
    let found = diff::diff_until(root, against, cancel).map_err(|error| match error {
        HistoryError::Revision(_) => EngineError::bad_arguments(error.to_string())
            .with_hint("give a branch, a tag, a commit or HEAD~1; a shallow clone may not have it"),
        HistoryError::NoRepository(_) | HistoryError::Elsewhere(_) | HistoryError::Empty(_) => {
            EngineError::bad_arguments(format!("{error}: cannot compare"))
        }
        other => EngineError::runtime_failure(other.to_string()),
    })?;
    let mut out = ChangedDefinitions {
        ids: Vec::new(),
        paths: Vec::new(),
        diff: DiffImpact {
            against: match against {
                DiffBase::Since(revision) => format!("{revision} and the files on disk"),
                DiffBase::Staged => "HEAD and what is staged".to_owned(),
            },
            passed_over: found.passed_over,
            not_in_graph: unread::unread_changes(
                session,
                found.files.iter().map(|file| file.path.as_str()),
            )?,
            ..DiffImpact::default()
        },
    };
    let mut added: BTreeSet<String> = BTreeSet::new();
    let mut removed: Vec<ChangedSymbol> = Vec::new();
    let mut room = DiffBudget::default();
    let mut rest = found.files.as_slice();
    while !rest.is_empty() {
        session.check_cancelled()?;
        let (files, others) = rest.split_at(at_once(rest));
        rest = others;
        let files: Vec<&FileChange> = files.iter().filter(|file| room.admit(file)).collect();
        let texts = Texts::default();
        let read = files
            .par_iter()
            .map(|file| FileDiff::from_change(file, &texts));
        let read: Vec<FileDiff> = read.collect();
        for (file, read) in files.into_iter().zip(read) {
            if room.definitions == 0 {
                room.passed_over += 1;
                continue;
            }
            let moves = (&mut added, &mut removed);
            let had = out.ids.len() + moves.1.len();
            let before = read.before.len();
            add_changed_file(session, (file, read), &mut out, moves)?;
            let more = out.ids.len() + removed.len() - had;
            room.definitions = room.definitions.saturating_sub(before.max(more));
        }
    }
    out.diff.passed_over += room.passed_over;
    // A definition that is now in another changed file has moved.
    removed.retain(|gone| !added.contains(&gone.symbol));
    find_still_called(session, &removed, &mut out.diff)?;
    out.diff.changed.extend(removed);
    out.diff.total_changed = out.diff.changed.len();
    out.diff.changed.truncate(MOST_LISTED);
    out.diff.total_files = out.diff.changed_files.len();
    out.diff.changed_files.truncate(MOST_LISTED);
    Ok(out)
}

/// Finds calls of removed names that no definition has any more.
fn find_still_called(
    session: &Session<'_>,
    removed: &[ChangedSymbol],
    diff: &mut DiffImpact,
) -> Result<(), EngineError> {
    let mut names = BTreeSet::new();
    for gone in removed {
        let name = gone.symbol.rsplit('.').next().unwrap_or_default();
        if !names.insert(name) {
            continue;
        }
        if names.len() > REMOVED {
            diff.removed_unsearched += 1;
        } else if session.names().by_symbol(name)?.is_empty() {
            let files = std::slice::from_ref(&gone.file_path);
            let calls = find_unresolved_calls(session, name, files)?;
            diff.still_called.extend(calls);
        }
    }
    Ok(())
}

/// The remaining budget of a comparison. A commit of a few KB may name more files than can be read, with more definitions than
/// can be kept.
struct DiffBudget {
    definitions: usize,
    bytes: usize,
    passed_over: usize,
}

impl Default for DiffBudget {
    fn default() -> DiffBudget {
        DiffBudget {
            definitions: MOST_DEFINITIONS,
            bytes: MOST_TEXT,
            passed_over: 0,
        }
    }
}

impl DiffBudget {
    /// Whether the budget admits this file; counts refused ones.
    fn admit(&mut self, file: &FileChange) -> bool {
        if self.bytes == 0 || self.definitions == 0 {
            self.passed_over += 1;
            return false;
        }
        self.bytes = self.bytes.saturating_sub(bytes(file));
        true
    }
}

fn bytes(file: &FileChange) -> usize {
    let texts = [&file.old, &file.new].into_iter().flatten();
    texts.map(|text| text.len()).sum()
}

/// The number of files to read together.
fn at_once(files: &[FileChange]) -> usize {
    let mut taken = 0;
    let fits = files.iter().take(AT_ONCE).take_while(|file| {
        taken += bytes(file);
        taken <= BYTES_AT_ONCE
    });
    fits.count().max(1)
}

/// Definitions of texts, shared by files with the same text: by its address and the language that it is read as.
#[derive(Default)]
struct Texts(Mutex<HashMap<(usize, Option<Language>), OnceDefinitions>>);

/// Definitions of a text, parsed at the first use.
type OnceDefinitions = Arc<OnceLock<Arc<Definitions>>>;

impl Texts {
    fn parse_definitions(&self, path: &str, text: Option<&Arc<str>>) -> Arc<Definitions> {
        let Some(text) = text else {
            return Arc::default();
        };
        let key = (
            text.as_ptr() as usize,
            Language::of_file(path, text.as_bytes()),
        );
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let one = known.entry(key).or_default().clone();
        drop(known);
        one.get_or_init(|| Arc::new(parse_definitions(path, text)))
            .clone()
    }
}

/// The changes of a file, from its texts alone.
struct FileDiff {
    hunks: Vec<diff::Hunk>,
    before: Arc<Definitions>,
    stretches: Vec<ChangedLines>,
}

impl FileDiff {
    fn from_change(file: &FileChange, texts: &Texts) -> FileDiff {
        let old = file.old.as_deref().unwrap_or_default();
        let differ = diff_lines(old, file.new.as_deref().unwrap_or_default());
        let old_path = file.old_path.as_ref().unwrap_or(&file.path);
        FileDiff {
            before: texts.parse_definitions(old_path, file.old.as_ref()),
            stretches: changed_line_ranges(file, &differ),
            hunks: differ,
        }
    }
}

fn add_changed_file(
    session: &Session<'_>,
    (file, read): (&FileChange, FileDiff),
    out: &mut ChangedDefinitions,
    (added, removed): (&mut BTreeSet<String>, &mut Vec<ChangedSymbol>),
) -> Result<(), EngineError> {
    out.paths.push(file.path.clone());
    out.diff.changed_files.push(summary(file, &read.hunks));
    let before = read.before;
    let nodes = if file.new.is_some() {
        definitions_in_index(&session.state, &file.path)?
    } else {
        Vec::new()
    };
    // Of a file that the index does not have, nothing is known to be removed.
    let is_known = file.new.is_none()
        || !nodes.is_empty()
        || session.store().indexed_file(&file.path)?.is_some();
    if is_known {
        removed.extend(removed_definitions(file, &before, &nodes));
    }
    let new = file.new.as_deref().unwrap_or_default();
    let lines = map_to_disk_lines(session.workspace(), &file.path, new, read.stretches);
    let definitions = touched(&nodes, &lines);
    for node in definitions {
        let name = node.qualified_or_symbol().to_owned();
        let is_new = !before.contains_key(&name);
        if is_new {
            added.insert(name.clone());
        }
        out.ids.push(node.id.clone());
        out.diff.changed.push(ChangedSymbol {
            symbol: name,
            kind: node.kind.clone(),
            file_path: node.file_path.clone(),
            line: node.line_start.unwrap_or(1),
            change: if is_new { "added" } else { "modified" },
        });
    }
    Ok(())
}

fn summary(file: &FileChange, differ: &[diff::Hunk]) -> ChangedFile {
    ChangedFile {
        file_path: file.path.clone(),
        change: match (&file.old, &file.new, &file.old_path) {
            (None, ..) => "added",
            (_, None, _) => "removed",
            (_, _, Some(_)) => "renamed",
            _ => "modified",
        },
        lines_added: differ.iter().map(|h| h.new.1).sum(),
        lines_removed: differ.iter().map(|h| h.old.1).sum(),
    }
}

/// Definitions that the old text had and the file no longer has.
fn removed_definitions(
    file: &FileChange,
    before: &Definitions,
    nodes: &[Name],
) -> Vec<ChangedSymbol> {
    let now: BTreeSet<&str> = nodes.iter().map(Name::qualified_or_symbol).collect();
    let gone = before
        .iter()
        .filter(|(name, _)| !now.contains(name.as_str()));
    gone.map(|(name, (kind, line))| ChangedSymbol {
        symbol: name.clone(),
        kind: kind.clone(),
        file_path: file.path.clone(),
        line: *line,
        change: "removed",
    })
    .collect()
}

/// Kinds and lines by dotted name.
type Definitions = BTreeMap<String, (String, u32)>;

/// Definitions of a text.
fn parse_definitions(path: &str, text: &str) -> Definitions {
    let Some(language) = Language::of_file(path, text.as_bytes()).filter(|_| !text.is_empty())
    else {
        return BTreeMap::new();
    };
    let facts = on_deep_stack(|| languages::extract(language, text));
    let mut found = BTreeMap::new();
    for (number, def) in (0..).zip(&facts.defs) {
        let id = syntax::facts::DefId(number);
        if def.flags.has(DefFlags::LOCAL) || def.kind == SymbolKind::Parameter {
            continue;
        }
        if facts.enclosing_node_def(Some(id)) == Some(id) && facts.name(def.name) != "<anonymous>" {
            let kind = def.kind.as_str().to_owned();
            found
                .entry(facts.qualified_name(id))
                .or_insert((kind, def.name_line));
        }
    }
    found
}

fn definitions_in_index(state: &GraphState, path: &str) -> Result<Vec<Name>, EngineError> {
    let mut nodes = state.names().by_file(path)?;
    nodes.retain(|n| {
        n.kind != "file" && n.kind != "parameter" && !n.flags.contains(NodeFlags::LOCAL)
    });
    Ok(nodes)
}

/// Changed ranges of lines with code, in the new text. Where code was only removed, the lines around the gap.
fn changed_line_ranges(file: &FileChange, differ: &[diff::Hunk]) -> Vec<ChangedLines> {
    let path = file.old_path.as_ref().unwrap_or(&file.path);
    let (old, new) = (
        file.old.as_deref().unwrap_or_default(),
        file.new.as_deref().unwrap_or_default(),
    );
    let before = LazyCell::new(|| CodeLines::parse(path, old, differ.iter().map(|h| h.old)));
    let after = CodeLines::parse(&file.path, new, differ.iter().map(|h| h.new));
    let mut lines: Vec<ChangedLines> = Vec::new();
    let range = |first, last, is_gap| ChangedLines {
        first,
        last,
        is_gap,
    };
    for hunk in differ {
        let (from, count) = hunk.new;
        let mut start = None;
        let had = lines.len();
        for line in from..from + count {
            match (after.is_code_line(line), start) {
                (true, None) => start = Some(line),
                (false, Some(first)) => {
                    lines.push(range(first, line - 1, false));
                    start = None;
                }
                _ => {}
            }
        }
        lines.extend(start.map(|first| range(first, from + count - 1, false)));
        // Comments do not matter to a program, whether added or removed.
        let (old, gone) = hunk.old;
        if lines.len() == had && (old..old + gone).any(|line| before.is_code_line(line)) {
            lines.push(range(from.saturating_sub(1).max(1), from + count, true));
        }
    }
    lines
}

/// For each line of a text, whether it has code.
struct CodeLines(Vec<bool>);

impl CodeLines {
    /// Marks code lines for the given ranges. The text is parsed only where one of them may contain a comment.
    fn parse(path: &str, text: &str, asked: impl Iterator<Item = (u32, u32)>) -> CodeLines {
        let lines: Vec<&str> = text.lines().collect();
        let mut stretches = asked.map(|(from, count)| {
            let from = (from as usize).saturating_sub(1).min(lines.len());
            &lines[from..(from + count as usize).min(lines.len())]
        });
        let mut may_have_comment = |language: Language| {
            let comments = &language.profile().comments;
            // A string that is documentation begins and continues like any other.
            comments.documentation_strings
                || stretches.any(|s| s.iter().any(|line| comments.may_be_comment(line)))
        };
        CodeLines(
            match Language::of_file(path, text.as_bytes()).filter(|l| may_have_comment(*l)) {
                Some(language) => languages::code_lines(language, text),
                None => lines.iter().map(|line| !line.trim().is_empty()).collect(),
            },
        )
    }

    /// Whether a line, counted from 1, has code.
    fn is_code_line(&self, line: u32) -> bool {
        let at = (line as usize).checked_sub(1);
        at.and_then(|at| self.0.get(at)).is_some_and(|code| *code)
    }
}

/// The most bytes of a file whose lines are compared.
const MOST_BYTES: u64 = 16 << 20;

/// The ranges as lines of the file on disk, which the index describes.
fn map_to_disk_lines(
    workspace: &Workspace,
    path: &str,
    new: &str,
    lines: Vec<ChangedLines>,
) -> Vec<ChangedLines> {
    let disk = workspace.project().read_text(path, MOST_BYTES).ok();
    let Some(disk) = disk.filter(|disk| disk != new) else {
        return lines;
    };
    // For a file edited again after staging: lines shift by the edits above them.
    let moved = diff_lines(new, &disk);
    let sums = moved.iter().scan(0, |by, h| {
        *by += i64::from(h.new.1) - i64::from(h.old.1);
        Some(*by)
    });
    let sums: Vec<i64> = sums.collect();
    let shift = |line: u32| {
        let above = moved.partition_point(|h| h.old.0 + h.old.1 <= line);
        let by = above.checked_sub(1).map_or(0, |last| sums[last]);
        u32::try_from((i64::from(line) + by).max(1)).unwrap_or(1)
    };
    let shifted = |range: ChangedLines| ChangedLines {
        first: shift(range.first),
        last: shift(range.last),
        ..range
    };
    lines.into_iter().map(shifted).collect()
}
