//! The MCP server: tools over the engine's operations, on standard input and output or over HTTP.

mod call;
mod entries;
mod fit;
pub(crate) mod http;
mod lenient;
mod paced;
mod page;
mod prompts;
mod resources;
mod roots;
mod slim;
mod solutions;
mod stdio;
mod steps;
mod structured;
mod team;
mod tools;
mod turns;

pub use http::{Http, serve_http, serve_team};
pub use team::{Admission, AuditEntry, Member, Repository, Team};
pub use tools::Preset;

use paced::BackpressureTransport;
use platform::RealPath;
use steps::ProgressChannel;
use turns::{ClientKey, FairQueue, QueueLimits, TurnGuard};

use engine::{Cancel, Engine, EngineError, Progress, Settings};
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock,
    DiscoverResult, GetPromptRequestParams, GetPromptResponse, GetPromptResult, Implementation,
    ListPromptsResult, ListResourceTemplatesResult, ListResourcesResult, ListToolsResult,
    PaginatedRequestParams, PromptMessage, ReadResourceRequestParams, ReadResourceResponse,
    ReadResourceResult, ResourceContents, Role, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer, ServerInitializeError, ServiceExt};
use rmcp::transport::IntoTransport;
use rmcp::{ErrorData, ServerHandler};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

const INSTRUCTIONS: &str = "Code graph of this project. Symbols are written as name, Class.method, path:line, \
path::name or id. Each edge has a tier (scip, typed, scoped, named) and a confidence. The index is built \
and updated automatically. If an answer has next_cursor, pass it as cursor to get the next page.";

const SOLUTION_INSTRUCTIONS: &str = "Solved problems of all projects: call search_solutions with \
a problem or an error message before you solve it, and save_solution after it is solved.";

/// The time in milliseconds for which clients may cache a list. Lists do not change while the server runs, but an update of the
/// program may change them.
const LIST_TTL: u64 = 300_000;

/// Makes the receiver of an engine's progress.
pub type ProgressFactory = fn() -> Box<dyn Progress + Send>;

/// The reason why a server ended.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The runtime could not be started.
    #[error("cannot start the runtime: {0}")]
    Runtime(#[from] std::io::Error),
    /// The server could not listen on the address.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// The address.
        address: std::net::SocketAddr,
        /// The error of the system.
        source: std::io::Error,
    },
    /// The address must not be served.
    #[error("{0}")]
    Refused(String),
    /// The client did not speak the protocol.
    #[error("{0}")]
    Protocol(String),
}

/// The content that a server serves.
pub struct ServerOptions {
    /// The settings of the project, which is opened at the first question.
    pub settings: Settings,
    /// Makes the receiver of the engine's progress, besides clients.
    pub progress: ProgressFactory,
    /// The tools to offer.
    pub preset: Preset,
    /// Whether answers are structured content with a short text beside it, and not text alone.
    pub structured: bool,
    /// The solution memory; none where there is no folder for it.
    pub memory: Option<Arc<solution::Memory>>,
    /// Whether only the solution memory is served.
    pub only_solutions: bool,
    /// The project's daemon, which is asked first.
    pub daemon: Option<crate::client::PossibleDaemon>,
}

/// Serves until standard input ends. The project is opened at the first question, so `initialize` is answered at once in any
/// repository.
pub fn serve_stdio(serving: ServerOptions) -> Result<(), ServeError> {
    let runtime = build_runtime()?;
    let served = runtime.block_on(async {
        let server = Server::new(serving);
        let (transport, writer) = stdio::stdio_transport();
        let transport = IntoTransport::<RoleServer, _, _>::into_transport(transport);
        let served = match server.serve(BackpressureTransport::new(transport)).await {
            Ok(running) => running
                .waiting()
                .await
                .map(|_| ())
                .map_err(|e| ServeError::Protocol(e.to_string())),
            // A client that disconnects before its first message is no error.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(ServeError::Protocol(error.to_string())),
        };
        writer.wait_flushed().await;
        served
    });
    // Reading standard input blocks a thread that is not waited for.
    runtime.shutdown_background();
    served
}

pub(crate) fn build_runtime() -> Result<tokio::runtime::Runtime, std::io::Error> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
}

/// A project that is opened at the first question.
struct Project {
    serving: ServerOptions,
    steps: ProgressChannel,
    engine: OnceLock<Engine>,
    /// The folder that the client named, where the server was not started in a project.
    root: OnceLock<PathBuf>,
}

impl Project {
    fn engine(&self) -> Result<&Engine, EngineError> {
        if let Some(engine) = self.engine.get() {
            return Ok(engine);
        }
        let progress = self.steps.wrap_progress((self.serving.progress)());
        let mut settings = self.serving.settings.clone();
        if let Some(root) = self.root.get() {
            settings.start.clone_from(root);
            settings.is_named = true;
        }
        let engine = Engine::open(settings, progress)?;
        Ok(self.engine.get_or_init(|| engine))
    }

    /// Whether the client has to be asked for the project: the server was started elsewhere, and no folder was named.
    fn lacks_root(&self) -> bool {
        self.engine.get().is_none()
            && self.root.get().is_none()
            && !self.serving.settings.is_named
            && engine::locate(&self.serving.settings).is_err()
    }

    /// The tool with that name, if it is offered.
    fn find_tool(&self, name: &str) -> Option<RequestedTool> {
        let serving = &self.serving;
        let code = tools::CodeTool::parse(name).filter(|_| !serving.only_solutions);
        if let Some(tool) = code {
            return Some(RequestedTool::Code(tool));
        }
        let memory = serving.memory.clone()?;
        Some(RequestedTool::Solutions(
            memory,
            solutions::SolutionTool::parse(name)?,
        ))
    }

    /// All tools that are offered.
    fn tools(&self) -> Vec<rmcp::model::Tool> {
        let serving = &self.serving;
        let mut all = if serving.only_solutions {
            Vec::new()
        } else {
            tools::tools_of(serving.preset)
        };
        if serving.memory.is_some() {
            all.extend(solutions::all_tools());
        }
        if serving.preset == Preset::Core && !serving.only_solutions {
            all = slim::slim_tools(all);
        }
        if serving.structured {
            all = all
                .into_iter()
                .map(structured::with_output_schema)
                .collect();
        }
        all
    }

    /// The answer to a tool: the daemon's, or this process's own where there is no daemon.
    fn answer_tool(
        &self,
        tool: RequestedTool,
        arguments: Arguments,
        cancel: &Cancel,
    ) -> Result<String, ToolError> {
        let answered = match tool {
            RequestedTool::Solutions(memory, tool) => solutions::run_tool(&memory, tool, arguments),
            RequestedTool::Code(tool) => {
                if let Some(said) = self.ask_daemon(tool, &arguments, cancel) {
                    return said;
                }
                let engine = self.engine();
                engine
                    .and_then(|engine| call::run_tool(&engine.with_cancel(cancel), tool, arguments))
            }
        };
        answered.map_err(ToolError::from)
    }

    fn ask_daemon(
        &self,
        tool: tools::CodeTool,
        arguments: &Arguments,
        cancel: &Cancel,
    ) -> Option<Result<String, ToolError>> {
        // Builds run here, because their client wants to see the progress.
        if tool.builds_index(arguments) {
            return None;
        }
        let daemon = self.serving.daemon.as_ref()?;
        let answer = daemon.call_tool(&tool.name(), arguments, cancel)?;
        Some(answer.map_err(|error| ToolError { error }))
    }
}

/// An estimate of the bytes of memory that arguments take: parsed, they may be many times as long as their text.
fn estimated_bytes(arguments: &Arguments) -> usize {
    use serde_json::Value;
    fn bytes_of_value(value: &Value) -> usize {
        let within = match value {
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(bytes_of_value).sum::<usize>() + 64,
            // An object with one field allocates room for eleven.
            Value::Object(fields) if !fields.is_empty() => estimated_bytes(fields) + 640,
            _ => 0,
        };
        within + size_of::<Value>()
    }
    let fields = arguments.iter();
    fields
        .map(|(name, value)| name.len() + 64 + bytes_of_value(value))
        .sum()
}

/// A requested tool.
enum RequestedTool {
    Code(tools::CodeTool),
    Solutions(Arc<solution::Memory>, solutions::SolutionTool),
}

type Arguments = serde_json::Map<String, serde_json::Value>;

/// An error in the form that clients get.
struct ToolError {
    error: serde_json::Value,
}

impl From<EngineError> for ToolError {
    fn from(error: EngineError) -> ToolError {
        ToolError {
            error: serde_json::to_value(&error).unwrap_or_else(|_| error.message.into()),
        }
    }
}

/// The operation behind a tool.
pub(crate) fn operation_of_tool(tool: &str) -> Option<&'static engine::OperationEntry> {
    Some(tools::CodeTool::parse(tool)?.operation)
}

/// Whether a tool of the solution memory has that name and only reads.
pub(crate) fn reads_solutions(tool: &str) -> bool {
    solutions::SolutionTool::parse(tool).is_some_and(|tool| !tool.writes())
}

/// Answers a tool of the solution memory by its name.
pub(crate) fn answer_solution_tool(
    memory: &Arc<solution::Memory>,
    tool: &str,
    arguments: Arguments,
) -> Result<String, EngineError> {
    match solutions::SolutionTool::parse(tool) {
        Some(tool) => solutions::run_tool(memory, tool, arguments),
        None => Err(EngineError::bad_arguments(format!("unknown tool: {tool}"))),
    }
}

/// Answers a tool by its name, as the server does.
pub(crate) fn answer_tool_by_name(
    engine: &Engine,
    tool: &str,
    arguments: Arguments,
) -> Result<String, EngineError> {
    match tools::CodeTool::parse(tool) {
        Some(tool) => call::run_tool(engine, tool, arguments),
        None => Err(EngineError::bad_arguments(format!("unknown tool: {tool}"))),
    }
}

#[derive(Clone)]
struct Server {
    project: Arc<Project>,
    turns: Arc<FairQueue>,
    /// Builds wait for each other before they wait for a turn.
    builds: Arc<FairQueue>,
    /// Saves of solutions do the same: one may wait long for a program that holds their store.
    saves: Arc<FairQueue>,
}

impl Server {
    fn new(serving: ServerOptions) -> Server {
        Server {
            project: Arc::new(Project {
                serving,
                steps: ProgressChannel::default(),
                engine: OnceLock::new(),
                root: OnceLock::new(),
            }),
            turns: FairQueue::new(QueueLimits::default()),
            builds: one_at_a_time(),
            saves: one_at_a_time(),
        }
    }

    /// Waits for this client's turn. The guard is kept while the question is worked on.
    async fn wait_turn(
        &self,
        context: &RequestContext<RoleServer>,
        alone: Option<&Arc<FairQueue>>,
    ) -> Result<(Option<TurnGuard>, TurnGuard), turns::Busy> {
        let asker = client_of(context);
        let alone = match alone {
            Some(queue) => Some(queue.acquire(asker.clone()).await?),
            None => None,
        };
        Ok((alone, self.turns.acquire(asker).await?))
    }

    /// Takes the first folder that is open in the client as the project, if the server was started outside any project. Over HTTP
    /// several clients share one server, so none of them decides.
    async fn find_root(&self, context: &RequestContext<RoleServer>) {
        let is_shared = context
            .extensions
            .get::<hyper::http::request::Parts>()
            .is_some();
        if is_shared || !self.project.lacks_root() {
            return;
        }
        let folders = roots::open_folders(context).await;
        let of_many = &self.project.serving.settings.shared_folders;
        // An open home folder is not meant as a project.
        let is_one = |folder: &PathBuf| {
            let real = folder.real_path();
            real.is_ok_and(|real| real.parent().is_some() && !of_many.contains(&real))
        };
        if let Some(root) = folders.into_iter().find(is_one) {
            let _ = self.project.root.set(root);
        }
    }

    /// Answers a tool when it is this client's turn. The error is one of the protocol.
    async fn answer_in_turn(
        &self,
        tool: RequestedTool,
        arguments: Arguments,
        context: &RequestContext<RoleServer>,
    ) -> Result<Result<String, ToolError>, ErrorData> {
        if matches!(tool, RequestedTool::Code(_)) {
            self.find_root(context).await;
        }
        let project = self.project.clone();
        let cancel = Cancel::default();
        let wanted = cancel.clone();
        let alone = self.queue_of(&tool, &arguments);
        let Ok(load) = self.turns.reserve_bytes(estimated_bytes(&arguments)) else {
            let message = "too much waits to be answered: ask again later";
            return Ok(Err(EngineError::bad_arguments(message).into()));
        };
        let work = async {
            let Ok(turn) = self.wait_turn(context, alone).await else {
                let message = "too many questions wait: ask again later";
                return Ok(Err(EngineError::bad_arguments(message).into()));
            };
            // The turn ends with the work, not with a client that disconnects.
            tokio::task::spawn_blocking(move || {
                let _held = (turn, load);
                project.answer_tool(tool, arguments, &wanted)
            })
            .await
        };
        let answered = tokio::select! {
            answered = work => answered,
            // The client has cancelled the request.
            () = context.ct.cancelled() => {
                cancel.set();
                return Err(ErrorData::internal_error("cancelled", None));
            }
            // This branch never ends.
            never = self.project.steps.notify_progress(context) => match never {},
        };
        Ok(answered.unwrap_or_else(|panic| {
            Err(EngineError::runtime_failure(format!("the question failed: {panic}")).into())
        }))
    }

    /// The queue for calls that run one at a time; none for other calls.
    fn queue_of(&self, tool: &RequestedTool, arguments: &Arguments) -> Option<&Arc<FairQueue>> {
        match tool {
            RequestedTool::Code(tool) => tool.builds_index(arguments).then_some(&self.builds),
            RequestedTool::Solutions(_, tool) => tool.writes().then_some(&self.saves),
        }
    }
}

/// A queue that runs one call at a time. So its calls take at most one turn, and never block questions by themselves.
fn one_at_a_time() -> Arc<FairQueue> {
    FairQueue::new(QueueLimits {
        working: 1,
        working_each: 1,
        ..QueueLimits::default()
    })
}

/// The client of a request: as given by the HTTP server, or else the one client on standard input.
fn client_of(context: &RequestContext<RoleServer>) -> ClientKey {
    let parts = context.extensions.get::<hyper::http::request::Parts>();
    let asker = parts.and_then(|parts| parts.extensions.get::<ClientKey>());
    asker.cloned().unwrap_or_else(|| "standard input".into())
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let offers = ServerCapabilities::builder().enable_tools();
        let offers = if self.project.serving.only_solutions {
            offers.build()
        } else {
            offers.enable_resources().enable_prompts().build()
        };
        let mut info = ServerConfig::new(offers);
        info.server_info = Implementation::new("knotwork", env!("CARGO_PKG_VERSION"));
        let serving = &self.project.serving;
        let code = (!serving.only_solutions).then_some(INSTRUCTIONS);
        let solutions = serving.memory.as_ref().map(|_| SOLUTION_INSTRUCTIONS);
        let data = Some(guard::text::IS_DATA);
        let instructions: Vec<&str> = code.into_iter().chain(solutions).chain(data).collect();
        info.with_instructions(instructions.join(" "))
    }

    async fn discover(
        &self,
        _context: RequestContext<RoleServer>,
    ) -> Result<DiscoverResult, ErrorData> {
        let versions = self.supported_protocol_versions().into_owned();
        let found = DiscoverResult::from_server_info(versions, self.get_info());
        Ok(found
            .with_ttl_ms(LIST_TTL)
            .with_cache_scope(CacheScope::Private))
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let listed = ListToolsResult::with_all_items(self.project.tools());
        Ok(listed
            .with_ttl_ms(LIST_TTL)
            .with_cache_scope(CacheScope::Private))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = self.project.find_tool(&request.name) else {
            let message = format!("unknown tool: {}", request.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        let arguments = request.arguments.unwrap_or_default();
        let answered = self.answer_in_turn(tool, arguments, &context).await?;
        let answered = to_call_result(answered);
        if self.project.serving.structured {
            return Ok(to_structured(answered).into());
        }
        Ok(answered.into())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let all = if self.project.serving.only_solutions {
            Vec::new()
        } else {
            resources::all_resources()
        };
        let listed = ListResourcesResult::with_all_items(all);
        Ok(listed
            .with_ttl_ms(LIST_TTL)
            .with_cache_scope(CacheScope::Private))
    }

    async fn list_resource_templates(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let all = if self.project.serving.only_solutions {
            Vec::new()
        } else {
            resources::all_templates()
        };
        let listed = ListResourceTemplatesResult::with_all_items(all);
        Ok(listed
            .with_ttl_ms(LIST_TTL)
            .with_cache_scope(CacheScope::Private))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let found = Some(request.uri.as_str()).filter(|_| !self.project.serving.only_solutions);
        let Some(found) = found.and_then(resources::find_resource) else {
            return Err(ErrorData::resource_not_found("no such resource", None));
        };
        let tool = RequestedTool::Code(found.tool);
        let arguments = found.arguments.clone();
        let answered = self.answer_in_turn(tool, arguments, &context).await?;
        let text = answered.map_err(|mut failed| {
            structured::escape_strings(&mut failed.error);
            let message = failed.error["message"].as_str();
            let message = message.unwrap_or("the resource cannot be read").to_owned();
            ErrorData::internal_error(message, Some(failed.error))
        })?;
        if found.is_empty_answer(&text) {
            let message = "the index has no definitions of this file";
            return Err(ErrorData::resource_not_found(message, None));
        }
        let text = guard::text::escape_multiline(&text).into_owned();
        let contents = ResourceContents::text(text, request.uri).with_mime_type(found.mime_type);
        // The content may change with each edit.
        let read = ReadResourceResult::new(vec![contents]);
        Ok(read
            .with_ttl_ms(0)
            .with_cache_scope(CacheScope::Private)
            .into())
    }

    async fn list_prompts(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let all = if self.project.serving.only_solutions {
            Vec::new()
        } else {
            prompts::all_prompts()
        };
        let listed = ListPromptsResult::with_all_items(all);
        Ok(listed
            .with_ttl_ms(LIST_TTL)
            .with_cache_scope(CacheScope::Private))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let message = prompts::message_of(&request.name, &arguments)
            .map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
        let message = PromptMessage::new_text(Role::User, message);
        Ok(GetPromptResult::new(vec![message]).into())
    }
}

/// The result of a call. Hidden characters in the repository's text are escaped; in JSON the escapes mean the same.
fn to_call_result(answered: Result<String, ToolError>) -> CallToolResult {
    let shown = |text: String| {
        vec![ContentBlock::text(
            guard::text::escape_multiline(&text).into_owned(),
        )]
    };
    match answered {
        Ok(text) => CallToolResult::success(shown(text)),
        Err(ToolError { error }) => {
            let text = serde_json::json!({ "error": error }).to_string();
            CallToolResult::error(shown(text))
        }
    }
}

/// The same result as structured content. Errors stay as they are.
fn to_structured(mut result: CallToolResult) -> CallToolResult {
    let text = result.content.first().and_then(ContentBlock::as_text);
    if result.is_error == Some(true) || text.is_none() {
        return result;
    }
    let answer = structured::to_object(text.map_or("", |text| text.text.as_str()));
    result.content = vec![ContentBlock::text(structured::summarize(&answer))];
    result.structured_content = Some(answer);
    result
}
