import { Circle, Ring } from "./round";
import { Shape } from "./shape";

// Not a method of any shape.
function area(): number {
  return 0;
}

function total(shapes: Shape[]): number {
  let sum = area(); // calls :area
  for (const shape of shapes) {
    sum += shape.area(); // calls shape.ts:Shape.area
  }
  return shapes.reduce((all, one) => all + one.area(), sum); // calls shape.ts:Shape.area
}

const ring = new Ring(2); // calls round.ts:Ring
const circle: Circle = ring;
ring.area(); // calls round.ts:Ring.area
circle.area(); // calls round.ts:Circle.area
ring.scaled(3).area(); // calls round.ts:Circle.scaled, round.ts:Circle.area
ring.wide.describe(); // calls shape.ts:Shape.describe
Ring.create(); // calls round.ts:Circle.create
Ring.next(); // calls shape.ts:Shape.next
total([ring, circle]); // calls :total

const local = new (class extends Circle {
  label(): string {
    return "local";
  }
})(1);
local.scaled(2); // calls round.ts:Circle.scaled
