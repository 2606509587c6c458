//! Sequences of edits to a repository, as people, editors and version control make them. The same seed gives the same
//! sequence.

mod change;
mod definitions;
mod fixtures;

use crate::parse_fixture;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Files of a repository: path and text.
pub type Tree = BTreeMap<String, String>;

/// An edit.
#[derive(Debug, Clone)]
pub struct Edit {
    /// Kind of edit, and the file.
    pub description: String,
    /// Paths with their new text; `None` for a removed file. Removals come first.
    pub changes: Vec<(String, Option<String>)>,
}

/// Makes edits one after the other.
pub struct Edits {
    random: Random,
    /// The repository at the beginning, to which some edits return.
    initial_tree: Tree,
    /// Another state to switch to.
    branch: Tree,
    tree: Tree,
}

impl Edits {
    /// A sequence over the fixture of one language, or of all languages together.
    pub fn new(seed: u64) -> Edits {
        let mut random = Random::new(seed);
        let of = random.below(fixtures::ALL.len() + 1);
        let mut first = Tree::new();
        for (at, (name, text)) in fixtures::ALL.iter().enumerate() {
            if of == at {
                first = parse_tree(text, "");
            } else if of == fixtures::ALL.len() {
                first.extend(parse_tree(text, &format!("{name}/")));
            }
        }
        Edits {
            random,
            branch: first.clone(),
            tree: first.clone(),
            initial_tree: first,
        }
    }

    /// The repository as it is now.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The next edit, already applied to [`Edits::tree`].
    pub fn next_edit(&mut self) -> Edit {
        let edit = change::random_edit(self);
        for (path, text) in &edit.changes {
            match text {
                Some(text) => self.tree.insert(path.clone(), text.clone()),
                None => self.tree.remove(path),
            };
        }
        edit
    }
}

/// The files of a fixture, each below `prefix`.
fn parse_tree(text: &str, prefix: &str) -> Tree {
    let mut tree = Tree::new();
    for file in parse_fixture(text) {
        tree.insert(format!("{prefix}{}", file.path), file.text.to_owned());
    }
    tree
}

/// Writes all files.
///
/// # Panics
/// When one cannot be written.
pub fn write_all(root: &Path, tree: &Tree) {
    for (path, text) in tree {
        write_file(root, path, text);
    }
}

impl Edit {
    /// Makes the edit on disk.
    ///
    /// # Panics
    /// When a file cannot be written or removed.
    pub fn apply_to_disk(&self, root: &Path) {
        for (path, text) in &self.changes {
            match text {
                Some(text) => write_file(root, path, text),
                None => {
                    let gone = fs::remove_file(root.join(path));
                    assert!(gone.is_ok(), "cannot remove {path}: {gone:?}");
                }
            }
        }
    }
}

fn write_file(root: &Path, path: &str, text: &str) {
    let file = root.join(path);
    let written = match file.parent() {
        Some(folder) => fs::create_dir_all(folder),
        None => Ok(()),
    };
    let written = written.and_then(|()| fs::write(&file, text));
    assert!(written.is_ok(), "cannot write {path}: {written:?}");
}

/// Numbers that look random (SplitMix64; Steele, Lea, Flood 2014).
pub struct Random(u64);

impl Random {
    /// Creates a generator. The same seed gives the same numbers.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x5851_F42D_4C95_7F2D)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `limit`; 0 if that is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        match limit {
            0 => 0,
            _ => (self.next() % limit as u64) as usize,
        }
    }

    /// A random element; `None` of an empty slice.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let at = self.below(from.len());
        from.get(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_edits_and_every_kind_occurs() {
        let mut kinds = std::collections::BTreeSet::new();
        for seed in 0..40 {
            let (mut one, mut two) = (Edits::new(seed), Edits::new(seed));
            for _ in 0..20 {
                let (a, b) = (one.next_edit(), two.next_edit());
                assert_eq!((&a.description, &a.changes), (&b.description, &b.changes));
                kinds.insert(a.description.split(':').next().unwrap_or("").to_owned());
            }
            assert_eq!(one.tree(), two.tree());
        }
        assert_eq!(kinds.len(), change::KINDS, "{kinds:?}");
    }
}
