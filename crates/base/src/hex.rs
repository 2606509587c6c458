//! Bytes as hexadecimal digits, in lower case.

/// Two digits for each byte.
pub fn encode(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0');
    let both = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    both.map(digit).collect()
}

/// Decodes exactly `BYTES` bytes; `None` if the text is anything else. Upper case is accepted.
pub fn decode<const BYTES: usize>(text: &str) -> Option<[u8; BYTES]> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != BYTES || !rest.is_empty() {
        return None;
    }
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let mut bytes = [0; BYTES];
    for (byte, [high, low]) in bytes.iter_mut().zip(pairs) {
        *byte = (digit(*high)? << 4 | digit(*low)?) as u8;
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_come_back_and_nothing_else_does() {
        assert_eq!(encode(&[0, 1, 0x9a, 255]), "00019aff");
        assert_eq!(decode("00019aff"), Some([0, 1, 0x9a, 255]));
        assert_eq!(decode("00019AFF"), Some([0, 1, 0x9a, 255]));
        for text in [
            "",
            "00019af",
            "00019afg",
            "00019aff00",
            "00019a+f",
            "00019aé",
        ] {
            assert_eq!(decode::<4>(text), None, "{text}");
        }
    }
}
