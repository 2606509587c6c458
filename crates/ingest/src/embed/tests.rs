//! Tests of which chunks are sent to a provider, and which are not sent again.

#![allow(clippy::unwrap_used)]

use super::*;
use search::embed::{MockEmbedder, ProviderFailure};
use std::sync::Mutex;
use testkit::Repo;

/// The mock embedder, with a record of the requests and a limit.
struct Noted {
    name: &'static str,
    asked: Mutex<Vec<String>>,
    /// Number of requests after which it fails.
    most: Mutex<usize>,
}

impl Noted {
    fn new(name: &'static str) -> Noted {
        Noted {
            name,
            asked: Mutex::default(),
            most: Mutex::new(usize::MAX),
        }
    }

    fn fails_after(&self, requests: usize) {
        *self.most.lock().unwrap() = requests;
    }

    /// Names of the chunks sent since the last call.
    fn asked(&self) -> Vec<String> {
        std::mem::take(&mut *self.asked.lock().unwrap())
    }
}

impl Embedder for Noted {
    fn model(&self) -> &str {
        self.name
    }

    fn dimensions(&self) -> usize {
        0
    }

    fn embed_documents(&self, documents: &[EmbedDoc<'_>]) -> Result<Vec<QuantVec>, EmbedError> {
        let mut most = self.most.lock().unwrap();
        let Some(left) = most.checked_sub(1) else {
            return Err(EmbedError::Provider {
                model: self.name.to_owned(),
                failure: ProviderFailure::Other("down".to_owned()),
            });
        };
        *most = left;
        let names = documents.iter().map(|d| d.names.trim().to_owned());
        self.asked.lock().unwrap().extend(names);
        MockEmbedder::default().embed_documents(documents)
    }

    fn embed_query(&self, text: &str) -> Result<Option<Vec<f32>>, EmbedError> {
        MockEmbedder::default().embed_query(text)
    }

    fn batch_size(&self) -> usize {
        1
    }
}

/// Long enough that each function becomes a chunk of its own.
fn function(name: &str, word: &str) -> String {
    let body: String = (0..30)
        .map(|n| format!("    {word}_{n} = compute_{word}({n})\n"))
        .collect();
    format!("def {name}():\n{body}\n\n")
}

fn repo() -> Repo {
    let repo = Repo::new("//- .git/HEAD\nref\n");
    repo.write("a.py", &(function("alpha", "x") + &function("beta", "y")));
    repo.write("b.py", &function("gamma", "z"));
    repo
}

fn options(repo: &Repo) -> IndexOptions {
    IndexOptions::new(repo.path(), &repo.path().join(".devbooks"))
}

fn update(repo: &Repo, embedder: &Noted, force: bool) -> (Option<Index>, EmbedReport) {
    let ask = EmbedRequest {
        embedder,
        force,
        waiting: None,
    };
    update_embedded(&options(repo), &ask, &()).unwrap()
}

#[test]
fn a_chunk_is_asked_for_once() {
    let (repo, noted) = (repo(), Noted::new("m"));
    let (index, report) = update(&repo, &noted, false);
    let index = index.unwrap();
    assert_eq!(
        index.model().dimensions,
        64,
        "learned from the first answer"
    );
    assert_eq!((report.asked, report.missing), (index.chunk_count(), 0));
    assert!(report.asked >= 3, "{report:?}");
    let mut vectors = 0;
    index.each_chunk(|chunk| vectors += usize::from(chunk.vector.is_some()));
    assert_eq!(vectors, index.chunk_count());
    noted.asked();
    assert_eq!(update(&repo, &noted, false).1, EmbedReport::default());
    // One of two functions changes; the other's vector is kept.
    repo.write(
        "a.py",
        &(function("alpha", "x") + &function("beta", "other")),
    );
    let (_, report) = update(&repo, &noted, false);
    assert_eq!(noted.asked(), ["beta"]);
    assert!(report.kept > 0);
    // A new file without a copy of any other.
    repo.write("c.py", &function("delta", "w"));
    update(&repo, &noted, false);
    assert_eq!(noted.asked(), ["delta"]);
}

#[test]
fn a_file_that_keeps_changing_is_asked_for_once_a_day_unless_forced() {
    let (repo, noted) = (repo(), Noted::new("m"));
    update(&repo, &noted, false);
    repo.write("b.py", &function("gamma", "first"));
    update(&repo, &noted, false);
    noted.asked();
    repo.write("b.py", &function("gamma", "second"));
    let (index, report) = update(&repo, &noted, false);
    assert_eq!(noted.asked(), Vec::<String>::new());
    assert_eq!(report.missing, 1);
    assert_eq!(
        index.unwrap().file_count(),
        2,
        "found by its words until then"
    );
    // The vectors of its earlier text are cached.
    repo.write("b.py", &function("gamma", "first"));
    assert_eq!(update(&repo, &noted, false).1.missing, 0);
    repo.write("b.py", &function("gamma", "third"));
    assert_eq!(update(&repo, &noted, true).1.missing, 0);
    assert_eq!(noted.asked(), ["gamma"]);
    // A day later.
    repo.write("b.py", &function("gamma", "fourth"));
    let path = embeddings_folder(&options(&repo)).join("state.json");
    assert_eq!(update(&repo, &noted, false).1.missing, 1);
    let mut state: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    state["asked"]["b.py"] = 1_000.into();
    std::fs::write(&path, state.to_string()).unwrap();
    let (_, report) = update(&repo, &noted, false);
    assert_eq!(noted.asked(), ["gamma"], "what waited is asked for");
    assert_eq!(report.missing, 0);
}

#[test]
fn what_came_before_a_failure_is_kept() {
    let (repo, noted) = (repo(), Noted::new("m"));
    noted.fails_after(0);
    let (index, report) = update(&repo, &noted, false);
    assert!(index.is_none() && report.problem.unwrap().contains("down"));
    noted.fails_after(1);
    let (index, report) = update(&repo, &noted, false);
    assert_eq!(report.asked, 1);
    assert!(report.missing >= 2 && report.problem.is_some());
    assert_eq!(index.unwrap().file_count(), 2);
    let first = noted.asked();
    noted.fails_after(usize::MAX);
    let (_, report) = update(&repo, &noted, false);
    assert_eq!((report.missing, report.problem), (0, None));
    assert!(!noted.asked().contains(&first[0]), "not asked twice");
}

#[test]
fn another_model_begins_anew() {
    let (repo, one, two) = (repo(), Noted::new("one"), Noted::new("two"));
    let (_, before) = update(&repo, &one, false);
    let (index, after) = update(&repo, &two, false);
    assert_eq!(before.asked, after.asked);
    assert_eq!(index.unwrap().model().name, "two");
    assert!(open_embedded(&options(&repo), "one").is_none());
    assert!(open_embedded(&options(&repo), "two").is_some());
}

#[test]
fn questions_build_nothing_from_nothing_and_send_little() {
    let (repo, noted) = (repo(), Noted::new("m"));
    let deadline = Instant::now() + std::time::Duration::from_secs(5);
    let question = |most| {
        let ask = EmbedRequest {
            embedder: &noted,
            force: false,
            waiting: Some((deadline, most)),
        };
        update_embedded(&options(&repo), &ask, &()).unwrap()
    };
    assert!(question(9).0.is_none());
    assert_eq!(noted.asked(), Vec::<String>::new());
    update(&repo, &noted, false);
    noted.asked();
    repo.write("c.py", &(function("one", "p") + &function("two", "q")));
    let (index, report) = question(1);
    assert_eq!(noted.asked().len(), 1);
    assert_eq!((index.unwrap().file_count(), report.missing), (3, 1));
}

#[test]
fn damaged_files_are_no_files() {
    let (repo, noted) = (repo(), Noted::new("m"));
    let (_, before) = update(&repo, &noted, false);
    let folder = embeddings_folder(&options(&repo));
    let path = folder.join("vectors.bin");
    let bytes = std::fs::read(&path).unwrap();
    // The last record is cut short, the index is missing, and the state is rubbish.
    std::fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
    std::fs::remove_dir_all(folder.join("index")).unwrap();
    std::fs::write(folder.join("state.json"), "{").unwrap();
    let (_, report) = update(&repo, &noted, false);
    assert_eq!(report.asked, 1);
    assert_eq!(std::fs::read(&path).unwrap().len(), bytes.len());
    std::fs::write(&path, "rubbish").unwrap();
    std::fs::remove_dir_all(folder.join("index")).unwrap();
    assert_eq!(update(&repo, &noted, false).1.asked, before.asked);
}

/// Refuses every request with a text that names `poison`.
struct Picky;

impl Embedder for Picky {
    fn model(&self) -> &str {
        "picky"
    }

    fn dimensions(&self) -> usize {
        0
    }

    fn embed_documents(&self, documents: &[EmbedDoc<'_>]) -> Result<Vec<QuantVec>, EmbedError> {
        if documents.iter().any(|d| d.names.contains("poison")) {
            Err(EmbedError::Refused {
                model: "picky".to_owned(),
                reason: "400: too long".to_owned(),
            })
        } else {
            MockEmbedder::default().embed_documents(documents)
        }
    }

    fn embed_query(&self, text: &str) -> Result<Option<Vec<f32>>, EmbedError> {
        MockEmbedder::default().embed_query(text)
    }

    fn batch_size(&self) -> usize {
        8
    }
}

#[test]
fn one_text_that_is_refused_stops_no_other() {
    let sources: String = ["alpha", "beta", "poison", "gamma", "delta"]
        .iter()
        .map(|name| function(name, name))
        .collect();
    let repo = Repo::new(&format!("//- a.py\n{sources}"));
    let options = options(&repo);
    let ask = EmbedRequest {
        embedder: &Picky,
        force: false,
        waiting: None,
    };
    let (index, report) = update_embedded(&options, &ask, &()).unwrap();
    assert!(index.is_some());
    assert_eq!(report.missing, 1, "{report:?}");
    assert!(report.asked >= 4, "{report:?}");
    assert!(report.problem.unwrap().contains("400"));
}

#[test]
fn where_every_text_is_refused_asking_ends() {
    let sources: String = (0..20)
        .map(|n| function(&format!("poison{n}"), "x"))
        .collect();
    let repo = Repo::new(&format!("//- a.py\n{sources}"));
    let options = options(&repo);
    let ask = EmbedRequest {
        embedder: &Picky,
        force: false,
        waiting: None,
    };
    let (index, report) = update_embedded(&options, &ask, &()).unwrap();
    assert!(index.is_none());
    assert_eq!(report.asked, 0);
    assert!(report.problem.is_some());
}
