#[derive(Clone, Copy)]
pub struct Leaf(u32);

impl Leaf {
    pub fn new(size: u32) -> Leaf {
        Leaf(size) // calls :Leaf
    }

    pub fn size(&self) -> u32 {
        self.0
    }

    pub fn is_big(&self) -> bool {
        self.size() > 10 // calls :Leaf.size
    }

    pub fn grow(&self, by: u32) -> Leaf {
        Leaf::new(self.size() + by) // calls :Leaf.new, :Leaf.size
    }

    pub fn copy(&self) -> Leaf {
        self.clone()
    }
}

pub struct Tree {
    leaves: Vec<Leaf>,
}

pub struct Walk<'a> {
    tree: &'a Tree,
    at: usize,
}

impl Tree {
    pub fn iter(&self) -> std::slice::Iter<'_, Leaf> {
        self.leaves.iter()
    }

    pub fn walk(&self) -> Walk<'_> {
        Walk { tree: self, at: 0 }
    }
}

impl<'a> Iterator for Walk<'a> {
    type Item = &'a Leaf;

    fn next(&mut self) -> Option<Self::Item> {
        self.at += 1;
        self.tree.leaves.get(self.at).filter(|leaf| leaf.is_big()) // calls :Leaf.is_big
    }
}

impl IntoIterator for Tree {
    type Item = Leaf;
    type IntoIter = std::vec::IntoIter<Leaf>;

    fn into_iter(self) -> Self::IntoIter {
        self.leaves.into_iter()
    }
}

impl<'a> IntoIterator for &'a Tree {
    type Item = &'a Leaf;
    type IntoIter = std::slice::Iter<'a, Leaf>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter() // calls :Tree.iter
    }
}
