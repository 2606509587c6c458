pub mod disk;

#[derive(Clone)]
pub struct Store;

pub fn open(name: &str) -> Store {
    util::trim(name); // calls crates/util/src/lib.rs:trim
    Store
}

impl Store {
    pub fn put(&mut self, _key: &str) -> &mut Self {
        disk::flush(); // calls crates/store-core/src/disk.rs:flush
        self
    }
}
