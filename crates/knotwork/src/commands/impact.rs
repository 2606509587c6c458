//! `knotwork impact`.

use crate::command::{Command, Row, Run};
use crate::format::Format;
use crate::printer::{CommandResult, Printer};
use crate::text::{Style, format_count, format_plural};
use clap::{Args, Subcommand};
use engine::{Affected, Engine, EngineError, ImpactAnswer, ImpactEdge, ImpactRequest};
use std::fmt::Write;

/// Formats of the answer; the first is the default.
const FORMATS: &[Format] = &[Format::Text, Format::Json, Format::Md, Format::Mermaid];

pub(super) const COMMAND: Command = Command {
    name: "impact",
    aliases: &[],
    about: "Show what a change to a symbol, file or diff may affect",
    examples: &[
        "knotwork impact TokenStore.refresh",
        "knotwork impact file src/auth.py",
        "knotwork impact --since main",
    ],
    part_examples: &[
        "knotwork impact analyze TokenStore.refresh",
        "knotwork impact file src/auth.py",
    ],
    formats: FORMATS,
    part_formats: &[],
    operations: &["impact"],
    readme: Row {
        usage: "`impact SYMBOL` or `PATH`, `--since REF`, `--staged`",
        tool: None,
        answers: "what a change may affect, nearest first; tests to run, owners, public API touched",
    },
    readme_chinese: Some(Row {
        usage: "`impact 符号`、`--since REF`、`--staged`",
        tool: None,
        answers: "改动可能影响的内容、要运行的测试、负责人",
    }),
    run: &Run::question(|_| true, show_impact),
};

/// What a change may affect: of a symbol or file (`impact SYMBOL`, `impact analyze SYMBOL`, `impact file PATH`), or of
/// what differs (`impact --since REF`, `impact --staged`).
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
struct ImpactArgs {
    /// name, Class.method, module.name, path:line, path::name, id, or a file's path
    #[arg(value_name = "SYMBOL", required_unless_present_any = ["named_symbol", "since", "staged"], conflicts_with_all = ["since", "staged"])]
    symbol: Option<String>,
    /// Same as SYMBOL
    #[arg(
        long = "symbol",
        id = "named_symbol",
        value_name = "SYMBOL",
        conflicts_with_all = ["symbol", "since", "staged"]
    )]
    named: Option<String>,
    #[command(flatten)]
    request: ImpactRequest,
    #[command(subcommand)]
    what: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Impact of a symbol
    Analyze {
        /// The symbol: name, Class.method, module.name, path:line, path::name or id
        symbol: String,
        #[command(flatten)]
        request: ImpactRequest,
    },
    /// Impact of a file and all its definitions
    File {
        /// Path of the file
        path: String,
        #[command(flatten)]
        request: ImpactRequest,
    },
}

fn show_impact(engine: &Engine, args: ImpactArgs, printer: &Printer) -> CommandResult {
    let format = printer.choose_format(FORMATS)?;
    let request = match (args.what, args.symbol.or(args.named)) {
        (Some(Action::Analyze { symbol, request }), _) => ImpactRequest { symbol, ..request },
        (Some(Action::File { path, request }), _) => ImpactRequest {
            symbol: path,
            file: true,
            ..request
        },
        (None, Some(symbol)) => ImpactRequest {
            symbol,
            ..args.request
        },
        (None, None) if args.request.since.is_some() || args.request.staged => args.request,
        (None, None) => return Err(EngineError::bad_arguments("no symbol given").into()),
    };
    let answer = engine.impact(&request)?;
    match format {
        Format::Json => return printer.print_json(&answer),
        Format::Md => printer.print_text(&answer.to_markdown())?,
        Format::Mermaid => printer.print_text(&answer.to_mermaid())?,
        _ => printer.print_text(&format_text(&answer, printer.style()))?,
    }
    printer.print_index_info(&answer.index);
    Ok(())
}

fn format_text(answer: &ImpactAnswer, style: Style) -> String {
    let impact = &answer.impact;
    let unknown = answer.unknown_line();
    let mut out = unknown
        .as_ref()
        .map_or_else(String::new, |line| format!("{line}\n"));
    let rest = unknown.map_or("", |_| "the rest of ");
    let _ = writeln!(
        out,
        "{} affected by {rest}{} ({} in tests; depth {}, impact at least {})",
        format_plural(impact.total_affected as u64, "symbol"),
        style.bold(&impact.root),
        format_count(impact.tests as u64),
        impact.depth,
        impact.threshold
    );
    for a in &impact.affected {
        let members = match a.members {
            0 => String::new(),
            n => format!("  {n} symbols: {}", format_member_names(a)),
        };
        let _ = writeln!(
            out,
            "{:.2}  {}  {}:{}{members}  {}",
            a.impact,
            style.bold(&a.symbol),
            a.file_path,
            a.line,
            style.dim(&format_edge(&a.edge))
        );
    }
    if impact.truncated > 0 {
        let _ = writeln!(
            out,
            "{} not listed (--limit)",
            format_plural(impact.truncated as u64, "more symbol")
        );
    }
    for note in answer.notes() {
        let _ = writeln!(out, "{note}");
    }
    out
}

/// Names of some members that an entry stands for.
fn format_member_names(a: &Affected) -> String {
    let more = if a.members > a.such_as.len() {
        ", …"
    } else {
        ""
    };
    format!("{}{more}", a.such_as.join(", "))
}

/// The evidence of a virtual edge, in parentheses; empty for other edges.
pub(super) fn evidence_note(evidence: Option<&str>) -> String {
    evidence.map_or_else(String::new, |why| format!(" ({why})"))
}

/// An edge, such as `calls Gson.toJson at 12 · typed 0.98`; `mentions` where it is no call.
fn format_edge(edge: &ImpactEdge) -> String {
    let at = match (&edge.file_path, edge.line) {
        (Some(file), Some(line)) => format!(" at {file}:{line}"),
        (None, Some(line)) => format!(" at {line}"),
        _ => String::new(),
    };
    let via = match edge.site {
        Some(_) => "mentions".to_owned(),
        None => edge.via.to_lowercase(),
    };
    let confidence = crate::text::round_confidence(edge.confidence);
    let why = evidence_note(edge.evidence.as_deref());
    format!("{via} {}{at} · {} {confidence}{why}", edge.to, edge.tier)
}
