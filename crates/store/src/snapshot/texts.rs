//! Many short texts in one allocation, by number.

/// Texts by number from 0.
#[derive(Debug, Default)]
pub(super) struct StringTable {
    bytes: String,
    ends: Vec<usize>,
}

impl StringTable {
    pub(super) fn push(&mut self, text: &str) {
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The text of that number; empty for an invalid number.
    pub(super) fn get(&self, at: u32) -> &str {
        let at = at as usize;
        let from = match at {
            0 => 0,
            _ => self.ends.get(at - 1).copied().unwrap_or_default(),
        };
        let to = self.ends.get(at).copied().unwrap_or(from);
        self.bytes.get(from..to).unwrap_or_default()
    }

    /// A table with the texts in another order.
    pub(super) fn reordered(&self, order: &[u32]) -> StringTable {
        let mut out = StringTable {
            bytes: String::with_capacity(self.bytes.len()),
            ends: Vec::with_capacity(order.len()),
        };
        for at in order {
            out.push(self.get(*at));
        }
        out
    }

    /// The number of the text equal to `text`, if the texts are in ascending order.
    pub(super) fn binary_search(&self, text: &str) -> Option<u32> {
        let at = partition(self.len(), |at| self.get(at) < text);
        ((at as usize) < self.len() && self.get(at) == text).then_some(at)
    }
}

/// The first number below `len` for which `before` does not hold; else `len`.
pub(super) fn partition(len: usize, before: impl Fn(u32) -> bool) -> u32 {
    let (mut from, mut to) = (0u32, len as u32);
    while from < to {
        let middle = from + (to - from) / 2;
        if before(middle) {
            from = middle + 1;
        } else {
            to = middle;
        }
    }
    from
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_and_are_found() {
        let mut texts = StringTable::default();
        for text in ["b", "", "ab"] {
            texts.push(text);
        }
        assert_eq!([0, 1, 2, 3].map(|at| texts.get(at)), ["b", "", "ab", ""]);
        let sorted = texts.reordered(&[1, 2, 0]);
        assert_eq!(sorted.binary_search("ab"), Some(1));
        assert_eq!(sorted.binary_search(""), Some(0));
        assert_eq!(sorted.binary_search("c"), None);
    }
}
