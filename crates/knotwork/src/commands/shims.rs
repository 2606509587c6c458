//! `knotwork shims`.

use crate::environment::GlobalArgs;
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, Printer};
use crate::shim;
use clap::{Args, Subcommand};
use engine::EngineError;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

/// Shell scripts with the names and arguments of an earlier implementation, for what still calls it.
#[derive(Debug, Args)]
pub(crate) struct ShimsArgs {
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

pub(crate) fn run(_given: &GlobalArgs, args: ShimsArgs, printer: &Printer) -> CommandResult {
    let json = printer.is_json(TEXT_OR_JSON)?;
    let names: Vec<String> = shim::wrapper_names().collect();
    let (folder, force) = match args.what {
        Action::List if json => return printer.print_json(&json!({ "scripts": names })),
        Action::List => return printer.print_text(&names.join("\n")),
        Action::Install { folder, force } => (folder, force),
    };
    let program = std::env::current_exe()
        .map_err(|e| EngineError::runtime_failure(format!("cannot find this program: {e}")))?;
    fs::create_dir_all(&folder).map_err(|e| write_error(&folder, &e))?;
    // Nothing is written where one of them would replace a file of the user's.
    let foreign: Vec<&String> = names
        .iter()
        .filter(|name| !force && is_foreign(&folder.join(name)))
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
        write_script(&path, &script(&program, name)).map_err(|e| write_error(&path, &e))?;
    }
    if json {
        return printer.print_json(&json!({"folder": folder, "scripts": names}));
    }
    printer.print_text(&format!("{} scripts in {}", names.len(), folder.display()))
}

fn write_error(path: &Path, error: &std::io::Error) -> EngineError {
    EngineError::runtime_failure(format!("cannot write {}: {error}", path.display()))
}

/// Whether a file is there that this command did not write.
fn is_foreign(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
        && !fs::read_to_string(path).is_ok_and(|text| text.lines().nth(1) == Some(MARK))
}

fn script(program: &Path, name: &str) -> String {
    let program = program.display().to_string().replace('\'', "'\\''");
    format!("#!/bin/sh\n{MARK}\nexec '{program}' shim '{name}' \"$@\"\n")
}

/// Writes a script beside its place and moves it there, so that one that runs is not changed under it.
fn write_script(path: &Path, text: &str) -> std::io::Result<()> {
    guard::state::replace_file(path, text.as_bytes())?;
    #[cfg(unix)]
    {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(path, mode)?;
    }
    Ok(())
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
