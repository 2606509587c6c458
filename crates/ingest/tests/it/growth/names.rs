//! Sources of languages of which only names are read: nesting, statements with many names, conditions, quotes.

use super::{Fixture, each};

/// Nested functions with a decision in each, and many in the innermost.
fn functions(path: &str, open: &str, decision: &str, close: &str, pieces: usize) -> String {
    let heads = each(pieces, |i| {
        format!("{}\n{decision}\n", open.replace('@', &i.to_string()))
    });
    let body = format!("{decision}\n").repeat(pieces);
    format!(
        "//- {path}\n{heads}{body}{}",
        format!("{close}\n").repeat(pieces)
    )
}

pub(super) const NAMES: &[Fixture] = &[
    ("functions of Kotlin", |n| {
        functions("a.kt", "fun f@() {", "if (a) b()", "}", n)
    }),
    ("functions of PHP", |n| {
        let text = functions("a.php", "function f@() {", "if ($a) b();", "}", n);
        text.replacen('\n', "\n<?php\n", 1)
    }),
    ("functions of Scala", |n| {
        functions("a.scala", "def f@() = {", "if (a) b()", "}", n)
    }),
    ("functions of Swift", |n| {
        functions("a.swift", "func f@() {", "if a { b() }", "}", n)
    }),
    ("functions of the shell", |n| {
        functions("a.sh", "f@() {", "a && b", "}", n)
    }),
    ("methods of local classes of C++", |n| {
        let open = "void f@() { struct S@ { void g() {";
        functions("a.cpp", open, "if (a) b();", "} }; }", n / 2)
    }),
    ("functions of C#", |n| {
        let text = functions("a.cs", "void f@() {", "if (a) b();", "}", n);
        format!("{}}}\n", text.replacen('\n', "\nclass A {\n", 1))
    }),
    ("functions of Ruby", |n| {
        functions("a.rb", "def f@", "b if a", "end", n)
    }),
    ("names of one statement", |n| {
        let names = each(n, |i| format!("a{i} = 1,\n"));
        format!("//- a.swift\nlet {names}b = 1\n//- a.cs\nclass A {{ int {names}b = 1; }}\n")
    }),
    ("conditions around braces", |n| {
        let (ifs, ends) = ("#if A\n".repeat(n), "#else\n#endif\n".repeat(n));
        let braces = "{{{{{{{{\n".repeat(n);
        let text = format!("{ifs}{braces}{ends}");
        format!("//- a.c\nint = ;\n{text}//- a.cs\nclass = ;\n{text}")
    }),
    ("quotes that nothing closes", |n| {
        let line = format!("{}\\\n", "\\'".repeat(40));
        format!("//- a.c\nint a = = ;\n'{}", line.repeat(n))
    }),
];
