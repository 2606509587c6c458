//! The MCP server: tools over the engine's operations, on standard input and output or over HTTP.

mod budget;
mod call;
mod http;
mod paced;
mod page;
mod slim;
mod solutions;
mod stdio;
mod steps;
mod tools;
mod turns;

pub use http::{Http, serve_http};
pub use tools::Preset;

use paced::Paced;
use steps::Steps;
use turns::{Asker, Room, Turn, Turns};

use engine::{Cancel, Engine, EngineError, Progress, Settings};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer, ServerInitializeError, ServiceExt};
use rmcp::transport::IntoTransport;
use rmcp::{ErrorData, ServerHandler};
use std::sync::{Arc, OnceLock};

const INSTRUCTIONS: &str = "Code graph of this project. Symbols are written as name, Class.method, path:line, \
path::name or id. Each edge has a tier (scip, typed, scoped, named) and a confidence. The index is built \
and updated automatically. If an answer has next_cursor, pass it as cursor to get the next page.";

const SOLUTION_INSTRUCTIONS: &str = "Solved problems of all projects: call search_solutions with \
a problem or an error message before you solve it, and save_solution after it is solved.";

/// Makes who hears of an engine's work.
pub type Progresses = fn() -> Box<dyn Progress + Send>;

/// Why a server ended.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The runtime could not be started.
    #[error("cannot start the runtime: {0}")]
    Runtime(#[from] std::io::Error),
    /// The address could not be taken.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: std::net::SocketAddr,
        /// What the system said.
        source: std::io::Error,
    },
    /// The address is not to be served.
    #[error("{0}")]
    Refused(String),
    /// The client did not speak the protocol.
    #[error("{0}")]
    Protocol(String),
}

/// What a server serves.
pub struct Serving {
    /// The project; it is opened with the first question.
    pub settings: Settings,
    /// Who hears of the engine's work, besides clients.
    pub progress: Progresses,
    /// Which tools.
    pub preset: Preset,
    /// The solved problems; none where they have no place.
    pub memory: Option<Arc<solution::Memory>>,
    /// Whether the solved problems are all that is served.
    pub only_solutions: bool,
    /// The project's daemon, to be asked first.
    #[cfg(unix)]
    pub door: Option<crate::client::Door>,
}

/// Serves until standard input ends. The project is opened with the first question, so that
/// `initialize` is answered at once whatever the repository.
pub fn serve(serving: Serving) -> Result<(), ServeError> {
    let runtime = runtime()?;
    let served = runtime.block_on(async {
        let server = Server::new(serving);
        let (transport, writer) = stdio::transport();
        let transport = IntoTransport::<RoleServer, _, _>::into_transport(transport);
        let served = match server.serve(Paced::new(transport)).await {
            Ok(running) => running
                .waiting()
                .await
                .map(|_| ())
                .map_err(|e| ServeError::Protocol(e.to_string())),
            // A client that goes away before it says anything wanted nothing.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(ServeError::Protocol(error.to_string())),
        };
        writer.finish().await;
        served
    });
    // Reading standard input blocks a thread that nobody waits for any more.
    runtime.shutdown_background();
    served
}

fn runtime() -> Result<tokio::runtime::Runtime, std::io::Error> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
}

/// A project that is opened when it is first asked.
struct Project {
    serving: Serving,
    steps: Steps,
    engine: OnceLock<Engine>,
}

impl Project {
    fn engine(&self) -> Result<&Engine, EngineError> {
        if let Some(engine) = self.engine.get() {
            return Ok(engine);
        }
        let progress = self.steps.over((self.serving.progress)());
        let engine = Engine::open(self.serving.settings.clone(), progress)?;
        Ok(self.engine.get_or_init(|| engine))
    }

    /// The tool of that name, if it is offered.
    fn tool(&self, name: &str) -> Option<RequestedTool> {
        let serving = &self.serving;
        let code = tools::CodeTool::parse(name).filter(|_| !serving.only_solutions);
        if let Some(tool) = code {
            return Some(RequestedTool::Code(tool));
        }
        let memory = serving.memory.clone()?;
        Some(RequestedTool::Solutions(
            memory,
            solutions::Name::parse(name)?,
        ))
    }

    /// Every tool that is offered.
    fn tools(&self) -> Vec<rmcp::model::Tool> {
        let serving = &self.serving;
        let mut all = if serving.only_solutions {
            Vec::new()
        } else {
            tools::all(serving.preset)
        };
        if serving.memory.is_some() {
            all.extend(solutions::all());
        }
        if serving.preset == Preset::Core && !serving.only_solutions {
            all.into_iter().map(slim::slim).collect()
        } else {
            all
        }
    }

    /// The answer to a tool: the daemon's, or where there is none our own.
    fn answer(
        &self,
        tool: RequestedTool,
        arguments: Arguments,
        cancel: &Cancel,
    ) -> Result<String, Refusal> {
        let answered = match tool {
            RequestedTool::Solutions(memory, tool) => solutions::run(&memory, tool, arguments),
            RequestedTool::Code(tool) => {
                if let Some(said) = self.ask_daemon(tool, &arguments, cancel) {
                    return said;
                }
                let engine = self.engine();
                engine.and_then(|engine| call::run(&engine.with_cancel(cancel), tool, arguments))
            }
        };
        answered.map_err(Refusal::from)
    }

    #[cfg(unix)]
    fn ask_daemon(
        &self,
        tool: tools::CodeTool,
        arguments: &Arguments,
        cancel: &Cancel,
    ) -> Option<Result<String, Refusal>> {
        // Who builds wants to hear how it goes.
        if tool.builds(arguments) {
            return None;
        }
        let door = self.serving.door.as_ref()?;
        let said = door.tool(&tool.name(), arguments, cancel)?;
        Some(said.map_err(|error| Refusal { error }))
    }

    #[cfg(not(unix))]
    fn ask_daemon(
        &self,
        _: tools::CodeTool,
        _: &Arguments,
        _: &Cancel,
    ) -> Option<Result<String, Refusal>> {
        None
    }
}

/// About how many bytes of memory arguments take: read, they may be many times as long as their text.
fn weight(arguments: &Arguments) -> usize {
    use serde_json::Value;
    fn of(value: &Value) -> usize {
        let within = match value {
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(of).sum::<usize>() + 64,
            // An object with one field has room for eleven.
            Value::Object(fields) if !fields.is_empty() => weight(fields) + 640,
            _ => 0,
        };
        within + size_of::<Value>()
    }
    let fields = arguments.iter();
    fields
        .map(|(name, value)| name.len() + 64 + of(value))
        .sum()
}

/// A tool that was asked for.
enum RequestedTool {
    Code(tools::CodeTool),
    Solutions(Arc<solution::Memory>, solutions::Name),
}

type Arguments = serde_json::Map<String, serde_json::Value>;

/// An error as a client is told it.
struct Refusal {
    error: serde_json::Value,
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Refusal {
        Refusal {
            error: serde_json::to_value(&error).unwrap_or_else(|_| error.message.into()),
        }
    }
}

/// The operation behind a tool.
pub(crate) fn operation_of(tool: &str) -> Option<&'static engine::OperationEntry> {
    Some(tools::CodeTool::parse(tool)?.operation)
}

/// Answers a tool by its name, as the server does.
pub(crate) fn answer(
    engine: &Engine,
    tool: &str,
    arguments: Arguments,
) -> Result<String, EngineError> {
    match tools::CodeTool::parse(tool) {
        Some(tool) => call::run(engine, tool, arguments),
        None => Err(EngineError::bad(format!("unknown tool: {tool}"))),
    }
}

#[derive(Clone)]
struct Server {
    project: Arc<Project>,
    turns: Arc<Turns>,
    /// Builds wait for each other before they wait for a turn.
    builds: Arc<Turns>,
}

impl Server {
    fn new(serving: Serving) -> Server {
        Server {
            project: Arc::new(Project {
                serving,
                steps: Steps::default(),
                engine: OnceLock::new(),
            }),
            turns: Turns::new(Room::default()),
            builds: Turns::new(Room {
                working: 1,
                working_each: 1,
                ..Room::default()
            }),
        }
    }

    /// Waits until it is this client's turn. What comes back is kept while its question is worked on.
    async fn turn(
        &self,
        context: &RequestContext<RoleServer>,
        builds: bool,
    ) -> Result<(Option<Turn>, Turn), turns::Busy> {
        let asker = asker(context);
        let build = if builds {
            Some(self.builds.take(asker.clone()).await?)
        } else {
            None
        };
        Ok((build, self.turns.take(asker).await?))
    }
}

/// Who asks: what the HTTP server says, or else the one client on standard input.
fn asker(context: &RequestContext<RoleServer>) -> Asker {
    let parts = context.extensions.get::<hyper::http::request::Parts>();
    let asker = parts.and_then(|parts| parts.extensions.get::<Asker>());
    asker.cloned().unwrap_or_else(|| "standard input".into())
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        info.server_info = Implementation::new("knotwork", env!("CARGO_PKG_VERSION"));
        let serving = &self.project.serving;
        let code = (!serving.only_solutions).then_some(INSTRUCTIONS);
        let solutions = serving.memory.as_ref().map(|_| SOLUTION_INSTRUCTIONS);
        let data = code.map(|_| guard::text::IS_DATA);
        let said: Vec<&str> = code.into_iter().chain(solutions).chain(data).collect();
        info.with_instructions(said.join(" "))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.project.tools()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.project.tool(&request.name) else {
            let message = format!("unknown tool: {}", request.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        let arguments = request.arguments.unwrap_or_default();
        let project = self.project.clone();
        let cancel = Cancel::default();
        let wanted = cancel.clone();
        let builds = matches!(&tool, RequestedTool::Code(tool) if tool.builds(&arguments));
        let Ok(load) = self.turns.load(weight(&arguments)) else {
            let message = "too much waits to be answered: ask again later";
            return Ok(result(Err(EngineError::bad(message).into())).into());
        };
        let work = async {
            let Ok(turn) = self.turn(&context, builds).await else {
                let message = "too many questions wait: ask again later";
                return Ok(Err(EngineError::bad(message).into()));
            };
            // The turn ends with the work, not with the client that goes away.
            tokio::task::spawn_blocking(move || {
                let _held = (turn, load);
                project.answer(tool, arguments, &wanted)
            })
            .await
        };
        let answered = tokio::select! {
            answered = work => answered,
            // Nobody waits for it any more.
            () = context.ct.cancelled() => {
                cancel.set();
                return Err(ErrorData::internal_error("cancelled", None));
            }
            // It never ends.
            never = self.project.steps.tell(&context) => match never {},
        };
        let answered = answered.unwrap_or_else(|panic| {
            Err(EngineError::failure(format!("the question failed: {panic}")).into())
        });
        Ok(result(answered).into())
    }
}

/// What is hidden in text of the repository is written out; in JSON the escapes mean the same.
fn result(answered: Result<String, Refusal>) -> CallToolResult {
    let shown = |text: String| vec![ContentBlock::text(guard::text::body(&text).into_owned())];
    match answered {
        Ok(text) => CallToolResult::success(shown(text)),
        Err(Refusal { error }) => {
            let text = serde_json::json!({ "error": error }).to_string();
            CallToolResult::error(shown(text))
        }
    }
}
