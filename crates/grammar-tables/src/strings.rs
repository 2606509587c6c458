//! String literals of C.

/// The bytes that a literal stands for. It is given as it is written, without quotes.
pub(crate) fn unescape(literal: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(literal.len());
    let mut at = 0;
    while at < literal.len() {
        if literal[at] != b'\\' {
            bytes.push(literal[at]);
            at += 1;
            continue;
        }
        at += 1;
        let Some(&letter) = literal.get(at) else {
            break;
        };
        let (base, most) = match letter {
            b'u' => (16, 4),
            b'U' => (16, 8),
            b'x' => (16, usize::MAX),
            b'0'..=b'7' => (8, 3),
            _ => {
                bytes.push(escape_of(letter));
                at += 1;
                continue;
            }
        };
        at += usize::from(base == 16);
        let digits = literal[at..].iter().take(most);
        let digits = digits.map_while(|digit| char::from(*digit).to_digit(base));
        let digits: Vec<u32> = digits.collect();
        let add = |all: u32, digit: &u32| all.wrapping_mul(base).wrapping_add(*digit);
        let value = digits.iter().fold(0, add);
        at += digits.len();
        match char::from_u32(value) {
            Some(character) if matches!(letter, b'u' | b'U') => {
                bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            _ => bytes.push((value & 0xFF) as u8),
        }
    }
    bytes
}

/// The byte that a backslash and the letter stand for.
fn escape_of(letter: u8) -> u8 {
    match letter {
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'a' => 7,
        b'b' => 8,
        b'v' => 11,
        b'f' => 12,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::unescape;

    #[test]
    fn escapes_stand_for_bytes() {
        assert_eq!(unescape(br#"a\"\\\n\?b"#), b"a\"\\\n?b");
        assert_eq!(unescape(br"\x1b[\0\101"), b"\x1b[\0A");
        assert_eq!(unescape(br"\u2190\U0001F600."), "←😀.".as_bytes());
        assert_eq!(unescape("é\\".as_bytes()), "é".as_bytes());
    }
}
