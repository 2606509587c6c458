//! The history in a cache file, for the commit that it was read at.

use super::walk::{self, Limits};
use super::{History, HistoryError};
use crate::git;
use base::Cancel;
use guard::seal;
use std::io::Read;
use std::path::Path;
use std::time::{Duration, Instant};

const MAGIC: &[u8; 8] = b"KWHIST08";
/// Most bytes of the file; a larger one is not trusted.
const MOST_BYTES: u64 = 256 << 20;
const LEVEL: i32 = 3;
/// Kind of the checksum, which only this user can make.
const KIND: &str = "history";

/// The history of the project at `root`: from `file` if that belongs to the commit at HEAD, else read from git (at most
/// `commits` commits, within the time `patience`) and written to `file`.
///
/// A damaged file counts as none, and a file that cannot be written is no error.
pub fn load_or_read(
    root: &Path,
    file: &Path,
    commits: usize,
    patience: Option<Duration>,
    cancel: &Cancel,
) -> Result<History, HistoryError> {
    let known = load(file, commits);
    if let Some(known) = &known
        && git::head_commit(root).as_deref() == Some(known.head.as_str())
    {
        return Ok(known.clone());
    }
    let mut limits = Limits::new(commits, patience.map(|p| Instant::now() + p));
    limits.cancel = cancel.clone();
    let history = walk::read_history(root, known, limits)?;
    // Saved for next time. If that fails, the next question only takes longer.
    let _ = save(file, &history, commits);
    Ok(history)
}

/// The file records how many commits were asked for; for a longer history, git is read again.
fn load(file: &Path, commits: usize) -> Option<History> {
    let bytes = guard::state::read_own_file(file, MOST_BYTES).ok()?;
    let body = bytes.strip_prefix(MAGIC)?;
    let (sum, body) = body.split_at_checked(32)?;
    if seal::keyed_checksum(KIND, body) != *sum {
        return None;
    }
    let (asked, body) = body.split_at_checked(8)?;
    let asked = u64::from_le_bytes(asked.try_into().ok()?);
    let mut plain = Vec::new();
    let reader = zstd::stream::read::Decoder::new(body).ok()?;
    reader.take(MOST_BYTES).read_to_end(&mut plain).ok()?;
    let history: History = postcard::from_bytes(&plain).ok()?;
    // A history that was cut would not be longer if it were read again.
    let enough = history.complete || history.cut || asked >= commits as u64;
    (enough && has_valid_indexes(&history)).then_some(history)
}

fn has_valid_indexes(history: &History) -> bool {
    let files = history.files.len();
    let former = history.former.iter().all(|(_, f)| (*f as usize) < files);
    former
        && history.commits.iter().all(|commit| {
            (commit.author as usize) < history.authors.len()
                && commit
                    .files
                    .iter()
                    .all(|f| (*f as usize) < history.files.len())
        })
}

fn save(file: &Path, history: &History, commits: usize) -> std::io::Result<()> {
    let plain = postcard::to_allocvec(history).map_err(std::io::Error::other)?;
    let body = zstd::bulk::compress(&plain, LEVEL)?;
    let mut signed = (commits as u64).to_le_bytes().to_vec();
    signed.extend(&body);
    let mut bytes = MAGIC.to_vec();
    bytes.extend(seal::keyed_checksum(KIND, &signed));
    bytes.extend(&signed);
    if let Some(folder) = file.parent() {
        guard::state::create_private_folders(folder).map_err(std::io::Error::other)?;
    }
    guard::state::replace_file(file, &bytes)
}
