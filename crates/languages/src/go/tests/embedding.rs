//! Selectors through embedded types.

use crate::fixture::{check, collect_relations};

const TYPES: &str = r#"//- a.go
package p
type A struct { x Left }
func (A) m() {}
func (A) own() {}
type B struct { x Right }
func (B) m() {}
type Left struct{}
func (Left) go1() {}
type Right struct{}
func (Right) go1() {}
type C struct { A; B }
type D struct { A; B }
func (D) m() {}
type Deep struct { C; Other }
type Other struct { Lower }
type Lower struct{}
func (Lower) m() {}
type P struct { *Lower }
type Q struct { *Lower }
type Twice struct { P; Q }
type I interface { m() }
type J interface { I }
type Shown struct { J; A }
type Nested struct { A; P }
type M interface { m() }
"#;

#[test]
fn a_selector_that_two_embedded_types_have_is_ambiguous() {
    check(
        &format!(
            "{TYPES}{}",
            r#"func f(c C, d D, deep Deep, t Twice, s Shown, n Nested, j J) {
	c.m()
	c.own()
	c.x.go1()
	c.A.m()
	d.m()
	deep.m()
	t.m()
	t.P.m()
	s.m()
	n.m()
	j.m()
}
"#
        ),
        "a.go:27 m -> ? no such member
a.go:28 own -> a.go:A.own@4 [typed]
a.go:29 go1 -> ? unknown receiver type
a.go:30 m -> a.go:A.m@3 [typed]
a.go:31 m -> a.go:D.m@13 [typed]
a.go:32 m -> ? no such member
a.go:33 m -> ? no such member
a.go:34 m -> a.go:Lower.m@17 [typed]
a.go:35 m -> ? no such member
a.go:36 m -> a.go:A.m@3 [typed]
a.go:37 m -> a.go:I.m@21 [typed]",
    );
}

#[test]
fn a_type_with_an_ambiguous_method_does_not_implement_its_interface() {
    let found = collect_relations(TYPES);
    let of = |name: &str| {
        let start = format!("a.go:{name}@");
        found
            .iter()
            .any(|line| line.starts_with(&start) && line.contains("implements a.go:M@"))
    };
    for name in ["A", "B", "D", "Lower", "P", "Q", "Nested"] {
        assert!(of(name), "{name}: {found:?}");
    }
    for name in ["C", "Deep", "Twice", "Shown"] {
        assert!(!of(name), "{name}: {found:?}");
    }
}
