//! Updates whose cost depends on the size of the change. The surface of a changed file decides which files have to be
//! linked again.
//!
//! A [`resident::Resident`] keeps the state that linking needs between updates. If the surfaces of the changed files
//! stay the same, only these files are linked and written. Added or removed definitions also link the files that
//! mention them. In every other case the caller does the full update.

mod cell;
mod count;
mod edges_to_removed;
mod resident;

pub use cell::{
    ChunkUpdateScope, DeltaReport, DeltaRequest, ResidentCell, UpdateMethod,
    run_deferred_maintenance, update_incremental,
};
pub use count::DeltaCounts;
pub(crate) use count::FileState;
