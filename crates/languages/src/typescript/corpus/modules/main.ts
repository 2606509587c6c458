import start, { trim as cut, visible } from "./lib/text.js";
import { open, text, trim } from "./lib/index.js";
import * as all from "./lib/text.js";
import { readFileSync } from "node:fs";

start(); // calls lib/text.ts:open
cut(" a "); // calls lib/text.ts:trim
visible(); // calls lib/text.ts:secret
open(); // calls lib/text.ts:open
trim(text.trim(" b ")); // calls lib/text.ts:trim
all.visible(); // calls lib/text.ts:secret
all.default(); // calls lib/text.ts:open
readFileSync("x");

export async function later(): Promise<void> {
  const lazy = await import("./lib/text.js");
  lazy.trim("c"); // calls lib/text.ts:trim
  const { visible: seen } = await import("./lib/text.js");
  seen(); // calls lib/text.ts:secret
}

function trimAll(trim: (text: string) => string): string {
  // The parameter hides the import.
  return trim("d");
}

trimAll(cut); // calls :trimAll
