//! The wire protocol: one JSON object a line, requests as `{action, payload}` and responses as
//! `{status, data, latency_ms, error_message?}`.
//!
//! Unknown fields are ignored, so that both sides may add some.

use crate::shape;
use engine::EngineError;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::time::Duration;

/// The most bytes of a request.
pub const LONGEST_REQUEST: usize = 32 << 20;

/// The message where too many requests are waiting.
pub const QUEUE_FULL: &str = "Request queue full";

/// A request.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Request {
    /// The action: `ping`, `stats`, `query`, `write`, or an operation.
    pub action: String,
    /// The arguments.
    #[serde(default)]
    pub payload: Value,
}

/// The outcome of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Answered.
    Ok,
    /// Refused or failed; the message says why.
    Error,
    /// Too many requests are waiting; ask again, or do the work without the daemon.
    Busy,
}

impl Status {
    /// The word on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Ok => "ok",
            Status::Error => "error",
            Status::Busy => "busy",
        }
    }
}

/// A response.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Response {
    /// The outcome.
    pub status: Status,
    /// The answer.
    #[serde(default)]
    pub data: Value,
    /// The time from the request's last byte to the answer, in milliseconds.
    #[serde(default)]
    pub latency_ms: f64,
    /// The error message.
    #[serde(default)]
    pub error_message: Option<String>,
    /// The error with its kind, hint and candidates, where the operation itself failed.
    #[serde(default)]
    pub error: Option<Value>,
}

/// The reason why a line is no request.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// It holds more values than are decoded.
    #[error("invalid request: {0}")]
    TooMuch(&'static str),
    /// It is not the JSON of a request.
    #[error("invalid request: {0}")]
    Malformed(#[from] serde_json::Error),
    /// It names no action.
    #[error("invalid request: no action")]
    NoAction,
    /// The thread that parsed it ended.
    #[error("{0}")]
    Lost(String),
}

/// Parses a request from its line.
///
/// # Errors
/// If the line is no request.
pub fn parse_request(line: &[u8]) -> Result<Request, RequestError> {
    if let Some(why) = shape::too_much(line) {
        return Err(RequestError::TooMuch(why));
    }
    let request: Request = serde_json::from_slice(line)?;
    if request.action.is_empty() {
        Err(RequestError::NoAction)
    } else {
        Ok(request)
    }
}

/// The line of a response; `data` is JSON already.
pub fn ok_line(data: &str, took: Duration) -> String {
    let latency = latency_ms(took);
    format!("{{\"status\":\"ok\",\"data\":{data},\"latency_ms\":{latency}}}\n")
}

/// The line of an error.
pub fn error_line(error: &EngineError, took: Duration) -> String {
    let line = json!({
        "status": "error", "data": null, "latency_ms": latency_ms(took),
        "error_message": error.message, "error": error,
    });
    format!("{line}\n")
}

/// The line of an error with only a message.
pub fn message_error_line(message: &str, took: Duration) -> String {
    status_line(Status::Error, message, took)
}

/// The line for a request that was not accepted.
pub fn busy_line() -> String {
    status_line(Status::Busy, QUEUE_FULL, Duration::ZERO)
}

fn status_line(status: Status, message: &str, took: Duration) -> String {
    let line = json!({
        "status": status, "data": null, "latency_ms": latency_ms(took), "error_message": message,
    });
    format!("{line}\n")
}

/// Milliseconds, to the microsecond.
fn latency_ms(took: Duration) -> f64 {
    (took.as_secs_f64() * 1e6).round() / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_read_and_rubbish_is_refused() {
        let ping = parse_request(br#"{"action":"ping","timestamp":1,"later":[]}"#).unwrap();
        assert_eq!((ping.action.as_str(), ping.payload), ("ping", Value::Null));
        for line in [
            &b""[..],
            b"{",
            b"[]",
            b"null",
            b"\"ping\"",
            b"{\"payload\":{}}",
            b"{\"action\":\"\"}",
            b"{\"action\":7}",
            b"\xff\xfe",
        ] {
            let message = parse_request(line).unwrap_err().to_string();
            assert!(message.starts_with("invalid request"), "{message}");
        }
    }

    #[test]
    fn a_request_of_many_values_is_not_decoded() {
        let many = "{\"\":0},".repeat(4_400_000);
        let line = format!("{{\"action\":\"query\",\"payload\":[{many}0]}}");
        let message = parse_request(line.as_bytes()).unwrap_err().to_string();
        assert!(message.contains("200,000 values"), "{message}");
    }

    #[test]
    fn answers_are_one_line_that_reads_back() {
        let line = ok_line("{\"a\":\"x\\ny\"}", Duration::from_micros(1_500));
        assert_eq!(line.matches('\n').count(), 1);
        let read: Response = serde_json::from_str(&line).unwrap();
        assert_eq!((read.status, read.latency_ms), (Status::Ok, 1.5));
        assert_eq!(read.data["a"], "x\ny");
        let read: Response = serde_json::from_str(&busy_line()).unwrap();
        assert_eq!(read.status, Status::Busy);
        assert_eq!(read.error_message.as_deref(), Some(QUEUE_FULL));
        let error = EngineError::bad_arguments("no such symbol: x").with_hint("look");
        let read: Value = serde_json::from_str(&error_line(&error, Duration::ZERO)).unwrap();
        assert_eq!(read["error_message"], "no such symbol: x");
        assert_eq!(read["error"]["hint"], "look");
    }
}
