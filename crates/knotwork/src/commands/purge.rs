//! `knotwork purge`.

use super::projects::all_projects;
use crate::command::{Command, Row, Run, Trust};
use crate::environment::{self, GlobalArgs};
use crate::format::TEXT_OR_JSON;
use crate::printer::{CommandResult, Printer};
use crate::text::format_size;
use clap::Args;
use engine::{EngineError, IndexedProject};
use serde_json::json;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

pub(super) const COMMAND: Command = Command {
    name: "purge",
    aliases: &[],
    about: "Remove index, caches and settings of this project, or of all",
    examples: &[
        "knotwork purge --dry-run         say what would be removed for this project",
        "knotwork purge --all --yes       everything but saved solutions",
        "knotwork purge --all --solutions --yes",
    ],
    part_examples: &[],
    formats: TEXT_OR_JSON,
    part_formats: &[],
    operations: &[],
    readme: Row {
        usage: "`purge`, `purge --all`",
        tool: None,
        answers: "removes index, caches and settings of one project or all",
    },
    readme_chinese: None,
    run: &Run::in_process(purge_stored_data).with_trust(|_| Trust::NO_NEW_KEY),
};

/// Remove the index, the caches and the settings of this project, or of all.
///
/// What is removed is listed first, and asked about. Settings of coding agents are taken out by `setup --remove`.
#[derive(Debug, Args)]
struct PurgeArgs {
    /// All projects that are indexed, and what they share: caches, the user's settings and the key that seals indexes
    #[arg(long)]
    all: bool,
    /// The saved solutions of all projects as well
    #[arg(long)]
    solutions: bool,
    /// Do not ask
    #[arg(long, short)]
    yes: bool,
    /// Say what would be removed, and remove nothing
    #[arg(long)]
    dry_run: bool,
}

/// The projects and folders to remove.
struct Plan {
    projects: Vec<IndexedProject>,
    folders: Vec<OwnFolder>,
}

/// A folder of this user, and which files in it belong to this program. A variable may name a folder that holds other
/// files as well.
struct OwnFolder {
    path: PathBuf,
    /// Names of files; a star stands for any ending.
    names: &'static [&'static str],
}

impl OwnFolder {
    fn is_ours(&self, name: &str) -> bool {
        name != JOURNAL && engine::is_name_of(self.names, name)
    }
}

/// The journal of `setup`. It is kept: only with it can `setup` remove its entries from files of other programs.
const JOURNAL: &str = "setup.json";

const CACHE: &[&str] = &["audit-*", "facts", "projects", "serve", "worker"];
const CONFIG: &[&str] = &["config.yaml"];
const DATA: &[&str] = &["key", "key.lock"];
/// The database, the files of SQLite and of the lock beside it, and copies that were set aside as damaged.
const SOLUTIONS: &[&str] = &["solutions.db", "solutions.db-*", "solutions.db.*"];

fn purge_stored_data(given: &GlobalArgs, args: PurgeArgs, printer: &Printer) -> CommandResult {
    let as_json = printer.is_json(TEXT_OR_JSON)?;
    let mut plan = plan(given, &args)?;
    // A project whose folder holds foreign files is skipped; the others are still removed.
    plan.projects.retain(|project| {
        let checked = engine::check_is_index(&project.state_dir);
        if let Err(error) = &checked {
            printer.print_note(&error.message);
        }
        checked.is_ok()
    });
    let listed = list(&plan);
    let is_empty = listed.is_empty();
    if !as_json && (args.dry_run || is_empty) {
        let head = if is_empty {
            "There is nothing to remove."
        } else {
            "This would be removed:"
        };
        return printer.print_text(&[vec![head.to_owned()], lines(&listed)].concat().join("\n"));
    }
    if !args.dry_run && !is_empty {
        confirm(&args, &listed, printer)?;
        remove(&plan, printer)?;
    }
    if as_json {
        let entries = listed
            .iter()
            .map(|(path, bytes)| json!({"path": path, "bytes": bytes}));
        let entries: Vec<_> = entries.collect();
        return printer.print_json(&json!({"dry_run": args.dry_run, "removed": entries}));
    }
    printer.print_text(&format!("Removed:\n{}", lines(&listed).join("\n")))?;
    if args.all
        && environment::user_folders()
            .data
            .is_some_and(|data| data.join(JOURNAL).is_file())
    {
        printer.print_note("coding agents still have the server: knotwork setup --remove");
    }
    Ok(())
}

fn plan(given: &GlobalArgs, args: &PurgeArgs) -> Result<Plan, EngineError> {
    let mut folders = Vec::new();
    if args.solutions {
        let path = environment::solution_folder()?;
        folders.push(OwnFolder {
            path,
            names: SOLUTIONS,
        });
    }
    if args.all {
        let own = environment::user_folders();
        let all = [(own.cache, CACHE), (own.config, CONFIG), (own.data, DATA)];
        let all = all
            .into_iter()
            .filter_map(|(path, names)| Some(OwnFolder { path: path?, names }));
        folders.extend(all);
        return Ok(Plan {
            projects: all_projects(given)?,
            folders,
        });
    }
    let place = environment::find_location(given)?.ok_or_else(|| {
        EngineError::bad_arguments("there is no project here")
            .with_hint("go into a project, name one with -C, or remove all with --all")
    })?;
    let project = match std::fs::symlink_metadata(&place.state_dir) {
        Ok(_) => {
            engine::check_is_index(&place.state_dir)?;
            engine::measure_project(&place.root, &place.state_dir)
        }
        Err(_) => None,
    };
    Ok(Plan {
        projects: project.into_iter().collect(),
        folders,
    })
}

/// Paths with their sizes.
fn list(plan: &Plan) -> Vec<(&Path, u64)> {
    let projects = plan
        .projects
        .iter()
        .map(|project| (project.shown_path(), project.bytes));
    let is_there = |own: &&OwnFolder| {
        own.path
            .symlink_metadata()
            .is_ok_and(|found| found.is_dir())
    };
    let folders = plan.folders.iter().filter(is_there);
    projects
        .chain(folders.map(|own| (own.path.as_path(), engine::folder_size(&own.path))))
        .collect()
}

fn lines(listed: &[(&Path, u64)]) -> Vec<String> {
    let line =
        |(path, bytes): &(&Path, u64)| format!("{:>9}  {}", format_size(*bytes), path.display());
    listed.iter().map(line).collect()
}

fn confirm(
    args: &PurgeArgs,
    listed: &[(&Path, u64)],
    printer: &Printer,
) -> Result<(), EngineError> {
    if args.yes {
        return Ok(());
    }
    let refused = EngineError::bad_arguments("not confirmed: nothing was removed");
    if !std::io::stdin().is_terminal() {
        return Err(refused.with_hint("add --yes, or look first with --dry-run"));
    }
    for line in lines(listed) {
        printer.print_note(&line);
    }
    // If the question cannot be shown, the answer is no.
    let _ = write!(std::io::stderr(), "Remove this for good? [y/N] ");
    let mut answer = String::new();
    let _ = std::io::stdin().read_line(&mut answer);
    match answer.trim() {
        "y" | "Y" | "yes" => Ok(()),
        _ => Err(refused),
    }
}

fn remove(plan: &Plan, printer: &Printer) -> Result<(), EngineError> {
    for project in &plan.projects {
        stop_daemon(&project.state_dir)?;
        engine::remove_project(&project.state_dir)?;
    }
    for own in &plan.folders {
        let left = engine::remove_entries(&own.path, &|name| own.is_ours(name))?;
        for name in left.iter().filter(|name| *name != JOURNAL) {
            printer.print_note(&format!(
                "{} is kept: Knotwork did not create it",
                own.path.join(name).display()
            ));
        }
    }
    Ok(())
}

fn stop_daemon(state_dir: &Path) -> Result<(), EngineError> {
    use server::daemon::{DaemonError, control};
    match control::stop_daemon(&environment::daemon_files(state_dir)) {
        Ok(_) | Err(DaemonError::NotRunning) => Ok(()),
        Err(error) => Err(EngineError::runtime_failure(format!(
            "the daemon of {} does not stop: {error}",
            state_dir.display()
        ))),
    }
}
