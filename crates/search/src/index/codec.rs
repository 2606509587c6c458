//! Variable-length integers and bounded reading.

/// Appends `value`, seven bits a byte, lowest first.
pub(crate) fn put_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Appends a text with its length.
pub(crate) fn put_text(bytes: &mut Vec<u8>, text: &str) {
    put_varint(bytes, text.len() as u64);
    bytes.extend_from_slice(text.as_bytes());
}

/// Reads forward through bytes; every read is `None` past the end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Cursor<'b> {
    pub(crate) fn new(bytes: &'b [u8], at: usize) -> Cursor<'b> {
        Cursor { bytes, at }
    }

    pub(crate) fn byte(&mut self) -> Option<u8> {
        let b = *self.bytes.get(self.at)?;
        self.at += 1;
        Some(b)
    }

    pub(crate) fn varint(&mut self) -> Option<u64> {
        let first = self.byte()?;
        if first < 0x80 {
            return Some(u64::from(first));
        }
        let mut value = u64::from(first & 0x7f);
        for shift in (7..64).step_by(7) {
            let b = self.byte()?;
            value |= u64::from(b & 0x7f) << shift;
            if b < 0x80 {
                return Some(value);
            }
        }
        None
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        u32::try_from(self.varint()?).ok()
    }

    pub(crate) fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let end = self.at.checked_add(length)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    pub(crate) fn text(&mut self) -> Option<&'b str> {
        let length = usize::try_from(self.varint()?).ok()?;
        std::str::from_utf8(self.take(length)?).ok()
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let values = [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX];
        let mut bytes = Vec::new();
        values.iter().for_each(|v| put_varint(&mut bytes, *v));
        let mut cursor = Cursor::new(&bytes, 0);
        for v in values {
            assert_eq!(cursor.varint(), Some(v));
        }
        assert_eq!(cursor.varint(), None);
    }

    #[test]
    fn endless_numbers_end() {
        assert_eq!(Cursor::new(&[0xff; 20], 0).varint(), None);
        assert_eq!(Cursor::new(&[5, b'a'], 0).text(), None);
    }
}
