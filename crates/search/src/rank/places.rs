//! The relevance, for a query, of places that something else found.

use super::rules::{chunk_relevance, unknown_word_weight};
use super::{Query, RankMode, Tuning, cosine_scores, lexical, query_vector};
use crate::embed::Embedder;
use crate::index::Index;

/// A line of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceLine<'p> {
    /// Path from the root.
    pub path: &'p str,
    /// The line, from 1.
    pub line: u32,
    /// Name of the definition there, empty for none.
    pub symbol: &'p str,
}

/// The relevance of a place by the index.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlaceRelevance {
    /// The relevance, 0–1, from the words and the vector of the chunk around the place alone. Words count
    /// relative to the best chunk's.
    pub relevance: f32,
    /// First and last line of that chunk.
    pub lines: (u32, u32),
}

/// The relevance of places for a query; none for places that are not indexed.
pub fn judge_places(
    index: &Index,
    embedder: Option<&dyn Embedder>,
    text: &str,
    mode: RankMode,
    places: &[SourceLine<'_>],
) -> Vec<Option<PlaceRelevance>> {
    let tuning = Tuning::default();
    let query = Query::read(text, &tuning);
    let vector = match mode {
        RankMode::Keyword => None,
        _ => query_vector(index.model(), embedder, &query).ok().flatten(),
    };
    let layout = index.layout();
    let lexical = lexical::score_all(index, layout, &query.terms, &tuning);
    let cosines = vector.map(|v| cosine_scores(index, &v));
    let most = lexical.chunks.iter().copied().fold(1e-6, f32::max);
    let lacking = (1.0 - lexical.known_share) * unknown_word_weight(index.chunk_count(), &tuning);
    let judged = |place: &SourceLine<'_>| {
        let (chunk, lines) = chunk_at(index, place)?;
        let words = match mode {
            RankMode::Semantic => None,
            _ => Some(lexical.chunks[chunk] / most),
        };
        let near = cosines.as_ref().map(|c| c[chunk]);
        let part = |words: &[&String]| lexical.idf_share(&query.terms, words);
        let named = super::rules::name_match(&query, place.symbol, &part, &tuning);
        Some(PlaceRelevance {
            relevance: chunk_relevance(words, near, 1.0 - lacking, named, &tuning),
            lines,
        })
    };
    places.iter().map(judged).collect()
}

/// The global number and lines of the chunk around a place, else of the nearest chunk before it.
fn chunk_at(index: &Index, place: &SourceLine<'_>) -> Option<(usize, (u32, u32))> {
    let layout = index.layout();
    let (part, local) = index.parts.iter().enumerate().find_map(|(at, part)| {
        let file = part.segment.find(place.path)?;
        (!part.dead[file as usize]).then_some((at, file))
    })?;
    let file = (layout.bases.get(part)?.0 + local) as usize;
    let row = layout.files.get(file)?;
    let mut best = None;
    for nth in 0..row.chunks {
        let chunk = index.parts[part].segment.chunk_row(row.first_chunk + nth)?;
        if best.is_some() && chunk.start_line > place.line {
            break;
        }
        let global = layout.first_chunk[file] + nth;
        best = Some((global as usize, (chunk.start_line, chunk.end_line)));
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Model;
    use crate::plain;
    use crate::prepare::prepare;

    fn index(files: &[(&str, &str)]) -> Index {
        let prepared = files
            .iter()
            .map(|(path, text)| prepare(&plain::file_doc(path, text).unwrap(), None).unwrap());
        Index::in_memory(&Model::default(), prepared.collect()).unwrap()
    }

    #[test]
    fn places_are_judged_by_their_own_words() {
        let index = index(&[
            (
                "retry.rb",
                "def compute_backoff(attempt)\n  base * 2 ** attempt # retry backoff\nend\n",
            ),
            ("log.rb", "def log_line(text)\n  puts text\nend\n"),
        ]);
        let place = |path| SourceLine {
            path,
            line: 2,
            symbol: "",
        };
        let places = [place("retry.rb"), place("log.rb"), place("gone.rb")];
        let judged = judge_places(&index, None, "retry backoff", RankMode::Hybrid, &places);
        let [Some(retry), Some(log), None] = judged[..] else {
            panic!("{judged:?}")
        };
        assert!(retry.relevance > 0.8 && log.relevance < 0.1, "{judged:?}");
        assert_eq!(retry.lines, (1, 3));
    }
}
