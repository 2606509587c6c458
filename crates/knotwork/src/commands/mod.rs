//! One file per command.

pub(crate) mod arch_check;
pub(crate) mod ast_delta;
pub(crate) mod boundary;
pub(crate) mod bug_locate;
pub(crate) mod cache;
pub(crate) mod call_chain;
pub(crate) mod cod;
pub(crate) mod complexity;
pub(crate) mod config;
pub(crate) mod daemon;
pub(crate) mod embedding;
pub(crate) mod graph_rag;
pub(crate) mod graph_store;
pub(crate) mod hook;
pub(crate) mod hotspot;
pub(crate) mod impact;
pub(crate) mod index;
pub(crate) mod intent;
pub(crate) mod mcp;
pub(crate) mod pattern;
pub(crate) mod rerank;
pub(crate) mod scip;
pub(crate) mod search;
pub(crate) mod solution;
mod symbol;
pub(crate) mod vuln;
pub(crate) mod watch;

use crate::cli::{Cli, Command};
use crate::environment::{self, GlobalArgs, Limits};
use crate::printer::{CommandResult, Printer};
use crate::remote;
use engine::{Engine, EngineError};

/// Runs the command that was given.
pub(crate) fn run(cli: Cli, printer: &Printer) -> CommandResult {
    let mut given = GlobalArgs {
        project: cli.project,
        set: cli.set,
    };
    if let Some(size) = cli.memory {
        given.set.push(format!("limits.memory={size}"));
    }
    if cli.mock_embedding {
        given.set.push("embedding.provider=mock".to_owned());
    }
    if let Some(done) = remote::run(&given, &cli.command, printer) {
        return done;
    }
    let open = || environment::engine(&given, &Limits::default());
    match cli.command {
        Command::Index(args) => index::run(&given, args, printer),
        Command::Embedding(args) => embedding::run(&given, args, printer),
        Command::Cache(args) => cache::run(&open()?, args, printer),
        Command::Rerank(args) => rerank::run(&open()?, args, printer),
        Command::Scip(args) => scip::run(&open()?, args, printer),
        Command::Intent(args) => intent::run(&open()?, args, printer),
        Command::Hook(args) => hook::run(&given, args, printer),
        Command::Solution(args) => solution::run(&given, args, printer),
        Command::Config(args) => config::run(&given, args, printer),
        Command::Daemon(args) => daemon::run(&given, args, printer),
        Command::Watch(args) => watch::run(&given, args, printer),
        Command::Mcp(args) => mcp::run(&given, args, printer),
        Command::Vuln(args) => vuln::run(&given, args, printer),
        question => self::question(&open()?, question, printer),
    }
}

/// Runs a command that asks about the code, on an open project.
pub(crate) fn question(engine: &Engine, command: Command, printer: &Printer) -> CommandResult {
    match command {
        Command::AstDelta(args) => ast_delta::run(engine, args, printer),
        Command::Search(args) => search::run(engine, args, printer),
        Command::GraphRag(args) => graph_rag::run(engine, args, printer),
        Command::CallChain(args) => call_chain::run(engine, args, printer),
        Command::Impact(args) => impact::run(engine, args, printer),
        Command::BugLocate(args) => bug_locate::run(engine, args, printer),
        Command::Hotspot(args) => hotspot::run(engine, args, printer),
        Command::Pattern(args) => pattern::run(engine, args, printer),
        Command::ArchCheck(args) => arch_check::run(engine, args, printer),
        Command::Cod(args) => cod::run(engine, args, printer),
        Command::Complexity(args) => complexity::run(engine, args, printer),
        Command::Boundary(args) => boundary::run(engine, args, printer),
        Command::Vuln(args) => vuln::ask(engine, args, printer),
        Command::GraphStore(args) => graph_store::run(engine, args, printer),
        _ => Err(EngineError::failure("this command is no question").into()),
    }
}
