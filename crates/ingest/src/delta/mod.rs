//! Updates whose cost follows the change: what others see of a file decides what has to be linked again.
//!
//! A [`resident::Resident`] keeps between updates what linking needs. Where the files that changed look the same from outside as
//! before, they alone are linked and written; in every other case it says so, and the caller does the whole update.

mod cell;
mod count;
mod left_edges;
mod resident;

pub use cell::{
    ChunkUpdateScope, DeltaReport, DeltaRequest, ResidentCell, UpdateMethod,
    run_deferred_maintenance, update_incremental,
};
pub use count::DeltaCounts;
pub(crate) use count::FileState;
