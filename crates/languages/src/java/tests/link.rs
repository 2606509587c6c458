//! Linking of Java: the targets of call sites.

use crate::fixture::{check, imports};

#[test]
fn packages_imports_and_nested_types() {
    check(
        r#"
//- core/src/main/java/com/acme/core/Base.java
package com.acme.core;
public class Base {
    public static class Part { public static Part of() { return new Part(); } public void go() {} }
    protected void hook() {}
    public static void help() {}
}
//- core/src/main/java/com/acme/core/Near.java
package com.acme.core;
class Near { void run(Base b) { b.hook(); Base.Part.of().go(); } }
//- app/src/main/java/com/acme/app/App.java
package com.acme.app;
import com.acme.core.*;
import com.acme.core.Base.Part;
import static com.acme.core.Base.help;
import java.util.List;
import org.lib.Thing;
class App extends Base {
    void run() {
        hook();
        help();
        Part.of().go();
        com.acme.core.Base.help();
        List.of(1);
        Thing.make();
        new Thing();
        nothing();
    }
}
"#,
        r#"
app/src/main/java/com/acme/app/App.java:9 hook -> core/src/main/java/com/acme/core/Base.java:Base.hook@4 [scoped]
app/src/main/java/com/acme/app/App.java:10 help -> core/src/main/java/com/acme/core/Base.java:Base.help@5 [scoped]
app/src/main/java/com/acme/app/App.java:11 of -> core/src/main/java/com/acme/core/Base.java:Base.Part.of@3 [scoped]
app/src/main/java/com/acme/app/App.java:11 go -> core/src/main/java/com/acme/core/Base.java:Base.Part.go@3 [typed]
app/src/main/java/com/acme/app/App.java:12 help -> core/src/main/java/com/acme/core/Base.java:Base.help@5 [scoped]
app/src/main/java/com/acme/app/App.java:13 of -> ext java.util.List.of
app/src/main/java/com/acme/app/App.java:14 make -> ext org.lib.Thing.make
app/src/main/java/com/acme/app/App.java:15 (…) -> ext org.lib.Thing
app/src/main/java/com/acme/app/App.java:16 nothing -> ? unknown name
core/src/main/java/com/acme/core/Base.java:3 (…) -> core/src/main/java/com/acme/core/Base.java:Base.Part@3 [scoped]
core/src/main/java/com/acme/core/Near.java:2 hook -> core/src/main/java/com/acme/core/Base.java:Base.hook@4 [typed]
core/src/main/java/com/acme/core/Near.java:2 of -> core/src/main/java/com/acme/core/Base.java:Base.Part.of@3 [scoped]
core/src/main/java/com/acme/core/Near.java:2 go -> core/src/main/java/com/acme/core/Base.java:Base.Part.go@3 [typed]
"#,
    );
}

#[test]
fn overloads_are_told_apart_by_their_arguments() {
    check(
        r#"
//- A.java
import java.util.*;
class A {
    void byCount() {} 
    int byCount(int a) { return a; }
    void kind(String s) {}
    Sub kind(int i) { return null; }
    void kind(long l) {}
    Sup kind(Sup s) { return s; }
    Sub kind(Sub s) { return s; }
    void rest(String s, Object... more) {}
    void rest(String s, int one) {}
    A(String s) {} 
    A(int i) { this("x"); }
    void any(Object o) {} 
    void any(String s) {}
    void task(Runnable r) {}
    void task(Comparator<Sub> c) {}
    void use(some.Unknown u, byte b, List<Sub> subs) {
        byCount();
        byCount(1);
        kind("s");
        kind(b);
        kind(2L);
        kind(new Sup());
        kind(new Sub()).only();
        rest("a", 1);
        rest("a", "b");
        rest("a");
        any(u.field());
        any(1 + "x");
        task(() -> only());
        task((x, y) -> x.number());
        new A(3);
    }
    void only() {}
}
class Sup {}
class Sub extends Sup { void only() {} int number() { return 0; } }
"#,
        r#"
A.java:13 (…) -> A.java:A.A@12 A(String s) [scoped]
A.java:19 byCount -> A.java:A.byCount@3 void byCount() [scoped]
A.java:20 byCount -> A.java:A.byCount@4 int byCount(int a) [scoped]
A.java:21 kind -> A.java:A.kind@5 void kind(String s) [scoped]
A.java:22 kind -> A.java:A.kind@6 Sub kind(int i) [scoped]
A.java:23 kind -> A.java:A.kind@7 void kind(long l) [scoped]
A.java:24 kind -> A.java:A.kind@8 Sup kind(Sup s) [scoped]
A.java:24 (…) -> A.java:Sup@37 [scoped]
A.java:25 kind -> A.java:A.kind@9 Sub kind(Sub s) [scoped]
A.java:25 (…) -> A.java:Sub@38 [scoped]
A.java:25 only -> A.java:Sub.only@38 [typed]
A.java:26 rest -> A.java:A.rest@11 void rest(String s, int one) [scoped]
A.java:27 rest -> A.java:A.rest@10 void rest(String s, Object... more) [scoped]
A.java:28 rest -> A.java:A.rest@10 void rest(String s, Object... more) [scoped]
A.java:29 any -> ? ambiguous
A.java:29 field -> ? unknown receiver type
A.java:30 any -> A.java:A.any@15 void any(String s) [scoped]
A.java:31 task -> A.java:A.task@16 void task(Runnable r) [scoped]
A.java:31 only -> A.java:A.only@35 [scoped]
A.java:32 task -> A.java:A.task@17 void task(Comparator<Sub> c) [scoped]
A.java:32 number -> A.java:Sub.number@38 [typed]
A.java:33 (…) -> A.java:A.A@13 A(int i) [scoped]
"#,
    );
}

#[test]
fn types_flow_through_generics_lambdas_and_collections() {
    check(
        r#"
//- B.java
import java.util.*;
import java.util.stream.*;
class B<T extends Item> {
    private final Map<String, List<Item>> byName = new HashMap<>();
    T held;
    T get() { return held; }
    <R> R apply(Fn<T, R> fn) { return fn.call(held); }
    static <E> E same(E e) { return e; }
    interface Fn<X, Y> { Y call(X x); default Fn<X, Y> twice() { return this; } }
    void run(Optional<Item> maybe, Item[] array) {
        get().touch();
        for (Map.Entry<String, List<Item>> e : byName.entrySet()) e.getValue().get(0).touch();
        byName.values().stream().flatMap(l -> l.stream()).map(Item::next).forEach(i -> i.touch());
        maybe.map(m -> m.next()).ifPresent(n -> n.touch());
        array[0].touch();
        var last = same(array[1]);
        last.touch();
        apply(x -> x.next()).touch();
        Fn<Item, Item> local = q -> q.next();
        local.call(last).next().touch();
        List<Item> list = byName.get("a").stream().filter(z -> z.ok()).collect(Collectors.toList());
        list.get(1).touch();
        if (held instanceof Special s) s.special();
        new B<Special>().get().special();
        Kind.valueOf("X").touch();
        for (Kind k : Kind.values()) k.run();
        new Pair(last, 1).first().touch();
    }
}
class Item { void touch() {} Item next() { return this; } boolean ok() { return true; } }
class Special extends Item { void special() {} }
enum Kind { X { void run() { super.run(); } }; void run() {} void touch() {} }
record Pair(Item first, int second) {}
"#,
        r#"
B.java:4 (…) -> ext java.util.HashMap
B.java:7 call -> B.java:B.Fn.call@9 [typed]
B.java:11 get -> B.java:B.get@6 [scoped]
B.java:11 touch -> B.java:Item.touch@30 [typed]
B.java:12 entrySet -> ext java.util.Map.entrySet
B.java:12 getValue -> ext java.util.Map.Entry.getValue
B.java:12 get -> ext java.util.List.get
B.java:12 touch -> B.java:Item.touch@30 [typed]
B.java:13 values -> ext java.util.Map.values
B.java:13 stream -> ext java.util.Collection.stream
B.java:13 flatMap -> ext java.util.stream.Stream.flatMap
B.java:13 stream -> ext java.util.List.stream
B.java:13 map -> ext java.util.stream.Stream.map
B.java:13 forEach -> ext java.util.stream.Stream.forEach
B.java:13 touch -> B.java:Item.touch@30 [typed]
B.java:14 map -> ext java.util.Optional.map
B.java:14 next -> B.java:Item.next@30 [typed]
B.java:14 ifPresent -> ext java.util.Optional.ifPresent
B.java:14 touch -> B.java:Item.touch@30 [typed]
B.java:15 touch -> B.java:Item.touch@30 [typed]
B.java:16 same -> B.java:B.same@8 [scoped]
B.java:17 touch -> B.java:Item.touch@30 [typed]
B.java:18 apply -> B.java:B.apply@7 [scoped]
B.java:18 next -> B.java:Item.next@30 [typed]
B.java:18 touch -> B.java:Item.touch@30 [typed]
B.java:19 next -> B.java:Item.next@30 [typed]
B.java:20 call -> B.java:B.Fn.call@9 [typed]
B.java:20 next -> B.java:Item.next@30 [typed]
B.java:20 touch -> B.java:Item.touch@30 [typed]
B.java:21 get -> ext java.util.Map.get
B.java:21 stream -> ext java.util.List.stream
B.java:21 filter -> ext java.util.stream.Stream.filter
B.java:21 ok -> B.java:Item.ok@30 [typed]
B.java:21 collect -> ext java.util.stream.Stream.collect
B.java:21 toList -> ext java.util.stream.Collectors.toList
B.java:22 get -> ext java.util.List.get
B.java:22 touch -> B.java:Item.touch@30 [typed]
B.java:23 special -> B.java:Special.special@31 [typed]
B.java:24 (…) -> B.java:B@3 [scoped]
B.java:24 get -> B.java:B.get@6 [typed]
B.java:24 special -> B.java:Special.special@31 [typed]
B.java:25 valueOf -> ext java.lang.Enum.valueOf
B.java:25 touch -> B.java:Kind.touch@32 [typed]
B.java:26 values -> ext java.lang.Enum.values
B.java:26 run -> B.java:Kind.run@32 [typed]
B.java:27 (…) -> B.java:Pair@33 [scoped]
B.java:27 first -> B.java:Pair.first@33 Item first [typed]
B.java:27 touch -> B.java:Item.touch@30 [typed]
B.java:32 run -> B.java:Kind.run@32 [typed]
"#,
    );
}

#[test]
fn inherited_inner_and_anonymous_members_are_seen() {
    check(
        r#"
//- C.java
class C extends Parent<Thing> {
    private String size;
    int size() { return 1; }
    class Inner extends Other {
        void run() { shared(); outer(); C.this.shared(); item.touch(); held.go(); }
    }
    void outer() { size(); super.shared(); equals(null); }
    Runnable make() {
        return new Base2() { @Override public void run() { helper(); outer(); hashCode(); } };
    }
    void shared() {}
}
class Parent<T> implements Deep { T item; void shared() {} }
class Other { Held held; void shared() {} }
class Held { void go() {} }
class Thing { void touch() {} }
interface Deep { default void deep() { more(); } void more(); }
abstract class Base2 implements Runnable { void helper() {} }
class Static { static void main() { new C().deep(); new C().new Inner().run(); Deep d = () -> { }; d.more(); } }
"#,
        r#"
C.java:5 shared -> C.java:Other.shared@14 [scoped]
C.java:5 outer -> C.java:C.outer@7 [scoped]
C.java:5 shared -> C.java:C.shared@11 [typed]
C.java:5 touch -> C.java:Thing.touch@16 [typed]
C.java:5 go -> C.java:Held.go@15 [typed]
C.java:7 size -> C.java:C.size@3 int size() [scoped]
C.java:7 shared -> C.java:Parent.shared@13 [typed]
C.java:7 equals -> ext java.lang.Object.equals
C.java:9 (…) -> C.java:Base2@18 [scoped]
C.java:9 (…) -> ext java.lang.Override
C.java:9 helper -> C.java:Base2.helper@18 [scoped]
C.java:9 outer -> C.java:C.outer@7 [scoped]
C.java:9 hashCode -> ext java.lang.Object.hashCode
C.java:17 more -> C.java:Deep.more@17 [scoped]
C.java:19 (…) -> C.java:C@1 [scoped]
C.java:19 deep -> C.java:Deep.deep@17 [typed]
C.java:19 (…) -> C.java:C@1 [scoped]
C.java:19 Inner -> C.java:C.Inner@4 [typed]
C.java:19 run -> C.java:C.Inner.run@5 [typed]
C.java:19 more -> C.java:Deep.more@17 [typed]
"#,
    );
}

#[test]
fn builders_that_return_their_own_type() {
    check(
        r#"
//- D.java
class D {
    static Plain plain() { return new Plain(); }
    void use() {
        plain().name("a").size(1).build();
        Spec.of(new D()).with(c -> c.sub()).done();
    }
    void sub() {}
}
abstract class Builder<B extends Builder<B>> { B name(String n) { return self(); } abstract B self(); }
class Plain extends Builder<Plain> { Plain self() { return this; } Plain size(int n) { return this; } void build() {} }
interface Spec<S extends Spec<S>> {
    static Spec<?> of(Object... all) { return null; }
    <T extends S> T with(java.util.function.Consumer<D> c);
    void done();
}
"#,
        r#"
D.java:2 (…) -> D.java:Plain@10 [scoped]
D.java:4 plain -> D.java:D.plain@2 [scoped]
D.java:4 name -> D.java:Builder.name@9 [typed]
D.java:4 size -> D.java:Plain.size@10 [typed]
D.java:4 build -> D.java:Plain.build@10 [typed]
D.java:5 of -> D.java:Spec.of@12 [scoped]
D.java:5 (…) -> D.java:D@1 [scoped]
D.java:5 with -> D.java:Spec.with@13 [typed]
D.java:5 sub -> D.java:D.sub@7 [typed]
D.java:5 done -> D.java:Spec.done@14 [typed]
D.java:9 self -> D.java:Builder.self@9 [scoped]
"#,
    );
}

#[test]
fn imports_on_demand_lead_to_the_types_that_are_used() {
    let found = imports(
        r#"
//- a/p/One.java
package p;
public class One { public static int x; public static class Deep {} }
//- a/p/Two.java
package p;
public class Two {}
//- a/p/Three.java
package p;
public class Three {}
//- a/p/Four.java
package p;
public class Four {}
//- a/p/Five.java
package p;
public @interface Five {}
//- a/q/Four.java
package q;
public class Four {}
//- a/r/package-info.java
package r;
//- a/r/None.java
package r;
public class None {}
//- a/u/Use.java
package u;
import p.*;
import p.Two;
import q.*;
import r.*;
import p.One.*;
import java.util.*;
@Five class Use {
    class Three {}
    Two two;
    Three three;
    List<String> list;
    int x() { return One.x + none(); }
    int none() { return 1; }
}
//- a/u/Four.java
package u;
class Four { Four other; }
"#,
    );
    assert_eq!(
        found,
        "a/u/Use.java:2 -> a/p/Five.java:Five@2, a/p/One.java:One@2
a/u/Use.java:3 -> a/p/Two.java:Two@2
a/u/Use.java:4 -> ?
a/u/Use.java:5 -> a/r/package-info.java
a/u/Use.java:6 -> a/p/One.java:One@2
a/u/Use.java:7 -> ext java.util"
    );
}

#[test]
fn super_means_the_superclass_and_not_the_interfaces_beside_it() {
    check(
        r#"//- p/Flow.java
package p;
interface Flow { Flow read(); default void log() {} }
interface Quick extends Flow { Quick read(); void submit(Runnable r); }
abstract class Base implements Flow {
  public Flow read() { return this; }
}
class Fast extends Base implements Quick {
  public Quick read() { super.read(); super.log(); return this; }
  public void submit(Runnable r) { read(); }
}
class Pool extends java.util.concurrent.AbstractExecutorService implements Quick {
  public Quick read() { return this; }
  public void submit(Runnable r) { super.submit(r); }
}
"#,
        "p/Flow.java:8 read -> p/Flow.java:Base.read@5 [typed]
p/Flow.java:8 log -> p/Flow.java:Flow.log@2 [typed]
p/Flow.java:9 read -> p/Flow.java:Fast.read@8 [scoped]
p/Flow.java:13 submit -> ext java.util.concurrent.AbstractExecutorService.submit",
    );
}

#[test]
fn a_static_import_from_outside_under_the_same_name_may_be_meant() {
    check(
        r#"
//- a/Subject.java
package a;
public class Subject {
    public static Subject check(Subject[] all) { return null; }
}
//- a/Use.java
package a;
import static a.Subject.check;
import static org.lib.Truth.check;
class Use {
    void run(Subject[] all, String text, org.lib.Thing thing) {
        check(all);
        check(text);
        check(thing.get());
    }
}
"#,
        r#"
a/Use.java:6 check -> a/Subject.java:Subject.check@3 [scoped]
a/Use.java:7 check -> ext org.lib.Truth.check
a/Use.java:8 check -> ? ambiguous
a/Use.java:8 get -> ext org.lib.Thing.get
"#,
    );
}

#[test]
fn what_a_superclass_keeps_for_itself_is_not_inherited() {
    check(
        r#"//- p/Outer.java
package p;
class Outer {
  void hit() {}
  void own() {}
  static class Base {
    private void hit() {}
    private void own() {}
    void inside() { hit(); }
  }
  class Sub extends Base {
    private void own() {}
    void run(Base base) { hit(); own(); base.hit(); super.hit(); this.own(); }
  }
}
//- q/Far.java
package q;
class Around {
  void near() {}
  class Far extends p.Open {
    void run() { near(); all(); }
  }
}
//- p/Open.java
package p;
public class Open {
  void near() {}
  protected void all() {}
}
"#,
        "p/Outer.java:8 hit -> p/Outer.java:Outer.Base.hit@6 [scoped]
p/Outer.java:12 hit -> p/Outer.java:Outer.hit@3 [scoped]
p/Outer.java:12 own -> p/Outer.java:Outer.Sub.own@11 [scoped]
p/Outer.java:12 hit -> p/Outer.java:Outer.Base.hit@6 [typed]
p/Outer.java:12 hit -> p/Outer.java:Outer.Base.hit@6 [typed]
p/Outer.java:12 own -> p/Outer.java:Outer.Sub.own@11 [typed]
q/Far.java:5 near -> q/Far.java:Around.near@3 [scoped]
q/Far.java:5 all -> p/Open.java:Open.all@4 [scoped]",
    );
}

#[test]
fn an_annotation_type_is_an_annotation() {
    check(
        r##"//- p/Named.java
package p;
public @interface Named { String value(); }
//- p/Key.java
package p;
import java.lang.annotation.Annotation;
class Key {
  static Key get(Class<?> type, Annotation annotation) { return null; }
  static Key get(Class<?> type, Class<? extends Annotation> annotation) { return null; }
  static Named named(String name) { return null; }
  void run() { get(Key.class, named("a")); get(Key.class, Named.class); }
}
"##,
        "p/Key.java:7 get -> p/Key.java:Key.get@4 static Key get(Class<?> type, Annotation annotation) [scoped]
p/Key.java:7 named -> p/Key.java:Key.named@6 [scoped]
p/Key.java:7 get -> p/Key.java:Key.get@5 static Key get(Class<?> type, Class<? extends Annotation> annotation) [scoped]",
    );
}

#[test]
fn an_overload_overrides_the_one_with_its_parameter_types() {
    let relations = crate::fixture::collect_relations(
        r#"
//- p/Base.java
package p;
abstract class Base<T> {
    abstract long add(long i, int v);
    abstract long add(long i, long v);
    abstract void put(T value, String how);
    abstract void put(int value, String how);
}
//- p/Sub.java
package p;
class Sub extends Base<Long> {
    @Override long add(long i, int v) { return i; }
    @Override long add(long i, long v) { return v; }
    @Override void put(Long value, String how) { }
    @Override void put(int value, String how) { }
    void add(String other, String more) { }
}
"#,
    );
    let overrides: Vec<&str> = relations
        .iter()
        .filter(|line| line.contains("overrides"))
        .map(String::as_str)
        .collect();
    assert_eq!(
        overrides,
        [
            "p/Sub.java:Sub.add@3 long add(long i, int v) overrides p/Base.java:Base.add@3 abstract long add(long i, int v);",
            "p/Sub.java:Sub.add@4 long add(long i, long v) overrides p/Base.java:Base.add@4 abstract long add(long i, long v);",
            "p/Sub.java:Sub.put@5 void put(Long value, String how) overrides p/Base.java:Base.put@5 abstract void put(T value, String how);",
            "p/Sub.java:Sub.put@6 void put(int value, String how) overrides p/Base.java:Base.put@6 abstract void put(int value, String how);",
        ]
    );
}

#[test]
fn what_is_not_inherited_is_not_overridden() {
    let relations = crate::fixture::collect_relations(
        r#"
//- p/A.java
package p;
public class A {
    private void own() { }
    void ofPackage() { }
    static void fixed() { }
    protected void open() { }
}
//- p/Near.java
package p;
class Near extends A {
    void own() { }
    void ofPackage() { }
    static void fixed() { }
    protected void open() { }
}
//- q/Far.java
package q;
class Far extends p.A {
    void ofPackage() { }
    protected void open() { }
}
"#,
    );
    let overriding = relations
        .iter()
        .filter_map(|line| line.split_once(" overrides "))
        .filter_map(|(from, _)| from.split('@').next());
    let overriding: Vec<&str> = overriding.collect();
    assert_eq!(
        overriding,
        [
            "p/Near.java:Near.ofPackage",
            "p/Near.java:Near.open",
            "q/Far.java:Far.open",
        ]
    );
}

/// The class that has the method knows nothing of the interface.
#[test]
fn an_inherited_method_implements_an_interface() {
    let relations = crate::fixture::collect_relations(
        "//- p/Runner.java\npackage p;\ninterface Runner {\n    void run(int n);\n    void stop();\n}\n\
         //- p/Base.java\npackage p;\nclass Base {\n    public void run(int n) {}\n    public void run(String s) {}\n    \
         static void stop() {}\n}\n\
         //- p/Job.java\npackage p;\nclass Job extends Base implements Runner {\n    public void stop() {}\n}\n\
         //- p/Part.java\npackage p;\nabstract class Part implements Runner, Other {}\ninterface Other {\n    void run(int n);\n}\n",
    );
    let overrides: Vec<&String> = relations
        .iter()
        .filter(|line| line.contains(" overrides "))
        .collect();
    assert_eq!(
        overrides,
        [
            "p/Base.java:Base.run@3 public void run(int n) overrides p/Runner.java:Runner.run@3",
            "p/Job.java:Job.stop@3 overrides p/Runner.java:Runner.stop@4",
        ]
    );
}

/// An overload, a nested class or a field of that name hides no inherited method.
#[test]
fn what_is_told_apart_hides_no_inherited_method() {
    let relations = crate::fixture::collect_relations(
        "//- A.java
interface Runner { void run(); void text(String s); }
interface Shape { int area(); }
class Base { public void run() {} public void text(String s) {} public int area() { return 1; } }
class Job extends Base implements Runner { void run(int n) {} void text(Integer n) {} }
class Square extends Base implements Shape { int area; class run {} }
class Own extends Base implements Runner { public void run() {} }
",
    );
    let overrides: Vec<&str> = relations
        .iter()
        .filter_map(|line| line.contains(" overrides ").then_some(line.as_str()))
        .collect();
    assert_eq!(
        overrides,
        [
            "A.java:Base.area@3 overrides A.java:Shape.area@2",
            "A.java:Base.run@3 overrides A.java:Runner.run@1",
            "A.java:Base.text@3 overrides A.java:Runner.text@1",
            "A.java:Own.run@6 overrides A.java:Base.run@3",
            "A.java:Own.run@6 overrides A.java:Runner.run@1",
        ]
    );
}

const NUMBERS: &str = "
//- A.java
class A {
  static void f(int x) {}
  static void f(long x) {}
  static void f(float x) {}
  static void f(double x) {}
  static void f(char x) {}
  static void f(Integer x) {}
  static void f(Object x) {}
  static int call() { return 1; }
  static void g(boolean flag, int i, long q, byte b, short s, char c, float d, Integer box, Long wide, String text) {
";

/// Checks each statement's call of `f` in [`NUMBERS`] by the type of its parameter.
#[track_caller]
fn check_numbers(cases: &[(&str, &str)]) {
    let params = [
        "int", "long", "float", "double", "char", "Integer", "Object",
    ];
    let statements: String = cases.iter().map(|(code, _)| format!("{code}\n")).collect();
    let calls = crate::fixture::calls(&format!("{NUMBERS}{statements}  }}\n}}\n"));
    let found: Vec<&str> = calls
        .lines()
        .filter(|line| line.contains(" f -> "))
        .collect();
    assert_eq!(found.len(), cases.len(), "{calls}");
    for ((code, expected), line) in cases.iter().zip(found) {
        let held = |param: &&&str| line.contains(&format!("static void f({param} x)"));
        let found: Vec<&str> = params.iter().filter(held).copied().collect();
        let found = found.join(" ");
        assert_eq!(&found, expected, "{code}: {line}");
    }
}

#[test]
fn arithmetic_promotes_its_operands() {
    check_numbers(&[
        ("f(b + s);", "int"),
        ("f(c + 1);", "int"),
        ("f(i + q);", "long"),
        ("f(i * d);", "float"),
        ("f(i / 2.0);", "double"),
        ("f(box + box);", "int"),
        ("f(box + wide);", "long"),
        ("f(-c);", "int"),
        ("f(~b);", "int"),
        ("f(-q);", "long"),
        ("f(i << q);", "int"),
        ("f(q >> i);", "long"),
        ("f(c >>> q);", "int"),
        ("f(c++);", "char"),
        ("f(c += 1);", "char"),
        ("f(i += q);", "int"),
        ("f(-box);", "int"),
        ("f((byte) 1 + (char) 2);", "int"),
        ("f(Integer.MAX_VALUE + q);", "long"),
        ("f(text + c);", "Object"),
    ]);
}

#[test]
fn a_conditional_of_numbers_is_promoted() {
    check_numbers(&[
        ("f(flag ? 0 : q);", "long"),
        ("f(flag ? i : 1.0);", "double"),
        ("f(flag ? box : i);", "int"),
        ("f(flag ? box : wide);", "long"),
        ("f(flag ? box : box);", "Integer"),
        ("f(flag ? box : null);", "Integer"),
        ("f(flag ? 0 : c);", "char"),
        ("f(flag ? call() : c);", "int"),
        ("f(flag ? b : s);", "int"),
        ("f(flag ? b : c);", "int"),
        ("f(flag ? i : text);", "Object"),
        ("f(flag ? 'a' : 'b');", "char"),
        ("f(flag ? flag ? 1 : 2L : d);", "float"),
        ("f(flag ? Integer.MAX_VALUE : q);", "long"),
        ("var v = flag ? 0 : q; f(v);", "long"),
        ("f((flag ? 0 : q) + 1);", "long"),
    ]);
}

#[test]
fn methods_over_numbers_give_what_their_overload_gives() {
    check_numbers(&[
        ("f(Math.max(1, q));", "long"),
        ("f(Math.max(1, i));", "int"),
        ("f(Math.min(b, c));", "int"),
        ("f(Math.abs(d));", "float"),
        ("f(Math.abs(-box));", "int"),
        ("f(Math.max(box, wide));", "long"),
        ("f(Math.max(i, 1.0));", "double"),
        ("f(Math.round(d));", "int"),
        ("f(Math.round(1.5));", "long"),
        ("f(Math.floorMod(q, i));", "int"),
        ("f(Math.floorDiv(q, i));", "long"),
        ("f(Math.sqrt(i));", "double"),
        ("f(Math.signum(d));", "float"),
        ("f(Math.toIntExact(q));", "int"),
        ("f(Character.toUpperCase(c));", "char"),
        ("f(Character.toUpperCase(i));", "int"),
        ("f(StrictMath.max(i, q));", "long"),
        ("f(Math.max(Math.max(i, q), d));", "float"),
        ("f(String.valueOf(c));", "Object"),
        ("f(new StringBuilder().append(c).length());", "int"),
    ]);
}

#[test]
fn a_collection_of_several_holds_each() {
    check(
        "
//- A.java
import java.util.*;
class A {
  void m() {}
  static void f(A a, B b, A[] all) {
    for (var x : List.of(a, b)) x.m();
    for (var x : Arrays.asList(all)) x.m();
    for (var x : Map.of(1, a, 2, b).values()) x.m();
  }
}
class B { void m() {} }
",
        "
A.java:5 of -> ext java.util.List.of
A.java:5 m -> ? ambiguous
A.java:6 asList -> ext java.util.Arrays.asList
A.java:6 m -> A.java:A.m@3 [typed]
A.java:7 of -> ext java.util.Map.of
A.java:7 values -> ext java.util.Map.values
A.java:7 m -> ? ambiguous
",
    );
}

#[test]
fn a_lambda_that_gives_no_value_may_stand_for_one_that_does() {
    check(
        "
//- A.java
import java.util.function.Supplier;
class A {
  static int g() { return 1; }
  static void n() {}
  static void h(Runnable r) {}
  static void h(Supplier<Integer> s) {}
  static void f() {
    h(() -> { throw new RuntimeException(); });
    h(() -> { n(); });
    h(() -> n());
    h(() -> g());
    h(() -> { return 1; });
  }
}
",
        "
A.java:8 h -> A.java:A.h@6 static void h(Supplier<Integer> s) [scoped]
A.java:8 (…) -> ext java.lang.RuntimeException
A.java:9 h -> A.java:A.h@5 static void h(Runnable r) [scoped]
A.java:9 n -> A.java:A.n@4 [scoped]
A.java:10 h -> A.java:A.h@5 static void h(Runnable r) [scoped]
A.java:10 n -> A.java:A.n@4 [scoped]
A.java:11 h -> A.java:A.h@6 static void h(Supplier<Integer> s) [scoped]
A.java:11 g -> A.java:A.g@3 [scoped]
A.java:12 h -> A.java:A.h@6 static void h(Supplier<Integer> s) [scoped]
",
    );
}
