//! Mends macros around definitions of Objective-C, which the grammar does not know: `typedef NS_ENUM(NSInteger, A) {`,
//! `NS_ASSUME_NONNULL_BEGIN`, `FOUNDATION_EXPORT`, `- (void)m API_DEPRECATED("n");`.

use crate::conditions::blank;

/// Macros whose second argument is the name of an enum.
const ENUMS: [&str; 6] = [
    "NS_ENUM",
    "NS_OPTIONS",
    "NS_CLOSED_ENUM",
    "NS_ERROR_ENUM",
    "CF_ENUM",
    "CF_OPTIONS",
];

/// Most bytes of a macro's arguments.
const MOST_ARGUMENTS: usize = 1_000;

/// The source with these macros replaced; `None` if it has none.
pub(super) fn mend(source: &str) -> Option<String> {
    let mut text = source.as_bytes().to_vec();
    let mut at = 0;
    let mut has_changed = false;
    for line in source.split_inclusive('\n') {
        if !line.trim_start().starts_with('#') {
            has_changed |= mend_line(source, (at, at + line.len()), &mut text);
        }
        at += line.len();
    }
    has_changed.then(|| String::from_utf8(text).ok()).flatten()
}

/// Replaces the macros that begin in a line. Returns whether there are any.
fn mend_line(source: &str, (from, to): (usize, usize), text: &mut [u8]) -> bool {
    let mut has_changed = false;
    let mut at = from;
    while at < to {
        let rest = &source[at..to];
        let Some(start) = rest.find(is_word) else {
            break;
        };
        at += start;
        let rest = &source[at..];
        let word = &rest[..rest.find(|c| !is_word(c)).unwrap_or(rest.len())];
        let end = at + word.len();
        if is_macro(word) {
            has_changed |= mend_macro(source, (at, end), text);
        }
        at = end;
    }
    has_changed
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Macros have names in capitals, of several words.
fn is_macro(word: &str) -> bool {
    let is_capital = |b: u8| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_';
    word.contains('_') && word.bytes().all(is_capital) && word.starts_with(|c: char| c != '_')
}

fn mend_macro(source: &str, (at, end): (usize, usize), text: &mut [u8]) -> bool {
    let word = &source[at..end];
    if ENUMS.contains(&word) {
        return mend_enum(source, (at, end), text);
    }
    if word.ends_with("_ASSUME_NONNULL_BEGIN") || word.ends_with("_ASSUME_NONNULL_END") {
        blank(text, &[(at, end)]);
        return true;
    }
    if word.ends_with("_EXPORT") || word.ends_with("_EXTERN") {
        blank(text, &[(at, end)]);
        text[at..at + "extern".len()].copy_from_slice(b"extern");
        return true;
    }
    let end = end_of_arguments(source, end);
    let follows = source[end..].trim_start();
    if follows.starts_with([';', '{']) {
        blank(text, &[(at, end)]);
        return true;
    }
    false
}

/// `typedef NS_ENUM(NSInteger, A)` becomes `enum A`, with the name at its place.
fn mend_enum(source: &str, (at, end): (usize, usize), text: &mut [u8]) -> bool {
    let close = end_of_arguments(source, end);
    let arguments = source.get(end + 1..close.saturating_sub(1));
    let Some((before, name)) = arguments.and_then(|arguments| arguments.split_once(',')) else {
        return false;
    };
    let start = end + 1 + before.len() + 1 + (name.len() - name.trim_start().len());
    let name = name.trim();
    let head = source[..at].trim_end();
    let from = if head.ends_with("typedef") {
        head.len() - "typedef".len()
    } else {
        at
    };
    blank(text, &[(from, start)]);
    blank(text, &[(start + name.len(), close)]);
    text[from..from + "enum".len()].copy_from_slice(b"enum");
    true
}

/// The byte after a list of arguments that begins at a place; the place itself if there is none on that line.
fn end_of_arguments(source: &str, at: usize) -> usize {
    let rest = &source[at..];
    let start = rest.len() - rest.trim_start_matches(' ').len();
    if !rest[start..].starts_with('(') {
        return at;
    }
    let mut depth = 0;
    for (offset, byte) in rest.bytes().enumerate().take(MOST_ARGUMENTS).skip(start) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return at + offset + 1,
            b')' => depth -= 1,
            b'\n' => return at,
            _ => {}
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::mend;
    use crate::fixture::names::names;
    use base::Language;

    #[test]
    fn macros_hide_no_definitions() {
        let source = "NS_ASSUME_NONNULL_BEGIN\ntypedef NS_OPTIONS(NSUInteger, Side) { SideLeft, SideRight };\nFOUNDATION_EXPORT int count(int x);\n@interface A : NSObject\n- (void)b API_DEPRECATED(\"c\", ios(2.0, 3.0));\n- (int)d NS_UNAVAILABLE;\n@end\nNS_ASSUME_NONNULL_END\n";
        let expected = [
            "enum Side",
            "enum_member Side.SideLeft",
            "enum_member Side.SideRight",
            "function count",
            "class A",
            "method A.b",
            "method A.d",
        ];
        assert_eq!(names(Language::ObjC, source), expected);
    }

    #[test]
    fn what_is_mended_has_the_same_length() {
        for source in [
            "NS_ENUM(",
            "NS_ENUM(a, b",
            "typedef NS_ENUM(a,)",
            "A_B(",
            "X_EXPORT",
            "é A_B;",
        ] {
            assert!(
                mend(source).is_none_or(|text| text.len() == source.len()),
                "{source}"
            );
        }
    }
}
