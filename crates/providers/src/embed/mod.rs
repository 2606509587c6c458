//! Embeddings over HTTP: batches, retries, a pause after a failure, and a check of the vectors.

mod wire;

use crate::Keys;
use crate::http::{Endpoint, HttpError};
use engine::{EmbeddingChoice, EmbeddingProvider, ProviderError};
use search::embed::{EmbedDoc, EmbedError, Embedder, MockEmbedder, ProviderFailure, QuantVec};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use wire::ApiFormat;
pub(crate) use wire::normalize_ollama_url;

/// The most bytes of a text. No model's limit is below this many tokens, and no token is shorter than a byte.
const TEXT: usize = 8_000;
/// The most bytes of all texts of a request: OpenAI takes 300,000 tokens at once.
const REQUEST: usize = 250_000;
/// The most values of a vector. The widest models in use have 4,096; an index stores a vector for each chunk.
const MOST_DIMENSIONS: usize = 16_384;
/// The most bytes of an answer.
const ANSWER: u64 = 64 << 20;
/// The longest time of a request for documents.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The longest time that a question waits for its vector.
const QUERY_TIMEOUT: Duration = Duration::from_secs(2);
/// The waits between attempts.
const WAITS: [Duration; 3] = [
    Duration::from_millis(500),
    Duration::from_secs(1),
    Duration::from_secs(2),
];
/// The longest sum of waits that a provider may ask for in one request. Beyond it the request is given up.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// The time after a failure in which questions do not ask the provider again.
const PAUSE: Duration = Duration::from_secs(30);

/// The embedder of a choice; `None` for the built-in one.
pub(crate) fn make_embedder(
    keys: &Keys,
    choice: &EmbeddingChoice,
) -> Result<Option<Arc<dyn Embedder>>, ProviderError> {
    let provider = match choice.provider {
        EmbeddingProvider::Auto if keys.openai.is_some() => EmbeddingProvider::OpenAi,
        EmbeddingProvider::Auto if keys.azure.is_some() && keys.azure_endpoint.is_some() => {
            EmbeddingProvider::Azure
        }
        EmbeddingProvider::Auto if keys.ollama.is_some() => EmbeddingProvider::Ollama,
        EmbeddingProvider::Auto => EmbeddingProvider::BuiltIn,
        given => given,
    };
    let made = match provider {
        EmbeddingProvider::BuiltIn | EmbeddingProvider::Auto => return Ok(None),
        EmbeddingProvider::Mock => return Ok(Some(Arc::new(MockEmbedder::default()))),
        EmbeddingProvider::OpenAi => wire::openai_embedder(keys, choice)?,
        EmbeddingProvider::Azure => wire::azure_embedder(keys, choice)?,
        EmbeddingProvider::Ollama => wire::ollama_embedder(keys, choice)?,
    };
    Ok(Some(Arc::new(made)))
}

/// A model behind an endpoint.
pub(crate) struct RemoteEmbedder {
    endpoint: Endpoint,
    wire: ApiFormat,
    /// Provider and model, as the index keeps it.
    name: String,
    /// The text before documents, and the text before queries.
    prefixes: (&'static str, &'static str),
    dimensions: OnceLock<usize>,
    timeout: Duration,
    batch: usize,
    failed: Mutex<Option<(Instant, ProviderFailure)>>,
    /// The last query with its vector: an answer may need it several times.
    last: Mutex<Option<(String, Option<Vec<f32>>)>>,
}

impl RemoteEmbedder {
    fn to_embed_error(&self, error: HttpError) -> EmbedError {
        let model = self.name.clone();
        let failure = match error {
            HttpError::Refused(reason) => return EmbedError::Refused { model, reason },
            HttpError::Timeout => ProviderFailure::Timeout,
            HttpError::RateLimited(_) => ProviderFailure::RateLimited,
            HttpError::Auth(text) | HttpError::Network(text) | HttpError::Invalid(text) => {
                ProviderFailure::Other(text)
            }
        };
        EmbedError::Provider { model, failure }
    }

    /// Sends one request. Tries again after transient failures while waits are left.
    fn request_with_retries(
        &self,
        texts: &[String],
        deadline: Option<Instant>,
        waits: &[Duration],
        timeout: Duration,
    ) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut waits = waits.iter();
        let mut waited = Duration::ZERO;
        loop {
            let limit = Instant::now() + timeout;
            let until = deadline.map_or(limit, |d| d.min(limit));
            let answered = self
                .endpoint
                .post_json(&self.wire.request_body(texts), until, ANSWER)
                .and_then(|answer| self.parse_vectors(&answer, texts.len()));
            let error = match answered {
                Ok(vectors) => return Ok(vectors),
                Err(error) => error,
            };
            let wanted = match &error {
                HttpError::RateLimited(Some(wait)) => *wait,
                _ => Duration::ZERO,
            };
            let wait = waits.next().map(|own| wanted.max(*own));
            match wait {
                Some(wait)
                    if error.is_retryable()
                        && waited + wait <= LONGEST_WAIT
                        && deadline.is_none_or(|d| Instant::now() + wait < d) =>
                {
                    std::thread::sleep(wait);
                    waited += wait;
                }
                Some(wait) if waited + wait > LONGEST_WAIT => {
                    return Err(self.to_embed_error(HttpError::Network(format!(
                        "too many requests: it asks for {} s of patience, and a request waits for {} s in all",
                        (waited + wait).as_secs(),
                        LONGEST_WAIT.as_secs()
                    ))));
                }
                _ => return Err(self.to_embed_error(error)),
            }
        }
    }

    /// The vectors of an answer, normalized to length one. They must be as many as the texts, and all of the
    /// expected dimensions.
    fn parse_vectors(
        &self,
        answer: &serde_json::Value,
        count: usize,
    ) -> Result<Vec<Vec<f32>>, HttpError> {
        let invalid = |text: String| HttpError::Invalid(text);
        let vectors = self.wire.parse_vectors(answer);
        let mut vectors = vectors.map_err(|error| invalid(error.to_string()))?;
        if vectors.len() != count {
            return Err(invalid(format!(
                "gave {} vectors for {count} texts",
                vectors.len()
            )));
        }
        let first = vectors.first().map_or(0, Vec::len);
        let wanted = self.dimensions.get().copied().unwrap_or(first);
        if wanted > MOST_DIMENSIONS {
            return Err(invalid(format!(
                "gave a vector of {wanted} values; no more than {MOST_DIMENSIONS} are taken"
            )));
        }
        for vector in &mut vectors {
            if vector.len() != wanted || vector.is_empty() {
                return Err(invalid(format!(
                    "gave a vector of {} values instead of {wanted}",
                    vector.len()
                )));
            }
            let norm = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
            if !norm.is_finite() {
                return Err(invalid(
                    "returned a vector with values that are not numbers".to_owned(),
                ));
            }
            if norm > 0.0 {
                vector.iter_mut().for_each(|v| *v /= norm);
            }
        }
        if wanted > 0 {
            self.dimensions.get_or_init(|| wanted);
        }
        Ok(vectors)
    }

    /// The recent failure that keeps questions from asking the provider.
    fn recent_failure(&self) -> Option<ProviderFailure> {
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        let (since, failure) = failed.as_ref()?;
        (since.elapsed() < PAUSE).then(|| failure.clone())
    }

    fn record_outcome<T>(&self, result: &Result<T, EmbedError>) {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        *failed = match result {
            Err(EmbedError::Provider { failure, .. }) => Some((Instant::now(), failure.clone())),
            _ => None,
        };
    }
}

impl Embedder for RemoteEmbedder {
    fn model(&self) -> &str {
        &self.name
    }

    fn dimensions(&self) -> usize {
        self.dimensions.get().copied().unwrap_or(0)
    }

    fn embed_documents(&self, documents: &[EmbedDoc<'_>]) -> Result<Vec<QuantVec>, EmbedError> {
        self.embed_documents_by_deadline(documents, None)
    }

    fn embed_documents_by_deadline(
        &self,
        documents: &[EmbedDoc<'_>],
        deadline: Option<Instant>,
    ) -> Result<Vec<QuantVec>, EmbedError> {
        // A caller waits for an answer, and would only meet the same failure.
        if let Some(failure) = self.recent_failure().filter(|_| deadline.is_some()) {
            let model = self.name.clone();
            return Err(EmbedError::Paused { model, failure });
        }
        let mut all = Vec::with_capacity(documents.len());
        let mut texts: Vec<String> = Vec::new();
        let mut size = 0;
        let mut send = |texts: &mut Vec<String>| {
            let answered = self.request_with_retries(texts, deadline, &WAITS, self.timeout);
            self.record_outcome(&answered);
            all.extend(answered?.iter().map(|v| QuantVec::new(v)));
            texts.clear();
            Ok::<_, EmbedError>(())
        };
        for document in documents {
            let mut text = format!("{}{}", self.prefixes.0, document.text(TEXT));
            if text.trim().is_empty() {
                // The provider refuses an empty text.
                text = "-".to_owned();
            }
            if texts.len() == self.batch || size + text.len() > REQUEST {
                send(&mut texts)?;
                size = 0;
            }
            size += text.len();
            texts.push(text);
        }
        if !texts.is_empty() {
            send(&mut texts)?;
        }
        Ok(all)
    }

    fn batch_size(&self) -> usize {
        self.batch
    }

    fn embed_query(&self, text: &str) -> Result<Option<Vec<f32>>, EmbedError> {
        let cut = EmbedDoc {
            code: text,
            names: "",
            path: "",
        }
        .text(TEXT);
        if cut.is_empty() {
            return Ok(None);
        }
        let last = || self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, vector)) = last().as_ref().filter(|(of, _)| *of == cut) {
            return Ok(vector.clone());
        }
        if let Some(failure) = self.recent_failure() {
            let model = self.name.clone();
            return Err(EmbedError::Paused { model, failure });
        }
        let text = format!("{}{}", self.prefixes.1, cut.trim_end());
        let answered =
            self.request_with_retries(&[text], None, &[], QUERY_TIMEOUT.min(self.timeout));
        self.record_outcome(&answered);
        let vector = answered?.pop();
        let vector = vector.filter(|v| v.iter().any(|x| *x != 0.0));
        *last() = Some((cut, vector.clone()));
        Ok(vector)
    }
}
