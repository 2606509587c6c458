//! Strongly connected components of a weighted graph, shortest cycles in them, and cheap sets of links whose removal leaves no
//! cycle.

use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A link between two numbered items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Link {
    pub from: u32,
    pub to: u32,
    /// Cost of cutting it.
    pub weight: u32,
}

/// A graph of links, which are looked up by their source. Links are in order and without duplicates.
pub(crate) struct LinkGraph {
    pub links: Vec<Link>,
    starts: Vec<usize>,
}

/// Most nodes that are put in order one by one.
const MOST_GREEDY: usize = 4_000;

impl LinkGraph {
    /// Creates the graph of `count` nodes.
    pub(crate) fn new(count: usize, mut links: Vec<Link>) -> LinkGraph {
        links.sort_unstable();
        let mut starts = vec![0; count + 1];
        for link in &links {
            starts[link.from as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        LinkGraph { links, starts }
    }

    fn node_count(&self) -> usize {
        self.starts.len() - 1
    }

    fn links_from(&self, thing: u32) -> &[Link] {
        let at = thing as usize;
        &self.links[self.starts[at]..self.starts[at + 1]]
    }

    /// Components of two nodes and more (Tarjan 1972, without recursion), each in order, the one with the least node first.
    pub(crate) fn strongly_connected_components(&self) -> Vec<Vec<u32>> {
        const UNSEEN: u32 = u32::MAX;
        let count = self.node_count();
        let (mut index, mut low) = (vec![UNSEEN; count], vec![0u32; count]);
        let mut on_stack = vec![false; count];
        let mut stack: Vec<u32> = Vec::new();
        let mut found: Vec<Vec<u32>> = Vec::new();
        let mut next = 0;
        for root in 0..count as u32 {
            if index[root as usize] != UNSEEN {
                continue;
            }
            let mut work: Vec<(u32, usize)> = vec![(root, 0)];
            while let Some((thing, at)) = work.pop() {
                let here = thing as usize;
                if at == 0 {
                    (index[here], low[here]) = (next, next);
                    next += 1;
                    stack.push(thing);
                    on_stack[here] = true;
                }
                if let Some(link) = self.links_from(thing).get(at) {
                    work.push((thing, at + 1));
                    let to = link.to as usize;
                    if index[to] == UNSEEN {
                        work.push((link.to, 0));
                    } else if on_stack[to] {
                        low[here] = low[here].min(index[to]);
                    }
                    continue;
                }
                if let Some((parent, _)) = work.last() {
                    let parent = *parent as usize;
                    low[parent] = low[parent].min(low[here]);
                }
                if low[here] == index[here] {
                    let from = stack.iter().rposition(|t| *t == thing).unwrap_or(0);
                    let mut members = stack.split_off(from);
                    for member in &members {
                        on_stack[*member as usize] = false;
                    }
                    if members.len() > 1 {
                        members.sort_unstable();
                        found.push(members);
                    }
                }
            }
        }
        found.sort();
        found
    }

    /// The links among `members`, which are in order, with members numbered from 0.
    pub(crate) fn subgraph(&self, members: &[u32]) -> LinkGraph {
        let local: FxHashMap<u32, u32> = members.iter().copied().zip(0..).collect();
        let links = members.iter().flat_map(|m| self.links_from(*m));
        let links = links.filter_map(|link| {
            Some(Link {
                from: *local.get(&link.from)?,
                to: *local.get(&link.to)?,
                weight: link.weight,
            })
        });
        let links: Vec<Link> = links.collect();
        LinkGraph::new(members.len(), links)
    }

    /// The nodes on a shortest path from one to another, both included. Of several paths the least one.
    pub(crate) fn shortest_path(&self, from: u32, to: u32) -> Option<Vec<u32>> {
        let mut before: Vec<Option<u32>> = vec![None; self.node_count()];
        let mut queue = VecDeque::from([from]);
        before[from as usize] = Some(from);
        while let Some(thing) = queue.pop_front() {
            if thing == to {
                let mut way = vec![to];
                let mut at = to;
                while at != from {
                    at = before[at as usize]?;
                    way.push(at);
                }
                way.reverse();
                return Some(way);
            }
            for link in self.links_from(thing) {
                if before[link.to as usize].is_none() {
                    before[link.to as usize] = Some(thing);
                    queue.push_back(link.to);
                }
            }
        }
        None
    }

    /// Whether there is a cycle after the links marked in `gone` are removed.
    fn is_cyclic_without(&self, gone: &[bool]) -> bool {
        let mut incoming = vec![0u32; self.node_count()];
        for (link, gone) in self.links.iter().zip(gone) {
            incoming[link.to as usize] += u32::from(!gone);
        }
        let mut free: Vec<u32> = (0..self.node_count() as u32)
            .filter(|t| incoming[*t as usize] == 0)
            .collect();
        let mut done = 0;
        while let Some(thing) = free.pop() {
            done += 1;
            let first = self.starts[thing as usize];
            for (at, link) in self.links_from(thing).iter().enumerate() {
                if gone[first + at] {
                    continue;
                }
                incoming[link.to as usize] -= 1;
                if incoming[link.to as usize] == 0 {
                    free.push(link.to);
                }
            }
        }
        done < self.node_count()
    }

    /// Links whose removal leaves no cycle, cheapest first: a single one if that is enough, else a set found greedily (Eades,
    /// Lin, Smyth 1993), from which every unneeded link is dropped.
    pub(crate) fn find_cycle_cuts(&self) -> Vec<Link> {
        let mut order: Vec<usize> = (0..self.links.len()).collect();
        order.sort_by_key(|at| (self.links[*at].weight, *at));
        // Each trial costs time in proportion to the number of links.
        if self.links.len() <= 2_000 {
            let mut gone = vec![false; self.links.len()];
            for at in &order {
                gone[*at] = true;
                if !self.is_cyclic_without(&gone) {
                    return vec![self.links[*at]];
                }
                gone[*at] = false;
            }
        }
        let place = self.greedy_order();
        let backward = |at: usize| {
            let link = &self.links[at];
            place[link.from as usize] > place[link.to as usize]
        };
        let mut gone: Vec<bool> = (0..self.links.len()).map(backward).collect();
        if self.links.len() <= 5_000 {
            for at in order.iter().rev() {
                if std::mem::replace(&mut gone[*at], false) && self.is_cyclic_without(&gone) {
                    gone[*at] = true;
                }
            }
        }
        let cut = order.into_iter().filter(|at| gone[*at]);
        cut.map(|at| self.links[at]).collect()
    }

    /// An order of all nodes in which little weight goes backwards: sinks last, sources first, and otherwise the node with the
    /// most outgoing weight in proportion to its incoming weight.
    fn greedy_order(&self) -> Vec<usize> {
        let count = self.node_count();
        let (mut out, mut into) = (vec![0i64; count], vec![0i64; count]);
        let mut backward: Vec<Vec<(u32, i64)>> = vec![Vec::new(); count];
        for link in &self.links {
            let weight = i64::from(link.weight);
            out[link.from as usize] += weight;
            into[link.to as usize] += weight;
            backward[link.to as usize].push((link.from, weight));
        }
        // Choosing one by one takes the square of their number.
        if count > MOST_GREEDY {
            let mut order: Vec<usize> = (0..count).collect();
            order.sort_by_key(|t| (into[*t] - out[*t], *t));
            let mut place = vec![0; count];
            for (at, thing) in order.into_iter().enumerate() {
                place[thing] = at;
            }
            return place;
        }
        let (mut front, mut back) = (Vec::new(), Vec::new());
        let mut left: Vec<bool> = vec![true; count];
        for _ in 0..count {
            let rest = (0..count).filter(|t| left[*t]);
            let Some(chosen) = rest.max_by_key(|t| {
                let sink = out[*t] == 0;
                let source = into[*t] == 0;
                (sink, source, out[*t] - into[*t], std::cmp::Reverse(*t))
            }) else {
                break;
            };
            if out[chosen] == 0 {
                back.push(chosen)
            } else {
                front.push(chosen)
            }
            left[chosen] = false;
            for link in self.links_from(chosen as u32) {
                into[link.to as usize] -= i64::from(link.weight);
            }
            for (from, weight) in &backward[chosen] {
                out[*from as usize] -= weight;
            }
        }
        front.extend(back.into_iter().rev());
        let mut place = vec![0; count];
        for (at, thing) in front.into_iter().enumerate() {
            place[thing] = at;
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(text: &str) -> LinkGraph {
        let link = |word: &str| {
            let mut parts = word.split('-').map(|n| n.parse().unwrap());
            Link {
                from: parts.next().unwrap(),
                to: parts.next().unwrap(),
                weight: parts.next().unwrap_or(1),
            }
        };
        LinkGraph::new(10, text.split(' ').map(link).collect())
    }

    #[test]
    fn components_are_found_without_those_of_one() {
        let graph = links("0-1 1-2 2-0 2-3 3-4 4-3 5-6 7-7");
        assert_eq!(
            graph.strongly_connected_components(),
            [vec![0, 1, 2], vec![3, 4]]
        );
        assert!(
            links("0-1 1-2 0-2")
                .strongly_connected_components()
                .is_empty()
        );
    }

    #[test]
    fn deep_chains_do_not_recurse() {
        let count = 200_000u32;
        let link = |n: u32| Link {
            from: n,
            to: (n + 1) % count,
            weight: 1,
        };
        let graph = LinkGraph::new(count as usize, (0..count).map(link).collect());
        assert_eq!(
            graph.strongly_connected_components()[0].len(),
            count as usize
        );
        assert_eq!(
            graph.find_cycle_cuts().len(),
            1,
            "a large cycle is cut in bounded time"
        );
    }

    #[test]
    fn the_cheapest_link_that_ends_every_cycle_is_cut() {
        let graph = links("0-1-9 1-2-5 2-0-7 1-0-2");
        let cycle = graph.subgraph(&[0, 1, 2]);
        // Cutting 1-0 is cheaper, but leaves the longer cycle.
        assert_eq!(
            cycle.find_cycle_cuts(),
            [Link {
                from: 0,
                to: 1,
                weight: 9
            }]
        );
        assert_eq!(cycle.shortest_path(1, 0), Some(vec![1, 0]));
    }

    #[test]
    fn two_cycles_without_a_common_link_take_two_cuts() {
        let graph = links("0-1-3 1-0-1 1-2-2 2-1-8");
        let cuts = graph.subgraph(&[0, 1, 2]).find_cycle_cuts();
        let pairs: Vec<_> = cuts.iter().map(|l| (l.from, l.to, l.weight)).collect();
        assert_eq!(pairs, [(1, 0, 1), (1, 2, 2)]);
    }
}
