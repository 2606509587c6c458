//! `knotwork completions`.

use crate::cli::Cli;
use crate::command::{Command, Row, Run, Trust};
use crate::environment::GlobalArgs;
use crate::format::Format;
use crate::printer::{CommandResult, Printer};
use clap::Args;

pub(super) const COMMAND: Command = Command {
    name: "completions",
    aliases: &[],
    about: "Print the completions of a shell",
    examples: &[
        "knotwork completions bash > ~/.local/share/bash-completion/completions/knotwork",
        "knotwork completions zsh > ~/.zfunc/_knotwork",
        "knotwork completions fish > ~/.config/fish/completions/knotwork.fish",
    ],
    part_examples: &[],
    formats: &[Format::Text],
    part_formats: &[],
    operations: &[],
    readme: Row {
        usage: "`completions SHELL`",
        tool: None,
        answers: "completions for bash, zsh, fish, PowerShell and elvish",
    },
    readme_chinese: None,
    run: &Run::in_process(print_completions).with_trust(|_| Trust::NO_NEW_KEY),
};

/// Print the completions of a shell.
#[derive(Debug, Args)]
struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: clap_complete::Shell,
}

fn print_completions(
    _given: &GlobalArgs,
    args: CompletionsArgs,
    printer: &Printer,
) -> CommandResult {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::describe(), "knotwork", &mut script);
    printer.print_text(String::from_utf8_lossy(&script).trim_end())
}
