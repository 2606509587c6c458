//! The content of an index as text. Two indexes of the same files must have the same.

use ingest::{IndexOptions, chunks_folder};
use search::Filter;
use search::index::Index;
use search::rank::{RankMode, Request, Tuning, search as ranked};
use std::path::Path;
use std::time::Duration;
use store::sqlite::{QueryLimits, SqliteStore};

/// The compared columns of each table: everything but the times of writing and the numbers that SQLite assigned.
const QUERIES: [(&str, &str); 11] = [
    (
        "nodes",
        "SELECT id, symbol, kind, file_path, line_start, line_end, qualified_name, signature, doc, flags, scip_symbol \
         FROM nodes ORDER BY id",
    ),
    (
        "edges",
        "SELECT id, source_id, target_id, edge_type, file_path, line, tier_code, site_code, confidence_set, more_lines \
         FROM edges ORDER BY id",
    ),
    ("files", "SELECT * FROM files ORDER BY path"),
    (
        "relations",
        "SELECT source_id, kind, target_id, file_path, tier_code FROM relations ORDER BY 1, 2, 3, 4",
    ),
    (
        "externals",
        "SELECT u.source_id, s.package, s.symbol, u.line, u.count \
         FROM external_uses u JOIN external_symbols s ON s.id = u.external_id ORDER BY 1, 2, 3",
    ),
    (
        "imports",
        "SELECT source_id, position, line, specifier, target_id, kind, names, flags FROM imports ORDER BY 1, 2",
    ),
    (
        "unresolved calls",
        "SELECT source_id, name, lines FROM unresolved_calls ORDER BY 1, 2",
    ),
    (
        "marks",
        "SELECT source_id, kind, name, detail, lines FROM marks ORDER BY 1, 2, 3, 4",
    ),
    ("virtual edges", "SELECT * FROM virtual_edges ORDER BY id"),
    (
        "metadata",
        "SELECT key, value FROM metadata WHERE key NOT IN ('indexed_at', 'imported') ORDER BY key",
    ),
    (
        "schema",
        "SELECT type, name, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY 1, 2",
    ),
];

/// Questions whose scores depend on the statistics of all chunks.
const ASKED: [&str; 4] = [
    "store of items",
    "total price",
    "make a new square",
    "Report print",
];

/// The rows of the graph, one per line.
pub(crate) fn graph(database: &Path) -> Vec<String> {
    let store = SqliteStore::open_read_only(database).expect("the database opens");
    let limits = QueryLimits {
        rows: usize::MAX,
        time: Duration::from_secs(600),
        memory: u64::MAX,
        ..QueryLimits::default()
    };
    let mut out = Vec::new();
    for (table, sql) in QUERIES {
        let answer = store
            .query(sql, &[], limits.clone())
            .expect("the table is read");
        for row in answer.rows {
            let cells: Vec<String> = row.iter().map(ToString::to_string).collect();
            out.push(format!("{table}: {}", cells.join(" | ")));
        }
    }
    out
}

/// The chunks, one per line, and the results of some questions.
pub(crate) fn chunks(options: &IndexOptions) -> Vec<String> {
    let index = Index::open(&chunks_folder(options)).expect("the search index opens");
    let mut out: Vec<String> = index
        .content_hashes()
        .into_iter()
        .map(|(path, hash)| format!("chunks of {path}: {hash}"))
        .collect();
    let mut chunks = Vec::new();
    index.each_chunk(|c| chunks.push(format!("chunk: {c:?}")));
    chunks.sort();
    out.extend(chunks);
    for query in ASKED {
        let request = Request {
            query,
            mode: RankMode::Keyword,
            limit: 10,
            filter: &Filter::default(),
            min_relevance: 0.0,
            following_relevance: 0.0,
            project: None,
            tuning: &Tuning::default(),
        };
        let answer = ranked(&index, None, &request);
        out.push(format!("asked {query}: {answer:?}"));
    }
    out
}

/// The first lines that only one of the two has; `None` if they agree.
pub(crate) fn difference(ours: &[String], clean: &[String]) -> Option<String> {
    if ours == clean {
        return None;
    }
    let only = |a: &[String], b: &[String]| -> Vec<String> {
        let there: std::collections::BTreeSet<&String> = b.iter().collect();
        let mut lines: Vec<String> = a.iter().filter(|l| !there.contains(l)).cloned().collect();
        lines.truncate(12);
        lines
    };
    Some(format!(
        "only after updates:\n  {}\nonly in a clean build:\n  {}",
        only(ours, clean).join("\n  "),
        only(clean, ours).join("\n  ")
    ))
}
