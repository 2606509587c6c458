//! An index is trusted only if it is as this user's programs left it, and our own operations keep it trusted.

use crate::common::resident::until;
use serde_json::Value;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use testkit::{CommandOutput, Repo, run_program};

const PROJECT: &str = "//- src/a.py
from src.b import work

def start():
    work()
//- src/b.py
def work():
    pass
";
const BINARY: &str = env!("CARGO_BIN_EXE_knotwork");
const CALLERS: [&str; 5] = ["call-chain", "--symbol", "work", "--depth", "1"];
const SAID: &str = "not trusted";

/// A project and a user with folders of their own.
struct User {
    repo: Repo,
    home: tempfile::TempDir,
}

impl User {
    fn new() -> User {
        let repo = Repo::new(PROJECT);
        repo.commit_all();
        User {
            repo,
            home: tempfile::tempdir().unwrap(),
        }
    }

    fn home(&self, name: &str) -> String {
        self.home.path().join(name).display().to_string()
    }

    fn run_in(&self, folder: &Path, arguments: &[&str], more: &[(&str, &str)]) -> CommandOutput {
        let own = ["data", "cache", "run"].map(|name| self.home(name));
        fs::create_dir_all(&own[2]).unwrap();
        let mut environment = vec![
            ("XDG_DATA_HOME", own[0].as_str()),
            ("XDG_CACHE_HOME", own[1].as_str()),
            ("XDG_RUNTIME_DIR", own[2].as_str()),
        ];
        environment.extend_from_slice(more);
        run_program(BINARY, folder, arguments, &environment)
    }

    fn run(&self, arguments: &[&str]) -> CommandOutput {
        self.run_in(self.repo.path(), arguments, &[])
    }

    fn ask_in(&self, folder: &Path, arguments: &[&str], more: &[(&str, &str)]) -> Value {
        let mut all = arguments.to_vec();
        all.extend(["--format", "json"]);
        let said = self.run_in(folder, &all, more);
        assert_eq!(said.code, 0, "{arguments:?}: {said:?}");
        serde_json::from_str(&said.stdout).unwrap_or_else(|e| panic!("{e}: {said:?}"))
    }

    fn ask(&self, arguments: &[&str]) -> Value {
        self.ask_in(self.repo.path(), arguments, &[])
    }

    fn database(&self) -> PathBuf {
        self.repo.file_path(".devbooks/graph.db")
    }
}

fn callers(answer: &Value) -> Vec<&str> {
    let all = answer["paths"][0]["callers"].as_array();
    let names = all.into_iter().flatten();
    names.filter_map(|c| c["symbol_name"].as_str()).collect()
}

fn notes(answer: &Value) -> String {
    answer["index"]["notes"].to_string()
}

/// Removes the only call from a graph.
fn forge(database: &Path) {
    let connection = rusqlite::Connection::open(database).unwrap();
    let gone = connection
        .execute("DELETE FROM edges WHERE edge_type = 'CALLS'", [])
        .unwrap();
    assert!(gone > 0);
}

fn copy(from: &Path, to: &Path) {
    let done = Command::new("cp").arg("-a").args([from, to]).status();
    assert!(done.unwrap().success());
}

fn git(folder: &Path, arguments: &[&str]) {
    let own = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
    let done = Command::new("git")
        .args(own)
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(done.status.success(), "{arguments:?}: {done:?}");
}

/// Checks that the answer is right, and that only the first one reports a foreign index.
fn is_built_anew(user: &User, folder: &Path) {
    let answer = user.ask_in(folder, &CALLERS, &[]);
    assert_eq!(callers(&answer), ["start"], "{answer}");
    assert_eq!(notes(&answer).matches(SAID).count(), 1, "{answer}");
    let again = user.ask_in(folder, &CALLERS, &[]);
    assert_eq!(callers(&again), ["start"], "{again}");
    assert!(!notes(&again).contains(SAID), "{again}");
}

#[test]
fn a_copied_index_is_not_believed() {
    let user = User::new();
    user.ask(&["index"]);
    forge(&user.database());
    let other = Repo::new(PROJECT);
    other.commit_all();
    copy(
        &user.repo.file_path(".devbooks"),
        &other.file_path(".devbooks"),
    );
    is_built_anew(&user, other.path());
}

#[test]
fn an_index_that_another_program_changed_is_not_believed() {
    let user = User::new();
    user.ask(&["index"]);
    assert_eq!(callers(&user.ask(&CALLERS)), ["start"]);
    forge(&user.database());
    is_built_anew(&user, user.repo.path());
}

#[test]
fn an_index_that_a_repository_brings_along_is_not_believed() {
    let [maker, user] = [User::new(), User::new()];
    maker.ask(&["index"]);
    forge(&maker.database());
    fs::remove_file(maker.repo.file_path(".devbooks/.gitignore")).unwrap();
    git(maker.repo.path(), &["add", "-A", "-f"]);
    git(maker.repo.path(), &["commit", "-qm", "with an index"]);
    let clone = user.home.path().join("clone");
    let from = maker.repo.path().display().to_string();
    git(
        user.home.path(),
        &["clone", "-q", &from, &clone.display().to_string()],
    );
    is_built_anew(&user, &clone);
    // An index of another user is not trusted either, even for the same files.
    let other = User::new();
    let said = other.ask_in(&clone, &CALLERS, &[]);
    assert_eq!(notes(&said).matches(SAID).count(), 1, "{said}");
}

#[test]
fn a_log_or_a_journal_that_was_put_beside_an_index_is_not_taken_over() {
    let user = User::new();
    for tail in ["-wal", "-journal"] {
        user.ask(&["index"]);
        let beside = user.repo.file_path(&format!(".devbooks/graph.db{tail}"));
        let _ = fs::remove_file(&beside);
        fs::write(&beside, vec![7; 5_000]).unwrap();
        is_built_anew(&user, user.repo.path());
    }
}

#[test]
fn chunks_that_came_from_elsewhere_are_not_believed() {
    let user = User::new();
    user.ask(&["index"]);
    user.ask(&["search", "work"]);
    let other = User::new();
    other.ask(&["index"]);
    let search = user.repo.file_path(".devbooks/search");
    fs::remove_dir_all(&search).unwrap();
    copy(&other.repo.file_path(".devbooks/search"), &search);
    let segment = || {
        let all = fs::read_dir(&search).unwrap().flatten();
        let mut all = all.filter(|f| f.file_name().to_string_lossy().starts_with("segment-"));
        all.next().unwrap().metadata().unwrap().ino()
    };
    let before = segment();
    user.ask(&["search", "work", "--mode", "semantic"]);
    assert_ne!(segment(), before, "the search index was not rebuilt");
    let built = segment();
    user.ask(&["search", "work", "--mode", "semantic"]);
    assert_eq!(segment(), built);
}

#[test]
fn answers_that_another_program_put_in_are_not_given() {
    let user = User::new();
    let ask = || user.ask(&["graph-rag", "work"])["metadata"]["cache"].clone();
    assert_eq!((ask(), ask()), ("miss".into(), "hit".into()));
    let kept = user.repo.file_path(".devbooks/cache/graph-context");
    for file in fs::read_dir(kept).unwrap().flatten() {
        let text = fs::read_to_string(file.path()).unwrap();
        let planted = text.replace("src/b.py", "src/a.py");
        assert_ne!(planted, text);
        fs::write(file.path(), planted).unwrap();
    }
    assert_eq!((ask(), ask()), ("miss".into(), "hit".into()));
}

#[test]
fn a_history_of_preferences_that_came_along_is_not_believed() {
    let user = User::new();
    let entry = serde_json::json!({"query": "q", "symbols": ["evil"], "user_action": "view", "at": 4_000_000_000_u64});
    let planted = serde_json::json!({"schema_version": "1.0", "entries": [entry]});
    user.repo
        .write(".devbooks/intent-history.json", &planted.to_string());
    user.ask(&["index"]);
    let text = || fs::read_to_string(user.repo.file_path(".devbooks/intent-history.json")).unwrap();
    assert!(text().contains("evil"));
    let said = user.run(&["intent", "record", "--symbols", "work", "--query", "work"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(
        !text().contains("evil") && text().contains("mark"),
        "{}",
        text()
    );
    assert!(
        user.repo
            .file_path(".devbooks/intent-history.json.bak")
            .is_file()
    );
    let again = user.run(&["intent", "record", "--symbols", "start", "--query", "begin"]);
    assert_eq!(again.code, 0, "{again:?}");
    assert!(
        text().contains("work") && text().contains("start"),
        "{}",
        text()
    );
}

#[test]
fn what_the_user_trusts_is_taken_and_marked() {
    let user = User::new();
    user.ask(&["index"]);
    forge(&user.database());
    let answer = user.ask_in(user.repo.path(), &["index", "--trust-index"], &[]);
    assert_eq!(answer["files_updated"], 0, "{answer}");
    // The answer is wrong, but the user vouched for this index.
    let answer = user.ask(&CALLERS);
    assert!(callers(&answer).is_empty(), "{answer}");
    let other = Repo::new(PROJECT);
    copy(
        &user.repo.file_path(".devbooks"),
        &other.file_path(".devbooks"),
    );
    let said = user.ask_in(other.path(), &CALLERS, &[("KNOTWORK_TRUST_INDEX", "1")]);
    assert!(!notes(&said).contains(SAID), "{said}");
    let said = user.ask_in(other.path(), &CALLERS, &[]);
    assert!(!notes(&said).contains(SAID), "{said}");
}

#[test]
fn an_index_that_is_not_believed_is_not_taken_over_by_another_worktree() {
    let user = User::new();
    let shared = [("KNOTWORK_CACHE_SHARED", "true")];
    let second = user.home.path().join("second");
    let shown = second.display().to_string();
    git(
        user.repo.path(),
        &["worktree", "add", "-q", "-b", "second", &shown],
    );
    user.ask_in(user.repo.path(), &["index"], &shared);
    forge(&user.database());
    let answer = user.ask_in(&second, &["index"], &shared);
    assert!(answer["taken_from"].is_null(), "{answer}");
    assert_eq!(callers(&user.ask_in(&second, &CALLERS, &shared)), ["start"]);
    // A colleague's index, sealed with another key, in the place of ours.
    fs::remove_dir_all(second.join(".devbooks")).unwrap();
    let other = User::new();
    other.ask(&["index"]);
    fs::remove_dir_all(user.repo.file_path(".devbooks")).unwrap();
    copy(
        &other.repo.file_path(".devbooks"),
        &user.repo.file_path(".devbooks"),
    );
    let answer = user.ask_in(&second, &["index"], &shared);
    assert!(answer["taken_from"].is_null(), "{answer}");
    // Our own index is taken.
    fs::remove_dir_all(user.repo.file_path(".devbooks")).unwrap();
    fs::remove_dir_all(second.join(".devbooks")).unwrap();
    user.ask_in(user.repo.path(), &["index"], &shared);
    let answer = user.ask_in(&second, &["index"], &shared);
    assert!(!answer["taken_from"].is_null(), "{answer}");
}

/// None of our own operations makes an index untrusted.
#[test]
fn after_our_own_operations_the_index_is_believed() {
    let user = User::new();
    user.ask(&["index"]);
    let number = || user.database().metadata().unwrap().ino();
    let first = number();
    let lines: [&[&str]; 12] = [
        &["search", "work"],
        &["ast-delta"],
        &["graph-store", "vacuum"],
        &["graph-store", "stats"],
        &["embedding", "build"],
        &["graph-rag", "who does the work"],
        &["hotspot"],
        &["index"],
        &[
            "graph-store",
            "add-node",
            "--id",
            "n",
            "--symbol",
            "n",
            "--kind",
            "function",
            "--file",
            "src/n.py",
        ],
        &["impact", "work"],
        &["index", "status"],
        &["embedding", "status"],
    ];
    for (n, line) in lines.iter().chain(lines.iter().rev()).enumerate() {
        if n % 3 == 1 {
            let more = format!("def work():\n    pass\n\ndef more{n}():\n    work()\n");
            user.repo.write("src/b.py", &more);
        }
        let said = user.run(line);
        let told = format!("{}{}", said.stdout, said.stderr);
        assert!(!told.contains(SAID), "{line:?}: {told}");
        assert!(!told.contains("not written here"), "{line:?}: {told}");
        let answer = user.ask(&CALLERS);
        assert!(!notes(&answer).contains(SAID), "after {line:?}: {answer}");
        assert!(
            callers(&answer).contains(&"start"),
            "after {line:?}: {answer}"
        );
        // A foreign program that only reads changes nothing either.
        let reader = rusqlite::Connection::open(user.database()).unwrap();
        let count: i64 = reader
            .query_row("SELECT count(*) FROM nodes", [], |row| row.get(0))
            .unwrap();
        assert!(count > 0);
    }
    assert_eq!(number(), first, "the database was built anew");
}

#[test]
fn a_daemon_leaves_an_index_that_is_believed_and_notices_one_that_is_not() {
    let user = User::new();
    user.ask(&["index"]);
    let number = || user.database().metadata().unwrap().ino();
    let first = number();
    assert_eq!(user.run(&["daemon", "start"]).code, 0);
    let forged = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        for n in 0..6 {
            let more = format!("def work():\n    pass\n\ndef more{n}():\n    work()\n");
            user.repo.write("src/b.py", &more);
            let answer = user.ask(&CALLERS);
            assert_eq!(callers(&answer).len(), 2, "{answer}");
            assert!(!notes(&answer).contains(SAID), "{answer}");
            if n == 3 {
                assert_eq!(user.run(&["graph-store", "vacuum"]).code, 0);
                user.ask(&["index"]);
            }
        }
        assert_eq!(number(), first, "the database was built anew");
        forge(&user.database());
        let answer = user.ask(&CALLERS);
        assert_eq!(callers(&answer).len(), 2, "{answer}");
        assert!(notes(&answer).contains(SAID), "{answer}");
        until(|| {
            let answer = user.ask(&CALLERS);
            assert_eq!(callers(&answer).len(), 2, "{answer}");
            !notes(&answer).contains(SAID)
        });
    }));
    assert_eq!(user.run(&["daemon", "stop"]).code, 0);
    forged.unwrap();
    let answer = user.ask(&CALLERS);
    assert_eq!(callers(&answer).len(), 2, "{answer}");
    assert!(!notes(&answer).contains(SAID), "{answer}");
}

#[test]
fn a_killed_update_leaves_an_index_that_is_believed_and_right() {
    let user = User::new();
    user.ask(&["index"]);
    let number = || user.database().metadata().unwrap().ino();
    let first = number();
    for n in 0..25 {
        let more = format!("def work():\n    pass\n\ndef more{n}():\n    work()\n");
        user.repo.write("src/b.py", &more);
        let mut child = Command::new(BINARY)
            .arg("ast-delta")
            .current_dir(user.repo.path())
            .env("XDG_DATA_HOME", user.home("data"))
            .env("XDG_CACHE_HOME", user.home("cache"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(4 * n));
        let _ = child.kill();
        child.wait().unwrap();
        let answer = user.ask(&CALLERS);
        let expected = format!("more{n}");
        let mut found = callers(&answer);
        found.sort_unstable();
        assert_eq!(found, [expected.as_str(), "start"], "{answer}");
        assert!(!notes(&answer).contains(SAID), "{n}: {answer}");
    }
    assert_eq!(number(), first, "the database was built anew");
}

#[test]
fn a_state_folder_that_is_a_link_is_refused() {
    let user = User::new();
    let elsewhere = user.home.path().join("elsewhere");
    fs::create_dir_all(elsewhere.join("search")).unwrap();
    fs::write(elsewhere.join("search/file"), "mine").unwrap();
    std::os::unix::fs::symlink(&elsewhere, user.repo.file_path(".devbooks")).unwrap();
    let lines: [&[&str]; 5] = [
        &["index"],
        &["search", "work"],
        &["embedding", "clear"],
        &["cache", "clear"],
        &["daemon", "start"],
    ];
    for line in lines {
        let said = user.run(line);
        assert_ne!(said.code, 0, "{line:?}: {said:?}");
        assert!(said.stderr.contains("DEVBOOKS_DIR"), "{line:?}: {said:?}");
    }
    let left: Vec<_> = fs::read_dir(&elsewhere).unwrap().flatten().collect();
    assert_eq!(left.len(), 1);
    assert_eq!(
        fs::read_to_string(elsewhere.join("search/file")).unwrap(),
        "mine"
    );
    // A folder that the user names may be reached through links. Its content is the user's own.
    fs::remove_dir_all(elsewhere.join("search")).unwrap();
    let named = user.repo.file_path(".devbooks").display().to_string();
    let answer = user.ask_in(user.repo.path(), &CALLERS, &[("DEVBOOKS_DIR", &named)]);
    assert_eq!(callers(&answer), ["start"]);
}

#[test]
fn links_in_the_state_folder_are_not_followed() {
    let user = User::new();
    let elsewhere = user.home.path().join("elsewhere");
    let folders = [
        "search",
        "embeddings",
        "cache",
        "ast-cache",
        "cookies",
        "scip",
    ];
    fs::create_dir_all(user.repo.file_path(".devbooks")).unwrap();
    for name in folders {
        let there = elsewhere.join(name);
        fs::create_dir_all(&there).unwrap();
        fs::write(there.join("old"), "mine").unwrap();
        let long_ago = std::time::SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000);
        let file = fs::File::options().write(true).open(there.join("old"));
        file.unwrap().set_modified(long_ago).unwrap();
        std::os::unix::fs::symlink(&there, user.repo.file_path(&format!(".devbooks/{name}")))
            .unwrap();
    }
    let ignore = user.repo.file_path(".devbooks/.gitignore");
    std::os::unix::fs::symlink(elsewhere.join("ignore"), &ignore).unwrap();
    let lines: [&[&str]; 9] = [
        &["index"],
        &["call-chain", "--symbol", "work"],
        &["search", "work"],
        &["graph-rag", "who does the work"],
        &["hotspot"],
        &["embedding", "build"],
        &["cache", "clear"],
        &["daemon", "start"],
        &["embedding", "clear"],
    ];
    for line in lines {
        user.run(line);
    }
    let answer = user.ask(&CALLERS);
    assert_eq!(callers(&answer), ["start"], "{answer}");
    let stopped = user.run(&["daemon", "stop"]);
    assert_eq!(stopped.code, 0, "{stopped:?}");
    for name in folders {
        let all = fs::read_dir(elsewhere.join(name)).unwrap().flatten();
        let names: Vec<_> = all.map(|f| f.file_name()).collect();
        assert_eq!(names, ["old"], "{name}");
    }
    assert!(!elsewhere.join("ignore").exists());
}

/// A user id that owns nothing here.
const NOBODY: u32 = 65_534;

fn is_root() -> bool {
    let probe = tempfile::tempdir().unwrap();
    std::os::unix::fs::chown(probe.path(), Some(NOBODY), None).is_ok()
}

#[test]
fn the_state_of_another_user_is_neither_used_nor_a_project() {
    if !is_root() {
        return;
    }
    let user = User::new();
    // A folder of another user with their index, and in it a private folder of this user.
    let outer = tempfile::tempdir().unwrap();
    let own = outer.path().join("own");
    fs::create_dir_all(outer.path().join(".devbooks")).unwrap();
    fs::create_dir_all(own.join("src")).unwrap();
    // The private folder is a project of its own.
    fs::create_dir_all(own.join(".hg")).unwrap();
    for name in ["src/a.py", "src/b.py"] {
        fs::copy(user.repo.file_path(name), own.join(name)).unwrap();
    }
    for path in [outer.path(), &outer.path().join(".devbooks")] {
        std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)).unwrap();
    }
    assert_eq!(callers(&user.ask_in(&own, &CALLERS, &[])), ["start"]);
    let state = own.join(".devbooks");
    assert_eq!(state.metadata().unwrap().mode() & 0o777, 0o700);
    let left = fs::read_dir(outer.path().join(".devbooks"))
        .unwrap()
        .count();
    assert_eq!(left, 0, "something was written for another user");
    // An index of the other user's project is kept in our own folder.
    git(outer.path(), &["init", "-q"]);
    let said = user.run_in(outer.path(), &["index"], &[]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.stderr.contains("belongs to another user"), "{said:?}");
    let left = fs::read_dir(outer.path().join(".devbooks"))
        .unwrap()
        .count();
    assert_eq!(left, 0, "something was written for another user");
    let projects = user.home.path().join("cache/knotwork/projects");
    let mut kept = fs::read_dir(&projects).unwrap().flatten();
    assert!(kept.next().unwrap().path().join("graph.db").is_file());
}

#[test]
fn a_folder_that_others_may_write_to_holds_no_index() {
    let user = User::new();
    let open = |mode| {
        let mode = std::os::unix::fs::PermissionsExt::from_mode(mode);
        fs::set_permissions(user.repo.path(), mode).unwrap();
    };
    open(0o777);
    assert_eq!(callers(&user.ask(&CALLERS)), ["start"]);
    let state = user.repo.file_path(".devbooks");
    assert!(!state.exists());
    // A folder that existed before is left alone, and a note says so.
    fs::create_dir(&state).unwrap();
    let said = user.run_in(user.repo.path(), &["index"], &[]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.stderr.contains("other users may write to"), "{said:?}");
    assert_eq!(fs::read_dir(&state).unwrap().count(), 0);
    open(0o755);
    assert_eq!(callers(&user.ask(&CALLERS)), ["start"]);
    assert!(state.join("graph.db").is_file());
}

#[test]
fn an_ordinary_user_is_kept_apart_from_others() {
    if !is_root() {
        return;
    }
    let user = User::new();
    user.ask(&["index"]);
    let mode = |name: &str| user.repo.file_path(name).metadata().unwrap().mode() & 0o777;
    assert_eq!(
        (mode(".devbooks"), mode(".devbooks/graph.db.seal")),
        (0o700, 0o600)
    );
    // Another user can read this project but not its index, and keeps an index of their own.
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(user.repo.path(), open).unwrap();
    let home = tempfile::tempdir().unwrap();
    std::os::unix::fs::chown(home.path(), Some(NOBODY), Some(NOBODY)).unwrap();
    let ask = || {
        use std::os::unix::process::CommandExt;
        let said = Command::new(BINARY)
            .args(CALLERS)
            .args(["--format", "json"])
            .current_dir(user.repo.path())
            .env("HOME", home.path())
            .env_remove("XDG_DATA_HOME")
            .env_remove("XDG_CACHE_HOME")
            .env("XDG_CONFIG_HOME", "/nonexistent")
            .env("KNOTWORK_CACHE_SHARED", "false")
            .uid(NOBODY)
            .gid(NOBODY)
            .output()
            .unwrap();
        assert!(said.status.success(), "{said:?}");
        serde_json::from_slice::<Value>(&said.stdout).unwrap()
    };
    assert_eq!(callers(&ask()), ["start"]);
    let again = ask();
    assert_eq!(again["index"]["reindexed_files"], 0, "{again}");
    assert!(home.path().join(".local/share/knotwork/key").is_file());
    // In a world-writable folder, another user's repository does not count.
    let shared = tempfile::tempdir().unwrap();
    let all = std::os::unix::fs::PermissionsExt::from_mode(0o1777);
    fs::set_permissions(shared.path(), all).unwrap();
    git(shared.path(), &["init", "-q"]);
    std::os::unix::fs::chown(shared.path().join(".git"), Some(NOBODY), None).unwrap();
    fs::create_dir_all(shared.path().join("own/src")).unwrap();
    fs::create_dir_all(shared.path().join("own/.hg")).unwrap();
    fs::write(
        shared.path().join("own/src/a.py"),
        "def work():\n    pass\n",
    )
    .unwrap();
    let answer = user.ask_in(&shared.path().join("own"), &["index"], &[]);
    assert_eq!(answer["files"], 1, "{answer}");
    until(|| shared.path().join("own/.devbooks").is_dir());
}
