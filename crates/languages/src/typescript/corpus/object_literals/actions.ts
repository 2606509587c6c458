export interface Action {
  run(name: string): void;
  readonly undo: () => void;
}

function start(): void {}

export const actions = {
  start,
  stop(when: string): void {
    start(); // calls :start
  },
} as const;

export default {
  reset(): void {
    actions.stop("reset"); // calls :actions.stop
  },
};

export const action = {
  run(name) {
    this.undo(); // calls :Action.undo (missed), :action.undo (wrong)
  },
  undo() {},
} satisfies Action;

action.run("a"); // calls :action.run
action.undo(); // calls :action.undo
