import { Shape } from "./shape";

export class Circle extends Shape {
  constructor(private readonly radius: number) {
    super("circle"); // calls shape.ts:Shape.constructor
  }

  static create(): string {
    return super.create() + "!"; // calls shape.ts:Shape.create
  }

  area(): number {
    return Math.PI * this.radius ** 2;
  }

  protected override label(): string {
    return `(${super.label()})`; // calls shape.ts:Shape.label
  }

  scaled(factor: number): Circle {
    return new Circle(this.radius * factor); // calls :Circle.constructor
  }
}

export class Ring extends Circle {
  area(): number {
    return super.area() / 2; // calls :Circle.area
  }

  get wide(): Ring {
    return this;
  }

  toString(): string {
    return this.describe(); // calls shape.ts:Shape.describe
  }
}
