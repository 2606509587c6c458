//! `knotwork config`.

use crate::environment::{self, GlobalArgs, Limits};
use crate::format::Format;
use crate::printer::{CommandResult, Printer};
use crate::progress::Debug;
use clap::{Args, Subcommand};
use engine::Engine;

/// Every setting and where it comes from.
#[derive(Debug, Args)]
pub(crate) struct ConfigArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Print every setting and where its value comes from
    Show,
}

pub(crate) fn run(given: &GlobalArgs, args: ConfigArgs, printer: &Printer) -> CommandResult {
    let What::Show = args.what;
    let json = printer.is_json(Format::Text)?;
    let settings = environment::settings(given, &Limits::default())?;
    let engine = Engine::open(settings, Box::new(Debug::from_environment()))?;
    let shown = engine.config().show();
    for warning in &shown.warnings {
        printer.say(&format!("warning: {warning}"));
    }
    if json {
        printer.json(&shown)
    } else {
        printer.text(&shown.to_text())
    }
}
