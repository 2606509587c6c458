//! `knotwork config`.

use crate::command::{Command, Row, Run};
use crate::environment::{self, GlobalArgs, Limits};
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, Printer};
use crate::progress::DebugLog;
use clap::{Args, Subcommand};
use engine::Engine;

pub(super) const COMMAND: Command = Command {
    name: "config",
    aliases: &[],
    about: "Show every setting and where its value comes from",
    examples: &["knotwork config show"],
    part_examples: &["knotwork config show"],
    formats: TEXT_OR_JSON,
    part_formats: &[],
    operations: &[],
    readme: Row {
        usage: "`config show`",
        tool: None,
        answers: "every setting and where it comes from; [all settings](docs/configuration.md)",
    },
    readme_chinese: None,
    run: &Run::in_process(show_configuration),
};

/// Every setting and where it comes from.
#[derive(Debug, Args)]
struct ConfigArgs {
    #[command(subcommand)]
    what: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print every setting and where its value comes from
    Show,
}

fn show_configuration(given: &GlobalArgs, args: ConfigArgs, printer: &Printer) -> CommandResult {
    let Action::Show = args.what;
    let json = printer.is_json(TEXT_OR_JSON)?;
    let settings = environment::read_settings(given, &Limits::default())?;
    let engine = Engine::open(settings, Box::new(DebugLog::from_environment()))?;
    let shown = engine.config().show();
    for warning in &shown.warnings {
        printer.print_note(&format!("warning: {warning}"));
    }
    if json {
        printer.print_json(&shown)
    } else {
        printer.print_text(&shown.to_text())
    }
}
