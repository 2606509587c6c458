//! Vectors for texts: the trait, the built-in model, a mock for tests, and the quantised form.

mod mock;
mod model;
mod quant;
mod wide;

pub use mock::MockEmbedder;
pub use model::CodeModel;
pub use quant::QuantVec;
pub(crate) use quant::{QueryVec, dots};
pub(crate) use wide::moments;

/// What an embedder reads for a chunk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EmbedDoc<'a> {
    /// The source text.
    pub code: &'a str,
    /// Names of definitions and of what encloses them, separated by spaces.
    pub names: &'a str,
    /// The file's path.
    pub path: &'a str,
}

impl EmbedDoc<'_> {
    /// Everything as one text of at most `most` bytes, for models that read one.
    pub fn text(&self, most: usize) -> String {
        let mut text = String::with_capacity(self.code.len().min(most) + 128);
        for part in [self.path, self.names, self.code] {
            let part = part.trim();
            if !part.is_empty() {
                text.push_str(part);
                text.push('\n');
            }
        }
        let end = (0..=most.min(text.len()))
            .rev()
            .find(|at| text.is_char_boundary(*at));
        text.truncate(end.unwrap_or(0));
        text
    }
}

/// How asking a provider failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderFailure {
    /// No answer by the deadline.
    #[error("no answer in time")]
    Timeout,
    /// It wants fewer requests.
    #[error("too many requests")]
    RateLimited,
    /// It cannot be reached, refuses the key, or its answer cannot be read.
    #[error("{0}")]
    Other(String),
}

/// Why no vector came.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// The provider failed.
    #[error("embedding with {model}: {failure}")]
    Provider {
        /// The model asked.
        model: String,
        /// What happened.
        failure: ProviderFailure,
    },
    /// The provider failed not long ago, and is not asked again yet.
    #[error("embedding with {model}: {failure} (not asked again yet)")]
    Paused {
        /// The model that would be asked.
        model: String,
        /// What happened when it was.
        failure: ProviderFailure,
    },
    /// The provider answers and does not want these texts: one of them is too long, or breaks its rules.
    #[error("embedding with {model}: {reason}")]
    Refused {
        /// The model asked.
        model: String,
        /// What it said.
        reason: String,
    },
    /// The model's own data are damaged.
    #[error("built-in model: {0}")]
    Model(String),
}

impl EmbedError {
    /// Whether an answer by the deadline is all that is missing.
    pub fn is_timeout(&self) -> bool {
        let failure = match self {
            EmbedError::Provider { failure, .. } | EmbedError::Paused { failure, .. } => failure,
            EmbedError::Refused { .. } | EmbedError::Model(_) => return false,
        };
        *failure == ProviderFailure::Timeout
    }
}

/// Makes vectors of documents and queries.
pub trait Embedder: Send + Sync {
    /// Name and version of the model. An index of another model is rebuilt.
    fn model(&self) -> &str;

    /// Number of values in a vector; 0 while that is not known before the first answer.
    fn dimensions(&self) -> usize;

    /// One vector for each document, in order.
    fn documents(&self, documents: &[EmbedDoc<'_>]) -> Result<Vec<QuantVec>, EmbedError>;

    /// The same, given up at a moment where the model is one that lets others wait.
    fn documents_by(
        &self,
        documents: &[EmbedDoc<'_>],
        _deadline: Option<std::time::Instant>,
    ) -> Result<Vec<QuantVec>, EmbedError> {
        self.documents(documents)
    }

    /// How many documents should be handed in at once.
    fn batch(&self) -> usize {
        64
    }

    /// The vector of a query, of length one. None where the query says nothing to the model.
    fn query(&self, text: &str) -> Result<Option<Vec<f32>>, EmbedError>;
}
