//! Mends syntax that the Kotlin grammar lacks, without moving anything: `fun interface`, `annotation class`, `context(x: X)` before a definition,
//! annotations of accessors, a function with `= value` at the end of a class on one line, conditions behind `is`, names that are
//! words of the language elsewhere, `$$"` before a text, the primary constructor of an inner class on a line of its own.

use crate::conditions::{Stretch, blank};

/// The source with this syntax replaced; `None` if it has none.
pub(super) fn mend(source: &str) -> Option<String> {
    let mut text = source.as_bytes().to_vec();
    let lines: Vec<&str> = source.split_inclusive('\n').collect();
    let mut at = 0;
    for (n, line) in lines.iter().enumerate() {
        let before = n.checked_sub(1).map_or("", |before| lines[before]);
        let behind = lines.get(n + 1).copied().unwrap_or("");
        let mut mended = Line {
            text: &mut text,
            start: at,
            line,
        };
        mended.blank_unknown(behind);
        mended.end_functions();
        mended.replace_names();
        mended.split_conditions();
        mended.open_constructor(before);
        at += line.len();
    }
    let mended = String::from_utf8(text).ok()?;
    (mended != source).then_some(mended)
}

/// A line that is being mended.
struct Line<'a> {
    text: &'a mut Vec<u8>,
    start: usize,
    line: &'a str,
}

impl Line<'_> {
    fn write(&mut self, at: usize, new: &str) {
        let at = self.start + at;
        if let Some(old) = self.text.get_mut(at..at + new.len()) {
            old.copy_from_slice(new.as_bytes());
        }
    }

    fn blank_unknown(&mut self, behind: &str) {
        let whole = unknown(self.line).or_else(|| lone_annotation(self.line, behind));
        let dollars = self.line.match_indices("$$\"").map(|(at, _)| (at, at + 2));
        let stretches: Vec<Stretch> = whole.into_iter().chain(dollars).collect();
        let moved = |(from, to): Stretch| (from + self.start, to + self.start);
        let stretches: Vec<Stretch> = stretches.into_iter().map(moved).collect();
        blank(self.text, &stretches);
    }

    /// Spaces before closing braces, on a line with a function: the grammar needs a `;` there.
    fn end_functions(&mut self) {
        if !self.line.contains("fun ") && !self.line.contains("get() =") {
            return;
        }
        let bytes = self.line.as_bytes();
        for (at, _) in self.line.match_indices(" }") {
            let before = at.checked_sub(1).and_then(|before| bytes.get(before));
            if before.is_some_and(|c| c.is_ascii_alphanumeric() || b"_)]}\"!".contains(c)) {
                self.write(at, ";");
            }
        }
    }

    /// `where` as a name, `get` and `set` between two operands.
    fn replace_names(&mut self) {
        for (at, word) in self.line.match_indices("where") {
            let behind = self.line[at + word.len()..].trim_start();
            let ends = ["?.", ".", "=", ")", ",", "!!", "("];
            let is_word = !self.line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            if is_word && ends.iter().any(|end| behind.starts_with(end)) {
                self.write(at, "wherx");
            }
        }
        for (name, other) in [(" get ", " gex "), (" set ", " sex ")] {
            for (at, _) in self.line.match_indices(name) {
                let before = self.line[..at].ends_with(['}', ')', ']']);
                let behind = &self.line[at + name.len()..];
                if before && behind.starts_with(|c: char| c.is_alphabetic() || c == '(') {
                    self.write(at, other);
                }
            }
        }
    }

    /// `is A if condition ->`: the condition becomes one more of the list.
    fn split_conditions(&mut self) {
        let code = self.line.trim_start();
        let Some((head, _)) = self.line.split_once("->") else {
            return;
        };
        if code.starts_with("is ")
            && let Some(at) = head.find(" if ")
        {
            self.write(at, ",   ");
        }
    }

    /// `constructor(` behind `class A` on the line before: type parameters stand there instead, which the walk skips.
    fn open_constructor(&mut self, before: &str) {
        let words = [
            "internal constructor(",
            "private constructor(",
            "protected constructor(",
            "public constructor(",
            "constructor(",
        ];
        let code = self.line.trim_start();
        let Some(word) = words.iter().find(|word| code.starts_with(**word)) else {
            return;
        };
        let mut header = before.split_whitespace().rev();
        let is_class = header.next().is_some_and(is_name) && header.next() == Some("class");
        if is_class {
            let at = self.line.len() - code.len();
            let length = word.len() - 1;
            self.write(at, &format!("{:length$}", "<_>"));
        }
    }
}

fn is_name(word: &str) -> bool {
    word.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The part of a line that the grammar does not know.
fn unknown(line: &str) -> Option<Stretch> {
    let text = line.trim();
    let start = line.len() - line.trim_start().len();
    if text.starts_with("context(") && text.ends_with(')') {
        return Some((start, start + text.len()));
    }
    if let Some(at) = line.find("annotation class ") {
        return Some((at, at + "annotation".len()));
    }
    if let Some(at) = line.find("fun interface ") {
        return Some((at, at + "fun".len()));
    }
    let (annotation, rest) = text.split_once(' ')?;
    let is_annotation = annotation.starts_with('@') && is_accessor(rest);
    is_annotation.then_some((start, start + annotation.len()))
}

fn is_accessor(text: &str) -> bool {
    let text = ["private ", "protected ", "internal "]
        .iter()
        .find_map(|word| text.strip_prefix(word))
        .unwrap_or(text);
    text.starts_with("set(") || text.starts_with("get(")
}

/// An annotation on the line above an accessor.
fn lone_annotation(line: &str, behind: &str) -> Option<Stretch> {
    let text = line.trim();
    let start = line.len() - line.trim_start().len();
    let is_lone = text.starts_with('@') && (text.ends_with(')') || is_name(&text[1..]));
    (is_lone && is_accessor(behind.trim_start())).then_some((start, start + text.len()))
}

#[cfg(test)]
mod tests {
    use crate::fixture::names::names;
    use base::Language;

    #[test]
    fn what_the_grammar_does_not_know_hides_nothing() {
        let source = "context(scope: Scope)\nfun a() = 1\npublic fun interface B {\n  fun c()\n}\nclass D {\n  var e = 1\n    @Synchronized set(value) { field = value }\n  val f\n    @Slow()\n    get() = 1\n  fun g() {}\n}\n";
        let found = names(Language::Kotlin, source);
        let expected = [
            "function a",
            "interface B",
            "method B.c",
            "class D",
            "property D.e",
            "property D.f",
            "method D.g",
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

    #[test]
    fn the_constructor_of_an_inner_class_stands_on_its_own_line() {
        let source = "class A {\n  class B\n  internal constructor(internal val c: Int) {\n    fun d() {}\n  }\n}\n";
        let found = names(Language::Kotlin, source);
        let expected = ["class A", "class A.B", "property A.B.c", "method A.B.d"];
        assert_eq!(found, expected);
    }

    #[test]
    fn words_of_the_language_are_names_elsewhere() {
        let source = "class A {\n  fun b() {\n    where?.let { it }\n    x { } get y.id\n    when (z) {\n      is C if where == 1 -> 1\n    }\n  }\n  fun d(t: String = $$\"e\") {}\n}\n";
        let found = names(Language::Kotlin, source);
        let expected = [
            "class A",
            "method A.b",
            "function A.b",
            "function A.b",
            "method A.d",
        ];
        assert_eq!(found, expected);
    }
}
