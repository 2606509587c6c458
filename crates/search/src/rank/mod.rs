//! From a query to ranked chunks: BM25F and vectors, fused, then ranking rules.
//!
//! Files are ranked first, each by its best chunks and by its score as a whole. A file's best chunk carries the file's score, and
//! the following ones decay. Every sum over the whole index is exact (integers) or per document, so the same documents give the
//! same answer however they are stored.

mod also;
mod contents;
mod european;
mod focus;
mod fuse;
mod glossary;
mod heads;
mod language_names;
mod layout;
mod lexical;
mod literal;
mod overview;
mod phrase_hits;
mod places;
mod project;
mod published;
mod query;
mod room;
mod rules;
mod sentence;
mod snippet;
mod term_cache;
mod tuning;
mod weigh;
mod words;

pub use focus::narrow_to_definition;
pub use literal::is_error_code;
pub use places::{PlaceRelevance, SourceLine, judge_places};
pub use project::ProjectView;
pub use published::{lines_of, search_texts, words_of};
pub use query::{MAX_QUERY_BYTES, Query, QueryClass, translate_to_english};
pub use snippet::build_snippet;
pub use tuning::{FOLLOWING_RELEVANCE, MIN_RELEVANCE, Tuning};
pub use words::{FileWords, WeightedTerms, score_files, terms};

use crate::doc::FileRole;
use crate::embed::{EmbedError, Embedder};
use crate::filter::Filter;
use crate::index::{Index, Model};
use crate::prepare::Definition;
use embedding::{QueryVec, dot_products};
use fuse::RankingContext;
pub(crate) use layout::Layout;
use lexical::LexicalScores;
use literal::Phrases;
use room::FloatBuffer;
use serde::{Deserialize, Serialize};
pub(crate) use weigh::{LengthNorms, TermMatches};

/// The ways to search the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RankMode {
    /// Words and vectors.
    #[default]
    Hybrid,
    /// Vectors alone, with the ranking rules.
    Semantic,
    /// Words alone, with the ranking rules.
    Keyword,
}

/// The main reason for a hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Mostly its words.
    Keyword,
    /// Mostly its vector.
    Embedding,
}

/// A search.
pub struct Request<'r> {
    /// The query as written.
    pub query: &'r str,
    /// The way to search.
    pub mode: RankMode,
    /// The most hits.
    pub limit: usize,
    /// The paths and kinds that may be found.
    pub filter: &'r Filter,
    /// The relevance that at least one hit needs. With [`MIN_RELEVANCE`] an answer is empty rather than noise.
    pub min_relevance: f32,
    /// The relevance that the other hits need then: [`FOLLOWING_RELEVANCE`], or the same value.
    pub following_relevance: f32,
    /// Facts about the project that are not in the index.
    pub project: Option<&'r dyn ProjectView>,
    /// Weights; [`Tuning::default`] except in evaluations.
    pub tuning: &'r Tuning,
}

/// A chunk found.
#[derive(Debug, Clone, PartialEq)]
pub struct ChunkHit {
    /// Its file.
    pub path: String,
    /// First line of the definition that the query names, else of the chunk.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// First and last line of the whole chunk.
    pub chunk_lines: (u32, u32),
    /// The definition that is shown.
    pub symbol: Option<String>,
    /// The name of the definition around it; empty at file level.
    pub container: String,
    /// The kind of the definition, as a word; `file` if there is none.
    pub kind: String,
    /// The language, as a word.
    pub language: String,
    /// The role of the file.
    pub role: FileRole,
    /// The relevance, 0–1.
    pub relevance: f32,
    /// The main reason for the hit.
    pub source: Source,
    /// All definitions in the chunk, in order of their lines.
    pub definitions: Vec<Definition>,
}

/// The reason why words alone answered although vectors were asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoQueryVector {
    /// No model is available.
    #[error("no embedding model")]
    NoModel,
    /// The index holds words alone.
    #[error("the index has no vectors")]
    NoVectors,
    /// The index holds the vectors of another model.
    #[error("the index holds vectors of {indexed}, not of {asked}")]
    OtherModel {
        /// The model of the vectors in the index.
        indexed: String,
        /// The available model.
        asked: String,
    },
    /// The model's vector does not fit the index.
    #[error("{model} gave a vector of {given} values instead of {wanted}")]
    WrongVector {
        /// The model.
        model: String,
        /// The number of values that it gave.
        given: usize,
        /// The number of values of a vector in the index.
        wanted: usize,
    },
    /// The database that holds the vectors cannot compare them.
    #[error("the database has no vectors of this repository, or no pgvector to compare them")]
    NotCompared,
    /// The model failed.
    #[error(transparent)]
    Failed(#[from] EmbedError),
}

/// The result of a search.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The hits, best first.
    pub chunks: Vec<ChunkHit>,
    /// The number of relevant chunks, with those beyond the limit. Only the best few chunks of the most promising files count.
    pub total: usize,
    /// The class of the query.
    pub class: QueryClass,
    /// The mode that answered: keyword if vectors were asked for and there are none.
    pub mode: RankMode,
    /// The reason for another mode than the requested one.
    pub fallback: Option<NoQueryVector>,
}

/// How central a file is, 0–1, for [`ProjectView::centrality`]: from the number of other files that call,
/// mention or import what it defines, and the highest such number of the repository.
pub fn centrality(users: usize, most: usize) -> f32 {
    (1.0 + users as f32).ln() / (1.0 + most.max(users).max(1) as f32).ln()
}

/// Searches the index.
///
/// If the embedder fails, or its model is not the index's, words alone answer, and `fallback` says why.
pub fn search(index: &Index, embedder: Option<&dyn Embedder>, request: &Request<'_>) -> Answer {
    let (query, mut answer) = read_request(request);
    let vector = match request.mode {
        RankMode::Keyword => None,
        _ => match query_vector(index.model(), embedder, &query) {
            Ok(vector) => vector,
            Err(reason) => {
                answer.fallback = Some(reason);
                answer.mode = RankMode::Keyword;
                None
            }
        },
    };
    if request.limit == 0 || (query.is_empty() && vector.is_none()) {
        return answer;
    }
    let mode = answer.mode;
    let find = || rank_chunks(index, &query, vector.as_deref(), mode, request);
    (answer.chunks, answer.total) = if index.chunk_count() < IN_POOL {
        find()
    } else {
        // The whole search runs inside the thread pool: entering and leaving it costs a switch of threads each time.
        rayon::scope(|_| find())
    };
    answer
}

/// The query as it is ranked, and an answer that is still empty.
fn read_request(request: &Request<'_>) -> (Query, Answer) {
    let mut query = Query::read(request.query, request.tuning);
    query.add_synonym_terms(request.tuning.also);
    let answer = Answer {
        chunks: Vec::new(),
        total: 0,
        class: query.class(),
        mode: request.mode,
        fallback: None,
    };
    (query, answer)
}

/// The number of chunks from which on a search uses several threads.
const IN_POOL: usize = 16_384;

fn rank_chunks(
    index: &Index,
    query: &Query,
    vector: Option<&[f32]>,
    mode: RankMode,
    request: &Request<'_>,
) -> (Vec<ChunkHit>, usize) {
    let layout = index.layout();
    let (lexical, cosines) = rayon::join(
        || lexical::score_all(index, layout, &query.terms, request.tuning),
        || vector.map(|v| cosine_scores(index, v)),
    );
    let phrases = match mode {
        RankMode::Semantic => Phrases::default(),
        _ => Phrases::parse(request.query, query.class, request.tuning),
    };
    let candidates = RankingContext {
        phrases: &phrases,
        index,
        layout,
        query,
        lexical: &lexical,
        cosines: cosines.as_ref().map(|all| all.as_slice()),
        request,
        mode,
    };
    candidates.rank()
}

fn query_vector(
    model: &Model,
    embedder: Option<&dyn Embedder>,
    query: &Query,
) -> Result<Option<Vec<f32>>, NoQueryVector> {
    let embedder = embedder.ok_or(NoQueryVector::NoModel)?;
    if model.dimensions == 0 {
        return Err(NoQueryVector::NoVectors);
    }
    // Some embedders learn their dimensions from their first answer, which is checked below.
    let dimensions = Some(embedder.dimensions()).filter(|d| *d > 0);
    if model.name != embedder.model() || dimensions.is_some_and(|d| d != model.dimensions) {
        return Err(NoQueryVector::OtherModel {
            indexed: model.name.clone(),
            asked: embedder.model().to_owned(),
        });
    }
    match embedder.embed_query(&query.text)? {
        Some(v) if v.len() != model.dimensions || v.iter().any(|x| !x.is_finite()) => {
            Err(NoQueryVector::WrongVector {
                model: model.name.clone(),
                given: v.len(),
                wanted: model.dimensions,
            })
        }
        other => Ok(other),
    }
}

/// The cosine of the query with every chunk, by global number.
fn cosine_scores(index: &Index, vector: &[f32]) -> FloatBuffer {
    let query = QueryVec::new(vector);
    let count = index.parts.iter().map(|p| p.segment.scales().len()).sum();
    let mut all = FloatBuffer::with_len(count);
    let mut rest = all.as_mut_slice();
    for part in &index.parts {
        let segment = &part.segment;
        let some;
        (some, rest) = rest.split_at_mut(segment.scales().len());
        dot_products(&query, segment.vectors(), segment.scales(), some);
    }
    all
}
