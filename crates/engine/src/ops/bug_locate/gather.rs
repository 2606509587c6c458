//! Evidence about every file, gathered from one source after the other.

use super::evidence::Evidence;
use super::request::{BugCandidate, FrameCount};
use crate::graph_state::GraphState;
use crate::ops::search as chunk_search;
use crate::session::Session;
use crate::{EngineError, SearchMode, SearchRequest};
use ::search::doc::FileRole;
use ::search::index::Index;
use ::search::rank::{FileWords, WeightedTerms, score_files};
use analysis::bug_locate::{Clues, Ranker, Tuning};
use ingest::history::History;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;
use store::{Name, NodeFlags};

/// The results of the search for the report.
const FOUND: usize = 60;
/// The most characters of the report used as a query: the ranking of search is made for short questions.
const MOST_QUERY: usize = 1_500;
/// The number of files of a search's results from whose nodes calls are followed.
const MOST_ANCHORS: u32 = 5;
/// The least sum of name scores that counts as a name found.
const LEAST_NAMES: f64 = 1e-3;
/// The number of definitions above which a name has no weight, even if few files have them.
const MOST_NODES: usize = 1_000;

/// Evidence by file.
pub(super) struct EvidenceCollector<'c> {
    pub clues: &'c Clues,
    pub tuning: &'c Tuning,
    /// Paths of all files in the graph or the chunk index.
    pub files: Arc<BTreeSet<String>>,
    pub evidence: BTreeMap<String, Evidence>,
    /// Nodes that the report leads to, by id, with their weights.
    pub anchors: BTreeMap<String, f64>,
    pub counts: FrameCount,
    pub warnings: Vec<String>,
    pub query: WeightedTerms,
    pub history: Option<History>,
    /// The chunks, where there is an index.
    pub index: Option<Arc<Index>>,
    /// A cache of definitions by name and by file.
    definition_cache: DefinitionCache,
}

/// Definitions that were looked up.
#[derive(Default)]
struct DefinitionCache {
    by_name: RefCell<BTreeMap<String, Rc<Vec<Name>>>>,
    by_file: RefCell<BTreeMap<String, Rc<Vec<Name>>>>,
    /// Texts of files without definitions.
    texts: RefCell<BTreeMap<String, Rc<str>>>,
}

/// The most texts that are kept.
const MOST_TEXTS: usize = 16;

impl<'c> EvidenceCollector<'c> {
    pub(super) fn new(
        state: &GraphState,
        clues: &'c Clues,
        tuning: &'c Tuning,
    ) -> Result<EvidenceCollector<'c>, EngineError> {
        let weights = &tuning.signals;
        let mut query = WeightedTerms::new(weights.compound);
        query.add(&clues.title, weights.title);
        for message in &clues.messages {
            query.add(message, weights.title);
        }
        for text in &clues.quoted {
            query.add(text, weights.quoted);
        }
        query.add(&clues.body, weights.body);
        let mut warnings = Vec::new();
        if crate::graph_state::is_manual_graph(&*state.store)? {
            warnings.push(crate::graph_state::BY_HAND.to_owned());
        }
        Ok(EvidenceCollector {
            clues,
            tuning,
            files: Arc::new(state.store.indexed_files()?.into_keys().collect()),
            evidence: BTreeMap::new(),
            anchors: BTreeMap::new(),
            counts: FrameCount::default(),
            warnings,
            query,
            history: None,
            index: None,
            definition_cache: DefinitionCache::default(),
        })
    }

    pub(super) fn evidence_of(&mut self, path: &str) -> &mut Evidence {
        self.evidence.entry(path.to_owned()).or_default()
    }

    pub(super) fn add_anchor(&mut self, id: &str, weight: f64) {
        let known = self.anchors.entry(id.to_owned()).or_default();
        *known = known.max(weight);
    }

    pub(super) fn frame_count(&self) -> FrameCount {
        self.counts
    }

    /// Scores files by the report's words, over the files and their chunks, and by a search for the report.
    pub(super) fn score_words(&mut self, session: &Session<'_>) -> Result<(), EngineError> {
        let from = match session.search_index() {
            Ok(from) => from,
            Err(error) => {
                self.warnings
                    .push(format!("the search by words failed: {error}"));
                return Ok(());
            }
        };
        Arc::make_mut(&mut self.files).extend(from.index.content_hashes().into_keys());
        self.index = Some(from.index.clone());
        let all = score_files(&from.index, &self.query);
        let source = |f: &&FileWords| f.role == FileRole::Source;
        let most = |of: fn(&FileWords) -> f32| -> f64 {
            let values = all.iter().filter(source).map(of);
            f64::from(values.fold(1e-6, f32::max))
        };
        let tops = [
            most(|f| f.file),
            most(|f| f.chunk),
            most(|f| f.best_chunks),
            most(|f| f.names),
        ];
        for file in &all {
            let share = |value: f32, top: f64| (f64::from(value) / top).min(1.0);
            let (places, reasons) = (&self.tuning.places, &self.tuning.reasons);
            let found = self.evidence_of(&file.path);
            found.aside = file.role != FileRole::Source;
            let signals = &mut found.signals;
            signals.words = share(file.file, tops[0]);
            signals.best_chunk = share(file.chunk, tops[1]);
            signals.best_chunks = share(file.best_chunks, tops[2]);
            signals.names = if tops[3] > LEAST_NAMES {
                share(file.names, tops[3])
            } else {
                0.0
            };
            let (chunk, names) = (signals.best_chunk, signals.names);
            found.note_location(file.lines, places.best_chunk * chunk);
            if chunk > reasons.best_chunk_least {
                let lines = format!("{}-{}", file.lines.0, file.lines.1);
                found.add_reason(
                    reasons.best_chunk * chunk,
                    format!("words of the report at lines {lines}"),
                );
            }
            if names > reasons.names_least {
                found.add_reason(
                    reasons.names * names,
                    "uses names from the report".to_owned(),
                );
            }
        }
        self.score_search_hits(session)
    }

    fn score_search_hits(&mut self, session: &Session<'_>) -> Result<(), EngineError> {
        let query = format!("{}\n{}", self.clues.title, self.clues.body);
        let request = SearchRequest {
            query: query.chars().take(MOST_QUERY).collect(),
            mode: SearchMode::Hybrid,
            kind: Vec::new(),
            path: None,
            limit: FOUND,
            min_relevance: 0.0,
            no_snippet: true,
        };
        let filter = ::search::Filter::default();
        let answer = chunk_search::search_open_graph(session, &request, &filter, FOUND)?;
        let mut place = 0_u32;
        let tuning = self.tuning;
        for result in answer.results {
            let found = self.evidence_of(&result.file_path);
            if found.signals.search == 0.0 {
                found.signals.search = 1.0 / (1.0 + f64::from(place) / tuning.signals.search_half);
                place += 1;
            }
            let weight = found.signals.search;
            found.note_location(
                (result.line_start, result.line_end),
                tuning.places.search * weight,
            );
            if place <= MOST_ANCHORS
                && let Some(id) = &result.id
            {
                self.add_anchor(id, tuning.signals.near_search * weight);
            }
        }
        Ok(())
    }

    /// Scores files by names in the report that are defined here.
    pub(super) fn score_names(&mut self, state: &GraphState) -> Result<(), EngineError> {
        let tuning = self.tuning;
        for name in &self.clues.names {
            let mut nodes = self.definitions_of(state, name)?;
            if nodes.is_empty()
                && let Some((_, last)) = name.rsplit_once('.')
            {
                nodes = self.definitions_of(state, last)?;
            }
            if nodes.len() > MOST_NODES {
                continue;
            }
            let mut files: Vec<&str> = nodes.iter().map(|n| n.file_path.as_str()).collect();
            files.sort_unstable();
            files.dedup();
            if files.is_empty() || files.len() > tuning.signals.most_defined {
                continue;
            }
            let weight = 1.0 / (files.len() as f64).sqrt();
            for node in nodes.iter() {
                let lines = (node.line_start.unwrap_or(1), node.line_end.unwrap_or(1));
                let line = lines.0;
                self.add_anchor(&node.id, tuning.signals.near_defined * weight);
                let found = self.evidence_of(&node.file_path);
                found.signals.defined = found.signals.defined.max(weight);
                found.note_location(lines, tuning.places.defined * weight);
                // `warnings.warn` may be that of another module.
                let reason = if matches_dotted_name(node, name) {
                    format!("defines {name} at line {line}")
                } else {
                    format!(
                        "defines {} at line {line}, of {name}",
                        node.qualified_or_symbol()
                    )
                };
                found.add_reason(tuning.reasons.defined * weight, reason);
            }
        }
        Ok(())
    }

    pub(super) fn definitions_of(
        &self,
        state: &GraphState,
        name: &str,
    ) -> Result<Rc<Vec<Name>>, EngineError> {
        if let Some(known) = self.definition_cache.by_name.borrow().get(name) {
            return Ok(known.clone());
        }
        let mut nodes = state.names().by_symbol(name)?;
        nodes.retain(|n| {
            n.kind != "file"
                && !n.flags.contains(NodeFlags::LOCAL)
                && n.kind != "parameter"
                && !n.flags.contains(NodeFlags::TEST)
                && !base::is_test_path(&n.file_path)
        });
        let nodes = Rc::new(nodes);
        let mut known = self.definition_cache.by_name.borrow_mut();
        known.insert(name.to_owned(), nodes.clone());
        Ok(nodes)
    }

    /// The innermost definition around a line.
    pub(super) fn enclosing_definition(
        &self,
        state: &GraphState,
        path: &str,
        line: u32,
    ) -> Result<Option<Name>, EngineError> {
        Ok(innermost(&self.definitions_in(state, path)?, line))
    }

    /// The definitions of a file.
    pub(super) fn definitions_in(
        &self,
        state: &GraphState,
        path: &str,
    ) -> Result<Rc<Vec<Name>>, EngineError> {
        if let Some(nodes) = self.definition_cache.by_file.borrow().get(path) {
            return Ok(nodes.clone());
        }
        let nodes = Rc::new(state.names().by_file(path)?);
        let mut known = self.definition_cache.by_file.borrow_mut();
        known.insert(path.to_owned(), nodes.clone());
        Ok(nodes)
    }

    /// The text of a file, read once; none where too many have been read.
    pub(super) fn text_of(
        &self,
        path: &str,
        read: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Option<Rc<str>> {
        let mut known = self.definition_cache.texts.borrow_mut();
        if let Some(text) = known.get(path) {
            return Some(text.clone());
        }
        if known.len() >= MOST_TEXTS {
            return None;
        }
        let text: Rc<str> = String::from_utf8_lossy(&read()?).into();
        known.insert(path.to_owned(), text.clone());
        Some(text)
    }

    /// The likeliest files, at most `top`.
    pub(super) fn rank(&self, ranker: Ranker, top: usize) -> Vec<BugCandidate> {
        let tuning = self.tuning;
        let mut all: Vec<(f64, &String)> = self
            .evidence
            .iter()
            .filter(|(path, _)| self.files.contains(*path) || self.files.is_empty())
            .map(|(path, found)| {
                let named = found.signals.frame.max(found.signals.path) > 0.0;
                let aside = found.aside || base::is_test_path(path);
                let part = if aside && !named {
                    tuning.signals.aside
                } else {
                    1.0
                };
                // The designed formula has no such part.
                let part = match ranker {
                    Ranker::Design => 1.0,
                    Ranker::Evidence => part,
                };
                (part * ranker.confidence(&found.signals, tuning), path)
            })
            .filter(|(confidence, _)| *confidence > tuning.signals.least_confidence)
            .collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
        all.truncate(top);
        let round = |value: f64| (value * 1_000.0).round() / 1_000.0;
        let ranked = all.into_iter().enumerate();
        let candidate = |(at, (confidence, path)): (usize, (f64, &String))| {
            let found = &self.evidence[path];
            let mut scores = found.signals.scores();
            for score in [
                &mut scores.call_chain,
                &mut scores.history,
                &mut scores.hotspot,
                &mut scores.error_pattern,
            ] {
                *score = round(*score);
            }
            BugCandidate {
                rank: at + 1,
                file_path: path.clone(),
                line_range: found.spot.as_ref().map_or((1, 1), |spot| spot.lines),
                symbol: None,
                confidence: round(confidence),
                reason: found.summary(),
                is_hotspot: false,
                last_modified: found.last_changed.map(text::date::utc),
                scores,
                impact: None,
                signals: Some(found.signals),
            }
        };
        ranked.map(candidate).collect()
    }

    /// Adds the definition at the candidate's place.
    pub(super) fn describe_candidate(
        &self,
        state: &GraphState,
        candidate: &mut BugCandidate,
        hot_from: f64,
    ) -> Result<(), EngineError> {
        let (from, to) = candidate.line_range;
        let middle = from + (to.saturating_sub(from)) / 2;
        let node = match self.enclosing_definition(state, &candidate.file_path, from)? {
            Some(node) => Some(node),
            None => self.enclosing_definition(state, &candidate.file_path, middle)?,
        };
        candidate.symbol = node.map(|node| node.qualified_or_symbol().to_owned());
        candidate.is_hotspot = self.evidence[&candidate.file_path].signals.hot >= hot_from;
        if candidate.reason.is_empty() {
            candidate.reason = "words of the report".to_owned();
        }
        Ok(())
    }

    /// The least heat of the hottest tenth of the files.
    pub(super) fn hotspot_threshold(&self) -> f64 {
        let mut heats: Vec<f64> = self.evidence.values().map(|f| f.signals.hot).collect();
        heats.retain(|heat| *heat > 0.0);
        heats.sort_by(|a, b| b.total_cmp(a));
        heats.get(heats.len() / 10).copied().unwrap_or(f64::MAX)
    }
}

/// Whether a dotted name may mean a definition: a part before the last one occurs in the path or the qualified name of the
/// definition.
fn matches_dotted_name(node: &Name, name: &str) -> bool {
    let Some((before, _)) = name.rsplit_once('.') else {
        return true;
    };
    let parts = |text: &str| -> Vec<String> {
        let parts = text.split(['.', '/', ':']).filter(|part| !part.is_empty());
        parts.map(str::to_lowercase).collect()
    };
    let (path, qualified) = (parts(&node.file_path), parts(node.qualified_or_symbol()));
    let there = |part: &String| path.contains(part) || qualified.contains(part);
    parts(before).iter().any(there)
}

/// The innermost of a file's definitions around a line.
fn innermost(nodes: &[Name], line: u32) -> Option<Name> {
    let holds = |node: &&Name| {
        node.kind != "file"
            && !node.flags.contains(NodeFlags::LOCAL)
            && node.kind != "parameter"
            && node.line_start.is_some_and(|from| from <= line)
            && node.line_end.is_some_and(|to| to >= line)
    };
    let size = |n: &Name| {
        n.line_end
            .unwrap_or(0)
            .saturating_sub(n.line_start.unwrap_or(0))
    };
    let inner = nodes.iter().filter(holds);
    inner.min_by_key(|n| (size(n), n.line_start)).cloned()
}
