//! Star exports that give a name several meanings.

use crate::fixture::check;

#[test]
fn a_name_that_two_star_exports_bring_is_not_exported() {
    check(
        r#"
//- a.ts
export function f() {}
export function only() {}
export default function d() {}
//- b.ts
export function f() {}
export { only } from './a'
//- both.ts
export * from './a'
export * from './b'
//- chosen.ts
export * from './a'
export * from './b'
export { f } from './b'
//- again.ts
export * from './a'
export * from './through'
//- through.ts
export * from './a'
//- above.ts
export * from './both'
export * from './c'
//- c.ts
export function f() {}
//- ring.ts
export * from './ring2'
export * from './a'
//- ring2.ts
export * from './ring'
//- use.ts
import { f, only } from './both'
import { f as chosen } from './chosen'
import { f as again } from './again'
import { f as above } from './above'
import { f as ring } from './ring2'
import * as all from './both'
import none from './both'
f()
only()
chosen()
again()
above()
ring()
all.f()
all.only()
none()
"#,
        "
use.ts:8 f -> ? unresolved import
use.ts:9 only -> a.ts:only@2 [scoped]
use.ts:10 chosen -> b.ts:f@1 [scoped]
use.ts:11 again -> a.ts:f@1 [scoped]
use.ts:12 above -> ? unresolved import
use.ts:13 ring -> a.ts:f@1 [scoped]
use.ts:14 f -> ? unknown receiver type
use.ts:15 only -> a.ts:only@2 [scoped]
use.ts:16 none -> ? dynamic call
",
    );
}
