//! `knotwork impact`.

use crate::cli::Format;
use crate::printer::{Done, Printer};
use crate::text::{Style, plural};
use clap::{Args, Subcommand};
use engine::{Engine, EngineError, ImpactAnswer, ImpactRequest};
use std::fmt::Write;

/// What a change of a symbol or file may affect: `impact SYMBOL`, `impact analyze SYMBOL`, `impact file PATH`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct ImpactArgs {
    /// name, Class.method, module.name, path:line, path::name, id, or a file's path
    #[arg(value_name = "SYMBOL", required = true)]
    symbol: Option<String>,
    #[command(flatten)]
    request: ImpactRequest,
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Of a symbol
    Analyze {
        /// name, Class.method, module.name, path:line, path::name or id
        symbol: String,
        #[command(flatten)]
        request: ImpactRequest,
    },
    /// Of a file and everything in it
    File {
        /// The file
        path: String,
        #[command(flatten)]
        request: ImpactRequest,
    },
}

pub(crate) fn run(engine: &Engine, args: ImpactArgs, printer: &Printer) -> Done {
    let formats = [Format::Json, Format::Text, Format::Md, Format::Mermaid];
    let format = printer.format(Format::Text, &formats)?;
    let request = match (args.what, args.symbol) {
        (Some(What::Analyze { symbol, request }), _) => ImpactRequest { symbol, ..request },
        (Some(What::File { path, request }), _) => ImpactRequest {
            symbol: path,
            file: true,
            ..request
        },
        (None, Some(symbol)) => ImpactRequest {
            symbol,
            ..args.request
        },
        (None, None) => return Err(EngineError::bad("no symbol given").into()),
    };
    let answer = engine.impact(&request)?;
    match format {
        Format::Json => return printer.json(&answer),
        Format::Md => printer.text(&answer.to_markdown())?,
        Format::Mermaid => printer.text(&answer.to_mermaid())?,
        _ => printer.text(&text(&answer, printer.style()))?,
    }
    printer.index(&answer.index);
    Ok(())
}

fn text(answer: &ImpactAnswer, style: Style) -> String {
    let impact = &answer.impact;
    let mut out = format!(
        "{} affected by {} (depth {}, impact at least {})\n",
        plural(impact.total_affected as u64, "symbol"),
        style.bold(&impact.root),
        impact.depth,
        impact.threshold
    );
    for a in &impact.affected {
        let line = a.edge.line.map(|l| format!(" at {l}")).unwrap_or_default();
        let how = format!(
            "{} {}{line} · {} {}",
            a.edge.via.to_lowercase(),
            a.edge.to,
            a.edge.tier,
            a.edge.confidence
        );
        let _ = writeln!(
            out,
            "{:.2}  {}  {}:{}  {}",
            a.impact,
            style.bold(&a.symbol),
            a.file_path,
            a.line,
            style.dim(&how)
        );
    }
    out
}
