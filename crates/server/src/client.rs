//! The client of the daemon's socket: sends requests, and reports quickly where no daemon answers.

use crate::daemon::ClientStream;
use crate::daemon::OTHER_ENVIRONMENT;
use crate::daemon::control;
use crate::daemon::files::Files;
use crate::daemon::protocol::{Response, Status};
use engine::Cancel;
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The time between checks that a daemon still lives while it works on a request.
const GLANCE: Duration = Duration::from_secs(1);

/// The reason why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum ClientError {
    /// Too many requests are waiting.
    #[error("the daemon is busy: {0}")]
    Busy(String),
    /// The daemon refused the request, or the operation failed.
    #[error("{message}")]
    Refused {
        /// The message of the daemon.
        message: String,
        /// The error with its kind, hint and candidates, where the operation itself failed.
        error: Option<Value>,
    },
    /// The daemon ended, or did not answer in time.
    #[error("no answer from the daemon: {0}")]
    Lost(String),
}

impl From<std::io::Error> for ClientError {
    fn from(error: std::io::Error) -> ClientError {
        ClientError::Lost(error.to_string())
    }
}

/// A connection to a daemon.
pub struct Client {
    stream: BufReader<ClientStream>,
}

impl Client {
    /// Connects to the project's daemon. Returns none at once if there is no daemon or it accepts no more
    /// clients.
    pub fn connect(files: &Files) -> Option<Client> {
        let stream = ClientStream::connect(&files.socket_to_connect()?).ok()?;
        Some(Client {
            stream: BufReader::new(stream),
        })
    }

    /// The data of an answer, if it comes within `patience`.
    pub fn request(
        &mut self,
        action: &str,
        payload: &impl Serialize,
        timeout: Duration,
    ) -> Result<Value, ClientError> {
        self.send(action, payload)?;
        let until = Instant::now() + timeout;
        let mut line = Vec::new();
        while !self.read_more(&mut line, until.saturating_duration_since(Instant::now()))? {
            if Instant::now() >= until {
                return Err(ClientError::Lost(format!("nothing in {timeout:?}")));
            }
        }
        parse_response(&line)
    }

    /// Sends a request for work that may take long: waits as long as the daemon lives.
    pub fn request_while_alive(
        &mut self,
        files: &Files,
        action: &str,
        payload: &impl Serialize,
    ) -> Result<Value, ClientError> {
        self.request_cancellable(files, action, payload, &Cancel::default())
    }

    /// Sends a request that can be cancelled: the daemon ends the work when the client is dropped.
    pub fn request_cancellable(
        &mut self,
        files: &Files,
        action: &str,
        payload: &impl Serialize,
        cancel: &Cancel,
    ) -> Result<Value, ClientError> {
        self.send(action, payload)?;
        let mut line = Vec::new();
        while !self.read_more(&mut line, GLANCE)? {
            if cancel.is_set() {
                return Err(ClientError::Lost("it is wanted no more".to_owned()));
            }
            if control::ping(files).is_none() {
                return Err(ClientError::Lost("it answers no ping".to_owned()));
            }
        }
        parse_response(&line)
    }

    fn send(&mut self, action: &str, payload: &impl Serialize) -> Result<(), ClientError> {
        // A folder whose name is not UTF-8 cannot be written in JSON; the work is then done without the daemon.
        let payload = serde_json::to_value(payload)
            .map_err(|e| ClientError::Lost(format!("it cannot be asked: {e}")))?;
        let request = json!({ "action": action, "payload": payload });
        let line = format!("{request}\n");
        Ok(self.stream.get_mut().write_all(line.as_bytes())?)
    }

    /// Reads more bytes. Returns whether the line is complete.
    fn read_more(&mut self, line: &mut Vec<u8>, wait: Duration) -> Result<bool, ClientError> {
        let wait = wait.max(Duration::from_millis(1));
        self.stream.get_mut().set_read_timeout(wait)?;
        match self.stream.read_until(b'\n', line) {
            Ok(_) if line.last() == Some(&b'\n') => Ok(true),
            Ok(_) => Err(ClientError::Lost("it closed the connection".to_owned())),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                Ok(false)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(false),
            Err(error) => Err(error.into()),
        }
    }
}

/// A daemon that may exist, for callers that can do the work themselves.
#[derive(Debug, Clone)]
pub struct PossibleDaemon {
    /// The daemon's files.
    pub files: Files,
    /// The environment fingerprint of the caller.
    pub fingerprint: String,
    /// The caller's current folder: relative paths of a call begin there.
    pub folder: PathBuf,
}

impl PossibleDaemon {
    /// The daemon's answer to a tool of the MCP server; none if the work has to be done here.
    pub fn call_tool(
        &self,
        name: &str,
        arguments: &Map<String, Value>,
        cancel: &Cancel,
    ) -> Option<Result<String, Value>> {
        // A folder whose name is not UTF-8 cannot be written in JSON.
        let folder = self.folder.to_str()?;
        let mut client = Client::connect(&self.files)?;
        let call = json!({
            "name": name, "arguments": arguments, "stamp": self.fingerprint, "folder": folder,
        });
        match client.request_cancellable(&self.files, "tool", &call, cancel) {
            Ok(data) => data["text"].as_str().map(|text| Ok(text.to_owned())),
            Err(ClientError::Refused {
                message,
                error: Some(error),
            }) if message != OTHER_ENVIRONMENT => Some(Err(error)),
            Err(_) => None,
        }
    }
}

fn parse_response(line: &[u8]) -> Result<Value, ClientError> {
    let response: Response = serde_json::from_slice(line)
        .map_err(|e| ClientError::Lost(format!("unknown protocol: {e}")))?;
    let message = response.error_message.unwrap_or_default();
    match response.status {
        Status::Ok => Ok(response.data),
        Status::Busy => Err(ClientError::Busy(message)),
        Status::Error => Err(ClientError::Refused {
            message,
            error: response.error,
        }),
    }
}
