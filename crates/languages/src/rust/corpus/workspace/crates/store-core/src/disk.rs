use crate::Store;

pub fn flush() {}

impl Store {
    pub fn close(self) {
        flush() // calls :flush
    }
}
