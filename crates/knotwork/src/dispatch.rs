//! Runs the given command: in this process, or in the project's daemon.

use crate::cli::Cli;
use crate::command::Trust;
use crate::environment::{self, GlobalArgs};
use crate::printer::{CommandResult, Printer};
use crate::remote;
use engine::EngineError;
use std::path::PathBuf;

/// Sets what this process trusts, before anything is opened.
fn install_trust(trust: Trust) -> Result<(), EngineError> {
    if !trust.makes_key && !environment::has_key() {
        return Ok(());
    }
    match environment::install_trust_policy(trust.trusts_index) {
        Err(_) if !trust.is_required => Ok(()),
        installed => installed.map(|_| ()),
    }
}

/// Runs the given command.
pub(crate) fn run_command(cli: Cli, printer: &Printer) -> CommandResult {
    install_trust(cli.command.0.trust())?;
    let given = global_args(&cli);
    let call = cli.command.0;
    if call.can_run_in_daemon()
        && let Some(done) = remote::run_in_daemon(&given, printer)
    {
        return done;
    }
    call.run_here(&given, printer)
}

fn global_args(cli: &Cli) -> GlobalArgs {
    let mut given = GlobalArgs {
        project: cli.project.clone(),
        folder: None,
        set: cli.set.clone(),
    };
    if let Some(size) = &cli.memory {
        given.set.push(format!("limits.memory={size}"));
    }
    if cli.mock_embedding {
        given.set.push("embedding.provider=mock".to_owned());
    }
    cli.command.0.choose_project(&mut given);
    given
}

/// The root of the project that a command is about, if there is one.
pub(crate) fn project_root(cli: &Cli) -> Option<PathBuf> {
    environment::find_project(&global_args(cli)).ok().flatten()
}

#[cfg(test)]
mod tests {
    use crate::cli::Cli;
    use crate::commands::COMMANDS;
    use engine::Access;
    use serde_json::json;

    fn is_sent(line: &str) -> bool {
        let words = std::iter::once("knotwork").chain(line.split(' '));
        let cli = Cli::read(words).unwrap_or_else(|e| panic!("{line}: {e}"));
        cli.command.0.can_run_in_daemon()
    }

    #[test]
    fn what_writes_where_the_caller_says_is_never_run_for_others() {
        for line in [
            "cod generate --output ../x",
            "cod module src --output ../x",
            "arch-check init --output ../x --force",
            "bug-locate --stacktrace ../x",
            "vuln scan",
            "vuln parse --input ../x",
            "vuln trace left-pad --dir ..",
            "graph-store vacuum",
            "federation update",
            "federation generate-virtual-edges",
            "federation status --config x.yaml",
            "index",
            "mcp",
            "daemon stop",
        ] {
            assert!(!is_sent(line), "{line}");
        }
        for line in [
            "cod generate",
            "arch-check",
            "search x",
            "vuln trace left-pad",
            "federation search X",
            "federation query-virtual X",
            "federation endpoints",
        ] {
            assert!(is_sent(line), "{line}");
        }
    }

    /// The operations of the commands that depend only on the project.
    fn questions() -> impl Iterator<Item = &'static str> {
        let questions = COMMANDS.iter().filter(|command| command.run.is_question());
        questions.flat_map(|command| command.operations.iter().copied())
    }

    #[test]
    fn questions_are_operations_that_read() {
        assert!(questions().count() > 10);
        for name in questions() {
            let operation = engine::operation(name).unwrap_or_else(|| panic!("{name}"));
            // An update is sent to the process that keeps the graph in memory.
            let expected = if name == "ast-delta" {
                Access::Index
            } else {
                Access::Read
            };
            let request = match name {
                "pattern" => json!({"action": "check"}),
                "graph-store" => json!({"action": "stats"}),
                _ => json!({}),
            };
            assert_eq!(operation.access(&request), expected, "{name}");
        }
        for operation in engine::OPERATIONS.iter().filter(|o| o.tool.is_some()) {
            let can_run_in_daemon = questions().any(|name| name == operation.name);
            let is_managed = ["index-status", "intent"].contains(&operation.name);
            assert!(can_run_in_daemon || is_managed, "{}", operation.name);
        }
    }
}
