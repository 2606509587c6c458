//! From a diff to the definitions that it changes.

use super::by_name::{UnresolvedCalls, find_unresolved_calls};
use super::reach::list_limit;
use crate::EngineError;
use crate::graph_state::GraphState;
use crate::session::Session;
use crate::workspace::Workspace;
use base::{Language, SymbolKind};
use ingest::diff::{self, DiffBase, FileChange, diff_lines};
use ingest::history::HistoryError;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::Serialize;
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use store::{Name, NodeFlags};
use syntax::facts::DefFlags;

/// Removed names whose callers are looked for.
const REMOVED: usize = 12;

/// A diff and what it changes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, JsonSchema)]
pub struct DiffImpact {
    /// What is compared, in words.
    pub against: String,
    /// How many files differ.
    pub total_files: usize,
    /// The first of them.
    pub changed_files: Vec<ChangedFile>,
    /// How many definitions differ.
    pub total_changed: usize,
    /// The first of them.
    pub changed: Vec<ChangedSymbol>,
    /// Calls of names that were removed and are not resolved any more.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub still_called: Vec<UnresolvedCalls>,
    /// Files that differ and could not be compared: too large, or no text.
    #[serde(skip_serializing_if = "is_zero")]
    pub passed_over: usize,
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
    /// Lines that are gone or changed.
    pub lines_removed: u32,
}

/// A definition that differs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ChangedSymbol {
    /// Its name, dotted within its file.
    pub symbol: String,
    /// What it is.
    pub kind: String,
    /// Its file.
    pub file_path: String,
    /// Its first line; of one that is gone its last one there.
    pub line: u32,
    /// `added`, `modified` or `removed`.
    pub change: &'static str,
}

/// The definitions of a diff, by id, with the files.
pub(crate) struct ChangedDefinitions {
    pub ids: Vec<String>,
    pub paths: Vec<String>,
    pub diff: DiffImpact,
}

pub(crate) fn changed_definitions(
    session: &Session<'_>,
    against: &DiffBase,
    limit: usize,
) -> Result<ChangedDefinitions, EngineError> {
    let found = diff::diff(&session.project().root, against).map_err(|error| match error {
        HistoryError::Revision(_) => EngineError::bad_arguments(error.to_string())
            .with_hint("give a branch, a tag, a commit or HEAD~1; a shallow clone may not have it"),
        HistoryError::NoRepository(_) | HistoryError::Elsewhere(_) | HistoryError::Empty(_) => {
            EngineError::bad_arguments(format!("{error}: nothing to compare with"))
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
            ..DiffImpact::default()
        },
    };
    let mut added: BTreeSet<String> = BTreeSet::new();
    let mut removed: Vec<ChangedSymbol> = Vec::new();
    let read: Vec<FileDiff> = found.files.par_iter().map(FileDiff::from_change).collect();
    for (file, read) in found.files.iter().zip(read) {
        let moves = (&mut added, &mut removed);
        add_changed_file(session, (file, read), &mut out, moves)?;
    }
    // What is defined in another changed file now has moved.
    removed.retain(|gone| !added.contains(&gone.symbol));
    for gone in removed.iter().take(REMOVED) {
        let name = gone.symbol.rsplit('.').next().unwrap_or_default();
        if session.names().by_symbol(name)?.is_empty()
            && let Some(calls) = find_unresolved_calls(session, name)?
            && !out
                .diff
                .still_called
                .iter()
                .any(|known| known.name == calls.name)
        {
            out.diff.still_called.push(calls);
        }
    }
    out.diff.changed.extend(removed);
    out.diff.total_changed = out.diff.changed.len();
    out.diff.changed.truncate(list_limit(limit, 4));
    out.diff.total_files = out.diff.changed_files.len();
    out.diff.changed_files.truncate(list_limit(limit, 3));
    Ok(out)
}

/// What the texts of a file say by themselves.
struct FileDiff {
    hunks: Vec<diff::Hunk>,
    before: Definitions,
    stretches: Vec<ChangedLines>,
}

impl FileDiff {
    fn from_change(file: &FileChange) -> FileDiff {
        let old = file.old.as_deref().unwrap_or_default();
        let differ = diff_lines(old, file.new.as_deref().unwrap_or_default());
        let old_path = file.old_path.as_ref().unwrap_or(&file.path);
        FileDiff {
            before: parse_definitions(old_path, old),
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
    removed.extend(removed_definitions(file, &before, &nodes));
    let new = file.new.as_deref().unwrap_or_default();
    let lines = map_to_disk_lines(session.workspace(), &file.path, new, read.stretches);
    let touched = definitions_at_lines(&nodes, &lines);
    for node in touched {
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

/// Definitions that the old text had and the file has no more.
fn removed_definitions(
    file: &FileChange,
    before: &Definitions,
    nodes: &[Name],
) -> Vec<ChangedSymbol> {
    // In a file that the index does not read nothing is known to be gone.
    if file.new.is_some() && nodes.is_empty() {
        return Vec::new();
    }
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

/// The definitions that the lines are of, in order.
fn definitions_at_lines<'n>(nodes: &'n [Name], lines: &[ChangedLines]) -> Vec<&'n Name> {
    let mut touched: BTreeMap<(u32, &str), &Name> = BTreeMap::new();
    for (from, to, is_gap) in lines {
        for node in innermost(nodes, *from, *to) {
            // A type from which a member was taken is as it was to those who use its other members.
            let is_type = SymbolKind::parse(&node.kind).is_some_and(SymbolKind::is_type);
            let holds = node.line_start.is_some_and(|start| start <= *from)
                && node.line_end.is_some_and(|end| end >= *to);
            if !is_gap || (holds && !is_type) {
                touched.insert((node.line_start.unwrap_or(0), &node.id), node);
            }
        }
    }
    touched.into_values().collect()
}

/// Kinds and lines by dotted name.
type Definitions = BTreeMap<String, (String, u32)>;

/// Definitions of a text.
fn parse_definitions(path: &str, text: &str) -> Definitions {
    let Some(language) = Language::from_path(path).filter(|_| !text.is_empty()) else {
        return BTreeMap::new();
    };
    let facts = languages::extract(language, text);
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

/// First and last line, and whether they stand around lines that are gone.
type ChangedLines = (u32, u32, bool);

/// Changed stretches of code, as lines of the new text. Where nothing but code was removed, the lines around the gap.
fn changed_line_ranges(file: &FileChange, differ: &[diff::Hunk]) -> Vec<ChangedLines> {
    let path = file.old_path.as_ref().unwrap_or(&file.path);
    let (old, new) = (
        file.old.as_deref().unwrap_or_default(),
        file.new.as_deref().unwrap_or_default(),
    );
    let before = LazyCell::new(|| CodeLines::parse(path, old, differ.iter().map(|h| h.old)));
    let after = CodeLines::parse(&file.path, new, differ.iter().map(|h| h.new));
    let mut lines: Vec<ChangedLines> = Vec::new();
    for hunk in differ {
        let (from, count) = hunk.new;
        let mut start = None;
        let had = lines.len();
        for line in from..from + count {
            match (after.is_code_line(line), start) {
                (true, None) => start = Some(line),
                (false, Some(first)) => {
                    lines.push((first, line - 1, false));
                    start = None;
                }
                _ => {}
            }
        }
        lines.extend(start.map(|first| (first, from + count - 1, false)));
        // Comments say nothing to a program, whether they came or went.
        let (old, gone) = hunk.old;
        if lines.len() == had && (old..old + gone).any(|line| before.is_code_line(line)) {
            lines.push((from.saturating_sub(1).max(1), from + count, true));
        }
    }
    lines
}

/// On which lines of a text code stands.
struct CodeLines(Vec<bool>);

impl CodeLines {
    /// As far as it is asked about some stretches: a text is parsed only where one of them may have a comment.
    fn parse(path: &str, text: &str, asked: impl Iterator<Item = (u32, u32)>) -> CodeLines {
        let lines: Vec<&str> = text.lines().collect();
        let prose = |line: &&str| {
            let line = line.trim_start();
            ["//", "/*", "*"].iter().any(|mark| line.starts_with(mark))
        };
        let mut stretches = asked.map(|(from, count)| {
            let from = (from as usize).saturating_sub(1).min(lines.len());
            &lines[from..(from + count as usize).min(lines.len())]
        });
        CodeLines(match Language::from_path(path) {
            // Documentation of Python begins and goes on like anything.
            Some(Language::Python) => languages::code_lines(Language::Python, text),
            Some(language) if stretches.any(|s| s.iter().any(&prose)) => {
                languages::code_lines(language, text)
            }
            _ => lines.iter().map(|line| !line.trim().is_empty()).collect(),
        })
    }

    /// Of a line, from 1.
    fn is_code_line(&self, line: u32) -> bool {
        let at = (line as usize).checked_sub(1);
        at.and_then(|at| self.0.get(at)).is_some_and(|code| *code)
    }
}

/// Bytes of a file whose lines are compared.
const MOST_BYTES: u64 = 4 << 20;

/// The same as lines of the file on disk, which the index is of.
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
    // Staged and edited again since: lines move by what was edited above them.
    let moved = diff_lines(new, &disk);
    let shift = |line: u32| {
        let above = moved.iter().take_while(|h| h.old.0 + h.old.1 <= line);
        let by: i64 = above.map(|h| i64::from(h.new.1) - i64::from(h.old.1)).sum();
        u32::try_from((i64::from(line) + by).max(1)).unwrap_or(1)
    };
    let shifted = |(from, to, is_gap): ChangedLines| (shift(from), shift(to), is_gap);
    lines.into_iter().map(shifted).collect()
}

/// The smallest definitions that hold lines of the stretch: for each line the innermost one.
fn innermost(nodes: &[Name], from: u32, to: u32) -> Vec<&Name> {
    let span = |n: &Name| (n.line_start.unwrap_or(0), n.line_end.unwrap_or(0));
    let meets = nodes
        .iter()
        .filter(|n| span(n).0 <= to && span(n).1 >= from);
    let mut met: Vec<&Name> = meets.collect();
    met.sort_by_key(|n| (span(n).1 - span(n).0, span(n).0));
    let mut covered: BTreeSet<u32> = BTreeSet::new();
    let mut found = Vec::new();
    // Longer stretches are whole new blocks: every definition in them counts.
    let whole = to.saturating_sub(from) > 5_000;
    for node in met {
        let (start, end) = span(node);
        let mine = start.max(from)..=end.min(to);
        let new = whole || mine.clone().any(|line| !covered.contains(&line));
        if new {
            found.push(node);
        }
        if !whole {
            covered.extend(mine);
        }
    }
    found
}
