//! What of an impact is listed: nearest first, members of one class or file together where there are many.

use crate::graph::{display_name, name};
use crate::impact::{Impact, Reached, Via, Walk, Why, impact_at};
use crate::{Affected, AnalysisError, ImpactEdge, Way};
use base::EdgeType;
use rustc_hash::FxHashMap;
use store::NodeFlags;

/// So many members of one container become one entry.
const GROUP: usize = 3;

/// Members that an entry names.
const NAMED: usize = 4;

/// One entry to be: a node, or what stands for several.
struct Entry {
    /// The node, or the class or file around the nodes.
    key: u32,
    /// Places in `reached`, in order of line.
    of: Vec<usize>,
    test: bool,
    /// The place of the file in the order of paths.
    file: usize,
    line: u32,
}

/// Fills the list of an answer whose numbers stand.
pub(crate) fn list(
    walk: &Walk<'_>,
    limit: usize,
    answer: &mut Impact,
) -> Result<(), AnalysisError> {
    let limit = if limit == 0 { usize::MAX } else { limit };
    let mut lister = Lister {
        walk,
        entry_of: FxHashMap::default(),
    };
    let many = answer.total_affected > limit;
    let mut start = walk.reached.partition_point(|r| r.depth == 0);
    for (at, size) in answer.by_depth.clone().into_iter().enumerate() {
        let level: Vec<usize> = (start..start + size).collect();
        start += size;
        if answer.affected.len() >= limit {
            answer.truncated += size;
            continue;
        }
        // Who depends on the root itself is worth a line each.
        let tests_alone = at == 0 && size <= limit;
        let mut entries = match many {
            true => lister.groups(&level, tests_alone)?,
            false => lister.singles(&level)?,
        };
        entries.sort_by(|a, b| {
            let order = (a.test, a.file, a.line).cmp(&(b.test, b.file, b.line));
            order.then_with(|| walk.graph.compare(a.key, b.key))
        });
        for entry in entries {
            if answer.affected.len() < limit {
                let number = answer.affected.len();
                let affected = lister.affected(&entry, number)?;
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
    /// The entry that stands for a place in `reached`.
    entry_of: FxHashMap<usize, usize>,
}

impl Lister<'_, '_> {
    fn reached(&self, at: usize) -> &Reached {
        &self.walk.reached[at]
    }

    fn singles(&self, level: &[usize]) -> Result<Vec<Entry>, AnalysisError> {
        let groups = level.iter().map(|at| (self.reached(*at).key, vec![*at]));
        self.entries(groups.collect())
    }

    /// Those of one container together where they are several; of sources only where `tests_alone`
    /// does not forbid it.
    fn groups(&self, level: &[usize], tests_alone: bool) -> Result<Vec<Entry>, AnalysisError> {
        let mut groups: Vec<(u32, Vec<usize>)> = Vec::new();
        let mut number: FxHashMap<u32, usize> = FxHashMap::default();
        for at in level {
            let key = self.reached(*at).key;
            let alone = tests_alone && !self.walk.graph.spot(key)?.flags.has(NodeFlags::TEST);
            let container = if alone { None } else { self.container(key)? };
            match container.and_then(|c| number.get(&c)) {
                Some(group) => groups[*group].1.push(*at),
                None => {
                    if let Some(container) = container {
                        number.insert(container, groups.len());
                    }
                    groups.push((container.unwrap_or(key), vec![*at]));
                }
            }
        }
        let mut entries = Vec::with_capacity(groups.len());
        for (container, of) in groups {
            if of.len() >= GROUP {
                entries.push((container, of));
            } else {
                entries.extend(of.into_iter().map(|at| (self.reached(at).key, vec![at])));
            }
        }
        self.entries(entries)
    }

    /// The class or file in which a node is defined.
    fn container(&self, key: u32) -> Result<Option<u32>, AnalysisError> {
        let graph = self.walk.graph;
        let mut found: Option<u32> = None;
        graph.steps(key, Way::In, &[EdgeType::Defines], &mut |step| {
            let first = found.is_none_or(|f| graph.compare(step.to, f).is_lt());
            if first {
                found = Some(step.to);
            }
        })?;
        Ok(found)
    }

    fn entries(&self, groups: Vec<(u32, Vec<usize>)>) -> Result<Vec<Entry>, AnalysisError> {
        let graph = self.walk.graph;
        let mut entries = Vec::with_capacity(groups.len());
        let mut files = Vec::with_capacity(groups.len());
        for (key, mut of) in groups {
            let spot = graph.spot(key)?;
            let mut test = true;
            let mut lines = Vec::with_capacity(of.len());
            for at in &of {
                let member = graph.spot(self.reached(*at).key)?;
                test &= member.flags.has(NodeFlags::TEST);
                lines.push((member.line, *at));
            }
            lines.sort_unstable();
            of.clear();
            of.extend(lines.into_iter().map(|(_, at)| at));
            files.push(spot.file);
            entries.push(Entry {
                key,
                of,
                test,
                file: spot.file as usize,
                line: spot.line,
            });
        }
        // Files by path, each looked up once.
        files.sort_unstable();
        files.dedup();
        files.sort_by_cached_key(|file| graph.file(*file).into_owned());
        let order: FxHashMap<usize, usize> = files
            .iter()
            .enumerate()
            .map(|(at, file)| (*file as usize, at))
            .collect();
        for entry in &mut entries {
            entry.file = order.get(&entry.file).copied().unwrap_or_default();
        }
        Ok(entries)
    }

    fn affected(&mut self, entry: &Entry, number: usize) -> Result<Affected, AnalysisError> {
        let graph = self.walk.graph;
        for at in &entry.of {
            self.entry_of.insert(*at, number);
        }
        let first = self.reached(entry.of[0]);
        let node = name(graph, entry.key)?;
        let symbol = display_name(&node.row()).to_owned();
        let several = entry.of.len() > 1;
        let mut such_as = Vec::new();
        for at in entry.of.iter().take(if several { NAMED } else { 0 }) {
            such_as.push(name(graph, self.reached(*at).key)?.symbol);
        }
        let mut edge = match &first.via {
            Some(via) => self.edge(via)?,
            None => return Err(AnalysisError::NoNode(symbol)),
        };
        edge.file_path = edge.file_path.filter(|file| *file != node.file_path);
        Ok(Affected {
            symbol,
            depth: first.depth,
            impact: impact_at(first.depth),
            line: node.line_start.unwrap_or(0),
            kind: node.kind,
            file_path: node.file_path,
            members: if several { entry.of.len() } else { 0 },
            such_as,
            edge,
        })
    }

    fn edge(&self, via: &Via) -> Result<ImpactEdge, AnalysisError> {
        let graph = self.walk.graph;
        let to = name(graph, self.reached(via.from).key)?;
        Ok(ImpactEdge {
            to: display_name(&to.row()).to_owned(),
            to_entry: self.entry_of.get(&via.from).copied(),
            via: match via.why {
                Why::Edge(kind) => kind.as_str().to_owned(),
                Why::Relation(kind) => self.walk.kinds[kind].clone(),
            },
            tier: via.tier,
            confidence: via.confidence,
            file_path: via.file.map(|file| graph.file(file).into_owned()),
            line: via.line,
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::test_graph::TestGraph;
    use crate::{Impact, ImpactOptions, impact};

    fn run(limit: usize) -> Impact {
        let mut lines = vec!["main -> Box.open".to_owned(), "Box defines Box.open".into()];
        for n in 0..6 {
            lines.push(format!("Many defines Many.m{n}"));
            lines.push(format!("Many.m{n} -> main"));
        }
        lines.push("far -> Many.m3".to_owned());
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let graph = TestGraph::new(&lines);
        let options = ImpactOptions {
            limit,
            ..ImpactOptions::default()
        };
        impact(&graph, "Box", &[graph.at("Box")], &options).unwrap()
    }

    fn entries(answer: &Impact) -> Vec<(&str, usize)> {
        let entries = answer.affected.iter();
        entries.map(|a| (a.symbol.as_str(), a.members)).collect()
    }

    #[test]
    fn few_are_listed_one_by_one() {
        let all = run(0);
        assert_eq!(all.by_depth, [1, 6, 1]);
        assert_eq!((all.affected.len(), all.total_affected), (8, 8));
        assert_eq!(run(8).affected, all.affected);
    }

    #[test]
    fn many_of_one_container_are_one_entry_and_every_one_counts() {
        let answer = run(4);
        assert_eq!(entries(&answer), [("main", 0), ("Many", 6), ("far", 0)]);
        assert_eq!(answer.affected[1].such_as, ["m0", "m1", "m2", "m3"]);
        assert_eq!(answer.affected[1].edge.to, "main");
        assert_eq!(answer.affected[2].edge.to_entry, Some(1));
        assert_eq!((answer.total_affected, answer.truncated), (8, 0));
    }

    #[test]
    fn what_is_left_out_is_counted_by_symbol() {
        let mut answer = run(2);
        assert_eq!(entries(&answer), [("main", 0), ("Many", 6)]);
        assert_eq!(answer.truncated, 1);
        answer.shorten(1);
        assert_eq!((answer.affected.len(), answer.truncated), (1, 7));
        assert_eq!(answer.total_affected, 8);
    }
}
