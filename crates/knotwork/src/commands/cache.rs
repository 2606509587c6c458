//! `knotwork cache`.

use crate::command::{Command, Row, Run};
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, Printer};
use crate::text::{format_plural, format_size};
use clap::{Args, Subcommand};
use engine::Engine;

pub(super) const COMMAND: Command = Command {
    name: "cache",
    aliases: &[],
    about: "Inspect or clear the cache of answers",
    examples: &["knotwork cache status"],
    part_examples: &["knotwork cache status", "knotwork cache clear"],
    formats: TEXT_OR_JSON,
    part_formats: &[],
    operations: &["cache-status", "cache-clear"],
    readme: Row {
        usage: "`cache status`, `cache clear`",
        tool: None,
        answers: "cached answers of `graph-rag` and of a re-ranking model; `clear` also removes indexes of repositories elsewhere",
    },
    readme_chinese: None,
    run: &Run::project(manage_cache),
};

/// Answers of `graph-rag`, and orders of a language model, that are kept for a while.
#[derive(Debug, Args)]
struct CacheArgs {
    #[command(subcommand)]
    what: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show the number of cached answers
    Status,
    /// Remove all cached answers
    Clear,
}

fn manage_cache(engine: &Engine, args: CacheArgs, printer: &Printer) -> CommandResult {
    let json = printer.is_json(TEXT_OR_JSON)?;
    let answer = match args.what {
        Action::Status => engine.cache_status(),
        Action::Clear => engine.cache_clear()?,
    };
    if json {
        return printer.print_json(&answer);
    }
    let kept = format_plural(answer.entries as u64, "answer");
    let size = format_size(answer.bytes);
    if answer.cleared {
        return printer.print_text(&format!("{kept} forgotten ({size})"));
    }
    let part = |part: &engine::CachePart| {
        let kept = format_plural(part.entries as u64, "answer");
        format!(
            "{kept} kept ({}) in {}",
            format_size(part.bytes),
            part.folder
        )
    };
    let parts: Vec<String> = answer.parts.iter().map(part).collect();
    printer.print_text(&parts.join("\n"))
}
