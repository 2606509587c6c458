//! Where nothing can be written, questions are answered from the last index, and say so.

use crate::common::json;
use serde_json::Value;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output};
use testkit::Repo;

const PROJECT: &str = "== src/a.py
from src.b import work

def start():
    work()
== src/b.py
def work():
    pass
";

/// Somebody who owns nothing here.
const NOBODY: u32 = 65_534;

/// Takes away (or gives back) the right to write, from everything below a folder.
fn protect(folder: &Path, protect: bool) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        match entry.file_type().unwrap().is_dir() {
            true => self::protect(&entry.path(), protect),
            false => {
                let mode = if protect { 0o444 } else { 0o644 };
                fs::set_permissions(entry.path(), Permissions::from_mode(mode)).unwrap();
            }
        }
    }
    let mode = if protect { 0o555 } else { 0o755 };
    fs::set_permissions(folder, Permissions::from_mode(mode)).unwrap();
}

/// A repository with an index in a folder that cannot be written.
struct Protected(Repo);

impl Protected {
    fn new() -> Protected {
        let repo = Repo::new(PROJECT);
        json(&repo, &["index"]);
        json(&repo, &["search", "work"]);
        fs::set_permissions(repo.path(), Permissions::from_mode(0o755)).unwrap();
        protect(&repo.file(".devbooks"), true);
        Protected(repo)
    }

    /// Runs the binary as somebody who cannot write either where this is the system's owner, who always can.
    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_knotwork"));
        command.args(arguments).args(["--format", "json"]);
        command.current_dir(self.0.path());
        command.env("XDG_CONFIG_HOME", "/nonexistent");
        command.env("KNOTWORK_CACHE_SHARED", "false");
        if fs::write(self.0.file(".devbooks/probe"), "").is_ok() {
            fs::remove_file(self.0.file(".devbooks/probe")).unwrap();
            command.uid(NOBODY).gid(NOBODY);
        }
        command.output().unwrap()
    }

    fn ask(&self, arguments: &[&str]) -> Value {
        let said = self.run(arguments);
        assert!(said.status.success(), "{arguments:?}: {said:?}");
        serde_json::from_slice(&said.stdout).unwrap()
    }
}

impl Drop for Protected {
    fn drop(&mut self) {
        protect(&self.0.file(".devbooks"), false);
    }
}

fn callers(answer: &Value) -> usize {
    answer["paths"][0]["callers"].as_array().unwrap().len()
}

#[test]
fn what_is_up_to_date_is_answered_and_what_is_not_says_so() {
    let repo = Protected::new();
    let chain = ["call-chain", "--symbol", "work"];
    let answer = repo.ask(&chain);
    assert_eq!(
        (callers(&answer), &answer["index"]["fresh"]),
        (1, &true.into())
    );
    let found = repo.ask(&["search", "work"]);
    assert!(!found["results"].as_array().unwrap().is_empty(), "{found}");
    repo.0.write(
        "src/c.py",
        "from src.b import work\n\ndef third():\n    work()\n",
    );
    let answer = repo.ask(&chain);
    assert_eq!(
        (callers(&answer), &answer["index"]["fresh"]),
        (1, &false.into())
    );
    let said = answer["index"]["notes"].to_string();
    assert!(said.contains("answered from the last index"), "{said}");
    for writes in [&["index"][..], &["ast-delta"], &["graph-store", "vacuum"]] {
        let said = repo.run(writes);
        assert_eq!(said.status.code(), Some(3), "{writes:?}: {said:?}");
        let told = String::from_utf8_lossy(&said.stderr).into_owned();
        assert!(told.contains("ermission denied"), "{writes:?}: {told}");
    }
}

#[test]
fn a_database_without_the_files_of_its_last_readers_is_read_as_it_is() {
    let repo = Protected::new();
    protect(&repo.0.file(".devbooks"), false);
    for beside in ["graph.db-wal", "graph.db-shm"] {
        let _ = fs::remove_file(repo.0.file(&format!(".devbooks/{beside}")));
    }
    protect(&repo.0.file(".devbooks"), true);
    let answer = repo.ask(&["call-chain", "--symbol", "work"]);
    assert_eq!(
        (callers(&answer), &answer["index"]["fresh"]),
        (1, &true.into())
    );
    let stats = repo.ask(&["graph-store", "stats"]);
    assert!(stats["nodes"].as_u64().unwrap() > 0, "{stats}");
}
