//! Names that globs give several meanings, and values that are written as a type's name.

use crate::fixture::check;

#[test]
fn a_name_that_two_globs_bring_has_no_meaning() {
    check(
        r#"
//- Cargo.toml
[package]
name = "app"
//- src/lib.rs
mod a { pub fn f() {} pub fn only() {} pub fn same() {} pub struct S; impl S { pub fn m(&self) {} } pub fn Some() {} }
mod b { pub fn f() {} pub use crate::a::same; pub struct S; impl S { pub fn m(&self) {} } pub fn Some() {} }
mod c { pub use crate::a::*; }
mod d { pub use crate::b::*; fn only() {} }
mod e { pub use crate::c::*; pub fn f() {} }
mod first {
    use crate::a::*;
    use crate::b::*;
    fn g() { f(); only(); same(); }
    fn h(s: S) { s.m(); }
    fn i() { Some(); }
}
mod second {
    use crate::c::*;
    use crate::d::*;
    fn g() { f(); only(); same(); }
}
mod third {
    use crate::c::*;
    use crate::a::*;
    fn g() { f(); }
}
mod fourth {
    use crate::a::*;
    use crate::b::*;
    use crate::b::f;
    fn g() { f(); }
}
mod fifth {
    use crate::e::*;
    fn g() { f(); only(); }
}
mod sixth {
    use crate::a::*;
    fn g() { use crate::b::*; f(); }
    fn h() { use crate::c::*; use crate::b::*; f(); }
}
mod seventh {
    #[cfg(windows)]
    use crate::a::*;
    #[cfg(unix)]
    use crate::b::*;
    fn g() { f(); }
}
"#,
        "
src/lib.rs:9 f -> ? unknown name
src/lib.rs:9 only -> src/lib.rs:a.only@1 [scoped]
src/lib.rs:9 same -> src/lib.rs:a.same@1 [scoped]
src/lib.rs:10 m -> ? unknown receiver type
src/lib.rs:11 Some -> ? unknown name
src/lib.rs:16 f -> ? unknown name
src/lib.rs:16 only -> src/lib.rs:a.only@1 [scoped]
src/lib.rs:16 same -> src/lib.rs:a.same@1 [scoped]
src/lib.rs:21 f -> src/lib.rs:a.f@1 [scoped]
src/lib.rs:27 f -> src/lib.rs:b.f@2 [scoped]
src/lib.rs:31 f -> src/lib.rs:e.f@5 [scoped]
src/lib.rs:31 only -> src/lib.rs:a.only@1 [scoped]
src/lib.rs:35 f -> src/lib.rs:b.f@2 [scoped]
src/lib.rs:36 f -> ? unknown name
src/lib.rs:43 f -> src/lib.rs:b.f@2 [scoped]
",
    );
}

#[test]
fn a_private_glob_brings_nothing_to_other_modules() {
    check(
        r#"
//- Cargo.toml
[package]
name = "app"
//- src/lib.rs
mod a { pub fn f() {} }
mod b {
    use crate::a::*;
    fn own() { f(); }
    mod inner { use super::*; fn g() { f(); } }
}
mod c { use crate::b::*; fn g() { f(); } }
mod d { pub use crate::a::*; }
mod e { use crate::d::*; fn g() { f(); } }
mod h { fn g() { crate::d::f(); } }
"#,
        "
src/lib.rs:4 f -> src/lib.rs:a.f@1 [scoped]
src/lib.rs:5 f -> src/lib.rs:a.f@1 [scoped]
src/lib.rs:7 f -> ? unknown name
src/lib.rs:9 f -> src/lib.rs:a.f@1 [scoped]
src/lib.rs:10 f -> src/lib.rs:a.f@1 [scoped]
",
    );
}

#[test]
fn an_operator_on_a_unit_struct_by_its_name_gives_what_its_impl_says() {
    check(
        r#"
//- Cargo.toml
[package]
name = "app"
//- src/lib.rs
use std::ops::{Add, Mul, Neg, Not};
struct Unit;
struct Sum;
struct Flipped;
struct Scaled;
impl Unit { fn m(&self) {} }
impl Sum { fn m(&self) {} }
impl Flipped { fn m(&self) {} }
impl Scaled { fn m(&self) {} }
impl Add for Unit { type Output = Sum; fn add(self, _: Unit) -> Sum { Sum } }
impl Not for Sum { type Output = Flipped; fn not(self) -> Flipped { Flipped } }
impl Neg for Scaled { type Output = Unit; fn neg(self) -> Unit { Unit } }
impl Mul<Unit> for f64 { type Output = Scaled; fn mul(self, _: Unit) -> Scaled { Scaled } }
fn f() {
    (Unit + Unit).m();
    (!Sum).m();
    (-Scaled).m();
    (2.0 * Unit).m();
    let u = Unit;
    (u + Unit).m();
    Flipped.m();
}
"#,
        "
src/lib.rs:15 m -> src/lib.rs:Sum.m@7 [typed]
src/lib.rs:16 m -> src/lib.rs:Flipped.m@8 [typed]
src/lib.rs:17 m -> src/lib.rs:Unit.m@6 [typed]
src/lib.rs:18 m -> ? unknown receiver type
src/lib.rs:20 m -> src/lib.rs:Sum.m@7 [typed]
src/lib.rs:21 m -> src/lib.rs:Flipped.m@8 [scoped]
",
    );
}
