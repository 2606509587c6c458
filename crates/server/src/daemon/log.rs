//! The daemon's log: one line an event, and a compressed copy of the last file when it has grown too large.

use miniz_oxide::deflate::compress_to_vec;
use std::fmt::Display;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Beyond this the file is put away.
pub(crate) const LARGEST: u64 = 10 << 20;

/// See the module. What cannot be written is not said: a log stops nobody.
pub(crate) struct Log {
    path: PathBuf,
    largest: u64,
    file: Mutex<Option<File>>,
}

impl Log {
    pub(crate) fn open(path: &Path, largest: u64) -> Log {
        Log {
            path: path.to_path_buf(),
            largest,
            file: Mutex::new(append(path)),
        }
    }

    /// A line with time and process before it. Line ends within it become spaces, and what could steer a terminal that
    /// shows the file is written out.
    pub(crate) fn say(&self, what: impl Display) {
        let line = what.to_string().replace(['\n', '\r'], " ");
        let line = guard::text::line(&line);
        let line = format!(
            "{} [{}] {line}\n",
            stamp(super::files::now()),
            std::process::id()
        );
        let mut slot = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let size = slot
            .as_ref()
            .and_then(|f| f.metadata().ok())
            .map_or(0, |m| m.len());
        if size + line.len() as u64 > self.largest {
            *slot = None;
            put_away(&self.path);
            *slot = append(&self.path);
        }
        if let Some(file) = slot.as_mut() {
            let _ = file.write_all(line.as_bytes());
        }
    }
}

fn append(path: &Path) -> Option<File> {
    super::files::open(path, true).ok()
}

/// Compresses the file beside itself, as `.1.gz`, and begins it anew.
fn put_away(path: &Path) {
    let mut name = path.as_os_str().to_owned();
    name.push(".1.gz");
    // Another process may write to it as well, and so a little beyond the limit.
    if let Ok(bytes) = guard::state::read(path, 2 * LARGEST) {
        // It is only a copy: a log stops nobody.
        let _ = guard::state::replace(Path::new(&name), &gzip(&bytes));
    }
    let _ = std::fs::remove_file(path);
}

/// The gzip format, RFC 1952, of one member without a name.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    out.extend(compress_to_vec(bytes, 6));
    out.extend(crc32(bytes).to_le_bytes());
    out.extend((bytes.len() as u32).to_le_bytes());
    out
}

/// The check sum of gzip: CRC-32, polynomial 0xEDB88320.
fn crc32(bytes: &[u8]) -> u32 {
    let mut table = [0u32; 256];
    for (n, slot) in (0u32..).zip(table.iter_mut()) {
        *slot = (0..8).fold(n, |c, _| {
            if c & 1 == 1 {
                0xedb8_8320 ^ (c >> 1)
            } else {
                c >> 1
            }
        });
    }
    let step = |crc: u32, byte: &u8| table[((crc ^ u32::from(*byte)) & 0xff) as usize] ^ (crc >> 8);
    !bytes.iter().fold(!0, step)
}

/// Seconds since 1970 as `2026-01-31T12:00:00Z`. The calendar is that of Howard Hinnant's `civil_from_days`.
fn stamp(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let (of_month, month) = (day - (153 * month + 2) / 5 + 1, (month + 2) % 12 + 1);
    let year = year + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{of_month:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_dates() {
        assert_eq!(stamp(0), "1970-01-01T00:00:00Z");
        assert_eq!(stamp(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(stamp(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(stamp(1_798_761_599), "2026-12-31T23:59:59Z");
    }

    #[test]
    fn check_sums_are_those_of_gzip() {
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn a_large_log_is_put_away_compressed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("daemon.log");
        let log = Log::open(&path, 1_000);
        for n in 0..40 {
            log.say(format_args!("line {n}\nof two"));
        }
        let now = std::fs::read_to_string(&path).unwrap();
        assert!(
            now.len() <= 1_000 && now.ends_with("line 39 of two\n"),
            "{now}"
        );
        let old = std::fs::read(folder.path().join("daemon.log.1.gz")).unwrap();
        assert_eq!(old[..4], [0x1f, 0x8b, 8, 0]);
        let text = miniz_oxide::inflate::decompress_to_vec(&old[10..old.len() - 8]).unwrap();
        assert_eq!(
            crc32(&text).to_le_bytes(),
            old[old.len() - 8..old.len() - 4]
        );
        assert!(text.len() <= 1_000 && text.ends_with(b"\n"));
        assert_eq!(folder.path().read_dir().unwrap().count(), 2);
        log.say("a name with \u{1b}]52;c;eA==\u{7}");
        let now = std::fs::read_to_string(&path).unwrap();
        assert!(
            now.ends_with("a name with \\u001b]52;c;eA==\\u0007\n"),
            "{now}"
        );
    }
}
