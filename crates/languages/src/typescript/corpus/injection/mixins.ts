export type Constructor<T = object> = new (...args: any[]) => T;

export function Timed<B extends Constructor>(Base: B) {
  return class TimedBase extends Base {
    started = this.time(); // calls :Timed.TimedBase.time

    time(): number {
      return 1;
    }
  };
}

export interface Logger {
  log(text: string): void;
  child?(name: string): Logger;
}

export class ConsoleLogger implements Logger {
  log(text: string): void {
    console.log(text);
  }
}

export abstract class Task<I, O> {
  protected constructor(protected readonly logger: Logger) {}

  protected abstract perform(input: I): O;

  run(input: I): O {
    this.logger.log("run"); // calls :Logger.log
    this.logger.child?.("task").log("child"); // calls :Logger.child, :Logger.log
    return this.perform(input); // calls :Task.perform
  }
}
