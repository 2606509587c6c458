//! A small project with an index, and queries with known answers.

use super::Args;
use crate::bench::index::command;
use anyhow::{Result, bail};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use testkit::edits::{Edits, write_all};

/// A query that takes longer counts as hanging.
const PATIENCE: Duration = Duration::from_secs(120);

/// Queries of every kind: by name, over the graph, in words, and of the store itself. Edits do not change their
/// answers.
pub const QUESTIONS: &[&[&str]] = &[
    &["search", "--mode", "symbol", "only_callee"],
    &["call-chain", "only_callee"],
    &["impact", "only_callee"],
    &["search", "how is the harbour fee of a ship worked out"],
    &["graph-store", "find-symbol", "only_callee"],
    &["graph-store", "find-orphans"],
];

/// A file that is never edited.
const KNOWN: &str = "def only_callee(ship):\n    \"\"\"The harbour fee of a ship, by its length.\"\"\"\n    \
                     return ship.length * 3\n\n\ndef only_caller(ship):\n    return only_callee(ship)\n";

/// The project, its index, and the binary under test.
pub struct Scene {
    folder: tempfile::TempDir,
    binary: PathBuf,
    /// The project.
    pub root: PathBuf,
    /// The project's `.devbooks` folder.
    pub state: PathBuf,
    /// The project's files.
    pub edits: Edits,
}

/// The result of a process.
#[derive(Debug, Clone, PartialEq)]
pub enum Came {
    /// An answer, without the state of the index.
    Answer(Value),
    /// An error message with a hint.
    Told(String),
    /// A panic, a signal, a hang, or an error without a message.
    Broken(String),
}

impl Scene {
    /// Creates the project and its index.
    pub fn new(args: &Args) -> Result<Scene> {
        let folder = tempfile::tempdir()?;
        let root = folder.path().join("repo");
        std::fs::create_dir(&root)?;
        let edits = Edits::new(args.seed);
        write_all(&root, edits.tree());
        std::fs::write(root.join("known.py"), KNOWN)?;
        let scene = Scene {
            binary: super::binary(args)?,
            root: root.canonicalize()?,
            state: root.canonicalize()?.join(".devbooks"),
            folder,
            edits,
        };
        match scene.ask(&["index"]) {
            Came::Answer(_) => Ok(scene),
            other => bail!("no index: {other:?}"),
        }
    }

    /// The binary as a command in the project, with its own home.
    pub fn command(&self) -> Command {
        (self.program())()
    }

    /// A factory for the same command, for repeated runs.
    pub fn program(&self) -> Box<dyn Fn() -> Command + Send + Sync> {
        let (binary, root, state) = (self.binary.clone(), self.root.clone(), self.state.clone());
        let outer = self.folder.path().to_owned();
        Box::new(move || {
            let mut command = command(&binary, &root, &state);
            at_home(&outer, &mut command);
            command
        })
    }

    /// The binary, run by a shell after `first`.
    pub fn after(&self, first: &str, arguments: &[&str]) -> Command {
        let mut shell = Command::new("sh");
        let script = format!("{first}; exec \"$0\" \"$@\"");
        shell.args(["-c", &script]).arg(&self.binary);
        shell.arg("-C").arg(&self.root).args(arguments);
        shell.env("DEVBOOKS_DIR", &self.state);
        at_home(self.folder.path(), &mut shell);
        shell
    }

    /// Runs a query in its own process.
    pub fn ask(&self, arguments: &[&str]) -> Came {
        let mut command = self.command();
        command.args(arguments).args(["--format", "json"]);
        came(&mut command)
    }

    /// The results of all queries.
    pub fn all(&self) -> Vec<Came> {
        QUESTIONS
            .iter()
            .map(|question| self.ask(question))
            .collect()
    }

    /// All files of the index, by path.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        files_below(&self.state, &mut found);
        found.sort();
        found
    }
}

/// Redirects the user's own folders to a temporary home.
fn at_home(outer: &Path, command: &mut Command) {
    let home = outer.join("home");
    command.env("HOME", &home).env("XDG_CACHE_HOME", &home);
    command.env("XDG_CONFIG_HOME", &home);
    command.env("SOLUTION_MEMORY_PATH", outer.join("memory"));
    command.env("KNOTWORK_CACHE_SHARED", "false");
    if let Some(data) = crate::belief::data() {
        command.env("XDG_DATA_HOME", data);
    }
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => files_below(&path, found),
            Ok(kind) if kind.is_file() => found.push(path),
            _ => {}
        }
    }
}

/// Runs a process to its end and classifies its result.
pub fn came(command: &mut Command) -> Came {
    let spawned = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let output = spawned.map_err(anyhow::Error::from).and_then(finished);
    match output {
        Ok(Some(output)) => judged(&output),
        Ok(None) => Came::Broken(format!("no answer within {PATIENCE:?}")),
        Err(error) => Came::Broken(error.to_string()),
    }
}

fn finished(mut child: Child) -> Result<Option<Output>> {
    let pid = child.id();
    let since = Instant::now();
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let read = |stream: Option<Box<dyn std::io::Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = stream.map(|mut stream| stream.read_to_end(&mut bytes));
            bytes
        })
    };
    let out = read(out.map(|stream| Box::new(stream) as _));
    let err = read(err.map(|stream| Box::new(stream) as _));
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if since.elapsed() > PATIENCE {
            let _ = Command::new("kill").args(["-9", &pid.to_string()]).status();
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    Ok(Some(Output {
        status,
        stdout: out.join().unwrap_or_default(),
        stderr: err.join().unwrap_or_default(),
    }))
}

fn judged(output: &Output) -> Came {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    if said.contains("panicked at") || output.status.code().is_none() {
        return Came::Broken(format!("{}: {said}", output.status));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        // Errors may be printed on either stream.
        let told = format!("{said}{text}");
        return if told.trim().is_empty() {
            Came::Broken(format!("{} without a word", output.status))
        } else {
            Came::Told(told)
        };
    }
    match serde_json::from_str::<Value>(&text) {
        Ok(mut value) => {
            forget_times(&mut value);
            Came::Answer(value)
        }
        Err(_) => Came::Answer(Value::String(text.into_owned())),
    }
}

/// Removes the parts in which equal answers differ: the state of the index, and durations.
fn forget_times(value: &mut Value) {
    match value {
        Value::Object(map) => {
            for key in [
                "index",
                "duration_ms",
                "latency_ms",
                "took_ms",
                "created_at",
                "cached",
            ] {
                map.remove(key);
            }
            map.values_mut().for_each(forget_times);
        }
        Value::Array(all) => all.iter_mut().for_each(forget_times),
        _ => {}
    }
}
