//! `knotwork cod`.

use crate::format::Format;
use crate::printer::{CommandResult, Printer};
use clap::{Args, Subcommand};
use engine::{CodFormat, CodPicture, CodRequest, Engine, EngineError};
use std::path::{Path, PathBuf};

/// Formats of the answer; the first is the default.
pub(crate) const FORMATS: &[Format] = &[Format::Mermaid, Format::D3json, Format::Json];

/// The code base on one page: packages, folders or files, with what they use of each other.
#[derive(Debug, Args)]
pub(crate) struct CodArgs {
    #[command(subcommand)]
    what: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Draw the whole project, or one module
    Generate {
        #[command(flatten)]
        request: CodRequest,
        /// Output file [default: standard output]
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Draw one folder or file
    Module {
        /// Path of the folder or file
        path: String,
        #[command(flatten)]
        request: CodRequest,
        /// Output file [default: standard output]
        #[arg(long, short, value_name = "FILE")]
        output: Option<PathBuf>,
    },
}

impl CodArgs {
    /// Whether the command writes no file: a file is relative to the caller's folder.
    pub(crate) fn can_run_in_daemon(&self) -> bool {
        match &self.what {
            Action::Generate { output, .. } | Action::Module { output, .. } => output.is_none(),
        }
    }
}

pub(crate) fn run(engine: &Engine, args: CodArgs, printer: &Printer) -> CommandResult {
    let format = match printer.choose_format(FORMATS)? {
        Format::Mermaid => CodFormat::Mermaid,
        _ => CodFormat::D3json,
    };
    let (request, output) = match args.what {
        Action::Generate { request, output } => (request, output),
        Action::Module {
            path,
            request,
            output,
        } => {
            let module = Some(path);
            (CodRequest { module, ..request }, output)
        }
    };
    let answer = engine.cod(&CodRequest { format, ..request })?;
    let text = match &answer.picture {
        CodPicture::Mermaid { diagram, .. } => diagram.clone(),
        CodPicture::D3(_) => serde_json::to_string(&answer)
            .map_err(|e| EngineError::runtime_failure(format!("not JSON: {e}")))?,
    };
    match output {
        None => printer.print_text(&text)?,
        Some(file) => write_output_file(engine, &file, &text, printer)?,
    }
    if !answer.left_out.is_empty() && format == CodFormat::Mermaid {
        let kinds = answer.left_out.iter();
        let kinds: Vec<String> = kinds.map(|(kind, n)| format!("{n} {kind}")).collect();
        printer.print_note(&format!("not shown: files of {} (--all)", kinds.join(", ")));
    }
    if format == CodFormat::Mermaid {
        printer.print_index_info(&answer.index);
    }
    Ok(())
}

fn write_output_file(engine: &Engine, file: &Path, text: &str, printer: &Printer) -> CommandResult {
    let end = if text.ends_with('\n') { "" } else { "\n" };
    crate::input::write_text(engine, file, &format!("{text}{end}"))?;
    printer.print_note(&format!("{} written", file.display()));
    Ok(())
}
