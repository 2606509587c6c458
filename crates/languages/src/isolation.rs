//! Where the parsers run whose scanners nobody has read. A library or a test parses in its own process; a program that reads
//! sources of others installs an isolation at its start.

use base::{FileFacts, Language};
use std::sync::OnceLock;
use syntax::builder::Stop;

/// Parses in another process.
pub trait Isolation: Send + Sync {
    /// The facts of a file in a language that is isolated. Where the parser gave none, they are empty and say why.
    fn extract(&self, language: Language, source: &str, stop: Stop<'_>) -> FileFacts;

    /// See [`code_lines`](crate::code_lines).
    fn code_lines(&self, language: Language, source: &str) -> Vec<bool>;
}

static INSTALLED: OnceLock<Box<dyn Isolation>> = OnceLock::new();

/// From now on, sources in isolated languages are parsed there. Only the first call of a process counts.
pub fn isolate(isolation: Box<dyn Isolation>) {
    let _ = INSTALLED.set(isolation);
}

pub(crate) fn installed() -> Option<&'static dyn Isolation> {
    INSTALLED.get().map(Box::as_ref)
}
