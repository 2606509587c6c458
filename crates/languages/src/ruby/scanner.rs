//! Limits of the grammar's scanner. It stores the words of open heredocs, each with its length in one byte. Several
//! words that fill its state together are not checked here, since Ruby is parsed by workers.

/// Bytes of a heredoc's word that the scanner certainly stores unchanged.
const LONGEST_WORD: usize = 200;

/// Number of bytes from the start of a source that can be read: up to the line of a heredoc with a longer word.
pub(super) fn length_before_long_heredoc(source: &str) -> usize {
    let openings = source.match_indices("<<");
    let mut too_long = openings.filter(|(at, _)| word_length(&source[at + 2..]) > LONGEST_WORD);
    let Some((at, _)) = too_long.next() else {
        return source.len();
    };
    source[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// The length of a heredoc's word at the start of a text, as far as it matters.
fn word_length(text: &str) -> usize {
    let text = text.strip_prefix(['-', '~']).unwrap_or(text);
    let quote = text
        .chars()
        .next()
        .filter(|c| matches!(c, '\'' | '"' | '`'));
    let is_word = |c: &char| match quote {
        Some(quote) => *c != quote,
        None => c.is_alphanumeric() || *c == '_',
    };
    let text = &text[quote.map_or(0, char::len_utf8)..];
    text.chars()
        .take_while(is_word)
        .take(LONGEST_WORD + 1)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_stops_at_a_word_that_is_too_long() {
        let word = "A".repeat(257);
        for opening in [word.clone(), format!("~{word}"), format!("-'{word}'")] {
            let source = format!("class C\nend\nx = <<{opening}\nb\n{word}\n");
            assert_eq!(
                &source[..length_before_long_heredoc(&source)],
                "class C\nend\n"
            );
        }
    }

    #[test]
    fn ordinary_heredocs_and_shifts_are_read() {
        let long = "b".repeat(300);
        for source in [
            "x = <<~EOS\na\nEOS\n",
            "a << 'b'\nc << d",
            &format!("<< {long}"),
        ] {
            assert_eq!(length_before_long_heredoc(source), source.len());
        }
    }
}
