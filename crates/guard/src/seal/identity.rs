//! The identity of a file and the time of its last change: data that a copy, a clone or an archive cannot preserve.

use std::fmt;
use std::fs::Metadata;
use std::io::ErrorKind;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// A regular file at one moment. Only the system can set the number and the times of birth and change, so a shipped
/// file never has the same ones. Moving a folder within a disk keeps them; everything else that touches a file does
/// not.
///
/// Device numbers are left out: they change when a disk is mounted again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Identity {
    number: u64,
    born: u128,
    changed: u128,
    written: u128,
    size: u64,
}

impl Identity {
    /// Identity of the file at that path, which must not be a link; `None` if there is none.
    pub fn from_path(path: &Path) -> std::io::Result<Option<Identity>> {
        match path.symlink_metadata() {
            Ok(found) if found.is_file() => Identity::new(path, &found),
            Ok(_) => Err(std::io::Error::new(
                ErrorKind::InvalidInput,
                "is a link or no regular file",
            )),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn new(path: &Path, found: &Metadata) -> std::io::Result<Option<Identity>> {
        let details = match platform::file::details(path) {
            Ok(details) => details,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(Some(Identity {
            number: details.number,
            born: details.born_ns,
            changed: details.changed_ns,
            written: found.modified().map_or(0, nanos_since_epoch),
            size: found.len(),
        }))
    }

    /// Whether it is the same file, even if its content changed.
    pub fn is_same_file(&self, other: &Identity) -> bool {
        (self.number, self.born) == (other.number, other.born)
    }

    /// Whether it is the same file with the same content, even if its owner or rights changed.
    pub fn has_same_content(&self, other: &Identity) -> bool {
        self.is_same_file(other) && (self.written, self.size) == (other.written, other.size)
    }

    /// Its size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Parses the form that [`fmt::Display`] writes.
    pub fn parse(text: &str) -> Option<Identity> {
        let mut parts = text.split(':');
        let mut next = || u128::from_str_radix(parts.next()?, 16).ok();
        let (number, born) = (next()?, next()?);
        let (changed, written, size) = (next()?, next()?, next()?);
        parts.next().is_none().then_some(Identity {
            number: number.try_into().ok()?,
            born,
            changed,
            written,
            size: size.try_into().ok()?,
        })
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Identity {
            number,
            born,
            changed,
            written,
            size,
        } = self;
        write!(f, "{number:x}:{born:x}:{changed:x}:{written:x}:{size:x}")
    }
}

fn nanos_since_epoch(time: SystemTime) -> u128 {
    time.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_copy_is_another_file_and_a_moved_folder_keeps_its_files() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("a");
        std::fs::create_dir(&folder).unwrap();
        let file = folder.join("file");
        std::fs::write(&file, "text").unwrap();
        let before = Identity::from_path(&file).unwrap().unwrap();
        assert_eq!(Identity::parse(&before.to_string()), Some(before));
        let copy = folder.join("copy");
        std::fs::copy(&file, &copy).unwrap();
        let copied = Identity::from_path(&copy).unwrap().unwrap();
        assert!(!copied.is_same_file(&before));
        let moved = outer.path().join("b");
        std::fs::rename(&folder, &moved).unwrap();
        assert_eq!(
            Identity::from_path(&moved.join("file")).unwrap(),
            Some(before)
        );
        assert_eq!(Identity::from_path(&file).unwrap(), None);
    }

    #[test]
    fn what_was_written_since_shows_whatever_its_time_says() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "text").unwrap();
        let before = Identity::from_path(&file).unwrap().unwrap();
        let modified = file.metadata().unwrap().modified().unwrap();
        std::thread::sleep(Duration::from_millis(20));
        std::fs::write(&file, "tixt").unwrap();
        let opened = std::fs::File::options().write(true).open(&file).unwrap();
        opened.set_modified(modified).unwrap();
        let after = Identity::from_path(&file).unwrap().unwrap();
        assert!(after.is_same_file(&before));
        assert_ne!(after, before);
        assert_eq!(after.size(), before.size());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_has_none() {
        let folder = tempfile::tempdir().unwrap();
        let link = folder.path().join("link");
        std::os::unix::fs::symlink("/etc/passwd", &link).unwrap();
        assert!(Identity::from_path(&link).is_err());
        assert!(Identity::from_path(folder.path()).is_err());
    }

    #[test]
    fn what_is_no_identity_is_not_read() {
        for text in [
            "",
            "1:2:3",
            "1:2:3:4:5:6",
            "x:1:1:1:1",
            "1:1:1:1:ffffffffffffffffff",
        ] {
            assert_eq!(Identity::parse(text), None, "{text}");
        }
    }
}
