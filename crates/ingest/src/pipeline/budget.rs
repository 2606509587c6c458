//! The memory budget: divides a ceiling, and chooses the files that are left out so that the rest fits.
//!
//! The choice depends on sizes and contents alone, never on the order of threads. The same files below the same ceiling
//! make the same index, built at once or in steps.

use crate::walk::{FoundFile, FoundText, Walked};
use base::FileFacts;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BinaryHeap};
use store::GraphStore;

/// Bytes that the program takes before it reads anything: its own pages, the model, the database's cache.
const BASE: u64 = 96 << 20;
/// The smallest budget, however low the ceiling.
const LEAST: u64 = 64 << 20;
/// Most bytes that parsing takes for each byte of source: the text, its tree, and the facts as they grow.
const PARSE: u64 = 58;
/// Bytes of a file besides its facts: its paths, its old and new record, its rows while they are written.
const PER_FILE: u64 = 3_000;
/// Bytes of a definition in the tables of linking: its name among all names, its node and its dotted name. Half of what was
/// measured with 690,000 constants, whose facts are little more than their names; tables count twice.
const PER_DEFINITION: u64 = 64;
/// Bytes of a path that are already counted with its file or text.
const USUAL_PATH: u64 = 128;
/// Number of copies of a file's path in memory at one time: as found, as known, as read, in tables, in records and in rows.
const FILE_PATHS: u64 = 14;
/// Number of copies of a text's path.
const TEXT_PATHS: u64 = 4;
/// Bytes of a text besides its chunks: its path and its key, in three lists.
const PER_TEXT: u64 = 700;
/// Bytes that a merge of chunks takes for each byte of the segments that it reads.
const MERGE: u64 = 8;

/// Most files that are listed as too large.
const NAMED: usize = 5;

/// Why a file is not in the index.
pub(crate) const TOO_LARGE: &str = "too large to be parsed below the memory ceiling";
pub(crate) const TOO_DENSE: &str = "has too many calls to be linked below the memory ceiling";
pub(crate) const TOO_MANY: &str = "more than fits below the memory ceiling";

/// The parts of a ceiling.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    free: Option<u64>,
}

impl Budget {
    /// The budget for a ceiling in bytes; without a ceiling nothing is limited.
    pub(crate) fn new(ceiling: Option<u64>) -> Budget {
        Budget {
            free: ceiling.map(|c| c.saturating_sub(BASE).max(LEAST)),
        }
    }

    fn share(self, percent: u64) -> u64 {
        self.free.map_or(u64::MAX, |free| free / 100 * percent)
    }

    /// Whether there is a ceiling.
    pub(crate) fn is_limited(self) -> bool {
        self.free.is_some()
    }

    /// Bytes for all files that are parsed at one time.
    pub(crate) fn parsing_bytes(self) -> u64 {
        self.share(30)
    }

    /// Bytes for a single file that is parsed alone.
    fn single_file_bytes(self) -> u64 {
        self.share(50)
    }

    /// Bytes of facts that are held for linking. Their tables take as much again; the memory of parsing is free by
    /// then.
    pub(crate) fn facts_bytes(self) -> u64 {
        self.share(42)
    }

    /// Bytes of chunks that wait to be written. Writing them takes as much again.
    pub(crate) fn pending_chunk_bytes(self) -> u64 {
        self.share(5)
    }

    /// Bytes of rows that wait for the database.
    pub(crate) fn pending_row_bytes(self) -> u64 {
        self.share(8)
    }

    /// Bytes of rows that are held until all rows of a change are complete.
    pub(crate) fn change_bytes(self) -> u64 {
        self.share(20)
    }

    /// Bytes of segments that may be merged at once.
    pub(crate) fn merge_segment_bytes(self) -> u64 {
        self.share(50) / MERGE
    }

    /// Bytes of a SCIP index with all data made from it.
    pub(crate) fn scip_bytes(self) -> u64 {
        self.share(25)
    }

    /// Most groups of cached facts that stay unpacked besides those in use.
    pub(crate) fn max_unpacked_groups(self) -> Option<usize> {
        self.free
            .map(|free| (free / (64 << 20)).clamp(2, 4_096) as usize)
    }

    /// Bytes that parsing a file of that size takes.
    pub(crate) fn parse_cost(self, size: u64) -> u64 {
        size.saturating_mul(PARSE)
    }

    /// Whether a file of that size may be parsed.
    pub(crate) fn can_parse(self, size: u64) -> bool {
        self.parse_cost(size) <= self.single_file_bytes()
    }

    /// Bytes that a file takes until the index is written, by its path and the weight of its facts.
    pub(crate) fn facts_cost(self, path: &str, facts: u64) -> u64 {
        facts + PER_FILE + FILE_PATHS * beyond_usual(path)
    }

    /// Whether a file with these facts may be linked: what is made of its calls at once must fit as a file that is parsed must.
    pub(crate) fn can_link(self, facts: &FileFacts) -> bool {
        let per_call = facts.language.profile().linking.bytes_of_a_call;
        self.fits_linking(facts.heap_bytes(), per_call * facts.calls.len() as u64)
    }

    fn fits_linking(self, facts: u64, calls: u64) -> bool {
        facts + calls <= self.single_file_bytes()
    }

    /// Drops files that cannot fit whatever their content is: files too large to be parsed, and the largest files until
    /// the number of the others fits. Texts for chunks are treated alike. Returns the number of texts dropped.
    pub(crate) fn drop_what_cannot_fit(
        self,
        walked: &mut Walked,
        texts: &mut Vec<FoundText>,
    ) -> usize {
        if !self.is_limited() {
            return 0;
        }
        let mut left_out = BTreeMap::new();
        let before = walked.files.len();
        let large = walked
            .files
            .iter()
            .filter(|file| !self.can_parse(file.size));
        walked.too_large = large.take(NAMED).map(|file| file.path.clone()).collect();
        walked.files.retain(|file| self.can_parse(file.size));
        set_count(&mut left_out, TOO_LARGE, before - walked.files.len());
        let cost = |file: &FoundFile| self.facts_cost(&file.path, 600 + file.size / 4);
        let gone = keep_smallest(&mut walked.files, self.facts_bytes(), cost, |f| {
            (f.size, &f.path)
        });
        set_count(&mut left_out, TOO_MANY, gone);
        walked.left_out = left_out;
        self.drop_texts_that_cannot_fit(texts)
    }

    /// As [`Budget::drop_what_cannot_fit`], for texts alone; returns the number dropped.
    pub(crate) fn drop_texts_that_cannot_fit(self, texts: &mut Vec<FoundText>) -> usize {
        let cost = |text: &FoundText| PER_TEXT + TEXT_PATHS * beyond_usual(&text.path);
        keep_smallest(texts, self.share(20), cost, |t| (t.size, &t.path))
    }
}

/// Bytes that facts take until the index is written: their own, and what tables need for each definition beyond as much
/// again.
pub(crate) fn weight_of(facts: &FileFacts) -> u64 {
    facts.heap_bytes() + PER_DEFINITION * facts.defs.len() as u64
}

/// Bytes of a path beyond the usual length.
fn beyond_usual(path: &str) -> u64 {
    (path.len() as u64).saturating_sub(USUAL_PATH)
}

fn set_count(counts: &mut BTreeMap<&'static str, u32>, reason: &'static str, files: usize) {
    if files > 0 {
        counts.insert(reason, files as u32);
    }
}

/// Keeps the smallest files whose costs fit together, in their order; returns the number dropped.
fn keep_smallest<T>(
    files: &mut Vec<T>,
    most: u64,
    cost: impl Fn(&T) -> u64,
    by: impl for<'t> Fn(&'t T) -> (u64, &'t String),
) -> usize {
    let total: u64 = files.iter().map(&cost).sum();
    if total <= most {
        return 0;
    }
    let mut order: Vec<u32> = (0..files.len() as u32).collect();
    order.sort_unstable_by(|a, b| by(&files[*a as usize]).cmp(&by(&files[*b as usize])));
    let (mut sum, mut keep) = (0, vec![false; files.len()]);
    for at in order {
        sum += cost(&files[at as usize]);
        if sum > most {
            break;
        }
        keep[at as usize] = true;
    }
    let before = files.len();
    let mut each = keep.into_iter();
    files.retain(|_| each.next().unwrap_or(false));
    files.shrink_to_fit();
    before - files.len()
}

/// The read files that are kept: the lightest that fit together. Only the heaviest is ever dropped, and only while not
/// all fit, so the result does not depend on their order.
pub(crate) struct LightestFiles {
    most: u64,
    total: u64,
    /// Weight and position.
    held: BinaryHeap<(u64, usize)>,
}

impl LightestFiles {
    pub(crate) fn new(most: u64) -> LightestFiles {
        LightestFiles {
            most,
            total: 0,
            held: BinaryHeap::new(),
        }
    }

    /// Adds the file at a position; returns the positions to evict, possibly including that one.
    pub(crate) fn add_and_evict(&mut self, weight: u64, at: usize) -> Vec<usize> {
        if self.most == u64::MAX {
            return Vec::new();
        }
        self.total += weight;
        self.held.push((weight, at));
        let mut gone = Vec::new();
        while self.total > self.most
            && let Some((weight, at)) = self.held.pop()
        {
            self.total -= weight;
            gone.push(at);
        }
        gone
    }
}

/// Files that an index lacks because of the memory ceiling: an entry of the store's metadata, as JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The ceiling below which the rest fits, in bytes.
    pub ceiling: u64,
    /// Number of files that are not in the graph.
    pub files: u64,
    /// Files that have no chunks.
    pub texts: u64,
    /// Number of those files that are left out because of their size alone; the others because of their facts.
    pub by_size: u64,
    /// The first files that are too large on their own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub too_large: Vec<String>,
    /// Whether the SCIP index is not read.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scip: bool,
}

/// Key of the metadata.
pub(crate) const LEFT_OUT: &str = "left_out";

impl LeftOut {
    /// Reads the entry of an index; `None` if the index is complete.
    pub fn from_metadata(metadata: Option<String>) -> Option<LeftOut> {
        let left_out: LeftOut = serde_json::from_str(&metadata?).ok()?;
        left_out.is_any().then_some(left_out)
    }

    fn is_any(&self) -> bool {
        self.files + self.texts > 0 || self.scip
    }

    /// The entry of the metadata; empty if the index is complete.
    pub(crate) fn to_metadata_entry(&self) -> (String, String) {
        let text = if self.is_any() {
            serde_json::to_string(self).unwrap_or_default()
        } else {
            String::new()
        };
        (LEFT_OUT.to_owned(), text)
    }

    /// Reads the entry of an open index.
    pub fn from_store(store: &dyn GraphStore) -> Option<LeftOut> {
        LeftOut::from_metadata(store.metadata(LEFT_OUT).ok()?)
    }

    /// Whether a walk below that ceiling, which left out that many files and texts, leaves out the same as before.
    pub(crate) fn is_unchanged_for(
        left_out: Option<&LeftOut>,
        ceiling: Option<u64>,
        walked: &Walked,
        texts: usize,
    ) -> bool {
        let files: u64 = walked.left_out.values().map(|n| u64::from(*n)).sum();
        match left_out {
            None => files + texts as u64 == 0,
            Some(known) => {
                let same = (known.by_size, known.texts) == (files, texts as u64);
                same && Some(known.ceiling) == ceiling
            }
        }
    }

    /// The notice for people.
    pub fn notice(&self) -> String {
        let files = |n: u64, what: &str| match n {
            0 => None,
            1 => Some(format!("1 file {what}")),
            n => Some(format!("{n} files {what}")),
        };
        let parts = [
            files(self.files, "not in the graph").map(|text| text + &self.too_large_list()),
            files(self.texts, "not in the search index"),
            self.scip.then(|| "the SCIP index not read".to_owned()),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        format!(
            "{}: does not fit below the memory ceiling of {} MB (raise it with `index --memory SIZE` or limits.memory)",
            parts.join(", "),
            self.ceiling >> 20
        )
    }

    /// The list of files that are too large, in brackets.
    fn too_large_list(&self) -> String {
        if self.too_large.is_empty() {
            String::new()
        } else {
            format!(" (too large: {})", self.too_large.join(", "))
        }
    }
}

/// Bytes of prepared files that are in memory at once while an index is read back, under that ceiling.
pub fn piece_bytes(memory_limit: Option<u64>) -> u64 {
    // Each piece goes through all terms, so pieces grow with the ceiling.
    const LEAST: u64 = 32 << 20;
    const MOST: u64 = 512 << 20;
    memory_limit.map_or(256 << 20, |limit| (limit / 16).clamp(LEAST, MOST))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::Language;

    #[test]
    fn the_same_files_are_held_in_whatever_order_they_come() {
        let weights = [50u64, 10, 40, 10, 70, 30, 30, 5, 90, 30];
        let held = |order: &[usize]| {
            let mut heaviest = LightestFiles::new(120);
            let mut all: std::collections::BTreeSet<usize> = order.iter().copied().collect();
            for at in order {
                for gone in heaviest.add_and_evict(weights[*at], *at) {
                    all.remove(&gone);
                }
            }
            all
        };
        let forwards: Vec<usize> = (0..weights.len()).collect();
        let expected = held(&forwards);
        assert_eq!(expected.iter().map(|at| weights[*at]).sum::<u64>(), 115);
        let mut order = forwards.clone();
        for round in 0..200 {
            let (a, b) = (round * 7 % order.len(), round * 3 % order.len());
            order.swap(a, b);
            assert_eq!(held(&order), expected, "{order:?}");
        }
    }

    #[test]
    fn the_largest_files_are_left_out_and_counted() {
        let file = |name: &str, size: u64| FoundFile {
            path: name.to_owned(),
            language: Language::Python,
            size,
            mtime_ns: 0,
            touched_ns: 0,
            stat: 0,
        };
        let budget = Budget::new(Some(256 << 20));
        let most = budget.single_file_bytes() / PARSE;
        let mut walked = Walked::default();
        walked.files.push(file("a.py", most + 1));
        walked.files.push(file("b.py", most));
        let many = (0..40_000).map(|i| file(&format!("c{i:05}.py"), 10));
        walked.files.extend(many);
        let _ = budget.drop_what_cannot_fit(&mut walked, &mut Vec::new());
        assert_eq!(walked.left_out.get(TOO_LARGE), Some(&1));
        assert_eq!(walked.too_large, ["a.py"]);
        let left = walked.left_out.get(TOO_MANY).copied().unwrap_or_default();
        assert!(left > 1_000 && walked.files.len() > 1_000, "{left}");
        assert!(walked.files.iter().all(|f| f.size == 10));
        assert_eq!(walked.files[0].path, "c00000.py");
        let mut all = Walked::default();
        all.files.push(file("a.py", 1 << 40));
        let _ = Budget::new(None).drop_what_cannot_fit(&mut all, &mut Vec::new());
        assert_eq!(all.files.len(), 1);
    }

    #[test]
    fn calls_of_one_file_are_limited_by_the_ceiling() {
        let fits = |ceiling, calls: usize| {
            Budget::new(ceiling).fits_linking(160 * calls as u64, 1_300 * calls as u64)
        };
        assert!(fits(Some(512 << 20), 50_000));
        assert!(!fits(Some(512 << 20), 900_000));
        assert!(fits(Some(4 << 30), 900_000) && fits(None, 900_000));
    }

    #[test]
    fn long_paths_count() {
        let folder = "d/".repeat(500);
        let left = |folder: &str| {
            let files = (0..20_000)
                .map(|i| FoundFile {
                    path: format!("{folder}{i:05}.py"),
                    language: Language::Python,
                    size: 10,
                    mtime_ns: 0,
                    touched_ns: 0,
                    stat: 0,
                })
                .collect();
            let mut walked = Walked {
                files,
                ..Walked::default()
            };
            let _ = Budget::new(Some(512 << 20)).drop_what_cannot_fit(&mut walked, &mut Vec::new());
            walked.left_out.get(TOO_MANY).copied().unwrap_or_default()
        };
        assert_eq!(left("d/"), 0);
        assert!(left(&folder) > 5_000);
    }
}
