//! Buffers for one number per chunk, kept for the next question: allocating them each time costs more than
//! computing the numbers.

use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, PoisonError};

/// The most buffers that are kept.
const KEPT: usize = 6;

/// One thread may drop a buffer that another one filled, so all threads share the buffers.
static SPARE: Mutex<Vec<Vec<f32>>> = Mutex::new(Vec::new());

/// A buffer of numbers.
#[derive(Debug, Default)]
pub(crate) struct FloatBuffer(Vec<f32>);

impl FloatBuffer {
    fn new() -> FloatBuffer {
        let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
        FloatBuffer(spare.pop().unwrap_or_default())
    }

    /// A buffer of `len` numbers, with values left from an earlier use.
    pub(crate) fn with_len(len: usize) -> FloatBuffer {
        let mut room = FloatBuffer::new();
        room.0.resize(len, 0.0);
        room
    }

    /// A buffer of `len` zeros.
    pub(crate) fn zeroed(len: usize) -> FloatBuffer {
        let mut room = FloatBuffer::new();
        room.0.clear();
        room.0.resize(len, 0.0);
        room
    }
}

impl Drop for FloatBuffer {
    fn drop(&mut self) {
        let list = std::mem::take(&mut self.0);
        let mut spare = SPARE.lock().unwrap_or_else(PoisonError::into_inner);
        if spare.len() < KEPT {
            spare.push(list);
        }
    }
}

impl Deref for FloatBuffer {
    type Target = Vec<f32>;

    fn deref(&self) -> &Vec<f32> {
        &self.0
    }
}

impl DerefMut for FloatBuffer {
    fn deref_mut(&mut self) -> &mut Vec<f32> {
        &mut self.0
    }
}

#[cfg(test)]
mod tests {
    use super::FloatBuffer;

    #[test]
    fn room_comes_back() {
        let mut first = FloatBuffer::zeroed(3);
        first[1] = 7.0;
        drop(first);
        assert_eq!(FloatBuffer::with_len(2).len(), 2);
        assert_eq!(*FloatBuffer::zeroed(5), [0.0; 5]);
        let many: Vec<FloatBuffer> = (0..20).map(FloatBuffer::zeroed).collect();
        assert_eq!(many[19].len(), 19);
    }
}
