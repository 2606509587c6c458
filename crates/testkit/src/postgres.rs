//! A PostgreSQL server for tests: that of the Python package `pgserver`, in `target/pgserver`.
//!
//! Without the package such tests are skipped, unless `KNOTWORK_TEST_POSTGRES` is set.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The program ends when its standard input ends, which is with this process at the latest.
const PROGRAM: &str = "import sys, pgserver\n\
    server = pgserver.get_server(sys.argv[1], cleanup_mode='delete')\n\
    print(server.get_uri(), flush=True)\n\
    sys.stdin.read()\n";

/// A running server. It is ended, and its data removed, when this is dropped.
pub struct Postgres {
    child: Child,
    folder: tempfile::TempDir,
    address: String,
}

impl Postgres {
    /// Starts a server; none if it is not available. `folder` is the `CARGO_TARGET_TMPDIR` of the test.
    ///
    /// # Panics
    /// If it is not available, and `KNOTWORK_TEST_POSTGRES` is set.
    #[allow(clippy::print_stderr)]
    pub fn start(folder: &str) -> Option<Postgres> {
        let python = Path::new(folder).join("../pgserver/bin/python");
        let started = python.is_file().then(|| Postgres::spawn(&python)).flatten();
        if started.is_none() {
            let required = std::env::var_os("KNOTWORK_TEST_POSTGRES").is_some();
            assert!(!required, "no PostgreSQL could be started");
            eprintln!(
                "skipped: no PostgreSQL (python3 -m venv target/pgserver && target/pgserver/bin/pip install pgserver)"
            );
        }
        started
    }

    fn spawn(python: &Path) -> Option<Postgres> {
        let folder = tempfile::TempDir::with_prefix("kn-pg").ok()?;
        let mut child = Command::new(python)
            .args(["-W", "ignore", "-c", PROGRAM])
            .arg(data(&folder))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let out = child.stdout.take()?;
        let mut address = String::new();
        BufReader::new(out).read_line(&mut address).ok()?;
        let address = address.trim().to_owned();
        (!address.is_empty()).then_some(Postgres {
            child,
            folder,
            address,
        })
    }

    /// The address of its superuser.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The folder of its data, with its socket in it.
    pub fn data(&self) -> PathBuf {
        data(&self.folder)
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

fn data(folder: &tempfile::TempDir) -> PathBuf {
    folder.path().join("d")
}
