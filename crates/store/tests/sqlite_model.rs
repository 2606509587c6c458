//! Whatever the order of changes, the store equals a plain model of it.

use proptest::prelude::*;
use std::collections::BTreeMap;
use store::{EdgeRecord, GraphChange, GraphStore, NodeFlags, NodeRecord, SqliteStore, contract};
use tempfile::TempDir;

/// One file's content: its symbols, and calls from them to symbols of any file.
#[derive(Debug, Clone, Default)]
struct Content {
    symbols: Vec<u8>,
    calls: Vec<(u8, u8, u8)>,
}

#[derive(Debug, Clone)]
enum Step {
    /// The given files are written anew, or removed if they have no content.
    Update(BTreeMap<u8, Option<Content>>),
    /// Everything is built anew from the given files.
    Full(BTreeMap<u8, Content>),
    /// A person adds a node and an edge from it.
    Hand(u8, u8, u8),
}

fn content() -> impl Strategy<Value = Content> {
    let symbols = prop::collection::btree_set(0..4u8, 0..4);
    let calls = prop::collection::vec((0..4u8, 0..3u8, 0..4u8), 0..6);
    (symbols, calls).prop_map(|(symbols, calls)| Content {
        symbols: symbols.into_iter().collect(),
        calls,
    })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => prop::collection::btree_map(0..3u8, prop::option::weighted(0.8, content()), 1..3).prop_map(Step::Update),
        1 => prop::collection::btree_map(0..3u8, content(), 0..4).prop_map(Step::Full),
        1 => (0..3u8, 0..3u8, 0..4u8).prop_map(|(h, f, s)| Step::Hand(h, f, s)),
    ]
}

#[derive(Debug, Default)]
struct Model {
    nodes: BTreeMap<String, NodeRecord>,
    edges: BTreeMap<String, EdgeRecord>,
}

fn path(file: u8) -> String {
    format!("f{file}.ts")
}

fn id(file: u8, symbol: u8) -> String {
    format!("f{file}s{symbol}")
}

impl Model {
    fn is_manual(node: &NodeRecord) -> bool {
        node.flags.contains(NodeFlags::MANUAL)
    }

    /// Removes what the indexer wrote for a file.
    fn clear(&mut self, file: &str) {
        let gone: Vec<String> = self
            .nodes
            .values()
            .filter(|n| n.file_path == file && !Self::is_manual(n))
            .map(|n| n.id.clone())
            .collect();
        self.edges
            .retain(|_, e| e.tier == base::Tier::Manual || !gone.contains(&e.source_id));
        self.nodes.retain(|id, _| !gone.contains(id));
    }

    /// Fills in a change from the contents and applies it to the model.
    fn write(&mut self, files: &BTreeMap<u8, Content>, change: &mut GraphChange, number: u32) {
        for (file, content) in files {
            for symbol in &content.symbols {
                let id = id(*file, *symbol);
                change
                    .nodes
                    .push(contract::sample_node(&id, &id, &path(*file), number));
            }
        }
        for node in &change.nodes {
            self.nodes
                .entry(node.id.clone())
                .or_insert_with(|| node.clone());
        }
        for (file, content) in files {
            for (from, to_file, to) in &content.calls {
                let (source, target) = (id(*file, *from), id(*to_file, *to));
                if self.nodes.contains_key(&source) && self.nodes.contains_key(&target) {
                    let edge = contract::sample_call(&source, &target, &path(*file), number);
                    self.edges.insert(edge.id.clone(), edge.clone());
                    change.edges.push(edge);
                }
            }
        }
        let nodes = &self.nodes;
        self.edges
            .retain(|_, e| nodes.contains_key(&e.source_id) && nodes.contains_key(&e.target_id));
    }
}

fn play(store: &mut SqliteStore, model: &mut Model, step: &Step, number: u32) {
    let mut change = GraphChange::default();
    match step {
        Step::Update(files) => {
            for (file, content) in files {
                model.clear(&path(*file));
                match content {
                    Some(_) => change.clear_files.push(path(*file)),
                    None => change.removed_files.push(path(*file)),
                }
            }
            let kept = files
                .iter()
                .filter_map(|(f, c)| Some((*f, c.clone()?)))
                .collect();
            model.write(&kept, &mut change, number);
            store.apply_change(&change).unwrap();
        }
        Step::Full(files) => {
            change.clear_all = true;
            for file in 0..3 {
                model.clear(&path(file));
            }
            model.write(files, &mut change, number);
            store.apply_change(&change).unwrap();
        }
        Step::Hand(hand, file, symbol) => {
            let mut node =
                contract::sample_node(&format!("hand{hand}"), "hand", &path(*file), number);
            node.flags = NodeFlags(NodeFlags::MANUAL);
            store.put_node(&node).unwrap();
            model.nodes.insert(node.id.clone(), node.clone());
            let mut edge = contract::sample_call(&node.id, &id(*file, *symbol), "notes", number);
            edge.tier = base::Tier::Manual;
            edge.confidence = 1.0;
            let put = store.put_edge(&edge);
            assert_eq!(put.is_ok(), model.nodes.contains_key(&edge.target_id));
            if put.is_ok() {
                model.edges.insert(edge.id.clone(), edge);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn any_sequence_of_changes_equals_the_model(steps in prop::collection::vec(step(), 1..10)) {
        let folder = TempDir::new().unwrap();
        let mut store = SqliteStore::open(&folder.path().join("graph.db")).unwrap();
        let mut model = Model::default();
        for (number, step) in steps.iter().enumerate() {
            play(&mut store, &mut model, step, number as u32 + 1);
            let (mut nodes, mut edges) = (Vec::new(), Vec::new());
            store.for_each_node(&mut |n| nodes.push(n)).unwrap();
            store.for_each_edge(&mut |e| edges.push(e)).unwrap();
            prop_assert_eq!(&nodes, &model.nodes.values().cloned().collect::<Vec<_>>());
            prop_assert_eq!(&edges, &model.edges.values().cloned().collect::<Vec<_>>());
            let graph = store.snapshot().unwrap();
            prop_assert_eq!(graph.edge_count(), edges.len());
        }
        prop_assert!(store.check_integrity().is_ok());
    }
}
