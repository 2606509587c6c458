//! The daemon's own actions. All other actions are operations of the engine.

/// An action that is no operation of the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnAction {
    /// A sign of life.
    Ping,
    /// Counts of requests and times.
    Stats,
    /// Ends the daemon.
    Shutdown,
    /// A statement of SQL that only reads.
    Query,
    /// Adds nodes and edges.
    Write,
    /// Reads in advance everything that the next questions need.
    Warmup,
    /// The context for a prompt.
    Hook,
    /// The configuration.
    Config,
    /// A command of the command line.
    Command,
    /// A tool of the MCP server.
    Tool,
}

impl OwnAction {
    /// All of them.
    pub const ALL: [OwnAction; 10] = [
        OwnAction::Ping,
        OwnAction::Stats,
        OwnAction::Shutdown,
        OwnAction::Query,
        OwnAction::Write,
        OwnAction::Warmup,
        OwnAction::Hook,
        OwnAction::Config,
        OwnAction::Command,
        OwnAction::Tool,
    ];

    /// The name in a request.
    pub fn name(self) -> &'static str {
        match self {
            OwnAction::Ping => "ping",
            OwnAction::Stats => "stats",
            OwnAction::Shutdown => "shutdown",
            OwnAction::Query => "query",
            OwnAction::Write => "write",
            OwnAction::Warmup => "warmup",
            OwnAction::Hook => "hook",
            OwnAction::Config => "config",
            OwnAction::Command => "command",
            OwnAction::Tool => "tool",
        }
    }

    /// The action of that name.
    pub fn parse(name: &str) -> Option<OwnAction> {
        OwnAction::ALL.into_iter().find(|own| own.name() == name)
    }

    /// Its payload for the documentation, empty if there is nothing to say of it; `None` for actions that only this program sends.
    pub fn documented_payload(self) -> Option<&'static str> {
        match self {
            OwnAction::Query => Some("`{sql, params}`, reading only"),
            OwnAction::Write => Some("`{nodes, edges}`"),
            OwnAction::Ping
            | OwnAction::Stats
            | OwnAction::Warmup
            | OwnAction::Hook
            | OwnAction::Config => Some(""),
            OwnAction::Shutdown | OwnAction::Command | OwnAction::Tool => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::OwnAction;

    #[test]
    fn each_name_means_one_action_and_no_operation() {
        for own in OwnAction::ALL {
            assert_eq!(OwnAction::parse(own.name()), Some(own));
            assert!(engine::operation(own.name()).is_none(), "{own:?}");
        }
    }
}
