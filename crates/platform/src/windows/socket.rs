//! Waiting for a socket.

use crate::Ready;
use std::io;
use std::os::windows::io::{AsRawSocket, AsSocket};
use std::time::Duration;
use windows_sys::Win32::Networking::WinSock::{POLLRDNORM, POLLWRNORM, WSAPOLLFD, WSAPoll};

/// Waits until a socket can be read, or written if `to_write`. An error or the end of the stream counts as readable.
pub fn wait(socket: &impl AsSocket, to_write: bool, most: Duration) -> io::Result<Ready> {
    let mut wanted = POLLRDNORM;
    if to_write {
        wanted |= POLLWRNORM;
    }
    let mut polled = WSAPOLLFD {
        fd: socket.as_socket().as_raw_socket() as usize,
        events: wanted,
        revents: 0,
    };
    // The system counts whole milliseconds. A part of one must not become zero.
    let most = i32::try_from(most.as_millis() + 1).unwrap_or(i32::MAX);
    // SAFETY: one structure, which lives until the call returns, of an open socket.
    match unsafe { WSAPoll(&mut polled, 1, most) } {
        0 => Ok(Ready::Nothing),
        count if count > 0 && polled.revents == POLLWRNORM => Ok(Ready::Write),
        count if count > 0 => Ok(Ready::Read),
        _ => Err(io::Error::last_os_error()),
    }
}
