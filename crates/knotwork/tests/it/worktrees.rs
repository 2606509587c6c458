//! Worktrees and clones of one repository share facts, but each answers from its own state.

use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use testkit::{Repo, run_program};

const PROJECT: &str = "//- src/a.py
from src.b import work

def start():
    work()
//- src/b.py
def work():
    pass
";

/// A repository with a second worktree, and the folder of shared facts.
struct Worktrees {
    repo: Repo,
    others: tempfile::TempDir,
}

impl Worktrees {
    fn new() -> Worktrees {
        let repo = Repo::new(PROJECT);
        repo.commit_all();
        let others = tempfile::tempdir().unwrap();
        let second = others.path().join("second");
        let done = Command::new("git")
            .args(["worktree", "add", "-q", "-b", "second"])
            .arg(&second)
            .current_dir(repo.path())
            .status();
        assert!(done.unwrap().success());
        Worktrees { repo, others }
    }

    fn second(&self) -> std::path::PathBuf {
        self.others.path().join("second")
    }

    fn cache(&self) -> std::path::PathBuf {
        self.others.path().join("cache")
    }

    fn ask(&self, folder: &Path, arguments: &[&str], shared: &str) -> Value {
        let cache = self.cache().display().to_string();
        let environment = [
            ("XDG_CACHE_HOME", cache.as_str()),
            ("KNOTWORK_CACHE_SHARED", shared),
        ];
        let mut all = arguments.to_vec();
        all.extend(["--format", "json"]);
        let said = run_program(env!("CARGO_BIN_EXE_knotwork"), folder, &all, &environment);
        assert_eq!(said.code, 0, "{said:?}");
        serde_json::from_str(&said.stdout).unwrap()
    }

    fn packs(&self) -> Vec<std::path::PathBuf> {
        let all = fs::read_dir(self.cache().join("knotwork/facts"));
        let folders = all.into_iter().flatten().flatten();
        folders.map(|f| f.path().join("facts.pack")).collect()
    }
}

#[test]
fn a_second_worktree_finds_the_facts_of_the_first_and_answers_from_its_own_files() {
    let both = Worktrees::new();
    both.ask(both.repo.path(), &["index"], "true");
    let packs = both.packs();
    assert_eq!(packs.len(), 1);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(
        (mode(&packs[0]), mode(packs[0].parent().unwrap())),
        (0o600, 0o700)
    );
    fs::write(
        both.second().join("src/b.py"),
        "def work():\n    pass\n\ndef more():\n    work()\n",
    )
    .unwrap();
    let index = both.ask(&both.second(), &["index"], "true");
    assert_eq!(index["files"], 2);
    assert_eq!(
        index["files_updated"], 1,
        "the rest is as it is in the first"
    );
    assert_eq!(
        index["taken_from"],
        both.repo.path().canonicalize().unwrap().to_str().unwrap()
    );
    assert_eq!(both.packs().len(), 1, "both are one repository");
    let of = |folder: &Path| {
        let chain = both.ask(
            folder,
            &["call-chain", "--symbol", "work", "--depth", "1"],
            "true",
        );
        chain["paths"][0]["callers"].as_array().unwrap().len()
    };
    assert_eq!((of(both.repo.path()), of(&both.second())), (1, 2));
}

#[test]
fn a_clone_finds_the_facts_of_where_it_comes_from() {
    let both = Worktrees::new();
    both.ask(both.repo.path(), &["index"], "true");
    let clone = both.others.path().join("clone");
    let done = Command::new("git")
        .args(["clone", "-q"])
        .args([both.repo.path(), &clone])
        .status();
    assert!(done.unwrap().success());
    let index = both.ask(&clone, &["index"], "true");
    assert_eq!(index["files"], 2);
    assert_eq!(both.packs().len(), 1, "both are one repository");
    let chain = both.ask(&clone, &["call-chain", "--symbol", "work"], "true");
    assert_eq!(chain["paths"][0]["callers"][0]["symbol_name"], "start");
}

#[test]
fn what_others_could_have_written_or_is_damaged_is_not_believed() {
    let both = Worktrees::new();
    both.ask(both.repo.path(), &["index"], "true");
    let pack = both.packs().remove(0);
    let mut bytes = fs::read(&pack).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 0xFF;
    fs::write(&pack, &bytes).unwrap();
    // Everything else of the first index is removed.
    fs::remove_dir_all(both.repo.path().join(".devbooks")).unwrap();
    for mode in [0o600, 0o666] {
        fs::set_permissions(&pack, fs::Permissions::from_mode(mode)).unwrap();
        let _ = fs::remove_dir_all(both.second().join(".devbooks"));
        both.ask(&both.second(), &["index"], "true");
        let chain = both.ask(&both.second(), &["call-chain", "--symbol", "work"], "true");
        assert_eq!(chain["paths"][0]["callers"][0]["symbol_name"], "start");
    }
}

#[test]
fn nothing_is_shared_where_that_is_turned_off() {
    let both = Worktrees::new();
    both.ask(both.repo.path(), &["index"], "false");
    assert!(both.packs().is_empty());
    let index = both.ask(&both.second(), &["index"], "true");
    assert!(index["taken_from"].is_null(), "{index}");
}
