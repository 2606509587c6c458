//! The chunks that contain a phrase of the query to the letter. Chunks with all of its words are read
//! and compared.

use super::literal::{MOST_CHUNKS, Phrases, UNSURE_CHUNKS};
use super::weigh::{LengthNorms, TermMatches};
use super::{Layout, ProjectView, Tuning};
use crate::index::Index;
use crate::prepare::with_stems;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use text::tokens::{Token, tokens};

/// The most words of a phrase that are looked up: a bound on work. Further words would only leave fewer
/// chunks to read.
const MOST_TERMS: usize = 24;

/// A phrase found in a chunk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PhraseHit {
    /// How well it matches, 0–1.
    pub(super) score: f32,
    /// The line of the phrase; none for the heading of a section.
    pub(super) line: Option<u32>,
}

/// Phrases found, by global number of the chunk.
pub(super) type PhraseHits = FxHashMap<usize, PhraseHit>;

/// The data in which phrases are searched for.
pub(super) struct PhraseSearch<'p> {
    pub(super) index: &'p Index,
    pub(super) layout: &'p Layout,
    pub(super) tuning: &'p Tuning,
    pub(super) project: Option<&'p dyn ProjectView>,
    /// The word score of each chunk: those with the highest are read first.
    pub(super) words: &'p [f32],
}

impl PhraseSearch<'_> {
    /// The chunks that contain a phrase. `is_candidate` chooses files.
    pub(super) fn find(
        &self,
        phrases: &Phrases,
        is_candidate: impl Fn(usize) -> bool,
    ) -> PhraseHits {
        let mut hits = PhraseHits::default();
        let asked = |chunk: &usize| is_candidate(self.layout.owner[*chunk] as usize);
        if let Some(heading) = phrases.heading() {
            let with_words = self.chunks_with_words(heading);
            for chunk in with_words.into_iter().filter(asked) {
                if self.has_heading(chunk, phrases) {
                    let hit = PhraseHit {
                        score: 1.0,
                        line: None,
                    };
                    hits.insert(chunk, hit);
                }
            }
        }
        let Some(project) = self.project else {
            return hits;
        };
        let mut chunks: Vec<usize> = Vec::new();
        for text in phrases.texts() {
            chunks.extend(self.chunks_with_words(text).into_iter().filter(asked));
        }
        for chunk in self.most_telling(chunks, phrases.is_sure()) {
            let Some(lines) = self.lines_of(chunk) else {
                continue;
            };
            let text = project.lines(lines.path, lines.first, lines.last);
            let found = text.and_then(|text| phrases.find_in(&text, self.tuning));
            if let Some((score, line)) = found {
                let known = hits.get(&chunk).map_or(0.0, |hit| hit.score);
                if score > known {
                    let line = Some(lines.first + line);
                    hits.insert(chunk, PhraseHit { score, line });
                }
            }
        }
        hits
    }

    /// The chunks that have all words of a text, in ascending order.
    fn chunks_with_words(&self, text: &str) -> Vec<usize> {
        let norms = LengthNorms::new(self.index, self.tuning);
        let look_up = |term: &String| {
            let find = || TermMatches::look_up(self.index, self.layout, term, &norms, self.tuning);
            self.layout
                .known
                .get_or_insert_with(term, self.tuning, find)
        };
        let mut found: Vec<Arc<TermMatches>> = terms_of(text).iter().map(look_up).collect();
        found.sort_by_key(|matches| matches.chunks.len());
        let Some((rarest, others)) = found.split_first() else {
            return Vec::new();
        };
        let has = |matches: &Arc<TermMatches>, chunk: u32| {
            let at = matches.chunks.binary_search_by_key(&chunk, |(c, _)| *c);
            at.is_ok()
        };
        let chunks = rarest.chunks.iter().map(|(chunk, _)| *chunk);
        let with_all = chunks.filter(|chunk| others.iter().all(|other| has(other, *chunk)));
        with_all.map(|chunk| chunk as usize).collect()
    }

    /// The chunks worth reading, by word score.
    fn most_telling(&self, mut chunks: Vec<usize>, is_sure: bool) -> Vec<usize> {
        chunks.sort_unstable();
        chunks.dedup();
        let says = |chunk: usize| self.words.get(chunk).copied().unwrap_or(0.0);
        chunks.sort_by(|a, b| says(*b).total_cmp(&says(*a)).then(a.cmp(b)));
        chunks.truncate(if is_sure { MOST_CHUNKS } else { UNSURE_CHUNKS });
        chunks
    }

    fn has_heading(&self, chunk: usize, phrases: &Phrases) -> bool {
        let mut found = false;
        if let Some((part, row)) = self.layout.chunk_row(self.index, chunk) {
            let segment = &self.index.parts[part].segment;
            // The definitions of a damaged row are left out.
            let _ = segment.visit_definitions(&row, |def| {
                found |= def.kind == "section" && phrases.is_heading(def.name);
            });
        }
        found
    }

    fn lines_of(&self, chunk: usize) -> Option<ChunkLines<'_>> {
        let (part, row) = self.layout.chunk_row(self.index, chunk)?;
        let (_, local) = self.layout.place[self.layout.owner[chunk] as usize];
        let path = self.index.parts[part].segment.path(local);
        Some(ChunkLines {
            path,
            first: row.start_line,
            last: row.end_line,
        })
    }
}

/// The lines of a chunk, from the first to the last.
struct ChunkLines<'a> {
    path: &'a str,
    first: u32,
    last: u32,
}

/// The index terms of a text, each once.
pub(super) fn terms_of(text: &str) -> Vec<String> {
    let mut terms: Vec<String> = Vec::new();
    with_stems(|stems| {
        let mut add = |term: &str| {
            if terms.len() < MOST_TERMS && !terms.iter().any(|known| known == term) {
                terms.push(term.to_owned());
            }
        };
        tokens(text, |token| match token {
            Token::Identifier(name) => text::terms::terms_of(name, stems, &mut add),
            Token::Bigram(gram) => add(gram),
        });
    });
    terms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Model;
    use crate::plain;
    use crate::prepare::prepare;
    use crate::rank::{ChunkHit, RankMode, Request, search};

    struct Texts(Vec<(&'static str, String)>);

    impl ProjectView for Texts {
        fn centrality(&self, _: &str) -> f32 {
            0.0
        }

        fn lines(&self, path: &str, first: u32, last: u32) -> Option<String> {
            let (_, text) = self.0.iter().find(|(known, _)| *known == path)?;
            let lines = text.lines().skip(first as usize - 1);
            Some(
                lines
                    .take((last + 1 - first) as usize)
                    .collect::<Vec<_>>()
                    .join("\n"),
            )
        }
    }

    fn first_hit(texts: &Texts, query: &str) -> ChunkHit {
        let docs = texts.0.iter().map(|(path, text)| {
            let doc = plain::file_doc(path, text).unwrap();
            prepare(&doc, None).unwrap()
        });
        let index = Index::in_memory(&Model::default(), docs.collect()).unwrap();
        let request = Request {
            query,
            mode: RankMode::Keyword,
            limit: 1,
            filter: &Default::default(),
            min_relevance: 0.0,
            following_relevance: 0.0,
            project: Some(texts),
            tuning: &Tuning::default(),
        };
        search(&index, None, &request).chunks.remove(0)
    }

    /// A long function with a message near its end, among many short ones that have more of its words.
    fn texts() -> Texts {
        let filler = "    prepare_answer(client, 7);\n".repeat(60);
        let message =
            "    answer = \"-OOM command not allowed when used memory > 'maxmemory'.\\r\\n\";\n";
        let mut all = vec![(
            "src/answers.c",
            format!("void create_answers(void) {{\n{filler}{message}{filler}}}\n"),
        )];
        for path in ["a.c", "b.c", "c.c", "d.c", "e.c", "f.c", "g.c", "h.c"] {
            let text = "int oom_command_memory(void) {\n    return used_memory > maxmemory && oom && !allowed(command);\n}\n";
            all.push((path, text.to_owned()));
        }
        Texts(all)
    }

    #[test]
    fn a_message_is_found_at_its_line() {
        let query = "OOM command not allowed when used memory > 'maxmemory'";
        let hit = first_hit(&texts(), query);
        assert_eq!((hit.path.as_str(), hit.start_line), ("src/answers.c", 62));
        assert!(hit.relevance > 0.7, "{hit:?}");
        let hit = first_hit(&texts(), "where is \"command not allowed when\" sent");
        assert_eq!((hit.path.as_str(), hit.start_line), ("src/answers.c", 62));
    }

    #[test]
    fn the_same_words_in_another_order_are_no_phrase() {
        let hit = first_hit(
            &texts(),
            "memory used when allowed not command OOM maxmemory",
        );
        assert_ne!(hit.start_line, 62, "{hit:?}");
    }

    #[test]
    fn terms_are_those_of_the_index() {
        assert_eq!(
            terms_of("the used_memory of it"),
            ["usedmemory", "use", "memori"]
        );
        assert!(terms_of(&"a1 b2 c3 dd ee ff gg ".repeat(90)).len() <= MOST_TERMS);
        assert!(terms_of("").is_empty());
    }
}
