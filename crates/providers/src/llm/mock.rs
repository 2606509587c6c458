//! A language model for tests: its answer, its delay and its failures are given.

use crate::MockLlm;
use engine::{Llm, LlmError};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

pub(super) struct Mock {
    response: String,
    delay: Duration,
    failures: AtomicU32,
}

impl Mock {
    /// The mock with an explicit answer or the one from the environment; `None` if neither asks for
    /// a mock.
    pub(super) fn from_settings(seams: &MockLlm, explicit: Option<&String>) -> Option<Mock> {
        if explicit.is_none() && *seams == MockLlm::default() {
            return None;
        }
        let response = explicit.or(seams.response.as_ref());
        Some(Mock {
            response: response.map_or("[]", String::as_str).to_owned(),
            delay: seams.delay,
            failures: AtomicU32::new(seams.failures),
        })
    }
}

impl Llm for Mock {
    fn model(&self) -> &str {
        "mock"
    }

    fn complete(&self, _prompt: &str, deadline: Instant) -> Result<String, LlmError> {
        let left = deadline.saturating_duration_since(Instant::now());
        std::thread::sleep(self.delay.min(left));
        if self.delay >= left {
            return Err(LlmError::Timeout);
        }
        let failing = |n: u32| n.checked_sub(1);
        match self
            .failures
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, failing)
        {
            Ok(_) => Err(LlmError::Network("mock: failed as it was told".to_owned())),
            Err(_) => Ok(self.response.clone()),
        }
    }
}
