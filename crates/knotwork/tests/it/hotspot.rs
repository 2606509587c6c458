//! Hotspots from git's history.

use crate::common::{json, knotwork};
use testkit::Repo;

const BUSY: &str =
    "def pick(n):\n    if n > 2:\n        return 1\n    for i in n:\n        pass\n    return 0\n";

fn repo() -> Repo {
    let repo = Repo::new("//- src/calm.py\ndef calm(n):\n    return n\n//- notes.txt\nx\n");
    repo.write("src/busy.py", BUSY);
    repo.commit_all();
    for n in 0..3 {
        repo.write("src/busy.py", &format!("{BUSY}\nN = {n}\n"));
        repo.write("notes.txt", &n.to_string());
        repo.commit_all();
    }
    repo
}

#[test]
fn what_changes_often_and_is_complex_comes_first() {
    let repo = repo();
    let answer = json(&repo, &["hotspot"]);
    assert_eq!(answer["commits"], 4, "{answer}");
    assert_eq!(answer["total"], 2, "text has no complexity: {answer}");
    let hot = &answer["hotspots"];
    assert_eq!(hot[0]["file_path"], "src/busy.py");
    assert_eq!(hot[0]["score"], 1.0);
    assert_eq!(hot[0]["commits"], 4);
    assert_eq!(hot[0]["complexity"], 3);
    assert_eq!(hot[1]["file_path"], "src/calm.py");
    // One change instead of four, complexity 1 instead of 3: the square root of 1/12.
    assert_eq!(hot[1]["score"], 0.289);
    let one = json(&repo, &["hotspot", "--top", "1", "--days", "1"]);
    assert_eq!(one["hotspots"].as_array().unwrap().len(), 1);
    let below = json(&repo, &["hotspot", "--path", "src/calm.py"]);
    assert_eq!(below["total"], 1, "{below}");
}

#[test]
fn tests_stand_after_sources_and_say_what_they_are() {
    let repo = repo();
    for n in 0..9 {
        repo.write("tests/test_busy.py", &format!("{BUSY}{BUSY}\nN = {n}\n"));
        repo.commit_all();
    }
    let answer = json(&repo, &["hotspot"]);
    let hot = &answer["hotspots"];
    let paths: Vec<&str> = (0..3)
        .map(|n| hot[n]["file_path"].as_str().unwrap())
        .collect();
    assert_eq!(paths, ["src/busy.py", "src/calm.py", "tests/test_busy.py"]);
    assert_eq!(hot[2]["boundary"], "test");
    assert!(hot[0].get("boundary").is_none(), "{answer}");
    let all = json(&repo, &["hotspot", "--all"]);
    assert_eq!(
        all["hotspots"][0]["file_path"], "tests/test_busy.py",
        "{all}"
    );
}

#[test]
fn without_a_history_it_says_so() {
    let repo = Repo::new("//- a.py\ndef a():\n    pass\n");
    let said = knotwork(&repo, &["hotspot"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(said.stderr.contains("no git repository"), "{said:?}");
}

#[test]
fn numbers_out_of_range_are_refused() {
    let repo = Repo::new("//- a.py\ndef a():\n    pass\n");
    for arguments in [["--days", "0"], ["--top", "-1"], ["--days", "99999999"]] {
        let mut all = vec!["hotspot"];
        all.extend(arguments);
        let said = knotwork(&repo, &all);
        assert_eq!(said.code, 1, "{said:?}");
        assert!(said.stderr.contains("Must be between"), "{said:?}");
    }
}

#[test]
fn weights_parts_and_coupling_are_given_when_asked_for() {
    let repo = repo();
    for n in 0..2 {
        repo.write("src/busy.py", &format!("{BUSY}\nM = {n}\n"));
        repo.write("src/calm.py", &format!("def calm(n):\n    return {n}\n"));
        repo.commit_all();
    }
    let answer = json(&repo, &["hotspot", "--weighted", "--coupling"]);
    let hot = &answer["hotspots"][0];
    assert_eq!(hot["file_path"], "src/busy.py", "{answer}");
    assert_eq!(hot["churn_norm"], 1.0);
    assert_eq!(hot["complexity_norm"], 1.0);
    assert_eq!(hot["age"], 1.0);
    // The text beside it changed in three of six commits.
    assert_eq!(hot["coupling"], 0.667, "{answer}");
    assert_eq!(hot["score"], 0.933);
    assert_eq!(hot["coupled"][0]["file_path"], "notes.txt");
    assert!(answer["duration_ms"].is_u64());
    let plain = json(&repo, &["hotspot"]);
    assert!(plain["hotspots"][0].get("churn_norm").is_none());
    let boosted = json(&repo, &["hotspot", "--recency-boost", "--normalized"]);
    assert_eq!(boosted["hotspots"][0]["recency_factor"], 2.0);
    assert_eq!(boosted["hotspots"][0]["score"], 1.0);
    let bad = knotwork(&repo, &["hotspot", "--weights", "1,2"]);
    assert_eq!(bad.code, 1, "{bad:?}");
    assert!(bad.stderr.contains("Must be four numbers"), "{bad:?}");
}

#[test]
fn short_histories_are_named() {
    let repo = Repo::new("//- a.py\ndef a():\n    pass\n");
    repo.commit_all();
    let said = knotwork(&repo, &["hotspot"]);
    assert!(said.stderr.contains("one commit"), "{said:?}");
    let deep = self::repo();
    let shallow = Repo::new("");
    let from = format!("file://{}", deep.path().display());
    let into = shallow.file_path("clone");
    let done = std::process::Command::new("git")
        .args([
            "clone",
            "-q",
            "--depth",
            "3",
            &from,
            &into.display().to_string(),
        ])
        .status()
        .unwrap();
    assert!(done.success());
    let said = testkit::run_program(env!("CARGO_BIN_EXE_knotwork"), &into, &["hotspot"], &[]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(
        said.stderr.contains("shallow clone with 2 usable commits"),
        "{said:?}"
    );
    let into = shallow.file_path("least");
    let done = std::process::Command::new("git")
        .args(["clone", "-q", "--depth", "2", &from])
        .arg(&into)
        .status()
        .unwrap();
    assert!(done.success());
    let said = testkit::run_program(env!("CARGO_BIN_EXE_knotwork"), &into, &["hotspot"], &[]);
    assert!(
        said.stderr.contains("shallow clone with 1 usable commit"),
        "{said:?}"
    );
}
