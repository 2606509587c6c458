//! What a file's facts hold.

use crate::extract;
use base::Language;
use syntax::facts::*;

fn def<'f>(facts: &'f FileFacts, name: &str) -> &'f Def {
    let named = |at: &u32| facts.qualified_name(DefId(*at)) == name;
    let at = (0..facts.defs.len() as u32).find(named);
    facts.def(DefId(at.unwrap_or_else(|| panic!("no {name}"))))
}

#[test]
fn tests_are_known_by_their_attributes() {
    let source = "class T {
  [Fact] public void A() {}
  [Xunit.Theory, InlineData(1)] public void B(int x) {}
  [TestMethod] public void C() {}
  [TestCase(1)] public void D(int x) {}
  [SetUp] public void E() {}
}";
    let facts = extract(Language::CSharp, source);
    let is_test = |name: &str| def(&facts, name).flags.has(DefFlags::TEST);
    let tests = ["T.A", "T.B", "T.C", "T.D", "T.E"].map(is_test);
    assert_eq!(tests, [true, true, true, true, false]);
}

#[test]
fn members_say_how_they_take_part() {
    let source = "static class E { public static void X(this string s) {} static void Main() {} }
partial class A : B { partial void P(); public override void O() {} void I.M() {} }";
    let facts = extract(Language::CSharp, source);
    let has = |name: &str, flag| def(&facts, name).flags.has(flag);
    assert!(has("E.X", DefFlags::EXTENSION) && has("E.Main", DefFlags::ENTRY));
    assert!(has("A", DefFlags::PARTIAL) && has("A.P", DefFlags::DECLARATION_ONLY));
    assert!(has("A.O", DefFlags::REPLACES) && has("A.O", DefFlags::OVERRIDES));
    assert!(has("A.M", DefFlags::EXPLICIT) && !has("A.O", DefFlags::EXPLICIT));
}

#[test]
fn usings_are_imports() {
    let source = "global using A.B;
using static C.D;
using E = F.G;
using H = System.Collections.Generic.List<int>;
namespace N { using I; }";
    let facts = extract(Language::CSharp, source);
    let shown = |import: &Import| {
        let local = import.local.map_or("", |l| facts.name(l));
        format!(
            "{} {:?} {local}",
            facts.name(import.module),
            import.visibility
        )
    };
    let imports: Vec<String> = facts.imports.iter().map(shown).collect();
    assert_eq!(
        imports,
        ["A.B Public ", "C.D Private ", "F Private E", "I Private "]
    );
    assert_ne!(facts.imports[3].scope, FILE_SCOPE);
}

#[test]
fn writes_are_kept_without_those_to_locals() {
    let source = "class A { int f; int P { get; set; }
  void M(A a) { f = 1; a.P = 2; this.f++; int local; local = 3; new A { f = 4 }; } }";
    let facts = extract(Language::CSharp, source);
    let columns: Vec<u32> = facts.writes.iter().map(|w| w.column).collect();
    assert_eq!(columns.len(), 4, "{columns:?}");
}

#[test]
fn errors_and_their_causes_are_marked() {
    let source = "class A { void M() {
  try { throw new B(); }
  catch (C e) { throw new D(e); }
  catch (E e) { throw new F(\"x\"); } } }";
    let facts = extract(Language::CSharp, source);
    let kinds: Vec<String> = facts
        .marks
        .iter()
        .map(|m| format!("{:?}", m.kind))
        .collect();
    assert_eq!(
        kinds,
        ["Throw", "Catch", "Rethrow", "Catch", "RethrowWithoutCause"]
    );
}
