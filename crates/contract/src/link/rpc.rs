//! Remote procedures: which procedure of which contract a place of code provides or uses.

use super::confidence::signature_similarity;
use super::names::plain;
use super::surface::{OpRef, RepoSurface};
use crate::{Contract, ContractType, Endpoint, Operation, Protocol, Role};
use rustc_hash::FxHashMap;

/// The operations of all contracts, by what they are called.
pub(super) struct Operations<'r> {
    repos: &'r [RepoSurface],
    /// Of procedures and root fields: by their names without case. Copies of one contract count once for a repository.
    by_name: FxHashMap<String, Vec<OpRef>>,
}

impl<'r> Operations<'r> {
    pub(super) fn new(repos: &'r [RepoSurface]) -> Operations<'r> {
        let mut by_name: FxHashMap<String, Vec<OpRef>> = FxHashMap::default();
        let mut seen: FxHashMap<(usize, Option<&str>, String), ()> = FxHashMap::default();
        for (repo, surface) in repos.iter().enumerate() {
            for (contract, one) in surface.contracts.iter().enumerate() {
                for (operation, op) in one.operations.iter().enumerate() {
                    let key = (repo, one.package.as_deref(), op.qualified_name());
                    if seen.insert(key, ()).is_none() {
                        by_name.entry(plain(&op.name)).or_default().push(OpRef {
                            repo,
                            contract,
                            operation,
                        });
                    }
                }
            }
        }
        Operations { repos, by_name }
    }

    pub(super) fn contract(&self, at: OpRef) -> &'r Contract {
        &self.repos[at.repo].contracts[at.contract]
    }

    pub(super) fn operation(&self, at: OpRef) -> &'r Operation {
        &self.contract(at).operations[at.operation]
    }

    /// Every operation once.
    pub(super) fn all(&self) -> Vec<OpRef> {
        let mut all: Vec<OpRef> = self.by_name.values().flatten().copied().collect();
        all.sort_unstable();
        all
    }

    /// Operations of a name.
    pub(super) fn named(&self, name: &str) -> &[OpRef] {
        self.by_name.get(&plain(name)).map_or(&[], |v| v)
    }

    /// The procedures that an endpoint may be of.
    pub(super) fn of_endpoint(&self, endpoint: &Endpoint) -> Vec<OpRef> {
        match &endpoint.protocol {
            Protocol::Rpc {
                service,
                method,
                certain,
            } => self.procedures(endpoint, service.as_deref(), method, *certain),
            Protocol::GraphQl { root, field } => {
                let of_graphql = |at: &&OpRef| {
                    let op = self.operation(**at);
                    self.contract(**at).contract_type == ContractType::GraphQl
                        && op.name == *field
                        && (root.is_empty() || op.service.as_deref() == Some(root))
                };
                self.named(field)
                    .iter()
                    .filter(of_graphql)
                    .copied()
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    fn procedures(
        &self,
        endpoint: &Endpoint,
        service: Option<&str>,
        method: &str,
        certain: bool,
    ) -> Vec<OpRef> {
        let named = self.named(method).iter().copied();
        let procedures: Vec<OpRef> = named
            .filter(|at| self.contract(*at).contract_type == ContractType::Proto)
            .collect();
        let fits = |at: &OpRef| {
            let op = self.operation(*at);
            let (Some(wanted), Some(found)) = (service, op.service.as_deref()) else {
                return false;
            };
            if certain {
                plain(wanted) == plain(found)
            } else {
                is_called_like(wanted, found)
            }
        };
        let of_service: Vec<OpRef> = procedures.iter().copied().filter(fits).collect();
        if certain || !of_service.is_empty() {
            return of_service;
        }
        // Nothing says the service: the types of the parameters must.
        let typed = |at: &OpRef| self.has_type_of(endpoint, *at);
        procedures.into_iter().filter(typed).collect()
    }

    /// Whether a parameter of a place has the type that a procedure takes.
    pub(super) fn has_type_of(&self, endpoint: &Endpoint, at: OpRef) -> bool {
        let op = self.operation(at);
        let Some(parameters) = &endpoint.place.parameters else {
            return false;
        };
        let same = |one: &String| {
            let one = std::slice::from_ref(one);
            signature_similarity(Some(one), Some(&op.inputs)) >= 1.0
        };
        endpoint.role == Role::Provider && parameters.iter().any(same)
    }
}

/// Whether a client's name is that of a service: `cartClient` of `CartService`.
fn is_called_like(client: &str, service: &str) -> bool {
    let stem = |name: &str| {
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
    };
    let (client, service) = (stem(client), stem(service));
    client.len() >= 2 && client == service
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
            assert!(is_called_like(client, service), "{client}");
        }
        assert!(!is_called_like("client", "MemoService"));
        assert!(!is_called_like("userClient", "MemoService"));
    }
}
