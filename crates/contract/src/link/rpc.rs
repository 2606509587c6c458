//! Remote procedures: the procedure of a contract that an endpoint provides or uses.

use super::confidence::signature_similarity;
use super::names::plain;
use super::surface::{OpRef, RepoSurface};
use crate::{Contract, ContractType, Endpoint, Fuel, Operation, Protocol, Role};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// The operations of all contracts, by their names.
pub(super) struct Operations<'r> {
    repos: &'r [RepoSurface],
    fuel: &'r Fuel,
    /// Procedures and root fields by their names without case. Copies of one contract count once for each repository.
    by_name: FxHashMap<String, Vec<OpRef>>,
    /// Procedures by their name and their service's name, without case.
    by_service: FxHashMap<(String, String), Vec<OpRef>>,
    /// Procedures by their name and the usual name of their service's clients.
    by_stem: FxHashMap<(String, String), Vec<OpRef>>,
    /// Operations by service and name, as the contract writes them.
    by_full_name: FxHashMap<String, Vec<OpRef>>,
}

/// The most procedures of one name whose parameter types are compared.
const MOST_COMPARED: usize = 64;

impl<'r> Operations<'r> {
    pub(super) fn new(repos: &'r [RepoSurface], fuel: &'r Fuel) -> Operations<'r> {
        let mut operations = Operations {
            repos,
            fuel,
            by_name: FxHashMap::default(),
            by_service: FxHashMap::default(),
            by_stem: FxHashMap::default(),
            by_full_name: FxHashMap::default(),
        };
        let mut seen: FxHashMap<(usize, Option<&str>, String), ()> = FxHashMap::default();
        for (repo, surface) in repos.iter().enumerate() {
            for (contract, one) in surface.contracts.iter().enumerate() {
                for (operation, op) in one.operations.iter().enumerate() {
                    if !fuel.spend_on_text(8 * op.name.len()) {
                        return operations;
                    }
                    let key = (repo, one.package.as_deref(), op.qualified_name());
                    let at = OpRef {
                        repo,
                        contract,
                        operation,
                    };
                    if seen.insert(key, ()).is_none() {
                        operations.add(at);
                    }
                }
            }
        }
        operations
    }

    fn add(&mut self, at: OpRef) {
        let (op, kind) = (self.operation(at), self.contract(at).contract_type);
        let name = plain(&op.name);
        if let (ContractType::Proto, Some(service)) = (kind, &op.service) {
            let key = (name.clone(), plain(service));
            self.by_service.entry(key).or_default().push(at);
            let key = (name.clone(), stem(service));
            self.by_stem.entry(key).or_default().push(at);
        }
        let full_name = op.qualified_name();
        self.by_full_name.entry(full_name).or_default().push(at);
        self.by_name.entry(name).or_default().push(at);
    }

    /// The operations with the same service and name: copies in other packages and repositories.
    pub(super) fn copies(&self, of: OpRef) -> &[OpRef] {
        let full_name = self.operation(of).qualified_name();
        self.by_full_name.get(&full_name).map_or(&[], |v| v)
    }

    pub(super) fn contract(&self, at: OpRef) -> &'r Contract {
        &self.repos[at.repo].contracts[at.contract]
    }

    pub(super) fn operation(&self, at: OpRef) -> &'r Operation {
        &self.contract(at).operations[at.operation]
    }

    /// All operations, each once.
    pub(super) fn all(&self) -> Vec<OpRef> {
        let mut all: Vec<OpRef> = self.by_name.values().flatten().copied().collect();
        all.sort_unstable();
        all
    }

    /// Operations with a name.
    pub(super) fn named(&self, name: &str) -> &[OpRef] {
        self.by_name.get(&plain(name)).map_or(&[], |v| v)
    }

    /// The procedures that an endpoint may belong to.
    pub(super) fn of_endpoint(&self, endpoint: &Endpoint) -> Cow<'_, [OpRef]> {
        match &endpoint.protocol {
            Protocol::Rpc {
                service,
                method,
                certain,
                by_texts,
            } => self.procedures(endpoint, service.as_deref(), method, *certain || *by_texts),
            Protocol::GraphQl { root, field } => {
                let of_graphql = |at: &&OpRef| {
                    let op = self.operation(**at);
                    self.contract(**at).contract_type == ContractType::GraphQl
                        && op.name == *field
                        && (root.is_empty() || op.service.as_deref() == Some(root))
                };
                let named = self.named(field);
                self.fuel.spend(named.len());
                named.iter().filter(of_graphql).copied().collect()
            }
            _ => Cow::Borrowed(&[]),
        }
    }

    fn procedures(
        &self,
        endpoint: &Endpoint,
        service: Option<&str>,
        method: &str,
        certain: bool,
    ) -> Cow<'_, [OpRef]> {
        let name = plain(method);
        if let Some(wanted) = service {
            let of_service = if certain {
                self.by_service.get(&(name, plain(wanted)))
            } else {
                let stem = stem(wanted);
                let is_long = stem.len() >= 2;
                self.by_stem.get(&(name, stem)).filter(|_| is_long)
            };
            if let Some(found) = of_service {
                return Cow::Borrowed(found);
            }
        }
        if certain || endpoint.role != Role::Provider {
            return Cow::Borrowed(&[]);
        }
        // The service is not known: the types of the parameters must match.
        let named = self.named(method).iter().copied();
        let named = named.take_while(|_| self.fuel.spend(1));
        let procedures = named.filter(|at| self.contract(*at).contract_type == ContractType::Proto);
        let typed = |at: &OpRef| self.has_type_of(endpoint, *at);
        procedures.take(MOST_COMPARED).filter(typed).collect()
    }

    /// Whether a parameter of an endpoint has the type that a procedure takes.
    pub(super) fn has_type_of(&self, endpoint: &Endpoint, at: OpRef) -> bool {
        let op = self.operation(at);
        let Some(parameters) = &endpoint.place.parameters else {
            return false;
        };
        let same = |one: &String| {
            self.fuel.spend_on_text(one.len());
            let one = std::slice::from_ref(one);
            signature_similarity(Some(one), Some(&op.inputs)) >= 1.0
        };
        endpoint.role == Role::Provider && parameters.iter().any(same)
    }
}

/// The stem of the name of a client or a service: `cart` for `cartClient` and `CartService`.
fn stem(name: &str) -> String {
    let mut name = plain(name.rsplit('.').next().unwrap_or(name));
    for end in [
        "client", "stub", "service", "svc", "servicer", "grpc", "api", "blocking",
    ] {
        if let Some(rest) = name.strip_suffix(end)
            && !rest.is_empty()
        {
            name = rest.to_owned();
        }
    }
    for end in ["client", "stub", "service", "svc", "blocking"] {
        if let Some(rest) = name.strip_suffix(end)
            && !rest.is_empty()
        {
            name = rest.to_owned();
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clients_are_called_after_their_service() {
        for (client, service) in [
            ("memoServiceClient", "MemoService"),
            ("this.cartClient", "CartService"),
            ("product_catalog_stub", "ProductCatalogService"),
            ("emailService", "EmailService"),
        ] {
            assert_eq!(stem(client), stem(service), "{client}");
        }
        assert_ne!(stem("client"), stem("MemoService"));
        assert_ne!(stem("userClient"), stem("MemoService"));
    }
}
