//! A small HTTP server on this machine, for tests of adapters to providers. It gives scripted answers: also slow, incomplete
//! or none.

use std::io::{BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// A request as received.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Path, with the query behind the question mark.
    pub path: String,
    /// Header names in lower case, and their values.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
}

impl Request {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(n, _)| n == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// A reply.
#[derive(Debug, Clone)]
pub struct Reply {
    /// Status.
    pub status: u16,
    /// Headers besides length and type.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: String,
    /// Time to wait before it.
    pub delay: Duration,
    /// Number of bytes of the body to send before hanging up; `None` for all.
    pub cut: Option<usize>,
}

impl Reply {
    /// A JSON answer.
    pub fn new(status: u16, body: impl Into<String>) -> Reply {
        Reply {
            status,
            headers: Vec::new(),
            body: body.into(),
            delay: Duration::ZERO,
            cut: None,
        }
    }

    /// Adds a header.
    pub fn with_header(mut self, name: &str, value: &str) -> Reply {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }
}

/// A server that ends when it is dropped.
pub struct Server {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<Request>>>,
    ended: Arc<AtomicBool>,
}

impl Server {
    /// Answers each request with the reply that `answer` makes from it and the number of requests before it.
    ///
    /// # Panics
    /// If no port is free.
    pub fn start(answer: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static) -> Server {
        let listener = match TcpListener::bind("127.0.0.1:0") {
            Ok(listener) => listener,
            Err(error) => panic!("no port: {error}"),
        };
        let address = match listener.local_addr() {
            Ok(address) => address,
            Err(error) => panic!("no address: {error}"),
        };
        let seen: Arc<Mutex<Vec<Request>>> = Arc::default();
        let ended = Arc::new(AtomicBool::new(false));
        let answer = Arc::new(answer);
        let (requests, stop) = (seen.clone(), ended.clone());
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                let (requests, answer) = (requests.clone(), answer.clone());
                std::thread::spawn(move || {
                    let _ = serve_connection(stream, &requests, &*answer);
                });
            }
        });
        Server {
            address,
            seen,
            ended,
        }
    }

    /// `http://127.0.0.1:port`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<Request> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Relaxed);
        let _ = TcpStream::connect(self.address);
    }
}

/// Serves one request on one connection.
fn serve_connection(
    stream: TcpStream,
    seen: &Mutex<Vec<Request>>,
    answer: &(dyn Fn(&Request, usize) -> Reply + Send + Sync),
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    let request = read_request(&mut reader)?;
    let before = {
        let mut seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.push(request.clone());
        seen.len() - 1
    };
    let reply = answer(&request, before);
    std::thread::sleep(reply.delay);
    let mut head = format!(
        "HTTP/1.1 {} Answer\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n",
        reply.status,
        reply.body.len()
    );
    for (name, value) in &reply.headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    let mut stream = stream;
    stream.write_all(format!("{head}\r\n").as_bytes())?;
    let body = reply.body.as_bytes();
    stream.write_all(&body[..reply.cut.unwrap_or(body.len()).min(body.len())])?;
    stream.flush()
}

fn read_request(reader: &mut impl BufRead) -> std::io::Result<Request> {
    let mut request = Request::default();
    let mut line = String::new();
    reader.read_line(&mut line)?;
    request.path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut length = 0;
    loop {
        line.clear();
        if reader.read_line(&mut line)? == 0 || line.trim().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            let (name, value) = (name.trim().to_lowercase(), value.trim().to_owned());
            if name == "content-length" {
                length = value.parse().unwrap_or(0);
            }
            request.headers.push((name, value));
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    request.body = String::from_utf8_lossy(&body).into_owned();
    Ok(request)
}
