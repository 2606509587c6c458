//! The repositories of one server, as the engine uses them.

use crate::{Pool, PostgresStore, schema, texts};
use std::fmt;
use std::sync::Arc;
use store::{GraphStore, Publication, Published, SharedStores, StoreError};

/// The repositories of one server.
pub struct Repositories {
    pub(crate) pool: Arc<Pool>,
}

impl Repositories {
    /// The repositories that a pool of connections leads to.
    pub fn new(pool: Arc<Pool>) -> Repositories {
        Repositories { pool }
    }

    /// The repositories with the highest scores for the words of a question, best first, at most `most`.
    pub fn most_promising(
        &self,
        repositories: &[String],
        words: &[&str],
        most: usize,
    ) -> Result<Vec<String>, StoreError> {
        self.pool.with_connection("asking", |client| {
            schema::check(client, self.pool.server())?;
            texts::most_promising(client, repositories, words, most)
        })
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
        publication: &Publication<'_>,
    ) -> Result<Published, StoreError> {
        PostgresStore::open(&self.pool, repository)?.publish_all(publication)
    }
}
