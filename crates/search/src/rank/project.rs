//! Facts about a project that ranking needs from its caller.

use crate::doc::FileRole;

/// Facts about a project besides its index. A function from path to number implements it with centrality alone.
pub trait ProjectView: Sync {
    /// How central a file is in the graph, 0–1.
    fn centrality(&self, path: &str) -> f32;

    /// The role of a file whose role in the index is `indexed`: rules of the project may change it.
    fn role(&self, path: &str, indexed: FileRole) -> FileRole {
        let _ = path;
        indexed
    }

    /// The present lines of a file, for comparison to the letter; none if they cannot be read.
    fn lines(&self, path: &str, first: u32, last: u32) -> Option<String> {
        let _ = (path, first, last);
        None
    }
}

impl<F: Fn(&str) -> f32 + Sync> ProjectView for F {
    fn centrality(&self, path: &str) -> f32 {
        self(path)
    }
}
