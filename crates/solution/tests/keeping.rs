//! Tests of storing, cleaning, updating, deleting and exporting; of refusals; of damaged and foreign stores.

#![allow(clippy::unwrap_used)]

use rusqlite::Connection;
use solution::{
    EmbedError, Embedder, GetRequest, Kind, ListTagsRequest, Memory, ModelChoice, Options,
    SaveRequest, SearchMode, SearchRequest, UpdateRequest,
};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

fn memory(folder: &Path) -> Memory {
    Memory::new(Options::for_folder(folder))
}

fn request(title: &str) -> SaveRequest {
    SaveRequest {
        title: title.to_owned(),
        problem: format!("{title}, since the last release"),
        solution: format!("What fixed {title}"),
        ..SaveRequest::default()
    }
}

fn get(memory: &Memory, id: &str) -> solution::Solution {
    memory.get(&GetRequest { id: id.to_owned() }).unwrap()
}

#[test]
fn the_same_problem_is_updated_and_its_past_kept() {
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(folder.path());
    let first = memory.save(&request("Build fails on Windows")).unwrap();
    let again = memory.save(&request("Build fails on   WINDOWS")).unwrap();
    assert_eq!(again.id, first.id);
    let same = memory.save(&request("Build fails on   WINDOWS")).unwrap();
    assert_eq!(same.id, first.id);
    assert!(same.message.contains("nothing changed"), "{same:?}");
    let mut other = request("Build fails on WINDOWS");
    other.solution = "Use short paths".to_owned();
    let updated = memory.save(&other).unwrap();
    assert_eq!(updated.id, first.id);
    assert!(updated.message.contains("updated"));
    assert_eq!(get(&memory, &first.id).solution, "Use short paths");
    let history = memory.history(&first.id).unwrap();
    assert_eq!(history.len(), 2);
    assert_eq!(
        history[0].solution.solution,
        "What fixed Build fails on Windows"
    );
    assert_eq!(memory.stats().unwrap().solutions, 1);
    // The words of the old text are gone from the index.
    let keyword = SearchRequest {
        search_mode: SearchMode::Keyword,
        ..SearchRequest::new("short paths")
    };
    assert_eq!(memory.search(&keyword).unwrap().results[0].id, first.id);
}

#[test]
fn similar_problems_are_offered() {
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(folder.path());
    let save = |title: &str, problem: &str| {
        let problem = problem.to_owned();
        memory
            .save(&SaveRequest {
                problem,
                ..request(title)
            })
            .unwrap()
    };
    let first = save(
        "Redis refuses connections",
        "The app cannot connect to Redis on port 6379",
    );
    let second = save(
        "Redis refuses connection",
        "The app can not connect to Redis at port 6379",
    );
    assert_eq!(second.similar[0].id, first.id);
    assert!(second.message.contains("update="), "{second:?}");
    let other = save(
        "Font looks wrong",
        "The button shows another font in Safari",
    );
    assert!(other.similar.is_empty());
    let merged = memory
        .save(&SaveRequest {
            update: Some(first.id.clone()),
            ..request("Redis refuses")
        })
        .unwrap();
    assert_eq!(merged.id, first.id);
    assert_eq!(memory.history(&first.id).unwrap().len(), 1);
}

#[test]
fn what_is_private_is_never_stored() {
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(folder.path());
    let key = format!("ghp_{}", "a8Fk2LmQ9zXc4VbN7sDf1GhJ5kPq3RtY6uWe");
    let saved = memory
        .save(&SaveRequest {
            problem: format!("Push fails with {key} <private>customer Meier</private>"),
            solution: "Set postgres://app:h0rse-b4t@db/x\0".to_owned(),
            error_messages: vec![format!("remote: {key} refused")],
            root_cause: Some("<private>all of it</private>".to_owned()),
            tags: vec!["git".to_owned(), "<private>meier</private>".to_owned()],
            ..request("Push fails")
        })
        .unwrap();
    let notes = saved.notes.join("; ");
    assert!(
        notes.contains("private block") && notes.contains("GitHub token × 2"),
        "{notes}"
    );
    let whole = get(&memory, &saved.id);
    assert_eq!(whole.problem, "Push fails with [redacted: GitHub token]");
    assert_eq!(whole.root_cause, None);
    assert_eq!(whole.tags, ["git"]);
    drop(memory);
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        for secret in ["Meier", "meier", "h0rse", &key[4..]] {
            assert!(
                !bytes.windows(secret.len()).any(|w| w == secret.as_bytes()),
                "{secret}"
            );
        }
    }
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_read() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("deep/solutions");
    let memory = memory(&inner);
    memory.save(&request("x")).unwrap();
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&inner), 0o700);
    for entry in std::fs::read_dir(&inner).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(mode(&path), 0o600, "{}", path.display());
    }
}

#[test]
fn wrong_fields_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(folder.path());
    let good = request("x");
    let wrong = [
        (
            SaveRequest {
                title: "  ".to_owned(),
                ..good.clone()
            },
            "title is empty",
        ),
        (
            SaveRequest {
                problem: "<private>x</private>".to_owned(),
                ..good.clone()
            },
            "problem is empty",
        ),
        (
            SaveRequest {
                solution: "\0".to_owned(),
                ..good.clone()
            },
            "solution is empty",
        ),
        (
            SaveRequest {
                title: "x".repeat(501),
                ..good.clone()
            },
            "title is too long",
        ),
        (
            SaveRequest {
                problem: "x ".repeat(600_000),
                ..good.clone()
            },
            "problem is too long",
        ),
        (
            SaveRequest {
                solution: "x ".repeat(9_000_000),
                ..good.clone()
            },
            "solution is too long",
        ),
        (
            SaveRequest {
                tags: vec!["x".repeat(101)],
                ..good.clone()
            },
            "tags is too long",
        ),
        (
            SaveRequest {
                error_messages: vec!["e".to_owned(); 101],
                ..good.clone()
            },
            "error_messages",
        ),
        (
            SaveRequest {
                update: Some("nobody".to_owned()),
                ..good.clone()
            },
            "no solution has the id nobody",
        ),
    ];
    for (request, message) in wrong {
        let error = memory.save(&request).unwrap_err();
        assert_eq!(error.kind, Kind::BadArguments);
        assert!(error.message.contains(message), "{}", error.message);
    }
    for request in [
        SearchRequest::new(" "),
        SearchRequest {
            limit: 0,
            ..SearchRequest::new("x")
        },
        SearchRequest {
            limit: 1_000,
            ..SearchRequest::new("x")
        },
        SearchRequest {
            alpha: 1.5,
            ..SearchRequest::new("x")
        },
        SearchRequest {
            alpha: f64::NAN,
            ..SearchRequest::new("x")
        },
    ] {
        assert_eq!(
            memory.search(&request).unwrap_err().kind,
            Kind::BadArguments
        );
    }
    for id in [
        "",
        "nobody",
        "' OR 1=1 --",
        "00000000-0000-4000-8000-000000000000",
    ] {
        let error = memory.get(&GetRequest { id: id.to_owned() }).unwrap_err();
        assert_eq!(error.kind, Kind::BadArguments);
        assert!(memory.history(id).is_err() && memory.delete(id, false).is_err());
    }
    assert_eq!(memory.stats().unwrap().solutions, 0);
}

#[test]
fn odd_texts_are_kept_and_searched() {
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(folder.path());
    let emoji = memory.save(&request("Build 🚀🔥 fails 👩‍👩‍👧")).unwrap();
    assert!(get(&memory, &emoji.id).title.contains("👩‍👩‍👧"));
    let mut big = request("Huge answer");
    big.solution = "line of a long log 连接超时\n".repeat(350_000);
    assert!(big.solution.len() > 10 << 20);
    let big = memory.save(&big).unwrap();
    assert!(get(&memory, &big.id).solution.len() > 10 << 20);
    for query in [
        "\"",
        "AND OR NOT",
        "title:x",
        "a* NEAR(b c)",
        "-x",
        "^x",
        "(",
        "\"unclosed",
        "x\0y",
        "🚀",
        "{}",
        "col : x",
        "'; DROP TABLE solutions; --",
        "%",
        "*",
        "\u{202e}abc",
    ] {
        let answer = memory.search(&SearchRequest::new(query));
        assert!(answer.is_ok(), "{query}: {answer:?}");
    }
    let long = SearchRequest::new("timeout ".repeat(100_000));
    assert!(memory.search(&long).is_ok());
    assert_eq!(memory.stats().unwrap().solutions, 2);
}

#[test]
fn both_halves_find_chinese_japanese_and_korean() {
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(folder.path());
    let save = |title: &str| memory.save(&request(title)).unwrap().id;
    let ids = [
        save("前端请求跨域被浏览器拦截"),
        save("日本語のファイル名が文字化けする"),
        save("컨테이너 메모리 부족으로 재시작"),
        save("Disk is full after log rotation"),
    ];
    for (query, at) in [
        ("跨域问题", 0),
        ("浏览器拦截请求", 0),
        ("文字化け", 1),
        ("메모리 부족", 2),
    ] {
        for mode in [
            SearchMode::Keyword,
            SearchMode::Semantic,
            SearchMode::Hybrid,
        ] {
            let request = SearchRequest {
                search_mode: mode,
                ..SearchRequest::new(query)
            };
            let answer = memory.search(&request).unwrap();
            assert_eq!(
                answer.results[0].id, ids[at],
                "{query} {mode:?}: {answer:#?}"
            );
        }
    }
}

#[test]
fn deleted_solutions_stay_in_their_history_until_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(folder.path());
    let id = memory.save(&request("Cache is stale")).unwrap().id;
    memory.delete(&id, false).unwrap();
    assert!(
        memory
            .search(&SearchRequest::new("cache is stale"))
            .unwrap()
            .results
            .is_empty()
    );
    assert_eq!(memory.history(&id).unwrap()[0].why, "delete");
    assert!(
        memory
            .list_tags(&ListTagsRequest::default())
            .unwrap()
            .tags
            .is_empty()
    );
    memory.delete(&id, true).unwrap();
    assert!(memory.history(&id).is_err());
}

#[test]
fn exports_are_imported_elsewhere_once() {
    let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (one, two) = (memory(from.path()), memory(to.path()));
    let mut save = request("TLS fails");
    save.error_messages = vec!["CERTIFICATE_VERIFY_FAILED".to_owned()];
    let id = one.save(&save).unwrap().id;
    one.save(&request("第二个问题")).unwrap();
    let mut lines = Vec::new();
    assert_eq!(one.export(&mut lines).unwrap().exported, 2);
    let mut text = String::from_utf8(lines).unwrap();
    text.push_str("no JSON\n{\"title\":\"x\"}\n\n");
    // A line without an end takes bounded memory, and the lines after it are read.
    let mut long = "x".repeat(152 << 20);
    long.push('\n');
    long.push_str(&text);
    text = long;
    let done = two.import(&mut text.as_bytes()).unwrap();
    assert_eq!(
        (done.imported, done.known, done.refused.len()),
        (2, 0, 3),
        "{:?}",
        done.refused
    );
    assert_eq!(done.refused[0], "line 1: longer than 151 MB");
    assert_eq!(get(&two, &id), get(&one, &id));
    let again = two.import(&mut text.as_bytes()).unwrap();
    assert_eq!((again.imported, again.known), (0, 2));
    let found = two
        .search(&SearchRequest::new("certificate verify failed"))
        .unwrap();
    assert_eq!(found.results[0].id, id);
    assert!(found.results[0].semantic_score > 0.3);
}

#[test]
fn of_a_series_of_exports_the_newest_stays() {
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(folder.path());
    let line = |solution: &str, time: &str| {
        let line = serde_json::json!({
            "id": "one", "title": "The build fails", "problem": "The build fails", "solution": solution,
            "error_messages": [], "tags": [], "project_name": "", "created_at": "2020-01-01 00:00:00",
            "updated_at": time,
        });
        let done = memory.import(&mut line.to_string().as_bytes()).unwrap();
        (done.imported, done.updated, done.known)
    };
    assert_eq!(line("first", "2020-01-01 00:00:00"), (1, 0, 0));
    assert_eq!(line("second", "2020-01-02T00:00:00Z"), (0, 1, 0));
    assert_eq!(line("third", "2020-01-03 00:00:00"), (0, 1, 0));
    assert_eq!(line("second", "2020-01-02 00:00:00"), (0, 0, 1));
    let kept = get(&memory, "one");
    assert_eq!(
        (&*kept.solution, &*kept.updated_at),
        ("third", "2020-01-03 00:00:00")
    );
}

#[test]
fn an_import_keeps_solutions_apart_that_are_about_one_problem() {
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(folder.path());
    let line = |id: &str, day: u32| {
        serde_json::json!({
            "id": id, "title": "The build fails", "problem": "The build fails", "solution": id,
            "error_messages": [], "tags": [], "project_name": "", "created_at": "2020-01-01 00:00:00",
            "updated_at": format!("2020-01-0{day} 00:00:00"),
        })
        .to_string()
    };
    let lines = [line("a", 2), line("b", 3), line("c", 1)].join("\n");
    for expected in [(3, 0, 0), (0, 0, 3)] {
        let done = memory.import(&mut lines.as_bytes()).unwrap();
        assert_eq!((done.imported, done.updated, done.known), expected);
    }
    for id in ["a", "b", "c"] {
        assert_eq!(get(&memory, id).solution, id);
    }
}

#[test]
fn a_provider_that_somebody_elses_store_names_is_not_asked() {
    let folder = tempfile::tempdir().unwrap();
    let memory = choosing(folder.path(), true);
    memory.save(&request("Timeout of the proxy")).unwrap();
    memory
        .change_model(Some(&named("works")), Duration::MAX)
        .unwrap();
    let other = Connection::open(folder.path().join("solutions.db")).unwrap();
    let change = "UPDATE solution_meta SET value = '{\"kind\":\"works\",\"url\":\"http://127.0.0.1:9\"}' \
                  WHERE key = 'model_choice'";
    assert_eq!(other.execute(change, []).unwrap(), 1);
    let answer = choosing(folder.path(), true)
        .search(&SearchRequest::new("proxy timeout"))
        .unwrap();
    let why = answer.fallback.unwrap();
    assert!(
        why.contains("works at http://127.0.0.1:9 is ignored") && why.contains("did not choose it"),
        "{why}"
    );
    assert_eq!(answer.results.len(), 1);
}

#[test]
fn what_is_forgotten_leaves_the_log_too() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (memory(folder.path()), memory(folder.path()));
    let id = one.save(&request("The zebracorn fails")).unwrap().id;
    other.search(&SearchRequest::new("zebracorn")).unwrap();
    one.delete(&id, true).unwrap();
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let path = file.unwrap().path();
        let bytes = std::fs::read(&path).unwrap_or_default();
        let holds = bytes
            .windows(9)
            .any(|w| w.eq_ignore_ascii_case(b"zebracorn"));
        assert!(!holds, "{}", path.display());
    }
    drop(other);
}

#[test]
fn a_record_that_the_store_refuses_takes_no_other_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(folder.path());
    memory.save(&request("x fails")).unwrap();
    let other = Connection::open(folder.path().join("solutions.db")).unwrap();
    let refuse = "CREATE TRIGGER refuse AFTER INSERT ON solutions WHEN new.title = 'number 7' \
                  BEGIN SELECT RAISE(ABORT, 'not this one'); END";
    other.execute_batch(refuse).unwrap();
    let line = |n: usize| {
        format!(
            "{{\"title\": \"number {n}\", \"problem\": \"number {n} fails\", \"solution\": \"y\", \"id\": \"\", \
             \"error_messages\": [], \"tags\": [], \"project_name\": \"\", \"created_at\": \"\", \"updated_at\": \"\"}}"
        )
    };
    let lines: String = (0..450).map(|n| format!("{}\n", line(n % 400))).collect();
    let done = memory.import(&mut lines.as_bytes()).unwrap();
    assert_eq!((done.imported, done.updated, done.known), (399, 0, 49));
    assert_eq!(done.refused.len(), 2, "{:?}", done.refused);
    assert!(done.refused[0].starts_with("line 8: ") && done.refused[0].contains("not this one"));
    assert!(
        done.refused[1].starts_with("line 408: "),
        "{:?}",
        done.refused
    );
}

#[test]
fn uses_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(folder.path());
    let id = memory.save(&request("x fails")).unwrap().id;
    get(&memory, &id);
    get(&memory, &id);
    let stats = memory.stats().unwrap();
    assert_eq!(stats.most_used[0].opened, 2);
    assert_eq!((stats.dimension, stats.backend.as_str()), (384, "embedded"));
    assert!(stats.model.starts_with("all-MiniLM-L6-v2"));
}

/// A model of three dimensions, or one that fails.
struct Other(bool);

impl Embedder for Other {
    fn model_name(&self) -> &str {
        "other"
    }
    fn dimension(&self) -> usize {
        3
    }
    fn embed(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        if self.0 {
            Ok(texts
                .iter()
                .map(|t| vec![t.len() as f32, 1.0, 0.0])
                .collect())
        } else {
            Err(EmbedError::provider(std::io::Error::other(
                "the provider is away",
            )))
        }
    }
}

#[test]
fn models_are_never_mixed() {
    let folder = tempfile::tempdir().unwrap();
    let id = memory(folder.path())
        .save(&request("Timeout of the proxy"))
        .unwrap()
        .id;
    let with = |works: bool| {
        Memory::new(Options {
            embedder: Arc::new(Other(works)),
            ..Options::for_folder(folder.path())
        })
    };
    let away = with(false)
        .search(&SearchRequest::new("proxy timeout"))
        .unwrap();
    assert_eq!(
        (away.mode, away.results[0].id.as_str()),
        (SearchMode::Keyword, id.as_str())
    );
    assert!(away.fallback.unwrap().contains("the provider is away"));
    let other = with(true);
    // No vectors are made before the answer, and those of the former model are not used.
    let answer = other
        .search_with_patience(&SearchRequest::new("proxy timeout"), Duration::ZERO)
        .unwrap();
    assert_eq!(answer.results[0].id, id);
    assert_eq!(other.stats().unwrap().dimension, 3);
    assert_eq!(
        other
            .compute_missing_vectors(Duration::from_secs(9))
            .unwrap()
            .waiting,
        0
    );
    let back = memory(folder.path());
    let answer = back.search(&SearchRequest::new("proxy timeout")).unwrap();
    assert_eq!(answer.mode, SearchMode::Hybrid);
    assert!(answer.results[0].semantic_score > 0.5);
}

/// Models that work, fail, or lack a key.
struct Choices;
impl solution::EmbedderFactory for Choices {
    fn build_embedder(&self, choice: &ModelChoice) -> Result<Arc<dyn Embedder>, EmbedError> {
        match choice.kind.as_str() {
            "works" => Ok(Arc::new(Other(true))),
            "fails" => Ok(Arc::new(Other(false))),
            other => Err(EmbedError::provider(std::io::Error::other(format!(
                "{other} has no key"
            )))),
        }
    }
}

fn choosing(folder: &Path, models: bool) -> Memory {
    Memory::new(Options {
        models: models.then(|| Arc::new(Choices) as Arc<dyn solution::EmbedderFactory>),
        ..Options::for_folder(folder)
    })
}

fn named(kind: &str) -> ModelChoice {
    ModelChoice {
        kind: kind.to_owned(),
        ..ModelChoice::default()
    }
}

#[test]
fn a_chosen_model_is_everybodys() {
    let folder = tempfile::tempdir().unwrap();
    let server = choosing(folder.path(), true);
    let id = server.save(&request("Timeout of the proxy")).unwrap().id;
    let command = choosing(folder.path(), true);
    let done = command
        .change_model(Some(&named("works")), Duration::MAX)
        .unwrap();
    assert_eq!((done.made, done.waiting), (1, 0));
    // The server that runs meanwhile uses the new model from its next answer on.
    let answer = server.search(&SearchRequest::new("proxy timeout")).unwrap();
    assert_eq!((answer.mode, &answer.fallback), (SearchMode::Hybrid, &None));
    assert!(answer.results[0].semantic_score > 0.9, "{answer:?}");
    assert_eq!(server.stats().unwrap().dimension, 3);
    let again = choosing(folder.path(), true).model_in_use().unwrap();
    assert_eq!(again.choice.unwrap().dimension, Some(3));
    // A program that cannot use the model keeps its vectors, and answers from words.
    let without = choosing(folder.path(), false);
    let answer = without
        .search(&SearchRequest::new("proxy timeout"))
        .unwrap();
    assert_eq!(answer.results[0].id, id);
    assert!(
        answer
            .fallback
            .unwrap()
            .contains("no other model is available")
    );
    let saved = without.save(&request("A door that sticks")).unwrap();
    assert!(saved.notes.iter().any(|n| n.contains("added later")));
    assert_eq!(without.stats().unwrap().pending, 1);
    let back = command.change_model(None, Duration::MAX).unwrap();
    assert_eq!((back.made, back.waiting), (2, 0));
    let answer = server.search(&SearchRequest::new("proxy timeout")).unwrap();
    assert_eq!(answer.mode, SearchMode::Hybrid);
    assert_eq!(server.model_in_use().unwrap().dimension, 384);
}

#[test]
fn a_model_that_cannot_be_asked_is_not_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let memory = choosing(folder.path(), true);
    memory.save(&request("Timeout of the proxy")).unwrap();
    for (kind, why) in [("fails", "is away"), ("openai", "openai has no key")] {
        let error = memory
            .change_model(Some(&named(kind)), Duration::MAX)
            .unwrap_err();
        assert!(error.message.contains(why), "{error}");
    }
    let stats = memory.stats().unwrap();
    assert_eq!((stats.dimension, stats.vectors), (384, 1));
}

const PYTHON: &str = "
    CREATE TABLE solutions (id TEXT PRIMARY KEY, title TEXT NOT NULL, problem TEXT NOT NULL, root_cause TEXT,
        solution TEXT NOT NULL, error_messages TEXT, project_name TEXT,
        created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP, updated_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP);
    CREATE TABLE tags (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE NOT NULL, category TEXT NOT NULL);
    CREATE TABLE solution_tags (solution_id TEXT REFERENCES solutions(id) ON DELETE CASCADE,
        tag_id INTEGER REFERENCES tags(id) ON DELETE CASCADE, PRIMARY KEY (solution_id, tag_id));
    CREATE VIRTUAL TABLE solutions_fts USING fts5(title, problem, solution, error_messages,
        content='solutions', content_rowid='rowid');
    CREATE TRIGGER solutions_ai AFTER INSERT ON solutions BEGIN
        INSERT INTO solutions_fts(rowid, title, problem, solution, error_messages)
        VALUES (NEW.rowid, NEW.title, NEW.problem, NEW.solution, NEW.error_messages); END;
    INSERT INTO solutions(id, title, problem, solution, error_messages) VALUES
        ('6f8a1c9e-7b2d-4056-81e8-a93c7d5b2064', 'Kafka consumer lags', 'The group rebalances all the time',
         'Raise max.poll.interval.ms', '[\"CommitFailedException\"]');
    INSERT INTO tags(name, category) VALUES ('kafka', 'tech_stack');
    INSERT INTO solution_tags VALUES ('6f8a1c9e-7b2d-4056-81e8-a93c7d5b2064', 1);";

#[test]
fn a_store_of_the_original_server_is_taken_over_and_shared() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("solutions.db");
    let python = Connection::open(&path).unwrap();
    python.execute_batch(PYTHON).unwrap();
    let memory = memory(folder.path());
    let done = memory
        .compute_missing_vectors(Duration::from_secs(9))
        .unwrap();
    assert_eq!((done.made, done.waiting, done.why), (1, 0, None));
    let found = memory
        .search(&SearchRequest::new("consumer group keeps rebalancing"))
        .unwrap();
    assert_eq!(found.results[0].title, "Kafka consumer lags");
    assert_eq!(found.results[0].tags, ["kafka"]);
    assert!(found.results[0].semantic_score > 0.3, "{found:?}");
    // Another program goes on writing.
    python
        .execute(
            "INSERT INTO solutions(id, title, problem, solution) VALUES ('py-2', 'Celery beat runs twice', \
             'Each task is executed two times', 'Run one beat alone')",
            [],
        )
        .unwrap();
    let found = memory
        .search(&SearchRequest::new("tasks executed twice"))
        .unwrap();
    assert_eq!(found.results[0].id, "py-2");
    python
        .execute(
            "UPDATE solutions SET solution = 'Use a lock' WHERE id = 'py-2'",
            [],
        )
        .unwrap();
    let found = memory
        .search(&SearchRequest {
            search_mode: SearchMode::Keyword,
            ..SearchRequest::new("lock")
        })
        .unwrap();
    assert_eq!(found.results[0].id, "py-2");
    python
        .execute("DELETE FROM solutions WHERE id = 'py-2'", [])
        .unwrap();
    let found = memory
        .search(&SearchRequest::new("tasks executed twice"))
        .unwrap();
    assert!(found.results.iter().all(|f| f.id != "py-2"));
    let check: String = python
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(check, "ok");
    python
        .execute_batch("INSERT INTO solutions_fts(solutions_fts) VALUES ('integrity-check')")
        .unwrap();
}

#[test]
fn damage_is_set_aside_and_rows_are_rescued() {
    for (what, least) in [("head", 300), ("middle", 150), ("garbage", 0), ("cut", 100)] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("solutions.db");
        {
            let memory = memory(folder.path());
            let mut lines = String::new();
            for n in 0..400 {
                lines.push_str(&format!(
                    "{{\"id\":\"00000000-0000-4000-8000-{n:012}\",\"title\":\"Problem number {n}\",\"problem\":\
                     \"Step {n} fails with a message that is long enough to fill some pages of the file {}\",\
                     \"solution\":\"Do {n}\",\"tags\":[\"git\"]}}\n",
                    "and more ".repeat(30)
                ));
            }
            assert_eq!(memory.import(&mut lines.as_bytes()).unwrap().imported, 400);
        }
        let connection = Connection::open(&path).unwrap();
        connection
            .execute_batch("PRAGMA wal_checkpoint(TRUNCATE)")
            .unwrap();
        drop(connection);
        let mut bytes = std::fs::read(&path).unwrap();
        match what {
            "head" => bytes[..100].fill(0),
            "middle" => {
                let from = bytes.len() / 3;
                bytes[from..from + 20_000].fill(0x55);
            }
            "cut" => bytes.truncate(bytes.len() / 2),
            _ => bytes.fill(0xaa),
        }
        std::fs::write(&path, &bytes).unwrap();
        let memory = memory(folder.path());
        let mut out = Vec::new();
        memory.export(&mut out).unwrap();
        let kept = String::from_utf8(out).unwrap().lines().count();
        let notes = memory.take_notes().join("; ");
        let aside = std::fs::read_dir(folder.path())
            .unwrap()
            .filter(|e| {
                e.as_ref()
                    .unwrap()
                    .file_name()
                    .to_string_lossy()
                    .contains(".damaged-")
            })
            .count();
        // Damage outside of the bytes that are read may stay unseen. Then nothing is lost either.
        if aside > 0 {
            assert!(
                notes.contains("damaged") && notes.contains("rescued"),
                "{what}: {notes}"
            );
        } else {
            assert_eq!(kept, 400, "{what}");
        }
        assert!(kept >= least, "{what}: {kept} of 400, {notes}");
        memory.save(&request("It works again")).unwrap();
        let found = memory.search(&SearchRequest::new("works again")).unwrap();
        assert_eq!(found.results[0].title, "It works again", "{what}");
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_an_error_with_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "x").unwrap();
    let error = memory(&file.join("below")).save(&request("x")).unwrap_err();
    assert!(
        error.message.contains("file") && error.hint.is_some(),
        "{error:?}"
    );
}

#[test]
fn an_older_line_replaces_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(folder.path());
    let kept = memory.save(&request("The build fails")).unwrap();
    let problem = get(&memory, &kept.id).problem;
    let today = get(&memory, &kept.id).updated_at[..10].to_owned();
    let import = |id: &str, time: &str| {
        let line = serde_json::json!({
            "id": id, "title": "The build fails", "problem": problem, "solution": "theirs", "error_messages": [],
            "tags": [], "project_name": "", "created_at": time, "updated_at": time,
        });
        let done = memory.import(&mut line.to_string().as_bytes()).unwrap();
        (done.imported, done.updated, done.known, done.refused.len())
    };
    let midnight = format!("{today}T00:00:00Z");
    for time in [
        "2001-01-01 00:00:00",
        "2001-01-01T00:00:00+02:00",
        &midnight,
    ] {
        assert_eq!(import("other", time), (0, 0, 1, 0), "{time}");
        assert_eq!(import(&kept.id, time), (0, 0, 1, 0), "{time}");
    }
    for time in ["9999-99-99 00:00:00", "tomorrow is another day"] {
        assert_eq!(import("other", time), (0, 0, 0, 1), "{time}");
    }
    assert_eq!(import("other", "9000-01-01 00:00:00"), (0, 0, 1, 0));
    assert_ne!(get(&memory, &kept.id).solution, "theirs");
}

#[test]
fn questions_do_not_wait_for_a_save_that_waits_for_another_program() {
    let folder = tempfile::tempdir().unwrap();
    let memory = memory(folder.path());
    let id = memory.save(&request("Build fails")).unwrap().id;
    let other = Connection::open(folder.path().join("solutions.db")).unwrap();
    other
        .execute_batch("BEGIN IMMEDIATE; UPDATE solutions SET title = 'mine'")
        .unwrap();
    std::thread::scope(|scope| {
        let save = scope.spawn(|| memory.save(&request("Another problem")));
        std::thread::sleep(Duration::from_millis(300));
        let found = memory.search(&SearchRequest::new("build fails")).unwrap();
        assert_eq!(found.results[0].id, id);
        assert_eq!(get(&memory, &id).title, "Build fails");
        memory.list_tags(&ListTagsRequest::default()).unwrap();
        assert!(!save.is_finished(), "they waited for it");
        other.execute_batch("ROLLBACK").unwrap();
        save.join().unwrap().unwrap();
    });
    assert_eq!(memory.stats().unwrap().solutions, 2);
}

#[test]
fn updates_of_different_fields_at_once_are_both_kept() {
    let folder = tempfile::tempdir().unwrap();
    let id = memory(folder.path())
        .save(&request("Build fails"))
        .unwrap()
        .id;
    let change = |round: usize, cause: bool| {
        let text = Some(format!("round {round}"));
        let (root_cause, solution) = if cause { (text, None) } else { (None, text) };
        UpdateRequest {
            id: id.clone(),
            root_cause,
            solution,
            ..UpdateRequest::default()
        }
    };
    // Two programs, each with its own connection.
    let both = [memory(folder.path()), memory(folder.path())];
    for round in 0..20 {
        std::thread::scope(|scope| {
            for (at, memory) in both.iter().enumerate() {
                let change = change(round, at == 1);
                scope.spawn(move || memory.update(&change).unwrap());
            }
        });
        let now = get(&both[0], &id);
        let wanted = format!("round {round}");
        assert_eq!(now.solution, wanted);
        assert_eq!(now.root_cause, Some(wanted));
    }
    let empty = UpdateRequest {
        id: "unknown".to_owned(),
        ..UpdateRequest::default()
    };
    assert!(both[0].update(&empty).is_err());
}
