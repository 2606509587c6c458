//! A transport with backpressure: it reads on only as far as answers are written. Otherwise a client that asks and does not read
//! would fill the memory with answers.

use rmcp::service::{RxJsonRpcMessage, ServiceRole, TxJsonRpcMessage};
use rmcp::transport::Transport;
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// The most answers waiting to be written; beyond it nothing more is read.
const MOST_UNWRITTEN: usize = 64;

/// A transport with a limit on messages that wait to be written.
pub(super) struct BackpressureTransport<T> {
    inner: T,
    /// Permits for messages that may wait.
    room: Arc<Semaphore>,
}

impl<T> BackpressureTransport<T> {
    pub(super) fn new(inner: T) -> BackpressureTransport<T> {
        BackpressureTransport {
            inner,
            room: Arc::new(Semaphore::new(MOST_UNWRITTEN)),
        }
    }
}

impl<R: ServiceRole, T: Transport<R>> Transport<R> for BackpressureTransport<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<R>,
    ) -> impl Future<Output = Result<(), Self::Error>> + Send + 'static {
        // Without a permit the message is sent all the same, since it exists already. Nothing is read until there is room.
        let permit: Option<OwnedSemaphorePermit> = self.room.clone().try_acquire_owned().ok();
        let sending = self.inner.send(item);
        async move {
            let sent = sending.await;
            drop(permit);
            sent
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<R>> {
        // The permit is released at once: it only shows that there is room.
        drop(self.room.acquire().await);
        self.inner.receive().await
    }

    fn close(&mut self) -> impl Future<Output = Result<(), Self::Error>> + Send {
        self.inner.close()
    }
}
