//! Requests and the routes that answer them.

use super::confidence::{Confidence, NameMatch};
use super::index::{PathMatch, RouteIndex, Services};
use super::surface::{EndpointRef, OpRef, RepoSurface};
use crate::path::Template;
use crate::{ContractType, Endpoint, Fuel, Protocol, Role};
use rustc_hash::{FxHashMap, FxHashSet};
use std::net::Ipv6Addr;
use std::sync::LazyLock;
use text::list::{self, WordList};

/// The most operations with one method and path, over several contracts.
const MOST_COPIES: usize = 64;

/// Routes of code and of contracts.
pub(super) struct Routes<'r> {
    repos: &'r [RepoSurface],
    index: RouteIndex,
    /// For each route of code, its method and its endpoint.
    providers: Vec<(&'r str, EndpointRef)>,
    contract_index: RouteIndex,
    /// For each route of a contract, its method and its operation.
    operations: Vec<(&'r str, OpRef)>,
    /// Operations with the same method and path, over all contracts.
    exact: FxHashMap<(String, String), Vec<OpRef>>,
    /// Routes that tests declare for themselves: file and path.
    of_tests: FxHashSet<(&'r str, String)>,
    fuel: &'r Fuel,
}

/// A result for a request or a route.
pub(super) struct PathMatched<T> {
    pub(super) what: T,
    pub(super) how: PathMatch,
    /// Whether both sides name the same method.
    pub(super) method: bool,
}

impl<'r> Routes<'r> {
    pub(super) fn new(repos: &'r [RepoSurface], fuel: &'r Fuel) -> Routes<'r> {
        let mut routes = Routes {
            repos,
            index: RouteIndex::new(),
            providers: Vec::new(),
            contract_index: RouteIndex::new(),
            operations: Vec::new(),
            exact: FxHashMap::default(),
            of_tests: FxHashSet::default(),
            fuel,
        };
        for (repo, surface) in repos.iter().enumerate() {
            for (endpoint, one) in surface.endpoints.iter().enumerate() {
                let Protocol::Http { method, path, .. } = &one.protocol else {
                    continue;
                };
                if one.role != Role::Provider {
                    continue;
                }
                if !fuel.spend_on_text(4 * path.len()) {
                    break;
                }
                if one.place.test {
                    let path = template(one).to_text();
                    routes.of_tests.insert((&one.file_path, path));
                } else {
                    routes.index.insert(&template(one), &one.file_path, fuel);
                    routes
                        .providers
                        .push((method, EndpointRef { repo, endpoint }));
                }
            }
            routes.add_contracts(repo, surface);
        }
        routes
    }

    fn add_contracts(&mut self, repo: usize, surface: &'r RepoSurface) {
        for (contract, one) in surface.contracts.iter().enumerate() {
            for (operation, op) in one.operations.iter().enumerate() {
                for route in &op.http {
                    if !self.fuel.spend_on_text(4 * route.path.len()) {
                        return;
                    }
                    let at = OpRef {
                        repo,
                        contract,
                        operation,
                    };
                    let path = Template::parse(&route.path);
                    let key = (route.method.clone(), path.to_text());
                    self.exact.entry(key).or_default().push(at);
                    self.contract_index.insert(&path, "", self.fuel);
                    self.operations.push((&route.method, at));
                }
            }
        }
    }

    pub(super) fn endpoint(&self, at: EndpointRef) -> &'r Endpoint {
        &self.repos[at.repo].endpoints[at.endpoint]
    }

    /// Whether a test declares the path of its request itself: it then calls a server of its own.
    pub(super) fn is_own_of_test(&self, request: &Endpoint, path: &Template) -> bool {
        let key = (request.file_path.as_str(), path.to_text());
        request.place.test && self.of_tests.contains(&key)
    }

    /// The routes of code that answer a request.
    pub(super) fn providers_of(
        &self,
        method: &str,
        path: &Template,
    ) -> Vec<PathMatched<EndpointRef>> {
        best_of(&self.index, &self.providers, (method, path), self.fuel)
    }

    /// The operations of contracts that a request matches.
    pub(super) fn operations_of(&self, method: &str, path: &Template) -> Vec<PathMatched<OpRef>> {
        best_of(
            &self.contract_index,
            &self.operations,
            (method, path),
            self.fuel,
        )
    }

    /// Possible names of a route's service.
    pub(super) fn services(&self, route: &Endpoint) -> Option<&Services> {
        self.index.services_of_file(&route.file_path)
    }

    /// The operations with the method and path of a route of code.
    pub(super) fn contracts_of(&self, method: &str, path: &Template) -> Vec<OpRef> {
        if path.open_prefix {
            let found = self.operations_of(method, path);
            return found.into_iter().map(|f| f.what).collect();
        }
        let key = (method.to_owned(), path.to_text());
        let all = self.exact.get(&key).map_or(&[][..], |all| all);
        all[..all.len().min(MOST_COPIES)].to_vec()
    }
}

/// The routes of a path with the method, else those that take any method.
fn best_of<T: Copy>(
    index: &RouteIndex,
    routes: &[(&str, T)],
    (method, path): (&str, &Template),
    fuel: &Fuel,
) -> Vec<PathMatched<T>> {
    let wanted = |number: u32| {
        let known = routes[number as usize].0;
        known.is_empty() || method.is_empty() || known == method
    };
    let found = index.find_by(path, &wanted, fuel);
    let all = found.into_iter().map(|(number, how)| {
        let (known, what) = routes[number as usize];
        PathMatched {
            what,
            how,
            method: !known.is_empty() && known == method,
        }
    });
    let mut all: Vec<PathMatched<T>> = all.collect();
    if all.iter().any(|f| f.method) {
        all.retain(|f| f.method);
    }
    all
}

/// The template of an endpoint.
pub(super) fn template(endpoint: &Endpoint) -> Template {
    let Protocol::Http {
        path,
        host,
        open_prefix,
        ..
    } = &endpoint.protocol
    else {
        return Template::default();
    };
    let mut read = Template::parse(path);
    read.host = host.clone().or(read.host);
    read.open_prefix |= open_prefix;
    read
}

/// The confidence of a link over HTTP. The path takes the place of the name, and the method that of the signature.
pub(super) fn http_confidence(how: PathMatch, method: bool, contract: ContractType) -> Confidence {
    let name = match how {
        PathMatch::Same => NameMatch::Exact,
        PathMatch::Value | PathMatch::End | PathMatch::EndValue => NameMatch::Prefix,
        PathMatch::Rest => NameMatch::Fuzzy,
    };
    let signature = if method { 1.0 } else { 0.6 };
    Confidence::new(name, signature, contract)
}

/// Whether a host belongs to somebody else, so that no repository here can be it. `names` are those of the repositories.
pub(super) fn is_foreign_host(host: &str, names: &FxHashSet<&str>) -> bool {
    if let Some(address) = host.strip_prefix('[') {
        let address = address.split(']').next().unwrap_or(address);
        return address.parse().is_ok_and(is_public);
    }
    let host = host.split(':').next().unwrap_or(host);
    // The part after an unknown one tells the owner of a host: `{region}.stripe.com`.
    let host = match host.rfind('}') {
        Some(end) => match host[end + 1..].strip_prefix('.') {
            Some(known) if known.contains('.') => known,
            _ => return false,
        },
        None if host.contains('{') => return false,
        None => host,
    };
    let local = [
        "localhost",
        "127.0.0.1",
        "0.0.0.0",
        "host.docker.internal",
        "example.com",
    ];
    if !host.contains('.') || local.contains(&host) {
        return false;
    }
    let ends = [
        ".local",
        ".internal",
        ".svc",
        ".test",
        ".localhost",
        ".example.com",
    ];
    if ends.iter().any(|end| host.ends_with(end)) {
        return false;
    }
    // A single repository has no name here; a host may end with a dot.
    let is_ours =
        |label: &str| !label.is_empty() && names.contains(label) && !USUAL_LABELS.contains(&label);
    !host.split('.').any(is_ours) && !host.split(['.', '-']).any(is_ours)
}

/// Whether an address is a public one.
fn is_public(address: Ipv6Addr) -> bool {
    !(address.is_loopback()
        || address.is_unspecified()
        || address.is_unique_local()
        || address.is_unicast_link_local())
}

/// Usual names in every company's hosts: they do not tell the owner.
static USUAL_LABELS: WordList =
    LazyLock::new(|| list::words(include_str!("usual_labels.txt")).collect());

#[cfg(test)]
mod tests {
    use super::*;

    fn is_foreign(host: &str, names: &[&str]) -> bool {
        is_foreign_host(host, &names.iter().copied().collect())
    }

    #[test]
    fn hosts_of_others_are_told_from_those_of_services() {
        for host in ["api.stripe.com.", "a--b.com", "localhost.evil.com"] {
            assert!(is_foreign(host, &[""]), "{host}");
        }
        for host in ["api.github.com", "www.googleapis.com:443"] {
            assert!(is_foreign(host, &["cart", "api", "www"]), "{host}");
        }
        for host in [
            "{env}.stripe.com",
            "[2001:db8::1]:443",
            "{a}.{b}.github.com",
        ] {
            assert!(is_foreign(host, &["cart"]), "{host}");
        }
        for host in [
            "[::1]:8080",
            "{host}.local",
            "{name}.example.com",
            "{env}.cart.shop.io",
            "{host}:{port}",
            "localhost:3000",
            "cart:8080",
            "{host}",
            "cart.default.svc",
            "cart.shop.io",
            "127.0.0.1",
        ] {
            assert!(!is_foreign(host, &["cart"]), "{host}");
        }
    }
}
