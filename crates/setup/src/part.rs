//! The parts of a set-up.

use serde::{Deserialize, Serialize};

/// The parts that can be added to an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// The MCP server.
    Server,
    /// Hooks around prompts and tools.
    Hook,
    /// The skill that teaches the command line.
    Skill,
    /// A few lines in the file with instructions.
    Instructions,
}

impl Part {
    /// All of them.
    pub const ALL: [Part; 4] = [Part::Server, Part::Hook, Part::Skill, Part::Instructions];

    /// The name that is shown.
    pub fn name(self) -> &'static str {
        match self {
            Part::Server => "server",
            Part::Hook => "hook",
            Part::Skill => "skill",
            Part::Instructions => "instructions",
        }
    }
}
