//! Runs the protocol in the calling thread, until a deadline.

use super::socket::Waiter;
use crate::error::Failure;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

/// Set when progress is possible without the socket.
struct Flag(AtomicBool);

impl Wake for Flag {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Time limits of a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    /// The longest time without a byte from the server.
    pub(crate) silence: Duration,
    /// The longest time in total.
    pub(crate) whole: Duration,
}

impl Patience {
    pub(crate) fn for_all(time: Duration) -> Patience {
        Patience {
            silence: time,
            whole: time,
        }
    }
}

/// Polls a future, and waits for the socket in between.
pub(crate) struct Driver {
    pub(crate) waiter: Waiter,
    flag: Arc<Flag>,
    waker: Waker,
}

impl Driver {
    pub(crate) fn new(waiter: Waiter) -> Driver {
        let flag = Arc::new(Flag(AtomicBool::new(false)));
        Driver {
            waiter,
            waker: Waker::from(flag.clone()),
            flag,
        }
    }

    /// Polls until it is ready. The polled work must wait for nothing but the socket.
    ///
    /// Errors: [`Failure::Silent`] if a limit is exceeded.
    pub(crate) fn poll_until<T>(
        &self,
        patience: Patience,
        mut poll: impl FnMut(&mut Context<'_>) -> Poll<T>,
    ) -> Result<T, Failure> {
        let until = Instant::now() + patience.whole;
        let mut context = Context::from_waker(&self.waker);
        loop {
            if let Poll::Ready(done) = poll(&mut context) {
                return Ok(done);
            }
            if self.flag.0.swap(false, Ordering::Relaxed) {
                // Work that keeps waking itself must end as well.
                if Instant::now() >= until {
                    return Err(Failure::Silent(patience.whole));
                }
                continue;
            }
            let silent = Instant::now() + patience.silence;
            if !self.waiter.wait(until.min(silent))? {
                let time = if silent < until {
                    patience.silence
                } else {
                    patience.whole
                };
                return Err(Failure::Silent(time));
            }
        }
    }

    /// Waits for a future that needs nothing but the socket.
    pub(crate) fn wait_for<F: Future>(
        &self,
        patience: Patience,
        future: F,
    ) -> Result<F::Output, Failure> {
        let mut future = pin!(future);
        self.poll_until(patience, |context| future.as_mut().poll(context))
    }
}
