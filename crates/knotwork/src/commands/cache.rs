//! `knotwork cache`.

use crate::format::Format;
use crate::printer::{CommandResult, Printer};
use crate::text::{plural, size};
use clap::{Args, Subcommand};
use engine::Engine;

/// Answers of `graph-rag` that are kept for a while.
#[derive(Debug, Args)]
pub(crate) struct CacheArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Show the number of cached answers
    Status,
    /// Remove all cached answers
    Clear,
}

pub(crate) fn run(engine: &Engine, args: CacheArgs, printer: &Printer) -> CommandResult {
    let json = printer.is_json(Format::Text)?;
    let answer = match args.what {
        What::Status => engine.cache_status(),
        What::Clear => engine.cache_clear()?,
    };
    if json {
        return printer.json(&answer);
    }
    let kept = plural(answer.entries as u64, "answer");
    let size = size(answer.bytes);
    printer.text(&if answer.cleared {
        format!("{kept} forgotten ({size})")
    } else {
        format!("{kept} kept ({size}) in {}", answer.folder)
    })
}
