import { check, inject, route, sealed } from "./decorators";
import { Injectable } from "framework";

class Service {
  list(): string[] {
    return [];
  }
}

@sealed // calls decorators.ts:sealed
@Injectable()
class Controller {
  @check.min(3) // calls decorators.ts:check.min
  name = this.start(); // calls :Controller.start

  constructor(
    @inject("service") private service: Service, // calls decorators.ts:inject
  ) {
    this.list(); // calls :Controller.list
  }

  @route("list") // calls decorators.ts:route
  list(): string[] {
    return this.service.list(); // calls :Service.list
  }

  @route("count") // calls decorators.ts:route
  @logged // calls :logged
  static count(@inject("n") n: number): number { // calls decorators.ts:inject
    return n;
  }

  private start(): string {
    return "start";
  }
}

function logged(target: unknown, key: string, descriptor: PropertyDescriptor): void {
  const method = descriptor.value;
  descriptor.value = function (this: Controller, ...args: unknown[]) {
    this.list(); // calls :Controller.list
    return method.apply(this, args);
  };
}

new Controller(new Service()).list(); // calls :Controller.constructor, :Service, :Controller.list
Controller.count(1); // calls :Controller.count
