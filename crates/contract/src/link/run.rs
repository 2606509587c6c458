//! Builds the links.

use super::confidence::{Confidence, LEAST, NameMatch, signature_similarity};
use super::http::{PathMatched, Routes, http_confidence, is_foreign_host, template};
use super::index::{PathMatch, service_name};
use super::names::name_similarity;
use super::rpc::Operations;
use super::surface::{EndpointRef, OpRef, PackageImport, RepoSurface};
use crate::path::Template;
use crate::{
    Contract, ContractType, DeclaredType, Endpoint, Fuel, Operation, Protocol, Role, SymbolLocation,
};
use base::Cancel;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One end of a link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkEnd {
    /// The repository.
    pub repo: String,
    /// The definition; or the operation of a contract if no code is known.
    pub place: SymbolLocation,
    /// Whether it is the operation of a contract, not code.
    pub is_contract: bool,
}

/// A link.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// The consumer.
    pub source: LinkEnd,
    /// The provider.
    pub target: LinkEnd,
    /// `VIRTUAL_CALLS` or `VIRTUAL_IMPORTS`.
    pub edge_type: String,
    /// The kind of contract, or the protocol.
    pub contract_type: ContractType,
    /// The requested operation: `POST /users`, `UserService.GetUser`.
    pub what: String,
    /// The file and line of the call.
    pub at: (String, u32),
    /// The confidence.
    pub confidence: Confidence,
    /// The reasons, in words.
    pub evidence: Vec<String>,
}

/// Options of linking.
#[derive(Debug, Clone)]
pub struct LinkOptions {
    /// The least confidence of links.
    pub min_confidence: f64,
    /// Cancels: further links are left out.
    pub cancel: Cancel,
}

impl Default for LinkOptions {
    fn default() -> LinkOptions {
        LinkOptions {
            min_confidence: LEAST,
            cancel: Cancel::default(),
        }
    }
}

/// The most ends of one operation or topic that are linked with each other.
const MOST_ENDS: usize = 2_000;
/// The most pairs of ends that are linked in all. Real systems have some thousands.
const MOST_LINKED: usize = 30_000;
/// The most pairs of names that are compared by letters.
const MOST_PAIRS: usize = 2_000_000;

/// The pairs of letters that are compared in one step.
const PER_COMPARISON: usize = 2_048;

/// The result of linking.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundLinks {
    /// The links, in order of source and target.
    pub links: Vec<Link>,
    /// Whether some were left out because of too many pairs of ends.
    pub is_cut: bool,
}

/// Links consumers with providers, within one repository as well. Each pair of ends occurs once for an operation, with its
/// best confidence.
pub fn link_repositories(repos: &[RepoSurface], options: &LinkOptions) -> FoundLinks {
    let fuel = Fuel::new(&options.cancel);
    fuel.add_input(repos.iter().map(RepoSurface::size).sum());
    link_repositories_within(repos, options, &fuel)
}

/// Like [`link_repositories`], with the fuel that finding the ends has left.
pub fn link_repositories_within<'r>(
    repos: &'r [RepoSurface],
    options: &LinkOptions,
    fuel: &'r Fuel,
) -> FoundLinks {
    let mut linker = Linker {
        repos,
        routes: Routes::new(repos, fuel),
        operations: Operations::new(repos, fuel),
        least: options.min_confidence,
        fuel,
        found: BTreeMap::new(),
        left: MOST_LINKED,
        is_cut: false,
    };
    let providers = linker.providers_of_operations();
    linker.link_requests(&providers);
    linker.link_procedures(&providers);
    linker.link_topics();
    linker.link_packages();
    linker.link_names(&providers);
    FoundLinks {
        links: linker.found.into_values().collect(),
        is_cut: linker.is_cut || fuel.has_cut(),
    }
}

type LinkKey = (String, String, String, String, String, String);

struct Linker<'r> {
    repos: &'r [RepoSurface],
    routes: Routes<'r>,
    operations: Operations<'r>,
    least: f64,
    fuel: &'r Fuel,
    found: BTreeMap<LinkKey, Link>,
    /// The number of pairs of ends that may still be linked.
    left: usize,
    is_cut: bool,
}

/// The approximate bytes of an entry of [`Providers`].
const PER_PROVIDER: usize = 64;

/// The target of a link.
#[derive(Clone, Copy)]
enum Target {
    Code(EndpointRef),
    Operation(OpRef),
}

/// The code places that provide each operation.
type Providers = FxHashMap<OpRef, Vec<EndpointRef>>;

impl<'r> Linker<'r> {
    fn endpoints(&self) -> impl Iterator<Item = (EndpointRef, &'r Endpoint)> + use<'r> {
        let repos = self.repos.iter().enumerate();
        let all = repos.flat_map(|(repo, surface)| {
            let all = surface.endpoints.iter().enumerate();
            all.map(move |(endpoint, one)| (EndpointRef { repo, endpoint }, one))
        });
        let fuel = self.fuel;
        all.take_while(move |_| fuel.spend(1))
    }

    fn providers_of_operations(&self) -> Providers {
        let mut providers = Providers::default();
        for (at, endpoint) in self.endpoints() {
            if endpoint.role != Role::Provider || endpoint.place.test || endpoint.place.generated {
                continue;
            }
            let operations = match &endpoint.protocol {
                Protocol::Http { method, .. } => {
                    self.routes.contracts_of(method, &template(endpoint))
                }
                _ => self.operations.of_endpoint(endpoint).into_owned(),
            };
            for operation in operations {
                if !self.fuel.keep(PER_PROVIDER) {
                    break;
                }
                let ends = providers.entry(operation).or_default();
                if ends.len() < MOST_ENDS {
                    ends.push(at);
                }
            }
        }
        for ends in providers.values_mut() {
            ends.sort_unstable();
            ends.dedup();
            ends.truncate(MOST_ENDS);
        }
        providers
    }

    fn link_requests(&mut self, providers: &Providers) {
        let names: FxHashSet<&str> = self.repos.iter().map(|r| r.name.as_str()).collect();
        for (at, endpoint) in self.endpoints() {
            let Protocol::Http {
                method,
                path,
                host,
                host_unknown,
                ..
            } = &endpoint.protocol
            else {
                continue;
            };
            if endpoint.role != Role::Consumer {
                continue;
            }
            if host
                .as_deref()
                .is_some_and(|host| is_foreign_host(host, &names))
            {
                continue;
            }
            let length = endpoint.file_path.len() + host.as_ref().map_or(0, String::len);
            self.fuel
                .spend_on_text(4 * (path_length(endpoint) + length));
            let host = Host::new(host.as_deref().or_else(|| name_of_base(path)));
            let path = template(endpoint);
            let is_root = path.segments.is_empty() && !path.open_prefix;
            if path.literals() == 0 && !is_root || self.routes.is_own_of_test(endpoint, &path) {
                continue;
            }
            let what = format!("{} {}", shown_method(method), path.to_text());
            let found = self.routes.providers_of(method, &path);
            let mut found = self.closest(at.repo, &host, found);
            if endpoint.place.test {
                self.retain_own(&endpoint.file_path, &mut found);
            } else {
                self.retain_others(endpoint, &path, &host, &mut found);
            }
            // Every service has a root path.
            let is_of_one = |found: &[PathMatched<EndpointRef>]| match found {
                [only] => endpoint.place.test || self.is_named(&host, only.what),
                _ => false,
            };
            if is_root && !is_of_one(&found) {
                continue;
            }
            for one in &found {
                if !self.spend_pair() {
                    return;
                }
                let provider = self.routes.endpoint(one.what);
                let operations = self.contracts_of_route(provider);
                let contract = operations.first().map(|op| self.operations.contract(*op));
                let kind = contract.map_or(ContractType::Http, |c| c.contract_type);
                let mut confidence = http_confidence(one.how, one.method, kind);
                let mut evidence = vec![format!(
                    "{} requests {what}, {} declares {}",
                    endpoint.by,
                    provider.by,
                    describe_endpoint(provider)
                )];
                evidence.extend(operations.first().map(|op| self.describe(*op)));
                if *host_unknown && !self.is_named(&host, one.what) {
                    confidence = confidence.without_host();
                    evidence.push(UNKNOWN_HOST.to_owned());
                }
                let target = self.side(one.what);
                self.add((at, endpoint), target, (kind, &what), confidence, evidence);
            }
            if found.is_empty() {
                self.link_request_by_contract((at, endpoint), &path, &what, providers);
            }
        }
    }

    /// Of equal routes in several repositories, keeps those whose repository the host names, else those of the requesting
    /// repository. Of several services in a repository, keeps those whose folder the host names.
    fn closest(
        &self,
        repo: usize,
        host: &Host<'_>,
        mut found: Vec<PathMatched<EndpointRef>>,
    ) -> Vec<PathMatched<EndpointRef>> {
        let by_host = |one: &PathMatched<EndpointRef>| {
            let name = &self.repos[one.what.repo].name;
            host.labels.contains(name.as_str())
        };
        if found.iter().any(by_host) {
            found.retain(by_host);
        } else if found.iter().any(|f| f.what.repo == repo) {
            found.retain(|f| f.what.repo == repo);
        }
        let of_service = |one: &PathMatched<EndpointRef>| {
            self.names_service(host, self.routes.endpoint(one.what))
        };
        if found.iter().any(of_service) {
            found.retain(of_service);
        }
        found
    }

    /// Drops routes of the requesting file if there are others: a program calls other programs. A route that takes any word
    /// needs a host that names its service.
    fn retain_others(
        &self,
        request: &Endpoint,
        path: &Template,
        host: &Host<'_>,
        found: &mut Vec<PathMatched<EndpointRef>>,
    ) {
        found.retain(|one| {
            let route = self.routes.endpoint(one.what);
            let is_whole = matches!(one.how, PathMatch::Same | PathMatch::Value);
            self.fuel.spend_on_text(4 * path_length(route));
            let takes_any =
                is_whole && !path.segments.is_empty() && template(route).literals() == 0;
            !takes_any || self.names_service(host, route)
        });
        let is_other = |one: &PathMatched<EndpointRef>| {
            self.routes.endpoint(one.what).file_path != request.file_path
        };
        if found.iter().any(is_other) {
            found.retain(is_other);
        }
    }

    /// Keeps the routes that share most folders with a test: a test calls its own service.
    fn retain_own(&self, test: &str, found: &mut Vec<PathMatched<EndpointRef>>) {
        let shared = |one: &PathMatched<EndpointRef>| {
            let file = &self.routes.endpoint(one.what).file_path;
            self.fuel.spend_on_text(8 * file.len().min(test.len()));
            let (a, b) = (test.split('/'), file.split('/'));
            a.zip(b).take_while(|(a, b)| a == b).count()
        };
        let most = found.iter().map(shared).max().unwrap_or(0);
        found.retain(|one| shared(one) == most);
    }

    /// Whether a host names the service in whose folder a route is.
    fn names_service(&self, host: &Host<'_>, route: &Endpoint) -> bool {
        self.fuel.spend(host.services.len());
        let services = self.routes.services(route);
        services.is_some_and(|known| host.services.iter().any(|name| known.contains(name)))
    }

    /// Whether the host, or the name of the base address, names the repository or the service of a route.
    fn is_named(&self, host: &Host<'_>, at: EndpointRef) -> bool {
        let repository = service_name(&self.repos[at.repo].name);
        host.services.contains(&repository) || self.names_service(host, self.routes.endpoint(at))
    }

    fn contracts_of_route(&self, provider: &Endpoint) -> Vec<OpRef> {
        match &provider.protocol {
            Protocol::Http { method, .. } => self.routes.contracts_of(method, &template(provider)),
            _ => Vec::new(),
        }
    }

    /// Links a request to an operation of a contract, if no route of code answers it.
    fn link_request_by_contract(
        &mut self,
        (at, endpoint): (EndpointRef, &'r Endpoint),
        path: &Template,
        what: &str,
        providers: &Providers,
    ) {
        let Protocol::Http {
            method,
            host_unknown,
            ..
        } = &endpoint.protocol
        else {
            return;
        };
        let mut seen = FxHashSet::default();
        for one in self.routes.operations_of(method, path) {
            let kind = self.operations.contract(one.what).contract_type;
            let mut confidence = http_confidence(one.how, one.method, kind);
            let mut evidence = vec![
                format!("{} requests {what}", endpoint.by),
                self.describe(one.what),
            ];
            if *host_unknown {
                confidence = confidence.without_host();
                evidence.push(UNKNOWN_HOST.to_owned());
            }
            let ends = self.targets(one.what, providers);
            for target in ends {
                if !self.spend_pair() {
                    return;
                }
                let target = self.target_side(target);
                if seen.insert((target.repo.clone(), target.place.id.clone())) {
                    let evidence = evidence.clone();
                    self.add((at, endpoint), target, (kind, what), confidence, evidence);
                }
            }
        }
    }

    /// The code that provides an operation, else the operation itself.
    fn targets(&self, operation: OpRef, providers: &Providers) -> Vec<Target> {
        let ends: Vec<EndpointRef> = match providers.get(&operation) {
            Some(ends) => ends.clone(),
            None => {
                // The code may be made from another copy of the contract.
                let copies = self.operations.copies(operation).iter();
                let copies = copies.take_while(|_| self.fuel.spend(1));
                let ends = copies.filter_map(|copy| providers.get(copy)).flatten();
                ends.take(MOST_ENDS).copied().collect()
            }
        };
        self.fuel.spend(ends.len());
        if ends.is_empty() {
            vec![Target::Operation(operation)]
        } else {
            ends.into_iter().map(Target::Code).collect()
        }
    }

    fn target_side(&self, target: Target) -> LinkEnd {
        match target {
            Target::Code(at) => self.side(at),
            Target::Operation(at) => self.contract_side(at),
        }
    }

    fn link_procedures(&mut self, providers: &Providers) {
        for (at, endpoint) in self.endpoints() {
            if endpoint.role != Role::Consumer || endpoint.place.generated {
                continue;
            }
            let method = match &endpoint.protocol {
                Protocol::Rpc { method, .. } => method,
                Protocol::GraphQl { field, .. } => field,
                _ => continue,
            };
            let operations =
                self.nearest_operations(at.repo, &self.operations.of_endpoint(endpoint));
            for operation in operations {
                let op = self.operations.operation(operation);
                let kind = self.operations.contract(operation).contract_type;
                let confidence = confidence_of_call(endpoint, method, (op, kind));
                let what = op.qualified_name();
                for target in self.targets(operation, providers) {
                    if !self.spend_pair() {
                        return;
                    }
                    let evidence = vec![
                        format!("{} calls {method}", endpoint.by),
                        self.describe(operation),
                    ];
                    let target = self.target_side(target);
                    self.add((at, endpoint), target, (kind, &what), confidence, evidence);
                }
            }
        }
    }

    /// One operation for each full name, preferably of the requesting repository.
    fn nearest_operations(&self, repo: usize, found: &[OpRef]) -> Vec<OpRef> {
        let mut of_name: BTreeMap<String, OpRef> = BTreeMap::new();
        for at in found.iter().copied() {
            if !self.fuel.spend(4) {
                break;
            }
            let key = self.operations.operation(at).qualified_name();
            let best = of_name.entry(key).or_insert(at);
            if best.repo != repo && at.repo == repo {
                *best = at;
            }
        }
        of_name.into_values().collect()
    }

    fn link_topics(&mut self) {
        let mut readers: FxHashMap<&str, Vec<(EndpointRef, &str)>> = FxHashMap::default();
        for (at, endpoint) in self.endpoints() {
            if let (Role::Provider, Protocol::Topic { system, name }) =
                (endpoint.role, &endpoint.protocol)
            {
                readers.entry(name).or_default().push((at, system));
            }
        }
        for (at, endpoint) in self.endpoints() {
            let (Role::Consumer, Protocol::Topic { system, name }) =
                (endpoint.role, &endpoint.protocol)
            else {
                continue;
            };
            let of_name = readers.get(name.as_str()).map_or(&[][..], |v| v);
            for (reader, other) in of_name.iter().take(MOST_ENDS) {
                if !self.spend_pair() {
                    return;
                }
                let both_known = !system.is_empty() && !other.is_empty();
                if both_known && system != other {
                    continue;
                }
                let signature = if both_known { 1.0 } else { 0.6 };
                let kind = ContractType::Topic;
                let confidence = Confidence::new(NameMatch::Exact, signature, kind);
                let what = format!("topic {name}");
                let evidence = vec![format!(
                    "{} sends to {name}, {} receives it",
                    endpoint.by,
                    self.routes.endpoint(*reader).by
                )];
                let target = self.side(*reader);
                self.add((at, endpoint), target, (kind, &what), confidence, evidence);
            }
        }
    }

    /// Links types of TypeScript that are imported from another repository's package.
    fn link_packages(&mut self) {
        let mut of_package: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (repo, surface) in self.repos.iter().enumerate() {
            for package in &surface.packages {
                of_package.entry(package).or_default().push(repo);
            }
        }
        let mut types: FxHashMap<usize, TypesByName<'r>> = FxHashMap::default();
        for (repo, surface) in self.repos.iter().enumerate() {
            for import in &surface.imports {
                if !self.fuel.spend(1 + import.names.len()) {
                    return;
                }
                let owners = of_package.get(import.package.as_str());
                for owner in owners.into_iter().flatten().filter(|o| **o != repo) {
                    if !self.spend_pair() {
                        return;
                    }
                    let types = types.entry(*owner);
                    let types = types.or_insert_with(|| types_by_name(&self.repos[*owner]));
                    self.link_import(&surface.name, import, *owner, types);
                }
            }
        }
    }

    fn link_import(
        &mut self,
        source: &str,
        import: &PackageImport,
        owner: usize,
        types: &TypesByName<'r>,
    ) {
        let owner = &self.repos[owner];
        let names: FxHashSet<&str> = import.names.iter().map(String::as_str).collect();
        let mut links = Vec::new();
        for (contract, ty) in names.iter().filter_map(|name| types.get(name)).flatten() {
            if links.len() > self.left || !self.fuel.spend(1) {
                break;
            }
            let place = SymbolLocation {
                symbol: ty.name.clone(),
                file_path: contract.path.clone(),
                line: ty.line,
                ..SymbolLocation::default()
            };
            links.push((place, ty.name.clone()));
        }
        for (place, name) in links {
            if !self.spend_pair() {
                return;
            }
            let kind = ContractType::TypeScript;
            let evidence = vec![format!("imports {name} of {}", import.package)];
            self.insert(Link {
                source: LinkEnd {
                    repo: source.to_owned(),
                    place: import.place.clone(),
                    is_contract: false,
                },
                target: LinkEnd {
                    repo: owner.name.clone(),
                    place,
                    is_contract: true,
                },
                edge_type: "VIRTUAL_IMPORTS".to_owned(),
                contract_type: kind,
                what: format!("{}.{name}", import.package),
                at: (import.place.file_path.clone(), import.place.line),
                confidence: Confidence::new(NameMatch::Exact, 1.0, kind),
                evidence,
            });
        }
    }

    /// Links symbols known by name alone with procedures of other repositories.
    fn link_names(&mut self, providers: &Providers) {
        let all = self.operations.all();
        let mut pairs = 0;
        for (repo, surface) in self.repos.iter().enumerate() {
            for place in &surface.named {
                for at in &all {
                    pairs += 1;
                    let (a, b) = (
                        place.symbol.len(),
                        self.operations.operation(*at).name.len(),
                    );
                    let lengths = a * b + 32 * (a + b);
                    if pairs > MOST_PAIRS || !self.fuel.spend(lengths / PER_COMPARISON) {
                        self.is_cut = true;
                        return;
                    }
                    if at.repo == repo {
                        continue;
                    }
                    let op = self.operations.operation(*at);
                    let last = place.symbol.rsplit('.').next().unwrap_or(&place.symbol);
                    let name = name_similarity(last, &op.name);
                    if name == NameMatch::None {
                        continue;
                    }
                    let kind = self.operations.contract(*at).contract_type;
                    let signature =
                        signature_similarity(place.parameters.as_deref(), Some(&op.inputs));
                    let confidence = Confidence::new(name, signature, kind);
                    let evidence = vec![
                        format!("called {last}; nothing else is known of it"),
                        self.describe(*at),
                    ];
                    for target in self.targets(*at, providers) {
                        if !self.spend_pair() {
                            return;
                        }
                        self.insert(Link {
                            source: LinkEnd {
                                repo: surface.name.clone(),
                                place: place.clone(),
                                is_contract: false,
                            },
                            target: self.target_side(target),
                            edge_type: "VIRTUAL_CALLS".to_owned(),
                            contract_type: kind,
                            what: op.qualified_name(),
                            at: (place.file_path.clone(), place.line),
                            confidence,
                            evidence: evidence.clone(),
                        });
                    }
                }
            }
        }
    }

    fn add(
        &mut self,
        (at, endpoint): (EndpointRef, &Endpoint),
        target: LinkEnd,
        (contract_type, what): (ContractType, &str),
        confidence: Confidence,
        evidence: Vec<String>,
    ) {
        let source = self.side(at);
        self.insert(Link {
            source,
            target,
            edge_type: "VIRTUAL_CALLS".to_owned(),
            contract_type,
            what: what.to_owned(),
            at: (endpoint.file_path.clone(), endpoint.line),
            confidence,
            evidence,
        });
    }

    /// Takes one pair from the budget. False if no more may be linked.
    fn spend_pair(&mut self) -> bool {
        match self.left.checked_sub(1) {
            Some(left) if self.fuel.spend(1) => self.left = left,
            _ => self.is_cut = true,
        }
        !self.is_cut
    }

    fn insert(&mut self, link: Link) {
        let same_symbol = link.source.repo == link.target.repo
            && !link.source.place.id.is_empty()
            && link.source.place.id == link.target.place.id;
        if same_symbol || link.confidence.total < self.least || !self.fuel.keep(weight(&link)) {
            return;
        }
        let end = |side: &LinkEnd| {
            let place = &side.place;
            format!("{}\n{}\n{}", place.file_path, place.symbol, place.id)
        };
        let key = (
            link.source.repo.clone(),
            end(&link.source),
            link.target.repo.clone(),
            end(&link.target),
            link.edge_type.clone(),
            link.what.clone(),
        );
        match self.found.entry(key) {
            std::collections::btree_map::Entry::Vacant(slot) => {
                slot.insert(link);
            }
            std::collections::btree_map::Entry::Occupied(mut slot) => {
                if link.confidence.total > slot.get().confidence.total {
                    slot.insert(link);
                }
            }
        }
    }

    fn side(&self, at: EndpointRef) -> LinkEnd {
        LinkEnd {
            repo: self.repos[at.repo].name.clone(),
            place: self.routes.endpoint(at).place.clone(),
            is_contract: false,
        }
    }

    fn contract_side(&self, at: OpRef) -> LinkEnd {
        let op = self.operations.operation(at);
        LinkEnd {
            repo: self.repos[at.repo].name.clone(),
            place: SymbolLocation {
                symbol: op.qualified_name(),
                file_path: self.operations.contract(at).path.clone(),
                line: op.line,
                ..SymbolLocation::default()
            },
            is_contract: true,
        }
    }

    fn describe(&self, at: OpRef) -> String {
        let contract = self.operations.contract(at);
        let op = self.operations.operation(at);
        format!("{} at {}:{}", op.qualified_name(), contract.path, op.line)
    }
}

/// The confidence that a call of that procedure by an endpoint leads to an operation.
fn confidence_of_call(
    endpoint: &Endpoint,
    method: &str,
    (op, kind): (&Operation, ContractType),
) -> Confidence {
    let name = name_similarity(method, &op.name);
    match &endpoint.protocol {
        // What is called may be any kind of client. So the function around the call is compared with the procedure, as
        // the design does; the texts name the procedure, whatever that function is called.
        Protocol::Rpc { by_texts: true, .. } => {
            let symbol = &endpoint.place.symbol;
            let own = symbol.rsplit('.').next().unwrap_or(symbol);
            let own = name_similarity(own, &op.name).max(NameMatch::Prefix);
            let parameters = endpoint.place.parameters.as_deref();
            let signature = signature_similarity(parameters, Some(&op.inputs));
            Confidence::new(name.min(own), signature, kind)
        }
        Protocol::Rpc { certain: false, .. } => Confidence::new(name, 0.6, kind),
        _ => Confidence::new(name, 1.0, kind),
    }
}

/// The approximate bytes of a link and its key; a link is also written to a file.
fn weight(link: &Link) -> usize {
    let side = |side: &LinkEnd| {
        let place = &side.place;
        let parameters = place.parameters.iter().flatten();
        let parameters: usize = parameters.map(|p| 40 + p.len()).sum();
        let names = place.id.len() + place.symbol.len() + place.file_path.len();
        200 + side.repo.len() + 3 * names + parameters
    };
    let evidence: usize = link.evidence.iter().map(|one| 2 * one.len()).sum();
    side(&link.source) + side(&link.target) + evidence + 3 * link.what.len() + 2 * link.at.0.len()
}

/// The host of a request.
#[derive(Default)]
struct Host<'h> {
    /// The parts between its dots.
    labels: FxHashSet<&'h str>,
    /// The services that it may name.
    services: Vec<String>,
}

impl<'h> Host<'h> {
    fn new(host: Option<&'h str>) -> Host<'h> {
        let Some(host) = host else {
            return Host::default();
        };
        let services = host.split(['.', ':', '_', '{', '}']).map(service_name);
        Host {
            labels: host.split(['.', ':']).collect(),
            services: services.filter(|name| !name.is_empty()).collect(),
        }
    }
}

/// The evidence of a request whose host is not known.
const UNKNOWN_HOST: &str = "the code does not show which host is asked";

/// The name that stands for the beginning of an address: `CART_URL` in `{CART_URL}/items`.
fn name_of_base(path: &str) -> Option<&str> {
    let (name, _) = path.strip_prefix('{')?.split_once('}')?;
    Some(name).filter(|name| !name.is_empty())
}

fn path_length(endpoint: &Endpoint) -> usize {
    match &endpoint.protocol {
        Protocol::Http { path, .. } => path.len(),
        _ => 0,
    }
}

/// Types of TypeScript by their names.
type TypesByName<'r> = FxHashMap<&'r str, Vec<(&'r Contract, &'r DeclaredType)>>;

fn types_by_name(owner: &RepoSurface) -> TypesByName<'_> {
    let mut types = TypesByName::default();
    let contracts = owner.contracts.iter();
    for contract in contracts.filter(|c| c.contract_type == ContractType::TypeScript) {
        for ty in &contract.types {
            types.entry(&ty.name).or_default().push((contract, ty));
        }
    }
    types
}

fn shown_method(method: &str) -> &str {
    if method.is_empty() { "ANY" } else { method }
}

fn describe_endpoint(endpoint: &Endpoint) -> String {
    match &endpoint.protocol {
        Protocol::Http { method, path, .. } => format!("{} {path}", shown_method(method)),
        _ => String::new(),
    }
}
