//! `knotwork ast-delta`.

use crate::format::{Format, TEXT_OR_JSON};
use crate::printer::{CommandResult, Printer};
use crate::text::{format_count, format_plural};
use clap::Args;
use engine::{AstDeltaAnswer, AstDeltaRequest, DeltaStrategy, Engine};

/// Bring the index up to date after files changed; the cost follows the change.
#[derive(Debug, Args)]
pub(crate) struct AstDeltaArgs {
    #[command(flatten)]
    request: AstDeltaRequest,
}

impl AstDeltaArgs {
    /// Whether the daemon may run it: always, since it depends only on the project.
    pub(crate) fn can_run_in_daemon(&self) -> bool {
        true
    }
}

pub(crate) fn run(engine: &Engine, args: AstDeltaArgs, printer: &Printer) -> CommandResult {
    let format = printer.choose_format(TEXT_OR_JSON)?;
    let answer = engine.ast_delta(&args.request)?;
    if format == Format::Json {
        return printer.print_json(&answer);
    }
    printer.print_text(&format_text(&answer))?;
    printer.print_index_info(&answer.index);
    Ok(())
}

fn format_text(answer: &AstDeltaAnswer) -> String {
    let how = match answer.strategy {
        DeltaStrategy::Incremental => "incremental",
        DeltaStrategy::FullRebuild => "full rebuild",
        DeltaStrategy::Fallback => "fallback",
    };
    let delta = &answer.delta;
    let reason = answer
        .reason
        .as_ref()
        .map_or_else(String::new, |r| format!(" ({r})"));
    format!(
        "{how}{reason}: {} updated; definitions: {} added, {} removed, {} modified; {:.1} ms\n",
        format_plural(u64::from(answer.files_updated), "file"),
        format_count(delta.added),
        format_count(delta.removed),
        format_count(delta.modified),
        answer.latency_ms
    )
}
