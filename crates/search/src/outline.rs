//! A published file that was read back: its outline, with the words that a query needs.

use crate::portable::{PORTABLE_VERSION, count_postings};
use crate::prepare::{PATH_FIELDS, Prepared, PreparedTerm};
use store::texts::WordPlaces;

/// The version of the published form. Texts of another version are published again, and not
/// searched.
pub fn published_version() -> u32 {
    crate::index::segment::VERSION << 8 | PORTABLE_VERSION
}

/// A file with these words alone. `None` if it was not written by [`crate::publish::to_published`].
pub(crate) fn from_published(outline: &[u8], mut words: Vec<WordPlaces>) -> Option<Prepared> {
    let mut file = Prepared::from_portable(outline, 0)?;
    words.sort_by(|a, b| a.word.cmp(&b.word));
    words.dedup_by(|a, b| a.word == b.word);
    for word in words {
        let count = count_postings(&word.postings, file.chunks.len())?;
        let (text_from, from) = (file.text.len() as u32, file.postings.len() as u32);
        file.text.push_str(&word.word);
        file.postings.extend_from_slice(&word.postings);
        let mut path = [0; PATH_FIELDS];
        path.copy_from_slice(&word.path);
        file.terms.push(PreparedTerm {
            text: (text_from, file.text.len() as u32),
            path,
            postings: (from, file.postings.len() as u32),
            count,
        });
    }
    Some(file)
}
