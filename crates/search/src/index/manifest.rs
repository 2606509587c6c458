//! The list of segments: small, checksummed, replaced by an atomic rename.

use super::IndexError;
use guard::seal::{self, Identity};
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};
use std::path::Path;

const NAME: &str = "manifest.json";
/// The beginning of segments' names.
const SEGMENT: &str = "segment-";
/// The most bytes of a manifest; a longer one was not written by this program.
const LONGEST: u64 = 256 << 20;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) version: u32,
    pub(crate) generation: u64,
    pub(crate) model: String,
    pub(crate) dimensions: usize,
    pub(crate) segments: Vec<SegmentEntry>,
}

/// A segment and the numbers of its dead files, ascending.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct SegmentEntry {
    pub(crate) file: String,
    pub(crate) dead: Vec<u32>,
    /// The identity of the segment's file, since the manifest's checksum does not cover its content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) made: Option<String>,
}

impl SegmentEntry {
    /// Whether the file is the one that was written, and has not changed since.
    pub(crate) fn is_unmodified(&self, folder: &Path) -> bool {
        if !seal::is_enabled() || seal::trusts_everything() {
            return true;
        }
        self.made.is_some() && self.made == file_identity(&folder.join(&self.file))
    }
}

fn file_identity(path: &Path) -> Option<String> {
    let found = seal::is_enabled().then(|| Identity::from_path(path).ok().flatten());
    found.flatten().map(|found| found.to_string())
}

impl Manifest {
    pub(crate) fn read(folder: &Path) -> Result<Manifest, IndexError> {
        let path = folder.join(NAME);
        let text = match read(&path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                return Err(IndexError::Missing(folder.to_owned()));
            }
            Err(e) if e.kind() == std::io::ErrorKind::InvalidData => {
                return Err(IndexError::unusable(&path, "not text"));
            }
            Err(e) => return Err(IndexError::io(&path, e)),
        };
        let (sum, body) = text
            .split_once('\n')
            .ok_or_else(|| IndexError::unusable(&path, "it is cut short"))?;
        if checksum(body) != sum && !seal::trusts_everything() {
            return Err(IndexError::unusable(&path, NOT_OURS));
        }
        let manifest: Manifest =
            serde_json::from_str(body).map_err(|e| IndexError::unusable(&path, e.to_string()))?;
        let version = super::write::format_version();
        if manifest.version != version {
            let reason = format!("version {} instead of {version}", manifest.version);
            return Err(IndexError::unusable(&path, reason));
        }
        // A manifest names files of its own folder.
        let is_plain =
            |e: &SegmentEntry| e.file.starts_with(SEGMENT) && !e.file.contains(['/', '\\']);
        if !manifest.segments.iter().all(is_plain) {
            return Err(IndexError::unusable(&path, "it names other files"));
        }
        Ok(manifest)
    }

    /// Writes the manifest, then deletes segments that it does not name.
    pub(crate) fn write(&self, folder: &Path) -> Result<(), IndexError> {
        let path = folder.join(NAME);
        let body = serde_json::to_string(self).map_err(|e| IndexError::io(&path, e.into()))?;
        let text = format!("{}\n{body}", checksum(&body));
        write_atomically(&path, text.as_bytes())?;
        let Ok(entries) = std::fs::read_dir(folder) else {
            return Ok(());
        };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            let ours = name.starts_with(SEGMENT);
            if ours && self.segments.iter().all(|s| s.file != name) {
                // A file that stays only takes space; the next commit tries again.
                let _ = std::fs::remove_file(entry.path());
            }
        }
        Ok(())
    }
}

/// Writes a segment under a name of its generation.
pub(crate) fn write_segment(
    folder: &Path,
    generation: u64,
    bytes: &[u8],
) -> Result<SegmentEntry, IndexError> {
    write_numbered(folder, generation, None, bytes)
}

/// Writes a segment that is one of several of a generation.
pub(crate) fn write_numbered(
    folder: &Path,
    generation: u64,
    number: Option<usize>,
    bytes: &[u8],
) -> Result<SegmentEntry, IndexError> {
    let digest = blake3::hash(&bytes[..bytes.len().min(256)]).to_hex();
    let number = number.map_or_else(String::new, |number| format!("-{number}"));
    let file = format!("{SEGMENT}{generation}{number}-{}", &digest[..8]);
    let path = folder.join(&file);
    write_atomically(&path, bytes)?;
    Ok(SegmentEntry {
        made: file_identity(&path),
        file,
        dead: Vec::new(),
    })
}

/// Seals an index as this user's own.
pub(crate) fn reseal(folder: &Path) -> Result<(), IndexError> {
    let mut manifest = Manifest::read(folder)?;
    for entry in &mut manifest.segments {
        entry.made = file_identity(&folder.join(&entry.file));
    }
    manifest.write(folder)
}

/// The reason given for an index that is damaged, or was not written by this user on this machine.
pub(crate) const NOT_OURS: &str = "it is damaged, or was not written by this user on this machine";

/// The keyed checksum of the manifest's text: only this user can make it.
fn checksum(body: &str) -> String {
    let sum = seal::keyed_checksum("search manifest", body.as_bytes());
    blake3::Hash::from_bytes(sum).to_hex().to_string()
}

/// Files of at least this size are on disk before they are renamed into place. Small files are written often while
/// somebody edits, and waiting for the disk would take most of the time. Lengths and checksums reveal a file lost in a
/// power cut, and the index is then built again.
const WAITED_FOR: usize = 1 << 20;

fn read(path: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    let file = store::private::open(path)?;
    file.take(LONGEST).read_to_string(&mut text).map(|_| text)
}

/// Writes beside the file, then renames over it.
fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), IndexError> {
    let temporary = path.with_extension(format!("tmp{}", std::process::id()));
    let write = || {
        let mut file = store::private::create_or_truncate(&temporary)?;
        file.write_all(bytes)?;
        if bytes.len() >= WAITED_FOR {
            file.sync_data()?;
        }
        platform::file::replace(&temporary, path)
    };
    write().map_err(|e| {
        let _ = std::fs::remove_file(&temporary);
        IndexError::io(path, e)
    })
}
