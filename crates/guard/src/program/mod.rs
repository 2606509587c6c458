//! Starts foreign programs: none from the project itself, with few variables, and with limits of time and output.

mod confine;
mod environment;
mod run;
mod strays;
mod worker;

pub use confine::{RequestLimits, Watchdog, confine_worker, machine_slowness};
pub use environment::Environment;
pub use run::{
    Limits, ProgramOutput, RunError, Take, Watch, run_program, run_program_reading,
    run_program_watched, run_to_file,
};
pub use strays::end_running_programs;
pub use worker::{Worker, WorkerError, read_frame, write_frame};

use platform::RealPath;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A program on the user's search path, outside the project.
#[derive(Debug, Clone)]
pub struct Program {
    file: PathBuf,
    /// The trusted part of the search path: the first line of a program may name another program.
    search_path: OsString,
    environment: Environment,
}

/// Looks for a program on the search path. Relative folders and folders inside the project are skipped, and so is a
/// program whose real path is inside: a repository must not choose which program runs. If the project is part of a
/// repository, the whole repository counts as inside.
pub fn find_program(name: &str, environment: &Environment, project: &Path) -> Option<Program> {
    find_program_outside(name, environment, &[project])
}

/// As [`find_program`], outside several folders.
pub fn find_program_outside(
    name: &str,
    environment: &Environment,
    projects: &[&Path],
) -> Option<Program> {
    let home = environment
        .get("HOME")
        .or_else(|| environment.get("USERPROFILE"));
    let home = home.map(PathBuf::from);
    let projects: Vec<PathBuf> = projects
        .iter()
        .map(|project| outermost_repository(canonicalize_or_same(project), home.as_deref()))
        .collect();
    let folders = trusted_search_path(environment, &projects);
    let is_outside = |file: &PathBuf| {
        let real = file.real_path();
        platform::rights::is_executable(file) && real.is_ok_and(|real| !is_inside(&real, &projects))
    };
    let file = folders
        .iter()
        .map(|folder| folder.join(platform::process::program_name(name)))
        .find(is_outside)?;
    Some(Program {
        file,
        search_path: std::env::join_paths(folders).ok()?,
        environment: environment.clone(),
    })
}

/// The outermost folder around a project that is a repository; else the project itself. A folder that contains the
/// user's home, or the root of the disk, does not count, since it also holds the user's own programs.
fn outermost_repository(project: PathBuf, home: Option<&Path>) -> PathBuf {
    let is_own = |folder: &Path| {
        folder.parent().is_none() || home.is_some_and(|home| home.starts_with(folder))
    };
    let is_repository = |folder: &Path| folder.join(".git").symlink_metadata().is_ok();
    let around = project.ancestors();
    let around = around.filter(|folder| !is_own(folder) && is_repository(folder));
    around.last().map(Path::to_path_buf).unwrap_or(project)
}

fn is_inside(path: &Path, projects: &[PathBuf]) -> bool {
    projects.iter().any(|project| path.starts_with(project))
}

/// The absolute folders of the search path that lie outside the projects.
fn trusted_search_path(environment: &Environment, projects: &[PathBuf]) -> Vec<PathBuf> {
    let path = environment.get("PATH").unwrap_or_default();
    let is_outside = |folder: &PathBuf| {
        folder.is_absolute() && !is_inside(&canonicalize_or_same(folder), projects)
    };
    std::env::split_paths(&path).filter(is_outside).collect()
}

fn canonicalize_or_same(path: &Path) -> PathBuf {
    path.real_path().unwrap_or_else(|_| path.to_path_buf())
}

impl Program {
    /// Path of the program.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// A command that runs the program from a folder. It gets the search path, the user's language, and what the caller
    /// adds. It has no input, and leads a process group of its own, so that [`run_program()`] can end all of it.
    pub fn isolated_command(&self, folder: &Path) -> Command {
        let mut command = self.foreground_command(folder);
        platform::process::lead_group(&mut command);
        command
    }

    /// As [`Program::isolated_command`], but in our own process group, for long work that the user watches: an
    /// interrupt at the terminal ends both.
    pub fn foreground_command(&self, folder: &Path) -> Command {
        let mut command = Command::new(&self.file);
        command
            .env_clear()
            .env("PATH", &self.search_path)
            .envs(self.environment.basic_variables())
            .current_dir(folder)
            .stdin(Stdio::null());
        command
    }
}

/// A command that starts this program again with its whole environment, since it needs the user's keys and settings
/// like its parent. It runs in the root folder, so that no project's folder is kept in use.
pub fn respawn_command(file: &Path) -> Command {
    let mut command = Command::new(file);
    command.current_dir("/").stdin(Stdio::null());
    command
}

#[cfg(all(test, unix))]
mod tests;
