//! Renames within one commit, by content and by name, without reading a blob.

use super::walk::RawChange;
use rustc_hash::{FxHashMap, FxHashSet};

/// Pairs of (old path, new path) among the added and removed files of a commit: first those with the same content, then
/// those with a file name that is unique on both sides.
pub(super) fn detect_renames(changes: &[RawChange]) -> Vec<(String, String)> {
    let mut removed: Vec<&RawChange> = changes.iter().filter(|c| c.is_removed()).collect();
    let mut added: Vec<&RawChange> = changes.iter().filter(|c| c.is_added()).collect();
    let mut pairs = Vec::new();
    if removed.is_empty() || added.is_empty() {
        return pairs;
    }
    take_unique_pairs(
        &mut removed,
        &mut added,
        |raw| raw.content.to_vec(),
        &mut pairs,
    );
    take_unique_pairs(&mut removed, &mut added, file_name_key, &mut pairs);
    pairs
}

fn file_name_key(raw: &RawChange) -> Vec<u8> {
    let name = raw.path.rsplit('/').next().unwrap_or(&raw.path);
    name.as_bytes().to_vec()
}

/// Removes and returns the changes whose key occurs just once on each side.
fn take_unique_pairs(
    removed: &mut Vec<&RawChange>,
    added: &mut Vec<&RawChange>,
    key: impl Fn(&RawChange) -> Vec<u8>,
    pairs: &mut Vec<(String, String)>,
) {
    let old = group_by_key(removed, &key);
    let new = group_by_key(added, &key);
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

fn group_by_key<'r>(
    list: &[&'r RawChange],
    key: &impl Fn(&RawChange) -> Vec<u8>,
) -> FxHashMap<Vec<u8>, Vec<&'r RawChange>> {
    let mut map: FxHashMap<Vec<u8>, Vec<&RawChange>> = FxHashMap::default();
    for raw in list {
        map.entry(key(raw)).or_default().push(raw);
    }
    map
}
