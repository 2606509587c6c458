//! `knotwork ast-delta`.

use crate::command::{Command, Row, Run};
use crate::format::{Format, TEXT_OR_JSON};
use crate::printer::{CommandResult, Printer};
use crate::text::{format_count, format_plural};
use clap::Args;
use engine::{AstDeltaAnswer, AstDeltaRequest, DeltaStrategy, Engine};

pub(super) const COMMAND: Command = Command {
    name: "ast-delta",
    aliases: &[],
    about: "Update the index after files changed",
    examples: &[
        "knotwork ast-delta src/parser.py",
        "knotwork ast-delta --since HEAD~1",
    ],
    part_examples: &[],
    formats: TEXT_OR_JSON,
    part_formats: &[],
    operations: &["ast-delta"],
    readme: Row {
        usage: "`ast-delta FILE…`, `--since REF`",
        tool: None,
        answers: "updates the index after a change; says what was added, removed and changed",
    },
    readme_chinese: None,
    run: &Run::question(|_| true, update_changed_files),
};

/// Bring the index up to date after files changed; the cost follows the change.
#[derive(Debug, Args)]
struct AstDeltaArgs {
    #[command(flatten)]
    request: AstDeltaRequest,
}

fn update_changed_files(engine: &Engine, args: AstDeltaArgs, printer: &Printer) -> CommandResult {
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
