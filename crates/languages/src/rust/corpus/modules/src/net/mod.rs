pub mod tcp;

pub use self::tcp::Socket;

pub struct Connection(Socket);

pub fn connect(to: &str) -> Connection {
    Connection(tcp::connect(to)) // calls :Connection, src/net/tcp.rs:connect
}

impl Connection {
    pub fn close(self) {
        self.0.flush(); // calls src/net/tcp.rs:Socket.flush
    }
}
