//! Mends macros that only C++ has. Some open and close namespaces, each on a line of its own: `LIB_BEGIN_NAMESPACE` and
//! `LIB_END_NAMESPACE`. Others stand for a parameter of a template: `template <typename T, REQUIRES(T)>`.

use super::PASSED;
use super::code::Code;
use super::statements::Edit;

/// Maximum number of tokens that are read in a list of template parameters.
const MOST_OF_LIST: usize = 512;
/// A template parameter that every grammar can read.
const PARAMETER: &[u8] = b"int";

/// The replacement of a macro that opens a namespace. The source that names are read from still has the macro.
const OPEN: &[u8] = b"namespace{";

/// The edits that replace these macros.
pub(super) fn find_edits(text: &[u8]) -> Vec<Edit> {
    let code = Code::read(text, false);
    let mut edits = find_namespaces(&code);
    find_parameters(&code, &mut edits);
    edits.sort_by_key(|edit| edit.from);
    edits
}

/// Finds the macros in lists of template parameters.
fn find_parameters(code: &Code<'_>, edits: &mut Vec<Edit>) {
    let mut at = 0;
    while at < code.tokens.len() {
        let is_list = code.word(at) == b"template" && code.sign(at + 1) == Some(b'<');
        at = if is_list {
            read_list(code, at + 2, edits)
        } else {
            at + 1
        };
    }
}

/// Reads a list of template parameters. Returns the token at which it ends.
fn read_list(code: &Code<'_>, from: usize, edits: &mut Vec<Edit>) -> usize {
    let (mut at, mut depth) = (from, 1);
    let mut is_default = false;
    let end = (from + MOST_OF_LIST).min(code.tokens.len());
    while at < end && depth > 0 {
        match code.sign(at) {
            Some(b'<') => depth += 1,
            Some(b'>') => depth -= 1,
            Some(b';' | b'{') => return at,
            Some(b'=') if depth == 1 => is_default = true,
            Some(b',') if depth == 1 => is_default = false,
            // A pointer type as a default.
            Some(b'*' | b'&') if depth == 1 && is_default => {
                if matches!(code.sign(at + 1), Some(b'>' | b',')) {
                    let token = code.tokens[at];
                    edits.push(Edit {
                        from: token.from,
                        to: token.to,
                        with: b"",
                        fill: b' ',
                    });
                }
            }
            Some(0) if depth == 1 && code.is_capitals(at) => {
                let next = code.after_arguments(at);
                let begins = matches!(code.sign(at - 1), Some(b'<' | b','));
                let ends = matches!(code.sign(next), Some(b'>' | b','));
                if begins && ends && next > at + 1 {
                    let (first, last) = (code.tokens[at].from, code.tokens[next - 1].to);
                    let middle = last - PARAMETER.len();
                    edits.extend(
                        [
                            (first, middle, &b""[..], PASSED),
                            (middle, last, PARAMETER, b' '),
                        ]
                        .map(|(from, to, with, fill)| Edit {
                            from,
                            to,
                            with,
                            fill,
                        }),
                    );
                }
                at = next.max(at + 1);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    at.max(from)
}

/// Finds the macros that open and close namespaces. They are edited only if as many close as open.
fn find_namespaces(code: &Code<'_>) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut open = 0i64;
    for at in 0..code.tokens.len() {
        let word = code.word(at);
        let has = |part: &[u8]| word.windows(part.len()).any(|found| found == part);
        if !code.is_capitals(at) || !code.stands_on_line(at) || !has(b"NAMESPACE") {
            continue;
        }
        let with: &'static [u8] = if has(b"BEGIN") || has(b"OPEN") {
            open += 1;
            OPEN
        } else if has(b"END") || has(b"CLOSE") {
            open -= 1;
            b"}"
        } else {
            continue;
        };
        let token = code.tokens[at];
        if open < 0 || token.to - token.from < with.len() {
            return Vec::new();
        }
        edits.push(Edit {
            from: token.from,
            to: token.to,
            with,
            fill: b' ',
        });
    }
    if open == 0 { edits } else { Vec::new() }
}
