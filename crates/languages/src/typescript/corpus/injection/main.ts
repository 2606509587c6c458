import { ConsoleLogger, type Constructor, type Logger, Task, Timed } from "./mixins";

class Plain {
  size(): number {
    return 1;
  }
}

class Mixed extends Timed(Plain) { // calls mixins.ts:Timed
  show(): number {
    return this.size() + this.time(); // calls :Plain.size (missed), mixins.ts:Timed.TimedBase.time
  }
}

class Report {
  send(): void {}
}

class Build extends Task<string, Report> {
  private readonly plain = new Plain(); // calls :Plain

  constructor(logger: Logger, private factory: () => Report) {
    super(logger); // calls mixins.ts:Task.constructor
  }

  protected perform(input: string): Report {
    this.logger.log(input.repeat(this.plain.size())); // calls mixins.ts:Logger.log, :Plain.size
    return this.factory(); // calls :Build.factory
  }
}

class Container {
  private readonly made = new Map<Constructor, object>();

  get<T extends object>(type: Constructor<T>): T {
    let one = this.made.get(type) as T | undefined;
    if (!one) {
      one = new type();
      this.made.set(type, one);
    }
    return one;
  }
}

const logger: Logger = new ConsoleLogger(); // calls mixins.ts:ConsoleLogger
const build = new Build(logger, () => new Report()); // calls :Build.constructor, :Report
build.run("a").send(); // calls mixins.ts:Task.run, :Report.send
new Mixed().show(); // calls :Mixed, :Mixed.show
const container = new Container(); // calls :Container
container.get(Report).send(); // calls :Container.get, :Report.send (missed)
container.get(Plain).size(); // calls :Container.get, :Plain.size (missed)

const tasks: { [name: string]: (count: number) => Report } = {
  first: (count) => new Report(), // calls :Report
};
tasks.first(1).send(); // calls :Report.send (missed)
const size = ({ size }: { size: () => number }): number => size();
size({ size: () => new Plain().size() }); // calls :size, :Plain, :Plain.size
