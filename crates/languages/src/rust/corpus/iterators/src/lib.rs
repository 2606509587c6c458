mod tree;

use std::collections::{BTreeMap, HashSet};
use tree::{Leaf, Tree};

/// The names of the adaptors are methods here too.
pub struct Pipeline {
    leaves: Vec<Leaf>,
    by_name: BTreeMap<String, Leaf>,
}

impl Pipeline {
    fn map(&self, with: impl Fn(&Leaf) -> u32) -> Vec<u32> {
        self.leaves.iter().map(|leaf| with(leaf)).collect()
    }

    fn filter(self) -> Self {
        let leaves = self.leaves.into_iter().filter(|leaf| leaf.size() > 1).collect(); // calls src/tree.rs:Leaf.size
        Pipeline { leaves, ..self }
    }

    fn iter(&self) -> impl Iterator<Item = &Leaf> + '_ {
        self.leaves.iter().chain(self.by_name.values())
    }
}

pub fn run(tree: Tree, pipeline: Pipeline) -> usize {
    for leaf in &tree {
        leaf.size(); // calls src/tree.rs:Leaf.size
    }
    for (i, leaf) in tree.iter().enumerate() { // calls src/tree.rs:Tree.iter
        leaf.grow(i as u32).size(); // calls src/tree.rs:Leaf.grow, src/tree.rs:Leaf.size
    }
    tree.iter().map(|leaf| leaf.size()).sum::<u32>(); // calls src/tree.rs:Tree.iter, src/tree.rs:Leaf.size
    tree.iter().map(Leaf::copy).next().unwrap().size(); // calls src/tree.rs:Tree.iter, src/tree.rs:Leaf.size
    let (big, small): (Vec<Leaf>, Vec<Leaf>) = tree.iter().cloned().partition(|leaf| leaf.is_big()); // calls src/tree.rs:Tree.iter, src/tree.rs:Leaf.is_big
    big.iter().zip(small.iter()).for_each(|(a, b)| assert!(a.size() > b.size())); // calls src/tree.rs:Leaf.size
    pipeline.map(|leaf| leaf.size()).len(); // calls :Pipeline.map, src/tree.rs:Leaf.size
    pipeline.iter().max_by_key(|leaf| leaf.size()).unwrap().size(); // calls :Pipeline.iter, src/tree.rs:Leaf.size
    pipeline.by_name.iter().filter(|(_, leaf)| leaf.is_big()).count(); // calls src/tree.rs:Leaf.is_big
    pipeline.filter().map(Leaf::size).iter().sum::<u32>(); // calls :Pipeline.filter, :Pipeline.map
    small.iter().fold(Leaf::new(0), |sum, leaf| sum.grow(leaf.size())).size(); // calls src/tree.rs:Leaf.new, src/tree.rs:Leaf.grow, src/tree.rs:Leaf.size
    if let Some(leaf) = big.iter().find(|leaf| leaf.is_big()) { // calls src/tree.rs:Leaf.is_big
        leaf.copy(); // calls src/tree.rs:Leaf.copy
    }
    while let Some(leaf) = tree.walk().next() { // calls src/tree.rs:Tree.walk, src/tree.rs:Walk.next
        leaf.is_big(); // calls src/tree.rs:Leaf.is_big
    }
    let mut walk = tree.walk().skip(1).peekable(); // calls src/tree.rs:Tree.walk
    walk.peek().map(|leaf| leaf.size()); // calls src/tree.rs:Leaf.size
    let sizes: HashSet<u32> = big.into_iter().flat_map(|leaf| vec![leaf.size()]).collect(); // calls src/tree.rs:Leaf.size
    small.windows(2).filter(|pair| pair[0].is_big()).count(); // calls src/tree.rs:Leaf.is_big
    let all: Vec<_> = tree.into_iter().collect(); // calls src/tree.rs:Tree.into_iter@58
    all[0].size(); // calls src/tree.rs:Leaf.size
    sizes.len()
}
