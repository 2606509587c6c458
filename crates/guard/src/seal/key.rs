//! The key: 32 random bytes in a folder of the user, the same for all processes.

use crate::state::{self, StateError};
use platform::RealPath;
use std::fmt;
use std::path::{Path, PathBuf};

const NAME: &str = "key";
const LOCK: &str = "key.lock";
const BYTES: usize = 32;
/// Bytes of a seal before the data that it seals: hexadecimal digits and a line end.
const HEAD: usize = 2 * 32 + 1;

/// Reason why there is no key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KeyError {
    /// The folder is not this user's alone, or cannot be created.
    #[error(transparent)]
    Folder(#[from] StateError),
    /// Something is in the place of the key, so that none can be stored: every command would build the index anew.
    #[error("{path} is {what}")]
    InTheWay {
        /// Path.
        path: PathBuf,
        /// Kind of the file, in words.
        what: &'static str,
    },
    /// The file cannot be read or created.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
}

/// A key that seals the files of this user's programs.
pub struct Key([u8; BYTES]);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key")
    }
}

impl Key {
    /// The key in that folder, which is created if there is none. A key that others could read, or that is damaged, is
    /// replaced; files sealed with it are no longer trusted.
    pub fn open_or_create(folder: &Path) -> Result<Key, KeyError> {
        let folder = prepare_key_folder(folder)?;
        let path = folder.join(NAME);
        check_not_blocked(&path, true)?;
        if let Some(key) = read_key(&path) {
            return Ok(key);
        }
        let fail = |path: &Path| {
            let path = path.to_path_buf();
            move |source| KeyError::Io { path, source }
        };
        // If several processes find no key, one creates it and the others read it.
        let lock = folder.join(LOCK);
        check_not_blocked(&lock, false)?;
        let options = state::private_file_options()
            .write(true)
            .create(true)
            .clone();
        let lock_file =
            state::open_own_file(&lock, &options).map_err(|e| std::io::Error::other(e.to_string()));
        let lock_file = lock_file.map_err(fail(&lock))?;
        lock_file.lock().map_err(fail(&lock))?;
        if let Some(key) = read_key(&path) {
            return Ok(key);
        }
        let key = Key::random().map_err(fail(&path))?;
        state::replace_file(&path, &key.0).map_err(fail(&path))?;
        Ok(key)
    }

    /// A key that is not stored: no existing file is trusted.
    pub fn random() -> std::io::Result<Key> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(std::io::Error::other)?;
        Ok(Key(bytes))
    }

    /// The checksum of these bytes. Different kinds have different checksums.
    pub fn mac(&self, kind: &str, bytes: &[u8]) -> [u8; 32] {
        *self.hash(kind, bytes).as_bytes()
    }

    /// Whether that is the checksum of these bytes.
    pub fn verify_mac(&self, kind: &str, bytes: &[u8], found: &[u8]) -> bool {
        let found: Result<[u8; 32], _> = found.try_into();
        // That library compares hashes in constant time.
        found.is_ok_and(|found| self.hash(kind, bytes) == blake3::Hash::from_bytes(found))
    }

    /// The bytes after their seal.
    pub fn seal(&self, kind: &str, bytes: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(HEAD + bytes.len());
        out.extend_from_slice(self.hash(kind, bytes).to_hex().as_bytes());
        out.push(b'\n');
        out.extend_from_slice(bytes);
        out
    }

    /// The bytes after their seal; `None` if the seal does not match.
    pub fn unseal<'b>(&self, kind: &str, bytes: &'b [u8]) -> Option<&'b [u8]> {
        let (head, body) = bytes.split_at_checked(HEAD)?;
        let found = blake3::Hash::from_hex(head.strip_suffix(b"\n")?).ok()?;
        (self.hash(kind, body) == found).then_some(body)
    }

    fn hash(&self, kind: &str, bytes: &[u8]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        hasher.update(&(kind.len() as u64).to_le_bytes());
        hasher.update(kind.as_bytes());
        hasher.update(bytes);
        hasher.finalize()
    }
}

/// Creates the folder for this user alone if there is none. Links on the way to it are the user's choice.
fn prepare_key_folder(folder: &Path) -> Result<PathBuf, KeyError> {
    let folder = match folder.real_path() {
        Ok(folder) => folder,
        Err(_) => {
            if let Some(parent) = folder.parent() {
                state::create_private_parents(parent)?;
            }
            folder.to_path_buf()
        }
    };
    state::create_private_folder(&folder)?;
    Ok(folder)
}

/// An error if something is at the place that can be neither opened nor replaced. A link is accepted if it is to be
/// replaced.
fn check_not_blocked(path: &Path, is_replaced: bool) -> Result<(), KeyError> {
    let Ok(found) = path.symlink_metadata() else {
        return Ok(());
    };
    match state::describe_irregular(&found) {
        Some(what) if found.is_dir() || !is_replaced => Err(KeyError::InTheWay {
            path: path.to_path_buf(),
            what,
        }),
        _ => Ok(()),
    }
}

/// The key in that file; `None` if there is no reliable one.
fn read_key(path: &Path) -> Option<Key> {
    let bytes = state::read_private_file(path, BYTES as u64).ok()?;
    bytes.try_into().ok().map(Key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_and_read_again() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("share/knotwork");
        let keys: Vec<[u8; BYTES]> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8)
                .map(|_| scope.spawn(|| Key::open_or_create(&folder).unwrap().0))
                .collect();
            threads.into_iter().map(|t| t.join().unwrap()).collect()
        });
        assert!(keys.iter().all(|key| *key == keys[0]));
        assert_ne!(keys[0], [0; BYTES]);
        assert_eq!(Key::open_or_create(&folder).unwrap().0, keys[0]);
    }

    #[cfg(unix)]
    #[test]
    fn a_key_that_others_could_read_is_replaced() {
        use std::os::unix::fs::PermissionsExt;
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("knotwork");
        let first = Key::open_or_create(&folder).unwrap();
        let file = folder.join(NAME);
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&file), mode(&folder)), (0o600, 0o700));
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
        let second = Key::open_or_create(&folder).unwrap();
        assert_ne!(first.0, second.0);
        assert_eq!(mode(&file), 0o600);
        // A partial key, as after a power failure, is not a key.
        std::fs::write(&file, [1; 7]).unwrap();
        assert_ne!(Key::open_or_create(&folder).unwrap().0, second.0);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_no_key() {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("knotwork");
        Key::open_or_create(&folder).unwrap();
        let known = home.path().join("known");
        std::fs::write(&known, [7; BYTES]).unwrap();
        std::fs::remove_file(folder.join(NAME)).unwrap();
        std::os::unix::fs::symlink(&known, folder.join(NAME)).unwrap();
        assert_ne!(Key::open_or_create(&folder).unwrap().0, [7; BYTES]);
        assert_eq!(std::fs::read(&known).unwrap(), [7; BYTES]);
    }

    #[test]
    fn a_folder_in_its_place_is_told() {
        for name in [NAME, LOCK] {
            let home = tempfile::tempdir().unwrap();
            let folder = home.path().join("knotwork");
            std::fs::create_dir_all(folder.join(name)).unwrap();
            let error = Key::open_or_create(&folder).unwrap_err();
            assert!(matches!(&error, KeyError::InTheWay { .. }), "{error:?}");
            let told = error.to_string();
            assert!(told.contains(name) && told.contains("a folder"), "{told}");
            std::fs::remove_dir(folder.join(name)).unwrap();
            Key::open_or_create(&folder).unwrap();
        }
    }

    #[test]
    fn marks_are_of_one_key_one_kind_and_one_content() {
        let [one, two] = [Key::random().unwrap(), Key::random().unwrap()];
        let wrapped = one.seal("a", b"text");
        assert_eq!(one.unseal("a", &wrapped), Some(&b"text"[..]));
        assert_eq!(two.unseal("a", &wrapped), None);
        assert_eq!(one.unseal("b", &wrapped), None);
        for at in 0..wrapped.len() {
            let mut bad = wrapped.clone();
            bad[at] ^= 1;
            assert_eq!(one.unseal("a", &bad), None, "{at}");
        }
        assert_eq!(one.unseal("a", b"text"), None);
        let mark = one.mac("a", b"text");
        assert!(one.verify_mac("a", b"text", &mark) && !one.verify_mac("a", b"texts", &mark));
        assert!(!one.verify_mac("a", b"text", &mark[..16]));
    }
}
