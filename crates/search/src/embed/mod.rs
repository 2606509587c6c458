//! Embedders: the trait, the built-in model as one, and a mock for tests.

mod mock;

pub use embedding::{CodeModel, EmbedDoc, QuantVec};
pub use mock::MockEmbedder;

/// The kind of a provider's failure.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderFailure {
    /// No answer by the deadline.
    #[error("no answer in time")]
    Timeout,
    /// The provider wants fewer requests.
    #[error("too many requests")]
    RateLimited,
    /// The provider cannot be reached, refuses the key, or gives an answer that cannot be read.
    #[error("{0}")]
    Other(String),
}

/// The reason why no vector came.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EmbedError {
    /// The provider failed.
    #[error("embedding with {model}: {failure}")]
    Provider {
        /// The model asked.
        model: String,
        /// The failure.
        failure: ProviderFailure,
    },
    /// The provider failed not long ago, and is not asked again yet.
    #[error("embedding with {model}: {failure} (will be retried later)")]
    Paused {
        /// The model that would be asked.
        model: String,
        /// The failure of the last request.
        failure: ProviderFailure,
    },
    /// The provider answers and does not want these texts: one of them is too long, or breaks its rules.
    #[error("embedding with {model}: {reason}")]
    Refused {
        /// The model asked.
        model: String,
        /// The provider's reason.
        reason: String,
    },
    /// The model's own data are damaged.
    #[error(transparent)]
    Model(#[from] embedding::ModelError),
}

impl EmbedError {
    /// Whether the only fault is that no answer came by the deadline.
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

    /// Number of values in a vector; 0 if that is not known before the first answer.
    fn dimensions(&self) -> usize;

    /// One vector for each document, in order.
    fn embed_documents(&self, documents: &[EmbedDoc<'_>]) -> Result<Vec<QuantVec>, EmbedError>;

    /// Like [`Embedder::embed_documents`], but may give up at the deadline. For models whose callers
    /// should not wait long.
    fn embed_documents_by_deadline(
        &self,
        documents: &[EmbedDoc<'_>],
        _deadline: Option<std::time::Instant>,
    ) -> Result<Vec<QuantVec>, EmbedError> {
        self.embed_documents(documents)
    }

    /// The number of documents to hand in at once.
    fn batch_size(&self) -> usize {
        64
    }

    /// The vector of a query, of length one. None if the query contains nothing that the model knows.
    fn embed_query(&self, text: &str) -> Result<Option<Vec<f32>>, EmbedError>;
}

impl Embedder for CodeModel {
    fn model(&self) -> &str {
        CodeModel::NAME
    }

    fn dimensions(&self) -> usize {
        CodeModel::DIMENSIONS
    }

    fn embed_documents(&self, documents: &[EmbedDoc<'_>]) -> Result<Vec<QuantVec>, EmbedError> {
        Ok(documents
            .iter()
            .map(|d| QuantVec::new(&self.document(d)))
            .collect())
    }

    fn embed_query(&self, text: &str) -> Result<Option<Vec<f32>>, EmbedError> {
        let vector = CodeModel::query(self, text);
        Ok(vector.iter().any(|v| *v != 0.0).then_some(vector))
    }
}
