//! The command line, parsed by clap.

use crate::commands::{
    arch_check, ast_delta, boundary, bug_locate, cache, call_chain, cod, completions, complexity,
    config, daemon, doctor, embedding, federation, graph_rag, graph_store, hook, hotspot, impact,
    index, intent, man, mcp, pattern, projects, purge, rerank, scip, search, serve, setup, shims,
    solution, view, vuln, watch, worker,
};
use crate::dispatch::formats_of;
use crate::examples;
use crate::format::{Format, TEXT_OR_JSON};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Arg, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;

/// The heading of the options that all commands have.
const GLOBAL: &str = "Options of all commands";

/// Turns a repository into a code graph and answers questions about it.
///
/// Every question builds a missing index, and reads changed files again before it answers. The index is
/// stored in .devbooks/ in the project's root.
#[derive(Debug, Parser)]
#[command(
    name = "knotwork",
    version,
    propagate_version = true,
    max_term_width = 100
)]
#[command(
    after_help = "Exit codes: 0 success, 1 bad arguments, 2 missing dependency, 3 failure while running, 4 findings under --strict.\n\
    Environment: DEVBOOKS_DIR, GRAPH_DB_PATH, GRAPH_BACKEND, GRAPH_DB_URL, GRAPH_REPOSITORY, SCIP_INDEX_PATH, FEATURES_CONFIG, INTENT_HISTORY_PATH, AST_CACHE_DIR, SOLUTION_MEMORY_PATH, ARCH_RULES_FILE, NO_COLOR, KNOTWORK_PAGER, PAGER,\n\
    DEVBOOKS_DEBUG, and every key of `config show` with KNOTWORK_ before it, e.g. KNOTWORK_GRAPH_RAG_TOP_K.\n\
    Keys of providers: OPENAI_API_KEY, AZURE_OPENAI_API_KEY, ANTHROPIC_API_KEY."
)]
pub(crate) struct Cli {
    /// A folder inside the project [default: the current folder]
    #[arg(long, short = 'C', global = true, help_heading = GLOBAL, value_name = "DIR", num_args = 0..=1, default_missing_value = ".")]
    pub project: Option<PathBuf>,
    /// Output format; each command's help lists those that it has
    #[arg(long, global = true, help_heading = GLOBAL, value_enum, hide_possible_values = true)]
    pub format: Option<Format>,
    /// Set a configuration value. It overrides every configuration file (see `config show`)
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "KEY=VALUE", hide_short_help = true)]
    pub set: Vec<String>,
    /// Memory ceiling. What does not fit is left out and reported [default: a quarter of the memory, at
    /// least 512MB]
    #[arg(long, global = true, help_heading = GLOBAL, value_name = "SIZE", value_parser = parse_memory_size, hide_short_help = true)]
    pub memory: Option<String>,
    /// Use fixed vectors instead of a model (for tests)
    #[arg(long, global = true, hide = true)]
    pub mock_embedding: bool,
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// Parses a command line.
    pub(crate) fn read<T: Into<OsString> + Clone>(
        arguments: impl IntoIterator<Item = T>,
    ) -> Result<Cli, clap::Error> {
        let mut command = Cli::describe();
        let matches = command.try_get_matches_from_mut(arguments)?;
        Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
    }

    /// The command line with the formats of each command in its own help.
    pub(crate) fn describe() -> clap::Command {
        Cli::command().mut_subcommands(|command| {
            let formats = formats_of(command.get_name());
            with_examples(with_formats(command, formats))
        })
    }
}

/// Replaces the shared argument for the format by one with the command's own formats.
fn with_formats(command: clap::Command, formats: &'static [Format]) -> clap::Command {
    let names = formats.iter().filter_map(ValueEnum::to_possible_value);
    let parser = PossibleValuesParser::new(names);
    let parser = parser.try_map(|name| <Format as ValueEnum>::from_str(&name, false));
    let help = format!("Output format [default: {}]", formats[0].name());
    let format = Arg::new("format")
        .long("format")
        .value_name("FORMAT")
        .value_parser(parser)
        .help_heading(GLOBAL)
        .help(help);
    let command = command.arg(format);
    command.mut_subcommands(|part| match part.get_name() {
        "init" | "install" => with_formats(part, TEXT_OR_JSON),
        _ => with_formats(part, formats),
    })
}

/// Puts an example into the help of each subcommand.
fn with_examples(command: clap::Command) -> clap::Command {
    let above = command.get_name().to_owned();
    command.mut_subcommands(|part| {
        let example = examples::of_part(&format!("{above} {}", part.get_name()));
        match example.filter(|_| part.get_after_help().is_none()) {
            Some(example) => part.after_help(format!("Example:\n  {example}")),
            None => part,
        }
    })
}

/// A size, parsed like that of the configuration.
fn parse_memory_size(text: &str) -> Result<String, String> {
    let key = engine::config::find_key("limits.memory").ok_or("unknown key")?;
    key.kind.parse_value(text).map(|_| text.trim().to_owned())
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Build the index, or update it
    #[command(after_help = examples::INDEX)]
    Index(index::IndexArgs),
    /// Update the index after files changed
    #[command(after_help = examples::AST_DELTA)]
    AstDelta(ast_delta::AstDeltaArgs),
    /// Build, inspect or remove the embeddings of a provider
    #[command(after_help = examples::EMBEDDING)]
    Embedding(embedding::EmbeddingArgs),
    /// Find code by a question, an error message or a name
    #[command(after_help = examples::SEARCH)]
    Search(search::SearchArgs),
    /// Collect the source that answers a question, within a token budget
    #[command(after_help = examples::GRAPH_RAG)]
    GraphRag(graph_rag::GraphRagArgs),
    /// Show who calls a symbol and what it calls
    #[command(after_help = examples::CALL_CHAIN)]
    CallChain(call_chain::CallChainArgs),
    /// Show what a change to a symbol, file or diff may affect
    #[command(after_help = examples::IMPACT)]
    Impact(impact::ImpactArgs),
    /// Find the likely place of a bug from an error, a stack trace or a report
    #[command(after_help = examples::BUG_LOCATE)]
    BugLocate(bug_locate::BugLocateArgs),
    /// List files that change often and are complex
    #[command(visible_alias = "hotspots")]
    #[command(after_help = examples::HOTSPOT)]
    Hotspot(hotspot::HotspotArgs),
    /// Check for import cycles, broken layer rules and unused symbols
    #[command(after_help = examples::ARCH_CHECK)]
    ArchCheck(arch_check::ArchCheckArgs),
    /// Draw an overview of the code base: packages, folders or files
    #[command(after_help = examples::COD)]
    Cod(cod::CodArgs),
    /// Measure the complexity of functions
    #[command(after_help = examples::COMPLEXITY)]
    Complexity(complexity::ComplexityArgs),
    /// Show the role of files: own, library, vendor, generated or test
    #[command(after_help = examples::BOUNDARY)]
    Boundary(boundary::BoundaryArgs),
    /// Learn conventions of the code and find places that break them
    #[command(visible_alias = "patterns")]
    #[command(after_help = examples::PATTERN)]
    Pattern(pattern::PatternArgs),
    /// Find known vulnerabilities in dependencies and who uses them
    #[command(after_help = examples::VULN)]
    Vuln(vuln::VulnArgs),
    /// Find API contracts and who calls and serves them, across services and repositories
    #[command(after_help = examples::FEDERATION)]
    Federation(federation::FederationArgs),
    /// Re-rank search results with a language model
    #[command(after_help = examples::RERANK)]
    Rerank(rerank::RerankArgs),
    /// Read or write nodes and edges of the graph directly
    #[command(after_help = examples::GRAPH_STORE)]
    GraphStore(graph_store::GraphStoreArgs),
    /// Import SCIP indexes made by compilers
    #[command(after_help = examples::SCIP)]
    Scip(scip::ScipArgs),
    /// Record and query which symbols were opened or edited after a question
    #[command(after_help = examples::INTENT)]
    Intent(intent::IntentArgs),
    /// Add context to an agent's prompts (set up with `hook install`)
    #[command(after_help = examples::HOOK)]
    Hook(hook::HookArgs),
    /// Save and find solved problems across all projects
    #[command(after_help = examples::SOLUTION)]
    Solution(solution::SolutionArgs),
    /// Add the server, hooks and skill to coding agents, or take them out again
    #[command(after_help = examples::SETUP)]
    Setup(setup::SetupArgs),
    /// Check program, index, daemon, agents and providers, and say how to mend each
    #[command(after_help = examples::DOCTOR)]
    Doctor(doctor::DoctorArgs),
    /// List the projects that are indexed, and their size
    #[command(after_help = examples::PROJECTS)]
    Projects(projects::ProjectsArgs),
    /// Remove index, caches and settings of this project, or of all
    #[command(after_help = examples::PURGE)]
    Purge(purge::PurgeArgs),
    /// Look at the code in the browser
    #[command(after_help = examples::VIEW)]
    View(view::ViewArgs),
    /// Show every setting and where its value comes from
    #[command(after_help = examples::CONFIG)]
    Config(config::ConfigArgs),
    /// Inspect or clear the cache of answers
    #[command(after_help = examples::CACHE)]
    Cache(cache::CacheArgs),
    /// Write scripts with the names of an earlier implementation
    #[command(after_help = examples::SHIMS)]
    Shims(shims::ShimsArgs),
    /// Run a background process that keeps the graph in memory
    #[command(after_help = examples::DAEMON)]
    Daemon(daemon::DaemonArgs),
    /// Update the index whenever files change
    #[command(after_help = examples::WATCH)]
    Watch(watch::WatchArgs),
    /// Index repositories for a shared store: take commits from its queue
    #[command(after_help = examples::WORKER)]
    Worker(worker::WorkerArgs),
    /// Serve the Model Context Protocol on standard input and output, or over HTTP
    #[command(after_help = examples::MCP)]
    Mcp(mcp::McpArgs),
    /// Serve the Model Context Protocol over HTTP to a team, from a shared store
    #[command(after_help = examples::SERVE)]
    Serve(serve::ServeArgs),
    /// Print the completions of a shell
    #[command(after_help = examples::COMPLETIONS)]
    Completions(completions::CompletionsArgs),
    /// Write the manual pages
    #[command(after_help = examples::MAN)]
    Man(man::ManArgs),
}

#[cfg(test)]
mod tests {
    use super::Cli;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::describe().debug_assert();
    }

    /// Checks that every command line of an example is accepted.
    #[test]
    fn examples_are_accepted() {
        let mut count = 0;
        for command in Cli::describe().get_subcommands() {
            count += check_examples(command);
            let parts = command.get_subcommands();
            for part in parts.filter(|part| part.get_name() != "help" && !part.is_hide_set()) {
                let name = format!("{} {}", command.get_name(), part.get_name());
                assert_eq!(check_examples(part), 1, "examples of {name}");
            }
        }
        assert!(count > 40, "{count}");
    }

    /// Checks the examples of a command. Returns their number.
    fn check_examples(command: &clap::Command) -> usize {
        let help = command.get_after_help().map(ToString::to_string);
        let help = help.unwrap_or_default();
        let lines = help
            .lines()
            .filter_map(|line| line.find("knotwork ").map(|at| &line[at..]));
        let lines: Vec<&str> = lines.collect();
        for line in &lines {
            // Text after two spaces is a remark; other programs and files come after `|`, `&` and `>`.
            let line = line.split("  ").next().unwrap_or_default();
            let first = line.split(['|', '&', '>']).next().unwrap_or_default();
            let words = words_of(first);
            Cli::read(&words).unwrap_or_else(|e| panic!("{line}: {e}"));
        }
        lines.len()
    }

    /// The words of a command line; quotes keep words together.
    fn words_of(line: &str) -> Vec<String> {
        let (mut words, mut quote) = (vec![String::new()], None);
        for c in line.trim().chars() {
            match quote {
                Some(open) if c == open => quote = None,
                None if c == '"' || c == '\'' => quote = Some(c),
                None if c == ' ' => words.push(String::new()),
                _ => words.iter_mut().next_back().unwrap().push(c),
            }
        }
        words
    }
}
