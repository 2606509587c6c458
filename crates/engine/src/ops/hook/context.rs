//! The context as it is added to a prompt.

use super::HookCandidate;
use crate::project::Project;
use crate::{CallChainAnswer, snippet};
use analysis::ChainNode;
use std::fmt::Write;

/// Lines shown of one piece.
const MOST_LINES: usize = 24;

/// Callers named of a function.
const MOST_CALLERS: usize = 6;

const TITLE: &str =
    "Code of this project that may matter here, found by Knotwork. Lines are as on disk now.\n";

/// A stretch of source.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    pub path: String,
    pub start: u32,
    pub end: u32,
    pub symbol: String,
    pub kind: String,
    pub relevance: f64,
    pub source: &'static str,
    /// The lines; read where it is empty.
    pub text: String,
}

impl Piece {
    pub(super) fn candidate(&self) -> HookCandidate {
        HookCandidate {
            file_path: self.path.clone(),
            line_start: self.start,
            line_end: self.end,
            symbol: self.symbol.clone(),
            relevance_score: self.relevance,
            source: self.source,
        }
    }

    /// Reads its lines; false where there are none.
    pub(super) fn read(&mut self, project: &Project) -> bool {
        if self.text.is_empty() {
            let lines = snippet::lines(project, &self.path, self.start, self.end);
            self.text = snippet::dedented(&lines.unwrap_or_default());
        }
        !self.text.is_empty()
    }

    fn shown(&self) -> String {
        let what = match (self.kind.as_str(), self.symbol.as_str()) {
            (_, "") => String::new(),
            ("" | "file", symbol) => format!("  {symbol}"),
            (kind, symbol) => format!("  {kind} {symbol}"),
        };
        let mut out = format!("\n{}:{}-{}{what}\n```\n", self.path, self.start, self.end);
        let lines: Vec<&str> = self.text.lines().collect();
        for line in lines.iter().take(MOST_LINES) {
            let _ = writeln!(out, "{line}");
        }
        if lines.len() > MOST_LINES {
            let _ = writeln!(out, "… {} more lines", lines.len() - MOST_LINES);
        }
        out + "```\n"
    }
}

/// The text, and how many pieces are in it. Characters are counted as UTF-16 does, which is how their limit is meant.
pub(super) fn write(
    pieces: &[Piece],
    chain: Option<&CallChainAnswer>,
    characters: usize,
) -> (String, usize) {
    let mut out = TITLE.to_owned();
    let mut size = units(&out);
    let mut used = 0;
    if let Some(callers) = chain.and_then(callers) {
        size += units(&callers);
        out += &callers;
    }
    for piece in pieces {
        let shown = piece.shown();
        // What could end the context early, or pose as somebody else, is left out.
        if shown.contains("system-reminder>") || size + units(&shown) > characters {
            break;
        }
        size += units(&shown);
        out += &shown;
        used += 1;
    }
    match used {
        0 => (String::new(), 0),
        _ => (out, used),
    }
}

fn units(text: &str) -> usize {
    text.encode_utf16().count()
}

/// Who calls the function that was named, in a line.
fn callers(answer: &CallChainAnswer) -> Option<String> {
    let target = answer.chain.paths.first()?;
    let all = target.callers.as_deref().unwrap_or_default();
    let name =
        |node: &ChainNode| format!("{} ({}:{})", node.symbol_name, node.file_path, node.line);
    let callers: Vec<String> = all.iter().take(MOST_CALLERS).map(name).collect();
    if callers.is_empty() {
        return None;
    }
    let more = all.len().saturating_sub(MOST_CALLERS);
    let more = match more {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    Some(format!(
        "\nCallers of {}: {}{more}\n",
        target.symbol_name,
        callers.join(", ")
    ))
}
