//! The limit of memory: looked at after each file, so that the work ends with a message and not by the system's hand.

use crate::IngestError;
use std::sync::atomic::{AtomicU64, Ordering};

/// What one more step may take before the next look.
const SLACK: u64 = 16 << 20;

/// Watches the memory of this process.
pub(super) struct MemoryWatch {
    limit: Option<u64>,
    /// What was in use when the limit was met; 0 before that.
    met: AtomicU64,
}

impl MemoryWatch {
    pub(super) fn new(limit: Option<u64>) -> MemoryWatch {
        MemoryWatch {
            limit,
            met: AtomicU64::new(0),
        }
    }

    /// Whether the work must end. Cheap without a limit.
    pub(super) fn is_over(&self) -> bool {
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

    /// The error, if the limit was met.
    pub(super) fn check(&self) -> Result<(), IngestError> {
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
    }
}
