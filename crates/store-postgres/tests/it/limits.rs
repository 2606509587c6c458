//! Servers that are silent, that send without end, and that disconnect in the middle.

use crate::common::{new_name, running};
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use store::contract::{sample_call, sample_node};
use store::{FileRecord, GraphChange, GraphStore, SqliteStore, StoreError};
use store_postgres::{Limits, Pool, PostgresStore, Server};

/// A small fake server. It admits everybody, and then behaves as follows.
#[derive(Clone, Copy)]
enum Behaviour {
    /// It never sends anything.
    NeverGreets,
    /// It never answers a question.
    NeverAnswers,
    /// It answers with an endless number of rows.
    Rows,
    /// It sends endless notices and no answer.
    Notices,
    /// It sends one row of a gigabyte.
    LongRow,
}

/// The address of a server, which ends with this process.
fn serve(behaviour: Behaviour) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!(
        "postgresql://ann:s3cret@{}/graphs?sslmode=disable",
        listener.local_addr().unwrap()
    );
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            // The client disconnects in the end, which is an error here.
            std::thread::spawn(move || talk(&stream.unwrap(), behaviour));
        }
    });
    address
}

fn message(kind: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![kind];
    bytes.extend((body.len() as u32 + 4).to_be_bytes());
    bytes.extend(body);
    bytes
}

fn read_message(mut stream: &TcpStream, has_kind: bool) -> std::io::Result<(u8, Vec<u8>)> {
    let mut kind = [0];
    if has_kind {
        stream.read_exact(&mut kind)?;
    }
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let mut body = vec![0; u32::from_be_bytes(length) as usize - 4];
    stream.read_exact(&mut body)?;
    Ok((kind[0], body))
}

fn talk(mut stream: &TcpStream, behaviour: Behaviour) -> std::io::Result<()> {
    read_message(stream, false)?;
    if matches!(behaviour, Behaviour::NeverGreets) {
        return read_message(stream, false).map(|_| ());
    }
    let ready = message(b'Z', b"I");
    let mut greeting = message(b'R', &[0; 4]);
    greeting.extend(message(b'K', &[0; 8]));
    greeting.extend(&ready);
    stream.write_all(&greeting)?;
    let mut is_preparing = false;
    loop {
        match read_message(stream, true)?.0 {
            b'Q' => stream.write_all(&[message(b'C', b"SET\0"), ready.clone()].concat())?,
            b'P' => is_preparing = true,
            b'S' if is_preparing => {
                is_preparing = false;
                // One column of 32 bits.
                let mut columns = vec![0, 1];
                columns.extend(b"x\0");
                columns.extend([0; 6]);
                columns.extend(23u32.to_be_bytes());
                columns.extend([0, 4, 255, 255, 255, 255, 0, 1]);
                let parts = [
                    message(b'1', &[]),
                    message(b't', &[0, 0]),
                    message(b'T', &columns),
                    ready.clone(),
                ];
                stream.write_all(&parts.concat())?;
            }
            b'S' => answer(stream, behaviour)?,
            b'X' => return Ok(()),
            _ => {}
        }
    }
}

fn answer(mut stream: &TcpStream, behaviour: Behaviour) -> std::io::Result<()> {
    match behaviour {
        Behaviour::NeverGreets | Behaviour::NeverAnswers => Ok(()),
        Behaviour::Rows => {
            stream.write_all(&message(b'2', &[]))?;
            let row = message(b'D', &[0, 1, 0, 0, 0, 4, 0, 0, 0, 2]);
            let rows = row.repeat(1_000);
            loop {
                stream.write_all(&rows)?;
            }
        }
        Behaviour::Notices => {
            let notice = message(b'N', b"SNOTICE\0VNOTICE\0C00000\0Mhello\0\0");
            let notices = notice.repeat(1_000);
            loop {
                stream.write_all(&notices)?;
            }
        }
        Behaviour::LongRow => {
            stream.write_all(&message(b'2', &[]))?;
            stream.write_all(b"D")?;
            stream.write_all(&(1u32 << 30).to_be_bytes())?;
            let part = [0; 64 << 10];
            loop {
                stream.write_all(&part)?;
            }
        }
    }
}

fn short() -> Limits {
    Limits {
        connect: Duration::from_millis(300),
        statement: Duration::from_millis(300),
        ..Limits::default()
    }
}

fn ask(behaviour: Behaviour, limits: Limits) -> StoreError {
    let server = Server::parse(&serve(behaviour)).unwrap();
    let pool = Pool::new(server.with_limits(limits), 2);
    let refused = PostgresStore::open_read_only(&pool, "team/project");
    let error = refused.err().unwrap();
    let text = format!("{error} {error:?}");
    assert!(!text.contains("s3cret"), "{text}");
    error
}

#[test]
fn a_silent_server_ends_a_question_with_an_error() {
    for behaviour in [Behaviour::NeverGreets, Behaviour::NeverAnswers] {
        let error = ask(behaviour, short());
        assert!(matches!(error, StoreError::Unreachable { .. }), "{error:?}");
        let text = error.to_string();
        assert!(text.contains("no answer within 0.3 s"), "{text}");
    }
}

#[test]
fn a_server_that_never_stops_ends_a_question_with_an_error() {
    // These do not end because of time.
    let patient = Limits {
        statement: Duration::from_secs(600),
        ..Limits::default()
    };
    let few_rows = Limits {
        answer_rows: 10_000,
        ..patient.clone()
    };
    let few_bytes = Limits {
        answer_bytes: 4 << 20,
        ..patient
    };
    for (behaviour, limits, said) in [
        (Behaviour::Rows, few_rows, "more than 10000 rows"),
        (Behaviour::Rows, few_bytes.clone(), "more than 4 MB"),
        (Behaviour::Notices, few_bytes.clone(), "more than 4 MB"),
        (Behaviour::LongRow, few_bytes, "more than 4 MB"),
    ] {
        let error = ask(behaviour, limits);
        assert!(matches!(error, StoreError::Oversized { .. }), "{error:?}");
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[test]
fn notices_without_end_do_not_stretch_the_time() {
    let limits = Limits {
        answer_bytes: u64::MAX,
        ..short()
    };
    let error = ask(Behaviour::Notices, limits);
    assert!(error.to_string().contains("no answer within"), "{error}");
}

#[test]
fn a_graph_that_is_larger_than_its_limit_is_named_as_that() {
    let Some(running) = running() else { return };
    let few_bytes = Limits {
        repository_bytes: 10_000,
        ..Limits::default()
    };
    let server = Server::parse(&running.address).unwrap();
    let pool = Pool::new(server.with_limits(few_bytes), 2);
    let mut store = PostgresStore::open(&pool, &new_name()).unwrap();
    store.apply_change(&large_graph()).unwrap();
    let refused = store.snapshot().err().unwrap();
    assert!(
        matches!(refused, StoreError::Oversized { .. }),
        "{refused:?}"
    );
}

/// A proxy to the server; the first connections through it break after `after` bytes from the client.
fn breaking_way(folder: &str, after: usize, times: usize) -> (String, Arc<AtomicUsize>) {
    let socket = format!("{folder}/.s.PGSQL.5432");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!(
        "postgresql://postgres@{}/postgres",
        listener.local_addr().unwrap()
    );
    let broken = Arc::new(AtomicUsize::new(0));
    let counted = broken.clone();
    std::thread::spawn(move || {
        for client in listener.incoming() {
            let (client, server) = (client.unwrap(), UnixStream::connect(&socket).unwrap());
            let (mut back, mut into) = (server.try_clone().unwrap(), client.try_clone().unwrap());
            std::thread::spawn(move || {
                let _ = std::io::copy(&mut back, &mut into);
                let _ = into.shutdown(Shutdown::Both);
            });
            let broken = counted.clone();
            std::thread::spawn(move || {
                let breaks = broken.load(Ordering::SeqCst) < times;
                let most = if breaks { after as u64 } else { u64::MAX };
                let passed = std::io::copy(&mut (&client).take(most), &mut (&server));
                if breaks && passed.is_ok_and(|passed| passed == most) {
                    broken.fetch_add(1, Ordering::SeqCst);
                }
                let _ = server.shutdown(Shutdown::Both);
                let _ = client.shutdown(Shutdown::Both);
            });
        }
    });
    (address, broken)
}

fn large_graph() -> GraphChange {
    GraphChange {
        clear_all: true,
        files: vec![FileRecord {
            path: "a.ts".to_owned(),
            output_hash: "large".to_owned(),
            ..FileRecord::default()
        }],
        nodes: (0..4_000)
            .map(|n| sample_node(&format!("n{n:04}"), "f", "a.ts", n + 1))
            .collect(),
        edges: (1..4_000)
            .map(|n| sample_call("n0000", &format!("n{n:04}"), "a.ts", n))
            .collect(),
        ..GraphChange::default()
    }
}

#[test]
fn a_database_that_goes_away_while_a_graph_is_published_is_tried_again_and_then_named() {
    let Some(running) = running() else { return };
    let folder = tempfile::TempDir::new().unwrap();
    let mut local = SqliteStore::open(&folder.path().join("graph.db")).unwrap();
    let mut small = large_graph();
    small.nodes.truncate(3);
    small.edges.truncate(2);
    small.files[0].output_hash = "small".to_owned();
    local.apply_change(&small).unwrap();
    let name = new_name();
    let mut direct = PostgresStore::open(&crate::common::pool().unwrap(), &name).unwrap();
    direct.publish(&local, Some("c0ffee"), &[]).unwrap();
    local.apply_change(&large_graph()).unwrap();
    // Every attempt breaks: the result is an error, and the published graph stays.
    let (address, broken) = breaking_way(running.folder(), 200_000, usize::MAX);
    let pool = Pool::new(Server::parse(&address).unwrap(), 2);
    let mut way = PostgresStore::open(&pool, &name).unwrap();
    let gone = way.publish(&local, Some("beef"), &[]).err().unwrap();
    assert!(matches!(gone, StoreError::Unreachable { .. }), "{gone:?}");
    assert_eq!(
        broken.load(Ordering::SeqCst),
        4,
        "the first try and three more"
    );
    assert_eq!(direct.stats().unwrap().nodes, 3);
    // It breaks once: the caller does not notice.
    let (address, broken) = breaking_way(running.folder(), 200_000, 1);
    let pool = Pool::new(Server::parse(&address).unwrap(), 2);
    let mut way = PostgresStore::open(&pool, &name).unwrap();
    way.publish(&local, Some("beef"), &[]).unwrap();
    assert_eq!(broken.load(Ordering::SeqCst), 1);
    assert_eq!(direct.stats().unwrap().nodes, 4_000);
}
