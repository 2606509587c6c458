//! Mends syntax that the Kotlin grammar lacks: `fun interface`, `context(x: X)` before a definition, annotations of
//! accessors.

use crate::conditions::{Stretch, blank};

/// The source with this syntax blanked; `None` if it has none.
pub(super) fn mend(source: &str) -> Option<String> {
    let mut blanks = Vec::new();
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        blanks.extend(unknown(line).map(|(from, to)| (at + from, at + to)));
        at += line.len();
    }
    if blanks.is_empty() {
        return None;
    }
    let mut text = source.as_bytes().to_vec();
    blank(&mut text, &blanks);
    String::from_utf8(text).ok()
}

/// The part of a line that the grammar does not know.
fn unknown(line: &str) -> Option<Stretch> {
    let text = line.trim();
    let start = line.len() - line.trim_start().len();
    if text.starts_with("context(") && text.ends_with(')') {
        return Some((start, start + text.len()));
    }
    if let Some(at) = line.find("fun interface ") {
        return Some((at, at + "fun".len()));
    }
    let (annotation, rest) = text.split_once(' ')?;
    let is_accessor = rest.starts_with("set(") || rest.starts_with("get(");
    (annotation.starts_with('@') && is_accessor).then_some((start, start + annotation.len()))
}

#[cfg(test)]
mod tests {
    use crate::fixture::names::names;
    use base::Language;

    #[test]
    fn what_the_grammar_does_not_know_hides_nothing() {
        let source = "context(scope: Scope)\nfun a() = 1\npublic fun interface B {\n  fun c()\n}\nclass D {\n  var e = 1\n    @Synchronized set(value) { field = value }\n  fun f() {}\n}\n";
        let found = names(Language::Kotlin, source);
        let expected = [
            "function a",
            "interface B",
            "method B.c",
            "class D",
            "property D.e",
            "method D.f",
        ];
        assert_eq!(found, expected);
    }
}
