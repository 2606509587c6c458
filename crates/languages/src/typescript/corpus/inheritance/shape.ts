export abstract class Shape {
  private static count = 0;
  readonly #id: number;

  constructor(readonly name: string) {
    this.#id = Shape.next(); // calls :Shape.next
    this.#register(); // calls :Shape.#register
  }

  static next(): number {
    return ++Shape.count;
  }

  static create(): string {
    return "shape";
  }

  #register(): void {
    console.log(this.#id);
  }

  abstract area(): number;

  describe(): string {
    return `${this.label()}: ${this.area()}`; // calls :Shape.label, :Shape.area
  }

  protected label(): string {
    return this.name.toUpperCase();
  }
}
