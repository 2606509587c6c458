//! The language of a header: its ending only shows that it is one of the C family.

use base::Language;

/// Most bytes of a header that are read.
const MOST: usize = 256 << 10;

/// Objective-C or C++ if a line begins as only theirs do; otherwise `None`, and the ending decides. The text alone
/// decides, so that a file is read the same in every repository.
pub(super) fn of_header(source: &str) -> Option<Language> {
    let mut is_inside = false;
    let mut is_cpp = false;
    for line in syntax::builder::head(source, MOST).lines() {
        let is_code = !is_inside;
        is_inside = ends_in_comment(line, is_inside);
        if is_code && is_objc_line(line) {
            return Some(Language::ObjC);
        }
        is_cpp |= is_code && is_cpp_line(line);
    }
    is_cpp.then_some(Language::Cpp)
}

fn is_objc_line(line: &str) -> bool {
    const STARTS: [&str; 6] = [
        "@interface ",
        "@protocol ",
        "@class ",
        "@implementation ",
        "@import ",
        "#import ",
    ];
    STARTS.iter().any(|start| line.starts_with(start))
}

/// Whether a comment continues after a line, which may begin in one.
fn ends_in_comment(line: &str, begins_inside: bool) -> bool {
    let mut is_inside = begins_inside;
    let mut rest = line;
    loop {
        let next = if is_inside {
            rest.find("*/")
        } else {
            let whole_line = rest.find("//").unwrap_or(rest.len());
            rest.find("/*").filter(|at| *at < whole_line)
        };
        let Some(at) = next else {
            return is_inside;
        };
        is_inside = !is_inside;
        rest = &rest[at + 2..];
    }
}

fn is_cpp_line(line: &str) -> bool {
    let line = line.trim();
    let (word, rest) = split_word(line);
    let rest = rest.trim_start();
    match word {
        "template" => rest.starts_with('<'),
        "using" => rest.contains(['=', ':']) || rest.starts_with("namespace "),
        "public" | "private" | "protected" => rest == ":" || rest.starts_with(": "),
        "class" => is_class_head(rest),
        "namespace" => {
            let (_, after) = split_path(rest);
            let after = after.trim_start();
            after.starts_with('{') || after.is_empty()
        }
        "" if line.starts_with('#') => is_cpp_include(line),
        _ => false,
    }
}

/// `A {`, `A : public B`, `EXPORT A final`, `A;`.
fn is_class_head(rest: &str) -> bool {
    let mut rest = rest;
    // Two words at the end of a line may be prose, unless the first is a macro.
    let mut may_end = true;
    for _ in 0..4 {
        let (name, after) = split_path(rest);
        if name.is_empty() {
            return false;
        }
        rest = after.trim_start();
        if rest.is_empty() {
            return may_end;
        }
        may_end &= !name.contains(char::is_lowercase);
        if rest.starts_with(['{', ';']) {
            return true;
        }
        if let Some(base) = rest.strip_prefix(':') {
            let (word, _) = split_word(base.trim_start());
            return ["public", "private", "protected", "virtual"].contains(&word);
        }
    }
    false
}

/// `#include <vector>`: headers of the C++ standard library have no ending.
fn is_cpp_include(line: &str) -> bool {
    let line = line.trim_start_matches('#').trim_start();
    let path = line.strip_prefix("include").map(str::trim_start);
    let name = path.and_then(|path| path.strip_prefix('<'));
    let name = name.and_then(|name| name.split_once('>'));
    let letter = |c: char| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit();
    name.is_some_and(|(name, _)| !name.is_empty() && name.chars().all(letter))
}

fn split_word(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_'));
    text.split_at(end.unwrap_or(text.len()))
}

fn split_path(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':'));
    // A single colon does not belong to a path.
    let (path, _) = text.split_at(end.unwrap_or(text.len()));
    let path = path.trim_end_matches(':');
    (path, &text[path.len()..])
}

#[cfg(test)]
mod tests {
    use super::of_header;
    use base::Language;

    #[test]
    fn headers_of_objective_c() {
        for source in ["#import <A/A.h>\n", "class A;\n@interface B : C\n@end\n"] {
            assert_eq!(of_header(source), Some(Language::ObjC), "{source}");
        }
        assert_eq!(
            of_header("/*\n@interface in a comment\n*/\nint f(void);\n"),
            None
        );
    }

    #[test]
    fn a_line_that_only_cpp_has_decides() {
        for source in [
            "#pragma once\n#include <vector>\n",
            "namespace fmt {\n}\n",
            "namespace a::b\n{\n}\n",
            "template <typename T>\nT f(T x);\n",
            "class Parser;\n",
            "class LEVELDB_EXPORT Cache {\n",
            "class A : public B {\n",
            "struct A {\n public:\n  int x;\n};\n",
            "using Id = int;\n",
            "/* a */ // /* b\n/* c\n */\nusing Id = int;\n",
        ] {
            assert_eq!(of_header(source), Some(Language::Cpp), "{source}");
        }
        for source in [
            "",
            "#include <stdio.h>\n#include \"vector\"\n",
            "/*\n * class of devices\n class of devices that are\n */\nint f(void);\n",
            "int class;\nint using = 1;\n",
            "struct public { int x; };\n",
            "typedef struct namespace namespace;\n",
            "  private data\n",
            "/* It is computed\n   using the formula: a = b\n   public:\n */ int f(void);\n",
        ] {
            assert_eq!(of_header(source), None, "{source}");
        }
    }
}
