//! What a worker takes from itself before it reads anything.

use super::worker::{TOOK_TOO_LONG, TOOK_TOO_MUCH};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::Thread;
use std::time::Duration;

/// How often the watchdog looks while a request is worked on. A parser can take some ten megabytes in between.
const POLL: Duration = Duration::from_millis(10);
/// How often otherwise.
const IDLE_POLL: Duration = Duration::from_secs(1);

/// No request is being worked on.
const IDLE: u64 = u64::MAX;

/// From now on this process opens no file and no connection, starts no thread and no program, and leaves no image of its memory.
/// Its addresses take at most so many bytes. A limit that the system does not have is left out.
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

/// What a request may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestLimits {
    /// Processor time.
    pub time: Duration,
    /// Bytes of memory that is in use, beside what the process has at its start. Known on Linux alone.
    pub memory: u64,
}

/// Ends this process where a request takes more than it may, or the process that asked is gone.
#[derive(Debug, Clone)]
pub struct Watchdog {
    state: Arc<WatchedRequest>,
    thread: Thread,
}

/// The request that is being worked on.
#[derive(Debug)]
struct WatchedRequest {
    /// Processor time of the process at which it began, in milliseconds.
    begin: AtomicU64,
    /// Processor time of the process at which it ends, in milliseconds.
    end: AtomicU64,
    /// Bytes at which it ends.
    most: AtomicU64,
    memory: UsedMemory,
    /// Bytes in use at the start.
    base: u64,
}

impl Watchdog {
    /// Starts its thread. To be called before [`confine_worker`], which leaves it no files to open.
    ///
    /// # Errors
    /// There can be no thread.
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
        let asker = parent();
        let thread = std::thread::Builder::new().name("watchdog".to_owned());
        let thread = thread.spawn(move || {
            loop {
                let end = seen.end.load(Ordering::Relaxed);
                std::thread::park_timeout(if end == IDLE { IDLE_POLL } else { POLL });
                if used_time() > seen.end.load(Ordering::Relaxed) || parent() != asker {
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

    /// A request begins.
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

    /// It has ended; gives the processor time that it took.
    pub fn end(&self) -> Duration {
        self.state.end.store(IDLE, Ordering::Relaxed);
        self.state.most.store(IDLE, Ordering::Relaxed);
        let since = self.state.begin.load(Ordering::Relaxed);
        Duration::from_millis(used_time().saturating_sub(since))
    }

    /// Bytes in use beside what there was at the start.
    pub fn memory_in_use(&self) -> u64 {
        self.state.memory.bytes().saturating_sub(self.state.base)
    }
}

/// How many times slower this machine computes than the one that limits of time were chosen on, at least 1.
pub fn machine_slowness() -> f64 {
    // A chain of multiplications, of which each needs the one before. The shortest of three: others compute, too.
    let run = || {
        let started = thread_time();
        let mut x = std::hint::black_box(1_u64);
        for i in 0..100_000_u64 {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(i) ^ (x >> 33);
        }
        std::hint::black_box(x);
        thread_time().saturating_sub(started)
    };
    let shortest = [run(), run(), run()].into_iter().min().unwrap_or_default();
    // Without optimisation all else is slower than this chain says.
    let build = if cfg!(debug_assertions) { 10.0 } else { 1.0 };
    (build * shortest.as_secs_f64() / REFERENCE.as_secs_f64()).max(1.0)
}

/// What the chain takes on the machine that limits were chosen on.
const REFERENCE: Duration = Duration::from_micros(137);

/// Time for which this thread has computed.
#[cfg(unix)]
fn thread_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

#[cfg(not(unix))]
fn thread_time() -> Duration {
    Duration::from_millis(used_time())
}

/// The memory that this process uses, as the system counts it.
#[derive(Debug)]
struct UsedMemory {
    /// Stays open, since a confined process opens nothing.
    #[cfg(target_os = "linux")]
    statm: Option<std::fs::File>,
}

impl UsedMemory {
    #[cfg(target_os = "linux")]
    fn open() -> UsedMemory {
        UsedMemory {
            statm: std::fs::File::open("/proc/self/statm").ok(),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn open() -> UsedMemory {
        UsedMemory {}
    }

    /// 0 where the system does not say.
    fn bytes(&self) -> u64 {
        self.pages().unwrap_or(0) * page_size()
    }

    #[cfg(target_os = "linux")]
    fn pages(&self) -> Option<u64> {
        use std::os::unix::fs::FileExt;
        let mut text = [0; 128];
        let read = self.statm.as_ref()?.read_at(&mut text, 0).ok()?;
        let text = str::from_utf8(text.get(..read)?).ok()?;
        text.split(' ').nth(1)?.parse().ok()
    }

    #[cfg(not(target_os = "linux"))]
    fn pages(&self) -> Option<u64> {
        None
    }
}

#[cfg(unix)]
fn page_size() -> u64 {
    rustix::param::page_size() as u64
}

#[cfg(not(unix))]
fn page_size() -> u64 {
    4_096
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
