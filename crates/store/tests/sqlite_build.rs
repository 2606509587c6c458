//! Building a whole database at once: it has the same rows as applying a change, and keeps the right rows of the old
//! one.

use base::{EdgeType, FileKey, MarkKind, NodeId, Site, Tier};
use std::path::Path;
use std::time::Duration;
use store::{
    EdgeRecord, FileGraph, FileRecord, GraphChange, GraphEdge, GraphExternal, GraphImport,
    GraphMark, GraphStore, ImportFlags, ImportKind, NodeFlags, NodeRecord, RelationRecord,
    SqliteBuild, SqliteStore, UnresolvedName, WriterLock,
};

const WAIT: Duration = Duration::from_secs(2);

/// `count` files, each with two functions of which the first calls one of the next file.
fn graphs(count: u64) -> Vec<FileGraph> {
    let id = |file: u64, local: u32| NodeId::new(FileKey::new(file % count), local);
    let node = |file: u64, local: u32| NodeRecord {
        id: id(file, local).to_string(),
        symbol: format!("f{local}"),
        kind: "function".to_owned(),
        file_path: format!("src/{file}.rs"),
        line_start: Some(local + 1),
        line_end: Some(local + 2),
        flags: NodeFlags(NodeFlags::EXPORTED),
        ..NodeRecord::default()
    };
    let graph = |file: u64| FileGraph {
        path: format!("src/{file}.rs"),
        nodes: vec![node(file, 1), node(file, 2)],
        edges: vec![GraphEdge {
            id: id(file, 9),
            source: id(file, 1),
            target: id(file + 1, 2),
            edge_type: EdgeType::Calls,
            site: Some(Site::Call),
            tier: Tier::Typed,
            confidence: 0.49,
            line: 3,
            more_lines: vec![5, 8],
        }],
        relations: vec![RelationRecord {
            source_id: id(file, 1).to_string(),
            target_id: id(file, 2).to_string(),
            kind: "overrides".to_owned(),
            file_path: format!("src/{file}.rs"),
            tier: Tier::Typed,
        }],
        externals: vec![GraphExternal {
            source: id(file, 2),
            package: "std".into(),
            symbol: format!("s{}", file % 3).into(),
            line: 4,
            count: 2,
        }],
        imports: vec![GraphImport {
            source: id(file, 1),
            line: 1,
            specifier: format!("m{}", file + 1),
            target: (file + 1 < count).then(|| id(file + 1, 1)),
            kind: ImportKind::Names,
            names: "a,b".to_owned(),
            flags: ImportFlags(ImportFlags::REEXPORT),
        }],
        unresolved: vec![UnresolvedName {
            source: id(file, 1),
            name: "get".to_owned(),
            lines: vec![4, 4, 7],
        }],
        marks: vec![GraphMark {
            source: id(file, 2),
            kind: MarkKind::Decorator,
            name: format!("app.m{file}"),
            detail: "1".to_owned(),
            lines: vec![3],
        }],
    };
    (0..count).map(graph).collect()
}

fn files(graphs: &[FileGraph]) -> Vec<FileRecord> {
    let record = |g: &FileGraph| FileRecord {
        path: g.path.clone(),
        language: "rust".to_owned(),
        ..FileRecord::default()
    };
    graphs.iter().map(record).collect()
}

fn build(path: &Path, graphs: &[FileGraph], old: Option<SqliteStore>) -> SqliteStore {
    let lock = match old {
        Some(_) => None,
        None => Some(WriterLock::acquire(path, WAIT).unwrap()),
    };
    let mut build = SqliteBuild::start(path).unwrap();
    for graph in graphs {
        build.add_file(graph).unwrap();
    }
    let metadata = [("indexed_at".to_owned(), "7".to_owned())];
    build
        .finish_and_replace(old, lock, &files(graphs), &metadata)
        .unwrap()
}

/// All rows of a store.
fn rows(store: &SqliteStore) -> (Vec<NodeRecord>, Vec<EdgeRecord>, Vec<String>) {
    let (mut nodes, mut edges, mut rest) = (Vec::new(), Vec::new(), Vec::new());
    store.for_each_node(&mut |n| nodes.push(n)).unwrap();
    store.for_each_edge(&mut |e| edges.push(e)).unwrap();
    store
        .for_each_relation(&mut |r| rest.push(format!("{r:?}")))
        .unwrap();
    store
        .for_each_external(&mut |x| rest.push(format!("{x:?}")))
        .unwrap();
    let imports = store.query("SELECT * FROM imports", &[], Default::default());
    let imports = imports.unwrap().rows;
    rest.extend(imports.iter().map(|row| format!("{row:?}")));
    let unresolved = store.query("SELECT * FROM unresolved_calls", &[], Default::default());
    let unresolved = unresolved.unwrap().rows;
    rest.extend(unresolved.iter().map(|row| format!("{row:?}")));
    let marks = store.query("SELECT * FROM marks", &[], Default::default());
    rest.extend(marks.unwrap().rows.iter().map(|row| format!("{row:?}")));
    rest.extend(
        store
            .indexed_files()
            .unwrap()
            .values()
            .map(|f| format!("{f:?}")),
    );
    (nodes, edges, rest)
}

#[test]
fn a_build_gives_the_rows_that_applying_gives() {
    let folder = tempfile::tempdir().unwrap();
    let graphs = graphs(40);
    let built = build(&folder.path().join("a.db"), &graphs, None);
    let mut applied = SqliteStore::open(&folder.path().join("b.db")).unwrap();
    let mut change = GraphChange {
        clear_all: true,
        files: files(&graphs),
        ..GraphChange::default()
    };
    graphs.into_iter().for_each(|g| change.add_file(g));
    applied.apply_change(&change).unwrap();
    let (ours, theirs) = (rows(&built), rows(&applied));
    assert_eq!((ours.0.len(), ours.1.len()), (80, 40));
    assert_eq!(ours, theirs);
    built.check_integrity().unwrap();
    let schema = |store: &SqliteStore| {
        let sql = "SELECT name FROM sqlite_master ORDER BY name";
        format!(
            "{:?}",
            store.query(sql, &[], Default::default()).unwrap().rows
        )
    };
    assert_eq!(schema(&built), schema(&applied));
}

#[test]
fn what_was_put_by_hand_stays_and_the_rest_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.db");
    let mut old = build(&path, &graphs(9), None);
    let by_hand = NodeRecord {
        id: "hand".to_owned(),
        symbol: "hand".to_owned(),
        kind: "function".to_owned(),
        file_path: "notes".to_owned(),
        flags: NodeFlags(NodeFlags::MANUAL),
        ..NodeRecord::default()
    };
    old.put_node(&by_hand).unwrap();
    old.set_metadata("mine", "kept").unwrap();
    drop(old);
    let old = SqliteStore::open_writer(&path, WAIT).unwrap();
    let new = build(&path, &graphs(4), Some(old));
    assert_eq!(new.node("hand").unwrap(), Some(by_hand));
    assert_eq!(new.metadata("mine").unwrap().as_deref(), Some("kept"));
    assert_eq!(
        (
            new.indexed_files().unwrap().len(),
            new.node_and_edge_counts().unwrap().0
        ),
        (4, 9)
    );
    assert!(WriterLock::acquire(&path, Duration::ZERO).is_err());
    drop(new);
    assert!(WriterLock::acquire(&path, Duration::ZERO).is_ok());
}

#[test]
fn readers_of_the_old_database_see_old_or_new_and_nothing_between() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.db");
    drop(build(&path, &graphs(9), None));
    let reader = SqliteStore::open_read_only(&path).unwrap();
    assert_eq!(reader.node_and_edge_counts().unwrap().0, 18);
    let old = SqliteStore::open_writer(&path, WAIT).unwrap();
    let new = build(&path, &graphs(4), Some(old));
    assert_eq!(new.node_and_edge_counts().unwrap().0, 8);
    assert!([18, 8].contains(&reader.node_and_edge_counts().unwrap().0));
    assert_eq!(
        SqliteStore::open_read_only(&path)
            .unwrap()
            .node_and_edge_counts()
            .unwrap()
            .0,
        8
    );
    drop((reader, new));
    SqliteStore::open(&path).unwrap().check_integrity().unwrap();
}

#[test]
fn a_build_that_is_given_up_leaves_no_file_and_the_old_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph.db");
    drop(build(&path, &graphs(3), None));
    // As a killed process would leave it.
    std::fs::write(folder.path().join("graph.db.building"), "half").unwrap();
    let mut given_up = SqliteBuild::start(&path).unwrap();
    given_up.add_file(&graphs(5)[0]).unwrap();
    drop(given_up);
    let mut names: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .filter(|n| !n.ends_with("-wal") && !n.ends_with("-shm"))
        .collect();
    names.sort();
    assert_eq!(names, ["graph.db", "graph.db.lock"]);
    assert_eq!(
        SqliteStore::open_read_only(&path)
            .unwrap()
            .node_and_edge_counts()
            .unwrap()
            .0,
        6
    );
}
