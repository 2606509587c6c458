//! Parts of a project that are not in the graph, for answers that find nothing.

use crate::EngineError;
use crate::session::Session;
use crate::watched_state::LanguageCounts;
use crate::workspace::Workspace;
use base::Language;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The reason why a file of the project was skipped; none where it was not.
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
    if session.is_shared() {
        return Ok(counts);
    }
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

/// One line that says that calls in a definition's language are not read, or those of some of its files, so that callers are
/// unknown. None where all are read.
pub(crate) fn unread_calls_line(
    session: &Session<'_>,
    ids: &[String],
) -> Result<Option<String>, EngineError> {
    let mut languages = BTreeSet::new();
    let mut unread = BTreeSet::new();
    for id in ids {
        let node = session.names().by_id(id)?;
        let language = match node {
            Some(node) => session.language(&node.file_path)?,
            None => None,
        };
        languages.extend(language.filter(|l| !l.has_calls()).map(Language::as_str));
        unread.extend(language.and_then(|l| Some((l.as_str(), l.profile().unread_files?))));
    }
    let languages: Vec<&str> = languages.into_iter().collect();
    let mut lines = Vec::new();
    if !languages.is_empty() {
        let languages = languages.join(" and ");
        lines.push(format!(
            "definitions of {languages} are read, calls and imports are not: callers and callees are not known"
        ));
    }
    lines.extend(
        unread
            .into_iter()
            .map(|(language, what)| format!("{language}: {what}")),
    );
    Ok((!lines.is_empty()).then(|| lines.join("; ")))
}

/// The most languages that the line names; further ones are counted.
const NAMED: usize = 3;

/// Files in languages without a grammar, counted on a walk: an answer that searches nothing needs no index of the texts.
fn count_texts_without_grammar(session: &Session<'_>) -> Result<LanguageCounts, EngineError> {
    let mut counts = LanguageCounts::new();
    let Ok(found) = ingest::check_freshness(&session.workspace().options()) else {
        session.check_cancelled()?;
        return Ok(counts);
    };
    let texts = found.texts.iter();
    for language in texts.filter_map(|t| search::plain::language_without_grammar(&t.path)) {
        *counts.entry(language).or_default() += 1;
    }
    Ok(counts)
}

/// The number of files in languages without a grammar according to the existing index, which is not refreshed; 0 if there is
/// no index.
pub(crate) fn last_files_without_grammar(workspace: &Workspace) -> usize {
    let folder = ingest::chunks_folder(&workspace.options());
    let Ok(index) = search::index::Index::open(&folder) else {
        return 0;
    };
    let hashes = index.content_hashes();
    let files = hashes.keys();
    let texts = files.filter(|path| search::plain::language_without_grammar(path).is_some());
    texts.count()
}

/// A language is named if it has at least one in this many of the files of code.
const WORTH_A_WORD: usize = 50;

/// One line on the parts of the project that an answer about the graph does not know: languages without a grammar, unless they
/// have few files, skipped files, and files with syntax errors. None where there are none.
pub(crate) fn gaps_line(session: &Session<'_>) -> Result<Option<String>, EngineError> {
    if session.is_shared() {
        return Ok(None);
    }
    let count = || count_texts_without_grammar(session);
    let mut languages = match session.workspace().resident() {
        Some(resident) => LanguageCounts::clone(
            &*resident.texts_without_grammar(session.watcher_settled(), count)?,
        ),
        None => count()?,
    };
    let damaged = session.damaged_files()?;
    let in_graph = damaged.in_graph.values().sum::<usize>();
    let all = in_graph + languages.values().sum::<usize>();
    languages.retain(|_, files| *files * WORTH_A_WORD >= all);
    let mut parts = language_parts(languages);
    let skipped = count_skipped_code(session)?;
    if skipped > 0 {
        parts.push(count_files(skipped, "skipped file"));
    }
    let mut notes = Vec::new();
    if !parts.is_empty() {
        notes.push(format!("{} not in the graph", parts.join(", ")));
    }
    // Test data with syntax errors is wrong on purpose.
    let own = damaged
        .paths
        .iter()
        .filter(|path| !base::is_test_path(path));
    let own = own.count();
    if own > 0 {
        let files = count_files(own, "file");
        notes.push(format!("parts of {files} with syntax errors are unread"));
    }
    let is_all_known = notes.is_empty();
    Ok(
        (!is_all_known)
            .then(|| format!("{}: `knotwork index status` lists them", notes.join("; "))),
    )
}

/// The number of skipped files that may have code.
fn count_skipped_code(session: &Session<'_>) -> Result<usize, EngineError> {
    let skipped = ingest::skipped_files(session.store())?;
    let is_code = |why: &&String| *why != ingest::walk::LARGE_OTHER;
    Ok(skipped.values().filter(is_code).count())
}

/// Adds a note to an answer about the whole project: the parts that it does not know.
pub(crate) fn note_gaps(session: &Session<'_>) -> Result<(), EngineError> {
    if let Some(line) = gaps_line(session)? {
        session.note(line);
    }
    Ok(())
}

/// The most files with syntax errors that a line names.
const NAMED_DAMAGED: usize = 3;

/// Adds a note to an answer about a symbol: files that mention it and are not in the graph, or only in part. Calls there may
/// be missing.
pub(crate) fn note_unread_mentions(
    session: &Session<'_>,
    name: &str,
    definitions: &[String],
) -> Result<(), EngineError> {
    let damaged = session.damaged_files()?;
    // For a language whose calls are not read, another line covers all files.
    let mut families = BTreeSet::new();
    for path in definitions {
        let language = session.language(path)?;
        families.extend(language.filter(|l| l.has_calls()).map(Language::family));
    }
    let found: Vec<&str> = damaged.with_name(name, &families).collect();
    if !found.is_empty() {
        session.note(format!(
            "{} with syntax errors mention {name}: {}; calls there may be missing",
            count_files(found.len(), "file"),
            first_paths(&found)
        ));
    }
    let skipped: Vec<&str> = damaged.skipped_with_name(name, &families).collect();
    if !skipped.is_empty() {
        session.note(format!(
            "skipped, and may call {name}: {}; `knotwork index status` says why",
            first_paths(&skipped)
        ));
    }
    let callers = families.iter().flat_map(|family| {
        family
            .profile()
            .called_by
            .iter()
            .map(move |by| (family, by))
    });
    // Languages of one family call each other. Others do not, though both may be read with calls.
    let callers = callers.filter_map(|(family, language)| {
        let files = damaged.in_graph.get(language.as_str())?;
        let is_linked = language.has_calls() && language.family() == *family;
        Some((language.as_str(), *files)).filter(|_| !is_linked)
    });
    let callers = language_parts(callers.collect());
    if !callers.is_empty() {
        let parts = callers.join(", ");
        session.note(format!(
            "calls from {parts} are not known, and may lead to {name}"
        ));
    }
    Ok(())
}

/// The first of some paths, and the number of further ones.
fn first_paths(paths: &[&str]) -> String {
    let shown = paths.len().min(NAMED_DAMAGED);
    let more = match paths.len() - shown {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", paths[..shown].join(", "))
}

/// Adds a note to an answer about edges: the languages that have none.
pub(crate) fn note_languages_without_calls(session: &Session<'_>) -> Result<(), EngineError> {
    let mut languages: BTreeMap<&'static str, usize> = BTreeMap::new();
    for file in session.store().indexed_files()?.values() {
        let language = Language::from_name(&file.language).filter(|l| !l.has_calls());
        if let Some(language) = language {
            *languages.entry(language.as_str()).or_default() += 1;
        }
    }
    if !languages.is_empty() {
        let parts = language_parts(languages).join(", ");
        session.note(format!("calls and imports of {parts} are not read"));
    }
    Ok(())
}

/// The files of a diff whose calls are not in the graph, with the reason: their impact is not known.
pub(crate) fn unread_changes<'p>(
    session: &Session<'_>,
    paths: impl Iterator<Item = &'p str>,
) -> Result<BTreeMap<String, String>, EngineError> {
    let skipped = ingest::skipped_files(session.store())?;
    let without_calls = |path: &str| {
        let language = Language::from_path(path).filter(|l| !l.has_calls())?;
        Some(format!("calls of {} are not read", language.as_str()))
    };
    let reason = |path: &str| unread_reason(path, &skipped).or_else(|| without_calls(path));
    let found = paths.filter_map(|path| Some((path.to_owned(), reason(path)?)));
    Ok(found.collect())
}

/// The reason why a file of code is not in the graph.
pub(crate) fn unread_reason(path: &str, skipped: &BTreeMap<String, String>) -> Option<String> {
    let by_language = || {
        let language = search::plain::language_without_grammar(path)?;
        Some(format!("no grammar for {language}"))
    };
    skipped.get(path).cloned().or_else(by_language)
}

/// Adds a note to an answer about a file: its parts that could not be read.
pub(crate) fn note_damaged_file(session: &Session<'_>, path: &str) -> Result<(), EngineError> {
    if session.damaged_files()?.paths.iter().any(|one| one == path) {
        session.note(format!(
            "{path} has syntax errors; definitions and calls there may be missing"
        ));
    }
    Ok(())
}

/// Adds a note to a search: the files that it did not search. Where it found something, files that were left out on purpose, such
/// as minified ones, are not worth a line; files that could not be read are.
pub(crate) fn note_unsearched(session: &Session<'_>, has_results: bool) -> Result<(), EngineError> {
    if session.is_shared() {
        return Ok(());
    }
    let skipped = ingest::skipped_files(session.store())?;
    if let Some(line) = unsearched_line(&skipped, has_results) {
        session.note(line);
    }
    Ok(())
}

fn unsearched_line(skipped: &BTreeMap<String, String>, has_results: bool) -> Option<String> {
    let unread = skipped.values().filter(|why| *why == ingest::UNREADABLE);
    let (files, what) = match (has_results, unread.count()) {
        (true, unread) => (unread, "not searched: could not be read"),
        (false, _) => (skipped.len(), "not searched"),
    };
    let counted = count_files(files, "skipped file");
    (files > 0).then(|| format!("{counted} {what}: `knotwork index status` lists them"))
}

fn count_files(files: usize, what: &str) -> String {
    match files {
        1 => format!("1 {what}"),
        files => format!("{files} {}", what.replacen("file", "files", 1)),
    }
}

/// Texts such as `706 files in c`, the largest first; beyond a limit only their number.
fn language_parts(languages: BTreeMap<&'static str, usize>) -> Vec<String> {
    let mut languages: Vec<(&str, usize)> = languages.into_iter().collect();
    languages.sort_by_key(|(language, files)| (Reverse(*files), *language));
    let named = languages.iter().take(NAMED);
    let mut parts: Vec<String> = named
        .map(|(language, files)| count_files(*files, &format!("file in {language}")))
        .collect();
    match languages.len().saturating_sub(NAMED) {
        0 => {}
        1 => parts.push("1 more language".to_owned()),
        more => parts.push(format!("{more} more languages")),
    }
    parts
}

/// One line on files that are not in the graph and may contain a name; none where all are read.
pub(crate) fn unread_line(session: &Session<'_>) -> Result<Option<String>, EngineError> {
    let mut parts = language_parts(files_without_grammar(session)?);
    let skipped = count_skipped_code(session)?;
    if skipped > 0 {
        parts.push(count_files(skipped, "skipped file"));
    }
    Ok((!parts.is_empty()).then(|| {
        format!(
            "definitions and calls of {} are not in the graph: `knotwork index status` lists them",
            parts.join(", ")
        )
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_could_not_be_read_are_named_beside_results() {
        let skipped = |reasons: &[&str]| -> BTreeMap<String, String> {
            let files = reasons.iter().zip(0..);
            let files = files.map(|(why, n)| (format!("{n}.py"), (*why).to_owned()));
            files.collect()
        };
        let line = |reasons: &[&str], has_results| unsearched_line(&skipped(reasons), has_results);
        let some = [
            "minified",
            ingest::UNREADABLE,
            "minified",
            ingest::UNREADABLE,
        ];
        let found = line(&some, true).unwrap();
        assert!(found.starts_with("2 skipped files not searched: could not be read"));
        assert!(
            line(&some, false)
                .unwrap()
                .starts_with("4 skipped files not searched: `")
        );
        assert_eq!(line(&["minified"], true), None);
        assert_eq!(line(&[], false), None);
    }
}
