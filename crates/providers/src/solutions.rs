//! The built-in model of code and the models of providers, for the solution memory.

use crate::Adapters;
use engine::{EmbeddingChoice, EmbeddingProvider, Providers};
use search::embed::{CodeModel, EmbedDoc, EmbedError, Embedder, QuantVec};
use solution::{EmbedError as ModelError, EmbedderFactory, ModelChoice};
use std::sync::Arc;
use std::time::Instant;

/// Makes the models that a solution store names.
#[derive(Debug, Clone, Default)]
pub struct SolutionModels {
    adapters: Adapters,
}

impl SolutionModels {
    /// Models that may use these adapters' keys.
    pub fn new(adapters: Adapters) -> SolutionModels {
        SolutionModels { adapters }
    }
}

impl EmbedderFactory for SolutionModels {
    fn build_embedder(
        &self,
        choice: &ModelChoice,
    ) -> Result<Arc<dyn solution::Embedder>, ModelError> {
        let inner: Arc<dyn Embedder> = match choice.kind.as_str() {
            "code" => Arc::new(SharedCodeModel(CodeModel::get()?)),
            kind => self.remote_embedder(kind, choice)?,
        };
        let dimension = match (choice.dimension, inner.dimensions()) {
            (Some(dimension), _) => dimension,
            (None, dimension) => dimension,
        };
        Ok(Arc::new(PlainTextEmbedder { inner, dimension }))
    }
}

impl SolutionModels {
    fn remote_embedder(
        &self,
        kind: &str,
        choice: &ModelChoice,
    ) -> Result<Arc<dyn Embedder>, ModelError> {
        let provider = match EmbeddingProvider::parse(kind) {
            Some(EmbeddingProvider::BuiltIn | EmbeddingProvider::Auto) | None => {
                return Err(ModelError::UnknownProvider(kind.to_owned()));
            }
            Some(provider) => provider,
        };
        let wish = EmbeddingChoice {
            provider,
            model: choice.name.clone(),
            base_url: choice.url.clone(),
            dimensions: choice.dimension,
            ..EmbeddingChoice::default()
        };
        let made = self.adapters.embedder(&wish);
        let made = made.map_err(ModelError::provider)?;
        made.ok_or_else(|| ModelError::NoModel(kind.to_owned()))
    }
}

/// The program's one model of code.
struct SharedCodeModel(&'static CodeModel);

impl Embedder for SharedCodeModel {
    fn model(&self) -> &str {
        self.0.model()
    }

    fn dimensions(&self) -> usize {
        self.0.dimensions()
    }

    fn embed_documents(&self, documents: &[EmbedDoc<'_>]) -> Result<Vec<QuantVec>, EmbedError> {
        self.0.embed_documents(documents)
    }

    fn embed_query(&self, text: &str) -> Result<Option<Vec<f32>>, EmbedError> {
        Embedder::embed_query(self.0, text)
    }
}

/// An embedder for plain texts, over a model that reads documents of code.
struct PlainTextEmbedder {
    inner: Arc<dyn Embedder>,
    dimension: usize,
}

impl solution::Embedder for PlainTextEmbedder {
    fn model_name(&self) -> &str {
        self.inner.model()
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelError> {
        self.embed_by_deadline(texts, None)
    }

    fn embed_by_deadline(
        &self,
        texts: &[&str],
        deadline: Option<Instant>,
    ) -> Result<Vec<Vec<f32>>, ModelError> {
        let mut all = Vec::with_capacity(texts.len());
        for some in texts.chunks(self.inner.batch_size().max(1)) {
            let documents: Vec<EmbedDoc<'_>> = some.iter().map(|text| as_embed_doc(text)).collect();
            let vectors = self.inner.embed_documents_by_deadline(&documents, deadline);
            let vectors = vectors.map_err(ModelError::provider)?;
            all.extend(vectors.iter().map(dequantize));
        }
        Ok(all)
    }

    fn embed_query(&self, text: &str) -> Result<Vec<f32>, ModelError> {
        let vector = self.inner.embed_query(text).map_err(ModelError::provider)?;
        // A question without a known word is near nothing.
        Ok(vector.unwrap_or_else(|| vec![0.0; self.dimension]))
    }
}

fn as_embed_doc(text: &str) -> EmbedDoc<'_> {
    EmbedDoc {
        code: text,
        names: "",
        path: "",
    }
}

/// The vector, normalized to length one unless it is zero.
fn dequantize(vector: &QuantVec) -> Vec<f32> {
    let values = vector.values.iter().map(|v| f32::from(*v));
    let length = values.clone().map(|v| v * v).sum::<f32>().sqrt();
    values
        .map(|v| if length > 0.0 { v / length } else { 0.0 })
        .collect()
}
