//! Effects of assignments on the known values of variables.

use crate::fixture::check;

#[test]
fn an_assignment_ends_what_a_condition_said() {
    check(
        r##"//- a.ts
class A { m(): void {} }
class B { m(): void {} }
function f(x: A | B, y: any, c: boolean) {
  if (x instanceof A) {
    x.m()
    x = new B()
    x.m()
  }
  if (x instanceof A) {
    if (c) { x = new B(); x.m() }
    x.m()
  }
  if (y instanceof A) { y = other(); y.m() }
}
function loops(x: A | B) {
  if (x instanceof A) {
    while (true) { x.m(); x = new B() }
  }
}
function early(x: A | B) {
  if (!(x instanceof A)) return
  x.m()
  later(() => x.m())
  x = new B()
  x.m()
}
function destructured(x: A | B) {
  if (x instanceof A) { [x] = other(); x.m() }
}
"##,
        "a.ts:5 m -> a.ts:A.m@1 [typed]
a.ts:6 B -> a.ts:B@2 [scoped]
a.ts:7 m -> a.ts:B.m@2 [typed]
a.ts:10 B -> a.ts:B@2 [scoped]
a.ts:10 m -> a.ts:B.m@2 [typed]
a.ts:11 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]
a.ts:13 other -> ? unknown name
a.ts:13 m -> ? unknown receiver type
a.ts:17 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]
a.ts:17 B -> a.ts:B@2 [scoped]
a.ts:22 m -> a.ts:A.m@1 [typed]
a.ts:23 later -> ? unknown name
a.ts:23 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]
a.ts:24 B -> a.ts:B@2 [scoped]
a.ts:25 m -> a.ts:B.m@2 [typed]
a.ts:28 other -> ? unknown name
a.ts:28 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]",
    );
}

#[test]
fn what_is_any_is_not_its_first_value_once_it_is_assigned() {
    check(
        r##"//- a.ts
class A { m(): void {} }
class B { m(): void {} }
let x: any = new A()
x = new B()
function g() { x.m() }
let kept: any = new A()
function h() { kept.m() }
let plain = new A()
plain = new B()
function i() { plain.m() }
function j() {
  let y: any = new A()
  y.m()
  const k = () => y.m()
  y = new B()
  let z: any = new A()
  const l = () => { let z = 1; z = 2 }
  z.m()
}
"##,
        "a.ts:3 A -> a.ts:A@1 [scoped]
a.ts:4 B -> a.ts:B@2 [scoped]
a.ts:5 m -> ? unknown receiver type
a.ts:6 A -> a.ts:A@1 [scoped]
a.ts:7 m -> a.ts:A.m@1 [typed]
a.ts:8 A -> a.ts:A@1 [scoped]
a.ts:9 B -> a.ts:B@2 [scoped]
a.ts:10 m -> a.ts:A.m@1 [typed]
a.ts:12 A -> a.ts:A@1 [scoped]
a.ts:13 m -> ? unknown receiver type
a.ts:14 m -> ? unknown receiver type
a.ts:15 B -> a.ts:B@2 [scoped]
a.ts:16 A -> a.ts:A@1 [scoped]
a.ts:18 m -> a.ts:A.m@1 [typed]",
    );
}

#[test]
fn a_variable_is_what_it_is_declared_as_once_it_is_assigned() {
    check(
        r##"//- a.ts
class A { m(): void {} }
class B { m(): void {} }
type Either = A | B
function plain(x: Either) {
  let v: A | B = new A()
  v.m()
  v = x
  v.m()
  v = new B()
  v.m()
}
function loops(xs: Either[]) {
  let v: Either = new A()
  for (const x of xs) { v = x; v.m() }
  let w: Either = new B()
  while (true) { w.m(); w = xs[0] }
}
function later(x: Either) {
  let v: Either = new A()
  const before = () => v.m()
  xs.forEach(() => { v = x })
  const after = () => v.m()
  v.m()
  const kept: Either = new B()
  kept.m()
}
function branches(c: boolean, x: Either) {
  let v: Either
  if (c) v = new A()
  else v = new B()
  v.m()
  if (c) {
    v = new A()
    v.m()
    if (v.ok) { v = x }
    v.m()
  }
  switch (c) {
    case true: v = new A(); break
    case false: v.m()
  }
  for (v = new A(); v.m(); v = x) {}
}
function shadowed(x: Either) {
  let v: Either = new A()
  const f = (v: B) => { v = new B(); v.m() }
  if (x instanceof A) { const g = (x: B) => { x = other(); x.m() } }
  v.m()
}
"##,
        "a.ts:5 A -> a.ts:A@1 [scoped]
a.ts:6 m -> a.ts:A.m@1 [typed]
a.ts:8 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]
a.ts:9 B -> a.ts:B@2 [scoped]
a.ts:10 m -> a.ts:B.m@2 [typed]
a.ts:13 A -> a.ts:A@1 [scoped]
a.ts:14 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]
a.ts:15 B -> a.ts:B@2 [scoped]
a.ts:16 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]
a.ts:19 A -> a.ts:A@1 [scoped]
a.ts:20 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]
a.ts:21 forEach -> ? unknown receiver type
a.ts:22 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]
a.ts:23 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]
a.ts:24 B -> a.ts:B@2 [scoped]
a.ts:25 m -> a.ts:B.m@2 [typed]
a.ts:29 A -> a.ts:A@1 [scoped]
a.ts:30 B -> a.ts:B@2 [scoped]
a.ts:31 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]
a.ts:33 A -> a.ts:A@1 [scoped]
a.ts:34 m -> a.ts:A.m@1 [typed]
a.ts:36 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]
a.ts:39 A -> a.ts:A@1 [scoped]
a.ts:40 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]
a.ts:42 A -> a.ts:A@1 [scoped]
a.ts:42 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]
a.ts:45 A -> a.ts:A@1 [scoped]
a.ts:46 B -> a.ts:B@2 [scoped]
a.ts:46 m -> a.ts:B.m@2 [typed]
a.ts:47 other -> ? unknown name
a.ts:47 m -> a.ts:B.m@2 [typed]
a.ts:48 m -> a.ts:A.m@1 [typed]",
    );
}

#[test]
fn a_variable_of_javascript_is_what_was_assigned_to_it() {
    check(
        r##"//- a.js
class A { m() {} }
class B { m() {} }
function plain() {
  let v = new A()
  v.m()
  v = new B()
  v.m()
}
function loops(c) {
  let v = new A()
  while (c) { v.m(); v = new B() }
  let w
  const f = () => w.m()
  w = new B()
}
function kept() {
  const v = new A()
  v.m()
}
function closures() {
  let v = new A()
  v = new B()
  const f = () => v.m()
  v = new A()
  v.m()
  if (f) v = new B()
  v.m()
}
let top = null
function set() { top = new A() }
function reset() { top = new B() }
function get() { top.m() }
"##,
        "a.js:4 A -> a.js:A@1 [scoped]
a.js:5 m -> a.js:A.m@1 [typed]
a.js:6 B -> a.js:B@2 [scoped]
a.js:7 m -> a.js:B.m@2 [typed]
a.js:10 A -> a.js:A@1 [scoped]
a.js:11 m -> a.js:A.m@1, a.js:B.m@2 [typed]
a.js:11 B -> a.js:B@2 [scoped]
a.js:13 m -> a.js:B.m@2 [typed]
a.js:14 B -> a.js:B@2 [scoped]
a.js:17 A -> a.js:A@1 [scoped]
a.js:18 m -> a.js:A.m@1 [typed]
a.js:21 A -> a.js:A@1 [scoped]
a.js:22 B -> a.js:B@2 [scoped]
a.js:23 m -> a.js:A.m@1, a.js:B.m@2 [typed]
a.js:24 A -> a.js:A@1 [scoped]
a.js:25 m -> a.js:A.m@1 [typed]
a.js:26 B -> a.js:B@2 [scoped]
a.js:27 m -> a.js:A.m@1, a.js:B.m@2 [typed]
a.js:30 A -> a.js:A@1 [scoped]
a.js:31 B -> a.js:B@2 [scoped]
a.js:32 m -> a.js:A.m@1, a.js:B.m@2 [typed]",
    );
}

#[test]
fn a_guard_that_leaves_takes_a_part_off_the_union() {
    check(
        r##"//- a.ts
class A { m(): void {} }
class B { m(): void {} }
class C { m(): void {} }
class D extends C { m(): void {} }
function f(x: A | B | C | D, s: string | A) {
  if (x instanceof A) return
  x.m()
  if (x instanceof C) { throw x } else { x.m() }
  x.m()
  if (typeof s === 'string') return
  s.m()
}
function both(x: A | B | C) {
  if (x instanceof A || x instanceof B) return
  x.m()
}
function loop(all: (A | B)[]) {
  for (const x of all) {
    if (x instanceof A) continue
    x.m()
  }
}
function stays(x: A | B, y: A) {
  if (x instanceof A) { x.m() }
  x.m()
  if (y instanceof A) return
  y.m()
}
"##,
        "a.ts:7 m -> a.ts:B.m@2, a.ts:C.m@3, a.ts:D.m@4 [typed]
a.ts:8 m -> a.ts:B.m@2 [typed]
a.ts:9 m -> a.ts:B.m@2, a.ts:C.m@3, a.ts:D.m@4 [typed]
a.ts:11 m -> a.ts:A.m@1 [typed]
a.ts:15 m -> a.ts:C.m@3 [typed]
a.ts:20 m -> a.ts:B.m@2 [typed]
a.ts:24 m -> a.ts:A.m@1 [typed]
a.ts:25 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]
a.ts:27 m -> a.ts:A.m@1 [typed]",
    );
}

#[test]
fn a_field_of_javascript_is_one_of_the_values_that_it_is_assigned() {
    check(
        r##"//- a.js
class A { m() {} }
class B { m() {} }
class Machine {
  constructor() { this.state = new A() }
  start() { this.state = new B() }
  tick() { this.state.m() }
}
class Declared {
  state = new A()
  start() { this.state = new B(); this.state.m() }
}
class Late {
  constructor() { this.state = null; this.kept = new A() }
  start() { this.state = new B() }
  tick() { this.state.m(); this.kept.m() }
}
class Given {
  constructor(s) { this.state = s }
  start() { this.state = new B() }
  tick() { this.state.m() }
}
class Typed {
  constructor() {
    /** @type {A} */
    this.state = new A()
  }
  start() { this.state = make() }
  tick() { this.state.m() }
}
class Bound {
  constructor() { this.m = this.m.bind(this) }
  m() { this.m() }
}
"##,
        "a.js:4 A -> a.js:A@1 [scoped]
a.js:5 B -> a.js:B@2 [scoped]
a.js:6 m -> a.js:A.m@1, a.js:B.m@2 [typed]
a.js:9 A -> a.js:A@1 [scoped]
a.js:10 B -> a.js:B@2 [scoped]
a.js:10 m -> a.js:A.m@1, a.js:B.m@2 [typed]
a.js:13 A -> a.js:A@1 [scoped]
a.js:14 B -> a.js:B@2 [scoped]
a.js:15 m -> a.js:B.m@2 [typed]
a.js:15 m -> a.js:A.m@1 [typed]
a.js:19 B -> a.js:B@2 [scoped]
a.js:20 m -> a.js:B.m@2 [typed]
a.js:25 A -> a.js:A@1 [scoped]
a.js:27 make -> ? unknown name
a.js:28 m -> a.js:A.m@1 [typed]
a.js:31 bind -> ? no such member
a.js:32 m -> a.js:Bound.m@32 [typed]",
    );
}

#[test]
fn a_member_of_an_object_is_one_of_the_values_that_it_is_assigned() {
    check(
        r##"//- a.js
class A { m() {} }
class B { m() {} }
const top = { x: new A(), kept: new A(), late: null }
top.x = new B()
top.late = new B()
top.x.m()
top.kept.m()
top.late.m()
function f(c) {
  const t = { x: new A(), y: new A() }
  if (c) t["x"] = new B()
  const g = () => { const t = {}; t.y = new B() }
  t.x.m()
  t.y.m()
}
"##,
        "a.js:3 A -> a.js:A@1 [scoped]
a.js:3 A -> a.js:A@1 [scoped]
a.js:4 B -> a.js:B@2 [scoped]
a.js:5 B -> a.js:B@2 [scoped]
a.js:6 m -> a.js:A.m@1, a.js:B.m@2 [typed]
a.js:7 m -> a.js:A.m@1 [typed]
a.js:8 m -> a.js:B.m@2 [typed]
a.js:10 A -> a.js:A@1 [scoped]
a.js:10 A -> a.js:A@1 [scoped]
a.js:11 B -> a.js:B@2 [scoped]
a.js:12 B -> a.js:B@2 [scoped]
a.js:13 m -> a.js:A.m@1, a.js:B.m@2 [typed]
a.js:14 m -> a.js:A.m@1 [typed]",
    );
}

#[test]
fn an_export_of_a_branch_is_one_of_several() {
    check(
        r##"//- lib.js
function a() {}
function b() {}
if (process.env.X) exports.h = a; else exports.h = b
exports.again = a
exports.again = b
const T = { p: a }
T.p = b
T.p()
//- use.js
const lib = require('./lib')
lib.h()
lib.again()
"##,
        "lib.js:8 p -> lib.js:a@1, lib.js:b@2 [typed]
use.js:2 h -> lib.js:a@1, lib.js:b@2 [typed]
use.js:3 again -> lib.js:b@2 [scoped]",
    );
}

#[test]
fn a_constructor_signature_says_what_its_callback_is_given() {
    check(
        r##"//- lib.ts
class Subscriber { next(): void {} }
export const own = new Subscriber()
declare global {
  interface Subscriber { next(value: number): void }
  interface Watched { subscribe(): void }
  interface WatchedMaker { new (init: (to: Subscriber) => void): Watched }
  var Watched: WatchedMaker
}
//- use.ts
new Watched((to) => to.next(1)).subscribe()
"##,
        "lib.ts:2 Subscriber -> lib.ts:Subscriber@1 class Subscriber [scoped]
use.ts:1 Watched -> lib.ts:Watched@7 var Watched: WatchedMaker [scoped]
use.ts:1 next -> lib.ts:Subscriber.next@4 next(value: number): void [typed]
use.ts:1 subscribe -> lib.ts:Watched.subscribe@5 [typed]",
    );
}

#[test]
fn a_tag_with_type_arguments_is_called() {
    check(
        r##"//- a.ts
class Raw { as(name: string): void {} }
function sql<T>(parts: TemplateStringsArray): Raw { return new Raw() }
sql<string | null>`select ${sql<{ id: number }[]>`x`}`.as('a')
"##,
        "a.ts:2 Raw -> a.ts:Raw@1 [scoped]
a.ts:3 sql -> a.ts:sql@2 [scoped]
a.ts:3 sql -> a.ts:sql@2 [scoped]
a.ts:3 as -> a.ts:Raw.as@1 [typed]",
    );
}

#[test]
fn behind_a_guard_that_leaves_a_variable_of_javascript_is_what_is_assigned_to_it() {
    check(
        r##"//- a.js
class A { m() {} }
class B { m() {} }
class C { m() {} }
function straight() {
  let v = new A()
  if (!(v instanceof A)) return
  v.m()
  v = new B()
  v.m()
}
function branch(q) {
  let v = new A()
  if (v instanceof C) return
  if (q) v = new B()
  v.m()
  if (q) v = new C()
  v.m()
}
function loop(q) {
  let v = new A()
  for (const x of q) {
    if (!(v instanceof A)) continue
    v.m()
    if (x) v = new B()
    v.m()
  }
  v.m()
}
function inside(q) {
  let v = new A()
  if (v instanceof A) {
    if (q) v = new B()
    if (q) v = new C()
    v.m()
  }
}
"##,
        "a.js:5 A -> a.js:A@1 [scoped]
a.js:7 m -> a.js:A.m@1 [typed]
a.js:8 B -> a.js:B@2 [scoped]
a.js:9 m -> a.js:B.m@2 [typed]
a.js:12 A -> a.js:A@1 [scoped]
a.js:14 B -> a.js:B@2 [scoped]
a.js:15 m -> a.js:A.m@1, a.js:B.m@2 [typed]
a.js:16 C -> a.js:C@3 [scoped]
a.js:17 m -> a.js:A.m@1, a.js:B.m@2, a.js:C.m@3 [typed]
a.js:20 A -> a.js:A@1 [scoped]
a.js:23 m -> a.js:A.m@1 [typed]
a.js:24 B -> a.js:B@2 [scoped]
a.js:25 m -> a.js:A.m@1, a.js:B.m@2 [typed]
a.js:27 m -> a.js:A.m@1, a.js:B.m@2 [typed]
a.js:30 A -> a.js:A@1 [scoped]
a.js:32 B -> a.js:B@2 [scoped]
a.js:33 C -> a.js:C@3 [scoped]
a.js:34 m -> a.js:A.m@1, a.js:B.m@2, a.js:C.m@3 [typed]",
    );
}

#[test]
fn a_whole_export_of_a_branch_is_one_of_several() {
    check(
        r##"//- lib.js
class A { m() {} }
class B { m() {} }
if (process.env.X) { module.exports = new A() } else { module.exports = new B() }
//- made.js
function a() {}
module.exports = a
module.exports = function b() {}
//- object.js
function a() {}
function b() {}
module.exports = { f: a, only: a }
if (process.env.X) module.exports = { f: b }
//- use.js
const lib = require('./lib')
const made = require('./made')
const object = require('./object')
const { f } = require('./object')
lib.m()
made()
object.f()
object.only()
f()
"##,
        "lib.js:3 A -> lib.js:A@1 [scoped]
lib.js:3 B -> lib.js:B@2 [scoped]
use.js:5 m -> lib.js:A.m@1, lib.js:B.m@2 [typed]
use.js:6 made -> made.js:b@3 [scoped]
use.js:7 f -> object.js:a@1, object.js:b@2 [typed]
use.js:8 only -> object.js:a@1 [typed]
use.js:9 f -> object.js:a@1, object.js:b@2 [typed]",
    );
}

#[test]
fn a_list_of_javascript_has_what_is_pushed_to_it() {
    check(
        r##"//- a.js
class A { m() {} }
class B { m() {} }
const list = [new A()]
list.push(new B())
for (const x of list) x.m()
list[0].m()
const kept = [new A()]
for (const x of kept) x.m()
const several = [new A(), new A(), new A(), new A(), new B()]
for (const x of several) x.m()
"##,
        "a.js:3 A -> a.js:A@1 [scoped]
a.js:4 push -> ext ecmascript.Array.push
a.js:4 B -> a.js:B@2 [scoped]
a.js:5 m -> a.js:A.m@1, a.js:B.m@2 [typed]
a.js:6 m -> a.js:A.m@1, a.js:B.m@2 [typed]
a.js:7 A -> a.js:A@1 [scoped]
a.js:8 m -> a.js:A.m@1 [typed]
a.js:9 A -> a.js:A@1 [scoped]
a.js:9 A -> a.js:A@1 [scoped]
a.js:9 A -> a.js:A@1 [scoped]
a.js:9 A -> a.js:A@1 [scoped]
a.js:9 B -> a.js:B@2 [scoped]
a.js:10 m -> a.js:A.m@1, a.js:B.m@2 [typed]",
    );
}

#[test]
fn a_field_has_what_is_assigned_to_it_outside_of_its_class() {
    check(
        r##"//- a.js
class A { m() {} }
class B { m() {} }
class Machine {
  constructor() { this.state = new A(); this.kept = new A() }
  tick() { this.state.m(); this.kept.m() }
}
const machine = new Machine()
machine.state = new B()
machine.state.m()
"##,
        "a.js:4 A -> a.js:A@1 [scoped]
a.js:4 A -> a.js:A@1 [scoped]
a.js:5 m -> a.js:A.m@1, a.js:B.m@2 [typed]
a.js:5 m -> a.js:A.m@1 [typed]
a.js:7 Machine -> a.js:Machine.constructor@4 [scoped]
a.js:8 B -> a.js:B@2 [scoped]
a.js:9 m -> a.js:A.m@1, a.js:B.m@2 [typed]",
    );
}

#[test]
fn a_part_of_a_tuple_or_of_a_written_list_is_that_part() {
    check(
        r##"//- a.ts
class A { m(): void {} }
class B { m(): void {} }
function f(t: [A, B], i: number, a: A, b: B) {
  t[1].m()
  t[i].m()
  const [u, v] = [a, b]
  v.m()
  const [w, ...x] = [...t, a]
  w.m()
  const all = [a].concat([b])
  all[0].m()
}
"##,
        "a.ts:4 m -> a.ts:B.m@2 [typed]
a.ts:5 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]
a.ts:7 m -> a.ts:B.m@2 [typed]
a.ts:9 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]
a.ts:10 concat -> ext ecmascript.Array.concat
a.ts:11 m -> a.ts:A.m@1, a.ts:B.m@2 [typed]",
    );
}
