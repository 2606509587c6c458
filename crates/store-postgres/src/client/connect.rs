//! Makes a connection: tries every host in turn, each within its time limit.

use super::Client;
use super::drive::{Driver, Patience};
use super::line::Line;
use super::socket::{Socket, Waiter};
use crate::config::Limits;
use crate::error::Failure;
use crate::tls::Tls;
use rustc_hash::FxHashMap;
use std::io;
use std::net::{IpAddr, SocketAddr, ToSocketAddrs};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};

/// The port of PostgreSQL.
const PORT: u16 = 5432;

/// Most bytes of a server's greeting: its settings, all of which are kept.
const MOST_GREETING: u64 = 1 << 20;

/// The most addresses of one name that are tried.
const MOST_ADDRESSES: usize = 8;

/// Connects to the first host that answers.
pub(crate) fn connect(config: &Config, tls: &Tls, limits: &Limits) -> Result<Client, Failure> {
    let mut failure = Failure::Closed;
    for (at, host) in config.get_hosts().iter().enumerate() {
        let ports = config.get_ports();
        let port = ports.get(at).or_else(|| ports.first());
        match connect_to(host, port.copied().unwrap_or(PORT), config, tls, limits) {
            Ok(client) => return Ok(client),
            Err(error) => failure = error,
        }
    }
    Err(failure)
}

fn connect_to(
    host: &Host,
    port: u16,
    config: &Config,
    tls: &Tls,
    limits: &Limits,
) -> Result<Client, Failure> {
    let until = Instant::now() + limits.connect;
    let mut config = config.clone();
    match host {
        #[cfg(unix)]
        Host::Unix(folder) => {
            // A connection within this machine is not encrypted.
            config.ssl_mode(SslMode::Disable);
            let path = folder.join(format!(".s.PGSQL.{port}"));
            let (socket, waiter) =
                Socket::unix(&path, limits.connect).map_err(Failure::Connecting)?;
            greet((socket, waiter), None, &config, tls, limits, until)
        }
        Host::Tcp(name) => {
            let mut failure = Failure::Closed;
            for address in look_up(name, port, limits.connect)? {
                let left = until.saturating_duration_since(Instant::now());
                if left.is_zero() {
                    return Err(Failure::Silent(limits.connect));
                }
                let greeted = Socket::tcp(address, left)
                    .map_err(|error| match error.kind() {
                        io::ErrorKind::TimedOut => Failure::Silent(limits.connect),
                        _ => Failure::Connecting(error),
                    })
                    .and_then(|socket| greet(socket, Some(name), &config, tls, limits, until));
                match greeted {
                    Ok(client) => return Ok(client),
                    Err(error) => failure = error,
                }
            }
            Err(failure)
        }
    }
}

/// The addresses of a name. The system's resolver has no deadline, so it runs on a thread of its own.
fn look_up(name: &str, port: u16, patience: Duration) -> Result<Vec<SocketAddr>, Failure> {
    if let Ok(address) = name.parse::<IpAddr>() {
        return Ok(vec![SocketAddr::new(address, port)]);
    }
    let (found, answer) = mpsc::channel();
    let asked = name.to_owned();
    std::thread::Builder::new()
        .name("knotwork-resolve".to_owned())
        .spawn(move || {
            let all = (asked.as_str(), port).to_socket_addrs();
            let _ = found.send(all.map(|all| all.take(MOST_ADDRESSES).collect()));
        })
        .map_err(Failure::Connecting)?;
    match answer.recv_timeout(patience) {
        Ok(found) => found.map_err(Failure::Connecting),
        Err(_) => Err(Failure::Silent(patience)),
    }
}

/// Runs the steps before the first question: TLS, the password, the server's settings.
fn greet(
    (socket, waiter): (Socket, Waiter),
    name: Option<&str>,
    config: &Config,
    tls: &Tls,
    limits: &Limits,
    until: Instant,
) -> Result<Client, Failure> {
    waiter.allow(limits.answer_bytes.min(MOST_GREETING));
    let driver = Driver::new(waiter);
    let left = until.saturating_duration_since(Instant::now());
    let greeting = config.connect_raw(socket, tls.connector(name)?);
    let (inner, protocol) = driver
        .wait_for(Patience::for_all(left), greeting)
        .map_err(|failure| match failure {
            Failure::Silent(_) => Failure::Silent(limits.connect),
            other => other,
        })??;
    let mut client = Client {
        statements: FxHashMap::default(),
        inner,
        line: Line::new(protocol, driver),
        limits: limits.clone(),
        is_bulk: false,
    };
    check_role(&mut client, config.get_target_session_attrs())?;
    Ok(client)
}

/// Refuses a read-only server if a writable one is wanted, and the other way round.
fn check_role(client: &mut Client, wanted: TargetSessionAttrs) -> Result<(), Failure> {
    let wants_reading = match wanted {
        TargetSessionAttrs::ReadWrite => false,
        TargetSessionAttrs::ReadOnly => true,
        _ => return Ok(()),
    };
    let row = client.query_one("SHOW transaction_read_only", &[])?;
    let reads_only = row.try_get::<_, &str>(0)? == "on";
    if reads_only == wants_reading {
        return Ok(());
    }
    let reason = "the server is not of the kind that target_session_attrs asks for";
    Err(Failure::Connecting(io::Error::other(reason)))
}
