//! Contracts between programs, and the code that provides or uses them. Reads contracts (Protocol Buffers, OpenAPI, GraphQL,
//! types of TypeScript), finds routes, requests, stubs and topics in code, and links consumers with providers.
//!
//! Never knows: files on disk, the store, the graph, configuration.

pub mod code;
mod fuel;
pub mod link;
mod model;
pub mod path;
pub mod read;

pub use fuel::Fuel;
pub use model::{
    Contract, ContractType, DeclaredType, Endpoint, GraphQlUse, HttpRoute, Operation, Problem,
    Protocol, Role, SymbolLocation,
};
