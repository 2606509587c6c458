//! Lists a foreign folder: names and kinds, one by one, whatever their number.

use crate::file::{Folder, OpenError};
use cap_fs_ext::DirExt;
use std::ffi::OsStr;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Bytes of entries that are read at once; most folders fit.
#[cfg(target_os = "linux")]
const ENTRIES: usize = 16 * 1024;

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
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let written = to_nanoseconds(found.mtime(), found.mtime_nsec());
            let entered = to_nanoseconds(found.ctime(), found.ctime_nsec());
            Stamp::new(
                kind,
                found.len(),
                FileTimes {
                    written,
                    entered,
                    number: found.ino(),
                    links: found.nlink(),
                },
            )
        }
        #[cfg(not(unix))]
        {
            let since = |t: std::time::SystemTime| t.duration_since(std::time::UNIX_EPOCH).ok();
            let written = found.modified().ok().and_then(since);
            let written = written.map_or(0, |d| d.as_nanos().min(i64::MAX as u128) as i64);
            Stamp::new(
                kind,
                found.len(),
                FileTimes {
                    written,
                    entered: 0,
                    number: 0,
                    links: 1,
                },
            )
        }
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

#[cfg(unix)]
fn to_nanoseconds(seconds: i64, beyond: i64) -> i64 {
    let since = i128::from(seconds) * 1_000_000_000 + i128::from(beyond);
    since.clamp(0, i128::from(i64::MAX)) as i64
}

impl Folder {
    /// Opens a folder beneath this one. It must not be a link itself, and no link on the way may lead out.
    pub fn open_folder(&self, relative: impl AsRef<Path>) -> Result<Folder, OpenError> {
        let relative = relative.as_ref();
        #[cfg(target_os = "linux")]
        if let Some(dir) = self.try_open_for_listing(relative) {
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

    /// Opens a folder by a handle that can also list its entries, which saves a second open. `None` if the system
    /// refuses for any reason: the portable way then reports it.
    #[cfg(target_os = "linux")]
    fn try_open_for_listing(&self, relative: &Path) -> Option<cap_std::fs::Dir> {
        use rustix::fs::{Mode, OFlags, ResolveFlags, openat2};
        if relative.as_os_str().is_empty() {
            return None;
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let beneath = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
        let opened = openat2(&self.dir, relative, flags, Mode::empty(), beneath).ok()?;
        Some(cap_std::fs::Dir::from_std_file(opened.into()))
    }

    /// Calls `visit` with name and kind of each entry, in the order of the system, until it returns false.
    pub fn visit_entries(
        &self,
        visit: &mut dyn FnMut(&OsStr, Kind) -> bool,
    ) -> Result<(), OpenError> {
        let fail = |source| OpenError::from_io(&self.path, source);
        self.read_entries(visit).map_err(fail)
    }

    #[cfg(target_os = "linux")]
    fn read_entries(&self, visit: &mut dyn FnMut(&OsStr, Kind) -> bool) -> std::io::Result<()> {
        use rustix::fs::{Mode, OFlags, SeekFrom, openat, seek};
        // Another thread, or a caller further up, may be listing the same folder.
        if let Ok(_alone) = self.position.try_lock()
            && seek(&self.dir, SeekFrom::Start(0)).is_ok()
        {
            return self.read_entries_from(&self.dir, visit);
        }
        // The handle is for paths only, or in use.
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let again = openat(&self.dir, c".", flags, Mode::empty())?;
        self.read_entries_from(&again, visit)
    }

    /// Calls `visit` for each entry, from the handle's current position.
    #[cfg(target_os = "linux")]
    fn read_entries_from(
        &self,
        handle: impl std::os::fd::AsFd,
        visit: &mut dyn FnMut(&OsStr, Kind) -> bool,
    ) -> std::io::Result<()> {
        let mut buffer = [std::mem::MaybeUninit::uninit(); ENTRIES];
        let mut entries = rustix::fs::RawDir::new(handle.as_fd(), &mut buffer);
        while let Some(entry) = entries.next() {
            let entry = entry?;
            if !self.visit_entry(entry.file_name(), entry.file_type(), visit) {
                break;
            }
        }
        Ok(())
    }

    #[cfg(all(unix, not(target_os = "linux")))]
    fn list(&self, visit: &mut dyn FnMut(&OsStr, Kind) -> bool) -> std::io::Result<()> {
        use rustix::fs::{Dir, Mode, OFlags, openat};
        // The handle may be for paths only.
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let dir = Dir::new(openat(&self.dir, c".", flags, Mode::empty())?)?;
        for entry in dir {
            let entry = entry?;
            if !self.show(entry.file_name(), entry.file_type(), visit) {
                break;
            }
        }
        Ok(())
    }

    /// Visits one entry; returns whether to go on.
    #[cfg(unix)]
    fn visit_entry(
        &self,
        name: &std::ffi::CStr,
        kind: rustix::fs::FileType,
        visit: &mut dyn FnMut(&OsStr, Kind) -> bool,
    ) -> bool {
        use std::os::unix::ffi::OsStrExt;
        let name = name.to_bytes();
        if matches!(name, b"." | b"..") {
            return true;
        }
        let name = OsStr::from_bytes(name);
        let kind = match kind {
            // Some file systems do not report the kind.
            rustix::fs::FileType::Unknown => {
                self.stamp(name).map_or(Kind::Other, |found| found.kind)
            }
            known => entry_kind(known),
        };
        visit(name, kind)
    }

    #[cfg(not(unix))]
    fn list(&self, visit: &mut dyn FnMut(&OsStr, Kind) -> bool) -> std::io::Result<()> {
        for entry in self.dir.entries()? {
            let entry = entry?;
            let kind = entry.file_type().map_or(Kind::Other, portable_kind);
            if !visit(&entry.file_name(), kind) {
                break;
            }
        }
        Ok(())
    }

    /// Kind, size and time of an entry directly in this folder; `None` if there is no such entry.
    #[cfg(unix)]
    pub fn stamp(&self, name: &OsStr) -> Option<Stamp> {
        use rustix::fs::{AtFlags, FileType, statat};
        use std::os::unix::ffi::OsStrExt;
        if name.as_bytes().contains(&b'/') || name == ".." {
            return None;
        }
        let found = statat(&self.dir, name, AtFlags::SYMLINK_NOFOLLOW).ok()?;
        // The types of these fields differ between systems.
        #[allow(clippy::unnecessary_cast, clippy::useless_conversion)]
        let (written, entered, number, links) = (
            to_nanoseconds(found.st_mtime as i64, found.st_mtime_nsec as i64),
            to_nanoseconds(found.st_ctime as i64, found.st_ctime_nsec as i64),
            found.st_ino as u64,
            found.st_nlink as u64,
        );
        let kind = entry_kind(FileType::from_raw_mode(found.st_mode));
        let size = u64::try_from(found.st_size).unwrap_or_default();
        Some(Stamp::new(
            kind,
            size,
            FileTimes {
                written,
                entered,
                number,
                links,
            },
        ))
    }

    /// Kind, size and time of an entry directly in this folder; `None` if there is no such entry.
    #[cfg(not(unix))]
    pub fn stamp(&self, name: &OsStr) -> Option<Stamp> {
        let found = self.dir.symlink_metadata(name).ok()?;
        let written = found.modified().ok()?.into_std();
        let since = written.duration_since(std::time::UNIX_EPOCH).ok();
        let written = since.map_or(0, |since| since.as_nanos().min(i64::MAX as u128) as i64);
        let kind = portable_kind(found.file_type());
        Some(Stamp::new(
            kind,
            found.len(),
            FileTimes {
                written,
                entered: 0,
                number: 0,
                links: 1,
            },
        ))
    }
}

#[cfg(unix)]
fn entry_kind(kind: rustix::fs::FileType) -> Kind {
    match kind {
        rustix::fs::FileType::RegularFile => Kind::File,
        rustix::fs::FileType::Directory => Kind::Folder,
        rustix::fs::FileType::Symlink => Kind::Link,
        _ => Kind::Other,
    }
}

#[cfg(not(unix))]
fn portable_kind(kind: cap_std::fs::FileType) -> Kind {
    match kind {
        kind if kind.is_file() => Kind::File,
        kind if kind.is_dir() => Kind::Folder,
        kind if kind.is_symlink() => Kind::Link,
        _ => Kind::Other,
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
