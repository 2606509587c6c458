//! The sign that work is no longer wanted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether work is no longer wanted; shared by the worker and the caller.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Whether the work is no longer wanted.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Says so.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
