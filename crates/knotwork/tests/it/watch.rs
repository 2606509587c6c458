//! `knotwork watch`: the index follows the files.

use crate::common::{json, knotwork};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use testkit::Repo;

const PROJECT: &str = "//- src/a.py
def one():
    return two()
//- src/b.py
def two():
    return 2
";

struct Watching {
    child: Child,
    lines: Receiver<Value>,
}

impl Watching {
    fn start(repo: &Repo, arguments: &[&str]) -> Watching {
        let mut command = Command::new(env!("CARGO_BIN_EXE_knotwork"));
        command
            .args(["watch", "--format", "json", "--debounce", "60"])
            .args(arguments)
            .current_dir(repo.path())
            .env("XDG_CONFIG_HOME", repo.file_path("no-configuration"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (tell, lines) = channel();
        std::thread::spawn(move || {
            for line in output.lines().map_while(Result::ok) {
                let _ = tell.send(serde_json::from_str(&line).unwrap());
            }
        });
        Watching { child, lines }
    }

    /// The number of files that the next update reads and removes.
    fn next(&self) -> (u64, u64) {
        let answer = self.lines.recv_timeout(Duration::from_secs(30)).unwrap();
        let number = |key: &str| answer[key].as_u64().unwrap();
        (number("files_updated"), number("files_removed"))
    }

    fn is_silent(&self, wait: u64) -> bool {
        self.lines
            .recv_timeout(Duration::from_millis(wait))
            .is_err()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_index_follows_the_files() {
    for arguments in [&[][..], &["--poll", "0.1"]] {
        let repo = Repo::new(PROJECT);
        let watch = Watching::start(&repo, arguments);
        assert_eq!(watch.next(), (2, 0));
        repo.write("src/b.py", "def two():\n    return 22\n");
        assert_eq!(watch.next(), (1, 0), "{arguments:?}");
        repo.write("src/deep/inner/c.py", "def three():\n    return 3\n");
        assert_eq!(watch.next(), (1, 0), "{arguments:?}");
        std::fs::remove_file(repo.file_path("src/a.py")).unwrap();
        assert_eq!(watch.next(), (0, 1), "{arguments:?}");
        // Its own files, and writes without a change, cause no update.
        repo.write("src/b.py", "def two():\n    return 22\n");
        repo.write(".devbooks/cache/x.py", "x = 1\n");
        assert!(watch.is_silent(600), "{arguments:?}");
        let status = json(&repo, &["index", "status"]);
        assert_eq!(status["changes"], 0, "{status}");
    }
}

#[test]
fn a_checkout_of_many_files_is_one_update_or_a_few() {
    let repo = Repo::new(PROJECT);
    repo.commit_all();
    let git = |arguments: &[&str]| {
        let done = Command::new("git")
            .args(arguments)
            .current_dir(repo.path())
            .output();
        assert!(done.unwrap().status.success(), "{arguments:?}");
    };
    git(&["checkout", "-qb", "many"]);
    for n in 0..1_000 {
        repo.write(
            &format!("lib/f{n}.py"),
            &format!("def f{n}():\n    return {n}\n"),
        );
    }
    git(&["add", "-A"]);
    git(&[
        "-c",
        "user.name=t",
        "-c",
        "user.email=t@example.org",
        "commit",
        "-qm",
        "many",
    ]);
    git(&["checkout", "-q", "-"]);
    let watch = Watching::start(&repo, &[]);
    assert_eq!(watch.next(), (2, 0));
    git(&["checkout", "-q", "many"]);
    let (mut read, mut updates) = (0, 0);
    // A file that was read half-written is read again.
    while read < 1_000 {
        read += watch.next().0;
        updates += 1;
    }
    assert!(
        read < 1_100 && updates <= 5,
        "{read} files in {updates} updates"
    );
    git(&["checkout", "-q", "-"]);
    let mut removed = 0;
    while removed < 1_000 {
        removed += watch.next().1;
    }
    assert_eq!(json(&repo, &["index", "status"])["changes"], 0);
}

#[test]
fn a_wrong_interval_is_refused() {
    let repo = Repo::new(PROJECT);
    let said = knotwork(&repo, &["watch", "--poll", "-1"]);
    assert_eq!(said.code, 1, "{said:?}");
}
