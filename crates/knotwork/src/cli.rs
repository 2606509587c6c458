//! The command line as clap reads it.

use crate::commands::{
    arch_check, ast_delta, boundary, bug_locate, cache, call_chain, cod, complexity, config,
    daemon, embedding, graph_rag, graph_store, hook, hotspot, impact, index, intent, mcp, pattern,
    rerank, scip, search, solution, vuln, watch,
};
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
    Environment: DEVBOOKS_DIR, GRAPH_DB_PATH, SCIP_INDEX_PATH, FEATURES_CONFIG, INTENT_HISTORY_PATH, AST_CACHE_DIR, SOLUTION_MEMORY_PATH, ARCH_RULES_FILE, NO_COLOR,\n\
    DEVBOOKS_DEBUG, and KNOTWORK_ before any key of `config show`, e.g. KNOTWORK_GRAPH_RAG_TOP_K.\n\
    Keys of providers: OPENAI_API_KEY, AZURE_OPENAI_API_KEY, ANTHROPIC_API_KEY."
)]
pub(crate) struct Cli {
    /// A folder inside the project [default: the current one]
    #[arg(long, short = 'C', global = true, value_name = "DIR", num_args = 0..=1, default_missing_value = ".")]
    pub project: Option<PathBuf>,
    /// Format of the answer; not every command has every format
    #[arg(long, global = true, value_enum)]
    pub format: Option<Format>,
    /// A value of the configuration, before every file (see `config show`)
    #[arg(long, global = true, value_name = "KEY=VALUE", hide_short_help = true)]
    pub set: Vec<String>,
    /// Memory ceiling; what does not fit is left out and named [default: a quarter of the machine's, at
    /// least 512MB]
    #[arg(long, global = true, value_name = "SIZE", value_parser = size, hide_short_help = true)]
    pub memory: Option<String>,
    /// Fixed vectors instead of a model's, for tests
    #[arg(long, global = true, hide_short_help = true)]
    pub mock_embedding: bool,
    #[command(subcommand)]
    pub command: Command,
}

/// A size as the configuration takes it.
fn size(text: &str) -> Result<String, String> {
    let key = engine::config::find_key("limits.memory").ok_or("unknown key")?;
    key.kind.read(text).map(|_| text.trim().to_owned())
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
    /// Nodes and links for D3
    D3json,
    /// SARIF 2.1.0, which code hosts show beside the lines
    Sarif,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build the index, or bring it up to date
    Index(index::IndexArgs),
    /// Bring the index up to date after files changed
    AstDelta(ast_delta::AstDeltaArgs),
    /// Vectors of a provider: build, status, clear
    Embedding(embedding::EmbeddingArgs),
    /// Find code by a question, words, an error or a name
    Search(search::SearchArgs),
    /// The source that answers a question, within a budget of tokens
    GraphRag(graph_rag::GraphRagArgs),
    /// Who calls a symbol, and what it calls
    CallChain(call_chain::CallChainArgs),
    /// What a change of a symbol, a file or a diff may affect
    Impact(impact::ImpactArgs),
    /// Where the bug behind an error, a stack trace or a report may be
    BugLocate(bug_locate::BugLocateArgs),
    /// Files that change often and are complex
    #[command(visible_alias = "hotspots")]
    Hotspot(hotspot::HotspotArgs),
    /// Cycles, layer rules and symbols without a user
    ArchCheck(arch_check::ArchCheckArgs),
    /// The code base on one page: packages, folders or files
    Cod(cod::CodArgs),
    /// How hard functions are to follow
    Complexity(complexity::ComplexityArgs),
    /// Roles of files: own, library, vendor, generated, test
    Boundary(boundary::BoundaryArgs),
    /// What this code nearly always does, and where it differs
    #[command(visible_alias = "patterns")]
    Pattern(pattern::PatternArgs),
    /// Known vulnerabilities of the packages in use, and who uses them
    Vuln(vuln::VulnArgs),
    /// Re-rank results by a language model
    Rerank(rerank::RerankArgs),
    /// Read or write nodes and edges of the graph
    GraphStore(graph_store::GraphStoreArgs),
    /// Compiler-grade SCIP indexes
    Scip(scip::ScipArgs),
    /// Which symbols were opened and edited after a question
    Intent(intent::IntentArgs),
    /// Context for an agent's prompt; install it with `hook install`
    Hook(hook::HookArgs),
    /// Solved problems, kept over all projects
    Solution(solution::SolutionArgs),
    /// Every setting and where it comes from
    Config(config::ConfigArgs),
    /// Cached answers: status, clear
    Cache(cache::CacheArgs),
    /// Keep the graph in memory between questions: start, stop, status
    Daemon(daemon::DaemonArgs),
    /// Keep the index up to date while files change
    Watch(watch::WatchArgs),
    /// Serve the Model Context Protocol on standard input and output, or over HTTP
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
