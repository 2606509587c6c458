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
enum Fault {
    /// Its request is longer than any may be.
    TooLarge,
    /// Its request did not come to its end in time.
    TooSlow,
    /// It is gone.
    Gone,
}

/// Serves a client until it goes, or has to make room for another one.
pub(crate) async fn serve(shared: Arc<Shared>, stream: UnixStream, place: ConnectionSlot) {
    tokio::select! {
        () = converse(&shared, &stream, &place) => {}
        () = place.evicted() => {}
    }
}

async fn converse(shared: &Arc<Shared>, stream: &UnixStream, place: &ConnectionSlot) {
    let mut inbox = Inbox::default();
    loop {
        let limit = shared.config().request_time;
        let line = match inbox.next(stream, limit, place).await {
            Ok(Some(line)) => line,
            Ok(None) | Err(Fault::Gone) => return,
            Err(fault) => {
                shared.metrics.count(&shared.metrics.malformed);
                let message = match fault {
                    Fault::TooLarge => format!("Request too large (limit {LONGEST_REQUEST} bytes)"),
                    _ => format!("Request incomplete after {} s", limit.as_secs_f32()),
                };
                let _ = send(shared, stream, &protocol::failed(&message, limit)).await;
                return;
            }
        };
        place.enters(Phase::Working);
        let answering = Answering::begins(shared);
        let alone = if is_large(&line) {
            shared.large.acquire().await.ok()
        } else {
            None
        };
        let text = answer(shared, stream, line).await;
        drop(alone);
        let Some(text) = text else { return };
        place.keeps(text.len());
        if !send(shared, stream, &text).await {
            return;
        }
        drop(answering);
        place.enters(Phase::Idle);
        // One request a turn: whoever has sent many at once would otherwise be served a hundred of them before anybody
        // else, and a few hundred such clients would keep the others waiting for seconds.
        tokio::task::yield_now().await;
    }
}

/// Counts a request as one to be answered before the daemon ends, until this is dropped.
struct Answering<'a>(&'a Shared);

impl Answering<'_> {
    fn begins(shared: &Shared) -> Answering<'_> {
        shared.answering.fetch_add(1, Ordering::SeqCst);
        Answering(shared)
    }
}

impl Drop for Answering<'_> {
    fn drop(&mut self) {
        self.0.answering.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The answer to a request; none where the client went away before.
async fn answer(shared: &Arc<Shared>, stream: &UnixStream, line: Vec<u8>) -> Option<String> {
    let since = Instant::now();
    let request = match parsed(line).await {
        Ok(request) => request,
        Err(message) => {
            shared.metrics.count(&shared.metrics.malformed);
            return Some(protocol::failed(&message, since.elapsed()));
        }
    };
    if let Some(text) = shared.at_once(&request, since).await {
        return Some(text);
    }
    // Who only asks how it is does not need it.
    let _use = Use::new(shared);
    let Request { action, payload } = request;
    let mut ticket = match shared.enqueue(action, payload, since) {
        Ok(ticket) => ticket,
        Err(Ok(Refused::Full)) => {
            shared.metrics.count(&shared.metrics.busy);
            return Some(protocol::busy());
        }
        Err(Ok(Refused::Closed)) => {
            return Some(protocol::failed("Daemon is stopping", since.elapsed()));
        }
        Err(Err(message)) => return Some(protocol::failed(&message, since.elapsed())),
    };
    tokio::select! {
        biased;
        said = &mut ticket.answer => Some(said.unwrap_or_else(|_| lost(shared, since))),
        () = gone(stream) => {
            cancel(shared, ticket);
            None
        }
    }
}

/// Whether a request takes much memory or time to be read.
fn is_large(line: &[u8]) -> bool {
    line.len() > LARGE || shape::values(line) > shape::MANY_VALUES
}

/// Reads a request; a long one where it keeps no other client waiting.
async fn parsed(line: Vec<u8>) -> Result<Request, String> {
    if !is_large(&line) {
        return protocol::parse(&line);
    }
    let parsing = tokio::task::spawn_blocking(move || protocol::parse(&line));
    parsing.await.unwrap_or_else(|e| Err(e.to_string()))
}

/// Notes when a request comes and when it is done.
struct Use<'a>(&'a Shared);

impl Use<'_> {
    fn new(shared: &Shared) -> Use<'_> {
        shared.touch();
        Use(shared)
    }
}

impl Drop for Use<'_> {
    fn drop(&mut self) {
        self.0.touch();
    }
}

/// For a job that was dropped without an answer.
fn lost(shared: &Shared, since: Instant) -> String {
    let message = if shared.is_ending() {
        "Daemon is stopping"
    } else {
        "the request failed inside the daemon"
    };
    protocol::failed(message, since.elapsed())
}

fn cancel(shared: &Shared, ticket: Ticket) {
    shared.metrics.count(&shared.metrics.cancelled);
    drop(ticket);
}

/// Comes back when the other side has closed both directions. One that only says that it will ask no more still
/// waits for its answer.
async fn gone(stream: &UnixStream) {
    loop {
        tokio::time::sleep(GLANCE).await;
        match stream.ready(Interest::WRITABLE).await {
            Ok(ready) if !ready.is_write_closed() => {}
            _ => return,
        }
    }
}

/// Writes an answer; whether it was taken in time, all in all and piece by piece.
async fn send(shared: &Shared, stream: &UnixStream, text: &str) -> bool {
    let patience = shared.config().answer_time;
    let slowest = Duration::from_secs_f64(text.len() as f64 / SLOWEST as f64);
    let sent = timeout(patience + slowest, write(stream, text, patience));
    sent.await.unwrap_or(false)
}

async fn write(stream: &UnixStream, text: &str, patience: Duration) -> bool {
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
struct Inbox {
    bytes: Vec<u8>,
    /// Bytes known to hold no line end.
    seen: usize,
    ended: bool,
}

impl Inbox {
    /// The next line; none where the client asks no more.
    async fn next(
        &mut self,
        stream: &UnixStream,
        limit: Duration,
        place: &ConnectionSlot,
    ) -> Result<Option<Vec<u8>>, Fault> {
        let mut since = None;
        loop {
            place.keeps(self.bytes.len());
            self.skip_blanks();
            if let Some(line) = self.line() {
                return Ok(Some(line));
            }
            if self.ended {
                return Ok(None);
            }
            if self.bytes.len() > LONGEST_REQUEST {
                return Err(Fault::TooLarge);
            }
            let wait = if self.bytes.is_empty() {
                SILENCE
            } else {
                place.enters(Phase::Reading);
                let began = *since.get_or_insert_with(Instant::now);
                limit.saturating_sub(began.elapsed())
            };
            match timeout(wait, stream.readable()).await {
                Ok(Ok(())) => self.take(stream)?,
                Ok(Err(_)) => return Err(Fault::Gone),
                Err(_) if self.bytes.is_empty() => return Ok(None),
                Err(_) => return Err(Fault::TooSlow),
            }
        }
    }

    fn take(&mut self, stream: &UnixStream) -> Result<(), Fault> {
        match stream.try_read_buf(&mut self.bytes) {
            Ok(0) => self.ended = true,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => {}
            Err(_) => return Err(Fault::Gone),
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
    fn line(&mut self) -> Option<Vec<u8>> {
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
        let mut inbox = Inbox {
            bytes: b"\n \r\n".repeat(2_000_000),
            ..Inbox::default()
        };
        inbox.bytes.extend_from_slice(b"  {}\n\n[");
        let mut lines = Vec::new();
        loop {
            inbox.skip_blanks();
            match inbox.line() {
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
