//! `knotwork pattern`.

use crate::command::{Command, Row, Run};
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, FINDINGS, Failure, Printer};
use crate::text::{Style, format_plural};
use clap::{Args, Subcommand};
use engine::{Engine, PatternAction, PatternAnswer, PatternRequest};
use std::fmt::Write;

pub(super) const COMMAND: Command = Command {
    name: "pattern",
    aliases: &["patterns"],
    about: "Learn conventions of the code and find places that break them",
    examples: &["knotwork pattern learn", "knotwork pattern check"],
    part_examples: &[
        "knotwork pattern learn",
        "knotwork pattern check --strict",
        "knotwork pattern list",
        "knotwork pattern decay",
    ],
    formats: TEXT_OR_JSON,
    part_formats: &[],
    operations: &["pattern"],
    readme: Row {
        usage: "`pattern learn`, `check`, `list`",
        tool: None,
        answers: "what this code does nearly always, and the places that differ",
    },
    readme_chinese: None,
    run: &Run::question(PatternArgs::can_run_in_daemon, show_patterns),
};

/// What this code does nearly always: learn it, and find where it does otherwise.
#[derive(Debug, Args)]
struct PatternArgs {
    #[command(subcommand)]
    what: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Learn patterns and save them in .devbooks/learned-patterns.json
    Learn(PatternRequest),
    /// List places that break a learned pattern
    #[command(visible_alias = "detect")]
    Check {
        #[command(flatten)]
        request: PatternRequest,
        /// Exit with code 4 if a place breaks a pattern
        #[arg(long)]
        strict: bool,
    },
    /// List the learned patterns
    List(PatternRequest),
    /// Lower the confidence of patterns that were not confirmed for days
    Decay(PatternRequest),
}

impl PatternArgs {
    /// Whether the daemon may run it: every action that needs the graph. The process that finds patterns also writes them.
    fn can_run_in_daemon(&self) -> bool {
        !matches!(self.what, Action::Decay(_))
    }
}

fn show_patterns(engine: &Engine, args: PatternArgs, printer: &Printer) -> CommandResult {
    let (action, mut request, strict) = match args.what {
        Action::Learn(request) => (PatternAction::Learn, request, false),
        Action::Check { request, strict } => (PatternAction::Check, request, strict),
        Action::List(request) => (PatternAction::List, request, false),
        Action::Decay(request) => (PatternAction::Decay, request, false),
    };
    request.action = action;
    let json = printer.is_json(TEXT_OR_JSON)?;
    let answer = engine.pattern(&request)?;
    if json {
        printer.print_json(&answer)?;
    } else {
        printer.print_text(&format_text(&answer, printer.style()))?;
        for warning in &answer.warnings {
            printer.print_note(warning);
        }
        printer.print_index_info(&answer.index);
    }
    let has_findings = answer.deviations.is_some() && answer.total > 0;
    if strict && has_findings {
        Err(Failure::Said(FINDINGS))
    } else {
        Ok(())
    }
}

fn format_text(answer: &PatternAnswer, style: Style) -> String {
    let mut out = String::new();
    if let Some(patterns) = &answer.patterns {
        let _ = writeln!(
            out,
            "{} in {}",
            format_plural(answer.total as u64, "pattern"),
            answer.file
        );
        for p in patterns {
            let _ = writeln!(
                out,
                "{:.2}  {}  {}",
                p.confidence,
                style.bold(&p.description),
                style.dim(&format!(
                    "{} · {} followed, {} not · e.g. {}",
                    p.kind.as_str(),
                    p.frequency,
                    p.exceptions,
                    p.examples
                        .first()
                        .map_or(String::new(), |e| format!("{}:{}", e.file, e.line))
                ))
            );
        }
    }
    if let Some(deviations) = &answer.deviations {
        let _ = writeln!(out, "{}", format_plural(answer.total as u64, "deviation"));
        for d in deviations {
            let symbol = if d.symbol.is_empty() {
                String::new()
            } else {
                format!(" {}", d.symbol)
            };
            let like = d
                .examples
                .first()
                .map_or(String::new(), |e| format!("; as in {}:{}", e.file, e.line));
            let _ = writeln!(
                out,
                "{}:{}{symbol}  {}: {}  {}",
                d.file,
                d.line,
                d.found,
                d.description,
                style.dim(&format!("{:.2}{like}", d.confidence))
            );
        }
    }
    out
}
