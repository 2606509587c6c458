//! Unix signals.

use std::io;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that tell a process to end. Once they are listened to, they do nothing by themselves.
pub(in crate::daemon) struct StopSignals {
    term: Signal,
    int: Signal,
    hup: Option<Signal>,
}

impl StopSignals {
    /// Listens to the signals.
    pub(in crate::daemon) fn listen() -> io::Result<StopSignals> {
        Ok(StopSignals {
            term: signal(SignalKind::terminate())?,
            int: signal(SignalKind::interrupt())?,
            hup: None,
        })
    }

    /// Ignores that the terminal was closed, from which the process was started.
    pub(in crate::daemon) fn ignoring_hangup(mut self) -> io::Result<StopSignals> {
        self.hup = Some(signal(SignalKind::hangup())?);
        Ok(self)
    }

    /// Waits for the next signal; returns why the process is to end.
    pub(in crate::daemon) async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.term.recv() => "told to",
            _ = self.int.recv() => "interrupted",
        }
    }
}
