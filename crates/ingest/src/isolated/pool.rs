//! Workers that are running, and which of them is asked.

use super::WorkerOptions;
use super::protocol::{self, MOST_ANSWER, Wanted};
use base::facts::Unparsed;
use guard::program::{Worker, WorkerError};
use rustc_hash::FxHashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long one may be idle beside another.
const SPARE: Duration = Duration::from_secs(2);
/// How long the last one may be idle: edits come one after the other.
const WARM: Duration = Duration::from_secs(600);
/// How often to look for idle workers.
const REAP: Duration = Duration::from_secs(1);
/// How long one may take to start.
const START: Duration = Duration::from_secs(60);

/// How long none is started after one could not be.
const NO_START: Duration = Duration::from_secs(10);

/// Time that files which are slow or fail may take together: so much at once, and this part of the time that passes. A
/// repository of such files would hold everything else up.
const LOST: Duration = Duration::from_secs(8);
const LOST_PART: u32 = 10;
/// A file is slow if it takes longer than this: a fixed part, and a part for every byte. Real files take some two microseconds
/// for every byte.
const SLOW: (Duration, Duration) = (Duration::from_millis(10), Duration::from_micros(6));

/// Contents that are known to fail; more than any real repository has.
const MOST_FAILED: usize = 10_000;

/// Workers, started when one is needed. There are never more than threads that ask.
pub(super) struct Pool {
    options: WorkerOptions,
    state: Arc<Mutex<State>>,
}

struct State {
    /// Those that nobody asks at the moment, the one that was asked last at the end.
    idle: Vec<Idle>,
    has_reaper: bool,
    /// When one could not be started.
    unstartable: Option<Instant>,
    /// What became of contents that could not be parsed, until the cache has it.
    failed: FxHashMap<[u8; 16], Unparsed>,
    lost: LostTime,
}

struct Idle {
    worker: Worker,
    since: Instant,
}

/// What may still be lost.
struct LostTime {
    /// Seconds; below zero where more was lost than was allowed. The difference has to be made up for first.
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

    /// What `read` makes of a worker's answer, or why there is none. A worker may have been damaged by what it read before, so
    /// only a fresh worker decides that a file fails. None where no worker can be started.
    pub(super) fn ask<T>(
        &self,
        wanted: Wanted<'_>,
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

    /// Asks an idle worker, and then a fresh one if the first may have been damaged before. The answer comes with the processor
    /// time that it took.
    fn ask_any<T>(
        &self,
        wanted: Wanted<'_>,
        stop: &dyn Fn() -> bool,
        read: &dyn Fn(&[u8]) -> Option<T>,
    ) -> Option<Result<(T, Duration), Unparsed>> {
        let idle = lock(&self.state).idle.pop().map(|idle| idle.worker);
        if let Some(worker) = idle {
            match self.ask_one(worker, wanted, stop, read) {
                // What it had in use before is little, and known.
                answer @ (Ok(_) | Err(Unparsed::TooLarge)) => return Some(answer),
                Err(_) if stop() => return Some(Err(Unparsed::NotTried)),
                Err(_) => {}
            }
        }
        let worker = self.start()?;
        Some(self.ask_one(worker, wanted, stop, read))
    }

    /// Why a source cannot be parsed, where that is known without asking.
    fn known_failure(&self, wanted: Wanted<'_>) -> Option<Unparsed> {
        let mut state = lock(&self.state);
        // Hardly any repository has one: contents are hashed for those alone.
        let failed = !state.failed.is_empty();
        let why = failed.then(|| state.failed.get(&content_key(wanted)).copied());
        let over = state.lost.is_over().then_some(Unparsed::NotTried);
        why.flatten().or(over)
    }

    fn ask_one<T>(
        &self,
        mut worker: Worker,
        wanted: Wanted<'_>,
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
            // Without it they stay until this process ends.
            state.has_reaper = reaper.spawn(move || reap_until_none(&pool)).is_ok();
        }
    }
}

/// Ends workers that are idle for long, until there is none.
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

/// Takes those that are idle for long; the one that was asked last stays longer.
fn take_idle(idle: &mut Vec<Idle>, now: Instant) -> Vec<Idle> {
    let last = idle.len().saturating_sub(1);
    let is_done =
        |(at, one): (usize, &Idle)| now - one.since > if at == last { WARM } else { SPARE };
    let done = idle.iter().enumerate().take_while(|one| is_done(*one));
    let done = done.count();
    idle.drain(..done).collect()
}

/// Tells contents apart, and what is asked of them.
fn content_key(wanted: Wanted<'_>) -> [u8; 16] {
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
        // What was lost beyond that is made up for first.
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
