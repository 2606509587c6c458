//! An impact as Markdown and as a Mermaid diagram.

use crate::{Affected, Impact, mermaid_label};
use std::fmt::Write;

/// A heading, a line of summary and a table.
pub fn to_markdown(impact: &Impact) -> String {
    let mut out = format!("# Impact of {}\n\n", inline_code(&impact.root));
    let _ = writeln!(
        out,
        "{} affected ({} in tests), up to depth {}, impact at least {}.",
        impact.total_affected, impact.tests, impact.depth, impact.threshold
    );
    if impact.affected.is_empty() {
        return out;
    }
    out.push_str("\n| depth | impact | symbol | place | depends on | via | tier | confidence |\n");
    out.push_str("| ---: | ---: | --- | --- | --- | --- | --- | ---: |\n");
    for a in &impact.affected {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            a.depth,
            a.impact,
            affected_label(a),
            inline_code(&format!("{}:{}", a.file_path, a.line)),
            inline_code(&a.edge.to),
            a.edge.via,
            a.edge.tier,
            a.edge.confidence
        );
    }
    if impact.truncated > 0 {
        let _ = writeln!(out, "\n{} more are not listed.", impact.truncated);
    }
    write_evidence(&mut out, impact);
    out
}

/// Writes the evidence of virtual edges, one line each.
fn write_evidence(out: &mut String, impact: &Impact) {
    let virtual_ones = impact
        .affected
        .iter()
        .filter_map(|a| Some((a, a.edge.evidence.as_deref()?)));
    for (at, (a, evidence)) in virtual_ones.enumerate() {
        if at == 0 {
            out.push_str("\nVirtual edges:\n\n");
        }
        let (from, to) = (inline_code(&a.symbol), inline_code(&a.edge.to));
        let _ = writeln!(out, "- {from} → {to}: {}", inline_code(evidence));
    }
}

/// A symbol, or the file of several with some of their names.
fn affected_label(a: &Affected) -> String {
    if a.members == 0 {
        return inline_code(&a.symbol);
    }
    let more = if a.members > a.such_as.len() {
        ", …"
    } else {
        ""
    };
    let names = a.such_as.join(", ");
    format!(
        "{} {} symbols: {}",
        inline_code(&a.symbol),
        a.members,
        inline_code(&format!("{names}{more}"))
    )
}

/// A flowchart: arrows run from the affected symbol to its dependency.
pub fn to_mermaid(impact: &Impact) -> String {
    let mut out = String::from("graph RL\n");
    let _ = writeln!(out, "    n0[\"{}\"]", mermaid_label(&impact.root));
    for (at, a) in impact.affected.iter().enumerate() {
        let members = match a.members {
            0 => String::new(),
            n => format!(" ({n})"),
        };
        let label = mermaid_label(&format!("{}{members}", a.symbol));
        let _ = writeln!(out, "    n{}[\"{label} {:.2}\"]", at + 1, a.impact);
    }
    if impact.truncated > 0 {
        let more = impact.truncated;
        let _ = writeln!(out, "    more[\"… {more} more, not drawn\"]");
    }
    for (at, a) in impact.affected.iter().enumerate() {
        let to = a.edge.to_entry.map_or(0, |entry| entry + 1);
        let via = a.edge.via.to_lowercase();
        let _ = writeln!(out, "    n{} -->|{via}| n{to}", at + 1);
    }
    out.push_str("    style n0 stroke-width:3px\n");
    out
}

/// Inline code in a table, whose borders it leaves alone.
fn inline_code(text: &str) -> String {
    crate::mermaid::inline_code(&text.replace('|', "\\|"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_graph::TestGraph;
    use crate::{ImpactOptions, analyze_impact};

    fn answer() -> Impact {
        let graph = TestGraph::new(&["a -> b", "x\"]|` -> a"]);
        analyze_impact(
            &graph,
            "b",
            &[graph.key_of_name("b")],
            &ImpactOptions::default(),
        )
        .unwrap()
    }

    #[test]
    fn mermaid_has_numbered_nodes_and_escaped_labels() {
        let text = to_mermaid(&answer());
        let expected = "graph RL\n    n0[\"b\"]\n    n1[\"a 0.80\"]\n    n2[\"x#34;#93;#124;#96; 0.64\"]\n    \
            n1 -->|calls| n0\n    n2 -->|calls| n1\n    style n0 stroke-width:3px\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn mermaid_says_how_many_are_not_drawn() {
        let mut impact = answer();
        impact.truncate_entries(1);
        let text = to_mermaid(&impact);
        assert!(text.contains("more[\"… 1 more, not drawn\"]"), "{text}");
    }

    #[test]
    fn markdown_tables_keep_their_columns() {
        let text = to_markdown(&answer());
        assert!(text.starts_with("# Impact of `b`\n\n2 affected"));
        for row in text.lines().filter(|l| l.starts_with('|')) {
            assert_eq!(row.replace("\\|", "").matches('|').count(), 9, "{row}");
        }
    }
}
