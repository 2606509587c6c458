//! TLS to a real server. That of `pgserver` is built without TLS, so the system's server is started, if there is one.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use store::{GraphStore, StoreError};
use store_postgres::{Pool, PostgresStore, Server};

/// A server with certificates; it ends when this is dropped.
struct Encrypted {
    folder: tempfile::TempDir,
    programs: PathBuf,
    port: u16,
}

/// The programs folder of the newest server of the system.
fn programs() -> Option<PathBuf> {
    let installed = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let folders = installed.filter_map(|entry| Some(entry.ok()?.path().join("bin")));
    folders.filter(|bin| bin.join("initdb").is_file()).max()
}

/// A command as a user who may run a server, which root may not.
fn as_server(program: &Path) -> Command {
    let id = Command::new("id").arg("-u").output().unwrap();
    let mut command = if id.stdout == b"0\n" {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
        command.arg(program);
        command
    } else {
        Command::new(program)
    };
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn succeeds(command: &mut Command) -> bool {
    command.status().is_ok_and(|status| status.success())
}

/// A certificate for the server: self-signed, as in the manual of PostgreSQL, or issued by an authority.
fn certify(folder: &Path) -> bool {
    let openssl = |words: &str| {
        let mut command = Command::new("openssl");
        command.args(words.split(' ')).current_dir(folder);
        succeeds(command.stdout(Stdio::null()).stderr(Stdio::null()))
    };
    let new = "req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes";
    openssl(&format!(
        "{new} -x509 -days 2 -keyout self.key -out self.crt -subj /CN=db"
    )) && openssl(&format!(
        "{new} -x509 -days 2 -keyout root.key -out root.crt -subj /CN=authority"
    )) && openssl(&format!(
        "{new} -keyout signed.key -out signed.csr -subj /CN=localhost"
    )) && std::fs::write(folder.join("names"), "subjectAltName=DNS:localhost").is_ok()
        && openssl(
            "x509 -req -in signed.csr -CA root.crt -CAkey root.key -CAcreateserial -days 2 -extfile names -out signed.crt",
        )
}

impl Encrypted {
    /// `None` if the server cannot be started.
    fn start(certificate: &str) -> Option<Encrypted> {
        let programs = programs()?;
        let folder = tempfile::TempDir::with_prefix("kn-tls").ok()?;
        let (data, port) = (folder.path().join("d"), free_port());
        if !certify(folder.path()) {
            return None;
        }
        let everything = Command::new("chmod")
            .args(["-R", "a+rX"])
            .arg(folder.path())
            .status();
        everything.ok()?;
        let is_root = succeeds(
            Command::new("chown")
                .args(["-R", "postgres"])
                .arg(folder.path()),
        );
        let mut make = as_server(&programs.join("initdb"));
        make.args(["-U", "postgres", "-A", "trust", "-D"])
            .arg(&data);
        if !succeeds(&mut make) {
            return None;
        }
        for (from, to) in [("crt", "server.crt"), ("key", "server.key")] {
            let to = data.join(to);
            std::fs::copy(folder.path().join(format!("{certificate}.{from}")), &to).ok()?;
            succeeds(Command::new("chmod").arg("600").arg(&to));
            if is_root {
                succeeds(Command::new("chown").arg("postgres").arg(&to));
            }
        }
        let options = format!(
            "-p {port} -h 127.0.0.1 -k {} -c ssl=on",
            folder.path().display()
        );
        let mut start = as_server(&programs.join("pg_ctl"));
        start
            .args(["-w", "-D"])
            .arg(&data)
            .arg("-o")
            .arg(options)
            .arg("start");
        succeeds(&mut start).then_some(Encrypted {
            folder,
            programs,
            port,
        })
    }

    fn open(&self, host: &str, options: &str) -> Result<PostgresStore, StoreError> {
        let roots = self.folder.path().display();
        let address = format!(
            "postgresql://postgres@{host}:{}/postgres?{}",
            self.port,
            options.replace("HERE", &roots.to_string())
        );
        PostgresStore::open(&Pool::new(Server::parse(&address)?, 2), "team/project")
    }
}

impl Drop for Encrypted {
    fn drop(&mut self) {
        let mut stop = as_server(&self.programs.join("pg_ctl"));
        stop.args(["-m", "immediate", "-D"])
            .arg(self.folder.path().join("d"));
        succeeds(stop.arg("stop"));
    }
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

#[allow(clippy::print_stderr)]
fn started(certificate: &str) -> Option<Encrypted> {
    let server = Encrypted::start(certificate);
    if server.is_none() {
        eprintln!("skipped: no PostgreSQL of the system, or no openssl");
    }
    server
}

#[track_caller]
fn assert_refused(refused: Result<PostgresStore, StoreError>) {
    let error = refused.err().expect("refused").to_string();
    assert!(error.contains("certificate"), "{error}");
}

#[test]
fn a_certificate_that_signs_itself_is_taken_where_the_user_names_it() {
    let Some(server) = started("self") else {
        return;
    };
    assert_refused(server.open("localhost", "sslmode=require"));
    assert_refused(server.open("localhost", "sslmode=verify-full&sslrootcert=HERE/root.crt"));
    for mode in ["require", "verify-ca", "verify-full"] {
        let options = format!("sslmode={mode}&sslrootcert=HERE/self.crt");
        let store = server.open("localhost", &options).unwrap();
        assert_eq!(store.stats().unwrap().nodes, 0);
    }
}

#[test]
fn a_certificate_of_an_authority_counts_for_the_name_in_it() {
    let Some(server) = started("signed") else {
        return;
    };
    let roots = "sslmode=verify-full&sslrootcert=HERE/root.crt";
    server.open("localhost", roots).unwrap();
    assert_refused(server.open("127.0.0.1", roots));
    assert_refused(server.open("localhost", "sslmode=require"));
}
