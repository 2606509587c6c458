//! A daemon for a fixture's project, stopped at the end of the test.

use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use testkit::{CommandOutput, Repo, run_program};

/// A daemon of a fixture's project.
pub(crate) struct Resident {
    repo: Repo,
    environment: Vec<(String, String)>,
    /// The folder for sockets whose path would be too long.
    runtime: Repo,
}

/// Waits until a condition holds.
pub(crate) fn until(what: impl Fn() -> bool) {
    let since = Instant::now();
    while since.elapsed() < Duration::from_secs(30) {
        if what() {
            return;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    panic!("it never came true");
}

/// Sends a signal.
pub(crate) fn kill(pid: u32, signal: &str) {
    let number = pid.to_string();
    let done = Command::new("kill").args(["-s", signal, &number]).status();
    assert!(done.unwrap().success(), "kill -s {signal} {pid}");
}

pub(crate) fn lines_of(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
}

impl Resident {
    /// A project without a daemon.
    pub(crate) fn new(repo: Repo, environment: &[(&str, &str)]) -> Resident {
        let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Resident {
            environment: environment.iter().map(owned).collect(),
            runtime: Repo::new(""),
            repo,
        }
    }

    /// A project with a running daemon.
    pub(crate) fn start(repo: Repo, environment: &[(&str, &str)]) -> Resident {
        let daemon = Resident::new(repo, environment);
        let said = daemon.run(&["daemon", "start"]);
        assert_eq!(said.code, 0, "{said:?}");
        assert!(said.stdout.starts_with("Daemon started (PID: "), "{said:?}");
        daemon
    }

    pub(crate) fn repo(&self) -> &Repo {
        &self.repo
    }

    /// The path of a file in the state folder.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.repo.file_path(".devbooks").join(name)
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> CommandOutput {
        self.run_in(".", arguments)
    }

    pub(crate) fn run_in(&self, folder: &str, arguments: &[&str]) -> CommandOutput {
        let configuration = self
            .repo
            .file_path("no-configuration")
            .display()
            .to_string();
        let runtime = self.runtime.path().display().to_string();
        let mut environment: Vec<(&str, &str)> = self
            .environment
            .iter()
            .map(|(n, v)| (n.as_str(), v.as_str()))
            .collect();
        environment.push(("XDG_RUNTIME_DIR", &runtime));
        environment.push(("XDG_CONFIG_HOME", &configuration));
        let program = env!("CARGO_BIN_EXE_knotwork");
        run_program(
            program,
            &self.repo.file_path(folder),
            arguments,
            &environment,
        )
    }

    pub(crate) fn spawn(&self, arguments: &[&str]) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_knotwork"));
        command
            .args(arguments)
            .current_dir(self.repo.path())
            .env("XDG_CONFIG_HOME", self.repo.file_path("no-configuration"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.spawn().unwrap()
    }

    /// The answer as JSON; the command must succeed.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        let mut all = arguments.to_vec();
        all.extend(["--format", "json"]);
        let said = self.run(&all);
        assert_eq!(said.code, 0, "{arguments:?}: {said:?}");
        serde_json::from_str(&said.stdout).unwrap()
    }

    /// The daemon's process id, if it answers.
    pub(crate) fn alive(&self) -> Option<u32> {
        let stream = UnixStream::connect(self.file("daemon.sock")).ok()?;
        let answer = Wire::over(stream).try_ask("{\"action\":\"ping\"}")?;
        answer["data"]["pid"].as_u64().map(|pid| pid as u32)
    }

    pub(crate) fn pid(&self) -> u32 {
        self.alive().expect("a daemon that answers")
    }

    pub(crate) fn is_process(&self, pid: u32) -> bool {
        let number = pid.to_string();
        let found = Command::new("kill")
            .args(["-0", &number])
            .stderr(Stdio::null())
            .status();
        found.unwrap().success()
    }

    pub(crate) fn connect(&self) -> Wire {
        Wire::over(UnixStream::connect(self.file("daemon.sock")).unwrap())
    }

    /// Sends one request on its own connection.
    pub(crate) fn ask(&self, request: &Value) -> Value {
        self.connect().ask(request)
    }

    /// The number of requests of an action that the daemon has answered.
    pub(crate) fn asked(&self, action: &str) -> u64 {
        let stats = self.ask(&serde_json::json!({"action": "stats"}));
        stats["data"]["actions"][action]["count"]
            .as_u64()
            .unwrap_or(0)
    }
}

impl Drop for Resident {
    fn drop(&mut self) {
        if self.repo.path().is_dir() {
            self.run(&["daemon", "stop"]);
        }
    }
}

/// A connection to the daemon.
pub(crate) struct Wire {
    stream: BufReader<UnixStream>,
}

impl Wire {
    fn over(stream: UnixStream) -> Wire {
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        stream
            .set_write_timeout(Some(Duration::from_secs(30)))
            .unwrap();
        Wire {
            stream: BufReader::new(stream),
        }
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.try_send(bytes).unwrap();
    }

    pub(crate) fn try_send(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.stream.get_mut().write_all(bytes)
    }

    pub(crate) fn close_writing(&self) {
        self.stream.get_ref().shutdown(Shutdown::Write).unwrap();
    }

    /// The next answer; none if the connection is closed.
    pub(crate) fn read(&mut self) -> Option<Value> {
        let mut line = String::new();
        match self.stream.read_line(&mut line) {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(serde_json::from_str(&line).unwrap()),
        }
    }

    fn try_ask(&mut self, text: &str) -> Option<Value> {
        self.try_send(format!("{text}\n").as_bytes()).ok()?;
        self.read()
    }

    pub(crate) fn ask_text(&mut self, text: &str) -> Value {
        self.try_ask(text)
            .unwrap_or_else(|| panic!("no answer to {text}"))
    }

    pub(crate) fn ask(&mut self, request: &Value) -> Value {
        self.ask_text(&request.to_string())
    }
}
