//! The viewer over a real socket: which requests are answered, and how.

use super::*;
use serde_json::Value;
use std::io::{Read, Write};
use std::time::Duration;

/// Source with text that would do harm as HTML, or with hidden characters.
const SOURCE: &str =
    "def helper():\n    return '</script><b>\u{202e}'\n\n\ndef caller():\n    return helper()\n";

/// A viewer that ends with the test program.
struct TestViewer {
    port: u16,
    page: String,
    once: String,
    _folder: tempfile::TempDir,
}

struct HttpAnswer {
    status: u16,
    head: String,
    body: String,
}

impl HttpAnswer {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (known, value) = line.split_once(": ")?;
            known.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

fn open_engine(folder: &std::path::Path) -> Engine {
    std::fs::write(folder.join("a.py"), SOURCE).unwrap();
    let settings = engine::Settings::with_start(folder);
    Engine::open(settings, Box::new(())).unwrap()
}

impl TestViewer {
    fn start() -> TestViewer {
        let folder = tempfile::tempdir().unwrap();
        let options = ViewOptions {
            engine: open_engine(folder.path()),
            memory: None,
            port: 0,
        };
        let (send, receive) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            serve_view(options, |addresses| send.send(addresses.clone()).unwrap()).unwrap();
        });
        let addresses = receive.recv_timeout(Duration::from_secs(20)).unwrap();
        let path = |address: &str| {
            let (_, rest) = address.split_once("127.0.0.1:").unwrap();
            let (port, path) = rest.split_once('/').unwrap();
            (port.parse().unwrap(), format!("/{path}"))
        };
        let (port, page) = path(&addresses.page);
        TestViewer {
            port,
            page,
            once: path(&addresses.once).1,
            _folder: folder,
        }
    }

    fn send(&self, method: &str, path: &str, headers: &str, body: &str) -> HttpAnswer {
        let head = format!(
            "{method} {path} HTTP/1.1\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n",
            body.len()
        );
        let mut stream = std::net::TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        // A request that is refused may not be read to its end.
        let _ = stream.write_all(format!("{head}{body}").as_bytes());
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").expect("an answer");
        HttpAnswer {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            head: head.to_owned(),
            body: body.to_owned(),
        }
    }

    fn host(&self) -> String {
        format!("Host: 127.0.0.1:{}\r\n", self.port)
    }

    fn get(&self, path: &str) -> HttpAnswer {
        self.send("GET", path, &self.host(), "")
    }

    fn ask(&self, operation: &str, request: &str) -> HttpAnswer {
        let path = format!("{}api/{operation}", self.page);
        let headers = format!("{}Content-Type: application/json\r\n", self.host());
        self.send("POST", &path, &headers, request)
    }
}

#[test]
fn the_page_and_its_files_are_served_with_a_strict_policy() {
    let viewer = TestViewer::start();
    for asset in assets::ASSETS {
        let said = viewer.get(&format!("{}{}", viewer.page, asset.name));
        assert_eq!(said.status, 200, "{}", asset.name);
        assert_eq!(said.header("content-type"), Some(asset.content_type));
    }
    let page = viewer.get(&viewer.page);
    assert!(page.status == 200 && page.body.contains("<main"));
    for (name, value) in HEADERS {
        assert_eq!(page.header(name.as_str()), Some(value));
    }
    // The page keeps to its policy: no script or style within it, nothing from elsewhere.
    for part in [
        "<script>", "onclick", "style=", "<style", "http://", "https://",
    ] {
        assert!(!page.body.contains(part), "{part}");
    }
    assert_eq!(viewer.get(&format!("{}secret", viewer.page)).status, 404);
    let other = format!("{}../../etc/passwd", viewer.page);
    assert_eq!(viewer.get(&other).status, 404);
}

#[test]
fn who_has_no_token_or_is_another_page_gets_nothing() {
    let viewer = TestViewer::start();
    for path in ["/", "/index.html", "/api/search", "/open/x"] {
        assert_eq!(viewer.get(path).status, 403, "{path}");
    }
    let page = &viewer.page;
    for headers in [
        "Host: evil.example\r\n".to_owned(),
        format!("{}Origin: http://evil.example\r\n", viewer.host()),
        format!("{}Sec-Fetch-Site: cross-site\r\n", viewer.host()),
    ] {
        let said = viewer.send("GET", page, &headers, "");
        assert_eq!(said.status, 403, "{headers}");
        assert!(!said.body.contains("<main"));
    }
    let twice = format!("{0}{0}", viewer.host());
    assert_eq!(viewer.send("GET", page, &twice, "").status, 400);
    let named = format!("Host: x@127.0.0.1:{}\r\n", viewer.port);
    assert_eq!(viewer.send("GET", page, &named, "").status, 400);
}

#[test]
fn the_address_for_the_browser_leads_to_the_page_once() {
    let viewer = TestViewer::start();
    let said = viewer.get(&viewer.once);
    assert_eq!(said.status, 303);
    let page = said.header("location").unwrap().to_owned();
    assert_eq!(viewer.get(&page).status, 200);
    assert_eq!(viewer.get(&viewer.once).status, 403);
    assert_eq!(viewer.get(&page).status, 403);
    assert_eq!(viewer.get(&viewer.page).status, 200);
}

#[test]
fn operations_that_read_are_answered_and_no_others() {
    let viewer = TestViewer::start();
    let found = viewer.ask("search", r#"{"query": "helper", "mode": "symbol"}"#);
    assert_eq!(found.status, 200, "{}", found.body);
    assert_eq!(found.json()["results"][0]["symbol"], "helper");
    let chain = viewer.ask("call-chain", r#"{"symbol": "helper"}"#).json();
    assert_eq!(chain["paths"][0]["callers"][0]["symbol_name"], "caller");
    for (operation, request) in [
        ("index", "{}"),
        ("index-clear", "{}"),
        ("cache-clear", "{}"),
        ("index-status", r#"{"action": "clear"}"#),
        ("graph-store", r#"{"action": "vacuum"}"#),
        ("pattern", r#"{"action": "learn"}"#),
        ("federation", r#"{"action": "update"}"#),
    ] {
        assert_eq!(viewer.ask(operation, request).status, 403, "{operation}");
    }
    for name in ["nothing", "save_solution", "", "../search"] {
        assert_eq!(viewer.ask(name, "{}").status, 404, "{name}");
    }
    let unknown = viewer.ask("symbol", r#"{"symbol": "none such"}"#);
    assert_eq!(unknown.status, 400);
    let message = unknown.json()["error"]["message"].to_string();
    assert!(message.contains("none such"), "{message}");
}

#[test]
fn a_question_has_one_method_one_type_and_a_size() {
    let viewer = TestViewer::start();
    let path = format!("{}api/search", viewer.page);
    let json = format!("{}Content-Type: application/json\r\n", viewer.host());
    let plain = format!("{}Content-Type: text/plain\r\n", viewer.host());
    let request = r#"{"query": "helper"}"#;
    for method in ["GET", "PUT", "DELETE", "OPTIONS"] {
        assert_eq!(
            viewer.send(method, &path, &json, "").status,
            405,
            "{method}"
        );
    }
    assert_eq!(viewer.send("POST", &viewer.page, &json, "").status, 405);
    assert_eq!(viewer.send("POST", &path, &plain, request).status, 415);
    assert_eq!(viewer.send("POST", &path, &json, "{").status, 400);
    let long = format!(r#"{{"query": "{}"}}"#, "x".repeat(100_000));
    assert_eq!(viewer.send("POST", &path, &json, &long).status, 413);
}

#[test]
fn text_of_the_repository_is_data() {
    let viewer = TestViewer::start();
    let said = viewer.ask("symbol", r#"{"symbol": "helper"}"#);
    assert!(!said.body.contains('\u{202e}'));
    assert_eq!(said.header("content-type"), Some("application/json"));
    let source = said.json()["source"]["text"].to_string();
    assert!(source.contains("</script>"), "{source}");
    // The page creates its elements itself, and inserts text only as text.
    for asset in assets::ASSETS {
        let text = String::from_utf8_lossy(asset.bytes);
        for way in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "DOMParser",
            "createContextualFragment",
            "eval(",
            "new Function",
            "javascript:",
        ] {
            assert!(!text.contains(way), "{}: {way}", asset.name);
        }
    }
}

#[test]
fn an_exported_page_holds_the_picture_and_says_what_it_leaves_out() {
    let folder = tempfile::tempdir().unwrap();
    let engine = open_engine(folder.path());
    let page = export_page(&engine, &ExportLimits::default()).unwrap();
    assert_eq!(page.symbols, 2);
    let (_, answers) = page.html.split_once("id=\"answers\">").unwrap();
    let (answers, _) = answers.split_once("</script>").unwrap();
    let answers: Value = serde_json::from_str(answers).unwrap();
    let names = answers["layout:"]["nodes"]["name"].as_array().unwrap();
    assert!(names.contains(&Value::from("helper")), "{names:?}");
    let said = answers["about:"]["left_out"].to_string();
    assert!(said.contains("source code"), "{said}");
    assert!(!page.html.contains("return helper()"));
    // The page does not tell where the project lies.
    let place = folder.path().display().to_string();
    assert!(!page.html.contains(&place), "{place}");
    // With less room, the page says how many symbols it lacks.
    let limits = ExportLimits {
        symbol_bytes: 0,
        ..ExportLimits::default()
    };
    let small = export_page(&engine, &limits).unwrap();
    assert_eq!(small.symbols, 0);
    let line = "callers and callees of 2 of 2 symbols".to_owned();
    assert!(small.left_out.contains(&line), "{:?}", small.left_out);
}
