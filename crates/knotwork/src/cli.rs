//! The command line as clap reads it.

use crate::commands::{call_chain, graph_store, impact, index, mcp, scip, search};
use clap::{Parser, Subcommand, ValueEnum};
use std::path::PathBuf;

/// Turns a repository into a code graph and answers questions about it.
///
/// Every question builds the index by itself where there is none, and reads changed files again before
/// it answers. State lives in .devbooks/ in the project's root.
#[derive(Debug, Parser)]
#[command(name = "knotwork", version, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 success, 1 bad arguments, 2 missing dependency, 3 failure while running.\n\
    Environment: DEVBOOKS_DIR, GRAPH_DB_PATH, SCIP_INDEX_PATH, NO_COLOR, DEVBOOKS_DEBUG."
)]
pub(crate) struct Cli {
    /// A folder inside the project [default: the current one]
    #[arg(long, short = 'C', global = true, value_name = "DIR")]
    pub project: Option<PathBuf>,
    /// Shape of the answer; which there are depends on the command
    #[arg(long, global = true, value_enum)]
    pub format: Option<Format>,
    #[command(subcommand)]
    pub command: Command,
}

/// Shapes of answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// JSON on one line
    Json,
    /// For reading
    Text,
    /// Markdown
    Md,
    /// A Mermaid diagram
    Mermaid,
    /// An indented tree
    Tree,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build the index, or bring it up to date
    Index(index::IndexArgs),
    /// Find symbols by name
    Search(search::SearchArgs),
    /// Who calls a symbol, and what it calls
    CallChain(call_chain::CallChainArgs),
    /// What a change of a symbol or file may affect
    Impact(impact::ImpactArgs),
    /// Nodes and edges as they are kept
    GraphStore(graph_store::GraphStoreArgs),
    /// Compiler-grade SCIP indexes
    Scip(scip::ScipArgs),
    /// Serve the Model Context Protocol on standard input and output
    Mcp(mcp::McpArgs),
}

#[cfg(test)]
mod tests {
    use super::Cli;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
