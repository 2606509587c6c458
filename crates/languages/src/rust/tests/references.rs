//! Linking of Rust where references, macros and blanket impls decide what is called.

use crate::fixture::check;

#[test]
fn methods_that_a_macro_writes_from_their_names() {
    check(
        r#"
//- Cargo.toml
[package]
name = "app"
//- src/lib.rs
#[macro_use]
mod paint;
use paint::{Color, Paint};
pub struct Style { color: Color }
impl Style {
    pub const fn fg(self, color: Color) -> Self { self }
    color!(pub const Color::Red, red(), on_red() -> Self);
}
pub struct Span;
impl paint::Styled for Span {
    type Item = Span;
    fn set(self, color: Color) -> Span { self }
}
impl Span { pub fn width(&self) -> usize { 1 } }
impl paint::Styled for &str {
    type Item = Span;
    fn set(self, color: Color) -> Span { Span }
}
pub fn run(style: Style, span: Span) {
    style.red().on_red().fg(Color::Red);
    span.red().on_red().width();
    "x".on_red().width();
}
//- src/paint.rs
pub enum Color { Red }
macro_rules! color {
    ($variant:expr, $name:ident(), $on:ident() -> $ty:ty) => {
        fn $name(self) -> $ty { self.paint($variant) }
        fn $on(self) -> $ty { self.paint($variant) }
    };
    (pub const $variant:expr, $name:ident(), $on:ident() -> $ty:ty) => {
        pub const fn $name(self) -> $ty { self.fg($variant) }
    };
}
pub trait Styled { type Item; fn set(self, color: Color) -> Self::Item; }
pub trait Paint<T>: Sized {
    fn paint(self, color: Color) -> T;
    color!(Color::Red, red(), on_red() -> T);
}
impl<T, U> Paint<T> for U where U: Styled<Item = T> {
    fn paint(self, color: Color) -> T { self.set(color) }
}
"#,
        "
src/lib.rs:7 color -> src/paint.rs:color@2 [scoped]
src/lib.rs:20 red -> src/lib.rs:Style.red@7 [typed]
src/lib.rs:20 on_red -> src/lib.rs:Style.on_red@7 [typed]
src/lib.rs:20 fg -> src/lib.rs:Style.fg@6 [typed]
src/lib.rs:21 red -> src/paint.rs:Paint.red@14 [typed]
src/lib.rs:21 on_red -> src/paint.rs:Paint.on_red@14 [typed]
src/lib.rs:21 width -> src/lib.rs:Span.width@14 [typed]
src/lib.rs:22 on_red -> src/paint.rs:Paint.on_red@14 [typed]
src/lib.rs:22 width -> src/lib.rs:Span.width@14 [typed]
src/paint.rs:4 paint -> src/paint.rs:Paint.paint@13 [typed]
src/paint.rs:5 paint -> src/paint.rs:Paint.paint@13 [typed]
src/paint.rs:14 color -> src/paint.rs:color@2 [scoped]
src/paint.rs:17 set -> src/paint.rs:Styled.set@11 [typed]
",
    );
}

#[test]
fn impls_for_a_type_and_for_references_to_it() {
    check(
        r#"
//- Cargo.toml
[package]
name = "app"
//- src/lib.rs
pub trait Widget { fn render(self); }
pub struct Block;
impl Block { pub fn new() -> Block { Block } }
impl Widget for Block { fn render(self) {} }
impl Widget for &Block { fn render(self) {} }
pub struct Bar { n: u64 }
impl From<u64> for Bar { fn from(n: u64) -> Bar { Bar { n } } }
impl From<&u64> for Bar { fn from(n: &u64) -> Bar { Bar { n: *n } } }
pub struct Line;
impl From<Vec<Block>> for Line { fn from(all: Vec<Block>) -> Line { Line } }
impl<T> From<&[T]> for Line { fn from(all: &[T]) -> Line { Line } }
pub fn run(given: &Block, all: &[Block]) {
    let block = Block::new();
    (&block).render();
    Widget::render(&block);
    given.render();
    block.render();
    Widget::render(Block::new());
    Bar::from(3);
    Bar::from(&3);
    Line::from(vec![Block::new()]);
    Line::from(all);
}
"#,
        "
src/lib.rs:13 new -> src/lib.rs:Block.new@3 [scoped]
src/lib.rs:14 render -> src/lib.rs:&Block.render@5 [typed]
src/lib.rs:15 render -> src/lib.rs:&Block.render@5 [scoped]
src/lib.rs:16 render -> src/lib.rs:&Block.render@5 [typed]
src/lib.rs:17 render -> src/lib.rs:Block.render@4 [typed]
src/lib.rs:18 render -> src/lib.rs:Block.render@4 [scoped]
src/lib.rs:18 new -> src/lib.rs:Block.new@3 [scoped]
src/lib.rs:19 from -> src/lib.rs:Bar.from@7 fn from(n: u64) -> Bar [scoped]
src/lib.rs:20 from -> src/lib.rs:Bar.from@8 fn from(n: &u64) -> Bar [scoped]
src/lib.rs:21 from -> src/lib.rs:Line.from@10 fn from(all: Vec<Block>) -> Line [scoped]
src/lib.rs:21 vec -> ext std.vec
src/lib.rs:21 new -> src/lib.rs:Block.new@3 [scoped]
src/lib.rs:22 from -> src/lib.rs:Line.from@11 fn from(all: &[T]) -> Line [scoped]
",
    );
}

#[test]
fn type_parameters_of_what_is_made_come_from_arguments() {
    check(
        r#"
//- Cargo.toml
[package]
name = "app"
//- src/lib.rs
pub struct Screen;
impl Screen { pub fn lines(&self) {} }
pub struct Terminal<B> { backend: B }
impl<B> Terminal<B> {
    pub fn new(backend: B) -> Result<Self, ()> { Ok(Self { backend }) }
    pub const fn backend(&self) -> &B { &self.backend }
}
pub fn run() {
    let terminal = Terminal::new(Screen).unwrap();
    terminal.backend().lines();
}
"#,
        "
src/lib.rs:5 Ok -> ext std.Ok
src/lib.rs:9 new -> src/lib.rs:Terminal.new@5 [scoped]
src/lib.rs:9 unwrap -> ext std.Result.unwrap
src/lib.rs:10 backend -> src/lib.rs:Terminal.backend@6 pub const fn backend(&self) -> &B [typed]
src/lib.rs:10 lines -> src/lib.rs:Screen.lines@2 [scoped]
",
    );
}

#[test]
fn values_among_the_arguments_of_attributes_are_read() {
    check(
        r#"
//- Cargo.toml
[package]
name = "app"
//- src/lib.rs
fn shown(n: u32) -> String { String::new() }
fn port() -> u16 { 80 }
#[derive(Error)]
pub enum Fault {
    #[error("bad: {}", shown(*n))]
    Bad { n: u32 },
    #[error(transparent)]
    Other,
}
#[derive(Parser)]
#[command(group(shown(1)))]
pub struct Options {
    #[arg(long, default_value_t = port())]
    port: u16,
}
"#,
        "
src/lib.rs:1 new -> ext std.String.new
src/lib.rs:5 shown -> src/lib.rs:shown@1 [scoped]
src/lib.rs:13 port -> src/lib.rs:port@2 [scoped]
",
    );
}
