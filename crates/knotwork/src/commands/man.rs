//! `knotwork man`.

use crate::cli::Cli;
use crate::environment::GlobalArgs;
use crate::printer::{CommandResult, Printer};
use clap::{Args, Command};
use clap_mangen::Man;
use engine::EngineError;
use std::path::{Path, PathBuf};

/// Write the manual: a page for the program and one for each command.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The folder to write the pages to. It is made if it is missing
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
}

pub(crate) fn run(_given: &GlobalArgs, args: ManArgs, printer: &Printer) -> CommandResult {
    let folder = &args.output;
    let failed = |error: String| {
        EngineError::runtime_failure(format!("cannot write to {}: {error}", folder.display()))
    };
    // The folder may lie in a repository, whose links are not followed.
    let here = std::env::current_dir().map_err(|error| failed(error.to_string()))?;
    guard::output::create_user_folder(folder, &here).map_err(|error| failed(error.to_string()))?;
    write_pages(&Cli::describe(), folder, &here).map_err(failed)?;
    printer.print_note(&format!("The pages are in {}", folder.display()));
    Ok(())
}

/// Writes the page of a command and those of its subcommands.
fn write_pages(command: &Command, folder: &Path, root: &Path) -> Result<(), String> {
    let mut command = command.clone().disable_help_subcommand(true);
    command.build();
    let mut open = vec![command];
    while let Some(command) = open.pop() {
        let page = Man::new(command.clone());
        let mut text = Vec::new();
        page.render(&mut text).map_err(|error| error.to_string())?;
        let path = folder.join(page.get_filename());
        guard::output::write_user_file(&path, &text, root).map_err(|error| error.to_string())?;
        let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
        open.extend(shown.cloned());
    }
    Ok(())
}
