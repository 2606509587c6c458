//! `bench hook`: the whole process of the prompt hook, from its start to its end.

use super::index::command;
use super::process::measure;
use super::{Common, milliseconds, percentile, row};
use anyhow::{Context, Result};
use serde_json::json;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Runs of each measurement.
const RUNS: usize = 40;

/// Prompts of several kinds, as people write them. Their results differ between repositories.
pub(super) const PROMPTS: [&str; 5] = [
    "where is the configuration read, and what are its defaults?",
    "how are errors reported to the caller?",
    "add a test for the parser of options",
    "why is the cache not invalidated when a file changes?",
    "thanks, commit this",
];

/// Measures the hook on a repository with an index and without a daemon. Beside it: the start of the same program,
/// and ripgrep over the same tree for one word.
pub fn measure_hook(common: &Common) -> Result<()> {
    let binary = common.binary()?;
    let state = tempfile::tempdir()?;
    measure(command(&binary, &common.repo, state.path()).args(["index", "--format", "json"]))?;
    println!("{}", common.repo.display());
    let mut start = times(|_| {
        let mut command = Command::new(&binary);
        command.arg("--version");
        finish(command, "")
    })?;
    let mut words = times(|_| {
        let mut command = Command::new("rg");
        command
            .args(["--count", "configuration", "."])
            .current_dir(&common.repo);
        finish(command, "")
    });
    let mut hook = times(|number| {
        let event = json!({
            "session_id": "bench", "cwd": common.repo, "hook_event_name": "UserPromptSubmit",
            "prompt": PROMPTS[number % PROMPTS.len()],
        });
        let mut command = command(&binary, &common.repo, state.path());
        command.arg("hook");
        finish(command, &event.to_string())
    })?;
    let ripgrep = match &mut words {
        Ok(times) => milliseconds(percentile(times, 0.95)),
        Err(_) => "not there".to_owned(),
    };
    let reference = format!(
        "start {}, rg {ripgrep}",
        milliseconds(percentile(&mut start, 0.95))
    );
    let (half, most) = (percentile(&mut hook, 0.5), percentile(&mut hook, 0.95));
    row(
        "prompt hook, p50",
        &milliseconds(half),
        &reference,
        "–",
        true,
    );
    let holds = most <= Duration::from_millis(150);
    row(
        "prompt hook, p95",
        &milliseconds(most),
        &reference,
        "150 ms",
        holds,
    );
    Ok(())
}

fn times(mut one: impl FnMut(usize) -> Result<Duration>) -> Result<Vec<Duration>> {
    // The first run warms the file cache.
    one(0)?;
    (0..RUNS).map(&mut one).collect()
}

/// Runs a child with an input. Returns its duration.
pub(super) fn finish(mut command: Command, input: &str) -> Result<Duration> {
    let since = Instant::now();
    let shown = format!("{command:?}");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .context(shown)?;
    if let Some(mut pipe) = child.stdin.take() {
        // A child that does not read its input may end before it is written.
        let _ = pipe.write_all(input.as_bytes());
    }
    child.wait()?;
    Ok(since.elapsed())
}
