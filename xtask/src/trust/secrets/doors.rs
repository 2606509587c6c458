//! The project with planted secrets, and every interface through which the program can be queried about it.

use super::formats::Planted;
use super::found;
use crate::bench::process::Server;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Captured outputs, by origin. The first word of the origin is `project`, `saved` or `told`.
pub(super) type CapturedOutputs = Vec<(String, Vec<u8>)>;

/// A project, a home and a binary.
pub(super) struct Scene {
    binary: PathBuf,
    folder: tempfile::TempDir,
}

impl Scene {
    /// Writes the planted files and builds the index.
    pub(super) fn new(binary: PathBuf, planted: &[Planted]) -> Result<Scene> {
        let folder = tempfile::tempdir()?;
        let scene = Scene { binary, folder };
        for one in planted {
            let file = scene.project().join(&one.path);
            std::fs::create_dir_all(file.parent().context("a path without a folder")?)?;
            std::fs::write(file, &one.text)?;
        }
        std::fs::create_dir_all(scene.home())?;
        git(&scene.project(), &["init", "-q"])?;
        git(&scene.project(), &["add", "-A"])?;
        git(
            &scene.project(),
            &[
                "commit",
                "-q",
                "-m",
                &format!("begin\n\n{}", planted[0].text),
            ],
        )?;
        Ok(scene)
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        command
            .arg("-C")
            .arg(self.project())
            .env("HOME", self.home())
            .env("XDG_CACHE_HOME", self.home().join("cache"))
            .env("SOLUTION_MEMORY_PATH", self.home().join("solutions.db"))
            .env("DEVBOOKS_DEBUG", "1");
        command
    }

    /// The output of a command, on both streams.
    fn said(&self, words: &[&str], input: &str) -> Result<Vec<u8>> {
        let mut child = self
            .command()
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        // A command that does not read may have closed its input.
        let _ = child
            .stdin
            .take()
            .context("no input")?
            .write_all(input.as_bytes());
        let output = child.wait_with_output()?;
        Ok([output.stdout, output.stderr].concat())
    }

    fn written(&self, what: &str) -> CapturedOutputs {
        let mut kept = found::files(what, &self.project().join(".devbooks"));
        kept.extend(found::files(what, &self.home()));
        kept
    }

    /// Queries every interface. Returns all outputs and written files.
    pub(super) fn ask(&self, planted: &[Planted]) -> Result<CapturedOutputs> {
        let mut kept: CapturedOutputs =
            vec![("project index".to_owned(), self.said(&["index"], "")?)];
        if !self.project().join(".devbooks/graph.db").is_file() {
            bail!("no index: {}", String::from_utf8_lossy(&kept[0].1));
        }
        for words in COMMANDS {
            kept.push((
                format!("project {}", words.join(" ")),
                self.said(words, "")?,
            ));
        }
        for prompt in [
            "where is the password of the database set",
            "how does connect_1 log in with its token",
        ] {
            let event =
                json!({"hook_event_name": "UserPromptSubmit", "prompt": prompt}).to_string();
            kept.push(("project hook".to_owned(), self.said(&["hook"], &event)?));
        }
        let session = json!({"hook_event_name": "SessionStart", "source": "startup"}).to_string();
        kept.push((
            "project hook of a session".to_owned(),
            self.said(&["hook"], &session)?,
        ));
        self.serve(planted, &mut kept)?;
        self.reside(planted, &mut kept)?;
        kept.extend(self.written("project"));
        Ok(kept)
    }

    /// Queries an MCP server about each file.
    fn serve(&self, planted: &[Planted], kept: &mut CapturedOutputs) -> Result<()> {
        let mut server = Server::start(self.command().arg("mcp"))?.0;
        let mut answers = Vec::new();
        let mut call = |tool: &str, arguments: Value| -> Result<()> {
            let answer = server.call(tool, arguments)?.1;
            answers.extend(answer.to_string().replace("\\\\", "\\").into_bytes());
            Ok(())
        };
        for (number, one) in planted.iter().enumerate() {
            let words = one.name.replace('_', " ");
            call(
                "ci_search",
                json!({"query": ".", "mode": "regex", "path": one.path}),
            )?;
            call("ci_search", json!({"query": words, "path": one.path}))?;
            if number % 10 == 0 {
                call("ci_search", json!({"query": one.name, "mode": "symbol"}))?;
                call("ci_search", json!({"query": words, "mode": "semantic"}))?;
                call(
                    "ci_graph_rag",
                    json!({"query": format!("where is the {words} of {}", one.path)}),
                )?;
                call(
                    "ci_bug_locate",
                    json!({"error": format!("wrong {words} in {}", one.path)}),
                )?;
                call("ci_impact", json!({"symbol": one.path}))?;
            }
        }
        call("ci_graph_store", json!({"action": "export", "payload": {}}))?;
        for table in ["nodes", "edges", "files"] {
            let sql = format!("select * from {table}");
            call(
                "ci_graph_store",
                json!({"action": "query", "payload": {"sql": sql}}),
            )?;
        }
        kept.push(("project answers over MCP".to_owned(), answers));
        Ok(())
    }

    /// Queries a daemon with the same commands.
    #[cfg(unix)]
    fn reside(&self, planted: &[Planted], kept: &mut CapturedOutputs) -> Result<()> {
        self.said(&["daemon", "start"], "")?;
        for one in planted.iter().step_by(40) {
            let words = one.name.replace('_', " ");
            for words in [
                vec!["search", ".", "--mode", "regex", "--path", &one.path],
                vec!["search", &words, "--path", &one.path],
                vec!["graph-rag", &words],
            ] {
                kept.push((
                    format!("project daemon {}", words.join(" ")),
                    self.said(&words, "")?,
                ));
            }
        }
        self.said(&["daemon", "stop"], "")?;
        Ok(())
    }

    #[cfg(not(unix))]
    fn reside(&self, _: &[Planted], _: &mut CapturedOutputs) -> Result<()> {
        Ok(())
    }

    /// The planted values that can be guessed by regex search: a pattern for exactly the value, or for half of it,
    /// matches.
    pub(super) fn bisected(&self, planted: &[Planted]) -> Result<BTreeSet<usize>> {
        let mut server = Server::start(self.command().arg("mcp"))?.0;
        let mut matched = BTreeSet::new();
        for (number, one) in planted.iter().enumerate() {
            for value in one.spellings.iter().take(2) {
                let half = value.len() / 2;
                for pattern in [value.as_str(), &value[..half.max(5)], &value[half..]] {
                    let query = escaped(pattern);
                    let question = json!({"query": query, "mode": "regex", "path": one.path});
                    let answer = server.call("ci_search", question)?.1;
                    let total = total(&answer).with_context(|| format!("{query}: {answer}"))?;
                    // A short half may occur elsewhere in the file.
                    let elsewhere = one.text.replace(value.as_str(), "").contains(pattern);
                    if total > 0 && !elsewhere {
                        matched.insert(number);
                    }
                }
            }
        }
        Ok(matched)
    }

    /// Saves solutions that contain values, and queries them.
    pub(super) fn save(&self, saved: &[Planted]) -> Result<CapturedOutputs> {
        let file = self.folder.path().join("solutions.jsonl");
        let mut server = Server::start(self.command().arg("mcp"))?.0;
        let mut kept = CapturedOutputs::new();
        let mut lines = String::new();
        for (number, one) in saved.iter().enumerate() {
            let value = one.spellings.last().map_or("", String::as_str);
            let tag = format!("{}:{value}", one.name);
            let mut solution = json!({
                "title": format!("Cannot connect, number {number}"),
                "problem": "The connection is refused after an hour.",
                "solution": "Connect again.",
                "tags": ["network", tag],
            });
            let field = ["problem", "solution", "error_messages", "root_cause"][number % 4];
            solution[field] = match field {
                "error_messages" => json!([one.text]),
                _ => json!(format!(
                    "It is so:\n\n{}\nand <private>{value}</private> no more.",
                    one.text
                )),
            };
            if number % 3 == 0 {
                let answer = server.call("save_solution", solution)?.1;
                kept.push((
                    "saved answer of save_solution".to_owned(),
                    answer.to_string().into_bytes(),
                ));
            } else {
                let empty = json!({"id": "", "created_at": "", "updated_at": "", "project_name": "", "error_messages": [], "root_cause": null});
                let mut whole = empty;
                for (key, value) in solution.as_object().into_iter().flatten() {
                    whole[key] = value.clone();
                }
                lines += &format!("{whole}\n");
            }
        }
        let found = server
            .call(
                "search_solutions",
                json!({"query": "cannot connect", "limit": 50}),
            )?
            .1;
        kept.push((
            "saved answer of search_solutions".to_owned(),
            found.to_string().into_bytes(),
        ));
        drop(server);
        std::fs::write(&file, lines)?;
        let file = file.display().to_string();
        for words in [
            &["solution", "import", &file][..],
            &["solution", "search", "connection refused"],
            &["solution", "list-tags"],
            &["solution", "export"],
            &["solution", "stats"],
        ] {
            kept.push((
                format!("saved {}", words[..2].join(" ")),
                self.said(words, "")?,
            ));
        }
        let exported = kept
            .iter()
            .find(|(what, _)| what == "saved solution export");
        let lines = exported.map_or(0, |(_, text)| text.iter().filter(|b| **b == b'\n').count());
        if lines < saved.len() / 2 {
            bail!(
                "only {lines} of {} solutions were saved: {}",
                saved.len(),
                String::from_utf8_lossy(&kept[kept.len() - 5].1)
            );
        }
        kept.extend(self.written("saved"));
        Ok(kept)
    }

    /// Sends values in queries. Returns the files that keep them.
    pub(super) fn tell(&self, told: &[Planted]) -> Result<CapturedOutputs> {
        for one in told {
            let value = one.spellings.last().map_or("", String::as_str);
            let query = format!(
                "connect with {}",
                one.text.lines().last().unwrap_or_default()
            );
            self.said(
                &[
                    "intent",
                    "record",
                    "--query",
                    &query,
                    "--symbols",
                    "connect_1",
                ],
                "",
            )?;
            let question = format!("why does connect_1 refuse {value}");
            self.said(&["search", &query], "")?;
            self.said(&["graph-rag", &question], "")?;
            let event =
                json!({"hook_event_name": "UserPromptSubmit", "prompt": question}).to_string();
            self.said(&["hook"], &event)?;
        }
        Ok(self.written("told"))
    }
}

const COMMANDS: &[&[&str]] = &[
    &["search", "password of the database"],
    &["search", "api key"],
    &["search", "secret token", "-n", "50"],
    &["search", "connect", "--mode", "symbol", "-n", "50"],
    &["search", "(?i)password", "--mode", "regex", "-n", "200"],
    &[
        "search",
        "(?i)(key|token|secret)",
        "--mode",
        "regex",
        "-n",
        "200",
    ],
    &["graph-rag", "how are passwords and keys set"],
    &["call-chain", "connect_1"],
    &["impact", "connect_1"],
    &[
        "bug-locate",
        "--error",
        "login failed: wrong password for app",
    ],
    &["complexity"],
    &["arch-check"],
    &["pattern", "learn"],
    &["pattern", "check"],
    &["cod", "generate", "--level", "3"],
    &["boundary", "--path", "src"],
    &["hotspot"],
    &["graph-store", "stats"],
    &["graph-store", "export"],
    &["embedding", "build"],
    &["cache", "status"],
    &["config", "show"],
    &["intent", "query"],
    &["impact", "--since", "HEAD"],
];

fn git(folder: &Path, words: &[&str]) -> Result<()> {
    let names = ["-c", "user.name=x", "-c", "user.email=x@x"];
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(names)
        .args(words)
        .output()?;
    if !output.status.success() {
        bail!("git {words:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    Ok(())
}

/// The number of results in an answer.
fn total(answer: &Value) -> Option<u64> {
    let result = &answer["result"];
    let structured = result["structuredContent"]["total"].as_u64();
    let results = result["structuredContent"]["results"]
        .as_array()
        .map(|all| all.len() as u64);
    let text = || {
        let text = result["content"][0]["text"].as_str()?;
        let inner: Value = serde_json::from_str(text).ok()?;
        inner["total"]
            .as_u64()
            .or(inner["results"].as_array().map(|all| all.len() as u64))
    };
    structured.or(results).or_else(text)
}

/// A regex that matches exactly one text.
fn escaped(text: &str) -> String {
    let mut out = String::from("(?-i)");
    for c in text.chars() {
        if r"\.+*?()|[]{}^$#&-~".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
