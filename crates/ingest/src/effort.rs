//! Limits the effort of unpacking objects, which is estimated beforehand.
//!
//! A pack stores most objects as deltas. A delta is the difference from another object, its base, which may itself be a
//! delta. To read the last object of such a chain, every intermediate result is built in full, however small the last
//! one is. Before the library resolves a delta, this module therefore reads the sizes of its base and its result from
//! its header. A delta larger than git would write is not resolved, and the sum for one question is limited.

use base::Cancel;
use gix::odb::pack;
use gix::odb::pack::Find;
use gix::zlib::{Decompress, FlushDecompress, Status};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::time::Instant;

/// Longest chain of deltas. Git makes 50, and no more than this if configured.
const MOST_DELTAS: u64 = 4_095;
/// Most bytes of all objects that a chain builds: 50 versions of the largest text that is read take 200 MB.
const MOST_CHAIN: u64 = 512 << 20;
/// Cost of a delta in addition to the bytes that it produces.
const PER_DELTA: u64 = 4 << 10;
/// Reading a byte of a delta takes as long as copying this many bytes.
const PER_BYTE: u64 = 16;
/// Decompressing a byte of the first base takes as long as copying this many bytes.
const PER_BASE_BYTE: u64 = 8;
/// Chains up to this cost are free; most objects of ordinary projects need no more.
const LIGHT: u64 = 512 << 10;
/// Git writes no delta larger than its result, but the header takes some bytes.
const DELTA_HEAD: u64 = 64;
/// Limit for a history, in bytes copied or work of the same duration.
const MOST_FOR_HISTORY: u64 = 32 << 30;
/// Limit for a comparison, in the same unit.
const MOST_FOR_COMPARISON: u64 = 8 << 30;
/// Bytes of a pack that are read first; most deltas are shorter.
const FIRST_LOOK: u64 = 512;
const LONGEST_LOOK: u64 = 256 << 10;

/// The effort that is left for unpacking objects, for one question.
#[derive(Debug)]
pub(crate) struct Effort {
    left: AtomicU64,
    cancel: Cancel,
    until: Option<Instant>,
    refused: AtomicU8,
}

/// Why an object was refused; the first reason is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refused {
    Chain = 1,
    Spent = 2,
}

impl Effort {
    /// The effort for a history; it can be cancelled.
    pub(crate) fn for_history(cancel: &Cancel, until: Option<Instant>) -> Arc<Effort> {
        Effort::with_limit(MOST_FOR_HISTORY, cancel, until)
    }

    /// The effort for a comparison of two states.
    pub(crate) fn for_comparison(cancel: &Cancel) -> Arc<Effort> {
        Effort::with_limit(MOST_FOR_COMPARISON, cancel, None)
    }

    fn with_limit(most: u64, cancel: &Cancel, until: Option<Instant>) -> Arc<Effort> {
        Arc::new(Effort {
            left: AtomicU64::new(most),
            cancel: cancel.clone(),
            until,
            refused: AtomicU8::new(0),
        })
    }

    /// Why the first refused object was not unpacked.
    pub(crate) fn reason(&self) -> Option<String> {
        match self.refused.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(format!(
                "an object is packed as no git packs it: as more than {MOST_DELTAS} differences on top of each other, or such as make more than {} MB on their way; `git repack -adf` packs anew",
                MOST_CHAIN >> 20
            )),
            _ => Some(
                "its objects take more to unpack than may be spent on one question; `git repack -adf` packs anew"
                    .to_owned(),
            ),
        }
    }

    /// Whether all of it was spent.
    pub(crate) fn is_spent(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }

    /// Whether no object may be unpacked any more, however small.
    fn is_over(&self) -> bool {
        self.is_spent() || self.is_late()
    }

    fn is_late(&self) -> bool {
        self.cancel.is_set() || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Spends a part of the effort; returns whether some is left.
    fn spend(&self, cost: u64) -> bool {
        let less = |left: u64| Some(left.saturating_sub(cost));
        let before = self
            .left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
        if before.unwrap_or_else(|left| left) > cost {
            return true;
        }
        self.refuse(Refused::Spent);
        false
    }

    fn refuse(&self, why: Refused) {
        let order = Ordering::Relaxed;
        let _ = self.refused.compare_exchange(0, why as u8, order, order);
    }
}

/// Counts the effort for all objects of a repository.
pub(crate) fn count(repo: &mut gix::Repository, effort: &Arc<Effort>) {
    // Packs stay loaded while they are read, even if git repacks meanwhile.
    repo.objects.prevent_pack_unload();
    let (store, effort) = (repo.objects.store(), effort.clone());
    repo.objects.set_pack_cache(move || {
        Box::new(Counted {
            effort: effort.clone(),
            packs: Packs::new(store.clone()),
            chain: Chain::default(),
        })
    });
}

type Store = gix::odb::Store;
type Handle = gix::odb::store::Handle<Arc<Store>>;

/// The current chain of deltas.
#[derive(Default)]
struct Chain {
    deltas: u64,
    /// Total bytes of all bases so far.
    bytes: u64,
    cost: u64,
    /// Size of the next base, in bytes.
    base: u64,
}

/// A wrapper for the library's cache of unpacked objects. The library asks it for each delta, from the last one down to
/// the base, before it resolves any of them. It stores no object.
struct Counted {
    effort: Arc<Effort>,
    packs: Packs,
    chain: Chain,
}

impl Counted {
    /// Whether a delta may be resolved, together with the deltas before it.
    fn may_resolve(&mut self, pack: u32, at: u64) -> bool {
        if self.effort.is_over() {
            return false;
        }
        let Some(delta) = self.packs.delta(pack, at) else {
            self.effort.refuse(Refused::Chain);
            return false;
        };
        // This is another object: the previous one had no delta left, or could not be read.
        if self.chain.deltas > 0 && self.chain.base != delta.result {
            self.chain = Chain::default();
        }
        let chain = &mut self.chain;
        let counted = chain.cost.saturating_sub(LIGHT);
        chain.deltas += 1;
        chain.base = delta.base;
        chain.bytes = chain.bytes.saturating_add(delta.base);
        chain.cost += PER_DELTA + PER_BYTE * delta.length;
        chain.cost = chain.cost.saturating_add(delta.base);
        if chain.deltas > MOST_DELTAS || chain.bytes > MOST_CHAIN {
            self.effort.refuse(Refused::Chain);
            return false;
        }
        self.effort
            .spend(chain.cost.saturating_sub(LIGHT) - counted)
    }
}

impl pack::cache::DecodeEntry for Counted {
    fn put(&mut self, _: u32, _: u64, _: &[u8], _: gix::objs::Kind, _: usize) {
        let chain = std::mem::take(&mut self.chain);
        let base = PER_BASE_BYTE.saturating_mul(chain.base);
        self.effort.spend(base.saturating_sub(LIGHT));
    }

    fn get(&mut self, pack: u32, at: u64, out: &mut Vec<u8>) -> Option<(gix::objs::Kind, usize)> {
        if self.may_resolve(pack, at) {
            return None;
        }
        // An empty base fits no delta, and an empty tag is never requested: either is an error.
        self.chain = Chain::default();
        out.clear();
        Some((gix::objs::Kind::Tag, 0))
    }
}

/// Header of a delta.
struct Delta {
    base: u64,
    result: u64,
    /// Bytes of the delta itself, decompressed.
    length: u64,
}

/// The bytes of packs.
struct Packs {
    store: Arc<Store>,
    handle: Option<Handle>,
    /// Numbers of the packs that the handle knows.
    known: BTreeSet<u32>,
    /// End of each pack that was looked up.
    ends: BTreeMap<u32, u64>,
    inflate: Decompress,
}

impl Packs {
    fn new(store: Arc<Store>) -> Packs {
        Packs {
            store,
            handle: None,
            known: BTreeSet::new(),
            ends: BTreeMap::new(),
            inflate: Decompress::new(),
        }
    }

    /// The delta whose data begin there; `None` if they are damaged, or if it is larger than its result.
    fn delta(&mut self, pack: u32, at: u64) -> Option<Delta> {
        self.inflate.reset();
        let mut head: Vec<u8> = Vec::new();
        let mut made: Option<(u64, u64)> = None;
        let mut look = FIRST_LOOK;
        let mut out = [0; 4 << 10];
        loop {
            let (read, written) = (self.inflate.total_in(), self.inflate.total_out());
            let bytes = self.bytes(pack, at.checked_add(read)?, look)?;
            look = (8 * look).min(LONGEST_LOOK);
            let mut input = bytes.as_slice();
            loop {
                let (had, wrote) = (self.inflate.total_in(), self.inflate.total_out());
                let flush = FlushDecompress::None;
                let status = self.inflate.decompress(input, &mut out, flush).ok()?;
                input = input.get((self.inflate.total_in() - had) as usize..)?;
                let new = (self.inflate.total_out() - wrote) as usize;
                if made.is_none() {
                    head.extend_from_slice(out.get(..new)?);
                    made = sizes(&head);
                }
                let length = self.inflate.total_out();
                if made.is_none() && length > DELTA_HEAD {
                    return None;
                }
                if made.is_some_and(|(_, result)| length > result.saturating_add(DELTA_HEAD)) {
                    return None;
                }
                if status == Status::StreamEnd {
                    let (base, result) = made?;
                    return Some(Delta {
                        base,
                        result,
                        length,
                    });
                }
                if new == 0 {
                    break;
                }
            }
            let is_stuck = self.inflate.total_in() == read && self.inflate.total_out() == written;
            if is_stuck {
                return None;
            }
        }
    }

    /// Bytes of a pack from there: as many as wanted, or as the pack has.
    fn bytes(&mut self, pack: u32, at: u64, wanted: u64) -> Option<Vec<u8>> {
        let end = self.ends.get(&pack).copied().unwrap_or(u64::MAX);
        let wanted = wanted.min(end.saturating_sub(at));
        if let Some(bytes) = self.slice(pack, at, wanted) {
            return Some(bytes);
        }
        let (mut low, mut high) = (0, wanted);
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match self.slice(pack, at, middle) {
                Some(_) => low = middle,
                None => high = middle,
            }
        }
        self.ends.insert(pack, at + low);
        self.slice(pack, at, low)
    }

    fn slice(&mut self, pack: u32, at: u64, length: u64) -> Option<Vec<u8>> {
        // A handle only knows the packs that existed when it was made.
        if self.known.insert(pack) || self.handle.is_none() {
            let mut handle = self.store.to_handle();
            handle.prevent_pack_unload();
            self.handle = Some(handle);
        }
        let place = pack::data::entry::Location {
            pack_id: pack,
            pack_offset: at,
            entry_size: length as usize,
        };
        Some(self.handle.as_ref()?.entry_by_location(&place)?.data)
    }
}

/// The two numbers at the beginning of a delta: bytes of its base and of its result.
fn sizes(head: &[u8]) -> Option<(u64, u64)> {
    let mut bytes = head.iter();
    let mut number = || {
        let (mut value, mut shift) = (0_u64, 0);
        for byte in bytes.by_ref() {
            value |= u64::from(byte & 127).checked_shl(shift)?;
            shift += 7;
            if byte & 128 == 0 {
                return Some(value);
            }
        }
        None
    };
    Some((number()?, number()?))
}

#[cfg(test)]
mod tests;
