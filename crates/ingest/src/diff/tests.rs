//! Diffs of repositories made with git itself.

use super::*;
use std::process::Command;

struct Repo(tempfile::TempDir);

impl Repo {
    fn new() -> Repo {
        let repo = Repo(tempfile::tempdir().unwrap());
        repo.git(&["init", "-q", "-b", "main"]);
        repo
    }

    fn git(&self, arguments: &[&str]) {
        let done = Command::new("git")
            .args([
                "-c",
                "user.name=Ada",
                "-c",
                "user.email=ada@example.org",
                "-c",
                "commit.gpgsign=false",
            ])
            .args(arguments)
            .current_dir(self.0.path())
            .output()
            .unwrap();
        assert!(done.status.success(), "{arguments:?} {done:?}");
    }

    fn write(&self, path: &str, text: &str) {
        let file = self.0.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    }

    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-qm", "x"]);
    }

    fn shown(&self, against: DiffBase) -> Vec<String> {
        let found = diff(self.0.path(), &against).unwrap();
        let one = |f: &FileChange| {
            let from = f
                .old_path
                .as_deref()
                .map_or(String::new(), |p| format!("{p} -> "));
            format!(
                "{from}{} {} {}",
                f.path,
                f.old.as_deref().unwrap_or("-").trim(),
                f.new.as_deref().unwrap_or("-").trim()
            )
        };
        found.files.iter().map(one).collect()
    }
}

#[test]
fn a_commit_is_compared_with_the_files_on_disk() {
    let repo = Repo::new();
    repo.write("a.rs", "1");
    repo.write("b/b.rs", "2");
    repo.write("c.rs", "3");
    repo.write("same.rs", "s");
    repo.write(".gitignore", "out\n");
    repo.commit();
    repo.write("a.rs", "11");
    repo.commit();
    repo.write("new.rs", "n");
    repo.write("out/x.rs", "ignored");
    std::fs::remove_file(repo.0.path().join("c.rs")).unwrap();
    repo.git(&["mv", "b/b.rs", "d.rs"]);
    let since = |r: &str| repo.shown(DiffBase::Since(r.to_owned()));
    let all = ["a.rs 1 11", "c.rs 3 -", "b/b.rs -> d.rs 2 2", "new.rs - n"];
    assert_eq!(since("HEAD~1"), all);
    assert_eq!(since("HEAD"), all[1..]);
    assert!(matches!(
        diff(repo.0.path(), &DiffBase::Since("none".to_owned())),
        Err(HistoryError::Revision(_))
    ));
}

#[cfg(unix)]
#[test]
fn a_file_of_the_same_size_and_time_is_compared_by_its_content() {
    let repo = Repo::new();
    repo.write("a.rs", "one");
    let path = repo.0.path().join("a.rs");
    let set = |path: &Path, time| {
        let file = std::fs::File::options().write(true).open(path).unwrap();
        file.set_modified(time).unwrap();
    };
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(86_400);
    set(&path, old);
    repo.commit();
    let head = || repo.shown(DiffBase::Since("HEAD".to_owned()));
    assert!(head().is_empty());
    repo.write("new", "two");
    set(&repo.0.path().join("new"), old);
    std::fs::rename(repo.0.path().join("new"), &path).unwrap();
    assert_eq!(head(), ["a.rs one two"]);
}

#[test]
fn what_is_staged_is_compared_with_head() {
    let repo = Repo::new();
    repo.write("a.rs", "1");
    repo.write("b.rs", "2");
    repo.commit();
    assert!(repo.shown(DiffBase::Staged).is_empty());
    repo.write("a.rs", "staged");
    repo.git(&["add", "a.rs"]);
    repo.write("a.rs", "on disk");
    repo.write("b.rs", "on disk");
    repo.write("c.rs", "untracked");
    assert_eq!(repo.shown(DiffBase::Staged), ["a.rs 1 staged"]);
    repo.git(&["update-index", "--index-version", "4"]);
    assert_eq!(repo.shown(DiffBase::Staged), ["a.rs 1 staged"]);
}

#[test]
fn without_a_commit_that_is_said() {
    let repo = Repo::new();
    assert!(matches!(
        diff(repo.0.path(), &DiffBase::Staged),
        Err(HistoryError::Empty(_))
    ));
    let none = tempfile::tempdir().unwrap();
    assert!(matches!(
        diff(none.path(), &DiffBase::Staged),
        Err(HistoryError::NoRepository(_))
    ));
}

#[test]
fn files_that_are_gone_are_not_gone_through_for_each_new_one() {
    let id = |n: u32| {
        let mut bytes = [0; 20];
        bytes[..4].copy_from_slice(&n.to_be_bytes());
        Id::from(bytes)
    };
    let many = |folder: &str, from: u32| -> Ids {
        let files = (0..60_000).map(|n| (format!("{folder}/{n}.py").into(), id(from + n / 2)));
        files.collect()
    };
    // Half of the new files have the content of removed ones, and none only its name.
    let (old, new) = (many("old", 1), many("new", 15_001));
    let text: Arc<str> = "a\n".repeat(500_000).into();
    let found = compare_trees(&old, &new, &|_| Some(text.clone()), &|_, _| {
        Some(text.clone())
    });
    assert!(found.files.len() > 50 && found.files.len() < MOST_FILES);
    assert_eq!(found.files[0].path, "new/0.py");
    assert!(found.files.iter().all(|file| file.old_path.is_some()));
    assert!(found.passed_over > 50_000);
    let small = compare_trees(&old, &new, &|_| Some("".into()), &|_, _| Some("".into()));
    assert_eq!(small.files.len(), MOST_FILES);
}
