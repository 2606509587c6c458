//! Workers and servers for a team, in separate processes with a real PostgreSQL. They are killed in turn: no job is lost, and none
//! is done twice.
//!
//! Without PostgreSQL the test is skipped, see [`testkit::postgres`].

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;
use testkit::Repo;
use testkit::postgres::Postgres;

/// The time limit of any step, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// The number of repositories, each with two commits.
const REPOSITORIES: usize = 4;

/// The number of files in a repository.
const FILES: usize = 120;

/// A process that is killed on drop.
struct Running(Child);

impl Running {
    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A database, and a home for its processes.
struct Setup {
    database: Postgres,
    folder: TempDir,
}

impl Setup {
    fn start() -> Option<Setup> {
        let database = Postgres::start(env!("CARGO_TARGET_TMPDIR"))?;
        let folder = TempDir::with_prefix("kn-team").unwrap();
        std::fs::create_dir(folder.path().join("home")).unwrap();
        Some(Setup { database, folder })
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let home = self.folder.path().join("home");
        let mut command = Command::new(env!("CARGO_BIN_EXE_knotwork"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env("HOME", &home)
            .env("GRAPH_BACKEND", "postgres")
            .env("GRAPH_DB_URL", self.database.address())
            .stdin(Stdio::null());
        for name in [
            "XDG_CACHE_HOME",
            "XDG_DATA_HOME",
            "XDG_CONFIG_HOME",
            "DEVBOOKS_DIR",
            "GRAPH_DB_PATH",
        ] {
            command.env_remove(name);
        }
        command
    }

    /// Runs a command that must succeed; returns its answer.
    fn json(&self, arguments: &[&str]) -> Value {
        let mut all = arguments.to_vec();
        all.extend(["--format", "json"]);
        let done = self.command(&all).output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{arguments:?}: {said}");
        serde_json::from_slice(&done.stdout).unwrap()
    }

    fn worker(&self) -> Running {
        let mut command = self.command(&["worker", "--lease", "3"]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Running(command.spawn().unwrap())
    }

    fn server(&self) -> (Running, String) {
        let mut command = self.command(&["serve", "--http", "127.0.0.1:0"]);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines.find_map(|line| {
            let line = line.unwrap();
            let address = line.strip_prefix("Listening on http://")?;
            Some(address.strip_suffix("/mcp").unwrap().to_owned())
        });
        std::thread::spawn(move || lines.for_each(drop));
        (Running(child), address.unwrap())
    }

    fn token(&self, arguments: &[&str]) -> String {
        let mut all = vec!["serve", "--add-user"];
        all.extend(arguments);
        let answer = self.json(&all);
        answer["token"].as_str().unwrap().to_owned()
    }
}

/// Sends a request without a session, as a load balancer does to any server. None if the server is gone.
fn ask(
    address: &str,
    method: &str,
    path: &str,
    token: Option<&str>,
    body: &str,
) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let token = token.map_or(String::new(), |t| format!("Authorization: Bearer {t}\r\n"));
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\n{token}Content-Type: application/json\r\n\
         Accept: application/json, text/event-stream\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).ok()?;
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some((status, body.to_owned()))
}

fn call(address: &str, token: &str, tool: &str, arguments: &Value) -> Option<(u16, Value)> {
    let message = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": tool, "arguments": arguments},
    });
    let (status, body) = ask(address, "POST", "/mcp", Some(token), &message.to_string())?;
    let answer: Value = serde_json::from_str(&body).unwrap_or(Value::String(body));
    Some((status, answer))
}

/// The text of a tool's answer, parsed as JSON.
fn answer_of(answer: &Value) -> Value {
    let text = answer["result"]["content"][0]["text"].as_str();
    let text = text.unwrap_or_else(|| panic!("{answer}"));
    serde_json::from_str(text).unwrap_or_else(|_| panic!("{text}"))
}

fn wait_for(what: &str, mut is_there: impl FnMut() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !is_there() {
        assert!(Instant::now() < until, "waited too long: {what}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// The second commit of a repository calls `newest` once more in each file.
fn repository(number: usize) -> (Repo, [String; 2]) {
    let repo = Repo::new("//- README\nx\n");
    let write = |body: &str| {
        for file in 0..FILES {
            let functions =
                (0..30).map(|n| format!("def f{file}_{n}():\n    f{file}_{}()\n\n", (n + 1) % 30));
            let functions: String = functions.collect();
            repo.write(
                &format!("m{file}.py"),
                &format!("from base import newest\n\n{functions}{body}"),
            );
        }
    };
    let head = |repo: &Repo| {
        let mut command = Command::new("git");
        command.args(["rev-parse", "HEAD"]).current_dir(repo.path());
        let done = command.output().unwrap();
        String::from_utf8(done.stdout).unwrap().trim().to_owned()
    };
    repo.write("base.py", &format!("def newest():\n    return {number}\n"));
    write("");
    repo.commit_all();
    let first = head(&repo);
    write("def user():\n    newest()\n");
    let git = |words: &[&str]| {
        let mut command = Command::new("git");
        command
            .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
            .args(words);
        assert!(command.current_dir(repo.path()).status().unwrap().success());
    };
    git(&["add", "."]);
    git(&["commit", "--quiet", "-m", "second"]);
    let second = head(&repo);
    assert_ne!(first, second);
    (repo, [first, second])
}

fn pid_of(worker: &Value) -> Option<u32> {
    worker.as_str()?.split('-').next()?.parse().ok()
}

#[test]
fn workers_and_servers_that_are_killed_lose_nothing_and_do_nothing_twice() {
    let Some(setup) = Setup::start() else { return };
    let repositories: Vec<_> = (0..REPOSITORIES).map(repository).collect();
    for (number, (repo, commits)) in repositories.iter().enumerate() {
        let (source, name) = (repo.path().to_str().unwrap(), format!("team/r{number}"));
        for commit in commits {
            let add = [
                "worker", "--add", source, "--name", &name, "--commit", commit,
            ];
            assert_eq!(setup.json(&add)["before"], Value::Null);
        }
        let again = setup.json(&["worker", "--add", source, "--name", &name]);
        assert_eq!(again["before"], "waiting", "HEAD is the second commit");
    }
    index_while_workers_are_killed(&setup);
    let status = setup.json(&["worker", "--status"]);
    assert_eq!(status["done"], REPOSITORIES * 2, "{status}");
    assert_eq!(status["failed"], 0, "{status}");
    for (number, (_, commits)) in repositories.iter().enumerate() {
        let published = |commit: &str| {
            let all = status["jobs"].as_array().unwrap().iter();
            let mut of_commit = all.filter(|job| job["commit"] == commit);
            let job = of_commit.next().unwrap();
            assert!(of_commit.next().is_none(), "one job for a commit");
            assert_eq!(job["repository"], format!("team/r{number}"));
            job["publications"].as_i64().unwrap()
        };
        assert!(published(&commits[0]) <= 1);
        assert_eq!(published(&commits[1]), 1, "the newest commit once");
    }
    // The queue is empty, so a worker ends at once and prints nothing.
    let once = setup.command(&["worker", "--once"]).output().unwrap();
    assert!(once.status.success() && once.stdout.is_empty());
    ask_while_servers_are_killed(&setup);
    doors_of_a_server(&setup, &repositories);
}

/// Runs three workers. Each is killed while it has a job, and another one takes its place.
fn index_while_workers_are_killed(setup: &Setup) {
    let mut workers: Vec<Running> = (0..3).map(|_| setup.worker()).collect();
    let mut killed = 0;
    wait_for("the queue", || {
        let status = setup.json(&["worker", "--status"]);
        let running: Vec<u32> = status["jobs"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|job| job["state"] == "running")
            .filter_map(|job| pid_of(&job["worker"]))
            .collect();
        if killed < 3
            && let Some(worker) = workers
                .get_mut(killed)
                .filter(|w| running.contains(&w.0.id()))
        {
            worker.kill();
            workers.push(setup.worker());
            killed += 1;
        }
        status["waiting"] == 0 && status["running"] == 0
    });
    assert!(killed > 0, "none was killed at work");
}

fn ask_while_servers_are_killed(setup: &Setup) {
    let token = setup.token(&["ann", "--rate", "100000"]);
    let mut servers = [setup.server(), setup.server()];
    let mut failed_over = 0;
    for question in 0..60 {
        let number = question % REPOSITORIES;
        let arguments =
            json!({"symbol": "newest", "repository": format!("team/r{number}"), "depth": 1});
        let mut next = question;
        // A load balancer would try another server if one is gone.
        let answer = loop {
            assert!(next < question + 10, "no server answers");
            let address = servers[next % 2].1.clone();
            match call(&address, &token, "ci_call_chain", &arguments) {
                Some((200, answer)) => break answer,
                Some((status, answer)) => panic!("{status}: {answer}"),
                None => failed_over += 1,
            }
            next += 1;
        };
        // The second commit is indexed: each file has a caller.
        let answer = answer_of(&answer);
        assert_eq!(answer["total"], FILES, "{answer}");
        match question {
            20 => servers[0].0.kill(),
            40 => {
                servers[0] = setup.server();
                servers[1].0.kill();
            }
            _ => {}
        }
    }
    assert!(failed_over >= 10, "{failed_over}");
}

/// Checks tokens, rate limits, rights, health and metrics.
fn doors_of_a_server(setup: &Setup, repositories: &[(Repo, [String; 2])]) {
    let (_server, address) = setup.server();
    let get = |path: &str| ask(&address, "GET", path, None, "").unwrap();
    assert_eq!(get("/health"), (200, "ok\n".to_owned()));
    let some = setup.token(&["bob", "--repositories", "team/r0", "--rate", "1000"]);
    let list = |token: &str| call(&address, token, "list_repositories", &json!({})).unwrap();
    let (status, answer) = list(&some);
    assert_eq!(status, 200);
    let commit = &repositories[0].1[1];
    assert_eq!(
        answer_of(&answer),
        json!({"repositories": [{"name": "team/r0", "commit": commit, "dirty": false}], "total": 1})
    );
    assert_eq!(list("wrong").0, 401);
    assert_eq!(ask(&address, "POST", "/mcp", None, "{}").unwrap().0, 401);
    let asks = |tool: &str, arguments: Value| {
        let (status, answer) = call(&address, &some, tool, &arguments).unwrap();
        assert_eq!(status, 200);
        answer["result"]["isError"] == true
    };
    assert!(!asks(
        "ci_impact",
        json!({"symbol": "newest", "repository": "team/r0"})
    ));
    assert!(!asks(
        "ci_graph_store",
        json!({"action": "stats", "repository": "team/r0"})
    ));
    for (tool, arguments) in [
        (
            "ci_impact",
            json!({"symbol": "newest", "repository": "team/r1"}),
        ),
        ("ci_impact", json!({"symbol": "newest"})),
        (
            "ci_impact",
            json!({"symbol": "", "since": "HEAD~1", "repository": "team/r0"}),
        ),
        (
            "ci_graph_store",
            json!({"action": "init", "repository": "team/r0"}),
        ),
        (
            "ci_graph_store",
            json!({"action": "query", "payload": {"sql": "SELECT 1"}, "repository": "team/r0"}),
        ),
        (
            "ci_search",
            json!({"query": "newest", "repository": "team/r1"}),
        ),
        (
            "ci_search",
            json!({"query": "newest", "mode": "regex", "repository": "team/r0"}),
        ),
    ] {
        assert!(asks(tool, arguments.clone()), "{tool} {arguments}");
    }
    let few = setup.token(&["eve", "--rate", "3"]);
    let statuses: Vec<u16> = (0..10).map(|_| list(&few).0).collect();
    assert!(
        statuses.contains(&429) && statuses.contains(&200),
        "{statuses:?}"
    );
    let removed = setup.json(&["serve", "--remove-user", "bob"]);
    assert_eq!(removed["removed"], true);
    assert_eq!(list(&some).0, 401);
    let (status, metrics) = get("/metrics");
    assert_eq!(status, 200);
    for line in [
        "knotwork_database_up 1",
        "knotwork_answers_total{tool=\"ci_impact\",outcome=\"ok\"} 1",
        "knotwork_audit_lost_total 0",
    ] {
        assert!(
            metrics.lines().any(|found| found == line),
            "{line}: {metrics}"
        );
    }
    assert!(!metrics.contains("bob") && !metrics.contains("team/"));
}

/// A repository about one subject, with a secret in it.
fn subject(subject: &str) -> Repo {
    let other = if subject == "invoices" {
        "letters"
    } else {
        "parcels"
    };
    let repo = Repo::new(&format!(
        "//- src/{subject}.py\nimport store\n\n\ndef load_{subject}(path):\n    \"\"\"Reads all {subject} from a folder.\"\"\"\n    \
         return store.read(path, \"{subject}\")\n\n\npassword = \"h4nter-two-{subject}\"\n\
         //- src/{other}.py\ndef send_{other}(all):\n    for one in all:\n        one.send()\n\
         //- src/store.py\ndef read(path, kind):\n    return open(path + kind).read()\n\
         //- README.md\n# {subject}\n\nA program that keeps the {subject} of a small company in folders on disk.\n"
    ));
    repo.commit_all();
    repo
}

#[test]
fn texts_are_searched_on_the_server_as_they_are_at_home() {
    let Some(setup) = Setup::start() else { return };
    let repos = [
        ("team/invoices", subject("invoices")),
        ("team/stamps", subject("stamps")),
    ];
    let search = |folder: &std::path::Path, name: Option<&str>, arguments: &[&str]| {
        let mut command = setup.command(&["search", "--format", "json"]);
        command.args(arguments).current_dir(folder);
        match name {
            Some(name) => command.env("GRAPH_REPOSITORY", name),
            None => command.env_remove("GRAPH_BACKEND"),
        };
        let done = command.output().unwrap();
        let said = String::from_utf8_lossy(&done.stderr);
        assert!(done.status.success(), "{arguments:?}: {said}");
        serde_json::from_slice::<Value>(&done.stdout).unwrap()
    };
    for (name, repo) in &repos {
        let mut command = setup.command(&["index", "--format", "json"]);
        command
            .current_dir(repo.path())
            .env("GRAPH_REPOSITORY", name);
        let done = command.output().unwrap();
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
        let answer: Value = serde_json::from_slice(&done.stdout).unwrap();
        assert_eq!(answer["shared"]["texts"], 4, "{answer}");
    }
    // The database contains no secret.
    let address = setup.database.address();
    let mut client = postgres::Client::connect(address, postgres::NoTls).unwrap();
    let sql = "SELECT count(*), count(*) FILTER (WHERE content LIKE '%h4nter%'), (SELECT count(*) FROM knotwork.words WHERE word LIKE '%h4nter%') \
               FROM knotwork.texts";
    let row = client.query_one(sql, &[]).unwrap();
    let counts: [i64; 3] = [row.get(0), row.get(1), row.get(2)];
    assert_eq!(counts, [8, 0, 0]);
    // Any other folder gives the same answers as the checkout.
    let (name, repo) = &repos[0];
    let empty = Repo::new("//- other.py\nx = 1\n");
    empty.commit_all();
    for arguments in [
        &["load_invoices"][..],
        &["where are invoices read from disk"],
        &["send letters", "--mode", "keyword"],
        &["reads everything", "--mode", "semantic"],
        &["loadInv", "--mode", "symbol"],
        &["invoices", "--path", "src"],
        &["password", "--mode", "keyword"],
    ] {
        let here = search(repo.path(), None, arguments);
        let there = search(empty.path(), Some(name), arguments);
        assert!(
            !here["results"].as_array().unwrap().is_empty(),
            "{arguments:?}"
        );
        assert_eq!(there["results"], here["results"], "{arguments:?}");
        assert_eq!(there["mode"], here["mode"]);
        assert!(!there.to_string().contains("h4nter"), "{there}");
        let note = there["index"]["notes"][0].as_str().unwrap();
        assert!(note.contains(name), "{note}");
    }
    let (_server, address) = setup.server();
    let (ann, bob) = (
        setup.token(&["ann", "--rate", "1000"]),
        setup.token(&["bob", "--repositories", "team/stamps", "--rate", "1000"]),
    );
    let ask = |token: &str, arguments: Value| {
        let (status, answer) = call(&address, token, "ci_search", &arguments).unwrap();
        assert_eq!(status, 200);
        answer_of(&answer)
    };
    let one = ask(
        &ann,
        json!({"query": "load_invoices", "repository": "team/invoices"}),
    );
    assert_eq!(one["results"][0]["file_path"], "src/invoices.py", "{one}");
    let all = ask(&ann, json!({"query": "load_invoices"}));
    let first = &all["results"][0];
    assert_eq!(
        (&first["repository"], &first["symbol"]),
        (&json!("team/invoices"), &json!("load_invoices")),
        "{all}"
    );
    assert_eq!(
        (
            &all["searched"].as_array().unwrap().len(),
            &all["repositories"]
        ),
        (&2, &json!(2))
    );
    // Repositories that a user may not read are not searched.
    let some = ask(&bob, json!({"query": "load_invoices"}));
    assert_eq!(some["searched"], json!(["team/stamps"]));
    assert!(!some.to_string().contains("team/invoices"), "{some}");
}
