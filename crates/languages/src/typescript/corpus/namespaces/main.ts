import { Color, Level, parse, units } from "./units";
import length = units.length;

function scale(value: number): number {
  return value;
}

scale(1); // calls :scale
units.scale(2); // calls units.ts:units.scale
units.length.scale(3); // calls units.ts:units.length.scale
length.scale(4); // calls units.ts:units.length.scale
new length.Meter().scaled(); // calls units.ts:units.length.Meter, units.ts:units.length.Meter.scaled
parse(" a ").show(); // calls units.ts:parse, units.ts:parse.Result.show (missed)
parse.trimmed("b").show(); // calls units.ts:parse.trimmed, units.ts:parse.Result.show
Color.parse("1"); // calls units.ts:Color.parse
Color.from(2); // calls units.ts:Color.from
Level.next(Level.Low).toFixed(); // calls units.ts:Level.next

declare global {
  interface String {
    shout(): string;
  }
}
String.prototype.shout = function () {
  return this.toUpperCase();
};
"quiet".shout(); // calls :String.shout (missed)
