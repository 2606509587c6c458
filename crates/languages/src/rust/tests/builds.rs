//! Linking of Rust where conditions and scopes decide between definitions of one name.

use crate::fixture::check;

#[test]
fn of_alternatives_under_conditions_that_of_a_default_build_counts() {
    check(
        r#"
//- Cargo.toml
[package]
name = "sync"
[features]
default = ["fast"]
fast = []
slow = []
//- src/lib.rs
mod plain;
#[cfg(feature = "slow")]
mod heavy;
#[cfg(all(test, loom))]
mod mocked;
#[cfg(not(feature = "slow"))]
pub use crate::plain::Lock;
#[cfg(feature = "slow")]
pub use crate::heavy::Lock;
#[cfg(not(all(test, loom)))]
use self::plain as cell;
#[cfg(all(test, loom))]
use self::mocked as cell;
#[cfg(not(test))]
use plain::now;
#[cfg(test)]
use mocked::now;
mod imp_user;
#[cfg(unix)]
#[path = "unix.rs"]
mod imp;
#[cfg(windows)]
#[path = "windows.rs"]
mod imp;
#[cfg(feature = "fast")]
fn count() -> plain::Lock { plain::Lock }
#[cfg(not(feature = "fast"))]
fn count() -> usize { 2 }
#[cfg(feature = "slow")]
fn only() {}
fn run(lock: Lock) {
    lock.lock();
    cell::spin();
    now();
    imp::stdio();
    count().lock();
    only();
}
//- src/imp_user.rs
use super::imp;
use crate::Lock;
fn run(lock: &Lock) { imp::stdio(); lock.lock(); }
//- src/unix.rs
pub fn stdio() {}
//- src/windows.rs
pub fn stdio() {}
//- src/plain.rs
pub struct Lock;
impl Lock { pub fn lock(&self) {} }
pub fn spin() {}
pub fn now() {}
//- src/heavy.rs
pub struct Lock;
impl Lock { pub fn lock(&self) {} }
//- src/mocked.rs
pub fn spin() {}
pub fn now() {}
"#,
        "
src/imp_user.rs:3 stdio -> src/unix.rs:stdio@1 [scoped]
src/imp_user.rs:3 lock -> src/plain.rs:Lock.lock@2 [typed]
src/lib.rs:32 lock -> src/plain.rs:Lock.lock@2 [typed]
src/lib.rs:33 spin -> src/plain.rs:spin@3 [scoped]
src/lib.rs:34 now -> src/plain.rs:now@4 [scoped]
src/lib.rs:35 stdio -> src/unix.rs:stdio@1 [scoped]
src/lib.rs:36 count -> src/lib.rs:count@26 fn count() -> plain::Lock [scoped]
src/lib.rs:36 lock -> src/plain.rs:Lock.lock@2 [typed]
src/lib.rs:37 only -> src/lib.rs:only@30 [scoped]
",
    );
}

#[test]
fn where_conditions_do_not_tell_nothing_is_guessed() {
    check(
        r#"
//- Cargo.toml
[package]
name = "probe"
build = "build.rs"
//- build.rs
fn main() {}
//- src/lib.rs
mod new;
mod old;
#[cfg(has_new)]
use new::Clock;
#[cfg(not(has_new))]
use old::Clock;
cfg_fast! { fn speed() {} }
cfg_not_fast! { fn speed() {} }
fn run(clock: &Clock) {
    clock.now();
    speed();
}
//- src/new.rs
pub struct Clock;
impl Clock { pub fn now(&self) {} }
//- src/old.rs
pub struct Clock;
impl Clock { pub fn now(&self) {} }
"#,
        "
src/lib.rs:7 cfg_fast -> ? unknown name
src/lib.rs:8 cfg_not_fast -> ? unknown name
src/lib.rs:10 now -> ? unknown receiver type
src/lib.rs:11 speed -> ? ambiguous
",
    );
}

#[test]
fn traits_for_types_outside_count_where_they_are_in_scope_and_fit() {
    check(
        r#"
//- Cargo.toml
[package]
name = "kit"
[dependencies]
clap = "4"
futures = "0.3"
//- src/lib.rs
pub mod ext;
pub mod other;
pub mod prelude;
//- src/ext.rs
use futures::Stream;
use std::process::Command;
pub trait CommandExt { fn arg(self, text: &str) -> Self; }
impl CommandExt for Command { fn arg(self, _: &str) -> Self { self } }
pub trait StreamExt: Stream { fn take(self) -> u32; fn map(self) -> u32; fn later(self) -> u32; }
impl<S: ?Sized> StreamExt for S where S: Stream {}
pub struct Lines;
impl Stream for Lines { type Item = u32; }
pub trait Source {}
impl Source for &[u8] {}
pub trait SourceExt: Source { fn chain(self) -> u32 { 0 } fn more(self) -> u32 { 0 } }
impl<S: Source> SourceExt for S {}
//- src/prelude.rs
pub use crate::ext::CommandExt as _;
pub use crate::ext::StreamExt;
pub use crate::ext::SourceExt;
//- src/other.rs
use std::process::Command;
use std::task::Poll;
use crate::prelude::*;
fn run(poll: Poll<u32>, text: &mut String, lines: crate::ext::Lines) {
    std::mem::take(text);
    poll.map(|x| x);
    lines.later();
    text.as_bytes().more();
    Command::new("a").arg("b");
    clap::Command::new("a").arg("b");
}
//- tests/it.rs
use futures::StreamExt;
use kit::ext::Lines;
fn run(lines: Lines) {
    lines.later();
    std::process::Command::new("a").arg("b");
}
"#,
        "
src/other.rs:5 take -> ext std.mem.take
src/other.rs:6 map -> ext std.task.Poll.map
src/other.rs:7 later -> src/ext.rs:StreamExt.later@5 [typed]
src/other.rs:8 as_bytes -> ext std.String.as_bytes
src/other.rs:8 more -> src/ext.rs:SourceExt.more@11 [typed]
src/other.rs:9 new -> ext std.process.Command.new
src/other.rs:9 arg -> src/ext.rs:Command.arg@4 [typed]
src/other.rs:10 new -> ext clap.Command.new
src/other.rs:10 arg -> ext clap.Command.arg
tests/it.rs:4 later -> ext futures.Stream.later
tests/it.rs:5 new -> ext std.process.Command.new
tests/it.rs:5 arg -> ext std.process.Command.arg
",
    );
}

#[test]
fn methods_are_called_behind_fields_and_pins() {
    check(
        r#"
//- src/lib.rs
use std::pin::Pin;
pub struct Pipe { read: Half, done: bool }
pub struct Half;
impl Half { fn poll(self: Pin<&mut Self>) {} }
pub trait Source {}
impl Source for Pipe {}
pub trait SourceExt: Source { fn read(&self) {} }
impl<S: Source> SourceExt for S {}
impl<P> SourceExt for Pin<P> { fn read(&self) {} }
impl Pipe {
    fn step(mut self: Pin<&mut Self>) {
        self.as_mut().next();
        self.project().read.poll();
    }
    fn next(self: Pin<&mut Self>) { self.get_mut().read(); }
}
"#,
        "
src/lib.rs:12 as_mut -> ext std.Pin.as_mut
src/lib.rs:12 next -> src/lib.rs:Pipe.next@15 [typed]
src/lib.rs:13 project -> ext std.Pin.project
src/lib.rs:13 poll -> src/lib.rs:Half.poll@4 [typed]
src/lib.rs:15 get_mut -> ext std.Pin.get_mut
src/lib.rs:15 read -> src/lib.rs:SourceExt.read@7 [typed]
",
    );
}

#[test]
fn modules_that_a_macro_declares_are_found() {
    check(
        r#"
//- Cargo.toml
[package]
name = "wire"
//- src/lib.rs
#[macro_use]
mod root;
crate_root!();
macro_rules! outside {
    () => {
        mod lib { pub use std::fmt; }
        mod text;
        pub use text::encode;
    };
}
outside!();
//- src/root.rs
macro_rules! crate_root { () => { pub mod de; mod private; }; }
//- src/de/mod.rs
mod value;
pub trait Reader: Sized {
    type Error: Failure;
    type Map: Access<Error = Self::Error>;
    fn read(self) -> Result<Self::Map, Self::Error>;
}
pub trait Access { type Error; fn next(&mut self) -> u32; }
pub trait Failure { fn custom(text: &str) -> Self; }
pub struct Plain;
impl Reader for Plain { fn read(self) -> Result<(), ()> { Ok(()) } }
//- src/de/value.rs
use crate::de::{Access, Failure, Reader};
fn all<R>(reader: R) -> Result<(), R::Error> where R: Reader {
    let mut map = reader.read()?;
    map.next();
    crate::encode();
    Reader::read(crate::de::Plain);
    Err(R::Error::custom("x"))
}
//- src/private/mod.rs
mod deep;
fn here(r: impl crate::de::Reader) { r.read(); }
//- src/private/deep.rs
fn there() { crate::de::Plain.read(); }
//- src/text.rs
pub fn encode() {}
"#,
        "
src/de/mod.rs:10 Ok -> ext std.Ok
src/de/value.rs:3 read -> src/de/mod.rs:Reader.read@5 [typed]
src/de/value.rs:4 next -> src/de/mod.rs:Access.next@7 [typed]
src/de/value.rs:5 encode -> src/text.rs:encode@1 [scoped]
src/de/value.rs:6 read -> src/de/mod.rs:Plain.read@10 [scoped]
src/de/value.rs:7 Err -> ext std.Err
src/de/value.rs:7 custom -> src/de/mod.rs:Failure.custom@8 [scoped]
src/lib.rs:3 crate_root -> src/root.rs:crate_root@1 [scoped]
src/lib.rs:11 outside -> src/lib.rs:outside@4 [scoped]
src/private/deep.rs:1 read -> src/de/mod.rs:Plain.read@10 [scoped]
src/private/mod.rs:2 read -> src/de/mod.rs:Reader.read@5 [typed]
",
    );
}

#[test]
fn methods_of_the_only_trait_in_scope_and_of_types_outside() {
    check(
        r#"
//- Cargo.toml
[package]
name = "ui"
[dependencies]
clap = "4"
//- src/lib.rs
pub mod ext;
mod with;
mod without;
//- src/ext.rs
pub trait CommandExt: Sized {
    fn ui() -> Self;
    fn arg(self, a: &str) -> Self;
    fn arg_parallel(self) -> Self { self }
    fn quietly(self) -> Self;
}
impl CommandExt for clap::Command {
    fn ui() -> Self { clap::Command::new("x") }
    fn arg(self, a: &str) -> Self { self.arg(a) }
    fn quietly(self) -> Self { self }
}
//- src/with.rs
use crate::ext::CommandExt as _;
fn run(path: std::path::PathBuf) {
    clap::Command::ui().arg("a");
    clap::somewhere().arg_parallel();
    clap::somewhere().quietly();
    clap::somewhere().arg("a");
}
//- src/without.rs
fn run() {
    clap::somewhere().arg_parallel();
}
"#,
        "
src/ext.rs:8 new -> ext clap.Command.new
src/ext.rs:9 arg -> ext clap.Command.arg
src/with.rs:3 ui -> src/ext.rs:Command.ui@8 [typed]
src/with.rs:3 arg -> ext clap.Command.arg
src/with.rs:4 somewhere -> ext clap.somewhere
src/with.rs:4 arg_parallel -> src/ext.rs:CommandExt.arg_parallel@4 [named]
src/with.rs:5 somewhere -> ext clap.somewhere
src/with.rs:5 quietly -> src/ext.rs:Command.quietly@10 [named]
src/with.rs:6 somewhere -> ext clap.somewhere
src/with.rs:6 arg -> ? unknown receiver type
src/without.rs:2 somewhere -> ext clap.somewhere
src/without.rs:2 arg_parallel -> ? unknown receiver type
",
    );
}

#[test]
fn holes_in_written_types_are_filled_from_the_value() {
    check(
        r#"
//- src/lib.rs
use std::collections::HashMap;
use std::sync::Arc;
pub struct Item;
impl Item {
    fn id(&self) -> u32 { 0 }
    fn load(n: &u32) -> Result<Item, ()> { Ok(Item) }
}
fn run(items: Vec<Item>, mut shared: Arc<Item>, keys: Vec<u32>) -> Result<(), ()> {
    let all: Vec<_> = items.iter().filter(|i| i.id() > 1).collect();
    for item in all { item.id(); }
    let by: HashMap<u32, _> = items.iter().map(|i| (1, i)).collect();
    for (_, item) in by { item.id(); }
    let loaded: Vec<_> = keys.iter().map(|k| Item::load(k)).collect::<Result<_, _>>()?;
    let tried: Vec<_> = keys.iter().map(Item::load).collect()?;
    tried[0].id();
    let found: Option<_> = items.first();
    found.unwrap().id();
    Arc::make_mut(&mut shared).id();
    Ok(())
}
"#,
        "
src/lib.rs:6 Ok -> ext std.Ok
src/lib.rs:9 iter -> ext std.Vec.iter
src/lib.rs:9 filter -> ext std.Iterator.filter
src/lib.rs:9 id -> src/lib.rs:Item.id@5 [typed]
src/lib.rs:9 collect -> ext std.Iterator.collect
src/lib.rs:10 id -> src/lib.rs:Item.id@5 [typed]
src/lib.rs:11 iter -> ext std.Vec.iter
src/lib.rs:11 map -> ext std.Iterator.map
src/lib.rs:11 collect -> ext std.Iterator.collect
src/lib.rs:12 id -> src/lib.rs:Item.id@5 [typed]
src/lib.rs:13 iter -> ext std.Vec.iter
src/lib.rs:13 map -> ext std.Iterator.map
src/lib.rs:13 load -> src/lib.rs:Item.load@6 [scoped]
src/lib.rs:13 collect -> ext std.Iterator.collect
src/lib.rs:14 iter -> ext std.Vec.iter
src/lib.rs:14 map -> ext std.Iterator.map
src/lib.rs:14 collect -> ext std.Iterator.collect
src/lib.rs:15 id -> src/lib.rs:Item.id@5 [typed]
src/lib.rs:16 first -> ext std.Vec.first
src/lib.rs:17 unwrap -> ext std.Option.unwrap
src/lib.rs:17 id -> src/lib.rs:Item.id@5 [typed]
src/lib.rs:18 make_mut -> ext std.sync.Arc.make_mut
src/lib.rs:18 id -> src/lib.rs:Item.id@5 [typed]
src/lib.rs:19 Ok -> ext std.Ok
",
    );
}

#[test]
fn macros_give_what_is_inside_of_their_argument() {
    check(
        r#"
//- Cargo.toml
[workspace]
members = ["kit", "app"]
//- kit/Cargo.toml
[package]
name = "kit"
//- kit/src/lib.rs
#[macro_export]
macro_rules! must {
    ($e:expr $(,)?) => {{
        match $e {
            Ok(v) => v,
            Err(e) => panic!("{e}"),
        }
    }};
}
#[cfg(doc)]
doc! { macro_rules! choose { () => {}; } }
#[cfg(not(doc))]
doc! { macro_rules! choose { ($e:expr) => { $e }; } }
pub struct Socket;
impl Socket {
    pub fn open() -> Result<Socket, ()> { Ok(Socket) }
    pub fn port(&self) -> u16 { 0 }
}
fn inside() { macro_rules! must { () => {}; } }
pub fn here() { must!(Socket::open()).port(); }
//- app/Cargo.toml
[package]
name = "app"
[dependencies]
kit = { path = "../kit" }
//- app/src/main.rs
use kit::{must, Socket};
fn main() {
    let socket = must!(Socket::open());
    socket.port();
    kit::choose!(socket).port();
}
"#,
        "
app/src/main.rs:3 must -> kit/src/lib.rs:must@2 macro_rules! must [scoped]
app/src/main.rs:3 open -> kit/src/lib.rs:Socket.open@16 [scoped]
app/src/main.rs:4 port -> kit/src/lib.rs:Socket.port@17 [typed]
app/src/main.rs:5 choose -> kit/src/lib.rs:choose@13 macro_rules! choose [scoped]
app/src/main.rs:5 port -> kit/src/lib.rs:Socket.port@17 [typed]
kit/src/lib.rs:11 doc -> ? unknown name
kit/src/lib.rs:13 doc -> ? unknown name
kit/src/lib.rs:16 Ok -> ext std.Ok
kit/src/lib.rs:20 must -> kit/src/lib.rs:must@2 macro_rules! must [scoped]
kit/src/lib.rs:20 open -> kit/src/lib.rs:Socket.open@16 [scoped]
kit/src/lib.rs:20 port -> kit/src/lib.rs:Socket.port@17 [typed]
",
    );
}

#[test]
fn a_module_that_a_build_has_not_hides_no_import_of_its_name() {
    check(
        r##"//- Cargo.toml
[package]
name = "a"
[features]
default = ["log"]
log = ["dep:log"]
[dependencies]
log = { version = "1", optional = true }
//- src/lib.rs
mod run;
#[cfg(feature = "log")]
use log;
#[cfg(not(feature = "log"))]
mod log {
    macro_rules! warn { () => {} }
    pub(crate) use warn;
}
//- src/run.rs
use crate::log::warn;
fn run() { warn!(); }
"##,
        "src/run.rs:2 warn -> ext log.warn",
    );
}

#[test]
fn impls_for_other_type_arguments_are_no_candidates() {
    check(
        r##"//- Cargo.toml
[package]
name = "a"
//- src/lib.rs
pub struct Client;
pub struct Server;
pub struct Empty;
pub struct Ready;
pub struct Builder<Side, State> { side: Side, state: State }
impl Builder<Client, Empty> { pub fn next(self) -> Builder<Client, Ready> { panic!() } }
impl Builder<Server, Empty> { pub fn next(self) -> Builder<Server, Ready> { panic!() } }
impl Builder<Client, Ready> { pub fn build(self) -> Client { panic!() } }
impl Builder<Server, Ready> { pub fn build(self) -> Server { panic!() } }
impl<S> Builder<S, Ready> { pub fn check(&self) {} }
impl Client { fn builder() -> Builder<Self, Empty> { panic!() } fn run(&self) {} }
impl Server { fn builder() -> Builder<Server, Empty> { panic!() } fn run(&self) {} }
fn client() { Client::builder().next().build().run(); }
fn server() { let b = Server::builder().next(); b.check(); b.build().run(); }
"##,
        "src/lib.rs:6 panic -> ext std.panic
src/lib.rs:7 panic -> ext std.panic
src/lib.rs:8 panic -> ext std.panic
src/lib.rs:9 panic -> ext std.panic
src/lib.rs:11 panic -> ext std.panic
src/lib.rs:12 panic -> ext std.panic
src/lib.rs:13 builder -> src/lib.rs:Client.builder@11 [scoped]
src/lib.rs:13 next -> src/lib.rs:Builder.next@6 pub fn next(self) -> Builder<Client, Ready> [typed]
src/lib.rs:13 build -> src/lib.rs:Builder.build@8 pub fn build(self) -> Client [typed]
src/lib.rs:13 run -> src/lib.rs:Client.run@11 [typed]
src/lib.rs:14 builder -> src/lib.rs:Server.builder@12 [scoped]
src/lib.rs:14 next -> src/lib.rs:Builder.next@7 pub fn next(self) -> Builder<Server, Ready> [typed]
src/lib.rs:14 check -> src/lib.rs:Builder.check@10 [typed]
src/lib.rs:14 build -> src/lib.rs:Builder.build@9 pub fn build(self) -> Server [typed]
src/lib.rs:14 run -> src/lib.rs:Server.run@12 [typed]",
    );
}
