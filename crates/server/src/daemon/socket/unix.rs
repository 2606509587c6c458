//! A Unix socket, in the state folder, or in the user's runtime folder where its path would be too long.

use super::super::DaemonError;
use super::EndpointPaths;
use guard::state;
use socket2::{Domain, SockAddr, Socket, Type};
use std::io::{self, ErrorKind, Read, Write};
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::io::Interest;

/// The most bytes of a socket's path: Linux has room for 107, macOS for 103.
pub(in crate::daemon) const LONGEST: usize = 100;

/// The longest that sending a request may take.
const SEND: Duration = Duration::from_secs(2);

/// The time between checks of a client whose request is being worked on.
const GLANCE: Duration = Duration::from_millis(20);

/// A client's connection, as the daemon has it.
pub(crate) type Stream = tokio::net::UnixStream;

/// The daemon's side.
pub(crate) struct Listener(tokio::net::UnixListener);

impl Listener {
    /// Listens at an address of [`prepare`].
    pub(crate) fn bind(address: &Path) -> io::Result<Listener> {
        let listener = tokio::net::UnixListener::bind(address)?;
        platform::rights::close_socket(address)?;
        Ok(Listener(listener))
    }

    /// The next client.
    pub(crate) async fn accept(&mut self) -> io::Result<Stream> {
        Ok(self.0.accept().await?.0)
    }
}

/// A connection, as a client has it.
pub(crate) struct ClientStream(UnixStream);

impl ClientStream {
    /// Connects. Fails at once if nobody listens or the daemon accepts no more clients.
    pub(crate) fn connect(address: &Path) -> io::Result<ClientStream> {
        let address = SockAddr::unix(address)?;
        let socket = Socket::new(Domain::UNIX, Type::STREAM, None)?;
        // A full backlog would make a blocking call wait.
        socket.set_nonblocking(true)?;
        socket.connect(&address)?;
        socket.set_nonblocking(false)?;
        let stream = UnixStream::from(std::os::fd::OwnedFd::from(socket));
        stream.set_write_timeout(Some(SEND))?;
        Ok(ClientStream(stream))
    }

    /// Sets how long a read waits.
    pub(crate) fn set_read_timeout(&mut self, timeout: Duration) -> io::Result<()> {
        self.0.set_read_timeout(Some(timeout))
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

/// The number of the process on the other side, where the system knows it.
pub(in crate::daemon) fn client_process(stream: &Stream) -> Option<u32> {
    let process = stream.peer_cred().ok()?.pid()?;
    u32::try_from(process).ok()
}

/// Returns when the other side has closed both directions. A client that closes only its sending side still waits for its answer.
pub(in crate::daemon) async fn wait_closed(stream: &Stream) {
    loop {
        tokio::time::sleep(GLANCE).await;
        match stream.ready(Interest::WRITABLE).await {
            Ok(ready) if !ready.is_write_closed() => {}
            _ => return,
        }
    }
}

/// Whether the text of a file in the socket's place may be that of [`prepare`].
pub(in crate::daemon) fn is_address(text: &str) -> bool {
    text.starts_with('/')
}

/// The path at which to bind the socket. Where its usual path is too long the socket is in the private folder, and a file in
/// the usual place names it.
pub(in crate::daemon) fn prepare(place: EndpointPaths<'_>) -> Result<PathBuf, DaemonError> {
    let fail = |path: &Path| {
        let path = path.to_path_buf();
        move |source| DaemonError::from_io(&path, source)
    };
    if place.socket.as_os_str().len() <= LONGEST {
        return Ok(place.socket.to_path_buf());
    }
    let short = short_path(place);
    let folder = place.runtime;
    let mut builder = platform::rights::private_dir_builder();
    let made = builder.recursive(true).create(folder);
    made.map_err(fail(folder))?;
    if !is_private(folder) {
        let source = io::Error::new(ErrorKind::PermissionDenied, "is not this user's alone");
        return Err(DaemonError::from_io(folder, source));
    }
    if short.as_os_str().len() > LONGEST {
        let source = io::Error::new(ErrorKind::InvalidFilename, "too long for a socket");
        return Err(DaemonError::from_io(&short, source));
    }
    remove_if_exists(&short).map_err(fail(&short))?;
    let shown = format!("{}\n", short.display());
    state::replace_file(place.socket, shown.as_bytes()).map_err(fail(place.socket))?;
    Ok(short)
}

/// The socket to connect to; none where it is missing or not this user's.
pub(in crate::daemon) fn find(place: EndpointPaths<'_>) -> Option<PathBuf> {
    let is_own_socket = |path: &Path| {
        let found = path.symlink_metadata().ok()?;
        let foreign = platform::rights::foreign_owner(path, &found).ok()?;
        Some(found.file_type().is_socket() && foreign.is_none())
    };
    let found = place.socket.symlink_metadata().ok()?;
    if found.file_type().is_socket() {
        let is_usable = is_own_socket(place.socket)? && place.socket.as_os_str().len() <= LONGEST;
        return is_usable.then(|| place.socket.to_path_buf());
    }
    // Only the name that this very socket would have is accepted, in a folder that nobody else can write to.
    let short = short_path(place);
    let text = place.read_note()?;
    let named = PathBuf::from(text.trim_end());
    let private = named.parent().is_some_and(is_private);
    let same = named.file_name() == short.file_name();
    (private && same && is_own_socket(&named)?).then_some(named)
}

/// Whether a process listens on the socket. A full queue of clients is a sign of one as well.
pub(in crate::daemon) fn is_listening(socket: &Path) -> bool {
    match ClientStream::connect(socket) {
        Ok(_) => true,
        Err(error) => error.kind() == ErrorKind::WouldBlock,
    }
}

/// Removes a socket.
pub(in crate::daemon) fn remove(address: &Path) {
    let _ = remove_if_exists(address);
}

/// What tells the socket from another one in its place.
pub(in crate::daemon) fn place_identity(
    _: EndpointPaths<'_>,
    address: &Path,
) -> Option<(u64, u64)> {
    let found = platform::file::details(address).ok()?;
    Some((found.device, found.number))
}

fn is_private(folder: &Path) -> bool {
    use platform::{Others, rights};
    let Ok(found) = folder.symlink_metadata() else {
        return false;
    };
    found.is_dir()
        && rights::foreign_owner(folder, &found).is_ok_and(|owner| owner.is_none())
        && rights::others(folder).is_ok_and(|others| others == Others::Nobody)
}

fn short_path(place: EndpointPaths<'_>) -> PathBuf {
    let name = place.fingerprint();
    place.runtime.join(format!("{name:016x}.sock"))
}

/// Removes a file that may be gone already.
fn remove_if_exists(path: &Path) -> io::Result<()> {
    match std::fs::remove_file(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
