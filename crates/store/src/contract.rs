//! The contract of every backend: one test suite that runs over each of them.
//!
//! The test file of a backend calls `store::contract_tests!(fresh);`, where `fresh()` returns an empty store and a
//! guard that must live as long.

mod rows;

pub use rows::{
    imports_go_with_their_file_and_lead_nowhere_when_their_target_is_gone,
    marks_go_with_the_node_that_has_them,
    unresolved_calls_are_found_by_name_and_go_with_their_file,
};

use crate::{
    Batch, EdgeRecord, ExternalRecord, FileRecord, GraphChange, GraphStore, Name, Names, Neighbor,
    NodeFlags, NodeRecord, RelationRecord, Snapshot, StoreError, UseRow, VirtualEdgeDetail,
    VirtualEdgeRecord,
};
use base::{EdgeType, Site, Tier};
use serde_json::json;

/// Makes one `#[test]` of every function of the suite. `$fresh` is a callable expression that returns `(guard, store)`.
#[macro_export]
macro_rules! contract_tests {
    ($fresh:path) => {
        $crate::contract_tests!(@each $fresh:
            ac_001_every_edge_type_can_be_written_read_changed_and_deleted
            ct_gs_001_records_survive_the_store
            ct_gs_002_an_edge_needs_both_ends
            ct_gs_003_a_bad_record_rolls_the_whole_batch_back
            ct_gs_003_a_batch_counts_what_it_brought
            a_node_is_deleted_with_its_edges
            find_symbol_takes_names_and_dotted_names
            orphans_have_no_user
            paths_are_shortest_and_respect_depth_and_type
            stats_count_every_type
            apply_replaces_only_the_files_given
            apply_with_a_missing_end_changes_nothing
            a_full_build_keeps_what_was_put_in_by_hand
            externals_and_relations_go_with_their_file
            a_relation_stays_while_one_file_says_it
            imports_go_with_their_file_and_lead_nowhere_when_their_target_is_gone
            unresolved_calls_are_found_by_name_and_go_with_their_file
            marks_go_with_the_node_that_has_them
            virtual_edges_are_found_by_symbol_and_confidence
            a_snapshot_equals_the_store
            an_empty_graph_answers
        );
    };
    (@each $fresh:path: $($name:ident)*) => {$(
        #[test]
        fn $name() {
            let fresh = $crate::contract::Fresh::into_option($fresh());
            if let Some((_guard, mut store)) = fresh {
                $crate::contract::$name(&mut store);
            }
        }
    )*};
}

/// The result of `fresh()`: a guard and a store, or nothing if this machine cannot run the backend.
pub trait Fresh {
    /// The guard.
    type Guard;
    /// The store.
    type Store: GraphStore;
    /// Both, if available.
    fn into_option(self) -> Option<(Self::Guard, Self::Store)>;
}

impl<G, S: GraphStore> Fresh for (G, S) {
    type Guard = G;
    type Store = S;
    fn into_option(self) -> Option<(G, S)> {
        Some(self)
    }
}

impl<G, S: GraphStore> Fresh for Option<(G, S)> {
    type Guard = G;
    type Store = S;
    fn into_option(self) -> Option<(G, S)> {
        self
    }
}

/// A node as the indexer writes it.
pub fn sample_node(id: &str, symbol: &str, file: &str, line: u32) -> NodeRecord {
    NodeRecord {
        id: id.to_owned(),
        symbol: symbol.to_owned(),
        kind: "function".to_owned(),
        file_path: file.to_owned(),
        line_start: Some(line),
        line_end: Some(line + 2),
        ..NodeRecord::default()
    }
}

/// A CALLS edge as the indexer writes it.
pub fn sample_call(source: &str, target: &str, file: &str, line: u32) -> EdgeRecord {
    let mut edge = EdgeRecord {
        id: String::new(),
        source_id: source.to_owned(),
        target_id: target.to_owned(),
        edge_type: EdgeType::Calls,
        file_path: Some(file.to_owned()),
        line: Some(line),
        tier: Tier::Typed,
        confidence: Tier::Typed.default_confidence(),
        site: Some(Site::Call),
        more_lines: Vec::new(),
    };
    edge.id = edge.fingerprint();
    edge
}

/// An edge as if a person had added it.
fn as_manual(mut edge: EdgeRecord) -> EdgeRecord {
    edge.tier = Tier::Manual;
    edge.confidence = 1.0;
    edge.site = None;
    edge
}

fn put_nodes(store: &mut dyn GraphStore, ids: &[&str]) {
    for (line, id) in ids.iter().enumerate() {
        let mut node = sample_node(id, id, "src/a.ts", line as u32 * 10 + 1);
        node.flags = NodeFlags(NodeFlags::MANUAL);
        store.put_node(&node).expect("put node");
    }
}

fn ids(nodes: &[NodeRecord]) -> Vec<&str> {
    nodes.iter().map(|n| n.id.as_str()).collect()
}

fn all_nodes(store: &dyn GraphStore) -> Vec<NodeRecord> {
    let mut all = Vec::new();
    store.for_each_node(&mut |n| all.push(n)).expect("nodes");
    all
}

fn all_edges(store: &dyn GraphStore) -> Vec<EdgeRecord> {
    let mut all = Vec::new();
    store.for_each_edge(&mut |e| all.push(e)).expect("edges");
    all
}

/// AC-001: edges of all four types can be created, read, updated and deleted.
pub fn ac_001_every_edge_type_can_be_written_read_changed_and_deleted(store: &mut dyn GraphStore) {
    put_nodes(store, &["a", "b", "c"]);
    for edge_type in EdgeType::ALL {
        let mut edge = as_manual(sample_call("a", "b", "src/a.ts", 3));
        edge.id = format!("e-{edge_type}");
        edge.edge_type = edge_type;
        store.put_edge(&edge).expect("create");
        assert_eq!(store.edge(&edge.id).expect("read"), Some(edge.clone()));
        edge.target_id = "c".to_owned();
        edge.line = None;
        edge.confidence = 0.25;
        store.put_edge(&edge).expect("update");
        assert_eq!(store.edge(&edge.id).expect("read"), Some(edge.clone()));
        assert_eq!(
            store.edges_from("a", Some(edge_type)).expect("from"),
            [edge.clone()]
        );
        assert_eq!(
            store.edges_to("c", Some(edge_type)).expect("to"),
            [edge.clone()]
        );
        assert!(store.edges_to("b", None).expect("to").is_empty());
        assert!(store.delete_edge(&edge.id).expect("delete"));
        assert!(!store.delete_edge(&edge.id).expect("delete again"));
        assert_eq!(store.edge(&edge.id).expect("read"), None);
    }
}

/// CT-GS-001: every field of nodes and edges comes back as it was written.
pub fn ct_gs_001_records_survive_the_store(store: &mut dyn GraphStore) {
    let full = NodeRecord {
        qualified_name: Some("Größe.名前".to_owned()),
        signature: Some("fn f(\"x\")".to_owned()),
        doc: Some("it's; DROP TABLE nodes".to_owned()),
        flags: NodeFlags(NodeFlags::EXPORTED | NodeFlags::TEST),
        scip_symbol: Some("scip-typescript npm p 1 `a.ts`/f().".to_owned()),
        ..sample_node("n1", "名前", "src/ü b.ts", 1)
    };
    let bare = NodeRecord {
        line_start: None,
        line_end: None,
        ..sample_node("n2", "b", "b.ts", 1)
    };
    let edge = sample_call("n1", "n2", "src/ü b.ts", 2);
    let unsure = EdgeRecord {
        tier: Tier::Named,
        confidence: 0.5,
        site: Some(Site::Reference),
        more_lines: Vec::new(),
        ..sample_call("n2", "n1", "b.ts", 9)
    };
    let change = GraphChange {
        nodes: vec![full.clone(), bare.clone()],
        edges: vec![edge.clone(), unsure.clone()],
        files: vec![FileRecord {
            path: "b.ts".to_owned(),
            size: 12,
            stat: i64::MAX,
            source: "syntax".to_owned(),
            complexity: 7,
            ..FileRecord::default()
        }],
        metadata: vec![("k".to_owned(), "v".to_owned())],
        ..GraphChange::default()
    };
    store.apply_change(&change).expect("apply");
    assert_eq!(all_nodes(store), [full, bare]);
    assert_eq!(store.edge(&edge.id).expect("edge"), Some(edge));
    assert_eq!(store.edge(&unsure.id).expect("edge"), Some(unsure));
    assert_eq!(
        store.indexed_files().expect("files")["b.ts"],
        change.files[0]
    );
    let one = |path: &str| store.indexed_file(path).expect("file");
    assert_eq!(one("b.ts").as_ref(), Some(&change.files[0]));
    assert_eq!(one("none.ts"), None);
    let all = store.indexed_files().expect("files").len();
    assert_eq!(store.file_count().expect("count"), all);
    assert_eq!(store.metadata("k").expect("metadata").as_deref(), Some("v"));
    assert_eq!(store.metadata("none").expect("metadata"), None);
}

/// CT-GS-002: an edge between nodes that do not exist is refused.
pub fn ct_gs_002_an_edge_needs_both_ends(store: &mut dyn GraphStore) {
    put_nodes(store, &["a"]);
    for (source, target) in [("a", "nobody"), ("nobody", "a")] {
        let refused = store.put_edge(&as_manual(sample_call(source, target, "src/a.ts", 1)));
        assert!(
            matches!(&refused, Err(StoreError::NotFound { what: "node", id }) if id == "nobody"),
            "{refused:?}"
        );
    }
    assert!(all_edges(store).is_empty());
}

/// CT-GS-003: a bad record undoes the whole batch, and the error names its position.
pub fn ct_gs_003_a_bad_record_rolls_the_whole_batch_back(store: &mut dyn GraphStore) {
    let good = json!({"id": "a", "symbol": "a", "kind": "function", "file_path": "a.ts"});
    let other = json!({"id": "b", "symbol": "b", "kind": "function", "file_path": "a.ts"});
    let edge = json!({"source": "a", "target": "b", "type": "CALLS"});
    let cases = [
        (
            json!({"id": "c", "symbol": "c", "file_path": "a.ts"}),
            edge.clone(),
            "node",
            2,
            "kind",
        ),
        (
            other.clone(),
            json!({"source": "a", "target": "b", "type": "calls"}),
            "edge",
            1,
            "Must be one of",
        ),
        (
            other.clone(),
            json!({"source": "a", "target": "zz", "type": "CALLS"}),
            "edge",
            1,
            "zz",
        ),
        (
            other.clone(),
            json!({"source": "a", "type": "CALLS"}),
            "edge",
            1,
            "target",
        ),
        (json!("text"), edge.clone(), "node", 2, "object"),
        (
            json!({"id": "c", "symbol": "c", "kind": "f", "file_path": "x", "line_start": -1}),
            edge.clone(),
            "node",
            2,
            "line_start",
        ),
    ];
    for (third_node, second_edge, wanted, at, word) in cases {
        let batch = Batch {
            nodes: vec![good.clone(), other.clone(), third_node],
            edges: vec![edge.clone(), second_edge],
        };
        let refused = store.batch_import(&batch).expect_err("a bad record");
        let StoreError::Batch {
            what,
            position,
            ref reason,
        } = refused
        else {
            panic!("{refused:?}");
        };
        assert_eq!((what, position), (wanted, at), "{reason}");
        assert!(reason.contains(word), "{reason}");
        assert!(all_nodes(store).is_empty() && all_edges(store).is_empty());
    }
}

/// CT-GS-003: a good batch is stored completely.
pub fn ct_gs_003_a_batch_counts_what_it_brought(store: &mut dyn GraphStore) {
    put_nodes(store, &["old"]);
    let batch = Batch {
        nodes: vec![
            json!({"id": "a", "symbol": "a", "kind": "function", "file_path": "a.ts", "line_start": 4}),
        ],
        edges: vec![
            json!({"source": "a", "target": "old", "type": "CALLS", "file": "a.ts", "line": 5}),
            json!({"id": "mine", "source_id": "old", "target_id": "a", "edge_type": "DEFINES"}),
        ],
    };
    let count = store.batch_import(&batch).expect("import");
    assert_eq!((count.nodes, count.edges), (1, 2));
    let edge = &store.edges_from("a", None).expect("from")[0];
    assert_eq!(
        (edge.line, edge.file_path.as_deref()),
        (Some(5), Some("a.ts"))
    );
    assert_eq!(edge.tier, Tier::Manual);
    assert!(store.edge("mine").expect("edge").is_some());
    let node = store.node("a").expect("node").expect("there");
    assert_eq!(node.line_start, Some(4));
    assert!(node.flags.contains(NodeFlags::MANUAL));
    store
        .batch_import(&batch)
        .expect("the same again changes nothing");
    assert_eq!(all_edges(store).len(), 2);
}

/// Deleting a node leaves no dangling edge.
pub fn a_node_is_deleted_with_its_edges(store: &mut dyn GraphStore) {
    put_nodes(store, &["a", "b", "c"]);
    for (s, t) in [("a", "b"), ("b", "c"), ("a", "c")] {
        store
            .put_edge(&as_manual(sample_call(s, t, "src/a.ts", 1)))
            .expect("edge");
    }
    assert!(store.delete_node("b").expect("delete"));
    assert!(!store.delete_node("b").expect("delete again"));
    let left = all_edges(store);
    assert_eq!(left.len(), 1);
    assert_eq!(
        (left[0].source_id.as_str(), left[0].target_id.as_str()),
        ("a", "c")
    );
}

/// Symbols are found by their name in exact case, and by the end of their dotted path.
pub fn find_symbol_takes_names_and_dotted_names(store: &mut dyn GraphStore) {
    let mut method = sample_node("m", "run", "src/b.ts", 5);
    method.qualified_name = Some("outer.Task.run".to_owned());
    let file = sample_node("f", "task.test.ts", "src/task.test.ts", 1);
    for n in [&method, &sample_node("r", "run", "src/a.ts", 9), &file] {
        store.put_node(n).expect("put");
    }
    let found = |name: &str| {
        let nodes = store.find_symbol(name).expect("find");
        nodes.into_iter().map(|n| n.id).collect::<Vec<_>>()
    };
    assert_eq!(found("run"), ["r", "m"]);
    assert_eq!(found("Task.run"), ["m"]);
    assert_eq!(found("outer.Task.run"), ["m"]);
    assert_eq!(found("ask.run"), [""; 0]);
    assert_eq!(found("Run"), [""; 0]);
    assert_eq!(found("task.test.ts"), ["f"]);
    assert_eq!(ids(&store.find_file("src/b.ts").expect("file")), ["m"]);
}

/// Containment and recursion edges of the indexer do not count as uses; edges added by hand do. Locals are left out.
pub fn orphans_have_no_user(store: &mut dyn GraphStore) {
    let mut local = sample_node("l", "l", "a.ts", 40);
    local.flags = NodeFlags(NodeFlags::LOCAL);
    let mut contains = sample_call("a", "c", "a.ts", 1);
    contains.edge_type = EdgeType::Defines;
    let change = GraphChange {
        nodes: vec![
            sample_node("a", "a", "a.ts", 1),
            sample_node("b", "b", "a.ts", 10),
            sample_node("c", "c", "a.ts", 20),
            sample_node("d", "d", "a.ts", 30),
            local,
        ],
        edges: vec![
            sample_call("a", "b", "a.ts", 2),
            contains,
            sample_call("c", "c", "a.ts", 21),
        ],
        ..GraphChange::default()
    };
    store.apply_change(&change).expect("apply");
    assert_eq!(
        ids(&store.orphans(usize::MAX).expect("orphans").0),
        ["a", "c", "d"]
    );
    let (first, total) = store.orphans(2).expect("orphans");
    assert_eq!((ids(&first), total), (vec!["a", "c"], 3));
    let mut contains = as_manual(sample_call("a", "d", "a.ts", 1));
    contains.edge_type = EdgeType::Defines;
    store.put_edge(&contains).expect("edge");
    assert_eq!(
        ids(&store.orphans(usize::MAX).expect("orphans").0),
        ["a", "c"]
    );
}

/// Breadth first, within the depth, along the given types only.
pub fn paths_are_shortest_and_respect_depth_and_type(store: &mut dyn GraphStore) {
    put_nodes(store, &["a", "b", "c", "d", "lone"]);
    let mut edges = vec![];
    for (s, t, edge_type) in [
        ("a", "b", EdgeType::Calls),
        ("b", "c", EdgeType::Calls),
        ("c", "d", EdgeType::Calls),
        ("d", "a", EdgeType::Calls),
        ("a", "d", EdgeType::Imports),
    ] {
        let mut edge = as_manual(sample_call(s, t, "src/a.ts", 1));
        edge.edge_type = edge_type;
        edge.id = edge.fingerprint();
        store.put_edge(&edge).expect("edge");
        edges.push(edge);
    }
    let path = |from, to, depth, types: &[EdgeType]| {
        store.shortest_path(from, to, depth, types).expect("path")
    };
    assert_eq!(path("a", "d", 10, &[]), Some(vec![edges[4].clone()]));
    assert_eq!(
        path("a", "d", 10, &[EdgeType::Calls]),
        Some(edges[..3].to_vec())
    );
    assert_eq!(path("a", "d", 2, &[EdgeType::Calls]), None);
    assert_eq!(
        path("a", "d", 3, &[EdgeType::Calls]),
        Some(edges[..3].to_vec())
    );
    assert_eq!(path("a", "lone", 10, &[]), None);
    assert_eq!(path("a", "nobody", 10, &[]), None);
    assert_eq!(path("a", "a", 10, &[]), Some(vec![]));
}

/// Missing types and tiers count zero.
pub fn stats_count_every_type(store: &mut dyn GraphStore) {
    put_nodes(store, &["a", "b"]);
    store
        .put_edge(&as_manual(sample_call("a", "b", "src/a.ts", 1)))
        .expect("edge");
    let stats = store.stats().expect("stats");
    assert_eq!((stats.nodes, stats.edges), (2, 1));
    assert_eq!(stats.edges_by_type.len(), 4);
    assert_eq!(stats.edges_by_type[&EdgeType::Calls], 1);
    assert_eq!(stats.edges_by_type[&EdgeType::Modifies], 0);
    assert_eq!(stats.edges_by_tier[&Tier::Manual], 1);
    assert!(stats.db_size_bytes > 0);
}

fn two_file_graph() -> GraphChange {
    GraphChange {
        clear_all: true,
        nodes: vec![
            sample_node("a", "a", "a.ts", 1),
            sample_node("a2", "a2", "a.ts", 9),
            sample_node("b", "b", "b.ts", 1),
        ],
        edges: vec![
            sample_call("a", "b", "a.ts", 2),
            sample_call("b", "a", "b.ts", 2),
            sample_call("b", "a2", "b.ts", 3),
        ],
        relations: vec![RelationRecord {
            source_id: "b".to_owned(),
            target_id: "a2".to_owned(),
            kind: "extends".to_owned(),
            file_path: "b.ts".to_owned(),
            tier: Tier::Scoped,
        }],
        externals: vec![ExternalRecord {
            source_id: "a".to_owned(),
            package: "node:fs".to_owned(),
            symbol: "readFile".to_owned(),
            file_path: "a.ts".to_owned(),
            line: 4,
            count: 2,
        }],
        files: vec![
            FileRecord {
                path: "a.ts".to_owned(),
                ..FileRecord::default()
            },
            FileRecord {
                path: "b.ts".to_owned(),
                ..FileRecord::default()
            },
        ],
        ..GraphChange::default()
    }
}

/// Rows of other files stay; edges into removed symbols are deleted.
pub fn apply_replaces_only_the_files_given(store: &mut dyn GraphStore) {
    store.apply_change(&two_file_graph()).expect("full");
    let mut moved = sample_node("a", "a", "a.ts", 5);
    moved.doc = Some("new".to_owned());
    let change = GraphChange {
        clear_files: vec!["a.ts".to_owned()],
        nodes: vec![moved.clone(), sample_node("a3", "a3", "a.ts", 20)],
        edges: vec![sample_call("a3", "b", "a.ts", 21)],
        ..GraphChange::default()
    };
    store.apply_change(&change).expect("update");
    assert_eq!(ids(&all_nodes(store)), ["a", "a3", "b"]);
    assert_eq!(store.node("a").expect("node"), Some(moved));
    let mut left: Vec<(String, String)> = all_edges(store)
        .into_iter()
        .map(|e| (e.source_id, e.target_id))
        .collect();
    left.sort();
    assert_eq!(
        left,
        [("a3", "b"), ("b", "a")].map(|(s, t)| (s.to_owned(), t.to_owned()))
    );
    assert!(store.relations_from("b").expect("relations").is_empty());
    assert_eq!(store.indexed_files().expect("files").len(), 2);
    let removal = GraphChange {
        removed_files: vec!["a.ts".to_owned()],
        ..GraphChange::default()
    };
    store.apply_change(&removal).expect("removal");
    assert_eq!(ids(&all_nodes(store)), ["b"]);
    assert!(all_edges(store).is_empty());
    assert_eq!(
        store
            .indexed_files()
            .expect("files")
            .into_keys()
            .collect::<Vec<_>>(),
        ["b.ts"]
    );
}

/// An edge to a node that does not exist after the change is an error, and nothing is written.
pub fn apply_with_a_missing_end_changes_nothing(store: &mut dyn GraphStore) {
    store.apply_change(&two_file_graph()).expect("full");
    let (nodes, edges) = (all_nodes(store), all_edges(store));
    let change = GraphChange {
        clear_files: vec!["a.ts".to_owned()],
        nodes: vec![sample_node("a9", "a9", "a.ts", 1)],
        edges: vec![
            sample_call("a9", "b", "a.ts", 1),
            sample_call("a9", "a2", "a.ts", 2),
        ],
        ..GraphChange::default()
    };
    let refused = store.apply_change(&change).expect_err("a2 is cleared");
    assert!(
        matches!(
            refused,
            StoreError::Batch {
                what: "edge",
                position: 1,
                ..
            }
        ),
        "{refused:?}"
    );
    assert_eq!((all_nodes(store), all_edges(store)), (nodes, edges));
}

/// Nodes and edges added by hand survive a rebuild as long as their ends do.
pub fn a_full_build_keeps_what_was_put_in_by_hand(store: &mut dyn GraphStore) {
    store.apply_change(&two_file_graph()).expect("full");
    let mut mine = sample_node("mine", "mine", "notes.md", 1);
    mine.flags = NodeFlags(NodeFlags::MANUAL);
    store.put_node(&mine).expect("node");
    store
        .put_edge(&as_manual(sample_call("mine", "a", "notes.md", 1)))
        .expect("edge");
    store
        .put_edge(&as_manual(sample_call("mine", "a2", "notes.md", 2)))
        .expect("edge");
    let mut next = two_file_graph();
    next.nodes.retain(|n| n.id != "a2");
    next.edges.retain(|e| e.target_id != "a2");
    next.relations.clear();
    store.apply_change(&next).expect("full again");
    assert_eq!(ids(&all_nodes(store)), ["a", "b", "mine"]);
    let kept = store.edges_from("mine", None).expect("from");
    assert_eq!(kept.len(), 1);
    assert_eq!(kept[0].target_id, "a");
    let update = GraphChange {
        clear_files: vec!["a.ts".to_owned()],
        nodes: vec![sample_node("a", "a", "a.ts", 3)],
        ..GraphChange::default()
    };
    store.apply_change(&update).expect("update");
    assert_eq!(store.edges_to("a", None).expect("to").len(), 2);
    for (most, counted) in [(0, 0), (1, 1), (2, 2), (9, 2)] {
        assert_eq!(store.count_uses("a", most).expect("uses"), counted);
    }
    assert_eq!(store.count_uses("nobody", 9).expect("uses"), 0);
}

/// Relations and externals are read from both sides and replaced with their file.
pub fn externals_and_relations_go_with_their_file(store: &mut dyn GraphStore) {
    let full = two_file_graph();
    store.apply_change(&full).expect("full");
    assert_eq!(store.relations_from("b").expect("from"), full.relations);
    assert_eq!(store.relations_to("a2").expect("to"), full.relations);
    assert_eq!(store.externals_of("a").expect("externals"), full.externals);
    let mut seen = Vec::new();
    store
        .for_each_external(&mut |x| seen.push(x))
        .expect("externals");
    assert_eq!(seen, full.externals);
    let mut used = Vec::new();
    let one = |x: UseRow<'_>| {
        (
            x.source_id.to_owned(),
            format!("{}.{}", x.package, x.symbol),
            x.line,
            x.count,
        )
    };
    store
        .for_each_use(&mut |x| used.push(one(x)))
        .expect("uses");
    used.sort();
    let all = full.externals.iter().map(|x| {
        one(UseRow {
            source_id: &x.source_id,
            package: &x.package,
            symbol: &x.symbol,
            line: x.line,
            count: x.count,
        })
    });
    assert_eq!(
        used,
        all.collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .collect::<Vec<_>>()
    );
    let package = full.externals[0].package.clone();
    let chosen = store.externals_of_packages(&mut |p| p == package);
    assert_eq!(chosen.expect("externals"), full.externals);
    let none = store.externals_of_packages(&mut |_| false);
    assert!(none.expect("externals").is_empty());
    let update = GraphChange {
        clear_files: vec!["a.ts".to_owned(), "b.ts".to_owned()],
        nodes: full.nodes.clone(),
        ..GraphChange::default()
    };
    store.apply_change(&update).expect("update");
    assert!(store.externals_of("a").expect("externals").is_empty());
    let mut seen = 0;
    store
        .for_each_relation(&mut |_| seen += 1)
        .expect("relations");
    assert_eq!(seen, 0);
}

/// If two files state the same relation, it is read once, and removed only when neither states it.
pub fn a_relation_stays_while_one_file_says_it(store: &mut dyn GraphStore) {
    let mut full = two_file_graph();
    let first = full.relations[0].clone();
    full.relations.push(RelationRecord {
        file_path: "a.ts".to_owned(),
        ..first.clone()
    });
    store.apply_change(&full).expect("full");
    assert_eq!(store.relations_to("a2").expect("to").len(), 1);
    let update = |file: &str| GraphChange {
        clear_files: vec![file.to_owned()],
        nodes: full
            .nodes
            .iter()
            .filter(|n| n.file_path == file)
            .cloned()
            .collect(),
        ..GraphChange::default()
    };
    store
        .apply_change(&update(&first.file_path))
        .expect("first file");
    assert_eq!(store.relations_from("b").expect("kept").len(), 1);
    store.apply_change(&update("a.ts")).expect("second file");
    assert!(store.relations_from("b").expect("gone").is_empty());
}

fn file_node(id: &str, path: &str) -> NodeRecord {
    NodeRecord {
        kind: "file".to_owned(),
        ..sample_node(id, path, path, 1)
    }
}

/// Edges across repositories.
pub fn virtual_edges_are_found_by_symbol_and_confidence(store: &mut dyn GraphStore) {
    let edge = |id: &str, target: &str, confidence| VirtualEdgeRecord {
        id: id.to_owned(),
        source_repo: "web".to_owned(),
        source_symbol: "getUserById".to_owned(),
        target_repo: "api".to_owned(),
        target_symbol: target.to_owned(),
        edge_type: "VIRTUAL_CALLS".to_owned(),
        contract_type: "proto".to_owned(),
        confidence,
        detail: VirtualEdgeDetail {
            source_file: Some("a.ts".to_owned()),
            source_line: Some(3),
            ..VirtualEdgeDetail::default()
        },
    };
    let (weak, strong) = (edge("1", "GetUser", 0.5), edge("2", "GetUserById", 0.9));
    store
        .put_virtual_edges(&[weak.clone(), edge("2", "x", 0.1)])
        .expect("put");
    store
        .put_virtual_edges(std::slice::from_ref(&strong))
        .expect("replace");
    assert_eq!(
        store.virtual_edges(None, 0.0).expect("all"),
        [strong.clone(), weak.clone()]
    );
    assert_eq!(
        store.virtual_edges(Some("GetUser"), 0.5).expect("one"),
        [weak]
    );
    assert_eq!(
        store.virtual_edges(Some("getUserById"), 0.8).expect("sure"),
        [strong]
    );
    let gone = ["1".to_owned(), "none".to_owned()];
    assert_eq!(store.delete_virtual_edges(&gone).expect("delete"), 1);
    assert_eq!(store.virtual_edges(None, 0.0).expect("left").len(), 1);
}

/// The snapshot equals the store, field for field.
pub fn a_snapshot_equals_the_store(store: &mut dyn GraphStore) {
    let mut change = two_file_graph();
    let mut odd = sample_call("b", "a", "elsewhere.ts", 7);
    odd.confidence = 0.5;
    odd.more_lines = vec![9, 11];
    change.edges.push(odd);
    store.apply_change(&change).expect("full");
    store
        .put_node(&NodeRecord {
            line_start: None,
            line_end: None,
            qualified_name: Some("M.a".to_owned()),
            ..sample_node("z", "a", "b.ts", 1)
        })
        .expect("node");
    let graph = store.snapshot().expect("snapshot");
    let mut from_graph = Vec::new();
    for at in 0..graph.node_count() as u32 {
        for next in EdgeType::ALL
            .into_iter()
            .flat_map(|t| graph.outgoing(at, t))
        {
            from_graph.push(format_edge(&graph, at, next.node, &next));
        }
    }
    let mut backwards = Vec::new();
    for at in 0..graph.node_count() as u32 {
        for next in EdgeType::ALL
            .into_iter()
            .flat_map(|t| graph.incoming(at, t))
        {
            backwards.push(format_edge(&graph, next.node, at, &next));
        }
    }
    let mut from_edges: Vec<String> = all_edges(store)
        .into_iter()
        .map(|e| {
            format!(
                "{:?}",
                EdgeRecord {
                    id: String::new(),
                    ..e
                }
            )
        })
        .collect();
    for list in [&mut from_graph, &mut backwards, &mut from_edges] {
        list.sort();
    }
    assert_eq!(from_graph, from_edges);
    assert_eq!(backwards, from_edges);
    let names = |found: Vec<NodeRecord>| found.into_iter().map(Name::from).collect::<Vec<_>>();
    for name in ["a", "b", "M.a", "nobody"] {
        let found = graph.by_symbol(name).expect("names");
        assert_eq!(found, names(store.find_symbol(name).expect("find")));
    }
    let of = |names: &dyn crate::Names, only: Option<&'static str>| {
        let mut named = NameCollector(only, Vec::new());
        names.visit_wanted_names(&mut named).expect("names");
        named.1.sort_by(|a, b| a.id.cmp(&b.id));
        named.1
    };
    for only in [None, Some("a"), Some("nobody")] {
        let mut all: Vec<Name> = all_nodes(store).into_iter().map(Name::from).collect();
        all.retain(|node| only.is_none_or(|only| node.symbol == only));
        all.sort_by(|a, b| a.id.cmp(&b.id));
        assert_eq!(of(&graph, only), all);
    }
    for path in ["a.ts", "b.ts", "none.ts"] {
        let found = graph.by_file(path).expect("file");
        assert_eq!(found, names(store.find_file(path).expect("find")));
    }
    for node in all_nodes(store) {
        let mut out: Vec<_> = store.relations_from(&node.id).expect("relations");
        let at = graph.node_index(&node.id).expect("index");
        let in_memory = graph.relations_out(at).map(|r| {
            (
                graph.name_row(r.other).id.to_owned(),
                r.kind.to_owned(),
                r.tier,
            )
        });
        let in_store = out.drain(..).map(|r| (r.target_id, r.kind, r.tier));
        assert_eq!(in_memory.collect::<Vec<_>>(), in_store.collect::<Vec<_>>());
        assert_eq!(graph.by_id(&node.id).expect("id"), Some(node.into()));
    }
}

/// Collects nodes of one name, or all.
struct NameCollector(Option<&'static str>, Vec<Name>);

impl crate::NameVisitor for NameCollector {
    fn wants(&mut self, symbol: &str) -> bool {
        self.0.is_none_or(|only| symbol == only)
    }

    fn visit(&mut self, row: crate::NameRow<'_>) {
        self.1.push(row.into());
    }
}

fn format_edge(graph: &Snapshot, source: u32, target: u32, edge: &Neighbor<'_>) -> String {
    let record = EdgeRecord {
        id: String::new(),
        source_id: graph.name_row(source).id.to_owned(),
        target_id: graph.name_row(target).id.to_owned(),
        edge_type: edge.edge_type,
        file_path: edge.file.map(|f| graph.file_path(f).to_owned()),
        line: edge.line,
        tier: edge.tier,
        confidence: edge.confidence,
        more_lines: edge.more_lines.to_vec(),
        site: edge.site,
    };
    format!("{record:?}")
}

/// An empty result is an answer, not an error.
pub fn an_empty_graph_answers(store: &mut dyn GraphStore) {
    assert_eq!(store.orphans(9).expect("orphans"), (Vec::new(), 0));
    assert!(store.find_symbol("x").expect("find").is_empty());
    assert_eq!(store.node("x").expect("node"), None);
    assert_eq!(store.shortest_path("x", "x", 3, &[]).expect("path"), None);
    assert_eq!(store.stats().expect("stats").nodes, 0);
    assert_eq!(store.snapshot().expect("snapshot").edge_count(), 0);
}
