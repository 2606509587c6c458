//! Rights that a worker gives up before it reads anything.

use super::worker::{TOOK_TOO_LONG, TOOK_TOO_MUCH};
use platform::clock;
use platform::process::{self, UsedMemory};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::Thread;
use std::time::Duration;

/// Time between two checks of the watchdog during a request. A parser can take some ten megabytes in between.
const POLL: Duration = Duration::from_millis(10);
/// Time between two checks otherwise.
const IDLE_POLL: Duration = Duration::from_secs(1);

/// The value for no current request.
const IDLE: u64 = u64::MAX;

/// Confines this process: from now on it opens no file and no connection, starts no thread and no program, and leaves
/// no core dump. Its address space is limited to `memory` bytes. A limit that the system does not have is skipped;
/// `docs/platforms.md` lists them.
pub fn confine_worker(memory: u64) {
    process::confine(memory);
}

/// Limits of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestLimits {
    /// Processor time.
    pub time: Duration,
    /// Bytes of memory in use, without those in use at the start of the process. Known only on Linux.
    pub memory: u64,
}

/// Ends this process if a request exceeds its limits, or if the process that asked is gone.
#[derive(Debug, Clone)]
pub struct Watchdog {
    state: Arc<WatchedRequest>,
    thread: Thread,
}

/// The current request.
#[derive(Debug)]
struct WatchedRequest {
    /// Processor time of the process at the start of the request, in milliseconds.
    begin: AtomicU64,
    /// Processor time of the process at which the watchdog ends it, in milliseconds.
    end: AtomicU64,
    /// Bytes in use at which the watchdog ends it.
    most: AtomicU64,
    memory: UsedMemory,
    /// Bytes in use at the start.
    base: u64,
}

impl Watchdog {
    /// Starts the watchdog's thread. Call it before [`confine_worker`], after which no file can be opened.
    ///
    /// # Errors
    /// No thread can be started.
    pub fn start() -> io::Result<Watchdog> {
        let memory = UsedMemory::open();
        let state = Arc::new(WatchedRequest {
            begin: AtomicU64::new(0),
            end: AtomicU64::new(IDLE),
            most: AtomicU64::new(IDLE),
            base: memory.bytes(),
            memory,
        });
        let seen = state.clone();
        let asker = process::parent();
        let thread = std::thread::Builder::new().name("watchdog".to_owned());
        let thread = thread.spawn(move || {
            loop {
                let end = seen.end.load(Ordering::Relaxed);
                std::thread::park_timeout(if end == IDLE { IDLE_POLL } else { POLL });
                if used_time() > seen.end.load(Ordering::Relaxed) || process::parent() != asker {
                    std::process::exit(TOOK_TOO_LONG);
                }
                if seen.memory.bytes() > seen.most.load(Ordering::Relaxed) {
                    std::process::exit(TOOK_TOO_MUCH);
                }
            }
        })?;
        Ok(Watchdog {
            state,
            thread: thread.thread().clone(),
        })
    }

    /// Marks the start of a request.
    pub fn begin(&self, limits: RequestLimits) {
        let time = u64::try_from(limits.time.as_millis()).unwrap_or(IDLE);
        let state = &self.state;
        let most = state.base.saturating_add(limits.memory);
        state.most.store(most, Ordering::Relaxed);
        let now = used_time();
        state.begin.store(now, Ordering::Relaxed);
        let end = now.saturating_add(time);
        state.end.store(end, Ordering::Relaxed);
        self.thread.unpark();
    }

    /// Marks the end of the request; returns the processor time that it took.
    pub fn end(&self) -> Duration {
        self.state.end.store(IDLE, Ordering::Relaxed);
        self.state.most.store(IDLE, Ordering::Relaxed);
        let since = self.state.begin.load(Ordering::Relaxed);
        Duration::from_millis(used_time().saturating_sub(since))
    }

    /// Bytes in use, without those in use at the start.
    pub fn memory_in_use(&self) -> u64 {
        self.state.memory.bytes().saturating_sub(self.state.base)
    }
}

/// How many times slower this machine is than the one on which time limits were chosen, at least 1.
pub fn machine_slowness() -> f64 {
    // A chain of multiplications, each of which needs the previous one. The shortest of three runs counts, since others
    // compute, too.
    let run = || {
        let started = clock::thread_time();
        let mut x = std::hint::black_box(1_u64);
        for i in 0..100_000_u64 {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(i) ^ (x >> 33);
        }
        std::hint::black_box(x);
        clock::thread_time().saturating_sub(started)
    };
    let shortest = [run(), run(), run()].into_iter().min().unwrap_or_default();
    // Without optimisation, all other code is slower than the chain shows.
    let build = if cfg!(debug_assertions) { 10.0 } else { 1.0 };
    (build * shortest.as_secs_f64() / REFERENCE.as_secs_f64()).max(1.0)
}

/// Time of the chain on the machine on which limits were chosen.
const REFERENCE: Duration = Duration::from_micros(137);

/// Milliseconds of processor time that this process has used.
fn used_time() -> u64 {
    u64::try_from(clock::process_time().as_millis()).unwrap_or(IDLE - 1)
}
