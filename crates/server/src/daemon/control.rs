//! Control of a daemon from outside: start, stop, status.

use super::DaemonError;
use super::files::{self, Files};
use super::holder::Holder;
use crate::client::Client;
use serde::Serialize;
use serde_json::{Value, json};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The longest that a daemon may take to its first answer.
const START: Duration = Duration::from_secs(15);

/// The longest that a daemon may take to finish its present request and end. It is killed after that. A daemon that works ends
/// itself a little sooner, so only one that hangs is killed.
const END: Duration = Duration::from_millis(1_800);

/// The longest that a killed daemon may take to disappear, and a new one to answer.
const SILENT: Duration = Duration::from_secs(5);

/// The longest wait for the answer to a ping.
const PING: Duration = Duration::from_secs(1);

/// The state of a daemon.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct StatusAnswer {
    /// Whether a daemon runs.
    pub running: bool,
    /// The process id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pid: Option<u32>,
    /// The time since it started.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uptime_seconds: Option<u64>,
    /// The number of waiting requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queue_size: Option<u64>,
    /// The time of the last heartbeat, seconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_heartbeat: Option<u64>,
    /// The version of the daemon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// A state other than running: `UNRESPONSIVE`, `CRASHED` (it will be started again) or `FAILED`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The reason for the state.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The way in which a daemon was stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// The daemon finished the work that it had begun.
    Gracefully,
    /// The daemon did not answer and was killed.
    Killed(u32),
}

/// Removes the files of a daemon that no longer runs. Returns whether there were any.
pub fn remove_stale_files(files: &Files) -> bool {
    let stale = files.has_stale_pid_file();
    if stale {
        files.remove_all();
    }
    stale
}

/// Starts `command`, which serves or supervises, and waits until the daemon answers. Returns the daemon's process id.
pub fn start_and_wait(files: &Files, command: Command) -> Result<u32, DaemonError> {
    check_not_running(files)?;
    files.check_places()?;
    let _ = files::remove_if_exists(&files.state);
    let mut child = spawn_detached(files, command)?;
    let since = Instant::now();
    loop {
        if let Some(ping) = ping(files) {
            let pid = ping["pid"].as_u64().unwrap_or(0) as u32;
            // Another daemon may have been faster.
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

/// The error for a daemon that ended before it answered: another one may have been faster.
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
    platform::process::detach(&mut command);
    let shown = command.get_program().to_owned();
    let spawned = command.spawn();
    spawned.map_err(|source| DaemonError::from_io(shown.as_ref(), source))
}

/// Stops the daemon and its supervisor. A process gets a signal only if it is proven to be one of them. Otherwise the daemon is
/// asked over its socket.
pub fn stop_daemon(files: &Files) -> Result<Stopped, DaemonError> {
    let (daemon, monitor) = (files.daemon_pid(), files.supervisor_pid());
    let Some(pid) = daemon.or(monitor) else {
        remove_stale_files(files);
        let _ = files::remove_if_exists(&files.state);
        return Err(DaemonError::NotRunning);
    };
    let since = Instant::now();
    let mut stopping = Stopping::default();
    loop {
        // The supervisor comes first, since it would start the daemon again. Either may be another process by now.
        let left: Vec<Holder> = [files.supervisor_holder(), files.daemon_holder()]
            .into_iter()
            .flatten()
            .collect();
        if left.is_empty() {
            break;
        }
        let late = since.elapsed() > END;
        left.iter()
            .for_each(|holder| stopping.stop(files, holder, late));
        if since.elapsed() > END + SILENT {
            return Err(if stopping.is_elsewhere {
                DaemonError::Elsewhere(pid)
            } else {
                DaemonError::Silent(pid)
            });
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    files.remove_all();
    let _ = files::remove_if_exists(&files.monitor_pid);
    let _ = files::remove_if_exists(&files.state);
    Ok(if stopping.killed {
        Stopped::Killed(pid)
    } else {
        Stopped::Gracefully
    })
}

/// The steps taken so far to stop a daemon and its supervisor.
#[derive(Default)]
struct Stopping {
    told: Vec<u32>,
    killed: bool,
    is_elsewhere: bool,
    asked: bool,
}

impl Stopping {
    /// Tells the holder to end, once. If it is `late`, kills it.
    fn stop(&mut self, files: &Files, holder: &Holder, late: bool) {
        if late {
            let sent = holder.kill();
            self.killed |= sent;
            self.is_elsewhere |= !sent;
        } else if !self.told.contains(&holder.pid) {
            self.told.push(holder.pid);
            if !holder.ask_to_end() && !self.asked {
                self.asked = ask_to_stop(files);
            }
        }
    }
}

/// Asks the daemon over its socket to end, and with it its supervisor. Another project's daemon is not asked.
fn ask_to_stop(files: &Files) -> bool {
    let Some((holder, mut client)) = files.daemon_holder().zip(Client::connect(files)) else {
        return false;
    };
    let answers = client.request("ping", &json!({}), PING);
    let is_it = answers.is_ok_and(|said| match said["instance"].as_str() {
        Some(instance) => instance == holder.instance,
        // A daemon of an earlier version does not name its instance.
        None => files.has_own_socket(),
    });
    is_it && client.request("shutdown", &json!({}), PING).is_ok()
}

/// The state of the daemon.
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
    let answer = ping(files);
    let number = |key: &str| answer.as_ref().and_then(|answer| answer[key].as_u64());
    let dead = answer.is_none();
    StatusAnswer {
        running: true,
        pid: Some(pid),
        uptime_seconds: number("uptime_seconds"),
        queue_size: number("queue_size"),
        last_heartbeat: number("last_heartbeat").or_else(|| files.last_heartbeat()),
        version: answer
            .as_ref()
            .and_then(|answer| answer["version"].as_str().map(str::to_owned)),
        state: dead.then(|| "UNRESPONSIVE".to_owned()),
        reason: dead.then(|| format!("no answer in {PING:?}")),
    }
}

/// The daemon's answer to a ping; none where none comes.
pub fn ping(files: &Files) -> Option<Value> {
    let mut client = Client::connect(files)?;
    client.request("ping", &json!({}), PING).ok()
}

/// The last note of its supervisor. One that came with a clone is not shown.
fn read_supervisor_note(files: &Files) -> Option<Value> {
    serde_json::from_slice(&files.read_state()?).ok()
}
