//! Facts of Java sources.

use crate::extract;
use crate::fixture::lookup::lookup;
use base::{Language, SymbolKind, Visibility};
use syntax::facts::*;

fn facts(source: &str) -> FileFacts {
    extract(Language::Java, source)
}

fn def<'f>(facts: &'f FileFacts, qualified: &str) -> &'f Def {
    let found = (0..facts.defs.len() as u32)
        .map(DefId)
        .find(|id| facts.qualified_name(*id) == qualified);
    facts.def(found.unwrap_or_else(|| panic!("no definition {qualified}")))
}

/// Every definition as `kind qualified.name`.
fn defs(facts: &FileFacts) -> Vec<String> {
    facts
        .defs
        .iter()
        .enumerate()
        .filter(|(_, d)| !d.flags.has(DefFlags::ANONYMOUS))
        .map(|(i, d)| format!("{} {}", d.kind, facts.qualified_name(DefId(i as u32))))
        .collect()
}

/// Every call as `owner line:column name/argc kind`.
fn calls(facts: &FileFacts, source: &str) -> Vec<String> {
    facts
        .calls
        .iter()
        .map(|c| {
            let owner = c.owner.map_or("-".into(), |o| facts.qualified_name(o));
            let line = source.lines().nth(c.line as usize - 1).unwrap();
            let name: String = line[c.column as usize..]
                .chars()
                .take_while(|c| c.is_alphanumeric())
                .collect();
            format!(
                "{owner} {}:{} {name}/{} {:?}",
                c.line, c.column, c.argc, c.kind
            )
        })
        .collect()
}

fn ty(facts: &FileFacts, id: TypeId) -> String {
    match facts.ty(id) {
        TypeExpr::Named { path, args, .. } => {
            let path: Vec<&str> = path.iter().map(|n| facts.name(*n)).collect();
            let args: Vec<String> = args.iter().map(|a| ty(facts, *a)).collect();
            match args.as_slice() {
                [] => path.join("."),
                _ => format!("{}<{}>", path.join("."), args.join(",")),
            }
        }
        TypeExpr::Array(of) => format!("{}[]", ty(facts, *of)),
        TypeExpr::Union(of) => of
            .iter()
            .map(|t| ty(facts, *t))
            .collect::<Vec<_>>()
            .join("|"),
        TypeExpr::SelfType(def) => format!("self:{}", facts.qualified_name(*def)),
        other => format!("{other:?}"),
    }
}

/// The binding of `name` at the first occurrence of the text `at`.
fn bound(facts: &FileFacts, source: &str, at: &str, name: &str, namespace: Namespace) -> String {
    let byte = source.find(at).unwrap() as u32;
    let id = NameId(facts.names.iter().position(|n| &**n == name).unwrap() as u32);
    let scope = innermost(facts, byte);
    match lookup(facts, id, scope, byte, namespace, true).map(|b| b.to) {
        None => "nothing".into(),
        Some(Bound::Def(d)) => format!("{} {}", facts.def(d).kind, facts.qualified_name(d)),
        Some(Bound::Import(_)) => "import".into(),
        Some(Bound::Param(d, i)) => format!("param {i} of {}", facts.name(facts.def(d).name)),
        Some(Bound::TypeParam(d, i)) => format!("type param {i} of {}", facts.qualified_name(d)),
        Some(Bound::Local { ty: Some(t), .. }) => format!("local {}", ty(facts, t)),
        Some(Bound::Local { value: Some(v), .. }) => format!("local = {:?}", facts.expr(v)),
        Some(Bound::Local { .. } | Bound::Either(_)) => "local".into(),
    }
}

/// The scope of the name or type used at a byte.
fn innermost(facts: &FileFacts, byte: u32) -> ScopeId {
    let by_expr = facts.exprs.iter().find_map(|e| match e {
        Expr::Name { scope, at, .. } if *at == byte => Some(*scope),
        _ => None,
    });
    let by_type = facts.types.iter().find_map(|t| match t {
        TypeExpr::Named { scope, at, .. } if *at == byte => Some(*scope),
        _ => None,
    });
    by_expr.or(by_type).expect("nothing is used there")
}

const SHAPES: &str = r#"package com.acme.app;

import java.util.List;
import java.util.*;
import static com.acme.Util.check;
import static com.acme.Util.*;

/**
 * A box of {@code T}.
 *
 * @param <T> what it holds
 */
@Deprecated
public abstract class Box<T extends Comparable<T>> extends Base<T> implements Runnable, Iterable<T> {
    static final int MAX = 10;
    private T value, other[];
    public Box(T value) { this.value = value; }
    /** Gives it. */
    public T get() { return value; }
    protected abstract void put(T value, int... rest) throws java.io.IOException;
    static { check(MAX); }
    interface Visitor<R> { R visit(Box<?> box); default void done() {} }
    enum Color {
        RED, GREEN(1) { @Override int shade() { return one(); } };
        Color() {}
        Color(int x) {}
        int shade() { return 0; }
    }
    record Point(int x, String... names) implements Runnable {
        Point { check(x); }
        public int x() { return x; }
        public void run() {}
    }
    @interface Mark { String value() default "a"; }
    class Inner { class Deep {} }
}
"#;

#[test]
fn definitions_have_names_kinds_and_spans() {
    let facts = facts(SHAPES);
    assert_eq!(facts.syntax_errors, 0);
    assert_eq!(
        defs(&facts),
        [
            "class Box",
            "constant Box.MAX",
            "field Box.value",
            "field Box.other",
            "constructor Box.Box",
            "method Box.get",
            "method Box.put",
            "interface Box.Visitor",
            "method Box.Visitor.visit",
            "method Box.Visitor.done",
            "enum Box.Color",
            "enum_member Box.Color.RED",
            "enum_member Box.Color.GREEN",
            "method Box.Color.GREEN.shade",
            "constructor Box.Color.Color",
            "constructor Box.Color.Color",
            "method Box.Color.shade",
            "struct Box.Point",
            "field Box.Point.x",
            "field Box.Point.names",
            "method Box.Point.names",
            "constructor Box.Point.Point",
            "method Box.Point.x",
            "method Box.Point.run",
            "interface Box.Mark",
            "method Box.Mark.value",
            "class Box.Inner",
            "class Box.Inner.Deep",
        ]
    );
    assert_eq!(facts.package.map(|p| facts.name(p)), Some("com.acme.app"));
    let class = def(&facts, "Box");
    let lines = (class.span.start_line, class.span.end_line, class.name_line);
    assert_eq!(lines, (13, 36, 14));
    assert_eq!(class.doc.as_deref(), Some("A box of T."));
    assert_eq!(def(&facts, "Box.get").doc.as_deref(), Some("Gives it."));
    assert_eq!(def(&facts, "Box.put").doc, None);
}

#[test]
fn headers_are_read() {
    let facts = facts(SHAPES);
    let class = def(&facts, "Box");
    let text = |d: &Def| SHAPES[d.signature.0 as usize..d.signature.1 as usize].to_owned();
    assert_eq!(
        text(class),
        "public abstract class Box<T extends Comparable<T>> extends Base<T> implements Runnable, Iterable<T>"
    );
    let supers: Vec<_> = class
        .supers
        .iter()
        .map(|(t, k)| (ty(&facts, *t), *k))
        .collect();
    assert_eq!(
        supers,
        [
            ("Base<T>".into(), SuperKind::Extends),
            ("Runnable".into(), SuperKind::Implements),
            ("Iterable<T>".into(), SuperKind::Implements),
        ]
    );
    assert_eq!(ty(&facts, class.type_params[0].bounds[0]), "Comparable<T>");
    assert_eq!(class.decorators.len(), 1);
    assert!(class.flags.has(DefFlags::ABSTRACT) && class.flags.has(DefFlags::EXPORTED));
    assert_eq!(text(def(&facts, "Box.MAX")), "static final int MAX = 10;");
    assert_eq!(ty(&facts, def(&facts, "Box.other").ty.unwrap()), "T[]");
    assert!(def(&facts, "Box.Color").flags.has(DefFlags::STATIC));
    assert!(!def(&facts, "Box.Inner").flags.has(DefFlags::STATIC));
    assert_eq!(
        def(&facts, "Box.Visitor.visit").visibility,
        Visibility::Public
    );
    assert_eq!(def(&facts, "Box.Inner").visibility, Visibility::Package);
}

#[test]
fn parameters_and_components_are_read() {
    let facts = facts(SHAPES);
    let put = def(&facts, "Box.put");
    assert_eq!(put.visibility, Visibility::Protected);
    assert!(put.flags.has(DefFlags::ABSTRACT));
    let params = &put.callable.as_ref().unwrap().params;
    assert_eq!(params[1].kind, ParamKind::Variadic);
    assert_eq!(ty(&facts, params[1].ty.unwrap()), "int");
    let compact = def(&facts, "Box.Point.Point").callable.as_ref().unwrap();
    assert_eq!(compact.params.len(), 2);
    assert_eq!(
        ty(&facts, def(&facts, "Box.Point.names").ty.unwrap()),
        "String[]"
    );
    assert_eq!(
        ty(&facts, def(&facts, "Box.Color.RED").ty.unwrap()),
        "self:Box.Color"
    );
    let anonymous = facts
        .defs
        .iter()
        .find(|d| d.flags.has(DefFlags::ANONYMOUS))
        .unwrap();
    assert_eq!(anonymous.kind, SymbolKind::Class);
    assert_eq!(ty(&facts, anonymous.supers[0].0), "self:Box.Color");
}

#[test]
fn calls_in_class_bodies_have_owners() {
    assert_eq!(
        calls(&facts(SHAPES), SHAPES),
        [
            "Box 13:1 Deprecated/0 Decorator",
            "Box 21:13 check/1 Call",
            "Box.Color.GREEN 24:13 GREEN/1 New",
            "Box.Color.GREEN.shade 24:25 Override/0 Decorator",
            "Box.Color.GREEN.shade 24:55 one/0 Call",
            "Box.Point.Point 30:16 check/1 Call",
        ]
    );
}

#[test]
fn imports_are_read() {
    let facts = facts(SHAPES);
    let imports: Vec<_> = facts
        .imports
        .iter()
        .map(|i| {
            (
                facts.name(i.module),
                i.what,
                i.local.map(|n| facts.name(n)),
                i.line,
            )
        })
        .collect();
    let named = |text: &str| NameId(facts.names.iter().position(|n| &**n == text).unwrap() as u32);
    assert_eq!(
        imports,
        [
            ("java.util", Imported::Name(named("List")), Some("List"), 3),
            ("java.util", Imported::Glob, None, 4),
            (
                "com.acme.Util",
                Imported::Static(named("check")),
                Some("check"),
                5
            ),
            ("com.acme.Util", Imported::StaticGlob, None, 6),
        ]
    );
}

const CODE: &str = r#"class A<T> extends B {
    int size;
    <U> void run(String text, U extra) throws Exception {
        size = 1; this.size++; other.size += 2;
        var list = make(text); String[] words[] = null;
        for (Foo f : list) { f.go(1, 2); }
        for (int i = 0; i < 3; i++) { count(i); }
        if (text instanceof Sub sub && sub.ok()) { sub.yes(); }
        try (Reader in = open()) { in.read(); }
        catch (final IOException | Error e) { e.print(); }
        new Thread(() -> { spawn(); }).start();
        each(list, (x, y) -> x.map(y::z), A::<U>stat);
        Runnable r = new Runnable() { int k; public void run() { inner(k); A.this.outer(); } };
        super.run(text); A.super.run(text); Iface.super.dflt();
        Function<T, Foo> fun = v -> v.conv();
        Object o = new a.b.Made<String>(1) ; outer.new In();
        class Local { void deep() { extra.use(); } }
        byte[] b = new byte[len()]; b[at()] = (byte) hash();
        String s = "a" + count(1) + size;
        switch (kind) { case ONE -> one(); case Pt(int px, var py) when px > 0 -> py.two(); default -> { three(); } }
        int k = switch (o) { case Foo foo: yield foo.four(); default: yield 0; };
        size(); long l = 1L; Class<?> c = Foo.class; use(words);
    }
    A() { this(1); }
    A(int x) { super(x); }
}
"#;

#[test]
fn every_call_is_found_at_its_name() {
    let names: Vec<String> = calls(&facts(CODE), CODE);
    let run: Vec<&str> = names
        .iter()
        .filter(|c| c.starts_with("A.run"))
        .map(|c| c.split(' ').nth(2).unwrap())
        .collect();
    assert_eq!(
        run,
        [
            "make/1",
            "go/2",
            "count/1",
            "ok/0",
            "yes/0",
            "open/0",
            "read/0",
            "print/0",
            "spawn/0",
            "Thread/1",
            "start/0",
            "map/1",
            "each/3",
            "Runnable/0",
            "inner/1",
            "outer/0",
            "run/1",
            "run/1",
            "dflt/0",
            "conv/0",
            "Made/1",
            "In/0",
            "use/0",
            "len/0",
            "at/0",
            "hash/0",
            "count/1",
            "one/0",
            "two/0",
            "three/0",
            "four/0",
            "size/0",
            "use/1",
        ]
    );
    assert!(names.contains(&"A.run 12:31 map/1 Call".to_owned()));
    assert!(names.contains(&"A.run 16:27 Made/1 New".to_owned()));
    assert!(names.contains(&"A.run.run 13:65 inner/1 Call".to_owned()));
    assert!(names.contains(&"A.run.Local.deep 17:42 use/0 Call".to_owned()));
    assert!(names.contains(&"A.A 24:10 this/1 Call".to_owned()));
    assert!(names.contains(&"A.A 25:15 super/1 Call".to_owned()));
}

#[test]
fn names_are_bound_as_java_has_it() {
    let f = facts(CODE);
    let value = |at: &str, name: &str| bound(&f, CODE, at, name, Namespace::VALUE);
    assert_eq!(value("size = 1", "size"), "field A.size");
    assert_eq!(value("f.go", "f"), "local Foo");
    assert_eq!(value("sub.ok", "sub"), "local Sub");
    assert_eq!(value("in.read", "in"), "local Reader");
    assert_eq!(value("e.print", "e"), "local IOException|Error");
    assert!(value("list) {", "list").starts_with("local = Call"));
    assert_eq!(value("list) {", "words"), "local String[][]");
    assert_eq!(value("x.map", "x"), "param 0 of <anonymous>");
    assert_eq!(value("extra.use", "extra"), "param 1 of run");
    assert_eq!(value("k); A.this", "k"), "field A.run.k");
    assert!(value("py.two", "py").starts_with("local = Payload"));
    assert_eq!(value("foo.four", "foo"), "local Foo");
    assert_eq!(value("list) {", "b"), "nothing");
    assert_eq!(
        bound(&f, CODE, "U extra", "U", Namespace::TYPE),
        "type param 0 of A.run"
    );
    assert_eq!(
        bound(&f, CODE, "T, Foo", "T", Namespace::TYPE),
        "type param 0 of A"
    );
    assert_eq!(
        bound(&f, CODE, "Function<T", "Local", Namespace::TYPE),
        "nothing"
    );
    assert_eq!(
        bound(&f, CODE, "make(text)", "run", Namespace::MACRO),
        "method A.run"
    );
    assert_eq!(
        bound(&f, CODE, "make(text)", "run", Namespace::VALUE),
        "nothing"
    );
}

#[test]
fn writes_and_references_leave_locals_out() {
    let f = facts(CODE);
    let writes: Vec<(u32, u32)> = f.writes.iter().map(|w| (w.line, w.column)).collect();
    assert_eq!(writes, [(4, 8), (4, 23), (4, 37)]);
    let references: Vec<String> = f
        .references
        .iter()
        .filter(|r| r.line == 12 || r.line == 20)
        .map(|r| match r.what {
            RefTarget::Expr(e) => match f.expr(e) {
                Expr::Name { name, .. } => f.name(*name).to_owned(),
                Expr::Member { name, .. } => format!(".{}", f.name(*name)),
                Expr::Scoped { name, .. } => format!("::{}", f.name(*name)),
                other => format!("{other:?}"),
            },
            RefTarget::Type(t) => ty(&f, t),
        })
        .collect();
    assert_eq!(
        references,
        ["::z", "A", "::stat", "kind", "ONE", ".ONE", "Pt"]
    );
}

#[test]
fn function_literals_know_their_place() {
    let f = facts(CODE);
    let lambdas: Vec<&Def> = f
        .defs
        .iter()
        .filter(|d| d.kind == SymbolKind::Function)
        .collect();
    assert_eq!(lambdas.len(), 3);
    let callee = |d: &Def| {
        let (call, position) = d.callable.as_ref()?.argument_of?;
        let name = match f.expr(call) {
            Expr::New { .. } => "new",
            Expr::Call { callee, .. } => match f.expr(*callee) {
                Expr::Name { name, .. } => f.name(*name),
                _ => "?",
            },
            _ => "?",
        };
        Some((name.to_owned(), position))
    };
    assert_eq!(callee(lambdas[0]), Some(("new".into(), 0)));
    assert_eq!(callee(lambdas[1]), Some(("each".into(), 1)));
    assert_eq!(callee(lambdas[2]), None);
    assert_eq!(ty(&f, lambdas[2].ty.unwrap()), "Function<T,Foo>");
    assert_eq!(lambdas[1].callable.as_ref().unwrap().returns.len(), 1);
    assert!(lambdas[0].callable.as_ref().unwrap().returns.is_empty());
}

#[test]
fn outer_this_and_super_are_of_the_right_class() {
    let f = facts(CODE);
    let a = f.defs.iter().position(|d| f.name(d.name) == "A").unwrap() as u32;
    let objects: Vec<&Expr> = f
        .exprs
        .iter()
        .filter_map(|e| match e {
            Expr::Member { object, name } if ["outer", "run", "dflt"].contains(&f.name(*name)) => {
                Some(f.expr(*object))
            }
            _ => None,
        })
        .collect();
    let a = DefId(a);
    assert_eq!(*objects[0], Expr::This(a));
    assert_eq!(*objects[1], Expr::Super(a));
    assert_eq!(*objects[2], Expr::Super(a));
    assert!(matches!(objects[3], Expr::Cast(..)), "{objects:?}");
}

#[test]
fn complexity_counts_decisions() {
    let source = "class A { int f(int a) {
        if (a > 0 && a < 3) { return 1; } else if (a == 5) { return 2; } else { }
        for (int i = 0; i < a; i++) { while (a > i) { a--; } }
        switch (a) { case 1: break; case 2: break; default: }
        return a > 2 ? 1 : 2;
    } }";
    let f = facts(source);
    let complexity = def(&f, "A.f").complexity;
    // 1 + if + && + else if + for + while + two cases + conditional
    assert_eq!(complexity.cyclomatic, 9);
    // if 1, && 1, else if 1, else 1, for 1, while 2, switch 1, conditional 1
    assert_eq!(complexity.cognitive, 9);
    assert_eq!(complexity.nesting, 2);
}

#[test]
fn tests_are_marked() {
    let source = "class FooTest extends TestCase {
        public void testOld() {} @org.junit.Test void b() {} @ParameterizedTest void c() {} void d() {}
        void testWith(int x) {}
    }";
    let f = facts(source);
    let tests: Vec<&str> = f
        .defs
        .iter()
        .filter(|d| d.flags.has(DefFlags::TEST))
        .map(|d| f.name(d.name))
        .collect();
    assert_eq!(tests, ["testOld", "b", "c"]);
}

#[test]
fn broken_files_give_what_can_be_had() {
    let f = facts(
        "class A { void a() { b(; } void c() { d(); } \n int x = ; class E { F g() { return h(); } }",
    );
    assert!(f.syntax_errors > 0);
    let names: Vec<&str> = f.defs.iter().map(|d| f.name(d.name)).collect();
    assert!(names.contains(&"c") && names.contains(&"g"), "{names:?}");
    assert!(f.calls.len() >= 2);
}

#[test]
fn deep_and_long_code_is_survived() {
    let deep = 4_000;
    let (open, close) = ("g(".repeat(deep), ")".repeat(deep));
    let nested = format!("class A {{ void f() {{ {open}x(){close}; }} }}");
    let blocks = format!(
        "class A {{ void f() {{ {}{} }} }}",
        "{".repeat(deep),
        "}".repeat(deep)
    );
    let classes = "class A { Object o = new B() { ".repeat(deep);
    let sum = format!("class A {{ String s = \"a\"{}; }}", " + b()".repeat(20_000));
    let chain = format!(
        "class A {{ void f() {{ a{}; }} }}",
        ".b(c -> d)".repeat(deep)
    );
    let run = move || {
        assert!(facts(&nested).too_deep > 0);
        assert!(facts(&blocks).too_deep > 0);
        assert!(facts(&classes).lines > 0);
        assert_eq!(facts(&sum).calls.len(), 20_000);
        assert!(facts(&chain).too_deep > 0);
    };
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(run)
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn annotated_variable_parameters_are_read() {
    let f = facts(
        "class A { void f(@N Object @Nullable ... args) { args.x(); } void g(String a, Class<?> @N ... b) {} }",
    );
    let params = |name: &str| -> Vec<(String, ParamKind, String)> {
        let callable = def(&f, name).callable.as_ref().unwrap();
        callable
            .params
            .iter()
            .map(|p| (f.name(p.name).into(), p.kind, ty(&f, p.ty.unwrap())))
            .collect()
    };
    let variadic = ParamKind::Variadic;
    assert_eq!(params("A.f"), [("args".into(), variadic, "Object".into())]);
    assert_eq!(
        params("A.g")[1],
        ("b".into(), variadic, "Class<Unknown>".into())
    );
}
