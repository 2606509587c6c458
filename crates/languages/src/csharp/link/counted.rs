//! Counts what is compared while the tables are built. Nothing limits these steps, so tests hold how they grow.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts steps, in tests alone.
pub(super) fn count(steps: usize) {
    #[cfg(test)]
    STEPS.with(|all| all.set(all.get() + steps));
    #[cfg(not(test))]
    let _ = steps;
}

#[cfg(test)]
mod tests {
    use super::STEPS;
    use crate::csharp::link::CSharp;
    use crate::fixture::repo;

    fn lines(count: usize, line: impl Fn(usize) -> String) -> String {
        (0..count).map(line).collect()
    }

    fn steps(source: &str) -> usize {
        let repo = repo(source);
        STEPS.with(|all| all.set(0));
        CSharp::new(&repo);
        STEPS.with(std::cell::Cell::get)
    }

    /// Twice the source may take little more than twice the steps.
    fn check_growth(what: &str, source: impl Fn(usize) -> String) {
        let (small, large) = (steps(&source(400)), steps(&source(800)));
        assert!(small > 0, "{what}: nothing was counted");
        assert!(
            large <= small * 5 / 2 + 1_000,
            "{what}: {small} steps, {large} for twice the source"
        );
    }

    #[test]
    fn a_base_type_is_looked_up_in_all_usings_at_once() {
        let used = |n| lines(n, |i| format!("namespace A{i} {{ class D{i} {{}} }}\n"));
        let usings = |n| lines(n, |i| format!("using A{i};\n"));
        check_growth("usings and classes", |n| {
            let classes = lines(n, |i| format!("class C{i} : D{i} {{}}\n"));
            format!("//- a.cs\n{}{classes}//- b.cs\n{}", usings(n), used(n))
        });
        check_growth("usings and classes below a long namespace", |n| {
            let classes = lines(n, |i| format!("class C{i} : X {{}}\n"));
            let name = vec!["a"; 400].join(".");
            format!("//- a.cs\nnamespace {name} {{ {}{classes} }}\n", usings(n))
        });
        check_growth("global usings and files", |n| {
            let global = lines(n, |i| format!("global using A{i};\n"));
            let files = lines(n / 10, |i| {
                let classes = lines(10, |k| format!("class C{i}x{k} : D{i} {{}}\n"));
                format!("//- c{i:04}.cs\n{classes}")
            });
            format!("//- a.cs\n{global}//- b.cs\n{}{files}", used(n))
        });
    }

    #[test]
    fn many_supertypes_and_parts() {
        check_growth("a class with many interfaces and nested classes", |n| {
            let names: Vec<String> = (0..n).map(|i| format!("I{i}")).collect();
            let nested = lines(n, |i| format!("class N{i} : X {{}}\n"));
            let interfaces = lines(n, |i| format!("interface I{i} {{}}\n"));
            format!(
                "//- a.cs\nclass C : {} {{ {nested} }}\n{interfaces}",
                names.join(", ")
            )
        });
        check_growth("parts with supertypes", |n| {
            lines(n, |i| {
                format!(
                    "//- c{i:04}.cs\npartial class C : I{i} {{ void M(int a) {{ M(1); }} }} interface I{i} {{}}\n"
                )
            })
        });
    }
}
