//! The wire of a connection: runs the protocol and waits for it.

use super::drive::{Driver, Patience};
use super::socket::Socket;
use crate::error::Failure;
use crate::tls;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio_postgres::Connection;

/// Time for closing the connection.
const GOODBYE: Duration = Duration::from_millis(200);

pub(crate) struct Line {
    protocol: Connection<Socket, tls::Stream>,
    driver: Driver,
    /// Whether it has ended, or an unread answer is still to come.
    pub(crate) is_broken: bool,
}

impl Line {
    pub(crate) fn new(protocol: Connection<Socket, tls::Stream>, driver: Driver) -> Line {
        Line {
            protocol,
            driver,
            is_broken: false,
        }
    }

    /// Sets how many bytes the server may send from now on.
    pub(crate) fn allow(&self, bytes: u64) {
        self.driver.waiter.allow(bytes);
    }

    /// Waits for a request.
    pub(crate) fn wait_for<T>(
        &mut self,
        patience: Patience,
        request: impl Future<Output = Result<T, Failure>>,
    ) -> Result<T, Failure> {
        if self.is_broken {
            return Err(Failure::Closed);
        }
        let mut request = pin!(request);
        let protocol = &mut self.protocol;
        let mut has_ended = false;
        let done = self.driver.poll_until(patience, |context| {
            // The request is polled first: it decides what is sent.
            if let Poll::Ready(done) = request.as_mut().poll(context) {
                return Poll::Ready(done);
            }
            match drive_protocol(protocol, context) {
                Poll::Pending => request.as_mut().poll(context),
                Poll::Ready(end) => {
                    has_ended = true;
                    // The last answer may contain the reason.
                    Poll::Ready(match request.as_mut().poll(context) {
                        Poll::Ready(Err(said)) if !said.is_from_server() => {
                            Err(end.unwrap_or(said))
                        }
                        Poll::Ready(done) => done,
                        Poll::Pending => Err(end.unwrap_or(Failure::Closed)),
                    })
                }
            }
        });
        self.is_broken |= has_ended;
        done.unwrap_or_else(|failure| {
            self.is_broken = true;
            Err(failure)
        })
    }
}

/// Sends and receives. Ready when the connection has ended, with the error, if any.
fn drive_protocol(
    protocol: &mut Connection<Socket, tls::Stream>,
    context: &mut Context<'_>,
) -> Poll<Option<Failure>> {
    loop {
        match protocol.poll_message(context) {
            // Notices are ignored.
            Poll::Ready(Some(Ok(_))) => {}
            Poll::Ready(Some(Err(error))) => return Poll::Ready(Some(error.into())),
            Poll::Ready(None) => return Poll::Ready(None),
            Poll::Pending => return Poll::Pending,
        }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        if !self.is_broken {
            let protocol = &mut self.protocol;
            let patience = Patience::for_all(GOODBYE);
            let _ = (self.driver).poll_until(patience, |context| drive_protocol(protocol, context));
        }
    }
}
