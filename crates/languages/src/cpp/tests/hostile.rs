//! Sources that make linking work: the steps grow with the size of the source.

use crate::fixture::repo;
use linker::link_file;

/// Lines that are made from their numbers.
fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

/// The steps that linking a source takes.
fn steps(source: &str) -> u64 {
    let repo = repo(&format!("//- a.cc\n{source}"));
    let langs = crate::tables(&repo);
    let linked = repo.files().map(|(id, _)| link_file(&repo, &langs, id));
    linked.map(|linked| linked.steps).sum()
}

/// Twice the source may take little more than twice the steps.
fn check_growth(what: &str, source: impl Fn(usize) -> String) {
    let (small, large) = (steps(&source(400)), steps(&source(800)));
    assert!(
        large <= small * 5 / 2 + 10_000,
        "{what}: {small} steps, {large} for twice the source"
    );
}

#[test]
fn chains_and_rings_of_types() {
    check_growth("aliases", |n| {
        let chain = lines(n, |i| format!("using A{} = A{i};\n", i + 1));
        format!("struct A0 {{ void m() {{}} }};\n{chain}void f(A{n} x) {{ x.m(); }}\n")
    });
    check_growth("a ring of aliases", |n| {
        lines(n, |i| {
            format!(
                "using A{i} = A{};\nvoid f(A{i} x) {{ x.m(); }}\n",
                (i + 1) % n
            )
        })
    });
    check_growth("a ring of bases", |n| {
        lines(n, |i| {
            format!(
                "struct A{i} : A{} {{ void g() {{ m(); }} }};\n",
                (i + 1) % n
            )
        })
    });
    check_growth("bases that are templates of their class", |n| {
        let classes = lines(n, |i| {
            format!("struct D{i} : B<D{i}> {{ void x() {{ r(); self().x(); }} }};\n")
        });
        format!(
            "template <class D> struct B {{ D& self(); void r() {{ self().x(); }} }};\n{classes}"
        )
    });
    check_growth("types that are their own arguments", |n| {
        let uses = lines(n, |i| {
            format!("void f{i}(R<int>::type x, P<A>::type y) {{ x.m(); y.m(); }}\n")
        });
        format!(
            "template <class T> struct R {{ using type = typename R<R<T>>::type; }};\n\
             template <class T> struct P {{ using type = typename T::type; }};\n\
             struct A {{ using type = P<A>::type; }};\n{uses}"
        )
    });
}

#[test]
fn many_of_one_name() {
    check_growth("overloads", |n| {
        let defs = lines(n, |i| format!("struct S{i} {{}}; void f(S{i}) {{}}\n"));
        defs + &lines(n, |i| format!("void g{i}(S{i} x) {{ f(x); }}\n"))
    });
    check_growth("operators", |n| {
        let defs = lines(n, |i| {
            format!("struct S{i} {{}}; bool operator==(S{i}, S{i}) {{ return true; }}\n")
        });
        defs + &lines(n, |i| format!("void g{i}(S{i} x) {{ x == x; }}\n"))
    });
    check_growth("specialised templates", |n| {
        let special = lines(n, |i| {
            format!("template <> struct T<{i}> {{ void m() {{ T<{i}> x; x.m(); }} }};\n")
        });
        format!("template <int N> struct T {{ void m(); }};\n{special}")
    });
}

#[test]
fn namespaces_that_bring_one_another() {
    check_growth("a ring", |n| {
        lines(n, |i| {
            let next = (i + 1) % n;
            format!("namespace n{i} {{ using namespace n{next}; void f{i}() {{ h(); }} }}\n")
        })
    });
    check_growth("inline ones", |n| {
        let inner = lines(n, |i| format!("inline namespace v{i} {{ void g{i}(); }}\n"));
        format!("namespace a {{ {inner} }} void f() {{ a::h(); a::g1(); }}\n")
    });
}

#[test]
fn names_of_which_none_is_a_type() {
    // Definitions as they were written before prototypes: the grammar of C++ takes their parameters for variables of the file.
    check_growth("definitions without prototypes", |n| {
        lines(n, |i| {
            format!("int f{i}(a, b) int a; char* b; {{ return f{i}(a, b); }}\n")
        })
    });
}

#[test]
fn long_expressions() {
    for (what, piece) in [
        ("sums", " + a"),
        ("members", ".m()"),
        ("arrows", "->n"),
        ("indexes", "[1]"),
        ("calls", "(1)"),
    ] {
        check_growth(what, |n| {
            format!(
                "struct A {{ A operator+(A); A m(); A* n; A* operator->(); A operator[](int); A operator()(int); }};\n\
                 void f(A a) {{ a{}; }}\n",
                piece.repeat(n)
            )
        });
    }
}
