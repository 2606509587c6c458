//! A call chain as Markdown and as a Mermaid flowchart.

use super::{CallChain, ChainEdge, ChainNode, Usage};
use crate::mermaid::inline_code;
use crate::mermaid_label;
use base::Site;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Nested lists, one for each path.
pub fn chain_to_markdown(chain: &CallChain) -> String {
    let mut out = format!("# Call chain of {}\n", inline_code(&chain.target_symbol));
    for target in &chain.paths {
        let place = format!("{}:{}", target.file_path, target.line);
        let _ = writeln!(
            out,
            "\n{} {} at {}",
            target.kind,
            inline_code(&target.symbol_name),
            inline_code(&place)
        );
        for (title, nodes) in [("callers", &target.callers), ("callees", &target.callees)] {
            let Some(nodes) = nodes else { continue };
            let _ = writeln!(out, "\n## {title}\n");
            if nodes.is_empty() {
                let _ = writeln!(out, "none found");
            }
            write_node_list(&mut out, nodes, 0);
        }
    }
    if let Some(usage) = &chain.usage {
        write_entry_paths(&mut out, usage);
    }
    if chain.truncated > 0 {
        let _ = writeln!(out, "\n{} more are not listed.", chain.truncated);
    }
    if let Some(note) = chain.nesting_note() {
        let _ = writeln!(out, "\n{note}");
    }
    if chain.mentions > 0 {
        let _ = writeln!(
            out,
            "\nReferences that are not calls, not listed: {}.",
            chain.mentions
        );
    }
    out
}

fn write_node_list(out: &mut String, nodes: &[ChainNode], depth: usize) {
    for node in nodes {
        let mark = match (node.cycle, node.seen) {
            (true, _) => " **cycle**",
            (_, true) => " (above)",
            _ => "",
        };
        let how = node.edge.as_ref().map(describe_edge).unwrap_or_default();
        let place = format!("{}:{}", node.file_path, node.line);
        let _ = writeln!(
            out,
            "{}- {}{mark} {} — {how}",
            "  ".repeat(depth),
            inline_code(&node.symbol_name),
            inline_code(&place)
        );
        if let Some(below) = node.callers.as_ref().or(node.callees.as_ref()) {
            write_node_list(out, below, depth + 1);
        }
    }
}

fn write_entry_paths(out: &mut String, usage: &Usage) {
    out.push_str("\n## entry paths\n\n");
    if usage.entry_paths.is_empty() {
        out.push_str(if usage.only_cycles {
            "only functions that call each other in a circle lead here\n"
        } else {
            "nothing leads here\n"
        });
    }
    for path in &usage.entry_paths {
        let steps = path.steps.iter();
        let steps: Vec<String> = steps.map(|s| inline_code(&s.symbol_name)).collect();
        let entry = format!("{:?}", path.entry).to_lowercase();
        let _ = writeln!(out, "- {entry}: {}", steps.join(" → "));
    }
    let more = usage.total_entries - usage.entry_paths.len();
    if more > 0 {
        let _ = writeln!(out, "- {more} more");
    }
}

fn describe_edge(edge: &ChainEdge) -> String {
    let what = edge_relation(edge);
    let line = edge.line.map_or(String::new(), |l| format!(" at {l}"));
    let why = edge
        .evidence
        .as_deref()
        .map_or(String::new(), |e| format!(", {}", inline_code(e)));
    format!("{what}{line}, {} {}{why}", edge.tier, edge.confidence)
}

fn edge_relation(edge: &ChainEdge) -> String {
    match (&edge.relation, edge.site) {
        (Some(relation), _) => relation.clone(),
        (None, Some(site)) => site.as_str().to_owned(),
        (None, None) => "call".to_owned(),
    }
}

/// Nodes and arrows, each once. Arrows run from caller to callee. Dotted arrows are mentions or a possible dispatch, not
/// calls.
#[derive(Default)]
struct FlowchartBuilder {
    /// The number of each id, in the order of their first use.
    ids: FxHashMap<String, usize>,
    labels: Vec<String>,
    arrows: BTreeSet<(usize, usize, bool, String)>,
    cycles: BTreeSet<usize>,
}

impl FlowchartBuilder {
    fn add_node(&mut self, id: &str, name: &str, place: &str) -> usize {
        if let Some(at) = self.ids.get(id) {
            return *at;
        }
        let at = self.labels.len();
        self.ids.insert(id.to_owned(), at);
        let label = format!("{}<br/>{}", mermaid_label(name), mermaid_label(place));
        self.labels.push(label);
        at
    }

    fn add_arrow(&mut self, from: usize, to: usize, edge: &ChainEdge) {
        // An implementation is reached from its interface, in either direction of the walk.
        let dotted = edge.relation.is_some() || edge.site == Some(Site::Reference);
        let label = if dotted {
            format!("{} {}", edge_relation(edge), edge.tier)
        } else {
            edge.tier.to_string()
        };
        self.arrows.insert((from, to, dotted, label));
    }

    fn add_tree(&mut self, above: usize, nodes: &[ChainNode], callers: bool) {
        for node in nodes {
            let place = format!("{}:{}", node.file_path, node.line);
            let at = self.add_node(&node.symbol_id, &node.symbol_name, &place);
            if let Some(edge) = &node.edge {
                if callers {
                    self.add_arrow(at, above, edge)
                } else {
                    self.add_arrow(above, at, edge)
                }
            }
            if node.cycle {
                self.cycles.insert(at);
            }
            let below = if callers {
                &node.callers
            } else {
                &node.callees
            };
            self.add_tree(at, below.as_deref().unwrap_or_default(), callers);
        }
    }

    fn add_entry_paths(&mut self, usage: &Usage) {
        for path in &usage.entry_paths {
            let mut before: Option<(usize, &ChainEdge)> = None;
            for step in &path.steps {
                let place = format!("{}:{}", step.file_path, step.line);
                let at = self.add_node(&step.symbol_id, &step.symbol_name, &place);
                if let Some((from, edge)) = before {
                    self.add_arrow(from, at, edge);
                }
                before = step.edge.as_ref().map(|edge| (at, edge));
            }
        }
    }
}

/// A flowchart: targets have a thick border, nodes at which a cycle closes a red one.
pub fn chain_to_mermaid(chain: &CallChain) -> String {
    let mut drawing = FlowchartBuilder::default();
    for target in &chain.paths {
        let place = format!("{}:{}", target.file_path, target.line);
        let at = drawing.add_node(&target.symbol_id, &target.symbol_name, &place);
        drawing.add_tree(at, target.callers.as_deref().unwrap_or_default(), true);
        drawing.add_tree(at, target.callees.as_deref().unwrap_or_default(), false);
    }
    let targets: Vec<usize> = chain
        .paths
        .iter()
        .filter_map(|t| drawing.ids.get(&t.symbol_id).copied())
        .collect();
    if let Some(usage) = &chain.usage {
        drawing.add_entry_paths(usage);
    }
    let mut out = String::from("graph LR\n");
    for (at, label) in drawing.labels.iter().enumerate() {
        let _ = writeln!(out, "  n{at}[\"{label}\"]");
    }
    let more = chain.truncated + chain.too_nested;
    if more > 0 {
        let _ = writeln!(out, "  more[\"… {more} more, not drawn\"]");
    }
    for (from, to, dotted, label) in &drawing.arrows {
        let arrow = if *dotted { "-.->" } else { "-->" };
        let _ = writeln!(out, "  n{from} {arrow}|{label}| n{to}");
    }
    for at in targets {
        let _ = writeln!(out, "  style n{at} stroke-width:3px");
    }
    for at in &drawing.cycles {
        let _ = writeln!(out, "  style n{at} stroke:#ff6b6b,stroke-width:3px");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_graph::TestGraph;
    use crate::{CallChainOptions, Direction, call_chain, find_entry_paths};

    fn answer() -> CallChain {
        let graph = TestGraph::new(&["a\"]; -> b", "b -> c", "c -> b", "main ~> a\"];"]);
        let options = CallChainOptions {
            direction: Direction::Both,
            ..CallChainOptions::default()
        };
        let key = [graph.key_of_name("b")];
        let mut chain = call_chain(&graph, &key, &options).unwrap();
        chain.usage = Some(find_entry_paths(&graph, &key, 5).unwrap());
        chain
    }

    #[test]
    fn a_flowchart_has_each_node_and_arrow_once() {
        let text = chain_to_mermaid(&answer());
        let arrows: Vec<&str> = text.lines().filter(|l| l.contains("->|")).collect();
        assert_eq!(
            arrows,
            [
                "  n0 -->|scoped| n2",
                "  n1 -->|scoped| n0",
                "  n2 -->|scoped| n0",
                "  n3 -.->|reference scoped| n1"
            ],
            "{text}"
        );
        assert!(
            text.contains("n1[\"a#34;#93;#59;<br/>src/all.ts:1\"]"),
            "{text}"
        );
        assert!(text.contains("style n0 stroke-width:3px"), "{text}");
        assert!(text.contains("stroke:#ff6b6b"), "{text}");
    }

    #[test]
    fn a_flowchart_says_how_many_are_not_drawn() {
        let graph = TestGraph::new(&["a -> t", "b -> t", "c -> t"]);
        let options = CallChainOptions {
            limit: 1,
            ..CallChainOptions::default()
        };
        let chain = call_chain(&graph, &[graph.key_of_name("t")], &options).unwrap();
        let text = chain_to_mermaid(&chain);
        assert!(text.contains("more[\"… 2 more, not drawn\"]"), "{text}");
        assert!(!chain_to_mermaid(&answer()).contains("not drawn"));
    }

    #[test]
    fn markdown_nests_and_marks_cycles() {
        let text = chain_to_markdown(&answer());
        assert!(text.starts_with("# Call chain of `b`\n"), "{text}");
        assert!(
            text.contains("\n## callers\n\n- `a\"];` `src/all.ts:1` — call at 1, scoped"),
            "{text}"
        );
        assert!(text.contains("**cycle**"), "{text}");
        assert!(text.contains("- main: `main` → `a\"];` → `b`"), "{text}");
    }
}
