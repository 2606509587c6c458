lazy_static! { static ref A: Vec<u8> = make(1); }
bitflags! { pub struct F: u32 { const X = 1; const Y = 1 << 2; } }
cfg_if! { if #[cfg(windows)] { fn w() {} } else { fn u() { m!(n(), o.p()?) } } }
thread_local!(static K: Cell<u8> = const { Cell::new(1) });
fn main() { println!("{} {x:?}", a.b()); assert!(matches!(c(), Some(d) if d.e())); }
