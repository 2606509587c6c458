#[cfg(unix)]
#[path = "sys/unix.rs"]
mod sys;
#[cfg(windows)]
#[path = "sys/windows.rs"]
mod sys;

pub use sys::Handle;

#[cfg(feature = "fast")]
fn hash(text: &str) -> usize {
    mix(text.len()) // calls :mix
}

#[cfg(not(feature = "fast"))]
fn hash(text: &str) -> usize {
    text.len()
}

#[cfg(feature = "fast")]
fn mix(n: usize) -> usize {
    n ^ 3
}

mod trace {
    #[cfg(debug_assertions)]
    pub fn note(_text: &str) {}

    #[cfg(not(debug_assertions))]
    pub fn note(_text: &str) {}
}

impl Handle {
    pub fn both(&self) -> usize {
        self.raw() + hash("a") // calls src/sys/unix.rs:Handle.raw, :hash@11
    }
}

/// The truth is that of a Unix build with the default features.
pub fn run() -> usize {
    let handle = sys::open("b"); // calls src/sys/unix.rs:open
    handle.both(); // calls :Handle.both
    handle.raw(); // calls src/sys/unix.rs:Handle.raw
    trace::note("c"); // calls :trace.note@27
    if cfg!(feature = "slow") {
        hash("d"); // calls :hash@11
    }
    #[cfg(windows)]
    handle.close();
    hash("e") // calls :hash@11
}
