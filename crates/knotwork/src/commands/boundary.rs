//! `knotwork boundary`.

use crate::command::{Command, Row, Run};
use crate::format::{Format, TEXT_OR_JSON};
use crate::printer::{CommandResult, Printer};
use crate::text::Style;
use clap::Args;
use engine::{BoundaryAnswer, BoundaryFile, BoundaryRequest, Engine};
use std::fmt::Write;

pub(super) const COMMAND: Command = Command {
    name: "boundary",
    aliases: &[],
    about: "Show the role of files: own, library, vendor, generated or test",
    examples: &[
        "knotwork boundary --path vendor/lib.js",
        "knotwork boundary --path . --batch",
    ],
    part_examples: &[],
    formats: TEXT_OR_JSON,
    part_formats: &[],
    operations: &["boundary"],
    readme: Row {
        usage: "`boundary --path P [--batch]`",
        tool: None,
        answers: "the role of each file: own, library, vendor, generated, test, …",
    },
    readme_chinese: None,
    run: &Run::question(|_| true, show_file_roles),
};

/// Whose a file is: the project's own, a library's, copied in, written by a program, a test.
#[derive(Debug, Args)]
struct BoundaryArgs {
    /// A file or folder
    #[arg(value_name = "PATH", required_unless_present = "named_path")]
    path: Option<String>,
    /// Same as PATH
    #[arg(
        long = "path",
        id = "named_path",
        value_name = "PATH",
        conflicts_with = "path"
    )]
    named: Option<String>,
    #[command(flatten)]
    request: BoundaryRequest,
}

fn show_file_roles(engine: &Engine, args: BoundaryArgs, printer: &Printer) -> CommandResult {
    let format = printer.choose_format(TEXT_OR_JSON)?;
    let mut request = args.request;
    request.path = args.path.or(args.named).unwrap_or_default();
    let answer = engine.boundary(&request)?;
    if format == Format::Json {
        return printer.print_json(&answer);
    }
    printer.print_text(&format_text(&answer, printer.style()))?;
    printer.print_index_info(&answer.index);
    Ok(())
}

fn format_file(file: &BoundaryFile, style: Style) -> String {
    format!(
        "{}  {}  {}",
        style.bold(&file.kind),
        file.path,
        style.dim(&format!("{:.2} · {}", file.confidence, file.reason))
    )
}

fn format_text(answer: &BoundaryAnswer, style: Style) -> String {
    let mut out = format_file(&answer.file, style);
    if !answer.exists {
        out.push_str("  (no such file; by its name alone)");
    }
    out.push('\n');
    if let Some(summary) = &answer.summary {
        let kinds = summary.iter().map(|(kind, n)| format!("{n} {kind}"));
        let _ = writeln!(out, "{}", kinds.collect::<Vec<_>>().join(", "));
    }
    for file in answer.files.iter().flatten() {
        let _ = writeln!(out, "{}", format_file(file, style));
    }
    out
}
