//! What a command, a tool of the MCP server and an action of the daemon have in common. Each is defined once, in the file
//! of what it does.

use crate::EngineError;
use crate::workspace::Workspace;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// What a request does to the project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// It reads. An index that is not fresh may be brought up to date for it.
    Read,
    /// It brings the index up to date with the files, and keeps nothing else. Requests of this kind run one at a time.
    Index,
    /// It changes what is kept: requests of this kind run one at a time.
    Write,
}

/// How an operation is offered to MCP clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tool {
    /// What it is for, in one line.
    pub about: &'static str,
    /// Whether what does not fit into an answer is there on a further page: whether a question can be asked again.
    pub pages: bool,
    /// Whether most questions need it.
    pub core: bool,
}

/// An operation.
pub trait Operation {
    /// The name of the command and of the daemon's action: `call-chain`. The tool's is made from it: `ci_call_chain`.
    const NAME: &'static str;
    /// How it is offered to MCP clients; none where it is not.
    const TOOL: Option<Tool>;
    /// Its request, as JSON and as arguments of a tool.
    type Request: DeserializeOwned + JsonSchema;
    /// Its answer, as JSON.
    type Answer: Serialize;

    /// What a request does. There is no default: what writes must say so.
    fn access(request: &Self::Request) -> Access;

    /// Answers a request of a client. A client asks in the user's name, so that nothing leaves the machine which the
    /// user's own configuration does not allow.
    ///
    /// # Errors
    /// What the operation says.
    fn run(workspace: &Workspace, request: &Self::Request) -> Result<Self::Answer, EngineError>;
}

/// Makes an operation: its name, request and answer, what a request does, how MCP clients see it, and what answers.
macro_rules! operation {
    (
        $(#[$doc:meta])*
        $operation:ident {
            name: $name:literal,
            request: $request:ty => $answer:ty,
            access: $access:expr,
            tool: $tool:expr,
            run: $run:expr,
        }
    ) => {
        $(#[$doc])*
        pub(crate) struct $operation;

        impl $crate::operation::Operation for $operation {
            const NAME: &'static str = $name;
            const TOOL: Option<$crate::operation::Tool> = $tool;
            type Request = $request;
            type Answer = $answer;

            fn access(request: &$request) -> $crate::operation::Access {
                let access: fn(&$request) -> $crate::operation::Access = $access;
                access(request)
            }

            fn run(
                workspace: &$crate::workspace::Workspace,
                request: &$request,
            ) -> Result<$answer, $crate::EngineError> {
                type Run<R, A> =
                    fn(&$crate::workspace::Workspace, &R) -> Result<A, $crate::EngineError>;
                let run: Run<$request, $answer> = $run;
                run(workspace, request)
            }
        }
    };
}

pub(crate) use operation;

/// A default of a request that is another one at the command line than for clients. Each says why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DoorDefault<T> {
    /// Where a person reads the answer.
    pub command_line: T,
    /// Where a program reads it: an MCP client, or one of the daemon.
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
