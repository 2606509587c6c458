//! The MCP server over streamable HTTP, for this machine alone unless its owner says otherwise.
//!
//! A page in a browser must not reach it: requests with a foreign `Origin` or `Host` are refused, and without the
//! token nothing is answered.

use super::{ServeError, Server, Serving, runtime};
use http_body_util::{BodyExt, Full, combinators::BoxBody};
use hyper::body::{Bytes, Incoming};
use hyper::http::{HeaderValue, StatusCode, header};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// Connections at once; the next waits.
const MOST_CONNECTIONS: usize = 256;

/// How long a client may take to say what it wants.
const HEADERS: Duration = Duration::from_secs(10);

/// Where the protocol is spoken.
const PATH: &str = "/mcp";

/// How it is served.
#[derive(Debug, Clone)]
pub struct Http {
    /// Where to listen; port 0 for any that is free.
    pub address: SocketAddr,
    /// What a client must show; none to ask for nothing.
    pub token: Option<String>,
    /// Whether an address that other machines reach is meant.
    pub remote: bool,
}

type Answer = Response<BoxBody<Bytes, Infallible>>;
type Service = StreamableHttpService<Server, LocalSessionManager>;

impl Http {
    /// A token that nobody can guess: 32 random bytes.
    pub fn new_token() -> Result<String, std::io::Error> {
        let mut bytes = [0u8; 32];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    fn check(&self) -> Result<(), ServeError> {
        let refused = |why: &str| Err(ServeError::Refused(format!("{}: {why}", self.address)));
        match (self.address.ip().is_loopback(), self.remote, &self.token) {
            (true, _, _) | (false, true, Some(_)) => Ok(()),
            (false, false, _) => refused("other machines would reach it"),
            (false, true, None) => refused("other machines would reach it without a token"),
        }
    }
}

/// Serves until the process is ended. `listening` hears where, once connections are taken.
pub fn serve_http(
    serving: Serving,
    http: Http,
    listening: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    http.check()?;
    runtime()?.block_on(async {
        let fail = |source| ServeError::Listen {
            address: http.address,
            source,
        };
        let listener = TcpListener::bind(http.address).await.map_err(fail)?;
        let address = listener.local_addr().map_err(fail)?;
        let server = Server::new(serving);
        let mut config = StreamableHttpServerConfig::default()
            .enforce_origin_validation()
            .with_allowed_origins(["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"]);
        if http.remote {
            // By which name other machines call this one is not known; they show the token.
            config = config.disable_allowed_hosts();
        }
        let sessions = Arc::new(LocalSessionManager::default());
        let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
        listening(address);
        accept(listener, service, http.token.map(Arc::from)).await;
        Ok(())
    })
}

async fn accept(listener: TcpListener, service: Service, token: Option<Arc<str>>) {
    let room = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok(place) = room.clone().acquire_owned().await else {
            return;
        };
        match listener.accept().await {
            Ok((stream, _)) => {
                let (service, token) = (service.clone(), token.clone());
                tokio::spawn(async move {
                    converse(stream, service, token).await;
                    drop(place);
                });
            }
            Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
        }
    }
}

async fn converse(stream: TcpStream, service: Service, token: Option<Arc<str>>) {
    let answer = service_fn(move |request: Request<Incoming>| {
        let (service, token) = (service.clone(), token.clone());
        async move { Ok::<Answer, Infallible>(answer(request, &service, token.as_deref()).await) }
    });
    // A client that goes away has its reasons.
    let _ = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS)
        .serve_connection(TokioIo::new(stream), answer)
        .await;
}

async fn answer(request: Request<Incoming>, service: &Service, token: Option<&str>) -> Answer {
    if token.is_some_and(|token| !shows(&request, token)) {
        let mut refused = plain(StatusCode::UNAUTHORIZED, "a bearer token is needed\n");
        let how = HeaderValue::from_static("Bearer");
        refused.headers_mut().insert(header::WWW_AUTHENTICATE, how);
        return refused;
    }
    match request.uri().path() {
        PATH | "/" => service.handle(request).await,
        _ => plain(StatusCode::NOT_FOUND, "the protocol is spoken at /mcp\n"),
    }
}

/// Whether a request shows the token. How long that takes says nothing of the token.
fn shows(request: &Request<Incoming>, token: &str) -> bool {
    let given = request.headers().get(header::AUTHORIZATION);
    let given = given
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let (scheme, given) = given.split_once(' ').unwrap_or_default();
    scheme.eq_ignore_ascii_case("bearer") && is_same(given.trim().as_bytes(), token.as_bytes())
}

fn is_same(given: &[u8], token: &[u8]) -> bool {
    let differences = given.iter().zip(token).fold(0, |all, (a, b)| all | (a ^ b));
    given.len() == token.len() && differences == 0
}

fn plain(status: StatusCode, text: &'static str) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed());
    *answer.status_mut() = status;
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_machines_are_let_in_on_purpose_alone() {
        let http = |address: &str, token: Option<&str>, remote| Http {
            address: address.parse().unwrap(),
            token: token.map(str::to_owned),
            remote,
        };
        assert!(http("127.0.0.1:0", None, false).check().is_ok());
        assert!(http("[::1]:0", Some("x"), false).check().is_ok());
        assert!(http("0.0.0.0:0", Some("x"), true).check().is_ok());
        assert!(http("0.0.0.0:0", Some("x"), false).check().is_err());
        assert!(http("192.168.0.1:0", None, true).check().is_err());
    }

    #[test]
    fn tokens_are_long_and_never_the_same() {
        let (one, two) = (Http::new_token().unwrap(), Http::new_token().unwrap());
        assert!(one.len() == 64 && one != two);
        assert!(is_same(b"abc", b"abc"));
        for other in [&b""[..], b"ab", b"abcd", b"abd"] {
            assert!(!is_same(other, b"abc"));
        }
    }
}
