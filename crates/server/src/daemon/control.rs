//! A daemon from outside: start it, stop it, ask how it is.

use super::DaemonError;
use super::files::{self, Files};
use crate::client::Client;
use rustix::process::{Pid, Signal, kill_process};
use serde::Serialize;
use serde_json::{Value, json};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a daemon may take to answer first.
const START: Duration = Duration::from_secs(15);

/// How long a daemon may take to end, the request that it works on included; then it is killed. It ends itself a little
/// sooner, so that this is for one that hangs.
const END: Duration = Duration::from_millis(1_800);

/// How long one that was killed may take to be gone, and one that has just come to answer.
const SILENT: Duration = Duration::from_secs(5);

/// How long it may take to say that it is there.
const PING: Duration = Duration::from_secs(1);

/// How a daemon is.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct StatusAnswer {
    /// Whether there is one.
    pub running: bool,
    /// Its process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// Time since it started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uptime_seconds: Option<u64>,
    /// Requests that wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue_size: Option<u64>,
    /// When it was last known to live, seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_heartbeat: Option<u64>,
    /// Its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// `UNRESPONSIVE`, `CRASHED` (it will be started again) or `FAILED`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// Why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// How a daemon was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// It finished what it was at.
    Gracefully,
    /// It did not answer and was killed.
    Killed(u32),
}

/// What a pid file without a daemon says; the file is removed.
pub fn remove_stale_files(files: &Files) -> bool {
    let stale =
        files.pid.exists() && files.daemon_pid().is_none() && files.supervisor_pid().is_none();
    if stale {
        files.remove_all();
    }
    stale
}

/// Starts `command`, which serves or supervises, and waits until the daemon answers; gives its process.
pub fn start_and_wait(files: &Files, command: Command) -> Result<u32, DaemonError> {
    check_not_running(files)?;
    let _ = files::remove_if_exists(&files.state);
    let mut child = spawn_detached(files, command)?;
    let since = Instant::now();
    loop {
        if let Some(ping) = ping(files) {
            let pid = ping["pid"].as_u64().unwrap_or(0) as u32;
            // Another one may have been quicker.
            let ours = pid == child.id() || files.supervisor_pid() == Some(child.id());
            return if ours {
                Ok(pid)
            } else {
                Err(DaemonError::AlreadyRunning(pid))
            };
        }
        if let Ok(Some(status)) = child.try_wait() {
            return Err(early_exit_error(files, &status.to_string()));
        }
        if since.elapsed() > START {
            return Err(DaemonError::NotStarted(format!("no answer in {START:?}")));
        }
        std::thread::sleep(Duration::from_millis(4));
    }
}

fn check_not_running(files: &Files) -> Result<(), DaemonError> {
    match files.daemon_pid().or_else(|| files.supervisor_pid()) {
        Some(pid) => Err(DaemonError::AlreadyRunning(pid)),
        None => Ok(()),
    }
}

/// What to say of one that ended before it answered: perhaps another one was quicker.
fn early_exit_error(files: &Files, status: &str) -> DaemonError {
    let since = Instant::now();
    while since.elapsed() < SILENT {
        if let Some(pid) = ping(files).and_then(|p| p["pid"].as_u64()) {
            return DaemonError::AlreadyRunning(pid as u32);
        }
        if files.daemon_pid().is_none() && files.supervisor_pid().is_none() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let noted =
        read_supervisor_note(files).and_then(|note| note["reason"].as_str().map(str::to_owned));
    let why = noted.unwrap_or_else(|| status.to_owned());
    DaemonError::NotStarted(format!("{why}; see {}", files.log.display()))
}

fn spawn_detached(files: &Files, mut command: Command) -> Result<Child, DaemonError> {
    let fail = |source| DaemonError::from_io(&files.log, source);
    let log = files::open_for_writing(&files.log, true)?;
    let errors = log.try_clone().map_err(fail)?;
    command.stdin(Stdio::null()).stdout(log).stderr(errors);
    let shown = command.get_program().to_owned();
    let spawned = command.spawn();
    spawned.map_err(|source| DaemonError::from_io(shown.as_ref(), source))
}

/// Stops the daemon and whoever watches over it.
pub fn stop_daemon(files: &Files) -> Result<Stopped, DaemonError> {
    let (daemon, monitor) = (files.daemon_pid(), files.supervisor_pid());
    let Some(pid) = daemon.or(monitor) else {
        remove_stale_files(files);
        let _ = files::remove_if_exists(&files.state);
        return Err(DaemonError::NotRunning);
    };
    let since = Instant::now();
    let mut told = Vec::new();
    let mut killed = false;
    loop {
        // The monitor first, which would start it again. Either may be another one by now.
        let left: Vec<u32> = [files.supervisor_pid(), files.daemon_pid()]
            .into_iter()
            .flatten()
            .collect();
        if left.is_empty() {
            break;
        }
        let late = since.elapsed() > END;
        for pid in left {
            if late {
                send_signal(pid, Signal::KILL);
                killed = true;
            } else if !told.contains(&pid) {
                send_signal(pid, Signal::TERM);
                told.push(pid);
            }
        }
        if since.elapsed() > END + SILENT {
            return Err(DaemonError::Silent(pid));
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    files.remove_all();
    let _ = files::remove_if_exists(&files.monitor_pid);
    let _ = files::remove_if_exists(&files.state);
    Ok(if killed {
        Stopped::Killed(pid)
    } else {
        Stopped::Gracefully
    })
}

/// How the daemon is.
pub fn daemon_status(files: &Files) -> StatusAnswer {
    let Some(pid) = files.daemon_pid() else {
        let note = read_supervisor_note(files).unwrap_or_default();
        let text = |key: &str| note[key].as_str().map(str::to_owned);
        return StatusAnswer {
            state: text("state"),
            reason: text("reason"),
            ..StatusAnswer::default()
        };
    };
    let said = ping(files);
    let number = |key: &str| said.as_ref().and_then(|said| said[key].as_u64());
    let dead = said.is_none();
    StatusAnswer {
        running: true,
        pid: Some(pid),
        uptime_seconds: number("uptime_seconds"),
        queue_size: number("queue_size"),
        last_heartbeat: number("last_heartbeat").or_else(|| files.last_heartbeat()),
        version: said
            .as_ref()
            .and_then(|said| said["version"].as_str().map(str::to_owned)),
        state: dead.then(|| "UNRESPONSIVE".to_owned()),
        reason: dead.then(|| format!("no answer in {PING:?}")),
    }
}

/// What it says to a ping; none where nobody answers.
pub fn ping(files: &Files) -> Option<Value> {
    let mut client = Client::connect(files)?;
    client.request("ping", &json!({}), PING).ok()
}

/// What its supervisor noted last.
fn read_supervisor_note(files: &Files) -> Option<Value> {
    serde_json::from_str(&files::read_note(&files.state)?).ok()
}

/// To a process that holds a lock of ours: its number cannot be anybody else's.
fn send_signal(pid: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, signal);
    }
}
