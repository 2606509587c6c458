//! A bounded table of connections, in which a new one takes the place of the one that needs it least.
//!
//! Connections with unfinished requests are closed first, then those without a request, then listeners. Among equals, the owner
//! with the most connections loses its oldest. The bytes of unfinished requests and unread answers are bounded over all
//! connections.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// The time that a connection has for its first whole request before it counts as one that will send none.
const YOUNG: Duration = Duration::from_secs(1);

/// Limits of a table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    /// The most connections at once.
    pub(crate) connections: usize,
    /// The most bytes buffered for all of them.
    pub(crate) bytes: usize,
}

/// The state of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    /// A request has begun, or the first is still to come.
    Reading,
    /// No request is open.
    Idle,
    /// The connection waits for events.
    Listening,
    /// A request is being answered.
    Working,
}

/// The owner of a connection: a session, a process or an address.
pub(crate) type Owner = Arc<str>;

struct Entry {
    owner: Owner,
    phase: Phase,
    since: Instant,
    bytes: usize,
    evicted: Arc<Notify>,
}

impl Entry {
    /// The order of eviction: the lowest rank is closed first.
    fn eviction_rank(&self, now: Instant) -> u8 {
        let young = now.saturating_duration_since(self.since) < YOUNG;
        match self.phase {
            Phase::Reading if !young => 0,
            Phase::Idle => 1,
            Phase::Reading => 2,
            Phase::Listening => 3,
            Phase::Working => 4,
        }
    }
}

#[derive(Default)]
struct Table {
    entries: BTreeMap<u64, Entry>,
    next: u64,
    bytes: usize,
    evicted: u64,
}

impl Table {
    fn evict(&mut self, number: u64) {
        if let Some(entry) = self.entries.remove(&number) {
            self.bytes -= entry.bytes;
            self.evicted += 1;
            entry.evicted.notify_one();
        }
    }

    /// The connections to evict, at most `most`, all of one rank. None where each is its owner's only one and is being answered.
    fn pick_evictable(&self, most: usize) -> Vec<u64> {
        let now = Instant::now();
        let lowest = self
            .entries
            .values()
            .map(|entry| entry.eviction_rank(now))
            .min();
        let Some(lowest) = lowest else {
            return Vec::new();
        };
        let equal = || {
            let all = self.entries.iter();
            all.filter(move |(_, entry)| entry.eviction_rank(now) == lowest)
        };
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for (_, entry) in equal() {
            *counts.entry(&entry.owner).or_default() += 1;
        }
        let greatest = counts.values().copied().max().unwrap_or(0);
        if lowest == 4 && greatest <= 1 {
            return Vec::new();
        }
        // An owner of many connections loses some of them, not all. The others count the next time.
        let most = if lowest < 3 { most.min(greatest) } else { 1 };
        let mut of_greatest: Vec<(Instant, u64)> = equal()
            .filter(|(_, entry)| counts[&*entry.owner] == greatest)
            .map(|(number, entry)| (entry.since, *number))
            .collect();
        of_greatest.sort_unstable();
        let oldest = of_greatest.into_iter().take(most.max(1));
        oldest.map(|(_, number)| number).collect()
    }
}

/// The table of open connections.
pub(crate) struct Connections {
    table: Mutex<Table>,
    limits: Limits,
}

impl Connections {
    pub(crate) fn new(limits: Limits) -> Arc<Connections> {
        Arc::new(Connections {
            table: Mutex::default(),
            limits,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a new connection; none where all others need theirs more.
    pub(crate) fn admit(self: &Arc<Connections>, owner: Owner) -> Option<ConnectionSlot> {
        let mut table = self.lock();
        if table.entries.len() >= self.limits.connections {
            self.evict_some(&mut table);
            if table.entries.len() >= self.limits.connections {
                return None;
            }
        }
        let number = table.next;
        table.next += 1;
        let evicted = Arc::new(Notify::new());
        let entry = Entry {
            owner,
            phase: Phase::Reading,
            since: Instant::now(),
            bytes: 0,
            evicted: evicted.clone(),
        };
        table.entries.insert(number, entry);
        Some(ConnectionSlot {
            connections: self.clone(),
            number,
            evicted,
        })
    }

    /// Evicts some connections, where the system has no room for more.
    pub(crate) fn evict_for_system(&self) {
        self.evict_some(&mut self.lock());
    }

    /// Evicts several at once: finding them costs more than closing them.
    fn evict_some(&self, table: &mut Table) {
        for number in table.pick_evictable(self.limits.connections / 32 + 1) {
            table.evict(number);
        }
    }

    /// The number of open connections, and of those evicted so far.
    pub(crate) fn open_and_evicted_counts(&self) -> (usize, u64) {
        let table = self.lock();
        (table.entries.len(), table.evicted)
    }
}

/// A connection's place, given back when this is dropped.
pub(crate) struct ConnectionSlot {
    connections: Arc<Connections>,
    number: u64,
    evicted: Arc<Notify>,
}

impl ConnectionSlot {
    /// The connection's number; no other connection of this table ever gets it.
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// Sets the state of the connection.
    pub(crate) fn set_phase(&self, phase: Phase) {
        let mut table = self.connections.lock();
        if let Some(entry) = table.entries.get_mut(&self.number)
            && entry.phase != phase
        {
            entry.phase = phase;
            entry.since = Instant::now();
        }
    }

    /// Sets the owner of the connection, once it is known.
    pub(crate) fn set_owner(&self, owner: &Owner) {
        let mut table = self.connections.lock();
        if let Some(entry) = table.entries.get_mut(&self.number) {
            entry.owner = owner.clone();
        }
    }

    /// Makes it a listener. Its owner may have `most` of them: the oldest are evicted.
    pub(crate) fn set_listening(&self, most: usize) {
        self.set_phase(Phase::Listening);
        let mut table = self.connections.lock();
        let Some(owner) = table.entries.get(&self.number).map(|e| e.owner.clone()) else {
            return;
        };
        let all = table.entries.iter();
        let mut same: Vec<(Instant, u64)> = all
            .filter(|(_, entry)| entry.phase == Phase::Listening && entry.owner == owner)
            .map(|(number, entry)| (entry.since, *number))
            .collect();
        same.sort_unstable();
        let surplus = same.len().saturating_sub(most);
        for (_, number) in same.into_iter().take(surplus) {
            table.evict(number);
        }
    }

    /// Sets the number of bytes buffered for it. Where the sum is too large, the connection with the most is evicted.
    pub(crate) fn set_buffered_bytes(&self, bytes: usize) {
        let mut table = self.connections.lock();
        let Some(entry) = table.entries.get_mut(&self.number) else {
            return;
        };
        let before = std::mem::replace(&mut entry.bytes, bytes);
        table.bytes = table.bytes - before + bytes;
        while table.bytes > self.connections.limits.bytes {
            let most = table.entries.iter().max_by_key(|(_, entry)| entry.bytes);
            let Some(number) = most.map(|(number, _)| *number) else {
                return;
            };
            table.evict(number);
        }
    }

    /// Returns when the connection is to be closed.
    pub(crate) async fn wait_evicted(&self) {
        self.evicted.notified().await;
    }
}

impl Drop for ConnectionSlot {
    fn drop(&mut self) {
        let mut table = self.connections.lock();
        if let Some(entry) = table.entries.remove(&self.number) {
            table.bytes -= entry.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(connections: usize, bytes: usize) -> Arc<Connections> {
        Connections::new(Limits { connections, bytes })
    }

    fn is_open(place: &ConnectionSlot) -> bool {
        place.connections.lock().entries.contains_key(&place.number)
    }

    fn enter(table: &Arc<Connections>, owner: &str, phase: Phase) -> ConnectionSlot {
        let place = table.admit(owner.into()).unwrap();
        place.set_phase(phase);
        place
    }

    /// Makes a connection two seconds older.
    fn age(place: &ConnectionSlot) {
        let mut table = place.connections.lock();
        let entry = table.entries.get_mut(&place.number).unwrap();
        entry.since -= Duration::from_secs(2);
    }

    #[test]
    fn the_oldest_unfinished_goes_before_who_is_idle_listens_or_works() {
        let table = table(4, 100);
        let working = enter(&table, "a", Phase::Working);
        let listening = enter(&table, "a", Phase::Listening);
        let idle = enter(&table, "a", Phase::Idle);
        let unfinished = enter(&table, "b", Phase::Reading);
        age(&unfinished);
        let new = enter(&table, "c", Phase::Working);
        assert!(!is_open(&unfinished) && is_open(&idle));
        let _next = enter(&table, "d", Phase::Working);
        assert!(!is_open(&idle) && is_open(&listening));
        let _last = enter(&table, "e", Phase::Working);
        assert!(!is_open(&listening) && is_open(&working) && is_open(&new));
        // Four owners have one question each: none of them is evicted for a fifth.
        assert!(table.admit("f".into()).is_none());
        assert_eq!(table.open_and_evicted_counts(), (4, 3));
    }

    #[test]
    fn who_has_just_come_is_given_time() {
        let table = table(2, 100);
        let idle = enter(&table, "a", Phase::Idle);
        let young = table.admit("b".into()).unwrap();
        let _new = table.admit("c".into()).unwrap();
        assert!(!is_open(&idle) && is_open(&young));
    }

    #[test]
    fn who_has_many_loses_the_oldest_of_them() {
        let table = table(3, 100);
        let single = enter(&table, "one", Phase::Working);
        let first = enter(&table, "two", Phase::Working);
        let second = enter(&table, "two", Phase::Working);
        let _new = table.admit("three".into()).unwrap();
        assert!(is_open(&single) && !is_open(&first) && is_open(&second));
    }

    #[test]
    fn an_owner_has_so_many_listeners_and_no_more() {
        let table = table(100, 100);
        let other = enter(&table, "other", Phase::Reading);
        other.set_listening(2);
        let places: Vec<ConnectionSlot> = (0..5)
            .map(|_| {
                let place = table.admit("one".into()).unwrap();
                place.set_listening(2);
                place
            })
            .collect();
        let open: Vec<bool> = places.iter().map(is_open).collect();
        assert_eq!(open, [false, false, false, true, true]);
        assert!(is_open(&other));
    }

    #[test]
    fn who_keeps_the_most_bytes_goes_when_they_are_too_many() {
        let table = table(10, 100);
        let (small, large) = (
            table.admit("a".into()).unwrap(),
            table.admit("b".into()).unwrap(),
        );
        small.set_buffered_bytes(10);
        large.set_buffered_bytes(90);
        assert!(is_open(&large));
        small.set_buffered_bytes(11);
        assert!(!is_open(&large) && is_open(&small));
        drop(small);
        assert_eq!(table.lock().bytes, 0);
    }

    #[tokio::test]
    async fn who_is_sent_away_hears_of_it() {
        let table = table(1, 100);
        let first = enter(&table, "a", Phase::Idle);
        let _second = enter(&table, "b", Phase::Idle);
        tokio::time::timeout(Duration::from_secs(5), first.wait_evicted())
            .await
            .unwrap();
    }
}
