//! Histories made with git itself.

use super::*;
use std::path::Path;
use std::process::Command;

struct Repo {
    folder: tempfile::TempDir,
    clock: i64,
}

impl Repo {
    fn new() -> Repo {
        let folder = tempfile::tempdir().unwrap();
        let repo = Repo {
            folder,
            clock: 1_700_000_000,
        };
        repo.git(&["init", "-q", "-b", "main"]);
        repo
    }

    fn root(&self) -> &Path {
        self.folder.path()
    }

    fn git(&self, arguments: &[&str]) {
        let date = format!("{} +0000", self.clock);
        let status = Command::new("git")
            .args(["-c", "user.name=Ada", "-c", "user.email=ada@example.org"])
            .args(["-c", "commit.gpgsign=false"])
            .args(arguments)
            .current_dir(self.root())
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_DATE", &date)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .unwrap();
        assert!(status.status.success(), "{arguments:?} {status:?}");
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    fn commit(&mut self, message: &str) {
        self.clock += 86_400;
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    fn read(&self) -> History {
        let file = self.root().join(".git/history.bin");
        load_or_read(self.root(), &file, 10_000, None, &Default::default()).unwrap()
    }
}

fn counts(history: &History) -> Vec<(String, usize)> {
    let mut list: Vec<(String, usize)> = history
        .changes_by_file(0)
        .into_iter()
        .map(|(path, changes)| (path.to_owned(), changes.commits))
        .collect();
    list.sort();
    list
}

fn pairs(list: &[(&str, usize)]) -> Vec<(String, usize)> {
    list.iter().map(|(p, n)| ((*p).to_owned(), *n)).collect()
}

#[test]
fn renamed_files_keep_their_history() {
    let mut repo = Repo::new();
    repo.write("old/a.rs", "fn a() {}\n");
    repo.write("b.rs", "fn b() {}\n");
    repo.commit("first");
    repo.write("old/a.rs", "fn a() { 1 }\n");
    repo.commit("change a");
    repo.git(&["mv", "old/a.rs", "c.rs"]);
    repo.commit("same content, other name");
    std::fs::create_dir(repo.root().join("new")).unwrap();
    repo.git(&["mv", "c.rs", "new/c.rs"]);
    repo.write("new/c.rs", "fn a() { 2 }\nfn more() {}\n");
    repo.commit("other folder and content, same name");
    let history = repo.read();
    assert_eq!(counts(&history), pairs(&[("b.rs", 1), ("new/c.rs", 4)]));
    assert_eq!(history.commits.len(), 4);
    assert_eq!(
        history.commits[0].subject,
        "other folder and content, same name"
    );
    assert!(history.complete && history.authors == ["Ada"]);
    let number = history.files.iter().position(|f| f == "new/c.rs").unwrap() as u32;
    let former = [("c.rs".to_owned(), number), ("old/a.rs".to_owned(), number)];
    assert_eq!(history.former, former);
}

#[test]
fn a_kept_history_is_extended_like_one_read_anew() {
    let mut repo = Repo::new();
    repo.write("a.rs", "1");
    repo.write("b.rs", "1");
    repo.commit("first");
    repo.read();
    repo.git(&["mv", "a.rs", "z.rs"]);
    repo.commit("rename");
    repo.write("z.rs", "2");
    repo.commit("change");
    let extended = repo.read();
    std::fs::remove_file(repo.root().join(".git/history.bin")).unwrap();
    let anew = repo.read();
    assert_eq!(counts(&extended), pairs(&[("b.rs", 1), ("z.rs", 3)]));
    assert_eq!(counts(&extended), counts(&anew));
    assert_eq!(extended.commits.len(), anew.commits.len());
    let names = |h: &History| -> Vec<(String, String)> {
        let former = h.former.iter();
        former
            .map(|(p, f)| (p.clone(), h.files[*f as usize].clone()))
            .collect()
    };
    assert_eq!(names(&extended), [("a.rs".to_owned(), "z.rs".to_owned())]);
    assert_eq!(names(&extended), names(&anew));
}

#[test]
fn another_branch_is_read_anew() {
    let mut repo = Repo::new();
    repo.write("a.rs", "1");
    repo.commit("first");
    repo.git(&["checkout", "-q", "-b", "side"]);
    repo.write("side.rs", "1");
    repo.commit("side");
    assert_eq!(counts(&repo.read()).len(), 2);
    repo.git(&["checkout", "-q", "main"]);
    repo.write("main.rs", "1");
    repo.commit("main");
    assert_eq!(counts(&repo.read()), pairs(&[("a.rs", 1), ("main.rs", 1)]));
}

#[test]
fn a_damaged_file_counts_as_none() {
    let mut repo = Repo::new();
    repo.write("a.rs", "1");
    repo.commit("first");
    let file = repo.root().join(".git/history.bin");
    let history = repo.read();
    let bytes = std::fs::read(&file).unwrap();
    for cut in [0, 4, 20, bytes.len() - 1] {
        std::fs::write(&file, &bytes[..cut]).unwrap();
        assert_eq!(repo.read(), history);
    }
    let mut flipped = bytes.clone();
    let last = flipped.len() - 3;
    flipped[last] ^= 0x55;
    std::fs::write(&file, &flipped).unwrap();
    assert_eq!(repo.read(), history);
}

#[test]
fn commits_that_cannot_be_read_are_counted() {
    let mut repo = Repo::new();
    for n in 0..4 {
        repo.write("a.rs", &n.to_string());
        repo.commit("change");
    }
    assert_eq!(
        (repo.read().unread, repo.read().unread_warning()),
        (0, None)
    );
    let done = Command::new("git")
        .args(["rev-parse", "HEAD~2^{tree}"])
        .current_dir(repo.root())
        .output()
        .unwrap();
    let tree = String::from_utf8(done.stdout).unwrap();
    let (folder, name) = tree.trim().split_at(2);
    std::fs::remove_file(repo.root().join(".git/objects").join(folder).join(name)).unwrap();
    std::fs::remove_file(repo.root().join(".git/history.bin")).unwrap();
    // Neither the commit of the missing tree nor the commit compared with it can be read.
    let history = repo.read();
    assert_eq!((history.unread, history.commits.len()), (2, 2));
    assert!(history.unread_warning().unwrap().starts_with("2 commits"));
    // A commit that is added later keeps the count.
    repo.write("b.rs", "1");
    repo.commit("later");
    assert_eq!((repo.read().unread, repo.read().commits.len()), (2, 3));
}

#[test]
fn a_commit_of_too_many_files_is_counted_and_said() {
    let mut repo = Repo::new();
    for n in 0..2_100 {
        repo.write(&format!("f{n}.rs"), "1");
    }
    repo.commit("import");
    let history = repo.read();
    assert_eq!((history.commits.len(), history.mass), (0, 1));
    let warning = history.unread_warning().unwrap();
    assert!(
        warning.starts_with("1 commit changes more than 2000 files"),
        "{warning}"
    );
    // Beside many others it says nothing that a reader needs.
    for n in 0..20 {
        repo.write("f0.rs", &format!("change {n}"));
        repo.commit("change");
    }
    let history = repo.read();
    assert_eq!((history.commits.len(), history.mass), (20, 1));
    assert_eq!(history.unread_warning(), None);
}

#[test]
fn mass_edits_and_programs_count_less() {
    let mut repo = Repo::new();
    for n in 0..40 {
        repo.write(&format!("f{n}.rs"), "1");
    }
    repo.commit("import");
    repo.write("f0.rs", "2");
    repo.clock += 86_400;
    repo.git(&["add", "-A"]);
    repo.git(&[
        "commit",
        "-q",
        "-m",
        "bump",
        "--author=dependabot[bot] <a@b.c>",
    ]);
    repo.write("f1.rs", "2");
    repo.commit("by hand");
    let history = repo.read();
    let changes = history.changes_by_file(0);
    let weight = |path: &str| changes[path].weight;
    assert!((weight("f2.rs") - 0.5).abs() < 1e-9);
    assert!((weight("f0.rs") - 0.7).abs() < 1e-9);
    assert!((weight("f1.rs") - 1.5).abs() < 1e-9);
    assert!(changes["f1.rs"].recent > changes["f0.rs"].recent);
    assert_eq!(changes["f0.rs"].authors, 2);
}

#[test]
fn files_that_change_together_are_coupled() {
    let mut repo = Repo::new();
    for n in 0..4 {
        repo.write("a.rs", &n.to_string());
        repo.write("b.rs", &n.to_string());
        if n == 0 {
            repo.write("c.rs", "1");
        }
        repo.commit("both");
    }
    let history = repo.read();
    let coupled = history.files_coupled_with("a.rs", 2);
    assert_eq!(coupled, [("b.rs", 1.0)]);
    assert!(history.files_coupled_with("none.rs", 1).is_empty());
}

#[test]
fn a_project_below_the_repository_sees_its_own_files() {
    let mut repo = Repo::new();
    repo.write("inner/a.rs", "1");
    repo.write("outer.rs", "1");
    repo.commit("first");
    let file = repo.root().join(".git/history.bin");
    let history = load_or_read(
        &repo.root().join("inner"),
        &file,
        100,
        None,
        &Default::default(),
    )
    .unwrap();
    assert_eq!(counts(&history), pairs(&[("a.rs", 1)]));
}

#[test]
fn what_is_no_repository_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("h.bin");
    let none = load_or_read(folder.path(), &file, 100, None, &Default::default());
    assert!(
        matches!(none, Err(HistoryError::NoRepository(_))),
        "{none:?}"
    );
    let repo = Repo::new();
    let empty = load_or_read(repo.root(), &file, 100, None, &Default::default());
    assert!(matches!(empty, Err(HistoryError::Empty(_))), "{empty:?}");
}

#[test]
fn a_limit_keeps_the_newest() {
    let mut repo = Repo::new();
    for n in 0..5 {
        repo.write("a.rs", &n.to_string());
        repo.commit(&format!("number {n}"));
    }
    let file = repo.root().join(".git/h.bin");
    let history = load_or_read(repo.root(), &file, 2, None, &Default::default()).unwrap();
    assert_eq!(history.commits.len(), 2);
    assert_eq!(history.commits[0].subject, "number 4");
    assert!(!history.complete);
    let more = load_or_read(repo.root(), &file, 100, None, &Default::default()).unwrap();
    assert_eq!(more.commits.len(), 5);
}

#[test]
fn messages_are_kept_without_trailers_and_secrets() {
    let mut repo = Repo::new();
    repo.write("a.rs", "1");
    let token = ["ghp", "16C7e42F292c6912E7710c838347Ae178B4a"].join("_");
    repo.commit(&format!(
        "first\n\nWhy it is so.\nWith {token} in it.\n\nSigned-off-by: Ada <ada@example.org>\n"
    ));
    let history = repo.read();
    let body = &history.commits[0].body;
    assert!(body.starts_with("Why it is so.\nWith ***"), "{body}");
    assert!(
        !body.contains("16C7e42F") && !body.contains("Signed-off"),
        "{body}"
    );
}

#[test]
fn a_move_of_the_whole_tree_is_followed_and_counts_nothing() {
    let mut repo = Repo::new();
    for n in 0..2_100 {
        repo.write(&format!("old/f{n}.rs"), &format!("fn f{n}() {{}}\n"));
    }
    repo.commit("import");
    repo.write("old/f7.rs", "fn f7() { 1 }\n");
    repo.commit("change");
    repo.git(&["mv", "old", "new"]);
    repo.commit("everything elsewhere");
    repo.write("new/f7.rs", "fn f7() { 2 }\n");
    repo.commit("change again");
    let history = repo.read();
    assert_eq!(counts(&history), pairs(&[("new/f7.rs", 2)]));
    assert_eq!(history.commits.len(), 2);
}

#[test]
fn files_that_go_with_every_change_bind_nothing() {
    let mut repo = Repo::new();
    for n in 0..3 {
        for path in [
            "a.rs",
            "b.rs",
            "Cargo.lock",
            "web/package-lock.json",
            "CHANGELOG.md",
        ] {
            repo.write(path, &n.to_string());
        }
        repo.commit("together");
    }
    let history = repo.read();
    let coupled = history.files_coupled_with("a.rs", 2);
    assert_eq!(
        coupled.iter().map(|(path, _)| *path).collect::<Vec<_>>(),
        ["b.rs"]
    );
    assert_eq!(history.strongest_coupling_by_file(0, 2)["a.rs"], 1.0);
    repo.write("alone.rs", "1");
    repo.write("Cargo.lock", "x");
    repo.commit("one");
    repo.write("alone.rs", "2");
    repo.write("Cargo.lock", "y");
    repo.commit("two");
    assert!(
        !repo
            .read()
            .strongest_coupling_by_file(0, 2)
            .contains_key("alone.rs")
    );
}

/// Three commits: 40 files in a folder, the folder under another name, and one file of it changed.
fn moved_folder() -> Repo {
    let mut repo = Repo::new();
    for i in 0..40 {
        repo.write(&format!("old/f{i}.rs"), &format!("fn f{i}() {{}}\n"));
    }
    repo.commit("many");
    repo.git(&["mv", "old", "new"]);
    repo.commit("move");
    repo.write("new/f7.rs", "fn changed() {}\n");
    repo.commit("change");
    repo
}

fn read_within(repo: &Repo, change: impl Fn(&mut walk::Limits)) -> History {
    let mut limits = walk::Limits::new(100, None);
    limits.few.entries = 10;
    change(&mut limits);
    walk::read_history(repo.root(), None, limits).unwrap()
}

#[test]
fn commits_that_change_much_are_read_one_by_one_and_not_without_end() {
    let repo = moved_folder();
    let whole = read_within(&repo, |limits| limits.few.entries = 1_000);
    assert_eq!((whole.commits.len(), whole.former.len()), (3, 40));
    assert_eq!(read_within(&repo, |_| {}), whole);
    // The move takes some 80 entries, so that nothing is left for the previous commit.
    let short = read_within(&repo, |limits| limits.visited_of_many = 100);
    assert_eq!(
        (short.commits.len(), short.unread, short.complete),
        (2, 1, true)
    );
    assert!(short.unread_warning().unwrap().contains("past the limit"));
    let none = read_within(&repo, |limits| limits.many.entries = 20);
    assert_eq!((none.commits.len(), none.former.len()), (1, 0));
}

#[test]
fn a_history_that_takes_too_much_ends_early_and_says_so() {
    let repo = moved_folder();
    for short in [
        read_within(&repo, |limits| limits.visited = 20),
        read_within(&repo, |limits| limits.kept = 300),
    ] {
        assert!(!short.complete);
        assert_eq!(short.commits[0].subject, "change");
        assert!(short.commits.len() < 3, "{}", short.commits.len());
    }
}

#[test]
fn a_name_without_end_is_cut() {
    let mut repo = Repo::new();
    repo.write("a.rs", "fn a() {}\n");
    let name = format!("user.name={}", "n".repeat(5_000));
    repo.clock += 1;
    repo.git(&["add", "-A"]);
    repo.git(&["-c", &name, "commit", "-q", "-m", "first"]);
    assert_eq!(repo.read().authors, ["n".repeat(200)]);
}

#[test]
fn long_messages_count_as_work() {
    let mut repo = Repo::new();
    for i in 0..3 {
        repo.write("a.rs", &format!("fn a() {{ {i} }}\n"));
        repo.clock += 1;
        repo.git(&["add", "-A"]);
        repo.git(&["commit", "-q", "-m", &"m ".repeat(30_000)]);
    }
    let short = read_within(&repo, |limits| {
        limits.few.entries = 20_000;
        limits.visited = 1_500;
    });
    assert_eq!((short.commits.len(), short.complete), (2, false));
}

#[test]
fn long_paths_of_git_are_passed_over() {
    let mut repo = Repo::new();
    let folder = [["d".repeat(240).as_str(); 4].join("/"), "e".repeat(60)].join("/");
    repo.write("a.rs", "fn a() {}\n");
    repo.write(&format!("{folder}/b.rs"), "fn b() {}\n");
    repo.commit("both");
    assert_eq!(counts(&repo.read()), pairs(&[("a.rs", 1)]));
    std::fs::remove_dir_all(repo.root().join("d".repeat(240))).unwrap();
    let since = crate::diff::DiffBase::Since("HEAD".to_owned());
    let changed = crate::diff::diff(repo.root(), &since).unwrap();
    assert!(changed.files.is_empty(), "{:?}", changed.files.len());
}

#[test]
fn wide_trees_count_by_their_bytes() {
    let mut repo = Repo::new();
    for i in 0..1_000 {
        repo.write(&format!("{}{i}", "n".repeat(190)), "");
    }
    repo.commit("first");
    for i in 0..4 {
        repo.write("a.rs", &format!("fn a() {{ {i} }}\n"));
        repo.commit(&format!("change {i}"));
    }
    // About 220 KB a tree; the first 128 KB do not count.
    let read = |bytes| {
        read_within(&repo, |limits| {
            limits.few.entries = 20_000;
            limits.bytes = bytes;
        })
    };
    assert!(read(1 << 30).complete);
    let short = read(300_000);
    assert_eq!((short.commits.len(), short.complete), (2, false));
    assert!(short.cut);
    assert!(
        short
            .unread_warning()
            .unwrap()
            .starts_with("only the newest 2 commits")
    );
    let unread = read_within(&repo, |limits| {
        limits.few.bytes = 150_000;
        limits.many.bytes = 150_000;
        limits.few.entries = 20_000;
    });
    assert_eq!(unread.commits.len(), 1, "the first has no tree before it");
    assert!(unread.unread_warning().unwrap().starts_with("4 commits"));
}

#[test]
fn what_nobody_waits_for_is_not_read() {
    let mut repo = Repo::new();
    repo.write("a.rs", "fn a() {}\n");
    repo.commit("first");
    let cancel = base::Cancel::default();
    cancel.set();
    let file = repo.root().join(".git/history.bin");
    let none = load_or_read(repo.root(), &file, 100, None, &cancel);
    assert!(matches!(none, Err(HistoryError::Cancelled)));
    assert_eq!(repo.read().commits.len(), 1);
}
