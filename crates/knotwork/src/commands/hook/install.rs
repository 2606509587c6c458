//! Adding the hooks to Claude Code's settings, and removing them: the part of `setup` for hooks alone.

use crate::environment::{self, GlobalArgs};
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, Printer};
use engine::EngineError;
use platform::RealPath;
use serde_json::json;
use setup::{Client, Part, Request, Scope, Status};

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Change {
    Install,
    Uninstall,
}

pub(super) fn change_hooks(given: &GlobalArgs, printer: &Printer, change: Change) -> CommandResult {
    let as_json = printer.is_json(TEXT_OR_JSON)?;
    let absolute = |folder: &std::path::PathBuf| {
        folder.real_path().map_err(|e| {
            EngineError::bad_arguments(format!("no such folder: {}: {e}", folder.display()))
        })
    };
    let project = given.project.as_ref().map(absolute).transpose()?;
    let scope = match &project {
        Some(_) => Scope::Project,
        None => Scope::User,
    };
    let places = environment::setup_places(project)?;
    let request = Request {
        places: &places,
        clients: Client::find("claude-code").into_iter().collect(),
        scope,
        parts: vec![Part::Hook],
        program: environment::own_program(&places)?,
        dry_run: false,
        only_recorded: false,
    };
    let done = match change {
        Change::Install => setup::add(&request),
        Change::Uninstall => setup::remove(&[request]),
    };
    let done = done.map_err(|e| EngineError::runtime_failure(e.to_string()))?;
    let Some(outcome) = done.first() else {
        return Err(EngineError::runtime_failure("Claude Code has no hooks").into());
    };
    let status = match outcome.status {
        Status::Added | Status::Updated => "installed",
        Status::Unchanged => "already installed",
        Status::Removed => "uninstalled",
        Status::Absent => "not installed",
        Status::Kept | Status::Unsupported | Status::Failed => {
            let error = EngineError::bad_arguments(outcome.note.clone());
            return Err(error
                .with_hint("nothing was written; correct it and try again")
                .into());
        }
    };
    if as_json {
        // Earlier versions left a copy of the file.
        let backup = serde_json::Value::Null;
        return printer
            .print_json(&json!({"status": status, "file": outcome.path, "backup": backup}));
    }
    let file = outcome
        .path
        .as_deref()
        .map(|path| path.display().to_string());
    printer.print_text(&format!("{status}: {}", file.unwrap_or_default()))
}
