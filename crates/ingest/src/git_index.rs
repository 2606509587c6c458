//! Reads git's index (versions 2, 3 and 4): what is staged, and which paths git tracks.

use std::fs::Metadata;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

/// Most bytes of an index: a million files take about a tenth of that.
const MOST_BYTES: u64 = 512 << 20;
/// Most bytes of all its paths: enough for a million files. In version 4 a path is stored as the difference from the
/// previous one, so a small index may expand to many paths.
const MOST_PATHS: usize = 64 << 20;
/// Most bytes of one path.
const MOST_PATH: usize = 4_096;
/// Bytes that are read at a time.
const BUFFER: usize = 1 << 16;
/// Bytes of an object's id in most repositories.
pub(crate) const SHA1: usize = 20;
/// Bytes of an object's id where the repository says so.
pub(crate) const SHA256: usize = 32;

/// An entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) id: gix::ObjectId,
    seconds: u32,
    nanos: u32,
    size: u32,
    /// When the entry changed, and its inode number; 0 from programs that write neither.
    changed: u32,
    number: u32,
}

impl Entry {
    /// Whether the file has the size and times that the staged file had.
    pub(crate) fn matches_file(&self, about: &Metadata) -> bool {
        let since = about.modified().ok();
        let since = since.and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok());
        // Git writes 0 as the size of a file that it could not be sure of.
        since.is_some_and(|since| {
            self.size > 0
                && about.len() as u32 == self.size
                && since.as_secs() as u32 == self.seconds
                && (self.nanos == 0 || since.subsec_nanos() == self.nanos)
                && self.matches_ctime_and_inode(about)
        })
    }

    /// A replaced file may have the same size and time of change.
    fn matches_ctime_and_inode(&self, about: &Metadata) -> bool {
        platform::file::change_and_number(about).is_none_or(|(changed, number)| {
            (self.changed == 0 || changed as u32 == self.changed)
                && (self.number == 0 || number as u32 == self.number)
        })
    }
}

/// Paths with their entries. A missing index is empty; `None` if it cannot be read.
pub(crate) fn read_index(file: &Path) -> Option<Vec<(String, Entry)>> {
    match guard::file::open_user_file(file, MOST_BYTES) {
        Ok(file) => parse_index(&mut BufReader::with_capacity(BUFFER, file)),
        Err(error) if error.is_missing() => Some(Vec::new()),
        Err(_) => None,
    }
}

fn parse_index(from: &mut dyn BufRead) -> Option<Vec<(String, Entry)>> {
    let mut all = Vec::new();
    visit_entries(from, SHA1, &mut |stored| {
        let entry = Entry {
            changed: stored.number(0)?,
            seconds: stored.number(8)?,
            nanos: stored.number(12)?,
            number: stored.number(20)?,
            size: stored.number(36)?,
            id: gix::ObjectId::try_from(stored.fixed.get(40..60)?).ok()?,
        };
        // Only entries without a conflict.
        if stored.flags & 0x3000 == 0 {
            all.push((String::from_utf8_lossy(stored.path).into_owned(), entry));
        }
        Some(())
    })?;
    Some(all)
}

/// The paths of an index, sorted by their bytes: what git tracks.
#[derive(Debug, Default)]
pub(crate) struct TrackedPaths {
    /// All paths, one after the other.
    bytes: Vec<u8>,
    /// Where each path ends.
    ends: Vec<u32>,
    /// Positions of the paths that are repositories of their own (submodules).
    repositories: Vec<u32>,
}

/// What git tracks at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tracked {
    /// Nothing.
    Nothing,
    /// The file at this path.
    File,
    /// Files in the folder at this path.
    Inside,
    /// The repository at this path, a submodule.
    Repository,
}

impl TrackedPaths {
    /// Reads the paths of an index whose object ids have that many bytes. A missing index is empty; `None` if it cannot
    /// be read.
    pub(crate) fn read(file: &Path, id_bytes: usize) -> Option<TrackedPaths> {
        match guard::file::open_user_file(file, MOST_BYTES) {
            Ok(file) => TrackedPaths::parse(&mut BufReader::with_capacity(BUFFER, file), id_bytes),
            Err(error) if error.is_missing() => Some(TrackedPaths::default()),
            Err(_) => None,
        }
    }

    fn parse(from: &mut dyn BufRead, id_bytes: usize) -> Option<TrackedPaths> {
        let mut paths = TrackedPaths::default();
        visit_entries(from, id_bytes, &mut |stored| {
            // The upper four bits of the mode are the kind; this one is a commit of another repository.
            if stored.number(24)? & 0xf000 == 0xe000 {
                paths.repositories.push(paths.ends.len() as u32);
            }
            paths.bytes.extend_from_slice(stored.path);
            paths.ends.push(paths.bytes.len() as u32);
            Some(())
        })?;
        Some(paths)
    }

    /// What is tracked at a path from the top of the repository, with `/`.
    pub(crate) fn at(&self, path: &[u8]) -> Tracked {
        let at = self.position(path);
        if self.path(at) == Some(path) {
            let is_repository = self.repositories.binary_search(&(at as u32)).is_ok();
            return if is_repository {
                Tracked::Repository
            } else {
                Tracked::File
            };
        }
        let mut inside = path.to_vec();
        inside.push(b'/');
        let next = self.path(self.position(&inside));
        if next.is_some_and(|next| next.starts_with(&inside)) {
            Tracked::Inside
        } else {
            Tracked::Nothing
        }
    }

    /// All paths.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.ends.len()).filter_map(|at| self.path(at))
    }

    /// Number of paths before that one.
    fn position(&self, path: &[u8]) -> usize {
        let (mut from, mut to) = (0, self.ends.len());
        while from < to {
            let middle = from + (to - from) / 2;
            if self.path(middle).is_some_and(|at| at < path) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        from
    }

    fn path(&self, at: usize) -> Option<&[u8]> {
        let end = *self.ends.get(at)?;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        self.bytes.get(start as usize..end as usize)
    }
}

/// An entry as it is stored.
struct Stored<'e> {
    /// All before the flags.
    fixed: &'e [u8],
    flags: u16,
    path: &'e [u8],
}

impl Stored<'_> {
    fn number(&self, at: usize) -> Option<u32> {
        big_endian(self.fixed, at)
    }
}

fn big_endian(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// Reads entry by entry, and keeps only one. `None` if it is no index, or `visit` returns `None`.
fn visit_entries(
    from: &mut dyn BufRead,
    id_bytes: usize,
    visit: &mut dyn FnMut(&Stored<'_>) -> Option<()>,
) -> Option<()> {
    let mut header = [0; 12];
    from.read_exact(&mut header).ok()?;
    let (version, count) = (big_endian(&header, 4)?, big_endian(&header, 8)?);
    if header[..4] != *b"DIRC" || !(2..=4).contains(&version) {
        return None;
    }
    let mut fixed = vec![0; 40 + id_bytes];
    let (mut path, mut paths) = (Vec::new(), 0);
    for _ in 0..count {
        from.read_exact(&mut fixed).ok()?;
        let flags = u16::from_be_bytes(read_bytes(from)?);
        let mut size = fixed.len() + 2;
        if flags & 0x4000 != 0 {
            let _: [u8; 2] = read_bytes(from)?;
            size += 2;
        }
        if version == 4 {
            let cut = read_offset_varint(from)?;
            path.truncate(path.len().checked_sub(cut)?);
        } else {
            path.clear();
        }
        let room = (MOST_PATH + 2).checked_sub(path.len())?;
        Read::take(&mut *from, room as u64)
            .read_until(0, &mut path)
            .ok()?;
        if path.pop() != Some(0) || path.len() > MOST_PATH {
            return None;
        }
        paths += path.len();
        if paths > MOST_PATHS {
            return None;
        }
        if version < 4 {
            // Padded with 1 to 8 zeros, of which one is read.
            let padding = 7 - (size + path.len()) % 8;
            from.read_exact(&mut [0; 8][..padding]).ok()?;
        }
        let path = path.as_slice();
        visit(&Stored {
            fixed: &fixed,
            flags,
            path,
        })?;
    }
    Some(())
}

fn read_bytes<const N: usize>(from: &mut dyn BufRead) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    from.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

/// Git's offset numbers: seven bits per byte, one added for each further byte.
fn read_offset_varint(from: &mut dyn BufRead) -> Option<usize> {
    let [mut byte] = read_bytes(from)?;
    let mut value = usize::from(byte & 127);
    while byte & 128 != 0 {
        [byte] = read_bytes(from)?;
        value = (value.checked_add(1)?).checked_mul(128)? + usize::from(byte & 127);
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_index(mut bytes: &[u8]) -> Option<Vec<(String, Entry)>> {
        super::parse_index(&mut bytes)
    }

    /// An index of version 2, as git writes it.
    fn written(id_bytes: usize, paths: &[(&str, u32)]) -> Vec<u8> {
        let mut all = b"DIRC\0\0\0\x02".to_vec();
        all.extend((paths.len() as u32).to_be_bytes());
        for (path, mode) in paths {
            let start = all.len();
            all.extend([0; 24]);
            all.extend(mode.to_be_bytes());
            all.extend([0; 12]);
            all.extend(vec![7; id_bytes]);
            all.extend((path.len() as u16).to_be_bytes());
            all.extend(path.as_bytes());
            let size = all.len() - start;
            all.extend(vec![0; 8 - size % 8]);
        }
        all
    }

    #[test]
    fn what_is_tracked_is_found_by_path() {
        let paths = [
            ("a-b/x", 0o100644),
            ("a/b/c.py", 0o100644),
            ("a/d.py", 0o100644),
            ("ab", 0o100755),
            ("sub", 0o160000),
        ];
        for id_bytes in [SHA1, SHA256] {
            let index = written(id_bytes, &paths);
            let tracked = TrackedPaths::parse(&mut index.as_slice(), id_bytes).unwrap();
            assert!(tracked.iter().eq(paths.map(|(path, _)| path.as_bytes())));
            for (path, expected) in [
                ("a", Tracked::Inside),
                ("a/b", Tracked::Inside),
                ("a/b/c.py", Tracked::File),
                ("a/b/c", Tracked::Nothing),
                ("a-b", Tracked::Inside),
                ("ab", Tracked::File),
                ("ab/c", Tracked::Nothing),
                ("b", Tracked::Nothing),
                ("", Tracked::Nothing),
                ("sub", Tracked::Repository),
                ("sub/a.py", Tracked::Nothing),
                ("z", Tracked::Nothing),
            ] {
                assert_eq!(tracked.at(path.as_bytes()), expected, "{path}");
            }
        }
        assert!(TrackedPaths::parse(&mut &b"DIRC\0\0\0\x02\0\0\0\x01abc"[..], SHA1).is_none());
    }

    #[test]
    fn what_is_no_index_is_none() {
        for bytes in [
            &b""[..],
            b"DIRC",
            b"DIRC\0\0\0\x09\0\0\0\0",
            b"DIRC\0\0\0\x02\0\0\0\x01abc",
        ] {
            assert_eq!(parse_index(bytes), None, "{bytes:?}");
        }
        assert_eq!(parse_index(b"DIRC\0\0\0\x02\0\0\0\0"), Some(Vec::new()));
        // Paths that grow with each entry.
        let mut growing = b"DIRC\0\0\0\x04\0\0\x13\x88".to_vec();
        for _ in 0..5_000 {
            growing.extend([0; 62]);
            growing.extend(b"\0a\0");
        }
        assert_eq!(parse_index(&growing), None);
        // Long paths that differ only at their ends.
        let mut shared = b"DIRC\0\0\0\x04\0\0\xea\x60".to_vec();
        for n in 0..60_000 {
            shared.extend([0; 62]);
            let first = if n == 0 {
                "d".repeat(4_000)
            } else {
                String::new()
            };
            let cut = if n == 0 { 0 } else { 7 };
            shared.push(cut);
            shared.extend(format!("{first}{n:07}\0").into_bytes());
        }
        assert_eq!(parse_index(&shared), None);
    }
}
