//! All chunks with their vectors, for exporting the index.

use super::Index;

/// A chunk of the index.
#[derive(Debug, Clone, PartialEq)]
pub struct Chunk<'i> {
    /// Its file.
    pub path: &'i str,
    /// First line.
    pub start_line: u32,
    /// Last line.
    pub end_line: u32,
    /// A hash of its text.
    pub hash: u32,
    /// Its vector, of length one; none where it has none.
    pub vector: Option<Vec<f32>>,
}

impl Index {
    /// Calls `f` for every chunk, segment by segment, in the order of paths within each.
    pub fn each_chunk(&self, mut f: impl FnMut(Chunk<'_>)) {
        let width = self.model.dimensions;
        for part in &self.parts {
            let segment = &part.segment;
            for number in part.live_files() {
                let Some(file) = segment.file_row(number) else {
                    continue;
                };
                for at in file.first_chunk..file.first_chunk.saturating_add(file.chunks) {
                    let Some(row) = segment.chunk_row(at) else {
                        continue;
                    };
                    let from = at as usize * width;
                    let values = segment.vectors().get(from..from + width);
                    let scale = segment.scales().get(at as usize).copied().unwrap_or(0.0);
                    let float = |values: &[u8]| {
                        let value = |v: &u8| f32::from(*v as i8) * scale;
                        values.iter().map(value).collect()
                    };
                    f(Chunk {
                        path: segment.path(number),
                        start_line: row.start_line,
                        end_line: row.end_line,
                        hash: row.hash,
                        vector: values.filter(|_| scale != 0.0 && width > 0).map(float),
                    });
                }
            }
        }
    }
}
