use crate::inner;

pub fn open() -> u32 {
    inner::open() // calls src/lib.rs:inner.open
}
