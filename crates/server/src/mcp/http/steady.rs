//! A stream whose other side must read: a write that makes no progress for long is an error.

use std::io::{Error, ErrorKind, IoSlice, Result};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A stream with a time limit for each write.
pub(crate) struct WriteTimeout<S> {
    stream: S,
    patience: Duration,
    /// Ends the wait of a pending write.
    end: Option<Pin<Box<Sleep>>>,
}

impl<S> WriteTimeout<S> {
    pub(crate) fn new(stream: S, patience: Duration) -> WriteTimeout<S> {
        WriteTimeout {
            stream,
            patience,
            end: None,
        }
    }

    /// The result of a write, or an error where it has been pending for too long.
    fn check_timeout<T>(
        &mut self,
        context: &mut Context<'_>,
        wrote: Poll<Result<T>>,
    ) -> Poll<Result<T>> {
        if wrote.is_ready() {
            self.end = None;
            return wrote;
        }
        let patience = self.patience;
        let end = self.end.get_or_insert_with(|| Box::pin(sleep(patience)));
        ready!(end.as_mut().poll(context));
        Poll::Ready(Err(Error::from(ErrorKind::TimedOut)))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.check_timeout(context, wrote)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.check_timeout(context, wrote)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.check_timeout(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<()>> {
        let closed = Pin::new(&mut self.stream).poll_shutdown(context);
        self.check_timeout(context, closed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[tokio::test]
    async fn who_does_not_read_is_given_up() {
        let (near, mut far) = tokio::io::duplex(16);
        let mut steady = WriteTimeout::new(near, Duration::from_millis(50));
        steady.write_all(&[1; 16]).await.unwrap();
        let error = steady.write_all(&[2; 16]).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        // A side that reads again is written to again.
        let mut read = [0; 16];
        far.read_exact(&mut read).await.unwrap();
        steady.write_all(&[3; 16]).await.unwrap();
    }
}
