//! One client: its requests are read and answered one after the other.
//!
//! A client is cut off if it sends its request too slowly, sends too much, or does not read its answers. When a client goes away,
//! its request is cancelled.

use super::protocol::{self, LONGEST_REQUEST, Request, RequestError};
use super::queue::{Refused, Ticket};
use super::serve::{NotQueued, Shared};
use crate::connections::{ConnectionSlot, Phase};
use crate::shape;
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::io::Interest;
use tokio::net::UnixStream;
use tokio::time::timeout;

/// The longest silence of a client between requests.
const SILENCE: Duration = Duration::from_secs(600);

/// The time between checks of a client whose request is being worked on.
const GLANCE: Duration = Duration::from_millis(20);

/// The bytes above which requests are parsed and answered one at a time: parsed, they may take many times their length in memory.
const LARGE: usize = 1 << 20;

/// The slowest reading of an answer, in bytes a second, before a client is cut off.
const SLOWEST: usize = 64 << 10;

/// The reason for cutting off a client.
enum ReadFault {
    /// The request is too long.
    TooLarge,
    /// The request was not complete in time.
    TooSlow,
    /// The client has disconnected.
    Gone,
}

/// Serves a client until it disconnects or is evicted.
pub(crate) async fn serve_client(shared: Arc<Shared>, stream: UnixStream, place: ConnectionSlot) {
    tokio::select! {
        () = serve_requests(&shared, &stream, &place) => {}
        () = place.wait_evicted() => {}
    }
}

async fn serve_requests(shared: &Arc<Shared>, stream: &UnixStream, place: &ConnectionSlot) {
    let mut inbox = LineReader::default();
    loop {
        let limit = shared.config().request_time;
        let line = match inbox.next_line(stream, limit, place).await {
            Ok(Some(line)) => line,
            Ok(None) | Err(ReadFault::Gone) => return,
            Err(fault) => {
                shared.metrics.increment(&shared.metrics.malformed);
                let message = match fault {
                    ReadFault::TooLarge => {
                        format!("Request too large (limit {LONGEST_REQUEST} bytes)")
                    }
                    _ => format!("Request incomplete after {} s", limit.as_secs_f32()),
                };
                let _ = send_response(
                    shared,
                    stream,
                    &protocol::message_error_line(&message, limit),
                )
                .await;
                return;
            }
        };
        place.set_phase(Phase::Working);
        let answering = AnsweringGuard::begin(shared);
        let alone = if is_large(&line) {
            shared.large.acquire().await.ok()
        } else {
            None
        };
        let text = answer_request(shared, stream, line).await;
        drop(alone);
        let Some(text) = text else { return };
        place.set_buffered_bytes(text.len());
        if !send_response(shared, stream, &text).await {
            return;
        }
        drop(answering);
        place.set_phase(Phase::Idle);
        // One request a turn. Otherwise a client that has sent many at once would get a hundred answers before anybody else, and
        // a few hundred such clients would keep the others waiting for seconds.
        tokio::task::yield_now().await;
    }
}

/// Counts a request that is to be answered before the daemon ends, until this is dropped.
struct AnsweringGuard<'a>(&'a Shared);

impl AnsweringGuard<'_> {
    fn begin(shared: &Shared) -> AnsweringGuard<'_> {
        shared.answering.fetch_add(1, Ordering::SeqCst);
        AnsweringGuard(shared)
    }
}

impl Drop for AnsweringGuard<'_> {
    fn drop(&mut self) {
        self.0.answering.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The answer to a request; none where the client disconnected before.
async fn answer_request(
    shared: &Arc<Shared>,
    stream: &UnixStream,
    line: Vec<u8>,
) -> Option<String> {
    let since = Instant::now();
    let request = match parse_request(line).await {
        Ok(request) => request,
        Err(error) => {
            shared.metrics.increment(&shared.metrics.malformed);
            let message = error.to_string();
            return Some(protocol::message_error_line(&message, since.elapsed()));
        }
    };
    if let Some(text) = shared.answer_immediately(&request, since).await {
        return Some(text);
    }
    // A request for the daemon's status does not count as use.
    let _use = UseGuard::begin(shared);
    let Request { action, payload } = request;
    let mut ticket = match shared.enqueue(action, payload, since) {
        Ok(ticket) => ticket,
        Err(NotQueued::Refused(Refused::Full)) => {
            shared.metrics.increment(&shared.metrics.busy);
            return Some(protocol::busy_line());
        }
        Err(NotQueued::Refused(Refused::Closed)) => {
            return Some(protocol::message_error_line(
                "the daemon is stopping",
                since.elapsed(),
            ));
        }
        Err(NotQueued::UnknownAction(action)) => {
            let message = format!("unknown action: {action}");
            return Some(protocol::message_error_line(&message, since.elapsed()));
        }
    };
    tokio::select! {
        biased;
        said = &mut ticket.answer => Some(said.unwrap_or_else(|_| job_lost_response(shared, since))),
        () = wait_client_closed(stream) => {
            cancel_job(shared, ticket);
            None
        }
    }
}

/// Whether a request takes much memory or time to parse.
fn is_large(line: &[u8]) -> bool {
    line.len() > LARGE || shape::values(line) > shape::MANY_VALUES
}

/// Parses a request; a large one on a thread where it keeps no other client waiting.
async fn parse_request(line: Vec<u8>) -> Result<Request, RequestError> {
    if !is_large(&line) {
        return protocol::parse_request(&line);
    }
    let parsing = tokio::task::spawn_blocking(move || protocol::parse_request(&line));
    let parsed = parsing.await;
    parsed.unwrap_or_else(|error| Err(RequestError::Lost(error.to_string())))
}

/// Notes the beginning and the end of a request.
struct UseGuard<'a>(&'a Shared);

impl UseGuard<'_> {
    fn begin(shared: &Shared) -> UseGuard<'_> {
        shared.mark_used();
        UseGuard(shared)
    }
}

impl Drop for UseGuard<'_> {
    fn drop(&mut self) {
        self.0.mark_used();
    }
}

/// The response for a job that was dropped without an answer.
fn job_lost_response(shared: &Shared, since: Instant) -> String {
    let message = if shared.is_ending() {
        "the daemon is stopping"
    } else {
        "the request failed inside the daemon"
    };
    protocol::message_error_line(message, since.elapsed())
}

fn cancel_job(shared: &Shared, ticket: Ticket) {
    shared.metrics.increment(&shared.metrics.cancelled);
    drop(ticket);
}

/// Returns when the other side has closed both directions. A client that closes only its sending side still waits for its answer.
async fn wait_client_closed(stream: &UnixStream) {
    loop {
        tokio::time::sleep(GLANCE).await;
        match stream.ready(Interest::WRITABLE).await {
            Ok(ready) if !ready.is_write_closed() => {}
            _ => return,
        }
    }
}

/// Writes an answer. Returns whether the client read it in time, as a whole and piece by piece.
async fn send_response(shared: &Shared, stream: &UnixStream, text: &str) -> bool {
    let patience = shared.config().answer_time;
    let slowest = Duration::from_secs_f64(text.len() as f64 / SLOWEST as f64);
    let sent = timeout(
        patience + slowest,
        write_all_with_timeout(stream, text, patience),
    );
    sent.await.unwrap_or(false)
}

async fn write_all_with_timeout(stream: &UnixStream, text: &str, patience: Duration) -> bool {
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        match timeout(patience, stream.writable()).await {
            Ok(Ok(())) => {}
            _ => return false,
        }
        match stream.try_write(rest) {
            Ok(0) => return false,
            Ok(count) => rest = &rest[count..],
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(_) => return false,
        }
    }
    true
}

/// Bytes that have been read and not yet answered.
#[derive(Default)]
struct LineReader {
    bytes: Vec<u8>,
    /// The number of bytes known to contain no line end.
    seen: usize,
    ended: bool,
}

impl LineReader {
    /// The next line; none where the client sends no more.
    async fn next_line(
        &mut self,
        stream: &UnixStream,
        limit: Duration,
        place: &ConnectionSlot,
    ) -> Result<Option<Vec<u8>>, ReadFault> {
        let mut since = None;
        loop {
            place.set_buffered_bytes(self.bytes.len());
            self.skip_blanks();
            if let Some(line) = self.take_line() {
                return Ok(Some(line));
            }
            if self.ended {
                return Ok(None);
            }
            if self.bytes.len() > LONGEST_REQUEST {
                return Err(ReadFault::TooLarge);
            }
            let wait = if self.bytes.is_empty() {
                SILENCE
            } else {
                place.set_phase(Phase::Reading);
                let began = *since.get_or_insert_with(Instant::now);
                limit.saturating_sub(began.elapsed())
            };
            match timeout(wait, stream.readable()).await {
                Ok(Ok(())) => self.read_available(stream)?,
                Ok(Err(_)) => return Err(ReadFault::Gone),
                Err(_) if self.bytes.is_empty() => return Ok(None),
                Err(_) => return Err(ReadFault::TooSlow),
            }
        }
    }

    fn read_available(&mut self, stream: &UnixStream) -> Result<(), ReadFault> {
        match stream.try_read_buf(&mut self.bytes) {
            Ok(0) => self.ended = true,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(_) => return Err(ReadFault::Gone),
        }
        Ok(())
    }

    /// Removes white space and empty lines before a request, all at once: line by line, the bytes after them would be moved each
    /// time.
    fn skip_blanks(&mut self) {
        if self.seen == 0 {
            let blank = self.bytes.iter().take_while(|b| b.is_ascii_whitespace());
            let blank = blank.count();
            self.bytes.drain(..blank);
        }
    }

    /// A complete line without its end, if there is one. The last line may lack the end.
    fn take_line(&mut self) -> Option<Vec<u8>> {
        let end = self.bytes[self.seen..].iter().position(|b| *b == b'\n');
        let rest = match end {
            Some(at) => self.bytes.split_off(self.seen + at + 1),
            None if self.ended && !self.bytes.is_empty() => Vec::new(),
            None => {
                self.seen = self.bytes.len();
                return None;
            }
        };
        self.seen = 0;
        let mut line = std::mem::replace(&mut self.bytes, rest);
        if line.last() == Some(&b'\n') {
            line.pop();
        }
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_lines_are_left_out_at_once() {
        let mut inbox = LineReader {
            bytes: b"\n \r\n".repeat(2_000_000),
            ..LineReader::default()
        };
        inbox.bytes.extend_from_slice(b"  {}\n\n[");
        let mut lines = Vec::new();
        loop {
            inbox.skip_blanks();
            match inbox.take_line() {
                Some(line) => lines.push(line),
                None => break,
            }
        }
        assert_eq!(
            (lines, inbox.bytes.as_slice()),
            (vec![b"{}".to_vec()], &b"["[..])
        );
    }
}
