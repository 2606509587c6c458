//! A server for the tests, started once and ended with this process.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use store_postgres::{Pool, PostgresStore, Server};
use testkit::postgres::Postgres;

/// A running server.
pub(crate) struct Running {
    server: Postgres,
    /// The address of its superuser.
    pub(crate) address: String,
}

/// The server of this process; `None` if it cannot be started.
pub(crate) fn running() -> Option<&'static Running> {
    static SERVER: OnceLock<Option<Running>> = OnceLock::new();
    let start = || {
        let server = Postgres::start(env!("CARGO_TARGET_TMPDIR"))?;
        let address = server.address().to_owned();
        Some(Running { server, address })
    };
    SERVER.get_or_init(start).as_ref()
}

/// The connections of all tests.
pub(crate) fn pool() -> Option<Arc<Pool>> {
    static POOL: OnceLock<Option<Arc<Pool>>> = OnceLock::new();
    let make = || Some(Pool::new(Server::parse(&running()?.address).unwrap(), 16));
    POOL.get_or_init(make).clone()
}

/// A name that no other test uses.
pub(crate) fn new_name() -> String {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    format!("test/{}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// An empty repository.
pub(crate) fn fresh() -> Option<(Arc<Pool>, PostgresStore)> {
    let pool = pool()?;
    let store = PostgresStore::open(&pool, &new_name()).unwrap();
    Some((pool, store))
}

impl Running {
    /// A connection to a database of the server.
    pub(crate) fn client_of(&self, database: &str) -> postgres::Client {
        let address = self.address.replace("/postgres?", &format!("/{database}?"));
        postgres::Client::connect(&address, postgres::NoTls).unwrap()
    }

    /// A separate pool for a database.
    pub(crate) fn pool_of(&self, database: &str) -> Arc<Pool> {
        let address = self.address.replace("/postgres?", &format!("/{database}?"));
        Pool::new(Server::parse(&address).unwrap(), 4)
    }

    /// The folder of its socket.
    pub(crate) fn folder(&self) -> &str {
        self.address.split("host=").nth(1).unwrap()
    }

    /// Creates an empty database.
    pub(crate) fn new_database(&self) -> String {
        let name = new_name().replace('/', "_");
        let make = format!("CREATE DATABASE {name}");
        self.client_of("postgres").batch_execute(&make).unwrap();
        name
    }

    /// Ends all connections of Knotwork to a database, as a restart of the server does.
    pub(crate) fn end_connections(&self, database: &str) {
        let end = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                   WHERE datname = $1 AND pid <> pg_backend_pid() AND application_name = 'knotwork'";
        let mut client = self.client_of("postgres");
        client.execute(end, &[&database]).unwrap();
    }

    /// Creates a user who needs a password and has no rights.
    pub(crate) fn ask_for_passwords_of(&self, user: &str, password: &str) {
        let file = self.server.data().join("pg_hba.conf");
        let rules = std::fs::read_to_string(&file).unwrap();
        std::fs::write(&file, format!("local all {user} scram-sha-256\n{rules}")).unwrap();
        let make = format!("CREATE ROLE {user} LOGIN PASSWORD '{password}'");
        let mut client = self.client_of("postgres");
        client.batch_execute(&make).unwrap();
        client.batch_execute("SELECT pg_reload_conf()").unwrap();
        // The server applies its rules a moment later.
        let address = self.address_of(user, "none");
        for _ in 0..100 {
            if postgres::Client::connect(&address, postgres::NoTls).is_err() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
    }

    /// The address for a user with a password.
    pub(crate) fn address_of(&self, user: &str, password: &str) -> String {
        self.address
            .replace("postgres:@", &format!("{user}:{password}@"))
    }
}
