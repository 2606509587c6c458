//! Limits for clients, and the behaviour beyond them.

use super::*;
use serde_json::{Value, json};
use std::io::{BufRead, Read, Write};
use std::time::Instant;

#[test]
fn other_machines_are_let_in_on_purpose_alone() {
    let http = |address: &str, token: Option<&str>, remote| Http {
        address: address.parse().unwrap(),
        token: token.map(str::to_owned),
        remote,
    };
    assert!(http("127.0.0.1:0", None, false).check_exposure().is_ok());
    assert!(http("[::1]:0", Some("x"), false).check_exposure().is_ok());
    assert!(http("0.0.0.0:0", Some("x"), true).check_exposure().is_ok());
    assert!(
        http("0.0.0.0:0", Some("x"), false)
            .check_exposure()
            .is_err()
    );
    assert!(http("192.168.0.1:0", None, true).check_exposure().is_err());
}

#[test]
fn tokens_are_long_and_never_the_same() {
    let (one, two) = (Http::new_token().unwrap(), Http::new_token().unwrap());
    assert!(one.len() == 64 && one != two);
    assert!(constant_time_equals(b"abc", b"abc"));
    for other in [&b""[..], b"ab", b"abcd", b"abd"] {
        assert!(!constant_time_equals(other, b"abc"));
    }
}

/// A server that ends with the test program.
struct TestServer {
    address: SocketAddr,
    shared: Arc<SharedState>,
    _folder: tempfile::TempDir,
}

/// An answer.
struct HttpAnswer {
    status: u16,
    session: Option<String>,
    body: String,
}

const PATIENCE: Duration = Duration::from_secs(20);

impl TestServer {
    fn start(bounds: ServerLimits) -> TestServer {
        let folder = tempfile::tempdir().unwrap();
        let serving = ServerOptions {
            settings: engine::Settings::with_start(folder.path()),
            progress: || Box::new(()),
            preset: crate::mcp::Preset::Full,
            structured: false,
            memory: None,
            only_solutions: false,
            #[cfg(unix)]
            daemon: None,
        };
        let http = Http {
            address: "127.0.0.1:0".parse().unwrap(),
            token: Some("sesame".to_owned()),
            remote: false,
        };
        platform::process::raise_open_file_limit();
        let listener = std::net::TcpListener::bind(http.address).unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(SharedState::new(Server::new(serving), http, bounds));
        let served = shared.clone();
        std::thread::spawn(move || {
            build_runtime().unwrap().block_on(async move {
                let listener = TcpListener::from_std(listener).unwrap();
                accept_loop(listener, served).await;
            });
        });
        TestServer {
            address,
            shared,
            _folder: folder,
        }
    }

    fn connect(&self) -> std::net::TcpStream {
        let stream = std::net::TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    fn request_head(&self, method: &str, session: Option<&str>, more: &str) -> String {
        let session = session.map_or(String::new(), |id| format!("Mcp-Session-Id: {id}\r\n"));
        format!(
            "{method} /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer sesame\r\n\
             Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n{session}{more}\r\n",
            self.address
        )
    }

    fn post(&self, session: Option<&str>, message: &Value) -> HttpAnswer {
        let body = message.to_string();
        let more = format!("Content-Length: {}\r\nConnection: close\r\n", body.len());
        let head = self.request_head("POST", session, &more);
        let mut stream = self.connect();
        stream
            .write_all(format!("{head}{body}").as_bytes())
            .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        HttpAnswer::parse(&text)
    }

    /// A new session.
    fn begin_session(&self) -> String {
        let said = self.post(None, &initialize_message());
        assert_eq!(said.status, 200, "{}", said.body);
        said.session.unwrap()
    }

    /// The tools, asked for in a session.
    fn list_tools(&self, session: &str) -> HttpAnswer {
        let message = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        self.post(Some(session), &message);
        let message = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
        self.post(Some(session), &message)
    }

    /// A connection over which only this text has been sent. The server may close it meanwhile.
    fn send_partial(&self, text: &str) -> std::net::TcpStream {
        let mut stream = self.connect();
        let _ = stream.write_all(text.as_bytes());
        stream
    }

    /// A stream of events.
    fn open_event_stream(&self, session: &str) -> std::net::TcpStream {
        self.send_partial(&self.request_head("GET", Some(session), ""))
    }
}

/// Waits until a stream of events has begun.
fn wait_stream_begun(mut stream: &std::net::TcpStream) {
    let mut first = [0; 12];
    stream.read_exact(&mut first).unwrap();
    assert_eq!(&first, b"HTTP/1.1 200");
}

impl HttpAnswer {
    fn parse(text: &str) -> HttpAnswer {
        let (head, body) = text.split_once("\r\n\r\n").expect("an answer");
        let session = head.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            let found = name.eq_ignore_ascii_case("mcp-session-id");
            found.then(|| value.to_owned())
        });
        HttpAnswer {
            status: head.split(' ').nth(1).unwrap().parse().unwrap(),
            session,
            body: body.to_owned(),
        }
    }
}

fn initialize_message() -> Value {
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}
    }})
}

/// Whether the other side has closed a connection, after all that it sent has been read.
fn is_closed(stream: &std::net::TcpStream) -> bool {
    let pause = Duration::from_millis(20);
    stream.set_read_timeout(Some(pause)).unwrap();
    let mut stream = stream;
    let mut bytes = [0; 4_096];
    loop {
        match stream.read(&mut bytes) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) => return error.kind() == std::io::ErrorKind::ConnectionReset,
        }
    }
}

fn wait_until(what: impl Fn() -> bool) {
    let since = Instant::now();
    while !what() {
        assert!(since.elapsed() < PATIENCE, "it never came true");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn bounds_with_connections(connections: usize) -> ServerLimits {
    ServerLimits {
        connections,
        head_time: Duration::from_secs(600),
        body_time: Duration::from_secs(600),
        ..ServerLimits::default()
    }
}

#[test]
fn connections_without_a_request_keep_nobody_out() {
    let served = TestServer::start(bounds_with_connections(256));
    let begun = "POST /mcp HTTP/1.1\r\nHost: ";
    let _half: Vec<_> = (0..300).map(|_| served.send_partial(begun)).collect();
    let _silent: Vec<_> = (0..300).map(|_| served.connect()).collect();
    served.begin_session();
    assert!(served.shared.connections.open_and_evicted_counts().0 <= 256);
}

#[test]
fn messages_that_never_end_keep_nobody_out() {
    let served = TestServer::start(bounds_with_connections(64));
    let head = served.request_head("POST", None, "Content-Length: 1000\r\n");
    let _half: Vec<_> = (0..64)
        .map(|_| served.send_partial(&format!("{head}{{\"jsonrpc\"")))
        .collect();
    let session = served.begin_session();
    assert!(served.list_tools(&session).body.contains("ci_search"));
}

#[test]
fn a_message_that_does_not_come_in_time_is_given_up() {
    let served = TestServer::start(ServerLimits {
        body_time: Duration::from_millis(100),
        ..ServerLimits::default()
    });
    let head = served.request_head("POST", None, "Content-Length: 1000\r\n");
    let mut text = String::new();
    served
        .send_partial(&format!("{head}{{"))
        .read_to_string(&mut text)
        .unwrap();
    assert_eq!(HttpAnswer::parse(&text).status, 408);
    let head = served.request_head("POST", None, "Content-Length: 900000000\r\n");
    let mut stream = served.send_partial(&head);
    // The message is refused before it is complete.
    let _ = stream.write_all(&vec![b' '; 5 << 20]);
    wait_until(|| is_closed(&stream));
}

#[test]
fn what_is_kept_of_unfinished_messages_is_bounded_over_all_of_them() {
    let served = TestServer::start(ServerLimits {
        unfinished: 4 << 20,
        ..bounds_with_connections(256)
    });
    let head = served.request_head("POST", None, "Content-Length: 1000000\r\n");
    let text = format!("{head}{}", " ".repeat(900_000));
    let half: Vec<_> = (0..10).map(|_| served.send_partial(&text)).collect();
    wait_until(|| half.iter().filter(|stream| is_closed(stream)).count() >= 6);
    served.begin_session();
    assert!(half.iter().filter(|stream| !is_closed(stream)).count() >= 3);
}

#[test]
fn streams_of_events_keep_nobody_out() {
    let served = TestServer::start(bounds_with_connections(64));
    let other = served.begin_session();
    let others = served.open_event_stream(&other);
    wait_stream_begun(&others);
    let greedy = served.begin_session();
    let streams: Vec<_> = (0..300)
        .map(|_| served.open_event_stream(&greedy))
        .collect();
    wait_stream_begun(&streams[299]);
    wait_until(|| streams.iter().filter(|stream| !is_closed(stream)).count() == 4);
    assert!(!is_closed(&streams[299]) && !is_closed(&others));
    // One stream for each of many sessions: the oldest is evicted.
    let many: Vec<_> = (0..80)
        .map(|_| served.open_event_stream(&served.begin_session()))
        .collect();
    wait_stream_begun(&many[79]);
    let session = served.begin_session();
    assert!(served.list_tools(&session).body.contains("ci_search"));
    assert!(served.shared.connections.open_and_evicted_counts().0 <= 64);
    assert!(!is_closed(&many[79]));
}

#[test]
fn a_session_is_ended_as_clients_expect() {
    let served = TestServer::start(ServerLimits::default());
    let delete = |session: &str| {
        let head = served.request_head("DELETE", Some(session), "Connection: close\r\n");
        let mut text = String::new();
        served
            .send_partial(&head)
            .read_to_string(&mut text)
            .unwrap();
        HttpAnswer::parse(&text)
    };
    let session = served.begin_session();
    assert_eq!(served.list_tools(&session).status, 200);
    let ended = delete(&session);
    assert_eq!((ended.status, ended.body.as_str()), (204, ""));
    assert_eq!(served.list_tools(&session).status, 404);
    assert_eq!(delete(&session).status, 404);
}

#[test]
fn sessions_are_bounded_and_those_in_use_stay() {
    let served = TestServer::start(ServerLimits {
        sessions: 64,
        ..ServerLimits::default()
    });
    let used = served.begin_session();
    assert_eq!(served.list_tools(&used).status, 200);
    let first = served.begin_session();
    // All requests use one connection.
    let body = initialize_message().to_string();
    let head = served.request_head("POST", None, &format!("Content-Length: {}\r\n", body.len()));
    let stream = served.send_partial("");
    let mut reader = std::io::BufReader::new(stream.try_clone().unwrap());
    let some = format!("{head}{body}").repeat(100);
    for _ in 0..50 {
        (&stream).write_all(some.as_bytes()).unwrap();
        for _ in 0..100 {
            let mut line = String::new();
            while line != "0\r\n" {
                line.clear();
                assert!(reader.read_line(&mut line).unwrap() > 0, "it hung up");
            }
            reader.read_line(&mut line).unwrap();
        }
    }
    assert!(served.shared.sessions.count() <= 64);
    assert_eq!(served.list_tools(&first).status, 404);
    let said = served.list_tools(&used);
    assert!(
        said.status == 200 && said.body.contains("ci_search"),
        "{}",
        said.body
    );
}

#[test]
fn a_stranger_keeps_no_connection() {
    let served = TestServer::start(ServerLimits::default());
    let head = served.request_head("POST", None, "Content-Length: 1000\r\n");
    let mut text = String::new();
    let mut stream = served.send_partial(&head.replace("sesame", "other"));
    stream.read_to_string(&mut text).unwrap();
    assert_eq!(HttpAnswer::parse(&text).status, 401);
}

#[test]
fn one_host_is_named_and_nobody_stands_before_it() {
    let served = TestServer::start(ServerLimits::default());
    let status = |hosts: &str| {
        let head = format!(
            "POST /mcp HTTP/1.1\r\n{hosts}Authorization: Bearer sesame\r\nContent-Length: 2\r\n\
             Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\nConnection: close\r\n\r\n{{}}"
        );
        let mut stream = served.connect();
        stream.write_all(head.as_bytes()).unwrap();
        let mut text = String::new();
        let _ = stream.read_to_string(&mut text);
        HttpAnswer::parse(&text).body
    };
    let refused = "one host must be named\n";
    assert_ne!(status("Host: 127.0.0.1\r\n"), refused);
    assert_eq!(status("Host: evil.example@127.0.0.1\r\n"), refused);
    let two = "Host: 127.0.0.1\r\nHost: evil.example\r\n";
    assert_eq!(status(two), refused);
}
