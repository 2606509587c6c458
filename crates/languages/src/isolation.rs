//! The isolation of parsers whose scanners nobody has read. A library or a test parses in its own process; a program
//! that reads foreign sources installs an isolation when it starts.

use base::{FileFacts, Language};
use std::sync::OnceLock;
use syntax::builder::Stop;

/// Parses in another process.
pub trait Isolation: Send + Sync {
    /// The facts of a file in an isolated language. If the parser failed, they are empty and state the reason.
    fn extract(&self, language: Language, source: &str, stop: Stop<'_>) -> FileFacts;

    /// See [`code_lines`](crate::code_lines).
    fn code_lines(&self, language: Language, source: &str) -> Vec<bool>;
}

static INSTALLED: OnceLock<Box<dyn Isolation>> = OnceLock::new();

/// Parses sources in isolated languages there from now on. Only the first call in a process counts.
pub fn isolate(isolation: Box<dyn Isolation>) {
    let _ = INSTALLED.set(isolation);
}

pub(crate) fn installed() -> Option<&'static dyn Isolation> {
    INSTALLED.get().map(Box::as_ref)
}
