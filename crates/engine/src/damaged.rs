//! Files that could be read only in part, and their text.

use crate::EngineError;
use crate::project::Project;
use base::Language;
use std::collections::{BTreeMap, BTreeSet};
use store::SqliteStore;

/// The most files with syntax errors whose text is kept.
const MOST_DAMAGED: usize = 64;
/// The most bytes of text kept for each of them.
const MOST_OF_DAMAGED: u64 = 256 << 10;

/// Files that could be read only in part: definitions and calls may be missing.
#[derive(Debug, Default)]
pub(crate) struct DamagedFiles {
    pub(crate) paths: Vec<String>,
    texts: Vec<String>,
    /// The number of files in the graph, by the names of their languages.
    pub(crate) in_graph: BTreeMap<String, usize>,
    /// Skipped files in languages that have a grammar.
    skipped: Vec<SkippedFile>,
}

#[derive(Debug)]
struct SkippedFile {
    path: String,
    /// The text of the file, if all of it was read.
    text: Option<String>,
}

impl DamagedFiles {
    pub(crate) fn load(
        store: &SqliteStore,
        project: &Project,
    ) -> Result<DamagedFiles, EngineError> {
        let paths = store.files_with_syntax_errors()?;
        let texts = paths.iter().take(MOST_DAMAGED).map(|path| {
            let text = project.read_start(path, MOST_OF_DAMAGED);
            String::from_utf8_lossy(&text.unwrap_or_default()).into_owned()
        });
        let skipped = ingest::skipped_files(store)?.into_keys();
        let skipped = skipped.filter(|path| Language::from_path(path).is_some());
        let skipped = skipped.zip(0..).map(|(path, at)| {
            let is_read = at < MOST_DAMAGED;
            let start = is_read.then(|| project.read_start(&path, MOST_OF_DAMAGED));
            let whole = start
                .flatten()
                .filter(|text| (text.len() as u64) < MOST_OF_DAMAGED);
            let text = whole.map(|mut text| {
                // Text in UTF-16 becomes ASCII without its zero bytes.
                text.retain(|byte| *byte != 0);
                String::from_utf8_lossy(&text).into_owned()
            });
            SkippedFile { path, text }
        });
        let skipped = skipped.collect();
        Ok(DamagedFiles {
            texts: texts.collect(),
            in_graph: store.files_by_language()?,
            skipped,
            paths,
        })
    }

    /// Skipped files in languages of `family` that contain the name as a word. Files too long to read count as containing it.
    pub(crate) fn skipped_with_name<'d>(
        &'d self,
        name: &'d str,
        family: &'d BTreeSet<Language>,
    ) -> impl Iterator<Item = &'d str> {
        let files = self.skipped.iter().filter(move |file| {
            let language = Language::from_path(&file.path).map(Language::family);
            let has_name = file.text.as_deref().is_none_or(|text| has_word(text, name));
            language.is_some_and(|language| family.contains(&language)) && has_name
        });
        files.map(|file| &*file.path)
    }

    /// Files with syntax errors in languages of `family` that contain the name as a word. Files whose text is not kept count as
    /// containing it.
    pub(crate) fn with_name<'d>(
        &'d self,
        name: &'d str,
        family: &'d BTreeSet<Language>,
    ) -> impl Iterator<Item = &'d str> {
        let own = |at: usize, path: &str| {
            let text = self.texts.get(at).map_or(&[][..], |text| text.as_bytes());
            let language = Language::of_file(path, text).map(Language::family);
            language.is_some_and(|language| family.contains(&language))
        };
        let files = self.paths.iter().enumerate();
        files.filter_map(move |(at, path)| {
            let has_name = self.texts.get(at).is_none_or(|text| has_word(text, name));
            (own(at, path) && has_name).then_some(path.as_str())
        })
    }
}

fn has_word(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let mut places = text.match_indices(word);
    places.any(|(at, _)| !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part))
}
