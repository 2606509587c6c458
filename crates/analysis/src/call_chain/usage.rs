//! Usage of a symbol: call paths to it from entry points, shortest first.
//!
//! Entry points are called by nothing in the repository: `main`, tests, code at the level of a file, exported symbols, and
//! handlers that a framework finds. Functions that are passed on count as called.

use super::{CallChainOptions, ChainEdge, Direction, Link, Walk, chain_node};
use crate::{AnalysisError, EdgeDirection, Graph};
use base::{EdgeType, Site, SymbolKind};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use std::collections::VecDeque;
use store::NodeFlags;

/// Most hops: longer paths are of no use to a reader.
const DEEPEST: u32 = 24;
/// Most nodes that are visited.
const MOST_NODES: usize = 50_000;

/// Kind of entry point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EntryKind {
    /// `main`.
    Main,
    /// Code at the level of a file, which runs when the file is loaded.
    Module,
    /// Visible outside of its file, and called by nothing in the repository.
    Exported,
    /// No known caller: a handler, or unused.
    Uncalled,
    /// A test.
    Test,
}

/// A step of a path.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UsageStep {
    /// Its id.
    pub symbol_id: String,
    /// Its name, dotted within its file.
    pub symbol_name: String,
    /// Kind of symbol.
    pub kind: String,
    /// File of its definition.
    pub file_path: String,
    /// First line of its definition.
    pub line: u32,
    /// Edge to the next step; `None` for the symbol itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge: Option<ChainEdge>,
}

/// A path from an entry point to the symbol.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EntryPath {
    /// Entry point that it begins with.
    pub entry: EntryKind,
    /// Hops.
    pub length: usize,
    /// Steps from the entry point to the symbol.
    pub steps: Vec<UsageStep>,
}

/// All paths of use.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Usage {
    /// Paths, the shortest first; at most half of them are from tests.
    pub entry_paths: Vec<EntryPath>,
    /// The number of entry points that lead to the symbol.
    pub total_entries: usize,
    /// Whether only nodes that call each other in a circle lead to it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub only_cycles: bool,
}

/// A node's next step towards the target.
struct Hop {
    next: u32,
    link: Link,
    distance: u32,
}

struct EntrySearch<'a> {
    walk: Walk<'a>,
    graph: &'a dyn Graph,
    hops: FxHashMap<u32, Hop>,
    targets: FxHashSet<u32>,
}

/// The imports of a symbol.
#[derive(Default)]
struct Imports {
    /// Who imports it, on which line.
    lines: FxHashSet<(u32, u32)>,
    /// Number of its users in each file.
    users_in_file: FxHashMap<u32, usize>,
}

impl Imports {
    /// Whether a mention is an import that another use in the same file explains. An import without another use counts as the
    /// file's own work when it is loaded, such as a re-export.
    fn explain(&self, graph: &dyn Graph, user: u32, link: &Link) -> Result<bool, AnalysisError> {
        let imported = |line| self.lines.contains(&(user, line));
        if !link.line.is_some_and(imported) {
            return Ok(false);
        }
        let home = graph.location(user)?.file;
        Ok(self.users_in_file.get(&home).is_some_and(|n| *n > 1))
    }
}

/// Paths to the `targets`, at most `most`.
pub fn find_entry_paths(
    graph: &dyn Graph,
    targets: &[u32],
    most: usize,
) -> Result<Usage, AnalysisError> {
    let options = CallChainOptions {
        direction: Direction::Callers,
        references: true,
        ..CallChainOptions::default()
    };
    let mut search = EntrySearch {
        walk: Walk::new(graph, EdgeDirection::In, &options, &[]),
        graph,
        hops: FxHashMap::default(),
        targets: targets.iter().copied().collect(),
    };
    let found = search.find_entry_points(targets)?;
    let tests = found.iter().filter(|f| f.1 == EntryKind::Test).count();
    let others = found.len() - tests;
    // Limits for tests and for others: each may use the room that the other does not need.
    let mut left = [
        most.saturating_sub(others).max(most / 2),
        most.saturating_sub(tests).max(most.div_ceil(2)),
    ];
    let mut usage = Usage {
        total_entries: found.len(),
        only_cycles: found.is_empty() && !search.hops.is_empty(),
        ..Usage::default()
    };
    // Found breadth first: nearer ones come before farther ones.
    for (key, entry) in found {
        let room = &mut left[usize::from(entry != EntryKind::Test)];
        if *room > 0 && usage.entry_paths.len() < most {
            *room -= 1;
            usage.entry_paths.push(search.build_entry_path(key, entry)?);
        }
    }
    usage
        .entry_paths
        .sort_by_key(|path| (path.length, path.entry == EntryKind::Test));
    Ok(usage)
}

impl EntrySearch<'_> {
    /// Nodes where execution begins, nearest first.
    fn find_entry_points(
        &mut self,
        targets: &[u32],
    ) -> Result<Vec<(u32, EntryKind)>, AnalysisError> {
        let mut found = Vec::new();
        let mut open: VecDeque<u32> = targets.iter().copied().collect();
        while let Some(key) = open.pop_front() {
            let distance = self.hops.get(&key).map_or(0, |hop| hop.distance);
            let is_target = self.targets.contains(&key);
            let begins = self.entry_kind(key)?;
            if let Some(entry) = begins.filter(|_| !is_target) {
                found.push((key, entry));
                continue;
            }
            let users = if distance < DEEPEST && self.hops.len() < MOST_NODES {
                self.find_users(key)?
            } else {
                Vec::new()
            };
            if users.is_empty() && distance < DEEPEST {
                found.push((key, self.uncalled_entry_kind(key)?));
            }
            for (user, link) in users {
                if user == key || self.hops.contains_key(&user) || self.targets.contains(&user) {
                    continue;
                }
                let distance = distance + 1;
                self.hops.insert(
                    user,
                    Hop {
                        next: key,
                        link,
                        distance,
                    },
                );
                open.push_back(user);
            }
        }
        Ok(found)
    }

    /// Its callers, the places that pass it on, and the interface's method through which it may be called.
    fn find_users(&self, key: u32) -> Result<Vec<(u32, Link)>, AnalysisError> {
        let mut kind = None;
        self.graph
            .visit_node(key, &mut |row| kind = SymbolKind::parse(row.kind))?;
        // A mention of a type does not run it.
        let callable = kind.is_some_and(SymbolKind::is_callable);
        let found = self.walk.find_call_links(key)?;
        let imports = self.find_imports(key, &found)?;
        let mut users = Vec::with_capacity(found.len());
        for (user, link) in found {
            let mention = link.site == Some(Site::Reference);
            if !mention || callable && !imports.explain(self.graph, user, &link)? {
                users.push((user, link));
            }
        }
        let test = self.graph.location(key)?.test;
        for (method, link) in self.walk.find_dispatch_links(key)? {
            // Production code does not run mocks.
            if !test || self.graph.location(method)?.test {
                users.push((method, link));
            }
        }
        Ok(users)
    }

    /// The imports of `key`, and the number of its users in each file. Each is asked for once, and not for every user.
    fn find_imports(&self, key: u32, users: &[(u32, Link)]) -> Result<Imports, AnalysisError> {
        let mut imports = Imports::default();
        let is_mention = |(_, link): &(u32, Link)| link.site == Some(Site::Reference);
        if !users.iter().any(is_mention) {
            return Ok(imports);
        }
        self.graph
            .visit_edges(key, EdgeDirection::In, &[EdgeType::Imports], &mut |step| {
                let lines = step.line.iter().chain(step.more_lines);
                imports.lines.extend(lines.map(|line| (step.to, *line)));
            })?;
        if !imports.lines.is_empty() {
            for (user, _) in users {
                let file = self.graph.location(*user)?.file;
                *imports.users_in_file.entry(file).or_default() += 1;
            }
        }
        Ok(imports)
    }

    /// Kind of entry point, if the node is one, even if something calls it.
    fn entry_kind(&self, key: u32) -> Result<Option<EntryKind>, AnalysisError> {
        let test = self.graph.location(key)?.test;
        let mut found = None;
        self.graph.visit_node(key, &mut |row| {
            found = if row.flags.contains(NodeFlags::TEST) || (test && row.kind == "file") {
                Some(EntryKind::Test)
            } else if row.kind == "file" {
                Some(EntryKind::Module)
            } else if matches!(row.symbol, "main" | "__main__" | "Main") {
                Some(EntryKind::Main)
            } else {
                None
            };
        })?;
        Ok(found)
    }

    fn uncalled_entry_kind(&self, key: u32) -> Result<EntryKind, AnalysisError> {
        if let Some(entry) = self.entry_kind(key)? {
            return Ok(entry);
        }
        let test = self.graph.location(key)?.test;
        let mut exported = false;
        self.graph.visit_node(key, &mut |row| {
            exported = row.flags.contains(NodeFlags::EXPORTED)
        })?;
        Ok(match (test, exported) {
            (true, _) => EntryKind::Test,
            (false, true) => EntryKind::Exported,
            (false, false) => EntryKind::Uncalled,
        })
    }

    fn build_entry_path(&self, entry: u32, kind: EntryKind) -> Result<EntryPath, AnalysisError> {
        let mut steps = Vec::new();
        let mut at = entry;
        loop {
            let hop = self.hops.get(&at);
            let node = chain_node(self.graph, at, 0, None)?;
            steps.push(UsageStep {
                symbol_id: node.symbol_id,
                symbol_name: node.symbol_name,
                kind: node.kind,
                file_path: node.file_path,
                line: node.line,
                edge: match hop {
                    Some(hop) => Some(self.walk.build_edge_from(&hop.link, at)?),
                    None => None,
                },
            });
            match hop {
                Some(hop) => at = hop.next,
                None => break,
            }
        }
        Ok(EntryPath {
            entry: kind,
            length: steps.len() - 1,
            steps,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AdjacentEdge;
    use crate::test_graph::TestGraph;
    use std::borrow::Cow;
    use std::cell::Cell;
    use std::cmp::Ordering;
    use store::{NameRow, NodeLocation};

    fn ways(graph: &TestGraph, target: &str, most: usize) -> Vec<String> {
        let found = find_entry_paths(graph, &[graph.key_of_name(target)], most).unwrap();
        let one = |path: &EntryPath| {
            let names = path.steps.iter().map(|s| s.symbol_name.as_str());
            format!("{:?}: {}", path.entry, names.collect::<Vec<_>>().join(" "))
        };
        found.entry_paths.iter().map(one).collect()
    }

    #[test]
    fn ac_004_ways_begin_where_execution_begins_and_the_shortest_stand_first() {
        let graph = TestGraph::new(&[
            "main -> run",
            "run -> step",
            "step -> target",
            "src/boot.ts -> step",
            "lonely -> target",
            "other -> main",
        ]);
        assert_eq!(
            ways(&graph, "target", 10),
            [
                "Uncalled: lonely target",
                "Module: src/boot.ts step target",
                "Main: main run step target"
            ]
        );
        assert_eq!(ways(&graph, "target", 1), ["Uncalled: lonely target"]);
    }

    #[test]
    fn what_is_passed_on_counts_as_called_and_types_do_not() {
        let graph = TestGraph::new(&["src/routes.ts ~> handler", "src/a.ts ~> Shape"]);
        assert_eq!(
            ways(&graph, "handler", 9),
            ["Module: src/routes.ts handler"]
        );
        assert_eq!(ways(&graph, "Shape", 9), ["Uncalled: Shape"]);
    }

    #[test]
    fn an_implementation_is_used_through_its_interface() {
        let graph = TestGraph::new(&["main -> Shape.area", "Circle.area overrides Shape.area"]);
        let found = find_entry_paths(&graph, &[graph.key_of_name("Circle.area")], 9).unwrap();
        let steps = &found.entry_paths[0].steps;
        let names: Vec<&str> = steps.iter().map(|s| s.symbol_name.as_str()).collect();
        assert_eq!(names, ["main", "Shape.area", "Circle.area"]);
        let relation = steps[1].edge.as_ref().unwrap().relation.as_deref();
        assert_eq!(relation, Some("overrides"));
    }

    /// A graph that counts the questions to it.
    struct CountingGraph {
        graph: TestGraph,
        questions: Cell<usize>,
    }

    impl CountingGraph {
        fn count(&self) -> &TestGraph {
            self.questions.set(self.questions.get() + 1);
            &self.graph
        }
    }

    impl Graph for CountingGraph {
        fn key_of_id(&self, id: &str) -> Result<Option<u32>, AnalysisError> {
            self.count().key_of_id(id)
        }
        fn visit_node(
            &self,
            key: u32,
            visit: &mut dyn FnMut(NameRow<'_>),
        ) -> Result<(), AnalysisError> {
            self.count().visit_node(key, visit)
        }
        fn location(&self, key: u32) -> Result<NodeLocation, AnalysisError> {
            self.count().location(key)
        }
        fn file_path(&self, file: u32) -> Cow<'_, str> {
            self.graph.file_path(file)
        }
        fn compare_ids(&self, a: u32, b: u32) -> Ordering {
            self.graph.compare_ids(a, b)
        }
        fn visit_edges(
            &self,
            key: u32,
            way: EdgeDirection,
            types: &[EdgeType],
            visit: &mut dyn FnMut(AdjacentEdge<'_>),
        ) -> Result<(), AnalysisError> {
            self.count().visit_edges(key, way, types, &mut |step| {
                self.count();
                visit(step)
            })
        }
        fn count_incoming_edges(&self, key: u32, most: usize) -> Result<usize, AnalysisError> {
            self.count().count_incoming_edges(key, most)
        }
        fn visit_relations(
            &self,
            key: u32,
            way: EdgeDirection,
            visit: &mut dyn FnMut(u32, &str, base::Tier),
        ) -> Result<(), AnalysisError> {
            self.count().visit_relations(key, way, visit)
        }
    }

    /// Questions for the paths to `f` in a graph of these lines.
    fn questions(lines: &[String]) -> usize {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let graph = CountingGraph {
            graph: TestGraph::new(&lines),
            questions: Cell::new(0),
        };
        find_entry_paths(&graph, &[graph.graph.key_of_name("f")], 9).unwrap();
        graph.questions.get()
    }

    #[test]
    fn users_that_import_a_symbol_are_not_compared_with_each_other() {
        let files = |n: usize| -> Vec<String> {
            let lines = (0..n).map(|i| format!("src/u{i}.ts *> f"));
            lines.collect()
        };
        // One file imports all that call it.
        let callers = |n: usize| -> Vec<String> {
            let calls = (0..n).map(|i| format!("g{i} -> f"));
            let imports = (0..n).map(|i| format!("src/all.ts *> g{i}"));
            calls.chain(imports).collect()
        };
        for made in [&files as &dyn Fn(usize) -> Vec<String>, &callers] {
            let (few, many) = (questions(&made(20)), questions(&made(80)));
            assert!(many < 5 * few, "{few} questions, then {many}");
        }
    }

    #[test]
    fn an_import_that_another_use_of_the_file_explains_is_no_use() {
        let lines = ["src/a.ts *> f", "src/all.ts *> f", "g -> f", "main -> g"];
        let graph = TestGraph::new(&lines);
        assert_eq!(
            ways(&graph, "f", 9),
            ["Module: src/a.ts f", "Main: main g f"]
        );
    }

    #[test]
    fn circles_alone_are_said_to_be_so() {
        let graph = TestGraph::new(&["a -> b", "b -> a", "b -> target"]);
        let found = find_entry_paths(&graph, &[graph.key_of_name("target")], 9).unwrap();
        assert!(found.entry_paths.is_empty() && found.only_cycles);
    }
}
