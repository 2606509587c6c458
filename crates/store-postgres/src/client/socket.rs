//! The socket of a connection. It never blocks, counts the bytes it reads, and its owner waits for it until a deadline.

use platform::Ready;
#[cfg(unix)]
use socket2::{Domain, SockAddr, Type};
use socket2::{SockRef, TcpKeepalive};
use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
#[cfg(unix)]
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Time without a sign of life from the other machine, after which a connection counts as dead.
const SILENCE: Duration = Duration::from_secs(30);

/// Most reads before the owner checks the time, if there is always something to read.
const READS: u64 = 64;

/// The error that the server sent more than the limit of one request.
#[derive(Debug)]
pub(crate) struct RequestTooLarge {
    /// The limit in bytes.
    pub(crate) most: u64,
}

impl fmt::Display for RequestTooLarge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "more than {} MB for one request", self.most >> 20)
    }
}

impl std::error::Error for RequestTooLarge {}

/// The state that both users of a socket share: the protocol, which reads and writes, and the owner, who waits.
struct Shared {
    stream: socket2::Socket,
    /// Whether there may be something to read, so that a system call is worthwhile.
    may_read: AtomicBool,
    /// Whether the system accepted less than was written.
    is_full: AtomicBool,
    /// Reads since the owner last checked the time.
    reads: AtomicU64,
    /// The limit of bytes for the present request, and how many are left.
    most: AtomicU64,
    left: AtomicU64,
}

/// A socket, as the protocol uses it.
pub(crate) struct Socket(Arc<Shared>);

/// A socket, as its owner waits on it.
#[derive(Clone)]
pub(crate) struct Waiter(Arc<Shared>);

impl Socket {
    /// Connects to a network address.
    pub(crate) fn tcp(address: SocketAddr, patience: Duration) -> io::Result<(Socket, Waiter)> {
        let stream = TcpStream::connect_timeout(&address, patience)?;
        stream.set_nodelay(true)?;
        let options = SockRef::from(&stream);
        options.set_tcp_keepalive(&TcpKeepalive::new().with_time(SILENCE))?;
        #[cfg(target_os = "linux")]
        options.set_tcp_user_timeout(Some(SILENCE))?;
        Socket::new(stream.into())
    }

    /// Connects to a Unix socket.
    #[cfg(unix)]
    pub(crate) fn unix(path: &Path, patience: Duration) -> io::Result<(Socket, Waiter)> {
        let stream = socket2::Socket::new(Domain::UNIX, Type::STREAM, None)?;
        // If the server's queue is full, connecting blocks as long as the write timeout.
        stream.set_write_timeout(Some(patience))?;
        stream.connect(&SockAddr::unix(path)?)?;
        Socket::new(stream)
    }

    fn new(stream: socket2::Socket) -> io::Result<(Socket, Waiter)> {
        stream.set_nonblocking(true)?;
        let shared = Arc::new(Shared {
            stream,
            may_read: AtomicBool::new(false),
            is_full: AtomicBool::new(false),
            reads: AtomicU64::new(0),
            most: AtomicU64::new(0),
            left: AtomicU64::new(0),
        });
        Ok((Socket(shared.clone()), Waiter(shared)))
    }
}

impl Waiter {
    /// Sets how many bytes the server may send from now on.
    pub(crate) fn allow(&self, bytes: u64) {
        self.0.most.store(bytes, Ordering::Relaxed);
        self.0.left.store(bytes, Ordering::Relaxed);
    }

    /// Waits until the socket can be read, or written if a write had to wait. False if the time is over.
    pub(crate) fn wait(&self, until: Instant) -> io::Result<bool> {
        let shared = &*self.0;
        let is_full = shared.is_full.load(Ordering::Relaxed);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            match platform::socket::wait(&shared.stream, is_full, left)? {
                Ready::Nothing => continue,
                Ready::Read => shared.may_read.store(true, Ordering::Relaxed),
                Ready::Write => {}
            }
            shared.is_full.store(false, Ordering::Relaxed);
            return Ok(true);
        }
    }
}

impl AsyncRead for Socket {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let shared = &*self.0;
        if !shared.may_read.load(Ordering::Relaxed) {
            return Poll::Pending;
        }
        if shared.reads.fetch_add(1, Ordering::Relaxed) >= READS {
            shared.reads.store(0, Ordering::Relaxed);
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        let room = into.initialize_unfilled();
        let wanted = room.len();
        let read = loop {
            match (&shared.stream).read(room) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        match read {
            Ok(bytes) => {
                // The buffer was not filled, so nothing more was there. The next read will detect the end of the
                // stream.
                if bytes > 0 && bytes < wanted {
                    shared.may_read.store(false, Ordering::Relaxed);
                }
                let left = shared.left.load(Ordering::Relaxed);
                let Some(left) = left.checked_sub(bytes as u64) else {
                    let most = shared.most.load(Ordering::Relaxed);
                    return Poll::Ready(Err(io::Error::other(RequestTooLarge { most })));
                };
                shared.left.store(left, Ordering::Relaxed);
                into.advance(bytes);
                Poll::Ready(Ok(()))
            }
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                shared.may_read.store(false, Ordering::Relaxed);
                Poll::Pending
            }
            Err(error) => Poll::Ready(Err(error)),
        }
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        loop {
            match (&self.0.stream).write(bytes) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    self.0.is_full.store(true, Ordering::Relaxed);
                    return Poll::Pending;
                }
                written => return Poll::Ready(written),
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        let _ = self.0.stream.shutdown(std::net::Shutdown::Write);
        Poll::Ready(Ok(()))
    }
}
