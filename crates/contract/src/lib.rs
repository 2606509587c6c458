//! What programs promise each other, and which code keeps or uses a promise: contracts (Protocol Buffers, OpenAPI, GraphQL,
//! types of TypeScript), routes and requests, stubs, topics; and the links between those that use and those that provide.
//!
//! Never knows: files on disk, the store, the graph, configuration.

pub mod code;
pub mod link;
mod model;
pub mod path;
pub mod read;

pub use model::{
    Contract, ContractType, DeclaredType, Endpoint, GraphQlUse, HttpRoute, Operation, Problem,
    Protocol, Role, SymbolLocation,
};
