//! Time that a thread and a process have computed.

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// The time for which this thread has computed so far.
pub fn thread_time() -> Duration {
    read(ClockId::ThreadCPUTime)
}

/// The time for which all threads of this process have computed so far.
pub fn process_time() -> Duration {
    read(ClockId::ProcessCPUTime)
}

fn read(clock: ClockId) -> Duration {
    let now = clock_gettime(clock);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}
