//! `knotwork graph-rag`.

use crate::format::Format;
use crate::printer::{CommandResult, Printer};
use clap::{Args, Subcommand};
use engine::{ContextFormat, Engine, EngineError, GraphRagRequest};

/// The source that answers a question, with its callers and callees, within a budget of tokens: `graph-rag QUERY`,
/// `graph-rag search QUERY`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct GraphRagArgs {
    /// A question, a task, an error message or names
    #[arg(value_name = "QUERY", required = true)]
    query: Option<String>,
    /// More words of the query, without quotes around it
    #[arg(hide = true)]
    more: Vec<String>,
    #[command(flatten)]
    request: GraphRagRequest,
    #[command(subcommand)]
    what: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Same as above
    Search {
        /// A question, a task, an error message or names
        query: String,
        #[command(flatten)]
        request: GraphRagRequest,
    },
}

impl GraphRagArgs {
    /// It is about the project alone.
    pub(crate) fn can_run_in_daemon(&self) -> bool {
        true
    }
}

pub(crate) fn run(engine: &Engine, args: GraphRagArgs, printer: &Printer) -> CommandResult {
    let formats = [Format::Json, Format::Text, Format::Md];
    let format = match printer.choose_format(Format::Text, &formats)? {
        Format::Json => ContextFormat::Json,
        Format::Md => ContextFormat::Md,
        _ => ContextFormat::Text,
    };
    let request = match (args.what, args.query) {
        (Some(Action::Search { query, request }), _) => GraphRagRequest { query, ..request },
        (None, Some(query)) => GraphRagRequest {
            query: super::search::join_query(query, &args.more),
            ..args.request
        },
        (None, None) => return Err(EngineError::bad_arguments("no query given").into()),
    };
    let answer = engine.graph_rag(&GraphRagRequest { format, ..request })?;
    match format {
        ContextFormat::Json => return printer.print_json(&answer),
        ContextFormat::Md if !answer.candidates.is_empty() => {
            printer.print_text(&answer.to_markdown())?
        }
        ContextFormat::Text if !answer.candidates.is_empty() => {
            printer.print_text(&answer.to_text())?
        }
        _ => {}
    }
    for warning in &answer.warnings {
        printer.print_note(&format!("warning: {warning}"));
    }
    if let Some(fallback) = &answer.fallback {
        let (to, why) = (&fallback.degraded_to, &fallback.detail);
        printer.print_note(&format!("fallback to {to}: {why}"));
    }
    printer.print_note(&format!(
        "{} fragments, {} tokens of {}, {} left out",
        answer.candidates.len(),
        answer.token_count,
        answer.metadata.budget,
        answer.metadata.left_out
    ));
    printer.print_index_info(&answer.index);
    Ok(())
}
