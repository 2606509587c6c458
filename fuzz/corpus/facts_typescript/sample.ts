import d, { a as b, type T } from "./m.js";
export * as ns from "../n";
/** Doc. */
@dec({ x: 1 })
export abstract class C<K extends T = T> extends B<K> implements I, J {
  static #p: number = f(1);
  constructor(private readonly a: string, public b?: T[]) { super(a); this.m(...b!); }
  get v(): Map<K, Set<T>> { return this.#p?.q.r()[0]; }
  async *m<U>(this: C<K>, { x, y: [z = g()] }: U, ...rest: T[]): Promise<void> { for (const [i, j] of rest) yield i.k(`t${h(j)}u`); }
}
export const fn = async <U,>(x: U): Promise<U> => (await x) satisfies U as U;
enum E { A = 1, B = A << 2 }
namespace N.M { export function inner(a: any): a is string { try { throw new Error(a); } catch ({ message }) { return !!message; } } }
module.exports = { fn, other() { return fn(this); }, [key]: function () {} };
type Fn = { (a: number): string; prop?: keyof typeof fn; [k: string]: unknown };
switch (x) { case 1: label: while (true) { if (a instanceof C) continue label; else break; } default: }
