//! `knotwork bug-locate`.

use crate::command::{Command, Row, Run};
use crate::format::Format;
use crate::printer::{CommandResult, Printer};
use crate::text::Style;
use clap::Args;
use engine::{BugLocateAnswer, BugLocateRequest, Engine, EngineError};
use std::fmt::Write;
use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

/// Formats of the answer; the first is the default.
const FORMATS: &[Format] = &[Format::Text, Format::Json, Format::Md];

/// The most bytes of a stack trace that are read.
const MOST: u64 = 1 << 20;

pub(super) const COMMAND: Command = Command {
    name: "bug-locate",
    aliases: &[],
    about: "Find the likely place of a bug from an error, a stack trace or a report",
    examples: &[
        "knotwork bug-locate \"KeyError: 'expires_in'\"",
        "pytest 2>&1 | knotwork bug-locate",
        "knotwork bug-locate --stacktrace crash.log --with-impact",
    ],
    part_examples: &[],
    formats: FORMATS,
    part_formats: &[],
    operations: &["bug-locate"],
    readme: Row {
        usage: "`bug-locate`",
        tool: None,
        answers: "where the bug behind an error, a stack trace or a report may be, with the evidence",
    },
    readme_chinese: Some(Row {
        usage: "`bug-locate`",
        tool: None,
        answers: "从错误、堆栈或报告找出可能出错的位置及证据",
    }),
    run: &Run::question(BugLocateArgs::can_run_in_daemon, locate_bug),
};

/// Where the bug behind an error, a stack trace or a report may be: `bug-locate TEXT`.
#[derive(Debug, Args)]
struct BugLocateArgs {
    /// An error message, a stack trace or a report (- for standard input, which is also read where
    /// nothing is given)
    #[arg(value_name = "TEXT")]
    report: Vec<String>,
    #[command(flatten)]
    request: BugLocateRequest,
    /// A file with a stack trace or a report (- for standard input)
    #[arg(long, value_name = "FILE")]
    stacktrace: Option<PathBuf>,
}

impl BugLocateArgs {
    /// Whether the command needs neither standard input nor files of the caller.
    fn can_run_in_daemon(&self) -> bool {
        let is_given = !self.report.is_empty() || self.request.error.is_some();
        self.stacktrace.is_none() && !self.reads_stdin() && is_given
    }

    fn reads_stdin(&self) -> bool {
        self.report == ["-"]
    }

    /// Standard input, if the report comes from there: it is named, or text is piped in and no other report is given.
    fn read_piped(&self) -> Result<Option<String>, EngineError> {
        let nothing =
            self.report.is_empty() && self.stacktrace.is_none() && self.request.error.is_none();
        if self.reads_stdin() || (nothing && !std::io::stdin().is_terminal()) {
            read_report(Path::new("-")).map(Some)
        } else {
            Ok(None)
        }
    }
}

fn locate_bug(engine: &Engine, args: BugLocateArgs, printer: &Printer) -> CommandResult {
    let format = printer.choose_format(FORMATS)?;
    let piped = args.read_piped()?;
    let reads_stdin = args.reads_stdin();
    let mut request = args.request;
    if !args.report.is_empty() && !reads_stdin {
        let report = args.report.join(" ");
        request.error = Some(match request.error {
            Some(error) => format!("{error}\n{report}"),
            None => report,
        });
    }
    request.stacktrace = piped;
    if let Some(file) = &args.stacktrace {
        let before = request.stacktrace.take();
        let text = read_report(file)?;
        request.stacktrace =
            Some(before.map_or(text.clone(), |before| format!("{before}\n{text}")));
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

/// The beginning of a file of any size, since a log may be long.
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
