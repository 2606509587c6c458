//! Vectors of texts: the two models that the program contains, the quantised form of vectors, and the loops over them.
//!
//! Never knows: ranking, indexes, other providers, files on disk, the environment.

mod code;
mod kernels;
mod minilm;
mod quant;
mod tensors;

pub use code::{CodeModel, EmbedDoc};
pub use kernels::moments;
pub use minilm::{DIMENSION as MINILM_DIMENSION, MiniLm, NAME as MINILM_NAME};
pub use quant::{QuantVec, QueryVec, dot_products};

/// Why a built-in model cannot be used: its data are damaged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("built-in model: {0}")]
pub struct ModelError(String);
