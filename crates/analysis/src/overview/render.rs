//! An overview as Mermaid.

use super::Overview;
use super::pieces::{Piece, PieceKind};
use crate::mermaid;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Heat from which a piece is hot, and from which it is warm.
pub(super) const HOT: f64 = 0.7;
pub(super) const WARM: f64 = 0.4;

/// The colour of a heat; `None` for a cold piece.
pub(super) fn heat_color(heat: f64) -> Option<&'static str> {
    match heat {
        h if h >= HOT => Some("#ff6b6b"),
        h if h >= WARM => Some("#ffd93d"),
        _ => None,
    }
}

pub(super) fn render_mermaid(overview: &Overview) -> String {
    let mut out = String::from("graph LR\n");
    if overview.pieces.is_empty() {
        out.push_str("  n0[\"nothing to show\"]\n");
        return out;
    }
    let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (number, piece) in overview.pieces.iter().enumerate() {
        groups.entry(&piece.group).or_default().push(number);
    }
    for (at, (group, members)) in groups.iter().enumerate() {
        // A frame around a single piece adds nothing.
        let framed = !group.is_empty() && members.len() > 1;
        if framed {
            let _ = writeln!(
                out,
                "  subgraph g{at}[\"{}\"]",
                mermaid::escape_label(group)
            );
        }
        for number in members {
            let piece = &overview.pieces[*number];
            let alone = !group.is_empty() && !framed;
            let indent = if framed { "    " } else { "  " };
            let _ = writeln!(
                out,
                "{indent}{}",
                node_line(overview, *number, piece, alone)
            );
        }
        if framed {
            out.push_str("  end\n");
        }
    }
    for edge in &overview.edges {
        let weight = edge.weight.total();
        let _ = writeln!(out, "  n{} -->|{weight}| n{}", edge.from, edge.to);
    }
    write_styles(&mut out, overview);
    if overview.edges_folded > 0 {
        let _ = writeln!(
            out,
            "  %% {} edges with less weight are not drawn",
            overview.edges_folded
        );
    }
    out
}

/// `n3["label<br/>12 files · 3400 lines"]`; a piece outside of the module has round corners.
fn node_line(overview: &Overview, number: usize, piece: &Piece, alone: bool) -> String {
    let name = match (alone, piece.kind) {
        (true, PieceKind::File | PieceKind::Folder) => full_label(piece),
        _ => piece.label.clone(),
    };
    let mut label = mermaid::escape_label(&name);
    let mut facts = Vec::new();
    if !piece.symbol_kind.is_empty() {
        facts.push(piece.symbol_kind.replace('_', " "));
    }
    if piece.files > 1 {
        facts.push(format!("{} files", piece.files));
    }
    let noun = if piece.lines == 1 { "line" } else { "lines" };
    facts.push(format!("{} {noun}", piece.lines));
    if overview.complexity && piece.complexity > 0 {
        facts.push(format!("complexity {}", piece.complexity));
    }
    let _ = write!(label, "<br/>{}", facts.join(" · "));
    match piece.kind {
        PieceKind::Outside | PieceKind::Rest => format!("n{number}(\"{label}\")"),
        _ => format!("n{number}[\"{label}\"]"),
    }
}

/// The label with the group before it.
fn full_label(piece: &Piece) -> String {
    if piece.label.starts_with(&piece.group) || piece.label == "." {
        piece.label.clone()
    } else if piece.group.ends_with(&piece.label) {
        piece.group.clone()
    } else {
        format!("{}/{}", piece.group, piece.label)
    }
}

/// Colours of hot and warm pieces, as classes, and the dashes of folded ones. The classes stand there even if no piece is
/// hot, so that a reader can tell that from a picture without hotspots.
fn write_styles(out: &mut String, overview: &Overview) {
    let color = |piece: &Piece| heat_color(piece.heat).filter(|_| overview.hotspots);
    let numbered = || overview.pieces.iter().enumerate();
    for (class, heat) in [("hot", HOT), ("warm", WARM)] {
        let Some(own) = heat_color(heat).filter(|_| overview.hotspots) else {
            continue;
        };
        let _ = writeln!(out, "  classDef {class} fill:{own},color:#000");
        let members = numbered().filter(|(_, piece)| color(piece) == Some(own));
        let members: Vec<String> = members.map(|(number, _)| format!("n{number}")).collect();
        if !members.is_empty() {
            let _ = writeln!(out, "  class {} {class}", members.join(","));
        }
    }
    for (number, piece) in numbered() {
        let is_folded = matches!(piece.kind, PieceKind::Outside | PieceKind::Rest);
        if is_folded && color(piece).is_none() {
            let _ = writeln!(out, "  style n{number} stroke-dasharray:4 4");
        }
    }
}
