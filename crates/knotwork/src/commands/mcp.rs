//! `knotwork mcp`.

use crate::command::{Command, Row, Run};
use crate::environment::{self, GlobalArgs, Limits};
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, Printer};
use crate::progress::DebugLog;
use clap::{Args, ValueEnum};
use engine::EngineError;
use server::mcp::{Http, Preset, ServerOptions};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The fewest characters of a token. The token protects the project from other programs of this machine.
const SHORTEST_TOKEN: usize = 16;

/// The environment variable with the token.
const TOKEN: &str = "KNOTWORK_MCP_TOKEN";

/// The most bytes of a file with a token.
const LONGEST_TOKEN: u64 = 4_096;

pub(super) const COMMAND: Command = Command {
    name: "mcp",
    aliases: &[],
    about: "Serve the Model Context Protocol on standard input and output, or over HTTP",
    examples: &[
        "knotwork mcp                        for a client that starts the server",
        "knotwork mcp --preset full          for a client that lists every tool",
        "knotwork mcp --http 127.0.0.1:8765  for clients that connect",
    ],
    part_examples: &[],
    formats: TEXT_OR_JSON,
    part_formats: &[],
    operations: &[],
    readme: Row {
        usage: "`mcp`",
        tool: None,
        answers: "[serves all of this to an agent](docs/agents.md), over standard input and output or HTTP",
    },
    readme_chinese: None,
    run: &Run::in_process(serve_mcp),
};

/// Serve the Model Context Protocol on standard input and output, until the input ends; with `--http` over HTTP.
#[derive(Debug, Args)]
struct McpArgs {
    /// Which tools to list. All are answered
    #[arg(long, value_enum, default_value_t = PresetArg::Core)]
    preset: PresetArg,
    /// Answer with structured content and a short text beside it. For clients that show their model the structure
    #[arg(long)]
    structured: bool,
    /// Offer only these tools. They need no project
    #[arg(long, value_enum)]
    only: Option<ToolSelection>,
    /// Serve streamable HTTP at this address. Port 0 chooses a free port
    #[arg(long, value_name = "[ADDRESS:]PORT", value_parser = parse_listen_address)]
    http: Option<SocketAddr>,
    /// The bearer token for clients [default: a new one, printed at the start]. Other users of this machine can see
    /// it in the list of processes, so prefer --token-file or KNOTWORK_MCP_TOKEN
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// A file with the bearer token. Only you may have access to it
    #[arg(long, value_name = "PATH", conflicts_with = "token")]
    token_file: Option<PathBuf>,
    /// Require no token
    #[arg(long, requires = "http", conflicts_with_all = ["token", "token_file"])]
    no_token: bool,
    /// Allow an address that other machines can reach
    #[arg(long, requires = "http")]
    allow_remote: bool,
}

/// Tools that stand alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ToolSelection {
    /// Save and find solved problems across all projects
    Solutions,
}

/// Sets of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum PresetArg {
    /// Search, graph-rag, call-chain, impact and solved problems
    Core,
    /// Every tool
    Full,
}

/// A text is neither a port nor an address with a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AddressError(String);

impl std::fmt::Display for AddressError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is not an address; write e.g. 127.0.0.1:8080", self.0)
    }
}

impl std::error::Error for AddressError {}

/// A port on this machine only, or an address with a port.
pub(crate) fn parse_listen_address(text: &str) -> Result<SocketAddr, AddressError> {
    if let Ok(port) = text.parse() {
        return Ok(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), port));
    }
    let text = text.replace("localhost:", "127.0.0.1:");
    text.parse().map_err(|_| AddressError(text))
}

fn serve_mcp(given: &GlobalArgs, args: McpArgs, printer: &Printer) -> CommandResult {
    let settings = engine::Settings {
        long_running: true,
        ..environment::read_settings(given, &Limits::default())?
    };
    let only_solutions = args.only == Some(ToolSelection::Solutions);
    let memory = match environment::open_solution_memory(given) {
        Ok(memory) => Some(Arc::new(memory)),
        Err(error) if only_solutions => return Err(error.into()),
        // The code can be served without a home folder.
        Err(_) => None,
    };
    let serving = ServerOptions {
        daemon: if only_solutions {
            None
        } else {
            daemon_door(given, &settings)
        },
        memory,
        only_solutions,
        structured: args.structured,
        settings,
        progress: || Box::new(DebugLog::with_warnings()),
        preset: match args.preset {
            PresetArg::Core => Preset::Core,
            PresetArg::Full => Preset::Full,
        },
    };
    let served = match args.http {
        None => server::mcp::serve_stdio(serving),
        Some(address) => {
            let given = read_chosen_token(&args, printer)?;
            let new = given.is_none() && !args.no_token;
            let token = if new {
                Some(Http::new_token().map_err(|e| {
                    EngineError::runtime_failure(format!("no random numbers for a token: {e}"))
                })?)
            } else {
                given
            };
            let shown = token.clone().filter(|_| new);
            let http = Http {
                address,
                token,
                remote: args.allow_remote,
            };
            server::mcp::serve_http(serving, http, |at| {
                printer.print_note(&format!("Listening on http://{at}/mcp"));
                if let Some(token) = shown {
                    printer.print_note(&format!("Token: {token}"));
                }
            })
        }
    };
    served.map_err(|e| EngineError::runtime_failure(format!("the server ended: {e}")).into())
}

/// The token that the user chose; an error if it can be guessed.
fn read_chosen_token(args: &McpArgs, printer: &Printer) -> Result<Option<String>, EngineError> {
    let token = find_token(args, printer)?;
    let length = token.as_ref().map(|token| token.chars().count());
    match length.filter(|length| *length < SHORTEST_TOKEN) {
        None => Ok(token),
        Some(length) => Err(EngineError::bad_arguments(format!(
            "the token has {length} characters and could be guessed: at least {SHORTEST_TOKEN} are needed"
        ))
        .with_hint("omit it to have one generated and printed; or: openssl rand -hex 32")),
    }
}

/// The token of the flag, the file or the variable.
fn find_token(args: &McpArgs, printer: &Printer) -> Result<Option<String>, EngineError> {
    if let Some(token) = &args.token {
        printer.print_note(&format!(
            "warning: other users of this machine can see --token in the list of processes; use --token-file or {TOKEN}"
        ));
        return Ok(Some(token.clone()));
    }
    if let Some(path) = &args.token_file {
        return read_token_file(path).map(Some);
    }
    let token = environment::text_variable(TOKEN);
    if token.is_some() && args.no_token {
        Err(
            EngineError::bad_arguments(format!("--no-token, but {TOKEN} is set"))
                .with_hint("unset it"),
        )
    } else {
        Ok(token)
    }
}

/// The first line of a file that only this user may read.
fn read_token_file(path: &Path) -> Result<String, EngineError> {
    let refused = |why: &dyn std::fmt::Display| {
        EngineError::bad_arguments(format!("no token in {}: {why}", path.display())).with_hint(
            "a file of your own with the token on its first line, closed to others: chmod 600",
        )
    };
    let bytes = guard::state::read_private_file(path, LONGEST_TOKEN);
    let bytes = bytes.map_err(|e| refused(&e.reason()))?;
    let text = String::from_utf8(bytes).map_err(|_| refused(&"it is not UTF-8"))?;
    match text.lines().next().map(str::trim).unwrap_or_default() {
        "" => Err(refused(&"its first line is empty")),
        token => Ok(token.to_owned()),
    }
}

/// Access to the project's daemon, which answers questions while it runs.
fn daemon_door(
    given: &GlobalArgs,
    settings: &engine::Settings,
) -> Option<server::client::PossibleDaemon> {
    if !given.set.is_empty() || environment::is_variable_on("DEVBOOKS_DEBUG") {
        return None;
    }
    let place = engine::locate(settings).ok()?;
    Some(server::client::PossibleDaemon {
        files: environment::daemon_files(&place.state_dir),
        fingerprint: environment::environment_fingerprint(settings, &place.root),
        folder: place.start,
    })
}
