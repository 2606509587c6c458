//! Compares PostgreSQL with SQLite on a generated graph: rows per second in bulk, and the time of questions.
//!
//! `cargo run --release -p store-postgres --example measure -- ADDRESS [NODES]`

use analysis::{CallChainOptions, Direction, Graph, ImpactOptions, StoreGraph};
use base::{EdgeType, Site, Tier};
use std::time::{Duration, Instant};
use store::{EdgeRecord, FileRecord, GraphChange, GraphStore, NodeRecord, SqliteStore};
use store_postgres::{Pool, PostgresStore, Server};

const CALLS: u64 = 5;
/// Functions in a file, which mostly call each other.
const FILE: u64 = 40;
/// Functions that every function may call.
const HUBS: u64 = 200;
/// Number of questions of each kind.
const ASKED: u64 = 500;

struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        // Knuth's MMIX generator; the low bits are the weak ones.
        self.0 = (self.0)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

fn id(number: u64) -> String {
    format!("n{number:08}")
}

/// A graph; in every `moved`th file, all rows are one line further down (none for 0).
fn graph(nodes: u64, moved: u64) -> GraphChange {
    let mut numbers = Numbers(1);
    let by = |number: u64| u64::from(moved > 0 && (number / FILE).is_multiple_of(moved));
    let path = |number: u64| format!("src/part{}/file{}.ts", number / FILE / 50, number / FILE);
    let mut change = GraphChange {
        clear_all: true,
        nodes: (0..nodes)
            .map(|number| NodeRecord {
                id: id(number),
                symbol: format!("function{number}"),
                kind: "function".to_owned(),
                file_path: path(number),
                line_start: Some((number % FILE * 10 + 1 + by(number)) as u32),
                line_end: Some((number % FILE * 10 + 9 + by(number)) as u32),
                ..NodeRecord::default()
            })
            .collect(),
        files: (0..nodes.div_ceil(FILE))
            .map(|file| FileRecord {
                path: path(file * FILE),
                output_hash: format!("{}", 1 + by(file * FILE)),
                ..FileRecord::default()
            })
            .collect(),
        ..GraphChange::default()
    };
    for from in 0..nodes {
        for line in 0..CALLS {
            let to = match numbers.below(100) {
                0..65 => from / FILE * FILE + numbers.below(FILE),
                65..97 => numbers.below(from + 1),
                _ => numbers.below(HUBS),
            };
            change.edges.push(EdgeRecord {
                id: format!("e{from:08}{line}"),
                source_id: id(from),
                target_id: id(to.min(nodes - 1)),
                edge_type: EdgeType::Calls,
                file_path: Some(path(from)),
                line: Some((from % FILE * 10 + 2 + line + by(from)) as u32),
                tier: Tier::Typed,
                confidence: Tier::Typed.default_confidence(),
                more_lines: Vec::new(),
                site: Some(Site::Call),
            });
        }
    }
    change
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// Times of the questions: the median and the 95th percentile.
fn times(nodes: u64, ask: &dyn Fn(&str, u64)) -> (f64, f64) {
    let mut taken: Vec<Duration> = (0..ASKED)
        .map(|n| {
            let number = HUBS + n * ((nodes - HUBS) / ASKED);
            let started = Instant::now();
            ask(&id(number), number);
            started.elapsed()
        })
        .collect();
    taken.sort_unstable();
    let at = |share: usize| milliseconds(taken[taken.len() * share / 100]);
    (at(50), at(95))
}

/// Asks the store one question about the node with an id and a number.
type Question = fn(&dyn GraphStore, &str, u64);

const QUESTIONS: [(&str, Question); 6] = [
    ("find-symbol", |store, _, number| {
        let found = store
            .find_symbol(&format!("function{number}"))
            .expect("found");
        assert_eq!(found.len(), 1);
    }),
    ("edges to a node", |store, id, _| {
        store.edges_to(id, None).expect("edges");
    }),
    ("call-chain, 2 deep", |store, id, _| chain(store, id, 2)),
    ("call-chain, 3 deep", |store, id, _| chain(store, id, 3)),
    ("impact", |store, id, _| {
        let graph = StoreGraph::new(store);
        let key = graph.key_of_id(id).expect("node").expect("there");
        let options = ImpactOptions::default();
        analysis::analyze_impact(&graph, id, &[key], &options).expect("impact");
    }),
    ("path, at most 4 edges", |store, id, number| {
        let to = self::id(number / 3);
        store.shortest_path(id, &to, 4, &[]).expect("path");
    }),
];

fn chain(store: &dyn GraphStore, id: &str, depth: u32) {
    let graph = StoreGraph::new(store);
    let key = graph.key_of_id(id).expect("node").expect("there");
    let options = CallChainOptions {
        direction: Direction::Callers,
        depth,
        limit: 200,
        ..CallChainOptions::default()
    };
    analysis::call_chain(&graph, &[key], &options).expect("chain");
}

#[allow(clippy::print_stdout)]
fn main() {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().expect("the server's address");
    let nodes: u64 = arguments
        .next()
        .map_or(200_000, |n| n.parse().expect("a number"));
    let change = graph(nodes, 0);
    let rows = (change.nodes.len() + change.edges.len()) as f64;
    let folder = tempfile::TempDir::new().expect("folder");
    let mut local = SqliteStore::open(&folder.path().join("graph.db")).expect("SQLite");
    let pool = Pool::new(Server::parse(&address).expect("address"), 4);
    let mut shared = PostgresStore::open(&pool, "measure/bulk").expect("PostgreSQL");
    let mut published = PostgresStore::open(&pool, "measure/publish").expect("PostgreSQL");
    let rounds = [
        ("into nothing", 0),
        ("the same again", 0),
        ("a tenth of the files moved", 10),
        ("every file moved", 1),
        ("moved back", 0),
    ];
    for (round, moved) in rounds {
        let change = graph(nodes, moved);
        let started = Instant::now();
        local.apply_change(&change).expect("SQLite");
        let sqlite = rows / started.elapsed().as_secs_f64();
        let started = Instant::now();
        shared.apply_change(&change).expect("PostgreSQL");
        let postgres = rows / started.elapsed().as_secs_f64();
        let started = Instant::now();
        let done = published.publish(&local, None, &[]).expect("published");
        let seconds = started.elapsed().as_secs_f64();
        println!(
            "bulk, {round}: {rows:.0} rows, SQLite {sqlite:.0} rows/s, PostgreSQL {postgres:.0} rows/s, share {:.2}; \
             publish {:.0} rows/s, share {:.2}, {} written in {seconds:.1} s",
            postgres / sqlite,
            rows / seconds,
            rows / seconds / sqlite,
            done.rows
        );
    }
    let bytes = shared.stats().expect("stats").db_size_bytes;
    println!(
        "tables and indexes: {:.0} bytes for each node and edge of this graph, counted over all rows",
        bytes as f64 / rows
    );
    let reader = PostgresStore::open_read_only(&pool, "measure/publish").expect("reader");
    for (what, ask) in QUESTIONS {
        ask(&local, &id(HUBS), HUBS);
        ask(&reader, &id(HUBS), HUBS);
        let sqlite = times(nodes, &|id, number| ask(&local, id, number));
        let postgres = times(nodes, &|id, number| ask(&reader, id, number));
        println!(
            "{what}: SQLite p50 {:.3} p95 {:.3} ms, PostgreSQL p50 {:.3} p95 {:.3} ms, p95 ratio {:.2}",
            sqlite.0,
            sqlite.1,
            postgres.0,
            postgres.1,
            postgres.1 / sqlite.1
        );
    }
    drop(reader);
    published.remove().expect("removed");
    shared.remove().expect("removed");
}
