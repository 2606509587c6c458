//! Ids of nodes and edges that Knotwork makes itself.

use std::fmt;

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const WIDTH: usize = 8;

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

/// The key of a file among the files of its repository: the first half of the ids of all that stands in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct FileKey(u32);

impl FileKey {
    /// Keys and local numbers are below this.
    pub const LIMIT: u32 = 62 * 62 * 62 * 62;

    /// The key for a number; only what lies below [`FileKey::LIMIT`] counts.
    pub fn new(number: u64) -> FileKey {
        FileKey((number % u64::from(FileKey::LIMIT)) as u32)
    }

    /// The key after this one, round the end.
    pub fn next(self) -> FileKey {
        FileKey((self.0 + 1) % FileKey::LIMIT)
    }
}

/// The id of a node or edge, written as eight characters of `0-9A-Za-z`: four for the file in which it
/// stands and four for itself.
///
/// It depends on what the symbol is (path, qualified name, kind, ordinal), not on where it stands in its file, so
/// that it survives edits elsewhere. What belongs to one file lies together in every index over ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct NodeId(u64);

impl NodeId {
    /// The id of the local number `local` (below [`FileKey::LIMIT`]) in a file.
    pub fn new(file: FileKey, local: u32) -> NodeId {
        NodeId(u64::from(file.0) * u64::from(FileKey::LIMIT) + u64::from(local % FileKey::LIMIT))
    }

    /// The file in which it stands.
    pub fn file(self) -> FileKey {
        FileKey((self.0 / u64::from(FileKey::LIMIT)) as u32)
    }

    /// As a number below 62⁸.
    pub fn number(self) -> u64 {
        self.0
    }

    /// The eight characters, without an allocation. Ids and their texts have the same order.
    pub fn to_text(self) -> IdText {
        let mut text = [b'0'; WIDTH];
        let mut rest = self.0;
        for slot in text.iter_mut().rev() {
            *slot = DIGITS[(rest % 62) as usize];
            rest /= 62;
        }
        IdText(text)
    }
}

/// The written form of a [`NodeId`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdText([u8; WIDTH]);

impl IdText {
    /// The id as a string slice.
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
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
    fn ids_have_one_width_and_the_order_of_their_texts() {
        let file = FileKey::new(u64::MAX);
        let ids = [
            NodeId::new(FileKey::new(0), 0),
            NodeId::new(FileKey::new(0), FileKey::LIMIT - 1),
            NodeId::new(FileKey::new(1), 0),
            NodeId::new(file, 7),
            NodeId::new(FileKey::new(u64::from(FileKey::LIMIT) - 1), 9),
        ];
        assert!(ids.is_sorted());
        let texts = ids.map(|id| id.to_string());
        assert!(texts.is_sorted() && texts.iter().all(|t| t.len() == 8));
        assert_eq!(ids[3].file(), file);
        assert_eq!(
            FileKey::new(u64::from(FileKey::LIMIT) - 1).next(),
            FileKey::new(0)
        );
    }
}
