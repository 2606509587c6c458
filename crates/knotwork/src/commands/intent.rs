//! `knotwork intent`.

use crate::command::{Command, Row, Run};
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, Printer};
use clap::Args;
use engine::{Engine, IntentRequest};

pub(super) const COMMAND: Command = Command {
    name: "intent",
    aliases: &[],
    about: "Record and query which symbols were opened or edited after a question",
    examples: &[
        "knotwork intent record --query \"token refresh\" --symbols TokenStore.refresh --user-action edit",
        "knotwork intent query --limit 5",
    ],
    part_examples: &[],
    formats: TEXT_OR_JSON,
    part_formats: &[],
    operations: &["intent"],
    readme: Row {
        usage: "`intent record`, `query`, `cleanup`",
        tool: None,
        answers: "which symbols are opened and edited after a question, kept on this machine",
    },
    readme_chinese: None,
    run: &Run::project(access_intent_history),
};

/// Which symbols were opened and edited after a question.
#[derive(Debug, Args)]
struct IntentArgs {
    #[command(flatten)]
    request: IntentRequest,
}

fn access_intent_history(engine: &Engine, args: IntentArgs, printer: &Printer) -> CommandResult {
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
