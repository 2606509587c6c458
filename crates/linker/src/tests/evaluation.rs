//! Types of expressions, and that the memo does not depend on where evaluation started.

use super::tiny::{check, langs, repo, show_type, type_of};
use crate::eval::Eval;
use base::facts::*;

const CLASSES: &str = "//- a.lua
class Item { let part: Part = new Part() fn use(self) = self.part fn enter(self) -> Part {} }
class Part { fn use(self) = new Item() }
fn plain() = new Item()
async fn later() = new Item()
async fn written() -> Item {}
gen fn several() { yield new Item() yield new Part() }
let table = {\"a\": new Item()}
let pair = (new Item(), new Part())
";

#[test]
fn expressions_have_types() {
    for (value, expected) in [
        ("plain()", "Item"),
        ("plain", "fn plain"),
        ("Item", "class Item"),
        ("new Item()", "Item"),
        ("plain().use()", "Part"),
        ("plain().part", "Part"),
        ("later()", "promise<Item>"),
        ("await later()", "Item"),
        ("await written()", "Item"),
        ("await plain()", "Item"),
        ("several()", "list<Item | Part>"),
        ("each several()", "Item | Part"),
        ("table", "map<text, Item>"),
        ("each table", "Item"),
        ("keyof table", "text"),
        ("table[\"a\"]", "Item"),
        ("pair", "(Item, Part)"),
        ("pair.1", "Part"),
        ("pair.2", "?"),
        ("each pair", "Item | Part"),
        ("[plain(), null]", "list<Item>"),
        ("[]", "list<?>"),
        ("plain() or null", "Item"),
        ("null or null", "null"),
        ("plain() or plain()", "Item"),
        ("plain() or plain().part", "Item | Part"),
        // The type is a part of what is possible: the method of the first part counts for all.
        ("(plain() or plain().part).use()", "Part"),
        ("enter plain()", "Part"),
        ("enter plain().part", "Part"),
        ("try [plain()]", "Item"),
        ("missing as Item", "Item"),
        ("plain() as _", "Item"),
        ("1", "int"),
        ("\"a\"", "text"),
        ("plain() + 1", "Item"),
        ("{x = plain()}", "object"),
        ("{x = plain()}.x", "Item"),
        ("List", "ext list"),
        ("?", "?"),
        ("missing.x.y", "?"),
        ("|x| plain()", "fn it"),
        ("(|x| plain())(1)", "Item"),
    ] {
        let fixture = format!("{CLASSES}let it = {value}\n");
        assert_eq!(type_of(&fixture, "it"), expected, "{value}");
    }
}

#[test]
fn written_types_are_read() {
    for (written, expected) in [
        ("Item", "Item"),
        ("Item?", "Item"),
        ("&Item", "Item"),
        ("[Item]", "list<Item>"),
        ("[text: Item]", "map<text, Item>"),
        ("(Item, Part)", "(Item, Part)"),
        ("Item | Part | Item", "Item | Part"),
        ("fn(Item) -> Part", "fn(Item) -> Part"),
        ("fn()", "fn() -> ?"),
        ("typeof plain()", "Item"),
        ("Item::part", "Part"),
        ("Item::gone", "?"),
        ("List<Item>", "list<Item>"),
        ("missing", "?"),
        ("_", "?"),
    ] {
        let fixture = format!("{CLASSES}let it: {written}\n");
        assert_eq!(type_of(&fixture, "it"), expected, "{written}");
    }
}

#[test]
fn a_written_type_counts_before_the_value_and_the_value_says_which_part() {
    check(
        "//- a.lua
class A { fn m(self) {} }
class B: A { fn n(self) {} }
fn f(any: A | B) {
  let a: A = new B()
  a.n()
  let part: A | B = new B()
  part.n()
  let other: A | B = any
  other.m()
  let untold: gone = new B()
  untold.n()
}
",
        "a.lua:4 B -> a.lua:B@2 [scoped]
a.lua:5 n -> ? no such member
a.lua:6 B -> a.lua:B@2 [scoped]
a.lua:7 n -> a.lua:B.n@2 [typed]
a.lua:9 m -> a.lua:A.m@1 [typed]
a.lua:10 B -> a.lua:B@2 [scoped]
a.lua:11 n -> a.lua:B.n@2 [typed]",
    );
}

#[test]
fn parameters_have_written_types_or_those_of_their_defaults() {
    check(
        "//- a.lua
class A { fn m(self) {} }
fn f(a: A, b = new A(), c = null, *rest: A, **named: A) {
  a.m()
  b.m()
  c.m()
  rest.first().m()
  (each rest).m()
  (each named).m()
}
",
        "a.lua:2 A -> a.lua:A@1 [scoped]
a.lua:3 m -> a.lua:A.m@1 [typed]
a.lua:4 m -> a.lua:A.m@1 [typed]
a.lua:5 m -> ? unknown receiver type
a.lua:6 first -> ext tiny:list.first
a.lua:6 m -> a.lua:A.m@1 [typed]
a.lua:7 m -> a.lua:A.m@1 [typed]
a.lua:8 m -> a.lua:A.m@1 [typed]",
    );
}

#[test]
fn questions_that_come_back_to_themselves_are_unknown_there_alone() {
    let fixture = "//- a.lua
class A { fn m(self) = new A() }
fn f(n) { return g(n) return new A() }
fn g(n) = f(n)
fn lost() = lost()
let one = f(1)
let two = g(1)
let three = lost()
let ping = pong
let pong = ping
";
    assert_eq!(type_of(fixture, "one"), "A");
    assert_eq!(type_of(fixture, "two"), "A");
    assert_eq!(type_of(fixture, "three"), "?");
    assert_eq!(type_of(fixture, "ping"), "?");
}

#[test]
fn the_order_of_questions_does_not_matter() {
    // Functions that call each other in several cycles, each with a further type of its own.
    let mut fixture = String::from("//- a.lua\n");
    for n in 0..6 {
        let (next, other) = ((n + 1) % 6, (n * 5 + 2) % 6);
        fixture += &format!(
            "class C{n} {{}}\nfn f{n}() {{ return f{next}() return f{other}() return new C{n}() }}\n"
        );
    }
    for n in 0..6 {
        fixture += &format!("let v{n} = f{n}()\n");
    }
    let repo = repo(&fixture);
    let langs = langs(&repo);
    let file = repo.file_at("a.lua").unwrap();
    let variables: Vec<_> = repo
        .top_level(file)
        .filter(|d| repo.def_name(*d).starts_with('v'))
        .collect();
    assert_eq!(variables.len(), 6);
    let ask = |order: &[usize]| -> Vec<String> {
        let mut ev = Eval::new(&repo, &langs, file);
        let mut found = vec![String::new(); variables.len()];
        for n in order {
            ev.begin_site(file);
            let ty = ev.type_of_def(variables[*n]);
            let mut parts: Vec<String> = ty
                .alternatives()
                .iter()
                .map(|t| show_type(&repo, t))
                .collect();
            parts.sort();
            found[*n] = parts.join(" | ");
        }
        found
    };
    let alone: Vec<String> = (0..6).map(|n| ask(&[n])[n].clone()).collect();
    assert_eq!(alone[0], "C0 | C1 | C2 | C3 | C4 | C5");
    for order in [[0, 1, 2, 3, 4, 5], [5, 4, 3, 2, 1, 0], [3, 0, 5, 1, 4, 2]] {
        assert_eq!(ask(&order), alone, "{order:?}");
    }
}

#[test]
fn long_paths_are_followed_link_by_link() {
    let chain = ".next".repeat(300);
    let fixture = format!(
        "//- a.lua\nclass A {{ let next: A fn m(self) {{}} }}\nfn f(a: A) {{ a{chain}.m() a{chain}.gone.m() }}\n"
    );
    check(
        &fixture,
        "a.lua:2 m -> a.lua:A.m@1 [typed]\na.lua:2 m -> ? unknown receiver type",
    );
}

#[test]
fn payloads_are_those_of_the_value() {
    let text = "class A {}\nfn f(x: List<A>) { return x }\n";
    let mut facts = super::tiny::facts(base::Language::Lua, text);
    // No syntax writes payloads, so the first result of `f` is made one.
    let Some(callable) = &mut facts.defs[1].callable else {
        panic!("a function");
    };
    let value = callable.returns[0];
    facts.exprs.push(Expr::Payload {
        value,
        variant: value,
        index: 0,
    });
    callable.returns[0] = ExprId(facts.exprs.len() as u32 - 1);
    let files = vec![("a.lua".into(), std::sync::Arc::new(facts))];
    let repo = crate::Repo::new(files, Vec::new());
    let langs = langs(&repo);
    let file = repo.file_at("a.lua").unwrap();
    let mut ev = Eval::new(&repo, &langs, file);
    ev.begin_site(file);
    let ty = ev.result_type(crate::GlobalDef {
        file,
        def: DefId(1),
    });
    assert_eq!(show_type(&repo, &ty), "A");
}
