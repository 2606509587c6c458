//! Replaces syntax that the grammar does not know by the same number of bytes, so that the definitions after it are not
//! lost.

/// A word that the grammar reads as the start of a declaration anywhere.
const WORD: &str = "using";
/// A replacement of the same length, which is no keyword.
const INSTEAD: &str = "_sing";

/// The source with such syntax replaced; `None` if it has none.
pub(crate) fn mend(source: &str) -> Option<String> {
    let named = mend_using(source);
    let parted = part_call_signatures(named.as_deref().unwrap_or(source));
    let mended = parted.or(named);
    let mended = blank_star_types(mended.as_deref().unwrap_or(source)).or(mended);
    let mended = blank_variance(mended.as_deref().unwrap_or(source)).or(mended);
    blank_tag_types(mended.as_deref().unwrap_or(source)).or(mended)
}

/// Whether the grammar misreads something without an error: it reads a template tag with type arguments as a
/// comparison.
pub(crate) fn is_misread(source: &str) -> bool {
    tag_types(source).next().is_some()
}

/// Longer type arguments of a tag stay as they are.
const LONGEST_TAG_TYPES: usize = 600;

/// Blanks the type arguments of template tags: `` sql<Row>`…` ``.
fn blank_tag_types(source: &str) -> Option<String> {
    let mut blanked: Option<Vec<u8>> = None;
    for (from, to) in tag_types(source) {
        let bytes = blanked.get_or_insert_with(|| source.as_bytes().to_vec());
        for byte in &mut bytes[from..to] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    }
    blanked.and_then(|bytes| String::from_utf8(bytes).ok())
}

/// The ranges of type arguments between a name and a template.
fn tag_types(source: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
    source.match_indices(">`").filter_map(|(end, _)| {
        let bytes = source.as_bytes();
        let mut depth = 0usize;
        for at in (end.saturating_sub(LONGEST_TAG_TYPES)..=end).rev() {
            match bytes[at] {
                b'>' if at > 0 && bytes[at - 1] == b'=' => {}
                b'>' => depth += 1,
                b'<' => {
                    // No bracket is open if the `>` before the template belongs to an arrow.
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        let is_name =
                            |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$');
                        let named = at > 0 && is_name(&bytes[at - 1]);
                        return named.then_some((at, end + 1));
                    }
                }
                b'`' if at < end => return None,
                b'&' | b'|' if at > 0 && bytes[at - 1] == bytes[at] => return None,
                _ => {}
            }
        }
        None
    })
}

/// Blanks `in` and `out` before names of type parameters: `class Event<in out T>`. No expression has these words after
/// `<` or a comma.
fn blank_variance(source: &str) -> Option<String> {
    let begins_name = |text: &str| {
        let name = text.trim_start();
        name.len() < text.len()
            && name.starts_with(|c: char| c.is_alphabetic() || matches!(c, '_' | '$'))
    };
    let mut blanked: Option<Vec<u8>> = None;
    for word in ["in", "out"] {
        for (at, _) in source.match_indices(word) {
            let before = source[..at].trim_end();
            let before = match before.strip_suffix("in") {
                Some(earlier) if word == "out" && before.len() < at => earlier.trim_end(),
                _ => before,
            };
            if before.ends_with(['<', ',']) && begins_name(&source[at + word.len()..]) {
                let bytes = blanked.get_or_insert_with(|| source.as_bytes().to_vec());
                bytes[at..at + word.len()].fill(b' ');
            }
        }
    }
    blanked.and_then(|bytes| String::from_utf8(bytes).ok())
}

/// Blanks the `type` of `export type * from "m"`: the grammar only allows it before names.
fn blank_star_types(source: &str) -> Option<String> {
    let mut blanked: Option<Vec<u8>> = None;
    for (at, _) in source.match_indices("export") {
        if let Some(word) = star_type(&source[at..]) {
            let bytes = blanked.get_or_insert_with(|| source.as_bytes().to_vec());
            bytes[at + word..at + word + "type".len()].fill(b' ');
        }
    }
    blanked.and_then(|bytes| String::from_utf8(bytes).ok())
}

/// The position of the word `type` in a text that begins with `export type *`.
pub(super) fn star_type(text: &str) -> Option<usize> {
    let after_export = text.strip_prefix("export")?;
    let word = after_export.trim_start_matches([' ', '\t']);
    let rest = word.strip_prefix("type")?;
    let is_apart = word.len() < after_export.len() && rest.starts_with([' ', '\t', '*']);
    let is_star = is_apart && rest.trim_start_matches([' ', '\t']).starts_with('*');
    is_star.then_some(text.len() - word.len())
}

/// Adds a semicolon before a call signature that follows a member without one. In an interface a new line ends a
/// member, but the grammar continues over it before `<` or `(`, as it must in an expression.
fn part_call_signatures(source: &str) -> Option<String> {
    let mut parted: Option<Vec<u8>> = None;
    let mut member_ended = false;
    let mut in_comment = false;
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let text = line.trim();
        let indent = line.len() - line.trim_start().len();
        let begins_comment = text.starts_with("/*");
        if in_comment || begins_comment {
            in_comment = !text.contains("*/");
        } else if !text.is_empty() && !text.starts_with("//") {
            let indented = indent > 0 && matches!(line.as_bytes()[indent - 1], b' ' | b'\t');
            if member_ended && indented && text.starts_with(['<', '(']) {
                let bytes = parted.get_or_insert_with(|| source.as_bytes().to_vec());
                bytes[start + indent - 1] = b';';
            }
            let code = text.split(" //").next().unwrap_or(text).trim_end();
            member_ended = code.ends_with(|c: char| {
                c.is_alphanumeric() || matches!(c, '_' | '$' | '>' | ']' | '}' | ')' | '\'' | '"')
            });
        }
        start += line.len();
    }
    parted.and_then(|bytes| String::from_utf8(bytes).ok())
}

/// The source with names `using` replaced if they do not begin a declaration; `None` if there are none.
fn mend_using(source: &str) -> Option<String> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let mut mended = String::new();
    let mut from = 0;
    for (at, _) in source.match_indices(WORD) {
        let (before, after) = (&source[..at], &source[at + WORD.len()..]);
        if before.ends_with(is_word) || after.starts_with(is_word) {
            continue;
        }
        // `using file = open()`.
        let declares = after.starts_with([' ', '\t']) && after.trim_start().starts_with(is_word);
        if !declares {
            mended.push_str(&source[from..at]);
            mended.push_str(INSTEAD);
            from = at + WORD.len();
        }
    }
    if from == 0 {
        return None;
    }
    mended.push_str(&source[from..]);
    Some(mended)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_put_otherwise_and_a_declaration_stays() {
        let mended = mend("if (using) { using file = open(using) } xusing(using_it)").unwrap();
        assert_eq!(
            mended,
            "if (_sing) { using file = open(_sing) } xusing(using_it)"
        );
        assert_eq!(mend("using file = open()"), None);
        assert_eq!(mend("const a = 1"), None);
    }

    #[test]
    fn a_star_of_types_is_one_for_the_grammar() {
        assert_eq!(
            mend("export type * from './a'\nexport  type *as T from 'b'").unwrap(),
            "export      * from './a'\nexport       *as T from 'b'"
        );
        assert_eq!(mend("export type T = number * 2; export * from 'a'"), None);
    }

    #[test]
    fn type_parameters_lose_their_variance() {
        assert_eq!(
            mend("class Event<out M extends T, in out N, in P> {}").unwrap(),
            "class Event<    M extends T,        N,    P> {}"
        );
        for source in [
            "f<inner, outer>(a, input)",
            "for (const a in out) {}",
            "[a, out]",
        ] {
            assert_eq!(mend(source), None, "{source}");
        }
    }

    #[test]
    fn a_tag_loses_its_type_arguments() {
        let source = "sql<{ a: string | null }[]>`select ${f<A<B>>`x`}`";
        assert_eq!(
            mend(source).unwrap(),
            "sql                        `select ${f      `x`}`"
        );
        for source in [
            "a < b && c >`x`",
            "`<b>`",
            "if (a <b>`x`) {}",
            "a => `<p>`",
            "f(i<3, x=>`y`)",
        ] {
            assert!(!is_misread(source), "{source}");
        }
    }

    #[test]
    fn a_call_signature_after_a_member_is_parted_from_it() {
        let source = "interface I {\n  a: string\n\n  // b\n  <T>(x: T): void\n  (y: X | // c\n    (z)): T\n}\n(f)()\n";
        assert_eq!(
            mend(source).unwrap(),
            "interface I {\n  a: string\n\n  // b\n ;<T>(x: T): void\n ;(y: X | // c\n    (z)): T\n}\n(f)()\n"
        );
        assert_eq!(mend("x = {\n  <T>(x: T): void;\n  (y): T\n}"), None);
    }
}
