//! Room for numbers of all passages, kept by the thread for its next question: asking the system for it each time
//! costs more than the numbers.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

/// Lists that a thread keeps.
const KEPT: usize = 6;

thread_local! {
    static SPARE: RefCell<Vec<Vec<f32>>> = const { RefCell::new(Vec::new()) };
}

/// A list of numbers.
#[derive(Debug, Default)]
pub(crate) struct Room(Vec<f32>);

impl Room {
    /// An empty one.
    pub(crate) fn new() -> Room {
        Room(SPARE.with_borrow_mut(Vec::pop).unwrap_or_default())
    }

    /// One of so many zeros.
    pub(crate) fn zeroed(len: usize) -> Room {
        let mut room = Room::new();
        room.resize(len, 0.0);
        room
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let mut list = std::mem::take(&mut self.0);
        list.clear();
        // A thread that ends keeps nothing.
        let _ = SPARE.try_with(|spare| {
            if let Ok(mut spare) = spare.try_borrow_mut()
                && spare.len() < KEPT
            {
                spare.push(list);
            }
        });
    }
}

impl Deref for Room {
    type Target = Vec<f32>;

    fn deref(&self) -> &Vec<f32> {
        &self.0
    }
}

impl DerefMut for Room {
    fn deref_mut(&mut self) -> &mut Vec<f32> {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Room;

    #[test]
    fn room_comes_back_empty() {
        let mut first = Room::zeroed(3);
        first[1] = 7.0;
        drop(first);
        assert!(Room::new().is_empty());
        assert_eq!(*Room::zeroed(5), [0.0; 5]);
        let many: Vec<Room> = (0..20).map(Room::zeroed).collect();
        assert_eq!(many[19].len(), 19);
    }
}
