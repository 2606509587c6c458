//! An update only writes rows that differ.

#![allow(clippy::unwrap_used)]

use base::{EdgeType, MarkKind, Tier};
use store::sqlite::{QueryLimits, SqliteStore};
use store::{
    EdgeRecord, ExternalRecord, GraphChange, GraphStore, ImportFlags, ImportKind, ImportRecord,
    MarkRecord, NodeRecord, RelationRecord,
};
use tempfile::TempDir;

const FILE: &str = "src/a.ts";

fn node(id: &str, line: u32) -> NodeRecord {
    NodeRecord {
        id: id.to_owned(),
        symbol: format!("name_{id}"),
        kind: "function".to_owned(),
        file_path: FILE.to_owned(),
        line_start: Some(line),
        line_end: Some(line + 1),
        ..NodeRecord::default()
    }
}

fn edge(id: &str, source: &str, target: &str, line: u32) -> EdgeRecord {
    EdgeRecord {
        id: id.to_owned(),
        source_id: source.to_owned(),
        target_id: target.to_owned(),
        edge_type: EdgeType::Calls,
        file_path: Some(FILE.to_owned()),
        line: Some(line),
        tier: Tier::Scoped,
        confidence: Tier::Scoped.default_confidence(),
        more_lines: Vec::new(),
        site: None,
    }
}

fn external(source: &str, symbol: &str, count: u32) -> ExternalRecord {
    ExternalRecord {
        source_id: source.to_owned(),
        package: "lib".to_owned(),
        symbol: symbol.to_owned(),
        file_path: FILE.to_owned(),
        line: 3,
        count,
    }
}

fn relation(source: &str, target: &str, tier: Tier) -> RelationRecord {
    RelationRecord {
        source_id: source.to_owned(),
        target_id: target.to_owned(),
        kind: "extends".to_owned(),
        file_path: FILE.to_owned(),
        tier,
    }
}

fn file_node(id: &str) -> NodeRecord {
    NodeRecord {
        kind: "file".to_owned(),
        ..node(id, 1)
    }
}

fn import(source: &str, line: u32, specifier: &str) -> ImportRecord {
    ImportRecord {
        source_id: source.to_owned(),
        line,
        specifier: specifier.to_owned(),
        target_id: None,
        kind: ImportKind::Module,
        names: String::new(),
        flags: ImportFlags(0),
    }
}

fn mark(source: &str, name: &str, line: u32) -> MarkRecord {
    MarkRecord {
        source_id: source.to_owned(),
        kind: MarkKind::Decorator,
        name: name.to_owned(),
        detail: String::new(),
        lines: vec![line],
    }
}

fn change() -> GraphChange {
    GraphChange {
        clear_files: vec![FILE.to_owned()],
        nodes: vec![file_node("f"), node("a", 1), node("b", 5), node("c", 9)],
        edges: vec![edge("e1", "a", "b", 2), edge("e2", "b", "c", 6)],
        relations: vec![
            relation("a", "b", Tier::Typed),
            relation("b", "c", Tier::Typed),
        ],
        externals: vec![external("a", "x", 1), external("b", "y", 2)],
        imports: vec![import("f", 1, "./x"), import("f", 2, "./y")],
        marks: vec![mark("a", "x", 1), mark("b", "y", 5), mark("b", "x", 4)],
        ..GraphChange::default()
    }
}

/// Everything that an update of the file may write, as one text per row.
fn rows(store: &SqliteStore) -> Vec<String> {
    let sql = "SELECT 'n ' || id || ' ' || symbol || ' ' || coalesce(line_start, '') FROM nodes \
        UNION ALL SELECT 'e ' || id || ' ' || source_id || target_id || ' ' || line || ' ' || coalesce(more_lines, '') FROM edges \
        UNION ALL SELECT 'r ' || source_id || target_id || ' ' || tier FROM relations \
        UNION ALL SELECT 'i ' || source_id || ' ' || position || ' ' || specifier || ' ' || line FROM imports \
        UNION ALL SELECT 'm ' || source_id || ' ' || kind || ' ' || name || ' ' || lines FROM marks \
        UNION ALL SELECT 'x ' || source_id || ' ' || symbol || ' ' || line || ' ' || count FROM externals ORDER BY 1";
    let limits = QueryLimits {
        rows: 1_000,
        time: std::time::Duration::from_secs(10),
        memory: u64::MAX,
        ..QueryLimits::default()
    };
    let rows = store.query(sql, &[], limits).unwrap().rows;
    rows.iter()
        .map(|r| r[0].as_str().unwrap().to_owned())
        .collect()
}

/// The row numbers of nodes and edges in their tables.
fn places(path: &std::path::Path) -> Vec<(String, i64, i64)> {
    let connection = rusqlite::Connection::open(path).unwrap();
    let sql = "SELECT id, rowid, created_at FROM nodes UNION ALL SELECT id, rowid, created_at FROM edges ORDER BY 1";
    let mut statement = connection.prepare(sql).unwrap();
    let found = statement.query_map([], |r| Ok((r.get(0)?, r.get(1)?, r.get(2)?)));
    found.unwrap().collect::<Result<_, _>>().unwrap()
}

#[test]
fn rows_that_stay_are_not_written_and_others_are_as_in_a_new_store() {
    let mut more = change();
    more.nodes.push(node("d", 20));
    more.edges.push(edge("e3", "d", "a", 21));
    let mut moved = change();
    moved.nodes[2] = node("b", 50);
    moved.imports[1].line = 3;
    moved.marks[2].lines = vec![40, 41];
    moved.edges[1].line = Some(51);
    moved.edges[1].more_lines = vec![60, 61];
    let mut other = change();
    other.imports.swap(0, 1);
    other.marks[0].source_id = "c".to_owned();
    other.nodes[3].symbol = "renamed".to_owned();
    other.nodes[3].doc = Some("What it does.".to_owned());
    other.edges[0].target_id = "c".to_owned();
    other.relations[0].tier = Tier::Named;
    other.externals = vec![
        external("a", "x", 4),
        external("a", "x", 3),
        external("c", "z", 1),
    ];
    let mut less = change();
    less.nodes.pop();
    less.edges.pop();
    less.relations.pop();
    less.externals.clear();
    less.imports.remove(0);
    less.marks.retain(|mark| mark.name == "x");
    let twice = {
        let mut twice = change();
        twice.nodes.push(NodeRecord {
            symbol: "second".to_owned(),
            ..node("a", 70)
        });
        twice.edges.push(edge("e1", "c", "c", 71));
        twice
    };
    let mut last = GraphChange::default();
    last.nodes.push(NodeRecord {
        file_path: "src/z.ts".to_owned(),
        ..node("z", 1)
    });
    last.edges.push(edge("e9", "z", "a", 2));
    for (what, next) in [
        ("more", more),
        ("moved", moved),
        ("other", other),
        ("less", less),
        ("twice", twice),
    ] {
        let (one, new) = (TempDir::new().unwrap(), TempDir::new().unwrap());
        let path = one.path().join("graph.db");
        let mut store = SqliteStore::open(&path).unwrap();
        store.apply_change(&change()).unwrap();
        // Inserted after them, so that none returns to its former position by chance.
        store.apply_change(&last).unwrap();
        let before = places(&path);
        store.apply_change(&next).unwrap();
        let mut fresh = SqliteStore::open(&new.path().join("graph.db")).unwrap();
        fresh.apply_change(&next).unwrap();
        fresh.apply_change(&last).unwrap();
        assert_eq!(rows(&store), rows(&fresh), "{what}");
        assert!(store.check_integrity().is_ok(), "{what}");
        let after = places(&path);
        let stays =
            |id: &str| before.iter().find(|b| b.0 == id) == after.iter().find(|a| a.0 == id);
        assert!(stays("a"), "{what}: {before:?} {after:?}");
        assert_eq!(
            stays("c"),
            what != "other" && what != "less",
            "{what}: {after:?}"
        );
    }
}
