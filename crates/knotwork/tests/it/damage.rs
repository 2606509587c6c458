//! Other programs that touch the index: readers, locks, damage, links in place of files. Queries are answered all the same.

use crate::common::resident::Resident;
use serde_json::{Value, json};
use std::os::unix::fs::{FileExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use testkit::Repo;

/// A project whose database has several pages.
fn project() -> Repo {
    let repo = Repo::new("//- .git/HEAD\nref\n");
    for file in 0..12 {
        let next = (file + 1) % 12;
        let mut text = format!("from m{next} import run{next}\n\n");
        for n in 0..20 {
            text += &format!(
                "def helper{file}_{n}(value):\n    \"\"\"Turns the value number {n} of module {file}.\"\"\"\n    \
                 return value * {n}\n\n"
            );
        }
        text += &format!("def run{file}():\n    helper{file}_1(2)\n    run{next}()\n");
        repo.write(&format!("m{file}.py"), &text);
    }
    repo
}

/// Runs SQL with Python's SQLite, and closes the database.
fn python(database: &Path, sql: &str) {
    let script = "import sqlite3, sys\nc = sqlite3.connect(sys.argv[1])\nc.execute(sys.argv[2]).fetchall()\nc.close()";
    let ran = Command::new("python3")
        .args(["-c", script])
        .arg(database)
        .arg(sql)
        .status();
    assert!(ran.unwrap().success());
}

fn is_well(answer: &Value) {
    let text = answer.to_string();
    assert_eq!(answer["status"], "ok", "{text}");
    assert!(
        !text.contains("I/O") && !text.contains("answered from the last"),
        "{text}"
    );
}

#[test]
fn an_ordinary_reader_of_the_database_breaks_no_daemon() {
    let daemon = Resident::start(project(), &[]);
    let mut wire = daemon.connect();
    let database = daemon.file("graph.db");
    for round in 0..6 {
        let name = format!("added{round}");
        let path = format!("new{round}.py");
        daemon
            .repo()
            .write(&path, &format!("def {name}():\n    pass\n"));
        is_well(
            &wire.ask(&json!({"action": "search", "payload": {"query": name, "mode": "symbol"}})),
        );
        // Python checkpoints the log on close if it is the last connection.
        python(&database, "SELECT count(*) FROM nodes");
        std::thread::sleep(Duration::from_millis(150));
        for question in [
            json!({"action": "call-chain", "payload": {"symbol": "run1"}}),
            json!({"action": "search", "payload": {"query": name, "mode": "symbol"}}),
            json!({"action": "impact", "payload": {"symbol": "helper3_1"}}),
        ] {
            is_well(&wire.ask(&question));
        }
    }
    assert!(daemon.file("graph.db-shm").exists());
}

#[test]
fn a_database_that_is_kept_from_it_is_busy_and_comes_back() {
    let daemon = Resident::new(project(), &[]);
    daemon.json(&["index"]);
    let script = "import sqlite3, sys\nc = sqlite3.connect(sys.argv[1], isolation_level=None)\n\
                  c.execute('PRAGMA locking_mode=EXCLUSIVE')\nc.execute('BEGIN EXCLUSIVE')\n\
                  print('ready', flush=True)\nsys.stdin.read()";
    let mut other = Command::new("python3")
        .args(["-c", script])
        .arg(daemon.file("graph.db"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut ready = String::new();
    let mut said = std::io::BufReader::new(other.stdout.take().unwrap());
    std::io::BufRead::read_line(&mut said, &mut ready).unwrap();
    let since = Instant::now();
    let told = daemon.run(&["call-chain", "run1"]);
    assert_eq!(told.code, 3, "{told:?}");
    assert!(
        told.stderr.contains("busy") && told.stderr.contains("try again"),
        "{told:?}"
    );
    assert!(since.elapsed() < Duration::from_secs(90));
    drop(other.stdin.take());
    other.wait().unwrap();
    daemon.json(&["call-chain", "run1"]);
}

/// Overwrites a page of a file, and removes the database's log.
fn damage(daemon: &Resident, file: &Path, page: u64) {
    let _ = std::fs::remove_file(daemon.file("graph.db-wal"));
    let _ = std::fs::remove_file(daemon.file("graph.db-shm"));
    let open = std::fs::OpenOptions::new().write(true).open(file).unwrap();
    open.write_all_at(&[0xA5; 4096], page * 4096).unwrap();
}

fn moved_aside(daemon: &Resident) -> usize {
    let all = daemon.file("").read_dir().unwrap().flatten();
    let is_moved = |name: String| {
        name.starts_with("graph.db.corrupt-") && !name.contains("-wal") && !name.contains("-shm")
    };
    all.filter(|e| is_moved(e.file_name().to_string_lossy().into_owned()))
        .count()
}

fn without_index(mut answer: Value) -> Value {
    if let Some(fields) = answer.as_object_mut() {
        fields.remove("index");
    }
    answer
}

#[test]
fn a_damaged_database_is_built_anew_by_whichever_question_meets_it() {
    let daemon = Resident::new(project(), &[]);
    daemon.json(&["index"]);
    let questions: [&[&str]; 4] = [
        &["call-chain", "run1"],
        &["search", "--mode", "symbol", "helper3"],
        &["graph-store", "find-symbol", "run5"],
        &["index"],
    ];
    let expected = questions.map(|q| without_index(daemon.json(q)));
    let database = daemon.file("graph.db");
    let pages = database.metadata().unwrap().len() / 4096;
    assert!(pages > 8, "{pages}");
    for (n, page) in [0, 1, 2, pages / 2, pages - 1].into_iter().enumerate() {
        damage(&daemon, &database, page);
        for at in 0..3 {
            let at = (n + at) % 3;
            let answer = daemon.json(questions[at]);
            assert_eq!(without_index(answer), expected[at], "page {page}");
        }
    }
    assert!((1..=3).contains(&moved_aside(&daemon)));
    damage(&daemon, &database, 1);
    let said = daemon.run(&["call-chain", "run1"]);
    assert_eq!(said.code, 0);
    assert!(said.stderr.contains("is rebuilt"), "{said:?}");
    for force in [&["index"][..], &["index", "--force"]] {
        damage(&daemon, &database, 1);
        assert_eq!(daemon.run(force).code, 0);
        assert_eq!(without_index(daemon.json(questions[0])), expected[0]);
    }
}

/// Damages every page of a database, also of one that the user named and that has no seal. All answers stay the same.
#[test]
fn whichever_page_is_damaged_every_question_is_answered() {
    let own = tempfile::tempdir().unwrap();
    let database = own.path().join("graph.db");
    let named = database.display().to_string();
    let named = [("GRAPH_DB_PATH", named.as_str())];
    let daemon = Resident::new(project(), &named);
    daemon.json(&["index"]);
    let whole = std::fs::read(&database).unwrap();
    let questions: [&[&str]; 6] = [
        &["call-chain", "run1"],
        &["graph-store", "find-symbol", "run5"],
        &["graph-store", "find-orphans"],
        &["graph-store", "export"],
        &["impact", "helper3_1"],
        &["index"],
    ];
    let restore = || {
        for entry in own.path().read_dir().unwrap().flatten() {
            std::fs::remove_file(entry.path()).unwrap();
        }
        std::fs::write(&database, &whole).unwrap();
    };
    let expected = questions.map(|question| {
        restore();
        without_index(daemon.json(question))
    });
    let pages = whole.len() / 4096;
    // The first page identifies the file. Without it the file may be anything and is not moved away.
    for page in 1..pages {
        let at = page % (questions.len() - 1);
        let mut damaged = whole.clone();
        let bytes = (0..4096).map(|n| (n * 31 + page * 7 + 1) as u8);
        damaged.splice(page * 4096..(page + 1) * 4096, bytes);
        restore();
        std::fs::write(&database, damaged).unwrap();
        let answer = without_index(daemon.json(questions[at]));
        assert_eq!(answer, expected[at], "page {page}: {:?}", questions[at]);
    }
}

#[test]
fn what_writes_by_hand_meets_damage_too() {
    let daemon = Resident::new(project(), &[]);
    let database = daemon.file("graph.db");
    let writes: [&[&str]; 3] = [
        &["graph-store", "init"],
        &[
            "graph-store",
            "add-node",
            "--id",
            "q",
            "--symbol",
            "q",
            "--kind",
            "function",
            "--file",
            "q.py",
        ],
        &["graph-store", "vacuum"],
    ];
    for write in writes {
        daemon.json(&["index"]);
        damage(&daemon, &database, 1);
        let said = daemon.run(write);
        assert_eq!(said.code, 0, "{write:?}: {said:?}");
        assert!(said.stderr.contains("is rebuilt"), "{write:?}: {said:?}");
        daemon.json(&["call-chain", "run1"]);
    }
}

#[test]
fn damage_under_a_daemon_ends_no_daemon() {
    let daemon = Resident::start(project(), &[]);
    let pid = daemon.pid();
    let mut wire = daemon.connect();
    let words = json!({"action": "search", "payload": {"query": "turn the value of a module"}});
    is_well(&wire.ask(&words));
    let segment = || {
        let all = daemon.file("search").read_dir().unwrap().flatten();
        let mut found = all
            .map(|e| e.path())
            .filter(|p| p.to_string_lossy().contains("segment-"));
        found.next().unwrap()
    };
    for round in 0..3 {
        let open = std::fs::OpenOptions::new()
            .write(true)
            .open(segment())
            .unwrap();
        match round {
            0 => open.set_len(0).unwrap(),
            1 => open.set_len(5_000).unwrap(),
            _ => open.write_all_at(&[0x5A; 3_000], 1_000).unwrap(),
        }
        is_well(&wire.ask(&words));
        daemon
            .repo()
            .write(&format!("later{round}.py"), "def later():\n    return 1\n");
        is_well(&wire.ask(&words));
        is_well(&wire.ask(&json!({"action": "call-chain", "payload": {"symbol": "run1"}})));
    }
    assert_eq!(daemon.pid(), pid);
}

#[test]
fn a_link_in_the_place_of_a_file_is_not_followed() {
    let elsewhere = Repo::new("");
    let victim = elsewhere.file_path("victim.db");
    python(&victim, "CREATE TABLE t (a)");
    let before = std::fs::read(&victim).unwrap();
    let daemon = Resident::new(project(), &[]);
    std::fs::create_dir(daemon.file("")).unwrap();
    symlink(&victim, daemon.file("graph.db")).unwrap();
    daemon.json(&["call-chain", "run1"]);
    assert!(
        !daemon
            .file("graph.db")
            .symlink_metadata()
            .unwrap()
            .is_symlink()
    );
    assert_eq!(std::fs::read(&victim).unwrap(), before);
    // A link in place of the lock is not followed either.
    std::fs::remove_file(daemon.file("graph.db.lock")).unwrap();
    symlink(&victim, daemon.file("graph.db.lock")).unwrap();
    daemon.repo().write("m1.py", "def run1():\n    pass\n");
    daemon.run(&["index"]);
    assert_eq!(std::fs::read(&victim).unwrap(), before);
}
