//! Doc.
use std::{fmt::{self, Display as D}, collections::*, self};
pub use crate::a::b;
mod out; pub(crate) mod inner { extern crate alloc; }
#[derive(Debug)] pub struct S<'a, T: D + ?Sized, const N: usize> where T: 'a { pub a: &'a mut [T; N], b: Box<dyn Fn(i32) -> T> }
enum E { A(u8), B { x: S<'static, str, 1> }, C = 3 }
impl<'a, T> Tr for S<'a, T, 2> { type Out = <T as Tr>::Out; const K: u8 = f(); fn m(&self, (a, ref b): (u8, T)) -> impl Iterator<Item = T> + '_ { self.a.iter().map(|x| x?.y::<u8>(a)).collect::<Vec<_>>() } }
trait Tr: D + Send { type Out; fn d(self: Box<Self>) where Self: Sized { <Self as Tr>::d(self); } }
macro_rules! mac { ($($x:expr),* $(,)?) => { $(f($x);)* }; }
async fn g() -> Result<(), Box<dyn Error>> { let Some(E::B { x: y @ S { .. } }) = h!(1, a.b(c)) else { return Ok(()) }; if let Ok(v) | Err(v) = z && v { loop { break 'l } } match x { 1..=2 if k() => {}, &[a, .., b] => unsafe { *a = b.await? }, _ => r#"raw"#.len() } }
union U { a: u8 } static mut X: u8 = 1; extern "C" { fn c(x: *const u8, ...); }
