//! Updates whose cost follows the change: a file's surface, which other files see, decides which files have to be linked again.
//!
//! A [`resident::Resident`] keeps the state that linking needs between updates. If the changed files look the same from outside
//! as before, they alone are linked and written. In every other case it says so, and the caller does the whole update.

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
