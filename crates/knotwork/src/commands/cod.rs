//! `knotwork cod`.

use crate::format::Format;
use crate::printer::{CommandResult, Printer};
use clap::{Args, Subcommand};
use engine::{CodFormat, CodPicture, CodRequest, Engine, EngineError};
use std::path::{Path, PathBuf};

/// The code base on one page: packages, folders or files, with what they use of each other.
#[derive(Debug, Args)]
pub(crate) struct CodArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
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
    /// Whether it writes no file: that belongs to where the caller stands.
    pub(crate) fn is_question(&self) -> bool {
        match &self.what {
            What::Generate { output, .. } | What::Module { output, .. } => output.is_none(),
        }
    }
}

pub(crate) fn run(engine: &Engine, args: CodArgs, printer: &Printer) -> CommandResult {
    let formats = [Format::Mermaid, Format::D3json, Format::Json];
    let format = match printer.format(Format::Mermaid, &formats)? {
        Format::Mermaid => CodFormat::Mermaid,
        _ => CodFormat::D3json,
    };
    let (request, output) = match args.what {
        What::Generate { request, output } => (request, output),
        What::Module {
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
            .map_err(|e| EngineError::failure(format!("not JSON: {e}")))?,
    };
    match output {
        None => printer.text(&text)?,
        Some(file) => write(engine, &file, &text, printer)?,
    }
    if !answer.left_out.is_empty() && format == CodFormat::Mermaid {
        let kinds = answer.left_out.iter();
        let kinds: Vec<String> = kinds.map(|(kind, n)| format!("{n} {kind}")).collect();
        printer.say(&format!("not shown: files of {} (--all)", kinds.join(", ")));
    }
    if format == CodFormat::Mermaid {
        printer.index(&answer.index);
    }
    Ok(())
}

fn write(engine: &Engine, file: &Path, text: &str, printer: &Printer) -> CommandResult {
    let end = if text.ends_with('\n') { "" } else { "\n" };
    crate::input::write(engine, file, &format!("{text}{end}"))?;
    printer.say(&format!("{} written", file.display()));
    Ok(())
}
