//! How the tables of a language follow changes.

use crate::lang::{DefinitionChanges, Langs};
use crate::repo::{FileId, Repo};
use crate::surface::IndexRemap;

/// How the tables of a language follow changes. Every hook that most languages do not need has a neutral default.
pub trait Incremental {
    /// Reads what takes the semantics of all languages to read; called once, before linking.
    fn prepare(&self, _repo: &Repo, _langs: &Langs) {}

    /// Follows a file whose facts were replaced by others that look the same from outside, though indexes may have
    /// moved. False where the tables cannot, and are to be built anew. Default: they hold definitions by index, and
    /// none moved.
    fn follow(&mut self, _repo: &Repo, _file: FileId, moved: &IndexRemap) -> bool {
        moved.is_identity()
    }

    /// Follows definitions that came and went, behind [`Incremental::follow`] for their files, which left those that went
    /// with an index that means nothing. False where the tables cannot, and are to be built anew. Default: they cannot.
    fn renew(&mut self, _repo: &Repo, _news: &DefinitionChanges<'_>) -> bool {
        false
    }

    /// Whether tables that are made anew while others stay are those that a link of everything makes. Not where they are
    /// prepared from the bodies of all files. Default: they are.
    fn can_be_made_again(&self) -> bool {
        true
    }

    /// Whether what the tables took from the bodies of a file, which are no part of what others see, is what they
    /// would take now. Not called while files are being linked. Default: they took nothing.
    fn agrees(&self, _repo: &Repo, _langs: &Langs, _file: FileId) -> bool {
        true
    }
}
