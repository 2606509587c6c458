//! `knotwork solution` at the command line.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn command(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_knotwork"));
    command
        .current_dir(folder)
        .env_clear()
        .env("HOME", folder)
        .args(["solution", "--format", "json"]);
    command
}

fn run(folder: &Path, args: &[&str]) -> Output {
    command(folder).args(args).output().unwrap()
}

fn json(out: &Output) -> Value {
    let text = String::from_utf8_lossy(&out.stdout);
    assert!(
        out.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&out.stderr)
    );
    serde_json::from_str(&text).unwrap()
}

fn save(folder: &Path, title: &str) -> Value {
    let problem = format!("{title}, since yesterday");
    json(&run(
        folder,
        &[
            "save",
            "--title",
            title,
            "--problem",
            &problem,
            "--solution",
            "Fixed",
        ],
    ))
}

#[test]
fn a_solution_lives_its_life() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let id = save(home, "Port 8080 is taken")["id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(home.join(".solution-memory/solutions.db").is_file());
    let found = json(&run(home, &["search", "address already in use port"]));
    assert_eq!(found["results"][0]["id"], id.as_str());
    assert_eq!(found["mode"], "hybrid");
    for field in [
        "title",
        "problem",
        "relevance",
        "semantic_score",
        "keyword_score",
        "project_name",
        "created_at",
        "tags",
    ] {
        assert!(!found["results"][0][field].is_null(), "{field}");
    }
    let updated = json(&run(
        home,
        &[
            "update",
            &id,
            "--solution",
            "Kill the old process",
            "--tag",
            "linux",
        ],
    ));
    assert_eq!(updated["id"], id.as_str());
    let whole = json(&run(home, &["get", &id]));
    assert_eq!(whole["solution"], "Kill the old process");
    assert_eq!(whole["tags"], serde_json::json!(["linux"]));
    assert!(whole["root_cause"].is_null());
    assert_eq!(
        json(&run(home, &["history", &id]))["versions"][0]["solution"]["solution"],
        "Fixed"
    );
    assert_eq!(
        json(&run(home, &["list-tags", "--category", "tech_stack"]))["tags"][0]["count"],
        1
    );
    let stats = json(&run(home, &["stats"]));
    assert_eq!(
        (&stats["solutions"], &stats["vectors"]),
        (&1.into(), &1.into())
    );
    let file = home.join("out.jsonl");
    let out = run(home, &["export", file.to_str().unwrap()]);
    assert!(out.status.success());
    json(&run(home, &["delete", &id, "--forget"]));
    assert_eq!(json(&run(home, &["search", "port"]))["total"], 0);
    let imported = json(&run(home, &["import", file.to_str().unwrap()]));
    assert_eq!(imported["imported"], 1);
    assert_eq!(
        json(&run(home, &["get", &id]))["solution"],
        "Kill the old process"
    );
    // Every stored solution can be exported and imported. A control character takes six characters
    // in JSON.
    let log = "\u{1b}[0m ok ".repeat(200_000);
    let fields = serde_json::json!({"title": "Log", "problem": "a log", "solution": log});
    std::fs::write(home.join("log.json"), fields.to_string()).unwrap();
    let saved = json(&run(
        home,
        &["save", "--from", home.join("log.json").to_str().unwrap()],
    ));
    let out = run(home, &["export", file.to_str().unwrap()]);
    assert!(out.status.success());
    json(&run(
        home,
        &["delete", saved["id"].as_str().unwrap(), "--forget"],
    ));
    let imported = json(&run(home, &["import", file.to_str().unwrap()]));
    assert_eq!(imported["imported"], 1, "{imported}");
    // A refused line makes the command fail, but the other lines are imported.
    std::fs::write(&file, "{\"title\": 1}\n").unwrap();
    let refused = run(home, &["import", file.to_str().unwrap()]);
    assert_eq!(refused.status.code(), Some(3));
}

#[test]
fn wrong_arguments_have_their_exit_codes() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    save(home, "x fails");
    for args in [
        &["search", "x", "--limit", "0"][..],
        &["search", "x", "--limit", "1000"],
        &["search", ""],
        &["get", "nobody"],
        &["list-tags", "--category", "colour"],
        &["save", "--title", "x"],
        &["import", "missing.jsonl"],
    ] {
        assert_eq!(run(home, args).status.code(), Some(1), "{args:?}");
    }
    let away = run(home, &["backend", "chroma", "--url", "http://127.0.0.1:9"]);
    assert_eq!(away.status.code(), Some(2), "{away:?}");
    assert_eq!(json(&run(home, &["backend"]))["backend"], "embedded");
}

#[test]
fn the_folder_is_where_it_is_told_to_be() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let out = command(home)
        .env_remove("HOME")
        .arg("stats")
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&out.stderr).contains("SOLUTION_MEMORY_PATH"));
    let out = command(home)
        .env("SOLUTION_MEMORY_PATH", "~/elsewhere")
        .arg("stats")
        .output()
        .unwrap();
    assert!(out.status.success());
    assert!(home.join("elsewhere/solutions.db").is_file());
    assert!(!home.join(".solution-memory").exists());
}

#[test]
fn a_killed_writer_leaves_whole_solutions() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    save(home, "the first");
    let lines: String = (0..120)
        .map(|n| format!("{{\"title\":\"Problem {n}\",\"problem\":\"Step {n} fails\",\"solution\":\"Do {n}\"}}\n"))
        .collect();
    std::fs::write(home.join("in.jsonl"), lines).unwrap();
    for round in 0..6u64 {
        let mut child = command(home)
            .args(["import", "in.jsonl"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(std::time::Duration::from_millis(30 + 61 * round));
        child.kill().unwrap();
        child.wait().unwrap();
        let stats = json(&run(home, &["stats"]));
        assert!(stats["solutions"].as_u64().unwrap() >= 1);
        assert!(stats["notes"].is_null(), "{stats}");
    }
    json(&run(home, &["import", "in.jsonl"]));
    let stats = json(&run(home, &["stats"]));
    assert_eq!(
        (&stats["solutions"], &stats["pending"]),
        (&121.into(), &0.into())
    );
}

#[test]
fn another_model_can_be_chosen() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let id = save(home, "Connection to the database refused")["id"].clone();
    let shipped = json(&run(home, &["model"]));
    assert_eq!(shipped["dimension"], 384);
    let code = json(&run(home, &["model", "code"]));
    assert_eq!(
        (&code["kind"], &code["dimension"]),
        (&"code".into(), &256.into())
    );
    let found = json(&run(home, &["search", "database connection"]));
    assert_eq!(found["results"][0]["id"], id);
    assert_eq!(found["mode"], "hybrid");
    assert!(found["results"][0]["semantic_score"].as_f64().unwrap() > 0.3);
    let refused = run(home, &["model", "openai"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("OPENAI_API_KEY"));
    let back = json(&run(home, &["model", "minilm"]));
    assert_eq!(back, shipped);
}

/// Runs as a user who can read the folder but not write to it.
#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_still_answers() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65_534;
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    let id = save(home, "Port 8080 is taken")["id"].clone();
    let folder = home.join(".solution-memory");
    let is_root = home.metadata().unwrap().uid() == 0;
    let set = |path: &Path, mode: u32| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    for file in std::fs::read_dir(&folder).unwrap() {
        let file = file.unwrap().path();
        if is_root {
            chown(&file, Some(NOBODY), None).unwrap();
        }
        set(&file, 0o400);
    }
    set(&folder, 0o555);
    set(home, 0o755);
    let run = |args: &[&str]| {
        let mut command = command(home);
        if is_root {
            command.uid(NOBODY);
        }
        command.args(args).output().unwrap()
    };
    let found = run(&["search", "address already in use, port 8080"]);
    let refused = run(&["save", "--title", "x", "--problem", "y", "--solution", "z"]);
    set(&folder, 0o755);
    let found = json(&found);
    assert_eq!(found["results"][0]["id"], id);
    assert_eq!(found["mode"], "hybrid");
    assert_ne!(refused.status.code(), Some(0));
    let said = String::from_utf8_lossy(&refused.stderr);
    assert!(
        said.contains("cannot be written") && said.contains("SOLUTION_MEMORY_PATH"),
        "{said}"
    );
}

#[test]
fn an_export_never_takes_the_place_of_the_store() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    save(home, "x fails");
    let stats = |home: &Path| json(&run(home, &["stats"]))["solutions"].clone();
    assert_eq!(stats(home), 1);
    let store = walk(home).into_iter().find(|p| p.ends_with("solutions.db"));
    let store = store.expect("the store");
    let out = run(home, &["export", store.to_str().unwrap()]);
    assert_eq!(out.status.code(), Some(1), "{out:?}");
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(said.contains("lies in the store"), "{said}");
    assert_eq!(stats(home), 1);
    let file = home.join("out.jsonl");
    std::fs::write(&file, "precious\n").unwrap();
    assert!(
        run(home, &["export", file.to_str().unwrap()])
            .status
            .success()
    );
    let exported = std::fs::read_to_string(&file).unwrap();
    assert!(exported.contains("x fails") && !exported.contains("precious"));
}

/// The files below a folder.
fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(walk(&path));
        } else {
            found.push(path);
        }
    }
    found
}

#[test]
fn another_program_that_holds_the_store_is_named_and_not_waited_for() {
    let home = tempfile::tempdir().unwrap();
    let home = home.path();
    save(home, "Port 8080 is taken");
    let folder = home.join(".solution-memory");
    let mut other = rusqlite::Connection::open(folder.join("solutions.db")).unwrap();
    let writing = rusqlite::TransactionBehavior::Immediate;
    let held = other.transaction_with_behavior(writing).unwrap();
    // Reading takes no lock.
    let found = json(&run(home, &["search", "port is taken"]));
    assert_eq!(found["results"].as_array().unwrap().len(), 1);
    drop(held);
    let lock = std::fs::File::options()
        .write(true)
        .open(folder.join("solutions.db.lock"));
    let lock = lock.unwrap();
    lock.lock().unwrap();
    let said = run(home, &["search", "port is taken"]);
    let why = String::from_utf8_lossy(&said.stderr);
    assert_eq!(said.status.code(), Some(3), "{why}");
    assert!(why.contains("keeps") && why.contains("to itself"), "{why}");
    if cfg!(target_os = "linux") {
        let process = format!("process {}", std::process::id());
        assert!(why.contains(&process), "{why}");
    }
}

/// An embedding service that records its requests.
struct Embeddings {
    port: u16,
    heard: std::sync::Arc<std::sync::Mutex<String>>,
}

impl Embeddings {
    fn start() -> Embeddings {
        use std::io::{BufRead, BufReader, Read, Write};
        let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = socket.local_addr().unwrap().port();
        let heard = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
        let kept = heard.clone();
        std::thread::spawn(move || {
            for stream in socket.incoming().flatten() {
                let mut reader = BufReader::new(stream.try_clone().unwrap());
                let (mut head, mut length) = (String::new(), 0);
                while reader.read_line(&mut head).is_ok_and(|n| n > 2) {
                    let last = head.lines().last().unwrap_or_default().to_lowercase();
                    if let Some(number) = last.strip_prefix("content-length:") {
                        length = number.trim().parse().unwrap();
                    }
                }
                let mut body = vec![0; length];
                reader.read_exact(&mut body).unwrap();
                let asked: Value = serde_json::from_slice(&body).unwrap_or_default();
                let count = asked["input"].as_array().map_or(1, Vec::len);
                let data: Vec<Value> = (0..count)
                    .map(|n| serde_json::json!({"index": n, "embedding": vec![0.125; 64]}))
                    .collect();
                let answer = serde_json::json!({"object": "list", "data": data}).to_string();
                *kept.lock().unwrap() += &(head + &String::from_utf8_lossy(&body));
                let _ = write!(
                    &stream,
                    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{answer}",
                    answer.len()
                );
            }
        });
        Embeddings { port, heard }
    }

    fn take(&self) -> String {
        std::mem::take(&mut self.heard.lock().unwrap())
    }
}

#[test]
fn a_provider_is_asked_at_every_door_where_this_user_chose_it_and_at_none_where_others_did() {
    use crate::common::client::Client;
    let service = Embeddings::start();
    let url = format!("http://127.0.0.1:{}/v1", service.port);
    let place = testkit::Repo::new("//- .git/HEAD\nref\n//- a.ts\nexport const a = 1;\n");
    let (theirs, mine) = (place.file_path("theirs"), place.file_path("mine"));
    for home in [&theirs, &mine] {
        std::fs::create_dir(home).unwrap();
    }
    let store = place.file_path("store");
    let ask = |home: &Path, store: &Path, args: &[&str]| {
        let mut command = command(home);
        command.env("SOLUTION_MEMORY_PATH", store);
        command.env("OPENAI_API_KEY", "key-of-this-user");
        json(&command.args(args).output().unwrap())
    };
    let over_mcp = |store: &Path, query: &str| {
        let text = |path: &Path| path.display().to_string();
        let (home, data) = (text(&mine), text(&mine.join(".local/share")));
        let store = text(store);
        let environment = [
            ("HOME", home.as_str()),
            ("XDG_DATA_HOME", data.as_str()),
            ("SOLUTION_MEMORY_PATH", store.as_str()),
            ("OPENAI_API_KEY", "key-of-this-user"),
        ];
        let mut client = Client::start_in(&place, &environment);
        client.initialize();
        let arguments = serde_json::json!({ "query": query });
        client.call_text("search_solutions", arguments).0
    };
    let save = [
        "save",
        "--title",
        "Redis",
        "--problem",
        "redis refused",
        "--solution",
        "start it",
    ];
    let choose = ["model", "openai", "--url", &url, "--name", "m"];
    ask(&theirs, &store, &save);
    ask(&theirs, &store, &choose);
    assert!(service.take().contains("key-of-this-user"));
    // The store belongs to another user, so neither interface sends anything.
    let found = ask(&mine, &store, &["search", "a private matter"]);
    assert!(
        found["fallback"]
            .as_str()
            .unwrap()
            .contains("did not choose"),
        "{found}"
    );
    over_mcp(&store, "a private matter");
    assert_eq!(service.take(), "");
    // The provider that this user chose at the command line also applies over MCP.
    let own = place.file_path("own");
    ask(&mine, &own, &save);
    ask(&mine, &own, &choose);
    service.take();
    let found = over_mcp(&own, "redis does not answer");
    assert!(!found.contains("did not choose"), "{found}");
    let heard = service.take();
    assert!(heard.contains("redis does not answer"), "{heard}: {found}");
}
