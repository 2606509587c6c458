//! all-MiniLM-L6-v2 in plain Rust: 384 dimensions, weights as signed bytes. The program contains it and loads it on
//! first use.

mod encoder;
mod tokenizer;

use crate::ModelError;
use encoder::Encoder;
use std::sync::OnceLock;
use tokenizer::Tokenizer;

static WEIGHTS: &[u8] = include_bytes!("../../models/minilm/all-minilm-l6-v2-int8.safetensors");
static VOCABULARY: &str = include_str!("../../models/minilm/vocab.txt");

/// Length of its vectors.
pub const DIMENSION: usize = 384;
/// The model's published name.
pub const NAME: &str = "all-MiniLM-L6-v2";
/// Most tokens of a text, the marks at both ends included: as many as the model was trained on.
const LENGTH: usize = 256;

/// The model, ready to run.
pub struct MiniLm {
    tokenizer: Tokenizer,
    encoder: Encoder,
}

impl MiniLm {
    /// The model that ships with the program, read at the first call.
    pub fn shared() -> Result<&'static MiniLm, ModelError> {
        static SHARED: OnceLock<Result<MiniLm, ModelError>> = OnceLock::new();
        let made = SHARED.get_or_init(|| {
            Ok(MiniLm {
                tokenizer: Tokenizer::new(VOCABULARY),
                encoder: Encoder::read(WEIGHTS)?,
            })
        });
        made.as_ref().map_err(ModelError::clone)
    }

    /// The vector of the text, of length 1.
    pub fn embed(&self, text: &str) -> Vec<f32> {
        let ids = self.tokenizer.encode(text, LENGTH);
        self.encoder.embed(&ids)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct Golden {
        text: String,
        ids: Vec<u32>,
        vector: Vec<f32>,
    }

    fn golden() -> Vec<Golden> {
        serde_json::from_str(include_str!("../../models/minilm/golden.json")).unwrap()
    }

    #[test]
    fn tokens_are_those_of_the_reference() {
        let model = MiniLm::shared().unwrap();
        for case in golden() {
            let ids = model.tokenizer.encode(&case.text, LENGTH);
            assert_eq!(ids, case.ids, "{:?}", case.text);
        }
    }

    #[test]
    fn vectors_are_those_of_the_reference() {
        let model = MiniLm::shared().unwrap();
        let mut cosines = Vec::new();
        for case in golden() {
            let vector = model.embed(&case.text);
            let cosine: f32 = vector.iter().zip(&case.vector).map(|(a, b)| a * b).sum();
            // Rounding affects texts of one or two tokens, and those with only unknown tokens, the most.
            let least = if case.ids.len() > 10 { 0.998 } else { 0.996 };
            assert!(cosine > least, "{cosine} {:?}", case.text);
            cosines.push(cosine);
            let length: f32 = vector.iter().map(|v| v * v).sum();
            assert!((length - 1.0).abs() < 1e-4);
        }
        let mean = cosines.iter().sum::<f32>() / cosines.len() as f32;
        assert!(mean > 0.999, "{mean}");
    }

    #[test]
    fn long_texts_are_cut() {
        let model = MiniLm::shared().unwrap();
        let long = "word ".repeat(10_000);
        assert_eq!(model.tokenizer.encode(&long, LENGTH).len(), LENGTH);
        let huge = "a".repeat(1 << 20);
        assert_eq!(model.tokenizer.encode(&huge, LENGTH).len(), 3);
    }
}
