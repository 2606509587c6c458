//! Contracts, routes, requests, stubs and topics of small repositories, and the links between them.

mod bounds;
mod fixture;
mod frameworks;
mod growth;
mod links;
mod read;
