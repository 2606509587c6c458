//! Writing a segment: prepared files merged into one immutable file.

use super::codec::{Cursor, put_text};
use super::segment::{Header, SECTIONS, Section, VERSION};
use crate::embed::QuantVec;
use crate::prepare::{FIELDS, Prepared, put_posting};
use base::varint;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

/// The number of terms between two entries of the dictionary's index.
pub(crate) const BLOCK: usize = 16;
/// The number of terms that one task of the writer takes.
const TASK: usize = BLOCK * 256;

/// The bytes of a segment over the files, which are sorted by path and distinct.
pub(crate) fn encode_segment(files: &[&Prepared], model: &str, dimensions: usize) -> Vec<u8> {
    let mut sections: [Vec<u8>; SECTIONS] = Default::default();
    let first_chunks = write_files(files, &mut sections);
    write_terms(files, &first_chunks, &mut sections);
    write_vectors(files, dimensions, &mut sections);
    put_text(&mut sections[Section::Model as usize], model);
    let chunks: usize = files.iter().map(|f| f.chunks.len()).sum();
    Header::assemble(
        files.len() as u32,
        chunks as u32,
        dimensions as u32,
        &sections,
    )
}

/// The tables of files and chunks; returns the number of each file's first chunk.
fn write_files(files: &[&Prepared], sections: &mut [Vec<u8>; SECTIONS]) -> Vec<u32> {
    let mut first_chunks = Vec::with_capacity(files.len());
    let mut next = 0u32;
    for (number, file) in files.iter().enumerate() {
        first_chunks.push(next);
        let text_at = sections[Section::Texts as usize].len() as u32;
        put_text(&mut sections[Section::Texts as usize], &file.path);
        put_text(&mut sections[Section::Texts as usize], &file.language);
        let row = &mut sections[Section::Files as usize];
        row.extend_from_slice(&text_at.to_le_bytes());
        row.extend_from_slice(&next.to_le_bytes());
        row.extend_from_slice(&(file.chunks.len() as u32).to_le_bytes());
        row.extend_from_slice(&file.hash.to_le_bytes());
        let totals = total_lengths(file);
        totals
            .iter()
            .for_each(|t| row.extend_from_slice(&t.to_le_bytes()));
        row.push(file.role as u8);
        row.push(u8::from(file.stub));
        row.extend_from_slice(&[0, 0]);
        for chunk in &file.chunks {
            write_chunk(number as u32, chunk, sections);
        }
        next += file.chunks.len() as u32;
    }
    first_chunks
}

fn total_lengths(file: &Prepared) -> [u32; FIELDS] {
    let mut totals = [0u32; FIELDS];
    for chunk in &file.chunks {
        for (total, length) in totals.iter_mut().zip(chunk.lengths) {
            *total += u32::from(length);
        }
    }
    totals
}

fn write_chunk(
    file: u32,
    chunk: &crate::prepare::PreparedChunk,
    sections: &mut [Vec<u8>; SECTIONS],
) {
    let texts = &mut sections[Section::Texts as usize];
    let text_at = texts.len() as u32;
    put_text(texts, &chunk.container);
    varint::write_varint(texts, chunk.definitions.len() as u64);
    for def in &chunk.definitions {
        put_text(texts, &def.name);
        put_text(texts, &def.kind);
        varint::write_varint(texts, u64::from(def.start_line));
        varint::write_varint(
            texts,
            u64::from(def.end_line.saturating_sub(def.start_line)),
        );
        texts.push(u8::from(def.exported));
    }
    let row = &mut sections[Section::Chunks as usize];
    for value in [file, chunk.start_line, chunk.end_line, text_at, chunk.hash] {
        row.extend_from_slice(&value.to_le_bytes());
    }
    chunk
        .lengths
        .iter()
        .for_each(|l| row.extend_from_slice(&l.to_le_bytes()));
}

/// An occurrence of a term in a file: the file, and the term's index there.
type TermInFile = (u32, u32);
/// A range of occurrences.
type Range = (u32, u32);

fn write_terms(files: &[&Prepared], first_chunks: &[u32], sections: &mut [Vec<u8>; SECTIONS]) {
    let (names, places) = collect_terms(files);
    let tasks: Vec<(Vec<u8>, Vec<u32>, Vec<u8>)> = names
        .par_chunks(TASK)
        .map(|task| {
            let (mut entries, mut blocks, mut postings) = (Vec::new(), Vec::new(), Vec::new());
            let mut before = "";
            for (at, (name, (from, to))) in task.iter().enumerate() {
                if at % BLOCK == 0 {
                    blocks.push(entries.len() as u32);
                    varint::write_varint(&mut entries, postings.len() as u64);
                    before = "";
                }
                let start = postings.len();
                let places = &places[*from as usize..*to as usize];
                write_postings(files, first_chunks, places, &mut postings);
                let common = common_prefix(before, name);
                varint::write_varint(&mut entries, common as u64);
                put_text(&mut entries, &name[common..]);
                varint::write_varint(&mut entries, (postings.len() - start) as u64);
                before = name;
            }
            (entries, blocks, postings)
        })
        .collect();
    // Offsets within a task count from its beginning: the block index adds both bases.
    for (entries, blocks, postings) in tasks {
        let entry_base = sections[Section::Terms as usize].len() as u32;
        let posting_base = sections[Section::Postings as usize].len() as u32;
        for block in blocks {
            let row = &mut sections[Section::Blocks as usize];
            row.extend_from_slice(&(entry_base + block).to_le_bytes());
            row.extend_from_slice(&posting_base.to_le_bytes());
        }
        sections[Section::Terms as usize].extend_from_slice(&entries);
        sections[Section::Postings as usize].extend_from_slice(&postings);
    }
}

/// Every term once, in byte order, with the range of its occurrences. These are in file order.
fn collect_terms<'p>(files: &[&'p Prepared]) -> (Vec<(&'p str, Range)>, Vec<TermInFile>) {
    let mut numbers: FxHashMap<&'p str, u32> = FxHashMap::default();
    let mut counts: Vec<u32> = Vec::new();
    let mut all: Vec<(u32, TermInFile)> = Vec::new();
    for (file, prepared) in files.iter().enumerate() {
        for (at, term) in prepared.terms.iter().enumerate() {
            let next = counts.len() as u32;
            let number = *numbers.entry(prepared.term_text(term)).or_insert(next);
            if number == next {
                counts.push(0);
            }
            counts[number as usize] += 1;
            all.push((number, (file as u32, at as u32)));
        }
    }
    let mut ends = counts;
    let mut sum = 0;
    for end in &mut ends {
        let count = *end;
        *end = sum;
        sum += count;
    }
    let starts = ends.clone();
    let mut places = vec![(0, 0); all.len()];
    for (number, place) in all {
        let at = &mut ends[number as usize];
        places[*at as usize] = place;
        *at += 1;
    }
    let mut names: Vec<(&str, (u32, u32))> = numbers
        .into_iter()
        .map(|(name, n)| (name, (starts[n as usize], ends[n as usize])))
        .collect();
    names.par_sort_unstable_by_key(|(name, _)| *name);
    (names, places)
}

/// Writes the postings of a term: files with the term in their path, then chunks, both as distances.
fn write_postings(
    files: &[&Prepared],
    first_chunks: &[u32],
    places: &[TermInFile],
    out: &mut Vec<u8>,
) {
    let term = |place: &TermInFile| &files[place.0 as usize].terms[place.1 as usize];
    let in_path = |place: &&TermInFile| term(place).path != [0, 0];
    varint::write_varint(out, places.iter().filter(in_path).count() as u64);
    let mut last = 0;
    for place in places.iter().filter(in_path) {
        varint::write_varint(out, u64::from(place.0 - last));
        out.extend_from_slice(&term(place).path);
        last = place.0;
    }
    let total: u32 = places.iter().map(|p| term(p).count).sum();
    varint::write_varint(out, u64::from(total));
    let mut last = 0;
    for place in places {
        let file = files[place.0 as usize];
        let postings = term(place);
        let mut cursor = Cursor::new(&file.postings, postings.postings.0 as usize);
        let mut chunk = first_chunks[place.0 as usize];
        for _ in 0..postings.count {
            let Some((distance, counts)) = read_posting(&mut cursor) else {
                break;
            };
            chunk += distance;
            put_posting(out, chunk - last, &counts);
            last = chunk;
        }
    }
}

/// Reads a posting that [`put_posting`] wrote.
pub(crate) fn read_posting(cursor: &mut Cursor<'_>) -> Option<(u32, [u16; FIELDS])> {
    let head = cursor.read_varint()?;
    let distance = u32::try_from(head >> 2).ok()?;
    let mut counts = [0u16; FIELDS];
    match head & 3 {
        0 => counts[FIELDS - 1] = 1,
        1 => counts[FIELDS - 1] = u16::try_from(cursor.read_varint()?).ok()?,
        _ => {
            let mask = cursor.read_byte()?;
            for (field, count) in counts.iter_mut().enumerate() {
                if mask & 1 << field != 0 {
                    *count = u16::try_from(cursor.read_varint()?).ok()?;
                }
            }
        }
    }
    Some((distance, counts))
}

fn common_prefix(a: &str, b: &str) -> usize {
    let mut length = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    while !b.is_char_boundary(length) {
        length -= 1;
    }
    length
}

fn write_vectors(files: &[&Prepared], dimensions: usize, sections: &mut [Vec<u8>; SECTIONS]) {
    if dimensions == 0 {
        return;
    }
    let mut put = |vector: Option<&QuantVec>, rows: Section, scales: Section| {
        let vector = vector.filter(|v| v.values.len() == dimensions);
        let scale = vector.map_or(0.0, |v| v.scale);
        sections[scales as usize].extend_from_slice(&scale.to_le_bytes());
        let rows = &mut sections[rows as usize];
        match vector {
            Some(vector) => rows.extend(vector.values.iter().map(|v| *v as u8)),
            None => rows.resize(rows.len() + dimensions, 0),
        }
    };
    for file in files {
        for number in 0..file.chunks.len() {
            put(file.vectors.get(number), Section::Vectors, Section::Scales);
        }
    }
}

/// The version of the format, for names of files.
pub(crate) fn format_version() -> u32 {
    VERSION
}
