//! Keeps work below the memory ceiling. New work waits until it fits, and less is started while the process uses much
//! memory. Each wait also checks for a cancel.

use super::budget::Budget;
use crate::IngestError;
use base::Cancel;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Time between two checks while work waits for other work.
const LOOK: Duration = Duration::from_millis(20);

/// Work that may start before the process's memory is measured again, in bytes and in number.
const UNMEASURED: (u64, u32) = (8 << 20, 64);

/// Admits work as long as its estimated memory fits, and one at a time if it does not.
pub(crate) struct Gate {
    ceiling: Option<u64>,
    most: u64,
    cancel: Cancel,
    within: Mutex<GateLoad>,
    left: Condvar,
}

/// The work within a gate.
#[derive(Default)]
struct GateLoad {
    bytes: u64,
    works: usize,
    /// Whether memory was tight when it was last measured.
    tight: bool,
    /// Work that may start before the next measurement, in bytes and in number.
    unmeasured: (u64, u32),
}

/// Work that was admitted; it leaves the gate when this is dropped.
pub(crate) struct Admitted<'g>(&'g Gate, u64);

impl Gate {
    /// A gate for work that takes `most` bytes together, below a ceiling.
    pub(crate) fn new(ceiling: Option<u64>, most: u64, cancel: &Cancel) -> Gate {
        Gate {
            ceiling,
            most,
            cancel: cancel.clone(),
            within: Mutex::default(),
            left: Condvar::new(),
        }
    }

    /// The gate for files that are read and parsed.
    pub(crate) fn for_parsing(ceiling: Option<u64>, cancel: &Cancel) -> Gate {
        Gate::new(ceiling, Budget::new(ceiling).parsing_bytes(), cancel)
    }

    fn lock(&self) -> MutexGuard<'_, GateLoad> {
        self.within.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the process uses nearly all of its memory: then no further work is started while some is running.
    fn is_memory_tight(&self) -> bool {
        self.ceiling
            .is_some_and(|ceiling| process_memory_bytes() > ceiling / 10 * 9)
    }

    /// The same from a recent measurement, since measuring takes as long as parsing a small file. If memory was tight,
    /// it is measured each time.
    fn was_memory_tight(&self, within: &mut GateLoad, bytes: u64) -> bool {
        let (left, times) = within.unmeasured;
        if within.tight || times == 0 || left < bytes {
            within.tight = self.is_memory_tight();
            within.unmeasured = UNMEASURED;
        }
        let (left, times) = within.unmeasured;
        within.unmeasured = (left.saturating_sub(bytes), times.saturating_sub(1));
        within.tight
    }

    /// Waits until work of that many bytes fits beside the running work, or nothing is running.
    pub(crate) fn wait_for_room(&self, bytes: u64) -> Admitted<'_> {
        if self.ceiling.is_none() {
            return Admitted(self, 0);
        }
        let mut within = self.lock();
        let tight = self.was_memory_tight(&mut within, bytes);
        while within.works > 0
            && (tight || within.bytes.saturating_add(bytes) > self.most)
            && !self.cancel.is_set()
        {
            let waited = self.left.wait_timeout(within, LOOK);
            within = waited.unwrap_or_else(PoisonError::into_inner).0;
            if tight && within.bytes.saturating_add(bytes) <= self.most {
                drop(within);
                let still = self.is_memory_tight();
                within = self.lock();
                if !still {
                    break;
                }
            }
        }
        within.works += 1;
        within.bytes = within.bytes.saturating_add(bytes);
        Admitted(self, bytes)
    }
}

impl Drop for Admitted<'_> {
    fn drop(&mut self) {
        let gate = self.0;
        if gate.ceiling.is_some() {
            let mut within = gate.lock();
            within.works -= 1;
            within.bytes -= self.1;
            drop(within);
            gate.left.notify_all();
        }
    }
}

/// Memory of the process now, in bytes; 0 if the system does not tell.
pub fn process_memory_bytes() -> u64 {
    memory_stats::memory_stats().map_or(0, |m| m.physical_mem as u64)
}

/// An error if the caller cancelled.
pub(super) fn check_not_cancelled(cancel: &Cancel) -> Result<(), IngestError> {
    if cancel.is_set() {
        Err(IngestError::Cancelled)
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn no_more_is_within_than_fits_and_what_never_fits_comes_in_alone() {
        let gate = Gate::new(Some(1 << 40), 100, &Cancel::default());
        let (within, peak) = (AtomicU64::new(0), AtomicU64::new(0));
        std::thread::scope(|scope| {
            for thread in 0..8u64 {
                let (gate, within, peak) = (&gate, &within, &peak);
                scope.spawn(move || {
                    for i in 0..50 {
                        let bytes = 10 + (thread * 7 + i) % 60;
                        let _in = gate.wait_for_room(bytes);
                        let now = within.fetch_add(bytes, Ordering::SeqCst) + bytes;
                        peak.fetch_max(now, Ordering::SeqCst);
                        std::thread::yield_now();
                        within.fetch_sub(bytes, Ordering::SeqCst);
                    }
                });
            }
        });
        assert!(peak.load(Ordering::SeqCst) <= 100);
        let large = gate.wait_for_room(1_000);
        drop(large);
        drop((gate.wait_for_room(50), gate.wait_for_room(50)));
    }

    #[test]
    fn a_ceiling_that_is_passed_lets_one_in_at_a_time_and_never_none() {
        let gate = Gate::new(Some(1), 100, &Cancel::default());
        for _ in 0..3 {
            let _in = gate.wait_for_room(1_000);
        }
    }
}
