//! The queue of jobs: reads run on several threads, writes on one in order of arrival.
//!
//! Few jobs may wait, so that none waits long; further ones are refused at once. A job whose client has gone leaves the queue.

use engine::Cancel;
use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// The effect of a job on the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// No effect.
    Read,
    /// A change: one at a time, in order.
    Write,
}

type Work = Box<dyn FnOnce(&Cancel) -> String + Send>;

struct Job {
    number: u64,
    work: Work,
    answer: oneshot::Sender<String>,
    cancel: Cancel,
}

#[derive(Default)]
struct Lane {
    jobs: VecDeque<Job>,
    /// The number of idle workers.
    idle: usize,
}

impl Lane {
    /// The number of jobs that no idle worker will take.
    fn waiting_jobs(&self) -> usize {
        self.jobs.len().saturating_sub(self.idle)
    }
}

#[derive(Default)]
struct State {
    reads: Lane,
    writes: Lane,
    /// The numbers of running jobs, with the flag that cancels each.
    running: Vec<(u64, Cancel)>,
    closed: bool,
}

/// Waiting jobs, and the threads that work on them.
pub(crate) struct Queue {
    state: Mutex<State>,
    reads: Condvar,
    writes: Condvar,
    most: usize,
    next: AtomicU64,
}

/// The reason why a job is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refused {
    /// Too many jobs are waiting; try again.
    Full,
    /// The daemon is about to end.
    Closed,
}

/// A place in the queue. If it is dropped before the answer, the job is removed or cancelled.
pub(crate) struct Ticket {
    queue: Arc<Queue>,
    number: u64,
    kind: Kind,
    cancel: Cancel,
    /// Receives the answer.
    pub(crate) answer: oneshot::Receiver<String>,
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Queue {
    /// A queue in which `most` jobs may wait, with `readers` threads for reads and one for writes.
    pub(crate) fn start(most: usize, readers: usize) -> std::io::Result<Arc<Queue>> {
        let queue = Arc::new(Queue {
            state: Mutex::default(),
            reads: Condvar::new(),
            writes: Condvar::new(),
            most,
            next: AtomicU64::new(0),
        });
        // Workers are counted as idle before they start, so that a job that comes now finds one.
        lock(&queue.state).reads.idle = readers;
        lock(&queue.state).writes.idle = 1;
        for (kind, count) in [(Kind::Read, readers), (Kind::Write, 1)] {
            for number in 0..count {
                let queue = queue.clone();
                let name = match kind {
                    Kind::Read => format!("read-{number}"),
                    Kind::Write => "write".to_owned(),
                };
                let thread = std::thread::Builder::new().name(name);
                thread.spawn(move || queue.run_worker(kind))?;
            }
        }
        Ok(queue)
    }

    /// Adds a job, if there is room.
    pub(crate) fn push(self: &Arc<Queue>, kind: Kind, work: Work) -> Result<Ticket, Refused> {
        let mut state = lock(&self.state);
        if state.closed {
            return Err(Refused::Closed);
        }
        let waiting = state.reads.waiting_jobs() + state.writes.waiting_jobs();
        let lane = state.lane(kind);
        if waiting >= self.most && lane.jobs.len() >= lane.idle {
            return Err(Refused::Full);
        }
        let (sender, answer) = oneshot::channel();
        let (number, cancel) = (self.next.fetch_add(1, Ordering::Relaxed), Cancel::default());
        lane.jobs.push_back(Job {
            number,
            work,
            answer: sender,
            cancel: cancel.clone(),
        });
        drop(state);
        self.condvar_of(kind).notify_one();
        Ok(Ticket {
            queue: self.clone(),
            number,
            kind,
            cancel,
            answer,
        })
    }

    /// The number of waiting jobs, and of running ones.
    pub(crate) fn waiting_and_running(&self) -> (usize, usize) {
        let state = lock(&self.state);
        (
            state.reads.waiting_jobs() + state.writes.waiting_jobs(),
            state.running.len(),
        )
    }

    /// Takes no more jobs and drops those that wait; running ones go on.
    pub(crate) fn close(&self) {
        let mut state = lock(&self.state);
        state.closed = true;
        state.reads.jobs.clear();
        state.writes.jobs.clear();
        drop(state);
        self.reads.notify_all();
        self.writes.notify_all();
    }

    /// Cancels the running jobs: each ends at its next step.
    pub(crate) fn cancel_running(&self) {
        lock(&self.state)
            .running
            .iter()
            .for_each(|(_, cancel)| cancel.set());
    }

    fn condvar_of(&self, kind: Kind) -> &Condvar {
        match kind {
            Kind::Read => &self.reads,
            Kind::Write => &self.writes,
        }
    }

    fn run_worker(&self, kind: Kind) {
        let mut state = lock(&self.state);
        loop {
            if state.closed {
                return;
            }
            let Some(job) = state.lane(kind).jobs.pop_front() else {
                let woken = self.condvar_of(kind).wait(state);
                state = woken.unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            state.lane(kind).idle -= 1;
            let number = job.number;
            state.running.push((number, job.cancel.clone()));
            drop(state);
            job.execute();
            state = lock(&self.state);
            state.running.retain(|(running, _)| *running != number);
            state.lane(kind).idle += 1;
        }
    }
}

impl State {
    fn lane(&mut self, kind: Kind) -> &mut Lane {
        match kind {
            Kind::Read => &mut self.reads,
            Kind::Write => &mut self.writes,
        }
    }
}

impl Job {
    /// Runs the job, unless it is cancelled. A job that panics drops its sender, which the waiting side notices.
    fn execute(self) {
        if self.cancel.is_set() {
            return;
        }
        let Job { work, cancel, .. } = self;
        if let Ok(text) = std::panic::catch_unwind(AssertUnwindSafe(|| work(&cancel))) {
            // A client that has gone needs no answer.
            let _ = self.answer.send(text);
        }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.cancel.set();
        let mut state = lock(&self.queue.state);
        let jobs = &mut state.lane(self.kind).jobs;
        if let Some(at) = jobs.iter().position(|job| job.number == self.number) {
            jobs.remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Duration;
    use tokio::sync::oneshot::error::TryRecvError;

    /// A job that runs until its sender is used or dropped.
    fn held(queue: &Arc<Queue>, kind: Kind) -> (mpsc::Sender<()>, Result<Ticket, Refused>) {
        let (end, wait) = mpsc::channel::<()>();
        let work: Work = Box::new(move |_| {
            let _ = wait.recv();
            "done".to_owned()
        });
        (end, queue.push(kind, work))
    }

    fn until(what: impl Fn() -> bool) {
        for _ in 0..2_000 {
            if what() {
                return;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        panic!("never came true");
    }

    #[test]
    fn as_many_wait_as_may_and_no_more() {
        let queue = Queue::start(2, 1).unwrap();
        let running = held(&queue, Kind::Read);
        until(|| queue.waiting_and_running().1 == 1);
        let (first, second) = (held(&queue, Kind::Read), held(&queue, Kind::Read));
        assert!(first.1.is_ok() && second.1.is_ok());
        assert_eq!(queue.waiting_and_running(), (2, 1));
        assert_eq!(held(&queue, Kind::Read).1.err(), Some(Refused::Full));
        // A worker of the other lane is still free.
        let write = held(&queue, Kind::Write);
        assert!(write.1.is_ok());
        drop(running.0);
        until(|| queue.waiting_and_running().0 == 1);
        assert!(held(&queue, Kind::Read).1.is_ok());
        drop((first, second, write));
    }

    #[test]
    fn who_goes_away_makes_room_and_is_not_worked_for() {
        let queue = Queue::start(1, 1).unwrap();
        let running = held(&queue, Kind::Read);
        until(|| queue.waiting_and_running().1 == 1);
        let (began, seen) = mpsc::channel();
        let work: Work = Box::new(move |_| {
            let _ = began.send(());
            String::new()
        });
        let gone = queue.push(Kind::Read, work).unwrap();
        assert_eq!(held(&queue, Kind::Read).1.err(), Some(Refused::Full));
        drop(gone);
        assert_eq!(queue.waiting_and_running().0, 0);
        drop(running.0);
        until(|| queue.waiting_and_running() == (0, 0));
        assert!(seen.try_recv().is_err());
    }

    #[test]
    fn work_that_has_begun_hears_that_its_client_is_gone() {
        let queue = Queue::start(1, 1).unwrap();
        let (told, hears) = mpsc::channel();
        let work: Work = Box::new(move |cancel| {
            until(|| cancel.is_set());
            let _ = told.send(());
            String::new()
        });
        let ticket = queue.push(Kind::Write, work).unwrap();
        until(|| queue.waiting_and_running().1 == 1);
        drop(ticket);
        hears.recv_timeout(Duration::from_secs(5)).unwrap();
    }

    #[test]
    fn writes_are_in_order_and_a_panic_harms_nobody() {
        let queue = Queue::start(100, 2).unwrap();
        let (said, order) = mpsc::channel();
        let tickets: Vec<Ticket> = (0..50)
            .map(|n| {
                let said = said.clone();
                let work: Work = Box::new(move |_| {
                    assert!(n != 7, "seven");
                    let _ = said.send(n);
                    n.to_string()
                });
                queue.push(Kind::Write, work).unwrap()
            })
            .collect();
        for (n, ticket) in tickets.into_iter().enumerate() {
            let mut ticket = ticket;
            let mut came = Err(TryRecvError::Empty);
            // A panic writes a backtrace, which takes seconds on a busy machine.
            for _ in 0..60_000 {
                came = ticket.answer.try_recv();
                if !matches!(came, Err(TryRecvError::Empty)) {
                    break;
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            let expected = if n == 7 {
                Err(TryRecvError::Closed)
            } else {
                Ok(n.to_string())
            };
            assert_eq!(came, expected);
        }
        let order: Vec<i32> = order.try_iter().collect();
        assert!(order.is_sorted() && order.len() == 49);
    }

    #[test]
    fn all_that_is_worked_on_can_be_told_to_end() {
        let queue = Queue::start(1, 2).unwrap();
        let tickets: Vec<Ticket> = (0..2)
            .map(|_| {
                let work: Work = Box::new(|cancel| {
                    until(|| cancel.is_set());
                    String::new()
                });
                queue.push(Kind::Read, work).unwrap()
            })
            .collect();
        until(|| queue.waiting_and_running().1 == 2);
        queue.cancel_running();
        until(|| queue.waiting_and_running().1 == 0);
        drop(tickets);
    }

    #[test]
    fn a_closed_queue_takes_nothing() {
        let queue = Queue::start(1, 1).unwrap();
        queue.close();
        assert_eq!(held(&queue, Kind::Read).1.err(), Some(Refused::Closed));
    }
}
