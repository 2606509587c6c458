//! Programs are found only outside the project, get few variables, and are ended with all their processes.

use super::*;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::time::{Duration, Instant};

const LIMITS: Limits = Limits {
    time: Duration::from_secs(30),
    output: 1 << 20,
};

fn write_script(path: &Path, script: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, format!("#!/bin/sh\n{script}\n")).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn shell_command(script: &str) -> Command {
    let environment = Environment::with_path("/bin:/usr/bin");
    let found = find_program("sh", &environment, Path::new("/nowhere")).unwrap();
    let mut command = found.isolated_command(Path::new("/"));
    command.args(["-c", script]);
    command
}

#[test]
fn programs_of_the_project_are_not_found() {
    let outer = tempfile::tempdir().unwrap();
    let project = outer.path().join("project");
    write_script(&project.join("bin/tool"), "echo project");
    // A folder outside that is a link into the project, and a program outside that is such a link.
    symlink(project.join("bin"), outer.path().join("linked")).unwrap();
    std::fs::create_dir(outer.path().join("shims")).unwrap();
    symlink(project.join("bin/tool"), outer.path().join("shims/tool")).unwrap();
    let path = |folders: &[&Path]| Environment::with_path(std::env::join_paths(folders).unwrap());
    let hostile = [
        Path::new("node_modules/.bin"),
        Path::new("."),
        Path::new(""),
        &project.join("bin"),
        &outer.path().join("linked"),
        &outer.path().join("shims"),
        &project.join("../project/bin"),
    ];
    for folder in hostile {
        let found = find_program("tool", &path(&[folder]), &project);
        assert!(found.is_none(), "{}", folder.display());
    }
    write_script(&outer.path().join("own/tool"), "echo user");
    let own = outer.path().join("own");
    let all: Vec<&Path> = hostile.iter().copied().chain([own.as_path()]).collect();
    let found = find_program("tool", &path(&all), &project).unwrap();
    assert_eq!(found.file(), own.join("tool"));
    // Programs that it starts itself are found by the same rules.
    let said = run_program(found.isolated_command(Path::new("/")).arg("x"), &LIMITS).unwrap();
    assert_eq!(said.out, "user\n");
    let given = found.search_path.to_str().unwrap();
    assert!(!given.contains("project/bin") && !given.contains("linked"));
    // A file that is not executable is not a program.
    let mode = std::fs::Permissions::from_mode(0o644);
    std::fs::set_permissions(own.join("tool"), mode).unwrap();
    assert!(find_program("tool", &path(&[&own]), &project).is_none());
    // The project may be named through a link.
    symlink(&project, outer.path().join("alias")).unwrap();
    let alias = outer.path().join("alias");
    let found = find_program("tool", &path(&[&project.join("bin")]), &alias);
    assert!(found.is_none());
    // Several projects count.
    let both = [outer.path().join("elsewhere"), project.clone()];
    let both: Vec<&Path> = both.iter().map(PathBuf::as_path).collect();
    let bin = path(&[&project.join("bin")]);
    assert!(find_program_outside("tool", &bin, &both[..1]).is_some());
    assert!(find_program_outside("tool", &bin, &both).is_none());
    // One part of a repository must not provide programs for another part.
    let part = project.join("packages/app");
    std::fs::create_dir_all(&part).unwrap();
    let bin = path(&[&project.join("bin")]);
    assert!(find_program("tool", &bin, &part).is_some());
    std::fs::create_dir(project.join(".git")).unwrap();
    assert!(find_program("tool", &bin, &part).is_none());
}

#[test]
fn nothing_but_what_is_listed_reaches_a_program() {
    let read = |name: &str| match name {
        "PATH" => Some("/bin:/usr/bin".into()),
        "LANG" => Some("C".into()),
        "HOME" => Some("/home-of-the-user".into()),
        _ => None,
    };
    let environment = Environment::from_variables(read);
    let found = find_program("env", &environment, Path::new("/nowhere")).unwrap();
    let said = run_program(&mut found.isolated_command(Path::new("/")), &LIMITS).unwrap();
    let mut names: Vec<&str> = said.out.lines().collect();
    names.sort_unstable();
    // Cargo's own variables were in the environment of this test.
    let mark = names
        .iter()
        .position(|name| name.starts_with("KNOTWORK_STARTED_BY="));
    names.remove(mark.unwrap());
    assert_eq!(names, ["LANG=C", "PATH=/bin:/usr/bin"]);
}

#[test]
fn output_and_complaint_are_kept_whatever_the_code() {
    let script = "echo '{}'; echo first >&2; echo last >&2; exit 1";
    let said = run_program(&mut shell_command(script), &LIMITS).unwrap();
    assert_eq!(
        (said.out.as_str(), said.complaint.as_str(), said.code),
        ("{}\n", "last", Some(1))
    );
    // The program gets no input.
    let said = run_program(&mut shell_command("read line; echo \"got $line\""), &LIMITS).unwrap();
    assert_eq!(said.out, "got \n");
}

#[test]
fn time_and_output_are_limited_and_nothing_is_left_behind() {
    let started = Instant::now();
    let folder = tempfile::tempdir().unwrap();
    let alive = |name: &str| {
        let pid = std::fs::read_to_string(folder.path().join(name)).unwrap();
        let state = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()));
        state.is_ok_and(|state| !state.contains(") Z "))
    };
    let limits = Limits {
        time: Duration::from_millis(300),
        ..LIMITS
    };
    // The grandchild keeps the pipe open.
    let script = format!(
        "sleep 60 & echo $! > {}/late; sleep 60",
        folder.path().display()
    );
    let late = run_program(&mut shell_command(&script), &limits).unwrap_err();
    assert!(matches!(late, RunError::Time(_)), "{late}");
    // The grandchild outlives a program that succeeds.
    let script = format!(
        "sleep 60 >/dev/null 2>&1 & echo $! > {}/left",
        folder.path().display()
    );
    run_program(&mut shell_command(&script), &LIMITS).unwrap();
    // A process that leaves its group, and whose parent ends at once.
    let script = format!(
        "(setsid sh -c 'echo $$ > {}/apart; exec sleep 60' >/dev/null 2>&1 &); sleep 0.3",
        folder.path().display()
    );
    run_program(&mut shell_command(&script), &LIMITS).unwrap();
    let log = std::fs::File::create(folder.path().join("log")).unwrap();
    let late = run_to_file(&mut shell_command("exec sleep 60"), log, &limits).unwrap_err();
    assert!(matches!(late, RunError::Time(_)), "{late}");
    let much = run_program(
        &mut shell_command("exec head -c 8000000 /dev/zero"),
        &LIMITS,
    )
    .unwrap_err();
    assert!(matches!(much, RunError::Output(_)), "{much}");
    assert!(started.elapsed() < Duration::from_secs(50));
    if cfg!(target_os = "linux") {
        for name in ["late", "left", "apart"] {
            let gone = (0..100).any(|_| {
                std::thread::sleep(Duration::from_millis(20));
                !alive(name)
            });
            assert!(gone, "{name} still runs");
        }
    }
}

#[test]
fn what_is_said_to_a_file_is_all_there_and_failures_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let log = std::fs::File::create(&path).unwrap();
    let script = "echo first; echo last >&2; exit 3";
    let failed = run_to_file(&mut shell_command(script), log, &LIMITS).unwrap_err();
    assert!(failed.to_string().contains('3'), "{failed}");
    assert_eq!(std::fs::read_to_string(path).unwrap(), "first\nlast\n");
}

#[test]
fn a_log_has_a_limit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("log");
    let log = std::fs::File::create(&path).unwrap();
    let limits = Limits {
        output: 100_000,
        ..LIMITS
    };
    let much = run_to_file(&mut shell_command("exec cat /dev/zero"), log, &limits).unwrap_err();
    assert!(matches!(much, RunError::Output(100_000)), "{much}");
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 100_000);
    // Nor does its child write on.
    let log = std::fs::File::create(&path).unwrap();
    let parent = "cat /dev/zero & wait";
    let much = run_to_file(&mut shell_command(parent), log, &limits).unwrap_err();
    assert!(matches!(much, RunError::Output(100_000)), "{much}");
    if cfg!(target_os = "linux") {
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(std::fs::metadata(path).unwrap().len(), 100_000);
    }
}

#[test]
fn a_program_that_nobody_wants_any_more_is_ended_at_once() {
    // It prints nothing, or has closed its output.
    for script in ["exec sleep 60", "exec sleep 60 >/dev/null 2>&1"] {
        let mut looks = 0;
        let mut watch = || {
            looks += 1;
            match looks {
                3 => Err(RunError::Cancelled),
                _ => Ok(()),
            }
        };
        let ended = run_program_watched(&mut shell_command(script), &LIMITS, &mut watch);
        assert!(matches!(ended, Err(RunError::Cancelled)), "{ended:?}");
    }
}

#[test]
fn what_is_printed_is_passed_on_and_may_end_it() {
    let limits = Limits {
        output: u64::MAX,
        ..LIMITS
    };
    let mut taken = 0;
    let mut take = |part: &[u8]| {
        taken += part.len();
        if taken > 1 << 20 {
            return Err(RunError::Stopped("enough".to_owned()));
        }
        Ok(())
    };
    let ended = run_program_reading(
        &mut shell_command("exec cat /dev/zero"),
        &limits,
        &mut || Ok(()),
        &mut take,
    );
    assert_eq!(ended.unwrap_err().to_string(), "enough, stopped");
}
