//! Windows.
//!
//! Its interface is in C, so this is the one place of the workspace, besides the loops over vectors, with unsafe code.
//! Each call is wrapped where it is made: pointers refer to values that live until the call returns, and every handle
//! belongs to an `OwnedHandle`.
#![allow(unsafe_code)]

pub mod clock;
pub mod file;
pub mod pipe;
pub mod process;
pub mod rights;
pub mod socket;

mod security;

use std::io;
use std::os::windows::io::{FromRawHandle, OwnedHandle};
use windows_sys::Win32::Foundation::{HANDLE, INVALID_HANDLE_VALUE};

/// The system's last error if a call returned 0.
fn check(returned: i32) -> io::Result<()> {
    match returned {
        0 => Err(io::Error::last_os_error()),
        _ => Ok(()),
    }
}

/// A handle that a call has just returned, closed when it is dropped.
fn own(handle: HANDLE) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the caller got it from the system a moment ago, and nobody else has it.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

/// Text for calls that take UTF-16 with a zero at its end.
fn to_wide(text: &str) -> Vec<u16> {
    text.encode_utf16().chain([0]).collect()
}
