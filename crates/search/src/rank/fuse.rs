//! Fusion: scores of words and vectors become ranked files, then ranked chunks.

use super::contents::DefinitionCounts;
use super::focus::{is_executable_kind, is_type_kind, is_value_kind};
use super::literal::Phrases;
use super::overview::{first_prose_line, introduction_score, is_asked_heading};
use super::phrase_hits::{PhraseHit, PhraseHits, PhraseSearch};
use super::{ChunkHit, Layout, LexicalScores, Query, QueryClass, RankMode, Request, Source, rules};
use crate::doc::FileRole;
use crate::index::Index;
use crate::index::segment::{ChunkRow, DefRow};
use crate::prepare::{BODY, DOC, Definition};
use embedding::moments;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of files that the rules examine.
const MAX_FILES: usize = 120;
/// The number of chunks of a file whose definitions the rules examine.
const MAX_CHUNKS: usize = 40;
/// The number of files that one thread examines.
const AT_ONCE: usize = 16;
/// The number of chunks that one thread examines.
const STRETCH: usize = 16_384;
/// The number of files among which one thread finds the most promising.
const FILES: usize = 2_048;
/// The number of first files that are sorted again by their best chunks.
const REFINED: usize = 13;
/// The number of first chunks of a file that are sorted again by their definitions.
const LOOKED: usize = 12;
/// The most chunks that one definition without members may span.
const PIECES: usize = 12;
/// The number of first chunks of a document that may be a banner.
const OPENING: usize = 6;
/// Names of test modules inside a source file.
const TESTS: [&str; 2] = ["test", "tests"];
/// The most chunks of one file in an answer.
const MAX_CHUNKS_PER_FILE: usize = 3;

/// The input of ranking.
pub(crate) struct RankingContext<'c> {
    pub(crate) index: &'c Index,
    pub(crate) layout: &'c Layout,
    pub(crate) query: &'c Query,
    pub(crate) phrases: &'c Phrases,
    pub(crate) lexical: &'c LexicalScores,
    pub(crate) cosines: Option<&'c [f32]>,
    pub(crate) request: &'c Request<'c>,
    pub(crate) mode: RankMode,
}

/// How well names match the query, for the names compared so far.
type NameScores<'d> = FxHashMap<&'d str, f32>;

/// The mean and the deviation of scores over the index.
struct ScoreScale {
    mean: f32,
    deviation: f32,
}

impl ScoreScale {
    /// Mean and deviation of the values of all live chunks. Values are summed as integers, so the result does not depend
    /// on their order.
    fn from_values(values: &[f32], layout: &Layout) -> ScoreScale {
        let part = |(at, part): (usize, &[f32])| {
            if layout.all_alive {
                let (sum, squares) = moments(part);
                return (sum, i128::from(squares), part.len());
            }
            let owners = &layout.owner[at * STRETCH..];
            let chunks = part.iter().zip(owners);
            let alive = chunks.filter(|(_, file)| layout.alive[**file as usize]);
            let alive: Vec<f32> = alive.map(|(value, _)| *value).collect();
            let (sum, squares) = moments(&alive);
            (sum, i128::from(squares), alive.len())
        };
        let (sum, squares, count) = values
            .par_chunks(STRETCH)
            .enumerate()
            .map(part)
            .reduce(|| (0, 0, 0), |a, b| (a.0 + b.0, a.1 + b.1, a.2 + b.2));
        let unit = f64::from(1u32 << 20);
        if count == 0 {
            return ScoreScale {
                mean: 0.0,
                deviation: 1.0,
            };
        }
        let mean = sum as f64 / count as f64 / unit;
        let variance = squares as f64 / count as f64 / unit / unit - mean * mean;
        ScoreScale {
            mean: mean as f32,
            deviation: (variance.max(0.0).sqrt() as f32).max(1e-6),
        }
    }
}

/// Joins the scores of a chunk into two: its evidence for its file, and its order within the file.
struct FusedScores<'c> {
    words: &'c [f32],
    /// The weights of words: for the file's evidence, and the extra weight for the order of chunks.
    words_say: (f32, f32),
    cosines: Option<&'c [f32]>,
    mean: f32,
    /// The weights of vectors, likewise.
    vectors_say: (f32, f32),
}

impl FusedScores<'_> {
    fn file_evidence(&self, chunk: usize) -> f32 {
        let near = self.cosines.map_or(0.0, |all| all[chunk] - self.mean);
        self.words_say.0 * self.words[chunk] + self.vectors_say.0 * near
    }

    fn order_in_file(&self, chunk: usize) -> f32 {
        let near = self.cosines.map_or(0.0, |all| all[chunk] - self.mean);
        let more = self.words_say.1 * self.words[chunk] + self.vectors_say.1 * near;
        self.file_evidence(chunk) + more
    }

    /// The highest evidence among chunks.
    fn best_evidence(&self, chunks: std::ops::Range<usize>) -> f32 {
        let words = &self.words[chunks.clone()];
        let say = self.words_say.0;
        let Some(cosines) = self.cosines else {
            return words.iter().fold(f32::MIN, |most, w| most.max(say * w));
        };
        let near = self.vectors_say.0;
        let both = words.iter().zip(&cosines[chunks]);
        let one = |(word, cosine): (&f32, &f32)| say * word + near * (cosine - self.mean);
        both.map(one).fold(f32::MIN, f32::max)
    }
}

/// Weights that depend on the form of the query.
struct FormWeights {
    lexical: f32,
    stem: f32,
    third: f32,
    prior: f32,
    contents: f32,
    size: f32,
}

/// A chunk that may be shown.
#[derive(Clone, Copy)]
struct ChunkPlace<'h> {
    file: usize,
    chunk: usize,
    /// The phrase of the query that the chunk contains to the letter.
    phrase: Option<&'h PhraseHit>,
}

/// A file with the scores of its chunks.
struct RankedFile {
    file: usize,
    score: f32,
    /// The three highest evidence scores of its chunks.
    evidence: [f32; 3],
    /// Its chunks, best first: global number, score within the file.
    chunks: Vec<(usize, f32)>,
}

impl RankingContext<'_> {
    /// The best chunks up to the limit, and the number of all relevant chunks.
    pub(crate) fn rank(&self) -> (Vec<ChunkHit>, usize) {
        let fused = self.fuse_scores();
        let literal = self.phrase_hits();
        let mut files = self.top_files(&fused, &literal);
        let mut versions = rules::VersionFolders::default();
        files.iter().for_each(|f| versions.add(self.path(f.file)));
        files.par_iter_mut().with_min_len(AT_ONCE).for_each_init(
            NameScores::default,
            |known, ranked| {
                ranked.score += self.rule_bonus(ranked, &versions, known);
            },
        );
        self.sort_files(&mut files);
        // All files are examined whatever the limit is, since the limit must not change the order.
        files
            .par_iter_mut()
            .with_min_len(AT_ONCE)
            .for_each(|f| self.reorder_by_contents(f));
        let refined = files.len().min(REFINED);
        self.sort_files(&mut files[..refined]);
        self.chunk_hits(&files, &literal)
    }

    /// The chunks that contain a phrase of the query to the letter.
    fn phrase_hits(&self) -> PhraseHits {
        if self.phrases.is_empty() || self.request.tuning.literal == 0.0 {
            return PhraseHits::default();
        }
        let search = PhraseSearch {
            index: self.index,
            layout: self.layout,
            tuning: self.request.tuning,
            project: self.request.project,
            words: self.lexical.chunks.as_slice(),
        };
        search.find(self.phrases, |file| self.is_candidate(file))
    }

    fn is_candidate(&self, file: usize) -> bool {
        self.layout.alive[file] && self.layout.files[file].chunks > 0 && self.allows(file)
    }

    fn sort_files(&self, files: &mut [RankedFile]) {
        files.sort_by(|a, b| {
            b.score
                .total_cmp(&a.score)
                .then_with(|| self.path(a.file).cmp(self.path(b.file)))
        });
    }

    /// Sorts the first chunks of a file again by their definitions.
    fn reorder_by_contents(&self, ranked: &mut RankedFile) {
        if self.introduction_score(ranked.file) > 0.0 {
            // A document introduces the project from its beginning on.
            ranked.chunks.sort_by_key(|(chunk, _)| *chunk);
            let first = self.describing_chunk(&ranked.chunks);
            ranked.chunks[..=first].rotate_right(1);
            return;
        }
        if self.query.class == QueryClass::Symbol {
            return;
        }
        let making = self.query.is_construction_question();
        let tuning = self.request.tuning;
        let looked = ranked.chunks.len().min(LOOKED);
        let mut worth: Vec<f32> = Vec::with_capacity(looked);
        for (chunk, score) in &mut ranked.chunks[..looked] {
            let value = self.chunk_contents(*chunk).order_bonus(tuning, making);
            worth.push(value);
            *score += value;
        }
        let best = (0..looked).max_by(|a, b| {
            ranked.chunks[*a]
                .1
                .total_cmp(&ranked.chunks[*b].1)
                .then(b.cmp(a))
        });
        if let Some(best) = best {
            ranked.score += self.form().contents
                * worth[best].clamp(tuning.file_contents_least, tuning.file_contents_most);
        }
        ranked
            .chunks
            .sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    }

    /// The index of the chunk that describes the project in a document. `chunks` are in order of lines. It is the section
    /// that the query asks for, else the first chunk with a paragraph of prose after the banner.
    fn describing_chunk(&self, chunks: &[(usize, f32)]) -> usize {
        let is_asked = |(chunk, _): &(usize, f32)| {
            let mut found = false;
            self.visit_definitions(*chunk, |def| {
                found |= def.kind == "section"
                    && is_asked_heading(def.name, &self.query.words, self.request.tuning);
            });
            found
        };
        let describes = |(chunk, _): &(usize, f32)| self.prose_line(*chunk).is_some();
        let asked = chunks.iter().take(MAX_CHUNKS).position(is_asked);
        let first = || chunks.iter().take(OPENING).position(describes);
        asked.or_else(first).unwrap_or(0)
    }

    /// The line where a chunk of a document begins to describe something.
    fn prose_line(&self, chunk: usize) -> Option<u32> {
        let project = self.request.project?;
        let (_, row) = self.chunk_row(chunk)?;
        let path = self.path(self.layout.owner[chunk] as usize);
        let text = project.lines(path, row.start_line, row.end_line)?;
        Some(row.start_line + first_prose_line(&text, self.request.tuning)? as u32)
    }

    fn chunk_contents(&self, chunk: usize) -> DefinitionCounts {
        let mut contents = DefinitionCounts::default();
        let part = |words: &[&String]| self.lexical.idf_share(&self.query.terms, words);
        let mut none = true;
        self.visit_definitions(chunk, |def| {
            none = false;
            let lines = (def.end_line + 1).saturating_sub(def.start_line);
            contents.add(def.kind, def.name, lines);
            let word = rules::one_word_match(self.query, def.name, &part, self.request.tuning);
            contents.one_word_score = contents.one_word_score.max(word);
        });
        let container = self.container(chunk);
        contents.inside =
            none && (!container.is_empty() || self.continued_definition(chunk).is_some());
        let for_tests = self.query.requested_roles.contains(&FileRole::Test);
        contents.tests = !for_tests && TESTS.contains(&container);
        if let Some((_, row)) = self.chunk_row(chunk) {
            contents.lines = (row.end_line + 1).saturating_sub(row.start_line);
        }
        contents
    }

    /// The score that a chunk loses for being mostly documentation.
    fn prose_penalty(&self, chunk: usize) -> f32 {
        if self.query.is_report {
            return 0.0;
        }
        let tuning = self.request.tuning;
        let (share, least) = (self.prose_share(chunk), tuning.prose_least);
        tuning.prose * ((share - least) / (1.0 - least)).max(0.0)
    }

    /// The share of a chunk's words that are in documentation, 0–1. It is 0 for documents.
    fn prose_share(&self, chunk: usize) -> f32 {
        let file = self.layout.owner[chunk] as usize;
        match self.chunk_row(chunk) {
            Some((_, row)) if self.layout.files[file].role != FileRole::Document => {
                let words = f32::from(row.lengths[BODY].max(1));
                (f32::from(row.lengths[DOC]) / words).min(1.0)
            }
            _ => 0.0,
        }
    }

    /// The definition that began in an earlier chunk and continues in this one.
    fn continued_definition(&self, chunk: usize) -> Option<DefRow<'_>> {
        let file = self.layout.owner[chunk] as usize;
        let (_, row) = self.chunk_row(chunk)?;
        let first = self.layout.chunks_of(file).start;
        (first..chunk).rev().take(PIECES).find_map(|before| {
            let mut found = None;
            self.visit_definitions(before, |def| {
                if def.end_line >= row.start_line && !is_value_kind(def.kind) {
                    found = Some(def);
                }
            });
            found
        })
    }

    /// The continued definition, if it covers most lines of the chunk.
    fn mostly_continued_definition(
        &self,
        chunk: usize,
        (from, to): (u32, u32),
    ) -> Option<DefRow<'_>> {
        let most = |def: &DefRow<'_>| 2 * (def.end_line.min(to) + 1 - from) > to + 1 - from;
        self.continued_definition(chunk).filter(most)
    }

    fn path(&self, file: usize) -> &str {
        let (part, local) = self.layout.place[file];
        self.index.parts[part as usize].segment.path(local)
    }

    fn alive_values<'v>(&'v self, files: &'v [f32]) -> impl Iterator<Item = f32> + 'v {
        files
            .iter()
            .zip(&self.layout.alive)
            .filter(|(_, alive)| **alive)
            .map(|(v, _)| *v)
    }

    /// The weights that depend on whether the query is a sentence.
    fn form(&self) -> FormWeights {
        let tuning = self.request.tuning;
        if self.query.is_sentence {
            FormWeights {
                lexical: tuning.sentence_lexical,
                stem: tuning.sentence_stem,
                third: tuning.sentence_third,
                prior: tuning.sentence_prior,
                contents: tuning.sentence_contents,
                size: tuning.sentence_size,
            }
        } else {
            FormWeights {
                lexical: tuning.lexical,
                stem: tuning.stem,
                third: tuning.several_third,
                prior: tuning.prior,
                contents: tuning.file_contents,
                size: 0.0,
            }
        }
    }

    /// The weight of vectors: less if the query is a name, more in a search by vectors alone.
    fn vector_weight(&self) -> f32 {
        let tuning = self.request.tuning;
        match (self.mode, self.query.class) {
            (RankMode::Semantic, _) => tuning.vector_alone * tuning.vector,
            (_, QueryClass::Symbol | QueryClass::Path) => tuning.vector_symbol,
            _ => tuning.vector,
        }
    }

    /// The weights of a chunk's words: for its file, and for its place in the file.
    fn word_weights(&self) -> (f32, f32) {
        let (lexical, order) = (self.form().lexical, self.request.tuning.order);
        match (self.mode, self.cosines) {
            (RankMode::Semantic, _) => (0.0, 0.0),
            (_, Some(_)) => (lexical, order),
            // Words are alone: the mode has no vectors, or the model knows nothing of the query.
            (_, None) => (lexical + order, 0.0),
        }
    }

    /// Prepares the fusion of scores. Words count as a share of the best chunk's, not in units of their deviation: a few
    /// rare words make up the spread of BM25, which would drown the vectors.
    fn fuse_scores(&self) -> FusedScores<'_> {
        let words = self.lexical.chunks.as_slice();
        // Dead chunks have no word scores.
        let most = words.par_iter().with_min_len(STRETCH).copied();
        let most = most.reduce(|| 1e-6, f32::max);
        let (for_file, for_order) = self.word_weights();
        let mut fused = FusedScores {
            words,
            words_say: (for_file / most, for_order / most),
            cosines: self.cosines,
            mean: 0.0,
            vectors_say: (0.0, 0.0),
        };
        if let Some(cosines) = self.cosines {
            let scale = match self.index.whole.as_ref().and_then(|w| w.nearness.as_ref()) {
                Some(near) => ScoreScale {
                    mean: near.mean,
                    deviation: near.deviation.max(1e-6),
                },
                None => ScoreScale::from_values(cosines, self.layout),
            };
            let more = self.request.tuning.order_vector;
            fused.mean = scale.mean;
            fused.vectors_say = (
                self.vector_weight() / scale.deviation,
                more / scale.deviation,
            );
        }
        fused
    }

    /// The weighted word score of each file as a whole, relative to the best file's.
    fn whole_file_scores(&self) -> Vec<f32> {
        let tuning = self.request.tuning;
        let most = self.alive_values(&self.lexical.files).fold(1e-6, f32::max);
        let words = match self.mode {
            RankMode::Semantic => 0.0,
            _ => tuning.file,
        };
        let share = self.lexical.files.iter().map(|v| words * v / most);
        share.collect()
    }

    /// The most promising files by chunks and by the file as a whole.
    fn top_files(&self, fused: &FusedScores<'_>, literal: &PhraseHits) -> Vec<RankedFile> {
        let mut whole = self.whole_file_scores();
        let tuning = self.request.tuning;
        let in_path = tuning.in_path;
        let mut phrases: FxHashMap<usize, f32> = FxHashMap::default();
        for (chunk, hit) in literal {
            let best = phrases
                .entry(self.layout.owner[*chunk] as usize)
                .or_default();
            *best = best.max(hit.score);
        }
        for (file, score) in phrases {
            whole[file] += tuning.literal * score;
        }
        let score = |file: usize| {
            let chunks = self.layout.chunks_of(file);
            let best = fused.best_evidence(chunks);
            let introduction = tuning.overview * self.introduction_score(file);
            best + whole[file] + in_path * self.lexical.in_path[file] + introduction
        };
        let count = self.layout.files.len();
        let stretch = |at: usize| {
            let mut some: Vec<(f32, usize)> = (at * FILES..count.min((at + 1) * FILES))
                .filter(|file| self.is_candidate(*file))
                .map(|file| (score(file), file))
                .filter(|(score, file)| {
                    self.cosines.is_some() || *score > 0.0 || self.lexical.files[*file] > 0.0
                })
                .collect();
            keep_highest(&mut some, MAX_FILES);
            some
        };
        let stretches = (0..count.div_ceil(FILES)).into_par_iter();
        let mut all = stretches.flat_map_iter(stretch).collect::<Vec<_>>();
        keep_highest(&mut all, MAX_FILES);
        all.sort_by(|a, b| {
            b.0.total_cmp(&a.0)
                .then_with(|| self.path(a.1).cmp(self.path(b.1)))
        });
        all.truncate(MAX_FILES);
        all.into_iter()
            .map(|(score, file)| {
                let score = score - in_path * self.lexical.in_path[file];
                let mut chunks: Vec<(usize, f32)> = self
                    .layout
                    .chunks_of(file)
                    .map(|c| {
                        let to_the_letter = literal.get(&c).map_or(0.0, |hit| hit.score);
                        (c, fused.order_in_file(c) + tuning.literal * to_the_letter)
                    })
                    .collect();
                chunks.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
                let raw =
                    three_highest(self.layout.chunks_of(file).map(|c| fused.file_evidence(c)));
                let evidence = self.evidence_of(file, fused, raw);
                RankedFile {
                    file,
                    score: score + evidence[0] - raw[0],
                    evidence,
                    chunks,
                }
            })
            .collect()
    }

    /// The three highest evidence scores of a file's chunks, after the penalty for prose: a chunk that is mostly
    /// documentation tells of code elsewhere. `raw` are the three highest without the penalty.
    fn evidence_of(&self, file: usize, fused: &FusedScores<'_>, raw: [f32; 3]) -> [f32; 3] {
        let chunks = self.layout.chunks_of(file);
        // A chunk below this cannot be among the three highest, even if these lose the whole penalty.
        let least = match chunks.len() {
            0..=3 => f32::MIN,
            _ => raw[2] - self.request.tuning.prose,
        };
        let evidence_by_chunk = chunks.map(|chunk| (chunk, fused.file_evidence(chunk)));
        let near = evidence_by_chunk.filter(|(_, evidence)| *evidence >= least);
        three_highest(near.map(|(chunk, evidence)| evidence - self.prose_penalty(chunk)))
    }

    /// How well a file introduces the project, 0–1; 0 if the query does not ask for that.
    fn introduction_score(&self, file: usize) -> f32 {
        if self.query.is_overview {
            introduction_score(self.path(file), &self.query.words, self.request.tuning)
        } else {
            0.0
        }
    }

    fn allows(&self, file: usize) -> bool {
        let filter = self.request.filter;
        filter.path.is_none() || filter.allows_path(self.path(file))
    }

    /// The score that the rules add to a file. Also adds to the scores of its chunks.
    fn rule_bonus<'c>(
        &'c self,
        ranked: &mut RankedFile,
        versions: &rules::VersionFolders,
        known: &mut NameScores<'c>,
    ) -> f32 {
        let tuning = self.request.tuning;
        let path = self.path(ranked.file);
        let row = &self.layout.files[ranked.file];
        let role = self.role(ranked.file);
        let [_, second, third] = ranked.evidence.map(|e| e.max(0.0));
        let form = self.form();
        let several = tuning.several * (second + form.third * third);
        let rarity = |word: &str| self.rarity(word);
        let is_word = |word: &str| self.is_word(word);
        let vocabulary = rules::PathVocabulary {
            rarity: &rarity,
            is_word: &is_word,
        };
        let (stem, folder) = rules::path_words(path);
        let mut sum = several
            + form.stem * rules::query_overlap(&stem, self.query, &vocabulary, tuning)
            + tuning.folder * rules::query_overlap(&folder, self.query, &vocabulary, tuning)
            + tuning.path * rules::path_match(path, self.query, tuning)
            + tuning.in_path * self.lexical.in_path[ranked.file].min(tuning.in_path_most)
            + tuning.coverage * self.query_coverage(ranked.file)
            - tuning.role * rules::role_penalty(role, self.query, tuning)
            - form.size * (row.chunks as f32).max(1.0).ln();
        if row.stub {
            sum -= tuning.stub;
        }
        if rules::is_compat(path, self.query) {
            sum -= tuning.compat;
        }
        let only_declares = || !self.query.is_report && self.only_declares(ranked.file);
        if rules::is_declaration(path) || only_declares() {
            sum -= tuning.declaration;
        }
        if versions.is_older_version(path, self.query) {
            sum -= tuning.version;
        }
        if rules::is_other_platform(path, self.query) {
            sum -= tuning.platform;
        }
        if let Some(project) = self.request.project {
            sum += form.prior * project.centrality(path).clamp(0.0, 1.0);
        }
        sum + self.best_definition_score(ranked, known)
    }

    /// Whether a file has types, and no code that does something in more than one line.
    fn only_declares(&self, file: usize) -> bool {
        if self.role(file) != FileRole::Source {
            return false;
        }
        let mut has_types = false;
        for chunk in self.layout.chunks_of(file).take(MAX_CHUNKS) {
            let mut does_something = false;
            self.visit_definitions(chunk, |def| {
                has_types |= is_type_kind(def.kind);
                does_something |= is_executable_kind(def.kind) && def.end_line > def.start_line;
            });
            if does_something {
                return false;
            }
        }
        has_types
    }

    /// Whether the index contains a word.
    fn is_word(&self, word: &str) -> bool {
        if let Some(whole) = &self.index.whole {
            return whole.known.contains(word);
        }
        let parts = self.index.parts.iter().zip(&self.layout.bases);
        parts.into_iter().any(|(part, (_, base))| {
            let is_alive = |chunk: u32| {
                let owner = self.layout.owner.get(*base as usize + chunk as usize);
                owner.is_some_and(|file| self.layout.alive[*file as usize])
            };
            part.segment.any_chunk_with(word, is_alive) == Some(true)
        })
    }

    /// The role of a file: by the project's own rules, else as the index has it.
    fn role(&self, file: usize) -> FileRole {
        let indexed = self.layout.files[file].role;
        match self.request.project {
            Some(project) => project.role(self.path(file), indexed),
            None => indexed,
        }
    }

    /// The share of the query's words that a file has, weighted by rarity.
    fn query_coverage(&self, file: usize) -> f32 {
        if self.lexical.total_idf > 0.0 && self.mode != RankMode::Semantic {
            self.lexical.found_idf[file] / self.lexical.total_idf
        } else {
            0.0
        }
    }

    fn rarity(&self, word: &str) -> f32 {
        let tuning = self.request.tuning;
        self.query
            .terms
            .iter()
            .zip(&self.lexical.idf)
            .find(|(term, _)| term.text == word)
            .map_or(tuning.path_rarity, |(_, idf)| {
                idf.max(tuning.path_rarity_least)
            })
    }

    /// The score of the best definition that the query names. Moves its chunk to the front.
    fn best_definition_score<'c>(
        &'c self,
        ranked: &mut RankedFile,
        known: &mut NameScores<'c>,
    ) -> f32 {
        let tuning = self.request.tuning;
        let (weight, for_order) = match self.query.class {
            QueryClass::Symbol => (
                tuning.definition * tuning.definition_symbol,
                tuning.order_definition * tuning.order_definition_symbol,
            ),
            _ => (tuning.definition, tuning.order_definition),
        };
        let mut best = 0f32;
        let mut exported = false;
        let mut looked = 0;
        for (chunk, score) in &mut ranked.chunks {
            if looked == MAX_CHUNKS || !self.lexical.named.contains(*chunk) {
                continue;
            }
            looked += 1;
            let mut named = 0f32;
            self.visit_definitions(*chunk, |def| {
                exported |= def.exported;
                named = named.max(self.name_score(&def, known));
            });
            *score += for_order * named;
            best = best.max(named);
        }
        ranked
            .chunks
            .sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        weight * best + if exported { tuning.exported } else { 0.0 }
    }

    fn chunk_row(&self, chunk: usize) -> Option<(usize, ChunkRow)> {
        self.layout.chunk_row(self.index, chunk)
    }

    /// The name of the definition around a chunk; empty if there is none.
    fn container(&self, chunk: usize) -> &str {
        let container = self.chunk_row(chunk).and_then(|(part, row)| {
            let segment = &self.index.parts[part].segment;
            segment.visit_definitions(&row, |_| ())
        });
        container.unwrap_or("")
    }

    fn visit_definitions<'c>(&'c self, chunk: usize, f: impl FnMut(DefRow<'c>)) {
        if let Some((part, row)) = self.chunk_row(chunk) {
            // The definitions of a damaged row are left out.
            let _ = self.index.parts[part].segment.visit_definitions(&row, f);
        }
    }

    /// How well a definition matches a name in the query. Names recur, so each is compared only once.
    fn name_score<'c>(&self, def: &DefRow<'c>, known: &mut NameScores<'c>) -> f32 {
        let value = *known.entry(def.name).or_insert_with(|| {
            let part = |words: &[&String]| self.lexical.idf_share(&self.query.terms, words);
            rules::name_match(self.query, def.name, &part, self.request.tuning)
        });
        value * rules::definition_weight(def.kind, def.exported, self.request.tuning)
    }

    fn chunk_hits(&self, files: &[RankedFile], literal: &PhraseHits) -> (Vec<ChunkHit>, usize) {
        let mut all: Vec<(f32, usize, usize, usize)> = Vec::new();
        for (order, ranked) in files.iter().enumerate() {
            let first = ranked.chunks.first().map_or(0.0, |(_, s)| *s);
            for (nth, (chunk, score)) in ranked.chunks.iter().take(MAX_CHUNKS_PER_FILE).enumerate()
            {
                let decay = if nth == 0 {
                    0.0
                } else {
                    (first - score).max(0.0) + self.request.tuning.decay * nth as f32
                };
                all.push((ranked.score - decay, order, nth, *chunk));
            }
        }
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2)));
        let mut seen: FxHashSet<usize> = FxHashSet::default();
        all.retain(|(_, _, _, chunk)| seen.insert(*chunk));
        let least = self.request.min_relevance;
        let place = |order: usize, chunk: usize| ChunkPlace {
            file: files[order].file,
            chunk,
            phrase: literal.get(&chunk),
        };
        let mut places = all.iter().map(|(_, order, _, chunk)| place(*order, *chunk));
        if !places.any(|place| self.is_wanted_unseen(place, least)) {
            return (Vec::new(), 0);
        }
        // Hits below `least` come last, wherever they ranked: a reader takes the relevance of a hit as a bound for those
        // before it.
        let following = self.request.following_relevance.min(least);
        let (limit, mut hits, mut weaker, mut unseen) =
            (self.request.limit, Vec::new(), Vec::new(), 0);
        for (_, order, _, chunk) in all {
            let place = place(order, chunk);
            if hits.len() < limit {
                let hit = self.shown_hit(place);
                match hit.filter(|hit| self.is_wanted(hit, following)) {
                    Some(hit) if hit.relevance >= least => hits.push(hit),
                    Some(hit) if weaker.len() < limit => weaker.push(hit),
                    Some(_) => unseen += 1,
                    None => {}
                }
            } else {
                let is_wanted = self.is_wanted_unseen(place, following);
                unseen += usize::from(is_wanted);
            }
        }
        let total = hits.len() + weaker.len() + unseen;
        hits.extend(weaker);
        hits.truncate(limit);
        (hits, total)
    }

    fn is_wanted(&self, hit: &ChunkHit, least: f32) -> bool {
        hit.relevance >= least && self.request.filter.allows_kind(&hit.kind)
    }

    /// Like [`RankingContext::is_wanted`], for a chunk that is not shown.
    fn is_wanted_unseen(&self, place: ChunkPlace<'_>, least: f32) -> bool {
        if !self.request.filter.kinds.is_empty() {
            let hit = self.shown_hit(place);
            return hit.is_some_and(|hit| self.is_wanted(&hit, least));
        }
        if place
            .phrase
            .is_some_and(|phrase| self.phrase_relevance(phrase) >= least)
        {
            return true;
        }
        let (mut known, mut named) = (NameScores::default(), 0f32);
        self.visit_definitions(place.chunk, |def| {
            named = named.max(self.name_score(&def, &mut known));
        });
        self.hit_relevance(place.file, place.chunk, named) >= least
    }

    fn shown_hit(&self, place: ChunkPlace<'_>) -> Option<ChunkHit> {
        let ChunkPlace {
            file,
            chunk,
            phrase,
        } = place;
        let mut hit = self.chunk_hit(file, chunk)?;
        if let Some(phrase) = phrase {
            self.show_phrase(&mut hit, phrase);
        } else if self.introduction_score(file) > 0.0 {
            self.show_description(&mut hit, chunk);
        }
        Some(hit)
    }

    fn chunk_hit(&self, file: usize, chunk: usize) -> Option<ChunkHit> {
        let (part, row) = self.chunk_row(chunk)?;
        let segment = &self.index.parts[part].segment;
        let file_row = &self.layout.files[file];
        let (path, language) = segment.file_texts(file_row)?;
        let (container, definitions) = segment.chunk_texts(&row)?;
        let mut known = NameScores::default();
        let mut named: Option<(f32, &Definition)> = None;
        for def in &definitions {
            let value = self.name_score(&def.as_row(), &mut known);
            if named.is_none_or(|(best, _)| value > best) {
                named = Some((value, def));
            }
        }
        let lines = (row.start_line, row.end_line);
        let asked = named.filter(|(value, _)| *value > self.name_score_threshold());
        let (start_line, end_line) = match asked {
            Some((_, def)) => {
                let start = def.start_line.max(lines.0).min(lines.1);
                (start, def.end_line.min(lines.1).max(start))
            }
            None => lines,
        };
        let shown = match asked {
            Some((_, def)) => Some(def),
            None => main_definition(&definitions, lines, &self.request.filter.kinds),
        };
        let rest = match shown {
            None if definitions.is_empty() => self.mostly_continued_definition(chunk, lines),
            _ => None,
        };
        // Lines after the end of a function do not belong to it.
        let end_line = rest.map_or(end_line, |def| end_line.min(def.end_line));
        let shown = match shown {
            Some(def) => Some((def.name.as_str(), def.kind.as_str())),
            None => rest.map(|def| (def.name, def.kind)),
        };
        Some(ChunkHit {
            path: path.to_owned(),
            start_line,
            end_line,
            chunk_lines: lines,
            symbol: shown.map(|(name, _)| name.to_owned()),
            container: container.to_owned(),
            kind: shown.map_or("file", |(_, kind)| kind).to_owned(),
            language: language.to_owned(),
            role: self.role(file),
            relevance: self.hit_relevance(file, chunk, named.map_or(0.0, |(value, _)| value)),
            source: self.hit_source(chunk),
            definitions,
        })
    }

    fn phrase_relevance(&self, phrase: &PhraseHit) -> f32 {
        self.request.tuning.relevance_exact * phrase.score
    }

    /// Raises the relevance of a hit with a phrase of the query, and shows it from the line of the phrase on.
    fn show_phrase(&self, hit: &mut ChunkHit, phrase: &PhraseHit) {
        hit.relevance = hit.relevance.max(self.phrase_relevance(phrase));
        let is_named = (hit.start_line, hit.end_line) != hit.chunk_lines
            && matches!(self.query.class, QueryClass::Symbol | QueryClass::Path);
        let Some(line) = phrase.line.filter(|_| !is_named) else {
            return;
        };
        hit.start_line = line;
        hit.end_line = hit.chunk_lines.1;
        let around = |def: &&Definition| def.start_line <= line && def.end_line >= line;
        let innermost = hit.definitions.iter().rfind(around);
        if let Some(def) = innermost {
            hit.end_line = hit.end_line.min(def.end_line);
            hit.symbol = Some(def.name.clone());
            hit.kind.clone_from(&def.kind);
        }
    }

    /// Shows a hit that introduces the project from the section that the query asks for, else from its first prose.
    fn show_description(&self, hit: &mut ChunkHit, chunk: usize) {
        let is_asked = |def: &&Definition| {
            def.kind == "section"
                && is_asked_heading(&def.name, &self.query.words, self.request.tuning)
        };
        let heading = hit.definitions.iter().find(is_asked);
        let line = match heading {
            Some(def) => Some(def.start_line),
            None => self.prose_line(chunk),
        };
        if let Some(line) = line {
            hit.start_line = line.clamp(hit.start_line, hit.end_line);
        }
    }

    /// The least name score for which a definition is shown instead of its whole chunk.
    fn name_score_threshold(&self) -> f32 {
        match self.query.class {
            QueryClass::Symbol | QueryClass::Path => self.request.tuning.narrow_symbol,
            _ => self.request.tuning.narrow,
        }
    }

    /// The relevance of a hit, 0–1, apart from its rank.
    fn hit_relevance(&self, file: usize, chunk: usize, named: f32) -> f32 {
        let lacking = 1.0 - self.lexical.known_share;
        let weight = rules::unknown_word_weight(self.index.chunk_count(), self.request.tuning);
        let words = match self.mode {
            RankMode::Semantic => None,
            // The share among the words that count.
            _ => Some(self.query_coverage(file) / (1.0 - lacking * (1.0 - weight)).max(1e-6)),
        };
        let near = self.cosines.map(|c| c[chunk]);
        let introduction = self.introduction_score(file);
        if introduction > 0.0 {
            return introduction;
        }
        rules::chunk_relevance(
            words,
            near,
            1.0 - lacking * weight,
            named,
            self.request.tuning,
        )
    }

    fn hit_source(&self, chunk: usize) -> Source {
        match self.cosines {
            Some(_) if self.mode == RankMode::Semantic || self.lexical.chunks[chunk] == 0.0 => {
                Source::Embedding
            }
            _ => Source::Keyword,
        }
    }
}

/// The definition that stands for a whole chunk: the only one, or one that takes half of its lines.
/// Where certain kinds are asked for, the longest of them.
fn main_definition<'d>(
    definitions: &'d [Definition],
    (from, to): (u32, u32),
    kinds: &[String],
) -> Option<&'d Definition> {
    let lines = |def: &Definition| {
        let end = def.end_line.min(to);
        (end + 1).saturating_sub(def.start_line.max(from))
    };
    let wanted = |def: &&Definition| kinds.is_empty() || kinds.contains(&def.kind);
    // The first of equally long ones: an enclosing definition comes before those inside it.
    let longest = definitions
        .iter()
        .filter(wanted)
        .rev()
        .max_by_key(|d| lines(d))?;
    let stands_for_all =
        definitions.len() == 1 || !kinds.is_empty() || 2 * lines(longest) > to - from;
    stands_for_all.then_some(longest)
}

/// Keeps the `most` highest entries, and all that equal the last of them.
fn keep_highest(all: &mut Vec<(f32, usize)>, most: usize) {
    if all.len() > most {
        all.select_nth_unstable_by(most - 1, |a, b| b.0.total_cmp(&a.0));
        let least = all[most - 1].0;
        all.retain(|(score, _)| *score >= least);
    }
}

/// The three highest values, filled up with zeros.
fn three_highest(values: impl Iterator<Item = f32>) -> [f32; 3] {
    let mut best = [f32::MIN; 3];
    for value in values {
        if value > best[2] {
            best[2] = value;
            best.sort_by(|a, b| b.total_cmp(a));
        }
    }
    best.map(|b| if b == f32::MIN { 0.0 } else { b })
}

#[cfg(test)]
mod tests;
