//! Turns bytes into text, and classifies the file.

mod minified;

use base::secret::{self, TextKind};
pub use minified::is_minified;

/// Result of decoding a source file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decoded {
    /// Text.
    Text(String),
    /// Not text; skipped for that reason.
    Not(&'static str),
}

/// Decodes UTF-8 (with or without mark), UTF-16 with mark, and otherwise Latin-1. Bytes with NUL
/// are binary.
pub fn decode(bytes: Vec<u8>) -> Decoded {
    if let Some(rest) = bytes.strip_prefix(&[0xFF, 0xFE]) {
        return decode_utf16(rest, u16::from_le_bytes);
    }
    if let Some(rest) = bytes.strip_prefix(&[0xFE, 0xFF]) {
        return decode_utf16(rest, u16::from_be_bytes);
    }
    if bytes.iter().take(8192).any(|b| *b == 0) {
        return Decoded::Not("binary");
    }
    match String::from_utf8(bytes) {
        Ok(text) => Decoded::Text(match text.strip_prefix('\u{feff}') {
            // Replaced by spaces, so that positions stay those of the file.
            Some(rest) => format!("   {rest}"),
            None => text,
        }),
        Err(error) => Decoded::Text(error.into_bytes().into_iter().map(char::from).collect()),
    }
}

/// Decodes a file of a project, with its likely secrets masked. Positions stay those of the file.
pub fn decode_masked(path: &str, bytes: Vec<u8>) -> Decoded {
    match decode(bytes) {
        Decoded::Text(text) => Decoded::Text(secret::mask_secrets(text, TextKind::from_path(path))),
        other => other,
    }
}

fn decode_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Decoded {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let text: String = char::decode_utf16(units)
        .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    if text.contains('\0') {
        Decoded::Not("binary")
    } else {
        Decoded::Text(text)
    }
}

/// File role: `test`, `generated`, `vendor` or `user`. `generated` tells whether its header says that it is generated.
pub fn file_role(path: &str, generated: bool) -> &'static str {
    let lower = path.to_ascii_lowercase();
    let mut folders = lower.split('/').collect::<Vec<_>>();
    let name = folders.pop().unwrap_or("");
    let in_folder = |names: &[&str]| folders.iter().any(|f| names.contains(f));
    if in_folder(&[
        "vendor",
        "third_party",
        "third-party",
        "thirdparty",
        "bower_components",
    ]) {
        return "vendor";
    }
    let named = name.contains(".generated.")
        || name.contains(".gen.")
        || name.ends_with(".pb.go")
        || name.ends_with("_pb2.py")
        || name.contains(".min.");
    if named || generated {
        return "generated";
    }
    if base::is_test_path(path) {
        return "test";
    }
    "user"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_gives_text_and_binary_does_not() {
        assert_eq!(
            decode(b"caf\xc3\xa9".to_vec()),
            Decoded::Text("café".into())
        );
        assert_eq!(decode(b"caf\xe9".to_vec()), Decoded::Text("café".into()));
        assert_eq!(
            decode(b"\xff\xfea\0b\0".to_vec()),
            Decoded::Text("ab".into())
        );
        assert_eq!(
            decode(b"\xfe\xff\0a\0b".to_vec()),
            Decoded::Text("ab".into())
        );
        assert_eq!(decode(b"\x7fELF\0\0".to_vec()), Decoded::Not("binary"));
        assert_eq!(
            decode(b"\xef\xbb\xbfx = 1".to_vec()),
            Decoded::Text("   x = 1".into())
        );
    }

    #[test]
    fn the_role_of_a_file_shows_in_its_path_and_header() {
        assert_eq!(file_role("src/a.ts", false), "user");
        assert_eq!(file_role("src/a.test.ts", false), "test");
        assert_eq!(file_role("vendor/x/y.go", false), "vendor");
        assert_eq!(file_role("x.go", true), "generated");
    }
}
