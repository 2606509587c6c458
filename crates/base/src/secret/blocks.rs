//! Texts of several lines within a program: literals, heredocs and comments. Configuration in them has values without
//! quotes, as in a file of its own.
//!
//! The signs of all languages are tried, since only the text is known. So a beginning must be unmistakable, and it counts
//! only if its end is not far.

use memchr::memmem;
use std::ops::Range;

/// Most bytes between the beginning and the end of a block.
const LONGEST: usize = 64 << 10;
/// Bytes that may be searched in vain, for each byte of the text.
const IN_VAIN: usize = 8;

/// The blocks of a program, in order.
pub(super) fn find_blocks(text: &str) -> Vec<Range<usize>> {
    let mut finder = Finder {
        bytes: text.as_bytes(),
        left: IN_VAIN * text.len() + LONGEST,
    };
    let (mut blocks, mut at) = (Vec::new(), 0);
    let signs = |b: &u8| matches!(b, b'"' | b'\'' | b'`' | b'<' | b'/' | b'[' | b'=');
    while let Some(next) = finder.bytes[at..].iter().position(signs) {
        at += next;
        let found = finder.block_at(at);
        let end = found.as_ref().map_or(at + 1, |block| block.end);
        // A block on one line is no block, but its end begins none.
        let lines = |block: &Range<usize>| finder.bytes[block.clone()].contains(&b'\n');
        blocks.extend(found.filter(lines));
        at = end.max(at + 1);
    }
    blocks
}

struct Finder<'t> {
    bytes: &'t [u8],
    left: usize,
}

impl Finder<'_> {
    /// The block that begins with the sign at that position: its body, and the sign that ends it.
    fn block_at(&mut self, at: usize) -> Option<Range<usize>> {
        let rest = &self.bytes[at..];
        match rest[0] {
            quote @ (b'"' | b'\'') if rest.starts_with(&[quote; 3]) => {
                self.until(at + 3, &[quote; 3])
            }
            b'"' => self.raw_literal(at).or_else(|| self.open_literal(at)),
            b'`' if !self.is_comment_line(at) => self.until(at + 1, b"`"),
            b'<' if rest.starts_with(b"<<") => self.heredoc(at),
            b'/' if rest.starts_with(b"/*") && self.is_apart(at) => self.until(at + 2, b"*/"),
            b'[' if rest.starts_with(b"[[") && self.is_apart(at) => self.until(at + 2, b"]]"),
            b'=' if rest.starts_with(b"=begin") && self.begins_line(at) => {
                self.until(at + 6, b"\n=end")
            }
            _ => None,
        }
    }

    fn until(&mut self, from: usize, sign: &[u8]) -> Option<Range<usize>> {
        if self.left == 0 {
            return None;
        }
        let stop = self.bytes.len().min(from + LONGEST);
        match memmem::find(&self.bytes[from..stop], sign) {
            Some(length) => Some(from..from + length + sign.len()),
            None => {
                self.left = self.left.saturating_sub(stop - from);
                None
            }
        }
    }

    /// `r#"…"#`, `R"x(…)x"`.
    fn raw_literal(&mut self, at: usize) -> Option<Range<usize>> {
        let before = &self.bytes[at.saturating_sub(9)..at];
        let hashes = before.iter().rev().take_while(|b| **b == b'#').count();
        let letter = before.len().checked_sub(hashes + 1).map(|at| before[at]);
        if hashes > 0 && letter == Some(b'r') {
            let mut sign = vec![b'"'];
            sign.resize(hashes + 1, b'#');
            return self.until(at + 1, &sign);
        }
        if letter != Some(b'R') || hashes > 0 {
            return None;
        }
        let name = &self.bytes[at + 1..self.bytes.len().min(at + 18)];
        let name = &name[..name.iter().position(|b| *b == b'(')?];
        let sign = [b")", name, b"\""].concat();
        self.until(at + 2 + name.len(), &sign)
    }

    /// A literal whose first line is empty: `"` at the end of its line.
    fn open_literal(&mut self, at: usize) -> Option<Range<usize>> {
        let behind = self.bytes[at + 1..]
            .strip_prefix(b"\\")
            .unwrap_or(&self.bytes[at + 1..]);
        let ends_line = behind.starts_with(b"\n") || behind.starts_with(b"\r\n");
        let line = &self.bytes[self.line_start(at)..at];
        let quotes = line.iter().filter(|b| **b == b'"').count();
        if !ends_line || quotes % 2 != 0 || !self.is_apart(at) || self.is_comment_line(at) {
            return None;
        }
        let mut from = at + 1;
        loop {
            let block = self.until(from, b"\"")?;
            let slashes = self.bytes[at..block.end - 1].iter().rev().take(64);
            let slashes = slashes.take_while(|b| **b == b'\\').count();
            if slashes % 2 == 0 {
                return Some(at + 1..block.end);
            }
            self.left = self.left.saturating_sub(block.len());
            if block.end - at > LONGEST {
                return None;
            }
            from = block.end;
        }
    }

    /// `<<EOF`, `<<~'EOF'`, `<<<EOT`: up to the line that repeats the word.
    fn heredoc(&mut self, at: usize) -> Option<Range<usize>> {
        let head = &self.bytes[at..self.bytes.len().min(at + 64)];
        let opened = head
            .iter()
            .position(|b| !matches!(b, b'<' | b'-' | b'~' | b'"' | b'\''))?;
        let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let length = head[opened..].iter().take_while(|b| word(b)).count();
        let tag = &head[opened..opened + length];
        if length < 2 || tag[0].is_ascii_digit() {
            return None;
        }
        let mut from = at + opened + length;
        from += memchr::memchr(b'\n', &self.bytes[from..self.bytes.len().min(from + 512)])?;
        let start = from;
        loop {
            let found = self.until(from, tag)?;
            let line = self.line_start(found.end - tag.len());
            let before = &self.bytes[line..found.end - tag.len()];
            let behind = self.bytes.get(found.end);
            let is_end = before.trim_ascii().is_empty() && !behind.is_some_and(word);
            if is_end && line > start {
                return Some(start..found.end);
            }
            self.left = self.left.saturating_sub(found.end - from);
            if found.end - start > LONGEST {
                return None;
            }
            from = found.end;
        }
    }

    fn line_start(&self, at: usize) -> usize {
        let from = at.saturating_sub(512);
        let end = self.bytes[from..at].iter().rposition(|b| *b == b'\n');
        end.map_or(from, |end| from + end + 1)
    }

    fn begins_line(&self, at: usize) -> bool {
        at == 0 || self.bytes[at - 1] == b'\n'
    }

    /// Whether the sign does not continue a word or another sign, as in `*/*` and `src/*`.
    fn is_apart(&self, at: usize) -> bool {
        let apart = |b: &u8| {
            b.is_ascii_whitespace()
                || matches!(b, b'=' | b'(' | b',' | b'{' | b';' | b')' | b'-' | b':')
        };
        at == 0 || apart(&self.bytes[at - 1])
    }

    /// Whether the line is a comment: signs in prose have no partners.
    fn is_comment_line(&self, at: usize) -> bool {
        let line = self.bytes[self.line_start(at)..at].trim_ascii_start();
        [&b"//"[..], b"#", b"*", b"--", b"/*"]
            .iter()
            .any(|sign| line.starts_with(sign))
            || memmem::find(line, b" // ").is_some()
    }
}
