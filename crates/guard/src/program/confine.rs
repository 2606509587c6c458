//! What a worker takes from itself before it reads anything.

use super::worker::TOOK_TOO_LONG;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How often it is looked at.
const POLL: Duration = Duration::from_millis(100);

/// No request is being worked on.
const IDLE: u64 = u64::MAX;

/// From now on this process opens no file and no connection, starts no thread and no program, leaves no image of its memory, and
/// has at most so many bytes of addresses. Where the system has no such limit, it stays without.
pub fn confine_worker(memory: u64) {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let limits = [
            (Resource::As, memory),
            (Resource::Core, 0),
            (Resource::Fsize, 0),
            // Those that are open stay open.
            (Resource::Nofile, 3),
            (Resource::Nproc, 0),
        ];
        for (resource, most) in limits {
            let limit = Rlimit {
                current: Some(most),
                maximum: Some(most),
            };
            // One that is lower already may not be raised.
            let _ = setrlimit(resource, limit);
        }
    }
    #[cfg(not(unix))]
    let _ = memory;
}

/// Ends this process where a request takes more processor time than it may, or nobody is there any more who asked.
#[derive(Debug, Clone)]
pub struct Watchdog(Arc<AtomicU64>);

impl Watchdog {
    /// Starts its thread.
    ///
    /// # Errors
    /// There can be no thread.
    pub fn start() -> io::Result<Watchdog> {
        let end = Arc::new(AtomicU64::new(IDLE));
        let seen = end.clone();
        let asker = parent();
        let thread = std::thread::Builder::new().name("watchdog".to_owned());
        thread.spawn(move || {
            loop {
                std::thread::sleep(POLL);
                if used_time() > seen.load(Ordering::Relaxed) || parent() != asker {
                    std::process::exit(TOOK_TOO_LONG);
                }
            }
        })?;
        Ok(Watchdog(end))
    }

    /// A request begins that may take so much.
    pub fn begin(&self, limit: Duration) {
        let limit = u64::try_from(limit.as_millis()).unwrap_or(IDLE);
        self.0
            .store(used_time().saturating_add(limit), Ordering::Relaxed);
    }

    /// It has ended.
    pub fn end(&self) {
        self.0.store(IDLE, Ordering::Relaxed);
    }
}

/// Milliseconds of processor time that this process has taken.
#[cfg(unix)]
fn used_time() -> u64 {
    use rustix::time::{ClockId, clock_gettime};
    let used = clock_gettime(ClockId::ProcessCPUTime);
    used.tv_sec as u64 * 1_000 + used.tv_nsec as u64 / 1_000_000
}

/// Elsewhere the clock on the wall has to do.
#[cfg(not(unix))]
fn used_time() -> u64 {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_millis() as u64
}

#[cfg(unix)]
fn parent() -> i32 {
    rustix::process::getppid().map_or(0, |parent| parent.as_raw_nonzero().get())
}

#[cfg(not(unix))]
fn parent() -> i32 {
    0
}
