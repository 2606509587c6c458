//! Sessions within limits: a number of sessions at once, a number of open requests for each, and a time without use.
//!
//! The library rmcp keeps the sessions. This module counts them, and closes the one that is needed least.

use futures::Stream;
use futures::stream::{self, StreamExt};
use rmcp::model::{
    ClientJsonRpcMessage, ClientNotification, ErrorCode, JsonRpcMessage, RequestId,
    ServerJsonRpcMessage,
};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::common::server_side_http::ServerSseMessage;
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError, LocalSessionWorker,
};
use rmcp::transport::streamable_http_server::{SessionId, SessionManager};
use rmcp::transport::{Transport, WorkerTransport};
use rmcp::{ErrorData, RoleServer};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The most unanswered requests of one session at once.
const MOST_PENDING: usize = 64;

/// The most bytes of a request's id, which is kept and repeated in every answer.
const LONGEST_ID: usize = 1_024;

/// The age above which a request no longer counts as unanswered: its outcome is not known.
const FORGOTTEN: Duration = Duration::from_secs(3_600);

/// The time without use after which a session is closed.
const IDLE: Duration = Duration::from_secs(1_800);

/// See [`SessionTable::pick_evictable`].
const NEW: u64 = 8;

/// The error code of a request that may be repeated later; codes from -32000 down are the server's own.
const BUSY: ErrorCode = ErrorCode(-32_000);

#[derive(Default)]
struct Session {
    /// The count of uses of all sessions at the last use of this one.
    last_use: u64,
    /// Whether it made a request after its initialization.
    has_requested: bool,
    pending: Vec<(RequestId, Instant)>,
}

#[derive(Default)]
struct SessionTable {
    sessions: HashMap<SessionId, Session>,
    uses: u64,
}

impl SessionTable {
    fn get_used(&mut self, id: &SessionId) -> Option<&mut Session> {
        self.uses += 1;
        let session = self.sessions.get_mut(id)?;
        session.last_use = self.uses;
        Some(session)
    }

    /// The session to evict: preferably one without unanswered requests, then one that never made a request, then the one least
    /// recently used. A quarter of all places is kept for new sessions, so that each gets to its first request even beside many
    /// old ones. A session is no longer new after [`NEW`] times as many uses of sessions as there are places: its client has
    /// probably gone.
    fn pick_evictable(&self, most: usize) -> Option<SessionId> {
        let all = self.sessions.iter();
        let new = all.clone().filter(|(_, s)| !s.has_requested).count();
        let spared = new <= most / 4;
        let oldest = self.uses.saturating_sub(NEW * most as u64);
        let kept = |s: &Session| {
            if spared {
                !s.has_requested && s.last_use >= oldest
            } else {
                s.has_requested
            }
        };
        let first = all.min_by_key(|(_, s)| (!s.pending.is_empty(), kept(s), s.last_use));
        first.map(|(id, _)| id.clone())
    }

    fn remove_pending(&mut self, id: &SessionId, request: &RequestId) {
        if let Some(session) = self.sessions.get_mut(id) {
            session.pending.retain(|(pending, _)| pending != request);
        }
    }
}

type Shared = Arc<Mutex<SessionTable>>;

fn lock_table(known: &Shared) -> MutexGuard<'_, SessionTable> {
    known.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The MCP sessions of a server, within limits.
pub(crate) struct Sessions {
    local: Arc<LocalSessionManager>,
    known: Shared,
    most: usize,
}

impl Sessions {
    /// At most `most` sessions at once.
    pub(crate) fn new(most: usize) -> Sessions {
        let mut local = LocalSessionManager::default();
        local.session_config.keep_alive = Some(IDLE);
        Sessions {
            local: Arc::new(local),
            known: Shared::default(),
            most,
        }
    }

    /// Whether there is a session with that id. This does not count as a use.
    pub(crate) fn contains(&self, id: &str) -> bool {
        lock_table(&self.known).sessions.contains_key(id)
    }

    /// The number of sessions.
    #[cfg(test)]
    pub(crate) fn count(&self) -> usize {
        lock_table(&self.known).sessions.len()
    }

    /// Records a request; an error where it cannot be accepted.
    fn add_pending(&self, id: &SessionId, request: &RequestId) -> Result<(), ErrorData> {
        if let RequestId::String(text) = request
            && text.len() > LONGEST_ID
        {
            let message = format!("the request's id is longer than {LONGEST_ID} bytes");
            return Err(ErrorData::invalid_request(message, None));
        }
        let mut known = lock_table(&self.known);
        let Some(session) = known.get_used(id) else {
            return Ok(());
        };
        session.has_requested = true;
        let pending = &mut session.pending;
        pending.retain(|(_, since)| since.elapsed() < FORGOTTEN);
        if pending.iter().any(|(pending, _)| pending == request) {
            let message = format!("a request with id {request} is already being answered");
            return Err(ErrorData::invalid_request(message, None));
        }
        if pending.len() >= MOST_PENDING {
            let message = format!("this session has {MOST_PENDING} unanswered requests");
            return Err(ErrorData::new(BUSY, message, None));
        }
        pending.push((request.clone(), Instant::now()));
        Ok(())
    }
}

impl SessionManager for Sessions {
    type Error = LocalSessionManagerError;
    type Transport = TrackingTransport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        let surplus = {
            let mut known = lock_table(&self.known);
            let full = known.sessions.len() >= self.most;
            let surplus = known.pick_evictable(self.most).filter(|_| full);
            if let Some(id) = &surplus {
                known.sessions.remove(id);
            }
            surplus
        };
        if let Some(id) = surplus {
            let local = self.local.clone();
            // Closing a session that is stuck takes time.
            tokio::spawn(async move { local.close_session(&id).await });
        }
        let (id, transport) = self.local.create_session().await?;
        let mut known = lock_table(&self.known);
        known.sessions.insert(id.clone(), Session::default());
        known.get_used(&id);
        drop(known);
        let counted = TrackingTransport {
            transport,
            id: id.clone(),
            known: self.known.clone(),
        };
        Ok((id, counted))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        self.local.initialize_session(id, message).await
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        Ok(lock_table(&self.known).get_used(id).is_some() && self.local.has_session(id).await?)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        lock_table(&self.known).sessions.remove(id);
        self.local.close_session(id).await
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let request = match &message {
            JsonRpcMessage::Request(request) => Some(request.id.clone()),
            _ => None,
        };
        if let Some(request) = &request
            && let Err(error) = self.add_pending(id, request)
        {
            let refusal = ServerJsonRpcMessage::error(error, Some(request.clone()));
            let event = ServerSseMessage::from_message(refusal);
            return Ok(stream::once(std::future::ready(event)).left_stream());
        }
        match self.local.create_stream(id, message).await {
            Ok(stream) => Ok(stream.right_stream()),
            Err(error) => {
                if let Some(request) = &request {
                    lock_table(&self.known).remove_pending(id, request);
                }
                Err(error)
            }
        }
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), Self::Error> {
        if let JsonRpcMessage::Notification(said) = &message
            && let ClientNotification::CancelledNotification(cancelled) = &said.notification
            && let Some(request) = &cancelled.params.request_id
        {
            // It gets no answer any more.
            lock_table(&self.known).remove_pending(id, request);
        }
        self.local.accept_message(id, message).await
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        self.local.create_standalone_stream(id).await
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        self.local.resume(id, last_event_id).await
    }
}

/// A session's transport, which records answered requests.
pub(crate) struct TrackingTransport {
    transport: WorkerTransport<LocalSessionWorker>,
    id: SessionId,
    known: Shared,
}

impl Transport<RoleServer> for TrackingTransport {
    type Error = <WorkerTransport<LocalSessionWorker> as Transport<RoleServer>>::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        let answered = match &item {
            JsonRpcMessage::Response(response) => Some(&response.id),
            JsonRpcMessage::Error(error) => error.id.as_ref(),
            _ => None,
        };
        if let Some(request) = answered {
            lock_table(&self.known).remove_pending(&self.id, request);
        }
        self.transport.send(item)
    }

    fn receive(&mut self) -> impl Future<Output = Option<RxJsonRpcMessage<RoleServer>>> + Send {
        self.transport.receive()
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.transport.close()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn create(sessions: &Sessions) -> (SessionId, TrackingTransport) {
        sessions.create_session().await.unwrap()
    }

    #[tokio::test]
    async fn the_session_that_is_missed_least_makes_room() {
        let sessions = Sessions::new(3);
        let (working, _w) = create(&sessions).await;
        sessions
            .add_pending(&working, &RequestId::Number(1))
            .unwrap();
        let (asked, _a) = create(&sessions).await;
        sessions.add_pending(&asked, &RequestId::Number(1)).unwrap();
        lock_table(&sessions.known).remove_pending(&asked, &RequestId::Number(1));
        let (never, _n) = create(&sessions).await;
        // The last to be used, and still the first to be evicted, since it never made a request.
        assert!(sessions.has_session(&never).await.unwrap());
        let (_new, _t) = create(&sessions).await;
        assert!(
            !sessions.contains(&never) && sessions.contains(&asked) && sessions.contains(&working)
        );
        for _ in 0..50 {
            create(&sessions).await;
        }
        assert_eq!(sessions.count(), 3);
        assert!(sessions.contains(&asked) && sessions.contains(&working));
    }

    #[tokio::test]
    async fn a_new_session_gets_to_its_first_question_however_many_old_ones_there_are() {
        let sessions = Sessions::new(8);
        let mut transports = Vec::new();
        for _ in 0..8 {
            let (id, transport) = create(&sessions).await;
            sessions.add_pending(&id, &RequestId::Number(1)).unwrap();
            lock_table(&sessions.known).remove_pending(&id, &RequestId::Number(1));
            transports.push(transport);
        }
        let (new, _first) = create(&sessions).await;
        let (_newer, _second) = create(&sessions).await;
        assert!(sessions.contains(&new));
    }

    #[tokio::test]
    async fn a_session_has_so_many_requests_and_each_number_once() {
        let sessions = Sessions::new(3);
        let (id, _transport) = create(&sessions).await;
        for n in 0..MOST_PENDING as i64 {
            sessions.add_pending(&id, &RequestId::Number(n)).unwrap();
        }
        let refused = |n| {
            sessions
                .add_pending(&id, &RequestId::Number(n))
                .unwrap_err()
                .code
        };
        assert_eq!(refused(7), ErrorCode::INVALID_REQUEST);
        let long = RequestId::String("x".repeat(LONGEST_ID + 1).into());
        let error = sessions.add_pending(&id, &long).unwrap_err();
        assert_eq!(error.code, ErrorCode::INVALID_REQUEST);
        assert_eq!(refused(-1), BUSY);
        lock_table(&sessions.known).remove_pending(&id, &RequestId::Number(7));
        sessions.add_pending(&id, &RequestId::Number(7)).unwrap();
    }

    #[test]
    fn sessions_whose_clients_went_away_make_room_before_those_that_ask() {
        let mut known = SessionTable::default();
        let most = 40;
        let add = |known: &mut SessionTable, name: String| {
            known
                .sessions
                .insert(name.clone().into(), Session::default());
            known.get_used(&name.into());
        };
        (0..8).for_each(|n| add(&mut known, format!("gone-{n}")));
        (0..32).for_each(|n| add(&mut known, format!("asks-{n}")));
        let ask = |known: &mut SessionTable| {
            for n in 0..32 {
                known
                    .get_used(&format!("asks-{n}").into())
                    .unwrap()
                    .has_requested = true;
            }
        };
        ask(&mut known);
        // At first, a session without a request may be about to make one.
        assert_eq!(&*known.pick_evictable(most).unwrap(), "asks-0");
        (0..20).for_each(|_| ask(&mut known));
        assert_eq!(&*known.pick_evictable(most).unwrap(), "gone-0");
    }
}
