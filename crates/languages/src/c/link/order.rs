//! The order in which one file comes to others: by nearness, and as a preprocessor reads them.
//!
//! An order is worked out only where several files of those that a file sees have a name.

use super::includes::{Presence, Targets};
use linker::repo::FileId;
use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};

/// Files whose orders are remembered.
const MOST_KEPT: usize = 16;
/// The number of a file that has none.
const NONE: u32 = u32::MAX;
/// The number of a file that a preprocessor has begun to read.
const BEGUN: u32 = u32::MAX - 1;

/// The orders of some files, the last that were asked for.
#[derive(Default)]
pub(super) struct Orders {
    kept: Mutex<Vec<Order>>,
}

/// The numbers of files as one file comes to them.
pub(super) struct Order {
    from: FileId,
    numbers: Vec<u32>,
    /// The files that have numbers.
    files: Vec<FileId>,
}

impl Orders {
    /// The number of a file as another comes to it. Of `count` files, `find` gives those their numbers that the other comes to.
    pub(super) fn number(
        &self,
        count: usize,
        (from, to): (FileId, FileId),
        find: impl FnOnce(&mut Order),
    ) -> Option<u32> {
        let order = self.take(from).unwrap_or_else(|free| {
            let mut order = free.unwrap_or_else(|| Order::new(count));
            order.begin(from);
            find(&mut order);
            order
        });
        let number = order.number(to);
        self.keep(order);
        number
    }

    /// The order of a file; otherwise one that can be used again, if there is one.
    fn take(&self, from: FileId) -> Result<Order, Option<Order>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        match kept.iter().rposition(|order| order.from == from) {
            Some(at) => Ok(kept.remove(at)),
            None if kept.len() >= MOST_KEPT => Err(Some(kept.remove(0))),
            None => Err(None),
        }
    }

    fn keep(&self, order: Order) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= MOST_KEPT {
            kept.remove(0);
        }
        kept.push(order);
    }
}

impl Order {
    fn new(count: usize) -> Order {
        Order {
            from: FileId(NONE),
            numbers: vec![NONE; count],
            files: Vec::new(),
        }
    }

    fn begin(&mut self, from: FileId) {
        for file in self.files.drain(..) {
            self.numbers[file.0 as usize] = NONE;
        }
        self.from = from;
    }

    fn number(&self, file: FileId) -> Option<u32> {
        let number = self.numbers.get(file.0 as usize).copied();
        number.filter(|number| *number < BEGUN)
    }

    /// Gives a file a number; false if it has one.
    fn add(&mut self, file: FileId, number: u32) -> bool {
        let place = self.numbers.get_mut(file.0 as usize);
        let Some(place) = place.filter(|place| **place == NONE) else {
            return false;
        };
        *place = number;
        self.files.push(file);
        true
    }

    /// Numbers the files that includes lead to, the nearest first: those that every build reads, then those of some builds, then
    /// those that are read only for other systems. `takes_all` makes no difference between them.
    pub(super) fn by_nearness(
        &mut self,
        targets: &[Targets],
        takes_all: bool,
        most_followed: usize,
    ) {
        self.add(self.from, 0);
        let mut left = most_followed;
        if takes_all {
            self.follow(targets, Presence::Sure..=Presence::Absent, &mut left);
            return;
        }
        for step in [Presence::Sure, Presence::Open, Presence::Absent] {
            self.follow(targets, step..=step, &mut left);
        }
    }

    /// Follows the includes of a step, and from the files that are found also those of earlier steps. Breadth first, so that nearer
    /// files come first.
    fn follow(&mut self, targets: &[Targets], step: RangeInclusive<Presence>, left: &mut usize) {
        let known = self.files.len();
        let mut at = 0;
        while let Some(here) = self.files.get(at).copied() {
            let is_known = at < known;
            at += 1;
            let includes = targets
                .get(here.0 as usize)
                .map_or(&[][..], |found| &found.files);
            let is_due = |presence: &Presence| {
                presence <= step.end() && (!is_known || presence >= step.start())
            };
            for (to, _) in includes.iter().filter(|(_, presence)| is_due(presence)) {
                if *left == 0 {
                    return;
                }
                *left -= 1;
                self.add(*to, self.files.len() as u32);
            }
        }
    }

    /// Numbers the files as a preprocessor finishes them, if it reads each file once.
    pub(super) fn by_reading(&mut self, targets: &[Targets], most_followed: usize) {
        // The first file as well: headers may include each other, and it is finished after all others.
        self.add(self.from, BEGUN);
        let mut finished = 0;
        let mut left = most_followed;
        let mut open: Vec<(FileId, usize)> = self.files.iter().map(|file| (*file, 0)).collect();
        while let Some((file, at)) = open.pop() {
            let includes = targets
                .get(file.0 as usize)
                .map_or(&[][..], |found| &found.files);
            match includes.get(at) {
                Some((next, presence)) if left > 0 => {
                    left -= 1;
                    open.push((file, at + 1));
                    if *presence < Presence::Absent && self.add(*next, BEGUN) {
                        open.push((*next, 0));
                    }
                }
                _ => {
                    self.numbers[file.0 as usize] = finished;
                    finished += 1;
                }
            }
        }
    }
}
