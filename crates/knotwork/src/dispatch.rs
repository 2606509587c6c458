//! Runs the given command: in this process, or in the project's daemon.

use crate::cli::{Cli, Command};
use crate::commands;
use crate::environment::{self, GlobalArgs, Limits};
use crate::format::{Format, JSON_OR_TEXT, TEXT_OR_JSON};
use crate::printer::{CommandResult, Printer};
use crate::remote;
use engine::{Engine, EngineError};
use std::path::PathBuf;

/// All commands, grouped by the place where they run, with the formats of their answers. A missing command does not compile.
///
/// - `questions` depend only on the project, so its daemon may answer them. Each names its operation.
/// - `project` commands run on an opened project in this process: they change stored data, or send requests to others.
/// - `process` commands open the project themselves, or need none.
macro_rules! commands {
    (
        questions { $($question:ident => $asks:ident, $operation:literal, $answers:expr;)* }
        project { $($project:ident => $works:ident, $gives:expr;)* }
        process { $($process:ident => $runs:ident, $prints:expr;)* }
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

        /// Runs a command of the group `questions`, on an open project.
        pub(crate) fn question(engine: &Engine, command: Command, printer: &Printer) -> CommandResult {
            match command {
                $(Command::$question(args) => commands::$asks::run(engine, args, printer),)*
                $(Command::$project(_) => Err(no_question()),)*
                $(Command::$process(_) => Err(no_question()),)*
            }
        }

        /// Whether a command is of the group `questions`.
        pub(crate) fn is_question(command: &Command) -> bool {
            match command {
                $(Command::$question(_) => true,)*
                $(Command::$project(_) => false,)*
                $(Command::$process(_) => false,)*
            }
        }

        /// Whether the daemon may run a command: one that asks about the code, or brings the index up to date.
        pub(crate) fn can_run_in_daemon(command: &Command) -> bool {
            match command {
                $(Command::$question(args) => args.can_run_in_daemon(),)*
                $(Command::$project(_) => false,)*
                $(Command::$process(_) => false,)*
            }
        }

        /// The formats of each command by the name of its type; the first is the default.
        const FORMATS: &[(&str, &[Format])] = &[
            $((stringify!($question), $answers),)*
            $((stringify!($project), $gives),)*
            $((stringify!($process), $prints),)*
        ];

        /// The operations of the group `questions`.
        #[cfg(test)]
        const QUESTIONS: &[&str] = &[$($operation),*];
    };
}

commands! {
    questions {
        AstDelta => ast_delta, "ast-delta", TEXT_OR_JSON;
        Search => search, "search", TEXT_OR_JSON;
        GraphRag => graph_rag, "graph-rag", commands::graph_rag::FORMATS;
        CallChain => call_chain, "call-chain", commands::call_chain::FORMATS;
        Impact => impact, "impact", commands::impact::FORMATS;
        BugLocate => bug_locate, "bug-locate", commands::bug_locate::FORMATS;
        Hotspot => hotspot, "hotspot", TEXT_OR_JSON;
        Pattern => pattern, "pattern", TEXT_OR_JSON;
        ArchCheck => arch_check, "arch-check", commands::arch_check::FORMATS;
        Cod => cod, "cod", commands::cod::FORMATS;
        Complexity => complexity, "complexity", commands::complexity::FORMATS;
        Boundary => boundary, "boundary", TEXT_OR_JSON;
        Vuln => vuln, "vuln", commands::vuln::FORMATS;
        Federation => federation, "federation", commands::federation::FORMATS;
        GraphStore => graph_store, "graph-store", JSON_OR_TEXT;
    }
    project {
        Cache => cache, TEXT_OR_JSON;
        Rerank => rerank, JSON_OR_TEXT;
        Scip => scip, TEXT_OR_JSON;
        Intent => intent, TEXT_OR_JSON;
    }
    process {
        Index => index, TEXT_OR_JSON;
        Embedding => embedding, TEXT_OR_JSON;
        Hook => hook, JSON_OR_TEXT;
        Solution => solution, TEXT_OR_JSON;
        Config => config, TEXT_OR_JSON;
        Daemon => daemon, JSON_OR_TEXT;
        Watch => watch, TEXT_OR_JSON;
        Worker => worker, TEXT_OR_JSON;
        Mcp => mcp, TEXT_OR_JSON;
        Serve => serve, TEXT_OR_JSON;
        Shims => shims, TEXT_OR_JSON;
        Setup => setup, TEXT_OR_JSON;
        Doctor => doctor, TEXT_OR_JSON;
        Projects => projects, TEXT_OR_JSON;
        Purge => purge, TEXT_OR_JSON;
        Completions => completions, &[Format::Text];
        Man => man, &[Format::Text];
        View => view, TEXT_OR_JSON;
    }
}

/// The formats of a command by its written name, such as `call-chain`; the first is the default.
pub(crate) fn formats_of(command: &str) -> &'static [Format] {
    let words = command.split('-').map(capitalize);
    let name: String = words.collect();
    let entry = FORMATS.iter().find(|(command, _)| *command == name);
    entry.map_or(TEXT_OR_JSON, |(_, formats)| formats)
}

fn capitalize(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

fn no_question() -> crate::printer::Failure {
    EngineError::runtime_failure("this command is no question").into()
}

/// Sets what this process trusts, before anything is opened.
fn install_trust(command: &Command) -> Result<(), EngineError> {
    // What takes everything away must not begin with a new key.
    let leaves_no_trace = match command {
        Command::Setup(_)
        | Command::Purge(_)
        | Command::Projects(_)
        | Command::Completions(_)
        | Command::Man(_) => true,
        Command::Hook(args) => args.is_about_settings(),
        _ => false,
    };
    if leaves_no_trace && !environment::has_key() {
        return Ok(());
    }
    let trust_index = matches!(command, Command::Index(args) if args.trusts_index());
    match environment::install_trust_policy(trust_index) {
        // A hook fails for nobody: it has no answer then.
        Err(_) if matches!(command, Command::Hook(_)) => Ok(()),
        installed => installed.map(|_| ()),
    }
}

/// Runs the given command.
pub(crate) fn run(cli: Cli, printer: &Printer) -> CommandResult {
    install_trust(&cli.command)?;
    let given = global_args(&cli);
    if can_run_in_daemon(&cli.command)
        && let Some(done) = remote::run_in_daemon(&given, printer)
    {
        return done;
    }
    run_here(&given, cli.command, printer)
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
    if let Command::Vuln(args) = &cli.command {
        args.choose_project(&mut given);
    }
    given
}

/// The root of the project that a command is about, if there is one.
pub(crate) fn project_root(cli: &Cli) -> Option<PathBuf> {
    environment::find_project(&global_args(cli)).ok().flatten()
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
            "federation endpoints",
        ] {
            assert!(is_sent(line), "{line}");
        }
    }

    #[test]
    fn questions_are_operations_that_read() {
        for name in QUESTIONS {
            let operation = engine::operation(name).unwrap_or_else(|| panic!("{name}"));
            // An update is sent to the process that keeps the graph in memory.
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
