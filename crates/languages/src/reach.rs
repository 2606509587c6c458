//! Which files reach which others through includes.
//!
//! Files that include each other are one component. What a component reaches is kept as spans of numbers: components are numbered
//! as a walk through the includes leaves them, so that most of what one reaches has numbers in a row. Lists of all headers for
//! each file would grow with the square of a chain of headers.

use crate::components::strong_components;
use linker::repo::FileId;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Most spans that are kept. What does not fit is found anew for each file that asks.
const MOST_SPANS: usize = 1 << 22;
/// Spans that are read for each one that may be kept.
const READ_FOR_KEPT: usize = 16;
/// A file that nobody includes keeps no spans if it includes at most so many: it asks each of them.
const MOST_ASKED: usize = 64;
/// Includes whose spans are tried before another one is taken: headers often include what an earlier one includes as well.
const MOST_TRIED: usize = 4;
/// Files whose reach was found without kept spans, and which are remembered.
const MOST_WALKED: usize = 16;

/// Which files reach which.
pub(crate) struct Reach {
    /// The component of each file.
    component: Vec<u32>,
    /// The components that each leads to in one step, the highest first.
    next: Vec<Vec<u32>>,
    known: Vec<StoredReach>,
    /// The spans of all components.
    spans: Vec<Span>,
    limits: Limits,
    /// Spans and includes that were read.
    read: usize,
    /// The last files that were walked from, the newest last.
    walked: Mutex<Vec<Walked>>,
}

/// Limits on memory and work.
#[derive(Clone, Copy)]
struct Limits {
    spans: usize,
    /// Steps for one file beyond the spans.
    walk: usize,
}

/// Components in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Span {
    first: u32,
    last: u32,
}

/// What is known of the reach of a component.
enum StoredReach {
    /// Its spans.
    Spans(Range<usize>),
    /// The spans of all that it leads to in one step.
    Next,
    /// Nothing.
    Nothing,
}

/// What was found from a component: a bit for each.
#[derive(Clone)]
struct Walked {
    from: u32,
    bits: Arc<[u64]>,
}

impl Reach {
    /// Reads the files that each file includes. From a file beyond the limit of memory, `most_walked` steps are taken.
    pub(crate) fn new(edges: &[Vec<u32>], most_walked: usize) -> Reach {
        let limits = Limits {
            spans: MOST_SPANS,
            walk: most_walked,
        };
        Reach::within(edges, limits)
    }

    fn within(edges: &[Vec<u32>], limits: Limits) -> Reach {
        let component = strong_components(edges);
        let count = component.iter().max().map_or(0, |last| *last as usize + 1);
        let mut next = vec![Vec::new(); count];
        let mut is_included = vec![false; count];
        for (from, list) in component.iter().zip(edges) {
            for to in list.iter().map(|to| component[*to as usize]) {
                if to != *from {
                    next[*from as usize].push(to);
                    is_included[to as usize] = true;
                }
            }
        }
        for list in &mut next {
            list.sort_unstable_by(|a, b| b.cmp(a));
            list.dedup();
            list.shrink_to_fit();
        }
        let mut reach = Reach {
            component,
            next,
            known: Vec::with_capacity(count),
            spans: Vec::new(),
            limits,
            read: 0,
            walked: Mutex::default(),
        };
        // A component leads only to lower ones.
        for (of, is_included) in is_included.into_iter().enumerate() {
            let known = reach.find(of, is_included);
            reach.known.push(known);
        }
        reach.spans.shrink_to_fit();
        reach
    }

    /// Whether includes lead from a file to another, or it is the same.
    pub(crate) fn leads(&self, from: FileId, to: FileId) -> bool {
        let (Some(start), Some(end)) = (self.component_of(from), self.component_of(to)) else {
            return from == to;
        };
        if start <= end {
            return start == end;
        }
        match &self.known[start as usize] {
            StoredReach::Spans(_) => self.has(start, end),
            StoredReach::Next => {
                let mut next = self.next[start as usize].iter();
                next.any(|next| self.has(*next, end))
            }
            StoredReach::Nothing => has_bit(&self.walked_from(start), end),
        }
    }

    /// The steps that it takes to tell what includes of a file lead to.
    pub(crate) fn steps(&self, from: FileId) -> usize {
        let Some(start) = self.component_of(from) else {
            return 0;
        };
        match &self.known[start as usize] {
            StoredReach::Spans(_) => 1,
            StoredReach::Next => self.next[start as usize].len(),
            StoredReach::Nothing => self.limits.walk,
        }
    }

    fn component_of(&self, file: FileId) -> Option<u32> {
        self.component.get(file.0 as usize).copied()
    }

    /// The spans that are kept of a component.
    fn kept(&self, of: u32) -> Option<&[Span]> {
        match self.known.get(of as usize)? {
            StoredReach::Spans(range) => self.spans.get(range.clone()),
            _ => None,
        }
    }

    /// Whether the spans of a component have another.
    fn has(&self, of: u32, wanted: u32) -> bool {
        wanted <= of && self.kept(of).is_some_and(|all| are_around(all, wanted))
    }

    fn find(&mut self, of: usize, is_included: bool) -> StoredReach {
        if self.next[of].iter().any(|to| self.kept(*to).is_none()) {
            return StoredReach::Nothing;
        }
        if !is_included && self.next[of].len() <= MOST_ASKED {
            return StoredReach::Next;
        }
        let Some(found) = self.merged(of) else {
            return StoredReach::Nothing;
        };
        let start = self.spans.len();
        self.spans.extend(found);
        StoredReach::Spans(start..self.spans.len())
    }

    /// The spans of a component, from those of what it leads to. None if they are too many.
    fn merged(&mut self, of: usize) -> Option<Vec<Span>> {
        let mut read = self.read;
        let found = self.gather(of, &mut read);
        self.read = read;
        let mut found = found?;
        join(&mut found);
        (self.spans.len() + found.len() <= self.limits.spans).then_some(found)
    }

    /// The same as they come. None if that is too much work.
    fn gather(&self, of: usize, read: &mut usize) -> Option<Vec<Span>> {
        let most_read = self.limits.spans.saturating_mul(READ_FOR_KEPT);
        let mut tried: Vec<&[Span]> = Vec::new();
        let number = of as u32;
        let mut found = vec![Span {
            first: number,
            last: number,
        }];
        for to in &self.next[of] {
            *read += 1;
            if tried.iter().any(|spans| are_around(spans, *to)) {
                continue;
            }
            let spans = self.kept(*to)?;
            *read += spans.len();
            if *read > most_read {
                return None;
            }
            found.extend_from_slice(spans);
            if tried.len() < MOST_TRIED {
                tried.push(spans);
            }
        }
        Some(found)
    }

    fn walked_from(&self, from: u32) -> Arc<[u64]> {
        let lock = || self.walked.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = lock().iter().find(|walked| walked.from == from) {
            return found.bits.clone();
        }
        let bits: Arc<[u64]> = self.walk(from).into();
        let mut walked = lock();
        if walked.len() == MOST_WALKED {
            walked.remove(0);
        }
        walked.push(Walked {
            from,
            bits: bits.clone(),
        });
        bits
    }

    /// Finds what a component reaches without spans of its own, the nearest first.
    fn walk(&self, from: u32) -> Vec<u64> {
        let mut bits = vec![0; from as usize / 64 + 1];
        set_bits(&mut bits, from, from);
        let mut left = self.limits.walk;
        let mut open = vec![from];
        let mut at = 0;
        while let Some(here) = open.get(at).copied() {
            at += 1;
            for to in &self.next[here as usize] {
                if left == 0 {
                    return bits;
                }
                left -= 1;
                if has_bit(&bits, *to) {
                    continue;
                }
                match self.kept(*to) {
                    Some(spans) => {
                        for span in spans {
                            set_bits(&mut bits, span.first, span.last);
                            let words = (span.last - span.first) as usize / 64;
                            left = left.saturating_sub(1 + words);
                        }
                    }
                    None => {
                        set_bits(&mut bits, *to, *to);
                        open.push(*to);
                    }
                }
            }
        }
        bits
    }
}

/// Whether one of some spans in order has a component.
fn are_around(spans: &[Span], wanted: u32) -> bool {
    let behind = spans.partition_point(|span| span.first <= wanted);
    let span = behind.checked_sub(1).and_then(|at| spans.get(at));
    span.is_some_and(|span| wanted <= span.last)
}

/// Puts spans in order and joins those between which nothing is.
fn join(spans: &mut Vec<Span>) {
    spans.sort_unstable();
    spans.dedup_by(|next, kept| {
        let is_joined = next.first <= kept.last + 1;
        if is_joined {
            kept.last = kept.last.max(next.last);
        }
        is_joined
    });
}

fn has_bit(bits: &[u64], at: u32) -> bool {
    let word = bits.get(at as usize / 64);
    word.is_some_and(|word| word >> (at % 64) & 1 == 1)
}

/// Sets the bits from one to another, both included.
fn set_bits(bits: &mut [u64], first: u32, last: u32) {
    let (start, end) = (first as usize / 64, last as usize / 64);
    for (at, word) in bits.iter_mut().enumerate().take(end + 1).skip(start) {
        let above = if at == start {
            u64::MAX << (first % 64)
        } else {
            u64::MAX
        };
        let below = if at == end {
            u64::MAX >> (63 - last % 64)
        } else {
            u64::MAX
        };
        *word |= above & below;
    }
}

#[cfg(test)]
mod tests;
