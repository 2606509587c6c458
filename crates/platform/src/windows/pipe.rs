//! Named pipes that only this user can open.

use super::check;
use super::security::{PrivateDescriptor, Security};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::{AsRawHandle, RawHandle};
use std::path::Path;
use std::time::{Duration, Instant};
use tokio::net::windows::named_pipe::{NamedPipeServer, ServerOptions};
use windows_sys::Win32::Foundation::{ERROR_BROKEN_PIPE, ERROR_PIPE_BUSY};
use windows_sys::Win32::Security::SECURITY_ATTRIBUTES;
use windows_sys::Win32::Storage::FileSystem::SECURITY_IDENTIFICATION;
use windows_sys::Win32::System::Pipes::{GetNamedPipeClientProcessId, PeekNamedPipe};

/// Time between two checks whether there is something to read.
const LOOK: Duration = Duration::from_millis(1);

/// Maximum wait for a server that is between two clients.
const BUSY: Duration = Duration::from_millis(200);

/// Creates an instance of a pipe that only this user can open, and nobody over the network. With `is_first` it fails if a pipe
/// of that name already exists.
pub fn create(name: &Path, is_first: bool) -> io::Result<NamedPipeServer> {
    let descriptor = PrivateDescriptor::for_user_only()?;
    let mut attributes = SECURITY_ATTRIBUTES {
        nLength: size_of::<SECURITY_ATTRIBUTES>() as u32,
        lpSecurityDescriptor: descriptor.as_ptr(),
        bInheritHandle: 0,
    };
    let mut options = ServerOptions::new();
    options
        .first_pipe_instance(is_first)
        .reject_remote_clients(true);
    // SAFETY: the attributes and their descriptor live until the call returns.
    unsafe { options.create_with_security_attributes_raw(name, (&raw mut attributes).cast()) }
}

/// The process on the other side of a server's pipe.
pub fn client_process(pipe: &NamedPipeServer) -> Option<u32> {
    let mut process = 0;
    // SAFETY: an open handle, and a number that lives until the call returns.
    let told = unsafe { GetNamedPipeClientProcessId(pipe.as_raw_handle(), &mut process) };
    check(told).ok().map(|()| process)
}

/// Whether the other side of a server's pipe has closed it.
pub fn is_closed(pipe: &NamedPipeServer) -> bool {
    available(pipe.as_raw_handle()).is_err()
}

/// Number of bytes that can be read at once. An error means that the other side is gone.
fn available(pipe: RawHandle) -> io::Result<u32> {
    let mut bytes = 0;
    // SAFETY: an open handle, a number that lives until the call returns, and null for results that are not needed.
    check(unsafe {
        PeekNamedPipe(
            pipe,
            std::ptr::null_mut(),
            0,
            std::ptr::null_mut(),
            &mut bytes,
            std::ptr::null_mut(),
        )
    })?;
    Ok(bytes)
}

/// A client's side of a pipe.
#[derive(Debug)]
pub struct Client {
    pipe: File,
    timeout: Option<Duration>,
}

impl Client {
    /// Opens a pipe of this user. The server learns who the client is, and cannot act in its name.
    pub fn connect(name: &Path) -> io::Result<Client> {
        let until = Instant::now() + BUSY;
        let pipe = loop {
            let opened = OpenOptions::new()
                .read(true)
                .write(true)
                .security_qos_flags(SECURITY_IDENTIFICATION)
                .open(name);
            match opened {
                Err(error)
                    if error.raw_os_error() == Some(ERROR_PIPE_BUSY as i32)
                        && Instant::now() < until =>
                {
                    std::thread::sleep(LOOK);
                }
                opened => break opened?,
            }
        };
        if !Security::of_pipe(pipe.as_raw_handle())?.is_own() {
            let message = "the pipe belongs to another user";
            return Err(io::Error::new(ErrorKind::PermissionDenied, message));
        }
        Ok(Client {
            pipe,
            timeout: None,
        })
    }

    /// Sets how long a read waits.
    pub fn set_read_timeout(&mut self, timeout: Option<Duration>) {
        self.timeout = timeout;
    }
}

impl Read for Client {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let since = Instant::now();
        loop {
            match available(self.pipe.as_raw_handle()) {
                Ok(0) => {}
                Ok(_) => return self.pipe.read(buffer),
                Err(error) if error.raw_os_error() == Some(ERROR_BROKEN_PIPE as i32) => {
                    return Ok(0);
                }
                Err(error) => return Err(error),
            }
            if self.timeout.is_some_and(|most| since.elapsed() >= most) {
                return Err(ErrorKind::TimedOut.into());
            }
            std::thread::sleep(LOOK);
        }
    }
}

impl Write for Client {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pipe.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
