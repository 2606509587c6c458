//! The MCP server over streamable HTTP, for this machine alone unless its owner configures it otherwise.
//!
//! A page in a browser must not reach it: requests with a foreign `Origin` or `Host` are refused, and without the token nothing
//! is answered.

mod sessions;
mod steady;
#[cfg(test)]
mod tests;

use super::team::{Team, TeamGate, TeamServer, answer_without_token};
use super::turns::ClientKey;
use super::{ServeError, Server, ServerOptions, build_runtime};
use crate::connections::{ConnectionSlot, Connections, Limits, Phase};
use crate::shape;
use http_body_util::{BodyExt, Full, combinators::BoxBody};
use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use hyper::http::{HeaderValue, Method, StatusCode, header};
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use rmcp::transport::common::http_header::HEADER_SESSION_ID;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use sessions::Sessions;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use steady::WriteTimeout;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::timeout;

/// The path of the protocol.
const PATH: &str = "/mcp";

/// The most bytes of request line and headers.
const LONGEST_HEAD: usize = 32 << 10;

/// Limits of the server for its clients.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ServerLimits {
    /// The most connections at once; beyond it, the one that needs its place least is evicted.
    pub(crate) connections: usize,
    /// The most bytes of all incomplete requests.
    pub(crate) unfinished: usize,
    /// The most sessions at once; beyond it, the one that needs its place least is evicted.
    pub(crate) sessions: usize,
    /// The most event streams of one session; beyond it, the oldest ends.
    pub(crate) streams: usize,
    /// The most bytes of a message.
    pub(crate) body: usize,
    /// The longest that a client may take for the head of a request, and be idle between two requests.
    pub(crate) head_time: Duration,
    /// The longest that a message may take to be complete.
    pub(crate) body_time: Duration,
    /// The longest that a client may leave an answer unread.
    pub(crate) answer_time: Duration,
}

impl Default for ServerLimits {
    fn default() -> ServerLimits {
        ServerLimits {
            connections: 2_048,
            unfinished: 64 << 20,
            sessions: 1_024,
            streams: 4,
            body: 4 << 20,
            head_time: Duration::from_secs(10),
            body_time: Duration::from_secs(30),
            answer_time: Duration::from_secs(10),
        }
    }
}

/// Settings of the HTTP server.
#[derive(Debug, Clone)]
pub struct Http {
    /// The address to listen on; port 0 for any free one.
    pub address: SocketAddr,
    /// The token that clients must send; none where none is required.
    pub token: Option<String>,
    /// Whether an address that other machines can reach is intended.
    pub remote: bool,
}

pub(crate) type Answer = Response<BoxBody<Bytes, Infallible>>;

impl Http {
    /// A token that cannot be guessed: 32 random bytes.
    pub fn new_token() -> Result<String, std::io::Error> {
        let mut bytes = [0u8; 32];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        Ok(base::hex::encode(&bytes))
    }

    fn check_exposure(&self) -> Result<(), ServeError> {
        let refused = |why: &str| Err(ServeError::Refused(format!("{}: {why}", self.address)));
        match (self.address.ip().is_loopback(), self.remote, &self.token) {
            (true, _, _) | (false, true, Some(_)) => Ok(()),
            (false, false, _) => refused("other machines would reach it"),
            (false, true, None) => refused("other machines could reach the server without a token"),
        }
    }
}

/// Serves until the process ends. `listening` is called with the address once connections are accepted.
pub fn serve_http(
    serving: ServerOptions,
    http: Http,
    listening: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    serve_with_bounds(serving, http, ServerLimits::default(), listening)
}

fn serve_with_bounds(
    serving: ServerOptions,
    http: Http,
    bounds: ServerLimits,
    listening: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    http.check_exposure()?;
    let address = http.address;
    let shared = SharedState::new(Server::new(serving), http, bounds);
    listen(address, shared, listening)
}

/// Serves a team until the process ends: no request belongs to a session. `listening` is called with the address once connections
/// are accepted.
pub fn serve_team(
    team: Arc<dyn Team>,
    address: SocketAddr,
    remote: bool,
    listening: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    if !address.ip().is_loopback() && !remote {
        return Err(ServeError::Refused(format!(
            "{address}: other machines would reach it"
        )));
    }
    let server = TeamServer::new(team);
    let shared = SharedState::for_team(server, remote, ServerLimits::default());
    listen(address, shared, listening)
}

fn listen(
    address: SocketAddr,
    shared: SharedState,
    listening: impl FnOnce(SocketAddr),
) -> Result<(), ServeError> {
    platform::process::raise_open_file_limit();
    build_runtime()?.block_on(async {
        let fail = |source| ServeError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(fail)?;
        listening(listener.local_addr().map_err(fail)?);
        accept_loop(listener, Arc::new(shared)).await;
        Ok(())
    })
}

/// The service that answers requests.
enum Service {
    Project(StreamableHttpService<Server, Sessions>),
    Team(StreamableHttpService<TeamServer, NeverSessionManager>),
}

impl Service {
    async fn answer(&self, request: Request<Full<Bytes>>) -> Answer {
        match self {
            Service::Project(service) => service.handle(request).await,
            Service::Team(service) => service.handle(request).await,
        }
    }
}

/// The check of who may send requests.
enum Gate {
    /// Clients with this token may; without a token every client may.
    Token(Option<String>),
    /// The users of a team.
    Team(TeamGate),
}

/// State shared by all connections.
struct SharedState {
    service: Service,
    sessions: Arc<Sessions>,
    connections: Arc<Connections>,
    gate: Gate,
    bounds: ServerLimits,
    /// Allows one message of many values at a time.
    large: Semaphore,
}

impl SharedState {
    fn new(server: Server, http: Http, bounds: ServerLimits) -> SharedState {
        let mut config = StreamableHttpServerConfig::default()
            .with_max_request_body_bytes(bounds.body)
            .enforce_origin_validation()
            .with_allowed_origins(["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"]);
        if http.remote {
            // The names of this machine on other machines are not known; those clients are checked by the token.
            config = config.disable_allowed_hosts();
        }
        let sessions = Arc::new(Sessions::new(bounds.sessions));
        let service =
            StreamableHttpService::new(move || Ok(server.clone()), sessions.clone(), config);
        SharedState {
            service: Service::Project(service),
            sessions,
            gate: Gate::Token(http.token),
            connections: connections(bounds),
            bounds,
            large: Semaphore::new(1),
        }
    }

    fn for_team(server: TeamServer, remote: bool, bounds: ServerLimits) -> SharedState {
        let mut config = StreamableHttpServerConfig::default()
            .with_max_request_body_bytes(bounds.body)
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .enforce_origin_validation()
            .with_allowed_origins(["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"]);
        if remote {
            config = config.disable_allowed_hosts();
        }
        let gate = TeamGate::new(&server);
        let sessions = Arc::new(NeverSessionManager::default());
        let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
        SharedState {
            service: Service::Team(service),
            sessions: Arc::new(Sessions::new(0)),
            gate: Gate::Team(gate),
            connections: connections(bounds),
            bounds,
            large: Semaphore::new(1),
        }
    }
}

fn connections(bounds: ServerLimits) -> Arc<Connections> {
    Connections::new(Limits {
        connections: bounds.connections,
        bytes: bounds.unfinished,
    })
}

async fn accept_loop(listener: TcpListener, shared: Arc<SharedState>) {
    let connections = shared.connections.clone();
    accept_connections(listener, &connections, |stream, place, address| {
        tokio::spawn(serve_connection(stream, place, address, shared.clone()));
    })
    .await;
}

/// Accepts connections until the process ends. `serve` takes each, with its place and the address that it comes from.
pub(crate) async fn accept_connections(
    listener: TcpListener,
    connections: &Arc<Connections>,
    serve: impl Fn(TcpStream, ConnectionSlot, Arc<str>),
) {
    loop {
        match listener.accept().await {
            Ok((stream, from)) => {
                let address: Arc<str> = from.ip().to_string().into();
                match connections.admit(address.clone()) {
                    Some(place) => serve(stream, place, address),
                    None => send_unavailable(&stream),
                }
            }
            // Most likely there are no more file descriptors.
            Err(_) => {
                connections.evict_for_system();
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
    }
}

/// Tells a client that the server is full. A client that does not get the message finds the connection closed.
fn send_unavailable(stream: &TcpStream) {
    let answer = b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    let _ = stream.try_write(answer);
}

async fn serve_connection(
    stream: TcpStream,
    place: ConnectionSlot,
    address: Arc<str>,
    shared: Arc<SharedState>,
) {
    let place = Arc::new(place);
    let own = place.clone();
    let bounds = shared.bounds;
    serve_requests(stream, own, bounds, move |request| {
        let (shared, place, address) = (shared.clone(), place.clone(), address.clone());
        async move { answer_request(request, &shared, &place, &address).await }
    })
    .await;
}

/// Answers the requests of a connection until it ends or loses its place.
pub(crate) async fn serve_requests<F>(
    stream: TcpStream,
    place: Arc<ConnectionSlot>,
    bounds: ServerLimits,
    answer: impl Fn(Request<Incoming>) -> F,
) where
    F: Future<Output = Answer>,
{
    let service = service_fn(move |request: Request<Incoming>| {
        let answered = answer(request);
        async move { Ok::<Answer, Infallible>(answered.await) }
    });
    let stream = TokioIo::new(WriteTimeout::new(stream, bounds.answer_time));
    let conversation = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(bounds.head_time)
        .max_buf_size(LONGEST_HEAD)
        .serve_connection(stream, service);
    tokio::select! {
        // An error of a client that disconnects is ignored.
        _ = conversation => {}
        () = place.wait_evicted() => {}
    }
}

/// Answers a request, and sets the state of its connection.
async fn answer_request(
    request: Request<Incoming>,
    shared: &SharedState,
    place: &Arc<ConnectionSlot>,
    address: &Arc<str>,
) -> Answer {
    let busy = BusyGuard::new(place);
    if !has_single_host(&request) {
        return closing_response(StatusCode::BAD_REQUEST, "one host must be named\n");
    }
    let member = match &shared.gate {
        Gate::Token(Some(token)) if !has_valid_token(&request, token) => {
            let mut refused =
                closing_response(StatusCode::UNAUTHORIZED, "a bearer token is needed\n");
            let how = HeaderValue::from_static("Bearer");
            refused.headers_mut().insert(header::WWW_AUTHENTICATE, how);
            return refused;
        }
        Gate::Token(_) => None,
        Gate::Team(gate) => {
            if let Some(answer) = answer_without_token(gate, &request).await {
                return answer;
            }
            match gate.admit(request.headers(), address).await {
                Ok(asker) => Some(asker),
                Err(answer) => return answer,
            }
        }
    };
    if !matches!(request.uri().path(), PATH | "/") {
        return closing_response(StatusCode::NOT_FOUND, "the endpoint is /mcp\n");
    }
    let session = session_owner(&request, shared);
    let asker = session.clone();
    let asker = asker.unwrap_or_else(|| format!("connection {}", place.number()).into());
    if let Some(session) = &session {
        place.set_owner(session);
    }
    if request.method() == Method::DELETE
        && session.is_none()
        && request.headers().contains_key(HEADER_SESSION_ID)
    {
        return closing_response(StatusCode::NOT_FOUND, "no such session\n");
    }
    let (mut parts, body) = request.into_parts();
    let body = match read_body(body, &shared.bounds, place).await {
        Ok(body) => body,
        Err((status, why)) => return closing_response(status, why),
    };
    if parts.method == Method::GET && session.is_some() {
        place.set_listening(shared.bounds.streams)
    } else {
        place.set_phase(Phase::Working)
    }
    parts.extensions.insert(asker);
    if let Some(member) = member {
        parts.extensions.insert(member);
    }
    if let Some(why) = shape::too_much(&body) {
        return closing_response(StatusCode::PAYLOAD_TOO_LARGE, why);
    }
    // Decoded, such messages may take a hundred times as much memory.
    let alone = if shape::values(&body) > shape::MANY_VALUES {
        shared.large.acquire().await.ok()
    } else {
        None
    };
    let deletes = parts.method == Method::DELETE;
    let request = Request::from_parts(parts, Full::new(body));
    let mut answer = shared.service.answer(request).await;
    drop(alone);
    // Clients take any status but 200 and 204 as a session that could not be ended.
    if deletes && answer.status() == StatusCode::ACCEPTED {
        *answer.status_mut() = StatusCode::NO_CONTENT;
    }
    answer.map(|body| TrackedBody::new(body, busy).boxed())
}

/// Whether a request names one host, without anything before it, and has each checked header once: a proxy on the way must read
/// the same values as are checked here.
pub(crate) fn has_single_host<B>(request: &Request<B>) -> bool {
    let mut hosts = request.headers().get_all(header::HOST).iter();
    let host = hosts.next();
    let mut once = [header::HOST, header::ORIGIN, header::AUTHORIZATION].into_iter();
    let named = request.uri().authority();
    let is_same = named.is_none_or(|named| host.is_some_and(|host| host == named.as_str()));
    once.all(|name| request.headers().get_all(name).iter().count() <= 1)
        && is_same
        && host.is_none_or(|host| !host.as_bytes().contains(&b'@'))
}

/// The session of a request, if one with that id exists.
fn session_owner(request: &Request<Incoming>, shared: &SharedState) -> Option<ClientKey> {
    let id = request.headers().get(HEADER_SESSION_ID)?.to_str().ok()?;
    shared
        .sessions
        .contains(id)
        .then(|| format!("session {id}").into())
}

/// A request's body, if it comes in time and within the limit of size.
pub(crate) async fn read_body(
    mut body: Incoming,
    bounds: &ServerLimits,
    place: &ConnectionSlot,
) -> Result<Bytes, (StatusCode, &'static str)> {
    let collect = async {
        let mut bytes = Vec::new();
        while let Some(frame) = body.frame().await {
            let Ok(frame) = frame else {
                return Err((StatusCode::BAD_REQUEST, "the message is not whole\n"));
            };
            let Some(data) = frame.data_ref() else {
                continue;
            };
            if bytes.len() + data.len() > bounds.body {
                return Err((StatusCode::PAYLOAD_TOO_LARGE, "the message is too long\n"));
            }
            bytes.extend_from_slice(data);
            place.set_buffered_bytes(bytes.len());
        }
        Ok(Bytes::from(bytes))
    };
    let collected = timeout(bounds.body_time, collect).await;
    place.set_buffered_bytes(0);
    let late = "the message did not arrive in time\n";
    collected.unwrap_or(Err((StatusCode::REQUEST_TIMEOUT, late)))
}

/// Marks a connection as not idle until this is dropped.
pub(crate) struct BusyGuard(Arc<ConnectionSlot>);

impl BusyGuard {
    pub(crate) fn new(place: &Arc<ConnectionSlot>) -> BusyGuard {
        place.set_phase(Phase::Reading);
        BusyGuard(place.clone())
    }
}

impl Drop for BusyGuard {
    fn drop(&mut self) {
        self.0.set_phase(Phase::Idle);
    }
}

/// The body of an answer, whose connection counts as busy until it has been sent.
pub(crate) struct TrackedBody {
    body: BoxBody<Bytes, Infallible>,
    _busy: BusyGuard,
}

impl TrackedBody {
    pub(crate) fn new(body: BoxBody<Bytes, Infallible>, busy: BusyGuard) -> TrackedBody {
        TrackedBody { body, _busy: busy }
    }
}

impl Body for TrackedBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Whether a request has the token. Compared in constant time, so that the duration reveals nothing of the token.
fn has_valid_token(request: &Request<Incoming>, token: &str) -> bool {
    let given = request.headers().get(header::AUTHORIZATION);
    let given = given
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let (scheme, given) = given.split_once(' ').unwrap_or_default();
    scheme.eq_ignore_ascii_case("bearer")
        && constant_time_equals(given.trim().as_bytes(), token.as_bytes())
}

pub(crate) fn constant_time_equals(given: &[u8], token: &[u8]) -> bool {
    let differences = given.iter().zip(token).fold(0, |all, (a, b)| all | (a ^ b));
    given.len() == token.len() && differences == 0
}

/// An answer after which the connection is closed, so that a refused client keeps no place.
fn closing_response(status: StatusCode, text: &'static str) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from_static(text.as_bytes())).boxed());
    *answer.status_mut() = status;
    let close = HeaderValue::from_static("close");
    answer.headers_mut().insert(header::CONNECTION, close);
    answer
}
