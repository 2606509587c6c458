//! The time that a thread has computed.

use std::time::Duration;

/// The time for which this thread has computed so far. Unlike the time of day, it stands still while the machine sleeps or is
/// busy with other work. Reading it takes about ten times as long as `Instant::now`.
pub fn thread_time() -> Duration {
    platform::clock::thread_time()
}
