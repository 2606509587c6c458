//! `knotwork federation`.

use crate::command::{Command, Row, Run};
use crate::format::Format;
use crate::printer::{CommandResult, Printer};
use clap::{Args, Subcommand};
use engine::{Engine, FederationAction, FederationRequest};
use std::path::PathBuf;

/// Formats of the answer; the first is the default.
const FORMATS: &[Format] = &[Format::Text, Format::Json];

pub(super) const COMMAND: Command = Command {
    name: "federation",
    aliases: &[],
    about: "Find API contracts and who calls and serves them, across services and repositories",
    examples: &[
        "knotwork federation update",
        "knotwork federation search UserService",
        "knotwork federation generate-virtual-edges --sync",
        "knotwork federation query-virtual UserService.GetUser",
    ],
    part_examples: &[
        "knotwork federation status",
        "knotwork federation update --config config/federation.yaml",
        "knotwork federation search UserService --virtual-edges",
        "knotwork federation generate-virtual-edges --sync",
        "knotwork federation query-virtual UserService.GetUser --confidence 0.8",
        "knotwork federation endpoints",
    ],
    formats: FORMATS,
    part_formats: &[],
    operations: &["federation"],
    readme: Row {
        usage: "`federation update`, `search`, `generate-virtual-edges`, `query-virtual`, `endpoints`",
        tool: None,
        answers: "[API contracts, and who calls and serves them](docs/federation.md), within a repository and across several",
    },
    readme_chinese: Some(Row {
        usage: "`federation …`",
        tool: None,
        answers: "API 契约，以及谁提供、谁调用",
    }),
    run: &Run::question(FederationArgs::can_run_in_daemon, show_contracts),
};

/// API contracts of several repositories or services, and who calls and serves them.
#[derive(Debug, Args)]
struct FederationArgs {
    #[command(subcommand)]
    what: Action,
}

#[derive(Debug, Args)]
struct ConfigArg {
    /// The file that lists the repositories [default: config/federation.yaml]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

#[derive(Debug, Args)]
struct EdgeArgs {
    /// Minimum confidence of virtual edges, 0-1
    #[arg(
        long,
        visible_alias = "min-confidence",
        default_value_t = 0.5,
        allow_negative_numbers = true
    )]
    confidence: f64,
    /// Maximum number of entries
    #[arg(long, short = 'n', default_value_t = 50)]
    limit: usize,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Show which repositories and contracts are known
    Status {
        #[command(flatten)]
        config: ConfigArg,
    },
    /// Read the contracts of all repositories again
    Update {
        #[command(flatten)]
        config: ConfigArg,
    },
    /// Find services, operations and types of contracts
    Search {
        /// Name of a service, operation or type; or part of a path
        symbol: String,
        /// Also show virtual edges
        #[arg(long)]
        virtual_edges: bool,
        #[command(flatten)]
        edges: EdgeArgs,
        #[command(flatten)]
        config: ConfigArg,
    },
    /// Link callers with servers, within and across repositories
    ///
    /// Requests are linked with routes by method and path, calls of stubs with implementations by their contract, senders
    /// with receivers by topic. Confidence = 0.6 name + 0.3 signature + 0.1 contract.
    GenerateVirtualEdges {
        /// Remove virtual edges that no longer hold
        #[arg(long)]
        sync: bool,
        #[command(flatten)]
        edges: EdgeArgs,
        #[command(flatten)]
        config: ConfigArg,
    },
    /// List the routes, procedures and topics that this project serves and calls
    Endpoints {
        /// Maximum number of entries
        #[arg(long, short = 'n', default_value_t = 50)]
        limit: usize,
    },
    /// Show the virtual edges of a symbol
    QueryVirtual {
        /// Name of a function, Class.method, or Service.Operation
        symbol: String,
        #[command(flatten)]
        edges: EdgeArgs,
    },
}

impl FederationArgs {
    /// Whether the command only reads stored data, with the project's own configuration file.
    fn can_run_in_daemon(&self) -> bool {
        match &self.what {
            Action::Status { config } | Action::Search { config, .. } => config.config.is_none(),
            Action::QueryVirtual { .. } | Action::Endpoints { .. } => true,
            Action::Update { .. } | Action::GenerateVirtualEdges { .. } => false,
        }
    }

    fn into_request(self) -> FederationRequest {
        let path = |config: ConfigArg| config.config.map(|p| p.to_string_lossy().into_owned());
        let of = |action, edges: EdgeArgs| FederationRequest {
            action,
            confidence: edges.confidence,
            limit: edges.limit,
            ..FederationRequest::default()
        };
        match self.what {
            Action::Status { config } => FederationRequest {
                config: path(config),
                ..FederationRequest::default()
            },
            Action::Update { config } => FederationRequest {
                action: FederationAction::Update,
                config: path(config),
                ..FederationRequest::default()
            },
            Action::Search {
                symbol,
                virtual_edges,
                edges,
                config,
            } => FederationRequest {
                symbol: Some(symbol),
                virtual_edges,
                config: path(config),
                ..of(FederationAction::Search, edges)
            },
            Action::GenerateVirtualEdges {
                sync,
                edges,
                config,
            } => FederationRequest {
                sync,
                config: path(config),
                ..of(FederationAction::GenerateVirtualEdges, edges)
            },
            Action::Endpoints { limit } => FederationRequest {
                action: FederationAction::Endpoints,
                limit,
                ..FederationRequest::default()
            },
            Action::QueryVirtual { symbol, edges } => FederationRequest {
                symbol: Some(symbol),
                ..of(FederationAction::QueryVirtual, edges)
            },
        }
    }
}

fn show_contracts(engine: &Engine, args: FederationArgs, printer: &Printer) -> CommandResult {
    let format = printer.choose_format(FORMATS)?;
    let answer = engine.federation(&args.into_request())?;
    if format == Format::Json {
        printer.print_json(&answer)?;
        return Ok(());
    }
    printer.print_text(&answer.to_text())?;
    for warning in &answer.warnings {
        printer.print_note(&format!("warning: {warning}"));
    }
    for problem in &answer.problems {
        printer.print_note(&format!(
            "warning: {}:{}: {}",
            problem.file_path, problem.line, problem.reason
        ));
    }
    printer.print_index_info(&answer.index);
    Ok(())
}
