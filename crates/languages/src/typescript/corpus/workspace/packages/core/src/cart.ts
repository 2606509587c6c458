export class Cart {
  private lines: Line[] = [];

  add(line: Line): Cart {
    this.lines.push(line);
    return this;
  }

  total(): number {
    return this.lines.map((line) => line.price()).reduce((a, b) => a + b, 0); // calls :Line.price
  }
}

export interface Line {
  price(): number;
}

export function discount(cart: Cart): number {
  return cart.total() / 10; // calls :Cart.total
}
