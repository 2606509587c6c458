//! The list of an impact: nearest first. If many are affected, those of one file become one entry.

use crate::graph::{display_name, load_name};
use crate::impact::{Cause, Impact, IncomingEdge, Reached, Walk, impact_at};
use crate::{Affected, AnalysisError, ImpactEdge, ImpactOptions};
use base::{EdgeType, Site, Tier};
use rustc_hash::FxHashMap;
use store::Name;

/// Members that an entry names, if those beyond the limit are left out.
const NAMED: usize = 4;

/// An entry of the list: a node, or several of one file.
struct Entry {
    /// Places in `reached`, in order of line.
    of: Vec<usize>,
    rank: Rank,
}

/// Order of an entry among those of the same distance.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    test: bool,
    /// Files that import and do nothing more.
    importer: bool,
    /// The place of the file in the order of paths.
    file: usize,
    line: u32,
}

/// Fills the list of an answer whose numbers are final.
pub(crate) fn fill_affected_list(
    walk: &Walk<'_>,
    options: &ImpactOptions,
    answer: &mut Impact,
) -> Result<(), AnalysisError> {
    let limit = match options.limit {
        0 => usize::MAX,
        limit => limit,
    };
    let most = if options.uncut { usize::MAX } else { limit };
    let mut lister = Lister {
        walk,
        named: if options.uncut { usize::MAX } else { NAMED },
        decay: options.decay,
        ids: options.ids,
        entry_of: FxHashMap::default(),
    };
    let many = answer.total_affected > limit;
    let mut start = walk.reached.partition_point(|r| r.depth == 0);
    for (at, size) in answer.by_depth.clone().into_iter().enumerate() {
        let level: Vec<usize> = (start..start + size).collect();
        start += size;
        if answer.affected.len() >= most {
            answer.truncated += size;
            continue;
        }
        // Each direct dependent of the root gets an entry of its own.
        let together = many && (at > 0 || size > limit);
        let mut entries = lister.group_into_entries(&level, together)?;
        entries.sort_by(|a, b| {
            let key = |entry: &Entry| walk.reached[entry.of[0]].key;
            let order = a.rank.cmp(&b.rank);
            order.then_with(|| walk.graph.compare_ids(key(a), key(b)))
        });
        for entry in entries {
            if answer.affected.len() < most {
                let number = answer.affected.len();
                let affected = lister.build_affected(&entry, number)?;
                answer.affected.push(affected);
            } else {
                answer.truncated += entry.of.len();
            }
        }
    }
    Ok(())
}

struct Lister<'a, 'g> {
    walk: &'a Walk<'g>,
    /// Members that an entry names.
    named: usize,
    /// The share of the impact that one hop leaves.
    decay: f64,
    /// Whether an entry has an id.
    ids: bool,
    /// The entry of each position in `reached`.
    entry_of: FxHashMap<usize, usize>,
}

impl Lister<'_, '_> {
    fn reached(&self, at: usize) -> &Reached {
        &self.walk.reached[at]
    }

    /// Groups the level into entries: each node by itself, or those of one file `together`; tests always apart from sources.
    fn group_into_entries(
        &self,
        level: &[usize],
        together: bool,
    ) -> Result<Vec<Entry>, AnalysisError> {
        let graph = self.walk.graph;
        let mut spots = Vec::with_capacity(level.len());
        for at in level {
            let spot = graph.location(self.reached(*at).key)?;
            spots.push((spot.file, spot.test, spot.line, *at));
        }
        let order = self.path_order(spots.iter().map(|spot| spot.0).collect());
        spots.sort_unstable();
        let mut entries: Vec<Entry> = Vec::new();
        let mut last = None;
        for (file, test, line, at) in spots {
            let group = Some((file, test));
            match entries.last_mut().filter(|_| together && group == last) {
                Some(entry) => {
                    entry.rank.importer &= self.is_import(at);
                    entry.of.push(at);
                }
                None => entries.push(Entry {
                    of: vec![at],
                    rank: Rank {
                        test,
                        importer: self.is_import(at),
                        file: order.get(&file).copied().unwrap_or_default(),
                        line,
                    },
                }),
            }
            last = group;
        }
        Ok(entries)
    }

    fn is_import(&self, at: usize) -> bool {
        let via = self.reached(at).via.as_ref();
        via.is_some_and(|via| via.cause == Cause::Edge(EdgeType::Imports))
    }

    /// The positions of files in the order of their paths, each looked up once.
    fn path_order(&self, mut files: Vec<u32>) -> FxHashMap<u32, usize> {
        files.sort_unstable();
        files.dedup();
        files.sort_by_cached_key(|file| self.walk.graph.file_path(*file).into_owned());
        let places = files.into_iter().enumerate();
        places.map(|(at, file)| (file, at)).collect()
    }

    fn build_affected(&mut self, entry: &Entry, number: usize) -> Result<Affected, AnalysisError> {
        let graph = self.walk.graph;
        for at in &entry.of {
            self.entry_of.insert(*at, number);
        }
        let several = entry.of.len() > 1;
        // A member that does more than import represents the others.
        let first = entry.of.iter().find(|at| !self.is_import(**at));
        let first = self.reached(*first.unwrap_or(&entry.of[0]));
        let node = load_name(graph, first.key)?;
        let mut such_as = Vec::new();
        for at in entry
            .of
            .iter()
            .filter(|at| several && !self.is_import(**at))
        {
            if such_as.len() < self.named {
                such_as.push(short_name(&load_name(graph, self.reached(*at).key)?));
            }
        }
        let mut edge = match &first.via {
            Some(via) => self.build_edge(via)?,
            None => return Err(AnalysisError::NoNode(node.id)),
        };
        edge.file_path = edge.file_path.filter(|file| *file != node.file_path);
        let id = (self.ids && !several).then(|| node.id.clone());
        let (symbol, kind, line) = if several {
            (last_segment(&node.file_path), "file".to_owned(), 1)
        } else {
            (short_name(&node), node.kind, node.line_start.unwrap_or(0))
        };
        Ok(Affected {
            symbol,
            id,
            kind,
            line,
            depth: first.depth,
            impact: impact_at(self.decay, first.depth),
            file_path: node.file_path,
            members: if several { entry.of.len() } else { 0 },
            such_as,
            edge,
        })
    }

    fn build_edge(&self, via: &IncomingEdge) -> Result<ImpactEdge, AnalysisError> {
        let graph = self.walk.graph;
        let to = load_name(graph, self.reached(via.from).key)?;
        Ok(ImpactEdge {
            to: short_name(&to),
            to_entry: self.entry_of.get(&via.from).copied(),
            via: match via.cause {
                Cause::Edge(EdgeType::Calls) if via.tier == Tier::Virtual => {
                    "VIRTUAL_CALLS".to_owned()
                }
                Cause::Edge(kind) => kind.as_str().to_owned(),
                Cause::Relation(kind) => self.walk.kinds[kind].clone(),
            },
            site: via.is_mention.then_some(Site::Reference),
            tier: via.tier,
            confidence: via.confidence,
            file_path: via.file.map(|file| graph.file_path(file).into_owned()),
            line: via.line,
            evidence: None,
        })
    }
}

/// The name within the file; for a file, its name without folders.
fn short_name(node: &Name) -> String {
    if node.kind == "file" {
        last_segment(&node.file_path)
    } else {
        display_name(&node.as_row()).to_owned()
    }
}

fn last_segment(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use crate::test_graph::TestGraph;
    use crate::{Impact, ImpactOptions, analyze_impact};

    fn run(limit: usize) -> Impact {
        run_with(ImpactOptions {
            limit,
            ..ImpactOptions::default()
        })
    }

    fn run_with(options: ImpactOptions) -> Impact {
        let mut lines = vec!["main -> Box.open".to_owned(), "Box defines Box.open".into()];
        for n in 0..6 {
            lines.push(format!("Many.m{n} -> main"));
        }
        lines.push("src/b.ts imports main".to_owned());
        lines.push("far -> Many.m3".to_owned());
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let graph = TestGraph::new(&lines);
        analyze_impact(&graph, "Box", &[graph.key_of_name("Box")], &options).unwrap()
    }

    fn entries(answer: &Impact) -> Vec<(&str, usize)> {
        let entries = answer.affected.iter();
        entries.map(|a| (a.symbol.as_str(), a.members)).collect()
    }

    #[test]
    fn few_are_listed_one_by_one() {
        let all = run(0);
        assert_eq!(all.by_depth, [1, 7, 1]);
        assert_eq!((all.affected.len(), all.total_affected), (9, 9));
        assert_eq!(all.affected[7].symbol, "b.ts");
        assert_eq!(run(9).affected, all.affected);
    }

    #[test]
    fn many_of_one_file_are_one_entry_and_every_one_counts() {
        let answer = run(4);
        let expected = [("main", 0), ("all.ts", 6), ("b.ts", 0), ("far", 0)];
        assert_eq!(entries(&answer), expected);
        let names = ["Many.m0", "Many.m1", "Many.m2", "Many.m3"];
        assert_eq!(answer.affected[1].such_as, names);
        assert_eq!(answer.affected[1].edge.to, "main");
        assert_eq!(answer.affected[3].edge.to_entry, Some(1));
        assert_eq!((answer.total_affected, answer.truncated), (9, 0));
    }

    #[test]
    fn what_comes_in_pages_names_every_member() {
        let answer = run_with(ImpactOptions {
            limit: 4,
            uncut: true,
            ..ImpactOptions::default()
        });
        assert_eq!(answer.affected[1].such_as.len(), 6);
        assert_eq!(answer.truncated, 0);
    }

    #[test]
    fn what_is_left_out_is_counted_by_symbol() {
        let mut answer = run(2);
        assert_eq!(entries(&answer), [("main", 0), ("all.ts", 6)]);
        assert_eq!(answer.truncated, 2);
        answer.truncate_entries(1);
        assert_eq!((answer.affected.len(), answer.truncated), (1, 8));
        assert_eq!(answer.total_affected, 9);
    }
}
