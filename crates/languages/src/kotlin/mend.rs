//! Mends syntax that the Kotlin grammar lacks: `fun interface`, `context(x: X)` before a definition, annotations of
//! accessors, a function with `= value` at the end of a class on one line.

use crate::conditions::{Stretch, blank};

/// The source with this syntax blanked; `None` if it has none.
pub(super) fn mend(source: &str) -> Option<String> {
    let mut blanks = Vec::new();
    let mut ends = Vec::new();
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        blanks.extend(unknown(line).map(|(from, to)| (at + from, at + to)));
        ends.extend(open_ends(line).map(|end| at + end));
        at += line.len();
    }
    if blanks.is_empty() && ends.is_empty() {
        return None;
    }
    let mut text = source.as_bytes().to_vec();
    blank(&mut text, &blanks);
    for end in ends {
        text[end] = b';';
    }
    String::from_utf8(text).ok()
}

/// The spaces before closing braces, on a line with a function: the grammar needs a `;` there.
fn open_ends(line: &str) -> impl Iterator<Item = usize> {
    let bytes = line.as_bytes();
    let has_function = line.contains("fun ") || line.contains("get() =");
    let ends = line.match_indices(" }").filter(move |_| has_function);
    ends.map(|(at, _)| at).filter(|at| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        before.is_some_and(|c| c.is_ascii_alphanumeric() || b"_)]\"!".contains(c))
    })
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

    #[test]
    fn a_class_on_one_line_ends_with_a_function() {
        let source = "class A { fun own() = make() }\nclass B { val c get() = d }\nfun e() = 1\n";
        let found = names(Language::Kotlin, source);
        let expected = [
            "class A",
            "method A.own",
            "class B",
            "property B.c",
            "function e",
        ];
        assert_eq!(found, expected);
    }
}
