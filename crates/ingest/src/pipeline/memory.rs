//! The limit of memory: looked at after each file, so that the work ends with a message and not by the system's hand.
//! There too it is looked whether anybody wants the work still.

use crate::IngestError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// What one more step may take before the next look.
const SLACK: u64 = 16 << 20;

/// Whether work is wanted no more; shared by who works and who waits.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Whether it is wanted no more.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Says so.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Watches the memory of this process, and whether the work is wanted.
pub(super) struct MemoryWatch {
    limit: Option<u64>,
    cancel: Cancel,
    /// What was in use when the limit was met; 0 before that.
    met: AtomicU64,
}

impl MemoryWatch {
    pub(super) fn new(limit: Option<u64>) -> MemoryWatch {
        MemoryWatch {
            limit,
            cancel: Cancel::default(),
            met: AtomicU64::new(0),
        }
    }

    /// The same, for work that may be cancelled.
    pub(super) fn unless(self, cancel: &Cancel) -> MemoryWatch {
        MemoryWatch {
            cancel: cancel.clone(),
            ..self
        }
    }

    /// Whether the work must end. Cheap without a limit.
    pub(super) fn is_over(&self) -> bool {
        if self.cancel.is_set() {
            return true;
        }
        let Some(limit) = self.limit else {
            return false;
        };
        if self.met.load(Ordering::Relaxed) > 0 {
            return true;
        }
        let used = memory_stats::memory_stats().map_or(0, |m| m.physical_mem as u64);
        let over = used + SLACK > limit;
        if over {
            self.met.store(used, Ordering::Relaxed);
        }
        over
    }

    /// The error, if the limit was met or the work is wanted no more.
    pub(super) fn check(&self) -> Result<(), IngestError> {
        if self.cancel.is_set() {
            return Err(IngestError::Cancelled);
        }
        match (self.is_over(), self.limit) {
            (true, Some(limit)) => Err(IngestError::Memory {
                used: self.met.load(Ordering::Relaxed) >> 20,
                limit: limit >> 20,
            }),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_below_what_is_in_use_is_met_and_stays_met() {
        let watch = MemoryWatch::new(Some(1 << 20));
        assert!(watch.is_over() && watch.is_over());
        let error = watch.check().unwrap_err().to_string();
        assert!(error.contains("limit of 1 MiB"), "{error}");
        assert!(MemoryWatch::new(None).check().is_ok());
        assert!(MemoryWatch::new(Some(1 << 40)).check().is_ok());
        let cancel = Cancel::default();
        let watch = MemoryWatch::new(None).unless(&cancel);
        assert!(!watch.is_over());
        cancel.set();
        assert!(watch.is_over());
        assert!(matches!(watch.check(), Err(IngestError::Cancelled)));
    }
}
