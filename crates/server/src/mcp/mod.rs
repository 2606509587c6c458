//! The MCP server: tools over the engine's operations, on standard input and output.

mod budget;
mod call;
mod tools;

use engine::{Engine, EngineError, Progress, Settings};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{RequestContext, RoleServer, ServerInitializeError, ServiceExt};
use rmcp::{ErrorData, ServerHandler};
use std::sync::{Arc, OnceLock};

const INSTRUCTIONS: &str = "Code graph of this project. Symbols: name, Class.method, path:line, \
path::name or id. Edges carry tier (scip, typed, scoped, named) and confidence. The index is built \
and refreshed by itself.";

/// Makes who hears of an engine's work.
pub type Progresses = fn() -> Box<dyn Progress + Send>;

/// Why a server ended.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The runtime could not be started.
    #[error("cannot start the runtime: {0}")]
    Runtime(#[from] std::io::Error),
    /// The client did not speak the protocol.
    #[error("{0}")]
    Protocol(String),
}

/// Serves until standard input ends. The project is opened with the first question, so that
/// `initialize` is answered at once whatever the repository.
pub fn serve(settings: Settings, progress: Progresses) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let served = runtime.block_on(async {
        let server = Server {
            project: Arc::new(Project {
                settings,
                progress,
                engine: OnceLock::new(),
            }),
        };
        match server.serve(rmcp::transport::stdio()).await {
            Ok(running) => running
                .waiting()
                .await
                .map(|_| ())
                .map_err(|e| ServeError::Protocol(e.to_string())),
            // A client that goes away before it says anything wanted nothing.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
            Err(error) => Err(ServeError::Protocol(error.to_string())),
        }
    });
    // Reading standard input blocks a thread that nobody waits for any more.
    runtime.shutdown_background();
    served
}

/// A project that is opened when it is first asked.
struct Project {
    settings: Settings,
    progress: Progresses,
    engine: OnceLock<Engine>,
}

impl Project {
    fn engine(&self) -> Result<&Engine, EngineError> {
        if let Some(engine) = self.engine.get() {
            return Ok(engine);
        }
        let engine = Engine::open(self.settings.clone(), (self.progress)())?;
        Ok(self.engine.get_or_init(|| engine))
    }
}

/// Answers a tool by its name, as the server does.
pub(crate) fn answer(
    engine: &Engine,
    tool: &str,
    arguments: serde_json::Map<String, serde_json::Value>,
) -> Result<String, EngineError> {
    match tools::Name::parse(tool) {
        Some(tool) => call::run(engine, tool, arguments),
        None => Err(EngineError::bad(format!("unknown tool: {tool}"))),
    }
}

struct Server {
    project: Arc<Project>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let mut info = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        info.server_info = Implementation::new("knotwork", env!("CARGO_PKG_VERSION"));
        info.with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools::all()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = tools::Name::parse(&request.name) else {
            let message = format!("unknown tool: {}", request.name);
            return Err(ErrorData::invalid_params(message, None));
        };
        let arguments = request.arguments.unwrap_or_default();
        let project = self.project.clone();
        let work = move || {
            let engine = project.engine()?;
            call::run(engine, tool, arguments)
        };
        let answered = tokio::task::spawn_blocking(work).await;
        let answered = answered.unwrap_or_else(|panic| {
            Err(EngineError::failure(format!(
                "the question failed: {panic}"
            )))
        });
        Ok(result(answered).into())
    }
}

fn result(answered: Result<String, EngineError>) -> CallToolResult {
    match answered {
        Ok(text) => CallToolResult::success(vec![ContentBlock::text(text)]),
        Err(error) => {
            let text = serde_json::to_string(&serde_json::json!({ "error": error }));
            let text = text.unwrap_or_else(|_| error.message.clone());
            CallToolResult::error(vec![ContentBlock::text(text)])
        }
    }
}
