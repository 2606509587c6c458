//! A prepared file as bytes, for another machine. Bytes that are read back are checked, since anybody may have written them.

use crate::doc::FileRole;
use crate::index::codec::Cursor;
use crate::index::write::read_posting;
use crate::prepare::{Definition, Prepared, PreparedChunk, PreparedTerm};
use embedding::QuantVec;
use serde::{Deserialize, Serialize};

/// The version of the format.
pub const PORTABLE_VERSION: u32 = 1;

/// Counts by field. The name of the constant is taken in derived code.
type FieldLengths = [u16; crate::prepare::FIELDS];
type PathCounts = [u8; crate::prepare::PATH_FIELDS];

#[derive(Serialize, Deserialize)]
struct PortableFile {
    path: String,
    language: String,
    role: u8,
    stub: bool,
    chunks: Vec<PortableChunk>,
    terms: Vec<PortableTerm>,
    text: String,
    postings: Vec<u8>,
    vectors: Vec<(f32, Vec<i8>)>,
}

#[derive(Serialize, Deserialize)]
struct PortableChunk {
    lines: (u32, u32),
    hash: u32,
    lengths: FieldLengths,
    container: String,
    definitions: Vec<PortableDefinition>,
}

#[derive(Serialize, Deserialize)]
struct PortableDefinition {
    name: String,
    kind: String,
    start_line: u32,
    end_line: u32,
    exported: bool,
}

#[derive(Serialize, Deserialize)]
struct PortableTerm {
    text: (u32, u32),
    path: PathCounts,
    postings: (u32, u32),
    count: u32,
}

impl Prepared {
    /// The file as bytes, without its hash. `None` if it is too large for them.
    pub fn to_portable(&self) -> Option<Vec<u8>> {
        let chunk = |c: &PreparedChunk| PortableChunk {
            lines: (c.start_line, c.end_line),
            hash: c.hash,
            lengths: c.lengths,
            container: c.container.clone(),
            definitions: c.definitions.iter().map(from_definition).collect(),
        };
        let term = |t: &PreparedTerm| PortableTerm {
            text: t.text,
            path: t.path,
            postings: t.postings,
            count: t.count,
        };
        let vectors = self.vectors.iter();
        let file = PortableFile {
            path: self.path.clone(),
            language: self.language.clone(),
            role: self.role as u8,
            stub: self.stub,
            chunks: self.chunks.iter().map(chunk).collect(),
            terms: self.terms.iter().map(term).collect(),
            text: self.text.clone(),
            postings: self.postings.clone(),
            vectors: vectors.map(|v| (v.scale, v.values.to_vec())).collect(),
        };
        postcard::to_stdvec(&file).ok()
    }

    /// Reads bytes that [`Prepared::to_portable`] wrote, with vectors of `dimensions` values. None if they are no such file. Every
    /// range must lie within its text, every posting must name a chunk, and terms must be in order.
    pub fn from_portable(bytes: &[u8], dimensions: usize) -> Option<Prepared> {
        let (file, rest) = postcard::take_from_bytes::<PortableFile>(bytes).ok()?;
        if !rest.is_empty() {
            return None;
        }
        let role = FileRole::ALL.into_iter().find(|r| *r as u8 == file.role)?;
        let prepared = Prepared {
            path: file.path,
            language: file.language,
            role,
            hash: 0,
            stub: file.stub,
            chunks: file.chunks.into_iter().map(to_chunk).collect(),
            terms: file.terms.iter().map(to_term).collect(),
            text: file.text,
            postings: file.postings,
            vectors: file.vectors.into_iter().map(to_vector).collect(),
        };
        prepared.is_sound(dimensions).then_some(prepared)
    }

    /// The path of the file in such bytes, before the rest is decoded.
    pub fn path_of_portable(bytes: &[u8]) -> Option<&str> {
        postcard::take_from_bytes(bytes).ok().map(|(path, _)| path)
    }

    /// The last line that a chunk or a definition names.
    pub fn last_line(&self) -> u32 {
        let chunks = self.chunks.iter();
        let lines = chunks.flat_map(|chunk| {
            let definitions = chunk.definitions.iter().map(|d| d.end_line);
            definitions.chain([chunk.end_line])
        });
        lines.max().unwrap_or_default()
    }

    /// The same file with another hash.
    pub fn with_hash(self, hash: u64) -> Prepared {
        Prepared { hash, ..self }
    }

    fn is_sound(&self, dimensions: usize) -> bool {
        let vectors = self.vectors.iter();
        let vectors_fit = (self.vectors.is_empty() || self.vectors.len() == self.chunks.len())
            && vectors.clone().all(|v| v.values.len() == dimensions)
            && vectors.clone().all(|v| v.scale.is_finite());
        let in_text = |t: &PreparedTerm| self.text.get(range(t.text)).is_some();
        vectors_fit
            && self.chunks.iter().all(has_lines_in_order)
            && self.terms.iter().all(in_text)
            && self
                .terms
                .is_sorted_by(|a, b| self.term_text(a) < self.term_text(b))
            && self.terms.iter().all(|t| self.has_sound_postings(t))
    }

    /// Whether the postings of a term name chunks of the file, in order, and end at the right place.
    fn has_sound_postings(&self, term: &PreparedTerm) -> bool {
        let bytes = self.postings.get(range(term.postings));
        bytes.and_then(|bytes| count_postings(bytes, self.chunks.len())) == Some(term.count)
    }
}

/// The number of postings in some bytes. None if they do not name chunks of a file with `chunks` chunks, in order, or end at the
/// wrong place.
pub(crate) fn count_postings(bytes: &[u8], chunks: usize) -> Option<u32> {
    let mut cursor = Cursor::new(bytes, 0);
    let (mut chunk, mut count) = (0u64, 0u32);
    while cursor.position() < bytes.len() {
        let (distance, _) = read_posting(&mut cursor)?;
        chunk += u64::from(distance);
        if (count > 0 && distance == 0) || chunk >= chunks as u64 {
            return None;
        }
        count += 1;
    }
    Some(count)
}

/// Whether the lines of a chunk, and of the definitions in it, begin before they end.
fn has_lines_in_order(chunk: &PreparedChunk) -> bool {
    let mut definitions = chunk.definitions.iter();
    chunk.start_line <= chunk.end_line && definitions.all(|d| d.start_line <= d.end_line)
}

fn range((from, to): (u32, u32)) -> std::ops::Range<usize> {
    from as usize..to as usize
}

fn from_definition(d: &Definition) -> PortableDefinition {
    PortableDefinition {
        name: d.name.clone(),
        kind: d.kind.clone(),
        start_line: d.start_line,
        end_line: d.end_line,
        exported: d.exported,
    }
}

fn to_chunk(c: PortableChunk) -> PreparedChunk {
    let definition = |d: PortableDefinition| Definition {
        name: d.name,
        kind: d.kind,
        start_line: d.start_line,
        end_line: d.end_line,
        exported: d.exported,
    };
    PreparedChunk {
        start_line: c.lines.0,
        end_line: c.lines.1,
        hash: c.hash,
        lengths: c.lengths,
        container: c.container,
        definitions: c.definitions.into_iter().map(definition).collect(),
    }
}

fn to_term(t: &PortableTerm) -> PreparedTerm {
    PreparedTerm {
        text: t.text,
        path: t.path,
        postings: t.postings,
        count: t.count,
    }
}

fn to_vector((scale, values): (f32, Vec<i8>)) -> QuantVec {
    QuantVec {
        scale,
        values: values.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::{ChunkDoc, FileDoc};
    use crate::embed::MockEmbedder;
    use crate::prepare::prepare;

    const WIDTH: usize = 64;

    fn prepared() -> Prepared {
        let chunk = |start_line, text| ChunkDoc {
            start_line,
            end_line: start_line + 1,
            text,
            ..ChunkDoc::default()
        };
        let file = FileDoc {
            path: "src/a.py",
            language: "python",
            hash: 7,
            chunks: vec![
                chunk(1, "def read_all(): pass"),
                chunk(3, "read_all() # again"),
            ],
            ..FileDoc::default()
        };
        prepare(&file, Some(&MockEmbedder::default())).unwrap()
    }

    #[test]
    fn a_file_comes_back_as_it_was() {
        let file = prepared();
        let bytes = file.to_portable().unwrap();
        let back = Prepared::from_portable(&bytes, WIDTH).unwrap().with_hash(7);
        assert_eq!(back, file);
    }

    #[test]
    fn what_is_damaged_or_forged_is_refused() {
        let file = prepared();
        let bytes = file.to_portable().unwrap();
        assert!(Prepared::from_portable(&bytes, WIDTH + 1).is_none());
        assert!(Prepared::from_portable(&bytes[..bytes.len() - 1], WIDTH).is_none());
        assert!(Prepared::from_portable(&[bytes.clone(), vec![0]].concat(), WIDTH).is_none());
        let forge = |change: &dyn Fn(&mut Prepared)| {
            let mut forged = file.clone();
            change(&mut forged);
            Prepared::from_portable(&forged.to_portable().unwrap(), WIDTH)
        };
        assert!(forge(&|_| ()).is_some());
        assert!(forge(&|f| f.terms[0].text.1 = u32::MAX).is_none());
        assert!(forge(&|f| f.terms[0].postings = (5, 2)).is_none());
        assert!(forge(&|f| f.terms[0].count += 1).is_none());
        assert!(forge(&|f| f.terms.swap(0, 1)).is_none());
        assert!(forge(&|f| f.chunks.truncate(1)).is_none());
        assert!(forge(&|f| f.vectors[0].scale = f32::NAN).is_none());
        // No changed byte makes the reader panic.
        for at in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[at] ^= 0xff;
            let _ = Prepared::from_portable(&bad, WIDTH);
        }
    }
}
