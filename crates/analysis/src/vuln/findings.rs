//! The findings of a report, within a limit of memory.

use super::Advisory;

/// The most bytes of all findings of a report; the rest is counted.
pub(super) const MOST_BYTES: usize = 32 << 20;

/// The findings of a report, within a limit of memory.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) advisories: Vec<Advisory>,
    pub(super) left_out: usize,
    bytes: usize,
}

impl Findings {
    pub(super) fn has_room(&self) -> bool {
        self.bytes < MOST_BYTES
    }

    pub(super) fn push(&mut self, advisory: Advisory) {
        if self.has_room() {
            self.bytes += advisory.bytes();
            self.advisories.push(advisory);
        } else {
            self.left_out += 1;
        }
    }
}
