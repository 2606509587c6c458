//! Overloads that differ by literal types.

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
