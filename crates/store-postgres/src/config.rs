//! The server's address; its credentials never appear in a text.

use crate::client::{self, Client};
use crate::error::Failure;
use crate::tls::{self, Tls};
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;
use store::StoreError;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

/// Limits of time and size for a server. A request that exceeds one ends with an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Time for a connection to be made, with TLS and the password.
    pub connect: Duration,
    /// Time for a statement; while a whole repository is read, time without a byte from the server.
    pub statement: Duration,
    /// Time for a statement that works on a whole repository.
    pub bulk: Duration,
    /// Most rows of the answer to one question.
    pub answer_rows: usize,
    /// Most bytes of the answer to one question.
    pub answer_bytes: u64,
    /// Most bytes of a table while a whole repository is read.
    pub repository_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connect: Duration::from_secs(10),
            statement: Duration::from_secs(60),
            bulk: Duration::from_secs(900),
            answer_rows: 1_000_000,
            answer_bytes: 256 << 20,
            repository_bytes: 4 << 30,
        }
    }
}

/// A PostgreSQL server and database, with credentials, which are never shown.
pub struct Server {
    config: Config,
    tls: Tls,
    limits: Limits,
    shown: String,
    secrets: Vec<String>,
    unheeded: Vec<&'static str>,
}

impl Server {
    /// Parses an address `postgresql://user:password@host:port/database?…`.
    ///
    /// A server on another machine must use TLS, and its certificate is checked, unless the address has
    /// `sslmode=disable` or `sslmode=prefer`. `sslrootcert=FILE` names certificates in addition to the system's: of
    /// authorities, or of the server itself.
    ///
    /// Errors: [`StoreError::Invalid`], without the given text.
    pub fn parse(address: &str) -> Result<Server, StoreError> {
        let invalid = |what: &str| StoreError::Invalid(format!("the database's address {what}"));
        let is_address = ["postgres://", "postgresql://"]
            .iter()
            .any(|scheme| address.starts_with(scheme));
        if !is_address {
            return Err(invalid("does not begin with postgresql://"));
        }
        let Options {
            address,
            mode_is_given,
            roots,
            unheeded,
        } = take_options(address)
            .map_err(|UnreadableRoots| invalid("has a sslrootcert that cannot be read"))?;
        // The parser's message may quote a part of the address.
        let mut config: Config = address.parse().map_err(|_| invalid("cannot be read"))?;
        config.application_name("knotwork");
        if config.get_hosts().is_empty() {
            return Err(invalid("names no host"));
        }
        if !mode_is_given && !config.get_hosts().iter().all(is_local) {
            config.ssl_mode(SslMode::Require);
        }
        let password = config.get_password().map(String::from_utf8_lossy);
        let password = password.map(|p| p.into_owned()).filter(|p| !p.is_empty());
        let secrets = password.into_iter().collect();
        Ok(Server {
            shown: address_without_secrets(&config),
            tls: tls::read_certificates(roots.as_deref())?,
            config,
            limits: Limits::default(),
            secrets,
            unheeded,
        })
    }

    /// The same server with other limits.
    pub fn with_limits(mut self, limits: Limits) -> Server {
        self.limits = limits;
        self
    }

    /// Names of options of the address that are ignored.
    pub fn unheeded_options(&self) -> &[&'static str] {
        &self.unheeded
    }

    /// Limits of time and size.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Makes a connection.
    pub(crate) fn connect(&self) -> Result<Client, Failure> {
        client::connect(&self.config, &self.tls, &self.limits)
    }

    /// A text with the password removed, if a message contains it.
    pub(crate) fn redact(&self, text: &str) -> String {
        let hide = |text: String, secret: &String| text.replace(secret, "***");
        self.secrets.iter().fold(text.to_owned(), hide)
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Server({})", self.shown)
    }
}

/// Options of an address that the client's parser does not know.
struct Options {
    address: String,
    mode_is_given: bool,
    roots: Option<PathBuf>,
    unheeded: Vec<&'static str>,
}

/// The path of `sslrootcert` has a wrong escape.
#[derive(Debug)]
struct UnreadableRoots;

/// Options of the client's parser that are ignored here, because these connections have their own limits.
const UNHEEDED: [&str; 7] = [
    "connect_timeout",
    "tcp_user_timeout",
    "keepalives",
    "keepalives_idle",
    "keepalives_interval",
    "keepalives_retries",
    "load_balance_hosts",
];

/// Removes options of other clients. Here, `require` means a checked certificate. Ignored options are listed.
fn take_options(address: &str) -> Result<Options, UnreadableRoots> {
    let (before, options) = address.split_once('?').unwrap_or((address, ""));
    let (mut kept, mut mode_is_given, mut roots) = (Vec::new(), false, None);
    let mut unheeded = Vec::new();
    for option in options.split('&').filter(|option| !option.is_empty()) {
        match option.split_once('=') {
            Some(("sslmode", "verify-full" | "verify-ca")) => {
                mode_is_given = true;
                kept.push("sslmode=require");
            }
            Some(("sslmode", _)) => {
                mode_is_given = true;
                kept.push(option);
            }
            Some(("sslrootcert", file)) => {
                let file = decode_percent(file).ok_or(UnreadableRoots)?;
                roots = Some(PathBuf::from(file));
            }
            Some((name, _)) if UNHEEDED.contains(&name) => {
                unheeded.extend(UNHEEDED.iter().filter(|known| **known == name));
                // The parser checks its value.
                kept.push(option);
            }
            _ => kept.push(option),
        }
    }
    let options = kept.join("&");
    let joined = if options.is_empty() { "" } else { "?" };
    Ok(Options {
        address: format!("{before}{joined}{options}"),
        mode_is_given,
        roots,
        unheeded,
    })
}

/// Decodes percent escapes of an address, such as `%2F` for `/`. `None` if the result is not text.
fn decode_percent(text: &str) -> Option<String> {
    let mut bytes = text.bytes();
    let mut decoded = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let digits = [bytes.next()?, bytes.next()?].map(char::from);
            let [high, low] = digits.map(|digit| digit.to_digit(16));
            decoded.push((high? << 4 | low?) as u8);
        } else {
            decoded.push(byte);
        }
    }
    String::from_utf8(decoded).ok()
}

/// Whether the connection stays on this machine.
fn is_local(host: &Host) -> bool {
    match host {
        #[cfg(unix)]
        Host::Unix(_) => true,
        Host::Tcp(name) => {
            let address = name.parse::<std::net::IpAddr>();
            name == "localhost" || address.is_ok_and(|address| address.is_loopback())
        }
    }
}

fn address_without_secrets(config: &Config) -> String {
    let hosts: Vec<String> = config
        .get_hosts()
        .iter()
        .map(|host| match host {
            #[cfg(unix)]
            Host::Unix(folder) => folder.display().to_string(),
            Host::Tcp(name) => name.clone(),
        })
        .collect();
    let ports: Vec<String> = config.get_ports().iter().map(u16::to_string).collect();
    let port = match ports.as_slice() {
        [] => String::new(),
        ports => format!(":{}", ports.join(",")),
    };
    let database = config.get_dbname().unwrap_or_default();
    format!("postgresql://{}{port}/{database}", hosts.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_shown_without_its_credentials() {
        let server = Server::parse("postgresql://ann:s3cr%2Ft@db.example:6432/graphs").unwrap();
        assert_eq!(server.to_string(), "postgresql://db.example:6432/graphs");
        assert_eq!(
            format!("{server:?}"),
            "Server(postgresql://db.example:6432/graphs)"
        );
        assert_eq!(server.redact("no: s3cr/t"), "no: ***");
    }

    #[test]
    fn a_bad_address_is_refused_without_quoting_it() {
        for address in [
            "host=a password=top secret",
            "postgresql://u:secret@db:port/x",
            "postgresql://u:secret@db/x?secret=1",
            "postgresql:///",
            "secret",
        ] {
            let error = Server::parse(address).unwrap_err().to_string();
            assert!(
                !error.contains("secret") && !error.contains("port/"),
                "{error}"
            );
        }
    }

    #[test]
    fn options_that_are_not_heeded_are_listed_and_paths_decoded() {
        for name in UNHEEDED {
            let value = match name {
                "load_balance_hosts" => "random",
                _ => "1",
            };
            let address = format!("postgresql://u:secret@db/x?{name}={value}");
            assert_eq!(Server::parse(&address).unwrap().unheeded_options(), [name]);
        }
        let heeded = "postgresql://db/x?target_session_attrs=read-write&sslmode=require";
        assert!(Server::parse(heeded).unwrap().unheeded_options().is_empty());
        let roots = |file: &str| {
            let address = format!("postgresql://db/x?sslrootcert={file}");
            take_options(&address).map(|options| options.roots.unwrap())
        };
        assert_eq!(
            roots("/a%20b/%C3%A9.pem").unwrap(),
            PathBuf::from("/a b/é.pem")
        );
        assert_eq!(roots("/a+b.pem").unwrap(), PathBuf::from("/a+b.pem"));
        for bad in ["/a%2", "/a%zz", "/a%ff"] {
            assert!(roots(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_leaves_the_machine_is_encrypted_unless_the_address_says_otherwise() {
        let mode = |address: &str| Server::parse(address).unwrap().config.get_ssl_mode();
        for (address, wanted) in [
            ("postgresql://u@db.example/x", SslMode::Require),
            ("postgresql://u@10.0.0.4/x", SslMode::Require),
            ("postgresql://u@127.0.0.1/x", SslMode::Prefer),
            ("postgresql://u@localhost,db.example/x", SslMode::Require),
            ("postgresql://u@/x?host=/run/postgresql", SslMode::Prefer),
            (
                "postgresql://u@db.example/x?sslmode=disable",
                SslMode::Disable,
            ),
            (
                "postgresql://u@127.0.0.1/x?sslmode=verify-full",
                SslMode::Require,
            ),
        ] {
            assert_eq!(mode(address), wanted, "{address}");
        }
    }
}
