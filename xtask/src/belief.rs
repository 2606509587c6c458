//! The key that seals the files of an index. This program and its child processes share one temporary key, so that each
//! trusts the files of the others.

use guard::seal::{self, Key, TrustPolicy};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The data folder to give to child processes; none if no key can be stored.
pub fn data() -> Option<&'static Path> {
    static DATA: OnceLock<Option<PathBuf>> = OnceLock::new();
    DATA.get_or_init(made).as_deref()
}

fn made() -> Option<PathBuf> {
    let data = tempfile::tempdir().ok()?.keep();
    let key = Key::open_or_create(&data.join("knotwork")).ok()?;
    seal::install_policy(TrustPolicy {
        key,
        named: Vec::new(),
        everything: false,
    });
    Some(data)
}
