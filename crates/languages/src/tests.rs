//! Properties of every language.

use crate::{code_lines, extract};
use base::Language;

/// The lines with code, from 1.
fn code(language: Language, source: &str) -> Vec<usize> {
    let lines = code_lines(language, source);
    let code = lines.iter().enumerate().filter(|(_, code)| **code);
    code.map(|(at, _)| at + 1).collect()
}

#[test]
fn comments_are_no_code() {
    let source =
        "// a\npackage p\n\n/* b\n\n c */ var x = `\n// d\n`\n\n//go:embed f\nvar y int // e\n";
    assert_eq!(code(Language::Go, source), [2, 6, 7, 8, 10, 11]);
    let source = "/** a\n * b */\nclass A { // c\n  int x = 1; /* d\n  e */\n}\n";
    assert_eq!(code(Language::Java, source), [3, 4, 6]);
    let source = "/// a\n#[b]\nstruct C {\n    // d\n    e: &'static str,\n}\n";
    assert_eq!(code(Language::Rust, source), [2, 3, 5, 6]);
    let source = "// a\nconst b = `\n// c\n`; /* d */\n";
    assert_eq!(code(Language::TypeScript, source), [2, 3, 4]);
}

#[test]
fn documentation_of_python_is_no_code() {
    let source = "# a\n\"\"\"b\nc\"\"\"\nx = \"\"\"d\n\n# e\"\"\"\ndef f():\n    \"g\"\n    return \"h\"\n    \"i\"\n";
    assert_eq!(code(Language::Python, source), [4, 5, 6, 7, 9, 10]);
}

#[test]
fn damaged_sources_end() {
    for source in ["", "\n", "((((", "def f(:\n  \"\"\"x", "/*"] {
        for language in [Language::Python, Language::Rust, Language::Go] {
            assert_eq!(code_lines(language, source).len(), source.lines().count());
        }
    }
}

#[test]
fn twice_the_source_weighs_about_twice_as_much_and_the_same_weighs_the_same() {
    let text = |n: usize| -> String {
        let one = |i: usize| format!("def f{i}(a, b):\n    '''Adds.'''\n    return g{i}(a) + b\n");
        (0..n).map(one).collect()
    };
    let weight = |n: usize| extract(Language::Python, &text(n)).heap_bytes();
    assert_eq!(weight(100), weight(100));
    let ratio = weight(2_000) as f64 / weight(1_000) as f64;
    assert!((1.8..2.2).contains(&ratio), "{ratio}");
    assert!(weight(1_000) > text(1_000).len() as u64);
}

/// The table in `docs/languages.md` agrees with the profiles. With `UPDATE_DOCS` set (as by `cargo xtask docs`), the test writes it.
#[test]
fn the_docs_have_every_language() {
    let row = |language: Language| {
        let profile = language.profile();
        let level = match profile.depth {
            base::language::Depth::Calls => "calls",
            base::language::Depth::Names => "names",
        };
        let endings = profile.extensions.iter().map(|end| format!("`.{end}`"));
        let names = profile.file_names.iter().map(|name| format!("`{name}`"));
        let files: Vec<String> = endings.chain(names).collect();
        format!("| {language} | {level} | {} |\n", files.join(" "))
    };
    let rows: String = Language::ALL.into_iter().map(row).collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/languages.md");
    let text = std::fs::read_to_string(path).unwrap();
    let head = "| language | level | files |\n| --- | --- | --- |\n";
    let (before, after) = text.split_once(head).expect("the head of the table");
    let rest = after.find("\n\n").map_or("", |end| &after[end + 1..]);
    let expected = format!("{before}{head}{rows}{rest}");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &expected).unwrap();
    }
    let text = std::fs::read_to_string(path).unwrap();
    assert_eq!(text, expected, "docs/languages.md has another table");
}

/// Only names can be checked.
#[test]
fn parsers_that_are_checked_answer_names_alone() {
    let isolated = Language::ALL.into_iter().filter(|l| l.is_parser_checked());
    let wrong: Vec<Language> = isolated.filter(|l| l.has_calls()).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// The answers of workers for ordinary sources are accepted.
#[test]
fn facts_of_names_are_sound() {
    for language in Language::ALL.into_iter().filter(|l| !l.has_calls()) {
        let path = format!("../../fuzz/corpus/facts_{language}/sample");
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
        let sample = std::fs::read_to_string(path).unwrap();
        for source in [sample.as_str(), start(&sample), sample.trim_end(), ""] {
            let facts = extract(language, source);
            assert!(facts.are_sound_names_of(source), "{language}: {facts:?}");
        }
    }
}

/// The first half of a text.
fn start(text: &str) -> &str {
    let half = (0..=text.len() / 2).rfind(|at| text.is_char_boundary(*at));
    &text[..half.unwrap_or_default()]
}
