import { actions, type Action } from "./actions";
import settings from "./actions";

const math = {
  base: 10,
  add(a: number, b: number): number {
    return this.round(a + b); // calls :math.round
  },
  round: (n: number) => Math.round(n),
  nested: {
    half: function (n: number): number {
      return math.round(n / 2); // calls :math.round
    },
  },
  ["computed"](): void {},
  get self() {
    return math;
  },
};

math.add(1, 2); // calls :math.add
math.nested.half(3); // calls :math.nested.half
math["round"](4); // calls :math.round
math.self.add(1, 1); // calls :math.add

const { add, nested } = math;
add(1, 2); // calls :math.add (missed), :add (wrong)
nested.half(2); // calls :math.nested.half
const { round: near = Math.floor } = math;

export function dispatch(action: Action, name: keyof typeof actions): void {
  actions.start(); // calls actions.ts:start
  actions.stop("now"); // calls actions.ts:actions.stop
  actions[name]("x");
  action.run(name); // calls actions.ts:Action.run
  settings.reset(); // calls actions.ts:reset
}

const copy = { ...math, add: (a: number, b: number) => a - b };
copy.add(1, 2); // calls :copy.add
copy.nested.half(4); // calls :math.nested.half

function round(): void {}
const brief = { round, dispatch };
brief.round(); // calls :round
Object.keys(math).map((key) => key.trim());
