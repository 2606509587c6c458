//! Searches the captured outputs and files for planted values.

use super::formats::Planted;
use std::path::Path;

/// All captured outputs and files.
pub(super) struct Hay {
    /// Each origin with its bytes. Decompressed parts of a file are entries of their own.
    all: Vec<(String, Vec<u8>)>,
}

impl Hay {
    pub(super) fn new(kept: Vec<(String, Vec<u8>)>) -> Hay {
        let mut all = Vec::with_capacity(kept.len());
        for (what, bytes) in kept {
            let open = unpacked(&bytes);
            all.extend(
                open.into_iter()
                    .map(|bytes| (format!("{what} (unpacked)"), bytes)),
            );
            all.push((what, bytes));
        }
        Hay { all }
    }

    /// The first place where a value can be read, without origins that begin with `but`.
    pub(super) fn first(&self, planted: &Planted, but: &str) -> Option<String> {
        let read = |(what, bytes): &&(String, Vec<u8>)| {
            !what.starts_with(but) && planted.spellings.iter().any(|value| is_in(value, bytes))
        };
        self.all.iter().find(read).map(|(what, _)| what.clone())
    }
}

/// The decompressed parts of a file with zstd frames.
fn unpacked(bytes: &[u8]) -> Vec<Vec<u8>> {
    const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(next) = bytes[at..].windows(4).position(|four| four == MAGIC) {
        at += next;
        all.extend(zstd::stream::decode_all(&bytes[at..]).or_else(|_| first_frame(&bytes[at..])));
        at += 4;
    }
    all
}

fn first_frame(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut out = Vec::new();
    let mut decoder = zstd::stream::Decoder::new(bytes)?.single_frame();
    std::io::copy(&mut decoder, &mut out)?;
    Ok(out)
}

/// Whether at least six tenths of a value occur in one piece, in any letter case.
pub(super) fn is_in(value: &str, bytes: &[u8]) -> bool {
    let value = value.as_bytes();
    let length = (value.len() * 6 / 10).max(6).min(value.len());
    // Any piece of that length contains the middle of the value.
    let middle = &value[value.len() - length..length.max(value.len() - length + 1)];
    let mut at = 0;
    while let Some(next) = find(&bytes[at..], middle) {
        let here = at + next;
        if run_around(value, value.len() - length, bytes, here) >= length {
            return true;
        }
        at = here + 1;
    }
    false
}

/// The length of the longest common piece around a position: byte `from` of the value stands at
/// `at`.
fn run_around(value: &[u8], from: usize, bytes: &[u8], at: usize) -> usize {
    let before = value[..from].iter().rev().zip(bytes[..at].iter().rev());
    let behind = value[from..].iter().zip(&bytes[at..]);
    let same = |(a, b): &(&u8, &u8)| a.eq_ignore_ascii_case(b);
    before.take_while(same).count() + behind.take_while(same).count()
}

fn find(bytes: &[u8], word: &[u8]) -> Option<usize> {
    let (low, high) = (word[0].to_ascii_lowercase(), word[0].to_ascii_uppercase());
    let mut places = memchr::memchr2_iter(low, high, bytes);
    places.find(|at| {
        bytes
            .get(*at..at + word.len())
            .is_some_and(|here| here.eq_ignore_ascii_case(word))
    })
}

/// All files below a folder, with their bytes.
pub(super) fn files(what: &str, folder: &Path) -> Vec<(String, Vec<u8>)> {
    let walk = ignore::WalkBuilder::new(folder)
        .standard_filters(false)
        .build();
    let files = walk
        .filter_map(Result::ok)
        .filter(|entry| entry.file_type().is_some_and(|t| t.is_file()));
    files
        .filter_map(|entry| {
            let name = entry
                .path()
                .strip_prefix(folder)
                .ok()?
                .display()
                .to_string();
            Some((format!("{what} {name}"), std::fs::read(entry.path()).ok()?))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_tenths_in_a_row_are_readable() {
        for (text, read) in [
            ("x = h0rse-b4ttery!", true),
            ("x = H0RSE-B4TTERY", true),
            ("x = **rse-b4tt****", true),
            ("x = h0rse*****ery!", false),
            ("x = h0rsehorse", false),
            ("", false),
        ] {
            assert_eq!(is_in("h0rse-b4ttery!", text.as_bytes()), read, "{text}");
        }
        let packed = zstd::stream::encode_all(&b"x = h0rse-b4ttery!"[..], 3).unwrap();
        let hay = Hay::new(vec![("a".to_owned(), [b"head".to_vec(), packed].concat())]);
        assert!(
            hay.all
                .iter()
                .any(|(_, bytes)| is_in("h0rse-b4ttery!", bytes))
        );
    }
}
