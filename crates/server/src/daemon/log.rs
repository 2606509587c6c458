//! The daemon's log: one line per event, and a compressed copy of the last file when it has grown too large.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::fmt::Display;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The bytes above which the file is rotated.
pub(crate) const LARGEST: u64 = 10 << 20;

/// The daemon's log file. Errors of writing are ignored: the log must not stop the daemon.
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
            file: Mutex::new(open_for_append(path)),
        }
    }

    /// Writes a line with time and process id before it. Line ends within it become spaces, and characters that could control a
    /// terminal are escaped.
    pub(crate) fn write_line(&self, what: impl Display) {
        let line = what.to_string().replace(['\n', '\r'], " ");
        let line = guard::text::escape_line(&line);
        let line = format!(
            "{} [{}] {line}\n",
            text::date::utc(super::files::unix_time() as i64),
            std::process::id()
        );
        let mut slot = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let size = slot
            .as_ref()
            .and_then(|f| f.metadata().ok())
            .map_or(0, |m| m.len());
        if size + line.len() as u64 > self.largest {
            *slot = None;
            rotate(&self.path);
            *slot = open_for_append(&self.path);
        }
        if let Some(file) = slot.as_mut() {
            let _ = file.write_all(line.as_bytes());
        }
    }
}

fn open_for_append(path: &Path) -> Option<File> {
    super::files::open_for_writing(path, true).ok()
}

/// Compresses the file to one beside it, with `.1.gz`, and begins a new one.
fn rotate(path: &Path) {
    let mut name = path.as_os_str().to_owned();
    name.push(".1.gz");
    // Another process may write to it as well, and a little beyond the limit.
    let read = guard::state::read_own_file(path, 2 * LARGEST).ok();
    if let Some(packed) = read.and_then(|bytes| gzip(&bytes).ok()) {
        // Only a copy is lost if this fails: the log must not stop the daemon.
        let _ = guard::state::replace_file(Path::new(&name), &packed);
    }
    let _ = std::fs::remove_file(path);
}

/// The bytes as one gzip file, without a name.
fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    #[test]
    fn a_large_log_is_put_away_compressed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("daemon.log");
        let log = Log::open(&path, 1_000);
        for n in 0..40 {
            log.write_line(format_args!("line {n}\nof two"));
        }
        let now = std::fs::read_to_string(&path).unwrap();
        assert!(
            now.len() <= 1_000 && now.ends_with("line 39 of two\n"),
            "{now}"
        );
        let old = std::fs::read(folder.path().join("daemon.log.1.gz")).unwrap();
        assert_eq!(old[..4], [0x1f, 0x8b, 8, 0]);
        let mut text = Vec::new();
        let mut decoder = flate2::read::GzDecoder::new(old.as_slice());
        decoder.read_to_end(&mut text).unwrap();
        assert!(text.len() <= 1_000 && text.ends_with(b"\n"));
        assert_eq!(folder.path().read_dir().unwrap().count(), 2);
        log.write_line("a name with \u{1b}]52;c;eA==\u{7}");
        let now = std::fs::read_to_string(&path).unwrap();
        assert!(
            now.ends_with("a name with \\u001b]52;c;eA==\\u0007\n"),
            "{now}"
        );
    }
}
