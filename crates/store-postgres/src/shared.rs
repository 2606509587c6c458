//! The repositories of one server, as the engine asks for them.

use crate::{Pool, PostgresStore};
use std::fmt;
use std::sync::Arc;
use store::{GraphStore, Published, SharedStores, StoreError};

/// The repositories of one server.
pub struct Repositories {
    pub(crate) pool: Arc<Pool>,
}

impl Repositories {
    /// The repositories that a pool of connections leads to.
    pub fn new(pool: Arc<Pool>) -> Repositories {
        Repositories { pool }
    }
}

impl fmt::Debug for Repositories {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Repositories({})", self.pool.server())
    }
}

impl SharedStores for Repositories {
    fn server(&self) -> String {
        self.pool.server().to_string()
    }

    fn open(&self, repository: &str) -> Result<Box<dyn GraphStore>, StoreError> {
        let store = PostgresStore::open_read_only(&self.pool, repository)?;
        Ok(Box::new(store))
    }

    fn publish(
        &self,
        repository: &str,
        from: &dyn GraphStore,
        commit: Option<&str>,
        metadata: &[(String, String)],
    ) -> Result<Published, StoreError> {
        PostgresStore::open(&self.pool, repository)?.publish(from, commit, metadata)
    }
}
