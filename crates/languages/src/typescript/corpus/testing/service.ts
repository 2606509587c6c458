export class Clock {
  now(): number {
    return Date.now();
  }
}

export class Service {
  constructor(private readonly clock: Clock = new Clock()) {} // calls :Clock

  stamp(): string {
    return this.format(this.clock.now()); // calls :Service.format, :Clock.now
  }

  protected format(time: number): string {
    return time.toString();
  }
}
