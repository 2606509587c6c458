//! Reading a segment back into prepared files, for merges.

use super::Part;
use super::manifest::Entry;
use super::segment::{Postings, Segment};
use crate::embed::QuantVec;
use crate::prepare::{PATH_FIELDS, Prepared, PreparedChunk, PreparedTerm, put_posting};

/// Everything that the entries leave alive. None where a segment is damaged.
pub(crate) fn live_files(parts: &[Part], entries: &[Entry]) -> Option<Vec<Prepared>> {
    let mut all = Vec::new();
    for (part, entry) in parts.iter().zip(entries) {
        let alive = |number: &u32| entry.dead.binary_search(number).is_err();
        all.extend(read_back(part, alive)?);
    }
    Some(all)
}

fn read_back(part: &Part, alive: impl Fn(&u32) -> bool) -> Option<Vec<Prepared>> {
    let segment = &part.segment;
    let mut files: Vec<Option<Prepared>> = (0..segment.header.files)
        .map(|number| match alive(&number) {
            true => Some(Some(read_file(segment, number)?)),
            false => Some(None),
        })
        .collect::<Option<_>>()?;
    let owners: Vec<(u32, u32)> = (0..segment.header.files)
        .flat_map(|number| {
            let chunks = segment.file(number).map_or(0, |row| row.chunks);
            (0..chunks).map(move |chunk| (number, chunk))
        })
        .collect();
    segment.for_each_term(|name, postings| add_term(name, &postings, &owners, &mut files))?;
    Some(files.into_iter().flatten().collect())
}

fn read_file(segment: &Segment, number: u32) -> Option<Prepared> {
    let row = segment.file(number)?;
    let (path, language) = segment.file_texts(&row)?;
    let width = segment.header.dimensions as usize;
    let mut file = Prepared {
        path: path.to_owned(),
        language: language.to_owned(),
        boundary: row.boundary,
        hash: row.hash,
        stub: row.stub,
        ..Prepared::default()
    };
    for chunk_number in row.first_chunk..row.first_chunk.checked_add(row.chunks)? {
        let chunk = segment.chunk(chunk_number)?;
        let (container, definitions) = segment.chunk_texts(&chunk)?;
        file.chunks.push(PreparedChunk {
            start_line: chunk.start_line,
            end_line: chunk.end_line,
            hash: chunk.hash,
            lengths: chunk.lengths,
            container: container.to_owned(),
            definitions,
        });
        if width > 0 {
            let vector = vector(segment.vectors(), &segment.scales, chunk_number, width)?;
            file.vectors.push(vector);
        }
    }
    Some(file)
}

fn vector(rows: &[u8], scales: &[f32], number: u32, width: usize) -> Option<QuantVec> {
    let at = number as usize * width;
    Some(QuantVec {
        scale: *scales.get(number as usize)?,
        values: rows.get(at..at + width)?.iter().map(|v| *v as i8).collect(),
    })
}

/// Appends a term to every file that has it. Terms come in byte order, so each file's stay sorted.
fn add_term(
    name: &str,
    postings: &Postings,
    owners: &[(u32, u32)],
    files: &mut [Option<Prepared>],
) {
    let mut paths = postings.files.iter().peekable();
    let mut chunks = postings.chunks.iter().peekable();
    loop {
        let by_chunk = chunks.peek().map(|(chunk, _)| owners[*chunk as usize].0);
        let by_path = paths.peek().map(|(file, _)| *file);
        let Some(number) = by_chunk.into_iter().chain(by_path).min() else {
            break;
        };
        let mut path = [0; PATH_FIELDS];
        if let Some((_, counts)) = paths.next_if(|(file, _)| *file == number) {
            path = *counts;
        }
        let (mut bytes, mut count, mut last) = (Vec::new(), 0, 0);
        while let Some((chunk, counts)) = chunks.next_if(|(c, _)| owners[*c as usize].0 == number) {
            let local = owners[*chunk as usize].1;
            put_posting(&mut bytes, local - last, counts);
            last = local;
            count += 1;
        }
        let Some(file) = files.get_mut(number as usize).and_then(Option::as_mut) else {
            continue;
        };
        let start = file.text.len() as u32;
        file.text.push_str(name);
        let from = file.postings.len() as u32;
        file.postings.extend_from_slice(&bytes);
        file.terms.push(PreparedTerm {
            text: (start, file.text.len() as u32),
            path,
            postings: (from, file.postings.len() as u32),
            count,
        });
    }
}
