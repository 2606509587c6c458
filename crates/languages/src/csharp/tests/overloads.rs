//! The choice among overloads. The targets are those of the compiler.

use crate::fixture::check;

#[test]
fn members_without_access_take_no_part() {
    check(
        "//- A.cs
class A
{
    public void F(object o) {}
    private void F(int n) {}
    protected void G(int n) {}
    public void G(object o) {}
    protected internal void H(int n) {}
    public void H(object o) {}
    void Own() { F(1); new A().F(1); }
    class Inner { void Own(A a) { a.F(1); } }
}
class B : A
{
    void Heir(A a, B b) { F(1); G(1); b.G(1); a.G(1); base.G(1); }
}
class C { void Other(A a) { a.F(1); a.G(1); a.H(1); } }
class D { public D(object o) {} D(int n) {} protected D(string s) {} public static D Of() => new D(1); }
class E : D { E() : base(\"\") { new D(\"\"); } }
",
        "A.cs:9 F -> A.cs:A.F@4 private void F(int n) [scoped]
A.cs:9 (…) -> A.cs:A@1 [scoped]
A.cs:9 F -> A.cs:A.F@4 private void F(int n) [typed]
A.cs:10 F -> A.cs:A.F@4 private void F(int n) [typed]
A.cs:14 F -> A.cs:A.F@3 public void F(object o) [scoped]
A.cs:14 G -> A.cs:A.G@5 protected void G(int n) [scoped]
A.cs:14 G -> A.cs:A.G@5 protected void G(int n) [typed]
A.cs:14 G -> A.cs:A.G@6 public void G(object o) [typed]
A.cs:14 G -> A.cs:A.G@5 protected void G(int n) [typed]
A.cs:16 F -> A.cs:A.F@3 public void F(object o) [typed]
A.cs:16 G -> A.cs:A.G@6 public void G(object o) [typed]
A.cs:16 H -> A.cs:A.H@7 protected internal void H(int n) [typed]
A.cs:17 (…) -> A.cs:D.D@17 D(int n) [scoped]
A.cs:18 super -> A.cs:D.D@17 protected D(string s) [scoped]
A.cs:18 (…) -> A.cs:D.D@17 public D(object o) [scoped]",
    );
}

#[test]
fn what_another_project_keeps_for_itself_may_be_known_here() {
    check(
        "//- a/a.csproj
<Project/>
//- a/A.cs
public class A { internal void F(int n) {} public void F(object o) {} internal void G() {} }
//- b/b.csproj
<Project/>
//- b/B.cs
class B { void M(A a) { a.F(1); a.F(\"\"); a.G(); } }
",
        "b/B.cs:1 F -> ? ambiguous
b/B.cs:1 F -> a/A.cs:A.F@1 public void F(object o) [typed]
b/B.cs:1 G -> a/A.cs:A.G@1 [typed]",
    );
}

#[test]
fn references_go_to_parameters_by_reference() {
    check(
        "//- A.cs
class A
{
    void F(int n) {}
    void F(ref int n) {}
    void G(out int n) { n = 1; }
    void G(int n) {}
    void H(ref long n) {}
    void H(ref int n) {}
    void I(in int n) {}
    void I(int n) {}
    void J(in int n) {}
    void J(string s) {}
    void M(int n, long l)
    {
        F(n); F(ref n);
        G(out n); G(n); G(out var v);
        H(ref n); H(ref l);
        I(n); I(in n);
        J(n);
    }
}
",
        "A.cs:15 F -> A.cs:A.F@3 void F(int n) [scoped]
A.cs:15 F -> A.cs:A.F@4 void F(ref int n) [scoped]
A.cs:16 G -> A.cs:A.G@5 void G(out int n) [scoped]
A.cs:16 G -> A.cs:A.G@6 void G(int n) [scoped]
A.cs:16 G -> A.cs:A.G@5 void G(out int n) [scoped]
A.cs:17 H -> A.cs:A.H@8 void H(ref int n) [scoped]
A.cs:17 H -> A.cs:A.H@7 void H(ref long n) [scoped]
A.cs:18 I -> A.cs:A.I@10 void I(int n) [scoped]
A.cs:18 I -> A.cs:A.I@9 void I(in int n) [scoped]
A.cs:19 J -> A.cs:A.J@11 void J(in int n) [scoped]",
    );
}

#[test]
fn a_more_special_generic_method_is_better() {
    check(
        "//- A.cs
using System.Collections.Generic;
class A
{
    void F<T>(T x) {}
    void F<T>(List<T> x) {}
    void G<T>(T x) where T : class {}
    void G(object x) {}
    void H<T>(T x, T y) where T : I {}
    void H(object x, object y) {}
    void M(List<int> all, A a, B b)
    {
        F(all); F(1);
        G(1); G(\"\");
        H(a, a); H(b, b);
    }
}
interface I {}
class B : I {}
class P<K, V> { public void F(K k) {} public void F(V v) {} }
class Q { void M(P<int, string> p) { p.F(1); p.F(\"\"); } }
",
        "A.cs:12 F -> A.cs:A.F@5 void F<T>(List<T> x) [scoped]
A.cs:12 F -> A.cs:A.F@4 void F<T>(T x) [scoped]
A.cs:13 G -> A.cs:A.G@7 void G(object x) [scoped]
A.cs:13 G -> A.cs:A.G@6 void G<T>(T x) where T : class [scoped]
A.cs:14 H -> A.cs:A.H@9 void H(object x, object y) [scoped]
A.cs:14 H -> A.cs:A.H@8 void H<T>(T x, T y) where T : I [scoped]
A.cs:20 F -> A.cs:P.F@19 public void F(K k) [typed]
A.cs:20 F -> A.cs:P.F@19 public void F(V v) [typed]",
    );
}

#[test]
fn extension_methods_of_inner_namespaces_and_of_usings_by_scope() {
    check(
        "//- A.cs
using Far;
namespace Far { static class X { public static void F(this int n) {} public static void G(this int n) {} } }
namespace Near { static class X { public static void F(this int n) {} } class U { void M() { 1.F(); 1.G(); } } }
namespace Other { static class X { public static void F(this int n) {} } }
namespace One { using Other; class U { void M() { 1.F(); } } }
namespace Two { class U { void M() { 1.F(); } } }
namespace Near.Inner { class U { void M() { 1.F(); } } }
static class Y { static void H(this int n) {} public static void H(this object n) {} }
class Z { void M() { 1.H(); } }
",
        "A.cs:3 F -> A.cs:X.F@3 public static void F(this int n) [typed]
A.cs:3 G -> A.cs:X.G@2 [typed]
A.cs:5 F -> A.cs:X.F@4 public static void F(this int n) [typed]
A.cs:6 F -> A.cs:X.F@2 public static void F(this int n) [typed]
A.cs:7 F -> A.cs:X.F@3 public static void F(this int n) [typed]
A.cs:9 H -> A.cs:Y.H@8 public static void H(this object n) [typed]",
    );
}

#[test]
fn operators_with_one_operand_promote() {
    check(
        "//- A.cs
class A
{
    void F(byte n) {} void F(short n) {} void F(char c) {} void F(int n) {} void F(uint n) {} void F(long n) {}
    void M(byte b, short s, char c, uint u, long l)
    {
        F(-s); F(~b); F(+c); F(-u); F(~u); F(-l); F(b << 1); F(u << 1); F(l >> 1); F(b++);
    }
    void G(int? n) {} void G(int n) {}
    void N(int? n, int m) { G(n + m); G(m + 1); G(-n); }
}
",
        "A.cs:6 F -> A.cs:A.F@3 void F(int n) [scoped]
A.cs:6 F -> A.cs:A.F@3 void F(int n) [scoped]
A.cs:6 F -> A.cs:A.F@3 void F(int n) [scoped]
A.cs:6 F -> A.cs:A.F@3 void F(long n) [scoped]
A.cs:6 F -> A.cs:A.F@3 void F(uint n) [scoped]
A.cs:6 F -> A.cs:A.F@3 void F(long n) [scoped]
A.cs:6 F -> A.cs:A.F@3 void F(int n) [scoped]
A.cs:6 F -> A.cs:A.F@3 void F(uint n) [scoped]
A.cs:6 F -> A.cs:A.F@3 void F(long n) [scoped]
A.cs:6 F -> A.cs:A.F@3 void F(byte n) [scoped]
A.cs:9 G -> A.cs:A.G@8 void G(int? n) [scoped]
A.cs:9 G -> A.cs:A.G@8 void G(int n) [scoped]
A.cs:9 G -> A.cs:A.G@8 void G(int? n) [scoped]",
    );
}

#[test]
fn constants_convert_to_types_that_hold_them() {
    check(
        "//- A.cs
enum E { X }
class A
{
    const int Small = 7; const int Large = 300; const int Sum = Small + Outside.Value;
    void F(byte n) {} void F(long n) {}
    void G(uint n) {} void G(long n) {}
    void H(E e) {} void H(string s) {}
    void I(ulong n) {} void I(double n) {}
    void M(int n)
    {
        const int local = 5;
        F(5); F(300); F(-1); F(Small); F(Large); F(A.Small); F(local); F(200 + 55); F(200 + 56); F(n); F(Sum);
        G(-5); G(5); G(0xFFFFFFFF); G(0x1FFFFFFFF);
        H(0); H(1);
        I(1L);
    }
}
",
        "A.cs:12 F -> A.cs:A.F@5 void F(byte n) [scoped]
A.cs:12 F -> A.cs:A.F@5 void F(long n) [scoped]
A.cs:12 F -> A.cs:A.F@5 void F(long n) [scoped]
A.cs:12 F -> A.cs:A.F@5 void F(byte n) [scoped]
A.cs:12 F -> A.cs:A.F@5 void F(long n) [scoped]
A.cs:12 F -> A.cs:A.F@5 void F(byte n) [scoped]
A.cs:12 F -> A.cs:A.F@5 void F(byte n) [scoped]
A.cs:12 F -> A.cs:A.F@5 void F(byte n) [scoped]
A.cs:12 F -> A.cs:A.F@5 void F(long n) [scoped]
A.cs:12 F -> A.cs:A.F@5 void F(long n) [scoped]
A.cs:12 F -> ? ambiguous
A.cs:13 G -> A.cs:A.G@6 void G(long n) [scoped]
A.cs:13 G -> A.cs:A.G@6 void G(uint n) [scoped]
A.cs:13 G -> A.cs:A.G@6 void G(uint n) [scoped]
A.cs:13 G -> A.cs:A.G@6 void G(long n) [scoped]
A.cs:14 H -> A.cs:A.H@7 void H(E e) [scoped]
A.cs:14 H -> ? ambiguous
A.cs:15 I -> A.cs:A.I@8 void I(ulong n) [scoped]",
    );
}

#[test]
fn arrays_differ_by_their_dimensions() {
    check(
        "//- A.cs
class A
{
    void F(int[] a) {} void F(int[,] a) {} void F(int[][,] a) {}
    void Use() {}
    void M(int[] one, int[,] two, int[][,] mixed, A[,] all)
    {
        F(one); F(two); F(mixed); F(new int[2, 3]); F(mixed[0]);
        all[0, 1].Use();
        foreach (var a in all) a.Use();
    }
}
",
        "A.cs:7 F -> A.cs:A.F@3 void F(int[] a) [scoped]
A.cs:7 F -> A.cs:A.F@3 void F(int[,] a) [scoped]
A.cs:7 F -> A.cs:A.F@3 void F(int[][,] a) [scoped]
A.cs:7 F -> A.cs:A.F@3 void F(int[,] a) [scoped]
A.cs:7 F -> A.cs:A.F@3 void F(int[,] a) [scoped]
A.cs:8 Use -> A.cs:A.Use@4 [typed]
A.cs:9 Use -> A.cs:A.Use@4 [typed]",
    );
}

#[test]
fn a_lambda_that_only_throws_gives_any_value() {
    check(
        "//- A.cs
using System;
class A
{
    void F(Action f) {}
    void F(Func<int> f) {}
    void M(bool b)
    {
        F(() => { throw new Exception(); });
        F(() => throw new Exception());
        F(() => { while (true) { M(b); } });
        F(() => { if (b) throw new Exception(); else throw new Exception(); });
        F(() => { if (b) throw new Exception(); });
        F(() => { if (b) return; throw new Exception(); });
        F(() => { switch (b) { default: throw new Exception(); } });
    }
}
",
        "A.cs:8 F -> A.cs:A.F@5 void F(Func<int> f) [scoped]
A.cs:8 (…) -> ext System.Exception
A.cs:9 F -> A.cs:A.F@5 void F(Func<int> f) [scoped]
A.cs:9 (…) -> ext System.Exception
A.cs:10 F -> A.cs:A.F@5 void F(Func<int> f) [scoped]
A.cs:10 M -> A.cs:A.M@6 void M(bool b) [scoped]
A.cs:11 F -> A.cs:A.F@5 void F(Func<int> f) [scoped]
A.cs:11 (…) -> ext System.Exception
A.cs:11 (…) -> ext System.Exception
A.cs:12 F -> A.cs:A.F@4 void F(Action f) [scoped]
A.cs:12 (…) -> ext System.Exception
A.cs:13 F -> A.cs:A.F@4 void F(Action f) [scoped]
A.cs:13 (…) -> ext System.Exception
A.cs:14 F -> ? ambiguous
A.cs:14 (…) -> ext System.Exception",
    );
}

#[test]
fn a_delegate_hides_the_methods_above_it() {
    check(
        "//- A.cs
using System;
using Some.Library;
class A { public void F() {} public void G() {} public void H() {} }
class B : A { public new Action F; public new int G; public new Handle H; }
class C { void M(B b) { b.F(); b.G(); b.H(); } }
",
        "A.cs:5 F -> ? dynamic call
A.cs:5 G -> A.cs:A.G@3 [typed]
A.cs:5 H -> ? dynamic call",
    );
}

#[test]
fn what_stands_for_the_parameter_of_an_outer_class_is_not_known() {
    check(
        "//- A.cs
class Outer<T> { public class Inner { public T Value; public T Get() { return Value; } void M() { Value.ToString(); } } }
class A { public void F(object o) {} }
class B { void M(Outer<A>.Inner n) { n.Value.Equals(1); n.Get().ToString(); } }
",
        "A.cs:1 ToString -> ext System.Object.ToString
A.cs:3 Equals -> ? unknown receiver type
A.cs:3 Get -> A.cs:Outer.Inner.Get@1 [typed]
A.cs:3 ToString -> ? unknown receiver type",
    );
}
