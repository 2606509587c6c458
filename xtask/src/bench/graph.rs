//! A large generated graph for measurements, and the bare cost of looking up symbols in SQLite.

use anyhow::{Result, bail};
use base::{EdgeType, Site, Tier};
use std::path::Path;
use std::time::{Duration, Instant};
use store::sqlite::QueryLimits;
use store::{EdgeRecord, GraphChange, GraphStore, NodeRecord, SqliteStore};

const NODES: u64 = 200_000;
const CALLS: u64 = 5;
/// The number of functions per file. They mostly call each other.
const FILE: u64 = 40;
/// The number of functions that any other may call.
const HUBS: u64 = 200;

/// Pseudo-random numbers, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        // Knuth's MMIX generator; its low bits are weak.
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % limit
    }
}

/// Writes a graph of 200,000 functions and a million calls: two thirds within a file, most others to
/// files before it, some to hubs. Gives the number of edges.
pub fn generate(database: &Path) -> Result<usize> {
    let mut store = SqliteStore::open(database)?;
    let mut numbers = Numbers(1);
    let mut change = GraphChange {
        nodes: (0..NODES).map(node).collect(),
        ..GraphChange::default()
    };
    for from in 0..NODES {
        for line in 0..CALLS {
            let to = match numbers.below(100) {
                0..65 => from / FILE * FILE + numbers.below(FILE),
                65..97 => numbers.below(from + 1),
                _ => numbers.below(HUBS),
            };
            change.edges.push(edge(from, to, line));
        }
    }
    let edges = change.edges.len();
    store.apply_change(&change)?;
    Ok(edges)
}

fn id(number: u64) -> String {
    format!("n{number:08}")
}

fn path(number: u64) -> String {
    let file = number / FILE;
    format!("src/part{}/file{file}.ts", file / 50)
}

fn node(number: u64) -> NodeRecord {
    let line = (number % FILE * 10 + 1) as u32;
    NodeRecord {
        id: id(number),
        symbol: format!("function{number}"),
        kind: "function".to_owned(),
        file_path: path(number),
        line_start: Some(line),
        line_end: Some(line + 8),
        ..NodeRecord::default()
    }
}

fn edge(from: u64, to: u64, line: u64) -> EdgeRecord {
    let tier = Tier::Typed;
    EdgeRecord {
        id: format!("e{from:08}{line}"),
        source_id: id(from),
        target_id: id(to),
        edge_type: EdgeType::Calls,
        file_path: Some(path(from)),
        line: Some((from % FILE * 10 + 2 + line) as u32),
        tier,
        confidence: tier.default_confidence(),
        more_lines: Vec::new(),
        site: Some(Site::Call),
    }
}

/// Names of functions, spread over the graph. Each name has one definition, because a query by an ambiguous name fails.
pub fn symbols(database: &Path, count: usize) -> Result<Vec<String>> {
    let sql = "SELECT coalesce(qualified_name, symbol) FROM nodes \
               WHERE kind IN ('function', 'method') \
               AND symbol IN (SELECT symbol FROM nodes GROUP BY symbol HAVING count(*) = 1) ORDER BY id";
    let limits = QueryLimits {
        rows: usize::MAX,
        time: Duration::from_secs(60),
        memory: u64::MAX,
        ..QueryLimits::default()
    };
    let store = SqliteStore::open_read_only(database)?;
    let rows = store.query(sql, &[], limits)?.rows;
    let step = (rows.len() / count).max(1);
    let names = rows.iter().step_by(step).take(count);
    let names = names.filter_map(|row| Some(row.first()?.as_str()?.to_owned()));
    let names: Vec<String> = names.collect();
    if names.is_empty() {
        bail!("no function in the graph");
    }
    Ok(names)
}

/// Times of lookups by name in this process.
pub fn look_ups(database: &Path, symbols: &[String]) -> Result<Vec<Duration>> {
    let store = SqliteStore::open_read_only(database)?;
    let mut times = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        let started = Instant::now();
        std::hint::black_box(store.find_symbol(symbol)?);
        times.push(started.elapsed());
    }
    Ok(times)
}
