//! Renames within one commit, by content and by name, without reading a blob.

use super::walk::Raw;
use rustc_hash::{FxHashMap, FxHashSet};

/// Pairs of (old path, new path) among the added and removed files of a commit: the same content
/// first, then the same file name where there is only one of it on both sides.
pub(super) fn renames(changes: &[Raw]) -> Vec<(String, String)> {
    let mut removed: Vec<&Raw> = changes.iter().filter(|c| c.is_removed()).collect();
    let mut added: Vec<&Raw> = changes.iter().filter(|c| c.is_added()).collect();
    let mut pairs = Vec::new();
    if removed.is_empty() || added.is_empty() {
        return pairs;
    }
    take_pairs(
        &mut removed,
        &mut added,
        |raw| raw.content.to_vec(),
        &mut pairs,
    );
    take_pairs(&mut removed, &mut added, name_of, &mut pairs);
    pairs
}

fn name_of(raw: &Raw) -> Vec<u8> {
    let name = raw.path.rsplit('/').next().unwrap_or(&raw.path);
    name.as_bytes().to_vec()
}

/// Takes out those whose key is on each side just once.
fn take_pairs(
    removed: &mut Vec<&Raw>,
    added: &mut Vec<&Raw>,
    key: impl Fn(&Raw) -> Vec<u8>,
    pairs: &mut Vec<(String, String)>,
) {
    let old = by_key(removed, &key);
    let new = by_key(added, &key);
    let mut taken: Vec<(&str, &str)> = Vec::new();
    for (key, from) in &old {
        if let ([from], Some([to])) = (from.as_slice(), new.get(key).map(Vec::as_slice)) {
            taken.push((from.path.as_str(), to.path.as_str()));
        }
    }
    taken.sort_unstable();
    let from: FxHashSet<&str> = taken.iter().map(|(from, _)| *from).collect();
    let to: FxHashSet<&str> = taken.iter().map(|(_, to)| *to).collect();
    removed.retain(|r| !from.contains(r.path.as_str()));
    added.retain(|a| !to.contains(a.path.as_str()));
    pairs.extend(taken.into_iter().map(|(a, b)| (a.to_owned(), b.to_owned())));
}

fn by_key<'r>(
    list: &[&'r Raw],
    key: &impl Fn(&Raw) -> Vec<u8>,
) -> FxHashMap<Vec<u8>, Vec<&'r Raw>> {
    let mut map: FxHashMap<Vec<u8>, Vec<&Raw>> = FxHashMap::default();
    for raw in list {
        map.entry(key(raw)).or_default().push(raw);
    }
    map
}
