//! Stored edges between repositories, and whether they hold.
//!
//! `generate-virtual-edges` finds these edges, and stores a mark of the code at the end in this project. Each question compares
//! that end with the present code. The other end is not compared: the answer says how old it is.

use super::contracts::{ContractBudget, ContractFiles, KnownFiles, contract_files, read_contracts};
use super::repositories::local_name;
use super::stored_index::FederationIndex;
use super::surface::read_surface;
use super::{VirtualEdge, links};
use crate::EngineError;
use crate::session::Session;
use contract::link::{Link, RepoSurface};
use contract::{Contract, Fuel, Role};
use guard::seal;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use store::VirtualEdgeRecord;

/// The purpose that the seal of the file names.
const KIND: &str = "ends of virtual edges 1";
/// The most bytes of the file; a larger one was not written by this program.
const LARGEST: u64 = 256 << 20;
/// The mark of an end that no code supports.
const NOTHING: &str = "nothing";
/// The prefix of the mark of an end at a place of code that provides or uses something.
const OF_CODE: &str = "code ";

/// The state of an edge's ends when it was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct EdgeEnds {
    /// The time at which the edge was found, in UTC.
    found_at: String,
    /// The state of this project at that time.
    state: String,
    /// The mark of its source, if that is in this project.
    source: Option<String>,
    /// The mark of its target, if that is in this project.
    target: Option<String>,
    /// Whether each question finds the edge again: both ends are in this project, and it is not an import.
    is_local: bool,
}

/// The ends of edges, by the ids of the edges.
pub(super) type KnownEnds = BTreeMap<String, EdgeEnds>;

/// Marks of this project's code places, and of its files.
pub(super) struct OwnEnds {
    endpoints: FxHashMap<(Role, String, String), String>,
    /// The line of each place that occurs on one line alone.
    lines: FxHashMap<(Role, String, String), Option<u32>>,
    files: BTreeMap<String, String>,
}

impl OwnEnds {
    /// Marks of the surfaces of this project.
    pub(super) fn new(
        session: &Session<'_>,
        surfaces: &[RepoSurface],
        contracts: &[(String, String)],
    ) -> Result<OwnEnds, EngineError> {
        let mut marks: FxHashMap<_, Vec<String>> = FxHashMap::default();
        let mut lines = FxHashMap::default();
        for endpoint in surfaces.iter().flat_map(|surface| &surface.endpoints) {
            let place = &endpoint.place;
            let file = match endpoint.role {
                Role::Consumer => &endpoint.file_path,
                Role::Provider => &place.file_path,
            };
            let key = (endpoint.role, file.clone(), place.symbol.clone());
            let mark = format!("{:?} {:?}", endpoint.protocol, place.parameters);
            let line = match endpoint.role {
                Role::Consumer => endpoint.line,
                Role::Provider => place.line,
            };
            let known = lines.entry(key.clone()).or_insert(Some(line));
            if *known != Some(line) {
                *known = None;
            }
            marks.entry(key).or_default().push(mark);
        }
        let endpoints = marks.into_iter().map(|(key, mut all)| {
            all.sort();
            let parts: Vec<&[u8]> = all.iter().map(|mark| mark.as_bytes()).collect();
            (key, format!("{OF_CODE}{:016x}", base::fingerprint(&parts)))
        });
        let mut files: BTreeMap<String, String> = contracts.iter().cloned().collect();
        let indexed = session.store().indexed_files()?;
        files.extend(indexed.into_iter().map(|(path, file)| (path, file.hash)));
        Ok(OwnEnds {
            endpoints: endpoints.collect(),
            lines,
            files,
        })
    }

    fn mark(&self, role: Role, file: &str, symbol: &str) -> String {
        let key = (role, file.to_owned(), symbol.to_owned());
        match (self.endpoints.get(&key), self.files.get(file)) {
            (Some(mark), _) => mark.clone(),
            (None, Some(hash)) => format!("file {hash}"),
            (None, None) => NOTHING.to_owned(),
        }
    }

    /// The present line of a place, if it occurs on one line alone.
    fn line(&self, role: Role, file: &str, symbol: &str) -> Option<u32> {
        let key = (role, file.to_owned(), symbol.to_owned());
        *self.lines.get(&key)?
    }

    /// The ends of links. `own` are the names of this project and of its folders.
    pub(super) fn of_links(
        &self,
        links: &[Link],
        own: &[&str],
        (found_at, state): (&str, &str),
    ) -> KnownEnds {
        let own: FxHashSet<&str> = own.iter().copied().collect();
        let ends = links.iter().map(|link| {
            let end = |role, side: &contract::link::LinkEnd, file: &str| {
                own.contains(&*side.repo)
                    .then(|| self.mark(role, file, &side.place.symbol))
            };
            let source = end(Role::Consumer, &link.source, &link.at.0);
            let target = end(Role::Provider, &link.target, &link.target.place.file_path);
            let ends = EdgeEnds {
                found_at: found_at.to_owned(),
                state: state.to_owned(),
                is_local: source.is_some()
                    && target.is_some()
                    && !link.source.place.id.is_empty()
                    && link.edge_type == "VIRTUAL_CALLS",
                source,
                target,
            };
            (super::edges::to_record(link).id, ends)
        });
        ends.collect()
    }
}

/// This project's contracts, as its files are now.
fn own_contracts(
    session: &Session<'_>,
    index: Option<&FederationIndex>,
) -> Result<ContractFiles, EngineError> {
    let workspace = session.workspace();
    let root = workspace.root().display().to_string();
    let files = contract_files(session.project())?;
    let budget = ContractBudget::new(workspace);
    read_contracts(
        workspace,
        &files,
        &KnownFiles::of_index(index, &root),
        &budget,
    )
}

/// The state of this project: a checksum of its graph and its contracts.
pub(super) fn state_of(
    session: &Session<'_>,
    contracts: &[(String, String)],
) -> Result<String, EngineError> {
    let graph = links::state_of(session)?;
    let mut parts: Vec<&[u8]> = vec![graph.as_bytes()];
    for (path, hash) in contracts {
        parts.extend([path.as_bytes(), hash.as_bytes()]);
    }
    Ok(format!("{:016x}", base::fingerprint(&parts)))
}

fn kept_path(session: &Session<'_>) -> PathBuf {
    session.project().cache_dir.join("virtual-edges.json")
}

/// Stores the ends of new edges. Edges that stay keep the ends that are known of them.
pub(super) fn save_ends(session: &Session<'_>, made: KnownEnds, stored: &FxHashSet<String>) {
    let path = kept_path(session);
    let mut all = read(session);
    all.retain(|id, _| stored.contains(id));
    all.extend(made);
    let Ok(text) = serde_json::to_vec(&all) else {
        return;
    };
    let made = path
        .parent()
        .is_none_or(|folder| guard::state::create_private_folders(folder).is_ok());
    if made {
        let _ = seal::write_sealed(&path, KIND, &text);
    }
}

fn read(session: &Session<'_>) -> KnownEnds {
    let text = seal::read_sealed(&kept_path(session), KIND, LARGEST);
    text.and_then(|text| serde_json::from_slice(&text).ok())
        .unwrap_or_default()
}

/// The stored edges that a question does not find anew.
pub(super) struct StoredEdges {
    /// The edges, the surest first.
    pub edges: Vec<VirtualEdgeRecord>,
    known: KnownEnds,
    name: String,
    /// Whether they were published with a shared graph: they are as old as it, and there are no files to compare with.
    is_published: bool,
}

impl StoredEdges {
    /// No edges.
    pub(super) fn none() -> StoredEdges {
        StoredEdges {
            edges: Vec::new(),
            known: KnownEnds::new(),
            name: String::new(),
            is_published: false,
        }
    }

    /// Edges that were published with the graph of a project of that name.
    pub(super) fn published(name: String, edges: Vec<VirtualEdgeRecord>) -> StoredEdges {
        StoredEdges {
            edges,
            name,
            is_published: true,
            ..StoredEdges::none()
        }
    }

    /// Reads the stored edges.
    pub(super) fn read(session: &Session<'_>) -> Result<StoredEdges, EngineError> {
        let mut edges = session.store().virtual_edges(None, 0.0)?;
        if edges.is_empty() {
            return Ok(StoredEdges::none());
        }
        let known = read(session);
        let name = local_name(session.workspace());
        edges.retain(|edge| match known.get(&edge.id) {
            Some(ends) => !ends.is_local,
            None => edge.source_repo != name || edge.target_repo != name,
        });
        Ok(StoredEdges {
            edges,
            known,
            name,
            is_published: false,
        })
    }

    /// Whether the source and the target of an edge are in this project.
    pub(super) fn own_ends(&self, edge: &VirtualEdgeRecord) -> (bool, bool) {
        match self.known.get(&edge.id) {
            Some(ends) => (ends.source.is_some(), ends.target.is_some()),
            None => (edge.source_repo == self.name, edge.target_repo == self.name),
        }
    }

    /// The edges with their age and state, without those whose end in this project is gone. A note of their age goes into the
    /// answer.
    pub(super) fn check(
        &self,
        session: &Session<'_>,
        edges: Vec<VirtualEdgeRecord>,
    ) -> Result<Vec<VirtualEdge>, EngineError> {
        if edges.is_empty() {
            return Ok(Vec::new());
        }
        if self.is_published {
            return Ok(edges.into_iter().map(VirtualEdge::new).collect());
        }
        let present = Present::read(session)?;
        let mut found = Vec::new();
        let mut gone = 0;
        for mut edge in edges {
            let ends = self.known.get(&edge.id);
            let (is_gone, is_changed) = match ends {
                // The edge has no record of its origin.
                None => (false, true),
                Some(ends) => present.compare(session, &mut edge, ends)?,
            };
            if is_gone {
                gone += 1;
                continue;
            }
            let mut edge = VirtualEdge::new(edge);
            edge.found_at = ends.map(|ends| ends.found_at.clone());
            edge.changed_since = is_changed;
            found.push(edge);
        }
        note_age_of_edges(session, &found, gone);
        Ok(found)
    }
}

fn note_age_of_edges(session: &Session<'_>, found: &[VirtualEdge], gone: usize) {
    const HOW: &str = "`knotwork federation generate-virtual-edges` finds them anew";
    if !found.is_empty() {
        let oldest = found.iter().map(|edge| edge.found_at.as_deref()).min();
        let since = oldest.flatten().unwrap_or("a time that is not known");
        let changed = found.iter().filter(|edge| edge.changed_since).count();
        let more = match changed {
            0 => String::new(),
            _ => format!("; of {changed} the code in this project has changed since"),
        };
        session.note(format!(
            "{} edges between repositories are as of {since}: other repositories were not read again{more}; {HOW}",
            found.len()
        ));
    }
    if gone > 0 {
        session.note(format!(
            "{gone} stored edges are left out: their code in this project is gone; {HOW}, with --sync it removes them"
        ));
    }
}

/// The current state of this project, read only as far as needed.
struct Present {
    state: String,
    contracts: Vec<Arc<Contract>>,
    hashes: Vec<(String, String)>,
    /// Contracts of other repositories, by which calls of these are recognized.
    others: Vec<Arc<Contract>>,
    ends: std::cell::OnceCell<OwnEnds>,
}

impl Present {
    fn read(session: &Session<'_>) -> Result<Present, EngineError> {
        let workspace = session.workspace();
        let index = FederationIndex::of_project(workspace);
        let own = own_contracts(session, index.as_deref())?;
        let hashes = own.contracts.iter();
        let mut hashes: Vec<(String, String)> = hashes
            .map(|one| (one.contract.path.clone(), one.hash.clone()))
            .collect();
        hashes.sort();
        let root = workspace.root().display().to_string();
        let others = index.iter().flat_map(|index| &index.repositories);
        let others = others.filter(|repository| repository.root != root);
        Ok(Present {
            state: state_of(session, &hashes)?,
            contracts: own.contracts.into_iter().map(|one| one.contract).collect(),
            hashes,
            others: others
                .flat_map(|repository| &repository.contracts)
                .map(|one| one.contract.clone())
                .collect(),
            ends: std::cell::OnceCell::new(),
        })
    }

    fn ends(&self, session: &Session<'_>) -> Result<&OwnEnds, EngineError> {
        if let Some(ends) = self.ends.get() {
            return Ok(ends);
        }
        let others: Vec<&Contract> = self.others.iter().map(|one| &**one).collect();
        let own = self.contracts.iter().map(|one| Contract::clone(one));
        let fuel = Fuel::new(session.workspace().cancel());
        let surface = read_surface(session, "", (own.collect(), &others), &fuel)?;
        let ends = OwnEnds::new(session, &[surface], &self.hashes)?;
        Ok(self.ends.get_or_init(|| ends))
    }

    /// Whether an end in this project is gone, and whether one has changed. Lines are set to the present ones.
    fn compare(
        &self,
        session: &Session<'_>,
        edge: &mut VirtualEdgeRecord,
        ends: &EdgeEnds,
    ) -> Result<(bool, bool), EngineError> {
        if ends.state == self.state {
            return Ok((false, false));
        }
        let present = self.ends(session)?;
        let detail = &mut edge.detail;
        let sides = [
            (
                (Role::Consumer, &ends.source, &edge.source_symbol),
                (&detail.source_file, &mut detail.source_line),
            ),
            (
                (Role::Provider, &ends.target, &edge.target_symbol),
                (&detail.target_file, &mut detail.target_line),
            ),
        ];
        let (mut is_gone, mut is_changed) = (false, false);
        for ((role, before, symbol), (file, line)) in sides {
            let Some(before) = before else { continue };
            let file = file.as_deref().unwrap_or("");
            let now = present.mark(role, file, symbol);
            let was_code = before.starts_with(OF_CODE);
            is_gone |= was_code && !now.starts_with(OF_CODE) || *before != now && now == NOTHING;
            is_changed |= *before != now;
            *line = present.line(role, file, symbol).or(*line);
        }
        Ok((is_gone, is_changed))
    }
}
