//! `knotwork call-chain`.

use super::symbol::SymbolArg;
use crate::format::Format;
use crate::printer::{CommandResult, Printer};
use crate::text::{Style, format_plural, round_confidence};
use clap::Args;
use engine::{CallChainAnswer, CallChainRequest, ChainEdge, ChainNode, Engine, EntryPath, Usage};
use std::fmt::Write;
use std::path::PathBuf;

/// Bytes of a prepared answer.
const MOST: u64 = 64 << 20;

/// Who calls a symbol, and what it calls.
#[derive(Debug, Args)]
pub(crate) struct CallChainArgs {
    #[command(flatten)]
    symbol: SymbolArg,
    #[command(flatten)]
    request: CallChainRequest,
    /// Read the call graph from this JSON file instead of the index (for tests)
    #[arg(long, value_name = "FILE")]
    mock_ckb: Option<PathBuf>,
}

impl CallChainArgs {
    /// Whether it asks about the project's own graph.
    pub(crate) fn can_run_in_daemon(&self) -> bool {
        self.mock_ckb.is_none()
    }
}

pub(crate) fn run(engine: &Engine, args: CallChainArgs, printer: &Printer) -> CommandResult {
    let formats = [
        Format::Json,
        Format::Text,
        Format::Tree,
        Format::Md,
        Format::Mermaid,
    ];
    let format = printer.choose_format(Format::Text, &formats)?;
    let mut request = args.request;
    request.symbol = args.symbol.into_symbol();
    let is_prepared = args.mock_ckb.is_some();
    if let Some(file) = args.mock_ckb {
        request.mock_ckb = Some(crate::input::read_text(&file, MOST)?);
    }
    let answer = engine.call_chain(&request)?;
    match format {
        Format::Json => return printer.print_json(&answer),
        Format::Md => printer.print_text(&answer.to_markdown())?,
        Format::Mermaid => printer.print_text(&answer.to_mermaid())?,
        _ => printer.print_text(&format_text(&answer, printer.style()))?,
    }
    if is_prepared {
        return Ok(());
    }
    printer.print_index_info(&answer.index);
    Ok(())
}

fn format_text(answer: &CallChainAnswer, style: Style) -> String {
    let mut out = String::new();
    if let Some(definitions) = &answer.definitions {
        let _ = writeln!(out, "{}", definitions.to_line(&answer.chain.target_symbol));
    }
    for target in &answer.chain.paths {
        let _ = writeln!(
            out,
            "{}  {}  {}",
            style.bold(&target.symbol_name),
            target.kind,
            style.dim(&format_location(target))
        );
        let both = target.callers.is_some() && target.callees.is_some();
        for (title, nodes) in [("callers", &target.callers), ("callees", &target.callees)] {
            let Some(nodes) = nodes else { continue };
            if both {
                let _ = writeln!(out, "{title}");
            }
            if nodes.is_empty() {
                let _ = writeln!(out, "└─ no {title} found");
            }
            write_tree(&mut out, nodes, "", style);
        }
    }
    if let Some(usage) = &answer.chain.usage {
        write_entry_paths(&mut out, usage, style);
    }
    if let Some(calls) = &answer.unresolved {
        let _ = writeln!(out, "{}", calls.to_line());
    }
    if answer.chain.truncated > 0 {
        let _ = writeln!(out, "{} more left out (--limit)", answer.chain.truncated);
    }
    if answer.chain.mentions > 0 {
        let many = format_plural(answer.chain.mentions as u64, "mention");
        let _ = writeln!(
            out,
            "{many} without a call (callbacks, types): --references"
        );
    }
    if answer.chain.cycle_detected {
        out.push_str("↺ marks a cycle\n");
    }
    out
}

/// Ways from where execution begins, a step a line.
fn write_entry_paths(out: &mut String, usage: &Usage, style: Style) {
    let shown = usage.entry_paths.len();
    let _ = writeln!(out, "entry paths: {shown} of {}", usage.total_entries);
    if usage.only_cycles {
        out.push_str("only functions that call each other in a circle lead here\n");
    }
    for path in &usage.entry_paths {
        write_entry_path(out, path, style);
    }
}

fn write_entry_path(out: &mut String, path: &EntryPath, style: Style) {
    let entry = format!("{:?}", path.entry).to_lowercase();
    let _ = writeln!(out, "{entry}");
    for (step, depth) in path.steps.iter().zip(1..) {
        let how = match step.edge.as_ref() {
            Some(edge) => {
                let what = match (&edge.relation, edge.site) {
                    (Some(relation), _) => relation.clone(),
                    (None, Some(site)) => site.as_str().to_owned(),
                    (None, None) => "call".to_owned(),
                };
                let line = edge.line.map_or(String::new(), |l| format!(" at {l}"));
                format!(
                    "{what}{line} · {} {}",
                    edge.tier,
                    round_confidence(edge.confidence)
                )
            }
            None => String::new(),
        };
        let _ = writeln!(
            out,
            "{}{}  {}:{}  {}",
            "  ".repeat(depth),
            style.bold(&step.symbol_name),
            step.file_path,
            step.line,
            style.dim(&how)
        );
    }
}

fn write_tree(out: &mut String, nodes: &[ChainNode], indent: &str, style: Style) {
    for (at, node) in nodes.iter().enumerate() {
        let last = at + 1 == nodes.len();
        let (branch, below) = if last {
            ("└─", "   ")
        } else {
            ("├─", "│  ")
        };
        let mark = match (node.cycle, node.seen) {
            (true, _) => " ↺",
            (_, true) => " …",
            _ => "",
        };
        let how = node
            .edge
            .as_ref()
            .map(|e| format_edge(e, node))
            .unwrap_or_default();
        let _ = writeln!(
            out,
            "{indent}{branch} {}{mark}  {}  {}",
            style.bold(&node.symbol_name),
            format_location(node),
            style.dim(&how)
        );
        let children = node.callers.as_ref().or(node.callees.as_ref());
        if let Some(children) = children {
            write_tree(out, children, &format!("{indent}{below}"), style);
        }
    }
}

/// `call at 12, 40 · typed 0.98`.
fn format_edge(edge: &ChainEdge, node: &ChainNode) -> String {
    let what = match (&edge.relation, edge.site) {
        (Some(relation), _) => relation.clone(),
        (None, Some(site)) => site.as_str().to_owned(),
        (None, None) => "call".to_owned(),
    };
    let mut lines: Vec<String> = edge.line.iter().map(u32::to_string).collect();
    lines.extend(edge.also_lines.iter().map(u32::to_string));
    let file = edge.file_path.as_deref().filter(|f| *f != node.file_path);
    let at = match (lines.is_empty(), file) {
        (true, _) => String::new(),
        (false, None) => format!(" at {}", lines.join(", ")),
        (false, Some(file)) => format!(" at {file}:{}", lines.join(", ")),
    };
    format!(
        "{what}{at} · {} {}",
        edge.tier,
        round_confidence(edge.confidence)
    )
}

fn format_location(node: &ChainNode) -> String {
    format!("{}:{}", node.file_path, node.line)
}
