//! The limit on computing time for linking a file. It is the last resort, as for parsing.
//!
//! Steps bound the work that they count. The clock bounds the work between two steps: a loop whose cost no step counts would
//! otherwise take as long as a hostile source wants. Real files stay far below these limits, so the result for them
//! depends on their content alone.

use base::thread_time;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Computing time of each file: a base, and a time for each fact.
/// Real files take about one microsecond for a fact, seldom two.
const OWN_TIME: (Duration, Duration) = (Duration::from_micros(200), Duration::from_micros(10));

/// Computing time that all files share, beyond their own time.
const SHARED_TIME: Duration = Duration::from_secs(20);

/// The most that one file takes of the shared time.
const MOST_SHARED: Duration = Duration::from_secs(4);

/// The part of the shared time that a file takes at once.
const PIECE: Duration = Duration::from_millis(100);

/// Factor for builds without optimisation, which tests use.
const SLOWNESS: u32 = if cfg!(debug_assertions) { 20 } else { 1 };

/// The clock is read once in this many steps.
const STEPS_BETWEEN_READINGS: u32 = 16;

/// The computing time that the files of a repository share, beyond their own time. Clones share it, too.
#[derive(Debug, Clone)]
pub struct SharedTime(Arc<AtomicU64>);

impl Default for SharedTime {
    fn default() -> SharedTime {
        SharedTime::new(SHARED_TIME * SLOWNESS)
    }
}

impl SharedTime {
    /// So much time for all files together.
    pub fn new(time: Duration) -> SharedTime {
        SharedTime(Arc::new(AtomicU64::new(nanoseconds(time))))
    }

    /// Takes up to `most`. Returns less if less is left.
    fn take(&self, most: Duration) -> Duration {
        let most = nanoseconds(most);
        let subtract = |left: u64| Some(left.saturating_sub(most));
        let left = (self.0).fetch_update(Ordering::Relaxed, Ordering::Relaxed, subtract);
        Duration::from_nanos(left.unwrap_or_default().min(most))
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

/// Measures the computing time of one file. It must stay on one thread.
#[derive(Debug)]
pub(crate) struct Clock {
    shared: SharedTime,
    /// What the file may still take of the shared time.
    may_take: Cell<Duration>,
    /// Time left, counted from the last reading.
    left: Cell<Duration>,
    /// Steps until the next reading.
    steps: Cell<u32>,
    /// The last reading, by the monotonic clock and by the clock of the thread.
    reading: Cell<(Instant, Duration)>,
    late: Cell<bool>,
}

impl Clock {
    /// A clock for a file with this many facts.
    pub(crate) fn for_facts(count: u64, shared: &SharedTime) -> Clock {
        let own = OWN_TIME.0 + OWN_TIME.1 * u32::try_from(count).unwrap_or(u32::MAX);
        Clock {
            shared: shared.clone(),
            may_take: Cell::new(MOST_SHARED * SLOWNESS),
            left: Cell::new(own * SLOWNESS),
            steps: Cell::new(STEPS_BETWEEN_READINGS),
            reading: Cell::new((Instant::now(), thread_time())),
            late: Cell::new(false),
        }
    }

    /// Like [`Clock::is_late`], but reads the clock only once in a number of calls.
    pub(crate) fn is_late_after_step(&self) -> bool {
        match self.steps.get().checked_sub(1) {
            Some(steps) => {
                self.steps.set(steps);
                self.late.get()
            }
            None => self.is_late(),
        }
    }

    /// Whether the time is used up. Takes more of the shared time where the file's own is.
    pub(crate) fn is_late(&self) -> bool {
        self.steps.set(STEPS_BETWEEN_READINGS);
        let (at, computed) = self.reading.get();
        // A thread computes for no longer than passes. The monotonic clock is read ten times as fast.
        if self.late.get() || at.elapsed() < self.left.get() {
            return self.late.get();
        }
        let now = thread_time();
        self.reading.set((Instant::now(), now));
        let spent = now.saturating_sub(computed);
        let mut left = self.left.get();
        while left <= spent {
            let piece = (PIECE * SLOWNESS).min(self.may_take.get());
            let piece = self.shared.take(piece);
            if piece.is_zero() {
                self.late.set(true);
                return true;
            }
            self.may_take.set(self.may_take.get().saturating_sub(piece));
            left += piece;
        }
        self.left.set(left - spent);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compute_for(time: Duration) {
        let start = thread_time();
        while thread_time() - start < time {}
    }

    #[test]
    fn the_shared_time_is_given_once() {
        let shared = SharedTime::new(Duration::from_secs(3));
        let of_clone = shared.clone().take(Duration::from_secs(2));
        assert_eq!(of_clone, Duration::from_secs(2));
        assert_eq!(shared.take(Duration::from_secs(2)), Duration::from_secs(1));
        assert_eq!(shared.take(Duration::from_secs(2)), Duration::ZERO);
    }

    #[test]
    fn a_file_is_late_after_its_own_time_and_what_it_takes_of_the_shared_time() {
        let nothing = SharedTime::new(Duration::ZERO);
        let clock = Clock::for_facts(0, &nothing);
        compute_for(OWN_TIME.0 * SLOWNESS * 2);
        assert!(clock.is_late());
        let steps = (0..100).filter(|_| clock.is_late_after_step()).count();
        assert_eq!(steps, 100, "it stays late");
        let some = SharedTime::new(PIECE * SLOWNESS);
        let clock = Clock::for_facts(0, &some);
        compute_for(OWN_TIME.0 * SLOWNESS * 2);
        assert!(!clock.is_late());
        assert_eq!(some.take(PIECE), Duration::ZERO, "it took a piece");
    }

    #[test]
    fn more_facts_have_more_time() {
        let nothing = SharedTime::new(Duration::ZERO);
        let clock = Clock::for_facts(1_000_000, &nothing);
        compute_for(OWN_TIME.0 * SLOWNESS * 2);
        assert!(!clock.is_late());
    }
}
