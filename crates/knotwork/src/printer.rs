//! Output: data alone goes to standard output, everything else to standard error.

use crate::format::Format;
use crate::text::Style;
use engine::{EngineError, IndexInfo};
use guard::text::{escape_line_keeping_styles, escape_multiline_keeping_styles};
use serde::Serialize;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Writes answers and notes.
pub(crate) struct Printer {
    format: Option<Format>,
    out: Style,
    err: Style,
    /// A buffer, if the output is printed later or by another process; none to print it at once.
    kept: Option<Mutex<BufferedOutput>>,
}

/// Output texts in order, each with whether it is data.
pub(crate) type BufferedOutput = Vec<(bool, String)>;

/// The reason why a command ended early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An error of the engine.
    Engine(EngineError),
    /// Standard output cannot be written.
    Output(std::io::Error),
    /// Another process ran the command and reported everything; with its exit code.
    Said(u8),
}

impl From<EngineError> for Failure {
    fn from(error: EngineError) -> Failure {
        Failure::Engine(error)
    }
}

/// Whether colours are shown. A console of Windows is told to show them; an old one cannot.
fn shows_colours(terminal: &console::Term) -> bool {
    terminal.is_term() && (cfg!(not(windows)) || terminal.features().colors_supported())
}

/// The exit code where a required program is missing.
pub(crate) const MISSING_DEPENDENCY: u8 = 2;
/// The exit code of a failure that the answer has already reported.
pub(crate) const FAILED: u8 = 3;
/// The exit code of a strict check with findings.
pub(crate) const FINDINGS: u8 = 4;

/// The result of a command.
pub(crate) type CommandResult = Result<(), Failure>;

impl Printer {
    pub(crate) fn new(format: Option<Format>) -> Printer {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
        Printer {
            format,
            out: Style::new(!plain && shows_colours(&console::Term::stdout())),
            err: Style::new(!plain && shows_colours(&console::Term::stderr())),
            kept: None,
        }
    }

    /// A printer that buffers its output, coloured or not.
    pub(crate) fn buffered(format: Option<Format>, [out, err]: [bool; 2]) -> Printer {
        Printer {
            format,
            out: Style::new(out),
            err: Style::new(err),
            kept: Some(Mutex::default()),
        }
    }

    /// A printer for a terminal, which buffers its output until [`Printer::finish`].
    pub(crate) fn paged(format: Option<Format>) -> Printer {
        Printer {
            kept: Some(Mutex::default()),
            ..Printer::new(format)
        }
    }

    /// Writes what was buffered, the data through the user's pager if it is longer than the terminal. The pager is no program of
    /// the project. Returns the exit code: `code`, or another if the output cannot be written.
    pub(crate) fn finish(self, code: u8, project: Option<&Path>) -> u8 {
        let direct = Printer::new(self.format);
        let mut output = self.into_buffered();
        let is_data = |part: &&(bool, String)| part.0;
        let data: String = output
            .iter()
            .filter(is_data)
            .map(|(_, text)| &**text)
            .collect();
        if crate::pager::show(&data, project) {
            output.retain(|(is_data, _)| !is_data);
        }
        let output = output.iter().map(|(is_data, text)| (*is_data, &**text));
        match direct.print_output(output) {
            Ok(()) => code,
            Err(failure) => direct.print_failure(&failure),
        }
    }

    /// The buffered output.
    pub(crate) fn into_buffered(self) -> BufferedOutput {
        let kept = self.kept.map(|kept| kept.into_inner());
        kept.map(|kept| kept.unwrap_or_else(PoisonError::into_inner))
            .unwrap_or_default()
    }

    /// Whether standard output and standard error are coloured.
    pub(crate) fn color_flags(&self) -> [bool; 2] {
        [self.out.is_enabled(), self.err.is_enabled()]
    }

    /// Writes the output of another process, and returns its exit code as the end of this one.
    pub(crate) fn print_remote_output<'a>(
        &self,
        output: impl Iterator<Item = (bool, &'a str)>,
        code: u8,
    ) -> CommandResult {
        self.print_output(output)?;
        match code {
            0 => Ok(()),
            code => Err(Failure::Said(code)),
        }
    }

    /// Writes texts, each with whether it is data.
    fn print_output<'a>(&self, output: impl Iterator<Item = (bool, &'a str)>) -> CommandResult {
        for (data, text) in output {
            if data {
                self.print_text(text)?
            } else {
                self.print_notes(text);
            }
        }
        Ok(())
    }

    /// Prints notes of one or more lines, which end with a line end.
    fn print_notes(&self, text: &str) {
        let text = &*escape_multiline_keeping_styles(text, self.err.is_enabled());
        if !self.buffer(false, &[text]) {
            let _ = write!(std::io::stderr(), "{text}");
        }
    }

    /// The style of standard output.
    pub(crate) fn style(&self) -> Style {
        self.out
    }

    /// The requested format, or the command's default; an error for one that it does not have.
    pub(crate) fn choose_format(&self, allowed: &[Format]) -> Result<Format, Failure> {
        let format = self.format.unwrap_or(allowed[0]);
        if allowed.contains(&format) {
            return Ok(format);
        }
        let names: Vec<&str> = allowed.iter().map(|f| f.name()).collect();
        let wrong = format.name();
        Err(
            EngineError::bad_arguments(format!("invalid format: {wrong}"))
                .with_hint(format!("this command has {}", names.join(", ")))
                .into(),
        )
    }

    /// Whether a format was requested.
    pub(crate) fn is_format_given(&self) -> bool {
        self.format.is_some()
    }

    /// Whether the answer is to be JSON, for commands that have only JSON and text.
    pub(crate) fn is_json(&self, formats: &[Format]) -> Result<bool, Failure> {
        Ok(self.choose_format(formats)? == Format::Json)
    }

    /// An answer as JSON on one line.
    pub(crate) fn print_json(&self, answer: &impl Serialize) -> CommandResult {
        let text = serde_json::to_string(answer)
            .map_err(|e| EngineError::runtime_failure(format!("not JSON: {e}")))?;
        self.print_text(&text)
    }

    /// Prints text, with a line end where it lacks one. Characters of a repository that could control the terminal are escaped.
    pub(crate) fn print_text(&self, text: &str) -> CommandResult {
        let text = &*escape_multiline_keeping_styles(text, self.out.is_enabled());
        let end = if text.ends_with('\n') { "" } else { "\n" };
        if self.buffer(true, &[text, end]) {
            return Ok(());
        }
        let mut out = std::io::stdout().lock();
        let written = write!(out, "{text}{end}").and_then(|()| out.flush());
        match written {
            // The reader has closed the pipe, which is no error.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(Failure::Output(error)),
            Ok(()) => Ok(()),
        }
    }

    /// Prints a note on one line.
    pub(crate) fn print_note(&self, text: &str) {
        let text = &*escape_line_keeping_styles(text, self.err.is_enabled());
        if self.buffer(false, &[text, "\n"]) {
            return;
        }
        let _ = writeln!(std::io::stderr(), "{text}");
    }

    /// Adds to the buffer. Returns whether there is one.
    fn buffer(&self, data: bool, parts: &[&str]) -> bool {
        let Some(kept) = &self.kept else {
            return false;
        };
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        let text = parts.concat();
        match kept.last_mut() {
            Some((before, said)) if *before == data => said.push_str(&text),
            _ => kept.push((data, text)),
        }
        true
    }

    /// Prints the state of the index behind an answer.
    pub(crate) fn print_index_info(&self, index: &IndexInfo) {
        let mut parts = Vec::new();
        if let Some(commit) = &index.commit {
            parts.push(format!("commit {}", commit.get(..10).unwrap_or(commit)));
        }
        parts.push(if index.fresh {
            "fresh".to_owned()
        } else {
            "not fresh".to_owned()
        });
        if index.reindexed_files > 0 {
            parts.push(format!(
                "{} files read for this answer",
                index.reindexed_files
            ));
        }
        self.print_note(&self.err.dim(&format!("index: {}", parts.join(", "))));
        for note in &index.notes {
            self.print_note(&format!("note: {note}"));
        }
    }

    /// Prints an error and returns the exit code.
    pub(crate) fn print_failure(&self, failure: &Failure) -> u8 {
        let error = match failure {
            Failure::Output(error) => {
                self.print_note(&format!("error: cannot write the answer: {error}"));
                return 3;
            }
            Failure::Said(code) => return *code,
            Failure::Engine(error) => error,
        };
        if self.format == Some(Format::Json) {
            let _ = self.print_json(&serde_json::json!({ "error": error }));
        }
        self.print_note(&format!("{}: {}", self.err.bold("error"), error.message));
        for candidate in &error.candidates {
            self.print_note(&format!(
                "  {}  {} {}",
                candidate.place, candidate.kind, candidate.symbol
            ));
        }
        if let Some(hint) = &error.hint {
            self.print_note(&format!("hint: {hint}"));
        }
        error.kind.exit_code()
    }
}
