//! Virtual edges on the way of a call chain or an impact.

use super::ends::StoredEdges;
use super::published::PublishedEdges;
use super::repositories::local_name;
use super::{VirtualEdge, edges, links};
use crate::EngineError;
use crate::session::Session;
use analysis::{
    AnalysisError, CallChain, ChainEdge, ChainNode, EntryPath, Graph, Impact, LinkedGraph,
    VirtualLink,
};
use base::Tier;
use contract::link::{FoundLinks, Link};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The most edges that are listed with an answer.
const MOST_LISTED: usize = 30;

/// The least confidence of the edges that are crossed, unless the question asks for virtual edges.
const LEAST_BY_DEFAULT: f64 = 0.7;

/// The edges that a question may cross.
pub(crate) struct Crossing {
    name: String,
    found: Arc<FoundLinks>,
    /// Least confidence of an edge.
    least: f64,
    arcs: Vec<VirtualLink>,
    /// Stored edges between repositories, if these were asked for.
    stored: StoredEdges,
}

impl Crossing {
    /// Loads the edges within this project, unless they are switched off (`Some(false)`). If virtual edges were asked for
    /// (`Some(true)`), loads less certain edges as well, and those to other repositories.
    pub(crate) fn load(
        session: &Session<'_>,
        asked: Option<bool>,
    ) -> Result<Crossing, EngineError> {
        let least = match asked {
            Some(_) => 0.0,
            None => LEAST_BY_DEFAULT,
        };
        let Sources {
            name,
            found,
            stored,
        } = Sources::read(session, asked, least)?;
        let arcs = found
            .links
            .iter()
            .filter(|link| !link.target.is_contract && link.confidence.total >= least);
        let arcs = arcs.map(|link| VirtualLink {
            source: link.source.place.id.clone(),
            target: link.target.place.id.clone(),
            confidence: link.confidence.total,
            line: link.at.1,
        });
        Ok(Crossing {
            arcs: arcs.collect(),
            name,
            found,
            least,
            stored,
        })
    }

    /// Runs an analysis on the graph with the links.
    pub(crate) fn on_graph<T>(
        &self,
        session: &Session<'_>,
        ids: &[String],
        run: impl FnOnce(&dyn Graph, &[u32]) -> Result<T, AnalysisError>,
    ) -> Result<T, EngineError> {
        if self.arcs.is_empty() {
            return session.on_graph(ids, run);
        }
        session.on_graph(ids, |graph, keys| {
            run(&LinkedGraph::new(graph, &self.arcs), keys)
        })
    }

    /// Adds its evidence to each virtual step of an impact.
    pub(crate) fn explain_impact(&self, impact: &mut Impact) {
        let by_call = self.links_by_call();
        for one in &mut impact.affected {
            let edge = &mut one.edge;
            if edge.tier == Tier::Virtual {
                let file = edge.file_path.as_deref().unwrap_or(&one.file_path);
                edge.evidence = by_call.evidence(file, edge.line, &edge.to);
            }
        }
    }

    /// Adds its evidence to each virtual step of a call chain.
    pub(crate) fn explain_chain(&self, chain: &mut CallChain) {
        let by_call = self.links_by_call();
        for target in &mut chain.paths {
            by_call.explain_below(target);
        }
        let ways = chain
            .usage
            .iter_mut()
            .flat_map(|usage| &mut usage.entry_paths);
        for way in ways {
            by_call.explain_way(way);
        }
    }

    fn links_by_call(&self) -> LinksByCall<'_> {
        let mut found: FxHashMap<(&str, u32, &str), &Link> = FxHashMap::default();
        for link in self.found.links.iter().filter(|_| !self.arcs.is_empty()) {
            let target = last_name(&link.target.place.symbol);
            let key = (link.source.place.file_path.as_str(), link.at.1, target);
            let best = found.entry(key).or_insert(link);
            if link.confidence.total > best.confidence.total {
                *best = link;
            }
        }
        LinksByCall(found)
    }

    /// The edges between definitions that an answer names, and those from these to other repositories. `named` are names
    /// with their files.
    pub(crate) fn listed(
        &self,
        session: &Session<'_>,
        named: &BTreeSet<(&str, &str)>,
    ) -> Result<Vec<VirtualEdge>, EngineError> {
        let is_named = |symbol: &str, file: &str| named.contains(&(symbol, file));
        let within = self.found.links.iter().filter(|link| {
            let (source, target) = (&link.source.place, &link.target.place);
            link.confidence.total >= self.least
                && is_named(&source.symbol, &source.file_path)
                && is_named(&target.symbol, &target.file_path)
        });
        let mut found: Vec<VirtualEdge> = within
            .map(|link| {
                let mut record = edges::to_record(link);
                record.source_repo.clone_from(&self.name);
                record.target_repo.clone_from(&self.name);
                VirtualEdge::new(record)
            })
            .collect();
        let symbols: BTreeSet<&str> = named.iter().map(|(symbol, _)| *symbol).collect();
        let across = self.stored.edges.iter().filter(|edge| {
            let file = edge.detail.target_file.as_deref().unwrap_or_default();
            let (from, to) = self.stored.own_ends(edge);
            from && symbols.contains(&*edge.source_symbol)
                || to && is_named(&edge.target_symbol, file)
        });
        let across = across.take(MOST_LISTED).cloned().collect();
        found.extend(self.stored.check(session, across)?);
        super::sort_edges(&mut found);
        found.truncate(MOST_LISTED);
        Ok(found)
    }
}

/// The edges that are read for a question.
struct Sources {
    name: String,
    found: Arc<FoundLinks>,
    stored: StoredEdges,
}

impl Sources {
    fn read(
        session: &Session<'_>,
        asked: Option<bool>,
        least: f64,
    ) -> Result<Sources, EngineError> {
        let with_others = asked == Some(true);
        if session.is_shared() && asked != Some(false) {
            // Links are otherwise read from the project's files, which need not be those of a shared graph.
            let published = PublishedEdges::read(session, least)?;
            let found = Arc::new(published.links(session)?);
            let across = if with_others {
                published.across
            } else {
                Vec::new()
            };
            return Ok(Sources {
                found,
                stored: StoredEdges::published(published.name.clone(), across),
                name: published.name,
            });
        }
        Ok(Sources {
            name: local_name(session.workspace()),
            found: match asked {
                Some(false) => Arc::default(),
                Some(true) | None => links::local_links(session)?,
            },
            stored: if with_others {
                StoredEdges::read(session)?
            } else {
                StoredEdges::none()
            },
        })
    }
}

/// Links by the file and line of their call and the last name of their target. Of several, the most certain one.
struct LinksByCall<'l>(FxHashMap<(&'l str, u32, &'l str), &'l Link>);

fn last_name(symbol: &str) -> &str {
    symbol.rsplit(['.', '/']).next().unwrap_or(symbol)
}

impl LinksByCall<'_> {
    /// The evidence of the link from a call to a target of that name.
    fn evidence(&self, file: &str, line: Option<u32>, target: &str) -> Option<String> {
        let found = self.0.get(&(file, line?, last_name(target)))?;
        Some(found.evidence.join("; "))
    }

    fn explain_below(&self, node: &mut ChainNode) {
        let (own_file, own_name) = (node.file_path.clone(), node.symbol_name.clone());
        for caller in node.callers.iter_mut().flatten() {
            let file = caller.file_path.clone();
            self.explain_edge(caller.edge.as_mut(), &file, &own_name);
            self.explain_below(caller);
        }
        for callee in node.callees.iter_mut().flatten() {
            let name = callee.symbol_name.clone();
            self.explain_edge(callee.edge.as_mut(), &own_file, &name);
            self.explain_below(callee);
        }
    }

    /// The edge of a step leads to the next one.
    fn explain_way(&self, way: &mut EntryPath) {
        for at in 1..way.steps.len() {
            let name = way.steps[at].symbol_name.clone();
            let file = way.steps[at - 1].file_path.clone();
            self.explain_edge(way.steps[at - 1].edge.as_mut(), &file, &name);
        }
    }

    fn explain_edge(&self, edge: Option<&mut ChainEdge>, file: &str, target: &str) {
        if let Some(edge) = edge.filter(|edge| edge.tier == Tier::Virtual) {
            let file = edge.file_path.as_deref().unwrap_or(file);
            edge.evidence = self.evidence(file, edge.line, target);
        }
    }
}
