//! Linking of TypeScript and JavaScript fixtures.

use crate::fixture::check;

#[test]
fn modules_are_found_by_paths_packages_and_re_exports() {
    check(
        r##"//- tsconfig.json
{ "compilerOptions": { "paths": { "@/*": ["./src/*"] } } }
//- packages/one/package.json
{ "name": "@s/one", "exports": { ".": { "types": "./dist/index.d.ts", "import": "./dist/index.js" } } }
//- packages/one/src/index.ts
export * from "./deep/index.js";
export { inner as outer, default as main } from "./inner.js";
export * as space from "./inner.js";
export * from "far";
//- packages/one/src/deep/index.ts
export * from "../index.js";
export function deep() {}
//- packages/one/src/inner.ts
export function inner() {}
export default function start() {}
function hidden() {}
//- src/tool.ts
export const tool = () => {};
//- src/use.ts
import { deep, outer, main, space, nowhere } from "@s/one";
import * as one from "@s/one";
import { tool } from "@/tool";
import fs from "node:fs";
import { join } from "path";
import { gone } from "./gone";
deep(); outer(); main(); space.inner();
one.deep(); one.space.inner(); one.hidden();
tool(); fs.readFileSync(); join(); gone(); nowhere();
const later = await import("@/tool");
later.tool();
missing();
"##,
        "src/use.ts:7 deep -> packages/one/src/deep/index.ts:deep@2 [scoped]
src/use.ts:7 outer -> packages/one/src/inner.ts:inner@1 [scoped]
src/use.ts:7 main -> packages/one/src/inner.ts:start@2 [scoped]
src/use.ts:7 inner -> packages/one/src/inner.ts:inner@1 [scoped]
src/use.ts:8 deep -> packages/one/src/deep/index.ts:deep@2 [scoped]
src/use.ts:8 inner -> packages/one/src/inner.ts:inner@1 [scoped]
src/use.ts:8 hidden -> ext far.hidden
src/use.ts:9 tool -> src/tool.ts:tool@1 [scoped]
src/use.ts:9 readFileSync -> ext node:fs.default.readFileSync
src/use.ts:9 join -> ext node:path.join
src/use.ts:9 gone -> ? unresolved import
src/use.ts:9 nowhere -> ext far.nowhere
src/use.ts:11 tool -> src/tool.ts:tool@1 [scoped]
src/use.ts:12 missing -> ? unknown name",
    );
}

#[test]
fn projects_that_refer_to_each_other_give_their_sources_for_what_they_build() {
    check(
        r##"//- tsconfig.json
{ "files": [], "references": [{ "path": "./app" }, { "path": "./core" }, { "path": "./tsconfig.tools.json" }] }
//- tools/tsconfig/strict.json
{ "compilerOptions": { "strict": true, "outDir": "${configDir}/build", "rootDir": "${configDir}/source" } }
//- tools/tsconfig/package.json
{ "name": "@s/tsconfig" }
//- tsconfig.tools.json
{ "include": ["scripts"], "compilerOptions": { "paths": { "@/*": ["./scripts/lib/*"] } } }
//- core/tsconfig.json
{ "extends": ["@s/tsconfig/strict.json"], "compilerOptions": { "composite": true } }
//- core/source/deep/sum.ts
export function sum() {}
//- app/tsconfig.json
{ "include": ["main.ts"], "references": [{ "path": "../core" }],
  "compilerOptions": { "paths": { "@/*": ["./own/*"], "core/*": ["../core/build/*"] } } }
//- app/own/x.ts
export function x() {}
//- app/main.ts
import { sum } from "../core/build/deep/sum.js";
import { sum as again } from "core/deep/sum";
import { x } from "@/x";
sum(); again(); x();
//- scripts/lib/x.ts
export function x() {}
//- scripts/run.ts
import { x } from "@/x";
import { sum } from "../core/build/deep/sum.js";
x(); sum();
"##,
        "app/main.ts:4 sum -> core/source/deep/sum.ts:sum@1 [scoped]
app/main.ts:4 again -> core/source/deep/sum.ts:sum@1 [scoped]
app/main.ts:4 x -> app/own/x.ts:x@1 [scoped]
scripts/run.ts:3 x -> scripts/lib/x.ts:x@1 [scoped]
scripts/run.ts:3 sum -> core/source/deep/sum.ts:sum@1 [scoped]",
    );
}

#[test]
fn a_workspace_says_which_package_a_name_means() {
    check(
        r##"//- package.json
{ "name": "root", "devDependencies": { "left": "^1.0.0" } }
//- pnpm-workspace.yaml
packages:
  - 'packages/*'   # all of them
  - "!packages/old"
  - apps/**
//- packages/old/package.json
{ "name": "@s/util" }
//- packages/old/index.ts
export function util() {}
//- packages/util/package.json
{ "name": "@s/util", "main": "./lib/index.js" }
//- packages/util/src/index.ts
export function util() {}
//- fixtures/left/package.json
{ "name": "left" }
//- fixtures/left/index.ts
export function left() {}
//- vendored/right/index.ts
export function right() {}
//- apps/deep/web/package.json
{ "name": "web", "dependencies": {
  "@s/util": "workspace:*", "u": "workspace:@s/util@^1", "right": "link:../../../vendored/right" } }
//- apps/deep/web/main.ts
import { util } from "@s/util";
import { util as u } from "u";
import { left } from "left";
import { right } from "right";
util(); u(); left(); right();
//- fixtures/use.ts
import { util } from "@s/util";
util();
"##,
        "apps/deep/web/main.ts:5 util -> packages/util/src/index.ts:util@1 [scoped]
apps/deep/web/main.ts:5 u -> packages/util/src/index.ts:util@1 [scoped]
apps/deep/web/main.ts:5 left -> ext left.left
apps/deep/web/main.ts:5 right -> vendored/right/index.ts:right@1 [scoped]
fixtures/use.ts:2 util -> packages/util/src/index.ts:util@1 [scoped]",
    );
}

#[test]
fn commonjs_modules_give_their_exports() {
    check(
        "//- a.js
module.exports = { helper, inline() {}, make: require('./b') };
module.exports.late = function () { return helper(); };
function helper() {}
//- b.js
class Thing { run() { return this; } }
module.exports = Thing;
//- c.js
exports.one = function () { return exports.two(); };
exports.two = two;
function two() {}
function Old(x) { this.x = new Thing(); }
Old.prototype.go = function () { this.x.run(); this.stop(); };
Old.prototype.stop = function () {};
const Thing = require('./b');
new Old().go();
//- use.js
const a = require('./a'), { one, two: second } = require('./c');
const Thing = require('./b');
a.helper(); a.inline(); a.late();
one(); second();
new Thing().run().run();
require('./c').one();
",
        "a.js:2 helper -> a.js:helper@3 [scoped]
c.js:1 two -> c.js:two@3 [scoped]
c.js:4 Thing -> b.js:Thing@1 [scoped]
c.js:5 run -> b.js:Thing.run@1 [typed]
c.js:5 stop -> c.js:Old.stop@6 [typed]
c.js:8 Old -> c.js:Old@4 [scoped]
c.js:8 go -> c.js:Old.go@5 [typed]
use.js:3 helper -> a.js:helper@3 [typed]
use.js:3 inline -> a.js:inline@1 [scoped]
use.js:3 late -> a.js:late@2 [scoped]
use.js:4 one -> c.js:one@1 [scoped]
use.js:4 second -> c.js:two@3 [scoped]
use.js:5 Thing -> b.js:Thing@1 [scoped]
use.js:5 run -> b.js:Thing.run@1 [typed]
use.js:5 run -> b.js:Thing.run@1 [typed]
use.js:6 one -> c.js:one@1 [scoped]",
    );
}

#[test]
fn receivers_take_their_types_from_what_is_written() {
    check(
        "//- m.ts
export interface Shape { area(): number; parts: Part[]; on(event: string, then: (p: Part) => void): this }
export class Part { size() {} static of(n: number): Part { return new Part(); } }
export abstract class Base<T> implements Shape {
  constructor(protected item: T, readonly shape?: Shape) {}
  area() { return 1; }
  parts: Part[] = [];
  on(event: string, then: (p: Part) => void) { return this; }
  get(): T { return this.item; }
  async load(): Promise<T> { return this.item; }
}
export class Sub extends Base<Part> {
  own() { this.item.size(); super.area(); this.get().size(); }
}
//- use.ts
import { Part, Sub, type Shape } from './m';
async function f(shape: Shape, sub: Sub, map: Map<string, Part>, any: any) {
  shape.area();
  for (const part of shape.parts) part.size();
  shape.parts.filter((p) => p.size()).map((p) => p)[0].size();
  sub.on('x', (p) => p.size()).own();
  (await sub.load()).size();
  map.get('a')!.size();
  map.forEach((part) => part.size());
  for (const [key, part] of map) part.size();
  const [first, second] = await Promise.all([sub.load(), shape]);
  first.size(); second.area();
  Part.of(1).size();
  const { parts: [head] } = shape;
  head.size();
  any.size();
  new Sub(new Part()).get().size();
  if (any instanceof Part) any.size();
}
",
        "m.ts:2 Part -> m.ts:Part@2 [scoped]
m.ts:12 size -> m.ts:Part.size@2 [typed]
m.ts:12 area -> m.ts:Base.area@5 [typed]
m.ts:12 get -> m.ts:Base.get@8 [typed]
m.ts:12 size -> m.ts:Part.size@2 [typed]
use.ts:3 area -> m.ts:Shape.area@1 [typed]
use.ts:4 size -> m.ts:Part.size@2 [typed]
use.ts:5 filter -> ext ecmascript.Array.filter
use.ts:5 size -> m.ts:Part.size@2 [typed]
use.ts:5 map -> ext ecmascript.Array.map
use.ts:5 size -> m.ts:Part.size@2 [typed]
use.ts:6 on -> m.ts:Base.on@7 [typed]
use.ts:6 size -> m.ts:Part.size@2 [typed]
use.ts:6 own -> m.ts:Sub.own@12 [typed]
use.ts:7 load -> m.ts:Base.load@9 [typed]
use.ts:7 size -> m.ts:Part.size@2 [typed]
use.ts:8 get -> ext ecmascript.Map.get
use.ts:8 size -> m.ts:Part.size@2 [typed]
use.ts:9 forEach -> ext ecmascript.Map.forEach
use.ts:9 size -> m.ts:Part.size@2 [typed]
use.ts:10 size -> m.ts:Part.size@2 [typed]
use.ts:11 all -> ext ecmascript.Promise.all
use.ts:11 load -> m.ts:Base.load@9 [typed]
use.ts:12 size -> m.ts:Part.size@2 [typed]
use.ts:12 area -> m.ts:Shape.area@1 [typed]
use.ts:13 of -> m.ts:Part.of@2 [scoped]
use.ts:13 size -> m.ts:Part.size@2 [typed]
use.ts:15 size -> m.ts:Part.size@2 [typed]
use.ts:16 size -> ? unknown receiver type
use.ts:17 Sub -> m.ts:Sub@11 [scoped]
use.ts:17 Part -> m.ts:Part@2 [scoped]
use.ts:17 get -> m.ts:Base.get@8 [typed]
use.ts:17 size -> m.ts:Part.size@2 [typed]
use.ts:18 size -> m.ts:Part.size@2 [typed]",
    );
}

#[test]
fn places_give_literals_their_types() {
    check(
        "//- m.ts
export class Host { read() {} }
export class Log { warn() {} }
export type Rule = (host: Host) => void;
export interface Options { log: Log; each?: (host: Host) => void }
export interface Maker<T> { new (n: number): T; init(then: (one: T) => void): void }
export declare function make<T>(name: string, then: (one: T) => void): Maker<T>;
export function isHost(x: unknown): x is Host { return true; }
export class Bag { [Symbol.iterator](): MapIterator<[string, Host]> { return null!; } }
//- use.ts
import { Host, Rule, Options, Maker, make, isHost, Bag } from './m';
export function rule(): Rule { return (host) => host.read(); }
const other: Rule = (host) => host.read();
const options: Options = { log: null!, each: (host) => host.read() };
const Made: Maker<Host> = make('x', (one) => one.read());
new Made(1).read();
function f(x: unknown, log: Options['log'], bag: Bag, all = { ...options }) {
  if (isHost(x)) x.read();
  log.warn();
  for (const [name, host] of bag) host.read();
  all.log.warn();
}
",
        "use.ts:2 read -> m.ts:Host.read@1 [typed]
use.ts:3 read -> m.ts:Host.read@1 [typed]
use.ts:4 read -> m.ts:Host.read@1 [typed]
use.ts:5 make -> m.ts:make@6 [scoped]
use.ts:5 read -> m.ts:Host.read@1 [typed]
use.ts:6 Made -> use.ts:Made@5 const Made: Maker<Host> = make('x', (one) => one.read()); [scoped]
use.ts:6 read -> m.ts:Host.read@1 [typed]
use.ts:8 isHost -> m.ts:isHost@7 [scoped]
use.ts:8 read -> m.ts:Host.read@1 [typed]
use.ts:9 warn -> m.ts:Log.warn@2 [typed]
use.ts:10 read -> m.ts:Host.read@1 [typed]
use.ts:11 warn -> m.ts:Log.warn@2 [typed]",
    );
}

#[test]
fn declarations_merge_and_overloads_lead_to_the_body() {
    check(
        "//- m.ts
export class Box { open() {} }
export interface Box { shut(): void }
export namespace Box { export function make(): Box { return new Box(); } }
export namespace Box { export function more(): Box { return make(); } }
export function pick(a: string): Box;
export function pick(a: string, b: number): void;
export function pick(a: any, b?: any): any {}
export enum Kind { A = calc() }
function calc() { return 1; }
//- global.d.ts
declare module 'only-declared' { export function go(): void; export default function start(): void; }
//- use.ts
import { Box, pick } from './m';
import start, { go } from 'only-declared';
Box.make().shut();
Box.more().open();
pick('a').open();
go(); start();
",
        "m.ts:3 Box -> m.ts:Box@1 export class Box [scoped]
m.ts:4 make -> m.ts:Box.make@3 [scoped]
m.ts:8 calc -> m.ts:calc@9 [scoped]
use.ts:3 make -> m.ts:Box.make@3 [scoped]
use.ts:3 shut -> m.ts:Box.shut@2 [typed]
use.ts:4 more -> m.ts:Box.more@4 [scoped]
use.ts:4 open -> m.ts:Box.open@1 [typed]
use.ts:5 pick -> m.ts:pick@7 export function pick(a: any, b?: any): any [scoped]
use.ts:5 open -> m.ts:Box.open@1 [typed]
use.ts:6 go -> global.d.ts:only-declared.go@1 [scoped]
use.ts:6 start -> global.d.ts:only-declared.start@1 [scoped]",
    );
}

#[test]
fn exports_that_go_in_circles_end() {
    check(
        r#"//- itself.js
module.exports = exports;
exports.made = function () {};
exports.one = exports.two;
exports.two = exports.one;
//- there.js
module.exports = require("./back");
//- back.js
module.exports = require("./there");
//- named.js
exports.a = require("./named_too").b;
//- named_too.js
exports.b = require("./named").a;
//- use.js
const itself = require("./itself");
const { gone } = require("./itself");
const there = require("./there");
const { a } = require("./named");
itself.made(); itself.one(); gone();
there.thing();
a();
"#,
        "use.js:5 made -> itself.js:made@2 [scoped]
use.js:5 one -> ? unknown receiver type
use.js:5 gone -> ? unresolved import
use.js:6 thing -> ? unknown receiver type
use.js:7 a -> ? unresolved import",
    );
}

#[test]
fn comments_of_javascript_give_types() {
    check(
        r#"//- engine.js
class Engine {
  start() {}
  stop() {}
}
/** @typedef {{ engine: Engine, log: (m: string) => void }} Options */
/**
 * @typedef {object} Bag
 * @property {Engine} main the main one
 * @property {Map<string, Engine[]>} others
 */
module.exports = Engine;
//- use.js
"use strict";
/** @typedef {import("./engine")} Engine */
/** @typedef {import("./engine").Options} Options */
/** @import { Bag as Sack } from "./engine" */
/**
 * @callback Visitor
 * @param {Engine} engine
 * @returns {Engine | undefined}
 */
/**
 * Runs it.
 * @param {Engine} engine the engine
 * @param {Options=} [options] more
 * @param {...Engine} rest the rest
 * @returns {Promise<Engine>} the same
 */
async function run(engine, options, ...rest) {
  engine.start();
  options.engine.stop();
  options.log("x");
  rest[0].start();
  return engine;
}
exports.after = async () => (await run()).stop();
/** @type {Visitor} */
const visit = engine => {
  engine.start();
};
class Garage {
  constructor(engine) {
    /** @type {Set<Engine>} */
    this.engines = new Set();
    this.any = engine;
    /** @type {Sack} */
    this.bag = make();
  }
  /** @returns {Engine[]} all */
  get all() { return this.hidden(); }
  go() {
    for (const e of this.engines) e.start();
    this.all[0].stop();
    this.bag.main.start();
    this.bag.others.get("x")[0].stop();
    /** @type {Engine} */ (this.any).start();
    /** @type {unknown} */ (this.any).start();
    const f = /** @param {Engine} e */ e => e.stop();
  }
}
/** @param {Nowhere} thing not known */
function other(thing = new Garage()) {
  thing.go();
}
/** @returns {Object} something */
const made = () => new Garage();
made().go();
/**
 * @param {Garage | Engine} x either
 * @returns {x is Engine} which
 */
function isEngine(x) {}
/** @param {{ a: { deep: Garage } }} bag */
function deep({ a }) { a.deep.go(); }
function later() {
  let Late;
  ({ Late } = require("./late"));
  new Late().go();
}
//- late.js
exports.Late = class Late { go() { module.exports.helper(); } };
exports.helper = function () {};
//- generic.js
/** @import Motor, { Options } from "./engine" */
/**
 * @template T
 */
class Box2 {
  /** @param {T} inner what is in it */
  constructor(inner) { this.inner = inner; }
  /** @returns {T} it */
  open() { return this.inner; }
}
/** @extends {Box2<Motor>} */
class Small extends Box2 {}
/**
 * @template T
 * @param {T} x anything
 * @returns {T} the same
 */
const same = x => x;
/** @param {Box2<Motor>} box @param {Options} options */
function use(box, options) {
  box.open().start();
}
/**
 * @param {Options} o options
 * @param {Motor} m motor
 */
function more(o, m) {
  new Small().open().stop();
  o.engine.start();
  same(m).start();
}
//- options.js
/** @import Motor from "./engine" */
/**
 * @param {Object} options all of them
 * @param {Motor} options.motor the motor
 * @param {Motor[]} [options.more] others
 * @param {string} name the name
 */
function named({ motor, more }, name) {
  motor.start();
  more[0].stop();
}
/**
 * @param {Object} opts all of them
 * @param {Motor} opts.motor the motor
 */
function whole(opts) { opts.motor.start(); opts.other(); }
//- test.js
/** @typedef {typeof import("./engine")} Engine */
function suite() {
  /** @type {Engine} */
  let Engine;
  before(() => { Engine = require("./engine"); });
  new Engine().start();
}
//- typed.ts
/** @param {Engine} engine not read in TypeScript */
function no(engine) { engine.start(); }
"#,
        "generic.js:21 open -> generic.js:Box2.open@9 [typed]
generic.js:21 start -> engine.js:Engine.start@2 [typed]
generic.js:28 Small -> generic.js:Small@12 [scoped]
generic.js:28 open -> generic.js:Box2.open@9 [typed]
generic.js:28 stop -> engine.js:Engine.stop@3 [typed]
generic.js:29 start -> engine.js:Engine.start@2 [typed]
generic.js:30 same -> generic.js:same@18 [scoped]
generic.js:30 start -> engine.js:Engine.start@2 [typed]
late.js:1 helper -> late.js:helper@2 [scoped]
options.js:9 start -> engine.js:Engine.start@2 [typed]
options.js:10 stop -> engine.js:Engine.stop@3 [typed]
options.js:16 start -> engine.js:Engine.start@2 [typed]
options.js:16 other -> ? no such member
test.js:5 before -> ? unknown name
test.js:6 Engine -> engine.js:Engine@1 [typed]
test.js:6 start -> engine.js:Engine.start@2 [typed]
typed.ts:2 start -> ? unknown receiver type
use.js:18 start -> engine.js:Engine.start@2 [typed]
use.js:19 stop -> engine.js:Engine.stop@3 [typed]
use.js:20 log -> ? dynamic call
use.js:21 start -> engine.js:Engine.start@2 [typed]
use.js:24 run -> use.js:run@17 [scoped]
use.js:24 stop -> engine.js:Engine.stop@3 [typed]
use.js:27 start -> engine.js:Engine.start@2 [typed]
use.js:32 Set -> ext ecmascript.Set
use.js:35 make -> ? unknown name
use.js:38 hidden -> ? no such member
use.js:40 start -> engine.js:Engine.start@2 [typed]
use.js:41 stop -> engine.js:Engine.stop@3 [typed]
use.js:42 start -> engine.js:Engine.start@2 [typed]
use.js:43 get -> ext ecmascript.Map.get
use.js:43 stop -> engine.js:Engine.stop@3 [typed]
use.js:44 start -> engine.js:Engine.start@2 [typed]
use.js:45 start -> ? unknown receiver type
use.js:46 stop -> engine.js:Engine.stop@3 [typed]
use.js:50 Garage -> use.js:Garage.constructor@30 [scoped]
use.js:51 go -> use.js:Garage.go@39 [typed]
use.js:54 Garage -> use.js:Garage.constructor@30 [scoped]
use.js:55 made -> use.js:made@54 [scoped]
use.js:55 go -> use.js:Garage.go@39 [typed]
use.js:62 go -> use.js:Garage.go@39 [typed]
use.js:66 Late -> late.js:Late@1 [typed]
use.js:66 go -> late.js:Late.go@1 [typed]",
    );
}

#[test]
fn static_and_instance_members_of_one_name_are_told_apart() {
    check(
        r#"//- a.ts
class Base { read() {} }
class Part extends Base {
  static read() { const part = new Part(); part.read(); return part; }
  static both() {}
  both() { this.both(); Part.both(); Part.read(); this.read(); }
}
"#,
        "a.ts:3 Part -> a.ts:Part@2 [scoped]
a.ts:3 read -> a.ts:Base.read@1 [typed]
a.ts:5 both -> a.ts:Part.both@5 both() [typed]
a.ts:5 both -> a.ts:Part.both@4 static both() [scoped]
a.ts:5 read -> a.ts:Part.read@3 [scoped]
a.ts:5 read -> a.ts:Base.read@1 [typed]",
    );
}

#[test]
fn what_test_frameworks_give_is_theirs() {
    check(
        r#"//- a.test.ts
import { expect as check, vi } from "vitest";
import { other } from "vitest";
import { expect as mine } from "./own";
const spy = vi.fn().mockReturnValue(1);
check(1).not.toBe(2);
expect(1).resolves.toEqual(2);
other(1).toBe(2);
mine(1).toBe(2);
spy.mockReset();
//- own.ts
class Matcher { toBe(x: number) {} }
export function expect(x: number) { return new Matcher(); }
"#,
        "a.test.ts:4 fn -> ext vitest.vi.fn
a.test.ts:4 mockReturnValue -> ext vitest.vi.fn().mockReturnValue
a.test.ts:5 check -> ext vitest.expect
a.test.ts:5 toBe -> ext vitest.expect().not.toBe
a.test.ts:6 expect -> ext test-globals.expect
a.test.ts:6 toEqual -> ext test-globals.expect().resolves.toEqual
a.test.ts:7 other -> ext vitest.other
a.test.ts:7 toBe -> ? unknown receiver type
a.test.ts:8 mine -> own.ts:expect@2 [scoped]
a.test.ts:8 toBe -> own.ts:Matcher.toBe@1 [typed]
a.test.ts:9 mockReset -> ext vitest.vi.fn().mockReturnValue().mockReset
own.ts:2 Matcher -> own.ts:Matcher@1 [scoped]",
    );
}

#[test]
fn what_is_put_on_a_class_from_outside_is_its_own() {
    check(
        r#"//- dep.js
class Dep { run() {} }
class Other { walk() {} }
function make() { return new Other(); }
Dep.Template = class DepTemplate { apply() {} };
Dep.Other = Other;
Dep.made = make();
Dep.hooks = unknownMaker();
Dep.VERSION = 5;
function Old() {}
Old.Inner = Other;
Old.help = function () {};
module.exports = Dep;
module.exports.Old = Old;
//- use.js
const Dep = require("./dep");
const { Old } = require("./dep");
new Dep.Template().apply();
new Dep.Other().walk();
Dep.made.walk();
Dep.hooks();
new Old.Inner().walk();
Old.help();
Old.call(1);
"#,
        "dep.js:3 Other -> dep.js:Other@2 [scoped]
dep.js:6 make -> dep.js:make@3 [scoped]
dep.js:7 unknownMaker -> ? unknown name
use.js:3 Template -> dep.js:Dep.Template@4 [scoped]
use.js:3 apply -> dep.js:Dep.Template.apply@4 [typed]
use.js:4 Other -> dep.js:Dep.Other@5 [scoped]
use.js:4 walk -> dep.js:Other.walk@2 [typed]
use.js:5 walk -> dep.js:Other.walk@2 [typed]
use.js:6 hooks -> dep.js:Dep.hooks@7 [scoped]
use.js:7 Inner -> dep.js:Old.Inner@10 [typed]
use.js:7 walk -> dep.js:Other.walk@2 [typed]
use.js:8 help -> dep.js:Old.help@11 [typed]
use.js:9 call -> ? no such member",
    );
}

#[test]
fn function_literals_take_their_types_from_call_signatures_and_places_in_objects() {
    check(
        r##"//- app.ts
export class Context { text(): void {} }
export class Builder { add(): Builder { return this } }
type Handler<E> = (c: Context) => E
type Either<E> = Handler<E> | ((c: Context, next: number) => void)
interface Route {
  name: string

  // handlers alone
  <E>(...handlers: [Either<E>, Either<E>]): App
  <E>(
    path: string,
    handler: Either<E>
  ): App

  (paths: string[], ...handlers: Either<void>[]): App
}
export interface Options<B> {
  setup(build: B): void
  nested: { inner: (c: Context) => void }
}
type Create = { <T extends Builder>(options: Options<T>): App }
declare const create: Create
export class App { get!: Route; use(f: (app: App) => void): void {} }
function given<T>(f: (x: T) => void): void {}
const app = new App()
app.get("/", (c) => c.text()).use((a) => a.use(() => {}))
app.get((c) => c.text(), (d) => d.text())
app.get(["/"], (c) => c.text())
create({ setup: (b) => { b.add() }, nested: { inner(c) { c.text() } } })
given<Context>((x) => x.text())
"##,
        "app.ts:25 App -> app.ts:App@23 [scoped]
app.ts:26 get -> app.ts:App.get@23 [typed]
app.ts:26 text -> app.ts:Context.text@1 [typed]
app.ts:26 use -> app.ts:App.use@23 [typed]
app.ts:26 use -> app.ts:App.use@23 [typed]
app.ts:27 get -> app.ts:App.get@23 [typed]
app.ts:27 text -> app.ts:Context.text@1 [typed]
app.ts:27 text -> app.ts:Context.text@1 [typed]
app.ts:28 get -> app.ts:App.get@23 [typed]
app.ts:28 text -> app.ts:Context.text@1 [typed]
app.ts:29 create -> app.ts:create@22 [scoped]
app.ts:29 add -> app.ts:Builder.add@2 [typed]
app.ts:29 text -> app.ts:Context.text@1 [typed]
app.ts:30 given -> app.ts:given@24 [scoped]
app.ts:30 text -> app.ts:Context.text@1 [typed]",
    );
}

#[test]
fn an_overload_that_cannot_take_a_literal_is_not_meant() {
    check(
        r##"//- m.ts
class A { a(): void {} }
class B { b(): void {} }
declare function make(name: string): A
declare function make(f: () => void): B
declare function make(list: string[]): B
make("x").a()
make(() => {}).b()
make(["x"]).b()
"##,
        "m.ts:6 make -> m.ts:make@3 declare function make(name: string): A [scoped]
m.ts:6 a -> m.ts:A.a@1 [typed]
m.ts:7 make -> m.ts:make@4 declare function make(f: () => void): B [scoped]
m.ts:7 b -> m.ts:B.b@2 [typed]
m.ts:8 make -> m.ts:make@5 declare function make(list: string[]): B [scoped]
m.ts:8 b -> m.ts:B.b@2 [typed]",
    );
}

#[test]
fn a_dependency_of_another_version_than_the_workspace_has_comes_from_a_registry() {
    check(
        r##"//- package.json
{"private": true, "workspaces": ["packages/*"]}
//- packages/kit/package.json
{"name": "kit", "version": "2.1.0", "main": "index.ts"}
//- packages/kit/index.ts
export function make(): void {}
//- packages/old/package.json
{"name": "old", "dependencies": {"kit": "^1.6.0"}}
//- packages/old/a.ts
import { make } from "kit"
make()
//- packages/new/package.json
{"name": "new", "dependencies": {"kit": "^1.7.0 || ^2.0.0"}}
//- packages/new/a.ts
import { make } from "kit"
make()
"##,
        "packages/new/a.ts:2 make -> packages/kit/index.ts:make@1 [scoped]
packages/old/a.ts:2 make -> ext kit.make",
    );
}

#[test]
fn a_function_with_a_written_type_gives_what_that_says() {
    check(
        r##"//- a.ts
export interface Value<T> { get(): T }
export class Computed<T> implements Value<T> { get(): T { return this.read() } read(): T { throw 0 } }
interface Options { name?: string; keep?: boolean }
export interface Factory {
  (options: Options): string
  <T>(f: () => T, options?: Options): Value<T>
  struct(): Computed<number>
}
export const computed: Factory = function computed(arg: any) { return new Computed() } as any
export const plain: (n: number) => Value<number> = n => new Computed<number>()
computed(() => 1).get()
computed(function () { return 1 }).get()
const f = () => 1
computed(f).get()
computed.struct().read()
plain(1).get()
const both: any = () => new Computed<number>()
both().get()
class Maps { merge(): void {} }
class Lists { join2(): void {} }
interface Make {
  <T>(value: T[]): Lists
  <K, V>(value: Map<K, V>): Maps
}
declare const make: Make
make(new Map()).merge()
make([1]).join2()
const list = [1]
make(list).join2()
"##,
        "a.ts:2 read -> a.ts:Computed.read@2 [typed]
a.ts:9 Computed -> a.ts:Computed@2 [scoped]
a.ts:10 Computed -> a.ts:Computed@2 [scoped]
a.ts:11 computed -> a.ts:computed@9 [scoped]
a.ts:11 get -> a.ts:Value.get@1 [typed]
a.ts:12 computed -> a.ts:computed@9 [scoped]
a.ts:12 get -> a.ts:Value.get@1 [typed]
a.ts:14 computed -> a.ts:computed@9 [scoped]
a.ts:14 get -> a.ts:Value.get@1 [typed]
a.ts:15 struct -> a.ts:Factory.struct@7 [typed]
a.ts:15 read -> a.ts:Computed.read@2 [typed]
a.ts:16 plain -> a.ts:plain@10 [scoped]
a.ts:16 get -> a.ts:Value.get@1 [typed]
a.ts:17 Computed -> a.ts:Computed@2 [scoped]
a.ts:18 both -> a.ts:both@17 [scoped]
a.ts:18 get -> a.ts:Computed.get@2 [typed]
a.ts:26 make -> a.ts:make@25 [scoped]
a.ts:26 Map -> ext ecmascript.Map
a.ts:26 merge -> a.ts:Maps.merge@19 [typed]
a.ts:27 make -> a.ts:make@25 [scoped]
a.ts:27 join2 -> a.ts:Lists.join2@20 [typed]
a.ts:29 make -> a.ts:make@25 [scoped]
a.ts:29 join2 -> a.ts:Lists.join2@20 [typed]",
    );
}

#[test]
fn what_is_declared_for_all_files_is_known_in_each() {
    check(
        r##"//- src/core.ts
export const map = Symbol("map");
declare global {
  interface Stream<T> extends Base { subscribe(next: (value: T) => void): void; }
  interface StreamCtor { from<T>(value: T): Stream<T>; new <T>(): Stream<T>; }
  var Stream: StreamCtor;
  function start(): Stream<Item>;
  interface Array<T> { last(): T }
}
class Base { end(): void {} }
export class Item { run(): void {} }
//- src/map.ts
import { map } from './core';
declare global {
  interface Stream<U> { [map]: { <R>(project: (value: U) => R): Stream<R> }; first(): U; }
}
function own(this: Stream<number>) { this.subscribe(() => {}); }
//- src/use.ts
import { map, Item } from './core';
function use(given: Stream<Item>) {
  given.first().run();
  given.end();
  Stream.from(1)[map](x => x).subscribe(() => {});
  new Stream<Item>().first().run();
  start().first().run();
  given.subscribe(item => item.run());
  [1].map(x => x);
}
//- src/local.ts
class Stream { mine(): void {} }
function f(x: Stream) { x.mine(); }
"##,
        "src/core.ts:1 Symbol -> ext ecmascript.Symbol
src/local.ts:2 mine -> src/local.ts:Stream.mine@1 [typed]
src/map.ts:5 subscribe -> src/core.ts:Stream.subscribe@3 [typed]
src/use.ts:3 first -> src/map.ts:Stream.first@3 [typed]
src/use.ts:3 run -> src/core.ts:Item.run@10 [typed]
src/use.ts:4 end -> src/core.ts:Base.end@9 [typed]
src/use.ts:5 from -> src/core.ts:StreamCtor.from@4 [typed]
src/use.ts:5 (…) -> ? dynamic call
src/use.ts:5 subscribe -> src/core.ts:Stream.subscribe@3 [typed]
src/use.ts:6 Stream -> src/core.ts:Stream@5 var Stream: StreamCtor; [scoped]
src/use.ts:6 first -> src/map.ts:Stream.first@3 [typed]
src/use.ts:6 run -> src/core.ts:Item.run@10 [typed]
src/use.ts:7 start -> src/core.ts:start@6 [scoped]
src/use.ts:7 first -> src/map.ts:Stream.first@3 [typed]
src/use.ts:7 run -> src/core.ts:Item.run@10 [typed]
src/use.ts:8 subscribe -> src/core.ts:Stream.subscribe@3 [typed]
src/use.ts:8 run -> src/core.ts:Item.run@10 [typed]
src/use.ts:9 map -> ext ecmascript.Array.map",
    );
}

#[test]
fn a_package_whose_types_only_declare_its_module_has_what_is_declared() {
    check(
        r##"//- package.json
{ "name": "@s/term", "types": "typings/term.d.ts" }
//- typings/term.d.ts
declare module '@s/term' {
  export class Terminal { write(text: string): void; }
}
//- addons/a.ts
import { Terminal } from '@s/term';
export function run(t: Terminal) { t.write('x'); }
"##,
        "addons/a.ts:2 write -> typings/term.d.ts:@s/term.Terminal.write@2 [typed]",
    );
}

#[test]
fn a_parameter_that_is_bounded_by_a_function_gives_literals_its_types() {
    check(
        r##"//- a.ts
export class Join<DB> { on(a: string): Join<DB> { return this; } }
export type Callback<DB> = (join: Join<DB>) => Join<any>;
export class Query<DB> {
  first<T, const FN extends Callback<DB>>(t: T, callback: FN): Query<DB> { return this; }
  second<FN extends Callback<DB> | string>(callback: FN): Query<DB> { return this; }
}
export function run(q: Query<string>) {
  q.first('x', (join) => join.on('a'));
  q.second((join) => join.on('b'));
}
"##,
        "a.ts:8 first -> a.ts:Query.first@4 [typed]
a.ts:8 on -> a.ts:Join.on@1 [typed]
a.ts:9 second -> a.ts:Query.second@5 [typed]
a.ts:9 on -> a.ts:Join.on@1 [typed]",
    );
}

#[test]
fn a_property_of_a_union_has_the_types_of_all_its_parts() {
    check(
        r##"//- a.ts
class A { run() {} }
class B { run() {} }
type Action = { type: "one"; payload: A } | { type: "two"; payload: B };
interface One<T> { value: T }
interface Two<T> { value: T; other: T }
function f(action: Action, x: One<A> | Two<B>, y: One<A> | One<B>) {
  action.payload.run();
  x.value.run();
  y.value.run();
  const { payload } = action;
  payload.run();
}
"##,
        "a.ts:7 run -> a.ts:A.run@1, a.ts:B.run@2 [typed]
a.ts:8 run -> a.ts:A.run@1, a.ts:B.run@2 [typed]
a.ts:9 run -> a.ts:A.run@1, a.ts:B.run@2 [typed]
a.ts:11 run -> a.ts:A.run@1, a.ts:B.run@2 [typed]",
    );
}
