//! Whose vectors answer a question: the built-in model's, or a provider's where one is configured and its vectors are
//! there. Vectors of two models never meet: each has an index of its own.

use crate::snippet::Source;
use crate::{EmbeddingChoice, EmbeddingProvider, Engine, EngineError, ProviderError};
use ingest::{EmbedReport, EmbedRequest};
use search::embed::{CodeModel, Embedder};
use search::index::Index;
use search::rank::NoQueryVector;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How long a question waits for vectors of files that changed.
const PATIENCE: Duration = Duration::from_secs(2);
/// Chunks that a question sends.
const MOST_CHUNKS: usize = 64;

/// Who makes vectors, by the configuration.
#[derive(Clone)]
pub(crate) enum EmbedderChoice {
    /// The built-in model.
    BuiltIn,
    /// A model outside; `is_local` where asking it costs nothing.
    Provider {
        embedder: Arc<dyn Embedder>,
        is_local: bool,
    },
    /// A provider that cannot be asked.
    Missing(ProviderError),
}

/// Why an answer is not what the configuration asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Degraded {
    /// A word: `no_api_key`, `timeout`, `provider_failed` or `not_built`.
    pub reason: &'static str,
    /// What happened, and what answered instead.
    pub detail: String,
}

/// Chunks to search and the model for the query.
pub(crate) struct SearchIndex {
    pub index: Arc<Index>,
    /// What should be said of the state of the index.
    pub note: Option<String>,
    provider: Option<Arc<dyn Embedder>>,
    degraded: Option<Degraded>,
}

impl SearchIndex {
    /// Whether a file is as its chunks say. Known only of the built-in model's, and where they are up to date:
    /// a provider is not asked again for each change.
    pub(crate) fn is_current(&self, path: &str, source: &Source) -> bool {
        let known = self.note.is_none() && self.provider.is_none();
        let same = |stamp| ingest::are_chunks_current(&self.index, path, stamp);
        !known || source.stamp().is_some_and(same)
    }

    /// The model for queries; none where words alone are to answer.
    pub(crate) fn embedder(&self) -> Option<&dyn Embedder> {
        match (&self.provider, &self.degraded) {
            (Some(provider), _) => Some(&**provider),
            (None, Some(degraded)) if degraded.reason == "no_api_key" => None,
            _ => CodeModel::get().ok().map(|model| model as &dyn Embedder),
        }
    }

    /// Changes with whatever a search may find.
    pub(crate) fn cache_key(&self) -> String {
        let model = &self.index.model().name;
        let asked = self.provider.is_some();
        format!(
            "{model} {} {asked} {:?}",
            self.index.generation(),
            self.degraded
        )
    }

    /// What to say of an answer, given what the search said of it. An error where the configuration wants no
    /// answer rather than a lesser one.
    pub(crate) fn degraded(
        &self,
        engine: &Engine,
        missing: Option<&NoQueryVector>,
    ) -> Result<Option<Degraded>, EngineError> {
        let degraded = match (&self.degraded, missing) {
            (Some(degraded), _) => degraded.clone(),
            (None, None) => return Ok(None),
            (None, Some(missing)) => Degraded {
                reason: match (&self.provider, missing) {
                    (None, _) => "no_embedding",
                    (Some(_), NoQueryVector::Failed(error)) if error.is_timeout() => "timeout",
                    (Some(_), _) => "provider_failed",
                },
                detail: format!("{missing}; words alone answered"),
            },
        };
        let strict = !engine.config().embedding().fallback_to_keyword;
        if strict && degraded.reason != "not_built" {
            return Err(EngineError::failure(degraded.detail)
                .hint("embedding.fallback_to_keyword is off, so words alone are not searched"));
        }
        Ok(Some(degraded))
    }
}

impl Engine {
    /// Who makes vectors. Made once, so that a provider that failed is remembered.
    pub(crate) fn embedder_choice(&self) -> EmbedderChoice {
        self.embedder_cell()
            .get_or_init(|| self.choose_embedder())
            .clone()
    }

    /// Which model the configuration asks for.
    pub(crate) fn embedding_choice(&self) -> EmbeddingChoice {
        let config = self.config().embedding();
        EmbeddingChoice {
            provider: EmbeddingProvider::parse(&config.provider).unwrap_or_default(),
            model: config.model,
            base_url: config.base_url,
            dimensions: config.dimensions,
            timeout: Some(config.timeout),
            batch: Some(config.batch_size),
        }
    }

    fn choose_embedder(&self) -> EmbedderChoice {
        let choice = self.embedding_choice();
        let provider = choice.provider;
        let made = match (&self.settings().providers, provider) {
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

    /// The chunks to search, with every changed file read again. `watcher_settled` where the question at hand has asked the
    /// watch already.
    pub(crate) fn search_index(&self, watcher_settled: bool) -> Result<SearchIndex, EngineError> {
        let (embedder, is_local) = match self.embedder_choice() {
            EmbedderChoice::BuiltIn => return self.built_in_search_index(None, watcher_settled),
            EmbedderChoice::Missing(error) => {
                let degraded = Degraded {
                    reason: "no_api_key",
                    detail: format!("{error}; words alone answered"),
                };
                return self.built_in_search_index(Some(degraded), watcher_settled);
            }
            EmbedderChoice::Provider { embedder, is_local } => (embedder, is_local),
        };
        let waiting = (Instant::now() + PATIENCE, MOST_CHUNKS);
        let ask = EmbedRequest {
            embedder: &*embedder,
            force: false,
            waiting: Some(waiting).filter(|_| !is_local),
        };
        let mut options = self.options();
        options.wait = self.writer_lock_timeout();
        let (index, note) = match ingest::update_embedded(&options, &ask, self.progress()) {
            Ok((index, report)) => (index, missing_vectors_note(&report)),
            Err(error) => {
                let last = ingest::embedded(&options, embedder.model());
                let note = format!("answered from the last index: {error}");
                (last.map(|(index, _)| index), Some(note))
            }
        };
        match index {
            Some(index) => Ok(SearchIndex {
                index: Arc::new(index),
                note,
                provider: Some(embedder),
                degraded: None,
            }),
            None => {
                let model = embedder.model();
                let hint = "build them with `knotwork embedding build`";
                let degraded = Degraded {
                    reason: "not_built",
                    detail: format!(
                        "there are no vectors of {model} yet: {hint}; the built-in model was used"
                    ),
                };
                self.built_in_search_index(Some(degraded), watcher_settled)
            }
        }
    }

    fn built_in_search_index(
        &self,
        degraded: Option<Degraded>,
        watcher_settled: bool,
    ) -> Result<SearchIndex, EngineError> {
        let (index, note) = self.chunks(watcher_settled)?;
        Ok(SearchIndex {
            index,
            note,
            provider: None,
            degraded,
        })
    }

    /// Builds a provider's vectors, or brings them up to date. None where the built-in model is chosen.
    pub(crate) fn update_embeddings(
        &self,
        force: bool,
    ) -> Result<Option<(Option<Index>, EmbedReport)>, EngineError> {
        let embedder = match self.embedder_choice() {
            EmbedderChoice::BuiltIn => return Ok(None),
            EmbedderChoice::Missing(error) => {
                let report = EmbedReport {
                    problem: Some(error.to_string()),
                    ..EmbedReport::default()
                };
                return Ok(Some((None, report)));
            }
            EmbedderChoice::Provider { embedder, .. } => embedder,
        };
        let ask = EmbedRequest {
            embedder: &*embedder,
            force,
            waiting: None,
        };
        Ok(Some(ingest::update_embedded(
            &self.options(),
            &ask,
            self.progress(),
        )?))
    }
}

/// What a question's answer should say of the vectors behind it.
fn missing_vectors_note(report: &EmbedReport) -> Option<String> {
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
