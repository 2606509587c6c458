//! Models outside this process: how they are chosen, and who makes them. The engine knows no HTTP and no key.

use crate::Llm;
use schemars::JsonSchema;
use search::embed::Embedder;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

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
    /// The first that is configured of OpenAI, Azure OpenAI, Ollama; else the built-in model
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

/// Which model makes vectors.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EmbeddingChoice {
    /// Whose.
    pub provider: EmbeddingProvider,
    /// The model's name; with Azure the deployment's.
    pub model: Option<String>,
    /// Where the provider is asked.
    pub base_url: Option<String>,
    /// Values of a vector, where the model leaves a choice or is not known.
    pub dimensions: Option<usize>,
    /// The longest that one request may take.
    pub timeout: Option<Duration>,
    /// Most texts in one request.
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

/// Which language model is asked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LlmChoice {
    /// Whose.
    pub provider: LlmProvider,
    /// The model's name.
    pub model: Option<String>,
    /// Where the provider is asked.
    pub base_url: Option<String>,
    /// Whether it is asked only at an address that the user gave, and never at the public one: an address was given for
    /// another provider, so that this user chose where questions go.
    pub given_address_only: bool,
    /// What it answers, instead of asking anybody.
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

/// Why a provider cannot be asked at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProviderError {
    /// Its key is not there.
    #[error("{provider} is not configured: {variable} is not set")]
    KeyMissing {
        /// Who.
        provider: String,
        /// The variable that would hold the key.
        variable: String,
    },
    /// It is configured wrongly.
    #[error("{0}")]
    Invalid(String),
}

/// Makes models of choices. The only holder of keys.
pub trait Providers: fmt::Debug + Send + Sync {
    /// A model for vectors; none for the built-in one.
    fn embedder(
        &self,
        choice: &EmbeddingChoice,
    ) -> Result<Option<Arc<dyn Embedder>>, ProviderError>;

    /// A language model.
    fn llm(&self, choice: &LlmChoice) -> Result<Arc<dyn Llm>, ProviderError>;
}
