//! Links between consumers and providers, with a confidence and its evidence.
//!
//! Confidence = 0.6 · name + 0.3 · signature + 0.1 · contract.

mod confidence;
mod http;
mod index;
pub(crate) mod names;
mod rpc;
mod run;
mod surface;

pub use confidence::{Confidence, HIGH, LEAST, NameMatch, signature_similarity};
pub use names::name_similarity;
pub use run::{
    FoundLinks, Link, LinkEnd, LinkOptions, link_repositories, link_repositories_within,
};
pub use surface::{PackageImport, RepoSurface};
