//! What `filter` and `find` give of a list, by the predicate that they are given.

use crate::fixture::check;

#[test]
fn a_list_is_filtered_by_the_type_that_a_predicate_names() {
    check(
        "//- a.ts
class A { go() {} }
class C { go() {} }
class D extends C { go() {} }
interface Goes { go(): void }
function isC(x: A | C): x is C { return true; }
function isAny<T>(x: T): x is T { return true; }
export function f(all: (A | C)[], more: (A | D)[], one: C[], any: any[]) {
  all.filter((x): x is C => true)[0].go();
  all.find(isC).go();
  all.findLast((x): x is C => true).go();
  all.filter(isAny)[0].go();
  all.filter(x => !!x)[0].go();
  more.filter((x): x is C => true)[0].go();
  one.find((x): x is D => true).go();
  any.find(isC).go();
  all.filter((x): x is Goes => true)[0].go();
  for (const x of all.values().filter(isC)) x.go();
  all.values().find(isC).go();
  all.filter(x => x instanceof C)[0].go();
  all.find((x) => (x instanceof C)).go();
  all.filter(x => one instanceof C)[0].go();
  const b = (x: A | C) => x instanceof C;
  for (const x of all) if (b(x)) x.go();
}
",
        "a.ts:8 filter -> ext ecmascript.Array.filter
a.ts:8 go -> a.ts:C.go@2 [typed]
a.ts:9 find -> ext ecmascript.Array.find
a.ts:9 go -> a.ts:C.go@2 [typed]
a.ts:10 findLast -> ext ecmascript.Array.findLast
a.ts:10 go -> a.ts:C.go@2 [typed]
a.ts:11 filter -> ext ecmascript.Array.filter
a.ts:11 go -> a.ts:A.go@1, a.ts:C.go@2 [typed]
a.ts:12 filter -> ext ecmascript.Array.filter
a.ts:12 go -> a.ts:A.go@1, a.ts:C.go@2 [typed]
a.ts:13 filter -> ext ecmascript.Array.filter
a.ts:13 go -> a.ts:D.go@3 [typed]
a.ts:14 find -> ext ecmascript.Array.find
a.ts:14 go -> a.ts:D.go@3 [typed]
a.ts:15 find -> ext ecmascript.Array.find
a.ts:15 go -> a.ts:C.go@2 [typed]
a.ts:16 filter -> ext ecmascript.Array.filter
a.ts:16 go -> a.ts:Goes.go@4 [typed]
a.ts:17 values -> ext ecmascript.Array.values
a.ts:17 filter -> ext ecmascript.IterableIterator.filter
a.ts:17 go -> a.ts:C.go@2 [typed]
a.ts:18 values -> ext ecmascript.Array.values
a.ts:18 find -> ext ecmascript.IterableIterator.find
a.ts:18 go -> a.ts:C.go@2 [typed]
a.ts:19 filter -> ext ecmascript.Array.filter
a.ts:19 go -> a.ts:C.go@2 [typed]
a.ts:20 find -> ext ecmascript.Array.find
a.ts:20 go -> a.ts:C.go@2 [typed]
a.ts:21 filter -> ext ecmascript.Array.filter
a.ts:21 go -> a.ts:A.go@1, a.ts:C.go@2 [typed]
a.ts:23 b -> a.ts:f.b@22 [scoped]
a.ts:23 go -> a.ts:C.go@2 [typed]",
    );
}
