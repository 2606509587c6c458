//! `knotwork mcp`.

use crate::environment::{self, Given, Limits};
use crate::printer::Done;
use crate::progress::Debug;
use clap::Args;
use engine::EngineError;

/// Serve the Model Context Protocol on standard input and output, until the input ends.
#[derive(Debug, Args)]
pub(crate) struct McpArgs {}

pub(crate) fn run(given: &Given, _args: McpArgs) -> Done {
    let settings = engine::Settings {
        long_running: true,
        ..environment::settings(given, &Limits::default())?
    };
    server::mcp::serve(settings, || Box::new(Debug::with_warnings()))
        .map_err(|e| EngineError::failure(format!("the server ended: {e}")).into())
}
