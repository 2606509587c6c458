//! Solution memory: solved problems of all projects, found again by meaning and by the words of an error. It is one SQLite
//! database with the tables of the original design. Its vectors come from a built-in model, and are kept in the store or at a
//! Chroma server.
//!
//! Never knows: environment variables, terminals, JSON-RPC, sockets, the code graph. HTTP comes in through [`Http`].

mod embed;
mod error;
mod glossary;
mod memory;
mod private;
pub mod project;
mod record;
mod search;
mod store;
mod tags;
mod vectors;
mod words;

pub use embed::{BuiltIn, EmbedError, Embedder};
pub use error::{Kind, Result, SolutionError};
pub use memory::{
    Backend, CatchUpReport, EmbedderFactory, Export, Imported, Memory, ModelChoice, ModelInUse,
    Options,
};
pub use record::{
    ALPHA, Category, Fusion, GetRequest, ListTagsAnswer, ListTagsRequest, MOST_RESULTS, SaveAnswer,
    SaveRequest, SearchAnswer, SearchMode, SearchRequest, Similar, Solution, SolutionHit, Stats,
    Tag, UpdateRequest, Used, Version,
};
pub use search::Tuning;
pub use vectors::chroma::{Http, HttpError};
