//! Unix systems.

pub mod clock;
pub mod file;
pub mod process;
pub mod rights;
pub mod socket;
