//! One client: requests are read from it and answered one after the other.
//!
//! A client that drips its request, sends too much, or does not read what it asked for is cut off; one that goes away
//! takes its request with it.

use super::protocol::{self, LONGEST_REQUEST, Request};
use super::queue::{Refused, Ticket};
use super::serve::Shared;
use crate::connections::{ConnectionSlot, Phase};
use crate::shape;
use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tokio::io::Interest;
use tokio::net::UnixStream;
use tokio::time::timeout;

/// How long a client may be silent between requests.
const SILENCE: Duration = Duration::from_secs(600);

/// How often a client whose request is being worked on is looked at.
const GLANCE: Duration = Duration::from_millis(20);

/// Requests longer than this are read and answered one at a time: read, they may take many times their length.
const LARGE: usize = 1 << 20;

/// A client that takes fewer bytes of its answer a second is cut off.
const SLOWEST: usize = 64 << 10;

/// Why a client is cut off.
enum ReadFault {
    /// Its request is longer than any may be.
    TooLarge,
    /// Its request did not come to its end in time.
    TooSlow,
    /// It is gone.
    Gone,
}

/// Serves a client until it goes, or has to make room for another one.
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
        // One request a turn: whoever has sent many at once would otherwise be served a hundred of them before anybody
        // else, and a few hundred such clients would keep the others waiting for seconds.
        tokio::task::yield_now().await;
    }
}

/// Counts a request as one to be answered before the daemon ends, until this is dropped.
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

/// The answer to a request; none where the client went away before.
async fn answer_request(
    shared: &Arc<Shared>,
    stream: &UnixStream,
    line: Vec<u8>,
) -> Option<String> {
    let since = Instant::now();
    let request = match parse_request(line).await {
        Ok(request) => request,
        Err(message) => {
            shared.metrics.increment(&shared.metrics.malformed);
            return Some(protocol::message_error_line(&message, since.elapsed()));
        }
    };
    if let Some(text) = shared.answer_immediately(&request, since).await {
        return Some(text);
    }
    // Who only asks how it is does not need it.
    let _use = UseGuard::begin(shared);
    let Request { action, payload } = request;
    let mut ticket = match shared.enqueue(action, payload, since) {
        Ok(ticket) => ticket,
        Err(Ok(Refused::Full)) => {
            shared.metrics.increment(&shared.metrics.busy);
            return Some(protocol::busy_line());
        }
        Err(Ok(Refused::Closed)) => {
            return Some(protocol::message_error_line(
                "Daemon is stopping",
                since.elapsed(),
            ));
        }
        Err(Err(message)) => return Some(protocol::message_error_line(&message, since.elapsed())),
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

/// Whether a request takes much memory or time to be read.
fn is_large(line: &[u8]) -> bool {
    line.len() > LARGE || shape::values(line) > shape::MANY_VALUES
}

/// Reads a request; a long one where it keeps no other client waiting.
async fn parse_request(line: Vec<u8>) -> Result<Request, String> {
    if !is_large(&line) {
        return protocol::parse_request(&line);
    }
    let parsing = tokio::task::spawn_blocking(move || protocol::parse_request(&line));
    parsing.await.unwrap_or_else(|e| Err(e.to_string()))
}

/// Notes when a request comes and when it is done.
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

/// For a job that was dropped without an answer.
fn job_lost_response(shared: &Shared, since: Instant) -> String {
    let message = if shared.is_ending() {
        "Daemon is stopping"
    } else {
        "the request failed inside the daemon"
    };
    protocol::message_error_line(message, since.elapsed())
}

fn cancel_job(shared: &Shared, ticket: Ticket) {
    shared.metrics.increment(&shared.metrics.cancelled);
    drop(ticket);
}

/// Comes back when the other side has closed both directions. One that only says that it will ask no more still
/// waits for its answer.
async fn wait_client_closed(stream: &UnixStream) {
    loop {
        tokio::time::sleep(GLANCE).await;
        match stream.ready(Interest::WRITABLE).await {
            Ok(ready) if !ready.is_write_closed() => {}
            _ => return,
        }
    }
}

/// Writes an answer; whether it was taken in time, all in all and piece by piece.
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

/// What has been read and not yet answered.
#[derive(Default)]
struct LineReader {
    bytes: Vec<u8>,
    /// Bytes known to hold no line end.
    seen: usize,
    ended: bool,
}

impl LineReader {
    /// The next line; none where the client asks no more.
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

    /// Leaves out white space before a request, and lines of nothing else. All at once: taken line by line, what stands
    /// behind them would be moved for each.
    fn skip_blanks(&mut self) {
        if self.seen == 0 {
            let blank = self.bytes.iter().take_while(|b| b.is_ascii_whitespace());
            let blank = blank.count();
            self.bytes.drain(..blank);
        }
    }

    /// A whole line that is there, without its end. The last one may lack it.
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
