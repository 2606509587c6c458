//! What of a project is not in the graph, for answers that find nothing.

use crate::EngineError;
use crate::session::Session;
use base::Language;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// Why a file of the project is not in the graph, where it was skipped.
pub(crate) fn skipped_reason(
    session: &Session<'_>,
    path: &str,
) -> Result<Option<String>, EngineError> {
    Ok(ingest::skipped_files(session.store())?.remove(path))
}

/// Files in languages without a grammar, by language. They are found by search alone.
pub(crate) fn files_without_grammar(
    session: &Session<'_>,
) -> Result<BTreeMap<&'static str, usize>, EngineError> {
    let mut counts = BTreeMap::new();
    let Ok(found) = session.search_index() else {
        session.check_cancelled()?;
        return Ok(counts);
    };
    for path in found.index.content_hashes().keys() {
        if let Some(language) = search::plain::language_without_grammar(path) {
            *counts.entry(language).or_default() += 1;
        }
    }
    Ok(counts)
}

/// One line where the calls of a definition's language are not read, so that who calls it is not known; none where all are.
pub(crate) fn unread_calls_line(
    session: &Session<'_>,
    ids: &[String],
) -> Result<Option<String>, EngineError> {
    let mut languages = BTreeSet::new();
    for id in ids {
        let node = session.names().by_id(id)?;
        let language = node.and_then(|node| Language::from_path(&node.file_path));
        languages.extend(language.filter(|l| !l.has_calls()).map(Language::as_str));
    }
    let languages: Vec<&str> = languages.into_iter().collect();
    Ok((!languages.is_empty()).then(|| {
        let languages = languages.join(" and ");
        format!("definitions of {languages} are read, calls and imports are not: callers and callees are not known")
    }))
}

/// Languages that the line names; of more the number.
const NAMED: usize = 3;

/// One line on what a name may be in that the graph does not have; none where all is read.
pub(crate) fn unread_line(session: &Session<'_>) -> Result<Option<String>, EngineError> {
    let count = |files: usize, what: &str| match files {
        1 => format!("1 {what}"),
        files => format!("{files} {}", what.replacen("file", "files", 1)),
    };
    let mut languages: Vec<(&str, usize)> = files_without_grammar(session)?.into_iter().collect();
    languages.sort_by_key(|(language, files)| (Reverse(*files), *language));
    let named = languages.iter().take(NAMED);
    let mut parts: Vec<String> = named
        .map(|(language, files)| count(*files, &format!("file in {language}")))
        .collect();
    match languages.len().saturating_sub(NAMED) {
        0 => {}
        1 => parts.push("1 more language".to_owned()),
        more => parts.push(format!("{more} more languages")),
    }
    let skipped = ingest::skipped_files(session.store())?.len();
    if skipped > 0 {
        parts.push(count(skipped, "skipped file"));
    }
    Ok((!parts.is_empty()).then(|| {
        format!(
            "definitions and calls of {} are not in the graph: `knotwork index status` lists them",
            parts.join(", ")
        )
    }))
}
