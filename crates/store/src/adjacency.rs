//! The graph in memory: who leads to whom, in both directions, in a few bytes an edge.
//!
//! Nodes are numbers from 0 in the order of their ids; arcs of a node are in order of type, other end and line.

use crate::NodeFlags;
use base::{EdgeType, Site, Tier};
use rustc_hash::FxHashMap;

/// An edge as seen from one of its ends: the other end and how it gets there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Neighbor {
    /// The relation.
    pub edge_type: EdgeType,
    /// The other end.
    pub node: u32,
    /// The line at which it stands, from 1; 0 where it is not known.
    pub line: u32,
    /// How it is known.
    pub tier: Tier,
    /// For CALLS: a call or a mere reference.
    pub site: Option<Site>,
}

/// Compressed sparse rows: the arcs of node `n` are `arcs[starts[n]..starts[n + 1]]`.
#[derive(Debug, Default)]
struct Rows {
    starts: Vec<u32>,
    arcs: Vec<Neighbor>,
}

impl Rows {
    fn of(nodes: usize, edges: &[(u32, Neighbor)]) -> Rows {
        let mut starts = vec![0u32; nodes + 1];
        for (from, _) in edges {
            starts[*from as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let filler = Neighbor {
            edge_type: EdgeType::Defines,
            node: 0,
            line: 0,
            tier: Tier::Manual,
            site: None,
        };
        let mut arcs = vec![filler; edges.len()];
        let mut next = starts.clone();
        for (from, arc) in edges {
            let slot = &mut next[*from as usize];
            arcs[*slot as usize] = *arc;
            *slot += 1;
        }
        for bounds in starts.windows(2) {
            arcs[bounds[0] as usize..bounds[1] as usize].sort_unstable();
        }
        Rows { starts, arcs }
    }

    fn of_node(&self, node: u32) -> &[Neighbor] {
        let at = node as usize;
        match (self.starts.get(at), self.starts.get(at + 1)) {
            (Some(from), Some(to)) => &self.arcs[*from as usize..*to as usize],
            _ => &[],
        }
    }
}

/// The whole graph, ready to be walked.
#[derive(Debug, Default)]
pub struct Adjacency {
    ids: Vec<Box<str>>,
    files: Vec<Box<str>>,
    file_of: Vec<u32>,
    flags: Vec<NodeFlags>,
    lines: Vec<u32>,
    forward: Rows,
    backward: Rows,
}

impl Adjacency {
    /// Starts an empty one. Nodes come first, in order of id, then edges.
    pub fn builder() -> AdjacencyBuilder {
        AdjacencyBuilder::default()
    }

    /// Number of nodes.
    pub fn node_count(&self) -> usize {
        self.ids.len()
    }

    /// Number of edges.
    pub fn edge_count(&self) -> usize {
        self.forward.arcs.len()
    }

    /// The number of the node with that id.
    pub fn index(&self, id: &str) -> Option<u32> {
        self.ids
            .binary_search_by(|probe| (**probe).cmp(id))
            .ok()
            .map(|at| at as u32)
    }

    /// The id of a node; empty for a number that is none.
    pub fn id(&self, node: u32) -> &str {
        self.ids.get(node as usize).map_or("", |id| id)
    }

    /// Properties of a node.
    pub fn flags(&self, node: u32) -> NodeFlags {
        self.flags.get(node as usize).copied().unwrap_or_default()
    }

    /// First line of a node; 0 where it is not known.
    pub fn line(&self, node: u32) -> u32 {
        self.lines.get(node as usize).copied().unwrap_or_default()
    }

    /// The file of a node, as an index into [`Adjacency::files`].
    pub fn file(&self, node: u32) -> u32 {
        self.file_of.get(node as usize).copied().unwrap_or_default()
    }

    /// Paths of all files that have nodes, in the order in which nodes name them.
    pub fn files(&self) -> &[Box<str>] {
        &self.files
    }

    /// Edges that leave a node.
    pub fn outgoing(&self, node: u32) -> &[Neighbor] {
        self.forward.of_node(node)
    }

    /// Edges that enter a node.
    pub fn incoming(&self, node: u32) -> &[Neighbor] {
        self.backward.of_node(node)
    }

    /// Edges of one type that leave a node.
    pub fn outgoing_of(&self, node: u32, only: EdgeType) -> &[Neighbor] {
        of_type(self.outgoing(node), only)
    }

    /// Edges of one type that enter a node.
    pub fn incoming_of(&self, node: u32, only: EdgeType) -> &[Neighbor] {
        of_type(self.incoming(node), only)
    }
}

fn of_type(arcs: &[Neighbor], only: EdgeType) -> &[Neighbor] {
    let from = arcs.partition_point(|a| a.edge_type < only);
    let to = arcs.partition_point(|a| a.edge_type <= only);
    &arcs[from..to]
}

/// Collects nodes and edges into an [`Adjacency`].
#[derive(Debug, Default)]
pub struct AdjacencyBuilder {
    numbers: FxHashMap<Box<str>, u32>,
    file_numbers: FxHashMap<Box<str>, u32>,
    graph: Adjacency,
    edges: Vec<(u32, Neighbor)>,
}

impl AdjacencyBuilder {
    /// Adds a node. Ids must come in ascending order, each once.
    pub fn node(&mut self, id: &str, file: &str, flags: NodeFlags, line: Option<u32>) {
        let number = self.graph.ids.len() as u32;
        self.numbers.insert(id.into(), number);
        let file_number = match self.file_numbers.get(file) {
            Some(number) => *number,
            None => {
                let number = self.graph.files.len() as u32;
                self.graph.files.push(file.into());
                self.file_numbers.insert(file.into(), number);
                number
            }
        };
        self.graph.ids.push(id.into());
        self.graph.file_of.push(file_number);
        self.graph.flags.push(flags);
        self.graph.lines.push(line.unwrap_or_default());
    }

    /// Adds an edge; one whose end is no node is left out.
    pub fn edge(
        &mut self,
        source: &str,
        target: &str,
        edge_type: EdgeType,
        tier: Tier,
        site: Option<Site>,
        line: Option<u32>,
    ) {
        let (Some(source), Some(target)) = (self.numbers.get(source), self.numbers.get(target))
        else {
            return;
        };
        let arc = Neighbor {
            edge_type,
            node: *target,
            line: line.unwrap_or_default(),
            tier,
            site,
        };
        self.edges.push((*source, arc));
    }

    /// The finished graph.
    pub fn finish(self) -> Adjacency {
        let AdjacencyBuilder {
            mut graph,
            mut edges,
            numbers,
            ..
        } = self;
        drop(numbers);
        graph.forward = Rows::of(graph.ids.len(), &edges);
        for (from, arc) in &mut edges {
            std::mem::swap(from, &mut arc.node);
        }
        graph.backward = Rows::of(graph.ids.len(), &edges);
        graph
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_directions_agree_and_types_are_apart() {
        let mut builder = Adjacency::builder();
        for id in ["a", "b", "c"] {
            builder.node(id, "f.rs", NodeFlags::default(), Some(1));
        }
        let mut add =
            |s, t, ty, line| builder.edge(s, t, ty, Tier::Scip, Some(Site::Call), Some(line));
        add("a", "b", EdgeType::Calls, 7);
        add("a", "b", EdgeType::Calls, 3);
        add("a", "c", EdgeType::Defines, 1);
        add("c", "b", EdgeType::Modifies, 9);
        add("a", "nobody", EdgeType::Calls, 9);
        let graph = builder.finish();
        assert_eq!((graph.node_count(), graph.edge_count()), (3, 4));
        let (a, b) = (graph.index("a").unwrap(), graph.index("b").unwrap());
        let lines = |arcs: &[Neighbor]| arcs.iter().map(|x| (x.node, x.line)).collect::<Vec<_>>();
        assert_eq!(
            lines(graph.outgoing_of(a, EdgeType::Calls)),
            [(b, 3), (b, 7)]
        );
        assert_eq!(
            lines(graph.incoming_of(b, EdgeType::Calls)),
            [(a, 3), (a, 7)]
        );
        assert_eq!(graph.incoming(b).len(), 3);
        assert_eq!(graph.index("nobody"), None);
        assert_eq!(graph.files().len(), 1);
        assert!(graph.outgoing(99).is_empty());
    }
}
