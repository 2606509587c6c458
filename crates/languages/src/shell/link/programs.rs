//! Which programs source each file. A program is a file that no other file sources, or a ring of files that only source each other.

use crate::components::strong_components;
use linker::repo::FileId;

/// Most spans that are kept for all files.
const MOST_SPANS: usize = 1 << 20;
/// Spans that are read for each one that may be kept.
const READ_FOR_KEPT: usize = 16;

/// Programs with numbers in a row: the first and the last.
type Span = (u32, u32);

/// The programs of each file.
pub(super) struct Programs {
    /// The component of each file.
    component: Vec<u32>,
    /// The programs of each component, as spans in order; `None` if they are not known, since they are too many.
    of: Vec<Option<Box<[Span]>>>,
    /// Spans that were read.
    #[cfg(test)]
    read: usize,
}

impl Programs {
    /// Reads the files that each file sources.
    pub(super) fn new(edges: &[Vec<u32>]) -> Programs {
        Programs::within(edges, MOST_SPANS)
    }

    fn within(edges: &[Vec<u32>], most_spans: usize) -> Programs {
        let component = strong_components(edges);
        let count = component.iter().max().map_or(0, |last| *last as usize + 1);
        let mut callers: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (from, list) in component.iter().zip(edges) {
            for to in list.iter().map(|to| component[*to as usize]) {
                if to != *from {
                    callers[to as usize].push(*from);
                }
            }
        }
        let mut of: Vec<Option<Box<[Span]>>> = vec![None; count];
        let (mut roots, mut kept, mut read) = (0, 0, 0);
        // A component is sourced only by higher ones.
        for at in (0..count).rev() {
            let callers = &mut callers[at];
            callers.sort_unstable();
            callers.dedup();
            let found = if callers.is_empty() {
                roots += 1;
                Some(vec![(roots, roots)])
            } else {
                merged(callers, &of, &mut read, most_spans * READ_FOR_KEPT)
            };
            let found = found.filter(|spans| kept + spans.len() <= most_spans);
            kept += found.as_ref().map_or(0, Vec::len);
            of[at] = found.map(Vec::into_boxed_slice);
        }
        Programs {
            component,
            of,
            #[cfg(test)]
            read,
        }
    }

    /// Whether every program that has a file has another as well.
    pub(super) fn always_has(&self, file: FileId, other: FileId) -> bool {
        let (Some(of), Some(all)) = (self.programs_of(file), self.programs_of(other)) else {
            return false;
        };
        of.iter().all(|(first, last)| {
            let behind = all.partition_point(|span| span.0 <= *first);
            let around = behind.checked_sub(1).and_then(|at| all.get(at));
            around.is_some_and(|span| *last <= span.1)
        })
    }

    fn programs_of(&self, file: FileId) -> Option<&[Span]> {
        let component = self.component.get(file.0 as usize)?;
        self.of.get(*component as usize)?.as_deref()
    }
}

/// The programs of all callers of a component; `None` if that is too much work.
fn merged(
    callers: &[u32],
    of: &[Option<Box<[Span]>>],
    read: &mut usize,
    most_read: usize,
) -> Option<Vec<Span>> {
    let mut found: Vec<Span> = Vec::new();
    for caller in callers {
        let spans = of[*caller as usize].as_deref()?;
        *read += spans.len();
        if *read > most_read {
            return None;
        }
        found.extend_from_slice(spans);
    }
    found.sort_unstable();
    found.dedup_by(|next, kept| {
        let is_joined = next.0 <= kept.1 + 1;
        if is_joined {
            kept.1 = kept.1.max(next.1);
        }
        is_joined
    });
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_has_the_files_that_all_its_callers_source() {
        // 0 and 1 are programs, 2 is sourced by both, 3 by 0, 4 by both; 5 and 6 source each other.
        let edges = [
            vec![2, 3, 4],
            vec![4, 2],
            vec![],
            vec![],
            vec![],
            vec![6],
            vec![5, 2],
        ];
        let programs = Programs::new(&edges);
        let has = |file, other| programs.always_has(FileId(file), FileId(other));
        assert!(has(3, 0) && has(3, 2) && has(3, 4) && has(5, 2));
        assert!(!has(2, 0) && !has(2, 3) && !has(2, 4) && !has(4, 3));
        assert!(has(4, 2));
    }

    #[test]
    fn twice_as_many_files_take_twice_the_work() {
        type Make = fn(u32) -> Vec<Vec<u32>>;
        let chain: Make = |count| (0..count).map(|at| vec![(at + 1).min(count - 1)]).collect();
        let ring: Make = |count| (0..count).map(|at| vec![(at + 1) % count]).collect();
        let tests: Make = |count| {
            (0..count)
                .map(|at| if at < 4 { Vec::new() } else { vec![0, 1, 2, 3] })
                .collect()
        };
        let tree: Make = |count| {
            (0..count)
                .map(|at| if at == 0 { Vec::new() } else { vec![at / 2] })
                .collect()
        };
        for make in [chain, ring, tests, tree] {
            let work = |count| {
                let programs = Programs::new(&make(count));
                let kept = programs.of.iter().flatten().map(|spans| spans.len());
                programs.read + kept.sum::<usize>()
            };
            let (one, two) = (work(500), work(1_000));
            assert!(two <= one * 2 + one / 20, "{one}, then {two}");
        }
    }

    #[test]
    fn beyond_the_limit_nothing_is_known() {
        let edges: Vec<Vec<u32>> = vec![vec![1], vec![]];
        assert!(!Programs::within(&edges, 1).always_has(FileId(1), FileId(0)));
        assert!(Programs::within(&edges, 2).always_has(FileId(1), FileId(0)));
    }
}
