//! Facts of small TypeScript and JavaScript sources.

use crate::fixture::lookup::lookup;
use base::{Language, SymbolKind};
use syntax::facts::*;

fn ts(source: &str) -> FileFacts {
    let facts = crate::extract(Language::TypeScript, source);
    assert_eq!(facts.syntax_errors, 0, "{source}");
    facts
}

fn js(source: &str) -> FileFacts {
    crate::extract(Language::JavaScript, source)
}

fn def<'f>(facts: &'f FileFacts, path: &str) -> &'f Def {
    let found = (0..facts.defs.len()).map(|i| DefId(i as u32)).find(|i| {
        facts.qualified_name(*i) == path && !facts.def(*i).flags.has(DefFlags::ANONYMOUS)
    });
    match found {
        Some(id) => facts.def(id),
        None => panic!("no definition {path}: {:?}", paths(facts)),
    }
}

fn paths(facts: &FileFacts) -> Vec<String> {
    (0..facts.defs.len())
        .map(|i| DefId(i as u32))
        .filter(|i| !facts.def(*i).flags.has(DefFlags::ANONYMOUS))
        .map(|i| facts.qualified_name(i))
        .collect()
}

/// An expression as text.
fn show(facts: &FileFacts, id: ExprId) -> String {
    let list = |items: &[ExprId]| {
        let items: Vec<_> = items.iter().map(|e| show(facts, *e)).collect();
        items.join(", ")
    };
    match facts.expr(id) {
        Expr::Name { name, .. } => facts.name(*name).to_owned(),
        Expr::Member { object, name } => format!("{}.{}", show(facts, *object), facts.name(*name)),
        Expr::Call { callee, args, .. } => format!("{}({})", show(facts, *callee), list(args)),
        Expr::New { class, args, .. } => format!("new {}({})", show(facts, *class), list(args)),
        Expr::This(class) => format!("this:{}", facts.qualified_name(*class)),
        Expr::Super(class) => format!("super:{}", facts.qualified_name(*class)),
        Expr::Function(def) => format!("fn:{}", facts.name(facts.def(*def).name)),
        Expr::Part(value, index) => format!("{}#{index}", show(facts, *value)),
        Expr::Element(value) => format!("{}[]", show(facts, *value)),
        Expr::Await(value) => format!("await {}", show(facts, *value)),
        Expr::Either(items) => format!("({})", list(items)),
        Expr::Literal(primitive) => format!("{primitive:?}"),
        Expr::Cast(value, ty) if matches!(facts.ty(*ty), TypeExpr::Binding(..)) => {
            show(facts, *value)
        }
        Expr::Cast(value, ty) => format!("{} as {}", show(facts, *value), show_type(facts, *ty)),
        Expr::Without(value, ty) => {
            format!("{} without {}", show(facts, *value), show_type(facts, *ty))
        }
        other => format!("{other:?}"),
    }
}

fn show_type(facts: &FileFacts, id: TypeId) -> String {
    let list = |items: &[TypeId], by: &str| {
        let items: Vec<_> = items.iter().map(|t| show_type(facts, *t)).collect();
        items.join(by)
    };
    match facts.ty(id) {
        TypeExpr::Named { path, args, .. } => {
            let path: Vec<_> = path.iter().map(|n| facts.name(*n)).collect();
            if args.is_empty() {
                path.join(".")
            } else {
                format!("{}<{}>", path.join("."), list(args, ", "))
            }
        }
        TypeExpr::Primitive(primitive) => format!("{primitive:?}"),
        TypeExpr::Array(inner) => format!("{}[]", show_type(facts, *inner)),
        TypeExpr::Optional(inner) => format!("{}?", show_type(facts, *inner)),
        TypeExpr::Union(items) => list(items, " | "),
        TypeExpr::All(items) => list(items, " & "),
        TypeExpr::Projection(inner, name) => {
            format!("{}[{}]", show_type(facts, *inner), facts.name(*name))
        }
        TypeExpr::Binding(_, of) => show_type(facts, *of),
        TypeExpr::TypeOf(value) => format!("typeof {}", show(facts, *value)),
        other => format!("{other:?}"),
    }
}

/// `line:column text` of every call.
fn calls(facts: &FileFacts) -> Vec<String> {
    let one = |c: &CallSite| {
        let text = show(facts, c.expr);
        format!("{}:{} {text}", c.line, c.column)
    };
    facts.calls.iter().map(one).collect()
}

/// The binding of a name at the first occurrence of `mark`.
fn bound(facts: &FileFacts, source: &str, name: &str, mark: &str) -> Bound {
    let at = source.find(mark).unwrap() as u32;
    let named = |e: &Expr| match *e {
        Expr::Name {
            name: n,
            scope,
            at: a,
        } => (facts.name(n) == name && a >= at).then_some((n, scope, a)),
        _ => None,
    };
    let uses = facts.exprs.iter().filter_map(named);
    let (id, scope, at) = uses.min_by_key(|u| u.2).unwrap();
    lookup(facts, id, scope, at, Namespace::VALUE, true)
        .unwrap()
        .to
}

fn local_type(facts: &FileFacts, bound: Bound) -> String {
    match bound {
        Bound::Local { ty: Some(ty), .. } => show_type(facts, ty),
        Bound::Local { value: Some(v), .. } => format!("= {}", show(facts, v)),
        other => format!("{other:?}"),
    }
}

#[test]
fn a_class_gives_its_members_with_kinds_flags_and_spans() {
    let facts = ts("import x from 'x';
/**
 * Runs things.
 *
 * Second paragraph.
 */
@Dec(first)
export abstract class Foo<T extends Base = A> extends ns.Base<T> implements I {
  static count = 0;
  #secret: string = make();
  constructor(private bar: Bar, public readonly y?: number) { super(bar); }
  get size(): number { return 1; }
  @Inject()
  protected async run<U>(a: U, ...more: T[]): Promise<U> { return a; }
  abstract todo(): void;
  handler = (e: Event) => this.run(e);
}
");
    let class = def(&facts, "Foo");
    assert_eq!(class.kind, SymbolKind::Class);
    assert_eq!((class.span.start_line, class.span.end_line), (7, 17));
    assert_eq!((class.name_line, class.name_column), (8, 22));
    assert_eq!(class.doc.as_deref(), Some("Runs things."));
    assert!(class.flags.has(DefFlags::EXPORTED) && class.flags.has(DefFlags::ABSTRACT));
    let supers: Vec<_> = class
        .supers
        .iter()
        .map(|(t, k)| (show_type(&facts, *t), *k))
        .collect();
    assert_eq!(supers[0], ("ns.Base<T>".to_owned(), SuperKind::Extends));
    assert_eq!(supers[1], ("I".to_owned(), SuperKind::Implements));
    assert_eq!(show_type(&facts, class.type_params[0].bounds[0]), "Base");
    assert!(def(&facts, "Foo.count").flags.has(DefFlags::STATIC));
    assert_eq!(
        def(&facts, "Foo.#secret").visibility,
        base::Visibility::Private
    );
    assert_eq!(def(&facts, "Foo.constructor").kind, SymbolKind::Constructor);
    let property = def(&facts, "Foo.bar");
    assert_eq!(property.kind, SymbolKind::Field);
    assert_eq!(show_type(&facts, property.ty.unwrap()), "Bar");
    assert!(def(&facts, "Foo.size").flags.has(DefFlags::GETTER));
    let run = def(&facts, "Foo.run");
    assert!(run.flags.has(DefFlags::ASYNC));
    assert_eq!((run.span.start_line, run.decorators.len()), (13, 1));
    let callable = run.callable.as_ref().unwrap();
    assert_eq!(show_type(&facts, callable.ret.unwrap()), "Promise<U>");
    assert_eq!(callable.params[1].kind, ParamKind::Variadic);
    assert_eq!(show_type(&facts, callable.params[1].ty.unwrap()), "T");
    assert!(def(&facts, "Foo.todo").flags.has(DefFlags::ABSTRACT));
    assert_eq!(def(&facts, "Foo.handler").kind, SymbolKind::Method);
    assert_eq!(
        calls(&facts),
        [
            "7:1 Dec(first)",
            "10:20 make()",
            "11:62 super:Foo(bar)",
            "13:3 Inject()",
            "16:31 this:Foo.run(e)",
        ]
    );
    assert_eq!(facts.calls[0].kind, CallKind::Decorator);
}

#[test]
fn calls_stand_at_the_called_name_and_belong_to_the_named_definition() {
    let facts = ts("function outer() {
  a.b?.c(1)!.d<string>(...xs);
  [1].forEach((n) => inner(n));
  new ns.Thing(`${t()}`);
  tag`x ${u()}`;
  const obj = { m() { v(); } };
}
top();
const made = build();
");
    let owner = |c: &CallSite| c.owner.map(|o| facts.qualified_name(o));
    let got: Vec<_> = facts
        .calls
        .iter()
        .map(|c| (c.line, c.column, owner(c).unwrap_or_default()))
        .collect();
    let outer = || "outer".to_owned();
    assert_eq!(
        got,
        [
            (2, 7, outer()),
            (2, 13, outer()),
            (3, 21, outer()),
            (3, 6, outer()),
            (4, 18, outer()),
            (4, 9, outer()),
            (5, 10, outer()),
            (5, 2, outer()),
            (6, 22, "outer.m".to_owned()),
            (8, 0, String::new()),
            (9, 13, "made".to_owned()),
        ]
    );
}

#[test]
fn modules_import_and_export_in_every_form() {
    let facts = ts("import d, * as all from 'm';
import { a, type b as c, default as e } from './n';
import type { T } from './t';
import './effect';
import fs = require('fs');
export * from './star';
export * as ns from './ns';
export { x as y, default } from './z';
export { a as renamed };
export default d;
export const one = 1, two = () => one;
type Far = import('./far').Thing;
");
    let imports: Vec<_> = facts
        .imports
        .iter()
        .map(|i| {
            let local = i.local.map_or("-", |l| facts.name(l));
            let what = match i.what {
                Imported::Name(n) => facts.name(n).to_owned(),
                other => format!("{other:?}"),
            };
            format!("{} {what} {local} {}", facts.name(i.module), i.type_only)
        })
        .collect();
    assert_eq!(
        imports,
        [
            "m Default d false",
            "m Module all false",
            "./n a a false",
            "./n b c true",
            "./n Default e false",
            "./t T T true",
            "./effect SideEffect - false",
            "fs Module fs false",
            "./star Glob - false",
            "./ns Module - false",
            "./z x - false",
            "./z Default - false",
            "./far Dynamic import(./far) false",
        ]
    );
    let exports: Vec<_> = facts
        .exports
        .iter()
        .map(|e| e.name.map_or("*", |n| facts.name(n)))
        .collect();
    assert_eq!(
        exports,
        [
            "*", "ns", "y", "default", "renamed", "default", "one", "two"
        ]
    );
    assert!(def(&facts, "two").flags.has(DefFlags::EXPORTED));
    assert_eq!(def(&facts, "two").kind, SymbolKind::Function);
}

#[test]
fn commonjs_is_imports_and_exports_too() {
    let facts = js("const a = require('./a'), { b, c: d } = require('b');
const e = require('./e').f;
module.exports = { helper, g: a.g };
exports.one = function () { return helper(); };
module.exports.two = two;
function helper() { require('./late').go(); }
function two() {}
");
    let got: Vec<_> = facts
        .imports
        .iter()
        .map(|i| (facts.name(i.module), i.local.map_or("-", |l| facts.name(l))))
        .collect();
    assert_eq!(
        got,
        [
            ("./a", "a"),
            ("b", "b"),
            ("b", "d"),
            ("./e", "e"),
            ("./late", "require(./late)")
        ]
    );
    assert!(matches!(facts.exports[0].what, Exported::Whole(_)));
    assert_eq!(facts.exports[1].name.map(|n| facts.name(n)), Some("one"));
    for path in ["helper", "one", "two"] {
        assert!(def(&facts, path).flags.has(DefFlags::EXPORTED), "{path}");
    }
    assert_eq!(
        calls(&facts),
        ["4:35 helper()", "6:38 require(./late).go()"]
    );
}

#[test]
fn prototypes_and_assigned_fields_make_members() {
    let facts = js("function Foo(x) { this.x = new Bar(x); }
Foo.prototype.go = function () { this.x.run(); };
Foo.make = () => new Foo(1);
class K { constructor() { this.f = make(); } m() { return this.f.g(); } static s() { this.t(); } }
");
    assert_eq!(
        paths(&facts),
        [
            "Foo",
            "Foo.x",
            "Foo.go",
            "Foo.make",
            "K",
            "K.constructor",
            "K.m",
            "K.s",
            "K.f"
        ]
    );
    assert!(def(&facts, "Foo.make").flags.has(DefFlags::STATIC));
    let field = def(&facts, "K.f");
    assert_eq!(show(&facts, field.value.unwrap()), "make()");
    assert!(calls(&facts).contains(&"2:40 this:Foo.x.run()".to_owned()));
    assert!(calls(&facts).contains(&"4:90 fn:K.t()".to_owned()));
}

#[test]
fn patterns_are_written_out() {
    let source = "function f({ a, b: { c } = make(), ...rest }: Opts, [d, , e]: T[]) {
  const { g: [h] } = load();
  for (const [k, v] of map.entries()) k;
  use(a, c, e, h);
}
export const { p, q: r } = obj();
";
    let facts = ts(source);
    let at = |name| local_type(&facts, bound(&facts, source, name, "use("));
    assert_eq!(at("a"), "= <parameter 0>.a");
    assert_eq!(at("c"), "= (<parameter 0>.b, make()).c");
    assert_eq!(at("e"), "= <parameter 1>#2");
    assert_eq!(at("h"), "= load().g#0");
    let k = local_type(&facts, bound(&facts, source, "k", "k;"));
    assert_eq!(k, "= map.entries()[]#0");
    let r = def(&facts, "r");
    assert_eq!(
        (r.kind, show(&facts, r.value.unwrap())),
        (SymbolKind::Constant, "obj().q".into())
    );
}

#[test]
fn scopes_hoist_and_shadow() {
    let source = "import { x } from 'm';
function f(y: Y) {
  early();
  function early() {}
  if (y) { const x = 1; var late = 2; first(x); }
  second(x, late);
  { function x() {} third(x); }
}
";
    let facts = ts(source);
    assert!(matches!(
        bound(&facts, source, "early", "early()"),
        Bound::Def(_)
    ));
    assert_eq!(
        local_type(&facts, bound(&facts, source, "x", "first(")),
        "= Int"
    );
    assert!(matches!(
        bound(&facts, source, "x", "second("),
        Bound::Import(_)
    ));
    assert_eq!(
        local_type(&facts, bound(&facts, source, "late", "second(")),
        "= Int"
    );
    assert!(matches!(
        bound(&facts, source, "x", "third("),
        Bound::Def(_)
    ));
    assert!(def(&facts, "f.early").flags.has(DefFlags::LOCAL));
}

#[test]
fn conditions_narrow_plain_names() {
    let source = "function f(a: Base, s: any) {
  if (a instanceof Sub && a.one()) { a.two(); } else { a.three(); }
  const z = a instanceof Other ? a.four() : a.five();
  if (!(a instanceof Last)) return;
  a.six();
  if (typeof s === 'string') s.seven();
}
";
    let facts = ts(source);
    let at = |name, mark| local_type(&facts, bound(&facts, source, name, mark));
    assert_eq!(at("a", "a.one"), "Sub");
    assert_eq!(at("a", "a.two"), "Sub");
    assert!(at("a", "a.three").starts_with("Param"));
    assert_eq!(at("a", "a.four"), "Other");
    assert_eq!(at("a", "a.five"), "= a without Other");
    assert_eq!(at("a", "a.six"), "Last");
    assert_eq!(at("s", "s.seven"), "String");
}

#[test]
fn an_untyped_variable_takes_the_values_assigned_to_it() {
    let source =
        "function f() { let x; if (q) { x = new A(); x.one(); } else x = new B(); x.two(); }";
    let facts = ts(source);
    let at = |mark| local_type(&facts, bound(&facts, source, "x", mark));
    assert_eq!(at("x.one"), "= new A()");
    assert_eq!(at("x.two"), "= (new A(), new B())");
}

#[test]
fn types_keep_their_form() {
    let facts = ts("let a: Map<string, Foo[]> | null;
let b: A & B.C;
let c: Foo['list'];
let d: typeof value;
let e: readonly string[] | undefined;
type F = { x: Foo; m(): Bar; (n: number): Baz } & Partial<Q>;
interface I extends J<K>, L { p?: () => void; n: { deep: D } }
let g: (x: Foo) => Bar;
");
    let ty = |path: &str| show_type(&facts, def(&facts, path).ty.unwrap());
    assert_eq!(ty("a"), "Map<String, Foo[]>?");
    assert_eq!(ty("b"), "A & B.C");
    assert_eq!(ty("c"), "Foo[list]");
    assert_eq!(ty("d"), "typeof value");
    assert_eq!(ty("e"), "String[]?");
    assert_eq!(def(&facts, "F.m").kind, SymbolKind::Method);
    assert_eq!(def(&facts, "I").supers.len(), 2);
    assert_eq!(show_type(&facts, def(&facts, "I.n.deep").ty.unwrap()), "D");
    let g = def(&facts, "g").ty.unwrap();
    assert!(
        matches!(facts.ty(g), TypeExpr::Function { params, ret: Some(_) } if params.len() == 1)
    );
}

#[test]
fn dotted_namespaces_nest_so_deep_and_no_deeper() {
    let name = |depth: usize| {
        let names: Vec<String> = (0..depth).map(|i| format!("n{i}")).collect();
        names.join(".")
    };
    let facts = ts(&format!("namespace {} {{ export const x = 1; }}", name(16)));
    assert_eq!((facts.defs.len(), facts.too_deep), (17, 0));
    let facts = ts(&format!("namespace {} {{ export const x = 1; }}\n", name(80)).repeat(2_000));
    assert_eq!(facts.defs.len(), 17 * 2_000);
    assert_eq!(facts.too_deep, 64 * 2_000);
}

#[test]
fn namespaces_enums_and_overloads() {
    let facts = ts(
        "namespace A.B { export const x = 1; export function g() { x; } }
namespace A.B { export function h() { return g(); } }
enum Color { Red = compute(), Green }
function over(a: string): void;
function over(a: number): void;
function over(a: any) {}
declare module 'ext' { export function q(): void; }
",
    );
    assert_eq!(def(&facts, "A.B.g").kind, SymbolKind::Function);
    assert_eq!(def(&facts, "Color.Red").kind, SymbolKind::EnumMember);
    assert!(def(&facts, "ext.q").flags.has(DefFlags::DECLARATION_ONLY));
    assert!(
        facts.exports.is_empty(),
        "exports of namespaces are no exports of the file"
    );
    let overloads: Vec<_> = facts
        .defs
        .iter()
        .filter(|d| facts.name(d.name) == "over")
        .map(|d| d.flags.has(DefFlags::DECLARATION_ONLY))
        .collect();
    assert_eq!(overloads, [true, true, false]);
}

#[test]
fn jsx_calls_components() {
    let facts =
        js("const C = () => <div onClick={() => go()}><Comp x={f()}><ui.Item/></Comp></div>;");
    let kinds: Vec<_> = facts.calls.iter().map(|c| (c.column, c.kind)).collect();
    assert_eq!(
        kinds,
        [
            (36, CallKind::Call),
            (43, CallKind::Jsx),
            (51, CallKind::Call),
            (60, CallKind::Jsx)
        ]
    );
}

#[test]
fn function_literals_know_the_call_they_are_passed_to() {
    let facts = ts("items.map(0, (x) => x.go());");
    let literal = facts
        .defs
        .iter()
        .find(|d| d.flags.has(DefFlags::ANONYMOUS))
        .unwrap();
    let (call, index) = literal.callable.as_ref().unwrap().argument_of.unwrap();
    assert_eq!(index, 1);
    assert!(show(&facts, call).starts_with("items.map("));
}

#[test]
fn complexity_counts_paths() {
    let facts = ts("function f(a, b) {
  if (a && b) { for (const x of a) { if (x) y(); } } else if (b) { z(); }
  return a ? 1 : 2;
}");
    let complexity = def(&facts, "f").complexity;
    assert_eq!(complexity.cyclomatic, 7);
    assert_eq!(complexity.nesting, 3);
}

#[test]
fn broken_and_deep_sources_still_give_what_can_be_had() {
    let facts = crate::extract(
        Language::TypeScript,
        "function ok() { go(); }\nclass {{{ \nfunction more() { x( }",
    );
    assert!(facts.syntax_errors > 0);
    assert!(paths(&facts).contains(&"ok".to_owned()));
    let deep = format!("f({}1{})", "g(".repeat(20_000), ")".repeat(20_000));
    let chain = format!("a{}", ".b()".repeat(20_000));
    let read = move || [deep, chain].map(|s| crate::extract(Language::TypeScript, &s).too_deep);
    let thread = std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(read)
        .unwrap();
    assert!(thread.join().unwrap().iter().all(|n| *n > 0));
}

#[test]
fn a_name_that_the_grammar_takes_for_a_declaration_loses_nothing() {
    let facts = crate::extract(
        base::Language::TypeScript,
        "export class U {\n  m(using: boolean) { if (using) { return 1 } return 2 }\n  n() { return this.m(using) }\n}\nexport function last() {}\n",
    );
    let names: Vec<&str> = facts.defs.iter().map(|d| facts.name(d.name)).collect();
    for name in ["U", "m", "n", "last"] {
        assert!(names.contains(&name), "{names:?}");
    }
    assert!(!names.contains(&"_sing"), "names are those of the source");
}
