//! Files of which a part could not be read, and what stands in them.

use crate::EngineError;
use crate::project::Project;
use base::Language;
use std::collections::BTreeSet;
use store::SqliteStore;

/// Files with syntax errors whose text is kept.
const MOST_DAMAGED: usize = 64;
/// Bytes of each that are kept.
const MOST_OF_DAMAGED: u64 = 256 << 10;

/// Files of which a part could not be read: definitions and calls may be missing.
#[derive(Debug, Default)]
pub(crate) struct DamagedFiles {
    pub(crate) paths: Vec<String>,
    texts: Vec<String>,
    /// Files in the graph.
    pub(crate) in_graph: usize,
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
        Ok(DamagedFiles {
            texts: texts.collect(),
            in_graph: store.file_count()?,
            paths,
        })
    }

    /// Those in languages of `family` that have the name as a word; those that are not looked into count as such.
    pub(crate) fn with_name<'d>(
        &'d self,
        name: &'d str,
        family: &'d BTreeSet<Language>,
    ) -> impl Iterator<Item = &'d str> {
        let own = |path: &str| {
            let language = Language::from_path(path).map(Language::family);
            language.is_some_and(|language| family.contains(&language))
        };
        let files = self.paths.iter().enumerate();
        files.filter_map(move |(at, path)| {
            let has_name = self.texts.get(at).is_none_or(|text| has_word(text, name));
            (own(path) && has_name).then_some(path.as_str())
        })
    }
}

fn has_word(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let mut places = text.match_indices(word);
    places.any(|(at, _)| !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part))
}
