//! Files of the index in the form of a shared database: an outline, words with their places, and vectors.

use crate::doc::FileRole;
use crate::index::part::IndexTotals;
use crate::index::{Index, IndexError};
use crate::prepare::Prepared;
use crate::rank::{LengthNorms, TermMatches, Tuning};
use store::texts::{TextFile, TextStamp, TextTotals, TextWord};

pub use crate::outline::published_version;

/// The number of files that are weighed together.
const TOGETHER: usize = 512;

/// A file that is to be published.
#[derive(Debug)]
pub struct Unpublished {
    /// The file as it is in the index.
    pub file: Prepared,
    /// Its role by the project's own rules.
    pub role: FileRole,
    /// Facts that are known without reading the file: a hash, and the number of its users.
    pub stamp: TextStamp,
    /// Its text, in which likely secrets are masked.
    pub text: String,
}

/// Sums over an index.
pub fn totals_of(index: &Index, most_users: u32) -> TextTotals {
    TextTotals {
        files: index.file_count() as u64,
        chunks: index.chunk_count() as u64,
        lengths: index.lengths,
        most_users,
        model: index.model().name.clone(),
        dimensions: index.model().dimensions as u32,
        version: published_version(),
    }
}

/// Files in the form in which they are published. `totals` are those of all files.
pub fn to_published(
    totals: &TextTotals,
    files: Vec<Unpublished>,
) -> Result<Vec<TextFile>, IndexError> {
    let mut all = Vec::with_capacity(files.len());
    let mut files = files.into_iter().peekable();
    while files.peek().is_some() {
        let some: Vec<Unpublished> = files.by_ref().take(TOGETHER).collect();
        all.extend(publish_together(totals, some)?);
    }
    Ok(all)
}

fn publish_together(
    totals: &TextTotals,
    mut files: Vec<Unpublished>,
) -> Result<Vec<TextFile>, IndexError> {
    files.sort_by(|a, b| a.file.path.cmp(&b.file.path));
    files.dedup_by(|a, b| a.file.path == b.file.path);
    let prepared = files.iter().map(|one| without_vectors(&one.file)).collect();
    let index = Index::part_of(totals, prepared, IndexTotals::default())?;
    let weights = weigh(&index);
    let published = files.into_iter().zip(weights);
    Ok(published
        .map(|(one, weights)| to_text_file(one, &weights))
        .collect())
}

/// The weights of a word in a file.
#[derive(Debug, Clone, Copy, Default)]
struct WordWeights {
    chunks: u32,
    best_chunk: f32,
    file: f32,
}

/// The weights of each word in each file, in the order of files and of their words.
fn weigh(index: &Index) -> Vec<Vec<WordWeights>> {
    let layout = index.layout();
    let tuning = Tuning::default();
    let norms = LengthNorms::new(index, &tuning);
    let mut all: Vec<Vec<WordWeights>> = vec![Vec::new(); layout.files.len()];
    let Some(part) = index.parts.first() else {
        return all;
    };
    // A segment that was just made can be read.
    let _ = part.segment.for_each_term(|word, _| {
        let found = TermMatches::look_up(index, layout, word, &norms, &tuning);
        let mut chunks = found.chunks.iter().peekable();
        for (file, says) in &found.files {
            let mut weights = WordWeights {
                file: *says,
                ..WordWeights::default()
            };
            while let Some((_, says)) = chunks.next_if(|(c, _)| layout.owner[*c as usize] <= *file)
            {
                weights.chunks += 1;
                weights.best_chunk = weights.best_chunk.max(*says);
            }
            all[*file as usize].push(weights);
        }
    });
    all
}

fn without_vectors(file: &Prepared) -> Prepared {
    Prepared {
        vectors: Vec::new(),
        ..file.clone()
    }
}

fn to_text_file(one: Unpublished, weights: &[WordWeights]) -> TextFile {
    let file = one.file;
    let words = file.terms.iter().zip(weights).map(|(term, weights)| {
        let (from, to) = term.postings;
        TextWord {
            word: file.term_text(term).to_owned(),
            path: term.path,
            chunks: weights.chunks,
            chunk_says: weights.best_chunk,
            file_says: weights.file,
            postings: file.postings[from as usize..to as usize].to_vec(),
        }
    });
    let words = words.collect();
    let vectors = (0u32..).zip(&file.vectors).filter(|(_, v)| v.scale != 0.0);
    let vectors = vectors.map(|(number, v)| {
        let values = v.values.iter().map(|value| f32::from(*value) * v.scale);
        (number, values.collect())
    });
    let vectors = vectors.collect();
    let outline = Prepared {
        role: one.role,
        terms: Vec::new(),
        text: String::new(),
        postings: Vec::new(),
        vectors: Vec::new(),
        ..file
    };
    TextFile {
        outline: outline.to_portable().unwrap_or_default(),
        path: outline.path,
        stamp: one.stamp,
        text: one.text,
        words,
        vectors,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::MockEmbedder;
    use crate::index::Model;
    use crate::outline::from_published;
    use crate::plain;
    use crate::prepare::prepare;
    use store::texts::WordPlaces;

    #[test]
    fn a_file_comes_back_with_the_words_that_are_asked_for() {
        let text = "def read_all():\n    return open_file()\n\n\ndef close():\n    pass\n";
        let doc = plain::file_doc("src/reader.py", text).unwrap();
        let file = prepare(&doc, Some(&MockEmbedder::default())).unwrap();
        let model = Model::from_embedder(&MockEmbedder::default());
        let index = Index::in_memory(&model, vec![file.clone()]).unwrap();
        let totals = totals_of(&index, 3);
        let stamp = TextStamp { hash: 7, users: 1 };
        let unpublished = Unpublished {
            file: file.clone(),
            role: FileRole::Test,
            stamp,
            text: text.to_owned(),
        };
        let published = to_published(&totals, vec![unpublished]).unwrap().remove(0);
        assert_eq!(published.words.len(), file.terms.len());
        assert_eq!(published.vectors.len(), file.chunks.len());
        let weighed = |w: &TextWord| w.file_says > 0.0 && (w.chunks == 0) == (w.chunk_says == 0.0);
        assert!(published.words.iter().all(weighed));
        let some = [published.words.last(), published.words.first()];
        let places: Vec<WordPlaces> = some.into_iter().flatten().map(places_of).collect();
        let back = from_published(&published.outline, places).unwrap();
        assert_eq!((back.role, &back.chunks), (FileRole::Test, &file.chunks));
        let words: Vec<&str> = back.terms.iter().map(|t| back.term_text(t)).collect();
        let ends = [
            &published.words[0],
            &published.words[published.words.len() - 1],
        ];
        assert_eq!(words, ends.map(|word| word.word.as_str()));
        // A word whose places name no chunk of the file is refused.
        let mut forged = places_of(&published.words[0]);
        forged.postings = vec![0xff, 0xff, 0x03];
        assert!(from_published(&published.outline, vec![forged]).is_none());
    }

    fn places_of(word: &TextWord) -> WordPlaces {
        WordPlaces {
            number: 1,
            word: word.word.clone(),
            path: word.path,
            postings: word.postings.clone(),
        }
    }
}
