//! `knotwork intent`.

use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, Printer};
use clap::Args;
use engine::{Engine, IntentRequest};

/// Which symbols were opened and edited after a question.
#[derive(Debug, Args)]
pub(crate) struct IntentArgs {
    #[command(flatten)]
    request: IntentRequest,
}

pub(crate) fn run(engine: &Engine, args: IntentArgs, printer: &Printer) -> CommandResult {
    let json = printer.is_json(TEXT_OR_JSON)?;
    let answer = engine.intent(&args.request)?;
    for note in &answer.notes {
        printer.print_note(&format!("note: {note}"));
    }
    if json {
        return printer.print_json(&answer);
    }
    match (&answer.preferences, answer.cleaned_count) {
        (Some(preferences), _) if preferences.is_empty() => {
            printer.print_note("nothing is known yet");
            Ok(())
        }
        (Some(preferences), _) => {
            let lines = preferences
                .iter()
                .map(|p| format!("{:8.3}  {}\n", p.score, p.symbol));
            printer.print_text(&lines.collect::<String>())
        }
        (None, Some(cleaned)) => printer.print_text(&format!("{cleaned} forgotten")),
        (None, None) if answer.success => printer.print_text("recorded"),
        (None, None) => Ok(()),
    }
}
