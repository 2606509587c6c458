//! An embedder for tests: a word's vector is a fixed pattern of its hash.

use super::{EmbedDoc, EmbedError, Embedder, ProviderFailure, QuantVec};

/// Bags of hashed words. Texts that share words are near each other; nothing else is known.
#[derive(Debug, Clone, Default)]
pub struct MockEmbedder {
    /// Every call fails, as with a provider that is down.
    pub down: bool,
}

const DIMENSIONS: usize = 64;

impl MockEmbedder {
    fn hashed_words_vector(&self, text: &str) -> Result<Vec<f32>, EmbedError> {
        if self.down {
            return Err(EmbedError::Provider {
                model: self.model().to_owned(),
                failure: ProviderFailure::Other("down".to_owned()),
            });
        }
        let mut sum = vec![0f32; DIMENSIONS];
        for word in text
            .split(|c: char| !c.is_alphanumeric())
            .filter(|w| !w.is_empty())
        {
            let hash = blake3::hash(word.to_lowercase().as_bytes());
            for (value, byte) in sum.iter_mut().zip(hash.as_bytes().iter().cycle()) {
                *value += f32::from(*byte) - 127.5;
            }
        }
        let norm = sum.iter().map(|v| v * v).sum::<f32>().sqrt();
        if norm > 0.0 {
            sum.iter_mut().for_each(|v| *v /= norm);
        }
        Ok(sum)
    }
}

impl Embedder for MockEmbedder {
    fn model(&self) -> &str {
        "mock-64"
    }

    fn dimensions(&self) -> usize {
        DIMENSIONS
    }

    fn embed_documents(&self, documents: &[EmbedDoc<'_>]) -> Result<Vec<QuantVec>, EmbedError> {
        documents
            .iter()
            .map(|d| {
                Ok(QuantVec::new(
                    &self.hashed_words_vector(&format!("{} {}", d.names, d.code))?,
                ))
            })
            .collect()
    }

    fn embed_query(&self, text: &str) -> Result<Option<Vec<f32>>, EmbedError> {
        let vector = self.hashed_words_vector(text)?;
        Ok(vector.iter().any(|v| *v != 0.0).then_some(vector))
    }
}
