//! Ids of nodes that Knotwork makes itself.

use std::fmt;

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const WIDTH: usize = 11;

/// A 64-bit fingerprint of a symbol or edge, written as 11 characters of `0-9A-Za-z`.
///
/// It depends on what the symbol is (path, qualified name, kind, ordinal), not on where it stands
/// in its file, so that it survives edits elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u64);

impl NodeId {
    /// The fingerprint of a list of parts. Parts are length-prefixed, so `["ab","c"]` and
    /// `["a","bc"]` differ.
    pub fn of(parts: &[&[u8]]) -> NodeId {
        let mut hasher = blake3::Hasher::new();
        for part in parts {
            hasher.update(&(part.len() as u32).to_le_bytes());
            hasher.update(part);
        }
        let mut first = [0u8; 8];
        first.copy_from_slice(&hasher.finalize().as_bytes()[..8]);
        NodeId(u64::from_le_bytes(first))
    }

    /// The 11 characters, without an allocation.
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
    fn ids_keep_parts_apart_and_have_one_width() {
        assert_ne!(NodeId::of(&[b"ab", b"c"]), NodeId::of(&[b"a", b"bc"]));
        assert_eq!(NodeId(0).to_string(), "00000000000");
        assert_eq!(NodeId(u64::MAX).to_string().len(), 11);
        assert_ne!(
            NodeId(u64::MAX).to_string(),
            NodeId(u64::MAX - 1).to_string()
        );
    }
}
