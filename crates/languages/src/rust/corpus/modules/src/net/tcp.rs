use super::Connection;

pub struct Socket;

impl Socket {
    pub fn new() -> Self {
        Self
    }

    pub fn flush(&self) {}
}

pub fn connect(_to: &str) -> Socket {
    Socket::new() // calls :Socket.new
}

pub fn over(connection: Connection) {
    connection.close(); // calls src/net/mod.rs:Connection.close
    super::connect("a").close(); // calls src/net/mod.rs:connect, src/net/mod.rs:Connection.close
}
