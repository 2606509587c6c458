//! `knotwork graph-rag`.

use super::query::QueryArg;
use crate::command::{Command, Row, Run};
use crate::format::Format;
use crate::printer::{CommandResult, Printer};
use clap::{Args, Subcommand};
use engine::{ContextFormat, Engine, GraphRagRequest};

/// Formats of the answer; the first is the default.
const FORMATS: &[Format] = &[Format::Text, Format::Json, Format::Md];

pub(super) const COMMAND: Command = Command {
    name: "graph-rag",
    aliases: &[],
    about: "Collect the source that answers a question, within a token budget",
    examples: &[
        "knotwork graph-rag \"how is a request authenticated\"",
        "knotwork graph-rag \"retry with back-off\" --budget 4000 --format md",
    ],
    part_examples: &["knotwork graph-rag search \"how is a request authenticated\""],
    formats: FORMATS,
    part_formats: &[],
    operations: &["graph-rag"],
    readme: Row {
        usage: "`graph-rag QUESTION`",
        tool: None,
        answers: "[the source that answers a question](docs/search.md#graph-rag), with callers and callees, within a budget of tokens",
    },
    readme_chinese: Some(Row {
        usage: "`graph-rag 问题`",
        tool: None,
        answers: "在令牌预算之内，收集回答问题所需的源码",
    }),
    run: &Run::question(|_| true, collect_context),
};

/// The source that answers a question, with its callers and callees, within a budget of tokens: `graph-rag QUERY`,
/// `graph-rag search QUERY`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
struct GraphRagArgs {
    #[command(flatten)]
    query: QueryArg,
    #[command(flatten)]
    request: GraphRagRequest,
    #[command(subcommand)]
    what: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Same as `graph-rag QUESTION`
    Search {
        #[command(flatten)]
        query: QueryArg,
        #[command(flatten)]
        request: GraphRagRequest,
    },
}

fn collect_context(engine: &Engine, args: GraphRagArgs, printer: &Printer) -> CommandResult {
    let format = match printer.choose_format(FORMATS)? {
        Format::Json => ContextFormat::Json,
        Format::Md => ContextFormat::Md,
        _ => ContextFormat::Text,
    };
    let (query, request) = match args.what {
        Some(Action::Search { query, request }) => (query, request),
        None => (args.query, args.request),
    };
    let query = query.into_query();
    let request = GraphRagRequest { query, ..request };
    let request_reranks = request.rerank;
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
    if request_reranks && let Some(detail) = &answer.metadata.skip_detail {
        printer.print_note(&format!("note: not re-ranked: {detail}"));
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
