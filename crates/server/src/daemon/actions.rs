//! Actions of the daemon: one for each operation of the engine, with its request type as payload and its answer type as data.

use super::own_action::OwnAction;
use super::queue::Kind;
use crate::mcp;
use engine::{Access, Cancel, Engine, EngineError, GraphStoreRequest, OperationEntry};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// A command of the command line, to be run in the process that has the graph in memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandCall {
    /// The program's arguments, without its name.
    pub arguments: Vec<String>,
    /// The caller's current folder.
    pub folder: PathBuf,
    /// The caller's standard input, if the command reads it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// Whether standard output and standard error may be coloured.
    pub color: [bool; 2],
    /// The caller's environment fingerprint, since answers depend on program and environment. Requests call it `stamp`.
    #[serde(rename = "stamp")]
    pub fingerprint: String,
}

/// The stream of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Err,
}

/// The output of a command, and its exit code.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandOutput {
    /// The texts written, in order.
    pub output: Vec<(Stream, String)>,
    /// The exit code.
    pub code: u8,
}

/// Runs commands; implemented by the binary.
pub trait Commands: Send + Sync {
    /// Runs a command on an open project.
    fn run_command(&self, engine: Engine, call: &CommandCall) -> CommandOutput;
}

/// The context of an action.
pub(crate) struct Context<'a> {
    pub(crate) engine: &'a Arc<Engine>,
    pub(crate) commands: &'a dyn Commands,
    pub(crate) fingerprint: &'a str,
    pub(crate) cancel: &'a Cancel,
}

/// An action that waits in the queue.
#[derive(Clone, Copy)]
pub(crate) enum Action {
    Own(OwnAction),
    Operation(&'static OperationEntry),
}

impl Action {
    /// The name under which it is counted.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Action::Own(own) => own.name(),
            Action::Operation(operation) => operation.name,
        }
    }
}

/// An action and its kind; none for an unknown one, and for those that are answered at once.
pub(crate) fn find_action(name: &str, payload: &Value) -> Option<(Action, Kind)> {
    if let Some(own) = OwnAction::parse(name) {
        return Some((Action::Own(own), own_action_kind(own, payload)?));
    }
    let operation = engine::operation(name)?;
    Some((
        Action::Operation(operation),
        operation_kind(operation, payload),
    ))
}

fn own_action_kind(own: OwnAction, payload: &Value) -> Option<Kind> {
    match own {
        OwnAction::Ping | OwnAction::Stats | OwnAction::Shutdown => None,
        OwnAction::Query
        | OwnAction::Hook
        | OwnAction::Config
        | OwnAction::Warmup
        // Commands that write are not sent to the daemon.
        | OwnAction::Command => Some(Kind::Read),
        OwnAction::Write => Some(Kind::Write),
        OwnAction::Tool => Some(tool_call_kind(payload)),
    }
}

fn operation_kind(operation: &OperationEntry, request: &Value) -> Kind {
    let nothing = Value::Object(Map::new());
    let request = if request.is_null() { &nothing } else { request };
    match operation.access(request) {
        Access::Read => Kind::Read,
        Access::Index | Access::Write => Kind::Write,
    }
}

/// Tools that are no operations (those of the solution memory) are not answered by a project's daemon.
fn tool_call_kind(call: &Value) -> Kind {
    let name = call.get("name").and_then(Value::as_str);
    let operation = name.and_then(mcp::operation_of_tool);
    let arguments = call.get("arguments").unwrap_or(&Value::Null);
    operation.map_or(Kind::Read, |operation| operation_kind(operation, arguments))
}

/// Answers an action, as JSON.
pub(crate) fn run_action(
    context: &Context<'_>,
    action: Action,
    payload: Value,
) -> Result<String, EngineError> {
    match action {
        Action::Own(own) => run_own_action(context, own, payload),
        Action::Operation(operation) => {
            operation.text(context.engine, or_empty_object(payload), "payload")
        }
    }
}

fn run_own_action(
    context: &Context<'_>,
    own: OwnAction,
    payload: Value,
) -> Result<String, EngineError> {
    let engine = context.engine;
    match own {
        OwnAction::Query => run_sql_query(engine, payload),
        OwnAction::Write => write_graph_batch(engine, payload),
        OwnAction::Hook => answer_hook_prompt(context, parse_payload(payload)?),
        OwnAction::Config => to_json(&engine.config().show()),
        OwnAction::Warmup => to_json(&warm_up(engine)?),
        OwnAction::Tool => call_tool(context, payload),
        OwnAction::Command => run_command(context, parse_payload(payload)?),
        OwnAction::Ping | OwnAction::Stats | OwnAction::Shutdown => Err(
            EngineError::bad_arguments(format!("{} does not wait in the queue", own.name())),
        ),
    }
}

/// Parses a payload as a request; a missing one counts as empty.
fn parse_payload<T: DeserializeOwned>(payload: Value) -> Result<T, EngineError> {
    serde_json::from_value(or_empty_object(payload))
        .map_err(|e| EngineError::bad_arguments(format!("wrong payload: {e}")))
}

/// An empty object in place of a missing payload.
fn or_empty_object(payload: Value) -> Value {
    match payload {
        Value::Null => Value::Object(Map::new()),
        given => given,
    }
}

fn to_json(answer: &impl Serialize) -> Result<String, EngineError> {
    serde_json::to_string(answer)
        .map_err(|e| EngineError::runtime_failure(format!("not JSON: {e}")))
}

/// Runs `{sql | query, params, limit}`; gives rows as objects, by the names of their columns.
fn run_sql_query(engine: &Engine, mut payload: Value) -> Result<String, EngineError> {
    if let Some(fields) = payload.as_object_mut()
        && let Some(sql) = fields.remove("query")
    {
        fields.entry("sql").or_insert(sql);
    }
    let answer = engine.graph_store(&GraphStoreRequest::Query(parse_payload(payload)?))?;
    let empty = Vec::new();
    let columns = answer.data["columns"].as_array().unwrap_or(&empty);
    let rows = answer.data["rows"].as_array().unwrap_or(&empty);
    let row = |cells: &Value| -> Value {
        let cells = cells.as_array().cloned().unwrap_or_default();
        let named = columns
            .iter()
            .map(|c| c.as_str().unwrap_or_default().to_owned());
        Value::Object(named.zip(cells).collect())
    };
    to_json(&rows.iter().map(row).collect::<Vec<Value>>())
}

/// Imports `{nodes, edges}` in one transaction.
fn write_graph_batch(engine: &Engine, payload: Value) -> Result<String, EngineError> {
    if payload.get("sql").or(payload.get("query")).is_some() {
        let message = "SQL statements that write are refused";
        return Err(EngineError::bad_arguments(message)
            .with_hint("write takes {\"nodes\": […], \"edges\": […]}"));
    }
    let answer = engine.graph_store(&GraphStoreRequest::BatchImport(parse_payload(payload)?))?;
    to_json(&answer.to_json())
}

/// A prompt for the hook.
#[derive(Deserialize)]
struct HookCall {
    prompt: String,
}

fn answer_hook_prompt(context: &Context<'_>, call: HookCall) -> Result<String, EngineError> {
    let engine = context.engine;
    let deadline = Instant::now() + engine.config().hook().timeout;
    let answer = engine.hook_prompt(&call.prompt, deadline);
    to_json(&answer)
}

/// Reads in advance everything that the next questions need, and tells what that was.
///
/// # Errors
/// A project that cannot be read.
pub fn warm_up(engine: &Engine) -> Result<Value, EngineError> {
    let since = Instant::now();
    let warm = engine.warm_up()?;
    let took = (since.elapsed().as_millis() as u64).max(1);
    Ok(json!({
        "warmup_status": "ok", "duration_ms": took, "warmup_time_ms": took,
        "symbols_cached": warm.symbols, "hotspot_cached": warm.hotspots, "chunks": warm.chunks,
    }))
}

/// A call of a tool of the MCP server.
#[derive(Deserialize)]
struct ToolCall {
    name: String,
    #[serde(default)]
    arguments: Map<String, Value>,
    #[serde(default, rename = "stamp")]
    fingerprint: Option<String>,
    /// The caller's current folder; the daemon's own where there is none.
    #[serde(default)]
    folder: Option<PathBuf>,
}

fn call_tool(context: &Context<'_>, payload: Value) -> Result<String, EngineError> {
    let call: ToolCall = parse_payload(payload)?;
    check_fingerprint(context, call.fingerprint.as_deref())?;
    let here = match &call.folder {
        Some(folder) => Some(context.engine.with_current_dir(folder)?),
        None => None,
    };
    let engine = here.as_ref().unwrap_or(context.engine);
    let text = mcp::answer_tool_by_name(engine, &call.name, call.arguments)?;
    to_json(&json!({ "text": text }))
}

fn run_command(context: &Context<'_>, call: CommandCall) -> Result<String, EngineError> {
    check_fingerprint(context, Some(&call.fingerprint))?;
    if context.cancel.is_set() {
        return Err(EngineError::runtime_failure("cancelled"));
    }
    let here = context.engine.with_current_dir(&call.folder)?;
    to_json(&context.commands.run_command(here, &call))
}

/// An error where the caller has another environment fingerprint: another version of the program, or other settings, would give
/// other answers.
fn check_fingerprint(context: &Context<'_>, fingerprint: Option<&str>) -> Result<(), EngineError> {
    match fingerprint {
        Some(fingerprint) if fingerprint != context.fingerprint => {
            Err(EngineError::bad_arguments(OTHER_ENVIRONMENT))
        }
        _ => Ok(()),
    }
}

/// The message to a caller with another environment fingerprint.
pub(crate) const OTHER_ENVIRONMENT: &str =
    "the daemon runs with a different version or different settings";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_writes_is_known_before_it_runs() {
        let kind =
            |action: &str, payload: Value| find_action(action, &payload).map(|(_, kind)| kind);
        assert_eq!(kind("search", Value::Null), Some(Kind::Read));
        assert_eq!(kind("index", Value::Null), Some(Kind::Write));
        assert_eq!(kind("arch-check", Value::Null), Some(Kind::Read));
        let pattern = |action: &str| kind("pattern", json!({ "action": action }));
        assert_eq!(pattern("check"), Some(Kind::Read));
        assert_eq!(pattern("learn"), Some(Kind::Write));
        let store = |action: &str| {
            let payload = json!({"symbol": "x"});
            kind("graph-store", json!({"action": action, "payload": payload}))
        };
        assert_eq!(store("find-symbol"), Some(Kind::Read));
        assert_eq!(store("add_node"), Some(Kind::Write));
        assert_eq!(store("vacuum"), Some(Kind::Write));
        let tool = |name: &str, action: &str| {
            kind(
                "tool",
                json!({"name": name, "arguments": {"action": action}}),
            )
        };
        assert_eq!(tool("ci_index_status", "build"), Some(Kind::Write));
        assert_eq!(tool("ci_index_status", "status"), Some(Kind::Read));
        assert_eq!(tool("ci_graph_store", "add-edge"), Some(Kind::Write));
        assert_eq!(kind("explode", Value::Null), None);
    }
}
