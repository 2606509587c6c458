//! Models outside this process: embeddings of OpenAI, Azure OpenAI and Ollama, language models of Anthropic, OpenAI and Ollama; and
//! the connections to a Chroma server and to CKB. The only HTTP client of the project, and the only holder of keys.
//!
//! Keys are passed in, never read from the environment. They appear in no error, log, cache or answer. Never knows: ranking, the
//! index, the purpose of a request.

mod chroma;
mod ckb;
mod embed;
mod http;
mod keys;
mod llm;
mod secret;
mod solutions;

pub use chroma::ChromaHttp;
pub use keys::{Keys, MockLlm};
pub use secret::Secret;
pub use solutions::SolutionModels;

use engine::{CodeBackend, EmbeddingChoice, Llm, LlmChoice, ProviderError, Providers};
use search::embed::Embedder;
use std::sync::Arc;

fn missing_key_error(provider: &str, variable: &str) -> ProviderError {
    ProviderError::KeyMissing {
        provider: provider.to_owned(),
        variable: variable.to_owned(),
    }
}

/// Makes models with the keys of one user.
#[derive(Debug, Clone, Default)]
pub struct Adapters {
    keys: Keys,
}

impl Adapters {
    /// Adapters that may use these keys.
    pub fn new(keys: Keys) -> Adapters {
        Adapters { keys }
    }
}

impl Providers for Adapters {
    fn embedder(
        &self,
        choice: &EmbeddingChoice,
    ) -> Result<Option<Arc<dyn Embedder>>, ProviderError> {
        embed::make_embedder(&self.keys, choice)
    }

    fn llm(&self, choice: &LlmChoice) -> Result<Arc<dyn Llm>, ProviderError> {
        llm::make_llm(&self.keys, choice)
    }

    fn code_backend(&self, address: &str) -> Result<Arc<dyn CodeBackend>, ProviderError> {
        let ckb = ckb::Ckb::new(address);
        let ckb = ckb.map_err(|error| ProviderError::Invalid(error.to_string()))?;
        Ok(Arc::new(ckb))
    }
}
