//! Mends syntax that the Java grammar lacks: an annotation of the dots of a variable parameter (`T @Nullable ... x`).

use crate::conditions::{Stretch, blank};

/// The source with these annotations blanked; `None` if it has none.
pub(super) fn mend(source: &str) -> Option<String> {
    let dots = source.match_indices("...").map(|(at, _)| at);
    let blanks: Vec<Stretch> = dots.flat_map(|at| annotations_before(source, at)).collect();
    if blanks.is_empty() {
        return None;
    }
    let mut text = source.as_bytes().to_vec();
    blank(&mut text, &blanks);
    String::from_utf8(text).ok()
}

/// Longer annotation names are not looked for.
const LONGEST: usize = 200;

/// Annotations without arguments that end before a byte.
fn annotations_before(source: &str, mut end: usize) -> Vec<Stretch> {
    let mut found = Vec::new();
    while let Some(before) = source.get(..end) {
        let text = before.trim_end();
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
        let mut last = text.char_indices().rev().take(LONGEST);
        let Some((start, '@')) = last.find(|(_, c)| !is_name(*c)) else {
            break;
        };
        found.push((start, text.len()));
        end = start;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::mend;
    use crate::fixture::check;

    #[test]
    fn annotations_of_dots_are_blanked() {
        let source = "void a(T @Nullable... x) {} void b(T @A @org.b.C ... y) {} void c(T... z) {}";
        let expected =
            "void a(T          ... x) {} void b(T             ... y) {} void c(T... z) {}";
        assert_eq!(mend(source).unwrap(), expected);
        assert_eq!(mend("void c(@A T... z) { /* ... */ }"), None);
    }

    #[test]
    fn a_method_with_annotated_dots_is_called() {
        check(
            r##"//- A.java
class A {
  static String join(Object @Nullable ... parts) { return all(parts); }
  static String all(Object[] parts) { return join("a", parts); }
}
"##,
            "A.java:2 all -> A.java:A.all@3 [scoped]
A.java:3 join -> A.java:A.join@2 [scoped]",
        );
    }
}
