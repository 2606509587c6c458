//! Models outside this process: the choice of one, and the trait that makes them. The engine knows no HTTP and no key.

use crate::Llm;
use schemars::JsonSchema;
use search::embed::Embedder;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Who makes vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum EmbeddingProvider {
    /// The built-in model
    #[default]
    #[serde(alias = "built-in", alias = "local")]
    #[cfg_attr(feature = "cli", value(name = "builtin"))]
    BuiltIn,
    /// The first configured of: OpenAI, Azure OpenAI, Ollama. Otherwise built-in
    Auto,
    /// OpenAI, or a server with the same API
    #[serde(alias = "openai_api")]
    #[cfg_attr(feature = "cli", value(name = "openai"))]
    OpenAi,
    /// Azure OpenAI
    #[serde(alias = "azure_openai")]
    Azure,
    /// Ollama
    Ollama,
    /// Fixed vectors (for tests)
    Mock,
}

/// The choice of an embedding model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EmbeddingChoice {
    /// The provider.
    pub provider: EmbeddingProvider,
    /// The model's name; with Azure the name of the deployment.
    pub model: Option<String>,
    /// The address of the provider.
    pub base_url: Option<String>,
    /// The dimensions of a vector, where the model leaves a choice or is not known.
    pub dimensions: Option<usize>,
    /// The time limit of one request.
    pub timeout: Option<Duration>,
    /// The most texts in one request.
    pub batch: Option<usize>,
}

/// Who judges relevance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum LlmProvider {
    /// Anthropic
    #[default]
    Anthropic,
    /// OpenAI, or a server with the same API
    #[cfg_attr(feature = "cli", value(name = "openai"))]
    OpenAi,
    /// Ollama
    Ollama,
}

/// The choice of a language model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LlmChoice {
    /// The provider.
    pub provider: LlmProvider,
    /// The model's name.
    pub model: Option<String>,
    /// The address of the provider.
    pub base_url: Option<String>,
    /// Whether only an address given by the user may be asked, never the provider's public one. True where the address was given
    /// for another provider: the user has then chosen where questions go.
    pub given_address_only: bool,
    /// A fixed answer, given instead of asking a provider.
    pub mock: Option<String>,
}

impl EmbeddingProvider {
    /// The provider of a word of the configuration.
    pub fn parse(word: &str) -> Option<EmbeddingProvider> {
        serde_json::from_value(word.into()).ok()
    }
}

impl LlmProvider {
    /// The provider of a word of the configuration.
    pub fn parse(word: &str) -> Option<LlmProvider> {
        serde_json::from_value(word.into()).ok()
    }
}

/// The reason why a provider cannot be asked at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProviderError {
    /// The key is missing.
    #[error("{provider} is not configured: {variable} is not set")]
    KeyMissing {
        /// The provider.
        provider: String,
        /// The environment variable that would hold the key.
        variable: String,
    },
    /// The configuration is wrong.
    #[error("{0}")]
    Invalid(String),
}

/// A symbol that another code index knows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CodeSymbol {
    /// Its id there.
    pub id: String,
    /// Its name.
    pub name: String,
    /// The file, relative to the project's root.
    pub path: String,
    /// The first line, from 1.
    pub line: u32,
    /// The last line, where it is known.
    pub end_line: Option<u32>,
    /// How well it matches, 0–1.
    pub score: f64,
}

/// The reason why another code index gives no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BackendError {
    /// The deadline was over before the request.
    #[error("CKB: no answer in time")]
    Late,
    /// The server cannot be reached, or did not answer completely.
    #[error("CKB at {address} does not answer: {reason}")]
    NoAnswer {
        /// The address of the server.
        address: String,
        /// The reason.
        reason: String,
    },
    /// The server refused the request.
    #[error("CKB at {address} answered with status {status}")]
    Status {
        /// The address of the server.
        address: String,
        /// The status of HTTP.
        status: u16,
    },
    /// The answer is not what CKB gives.
    #[error("CKB at {address}: {reason}")]
    Invalid {
        /// The address of the server.
        address: String,
        /// The reason.
        reason: String,
    },
}

/// Another code index (CKB), asked where this project has no graph of its own.
pub trait CodeBackend: fmt::Debug + Send + Sync {
    /// Symbols for a query, best first.
    fn search(
        &self,
        query: &str,
        limit: usize,
        deadline: Instant,
    ) -> Result<Vec<CodeSymbol>, BackendError>;

    /// The calls around a symbol: `{nodes: [{id, symbol, file_path, line}], edges: [{source, target}]}`.
    fn call_graph(&self, id: &str, depth: u32, deadline: Instant) -> Result<Value, BackendError>;
}

/// Makes models from choices. The only holder of keys.
pub trait Providers: fmt::Debug + Send + Sync {
    /// An embedding model; none for the built-in one.
    fn embedder(
        &self,
        choice: &EmbeddingChoice,
    ) -> Result<Option<Arc<dyn Embedder>>, ProviderError>;

    /// A language model.
    fn llm(&self, choice: &LlmChoice) -> Result<Arc<dyn Llm>, ProviderError>;

    /// Another code index at an address.
    ///
    /// # Errors
    /// If there is no way to ask it.
    fn code_backend(&self, address: &str) -> Result<Arc<dyn CodeBackend>, ProviderError> {
        Err(ProviderError::Invalid(format!(
            "cannot ask the code index at {address}"
        )))
    }
}
