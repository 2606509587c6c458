//! One file per command.

pub(crate) mod cache;
pub(crate) mod call_chain;
pub(crate) mod config;
pub(crate) mod embedding;
pub(crate) mod graph_rag;
pub(crate) mod graph_store;
pub(crate) mod hook;
pub(crate) mod hotspot;
pub(crate) mod impact;
pub(crate) mod index;
pub(crate) mod intent;
pub(crate) mod mcp;
pub(crate) mod rerank;
pub(crate) mod scip;
pub(crate) mod search;
mod symbol;

use crate::cli::{Cli, Command};
use crate::environment::{self, Given, Limits};
use crate::printer::{Done, Printer};

/// Runs the command that was given.
pub(crate) fn run(cli: Cli, printer: &Printer) -> Done {
    let mut given = Given {
        project: cli.project,
        set: cli.set,
    };
    if cli.mock_embedding {
        given.set.push("embedding.provider=mock".to_owned());
    }
    let open = || environment::engine(&given, &Limits::default());
    match cli.command {
        Command::Index(args) => index::run(&given, args, printer),
        Command::Embedding(args) => embedding::run(&given, args, printer),
        Command::Search(args) => search::run(&open()?, args, printer),
        Command::Cache(args) => cache::run(&open()?, args, printer),
        Command::GraphRag(args) => graph_rag::run(&open()?, args, printer),
        Command::CallChain(args) => call_chain::run(&open()?, args, printer),
        Command::Impact(args) => impact::run(&open()?, args, printer),
        Command::Hotspot(args) => hotspot::run(&open()?, args, printer),
        Command::GraphStore(args) => graph_store::run(&open()?, args, printer),
        Command::Rerank(args) => rerank::run(&open()?, args, printer),
        Command::Scip(args) => scip::run(&open()?, args, printer),
        Command::Intent(args) => intent::run(&open()?, args, printer),
        Command::Hook(args) => hook::run(&given, args, printer),
        Command::Config(args) => config::run(&given, args, printer),
        Command::Mcp(args) => mcp::run(&given, args),
    }
}
