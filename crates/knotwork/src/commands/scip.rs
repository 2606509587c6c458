//! `knotwork scip`.

use crate::format::Format;
use crate::printer::{CommandResult, Printer};
use crate::text::count;
use clap::{Args, Subcommand};
use engine::{Engine, ScipRequest};

/// Compiler-grade SCIP indexes.
#[derive(Debug, Args)]
pub(crate) struct ScipArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Import index.scip (or SCIP_INDEX_PATH) into the graph
    Parse(ScipRequest),
}

pub(crate) fn run(engine: &Engine, args: ScipArgs, printer: &Printer) -> CommandResult {
    let json = printer.is_json(Format::Text)?;
    let What::Parse(request) = args.what;
    let answer = engine.scip_parse(&request)?;
    for message in &answer.messages {
        printer.say(message);
    }
    if json {
        return printer.json(&answer);
    }
    let edges: Vec<String> = answer
        .edges
        .iter()
        .map(|(kind, n)| format!("{kind} {}", count(*n)))
        .collect();
    let others = match answer.passed_over {
        0 => String::new(),
        n => format!(
            "\n{} documents skipped: changed since, or not in the graph",
            count(n)
        ),
    };
    printer.text(&format!(
        "{} documents, {} symbols, {} occurrences\nedges: {}\nsource {} ({}), confidence {}{others}",
        count(answer.documents),
        count(answer.symbols),
        count(answer.occurrences),
        edges.join(", "),
        answer.source,
        answer.tools.join(", "),
        answer.confidence
    ))
}
