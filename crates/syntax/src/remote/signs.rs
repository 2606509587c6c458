//! The places of a source that may have something to record. The rest of its tree is not entered.

use super::names;
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::LazyLock;

/// Names of clients in one file that are searched for. With more of them, the whole tree is entered.
const MOST_ADDED: usize = 32;

/// Positions in a source, in order: names of callees, names of clients, and places where texts may begin. Every mark
/// needs one of them, so a part of the tree without any is not entered.
pub(super) struct MarkPositions {
    at: Vec<u32>,
    /// The first position that is not before the last queried part.
    next: usize,
    /// Names that were added, reduced to their part after the last dot.
    added: FxHashSet<Box<str>>,
    everywhere: bool,
}

impl MarkPositions {
    pub(super) fn in_source(source: &str) -> MarkPositions {
        MarkPositions {
            at: find(source),
            next: 0,
            added: FxHashSet::default(),
            everywhere: false,
        }
    }

    /// Lets every part be entered.
    pub(super) fn everywhere() -> MarkPositions {
        MarkPositions {
            at: Vec::new(),
            next: 0,
            added: FxHashSet::default(),
            everywhere: true,
        }
    }

    /// Whether a part contains a position. Parts must be queried in order of their start.
    pub(super) fn any_in(&mut self, part: Range<usize>) -> bool {
        if self.everywhere {
            return true;
        }
        while self
            .at
            .get(self.next)
            .is_some_and(|at| (*at as usize) < part.start)
        {
            self.next += 1;
        }
        self.at
            .get(self.next)
            .is_some_and(|at| (*at as usize) < part.end)
    }

    /// Adds a name that has a meaning from a position on. Returns the number of bytes that were searched for it.
    pub(super) fn add_name(&mut self, source: &str, name: &str, from: usize) -> usize {
        let last = name.rsplit('.').next().unwrap_or(name);
        let rest = source.get(from..).unwrap_or_default();
        // A name that is already known was added from an earlier place.
        if self.everywhere || last.is_empty() || !self.added.insert(last.into()) {
            return 0;
        }
        if self.added.len() > MOST_ADDED {
            self.everywhere = true;
            return 0;
        }
        let bytes = source.as_bytes();
        let is_name = |at: usize| {
            bytes
                .get(at)
                .is_some_and(|b| CLASSES[usize::from(*b)] == NAME)
        };
        let found = rest.match_indices(last).map(|(at, _)| from + at);
        let whole = found.filter(|at| {
            let (before, after) = (at.wrapping_sub(1), at + last.len());
            let is_inside = |a: usize, b: usize| is_name(a) && is_name(b);
            !is_inside(before, *at) && !is_inside(after - 1, after)
        });
        let before = self.at.len();
        self.at.extend(whole.map(|at| at as u32));
        // There are two sorted runs, which this sort merges.
        if self.at.len() > before {
            self.at.sort();
        }
        rest.len()
    }
}

/// A byte of a name.
const NAME: u8 = 1;
/// A quote.
const QUOTE: u8 = 2;

const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let is_name = (byte as u8).is_ascii_alphanumeric() || byte == b'_' as usize || byte >= 128;
        classes[byte] = if is_name { NAME } else { 0 };
        byte += 1;
    }
    classes[b'"' as usize] = QUOTE;
    classes[b'\'' as usize] = QUOTE;
    classes[b'`' as usize] = QUOTE;
    classes
};

fn find(source: &str) -> Vec<u32> {
    let bytes = source.as_bytes();
    let filter = Filter::for_source(source);
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let class = CLASSES[usize::from(bytes[at])];
        at += 1;
        let is_sign = match class {
            NAME => {
                while at < bytes.len() && CLASSES[usize::from(bytes[at])] == NAME {
                    at += 1;
                }
                filter.passes(&bytes[start..at])
            }
            QUOTE => true,
            // Texts without quotes: `%q(…)` of Ruby, `[[…]]` and `[=[…]=]` of Lua.
            _ => match bytes[start] {
                b'%' => bytes.get(at).is_some_and(u8::is_ascii_alphabetic),
                b'[' => matches!(bytes.get(at), Some(b'[' | b'=')),
                _ => false,
            },
        };
        if is_sign {
            found.push(start as u32);
        }
    }
    found
}

/// Hashes of the listed names, and for each first byte the lengths of these names as bits.
struct Listed {
    hashes: FxHashSet<u64>,
    lengths: [u64; 256],
}

static LISTED: LazyLock<Listed> = LazyLock::new(|| {
    let mut listed = Listed {
        hashes: FxHashSet::default(),
        lengths: [0; 256],
    };
    for name in names::all_listed() {
        let name = name.trim_start_matches('$').as_bytes();
        let bit = 1 << name.len().min(63);
        listed.hashes.insert(hash_of(name));
        listed.lengths[usize::from(name[0])] |= bit;
        listed.lengths[usize::from(name[0].to_ascii_uppercase())] |= bit;
    }
    listed
});

/// FNV-1a of a name in lower case.
fn hash_of(name: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| {
        (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x100_0000_01b3)
    };
    name.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// Recognizes names that may have a meaning: those of [`NameClasses`](names::NameClasses) and of clients, and a few
/// more. It runs for every name of a source, so it copies none.
struct Filter {
    listed: &'static Listed,
    /// Whether any name contains `client` or `stub`.
    has_clients: bool,
}

impl Filter {
    fn for_source(source: &str) -> Filter {
        let parts = ["lient", "LIENT", "stub", "Stub", "STUB"];
        Filter {
            listed: &LISTED,
            has_clients: parts.iter().any(|part| source.contains(part)),
        }
    }

    fn passes(&self, name: &[u8]) -> bool {
        let has_length = self.listed.lengths[usize::from(name[0])] >> name.len().min(63) & 1 != 0;
        if has_length && self.listed.hashes.contains(&hash_of(name)) {
            return true;
        }
        let ends_with = |name: &[u8], end: &[u8]| {
            let at = name.len().checked_sub(end.len());
            at.is_some_and(|at| name[at..].eq_ignore_ascii_case(end))
        };
        let stem = match name.len().checked_sub(5) {
            Some(at) if ends_with(name, b"async") => &name[..at],
            _ => name,
        };
        let ends: [&[u8]; 7] = [
            b"request", b"fetch", b"client", b"stub", b"server", b"handler", b"service",
        ];
        ends.iter().any(|end| ends_with(stem, end))
            || name.len() >= 5 && name[..5].eq_ignore_ascii_case(b"fetch")
            || name.starts_with(b"Register")
            || self.has_clients && has_client(name)
    }
}

fn has_client(name: &[u8]) -> bool {
    let has = |part: &[u8]| {
        name.windows(part.len())
            .any(|w| w.eq_ignore_ascii_case(part))
    };
    has(b"client") || has(b"stub")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<&str> {
        let word = |at: &u32| {
            let rest = &source[*at as usize..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            &rest[..end.filter(|end| *end > 0).unwrap_or(1)]
        };
        find(source).iter().map(word).collect()
    }

    #[test]
    fn names_of_calls_and_clients_and_texts_are_signs() {
        let source =
            "let total = axios.get(x) + cartStub.list(y) + sendRequestAsync(z) + sum(total, 'a')";
        assert_eq!(
            found(source),
            ["axios", "get", "cartStub", "sendRequestAsync", "'", "'"]
        );
        assert_eq!(
            found("REGISTER = NEWSERVERS(Register1Handler)"),
            ["REGISTER", "Register1Handler"]
        );
        assert!(found("fn add(a: u32, b: u32) -> u32 { a + b }").is_empty());
    }

    #[test]
    fn every_listed_name_passes_the_filter() {
        let filter = Filter::for_source("");
        for name in names::all_listed() {
            let name = name.trim_start_matches('$');
            assert!(filter.passes(name.as_bytes()), "{name}");
            assert!(
                filter.passes(name.to_ascii_uppercase().as_bytes()),
                "{name}"
            );
        }
    }

    #[test]
    fn parts_are_asked_for_in_order() {
        let source = "get(a); b(c); x.y()";
        let mut signs = MarkPositions::in_source(source);
        assert!(signs.any_in(0..source.len()));
        assert!(signs.any_in(0..7));
        assert!(!signs.any_in(8..13));
        signs.add_name(source, "this.x", 13);
        assert!(signs.any_in(14..19));
        assert!(!signs.any_in(16..19));
    }

    #[test]
    fn a_name_is_looked_for_once_and_as_a_whole_word() {
        let source = format!("b; {}b", "aab a_b b2 ".repeat(1_000));
        let mut signs = MarkPositions::in_source(&source);
        assert_eq!(signs.add_name(&source, "x.b", 1), source.len() - 1);
        assert_eq!(signs.at, [source.len() as u32 - 1]);
        assert_eq!(signs.add_name(&source, "y.b", 2), 0);
        for n in 0..MOST_ADDED {
            assert!(!signs.any_in(0..1), "{n}");
            signs.add_name(&source, &format!("name{n}"), 0);
        }
        assert!(signs.any_in(0..1));
    }
}
