//! Cache of vectors by the text that was sent for them, in an append-only file. An incomplete record is ignored.

use super::failed;
use crate::IngestError;
use guard::seal;
use rustc_hash::FxHashMap;
use search::embed::{EmbedDoc, EmbedError, Embedder, QuantVec};
use std::io::Write;
use std::path::{Path, PathBuf};

const NAME: &str = "vectors.bin";
const MAGIC: &str = "knotwork vectors 2";
/// The older form, without a checksum that only this user can make: read only if the user chose to trust existing
/// files.
const FORMER: &str = "knotwork vectors 1";
/// Bytes of a record besides its values: key, scale, checksum.
const FRAME: usize = 16 + 4 + SUM;
const SUM: usize = 16;

/// A larger file is not one of ours.
const LARGEST: u64 = 16 << 30;

/// The reason why vectors of a provider are not kept.
#[derive(Debug, thiserror::Error)]
pub(super) enum KeepError {
    #[error("gave {found} vectors for {expected} texts")]
    OtherCount { found: usize, expected: usize },
    #[error("gave a vector of {found} values instead of {expected}")]
    OtherLength { found: usize, expected: usize },
    #[error("cannot keep vectors in {}: {source}", path.display())]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error(transparent)]
    Embedder(#[from] EmbedError),
}

/// A fingerprint of the text that was sent.
pub(super) type Key = [u8; 16];

/// The key of a chunk.
pub(super) fn vector_key(doc: &EmbedDoc<'_>) -> Key {
    let mut hasher = blake3::Hasher::new();
    for part in [doc.path, doc.names, doc.code] {
        hasher.update(&(part.len() as u64).to_le_bytes());
        hasher.update(part.as_bytes());
    }
    let mut key = [0; 16];
    key.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    key
}

/// All vectors of one model.
pub(super) struct VectorCache {
    path: PathBuf,
    model: String,
    dimensions: usize,
    records: Vec<u8>,
    places: FxHashMap<Key, usize>,
    /// Whether the file holds the header and these records.
    is_written: bool,
}

impl VectorCache {
    /// Reads the vectors of this model. Those of another model are dropped when the first vector is added.
    pub(super) fn open(folder: &Path, embedder: &dyn Embedder) -> Result<VectorCache, IngestError> {
        let path = folder.join(NAME);
        let mut kept = VectorCache {
            path: path.clone(),
            model: embedder.model().to_owned(),
            dimensions: embedder.dimensions(),
            records: Vec::new(),
            places: FxHashMap::default(),
            is_written: false,
        };
        match guard::state::read_own_file(&path, LARGEST) {
            Ok(bytes) => kept.load_records(&bytes),
            Err(e) if e.is_missing() => {}
            Err(e) => return Err(failed(&path, &e)),
        }
        Ok(kept)
    }

    fn load_records(&mut self, bytes: &[u8]) {
        let Some(end) = bytes.iter().position(|b| *b == b'\n') else {
            return;
        };
        let head = String::from_utf8_lossy(&bytes[..end]);
        let mut parts = head.splitn(3, '\t');
        let (magic, width, model) = (parts.next(), parts.next(), parts.next());
        let width: usize = width.and_then(|w| w.parse().ok()).unwrap_or(0);
        let is_former = magic == Some(FORMER) && seal::trusts_everything();
        let is_ours =
            (magic == Some(MAGIC) || is_former) && model == Some(self.model.as_str()) && width > 0;
        if !is_ours || (self.dimensions != 0 && self.dimensions != width) {
            return;
        }
        self.dimensions = width;
        let rest = &bytes[end + 1..];
        if is_former {
            return self.load_old_format(rest);
        }
        for record in rest.chunks_exact(FRAME + width) {
            if checksum(&record[..20 + width]) != record[20 + width..] {
                break;
            }
            self.insert_record(record);
        }
        self.is_written = self.records.len() == rest.len();
    }

    fn load_old_format(&mut self, records: &[u8]) {
        let body = 20 + self.dimensions;
        for record in records.chunks_exact(body + 4) {
            if blake3::hash(&record[..body]).as_bytes()[..4] != record[body..] {
                break;
            }
            let mut record = record[..body].to_vec();
            record.extend_from_slice(&checksum(&record));
            self.insert_record(&record);
        }
    }

    fn insert_record(&mut self, record: &[u8]) {
        let mut key = [0; 16];
        key.copy_from_slice(&record[..16]);
        self.places.insert(key, self.records.len());
        self.records.extend_from_slice(record);
    }

    /// Number of values in a vector; 0 if unknown.
    pub(super) fn dimensions(&self) -> usize {
        self.dimensions
    }

    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub(super) fn contains_key(&self, key: &Key) -> bool {
        self.places.contains_key(key)
    }

    pub(super) fn get(&self, key: &Key) -> Option<QuantVec> {
        let at = *self.places.get(key)?;
        let record = self.records.get(at..at + FRAME + self.dimensions)?;
        let scale = f32::from_le_bytes([record[16], record[17], record[18], record[19]]);
        let values = record[20..20 + self.dimensions].iter().map(|v| *v as i8);
        Some(QuantVec {
            scale,
            values: values.collect(),
        })
    }

    /// Adds vectors, in memory and to the file.
    pub(super) fn append(
        &mut self,
        batch: &[(Key, EmbedDoc<'_>)],
        vectors: &[QuantVec],
    ) -> Result<(), KeepError> {
        let before = self.records.len();
        for ((key, _), vector) in batch.iter().zip(vectors) {
            if self.dimensions == 0 {
                self.dimensions = vector.values.len();
            }
            if vector.values.len() != self.dimensions || self.dimensions == 0 {
                return Err(KeepError::OtherLength {
                    found: vector.values.len(),
                    expected: self.dimensions,
                });
            }
            let mut record = Vec::with_capacity(FRAME + self.dimensions);
            record.extend_from_slice(key);
            record.extend_from_slice(&vector.scale.to_le_bytes());
            record.extend(vector.values.iter().map(|v| *v as u8));
            let sum = checksum(&record);
            record.extend_from_slice(&sum);
            self.insert_record(&record);
        }
        self.write_records_from(before)
            .map_err(|source| KeepError::Io {
                path: self.path.clone(),
                source,
            })
    }

    fn write_records_from(&mut self, from: usize) -> std::io::Result<()> {
        if self.is_written {
            let mut options = guard::state::private_file_options();
            let file = guard::state::open_own_file(&self.path, options.append(true));
            let mut file = file.map_err(std::io::Error::other)?;
            return file.write_all(&self.records[from..]);
        }
        let head = format!("{MAGIC}\t{}\t{}\n", self.dimensions, self.model);
        let mut whole = head.into_bytes();
        whole.extend_from_slice(&self.records);
        guard::state::replace_file(&self.path, &whole)?;
        self.is_written = true;
        Ok(())
    }
}

/// A checksum that only this user can make: vectors that came with a repository are not used.
fn checksum(bytes: &[u8]) -> [u8; SUM] {
    let mut sum = [0; SUM];
    sum.copy_from_slice(&seal::keyed_checksum("vector", bytes)[..SUM]);
    sum
}
