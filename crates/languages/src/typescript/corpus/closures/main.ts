import { debounce, report } from "./timing";

let counter = 0;

function next(): number {
  return ++counter;
}

function outer(): () => number {
  const step = inner(); // calls :outer.inner
  function inner(): number {
    function next(): number {
      return 10;
    }
    return next(); // calls :outer.inner.next
  }
  {
    const next = (): number => step;
    next(); // calls :outer.next
  }
  return () => next() + step; // calls :next
}

const add = (a: number) => (b: number) => a + b;
add(1)(2); // calls :add
outer()(); // calls :outer

const save = debounce(() => next(), 100); // calls timing.ts:debounce, :next
save(); // calls :save

(function start(depth: number): void {
  if (depth > 0) start(depth - 1); // calls :start
})(2); // calls :start (missed)

[1, 2].map(next).forEach((value) => {
  report(value); // calls timing.ts:report
});

function shadow(report: (n: number) => void): void {
  // The parameter hides the import.
  report(1);
  [3].forEach((next) => console.log(next));
  next(); // calls :next
}
shadow(report); // calls :shadow

function twice<T>(run: () => T): T[] {
  return [run(), run()];
}
twice(() => twice(next)); // calls :twice

try {
  next(); // calls :next
} catch (next) {
  (next as () => void)();
}

const handlers = [() => next(), outer]; // calls :next
handlers[0](); // calls :outer (wrong)
