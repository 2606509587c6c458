//! `knotwork shims`.

use crate::command::{Command, Row, Run};
use crate::environment::GlobalArgs;
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, Printer};
use crate::shim;
use clap::{Args, Subcommand};
use engine::EngineError;
use guard::file::{Folder, LinkPolicy};
use guard::output;
use serde_json::json;
use std::path::{Path, PathBuf};

pub(super) const COMMAND: Command = Command {
    name: "shims",
    aliases: &[],
    about: "Write scripts with the names of an earlier implementation",
    examples: &["knotwork shims install tools"],
    part_examples: &["knotwork shims install tools", "knotwork shims list"],
    formats: TEXT_OR_JSON,
    part_formats: &[("install", TEXT_OR_JSON)],
    operations: &[],
    readme: Row {
        usage: "`shims install DIR`",
        tool: None,
        answers: "[scripts with the names of an earlier implementation](docs/shims.md)",
    },
    readme_chinese: None,
    run: &Run::in_process(manage_shims),
};

/// Shell scripts with the names and arguments of an earlier implementation, for what still calls it.
#[derive(Debug, Args)]
struct ShimsArgs {
    #[command(subcommand)]
    what: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Write the scripts into a folder
    Install {
        /// The folder; it is created where it is missing
        folder: PathBuf,
        /// Replace files of these names that were not written by this command
        #[arg(long)]
        force: bool,
    },
    /// List the names of the scripts
    List,
}

/// The second line of each script, by which this command knows its own.
const MARK: &str = "# Written by `knotwork shims install`.";

fn manage_shims(_given: &GlobalArgs, args: ShimsArgs, printer: &Printer) -> CommandResult {
    let json = printer.is_json(TEXT_OR_JSON)?;
    let names: Vec<String> = shim::wrapper_names().collect();
    let (folder, force) = match args.what {
        Action::List if json => return printer.print_json(&json!({ "scripts": names })),
        Action::List => return printer.print_text(&names.join("\n")),
        Action::Install { folder, force } => (folder, force),
    };
    let program = std::env::current_exe()
        .map_err(|e| EngineError::runtime_failure(format!("cannot find this program: {e}")))?;
    let root = root_around(&folder)?;
    output::create_user_folder(&folder, &root).map_err(|e| write_error(&folder, &e))?;
    let opened = Folder::open(&folder).map_err(|e| write_error(&folder, &e))?;
    // Nothing is written if any script would replace a file of the user.
    let foreign: Vec<&String> = names
        .iter()
        .filter(|name| !force && is_foreign(&opened, name))
        .collect();
    if let Some(name) = foreign.first() {
        let path = folder.join(name);
        return Err(EngineError::bad_arguments(format!(
            "{} exists and was not written by this command",
            path.display()
        ))
        .with_hint("choose another folder, or replace such files with --force")
        .into());
    }
    for name in &names {
        let path = folder.join(name);
        let text = script(&program, name);
        output::write_user_script(&path, text.as_bytes(), &root)
            .map_err(|e| write_error(&path, &e))?;
    }
    if json {
        return printer.print_json(&json!({"folder": folder, "scripts": names}));
    }
    printer.print_text(&format!("{} scripts in {}", names.len(), folder.display()))
}

/// The folder out of which no link may lead: the outermost project around the scripts, because a project may contain any links.
/// Without a project it is the current folder, or the nearest existing one.
fn root_around(folder: &Path) -> Result<PathBuf, EngineError> {
    let bad = |e: &std::io::Error| {
        EngineError::bad_arguments(format!("cannot find {}: {e}", folder.display()))
    };
    let path = std::path::absolute(folder).map_err(|e| bad(&e))?;
    let around: Vec<&Path> = path.ancestors().skip(1).collect();
    let project = around
        .iter()
        .rev()
        .find(|folder| engine::is_project_folder(folder));
    let here = std::env::current_dir().map_err(|e| bad(&e))?;
    let here = around.iter().find(|folder| **folder == here);
    let existing = around.iter().find(|folder| folder.is_dir());
    let root = project.or(here).or(existing);
    Ok(root.map_or_else(|| path.clone(), |root| root.to_path_buf()))
}

fn write_error(path: &Path, error: &guard::OpenError) -> EngineError {
    EngineError::runtime_failure(format!(
        "cannot write {}: {}",
        path.display(),
        error.reason()
    ))
    .with_hint("give a path without symbolic links")
}

/// The most bytes of a script that this command wrote.
const LARGEST: u64 = 64 << 10;

/// Whether something is there that this command did not write.
fn is_foreign(folder: &Folder, name: &str) -> bool {
    let is_ours = || {
        let text = folder.read_with(name, LARGEST, LinkPolicy::Refuse).ok()?;
        let text = String::from_utf8(text).ok()?;
        Some(text.lines().nth(1) == Some(MARK))
    };
    folder.entry_metadata(name).is_ok() && is_ours() != Some(true)
}

fn script(program: &Path, name: &str) -> String {
    let program = program.display().to_string().replace('\'', "'\\''");
    format!("#!/bin/sh\n{MARK}\nexec '{program}' shim '{name}' \"$@\"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_calls_this_program_whatever_its_path_is() {
        let text = script(Path::new("/a b/it's/knotwork"), "graph-store.sh");
        assert_eq!(
            text.lines().last(),
            Some("exec '/a b/it'\\''s/knotwork' shim 'graph-store.sh' \"$@\"")
        );
    }
}
