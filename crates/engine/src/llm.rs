//! What the engine asks of a language model: one text for another, by a deadline.

use std::time::{Duration, Instant};

/// A language model.
pub trait Llm: Send + Sync {
    /// Provider and model, for answers.
    fn model(&self) -> &str;

    /// An answer to the same prompt that was given before and still holds.
    fn cached_answer(&self, _prompt: &str) -> Option<String> {
        None
    }

    /// The model's answer to a prompt. One try: whoever asks decides whether to try again.
    fn complete(&self, prompt: &str, deadline: Instant) -> Result<String, LlmError>;
}

/// Why no answer came. Never holds a key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LlmError {
    /// No answer by the deadline.
    #[error("no answer in time")]
    Timeout,
    /// Too many requests.
    #[error("too many requests{}", retry_hint(retry_after))]
    RateLimited {
        /// When the provider wants to be asked again.
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
    /// Whether another try may help.
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
