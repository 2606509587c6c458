//! How the system tells a process to end.

#[cfg(unix)]
mod unix;
#[cfg(unix)]
pub(super) use unix::StopSignals;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
pub(super) use windows::StopSignals;
