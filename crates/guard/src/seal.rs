//! Seals: checksums of our files, made with a key of the user's own.
//!
//! Files in a project's folder may come from anywhere: a clone, an archive, a copy. Our files are trusted only if a
//! seal shows that this user wrote them. A small file, or one that is read as a whole, is sealed by its content
//! ([`seal_bytes`]). A large file that changes often is sealed by its [`Identity`], which no shipped file can have.
//!
//! The key is set once for the process ([`install_policy`]), since a user has one key. If callers had to pass it, each
//! call that forgot it would trust everything. The program sets it before any command. A process without a key (tests,
//! measurements) trusts files as they are, but its checksums ([`keyed_checksum()`]) match only what it wrote itself.

mod identity;
mod key;
mod object;

pub use identity::Identity;
pub use key::{Key, KeyError};
pub use object::{is_own_object, seal_object};

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The files that a process trusts.
#[derive(Debug)]
pub struct TrustPolicy {
    /// The user's key.
    pub key: Key,
    /// Files that the user named: they are trusted as they are and not sealed.
    pub named: Vec<PathBuf>,
    /// Whether the user vouches for the index as it is; it is then sealed with the key.
    pub everything: bool,
}

static BELIEF: OnceLock<TrustPolicy> = OnceLock::new();

/// Sets the policy of this process. Only the first call counts; later ones return false.
pub fn install_policy(belief: TrustPolicy) -> bool {
    BELIEF.set(belief).is_ok()
}

/// Whether seals are checked.
pub fn is_enabled() -> bool {
    BELIEF.get().is_some()
}

/// Whether the user chose to trust every file as it is.
pub fn trusts_everything() -> bool {
    BELIEF.get().is_some_and(|belief| belief.everything)
}

/// Whether this file is sealed at all: only with a policy, and not if the user named the file.
pub fn is_sealed_path(path: &Path) -> bool {
    let belief = BELIEF.get();
    belief.is_some_and(|belief| !belief.named.iter().any(|named| named == path))
}

/// A checksum that only this user can make. Without a policy, a key of this process is used: files of others, and of
/// other processes, do not match.
pub fn keyed_checksum(kind: &str, bytes: &[u8]) -> [u8; 32] {
    match BELIEF.get().map(|belief| &belief.key).or(process_key()) {
        Some(key) => key.mac(kind, bytes),
        None => unrepeatable(bytes),
    }
}

/// A key that is not stored; `None` if the system has no random numbers.
fn process_key() -> Option<&'static Key> {
    static KEY: OnceLock<Option<Key>> = OnceLock::new();
    KEY.get_or_init(|| Key::random().ok()).as_ref()
}

/// A checksum that never repeats, so that nothing matches it.
fn unrepeatable(bytes: &[u8]) -> [u8; 32] {
    static CALLS: AtomicU64 = AtomicU64::new(0);
    let mut hasher = blake3::Hasher::new();
    hasher.update(&CALLS.fetch_add(1, Ordering::Relaxed).to_le_bytes());
    hasher.update(&std::process::id().to_le_bytes());
    hasher.update(format!("{:?}", std::time::SystemTime::now()).as_bytes());
    *hasher.update(bytes).finalize().as_bytes()
}

/// Writes a small file of ours with its seal, as a whole or not at all.
pub fn write_sealed(path: &Path, kind: &str, bytes: &[u8]) -> std::io::Result<()> {
    crate::state::replace_file(path, &seal_bytes(kind, bytes))
}

/// Reads a file that [`write_sealed()`] wrote as that kind. `None` if there is no such file, it is too large, or its
/// seal is not this user's.
pub fn read_sealed(path: &Path, kind: &str, limit: u64) -> Option<Vec<u8>> {
    let bytes = crate::state::read_own_file(path, limit).ok()?;
    let body = unseal_bytes(kind, &bytes)?;
    if body.len() == bytes.len() {
        Some(bytes)
    } else {
        Some(body.to_vec())
    }
}

/// Writes a seal beside a large file of ours, for its present state.
pub fn write_seal_beside(path: &Path) -> std::io::Result<()> {
    match (is_enabled(), Identity::from_path(path)?) {
        (true, Some(found)) => write_sealed(&seal_path(path), FILE, found.to_string().as_bytes()),
        _ => Ok(()),
    }
}

/// Whether the file has not changed since [`write_seal_beside`], or seals are off.
pub fn has_valid_seal(path: &Path) -> bool {
    if !is_enabled() || trusts_everything() {
        return true;
    }
    let known = read_sealed(&seal_path(path), FILE, 4_096);
    let found = Identity::from_path(path).ok().flatten();
    known.is_some() && known == found.map(|found| found.to_string().into_bytes())
}

const FILE: &str = "file";

fn seal_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".seal");
    PathBuf::from(name)
}

/// The bytes after their seal; unchanged without a key.
pub fn seal_bytes(kind: &str, bytes: &[u8]) -> Vec<u8> {
    match BELIEF.get() {
        Some(belief) => belief.key.seal(kind, bytes),
        None => bytes.to_vec(),
    }
}

/// The bytes that [`seal_bytes`] sealed; `None` if the seal is not this user's.
pub fn unseal_bytes<'b>(kind: &str, bytes: &'b [u8]) -> Option<&'b [u8]> {
    match BELIEF.get() {
        Some(belief) => belief.key.unseal(kind, bytes),
        None => Some(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_key_there_is_no_checksum_that_everybody_can_make() {
        let sum = keyed_checksum("kind", b"text");
        assert_eq!(sum, keyed_checksum("kind", b"text"));
        assert_ne!(sum, keyed_checksum("other kind", b"text"));
        assert_ne!(sum, *blake3::hash(b"text").as_bytes());
        assert_ne!(unrepeatable(b"text"), unrepeatable(b"text"));
    }
}
