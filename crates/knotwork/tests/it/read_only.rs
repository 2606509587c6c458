//! If nothing can be written, queries are answered from the last index, and the answer says so.

use serde_json::Value;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Output};
use testkit::Repo;

const PROJECT: &str = "//- src/a.py
from src.b import work

def start():
    work()
//- src/b.py
def work():
    pass
";

/// A user id that owns nothing here.
const NOBODY: u32 = 65_534;

/// Removes or restores write permission for everything below a folder.
fn protect(folder: &Path, protect: bool) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        if entry.file_type().unwrap().is_dir() {
            self::protect(&entry.path(), protect)
        } else {
            let mode = if protect { 0o444 } else { 0o644 };
            fs::set_permissions(entry.path(), Permissions::from_mode(mode)).unwrap();
        }
    }
    let mode = if protect { 0o555 } else { 0o755 };
    fs::set_permissions(folder, Permissions::from_mode(mode)).unwrap();
}

/// Gives everything below a folder to another user, if the tests run as root.
fn give(path: &Path) {
    let _ = chown(path, Some(NOBODY), Some(NOBODY));
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        give(&entry.path());
    }
}

/// A repository with an index that cannot be written, and a folder for the user's own files.
struct Protected(Repo, Repo);

impl Protected {
    fn new() -> Protected {
        let repo = Protected(Repo::new(PROJECT), Repo::new(""));
        give(repo.0.path());
        give(repo.1.path());
        for arguments in [&["index"][..], &["search", "work"]] {
            let said = repo.run(arguments);
            assert!(said.status.success(), "{said:?}");
        }
        protect(&repo.0.file_path(".devbooks"), true);
        repo
    }

    /// Runs the binary. If the tests run as root, which can always write, it runs as another user.
    fn run_with(&self, arguments: &[&str], trust: &str) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_knotwork"));
        command.args(arguments).args(["--format", "json"]);
        command.current_dir(self.0.path());
        command.env("XDG_CONFIG_HOME", "/nonexistent");
        command.env("KNOTWORK_CACHE_SHARED", "false");
        command.env("XDG_DATA_HOME", self.1.file_path("data"));
        command.env("XDG_CACHE_HOME", self.1.file_path("cache"));
        // Changing the permissions also changes the status of the files, so the caller decides about trust.
        command.env("KNOTWORK_TRUST_INDEX", trust);
        if self.0.path().metadata().unwrap().uid() == NOBODY {
            command.uid(NOBODY).gid(NOBODY);
        }
        command.output().unwrap()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.run_with(arguments, "1")
    }

    fn ask(&self, arguments: &[&str]) -> Value {
        let said = self.run(arguments);
        assert!(said.status.success(), "{arguments:?}: {said:?}");
        serde_json::from_slice(&said.stdout).unwrap()
    }
}

impl Drop for Protected {
    fn drop(&mut self) {
        protect(&self.0.file_path(".devbooks"), false);
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
    protect(&repo.0.file_path(".devbooks"), false);
    for beside in ["graph.db-wal", "graph.db-shm"] {
        let _ = fs::remove_file(repo.0.file_path(&format!(".devbooks/{beside}")));
    }
    protect(&repo.0.file_path(".devbooks"), true);
    let answer = repo.ask(&["call-chain", "--symbol", "work"]);
    assert_eq!(
        (callers(&answer), &answer["index"]["fresh"]),
        (1, &true.into())
    );
    let stats = repo.ask(&["graph-store", "stats"]);
    assert!(stats["nodes"].as_u64().unwrap() > 0, "{stats}");
}

#[test]
fn an_index_that_is_not_believed_and_cannot_be_written_is_kept_elsewhere() {
    let repo = Protected::new();
    for fresh in [true, true] {
        let said = repo.run_with(&["call-chain", "--symbol", "work"], "0");
        assert!(said.status.success(), "{said:?}");
        let answer: Value = serde_json::from_slice(&said.stdout).unwrap();
        assert_eq!(
            (callers(&answer), &answer["index"]["fresh"]),
            (1, &fresh.into())
        );
        let told = String::from_utf8_lossy(&said.stderr).into_owned();
        assert!(told.contains("Another one is written to"), "{told}");
    }
    assert!(repo.1.file_path("cache/knotwork/projects").is_dir());
}
