//! Language models over HTTP, and a mock with a given answer.

mod mock;

use crate::embed::normalize_ollama_url;
use crate::http::{Endpoint, EndpointError, HttpError};
use crate::{Keys, Secret, missing_key_error};
use engine::{Llm, LlmChoice, LlmError, LlmProvider, ProviderError};
use mock::Mock;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;

/// The most bytes of an answer.
const ANSWER: u64 = 1 << 20;
/// The most tokens of an answer.
const MAX_TOKENS: u32 = 1_024;

/// The model of a choice.
pub(crate) fn make_llm(keys: &Keys, choice: &LlmChoice) -> Result<Arc<dyn Llm>, ProviderError> {
    if let Some(mock) = Mock::from_settings(&keys.mock, choice.mock.as_ref()) {
        return Ok(Arc::new(mock));
    }
    let made = match choice.provider {
        LlmProvider::Anthropic => anthropic_llm(keys, choice)?,
        LlmProvider::OpenAi => openai_llm(keys, choice)?,
        LlmProvider::Ollama => ollama_llm(keys, choice)?,
    };
    Ok(Arc::new(made))
}

/// The format of requests and answers.
enum Wire {
    Anthropic,
    OpenAi,
    Ollama,
}

struct RemoteLlm {
    endpoint: Endpoint,
    wire: Wire,
    /// Name of the model at the provider.
    own_name: String,
    /// Provider and model.
    name: String,
}

impl RemoteLlm {
    fn new(
        endpoint: Result<Endpoint, EndpointError>,
        wire: Wire,
        provider: &str,
        model: &str,
    ) -> Result<RemoteLlm, ProviderError> {
        Ok(RemoteLlm {
            endpoint: endpoint?,
            wire,
            own_name: model.to_owned(),
            name: format!("{provider}:{model}"),
        })
    }

    fn request_body(&self, prompt: &str) -> Value {
        let messages = json!([{"role": "user", "content": prompt}]);
        match self.wire {
            Wire::Anthropic => {
                json!({"model": self.own_name, "max_tokens": MAX_TOKENS, "messages": messages})
            }
            Wire::OpenAi => json!({"model": self.own_name, "messages": messages}),
            Wire::Ollama => json!({
                "model": self.own_name, "messages": messages, "stream": false,
                "options": {"temperature": 0, "num_predict": MAX_TOKENS}
            }),
        }
    }

    /// The text of an answer.
    fn answer_text(&self, answer: &Value) -> Option<String> {
        match self.wire {
            Wire::Anthropic => {
                let blocks = answer.get("content")?.as_array()?;
                let texts = blocks.iter().filter_map(|b| b.get("text")?.as_str());
                Some(texts.collect::<Vec<_>>().join("\n"))
            }
            Wire::OpenAi => {
                let message = answer.get("choices")?.get(0)?.get("message")?;
                Some(message.get("content")?.as_str()?.to_owned())
            }
            Wire::Ollama => Some(answer.get("message")?.get("content")?.as_str()?.to_owned()),
        }
    }
}

impl Llm for RemoteLlm {
    fn model(&self) -> &str {
        &self.name
    }

    fn complete(&self, prompt: &str, deadline: Instant) -> Result<String, LlmError> {
        let answer = self
            .endpoint
            .post_json(&self.request_body(prompt), deadline, ANSWER)
            .map_err(|error| match error {
                HttpError::Timeout => LlmError::Timeout,
                HttpError::RateLimited(retry_after) => LlmError::RateLimited { retry_after },
                HttpError::Auth(text) => LlmError::Auth(text),
                HttpError::Network(text) => LlmError::Network(text),
                HttpError::Invalid(text) | HttpError::Refused(text) => LlmError::Invalid(text),
            })?;
        self.answer_text(&answer)
            .filter(|text| !text.trim().is_empty())
            .ok_or_else(|| {
                LlmError::Invalid(format!(
                    "{}: the answer has no text",
                    self.endpoint.provider
                ))
            })
    }
}

/// The address of a provider: the chosen one, else that of its variable, else the public one.
fn address<'c>(
    choice: &'c LlmChoice,
    own: Option<&'c String>,
    variable: &str,
    public: &'c str,
) -> Result<&'c str, ProviderError> {
    match choice.base_url.as_ref().or(own) {
        Some(given) => Ok(given),
        None if choice.given_address_only => Err(ProviderError::Invalid(format!(
            "reranker.base_url is the address of another provider, and {public} is not asked unless it is chosen: set \
             {variable}, or reranker.provider and reranker.base_url together"
        ))),
        None => Ok(public),
    }
}

fn anthropic_llm(keys: &Keys, choice: &LlmChoice) -> Result<RemoteLlm, ProviderError> {
    let key = keys.anthropic.as_ref();
    let key = key.ok_or_else(|| missing_key_error("Anthropic", "ANTHROPIC_API_KEY"))?;
    let (own, public) = (keys.anthropic_url.as_ref(), "https://api.anthropic.com");
    let base = address(choice, own, "ANTHROPIC_BASE_URL", public)?;
    // Names as people usually write them.
    let model = match choice.model.as_deref() {
        None | Some("haiku") => "claude-haiku-4-5",
        Some("claude-3-haiku") => "claude-3-haiku-20240307",
        Some("sonnet") => "claude-sonnet-4-5",
        Some(other) => other,
    };
    let header = |key: &Secret| ("x-api-key", key.expose().to_owned());
    let endpoint = Endpoint::new("Anthropic", base, "/v1/messages", Some((key, header)));
    let endpoint = endpoint.map(|e| e.with_header("anthropic-version", "2023-06-01"));
    RemoteLlm::new(endpoint, Wire::Anthropic, "anthropic", model)
}

fn openai_llm(keys: &Keys, choice: &LlmChoice) -> Result<RemoteLlm, ProviderError> {
    let key = keys.openai.as_ref();
    let key = key.ok_or_else(|| missing_key_error("OpenAI", "OPENAI_API_KEY"))?;
    let (own, public) = (keys.openai_url.as_ref(), "https://api.openai.com/v1");
    let base = address(choice, own, "OPENAI_BASE_URL", public)?;
    let model = choice.model.as_deref().unwrap_or("gpt-4o-mini");
    let header = |key: &Secret| ("authorization", format!("Bearer {}", key.expose()));
    let endpoint = Endpoint::new("OpenAI", base, "/chat/completions", Some((key, header)));
    RemoteLlm::new(endpoint, Wire::OpenAi, "openai", model)
}

fn ollama_llm(keys: &Keys, choice: &LlmChoice) -> Result<RemoteLlm, ProviderError> {
    let base = choice.base_url.as_ref().or(keys.ollama.as_ref());
    let base = normalize_ollama_url(base.map(String::as_str));
    let model = choice.model.as_deref().unwrap_or("llama3.2");
    let endpoint = Endpoint::new("Ollama", &base, "/api/chat", None);
    RemoteLlm::new(endpoint, Wire::Ollama, "ollama", model)
}
