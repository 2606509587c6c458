//! `search --mode regex`: lines of the indexed files that match a pattern. Likely secrets are masked before matching.

use super::{SearchAnswer, SearchMode, SearchRequest, SearchResult};
use crate::snippet::decode_lossy;
use crate::update;
use crate::workspace::Workspace;
use crate::{EngineError, IndexInfo};
use ::search::Filter;
use ::search::pattern::{self, Lines};
use base::secret::{TextKind, mask_secrets};
use std::time::{Duration, Instant};

/// The time limit of matching.
const TIME: Duration = Duration::from_secs(10);
/// The most bytes of a file that are searched.
const MOST: u64 = 16 << 20;

pub(super) fn search_regex(
    workspace: &Workspace,
    request: &SearchRequest,
    filter: &Filter,
    limit: usize,
) -> Result<SearchAnswer, EngineError> {
    if !request.kind.is_empty() {
        return Err(
            EngineError::bad_arguments("--kind cannot be used with --mode regex")
                .with_hint("a line has no kind; leave it out, or use --mode symbol"),
        );
    }
    let regex = pattern::compile(&request.query).map_err(|e| {
        EngineError::bad_arguments(e.to_string())
            .with_hint("for the text itself use --mode keyword, or put a backslash before . * + ? ( ) [ ] { } | ^ $")
    })?;
    let (index, note) = update::chunks(workspace, false)?;
    let read = |path: &str| {
        let bytes = workspace.project().read_start(path, MOST)?;
        // Masked before matching: otherwise a client could find out a secret character by character.
        let text = decode_lossy(&bytes);
        Some(mask_secrets(text, TextKind::from_path(path)).into_bytes())
    };
    let deadline = Instant::now() + TIME;
    let lines = pattern::find_matching_lines(&index, &regex, filter, limit, deadline, &read);
    let stopped = "stopped after 10 s: only a part of the files was looked at".to_owned();
    let stopped = lines.cut_short.then_some(stopped);
    let notes: Vec<String> = [stopped, more_lines_note(&lines), note]
        .into_iter()
        .flatten()
        .collect();
    let result = |line: pattern::Line| SearchResult {
        snippet: (!request.no_snippet).then_some(line.text),
        file_path: line.path,
        line_start: line.line,
        line_end: line.line,
        symbol: String::new(),
        kind: "line".to_owned(),
        relevance_score: 1.0,
        source: "keyword",
        id: None,
    };
    let results: Vec<SearchResult> = lines.found.into_iter().map(result).collect();
    Ok(SearchAnswer {
        query: request.query.clone(),
        mode: SearchMode::Regex,
        total: lines.total,
        results,
        fallback: (!notes.is_empty()).then(|| notes.join("; ")),
        index: IndexInfo::default(),
        left_out: Default::default(),
        degraded: None,
    })
}

/// The most files whose further lines are named.
const MOST_NAMED: usize = 5;

/// A note on lines that match and are not listed.
fn more_lines_note(lines: &Lines) -> Option<String> {
    let named = lines.more.iter().take(MOST_NAMED);
    let mut parts: Vec<String> = named
        .map(|(path, more)| match more {
            1 => format!("1 more line in {path}"),
            more => format!("{more} more lines in {path}"),
        })
        .collect();
    let others = lines.more.iter().skip(MOST_NAMED);
    let (files, more) = others.fold((0, 0), |(files, sum), (_, more)| (files + 1, sum + more));
    if files > 0 {
        parts.push(format!("{more} more lines in {files} other files"));
    }
    if lines.uncounted {
        parts.push("not all files were counted".to_owned());
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_are_not_listed_are_counted_by_file() {
        let lines = Lines {
            more: (1..=7).map(|n| (format!("f{n}"), n)).collect(),
            ..Lines::default()
        };
        let note = more_lines_note(&lines).unwrap();
        assert!(note.starts_with("1 more line in f1, 2 more lines in f2, "));
        assert!(note.ends_with("13 more lines in 2 other files"), "{note}");
        assert_eq!(more_lines_note(&Lines::default()), None);
    }
}
