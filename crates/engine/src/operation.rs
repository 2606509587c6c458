//! The common definition of an MCP tool and an action of the daemon. Each operation is defined once, in its own module of `ops`.

use crate::EngineError;
use crate::workspace::Workspace;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// The effect of a request on the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// The request reads. An index that is not fresh may be brought up to date for it.
    Read,
    /// The request brings the index up to date with the files, and changes nothing else. Requests of this kind run one at a time.
    Index,
    /// The request changes stored data. Requests of this kind run one at a time.
    Write,
}

/// The description of an operation for MCP clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tool {
    /// The title that people see.
    pub title: &'static str,
    /// The purpose in one line, and when to use another tool instead.
    pub about: &'static str,
    /// Whether results that do not fit into an answer are on further pages, for which the question is asked again.
    pub pages: bool,
    /// Whether most questions need it.
    pub core: bool,
    /// Whether any of its requests changes stored data ([`Access::Write`]).
    pub writes: bool,
}

/// An operation.
pub trait Operation {
    /// The name of the command and of the daemon's action: `call-chain`. The tool's name is made from it: `ci_call_chain`.
    const NAME: &'static str;
    /// The description for MCP clients; none where it is not offered to them.
    const TOOL: Option<Tool>;
    /// The request, as JSON and as arguments of a tool.
    type Request: DeserializeOwned + JsonSchema;
    /// The answer, as JSON.
    type Answer: Serialize;

    /// The effect of a request. There is no default: an operation that writes must say so.
    fn access(request: &Self::Request) -> Access;

    /// Answers a request of a client. A client asks in the user's name, so nothing leaves the machine that the user's own
    /// configuration does not allow.
    ///
    /// # Errors
    /// As the operation.
    fn answer(workspace: &Workspace, request: &Self::Request) -> Result<Self::Answer, EngineError>;
}

/// Defines an operation: its name, request, answer, effect, description for MCP clients, and function.
macro_rules! operation {
    (
        $(#[$doc:meta])*
        $operation:ident {
            name: $name:literal,
            request: $request:ty => $answer:ty,
            access: $access:expr,
            tool: $tool:expr,
            answer: $answer_request:expr,
        }
    ) => {
        $(#[$doc])*
        pub struct $operation;

        impl $crate::operation::Operation for $operation {
            const NAME: &'static str = $name;
            const TOOL: Option<$crate::operation::Tool> = $tool;
            type Request = $request;
            type Answer = $answer;

            fn access(request: &$request) -> $crate::operation::Access {
                let access: fn(&$request) -> $crate::operation::Access = $access;
                access(request)
            }

            fn answer(
                workspace: &$crate::workspace::Workspace,
                request: &$request,
            ) -> Result<$answer, $crate::EngineError> {
                type Function<R, A> =
                    fn(&$crate::workspace::Workspace, &R) -> Result<A, $crate::EngineError>;
                let answer: Function<$request, $answer> = $answer_request;
                answer(workspace, request)
            }
        }
    };
}

pub(crate) use operation;

/// A default of a request that differs between the command line and clients. Each use says why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DoorDefault<T> {
    /// The default at the command line, where a person reads the answer.
    pub command_line: T,
    /// The default for clients of MCP and of the daemon, where a program reads it.
    pub client: T,
}

/// A request without arguments; what is given is not looked at.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, JsonSchema)]
pub struct NoArguments {}

/// What was removed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Removed {
    /// `ok`.
    pub status: &'static str,
    /// Names of the files.
    pub removed: Vec<String>,
}

impl Removed {
    pub(crate) fn new(removed: Vec<String>) -> Removed {
        Removed {
            status: "ok",
            removed,
        }
    }
}
