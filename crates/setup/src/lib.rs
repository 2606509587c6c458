//! Adds Knotwork to the settings of coding agents, and removes it again: the server, hooks, a skill, instructions.
//!
//! Each agent has its own files and its own format ([`client::CLIENTS`]). Files are edited in place: comments, order and all other
//! bytes stay. A journal records the additions, so that removal restores the bytes that were there before.
//!
//! Never knows: the environment, terminals, the code graph.

mod block;
pub mod client;
mod edit;
mod edit_error;
mod files;
mod hooks;
mod journal;
mod jsonc;
mod part;
mod places;
mod run;
mod server;
mod style;
mod toml_table;
mod yaml_map;

pub use client::{CLIENTS, Client};
pub use edit_error::EditError;
pub use hooks::is_own_command;
pub use part::Part;
pub use places::Places;
pub use run::{Outcome, Request, Scope, Status, add, print, recorded_projects, remove};

/// The text of the skill that teaches the command line.
pub const SKILL: &str = include_str!("../skill/SKILL.md");

/// The instructions for a file such as `AGENTS.md`, if the user asks for them.
pub const INSTRUCTIONS: &str = include_str!("../skill/instructions.md");

/// The name of the server, the skill and their folders.
pub const NAME: &str = "knotwork";

/// The reason why a file was not changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// The file cannot be read or written.
    #[error("{path}: {reason}")]
    File {
        /// The file.
        path: std::path::PathBuf,
        /// The reason, from the system or from `guard`.
        reason: String,
    },
    /// The file does not have the expected content.
    #[error("{path} is damaged, or not in the form that is known: {reason}")]
    Damaged {
        /// The file.
        path: std::path::PathBuf,
        /// The fault.
        reason: EditError,
    },
}
