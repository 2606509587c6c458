//! A fair queue of questions: a few are worked on at once, and clients take turns, so that one with many questions does not keep
//! the others waiting.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// The client of a question.
pub(crate) type ClientKey = Arc<str>;

/// Limits on running and waiting questions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QueueLimits {
    /// The most questions worked on at once.
    pub(crate) working: usize,
    /// The most of these for one client: one less, so that no client has them all.
    pub(crate) working_each: usize,
    /// The most waiting questions of one client.
    pub(crate) waiting_each: usize,
    /// The most waiting questions of all clients.
    pub(crate) waiting: usize,
    /// The most bytes of the arguments of all questions, with those worked on. A single question may take more.
    pub(crate) bytes: usize,
    /// Arguments of at most this many bytes do not count.
    pub(crate) light: usize,
}

impl Default for QueueLimits {
    fn default() -> QueueLimits {
        let cores = std::thread::available_parallelism().map_or(4, usize::from);
        let working = cores.clamp(4, 16);
        QueueLimits {
            working,
            working_each: working - 1,
            waiting_each: 64,
            waiting: 1_024,
            bytes: 128 << 20,
            light: 64 << 10,
        }
    }
}

#[derive(Default)]
struct State {
    working: HashMap<ClientKey, usize>,
    waiting: HashMap<ClientKey, VecDeque<oneshot::Sender<TurnGuard>>>,
    /// The clients in `waiting`, in the order of their turns.
    order: VecDeque<ClientKey>,
    count: usize,
    /// The bytes of the arguments of all questions that wait or are worked on.
    bytes: usize,
}

impl State {
    fn working_count(&self) -> usize {
        self.working.values().sum()
    }

    fn has_room(&self, asker: &ClientKey, room: &QueueLimits) -> bool {
        let own = self.working.get(asker).copied().unwrap_or(0);
        self.working_count() < room.working && own < room.working_each
    }

    /// The next client, counted as working.
    fn pop_next(&mut self, room: &QueueLimits) -> Option<(ClientKey, oneshot::Sender<TurnGuard>)> {
        let at = (0..self.order.len()).find(|at| self.has_room(&self.order[*at], room))?;
        let asker = self.order.remove(at)?;
        let queue = self.waiting.get_mut(&asker)?;
        let sender = queue.pop_front();
        if queue.is_empty() {
            drop(self.waiting.remove(&asker))
        } else {
            self.order.push_back(asker.clone())
        }
        self.count -= 1;
        *self.working.entry(asker.clone()).or_default() += 1;
        Some((asker, sender?))
    }

    /// Removes questions whose client disconnected while waiting.
    fn remove_gone(&mut self) {
        self.waiting.retain(|_, queue| {
            queue.retain(|sender| !sender.is_closed());
            !queue.is_empty()
        });
        let waiting = &self.waiting;
        self.order.retain(|asker| waiting.contains_key(asker));
        self.count = waiting.values().map(VecDeque::len).sum();
    }

    fn is_queue_full(&self, asker: &ClientKey, room: &QueueLimits) -> bool {
        let own = self.waiting.get(asker).map_or(0, VecDeque::len);
        own >= room.waiting_each || self.count >= room.waiting
    }

    fn end_work(&mut self, asker: &ClientKey) {
        if let Some(count) = self.working.get_mut(asker) {
            *count -= 1;
            if *count == 0 {
                self.working.remove(asker);
            }
        }
    }
}

/// A queue in which clients take turns.
pub(crate) struct FairQueue {
    state: Mutex<State>,
    room: QueueLimits,
}

/// Too many questions wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Busy;

/// A reservation for the bytes of a question's arguments, until it is dropped.
pub(crate) struct BytesGuard(Arc<FairQueue>, usize);

impl Drop for BytesGuard {
    fn drop(&mut self) {
        self.0.lock().bytes -= self.1;
    }
}

/// The right to work, until it is dropped.
pub(crate) struct TurnGuard(Option<(Arc<FairQueue>, ClientKey)>);

impl FairQueue {
    pub(crate) fn new(room: QueueLimits) -> Arc<FairQueue> {
        Arc::new(FairQueue {
            state: Mutex::default(),
            room,
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves bytes for arguments; an error where those of others leave too little.
    pub(crate) fn reserve_bytes(self: &Arc<FairQueue>, bytes: usize) -> Result<BytesGuard, Busy> {
        if bytes <= self.room.light {
            return Ok(BytesGuard(self.clone(), 0));
        }
        let mut state = self.lock();
        let sum = state.bytes.saturating_add(bytes);
        if state.bytes > 0 && sum > self.room.bytes {
            return Err(Busy);
        }
        state.bytes = sum;
        Ok(BytesGuard(self.clone(), bytes))
    }

    /// Waits for a turn of this client.
    pub(crate) async fn acquire(
        self: &Arc<FairQueue>,
        asker: ClientKey,
    ) -> Result<TurnGuard, Busy> {
        let (sender, turn) = oneshot::channel();
        {
            let mut state = self.lock();
            if state.is_queue_full(&asker, &self.room) {
                state.remove_gone();
                if state.is_queue_full(&asker, &self.room) {
                    return Err(Busy);
                }
            }
            if !state.order.contains(&asker) {
                state.order.push_back(asker.clone());
            }
            state.waiting.entry(asker).or_default().push_back(sender);
            state.count += 1;
        }
        self.wake_next();
        turn.await.map_err(|_| Busy)
    }

    /// Gives turns to waiting clients while there is room.
    fn wake_next(self: &Arc<FairQueue>) {
        loop {
            let next = self.lock().pop_next(&self.room);
            let Some((asker, sender)) = next else { return };
            // A turn that nobody waits for any more is passed on by this loop, not by a nested call.
            if let Err(mut turn) = sender.send(TurnGuard(Some((self.clone(), asker.clone())))) {
                turn.0 = None;
                self.lock().end_work(&asker);
            }
        }
    }
}

impl Drop for TurnGuard {
    fn drop(&mut self) {
        if let Some((turns, asker)) = self.0.take() {
            turns.lock().end_work(&asker);
            turns.wake_next();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::Future;
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    type Waiting = Pin<Box<dyn Future<Output = Result<TurnGuard, Busy>>>>;

    fn turns(working: usize, waiting_each: usize) -> Arc<FairQueue> {
        FairQueue::new(QueueLimits {
            working,
            working_each: working.max(2) - 1,
            waiting_each,
            waiting: 100,
            bytes: 1_000,
            light: 10,
        })
    }

    fn ask(turns: &Arc<FairQueue>, asker: &str) -> Waiting {
        let (turns, asker) = (turns.clone(), ClientKey::from(asker));
        let mut waiting: Waiting = Box::pin(async move { turns.acquire(asker).await });
        // The question is in the queue from here on.
        assert!(poll(&mut waiting).is_none_or(|said| said.is_ok()));
        waiting
    }

    fn poll(waiting: &mut Waiting) -> Option<Result<TurnGuard, Busy>> {
        match waiting
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            Poll::Ready(said) => Some(said),
            Poll::Pending => None,
        }
    }

    fn take(turns: &Arc<FairQueue>, asker: &str) -> Option<Result<TurnGuard, Busy>> {
        let (turns, asker) = (turns.clone(), ClientKey::from(asker));
        poll(&mut (Box::pin(async move { turns.acquire(asker).await }) as Waiting))
    }

    #[test]
    fn clients_take_turns_however_many_questions_one_has() {
        let turns = turns(1, 10);
        let first = take(&turns, "greedy").unwrap().unwrap();
        let mut greedy: Vec<Waiting> = (0..5).map(|_| ask(&turns, "greedy")).collect();
        let mut other = ask(&turns, "other");
        drop(first);
        // The greedy client was in the queue before; then it is the other's turn, and not that of four more questions.
        let second = poll(&mut greedy[0]).unwrap().unwrap();
        assert!(poll(&mut other).is_none());
        drop(second);
        let third = poll(&mut other).unwrap().unwrap();
        assert!(poll(&mut greedy[1]).is_none());
        drop(third);
        assert!(poll(&mut greedy[1]).is_some());
    }

    #[test]
    fn what_waits_takes_so_many_bytes_and_no_more() {
        let turns = turns(1, 10);
        let large = turns.reserve_bytes(5_000).unwrap();
        assert_eq!(turns.reserve_bytes(20).err(), Some(Busy));
        assert!(turns.reserve_bytes(10).is_ok());
        drop(large);
        let small: Vec<BytesGuard> = (0..4).map(|_| turns.reserve_bytes(250).unwrap()).collect();
        assert_eq!(turns.reserve_bytes(20).err(), Some(Busy));
        drop(small);
        assert_eq!(turns.lock().bytes, 0);
    }

    #[test]
    fn no_client_has_every_turn() {
        let turns = turns(3, 10);
        let _first = take(&turns, "greedy").unwrap().unwrap();
        let _second = take(&turns, "greedy").unwrap().unwrap();
        let mut third = ask(&turns, "greedy");
        assert!(poll(&mut third).is_none());
        assert!(take(&turns, "other").unwrap().is_ok());
    }

    #[test]
    fn who_asks_too_much_is_told_so_and_who_goes_away_makes_room() {
        let turns = turns(1, 2);
        let first = take(&turns, "a").unwrap().unwrap();
        let (one, mut two) = (ask(&turns, "a"), ask(&turns, "a"));
        assert_eq!(take(&turns, "a").unwrap().err(), Some(Busy));
        drop(one);
        let mut three = ask(&turns, "a");
        drop(first);
        let second = poll(&mut two).unwrap().unwrap();
        drop(two);
        drop(second);
        assert!(poll(&mut three).unwrap().is_ok());
        drop(three);
        let state = turns.lock();
        assert_eq!(
            (state.count, state.working_count(), state.order.len()),
            (0, 0, 0)
        );
    }
}
