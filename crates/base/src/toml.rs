//! The memory that foreign TOML takes, estimated before it is decoded.

/// The most bytes of memory that a TOML text takes as a table, with the parser's own: 300 for each value, 1,100 for
/// each table, plus the text. A dot in a key makes a table, like an opening bracket. Dots in numbers are counted alike.
pub fn decoded_size(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut size, mut at) = (bytes.len(), 0);
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'#' => at = end_of_line(bytes, at),
            b'"' | b'\'' => at = end_of_string(bytes, at, *byte),
            b'.' | b'[' | b'{' => size = size.saturating_add(1_100),
            b'=' | b',' => size = size.saturating_add(300),
            _ => {}
        }
    }
    size
}

fn end_of_line(bytes: &[u8], from: usize) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let line = rest.iter().position(|byte| *byte == b'\n');
    line.map_or(bytes.len(), |line| from + line)
}

/// The byte after a string whose first quote is before `from`. A string in one quote, not three, ends with its line at
/// the latest: a longer one is no TOML, and it is not known how much of the rest a parser keeps.
fn end_of_string(bytes: &[u8], from: usize, quote: u8) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let is_long = rest.starts_with(&[quote, quote]);
    let mut at = if is_long { from + 2 } else { from };
    while let Some(byte) = bytes.get(at) {
        at += 1;
        match *byte {
            b'\\' if quote == b'"' => at += usize::from(bytes.get(at).is_some_and(|b| *b != b'\n')),
            b'\n' if !is_long => return at,
            byte if byte != quote => {}
            _ if !is_long => return at,
            _ if bytes.get(at..at + 2) == Some(&[quote, quote]) => return at + 2,
            _ => {}
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::decoded_size;

    #[test]
    fn every_form_of_a_table_is_counted() {
        let cost = |text: &str| (decoded_size(text) - text.len()) / 100;
        assert_eq!(cost("a.b.c=1"), 25);
        assert_eq!(cost("[[a]]\nx = {y = [1, 2]}"), 4 * 11 + 3 * 3);
        assert_eq!(cost("a = \"[{=.\\\"=.\" # .. ' \"\nb = '.\\'"), 6);
        assert_eq!(cost("a = \"\"\"\n.=.\\\"\"\"\"\"\" . "), 3 + 11);
        assert_eq!(cost("a = '''.''.\n'''.'''"), 3 + 11);
        // A string without an end hides one line.
        assert_eq!(cost("a = \".\nb.c"), 14);
        assert_eq!(cost("\"\\"), 0);
    }

    #[test]
    fn small_texts_of_many_tables_cost_much() {
        let dots = format!("k{}=1\n", ".a".repeat(79)).repeat(1_000);
        assert!(decoded_size(&dots) > 80_000_000);
        let lock = "[[package]]\nname = \"a.b\"\nversion = \"1.2.3\"\n".repeat(1_000);
        assert!(decoded_size(&lock) < 3_000_000);
    }
}
