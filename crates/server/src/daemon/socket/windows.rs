//! A named pipe. Pipes are not in folders, so a file in the socket's place names it. A part of the name is random: nobody can
//! create the pipe first. Only this user can open it.

use super::super::DaemonError;
use super::EndpointPaths;
use guard::state;
use platform::pipe;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::net::windows::named_pipe::NamedPipeServer;

/// How all names begin.
const PREFIX: &str = r"\\.\pipe\knotwork-";

/// The time between checks of a client whose request is being worked on.
const GLANCE: Duration = Duration::from_millis(20);

/// A client's connection, as the daemon has it.
pub(crate) type Stream = NamedPipeServer;

/// The daemon's side: the end of the pipe to which the next client will connect.
pub(crate) struct Listener {
    next: NamedPipeServer,
    address: PathBuf,
}

impl Listener {
    /// Listens at an address of [`prepare`].
    pub(crate) fn bind(address: &Path) -> io::Result<Listener> {
        Ok(Listener {
            next: pipe::create(address, true)?,
            address: address.to_path_buf(),
        })
    }

    /// The next client.
    pub(crate) async fn accept(&mut self) -> io::Result<Stream> {
        self.next.connect().await?;
        let following = pipe::create(&self.address, false)?;
        Ok(std::mem::replace(&mut self.next, following))
    }
}

/// A connection, as a client has it.
pub(crate) struct ClientStream(pipe::Client);

impl ClientStream {
    /// Connects. Fails at once if there is no daemon.
    pub(crate) fn connect(address: &Path) -> io::Result<ClientStream> {
        Ok(ClientStream(pipe::Client::connect(address)?))
    }

    /// Sets how long a read waits.
    pub(crate) fn set_read_timeout(&mut self, timeout: Duration) -> io::Result<()> {
        self.0.set_read_timeout(Some(timeout));
        Ok(())
    }
}

impl Read for ClientStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for ClientStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The number of the process on the other side.
pub(in crate::daemon) fn client_process(stream: &Stream) -> Option<u32> {
    pipe::client_process(stream)
}

/// Returns when the other side has closed the pipe.
pub(in crate::daemon) async fn wait_closed(stream: &Stream) {
    while !pipe::is_closed(stream) {
        tokio::time::sleep(GLANCE).await;
    }
}

/// Whether the text of a file in the socket's place may be that of [`prepare`].
pub(in crate::daemon) fn is_address(text: &str) -> bool {
    text.starts_with(PREFIX)
}

/// A new name for the pipe, which the file in the socket's place says from now on.
pub(in crate::daemon) fn prepare(place: EndpointPaths<'_>) -> Result<PathBuf, DaemonError> {
    let fail = |source| DaemonError::from_io(place.socket, source);
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(|error| fail(io::Error::other(error)))?;
    let random = u64::from_le_bytes(random);
    let name = format!("{}{random:016x}", own_prefix(place));
    state::replace_file(place.socket, format!("{name}\n").as_bytes()).map_err(fail)?;
    Ok(PathBuf::from(name))
}

/// The pipe to connect to; none where no file of this user names one of this project.
pub(in crate::daemon) fn find(place: EndpointPaths<'_>) -> Option<PathBuf> {
    let text = place.read_note()?;
    let name = text.trim_end();
    let random = name.strip_prefix(&own_prefix(place))?;
    let is_number = random.len() == 16 && random.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_number.then(|| PathBuf::from(name))
}

fn own_prefix(place: EndpointPaths<'_>) -> String {
    format!("{PREFIX}{:016x}-", place.fingerprint())
}

/// Whether a process listens on the pipe.
pub(in crate::daemon) fn is_listening(address: &Path) -> bool {
    ClientStream::connect(address).is_ok()
}

/// Nothing to remove: a pipe is gone with its process.
pub(in crate::daemon) fn remove(_: &Path) {}

/// What tells the file that names the pipe from another one in its place.
pub(in crate::daemon) fn place_identity(place: EndpointPaths<'_>, _: &Path) -> Option<(u64, u64)> {
    let found = platform::file::details(place.socket).ok()?;
    Some((found.device, found.number))
}
