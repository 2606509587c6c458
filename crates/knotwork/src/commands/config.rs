//! `knotwork config`.

use crate::environment::{self, GlobalArgs, Limits};
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, Printer};
use crate::progress::DebugLog;
use clap::{Args, Subcommand};
use engine::Engine;

/// Every setting and where it comes from.
#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    #[command(subcommand)]
    what: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Print every setting and where its value comes from
    Show,
}

pub(crate) fn run(given: &GlobalArgs, args: ConfigArgs, printer: &Printer) -> CommandResult {
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
