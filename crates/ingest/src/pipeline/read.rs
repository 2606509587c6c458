//! Reads files: facts come from the cache or from their text.

use super::{Cancel, Parsed};
use crate::cache::{self, FactsCache};
use crate::chunks::ChunkUpdate;
use crate::text::{self, Decoded};
use crate::walk::FoundFile;
use base::facts::Unparsed;
use base::hex;
use guard::{Folder, OpenError};
use linker::CallCounts;
use search::prepare::Prepared;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use store::FileRecord;
use syntax::FileFacts;

/// A file that was changed this shortly before it was indexed may change again within one tick of the clock.
const RACY_NS: i64 = 2_000_000_000;

/// Result of reading a file.
pub(crate) enum ReadOutcome {
    File(Box<Parsed>, Option<Box<Prepared>>),
    /// Its parser returned no facts. It is skipped, and the cache records that.
    Unparsed(Box<Parsed>, Unparsed, Option<Box<Prepared>>),
    Skipped(String, &'static str),
    Gone(String),
    /// The system could not open it because of a shortage.
    Shortage(String, String),
}

impl ReadOutcome {
    fn of_file(file: Parsed, prepared: Option<Box<Prepared>>) -> ReadOutcome {
        match file.facts.unparsed {
            Some(why) => ReadOutcome::Unparsed(Box::new(file), why, prepared),
            None => ReadOutcome::File(Box::new(file), prepared),
        }
    }

    fn of_error(path: &str, error: OpenError) -> ReadOutcome {
        if error.is_shortage() {
            ReadOutcome::Shortage(path.to_owned(), error.reason())
        } else {
            ReadOutcome::Gone(path.to_owned())
        }
    }
}

/// The file's hash in the index, if its metadata are unchanged and old enough to be trusted.
pub(super) fn trusted_hash(known: Option<&FileRecord>, found: &FoundFile) -> Option<[u8; 16]> {
    let known = known?;
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_nanos() as i64);
    let settled = now - found.touched_ns > RACY_NS;
    if !settled || known.size != found.size || known.stat != found.stat {
        return None;
    }
    hex::decode(&known.hash)
}

/// Facts of a file, from the cache if its content is known; otherwise also its chunks, if needed.
pub(crate) fn read_file(
    root: &Folder,
    found: &FoundFile,
    cache: &FactsCache,
    hash: Option<[u8; 16]>,
    chunks: Option<&ChunkUpdate<'_>>,
    cancel: &Cancel,
) -> ReadOutcome {
    if let Some(hash) = hash
        && let Some(facts) = cache.get(&cache::cache_key(hash, found.language))
    {
        let role = text::file_role(&found.path, facts.generated);
        let parsed = Parsed {
            found: found.clone(),
            hash,
            role,
            facts,
            is_new: !cache.contains_key(&cache::cache_key(hash, found.language)),
        };
        return ReadOutcome::of_file(parsed, None);
    }
    let bytes = match root.read(&found.path, found.size.max(1 << 16)) {
        Ok(bytes) => bytes,
        Err(error) => return ReadOutcome::of_error(&found.path, error),
    };
    let hash = cache::content_hash(&bytes);
    let key = cache::cache_key(hash, found.language);
    let found = FoundFile {
        size: bytes.len() as u64,
        ..found.clone()
    };
    let (facts, is_new, prepared) = match cache.get(&key) {
        Some(facts) => (facts, !cache.contains_key(&key), None),
        None => {
            let text = match text::decode_masked(&found.path, bytes) {
                Decoded::Text(text) => text,
                Decoded::Not(reason) => return ReadOutcome::Skipped(found.path, reason),
            };
            if text::is_minified(&found.path, &text) {
                return ReadOutcome::Skipped(found.path, "minified");
            }
            let facts = languages::extract_unless(found.language, &text, &|| cancel.is_set());
            let prepared = chunks.and_then(|p| p.prepare(&found.path, &text, &facts));
            (Arc::new(facts), true, prepared.map(Box::new))
        }
    };
    let role = text::file_role(&found.path, facts.generated);
    let parsed = Parsed {
        found,
        hash,
        role,
        facts,
        is_new,
    };
    ReadOutcome::of_file(parsed, prepared)
}

/// The text of a file as indexing reads it; `None` if the file is not read at all.
pub(crate) fn decode_source(path: &str, bytes: Vec<u8>) -> Option<String> {
    match text::decode_masked(path, bytes) {
        Decoded::Text(text) if !text::is_minified(path, &text) => Some(text),
        _ => None,
    }
}

/// A file with these facts.
pub(crate) fn to_parsed(found: FoundFile, hash: [u8; 16], facts: Arc<FileFacts>) -> Parsed {
    Parsed {
        role: text::file_role(&found.path, facts.generated),
        found,
        hash,
        facts,
        is_new: true,
    }
}

/// The store's record of a file.
pub(crate) fn to_file_record(file: &Parsed, calls: &CallCounts, output_hash: String) -> FileRecord {
    FileRecord {
        path: file.found.path.clone(),
        language: file.facts.language.as_str().to_owned(),
        hash: hex::encode(&file.hash),
        size: file.found.size,
        stat: file.found.stat,
        lines: file.facts.lines,
        role: file.role.to_owned(),
        source: "syntax".to_owned(),
        syntax_errors: file.facts.syntax_errors,
        calls: calls.total as u32,
        calls_resolved: calls.resolved as u32,
        calls_external: calls.external as u32,
        output_hash,
        complexity: total_complexity(&file.facts),
    }
}

fn total_complexity(facts: &FileFacts) -> u32 {
    let all = facts.defs.iter();
    all.map(|def| u32::from(def.complexity.cyclomatic)).sum()
}
