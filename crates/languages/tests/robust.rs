//! Facts of damaged, random and hostile sources: no panic, no stack overflow, and consistent tables.

use base::Language;
use proptest::prelude::*;
use std::path::Path;
use std::time::{Duration, Instant};
use syntax::facts::{DefId, FileFacts, ScopeId};

/// The stack of the pipeline's threads.
const STACK: usize = 64 << 20;
const DEEP: usize = 100_000;

/// A source with most features of a language: the initial one of the fuzz target.
fn sample(language: Language) -> String {
    let path = format!("../../fuzz/corpus/facts_{language}/sample");
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Extracts and checks that every table refers to rows that exist.
fn check(language: Language, source: &str) -> FileFacts {
    let facts = languages::extract(language, source);
    let defs = facts.defs.len();
    let is_def = |def: Option<DefId>| def.is_none_or(|d| d.index() < defs);
    let is_scope = |scope: ScopeId| scope.index() < facts.scopes.len();
    for (at, def) in facts.defs.iter().enumerate() {
        assert!(
            def.parent.is_none_or(|p| p.index() < at),
            "a parent stands first"
        );
        assert!(is_scope(def.scope) && def.body.is_none_or(is_scope));
        assert!(def.span.end_byte as usize <= source.len());
        assert!(def.span.start_byte <= def.span.end_byte);
        assert!(def.name.index() < facts.names.len());
    }
    for call in &facts.calls {
        assert!(is_def(call.owner) && call.expr.index() < facts.exprs.len());
    }
    assert!(facts.references.iter().all(|r| is_def(r.owner)));
    assert!(facts.writes.iter().all(|w| is_def(w.owner)));
    assert!(
        facts.is_sound(source),
        "what came from elsewhere is refused"
    );
    facts
}

/// Runs work on a thread with the stack of the pipeline.
fn on_thread(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK);
    thread.spawn(work).unwrap().join().unwrap();
}

#[test]
fn samples_give_definitions_and_calls() {
    for language in Language::ALL {
        let facts = check(language, &sample(language));
        assert!(
            facts.defs.len() > 5,
            "{language}: {} definitions",
            facts.defs.len()
        );
        assert_eq!(
            facts.calls.len() > 3,
            language.has_calls(),
            "{language}: {} calls",
            facts.calls.len()
        );
    }
}

/// The types of a comment are used once, even if several parameters have the same name.
#[test]
fn comments_of_functions_are_not_multiplied() {
    let names: Vec<String> = (0..3_000).map(|n| format!("T{n}")).collect();
    let of_many = format!("/** @param {{{}}} a */\nfunction f(", names.join("|"));
    on_thread(move || {
        check(
            Language::JavaScript,
            &(of_many + &"a,\n".repeat(100_000) + "b) {}\n"),
        );
    });
    let members = " * @param {*} a\n".repeat(600) + &" * @param {T} a.b\n".repeat(500);
    let nested = format!("/**\n{members} */\nfunction f(a) {{\n").repeat(100);
    on_thread(move || {
        check(Language::JavaScript, &(nested + &"}".repeat(100)));
    });
}

#[test]
fn truncated_anywhere() {
    for language in Language::ALL {
        let source = sample(language);
        let cuts = (0..source.len()).filter(|at| source.is_char_boundary(*at));
        for cut in cuts.step_by(3) {
            check(language, &source[..cut]);
            check(language, &source[cut..]);
        }
    }
}

#[test]
fn odd_text() {
    let odd = [
        "",
        "\n",
        "\u{feff}",
        "\0",
        "\r",
        "\r\n\r\n",
        "𝒳é\u{200b}",
        "\u{2028}",
        "'",
        "\"\"\"",
        "`${",
        "/*",
        "#!",
    ];
    for language in Language::ALL {
        for text in odd {
            check(language, text);
            check(language, &format!("{text}{}{text}", sample(language)));
            check(
                language,
                &sample(language).replace(' ', &format!(" {text}")),
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn mutated(
        which in 0..Language::ALL.len(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0usize..40, any::<prop::sample::Index>(), 0usize..40), 1..6),
    ) {
        let language = Language::ALL[which];
        let mut bytes = sample(language).as_bytes().to_vec();
        for (to, cut, from, paste) in edits {
            let from = from.index(bytes.len());
            let piece = bytes[from..(from + paste).min(bytes.len())].to_vec();
            let to = to.index(bytes.len());
            let end = (to + cut).min(bytes.len());
            bytes.splice(to..end, piece);
            if bytes.is_empty() {
                bytes.push(b'(');
            }
        }
        check(language, &String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn random(which in 0..Language::ALL.len(), bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        check(Language::ALL[which], &String::from_utf8_lossy(&bytes));
    }
}

/// Nested source text: before, opening, innermost, closing, after.
type Nest = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

fn nests(language: Language) -> Vec<Nest> {
    let common: &[Nest] = &[
        ("x = ", "(", "1", ")", "\n"),
        ("x = ", "[", "1", "]", "\n"),
        ("", "f(", "1", ")", "\n"),
        ("", "a[", "1", "]", "\n"),
        ("x = a", ".b()", "", "", "\n"),
        ("x = 1", " + 1", "", "", "\n"),
        ("x = ", "-", "1", "", "\n"),
        ("", "{", "", "}", "\n"),
        ("", "((", "", "", ""),
        ("", "))", "", "", ""),
        ("", "f({[", "", "", ""),
    ];
    let own: &[Nest] = match language {
        Language::Lua => &[
            ("", "function f() ", "", " end", ""),
            ("", "if a then ", "", " end", ""),
            ("", "do ", "", " end", ""),
            ("", "for i = 1, 2 do ", "", " end", ""),
            ("x = ", "{a = ", "1", "}", ""),
            ("x = ", "(function() return ", "1", " end)()", ""),
            ("x = ", "a and ", "1", "", ""),
            ("x = a", "[b", "", "]", ""),
            ("x = a", ":b()", "", "", ""),
        ],
        Language::Ruby => &[
            ("", "def f\n", "", "\nend", "\n"),
            ("", "class A\n", "", "\nend", "\n"),
            ("", "module A\n", "", "\nend", "\n"),
            ("", "if a\n", "", "\nend", "\n"),
            ("x = ", "->(a) { ", "1", " }", "\n"),
            ("x = ", "f do\n", "1", "\nend", "\n"),
            ("x = \"", "#{\"", "a", "\"}", "\"\n"),
            ("x = ", "{a: ", "1", "}", "\n"),
            ("", "# a\n", "", "", "def f; end\n"),
            ("class ", "A::", "B", "", "; end\n"),
        ],
        Language::C | Language::Cpp => &[
            ("", "struct a { int b; ", "", "};", ""),
            ("void f(void) {", "{", "", "}", "}"),
            ("void f(void) {", "if (a) {} else ", "{}", "", "}"),
            ("int ", "*", "x", "", ";"),
            ("int ", "(", "x", ")", ";"),
            ("int x", "[1]", "", "", ";"),
            ("void f", "(int)", "", "", ";"),
            ("int x = ", "{", "1", "}", ";"),
            ("", "namespace a {", "", "}", ""),
            ("", "template <class T> ", "void f() {}", "", ""),
            ("int ", "a::", "b", "", "() {}"),
            ("a", "<b", "", ">", " x;"),
            ("void f() { x = ", "[] { return ", "1", "; }", "; }"),
            ("", "#if a\n", "", "#endif\n", ""),
            ("", "#if a\nvoid f() {\n#else\n", "", "#endif\n", ""),
            ("void f() {\n", "#if a\n{\n#endif\n", "", "}\n", "}"),
            ("", "TEST(a, b) {", "", "}", ""),
            ("", "A_BEGIN_NAMESPACE\n", "", "A_END_NAMESPACE\n", ""),
            ("", "class A LIB_FINAL { void f() {", "", "}};", ""),
            ("", "template <", "class T", "> class A,", ""),
            ("void f() ", "try {", "", "} catch (...) {}", ""),
            ("void f() { a", "->b", "", "", "; }"),
            ("void f() { a", " << b", "", "", "; }"),
            ("void f() { ", "delete ", "a", "", "; }"),
            ("void f() { ", "++", "a", "", "; }"),
            ("void f() { a", "[1]", "", "", " = 1; }"),
            ("", "operator ", "int", "()", ";"),
        ],
        Language::CSharp => &[
            ("", "class A {", "", "}", ""),
            ("", "namespace A {", "", "}", ""),
            ("namespace ", "A.", "B", "", ";"),
            ("class A { void F() {", "void G() {", "", "}", "}}"),
            ("class A { int x = ", "a ? b : ", "c", "", "; }"),
            ("class A { object x = ", "() => ", "1", "", "; }"),
            ("class A { ", "A<", "B", ">", " x; }"),
            ("", "#if A\n", "", "#endif\n", ""),
            ("class A { object x = a", ".B(1)", "", "", "; }"),
            ("class A { object x = a", "?.B()", "", "", "; }"),
            ("class A { object x = ", "F(", "1", ")", "; }"),
            ("class A { object x = ", "new A { B = ", "1", " }", "; }"),
            ("class A { object x = ", "(", "1, 2", ", 3)", "; }"),
            (
                "class A { int F(object o) => o switch { ",
                "{ P: ",
                "1",
                " }",
                " => 1 }; }",
            ),
            ("class A { void F() { var (", "(a, ", "b", ")", ") = c; } }"),
            (
                "class A { void F() { if (a) {} ",
                "else if (a) {} ",
                "",
                "",
                "} }",
            ),
            ("class A { string s = ", "$\"{", "1", "}\"", "; }"),
            ("", "partial class A { class B { } } ", "", "", ""),
            ("class A ", ": A ", "", "", "{ }"),
            ("class A { int M(int x) => ", "x + ", "1", "", "; }"),
        ],
        Language::Php => &[
            ("<?php ", "class A { function f() {", "", "}}", ""),
            ("<?php ", "if (a) {", "", "}", ""),
            ("<?php $x = ", "fn() => ", "1", "", ";"),
            ("<?php $x = ", "[", "1", "]", ";"),
            ("<?php $x", "->y", "", "", ";"),
            ("<?php namespace ", "A\\", "B", "", ";"),
            (
                "<?php $x = ",
                "new class { function f() { return ",
                "1",
                "; }}",
                ";",
            ),
            ("<?php ", "define('a', ", "1", ")", ";"),
            ("<?php if (", "$x instanceof A && ", "$x", "", ") {}"),
            ("<?php ", "if ($x) { $x = 1; } else ", "{}", "", ""),
            ("<?php ", "foreach ($a as $b) { $a[] = $b; ", "", "}", ""),
            ("<?php $x = ", "$y ?: ", "1", "", ";"),
            (
                "<?php /** @param ",
                "A<B, ",
                "C",
                ">",
                " $x */ function f($x) {}",
            ),
            ("<?php class A { use ", "B, ", "C", "", "; }"),
        ],
        Language::Kotlin => &[
            ("", "class A {\n", "", "}\n", ""),
            ("", "fun f() {\n", "", "}\n", ""),
            ("val x = ", "{ ", "1", " }", "\n"),
            ("val x = ", "if (a) 1 else ", "2", "", "\n"),
            ("val x: ", "A<", "B", ">", "\n"),
            ("val x = \"", "${\"", "a", "\"}", "\"\n"),
            ("val x = ", "object : A { val y = ", "1", " }", "\n"),
        ],
        Language::Swift => &[
            ("", "class A {\n", "", "}\n", ""),
            ("", "extension A {\n", "", "}\n", ""),
            ("", "func f() {\n", "", "}\n", ""),
            ("let x = ", "{ ", "1", " }", "\n"),
            ("let x: ", "A<", "B", ">", "\n"),
            ("let x = ", "a ? b : ", "c", "", "\n"),
            ("let ", "(", "a", ")", " = b\n"),
        ],
        Language::Scala => &[
            ("", "class A {\n", "", "}\n", ""),
            ("", "object A {\n", "", "}\n", ""),
            ("def f = ", "{ def g = ", "1", " }", "\n"),
            ("val x = ", "(a) => ", "1", "", "\n"),
            ("val x: ", "A[", "B", "]", "\n"),
            ("def f", "(a: Int)", "", "", " = 1\n"),
        ],
        Language::Shell => &[
            ("", "f() { ", ":", "; }", "\n"),
            ("", "if a; then ", ":", "; fi", "\n"),
            ("x=", "$(echo ", "a", ")", "\n"),
            ("x=\"", "${a:-", "b", "}", "\"\n"),
            ("", "( ", ":", " )", "\n"),
            ("", "a && ", "b", "", "\n"),
            ("", "case a in b) ", ":", ";; esac", "\n"),
        ],
        Language::Elixir => &[
            ("", "defmodule A do\n", "", "end\n", ""),
            ("x = ", "fn -> ", "1", " end", "\n"),
            ("x = \"", "#{\"", "a", "\"}", "\"\n"),
            ("", "def f do\n", "", "end\n", ""),
            ("x = ", "%{a: ", "1", "}", "\n"),
        ],
        Language::Erlang => &[
            ("f() -> ", "fun() -> ", "1", " end", ".\n"),
            ("f() -> ", "case a of b -> ", "1", " end", ".\n"),
            ("-type t() :: ", "list(", "a", ")", ".\n"),
        ],
        Language::Haskell => &[
            ("f = ", "\\x -> ", "1", "", "\n"),
            ("f = ", "if a then b else ", "1", "", "\n"),
            ("f :: ", "Maybe (", "a", ")", "\n"),
            ("f = ", "do ", "a", "", "\n"),
        ],
        Language::Ocaml => &[
            ("", "module A = struct ", "", " end", "\n"),
            ("let x = ", "fun y -> ", "1", "", "\n"),
            ("let x = ", "let y = ", "1", " in y", "\n"),
            ("let x = ", "match a with b -> ", "1", "", "\n"),
        ],
        Language::OcamlInterface => &[
            ("", "module A : sig ", "", " end", "\n"),
            ("val x : ", "a -> ", "b", "", "\n"),
            ("val x : ", "(a * ", "b", ")", "\n"),
        ],
        Language::Zig => &[
            ("const a = ", "struct { const b = ", "1", "; }", ";\n"),
            ("fn f() void {", "{", "", "}", "}"),
            ("const a: ", "?*", "u8", "", ";\n"),
        ],
        Language::Dart => &[
            ("", "class A { void f() {", "", "}}", ""),
            ("var x = ", "() => ", "1", "", ";\n"),
            ("var x = ", "a ? b : ", "c", "", ";\n"),
            ("A", "<A", "", ">", " x;\n"),
        ],
        Language::R => &[
            ("f <- ", "function(x) ", "1", "", "\n"),
            ("x <- ", "list(a = ", "1", ")", "\n"),
            ("", "x <- ", "1", "", "\n"),
        ],
        Language::Julia => &[
            ("", "module A\n", "", "end\n", ""),
            ("", "function f()\n", "", "end\n", ""),
            ("x = ", "y -> ", "1", "", "\n"),
            ("x = \"", "$(\"", "a", "\")", "\"\n"),
        ],
        Language::Perl => &[
            ("", "sub f { ", "1", " }", "\n"),
            ("my $x = ", "sub { ", "1", " }", ";\n"),
            ("my $x = ", "{ a => ", "1", " }", ";\n"),
            ("", "package A { ", "", "}", "\n"),
        ],
        Language::ObjC => &[
            ("void f() {", "{", "", "}", "}"),
            ("id x = ", "[a b:", "c", "]", ";\n"),
            ("void f() { x = ", "^{ ", "", " }", "; }"),
            ("", "@implementation A\n", "", "@end\n", ""),
        ],
        Language::Groovy => &[
            ("", "class A {\n", "", "}\n", ""),
            ("def x = ", "{ ", "1", " }", "\n"),
            ("def x = ", "a ? b : ", "c", "", "\n"),
        ],
        Language::Clojure => &[
            ("", "(defn f [] ", "1", ")", "\n"),
            ("", "[", "1", "]", "\n"),
            ("", "#(", "1", ")", "\n"),
            ("", "(ns a) ", "", "", ""),
        ],
        Language::FSharp => &[
            ("", "module A =\n ", "", "", "\n"),
            ("let x = ", "fun y -> ", "1", "", "\n"),
            ("let x = ", "if a then b else ", "1", "", "\n"),
            ("let x : ", "list<", "int", ">", " = 1\n"),
        ],
        Language::Solidity => &[
            ("contract A { function f() public {", "{", "", "}", "} }"),
            ("contract A { ", "mapping(a => ", "b", ")", " x; }"),
            ("contract A { uint x = ", "(", "1", ")", "; }"),
        ],
        Language::Sql => &[
            ("SELECT ", "(SELECT ", "1", ")", ";\n"),
            ("SELECT ", "CASE WHEN a THEN ", "1", " END", ";\n"),
            ("SELECT ", "f(", "1", ")", ";\n"),
        ],
        Language::Protobuf => &[
            ("", "message A {\n", "", "}\n", ""),
            ("", "message A { oneof b {", "", "}}", "\n"),
            ("option (a) = ", "{ b: ", "1", "}", ";\n"),
        ],
        Language::Terraform => &[
            ("", "resource \"a\" \"b\" {\n", "", "}\n", ""),
            ("x = ", "[", "1", "]", "\n"),
            ("x = \"", "${\"", "a", "\"}", "\"\n"),
        ],
        Language::Nix => &[
            ("", "{ a = ", "1", "; }", "\n"),
            ("", "x: ", "1", "", "\n"),
            ("", "let a = 1; in ", "a", "", "\n"),
            ("\"", "${\"", "a", "\"}", "\"\n"),
        ],
        Language::GdScript => &[
            ("var x = ", "[", "1", "]", "\n"),
            ("var x = ", "func(): return ", "1", "", "\n"),
            ("var x = ", "a if b else ", "c", "", "\n"),
        ],
        Language::Elm => &[
            ("x = ", "\\y -> ", "1", "", "\n"),
            ("x = ", "if a then b else ", "1", "", "\n"),
            ("x : ", "List (", "a", ")", "\n"),
            ("", "{- ", "", " -}", "\n"),
        ],
        Language::TypeScript | Language::Tsx | Language::JavaScript => &[
            ("", "function f() {", "", "}", ""),
            ("", "class A { m() {", "", "}}", ""),
            ("x = ", "() => ", "1", "", ""),
            ("x = ", "`${", "1", "}`", ""),
            ("", "if (a) {} else ", "{}", "", ""),
            ("let x: ", "A<", "B", ">", ";"),
            ("let x: ", "{a: ", "B", "}", ";"),
            ("let ", "{a: ", "b", "}", " = c;"),
            ("x = ", "a ? b : ", "c", "", ""),
            ("x = ", "await ", "c", "", ""),
            ("x = ", "<a>", "", "</a>", ""),
            ("a", "?.b!", "", "", ""),
            ("x = ", "{a: ", "1", "}", ""),
            ("", "a = ", "1", "", ""),
        ],
        Language::Python => &[
            ("x = ", "lambda: ", "1", "", "\n"),
            ("x = ", "not ", "1", "", "\n"),
            ("x: ", "A[", "1", "]", "\n"),
            ("x = ", "a if b else ", "1", "", "\n"),
            ("x = ", "{1: ", "1", "}", "\n"),
            ("", "a = ", "1", "", "\n"),
            ("if a: pass\n", "elif a: pass\n", "", "", ""),
            ("x = ", "f(*", "a", ")", "\n"),
        ],
        Language::Go => &[
            ("package a\nfunc f() {", "{", "", "}", "}"),
            ("package a\nvar x = ", "func() {", "", "}", ""),
            ("package a\nfunc f() {", "if a {} else ", "{}", "", "}"),
            ("package a\nvar x ", "[]", "int", "", "\n"),
            ("package a\nvar x ", "A[", "int", "]", "\n"),
            ("package a\ntype T ", "struct { a ", "int", "}", "\n"),
            ("package a\nvar x = ", "f(", "1", ")", "\n"),
            ("package a\nvar x = a", ".b()", "", "", "\n"),
            ("package a\nvar x = ", "T{", "1", "}", "\n"),
            ("package a\nvar x = ", "&", "a", "", "\n"),
        ],
        Language::Rust => &[
            ("fn f() {", "{", "", "}", "}"),
            ("", "mod a {", "", "}", ""),
            ("", "fn f() {", "", "}", ""),
            ("fn f() {", "if a {} else ", "{}", "", "}"),
            ("fn f() { x = ", "|| ", "1", "", "}"),
            ("type T = ", "A<", "B", ">", ";"),
            ("type T = ", "&", "B", "", ";"),
            ("fn f() { let ", "A(", "b", ")", " = c; }"),
            ("fn f() { ", "m!(", "1", ")", "; }"),
            ("fn f() { a", "?", "", "", "}"),
            ("fn f() { x = a", ".b()", "", "", "}"),
            ("use ", "a::{", "b", "}", ";"),
            ("use a", "::b", "", "", ";"),
            ("fn f() { x = a", " as u8", "", "", "}"),
        ],
        Language::Java => &[
            ("class A { void f() {", "{", "", "}", "}}"),
            ("", "class A {", "", "}", ""),
            (
                "class A { Object x = ",
                "new A() { Object y = ",
                "1",
                ";}",
                ";}",
            ),
            ("class A { Object x = ", "() -> ", "1", "", ";}"),
            ("class A { ", "A<", "B", ">", " x; }"),
            ("class A { Object x = a", ".b()", "", "", ";}"),
            ("class A { Object x = ", "f(", "1", ")", ";}"),
            ("class A { Object x = ", "(A) ", "1", "", ";}"),
            ("class A { void f() {", "if (a) {} else ", "{}", "", "}}"),
            ("class A { int", "[]", " x", "", "; }"),
            ("class A { Object x = \"\"", " + 1", "", "", ";}"),
            ("", "@A(", "1", ")", " class B {}"),
        ],
    };
    common.iter().chain(own).copied().collect()
}

fn deep(language: Language, times: usize) {
    on_thread(move || {
        for (before, open, inner, close, after) in nests(language) {
            // The parser's recovery from errors takes time quadratic in the depth.
            let depth = if open == "f({[" { times / 20 } else { times };
            let source = format!(
                "{before}{}{inner}{}{after}",
                open.repeat(depth),
                close.repeat(depth)
            );
            let started = Instant::now();
            let parsed = {
                languages::parse_only(language, &source);
                started.elapsed()
            };
            check(language, &source);
            let spent = started.elapsed() - parsed;
            let limit = Duration::from_secs(20) + parsed * 10;
            assert!(
                spent < limit,
                "{language} {before}{open}: {spent:?}, bare parse {parsed:?}"
            );
        }
    });
}

#[test]
fn deep_typescript() {
    deep(Language::TypeScript, DEEP);
}

#[test]
fn deep_tsx() {
    deep(Language::Tsx, DEEP / 10);
}

#[test]
fn deep_javascript() {
    deep(Language::JavaScript, DEEP / 10);
}

#[test]
fn deep_python() {
    deep(Language::Python, DEEP);
}

#[test]
fn deep_python_blocks() {
    on_thread(|| {
        let blocks: String = (0..2_000)
            .map(|depth| format!("{}if a:\n", " ".repeat(depth)))
            .collect();
        check(
            Language::Python,
            &format!("{blocks}{}pass\n", " ".repeat(2_000)),
        );
    });
}

/// The state of the scanner is full with this many blocks, and one more string is too much.
#[test]
fn blocks_and_strings_fill_no_scanner() {
    on_thread(|| {
        for depth in [383, 384, 500, 511, 512, 600] {
            let blocks = (0..depth).map(|depth| format!("{}if a:\n", " ".repeat(depth)));
            let blocks: String = blocks.collect();
            for strings in [1, 2, 3, 255, 256, 300] {
                let open = "f'{".repeat(strings);
                let line = " ".repeat(depth);
                check(Language::Python, &format!("{blocks}{line}x = {open}\n"));
            }
        }
    });
}

/// An annotation on a line without an end, where the scanner looks for white space.
#[test]
fn annotations_at_the_end_of_a_file() {
    for end in [
        "class A\n@B",
        "val x = 1\n@Foo",
        "val x = 1\n@Foo(",
        "val x = 1\n@A @",
    ] {
        let facts = check(Language::Kotlin, end);
        assert!(!facts.defs.is_empty(), "{end}");
    }
}

#[test]
fn words_of_heredocs_fill_no_scanner() {
    for length in [199, 200, 201, 255, 256, 257, 300, 1_100] {
        let word = "A".repeat(length);
        let source = format!("class C\nend\nx = <<{word}\nhello #{{1}}\n{word}\n");
        let facts = check(Language::Ruby, &source);
        assert!(!facts.defs.is_empty(), "{length}");
    }
}

#[test]
fn deep_go() {
    deep(Language::Go, DEEP);
}

#[test]
fn deep_rust() {
    deep(Language::Rust, DEEP);
}

#[test]
fn deep_c() {
    deep(Language::C, DEEP / 20);
}

#[test]
fn deep_cpp() {
    deep(Language::Cpp, DEEP / 20);
}

#[test]
fn deep_java() {
    deep(Language::Java, DEEP);
}

/// Languages of which only names are read.
#[test]
fn deep_names() {
    let named = Language::ALL.into_iter().filter(|l| !l.has_calls());
    for language in named {
        deep(language, DEEP / 20);
    }
}

/// Sources on which the parser takes far more than linear time, by language.
const OUT_OF_PROPORTION: [(Language, &str); 1] = [
    // Each may open a raw string, whose end is searched in the whole rest.
    (Language::Rust, "r#\""),
];

#[test]
fn parsing_is_given_up_where_it_takes_work_out_of_proportion() {
    for (language, piece) in OUT_OF_PROPORTION {
        let good = sample(language);
        let source = format!(
            "{good}\n{}",
            format!("{}\n", piece.repeat(20)).repeat(8_000)
        );
        let started = Instant::now();
        let facts = check(language, &source);
        assert!(facts.parse_gave_up, "{language} {piece}");
        assert!(
            started.elapsed() < Duration::from_secs(60),
            "{language} {piece}: {:?}",
            started.elapsed()
        );
        let lines = source.lines().count() as u32;
        assert_eq!(facts.lines, lines);
        assert!(facts.syntax_errors > 0);
        // Giving up one source does not affect the next one read by the same parser, nor the other way round.
        let next = check(language, &good);
        assert!(!next.parse_gave_up);
        assert_eq!(check(language, &good), next);
        assert_eq!(check(language, &source), facts);
    }
}
