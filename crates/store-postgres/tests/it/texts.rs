//! Search over published texts gives the same first results as the local index.

use crate::common::{new_name, pool, running};
use search::doc::FileRole;
use search::embed::{CodeModel, Embedder};
use search::index::{Index, Model};
use search::plain;
use search::prepare::{Prepared, prepare};
use search::publish::{Unpublished, published_version, to_published, totals_of};
use search::rank::{self, Answer, NoQueryVector, RankMode, Request, Tuning};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::texts::{SearchTexts, TextFile, TextSource, TextStamp, TextTotals};
use store::{GraphStore, Publication, SqliteStore, StoreError};
use store_postgres::{Pool, PostgresStore, Repositories};

/// Texts with the index of them.
struct Texts {
    index: Index,
    files: BTreeMap<String, (Prepared, String)>,
    totals: TextTotals,
    stamps: BTreeMap<String, TextStamp>,
}

fn model() -> &'static dyn Embedder {
    CodeModel::get().unwrap()
}

impl Texts {
    fn new(texts: &[(String, String)]) -> Texts {
        let prepared = texts.iter().filter_map(|(path, text)| {
            let doc = plain::file_doc(path, text)?;
            let file = prepare(&doc, Some(model())).unwrap();
            Some((path.clone(), (file, text.clone())))
        });
        let files: BTreeMap<String, (Prepared, String)> = prepared.collect();
        let all = files.values().map(|(file, _)| file.clone()).collect();
        let index = Index::in_memory(&Model::from_embedder(model()), all).unwrap();
        let stamp = |(path, (_, text)): (&String, &(Prepared, String))| {
            let hash = text.bytes().fold(7u64, |h, b| {
                h.wrapping_mul(1_000_003).wrapping_add(u64::from(b))
            });
            let users = users_of(path);
            (path.clone(), TextStamp { hash, users })
        };
        Texts {
            totals: totals_of(&index, 9),
            stamps: files.iter().map(stamp).collect(),
            index,
            files,
        }
    }
}

fn users_of(path: &str) -> u32 {
    (path.len() % 10) as u32
}

impl TextSource for Texts {
    fn totals(&self) -> &TextTotals {
        &self.totals
    }

    fn stamps(&self) -> &BTreeMap<String, TextStamp> {
        &self.stamps
    }

    fn read(
        &self,
        paths: &[&str],
        visit: &mut dyn FnMut(TextFile) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let read = paths.iter().map(|path| Unpublished {
            role: self.index.role(path).unwrap_or(FileRole::Source),
            file: self.files[*path].0.clone(),
            stamp: self.stamps[*path],
            text: self.files[*path].1.clone(),
        });
        let published = to_published(&self.totals, read.collect()).unwrap();
        published.into_iter().try_for_each(visit)
    }
}

impl rank::ProjectView for Texts {
    fn centrality(&self, path: &str) -> f32 {
        rank::centrality(users_of(path) as usize, 9)
    }

    fn lines(&self, path: &str, first: u32, last: u32) -> Option<String> {
        Some(rank::lines_of(&self.files.get(path)?.1, first, last))
    }
}

fn publish(pool: &Arc<Pool>, name: &str, texts: &Texts) -> store::Published {
    let folder = tempfile::TempDir::new().unwrap();
    let graph = SqliteStore::open(&folder.path().join("graph.db")).unwrap();
    let publication = Publication {
        graph: &graph,
        texts: Some(texts),
        commit: None,
        metadata: &[],
        virtual_edges: &[],
    };
    let mut store = PostgresStore::open(pool, name).unwrap();
    store.publish_all(&publication).unwrap()
}

fn request<'r>(
    query: &'r str,
    mode: RankMode,
    filter: &'r search::Filter,
    tuning: &'r Tuning,
) -> Request<'r> {
    Request {
        query,
        mode,
        limit: 10,
        filter,
        min_relevance: 0.0,
        following_relevance: 0.0,
        project: None,
        tuning,
    }
}

fn local(texts: &Texts, request: &Request<'_>) -> Answer {
    let request = Request {
        project: Some(texts),
        ..*request
    };
    rank::search(&texts.index, Some(model()), &request)
}

fn shared(store: &PostgresStore, request: &Request<'_>) -> Answer {
    let texts = store.as_texts().unwrap();
    let found = rank::search_texts(texts, Some(model()), request).unwrap();
    found.expect("texts were published")
}

/// The places of an answer.
fn places(answer: &Answer) -> Vec<(String, u32, u32)> {
    let chunks = answer.chunks.iter();
    chunks
        .map(|c| (c.path.clone(), c.start_line, c.end_line))
        .collect()
}

/// The sources and documents of this repository.
fn own_texts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> = ["crates", "docs"].map(|name| root.join(name)).to_vec();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.strip_prefix(&root).unwrap().to_string_lossy();
            let is_text = ["rs", "md"]
                .iter()
                .any(|end| path.extension().is_some_and(|e| e == *end));
            if path.is_dir() && !name.contains("fixtures") {
                folders.push(path);
            } else if is_text && let Ok(text) = std::fs::read_to_string(&path) {
                found.push((name.into_owned(), text));
            }
        }
    }
    found.sort();
    found
}

const QUERIES: &[&str] = &[
    "PostgresStore",
    "read_back_files",
    "how are likely secrets masked before they are shown",
    "connection lost while rows are read",
    "merge segments of the search index",
    "rate limit of users",
    "crates/search/src/rank/fuse.rs",
    "where is the lease of a worker renewed",
    "call chain depth",
    "parse stack traces of a bug report",
    "what does this project do",
    "error: the database's address names no host",
    "\"nobody has published\"",
    "quantised vectors dot product",
    "tokens within a budget",
    "git blame rename detection history",
    "YAML parser with line numbers",
    "isOverview",
    "publish only rows that differ",
    "watch files for changes",
];

#[test]
fn published_texts_give_the_first_results_of_the_index() {
    let Some(pool) = pool() else { return };
    let texts = Texts::new(&own_texts());
    assert!(texts.files.len() > 600, "more files than candidates");
    let name = new_name();
    assert!(!publish(&pool, &name, &texts).was_current);
    let store = PostgresStore::open_read_only(&pool, &name).unwrap();
    let (all, tuning) = (search::Filter::default(), Tuning::default());
    let docs = search::Filter {
        path: Some("docs".to_owned()),
        ..search::Filter::default()
    };
    let (mut first, mut same, mut asked, mut furthest) = (0, 0, 0, 0f32);
    let mut differing = Vec::new();
    let modes = [RankMode::Hybrid, RankMode::Keyword, RankMode::Semantic];
    for (query, mode) in QUERIES.iter().flat_map(|q| modes.map(|mode| (*q, mode))) {
        for filter in [&all, &docs] {
            let request = request(query, mode, filter, &tuning);
            let (here, there) = (local(&texts, &request), shared(&store, &request));
            assert_eq!(
                (there.mode, &there.fallback),
                (here.mode, &here.fallback),
                "{query}"
            );
            let (mine, theirs) = (places(&here), places(&there));
            asked += 1;
            first += usize::from(mine.first() == theirs.first());
            same += usize::from(mine == theirs);
            if mine != theirs {
                differing.push(format!("{mode:?} {query} {:?}", filter.path));
            }
            let both = here.chunks.iter().zip(&there.chunks);
            for (a, b) in both.filter(|(a, b)| (&a.path, a.start_line) == (&b.path, b.start_line)) {
                furthest = furthest.max((a.relevance - b.relevance).abs());
            }
        }
    }
    assert_eq!(first, asked, "the first result: {differing:?}");
    assert!(
        same * 20 >= asked * 19,
        "the first ten results: {differing:?}"
    );
    assert!(furthest < 0.01, "{furthest}");
}

fn few(second: &str) -> Texts {
    let text = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    Texts::new(&[
        text(
            "src/reader.py",
            "def read_rows(source):\n    return source.rows\n",
        ),
        text("src/writer.py", second),
        text(
            "README.md",
            "# Rows\n\nA program that reads and writes rows of tables for tests.\n",
        ),
    ])
}

#[test]
fn only_files_that_differ_are_written_and_those_that_are_gone_go() {
    let Some(pool) = pool() else { return };
    let name = new_name();
    let before = few("def write_rows(target):\n    target.add(7)\n");
    let all = publish(&pool, &name, &before).rows;
    let again = publish(&pool, &name, &before);
    assert_eq!((again.was_current, again.rows), (true, 0));
    let reader = PostgresStore::open_read_only(&pool, &name).unwrap();
    let after = few("def store_records(target):\n    target.add(7)\n");
    let changed = publish(&pool, &name, &after);
    assert!(
        !changed.was_current && changed.rows < all / 2,
        "{changed:?} of {all}"
    );
    let (filter, tuning) = (search::Filter::default(), Tuning::default());
    let request = request("store_records", RankMode::Keyword, &filter, &tuning);
    let now = PostgresStore::open_read_only(&pool, &name).unwrap();
    assert_eq!(
        places(&shared(&now, &request)),
        places(&local(&after, &request))
    );
    // A reader sees one state.
    let words = ["writerow", "storerecord", "storerecords"];
    let count = |store: &PostgresStore| store.count_words(&words).unwrap();
    assert_eq!(count(&reader)[1..], [Default::default(); 2]);
    assert!(count(&now)[1..].iter().any(|counts| counts.files == 1));
    drop(reader);
    let fewer = Texts::new(&[("a.py".to_owned(), "def only():\n    pass\n".to_owned())]);
    publish(&pool, &name, &fewer);
    let last = PostgresStore::open_read_only(&pool, &name).unwrap();
    assert_eq!(last.paths().unwrap().len(), 1);
    assert_eq!(last.text("src/reader.py").unwrap(), None);
    assert_eq!(
        last.text_totals().unwrap().unwrap().version,
        published_version()
    );
    assert!(PostgresStore::open(&pool, &name).unwrap().remove().unwrap());
    let running = running().unwrap();
    let left = running.client_of("postgres").query_one(
        "SELECT (SELECT count(*) FROM knotwork.searchable s WHERE NOT EXISTS \
         (SELECT 1 FROM knotwork.repositories r WHERE r.repo_id = s.repo_id)) + \
         (SELECT count(*) FROM knotwork.vectors v WHERE NOT EXISTS \
         (SELECT 1 FROM knotwork.repositories r WHERE r.repo_id = v.repo_id))",
        &[],
    );
    assert_eq!(left.unwrap().get::<_, i64>(0), 0);
}

fn has_vectors(client: &mut postgres::Client) -> bool {
    let sql = "SELECT to_regclass('knotwork.vectors') IS NOT NULL";
    client.query_one(sql, &[]).unwrap().get(0)
}

#[test]
fn a_table_of_vectors_without_its_column_is_made_anew() {
    let Some(running) = running() else { return };
    let database = running.new_database();
    let pool = running.pool_of(&database);
    let texts = few("def write_rows(target):\n    target.add(7)\n");
    publish(&pool, "team/project", &texts);
    let mut client = running.client_of(&database);
    if !has_vectors(&mut client) {
        return;
    }
    let damage = "ALTER TABLE knotwork.vectors DROP COLUMN embedding";
    client.batch_execute(damage).unwrap();
    let (filter, tuning) = (search::Filter::default(), Tuning::default());
    let asked = request("write rows", RankMode::Hybrid, &filter, &tuning);
    let pool = running.pool_of(&database);
    let store = PostgresStore::open_read_only(&pool, "team/project").unwrap();
    assert_eq!(shared(&store, &asked).mode, RankMode::Keyword);
    drop(store);
    assert!(!publish(&pool, "team/project", &texts).was_current);
    let store = PostgresStore::open_read_only(&pool, "team/project").unwrap();
    let found = shared(&store, &asked);
    assert_eq!((found.mode, found.fallback), (RankMode::Hybrid, None));
}

#[test]
fn damaged_rows_are_written_anew() {
    let Some(pool) = pool() else { return };
    let name = new_name();
    let texts = few("def write_rows(target):\n    target.add(7)\n");
    publish(&pool, &name, &texts);
    assert!(publish(&pool, &name, &texts).was_current);
    let running = running().unwrap();
    let mut client = running.client_of("postgres");
    let of_repository =
        format!("repo_id = (SELECT repo_id FROM knotwork.repositories WHERE name = '{name}')");
    let (filter, tuning) = (search::Filter::default(), Tuning::default());
    let mut damages = vec![
        "UPDATE knotwork.texts SET content = 'x' WHERE path = 'src/writer.py' AND",
        "UPDATE knotwork.texts SET outline = '' WHERE",
        "UPDATE knotwork.words SET chunk_says = 1, postings = '' WHERE",
        "DELETE FROM knotwork.words WHERE",
    ];
    let mut modes = vec![RankMode::Keyword];
    if has_vectors(&mut client) {
        damages.push("DELETE FROM knotwork.vectors WHERE");
        modes.push(RankMode::Semantic);
    }
    for damage in damages {
        let changed = client
            .execute(&format!("{damage} {of_repository}"), &[])
            .unwrap();
        assert!(changed > 0, "{damage}");
        assert!(!publish(&pool, &name, &texts).was_current, "{damage}");
        let store = PostgresStore::open_read_only(&pool, &name).unwrap();
        for mode in &modes {
            let request = request("write rows", *mode, &filter, &tuning);
            let (mine, theirs) = (local(&texts, &request), shared(&store, &request));
            assert_eq!(places(&mine), places(&theirs), "{damage}");
        }
        assert!(publish(&pool, &name, &texts).was_current, "{damage}");
    }
}

#[test]
fn a_publication_without_texts_removes_those_of_another_commit() {
    let Some(pool) = pool() else { return };
    let name = new_name();
    publish(
        &pool,
        &name,
        &few("def write_rows(target):\n    target.add(7)\n"),
    );
    let folder = tempfile::TempDir::new().unwrap();
    let graph = SqliteStore::open(&folder.path().join("graph.db")).unwrap();
    let mut store = PostgresStore::open(&pool, &name).unwrap();
    let totals = || {
        let reader = PostgresStore::open_read_only(&pool, &name).unwrap();
        reader.text_totals().unwrap()
    };
    assert!(store.publish(&graph, None, &[]).unwrap().was_current);
    assert!(totals().is_some());
    let moved = store.publish(&graph, Some("beef"), &[]).unwrap();
    assert!(!moved.was_current);
    assert!(totals().is_none());
}

#[test]
fn repositories_do_not_see_each_other() {
    let Some(pool) = pool() else { return };
    let (mine, theirs) = (new_name(), new_name());
    publish(
        &pool,
        &mine,
        &few("def write_rows(target):\n    target.add(7)\n"),
    );
    publish(
        &pool,
        &theirs,
        &few("def zebra_stripes(target):\n    target.add(7)\n"),
    );
    let store = PostgresStore::open_read_only(&pool, &mine).unwrap();
    let (filter, tuning) = (search::Filter::default(), Tuning::default());
    for mode in [RankMode::Hybrid, RankMode::Keyword] {
        let found = shared(&store, &request("zebra_stripes", mode, &filter, &tuning));
        assert!(
            found
                .chunks
                .iter()
                .all(|c| c.symbol.as_deref() != Some("zebra_stripes"))
        );
    }
    let stores = Repositories::new(pool);
    let (both, words) = (
        [mine.clone(), theirs.clone()],
        rank::words_of("zebra stripes"),
    );
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    assert_eq!(stores.most_promising(&both, &words, 2).unwrap(), [theirs]);
    assert!(
        stores
            .most_promising(&[mine], &words, 2)
            .unwrap()
            .is_empty()
    );
}

#[test]
fn without_pgvector_words_answer_and_say_so() {
    let Some(running) = running() else { return };
    let database = running.new_database();
    let pool = running.pool_of(&database);
    let texts = few("def write_rows(target):\n    target.add(7)\n");
    PostgresStore::open(&pool, "team/project").unwrap();
    let mut client = running.client_of(&database);
    let gone = "DROP TABLE knotwork.vectors; DROP EXTENSION vector; CREATE ROLE no_extensions LOGIN; \
                GRANT USAGE ON SCHEMA knotwork TO no_extensions; \
                GRANT ALL ON ALL TABLES IN SCHEMA knotwork TO no_extensions";
    client.batch_execute(gone).unwrap();
    // A role that may not create the extension.
    let address = running.address_of("no_extensions", "");
    let address = address.replace("/postgres?", &format!("/{database}?"));
    let plain = Pool::new(store_postgres::Server::parse(&address).unwrap(), 2);
    publish(&plain, "team/project", &texts);
    let (filter, tuning) = (search::Filter::default(), Tuning::default());
    let asked = request("write rows", RankMode::Hybrid, &filter, &tuning);
    let store = PostgresStore::open_read_only(&plain, "team/project").unwrap();
    let found = shared(&store, &asked);
    assert_eq!(found.mode, RankMode::Keyword);
    assert_eq!(found.fallback, Some(NoQueryVector::NotCompared));
    assert_eq!(found.chunks[0].path, "src/writer.py");
    drop(store);
    // If the extension is added later, the next publication writes the vectors.
    publish(&pool, "team/project", &texts);
    let store = PostgresStore::open_read_only(&pool, "team/project").unwrap();
    let found = shared(&store, &asked);
    assert_eq!((found.mode, found.fallback), (RankMode::Hybrid, None));
}

#[test]
fn what_cannot_be_read_is_an_error_and_texts_of_another_version_are_none() {
    let Some(running) = running() else { return };
    let database = running.new_database();
    let pool = running.pool_of(&database);
    publish(
        &pool,
        "team/project",
        &few("def write_rows(t):\n    t.add(7)\n"),
    );
    let mut client = running.client_of(&database);
    let (filter, tuning) = (search::Filter::default(), Tuning::default());
    let asked = request("write rows", RankMode::Hybrid, &filter, &tuning);
    let ask = || {
        let store = PostgresStore::open_read_only(&pool, "team/project").unwrap();
        rank::search_texts(store.as_texts().unwrap(), Some(model()), &asked)
    };
    for damage in [
        "UPDATE knotwork.texts SET outline = '\\x0102'",
        "UPDATE knotwork.words SET postings = '\\xffff7f'",
    ] {
        client
            .batch_execute(&format!("BEGIN; {damage}; COMMIT"))
            .unwrap();
        let error = ask().unwrap_err().to_string();
        assert!(error.contains("cannot be read"), "{error}");
    }
    client
        .batch_execute("UPDATE knotwork.searchable SET version = 1")
        .unwrap();
    assert!(ask().unwrap().is_none());
}
