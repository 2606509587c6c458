//! `knotwork ast-delta`.

use crate::format::Format;
use crate::printer::{CommandResult, Printer};
use crate::text::{count, plural};
use clap::Args;
use engine::{AstDeltaAnswer, AstDeltaRequest, DeltaStrategy, Engine};

/// Bring the index up to date after files changed; the cost follows the change.
#[derive(Debug, Args)]
pub(crate) struct AstDeltaArgs {
    #[command(flatten)]
    request: AstDeltaRequest,
}

impl AstDeltaArgs {
    /// It is about the project alone.
    pub(crate) fn is_question(&self) -> bool {
        true
    }
}

pub(crate) fn run(engine: &Engine, args: AstDeltaArgs, printer: &Printer) -> CommandResult {
    let format = printer.format(Format::Text, &[Format::Json, Format::Text])?;
    let answer = engine.ast_delta(&args.request)?;
    if format == Format::Json {
        return printer.json(&answer);
    }
    printer.text(&text(&answer))?;
    printer.index(&answer.index);
    Ok(())
}

fn text(answer: &AstDeltaAnswer) -> String {
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
        plural(u64::from(answer.files_updated), "file"),
        count(delta.added),
        count(delta.removed),
        count(delta.modified),
        answer.latency_ms
    )
}
