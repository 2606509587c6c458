//! Operations on text that need no other part of the program: tokens, parts of identifiers, stems, index terms, path
//! patterns, edit distance, YAML with its lines, dates, a glossary.
//!
//! Never knows: symbols, vectors, ranking, files on disk, the environment.

pub mod cjk;
pub mod date;
pub mod distance;
pub mod glob;
pub mod glossary;
pub mod identifier;
pub mod list;
pub mod stem;
pub mod terms;
pub mod tokens;
pub mod yaml;

/// The first bytes of a text, at most `most`, cut at the start of a character.
pub fn truncate_bytes(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

#[cfg(test)]
mod tests {
    use super::truncate_bytes;

    #[test]
    fn a_text_is_cut_at_the_start_of_a_character() {
        assert_eq!(truncate_bytes("größer", 3), "gr");
        assert_eq!(truncate_bytes("größer", 4), "grö");
        assert_eq!(truncate_bytes("größer", 100), "größer");
    }
}
