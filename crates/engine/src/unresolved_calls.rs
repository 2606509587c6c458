//! Calls of a name that are unresolved: possible callers that an answer cannot exclude, and should not hide.

use crate::EngineError;
use crate::graph_state::is_manual_graph;
use crate::session::Session;
use base::Language;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;
use store::Name;

/// The most places that are named.
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
    /// The first places, those outside tests first.
    pub such_as: Vec<String>,
}

impl UnresolvedCalls {
    /// One line: the number of calls that may also lead here, and how to list them.
    pub fn to_line(&self) -> String {
        let calls = match self.calls {
            1 => "1 unresolved call".to_owned(),
            calls => format!("{calls} unresolved calls"),
        };
        let tests = match self.in_tests {
            0 => String::new(),
            tests => format!(" ({tests} in tests)"),
        };
        format!(
            "{calls} named {}{tests} may also lead here, such as {}: `knotwork graph-store find-unresolved {}` lists them",
            self.name,
            self.such_as.join(", "),
            self.name
        )
    }
}

/// Calls within definitions for which there is no edge: possible callees.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UnresolvedCallees {
    /// How many there are.
    pub calls: usize,
    /// The first ones: the name and the place.
    pub such_as: Vec<String>,
}

impl UnresolvedCallees {
    /// One line: the number of calls, and the first ones.
    pub fn to_line(&self) -> String {
        let (calls, are) = match self.calls {
            1 => ("1 call".to_owned(), "is"),
            calls => (format!("{calls} calls"), "are"),
        };
        format!(
            "{calls} in the body {are} unresolved: {}",
            self.such_as.join(", ")
        )
    }
}

/// Unresolved calls in the lines of definitions. None if there are no such calls.
pub(crate) fn unresolved_callees_of(
    session: &Session<'_>,
    ids: &[String],
) -> Result<Option<UnresolvedCallees>, EngineError> {
    let mut places: BTreeSet<(String, u32, String)> = BTreeSet::new();
    let mut calls = 0;
    for id in ids {
        let node = session.names().by_id(id)?;
        let Some(node) = node.filter(|node| node.kind != "file") else {
            continue;
        };
        let (Some(first), Some(last)) = (node.line_start, node.line_end) else {
            continue;
        };
        let of_file = session.names().by_file(&node.file_path)?;
        let Some(file) = of_file.into_iter().find(|node| node.kind == "file") else {
            continue;
        };
        for (name, lines) in session.store().unresolved_calls_in(&file.id)? {
            for line in lines
                .into_iter()
                .filter(|line| (first..=last).contains(line))
            {
                calls += 1;
                places.insert((node.file_path.clone(), line, name.clone()));
            }
        }
    }
    let such_as = places.iter().take(SHOWN);
    let such_as = such_as.map(|(path, line, name)| format!("{name} ({path}:{line})"));
    Ok((calls > 0).then(|| UnresolvedCallees {
        calls,
        such_as: such_as.collect(),
    }))
}

/// Unresolved calls that may lead to a definition. None if there are no such calls, or if the definition is a
/// file.
pub(crate) fn unresolved_calls_of(
    session: &Session<'_>,
    ids: &[String],
) -> Result<Option<UnresolvedCalls>, EngineError> {
    let mut name = None;
    let mut paths = Vec::new();
    for id in ids {
        let Some(node) = session
            .names()
            .by_id(id)?
            .filter(|node| node.kind != "file")
        else {
            continue;
        };
        if name.is_none() {
            name = Some(name_at_call(&node).to_owned());
        }
        paths.push(node.file_path);
    }
    match name {
        Some(name) => find_unresolved_calls(session, &name, &paths),
        None => Ok(None),
    }
}

/// The name that a call of the node uses: for a constructor that of its type.
fn name_at_call(node: &Name) -> &str {
    if node.kind != "constructor" {
        return &node.symbol;
    }
    let owner = node.qualified_or_symbol().rsplit('.').nth(1);
    owner.unwrap_or(&node.symbol)
}

/// Calls of a name without an edge, in files of the languages of `definitions` (paths), if there are any.
pub(crate) fn find_unresolved_calls(
    session: &Session<'_>,
    name: &str,
    definitions: &[String],
) -> Result<Option<UnresolvedCalls>, EngineError> {
    if is_manual_graph(session.store())? {
        return Ok(None);
    }
    let mut own = BTreeSet::new();
    for path in definitions {
        own.extend(session.language(path)?.map(Language::family));
    }
    let mut places: Vec<(bool, String, u32)> = Vec::new();
    for (path, lines) in session.store().unresolved_calls(name)? {
        let is_other = |language: Language| !own.contains(&language.family());
        if !own.is_empty() && session.language(&path)?.is_none_or(is_other) {
            continue;
        }
        let in_test = base::is_test_path(&path);
        places.extend(lines.into_iter().map(|line| (in_test, path.clone(), line)));
    }
    places.sort();
    let mut such_as: Vec<String> = Vec::new();
    for (_, path, line) in &places {
        let place = format!("{path}:{line}");
        if such_as.len() < SHOWN && such_as.last() != Some(&place) {
            such_as.push(place);
        }
    }
    Ok((!places.is_empty()).then(|| UnresolvedCalls {
        name: name.to_owned(),
        calls: places.len(),
        in_tests: places.iter().filter(|(in_test, ..)| *in_test).count(),
        such_as,
    }))
}
