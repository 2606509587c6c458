//! An overview as nodes and links for D3.

use super::Overview;
use super::render::heat_color;
use serde::Serialize;
use std::collections::BTreeSet;

/// A node.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct D3Node {
    /// A path, `path#symbol`, or `…` for folded parts: unique.
    pub id: String,
    /// Label.
    pub label: String,
    /// Id of its [`D3Group`]; empty for none.
    pub group: String,
    /// package, folder, file, symbol, rest or outside.
    pub kind: &'static str,
    /// Files in it.
    #[serde(skip_serializing_if = "is_zero")]
    pub files: usize,
    /// Lines.
    pub lines: u64,
    /// Heat, 0–1, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hotspot: Option<f64>,
    /// Colour of that heat.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<&'static str>,
    /// Sum of the cyclomatic complexity of its functions, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub complexity: Option<u64>,
    /// Parts that are folded into it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folded: Option<Folded>,
}

/// Parts that a folded node stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Folded {
    /// Number of parts.
    pub count: usize,
    /// The first few names.
    pub names: Vec<String>,
}

/// A link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct D3Link {
    /// Id of the node that uses.
    pub source: String,
    /// Id of the node that is used.
    pub target: String,
    /// The most frequent edge type of the uses.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Number of uses.
    pub weight: u32,
    /// Number of these uses that are calls or mentions.
    pub calls: u32,
    /// Imports.
    pub imports: u32,
    /// Writes.
    pub writes: u32,
}

/// A group of nodes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct D3Group {
    /// As in [`D3Node::group`].
    pub id: String,
    /// Number of nodes.
    pub nodes: usize,
}

/// Facts about the picture: its time, level and size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct D3Metadata {
    /// The time, in UTC (ISO 8601).
    pub generated_at: String,
    /// The level, 1–3.
    pub level: u32,
    /// The number of nodes.
    pub total_nodes: usize,
    /// The number of links.
    pub total_edges: usize,
    /// The module that is shown in detail.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub module: String,
    /// The number of files in the picture.
    pub files: usize,
    /// Links left out because they are light.
    pub edges_folded: usize,
    /// Files and definitions without a node of their own.
    pub nodes_folded: usize,
}

/// The picture.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OverviewD3 {
    /// Nodes.
    pub nodes: Vec<D3Node>,
    /// Links.
    pub links: Vec<D3Link>,
    /// Groups by name.
    pub groups: Vec<D3Group>,
    /// Facts about the picture.
    pub metadata: D3Metadata,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

pub(super) fn to_d3(overview: &Overview, generated_at: &str) -> OverviewD3 {
    let ids = unique_ids(overview);
    let nodes = overview.pieces.iter().zip(&ids).map(|(piece, id)| {
        let heat = (piece.heat * 1000.0).round() / 1000.0;
        let (names, count) = &piece.folded;
        D3Node {
            id: id.clone(),
            label: piece.label.clone(),
            group: piece.group.clone(),
            kind: piece.kind.as_str(),
            files: piece.files,
            lines: piece.lines,
            hotspot: overview.hotspots.then_some(heat),
            color: heat_color(piece.heat).filter(|_| overview.hotspots),
            complexity: overview.complexity.then_some(piece.complexity),
            folded: (*count > 0).then(|| Folded {
                count: *count,
                names: names.clone(),
            }),
        }
    });
    let links = overview.edges.iter().map(|edge| D3Link {
        source: ids[edge.from as usize].clone(),
        target: ids[edge.to as usize].clone(),
        kind: edge.weight.dominant_kind(),
        weight: edge.weight.total(),
        calls: edge.weight.calls,
        imports: edge.weight.imports,
        writes: edge.weight.writes,
    });
    let names: BTreeSet<&str> = overview.pieces.iter().map(|p| p.group.as_str()).collect();
    let groups = names.into_iter().filter(|name| !name.is_empty());
    let groups = groups.map(|name| D3Group {
        id: name.to_owned(),
        nodes: overview.pieces.iter().filter(|p| p.group == name).count(),
    });
    OverviewD3 {
        nodes: nodes.collect(),
        links: links.collect(),
        groups: groups.collect(),
        metadata: D3Metadata {
            generated_at: generated_at.to_owned(),
            level: overview.level.number(),
            total_nodes: overview.pieces.len(),
            total_edges: overview.edges.len(),
            module: overview.module.clone(),
            files: overview.files,
            edges_folded: overview.edges_folded,
            nodes_folded: overview.pieces.iter().map(|p| p.folded.1).sum(),
        },
    }
}

/// Ids; equal ones (overloads) get different suffixes.
fn unique_ids(overview: &Overview) -> Vec<String> {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let pieces = overview.pieces.iter();
    pieces
        .map(|piece| {
            let mut id = piece.id.clone();
            let mut number = 2;
            while !seen.insert(id.clone()) {
                id = format!("{}~{number}", piece.id);
                number += 1;
            }
            id
        })
        .collect()
}
