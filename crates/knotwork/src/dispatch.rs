//! Runs the command that was given: here, or in the project's daemon.

use crate::cli::{Cli, Command};
use crate::commands;
use crate::environment::{self, GlobalArgs, Limits};
use crate::printer::{CommandResult, Printer};
use crate::remote;
use engine::{Engine, EngineError};

/// Every command stands here once, by where it runs. A command that is missing does not compile.
///
/// - `questions` are about the project alone, so that its daemon may answer them. Each names its operation.
/// - `project` commands run on an opened project in this process: they change what is kept, or ask others.
/// - `process` commands open the project for themselves, or need none.
macro_rules! commands {
    (
        questions { $($question:ident => $asks:ident, $operation:literal;)* }
        project { $($project:ident => $works:ident;)* }
        process { $($process:ident => $runs:ident;)* }
    ) => {
        /// Runs a command in this process.
        fn run_here(given: &GlobalArgs, command: Command, printer: &Printer) -> CommandResult {
            let open = || environment::open_engine(given, &Limits::default());
            match command {
                $(Command::$question(args) => commands::$asks::run(&open()?, args, printer),)*
                $(Command::$project(args) => commands::$works::run(&open()?, args, printer),)*
                $(Command::$process(args) => commands::$runs::run(given, args, printer),)*
            }
        }

        /// Runs a command that asks about the code, on an open project.
        pub(crate) fn question(engine: &Engine, command: Command, printer: &Printer) -> CommandResult {
            match command {
                $(Command::$question(args) => commands::$asks::run(engine, args, printer),)*
                $(Command::$project(_) => Err(no_question()),)*
                $(Command::$process(_) => Err(no_question()),)*
            }
        }

        /// Whether a command asks about the code, or says what is to be read again: only such are sent to the daemon.
        pub(crate) fn can_run_in_daemon(command: &Command) -> bool {
            match command {
                $(Command::$question(args) => args.can_run_in_daemon(),)*
                $(Command::$project(_) => false,)*
                $(Command::$process(_) => false,)*
            }
        }

        /// The operations of the questions.
        #[cfg(test)]
        const QUESTIONS: &[&str] = &[$($operation),*];
    };
}

commands! {
    questions {
        AstDelta => ast_delta, "ast-delta";
        Search => search, "search";
        GraphRag => graph_rag, "graph-rag";
        CallChain => call_chain, "call-chain";
        Impact => impact, "impact";
        BugLocate => bug_locate, "bug-locate";
        Hotspot => hotspot, "hotspot";
        Pattern => pattern, "pattern";
        ArchCheck => arch_check, "arch-check";
        Cod => cod, "cod";
        Complexity => complexity, "complexity";
        Boundary => boundary, "boundary";
        Vuln => vuln, "vuln";
        Federation => federation, "federation";
        GraphStore => graph_store, "graph-store";
    }
    project {
        Cache => cache;
        Rerank => rerank;
        Scip => scip;
        Intent => intent;
    }
    process {
        Index => index;
        Embedding => embedding;
        Hook => hook;
        Solution => solution;
        Config => config;
        Daemon => daemon;
        Watch => watch;
        Mcp => mcp;
    }
}

fn no_question() -> crate::printer::Failure {
    EngineError::runtime_failure("this command is no question").into()
}

/// Runs the command that was given.
pub(crate) fn run(cli: Cli, printer: &Printer) -> CommandResult {
    let mut given = GlobalArgs {
        project: cli.project,
        folder: None,
        set: cli.set,
    };
    if let Some(size) = cli.memory {
        given.set.push(format!("limits.memory={size}"));
    }
    if cli.mock_embedding {
        given.set.push("embedding.provider=mock".to_owned());
    }
    if let Command::Vuln(args) = &cli.command {
        args.choose_project(&mut given);
    }
    if can_run_in_daemon(&cli.command)
        && let Some(done) = remote::run_in_daemon(&given, printer)
    {
        return done;
    }
    run_here(&given, cli.command, printer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Access;
    use serde_json::json;

    fn is_sent(line: &str) -> bool {
        let words = std::iter::once("knotwork").chain(line.split(' '));
        let cli = Cli::read(words).unwrap_or_else(|e| panic!("{line}: {e}"));
        can_run_in_daemon(&cli.command)
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
        ] {
            assert!(is_sent(line), "{line}");
        }
    }

    #[test]
    fn questions_are_operations_that_read() {
        for name in QUESTIONS {
            let operation = engine::operation(name).unwrap_or_else(|| panic!("{name}"));
            // What is to be read again is said to whoever keeps the graph.
            let expected = if *name == "ast-delta" {
                Access::Index
            } else {
                Access::Read
            };
            let request = match *name {
                "pattern" => json!({"action": "check"}),
                "graph-store" => json!({"action": "stats"}),
                _ => json!({}),
            };
            assert_eq!(operation.access(&request), expected, "{name}");
        }
        for operation in engine::OPERATIONS.iter().filter(|o| o.tool.is_some()) {
            let can_run_in_daemon = QUESTIONS.contains(&operation.name);
            let is_managed = ["index-status", "intent"].contains(&operation.name);
            assert!(can_run_in_daemon || is_managed, "{}", operation.name);
        }
    }
}
