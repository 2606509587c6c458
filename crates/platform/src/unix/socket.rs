//! Waiting for a socket.

use crate::Ready;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io;
use std::os::fd::AsFd;
use std::time::Duration;

/// Waits until a socket can be read, or written if `to_write`. An error or the end of the stream counts as readable.
pub fn wait(socket: &impl AsFd, to_write: bool, most: Duration) -> io::Result<Ready> {
    let mut wanted = PollFlags::IN;
    if to_write {
        wanted |= PollFlags::OUT;
    }
    let most = Timespec {
        tv_sec: most.as_secs() as i64,
        tv_nsec: i64::from(most.subsec_nanos()) as _,
    };
    let mut polled = [PollFd::new(socket, wanted)];
    match poll(&mut polled, Some(&most)) {
        Ok(0) | Err(rustix::io::Errno::INTR) => Ok(Ready::Nothing),
        Ok(_) if polled[0].revents() == PollFlags::OUT => Ok(Ready::Write),
        Ok(_) => Ok(Ready::Read),
        Err(error) => Err(error.into()),
    }
}
