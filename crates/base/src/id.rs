//! Ids of nodes and edges.

use std::fmt;

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// Characters of the longest text.
const WIDTH: usize = 10;

/// A 64-bit fingerprint of a list of parts. Parts are length-prefixed, so `["ab","c"]` and `["a","bc"]` differ.
pub fn fingerprint(parts: &[&[u8]]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for part in parts {
        hasher.update(&(part.len() as u32).to_le_bytes());
        hasher.update(part);
    }
    let mut first = [0u8; 8];
    first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
    u64::from_le_bytes(first)
}

/// Numbers below this take three characters, the rest five.
const SMALL: u32 = 61 * 62 * 62;
const LARGE: u32 = 62 * 62 * 62 * 62;

/// A number for a hash: a small one, unless there are so `many` that small ones would often collide.
fn reduce_hash(hash: u64, many: bool) -> u32 {
    if many {
        SMALL + (hash % u64::from(LARGE)) as u32
    } else {
        (hash % u64::from(SMALL)) as u32
    }
}

/// The next number with the same number of characters; the first one follows the last.
fn next_number(number: u32) -> u32 {
    if number < SMALL {
        (number + 1) % SMALL
    } else {
        SMALL + (number - SMALL + 1) % LARGE
    }
}

/// The key of a file among the files of its repository: the first half of the ids of all its nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FileKey(u32);

impl FileKey {
    /// Keys and local numbers are below this.
    pub const LIMIT: u32 = SMALL + LARGE;
    /// Number of files, or of nodes in one file, above which numbers are `many`.
    pub const FEW: usize = SMALL as usize / 16;

    /// The key for a number; numbers are taken modulo [`FileKey::LIMIT`].
    pub fn new(number: u64) -> FileKey {
        FileKey((number % u64::from(FileKey::LIMIT)) as u32)
    }

    /// The key for a hash in a repository of `many` files or few.
    pub fn from_hash(hash: u64, many: bool) -> FileKey {
        FileKey(reduce_hash(hash, many))
    }

    /// The key after this one; the first follows the last.
    pub fn next(self) -> FileKey {
        FileKey(next_number(self.0))
    }
}

/// The id of a node or edge, written in characters of `0-9A-Za-z`: three for its file and three for itself. A number
/// that does not fit into three characters is written as five that begin with `z`, so every text has only one meaning.
///
/// The id depends on the symbol itself (path, qualified name, kind, ordinal) and not on its position in the file. It
/// therefore survives edits elsewhere, unless two ids collide. Ids of one file are neighbours in every index over ids.
/// survives edits elsewhere, unless two ids collide. Ids of one file lie together in every index over ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct NodeId(u64);

impl NodeId {
    /// The id of the local number `local` (below [`FileKey::LIMIT`]) in a file.
    pub fn new(file: FileKey, local: u32) -> NodeId {
        NodeId(u64::from(file.0) * u64::from(FileKey::LIMIT) + u64::from(local % FileKey::LIMIT))
    }

    /// The local number for a hash in a file of `many` or few.
    pub fn local_from_hash(hash: u64, many: bool) -> u32 {
        reduce_hash(hash, many)
    }

    /// The local number after that one; the first follows the last.
    pub fn next_local(local: u32) -> u32 {
        next_number(local)
    }

    /// The file of the node.
    pub fn file(self) -> FileKey {
        FileKey((self.0 / u64::from(FileKey::LIMIT)) as u32)
    }

    /// The id as a number below the square of [`FileKey::LIMIT`].
    pub fn number(self) -> u64 {
        self.0
    }

    /// Its characters, without an allocation. Ids and their texts have the same order.
    pub fn to_text(self) -> IdText {
        let mut text = IdText {
            bytes: [0; WIDTH],
            length: 0,
        };
        text.push_base62(self.file().0);
        text.push_base62((self.0 % u64::from(FileKey::LIMIT)) as u32);
        text
    }
}

/// The written form of a [`NodeId`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdText {
    bytes: [u8; WIDTH],
    length: u8,
}

impl IdText {
    /// The id as a string slice.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.bytes[..usize::from(self.length)]).unwrap_or_default()
    }

    fn push_base62(&mut self, number: u32) {
        let (digits, mut rest) = match number.checked_sub(SMALL) {
            None => (3, number),
            Some(large) => {
                self.bytes[usize::from(self.length)] = DIGITS[61];
                self.length += 1;
                (4, large)
            }
        };
        let from = usize::from(self.length);
        for slot in self.bytes[from..from + digits].iter_mut().rev() {
            *slot = DIGITS[(rest % 62) as usize];
            rest /= 62;
        }
        self.length += digits as u8;
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.to_text().as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_kept_apart() {
        assert_ne!(fingerprint(&[b"ab", b"c"]), fingerprint(&[b"a", b"bc"]));
    }

    #[test]
    fn ids_have_the_order_of_their_texts() {
        let last = FileKey::new(u64::from(FileKey::LIMIT) - 1);
        let file = FileKey::from_hash(u64::MAX, false);
        let ids = [
            NodeId::new(FileKey::new(0), 0),
            NodeId::new(FileKey::new(0), SMALL - 1),
            NodeId::new(FileKey::new(0), SMALL),
            NodeId::new(FileKey::new(0), FileKey::LIMIT - 1),
            NodeId::new(FileKey::new(1), 0),
            NodeId::new(file, 7),
            NodeId::new(FileKey::from_hash(0, true), 7),
            NodeId::new(last, FileKey::LIMIT - 1),
        ];
        assert!(ids.is_sorted());
        let texts = ids.map(|id| id.to_string());
        assert!(texts.is_sorted(), "{texts:?}");
        assert_eq!(texts[0], "000000");
        assert_eq!(texts[1], "000yzz");
        assert_eq!(texts[2], "000z0000");
        assert_eq!(texts[7], "zzzzzzzzzz");
        assert_eq!(ids[5].file(), file);
    }

    #[test]
    fn the_number_after_the_last_is_the_first_of_its_length() {
        assert_eq!(NodeId::next_local(SMALL - 1), 0);
        assert_eq!(NodeId::next_local(FileKey::LIMIT - 1), SMALL);
        assert_eq!(NodeId::next_local(4), 5);
        assert!(FileKey::from_hash(u64::MAX, true).next() > FileKey::from_hash(u64::MAX, false));
    }
}
