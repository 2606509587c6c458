//! `federation`: the contracts of several repositories, and the virtual edges between their users and providers.

mod config;
mod contracts;
pub(crate) mod cross;
mod discover;
mod edges;
mod ends;
mod index_file;
pub(crate) mod link_cache;
mod links;
pub(crate) mod published;
mod render;
pub(crate) mod repositories;
mod search;
pub(crate) mod state_folders;
pub(crate) mod stored_index;
mod surface;

use super::clock;
use crate::operation::{Access, Tool, operation};
use crate::session::Session;
use crate::shared;
use crate::update;
use crate::workspace::Workspace;
use crate::{EngineError, IndexInfo};
use config::{FederationConfig, Location};
use contract::link::{FoundLinks, LEAST, LinkOptions, RepoSurface, link_repositories_within};
use contract::{Contract, Endpoint, Fuel, Problem};
use contracts::ContractBudget;
pub use edges::EdgeCounts;
use repositories::Opened;
use rustc_hash::FxHashSet;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::SystemTime;
use store::{GraphStore, VirtualEdgeRecord};
use stored_index::{FederationIndex, IndexedContract, IndexedRepository};

/// The most problems and edges that are listed.
const MOST_LISTED: usize = 200;

/// The most characters of a name that is searched for.
const LONGEST_QUERY: usize = 1_000;

/// The symbol that asks for the virtual edges of every symbol.
const EVERY_SYMBOL: &str = "*";

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline, description = "")]
pub enum FederationAction {
    /// Which repositories and contracts are known
    #[default]
    Status,
    /// Read the contracts of all repositories again
    Update,
    /// Find services, operations and types of contracts
    Search,
    /// Link callers with servers
    GenerateVirtualEdges,
    /// The virtual edges of a symbol
    QueryVirtual,
    /// What this project serves and calls over a network
    // Agents pay for each word of a schema, and ask for one symbol.
    #[schemars(skip)]
    Endpoints,
}

/// Contracts of several repositories.
#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FederationRequest {
    /// The action
    #[serde(default)]
    #[schemars(description = "")]
    pub action: FederationAction,
    /// a name
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// Also give the virtual edges of what is found
    #[serde(default)]
    #[schemars(description = "")]
    pub virtual_edges: bool,
    /// Least confidence of virtual edges, 0-1
    #[serde(default = "default_confidence", alias = "min_confidence")]
    #[schemars(description = "")]
    pub confidence: f64,
    /// Remove virtual edges that no longer hold
    #[serde(default)]
    #[schemars(description = "")]
    pub sync: bool,
    /// Maximum number of entries
    #[serde(default = "default_limit")]
    #[schemars(skip)]
    pub limit: usize,
    /// The file that lists the repositories
    #[serde(skip)]
    pub config: Option<String>,
}

fn default_confidence() -> f64 {
    LEAST
}

fn default_limit() -> usize {
    50
}

impl Default for FederationRequest {
    fn default() -> FederationRequest {
        FederationRequest {
            action: FederationAction::default(),
            symbol: None,
            virtual_edges: false,
            confidence: default_confidence(),
            sync: false,
            limit: default_limit(),
            config: None,
        }
    }
}

/// A repository in an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FederatedRepository {
    /// Its name.
    pub name: String,
    /// Its state: `indexed`, `missing`, `refused` or `failed`; `new` if it was not read yet; `kept` if the configuration no
    /// longer names it, so that its contracts are those of an earlier reading.
    pub status: String,
    /// The reason why it was not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The number of contract files.
    pub contracts: usize,
    /// The number of operations that they declare.
    pub operations: usize,
    /// The number of types that they declare.
    pub types: usize,
}

/// An operation or type of a contract that a search found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ContractMatch {
    /// The repository.
    pub repo: String,
    /// `service.operation`, or the type.
    pub symbol: String,
    /// `operation` or `type`.
    pub kind: &'static str,
    /// `proto`, `openapi`, `graphql` or `typescript`.
    pub contract_type: String,
    /// The file in that repository.
    pub file_path: String,
    /// The line.
    pub line: u32,
    /// Its inputs and outputs, and its routes.
    pub signature: String,
}

/// A virtual edge in an answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VirtualEdge {
    /// The edge.
    #[serde(flatten)]
    pub edge: VirtualEdgeRecord,
    /// `high` from 0.8 on, else `medium`.
    pub confidence_level: &'static str,
    /// The time at which a stored edge was found: code of other repositories is not read for each question.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found_at: Option<String>,
    /// Whether its end in this project has changed since, or its former state is not known.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub changed_since: bool,
}

impl VirtualEdge {
    pub(crate) fn new(edge: VirtualEdgeRecord) -> VirtualEdge {
        let confidence_level = match edge.confidence {
            sure if sure >= contract::link::HIGH => "high",
            known if known >= LEAST => "medium",
            _ => "low",
        };
        VirtualEdge {
            edge,
            confidence_level,
            found_at: None,
            changed_since: false,
        }
    }
}

/// The result, by action.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum FederationFound {
    /// The result of status and update.
    Repositories {
        /// The file that lists them.
        #[serde(skip_serializing_if = "Option::is_none")]
        config: Option<String>,
        /// The time at which the contracts were read, in UTC (ISO 8601); none if they never were.
        indexed_at: Option<String>,
        /// The repositories, this project first.
        repositories: Vec<FederatedRepository>,
        /// The number of stored virtual edges.
        virtual_edges: usize,
        /// The number of these with a confidence of 0.8 or more.
        high: usize,
    },
    /// The result of search.
    Matches {
        /// The query.
        query: String,
        /// The number of matches.
        total: usize,
        /// The matches, best first.
        results: Vec<ContractMatch>,
        /// Virtual edges of the matches, if they were asked for.
        #[serde(skip_serializing_if = "Option::is_none")]
        virtual_edges: Option<Vec<VirtualEdge>>,
    },
    /// The result of generate-virtual-edges.
    Generated {
        /// Counts of the edges.
        #[serde(flatten)]
        counts: EdgeCounts,
        /// The repositories that were linked.
        repositories: Vec<String>,
        /// The number of code places that provide something.
        providers: usize,
        /// The number of code places that use something.
        consumers: usize,
        /// The surest edges.
        edges: Vec<VirtualEdge>,
    },
    /// The result of endpoints.
    Endpoints {
        /// The number of endpoints.
        total: usize,
        /// The endpoints in order of file and line; providers come first.
        endpoints: Vec<Endpoint>,
    },
    /// The result of query-virtual.
    Edges {
        /// The symbol.
        symbol: String,
        /// The number of edges.
        total: usize,
        /// The edges, surest first.
        edges: Vec<VirtualEdge>,
    },
}

/// The result, and the parts that could not be read.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FederationAnswer {
    /// The version of this shape.
    pub schema_version: &'static str,
    /// The result.
    #[serde(flatten)]
    pub found: FederationFound,
    /// Problems of contracts that could not be read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
    /// Gaps of the answer, with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The state of the index.
    pub index: IndexInfo,
}

impl FederationAnswer {
    fn new(found: FederationFound, index: IndexInfo) -> FederationAnswer {
        FederationAnswer {
            schema_version: "1.0",
            found,
            problems: Vec::new(),
            warnings: Vec::new(),
            index,
        }
    }
}

operation! {
    /// Contracts of several repositories.
    FederationOperation {
        name: "federation",
        request: FederationRequest => FederationAnswer,
        access: |request| match request.action {
            FederationAction::Update | FederationAction::GenerateVirtualEdges => Access::Write,
            FederationAction::Status | FederationAction::Search | FederationAction::QueryVirtual
            | FederationAction::Endpoints => Access::Read,
        },
        tool: Some(Tool {
            title: "API contracts",
            about: "Find API contracts (gRPC, OpenAPI, GraphQL) and who calls or serves them",
            pages: true,
            core: false,
            writes: true,
        }),
        answer: answer_federation,
    }
}

pub(crate) fn answer_federation(
    workspace: &Workspace,
    request: &FederationRequest,
) -> Result<FederationAnswer, EngineError> {
    if !(0.0..=1.0).contains(&request.confidence) {
        return Err(EngineError::bad_arguments(format!(
            "invalid confidence: {}. Must be between 0 and 1",
            request.confidence
        )));
    }
    let named = request.config.as_deref().map(Path::new);
    let config = FederationConfig::read(workspace, named)?;
    let mut answer = match request.action {
        FederationAction::Status => status(workspace, &config)?,
        FederationAction::Update => update(workspace, &config)?,
        FederationAction::Search => search::search(workspace, request, &config)?,
        FederationAction::GenerateVirtualEdges => generate(workspace, request, &config)?,
        FederationAction::QueryVirtual => query(workspace, request)?,
        FederationAction::Endpoints => list_endpoints(workspace, request)?,
    };
    workspace.check_cancelled()?;
    if matches!(
        request.action,
        FederationAction::Status
            | FederationAction::Update
            | FederationAction::GenerateVirtualEdges
    ) {
        answer.warnings.splice(0..0, config.warnings);
    }
    answer.problems.truncate(MOST_LISTED);
    Ok(answer)
}

fn symbol_of(request: &FederationRequest) -> Result<&str, EngineError> {
    match request.symbol.as_deref().map(str::trim) {
        None | Some("") => Err(EngineError::bad_arguments("no symbol given")),
        Some(symbol) if symbol.chars().nth(LONGEST_QUERY).is_some() => {
            Err(EngineError::bad_arguments(format!(
                "the symbol is too long: at most {LONGEST_QUERY} characters"
            )))
        }
        Some(symbol) => Ok(symbol),
    }
}

/// Everything read from the repositories: each with its contracts, and those that could not be opened.
struct ReadRepositories {
    opened: Vec<Opened>,
    unread: Vec<(String, &'static str, String)>,
}

impl ReadRepositories {
    /// Reads the contracts of all repositories. A file that has not changed is taken from `known`. A repository that lies
    /// elsewhere is indexed if its code is needed.
    fn read(
        session: &Session<'_>,
        config: &FederationConfig,
        known: Option<&FederationIndex>,
        with_code: bool,
    ) -> Result<ReadRepositories, EngineError> {
        let workspace = session.workspace();
        let budget = ContractBudget::new(workspace);
        let mut opened = Opened::this(session, config, (known, &budget))?;
        let mut unread = Vec::new();
        for repository in &config.repositories {
            match &repository.place {
                Location::Inside(_) => {}
                Location::Outside(path) => {
                    let other = (repository, &**path);
                    match Opened::elsewhere(workspace, other, (known, &budget), with_code) {
                        Ok(other) => opened.push(other),
                        Err(error) => {
                            unread.push((repository.name.clone(), "failed", error.to_string()));
                        }
                    }
                    workspace.check_cancelled()?;
                }
                Location::Unread { status, reason } => {
                    unread.push((repository.name.clone(), *status, reason.clone()));
                }
            }
        }
        Ok(ReadRepositories { opened, unread })
    }

    /// The index file for these repositories.
    fn to_index(&self) -> FederationIndex {
        let read = self.opened.iter().map(|repository| IndexedRepository {
            name: repository.name.clone(),
            status: "indexed".to_owned(),
            reason: None,
            root: repository.root.clone(),
            contracts: repository
                .contracts
                .iter()
                .map(IndexedContract::new)
                .collect(),
            others: repository.others.clone(),
        });
        let unread = self
            .unread
            .iter()
            .map(|(name, status, reason)| IndexedRepository {
                name: name.clone(),
                status: (*status).to_owned(),
                reason: Some(reason.clone()),
                root: String::new(),
                contracts: Vec::new(),
                others: Vec::new(),
            });
        FederationIndex {
            schema_version: "1.2".to_owned(),
            indexed_at: clock::format_utc(SystemTime::now()),
            repositories: read.chain(unread).collect(),
        }
    }

    /// An earlier index, brought up to date with the files. A repository that the configuration no longer names keeps its
    /// contracts: its place is not known, nor whether it may be read.
    fn refreshed(
        session: &Session<'_>,
        config: &FederationConfig,
        before: &FederationIndex,
    ) -> Result<FederationIndex, EngineError> {
        let mut index = ReadRepositories::read(session, config, Some(before), false)?.to_index();
        let read: BTreeSet<String> = index.repositories.iter().map(|r| r.name.clone()).collect();
        let root = session.workspace().root().display().to_string();
        let others = before.repositories.iter();
        let others = others.filter(|one| !read.contains(&one.name) && one.root != root);
        let kept = others.map(|one| IndexedRepository {
            status: "kept".to_owned(),
            reason: Some(format!(
                "the configuration does not name it now; as of {}",
                before.indexed_at
            )),
            ..one.clone()
        });
        index.repositories.extend(kept);
        Ok(index)
    }

    fn problems(&self) -> Vec<Problem> {
        let contracts = self.opened.iter().flat_map(|o| {
            o.contracts
                .iter()
                .map(move |one| (o.name.as_str(), &*one.contract))
        });
        let problems = contracts.flat_map(|(name, contract)| {
            contract.problems.iter().map(move |problem| Problem {
                file_path: format!("{name}:{}", problem.file_path),
                ..problem.clone()
            })
        });
        problems.collect()
    }

    fn failures(&self) -> Vec<String> {
        let failed = self
            .unread
            .iter()
            .filter(|(_, status, _)| *status == "failed");
        failed
            .map(|(name, _, reason)| format!("{name} is skipped: {reason}"))
            .collect()
    }

    /// The contracts of this project and of its folders, by path and hash.
    fn own_hashes(&self) -> Vec<(String, String)> {
        let own = self.opened.iter().filter(|one| one.is_here());
        let contracts = own.flat_map(|one| &one.contracts);
        let mut hashes: Vec<(String, String)> = contracts
            .map(|one| (one.contract.path.clone(), one.hash.clone()))
            .collect();
        hashes.sort();
        hashes
    }

    /// The surface of each repository, this project's first. The project is read once and divided.
    fn surfaces(
        &self,
        session: &Session<'_>,
        fuel: &Fuel,
    ) -> Result<Vec<RepoSurface>, EngineError> {
        let contracts = |is_here: bool| {
            let opened = self.opened.iter().filter(move |o| o.is_here() == is_here);
            opened.flat_map(|o| o.contracts.iter().map(|one| &*one.contract))
        };
        let others: Vec<&Contract> = contracts(false).collect();
        let own = contracts(true).cloned().collect();
        let whole = surface::read_surface(session, "", (own, &others), fuel)?;
        let here = self.opened.iter().filter(|one| one.is_here());
        let names: Vec<&str> = here.map(|one| one.name.as_str()).collect();
        let packages = surface::packages(session.project())?;
        let folders = Opened::folders(&self.opened);
        let mut surfaces = surface::divide(whole, packages, &names, &folders);
        let all: Vec<&Contract> = contracts(true).chain(contracts(false)).collect();
        for one in &self.opened {
            session.check_cancelled()?;
            surfaces.extend(one.surface(&all, fuel)?);
        }
        Ok(surfaces)
    }
}

fn index_path(workspace: &Workspace) -> std::path::PathBuf {
    let given = workspace.settings().federation_index_path.as_ref();
    index_file::path(workspace.project(), given)
}

fn repository_line(indexed: &IndexedRepository) -> FederatedRepository {
    let contracts = &indexed.contracts;
    FederatedRepository {
        name: indexed.name.clone(),
        status: indexed.status.clone(),
        reason: indexed.reason.clone(),
        contracts: contracts.len(),
        operations: contracts.iter().map(|c| c.contract.operations.len()).sum(),
        types: contracts.iter().map(|c| c.contract.types.len()).sum(),
    }
}

fn repositories_found(
    workspace: &Workspace,
    config: &FederationConfig,
    index: Option<&FederationIndex>,
    stored: &[VirtualEdgeRecord],
) -> FederationFound {
    let known = index.iter().flat_map(|index| &index.repositories);
    let mut repositories: Vec<FederatedRepository> = known.map(repository_line).collect();
    if index.is_none() {
        let names = std::iter::once(repositories::local_name(workspace))
            .chain(config.repositories.iter().map(|r| r.name.clone()));
        repositories.extend(names.map(|name| FederatedRepository {
            name,
            status: "new".to_owned(),
            reason: None,
            contracts: 0,
            operations: 0,
            types: 0,
        }));
    }
    let high = stored
        .iter()
        .filter(|e| e.confidence >= contract::link::HIGH);
    FederationFound::Repositories {
        config: config.file.clone(),
        indexed_at: index.map(|index| index.indexed_at.clone()),
        repositories,
        virtual_edges: stored.len(),
        high: high.count(),
    }
}

fn status(
    workspace: &Workspace,
    config: &FederationConfig,
) -> Result<FederationAnswer, EngineError> {
    let before = FederationIndex::of_project(workspace);
    let ((index, stored), info) = workspace.ask(|session| {
        let before = before.as_deref();
        let index = before.map(|before| ReadRepositories::refreshed(session, config, before));
        Ok((
            index.transpose()?,
            session.store().virtual_edges(None, 0.0)?,
        ))
    })?;
    let found = repositories_found(workspace, config, index.as_ref(), &stored);
    let mut answer = FederationAnswer::new(found, info);
    if index.is_none() {
        let line = "no contracts were read yet: `knotwork federation update` reads them";
        answer.warnings.push(line.to_owned());
    }
    Ok(answer)
}

fn update(
    workspace: &Workspace,
    config: &FederationConfig,
) -> Result<FederationAnswer, EngineError> {
    prepare_to_write(workspace)?;
    let ((everything, stored), info) = workspace.ask(|session| {
        let stored = session.store().virtual_edges(None, 0.0)?;
        Ok((ReadRepositories::read(session, config, None, true)?, stored))
    })?;
    let index = everything.to_index();
    index.write(&index_path(workspace), workspace.root())?;
    let found = repositories_found(workspace, config, Some(&index), &stored);
    let mut answer = FederationAnswer::new(found, info);
    answer.problems = everything.problems();
    answer.warnings = everything.failures();
    Ok(answer)
}

/// Checks and prepares the place of the index file, before work that ends with writing it.
fn prepare_to_write(workspace: &Workspace) -> Result<(), EngineError> {
    if let Some(path) = &workspace.settings().federation_index_path {
        index_file::check_named(path)?;
    }
    workspace.project().prepare_state()
}

/// The data that `generate-virtual-edges` reads and finds.
struct Linked {
    everything: ReadRepositories,
    surfaces: Vec<RepoSurface>,
    found: FoundLinks,
    before: Vec<VirtualEdgeRecord>,
    ends: ends::KnownEnds,
}

impl Linked {
    fn read(
        session: &Session<'_>,
        config: &FederationConfig,
        options: &LinkOptions,
    ) -> Result<Linked, EngineError> {
        let everything = ReadRepositories::read(session, config, None, true)?;
        let fuel = Fuel::new(&options.cancel);
        let surfaces = everything.surfaces(session, &fuel)?;
        session.check_cancelled()?;
        let before = session.store().virtual_edges(None, 0.0)?;
        let found = link_repositories_within(&surfaces, options, &fuel);
        session.check_cancelled()?;
        let here = everything.opened.iter().filter(|one| one.is_here());
        let own: Vec<&str> = here.map(|one| one.name.as_str()).collect();
        let hashes = everything.own_hashes();
        let places = ends::OwnEnds::new(session, &surfaces[..own.len()], &hashes)?;
        let at = clock::format_utc(SystemTime::now());
        let state = ends::state_of(session, &hashes)?;
        let ends = places.of_links(&found.links, &own, (&at, &state));
        Ok(Linked {
            everything,
            surfaces,
            found,
            before,
            ends,
        })
    }
}

fn generate(
    workspace: &Workspace,
    request: &FederationRequest,
    config: &FederationConfig,
) -> Result<FederationAnswer, EngineError> {
    prepare_to_write(workspace)?;
    let options = LinkOptions {
        min_confidence: request.confidence.max(0.0),
        cancel: workspace.cancel().clone(),
    };
    let (read, info) = workspace.ask(|session| Linked::read(session, config, &options))?;
    let Linked {
        everything,
        surfaces,
        found,
        before,
        ends,
    } = read;
    let FoundLinks { links, is_cut } = found;
    let index = everything.to_index();
    index.write(&index_path(workspace), workspace.root())?;
    let names: Vec<&str> = surfaces.iter().map(|s| s.name.as_str()).collect();
    // Edges of a repository that could not be read may still hold.
    let unread = everything.unread.iter().map(|(name, ..)| name.as_str());
    let scope = if config.is_partial {
        edges::Scope::Only(names.iter().copied().collect())
    } else {
        edges::Scope::AllBut(unread.collect())
    };
    let edges::EdgeChanges {
        write,
        remove,
        counts,
    } = edges::difference(&links, &before, &scope, request.sync);
    if !write.is_empty() || !remove.is_empty() {
        let mut store = update::open_for_writing(workspace)?;
        store.put_virtual_edges(&write)?;
        store.delete_virtual_edges(&remove)?;
    }
    if request.sync {
        state_folders::remove_unlisted(workspace.project(), config)?;
    }
    let mut stored: FxHashSet<String> = before.into_iter().map(|edge| edge.id).collect();
    for id in &remove {
        stored.remove(id);
    }
    workspace.ask(|session| {
        ends::save_ends(session, ends.clone(), &stored);
        Ok(())
    })?;
    let mut listed: Vec<VirtualEdge> = links
        .iter()
        .map(|link| VirtualEdge::new(edges::to_record(link)))
        .collect();
    sort_edges(&mut listed);
    listed.truncate(request.limit);
    let count = |role| {
        let all = surfaces.iter().flat_map(|s| &s.endpoints);
        all.filter(|e| e.role == role).count()
    };
    let found = FederationFound::Generated {
        counts,
        repositories: names.iter().map(|n| (*n).to_owned()).collect(),
        providers: count(contract::Role::Provider),
        consumers: count(contract::Role::Consumer),
        edges: listed,
    };
    let mut answer = FederationAnswer::new(found, info);
    answer.problems = everything.problems();
    answer.warnings = everything.failures();
    if is_cut {
        let line = "too many endpoints or pairs: some edges are left out";
        answer.warnings.push(line.to_owned());
    }
    if counts.outdated > counts.removed {
        let line = format!(
            "{} edges no longer hold; --sync removes them",
            counts.outdated
        );
        answer.warnings.push(line);
    }
    Ok(answer)
}

fn sort_edges(edges: &mut [VirtualEdge]) {
    edges.sort_by(|a, b| {
        let order = b.edge.confidence.total_cmp(&a.edge.confidence);
        order.then_with(|| a.edge.id.cmp(&b.edge.id))
    });
}

/// The virtual edges of a symbol: those within this project as they are now, those between repositories as stored.
fn edges_of(
    session: &Session<'_>,
    symbol: &str,
    confidence: f64,
) -> Result<Vec<VirtualEdge>, EngineError> {
    let (mut all, mut stored) = if session.is_shared() {
        let published = published::PublishedEdges::read(session, confidence)?;
        let across = ends::StoredEdges::published(published.name, published.across);
        (published.within, across)
    } else {
        let name = repositories::local_name(session.workspace());
        let here = links::local_links(session)?;
        let mut all: Vec<VirtualEdgeRecord> = here.links.iter().map(edges::to_record).collect();
        for record in &mut all {
            record.source_repo.clone_from(&name);
            record.target_repo.clone_from(&name);
        }
        (all, ends::StoredEdges::read(session)?)
    };
    let fits = |name: &str| {
        symbol == EVERY_SYMBOL
            || name == symbol
            || name.rsplit('.').next() == Some(symbol)
            || name.eq_ignore_ascii_case(symbol)
    };
    let is_asked = |edge: &VirtualEdgeRecord| {
        let operation = edge.detail.operation.as_deref().unwrap_or("");
        edge.confidence >= confidence
            && (fits(&edge.source_symbol) || fits(&edge.target_symbol) || fits(operation))
    };
    all.retain(is_asked);
    let mut across = std::mem::take(&mut stored.edges);
    across.retain(is_asked);
    let mut found: Vec<VirtualEdge> = all.into_iter().map(VirtualEdge::new).collect();
    found.extend(stored.check(session, across)?);
    sort_edges(&mut found);
    Ok(found)
}

fn query(
    workspace: &Workspace,
    request: &FederationRequest,
) -> Result<FederationAnswer, EngineError> {
    let symbol = symbol_of(request)?;
    let (mut edges, info) = workspace.ask_on(shared::open_structure, |session| {
        edges_of(session, symbol, request.confidence)
    })?;
    let total = edges.len();
    edges.truncate(request.limit);
    let found = FederationFound::Edges {
        symbol: symbol.to_owned(),
        total,
        edges,
    };
    Ok(FederationAnswer::new(found, info))
}

/// The places of the project's code that provide or use something, without tests.
fn list_endpoints(
    workspace: &Workspace,
    request: &FederationRequest,
) -> Result<FederationAnswer, EngineError> {
    let (mut endpoints, info) = workspace.ask(links::local_endpoints)?;
    endpoints.retain(|endpoint| !endpoint.place.test);
    endpoints.sort_by(|a, b| {
        let asks = |e: &Endpoint| e.role == contract::Role::Consumer;
        let by_role = asks(a).cmp(&asks(b));
        by_role.then_with(|| (&a.file_path, a.line).cmp(&(&b.file_path, b.line)))
    });
    let total = endpoints.len();
    endpoints.truncate(request.limit);
    Ok(FederationAnswer::new(
        FederationFound::Endpoints { total, endpoints },
        info,
    ))
}
