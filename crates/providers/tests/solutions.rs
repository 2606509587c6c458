//! The solution memory with a model of a provider, on a server of this machine that speaks its format.

#![allow(clippy::unwrap_used)]

use providers::{Adapters, Keys, Secret, SolutionModels};
use serde_json::{Value, json};
use solution::{Memory, ModelChoice, Options, SaveRequest, SearchMode, SearchRequest};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use testkit::http::{Reply, Request, Server};

/// A vector with the counts of words about a connection, about a window, and about neither.
fn vector(text: &str) -> Value {
    let has = |word: &str| f64::from(u8::from(text.contains(word)));
    json!([has("connection"), has("window"), 0.1])
}

fn as_openai(request: &Request) -> Reply {
    let body: Value = serde_json::from_str(&request.body).unwrap();
    let texts: Vec<String> = serde_json::from_value(body["input"].clone()).unwrap();
    let row = |(at, text): (usize, &String)| json!({"object": "embedding", "index": at, "embedding": vector(text)});
    let rows: Vec<Value> = texts.iter().enumerate().map(row).collect();
    Reply::new(
        200,
        json!({"object": "list", "data": rows, "model": "small"}).to_string(),
    )
}

fn memory(folder: &Path, has_key: bool) -> Memory {
    let keys = Keys {
        openai: has_key.then(|| Secret::new("sk-test-0123456789abcdef")),
        ..Keys::default()
    };
    Memory::new(Options {
        models: Some(Arc::new(SolutionModels::new(Adapters::new(keys)))),
        ..Options::for_folder(folder)
    })
}

fn problem(title: &str) -> SaveRequest {
    SaveRequest {
        title: title.to_owned(),
        problem: format!("{title}, since the last release"),
        solution: "Start it again".to_owned(),
        ..SaveRequest::default()
    }
}

#[test]
fn a_provider_makes_the_vectors_and_may_go_away() {
    let is_away = Arc::new(AtomicBool::new(false));
    let away = is_away.clone();
    let server = Server::start(move |request, _| {
        if away.load(Ordering::SeqCst) {
            Reply::new(400, "{\"error\": {\"message\": \"no\"}}")
        } else {
            as_openai(request)
        }
    });
    let folder = tempfile::tempdir().unwrap();
    let memory = memory_of(&server, folder.path());
    memory.save(&problem("A connection that breaks")).unwrap();
    memory.save(&problem("A window that stays white")).unwrap();
    let ask = SearchRequest {
        search_mode: SearchMode::Semantic,
        ..SearchRequest::new("why is there no connection")
    };
    let found = memory.search(&ask).unwrap();
    assert_eq!((found.mode, &found.fallback), (SearchMode::Semantic, &None));
    assert_eq!(found.results[0].title, "A connection that breaks");
    assert!(found.results[0].semantic_score > 0.9, "{found:?}");
    assert_eq!(memory.stats().unwrap().dimension, 3);

    is_away.store(true, Ordering::SeqCst);
    // A new question: the vector of an earlier one is remembered.
    let other = SearchRequest {
        query: "connection gone".to_owned(),
        ..ask
    };
    let found = memory.search(&other).unwrap();
    assert!(found.fallback.unwrap().starts_with("keywords only"));
    assert_eq!(found.results[0].title, "A connection that breaks");
    let saved = memory.save(&problem("A window without a frame")).unwrap();
    assert!(
        saved.notes.iter().any(|n| n.contains("added later")),
        "{saved:?}"
    );
    assert_eq!(memory.stats().unwrap().pending, 1);

    is_away.store(false, Ordering::SeqCst);
    let done = memory.compute_missing_vectors(Duration::MAX).unwrap();
    assert_eq!((done.made, done.waiting), (1, 0));
}

fn memory_of(server: &Server, folder: &Path) -> Memory {
    let memory = memory(folder, true);
    let choice = ModelChoice {
        kind: "openai".to_owned(),
        name: Some("small".to_owned()),
        url: Some(server.url()),
        dimension: None,
    };
    memory.change_model(Some(&choice), Duration::MAX).unwrap();
    memory
}

#[test]
fn without_its_key_words_answer() {
    let server = Server::start(|request, _| as_openai(request));
    let folder = tempfile::tempdir().unwrap();
    let with = memory_of(&server, folder.path());
    with.save(&problem("A connection that breaks")).unwrap();
    let without = memory(folder.path(), false);
    let found = without.search(&SearchRequest::new("connection")).unwrap();
    assert_eq!(found.mode, SearchMode::Keyword);
    assert!(found.fallback.unwrap().contains("OPENAI_API_KEY"));
    // The vectors stay for users who have the provider.
    let found = with.search(&SearchRequest::new("connection")).unwrap();
    assert_eq!(found.mode, SearchMode::Hybrid);
}
