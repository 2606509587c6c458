//! What of a project is not in the graph, for answers that find nothing.

use crate::EngineError;
use crate::session::Session;
use crate::workspace::Workspace;
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

/// The same, counted on a walk: an answer that searches nothing needs no index of the texts.
fn texts_without_grammar(
    session: &Session<'_>,
) -> Result<BTreeMap<&'static str, usize>, EngineError> {
    let mut counts = BTreeMap::new();
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

/// The same in all, in the index as it was last left; 0 where there is none.
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

/// A language is worth a word where it has one of so many files of code, or more.
const WORTH_A_WORD: usize = 50;

/// What of the whole project an answer about the graph does not know: languages without a grammar, unless they are of no
/// weight here, skipped files and files with syntax errors. None where that is nothing.
pub(crate) fn gaps_line(session: &Session<'_>) -> Result<Option<String>, EngineError> {
    let mut languages = texts_without_grammar(session)?;
    let damaged = session.damaged_files()?;
    let all = damaged.in_graph + languages.values().sum::<usize>();
    languages.retain(|_, files| *files * WORTH_A_WORD >= all);
    let mut parts = language_parts(languages);
    let skipped = ingest::skipped_files(session.store())?.len();
    if skipped > 0 {
        parts.push(count_files(skipped, "skipped file"));
    }
    let mut said = Vec::new();
    if !parts.is_empty() {
        said.push(format!("{} not in the graph", parts.join(", ")));
    }
    if !damaged.paths.is_empty() {
        let files = count_files(damaged.paths.len(), "file");
        said.push(format!("parts of {files} with syntax errors are unread"));
    }
    let is_all_known = said.is_empty();
    Ok((!is_all_known).then(|| format!("{}: `knotwork index status` lists them", said.join("; "))))
}

/// Says with an answer about the whole project what that does not know.
pub(crate) fn note_gaps(session: &Session<'_>) -> Result<(), EngineError> {
    if let Some(line) = gaps_line(session)? {
        session.note(line);
    }
    Ok(())
}

/// Files with syntax errors that a line names.
const NAMED_DAMAGED: usize = 3;

/// Says with an answer about a symbol which files with syntax errors mention it: calls there may be missing.
pub(crate) fn note_damaged_mentions(
    session: &Session<'_>,
    name: &str,
    definitions: &[String],
) -> Result<(), EngineError> {
    let damaged = session.damaged_files()?;
    // Of a language whose calls are not read, that is said for all files.
    let families = definitions
        .iter()
        .filter_map(|path| Language::from_path(path))
        .filter(|language| language.has_calls());
    let families: BTreeSet<Language> = families.map(Language::family).collect();
    let found: Vec<&str> = damaged.with_name(name, &families).collect();
    if found.is_empty() {
        return Ok(());
    }
    let shown = found.len().min(NAMED_DAMAGED);
    let more = match found.len() - shown {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    session.note(format!(
        "{} with syntax errors mention {name}: {}{more}; calls there may be missing",
        count_files(found.len(), "file"),
        found[..shown].join(", ")
    ));
    Ok(())
}

/// Says which files of a diff are not in the graph, so that what they affect is not known.
pub(crate) fn note_unread_changes<'p>(
    session: &Session<'_>,
    paths: impl Iterator<Item = &'p str>,
) -> Result<(), EngineError> {
    let skipped = ingest::skipped_files(session.store())?;
    let is_unread = |path: &&str| {
        search::plain::language_without_grammar(path).is_some() || skipped.contains_key(*path)
    };
    let unread: Vec<&str> = paths.filter(is_unread).collect();
    if unread.is_empty() {
        return Ok(());
    }
    let shown = unread.len().min(NAMED_DAMAGED);
    let more = match unread.len() - shown {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    session.note(format!(
        "not in the graph, so that what they affect is not known: {}{more}",
        unread[..shown].join(", ")
    ));
    Ok(())
}

fn count_files(files: usize, what: &str) -> String {
    match files {
        1 => format!("1 {what}"),
        files => format!("{files} {}", what.replacen("file", "files", 1)),
    }
}

/// `706 files in c`, the most first; of many the number.
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

/// One line on what a name may be in that the graph does not have; none where all is read.
pub(crate) fn unread_line(session: &Session<'_>) -> Result<Option<String>, EngineError> {
    let mut parts = language_parts(files_without_grammar(session)?);
    let skipped = ingest::skipped_files(session.store())?.len();
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
