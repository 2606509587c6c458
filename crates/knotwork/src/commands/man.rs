//! `knotwork man`.

use crate::cli::Cli;
use crate::command::{Command, Row, Run, Trust};
use crate::environment::GlobalArgs;
use crate::format::Format;
use crate::printer::{CommandResult, Printer};
use clap::Args;
use clap_mangen::Man;
use engine::EngineError;
use guard::OpenError;
use std::path::{Path, PathBuf};

pub(super) const COMMAND: Command = Command {
    name: "man",
    aliases: &[],
    about: "Write the manual pages",
    examples: &["knotwork man --output ~/.local/share/man/man1"],
    part_examples: &[],
    formats: &[Format::Text],
    part_formats: &[],
    operations: &[],
    readme: Row {
        usage: "`man --output DIR`",
        tool: None,
        answers: "manual pages",
    },
    readme_chinese: None,
    run: &Run::in_process(write_manual).with_trust(|_| Trust::NO_NEW_KEY),
};

/// Write the manual: a page for the program and one for each command.
#[derive(Debug, Args)]
struct ManArgs {
    /// The folder to write the pages to. It is made if it is missing
    #[arg(long, short, value_name = "DIR")]
    output: PathBuf,
}

fn write_manual(_given: &GlobalArgs, args: ManArgs, printer: &Printer) -> CommandResult {
    let folder = &args.output;
    let failed = |error: &dyn std::fmt::Display| {
        EngineError::runtime_failure(format!("cannot write to {}: {error}", folder.display()))
    };
    // The folder may lie in a repository, whose links are not followed.
    let here = std::env::current_dir().map_err(|error| failed(&error))?;
    guard::output::create_user_folder(folder, &here).map_err(|error| failed(&error))?;
    write_pages(&Cli::describe(), folder, &here).map_err(|error| failed(&error))?;
    printer.print_note(&format!("The pages are in {}", folder.display()));
    Ok(())
}

/// Writes the page of a command and those of its subcommands.
fn write_pages(command: &clap::Command, folder: &Path, root: &Path) -> Result<(), OpenError> {
    let mut command = command.clone().disable_help_subcommand(true);
    command.build();
    let mut open = vec![command];
    while let Some(command) = open.pop() {
        let page = Man::new(command.clone());
        let mut text = Vec::new();
        let path = folder.join(page.get_filename());
        let rendered = page.render(&mut text);
        rendered.map_err(|source| OpenError::Io {
            path: path.clone(),
            source,
        })?;
        guard::output::write_user_file(&path, &text, root)?;
        let shown = command.get_subcommands().filter(|one| !one.is_hide_set());
        open.extend(shown.cloned());
    }
    Ok(())
}
