//! A transaction that is rolled back unless it is committed.

use super::Client;
use crate::error::Failure;
use std::ops::{Deref, DerefMut};

/// A transaction of a connection, which answers through it.
pub(crate) struct Transaction<'c> {
    client: &'c mut Client,
    is_open: bool,
}

impl<'c> Transaction<'c> {
    /// The transaction that a client is in.
    pub(super) fn new(client: &'c mut Client) -> Transaction<'c> {
        Transaction {
            client,
            is_open: true,
        }
    }

    /// Gives the statements of this transaction the time limit of work on a whole repository.
    pub(crate) fn allow_bulk(&mut self) {
        self.client.is_bulk = true;
    }

    /// Commits the transaction.
    pub(crate) fn commit(mut self) -> Result<(), Failure> {
        self.is_open = false;
        let done = self.client.batch_execute("COMMIT");
        self.client.is_bulk = false;
        done
    }
}

impl Deref for Transaction<'_> {
    type Target = Client;

    fn deref(&self) -> &Client {
        self.client
    }
}

impl DerefMut for Transaction<'_> {
    fn deref_mut(&mut self) -> &mut Client {
        self.client
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        self.client.is_bulk = false;
        if self.is_open && !self.client.is_closed() {
            let undone = self.client.batch_execute("ROLLBACK");
            self.client.line.is_broken |= undone.is_err();
        }
    }
}
