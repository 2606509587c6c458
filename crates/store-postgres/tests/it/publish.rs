//! Publishing the graph of another store.

use crate::common::{new_name, pool};
use std::cell::Cell;
use std::collections::BTreeMap;
use store::contract::{sample_call, sample_node};
use store::{
    Batch, BatchCount, EdgeRecord, ExternalRecord, FileRecord, GraphChange, GraphStore,
    ImportFlags, ImportKind, ImportRecord, ImportRow, MarkRecord, MarkRow, NodeFlags, NodeRecord,
    RelationRecord, Snapshot, SqliteStore, Stats, StoreError, UnresolvedCallRecord,
    VirtualEdgeRecord,
};
use store_postgres::PostgresStore;

/// A graph with a row in every table.
fn graph(output_hash: &str) -> GraphChange {
    let file = |id: &str, path: &str| NodeRecord {
        kind: "file".to_owned(),
        ..sample_node(id, path, path, 1)
    };
    GraphChange {
        clear_all: true,
        nodes: vec![
            file("fa", "a.ts"),
            file("fb", "b.ts"),
            sample_node("a", "a", "a.ts", 3),
            sample_node("b", "b", "b.ts", 4),
        ],
        edges: vec![sample_call("a", "b", "a.ts", 4)],
        relations: vec![RelationRecord {
            source_id: "a".to_owned(),
            target_id: "b".to_owned(),
            kind: "overrides".to_owned(),
            file_path: "a.ts".to_owned(),
            tier: base::Tier::Scoped,
        }],
        externals: vec![ExternalRecord {
            source_id: "a".to_owned(),
            package: "node:fs".to_owned(),
            symbol: "readFile".to_owned(),
            file_path: "a.ts".to_owned(),
            line: 5,
            count: 2,
        }],
        imports: ["./b", "./b.js", "zod"]
            .into_iter()
            .map(|specifier| ImportRecord {
                source_id: "fa".to_owned(),
                line: 1,
                specifier: specifier.to_owned(),
                target_id: specifier.starts_with('.').then(|| "fb".to_owned()),
                kind: ImportKind::Names,
                names: "b".to_owned(),
                flags: ImportFlags(0),
            })
            .collect(),
        unresolved: vec![UnresolvedCallRecord {
            source_id: "fa".to_owned(),
            name: "get".to_owned(),
            lines: vec![3, 3, 7],
        }],
        marks: vec![MarkRecord {
            source_id: "a".to_owned(),
            kind: base::MarkKind::Decorator,
            name: "x".to_owned(),
            detail: String::new(),
            lines: vec![2],
        }],
        files: vec![FileRecord {
            path: "a.ts".to_owned(),
            output_hash: output_hash.to_owned(),
            ..FileRecord::default()
        }],
        ..GraphChange::default()
    }
}

/// All rows of a store, as text.
fn contents(store: &dyn GraphStore) -> Vec<String> {
    let mut all = Vec::new();
    let mut add = |row: String| all.push(row);
    store.for_each_node(&mut |x| add(format!("{x:?}"))).unwrap();
    store.for_each_edge(&mut |x| add(format!("{x:?}"))).unwrap();
    store
        .for_each_relation(&mut |x| add(format!("{x:?}")))
        .unwrap();
    store
        .for_each_external(&mut |x| add(format!("{x:?}")))
        .unwrap();
    store
        .for_each_import(&mut |x| add(format!("{x:?}")))
        .unwrap();
    store
        .for_each_unresolved(&mut |x| add(format!("{x:?}")))
        .unwrap();
    store.for_each_mark(&mut |x| add(format!("{x:?}"))).unwrap();
    add(format!("{:?}", store.indexed_files().unwrap()));
    all
}

#[test]
fn what_is_published_equals_what_was_indexed() {
    let Some(pool) = pool() else { return };
    let folder = tempfile::TempDir::new().unwrap();
    let mut local = SqliteStore::open(&folder.path().join("graph.db")).unwrap();
    local.apply_change(&graph("1")).unwrap();
    let indexed = contents(&local);
    let mut mine = sample_node("mine", "mine", "notes.md", 1);
    mine.flags = NodeFlags(NodeFlags::MANUAL);
    local.put_node(&mine).unwrap();
    let name = new_name();
    let mut shared = PostgresStore::open(&pool, &name).unwrap();
    let noted = [("indexed_at".to_owned(), "7".to_owned())];
    let first = shared.publish(&local, Some("c0ffee"), &noted).unwrap();
    assert!(!first.was_current);
    let published = PostgresStore::open_read_only(&pool, &name).unwrap();
    assert_eq!(contents(&published), indexed, "rows by hand stay at home");
    assert_eq!(published.metadata("indexed_at").unwrap().unwrap(), "7");
    drop(published);
    // A publication without changes leaves readers as they are, whatever happens to their connections.
    let version = |name: &str| -> i64 {
        let sql = "SELECT version FROM knotwork.repositories WHERE name = $1";
        let mut client = crate::common::running().unwrap().client_of("postgres");
        client.query_one(sql, &[&name]).unwrap().get(0)
    };
    let before = version(&name);
    let again = shared.publish(&local, Some("c0ffee"), &noted).unwrap();
    assert_eq!((again.was_current, again.rows), (true, 0));
    assert_eq!(version(&name), before);
    local.apply_change(&graph("2")).unwrap();
    shared.publish(&local, Some("beef"), &noted).unwrap();
    assert_eq!(version(&name), before + 1);
}

#[test]
fn virtual_edges_are_published_with_the_graph() {
    let Some(pool) = pool() else { return };
    let folder = tempfile::TempDir::new().unwrap();
    let mut local = SqliteStore::open(&folder.path().join("graph.db")).unwrap();
    local.apply_change(&graph("1")).unwrap();
    let edge = |id: &str, confidence: f64| VirtualEdgeRecord {
        id: id.to_owned(),
        source_repo: "shop".to_owned(),
        source_symbol: "load".to_owned(),
        target_repo: "shop".to_owned(),
        target_symbol: "read".to_owned(),
        edge_type: "VIRTUAL_CALLS".to_owned(),
        contract_type: "http".to_owned(),
        confidence,
        detail: store::VirtualEdgeDetail::default(),
    };
    let mut shared = PostgresStore::open(&pool, &new_name()).unwrap();
    let mut publish = |virtual_edges: &[VirtualEdgeRecord]| {
        let publication = store::Publication {
            graph: &local,
            texts: None,
            commit: None,
            metadata: &[],
            virtual_edges,
        };
        let published = shared.publish_all(&publication).unwrap();
        (
            published.was_current,
            shared.virtual_edges(None, 0.0).unwrap(),
        )
    };
    let both = [edge("1", 0.9), edge("2", 0.6)];
    assert_eq!(publish(&both), (false, both.to_vec()));
    assert_eq!(
        publish(&both),
        (true, both.to_vec()),
        "nothing is written again"
    );
    let one = [edge("2", 0.7)];
    assert_eq!(publish(&one), (false, one.to_vec()));
    assert_eq!(publish(&[]), (false, Vec::new()));
}

#[test]
fn a_new_graph_replaces_the_old_one_and_keeps_what_people_put_there() {
    let Some(pool) = pool() else { return };
    let folder = tempfile::TempDir::new().unwrap();
    let mut local = SqliteStore::open(&folder.path().join("graph.db")).unwrap();
    local.apply_change(&graph("1")).unwrap();
    let mut shared = PostgresStore::open(&pool, &new_name()).unwrap();
    shared.publish(&local, None, &[]).unwrap();
    let mut theirs = sample_node("theirs", "theirs", "notes.md", 1);
    theirs.flags = NodeFlags(NodeFlags::MANUAL);
    shared.put_node(&theirs).unwrap();
    let mut next = graph("2");
    next.nodes[2].line_start = Some(30);
    local.apply_change(&next).unwrap();
    assert!(!shared.publish(&local, None, &[]).unwrap().was_current);
    assert_eq!(shared.node("a").unwrap().unwrap().line_start, Some(30));
    assert_eq!(shared.node("theirs").unwrap(), Some(theirs));
    assert_eq!(shared.stats().unwrap().nodes, 5);
}

/// A graph of files that call each other, each with a hash of its rows. Those of `moved` are some lines further down.
fn files(count: u32, moved: &[u32]) -> GraphChange {
    let mut change = GraphChange {
        clear_all: true,
        ..GraphChange::default()
    };
    for n in 0..count {
        let path = format!("f{n}.ts");
        let by = 7 * u32::from(moved.contains(&n));
        let file = NodeRecord {
            kind: "file".to_owned(),
            ..sample_node(&format!("f{n}"), &path, &path, 1)
        };
        change.nodes.push(file);
        let name = format!("n{n}");
        change.nodes.push(sample_node(&name, &name, &path, 3 + by));
        let mut call = sample_call(&name, &format!("n{}", (n + 1) % count), &path, 4 + by);
        call.id = format!("e{n}");
        change.edges.push(call);
        change.externals.push(ExternalRecord {
            source_id: name,
            package: "node:fs".to_owned(),
            symbol: "readFile".to_owned(),
            file_path: path.clone(),
            line: 5 + by,
            count: 2,
        });
        change.imports.push(ImportRecord {
            source_id: format!("f{n}"),
            line: 1 + by,
            specifier: "./x".to_owned(),
            target_id: Some(format!("f{}", (n + 1) % count)),
            kind: ImportKind::Names,
            names: "x".to_owned(),
            flags: ImportFlags(0),
        });
        change.files.push(FileRecord {
            path,
            output_hash: format!("{by} {}", (n + 1) % count),
            ..FileRecord::default()
        });
    }
    change
}

#[test]
fn only_rows_that_differ_are_written() {
    let Some(pool) = pool() else { return };
    let folder = tempfile::TempDir::new().unwrap();
    let mut local = SqliteStore::open(&folder.path().join("graph.db")).unwrap();
    let name = new_name();
    let mut shared = PostgresStore::open(&pool, &name).unwrap();
    let mut publish = |change: &GraphChange| {
        local.apply_change(change).unwrap();
        let done = shared.publish(&local, None, &[]).unwrap();
        let there = PostgresStore::open_read_only(&pool, &name).unwrap();
        assert_eq!(contents(&there), contents(&local));
        done.rows
    };
    let all = publish(&files(20, &[]));
    assert_eq!(all, 20 * 6);
    // A node, an edge, a use, an import and a file are each updated in place; the file's own node stays.
    assert_eq!(publish(&files(20, &[4])), 5);
    assert_eq!(publish(&files(20, &[])), 5);
    // Files are added and removed: the last of the old files now calls another one and imports it.
    assert_eq!(publish(&files(22, &[])), 2 * 6 + 3);
    assert_eq!(publish(&files(19, &[0, 7])), 2 * 5 + 3);
    // The rows of these files are unknown.
    let mut unknown = files(19, &[0, 7, 8]);
    let some = unknown.files.iter_mut().take(9);
    some.for_each(|file| file.output_hash.clear());
    assert_eq!(publish(&unknown), 4 + 9);
    // If most files differ, all rows are compared.
    unknown.files.iter_mut().for_each(|f| f.output_hash.clear());
    assert_eq!(publish(&unknown), 10);
}

#[test]
fn a_change_of_everything_writes_what_differs() {
    let Some(pool) = pool() else { return };
    let mut shared = PostgresStore::open(&pool, &new_name()).unwrap();
    shared.apply_change(&files(9, &[])).unwrap();
    let mut theirs = sample_node("theirs", "theirs", "notes.md", 1);
    theirs.flags = NodeFlags(NodeFlags::MANUAL);
    shared.put_node(&theirs).unwrap();
    let mut edge = sample_call("theirs", "n8", "notes.md", 1);
    edge.tier = base::Tier::Manual;
    shared.put_edge(&edge).unwrap();
    shared.apply_change(&files(9, &[2])).unwrap();
    assert_eq!(shared.node("n2").unwrap().unwrap().line_start, Some(10));
    assert!(shared.edge(&edge.id).unwrap().is_some());
    shared.apply_change(&files(3, &[])).unwrap();
    let stats = shared.stats().unwrap();
    assert_eq!((stats.nodes, stats.edges), (7, 3));
    assert_eq!(shared.node("theirs").unwrap(), Some(theirs));
}

/// A store in which something happens once while it is read.
pub(crate) struct Breaking<'a> {
    pub(crate) inner: &'a mut dyn GraphStore,
    /// Called after the first edge was read.
    pub(crate) at_edges: Cell<Option<Box<dyn FnOnce() + Send + 'a>>>,
}

macro_rules! pass_on {
    ($($name:ident($($arg:ident: $kind:ty),*) -> $gives:ty;)*) => {$(
        fn $name(&self, $($arg: $kind),*) -> Result<$gives, StoreError> {
            self.inner.$name($($arg),*)
        }
    )*};
}

macro_rules! refuse {
    ($($name:ident($($arg:ident: $kind:ty),*) -> $gives:ty;)*) => {$(
        fn $name(&mut self, $($arg: $kind),*) -> Result<$gives, StoreError> {
            $(let _ = $arg;)*
            Err(StoreError::Refused("it is only read".to_owned()))
        }
    )*};
}

impl GraphStore for Breaking<'_> {
    fn for_each_edge(&self, visit: &mut dyn FnMut(EdgeRecord)) -> Result<(), StoreError> {
        self.inner.for_each_edge(&mut |edge| {
            visit(edge);
            if let Some(happens) = self.at_edges.take() {
                happens();
            }
        })
    }

    pass_on! {
        node(id: &str) -> Option<NodeRecord>;
        edge(id: &str) -> Option<EdgeRecord>;
        edges_from(id: &str, only: Option<base::EdgeType>) -> Vec<EdgeRecord>;
        edges_to(id: &str, only: Option<base::EdgeType>) -> Vec<EdgeRecord>;
        find_symbol(name: &str) -> Vec<NodeRecord>;
        find_file(path: &str) -> Vec<NodeRecord>;
        orphans(most: usize) -> (Vec<NodeRecord>, usize);
        shortest_path(from: &str, to: &str, most: u32, types: &[base::EdgeType]) -> Option<Vec<EdgeRecord>>;
        stats() -> Stats;
        indexed_files() -> BTreeMap<String, FileRecord>;
        metadata(key: &str) -> Option<String>;
        relations_from(id: &str) -> Vec<RelationRecord>;
        relations_to(id: &str) -> Vec<RelationRecord>;
        unresolved_calls(name: &str) -> Vec<(String, Vec<u32>)>;
        unresolved_calls_in(file: &str) -> Vec<(String, Vec<u32>)>;
        externals_of(id: &str) -> Vec<ExternalRecord>;
        virtual_edges(symbol: Option<&str>, least: f64) -> Vec<VirtualEdgeRecord>;
        snapshot() -> Snapshot;
        for_each_relation(visit: &mut dyn FnMut(RelationRecord)) -> ();
        for_each_external(visit: &mut dyn FnMut(ExternalRecord)) -> ();
        for_each_import(visit: &mut dyn FnMut(ImportRow<'_>)) -> ();
        for_each_mark(visit: &mut dyn FnMut(MarkRow<'_>)) -> ();
        for_each_unresolved(visit: &mut dyn FnMut(UnresolvedCallRecord)) -> ();
        for_each_node(visit: &mut dyn FnMut(NodeRecord)) -> ();
    }

    refuse! {
        put_node(node: &NodeRecord) -> ();
        delete_node(id: &str) -> bool;
        put_edge(edge: &EdgeRecord) -> ();
        delete_edge(id: &str) -> bool;
        batch_import(batch: &Batch) -> BatchCount;
        apply_change(change: &GraphChange) -> ();
        set_metadata(key: &str, value: &str) -> ();
        put_virtual_edges(edges: &[VirtualEdgeRecord]) -> ();
        delete_virtual_edges(ids: &[String]) -> usize;
    }
}
