//! Definitions that are added, removed and changed, one edit at a time: the update equals a clean build, and links no
//! more files than needed.

use crate::common::state;
use ingest::{
    ChunkUpdateScope, DeltaRequest, IndexOptions, ResidentCell, UpdateMethod, update_all,
    update_incremental,
};
use tempfile::TempDir;
use testkit::Repo;

/// Replaces a text in a file; the update then links `linked` files, or any number if `None`. The resident state is
/// released before the update or not; the result must be the same.
fn check(files: &str, path: &str, (from, to): (&str, &str), linked: Option<u32>) {
    for rests in [false, true] {
        check_one(files, path, (from, to), linked, rests);
    }
}

fn check_one(files: &str, path: &str, (from, to): (&str, &str), linked: Option<u32>, rests: bool) {
    let repo = Repo::new(files);
    let root = repo.path();
    let ours = IndexOptions::new(root, &root.join(".devbooks"));
    update_all(&ours, &()).unwrap();
    let residence = ResidentCell::default();
    residence.preload(&ours).unwrap();
    if rests {
        residence.release_memory();
        assert!(!residence.is_empty(), "nothing is left of it");
    }
    let text = std::fs::read_to_string(repo.file_path(path)).unwrap();
    assert!(text.contains(from), "{path}: {from}");
    repo.write(path, &text.replace(from, to));
    let paths = [path.to_owned()];
    let ask = DeltaRequest {
        paths: &paths,
        no_other_changes: true,
        chunks: ChunkUpdateScope::Nothing,
    };
    let done = update_incremental(&ours, &residence, ask, &()).unwrap();
    let clean = TempDir::new().unwrap();
    let theirs = IndexOptions::new(root, clean.path());
    update_all(&theirs, &()).unwrap();
    let graphs = (state::graph(&ours.db_path), state::graph(&theirs.db_path));
    let found = state::difference(&graphs.0, &graphs.1);
    assert!(found.is_none(), "{from} to {to}: {}", found.unwrap());
    if let Some(linked) = linked {
        let is = (done.way, done.linked);
        assert_eq!(is, (UpdateMethod::Files, linked), "{from} to {to}");
    }
}

const GO: &str = "//- go.mod
module example.com/m
//- a/i.go
package a

type Priced interface {
	Price() int
	// more
}
//- a/t.go
package a

type Item struct{ cost int }

func (i *Item) Price() int { return i.cost }
//- a/u.go
package a

func use(p Priced) int { return p.Price() }
// end
//- a/v.go
package a

func other() int { return fresh() }
";

#[test]
fn interfaces_that_ask_for_more_or_less_are_implemented_by_others() {
    let more = ("\t// more", "\tFresh() int");
    check(GO, "a/i.go", more, None);
    check(
        &GO.replace(more.0, more.1),
        "a/i.go",
        (more.1, more.0),
        None,
    );
    check(GO, "a/i.go", ("Price() int", "Price() string"), None);
    check(GO, "a/i.go", ("\tPrice() int\n", ""), None);
    check(
        GO,
        "a/u.go",
        ("// end", "type More interface { Price() int }"),
        None,
    );
    check(
        GO,
        "a/u.go",
        ("// end", "type More interface { Another() int }"),
        Some(1),
    );
    check(GO, "a/t.go", ("Price() int", "Price() string"), None);
    let both = "type More interface { Fresh() int }\n\nfunc (i *Item) Fresh() int { return 1 }";
    check(GO, "a/u.go", ("// end", both), None);
}

#[test]
fn go_functions_and_methods_are_found_by_name() {
    check(
        GO,
        "a/u.go",
        ("// end", "func unheard() int { return use(nil) }"),
        Some(1),
    );
    check(
        GO,
        "a/u.go",
        ("// end", "func fresh() int { return 1 }"),
        Some(2),
    );
    let method = "func (i *Item) Unheard() int { return i.cost }";
    check(GO, "a/u.go", ("// end", method), Some(1));
    check(
        GO,
        "a/v.go",
        ("func other() int", "func other(s string) int"),
        Some(1),
    );
}

const PY: &str = "//- p/__init__.py
//- p/a.py
class Item:
    def total(self):
        return 1
# class

def make():
    return Item()

def plain():
    return 2
//- p/b.py
from p.a import make, plain

def run():
    make().total()
    plain()
    later()
//- p/c.py
from p.b import run

run()
//- p/d.py
from p.a import *

def go(x):
    x.rarely()
";

#[test]
fn python_names_that_come_are_linked_where_they_are_mentioned() {
    let later = ("# class", "def later():\n    pass");
    check(PY, "p/a.py", later, Some(2));
    let rare = "class More:\n    def rarely(self):\n        pass";
    check(PY, "p/a.py", ("# class", rare), Some(2));
    check(
        PY,
        "p/d.py",
        ("def go(x):", "def later(): pass\n\ndef go(x):"),
        Some(2),
    );
    check(
        PY,
        "p/a.py",
        ("# class", "def unheard():\n    return later"),
        Some(1),
    );
    // Calls of a parameter depend on what callers pass for it.
    check(
        PY,
        "p/a.py",
        ("# class", "def later(action):\n    action()"),
        None,
    );
}

#[test]
fn python_results_that_change_are_linked_where_they_are_mentioned() {
    check(PY, "p/a.py", ("return 2", "return make()"), Some(2));
    check(PY, "p/a.py", ("return Item()", "return 3"), Some(2));
    check(PY, "p/a.py", ("def plain():\n    return 2\n", ""), Some(2));
    check(
        PY,
        "p/a.py",
        ("def total(self)", "def total(self, count)"),
        Some(2),
    );
    check(PY, "p/a.py", ("class Item:", "class Item(Base):"), None);
}

const TS: &str = "//- package.json
{}
//- a.ts
export class Square { area() { return 1; } }
export function make() { return new Square(); }
export default function start() { return make(); }
// end
//- b.ts
export * from './a';
export { make as build } from './a';
//- c.ts
import { build, later } from './b';
import begin from './a';
build().area();
begin().area();
later();
";

#[test]
fn typescript_exports_are_followed_through_other_files() {
    check(
        TS,
        "a.ts",
        ("// end", "export function later() {}"),
        Some(2),
    );
    check(
        TS,
        "a.ts",
        ("// end", "export function unheard() { return make(); }"),
        Some(1),
    );
    // It has another name elsewhere, and is used through the default export.
    check(TS, "a.ts", ("return new Square()", "return 1"), None);
    check(
        TS,
        "a.ts",
        ("export function make", "export function made"),
        None,
    );
    check(
        TS,
        "a.ts",
        ("export default function", "export function"),
        None,
    );
    check(TS, "c.ts", ("later();", "function unheard() {}"), Some(1));
}

const RUST: &str = "//- Cargo.toml
[package]
name = \"m\"
//- src/lib.rs
mod a;
mod b;
pub use a::Square;
//- src/a.rs
pub struct Square { side: u32 }
impl Square { pub fn unit() -> Square { Square { side: 1 } } }
pub trait Shape { fn area(&self) -> u32 { 1 } }
// end
//- src/b.rs
use crate::a::*;
fn run() {
    Square::unit().area();
    Square::unit().later();
    free();
}
";

#[test]
fn rust_items_are_found_by_name_and_impls_of_traits_by_type() {
    check(RUST, "src/a.rs", ("// end", "pub fn free() {}"), Some(2));
    check(
        RUST,
        "src/a.rs",
        ("// end", "impl Square { pub fn later(&self) {} }"),
        None,
    );
    check(
        RUST,
        "src/a.rs",
        ("impl Square {", "impl Square { pub fn later(&self) {}"),
        Some(2),
    );
    check(
        RUST,
        "src/a.rs",
        ("impl Square {", "impl Square { fn unheard(&self) {}"),
        Some(1),
    );
    check(
        RUST,
        "src/a.rs",
        ("// end", "impl Shape for Square {}"),
        None,
    );
    check(
        RUST,
        "src/a.rs",
        ("// end", "pub enum Kind { First }"),
        Some(1),
    );
    check(RUST, "src/a.rs", ("-> Square {", "-> u32 {"), Some(2));
    check(
        RUST,
        "src/a.rs",
        (
            "// end",
            "impl std::ops::Deref for Square { type Target = str; }",
        ),
        None,
    );
}

const RUST_MACROS: &str = "//- Cargo.toml
[package]
name = \"m\"
//- src/lib.rs
mod a;
mod b;
mod c;
//- src/a.rs
#[macro_export]
macro_rules! twice {
    ($e:expr) => { $e + $e };
}
#[macro_export]
macro_rules! made {
    ($e:expr) => { $crate::c::made_of($e) };
}
// end
//- src/b.rs
fn run(n: u32) {
    crate::twice!(n).to_string();
    crate::made!(n).to_string();
}
//- src/c.rs
pub fn made_of(n: u32) -> u32 { n }
";

#[test]
fn rust_macros_are_read_through_their_rules() {
    for edit in [
        ("    ($e:expr) => { $e + $e };\n", ""),
        ("{ $e + $e }", "{ $crate::c::made_of($e) }"),
        ("{ $e + $e }", "{ nothing($e) }"),
        (
            "($e:expr) => { $e + $e }",
            "($e:expr, $f:expr) => { $e + $f }",
        ),
        (
            "    ($e:expr) => { $e + $e }",
            "    power(2);\n    ($e:expr) => { $e + $e }",
        ),
        ("made_of", "other"),
        ("twice", "thrice"),
    ] {
        check(RUST_MACROS, "src/a.rs", edit, None);
    }
    check(RUST_MACROS, "src/c.rs", ("-> u32", "-> String"), None);
    check(
        RUST_MACROS,
        "src/a.rs",
        ("// end", "fn unheard() {}"),
        Some(1),
    );
}

const JAVA: &str = "//- m/Item.java
package m;
public class Item {
    int price() { return 1; }
    // more
}
// end
//- m/Use.java
package m;
class Use {
    void run(Item item, Taker taker) {
        item.price();
        item.later();
        new Later().go();
        taker.take(i -> i.price());
    }
}
//- m/Taker.java
package m;
interface Taker {
    void take(java.util.function.Consumer<Item> c);
    void give(Job job);
}
//- m/Job.java
package m;
interface Job {
    void run(Item item);
    // more
}
//- m/Other.java
package m;
class Other {
    void run(Taker taker) { taker.give(i -> i.price()); }
}
";

#[test]
fn java_members_and_classes_are_found_by_name() {
    check(JAVA, "m/Item.java", ("// more", "void later() {}"), Some(2));
    check(
        JAVA,
        "m/Item.java",
        ("// more", "void unheard() {}"),
        Some(1),
    );
    check(
        JAVA,
        "m/Item.java",
        ("// end", "class Later { void go() {} }"),
        Some(2),
    );
    check(
        JAVA,
        "m/Item.java",
        ("// end", "class Later extends Item { }"),
        Some(2),
    );
    check(JAVA, "m/Item.java", ("// more", "Item(int cost) {}"), None);
    // With a second method, the interface no longer accepts a lambda.
    check(JAVA, "m/Job.java", ("// more", "void unheard();"), None);
}

#[test]
fn imports_matter_to_the_file_that_has_them_and_to_who_takes_from_it() {
    let import = |line: &str| format!("package a\n\nimport \"{line}\"\n");
    check(GO, "a/u.go", ("package a\n", &import("fmt")), Some(1));
    check(
        GO,
        "a/u.go",
        ("package a\n", &import("example.com/m/b")),
        Some(1),
    );
    check(
        JAVA,
        "m/Item.java",
        ("package m;", "package m;\nimport java.util.List;"),
        Some(1),
    );
    check(
        JAVA,
        "m/Item.java",
        ("package m;", "package m;\nimport java.util.*;"),
        None,
    );
    check(
        TS,
        "c.ts",
        ("later();", "import fs from 'fs';\nlater();"),
        Some(1),
    );
    check(
        TS,
        "a.ts",
        ("// end", "import { x } from './c';\nexport { x };"),
        None,
    );
    check(TS, "a.ts", ("// end", "import './c';"), Some(1));
    check(PY, "p/a.py", ("class Item", "import os\nclass Item"), None);
    check(PY, "p/b.py", ("from p.a", "import os\nfrom p.a"), Some(1));
    // Another file is now reachable, and with it a definition that is unique there.
    check(
        PY,
        "p/b.py",
        ("from p.a", "from p.d import go\nfrom p.a"),
        None,
    );
    let passed_on = (
        "from p.b import run",
        "from p.b import run, os\n\nos.getcwd()",
    );
    let takes = PY.replace(passed_on.0, passed_on.1);
    check(
        &takes,
        "p/b.py",
        ("from p.a", "import os\nfrom p.a"),
        Some(2),
    );
    let more = "import os\nfrom p.a import make, plain\n\ndef more():\n    os.getcwd()\n";
    check(
        PY,
        "p/b.py",
        ("from p.a import make, plain\n", more),
        Some(1),
    );
}

const GLOBAL: &str = "//- package.json
{}
//- src/core.ts
export class Base { end(): void {} }
declare global {
  interface Stream<T> extends Base { subscribe(): void; item(): T; }
  function start(): Stream<Base>;
}
//- src/more.ts
import './core';
declare global {
  interface Stream<T> { first(): T; /* more */ }
}
// end
export {};
//- src/use.ts
import './more';
function use(given: Stream<Base>) {
  given.first().end(); given.subscribe(); given.extra(); given.end();
  start().item().end(); begin();
}
";

#[test]
fn typescript_declarations_for_all_files_are_found_by_name() {
    for edit in [
        ("/* more */", "extra(): void;"),
        ("first(): T;", ""),
        ("first(): T;", "first(): number;"),
        ("interface Stream<T>", "interface Other<T>"),
        ("declare global", "declare namespace global"),
        ("// end", "declare global { function begin(): void }"),
        ("// end", "declare global { function start(): void }"),
        (
            "import './core';",
            "import './core'; interface Stream<T> { none(): T }",
        ),
    ] {
        check(GLOBAL, "src/more.ts", edit, None);
    }
    for edit in [
        ("interface Stream<T> extends Base", "interface Other<T>"),
        (" extends Base", ""),
        ("function start(): Stream<Base>;", ""),
        ("export class Base", "// one line more\nexport class Base"),
    ] {
        check(GLOBAL, "src/core.ts", edit, None);
    }
}

const RING: &str = "//- Cargo.toml
[package]
name = \"a\"
//- src/lib.rs
mod a;
mod b;
mod c;
//- src/a.rs
pub use crate::b::*;
fn run() { x(); y(); z(); }
//- src/b.rs
pub use crate::c::*;
// end
//- src/c.rs
pub use crate::a::*;
fn z() {}
// end
";

#[test]
fn rust_names_are_found_through_rings_of_globs() {
    for edit in [
        ("// end", "pub fn x() {}"),
        ("// end", "fn x() {}"),
        ("// end", "pub use crate::missing::x;"),
        ("// end", "use crate::a::run as y;"),
        ("crate::c::*", "crate::a::*"),
        ("pub use crate::c::*;", ""),
    ] {
        check(RING, "src/b.rs", edit, None);
    }
    for edit in [
        ("fn z()", "pub fn z()"),
        ("// end", "pub mod x { pub fn x() {} }"),
        ("// end", "#[cfg(feature = \"f\")] pub fn x() {}"),
        (
            "pub use crate::a::*;",
            "pub use self::inner::*; mod inner { pub fn y() {} }",
        ),
    ] {
        check(RING, "src/c.rs", edit, None);
    }
}

#[test]
fn rust_traits_are_in_scope_where_they_are_imported() {
    let files = "//- Cargo.toml
[package]
name = \"a\"
//- src/lib.rs
mod t;
mod run;
pub struct S;
impl t::One for S {}
impl t::Two for S {}
//- src/t.rs
pub trait One { fn d(&self) {} }
pub trait Two { fn d(&self) {} }
//- src/run.rs
use crate::t::Two;
mod inner { use crate::S; use crate::t::One; fn run(s: S) { s.d(); } }
fn run(s: crate::S) { s.d(); /* block */ }
";
    for edit in [
        ("use crate::t::One;", "use crate::t::Two;"),
        ("use crate::t::Two;", "use crate::t::One;"),
        ("/* block */", "{ use crate::t::One; s.d(); }"),
        ("use crate::t::One;", "use super::*;"),
    ] {
        check(files, "src/run.rs", edit, None);
    }
}
