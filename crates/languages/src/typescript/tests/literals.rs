//! Overloads that differ by literal types, and object literals.

use crate::fixture::check;

#[test]
fn a_literal_fits_its_own_literal_type_or_the_base_type() {
    check(
        "//- a.ts
class A { m() {} }
class B { m() {} }
declare function ov(x: \"a\"): A;
declare function ov(x: string): B;
function one(s: string, t) {
    ov(\"b\").m();
    ov(\"a\").m();
    ov(s).m();
    ov(t).m();
}
type Early = 1 | 2;
interface Doc { get(k: Early): A; get(k: 3): B; is(k: true): A; is(k: false): B; }
function two(d: Doc, k) {
    d.get(3).m();
    d.get(2).m();
    d.get(k).m();
    d.is(false).m();
}
declare class Em {
    on(e: \"x\", f: (a: A) => void): void;
    on(e: \"y\", f: (b: B) => void): void;
}
function three(e: Em, k) {
    e.on(\"y\", v => { v.m(); });
    e.on(\"x\", v => { v.m(); });
    e.on(k, v => { v.m(); });
}
",
        "a.ts:6 ov -> a.ts:ov@4 declare function ov(x: string): B; [scoped]
a.ts:6 m -> a.ts:B.m@2 [typed]
a.ts:7 ov -> a.ts:ov@3 declare function ov(x: \"a\"): A; [scoped]
a.ts:7 m -> a.ts:A.m@1 [typed]
a.ts:8 ov -> a.ts:ov@4 declare function ov(x: string): B; [scoped]
a.ts:8 m -> a.ts:B.m@2 [typed]
a.ts:9 ov -> a.ts:ov@3 declare function ov(x: \"a\"): A; [scoped]
a.ts:9 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]
a.ts:14 get -> a.ts:Doc.get@12 get(k: 3): B [typed]
a.ts:14 m -> a.ts:B.m@2 [typed]
a.ts:15 get -> a.ts:Doc.get@12 get(k: Early): A [typed]
a.ts:15 m -> a.ts:A.m@1 [typed]
a.ts:16 get -> a.ts:Doc.get@12 get(k: Early): A [typed]
a.ts:16 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]
a.ts:17 is -> a.ts:Doc.is@12 is(k: false): B [typed]
a.ts:17 m -> a.ts:B.m@2 [typed]
a.ts:24 on -> a.ts:Em.on@21 on(e: \"y\", f: (b: B) => void): void [typed]
a.ts:24 m -> a.ts:B.m@2 [typed]
a.ts:25 on -> a.ts:Em.on@20 on(e: \"x\", f: (a: A) => void): void [typed]
a.ts:25 m -> a.ts:A.m@1 [typed]
a.ts:26 on -> a.ts:Em.on@20 on(e: \"x\", f: (a: A) => void): void [typed]
a.ts:26 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]",
    );
}

#[test]
fn what_cannot_be_compared_leaves_the_choice_of_an_overload_open() {
    check(
        "//- a.ts
class A { m() {} }
class B { m() {} }
declare function opt(o: { kind: \"a\" }): A;
declare function opt(o: { kind: \"b\" }): B;
enum K { X, Y }
declare function en(k: K.X): A;
declare function en(k: K.Y): B;
declare function wide(k: K): A;
declare function wide(o: { n: number }): B;
function use(k: K) {
    opt({ kind: \"b\" }).m();
    en(K.Y).m();
    wide(k).m();
}
",
        "a.ts:11 opt -> a.ts:opt@3 declare function opt(o: { kind: \"a\" }): A; [scoped]
a.ts:11 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]
a.ts:12 en -> a.ts:en@6 declare function en(k: K.X): A; [scoped]
a.ts:12 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]
a.ts:13 wide -> a.ts:wide@8 declare function wide(k: K): A; [scoped]
a.ts:13 m -> a.ts:A.m@1 [typed]",
    );
}

#[test]
fn what_an_object_literal_says_last_counts() {
    check(
        "//- a.ts
class A { m() {} }
class B { m() {} }
const a = { foo() {} };
const b = { foo() {} };
function f(opts: { foo(): string }) {
    const one = { foo() {}, ...a };
    one.foo();
    const two = { ...a, foo() {} };
    two.foo();
    const three = { foo: b.foo, ...a };
    three.foo();
    const four = { foo() {}, ...opts };
    four.foo();
    const five = { bar() {}, ...a };
    five.bar();
    const six = { ...a, ...b };
    six.foo();
}
function g(first: A, second: B) {
    const kept = { value: first };
    kept.value.m();
    const changed = { value: first };
    changed.value = second as any;
    changed.value.m();
}
",
        "a.ts:7 foo -> a.ts:a.foo@3 [typed]
a.ts:9 foo -> a.ts:f.foo@8 foo() [typed]
a.ts:11 foo -> a.ts:a.foo@3 [typed]
a.ts:13 foo -> a.ts:f.foo@5 foo(): string [typed]
a.ts:15 bar -> a.ts:f.bar@14 [typed]
a.ts:17 foo -> a.ts:b.foo@4 [typed]
a.ts:21 m -> a.ts:A.m@1 [typed]
a.ts:24 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]",
    );
}

#[test]
fn overloads_whose_types_cannot_be_compared_leave_the_choice_open() {
    let calls = crate::fixture::calls(
        r##"//- a.ts
class A { go(): void {} }
class C { go(): void {} }
interface HasA { a: number }
interface HasB { b: number }
function o3(x: number[]): A; function o3(x: string[]): C; function o3(x: any): any {}
function o4(f: () => number): A; function o4(f: () => string): C; function o4(f: any): any {}
function o9(x: HasA): A; function o9(x: HasB): C; function o9(x: any): any {}
function p(x: number): A; function p(x: A): C; function p(x: any): any {}
function f(ss: string[], fn: () => string, hb: HasB, ha: HasA, n: number, a: A, u: any) {
  o3(ss).go()
  o4(fn).go()
  o9(hb).go()
  o9(ha).go()
  p(n).go()
  p(1).go()
  p(a).go()
  p(u).go()
}
"##,
    );
    let made: Vec<&str> = calls.lines().filter(|line| line.contains(" go ")).collect();
    let both = "go -> a.ts:A.go@1, a.ts:C.go@2 [typed]";
    let first = "go -> a.ts:A.go@1 [typed]";
    let expected = [both, both, both, first, first, first, both, both];
    let expected: Vec<String> = (10..)
        .zip(expected)
        .map(|(at, go)| format!("a.ts:{at} {go}"))
        .collect();
    assert_eq!(made, expected);
}
