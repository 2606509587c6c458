import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Clock, Service } from "./service";

class FixedClock extends Clock {
  override now(): number {
    return tick() + super.now(); // calls :tick, service.ts:Clock.now
  }
}

function tick(): number {
  return 1;
}

function setup(clock = new FixedClock()) { // calls :FixedClock
  const service = new Service(clock); // calls service.ts:Service.constructor
  return { service, clock, stop: () => clock.now() }; // calls :FixedClock.now
}

describe("service", () => {
  let service: Service;
  let clock: FixedClock;

  beforeEach(() => {
    ({ service, clock } = setup()); // calls :setup
  });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("stamps", async () => {
    expect(service.stamp()).toBe("1"); // calls service.ts:Service.stamp
    vi.spyOn(clock, "now").mockReturnValue(3);
    expect(clock.now()).toBe(3); // calls :FixedClock.now
  });

  it.each([[1], [2]])("is built %i times", (count) => {
    const { service, clock: other, stop } = setup(); // calls :setup
    other.now(); // calls :FixedClock.now
    stop(); // calls :setup.stop
    service.stamp().repeat(count); // calls service.ts:Service.stamp
    setup().clock.now(); // calls :setup, :FixedClock.now
    const run = vi.fn(() => service.stamp()); // calls service.ts:Service.stamp
    run();
  });
});
