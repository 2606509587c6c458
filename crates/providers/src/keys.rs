//! Keys and settings that the caller read from its environment.

use crate::Secret;
use std::time::Duration;

/// Keys and addresses of providers, and the seams for tests.
#[derive(Debug, Clone, Default)]
pub struct Keys {
    /// `OPENAI_API_KEY`.
    pub openai: Option<Secret>,
    /// `OPENAI_BASE_URL`.
    pub openai_url: Option<String>,
    /// `AZURE_OPENAI_API_KEY`.
    pub azure: Option<Secret>,
    /// `AZURE_OPENAI_ENDPOINT`.
    pub azure_endpoint: Option<String>,
    /// `AZURE_OPENAI_DEPLOYMENT`.
    pub azure_deployment: Option<String>,
    /// `AZURE_OPENAI_API_VERSION`.
    pub azure_version: Option<String>,
    /// `ANTHROPIC_API_KEY`.
    pub anthropic: Option<Secret>,
    /// `ANTHROPIC_BASE_URL`.
    pub anthropic_url: Option<String>,
    /// `OLLAMA_HOST`.
    pub ollama: Option<String>,
    /// `LLM_MOCK_RESPONSE`, `LLM_MOCK_DELAY_MS`, `LLM_MOCK_FAIL_COUNT`.
    pub mock: MockLlm,
}

/// A mock language model with a given answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MockLlm {
    /// Its answer; `None` for no mock.
    pub response: Option<String>,
    /// Duration of each request.
    pub delay: Duration,
    /// Number of requests that fail first, as with a network that is down.
    pub failures: u32,
}

impl Keys {
    /// Reads the variables through `variable`, which returns `None` for those that are not set or empty.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Keys {
        let secret = |name: &str| variable(name).map(Secret::new).filter(|s| !s.is_empty());
        let number = |name: &str| variable(name).and_then(|n| n.trim().parse::<u32>().ok());
        let delay = number("LLM_MOCK_DELAY_MS").unwrap_or(0);
        Keys {
            openai: secret("OPENAI_API_KEY"),
            openai_url: variable("OPENAI_BASE_URL"),
            azure: secret("AZURE_OPENAI_API_KEY"),
            azure_endpoint: variable("AZURE_OPENAI_ENDPOINT"),
            azure_deployment: variable("AZURE_OPENAI_DEPLOYMENT"),
            azure_version: variable("AZURE_OPENAI_API_VERSION"),
            anthropic: secret("ANTHROPIC_API_KEY"),
            anthropic_url: variable("ANTHROPIC_BASE_URL"),
            ollama: variable("OLLAMA_HOST"),
            mock: MockLlm {
                response: variable("LLM_MOCK_RESPONSE"),
                delay: Duration::from_millis(u64::from(delay)),
                failures: number("LLM_MOCK_FAIL_COUNT").unwrap_or(0),
            },
        }
    }
}
