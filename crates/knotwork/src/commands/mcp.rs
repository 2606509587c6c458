//! `knotwork mcp`.

use crate::environment::{self, Limits};
use crate::printer::Done;
use clap::Args;
use engine::EngineError;
use std::path::PathBuf;

/// Serve the Model Context Protocol on standard input and output, until the input ends.
#[derive(Debug, Args)]
pub(crate) struct McpArgs {}

pub(crate) fn run(project: Option<&PathBuf>, _args: McpArgs) -> Done {
    let settings = environment::settings(project, &Limits::default())?;
    server::mcp::serve(settings)
        .map_err(|e| EngineError::failure(format!("the server ended: {e}")).into())
}
