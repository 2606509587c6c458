//! Processes that a program started and that left its process group. They are recognized by an environment variable
//! whose value no other process has.

use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The variable. A process that removes it from its environment is not found any more.
const MARK: &str = "KNOTWORK_STARTED_BY";

/// How often all processes are searched: one that is found may just be starting another.
const ROUNDS: usize = 4;

/// The marks of programs that are running now.
static RUNNING: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Ends all running programs, with the processes that they started: for a process that is about to exit.
pub fn end_running_programs() {
    let running = lock(&RUNNING).clone();
    running.into_iter().for_each(|mark| Mark(mark).kill());
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A mark by which the processes of one run are recognized.
pub(super) struct Mark(String);

impl Mark {
    /// Adds a new mark to a command.
    pub(super) fn put_on(command: &mut Command) -> Mark {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let mark = format!(
            "{}-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed),
            now.map_or(0, |now| now.as_nanos())
        );
        command.env(MARK, &mark);
        lock(&RUNNING).push(mark.clone());
        Mark(mark)
    }

    /// Ends all processes with the mark.
    pub(super) fn kill_all(&self) {
        self.kill();
        lock(&RUNNING).retain(|running| *running != self.0);
    }

    fn kill(&self) {
        for _ in 0..ROUNDS {
            if self.kill_those_there() == 0 {
                return;
            }
        }
    }

    /// Ends the marked processes that exist now; returns their number.
    #[cfg(target_os = "linux")]
    fn kill_those_there(&self) -> usize {
        use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
        let wanted = format!("{MARK}={}", self.0);
        let numbers = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
        let killed = numbers.filter(|number| {
            // It is opened before the check: a moment later its number may belong to another process.
            let Some(process) = Pid::from_raw(*number) else {
                return false;
            };
            let Ok(handle) = pidfd_open(process, PidfdFlags::empty()) else {
                return false;
            };
            has_variable(*number, &wanted) && pidfd_send_signal(&handle, Signal::KILL).is_ok()
        });
        killed.count()
    }

    /// Other systems do not show the environment of other processes.
    #[cfg(not(target_os = "linux"))]
    fn kill_those_there(&self) -> usize {
        0
    }
}

/// Most bytes of another process's environment that are read.
#[cfg(target_os = "linux")]
const LONGEST_ENVIRONMENT: u64 = 4 << 20;

#[cfg(target_os = "linux")]
fn has_variable(process: i32, wanted: &str) -> bool {
    use std::io::Read;
    let mut bytes = Vec::new();
    // Environments of other users' processes cannot be read.
    let read = std::fs::File::open(format!("/proc/{process}/environ"))
        .and_then(|file| file.take(LONGEST_ENVIRONMENT).read_to_end(&mut bytes));
    read.is_ok()
        && bytes
            .split(|byte| *byte == 0)
            .any(|one| one == wanted.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_known_until_it_is_over() {
        let mark = Mark::put_on(&mut Command::new("x"));
        let is_known = || lock(&RUNNING).contains(&mark.0);
        assert!(is_known());
        mark.kill_all();
        assert!(!is_known());
    }
}
