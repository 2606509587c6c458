//! A flag that cancels work.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether work is cancelled. The worker and the caller share it.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Whether the work is cancelled.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Cancels the work.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
