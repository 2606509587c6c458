//! `knotwork completions`.

use crate::cli::Cli;
use crate::environment::GlobalArgs;
use crate::printer::{CommandResult, Printer};
use clap::Args;

/// Print the completions of a shell.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

pub(crate) fn run(_given: &GlobalArgs, args: CompletionsArgs, printer: &Printer) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::describe(), "knotwork", &mut script);
    printer.print_text(String::from_utf8_lossy(&script).trim_end())
}
