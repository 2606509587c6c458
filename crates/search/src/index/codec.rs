//! Bounded reading of a segment's bytes.

use base::varint;

/// Appends a text with its length.
pub(crate) fn put_text(bytes: &mut Vec<u8>, text: &str) {
    varint::write_varint(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

/// Reads forward through bytes; a read past the end is `None`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Cursor<'b> {
    pub(crate) fn new(bytes: &'b [u8], at: usize) -> Cursor<'b> {
        Cursor { bytes, at }
    }

    pub(crate) fn read_byte(&mut self) -> Option<u8> {
        let b = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(b)
    }

    pub(crate) fn read_varint(&mut self) -> Option<u64> {
        varint::read(self.bytes, &mut self.at)
    }

    pub(crate) fn read_u32(&mut self) -> Option<u32> {
        u32::try_from(self.read_varint()?).ok()
    }

    pub(crate) fn read_bytes(&mut self, length: usize) -> Option<&'b [u8]> {
        let end = self.at.checked_add(length)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    pub(crate) fn read_text(&mut self) -> Option<&'b str> {
        let length = usize::try_from(self.read_varint()?).ok()?;
        std::str::from_utf8(self.read_bytes(length)?).ok()
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endless_numbers_end() {
        assert_eq!(Cursor::new(&[0xff; 20], 0).read_varint(), None);
        assert_eq!(Cursor::new(&[5, b'a'], 0).read_text(), None);
    }
}
