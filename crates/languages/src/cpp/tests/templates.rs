//! Templates of functions and classes, and aliases. The targets are those of libclang.

use crate::fixture::check;

#[test]
fn functions_with_parameters() {
    check(
        "
//- a.cc
template <typename T> T twice(T x) { return x; }
template <typename T> T twice(T x, int) { return x; }
struct A { void m() {} };
void g(A a) { twice(1); twice(a).m(); twice<A>(a).m(); twice(a, 1).m(); }
",
        "
a.cc:4 twice -> a.cc:twice@1 template <typename T> T twice(T x) [scoped]
a.cc:4 twice -> a.cc:twice@1 template <typename T> T twice(T x) [scoped]
a.cc:4 m -> a.cc:A.m@3 [typed]
a.cc:4 twice -> a.cc:twice@1 template <typename T> T twice(T x) [scoped]
a.cc:4 m -> a.cc:A.m@3 [typed]
a.cc:4 twice -> a.cc:twice@2 template <typename T> T twice(T x, int) [scoped]
a.cc:4 m -> a.cc:A.m@3 [typed]
",
    );
}

#[test]
fn functions_without_parameters_are_preferred() {
    check(
        r#"
//- a.cc
template <typename T> void f(T) {}
void f(int) {}
void g() { f(1); f("x"); f(1.5); f<int>(2); }
"#,
        "
a.cc:3 f -> a.cc:f@2 void f(int) [scoped]
a.cc:3 f -> a.cc:f@1 template <typename T> void f(T) [scoped]
a.cc:3 f -> a.cc:f@1 template <typename T> void f(T) [scoped]
a.cc:3 f -> a.cc:f@1 template <typename T> void f(T) [scoped]
",
    );
}

#[test]
fn classes_give_what_their_arguments_are() {
    check(
        "
//- a.cc
struct A { void m() {} };
template <typename T> struct Box {
  T value; T& get() { return value; } T* operator->() { return &value; } Box<T> copy() { return *this; }
};
void g(Box<A> b) { b.get().m(); b.value.m(); b.copy().get().m(); b->m(); }
",
        "
a.cc:5 get -> a.cc:Box.get@3 [typed]
a.cc:5 m -> a.cc:A.m@1 [typed]
a.cc:5 m -> a.cc:A.m@1 [typed]
a.cc:5 copy -> a.cc:Box.copy@3 [typed]
a.cc:5 get -> a.cc:Box.get@3 [typed]
a.cc:5 m -> a.cc:A.m@1 [typed]
a.cc:5 operator-> -> a.cc:Box.operator->@3 [typed]
a.cc:5 m -> a.cc:A.m@1 [typed]
",
    );
}

#[test]
fn nested_arguments() {
    check(
        "
//- a.cc
struct A { void m() {} };
template <typename T> struct List { T& front() { return *first; } T* first; };
template <typename K, typename V> struct Map { V& at(const K&) { return *v; } V* v; };
void g(Map<int, List<A>> all) { all.at(1).front().m(); }
",
        "
a.cc:4 at -> a.cc:Map.at@3 [typed]
a.cc:4 front -> a.cc:List.front@2 [typed]
a.cc:4 m -> a.cc:A.m@1 [typed]
",
    );
}

#[test]
fn methods_are_defined_outside() {
    check(
        "
//- a.cc
template <typename T> struct Stack { void push(T x); T pop(); private: void grow(); T x; };
template <typename T> void Stack<T>::push(T) { grow(); }
template <typename T> T Stack<T>::pop() { return x; }
template <typename T> void Stack<T>::grow() {}
struct A { void m() {} };
void g(Stack<A> s) { s.push(A()); s.pop().m(); }
",
        "
a.cc:2 grow -> a.cc:Stack.grow@4 template <typename T> void Stack<T>::grow() [scoped]
a.cc:6 push -> a.cc:Stack.push@2 template <typename T> void Stack<T>::push(T) [typed]
a.cc:6 A -> a.cc:A@5 [scoped]
a.cc:6 pop -> a.cc:Stack.pop@3 template <typename T> T Stack<T>::pop() [typed]
a.cc:6 m -> a.cc:A.m@5 [typed]
",
    );
}

#[test]
fn aliases_lead_to_their_class() {
    check(
        "
//- a.cc
struct A { void m() {} };
template <typename T, int N> struct Array { T& at(int) { return all[0]; } T all[N]; };
using Small = Array<A, 4>;
template <typename T> using Two = Array<T, 2>;
typedef Small Smaller;
void g(Small s, Two<A> t, Smaller u) { s.at(1).m(); t.at(1).m(); u.at(2).m(); }
",
        "
a.cc:6 at -> a.cc:Array.at@2 [typed]
a.cc:6 m -> a.cc:A.m@1 [typed]
a.cc:6 at -> a.cc:Array.at@2 [typed]
a.cc:6 m -> a.cc:A.m@1 [typed]
a.cc:6 at -> a.cc:Array.at@2 [typed]
a.cc:6 m -> a.cc:A.m@1 [typed]
",
    );
}

#[test]
fn types_inside_of_classes() {
    check(
        "
//- a.cc
struct A { void m() {} };
template <typename T> struct Traits { using type = T; typedef T* pointer; };
struct Holder { using value = A; using Self = Holder; Self& self() { return *this; } };
void g(Traits<A>::type a, Traits<A>::pointer p, Holder::value v, Holder::Self h) { a.m(); p->m(); v.m(); h.self().self(); }
",
        "
a.cc:4 m -> a.cc:A.m@1 [typed]
a.cc:4 m -> a.cc:A.m@1 [typed]
a.cc:4 m -> a.cc:A.m@1 [typed]
a.cc:4 self -> a.cc:Holder.self@3 [typed]
a.cc:4 self -> a.cc:Holder.self@3 [typed]
",
    );
}

#[test]
fn bases_with_arguments() {
    check(
        "
//- a.cc
struct A { void m() {} };
template <typename T> struct Base { T& get() { return *p; } T* p; void run() {} };
struct Derived : Base<A> { void f() { get().m(); run(); } };
template <typename T> struct More : Base<T> {};
void g(Derived d, More<A> x) { d.get().m(); d.run(); x.get().m(); x.run(); }
",
        "
a.cc:3 get -> a.cc:Base.get@2 [scoped]
a.cc:3 m -> a.cc:A.m@1 [typed]
a.cc:3 run -> a.cc:Base.run@2 [scoped]
a.cc:5 get -> a.cc:Base.get@2 [typed]
a.cc:5 m -> a.cc:A.m@1 [typed]
a.cc:5 run -> a.cc:Base.run@2 [typed]
a.cc:5 get -> a.cc:Base.get@2 [typed]
a.cc:5 m -> a.cc:A.m@1 [typed]
a.cc:5 run -> a.cc:Base.run@2 [typed]
",
    );
}

#[test]
fn a_class_may_be_its_base_s_argument() {
    check(
        "
//- a.cc
template <typename D> struct Base { D& self() { return static_cast<D&>(*this); } void run() { self(); } };
struct One : Base<One> { void one() {} };
void g(One o) { o.self().one(); o.run(); }
",
        "
a.cc:1 self -> a.cc:Base.self@1 [scoped]
a.cc:3 self -> a.cc:Base.self@1 [typed]
a.cc:3 one -> a.cc:One.one@2 [typed]
a.cc:3 run -> a.cc:Base.run@1 [typed]
",
    );
}

#[test]
fn parameter_packs() {
    check(
        "
//- a.cc
template <typename... T> int count(T...) { return 0; }
template <typename T, typename... R> T first(T x, R...) { return x; }
struct A { void m() {} };
void g(A a) { count(1, 2, 3); count(); first(a, 1, 2).m(); }
",
        "
a.cc:4 count -> a.cc:count@1 [scoped]
a.cc:4 count -> a.cc:count@1 [scoped]
a.cc:4 first -> a.cc:first@2 [scoped]
a.cc:4 m -> a.cc:A.m@3 [typed]
",
    );
}

#[test]
fn members_with_parameters() {
    check(
        "
//- a.cc
struct A { void m() {} };
struct Maker { template <typename T> T make() { return T(); } template <typename T> void use(T) {} };
void g(Maker k) { k.make<A>().m(); k.use(1); k.use<A>(A()); }
",
        "
a.cc:2 T -> ? dynamic call
a.cc:3 make -> a.cc:Maker.make@2 [typed]
a.cc:3 m -> a.cc:A.m@1 [typed]
a.cc:3 use -> a.cc:Maker.use@2 [typed]
a.cc:3 use -> a.cc:Maker.use@2 [typed]
a.cc:3 A -> a.cc:A@1 [scoped]
",
    );
}
