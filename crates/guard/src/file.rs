//! Opens foreign files: beneath a folder held by handle, only regular files, with a size limit, without blocking.

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

/// Why a file was not opened, or not read to its end.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// There is no such file.
    #[error("{0}: no such file")]
    Missing(PathBuf),
    /// The path leads out of the folder, by `..`, as an absolute path, or by a link.
    #[error("{0}: leads outside the folder")]
    Outside(PathBuf),
    /// The path is a link, and links are not followed.
    #[error("{0}: is a symbolic link; links are not followed here")]
    Link(PathBuf),
    /// It is a folder, device, FIFO or socket.
    #[error("{0}: is not a regular file")]
    NotRegular(PathBuf),
    /// It is not a folder.
    #[error("{0}: is no folder")]
    NotFolder(PathBuf),
    /// It is larger than the limit for such files.
    #[error("{path}: larger than the limit of {limit} bytes")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The limit in bytes.
        limit: u64,
    },
    /// It is not UTF-8, and text was requested.
    #[error("{0}: is not valid UTF-8")]
    NotText(PathBuf),
    /// The system refused.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
}

impl OpenError {
    /// Whether there simply is no such file.
    pub fn is_missing(&self) -> bool {
        matches!(self, OpenError::Missing(_))
    }

    /// Whether the system is short of open files or memory. This says nothing about the file.
    pub fn is_shortage(&self) -> bool {
        let OpenError::Io { source, .. } = self else {
            return false;
        };
        platform::file::is_shortage(source)
    }

    /// The reason, without the path.
    pub fn reason(&self) -> String {
        let path = match self {
            OpenError::Missing(path)
            | OpenError::Outside(path)
            | OpenError::Link(path)
            | OpenError::NotRegular(path)
            | OpenError::NotFolder(path)
            | OpenError::NotText(path)
            | OpenError::TooLarge { path, .. }
            | OpenError::Io { path, .. } => path,
        };
        let all = self.to_string();
        let rest = all.strip_prefix(&format!("{}: ", path.display()));
        rest.map_or_else(|| all.clone(), str::to_owned)
    }

    pub(crate) fn from_io(path: &Path, source: std::io::Error) -> OpenError {
        let path = path.to_path_buf();
        match source.kind() {
            ErrorKind::NotFound | ErrorKind::NotADirectory => OpenError::Missing(path),
            _ => OpenError::Io { path, source },
        }
    }
}

/// Whether links are followed beneath a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkPolicy {
    /// Links are followed if their target also lies beneath the folder.
    Inside,
    /// A link as the last part of the path is refused. Links in folders before it are followed only if they stay
    /// beneath the folder.
    Refuse,
}

/// A folder that is held open. Paths are resolved beneath this very folder, so neither `..`, nor a link, nor a folder
/// that is swapped meanwhile leads out of it.
#[derive(Debug)]
pub struct Folder {
    pub(crate) dir: Dir,
    pub(crate) path: PathBuf,
    /// Locked while entries are read through `dir` itself: a handle has only one position. Only Linux reads so.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    pub(crate) position: Mutex<()>,
}

impl Folder {
    pub(crate) fn new(dir: Dir, path: PathBuf) -> Folder {
        Folder {
            dir,
            path,
            position: Mutex::new(()),
        }
    }

    /// Opens the folder at a path that the user chose. Links on the way to it are followed.
    pub fn open(path: &Path) -> Result<Folder, OpenError> {
        let dir = Dir::open_ambient_dir(path, ambient_authority())
            .map_err(|source| OpenError::from_io(path, source))?;
        Ok(Folder::new(dir, path.to_path_buf()))
    }

    /// Path of the folder when it was opened.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opens a regular file of at most `limit` bytes at a path relative to this folder. Never blocks.
    pub fn open_untrusted(
        &self,
        relative: impl AsRef<Path>,
        limit: u64,
        links: LinkPolicy,
    ) -> Result<File, OpenError> {
        let relative = relative.as_ref();
        let path = self.path.join(relative);
        if !platform::file::names_itself(relative) {
            return Err(OpenError::NotRegular(path));
        }
        let mut options = OpenOptions::new();
        options.read(true);
        set_nonblocking(&mut options);
        if links == LinkPolicy::Refuse {
            options.follow(FollowSymlinks::No);
        }
        let file = match self.dir.open_with(relative, &options) {
            Ok(file) => file.into_std(),
            Err(error) => return Err(self.classify_open_error(relative, error)),
        };
        check_regular_and_size(&file, &path, limit)?;
        Ok(file)
    }

    /// The bytes of a regular file of at most `limit` bytes. Links that stay beneath the folder are followed.
    pub fn read(&self, relative: impl AsRef<Path>, limit: u64) -> Result<Vec<u8>, OpenError> {
        self.read_with(relative, limit, LinkPolicy::Inside)
    }

    /// Like [`Folder::read`], with a choice of which links are followed.
    pub fn read_with(
        &self,
        relative: impl AsRef<Path>,
        limit: u64,
        links: LinkPolicy,
    ) -> Result<Vec<u8>, OpenError> {
        let relative = relative.as_ref();
        let file = self.open_untrusted(relative, limit, links)?;
        read_open_file(file, &self.path.join(relative), limit)
    }

    /// The first bytes of a regular file of any size, `most` at most. A file that is a link itself is not read.
    pub fn read_start(&self, relative: impl AsRef<Path>, most: u64) -> Result<Vec<u8>, OpenError> {
        let relative = relative.as_ref();
        let file = self.open_untrusted(relative, u64::MAX, LinkPolicy::Refuse)?;
        let mut bytes = Vec::new();
        let read = file.take(most).read_to_end(&mut bytes);
        read.map_err(|source| OpenError::from_io(&self.path.join(relative), source))?;
        Ok(bytes)
    }

    /// Like [`Folder::read`], as text.
    pub fn read_text(&self, relative: impl AsRef<Path>, limit: u64) -> Result<String, OpenError> {
        let relative = relative.as_ref();
        let bytes = self.read(relative, limit)?;
        String::from_utf8(bytes).map_err(|_| OpenError::NotText(self.path.join(relative)))
    }

    /// Metadata of an entry. For a link, its own metadata, not that of its target.
    pub fn entry_metadata(
        &self,
        relative: impl AsRef<Path>,
    ) -> Result<cap_std::fs::Metadata, OpenError> {
        let relative = relative.as_ref();
        let found = self.dir.symlink_metadata(relative);
        found.map_err(|error| self.classify_open_error(relative, error))
    }

    /// Whether a path leads to a regular file beneath the folder.
    pub fn has_file(&self, relative: impl AsRef<Path>) -> bool {
        let relative = relative.as_ref();
        let found = self.dir.metadata(relative);
        platform::file::names_itself(relative) && found.is_ok_and(|found| found.is_file())
    }

    /// Why a file could not be opened, as an error of this crate.
    pub(crate) fn classify_open_error(&self, relative: &Path, error: std::io::Error) -> OpenError {
        let path = self.path.join(relative);
        let entry = self.dir.symlink_metadata(relative).ok();
        let kind = entry.as_ref().map(cap_std::fs::Metadata::file_type);
        match (error.kind(), kind) {
            (ErrorKind::NotFound | ErrorKind::NotADirectory, None) => OpenError::Missing(path),
            // A link without a target counts as a missing file.
            (ErrorKind::NotFound, Some(kind)) if kind.is_symlink() => OpenError::Missing(path),
            // The libraries return `PermissionDenied` without a system error number if a path leads outside.
            (ErrorKind::PermissionDenied, _) if error.raw_os_error().is_none() => {
                OpenError::Outside(path)
            }
            (_, Some(kind)) if kind.is_symlink() => OpenError::Link(path),
            (_, Some(kind)) if !kind.is_file() => OpenError::NotRegular(path),
            _ => OpenError::from_io(&path, error),
        }
    }
}

/// Opens a regular file of at most `limit` bytes at a path that the user named. Links are followed: the user may name any path.
/// Never blocks.
pub fn open_user_file(path: &Path, limit: u64) -> Result<File, OpenError> {
    let mut options = std::fs::OpenOptions::new();
    options.read(true);
    platform::file::set_nonblocking(&mut options);
    let file = options
        .open(path)
        .map_err(|source| OpenError::from_io(path, source))?;
    check_regular_and_size(&file, path, limit)?;
    Ok(file)
}

/// The bytes of a file that the user named.
pub fn read_user_file(path: &Path, limit: u64) -> Result<Vec<u8>, OpenError> {
    read_open_file(open_user_file(path, limit)?, path, limit)
}

/// Like [`read_user_file`], as text.
pub fn read_user_text(path: &Path, limit: u64) -> Result<String, OpenError> {
    let bytes = read_user_file(path, limit)?;
    String::from_utf8(bytes).map_err(|_| OpenError::NotText(path.to_path_buf()))
}

fn set_nonblocking(options: &mut OpenOptions) {
    use cap_std::fs::OpenOptionsExt;
    options.custom_flags(platform::file::NONBLOCKING);
}

fn check_regular_and_size(file: &File, path: &Path, limit: u64) -> Result<Metadata, OpenError> {
    let found = file
        .metadata()
        .map_err(|source| OpenError::from_io(path, source))?;
    if !found.is_file() {
        return Err(OpenError::NotRegular(path.to_path_buf()));
    }
    if found.len() > limit {
        return Err(too_large_error(path, limit));
    }
    Ok(found)
}

fn too_large_error(path: &Path, limit: u64) -> OpenError {
    OpenError::TooLarge {
        path: path.to_path_buf(),
        limit,
    }
}

/// Reads to the end, up to the limit even if the file grows meanwhile.
pub(crate) fn read_open_file(file: File, path: &Path, limit: u64) -> Result<Vec<u8>, OpenError> {
    let expected = file.metadata().map_or(0, |found| found.len().min(limit));
    let mut bytes = Vec::with_capacity(expected as usize + 1);
    let read = file.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|source| OpenError::from_io(path, source))?;
    if bytes.len() as u64 > limit {
        return Err(too_large_error(path, limit));
    }
    Ok(bytes)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn folder() -> (tempfile::TempDir, Folder) {
        let outer = tempfile::tempdir().unwrap();
        std::fs::write(outer.path().join("secret"), "outside").unwrap();
        let root = outer.path().join("project");
        std::fs::create_dir_all(root.join("sub")).unwrap();
        std::fs::write(root.join("sub/a.txt"), "inside").unwrap();
        let folder = Folder::open(&root).unwrap();
        (outer, folder)
    }

    #[test]
    fn files_beneath_are_read() {
        let (_outer, folder) = folder();
        assert_eq!(folder.read("sub/a.txt", 100).unwrap(), b"inside");
        assert_eq!(folder.read_text("sub/../sub/a.txt", 6).unwrap(), "inside");
        assert!(folder.has_file("sub/a.txt") && !folder.has_file("sub"));
        assert!(folder.read("sub/b.txt", 100).unwrap_err().is_missing());
        assert!(folder.read("sub/a.txt/b", 100).unwrap_err().is_missing());
    }

    #[test]
    fn nothing_leads_out() {
        let (outer, folder) = folder();
        let root = folder.path().to_path_buf();
        symlink("../secret", root.join("up")).unwrap();
        symlink(outer.path().join("secret"), root.join("absolute")).unwrap();
        symlink("..", root.join("parent")).unwrap();
        let secret = outer.path().join("secret");
        let secret = secret.to_str().unwrap();
        for path in ["../secret", secret, "up", "absolute", "parent/secret"] {
            let error = folder.read(path, 100).unwrap_err();
            assert!(matches!(error, OpenError::Outside(_)), "{path}: {error}");
            assert!(!folder.has_file(path), "{path}");
        }
    }

    #[test]
    fn links_inside_are_followed_where_they_may_be() {
        let (_outer, folder) = folder();
        symlink("sub/a.txt", folder.path().join("link")).unwrap();
        symlink("nowhere", folder.path().join("dangling")).unwrap();
        assert_eq!(folder.read("link", 100).unwrap(), b"inside");
        let refused = folder.open_untrusted("link", 100, LinkPolicy::Refuse);
        assert!(matches!(refused, Err(OpenError::Link(_))));
        assert!(folder.read("dangling", 100).unwrap_err().is_missing());
    }

    #[test]
    fn what_is_no_regular_file_neither_blocks_nor_is_read() {
        let (_outer, folder) = folder();
        let fifo = folder.path().join("fifo");
        let mode = rustix::fs::Mode::from_raw_mode(0o600);
        rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        symlink("/dev/zero", folder.path().join("zero")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(folder.path().join("sock")).unwrap();
        for path in ["fifo", "sub", "sock"] {
            let error = folder.read(path, 100).unwrap_err();
            assert!(matches!(error, OpenError::NotRegular(_)), "{path}: {error}");
        }
        assert!(matches!(
            folder.read("zero", 100),
            Err(OpenError::Outside(_))
        ));
        for path in [fifo.as_path(), Path::new("/dev/zero"), folder.path()] {
            let error = read_user_file(path, 100).unwrap_err();
            assert!(matches!(error, OpenError::NotRegular(_)), "{error}");
        }
    }

    #[test]
    fn sizes_are_bounded() {
        let (_outer, folder) = folder();
        assert!(matches!(
            folder.read("sub/a.txt", 5),
            Err(OpenError::TooLarge { limit: 5, .. })
        ));
        // Files of the kernel report that they are empty.
        assert!(matches!(
            read_user_file(Path::new("/proc/self/maps"), 10),
            Err(OpenError::TooLarge { .. })
        ));
    }
}
