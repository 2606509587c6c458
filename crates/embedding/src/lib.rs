//! Vectors of texts: the two models that ship with the program, the quantised form of vectors, and the loops over them.
//!
//! Never knows: ranking, indexes, providers of others, files on disk, the environment.

mod code;
mod kernels;
mod minilm;
mod quant;
mod tensors;

pub use code::{CodeModel, EmbedDoc};
pub use kernels::moments;
pub use minilm::{DIMENSION as MINILM_DIMENSION, MiniLm, NAME as MINILM_NAME};
pub use quant::{QuantVec, QueryVec, dot_products};

/// Why a model that ships cannot be used: its data are damaged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("built-in model: {0}")]
pub struct ModelError(String);
