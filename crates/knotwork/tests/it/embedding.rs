//! `embedding` and search with a provider at the command line: built, kept, down, slow, refused, mixed up.

use crate::common::{json, knotwork, knotwork_with};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use testkit::http::{Reply, Request, Server};
use testkit::{CommandOutput, Repo};

const KEY: &str = "sk-0123456789abcdef";

/// Each function is a chunk of its own.
fn function(name: &str, word: &str) -> String {
    let body: String = (0..30)
        .map(|n| format!("    {word}_{n} = compute_{word}({n})\n"))
        .collect();
    format!("def {name}():\n{body}\n\n")
}

fn repo() -> Repo {
    let repo = Repo::new("//- .git/HEAD\nref\n");
    repo.write(
        "a.py",
        &(function("alpha", "apple") + &function("beta", "pear")),
    );
    repo.write("b.py", &function("gamma", "plum"));
    repo
}

/// Vectors of `width` values: texts with `plum` get one direction, all others another.
fn vectors(request: &Request, width: usize) -> Reply {
    let body: Value = serde_json::from_str(&request.body).unwrap();
    let texts: Vec<String> = serde_json::from_value(body["input"].clone()).unwrap();
    let row = |(index, text): (usize, &String)| {
        let mut vector = vec![0.0; width];
        vector[usize::from(!text.contains("plum") && !text.contains("fruit with a stone"))] = 1.0;
        json!({"object": "embedding", "index": index, "embedding": vector})
    };
    let rows: Vec<Value> = texts.iter().enumerate().map(row).collect();
    Reply::new(
        200,
        json!({"object": "list", "data": rows, "model": "m"}).to_string(),
    )
}

fn texts_of(server: &Server) -> usize {
    let count = |r: &Request| {
        let body: Value = serde_json::from_str(&r.body).unwrap();
        body["input"].as_array().map_or(0, Vec::len)
    };
    server.requests().iter().map(count).sum()
}

fn ask(repo: &Repo, url: &str, arguments: &[&str]) -> CommandOutput {
    let environment = [
        ("OPENAI_API_KEY", KEY),
        ("OPENAI_BASE_URL", url),
        ("KNOTWORK_EMBEDDING_PROVIDER", "openai"),
        ("KNOTWORK_EMBEDDING_MODEL", "m"),
        ("DEVBOOKS_DEBUG", "1"),
    ];
    let mut all = arguments.to_vec();
    all.extend(["--format", "json"]);
    let said = knotwork_with(repo, &environment, &all);
    assert!(!format!("{said:?}").contains("0123456789"), "{said:?}");
    said
}

fn answer(said: &CommandOutput) -> Value {
    assert_eq!(said.code, 0, "{said:?}");
    serde_json::from_str(&said.stdout).unwrap_or_else(|e| panic!("{e}: {said:?}"))
}

const FRUIT: [&str; 4] = ["search", "fruit with a stone", "--min-relevance", "0"];

#[test]
fn ac_001_build_writes_a_table_of_vectors() {
    let repo = repo();
    let built = json(&repo, &["embedding", "build"]);
    assert_eq!(built["provider"], "builtin");
    assert_eq!(built["dimensions"], 256);
    let table = std::fs::read_to_string(repo.file_path(".devbooks/embeddings/index.tsv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|l| l.split('\t').collect()).collect();
    assert_eq!(rows.len() as u64, built["chunks"].as_u64().unwrap());
    assert!(rows.iter().all(|row| row.len() == 4), "{table}");
    assert_eq!(rows[0][0], "a.py");
    assert!(rows[0][1].starts_with("a.py:1-"), "{:?}", rows[0][1]);
    assert_eq!(rows[0][2].len(), 8);
    // 256 floats of four bytes, four characters for three bytes.
    assert_eq!(rows[0][3].len(), 1368);
    let text =
        std::fs::read_to_string(repo.file_path(".devbooks/embeddings/metadata.json")).unwrap();
    let metadata: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(metadata["vectors"], rows.len());
    assert_eq!(metadata["dimensions"], 256);
    // Without a provider only the binary form is kept.
    let plain = self::repo();
    json(&plain, &["index"]);
    assert!(!plain.file_path(".devbooks/embeddings").exists());
    assert_eq!(json(&plain, &["embedding", "status"])["exists"], true);
}

#[test]
fn status_and_clear() {
    let repo = repo();
    assert_eq!(json(&repo, &["embedding", "status"])["exists"], false);
    json(&repo, &["embedding", "build", "--mock-embedding"]);
    let status = json(&repo, &["embedding", "status", "--mock-embedding"]);
    assert_eq!(status["model"], "mock-64");
    assert_eq!(status["missing"], 0);
    assert_eq!(status["written"].as_array().unwrap().len(), 2);
    let cleared = json(&repo, &["embedding", "clear"]);
    assert_eq!(cleared["removed"].as_array().unwrap().len(), 2);
    assert!(!repo.file_path(".devbooks/embeddings").exists());
    assert_eq!(json(&repo, &["embedding", "status"])["exists"], false);
}

#[test]
fn a_provider_is_asked_once_for_each_chunk() {
    let repo = repo();
    let server = Server::start(|request, _| vectors(request, 2));
    let url = server.url();
    let built = answer(&ask(&repo, &url, &["embedding", "build"]));
    assert_eq!(built["model"], "openai:m");
    assert_eq!(
        (&built["dimensions"], &built["missing"]),
        (&json!(2), &json!(0))
    );
    assert!(built.get("fallback").is_none());
    assert_eq!(built["asked"], texts_of(&server));
    let found = answer(&ask(&repo, &url, &FRUIT));
    assert_eq!(
        found["results"][0]["file_path"], "b.py",
        "by meaning alone: {found}"
    );
    assert!(found.get("fallback").is_none(), "{found}");
    let before = texts_of(&server);
    answer(&ask(&repo, &url, &["embedding", "build"]));
    assert_eq!(texts_of(&server), before, "nothing has changed");
    repo.write(
        "a.py",
        &(function("alpha", "apple") + &function("beta", "cherry")),
    );
    let again = answer(&ask(&repo, &url, &["index"]));
    assert_eq!(again["embedding"]["asked"], 1);
    assert_eq!(texts_of(&server), before + 1);
    let status = answer(&ask(&repo, &url, &["index", "status"]));
    assert_eq!(status["embedding"]["model"], "openai:m");
}

#[test]
fn graph_rag_starts_from_a_providers_vectors() {
    let repo = repo();
    let server = Server::start(|request, _| vectors(request, 2));
    let url = server.url();
    answer(&ask(&repo, &url, &["embedding", "build"]));
    let before = server.requests().len();
    let rag = ["graph-rag", "fruit with a stone", "--min-relevance", "0"];
    let found = answer(&ask(&repo, &url, &rag));
    assert_eq!(found["candidates"][0]["file_path"], "b.py", "{found}");
    assert_eq!(
        server.requests().len(),
        before + 1,
        "one query, one request"
    );
    assert_ne!(found["fallback"]["reason"], "provider_failed");
    let gone = Server::start(|_, _| Reply::new(500, "oops"));
    let rag = ["graph-rag", "compute plum"];
    let found = answer(&ask(&repo, &gone.url(), &rag));
    assert_eq!(found["fallback"]["reason"], "provider_failed", "{found}");
    assert_eq!(found["fallback"]["degraded_to"], "keyword");
    assert_eq!(found["candidates"][0]["file_path"], "b.py");
    // The answer of the failed attempt is not reused.
    let found = answer(&ask(&repo, &url, &rag));
    assert_ne!(found["fallback"]["reason"], "provider_failed", "{found}");
    let key = [("KNOTWORK_EMBEDDING_PROVIDER", "openai")];
    let said = knotwork_with(
        &repo,
        &key,
        &["graph-rag", "compute plum", "--format", "json"],
    );
    assert_eq!(answer(&said)["fallback"]["reason"], "no_api_key");
}

#[test]
fn another_model_is_asked_for_everything_again() {
    let repo = repo();
    let server = Server::start(|request, _| vectors(request, 2));
    let url = server.url();
    let first = answer(&ask(&repo, &url, &["embedding", "build"]));
    let arguments = ["embedding", "build", "--set", "embedding.model=other"];
    let second = answer(&ask(&repo, &url, &arguments));
    assert_eq!(second["model"], "openai:other");
    assert_eq!(second["asked"], first["asked"]);
    // The vectors of the built-in model are unchanged.
    assert_eq!(
        json(&repo, &["embedding", "status"])["model"],
        "code-static-256-int8/1"
    );
}

#[test]
fn a_missing_key_leaves_words_and_says_so() {
    let repo = repo();
    let environment = [("KNOTWORK_EMBEDDING_PROVIDER", "openai")];
    let said = knotwork_with(
        &repo,
        &environment,
        &["embedding", "build", "--format", "json"],
    );
    let built = answer(&said);
    assert_eq!(built["model"], "code-static-256-int8/1");
    assert!(
        built["fallback"]
            .as_str()
            .unwrap()
            .contains("OPENAI_API_KEY is not set")
    );
    assert!(said.stderr.contains("OPENAI_API_KEY"));
    let said = knotwork_with(
        &repo,
        &environment,
        &["search", "compute plum", "--format", "json"],
    );
    let found = answer(&said);
    assert_eq!(found["mode"], "keyword");
    assert!(
        found["fallback"]
            .as_str()
            .unwrap()
            .contains("OPENAI_API_KEY"),
        "{found}"
    );
    assert_eq!(found["results"][0]["file_path"], "b.py");
    let said = knotwork_with(&repo, &environment, &["search", "compute plum"]);
    assert!(said.stderr.contains("OPENAI_API_KEY"), "{said:?}");
    let strict = [
        ("KNOTWORK_EMBEDDING_PROVIDER", "openai"),
        ("KNOTWORK_EMBEDDING_FALLBACK_TO_KEYWORD", "false"),
    ];
    let said = knotwork_with(&repo, &strict, &["search", "plum"]);
    assert_eq!(said.code, 3, "{said:?}");
}

#[test]
fn a_key_alone_sends_nothing() {
    let repo = repo();
    let server = Server::start(|request, _| vectors(request, 1536));
    let url = server.url();
    let environment = [("OPENAI_API_KEY", KEY), ("OPENAI_BASE_URL", url.as_str())];
    let said = knotwork_with(&repo, &environment, &["search", "plum", "--format", "json"]);
    assert!(answer(&said).get("fallback").is_none());
    assert!(server.requests().is_empty());
    let auto = [
        "embedding",
        "build",
        "--provider",
        "auto",
        "--format",
        "json",
    ];
    let built = answer(&knotwork_with(&repo, &environment, &auto));
    assert_eq!(built["model"], "openai:text-embedding-3-small");
}

#[test]
fn a_provider_that_fails_leaves_what_there_is() {
    for (status, body, says) in [
        (
            401,
            "{\"error\":{\"message\":\"bad key sk-0123456789abcdef\"}}",
            "the key was refused",
        ),
        (
            400,
            "{\"error\":{\"message\":\"no such model\"}}",
            "no such model",
        ),
        (200, "{\"data\": [{\"index\"", "not JSON"),
        (200, "{\"data\": []}", "0 vectors for"),
    ] {
        let repo = repo();
        let server = Server::start(move |_, _| Reply::new(status, body));
        let built = answer(&ask(&repo, &server.url(), &["embedding", "build"]));
        assert!(
            built["fallback"].as_str().unwrap().contains(says),
            "{built}"
        );
        assert_eq!(built["model"], "code-static-256-int8/1");
        let found = answer(&ask(&repo, &server.url(), &["search", "compute plum"]));
        assert_eq!(found["results"][0]["file_path"], "b.py");
        assert_eq!(found["mode"], "hybrid", "the built-in model answers");
        let why = found["fallback"].as_str().unwrap();
        assert!(why.contains("knotwork embedding build"), "{why}");
    }
}

#[test]
fn a_provider_that_goes_away_leaves_words() {
    let repo = repo();
    let calls = Arc::new(AtomicUsize::new(0));
    let server = Server::start(|request, _| vectors(request, 2));
    answer(&ask(&repo, &server.url(), &["embedding", "build"]));
    let gone = Server::start(move |_, _| {
        calls.fetch_add(1, Ordering::Relaxed);
        Reply::new(500, "oops")
    });
    let found = answer(&ask(&repo, &gone.url(), &["search", "compute plum"]));
    assert_eq!(found["mode"], "keyword");
    assert!(
        found["fallback"]
            .as_str()
            .unwrap()
            .contains("words alone answered"),
        "{found}"
    );
    assert_eq!(found["results"][0]["file_path"], "b.py");
    // The provider returns vectors of another length than the stored ones.
    let wide = Server::start(|request, _| vectors(request, 5));
    let found = answer(&ask(&repo, &wide.url(), &["search", "compute plum"]));
    assert_eq!(found["mode"], "keyword");
    assert!(
        found["fallback"]
            .as_str()
            .unwrap()
            .contains("5 values instead of 2"),
        "{found}"
    );
    // A new file has no vectors yet, but its words are found.
    repo.write("c.py", &function("delta", "quince"));
    let found = answer(&ask(
        &repo,
        &gone.url(),
        &["search", "quince", "--mode", "keyword"],
    ));
    assert_eq!(found["results"][0]["file_path"], "c.py");
    let status = answer(&ask(&repo, &gone.url(), &["embedding", "status"]));
    assert_eq!(status["missing"], 1);
    let again = answer(&ask(&repo, &server.url(), &["index"]));
    assert_eq!(again["embedding"]["missing"], 0);
}

#[test]
fn the_mock_is_asked_by_questions_too() {
    let repo = repo();
    let found = json(&repo, &["search", "compute plum", "--mock-embedding"]);
    assert_eq!(found["mode"], "hybrid");
    assert!(found.get("fallback").is_none(), "{found}");
    let status = json(&repo, &["embedding", "status", "--mock-embedding"]);
    assert_eq!(status["model"], "mock-64");
    let _ = knotwork(&repo, &["embedding", "clear"]);
}
