//! Embeddings from servers on this machine that speak the providers' formats, well and badly.

#![allow(clippy::unwrap_used)]

use engine::{EmbeddingChoice, EmbeddingProvider, ProviderError, Providers};
use providers::{Adapters, Keys, Secret};
use search::embed::{EmbedDoc, Embedder};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use testkit::http::{Reply, Request, Server};

const KEY: &str = "sk-test-0123456789abcdef";

fn keys() -> Keys {
    Keys {
        openai: Some(Secret::new(KEY)),
        azure: Some(Secret::new(KEY)),
        ..Keys::default()
    }
}

fn choice(provider: EmbeddingProvider, url: &str) -> EmbeddingChoice {
    EmbeddingChoice {
        provider,
        model: Some("small".to_owned()),
        base_url: Some(url.to_owned()),
        dimensions: Some(3),
        timeout: Some(Duration::from_millis(400)),
        batch: None,
    }
}

fn embedder(choice: &EmbeddingChoice) -> Arc<dyn Embedder> {
    Adapters::new(keys()).embedder(choice).unwrap().unwrap()
}

fn openai(server: &Server) -> Arc<dyn Embedder> {
    embedder(&choice(EmbeddingProvider::OpenAi, &server.url()))
}

fn doc(code: &str) -> EmbedDoc<'_> {
    EmbedDoc {
        code,
        names: "f",
        path: "a.py",
    }
}

fn texts(request: &Request) -> Vec<String> {
    let body: Value = serde_json::from_str(&request.body).unwrap();
    serde_json::from_value(body["input"].clone()).unwrap()
}

/// Answers like OpenAI, with the last text first and its `index`.
fn as_openai(request: &Request) -> Reply {
    let texts = texts(request);
    let rows: Vec<Value> = (0..texts.len())
        .rev()
        .map(|i| json!({"object": "embedding", "index": i, "embedding": [3.0, 0.0, i as f64]}))
        .collect();
    let answer = json!({
        "object": "list", "data": rows, "model": "small",
        "usage": {"prompt_tokens": 5, "total_tokens": 5}
    });
    Reply::new(200, answer.to_string())
}

#[test]
fn openai_is_asked_in_its_words() {
    let server = Server::start(|request, _| as_openai(request));
    let embedder = openai(&server);
    let vectors = embedder
        .embed_documents(&[doc("x = 1"), doc("y = 2")])
        .unwrap();
    assert_eq!(vectors.len(), 2);
    assert_eq!(vectors[0].values.as_ref(), [127, 0, 0]);
    assert!(vectors[1].values[2] > 0);
    assert_eq!(embedder.model(), "openai:small");
    assert_eq!(embedder.dimensions(), 3);
    let request = &server.requests()[0];
    assert_eq!(request.path, "/embeddings");
    assert_eq!(
        request.header("authorization"),
        Some(format!("Bearer {KEY}").as_str())
    );
    let body: Value = serde_json::from_str(&request.body).unwrap();
    assert_eq!(body["model"], "small");
    assert_eq!(body["encoding_format"], "float");
    assert_eq!(texts(request), ["a.py\nf\nx = 1\n", "a.py\nf\ny = 2\n"]);
    let query = embedder.embed_query("where").unwrap().unwrap();
    assert_eq!(query, [1.0, 0.0, 0.0]);
    assert_eq!(embedder.embed_query("where").unwrap(), Some(query));
    assert_eq!(server.requests().len(), 2, "the same query is asked once");
    assert_eq!(embedder.embed_query("  ").unwrap(), None);
}

#[test]
fn azure_is_asked_in_its_words() {
    let server = Server::start(|request, _| as_openai(request));
    let embedder = embedder(&choice(EmbeddingProvider::Azure, &server.url()));
    embedder.embed_documents(&[doc("x")]).unwrap();
    let request = &server.requests()[0];
    assert_eq!(
        request.path,
        "/openai/deployments/small/embeddings?api-version=2024-10-21"
    );
    assert_eq!(request.header("api-key"), Some(KEY));
    assert_eq!(request.header("authorization"), None);
    assert_eq!(embedder.model(), "azure:small");
}

#[test]
fn ollama_is_asked_in_its_words() {
    let server = Server::start(|request, _| {
        let rows: Vec<[f64; 3]> = texts(request).iter().map(|_| [0.0, 2.0, 0.0]).collect();
        let answer = json!({
            "model": "small", "embeddings": rows, "total_duration": 14143917,
            "load_duration": 1019500, "prompt_eval_count": 8
        });
        Reply::new(200, answer.to_string())
    });
    let embedder = embedder(&EmbeddingChoice {
        dimensions: None,
        ..choice(EmbeddingProvider::Ollama, &server.url())
    });
    assert_eq!(
        embedder.dimensions(),
        0,
        "not known before the first answer"
    );
    let vectors = embedder.embed_documents(&[doc("x")]).unwrap();
    assert_eq!(vectors[0].values.as_ref(), [0, 127, 0]);
    assert_eq!(embedder.dimensions(), 3);
    assert_eq!(server.requests()[0].path, "/api/embed");
    assert_eq!(server.requests()[0].header("authorization"), None);
}

#[test]
fn large_requests_are_split() {
    let server = Server::start(|request, _| as_openai(request));
    let embedder = openai(&server);
    let long = "word ".repeat(4_000);
    let many: Vec<EmbedDoc<'_>> = (0..300).map(|_| doc(&long)).collect();
    assert_eq!(embedder.embed_documents(&many).unwrap().len(), 300);
    let requests = server.requests();
    assert!(requests.len() >= 9, "{}", requests.len());
    assert!(requests.iter().all(|r| r.body.len() < 300_000));
    assert!(requests.iter().flat_map(texts).all(|t| t.len() <= 8_000));
}

/// The failure after one failing answer, and the number of requests.
fn failure(reply: Reply) -> (String, usize) {
    let server = Server::start(move |_, _| reply.clone());
    let error = openai(&server)
        .embed_documents(&[doc("x")])
        .unwrap_err()
        .to_string();
    assert!(!error.contains("0123456789"), "{error}");
    assert!(
        error.starts_with("embedding with openai:small: "),
        "{error}"
    );
    (error, server.requests().len())
}

#[test]
fn a_wrong_key_is_said_at_once_and_not_shown() {
    let body = json!({"error": {
        "message": format!("Incorrect API key provided: {KEY}."), "type": "invalid_request_error",
        "param": null, "code": "invalid_api_key"
    }});
    let (error, asked) = failure(Reply::new(401, body.to_string()));
    assert!(
        error.contains("the key was refused (status 401)"),
        "{error}"
    );
    assert_eq!(asked, 1);
    let quota = json!({"error": {
        "message": "You exceeded your current quota", "type": "insufficient_quota", "code": "insufficient_quota"
    }});
    let (error, asked) = failure(Reply::new(429, quota.to_string()));
    assert!(error.contains("insufficient_quota"), "{error}");
    assert_eq!(asked, 1, "more tries cannot help");
}

#[test]
fn answers_that_are_not_what_was_asked_for_are_refused() {
    let data = |rows: Value| json!({"object": "list", "data": rows}).to_string();
    let wrong = data(json!([{"index": 0, "embedding": [1.0, 2.0, 3.0, 4.0]}]));
    let (error, asked) = failure(Reply::new(200, wrong));
    assert!(error.contains("4 values instead of 3"), "{error}");
    assert_eq!(asked, 1);
    let two =
        data(json!([{"index": 0, "embedding": [1, 2, 3]}, {"index": 1, "embedding": [1, 2, 3]}]));
    assert!(
        failure(Reply::new(200, two))
            .0
            .contains("2 vectors for 1 texts")
    );
    let (error, _) = failure(Reply::new(200, "{\"data\": [{\"index\": 0, \"embe"));
    assert!(error.contains("not JSON"), "{error}");
    let objects = format!("[{}0]", r#"{"":0},"#.repeat(400_000));
    let (error, _) = failure(Reply::new(200, objects));
    assert!(error.contains("more values than were asked for"), "{error}");
    let (error, _) = failure(Reply::new(400, "{\"error\":{\"message\":\"too long\"}}"));
    assert!(error.contains("status 400: too long"), "{error}");
    let (error, _) = failure(Reply::new(302, "").with_header("location", "http://127.0.0.1:1/"));
    assert!(
        error.contains("status 302"),
        "redirects are not followed: {error}"
    );
}

#[test]
fn a_vector_wider_than_any_models_is_refused() {
    let server = Server::start(|_, _| {
        let row = vec![1; 20_000];
        Reply::new(200, json!({ "embeddings": [row] }).to_string())
    });
    let embedder = embedder(&EmbeddingChoice {
        dimensions: None,
        ..choice(EmbeddingProvider::Ollama, &server.url())
    });
    let error = embedder.embed_documents(&[doc("x")]).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("a vector of 20000 values"), "{error}");
    assert_eq!(embedder.dimensions(), 0);
}

#[test]
fn an_answer_that_breaks_off_is_tried_again() {
    let server = Server::start(|request, before| Reply {
        cut: (before == 0).then_some(10),
        ..as_openai(request)
    });
    assert_eq!(
        openai(&server).embed_documents(&[doc("x")]).unwrap().len(),
        1
    );
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn a_provider_that_asks_for_patience_gets_it() {
    let server = Server::start(|request, before| match before {
        0 => Reply::new(429, "{}").with_header("retry-after", "1"),
        1 => Reply::new(500, "oops"),
        _ => as_openai(request),
    });
    let since = Instant::now();
    assert_eq!(
        openai(&server).embed_documents(&[doc("x")]).unwrap().len(),
        1
    );
    assert!(since.elapsed() >= Duration::from_secs(2));
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn patience_ends_with_the_deadline() {
    let server = Server::start(|_, _| Reply::new(429, "{}").with_header("retry-after", "30"));
    let since = Instant::now();
    let deadline = Some(since + Duration::from_secs(2));
    let failed = openai(&server).embed_documents_by_deadline(&[doc("x")], deadline);
    assert!(
        failed
            .unwrap_err()
            .to_string()
            .contains("too many requests")
    );
    assert!(since.elapsed() < Duration::from_secs(2));
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn the_patience_of_a_request_has_one_bound() {
    let server = Server::start(|_, before| {
        let seconds = if before == 0 { "1" } else { "60" };
        Reply::new(429, "{}").with_header("retry-after", seconds)
    });
    let embedder = openai(&server);
    let error = embedder.embed_documents(&[doc("x")]).unwrap_err();
    let error = error.to_string();
    assert!(error.contains("asks for 61 s of patience"), "{error}");
    assert_eq!(server.requests().len(), 2);
    // A caller that waits for an answer does not send another request at once.
    let deadline = Some(Instant::now() + Duration::from_secs(2));
    let again = embedder.embed_documents_by_deadline(&[doc("x")], deadline);
    assert!(
        again
            .unwrap_err()
            .to_string()
            .contains("will be retried later")
    );
    assert_eq!(server.requests().len(), 2);
}

#[test]
fn slow_and_absent_providers_hold_nobody_up() {
    let slow = Server::start(|request, _| Reply {
        delay: Duration::from_secs(5),
        ..as_openai(request)
    });
    let since = Instant::now();
    let embedder_of_slow = openai(&slow);
    let error = embedder_of_slow.embed_query("x").unwrap_err().to_string();
    assert!(error.contains("no answer in time"), "{error}");
    let again = embedder_of_slow.embed_query("x").unwrap_err().to_string();
    assert!(again.contains("will be retried later"), "{again}");
    assert_eq!(slow.requests().len(), 1);
    // A port that was released: nobody listens there.
    let gone = Server::start(|request, _| as_openai(request)).url();
    let error = embedder(&choice(EmbeddingProvider::OpenAi, &gone)).embed_query("x");
    assert!(error.is_err());
    assert!(since.elapsed() < Duration::from_secs(4));
}

#[test]
fn auto_takes_what_is_configured_in_order() {
    let of = |keys: &Keys| {
        let auto = EmbeddingChoice {
            provider: EmbeddingProvider::Auto,
            ..EmbeddingChoice::default()
        };
        let made = Adapters::new(keys.clone()).embedder(&auto).unwrap();
        made.map(|e| e.model().to_owned())
    };
    let mut all = Keys {
        azure_endpoint: Some("https://x.example".to_owned()),
        azure_deployment: Some("d".to_owned()),
        ollama: Some("127.0.0.1".to_owned()),
        ..keys()
    };
    assert_eq!(of(&all).as_deref(), Some("openai:text-embedding-3-small"));
    all.openai = None;
    assert_eq!(of(&all).as_deref(), Some("azure:d"));
    all.azure = None;
    assert_eq!(of(&all).as_deref(), Some("ollama:nomic-embed-text"));
    all.ollama = None;
    assert_eq!(of(&all), None, "the built-in model");
}

#[test]
fn a_missing_key_names_its_variable() {
    let made =
        Adapters::default().embedder(&choice(EmbeddingProvider::OpenAi, "https://x.example"));
    let missing = ProviderError::KeyMissing {
        provider: "OpenAI".to_owned(),
        variable: "OPENAI_API_KEY".to_owned(),
    };
    assert_eq!(made.err(), Some(missing));
}

#[test]
fn keys_stand_in_no_debug_text() {
    let adapters = Adapters::new(keys());
    let text = format!("{adapters:?} {:?}", keys());
    assert!(
        text.contains("redacted") && !text.contains("0123456789"),
        "{text}"
    );
}

#[test]
fn a_server_without_tls_behind_https_is_a_failure_not_a_panic() {
    let server = Server::start(|request, _| as_openai(request));
    let https = server.url().replace("http://", "https://");
    let error = embedder(&choice(EmbeddingProvider::OpenAi, &https)).embed_query("x");
    assert!(error.is_err());
    assert!(
        server.requests().iter().all(|r| r.headers.is_empty()),
        "nothing readable was sent"
    );
}
