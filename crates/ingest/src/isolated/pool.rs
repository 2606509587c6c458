//! The running workers, and the choice of the one to ask.

use super::WorkerOptions;
use super::protocol::{self, MOST_ANSWER, ParseRequest};
use base::facts::Unparsed;
use guard::program::{Worker, WorkerError};
use rustc_hash::FxHashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long a worker may be idle while another one is idle.
const SPARE: Duration = Duration::from_secs(2);
/// How long the last worker may be idle: edits come one after the other.
const WARM: Duration = Duration::from_secs(600);
/// How often to look for idle workers.
const REAP: Duration = Duration::from_secs(1);
/// How long a worker may take to start.
const START: Duration = Duration::from_secs(60);

/// How long no worker is started after a start failed.
const NO_START: Duration = Duration::from_secs(10);

/// Time that slow and failing files may take together: an initial amount, and this part of the time that passes. A
/// repository of such files would delay everything else.
const LOST: Duration = Duration::from_secs(8);
const LOST_PART: u32 = 10;
/// A file is slow if it takes longer than this: a fixed part, and a part for every byte. Real files take some two
/// microseconds for every byte.
const SLOW: (Duration, Duration) = (Duration::from_millis(10), Duration::from_micros(6));

/// Most contents that are remembered as failing; no real repository has so many.
const MOST_FAILED: usize = 10_000;

/// Workers, started when needed. There are never more than threads that ask.
pub(super) struct Pool {
    options: WorkerOptions,
    state: Arc<Mutex<State>>,
}

struct State {
    /// Idle workers, the most recently used last.
    idle: Vec<Idle>,
    has_reaper: bool,
    /// When the last start failed.
    unstartable: Option<Instant>,
    /// Results of contents that could not be parsed, until the cache has them.
    failed: FxHashMap<[u8; 16], Unparsed>,
    lost: LostTime,
}

struct Idle {
    worker: Worker,
    since: Instant,
}

/// The time that may still be lost.
struct LostTime {
    /// Seconds; negative if more was lost than allowed. The difference has to be made up for first.
    left: f64,
    at: Instant,
}

impl LostTime {
    fn is_over(&mut self) -> bool {
        let now = Instant::now();
        let gained = now.saturating_duration_since(self.at) / LOST_PART;
        self.left = (self.left + gained.as_secs_f64()).min(LOST.as_secs_f64());
        self.at = now;
        self.left <= 0.0
    }

    fn lose(&mut self, time: Duration) {
        self.left -= time.as_secs_f64();
    }
}

impl Pool {
    pub(super) fn new(options: WorkerOptions) -> Pool {
        Pool {
            options,
            state: Arc::new(Mutex::new(State {
                idle: Vec::new(),
                has_reaper: false,
                unstartable: None,
                failed: FxHashMap::default(),
                lost: LostTime {
                    left: LOST.as_secs_f64(),
                    at: Instant::now(),
                },
            })),
        }
    }

    /// The worker's answer as decoded by `read`, or the reason why there is none. Earlier files may have damaged a
    /// worker, so only a new worker decides that a file fails. `None` if no worker can be started.
    pub(super) fn ask<T>(
        &self,
        wanted: ParseRequest<'_>,
        stop: &dyn Fn() -> bool,
        read: &dyn Fn(&[u8]) -> Option<T>,
    ) -> Option<Result<T, Unparsed>> {
        if let Some(why) = self.known_failure(wanted) {
            return Some(Err(why));
        }
        let started = Instant::now();
        let answer = self.ask_any(wanted, stop, read)?;
        let bytes = u32::try_from(wanted.source.len()).unwrap_or(u32::MAX);
        let slow = SLOW.0 + SLOW.1 * bytes;
        let mut state = lock(&self.state);
        match answer {
            Ok((answer, taken)) => {
                if taken > slow {
                    state.lost.lose(taken);
                }
                Some(Ok(answer))
            }
            Err(why) => {
                if why.is_lasting() {
                    state.lost.lose(started.elapsed());
                    if state.failed.len() >= MOST_FAILED {
                        state.failed.clear();
                    }
                    state.failed.insert(content_key(wanted), why);
                }
                Some(Err(why))
            }
        }
    }

    /// Asks an idle worker, and a new one if the first may have been damaged. The answer comes with the processor time
    /// that it took.
    fn ask_any<T>(
        &self,
        wanted: ParseRequest<'_>,
        stop: &dyn Fn() -> bool,
        read: &dyn Fn(&[u8]) -> Option<T>,
    ) -> Option<Result<(T, Duration), Unparsed>> {
        let idle = lock(&self.state).idle.pop().map(|idle| idle.worker);
        if let Some(worker) = idle {
            match self.ask_one(worker, wanted, stop, read) {
                // The memory that it used before is small and known.
                answer @ (Ok(_) | Err(Unparsed::TooLarge)) => return Some(answer),
                Err(_) if stop() => return Some(Err(Unparsed::NotTried)),
                Err(_) => {}
            }
        }
        let worker = self.start()?;
        Some(self.ask_one(worker, wanted, stop, read))
    }

    /// Why a source cannot be parsed, if that is already known.
    fn known_failure(&self, wanted: ParseRequest<'_>) -> Option<Unparsed> {
        let mut state = lock(&self.state);
        // Few repositories have failing contents; contents are hashed only for those.
        let failed = !state.failed.is_empty();
        let why = failed.then(|| state.failed.get(&content_key(wanted)).copied());
        let over = state.lost.is_over().then_some(Unparsed::NotTried);
        why.flatten().or(over)
    }

    fn ask_one<T>(
        &self,
        mut worker: Worker,
        wanted: ParseRequest<'_>,
        stop: &dyn Fn() -> bool,
        read: &dyn Fn(&[u8]) -> Option<T>,
    ) -> Result<(T, Duration), Unparsed> {
        let limit = self.options.time_for(wanted.source.len());
        let wait = limit * self.options.wait;
        let answer = worker.ask(Some(wanted.encode(limit)), wait, stop);
        let answer = match answer {
            Ok(answer) => protocol::split_answer(&answer)
                .and_then(|(taken, answer)| Some((read(answer)?, taken)))
                .ok_or(Unparsed::Failed),
            Err(WorkerError::Time) => Err(Unparsed::TooSlow),
            Err(WorkerError::Memory) => Err(Unparsed::TooLarge),
            Err(WorkerError::Ended) => Err(Unparsed::Failed),
            Err(WorkerError::Killed) => Err(Unparsed::Interrupted),
            Err(WorkerError::Stopped) => Err(Unparsed::NotTried),
        };
        if answer.is_ok() {
            self.put_back(worker);
        }
        answer
    }

    fn start(&self) -> Option<Worker> {
        let failed = lock(&self.state).unstartable;
        if failed.is_some_and(|at| at.elapsed() < NO_START) {
            return None;
        }
        let worker = self.start_and_greet().ok();
        lock(&self.state).unstartable = worker.is_none().then(Instant::now);
        worker
    }

    fn start_and_greet(&self) -> io::Result<Worker> {
        let options = &self.options;
        let mut worker = Worker::start(&options.program, options.argument, MOST_ANSWER)?;
        let answer = worker.ask(None, START, &|| false);
        if answer.map_err(io::Error::other)? == protocol::greeting() {
            Ok(worker)
        } else {
            Err(io::Error::other("a program of another version"))
        }
    }

    fn put_back(&self, worker: Worker) {
        let mut state = lock(&self.state);
        state.idle.push(Idle {
            worker,
            since: Instant::now(),
        });
        if !state.has_reaper {
            let pool = self.state.clone();
            let reaper = std::thread::Builder::new().name("idle-workers".to_owned());
            // Without this thread, idle workers stay until this process ends.
            state.has_reaper = reaper.spawn(move || reap_until_none(&pool)).is_ok();
        }
    }
}

/// Ends workers that are idle for long, until none is left.
fn reap_until_none(pool: &Mutex<State>) {
    loop {
        std::thread::sleep(REAP);
        let mut state = lock(pool);
        let ended = take_idle(&mut state.idle, Instant::now());
        if state.idle.is_empty() {
            state.has_reaper = false;
            return;
        }
        drop(state);
        drop(ended);
    }
}

/// Removes the workers that are idle for too long; the most recently used one stays longer.
fn take_idle(idle: &mut Vec<Idle>, now: Instant) -> Vec<Idle> {
    let last = idle.len().saturating_sub(1);
    let is_done =
        |(at, one): (usize, &Idle)| now - one.since > if at == last { WARM } else { SPARE };
    let done = idle.iter().enumerate().take_while(|one| is_done(*one));
    let done = done.count();
    idle.drain(..done).collect()
}

/// A hash of the content and of the request.
fn content_key(wanted: ParseRequest<'_>) -> [u8; 16] {
    let bytes = wanted.encode(Duration::ZERO);
    crate::cache::content_hash(&bytes)
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hangs_may_take_so_much_together_and_time_gives_some_back() {
        let mut lost = LostTime {
            left: LOST.as_secs_f64(),
            at: Instant::now(),
        };
        assert!(!lost.is_over());
        lost.lose(LOST / 2);
        assert!(!lost.is_over());
        lost.lose(LOST);
        // Time lost beyond the limit is made up for first.
        for seconds in [0, 10, 20] {
            lost.at = at_seconds_ago(seconds);
            assert!(lost.is_over(), "{seconds}");
        }
        lost.at = at_seconds_ago(30);
        assert!(!lost.is_over());
        assert!(lost.left < LOST.as_secs_f64() / 2.0);
    }

    fn at_seconds_ago(seconds: u64) -> Instant {
        let ago = Instant::now().checked_sub(Duration::from_secs(seconds));
        ago.expect("a machine that runs for long")
    }
}
