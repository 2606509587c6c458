//! The viewer: a page in the browser that asks the operations of the engine, for this machine alone.
//!
//! Every address begins with a random token, and nothing is answered without it. A foreign page can neither read an answer
//! nor ask a question: `Host`, `Origin` and `Sec-Fetch-Site` are checked.

mod access;
mod api;
mod assets;
mod export;
#[cfg(test)]
mod tests;

pub use export::{ExportLimits, PageExport, export_page};

use crate::connections::{ConnectionSlot, Connections, Limits, Phase};
use crate::mcp::http::{
    Answer, BusyGuard, ServerLimits, TrackedBody, accept_connections, has_single_host,
    serve_requests,
};
use crate::mcp::{ServeError, build_runtime};
use access::{Access, Entry};
use engine::Engine;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::http::{HeaderValue, Method, StatusCode, header};
use hyper::{Request, Response};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// The content security policy: the page loads only its own files and answers.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Headers of every answer, besides its type.
const HEADERS: [(header::HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::X_FRAME_OPTIONS, "DENY"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::CACHE_CONTROL, "no-store"),
    (
        header::HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        header::HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// Questions that are worked on at once; others wait.
const MOST_QUESTIONS: usize = 4;

/// Limits for the clients: browsers of one person.
fn server_limits() -> ServerLimits {
    ServerLimits {
        connections: 128,
        unfinished: 4 << 20,
        body: 64 << 10,
        ..ServerLimits::default()
    }
}

/// The content of a viewer.
pub struct ViewOptions {
    /// The project.
    pub engine: Engine,
    /// The solution memory; none where there is no folder for it.
    pub memory: Option<Arc<solution::Memory>>,
    /// The port of 127.0.0.1; 0 for any free one.
    pub port: u16,
}

/// The addresses of a running viewer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ViewAddresses {
    /// The address of the page.
    pub page: String,
    /// An address that leads to the page once. Other users of the machine may see it in the list of processes, since the
    /// browser is started with it. They must not be able to use it.
    pub once: String,
}

/// Serves until the process ends. `listening` is called with the addresses once connections are accepted.
///
/// # Errors
/// If there is no free port, or no random number for the token.
pub fn serve_view(
    options: ViewOptions,
    listening: impl FnOnce(&ViewAddresses),
) -> Result<(), ServeError> {
    build_runtime()?.block_on(async {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, options.port));
        let fail = |source| ServeError::Listen { address, source };
        let listener = TcpListener::bind(address).await.map_err(fail)?;
        let port = listener.local_addr().map_err(fail)?.port();
        let state = Arc::new(ViewState::new(options, port)?);
        listening(&state.access.addresses(port));
        accept_loop(listener, state).await;
        Ok(())
    })
}

/// State shared by all connections.
struct ViewState {
    engine: Engine,
    memory: Option<Arc<solution::Memory>>,
    access: Access,
    connections: Arc<Connections>,
    limits: ServerLimits,
    questions: Arc<Semaphore>,
}

impl ViewState {
    fn new(options: ViewOptions, port: u16) -> Result<ViewState, std::io::Error> {
        let limits = server_limits();
        Ok(ViewState {
            engine: options.engine,
            memory: options.memory,
            access: Access::new(port)?,
            connections: Connections::new(Limits {
                connections: limits.connections,
                bytes: limits.unfinished,
            }),
            limits,
            questions: Arc::new(Semaphore::new(MOST_QUESTIONS)),
        })
    }
}

async fn accept_loop(listener: TcpListener, state: Arc<ViewState>) {
    let connections = state.connections.clone();
    accept_connections(listener, &connections, |stream, place, _| {
        tokio::spawn(serve_connection(stream, place, state.clone()));
    })
    .await;
}

async fn serve_connection(stream: TcpStream, place: ConnectionSlot, state: Arc<ViewState>) {
    let place = Arc::new(place);
    let own = place.clone();
    let limits = state.limits;
    serve_requests(stream, own, limits, move |request| {
        let (state, place) = (state.clone(), place.clone());
        async move { answer_request(request, &state, &place).await }
    })
    .await;
}

/// Answers a request, and sets the state of its connection.
async fn answer_request(
    request: Request<Incoming>,
    state: &Arc<ViewState>,
    place: &Arc<ConnectionSlot>,
) -> Answer {
    let busy = BusyGuard::new(place);
    let answer = if has_single_host(&request) {
        match state.access.enter(&request) {
            Ok(entry) => {
                place.set_phase(Phase::Working);
                answer_entry(request, entry, state, place).await
            }
            Err(refused) => Reply::from(refused),
        }
    } else {
        Reply::text(StatusCode::BAD_REQUEST, "one host must be named\n")
    };
    answer
        .into_response()
        .map(|body| TrackedBody::new(body, busy).boxed())
}

async fn answer_entry(
    request: Request<Incoming>,
    entry: Entry,
    state: &Arc<ViewState>,
    place: &Arc<ConnectionSlot>,
) -> Reply {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    match entry {
        Entry::Redirect(to) if is_read => Reply::redirect(to),
        Entry::Operation(name) if request.method() == Method::POST => {
            api::answer(request, &name, state, place).await
        }
        Entry::File(name) if is_read => match assets::find(&name) {
            Some(asset) => Reply {
                status: StatusCode::OK,
                content_type: asset.content_type,
                body: Bytes::from_static(asset.bytes),
                location: None,
            },
            None => Reply::text(StatusCode::NOT_FOUND, "no such file\n"),
        },
        _ => Reply::text(StatusCode::METHOD_NOT_ALLOWED, "no such method here\n"),
    }
}

/// An answer before its headers.
struct Reply {
    status: StatusCode,
    content_type: &'static str,
    body: Bytes,
    location: Option<String>,
}

impl Reply {
    fn text(status: StatusCode, text: &'static str) -> Reply {
        Reply {
            status,
            content_type: "text/plain; charset=utf-8",
            body: Bytes::from_static(text.as_bytes()),
            location: None,
        }
    }

    fn json(status: StatusCode, text: String) -> Reply {
        Reply {
            status,
            content_type: "application/json",
            body: Bytes::from(text),
            location: None,
        }
    }

    fn redirect(to: String) -> Reply {
        Reply {
            location: Some(to),
            ..Reply::text(StatusCode::SEE_OTHER, "")
        }
    }

    fn into_response(self) -> Answer {
        let mut answer = Response::new(Full::new(self.body).boxed());
        *answer.status_mut() = self.status;
        let headers = answer.headers_mut();
        for (name, value) in HEADERS {
            headers.insert(name, HeaderValue::from_static(value));
        }
        let kind = HeaderValue::from_static(self.content_type);
        headers.insert(header::CONTENT_TYPE, kind);
        if let Some(to) = self.location.and_then(|to| HeaderValue::try_from(to).ok()) {
            headers.insert(header::LOCATION, to);
        }
        // The connection of a refused client is closed.
        if self.status.is_client_error() {
            let close = HeaderValue::from_static("close");
            headers.insert(header::CONNECTION, close);
        }
        answer
    }
}

impl From<access::Refused> for Reply {
    fn from(refused: access::Refused) -> Reply {
        Reply::text(refused.status, refused.why)
    }
}
