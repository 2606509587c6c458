//! Events of the console, and the end of the user's session. A process without a terminal is told by its pipe to end.

use std::io;
use tokio::signal::windows::{CtrlC, CtrlClose, CtrlShutdown, ctrl_c, ctrl_close, ctrl_shutdown};

/// The events that tell a process to end.
pub(in crate::daemon) struct StopSignals {
    interrupt: CtrlC,
    close: CtrlClose,
    shutdown: CtrlShutdown,
}

impl StopSignals {
    /// Listens to the events.
    pub(in crate::daemon) fn listen() -> io::Result<StopSignals> {
        Ok(StopSignals {
            interrupt: ctrl_c()?,
            close: ctrl_close()?,
            shutdown: ctrl_shutdown()?,
        })
    }

    /// Nothing to ignore: the process has no terminal.
    pub(in crate::daemon) fn ignoring_hangup(self) -> io::Result<StopSignals> {
        Ok(self)
    }

    /// Waits for the next event; returns why the process is to end.
    pub(in crate::daemon) async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.interrupt.recv() => "interrupted",
            _ = self.close.recv() => "told to",
            _ = self.shutdown.recv() => "told to",
        }
    }
}
