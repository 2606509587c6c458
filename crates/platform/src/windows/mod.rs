//! Windows.
//!
//! The system's interface is in C. So this folder and the loops over vectors are the only places of the workspace with unsafe
//! code. Each call is wrapped where it is made. Pointers refer to values that live until the call returns, and every handle
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

/// Takes a handle that a call has just returned. Dropping it closes the handle.
fn own(handle: HANDLE) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the caller got it from the system a moment ago, and nobody else has it.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

/// Converts text for calls that take zero-terminated UTF-16.
fn to_wide(text: &str) -> Vec<u16> {
    text.encode_utf16().chain([0]).collect()
}
