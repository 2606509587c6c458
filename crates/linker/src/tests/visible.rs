//! The surface of a file: which edits show, and how indexes follow those that do not.

use super::tiny::facts;
use crate::repo::{FileId, GlobalDef};
use crate::surface::Surface;
use base::Language;
use base::facts::*;
use rustc_hash::FxHashSet;

const BEFORE: &str = "import b.Base
export make
class A: Base { let field: Part = new Part() fn m(self, n: Part) = self.field fn other(self) -> text { helper(n) } }
class Part { fn use(self) { inner() } }
fn make<T: A>(x: T, y = new Part()) -> T { let kept = helper(x) helper(kept) }
fn helper(x) { return x }
let value = make(1)
alias Name<T> = [T]
enum E { member One }
";

fn surface(text: &str) -> (FileFacts, Surface) {
    let facts = facts(Language::Lua, text);
    let surface = Surface::from_facts(&facts);
    (facts, surface)
}

/// Whether others see the edit.
fn shows(from: &str, to: &str) -> bool {
    assert!(BEFORE.contains(from), "{from}");
    let after = BEFORE.replacen(from, to, 1);
    assert_ne!(after, BEFORE);
    surface(BEFORE).1.remap_to(&surface(&after).1).is_none()
}

#[test]
fn edits_of_what_others_read_show() {
    for (from, to) in [
        ("import b.Base", "import c.Base"),
        ("import b.Base", "import b.Base as Other"),
        ("export make", "export make as other"),
        ("export make", "export helper"),
        ("class A: Base", "class A"),
        ("class A: Base", "class A: has Base"),
        ("let field: Part", "let field: Other"),
        (
            "let field: Part = new Part()",
            "let field: Part = new Other()",
        ),
        ("let field: Part", "let renamed: Part"),
        ("fn m(self, n: Part)", "fn m(self, n: Base)"),
        ("fn m(self, n: Part)", "fn m(self, k: Part)"),
        ("fn m(self, n: Part)", "fn m(self, n: Part, k)"),
        ("fn m(self, n: Part)", "fn m(self, *n: Part)"),
        ("fn m(self", "static fn m(self"),
        ("= self.field", "= self.other"),
        ("-> text", "-> Part"),
        ("<T: A>", "<T: Part>"),
        ("<T: A>", "<T: A = A>"),
        ("y = new Part()", "y = new A()"),
        ("return x", "return y"),
        ("value = make(1)", "value = make(\"1\")"),
        ("value = make(1)", "value = make(1, 2)"),
        ("= [T]", "= T"),
        ("alias Name", "alias Named"),
        ("member One", "member Two"),
        ("enum E", "class E"),
        ("fn helper", "async fn helper"),
        ("fn helper", "@deco fn helper"),
        ("fn helper(x)", "fn helper(x = 1)"),
    ] {
        assert!(shows(from, to), "{from} to {to}");
    }
}

#[test]
fn edits_of_bodies_do_not_show() {
    for (from, to) in [
        ("{ inner() }", "{ other() more(1) }"),
        ("{ inner() }", "{ }"),
        ("{ helper(n) }", "{ let a = n helper(a) { b(a) } }"),
        ("let kept = helper(x)", "let kept = helper(x) helper(x)"),
        ("helper(kept)", "print(kept)"),
        ("\nclass Part", "\n# a remark\n\nclass Part"),
    ] {
        assert!(!shows(from, to), "{from} to {to}");
    }
}

#[test]
fn the_rules_of_a_macro_show() {
    let with = |rules: &str| {
        let text = format!("macro m(x) {{ {rules} }}\nfn f() {{}}\n");
        surface(&text)
    };
    let (facts, before) = with("|y| helper(y)");
    for rules in [
        "",
        "|y| y",
        "|y| helper(1)",
        "|y, z| helper(y)",
        "|y| helper(y) |z| z",
    ] {
        assert!(before.remap_to(&with(rules).1).is_none(), "{rules}");
    }
    assert!(before.remap_to(&with("other() |y| helper(y)").1).is_some());
    // Others refer to what a rule refers to, through the rule.
    let names: FxHashSet<Box<str>> = [Box::from("helper")].into_iter().collect();
    assert!(before.refers_to_any(&facts, &names));
}

#[test]
fn the_order_of_definitions_shows_where_it_can_decide() {
    let one = surface("fn f(a) {}\nfn f(b) {}\n").1;
    let other = surface("fn f(b) {}\nfn f(a) {}\n").1;
    assert!(one.remap_to(&other).is_none());
    // The inside of a local function is not part of the surface.
    let with = surface("fn f() { fn g() { one() } }\nfn h() = 1\n").1;
    let without = surface("fn f() { fn g() { } }\nfn h() = 1\n").1;
    assert!(with.remap_to(&without).is_some());
}

#[test]
fn the_place_of_a_use_among_bindings_shows() {
    // `y` is `x` as bound earlier or later.
    let early =
        "fn f() { let x = new A() let y = x let x = new B() return y }\nclass A {}\nclass B {}\n";
    let late =
        "fn f() { let x = new A() let x = new B() let y = x return y }\nclass A {}\nclass B {}\n";
    assert!(surface(early).1.remap_to(&surface(late).1).is_none());
    // Also if nothing else in the values has a place.
    let early = "fn f() { let x = \"\" let y = x let x = 1 return y }\n";
    let late = "fn f() { let x = \"\" let x = 1 let y = x return y }\n";
    assert!(surface(early).1.remap_to(&surface(late).1).is_none());
    // The same uses and bindings farther apart look the same.
    let apart = early.replace("let y", "print(1)       let y");
    assert!(surface(early).1.remap_to(&surface(&apart).1).is_some());
}

#[test]
fn indexes_follow_what_moved() {
    let before = "fn f() { }\nclass A { fn m(self) {} }\nfn g() = new A()\n";
    // Two more function literals in front, which others do not see.
    let after = before.replace("fn f() { }", "fn f() { h(|x| x, |y| y) }");
    let ((old, was), (new, is)) = (surface(before), surface(&after));
    let moved = was.remap_to(&is).expect("the same surface");
    assert!(!moved.is_identity());
    assert_eq!(new.defs.len(), old.defs.len() + 2);
    for (at, def) in old.defs.iter().enumerate() {
        let to = moved.remap_def(DefId(at as u32));
        assert_eq!(new.name(new.def(to).name), old.name(def.name));
        assert_eq!(new.def(to).kind, def.kind);
        let body = def.body.expect("a body");
        let to_scope = moved.remap_scope(body);
        let owner = new.scope(to_scope).owner;
        assert_eq!(owner, Some(to));
    }
    let here = |def| GlobalDef {
        file: FileId(3),
        def: DefId(def),
    };
    assert_eq!(moved.remap_gdef(FileId(3), here(1)), here(3));
    assert_eq!(moved.remap_gdef(FileId(4), here(1)), here(1));
    let mut all = [here(0), here(1)];
    moved.remap_all(FileId(3), all.iter_mut());
    assert_eq!(all, [here(0), here(3)]);
    let mut table = [(here(1), 'a'), (here(2), 'b'), (here(0), 'c')]
        .into_iter()
        .collect();
    moved.remap_keys(FileId(3), &mut table);
    let mut table: Vec<_> = table.into_iter().collect();
    table.sort();
    assert_eq!(table, [(here(0), 'c'), (here(3), 'a'), (here(4), 'b')]);
}

#[test]
fn nothing_moved_where_only_bodies_differ() {
    let one = surface("fn f() { a() }\nfn g() {}\n").1;
    let other = surface("fn f() { b() c() }\nfn g() {}\n").1;
    assert!(one.remap_to(&other).unwrap().is_identity());
    assert_eq!(one.defs(), [DefId(0), DefId(1)]);
}

#[test]
fn a_surface_knows_the_names_by_which_it_refers() {
    let (facts, surface) =
        surface("import b/deep.Base as Other\nclass A: Other {}\nfn f() -> Part { hidden() }\n");
    let refers = |name: &str| {
        let names = [Box::from(name)].into_iter().collect();
        surface.refers_to_any(&facts, &names)
    };
    assert!(refers("Other") && refers("Part") && refers("Base"));
    assert!(!refers("A") && !refers("f") && !refers("hidden") && !refers("deep"));
    let mentions = |name: &str| {
        let names = [Box::from(name)].into_iter().collect();
        surface.mentions_any(&facts, &names)
    };
    assert!(mentions("A") && mentions("f") && mentions("Part"));
    assert!(!mentions("hidden") && !mentions("nowhere"));
    // In Java and Rust, the path of an import names definitions.
    let java = super::tiny::facts(Language::Java, "import b/deep.Base as Other\n");
    let of_java = Surface::from_facts(&java);
    assert!(of_java.refers_to_any(&java, &[Box::from("deep")].into_iter().collect()));
}

#[test]
fn every_kind_of_type_and_value_shows() {
    let types = [
        "A",
        "B",
        "A?",
        "[A]",
        "[A: B]",
        "(A, B)",
        "A | B",
        "fn(A) -> B",
        "fn(A)",
        "&A",
        "text",
        "typeof a",
        "A::b",
        "A.b",
        "A<B>",
        "_",
    ];
    let values = [
        "a", "b", "a.b", "a::b", "a()", "a(b)", "new a()", "[a]", "(a, b)", "{a = b}", "{a: b}",
        "1", "\"\"", "null", "a or b", "a + b", "await a", "each a", "keyof a", "enter a", "try a",
        "a[b]", "a.1", "a as A", "|x| a", "?", "a(*b)", "a(b: a)", "a!(b)", "{}",
    ];
    let types = types.map(|ty| format!("let it: {ty}\n"));
    let values = values.map(|value| format!("let it = {value}\n"));
    let all: Vec<&String> = types.iter().chain(&values).collect();
    for (at, one) in all.iter().enumerate() {
        for other in &all[..at] {
            let (was, is) = (surface(one).1, surface(other).1);
            assert!(was.remap_to(&is).is_none(), "{one} and {other}");
        }
        assert!(surface(one).1.remap_to(&surface(one).1).is_some());
    }
}
