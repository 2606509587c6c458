//! The requests and answers of each provider of embeddings.

use super::{RemoteEmbedder, TIMEOUT};
use crate::http::{Endpoint, EndpointError};
use crate::{Keys, Secret, missing_key_error};
use engine::{EmbeddingChoice, ProviderError};
use serde_json::{Value, json};
use std::sync::{Mutex, OnceLock};

/// The reason why an answer gives no vectors.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum VectorsError {
    #[error("the answer has no {0}")]
    NoField(&'static str),
    #[error("the answer's indexes do not match the texts")]
    WrongIndexes,
    #[error("the answer has a row without a vector")]
    NoVector,
    #[error("returned a vector with values that are not numbers")]
    NotNumbers,
}

/// The format of requests and answers.
pub(crate) enum ApiFormat {
    /// `{"input":[…]}` and `{"data":[{"index":0,"embedding":[…]}]}`, as in OpenAI and Azure.
    OpenAi {
        /// Model; `None` if the address names it.
        model: Option<String>,
        /// Requested length, if the model supports it.
        dimensions: Option<usize>,
    },
    /// `{"input":[…]}` and `{"embeddings":[[…]]}`.
    Ollama {
        /// The model.
        model: String,
    },
}

impl ApiFormat {
    pub(super) fn request_body(&self, texts: &[String]) -> Value {
        match self {
            ApiFormat::OpenAi { model, dimensions } => {
                let mut body = json!({"input": texts, "encoding_format": "float"});
                if let Some(model) = model {
                    body["model"] = json!(model);
                }
                if let Some(dimensions) = dimensions {
                    body["dimensions"] = json!(dimensions);
                }
                body
            }
            ApiFormat::Ollama { model } => {
                json!({"model": model, "input": texts, "truncate": true})
            }
        }
    }

    /// The vectors of an answer, in the order of the texts.
    pub(super) fn parse_vectors(&self, answer: &Value) -> Result<Vec<Vec<f32>>, VectorsError> {
        match self {
            ApiFormat::OpenAi { .. } => {
                let data = answer.get("data").and_then(Value::as_array);
                let data = data.ok_or(VectorsError::NoField("data"))?;
                let mut rows: Vec<(u64, Vec<f32>)> = Vec::with_capacity(data.len());
                for (at, row) in data.iter().enumerate() {
                    let index = row.get("index").and_then(Value::as_u64);
                    rows.push((
                        index.unwrap_or(at as u64),
                        parse_floats(row.get("embedding"))?,
                    ));
                }
                rows.sort_by_key(|(index, _)| *index);
                let in_order = rows.iter().zip(0u64..).all(|((index, _), at)| *index == at);
                if !in_order {
                    return Err(VectorsError::WrongIndexes);
                }
                Ok(rows.into_iter().map(|(_, vector)| vector).collect())
            }
            ApiFormat::Ollama { .. } => {
                let rows = answer.get("embeddings").and_then(Value::as_array);
                let rows = rows.ok_or(VectorsError::NoField("embeddings"))?;
                rows.iter().map(|row| parse_floats(Some(row))).collect()
            }
        }
    }
}

fn parse_floats(value: Option<&Value>) -> Result<Vec<f32>, VectorsError> {
    let values = value.and_then(Value::as_array);
    let values = values.ok_or(VectorsError::NoVector)?;
    let float = |v: &Value| v.as_f64().map(|v| v as f32).filter(|v| v.is_finite());
    let all: Option<Vec<f32>> = values.iter().map(float).collect();
    all.ok_or(VectorsError::NotNumbers)
}

/// Length of a vector, for known models.
fn known_dimensions(model: &str) -> Option<usize> {
    let name = model.split(':').next().unwrap_or(model);
    match name {
        "text-embedding-3-small" | "text-embedding-ada-002" => Some(1536),
        "text-embedding-3-large" => Some(3072),
        "nomic-embed-text" | "embeddinggemma" => Some(768),
        "mxbai-embed-large" | "bge-m3" | "bge-large" => Some(1024),
        "all-minilm" => Some(384),
        _ => None,
    }
}

/// Prefixes that a model expects before documents and before queries.
fn model_prefixes(model: &str) -> (&'static str, &'static str) {
    match model.split(':').next().unwrap_or(model) {
        "nomic-embed-text" => ("search_document: ", "search_query: "),
        "mxbai-embed-large" => (
            "",
            "Represent this sentence for searching relevant passages: ",
        ),
        _ => ("", ""),
    }
}

fn bearer_header(key: &Secret) -> (&'static str, String) {
    ("authorization", format!("Bearer {}", key.expose()))
}

fn api_key_header(key: &Secret) -> (&'static str, String) {
    ("api-key", key.expose().to_owned())
}

fn new_remote(
    endpoint: Result<Endpoint, EndpointError>,
    wire: ApiFormat,
    (prefix, model): (&str, &str),
    (choice, known): (&EmbeddingChoice, Option<usize>),
    batch: usize,
) -> Result<RemoteEmbedder, ProviderError> {
    let dimensions = OnceLock::new();
    if let Some(known) = choice.dimensions.or(known).filter(|d| *d > 0) {
        dimensions.get_or_init(|| known);
    }
    Ok(RemoteEmbedder {
        endpoint: endpoint?,
        wire,
        name: format!("{prefix}:{model}"),
        prefixes: model_prefixes(model),
        dimensions,
        timeout: choice.timeout.unwrap_or(TIMEOUT),
        batch: choice.batch.map_or(batch, |most| most.clamp(1, batch)),
        failed: Mutex::new(None),
        last: Mutex::new(None),
    })
}

/// Requested length of vectors, for models that support shorter ones.
fn requested_dimensions(model: &str, choice: &EmbeddingChoice) -> Option<usize> {
    choice
        .dimensions
        .filter(|_| model.starts_with("text-embedding-3"))
}

pub(super) fn openai_embedder(
    keys: &Keys,
    choice: &EmbeddingChoice,
) -> Result<RemoteEmbedder, ProviderError> {
    let key = keys.openai.as_ref();
    let key = key.ok_or_else(|| missing_key_error("OpenAI", "OPENAI_API_KEY"))?;
    let base = choice.base_url.as_ref().or(keys.openai_url.as_ref());
    let base = base.map_or("https://api.openai.com/v1", String::as_str);
    let model = choice.model.as_deref().unwrap_or("text-embedding-3-small");
    let wire = ApiFormat::OpenAi {
        model: Some(model.to_owned()),
        dimensions: requested_dimensions(model, choice),
    };
    let endpoint = Endpoint::new("OpenAI", base, "/embeddings", Some((key, bearer_header)));
    new_remote(
        endpoint,
        wire,
        ("openai", model),
        (choice, known_dimensions(model)),
        256,
    )
}

pub(super) fn azure_embedder(
    keys: &Keys,
    choice: &EmbeddingChoice,
) -> Result<RemoteEmbedder, ProviderError> {
    let key = keys.azure.as_ref();
    let key = key.ok_or_else(|| missing_key_error("Azure OpenAI", "AZURE_OPENAI_API_KEY"))?;
    let base = choice.base_url.as_ref().or(keys.azure_endpoint.as_ref());
    let base = base.ok_or_else(|| missing_key_error("Azure OpenAI", "AZURE_OPENAI_ENDPOINT"))?;
    let model = choice.model.as_ref().or(keys.azure_deployment.as_ref());
    let model =
        model.ok_or_else(|| missing_key_error("Azure OpenAI", "AZURE_OPENAI_DEPLOYMENT"))?;
    let version = keys.azure_version.as_deref().unwrap_or("2024-10-21");
    let plain = |text: &str| {
        let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        !text.is_empty() && text.chars().all(fits)
    };
    if !plain(model) || !plain(version) {
        return Err(ProviderError::Invalid(format!(
            "Azure OpenAI: not a deployment and a version: {model:?}, {version:?}"
        )));
    }
    let path = format!("/openai/deployments/{model}/embeddings?api-version={version}");
    let wire = ApiFormat::OpenAi {
        model: None,
        dimensions: requested_dimensions(model, choice),
    };
    let endpoint = Endpoint::new("Azure OpenAI", base, &path, Some((key, api_key_header)));
    new_remote(
        endpoint,
        wire,
        ("azure", model),
        (choice, known_dimensions(model)),
        64,
    )
}

pub(super) fn ollama_embedder(
    keys: &Keys,
    choice: &EmbeddingChoice,
) -> Result<RemoteEmbedder, ProviderError> {
    let base = choice.base_url.as_ref().or(keys.ollama.as_ref());
    let base = normalize_ollama_url(base.map(String::as_str));
    let model = choice.model.as_deref().unwrap_or("nomic-embed-text");
    let wire = ApiFormat::Ollama {
        model: model.to_owned(),
    };
    let endpoint = Endpoint::new("Ollama", &base, "/api/embed", None);
    new_remote(
        endpoint,
        wire,
        ("ollama", model),
        (choice, known_dimensions(model)),
        32,
    )
}

/// `OLLAMA_HOST` may lack scheme and port, and may be the address that a server listens on.
pub(crate) fn normalize_ollama_url(host: Option<&str>) -> String {
    let host = host
        .unwrap_or("127.0.0.1:11434")
        .trim()
        .trim_end_matches('/');
    let (scheme, rest) = host.split_once("://").unwrap_or(("http", host));
    let rest = rest.replace("0.0.0.0", "127.0.0.1");
    let last = rest.rsplit(']').next().unwrap_or(&rest);
    if scheme == "http" && !last.contains(':') && !last.contains('/') {
        format!("{scheme}://{rest}:11434")
    } else {
        format!("{scheme}://{rest}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_ollama_are_completed() {
        for (host, url) in [
            (None, "http://127.0.0.1:11434"),
            (Some("box"), "http://box:11434"),
            (Some("0.0.0.0:9"), "http://127.0.0.1:9"),
            (Some("http://box:1/"), "http://box:1"),
            (Some("[::1]"), "http://[::1]:11434"),
            (Some("https://box/ollama"), "https://box/ollama"),
        ] {
            assert_eq!(normalize_ollama_url(host), url);
        }
    }

    #[test]
    fn answers_are_put_in_order_or_refused() {
        let wire = ApiFormat::OpenAi {
            model: None,
            dimensions: None,
        };
        let row = |index: u64, value: f32| json!({"index": index, "embedding": [value]});
        let ordered = wire.parse_vectors(&json!({"data": [row(1, 0.5), row(0, 0.25)]}));
        assert_eq!(ordered, Ok(vec![vec![0.25], vec![0.5]]));
        for bad in [
            json!({"data": [row(0, 0.5), row(0, 0.25)]}),
            json!({"data": [row(0, 0.5), row(7, 0.25)]}),
            json!({"data": [{"index": 0, "embedding": ["x"]}]}),
            json!({"data": [{"index": 0}]}),
            json!({"error": "no"}),
            json!([]),
        ] {
            assert!(wire.parse_vectors(&bad).is_err(), "{bad}");
        }
    }
}
