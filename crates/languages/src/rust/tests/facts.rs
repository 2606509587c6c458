//! Facts of Rust sources.

use crate::fixture::lookup::lookup;
use base::{Language, SymbolKind, Visibility};
use syntax::facts::*;

fn facts(source: &str) -> FileFacts {
    crate::extract(Language::Rust, source)
}

fn def<'f>(facts: &'f FileFacts, name: &str) -> &'f Def {
    let found = (0..facts.defs.len() as u32).find(|i| facts.qualified_name(DefId(*i)) == name);
    facts.def(DefId(
        found.unwrap_or_else(|| panic!("no definition {name}")),
    ))
}

/// Calls as `line:column name owner`, in order of place.
fn calls(source: &str) -> Vec<String> {
    let facts = facts(source);
    let lines: Vec<&str> = source.lines().collect();
    let mut calls = facts.calls.clone();
    calls.sort_by_key(|c| (c.line, c.column));
    calls
        .iter()
        .map(|c| {
            let rest = &lines[c.line as usize - 1][c.column as usize..];
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            let owner = c.owner.map_or("-".into(), |o| facts.qualified_name(o));
            format!(
                "{}:{} {} {owner}",
                c.line,
                c.column,
                &rest[..end.unwrap_or(rest.len())]
            )
        })
        .collect()
}

fn shown(facts: &FileFacts, expr: ExprId) -> String {
    match facts.expr(expr) {
        Expr::Name { name, .. } => facts.name(*name).into(),
        Expr::Member { object, name } => {
            format!("{}.{}", shown(facts, *object), facts.name(*name))
        }
        Expr::Scoped { object, name } => {
            format!("{}::{}", shown(facts, *object), facts.name(*name))
        }
        Expr::Call { callee, .. } => format!("{}()", shown(facts, *callee)),
        Expr::Payload {
            value,
            variant,
            index,
        } if *index == WHOLE_VARIANT => {
            format!("({} as {})", shown(facts, *value), shown(facts, *variant))
        }
        Expr::Payload {
            value,
            variant,
            index,
        } => {
            format!(
                "({} as {}).{index}",
                shown(facts, *value),
                shown(facts, *variant)
            )
        }
        Expr::Part(of, index) => format!("{}#{index}", shown(facts, *of)),
        Expr::Element(of) => format!("{}[]", shown(facts, *of)),
        Expr::Expanded(call) => {
            let Expr::Call { callee, args, .. } = facts.expr(*call) else {
                return format!("{call:?}");
            };
            let args: Vec<String> = args.iter().map(|a| shown(facts, *a)).collect();
            format!("{}!({})", shown(facts, *callee), args.join(", "))
        }
        Expr::Try(of) => format!("{}?", shown(facts, *of)),
        Expr::Borrowed(of) => format!("&{}", shown(facts, *of)),
        Expr::This(_) => "self".into(),
        other => format!("{other:?}"),
    }
}

/// The value that a name is bound to at its first use after `marker`.
fn value_at(source: &str, marker: &str, name: &str) -> String {
    let facts = facts(source);
    let marker = source.find(marker).expect("marker") as u32;
    let uses = facts.exprs.iter().filter_map(|e| match e {
        Expr::Name { name: n, scope, at } if *at >= marker && facts.name(*n) == name => {
            Some((*at, *n, *scope))
        }
        _ => None,
    });
    let (at, name, scope) = uses.min_by_key(|u| u.0).expect("a use of the name");
    match lookup(&facts, name, scope, at, Namespace::VALUE, true).map(|b| b.to) {
        Some(Bound::Local {
            value: Some(value), ..
        }) => shown(&facts, value),
        other => format!("{other:?}"),
    }
}

#[test]
fn items_have_kinds_flags_and_visibility() {
    let source = r#"
/// A thing
/// of two lines.
///
/// More.
#[derive(Debug)]
pub struct Foo<'a, T: Clone> where T: Send {
    pub a: Vec<T>,
    b: &'a str,
}
pub(crate) enum E { A, B(u32, Foo), C { x: i32 } }
mod other;
#[cfg(test)]
mod tests {
    #[tokio::test]
    async fn works() {}
}
pub trait Tr: Clone { type Item; fn req(&self); fn make() -> u8 { 1 } }
impl<T> Tr for Foo<'_, T> { fn req(&self) {} }
macro_rules! mac { () => {} }
static S: u8 = 1;
type Al = Foo<u8>;
"#;
    let facts = facts(source);
    let foo = def(&facts, "Foo");
    assert_eq!(foo.kind, SymbolKind::Struct);
    assert_eq!(
        (foo.span.start_line, foo.span.end_line, foo.name_line),
        (6, 10, 7)
    );
    assert_eq!(foo.doc.as_deref(), Some("A thing of two lines."));
    assert_eq!(foo.visibility, Visibility::Public);
    assert!(foo.flags.has(DefFlags::EXPORTED));
    let signature = &source[foo.signature.0 as usize..foo.signature.1 as usize];
    assert_eq!(signature, "pub struct Foo<'a, T: Clone> where T: Send");
    assert_eq!(foo.type_params.len(), 1);
    assert_eq!(foo.type_params[0].bounds.len(), 2);
    assert_eq!(def(&facts, "Foo.b").visibility, Visibility::Private);
    assert_eq!(def(&facts, "E").visibility, Visibility::Package);
    let variant = def(&facts, "E.B");
    assert_eq!(variant.kind, SymbolKind::EnumMember);
    assert_eq!(variant.callable.as_ref().map(|c| c.params.len()), Some(2));
    assert_eq!(def(&facts, "E.C.x").kind, SymbolKind::Field);
    assert!(def(&facts, "other").flags.has(DefFlags::OUT_OF_LINE));
    assert!(def(&facts, "tests").flags.has(DefFlags::TEST));
    let works = def(&facts, "tests.works");
    assert!(works.flags.has(DefFlags::TEST) && works.flags.has(DefFlags::ASYNC));
    assert!(def(&facts, "Tr.req").flags.has(DefFlags::ABSTRACT));
    assert!(def(&facts, "Tr.make").flags.has(DefFlags::STATIC));
    assert_eq!(def(&facts, "Tr").supers[0].1, SuperKind::Extends);
    let of = facts
        .defs
        .iter()
        .find(|d| d.kind == SymbolKind::Impl)
        .expect("impl");
    assert_eq!(facts.name(of.name), "Foo");
    assert_eq!(of.supers[0].1, SuperKind::Implements);
    assert!(def(&facts, "Foo.req").flags.has(DefFlags::BY_REFERENCE));
    assert_eq!(def(&facts, "mac").kind, SymbolKind::Macro);
    assert_eq!(def(&facts, "S").kind, SymbolKind::Variable);
    assert_eq!(def(&facts, "Al").kind, SymbolKind::TypeAlias);
    assert_eq!(facts.syntax_errors, 0);
}

#[test]
fn use_trees_become_one_import_for_each_leaf() {
    let facts = facts(
        "use std::{fmt::{self, Display}, collections::*};\n\
         pub use crate::a::{b as c, X as _};\nuse ::root::x;\nuse one;\n\
         extern crate foo as bar;\n#[path = \"p/q.rs\"]\nmod m;\n",
    );
    let shown: Vec<String> = facts
        .imports
        .iter()
        .map(|i| {
            let what = match i.what {
                Imported::Name(n) => facts.name(n).to_owned(),
                other => format!("{other:?}"),
            };
            let local = i.local.map_or("-", |n| facts.name(n));
            format!("{}|{what}|{local}|{:?}", facts.name(i.module), i.visibility)
        })
        .collect();
    assert_eq!(
        shown,
        [
            "std|fmt|fmt|Private",
            "std::fmt|Display|Display|Private",
            "std::collections|Glob|-|Private",
            "crate::a|b|c|Public",
            "crate::a|X|-|Public",
            "::root|x|x|Private",
            "|one|one|Private",
            "foo|Module|bar|Private",
            "p/q.rs|Module|-|Private",
        ]
    );
    let module = facts.imports[8].owner.expect("the module owns its path");
    assert_eq!(facts.name(facts.def(module).name), "m");
}

#[test]
fn calls_stand_at_the_called_name_and_belong_to_the_enclosing_definition() {
    let source = "\
impl T {
    fn a(&self) {
        self.b.c()
            .d::<u8>(|x| x.e());
        T::f(1); <T as Tr>::g(); crate::m::h();
        T { i: j() };
    }
}
static S: u8 = k();
";
    assert_eq!(
        calls(source),
        [
            "3:15 c T.a",
            "4:13 d T.a",
            "4:27 e T.a",
            "5:11 f T.a",
            "5:28 g T.a",
            "5:43 h T.a",
            "6:8 T T.a",
            "6:15 j T.a",
            "9:15 k S",
        ]
    );
}

#[test]
fn tokens_of_macros_are_read() {
    let source = "\
fn a() {
    println!(\"{} {x}\", b.c()?, y = d());
    assert!(matches!(e(), Some(f) if f.g()));
    let v = vec![h(1), i!(j())];
    json!({ \"k\": k(), \"l\": [l()] });
    vec![m(); 3];
    block! { let z = n(); z.o() }
}
thread_local! { static P: u8 = p(); }
";
    assert_eq!(
        calls(source),
        [
            "2:4 println a",
            "2:25 c a",
            "2:35 d a",
            "3:4 assert a",
            "3:12 matches a",
            "3:21 e a",
            "3:39 g a",
            "4:12 vec a",
            "4:17 h a",
            "4:23 i a",
            "4:26 j a",
            "5:4 json a",
            "5:17 k a",
            "5:28 l a",
            "6:4 vec a",
            "6:9 m a",
            "7:4 block a",
            "7:21 n a",
            "7:28 o a",
            "9:0 thread_local -",
            "9:31 p P",
        ]
    );
}

#[test]
fn what_macro_calls_hold_is_no_item_unless_it_is_written_as_one() {
    let source = "\
table! { a => struct, fn, b: fn c; }
routes! { GET \"/\" => index(1), fn }
bitflags! { #[derive(A)] pub struct F: u8 { #[doc(hidden)] const X = 1; const _ = !0; } }
cfg_if! { if #[cfg(windows)] { fn w() {} } else { fn w() {} } }
thread_local![static K: u8 = 1];
make!(fn p() {}, q);
";
    let facts = facts(source);
    let names: Vec<String> = (0..facts.defs.len() as u32)
        .map(|i| {
            let elsewhere = facts.def(DefId(i)).flags.has(DefFlags::CONDITIONAL);
            let mark = if elsewhere { "?" } else { "" };
            format!("{}{mark}", facts.qualified_name(DefId(i)))
        })
        .collect();
    assert_eq!(names, ["F", "F.X", "w?", "w", "K"]);
    let flags = def(&facts, "F");
    let text = &source[flags.span.start_byte as usize..flags.span.end_byte as usize];
    assert!(
        text.starts_with("#[derive(A)]") && text.ends_with("!0; }"),
        "{text}"
    );
    assert_eq!(def(&facts, "F.X").visibility, Visibility::Public);
}

#[test]
fn a_macro_call_that_is_cut_off_ends_with_the_file() {
    let source = "thread_local!(static K: u8 = con";
    let facts = facts(source);
    let end = |d: &Def| d.span.end_byte as usize;
    assert!(facts.defs.iter().all(|d| end(d) <= source.len()));
}

#[test]
fn let_shadows_from_its_end_on() {
    let source = "fn a(x: u8) { let x = b(x); let x = c(x); d(x); }";
    assert!(value_at(source, "b(", "x").starts_with("Some(Param"));
    assert_eq!(value_at(source, "c(", "x"), "b()");
    assert_eq!(value_at(source, "d(", "x"), "c()");
}

#[test]
fn patterns_say_what_part_they_bind() {
    let source = "\
fn a() {
    let (p, Foo { q, r: s }) = v;
    one(p, q, s);
    if let Some(t) = v.next() && let E::B(u, ..) = t { two(t, u); }
    match v { Ok(w) if w.x() => three(w), k @ E::A => four(k), NONE => {} }
    for (i, y) in v.iter() { five(y); }
    let Some(g) = v.get() else { return };
    six(g);
    let [h, rest @ ..] = v;
    seven(h, rest);
    v.each(|(m, n)| eight(n));
    let Two(_, z) = v;
    nine(z);
}
";
    assert_eq!(value_at(source, "nine", "z"), "(v as Two).1");
    assert_eq!(value_at(source, "one", "p"), "v#0");
    assert_eq!(value_at(source, "one", "q"), "(v#1 as Foo).q");
    assert_eq!(value_at(source, "one", "s"), "(v#1 as Foo).r");
    assert_eq!(value_at(source, "two", "t"), "(v.next() as Some).0");
    assert_eq!(value_at(source, "two", "u"), "(t as E::B).0");
    assert_eq!(value_at(source, "three", "w"), "(v as Ok).0");
    assert_eq!(value_at(source, "four", "k"), "v");
    assert_eq!(value_at(source, "five", "y"), "v.iter()[]#1");
    assert_eq!(value_at(source, "six", "g"), "(v.get() as Some).0");
    assert_eq!(value_at(source, "seven", "h"), "v[]");
    assert_eq!(value_at(source, "seven", "rest"), "v");
    assert_eq!(value_at(source, "eight", "n"), "_0#1");
}

#[test]
fn closures_know_the_call_they_are_an_argument_of() {
    let facts = facts("fn a() { v.map(1, |x| x.y()); let f = || -> u8 { return 3 }; }");
    let closures: Vec<&Def> = facts
        .defs
        .iter()
        .filter(|d| d.flags.has(DefFlags::ANONYMOUS))
        .collect();
    let first = closures[0].callable.as_ref().expect("callable");
    let (call, index) = first.argument_of.expect("argument");
    assert_eq!((shown(&facts, call), index), ("v.map()".into(), 1));
    assert_eq!(shown(&facts, first.returns[0]), "x.y()");
    let second = closures[1].callable.as_ref().expect("callable");
    assert!(second.argument_of.is_none() && second.ret.is_some() && second.returns.is_empty());
}

#[test]
fn writes_to_members_count_and_to_locals_do_not() {
    let facts =
        facts("fn a(&mut self) { let mut x = 1; x += 1; self.b.c = 2; *self.d += 1; S = 3; }");
    let writes: Vec<String> = facts
        .writes
        .iter()
        .map(|w| shown(&facts, w.target))
        .collect();
    assert_eq!(writes.len(), 3);
    assert!(writes[0].ends_with(".c") && writes[1].ends_with(".d") && writes[2] == "S");
}

#[test]
fn complexity_counts_decisions() {
    let facts =
        facts("fn a() { if b && c { for x in y { } } else if d { } match e { 1 => {} _ => {} } }");
    let complexity = def(&facts, "a").complexity;
    assert_eq!(complexity.cyclomatic, 7);
    assert_eq!(complexity.nesting, 2);
}

#[test]
fn broken_and_deep_sources_give_what_can_be_had() {
    let broken = "fn good() { ok(); }\nfn bad( { a.b(); }\nstruct S { x: }\nfn last() { z(); }\n";
    let found = calls(broken);
    assert!(found.iter().any(|c| c.contains(" ok good")), "{found:?}");
    assert!(facts(broken).syntax_errors > 0);

    let deep = format!(
        "fn a() {{ {}x{} }}",
        "f(".repeat(20_000),
        ")".repeat(20_000)
    );
    let chain = format!("fn a() {{ x{}; }}", ".f()".repeat(20_000));
    let sum = format!("fn a() {{ x{}; }}", " + f()".repeat(20_000));
    let run = std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(move || {
            assert!(facts(&deep).too_deep > 0);
            assert!(facts(&chain).too_deep > 0);
            assert_eq!(facts(&sum).calls.len(), 20_000);
        });
    run.expect("thread").join().expect("no overflow");
}

#[test]
fn names_and_turns_of_a_macro_are_paid_for() {
    let source = |names: usize, turns: usize| {
        let each = |count: usize, piece: &dyn Fn(usize) -> String| -> String {
            (0..count).map(piece).collect()
        };
        let pattern = each(names, &|n| format!("$a{n}:tt "));
        let given = format!(
            "{}; {}",
            "x ".repeat(names),
            each(turns, &|n| format!("t{n}, "))
        );
        format!(
            "macro_rules! m {{ ({pattern}; $($t:ident),*) => {{ $(fn $t() {{}})* }} }}\nm!{{ {given}z }}\n"
        )
    };
    let few = facts(&source(20, 100));
    assert_eq!(few.too_deep, 0);
    assert!(few.defs.len() > 100, "{}", few.defs.len());
    // Each repetition has all names, but the work does not grow with their product.
    let many = facts(&source(2_000, 2_000));
    assert!(many.too_deep > 0);
    assert!(many.defs.len() < 1_000, "{}", many.defs.len());
}
