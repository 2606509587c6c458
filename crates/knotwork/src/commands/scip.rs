//! `knotwork scip`.

use crate::command::{Command, Row, Run};
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, Printer};
use crate::text::{format_count, format_plural};
use clap::{Args, Subcommand};
use engine::{Engine, ScipRequest};

pub(super) const COMMAND: Command = Command {
    name: "scip",
    aliases: &[],
    about: "Import SCIP indexes made by compilers",
    examples: &["scip-typescript index && knotwork scip parse"],
    part_examples: &["knotwork scip parse"],
    formats: TEXT_OR_JSON,
    part_formats: &[],
    operations: &["scip"],
    readme: Row {
        usage: "`scip parse`",
        tool: None,
        answers: "imports a SCIP index",
    },
    readme_chinese: None,
    run: &Run::project(import_scip_index),
};

/// Compiler-grade SCIP indexes.
#[derive(Debug, Args)]
struct ScipArgs {
    #[command(subcommand)]
    what: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Import index.scip (or SCIP_INDEX_PATH) into the graph
    Parse(ScipRequest),
}

fn import_scip_index(engine: &Engine, args: ScipArgs, printer: &Printer) -> CommandResult {
    let json = printer.is_json(TEXT_OR_JSON)?;
    let Action::Parse(request) = args.what;
    let answer = engine.scip_parse(&request)?;
    for message in &answer.messages {
        printer.print_note(message);
    }
    if json {
        return printer.print_json(&answer);
    }
    let edges: Vec<String> = answer
        .edges
        .iter()
        .map(|(kind, n)| format!("{kind} {}", format_count(*n)))
        .collect();
    let others = match answer.passed_over {
        0 => String::new(),
        n => format!(
            "\n{} skipped: changed since, or not in the graph",
            format_plural(n, "document")
        ),
    };
    printer.print_text(&format!(
        "{}, {}, {}\nedges: {}\nsource {} ({}), confidence {}{others}",
        format_plural(answer.documents, "document"),
        format_plural(answer.symbols, "symbol"),
        format_plural(answer.occurrences, "occurrence"),
        if edges.is_empty() {
            "none".to_owned()
        } else {
            edges.join(", ")
        },
        answer.source,
        answer.tools.join(", "),
        answer.confidence
    ))
}
