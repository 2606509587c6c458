//! An operation as daemon and MCP server see it, whatever its types.

use crate::operation::{Access, Operation, Tool};
use crate::{Engine, EngineError};
use serde::Deserialize;
use serde_json::Value;

/// An operation as daemon and MCP server see it: requests and answers are JSON.
#[derive(Clone, Copy)]
pub struct OperationEntry {
    /// See [`Operation::NAME`].
    pub name: &'static str,
    /// See [`Operation::TOOL`].
    pub tool: Option<Tool>,
    schema: fn() -> Value,
    access: fn(&Value) -> Option<Access>,
    value: fn(&Engine, Value) -> Result<Value, RunError>,
    text: fn(&Engine, Value) -> Result<String, RunError>,
}

enum RunError {
    /// The request does not have the expected shape.
    Request(serde_json::Error),
    Engine(EngineError),
}

impl RunError {
    fn into_engine_error(self, called: &str) -> EngineError {
        match self {
            RunError::Request(error) => {
                EngineError::bad_arguments(format!("wrong {called}: {error}"))
            }
            RunError::Engine(error) => error,
        }
    }
}

fn answer<O: Operation>(engine: &Engine, request: Value) -> Result<O::Answer, RunError> {
    let request = serde_json::from_value(request).map_err(RunError::Request)?;
    O::answer(engine.workspace(), &request).map_err(RunError::Engine)
}

fn not_json(error: serde_json::Error) -> RunError {
    RunError::Engine(EngineError::runtime_failure(format!("not JSON: {error}")))
}

impl OperationEntry {
    pub(crate) const fn new<O: Operation>() -> OperationEntry {
        OperationEntry {
            name: O::NAME,
            tool: O::TOOL,
            schema: || {
                let generator = schemars::SchemaGenerator::default();
                generator.into_root_schema_for::<O::Request>().to_value()
            },
            access: |request| {
                let request = O::Request::deserialize(request).ok()?;
                Some(O::access(&request))
            },
            value: |engine, request| {
                let answer = answer::<O>(engine, request)?;
                serde_json::to_value(&answer).map_err(not_json)
            },
            text: |engine, request| {
                let answer = answer::<O>(engine, request)?;
                serde_json::to_string(&answer).map_err(not_json)
            },
        }
    }

    /// The schema of its request.
    pub fn schema(&self) -> Value {
        (self.schema)()
    }

    /// The effect of a request. A request with a wrong shape counts as reading: it is refused before it does anything.
    pub fn access(&self, request: &Value) -> Access {
        (self.access)(request).unwrap_or(Access::Read)
    }

    /// Answers a request as JSON; `called` is the client's word for it (`arguments`, `payload`), for messages.
    ///
    /// # Errors
    /// If the request does not have the expected shape, and as the operation.
    pub fn value(
        &self,
        engine: &Engine,
        request: Value,
        called: &str,
    ) -> Result<Value, EngineError> {
        (self.value)(engine, request).map_err(|error| error.into_engine_error(called))
    }

    /// Answers a request as text: fields in the order of the answer's type, numbers as short as they can be.
    ///
    /// # Errors
    /// As [`OperationEntry::value`].
    pub fn text(
        &self,
        engine: &Engine,
        request: Value,
        called: &str,
    ) -> Result<String, EngineError> {
        (self.text)(engine, request).map_err(|error| error.into_engine_error(called))
    }
}

impl std::fmt::Debug for OperationEntry {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("OperationEntry").field(&self.name).finish()
    }
}
