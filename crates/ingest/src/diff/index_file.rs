//! Reads git's index (versions 2, 3 and 4), as far as a comparison needs it.

use std::fs::Metadata;
use std::path::Path;

/// Most bytes of an index: a million files take about a tenth of that.
const MOST_BYTES: u64 = 512 << 20;
/// Most bytes of all its paths: enough for a million files. In version 4 a path is stored as the difference from the
/// previous one, so a small index may expand to many paths.
const MOST_PATHS: usize = 64 << 20;
/// Most bytes of one path.
const MOST_PATH: usize = 4_096;

/// An entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub id: gix::ObjectId,
    seconds: u32,
    nanos: u32,
    size: u32,
    /// When the entry changed, and its inode number; 0 from programs that write neither.
    changed: u32,
    number: u32,
}

impl Entry {
    /// Whether the file has the size and times that the staged file had.
    pub(super) fn matches_file(&self, about: &Metadata) -> bool {
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
    #[cfg(unix)]
    fn matches_ctime_and_inode(&self, about: &Metadata) -> bool {
        use std::os::unix::fs::MetadataExt;
        (self.changed == 0 || about.ctime() as u32 == self.changed)
            && (self.number == 0 || about.ino() as u32 == self.number)
    }

    #[cfg(not(unix))]
    fn is_same(&self, _about: &Metadata) -> bool {
        true
    }
}

/// Paths with their entries. A missing index is empty; `None` if it cannot be read.
pub(super) fn read_index(file: &Path) -> Option<Vec<(String, Entry)>> {
    match guard::read_user_file(file, MOST_BYTES) {
        Ok(bytes) => parse_index(&bytes),
        Err(error) if error.is_missing() => Some(Vec::new()),
        Err(_) => None,
    }
}

fn parse_index(bytes: &[u8]) -> Option<Vec<(String, Entry)>> {
    let number = |at: usize| -> Option<u32> {
        Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
    };
    if bytes.get(..4)? != b"DIRC" {
        return None;
    }
    let (version, count) = (number(4)?, number(8)?);
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut at = 12;
    let mut before: Vec<u8> = Vec::new();
    let (mut all, mut paths) = (Vec::new(), 0);
    for _ in 0..count {
        let start = at;
        let entry = Entry {
            changed: number(at)?,
            seconds: number(at + 8)?,
            nanos: number(at + 12)?,
            number: number(at + 20)?,
            size: number(at + 36)?,
            id: gix::ObjectId::try_from(bytes.get(at + 40..at + 60)?).ok()?,
        };
        let flags = u16::from_be_bytes(bytes.get(at + 60..at + 62)?.try_into().ok()?);
        at += if flags & 0x4000 != 0 { 64 } else { 62 };
        if version == 4 {
            let cut = read_offset_varint(bytes, &mut at)?;
            before.truncate(before.len().checked_sub(cut)?);
        } else {
            before.clear();
        }
        let end = at + bytes.get(at..)?.iter().position(|b| *b == 0)?;
        before.extend_from_slice(&bytes[at..end]);
        paths += before.len();
        if before.len() > MOST_PATH || paths > MOST_PATHS {
            return None;
        }
        at = match version {
            4 => end + 1,
            // Padded with 1 to 8 zeros.
            _ => start + (end - start) / 8 * 8 + 8,
        };
        // Only entries without a conflict.
        if flags & 0x3000 == 0 {
            all.push((String::from_utf8_lossy(&before).into_owned(), entry));
        }
    }
    Some(all)
}

/// Git's offset numbers: seven bits per byte, one added for each further byte.
fn read_offset_varint(bytes: &[u8], at: &mut usize) -> Option<usize> {
    let mut byte = *bytes.get(*at)?;
    *at += 1;
    let mut value = usize::from(byte & 127);
    while byte & 128 != 0 {
        byte = *bytes.get(*at)?;
        *at += 1;
        value = (value.checked_add(1)?).checked_mul(128)? + usize::from(byte & 127);
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::parse_index;

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
