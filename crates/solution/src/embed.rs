//! Vectors of solutions and queries.

use crate::error::{NOT_OURS, Result, SolutionError};
use crate::glossary;
use crate::record::Solution;
use base::fingerprint;
use embedding::{MINILM_DIMENSION, MiniLm};
use std::sync::Arc;
use std::time::Instant;

/// The most threads that make vectors at once. More of them would wait for memory.
const MOST_THREADS: usize = 8;

/// The reason why a model gives no vectors, or cannot be used at all.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// The data of the built-in model are damaged.
    #[error("the {0}")]
    BuiltIn(#[from] embedding::ModelError),
    /// The provider of the model failed, or cannot be asked.
    #[error(transparent)]
    Provider(Arc<dyn std::error::Error + Send + Sync>),
    /// The model answered without a vector.
    #[error("{model} gave no vector")]
    NoVector {
        /// The name of the model.
        model: String,
    },
    /// A thread that makes vectors ended early.
    #[error("a thread that makes vectors ended early")]
    ThreadEnded,
    /// The choice of a model in the store cannot be read.
    #[error("the stored choice of a model is damaged: {0}")]
    DamagedChoice(Arc<serde_json::Error>),
    /// The store names a provider, but this user did not choose it.
    #[error(
        "the configured model {kind}{} is ignored: {NOT_OURS}",
        url.as_deref().map(|url| format!(" at {url}")).unwrap_or_default()
    )]
    NotChosenHere {
        /// The provider.
        kind: String,
        /// The address of the provider.
        url: Option<String>,
    },
    /// The program has only the built-in model.
    #[error("no other model is available in this program")]
    OnlyBuiltIn,
    /// No provider has this name.
    #[error("no such model: {0}")]
    UnknownProvider(String),
    /// The provider offers no model for vectors.
    #[error("{0} has no model")]
    NoModel(String),
}

impl EmbedError {
    /// A failure of a provider.
    pub fn provider(error: impl std::error::Error + Send + Sync + 'static) -> EmbedError {
        EmbedError::Provider(Arc::new(error))
    }

    /// Advice on what to do.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            EmbedError::UnknownProvider(_) => {
                Some("known models are minilm, code, openai, azure, ollama")
            }
            _ => None,
        }
    }

    pub(crate) fn no_vector(embedder: &(impl Embedder + ?Sized)) -> EmbedError {
        EmbedError::NoVector {
            model: embedder.model_name().to_owned(),
        }
    }
}

impl From<EmbedError> for SolutionError {
    fn from(error: EmbedError) -> SolutionError {
        let out = SolutionError::failure(error.to_string());
        match error.hint() {
            Some(hint) => out.with_hint(hint),
            None => out,
        }
    }
}

/// Makes vectors from texts.
pub trait Embedder: Send + Sync {
    /// The model's name, with everything that changes its vectors; vectors of two names are never compared.
    fn model_name(&self) -> &str;
    /// The dimensions of a vector.
    fn dimension(&self) -> usize;
    /// A vector for each text.
    fn embed(&self, texts: &[&str]) -> std::result::Result<Vec<Vec<f32>>, EmbedError>;
    /// Vectors for a caller that waits until `deadline`.
    fn embed_by_deadline(
        &self,
        texts: &[&str],
        deadline: Option<Instant>,
    ) -> std::result::Result<Vec<Vec<f32>>, EmbedError> {
        let _ = deadline;
        self.embed(texts)
    }
    /// The number of threads that may use it at once.
    fn thread_count(&self) -> usize {
        1
    }
    /// The vector of a query, where the model embeds queries differently from texts.
    fn embed_query(&self, text: &str) -> std::result::Result<Vec<f32>, EmbedError> {
        let first = self.embed(&[text])?.into_iter().next();
        first.ok_or_else(|| EmbedError::no_vector(self))
    }
}

/// all-MiniLM-L6-v2, which ships with the program.
#[derive(Debug, Clone, Copy, Default)]
pub struct BuiltIn;

impl Embedder for BuiltIn {
    /// The model's name, and the version of the glossary for Chinese, Japanese and Korean.
    fn model_name(&self) -> &str {
        const { concat!("all-MiniLM-L6-v2", "+terms-1") }
    }

    fn dimension(&self) -> usize {
        MINILM_DIMENSION
    }

    fn thread_count(&self) -> usize {
        std::thread::available_parallelism().map_or(1, |n| n.get().min(MOST_THREADS))
    }

    fn embed(&self, texts: &[&str]) -> std::result::Result<Vec<Vec<f32>>, EmbedError> {
        let model = MiniLm::shared()?;
        Ok(texts
            .iter()
            .map(|text| embed_with_glossary(model, text))
            .collect())
    }
}

/// The model's vector of the text that it can read, mixed with a vector of the characters that it cannot read, by their shares.
/// Without such characters it is the model's alone.
fn embed_with_glossary(model: &MiniLm, text: &str) -> Vec<f32> {
    let reading = glossary::translate_terms(text);
    if reading.untranslated.is_empty() {
        return model.embed(&reading.text);
    }
    let unread: usize = reading.character_count - reading.translated_count;
    let letters = reading.text.chars().filter(|c| c.is_alphanumeric()).count();
    // Three letters carry about as much as one Chinese, Japanese or Korean character.
    let read = letters as f32 / 3.0;
    let share = read / (read + unread as f32);
    let signs = hash_characters(&reading.untranslated);
    if share < 0.05 {
        return signs;
    }
    let words = model.embed(&reading.text);
    let (a, b) = (share.sqrt(), (1.0 - share).sqrt());
    normalize(
        words
            .iter()
            .zip(&signs)
            .map(|(w, s)| a * w + b * s)
            .collect(),
    )
}

/// A vector of characters: each character and each pair of neighbours adds a fixed random vector.
fn hash_characters(runs: &[String]) -> Vec<f32> {
    let mut out = vec![0.0; MINILM_DIMENSION];
    for run in runs {
        let signs: Vec<char> = run.chars().collect();
        for (width, weight) in [(1, 0.5f32), (2, 1.0)] {
            for gram in signs.windows(width) {
                let text: String = gram.iter().collect();
                let mut state = fingerprint(&[text.as_bytes()]);
                for value in &mut out {
                    // Steele et al., SplitMix64: https://doi.org/10.1145/2714064.2660195
                    state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                    let mut z = state;
                    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                    *value += if z >> 63 == 0 { weight } else { -weight };
                }
            }
        }
    }
    normalize(out)
}

fn normalize(mut vector: Vec<f32>) -> Vec<f32> {
    let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|v| *v /= length);
    }
    vector
}

/// The text that the original design stores as the document: the problem and its messages.
pub(crate) fn problem_text(solution: &Solution) -> String {
    let mut text = solution.problem.clone();
    for message in &solution.error_messages {
        text.push('\n');
        text.push_str(message);
    }
    text
}

/// The text whose vector stands for a solution. It begins with the title, which says in few words what a long problem may hide.
pub(crate) fn text_to_embed(solution: &Solution) -> String {
    let document = problem_text(solution);
    if document.starts_with(&solution.title) {
        document
    } else {
        format!("{}\n{document}", solution.title)
    }
}

/// The vectors of texts, made on a number of threads.
pub(crate) fn embed_on_threads(
    embedder: &dyn Embedder,
    texts: &[&str],
    threads: usize,
    deadline: Option<Instant>,
) -> Result<Vec<Vec<f32>>> {
    let share = texts.len().div_ceil(threads.max(1));
    if share == texts.len() {
        return Ok(embedder.embed_by_deadline(texts, deadline)?);
    }
    let parts: Vec<_> = std::thread::scope(|scope| {
        let start = |some| scope.spawn(move || embedder.embed_by_deadline(some, deadline));
        let started: Vec<_> = texts.chunks(share).map(start).collect();
        let ended = |thread: std::thread::ScopedJoinHandle<'_, _>| {
            thread.join().unwrap_or(Err(EmbedError::ThreadEnded))
        };
        started.into_iter().map(ended).collect()
    });
    let mut all = Vec::with_capacity(texts.len());
    for part in parts {
        all.append(&mut part?);
    }
    Ok(all)
}

/// The vector of one text.
pub(crate) fn embed_text(
    embedder: &dyn Embedder,
    text: &str,
    deadline: Option<Instant>,
) -> Result<Vec<f32>> {
    let vectors = embedder.embed_by_deadline(&[text], deadline)?;
    let vector = vectors.into_iter().next();
    let vector = vector.filter(|v| v.len() == embedder.dimension());
    Ok(vector.ok_or_else(|| EmbedError::no_vector(embedder))?)
}

/// The vector of a query.
pub(crate) fn embed_query_checked(embedder: &dyn Embedder, text: &str) -> Result<Vec<f32>> {
    let vector = embedder.embed_query(text)?;
    if vector.len() == embedder.dimension() {
        Ok(vector)
    } else {
        Err(EmbedError::no_vector(embedder).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cosine(a: &str, b: &str) -> f32 {
        let of = |text: &str| embed_text(&BuiltIn, text, None).unwrap();
        of(a).iter().zip(of(b)).map(|(a, b)| a * b).sum()
    }

    #[test]
    fn meaning_crosses_languages() {
        let chinese = cosine("数据库连接超时", "database connection timeout");
        assert!(chinese > 0.7, "{chinese}");
        let japanese = cosine(
            "データベースの接続がタイムアウトする",
            "database connection timeout",
        );
        assert!(japanese > 0.7, "{japanese}");
        let korean = cosine("데이터베이스 연결 시간초과", "database connection timeout");
        assert!(korean > 0.7, "{korean}");
        let other = cosine("数据库连接超时", "the font of the button is wrong");
        assert!(other < 0.3, "{other}");
    }

    #[test]
    fn threads_give_the_vectors_of_one_in_order() {
        let texts: Vec<String> = (0..13)
            .map(|n| format!("error number {n} of {}", n * 7))
            .collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let of = |threads| embed_on_threads(&BuiltIn, &texts, threads, None).unwrap();
        let alone = of(1);
        assert_eq!(alone.len(), 13);
        for threads in [2, 3, 5, 20] {
            assert!(of(threads) == alone, "{threads}");
        }
        assert!(embed_on_threads(&BuiltIn, &[], 4, None).unwrap().is_empty());
    }

    #[test]
    fn signs_without_english_still_meet() {
        let same = cosine("鳳凰涅槃之謎", "鳳凰涅槃之歌");
        let other = cosine("鳳凰涅槃之謎", "龍騰虎躍");
        assert!(same > 0.4 && other < 0.25, "{same} {other}");
    }
}
