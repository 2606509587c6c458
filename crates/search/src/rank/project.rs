//! What ranking asks of its caller, who knows the project beside the index.

use crate::doc::FileRole;

/// A project as far as ranking asks about it. A function from a path to a number tells how central files are, and nothing
/// else.
pub trait ProjectView: Sync {
    /// How central a file is in the graph, 0–1.
    fn centrality(&self, path: &str) -> f32;

    /// What a file is, where the index says `indexed`: rules of the project may say otherwise.
    fn role(&self, path: &str, indexed: FileRole) -> FileRole {
        let _ = path;
        indexed
    }

    /// Lines of a file as they stand now, for comparison to the letter; none where they cannot be read.
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
