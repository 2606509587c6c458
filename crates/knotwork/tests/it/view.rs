//! `knotwork view`: the printed address, its end by a signal, the exported file, and the operations behind it.

use crate::common::{json, knotwork};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use testkit::Repo;

const PROJECT: &str = "//- .git/HEAD
ref
//- .github/CODEOWNERS
/src/ @team
//- src/main/java/A.java
class A {
    int twice(int a) { if (a > 1) { return B.half(a); } return a; }
}
//- src/main/java/B.java
class B {
    static int half(int b) { return b / 2; }
}
//- web/page.ts
export function show() { return 1; }
//- web/server.ts
import express from 'express';
const app = express();
app.get('/users/:id', listUsers);
function listUsers() {}
";

/// Sends a request to the viewer's address; returns the first line of the answer and all of it.
fn ask(address: &str, operation: &str, request: &str) -> (String, String) {
    let (host, path) = address
        .strip_prefix("http://")
        .and_then(|rest| rest.split_once('/'))
        .unwrap();
    let mut stream = std::net::TcpStream::connect(host).unwrap();
    let length = request.len();
    write!(
        stream,
        "POST /{path}api/{operation} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n{request}"
    )
    .unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    let first = text.lines().next().unwrap_or_default().to_owned();
    let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    (first, body.to_owned())
}

#[cfg(unix)]
#[test]
fn it_serves_at_the_address_that_it_prints_until_it_is_ended() {
    use std::os::unix::process::ExitStatusExt;
    let repo = Repo::new(PROJECT);
    let mut viewer = Command::new(env!("CARGO_BIN_EXE_knotwork"))
        .args(["view", "--no-open"])
        .current_dir(repo.path())
        .env("XDG_CONFIG_HOME", repo.file_path("no-configuration"))
        .env("SOLUTION_MEMORY_PATH", repo.file_path("solutions"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(viewer.stdout.take().unwrap()).lines();
    let address = lines.next().unwrap().unwrap();
    let (first, body) = ask(&address, "symbol", r#"{"symbol": "A.twice"}"#);
    assert_eq!(first, "HTTP/1.1 200 OK", "{body}");
    let known: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(known["complexity"]["cyclomatic"], 2);
    assert_eq!(known["owners"][0], "@team");
    let said = ask(&address, "list_tags", "{}").0;
    assert_eq!(said, "HTTP/1.1 200 OK");
    let (first, _) = ask(&address, "index-clear", "{}");
    assert_eq!(first, "HTTP/1.1 403 Forbidden");
    // Programs in the background ignore an interrupt, and so do their children.
    let sent = Command::new("kill").arg(viewer.id().to_string()).status();
    assert!(sent.unwrap().success());
    let ended = viewer.wait().unwrap();
    assert_eq!(ended.signal(), Some(15), "{ended:?}");
}

#[test]
fn one_file_holds_the_picture() {
    let repo = Repo::new(PROJECT);
    let said = json(&repo, &["view", "--export", "code.html"]);
    assert!(said["symbols"].as_u64().unwrap() > 3, "{said}");
    let text = std::fs::read_to_string(repo.file_path("code.html")).unwrap();
    assert!(text.starts_with("<!doctype html>") && text.contains("twice"));
    assert!(!text.contains("return b / 2"));
    assert!(text.len() as u64 == said["bytes"].as_u64().unwrap());
    // A question about one symbol neither reads nor writes the measures of all files: the page asks many.
    let measures = repo.file_path(".devbooks/cache/complexity.tsv");
    assert!(!measures.exists());
    assert!(knotwork(&repo, &["complexity"]).code == 0 && measures.exists());
    let wrong = knotwork(&repo, &["view", "--export", "none/such/code.html"]);
    assert_eq!(wrong.code, 3, "{wrong:?}");
}

#[test]
fn what_a_project_serves_is_listed() {
    let repo = Repo::new(PROJECT);
    let said = json(&repo, &["federation", "endpoints"]);
    let first = &said["endpoints"][0];
    assert_eq!(first["role"], "provider", "{said}");
    assert_eq!(first["path"], "/users/:id");
    let text = knotwork(&repo, &["federation", "endpoints"]).stdout;
    assert!(text.contains("serves GET /users/:id"), "{text}");
}
