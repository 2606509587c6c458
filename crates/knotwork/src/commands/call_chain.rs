//! `knotwork call-chain`.

use super::impact::evidence_note;
use super::symbol::SymbolArg;
use crate::command::{Command, Row, Run};
use crate::format::Format;
use crate::printer::{CommandResult, Printer};
use crate::text::{Style, format_count, format_plural, round_confidence};
use clap::Args;
use engine::{
    CallChainAnswer, CallChainRequest, ChainEdge, ChainNode, Definitions, Engine, EntryPath,
    FoldedTests, Usage,
};
use std::fmt::Write;
use std::path::PathBuf;

/// Formats of the answer; the first is the default.
const FORMATS: &[Format] = &[
    Format::Text,
    Format::Json,
    Format::Tree,
    Format::Md,
    Format::Mermaid,
];

/// The most bytes of a prepared answer.
const MOST: u64 = 64 << 20;

pub(super) const COMMAND: Command = Command {
    name: "call-chain",
    aliases: &[],
    about: "Show who calls a symbol and what it calls",
    examples: &[
        "knotwork call-chain TokenStore.refresh",
        "knotwork call-chain src/auth.py:42 --direction callees --depth 3",
    ],
    part_examples: &[],
    formats: FORMATS,
    part_formats: &[],
    operations: &["call-chain"],
    readme: Row {
        usage: "`call-chain SYMBOL`",
        tool: None,
        answers: "callers or callees up to four steps, through interfaces; `--trace-usage`: paths from entry points",
    },
    readme_chinese: Some(Row {
        usage: "`call-chain 符号`",
        tool: None,
        answers: "调用者或被调用者，最多四步",
    }),
    run: &Run::question(CallChainArgs::can_run_in_daemon, show_call_chain),
};

/// Who calls a symbol, and what it calls.
#[derive(Debug, Args)]
struct CallChainArgs {
    #[command(flatten)]
    symbol: SymbolArg,
    #[command(flatten)]
    request: CallChainRequest,
    /// List every caller in tests. Without this, text output only counts them when there are many
    #[arg(long)]
    tests: bool,
    /// Read the call graph from this JSON file instead of the index (for tests)
    #[arg(long, value_name = "FILE", hide = true)]
    mock_ckb: Option<PathBuf>,
}

impl CallChainArgs {
    /// Whether the command asks about the project's own graph.
    fn can_run_in_daemon(&self) -> bool {
        self.mock_ckb.is_none()
    }
}

fn show_call_chain(engine: &Engine, args: CallChainArgs, printer: &Printer) -> CommandResult {
    let format = printer.choose_format(FORMATS)?;
    let mut request = args.request;
    request.symbol = args.symbol.into_symbol();
    request.fold_tests = !args.tests && matches!(format, Format::Text | Format::Tree);
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
        write_definitions(&mut out, definitions, style);
    }
    for target in &answer.chain.paths {
        // The heading above says everything about it.
        let is_alone = answer.definitions.is_none();
        if is_alone || has_neighbours(target) {
            write_target(&mut out, target, style);
        }
    }
    if let Some(usage) = &answer.chain.usage {
        write_entry_paths(&mut out, usage, style);
    }
    if let Some(calls) = &answer.unresolved {
        let _ = writeln!(out, "{}", calls.to_line());
    }
    if let Some(calls) = &answer.unresolved_callees {
        let _ = writeln!(out, "{}", calls.to_line());
    }
    if answer.chain.paths.iter().any(has_folded_tests) {
        out.push_str("callers in tests are counted: --tests lists them\n");
    }
    if answer.chain.truncated > 0 {
        let _ = writeln!(out, "{} more left out (--limit)", answer.chain.truncated);
    }
    if let Some(note) = answer.chain.nesting_note() {
        let _ = writeln!(out, "{note}");
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

/// Writes the definitions of a name, a line each, before their callers.
fn write_definitions(out: &mut String, definitions: &Definitions, style: Style) {
    for one in &definitions.shown {
        let tests = match one.calls_in_tests {
            0 => String::new(),
            tests => format!(" ({} in tests)", format_count(tests as u64)),
        };
        let _ = writeln!(
            out,
            "  {}  {}  {}  {}{tests}",
            style.bold(&one.symbol),
            one.kind,
            style.dim(&one.place),
            format_plural(one.calls as u64, "call")
        );
    }
}

/// Whether a definition has anything to show below it.
fn has_neighbours(node: &ChainNode) -> bool {
    let below = [&node.callers, &node.callees].into_iter().flatten();
    below.flatten().next().is_some() || node.tests.is_some() || node.left_out > 0
}

fn has_folded_tests(node: &ChainNode) -> bool {
    let below = [&node.callers, &node.callees].into_iter().flatten();
    node.tests.is_some() || below.flatten().any(has_folded_tests)
}

fn write_target(out: &mut String, target: &ChainNode, style: Style) {
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
        let tests = target.tests.as_ref().filter(|_| title == "callers");
        if nodes.is_empty() && tests.is_none() {
            let _ = writeln!(out, "└─ no {title} found");
        }
        write_tree(out, (nodes, tests), "", style);
    }
    if target.left_out > 0 {
        let _ = writeln!(out, "   {} more left out (--limit)", target.left_out);
    }
}

/// A line such as `25 callers in tests, in 14 files, such as a.test.ts (8)`.
fn format_folded_tests(tests: &FoldedTests) -> String {
    let such_as: Vec<String> = tests
        .such_as
        .iter()
        .map(|(file, callers)| format!("{file} ({callers})"))
        .collect();
    let files = match tests.files {
        1 => format!("in {}", such_as.join("")),
        files => format!("in {files} files, such as {}", such_as.join(", ")),
    };
    format!(
        "{} in tests, {files}",
        format_plural(tests.callers as u64, "caller")
    )
}

/// Writes the paths from entry points, a step a line.
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
                    "{what}{line} · {} {}{}",
                    edge.tier,
                    round_confidence(edge.confidence),
                    evidence_note(edge.evidence.as_deref())
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

fn write_tree(
    out: &mut String,
    (nodes, tests): (&[ChainNode], Option<&FoldedTests>),
    indent: &str,
    style: Style,
) {
    for (at, node) in nodes.iter().enumerate() {
        let last = at + 1 == nodes.len() && tests.is_none();
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
        let children = children.map_or(&[][..], Vec::as_slice);
        let indent = format!("{indent}{below}");
        write_tree(out, (children, node.tests.as_ref()), &indent, style);
    }
    if let Some(tests) = tests {
        let line = format_folded_tests(tests);
        let _ = writeln!(out, "{indent}└─ {}", style.dim(&line));
    }
}

/// An edge, such as `call at 12, 40 · typed 0.98`.
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
        "{what}{at} · {} {}{}",
        edge.tier,
        round_confidence(edge.confidence),
        evidence_note(edge.evidence.as_deref())
    )
}

fn format_location(node: &ChainNode) -> String {
    format!("{}:{}", node.file_path, node.line)
}
