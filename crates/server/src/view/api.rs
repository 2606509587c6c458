//! Questions of the page: operations that read, by their names, and the tools of the solution memory that read.

use super::{Reply, ViewState};
use crate::connections::ConnectionSlot;
use crate::mcp;
use crate::mcp::http::read_body;
use crate::shape;
use engine::{Access, Cancel, Engine, EngineError, ErrorKind};
use hyper::Request;
use hyper::body::Incoming;
use hyper::http::{StatusCode, header};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The word for a request in messages.
const CALLED: &str = "request";

/// The target of a question.
enum Question {
    Operation(&'static engine::OperationEntry, Value),
    Solutions(String, Map<String, Value>),
}

/// Answers a question. It ends at its next step when the page no longer waits.
pub(super) async fn answer(
    request: Request<Incoming>,
    name: &str,
    state: &Arc<ViewState>,
    place: &ConnectionSlot,
) -> Reply {
    let kind = request.headers().get(header::CONTENT_TYPE);
    let is_json = kind.is_some_and(|kind| kind.as_bytes() == b"application/json");
    if !is_json {
        // Foreign pages may send plain text without a preflight request.
        return Reply::text(StatusCode::UNSUPPORTED_MEDIA_TYPE, "JSON is needed\n");
    }
    let body = match read_body(request.into_body(), &state.limits, place).await {
        Ok(body) => body,
        Err((status, why)) => return Reply::text(status, why),
    };
    if let Some(why) = shape::too_much(&body) {
        return Reply::text(StatusCode::PAYLOAD_TOO_LARGE, why);
    }
    let question = match parse(name, &body) {
        Ok(question) => question,
        Err(reply) => return reply,
    };
    let Ok(turn) = state.questions.clone().acquire_owned().await else {
        return Reply::text(StatusCode::SERVICE_UNAVAILABLE, "the viewer ends\n");
    };
    let cancel = CancelOnDrop(Cancel::default());
    let (engine, memory) = (state.engine.with_cancel(&cancel.0), state.memory.clone());
    let answered = tokio::task::spawn_blocking(move || {
        let _held = turn;
        ask(&engine, memory, question)
    });
    let answered = answered.await.unwrap_or_else(|panic| {
        Err(EngineError::runtime_failure(format!(
            "the question failed: {panic}"
        )))
    });
    drop(cancel);
    reply(answered)
}

/// Cancels a question that nobody waits for.
struct CancelOnDrop(Cancel);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

fn parse(name: &str, body: &[u8]) -> Result<Question, Reply> {
    let request: Value = if body.is_empty() {
        json!({})
    } else {
        serde_json::from_slice(body).map_err(|error| {
            reply(Err(EngineError::bad_arguments(format!(
                "the request is no JSON: {error}"
            ))))
        })?
    };
    if mcp::reads_solutions(name) {
        return match request {
            Value::Object(fields) => Ok(Question::Solutions(name.to_owned(), fields)),
            _ => Err(reply(Err(EngineError::bad_arguments(
                "the request is no object",
            )))),
        };
    }
    let Some(operation) = engine::operation(name) else {
        return Err(Reply::text(StatusCode::NOT_FOUND, "no such operation\n"));
    };
    if operation.access(&request) != Access::Read {
        return Err(Reply::text(
            StatusCode::FORBIDDEN,
            "the viewer only reads\n",
        ));
    }
    Ok(Question::Operation(operation, request))
}

fn ask(
    engine: &Engine,
    memory: Option<Arc<solution::Memory>>,
    question: Question,
) -> Result<String, EngineError> {
    match question {
        Question::Operation(operation, request) => operation.text(engine, request, CALLED),
        Question::Solutions(name, request) => match memory {
            Some(memory) => mcp::answer_solution_tool(&memory, &name, request),
            None => Err(EngineError::missing_dependency(
                "there is no folder for the solution memory",
            )),
        },
    }
}

/// Escapes hidden characters; the JSON value is unchanged.
fn reply(answered: Result<String, EngineError>) -> Reply {
    let (status, text) = match answered {
        Ok(text) => (StatusCode::OK, text),
        Err(error) => {
            let status = match error.kind {
                ErrorKind::BadArguments => StatusCode::BAD_REQUEST,
                ErrorKind::MissingDependency | ErrorKind::Failure => {
                    StatusCode::INTERNAL_SERVER_ERROR
                }
            };
            (status, json!({ "error": error }).to_string())
        }
    };
    Reply::json(status, guard::text::escape_multiline(&text).into_owned())
}
