//! The choice of vectors for a question: the built-in model's, or those of a configured provider once they are built. Vectors of
//! two models are never mixed: each model has an index of its own.

use crate::config::Config;
use crate::snippet::FileSnapshot;
use crate::{EmbeddingChoice, EmbeddingProvider, EngineError, ProviderError, Settings};
use ingest::EmbedReport;
use search::embed::{CodeModel, Embedder};
use search::index::Index;
use search::rank::NoQueryVector;
use std::sync::Arc;

/// The embedder that the configuration chooses.
#[derive(Clone)]
pub(crate) enum EmbedderChoice {
    /// The built-in model.
    BuiltIn,
    /// A provider's model. `is_local` if requests to it cost nothing.
    Provider {
        embedder: Arc<dyn Embedder>,
        is_local: bool,
    },
    /// A provider that cannot be asked.
    Missing(ProviderError),
}

impl EmbedderChoice {
    /// Chooses by the configuration.
    pub(crate) fn new(settings: &Settings, config: &Config) -> EmbedderChoice {
        let choice = embedding_choice(config);
        let provider = choice.provider;
        let made = match (&settings.providers, provider) {
            (_, EmbeddingProvider::BuiltIn) | (None, EmbeddingProvider::Auto) => Ok(None),
            (Some(providers), _) => providers.embedder(&choice),
            (None, _) => Err(ProviderError::Invalid(
                "no embedding provider is available in this program".to_owned(),
            )),
        };
        match made {
            Ok(None) => EmbedderChoice::BuiltIn,
            Ok(Some(embedder)) => EmbedderChoice::Provider {
                embedder,
                is_local: provider == EmbeddingProvider::Mock,
            },
            Err(error) => EmbedderChoice::Missing(error),
        }
    }
}

/// The embedding model that the configuration names.
pub(crate) fn embedding_choice(config: &Config) -> EmbeddingChoice {
    let config = config.embedding();
    EmbeddingChoice {
        provider: EmbeddingProvider::parse(&config.provider).unwrap_or_default(),
        model: config.model,
        base_url: config.base_url,
        dimensions: config.dimensions,
        timeout: Some(config.timeout),
        batch: Some(config.batch_size),
    }
}

/// The reason why an answer falls short of what the configuration asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Degradation {
    /// A code: `no_api_key`, `timeout`, `provider_failed` or `not_built`.
    pub reason: &'static str,
    /// The problem in words, and what was used instead.
    pub detail: String,
}

impl Degradation {
    /// A configured provider that cannot be asked.
    pub(crate) fn without_key(error: &ProviderError) -> Degradation {
        Degradation {
            reason: "no_api_key",
            detail: format!("{error}; words alone answered"),
        }
    }

    /// A configured provider whose vectors were never built.
    pub(crate) fn not_built(model: &str) -> Degradation {
        let hint = "build them with `knotwork embedding build`";
        Degradation {
            reason: "not_built",
            detail: format!(
                "there are no vectors of {model} yet: {hint}; the built-in model was used"
            ),
        }
    }
}

/// Chunks to search and the model for the query.
pub(crate) struct SearchIndex {
    pub index: Arc<Index>,
    /// A note on the state of the index, for the answer.
    pub note: Option<String>,
    provider: Option<Arc<dyn Embedder>>,
    degraded: Option<Degradation>,
}

impl SearchIndex {
    /// An index with the vectors of the built-in model.
    pub(crate) fn built_in(
        index: Arc<Index>,
        note: Option<String>,
        degraded: Option<Degradation>,
    ) -> SearchIndex {
        SearchIndex {
            index,
            note,
            provider: None,
            degraded,
        }
    }

    /// An index with the vectors of a provider.
    pub(crate) fn of_provider(
        index: Arc<Index>,
        note: Option<String>,
        provider: Arc<dyn Embedder>,
    ) -> SearchIndex {
        SearchIndex {
            index,
            note,
            provider: Some(provider),
            degraded: None,
        }
    }

    /// Whether a file is unchanged since its chunks were made. True where that is unknown: where the chunks are not up to date,
    /// and with a provider's vectors, which are not updated at each change.
    pub(crate) fn is_file_current(&self, path: &str, source: &FileSnapshot) -> bool {
        let known = self.note.is_none() && self.provider.is_none();
        let same = |stamp| ingest::are_chunks_current(&self.index, path, stamp);
        !known || source.stamp().is_some_and(same)
    }

    /// The model for queries; none where only words are searched.
    pub(crate) fn embedder(&self) -> Option<&dyn Embedder> {
        match (&self.provider, &self.degraded) {
            (Some(provider), _) => Some(&**provider),
            (None, Some(degraded)) if degraded.reason == "no_api_key" => None,
            _ => CodeModel::get().ok().map(|model| model as &dyn Embedder),
        }
    }

    /// A key that changes with everything that a search may find.
    pub(crate) fn cache_key(&self) -> String {
        let model = &self.index.model().name;
        let asked = self.provider.is_some();
        format!(
            "{model} {} {asked} {:?}",
            self.index.generation(),
            self.degraded
        )
    }

    /// The degradation to report with an answer. `missing` is the reason why the query has no vector.
    ///
    /// # Errors
    /// If the configuration forbids answers from words alone.
    pub(crate) fn degradation(
        &self,
        config: &Config,
        missing: Option<&NoQueryVector>,
    ) -> Result<Option<Degradation>, EngineError> {
        let degraded = match (&self.degraded, missing) {
            (Some(degraded), _) => degraded.clone(),
            (None, None) => return Ok(None),
            (None, Some(missing)) => Degradation {
                reason: match (&self.provider, missing) {
                    (None, _) => "no_embedding",
                    (Some(_), NoQueryVector::Failed(error)) if error.is_timeout() => "timeout",
                    (Some(_), _) => "provider_failed",
                },
                detail: format!("{missing}; words alone answered"),
            },
        };
        let strict = !config.embedding().fallback_to_keyword;
        if strict && degraded.reason != "not_built" {
            return Err(EngineError::runtime_failure(degraded.detail).with_hint(
                "embedding.fallback_to_keyword is off, so a search by words alone is not made",
            ));
        }
        Ok(Some(degraded))
    }
}

/// A note for the answer on chunks without vectors; none where all have one.
pub(crate) fn missing_vectors_note(report: &EmbedReport) -> Option<String> {
    let missing = report.missing;
    let chunks = if missing == 1 {
        "chunk has"
    } else {
        "chunks have"
    };
    match (&report.problem, missing) {
        (_, 0) => None,
        (Some(problem), _) => Some(format!("{missing} {chunks} no vector: {problem}")),
        (None, _) => Some(format!(
            "{missing} {chunks} no vector yet and are found by words only"
        )),
    }
}
