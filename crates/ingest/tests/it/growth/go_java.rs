//! Growing sources in Go and Java.

use super::{Fixture, each, nested};

pub(super) const GO: &[Fixture] = &[
    ("types that implement all interfaces", |n| {
        format!(
            "//- a.go\npackage a\n{}",
            each(n, |i| format!(
                "type I{i} interface {{ N() }}\ntype S{i} struct {{}}\nfunc (s S{i}) N() {{}}\n"
            ))
        )
    }),
    ("functions", |n| {
        format!(
            "//- a.go\npackage a\n{}",
            each(n, |i| format!("func f{i}() {{ f{}() }}\n", i + 1))
        )
    }),
    ("field chain", |n| {
        format!("//- a.go\npackage a\nfunc f() {{ x{}() }}", ".b".repeat(n))
    }),
    ("call chain", |n| {
        format!("//- a.go\npackage a\nfunc f() {{ x{} }}", ".b()".repeat(n))
    }),
    ("calls in calls", |n| {
        format!(
            "//- a.go\npackage a\nvar x = {}\n",
            nested("", "f(", "", ")", "", n)
        )
    }),
    ("sum", |n| {
        format!("//- a.go\npackage a\nvar x = a{}\n", " + a".repeat(n))
    }),
    ("functions that call their name", |n| {
        format!("//- a.go\npackage a\n{}", "func f() { f() }\n".repeat(n))
    }),
    ("one variable again and again", |n| {
        format!("//- a.go\npackage a\n{}", "var x = x.f()\n".repeat(n))
    }),
    ("methods of many types", |n| {
        format!(
            "//- a.go\npackage a\n{}{}",
            each(n, |i| format!("type A{i} struct {{}}\n")),
            each(n, |i| format!("func (a A{i}) f() {{}}\n"))
        )
    }),
    ("imports and names", |n| {
        format!(
            "//- a.go\npackage a\nimport (\n{})\nfunc f() {{ {} }}\n",
            each(n, |i| format!(". \"a/p{i}\"\n")),
            each(n, |i| format!("F{i}(); "))
        )
    }),
    ("methods of one interface", |n| {
        format!(
            "//- a.go\npackage a\ntype I interface {{\n{}}}\ntype S struct {{}}\n{}",
            each(n, |i| format!("M{i}()\n")),
            each(n, |i| format!("func (s S) M{i}() {{}}\n"))
        )
    }),
    ("types with what an interface has", |n| {
        format!(
            "//- a.go\npackage a\ntype I interface {{\n{}}}\n{}",
            each(n, |i| format!("M{i}()\n")),
            each(n, |i| format!("type S{i} struct {{ I }}\n"))
        )
    }),
    ("functions in functions", |n| {
        format!(
            "//- a.go\npackage a\nvar x = {}\n",
            nested("", "f(func(a T) { ", "a.b()", " })", "", n)
        )
    }),
    ("else if", |n| {
        format!(
            "//- a.go\npackage a\nfunc f() {{ if a {{}} {} }}",
            "else if a { f() } ".repeat(n)
        )
    }),
    ("generics", |n| {
        format!(
            "//- a.go\npackage a\nvar x {}\nfunc f() {{ x.g() }}",
            nested("", "A[", "B", "]", "", n)
        )
    }),
    ("structs in structs", |n| {
        format!(
            "//- a.go\npackage a\nvar x {}\nfunc f() {{ x.a.b() }}",
            nested("", "struct { a ", "int", "}", "", n)
        )
    }),
    ("circle of types", |n| {
        format!(
            "//- a.go\npackage a\n{}",
            each(n, |i| format!(
                "type T{i} T{}\nfunc f{i}(x T{i}) {{ x.y() }}\n",
                (i + 1) % n
            ))
        )
    }),
    ("circle of embedding", |n| {
        format!(
            "//- a.go\npackage a\n{}",
            each(n, |i| format!(
                "type T{i} struct {{ *T{} }}\nfunc f{i}(x T{i}) {{ x.y() }}\n",
                (i + 1) % n
            ))
        )
    }),
    ("layers of embedding", |n| {
        format!(
            "//- a.go\npackage a\ntype A0 struct {{}}\ntype B0 struct {{}}\n{}",
            each(n, |i| format!(
                "type A{} struct {{ A{i}; B{i} }}\ntype B{} struct {{ A{i}; B{i} }}\nfunc f{i}(x A{}) {{ x.y() }}\n",
                i + 1,
                i + 1,
                i + 1
            ))
        )
    }),
    ("interfaces", |n| {
        format!(
            "//- a.go\npackage a\n{}",
            each(n, |i| format!(
                "type I{i} interface {{ M(); N{i}() }}\ntype T{i} struct {{}}\nfunc (t T{i}) M() {{}}\n"
            ))
        )
    }),
    ("pairs of pairs", |n| {
        format!(
            "//- a.go\npackage a\ntype P[A, B any] struct {{ a A; b B }}\nfunc f(a0 int) {{\n{} }}",
            each(n, |i| format!(
                "a{} := P[any, any]{{a{i}, a{i}}}\na{}.a.m()\n",
                i + 1,
                i + 1
            ))
        )
    }),
    ("one function again and again", |n| {
        format!(
            "//- a.go\npackage a\n{}func g() {{ {} }}",
            "func f() {}\n".repeat(n),
            "f();".repeat(n)
        )
    }),
];

pub(super) const JAVA: &[Fixture] = &[
    ("methods", |n| {
        format!(
            "//- A.java\nclass A {{ {} }}",
            each(n, |i| format!("void f{i}() {{ f{}(); }}\n", i + 1))
        )
    }),
    ("method references", |n| {
        format!("//- A.java\nclass A {{ Object x = {}b; }}", "a::".repeat(n))
    }),
    ("package", |n| {
        format!(
            "//- A.java\npackage {}b;\nclass A {{ A a; void f() {{ a.f(); }} }}",
            "a.".repeat(n)
        )
    }),
    ("import", |n| {
        format!(
            "//- A.java\nimport {}B;\nclass A {{ void f(B b) {{ b.f(); }} }}",
            "a.".repeat(n)
        )
    }),
    ("qualified type", |n| {
        format!(
            "//- A.java\nclass A {{ void f({}B b) {{ b.f(); }} }}",
            "a.".repeat(n)
        )
    }),
    ("field chain", |n| {
        format!(
            "//- A.java\nclass A {{ void f() {{ x{}(); }} }}",
            ".b".repeat(n)
        )
    }),
    ("call chain", |n| {
        format!(
            "//- A.java\nclass A {{ Object x = a{}; }}",
            ".b()".repeat(n)
        )
    }),
    ("calls in calls", |n| {
        format!(
            "//- A.java\nclass A {{ Object x = {}; }}",
            nested("", "f(", "", ")", "", n)
        )
    }),
    ("sum", |n| {
        format!(
            "//- A.java\nclass A {{ Object x = a{}; }}",
            " + a".repeat(n)
        )
    }),
    ("lambdas", |n| {
        format!(
            "//- A.java\nclass A {{ <T> T g(java.util.function.Function<T, T> f) {{ return null; }} Object x = {}; }}",
            nested("", "g(x -> ", "x.a()", ")", "", n)
        )
    }),
    ("generics", |n| {
        format!(
            "//- A.java\nclass A {{ void f({} x) {{ x.g(); }} }}",
            nested("", "B<", "C", ">", "", n)
        )
    }),
    ("else if", |n| {
        format!(
            "//- A.java\nclass A {{ void f() {{ if (a) {{}} {} }} }}",
            "else if (a) { f(); } ".repeat(n)
        )
    }),
    ("classes in classes", |n| {
        format!(
            "//- A.java\n{}",
            nested("", "class A { void f() { g(); } ", "", "}", "", 20).repeat(n / 20)
        )
    }),
    ("chain of classes", |n| {
        format!(
            "//- A.java\n{}",
            each(n, |i| format!(
                "class A{} extends A{i} {{ void f() {{ x(); }} }}\n",
                i + 1
            ))
        )
    }),
    ("circle of classes", |n| {
        format!(
            "//- A.java\n{}",
            each(n, |i| format!(
                "class A{i} extends A{} {{ void f() {{ x(); }} }}\n",
                (i + 1) % n
            ))
        )
    }),
    ("layers of interfaces", |n| {
        format!(
            "//- A.java\ninterface A0 {{}}\ninterface B0 {{}}\n{}",
            each(n, |i| format!(
                "interface A{} extends A{i}, B{i} {{}}\ninterface B{} extends A{i}, B{i} {{ default void f() {{ x(); }} }}\n",
                i + 1,
                i + 1
            ))
        )
    }),
    ("many interfaces", |n| {
        format!(
            "//- A.java\ninterface A extends {} {{}}\n{}",
            (0..n)
                .map(|i| format!("B{i}"))
                .collect::<Vec<_>>()
                .join(", "),
            each(n, |i| format!(
                "interface B{i} {{}}\nclass C{i} implements A {{ void f() {{ x(); }} }}\n"
            ))
        )
    }),
    ("bounds of each other", |n| {
        format!(
            "//- A.java\nclass A {{ <{}T extends Object> void f(T0 x) {{ x.a(); f(x); g(x); }} void g(A a) {{}} void g(B b) {{}} }}",
            each(n, |i| format!(
                "T{i} extends T{} & T{}, ",
                (i + 1) % n,
                (i + 2) % n
            ))
        )
    }),
    ("overloads", |n| {
        format!(
            "//- A.java\nclass A {{ {} void g() {{ {} }} }}",
            each(n, |i| format!("void f(B{i} b) {{}}\n")),
            "f(x);".repeat(n)
        )
    }),
    ("methods that call their name", |n| {
        format!(
            "//- A.java\nclass A {{ {} }}",
            "void f() { f(); }\n".repeat(n)
        )
    }),
    ("one field again and again", |n| {
        format!("//- A.java\nclass A {{ {} }}", "A x = x.f();\n".repeat(n))
    }),
    ("one class again and again", |n| {
        format!(
            "//- A.java\n{}",
            "class A { void f() { new A(); } }\n".repeat(n)
        )
    }),
    ("one class of many files", |n| {
        each(n, |i| {
            format!("//- p/A{i}.java\npackage p; class A {{ void f(A a) {{ a.f(a); }} }}\n")
        })
    }),
    ("constructors", |n| {
        format!(
            "//- A.java\nclass A {{ {} void g() {{ {} }} }}",
            each(n, |i| format!("A(B{i} b) {{ this(b); }}\n")),
            "new A(x);\n".repeat(n)
        )
    }),
    ("used packages", |n| {
        format!(
            "{}//- z/A.java\n{}class A {{ {} }}",
            each(n, |i| format!(
                "//- p{i}/X{i}.java\npackage p{i}; public class X{i} {{}}\n"
            )),
            each(n, |i| format!("import p{i}.*;\n")),
            each(n, |i| format!("X{i} x{i}; Z{i} z{i};\n"))
        )
    }),
    ("imports on demand", |n| {
        format!(
            "//- A.java\n{}class A {{ void f() {{ {} }} }}",
            each(n, |i| format!("import p{i}.*; import static q{i}.Q.*;\n")),
            each(n, |i| format!("X{i}.y(); z{i}();\n"))
        )
    }),
];
