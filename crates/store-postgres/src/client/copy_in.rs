//! Sends rows to the server.

use super::drive::Patience;
use super::line::Line;
use crate::error::Failure;
use futures::SinkExt;
use std::io::Cursor;
use std::pin::Pin;
use tokio_postgres::CopyInSink;

/// A COPY to the server. Unless it is finished, the server discards it.
pub(crate) struct CopyIn<'c> {
    line: &'c mut Line,
    patience: Patience,
    sink: Pin<Box<CopyInSink<Cursor<Vec<u8>>>>>,
}

impl<'c> CopyIn<'c> {
    pub(super) fn new(
        line: &'c mut Line,
        patience: Patience,
        sink: CopyInSink<Cursor<Vec<u8>>>,
    ) -> CopyIn<'c> {
        CopyIn {
            line,
            patience,
            sink: Box::pin(sink),
        }
    }

    /// Sends a block of rows.
    pub(crate) fn send(&mut self, part: Vec<u8>) -> Result<(), Failure> {
        let sink = &mut self.sink;
        self.line.wait_for(self.patience, async {
            Ok(sink.send(Cursor::new(part)).await?)
        })
    }

    /// Ends the COPY. Returns the number of rows.
    pub(crate) fn finish(mut self) -> Result<u64, Failure> {
        let sink = &mut self.sink;
        self.line
            .wait_for(self.patience, async { Ok(sink.as_mut().finish().await?) })
    }
}
