//! Segments that this process has read already. A segment never changes, so the same file need not be read twice.

use super::bytes::Bytes;
use super::segment::Segment;
use super::{IndexError, Tables};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Number, times and length of a file. Writing to the file or truncating it changes the times.
type Identity = (platform::FileDetails, u64, std::time::SystemTime);

static READ: Mutex<Vec<(Identity, Weak<Segment>)>> = Mutex::new(Vec::new());

/// The segments of the index that was updated last: the next update needs them again.
static KEPT: Mutex<Vec<Arc<Segment>>> = Mutex::new(Vec::new());

fn identity(path: &Path) -> Option<Identity> {
    let details = platform::file::details(path).ok()?;
    let found = path.symlink_metadata().ok()?;
    Some((details, found.len(), found.modified().ok()?))
}

/// The segment in a file, shared with others that opened the same file.
pub(super) fn open_shared_segment(path: &Path) -> Result<Arc<Segment>, IndexError> {
    let before = identity(path);
    let lock = || READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = before {
        let read = lock();
        let found = read.iter().find(|(of, _)| *of == known);
        // One file may have two paths; the segment must have the path of the manifest.
        let found = found.and_then(|(_, segment)| segment.upgrade());
        if let Some(segment) = found.filter(|s| s.path_on_disk() == path) {
            return Ok(segment);
        }
    }
    let bytes = Bytes::open(path).map_err(|e| IndexError::io(path, e))?;
    let segment = Segment::open(bytes).map_err(|r| IndexError::unusable(path, r))?;
    let segment = Arc::new(segment);
    if let Some(identity) = before.filter(|_| before == identity(path)) {
        let mut read = lock();
        read.retain(|(of, segment)| *of != identity && segment.strong_count() > 0);
        read.push((identity, Arc::downgrade(&segment)));
    }
    Ok(segment)
}

impl Tables {
    /// Keeps these segments in memory for the next update, and releases those of the last one.
    pub fn keep_loaded(&self) {
        let segments = self.0.parts.iter().map(|part| part.segment.clone());
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = segments.collect();
    }
}
