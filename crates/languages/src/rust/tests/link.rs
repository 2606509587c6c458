//! Linking of Rust over small repositories.

use crate::fixture::check;

#[test]
fn paths_follow_modules_uses_globs_and_re_exports() {
    check(
        r#"
//- Cargo.toml
[workspace]
members = ["app", "core"]
//- app/Cargo.toml
[package]
name = "app"
[dependencies]
engine = { package = "core-lib", path = "../core" }
serde = "1"
//- app/src/main.rs
mod util;
mod odd { pub mod deep; }
#[path = "elsewhere/x.rs"]
mod moved;
use engine::{open, inner::*};
use util::helper as h;
fn main() {
    h();
    open();
    close();
    engine::inner::close();
    crate::odd::deep::dig();
    moved::here();
    serde::to_string();
    missing();
    let open = || 1;
    open();
}
//- app/src/util.rs
pub fn helper() { super::main(); self::helper(); }
//- app/src/odd/deep.rs
pub fn dig() { super::super::util::helper() }
//- app/src/elsewhere/x.rs
pub fn here() {}
//- core/Cargo.toml
[package]
name = "core-lib"
//- core/src/lib.rs
pub mod inner;
mod hidden;
pub use hidden::open;
pub use crate::inner as again;
//- core/src/inner/mod.rs
pub fn close() {}
//- core/src/hidden.rs
pub fn open() {}
//- core/tests/it.rs
use core_lib::again::close;
#[test]
fn works() { close(); core_lib::open(); }
"#,
        "
app/src/main.rs:8 h -> app/src/util.rs:helper@1 [scoped]
app/src/main.rs:9 open -> core/src/hidden.rs:open@1 [scoped]
app/src/main.rs:10 close -> core/src/inner/mod.rs:close@1 [scoped]
app/src/main.rs:11 close -> core/src/inner/mod.rs:close@1 [scoped]
app/src/main.rs:12 dig -> app/src/odd/deep.rs:dig@1 [scoped]
app/src/main.rs:13 here -> app/src/elsewhere/x.rs:here@1 [scoped]
app/src/main.rs:14 to_string -> ext serde.to_string
app/src/main.rs:15 missing -> ? unknown name
app/src/main.rs:17 open -> ? dynamic call
app/src/odd/deep.rs:1 helper -> app/src/util.rs:helper@1 [scoped]
app/src/util.rs:1 main -> app/src/main.rs:main@7 fn main() [scoped]
app/src/util.rs:1 helper -> app/src/util.rs:helper@1 [scoped]
core/tests/it.rs:3 close -> core/src/inner/mod.rs:close@1 [scoped]
core/tests/it.rs:3 open -> core/src/hidden.rs:open@1 [scoped]
",
    );
}

#[test]
fn methods_are_found_through_impls_traits_bounds_and_pointers() {
    check(
        r#"
//- src/lib.rs
pub struct Foo { name: Name, next: Option<Box<Foo>> }
pub struct Name(String);
impl Name { fn len2(&self) -> usize { 0 } }
impl Foo {
    pub fn new() -> Self { Foo { name: Name("".into()), next: None } }
    fn name(&self) -> &Name { &self.name }
    fn try_name(&self) -> Result<&Name, ()> { Ok(self.name()) }
}
trait Show { fn show(&self); fn twice(&self) { self.show(); } }
impl Show for Foo { fn show(&self) { self.name().len2(); } }
trait Ext { fn shout(&self); }
impl Ext for str { fn shout(&self) {} }
impl<T: Show> Other for T { fn other(&self) { self.show() } }
trait Other { fn other(&self); }
fn all<T: Show>(t: &T, d: &dyn Show, i: impl Show, text: &str) -> Result<(), ()> {
    let foo = Foo::new();
    foo.show();
    foo.twice();
    foo.other();
    foo.try_name()?.len2();
    foo.name.len2();
    t.show();
    d.twice();
    i.show();
    text.shout();
    if let Some(next) = &foo.next { next.name(); }
    Show::show(&foo);
    foo.clone().name();
    Ok(())
}
"#,
        "
src/lib.rs:5 Name -> src/lib.rs:Name@2 pub struct Name(String); [scoped]
src/lib.rs:5 into -> ext std.str.into
src/lib.rs:7 Ok -> ext std.Ok
src/lib.rs:7 name -> src/lib.rs:Foo.name@6 fn name(&self) -> &Name [typed]
src/lib.rs:9 show -> src/lib.rs:Show.show@9 [typed]
src/lib.rs:10 name -> src/lib.rs:Foo.name@6 fn name(&self) -> &Name [typed]
src/lib.rs:10 len2 -> src/lib.rs:Name.len2@3 [typed]
src/lib.rs:13 show -> src/lib.rs:Show.show@9 [typed]
src/lib.rs:16 new -> src/lib.rs:Foo.new@5 [scoped]
src/lib.rs:17 show -> src/lib.rs:Foo.show@10 [typed]
src/lib.rs:18 twice -> src/lib.rs:Show.twice@9 [typed]
src/lib.rs:19 other -> src/lib.rs:T.other@13 [typed]
src/lib.rs:20 try_name -> src/lib.rs:Foo.try_name@7 [typed]
src/lib.rs:20 len2 -> src/lib.rs:Name.len2@3 [typed]
src/lib.rs:21 len2 -> src/lib.rs:Name.len2@3 [typed]
src/lib.rs:22 show -> src/lib.rs:Show.show@9 [typed]
src/lib.rs:23 twice -> src/lib.rs:Show.twice@9 [typed]
src/lib.rs:24 show -> src/lib.rs:Show.show@9 [typed]
src/lib.rs:25 shout -> src/lib.rs:str.shout@12 [typed]
src/lib.rs:26 name -> src/lib.rs:Foo.name@6 fn name(&self) -> &Name [typed]
src/lib.rs:27 show -> src/lib.rs:Foo.show@10 [scoped]
src/lib.rs:28 clone -> ext std.Clone.clone
src/lib.rs:28 name -> src/lib.rs:Foo.name@6 fn name(&self) -> &Name [typed]
src/lib.rs:29 Ok -> ext std.Ok
",
    );
}

#[test]
fn values_flow_through_iterators_closures_patterns_and_generics() {
    check(
        r#"
//- src/lib.rs
use std::collections::HashMap;
pub struct Item { id: u32 }
impl Item { fn go(&self) -> Other { Other } }
pub struct Other;
impl Other { fn end(&self) {} }
pub enum Shape { Round(Item), Box { item: Item, n: u8 }, Empty }
struct Wrap<T> { inner: T }
impl<T> Wrap<T> { fn get(&self) -> &T { &self.inner } }
impl Iterator for Items { type Item = Item; fn next(&mut self) -> Option<Item> { None } }
struct Items;
fn apply<F, R>(f: F) -> R where F: Fn(&Item) -> R { f(&Item { id: 1 }) }
impl From<Other> for Item { fn from(o: Other) -> Item { Item { id: 1 } } }
impl From<u32> for Item { fn from(id: u32) -> Item { Item { id } } }
fn run(items: Vec<Item>, by_name: HashMap<String, Item>, shape: Shape) {
    items.iter().filter(|i| i.id > 1).map(|i| i.go()).for_each(|o| o.end());
    for (i, item) in items.iter().enumerate() { item.go(); }
    for item in Items { item.go(); }
    by_name.get("x").map(Item::go).unwrap().end();
    for (_, item) in &by_name { item.go().end(); }
    match shape {
        Shape::Round(item) => { item.go(); }
        Shape::Box { item, .. } => { item.go(); }
        Shape::Empty => {}
    }
    Wrap { inner: Item { id: 2 } }.get();
    let w: Wrap<Item> = unreachable!();
    w.get().go();
    apply(|i| i.go()).end();
    items[0].go();
    let all = items.into_iter().collect::<Vec<_>>();
    all.first().unwrap().go();
    Item::from(Other);
    println!("{}", all[1].go().end());
}
"#,
        "
src/lib.rs:11 f -> ? dynamic call
src/lib.rs:15 iter -> ext std.Vec.iter
src/lib.rs:15 filter -> ext std.Iterator.filter
src/lib.rs:15 map -> ext std.Iterator.map
src/lib.rs:15 go -> src/lib.rs:Item.go@3 [typed]
src/lib.rs:15 for_each -> ext std.Iterator.for_each
src/lib.rs:15 end -> src/lib.rs:Other.end@5 [typed]
src/lib.rs:16 iter -> ext std.Vec.iter
src/lib.rs:16 enumerate -> ext std.Iterator.enumerate
src/lib.rs:16 go -> src/lib.rs:Item.go@3 [typed]
src/lib.rs:17 go -> src/lib.rs:Item.go@3 [typed]
src/lib.rs:18 get -> ext std.collections.HashMap.get
src/lib.rs:18 map -> ext std.Option.map
src/lib.rs:18 unwrap -> ext std.Option.unwrap
src/lib.rs:18 end -> src/lib.rs:Other.end@5 [typed]
src/lib.rs:19 go -> src/lib.rs:Item.go@3 [typed]
src/lib.rs:19 end -> src/lib.rs:Other.end@5 [typed]
src/lib.rs:21 go -> src/lib.rs:Item.go@3 [typed]
src/lib.rs:22 go -> src/lib.rs:Item.go@3 [typed]
src/lib.rs:25 get -> src/lib.rs:Wrap.get@8 [typed]
src/lib.rs:26 unreachable -> ext std.unreachable
src/lib.rs:27 get -> src/lib.rs:Wrap.get@8 [typed]
src/lib.rs:27 go -> src/lib.rs:Item.go@3 [typed]
src/lib.rs:28 apply -> src/lib.rs:apply@11 [scoped]
src/lib.rs:28 go -> src/lib.rs:Item.go@3 [typed]
src/lib.rs:28 end -> src/lib.rs:Other.end@5 [typed]
src/lib.rs:29 go -> src/lib.rs:Item.go@3 [typed]
src/lib.rs:30 into_iter -> ext std.Vec.into_iter
src/lib.rs:30 collect -> ext std.Iterator.collect
src/lib.rs:31 first -> ext std.Vec.first
src/lib.rs:31 unwrap -> ext std.Option.unwrap
src/lib.rs:31 go -> src/lib.rs:Item.go@3 [typed]
src/lib.rs:32 from -> src/lib.rs:Item.from@12 fn from(o: Other) -> Item [scoped]
src/lib.rs:33 println -> ext std.println
src/lib.rs:33 go -> src/lib.rs:Item.go@3 [typed]
src/lib.rs:33 end -> src/lib.rs:Other.end@5 [typed]
",
    );
}

#[test]
fn cyclic_globs_end_and_macros_are_found() {
    check(
        r#"
//- Cargo.toml
[package]
name = "m"
//- src/lib.rs
#[macro_use]
mod macros;
pub mod a;
pub mod b;
//- src/macros.rs
macro_rules! twice { ($x:expr) => { $x } }
//- src/a.rs
pub use super::b::*;
pub fn one() { two(); nowhere(); twice!(two()); }
//- src/b.rs
pub use super::a::*;
pub fn two() { one(); }
"#,
        "
src/a.rs:2 two -> src/b.rs:two@2 [scoped]
src/a.rs:2 nowhere -> ? unknown name
src/a.rs:2 twice -> src/macros.rs:twice@1 macro_rules! twice [scoped]
src/a.rs:2 two -> src/b.rs:two@2 [scoped]
src/b.rs:2 one -> src/a.rs:one@2 [scoped]
",
    );
}

#[test]
fn other_platforms_and_unreachable_crates_do_not_count() {
    check(
        r#"
//- a/Cargo.toml
[package]
name = "a"
//- a/src/lib.rs
pub struct P;
#[cfg(windows)]
pub fn sys() {}
#[cfg(unix)]
pub fn sys() { sys() }
//- a/tests/one.rs
use a::P;
trait Ext { fn go(&self); }
impl Ext for P { fn go(&self) {} }
#[test]
fn t() { P.go(); a::sys(); }
//- a/tests/two.rs
use a::P;
trait Ext { fn go(&self); }
impl Ext for P { fn go(&self) {} }
#[test]
fn t() { P.go(); }
//- a/tests/three.rs
use a::P;
#[test]
fn t() { P.go(); }
"#,
        "
a/src/lib.rs:5 sys -> a/src/lib.rs:sys@5 pub fn sys() [scoped]
a/tests/one.rs:5 go -> a/tests/one.rs:P.go@3 [scoped]
a/tests/one.rs:5 sys -> a/src/lib.rs:sys@5 pub fn sys() [scoped]
a/tests/three.rs:3 go -> ? no such member
a/tests/two.rs:5 go -> a/tests/two.rs:P.go@3 [scoped]
",
    );
}

#[test]
fn items_that_stand_literally_in_macro_calls_are_definitions() {
    check(
        r#"
//- Cargo.toml
[package]
name = "a"
//- src/lib.rs
mod set;
use set::{Flags, REGEX, Table, help};
lazy_static! {
    /// The table.
    #[allow(unused)]
    static ref TABLE: Table = Table::make(1);
    static ref OTHER: Table = Table::make(2);
}
thread_local!(static LOCAL: Table = const { Table::make(3) });
own_macro! {
    name: here, other => there(1);
    pub fn written(x: u8) { help(); }
    struct Inner { table: Table }
    impl Inner { fn run(&self) { self.table.go(); } }
}
cfg_if::cfg_if! {
    if #[cfg(windows)] {
        fn system() {}
    } else if #[cfg(unix)] {
        fn system() { help(); }
    } else {
        fn system() {}
    }
}
fn main() {
    TABLE.go();
    OTHER.go();
    LOCAL.with(|l| l);
    written(1);
    system();
    Flags::READ.show();
    Flags::both().show();
    REGEX.go();
    not_written();
}
//- src/set.rs
bitflags! {
    /// What may be done.
    #[derive(Clone)]
    pub struct Flags: u32 {
        /// Read.
        const READ = 0b01;
        const WRITE = 1 << help();
    }
}
impl Flags { pub fn show(&self) {} pub fn both() -> Flags { Flags::READ } }
lazy_static! { pub static ref REGEX: Table = Table::make(4); }
pub struct Table;
impl Table { pub const fn make(n: u8) -> Table { Table } pub fn go(&self) {} }
pub fn help() -> u32 { 1 }
"#,
        "
src/lib.rs:3 lazy_static -> ? unknown name
src/lib.rs:6 make -> src/set.rs:Table.make@13 [scoped]
src/lib.rs:7 make -> src/set.rs:Table.make@13 [scoped]
src/lib.rs:9 thread_local -> ext std.thread_local
src/lib.rs:9 make -> src/set.rs:Table.make@13 [scoped]
src/lib.rs:10 own_macro -> ? unknown name
src/lib.rs:11 there -> ? unknown name
src/lib.rs:12 help -> src/set.rs:help@14 [scoped]
src/lib.rs:14 go -> src/set.rs:Table.go@13 [typed]
src/lib.rs:16 cfg_if -> ? unknown receiver type
src/lib.rs:20 help -> src/set.rs:help@14 [scoped]
src/lib.rs:26 go -> src/set.rs:Table.go@13 [typed]
src/lib.rs:27 go -> src/set.rs:Table.go@13 [typed]
src/lib.rs:28 with -> ext std.thread.LocalKey.with
src/lib.rs:29 written -> src/lib.rs:written@12 [scoped]
src/lib.rs:30 system -> src/lib.rs:system@20 fn system() [scoped]
src/lib.rs:31 show -> src/set.rs:Flags.show@10 [typed]
src/lib.rs:32 both -> src/set.rs:Flags.both@10 [scoped]
src/lib.rs:32 show -> src/set.rs:Flags.show@10 [typed]
src/lib.rs:33 go -> src/set.rs:Table.go@13 [typed]
src/lib.rs:34 not_written -> ? unknown name
src/set.rs:1 bitflags -> ? unknown name
src/set.rs:7 help -> src/set.rs:help@14 [scoped]
src/set.rs:11 lazy_static -> ? unknown name
src/set.rs:11 make -> src/set.rs:Table.make@13 [scoped]
",
    );
}

#[test]
fn a_patched_dependency_is_the_folder_that_stands_for_it() {
    check(
        r#"//- Cargo.toml
[workspace]
members = ["app", "kit"]
[patch.crates-io]
kit = { path = "kit" }
second = { package = "kit-two", path = "two" }
//- kit/Cargo.toml
[package]
name = "kit"
//- kit/src/lib.rs
pub mod task;
mod macros;
pub fn go() {}
//- kit/src/macros.rs
#[macro_export]
macro_rules! assert_ok { ($e:expr) => { $e } }
//- kit/src/task.rs
pub struct Spawn<T>(T);
pub fn spawn<T>(task: T) -> Spawn<T> { Spawn(task) }
impl<T> Spawn<T> { pub fn is_woken(&self) -> bool { true } }
//- two/Cargo.toml
[package]
name = "kit-two"
//- two/src/lib.rs
pub fn other() {}
//- app/Cargo.toml
[package]
name = "app"
[dev-dependencies]
kit = "0.4"
kit-two = "1"
serde = "1"
//- app/src/lib.rs
use kit::*;
fn run() {
    go();
    let t = task::spawn(3);
    assert_ok!(t.is_woken());
    kit_two::other();
    serde::from();
}
"#,
        "app/src/lib.rs:3 go -> kit/src/lib.rs:go@3 [scoped]
app/src/lib.rs:4 spawn -> kit/src/task.rs:spawn@2 [scoped]
app/src/lib.rs:5 assert_ok -> kit/src/macros.rs:assert_ok@2 macro_rules! assert_ok [scoped]
app/src/lib.rs:5 is_woken -> kit/src/task.rs:Spawn.is_woken@3 [typed]
app/src/lib.rs:6 other -> two/src/lib.rs:other@1 [scoped]
app/src/lib.rs:7 from -> ext serde.from
kit/src/task.rs:2 Spawn -> kit/src/task.rs:Spawn@1 pub struct Spawn<T>(T); [scoped]",
    );
}

#[test]
fn a_types_own_method_goes_before_a_traits_and_private_imports_bring_no_trait_through_a_glob() {
    check(
        r#"
//- Cargo.toml
[package]
name = "bag"
//- src/lib.rs
pub mod bag;
pub mod helpers;
pub mod apart;
pub mod near;
//- src/bag.rs
pub trait Bag { fn contains(&self, item: &str) -> bool; fn weigh(&self) -> u32; }
impl Bag for str {
    fn contains(&self, item: &str) -> bool { str::contains(self, item) }
    fn weigh(&self) -> u32 { self.len() as u32 }
}
impl Bag for String {
    fn contains(&self, item: &str) -> bool { self.as_str().contains(item) }
    fn weigh(&self) -> u32 { self.as_str().weigh() }
}
//- src/helpers.rs
use crate::bag::Bag;
pub fn heavy(s: &str) -> bool { s.weigh() > 1 }
//- src/apart.rs
use crate::helpers::*;
fn f(s: &str) { s.weigh(); heavy(s); }
//- src/near.rs
use crate::bag::*;
fn f(s: &str) { s.weigh(); s.contains("a"); }
"#,
        "src/apart.rs:2 weigh -> ext std.str.weigh
src/apart.rs:2 heavy -> src/helpers.rs:heavy@2 [scoped]
src/bag.rs:3 contains -> ext std.str.contains
src/bag.rs:4 len -> ext std.str.len
src/bag.rs:7 as_str -> ext std.String.as_str
src/bag.rs:7 contains -> ext std.str.contains
src/bag.rs:8 as_str -> ext std.String.as_str
src/bag.rs:8 weigh -> src/bag.rs:str.weigh@4 [typed]
src/helpers.rs:2 weigh -> src/bag.rs:str.weigh@4 [typed]
src/near.rs:2 weigh -> src/bag.rs:str.weigh@4 [typed]
src/near.rs:2 contains -> ext std.str.contains
",
    );
}

#[test]
fn a_derived_trait_is_that_of_its_name() {
    check(
        r##"//- Cargo.toml
[package]
name = "a"
//- src/lib.rs
pub mod kit;
pub mod other;
use kit::Parser;
use other::Named;
#[derive(Debug, Parser)]
struct Cli { x: u8 }
#[derive(crate::kit::Parser, Named)]
enum Two { A }
struct Bare;
fn run(cli: Cli) {
    Cli::parse_from();
    cli.show();
    Two::parse_from();
    Two::name();
    Bare::parse_from();
}
//- src/kit.rs
pub use a_derive::Parser as _;
pub trait Parser {
    fn parse_from() {}
    fn show(&self) {}
}
//- src/other.rs
pub struct Named;
impl Named { pub fn name() {} }
"##,
        "src/lib.rs:11 parse_from -> src/kit.rs:Parser.parse_from@3 [scoped]
src/lib.rs:12 show -> src/kit.rs:Parser.show@4 [typed]
src/lib.rs:13 parse_from -> src/kit.rs:Parser.parse_from@3 [scoped]
src/lib.rs:14 name -> ? no such member
src/lib.rs:15 parse_from -> ? no such member",
    );
}

#[test]
fn a_glob_brings_what_may_be_seen() {
    check(
        r##"//- Cargo.toml
[package]
name = "a"
//- src/lib.rs
mod a;
mod b;
mod c;
use a::*;
use b::*;
fn run() { hidden(); only(); }
mod inner {
    use super::c::*;
    pub fn go() { shared(); }
}
//- src/a.rs
fn hidden() {}
pub fn only() {}
//- src/b.rs
pub fn hidden() {}
//- src/c.rs
fn shared() {}
mod deep { use super::*; fn go() { shared(); } }
"##,
        "src/c.rs:2 shared -> src/c.rs:shared@1 [scoped]
src/lib.rs:6 hidden -> src/b.rs:hidden@1 [scoped]
src/lib.rs:6 only -> src/a.rs:only@2 [scoped]
src/lib.rs:9 shared -> ? unknown name",
    );
}

#[test]
fn a_method_of_a_trait_needs_the_trait_in_scope() {
    check(
        r##"//- Cargo.toml
[package]
name = "a"
//- src/lib.rs
pub mod t;
pub mod u;
pub struct S;
impl t::One for S { fn m(&self) {} }
impl t::Two for S { fn m(&self) {} }
//- src/t.rs
pub trait One { fn m(&self); fn d(&self) {} }
pub trait Two { fn m(&self); fn d(&self) {} }
//- src/u.rs
use crate::S;
use crate::t::Two;
fn run(s: S) { s.m(); s.d(); <S as crate::t::One>::m(&s); S::m(&s); }
"##,
        "src/u.rs:3 m -> src/lib.rs:S.m@5 fn m(&self) [typed]
src/u.rs:3 d -> src/t.rs:Two.d@2 [typed]
src/u.rs:3 m -> src/lib.rs:S.m@4 fn m(&self) [typed]
src/u.rs:3 m -> src/lib.rs:S.m@5 fn m(&self) [scoped]",
    );
}

#[test]
fn a_macro_gives_what_its_rule_gives_for_the_arguments() {
    check(
        r##"//- Cargo.toml
[workspace]
members = ["view", "app"]
//- view/Cargo.toml
[package]
name = "view"
//- view/src/lib.rs
pub struct View;
impl View { pub fn show(&self) {} }
pub struct Document;
impl Document { pub fn text(&self) {} }
pub struct Tree { pub focus: View }
pub struct Editor { pub tree: Tree, pub doc: Document }
#[macro_export]
macro_rules! current {
    ($editor:expr) => {{
        let view = $crate::view_of!($editor);
        let doc = &$editor.doc;
        (view, doc)
    }};
    ($editor:expr, $($rest:tt)*) => { $editor };
}
#[macro_export]
macro_rules! view_of { ($editor:expr) => { &$editor.tree.focus }; }
//- app/Cargo.toml
[package]
name = "app"
[dependencies]
view = { path = "../view" }
//- app/src/main.rs
#[macro_use]
extern crate view;
use view::Editor;
struct Context { editor: Editor }
fn run(cx: Context) {
    let (view, doc) = current!(cx.editor);
    view.show();
    doc.text();
    current!(cx.editor, 1).show();
    unknown!(cx.editor).show();
}
"##,
        "app/src/main.rs:6 current -> view/src/lib.rs:current@8 macro_rules! current [scoped]
app/src/main.rs:7 show -> view/src/lib.rs:View.show@2 [typed]
app/src/main.rs:8 text -> view/src/lib.rs:Document.text@4 [typed]
app/src/main.rs:9 current -> view/src/lib.rs:current@8 macro_rules! current [scoped]
app/src/main.rs:9 show -> ? unknown receiver type
app/src/main.rs:10 unknown -> ? unknown name
app/src/main.rs:10 show -> ? unknown receiver type",
    );
}

#[test]
fn items_that_a_macro_writes_stand_where_their_names_do() {
    check(
        r##"//- Cargo.toml
[package]
name = "a"
//- src/lib.rs
pub struct Builder;
impl Builder { pub fn body(self) {} }
pub struct Response;
macro_rules! answers {
    ($name:ident, $status:expr) => {
        #[doc = stringify!($status)]
        pub fn $name() -> Builder { made() }
    };
}
fn made() -> Builder { Builder }
impl Response {
    answers!(Fine, 200);
    answers!(Gone, 410);
}
pub trait Sized2 { fn size(&self) -> Builder; }
pub struct Small;
pub struct Large<T>(T);
macro_rules! sized {
    ($($t:ty),* $(,)?) => { $( impl Sized2 for $t { fn size(&self) -> Builder { made() } } )* };
    ($($t:ty),*) => { $( impl Sized2 for $t { fn size(&self) -> Builder { Builder } } )* };
}
sized!(Small, Large<u8>);
fn run(small: Small, large: Large<u8>) {
    Response::Fine().body();
    Response::Gone().body();
    small.size().body();
    large.size();
}
"##,
        "src/lib.rs:7 made -> src/lib.rs:made@10 [scoped]
src/lib.rs:7 made -> src/lib.rs:made@10 [scoped]
src/lib.rs:12 answers -> src/lib.rs:answers@4 [scoped]
src/lib.rs:13 answers -> src/lib.rs:answers@4 [scoped]
src/lib.rs:19 made -> src/lib.rs:made@10 [scoped]
src/lib.rs:19 made -> src/lib.rs:made@10 [scoped]
src/lib.rs:22 sized -> src/lib.rs:sized@18 [scoped]
src/lib.rs:24 Fine -> src/lib.rs:Response.Fine@12 [scoped]
src/lib.rs:24 body -> src/lib.rs:Builder.body@2 [typed]
src/lib.rs:25 Gone -> src/lib.rs:Response.Gone@13 [scoped]
src/lib.rs:25 body -> src/lib.rs:Builder.body@2 [typed]
src/lib.rs:26 size -> src/lib.rs:Small.size@19 [typed]
src/lib.rs:26 body -> src/lib.rs:Builder.body@2 [typed]
src/lib.rs:27 size -> src/lib.rs:Large.size@19 [typed]",
    );
}

#[test]
fn bounds_say_what_an_associated_type_is() {
    check(
        r##"//- Cargo.toml
[package]
name = "a"
[dependencies]
tower = "1"
//- src/lib.rs
use std::future::{Future, IntoFuture};
use std::pin::Pin;
use std::rc::Rc;
use tower::Service;
pub struct Answer;
impl Answer { fn status(&self) {} }
async fn call<S, R>(service: S, request: R) -> S::Response
where
    S: Service<R, Response = Answer>,
{
    service.call(request).await
}
pub struct Sending;
impl Future for Sending { type Output = Result<Answer, ()>; }
pub struct Later;
impl std::ops::Add for Later { type Output = Later; }
impl IntoFuture for Later { type Output = Answer; type IntoFuture = Sending; }
pub trait Guard { fn check(&self); }
impl Guard for Rc<dyn Guard> { fn check(&self) { (**self).check() } }
impl Guard for Answer { fn check(&self) {} }
fn guard() -> impl Guard { Answer }
async fn run<S: Service<u8, Response = Answer>>(service: S, all: Vec<Rc<dyn Guard>>) {
    call(service, 1).await.status();
    Sending.await.unwrap().status();
    Later.await.status();
    guard().check();
    for one in all { one.check(); }
}
"##,
        "src/lib.rs:11 call -> ext tower.Service.call
src/lib.rs:19 check -> src/lib.rs:Guard.check@18 [typed]
src/lib.rs:23 call -> src/lib.rs:call@7 [scoped]
src/lib.rs:23 status -> src/lib.rs:Answer.status@6 [typed]
src/lib.rs:24 unwrap -> ext std.Result.unwrap
src/lib.rs:24 status -> src/lib.rs:Answer.status@6 [typed]
src/lib.rs:25 status -> src/lib.rs:Answer.status@6 [typed]
src/lib.rs:26 guard -> src/lib.rs:guard@21 [scoped]
src/lib.rs:26 check -> src/lib.rs:Guard.check@18 [typed]
src/lib.rs:27 check -> src/lib.rs:Guard.check@18 [typed]",
    );
}

#[test]
fn defaults_of_two_traits_are_told_apart_by_scope() {
    check(
        r##"//- Cargo.toml
[package]
name = "a"
//- src/lib.rs
pub mod t;
pub mod one;
pub mod two;
pub struct S;
impl t::One for S {}
impl t::Two for S {}
pub struct D;
impl t::One for D { fn d(&self) {} }
impl t::Two for D {}
//- src/t.rs
pub trait One { fn d(&self) {} }
pub trait Two { fn d(&self) {} }
//- src/one.rs
use crate::{D, S};
use crate::t::One;
fn run(s: S) { S.d(); D.d(); s.d(); }
//- src/two.rs
use crate::{D, S};
use crate::t::Two;
fn run(s: S) { S.d(); D.d(); s.d(); }
"##,
        "src/one.rs:3 d -> src/t.rs:One.d@1 [scoped]
src/one.rs:3 d -> src/lib.rs:D.d@8 [scoped]
src/one.rs:3 d -> src/t.rs:One.d@1 [typed]
src/two.rs:3 d -> src/t.rs:Two.d@2 [scoped]
src/two.rs:3 d -> src/t.rs:Two.d@2 [scoped]
src/two.rs:3 d -> src/t.rs:Two.d@2 [typed]",
    );
}

#[test]
fn what_a_module_or_a_block_imports_is_in_scope_there_alone() {
    check(
        r##"//- Cargo.toml
[package]
name = "a"
//- src/lib.rs
pub mod t;
pub mod both;
pub struct S;
impl t::One for S {}
impl t::Two for S {}
//- src/t.rs
pub trait One { fn d(&self) {} }
pub trait Two { fn d(&self) {} }
//- src/both.rs
use crate::S;
use crate::t::Two;
mod inner {
    use crate::S;
    use crate::t::One;
    fn run(s: S) { s.d(); }
    fn only(s: S) { fn deep() { use crate::t::Two; } s.d(); }
}
mod next {
    use super::*;
    fn run(s: S) { s.d(); }
}
fn run(s: S) { s.d(); }
mod local {
    use crate::S;
    fn one(s: S) { use crate::t::One; s.d(); }
    fn two(s: S) { { use crate::t::Two; s.d(); } }
    impl S { fn me(&self) { use crate::t::Two; self.d(); } }
}
"##,
        "src/both.rs:6 d -> src/t.rs:One.d@1 [typed]
src/both.rs:7 d -> src/t.rs:One.d@1 [typed]
src/both.rs:11 d -> src/t.rs:Two.d@2 [typed]
src/both.rs:13 d -> src/t.rs:Two.d@2 [typed]
src/both.rs:16 d -> src/t.rs:One.d@1 [typed]
src/both.rs:17 d -> src/t.rs:Two.d@2 [typed]
src/both.rs:18 d -> src/t.rs:Two.d@2 [typed]",
    );
}

#[test]
fn a_literal_text_goes_to_the_conversion_from_a_reference() {
    check(
        r#"
//- Cargo.toml
[package]
name = "app"
//- src/lib.rs
use std::borrow::Cow;
pub struct Line<'a> { text: Cow<'a, str> }
impl<'a> From<Cow<'a, str>> for Line<'a> { fn from(text: Cow<'a, str>) -> Self { Line { text } } }
impl<'a> From<&'a str> for Line<'a> { fn from(text: &'a str) -> Self { Line { text: text.into() } } }
pub fn run() { Line::from("x"); }
"#,
        "
src/lib.rs:4 into -> ext std.str.into
src/lib.rs:5 from -> src/lib.rs:Line.from@4 fn from(text: &'a str) -> Self [scoped]
",
    );
}

#[test]
fn values_of_test_cases_are_calls_of_the_test() {
    check(
        r#"
//- Cargo.toml
[package]
name = "app"
//- src/lib.rs
pub struct Rect;
impl Rect { pub fn new(n: u32) -> Rect { Rect } }
#[rstest]
#[case(Rect::new(1), 1)]
#[case::named(Rect::new(2))]
fn cases(#[case] rect: Rect, #[case] n: u32) {}
#[test_case(Rect::new(3), 1; "a; name")]
fn more(rect: Rect, n: u32) {}
"#,
        "
src/lib.rs:4 new -> src/lib.rs:Rect.new@2 [scoped]
src/lib.rs:5 new -> src/lib.rs:Rect.new@2 [scoped]
src/lib.rs:7 new -> src/lib.rs:Rect.new@2 [scoped]
",
    );
}

#[test]
fn an_operator_gives_what_its_trait_s_method_gives() {
    check(
        "//- src/lib.rs
pub struct A;
pub struct B;
impl A { pub fn go(&self) {} pub fn add(&self, n: u8) -> u8 { n } }
impl B { pub fn go(&self) {} }
impl std::ops::Mul for A { type Output = B; fn mul(self, o: A) -> B { B } }
impl std::ops::Neg for A { type Output = B; fn neg(self) -> B { B } }
impl std::ops::Sub for B { type Output = B; fn sub(self, o: B) -> Self { self } }
fn f(a: A, b: B) {
    (a * a).go();
    (-a).go();
    (b - b).go();
}
",
        "src/lib.rs:9 go -> src/lib.rs:B.go@4 [typed]
src/lib.rs:10 go -> src/lib.rs:B.go@4 [typed]
src/lib.rs:11 go -> src/lib.rs:B.go@4 [typed]
",
    );
}

#[test]
fn a_qualified_path_means_the_traits_method_for_the_type() {
    check(
        r##"//- Cargo.toml
[package]
name = "a"
//- src/lib.rs
pub trait Make { fn new() -> Self; fn go(&self); fn dflt(&self) {} }
pub struct A;
impl A {
    fn new() -> A { <A as Make>::new() }
    fn go(&self) { <Self as Make>::go(self) }
    fn dflt(&self) { <Self as Make>::dflt(self) }
    fn by_path(&self) { <A as crate::Make>::go(self) }
    fn own(&self) { A::go(self) }
}
impl Make for A {
    fn new() -> A { A }
    fn go(&self) {}
}
mod sub {
    pub trait Other { fn go(&self); }
    impl Other for super::A { fn go(&self) {} }
}
fn run(a: &A) {
    <A as sub::Other>::go(a);
    <A as Make>::new().go();
    let f = <A as Make>::go;
    f(a);
}
pub trait Any { fn any(&self); }
impl<T: Make> Any for T { fn any(&self) {} }
fn blanket(a: &A) { <A as Any>::any(a); }
pub struct B;
impl B { fn from(n: u8) -> B { <B as From<u8>>::from(n) } }
impl From<u8> for B { fn from(n: u8) -> B { B } }
"##,
        "src/lib.rs:4 new -> src/lib.rs:A.new@11 fn new() -> A [typed]
src/lib.rs:5 go -> src/lib.rs:A.go@12 fn go(&self) [typed]
src/lib.rs:6 dflt -> src/lib.rs:Make.dflt@1 [typed]
src/lib.rs:7 go -> src/lib.rs:A.go@12 fn go(&self) [typed]
src/lib.rs:8 go -> src/lib.rs:A.go@5 fn go(&self) [scoped]
src/lib.rs:19 go -> src/lib.rs:sub.A.go@16 [typed]
src/lib.rs:20 new -> src/lib.rs:A.new@11 fn new() -> A [typed]
src/lib.rs:20 go -> src/lib.rs:A.go@5 fn go(&self) [typed]
src/lib.rs:22 f -> src/lib.rs:A.go@12 fn go(&self) [typed]
src/lib.rs:26 any -> src/lib.rs:T.any@25 [typed]
src/lib.rs:28 from -> src/lib.rs:B.from@29 fn from(n: u8) -> B [typed]",
    );
}
