//! The choice of the embedding model. It is in the store, so that all programs that use it agree.

use super::sealed_meta::{is_ours, set_sealed};
use super::{CatchUpReport, DIMENSION, MODEL, Memory, OpenState};
use crate::embed::{self, EmbedError, Embedder};
use crate::error::{Kind, Result, SolutionError};
use crate::vectors::VectorCache;
use serde::{Deserialize, Serialize};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// A chosen model, by its provider.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ModelChoice {
    /// The provider: `code` for the built-in model of code, else `openai`, `azure` or `ollama`.
    pub kind: String,
    /// The provider's name for the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The address of the provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The dimensions of a vector.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dimension: Option<usize>,
}

/// Makes models from choices.
pub trait EmbedderFactory: Send + Sync {
    /// The model of a choice.
    fn build_embedder(
        &self,
        choice: &ModelChoice,
    ) -> std::result::Result<Arc<dyn Embedder>, EmbedError>;
}

/// The model in use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ModelInUse {
    /// The choice; none for the built-in model.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub choice: Option<ModelChoice>,
    /// The model's name and version.
    pub model: String,
    /// The dimensions of a vector.
    pub dimension: usize,
}

const CHOICE: &str = "model_choice";

/// A chosen model that cannot be used: its vectors stay, and no new ones are made.
struct UnavailableEmbedder {
    name: String,
    dimension: usize,
    why: EmbedError,
}

impl Embedder for UnavailableEmbedder {
    fn model_name(&self) -> &str {
        &self.name
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn embed(&self, _texts: &[&str]) -> std::result::Result<Vec<Vec<f32>>, EmbedError> {
        Err(self.why.clone())
    }
}

impl Memory {
    /// The model in use.
    pub(super) fn embedder(&self) -> Arc<dyn Embedder> {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        current
            .clone()
            .unwrap_or_else(|| self.options.embedder.clone())
    }

    pub(super) fn model_name(&self) -> String {
        self.embedder().model_name().to_owned()
    }

    /// Loads the model that the store names. Where the vectors are of another one, all are to be made again.
    pub(super) fn load_model(&self, inner: &mut OpenState) -> Result<()> {
        let store = inner.open_store()?;
        let chosen = store.meta(CHOICE)?;
        let known = store.meta(MODEL)?;
        let dimension = store.meta(DIMENSION)?.and_then(|d| d.parse().ok());
        let is_ours = match &chosen {
            Some(text) => is_ours(store, CHOICE, text)?,
            None => true,
        };
        let embedder = match &chosen {
            None => self.options.embedder.clone(),
            Some(text) => self
                .build_stored_model(text, is_ours)
                .unwrap_or_else(|why| {
                    Arc::new(UnavailableEmbedder {
                        name: known.clone().unwrap_or_default(),
                        dimension: dimension.unwrap_or_default(),
                        why,
                    })
                }),
        };
        let (name, dimension) = (embedder.model_name().to_owned(), embedder.dimension());
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(embedder);
        inner.loaded = VectorCache::new(&name, dimension);
        inner.chosen = chosen;
        let store = inner.open_store()?;
        if known.as_deref() == Some(&name) || store.is_read_only() {
            return Ok(());
        }
        if known.is_some() {
            store.requeue_all_vectors()?;
        }
        store.set_meta(MODEL, &name)?;
        store.set_meta(DIMENSION, &dimension.to_string())
    }

    fn build_stored_model(
        &self,
        text: &str,
        is_ours: bool,
    ) -> std::result::Result<Arc<dyn Embedder>, EmbedError> {
        let choice: ModelChoice =
            serde_json::from_str(text).map_err(|e| EmbedError::DamagedChoice(Arc::new(e)))?;
        if !is_ours && choice.kind != "code" {
            let ModelChoice { kind, url, .. } = choice;
            return Err(EmbedError::NotChosenHere { kind, url });
        }
        self.build_model(&choice)
    }

    fn build_model(
        &self,
        choice: &ModelChoice,
    ) -> std::result::Result<Arc<dyn Embedder>, EmbedError> {
        let models = self.options.models.as_ref();
        models
            .ok_or(EmbedError::OnlyBuiltIn)?
            .build_embedder(choice)
    }

    /// Whether another program has chosen another model since this one last checked.
    pub(super) fn has_model_changed(inner: &OpenState) -> bool {
        let now = inner.store.as_ref().map(|store| store.meta(CHOICE));
        matches!(now, Some(Ok(now)) if now != inner.chosen)
    }

    /// The model in use.
    pub fn model_in_use(&self) -> Result<ModelInUse> {
        let choice = self.with_store(|inner| Ok(inner.chosen.clone()))?;
        let embedder = self.embedder();
        Ok(ModelInUse {
            choice: choice.and_then(|text| serde_json::from_str(&text).ok()),
            model: embedder.model_name().to_owned(),
            dimension: embedder.dimension(),
        })
    }

    /// Chooses a model; none for the built-in one. It makes one vector first as a test, then those of all solutions, for at most
    /// `patience`. Solutions without a vector are found by words.
    ///
    /// # Errors
    /// If the model cannot be used; nothing is changed then.
    pub fn change_model(
        &self,
        choice: Option<&ModelChoice>,
        patience: Duration,
    ) -> Result<CatchUpReport> {
        let text = choice.map(|choice| self.check_choice(choice)).transpose()?;
        self.with_store_to_write(|inner| {
            let store = inner.open_store()?;
            match &text {
                Some(text) => set_sealed(store, CHOICE, text)?,
                None => store.remove_meta(CHOICE)?,
            }
            self.load_model(inner)?;
            self.load_backend(inner)
        })?;
        self.compute_missing_vectors(patience)
    }

    /// The choice in its stored form, after a test of the model's vectors.
    fn check_choice(&self, choice: &ModelChoice) -> Result<String> {
        let missing = |error: EmbedError| SolutionError {
            kind: Kind::Missing,
            ..error.into()
        };
        let embedder = self.build_model(choice).map_err(missing)?;
        let vectors = embedder
            .embed(&["The connection to the database is refused"])
            .map_err(missing)?;
        let dimension = vectors.first().map_or(0, Vec::len);
        if dimension == 0 {
            return Err(missing(EmbedError::no_vector(&*embedder)));
        }
        let kept = ModelChoice {
            dimension: Some(dimension),
            ..choice.clone()
        };
        serde_json::to_string(&kept).map_err(|e| SolutionError::failure(e.to_string()))
    }

    /// The vector of a query, with the name of its model.
    pub(super) fn embed_query(&self, query: &str) -> Result<(String, Vec<f32>)> {
        let embedder = self.embedder();
        let vector = embed::embed_query_checked(&*embedder, query)?;
        Ok((embedder.model_name().to_owned(), vector))
    }
}
