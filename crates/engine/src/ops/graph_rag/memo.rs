//! An embedder that computes the query's vector once, however often it is needed.

use search::embed::{EmbedDoc, EmbedError, Embedder, QuantVec};
use std::sync::OnceLock;

/// An embedder that keeps the vector of one query. Use one for each query.
pub(super) struct QueryVectorCache<'e> {
    inner: &'e dyn Embedder,
    query: OnceLock<Option<Vec<f32>>>,
}

impl<'e> QueryVectorCache<'e> {
    pub(super) fn new(inner: &'e dyn Embedder) -> QueryVectorCache<'e> {
        QueryVectorCache {
            inner,
            query: OnceLock::new(),
        }
    }
}

impl Embedder for QueryVectorCache<'_> {
    fn model(&self) -> &str {
        self.inner.model()
    }

    fn dimensions(&self) -> usize {
        self.inner.dimensions()
    }

    fn embed_documents(&self, documents: &[EmbedDoc<'_>]) -> Result<Vec<QuantVec>, EmbedError> {
        self.inner.embed_documents(documents)
    }

    fn embed_query(&self, text: &str) -> Result<Option<Vec<f32>>, EmbedError> {
        if let Some(known) = self.query.get() {
            return Ok(known.clone());
        }
        let vector = self.inner.embed_query(text)?;
        Ok(self.query.get_or_init(|| vector).clone())
    }
}
