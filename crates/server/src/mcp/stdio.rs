//! Standard input and output as a transport. A line that is not JSON gets JSON-RPC's parse error, which the library does not
//! send, and the server goes on with the next line.

use crate::shape;
use rmcp::model::ClientJsonRpcMessage;
use serde_json::Value;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{
    AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader, DuplexStream,
    ReadBuf, Stdin, Stdout,
};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;

/// The most bytes of a line; the library drops longer ones silently.
const LONGEST: usize = 16 << 20;
/// The most bytes of answers that wait to be written.
const AHEAD: usize = 64 << 10;
/// The longest that a client that has ended its input may take to read the last answers.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// The task that writes answers and errors, one line after the other.
pub(super) struct Writer(JoinHandle<io::Result<()>>);

impl Writer {
    /// Waits until all answers are written.
    pub(super) async fn wait_flushed(self) {
        // A client that disconnected reads nothing.
        let _ = tokio::time::timeout(LAST_WORDS, self.0).await;
    }
}

/// The transport over standard input and output. To be called within the runtime.
pub(super) fn stdio_transport() -> ((CheckedLines<Stdin>, DuplexStream), Writer) {
    let (refusals, refused) = channel(MOST_REFUSED);
    let (answers, taken) = tokio::io::duplex(AHEAD);
    let output: Stdout = tokio::io::stdout();
    let writer = tokio::spawn(write_answers(BufReader::new(taken), refused, output));
    let read = CheckedLines::new(tokio::io::stdin(), refusals);
    ((read, answers), Writer(writer))
}

/// Writes whole lines of both sources until the answers end.
async fn write_answers(
    mut answers: impl AsyncBufRead + Unpin,
    mut refused: Receiver<Refusal>,
    mut output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        tokio::select! {
            Some(refused) = refused.recv(), if line.is_empty() => {
                output.write_all(refused.to_jsonrpc_error().as_bytes()).await?;
            }
            // A line that is read in part stays in `line` while the other source is served.
            read = answers.read_until(b'\n', &mut line) => {
                if read? == 0 && line.is_empty() {
                    break;
                }
                name_missing_id(&mut line);
                output.write_all(&line).await?;
                line.clear();
            }
        }
        output.flush().await?;
    }
    while let Ok(refused) = refused.try_recv() {
        output
            .write_all(refused.to_jsonrpc_error().as_bytes())
            .await?;
    }
    output.flush().await
}

/// The library omits the id where it could not read one; JSON-RPC 2.0 requires null there.
fn name_missing_id(line: &mut Vec<u8>) {
    const BARE: &[u8] = br#"{"jsonrpc":"2.0","error":"#;
    const AT: usize = br#"{"jsonrpc":"2.0","#.len();
    if line.starts_with(BARE) {
        line.splice(AT..AT, *br#""id":null,"#);
    }
}

/// The reason why a line is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RefusedLine {
    NotJson,
    NotRequest,
    TooLong,
    TooMuch(&'static str),
}

/// A refused line, and the id of its request.
#[derive(Debug, Clone, PartialEq)]
struct Refusal {
    why: RefusedLine,
    /// Null where it could not be read.
    id: Value,
}

impl Refusal {
    fn new(why: RefusedLine, line: &[u8]) -> Refusal {
        let id = shape::request_id(without_mark(line)).unwrap_or_default();
        Refusal { why, id }
    }

    /// The error in the form of JSON-RPC 2.0.
    fn to_jsonrpc_error(&self) -> String {
        let (code, what, why) = match self.why {
            RefusedLine::NotRequest => (
                -32600,
                "Invalid request",
                "its fields are not those of a request",
            ),
            RefusedLine::NotJson => (-32700, "Parse error", "the line is not JSON"),
            RefusedLine::TooLong => (-32700, "Parse error", "the line is longer than 16 MiB"),
            RefusedLine::TooMuch(why) => (-32700, "Parse error", why),
        };
        let error = serde_json::json!({"code": code, "message": format!("{what}: {why}")});
        let reply = serde_json::json!({"jsonrpc": "2.0", "id": self.id, "error": error});
        format!("{reply}\n")
    }
}

/// The most errors of refused lines that wait to be written; further ones are dropped.
const MOST_REFUSED: usize = 1_024;

/// A reader that passes on lines of JSON, and reports the others.
pub(super) struct CheckedLines<R> {
    read: BufReader<R>,
    line: Vec<u8>,
    /// The bytes of a complete line that were passed on; none while it is being read.
    given: Option<usize>,
    /// Whether the rest of the line is skipped.
    skips: bool,
    told: Sender<Refusal>,
}

impl<R: AsyncRead + Unpin> CheckedLines<R> {
    fn new(read: R, told: Sender<Refusal>) -> CheckedLines<R> {
        CheckedLines {
            read: BufReader::new(read),
            line: Vec::new(),
            given: None,
            skips: false,
            told,
        }
    }

    fn refuse_line(&mut self, why: RefusedLine) {
        let refused = Refusal::new(why, &std::mem::take(&mut self.line));
        // Sending fails if the server is ending. A client that does not read its errors gets no more of them.
        let _ = self.told.try_send(refused);
    }

    /// Adds bytes to the line; at its end, decides whether to pass it on.
    fn push_bytes(&mut self, bytes: &[u8], ends: bool) {
        if self.skips {
            self.skips = !ends;
            return;
        }
        if self.line.len() + bytes.len() > LONGEST {
            self.skips = !ends;
            self.refuse_line(RefusedLine::TooLong);
            return;
        }
        self.line.extend_from_slice(bytes);
        if ends {
            // Checked before anything is allocated for it.
            if let Some(why) = shape::too_much(&self.line) {
                self.refuse_line(RefusedLine::TooMuch(why))
            } else if !is_json_or_blank(&self.line) {
                self.refuse_line(RefusedLine::NotJson)
            } else if is_unreadable_request(&self.line) {
                self.refuse_line(RefusedLine::NotRequest)
            } else {
                self.given = Some(0)
            }
        }
    }

    /// Reads until there is a line to pass on; an empty one stands for the end of the input.
    fn poll_line(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.given.is_none() {
            let found = ready!(Pin::new(&mut self.read).poll_fill_buf(cx))?;
            if found.is_empty() {
                // The last line needs no line end.
                self.finish_last_line();
                return Poll::Ready(Ok(()));
            }
            let end = found.iter().position(|byte| *byte == b'\n');
            let part = found[..end.map_or(found.len(), |at| at + 1)].to_vec();
            Pin::new(&mut self.read).consume(part.len());
            self.push_bytes(&part, end.is_some());
        }
        Poll::Ready(Ok(()))
    }

    fn finish_last_line(&mut self) {
        if !self.line.is_empty() {
            self.push_bytes(b"\n", true);
        }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for CheckedLines<R> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        ready!(this.poll_line(cx))?;
        let Some(given) = this.given else {
            return Poll::Ready(Ok(()));
        };
        let rest = &this.line[given..];
        let part = rest.len().min(buf.remaining());
        buf.put_slice(&rest[..part]);
        this.given = Some(given + part);
        if given + part == this.line.len() {
            this.line.clear();
            this.given = None;
        }
        Poll::Ready(Ok(()))
    }
}

/// The line without a mark of its byte order.
fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line)
}

/// Whether a line is JSON or blank. Its meaning is left to the library, which skips blank lines.
fn is_json_or_blank(line: &[u8]) -> bool {
    let line = without_mark(line);
    let is_empty = line.iter().all(u8::is_ascii_whitespace);
    is_empty || serde_json::from_slice::<Value>(line).is_ok()
}

/// Whether a line of JSON has the id of a request that the library cannot decode: it would answer without the id.
fn is_unreadable_request(line: &[u8]) -> bool {
    // Larger messages are decoded by the library alone.
    let line = without_mark(line);
    shape::values(line) <= shape::MANY_VALUES
        && serde_json::from_slice::<ClientJsonRpcMessage>(line).is_err()
        && shape::request_id(line).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::AsyncReadExt;

    fn checked(input: &[u8]) -> (String, Vec<RefusedLine>) {
        let (told, mut refused) = channel(MOST_REFUSED);
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let mut text = String::new();
        let mut lines = CheckedLines::new(input, told);
        runtime.block_on(lines.read_to_string(&mut text)).unwrap();
        drop(lines);
        let all = std::iter::from_fn(|| refused.try_recv().ok());
        (text, all.map(|refusal| refusal.why).collect())
    }

    #[test]
    fn lines_that_are_no_json_are_told_and_the_others_pass() {
        let (text, refused) = checked(b"{\"a\":1}\nnot json\n\n{\"b\":\n\xff\xfe\n[2]\n{\"c\":3}");
        assert_eq!(text, "{\"a\":1}\n\n[2]\n{\"c\":3}\n");
        assert_eq!(refused, [RefusedLine::NotJson; 3]);
    }

    #[test]
    fn a_line_without_end_takes_no_memory_without_end() {
        let mut input = vec![b'x'; LONGEST + 10];
        input.extend_from_slice(b"y\n[1]\n");
        let (text, refused) = checked(&input);
        assert_eq!(
            (text.as_str(), refused),
            ("[1]\n", vec![RefusedLine::TooLong])
        );
    }

    #[test]
    fn a_line_of_many_values_is_not_decoded() {
        let mut input = format!("[{}0]\n", "{\"\":0},".repeat(1_500_000)).into_bytes();
        let text = format!("[\"{}\"]\n", "{\"\":0},".replace('"', "'").repeat(300_000));
        input.extend_from_slice(text.as_bytes());
        let (read, refused) = checked(&input);
        assert!(read == text);
        assert!(
            matches!(refused[..], [RefusedLine::TooMuch(_)]),
            "{refused:?}"
        );
    }

    #[test]
    fn errors_that_nobody_reads_are_counted_out() {
        let (told, mut refused) = channel(MOST_REFUSED);
        let mut lines = CheckedLines::new(&b""[..], told);
        for _ in 0..3 * MOST_REFUSED {
            lines.push_bytes(b"y\n", true);
        }
        let mut waiting = 0;
        while refused.try_recv().is_ok() {
            waiting += 1;
        }
        assert_eq!(waiting, MOST_REFUSED);
    }

    #[test]
    fn errors_name_an_identifier_or_null() {
        let named = |line: &str| {
            let mut line = line.as_bytes().to_vec();
            name_missing_id(&mut line);
            serde_json::from_slice::<Value>(&line).unwrap()
        };
        let bare =
            named(r#"{"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid request"}}"#);
        assert_eq!(bare.get("id"), Some(&Value::Null));
        assert_eq!(bare["error"]["code"], -32600);
        let known = named(r#"{"jsonrpc":"2.0","id":3,"error":{"code":-32601,"message":"x"}}"#);
        assert_eq!(known["id"], 3);
    }

    #[test]
    fn a_refused_request_is_answered_with_its_id() {
        let refused = |line: &[u8]| {
            let (told, mut refused) = channel(MOST_REFUSED);
            CheckedLines::new(&b""[..], told).push_bytes(line, true);
            let error = refused.try_recv().unwrap().to_jsonrpc_error();
            serde_json::from_str::<Value>(&error).unwrap()
        };
        let line = br#"{"jsonrpc":"2.0","id":"a","method":"ping","params":{"q":"\ud800"}}"#;
        let error = refused(line);
        assert_eq!(
            (&error["id"], &error["error"]["code"]),
            (&"a".into(), &(-32700).into())
        );
        assert_eq!(refused(b"{\"id\":7").get("id"), Some(&Value::Null));
        let error = refused(br#"{"jsonrpc":"2.0","id":8,"method":9}"#);
        assert_eq!(
            (&error["id"], &error["error"]["code"]),
            (&8.into(), &(-32600).into())
        );
        let many = "{\"\":0},".repeat(400_000);
        let line = format!(r#"{{"id":7,"method":"ping","params":[{many}0]}}"#);
        assert_eq!(refused(line.as_bytes())["id"], 7);
    }

    #[test]
    fn refusals_stand_between_answers() {
        let (told, refused) = channel(MOST_REFUSED);
        let unread = Refusal::new(RefusedLine::NotJson, b"x");
        told.try_send(unread).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let mut written = Vec::new();
        let answers: &[u8] = b"{\"id\":1}\n{\"id\":2}\n";
        runtime
            .block_on(write_answers(answers, refused, &mut written))
            .unwrap();
        let mut lines: Vec<Value> = std::str::from_utf8(&written)
            .unwrap()
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let at = lines.iter().position(|line| line["id"].is_null()).unwrap();
        assert_eq!(lines.remove(at)["error"]["code"], -32700);
        assert_eq!((&lines[0]["id"], &lines[1]["id"]), (&1.into(), &2.into()));
    }
}
