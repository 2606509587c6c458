//! The input of linking: the surfaces of repositories.

use crate::{Contract, Endpoint, Protocol, SymbolLocation};
use serde::{Deserialize, Serialize};

/// The surface of a repository: what it provides and uses.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RepoSurface {
    /// Its name.
    pub name: String,
    /// Its contracts.
    pub contracts: Vec<Contract>,
    /// Places of its code that provide or use something.
    pub endpoints: Vec<Endpoint>,
    /// Names of the packages that it publishes.
    pub packages: Vec<String>,
    /// Imports from packages that are not its own.
    pub imports: Vec<PackageImport>,
    /// Symbols known by name alone, added by hand. They are compared with contracts by name.
    pub named: Vec<SymbolLocation>,
}

impl RepoSurface {
    /// The approximate bytes of its content.
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
    /// The imported names.
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

/// The place of an operation: repository, contract, operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct OpRef {
    pub(super) repo: usize,
    pub(super) contract: usize,
    pub(super) operation: usize,
}
