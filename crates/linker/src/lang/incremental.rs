//! Hooks for incremental updates of a language's tables.

use crate::lang::{DefinitionChanges, Langs};
use crate::repo::{FileId, Repo};
use crate::surface::IndexRemap;

/// Hooks for incremental updates of a language's tables. A hook that most languages do not need has a neutral default.
pub trait Incremental {
    /// Fills tables that need the semantics of all languages; called once, before linking.
    fn prepare(&self, _repo: &Repo, _langs: &Langs) {}

    /// Updates the tables after the facts of a file were replaced by others with the same surface, in which indexes may
    /// have moved. False if the tables must be built anew. Default: the tables hold definitions by index, so true only
    /// if no index moved.
    fn follow(&mut self, _repo: &Repo, _file: FileId, moved: &IndexRemap) -> bool {
        moved.is_identity()
    }

    /// Updates the tables after definitions were added and removed. It is called after [`Incremental::follow`] for
    /// their files, which leaves an invalid index for removed definitions. False if the tables must be built anew.
    /// Default: false.
    fn renew(&mut self, _repo: &Repo, _news: &DefinitionChanges<'_>) -> bool {
        false
    }

    /// Whether this language's tables may be built anew while those of others stay. False if they are prepared from the
    /// bodies of all files. Default: true.
    fn can_be_made_again(&self) -> bool {
        true
    }

    /// Whether the data that the tables took from the bodies of a file, which are no part of its surface, is still
    /// correct. Not called while files are being linked. Default: true, since the tables took none.
    fn agrees(&self, _repo: &Repo, _langs: &Langs, _file: FileId) -> bool {
        true
    }
}
