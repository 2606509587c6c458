//! The way of a request to a team's server before it reaches a tool: health, metrics, tokens and rates.

use super::{Admission, AuditEntry, Requester, TeamServer, TeamState, lock};
use http_body_util::{BodyExt, Full, combinators::BoxBody};
use hyper::body::Bytes;
use hyper::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use hyper::{Request, Response};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

type Answer = Response<BoxBody<Bytes, Infallible>>;

/// The time for which the database's last answer counts.
const FRESH: Duration = Duration::from_secs(1);

/// The longest token that is looked up.
const LONGEST_TOKEN: usize = 200;

/// The gate of a server for a team.
pub(in crate::mcp) struct TeamGate {
    state: Arc<TeamState>,
}

impl TeamGate {
    pub(in crate::mcp) fn new(server: &TeamServer) -> TeamGate {
        TeamGate {
            state: server.state.clone(),
        }
    }

    /// The user who asks, or the answer if the request ends here.
    pub(in crate::mcp) async fn admit(
        &self,
        headers: &HeaderMap,
        address: &Arc<str>,
    ) -> Result<Requester, Answer> {
        let token = bearer_token(headers).filter(|token| token.len() <= LONGEST_TOKEN);
        let Some(token) = token else {
            return Err(unauthorized("a bearer token is needed\n"));
        };
        let state = self.state.clone();
        let admitted = tokio::task::spawn_blocking(move || state.team.admit(&token)).await;
        let address = address.clone();
        match admitted {
            Ok(Ok(Admission::Admitted(member))) => Ok(Requester { member, address }),
            Ok(Ok(Admission::Unknown)) => {
                self.state.metrics.count_unknown_token();
                self.log(None, &address, "unknown token").await;
                Err(unauthorized("unknown token\n"))
            }
            Ok(Ok(Admission::TooMany(member, seconds))) => {
                self.state.metrics.count_limited();
                let name = Some(member.name.to_string());
                self.log(name, &address, "too many requests").await;
                let text = "too many requests in this minute\n".to_owned();
                Err(retry_later(StatusCode::TOO_MANY_REQUESTS, text, seconds))
            }
            Ok(Err(_)) | Err(_) => {
                self.state.metrics.count_unavailable();
                let text = "the database does not answer\n".to_owned();
                Err(retry_later(StatusCode::SERVICE_UNAVAILABLE, text, 1))
            }
        }
    }

    /// Notes a refusal in the audit log. Of many in a minute only some have an entry; the metrics count all.
    async fn log(&self, user: Option<String>, address: &Arc<str>, outcome: &str) {
        let admitted = lock(&self.state.refusals).admit(user.as_deref(), Instant::now());
        let outcome = match admitted {
            Some(0) => outcome.to_owned(),
            Some(more) => format!("{outcome} (and {more} more before without an entry)"),
            None => return,
        };
        let state = self.state.clone();
        let entry = AuditEntry {
            user,
            address: address.to_string(),
            outcome,
            ..AuditEntry::default()
        };
        // An entry that cannot be stored is counted.
        let _ = tokio::task::spawn_blocking(move || state.log(&entry)).await;
    }

    /// Whether the database answers, asked once a second at most.
    async fn is_healthy(&self) -> bool {
        if let Some((at, known)) = *lock(&self.state.health)
            && at.elapsed() < FRESH
        {
            return known;
        }
        let state = self.state.clone();
        let checked = tokio::task::spawn_blocking(move || state.team.check().is_ok()).await;
        let is_healthy = checked.unwrap_or(false);
        *lock(&self.state.health) = Some((Instant::now(), is_healthy));
        is_healthy
    }
}

/// Answers a request that needs no token: `/health` for the balancer, `/metrics` for Prometheus.
pub(in crate::mcp) async fn answer_without_token<B>(
    gate: &TeamGate,
    request: &Request<B>,
) -> Option<Answer> {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return None;
    }
    match request.uri().path() {
        "/health" => Some(if gate.is_healthy().await {
            text_response(StatusCode::OK, "ok\n".to_owned())
        } else {
            let text = "the database does not answer\n".to_owned();
            text_response(StatusCode::SERVICE_UNAVAILABLE, text)
        }),
        "/metrics" => {
            let text = gate.state.metrics.render(gate.is_healthy().await);
            Some(text_response(StatusCode::OK, text))
        }
        _ => None,
    }
}

fn bearer_token(headers: &HeaderMap) -> Option<String> {
    let given = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = given.split_once(' ')?;
    (scheme.eq_ignore_ascii_case("bearer")).then(|| token.trim().to_owned())
}

fn text_response(status: StatusCode, text: String) -> Answer {
    let mut answer = Response::new(Full::new(Bytes::from(text)).boxed());
    *answer.status_mut() = status;
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    answer.headers_mut().insert(header::CONTENT_TYPE, kind);
    answer
}

fn unauthorized(text: &str) -> Answer {
    let mut answer = text_response(StatusCode::UNAUTHORIZED, text.to_owned());
    let how = HeaderValue::from_static("Bearer");
    answer.headers_mut().insert(header::WWW_AUTHENTICATE, how);
    answer
}

fn retry_later(status: StatusCode, text: String, seconds: u32) -> Answer {
    let mut answer = text_response(status, text);
    let seconds = HeaderValue::from(seconds);
    answer.headers_mut().insert(header::RETRY_AFTER, seconds);
    answer
}
