//! Sources that make linking work: the steps grow with the size of the source.

use crate::fixture::repo;
use linker::link_file;

/// Lines that are made from their numbers.
fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

/// The steps that linking sources takes.
fn steps(source: &str) -> u64 {
    let repo = repo(source);
    let langs = crate::tables(&repo);
    let linked = repo.files().map(|(id, _)| link_file(&repo, &langs, id));
    linked.map(|linked| linked.steps).sum()
}

/// Twice the source may take little more than twice the steps.
fn check_growth(what: &str, source: impl Fn(usize) -> String) {
    let (small, large) = (steps(&source(300)), steps(&source(600)));
    assert!(
        large <= small * 5 / 2 + 10_000,
        "{what}: {small} steps, {large} for twice the source"
    );
}

#[test]
fn conversions_and_usings() {
    check_growth("conversions", |n| {
        let conversions = lines(n, |i| {
            format!("public static implicit operator C{i}(A a) {{ return null; }}\n")
        });
        let classes = lines(n, |i| format!("class C{i} {{}}\n"));
        let calls = lines(n, |_| "F(a);\n".to_owned());
        format!(
            "//- a.cs\nclass A {{ {conversions} }}\n{classes}\
             class B {{}} class M {{ void F(B b) {{}} void F(int n) {{}} void G(A a) {{ {calls} }} }}\n"
        )
    });
    check_growth("static usings", |n| {
        let usings = lines(n, |i| format!("using static A{i};\n"));
        let classes = lines(n, |i| format!("static class A{i} {{}}\n"));
        let calls = lines(n, |i| format!("class M{i} {{ void G() {{ Foo(); }} }}\n"));
        format!("//- a.cs\n{usings}{calls}//- b.cs\n{classes}")
    });
}

#[test]
fn a_method_in_all_parts_of_a_class() {
    check_growth("parts in one file", |n| {
        let parts = lines(n, |i| {
            format!("partial class C {{ void M{i}(int a) {{ M{i}(1); N(); }} }}\n")
        });
        format!("//- a.cs\n{parts}")
    });
}
