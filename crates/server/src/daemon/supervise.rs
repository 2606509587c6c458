//! The supervisor: restarts a daemon that crashed or hangs, after 2, 4 and 8 seconds, and then gives up.

use super::DaemonError;
use super::control;
use super::files::{self, Files};
use super::log::{LARGEST, Log};
use super::signals::StopSignals;
use platform::process;
use serde_json::json;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// Settings of the supervisor.
#[derive(Debug, Clone)]
pub struct SupervisionConfig {
    /// The wait before the first restart; it doubles before each further one.
    pub wait: Duration,
    /// The most restarts before it gives up.
    pub most: u32,
    /// The lifetime after which earlier crashes of a daemon no longer count.
    pub healthy: Duration,
    /// The time without a heartbeat after which a daemon counts as hanging.
    pub silence: Duration,
}

impl Default for SupervisionConfig {
    fn default() -> SupervisionConfig {
        SupervisionConfig {
            wait: Duration::from_secs(2),
            most: 3,
            healthy: Duration::from_secs(600),
            silence: files::DEAD_AFTER,
        }
    }
}

/// The way in which a supervisor ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SupervisorOutcome {
    /// The daemon ended normally.
    Well,
    /// Another supervisor runs.
    AlreadyRunning,
    /// The daemon crashed too often.
    Failed,
}

/// Checks that heartbeats come. They are only compared with each other, and the time between them is measured with a monotonic
/// clock, so the time of day does not matter.
struct HeartbeatMonitor {
    last: Option<String>,
    heard: Instant,
    silence: Duration,
}

impl HeartbeatMonitor {
    fn new(last: Option<String>, now: Instant, silence: Duration) -> HeartbeatMonitor {
        HeartbeatMonitor {
            last,
            heard: now,
            silence,
        }
    }

    /// Counts an answer as a heartbeat.
    fn note_answer(&mut self, now: Instant) {
        self.heard = now;
    }

    /// Whether there was no heartbeat for too long.
    fn is_silent(&mut self, beat: Option<String>, now: Instant) -> bool {
        if beat != self.last {
            (self.last, self.heard) = (beat, now);
        }
        now.saturating_duration_since(self.heard) > self.silence
    }
}

/// The longest that a daemon may take to stop before it is killed: a little longer than its own limit and than that of
/// `daemon stop`.
const STOP: Duration = Duration::from_millis(2_200);

/// The time between checks of a daemon that is not this process's child.
const GLANCE: Duration = Duration::from_millis(500);

/// The way in which a daemon's process ended.
enum ChildExit {
    /// Normally.
    Well,
    /// Another daemon runs.
    Other,
    /// Any other end, with the reason.
    Crash(String),
}

struct Supervisor<'a> {
    files: &'a Files,
    patience: &'a SupervisionConfig,
    log: Log,
    signals: StopSignals,
}

/// Runs daemons, one after the other, until one ends normally. `command` makes a serving process. With `adopt` the first daemon
/// is a running one whose own supervisor has ended.
pub fn run_supervisor(
    files: &Files,
    patience: &SupervisionConfig,
    adopt: bool,
    command: impl Fn() -> Command,
) -> Result<SupervisorOutcome, DaemonError> {
    platform::rights::set_private_umask();
    // When a terminal is closed, the processes of its session end.
    process::begin_session();
    let Some(_held) = files.try_lock_supervisor()? else {
        return Ok(SupervisorOutcome::AlreadyRunning);
    };
    let fail = |source| DaemonError::from_io(&files.monitor_pid, source);
    files::replace_text(&files.monitor_pid, &format!("{}\n", std::process::id())).map_err(fail)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let ended = runtime.map_err(fail)?.block_on(async {
        let supervisor = Supervisor {
            files,
            patience,
            log: Log::open(&files.log, LARGEST),
            signals: StopSignals::listen().map_err(fail)?,
        };
        supervisor.restart_loop(adopt, command).await
    });
    let _ = files::remove_if_exists(&files.monitor_pid);
    ended
}

impl Supervisor<'_> {
    async fn restart_loop(
        mut self,
        mut adopt: bool,
        command: impl Fn() -> Command,
    ) -> Result<SupervisorOutcome, DaemonError> {
        let _ = files::remove_if_exists(&self.files.state);
        let mut restarts = 0;
        loop {
            let began = Instant::now();
            let exit = if std::mem::take(&mut adopt) {
                self.watch_adopted().await
            } else {
                self.run_child(&command).await
            };
            let why = match exit {
                ChildExit::Well => return Ok(SupervisorOutcome::Well),
                ChildExit::Other => return Ok(SupervisorOutcome::AlreadyRunning),
                ChildExit::Crash(why) => why,
            };
            if self.files.daemon_pid().is_some() {
                return Ok(SupervisorOutcome::AlreadyRunning);
            }
            if began.elapsed() >= self.patience.healthy {
                restarts = 0;
            }
            self.files.remove_all();
            if restarts >= self.patience.most {
                self.log
                    .write_line(format_args!("FAILED after {restarts} restarts: {why}"));
                self.write_note("FAILED", restarts, &why);
                return Ok(SupervisorOutcome::Failed);
            }
            let wait = self.patience.wait * 2u32.saturating_pow(restarts);
            restarts += 1;
            self.log
                .write_line(format_args!("{why}; restart {restarts} in {wait:?}"));
            self.write_note("CRASHED", restarts, &why);
            tokio::select! {
                () = sleep(wait) => {}
                _ = self.signals.next() => return self.end_well(),
            }
            let _ = files::remove_if_exists(&self.files.state);
        }
    }

    fn end_well(&self) -> Result<SupervisorOutcome, DaemonError> {
        let _ = files::remove_if_exists(&self.files.state);
        Ok(SupervisorOutcome::Well)
    }

    /// Runs one daemon to its end.
    async fn run_child(&mut self, command: &impl Fn() -> Command) -> ChildExit {
        let mut command = command();
        command.stdin(Stdio::null());
        let mut child = match spawn(command) {
            Ok(child) => child,
            Err(error) => return ChildExit::Crash(format!("it cannot be started: {error}")),
        };
        let mut pulse = self.new_pulse();
        let glance = self.patience.silence / 6;
        // A daemon that is to stop is not restarted, however it ends: it may have crashed at that very moment.
        let mut asked_to_stop = None;
        loop {
            tokio::select! {
                status = child.wait() => return if asked_to_stop.is_some() { ChildExit::Well } else { classify_exit(status) },
                _ = self.signals.next() => {
                    asked_to_stop.get_or_insert_with(Instant::now);
                    // The child is still to be reaped, so no other process has its id.
                    child.id().map(process::ask_to_end);
                }
                () = sleep(next_check_delay(asked_to_stop, glance)) => {
                    if asked_to_stop.is_some_and(|since| since.elapsed() >= STOP) {
                        let _ = child.kill().await;
                    } else if self.is_dead(&mut pulse, child.id()).await {
                        let _ = child.kill().await;
                        return ChildExit::Crash("no heartbeat: the process was killed".to_owned());
                    }
                }
            }
        }
    }

    /// Waits for the end of a daemon that another process started. A daemon that ends normally removes its pid file.
    async fn watch_adopted(&mut self) -> ChildExit {
        self.log
            .write_line("supervising a daemon whose supervisor ended");
        let mut pulse = self.new_pulse();
        let glance = (self.patience.silence / 6).min(GLANCE);
        let mut asked_to_stop = None;
        loop {
            let Some(holder) = self.files.daemon_holder() else {
                return if asked_to_stop.is_none() && self.files.pid.exists() {
                    ChildExit::Crash("it ended without a word".to_owned())
                } else {
                    ChildExit::Well
                };
            };
            tokio::select! {
                _ = self.signals.next() => { asked_to_stop.get_or_insert_with(Instant::now); holder.ask_to_end(); }
                () = sleep(next_check_delay(asked_to_stop, glance)) => {
                    if asked_to_stop.is_some_and(|since| since.elapsed() >= STOP) {
                        holder.kill();
                    } else if self.is_dead(&mut pulse, Some(holder.pid)).await
                        && holder.kill()
                    {
                        self.wait_killed().await;
                        return ChildExit::Crash("no heartbeat: the process was killed".to_owned());
                    }
                }
            }
        }
    }

    /// Whether the daemon shows no sign of life: neither a new heartbeat nor an answer. On a full disk no heartbeat is written.
    async fn is_dead(&self, pulse: &mut HeartbeatMonitor, daemon: Option<u32>) -> bool {
        if !pulse.is_silent(self.files.read_heartbeat(), Instant::now()) {
            return false;
        }
        let files = self.files.clone();
        let answer = tokio::task::spawn_blocking(move || control::ping(&files)).await;
        let answers = answer.ok().flatten().and_then(|said| said["pid"].as_u64());
        let is_alive = answers.is_some() && answers == daemon.map(u64::from);
        if is_alive {
            pulse.note_answer(Instant::now());
        }
        !is_alive
    }

    /// Waits until a killed daemon has gone.
    async fn wait_killed(&self) {
        let since = Instant::now();
        while self.files.daemon_pid().is_some() && since.elapsed() < STOP {
            sleep(Duration::from_millis(5)).await;
        }
    }

    fn new_pulse(&self) -> HeartbeatMonitor {
        let now = Instant::now();
        HeartbeatMonitor::new(self.files.read_heartbeat(), now, self.patience.silence)
    }

    fn write_note(&self, state: &str, restarts: u32, why: &str) {
        let note = json!({
            "state": state, "restarts": restarts, "reason": why, "since": files::unix_time(),
        });
        let _ = self.files.write_state(&format!("{note}\n"));
    }
}

/// The delay until the next check of a daemon; short where it was told to stop.
fn next_check_delay(told: Option<Instant>, glance: Duration) -> Duration {
    match told {
        Some(since) => STOP.saturating_sub(since.elapsed()).min(glance),
        None => glance,
    }
}

/// Starts a program as a child, which this process waits for later.
pub(crate) fn spawn(command: Command) -> std::io::Result<tokio::process::Child> {
    tokio::process::Command::from(command).spawn()
}

fn classify_exit(status: std::io::Result<ExitStatus>) -> ChildExit {
    match status {
        Ok(status) if status.success() => ChildExit::Well,
        Ok(status) if status.code() == Some(1) && !process::may_be_ended_by_others(status) => {
            ChildExit::Other
        }
        Ok(status) => ChildExit::Crash(format!("it ended with {status}")),
        Err(error) => ChildExit::Crash(format!("it cannot be waited for: {error}")),
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
        let mut pulse = HeartbeatMonitor::new(beat(noon, 0), begin, silence);
        // The clock jumps by hours, forward and back, and stands still: the daemon lives.
        for (count, of_day) in [noon + 36_000, noon - 36_000, noon, noon, 0, u64::MAX]
            .into_iter()
            .enumerate()
        {
            let count = count as u64 + 1;
            assert!(!pulse.is_silent(beat(of_day, count), at(30 * count)));
        }
        // No clock revives a heartbeat that is not new.
        let last = beat(u64::MAX, 6);
        assert!(!pulse.is_silent(last.clone(), at(180 + 59)));
        assert!(pulse.is_silent(last, at(180 + 61)));
        assert!(!pulse.is_silent(None, at(180 + 61)));
        assert!(pulse.is_silent(None, at(180 + 123)));
    }
}
