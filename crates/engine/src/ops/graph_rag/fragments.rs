//! Fragments from anchors and their neighbours, with the tokens that each costs.

use super::anchors::Anchor;
use super::answer::{CandidateEdge, CandidateSource, ContextCandidate};
use super::near::{NearNode, display_name};
use super::render;
use super::render::Shape;
use super::scale;
use super::sources::Sources;
use super::weights::Weights;
use crate::ops::rerank::Ranked;
use search::prune::{Chosen, Fragment, Outline, TokenCosts, priority, render_skeleton};
use std::collections::BTreeMap;
use store::{GraphStore, NodeRecord, SqliteStore};

/// The most lines of a definition that is shown whole; of a longer one the matching chunk is shown.
const MAX_WHOLE: u32 = 80;

/// The most names listed of other definitions in the same lines.
const MAX_ALSO: usize = 6;

/// A placeholder for the tokens, with at least as many digits as any real value.
const ANY_PRICE: usize = 99_999;

/// A fragment before the choice.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    path: String,
    start: u32,
    end: u32,
    symbol: String,
    kind: String,
    /// The id of the definition's node, for its skeleton.
    id: Option<String>,
    also: Vec<String>,
    relevance: f64,
    hotspot: f64,
    distance: u32,
    preference: f64,
    priority: f64,
    source: CandidateSource,
    via: Option<CandidateEdge>,
    /// The language model's score, and its reason.
    rerank_score: Option<f64>,
    rerank_reason: Option<String>,
}

impl Draft {
    pub(super) fn from_anchor(
        anchor: &Anchor,
        sources: &mut Sources<'_>,
        weights: &Weights,
    ) -> Draft {
        let (mut start, mut end) = (anchor.start, anchor.end);
        let only = match &anchor.nodes[..] {
            [(node, _)] => Some(node),
            _ => None,
        };
        if let Some((from, to)) = only.and_then(|n| n.line_start.zip(n.line_end))
            && from <= start
            && end <= to
            && to - from < MAX_WHOLE
        {
            (start, end) = (from, to);
        }
        Draft {
            start: sources.first_comment_line(&anchor.path, start),
            end,
            path: anchor.path.clone(),
            symbol: anchor.symbol.clone(),
            kind: anchor.kind.clone(),
            id: only.map(|node| node.id.clone()),
            also: anchor
                .nodes
                .iter()
                .map(|(node, _)| display_name(node))
                .collect(),
            relevance: anchor.relevance,
            hotspot: 0.0,
            distance: 1,
            preference: 0.0,
            priority: 0.0,
            source: anchor.source,
            via: None,
            rerank_score: None,
            rerank_reason: None,
        }
        .with_priority(weights)
    }

    pub(super) fn from_near(
        near: &NearNode,
        sources: &mut Sources<'_>,
        weights: &Weights,
    ) -> Draft {
        let node = &near.node;
        let from = node.line_start.unwrap_or(0);
        let to = node.line_end.unwrap_or(from).max(from);
        let whole = node.kind != "file" && to - from < MAX_WHOLE;
        let (start, end) = match (whole, near.chunk) {
            (true, _) => (sources.first_comment_line(&node.file_path, from), to),
            (false, Some(chunk)) => chunk,
            (false, None) => (near.line, near.line.saturating_add(MAX_WHOLE - 1).min(to)),
        };
        Draft {
            path: node.file_path.clone(),
            start,
            end,
            symbol: display_name(node),
            kind: node.kind.clone(),
            id: Some(node.id.clone()),
            also: Vec::new(),
            relevance: near.relevance,
            hotspot: 0.0,
            distance: near.hops + 1,
            preference: 0.0,
            priority: 0.0,
            source: CandidateSource::Graph,
            via: Some(near.via.clone()),
            rerank_score: None,
            rerank_reason: None,
        }
        .with_priority(weights)
    }

    /// The path of the file.
    pub(super) fn path(&self) -> &str {
        &self.path
    }

    /// The place, such as `src/a.py:10-20`.
    pub(super) fn location(&self) -> String {
        format!("{}:{}-{}", self.path, self.start, self.end)
    }

    /// The lines of the fragment.
    pub(super) fn text(&self, sources: &mut Sources<'_>) -> String {
        let text = sources.text(&self.path, self.start, self.end);
        text.unwrap_or_default()
    }

    fn with_priority(mut self, weights: &Weights) -> Draft {
        self.hotspot = scale::weighted_hotspot(weights.hotspot(&self.path), self.relevance);
        self.preference = weights.preference_bonus(&self.path, &self.symbol);
        self.priority = priority(self.relevance, self.hotspot, self.distance) + self.preference;
        self
    }
}

/// Sorts drafts by priority, or by a language model's order.
pub(super) fn sort_drafts(
    drafts: &mut Vec<Draft>,
    order: impl FnOnce(&[Draft]) -> Option<Vec<Ranked>>,
) {
    drafts.sort_by(|a, b| b.priority.total_cmp(&a.priority));
    if let Some(order) = order(drafts) {
        let judged = |ranked: Ranked| Draft {
            rerank_score: ranked.score,
            rerank_reason: ranked.reason,
            ..drafts[ranked.index].clone()
        };
        let first: Vec<Draft> = order.into_iter().map(judged).collect();
        drafts.splice(..first.len(), first);
    }
}

/// All drafts, with the sources that they are read from.
pub(super) struct Drafts<'d, 'p> {
    drafts: &'d [Draft],
    sources: &'d mut Sources<'p>,
    store: &'d SqliteStore,
    shape: Shape,
    with_skeletons: bool,
}

impl<'d, 'p> Drafts<'d, 'p> {
    pub(super) fn new(
        drafts: &'d [Draft],
        sources: &'d mut Sources<'p>,
        store: &'d SqliteStore,
        (shape, with_skeletons): (Shape, bool),
    ) -> Drafts<'d, 'p> {
        Drafts {
            drafts,
            sources,
            store,
            shape,
            with_skeletons,
        }
    }

    /// The fragments to choose from, with files as numbers.
    pub(super) fn fragments(&self) -> Vec<Fragment> {
        let mut files: BTreeMap<&str, usize> = BTreeMap::new();
        let number = |(at, draft): (usize, &'d Draft)| {
            let next = files.len();
            // Without known lines a fragment overlaps nothing, so it gets a file number of its own.
            let apart = (draft.end == 0).then_some(usize::MAX - at);
            Fragment {
                file: apart.unwrap_or(*files.entry(&draft.path).or_insert(next)),
                start: draft.start,
                end: draft.end,
                // The drafts are already in order.
                priority: -(at as f64),
            }
        };
        self.drafts.iter().enumerate().map(number).collect()
    }

    /// The chosen lines as a candidate of the answer.
    pub(super) fn build_candidate(&mut self, lines: &Chosen) -> ContextCandidate {
        let first = &self.drafts[lines.members[0]];
        let snippet = if lines.skeleton {
            self.outline(first)
        } else {
            self.sources.text(&first.path, lines.start, lines.end)
        };
        let round = |value: f64| (value * 1000.0).round() / 1000.0;
        ContextCandidate {
            file_path: first.path.clone(),
            line_start: lines.start,
            line_end: lines.end,
            symbol: first.symbol.clone(),
            kind: first.kind.clone(),
            relevance_score: round(first.relevance),
            hotspot: round(first.hotspot),
            distance: first.distance,
            preference: round(first.preference),
            priority: round(first.priority),
            tokens: lines.tokens,
            rerank_score: first.rerank_score,
            rerank_reason: first.rerank_reason.clone(),
            source: first.source,
            via: first.via.clone(),
            also: self.other_definitions(lines),
            imports: Vec::new(),
            skeleton: lines.skeleton,
            snippet: snippet.unwrap_or_default(),
        }
    }

    /// Names of the other definitions in the lines.
    fn other_definitions(&self, lines: &Chosen) -> Vec<String> {
        let first = &self.drafts[lines.members[0]];
        let mut all: Vec<String> = Vec::new();
        for member in &lines.members {
            let draft = &self.drafts[*member];
            for name in std::iter::once(&draft.symbol).chain(&draft.also) {
                if *name != first.symbol && !name.is_empty() && !all.contains(name) {
                    all.push(name.clone());
                }
            }
        }
        all.truncate(MAX_ALSO);
        all
    }

    fn outline(&self, draft: &Draft) -> Option<String> {
        let node = self.store.node(draft.id.as_ref()?).ok()??;
        let members = self.store.find_file(&node.file_path).ok()?;
        let inside = |member: &&NodeRecord| {
            let name = member.qualified_name.as_deref().unwrap_or("");
            let own = node.qualified_name.as_ref().unwrap_or(&node.symbol);
            name.rsplit_once('.').is_some_and(|(home, _)| home == own)
        };
        render_skeleton(&Outline {
            members: members
                .iter()
                .filter(inside)
                .filter_map(|member| member.signature.clone())
                .collect(),
            signature: node.signature?,
            doc: node.doc.unwrap_or_default(),
        })
    }
}

impl TokenCosts for Drafts<'_, '_> {
    fn full_cost(&mut self, lines: &Chosen) -> usize {
        let candidate = self.build_candidate(&Chosen {
            tokens: ANY_PRICE,
            ..lines.clone()
        });
        render::candidate_tokens(&candidate, self.shape)
    }

    fn skeleton(&mut self, fragment: usize) -> Option<usize> {
        if !self.with_skeletons {
            return None;
        }
        let draft = &self.drafts[fragment];
        self.outline(draft)?;
        Some(self.full_cost(&Chosen {
            file: 0,
            start: draft.start,
            end: draft.end,
            members: vec![fragment],
            skeleton: true,
            tokens: ANY_PRICE,
        }))
    }
}
