//! `knotwork complexity`.

use crate::command::{Command, Row, Run};
use crate::format::Format;
use crate::printer::{CommandResult, FINDINGS, Failure, Printer};
use crate::text::{Style, format_count, format_plural};
use clap::Args;
use engine::{ComplexityAnswer, ComplexityRequest, Engine};
use std::fmt::Write;

/// Formats of the answer; the first is the default.
const FORMATS: &[Format] = &[Format::Text, Format::Json, Format::Md];

pub(super) const COMMAND: Command = Command {
    name: "complexity",
    aliases: &[],
    about: "Measure the complexity of functions",
    examples: &[
        "knotwork complexity --limit 10",
        "knotwork complexity src --over --strict",
    ],
    part_examples: &[],
    formats: FORMATS,
    part_formats: &[],
    operations: &["complexity"],
    readme: Row {
        usage: "`complexity [PATH]`",
        tool: None,
        answers: "functions that are hard to follow; `--strict` for CI",
    },
    readme_chinese: Some(Row {
        usage: "`complexity`",
        tool: None,
        answers: "难以理解的函数",
    }),
    run: &Run::question(|_| true, list_complexity),
};

/// How hard functions are to follow: paths, breaks in the flow, nesting, length, parameters.
#[derive(Debug, Args)]
struct ComplexityArgs {
    #[command(flatten)]
    request: ComplexityRequest,
    /// Exit with code 4 if a function exceeds a limit
    #[arg(long)]
    strict: bool,
}

fn list_complexity(engine: &Engine, args: ComplexityArgs, printer: &Printer) -> CommandResult {
    let format = printer.choose_format(FORMATS)?;
    let answer = engine.complexity(&args.request)?;
    match format {
        Format::Json => printer.print_json(&answer)?,
        Format::Md => printer.print_text(&format_markdown(&answer))?,
        _ => printer.print_text(&format_text(&answer, printer.style()))?,
    }
    if format == Format::Text {
        for warning in &answer.warnings {
            printer.print_note(&format!("warning: {warning}"));
        }
        printer.print_index_info(&answer.index);
    }
    if args.strict && answer.over > 0 {
        Err(Failure::Said(FINDINGS))
    } else {
        Ok(())
    }
}

fn format_summary(answer: &ComplexityAnswer) -> String {
    format!(
        "{} in {}, {} over a limit",
        format_plural(answer.total_functions as u64, "function"),
        format_plural(answer.total_files as u64, "file"),
        format_count(answer.over as u64)
    )
}

fn format_text(answer: &ComplexityAnswer, style: Style) -> String {
    let mut out = format_summary(answer);
    out.push('\n');
    for f in &answer.functions {
        let over = if f.over.is_empty() {
            String::new()
        } else {
            format!("  over: {}", f.over.join(", "))
        };
        let _ = writeln!(
            out,
            "{:>4} cognitive {:>4} cyclomatic  {}  {}:{}  {}{over}",
            f.cognitive,
            f.cyclomatic,
            style.bold(&f.symbol),
            f.file_path,
            f.line,
            style.dim(&format!(
                "{} · nesting {} · {}",
                format_plural(u64::from(f.lines), "line"),
                f.nesting,
                format_plural(u64::from(f.parameters), "parameter")
            ))
        );
    }
    let _ = writeln!(out, "files");
    for f in &answer.files {
        let _ = writeln!(
            out,
            "{:>4} cognitive {:>4} cyclomatic  {}  {}",
            f.cognitive,
            f.cyclomatic,
            style.bold(&f.file_path),
            style.dim(&format!(
                "{}, {} over a limit",
                format_plural(f.functions as u64, "function"),
                f.over
            ))
        );
    }
    out
}

fn format_markdown(answer: &ComplexityAnswer) -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    let mut out = format!("# Complexity\n\n{}\n\n", format_summary(answer));
    out.push_str(
        "| Function | Place | Cognitive | Cyclomatic | Lines | Nesting | Parameters | Over |\n",
    );
    out.push_str("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for f in &answer.functions {
        let _ = writeln!(
            out,
            "| `{}` | `{}:{}` | {} | {} | {} | {} | {} | {} |",
            cell(&f.symbol),
            cell(&f.file_path),
            f.line,
            f.cognitive,
            f.cyclomatic,
            f.lines,
            f.nesting,
            f.parameters,
            f.over.join(", ")
        );
    }
    out
}
