//! Computing time of a thread and of a process.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The computing time of this thread so far.
pub fn thread_time() -> Duration {
    read(ClockId::ThreadCPUTime)
}

/// The computing time of all threads of this process so far.
pub fn process_time() -> Duration {
    read(ClockId::ProcessCPUTime)
}

fn read(clock: ClockId) -> Duration {
    let now = clock_gettime(clock);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
