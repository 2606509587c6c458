//! What is linked.

use crate::{Contract, Endpoint, Protocol, SymbolLocation};
use serde::{Deserialize, Serialize};

/// What a repository provides and uses.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RepoSurface {
    /// Its name.
    pub name: String,
    /// Its contracts.
    pub contracts: Vec<Contract>,
    /// Its places of code that provide or use something.
    pub endpoints: Vec<Endpoint>,
    /// Names of the packages that it publishes.
    pub packages: Vec<String>,
    /// What its files import of packages that are not its own.
    pub imports: Vec<PackageImport>,
    /// Symbols of which nothing but the name is known: those put in by hand. They are compared with contracts by name.
    pub named: Vec<SymbolLocation>,
}

impl RepoSurface {
    /// Bytes of what it holds, about.
    pub(super) fn size(&self) -> usize {
        let endpoints = self.endpoints.iter().map(|one| {
            let length = match &one.protocol {
                Protocol::Http { path, .. } => path.len(),
                Protocol::Rpc { method, .. } => method.len(),
                Protocol::GraphQl { field, .. } => field.len(),
                Protocol::Topic { name, .. } => name.len(),
            };
            64 + length + one.place.id.len()
        });
        let imports = self.imports.iter();
        let imports = imports.map(|one| one.package.len() + 16 * one.names.len());
        let contracts = self.contracts.iter().map(Contract::size);
        let named = self.named.iter().map(|one| one.symbol.len());
        endpoints.chain(imports).chain(contracts).chain(named).sum()
    }
}

/// An import of a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackageImport {
    /// The package.
    pub package: String,
    /// What of it.
    pub names: Vec<String>,
    /// The file and the line.
    pub place: SymbolLocation,
}

/// An endpoint: repository and number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct EndpointRef {
    pub(super) repo: usize,
    pub(super) endpoint: usize,
}

/// Where an operation stands: repository, contract, operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct OpRef {
    pub(super) repo: usize,
    pub(super) contract: usize,
    pub(super) operation: usize,
}
