//! `knotwork search`.

use super::query::QueryArg;
use crate::command::{Command, Row, Run};
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, Printer};
use crate::text::Style;
use clap::Args;
use engine::{Engine, SearchAnswer, SearchMode, SearchRequest};
use std::fmt::Write;

pub(super) const COMMAND: Command = Command {
    name: "search",
    aliases: &[],
    about: "Find code by a question, an error message or a name",
    examples: &[
        "knotwork search \"where are access tokens refreshed\"",
        "knotwork search --mode symbol TokenStore",
        "knotwork search --mode regex 'raise [A-Z][a-z]+' --path src",
    ],
    part_examples: &[],
    formats: TEXT_OR_JSON,
    part_formats: &[],
    operations: &["search"],
    readme: Row {
        usage: "`search QUERY`",
        tool: None,
        answers: "[chunks by words and vectors](docs/search.md); `--mode symbol` finds names, `--mode regex` finds lines",
    },
    readme_chinese: Some(Row {
        usage: "`search 问题`",
        tool: None,
        answers: "用词语和向量找代码；`--mode symbol` 找名字，`--mode regex` 找行",
    }),
    run: &Run::question(|_| true, search_code),
};

/// Find symbols by name.
#[derive(Debug, Args)]
struct SearchArgs {
    #[command(flatten)]
    query: QueryArg,
    #[command(flatten)]
    request: SearchRequest,
}

fn search_code(engine: &Engine, args: SearchArgs, printer: &Printer) -> CommandResult {
    let json = printer.is_json(TEXT_OR_JSON)?;
    let mut request = args.request;
    request.query = args.query.into_query();
    let answer = engine.search(&request)?;
    if json {
        return printer.print_json(&answer);
    }
    if answer.results.is_empty() {
        printer.print_note(&format!("nothing found for {}", answer.query));
        if request.min_relevance > 0.0 {
            printer.print_note("weaker results: --min-relevance 0");
        }
    } else {
        printer.print_text(&format_text(&answer, printer.style()))?;
    }
    if let Some(fallback) = &answer.fallback {
        printer.print_note(&format!("note: {fallback}"));
    }
    printer.print_index_info(&answer.index);
    Ok(())
}

fn format_text(answer: &SearchAnswer, style: Style) -> String {
    let mut out = String::new();
    for result in &answer.results {
        let symbol = match result.symbol.as_str() {
            "" => String::new(),
            symbol => format!(" {}", style.bold(symbol)),
        };
        let _ = writeln!(
            out,
            "{}:{}  {}{symbol}  {:.2}",
            result.file_path, result.line_start, result.kind, result.relevance_score
        );
        for line in result.snippet.iter().flat_map(|s| s.lines()) {
            let _ = writeln!(out, "    {}", style.dim(line));
        }
    }
    // Every chunk matches a little, so in the other modes the number of further results means
    // nothing.
    let is_exact = matches!(answer.mode, SearchMode::Symbol | SearchMode::Regex);
    let more = answer.total.saturating_sub(answer.results.len());
    if is_exact && more > 0 {
        let _ = writeln!(out, "{more} more (--limit)");
    }
    out
}
