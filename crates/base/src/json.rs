//! The memory that foreign JSON takes, estimated before it is decoded.

/// The most bytes of memory that a JSON text takes as `serde_json::Value`: 64 for each value, 160 for each array, 800
/// for each object, plus the text.
///
/// A value takes 32 bytes, and a growing array has room for twice its values. The smallest array has room for four, the
/// smallest object is a tree leaf with room for eleven. `{"":0},` has 7 bytes of text and takes more than 600 of
/// memory, so a limit on the text alone is not enough.
pub fn decoded_size(text: &[u8]) -> usize {
    let (mut size, mut in_string, mut escaped) = (text.len(), false, false);
    for byte in text {
        if in_string {
            in_string = escaped || *byte != b'"';
            escaped = !escaped && *byte == b'\\';
            continue;
        }
        size += match byte {
            b',' => 64,
            b'[' => 160,
            b'{' => 800,
            b'"' => {
                in_string = true;
                0
            }
            _ => 0,
        };
    }
    size
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_small_objects_cost_more_than_their_text() {
        let objects = format!("[{}0]", r#"{"":0},"#.repeat(1_000));
        assert!(decoded_size(objects.as_bytes()) > 800_000);
        let numbers = format!("[{}0]", "0.123,".repeat(1_000));
        assert!(decoded_size(numbers.as_bytes()) < 80_000);
        // Brackets in a string are text.
        assert_eq!(decoded_size(br#""[{,\"[{,""#), 10);
    }
}
