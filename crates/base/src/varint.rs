//! Numbers of variable length, as in LEB128 and Protocol Buffers: seven bits per byte, lowest first.

/// Appends a number.
#[inline]
pub fn write_varint(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// Reads the number at `at` and moves past it; `None` if it is incomplete.
#[inline]
pub fn read(bytes: &[u8], at: &mut usize) -> Option<u64> {
    let mut next = || {
        let byte = *bytes.get(*at)?;
        *at += 1;
        Some(byte)
    };
    // Most numbers have one byte.
    let first = next()?;
    if first < 0x80 {
        return Some(u64::from(first));
    }
    let mut value = u64::from(first & 0x7f);
    for shift in (7..64).step_by(7) {
        let byte = next()?;
        value |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(value);
        }
    }
    None
}

/// Takes a number off the front; `None` if it is incomplete.
#[inline]
pub fn read_varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut at = 0;
    let value = read(bytes, &mut at);
    *bytes = &bytes[at..];
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_and_what_is_cut_short_is_none() {
        for value in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut bytes = Vec::new();
            write_varint(&mut bytes, value);
            assert_eq!(read_varint(&mut bytes.as_slice()), Some(value));
            assert_eq!(read_varint(&mut &bytes[..bytes.len() - 1]), None);
            bytes.push(9);
            let mut rest = bytes.as_slice();
            assert_eq!(
                (read_varint(&mut rest), rest),
                (Some(value), [9].as_slice())
            );
        }
        assert_eq!(read_varint(&mut [0xff; 20].as_slice()), None);
    }
}
