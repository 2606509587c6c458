//! Starts a daemon again that crashed or hangs: after 2, 4 and 8 seconds, then no more until a person does.

use super::DaemonError;
use super::files::{self, Files};
use super::log::{LARGEST, Log};
use rustix::process;
use serde_json::json;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
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

/// Hears whether heartbeats come. They are compared with each other, and the time between them is taken from a clock
/// that never jumps: what the clock of the day says is no matter.
struct Pulse {
    last: Option<String>,
    heard: Instant,
    silence: Duration,
}

impl Pulse {
    fn new(last: Option<String>, now: Instant, silence: Duration) -> Pulse {
        Pulse {
            last,
            heard: now,
            silence,
        }
    }

    /// Whether there was none for too long.
    fn is_gone(&mut self, beat: Option<String>, now: Instant) -> bool {
        if beat != self.last {
            (self.last, self.heard) = (beat, now);
        }
        now.saturating_duration_since(self.heard) > self.silence
    }
}

/// How long a daemon that was told to stop may take before it is killed: a little longer than it gives itself, and than
/// `daemon stop` gives it.
const STOP: Duration = Duration::from_millis(2_200);

/// How often a daemon that is not this process's child is looked at.
const GLANCE: Duration = Duration::from_millis(500);

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

/// Runs daemons, one after the other, until one ends as it should. `command` makes one that serves. With `adopt` the
/// first is one that runs already, whose own supervisor is gone.
pub fn supervise(
    files: &Files,
    patience: &Patience,
    adopt: bool,
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
        supervisor.run_loop(adopt, command).await
    });
    let _ = files::remove(&files.monitor_pid);
    ended
}

impl Supervisor<'_> {
    async fn run_loop(
        mut self,
        mut adopt: bool,
        command: impl Fn() -> Command,
    ) -> Result<Ended, DaemonError> {
        let _ = files::remove(&self.files.state);
        let mut restarts = 0;
        loop {
            let began = Instant::now();
            let exit = if std::mem::take(&mut adopt) {
                self.other().await
            } else {
                self.one(&command).await
            };
            let why = match exit {
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
        let mut child = match start(command) {
            Ok(child) => child,
            Err(error) => return Exit::Crash(format!("it cannot be started: {error}")),
        };
        let mut pulse = self.pulse();
        let glance = self.patience.silence / 6;
        // One that is to stop is not started again, however it ends: it may have crashed at that very moment.
        let mut told = None;
        loop {
            tokio::select! {
                status = child.wait() => return if told.is_some() { Exit::Well } else { exit(status) },
                _ = self.term.recv() => { told.get_or_insert_with(Instant::now); tell(child.id()) }
                _ = self.int.recv() => { told.get_or_insert_with(Instant::now); tell(child.id()) }
                () = sleep(wait(told, glance)) => {
                    if told.is_some_and(|since| since.elapsed() >= STOP) {
                        let _ = child.kill().await;
                    } else if pulse.is_gone(self.files.heartbeat(), Instant::now()) {
                        let _ = child.kill().await;
                        return Exit::Crash("no heartbeat: the process was killed".to_owned());
                    }
                }
            }
        }
    }

    /// Waits for the end of a daemon that another process has started. One that ends as it should takes its pid file
    /// with it.
    async fn other(&mut self) -> Exit {
        self.log.say("supervising a daemon whose supervisor ended");
        let mut pulse = self.pulse();
        let glance = (self.patience.silence / 6).min(GLANCE);
        let mut told = None;
        loop {
            let Some(pid) = self.files.running() else {
                return if told.is_none() && self.files.pid.exists() {
                    Exit::Crash("it ended without a word".to_owned())
                } else {
                    Exit::Well
                };
            };
            tokio::select! {
                _ = self.term.recv() => { told.get_or_insert_with(Instant::now); tell(Some(pid)) }
                _ = self.int.recv() => { told.get_or_insert_with(Instant::now); tell(Some(pid)) }
                () = sleep(wait(told, glance)) => {
                    if told.is_some_and(|since| since.elapsed() >= STOP) {
                        send(pid, process::Signal::KILL);
                    } else if pulse.is_gone(self.files.heartbeat(), Instant::now()) {
                        send(pid, process::Signal::KILL);
                        self.gone().await;
                        return Exit::Crash("no heartbeat: the process was killed".to_owned());
                    }
                }
            }
        }
    }

    /// Waits until a daemon that was killed has gone.
    async fn gone(&self) {
        let since = Instant::now();
        while self.files.running().is_some() && since.elapsed() < STOP {
            sleep(Duration::from_millis(5)).await;
        }
    }

    fn pulse(&self) -> Pulse {
        let now = Instant::now();
        Pulse::new(self.files.heartbeat(), now, self.patience.silence)
    }

    fn note(&self, state: &str, restarts: u32, why: &str) {
        let note = json!({
            "state": state, "restarts": restarts, "reason": why, "since": files::now(),
        });
        let _ = files::replace(&self.files.state, &format!("{note}\n"));
    }
}

/// How long until a daemon is looked at again; soon where it was told to stop.
fn wait(told: Option<Instant>, glance: Duration) -> Duration {
    match told {
        Some(since) => STOP.saturating_sub(since.elapsed()).min(glance),
        None => glance,
    }
}

/// Starts a program, which this process waits for in the end.
pub(crate) fn start(command: Command) -> std::io::Result<tokio::process::Child> {
    tokio::process::Command::from(command).spawn()
}

/// Passes on that it should stop.
fn tell(pid: Option<u32>) {
    if let Some(pid) = pid {
        send(pid, process::Signal::TERM);
    }
}

fn send(pid: u32, signal: process::Signal) {
    let pid = i32::try_from(pid).ok().and_then(process::Pid::from_raw);
    if let Some(pid) = pid {
        let _ = process::kill_process(pid, signal);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_clock_of_the_day_says_is_no_matter() {
        let silence = Duration::from_secs(60);
        let begin = Instant::now();
        let at = |seconds: u64| begin + Duration::from_secs(seconds);
        let beat = |of_day: u64, count: u64| Some(format!("{of_day} 7 {count}\n"));
        let noon = 1_800_000_000;
        let mut pulse = Pulse::new(beat(noon, 0), begin, silence);
        // It jumps by hours, forward and back, and stands still: the daemon lives.
        for (count, of_day) in [noon + 36_000, noon - 36_000, noon, noon, 0, u64::MAX]
            .into_iter()
            .enumerate()
        {
            let count = count as u64 + 1;
            assert!(!pulse.is_gone(beat(of_day, count), at(30 * count)));
        }
        // No clock brings one back that says nothing new.
        let last = beat(u64::MAX, 6);
        assert!(!pulse.is_gone(last.clone(), at(180 + 59)));
        assert!(pulse.is_gone(last, at(180 + 61)));
        assert!(!pulse.is_gone(None, at(180 + 61)));
        assert!(pulse.is_gone(None, at(180 + 123)));
    }
}
