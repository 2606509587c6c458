//! Counting tokens: by an estimate, or by a real vocabulary if one is asked for.

use super::estimate_tokens;
use serde::{Deserialize, Serialize};

/// The ways to count tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tokenizer {
    /// By [`estimate_tokens`]: without a vocabulary, fast, too high for most texts.
    #[default]
    Estimate,
    /// OpenAI's cl100k_base.
    Cl100k,
    /// OpenAI's o200k_base.
    O200k,
}

impl Tokenizer {
    /// Tokens of a text; 0 for an empty one. A vocabulary is read at its first use, which takes some tenths of
    /// a second.
    pub fn count(self, text: &str) -> usize {
        match self {
            Tokenizer::Estimate => estimate_tokens(text),
            Tokenizer::Cl100k => tiktoken_rs::cl100k_base_singleton()
                .encode_ordinary(text)
                .len(),
            Tokenizer::O200k => tiktoken_rs::o200k_base_singleton()
                .encode_ordinary(text)
                .len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vocabularies_count_as_published() {
        // The expected counts are those of the published tokenizer.
        assert_eq!(Tokenizer::Cl100k.count("hello world"), 2);
        assert_eq!(Tokenizer::O200k.count("hello world"), 2);
        assert_eq!(Tokenizer::Cl100k.count("tiktoken is great!"), 6);
        assert_eq!(Tokenizer::O200k.count(""), 0);
        // A control token in a text counts as text.
        assert!(Tokenizer::O200k.count("<|endoftext|>") > 1);
    }

    #[test]
    fn the_samples_of_the_estimate_are_counted_as_they_say() {
        for sample in include_str!("samples.txt").split("%%%% ").skip(1) {
            let (head, text) = sample.split_once('\n').unwrap();
            let mut counts = head.split(' ').skip(1).map(|n| n.parse::<usize>().unwrap());
            let text = text.trim_end();
            assert_eq!(Some(Tokenizer::O200k.count(text)), counts.next(), "{head}");
            assert_eq!(Some(Tokenizer::Cl100k.count(text)), counts.next(), "{head}");
        }
    }

    #[test]
    fn long_runs_end() {
        for text in [
            " ".repeat(100_000),
            "a".repeat(100_000),
            "\n\t".repeat(50_000),
        ] {
            assert!(Tokenizer::O200k.count(&text) > 0);
        }
    }
}
