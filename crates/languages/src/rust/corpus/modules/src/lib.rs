pub mod net;
mod text;
#[path = "other/odd_name.rs"]
mod odd;

mod inner {
    pub fn open() -> u32 {
        super::open() + deep::open() // calls :open, :inner.deep.open
    }

    pub mod deep {
        pub(in crate::inner) fn open() -> u32 {
            crate::text::trim("a").len() as u32 // calls src/text.rs:trim
        }

        pub fn up() -> u32 {
            super::super::open() // calls :open
        }
    }
}

pub use inner::deep::{self, up as upwards};
pub use net::{Connection, connect};
use text::trim as cut;
use text::*;

pub fn open() -> u32 {
    0
}

pub fn run() -> u32 {
    cut(" a "); // calls src/text.rs:trim
    upper("b"); // calls src/text.rs:upper
    self::inner::open(); // calls :inner.open
    upwards() + deep::up(); // calls :inner.deep.up
    connect("x").close(); // calls src/net/mod.rs:connect, src/net/mod.rs:Connection.close
    net::tcp::connect("y").flush(); // calls src/net/tcp.rs:connect, src/net/tcp.rs:Socket.flush
    net::Socket::new().flush(); // calls src/net/tcp.rs:Socket.new, src/net/tcp.rs:Socket.flush
    crate::odd::open(); // calls src/other/odd_name.rs:open
    std::mem::drop(open()); // calls :open
    " c ".trim();
    {
        use net::tcp::connect;
        connect("z").flush(); // calls src/net/tcp.rs:connect, src/net/tcp.rs:Socket.flush
    }
    open() // calls :open
}
