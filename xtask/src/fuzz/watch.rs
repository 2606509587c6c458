//! The watchdog of a target: ends the process if an input takes too much time or memory.

use std::process::ExitStatus;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The time between two checks.
const BETWEEN: Duration = Duration::from_millis(50);

/// The limits for one input.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    pub(super) time: Duration,
    /// Bytes beyond those in use before the input.
    pub(super) memory: u64,
}

/// The limit that an input exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    Time,
    Memory,
}

impl Cause {
    const ALL: [Cause; 2] = [Cause::Time, Cause::Memory];

    /// The exit code for this cause.
    pub(super) fn code(self) -> i32 {
        match self {
            Cause::Time => 90,
            Cause::Memory => 91,
        }
    }
}

/// The reason why a process ended, in words.
pub(super) fn cause(status: ExitStatus) -> String {
    let known = Cause::ALL.into_iter();
    match known
        .map(|c| (c, c.code()))
        .find(|c| status.code() == Some(c.1))
    {
        Some((Cause::Time, _)) => "takes longer than the limit".to_owned(),
        Some((Cause::Memory, _)) => "takes more memory than the limit".to_owned(),
        None => format!("the process died ({status})"),
    }
}

/// The start of the current input, and the memory in use then.
#[derive(Default)]
struct Shared {
    begun: Mutex<State>,
    ended: Condvar,
}

#[derive(Default)]
struct State {
    input: Option<(Instant, u64)>,
    over: bool,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Watches one input at a time, from its own thread.
pub(super) struct Watch(Arc<Shared>);

impl Watch {
    /// Starts the watchdog; `end` is called once for an input that exceeds a limit.
    pub(super) fn start(limits: Limits, end: impl Fn(Cause) + Send + 'static) -> Watch {
        let shared = Arc::new(Shared::default());
        let seen = shared.clone();
        std::thread::spawn(move || watch(&seen, limits, end));
        Watch(shared)
    }

    /// Runs `work` on an input under the watchdog.
    pub(super) fn during<T>(&self, work: impl FnOnce() -> T) -> T {
        self.0.lock().input = Some((Instant::now(), used()));
        let done = work();
        self.0.lock().input = None;
        done
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.lock().over = true;
        self.0.ended.notify_all();
    }
}

fn watch(shared: &Shared, limits: Limits, end: impl Fn(Cause)) {
    let mut state = shared.lock();
    while !state.over {
        if let Some((begun, before)) = state.input {
            let cause = match () {
                () if begun.elapsed() > limits.time => Some(Cause::Time),
                () if used().saturating_sub(before) > limits.memory => Some(Cause::Memory),
                () => None,
            };
            if let Some(cause) = cause {
                state.input = None;
                end(cause);
            }
        }
        let waited = shared.ended.wait_timeout(state, BETWEEN);
        state = waited.unwrap_or_else(PoisonError::into_inner).0;
    }
}

fn used() -> u64 {
    memory_stats::memory_stats().map_or(0, |m| m.physical_mem as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    /// The cause that the watchdog reports for some work, which lasts until a report arrives.
    fn said(limits: Limits, work: impl FnOnce(&mpsc::Receiver<Cause>)) -> Option<Cause> {
        let (send, receive) = mpsc::channel();
        let (pass_on, passed_on) = mpsc::channel();
        let watch = Watch::start(limits, move |cause| {
            send.send(cause).unwrap();
            pass_on.send(cause).unwrap();
        });
        watch.during(|| work(&receive));
        passed_on.try_recv().ok()
    }

    #[test]
    fn an_input_that_hangs_is_ended() {
        let limits = Limits {
            time: Duration::from_millis(100),
            memory: 4 << 30,
        };
        let hang = |ended: &mpsc::Receiver<Cause>| {
            ended.recv_timeout(Duration::from_secs(60)).unwrap();
        };
        assert_eq!(said(limits, hang), Some(Cause::Time));
        assert_eq!(said(limits, |_| {}), None);
    }

    #[test]
    fn an_input_that_takes_much_memory_is_ended() {
        let limits = Limits {
            time: Duration::from_secs(600),
            memory: 100 << 20,
        };
        let fill = |ended: &mpsc::Receiver<Cause>| {
            let held = vec![1u8; 200 << 20];
            ended.recv_timeout(Duration::from_secs(60)).unwrap();
            assert!(held.iter().all(|b| *b == 1));
        };
        assert_eq!(said(limits, fill), Some(Cause::Memory));
    }
}
