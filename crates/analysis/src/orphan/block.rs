//! When a line of Python runs, by the blocks around it.

use crate::Loading;

/// When what stands in a block of Python runs, where its first line says so.
fn opened(text: &str) -> Option<Loading> {
    if text.starts_with("def ") || text.starts_with("async def ") {
        return Some(Loading::Later);
    }
    let types = text.starts_with("if ") && text.contains("TYPE_CHECKING");
    (types && !text.contains("not ")).then_some(Loading::TypeOnly)
}

/// When a line of Python runs, by the blocks around it.
pub(crate) fn enclosed<T: AsRef<str>>(lines: &[T], at: usize) -> Loading {
    let line = |at: usize| lines.get(at).map_or("", AsRef::as_ref);
    let mut indent = width(line(at));
    for line in (0..at).rev().map(line) {
        if indent == 0 {
            break;
        }
        let text = line.trim_start();
        if text.is_empty() || text.starts_with('#') || width(line) >= indent {
            continue;
        }
        // Only what opens a block encloses: brackets, documentation and long lines may stand anywhere.
        if !opens_block(text) {
            continue;
        }
        indent = width(line);
        if let Some(found) = opened(text) {
            return found;
        }
    }
    Loading::AtOnce
}

/// Whether a line of Python opens a block.
fn opens_block(text: &str) -> bool {
    let words = [
        "def", "async", "class", "if", "elif", "else", "for", "while", "try", "except", "finally",
        "with", "match", "case",
    ];
    let end = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    // Prose may begin with such a word, but does not end as code does.
    let code = text.split(" #").next().unwrap_or(text).trim_end();
    let ends = code.ends_with([':', '(', ',', '\\', '[', '{']) || text.starts_with("def ");
    words.contains(&&text[..end]) && ends
}

fn width(line: &str) -> usize {
    line.len() - line.trim_start().len()
}
