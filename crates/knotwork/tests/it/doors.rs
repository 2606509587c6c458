//! Changes by others to files that the program relies on: sources replaced unnoticed, a folder in place of the key, a
//! database that another program locks.

use crate::common::resident::Resident;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use testkit::{CommandOutput, Repo, run_program};

const PROJECT: &str = "//- .git/HEAD
ref
//- a.py
from b import work

def start():
    work()
//- b.py
def work():
    pass
";
const CALLERS: [&str; 4] = ["call-chain", "work", "--format", "json"];

/// Longer than a query may wait, but far shorter than waiting for the lock.
const PATIENCE: Duration = Duration::from_secs(8);

/// A project and a user with folders of their own.
struct User {
    repo: Repo,
    home: tempfile::TempDir,
}

impl User {
    fn new() -> User {
        User {
            repo: Repo::new(PROJECT),
            home: tempfile::tempdir().unwrap(),
        }
    }

    fn run(&self, arguments: &[&str]) -> CommandOutput {
        let data = self.home.path().join("data").display().to_string();
        let own = [("XDG_DATA_HOME", data.as_str())];
        run_program(
            env!("CARGO_BIN_EXE_knotwork"),
            self.repo.path(),
            arguments,
            &own,
        )
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let said = self.run(arguments);
        assert_eq!(said.code, 0, "{arguments:?}: {said:?}");
        serde_json::from_str(&said.stdout).unwrap()
    }

    fn callers(&self) -> String {
        self.json(&CALLERS)["paths"].to_string()
    }

    /// Writes a file with the same size and time, in place or by renaming a new file over it.
    fn replace(&self, name: &str, text: &str, moves: bool) {
        let path = self.repo.file_path(name);
        let before = path.metadata().unwrap();
        assert_eq!(before.len(), text.len() as u64);
        // Longer than one tick of the file system's clock.
        std::thread::sleep(Duration::from_millis(20));
        let written = if moves {
            self.home.path().join("new")
        } else {
            path.clone()
        };
        std::fs::write(&written, text).unwrap();
        let file = std::fs::File::options().write(true).open(&written).unwrap();
        file.set_modified(before.modified().unwrap()).unwrap();
        if moves {
            std::fs::rename(&written, &path).unwrap();
        }
        let after = path.metadata().unwrap();
        assert_eq!(after.modified().unwrap(), before.modified().unwrap());
    }
}

#[test]
fn a_file_replaced_by_one_of_the_same_size_and_time_is_read_again() {
    let user = User::new();
    // The index trusts the times of files only if they are old enough.
    for name in ["a.py", "b.py"] {
        let path = user.repo.file_path(name);
        let file = std::fs::File::options().write(true).open(path).unwrap();
        let old = std::time::SystemTime::now() - Duration::from_secs(86_400);
        file.set_modified(old).unwrap();
    }
    assert!(user.callers().contains("\"start\""));
    user.replace(
        "a.py",
        "from b import work\n\ndef begin():\n    work()\n",
        false,
    );
    assert!(user.callers().contains("\"begin\""));
    user.replace(
        "a.py",
        "from b import work\n\ndef ended():\n    work()\n",
        true,
    );
    assert!(user.callers().contains("\"ended\""));
    user.replace(
        "a.py",
        "from b import work\n\ndef about():\n    work()\n",
        true,
    );
    let found = user.run(&["search", "about", "--format", "json"]);
    assert!(found.stdout.contains("def about"), "{found:?}");
    let update = user.json(&["graph-store", "export"]);
    user.json(&["index", "--force", "--format", "json"]);
    let whole = user.json(&["graph-store", "export"]);
    assert_eq!(update["nodes"], whole["nodes"]);
    assert_eq!(update["edges"], whole["edges"]);
    // Permissions and link counts are part of a file's status, but its content decides.
    std::thread::sleep(Duration::from_millis(20));
    std::fs::hard_link(user.repo.file_path("b.py"), user.home.path().join("link")).unwrap();
    let answer = user.json(&CALLERS);
    assert!(answer["paths"].to_string().contains("\"about\""));
    assert_eq!(answer["index"]["fresh"], true);
}

#[test]
fn a_folder_in_place_of_the_key_is_told_and_nothing_is_built_again_and_again() {
    let user = User::new();
    let key = user.home.path().join("data/knotwork/key");
    std::fs::create_dir_all(&key).unwrap();
    for _ in 0..2 {
        let said = user.run(&CALLERS);
        assert_ne!(said.code, 0, "{said:?}");
        assert!(said.stderr.contains("key is a folder"), "{said:?}");
        assert!(
            said.stderr
                .contains("hint: remove the file or folder at that path")
        );
    }
    assert!(!user.repo.file_path(".devbooks/graph.db").exists());
    let hook = user.run(&["hook"]);
    assert_eq!(hook.code, 0, "{hook:?}");
    std::fs::remove_dir(&key).unwrap();
    assert!(user.callers().contains("\"start\""));
    let again = user.json(&CALLERS);
    assert_eq!(again["index"]["reindexed_files"], 0, "{again}");
}

#[test]
fn without_a_place_for_a_key_each_answer_says_why_it_builds() {
    let user = User::new();
    let home = user.home.path().join("file");
    std::fs::write(&home, "").unwrap();
    let home = home.display().to_string();
    let environment = [
        ("HOME", home.as_str()),
        ("XDG_DATA_HOME", ""),
        ("XDG_CACHE_HOME", ""),
    ];
    let said = run_program(
        env!("CARGO_BIN_EXE_knotwork"),
        user.repo.path(),
        &CALLERS,
        &environment,
    );
    assert!(said.stdout.contains("\"start\""), "{said:?}");
    assert!(said.stderr.contains("no key can be kept"), "{said:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_folder_whose_name_is_no_text_has_answers_and_a_daemon() {
    use std::os::unix::ffi::OsStrExt;
    let outer = tempfile::tempdir().unwrap();
    let root = outer.path().join(std::ffi::OsStr::from_bytes(b"bad\xff"));
    std::fs::create_dir_all(root.join(".git")).unwrap();
    std::fs::write(root.join(".git/HEAD"), "ref\n").unwrap();
    std::fs::write(
        root.join("a.py"),
        "from b import work\n\ndef start():\n    work()\n",
    )
    .unwrap();
    std::fs::write(root.join("b.py"), "def work():\n    pass\n").unwrap();
    let data = outer.path().join("data").display().to_string();
    let ask = |arguments: &[&str]| {
        let own = [("XDG_DATA_HOME", data.as_str())];
        run_program(env!("CARGO_BIN_EXE_knotwork"), &root, arguments, &own)
    };
    assert!(ask(&CALLERS).stdout.contains("\"start\""));
    let started = ask(&["daemon", "start"]);
    let said = ask(&CALLERS);
    let stopped = ask(&["daemon", "stop"]);
    assert_eq!(started.code, 0, "{started:?}");
    assert!(said.stdout.contains("\"start\""), "{said:?}");
    assert_eq!(stopped.code, 0, "{stopped:?}");
}

/// Another program that locks a database until it is ended.
struct Holder(Child);

impl Holder {
    fn lock(database: &Path) -> Holder {
        let script = "import sqlite3, sys\n\
             c = sqlite3.connect(sys.argv[1], isolation_level=None)\n\
             c.execute('PRAGMA locking_mode=EXCLUSIVE')\n\
             c.execute('BEGIN EXCLUSIVE')\n\
             print('held', flush=True)\n\
             sys.stdin.read()";
        let mut child = Command::new("python3")
            .args(["-c", script])
            .arg(database)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut said = BufReader::new(child.stdout.take().unwrap());
        said.read_line(&mut line).unwrap();
        assert_eq!(line, "held\n");
        Holder(child)
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

#[test]
fn a_database_that_another_program_keeps_delays_no_question_for_long() {
    let user = User::new();
    user.callers();
    let holder = Holder::lock(&user.repo.file_path(".devbooks/graph.db"));
    let since = Instant::now();
    let said = user.run(&CALLERS);
    assert!(since.elapsed() < PATIENCE, "{:?}", since.elapsed());
    assert_ne!(said.code, 0, "{said:?}");
    assert!(said.stderr.contains("busy"), "{said:?}");
    assert!(said.stderr.contains("end the program that holds it"));
    if std::fs::read_to_string("/proc/locks").is_ok_and(|locks| !locks.is_empty()) {
        let by = format!("(process {})", holder.0.id());
        assert!(said.stderr.contains(&by), "{said:?}");
    }
    drop(holder);
    assert!(user.callers().contains("\"start\""));
}

#[test]
fn a_daemon_refuses_soon_while_another_program_keeps_the_database() {
    let daemon = Resident::new(Repo::new(PROJECT), &[]);
    assert_eq!(daemon.run(&["index"]).code, 0);
    let holder = Holder::lock(&daemon.file("graph.db"));
    assert_eq!(daemon.run(&["daemon", "start"]).code, 0);
    let question = json!({"action": "call-chain", "payload": {"symbol": "work"}});
    let since = Instant::now();
    let said = daemon.ask(&question);
    assert!(since.elapsed() < PATIENCE, "{:?}", since.elapsed());
    assert_eq!(said["status"], "error", "{said}");
    assert!(said.to_string().contains("busy"), "{said}");
    assert_eq!(daemon.ask(&json!({"action": "ping"}))["status"], "ok");
    drop(holder);
    let answer = daemon.ask(&question);
    assert!(answer.to_string().contains("start"), "{answer}");
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow_is_an_error_and_no_end() {
    let user = User::new();
    let data = user.home.path().join("data").display().to_string();
    let own = [("XDG_DATA_HOME", data.as_str())];
    let limited = format!("ulimit -f 8; exec {} index", env!("CARGO_BIN_EXE_knotwork"));
    let said = run_program("/bin/sh", user.repo.path(), &["-c", &limited], &own);
    // A program killed by a signal would have no exit code.
    assert_eq!(said.code, 3, "{said:?}");
    assert!(said.stderr.starts_with("error: "), "{said:?}");
    assert!(user.callers().contains("start"), "the next one is well");
}
