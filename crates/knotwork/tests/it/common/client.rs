//! A minimal MCP client.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use testkit::Repo;

/// An MCP server as a child process.
pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl Client {
    pub(crate) fn start(repo: &Repo) -> Client {
        Client::start_with(repo, &[])
    }

    pub(crate) fn start_with(repo: &Repo, arguments: &[&str]) -> Client {
        Client::launch(repo, arguments, &[])
    }

    /// Starts the server with environment variables.
    pub(crate) fn start_in(repo: &Repo, environment: &[(&str, &str)]) -> Client {
        Client::launch(repo, &[], environment)
    }

    fn launch(repo: &Repo, arguments: &[&str], environment: &[(&str, &str)]) -> Client {
        let mut child = Command::new(env!("CARGO_BIN_EXE_knotwork"))
            .arg("mcp")
            .args(arguments)
            .env("XDG_CONFIG_HOME", repo.file_path("no-configuration"))
            .current_dir(repo.path())
            .env_remove("DEVBOOKS_DIR")
            .env_remove("GRAPH_DB_PATH")
            .env_remove("GRAPH_BACKEND")
            .env("KNOTWORK_CACHE_SHARED", "false")
            .envs(environment.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Client {
            child,
            input,
            output,
            next: 1,
        }
    }

    /// Closes the server's input.
    pub(crate) fn go_away(&mut self) {
        drop(self.input.take());
    }

    /// The exit status, if the server has ended.
    pub(crate) fn ended(&mut self) -> std::io::Result<Option<ExitStatus>> {
        self.child.try_wait()
    }

    /// Hands the server's input over.
    pub(crate) fn take_input(&mut self) -> ChildStdin {
        self.input.take().unwrap()
    }

    /// Sends bytes that need not be JSON.
    pub(crate) fn say(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).unwrap();
        input.flush().unwrap();
    }

    /// The next line of the server's output.
    pub(crate) fn hear(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().unwrap();
        writeln!(input, "{message}").unwrap();
        input.flush().unwrap();
    }

    /// Sends a request without waiting; returns its id.
    pub(crate) fn begin(&mut self, method: &str, params: Value) -> u64 {
        let id = self.next;
        self.next += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Sends a notification.
    pub(crate) fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.ask_hearing(method, params).0
    }

    /// The answer, and the messages that the server sent before it.
    pub(crate) fn ask_hearing(&mut self, method: &str, params: Value) -> (Value, Vec<Value>) {
        let mut heard = Vec::new();
        let id = self.begin(method, params);
        loop {
            let mut line = String::new();
            assert!(
                self.output.read_line(&mut line).unwrap() > 0,
                "the server ended"
            );
            let answer: Value = serde_json::from_str(&line).unwrap();
            if answer["id"] == id {
                return (answer, heard);
            }
            heard.push(answer);
        }
    }

    pub(crate) fn initialize(&mut self) -> Value {
        let params = json!({
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}
        });
        let answer = self.ask("initialize", params);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        answer
    }

    /// The text of a tool's answer as JSON, and whether it is an error.
    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> (Value, bool) {
        let (text, failed) = self.call_text(tool, arguments);
        (serde_json::from_str(&text).unwrap(), failed)
    }

    pub(crate) fn call_text(&mut self, tool: &str, arguments: Value) -> (String, bool) {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        let text = result["content"][0]["text"].as_str();
        let text = text.unwrap_or_else(|| panic!("{answer}")).to_owned();
        (text, result["isError"] == json!(true))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.input.take());
        let since = Instant::now();
        while since.elapsed() < Duration::from_secs(5) {
            if let Ok(Some(_)) = self.child.try_wait() {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
