//! Requests of the engine to a language model: a prompt gives a text, by a deadline.

use std::time::{Duration, Instant};

/// A language model.
pub trait Llm: Send + Sync {
    /// Provider and model, for answers.
    fn model(&self) -> &str;

    /// A cached answer to the same prompt that is still valid.
    fn cached_answer(&self, _prompt: &str) -> Option<String> {
        None
    }

    /// The model's answer to a prompt. Makes one attempt: the caller decides whether to try again.
    fn complete(&self, prompt: &str, deadline: Instant) -> Result<String, LlmError>;
}

/// The reason why no answer came. Never contains a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LlmError {
    /// No answer by the deadline.
    #[error("no answer in time")]
    Timeout,
    /// Too many requests.
    #[error("too many requests{}", retry_hint(retry_after))]
    RateLimited {
        /// The time that the provider wants to be left alone.
        retry_after: Option<Duration>,
    },
    /// The key is missing, wrong, or may not do this.
    #[error("{0}")]
    Auth(String),
    /// The provider cannot be reached, or failed on its side.
    #[error("{0}")]
    Network(String),
    /// The request was refused, or the answer cannot be read.
    #[error("{0}")]
    Invalid(String),
}

impl LlmError {
    /// Whether another attempt may help.
    pub fn is_transient(&self) -> bool {
        matches!(self, LlmError::RateLimited { .. } | LlmError::Network(_))
    }
}

fn retry_hint(wait: &Option<Duration>) -> String {
    match wait {
        Some(wait) => format!(", try again in {} s", wait.as_secs_f32().ceil()),
        None => String::new(),
    }
}
