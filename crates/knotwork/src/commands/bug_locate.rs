//! `knotwork bug-locate`.

use crate::format::Format;
use crate::printer::{CommandResult, Printer};
use crate::text::Style;
use clap::Args;
use engine::{BugLocateAnswer, BugLocateRequest, Engine, EngineError};
use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes of a stack trace that are read.
const MOST: u64 = 1 << 20;

/// Where the bug behind an error, a stack trace or a report may be: `bug-locate --error TEXT`.
#[derive(Debug, Args)]
pub(crate) struct BugLocateArgs {
    #[command(flatten)]
    request: BugLocateRequest,
    /// A file with a stack trace or a report (- for standard input)
    #[arg(long, value_name = "FILE")]
    stacktrace: Option<PathBuf>,
}

impl BugLocateArgs {
    /// Whether it needs neither standard input nor files of this process.
    pub(crate) fn can_run_in_daemon(&self) -> bool {
        self.stacktrace.is_none()
    }
}

pub(crate) fn run(engine: &Engine, args: BugLocateArgs, printer: &Printer) -> CommandResult {
    let formats = [Format::Json, Format::Text, Format::Md];
    let format = printer.choose_format(Format::Text, &formats)?;
    let mut request = args.request;
    if let Some(file) = &args.stacktrace {
        request.stacktrace = Some(read_report(file)?);
    }
    let answer = engine.bug_locate(&request)?;
    match format {
        Format::Json => return printer.print_json(&answer),
        Format::Md => printer.print_text(&answer.to_markdown())?,
        _ => printer.print_text(&format_text(&answer, printer.style()))?,
    }
    for warning in &answer.warnings {
        printer.print_note(warning);
    }
    printer.print_index_info(&answer.index);
    Ok(())
}

/// The beginning of a file, whatever its size: a log may be long.
fn read_report(file: &Path) -> Result<String, EngineError> {
    let mut bytes = Vec::new();
    let done = if file.as_os_str() == "-" {
        std::io::stdin().lock().take(MOST).read_to_end(&mut bytes)
    } else {
        let opened = guard::open_user_file(file, u64::MAX);
        let opened = opened.map_err(|e| EngineError::bad_arguments(e.to_string()))?;
        opened.take(MOST).read_to_end(&mut bytes)
    };
    done.map_err(|e| EngineError::bad_arguments(format!("{}: {e}", file.display())))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn format_text(answer: &BugLocateAnswer, style: Style) -> String {
    let mut out = String::new();
    if answer.candidates.is_empty() {
        out.push_str("the report names nothing in this repository\n");
    }
    for c in &answer.candidates {
        let (from, to) = c.line_range;
        let symbol = c
            .symbol
            .as_deref()
            .map_or_else(String::new, |s| format!("  {s}"));
        let hot = if c.is_hotspot { " · hotspot" } else { "" };
        let date = c.last_modified.as_deref().and_then(|d| d.get(..10));
        let date = date.map_or_else(String::new, |d| format!(" · changed {d}"));
        let _ = writeln!(
            out,
            "{}. {:.2}  {}:{from}-{to}{symbol}\n   {}",
            c.rank,
            c.confidence,
            style.bold(&c.file_path),
            style.dim(&format!("{}{hot}{date}", c.reason))
        );
        if let Some(impact) = &c.impact {
            let files = impact.affected_files.join(", ");
            let _ = writeln!(
                out,
                "   affects {} symbols ({} in tests): {files}",
                impact.total_affected, impact.tests
            );
        }
    }
    out
}
