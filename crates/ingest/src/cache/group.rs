//! Facts of several files as one compressed payload.
//!
//! Files of a repository are similar, and a compressor learns little from a single one.

use super::decode::Decoder;
use super::encode::Encoder;
use std::io::{self, Read, Write};
use std::sync::Arc;
use syntax::FileFacts;

/// Compression level of zstd.
const LEVEL: i32 = 3;
/// Numbers in the facts of a full group: about a megabyte of source.
const FULL: usize = 400_000;
/// A group of fewer files is small.
pub(super) const MIN_FILES: usize = 16;
/// Parts of at least this many bytes get blocks of their own, and so their own statistics.
const OWN_BLOCK: usize = 1 << 10;
/// Most bytes of the facts of one group; larger ones are not trusted.
const MAX_PLAIN: u64 = 1 << 30;

/// The payload of each group with its number of files.
pub(super) fn encode_groups<'f>(
    facts: impl Iterator<Item = &'f FileFacts>,
) -> io::Result<Vec<(usize, Vec<u8>)>> {
    let (mut encoder, mut files) = (Encoder::new(), 0);
    let mut all = Vec::new();
    for one in facts {
        encoder.add(one).map_err(io::Error::other)?;
        files += 1;
        if encoder.number_count() >= FULL {
            all.push((
                std::mem::take(&mut files),
                compress(&encoder.take_encoded())?,
            ));
        }
    }
    if files > 0 {
        all.push((files, compress(&encoder.take_encoded())?));
    }
    Ok(all)
}

fn compress(parts: &[Vec<u8>]) -> io::Result<Vec<u8>> {
    let mut encoder = zstd::Encoder::new(Vec::new(), LEVEL)?;
    let mut open = 0;
    for part in parts {
        let large = part.len() >= OWN_BLOCK;
        if open > 0 && (large || open >= OWN_BLOCK) {
            encoder.flush()?;
            open = 0;
        }
        encoder.write_all(part)?;
        open += part.len();
    }
    encoder.finish()
}

/// The facts of a payload of that many files.
pub(super) fn decode_group(payload: &[u8], files: usize) -> Option<Vec<Arc<FileFacts>>> {
    let mut plain = Vec::new();
    let decoder = zstd::Decoder::with_buffer(payload).ok()?;
    decoder.take(MAX_PLAIN).read_to_end(&mut plain).ok()?;
    let mut decoder = Decoder::new(&plain).ok()?;
    (0..files)
        .map(|_| decoder.next().ok().map(Arc::new))
        .collect()
}
