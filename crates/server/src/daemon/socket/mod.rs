//! The connection between the daemon and its clients: a Unix socket, or a named pipe on Windows.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
use unix as system;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as system;

pub(crate) use system::{ClientStream, Listener, Stream};
pub(super) use system::{
    client_process, find, is_address, is_listening, place_identity, prepare, remove, wait_closed,
};

use std::path::Path;

/// Most bytes of a file that says where the socket is.
const LONGEST_NOTE: u64 = 4_096;

/// Where a project's daemon can be reached.
#[derive(Debug, Clone, Copy)]
pub(super) struct EndpointPaths<'p> {
    /// The socket, or the file that says where it is.
    pub(super) socket: &'p Path,
    /// A private folder of this user for sockets whose path would be too long. Pipes need none.
    #[cfg_attr(windows, allow(dead_code))]
    pub(super) runtime: &'p Path,
}

impl EndpointPaths<'_> {
    /// A number for the socket's path, for a name elsewhere.
    fn fingerprint(self) -> u64 {
        let absolute = std::path::absolute(self.socket);
        let absolute = absolute.unwrap_or_else(|_| self.socket.to_path_buf());
        base::fingerprint(&[absolute.as_os_str().as_encoded_bytes()])
    }

    /// The text of the file in the socket's place, if this user wrote it.
    fn read_note(self) -> Option<String> {
        let bytes = guard::state::read_own_file(self.socket, LONGEST_NOTE).ok()?;
        String::from_utf8(bytes).ok()
    }
}
