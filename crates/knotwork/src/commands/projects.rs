//! `knotwork projects`.

use crate::command::{Command, Row, Run, Trust};
use crate::environment::{self, GlobalArgs};
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, Printer};
use crate::text::{format_plural, format_size};
use clap::Args;
use engine::IndexedProject;
use serde_json::json;

pub(super) const COMMAND: Command = Command {
    name: "projects",
    aliases: &[],
    about: "List the projects that are indexed, and their size",
    examples: &["knotwork projects"],
    part_examples: &[],
    formats: TEXT_OR_JSON,
    part_formats: &[],
    operations: &[],
    readme: Row {
        usage: "`projects`",
        tool: None,
        answers: "what is indexed, and its size",
    },
    readme_chinese: None,
    run: &Run::in_process(list_projects).with_trust(|_| Trust::NO_NEW_KEY),
};

/// The projects that are indexed on this machine, with the size of each index.
///
/// Indexes that were made with `cache.shared: false` or by an earlier version are listed once they are updated.
#[derive(Debug, Args)]
struct ProjectsArgs {}

fn list_projects(given: &GlobalArgs, _args: ProjectsArgs, printer: &Printer) -> CommandResult {
    let as_json = printer.is_json(TEXT_OR_JSON)?;
    let all = all_projects(given)?;
    let cache = environment::user_folders()
        .cache
        .map(|cache| engine::folder_size(&cache));
    let cache = cache.unwrap_or(0);
    let bytes: u64 = all.iter().map(|project| project.bytes).sum();
    if as_json {
        return printer
            .print_json(&json!({"projects": all, "bytes": bytes, "shared_bytes": cache}));
    }
    let mut lines: Vec<String> = all.iter().map(line).collect();
    lines.push(format!(
        "{}, {}; shared by them: {}",
        format_plural(all.len() as u64, "project"),
        format_size(bytes),
        format_size(cache)
    ));
    printer.print_text(&lines.join("\n"))
}

/// All known projects, and the one around the given folder.
pub(super) fn all_projects(given: &GlobalArgs) -> Result<Vec<IndexedProject>, engine::EngineError> {
    let folders = environment::user_folders();
    let known = folders.cache.as_deref().map(engine::indexed_projects);
    let mut all = known.unwrap_or_default();
    if let Some(place) = environment::find_location(given)?
        && !all
            .iter()
            .any(|project| project.state_dir == place.state_dir)
    {
        all.extend(engine::measure_project(&place.root, &place.state_dir));
    }
    Ok(all)
}

fn line(project: &IndexedProject) -> String {
    let gone = if project.root.is_dir() {
        ""
    } else {
        "  (the project is gone)"
    };
    format!(
        "{:>9}  {}{gone}",
        format_size(project.bytes),
        project.root.display()
    )
}
