//! Reading a segment.
//!
//! Layout: a header of fixed size (magic, version, counts, lengths and checksums of the sections, a checksum of the
//! header itself), then the sections. Numbers are little-endian. No section is used before its checksum was compared.

use super::bytes::Bytes;
use super::codec::Cursor;
use super::write::{BLOCK, read_posting};
use crate::doc::FileRole;
use crate::prepare::{Definition, FIELDS, PATH_FIELDS};
use rayon::prelude::*;
use std::path::Path;
use std::sync::OnceLock;

/// The reason why a segment cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SegmentError {
    #[error("shorter than its header")]
    Short,
    #[error("not a search index")]
    OtherFile,
    #[error("version {0} instead of {VERSION}")]
    OtherVersion(u32),
    #[error("its header is damaged")]
    DamagedHeader,
    #[error("a section is too long")]
    LongSection,
    #[error("{found} bytes instead of {expected}")]
    OtherLength { found: usize, expected: usize },
    #[error("section {0:?} is damaged")]
    DamagedSection(Section),
    #[error("a table's length differs from its header")]
    OtherTableLength,
    #[error("its table of files is damaged")]
    DamagedFiles,
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

/// The version of the format. An index of another version is rebuilt, never read.
pub(crate) const VERSION: u32 = 2;
const MAGIC: &[u8; 8] = b"KNWSRCH\0";
pub(crate) const SECTIONS: usize = 9;
/// Bytes of a section's checksum.
const SUM: usize = 8;
const HEADER: usize = 8 + 4 * 4 + SECTIONS * (8 + SUM) + 16;
const FILE_ROW: usize = 4 * 3 + 8 + FIELDS * 4 + 4;
const CHUNK_ROW: usize = 4 * 5 + FIELDS * 2;

/// Parts of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Section {
    Files,
    Chunks,
    Texts,
    Blocks,
    Terms,
    Postings,
    Vectors,
    Scales,
    Model,
}

/// The sections that tell which files a segment has.
const TABLES: [Section; 2] = [Section::Files, Section::Texts];
/// All other sections.
const REST: [Section; 7] = [
    Section::Chunks,
    Section::Blocks,
    Section::Terms,
    Section::Postings,
    Section::Vectors,
    Section::Scales,
    Section::Model,
];

/// The fixed part at the beginning.
pub(crate) struct Header {
    pub(crate) files: u32,
    pub(crate) chunks: u32,
    pub(crate) dimensions: u32,
    /// The offset of each section, its length, and its checksum.
    sections: [(usize, usize, [u8; SUM]); SECTIONS],
}

impl Header {
    /// Joins header and sections.
    pub(crate) fn assemble(
        files: u32,
        chunks: u32,
        dimensions: u32,
        sections: &[Vec<u8>; SECTIONS],
    ) -> Vec<u8> {
        let mut out = Vec::with_capacity(HEADER + sections.iter().map(Vec::len).sum::<usize>());
        out.extend_from_slice(MAGIC);
        for value in [VERSION, files, chunks, dimensions] {
            out.extend_from_slice(&value.to_le_bytes());
        }
        for section in sections {
            out.extend_from_slice(&(section.len() as u64).to_le_bytes());
        }
        for section in sections {
            out.extend_from_slice(&checksum(section));
        }
        let own = blake3::hash(&out);
        out.extend_from_slice(&own.as_bytes()[..16]);
        sections.iter().for_each(|s| out.extend_from_slice(s));
        out
    }

    /// Reads the header of a file with `length` bytes.
    fn read(head: &[u8], length: usize) -> Result<Header, SegmentError> {
        let head = head.get(..HEADER).ok_or(SegmentError::Short)?;
        if &head[..8] != MAGIC {
            return Err(SegmentError::OtherFile);
        }
        let word =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        if word(8) != VERSION {
            return Err(SegmentError::OtherVersion(word(8)));
        }
        let signed = HEADER - 16;
        if blake3::hash(&head[..signed]).as_bytes()[..16] != head[signed..] {
            return Err(SegmentError::DamagedHeader);
        }
        let mut sections = [(0, 0, [0; SUM]); SECTIONS];
        let mut next = HEADER;
        for (number, section) in sections.iter_mut().enumerate() {
            let at = 24 + number * 8;
            let long = u64::from(word(at)) | u64::from(word(at + 4)) << 32;
            let long = usize::try_from(long).ok();
            let end = long.and_then(|long| next.checked_add(long));
            let (long, end) = long.zip(end).ok_or(SegmentError::LongSection)?;
            let at = 24 + SECTIONS * 8 + number * SUM;
            let mut sum = [0; SUM];
            sum.copy_from_slice(&head[at..at + SUM]);
            *section = (next, long, sum);
            next = end;
        }
        if next != length {
            return Err(SegmentError::OtherLength {
                found: length,
                expected: next,
            });
        }
        Ok(Header {
            files: word(12),
            chunks: word(16),
            dimensions: word(20),
            sections,
        })
    }

    fn section_len(&self, section: Section) -> usize {
        self.sections[section as usize].1
    }

    /// Reads a section and compares it with its checksum.
    fn section(&self, bytes: &Bytes, section: Section) -> Result<Vec<u8>, SegmentError> {
        let (at, length, expected) = self.sections[section as usize];
        let read = bytes.read(at, length)?;
        if checksum(&read) == expected {
            Ok(read)
        } else {
            Err(SegmentError::DamagedSection(section))
        }
    }
}

fn checksum(bytes: &[u8]) -> [u8; SUM] {
    let mut out = [0; SUM];
    out.copy_from_slice(&blake3::hash(bytes).as_bytes()[..SUM]);
    out
}

/// An immutable part of the index.
pub(crate) struct Segment {
    bytes: Bytes,
    pub(crate) header: Header,
    /// The sections of [`TABLES`].
    tables: [Vec<u8>; TABLES.len()],
    /// The sections of [`REST`], read at the first use.
    rest: OnceLock<RemainingSections>,
}

struct RemainingSections {
    sections: [Vec<u8>; REST.len()],
    scales: Vec<f32>,
}

/// A file's row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FileRow {
    pub(crate) text_at: u32,
    pub(crate) first_chunk: u32,
    pub(crate) chunks: u32,
    pub(crate) hash: u64,
    pub(crate) lengths: [u32; FIELDS],
    pub(crate) role: FileRole,
    pub(crate) stub: bool,
}

/// A chunk's row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ChunkRow {
    pub(crate) file: u32,
    pub(crate) start_line: u32,
    pub(crate) end_line: u32,
    pub(crate) text_at: u32,
    pub(crate) hash: u32,
    pub(crate) lengths: [u16; FIELDS],
}

/// A definition that borrows its texts from the segment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct DefRow<'s> {
    pub(crate) name: &'s str,
    pub(crate) kind: &'s str,
    pub(crate) start_line: u32,
    pub(crate) end_line: u32,
    pub(crate) exported: bool,
}

impl Definition {
    /// The definition, borrowed.
    pub(crate) fn as_row(&self) -> DefRow<'_> {
        DefRow {
            name: &self.name,
            kind: &self.kind,
            start_line: self.start_line,
            end_line: self.end_line,
            exported: self.exported,
        }
    }
}

/// The postings of a term.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Postings {
    /// Files with the term in their path, and the counts in the path's fields.
    pub(crate) files: Vec<(u32, [u8; PATH_FIELDS])>,
    /// Chunks with the term, and the counts in their fields.
    pub(crate) chunks: Vec<(u32, [u16; FIELDS])>,
}

/// Visits the postings of a term: first files, then chunks, both ascending.
pub(crate) trait PostingsVisitor {
    /// A file with the term in its path, and the counts in the path's fields.
    fn file(&mut self, file: u32, counts: [u8; PATH_FIELDS]);
    /// At most `count` chunks follow.
    fn chunks(&mut self, count: usize);
    /// A chunk, and the counts in its fields.
    fn chunk(&mut self, chunk: u32, counts: &[u16; FIELDS]);
}

impl PostingsVisitor for Postings {
    fn file(&mut self, file: u32, counts: [u8; PATH_FIELDS]) {
        self.files.push((file, counts));
    }

    fn chunks(&mut self, count: usize) {
        self.chunks.reserve(count);
    }

    fn chunk(&mut self, chunk: u32, counts: &[u16; FIELDS]) {
        self.chunks.push((chunk, *counts));
    }
}

impl Segment {
    /// Reads the header and the table of files: enough to know which files it has.
    pub(crate) fn open(bytes: Bytes) -> Result<Segment, SegmentError> {
        let length = bytes.len();
        let head = bytes.read(0, HEADER.min(length));
        let header = Header::read(&head?, length)?;
        let expected = [
            (Section::Files, header.files as usize * FILE_ROW),
            (Section::Chunks, header.chunks as usize * CHUNK_ROW),
            (
                Section::Vectors,
                header.chunks as usize * header.dimensions as usize,
            ),
            (
                Section::Scales,
                match header.dimensions {
                    0 => 0,
                    _ => header.chunks as usize * 4,
                },
            ),
        ];
        if expected.iter().any(|(s, l)| header.section_len(*s) != *l) {
            return Err(SegmentError::OtherTableLength);
        }
        let [files, texts] = TABLES.map(|section| header.section(&bytes, section));
        let segment = Segment {
            bytes,
            header,
            tables: [files?, texts?],
            rest: OnceLock::new(),
        };
        let mut chunks = 0u32;
        for number in 0..segment.header.files {
            let row = segment
                .file_row(number)
                .filter(|row| row.first_chunk == chunks);
            let row = row.ok_or(SegmentError::DamagedFiles)?;
            chunks = chunks
                .checked_add(row.chunks)
                .ok_or(SegmentError::DamagedFiles)?;
        }
        if chunks != segment.header.chunks {
            return Err(SegmentError::DamagedFiles);
        }
        Ok(segment)
    }

    /// Reads the other sections. Before that no chunks, words and vectors are found.
    pub(crate) fn load_remaining(&self) -> Result<(), SegmentError> {
        if self.rest.get().is_some() {
            return Ok(());
        }
        // In parallel: checksums take longer than reading, and a command that answers one question waits for both.
        let read = REST.par_iter();
        let read = read.map(|section| self.header.section(&self.bytes, *section));
        let read: Vec<_> = read.collect();
        let mut sections: [Vec<u8>; REST.len()] = Default::default();
        for (to, section) in sections.iter_mut().zip(read) {
            *to = section?;
        }
        let scales = REST.iter().position(|s| *s == Section::Scales);
        let scales = read_floats(&sections[scales.unwrap_or_default()]);
        // Another thread may have read them meanwhile.
        let _ = self.rest.set(RemainingSections { sections, scales });
        self.bytes.close();
        Ok(())
    }

    /// The path of its file; empty for a segment in memory.
    pub(crate) fn path_on_disk(&self) -> &Path {
        self.bytes.path()
    }

    /// Its length in bytes.
    pub(crate) fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Scale of each chunk's vector.
    pub(crate) fn scales(&self) -> &[f32] {
        self.rest.get().map_or(&[], |rest| &rest.scales)
    }

    fn section(&self, section: Section) -> &[u8] {
        match section {
            Section::Files => &self.tables[0],
            Section::Texts => &self.tables[1],
            other => {
                let at = REST.iter().position(|s| *s == other);
                let rest = self.rest.get().zip(at);
                rest.map_or(&[], |(rest, at)| &rest.sections[at])
            }
        }
    }

    pub(crate) fn file_row(&self, number: u32) -> Option<FileRow> {
        let at = number as usize * FILE_ROW;
        let row = self.section(Section::Files).get(at..at + FILE_ROW)?;
        let word = |i: usize| u32::from_le_bytes([row[i], row[i + 1], row[i + 2], row[i + 3]]);
        let mut lengths = [0; FIELDS];
        (0..FIELDS).for_each(|f| lengths[f] = word(20 + f * 4));
        let end = 20 + FIELDS * 4;
        Some(FileRow {
            text_at: word(0),
            first_chunk: word(4),
            chunks: word(8),
            hash: u64::from(word(12)) | u64::from(word(16)) << 32,
            lengths,
            role: *FileRole::ALL.get(row[end] as usize)?,
            stub: row[end + 1] != 0,
        })
    }

    pub(crate) fn chunk_row(&self, number: u32) -> Option<ChunkRow> {
        let at = number as usize * CHUNK_ROW;
        let row = self.section(Section::Chunks).get(at..at + CHUNK_ROW)?;
        let word = |i: usize| u32::from_le_bytes([row[i], row[i + 1], row[i + 2], row[i + 3]]);
        let mut lengths = [0; FIELDS];
        (0..FIELDS).for_each(|f| {
            lengths[f] = u16::from_le_bytes([row[20 + f * 2], row[21 + f * 2]]);
        });
        Some(ChunkRow {
            file: word(0),
            start_line: word(4),
            end_line: word(8),
            text_at: word(12),
            hash: word(16),
            lengths,
        })
    }

    /// The lengths of one field, of every chunk.
    pub(crate) fn chunk_lengths(&self, field: usize) -> impl Iterator<Item = u16> + '_ {
        let at = 20 + field * 2;
        let rows = self.section(Section::Chunks).chunks_exact(CHUNK_ROW);
        rows.map(move |row| u16::from_le_bytes([row[at], row[at + 1]]))
    }

    /// Path and language of a file.
    pub(crate) fn file_texts(&self, file: &FileRow) -> Option<(&str, &str)> {
        let mut cursor = Cursor::new(self.section(Section::Texts), file.text_at as usize);
        Some((cursor.read_text()?, cursor.read_text()?))
    }

    /// The path of a file, empty where the table is damaged.
    pub(crate) fn path(&self, number: u32) -> &str {
        self.file_row(number)
            .and_then(|row| Some(self.file_texts(&row)?.0))
            .unwrap_or("")
    }

    /// The name of the definition around a chunk, and the definitions inside it.
    pub(crate) fn chunk_texts(&self, chunk: &ChunkRow) -> Option<(&str, Vec<Definition>)> {
        let mut definitions = Vec::new();
        let container = self.visit_definitions(chunk, |def| {
            definitions.push(Definition {
                name: def.name.to_owned(),
                kind: def.kind.to_owned(),
                start_line: def.start_line,
                end_line: def.end_line,
                exported: def.exported,
            });
        })?;
        Some((container, definitions))
    }

    /// Calls `f` for the definitions inside a chunk. Returns the name of the definition around it.
    pub(crate) fn visit_definitions<'s>(
        &'s self,
        chunk: &ChunkRow,
        mut f: impl FnMut(DefRow<'s>),
    ) -> Option<&'s str> {
        let mut cursor = Cursor::new(self.section(Section::Texts), chunk.text_at as usize);
        let container = cursor.read_text()?;
        for _ in 0..cursor.read_u32()? {
            let (name, kind) = (cursor.read_text()?, cursor.read_text()?);
            let start_line = cursor.read_u32()?;
            let end_line = start_line.checked_add(cursor.read_u32()?)?;
            let exported = cursor.read_byte()? != 0;
            f(DefRow {
                name,
                kind,
                start_line,
                end_line,
                exported,
            });
        }
        Some(container)
    }

    /// The number of the file with that path.
    pub(crate) fn find(&self, path: &str) -> Option<u32> {
        let (mut low, mut high) = (0, self.header.files);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.path(middle).cmp(path) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Every chunk's vector, one after the other.
    pub(crate) fn vectors(&self) -> &[u8] {
        self.section(Section::Vectors)
    }

    fn block_count(&self) -> usize {
        self.section(Section::Blocks).len() / 8
    }

    fn block_terms(&self, number: usize) -> Option<Terms<'_>> {
        let row = self
            .section(Section::Blocks)
            .get(number * 8..number * 8 + 8)?;
        let entry = u32::from_le_bytes([row[0], row[1], row[2], row[3]]);
        let base = u32::from_le_bytes([row[4], row[5], row[6], row[7]]);
        let mut cursor = Cursor::new(self.section(Section::Terms), entry as usize);
        let posting = cursor.read_u32()?;
        Some(Terms {
            cursor,
            left: BLOCK,
            name: Vec::new(),
            posting: base.checked_add(posting)? as usize,
        })
    }

    /// Visits the postings of a term, none if it does not occur. `None` if they are damaged, which may show only
    /// after some were visited.
    pub(crate) fn visit_postings(
        &self,
        term: &str,
        visitor: &mut impl PostingsVisitor,
    ) -> Option<()> {
        match self.find_term(term) {
            Some(at) => self.read_postings(at, visitor),
            None => Some(()),
        }
    }

    /// Whether one of the chunks with a term is wanted. `None` if its postings are damaged before one was found.
    pub(crate) fn any_chunk_with(&self, term: &str, wanted: impl Fn(u32) -> bool) -> Option<bool> {
        let Some(at) = self.find_term(term) else {
            return Some(false);
        };
        let mut cursor = Cursor::new(self.section(Section::Postings), at);
        for _ in 0..cursor.read_u32()? {
            cursor.read_u32()?;
            (0..PATH_FIELDS).try_for_each(|_| cursor.read_byte().map(drop))?;
        }
        let mut chunk = 0u32;
        for _ in 0..cursor.read_u32()? {
            chunk = chunk.checked_add(read_posting(&mut cursor)?.0)?;
            if wanted(chunk) {
                return Some(true);
            }
        }
        Some(false)
    }

    fn find_term(&self, term: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.block_count());
        while low < high {
            let middle = low + (high - low) / 2;
            let mut block = self.block_terms(middle)?;
            let (name, _) = block.next()?;
            if name.as_slice() <= term.as_bytes() {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut block = self.block_terms(low.checked_sub(1)?)?;
        while let Some((name, at)) = block.next() {
            if name == term.as_bytes() {
                return Some(at);
            }
        }
        None
    }

    fn read_postings(&self, at: usize, visitor: &mut impl PostingsVisitor) -> Option<()> {
        let mut cursor = Cursor::new(self.section(Section::Postings), at);
        let mut file = 0u32;
        for _ in 0..cursor.read_u32()? {
            file = file.checked_add(cursor.read_u32()?)?;
            visitor.file(file, [cursor.read_byte()?, cursor.read_byte()?]);
        }
        let count = cursor.read_u32()?;
        visitor.chunks(count.min(self.header.chunks) as usize);
        let mut chunk = 0u32;
        for _ in 0..count {
            let (distance, counts) = read_posting(&mut cursor)?;
            chunk = chunk.checked_add(distance)?;
            if chunk >= self.header.chunks {
                return None;
            }
            visitor.chunk(chunk, &counts);
        }
        Some(())
    }

    /// Calls `f` for every term with its postings, in byte order.
    pub(crate) fn for_each_term(&self, mut f: impl FnMut(&str, Postings)) -> Option<()> {
        for number in 0..self.block_count() {
            let mut block = self.block_terms(number)?;
            let last = number + 1 == self.block_count();
            // Only the last block of a writer's task may be short; the next block's entry ends it.
            let end = if last {
                self.section(Section::Terms).len()
            } else {
                let row = &self.section(Section::Blocks)[(number + 1) * 8..];
                u32::from_le_bytes([row[0], row[1], row[2], row[3]]) as usize
            };
            while block.cursor.position() < end {
                let (name, at) = block.next()?;
                let mut postings = Postings::default();
                self.read_postings(at, &mut postings)?;
                f(std::str::from_utf8(&name).ok()?, postings);
            }
        }
        Some(())
    }
}

fn read_floats(bytes: &[u8]) -> Vec<f32> {
    let float = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
    bytes.chunks_exact(4).map(float).collect()
}

/// Walks through one block of the dictionary.
struct Terms<'s> {
    cursor: Cursor<'s>,
    left: usize,
    name: Vec<u8>,
    posting: usize,
}

impl Terms<'_> {
    /// The next term and the offset of its postings.
    fn next(&mut self) -> Option<(Vec<u8>, usize)> {
        self.left = self.left.checked_sub(1)?;
        let common = self.cursor.read_u32()? as usize;
        let rest = self.cursor.read_text()?;
        let length = self.cursor.read_u32()? as usize;
        let at = self.posting;
        self.posting = at.checked_add(length)?;
        self.name.truncate(common);
        self.name.extend_from_slice(rest.as_bytes());
        Some((self.name.clone(), at))
    }
}
