//! Calls of a name that lead nowhere known: what an impact cannot count, and should not hide.

use crate::open::Open;
use crate::{Engine, EngineError};
use base::Language;
use rayon::prelude::*;
use schemars::JsonSchema;
use search::rank::{FileWords, Words, weigh};
use serde::Serialize;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use store::{GraphStore, Name};
use syntax::FileFacts;
use syntax::facts::Expr;

/// Files that are read.
const MOST_FILES: usize = 60;
/// The longest that this may take.
const TIME: Duration = Duration::from_millis(300);
/// Bytes of a file that is read.
const MOST_BYTES: usize = 1 << 20;
/// Definitions of one name beyond which nothing is said.
const MOST_NODES: usize = 100;
/// Places that are named.
const SHOWN: usize = 5;

/// Calls by a name for which there is no edge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UnresolvedCalls {
    /// The name.
    pub name: String,
    /// How many there are.
    pub calls: usize,
    /// How many of them are in tests.
    pub in_tests: usize,
    /// The first places, tests first.
    pub such_as: Vec<String>,
}

/// Calls of the name that no edge stands for; none where there are none.
pub(crate) fn unresolved(
    engine: &Engine,
    open: &Open,
    name: &str,
) -> Result<Option<UnresolvedCalls>, EngineError> {
    if crate::engine::is_by_hand(&open.store)? {
        return Ok(None);
    }
    let Ok(from) = engine.searchable(open.heard) else {
        engine.wanted()?;
        return Ok(None);
    };
    // What half the repository defines says nothing of this one.
    let nodes = open.names().by_symbol(name)?;
    if nodes.len() > MOST_NODES {
        return Ok(None);
    }
    let known = known_lines(open, &nodes)?;
    let mut words = Words::default();
    words.add(name, 1.0);
    let mut files = weigh(&from.index, &words);
    files.retain(|f| Language::of_path(&f.path).is_some());
    // Of a name of several parts only files that have it as a whole.
    if files.iter().any(|f| f.names > 0.0) {
        files.retain(|f| f.names > 0.0);
    }
    let test = |f: &FileWords| base::is_test_path(&f.path);
    files.sort_by(|a, b| {
        let order = test(b).cmp(&test(a)).then(b.chunk.total_cmp(&a.chunk));
        order.then_with(|| a.path.cmp(&b.path))
    });
    files.truncate(MOST_FILES);
    let deadline = Instant::now() + TIME;
    let mut found: Vec<(bool, String, u32)> = files
        .par_iter()
        .filter(|_| Instant::now() < deadline)
        .flat_map_iter(|file| {
            let lines = calls_of(engine, &file.path, name, &known);
            let place = |line| (!base::is_test_path(&file.path), file.path.clone(), line);
            lines.into_iter().map(place).collect::<Vec<_>>()
        })
        .filter(|(_, path, line)| !known.contains(&(path.clone(), *line)))
        .collect();
    found.sort();
    let shown = found
        .iter()
        .take(SHOWN)
        .map(|(_, path, line)| format!("{path}:{line}"));
    Ok((!found.is_empty()).then(|| UnresolvedCalls {
        name: name.to_owned(),
        calls: found.len(),
        in_tests: found.iter().filter(|(source, ..)| !source).count(),
        such_as: shown.collect(),
    }))
}

/// Places of edges that lead to anything of that name.
fn known_lines(open: &Open, nodes: &[Name]) -> Result<BTreeSet<(String, u32)>, EngineError> {
    let mut lines = BTreeSet::new();
    for node in nodes {
        for edge in open.store.edges_to(&node.id, None)? {
            let Some(path) = &edge.file_path else {
                continue;
            };
            let all = edge.line.into_iter().chain(edge.more_lines.iter().copied());
            lines.extend(all.map(|line| (path.clone(), line)));
        }
    }
    Ok(lines)
}

/// Lines with a call of the name. A file is parsed only where its text has one that is not known.
fn calls_of(engine: &Engine, path: &str, name: &str, known: &BTreeSet<(String, u32)>) -> Vec<u32> {
    let real = engine.project().on_disk(path).filter(|p| p.is_file());
    let text = real.and_then(|real| std::fs::read_to_string(real).ok());
    let (Some(text), Some(language)) = (text, Language::of_path(path)) else {
        return Vec::new();
    };
    let news = |line: u32| !known.contains(&(path.to_owned(), line));
    let lines = (1..).zip(text.lines());
    let mut calls = lines.filter(|(_, line)| looks_called(line, name));
    if text.len() > MOST_BYTES || !calls.any(|(line, _)| news(line)) {
        return Vec::new();
    }
    let facts = syntax::extract(language, &text);
    let calls = facts.calls.iter();
    let named = calls.filter(|call| called(&facts, facts.expr(call.expr)) == Some(name));
    named.map(|call| call.line).collect()
}

/// Whether the name stands there as a word with a parenthesis behind it, and is not being defined.
fn looks_called(line: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    line.match_indices(name).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + name.len()..]);
        let after = after.trim_start_matches(['!', '?', ' ']);
        let defines = ["def ", "fn ", "func ", "function "];
        after.starts_with(['(', '<', ':', '{'])
            && !before.ends_with(is_word)
            && !defines.iter().any(|d| before.ends_with(d))
    })
}

/// The last name of what is called.
fn called<'f>(facts: &'f FileFacts, expr: &Expr) -> Option<&'f str> {
    match expr {
        Expr::Name { name, .. } => Some(facts.name(*name)),
        Expr::Member { name, .. } => Some(facts.name(*name)),
        Expr::Call { callee, .. } => called(facts, facts.expr(*callee)),
        Expr::New { class, .. } => called(facts, facts.expr(*class)),
        _ => None,
    }
}
