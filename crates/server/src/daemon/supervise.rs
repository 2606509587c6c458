//! Starts a daemon again that crashed or hangs: after 2, 4 and 8 seconds, then no more until a person does.

use super::DaemonError;
use super::files::{self, Files};
use super::log::{LARGEST, Log};
use serde_json::json;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tokio::process::Child;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::sleep;

/// How patient the supervisor is.
#[derive(Debug, Clone)]
pub struct Patience {
    /// Wait before the first new start; twice as long before each further one.
    pub wait: Duration,
    /// New starts before it gives up.
    pub most: u32,
    /// A daemon that lived this long begins with a clean record.
    pub healthy: Duration,
    /// A daemon without a heartbeat for this long hangs.
    pub silence: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            wait: Duration::from_secs(2),
            most: 3,
            healthy: Duration::from_secs(600),
            silence: files::DEAD_AFTER,
        }
    }
}

/// How a supervisor ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The daemon ended as it should.
    Well,
    /// There was another one.
    AlreadyRunning,
    /// It crashed once too often.
    Failed,
}

/// How a daemon's process ended.
enum Exit {
    /// As it should.
    Well,
    /// Because of another daemon.
    Other,
    /// Otherwise.
    Crash(String),
}

struct Supervisor<'a> {
    files: &'a Files,
    patience: &'a Patience,
    log: Log,
    term: Signal,
    int: Signal,
}

/// Runs daemons, one after the other, until one ends as it should. `command` makes one that serves.
pub fn supervise(
    files: &Files,
    patience: &Patience,
    command: impl Fn() -> Command,
) -> Result<Ended, DaemonError> {
    files::keep_private();
    // A terminal that is closed takes its session with it.
    let _ = rustix::process::setsid();
    let Some(_held) = files.lock_monitor()? else {
        return Ok(Ended::AlreadyRunning);
    };
    let fail = |source| DaemonError::io(&files.monitor_pid, source);
    files::replace(&files.monitor_pid, &format!("{}\n", std::process::id())).map_err(fail)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let ended = runtime.map_err(fail)?.block_on(async {
        let supervisor = Supervisor {
            files,
            patience,
            log: Log::open(&files.log, LARGEST),
            term: signal(SignalKind::terminate()).map_err(fail)?,
            int: signal(SignalKind::interrupt()).map_err(fail)?,
        };
        supervisor.run(command).await
    });
    let _ = files::remove(&files.monitor_pid);
    ended
}

impl Supervisor<'_> {
    async fn run(mut self, command: impl Fn() -> Command) -> Result<Ended, DaemonError> {
        let _ = files::remove(&self.files.state);
        let mut restarts = 0;
        loop {
            let began = Instant::now();
            let why = match self.one(&command).await {
                Exit::Well => return Ok(Ended::Well),
                Exit::Other => return Ok(Ended::AlreadyRunning),
                Exit::Crash(why) => why,
            };
            if self.files.running().is_some() {
                return Ok(Ended::AlreadyRunning);
            }
            if began.elapsed() >= self.patience.healthy {
                restarts = 0;
            }
            self.files.clean();
            if restarts >= self.patience.most {
                self.log
                    .say(format_args!("FAILED after {restarts} restarts: {why}"));
                self.note("FAILED", restarts, &why);
                return Ok(Ended::Failed);
            }
            let wait = self.patience.wait * 2u32.saturating_pow(restarts);
            restarts += 1;
            self.log
                .say(format_args!("{why}; restart {restarts} in {wait:?}"));
            self.note("CRASHED", restarts, &why);
            tokio::select! {
                () = sleep(wait) => {}
                _ = self.term.recv() => return self.stopped(),
                _ = self.int.recv() => return self.stopped(),
            }
            let _ = files::remove(&self.files.state);
        }
    }

    fn stopped(&self) -> Result<Ended, DaemonError> {
        let _ = files::remove(&self.files.state);
        Ok(Ended::Well)
    }

    /// Runs one daemon to its end.
    async fn one(&mut self, command: &impl Fn() -> Command) -> Exit {
        let mut command = command();
        command.stdin(Stdio::null());
        let mut child = match tokio::process::Command::from(command).spawn() {
            Ok(child) => child,
            Err(error) => return Exit::Crash(format!("it cannot be started: {error}")),
        };
        let (mut beat, mut heard) = (self.files.last_heartbeat(), Instant::now());
        let glance = self.patience.silence / 6;
        // One that is to stop is not started again, however it ends: it may have crashed at that very moment.
        let mut told = false;
        loop {
            tokio::select! {
                status = child.wait() => return if told { Exit::Well } else { exit(status) },
                _ = self.term.recv() => { told = true; tell(&child) }
                _ = self.int.recv() => { told = true; tell(&child) }
                () = sleep(glance) => {
                    let now = self.files.last_heartbeat();
                    // Its own clock counts, not that of the day, which may jump.
                    if now != beat {
                        (beat, heard) = (now, Instant::now());
                    } else if heard.elapsed() > self.patience.silence {
                        let _ = child.kill().await;
                        return Exit::Crash("no heartbeat: it hung and was killed".to_owned());
                    }
                }
            }
        }
    }

    fn note(&self, state: &str, restarts: u32, why: &str) {
        let note = json!({
            "state": state, "restarts": restarts, "reason": why, "since": files::now(),
        });
        let _ = files::replace(&self.files.state, &format!("{note}\n"));
    }
}

/// Passes on that it should stop.
fn tell(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process};
    let pid = child
        .id()
        .and_then(|id| i32::try_from(id).ok())
        .and_then(Pid::from_raw);
    if let Some(pid) = pid {
        let _ = kill_process(pid, Signal::TERM);
    }
}

fn exit(status: std::io::Result<ExitStatus>) -> Exit {
    match status {
        Ok(status) if status.success() => Exit::Well,
        Ok(status) if status.code() == Some(1) => Exit::Other,
        Ok(status) => Exit::Crash(format!("it ended with {status}")),
        Err(error) => Exit::Crash(format!("it cannot be waited for: {error}")),
    }
}
