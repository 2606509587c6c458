//! Lists a foreign folder: names and kinds, one by one, whatever their number.

use crate::file::{Folder, OpenError};
use cap_fs_ext::DirExt;
use std::ffi::OsStr;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

#[cfg(unix)]
#[path = "list/unix.rs"]
mod system;

#[cfg(windows)]
#[path = "list/windows.rs"]
mod system;

/// Kind of an entry. A link is a link, whatever its target is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link.
    Link,
    /// A device, FIFO or socket.
    Other,
}

/// Size and times of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Kind.
    pub kind: Kind,
    /// Bytes.
    pub size: u64,
    /// Time of the last change of content, nanoseconds since 1970; 0 before that.
    pub mtime_ns: i64,
    /// The later of the times at which content and entry changed. A program cannot set it back.
    pub touched_ns: i64,
    /// Hash of both times and the file's number. It differs for a file that was replaced, or whose time was set back,
    /// as in git with `core.checkStat` and `core.trustctime`. A file that changed just now on a file system with coarse
    /// times gets another hash each time, since a further change may have the same times.
    pub stat: i64,
    /// Number of names (hard links) of the file. Through a name elsewhere it can be changed without a notice to the
    /// watcher of this folder.
    pub links: u64,
}

/// Metadata that changes with a file, other than its size.
struct FileTimes {
    written: i64,
    /// When its entry changed.
    entered: i64,
    /// The file's number.
    number: u64,
    /// Number of its hard links.
    links: u64,
}

/// The coarsest clock of a file system in use, FAT's, in nanoseconds.
const COARSEST: i64 = 2_000_000_000;

impl FileTimes {
    /// Whether a change after `now` may leave the same times: the file's times are whole seconds, and that second has
    /// not passed yet. Git calls such an entry racy.
    fn may_hide_change(&self, now: i64) -> bool {
        // A program cannot set the entry's time. If it is unknown, the time of the content is used.
        let changed = if self.entered == 0 {
            self.written
        } else {
            self.entered
        };
        changed % 1_000_000_000 == 0 && (now - changed).abs() <= COARSEST
    }
}

impl Stamp {
    /// The stamp from a file's metadata. A link that was not followed has the kind of a link.
    pub fn from_metadata(found: &std::fs::Metadata) -> Stamp {
        let kind = match found.file_type() {
            kind if kind.is_file() => Kind::File,
            kind if kind.is_dir() => Kind::Folder,
            kind if kind.is_symlink() => Kind::Link,
            _ => Kind::Other,
        };
        Stamp::new(kind, found.len(), system::times(found))
    }

    /// Whether it is a regular file.
    pub fn is_file(&self) -> bool {
        self.kind == Kind::File
    }

    fn new(kind: Kind, size: u64, times: FileTimes) -> Stamp {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |now| now.as_nanos().min(i64::MAX as u128) as i64);
        Stamp::seen_at(now, kind, size, times)
    }

    /// The stamp of a file as seen at `now`, nanoseconds since 1970.
    fn seen_at(now: i64, kind: Kind, size: u64, times: FileTimes) -> Stamp {
        let is_racy = times.may_hide_change(now);
        let FileTimes {
            written,
            entered,
            number,
            links,
        } = times;
        let mut parts = [0; 32];
        parts[..8].copy_from_slice(&written.to_le_bytes());
        parts[8..16].copy_from_slice(&entered.to_le_bytes());
        parts[16..24].copy_from_slice(&number.to_le_bytes());
        parts[24..].copy_from_slice(&now.to_le_bytes());
        let parts = if is_racy { &parts[..] } else { &parts[..24] };
        let mut first = [0; 8];
        first.copy_from_slice(&blake3::hash(parts).as_bytes()[..8]);
        Stamp {
            kind,
            size,
            mtime_ns: written,
            touched_ns: written.max(entered),
            stat: i64::from_le_bytes(first),
            links,
        }
    }
}

impl Folder {
    /// Opens a folder beneath this one. It must not be a link itself, and no link on the way may lead out.
    pub fn open_folder(&self, relative: impl AsRef<Path>) -> Result<Folder, OpenError> {
        let relative = relative.as_ref();
        if !platform::file::names_itself(relative) {
            return Err(OpenError::NotFolder(self.path.join(relative)));
        }
        if let Some(dir) = system::try_open_for_listing(self, relative) {
            return Ok(Folder::new(dir, self.path.join(relative)));
        }
        let opened = if relative.as_os_str().is_empty() {
            self.dir.try_clone()
        } else {
            self.dir.open_dir_nofollow(relative)
        };
        let dir = opened.map_err(|error| match error.kind() {
            std::io::ErrorKind::NotADirectory => OpenError::NotFolder(self.path.join(relative)),
            _ => self.classify_open_error(relative, error),
        })?;
        Ok(Folder::new(dir, self.path.join(relative)))
    }

    /// Calls `visit` with name and kind of each entry, in the order of the system, until it returns false.
    pub fn visit_entries(
        &self,
        visit: &mut dyn FnMut(&OsStr, Kind) -> bool,
    ) -> Result<(), OpenError> {
        let fail = |source| OpenError::from_io(&self.path, source);
        system::read_entries(self, visit).map_err(fail)
    }

    /// Kind, size and time of an entry directly in this folder; `None` if there is no such entry.
    pub fn stamp(&self, name: &OsStr) -> Option<Stamp> {
        system::stamp(self, name)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{MetadataExt, symlink};

    #[test]
    fn entries_have_their_own_kind() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("project");
        std::fs::create_dir_all(root.join("sub/deep")).unwrap();
        std::fs::write(root.join("sub/a.txt"), "inside").unwrap();
        symlink("a.txt", root.join("sub/link")).unwrap();
        symlink("/", root.join("sub/out")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(root.join("sub/sock")).unwrap();
        let folder = Folder::open(&root).unwrap();
        let sub = folder.open_folder("sub").unwrap();
        let mut found = Vec::new();
        let mut visit = |name: &OsStr, kind| {
            found.push((name.to_str().unwrap().to_owned(), kind));
            true
        };
        sub.visit_entries(&mut visit).unwrap();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        let expected = [
            ("a.txt", Kind::File),
            ("deep", Kind::Folder),
            ("link", Kind::Link),
            ("out", Kind::Link),
            ("sock", Kind::Other),
        ];
        assert_eq!(found, expected.map(|(name, kind)| (name.to_owned(), kind)));
        let stamp = sub.stamp(OsStr::new("a.txt")).unwrap();
        let meta = root.join("sub/a.txt").metadata().unwrap();
        let since = meta.mtime() * 1_000_000_000 + meta.mtime_nsec();
        assert_eq!(
            (stamp.kind, stamp.size, stamp.mtime_ns),
            (Kind::File, 6, since)
        );
        assert_eq!(stamp, Stamp::from_metadata(&meta));
        assert_eq!(sub.stamp(OsStr::new("link")).unwrap().kind, Kind::Link);
        assert_eq!(sub.stamp(OsStr::new("..")), None);
        assert_eq!(sub.stamp(OsStr::new("deep/x")), None);
    }

    #[test]
    fn whole_seconds_are_believed_when_they_are_over() {
        let second = 1_000_000_000;
        let stat = |now: i64, changed: i64| {
            let times = FileTimes {
                written: changed,
                entered: changed,
                number: 7,
                links: 1,
            };
            Stamp::seen_at(now, Kind::File, 3, times).stat
        };
        let at = 1_700_000_000 * second;
        assert_ne!(
            stat(at + 5, at),
            stat(at + 6, at),
            "another change may follow"
        );
        assert_ne!(stat(at + 5, at), stat(at + 3 * second, at));
        assert_eq!(stat(at + 3 * second, at), stat(at + 9 * second, at));
        // With a fine clock, the next change shows by itself.
        assert_eq!(stat(at + 5, at + 1), stat(at + 6, at + 1));
    }

    #[test]
    fn a_time_that_was_set_back_does_not_hide_a_change() {
        let outer = tempfile::tempdir().unwrap();
        let path = outer.path().join("a.txt");
        std::fs::write(&path, "one").unwrap();
        let before = path.metadata().unwrap();
        let set_back = |path: &Path| {
            // One tick of the file system's clock.
            std::thread::sleep(std::time::Duration::from_millis(20));
            let file = std::fs::File::options().write(true).open(path).unwrap();
            file.set_modified(before.modified().unwrap()).unwrap();
            Stamp::from_metadata(&path.metadata().unwrap())
        };
        let old = Stamp::from_metadata(&before);
        std::fs::write(&path, "two").unwrap();
        let written = set_back(&path);
        assert_eq!((written.size, written.mtime_ns), (old.size, old.mtime_ns));
        assert_ne!(written.stat, old.stat);
        let other = outer.path().join("b.txt");
        std::fs::write(&other, "six").unwrap();
        set_back(&other);
        std::fs::rename(&other, &path).unwrap();
        let replaced = Stamp::from_metadata(&path.metadata().unwrap());
        assert_eq!((replaced.size, replaced.mtime_ns), (old.size, old.mtime_ns));
        assert!(replaced.stat != old.stat && replaced.stat != written.stat);
    }

    #[test]
    fn folders_are_not_reached_through_links() {
        let outer = tempfile::tempdir().unwrap();
        let root = outer.path().join("project");
        std::fs::create_dir_all(root.join("sub")).unwrap();
        std::fs::create_dir_all(outer.path().join("other")).unwrap();
        symlink("../other", root.join("out")).unwrap();
        symlink("sub", root.join("in")).unwrap();
        std::fs::write(root.join("file"), "").unwrap();
        let folder = Folder::open(&root).unwrap();
        for path in ["out", "in", "..", "/", "file", "gone"] {
            assert!(folder.open_folder(path).is_err(), "{path}");
        }
        assert!(folder.open_folder("").is_ok() && folder.open_folder("sub").is_ok());
    }
}
