//! Linking of several files.

use crate::fixture::{check, collect_relations, imports};

#[test]
fn names_are_looked_up_from_inner_namespaces_to_outer_ones() {
    check(
        "//- A.cs
using Far;
namespace Near.Inner
{
    class A
    {
        void M()
        {
            T.Call();
            U.Call();
            Inner.V.Call();
        }
    }
    class V { public static void Call() {} }
}
//- B.cs
namespace Near { class T { public static void Call() {} } }
//- C.cs
namespace Far { class T { public static void Call() {} } class U { public static void Call() {} } }
",
        "A.cs:8 Call -> B.cs:T.Call@1 [scoped]
A.cs:9 Call -> C.cs:U.Call@1 [scoped]
A.cs:10 Call -> A.cs:V.Call@13 [scoped]",
    );
}

#[test]
fn types_differ_by_their_number_of_type_parameters() {
    check(
        "//- A.cs
class R { public void Plain() {} }
class R<T> { public void One(T t) {} public static R<T> Of() { return null; } }
class R<A, B> { public void Two() {} }
class M
{
    void Run(R a, R<int> b, R<int, int> c)
    {
        a.Plain();
        b.One(1);
        c.Two();
        R<string>.Of().One(null);
        new R<int, string>().Two();
    }
}
",
        "A.cs:8 Plain -> A.cs:R.Plain@1 [typed]
A.cs:9 One -> A.cs:R.One@2 [typed]
A.cs:10 Two -> A.cs:R.Two@3 [typed]
A.cs:11 Of -> A.cs:R.Of@2 [scoped]
A.cs:11 One -> A.cs:R.One@2 [typed]
A.cs:12 (…) -> A.cs:R@3 class R<A, B> [scoped]
A.cs:12 Two -> A.cs:R.Two@3 [typed]",
    );
}

#[test]
fn parts_of_a_type_share_members_and_supertypes() {
    let fixture = "//- A.cs
namespace N;
partial class Form : Base, IRun { void Own() { Other(); Above(); field.Use(); } }
//- B.cs
namespace N;
partial class Form { Tool field; void Other() { Own(); } public void Run() {} }
class Base { protected void Above() {} }
interface IRun { void Run(); }
class Tool { public void Use() {} }
//- C.cs
namespace N;
class M { void Go(Form form, IRun run) { form.Run(); run.Run(); Take(form); } void Take(IRun r) {} void Take(object o) {} }
";
    check(
        fixture,
        "A.cs:2 Other -> B.cs:Form.Other@2 [scoped]
A.cs:2 Above -> B.cs:Base.Above@3 [scoped]
A.cs:2 Use -> B.cs:Tool.Use@5 [typed]
B.cs:2 Own -> A.cs:Form.Own@2 [scoped]
C.cs:2 Run -> B.cs:Form.Run@2 [typed]
C.cs:2 Run -> B.cs:IRun.Run@4 [typed]
C.cs:2 Take -> C.cs:M.Take@2 void Take(IRun r) [scoped]",
    );
    assert_eq!(
        collect_relations(fixture),
        [
            "A.cs:Form@2 extends B.cs:Base@3",
            "A.cs:Form@2 implements B.cs:IRun@4",
            "B.cs:Form.Run@2 overrides B.cs:IRun.Run@4",
        ]
    );
}

#[test]
fn parts_belong_to_the_type_of_their_project() {
    check(
        "//- a/a.csproj
<Project/>
//- a/One.cs
partial class P { void Run() { Help(); } }
//- a/Two.cs
partial class P { void Help() {} }
//- b/b.csproj
<Project/>
//- b/One.cs
partial class P { void Run() { Help(); } }
",
        "a/One.cs:1 Help -> a/Two.cs:P.Help@1 [scoped]
b/One.cs:1 Help -> ? unknown name",
    );
}

#[test]
fn what_cannot_be_known_leads_nowhere() {
    check(
        "//- A.cs
using System;
using Some.Library;
class A : Controller
{
    void Only() {}
    void M(dynamic any, Unknown thing, Func<A> get, object o)
    {
        any.Only();
        thing.Only();
        o.Only();
        get();
        Inherited();
        typeof(A).GetMethod(\"Only\").Invoke(this, null);
        Activator.CreateInstance(typeof(A)).Only();
        Missing.Only();
    }
}
",
        "A.cs:8 Only -> ? unknown receiver type
A.cs:9 Only -> ext Some.Library.Unknown.Only
A.cs:10 Only -> ext System.Object.Only
A.cs:11 get -> ? dynamic call
A.cs:12 Inherited -> ext Some.Library.Controller.Inherited
A.cs:13 GetMethod -> ext System.Type.GetMethod
A.cs:13 Invoke -> ext System.Reflection.MethodInfo.Invoke
A.cs:14 CreateInstance -> ext System.Activator.CreateInstance
A.cs:14 Only -> ? unknown receiver type
A.cs:15 Only -> ext Some.Library.Missing.Only",
    );
}

#[test]
fn an_own_method_comes_before_an_extension_and_that_before_one_of_linq() {
    check(
        "//- A.cs
using System.Collections.Generic;
using System.Linq;
class Bag : List<int> { public int First() { return 1; } }
static class E
{
    public static int First(this IEnumerable<string> all) { return 1; }
    public static int Count(this List<int> all) { return 1; }
    public static T Last<T>(this IEnumerable<T> all) { return default(T); }
}
class M
{
    void Run(Bag bag, List<string> texts, List<int> numbers, List<M> all)
    {
        bag.First();
        texts.First();
        numbers.First();
        numbers.Count();
        all.Last().Run(null, null, null, null);
        all.First().Run(null, null, null, null);
    }
}
",
        "A.cs:14 First -> A.cs:Bag.First@3 [typed]
A.cs:15 First -> A.cs:E.First@6 [typed]
A.cs:16 First -> ext System.Linq.Enumerable.First
A.cs:17 Count -> A.cs:E.Count@7 [typed]
A.cs:18 Last -> A.cs:E.Last@8 [typed]
A.cs:18 Run -> A.cs:M.Run@12 [typed]
A.cs:19 First -> ext System.Linq.Enumerable.First
A.cs:19 Run -> A.cs:M.Run@12 [typed]",
    );
}

#[test]
fn overrides_need_the_word_and_implementations_need_to_be_seen() {
    let relations = collect_relations(
        "//- A.cs
interface I { void A(); void B(); void C(); }
class Base { public virtual void D() {} public virtual void E() {} public void F() {} }
class Own : Base, I
{
    public void A() {}
    void I.B() {}
    void C() {}
    public override void D() {}
    public new void E() {}
    public void F() {}
}
",
    );
    let overrides = relations.iter().filter(|r| r.contains(" overrides "));
    let overrides: Vec<&String> = overrides.collect();
    assert_eq!(
        overrides,
        [
            "A.cs:Own.A@5 overrides A.cs:I.A@1",
            "A.cs:Own.B@6 overrides A.cs:I.B@1",
            "A.cs:Own.D@8 overrides A.cs:Base.D@2",
        ]
    );
}

#[test]
fn usings_lead_to_the_types_that_are_used() {
    assert_eq!(
        imports(
            "//- A.cs
using System;
using Shop;
using static Shop.Tools;
using C = Shop.Cart;
class A { Cart cart; Item item; }
//- B.cs
namespace Shop { class Cart {} class Item {} class Unused {} static class Tools {} }
"
        ),
        "A.cs:1 -> ext System
A.cs:2 -> B.cs:Cart@1, B.cs:Item@1
A.cs:3 -> B.cs:Tools@1
A.cs:4 -> B.cs:Cart@1"
    );
}

#[test]
fn conditional_versions_of_a_method_count_once() {
    check(
        "//- A.cs
class A
{
#if NET
    void Run(int x) { }
#else
    void Run(int x) { }
#endif
    void M() { Run(1); }
}
",
        "A.cs:8 Run -> A.cs:A.Run@4 void Run(int x) [scoped]",
    );
}

#[test]
fn a_project_file_brings_namespaces_and_static_members() {
    check(
        "//- a/a.csproj
<Project><ItemGroup><Using Include=\"Shop.Help\" /><Using Include=\"Shop.Help.Words\" Static=\"true\" /></ItemGroup></Project>
//- a/Help.cs
namespace Shop.Help;
enum Kind { One }
static class Words { public static void Say(int n) { } public static int Twice(this int n) => n; }
//- a/Use.cs
namespace Shop.Till;
class Box
{
    static void Put(Kind kind) { }
    static void Put(string text) { }
    void F() { Put(Kind.One); Say(2.Twice()); }
}
//- b/b.csproj
<Project></Project>
//- b/Use.cs
namespace Shop.Other;
class Box { void F() { Say(1); } }
",
        "
a/Use.cs:6 Put -> a/Use.cs:Box.Put@4 static void Put(Kind kind) [scoped]
a/Use.cs:6 Say -> a/Help.cs:Words.Say@3 [scoped]
a/Use.cs:6 Twice -> a/Help.cs:Words.Twice@3 [typed]
b/Use.cs:2 Say -> ? unknown name
",
    );
}

#[test]
fn files_for_all_projects_of_a_folder_bring_usings() {
    check(
        "//- Directory.Build.props
<Project><ItemGroup><Using Include=\"Far\" /></ItemGroup></Project>
//- src/Directory.Build.props
<Project><ItemGroup><Using Include=\"Near\" /></ItemGroup></Project>
//- Directory.Build.targets
<Project><ItemGroup Condition=\"'$(WithTests)' == 'true'\"><Using Include=\"Tests.Help\" Static=\"true\" /></ItemGroup></Project>
//- src/a/a.csproj
<Project><PropertyGroup><WithTests>true</WithTests></PropertyGroup></Project>
//- src/b/b.csproj
<Project />
//- src/All.cs
namespace Far { class Tool { public static void Old() { } } }
namespace Near { class Tool { public static void New() { } } }
namespace Tests { static class Help { public static void Say() { } } }
//- src/a/Use.cs
class A { void F() { Tool.New(); Tool.Old(); Say(); } }
//- src/b/Use.cs
class B { void F() { Tool.New(); Say(); } }
",
        "
src/a/Use.cs:1 New -> src/All.cs:Tool.New@2 [scoped]
src/a/Use.cs:1 Old -> ? no such member
src/a/Use.cs:1 Say -> src/All.cs:Help.Say@3 [scoped]
src/b/Use.cs:1 New -> src/All.cs:Tool.New@2 [scoped]
src/b/Use.cs:1 Say -> ? unknown name
",
    );
}

#[test]
fn an_inherited_method_implements_an_interface() {
    let relations = collect_relations(
        "//- A.cs
interface IRunner { void Run(int n); void Stop(); }
class Base { public void Run(int n) { } public void Run(string s) { } void Stop() { } }
class Job : Base, IRunner { public void Stop() { } }
",
    );
    let overrides: Vec<&String> = relations
        .iter()
        .filter(|line| line.contains(" overrides "))
        .collect();
    assert_eq!(
        overrides,
        [
            "A.cs:Base.Run@2 public void Run(int n) overrides A.cs:IRunner.Run@1",
            "A.cs:Job.Stop@3 overrides A.cs:IRunner.Stop@1",
        ]
    );
}

#[test]
fn parts_of_a_class_and_its_overloads_hide_no_inherited_method() {
    let relations = collect_relations(
        "//- A.cs
interface IRunner { void Run(); }
class Base { public void Run() { } }
partial class Job : Base { void Run(int n) { } }
//- B.cs
partial class Job : IRunner { }
",
    );
    let mut overrides: Vec<&String> = relations
        .iter()
        .filter(|line| line.contains(" overrides "))
        .collect();
    // Each part has a row.
    overrides.dedup();
    assert_eq!(overrides, ["A.cs:Base.Run@2 overrides A.cs:IRunner.Run@1"]);
}

#[test]
fn what_a_dynamic_variable_holds_is_not_known() {
    check(
        "//- A.cs
class A { public void F() { } }
class B { public void F() { } }
class C
{
    void M()
    {
        dynamic d = new A();
        d = new B();
        d.F();
    }
}
",
        "
A.cs:7 (…) -> A.cs:A@1 [scoped]
A.cs:8 (…) -> A.cs:B@2 [scoped]
A.cs:9 F -> ? unknown receiver type
",
    );
}
