//! Language models from servers on this machine that speak the providers' formats, well and badly.

#![allow(clippy::unwrap_used)]

use engine::{Llm, LlmChoice, LlmError, LlmProvider, ProviderError, Providers};
use providers::{Adapters, Keys, MockLlm, Secret};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use testkit::http::{Reply, Server};

const KEY: &str = "sk-ant-0123456789abcdef";

fn keys() -> Keys {
    Keys {
        openai: Some(Secret::new(KEY)),
        anthropic: Some(Secret::new(KEY)),
        ..Keys::default()
    }
}

fn llm(provider: LlmProvider, server: &Server) -> Arc<dyn Llm> {
    let choice = LlmChoice {
        provider,
        base_url: Some(server.url()),
        ..LlmChoice::default()
    };
    Adapters::new(keys()).llm(&choice).unwrap()
}

fn in_time() -> Instant {
    Instant::now() + Duration::from_millis(500)
}

#[test]
fn anthropic_is_asked_in_its_words() {
    let server = Server::start(|_, _| {
        let answer = json!({
            "id": "msg_01", "type": "message", "role": "assistant", "model": "claude-haiku-4-5",
            "content": [{"type": "text", "text": "[]"}], "stop_reason": "end_turn",
            "stop_sequence": null, "usage": {"input_tokens": 9, "output_tokens": 2}
        });
        Reply::new(200, answer.to_string())
    });
    let llm = llm(LlmProvider::Anthropic, &server);
    assert_eq!(llm.complete("rank", in_time()), Ok("[]".to_owned()));
    assert_eq!(llm.model(), "anthropic:claude-haiku-4-5");
    let request = &server.requests()[0];
    assert_eq!(request.path, "/v1/messages");
    assert_eq!(request.header("x-api-key"), Some(KEY));
    assert_eq!(request.header("anthropic-version"), Some("2023-06-01"));
    let body: Value = serde_json::from_str(&request.body).unwrap();
    assert_eq!(
        body["messages"],
        json!([{"role": "user", "content": "rank"}])
    );
    assert_eq!(body["max_tokens"], 1024);
}

#[test]
fn openai_is_asked_in_its_words() {
    let server = Server::start(|_, _| {
        let answer = json!({
            "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "gpt-4o-mini",
            "choices": [{"index": 0, "finish_reason": "stop", "logprobs": null,
                "message": {"role": "assistant", "content": "ok", "refusal": null}}],
            "usage": {"prompt_tokens": 9, "completion_tokens": 1, "total_tokens": 10}
        });
        Reply::new(200, answer.to_string())
    });
    let llm = llm(LlmProvider::OpenAi, &server);
    assert_eq!(llm.complete("rank", in_time()), Ok("ok".to_owned()));
    let request = &server.requests()[0];
    assert_eq!(request.path, "/chat/completions");
    assert_eq!(
        request.header("authorization"),
        Some(format!("Bearer {KEY}").as_str())
    );
}

#[test]
fn ollama_is_asked_in_its_words() {
    let server = Server::start(|_, _| {
        let answer = json!({
            "model": "llama3.2", "created_at": "2024-01-01T00:00:00Z", "done": true, "done_reason": "stop",
            "message": {"role": "assistant", "content": "ok"}, "total_duration": 1
        });
        Reply::new(200, answer.to_string())
    });
    let llm = llm(LlmProvider::Ollama, &server);
    assert_eq!(llm.complete("rank", in_time()), Ok("ok".to_owned()));
    let body: Value = serde_json::from_str(&server.requests()[0].body).unwrap();
    assert_eq!(body["stream"], false);
    assert_eq!(server.requests()[0].path, "/api/chat");
}

fn failure(reply: Reply) -> LlmError {
    let server = Server::start(move |_, _| reply.clone());
    let llm = llm(LlmProvider::Anthropic, &server);
    let error = llm.complete("rank", in_time()).unwrap_err();
    assert!(!format!("{error} {error:?}").contains("0123456789"));
    assert_eq!(server.requests().len(), 1, "whoever asks decides on tries");
    error
}

#[test]
fn failures_have_kinds() {
    let error = |kind: &str, message: &str| {
        json!({"type": "error", "error": {"type": kind, "message": message}}).to_string()
    };
    let wrong = error("authentication_error", &format!("invalid x-api-key {KEY}"));
    assert!(matches!(failure(Reply::new(401, wrong)), LlmError::Auth(_)));
    let busy =
        Reply::new(429, error("rate_limit_error", "slow down")).with_header("retry-after", "7");
    let wait = Some(Duration::from_secs(7));
    assert_eq!(failure(busy), LlmError::RateLimited { retry_after: wait });
    for status in [500, 529] {
        let overloaded = Reply::new(status, error("overloaded_error", "Overloaded"));
        assert!(matches!(failure(overloaded), LlmError::Network(t) if t.contains("Overloaded")));
    }
    let unknown = Reply::new(404, error("not_found_error", "model: x"));
    assert!(matches!(failure(unknown), LlmError::Invalid(t) if t.contains("model: x")));
    for broken in ["{\"content\": [", "{}", "[]", "{\"content\": []}", ""] {
        assert!(
            matches!(failure(Reply::new(200, broken)), LlmError::Invalid(_)),
            "{broken}"
        );
    }
    let slow = Reply {
        delay: Duration::from_secs(3),
        ..Reply::new(200, "{}")
    };
    assert_eq!(failure(slow), LlmError::Timeout);
}

#[test]
fn nobody_listens() {
    let gone = Server::start(|_, _| Reply::new(200, "{}"));
    let llm = llm(LlmProvider::Ollama, &gone);
    drop(gone);
    std::thread::sleep(Duration::from_millis(50));
    let error = llm.complete("rank", in_time()).unwrap_err();
    assert!(
        error.is_transient() || error == LlmError::Timeout,
        "{error:?}"
    );
}

#[test]
fn a_missing_key_names_its_variable() {
    for (provider, variable) in [
        (LlmProvider::Anthropic, "ANTHROPIC_API_KEY"),
        (LlmProvider::OpenAi, "OPENAI_API_KEY"),
    ] {
        let choice = LlmChoice {
            provider,
            ..LlmChoice::default()
        };
        match Adapters::default().llm(&choice).err() {
            Some(ProviderError::KeyMissing { variable: v, .. }) => assert_eq!(v, variable),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn the_seams_answer_wait_and_fail() {
    let mock = |delay, failures| {
        let keys = Keys {
            mock: MockLlm {
                response: Some("said".to_owned()),
                delay: Duration::from_millis(delay),
                failures,
            },
            ..Keys::default()
        };
        Adapters::new(keys).llm(&LlmChoice::default()).unwrap()
    };
    assert_eq!(mock(0, 0).complete("x", in_time()), Ok("said".to_owned()));
    let failing = mock(0, 1);
    assert!(failing.complete("x", in_time()).unwrap_err().is_transient());
    assert!(failing.complete("x", in_time()).is_ok());
    assert_eq!(
        mock(5_000, 0).complete("x", in_time()),
        Err(LlmError::Timeout)
    );
    let explicit = LlmChoice {
        mock: Some("explicit".to_owned()),
        ..LlmChoice::default()
    };
    let llm = Adapters::default().llm(&explicit).unwrap();
    assert_eq!(llm.complete("x", in_time()), Ok("explicit".to_owned()));
}

#[test]
fn no_public_address_is_asked_unless_it_is_chosen() {
    let choice = |provider| LlmChoice {
        provider,
        given_address_only: true,
        ..LlmChoice::default()
    };
    for (provider, variable) in [
        (LlmProvider::Anthropic, "ANTHROPIC_BASE_URL"),
        (LlmProvider::OpenAi, "OPENAI_BASE_URL"),
    ] {
        let refused = Adapters::new(keys()).llm(&choice(provider)).err().unwrap();
        assert!(refused.to_string().contains(variable), "{refused}");
    }
    // A server on this machine is not a public one, and the user chose an address.
    let own = Keys {
        openai_url: Some("http://127.0.0.1:9".to_owned()),
        ..keys()
    };
    assert!(Adapters::new(own).llm(&choice(LlmProvider::OpenAi)).is_ok());
    assert!(
        Adapters::new(keys())
            .llm(&choice(LlmProvider::Ollama))
            .is_ok()
    );
}
