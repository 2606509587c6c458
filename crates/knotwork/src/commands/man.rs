//! `knotwork man`.

use crate::cli::Cli;
use crate::environment::GlobalArgs;
use crate::printer::{CommandResult, Printer};
use clap::Args;
use engine::EngineError;
use std::path::PathBuf;

/// Write the manual: a page for the program and one for each command.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The folder to write the pages to. It is made if it is missing
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
}

pub(crate) fn run(_given: &GlobalArgs, args: ManArgs, printer: &Printer) -> CommandResult {
    let failed = |error: std::io::Error| {
        EngineError::runtime_failure(format!(
            "cannot write to {}: {error}",
            args.output.display()
        ))
    };
    std::fs::create_dir_all(&args.output).map_err(failed)?;
    clap_mangen::generate_to(Cli::describe(), &args.output).map_err(failed)?;
    printer.print_note(&format!("The pages are in {}", args.output.display()));
    Ok(())
}
