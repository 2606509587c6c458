//! Storage and search of vectors: in the store, or at a Chroma server.

pub(crate) mod chroma;
mod loaded;

pub(crate) use loaded::VectorCache;
